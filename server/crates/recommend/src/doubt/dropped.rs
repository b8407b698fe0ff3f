//! Whether the value of a call that a test drops was wanted.

use super::Judge;
use super::foreseen::is_unforeseen;
use crate::observation_points::Point;
use crate::topic::words;
use chains::{CallSite, Source};
use flow::{Callee, ExprId, ExprKind};
use observe::Reads;
use oracle::Root;
use oracle::frameworks::any;
use oracle::promises::CHECKING;
use program::MethodId;

/// Methods that change their object, and whose value is dropped by custom: it says whether, or what was there before.
const CHANGERS: &[&str] = &[
    "put", "add", "remove", "set", "offer", "push", "poll", "pop", "append", "register", "replace",
    "delete", "insert", "update", "clear", "retain", "save", "merge", "write", "execute", "submit",
    "take", "consume", "release", "next", "read", "skip", "publish", "send", "fire", "notify",
    "schedule", "close", "start", "stop", "init", "run", "flush", "wait", "await", "join",
];

/// Those of collections that put something in: whether it was there tells nothing that what is in it does not.
pub(super) const FILLS: &[&str] = &[
    "put", "add", "set", "push", "offer", "append", "putAll", "addAll",
];

/// Calls that put things away, by their first word: where a test is not named after one, it ends with it.
const CLEANS: &[&str] = &[
    "drop",
    "delete",
    "remove",
    "destroy",
    "purge",
    "truncate",
    "clear",
    "clean",
    "cleanup",
    "reset",
    "close",
    "stop",
    "shutdown",
    "terminate",
    "release",
    "free",
    "unregister",
    "rollback",
    "dispose",
];

/// So many calls of one method are there to see that none throws.
const MANY: usize = 5;

/// Methods, and classes of them, that give back what they checked: their value is dropped by custom.
const CHECKERS: &[&str] = &["Assert", "Validate", "Preconditions", "Objects", "Checks"];

/// True for a test that verifies what mocks were told, or looks at the answer to a request.
pub(super) fn verifies(body: &flow::Body) -> bool {
    body.calls.iter().any(|c| match c.callee {
        Callee::Method { name, .. } => {
            let name = body.name(name).as_str();
            any(name, |row| row.verifies)
                || any(name, |row| row.asks)
                || any(name, |row| row.answered)
        }
        _ => false,
    })
}

