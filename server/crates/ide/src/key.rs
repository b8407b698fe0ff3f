//! Of which code something was recorded: the tokens of all bodies that a test reaches. White space and comments are no
//! tokens, so that a file which was formatted keeps what is known of it.

use crate::analysis::{Analysis, Part, Question, Store};
use crate::tokens::{Hash, tokens};
use calls::Technique;
use dashmap::DashMap;
use evidence::{Key, Told};
use program::{BodyId, FileId, MethodId, Program};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A key, and what it is of.
#[derive(Debug)]
pub(crate) struct Keyed {
    pub(crate) key: Key,
    /// In order.
    pub(crate) bodies: Arc<[BodyId]>,
}

/// Of which code something is recorded of a test.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct KeyOf(MethodId);

impl Question for KeyOf {
    type Answer = Keyed;
    const RESTS_ON: &'static [Part] = &[];

    fn answer(&self, analysis: &Analysis) -> Keyed {
        key(analysis, self.0)
    }
}

/// Keys that stand though something was edited: there are as many as tests, and each keystroke asks for all of them.
#[derive(Debug, Default)]
pub(crate) struct StandingKeys {
    /// Those of a state before.
    of_before: Arc<Settled>,
    /// Those of them that do not stand any more.
    touched: FxHashSet<MethodId>,
    /// Those found since.
    since: FxHashMap<MethodId, Arc<Keyed>>,
}

impl Store for StandingKeys {
    const RESTS_ON: &'static [Part] = &[];
}

/// Keys, and whom they are of.
#[derive(Debug, Default)]
struct Settled {
    keys: FxHashMap<MethodId, Arc<Keyed>>,
    /// By body, the tests that reach it, as far as somebody asked.
    reached_by: DashMap<BodyId, Arc<[MethodId]>>,
}

impl Settled {
    fn reached_by(&self, body: BodyId) -> Arc<[MethodId]> {
        if let Some(known) = self.reached_by.get(&body) {
            return Arc::clone(&known);
        }
        let reaches = |keyed: &Keyed| keyed.bodies.binary_search(&body).is_ok();
        let all = self.keys.par_iter();
        let own = all.filter(|(_, keyed)| reaches(keyed));
        let own: Arc<[MethodId]> = own.map(|(test, _)| *test).collect::<Vec<_>>().into();
        self.reached_by.insert(body, Arc::clone(&own));
        own
    }
}

/// Of so many keys one may be found since, and one not stand any more, before all are put together.
const EACH: usize = 8;

impl StandingKeys {
    /// The key of a test, if it stands.
    fn get(&self, test: MethodId) -> Option<&Keyed> {
        let before = || {
            let known = self.of_before.keys.get(&test)?;
            (!self.touched.contains(&test)).then_some(known)
        };
        self.since.get(&test).or_else(before).map(|own| &**own)
    }

    /// What stands after an edit of what was `found` beside these.
    pub(crate) fn after(
        &self,
        found: Vec<(KeyOf, Arc<Keyed>)>,
        rewritten: &Rewritten,
    ) -> StandingKeys {
        let found = found.into_iter().map(|(of, keyed)| (of.0, keyed));
        let since = self
            .since
            .iter()
            .map(|(test, keyed)| (*test, Arc::clone(keyed)));
        let since = since
            .chain(found)
            .filter(|(_, keyed)| !rewritten.touches(&keyed.bodies));
        let since: FxHashMap<MethodId, Arc<Keyed>> = since.collect();
        let mut touched = self.touched.clone();
        let by = rewritten.0.iter().map(|b| self.of_before.reached_by(*b));
        touched.extend(by.collect::<Vec<_>>().iter().flat_map(|by| by.iter()));
        if since.len().max(touched.len()) <= self.of_before.keys.len() / EACH {
            return StandingKeys {
                of_before: Arc::clone(&self.of_before),
                touched,
                since,
            };
        }
        let before = self.of_before.keys.iter();
        let before = before.filter(|(test, _)| !touched.contains(*test));
        let before = before.map(|(test, keyed)| (*test, Arc::clone(keyed)));
        let settled = Settled {
            keys: before.chain(since).collect(),
            reached_by: DashMap::new(),
        };
        StandingKeys {
            of_before: Arc::new(settled),
            ..StandingKeys::default()
        }
    }
}

/// Hashes of the tokens of members, by what their bodies say.
#[derive(Default)]
struct Tokens(DashMap<u64, u64>);

/// How many are kept: 4 MB, and more than a large project has members.
const TOKENS: usize = 200_000;

impl Store for Tokens {
    const RESTS_ON: &'static [Part] = &[];
}

impl Tokens {
    fn get_or(&self, body: u64, compute: impl FnOnce() -> u64) -> u64 {
        if let Some(known) = self.0.get(&body) {
            return *known;
        }
        let own = compute();
        // Each edit of a body adds one.
        if self.0.len() > TOKENS {
            self.0.clear();
        }
        self.0.insert(body, own);
        own
    }
}

