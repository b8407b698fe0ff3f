//! What captors keep of the calls of mocks: whether a test wants it.
//!
//! Who makes a captor and never asks it has forgotten to, or has no other word for *any*. It is forgotten where the test
//! made it itself, or asserts nothing at all; not where it stands beside one that is asked, nor where something is thrown.

use super::foreseen::{is_time, is_unforeseen};
use super::{ByTest, Judge, Tells, says_little};
use crate::computed::{is_compound, is_value};
use crate::kept::{Kept, is_made, is_put_together};
use crate::observation_points::Point;
use crate::weights::{COMPUTED, UNSTABLE};
use crate::{Cue, Doubt};
use flow::Callee;
use observe::Reads;
use oracle::Assertion;
use oracle::frameworks::any;
use program::{BodyId, Ty};
use rustc_hash::FxHashSet;

impl Judge<'_> {
    /// What the test alone says of such a value.
    pub(super) fn by_test_kept(&self, point: &Point) -> ByTest {
        let doubt = if self.expects || self.disabled || self.acts.must_throw(&point.root, None) {
            Some(Doubt::Aside)
        } else if point.read || self.is_asserted(point) {
            Some(Doubt::Asserted)
        } else {
            self.doubt_of_form(point)
        };
        doubt.map_or(ByTest::Open, ByTest::Doubted)
    }

    /// Why what a local is asked that holds such a value is not worth a look: the test has chosen what is.
    pub(super) fn doubt_of_part_kept(&self, point: &Point) -> Doubt {
        if point.read || self.is_asserted(point) {
            return Doubt::Asserted;
        }
        self.doubt_of_form(point).unwrap_or(Doubt::Aside)
    }

    /// Why no assertion is written for a value as it is.
    fn doubt_of_form(&self, point: &Point) -> Option<Doubt> {
        let program = self.workspace.program();
        if says_little(&point.ask.query) {
            return Some(Doubt::Little);
        }
        if point.depth > 0 && !self.compiles(point) {
            return Some(Doubt::Unknown);
        }
        if let Some(Reads::Method(m)) = &point.reads
            && !self.asks_only(*m)
        {
            return Some(Doubt::Changes);
        }
        let is_bytes = program.element_of(point.ty) == Some(Ty::BYTE);
        let is_comparable =
            is_value(program, point.ty) || is_compound(program, point.ty) && !is_bytes;
        (!is_comparable).then_some(Doubt::Bare)
    }

    /// The judgement of such a value with what it tells on.
    pub(super) fn judged_kept(&self, point: &Point, tells: &Tells) -> Result<Cue, Doubt> {
        let is_unforeseen = is_unforeseen(&point.ask.query) || is_time(point);
        if tells.unstable >= UNSTABLE || is_unforeseen {
            return Err(Doubt::Unstable);
        }
        let is_put_together = || {
            let mut given = point.given.iter();
            !point.given.is_empty()
                && point.depth == 0
                && given.all(|at| is_put_together(self.workspace, *at))
        };
        if tells.computed < COMPUTED && !is_put_together() {
            let covered = tells.with_read >= COMPUTED;
            return Err(if covered {
                Doubt::Covered
            } else {
                Doubt::Passed
            });
        }
        match self.is_wanted_of_captor(point) {
            true => Ok(Cue::Kept),
            false => Err(Doubt::Aside),
        }
    }

    /// True if a test shows that it made a captor to look at what that keeps, and has not done so.
    pub(super) fn is_wanted_of_captor(&self, point: &Point) -> bool {
        let is_forgotten = |kept: &Kept| {
            kept.is_unread && !kept.is_beside && (kept.is_own || !self.asserts_a_value())
        };
        let body = self.scene.reader.body;
        point.kept.as_deref().is_some_and(|kept| {
            is_forgotten(kept)
                && body.loop_around(kept.asked).is_none()
                && !body.is_in_finally(kept.asked)
                && !self.stubs_a_throw()
                && !self.topic.is_timed()
        })
    }

    /// True if the test asserts more than how mocks were used.
    fn asserts_a_value(&self) -> bool {
        let body = self.scene.reader.body;
        let asks = |a: &&Assertion| {
            let call = a.call.map(|c| body.calls[c.ix()].callee);
            match call {
                Some(Callee::Method { name, .. }) => {
                    let name = body.name(name);
                    any(name, |row| row.verifies) || any(name, |row| row.asks)
                }
                _ => false,
            }
        };
        let all = self.scene.chains.assertions.iter();
        all.filter(|a| !asks(a)).count() > 0
    }

    /// True if such a value looks worth an assertion: it is sure, or code under test made it and no part of it is.
    pub(super) fn is_worth_kept(
        &self,
        point: &Point,
        judged: Result<Cue, Doubt>,
        run: &FxHashSet<BodyId>,
    ) -> bool {
        let is_made = || {
            let mut given = point.given.iter();
            given.all(|at| is_made(self.workspace, *at))
        };
        let is_told = match judged {
            Ok(_) => true,
            Err(Doubt::Bare | Doubt::Passed) => {
                point.depth == 0 && self.is_wanted_of_captor(point) && is_made()
            }
            Err(_) => false,
        };
        is_told && !self.draws_lots(run)
    }
}
