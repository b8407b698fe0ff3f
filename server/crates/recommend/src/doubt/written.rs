//! Where a test that checks nothing has code under test write: a writer, a stream or a builder that it made empty, gave away
//! and never looked at. What is in it then is all that there is to see.

use super::Judge;
use crate::computed::is_text_holder;
use crate::observation_points::Point;
use flow::{Body, Callee, DefId, ExprId, ExprKind, Target};
use oracle::{Reader, Root};

impl Judge<'_> {
    /// True for the text of such an object. See the module's description.
    pub(super) fn is_written_text(&self, point: &Point) -> bool {
        let reader = &self.scene.reader;
        let Root::Local(id, local) = point.root else {
            return false;
        };
        let is_text = point.depth == 1 && point.ask.query == "toString()";
        if !is_text || id != self.scene.id || self.checks() {
            return false;
        }
        if !is_text_holder(reader.program, point.object) {
            return false;
        }
        let body = reader.body;
        let defs = body.defs.iter().enumerate();
        let mut own = defs.filter(|(_, def)| def.target == Target::Local(local));
        let (Some((at, _)), None) = (own.next(), own.next()) else {
            return false;
        };
        self.given.contains_key(&point.root)
            && is_made_empty(body, DefId(at as u32))
            && !is_asked(reader, &point.root)
            && !is_only_kept(reader, &point.root)
    }
}

/// True if it is given to constructors alone, and nothing is asked of what they make: they keep it, and write nothing yet.
pub(crate) fn is_only_kept(reader: &Reader<'_>, root: &Root) -> bool {
    let body = reader.body;
    let is_it = |e: &ExprId| reader.path(*e).is_some_and(|p| p.root == *root);
    let mut takers = body
        .calls
        .iter()
        .filter(|call| body.list(call.args).iter().any(is_it));
    takers.all(|call| {
        let into = body.defs.iter().find_map(|d| match d.target {
            Target::Local(local) if body.list(d.sources) == [call.expr] => Some(local),
            _ => None,
        });
        let is_made = |e: ExprId| {
            e == call.expr || into.is_some_and(|l| body.expr(e).kind == ExprKind::Local(l))
        };
        let mut others = body.calls.iter().filter(|c| c.expr != call.expr);
        matches!(call.callee, Callee::New { .. })
            && !others.any(|c| {
                let on = c.callee.on().map(|(on, _)| on);
                on.is_some_and(is_made) || body.list(c.args).iter().any(|a| is_made(*a))
            })
    })
}

/// True for a definition by a constructor that is given nothing, or a size.
fn is_made_empty(body: &Body, def: DefId) -> bool {
    let [source] = body.list(body.defs[def.ix()].sources) else {
        return false;
    };
    let ExprKind::Call(c) = body.expr(*source).kind else {
        return false;
    };
    let call = &body.calls[c.ix()];
    let is_number =
        |e: &ExprId| matches!(body.expr(*e).kind, ExprKind::Literal(flow::Literal::Int));
    matches!(call.callee, Callee::New { .. }) && body.list(call.args).iter().all(is_number)
}

/// True if the test calls something on an object itself.
fn is_asked(reader: &Reader<'_>, root: &Root) -> bool {
    let mut calls = reader.body.calls.iter();
    calls.any(|call| match call.callee {
        Callee::Method {
            receiver: Some(receiver),
            ..
        } => reader.path(receiver).is_some_and(|p| p.root == *root),
        _ => false,
    })
}
