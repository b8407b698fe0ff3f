//! What tests are told, as `telltale observe --test` lists it, and which of it is given to a reader.

use std::fmt::Write as _;

use ide::Analysis;
use ide::lens::On;
use ide::rules::{Finding, Ground, Options, Rule};
use ide::title::title;
use program::{FileId, MethodId};
use rayon::prelude::*;
use recommend::Cue;
use std::collections::{BTreeSet, HashMap};

use super::row::{Kind, Row};
use crate::evaluate::chance::Chance;
use crate::evaluate::told::{answer_of, asked_by};

/// What one test is told.
pub(super) struct Told {
    /// Its class.
    class: String,
    /// A row of each kind at most; one that says so if there is nothing.
    pub(super) rows: Vec<Row>,
}

/// What becomes of a value that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Today {
    /// It comes first, as it did; of a quiet test: it is still quiet.
    First,
    /// It is told behind another one.
    Later,
    /// It is not told.
    Gone,
    /// There is no such test.
    Unknown,
}

impl Today {
    pub(super) fn name(self) -> &'static str {
        match self {
            Today::First => "first",
            Today::Later => "later",
            Today::Gone => "gone",
            Today::Unknown => "unknown",
        }
    }
}

/// What tests are told, by their places in the suite.
pub(super) fn told(analysis: &Analysis, tests: &[usize]) -> Vec<Told> {
    let all = analysis.workspace().suite().tests();
    let asked: Vec<MethodId> = tests.iter().map(|at| all[*at]).collect();
    let found = found(analysis, &asked);
    asked
        .par_iter()
        .filter_map(|test| of_test(analysis, *test, found.get(test)))
        .collect()
}

/// The rules that say of a whole test what it misses.
const OF_TESTS: &[&str] = &[
    "no-oracle",
    "missed-fail",
    "missed-message",
    "rotten-assertion",
];

/// What they have against tests.
fn found(analysis: &Analysis, tests: &[MethodId]) -> HashMap<MethodId, String> {
    let program = analysis.program();
    let files: BTreeSet<FileId> = tests
        .iter()
        .filter_map(|t| program.method_file(*t))
        .collect();
    let options = Options::default();
    let ground = Ground::new(analysis, &options);
    let is_on = |rule: &Rule| OF_TESTS.contains(&rule.name);
    let of_file = |file: &FileId| ground.findings(*file, &is_on);
    let files: Vec<FileId> = files.into_iter().collect();
    let all = files.par_iter().flat_map_iter(of_file);
    let all: Vec<Finding> = all.collect();
    let named = all.into_iter().filter_map(|f| Some((f.method?, f)));
    let words = |f: Finding| format!("{} [{}]", f.message, f.rule.name);
    named.map(|(test, f)| (test, words(f))).collect()
}

/// What is said today of what was read.
pub(super) fn again<'r>(analysis: &Analysis, rows: &[&'r Row]) -> Vec<(&'r Row, Today)> {
    let program = analysis.program();
    let mut named: HashMap<(String, &str), MethodId> = HashMap::default();
    for &test in analysis.workspace().suite().tests() {
        let path = program.method_file(test).and_then(|f| program.path(f));
        named.insert((program.method_name(test), path.map_or("", |p| p)), test);
    }
    let today = |row: &Row| {
        let Some(&test) = named.get(&(row.test.clone(), row.path.as_str())) else {
            return Today::Unknown;
        };
        let all = listed(analysis, test);
        let own: Vec<&str> = all
            .iter()
            .filter(|r| r.kind == row.kind)
            .map(|r| &*r.value)
            .collect();
        match row.kind {
            Kind::Finding => match found(analysis, &[test]).get(&test) {
                Some(words) if *words == row.value => Today::First,
                _ => Today::Gone,
            },
            Kind::Quiet if all.is_empty() && found(analysis, &[test]).is_empty() => Today::First,
            _ if own.first() == Some(&&*row.value) => Today::First,
            _ if own.contains(&&*row.value) => Today::Later,
            _ => Today::Gone,
        }
    };
    rows.par_iter().map(|row| (*row, today(row))).collect()
}

