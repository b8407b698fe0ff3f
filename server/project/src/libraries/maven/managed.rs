//! What poms declare and manage, read once and shared by all that inherit it.
//!
//! A parent with thousands of managed entries is inherited by every module. Its entries are the same for all of them
//! unless a property that they name is: so each pom's entries are made once for each set of answers that its properties
//! get ([`SharedLevels`]), and dependency management is a list of such levels, nearest first ([`Managed`]). Reading costs
//! time by modules and entries, not by their product.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::properties::{Asked, Level, Lineage, Properties, is_special};
use crate::libraries::repository::Gav;
use crate::maven::Artifact;

/// What tells two dependencies apart: group, artifact, kind, classifier; as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u32);

impl Key {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The keys of all artifacts that were met.
#[derive(Default)]
pub(super) struct Keys {
    numbers: FxHashMap<(String, String, String, String), u32>,
}

impl Keys {
    pub(super) fn of(&mut self, artifact: &Artifact) -> Key {
        let kind = artifact.kind.as_deref().unwrap_or("jar");
        let classifier = artifact.classifier.as_deref().unwrap_or("");
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let key = (
            artifact.group.clone(),
            artifact.artifact.clone(),
            kind.to_owned(),
            classifier.to_owned(),
        );
        Key(*self.numbers.entry(key).or_insert(next))
    }
}

/// A dependency, or an entry of dependency management.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: Key,
    pub(super) artifact: Arc<Artifact>,
}

/// Entries by key; of several the first counts.
#[derive(Debug, Default)]
pub(super) struct Table {
    entries: Vec<Entry>,
    by_key: FxHashMap<Key, usize>,
}

impl Table {
    fn add(&mut self, entry: &Entry) {
        let next = self.entries.len();
        if *self.by_key.entry(entry.key).or_insert(next) == next {
            self.entries.push(entry.clone());
        }
    }

    fn get(&self, key: Key) -> Option<&Entry> {
        self.by_key.get(&key).map(|&index| &self.entries[index])
    }
}

/// Dependency management: tables of which the first that has a key counts.
#[derive(Debug, Default)]
pub(super) struct Managed {
    tables: Vec<Arc<Table>>,
    whole: OnceLock<Arc<Table>>,
}

impl Managed {
    /// Adds a table behind the others.
    pub(super) fn push(&mut self, table: &Arc<Table>) {
        if !table.entries.is_empty() && !self.tables.iter().any(|own| Arc::ptr_eq(own, table)) {
            self.tables.push(Arc::clone(table));
        }
    }

    pub(super) fn get(&self, key: Key) -> Option<&Entry> {
        self.tables.iter().find_map(|table| table.get(key))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Artifact> {
        self.whole().entries.iter().map(|entry| &*entry.artifact)
    }

    /// All of it as one table, made when it is first asked for: what an importer of a bill of materials takes over.
    pub(super) fn whole(&self) -> &Arc<Table> {
        self.whole.get_or_init(|| match &self.tables[..] {
            [one] => Arc::clone(one),
            tables => {
                let mut whole = Table::default();
                for entry in tables.iter().flat_map(|table| &table.entries) {
                    whole.add(entry);
                }
                Arc::new(whole)
            }
        })
    }
}

/// What one pom of a lineage declares and manages, properties replaced.
#[derive(Debug)]
pub(super) struct LevelEntries {
    pub(super) dependencies: Vec<Entry>,
    pub(super) managed: Arc<Table>,
    /// The bills of materials that it imports.
    pub(super) imports: Vec<Gav>,
    /// The properties that they name, with the answers.
    asked: Asked,
    /// Of these, what is told of a pom as such: its version, its folder.
    special: Vec<String>,
    /// And what a nearer pom of the lineage says, for each of them.
    nearer: Vec<Vec<String>>,
    /// The numbers of the lineage that it was made for, down to its own.
    tails: Vec<usize>,
}

impl LevelEntries {
    /// The entries of the pom at `depth` of a lineage with these properties and numbers.
    pub(super) fn of(
        depth: usize,
        tails: &[usize],
        properties: &Properties<'_>,
        keys: &mut Keys,
    ) -> LevelEntries {
        let lineage = properties.lineage;
        let level = &lineage.levels[depth];
        properties.note();
        let mut dependencies = Ordered::default();
        let mut managed = Ordered::default();
        for section in level.sections() {
            for (from, to) in [
                (&section.dependencies, &mut dependencies),
                (&section.managed, &mut managed),
            ] {
                for raw in from {
                    let artifact = Arc::new(properties.artifact(raw));
                    let key = keys.of(&artifact);
                    to.put(Entry { key, artifact });
                }
            }
        }
        let mut table = Table::default();
        let mut imports = Vec::new();
        for entry in &managed.items {
            let artifact = &entry.artifact;
            if artifact.scope.as_deref() == Some("import")
                && artifact.kind.as_deref() == Some("pom")
            {
                let version = artifact.version.as_deref().unwrap_or("");
                imports.push(Gav::new(&artifact.group, &artifact.artifact, version));
            } else {
                table.add(entry);
            }
        }
        let asked = properties.noted();
        let named = |holds: &dyn Fn(&str) -> bool| {
            let names = asked.keys().filter(|name| holds(name));
            names.cloned().collect::<Vec<String>>()
        };
        let nearer = lineage.levels[..depth].iter();
        LevelEntries {
            dependencies: dependencies.items,
            managed: Arc::new(table),
            imports,
            special: named(&is_special),
            nearer: nearer
                .map(|level| named(&|name| level.says(name)))
                .collect(),
            tails: tails[..=depth].to_vec(),
            asked,
        }
    }

