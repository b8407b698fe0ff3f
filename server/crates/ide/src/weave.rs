//! A test's source with calls in it that tell what its values were: what its variables held, and what the values would
//! have been that it could read and does not. And the source of the code under test, with calls that tell what the values
//! were that no test can read ([`inside`]).
//!
//! The text is compiled and runs in place of the test; nobody reads it. No line is added, so that stack traces and
//! whatever else counts lines stay as they were. Each value has a slot, a number of the run.

use crate::analysis::{Analysis, Place};
use crate::asked_as::asked_as;
use crate::asserted::{Read, asserted};
use crate::assertion_place::{AssertionPlace, assertion_place};
use crate::inner::{CandidateId, candidate_at, parsed, place_of, placed, seen_inside};
use crate::offers::Readable;
use evidence::Seen;
use flow::VariableKind;
use inner::{Insert, Nest};
use oracle::TestKind;
use program::{FileId, MethodId};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};
use text::Span;

/// How many values a test is asked for at its end.
const ASKED: usize = 12;

/// How many values of the code under test are looked at for a test.
const INSIDE: usize = 12;

/// Slots from here on stand in what sets tests up: each test that runs it has a value of its own.
pub const SHARED: u32 = 1 << 30;

/// A file with calls in it.
#[derive(Clone, Debug)]
pub struct Woven {
    /// The text.
    pub text: String,
    /// What the calls tell of.
    pub slots: Vec<Slot>,
}

/// A value that a call tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number.
    pub number: u32,
    /// In which test; none in the code under test and in set-ups, which any may run.
    pub test: Option<MethodId>,
    /// What it is.
    pub about: About,
    /// Where the method stands in the file, in bytes of its text without calls.
    pub method: Span,
    /// Of a definition within the code under test: where it stands.
    pub place: Option<Place>,
}

/// What a slot tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// What an expression is at the test's end, by [`Readable::asked_as`].
    Query(SmolStr),
    /// What a definition gave, of a test or of the code under test; or a call that an assertion of a test reads, by its text.
    Variable(Seen),
}

/// What is not woven: numbers of slots that did not compile.
pub type Left<'a> = &'a dyn Fn(&Slot) -> bool;

/// Weaves the tests of a file, and what sets them up there. Slots are numbered from `first`, those of set-ups from
/// [`SHARED`] on as well; those that `left_out` names get no call, and keep their
/// numbers. Nothing if there is nothing to tell.
pub fn weave(
    analysis: &Analysis,
    file: FileId,
    tests: &[MethodId],
    first: u32,
    left_out: Left<'_>,
) -> Option<Woven> {
    let program = analysis.program();
    let source = parsed(program, file).ok()?;
    let mut weaver = Weaver::new(first, left_out);
    for &test in tests {
        weaver.variables(analysis, test, &source);
        weaver.looked_at(analysis, test);
        weaver.queries(analysis, file, test);
    }
    weaver.base = SHARED;
    for fixture in fixtures(analysis, file) {
        weaver.fixture(analysis, fixture, &source);
    }
    weaver.woven(source.text())
}

/// Weaves the tests of a file with a query for every value that each could read, offered or not, for evaluations that
/// compare orders of them. Set-ups stay as they are.
pub fn weave_all(
    analysis: &Analysis,
    file: FileId,
    tests: &[MethodId],
    first: u32,
    left_out: Left<'_>,
) -> Option<Woven> {
    let source = parsed(analysis.program(), file).ok()?;
    let mut weaver = Weaver::new(first, left_out);
    for &test in tests {
        weaver.variables(analysis, test, &source);
        weaver.asked(analysis, file, test, &points(analysis, test));
    }
    weaver.woven(source.text())
}

