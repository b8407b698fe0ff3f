//! The list inside: what only an inner oracle can check.

mod guards;
mod narrowed;

use crate::computed::{self, is_compound};
use crate::ground::Ground;
use crate::observation_points::Scene;
use crate::offer::Besides;
use crate::switches::Switches;
use crate::weights::{ELSEWHERE, LEAST_GAIN, SURELY_RUN, WORTH};
use calls::Unit;
use chains::{CallSite, Candidate};
use flow::{Body, Callable, Callee, ExprId, ExprKind, Literal, Target, VariableKind};
use guards::reached_by_steps;
use narrowed::Narrowing;
use observe::{
    Assembled, EdgeKind, EdgeRef, Node, Quiet, Ranked, SelectOptions, Settings, places, quiet,
    select, table,
};
use program::{BodyId, CallTarget, Modifiers, NameTarget, Program, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::cell::OnceCell;

/// Parts beyond which nothing is known of an expression.
const MAX_PARTS: usize = 50;

impl Ground<'_> {
    /// Values that look worth a check in the code: of the class under test, computed of what it was given, by code that most
    /// likely runs, and such that only a part of them comes out of it.
    fn worth_a_check(&self) -> impl Fn(u32) -> bool {
        let narrowing = Narrowing::new(self.workspace, &self.units);
        // What is to throw does not come so far, as likely as not.
        let mut scenes = self.scenes.iter();
        let throws = scenes.any(|s| s.expects_exception() || s.reader.is_told_to_throw());
        let gives_nothing = OnceCell::new();
        let normal = OnceCell::new();
        move |v| {
            let Node::Real { unit, candidate } = self.graph.nodes[v as usize] else {
                return false;
            };
            let unit = &self.units[unit.ix()];
            let c = &unit.chains.candidates[candidate as usize];
            !throws
                && self.is_of_own_classes(unit.body)
                && normal
                    .get_or_init(|| self.run_without_failure())
                    .contains(&unit.body)
                && self.likely_run[v as usize] >= SURELY_RUN
                && entry_of(unit, c) >= SURELY_RUN
                && computed::computes_of_given(self.workspace, unit, c)
                && narrowing.concerns(unit, c)
                && (self.is_recorded
                    || !self.is_guarded(unit, c)
                    || !*gives_nothing.get_or_init(|| self.may_give_nothing()))
        }
    }

    /// True if the method may return before it comes to a definition, or take no turn of its loop.
    fn is_guarded(&self, unit: &Unit, candidate: &Candidate) -> bool {
        let decl = self.workspace.program().body(unit.body);
        decl.is_none_or(|decl| guards::is_guarded(&decl.body, candidate))
    }

    /// True if a guard may find nothing in these tests: what a mock answers that nobody told is `null`, zero, or empty, and
    /// what a test writes as `null` or as an empty text it hands to somebody.
    fn may_give_nothing(&self) -> bool {
        let writes_nothing = |unit: &Unit| {
            let Some(decl) = self.workspace.program().body(unit.body) else {
                return false;
            };
            let body = &decl.body;
            let args = body.calls.iter().flat_map(|c| body.list(c.args));
            let mut args = args.map(|a| body.expr(*a));
            args.any(|e| match e.kind {
                ExprKind::Literal(Literal::Null) => true,
                ExprKind::Literal(Literal::Str) => e.end - e.start == 2,
                _ => false,
            })
        };
        self.has_mocks || self.units_of_tests().any(writes_nothing)
    }

    /// True for code of the classes that the tests' are named after, and of those that these extend.
    fn is_of_own_classes(&self, body: BodyId) -> bool {
        let program = self.workspace.program();
        let own = Some(program.body_owner(body));
        let mut around = std::iter::successors(own, |t| program.enclosing_type(*t));
        around.any(|t| self.own_classes.contains(&t))
    }

    /// What runs though nothing is caught, and whatever branches are taken beyond guards: what stands in a `catch`, and what is
    /// called from there alone, runs when something fails.
    fn run_without_failure(&self) -> FxHashSet<BodyId> {
        let of_tests: Vec<BodyId> = self.units_of_tests().map(|u| u.body).collect();
        let tests: FxHashSet<BodyId> = of_tests.iter().copied().collect();
        self.called_from(of_tests, |id, body, sites| {
            let reached = reached_by_steps(body);
            let is_reached = |s: &&CallSite| {
                reached[body.block_of(s.expr).ix()]
                    && (self.is_recorded || tests.contains(&id) || guards::is_beyond(body, s.expr))
            };
            sites.iter().filter(is_reached).collect()
        })
    }

    /// What code of tests calls itself: what it gives comes to them, whether they look at it or not. So does what these
    /// methods only hand on, `toString() { return toString(MINIMAL); }`.
    fn given_to_tests(&self) -> FxHashSet<BodyId> {
        let graph = self.workspace.call_graph();
        let sites = self.units_of_tests().flat_map(|u| &u.chains.calls);
        let called = sites.flat_map(|site| graph.targets(site).bodies().to_vec());
        self.called_from(called.collect(), |_, body, sites| {
            let handed = handed_on(body);
            let is_handed = |s: &&CallSite| s.call.is_some() && handed.contains(&s.expr);
            sites.iter().filter(is_handed).collect()
        })
    }

    fn units_of_tests(&self) -> impl Iterator<Item = &Unit> {
        let program = self.workspace.program();
        let is_test = |body: BodyId| program.body_file(body).is_some_and(|f| program.is_test(f));
        self.units.iter().filter(move |u| is_test(u.body))
    }

    /// Some bodies, and all that is called from them at sites that are followed.
    fn called_from(
        &self,
        mut work: Vec<BodyId>,
        followed: impl for<'s> Fn(BodyId, &Body, &'s [CallSite]) -> Vec<&'s CallSite>,
    ) -> FxHashSet<BodyId> {
        let program = self.workspace.program();
        let graph = self.workspace.call_graph();
        let unit_of: FxHashMap<BodyId, &Unit> = self.units.iter().map(|u| (u.body, u)).collect();
        let mut out: FxHashSet<BodyId> = FxHashSet::default();
        while let Some(id) = work.pop() {
            if out.insert(id)
                && let (Some(unit), Some(decl)) = (unit_of.get(&id), program.body(id))
            {
                let sites = followed(id, &decl.body, &unit.chains.calls).into_iter();
                work.extend(sites.flat_map(|s| graph.targets(s).bodies().to_vec()));
            }
        }
        out
    }

    /// True for what one of these methods returns.
    fn is_returned_by(&self, v: u32, given: &FxHashSet<BodyId>) -> bool {
        match self.graph.nodes[v as usize] {
            Node::Real { unit, candidate } => {
                let unit = &self.units[unit.ix()];
                let candidate = &unit.chains.candidates[candidate as usize];
                candidate.kind == VariableKind::Return && given.contains(&unit.body)
            }
            Node::Point(_) => false,
        }
    }

    /// True if a wrong value at the end of an edge makes another one of what uses it: a text that is made of it, an object
    /// that holds it. What a condition, a comparison or an element says of it is less.
    fn carries(&self, e: &EdgeRef) -> bool {
        let (Some(of), Some(from)) = (self.type_of(e.from), self.type_of(e.to)) else {
            return false;
        };
        let program = self.workspace.program();
        let is_text = |ty| program.type_text(ty) == "String";
        if of.is_primitive() || from == Ty::BOOLEAN {
            false
        } else if is_text(of) {
            !is_compound(program, from)
        } else {
            e.kind != EdgeKind::Library || from.is_primitive() || is_text(from)
        }
    }

    /// The type of a definition's value.
    fn type_of(&self, v: u32) -> Option<Ty> {
        let Node::Real { unit, candidate } = self.graph.nodes[v as usize] else {
            return None;
        };
        let unit = &self.units[unit.ix()];
        let candidate = &unit.chains.candidates[candidate as usize];
        let resolved = self.workspace.resolved(unit.body)?;
        let ty = match candidate.value {
            Some(value) => resolved.ty(value),
            None => *resolved.locals.get(candidate.local?.ix())?,
        };
        (ty != Ty::UNKNOWN).then_some(ty)
    }

    /// True for what a field begins with, if nothing that an object was given goes into it.
    fn is_default(&self, v: u32) -> bool {
        let Node::Real { unit, candidate } = self.graph.nodes[v as usize] else {
            return false;
        };
        let unit = &self.units[unit.ix()];
        let (program, workspace) = (self.workspace.program(), self.workspace);
        let def = unit.chains.candidates[candidate as usize].def;
        let (Some(def), Some(decl), Some(resolved)) =
            (def, program.body(unit.body), workspace.resolved(unit.body))
        else {
            return false;
        };
        let body = &*decl.body;
        let def = &body.defs[def.ix()];
        let Target::OwnField(_) = def.target else {
            return false;
        };
        body.every_part(body.list(def.sources), MAX_PARTS, |e, work| {
            body.operands_of(e, work);
            match body.expr(e).kind {
                ExprKind::Local(_) | ExprKind::This | ExprKind::Super => false,
                ExprKind::Name(_) => match resolved.name(e) {
                    Some(NameTarget::Field(field)) => {
                        let field = program.field_decl(field);
                        field.is_some_and(|f| f.modifiers.has(Modifiers::STATIC))
                    }
                    Some(NameTarget::Captured { .. }) | None => false,
                    Some(_) => true,
                },
                // A method of the object itself may ask it for more.
                ExprKind::Call(c) => {
                    match (body.calls[c.ix()].callee, resolved.calls.get(c.ix())) {
                        (Callee::Method { receiver: None, .. }, Some(CallTarget::Workspace(m))) => {
                            program.method_has(*m, Modifiers::STATIC)
                        }
                        _ => true,
                    }
                }
                _ => true,
            }
        })
    }

    fn is_exceptional(&self, v: u32) -> bool {
        match self.graph.nodes[v as usize] {
            Node::Real { unit, .. } => {
                let body = self.units[unit.ix()].body;
                makes_exception(self.workspace.program(), body)
            }
            Node::Point(_) => false,
        }
    }

    /// What only an inner oracle can check, best first, what looks worth it before the rest; and which these are.
    pub(crate) fn inside(
        &self,
        settings: &Settings,
        switches: &Switches,
        besides: Besides<'_>,
    ) -> (Vec<Ranked>, FxHashSet<u32>) {
        let program = self.workspace.program();
        let copies = |e: &EdgeRef| e.copy;
        let mut seen = reached_by(&self.graph, self.options.iter().map(|o| o.0), copies);
        // Of what is asserted all shows that goes into it and into nothing less.
        let carries = |e: &EdgeRef| e.copy || self.carries(e);
        seen.extend(reached_by(
            &self.graph,
            self.asserted.iter().copied(),
            carries,
        ));
        let expects = self.scenes.iter().any(Scene::expects_exception);
        let narrow = table(self.workspace, &self.graph, settings.lambda, false);
        let given = self.given_to_tests();
        let eligible = |v: u32| {
            self.weights[v as usize] > 0.0
                && !seen.contains(&v)
                && !self.is_returned_by(v, &given)
                && is_insightful(program, &self.units, self.graph.nodes[v as usize])
                && !self.is_default(v)
                && (expects || !self.is_exceptional(v))
        };
        let is_told = switches.own_class_first && !self.own_class.is_empty();
        let likely = |v: usize| match switches.likely_first {
            true => self.likely_run[v],
            false => 1.0,
        };
        let is_worth = self.worth_a_check();
        let all = (0u32..).take(self.likely_run.len());
        let worth: FxHashSet<u32> = all.filter(|v| eligible(*v) && is_worth(*v)).collect();
        let preference = (0..self.likely_run.len()).map(|v| {
            let is_elsewhere = is_told && !self.own_class.contains(&(v as u32));
            let comes_first = is_told && worth.contains(&(v as u32));
            let worth = if comes_first { WORTH } else { 1.0 };
            likely(v) * worth * if is_elsewhere { ELSEWHERE } else { 1.0 }
        });
        let preference: Vec<f64> = preference.collect();
        let is = |what: &dyn Fn(BodyId, u32) -> bool, v: u32| match self.graph.nodes[v as usize] {
            Node::Real { unit, candidate } => what(self.units[unit.ix()].body, candidate),
            Node::Point(_) => false,
        };
        // What is at hand takes no place: a list that was cut first would say that nothing else is left.
        let is_listed = |v: u32| eligible(v) && !is(besides.is_at_hand, v);
        let counts = |v: u32| !is(besides.is_dismissed, v);
        let picks = select(
            &narrow,
            &SelectOptions {
                // A shorter list is the beginning of a longer one.
                most: settings.top,
                least: LEAST_GAIN,
                fp: settings.fp,
                eligible: &is_listed,
                counts: &counts,
                preselected: &self.asserted,
                weights: Some(&self.weights),
                preference: Some(&preference),
            },
        );
        let mut places = places(&narrow, &picks);
        for r in &mut places {
            r.stands_for
                .retain(|s| self.weights[s.vertex as usize] > 0.0);
        }
        (places, worth)
    }
}

