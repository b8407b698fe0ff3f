//! `telltale invariants`: traces in, constraints out.

use crate::schemas::{meets, schema};
use crate::support::{Project, repository, telltale};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

const TRACE: &str = "tests/invariants/counter.dtrace";
const EXIT: &str = "demo.Counter.add(int):::EXIT";

#[test]
fn points_and_what_holds_there() {
    let shown = telltale(&repository(), &["invariants", TRACE]);
    assert_eq!((shown.code, shown.stderr.as_str()), (0, ""), "{shown:?}");
    let head = format!("{}\ndemo.Counter.add(int):::ENTER\n", "=".repeat(75));
    assert!(shown.stdout.starts_with(&head), "{}", shown.stdout);
    for line in [
        "\nthis.steps[] sorted by <=\n",
        "\nreturn == size(this.steps[])\n",
        "\nthis.count - orig(this.count) - orig(step) == 0\n",
    ] {
        assert!(shown.stdout.contains(line), "{line}\n{}", shown.stdout);
    }
    let exit = telltale(&repository(), &["invariants", TRACE, "--point", "EXIT"]);
    assert!(!exit.stdout.contains("ENTER\n"), "{}", exit.stdout);
}

#[test]
fn json_meets_its_schema() {
    for more in [&[][..], &["--all"], &["--confidence", "0"]] {
        let arguments = [&["invariants", TRACE, "--format", "json"], more].concat();
        let shown = telltale(&repository(), &arguments);
        assert_eq!(shown.code, 0, "{shown:?}");
        let value = serde_json::from_str(&shown.stdout).expect("JSON");
        meets(&schema("invariants"), &value, "invariants");
    }
}

#[test]
fn why_says_what_became_of_it() {
    let table = [
        (
            "this.count > orig(this.count)",
            "told: it held in 10 samples",
        ),
        (
            "return >= 1",
            "that may be chance; confidence 0, it needs 0.99",
        ),
        (
            "return != 3",
            "broken by the sample of demo.Counter.add(int):::EXIT12 at line ",
        ),
        ("return > 0", "not told: it holds in 10 samples"),
        ("this.steps[step] == 0", "in all "),
    ];
    for (claim, said) in table {
        let shown = telltale(&repository(), &["invariants", TRACE, "--why", EXIT, claim]);
        assert_eq!(shown.code, 0, "{shown:?}");
        if claim != "this.steps[step] == 0" {
            assert!(shown.stdout.contains(said), "{claim}: {}", shown.stdout);
        }
    }
    let shown = telltale(
        &repository(),
        &["invariants", TRACE, "--why", EXIT, "nobody == 1"],
    );
    assert_eq!(shown.code, 2);
    let shown = telltale(
        &repository(),
        &["invariants", TRACE, "--why", "nowhere", "x > 0"],
    );
    assert_eq!(shown.code, 2);
}

#[test]
fn why_understands_either_spelling() {
    let variable = |name: &str, rep: &str, look: &str| {
        format!(
            "variable {name}\n  var-kind variable\n  dec-type {rep}\n  rep-type {rep}\n  comparability 1\n# telltale: look {look}\n"
        )
    };
    let declared = format!(
        "decl-version 2.0\n\nppt p:::POINT\nppt-type point\n{}{}\n",
        variable("c", "int", "char"),
        variable("e", "java.lang.String", "constant")
    );
    let sample = "p:::POINT\nc\n65\n1\ne\n\"OPEN\"\n1\n\n";
    let project = Project::new(&[("looks.dtrace", &format!("{declared}{}", sample.repeat(5)))]);
    let why = |claim: &str| {
        let asked = ["invariants", "looks.dtrace", "--why", "p:::POINT", claim];
        telltale(project.path(), &asked)
    };
    for claim in [
        "c == 'A'",
        "c == 65",
        r"c == '\u0041'",
        "e == OPEN",
        "e == \"OPEN\"",
        " e  ==  OPEN ",
    ] {
        let shown = why(claim);
        let said = "told: it held in 5 samples";
        assert!(shown.stdout.starts_with(said), "{claim}: {shown:?}");
    }
    let shown = why("e == \"HALF\"");
    assert!(shown.stdout.starts_with("broken by"), "{shown:?}");
    for claim in ["e == HALF", "e == c2", "e == return"] {
        assert_eq!(why(claim).code, 2, "{claim}");
    }
}

#[test]
fn traces_that_cannot_be_read() {
    let project = Project::new(&[
        ("no.dtrace", "no point at all\n"),
        (
            "cut.dtrace",
            "decl-version 2.0\n\nppt p:::POINT\nppt-type point\nvariable x\n  var-kind variable\n  dec-type int\n  rep-type int\n  comparability 1\n\np:::POINT\nx\n5\n1\n\np:::POINT\nx\n",
        ),
        ("empty.dtrace", ""),
    ]);
    let ran = |file: &str| telltale(project.path(), &["invariants", file]);
    let no = ran("no.dtrace");
    assert_eq!(no.code, 3);
    assert!(
        no.stderr.contains("no.dtrace:1: no point is declared"),
        "{}",
        no.stderr
    );
    let cut = ran("cut.dtrace");
    assert_eq!(cut.code, 0, "{cut:?}");
    assert!(
        cut.stderr.contains("cut.dtrace:17: the trace is cut here"),
        "{}",
        cut.stderr
    );
    assert!(cut.stdout.contains("p:::POINT\nx == 5\n"), "{}", cut.stdout);
    assert_eq!(
        (
            ran("empty.dtrace").code,
            ran("empty.dtrace").stdout.as_str()
        ),
        (0, "")
    );
    assert_eq!(ran("missing.dtrace").code, 2);
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    out.write_all(text).expect("written");
    out.finish().expect("packed")
}

