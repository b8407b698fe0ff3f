//! `unstable-observation`: a test checks a value that is another one in the next run.
//!
//! What is said rests on a run that was recorded, of the code as it is; of other code nothing is said. A value that only has
//! to agree with another that changes along with it (`assertEquals(now, event.time())`) is no matter: everything else that
//! the assertion reads must be constant.

use super::{Finding, Ground, Level, Rule};
use crate::analysis::Analysis;
use crate::asserted::{Asserted, Read, asserted};
use crate::inner::CandidateId;
use crate::weave::definitions;
use crate::words::cut;
use chains::Chains;
use evidence::{Observed, Seen, Told, Value};
use flow::LocalId;
use program::{FileId, MethodId};
use std::collections::BTreeMap;
use std::sync::Arc;
use text::Span;

/// What the rule is called.
pub(super) const NAME: &str = "unstable-observation";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    level: Level::Warning,
    title: "A test checks what differs from run to run.",
    check: Some(check),
};

/// Numbers whose difference is a smaller part of them differ by rounding.
const ROUNDING: f64 = 1e-6;

fn check(ground: &Ground<'_>, file: FileId) -> Vec<Finding> {
    let analysis = ground.analysis;
    let program = analysis.program();
    if analysis.facts().is_empty() || !program.is_test(file) {
        return Vec::new();
    }
    let tests = analysis.workspace().suite().tests().iter();
    let here = tests.filter(|t| program.method_file(**t) == Some(file));
    here.filter_map(|test| Some((*test, analysis.fresh(*test)?)))
        .flat_map(|(test, told)| of_test(analysis, test, &told))
        .collect()
}

fn of_test(analysis: &Analysis, test: MethodId, told: &Arc<Told>) -> Vec<Finding> {
    let program = analysis.program();
    let mut out = Vec::new();
    if let (Some(message), Some(decl)) = (&told.varied, program.method_decl(test)) {
        let span = Span::new(decl.name_span.start, decl.name_span.end);
        let message = on_one_line(message);
        let says = format!(
            "This test fails where time zone, locale and order of hashes are others: {message}"
        );
        let what = decl.name.to_string();
        out.push(Finding::new(&RULE, span, says, Some(test), what));
    }
    if !told.variables.differs() {
        return out;
    }
    let mut variables = told.variables.all();
    variables.retain(|_, observed| observed.is_unstable());
    out.extend(checked(analysis, test, &variables).unwrap_or_default());
    out
}

/// True for what differs and is compared by what it says of itself: of objects nobody knows what an assertion asks, and of arrays
/// and collections only one that compares them as a whole.
fn is_looked_at(observed: &Observed, by: &Asserted) -> bool {
    let differs = observed.differs.iter().flatten();
    let mut all = observed.values.iter().chain(differs);
    all.all(|v| is_plain(v, by.is_whole)) && !is_within(observed, by)
}

fn is_plain(value: &Value, is_whole: bool) -> bool {
    match value {
        Value::Object { .. } | Value::Opaque { .. } | Value::Again(_) | Value::Absent => false,
        Value::Array { elements, .. } | Value::Collection { elements, .. } => {
            is_whole && elements.iter().all(|v| is_plain(v, true))
        }
        Value::Map { entries, .. } => {
            let mut entries = entries.iter();
            is_whole && entries.all(|(k, v)| is_plain(k, true) && is_plain(v, true))
        }
        _ => true,
    }
}

/// True for fractions that differ by no more than the assertion lets them, as far as it says so.
fn is_within(observed: &Observed, by: &Asserted) -> bool {
    let differs = observed.differs.iter().flatten();
    let all: Option<Vec<f64>> = observed
        .values
        .iter()
        .chain(differs)
        .map(fraction)
        .collect();
    let Some(all) = all.filter(|all| !all.is_empty()) else {
        return false;
    };
    let most = all.iter().copied().fold(f64::MIN, f64::max);
    let least = all.iter().copied().fold(f64::MAX, f64::min);
    by.tolerance.is_some_and(|tolerance| {
        most - least <= tolerance.max(ROUNDING * most.abs().max(least.abs()))
    })
}

fn fraction(value: &Value) -> Option<f64> {
    match value {
        Value::Double(bits) => Some(f64::from_bits(*bits)),
        Value::Float(bits) => Some(f32::from_bits(*bits).into()),
        Value::Boxed(value) => fraction(value),
        _ => None,
    }
}

/// The assertions of the test's own body that read a value which differs and else only what is constant.
fn checked(
    analysis: &Analysis,
    test: MethodId,
    differing: &BTreeMap<Seen, Observed>,
) -> Option<Vec<Finding>> {
    let program = analysis.program();
    let id = program.method_body(test)?;
    let (chains, decl) = (analysis.workspace().chains(id)?, program.body(id)?);
    let body = &decl.body;
    let definitions = definitions(analysis, test);
    let mut out = Vec::new();
    for by in asserted(analysis, test) {
        let assertion = &chains.assertions[by.assertion];
        let expr = body.expr(assertion.expr);
        let seen = match &by.read {
            Read::Call(called) => Some(&called.seen),
            Read::Local(local) => defined(chains, &definitions, *local, expr.start),
        };
        let observed = seen.and_then(|seen| Some((seen, differing.get(seen)?)));
        let Some((seen, observed)) = observed.filter(|(_, o)| is_looked_at(o, &by)) else {
            continue;
        };
        let end = body.expr(assertion.end(body)).end;
        let span = Span::new(decl.start + expr.start, decl.start + end);
        let first = listed(&observed.values);
        let then = listed(observed.differs.as_deref().unwrap_or_default());
        let differs = match first == then {
            true => format!("in what is not shown of {first}"),
            false => format!("{first}, then {then}"),
        };
        let message = format!("{} differs from run to run: {differs}", seen.variable);
        let what = program.body_text(id, expr.start, end);
        let what = what.split_whitespace().collect::<Vec<_>>().join("");
        let mut finding = Finding::new(&RULE, span, message, Some(test), what);
        // Both may meet it, now and for long.
        finding.fainter = by.is_condition.then_some(Level::Info);
        out.push(finding);
    }
    Some(out)
}

/// The last definition of a local before a place.
fn defined<'d>(
    chains: &Chains,
    definitions: &'d [(CandidateId, Seen)],
    local: LocalId,
    before: u32,
) -> Option<&'d Seen> {
    let mut own = definitions.iter().rev().filter_map(|(at, seen)| {
        let candidate = chains.candidates.get(at.index as usize)?;
        (candidate.local == Some(local)).then_some((candidate.start, seen))
    });
    let (_, seen) = own.find(|(start, _)| *start < before)?;
    Some(seen)
}

fn listed(values: &[Value]) -> String {
    let all: Vec<String> = values.iter().map(Value::short).collect();
    on_one_line(&all.join(", "))
}

fn on_one_line(text: &str) -> String {
    cut(text.split_whitespace().collect::<Vec<_>>().join(" "))
}
