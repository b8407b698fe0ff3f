//! How likely a developer asks a point, from what this test and its suite ask.

use super::observation_points::Point;
use crate::offer::Ground;
use crate::{Switches, weights};
use program::{BodyId, Ty};
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
        Priors {
            uses: latest(|p| p.used),
            changes: latest(|p| p.changed),
            scene_of,
            ground,
            switches,
        }
    }

    pub(super) fn factor(&self, point: &Point) -> f64 {
        let Some(&at) = self.scene_of.get(&point.body) else {
            return 1.0;
        };
        let scene = &self.ground.scenes[at];
        let mut factor = 1.0;
        let place = |all: &[u32], at: u32| all.iter().position(|x| *x == at).unwrap_or(0).min(12);
        if self.switches.recent {
            factor *= weights::USED_BEFORE.powi(place(&self.uses[at], point.used) as i32);
        }
        if self.switches.changed_last {
            factor *= weights::CHANGED_BEFORE.powi(place(&self.changes[at], point.changed) as i32);
        }
        if self.switches.habits {
            let statistics = self.ground.known.statistics();
            let exact = f64::from(statistics.asked(&point.ask, &scene.unknown));
            let by_name = f64::from(statistics.asked_by_name(&point.ask.query, &scene.unknown));
            factor *=
                (1.0 + exact).powf(weights::ASKED) * (1.0 + by_name).powf(weights::ASKED_BY_NAME);
            if exact > 0.0 {
                factor *= weights::ASKED_AT_ALL;
            }
            if self.switches.seldom_text && exact == 0.0 && point.ask.query == TEXT {
                factor *= weights::SELDOM_TEXT;
            }
        }
        if self.switches.asked_here {
            let asks = &scene.timeline.asks;
            let same = |root: bool| {
                asks.iter()
                    .any(|(ask, of, _)| *ask == point.ask && (*of == point.root) == root)
            };
            if same(true) {
                factor *= weights::ASKED_OF_IT;
            }
            if same(false) {
                factor *= weights::ASKED_OF_ANOTHER;
            }
            if asks.iter().any(|(_, root, _)| *root == point.root) {
                factor *= weights::OBJECT_ASKED;
            }
        }
        if self.switches.unused && point.unused {
            factor *= weights::UNUSED;
        }
        if self.switches.depth && point.depth > 1 {
            factor *= weights::DEEP;
        }
        if self.switches.known_calls && point.ask.has_arguments() {
            factor *= weights::WITH_ARGUMENTS;
        }
        if self.switches.parts && point.ask.query.is_empty() {
            factor *= weights::WHOLE;
        }
        if self.switches.comparable && !self.is_comparable(point.ty) {
            factor *= weights::NOT_COMPARABLE;
        }
        factor
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