/// All that a test could read, offered or not, in order of position.
pub fn points(analysis: &Analysis, test: MethodId) -> Vec<Readable> {
    let found = analysis.offer(&[analysis.workspace().own_run(test)]);
    let of = |v: &u32| {
        let at = found.observations.get(v)?;
        Some(Readable {
            asked_as: asked_as(analysis.program(), test, at),
            expression: at.expression.to_string(),
            ty: at.ty.to_string(),
            span: Span::new(at.start, at.end),
            object: String::new(),
            locals: at.locals.clone(),
            gain: 0.0,
            is_kept: at.is_kept,
            worth: true,
            rests_on_silence: false,
            doubt: None,
            cue: None,
            asked: found.asks.get(v)?.clone(),
            tells_on: Vec::new(),
        })
    };
    found.points.iter().filter_map(of).collect()
}

/// The methods of a file that set tests up.
fn fixtures(analysis: &Analysis, file: FileId) -> impl Iterator<Item = MethodId> + '_ {
    let program = analysis.program();
    let types = program.types_of_file(file).iter();
    let methods = types.flat_map(|t| program.methods_of_type(*t).iter().copied());
    methods.filter(|m| analysis.workspace().suite().kind(*m) == Some(TestKind::SetUp))
}

/// What the set-ups of a test's class gave a field last, as the evidence names it.
pub(crate) fn set_up(analysis: &Analysis, test: MethodId, field: &str) -> Option<Seen> {
    let file = analysis.program().method_file(test)?;
    let all = fixtures(analysis, file);
    let given = all.flat_map(|fixture| definitions(analysis, fixture));
    let own = given.filter(|(_, seen)| seen.variable == field);
    own.last().and_then(|(id, _)| seen_inside(analysis, id))
}

/// The values of the code under test that the lists *inside* of some tests begin with, by file.
pub fn inside(analysis: &Analysis, tests: &[MethodId]) -> BTreeMap<FileId, Vec<CandidateId>> {
    let mut places: BTreeSet<(FileId, u32, u32)> = BTreeSet::new();
    for &test in tests {
        let offered = analysis.offered(test);
        let first = offered.inside.iter().take(INSIDE).map(|i| i.place);
        places.extend(first.map(|p| (p.file, p.span.start, p.span.end)));
    }
    let mut out: BTreeMap<FileId, Vec<CandidateId>> = BTreeMap::new();
    for (file, start, end) in places {
        let span = Span::new(start, end);
        if let Some(id) = candidate_at(analysis, Place { file, span }) {
            out.entry(file).or_default().push(id);
        }
    }
    out
}

/// Weaves values of a file of the code under test, as [`weave`] does those of tests. What is another value turn by turn
/// is left out, and so is what initialisers of classes define, which run in whichever test comes first.
pub fn weave_inside(
    analysis: &Analysis,
    file: FileId,
    values: &[CandidateId],
    first: u32,
    left_out: Left<'_>,
) -> Option<Woven> {
    let program = analysis.program();
    let source = parsed(program, file).ok()?;
    let mut weaver = Weaver::new(first, left_out);
    for &id in values {
        let place = placed(analysis, id, &source).ok().filter(|p| !p.in_loop);
        let method = program.body_method(id.body);
        let method = method.and_then(|m| program.method_decl(m));
        let (Some(place), Some(method), Some(seen)) = (place, method, seen_inside(analysis, id))
        else {
            continue;
        };
        let slot = weaver.slot(None, method.span, About::Variable(seen));
        if let Some(last) = weaver.slots.last_mut() {
            last.place = place_of(analysis, id);
        }
        if let Some(slot) = slot {
            let calls = place.inline(&format!("dev_telltale.See.see({slot}, "), ")");
            weaver.inserts.extend(calls);
        }
    }
    weaver.woven(source.text())
}

struct Weaver<'a> {
    inserts: Vec<Insert>,
    slots: Vec<Slot>,
    next: u32,
    /// Added to the numbers.
    base: u32,
    left_out: Left<'a>,
}