/// `finding`: what a rule has against it.
fn of_test(analysis: &Analysis, test: MethodId, finding: Option<&String>) -> Option<Told> {
    let program = analysis.program();
    let file = program.method_file(test)?;
    let lens = title(analysis, On::Test(test));
    let (next, open) = lens.map_or((None, None), |t| (t.next, t.open));
    let asked = open.as_deref().and_then(asked_by);
    let is_said = |row: &Row| match (row.kind, &asked) {
        (Kind::Value, _) => next.as_deref() == Some(&*row.value),
        (Kind::Call, Some(asked)) => row.value == *asked,
        (Kind::Argument, Some(asked)) => row.value.ends_with(&format!(" of {asked}")),
        _ => false,
    };
    let mut all = listed(analysis, test);
    for row in &mut all {
        row.is_lens = is_said(row);
    }
    // The first of a kind, or what a lens names.
    all.sort_by_key(|row| !row.is_lens);
    let mut rows: Vec<Row> = Vec::new();
    for row in all {
        if rows.iter().all(|r| r.kind != row.kind) {
            rows.push(row);
        }
    }
    if let Some(words) = finding {
        rows.push(Row {
            value: words.clone(),
            ..row(analysis, test, Kind::Finding)
        });
    }
    if rows.is_empty() {
        rows.push(row(analysis, test, Kind::Quiet));
    }
    let class = program.method_owner(test);
    Some(Told {
        class: format!("{}#{}", program.path(file)?, program.type_name(class)),
        rows,
    })
}

/// What lenses say above other tests of a quiet one's class of what no test of it looks at: that is no gap of this one alone.
pub(super) fn beside(analysis: &Analysis, quiet: &Row) -> String {
    let program = analysis.program();
    let suite = analysis.workspace().suite();
    let is_it = |test: &&MethodId| program.method_name(**test) == quiet.test;
    let Some(own) = suite.tests().iter().find(is_it) else {
        return String::new();
    };
    let class = program.method_owner(*own);
    let others = suite.tests().iter();
    let others = others.filter(|t| program.method_owner(**t) == class && *t != own);
    let said = others.filter_map(|t| title(analysis, On::Test(*t)));
    let said: Vec<String> = said.filter_map(|t| t.open.map(|_| t.text)).collect();
    said.join("; ")
}

fn row(analysis: &Analysis, test: MethodId, kind: Kind) -> Row {
    let program = analysis.program();
    let file = program.method_file(test);
    let text = file.and_then(|f| program.text(f)).map_or("", |t| t);
    let start = program
        .method_decl(test)
        .map_or(0, |d| d.name_span.start as usize);
    Row {
        reading: String::new(),
        project: String::new(),
        commit: String::new(),
        kind,
        is_lens: false,
        why: String::new(),
        path: file
            .and_then(|f| program.path(f))
            .map_or(String::new(), |p| p.to_string()),
        line: text.get(..start).map_or(0, |t| t.matches('\n').count()) + 1,
        test: program.method_name(test),
        value: String::new(),
        after: None,
        verdict: String::new(),
        cause: String::new(),
    }
}

/// All that a test is told, best first of each kind.
fn listed(analysis: &Analysis, test: MethodId) -> Vec<Row> {
    let answer = answer_of(analysis, test);
    let offered = analysis.offered(test);
    let mut out = Vec::new();
    for r in answer
        .readable
        .into_iter()
        .flatten()
        .filter(|r| r.worth == Some(true))
    {
        let value = r.candidate.expression.unwrap_or(r.candidate.variable);
        let own = offered.readable.iter().find(|o| o.expression == value);
        let cue = own.and_then(|o| o.cue).map(Cue::name);
        let doubt = r.doubt.map(recommend::Doubt::name);
        out.push(Row {
            why: doubt.or(cue).unwrap_or_default().to_owned(),
            value,
            after: r.after_line,
            ..row(analysis, test, Kind::Value)
        });
    }
    for e in answer.expectations.into_iter().flatten() {
        out.push(Row {
            why: if e.sure { "sure" } else { "" }.to_owned(),
            value: e.expression,
            ..row(analysis, test, Kind::Expectation)
        });
    }
    // The others are told to nobody who does not ask.
    let calls = answer.unverified.into_iter().flatten();
    for call in calls.filter(|c| c.sure) {
        out.push(Row {
            why: "sure".to_owned(),
            value: call.expression,
            ..row(analysis, test, Kind::Call)
        });
    }
    for a in answer.open_arguments.into_iter().flatten() {
        out.push(Row {
            value: format!("{} of {}", a.argument, a.expression),
            after: Some(a.line),
            ..row(analysis, test, Kind::Argument)
        });
    }
    out
}

/// How much of a project a reader gets.
pub(super) struct Share {
    values: usize,
    expectations: usize,
    calls: usize,
    arguments: usize,
    findings: usize,
    quiet: usize,
    only_lenses: bool,
}

impl Share {
    /// So many values, with some of the rest.
    pub(super) fn of_all(values: usize, quiet: usize) -> Share {
        Share {
            values,
            expectations: 2,
            calls: 2,
            arguments: 2,
            findings: 1,
            quiet,
            only_lenses: false,
        }
    }

    /// What lenses name, and nothing besides.
    pub(super) fn lenses(values: usize) -> Share {
        Share {
            values,
            expectations: 0,
            calls: values,
            arguments: values,
            findings: 0,
            quiet: 0,
            only_lenses: true,
        }
    }