/// True for a definition that control comes to from the entry, and not by an exception alone.
pub(crate) fn is_reached_by_steps(body: &Body, c: &Candidate) -> bool {
    let reached = reached_by_steps(body);
    reached.get(c.block.ix()).copied().unwrap_or(false)
}

/// How likely a variable has a value, given the entry of its method: what is added to in a branch of a loop is looked at
/// behind it.
fn entry_of(unit: &Unit, c: &Candidate) -> f64 {
    let of_local = |other: &&Candidate| c.local.is_some() && other.local == c.local;
    let all = unit.chains.candidates.iter().filter(of_local);
    all.map(|other| other.entry).fold(c.entry, f64::max)
}

/// The calls whose values a method returns as they are.
fn handed_on(body: &Body) -> Vec<ExprId> {
    let own = body.returns.iter();
    let own = own.filter(|r| r.callable == Callable::Member);
    let values = own.filter_map(|r| r.value).map(|mut e| {
        while let ExprKind::Cast { operand, .. } = body.expr(e).kind {
            e = operand;
        }
        e
    });
    values
        .filter(|e| matches!(body.expr(*e).kind, ExprKind::Call(_)))
        .collect()
}

/// What some observation points are reached by over edges that hold whenever the value is defined, all of one kind. By
/// copies alone it is what they read whole. A value that was compared, counted or combined on the way is not read whole: a
/// wrong one may look right (`neg` behind `compare(pos, neg)`).
fn reached_by(
    graph: &Assembled,
    points: impl Iterator<Item = u32>,
    holds: impl Fn(&EdgeRef) -> bool,
) -> FxHashSet<u32> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut work: Vec<u32> = points.collect();
    while let Some(v) = work.pop() {
        if seen.insert(v) {
            let all = graph.psg.outgoing(v);
            let sure = all.filter(|e| e.probability >= 1.0 - 1e-9 && holds(e));
            work.extend(sure.map(|e| e.to));
        }
    }
    seen
}