impl Weaver<'_> {
    fn new(first: u32, left_out: Left<'_>) -> Weaver<'_> {
        Weaver {
            inserts: Vec::new(),
            slots: Vec::new(),
            next: first,
            base: 0,
            left_out,
        }
    }

    /// The text with all calls; none if there is nothing to tell.
    fn woven(self, text: &str) -> Option<Woven> {
        (!self.slots.is_empty()).then(|| Woven {
            text: Insert::all_into(text, self.inserts),
            slots: self.slots,
        })
    }

    /// The number of a slot, if it gets a call.
    fn slot(&mut self, test: Option<MethodId>, method: Span, about: About) -> Option<u32> {
        let slot = Slot {
            number: self.base + self.next,
            test,
            about,
            method,
            place: None,
        };
        self.next += 1;
        let number = (!(self.left_out)(&slot)).then_some(slot.number);
        self.slots.push(slot);
        number
    }

    /// What the variables of a test hold.
    fn variables(&mut self, analysis: &Analysis, test: MethodId, source: &syntax::SourceFile) {
        let program = analysis.program();
        for (spot, seen) in definitions(analysis, test) {
            let Ok(place) = placed(analysis, spot, source) else {
                continue;
            };
            let Some(method) = program.method_decl(test).map(|d| d.span) else {
                continue;
            };
            if let Some(slot) = self.slot(Some(test), method, About::Variable(seen)) {
                self.inserts
                    .extend(place.inline(&format!("dev_telltale.See.see({slot}, "), ")"));
            }
        }
    }

    /// What the calls gave that assertions read, told where they stand.
    fn looked_at(&mut self, analysis: &Analysis, test: MethodId) {
        let Some(method) = analysis.program().method_decl(test).map(|d| d.span) else {
            return;
        };
        for own in asserted(analysis, test) {
            let Read::Call(called) = own.read else {
                continue;
            };
            let about = About::Variable(called.seen);
            let Some(slot) = self.slot(Some(test), method, about) else {
                continue;
            };
            let (opens, closes) = match called.boxed {
                Some(class) => (format!("(({class}) "), "))"),
                None => (String::new(), ")"),
            };
            self.around(
                called.span,
                format!("{opens}dev_telltale.See.see({slot}, "),
                closes,
            );
        }
    }

    /// A call around an expression.
    fn around(&mut self, span: Span, opens: String, closes: &str) {
        let ends = [
            (span.start, Nest::Opens(span.len()), opens),
            (span.end, Nest::Closes(span.len()), closes.to_owned()),
        ];
        let insert = |(at, nest, text)| Insert { at, nest, text };
        self.inserts.extend(ends.map(insert));
    }

    /// What a set-up defines.
    fn fixture(&mut self, analysis: &Analysis, fixture: MethodId, source: &syntax::SourceFile) {
        let Some(method) = analysis.program().method_decl(fixture).map(|d| d.span) else {
            return;
        };
        for (id, _) in definitions(analysis, fixture) {
            let place = placed(analysis, id, source).ok().filter(|p| !p.in_loop);
            let (Some(place), Some(seen)) = (place, seen_inside(analysis, id)) else {
                continue;
            };
            if let Some(slot) = self.slot(None, method, About::Variable(seen)) {
                let calls = place.inline(&format!("dev_telltale.See.see({slot}, "), ")");
                self.inserts.extend(calls);
            }
        }
    }

    /// What a test could read at its end.
    fn queries(&mut self, analysis: &Analysis, file: FileId, test: MethodId) {
        let offered = analysis.offered(test);
        let worth = offered.to_assert(analysis, test);
        self.asked(analysis, file, test, worth.take(ASKED));
    }

    /// What these values are at the end of a test.
    fn asked<'r>(
        &mut self,
        analysis: &Analysis,
        file: FileId,
        test: MethodId,
        values: impl IntoIterator<Item = &'r Readable>,
    ) {
        let program = analysis.program();
        let Some(method) = program.method_decl(test).map(|d| d.span) else {
            return;
        };
        // Those at one place, in order.
        let mut before: BTreeMap<u32, Vec<(u32, &str)>> = BTreeMap::new();
        for value in values {
            let Some(place) = assertion_place(analysis, file, test, value) else {
                continue;
            };
            let about = About::Query(value.asked_as.clone());
            let Some(slot) = self.slot(Some(test), method, about) else {
                continue;
            };
            match place {
                AssertionPlace::Around => {
                    self.around(value.span, format!("dev_telltale.See.see({slot}, "), ")");
                }
                AssertionPlace::Before { at, .. } => {
                    before
                        .entry(at)
                        .or_default()
                        .push((slot, &value.expression));
                }
            }
        }
        let nest = Nest::Between;
        let insert = |(at, queries): (u32, Vec<_>)| Insert {
            at,
            nest,
            text: asks(&queries),
        };
        self.inserts.extend(before.into_iter().map(insert));
    }
}

