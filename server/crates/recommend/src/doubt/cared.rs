//! Whether a test shows that it is about an object, and about what is asked of it.

use super::barely::{COUNTS, says_empty};
use super::{Cue, Judge};
use crate::acts::Touch;
use crate::computed::{is_compound, is_value};
use crate::observation_points::Point;
use crate::statistics::Ask;
use calls::class_under_test;
use oracle::{Path, Root};
use program::Ty;

/// Queries of a collection that leave its values open.
const KEYS_ONLY: &[&str] = &["keySet()", "size()"];

/// How often a suite must ask a type for its habits to say what is seldom asked, and which part of it that is.
const OFTEN: u32 = 6;
const SELDOM: u32 = 15;
/// What is asked so often (a fourth of all) needs no other test of the same file that asks it.
const USUAL: u32 = 4;

impl Judge<'_> {
    /// What shows that the test is about the object: it asserts another part of it, keeps what it never reads, or
    /// asserts nothing at all; or the suite asks the same of what was changed.
    /// `is_written`: a method that ran on the object wrote what the point reads, or is all that the test does, and the test's
    /// class is about it.
    pub(super) fn cue(&self, point: &Point, is_written: impl FnOnce() -> bool) -> Option<Cue> {
        let statistics = self.known.statistics();
        let asked = statistics.asked(&point.ask, &self.scene.unknown);
        if point.dropped {
            // Whether something was added is dropped by custom; how much is left is not.
            let tells = asked > 0 || !self.asserts || point.ty != Ty::BOOLEAN;
            let is_wanted = self.is_dropped_value(point, tells && self.is_last_act(point.used));
            return is_wanted.then_some(Cue::Dropped);
        }
        let (touch, at) = self.acts.touch(&point.root)?;
        if point.depth > 0 && self.is_barely_read(point) {
            return Some(Cue::Barely);
        }
        // Where a suite often asks objects of this type, what it seldom asks of them is not what they are about.
        let of_type = statistics.asked_of(&point.ask.ty, &self.scene.unknown);
        let here = self.is_asked_here(&point.ask);
        let seldom = asked < 2 || asked * SELDOM < of_type || !here && asked * USUAL < of_type;
        if point.depth > 0 && of_type >= OFTEN && seldom {
            return None;
        }
        // A list or an array is compared whole only where that is the custom, or nothing else reads it.
        if !is_value(self.workspace.program(), point.ty) && !here && !point.unused {
            return None;
        }
        // What is given to the code under test when it is done is an input, unless the test asserts a part of it.
        let input = self.given.get(&point.root).is_some_and(|e| *e > at);
        // Of the many queries of an object most are beside the point.
        let mut cue = match self.asserts {
            true => Cue::Kept,
            false => Cue::Unasserted,
        };
        if point.depth > 0 {
            let returned = touch == Touch::Returned;
            cue = if returned && !(self.asserts || self.verifies) {
                Cue::Unasserted
            } else if self.topic.is_left(&point.root) {
                Cue::Left
            } else if returned && self.topic.names(&point.ask.query, at) {
                // Of what was changed, a name alone does not say that what ran moved it.
                Cue::Named
            } else if is_written() {
                Cue::Written
            } else {
                return None;
            };
            // These say that somebody could want it: that an assertion of the same file asks it says that somebody does.
            // A flag, or a part of objects that are compared whole, is wanted where it is asserted, and nowhere else.
            let is_guess = matches!(cue, Cue::Left | Cue::Named | Cue::Written);
            let tells_little = point.ty == Ty::BOOLEAN || self.topic.is_of_equality();
            if is_guess && self.asserts && (tells_little || !here) {
                return None;
            }
        }
        let asks = &self.scene.timeline.asks;
        let of_root = asks
            .iter()
            .any(|(_, root, e)| *root == point.root && *e > at);
        if point.depth == 0 && of_root {
            // Its parts are what the test wants of it; the keys of a map are not its values.
            let mut asked = asks.iter().filter(|a| a.1 == point.root && a.2 > at);
            let keys_only = asked.all(|a| KEYS_ONLY.contains(&a.0.query.as_str()));
            let is_walked = self.shown.walks(&self.scene.reader, &point.root);
            let is_compound = is_compound(self.workspace.program(), point.ty);
            let is_open = keys_only && !is_walked && is_compound;
            return (is_open && !self.is_shown_empty(&point.root)).then_some(Cue::Barely);
        }
        let is_cared_for = match touch {
            _ if of_root => true,
            _ if input => false,
            // What is kept and never read before the test goes on is set-up that was left over.
            Touch::Returned => {
                point.unused && self.is_last_act(at) || self.is_barely_checked(&point.root)
            }
            Touch::Changed => here || !self.asserts,
            Touch::Given => false,
            Touch::Made => !self.asserts && point.unused,
        };
        is_cared_for.then_some(cue)
    }

    /// True if an assertion of the same file asks this.
    pub(super) fn is_asked_here(&self, ask: &Ask) -> bool {
        let file = self.workspace.program().body_file(self.scene.id);
        file.is_some_and(|f| self.known.statistics().is_asked_in(f, ask))
    }

    /// True if the test's class is named after the type of the object that is asked, or after one above it. Nobody can tell of
    /// a library's type, nor where no class under test has the test's name.
    pub(super) fn is_subject(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        let named = class_under_test(program, program.body_owner(self.scene.id));
        let (Some(_), Some(class)) = (named, program.class_of(point.object)) else {
            return true;
        };
        let above = program.supertypes(class);
        let mut types = std::iter::once(class).chain(above);
        types.any(|t| {
            let is_named = |d: &program::TypeDecl| self.topic.is_class_named_after(&d.name);
            program.type_decl(t).is_some_and(is_named)
        })
    }

    /// True if all that the test asks of a value, since it has it, is whether it is there.
    fn is_barely_checked(&self, root: &Root) -> bool {
        let touched = self.acts.touch(root).map_or(0, |t| t.1);
        let places = self.barely.places(root, &self.scene.reader.name_of(root));
        let mut reads = self.scene.timeline.reads_after(root, touched);
        let all_weak = reads.all(|e| places.contains(&e));
        all_weak && places.iter().any(|e| *e > touched)
    }

    /// True if the test asserts of just this value, as it is now, that it is there, and reads it nowhere else.
    pub(crate) fn is_barely_read(&self, point: &Point) -> bool {
        let touched = self.acts.touch(&point.root).map_or(0, |t| t.1);
        let text = &point.observation.expression;
        let places = self.barely.places(&point.root, text);
        places.iter().any(|e| *e > touched)
    }

    /// True if an assertion says that a collection has no elements: then there is nothing else in it to look at.
    fn is_shown_empty(&self, root: &Root) -> bool {
        let reader = &self.scene.reader;
        let mut assertions = self.scene.chains.assertions.iter();
        assertions.any(|a| {
            let counted = |p: &Path| p.depth == 0 || COUNTS.iter().any(|q| p.text.ends_with(q));
            let paths = reader.reading(a).paths;
            paths.iter().any(|(_, p)| p.root == *root && counted(p)) && says_empty(reader, a)
        })
    }
}
