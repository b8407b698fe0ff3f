//! A test's source with calls in it that tell what its values were: what its variables held, and what the values would
//! have been that it could read and does not.
//!
//! The text is compiled and runs in place of the test; nobody reads it. No line is added, so that stack traces and
//! whatever else counts lines stay as they were. Each value has a slot, a number of the run.

use crate::action;
use crate::analysis::Analysis;
use crate::inner::{CandidateId, parsed, placed};
use evidence::Seen;
use flow::VariableKind;
use inner::{Insert, Nest};
use program::{FileId, MethodId};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text::Span;

/// How many values a test is asked for at its end.
const ASKED: usize = 12;

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
    /// In which test.
    pub test: MethodId,
    /// What it is.
    pub about: About,
    /// Where the method stands in the file, in bytes of its text without calls.
    pub method: Span,
}

/// What a slot tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// What an expression is at the test's end.
    Query(SmolStr),
    /// What a definition gave.
    Variable(Seen),
}

/// What is not woven: numbers of slots that did not compile.
pub type Left<'a> = &'a dyn Fn(&Slot) -> bool;

/// Weaves the tests of a file. Slots are numbered from `first`; those that `left_out` names get no call, and keep their
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
    let mut weaver = Weaver {
        inserts: Vec::new(),
        slots: Vec::new(),
        next: first,
        left_out,
    };
    for &test in tests {
        weaver.variables(analysis, test, &source);
        weaver.queries(analysis, file, test);
    }
    if weaver.slots.is_empty() {
        return None;
    }
    Some(Woven {
        text: Insert::all_into(source.text(), weaver.inserts),
        slots: weaver.slots,
    })
}

struct Weaver<'a> {
    inserts: Vec<Insert>,
    slots: Vec<Slot>,
    next: u32,
    left_out: Left<'a>,
}

impl Weaver<'_> {
    /// The number of a slot, if it gets a call.
    fn slot(&mut self, test: MethodId, method: Span, about: About) -> Option<u32> {
        let slot = Slot {
            number: self.next,
            test,
            about,
            method,
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
            if let Some(slot) = self.slot(test, method, About::Variable(seen)) {
                self.inserts
                    .extend(place.inline(&format!("dev_telltale.See.see({slot}, "), ")"));
            }
        }
    }

    /// What a test could read at its end.
    fn queries(&mut self, analysis: &Analysis, file: FileId, test: MethodId) {
        let program = analysis.program();
        let Some(method) = program.method_decl(test).map(|d| d.span) else {
            return;
        };
        let offered = analysis.offered(test);
        let worth = offered
            .readable
            .iter()
            .filter(|r| r.doubt.is_none_or(|d| d.is_mild()));
        for value in worth.take(ASKED) {
            let Some(place) = action::place_of_assertion(analysis, file, test, value) else {
                continue;
            };
            let about = About::Query(SmolStr::new(&value.expression));
            let Some(slot) = self.slot(test, method, about) else {
                continue;
            };
            match place {
                action::AssertionPlace::Around(span) => {
                    let ends = [
                        (span.start, Nest::Opens(span.len()), format!("dev_telltale.See.see({slot}, ")),
                        (span.end, Nest::Closes(span.len()), ")".to_owned()),
                    ];
                    let insert = |(at, nest, text)| Insert { at, nest, text };
                    self.inserts.extend(ends.map(insert));
                }
                action::AssertionPlace::Before(at) => self.inserts.push(Insert {
                    at,
                    nest: Nest::Between,
                    text: format!(
                        "if (dev_telltale.See.wants({slot})) try {{ dev_telltale.See.query({slot}, {}); }} \
                         catch (Throwable telltale{slot}) {{ dev_telltale.See.threw({slot}, telltale{slot}); }} ",
                        value.expression
                    ),
                }),
            }
        }
    }
}

/// The definitions of a test's own variables, by position, each with its name in the evidence.
pub(crate) fn definitions(analysis: &Analysis, test: MethodId) -> Vec<(CandidateId, Seen)> {
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
