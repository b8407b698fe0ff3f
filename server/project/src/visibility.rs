//! Which source sets each one sees, and in what order.
//!
//! First those of its own module (tests see fixtures and main), then what these depend on, breadth
//! first: the nearest declaration of a name wins, as on a classpath.

use std::collections::VecDeque;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::Module;
use crate::paths;

/// A source set in the making; it may turn out to have no files.
pub(crate) struct Set {
    pub(crate) module: usize,
    /// Within the module.
    pub(crate) name: String,
    pub(crate) is_test: bool,
    pub(crate) roots: Vec<String>,
    pub(crate) origin: Origin,
}

/// Why a source set is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A build file or a convention of its build tool.
    Declared,
    /// The packages of files outside of all declared roots; compiled together with the rest.
    Inferred,
    /// The same, but it declares what another set of the module declares, too: a program of its own.
    Separate,
    /// Java files among resources: data, which nothing else sees.
    Resource,
}

/// The edges between the sets of a project.
pub(crate) struct Dependencies<'a> {
    sets: &'a [Set],
    /// Sets of the same module (or around it) that a set is compiled with, in order.
    near: Vec<Vec<usize>>,
    /// Sets of other modules, and whether they are passed on.
    far: Vec<Vec<(usize, bool)>>,
}

impl<'a> Dependencies<'a> {
    pub(crate) fn new(
        modules: &[Module],
        sets: &'a [Set],
        shared: &[(usize, usize)],
    ) -> Dependencies<'a> {
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
        Dependencies { sets, near, far }
    }

    /// The sets that each of `starts` sees, nearest first, itself not included.
    pub(crate) fn seen_by(&self, starts: &[usize]) -> Vec<Vec<usize>> {
        let most = share(self.sets.len());
        starts
            .par_iter()
            .map_init(|| Walk::new(self), |walk, &start| walk.seen_by(start, most))
            .collect()
    }
}

/// So many sets may all sets together see; beyond that each sees an equal share, the nearest ones, and never fewer than
/// [`FEWEST_SEEN`]. A build of two thousand modules that see each other is below it.
const MOST_SEEN: usize = 16_000_000;
const FEWEST_SEEN: usize = 512;

/// How many others each of `count` sets may see.
fn share(count: usize) -> usize {
    (MOST_SEEN / count.max(1)).max(FEWEST_SEEN)
}

/// Goes from set to set; its tables serve one start after the other.
struct Walk<'l, 'a> {
    dependencies: &'l Dependencies<'a>,
    round: u32,
    /// By set: the round in which it was seen, and in which it was queued.
    seen: Vec<u32>,
    queued: Vec<u32>,
    queue: VecDeque<usize>,
    /// How many edges were followed.
    followed: usize,
}

impl<'l, 'a> Walk<'l, 'a> {
    fn new(dependencies: &'l Dependencies<'a>) -> Walk<'l, 'a> {
        Walk {
            dependencies,
            round: 0,
            seen: vec![0; dependencies.sets.len()],
            queued: vec![0; dependencies.sets.len()],
            queue: VecDeque::new(),
            followed: 0,
        }
    }

    fn see(&mut self, set: usize) -> bool {
        std::mem::replace(&mut self.seen[set], self.round) != self.round
    }

    /// Queues what `set` sees of other modules.
    fn queue(&mut self, set: usize, is_start: bool) {
        let far = &self.dependencies.far[set];
        self.followed += far.len();
        for &(next, passed_on) in far {
            if (is_start || passed_on)
                && self.seen[next] != self.round
                && std::mem::replace(&mut self.queued[next], self.round) != self.round
            {
                self.queue.push_back(next);
            }
        }
    }

