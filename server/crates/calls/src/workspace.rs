//! A program with the chains of all its bodies: what every ranking starts from.
//!
//! A workspace is a value. [`Workspace::update`] gives the next one: it costs what changed, not what is there, and a
//! body whose names mean what they meant keeps its chains (`docs/architecture.md`). [`Workspace::counters`] say how
//! many were built. The tests are found when first asked for, and again only after a declaration changed.

use crate::handlers::Handlers;
use crate::{Bodies, Cancellation};
use chains::{Chains, chains};
use flow::ClassId;
use oracle::Suite;
use program::{BodyId, Change, FileId, Program, ResolvedBody, Table};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};

flow::ids! {
    /// A body of a scope: its position in the list of units.
    UnitId,
}

/// One body of a scope.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Which.
    pub body: BodyId,
    /// Its chains.
    pub chains: Arc<Chains>,
    /// The rank of its file's path.
    pub file: u32,
    /// Absolute offset of its member.
    pub start: u32,
}

/// One body's chains, with the resolution that they rest on.
#[derive(Clone, Debug)]
struct Entry {
    resolved: Arc<ResolvedBody>,
    body: Arc<flow::Body>,
    assertions: Box<[u32]>,
    chains: Arc<Chains>,
}

impl Entry {
    /// The entry of a body that has records and a resolution. Takes the chains of `old` if they rest on the same, and
    /// says if it built them.
    fn of(program: &Program, body: BodyId, old: Option<&Entry>) -> Option<(Entry, bool)> {
        let resolved = Arc::clone(program.resolved(body)?);
        let decl = program.body(body)?;
        let records = Arc::clone(&decl.body);
        let same = |e: &&Entry| {
            (Arc::ptr_eq(&e.resolved, &resolved) || e.resolved == resolved)
                && (Arc::ptr_eq(&e.body, &records) || e.body == records)
                && e.assertions == decl.assertions
        };
        let kept = old.filter(same);
        let built = kept.is_none();
        let chains = match kept {
            Some(e) => Arc::clone(&e.chains),
            None => Arc::new(chains(program, body, &records, &resolved, &decl.assertions)),
        };
        let entry = Entry {
            resolved,
            body: records,
            assertions: decl.assertions.clone(),
            chains,
        };
        Some((entry, built))
    }
}

/// How much was computed since the first workspace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Bodies whose chains were built.
    pub chains_built: u64,
    /// Bodies that were looked at because an edit may have changed them.
    pub bodies_visited: u64,
}

/// See the module's description. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Workspace {
    program: Program,
    entries: Table<Entry>,
    suite: Arc<OnceLock<Suite>>,
    pub(crate) handlers: Arc<OnceLock<Handlers>>,
    counters: Counters,
    cancellation: Cancellation,
}

impl Workspace {
    /// Builds the chains of every body of `program`, on all cores, and finds the tests.
    pub fn new(program: Program) -> Workspace {
        let bodies: Vec<BodyId> = program.bodies().collect();
        let empty = Workspace {
            program,
            entries: Table::default(),
            suite: Arc::default(),
            handlers: Arc::default(),
            counters: Counters::default(),
            cancellation: Cancellation::default(),
        };
        let workspace = empty.with_entries(&bodies);
        workspace.suite();
        workspace
    }

    /// The workspace after an edit: the next state of the program, and the chains of the bodies that it changes.
    #[must_use]
    pub fn update(&self, changes: Vec<Change>) -> Workspace {
        self.with_program(self.program.with_changes(changes))
    }

