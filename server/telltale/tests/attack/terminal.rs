//! Texts of a project on the way to a terminal: what it would obey is shown.

use crate::support::{Project, Ran, binary, ran};

/// Writes the clipboard, erases the screen by a single character, deletes, goes back, and turns the line around.
const EVIL: &str = "\u{1b}]52;c;cm0gLXJm\u{7}\u{9b}2J\u{7f}\u{8}\u{202e}\u{2066}";

/// The same in a text that takes no control characters, such as TOML or XML.
const TURNED: &str = "\u{9b}\u{202e}";

fn harmless(ran: &Ran) {
    for text in [&ran.stdout, &ran.stderr] {
        let ours = [
            "\u{1b}[1m",
            "\u{1b}[2m",
            "\u{1b}[36m",
            "\u{1b}[33m",
            "\u{1b}[1;33m",
            "\u{1b}[1;31m",
            "\u{1b}[0m",
        ];
        let rest = ours
            .iter()
            .fold(text.clone(), |rest, style| rest.replace(style, ""));
        let obeyed = |c: &char| {
            c.is_control() && *c != '\n' && *c != '\t'
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert_eq!(rest.chars().find(obeyed), None, "{rest:?}");
    }
}

fn project() -> Project {
    let java = format!(
        "class A {{ int f(int p) {{ int q = p + g(\"{EVIL}\"); /* {EVIL} */ return q; }} int g(String s) {{ return 1; }} }}"
    );
    let pom = format!(
        "<project><artifactId>a{TURNED}</artifactId><groupId>g</groupId><version>1</version><dependencies>\
         <dependency><groupId>x{TURNED}</groupId><artifactId>y</artifactId><version>{TURNED}</version></dependency>\
         </dependencies></project>"
    );
    let project = Project::new(&[("pom.xml", &pom), ("src/main/java/A.java", &java)]);
    project.write(".gitignore", &b"#".repeat(300_000));
    project
}

#[test]
fn no_output_sends_what_a_file_says() {
    let project = project();
    for arguments in [
        &["observe"][..],
        &["observe", "--format", "json"],
        &["graph"],
        &["graph", "--format", "svg"],
        &["graph", "--format", "json"],
        &["graph", "--kind", "calls"],
        &["doctor", "--verbose"],
        &["doctor", "--format", "json"],
        &["debug", "uses"],
    ] {
        for colour in ["0", "1"] {
            let ran = ran(binary()
                .current_dir(project.path())
                .args(arguments)
                .env("HOME", project.path())
                .env("CLICOLOR_FORCE", colour));
            assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
            harmless(&ran);
        }
    }
}

/// It is shown, and colours stay.
#[test]
fn a_source_line_shows_what_it_holds() {
    let project = project();
    let plain = project.run(&["observe"]);
    let shown = "g(\"\\u{1b}]52;c;cm0gLXJm\\u{7}\\u{9b}2J\\u{7f}\\u{8}\\u{202e}\\u{2066}\")";
    assert!(plain.stdout.contains(shown), "{}", plain.stdout);
    let coloured = ran(binary()
        .current_dir(project.path())
        .arg("observe")
        .env("CLICOLOR_FORCE", "1"));
    assert!(coloured.stdout.contains(shown), "{}", coloured.stdout);
    assert!(
        coloured.stdout.contains("\u{1b}[36m"),
        "{}",
        coloured.stdout
    );
}

/// JSON says the same as before, in other letters.
#[test]
fn json_keeps_what_it_says() {
    let project = Project::new(&[]);
    let name = format!("{TURNED}.java");
    project.write(&name, b"class A { int f(int p) { int q = p; return q; } }");
    let ran = project.run(&["graph", "--format", "json"]);
    harmless(&ran);
    assert_eq!(ran.json()["nodes"][0]["path"], name.as_str());
}

#[cfg(unix)]
#[test]
fn names_in_messages_are_shown() {
    let java = "class A { int f(int p) { int q = p; return q; } }";
    let project = Project::new(&[("A.java", java)]);
    project.write(&format!("{EVIL}.java"), b"\xff");
    project.write(
        "telltale.toml",
        format!("\"{TURNED}\" = 1\n[\"\u{85}").as_bytes(),
    );
    for arguments in [
        &["observe"][..],
        &["observe", EVIL],
        &["observe", "--test", EVIL],
        &["observe", "--class", EVIL],
        &["observe", "--format", EVIL],
        &[EVIL],
    ] {
        let ran = project.run(arguments);
        harmless(&ran);
        assert!(!ran.stderr.is_empty(), "{arguments:?}");
    }
}