    fn most(&self, kind: Kind) -> usize {
        match kind {
            Kind::Value => self.values,
            Kind::Expectation => self.expectations,
            Kind::Call => self.calls,
            Kind::Argument => self.arguments,
            Kind::Finding => self.findings,
            Kind::Quiet => self.quiet,
        }
    }

    /// Draws; no class twice where others are left.
    pub(super) fn draw(&self, told: Vec<Told>, chance: &mut Chance) -> Vec<Row> {
        let mut out = Vec::new();
        for kind in Kind::ALL {
            let is_meant = |row: &&Row| row.kind == kind && (row.is_lens || !self.only_lenses);
            let own: Vec<(&str, &Row)> = told
                .iter()
                .filter_map(|t| Some((&*t.class, t.rows.iter().find(is_meant)?)))
                .collect();
            let mixed = chance.draw(own.len(), own.len());
            let mut taken: HashMap<&str, usize> = HashMap::default();
            let mut turns: Vec<(usize, usize)> = Vec::new();
            for at in mixed {
                let turn = taken.entry(own[at].0).or_default();
                turns.push((*turn, at));
                *turn += 1;
            }
            // Stable: what was drawn first of a class comes first.
            turns.sort_by_key(|(turn, _)| *turn);
            let drawn = turns.into_iter().take(self.most(kind));
            out.extend(drawn.map(|(_, at)| own[at].1.clone()));
        }
        out
    }
}

/// What a reader gets to read.
pub(super) fn page(rows: &[Row]) -> String {
    let mut out = String::from(
        "Values that a tool says a test should look at, and tests of which it says nothing. Open the test (a path is \
         below the project's folder) with the helpers and the code that it runs, and write a verdict behind the row of \
         that number in values.tsv (columns `verdict` and `cause`). Hesitating between two, take the worse.\n\n\
         - gap: the test should check it; a fault there would go unnoticed\n\
         - plausible: worth an assertion, if not urgent\n\
         - useless: true, and nobody would assert it\n\
         - silly: a person would be ashamed of it\n\
         - wrong: asserted already (in whatever form, helpers too), never reached, must throw, does not compile, what \
         the test itself or a mock put in, chance, time or the machine's\n\n\
         Of a quiet test: quiet (rightly), small (a small gap), gap. What is said of its class beside it is none of its own.\n\n",
    );
    for (at, r) in rows.iter().enumerate() {
        let _ = write!(
            out,
            "{}. {} {}:{} `{}`",
            at + 1,
            r.project,
            r.path,
            r.line,
            r.test
        );
        let _ = match (r.kind, r.after) {
            (Kind::Value, Some(line)) => writeln!(out, ": look at `{}` after line {line}", r.value),
            (Kind::Value, None) => writeln!(out, ": look at `{}`", r.value),
            (Kind::Expectation, _) => writeln!(out, ": expect `{}`", r.value),
            (Kind::Call, _) => writeln!(out, ": nobody verifies `{}`", r.value),
            (Kind::Argument, _) => writeln!(out, ": nobody looks at `{}`", r.value),
            (Kind::Finding, _) => writeln!(out, ": {}", r.value),
            (Kind::Quiet, _) if r.why.is_empty() => writeln!(out, ": nothing is said"),
            (Kind::Quiet, _) => writeln!(out, ": nothing is said; beside it {}", r.why),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_gets_each_class_before_one_comes_again() {
        let told = |class: &str, value: &str| Told {
            class: class.to_owned(),
            rows: vec![Row {
                reading: String::new(),
                project: String::new(),
                commit: String::new(),
                kind: Kind::Value,
                is_lens: value == "d",
                why: String::new(),
                path: String::new(),
                line: 1,
                test: class.to_owned(),
                value: value.to_owned(),
                after: None,
                verdict: String::new(),
                cause: String::new(),
            }],
        };
        let all = || {
            vec![
                told("A", "a"),
                told("A", "b"),
                told("A", "c"),
                told("B", "d"),
            ]
        };
        let drawn = |share: Share, seed| {
            let rows = share.draw(all(), &mut Chance::new(seed));
            rows.into_iter()
                .map(|r| (r.test, r.value))
                .collect::<Vec<_>>()
        };
        for seed in 0..20 {
            let two = drawn(Share::of_all(2, 1), seed);
            assert!(two.iter().any(|(class, _)| class == "B"), "{two:?}");
            assert_eq!(two.len(), 2);
            assert_eq!(drawn(Share::of_all(9, 1), seed).len(), 4);
            assert_eq!(
                drawn(Share::lenses(9), seed),
                [("B".to_owned(), "d".to_owned())]
            );
        }
        assert_ne!(drawn(Share::of_all(2, 1), 1), drawn(Share::of_all(2, 1), 2));
    }
}
