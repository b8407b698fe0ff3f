//! What production code did with a strange value before the test got it: a way in the substitution graph of all that the
//! test may run, from the statement's value to a definition in the violating method. Where it is known which lines ran,
//! definitions on others are no part of a way.

use super::scene::Scene;
use crate::analysis::{Analysis, Part, Question};
use crate::checked::RanLines;
use calls::{Bodies, Unit, UnitId};
use chains::{Source, Use};
use flow::{CallId, ExprId, VariableKind};
use observe::{Assembled, Node, ObservationPoint, Reads, assemble};
use program::{BodyId, FileId, MethodId, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use text::{Encoding, LineIndex};

/// What running some bodies may run: tests of a class call the same methods.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RunBy(Box<[BodyId]>);

impl Question for RunBy {
    type Answer = Bodies;
    const RESTS_ON: &'static [Part] = &[];

    fn answer(&self, analysis: &Analysis) -> Bodies {
        analysis.workspace().reached(&self.0)
    }
}

/// The bodies that running these may run.
pub(super) fn run_by(analysis: &Analysis, bodies: &[BodyId]) -> Arc<Bodies> {
    analysis.ask(RunBy(bodies.into()))
}

/// The graph of what a test may run, with the values of the test's own calls.
pub(super) struct Deep {
    units: Vec<Unit>,
    unit_of: FxHashMap<BodyId, UnitId>,
    graph: Assembled,
    /// The vertex that reads the value of a call.
    values: FxHashMap<CallId, u32>,
    /// The lines that ran, where that is known.
    ran: Option<RanLines>,
}

impl Deep {
    pub(super) fn new(scene: &Scene<'_>, ran: Option<RanLines>) -> Deep {
        let workspace = scene.analysis.workspace();
        let units = workspace.units_of(&workspace.reached(&[scene.id]));
        let unit_of: FxHashMap<BodyId, UnitId> = units
            .iter()
            .enumerate()
            .map(|(i, u)| (u.body, UnitId(i as u32)))
            .collect();
        let mut points = Vec::new();
        let mut calls = Vec::new();
        for (at, site) in scene.chains.calls.iter().enumerate() {
            let (Some(call), Some(&unit)) = (site.call, unit_of.get(&scene.id)) else {
                continue;
            };
            if !site.gives_value {
                continue;
            }
            let source = Source::Call(at as u32);
            calls.push(call);
            points.push(ObservationPoint {
                unit,
                start: scene
                    .span(scene.body.expr(site.expr).start, u32::MAX / 2)
                    .start,
                reads: Reads::Uses(vec![Use {
                    source,
                    copy: true,
                    library: false,
                }]),
            });
        }
        let graph = assemble(&units, workspace, &points);
        let values = calls.into_iter().zip(graph.vertex_of_point.iter().copied());
        Deep {
            values: values.collect(),
            units,
            unit_of,
            graph,
            ran,
        }
    }

    /// True if the value of a call may come from what `goal` defines; of a constructor, if what it puts into the object may.
    pub(super) fn value_leads(&self, scene: &Scene<'_>, call: CallId, goal: BodyId) -> bool {
        if let Some(&vertex) = self.values.get(&call) {
            return self.leads(scene.analysis, vec![vertex], goal);
        }
        let program = scene.program();
        let Some(target) = scene.target(call).filter(|t| program.is_constructor(*t)) else {
            return false;
        };
        let calls = scene.analysis.workspace().call_graph();
        let below = run_by(scene.analysis, calls.targets_of(target).bodies());
        let ty = scene.resolved.ty(scene.body.calls[call.ix()].expr);
        self.object_leads(scene, ty, &below, goal)
    }

    /// True if what is put into fields of an object of this type by what runs below may come from what `goal` defines.
    pub(super) fn object_leads(
        &self,
        scene: &Scene<'_>,
        ty: Ty,
        below: &Bodies,
        goal: BodyId,
    ) -> bool {
        let program = scene.program();
        let Some(class) = program.class_of(ty) else {
            return false;
        };
        let mut own = program.supertypes(class);
        own.extend_from_slice(program.subtypes(class));
        own.push(class);
        let mut starts = Vec::new();
        for (at, unit) in self.units.iter().enumerate() {
            if !below.contains(unit.body) {
                continue;
            }
            for (candidate, vertex) in unit.chains.candidates.iter().zip(&self.graph.vertex_of[at])
            {
                if candidate
                    .field
                    .is_some_and(|f| own.contains(&program.field_owner(f)))
                {
                    starts.push(*vertex);
                }
            }
        }
        self.leads(scene.analysis, starts, goal)
    }

    fn leads(&self, analysis: &Analysis, starts: Vec<u32>, goal_body: BodyId) -> bool {
        let Some(&goal) = self.unit_of.get(&goal_body) else {
            return false;
        };
        // What defines nothing (`return field;`) is passed without a trace.
        if self.units[goal.ix()].chains.candidates.is_empty() {
            return true;
        }
        let mut ran = self.ran.as_ref().map(|lines| Ran {
            lines,
            analysis,
            files: FxHashMap::default(),
        });
        let mut makers = Makers {
            analysis,
            goal: goal_body,
            known: FxHashMap::default(),
        };
        let mut seen: FxHashSet<u32> = starts.iter().copied().collect();
        let mut work = starts;
        while let Some(at) = work.pop() {
            if let Node::Real { unit, candidate } = self.graph.nodes[at as usize] {
                if let Some(ran) = &mut ran
                    && !ran.candidate(&self.units[unit.ix()], candidate)
                {
                    continue;
                }
                let unit = &self.units[unit.ix()];
                if unit.body == goal_body || makers.make(unit, candidate) {
                    return true;
                }
            }
            let next = self.graph.psg.outgoing(at).map(|e| e.to);
            work.extend(next.filter(|to| seen.insert(*to)));
        }
        false
    }
}

/// Which definitions hold what a constructor made: no value comes out of one, but its object does.
struct Makers<'a> {
    analysis: &'a Analysis,
    goal: BodyId,
    /// By constructor: whether it runs that one.
    known: FxHashMap<MethodId, bool>,
}

