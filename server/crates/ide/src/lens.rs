//! Code lenses: on a test that checks nothing, or never asks its captor, the best value that it could read, and on any the
//! best inside; on one of a class what a mock is given that none looks at, or a call of a mock that none verifies; on a method that
//! tests call, how many do and its most telling variable; on request which of those that ran run and check it.
//!
//! Where lenses stand is found at once; what they say costs a ranking and is told when one is asked ([`crate::title`]).

use crate::analysis::{Analysis, Part, Place, Question};
use crate::checked;
use crate::checking::Checking;
use crate::offers::{Inside, Offered, Readable, is_within};
use crate::open::{Open, SaidIn, TellsOf};
use crate::words::values_in_words;
use calls::class_under_test;
use evidence::Observed;
use oracle::TestKind;
use program::{FileId, MethodId, TypeId};
use recommend::{CLEARLY_MORE, Cue, MORE_THAN, may_keep, may_leave_open};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::sync::Arc;
use text::Span;

/// How many tests of a class the same value may stand above.
const MOST_SAME: usize = 2;
/// Of how many tests that may make a call of a mock it is found out whether they do.
const ASKED: usize = 2;
/// In how many tests of a class one is looked for, by position.
const INSIDE_TESTS: usize = 5;

/// Where a lens stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name of the test or method.
    pub span: Span,
    /// What it is about.
    pub on: On,
}

/// What a lens is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A test.
    Test(MethodId),
    /// A method that tests call.
    Method(MethodId),
    /// A class of generated tests.
    Generated(TypeId),
    /// A class of tests, in a folder of which something was recorded.
    Recorded(TypeId),
    /// A method that tests run, by what was recorded with today's code.
    Checked(MethodId),
}

/// What a lens says.
#[derive(Clone, Debug, PartialEq)]
pub struct Title {
    /// `next: record.getComment() · inside: neg in Stats.compare`.
    pub text: String,
    /// Where the value that it names is defined, if that is elsewhere.
    pub target: Option<Place>,
    /// The value that it says a test could read.
    pub next: Option<String>,
    /// The value inside that it names.
    pub inside: Option<String>,
    /// The call of a mock of which it says that nobody verifies it, or looks at what it is given: `orders.save(…)`.
    pub open: Option<String>,
    /// When the oldest of what it rests on was recorded, in seconds since 1970: who knows the time adds the age.
    pub recorded: Option<i64>,
}

/// The lenses of a file, by position.
pub fn lenses(analysis: &Analysis, file: FileId) -> Vec<Lens> {
    let program = analysis.program();
    let Some(summary) = program.summary(file) else {
        return Vec::new();
    };
    let suite = analysis.workspace().suite();
    let mut out = Vec::new();
    for (t, &class) in program.types_of_file(file).iter().enumerate() {
        // What its assertions are rests on a run.
        if program.generated(class).is_some() && !analysis.facts().is_empty() {
            out.push(Lens {
                span: summary.types[t].name_span,
                on: On::Generated(class),
            });
        }
        let methods = program.methods_of_type(class);
        let has_tests = methods
            .iter()
            .any(|m| suite.kind(*m) == Some(TestKind::Test));
        if has_tests && program.generated(class).is_none() && !analysis.facts().is_empty() {
            out.push(Lens {
                span: summary.types[t].name_span,
                on: On::Recorded(class),
            });
        }
        for (m, &method) in methods.iter().enumerate() {
            let decl = &summary.types[t].methods[m];
            if decl.body.is_none() || decl.implicit {
                continue;
            }
            let on = match suite.kind(method) {
                Some(TestKind::Test) => On::Test(method),
                None if !program.is_test(file) && analysis.callers().contains_key(&method) => {
                    On::Method(method)
                }
                _ => continue,
            };
            out.push(Lens {
                span: decl.name_span,
                on,
            });
        }
    }
    out.sort_by_key(|l| l.span.start);
    out
}

