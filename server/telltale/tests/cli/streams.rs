//! Results on stdout, everything else on stderr; colour and progress on a terminal only; a closed pipe ends quietly.

use crate::support::{Project, binary, complaints, demo, ran};
use std::path::Path;
use std::process::Stdio;

const ESCAPE: char = '\u{1b}';

/// Every command with an output worth writing.
const COMMANDS: [&[&str]; 9] = [
    &["observe"],
    &["observe", "--test", "OrderBookTest#takesTheBestPriceFirst"],
    &["observe", "--format", "json", "--top", "1000"],
    &["graph"],
    &["graph", "--format", "svg"],
    &["graph", "--format", "json"],
    &["graph", "--kind", "calls", "--format", "json"],
    &["debug", "uses"],
    &["completions", "bash"],
];

#[test]
fn no_colour_and_no_progress_in_pipes() {
    for arguments in COMMANDS {
        let ran = ran(binary().current_dir(demo()).args(arguments));
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        assert!(!ran.stdout.contains(ESCAPE), "{arguments:?}");
        assert_eq!(
            ran.stderr, "",
            "{arguments:?}: stderr is for what went wrong"
        );
        assert!(ran.stdout.ends_with('\n'), "{arguments:?}");
    }
    let mistake = ran(binary().current_dir(demo()).args(["observe", "nowhere"]));
    assert!(!mistake.stderr.contains(ESCAPE), "{}", mistake.stderr);
}

#[test]
fn colour_can_be_forced_and_forbidden() {
    let forced = ran(binary()
        .current_dir(demo())
        .args(COMMANDS[0])
        .env("CLICOLOR_FORCE", "1"));
    assert!(forced.stdout.contains(ESCAPE));
    let plain = ran(binary().current_dir(demo()).args(COMMANDS[0]));
    assert_eq!(without_colour(&forced.stdout), plain.stdout);
    // JSON is for programs, whatever is forced.
    let json = ran(binary()
        .current_dir(demo())
        .args(COMMANDS[2])
        .env("CLICOLOR_FORCE", "1"));
    assert!(!json.stdout.contains(ESCAPE));
}

/// Leaves out `ESC [ … letter`.
fn without_colour(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == ESCAPE {
            rest.by_ref().find(|c| c.is_ascii_alphabetic());
        } else {
            out.push(c);
        }
    }
    out
}

/// What the program writes when stdout and stderr are one terminal; none where `script` is not there.
#[cfg(target_os = "linux")]
fn on_a_terminal(arguments: &str, no_color: bool) -> Option<String> {
    in_a_terminal(&demo(), arguments, no_color)
}

/// The same in a folder. A shell reads the arguments, so that stdout can go to a file.
#[cfg(target_os = "linux")]
pub(crate) fn in_a_terminal(folder: &Path, arguments: &str, no_color: bool) -> Option<String> {
    let mut command = std::process::Command::new("script");
    command
        .args(["-qec"])
        .arg(format!("{} {arguments}", env!("CARGO_BIN_EXE_telltale")))
        .arg("/dev/null")
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("TERM", "xterm-256color")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("NO_COLOR");
    if no_color {
        command.env("NO_COLOR", "1");
    }
    match command.output() {
        Ok(output) => {
            let text = String::from_utf8(output.stdout).expect("UTF-8");
            assert!(output.status.success(), "{text}");
            Some(text)
        }
        Err(e) => {
            eprintln!("skipped: `script` does not start: {e}");
            None
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn colour_and_progress_on_a_terminal() {
    let cyan = "\u{1b}[36m";
    let Some(coloured) = on_a_terminal("observe", false) else {
        return;
    };
    assert!(coloured.contains(cyan), "{coloured:?}");
    assert!(
        coloured.contains("reading") || coloured.contains("analysing"),
        "{coloured:?}"
    );
    let Some(quiet) = on_a_terminal("observe --quiet", false) else {
        return;
    };
    assert!(!quiet.contains("analysing"), "{quiet:?}");
    let Some(plain) = on_a_terminal("observe --quiet", true) else {
        return;
    };
    assert!(!plain.contains(ESCAPE), "{plain:?}");
    assert!(plain.contains("What to observe in this project"));
}

/// `telltale … | head`: the reader goes away at once.
#[test]
fn a_closed_pipe_ends_quietly() {
    let help: &[&str] = &["observe", "--help"];
    for arguments in COMMANDS.into_iter().chain([help]) {
        let mut child = binary()
            .current_dir(demo())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(complaints(output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

/// Nobody reads what goes wrong: that is said by the exit code all the same, and what is asked for is answered.
#[test]
fn nobody_has_to_read_what_went_wrong() {
    let project = Project::new(&[("A.java", "class A { int f(int p) { return p; } }")]);
    project.write("telltale.toml", b"nonsense = 1\n");
    for (arguments, code) in [
        (&["lsp", "--log", "nowhere/it.log"][..], 3),
        (&["observe", "nowhere"], 2),
        (&["observe", "--nonsense"], 2),
        (&["--help"], 0),
        (&["observe", "--format", "json"], 0),
        (&["doctor"], 0),
    ] {
        let mut child = binary()
            .current_dir(project.path())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        drop(child.stderr.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert_eq!(output.stdout.is_empty(), code != 0, "{arguments:?}");
    }
}

/// Warnings go to stderr, so that a script still reads JSON.
#[test]
fn warnings_do_not_disturb_the_result() {
    let project = Project::new(&[("A.java", "class A { int a = 1; }")]);
    project.write("telltale.toml", b"nonsense = 1\n");
    project.write("Latin.java", b"class Latin { String s = \"caf\xe9\"; }");
    let ran = project.run(&["observe", "--format", "json"]);
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
    assert!(
        ran.stderr.lines().all(|l| l.starts_with("warning: ")),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.json()["counts"]["files_skipped"], 1);
}

/// Nothing is written beside the sources.
#[test]
fn observing_leaves_no_traces() {
    let project = Project::new(&[("A.java", "class A { int a = 1; }")]);
    for arguments in COMMANDS {
        if !arguments.contains(&"--test") {
            assert_eq!(project.run(arguments).code, 0, "{arguments:?}");
        }
    }
    let left: Vec<_> = std::fs::read_dir(project.path())
        .expect("the folder")
        .map(|e| e.expect("an entry").file_name())
        .collect();
    assert_eq!(left, ["A.java"]);
}