impl Judge<'_> {
    /// True for a call that is made for its value, as far as its own test says, and that no other test of the file asserts:
    /// the test is named after it, or it is `plain`. By its name it changes nothing, and nobody looks at its effect.
    pub(super) fn is_dropped_value(&self, point: &Point, plain: bool) -> bool {
        let body = self.scene.reader.body;
        let call = self.dropped_call(point).and_then(|s| s.call);
        let Some(Callee::Method { name, .. }) = call.map(|c| body.calls[c.ix()].callee) else {
            return false;
        };
        let name = body.name(name);
        let first = words(name).into_iter().next();
        let changes = first.is_some_and(|w| {
            let w = w.as_str();
            CHANGERS.contains(&w) || CLEANS.contains(&w) || CHECKING.contains(&w)
        });
        let named = self.topic.is_named_after(name);
        (named || plain)
            && !changes
            && self.may_be_wanted(point)
            && !self.is_checked_after(point.used)
            && !self.is_call_asserted_here(point)
    }

    /// True for a call that may be made for its value: the test makes it once and in no loop, no function of the test's own
    /// answers in it, and it is no helper of the test's.
    pub(super) fn may_be_wanted(&self, point: &Point) -> bool {
        let body = self.scene.reader.body;
        let Some(site) = self.dropped_call(point) else {
            return false;
        };
        let functions = self.is_given_functions(site) || self.verifies;
        let often = self.topic.is_dropped_often(&point.observation.expression)
            || self.is_made_again_and_again(site);
        // In a loop it is made for its effect, or its time; at the end of all ways to put things away.
        let call = ExprId(point.used);
        let again = body.loop_around(call).is_some() || body.is_in_finally(call);
        !(functions || often || again || self.is_inherited(site.target) || self.checks_itself(site))
    }

    /// True for a call of a method that the test calls many times: it is there to see that none throws.
    fn is_made_again_and_again(&self, site: &CallSite) -> bool {
        let sites = self.scene.chains.calls.iter();
        sites.filter(|s| s.target == site.target).count() >= MANY
    }

    /// True for a call that the test gives functions of its own, which answer in it.
    fn is_given_functions(&self, site: &CallSite) -> bool {
        let body = self.scene.reader.body;
        self.given_to(site).any(|a| {
            matches!(
                body.expr(a).kind,
                ExprKind::Lambda(_) | ExprKind::MethodRef { .. }
            )
        })
    }

    /// The arguments of a call.
    fn given_to(&self, site: &CallSite) -> impl Iterator<Item = ExprId> {
        let body = self.scene.reader.body;
        let call = site.call.map(|c| &body.calls[c.ix()]);
        let given = call.into_iter().flat_map(|c| body.list(c.args));
        given.copied()
    }

    /// True for a dropped value that no list tells, whatever else is known of it: of a call that the test gives functions
    /// of its own; one that another test of the file asserts; and where the test checks something, of a call that fills a
    /// collection, and of one that fills what an assertion looks at.
    pub(super) fn is_by_the_way(&self, point: &Point, checks: bool) -> bool {
        let Some(site) = self.dropped_call(point) else {
            return false;
        };
        let program = self.workspace.program();
        let name = program.method_decl(site.target).map(|m| m.name.as_str());
        let fills = || {
            let reader = &self.scene.reader;
            self.given_to(site).any(|a| match reader.path(a) {
                Some(path) if path.depth == 0 => match path.root {
                    Root::Local(_, local) => self.looked.is_asserted(local),
                    _ => false,
                },
                _ => false,
            })
        };
        let cleans = |name: &str| {
            let first = words(name).into_iter().next();
            first.is_some_and(|w| CLEANS.contains(&w.as_str())) && !self.topic.is_named_after(name)
        };
        self.is_given_functions(site)
            || self.is_made_again_and_again(site)
            || self.is_call_asserted_here(point)
            || name.is_some_and(|n| is_unforeseen(n) && !self.topic.is_named_after(n))
            || checks && (name.is_some_and(|n| FILLS.contains(&n) || cleans(n)) || fills())
    }

    /// The call whose value a point drops.
    fn dropped_call(&self, point: &Point) -> Option<&CallSite> {
        let Some(Reads::Uses(uses)) = point.reads.as_ref().filter(|_| point.dropped) else {
            return None;
        };
        uses.iter().find_map(|u| match u.source {
            Source::Call(site) => self.scene.chains.calls.get(site as usize),
            _ => None,
        })
    }

    /// True for a method of a class that checks its arguments: `Assert.notNull(x)`.
    fn checks_itself(&self, site: &CallSite) -> bool {
        let program = self.workspace.program();
        let owner = program.type_decl(program.method_owner(site.target));
        owner.is_some_and(|o| CHECKERS.contains(&o.name.as_str()))
    }

    /// True for a method of the test's classes or of those above them: a helper, in whatever folder it stands.
    fn is_inherited(&self, method: MethodId) -> bool {
        let program = self.workspace.program();
        let owner = program.method_owner(method);
        let own = program.body_owner(self.scene.id);
        let mut around = std::iter::successors(Some(own), |c| program.enclosing_type(*c));
        around.any(|c| c == owner || program.supertypes(c).contains(&owner))
    }

    /// True if the test checks something after a call: then it is about what the call did, and what it returned says no
    /// more.
    fn is_checked_after(&self, call: u32) -> bool {
        let hold_out = &self.scene.hold_out;
        let visible = |e: ExprId| hold_out.is_before(e) && !hold_out.hides(e);
        let mut assertions = self.scene.chains.assertions.iter();
        self.helper > Some(call) || assertions.any(|a| a.expr.0 > call && visible(a.expr))
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
