//! What a test does with an object that it does not look at: parts that no call left as they are, what it put in itself, and
//! values of which all is known.

use super::Judge;
use super::dropped::FILLS;
use crate::acts::Touch;
use crate::defaults::always_gives_the_same;
use crate::fields::shown_by;
use crate::handed::bodies_with;
use crate::observation_points::Point;
use flow::{Callee, ExprId, ExprKind, UnaryOp};
use observe::Reads;
use oracle::Root;
use program::{BodyId, CallTarget};
use rustc_hash::FxHashSet;

impl Judge<'_> {
    /// True for a part of an object that the test made and no call left as it is: of an object that was made and used any
    /// part might be asked, and what the test is about shows in what a call gave, filled or moved.
    pub(super) fn is_left_alone(
        &self,
        point: &Point,
        checks: bool,
        run: &FxHashSet<BodyId>,
    ) -> bool {
        let touch = self.acts.touch(&point.root).map(|t| t.0);
        let is_left = || self.is_left_by_any_act(point) && !self.is_set_to_default(point);
        point.depth > 0
            && !point.dropped
            && match touch {
                Some(Touch::Made) => true,
                Some(Touch::Changed) => !checks && !is_left(),
                Some(Touch::Given) if !checks && !self.is_written(point, run) => true,
                _ => !checks && self.is_used_later(&point.root),
            }
    }

    /// True if the call that was given an object writes what a point shows of it: itself, or by what it hands the object on to.
    fn is_written(&self, point: &Point, run: &FxHashSet<BodyId>) -> bool {
        let (workspace, reader) = (self.workspace, &self.scene.reader);
        let touch = self.acts.touch(&point.root);
        let shown = point.reads.as_ref().and_then(|r| shown_by(workspace, r));
        let (Some((_, at)), Some(shown)) = (touch, shown) else {
            return false;
        };
        let is_it = |e: ExprId| {
            let path = reader.path(e);
            path.is_some_and(|p| p.depth == 0 && p.root == point.root)
        };
        let mut acts = self.scene.chains.calls.iter();
        let act = acts.find(|site| site.expr.0 == at);
        let with = act.map(|act| bodies_with(workspace, reader.body, act, is_it, run));
        let writes = |body: BodyId| {
            let candidates = workspace.chains(body).map(|c| &c.candidates[..]);
            let mut fields = candidates
                .unwrap_or_default()
                .iter()
                .filter_map(|c| c.field);
            fields.any(|f| shown.contains(&f))
        };
        with.unwrap_or_default().into_iter().any(writes)
    }

    /// True if a call of code under test is made on an object, or is given it, after the one that gave or changed it last.
    fn is_used_later(&self, root: &Root) -> bool {
        let (reader, body) = (&self.scene.reader, self.scene.reader.body);
        let since = self.acts.touch(root).map_or(0, |t| t.1);
        let is_it = |e: ExprId| reader.path(e).is_some_and(|p| p.root == *root);
        let mut sites = self.scene.chains.calls.iter();
        sites.any(|site| {
            let program = self.workspace.program();
            let is_of_test = program.is_test_type(program.method_owner(site.target));
            let Some(call) = site.call.filter(|_| site.expr.0 > since && !is_of_test) else {
                return false;
            };
            let call = &body.calls[call.ix()];
            let on = match call.callee {
                Callee::Method { receiver, .. } => receiver,
                _ => None,
            };
            on.is_some_and(is_it) || body.list(call.args).iter().any(|a| is_it(*a))
        })
    }

    /// True if some call of code under test on an object wrote what a point shows of it.
    fn is_left_by_any_act(&self, point: &Point) -> bool {
        let (reader, body) = (&self.scene.reader, self.scene.reader.body);
        let is_on_it = |at: u32| match body.expr(ExprId(at)).kind {
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::Method {
                    receiver: Some(of), ..
                } => reader.path(of).is_some_and(|p| p.root == point.root),
                _ => false,
            },
            _ => false,
        };
        let mut acts = self.acts.acts.iter();
        acts.any(|at| is_on_it(*at) && self.is_moved(point, *at))
    }

    /// True if the last call of code under test on an object wrote what a point shows of it.
    pub(super) fn is_left_by_act(&self, point: &Point) -> bool {
        match self.acts.touch(&point.root) {
            Some((Touch::Changed, at)) => self.is_moved(point, at),
            _ => false,
        }
    }

    /// True for an object that is built by calls which give it back: `query.select(…).insertInto("a")`.
    pub(super) fn is_of_builder(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        let at = self.acts.touch(&point.root).map_or(0, |t| t.1);
        self.act_at(at).is_some_and(|act| {
            let gives = program.class_of(program.return_type(act));
            gives == Some(program.method_owner(act))
        })
    }

    /// True for a query that gives the opposite of another one: `return !isOpen();`.
    pub(super) fn is_negation(&self, point: &Point) -> bool {
        let Some(Reads::Method(method)) = point.reads.as_ref().filter(|_| point.depth > 0) else {
            return false;
        };
        let program = self.workspace.program();
        let targets = self.workspace.call_graph().targets_of(*method);
        let mut bodies = targets.bodies().iter().filter_map(|b| program.body(*b));
        bodies.any(|decl| {
            let body = &*decl.body;
            let is_call = |e: ExprId| matches!(body.expr(e).kind, ExprKind::Call(_));
            let negates = |e: ExprId| match body.expr(e).kind {
                ExprKind::Unary { op, operand } => op == UnaryOp::Not && is_call(operand),
                _ => false,
            };
            let [only] = &body.returns[..] else {
                return false;
            };
            only.value.is_some_and(negates)
        })
    }

    /// True for a collection into which the test itself puts something.
    pub(super) fn is_filled_by_test(&self, point: &Point) -> bool {
        let (reader, body) = (&self.scene.reader, self.scene.reader.body);
        let is_it = |e: ExprId| {
            let path = reader.path(e);
            path.is_some_and(|p| p.depth == 0 && p.root == point.root)
        };
        point.depth == 0
            && body.calls.iter().any(|call| match call.callee {
                Callee::Method {
                    receiver: Some(on),
                    name,
                } => is_it(on) && FILLS.contains(&body.name(name).as_str()),
                _ => false,
            })
    }

    /// True for a local that holds what one method gives, of which the test asserts that it is there, where that is all
    /// there is to know: it gives one constant, or `null`.
    pub(super) fn is_known_if_there(&self, point: &Point) -> bool {
        let reader = &self.scene.reader;
        let given = self.given_by(point);
        let gives_one = |e: &ExprId| match reader.body.expr(*e).kind {
            ExprKind::Call(c) => match reader.resolved.calls.get(c.ix()) {
                Some(CallTarget::Workspace(m)) => always_gives_the_same(self.workspace, *m),
                _ => false,
            },
            _ => false,
        };
        point.depth == 0 && !given.is_empty() && given.iter().all(gives_one)
    }
}
