//! `unstable-observation`: a test checks a value that is another one in the next run.
//!
//! What is said rests on a run that was recorded, of the code as it is; of other code nothing is said. A value that only has
//! to agree with another that changes along with it (`assertEquals(now, event.time())`) is no matter: everything else that
//! the assertion reads must be constant.

use super::{Finding, Ground, Level, Rule};
use crate::analysis::Analysis;
use crate::inner::CandidateId;
use crate::weave::definitions;
use crate::words::cut;
use evidence::{Observed, Seen, Told, Value};
use flow::{Callee, ExprKind, LocalId};
use oracle::promises::{holds_whatever, many_meet};
use oracle::{Assertion, Reader};
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

/// Parts of an assertion beyond which it is not read.
const MAX_PARTS: usize = 200;

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
    let variables = told.variables.all();
    let definitions = definitions(analysis, test);
    let is_unstable = |seen: &Seen| variables.get(seen).is_some_and(is_plain);
    if definitions.iter().any(|(_, seen)| is_unstable(seen)) {
        out.extend(checked(analysis, test, &variables, &definitions).unwrap_or_default());
    }
    out
}

/// What differs, and is a value that an assertion can compare: of objects nobody knows what it asks.
fn is_plain(observed: &Observed) -> bool {
    let plain = |v: &Value| {
        !matches!(
            v,
            Value::Object { .. }
                | Value::Opaque { .. }
                | Value::Again(_)
                | Value::Array { .. }
                | Value::Collection { .. }
                | Value::Map { .. }
                | Value::Absent
        )
    };
    let mut all = observed
        .values
        .iter()
        .chain(observed.differs.iter().flatten());
    observed.differs.is_some() && all.all(plain)
}

/// The assertions of the test's own body that read such a value and else only what is constant.
fn checked(
    analysis: &Analysis,
    test: MethodId,
    variables: &BTreeMap<Seen, Observed>,
    definitions: &[(CandidateId, Seen)],
) -> Option<Vec<Finding>> {
    let (program, workspace) = (analysis.program(), analysis.workspace());
    let id = program.method_body(test)?;
    let (chains, decl) = (workspace.chains(id)?, program.body(id)?);
    let reader = Reader::new(program, id)?;
    let mut out = Vec::new();
    for assertion in &chains.assertions {
        let Some((read, is_condition)) = only_read(&reader, assertion) else {
            continue;
        };
        let expr = reader.body.expr(assertion.expr);
        // The last definition before it.
        let own = definitions.iter().rfind(|(at, seen)| {
            let candidate = chains.candidates.get(at.index as usize);
            candidate.is_some_and(|c| c.local == Some(read) && c.start < expr.start)
                && variables.get(seen).is_some_and(is_plain)
        });
        let Some(((_, seen), observed)) = own.and_then(|o| Some((o, variables.get(&o.1)?))) else {
            continue;
        };
        // A later definition that is the same in each run is what is read then.
        let is_last = definitions.iter().all(|(at, other)| {
            let start = chains
                .candidates
                .get(at.index as usize)
                .map_or(0, |c| c.start);
            other.variable != seen.variable || other.nth <= seen.nth || start >= expr.start
        });
        if !is_last {
            continue;
        }
        let end = reader.body.expr(assertion.end(reader.body)).end;
        let span = Span::new(decl.start + expr.start, decl.start + end);
        let differs = observed.differs.as_deref().unwrap_or_default();
        let message = format!(
            "{} differs from run to run: {}, then {}",
            seen.variable,
            listed(&observed.values),
            listed(differs)
        );
        let what = program.body_text(id, expr.start, end);
        let what = what.split_whitespace().collect::<Vec<_>>().join("");
        let mut finding = Finding::new(&RULE, span, message, Some(test), what);
        // Both may meet it, now and for long.
        finding.fainter = is_condition.then_some(Level::Info);
        out.push(finding);
    }
    Some(out)
}

/// The one local variable that an assertion reads beside what is constant, and whether that is in a condition rather than
/// compared. None if it reads anything else, or holds of any value.
fn only_read(reader: &Reader<'_>, assertion: &Assertion) -> Option<(LocalId, bool)> {
    let body = reader.body;
    let calls = assertion.call.iter().chain(&assertion.chained);
    let mut arguments = Vec::new();
    let mut is_condition = assertion.call.is_none();
    for call in calls {
        let call = &body.calls[call.ix()];
        if let Callee::Method { name, .. } = call.callee {
            let name = body.name(name).as_str();
            if holds_whatever(name) {
                return None;
            }
            is_condition |= many_meet(name);
        }
        arguments.extend(body.list(call.args));
    }
    if assertion.call.is_none() {
        arguments.push(assertion.expr);
    }
    let mut local = None;
    let mut seen = 0;
    while let Some(e) = arguments.pop() {
        seen += 1;
        if seen > MAX_PARTS {
            return None;
        }
        match body.expr(e).kind {
            ExprKind::Local(l) if local.is_none_or(|known| known == l) => local = Some(l),
            ExprKind::Literal(_) | ExprKind::ClassLiteral(_) => {}
            ExprKind::Name(_) | ExprKind::Field { .. } if reader.is_constant(e) => {}
            ExprKind::Cast { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::ShortCircuit { .. } => body.operands_of(e, &mut arguments),
            _ => return None,
        }
    }
    Some((local?, is_condition))
}

fn listed(values: &[Value]) -> String {
    let all: Vec<String> = values.iter().map(Value::short).collect();
    on_one_line(&all.join(", "))
}

fn on_one_line(text: &str) -> String {
    cut(text.split_whitespace().collect::<Vec<_>>().join(" "))
}