/// The lenses above methods of the code under test that say which tests run and check them, by position: where that is known of
/// today's code. They are none of [`lenses`], since nobody pays for them who has not switched them on.
pub fn checked_lenses(analysis: &Analysis, file: FileId) -> Vec<Lens> {
    let program = analysis.program();
    let summary = program.summary(file).filter(|_| !program.is_test(file));
    let Some(summary) = summary else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for (t, &class) in program.types_of_file(file).iter().enumerate() {
        for (m, &method) in program.methods_of_type(class).iter().enumerate() {
            let decl = &summary.types[t].methods[m];
            if decl.body.is_some() && !decl.implicit && checked::is_run(analysis, method) {
                out.push(Lens {
                    span: decl.name_span,
                    on: On::Checked(method),
                });
            }
        }
    }
    out.sort_by_key(|l| l.span.start);
    out
}

/// What the lenses above the tests of one class say, by test.
pub(crate) type Said = FxHashMap<MethodId, Title>;

/// What the lenses above the tests of a class say.
#[derive(Clone, PartialEq, Eq, Hash)]
struct SaidOf(TypeId);

impl Question for SaidOf {
    type Answer = Said;
    const RESTS_ON: &'static [Part] = &[Part::Settings, Part::Dismissed, Part::Facts];

    fn answer(&self, analysis: &Analysis) -> Said {
        said(analysis, self.0)
    }
}

impl Analysis {
    /// What the lenses above the tests of a class say.
    pub(crate) fn said(&self, class: TypeId) -> Arc<Said> {
        self.ask(SaidOf(class))
    }
}

