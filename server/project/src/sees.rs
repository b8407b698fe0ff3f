//! Which source sets each one sees, and in what order.
//!
//! First those of its own module (tests see fixtures and main), then what these depend on, breadth
//! first: the nearest declaration of a name wins, as on a classpath.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::assemble::{Origin, Set};
use crate::module::Module;
use crate::paths;

/// The edges between the sets of a project.
pub(crate) struct Links<'a> {
    sets: &'a [Set],
    /// Sets of the same module (or around it) that a set is compiled with, in order.
    near: Vec<Vec<usize>>,
    /// Sets of other modules, and whether they are passed on.
    far: Vec<Vec<(usize, bool)>>,
}

impl<'a> Links<'a> {
    pub(crate) fn new(modules: &[Module], sets: &'a [Set], shared: &[(usize, usize)]) -> Links<'a> {
        let mut of_module: Vec<Vec<usize>> = vec![Vec::new(); modules.len()];
        for (index, set) in sets.iter().enumerate() {
            of_module[set.module].push(index);
        }
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); sets.len()];
        for &(set, owner) in shared {
            near[set].push(owner);
        }
        let around = Surroundings::new(modules, sets, &of_module);
        for set in 0..sets.len() {
            near[set].extend(beside(sets, &of_module[sets[set].module], set));
            if sets[set].origin != Origin::Declared {
                near[set].extend(&around.mains[sets[set].module]);
            }
        }
        let far = far(modules, sets, &of_module);
        Links { sets, near, far }
    }

    /// The sets that `start` sees, in the order of lookup, itself not included.
    pub(crate) fn seen_by(&self, start: usize) -> Vec<usize> {
        let mut seen: FxHashSet<usize> = FxHashSet::from_iter([start]);
        let mut order = vec![start];
        let mut at = 0;
        while let Some(&set) = order.get(at) {
            at += 1;
            order.extend(self.near[set].iter().filter(|next| seen.insert(**next)));
        }
        let mut queue: VecDeque<usize> = order
            .iter()
            .flat_map(|&set| self.far[set].iter().map(|(next, _)| *next))
            .collect();
        while let Some(target) = queue.pop_front() {
            if !seen.insert(target) {
                continue;
            }
            let mut at = order.len();
            order.push(target);
            while let Some(&set) = order.get(at) {
                at += 1;
                queue.extend(
                    self.far[set]
                        .iter()
                        .filter(|(_, passed_on)| *passed_on)
                        .map(|(next, _)| *next),
                );
                let declared = |next: &&usize| self.sets[**next].origin == Origin::Declared;
                let next = self.near[set].iter().filter(declared);
                order.extend(next.filter(|next| seen.insert(**next)));
            }
        }
        order.remove(0);
        order
    }
}

/// The sets of the same module that `set` sees, `own` being all of that module.
fn beside(sets: &[Set], own: &[usize], set: usize) -> Vec<usize> {
    let this = &sets[set];
    let mut out: Vec<usize> = Vec::new();
    let others = || own.iter().copied().filter(|&other| other != set);
    if this.is_test && this.name != "testFixtures" {
        let named = |name: &'static str| {
            others().filter(move |&o| {
                sets[o].name == name && sets[o].is_test && sets[o].origin != Origin::Resource
            })
        };
        if this.name != "test" || this.origin != Origin::Declared {
            out.extend(named("test"));
        }
        out.extend(named("testFixtures"));
        if this.origin != Origin::Declared {
            out.extend(others().filter(|&o| sets[o].is_test && sets[o].origin == Origin::Inferred));
        }
    }
    // Programs of their own are seen only by the tests beside them that no build file knows.
    let shared_path = |other: usize| {
        let common = |a: &str, b: &str| {
            a.split('/')
                .zip(b.split('/'))
                .take_while(|(a, b)| a == b)
                .count()
        };
        let pairs = this
            .roots
            .iter()
            .flat_map(|a| sets[other].roots.iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| common(a, b)).max().unwrap_or(0)
    };
    let mut mains: Vec<(usize, usize)> = others()
        .filter(|&other| !sets[other].is_test && sets[other].origin != Origin::Resource)
        .filter_map(|other| match sets[other].origin {
            Origin::Separate if !this.is_test || this.origin == Origin::Declared => None,
            Origin::Separate => Some((shared_path(other), other)).filter(|(shared, _)| *shared > 0),
            _ if this.is_test && this.origin != Origin::Declared => {
                Some((shared_path(other), other))
            }
            _ => Some((0, other)),
        })
        .collect();
    mains.sort_by_key(|&(shared, other)| {
        (
            std::cmp::Reverse(shared),
            sets[other].origin as u8,
            sets[other].name != "main",
            other,
        )
    });
    for (_, main) in mains {
        if !out.contains(&main) {
            out.push(main);
        }
    }
    let mut known = FxHashSet::default();
    out.retain(|set| known.insert(*set));
    out
}

/// For code that no build file explains: the main sets of the modules below its own (examples beside
/// the modules that they show) and, if it has no build file that could say so, above it.
struct Surroundings {
    mains: Vec<Vec<usize>>,
}

impl Surroundings {
    fn new(modules: &[Module], sets: &[Set], of_module: &[Vec<usize>]) -> Surroundings {
        let is_main = |set: &&usize| {
            !sets[**set].is_test
                && matches!(sets[**set].origin, Origin::Declared | Origin::Inferred)
        };
        let mains_of = |module: usize| of_module[module].iter().filter(is_main).copied();
        let mains = (0..modules.len())
            .map(|module| {
                let own = &of_module[module];
                if own.iter().all(|&set| sets[set].origin == Origin::Declared) {
                    return Vec::new();
                }
                let dir = &modules[module].dir;
                let plain = own.iter().all(|&set| sets[set].origin != Origin::Declared);
                let mut out = Vec::new();
                for (other, candidate) in modules.iter().enumerate() {
                    let below = paths::below(&candidate.dir, dir).is_some();
                    let above = plain && paths::below(dir, &candidate.dir).is_some();
                    if other != module && (below || above) && !paths::lies_in_tests(&candidate.dir)
                    {
                        out.extend(mains_of(other));
                    }
                }
                out
            })
            .collect();
        Surroundings { mains }
    }
}

/// The dependencies between modules, as edges between their sets.
fn far(modules: &[Module], sets: &[Set], of_module: &[Vec<usize>]) -> Vec<Vec<(usize, bool)>> {
    let by_dir: FxHashMap<&str, usize> = modules
        .iter()
        .enumerate()
        .map(|(index, module)| (module.dir.as_str(), index))
        .collect();
    let find = |module: usize, name: &str| {
        let named =
            |set: &&usize| sets[**set].origin == Origin::Declared && sets[**set].name == name;
        of_module[module].iter().find(named).copied()
    };
    let mut far: Vec<Vec<(usize, bool)>> = vec![Vec::new(); sets.len()];
    for (index, module) in modules.iter().enumerate() {
        for dependency in &module.dependencies {
            let Some(&target) = by_dir.get(dependency.module.as_str()) else {
                continue;
            };
            let from = find(index, &dependency.from).or_else(|| find(index, "main"));
            let on = find(target, &dependency.on).or_else(|| find(target, "main"));
            if let (Some(from), Some(on)) = (from, on)
                && from != on
                && !far[from].iter().any(|(known, _)| *known == on)
            {
                far[from].push((on, dependency.exported));
            }
        }
    }
    far
}
