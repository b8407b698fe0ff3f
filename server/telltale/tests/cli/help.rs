//! Help, version, completions, and what the documents show of the command line.

use crate::support::{binary, demo, ran, repository, telltale};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn stdout(arguments: &[&str]) -> String {
    let ran = telltale(&demo(), arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
    assert_eq!(ran.stderr, "", "{arguments:?}");
    ran.stdout
}

#[test]
fn help_has_examples_and_exit_codes() {
    let top = stdout(&["--help"]);
    for command in ["observe", "graph", "check", "completions"] {
        assert!(top.contains(&format!("\n  {command} ")), "{top}");
    }
    assert!(
        !top.contains("debug"),
        "that is for comparing with a compiler:\n{top}"
    );
    let observe = stdout(&["observe", "--help"]);
    for says in [
        "Examples:\n",
        "--test ParserTest#mixed",
        "Exit codes: 0 done, 2 wrong use",
    ] {
        assert!(observe.contains(says), "{says}\n{observe}");
    }
    let graph = stdout(&["graph", "--help"]);
    assert!(
        graph.contains("Examples:\n  telltale graph --method"),
        "{graph}"
    );
    assert_eq!(stdout(&["help", "graph"]), graph);
    assert!(!stdout(&["debug", "--help"]).is_empty());
}

/// The examples are commands that this version takes.
#[test]
fn examples_are_understood() {
    let mut examples = 0;
    for command in ["observe", "graph", "check"] {
        let help = stdout(&[command, "--help"]);
        for line in help.lines() {
            let Some(example) = line.strip_prefix("  telltale ") else {
                continue;
            };
            examples += 1;
            // Up to the explanation or the redirection.
            let example = example.split(['>', '\u{3000}']).next().unwrap_or(example);
            let example = example.split("  ").next().unwrap_or(example);
            let words: Vec<&str> = example
                .split_whitespace()
                .map(|w| w.trim_matches('\''))
                .collect();
            let ran = telltale(&demo(), &words);
            // Their names are not those of the demo; all else is right.
            let unknown_name =
                ran.stderr.contains("is named") || ran.stderr.contains("does not exist");
            // A check that finds something says so.
            let done = ran.code <= i32::from(command == "check");
            assert!(done || unknown_name, "{words:?}: {}", ran.stderr);
        }
    }
    assert!(examples >= 7, "{examples}");
}

#[test]
fn version() {
    let expected = format!("telltale {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(stdout(&["--version"]), expected);
    assert_eq!(stdout(&["-V"]), expected);
}

/// Each shell's own parser reads its script, where the shell is there.
#[test]
fn completions_parse() {
    let shells: [(&str, &str, &[&str]); 5] = [
        ("bash", "bash", &["-n"]),
        ("zsh", "zsh", &["-n"]),
        ("fish", "fish", &["--no-execute"]),
        ("elvish", "elvish", &["-compileonly", "/dev/stdin"]),
        (
            "powershell",
            "pwsh",
            &[
                "-NoProfile",
                "-Command",
                "[scriptblock]::Create([Console]::In.ReadToEnd()) | Out-Null",
            ],
        ),
    ];
    for (shell, program, arguments) in shells {
        let script = stdout(&["completions", shell]);
        for word in [
            "observe",
            "graph",
            "completions",
            "lambda",
            "all-candidates",
        ] {
            assert!(script.contains(word), "{shell} completes {word}");
        }
        let started = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(mut child) = started else {
            eprintln!("skipped: the completions of {shell} are not parsed, {program} is not here");
            continue;
        };
        let mut input = child.stdin.take().expect("it is piped");
        input.write_all(script.as_bytes()).expect("the shell reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{shell}: {said}");
    }
}

/// bash completes what the grammar knows.
#[test]
fn bash_completes() {
    let script = stdout(&["completions", "bash"]);
    let ask = r#"
COMP_WORDS=(telltale observe --off); COMP_CWORD=2; _telltale telltale --off observe; echo "${COMPREPLY[@]}"
COMP_WORDS=(telltale observe --offer ''); COMP_CWORD=3; _telltale telltale '' --offer; echo "${COMPREPLY[@]}"
"#;
    let output = Command::new("bash")
        .arg("-c")
        .arg(format!("{script}{ask}"))
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: bash is not here");
        return;
    };
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "--offer\nreadable inside all\n"
    );
}

/// Options that a text names.
fn options(text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    let mut out = BTreeSet::new();
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let name: String = rest[at + 2..].chars().take_while(|c| is_name(*c)).collect();
        let starts_a_word = rest[..at].chars().next_back().is_none_or(|c| !is_name(c));
        rest = &rest[at + 2 + name.len()..];
        if starts_a_word && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            out.insert(name);
        }
    }
    out
}

#[test]
fn the_guide_has_every_option() {
    let guide = std::fs::read_to_string(repository().join("docs/user/observe.md")).expect("a page");
    let table: String = guide.lines().filter(|l| l.starts_with("| `--")).collect();
    let help = stdout(&["observe", "--help"]);
    let help: String = help
        .lines()
        .filter(|l| l.trim_start().starts_with('-'))
        .map(|l| format!("{l}\n"))
        .collect();
    let mut known = options(&help);
    known.remove("help");
    assert_eq!(options(&table), known);
    // Whatever else the guide names is an option too.
    for option in options(&guide) {
        assert!(known.contains(&option), "--{option} does not exist");
    }
}

/// Markdown files of the repository that users read.
fn documents() -> Vec<PathBuf> {
    let mut out = vec![repository().join("README.md")];
    for entry in std::fs::read_dir(repository().join("docs/user")).expect("the guide") {
        out.push(entry.expect("an entry").path());
    }
    out.retain(|p| p.extension().is_some_and(|e| e == "md"));
    out.sort();
    out
}

/// What a document shows after `$ telltale …` is what the command prints; `UPDATE_EXPECT=1` writes it anew.
#[test]
fn transcripts_are_what_the_binary_prints() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut compared = 0;
    for path in documents() {
        let text = std::fs::read_to_string(&path).expect("a page");
        let mut renewed = text.clone();
        for block in text.split("```text\n").skip(1) {
            let block = block.split("```").next().unwrap_or(block);
            let Some((command, expected)) = block.split_once('\n') else {
                continue;
            };
            let Some(arguments) = command.strip_prefix("$ telltale ") else {
                continue;
            };
            let arguments: Vec<&str> = arguments
                .split_whitespace()
                .map(|w| w.trim_matches('\''))
                .collect();
            let ran = ran(binary().current_dir(repository()).args(&arguments));
            assert_eq!(ran.stderr, "", "{command}");
            renewed = renewed.replace(block, &format!("{command}\n{}", ran.stdout));
            assert!(
                update || ran.stdout == expected,
                "{} shows of `{command}`:\n{expected}\nbut it prints:\n{}\nUPDATE_EXPECT=1 writes it anew",
                path.display(),
                ran.stdout
            );
            compared += 1;
        }
        if renewed != text {
            std::fs::write(&path, renewed).expect("the page is written");
        }
    }
    assert!(compared > 0, "the README has one");
}