/// What is said above the tests of a class: decided together, since the same words above many tests say little about
/// each. A readable value stands above the tests to which it adds most, one inside above a single test.
fn said(analysis: &Analysis, class: TypeId) -> Said {
    let program = analysis.program();
    let methods = program.methods_of_type(class).iter().copied();
    let suite = analysis.workspace().suite();
    let tests: Vec<MethodId> = methods
        .filter(|m| suite.kind(*m) == Some(TestKind::Test))
        .filter(|m| program.method_body(*m).is_some())
        .collect();
    let about = class_under_test(program, class);
    // A test that checks something has chosen what.
    let checking = Checking::new(analysis);
    let silent: Vec<bool> = tests
        .iter()
        .map(|t| checking.finds_nothing_in(*t))
        .collect();
    // But not who has a captor keep something, and never asks it.
    let keeps: Vec<bool> = tests
        .iter()
        .map(|t| may_keep(analysis.workspace(), *t))
        .collect();
    // Making all offers of a large class would take longer than a keystroke may: only those are made that may have
    // something to say, and a few more for a value inside.
    let mut left = INSIDE_TESTS;
    let mut about_inside = |test: MethodId| {
        let looks = about.is_some() && left > 0 && calls(analysis, test, about);
        left -= usize::from(looks);
        looks
    };
    let looked_at: Vec<(usize, (MethodId, bool))> = tests
        .iter()
        .map(|&test| (test, about_inside(test)))
        .enumerate()
        .filter(|(t, (_, inside))| *inside || silent[*t] || keeps[*t])
        .collect();
    let asked: Vec<(MethodId, bool)> = looked_at.iter().map(|(_, ask)| *ask).collect();
    let mut offers: Vec<Option<Arc<Offered>>> = vec![None; tests.len()];
    for ((t, _), offer) in looked_at.iter().zip(analysis.offers(&asked)) {
        offers[*t] = offer;
    }
    let sure = |t: usize| {
        let test = tests[t];
        let o = offers[t].as_ref()?;
        let told = analysis.answered(test);
        // What differs from run to run, or throws, is nothing to assert.
        let holds = |r: &&Readable| {
            let seen = told.as_ref().and_then(|t| t.queries.get(&r.asked_as));
            seen.is_none_or(Observed::holds)
        };
        let is_left = |cue| match cue {
            Some(Cue::Unasserted) => silent[t],
            cue => cue == Some(Cue::Kept),
        };
        let wanted = |r: &&Readable| r.worth && r.doubt.is_none() && is_left(r.cue);
        o.readable.iter().filter(wanted).find(holds)
    };
    let first_inside = |t: usize| {
        let o: &Offered = offers[t].as_ref()?;
        o.to_check(analysis, tests[t]).next()
    };
    let inside = |t: usize| {
        let o = offers[t].as_ref()?;
        let of_class = |i: &&Inside| about.is_some() && i.is_in(program, about);
        let first = first_inside(t).filter(of_class)?;
        let next = o.readable.first().filter(|r| r.doubt.is_none());
        let more =
            first.gain > MORE_THAN && next.is_none_or(|n| first.gain >= n.gain + CLEARLY_MORE);
        more.then(|| (first.name.clone(), first.gain))
    };
    // What a test could expect of an answer tells no more than itself.
    let expected = |test: &MethodId| {
        let requests = analysis.requests(*test)?;
        let first = requests
            .expectations
            .into_iter()
            .find(|e| e.wanted.is_some())?;
        Some((first.text(), 1.0))
    };
    let sure: Vec<Option<&Readable>> = (0..tests.len()).map(sure).collect();
    let nexts: Vec<Option<(String, f64)>> = (0..tests.len())
        .map(|t| {
            let own = sure[t].map(|first| (first.expression.clone(), first.gain));
            own.or_else(|| expected(&tests[t]))
        })
        .collect();
    let insides: Vec<Option<(String, f64)>> = (0..tests.len()).map(inside).collect();
    let opens = opens(analysis, class, &tests);
    let next_said = telling_most(&nexts, MOST_SAME);
    let inside_said = telling_most(&insides, 1);
    let mut out = Said::default();
    for (t, &test) in tests.iter().enumerate() {
        let mut parts = Vec::new();
        let mut target = None;
        let next = nexts[t].as_ref().filter(|_| next_said[t]);
        if let Some((next, _)) = next {
            let is = sure[t].and_then(|first| recorded(analysis, test, first));
            let is = is.unwrap_or_default();
            parts.push(format!("next: {next}{is}"));
        }
        let within = insides[t].as_ref().filter(|_| inside_said[t]);
        if let Some((name, _)) = within {
            parts.push(format!("inside: {name}"));
            target = first_inside(t).map(|i| i.place);
        }
        let open = opens[t].as_ref();
        if let Some(open) = open {
            parts.push(open.text.clone());
            target = target.or(open.place);
        }
        if !parts.is_empty() {
            let text = parts.join(" · ");
            let name = |named: Option<&(String, f64)>| named.map(|(name, _)| name.clone());
            out.insert(
                test,
                Title {
                    text,
                    target,
                    next: name(next),
                    inside: name(within),
                    open: open.map(|o| o.call.clone()),
                    recorded: None,
                },
            );
        }
    }
    out
}

/// For each test of a class what it is the first to leave open of mocks, each call once in the class. What is cheap to see
/// decides who is asked: of a call that may be made two tests.
fn opens(analysis: &Analysis, class: TypeId, tests: &[MethodId]) -> Vec<Option<Open>> {
    let workspace = analysis.workspace();
    let of_class = analysis.ask(SaidIn(class));
    let may_leave = may_leave_open(workspace, &of_class, tests);
    let mut asked: FxHashMap<(TypeId, SmolStr), usize> = FxHashMap::default();
    let mut said: FxHashSet<String> = FxHashSet::default();
    let mut first = |t: usize| {
        let mut is_new = false;
        let tells = analysis.ask(TellsOf(tests[t]));
        for call in tells
            .calls
            .iter()
            .filter(|c| of_class.leaves(analysis.program(), tests[t], &c.1))
        {
            let times = asked.entry(call.clone()).or_default();
            *times += 1;
            is_new |= *times <= ASKED && !said.contains(call.1.as_str());
        }
        let open = (may_leave[t] || is_new).then(|| analysis.open(tests[t]))?;
        let mut sure = open.into_iter().filter(|o| o.of.is_sure);
        sure.find(|o| said.insert(o.query().to_owned()))
    };
    (0..tests.len()).map(&mut first).collect()
}

