//! `telltale observe --weakest` for people: each test with its place, its assertion and what that would reveal.

use crate::screen::{BOLD, DIM, NAME, PLAIN};
use crate::words::plural;
use ide::answers::{ScopeKind, WeakTest, Weakest};
use ide::method_words;
use std::io::{self, Write};

/// Said where some assertion has no recorded value.
const UNFINISHED: &str = "An assertion that is to be filled in has a placeholder for what the value should be; telltale record writes most of them whole.";

pub(crate) fn print(out: &mut impl Write, weakest: &Weakest) -> io::Result<()> {
    let scope = match weakest.scope.kind {
        ScopeKind::Suite | ScopeKind::Workspace => String::new(),
        ScopeKind::TestClass => format!(" in test class {}", weakest.scope.name),
        kind => format!(" in {} {}", kind.name(), weakest.scope.name),
    };
    if !weakest.tests.is_empty() {
        writeln!(
            out,
            "{BOLD}Tests that would gain most by one assertion{scope}{PLAIN}"
        )?;
        writeln!(out)?;
        for test in &weakest.tests {
            one(out, test)?;
        }
        writeln!(out)?;
        if weakest.tests.iter().any(|t| !t.assertion.finished) {
            writeln!(out, "{DIM}{UNFINISHED}{PLAIN}")?;
        }
        writeln!(
            out,
            "{DIM}The gain says how many values the assertion would check that the test does not check yet.{PLAIN}"
        )?;
    }
    let counts = &weakest.counts;
    let looked = plural(counts.tests, "test", "tests");
    let have = match (counts.with_value, counts.tests) {
        (0, 1) => "it has no value that is sure to be worth an assertion".to_owned(),
        (0, _) => "none has a value that is sure to be worth an assertion".to_owned(),
        (n, _) => {
            let has = if n == 1 { "has" } else { "have" };
            let n = text::grouped(n as u64);
            format!("{n} {has} a value that is sure to be worth an assertion")
        }
    };
    writeln!(out, "{looked} looked at{scope}: {have}.")
}

fn one(out: &mut impl Write, test: &WeakTest) -> io::Result<()> {
    writeln!(
        out,
        "{BOLD}{:>3}{PLAIN}  {NAME}{}{PLAIN}  gain {:.2}  {DIM}{}:{}{PLAIN}",
        test.rank,
        method_words(&test.test),
        test.gain,
        test.path,
        test.line,
    )?;
    let assertion = &test.assertion;
    // Nothing else on these lines: they are copied.
    let text = assertion.text.trim_end();
    // Around a statement there is one already.
    let end = if text.ends_with(';') { "" } else { ";" };
    for line in format!("{text}{end}").lines() {
        writeln!(out, "       {}", line.trim_end())?;
    }
    let filled = match assertion.finished {
        true => "",
        false => "to be filled in; ",
    };
    writeln!(out, "       {DIM}└{PLAIN} {filled}{}", test.value.because)
}
