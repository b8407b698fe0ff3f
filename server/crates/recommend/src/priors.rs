//! How likely a developer asks a point, from what this test and its suite ask.

use super::features::{Seen, ValueKind};
use super::observation_points::{Point, Scene, is_of_call};
use crate::ground::Ground;
use crate::{Switches, weights};
use calls::class_under_test;
use program::{BodyId, Ty, TypeId};
use rustc_hash::FxHashMap;

/// The query that gives an object as a text, as an [`Ask`](crate::Ask) has it.
const TEXT: &str = "toString()";

/// See the module's description.
pub(super) struct Priors<'g> {
    ground: &'g Ground<'g>,
    switches: &'g Switches,
    /// By scene: its roots' last uses, latest first.
    uses: Vec<Vec<u32>>,
    /// By scene: its roots' last changes, latest first.
    changes: Vec<Vec<u32>>,
    /// By body: its scene.
    scene_of: FxHashMap<BodyId, usize>,
    /// By scene: the class that its test is about.
    classes: Vec<Option<TypeId>>,
}

impl<'g> Priors<'g> {
    pub(super) fn new(ground: &'g Ground<'g>, switches: &'g Switches) -> Priors<'g> {
        // A scope of thousands of tests has a hundred times as many points: nothing is looked for among them all.
        let scenes = ground.scenes.iter().enumerate();
        let scene_of: FxHashMap<BodyId, usize> = scenes.map(|(at, s)| (s.id, at)).collect();
        let latest = |of: fn(&Point) -> u32| {
            let mut places = vec![Vec::new(); ground.scenes.len()];
            for point in &ground.points {
                if let Some(&scene) = scene_of.get(&point.body) {
                    places[scene].push(of(point));
                }
            }
            for places in &mut places {
                places.sort_unstable_by(|a: &u32, b| b.cmp(a));
                places.dedup();
            }
            places
        };
        let program = ground.workspace.program();
        let about = |s: &Scene<'_>| class_under_test(program, program.body_owner(s.id));
        Priors {
            classes: ground.scenes.iter().map(about).collect(),
            uses: latest(|p| p.used),
            changes: latest(|p| p.changed),
            scene_of,
            ground,
            switches,
        }
    }

    /// What the test and its suite ask of a point; what it tells is for others to add. None outside of the tests' own code.
    pub(super) fn seen(&self, point: &Point) -> Option<Seen> {
        let at = *self.scene_of.get(&point.body)?;
        let scene = &self.ground.scenes[at];
        let place = |all: &[u32], at: u32| all.iter().position(|x| *x == at).unwrap_or(0);
        let statistics = self.ground.known.statistics();
        let asks = &scene.timeline.asks;
        let same = |root: bool| {
            let mut asks = asks.iter();
            asks.any(|(ask, of, _)| *ask == point.ask && (*of == point.root) == root)
        };
        let class = self.classes[at];
        Some(Seen {
            used_later: place(&self.uses[at], point.used),
            changed_later: place(&self.changes[at], point.changed),
            asked: f64::from(statistics.asked(&point.ask, &scene.unknown)),
            asked_by_name: f64::from(statistics.asked_by_name(&point.ask.query, &scene.unknown)),
            asked_of_it: same(true),
            asked_of_another: same(false),
            object_asked: asks.iter().any(|(_, root, _)| *root == point.root),
            unused: point.unused,
            is_deep: point.depth > 1,
            is_of_call: is_of_call(&point.observation.expression),
            has_arguments: point.ask.has_arguments(),
            is_whole: point.ask.query.is_empty(),
            is_comparable: self.is_comparable(point.ty),
            is_text_of: point.ask.query == TEXT,
            is_dropped: point.dropped,
            is_of_class: class.is_some() && class == self.class_of(point.object),
            kind: ValueKind::of(&point.observation.ty),
            ..Seen::default()
        })
    }

    /// How likely a developer asks it, relative to others: a product of what each fact is worth.
    pub(super) fn factor(&self, seen: &Seen) -> f64 {
        let on = self.switches;
        let mut factor = 1.0;
        let mut times = |on: bool, by: f64| factor *= if on { by } else { 1.0 };
        let place = |at: usize| at.min(weights::LATER) as i32;
        times(on.recent, weights::USED_BEFORE.powi(place(seen.used_later)));
        let changed = weights::CHANGED_BEFORE.powi(place(seen.changed_later));
        times(on.changed_last, changed);
        let asked = (1.0 + seen.asked).powf(weights::ASKED)
            * (1.0 + seen.asked_by_name).powf(weights::ASKED_BY_NAME);
        times(on.statistics, asked);
        times(on.statistics && seen.asked > 0.0, weights::ASKED_AT_ALL);
        let is_seldom = seen.asked == 0.0 && seen.is_text_of;
        times(on.statistics && is_seldom, weights::SELDOM_TEXT);
        times(on.asked_here && seen.asked_of_it, weights::ASKED_OF_IT);
        times(
            on.asked_here && seen.asked_of_another,
            weights::ASKED_OF_ANOTHER,
        );
        times(on.asked_here && seen.object_asked, weights::OBJECT_ASKED);
        times(on.unused && seen.unused, weights::UNUSED);
        times(on.depth && seen.is_deep, weights::DEEP);
        times(
            on.known_calls && seen.has_arguments,
            weights::WITH_ARGUMENTS,
        );
        times(on.parts && seen.is_whole, weights::WHOLE);
        times(
            on.comparable && !seen.is_comparable,
            weights::NOT_COMPARABLE,
        );
        factor
    }

    /// The class of an object, if it is one of the project.
    fn class_of(&self, object: Ty) -> Option<TypeId> {
        self.ground.workspace.program().class_of(object)
    }

    fn is_comparable(&self, ty: Ty) -> bool {
        let program = self.ground.workspace.program();
        ty == Ty::UNKNOWN
            || ty.is_primitive()
            || program
                .library_class_of(ty)
                .is_some_and(|n| n.starts_with("java.lang.") || n.starts_with("java.math."))
    }
}