/// Asks some expressions at one place, by their slots: in the order in which they stand, or the last one first, as the run's
/// plan has it. What one of them changes for another is then seen in one of the two.
fn asks(queries: &[(u32, &str)]) -> String {
    let first = queries.first().map_or(0, |(slot, _)| *slot);
    let is_one = queries.len() == 1;
    let ask = |(index, (slot, expression)): (usize, &(u32, &str))| {
        let turn = match is_one {
            true => String::new(),
            false => format!(", telltale{first}t, {index}"),
        };
        format!(
            "if (dev_telltale.See.wants({slot}{turn})) try {{ dev_telltale.See.query({slot}, {expression}); }} \
             catch (Throwable telltale{slot}) {{ dev_telltale.See.threw({slot}, telltale{slot}); }} "
        )
    };
    let all: String = queries.iter().enumerate().map(ask).collect();
    match is_one {
        true => all,
        false => format!(
            "for (int telltale{first}t = dev_telltale.See.turns({}); telltale{first}t >= 0; telltale{first}t--) {{ {all}}} ",
            queries.len()
        ),
    }
}

/// The definitions of a test's own variables, by position, each with its name in the evidence.
pub fn definitions(analysis: &Analysis, test: MethodId) -> Vec<(CandidateId, Seen)> {
    let Some(body) = analysis.program().method_body(test) else {
        return Vec::new();
    };
    let candidates = analysis
        .workspace()
        .chains(body)
        .map_or(&[][..], |c| &c.candidates);
    let mut order: Vec<u32> = (0..candidates.len() as u32).collect();
    order.sort_by_key(|c| (candidates[*c as usize].start, candidates[*c as usize].end));
    let mut times: FxHashMap<&str, u32> = FxHashMap::default();
    let mut out = Vec::new();
    for at in order {
        let candidate = &candidates[at as usize];
        if matches!(
            candidate.kind,
            VariableKind::Return | VariableKind::LambdaParameter
        ) {
            continue;
        }
        let nth = times.entry(&candidate.variable).or_default();
        let seen = Seen {
            variable: candidate.variable.clone(),
            nth: *nth,
        };
        *nth += 1;
        out.push((CandidateId { body, index: at }, seen));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::asks;

    #[test]
    fn several_queries_at_one_place_can_be_asked_in_either_order() {
        let one = asks(&[(7, "a.b()")]);
        let said = "if (dev_telltale.See.wants(7)) try { dev_telltale.See.query(7, a.b()); } catch";
        assert!(one.starts_with(said), "{one}");
        let both = asks(&[(7, "a.b()"), (9, "c")]);
        for part in [
            "for (int telltale7t = dev_telltale.See.turns(2); telltale7t >= 0; telltale7t--) { if ",
            "(dev_telltale.See.wants(7, telltale7t, 0)) try { dev_telltale.See.query(7, a.b()); }",
            "(dev_telltale.See.wants(9, telltale7t, 1)) try { dev_telltale.See.query(9, c); }",
        ] {
            assert!(both.contains(part), "{both}");
        }
        assert_eq!(both.lines().count(), 1);
    }
}