#[test]
fn a_packed_trace_is_read_as_the_text_that_it_holds() {
    let text = std::fs::read(repository().join(TRACE)).expect("it is there");
    let whole = packed(&text);
    // In pieces, as who appends to a packed file leaves it.
    let (head, tail) = text.split_at(text.len() / 2);
    let pieces = [packed(head), packed(tail)].concat();
    let project = Project::new(&[]);
    let ran = |name: &str, bytes: &[u8]| {
        project.write(name, bytes);
        telltale(project.path(), &["invariants", name])
    };
    let plain = ran("plain.dtrace", &text);
    assert_eq!((plain.code, plain.stderr.as_str()), (0, ""), "{plain:?}");
    assert!(plain.stdout.contains("this.steps[] sorted by <="));
    // The name does not say how it is packed.
    for (name, bytes) in [
        ("whole.dtrace.gz", &whole),
        ("pieces.dtrace.gz", &pieces),
        ("unnamed.dtrace", &whole),
    ] {
        let shown = ran(name, bytes);
        assert_eq!((shown.code, shown.stderr.as_str()), (0, ""), "{name}");
        assert_eq!(shown.stdout, plain.stdout, "{name}");
    }
    let cut = ran("cut.dtrace.gz", &whole[..whole.len() - 20]);
    assert_eq!(cut.code, 0, "{cut:?}");
    assert!(
        cut.stderr
            .contains(": the trace is cut here; what came before was read"),
        "{cut:?}"
    );
    let mut broken = whole.clone();
    let middle = broken.len() / 2;
    broken[middle..middle + 40].fill(0xff);
    let broken = ran("broken.dtrace.gz", &broken);
    assert_eq!(broken.code, 3, "{broken:?}");
    assert!(broken.stderr.contains("broken.dtrace.gz:"), "{broken:?}");
}

#[test]
fn a_line_without_end_costs_its_value() {
    let declared = "decl-version 2.0\n\nppt p:::POINT\nppt-type point\nvariable x\n  var-kind variable\n  dec-type int\n  rep-type int\n  comparability 1\n\n";
    let sample = "p:::POINT\nx\n5\n1\n\n";
    let endless = vec![b'7'; 100 << 20];
    let text = [
        declared.as_bytes(),
        sample.as_bytes(),
        b"p:::POINT\nx\n",
        &endless,
        b"\n1\n\n",
        sample.as_bytes(),
    ];
    let project = Project::new(&[]);
    project.write("long.dtrace", &text.concat());
    let shown = telltale(project.path(), &["invariants", "long.dtrace"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert!(
        shown
            .stderr
            .contains("1 value was too long and is taken to be missing"),
        "{shown:?}"
    );
    assert!(shown.stdout.contains("x == 5"), "{shown:?}");
}

/// What was recorded of a project is a trace as well, and so is what is written of it.
pub(crate) fn of_a_project(project: &Project) {
    let exit = "algebra.Complex.conjugate():::EXIT";
    let told = project.run(&["invariants", "-q", ".", "--point", exit]);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""), "{told:?}");
    for line in ["\nthis.real == return.real\n", "\nreturn.imaginary != 0\n"] {
        assert!(told.stdout.contains(line), "{line}\n{}", told.stdout);
    }
    for file in ["calls.dtrace", "calls.dtrace.gz"] {
        let wrote = project.run(&["invariants", ".", "--write", file]);
        assert_eq!((wrote.code, wrote.stdout.as_str()), (0, ""), "{wrote:?}");
        let said = format!("218 calls of 7 hand-written tests in {file}");
        assert!(wrote.stderr.contains(&said), "{}", wrote.stderr);
        let again = project.run(&["invariants", "-q", file, "--point", exit]);
        assert_eq!(again.stdout, told.stdout, "{file}");
        std::fs::remove_file(project.path().join(file)).expect("it is there");
    }
    // Nothing is left where it cannot be written.
    let lost = project.run(&["invariants", "-q", ".", "--write", "nowhere/calls.dtrace"]);
    assert_eq!(lost.code, 3, "{lost:?}");
    let two = project.run(&["invariants", ".", ".", "--write", "calls.dtrace"]);
    assert_eq!(two.code, 2, "{two:?}");
    assert!(!project.path().join("calls.dtrace").exists());
}

/// Its code is another one since.
pub(crate) fn are_of_other_code(project: &Project) {
    let none = project.run(&["invariants", "-q", "."]);
    assert_eq!(none.code, 2, "{none:?}");
    assert!(none.stderr.contains("are of other code"), "{none:?}");
    assert!(none.stderr.contains("telltale record"), "{none:?}");
}

#[test]
fn a_project_without_a_recording_says_what_to_do() {
    let none = telltale(&repository(), &["invariants", "-q", "tests/suspects"]);
    assert_eq!(none.code, 2, "{none:?}");
    assert!(none.stderr.contains("telltale record"), "{none:?}");
}
