//! Whether the value of a call that a test drops was wanted.

use super::Judge;
use crate::observation_points::Point;
use crate::topic::words;
use chains::Source;
use flow::{Callee, ExprId, ExprKind};
use observe::Reads;
use oracle::{Path, Root};

/// Methods that change their object, and whose value is dropped by custom: it says whether, or what was there before.
const CHANGERS: &[&str] = &[
    "put", "add", "remove", "set", "offer", "push", "poll", "pop", "append", "register", "replace",
    "delete", "insert", "update", "clear", "retain", "save", "merge", "write", "execute", "submit",
    "take", "consume", "release", "next", "read", "skip", "publish", "send", "fire", "notify",
    "schedule", "close", "start", "stop", "init", "run",
];

/// Calls that ask a mock what it was told.
const VERIFIES: &[&str] = &[
    "verify",
    "verifyNoInteractions",
    "verifyNoMoreInteractions",
    "should",
];

/// True for a test that verifies what mocks were told.
pub(super) fn verifies(body: &flow::Body) -> bool {
    body.calls.iter().any(|c| match c.callee {
        Callee::Method { name, .. } => VERIFIES.contains(&body.name(name).as_str()),
        _ => false,
    })
}

impl Judge<'_> {
    /// True for a call that is made for its value, as [`Judge::is_wanted`] says, and that no other test of the file asserts.
    pub(super) fn is_dropped_value(&self, point: &Point, plain: bool) -> bool {
        self.is_wanted(point, plain) && !self.is_call_asserted_here(point)
    }

    /// True if whether the value of a dropped call is wanted may hang on what other tests of the file assert.
    pub(crate) fn rests_on_siblings(&self, point: &Point) -> bool {
        point.dropped && self.is_wanted(point, true)
    }

    /// True for a call that is made for its value, once, as far as its own test says: that is named after it, or it is
    /// `plain`. By its name it changes nothing, no function of the test's own answers in it, and nobody looks at its effect.
    fn is_wanted(&self, point: &Point, plain: bool) -> bool {
        let body = self.scene.reader.body;
        let Some(Reads::Uses(uses)) = &point.reads else {
            return false;
        };
        let call = uses.iter().find_map(|u| match u.source {
            Source::Call(site) => self.scene.chains.calls.get(site as usize)?.call,
            _ => None,
        });
        let Some(call) = call.map(|c| &body.calls[c.ix()]) else {
            return false;
        };
        let Callee::Method { name, .. } = call.callee else {
            return false;
        };
        let first = words(body.name(name)).into_iter().next();
        let changes = first.is_some_and(|w| CHANGERS.contains(&w.as_str()));
        let named = self.topic.is_named_after(body.name(name));
        let is_function = |a: &ExprId| {
            matches!(
                body.expr(*a).kind,
                ExprKind::Lambda(_) | ExprKind::MethodRef { .. }
            )
        };
        let functions = body.list(call.args).iter().any(is_function) || self.verifies;
        let often = self.topic.is_dropped_often(&point.observation.expression);
        // In a loop it is made for its effect, or its time.
        let again = body.loop_around(ExprId(point.used)).is_some();
        (named || plain)
            && !(changes || functions || often || again)
            && !self.is_effect_asserted(point, call, named)
    }

    /// True if an assertion after a call looks at the object that it ran on, or at what it was given: the test is about what
    /// the call did to these, and what it returned says no more. Where the test is named after the call, that takes one that
    /// compares them whole.
    fn is_effect_asserted(&self, point: &Point, call: &flow::Call, named: bool) -> bool {
        let reader = &self.scene.reader;
        let body = reader.body;
        let receiver = match call.callee {
            Callee::Method { receiver, .. } => receiver,
            _ => None,
        };
        // What it was given stands as deep as people write it: `dispatch(Arrays.asList(set, get))`.
        let given: Vec<_> = body.list(call.args).iter().map(|e| body.expr(*e)).collect();
        let is_given = |e: &ExprId| {
            let at = body.expr(*e);
            given.iter().any(|g| g.start <= at.start && at.end <= g.end)
        };
        let parts = (0..point.used).map(ExprId).filter(is_given);
        let roots: Vec<Root> = parts
            .chain(receiver)
            .filter_map(|e| reader.path(e))
            .map(|p| p.root)
            .collect();
        let is_part = |p: &Path| roots.contains(&p.root);
        let hold_out = &self.scene.hold_out;
        let visible = |e: ExprId| hold_out.is_before(e) && !hold_out.hides(e);
        let later = self.scene.chains.assertions.iter();
        let mut later = later.filter(|a| a.expr.0 > point.used && visible(a.expr));
        later.any(|a| {
            if named {
                let paths = reader.reading(a).paths;
                return paths.iter().any(|(_, p)| is_part(p) && p.is_whole());
            }
            let end = a.end(body);
            let span = body.expr(end);
            let mut parts = (point.used + 1..=end.0).map(ExprId);
            parts.any(|e| {
                let at = body.expr(e);
                span.start <= at.start
                    && at.end <= span.end
                    && reader.path(e).is_some_and(|p| is_part(&p))
            })
        })
    }

    /// True if another assertion of the same file has this very call.
    fn is_call_asserted_here(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        let Some(file) = program.body_file(self.scene.id) else {
            return false;
        };
        let wanted = point.observation.expression.as_str();
        program.bodies_of_file(file).iter().any(|&b| {
            let (Some(chains), Some(body)) = (self.workspace.chains(b), program.body(b)) else {
                return false;
            };
            b != self.scene.id
                && chains.assertions.iter().any(|a| {
                    let e = body.body.expr(a.expr);
                    program.body_text(b, e.start, e.end).contains(wanted)
                })
        })
    }
}
