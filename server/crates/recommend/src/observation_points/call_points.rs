//! Observation points that are calls: values that the test drops, getters of its own class, calls whose values may have
//! changed; and what calls gave to an object.

use super::{Finder, Object, Point, Scene};
use crate::acts::is_setter;
use crate::statistics::{call_ask, type_key};
use crate::timeline::roots_of;
use chains::{Chains, Source, Use};
use flow::{Body, Callee, ExprId, ExprKind, LocalId};
use observe::Reads;
use oracle::mocks::{is_asked_of_mock, is_of_mock};
use oracle::squeezed;
use oracle::{Reader, Root};
use program::{CallTarget, MethodId};
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

/// Parts of a call beyond which it is not repeated.
const MAX_OPERANDS: usize = 100;
/// Points of a test beyond which no call is added.
const CALLS_UP_TO: usize = 500;

impl Finder<'_> {
    /// What calls put into an object: `builder.append(x)` makes it depend on `x`.
    pub(super) fn given(&self, scene: &Scene<'_>, root: &Root, out: &mut Vec<Use>) {
        let body = scene.reader.body;
        let visible = |e: ExprId| scene.hold_out.is_before(e) && !scene.hold_out.hides(e);
        // Where nothing more is known any call may put something in.
        for call in &body.calls {
            if call.args.len == 0 || !visible(call.expr) {
                continue;
            }
            let Some((r, _)) = call.callee.on() else {
                continue;
            };
            if scene
                .reader
                .path(r)
                .is_none_or(|p| p.depth > 0 || p.root != *root)
            {
                continue;
            }
            for &a in body.list(call.args) {
                self.uses_of(scene, a, out);
            }
            if out.len() > 100 {
                return;
            }
        }
    }

    /// Where the value of an argument comes from.
    fn uses_of(&self, scene: &Scene<'_>, e: ExprId, out: &mut Vec<Use>) {
        uses_of(scene.reader.body, scene.chains, e, out);
    }

    /// `getMap()` of the test's own class, where the test calls it: an object that the test holds.
    pub(super) fn own_calls(&mut self, scene: &Scene<'_>) {
        let body = scene.reader.body;
        let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
        for (i, site) in scene.chains.calls.iter().enumerate() {
            let Some(c) = site.call else { continue };
            let call = &body.calls[c.ix()];
            if call.args.len > 0
                || call.dropped
                || !scene.hold_out.is_before(call.expr)
                || scene.hold_out.hides(call.expr)
                || !self.known.purity().is_pure(self.workspace, site.target)
                || !self.gives_what_is_held(scene, site.target)
            {
                continue;
            }
            let Some(path) = scene.reader.path(call.expr) else {
                continue;
            };
            if path.depth > 0 || !seen.insert(path.text.clone()) {
                continue;
            }
            let e = body.expr(call.expr);
            let uses = vec![Use {
                source: Source::Call(i as u32),
                copy: false,
                library: true,
            }];
            self.queries(
                scene,
                &Object {
                    text: path.text,
                    root: path.root,
                    ty: scene.reader.resolved.ty(call.expr),
                    depth: 0,
                    at: (scene.start + e.start, scene.start + e.end),
                    uses,
                    unused: false,
                    kept: None,
                },
            );
        }
    }

    /// True if a method of the test's class returns a field: what it gives now it gives again. One that makes an object
    /// makes another.
    fn gives_what_is_held(&self, scene: &Scene<'_>, method: MethodId) -> bool {
        let program = self.workspace.program();
        let owner = program.method_owner(method);
        let here = program.body_owner(scene.id);
        if owner != here && !program.supertypes(here).contains(&owner) {
            return false;
        }
        let Some(decl) = program.method_body(method).and_then(|b| program.body(b)) else {
            return false;
        };
        let body = &decl.body;
        !body.returns.is_empty()
            && body.returns.iter().all(|r| {
                r.value.is_some_and(|v| {
                    let mut v = v;
                    while let ExprKind::Cast { operand, .. } = body.expr(v).kind {
                        v = operand;
                    }
                    matches!(
                        body.expr(v).kind,
                        ExprKind::Name(_) | ExprKind::Field { .. }
                    )
                })
            })
    }

    /// True for a helper of a test that checks nothing, in its own class, that gives what a call of code under test gives.
    fn only_asks_code(&self, scene: &Scene<'_>, helper: MethodId) -> bool {
        let program = self.workspace.program();
        let is_here = program.method_owner(helper) == program.body_owner(scene.id);
        let id = program.method_body(helper).filter(|_| is_here);
        let Some((id, decl)) = id.and_then(|id| Some((id, program.body(id)?))) else {
            return false;
        };
        let sites = self.workspace.call_graph().sites(id);
        let is_of_code = |e: ExprId| {
            let mut own = sites.iter().filter(|s| s.expr == e);
            own.any(|s| !program.is_test_type(program.method_owner(s.target)))
        };
        let returns = &decl.body.returns;
        let asserts = self
            .workspace
            .chains(id)
            .is_some_and(|c| !c.assertions.is_empty());
        scene.chains.assertions.is_empty()
            && !asserts
            && !returns.is_empty()
            && returns.iter().all(|r| r.value.is_some_and(is_of_code))
    }

    /// (b) values that calls return and the test drops.
    pub(super) fn dropped(&mut self, scene: &Scene<'_>) {
        let program = self.workspace.program();
        let body = scene.reader.body;
        for (i, site) in scene.chains.calls.iter().enumerate() {
            let Some(c) = site.call else { continue };
            let call = &body.calls[c.ix()];
            if !call.dropped
                || !site.gives_value
                || !scene.hold_out.is_before(site.expr)
                || scene.hold_out.hides(site.expr)
                || in_lambda(body, site.expr)
                || !program.returns_value(site.target)
                || program.is_test_type(program.method_owner(site.target))
                    && !self.only_asks_code(scene, site.target)
                || is_of_mock(body, call)
                || is_asked_of_mock(body, site.expr)
                || is_setter(program, site.target)
                || program.class_of(program.return_type(site.target))
                    == Some(program.method_owner(site.target))
            {
                continue;
            }
            let Some(locals) = self.operands_in_scope(scene, &[site.expr]) else {
                continue;
            };
            let e = body.expr(site.expr);
            let text = match scene.reader.path(site.expr) {
                Some(path) => path.text,
                None => one_line(program.body_text(scene.id, e.start, e.end)),
            };
            let ty = scene.reader.resolved.ty(site.expr);
            let at = (scene.start + e.start, scene.start + e.end);
            let uses = vec![Use {
                source: Source::Call(i as u32),
                copy: true,
                library: false,
            }];
            let root = match call.callee {
                Callee::Method {
                    receiver: Some(r), ..
                } => scene.reader.path(r).map(|p| p.root),
                _ => None,
            };
            let root = root.unwrap_or_else(|| Root::Other(text.clone()));
            let mut point = Point {
                reads: Some(Reads::Uses(uses)),
                depth: 1,
                ask: call_ask(&scene.reader, site.expr),
                used: site.expr.0,
                dropped: true,
                ..self.point(scene, &root, &text, ty, at)
            };
            point.observation.locals = locals;
            if let Callee::Method {
                receiver: Some(r), ..
            } = call.callee
            {
                point.observation.object = scene.reader.resolved.ty(r);
            }
            self.add(scene, point);
        }
    }

    /// Calls with arguments that the test makes and whose values may be others by now, and the same calls of other objects
    /// of the same type.
    pub(super) fn repeated(&mut self, scene: &Scene<'_>) {
        let program = self.workspace.program();
        let (reader, body) = (&scene.reader, scene.reader.body);
        let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
        let objects = std::mem::take(&mut self.objects);
        // The last of equal calls counts.
        for (i, call) in body.calls.iter().enumerate().rev() {
            let e = call.expr;
            let Some((receiver, _)) = call.callee.on() else {
                continue;
            };
            let target = match reader.resolved.calls.get(i) {
                Some(CallTarget::Workspace(m)) => Some(*m),
                _ => None,
            };
            if call.args.len == 0
                || call.dropped
                || !scene.hold_out.is_before(e)
                || scene.hold_out.hides(e)
                || scene.chains.assertions.iter().any(|a| a.expr == e)
                || in_lambda(body, e)
                || target.is_some_and(|m| !program.returns_value(m))
                || self.points.len() >= CALLS_UP_TO
            {
                continue;
            }
            let Some(locals) = self.operands_in_scope(scene, &[e]) else {
                continue;
            };
            let roots = roots_of(reader, e);
            let site = scene.chains.calls.iter().position(|s| s.expr == e);
            let source = |s: usize| Use {
                source: Source::Call(s as u32),
                copy: true,
                library: false,
            };
            let mut uses: Vec<Use> = site.map(source).into_iter().collect();
            if uses.is_empty() {
                self.uses_of(scene, e, &mut uses);
            }
            let ask = call_ask(reader, e);
            let of = body.expr(e);
            let (text, ty) = (reader.text(e), reader.resolved.ty(e));
            let at = (scene.start + of.start, scene.start + of.end);
            let root = roots.first().cloned();
            let root = root.unwrap_or_else(|| Root::Other(text.clone()));
            let changed = scene
                .timeline
                .changes_between(&roots, e.0, scene.hold_out.first);
            if seen.insert(text.clone()) && changed {
                let mut point = Point {
                    reads: Some(Reads::Uses(uses.clone())),
                    depth: 1,
                    ask: ask.clone(),
                    read: scene
                        .timeline
                        .is_checked(&root, &text, !self.switches.stale),
                    ..self.point(scene, &root, &shown(reader, e), ty, at)
                };
                point.observation.locals = locals;
                point.observation.object = reader.resolved.ty(receiver);
                self.points.push(point);
            }
            // What is asked of one object is asked of its like.
            let assertions = &scene.chains.assertions;
            let Some(path) = reader.path(receiver) else {
                continue;
            };
            if !assertions.iter().any(|a| contains(body, a.expr, e)) {
                continue;
            }
            let key = type_key(program, reader.resolved.ty(receiver));
            let rest = program.body_text(scene.id, body.expr(receiver).end, of.end);
            let arguments = self.operands_in_scope(scene, body.list(call.args));
            for object in &objects {
                if object.root == path.root || type_key(program, object.ty) != key {
                    continue;
                }
                let text = format_smolstr!("{}{}", object.text, squeezed(rest));
                if !seen.insert(text.clone()) {
                    continue;
                }
                let mut uses = uses.clone();
                uses.extend_from_slice(&object.uses);
                let expression = format_smolstr!("{}{}", object.text, one_line(rest));
                let mut point = Point {
                    reads: Some(Reads::Uses(uses)),
                    depth: 1,
                    ask: ask.clone(),
                    unused: object.unused,
                    read: scene
                        .timeline
                        .is_checked(&object.root, &text, !self.switches.stale),
                    ..self.point(scene, &object.root, &expression, ty, object.at)
                };
                point.observation.locals.extend(arguments.iter().flatten());
                point.observation.object = object.ty;
                self.points.push(point);
            }
        }
    }

    /// The locals that expressions name, each as often as it stands there; none if one is not in scope at the hidden assertion.
    fn operands_in_scope(&self, scene: &Scene<'_>, of: &[ExprId]) -> Option<Vec<LocalId>> {
        let body = scene.reader.body;
        let mut out = Vec::new();
        let all = body.every_part(of, MAX_OPERANDS, |e, work| {
            body.operands_of(e, work);
            let ExprKind::Local(l) = body.expr(e).kind else {
                return true;
            };
            out.push(l);
            !scene.hold_out.hides_local(l) && self.in_scope(scene, l)
        });
        all.then_some(out)
    }
}