impl Analysis {
    /// Of which code something is recorded of a test.
    pub fn key(&self, test: MethodId) -> Key {
        match self.store::<StandingKeys>().get(test) {
            Some(known) => known.key,
            None => self.ask(KeyOf(test)).key,
        }
    }

    /// Of which code it is what a test could read: what it runs, and what asking runs.
    pub fn asked(&self, test: MethodId) -> Key {
        let mut bodies = match self.store::<StandingKeys>().get(test) {
            Some(known) => known.bodies.to_vec(),
            None => self.ask(KeyOf(test)).bodies.to_vec(),
        };
        bodies.extend(self.offered(test).bodies());
        key_of(self, bodies).key
    }

    /// What was recorded of a test, if it is of today's code.
    pub fn fresh(&self, test: MethodId) -> Option<Arc<Told>> {
        let told = self.recorded(test)?;
        (told.key == self.key(test)).then_some(told)
    }

    /// True if something is kept of a test, and not all of it is of today's code: what it did, or what it could read.
    pub fn is_stale(&self, test: MethodId) -> bool {
        let of_now = |told: &Told| {
            told.key == self.key(test)
                && (told.queries.is_empty() || told.asked == self.asked(test))
        };
        self.recorded(test).is_some_and(|told| !of_now(&told))
    }

    /// What was recorded of a test that passed, if it is of today's code: what may be told as its values.
    pub(crate) fn believed(&self, test: MethodId) -> Option<Arc<Told>> {
        self.fresh(test).filter(|told| told.passed)
    }

    /// The same, if what it could read is of today's code, too: its `queries` may be told.
    pub(crate) fn answered(&self, test: MethodId) -> Option<Arc<Told>> {
        let told = self.believed(test)?;
        (told.queries.is_empty() || told.asked == self.asked(test)).then_some(told)
    }
}

/// The key of a test: of all that it may run, what a library may call of it among that.
///
/// What libraries, resources and build files say is not part of it.
fn key(analysis: &Analysis, test: MethodId) -> Keyed {
    let workspace = analysis.workspace();
    let runs = [workspace.own_run(test)];
    let reached = workspace.reached_by(&runs, Technique::RapidTypes);
    key_of(analysis, reached.iter().collect())
}

/// The key of some bodies.
fn key_of(analysis: &Analysis, mut bodies: Vec<BodyId>) -> Keyed {
    let mut out = Hash::default();
    bodies.sort_unstable();
    bodies.dedup();
    let named = bodies.iter();
    let named =
        named.filter_map(|b| Some((analysis.program().body_name(*b)?, body(analysis, *b)?)));
    let mut named: Vec<(String, u64)> = named.collect();
    // Numbers of bodies depend on what else was read.
    named.sort_unstable();
    for (name, tokens) in named {
        out.bytes(name.as_bytes());
        out.end();
        out.bytes(&tokens.to_le_bytes());
    }
    Keyed {
        key: out.value(),
        bodies: bodies.into(),
    }
}

/// Bodies that say or mean something else than before.
pub(crate) struct Rewritten(FxHashSet<BodyId>);

impl Rewritten {
    /// None where a declaration differs: anything may mean something else. And where an initialiser is another: who reaches it
    /// is not known by what was reached before.
    pub(crate) fn new(was: &Program, is: &Program) -> Option<Rewritten> {
        if !is.same_declarations(was) || !is.follows(was) || is.has_other_initialisers(was) {
            return None;
        }
        let mut out: FxHashSet<BodyId> = is.changed_bodies().iter().copied().collect();
        // Some say something else and mean the same: literals.
        let is_changed = |file: &&FileId| match (was.text(**file), is.text(**file)) {
            (Some(was), Some(is)) => !Arc::ptr_eq(was, is),
            _ => true,
        };
        let files = is.files().iter().filter(is_changed);
        let hash = |p: &Program, body: BodyId| p.body(body).map(|b| b.hash);
        out.extend(
            files
                .flat_map(|f| is.bodies_of_file(*f).iter().copied())
                .filter(|b| hash(was, *b) != hash(is, *b)),
        );
        Some(Rewritten(out))
    }

    pub(crate) fn touches(&self, bodies: &[BodyId]) -> bool {
        self.0.iter().any(|b| bodies.binary_search(b).is_ok())
    }
}

fn body(analysis: &Analysis, id: BodyId) -> Option<u64> {
    let program = analysis.program();
    let decl = program.body(id)?;
    let known: Arc<Tokens> = analysis.lasting();
    known
        .get_or(decl.hash, || {
            let method = program.body_method(id).and_then(|m| program.method_decl(m));
            let file = program.body_file(id).and_then(|f| program.text(f));
            match (method, file) {
                (Some(method), Some(text)) => {
                    tokens(text, method.span.start as usize, method.span.end as usize)
                }
                // Initialisers stand in pieces.
                _ => decl.hash,
            }
        })
        .into()
}
