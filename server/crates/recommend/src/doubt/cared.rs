//! Whether a test shows that it is about an object, and about what is asked of it.

use super::barely::compares_with_before;
use super::foreseen::is_unforeseen;
use super::{Cue, Judge};
use crate::acts::Touch;
use crate::computed::{is_compound, is_value};
use crate::fields;
use crate::observation_points::Point;
use crate::statistics::Ask;
use flow::ExprId;
use oracle::Root;
use program::{FieldId, MethodId, Ty};
use rustc_hash::FxHashSet;

/// So many other tests of a file have looked at such an object: what none of them asserts nobody wants.
const SIBLINGS: usize = 2;

/// What a field has that nobody sets.
const DEFAULTS: &[&str] = &["false", "0", "null", "0L"];

/// How many fields are few: a call that writes them is about them.
const FEW_WRITTEN: usize = 3;

impl Judge<'_> {
    /// What shows that the test wants a point. `is_moved`: the call at a place writes what the point shows, and little
    /// else.
    pub(super) fn cue(&self, point: &Point, is_moved: impl Fn(u32) -> bool) -> Option<Cue> {
        if point.dropped {
            return self.cue_of_dropped(point);
        }
        let (touch, at) = self.acts.touch(&point.root)?;
        if point.depth > 0 {
            return self.cue_of_part(point, (touch, at), is_moved);
        }
        // What only says how many it has asks for nothing of it.
        let here = !self.is_counted(point) && self.is_asked_here(&point.ask);
        // A list or an array is compared whole only where that is the custom, or nothing else reads it.
        if !is_value(self.workspace.program(), point.ty) && !here && !point.unused {
            return None;
        }
        if self.asks_after(&point.root, at).next().is_some() {
            // Its parts are what the test wants of it; how many it has are not its values.
            return self.is_only_counted(point).then_some(Cue::Barely);
        }
        // What is given to the code under test when it is done is an input.
        if self.given.get(&point.root).is_some_and(|e| *e > at) {
            return None;
        }
        if touch == Touch::Returned && self.is_barely_checked(&point.root) {
            return Some(Cue::Barely);
        }
        if self.topic.is_timed() {
            return None;
        }
        // A test that checks something has chosen what.
        let left = match touch {
            // What is kept and never read before the test goes on is set-up that was left over.
            Touch::Returned => point.unused && self.is_last_act(at),
            Touch::Changed => true,
            Touch::Given => false,
            Touch::Made => point.unused,
        };
        (left && !self.checks()).then_some(Cue::Unasserted)
    }

    /// What assertions ask of an object from a place on: the query, and the assertion.
    pub(super) fn asks_after(&self, root: &Root, at: u32) -> impl Iterator<Item = (&str, ExprId)> {
        let asks = self.scene.timeline.asks.iter();
        let asks = asks.filter(move |a| a.1 == *root && a.2 > at);
        asks.map(|a| (a.0.query.as_str(), ExprId(a.2)))
    }

    /// True for a list of values of which assertions ask how many there are, and nothing more.
    pub(super) fn is_only_counted(&self, point: &Point) -> bool {
        let at = self.acts.touch(&point.root).map_or(0, |t| t.1);
        let counts = |(query, by): (&str, ExprId)| query == "size()" || self.barely.counts(by);
        let mut asks = self.asks_after(&point.root, at).peekable();
        asks.peek().is_some()
            && asks.all(counts)
            && !self.shown.walks(&self.scene.reader, &point.root)
            && is_compound(self.workspace.program(), point.ty)
            && !self.is_shown_empty(&point.root)
            && !self.shown.is_filtered(&point.root)
            && !self.is_counted_enough(point)
    }

    /// True if an assertion compares how many there are with how many there were: what it wants is that nothing came or went.
    pub(super) fn is_compared_with_before(&self, root: &Root) -> bool {
        let assertions = &self.scene.chains.assertions;
        self.asks_after(root, 0).any(|(_, by)| {
            let mut all = assertions.iter().filter(|a| a.expr == by);
            all.any(|a| compares_with_before(self.scene.reader.body, a))
        })
    }

    /// True if an assertion says how many a local has, as it is now, in a fluent way.
    pub(crate) fn is_counted(&self, point: &Point) -> bool {
        let touched = self.acts.touch(&point.root).map_or(0, |t| t.1);
        let places = self.barely.counted(&point.root);
        point.depth == 0 && !point.dropped && places.iter().any(|e| *e > touched)
    }

    /// True if the test checks anything, itself or by a helper.
    pub(crate) fn checks(&self) -> bool {
        self.asserts || self.verifies || self.helper.is_some()
    }

    /// Of the value of a call that the test drops.
    fn cue_of_dropped(&self, point: &Point) -> Option<Cue> {
        let asked = self
            .known
            .statistics()
            .asked(&point.ask, &self.scene.unknown);
        // Whether something was added is dropped by custom; how much is left is not.
        let tells = asked > 0 || !self.asserts || point.ty != Ty::BOOLEAN;
        let is_wanted = !self.topic.is_timed()
            && self.is_dropped_value(point, tells && self.is_last_act(point.used));
        let cue = match self.checks() {
            true => Cue::Dropped,
            false => Cue::Unasserted,
        };
        is_wanted.then_some(cue)
    }

    /// Of what is asked of an object. Of its many queries most are beside the point: a test of a time-out is not about the
    /// size of a pool, and whoever asserts one of them has chosen which.
    fn cue_of_part(
        &self,
        point: &Point,
        (touch, at): (Touch, u32),
        is_moved: impl Fn(u32) -> bool,
    ) -> Option<Cue> {
        // Who says of a part that it is there has looked at it; who counts it may mean which.
        if self.is_barely_read(point) {
            return self.is_counted(point).then_some(Cue::Barely);
        }
        // Of a test that checks nothing the object that its last act left is what there is to check.
        let alone = !self.checks()
            && !self.topic.is_timed()
            && self.is_last_act(at)
            && !is_unforeseen(&point.ask.query)
            && !self.is_negation(point);
        let is_value = is_value(self.workspace.program(), point.ty) || point.unused;
        let left = match touch {
            // That another test asks it says that it is that one's.
            Touch::Returned => {
                self.is_asked_here(&point.ask) && self.topic.is_about(&point.ask.query)
            }
            Touch::Changed => is_moved(at) && !self.is_set_to_default(point),
            Touch::Given | Touch::Made => return None,
        };
        (alone && is_value && left).then_some(Cue::Unasserted)
    }

    /// True if the call of code under test at a place writes few fields, and a point shows one of them.
    pub(super) fn is_moved(&self, point: &Point, at: u32) -> bool {
        let workspace = self.workspace;
        let Some(act) = self.act_at(at) else {
            return false;
        };
        let targets = workspace.call_graph().targets_of(act);
        let chains = targets.bodies().iter().filter_map(|b| workspace.chains(*b));
        let written = chains.flat_map(|c| c.candidates.iter().filter_map(|c| c.field));
        let written: FxHashSet<FieldId> = written.collect();
        let shown = point.reads.as_ref();
        let shown = shown.and_then(|r| fields::shown_by(workspace, r));
        (1..=FEW_WRITTEN).contains(&written.len())
            && shown.is_some_and(|f| !f.is_disjoint(&written))
    }

    /// True if the call that changed an object last gives what a point shows the value that it has from the start:
    /// `closed = false`.
    pub(super) fn is_set_to_default(&self, point: &Point) -> bool {
        let workspace = self.workspace;
        let program = workspace.program();
        let Some((act, shown)) = self.last_act_and_fields(point) else {
            return false;
        };
        let targets = workspace.call_graph().targets_of(act);
        let mut given = Vec::new();
        for &id in targets.bodies().iter() {
            let (Some(chains), Some(decl)) = (workspace.chains(id), program.body(id)) else {
                return false;
            };
            let own = chains.candidates.iter();
            let own = own.filter(|c| c.field.is_some_and(|f| shown.contains(&f)));
            for def in own.filter_map(|c| c.def) {
                let def = &decl.body.defs[def.ix()];
                if def.compound {
                    return false;
                }
                let sources = decl.body.list(def.sources).iter();
                given.extend(sources.map(|e| {
                    let at = decl.body.expr(*e);
                    program.body_text(id, at.start, at.end)
                }));
            }
        }
        !given.is_empty() && given.iter().all(|text| DEFAULTS.contains(text))
    }

    /// The method of code under test that had the object of a point in its hands last, and the fields that the point shows.
    pub(super) fn last_act_and_fields(
        &self,
        point: &Point,
    ) -> Option<(MethodId, FxHashSet<FieldId>)> {
        let (_, at) = self.acts.touch(&point.root)?;
        let shown = fields::shown_by(self.workspace, point.reads.as_ref()?)?;
        Some((self.act_at(at)?, shown))
    }

    /// The method of code under test that the test called last, up to a place.
    pub(super) fn act_at(&self, at: u32) -> Option<MethodId> {
        let program = self.workspace.program();
        let is_act = |s: &&chains::CallSite| {
            s.expr.0 <= at && !program.is_test_type(program.method_owner(s.target))
        };
        let act = self.scene.chains.calls.iter().rev().find(is_act);
        act.map(|s| s.target)
    }

    /// True if an assertion of the same file asks this.
    pub(super) fn is_asked_here(&self, ask: &Ask) -> bool {
        let file = self.workspace.program().body_file(self.scene.id);
        file.is_some_and(|f| self.known.statistics().is_asked_in(f, ask))
    }

    /// Where an act touched the object of a point last, in the file: what it is from there on is what is meant.
    pub(crate) fn touched_at(&self, point: &Point) -> Option<u32> {
        let place = || self.acts.touch(&point.root).filter(|_| !point.dropped);
        let at = match &point.kept {
            Some(kept) => kept.asked.0,
            None => place()?.1,
        };
        let end = self.scene.reader.body.expr(ExprId(at)).end;
        Some(self.scene.start + end)
    }

    /// True for a part of an object if other tests of the file ask such objects something, and none of them this.
    pub(crate) fn is_left_by_siblings(&self, point: &Point) -> bool {
        let file = self.workspace.program().body_file(self.scene.id);
        let others = file.map_or(0, |f| {
            let statistics = self.known.statistics();
            statistics.others_asking(f, self.scene.id, &point.ask.ty)
        });
        point.depth > 0 && others >= SIBLINGS && !self.is_asked_here(&point.ask)
    }

    /// True if what a point is worth may hang on what the other tests of its file assert.
    pub(crate) fn rests_on_siblings(&self, point: &Point) -> bool {
        point.dropped && self.may_be_wanted(point)
    }

    /// True if all that the test asks of a value, since it has it, is whether it is there.
    pub(super) fn is_barely_checked(&self, root: &Root) -> bool {
        let touched = self.acts.touch(root).map_or(0, |t| t.1);
        let places = self.barely.places(root, &self.scene.reader.name_of(root));
        let mut reads = self.scene.timeline.reads_after(root, touched);
        let all_weak = reads.all(|e| places.contains(&e));
        all_weak && places.iter().any(|e| *e > touched)
    }

    /// True if the test does nothing with an exception that it has but ask whether it is there, which is no question.
    pub(crate) fn is_unasked_exception(&self, point: &Point) -> bool {
        let root = &point.root;
        self.acts.caught.contains(root) && (point.unused || self.is_barely_checked(root))
    }

    /// True if the test asserts of just this value, as it is now, that it is there, and reads it nowhere else.
    pub(crate) fn is_barely_read(&self, point: &Point) -> bool {
        let touched = self.acts.touch(&point.root).map_or(0, |t| t.1);
        let text = &point.observation.expression;
        let places = self.barely.places(&point.root, text);
        places.iter().any(|e| *e > touched)
    }

    /// True if an assertion says of an object, as it is now, that there is nothing in it.
    pub(super) fn is_shown_empty(&self, root: &Root) -> bool {
        let touched = self.acts.touch(root).map_or(0, |t| t.1);
        self.looked.is_shown_empty(root, touched)
    }
}
