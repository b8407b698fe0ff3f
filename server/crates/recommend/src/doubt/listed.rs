//! What looks worth an assertion though a doubt concerns it: lists show it first, and the rest apart.
//!
//! Strangers read what lists showed of tests of projects that nobody had tuned on (`docs/evaluation-trust.md`). Of tests
//! that check nothing seven of eight values were worth an assertion; of those that check something one of fifteen, and the
//! good ones were what code under test had given the test, and what no assertion compares. So what a doubt concerns goes to
//! the rest, with few exceptions, each of which is a row here.

use super::barely::COUNTS;
use super::chosen::receiver;
use super::foreseen::{is_local_unforeseen, is_of_chance, is_sealed, is_unforeseen};
use super::{Judge, says_little};
use crate::acts::Touch;
use crate::computed::{holds_identities, is_value};
use crate::implied::is_summed_up;
use crate::observation_points::Point;
use crate::{Cue, Doubt};
use flow::{Callee, ExprId, ExprKind, LocalId, Target, TypeRef};
use observe::Reads;
use oracle::Root;
use oracle::web::context::is_wired;
use program::{BodyId, CallTarget};
use rustc_hash::FxHashSet;

impl Judge<'_> {
    /// True if no list shows a value: an assertion has it in the same words, or it would compare an object with itself.
    pub(crate) fn is_said(&self, point: &Point) -> bool {
        is_of_itself(&point.observation.expression) || self.said.has(point)
    }

    /// True if a value of which a judge said that looks worth an assertion. `is_asked`: the suite or this test asks it
    /// elsewhere; `checks`: the test checks something; `run`: the bodies that it may run.
    pub(crate) fn is_worth(
        &self,
        point: &Point,
        judged: Result<Cue, Doubt>,
        is_asked: bool,
        checks: bool,
        run: &FxHashSet<BodyId>,
    ) -> bool {
        // What does not run, or not everywhere, is asked nothing.
        if self.disabled {
            return false;
        }
        if point.kept.is_some() {
            return self.is_worth_kept(point, judged, run);
        }
        if self.is_shown_empty(&point.root)
            || self.is_of_a_turn(point)
            || self.topic.is_timed()
            || self.topic.is_about_chance()
            || is_sealed(point)
        {
            return false;
        }
        if !checks && (self.is_given_by_container(point) || self.is_only_text(point))
            || self.is_only_built(point)
        {
            return false;
        }
        if self.is_beside_the_point(point, checks)
            || self.only_passes(point)
            || checks && self.is_open_list(point) && self.is_counted_enough(point)
        {
            return false;
        }
        // A list whose elements are added up is looked at; of one that is as long as before nobody wants more.
        let is_chosen = |root: &Root| {
            is_summed_up(&self.scene.reader, root) || self.is_compared_with_before(root)
        };
        if checks && point.depth == 0 && is_chosen(&point.root) {
            return false;
        }
        // A test that says of a value for each of its arguments that it is there says what it can.
        if self.is_barely_read(point) && (self.is_known_otherwise(point) || self.has_arguments()) {
            return false;
        }
        let doubt = match judged {
            Ok(Cue::Unasserted | Cue::Written) if checks => return false,
            // An empty `catch` behind `fail()` is a choice, too.
            Ok(Cue::Caught) if self.is_of_catch(&point.root) => return false,
            Ok(Cue::Caught) if !self.is_made_by_code(point, run) => return false,
            Ok(_) => return !self.draws_lots(run),
            Err(doubt) => doubt,
        };
        if says_little(&point.ask.query)
            || point.depth > 0 && !self.compiles(point)
            || self.is_of_constant(point)
            || self.is_known_if_there(point)
            || self.is_drawn_behind(point)
            || self.is_filled_by_test(point)
            || self.is_negation(point)
            || self.is_left_alone(point, checks, run)
            || point.dropped && (self.verifies || self.is_dropped_by_custom(point, checks))
            || point.depth > 0 && !point.dropped && self.acts.has_mocks()
            || checks && (self.is_opened(point) || is_raw(point))
        {
            return false;
        }
        let program = self.workspace.program();
        if point.depth > 0 && self.is_barely_read(point) && holds_identities(program, point.ty) {
            return false;
        }
        if checks && self.is_barely_checked(&point.root) && self.is_of_identities(point) {
            return point.depth > 0 && self.is_given(&point.root);
        }
        let given = || point.dropped || self.is_given(&point.root);
        // Whoever checks something has chosen what; what there is besides is a part of a result that is only looked at.
        let is_result = match checks {
            true => given() && self.is_only_looked_at(point),
            false => given(),
        };
        let is_left = || self.is_left_by_act(point);
        match doubt {
            Doubt::Mock | Doubt::Throws | Doubt::Unknown | Doubt::Changes => false,
            Doubt::Little | Doubt::Untouched | Doubt::Covered | Doubt::Asserted => false,
            // The parts of a builder are what the test gave it.
            Doubt::Bare => !checks && is_left() && !self.is_of_builder(point),
            // What passes through from mocks is what they were told.
            Doubt::Passed if self.is_barely_read(point) && self.is_of_stubs(point) => false,
            // That it is there says nothing of what it is; of what differs from run to run it is all that can be said.
            Doubt::Passed if self.is_barely_read(point) => {
                !is_local_unforeseen(point) && !self.goes_on(&point.root)
            }
            Doubt::Passed if self.is_only_counted(point) && self.is_of_code(point) => {
                let is_known = || holds_identities(program, point.ty) || self.goes_on(&point.root);
                !is_local_unforeseen(point) && !is_known()
            }
            Doubt::Passed => !checks && is_result && is_asked,
            Doubt::Unstable => false,
            Doubt::Aside if self.is_kept_exception(point) => self.is_made_by_code(point, run),
            Doubt::Aside if self.expects => false,
            // That a part is there says nothing of what it is, as of what only passed.
            Doubt::Aside if self.is_barely_read(point) => {
                !is_unforeseen(&point.ask.query) && !self.goes_on(&point.root)
            }
            // Siblings assert it: each has chosen its own side.
            Doubt::Aside if checks && self.is_another_side(point) => false,
            Doubt::Aside if is_unforeseen(&point.ask.query) => false,
            // What the code under test is given then is an input.
            Doubt::Aside if point.depth == 0 && !point.dropped && self.goes_on(&point.root) => {
                false
            }
            Doubt::Aside => is_result || is_left() || !checks,
        }
    }

    /// True for the value of a call that tells nothing of what the test is about, or that nobody can foresee.
    fn is_dropped_by_custom(&self, point: &Point, checks: bool) -> bool {
        let is_before_act = || !self.is_last_act(point.used) || self.is_asked_after(point.used);
        is_of_chance(point) || checks && is_before_act() || self.is_by_the_way(point, checks)
    }

    /// True for a list of objects that are the same only as themselves, and for how many it has: nobody writes down which
    /// they are.
    fn is_of_identities(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        match point.depth {
            0 => holds_identities(program, point.ty),
            1 => counts(&point.observation.expression) && holds_identities(program, point.object),
            _ => false,
        }
    }

    /// True for a part of what a test that checks something has besides, of which no assertion says anything, and for what it
    /// drops. Developers assert such parts more often than anything else, so that they come before the rest; and yet strangers
    /// found 9 of 43 worth it, later 4 of 14 where an assertion says that the object is there, and of what was dropped (set-up,
    /// waiting, cleaning up) 4 of 16 (`docs/evaluation-trust.md`), so that they are told with the rest. What an assertion only
    /// says to be there itself is another matter.
    pub(crate) fn is_usual(&self, point: &Point, judged: Result<Cue, Doubt>, checks: bool) -> bool {
        let is_part = point.depth > 0 && !self.is_kept_exception(point);
        let is_beside = || is_part && !self.is_barely_read(point);
        checks && judged == Err(Doubt::Aside) && (point.dropped || is_beside())
    }

    /// True for what an object gives that a container puts into a field of the test's class: what it knows is a store's, which
    /// who asserts nothing only looks at.
    fn is_given_by_container(&self, point: &Point) -> bool {
        let reader = &self.scene.reader;
        let (program, body) = (reader.program, reader.body);
        let is_put_in = |e: ExprId| match reader.path(e).map(|path| path.root) {
            Some(Root::Field(field)) => {
                let decl = program.field_decl(field);
                decl.is_some_and(|d| d.annotations.iter().any(|a| is_wired(a)))
            }
            _ => false,
        };
        let given = self.given_by(point);
        !point.dropped
            && given.iter().any(|e| match body.expr(*e).kind {
                ExprKind::Call(c) => receiver(body, c).is_some_and(is_put_in),
                _ => false,
            })
    }

    /// True for an object's text or hash: who asks for it and asserts nothing asks whether that works.
    fn is_only_text(&self, point: &Point) -> bool {
        let body = self.scene.reader.body;
        let given = self.given_by(point);
        let is_text = |e: &ExprId| match body.expr(*e).kind {
            ExprKind::Call(c) => {
                let no_arguments = body.calls[c.ix()].args.len == 0;
                no_arguments && ["toString", "hashCode"].contains(&body.called(c))
            }
            _ => false,
        };
        point.depth == 0 && !given.is_empty() && given.iter().all(is_text)
    }

    /// True for an object that a builder makes and nobody keeps: that it can be made is what the test is for.
    fn is_only_built(&self, point: &Point) -> bool {
        let body = self.scene.reader.body;
        point.dropped
            && match body.expr(ExprId(point.used)).kind {
                ExprKind::Call(c) => body.called(c) == "build",
                _ => false,
            }
    }

    /// True for a local that is another one in each turn of a loop, and for a call whose value is dropped in one, or that is
    /// given such a local.
    fn is_of_a_turn(&self, point: &Point) -> bool {
        let body = self.scene.reader.body;
        let turns = |local: LocalId| {
            let mut defs = body.defs.iter();
            defs.any(|d| d.target == Target::Local(local) && body.loop_around(d.expr).is_some())
        };
        if point.dropped {
            if body.loop_around(ExprId(point.used)).is_some() {
                return true;
            }
            let call = body.expr(ExprId(point.used));
            let within = |e: &&flow::Expr| call.start <= e.start && e.end <= call.end;
            let mut locals = body.exprs.iter().filter(within);
            return locals.any(|e| matches!(e.kind, ExprKind::Local(local) if turns(local)));
        }
        match &point.root {
            Root::Local(own, local) => *own == self.scene.reader.id && turns(*local),
            _ => false,
        }
    }

    /// True for what methods of code under test give, also of such that have no code here: a framework writes it, of a query or
    /// an address.
    fn is_of_code(&self, point: &Point) -> bool {
        let reader = &self.scene.reader;
        let is_of_code = |e: &ExprId| match reader.body.expr(*e).kind {
            ExprKind::Call(c) => match reader.resolved.calls.get(c.ix()) {
                Some(CallTarget::Workspace(m)) => {
                    !reader.program.is_test_type(reader.program.method_owner(*m))
                }
                _ => false,
            },
            _ => false,
        };
        let given = self.given_by(point);
        point.depth == 0 && !given.is_empty() && given.iter().all(is_of_code)
    }

    /// True if code under test is given it after it gave it: then that is what it is for.
    fn goes_on(&self, root: &Root) -> bool {
        let since = self.acts.touch(root).map_or(0, |t| t.1);
        self.given.get(root).is_some_and(|at| *at > since)
    }

    /// True if an assertion looks at what another call gave after this one: the test is about that one, whoever has its
    /// code.
    fn is_asked_after(&self, call: u32) -> bool {
        let (body, own) = (self.scene.reader.body, self.scene.reader.id);
        let gives = |e: &ExprId| e.0 > call && matches!(body.expr(*e).kind, ExprKind::Call(_));
        body.defs.iter().any(|d| match d.target {
            Target::Local(local) => {
                self.looked.is_asserted(local)
                    && body.list(d.sources).iter().any(gives)
                    && !self.acts.is_mock(&Root::Local(own, local))
            }
            _ => false,
        })
    }

    /// True for a part of an object, or the value of a call, that another test of the file asserts, where this one asserts
    /// something else of the object.
    fn is_another_side(&self, point: &Point) -> bool {
        point.depth > 0 && !self.is_barely_checked(&point.root) && self.is_asked_here(&point.ask)
    }

    /// True if the test, or its class, has mocks.
    pub(crate) fn has_mocks(&self) -> bool {
        self.acts.has_mocks()
    }

    /// True for what an exception carries.
    pub(crate) fn is_of_exception(&self, point: &Point) -> bool {
        self.acts.caught.contains(&point.root)
    }

    /// True for what an exception carries that the test keeps, by `E e = assertThrows(…)`, and then does not look at: its
    /// message, where the file asserts one, and what its own class adds.
    fn is_kept_exception(&self, point: &Point) -> bool {
        let root = &point.root;
        let is_own = || match point.reads {
            Some(Reads::Method(m)) => {
                let program = self.workspace.program();
                !program.is_test_type(program.method_owner(m))
            }
            _ => point.ask.query == "getMessage()" && self.is_asked_here(&point.ask),
        };
        let is_kept = self.is_unasked_exception(point) && !self.is_of_catch(root);
        is_kept && point.depth == 1 && !self.stubs_a_throw() && is_own()
    }

    /// True for a part of an exception of which code under test says what is in it: of its own, or of a class that it makes
    /// objects of. What a library throws through it, says what that library says.
    fn is_made_by_code(&self, point: &Point, run: &FxHashSet<BodyId>) -> bool {
        let program = self.workspace.program();
        let class = point.ask.ty.rsplit('.').next().unwrap_or_default();
        let is_any = ["Exception", "RuntimeException", "Throwable", "Error"].contains(&class);
        let makes = |id: &BodyId| {
            let Some(decl) = program.body(*id) else {
                return false;
            };
            let body = &*decl.body;
            // A text that is always the same tells nothing that its class does not.
            let says = |call: &flow::Call| {
                let mut args = body.list(call.args).iter();
                args.any(|a| !matches!(body.expr(*a).kind, ExprKind::Literal(_)))
            };
            body.calls.iter().any(|call| match call.callee {
                Callee::New { ty, .. } if says(call) => match &body.types[ty.ix()] {
                    TypeRef::Named(all) => all.last().is_some_and(|s| {
                        s.name == class || is_any && s.name.ends_with("Exception")
                    }),
                    _ => false,
                },
                _ => false,
            })
        };
        let is_own = matches!(point.reads, Some(Reads::Method(_)));
        is_own || run.iter().any(makes)
    }

    /// True if a call of code under test gave it to the test, with a body or without: an interface whose code is made
    /// elsewhere. What the test then gives to code under test is an input.
    fn is_given(&self, root: &Root) -> bool {
        if self.goes_on(root) {
            return false;
        }
        if let Some((touch, _)) = self.acts.touch(root) {
            return touch == Touch::Returned;
        }
        let reader = &self.scene.reader;
        let (program, body) = (reader.program, reader.body);
        let Root::Local(_, local) = root else {
            return false;
        };
        let is_of_workspace = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => match reader.resolved.calls.get(c.ix()) {
                Some(CallTarget::Workspace(m)) => !program.is_test_type(program.method_owner(*m)),
                _ => false,
            },
            _ => false,
        };
        let mut defs = body
            .defs
            .iter()
            .filter(|d| d.target == Target::Local(*local));
        defs.any(|d| body.list(d.sources).iter().any(|e| is_of_workspace(*e)))
    }

    /// True if the test asks an object anything, or compares it.
    pub(crate) fn has_looked_at(&self, root: &Root) -> bool {
        self.equal.contains(root) || self.mentioned.keys().any(|(r, _)| r == root)
    }

    /// True if the test does nothing with an object but read it in assertions.
    fn is_only_looked_at(&self, point: &Point) -> bool {
        if point.dropped {
            return true;
        }
        let Root::Local(own, local) = &point.root else {
            return false;
        };
        let is_object = self.workspace.program().class_of(point.object).is_some();
        *own == self.scene.reader.id
            && self.looked.is_only_read(*local, is_object)
            && !self.whole.contains(&point.root)
    }

    /// True for an object of which the test reads a part besides how much there is, or asks something
    /// (`text.contains("a")`): it was opened, and what it is looked at for is chosen.
    fn is_opened(&self, point: &Point) -> bool {
        if point.depth > 0 || point.dropped {
            return false;
        }
        let mut parts = self.mentioned.keys().filter(|(r, _)| *r == point.root);
        parts.any(|(_, text)| !counts(text)) || self.looked.is_opened(&point.root)
    }

    /// True for what an assertion computes another value with, and for a collection of which the size is asserted, where
    /// assertions ask its object for single ones: `assertEquals(b, a + 1)`, `assertEquals(1, row.get("a"))` beside
    /// `row.cells()`.
    fn is_known_otherwise(&self, point: &Point) -> bool {
        match (&point.root, point.depth) {
            (Root::Local(own, local), 0) => {
                *own == self.scene.reader.id && self.looked.is_operand(*local)
            }
            (root, _) => {
                !is_value(self.workspace.program(), point.ty) && self.looked.is_asked_for_some(root)
            }
        }
    }
}

/// Nobody writes down which bytes there are.
fn is_raw(point: &Point) -> bool {
    point.depth == 0 && point.observation.ty == "byte[]"
}

/// `rows.size()`
fn counts(text: &str) -> bool {
    COUNTS.iter().any(|q| text.ends_with(q))
}

/// `x.compareTo(x)`
fn is_of_itself(expression: &str) -> bool {
    let call = expression
        .strip_suffix(')')
        .and_then(|e| e.rsplit_once('('));
    let Some((callee, argument)) = call else {
        return false;
    };
    callee
        .rsplit_once('.')
        .is_some_and(|(object, _)| object == argument)
}

#[cfg(test)]
mod tests {
    use super::is_of_itself;

    #[test]
    fn what_is_compared_with_itself_is_known() {
        assert!(is_of_itself("a.compareTo(a)"));
        for other in ["a.compareTo(b)", "a.b()", "a", "f(a)", "ab.eq(b)"] {
            assert!(!is_of_itself(other), "{other}");
        }
    }
}
