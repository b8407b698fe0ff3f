//! What nobody wants any more ends in the midst of an analysis, and takes nothing with it: the next question is answered
//! as if the first had not been asked. Steps are counted, not seconds.

use super::ground;
use crate::Analysis;
use crate::answers::{Answer, Scope, ScopeKind, What, all_tests, calls};
use crate::lens::lenses;
use crate::rules;
use crate::title::title;
use ::calls::{Cancellation, Cancelled, Workspace};
use observe::Settings;
use program::{FileInput, Program, SourceSetId, SourceSetInput};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Classes each of which calls the next.
const CLASSES: usize = 40;
/// Each with so many tests.
const TESTS: usize = 2;

/// A program whose tests run half of it in the mean.
fn large() -> Analysis {
    let file = |path: String, set, text: String| FileInput {
        path: path.into(),
        source_set: SourceSetId(set),
        text: text.into(),
    };
    let mut files = Vec::new();
    for at in 0..CLASSES {
        let next = (at + 1) % CLASSES;
        let step = match next {
            0 => "low".to_owned(),
            _ => format!("new C{next}().step(low)"),
        };
        files.push(file(
            format!("src/main/C{at:02}.java"),
            0,
            format!(
                "package p; public class C{at} {{ int high; int low;\n\
                 public int step(int by) {{ low = by + 1; if (low > 3) {{ high = {step}; }} else {{ high += low; }}\n\
                 int sum = high * 2 + low; return sum; }}\n\
                 public int high() {{ return high; }} public int low() {{ return low; }} }}"
            ),
        ));
        let mut tests = String::new();
        for test in 0..TESTS {
            writeln!(
                tests,
                "@Test void steps{test}() {{ C{at} one = new C{at}(); int sum = one.step({test}); assertEquals(7, sum); }}"
            )
            .expect("a text takes all");
        }
        files.push(file(
            format!("src/test/C{at:02}Test.java"),
            1,
            format!(
                "package p; import static org.junit.jupiter.api.Assertions.assertEquals;\n\
                 import org.junit.jupiter.api.Test;\nclass C{at}Test {{\n{tests}}}"
            ),
        ));
    }
    let workspace = Workspace::new(Program::build(SourceSetInput::code_and_tests(), files));
    Analysis::new(workspace, true, Settings::default())
}

/// An answer under a cancellation; nothing if it was cancelled.
pub(super) fn asked(
    analysis: &Analysis,
    cancellation: &Cancellation,
    ask: &dyn Fn(&Analysis) -> String,
) -> Option<String> {
    let one = analysis.under(cancellation);
    match catch_unwind(AssertUnwindSafe(|| ask(&one))) {
        Ok(answer) => Some(answer),
        Err(why) => {
            assert!(why.is::<Cancelled>(), "it ended for another reason");
            None
        }
    }
}

/// Steps without end, that are counted.
const MANY: u64 = u64::MAX - 1;

/// Asks a question that takes some steps, and cancels it after fewer. How many it takes.
pub(super) fn ends_early(make: &dyn Fn() -> Analysis, ask: &dyn Fn(&Analysis) -> String) -> u64 {
    let whole = Cancellation::after(MANY);
    let expected = asked(&make(), &whole, ask).expect("it is wanted");
    let steps = MANY - whole.left();
    for most in [0, 1, steps / 2, steps * 9 / 10] {
        let analysis = make();
        let cancellation = Cancellation::after(most);
        let answer = asked(&analysis, &cancellation, ask);
        assert_eq!(answer, None, "cancelled after {most} of {steps} steps");
        assert!(cancellation.is_cancelled());
        // What was finished is not done again, and what was not is done now.
        let again = Cancellation::after(MANY);
        let answer = asked(&analysis, &again, ask);
        assert_eq!(answer.as_deref(), Some(&*expected), "after {most} steps");
        let left = MANY - again.left();
        // Two threads may have begun the same.
        assert!(
            left <= steps + steps / 10,
            "{left} of {steps} steps after {most}"
        );
    }
    steps
}

fn answered(analysis: &Analysis, scope: Scope) -> String {
    let ground = ground(analysis);
    let answer = Answer::new(&ground, scope, None, true).json;
    format!("{answer:?}")
}

fn suite(analysis: &Analysis) -> Scope {
    Scope {
        kind: ScopeKind::Suite,
        name: "all".to_owned(),
        what: What::Tests(all_tests(analysis.workspace())),
    }
}

fn code(prefix: &str) -> Scope {
    Scope {
        kind: ScopeKind::File,
        name: prefix.to_owned(),
        what: What::Path {
            prefix: prefix.to_owned(),
            tests: false,
        },
    }
}

/// The bodies of the code.
const BODIES: u64 = 3 * CLASSES as u64;

#[test]
fn observing_a_suite() {
    let steps = ends_early(&large, &|analysis| answered(analysis, suite(analysis)));
    // Each body is walked over, tied in, and gives rows to two tables.
    assert!(steps > 5 * BODIES, "{steps}");
}

#[test]
fn ranking_a_large_class() {
    let mut members = String::new();
    for at in 0..300 {
        let _ = writeln!(
            members,
            "int f{at}; int m{at}(int a) {{ f{at} = a + f{}; int b = f{at} * 2; return b; }}",
            at / 2
        );
    }
    let text = format!("package p; class Large {{ {members} }}");
    let make = || {
        let file = FileInput {
            path: "src/main/Large.java".into(),
            source_set: SourceSetId(0),
            text: Arc::from(&*text),
        };
        let program = Program::build(SourceSetInput::code_and_tests(), vec![file]);
        Analysis::new(Workspace::new(program), true, Settings::default())
    };
    let ranked = |analysis: &Analysis| {
        let file = analysis.program().files()[0];
        let ranking = analysis.ranking(file);
        let names = ranking
            .selected
            .iter()
            .map(|s| format!("{} {}", s.name, s.gain));
        names.collect::<Vec<String>>().join("\n")
    };
    let steps = ends_early(&make, &ranked);
    // Each candidate is a row.
    assert!(steps > 4 * 300, "{steps}");
    ends_early(&make, &|analysis| answered(analysis, code("src/main")));
}

#[test]
fn walking_the_call_graph() {
    let steps = ends_early(&large, &|analysis| {
        format!("{:?}", calls(analysis.workspace(), suite(analysis)))
    });
    assert!(steps > BODIES, "{steps}");
}

#[test]
fn what_stands_above_tests_and_methods() {
    let steps = ends_early(&large, &|analysis| {
        let mut out = String::new();
        for &file in analysis.program().files() {
            for lens in lenses(analysis, file) {
                let title = title(analysis, lens.on).map(|t| t.text);
                let _ = writeln!(out, "{:?} {title:?}", lens.span);
            }
        }
        out
    });
    // Each test walks over what it runs.
    assert!(steps > BODIES * (TESTS * CLASSES) as u64 / 4, "{steps}");
}

#[test]
fn what_rules_find() {
    let options = rules::Options::default();
    let steps = ends_early(&large, &|analysis| {
        let ground = rules::Ground::new(analysis, &options);
        let files = analysis.program().files().iter();
        let found = files.flat_map(|f| ground.findings(*f, &|_| true));
        found.map(|f| f.message).collect::<Vec<String>>().join("\n")
    });
    assert!(steps >= (TESTS * CLASSES) as u64, "{steps}");
}