/// Where the value of an argument comes from, in the body that has it.
pub(crate) fn uses_of(body: &Body, chains: &Chains, e: ExprId, out: &mut Vec<Use>) {
    let mut work = vec![e];
    let mut seen = 0;
    while let Some(e) = work.pop() {
        seen += 1;
        if seen > 100 {
            return;
        }
        let source = match body.expr(e).kind {
            ExprKind::Local(l) => chains
                .candidates
                .iter()
                .rposition(|c| c.local == Some(l) && c.order < e.0)
                .map(|c| Source::Candidate {
                    candidate: c as u32,
                    probability: 1.0,
                }),
            ExprKind::Call(c) => chains
                .calls
                .iter()
                .position(|s| s.call == Some(c) && s.gives_value)
                .map(|i| Source::Call(i as u32)),
            _ => None,
        };
        match source {
            Some(source) => out.push(Use {
                source,
                copy: false,
                library: true,
            }),
            None => body.operands_of(e, &mut work),
        }
    }
}

/// True if `e` is a part of `whole`.
fn contains(body: &Body, whole: ExprId, e: ExprId) -> bool {
    let (whole, e) = (body.expr(whole), body.expr(e));
    whole.start <= e.start && e.end <= whole.end
}

/// A call as it is shown: on one line.
fn shown(reader: &Reader<'_>, e: ExprId) -> SmolStr {
    let e = reader.body.expr(e);
    one_line(reader.program.body_text(reader.id, e.start, e.end))
}

/// True for what stands in a lambda.
pub(crate) fn in_lambda(body: &Body, e: ExprId) -> bool {
    body.lambdas.iter().any(|l| l.first <= e && e < l.expr)
}

/// Code in one line.
pub(crate) fn one_line(text: &str) -> SmolStr {
    SmolStr::from(text.split_whitespace().collect::<Vec<_>>().join(" "))
}
