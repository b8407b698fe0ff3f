//! What the list has to beat: orders that know no program analysis, and the paper's ranking to the letter.
//!
//! Each is given the benefit of the doubt: calls inside other assertions of the test count as calls of the test, and a
//! candidate of the code under test counts as found if the hidden assertion reads its value straight away.

use calls::{Unit, Workspace};
use chains::Source;
use flow::{Callable, Callee, ExprId, ExprKind, VariableKind};
use observe::{Node, Settings, rank};
use oracle::Reader;
use program::{BodyId, CallTarget, FieldId, MethodId, NameTarget};
use rayon::prelude::*;
use recommend::HoldOut;
use std::collections::{HashMap, HashSet};

use super::table::PLACES;
use super::{Answer, Case};

/// The last variables that the test defines before the place, the last first.
pub(super) fn last_variables(workspace: &Workspace, case: &Case) -> Vec<String> {
    let (Some(chains), Some(reader)) = (
        workspace.chains(case.body),
        Reader::new(workspace.program(), case.body),
    ) else {
        return Vec::new();
    };
    let hold_out = HoldOut::without(&reader, case.call);
    let mut out: Vec<String> = Vec::new();
    for c in chains.candidates.iter().rev() {
        let e = ExprId(c.order);
        let is_value = c.callable == Callable::Member && c.kind != VariableKind::Return;
        let known = c.local.is_none_or(|l| !hold_out.hides_local(l));
        if is_value && known && hold_out.is_before(e) && !hold_out.hides(e) {
            let name = c.variable.to_string();
            if !out.contains(&name) {
                out.push(name);
            }
        }
    }
    out
}

/// What the methods return that the test calls before the place, the last first: the variable that keeps the value, else
/// the call.
pub(super) fn returned(workspace: &Workspace, case: &Case) -> Vec<String> {
    let (Some(chains), Some(reader)) = (
        workspace.chains(case.body),
        Reader::new(workspace.program(), case.body),
    ) else {
        return Vec::new();
    };
    let (program, body) = (workspace.program(), reader.body);
    let hold_out = HoldOut::without(&reader, case.call);
    let mut kept: HashMap<ExprId, String> = HashMap::new();
    for def in &body.defs {
        if let (flow::Target::Local(l), Some(&value)) = (def.target, body.list(def.sources).first())
        {
            kept.insert(value, body.locals[l.ix()].name.to_string());
        }
    }
    let mut out: Vec<String> = Vec::new();
    for (i, e) in body.exprs.iter().enumerate().rev() {
        let at = ExprId(i as u32);
        let ExprKind::Call(c) = e.kind else { continue };
        if !matches!(body.calls[c.ix()].callee, Callee::Method { .. }) {
            continue;
        }
        let gives = match reader.resolved.calls.get(c.ix()) {
            Some(CallTarget::Workspace(m)) => program.returns_value(*m),
            _ => true,
        };
        let asserts = chains.assertions.iter().any(|a| a.call == Some(c));
        if !gives || asserts || hold_out.hides(at) || !hold_out.is_before(at) {
            continue;
        }
        let text = kept
            .get(&at)
            .cloned()
            .unwrap_or_else(|| program.body_text(case.body, e.start, e.end).to_owned());
        if !out.contains(&text) {
            out.push(text);
        }
    }
    out
}

/// The chance that a random order of what could be offered has what was read among its first k.
pub(super) fn random(case: &Case, answer: &Answer) -> [f64; PLACES.len()] {
    let open = answer.points.iter().filter(|p| !p.1);
    let all = open.clone().count();
    let good = open.filter(|p| case.is(&p.0.expression)).count();
    PLACES.map(|k| {
        // 1 - C(all - good, k) / C(all, k)
        let mut none = 1.0;
        for i in 0..k.min(all) {
            none *= (all - i).saturating_sub(good) as f64 / (all - i) as f64;
        }
        1.0 - none
    })
}

/// The paper's rankings, one a test.
pub(super) struct Rivals {
    of_test: HashMap<MethodId, Vec<Place>>,
}

/// One place of a ranking.
struct Place {
    body: BodyId,
    candidate: u32,
    variable: String,
    field: Option<FieldId>,
}

impl Rivals {
    pub(super) fn new(workspace: &Workspace, cases: &[Case]) -> Rivals {
        let mut tests: Vec<MethodId> = cases.iter().map(|c| c.test).collect();
        tests.dedup();
        let rank = |&test: &MethodId| (test, places(workspace, test));
        Rivals {
            of_test: tests.par_iter().map(rank).collect(),
        }
    }

    /// The place of the first candidate whose value the hidden assertion reads.
    pub(super) fn paper(&self, workspace: &Workspace, case: &Case) -> Option<usize> {
        let read = read_straight(workspace, case);
        let list = self.of_test.get(&case.test)?;
        list.iter().position(|place| {
            place.body == case.body && case.is(&place.variable)
                || read.contains(&Straight::Candidate(place.body, place.candidate))
                || place
                    .field
                    .is_some_and(|f| read.contains(&Straight::Field(f)))
        })
    }
}

fn places(workspace: &Workspace, test: MethodId) -> Vec<Place> {
    let reached = workspace.called_by(&[workspace.own_run(test)]);
    let units: Vec<Unit> = workspace.units(&|_, _, b| reached.contains(b));
    let ranking = rank(workspace, &units, &Settings::default());
    let place = |node: Node| match node {
        Node::Real { unit, candidate } => {
            let unit = &units[unit.ix()];
            let c = &unit.chains.candidates[candidate as usize];
            Some(Place {
                body: unit.body,
                candidate,
                variable: c.variable.to_string(),
                field: c.field,
            })
        }
        Node::Point(_) => None,
    };
    let places = ranking.ranking.iter();
    places
        .filter_map(|r| place(ranking.graph.nodes[r.vertex as usize]))
        .collect()
}

/// A candidate, or any definition of a field.
#[derive(PartialEq, Eq, Hash)]
enum Straight {
    Candidate(BodyId, u32),
    Field(FieldId),
}

/// What the expressions that the hidden assertion reads evaluate to, one step into the code under test.
fn read_straight(workspace: &Workspace, case: &Case) -> HashSet<Straight> {
    let mut out = HashSet::new();
    let Some(reader) = Reader::new(workspace.program(), case.body) else {
        return out;
    };
    let mut read: Vec<ExprId> = case.reading.paths.iter().map(|p| p.0).collect();
    if read.is_empty() {
        read = reader.actual(case.call);
    }
    for e in read {
        match reader.body.expr(e).kind {
            ExprKind::Call(c) => {
                let Some(CallTarget::Workspace(m)) = reader.resolved.calls.get(c.ix()) else {
                    continue;
                };
                for &body in workspace.call_graph().targets_of(*m).bodies().iter() {
                    let Some(chains) = workspace.chains(body) else {
                        continue;
                    };
                    for returned in &chains.returns {
                        match returned.used.source {
                            Source::Candidate { candidate, .. } => {
                                out.insert(Straight::Candidate(body, candidate));
                            }
                            Source::Field { field, .. } => {
                                out.insert(Straight::Field(field));
                            }
                            _ => {}
                        }
                    }
                }
            }
            ExprKind::Name(_) | ExprKind::Field { .. } => {
                if let Some(NameTarget::Field(f)) = reader.resolved.name(e) {
                    out.insert(Straight::Field(f));
                }
            }
            _ => {}
        }
    }
    out
}
