#![allow(clippy::unwrap_used)]

use super::*;
use calls::Workspace;
use program::{FileInput, SourceSetId, SourceSetInput};

/// The candidates of a text, each with why it is quiet.
fn candidates(text: &str) -> Vec<(String, Option<Quiet>)> {
    let file = FileInput {
        path: "A.java".into(),
        source_set: SourceSetId(0),
        text: text.into(),
    };
    let workspace = Workspace::new(Program::build(vec![SourceSetInput::default()], vec![file]));
    let program = workspace.program();
    let mut out = Vec::new();
    for body in program.bodies() {
        for c in &workspace.chains(body).unwrap().candidates {
            out.push((c.variable.to_string(), quiet(program, body, c)));
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out
}

fn named(found: &[(String, Option<Quiet>)], name: &str) -> Vec<Option<Quiet>> {
    let here = found.iter().filter(|(n, _)| n == name);
    here.map(|(_, quiet)| *quiet).collect()
}

#[test]
fn a_logger_is_known_by_its_type() {
    let found = candidates(
        "import org.slf4j.Logger; import org.slf4j.LoggerFactory;\n\
         class A { private Logger audit = LoggerFactory.getLogger(A.class); double log = Math.log(2);\n\
         java.util.logging.Logger jul = java.util.logging.Logger.getLogger(\"a\");\n\
         org.apache.commons.logging.Log jcl = make(); Mine mine = new Mine(); Logbook logger = new Logbook();\n\
         static <T> T make() { return null; }\n\
         int m() { Logger local = this.audit; int log = 3; return log + local.hashCode(); }\n\
         static class Logbook {} static abstract class Base implements Logger {} static class Mine extends Base {} }",
    );
    let logger = [Some(Quiet::Logger)];
    for name in ["audit", "jul", "jcl", "mine", "local"] {
        assert_eq!(named(&found, name), logger, "{name} in {found:?}");
    }
    // Called like one, and none.
    assert_eq!(named(&found, "log"), [None, None], "{found:?}");
    assert_eq!(named(&found, "logger"), [None], "{found:?}");
}

#[test]
fn a_counter_is_the_variable_that_a_loop_steps_not_its_namesake() {
    let found = candidates(
        "class A { int m(int n) { int sum = 0; for (int i = 0; i < n; i++) { sum += i; } \
         if (n > 2) { int i = n * sum; sum = i; } return sum; } }",
    );
    let counter = Some(Quiet::Counter);
    // Its initialiser and its step, and the other variable of the name.
    let is = named(&found, "i");
    assert_eq!(is.iter().filter(|q| **q == counter).count(), 2, "{found:?}");
    assert_eq!(is.iter().filter(|q| q.is_none()).count(), 1, "{found:?}");
    assert_eq!(named(&found, "n"), [Some(Quiet::Parameter)]);
    assert!(named(&found, "sum").iter().all(Option::is_none));
}

#[test]
fn constants_are_quiet() {
    let found = candidates(
        "class A { static final int one = f(); int TWO_OF = f(); int three = f(); int ID = f();\n\
         static int f() { return 1; } }",
    );
    assert_eq!(named(&found, "one"), [Some(Quiet::Constant)]);
    assert_eq!(named(&found, "TWO_OF"), [Some(Quiet::Constant)]);
    assert_eq!(named(&found, "three"), [None]);
    assert_eq!(named(&found, "ID"), [None]);
}

#[test]
fn what_a_hash_is_made_of_is_quiet() {
    let found = candidates(
        "class A { int n; public int hashCode() { int hash = 31 * n; return hash; } \
         int hashCode(int of) { int other = of * 2; return other; } }",
    );
    assert_eq!(named(&found, "hash"), [Some(Quiet::Hash)], "{found:?}");
    assert_eq!(named(&found, "other"), [None], "{found:?}");
}