/// True for code that makes an exception.
fn makes_exception(program: &Program, body: BodyId) -> bool {
    let names = program.supertype_names(program.body_owner(body));
    let is =
        |n: &SmolStr| n.ends_with("Exception") || n.ends_with("Error") || n.ends_with(".Throwable");
    names.iter().any(is)
}

/// True for a definition that a person would check inside: no formal parameter (its first use is checked instead), no
/// constant, no loop counter, no logger, no caught exception.
fn is_insightful(program: &Program, units: &[Unit], node: Node) -> bool {
    let Node::Real { unit, candidate } = node else {
        return false;
    };
    let u = &units[unit.ix()];
    let c = &u.chains.candidates[candidate as usize];
    let Some(decl) = program.body(u.body) else {
        return false;
    };
    let body = &decl.body;
    if quiet(program, u.body, c).is_some_and(|q| q != Quiet::LoopVariable) {
        return false;
    }
    match c.def {
        Some(d) => {
            let def = &body.defs[d.ix()];
            def.compound
                || body
                    .list(def.sources)
                    .first()
                    .is_none_or(|&s| !is_literal_or_new(body, s))
        }
        None => true,
    }
}

fn is_literal_or_new(body: &Body, mut e: ExprId) -> bool {
    loop {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } => e = operand,
            ExprKind::Literal(_) | ExprKind::ClassLiteral(_) | ExprKind::Missing => return true,
            ExprKind::Call(c) => return matches!(body.calls[c.ix()].callee, Callee::New { .. }),
            ExprKind::NewArray { .. } | ExprKind::Lambda(_) | ExprKind::MethodRef { .. } => {
                return true;
            }
            _ => return false,
        }
    }
}
