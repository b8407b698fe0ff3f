//! What assertions say already of the object of a point, in other queries of the same fields.

use super::Judge;
use crate::acts::Touch;
use crate::fields;
use crate::observation_points::Point;
use flow::{ExprId, ExprKind};
use observe::Reads;
use program::{CallTarget, FieldId, Ty};
use rustc_hash::FxHashSet;

impl Judge<'_> {
    /// True if each field that a query shows is read by an assertion on its own: by a query that shows this one alone, and
    /// says more than yes or no. What code under test stores and returns at once shows as well by what is returned.
    pub(super) fn is_shown_by_fields(&self, point: &Point) -> bool {
        let workspace = self.workspace;
        let asserted = self.read.get(&point.root).map_or(&[][..], Vec::as_slice);
        let Some(reads) = point.reads.as_ref().filter(|_| point.depth == 1) else {
            return false;
        };
        if self.is_what_was_returned(point) {
            return true;
        }
        if asserted.is_empty() {
            return false;
        }
        let alone = asserted.iter().filter_map(|(reads, ty)| {
            let fields = fields::shown_by(workspace, reads)?;
            let mut all = fields.into_iter();
            match (all.next(), all.next()) {
                (Some(only), None) if *ty != Ty::BOOLEAN || point.ty == Ty::BOOLEAN => Some(only),
                _ => None,
            }
        });
        let alone: FxHashSet<FieldId> = alone.collect();
        !alone.is_empty() && fields::shown_by(workspace, reads).is_some_and(|f| f.is_subset(&alone))
    }

    /// True for a flag by which an asserted query of the same object decides.
    pub(super) fn is_asked_by_asserted(&self, point: &Point) -> bool {
        let (Some(Reads::Method(flag)), 1, Ty::BOOLEAN) = (&point.reads, point.depth, point.ty)
        else {
            return false;
        };
        let asserted = self.read.get(&point.root).into_iter().flatten();
        let mut asserted = asserted.filter_map(|(reads, _)| match reads {
            Reads::Method(m) if m != flag => Some(*m),
            _ => None,
        });
        let graph = self.workspace.call_graph();
        asserted.any(|m| {
            graph.targets_of(m).bodies().iter().any(|&b| {
                let chains = self.workspace.chains(b);
                chains.is_some_and(|c| c.calls.iter().any(|s| s.target == *flag))
            })
        })
    }

    /// True if what changed the object last returned a value of the same type as the query's, and an assertion reads that.
    pub(super) fn is_what_was_returned(&self, point: &Point) -> bool {
        let Some((Touch::Changed, at)) = self.acts.touch(&point.root) else {
            return false;
        };
        let reader = &self.scene.reader;
        let body = reader.body;
        let act = body.expr(ExprId(at));
        let ExprKind::Call(c) = act.kind else {
            return false;
        };
        let Some(CallTarget::Workspace(method)) = reader.resolved.calls.get(c.ix()) else {
            return false;
        };
        let mut assertions = self.scene.chains.assertions.iter();
        // Two yes or no are seldom the same question.
        point.ty != Ty::BOOLEAN
            && self.workspace.program().return_type(*method) == point.ty
            && assertions.any(|a| {
                let span = body.expr(a.end(body));
                span.start <= act.start && act.end <= span.end
            })
    }
}
