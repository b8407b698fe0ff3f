//! A program with the chains of all its bodies: what every ranking starts from.
//!
//! A workspace is a value. [`Workspace::update`] gives the next one: it costs what changed, not what is there, and a
//! body whose names mean what they meant keeps its chains (architecture, invariant 3). [`Workspace::counters`] say how
//! many were built. The tests are found when first asked for, and again only after a declaration changed.

use crate::assemble::{Links, Unit};
use crate::chains::unwritten::askings;
use crate::chains::{Asking, Chains, Meaning, chains};
use crate::purity::Effects;
use crate::reach::{Bodies, TestRun};
use crate::suite::{Suite, TestKind};
use flow::{CallId, ClassId, DefId, ExprId, LocalId};
use program::{
    Asked, BodyId, CallTarget, Change, FieldId, FileId, Member, MethodId, Modifiers, NameTarget,
    Program, ResolvedBody, Table, Ty, TypeId,
};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};

/// One body's chains, with the resolution that they rest on.
#[derive(Clone, Debug)]
struct Entry {
    resolved: Arc<ResolvedBody>,
    body: Arc<flow::Body>,
    assertions: Box<[u32]>,
    chains: Arc<Chains>,
    /// Found when first asked for.
    effects: Arc<OnceLock<Effects>>,
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
        let (chains, effects) = match kept {
            Some(e) => (Arc::clone(&e.chains), Arc::clone(&e.effects)),
            None => {
                let meaning = Resolved {
                    program,
                    id: body,
                    resolved: &resolved,
                    assertions: &decl.assertions,
                };
                (Arc::new(chains(&records, &meaning)), Arc::default())
            }
        };
        let entry = Entry {
            resolved,
            body: records,
            assertions: decl.assertions.clone(),
            chains,
            effects,
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
    counters: Counters,
}

impl Workspace {
    /// Builds the chains of every body of `program`, on all cores, and finds the tests.
    pub fn new(program: Program) -> Workspace {
        let bodies: Vec<BodyId> = program.bodies().collect();
        let empty = Workspace {
            program,
            entries: Table::default(),
            suite: Arc::default(),
            counters: Counters::default(),
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
        let suite = if program.same_declarations(&self.program) {
            Arc::clone(&self.suite)
        } else {
            Arc::default()
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
            counters: self.counters,
        };
        next.with_entries(&changed)
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

    /// The chains of a body.
    pub fn chains(&self, body: BodyId) -> Option<&Arc<Chains>> {
        self.entries.get(body.ix()).map(|e| &e.chains)
    }

    /// What a body changes itself. Found when first asked for, and kept as long as its chains.
    pub(crate) fn effects(&self, body: BodyId) -> Option<&Effects> {
        let entry = self.entries.get(body.ix())?;
        Some(
            entry
                .effects
                .get_or_init(|| Effects::of(&self.program, &entry.body, &entry.resolved)),
        )
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

    /// A test as its own class runs it.
    pub fn own_run(&self, test: MethodId) -> TestRun {
        TestRun {
            test,
            class: self.program.method_owner(test),
        }
    }

    /// What a test runs: itself, its class's constructors, set-up and tear-down (inherited ones too).
    pub fn test_roots(&self, run: TestRun) -> Vec<BodyId> {
        let program = &self.program;
        let mut roots: Vec<BodyId> = program.method_body(run.test).into_iter().collect();
        let mut class = Some(run.class);
        // A nested test class runs the fixtures of those around it.
        let mut left = 100;
        while let Some(c) = class {
            let mut above = Some(c);
            while let Some(t) = above {
                for &m in program.methods_of_type(t) {
                    let fixture = matches!(
                        self.suite().kind(m),
                        Some(TestKind::SetUp | TestKind::TearDown)
                    );
                    if fixture || program.is_constructor(m) {
                        roots.extend(program.method_body(m));
                    }
                }
                roots.extend(program.body_of(t, Member::Init));
                roots.extend(program.body_of(t, Member::Clinit));
                above = program.superclass(t);
                left -= 1;
                if left <= 0 {
                    break;
                }
            }
            class = program.enclosing_type(c);
            left -= 1;
            if left <= 0 {
                break;
            }
        }
        roots
    }

    /// The component of a record that an accessor without code reads.
    fn component(&self, class: TypeId, name: &str) -> Option<FieldId> {
        let program = &self.program;
        let component = program.fields_of_type(class).iter().copied().find(|f| {
            program
                .field_decl(*f)
                .is_some_and(|f| f.implicit && f.name == name)
        })?;
        let methods = program.methods_of_type(class).iter();
        let mut methods = methods.filter_map(|m| program.method_decl(*m));
        methods
            .any(|m| m.implicit && m.name == name && m.params.is_empty())
            .then_some(component)
    }

    /// True if the file belongs to a test source set.
    pub fn is_test_file(&self, file: FileId) -> bool {
        self.program.is_test(file)
    }
}

impl Links for Workspace {
    fn dispatch(&self, target: MethodId, dispatches: bool) -> Arc<[BodyId]> {
        let program = &self.program;
        if !dispatches
            || program.is_constructor(target)
            || program.method_has(target, Modifiers::STATIC)
        {
            return program.method_body(target).into_iter().collect();
        }
        Arc::clone(program.dispatch(target))
    }

    fn is_bodiless(&self, target: MethodId) -> bool {
        self.program.is_implicit(target)
    }

    fn accessed(&self, target: MethodId, dispatches: bool) -> Arc<[FieldId]> {
        let program = &self.program;
        let Some(decl) = program.method_decl(target) else {
            return Arc::from([]);
        };
        if !decl.params.is_empty() || decl.modifiers.has(Modifiers::STATIC) {
            return Arc::from([]);
        }
        let owner = program.method_owner(target);
        let below = if dispatches {
            program.subtypes(owner)
        } else {
            &[]
        };
        let mut fields = Vec::new();
        for &class in std::iter::once(&owner).chain(below) {
            fields.extend(self.component(class, &decl.name));
        }
        fields.into()
    }

    fn values(&self, on: Ty, asked: Asked) -> Vec<BodyId> {
        let mut bodies = self.program.unwritten(on, asked).values.clone();
        let place = |b: &BodyId| {
            let file = self.program.body_file(*b);
            let path = file.and_then(|f| self.program.path(f)).cloned();
            (path, self.program.body(*b).map(|decl| decl.start))
        };
        bodies.sort_by_cached_key(place);
        bodies
    }

    fn enclosing(&self, body: BodyId) -> Option<(BodyId, ClassId)> {
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

struct Resolved<'a> {
    program: &'a Program,
    id: BodyId,
    resolved: &'a ResolvedBody,
    assertions: &'a [u32],
}

impl Resolved<'_> {
    fn name(&self, e: ExprId) -> Option<NameTarget> {
        let names = &self.resolved.names;
        names
            .binary_search_by_key(&e, |n| n.0)
            .ok()
            .map(|i| names[i].1)
    }
}

impl Meaning for Resolved<'_> {
    fn field(&self, e: ExprId) -> Option<FieldId> {
        match self.name(e)? {
            NameTarget::Field(f) => Some(f),
            _ => None,
        }
    }
    fn foreign_field(&self, e: ExprId) -> bool {
        matches!(
            self.name(e),
            Some(NameTarget::LibraryField | NameTarget::Unknown)
        )
    }
    fn captured(&self, e: ExprId) -> Option<(BodyId, LocalId)> {
        match self.name(e)? {
            NameTarget::Captured { body, local } => Some((body, local)),
            _ => None,
        }
    }
    fn own_field(&self, d: DefId) -> Option<FieldId> {
        let own = &self.resolved.own_fields;
        own.binary_search_by_key(&d, |o| o.0).ok().map(|i| own[i].1)
    }
    fn call(&self, c: CallId) -> Option<MethodId> {
        match self.resolved.calls.get(c.ix())? {
            CallTarget::Workspace(m) => Some(*m),
            _ => None,
        }
    }
    fn reference(&self, e: ExprId) -> Option<MethodId> {
        let refs = &self.resolved.references;
        refs.binary_search_by_key(&e, |r| r.0)
            .ok()
            .and_then(|i| refs[i].1)
    }
    fn askings(&self, body: &flow::Body) -> Vec<Asking> {
        askings(self.program, self.id, body, self.resolved)
    }
    fn assertions(&self) -> &[u32] {
        self.assertions
    }
}
