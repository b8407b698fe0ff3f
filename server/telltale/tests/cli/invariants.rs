//! `telltale invariants`: traces in, constraints out.

use crate::schemas::{meets, schema};
use crate::support::{Project, repository, telltale};

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