    /// The workspace of another state of the same program; what did not change is shared. Costs what changed if
    /// `program` directly follows the one of this workspace, else a look at every body.
    #[must_use]
    pub fn with_program(&self, program: Program) -> Workspace {
        let (suite, handlers) = match program.same_declarations(&self.program) {
            true => (Arc::clone(&self.suite), Arc::clone(&self.handlers)),
            false => Default::default(),
        };
        let changed = if program.follows(&self.program) {
            program.changed_bodies().to_vec()
        } else {
            let mut all: Vec<BodyId> = self.program.bodies().chain(program.bodies()).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let next = Workspace {
            program,
            entries: self.entries.clone(),
            suite,
            handlers,
            counters: self.counters,
            cancellation: Cancellation::default(),
        };
        next.with_entries(&changed)
    }

    /// The same for one question, as long as its answer is wanted.
    #[must_use]
    pub fn under(&self, cancellation: &Cancellation) -> Workspace {
        Workspace {
            cancellation: cancellation.clone(),
            ..self.clone()
        }
    }

    /// Whether the answer is still wanted.
    pub fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// A step of a long loop: unwinds if the answer is not wanted any more.
    pub fn poll(&self) {
        self.cancellation.poll();
    }

    /// Makes the entries of `bodies` anew.
    fn with_entries(mut self, bodies: &[BodyId]) -> Workspace {
        let (program, entries) = (&self.program, &self.entries);
        let make = |&body: &BodyId| (body, Entry::of(program, body, entries.get(body.ix())));
        // The usual edit changes one body; handing it to another thread would take longer than doing it.
        let made: Vec<_> = if bodies.len() < 4 {
            bodies.iter().map(make).collect()
        } else {
            bodies.par_iter().map(make).collect()
        };
        self.counters.bodies_visited += bodies.len() as u64;
        for (body, made) in made {
            match made {
                Some((entry, built)) => {
                    self.counters.chains_built += u64::from(built);
                    self.entries.set(body.ix(), entry);
                }
                None => {
                    self.entries.take(body.ix());
                }
            }
        }
        self
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The tests. Found when first asked for.
    pub fn suite(&self) -> &Suite {
        self.suite.get_or_init(|| Suite::find(&self.program))
    }

    /// How much was computed since the first workspace.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The chains of a body. Whoever walks over bodies comes by here: a step.
    pub fn chains(&self, body: BodyId) -> Option<&Arc<Chains>> {
        self.poll();
        self.entries.get(body.ix()).map(|e| &e.chains)
    }

    /// The resolution of a body.
    pub fn resolved(&self, body: BodyId) -> Option<&Arc<ResolvedBody>> {
        self.entries.get(body.ix()).map(|e| &e.resolved)
    }

    /// The units of a set of bodies, in order of path and position.
    pub fn units(&self, keep: &dyn Fn(FileId, usize, BodyId) -> bool) -> Vec<Unit> {
        self.units_in(&|_| true, keep)
    }

    fn units_in(
        &self,
        looks: &dyn Fn(FileId) -> bool,
        keep: &dyn Fn(FileId, usize, BodyId) -> bool,
    ) -> Vec<Unit> {
        let mut out = Vec::new();
        for (rank, file) in self.program.files().iter().copied().enumerate() {
            if !looks(file) {
                continue;
            }
            let Some(summary) = self.program.summary(file) else {
                continue;
            };
            let first = out.len();
            for (i, &body) in self.program.bodies_of_file(file).iter().enumerate() {
                if keep(file, i, body)
                    && let Some(chains) = self.chains(body)
                {
                    out.push(Unit {
                        body,
                        chains: Arc::clone(chains),
                        file: rank as u32,
                        start: summary.bodies[i].start,
                    });
                }
            }
            out[first..].sort_by_key(|u| u.start);
        }
        out
    }

    /// The units of some bodies, in order of path and position: no other file is looked at.
    pub fn units_of(&self, bodies: &Bodies) -> Vec<Unit> {
        let files = bodies.iter().filter_map(|b| self.program.body_file(b));
        let files: FxHashSet<FileId> = files.collect();
        self.units_in(&|f| files.contains(&f), &|_, _, b| bodies.contains(b))
    }

    /// For a body in a local or anonymous class: the body around it and the class there.
    pub fn enclosing(&self, body: BodyId) -> Option<(BodyId, ClassId)> {
        let mut at = self.program.body_owner(body);
        // A member class of a local class stands in that class's body too.
        loop {
            if let Some(found) = self.program.enclosing_body(at) {
                return Some(found);
            }
            at = self.program.enclosing_type(at)?;
        }
    }
}