    /// The sets that `start` sees, in the order of lookup, itself not included; at most so many.
    fn seen_by(&mut self, start: usize, most: usize) -> Vec<usize> {
        let dependencies = self.dependencies;
        self.round += 1;
        self.queue.clear();
        self.see(start);
        let mut order = vec![start];
        let mut at = 0;
        while let Some(&set) = order.get(at) {
            at += 1;
            self.followed += dependencies.near[set].len();
            order.extend(
                dependencies.near[set]
                    .iter()
                    .filter(|next| self.see(**next)),
            );
        }
        for &set in &order {
            self.queue(set, true);
        }
        while let Some(target) = self.queue.pop_front() {
            if order.len() > most {
                break;
            }
            if !self.see(target) {
                continue;
            }
            let mut at = order.len();
            order.push(target);
            while let Some(&set) = order.get(at) {
                at += 1;
                self.queue(set, false);
                let near = &dependencies.near[set];
                self.followed += near.len();
                let declared = |next: &&usize| dependencies.sets[**next].origin == Origin::Declared;
                let next = near.iter().filter(declared);
                order.extend(next.filter(|next| self.see(**next)));
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
        let by_dir = by_dir(modules);
        let mains = (0..modules.len())
            .map(|module| {
                let own = &of_module[module];
                if own.iter().all(|&set| sets[set].origin == Origin::Declared) {
                    return Vec::new();
                }
                let dir = &modules[module].dir;
                let plain = own.iter().all(|&set| sets[set].origin != Origin::Declared);
                // Modules are sorted by folder: those around it come first, those below it stand together.
                let around = std::iter::successors(paths::parent(dir), |dir| paths::parent(dir));
                let mut others: Vec<usize> = around
                    .filter(|_| plain)
                    .filter_map(|dir| by_dir.get(dir).copied())
                    .collect();
                others.reverse();
                others.extend(below(modules, dir));
                others
                    .retain(|&other| other != module && !paths::lies_in_tests(&modules[other].dir));
                let mut out = Vec::new();
                for other in others {
                    out.extend(mains_of(other));
                }
                out
            })
            .collect();
        Surroundings { mains }
    }
}

fn by_dir(modules: &[Module]) -> FxHashMap<&str, usize> {
    let modules = modules.iter().enumerate();
    modules
        .map(|(index, module)| (module.dir.as_str(), index))
        .collect()
}

/// The modules below `dir`, of all modules sorted by folder.
fn below(modules: &[Module], dir: &str) -> std::ops::Range<usize> {
    if dir.is_empty() {
        return 0..modules.len();
    }
    let start = format!("{dir}/");
    let first = modules.partition_point(|module| *module.dir < *start);
    let rest = modules[first..].iter();
    let count = rest.take_while(|module| module.dir.starts_with(&start));
    first..first + count.count()
}

/// The dependencies between modules, as edges between their sets.
fn far(modules: &[Module], sets: &[Set], of_module: &[Vec<usize>]) -> Vec<Vec<(usize, bool)>> {
    let by_dir = by_dir(modules);
    let find = |module: usize, name: &str| {
        let named =
            |set: &&usize| sets[**set].origin == Origin::Declared && sets[**set].name == name;
        of_module[module].iter().find(named).copied()
    };
    let mut far: Vec<Vec<(usize, bool)>> = vec![Vec::new(); sets.len()];
    let mut known: FxHashSet<(usize, usize)> = FxHashSet::default();
    for (index, module) in modules.iter().enumerate() {
        for dependency in &module.dependencies {
            let Some(&target) = by_dir.get(dependency.module.as_str()) else {
                continue;
            };
            let from = find(index, &dependency.from).or_else(|| find(index, "main"));
            let on = find(target, &dependency.on).or_else(|| find(target, "main"));
            if let (Some(from), Some(on)) = (from, on)
                && from != on
                && known.insert((from, on))
            {
                far[from].push((on, dependency.exported));
            }
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Dependency;

    /// Modules of one set each, of which each needs the `needed` before it.
    fn modules(count: usize, needed: usize) -> (Vec<Module>, Vec<Set>) {
        let dir = |at: usize| format!("m{at:06}");
        let module = |at: usize| {
            let mut module = Module::new(&dir(at));
            module.dependencies = (1..=needed)
                .filter_map(|step| at.checked_sub(step))
                .map(|other| Dependency {
                    from: "main".to_owned(),
                    module: dir(other),
                    on: "main".to_owned(),
                    exported: true,
                })
                .collect();
            module
        };
        let set = |module: usize| Set {
            module,
            name: "main".to_owned(),
            is_test: false,
            roots: vec![format!("{}/src", dir(module))],
            origin: Origin::Declared,
        };
        (
            (0..count).map(module).collect(),
            (0..count).map(set).collect(),
        )
    }

    #[test]
    fn all_that_a_set_sees_nearest_first() {
        let (modules, sets) = modules(100, 2);
        let dependencies = Dependencies::new(&modules, &sets, &[]);
        assert_eq!(
            dependencies.seen_by(&[5, 1, 0]),
            [vec![4, 3, 2, 1, 0], vec![0], vec![]]
        );
    }

    /// Each edge is followed once for each set that looks, and no further than its share.
    #[test]
    fn what_is_seen_ends_at_a_share() {
        let (modules, sets) = modules(3_000, 5);
        let dependencies = Dependencies::new(&modules, &sets, &[]);
        let mut walk = Walk::new(&dependencies);
        assert_eq!(walk.seen_by(2_999, usize::MAX).len(), 2_999);
        assert!(walk.followed <= 5 * 3_000, "{}", walk.followed);
        walk.followed = 0;
        assert_eq!(walk.seen_by(2_999, 20).len(), 20);
        assert!(walk.followed <= 5 * 30, "{}", walk.followed);
        assert_eq!(share(2), MOST_SEEN / 2);
        assert!(share(100_000) * 100_000 <= 4 * MOST_SEEN);
    }

    #[test]
    fn folders_below_stand_together() {
        let dirs = ["", "a", "a-b", "a/b", "a/b/c", "ab", "b"];
        let modules: Vec<Module> = dirs.iter().map(|dir| Module::new(dir)).collect();
        assert_eq!(below(&modules, "a"), 3..5);
        assert_eq!(below(&modules, "b"), 7..7);
        assert_eq!(below(&modules, ""), 0..7);
    }
}
