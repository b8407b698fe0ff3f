//! Which tests run and check a method, as a lens says it, and what is answered of a place.

#![allow(clippy::unwrap_used)]

use super::cancelled::ends_early;
use super::checked::{recorded, with};
use super::{Fixture, analysis};
use crate::Analysis;
use crate::checked::tests_of_line;
use crate::checked_at::{Asked, at, of};
use crate::lens::{On, checked_lenses, lenses};
use crate::title::title;
use evidence::{Facts, Ran};
use program::{Change, FileId};
use std::sync::Arc;

const MEMBERS: &str = "    private int sum;
    int sum(int a, int b) {
        int unused = a * b; //-
        return a + b; //+
    }
    void drop(int n) {
        int m = n; //-
    }
    int never() {
        return 1; //0
    }
    void both(int n) {
        sum = n; //-
        new Thread() {
            @Override public void run() {
                sum++; //0
            }
        };
    }";

const TEST: &str = "assertEquals(3, new Box().sum(1, 2)); new Box().drop(1); new Box().both(1);";

fn file(analysis: &Analysis) -> FileId {
    let path = "src/main/java/own/Box.java";
    analysis.program().file(path).unwrap()
}

/// What stands above the methods of the code, by line.
fn above(analysis: &Analysis) -> Vec<(u32, String)> {
    let file = file(analysis);
    let text = analysis.program().text(file).unwrap();
    let said = |on: On| title(analysis, on).map(|t| t.text);
    checked_lenses(analysis, file)
        .iter()
        .map(|l| {
            let line = text[..l.span.start as usize].matches('\n').count();
            (line as u32 + 1, said(l.on).unwrap())
        })
        .collect()
}

/// What is said of where some words stand.
fn said(analysis: &Analysis, path: &str, words: &str) -> String {
    let file = analysis.program().file(path).unwrap();
    let text = analysis.program().text(file).unwrap();
    match at(analysis, file, text.find(words).unwrap() as u32) {
        Asked::Code { said, .. } | Asked::Test { said, .. } | Asked::Nothing(said) => said,
    }
}

fn said_of_code(analysis: &Analysis, words: &str) -> String {
    said(analysis, "src/main/java/own/Box.java", words)
}

fn after(analysis: &Analysis, path: &str, from: &str, to: &str) -> Analysis {
    let program = analysis.program();
    let file = program.file(path).unwrap();
    let text = program.text(file).unwrap();
    assert!(text.contains(from), "{from}");
    analysis.after(vec![Change {
        text: Some(text.replace(from, to).into()),
        source_set: program.source_set(file).unwrap(),
        path: path.into(),
    }])
}

fn changed(analysis: &Analysis, change: impl FnOnce(&mut Ran)) -> Analysis {
    let mut ran = Ran::clone(analysis.facts().ran());
    change(&mut ran);
    analysis.with_facts(Arc::new(Facts::default().with_ran(ran)))
}

#[test]
fn a_method_says_how_many_tests_run_and_check_it() {
    let fixture = Fixture::parse(&with(MEMBERS, TEST));
    assert_eq!(
        above(&recorded(&fixture)),
        [
            (5, "run by 1 test, checked by 1".to_owned()),
            (9, "run by 1 test, checked by none".to_owned()),
            (15, "run by 1 test, checked by none".to_owned()),
        ]
    );
    // Of what nobody recorded nothing is said, and the other lenses are what they were.
    let plain = analysis(&fixture);
    assert_eq!(above(&plain), []);
    let file = file(&plain);
    let facts = Arc::clone(recorded(&fixture).facts());
    let now = plain.with_facts(facts);
    assert_eq!(above(&now).len(), 3);
    assert_eq!(lenses(&plain, file), lenses(&now, file));
}

#[test]
fn above_code_that_changed_nothing_is_said() {
    let text = with(MEMBERS, TEST);
    // A second test that runs the first method alone.
    let second = "    @Test void other() { new Box().sum(1, 2); }\n}\n";
    let text = format!("{}{second}", text.strip_suffix("}\n").unwrap());
    let now = recorded(&Fixture::parse(&text));
    // By the marks each of them runs all, the other's assertion too.
    assert_eq!(above(&now)[0].1, "run by 2 tests, checked by 2");
    let box_java = "src/main/java/own/Box.java";
    let moved = after(
        &now,
        box_java,
        "    int sum(",
        "    // a word\n\n    int sum(",
    );
    assert_eq!(above(&moved)[0], (7, above(&now)[0].1.clone()));
    // The first test runs what was edited, the second does not.
    let edited = after(&now, box_java, "int m = n;", "int m = n + 1;");
    assert_eq!(
        above(&edited),
        [
            (5, "run by 1 test, checked by 1".to_owned()),
            (9, "run by 1 test".to_owned()),
            (15, "run by 1 test".to_owned()),
        ],
        "of what ran before the edit nobody knows who checks it"
    );
    let edited = after(&now, box_java, "return a + b;", "return b + a;");
    assert_eq!(above(&edited), []);
    assert_eq!(
        said_of_code(&edited, "return b + a"),
        "2 tests ran this line before the code changed: record again"
    );
    assert_eq!(
        said_of_code(&edited, "int sum("),
        "2 tests ran Box.sum before the code changed: record again"
    );
}

