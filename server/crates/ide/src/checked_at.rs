//! What is answered of a place: of a line or a method of the code under test its tests, of a test its lines; or why there is nothing
//! to say, and what to do about it.

use crate::analysis::Analysis;
use crate::checked::{
    LineTests, TestLines, has_code, is_unchecked, is_unchecked_method, lines_of_test, method_at,
    ran_outside, stale_tests, tests_of_line, tests_of_method,
};
use crate::lens::test_around;
use crate::words::method_words;
use oracle::TestKind;
use program::{FileId, MethodId};
use text::{Encoding, LineIndex, Span};

/// What is known of a place.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Of a line, or of a method.
    Code {
        /// Who runs and checks it.
        tests: LineTests,
        /// It is known that nobody checks it.
        is_unchecked: bool,
        /// How many tests ran it when its code or theirs was another.
        stale: usize,
        /// One sentence without its full stop.
        said: String,
    },
    /// Of a test.
    Test {
        /// Which.
        test: MethodId,
        /// What it runs and checks.
        lines: TestLines,
        /// One sentence without its full stop.
        said: String,
    },
    /// Nothing, and why: a sentence without its full stop.
    Nothing(String),
}

fn nothing(why: &str) -> Asked {
    Asked::Nothing(why.to_owned())
}

/// Why nothing can be said of any place.
fn unknown(analysis: &Analysis) -> Option<Asked> {
    if !analysis.is_complete() {
        return Some(nothing(
            "Telltale is still reading this project: ask again when it has",
        ));
    }
    let ran = analysis.facts().ran();
    match (ran.tests.is_empty(), ran.lost) {
        (false, _) => None,
        (true, 0) => Some(nothing(
            "Nobody knows yet which lines tests run: record them first (the command telltale.record, or telltale record in a terminal)",
        )),
        (true, _) => Some(nothing(TOGETHER)),
    }
}

const TOGETHER: &str = "Tests ran at the same time, so nobody knows what each of them ran";

/// That no test is known to run something, as far as that can be said.
fn not_run(analysis: &Analysis, said: String) -> Asked {
    Asked::Nothing(match analysis.facts().ran().lost {
        0 => said,
        _ => TOGETHER.to_owned(),
    })
}

/// Of the line around an offset, or of the test there. On the line of its name a method is asked about, where that line has no code.
pub fn at(analysis: &Analysis, file: FileId, offset: u32) -> Asked {
    if let Some(why) = unknown(analysis) {
        return why;
    }
    let program = analysis.program();
    let text = program.text(file).map_or("", |t| t);
    let lines = LineIndex::new(text);
    let line = lines.position(offset, Encoding::Utf8).line;
    if program.is_test(file) {
        // A cursor may stand before what the line says.
        let own = lines.line(line).and_then(|span| {
            let blank = text.get(span.range())?;
            let blank = blank.len() - blank.trim_start().len();
            Some(offset.max(span.start + blank as u32).min(span.end))
        });
        let at = own.unwrap_or(offset);
        return match test_around(analysis, file, Span::new(at, at)) {
            Some(test) => of_test(analysis, test),
            None => nothing(
                "No test stands here: put the cursor into one, or on a line of the code under test",
            ),
        };
    }
    let line = line + 1;
    let Some(method) = method_at(analysis, file, line) else {
        return nothing(
            "This line is of no method: of fields and their initialisers nobody knows which tests run them",
        );
    };
    if let Some(tests) = tests_of_line(analysis, file, line) {
        let is_unchecked = tests.checked_by.is_empty() && is_unchecked(analysis, file, line);
        return code(
            tests,
            is_unchecked,
            stale_tests(analysis, method, Some(line)),
            None,
        );
    }
    let is_name = program.method_decl(method).is_some_and(|decl| {
        let at = lines.position(decl.name_span.start, Encoding::Utf8);
        at.line + 1 == line
    });
    if is_name {
        return of_method(analysis, method);
    }
    match stale_tests(analysis, method, Some(line)) {
        0 if ran_outside(analysis, file, line) => {
            nothing("This line ran outside of tests, so nobody knows who checks it")
        }
        0 => {
            let or_none = if has_code(analysis, file, line) {
                ""
            } else {
                ", or it has no code"
            };
            let said = format!("No test that was recorded runs this line{or_none}");
            not_run(analysis, said)
        }
        n => Asked::Nothing(format!("{}: record again", ran_before(n, "this line"))),
    }
}

/// Of a method of the code under test, or of a test.
pub fn of(analysis: &Analysis, method: MethodId) -> Asked {
    let suite = analysis.workspace().suite();
    match unknown(analysis) {
        Some(why) => why,
        None if suite.kind(method) == Some(TestKind::Test) => of_test(analysis, method),
        None => of_method(analysis, method),
    }
}

fn of_method(analysis: &Analysis, method: MethodId) -> Asked {
    let name = method_words(&analysis.program().method_name(method));
    let stale = stale_tests(analysis, method, None);
    match (tests_of_method(analysis, method), stale) {
        (Some(tests), _) => {
            let is_unchecked = tests.checked_by.is_empty() && is_unchecked_method(analysis, method);
            code(tests, is_unchecked, stale, Some(&name))
        }
        (None, 0) => not_run(analysis, format!("No test that was recorded runs {name}")),
        (None, n) => Asked::Nothing(format!("{}: record again", ran_before(n, &name))),
    }
}

fn code(tests: LineTests, is_unchecked: bool, stale: usize, name: Option<&str>) -> Asked {
    let mut said = match name {
        Some(name) => tests.said_of(name, is_unchecked),
        None => tests.said(is_unchecked),
    };
    if stale > 0 {
        said = format!("{said}; {}", ran_before(stale, "it"));
    }
    Asked::Code {
        tests,
        is_unchecked,
        stale,
        said,
    }
}

fn ran_before(tests: usize, what: &str) -> String {
    match tests {
        1 => format!("1 test ran {what} before the code changed"),
        n => format!("{n} tests ran {what} before the code changed"),
    }
}

fn of_test(analysis: &Analysis, test: MethodId) -> Asked {
    let name = analysis.program().method_name(test);
    let words = method_words(&name);
    let Some(lines) = lines_of_test(analysis, test) else {
        return Asked::Nothing(match analysis.facts().ran().tests.contains_key(&*name) {
            true => format!("{words} was recorded with other code: record it again"),
            false => format!("{words} was not recorded: record it first"),
        });
    };
    let run: usize = lines.runs.iter().map(|(_, own)| own.len()).sum();
    let checked: usize = lines.checks.values().map(text::LineSet::len).sum();
    let said = match run {
        0 => format!("{words} runs no line of the code under test"),
        1 => format!("{words} runs 1 line and checks {checked}"),
        n => format!("{words} runs {n} lines and checks {checked}"),
    };
    Asked::Test { test, lines, said }
}
