//! How likely a developer asks a point, from what this test and its suite ask.

use super::points::Point;
use crate::Switches;
use crate::offer::Ground;
use program::{BodyId, Ty};
use rustc_hash::FxHashMap;

/// The query that gives an object as a text, as [`Ask`] has it.
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
            factor *= 0.75_f64.powi(place(&self.uses[at], point.used) as i32);
        }
        if self.switches.changed_last {
            factor *= 0.5_f64.powi(place(&self.changes[at], point.changed) as i32);
        }
        if self.switches.habits {
            let habits = self.ground.known.statistics();
            let exact = f64::from(habits.asked(&point.ask, &scene.unknown));
            let by_name = f64::from(habits.asked_by_name(&point.ask.query, &scene.unknown));
            factor *= (1.0 + exact).powf(0.25) * (1.0 + by_name).powf(0.1);
            if exact > 0.0 {
                factor *= 2.0;
            }
            if self.switches.seldom_text && exact == 0.0 && point.ask.query == TEXT {
                factor *= 0.5;
            }
        }
        if self.switches.asked_here {
            let asks = &scene.timeline.asks;
            let same = |root: bool| {
                asks.iter()
                    .any(|(ask, of, _)| *ask == point.ask && (*of == point.root) == root)
            };
            if same(true) {
                factor *= 12.0;
            }
            if same(false) {
                factor *= 3.0;
            }
            if asks.iter().any(|(_, root, _)| *root == point.root) {
                factor *= 2.0;
            }
        }
        if self.switches.unused && point.unused {
            factor *= 3.0;
        }
        if self.switches.depth && point.depth > 1 {
            factor *= 0.05;
        }
        if self.switches.known_calls && point.ask.has_arguments() {
            factor *= 0.2;
        }
        if self.switches.parts && point.ask.query.is_empty() {
            factor *= 0.6;
        }
        if self.switches.comparable && !self.is_comparable(point.ty) {
            factor *= 0.6;
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