impl Makers<'_> {
    fn make(&mut self, unit: &Unit, candidate: u32) -> bool {
        let program = self.analysis.program();
        let (Some(goal), Some(decl)) = (program.body_method(self.goal), program.body(unit.body))
        else {
            return false;
        };
        if !program.is_constructor(goal) {
            return false;
        }
        let owner = program.method_owner(goal);
        let candidate = &unit.chains.candidates[candidate as usize];
        let stands = |e: ExprId| {
            let e = decl.body.expr(e);
            candidate.start <= e.start && e.end <= candidate.end
        };
        let mut sites = unit.chains.calls.iter().filter(|s| stands(s.expr));
        sites.any(|site| {
            *self.known.entry(site.target).or_insert_with(|| {
                let made = program.method_owner(site.target);
                program.is_constructor(site.target)
                    && (made == owner || program.supertypes(made).contains(&owner))
                    && (site.target == goal || {
                        let calls = self.analysis.workspace().call_graph();
                        run_by(self.analysis, calls.targets(site).bodies()).contains(self.goal)
                    })
            })
        })
    }
}

/// Which lines ran.
struct Ran<'a> {
    lines: &'a RanLines,
    analysis: &'a Analysis,
    files: FxHashMap<FileId, Arc<LineIndex>>,
}

impl Ran<'_> {
    fn candidate(&mut self, unit: &Unit, candidate: u32) -> bool {
        let program = self.analysis.program();
        let Some(file) = program.body_file(unit.body) else {
            return true;
        };
        let candidate = &unit.chains.candidates[candidate as usize];
        // Parameters have their values when the method begins.
        let is_parameter = matches!(
            candidate.kind,
            VariableKind::Parameter | VariableKind::LambdaParameter
        );
        let span = match program.body_method(unit.body).filter(|_| is_parameter) {
            Some(method) => program
                .method_decl(method)
                .map(|m| (m.span.start, m.span.end)),
            None if is_parameter => None,
            None => Some((unit.start + candidate.start, unit.start + candidate.end)),
        };
        let Some((start, end)) = span else {
            return true;
        };
        let index = self
            .files
            .entry(file)
            .or_insert_with(|| self.analysis.lines(file));
        let line = |at: u32| index.position(at, Encoding::Utf8).line + 1;
        self.lines.may_have(file, line(start), line(end))
    }
}
