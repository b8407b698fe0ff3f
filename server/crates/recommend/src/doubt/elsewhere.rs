//! What is decided elsewhere: by the network, by another program, by code that is not here, by a branch that the test may not
//! take, or by what it gave on purpose.

use super::Judge;
use super::counted::STORES;
use crate::computed::{is_compound, is_text};
use crate::from_mocks::is_filled;
use crate::observation_points::Point;
use flow::{Body, Callee, ExprId, ExprKind};
use program::{BodyId, TypeId};

/// Names of constants that nobody gives but to see whether the code bears them.
const EXTREMES: &[&str] = &[
    "MAX_VALUE",
    "MIN_VALUE",
    "NaN",
    "POSITIVE_INFINITY",
    "NEGATIVE_INFINITY",
];

/// How what takes something out of an object begins.
const TAKES: &[&str] = &["pop", "poll", "remove", "take", "dequeue", "next"];

impl Judge<'_> {
    /// True for a value that something else than the code under test decides. Costs a walk over the bodies behind it.
    pub(crate) fn is_decided_elsewhere(&self, point: &Point) -> bool {
        point.kept.is_none()
            && (self.is_in_branch(point)
                || self.is_given_nothing(point)
                || self.is_handed_back(point)
                || self.is_numbered_by_store(point)
                || self.is_of_emptied(point)
                || point.dropped && (self.gives_nothing(point) || self.is_given_extremes(point))
                || self.is_of_others(point))
    }

    /// True for what a call in a branch of the test gives.
    fn is_in_branch(&self, point: &Point) -> bool {
        let given = self.given_by(point);
        let mut sites = self.scene.chains.calls.iter();
        sites.any(|s| given.contains(&s.expr) && s.entry < 1.0 - 1e-9)
    }

    /// True for what a call gives that only hands its argument back: `(T) o`.
    fn is_handed_back(&self, point: &Point) -> bool {
        self.all_give(point, |body, mut e| {
            while let ExprKind::Cast { operand, .. } = body.expr(e).kind {
                e = operand;
            }
            match body.expr(e).kind {
                ExprKind::Local(local) => body.calls.is_empty() && body.params.contains(&local),
                _ => false,
            }
        })
    }

    /// True for what a call gives that is what a store numbered an object by: `return saved.getId();`.
    fn is_numbered_by_store(&self, point: &Point) -> bool {
        self.all_give(point, |body, e| {
            let stores = |e: ExprId| match body.expr(e).kind {
                ExprKind::Call(c) => STORES.iter().any(|s| body.called(c).starts_with(s)),
                _ => false,
            };
            let is_stored = |e: ExprId| match body.expr(e).kind {
                ExprKind::Local(local) => body.locals[local.ix()].init.is_some_and(stores),
                _ => stores(e),
            };
            match body.expr(e).kind {
                ExprKind::Call(c) => {
                    let on = body.calls[c.ix()].callee.on().map(|(on, _)| on);
                    body.called(c) == "getId" && on.is_some_and(is_stored)
                }
                _ => false,
            }
        })
    }

    /// True for what calls give of which all code that is here gives nothing but such.
    fn all_give(&self, point: &Point, is_such: impl Fn(&Body, ExprId) -> bool) -> bool {
        let program = self.workspace.program();
        let bodies = self.bodies_called(point);
        let gives = |id: &BodyId| {
            let Some(decl) = program.body(*id) else {
                return false;
            };
            let body = &*decl.body;
            let mut all = body.returns.iter().filter_map(|r| r.value).peekable();
            all.peek().is_some() && all.all(|e| is_such(body, e))
        };
        (point.dropped || point.depth == 0) && !bodies.is_empty() && bodies.iter().all(gives)
    }

    /// True for a call on an object, or a part of it, that a loop emptied: `while (!all.isEmpty()) all.pop();`.
    fn is_of_emptied(&self, point: &Point) -> bool {
        let reader = &self.scene.reader;
        let body = reader.body;
        let on = |call: &flow::Call| {
            let (on, name) = call.callee.on()?;
            let root = reader.path(on).filter(|p| p.depth == 0)?.root;
            Some((root, body.name(name).as_str()))
        };
        let asked = match (point.dropped, body.expr(ExprId(point.used)).kind) {
            (true, ExprKind::Call(c)) => on(&body.calls[c.ix()]).map(|(root, _)| root),
            (true, _) => None,
            (false, _) => (point.depth > 0).then(|| point.root.clone()),
        };
        let Some(own) = asked else {
            return false;
        };
        let of_own = |is_such: fn(&str) -> bool| {
            let named = body
                .calls
                .iter()
                .filter(move |call| body.method_name(call).is_some_and(|n| is_such(n)));
            named.filter(|call| on(call).is_some_and(|(root, _)| root == own))
        };
        let takes = |name: &str| TAKES.iter().any(|t| name.starts_with(t));
        of_own(|name| name == "isEmpty").any(|asks| {
            let around = body.loop_around(asks.expr);
            let is_before = !point.dropped || asks.expr.0 < point.used;
            let mut taken = of_own(takes).filter(|call| body.loop_around(call.expr) == around);
            is_before && around.is_some() && taken.next().is_some()
        })
    }

    /// True for a call that is given a number as large as there are.
    fn is_given_extremes(&self, point: &Point) -> bool {
        let body = self.scene.reader.body;
        let whole = body.expr(ExprId(point.used));
        let within = |e: &&flow::Expr| whole.start <= e.start && e.end <= whole.end;
        body.exprs.iter().filter(within).any(|e| match e.kind {
            ExprKind::Field { name, .. } | ExprKind::Name(name) => {
                EXTREMES.contains(&body.name(name).as_str())
            }
            _ => false,
        })
    }

    /// True for a list, or a part, of what a call gives that is given an object into which nobody put anything, and no other.
    fn is_given_nothing(&self, point: &Point) -> bool {
        let reader = &self.scene.reader;
        let body = reader.body;
        let program = reader.program;
        // What could have been put into it: `order.setId(3)`, Lombok's too.
        let takes = |class: TypeId| {
            let sets = program.methods_of_type(class).iter().any(|m| {
                let decl = program.method_decl(*m);
                decl.is_some_and(|d| d.params.len() == 1 && d.name.starts_with("set"))
            });
            let decl = program.type_decl(class);
            sets || decl.is_some_and(|d| d.annotations.iter().any(|a| a == "Data" || a == "Setter"))
        };
        let is_bare = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => {
                let call = &body.calls[c.ix()];
                let class = program.class_of(reader.resolved.ty(e));
                matches!(call.callee, Callee::New { .. })
                    && call.args.len == 0
                    && class.is_some_and(takes)
            }
            _ => false,
        };
        let is_empty = |e: &ExprId| match body.expr(*e).kind {
            ExprKind::Local(local) => {
                let init = body.locals[local.ix()].init;
                init.is_some_and(is_bare) && !is_filled(reader, local)
            }
            _ => is_bare(*e),
        };
        let gives_empty = |e: &ExprId| match body.expr(*e).kind {
            ExprKind::Call(c) => {
                let call = &body.calls[c.ix()];
                let args = body.list(call.args);
                let is_method = matches!(call.callee, Callee::Method { .. });
                is_method && !args.is_empty() && args.iter().all(is_empty)
            }
            _ => false,
        };
        let is_of_parts = point.depth > 0 || is_compound(reader.program, point.ty);
        !point.dropped && is_of_parts && self.given_by(point).iter().any(gives_empty)
    }

    /// True for what another machine says, and for what another program writes, that code under test behind a value asks or
    /// starts.
    fn is_of_others(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        let is_written = is_text(program, point.ty) || is_compound(program, point.ty);
        let asks = |id: &BodyId| {
            let (Some(decl), Some(resolved)) = (program.body(*id), self.workspace.resolved(*id))
            else {
                return false;
            };
            let body = &*decl.body;
            body.calls.iter().any(|call| {
                let (Some(name), Some((on, _))) = (body.method_name(call), call.callee.on()) else {
                    return false;
                };
                // The class is put into words where the name may be one.
                models::may_go_out(name) && {
                    let class = program.display_type(resolved.ty(on));
                    models::goes_out(&class, name)
                        || is_written && models::starts_a_program(&class, name)
                }
            })
        };
        self.bodies_behind(point).iter().any(asks)
    }

    /// True for a call of which the code that is here only throws: what runs instead, stands elsewhere.
    fn gives_nothing(&self, point: &Point) -> bool {
        let bodies = self.bodies_called(point);
        let gives = |id: &BodyId| {
            let decl = self.workspace.program().body(*id);
            decl.is_none_or(|d| d.body.returns.iter().any(|r| r.value.is_some()))
        };
        !bodies.is_empty() && !bodies.iter().any(gives)
    }

    /// The bodies that the calls which give a value may run themselves.
    fn bodies_called(&self, point: &Point) -> Vec<BodyId> {
        let graph = self.workspace.call_graph();
        let given = self.given_by(point);
        let sites = self.scene.chains.calls.iter();
        let sites = sites.filter(|s| given.contains(&s.expr));
        sites
            .flat_map(|s| graph.targets(s).bodies().to_vec())
            .collect()
    }
}