#[test]
fn by_none_is_said_where_it_is_known() {
    let now = recorded(&Fixture::parse(&with(MEMBERS, TEST)));
    let of_drop = |analysis: &Analysis| above(analysis)[1].1.clone();
    assert_eq!(of_drop(&now), "run by 1 test, checked by none");
    assert_eq!(
        said_of_code(&now, "int m = n"),
        "Run by 1 test, checked by nobody"
    );
    assert_eq!(
        said_of_code(&now, "void drop"),
        "Box.drop: run by 1 test, checked by nobody"
    );
    // Beside other tests.
    let lost = changed(&now, |ran| ran.lost = 1);
    assert_eq!(of_drop(&lost), "run by 1 test");
    assert_eq!(
        said_of_code(&lost, "int m = n"),
        "Run by 1 test, not known to be checked by any of them"
    );
    // Outside of tests, too.
    let outside = changed(&now, |ran| {
        let own = ran.tests.values().next().unwrap().lines.clone();
        ran.nobodys.push(own);
    });
    assert_eq!(of_drop(&outside), "run by 1 test");
}

#[test]
fn a_place_is_answered_both_ways_or_says_why_not() {
    let fixture = Fixture::parse(&with(MEMBERS, TEST));
    let now = recorded(&fixture);
    let test = "src/test/java/own/BoxTest.java";
    assert_eq!(
        said_of_code(&now, "return a + b"),
        "Run by 1 test, checked by 1"
    );
    assert_eq!(
        said_of_code(&now, "int sum("),
        "Box.sum: run by 1 test, checked by 1"
    );
    assert_eq!(
        said_of_code(&now, "return 1"),
        "No test that was recorded runs this line"
    );
    assert_eq!(
        said_of_code(&now, "int never"),
        "No test that was recorded runs Box.never"
    );
    let why = said_of_code(&now, "private int sum");
    assert!(why.starts_with("This line is of no method"), "{why}");
    for words in ["@Test", "assertEquals(3", "    @Test"] {
        assert_eq!(
            said(&now, test, words),
            "BoxTest.it runs 4 lines and checks 1",
            "{words}"
        );
    }
    let why = said(&now, test, "class BoxTest");
    assert!(why.starts_with("No test stands here"), "{why}");
    let method = now.workspace().suite().tests()[0];
    assert!(matches!(of(&now, method), Asked::Test { test, .. } if test == method));
    let edited = after(&now, test, "drop(1)", "drop(2)");
    assert_eq!(
        said(&edited, test, "@Test"),
        "BoxTest.it was recorded with other code: record it again"
    );
    let other = after(&now, test, "void it()", "void other()");
    assert_eq!(
        said(&other, test, "@Test"),
        "BoxTest.other was not recorded: record it first"
    );
    let plain = analysis(&fixture);
    for (path, words) in [
        (test, "@Test"),
        (test, "class BoxTest"),
        ("src/main/java/own/Box.java", "return 1"),
    ] {
        let why = said(&plain, path, words);
        assert!(why.contains("record them first"), "{why}");
    }
    let together = changed(&plain, |ran| ran.lost = 3);
    let why = said(&together, test, "@Test");
    assert!(why.starts_with("Tests ran at the same time"), "{why}");
}

#[test]
fn of_many_tests_the_first_ones_are_looked_at() {
    let text = with(MEMBERS, TEST);
    let more: String = (0..404)
        .map(|n| format!("    @Test void t{n}() {{ assertEquals(3, new Box().sum(1, 2)); }}\n"))
        .collect();
    let text = format!("{}{more}}}\n", text.strip_suffix("}\n").unwrap());
    let now = recorded(&Fixture::parse(&text));
    let said = "run by 405 tests, checked by 400 of the first 400";
    assert_eq!(above(&now)[0].1, said);
    assert_eq!(
        above(&now)[1].1,
        "run by 405 tests",
        "all tests would have to be looked at"
    );
    assert_eq!(
        said_of_code(&now, "return a + b"),
        "Run by 405 tests, checked by 400 of the first 400"
    );
}

#[test]
fn a_question_that_nobody_wants_any_more_ends() {
    let members: String = (0..30)
        .map(|n| format!("    int f{n}(int a) {{ int b = a + {n}; return b * 2; }} //+\n"))
        .collect();
    let calls: String = (0..30)
        .map(|n| format!("assertEquals(2, new Box().f{n}(1)); "))
        .collect();
    let fixture = Fixture::parse(&with(&members, &calls));
    let steps = ends_early(&|| recorded(&fixture), &|analysis| {
        format!("{:?}", above(analysis))
    });
    assert!(steps > 30, "{steps}");
    let line = |analysis: &Analysis| {
        let tests = tests_of_line(analysis, file(analysis), 9);
        tests.unwrap().said(false)
    };
    ends_early(&|| recorded(&fixture), &line);
}