    /// How many entries it has.
    pub(super) fn count(&self) -> usize {
        self.dependencies.len() + self.managed.entries.len() + self.imports.len()
    }

    /// True if they are the same at `depth` of another lineage with the same pom there.
    fn fits(&self, depth: usize, tails: &[usize], properties: &Properties<'_>) -> bool {
        let same = |name: &str| match self.asked.get(name) {
            Some(answer) => properties.get(name) == *answer,
            None => true,
        };
        // Only the poms before those that both have can make a difference.
        let both = self.tails.iter().rev().zip(tails[..=depth].iter().rev());
        let both = both.take_while(|(own, other)| own == other).count();
        let own = self.tails.len() - both;
        let others = &properties.lineage.levels[..depth + 1 - both];
        let mut nearer = self.nearer[..own.min(self.nearer.len())].iter().flatten();
        self.special.iter().all(|name| same(name))
            && nearer.all(|name| same(name))
            && others.iter().flat_map(Level::names).all(same)
    }
}

/// Dependencies of one pom: of two with one key the later one counts, in the place of the first.
#[derive(Default)]
struct Ordered {
    items: Vec<Entry>,
    places: FxHashMap<Key, usize>,
}

impl Ordered {
    fn put(&mut self, entry: Entry) {
        let next = self.items.len();
        match *self.places.entry(entry.key).or_insert(next) {
            place if place == next => self.items.push(entry),
            place => self.items[place] = entry,
        }
    }
}

/// A pom (the address of its model) with its active sections and the number of what is above it.
type Tail = (usize, Box<[usize]>, Option<usize>);

/// What was made of each pom with what is above it.
#[derive(Default)]
pub(super) struct SharedLevels {
    tails: FxHashMap<Tail, usize>,
    /// By these numbers.
    made: FxHashMap<usize, Vec<Arc<LevelEntries>>>,
}

/// So many versions of one pom's entries are compared with a new inheritor; who has still others has entries of its own.
const MOST_COMPARED: usize = 8;

impl SharedLevels {
    pub(super) fn get(
        &self,
        depth: usize,
        tails: &[usize],
        properties: &Properties<'_>,
    ) -> Option<Arc<LevelEntries>> {
        let made = self.made.get(&tails[depth])?.iter().rev();
        let mut made = made.take(MOST_COMPARED);
        made.find(|level| level.fits(depth, tails, properties))
            .cloned()
    }

    pub(super) fn put(&mut self, tail: usize, level: &Arc<LevelEntries>) {
        self.made.entry(tail).or_default().push(Arc::clone(level));
    }
}

impl Lineage {
    /// A number for each level: the same for two poms if they have the same parents, with the same profiles active, from
    /// there on.
    pub(super) fn tails(&self, shared: &mut SharedLevels) -> Vec<usize> {
        let mut above = None;
        let mut tails: Vec<usize> = Vec::with_capacity(self.levels.len());
        for level in self.levels.iter().rev() {
            let next = shared.tails.len();
            let address = Arc::as_ptr(&level.model).addr();
            let key = (address, level.active.clone(), above);
            let tail = *shared.tails.entry(key).or_insert(next);
            above = Some(tail);
            tails.push(tail);
        }
        tails.reverse();
        tails
    }
}