/// ` = 3`: what a value was when the test ran and passed, if that is known of today's code.
fn recorded(analysis: &Analysis, test: MethodId, value: &Readable) -> Option<String> {
    let told = analysis.answered(test)?;
    values_in_words(told.queries.get(&value.asked_as)?)
}

/// True if a test itself calls code of a class, or of one within it.
fn calls(analysis: &Analysis, test: MethodId, class: Option<TypeId>) -> bool {
    let program = analysis.program();
    let body = program.method_body(test);
    let chains = body.and_then(|b| analysis.workspace().chains(b));
    let of_class = |method: MethodId| is_within(program, program.method_owner(method), class);
    let mut calls = chains.iter().flat_map(|c| &c.calls);
    let mut sent = chains.iter().flat_map(|c| &c.sent);
    let answers = |call| {
        let own = program.method_owner(test);
        analysis.workspace().answer(own, body?, call)?.ok()
    };
    calls.any(|site| of_class(site.target))
        || sent.any(|sent| answers(sent.call).is_some_and(|h| of_class(h.method)))
}

/// Which of equal texts are said: the `most` with the largest gain, ties by position. The same query of another object is
/// the same, whatever it is given.
fn telling_most(texts: &[Option<(String, f64)>], most: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..texts.len()).filter(|i| texts[*i].is_some()).collect();
    let gain = |i: &usize| texts[*i].as_ref().map_or(0.0, |t| t.1);
    order.sort_by(|a, b| gain(b).total_cmp(&gain(a)).then(a.cmp(b)));
    let mut said = vec![false; texts.len()];
    let mut times: FxHashMap<&str, usize> = FxHashMap::default();
    for i in order {
        if let Some((text, _)) = &texts[i] {
            let n = times.entry(query_of(text)).or_default();
            *n += 1;
            said[i] = *n <= most;
        }
    }
    said
}

/// The name of what is asked last: `create` of `indexes.of("a").create(1)`; a text that asks nothing is itself.
fn query_of(text: &str) -> &str {
    let mut depth = 0;
    let last = text.char_indices().filter(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        *c == '.' && depth == 0
    });
    let query = last.last().map_or(text, |(at, _)| &text[at + 1..]);
    query.split_once('(').map_or(query, |(name, _)| name)
}

/// The innermost test around a range.
pub fn test_around(analysis: &Analysis, file: FileId, range: Span) -> Option<MethodId> {
    let program = analysis.program();
    lenses(analysis, file)
        .iter()
        .filter_map(|l| match l.on {
            On::Test(test) => Some((program.method_decl(test)?.span, test)),
            On::Method(_) | On::Generated(_) | On::Recorded(_) | On::Checked(_) => None,
        })
        .filter(|(span, _)| span.covers(range))
        .max_by_key(|(span, _)| span.start)
        .map(|(_, test)| test)
}

/// What a command that is given a place is about: the test around it, else the innermost method with code.
pub fn method_around(analysis: &Analysis, file: FileId, range: Span) -> Option<MethodId> {
    let program = analysis.program();
    test_around(analysis, file, range).or_else(|| {
        let types = program.types_of_file(file).iter();
        types
            .flat_map(|t| program.methods_of_type(*t))
            .filter_map(|&m| Some((program.method_decl(m)?, m)))
            .filter(|(decl, _)| decl.body.is_some() && !decl.implicit && decl.span.covers(range))
            .max_by_key(|(decl, _)| decl.span.start)
            .map(|(_, method)| method)
    })
}

#[cfg(test)]
mod tests {
    use super::query_of;

    #[test]
    fn the_same_query_of_another_object_is_the_same() {
        for text in [
            "a.save()",
            "of(\"x.y\").save(b.get())",
            "a.b(c.d()).save(1)",
            "save(x)",
        ] {
            assert_eq!(query_of(text), "save", "{text}");
        }
        assert_eq!(query_of("status().isOk()"), "isOk");
        assert_eq!(query_of("count"), "count");
        assert_eq!(query_of("this.count"), "count");
    }
}
