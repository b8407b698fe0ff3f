//! What the assertions of a suite ask: how often each query, by the type that is asked and over all types.
//!
//! What people of a project check again and again they will check of the next object, too. Going by names serves
//! objects of libraries as well, whose code is not there.

use calls::Workspace;
use chains::Chains;
use flow::{Callee, ExprId, ExprKind};
use oracle::{Path, Reader, Reading};
use program::{BodyId, FieldId, FileId, ImportKind, Modifiers, NameTarget, Program, Ty};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::sync::Arc;

/// How a call ends whose arguments do not matter.
const WITH_ARGUMENTS: &str = "(..)";

/// What is asked: the type of the object and the query (`size()`), or a type and the empty text for the value itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ask {
    /// The object's type without type arguments, as people write it.
    pub ty: SmolStr,
    /// The query.
    pub query: SmolStr,
}

impl Ask {
    /// True for a call with arguments.
    pub(super) fn has_arguments(&self) -> bool {
        self.query.ends_with(WITH_ARGUMENTS)
    }
}

/// See the module's description. Copies share what they do not change.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    counts: Arc<Counts>,
    /// What each file of a test source set asks.
    files: FxHashMap<FileId, Arc<Asked>>,
    /// How many bodies were read, since the first statistics.
    read: u64,
}

#[derive(Clone, Debug, Default)]
struct Counts {
    by_query: FxHashMap<SmolStr, u32>,
    of_type: FxHashMap<SmolStr, Arc<OfType>>,
}

/// What is asked of one type.
#[derive(Clone, Debug, Default)]
struct OfType {
    /// How often each query.
    counts: FxHashMap<SmolStr, u32>,
    /// The queries without arguments, the most asked first, then by name.
    ordered: Vec<(SmolStr, u32)>,
}

/// What one file asks.
#[derive(Debug)]
struct Asked {
    /// The file's.
    text: Option<Arc<str>>,
    /// Its.
    imports: Arc<[(ImportKind, SmolStr)]>,
    /// The bodies that have assertions.
    bodies: Vec<(BodyId, Arc<AskedIn>)>,
}

/// What one body asks, with all that it rests on besides the text of the file.
#[derive(Debug)]
struct AskedIn {
    /// The same chains rest on the same body and the same meaning of its names.
    chains: Arc<Chains>,
    /// The fields that it names, and whether they are constants and belong to tests.
    fields: Vec<(FieldId, (bool, bool))>,
    asks: Vec<Ask>,
}

/// A type as a key: without its arguments; all arrays are one.
pub(crate) fn type_key(program: &Program, ty: Ty) -> SmolStr {
    let text = program.type_text(ty);
    if text.ends_with("[]") {
        return SmolStr::new_static("[]");
    }
    match text.find('<') {
        Some(at) => SmolStr::from(&text[..at]),
        None => text,
    }
}

/// What reading `path` at `e` asks.
pub(crate) fn ask_of(reader: &Reader<'_>, e: ExprId, path: &Path) -> Ask {
    let body = reader.body;
    let mut at = e;
    while let ExprKind::Cast { operand, .. } = body.expr(at).kind {
        at = operand;
    }
    let object = match body.expr(at).kind {
        ExprKind::Call(c) => match body.calls[c.ix()].callee {
            Callee::Method { receiver, .. } => receiver,
            _ => None,
        },
        ExprKind::Field { object, .. } if path.depth > 0 => Some(object),
        _ => None,
    };
    match object {
        Some(object) => Ask {
            ty: type_key(reader.program, reader.resolved.ty(object)),
            query: path.text.rsplit('.').next().unwrap_or_default().into(),
        },
        None => Ask {
            ty: type_key(reader.program, reader.resolved.ty(e)),
            query: SmolStr::default(),
        },
    }
}

/// What an evaluation must not know of the suite's statistics: counts to take off.
#[derive(Clone, Debug, Default)]
pub(super) struct Unknown {
    asks: FxHashMap<Ask, u32>,
    by_query: FxHashMap<SmolStr, u32>,
}

impl Unknown {
    pub(super) fn add(&mut self, ask: Ask) {
        *self.by_query.entry(ask.query.clone()).or_default() += 1;
        *self.asks.entry(ask).or_default() += 1;
    }

    /// All that the assertions of a file ask.
    pub(super) fn of_file(workspace: &Workspace, file: FileId) -> Unknown {
        let mut out = Unknown::default();
        for &body in workspace.program().bodies_of_file(file) {
            for ask in asks_of(workspace, body) {
                out.add(ask);
            }
        }
        out
    }
}

/// What the assertions of a body ask.
fn asks_of(workspace: &Workspace, body: BodyId) -> Vec<Ask> {
    let mut out = Vec::new();
    let Some(chains) = workspace.chains(body).filter(|c| !c.assertions.is_empty()) else {
        return out;
    };
    let Some(reader) = Reader::new(workspace.program(), body) else {
        return out;
    };
    for a in &chains.assertions {
        asks_in(&reader, &reader.reading(a), &mut out);
    }
    out
}

/// What a reading knows of a field beside its type.
fn field_facts(program: &Program, field: FieldId) -> (bool, bool) {
    let constant = program
        .field_decl(field)
        .is_some_and(|d| d.modifiers.has(Modifiers::STATIC) && d.modifiers.has(Modifiers::FINAL));
    (constant, program.is_test_type(program.field_owner(field)))
}

impl AskedIn {
    fn of(workspace: &Workspace, body: BodyId, chains: &Arc<Chains>) -> AskedIn {
        let program = workspace.program();
        let mut fields: Vec<FieldId> = workspace
            .resolved(body)
            .into_iter()
            .flat_map(|r| &r.names)
            .filter_map(|(_, name)| match name {
                NameTarget::Field(f) => Some(*f),
                _ => None,
            })
            .collect();
        fields.sort_unstable();
        fields.dedup();
        AskedIn {
            chains: Arc::clone(chains),
            fields: fields
                .into_iter()
                .map(|f| (f, field_facts(program, f)))
                .collect(),
            asks: asks_of(workspace, body),
        }
    }
}

/// What a file imports: whose its assertions are.
fn imports(program: &Program, file: FileId) -> Arc<[(ImportKind, SmolStr)]> {
    let imports = program.summary(file).map_or(&[][..], |s| &s.imports);
    imports.iter().map(|i| (i.kind, i.name.clone())).collect()
}

impl Asked {
    /// What a file asks, and how many bodies had to be read; the others are those of `old`.
    fn of(workspace: &Workspace, file: FileId, old: Option<&Asked>) -> (Asked, u64) {
        let program = workspace.program();
        let text = program.text(file).cloned();
        let same_text = |o: &&Asked| match (&o.text, &text) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        let imports = match old.filter(same_text) {
            Some(old) => Arc::clone(&old.imports),
            None => imports(program, file),
        };
        let old = old.filter(|o| o.imports == imports);
        let known: FxHashMap<BodyId, &Arc<AskedIn>> = old
            .into_iter()
            .flat_map(|o| o.bodies.iter().map(|(b, a)| (*b, a)))
            .collect();
        let mut read = 0;
        let mut bodies = Vec::new();
        for &body in program.bodies_of_file(file) {
            let Some(chains) = workspace.chains(body).filter(|c| !c.assertions.is_empty()) else {
                continue;
            };
            let same = |a: &&&Arc<AskedIn>| {
                Arc::ptr_eq(&a.chains, chains)
                    && a.fields
                        .iter()
                        .all(|(f, facts)| field_facts(program, *f) == *facts)
            };
            let asked = match known.get(&body).filter(same) {
                Some(asked) => Arc::clone(asked),
                None => {
                    read += 1;
                    Arc::new(AskedIn::of(workspace, body, chains))
                }
            };
            bodies.push((body, asked));
        }
        let asked = Asked {
            text,
            imports,
            bodies,
        };
        (asked, read)
    }

    fn asks(&self) -> impl Iterator<Item = &Ask> {
        self.bodies.iter().flat_map(|(_, a)| &a.asks)
    }
}

/// What a reading asks: each last query of what stands before it, and each chain of queries of what it starts from.
pub(super) fn asks_in(reader: &Reader<'_>, reading: &Reading, out: &mut Vec<Ask>) {
    for (e, path) in &reading.paths {
        out.push(ask_of(reader, *e, path));
        out.extend(chain_of(reader, path));
    }
    out.extend(reading.calls.iter().map(|&e| call_ask(reader, e)));
}

/// What a call of a method asks; with arguments, whichever they are.
pub(super) fn call_ask(reader: &Reader<'_>, e: ExprId) -> Ask {
    let body = reader.body;
    let mut ask = Ask {
        ty: SmolStr::default(),
        query: SmolStr::default(),
    };
    if let ExprKind::Call(c) = body.expr(e).kind
        && let Callee::Method { receiver, name } = body.calls[c.ix()].callee
    {
        let owner = receiver.map_or(Ty::UNKNOWN, |r| reader.resolved.ty(r));
        let arguments = if body.calls[c.ix()].args.len > 0 {
            WITH_ARGUMENTS
        } else {
            "()"
        };
        ask.ty = type_key(reader.program, owner);
        ask.query = SmolStr::from(format!("{}{arguments}", body.name(name)));
    }
    ask
}

/// A type as a key of chains: with its arguments, since what the second query of one has depends on them.
pub(crate) fn chain_key(program: &Program, ty: Ty) -> SmolStr {
    let text = program.type_text(ty);
    match text.contains('<') {
        true => text,
        false => type_key(program, ty),
    }
}

/// A chain of queries (`getClass().getComponentType()`) as asked of the object that it starts from.
fn chain_of(reader: &Reader<'_>, path: &Path) -> Option<Ask> {
    if path.depth < 2 {
        return None;
    }
    Some(Ask {
        ty: chain_key(reader.program, reader.resolved.ty(path.start)),
        query: path.text.split_once('.')?.1.into(),
    })
}

impl Statistics {
    /// Counts over all bodies of test source sets. Cost: linear in their assertions.
    pub fn new(workspace: &Workspace) -> Statistics {
        let program = workspace.program();
        let files = program.files().iter().copied();
        let files: Vec<FileId> = files.filter(|f| program.is_test(*f)).collect();
        Statistics::default().with(workspace, &files, &[])
    }

    /// Those of `next`, if `old` are those of `before`; equal to new ones.
    pub(crate) fn update(
        old: &Arc<Statistics>,
        before: &Workspace,
        next: &Workspace,
    ) -> Arc<Statistics> {
        let (was, is) = (before.program(), next.program());
        let tests = || is.files().iter().copied().filter(|f| is.is_test(*f));
        let gone: Vec<FileId> = was
            .files()
            .iter()
            .copied()
            .filter(|f| old.files.contains_key(f) && !(is.text(*f).is_some() && is.is_test(*f)))
            .collect();
        let changed: Vec<FileId> = if is.same_declarations(was) && is.follows(was) {
            let mut touched: Vec<FileId> = is
                .changed_bodies()
                .iter()
                .filter_map(|b| is.body_file(*b))
                .collect();
            touched.sort_unstable();
            touched.dedup();
            tests()
                .filter(|f| {
                    let same_text = match (was.text(*f), is.text(*f)) {
                        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                        _ => false,
                    };
                    !same_text || touched.binary_search(f).is_ok() || !old.files.contains_key(f)
                })
                .collect()
        } else {
            tests().collect()
        };
        if gone.is_empty() && changed.is_empty() {
            return Arc::clone(old);
        }
        Arc::new(Statistics::clone(old).with(next, &changed, &gone))
    }

    /// With `files` read anew, as far as they differ, and without those that are `gone`.
    fn with(mut self, workspace: &Workspace, files: &[FileId], gone: &[FileId]) -> Statistics {
        let read = |&file: &FileId| {
            let old = self.files.get(&file).map(|f| &**f);
            (file, Asked::of(workspace, file, old))
        };
        let made: Vec<(FileId, (Asked, u64))> = if files.len() < 4 {
            files.iter().map(read).collect()
        } else {
            files.par_iter().map(read).collect()
        };
        // By how much each count changes.
        let mut by: FxHashMap<&Ask, i64> = FxHashMap::default();
        let mut old: Vec<Arc<Asked>> = Vec::new();
        for file in gone {
            old.extend(self.files.remove(file));
        }
        let mut new: Vec<Arc<Asked>> = Vec::new();
        for (file, (asked, read)) in made {
            self.read += read;
            let asked = Arc::new(asked);
            new.push(Arc::clone(&asked));
            old.extend(self.files.insert(file, asked));
        }
        for (asked, n) in old
            .iter()
            .map(|a| (a, -1))
            .chain(new.iter().map(|a| (a, 1)))
        {
            for ask in asked.asks() {
                *by.entry(ask).or_default() += n;
            }
        }
        by.retain(|_, n| *n != 0);
        if by.is_empty() {
            // What one test of a file asked, another does: the same counts, and yet not the same.
            let by_test = |all: &[Arc<Asked>]| -> Vec<Vec<Ask>> {
                let bodies = all.iter().flat_map(|a| &a.bodies);
                let mut out: Vec<Vec<Ask>> = bodies.map(|(_, a)| a.asks.clone()).collect();
                out.sort();
                out
            };
            if by_test(&old) != by_test(&new) {
                self.counts = Arc::new(Counts::clone(&self.counts));
            }
            return self;
        }
        let Counts { by_query, of_type } = Arc::make_mut(&mut self.counts);
        let mut types: FxHashSet<&SmolStr> = FxHashSet::default();
        #[allow(
            clippy::iter_over_hash_type,
            reason = "sums do not depend on the order"
        )]
        for (ask, n) in by {
            change(by_query, &ask.query, n);
            let of = of_type.entry(ask.ty.clone()).or_default();
            change(&mut Arc::make_mut(of).counts, &ask.query, n);
            types.insert(&ask.ty);
        }
        #[allow(clippy::iter_over_hash_type, reason = "each on its own")]
        for ty in types {
            let Some(of) = of_type.get_mut(ty) else {
                continue;
            };
            if of.counts.is_empty() {
                of_type.remove(ty);
                continue;
            }
            let OfType { counts, ordered } = Arc::make_mut(of);
            ordered.clear();
            let plain = counts
                .iter()
                .filter(|(q, _)| !q.is_empty() && !q.ends_with(WITH_ARGUMENTS));
            ordered.extend(plain.map(|(q, n)| (q.clone(), *n)));
            ordered.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        }
        self
    }

    /// True if both are known to say the same: nothing that is asked differs between the states that they are of.
    pub(crate) fn same(&self, other: &Statistics) -> bool {
        Arc::ptr_eq(&self.counts, &other.counts)
    }

    /// How many bodies were read for these statistics and those before that they came from.
    pub fn bodies_read(&self) -> u64 {
        self.read
    }

    /// Everything that is asked and how often, in order.
    pub fn all(&self) -> Vec<(Ask, u32)> {
        let mut out: Vec<(Ask, u32)> = Vec::new();
        #[allow(clippy::iter_over_hash_type, reason = "sorted at once")]
        for (ty, of_type) in &self.counts.of_type {
            let asks = of_type.counts.iter().map(|(query, n)| {
                let (ty, query) = (ty.clone(), query.clone());
                (Ask { ty, query }, *n)
            });
            out.extend(asks);
        }
        out.sort();
        out
    }

    /// How often exactly this is asked.
    pub(super) fn asked(&self, ask: &Ask, but: &Unknown) -> u32 {
        let of_type = self.counts.of_type.get(&ask.ty);
        of_type
            .map_or(0, |t| count(&t.counts, &ask.query))
            .saturating_sub(count(&but.asks, ask))
    }

    /// How often a query of that name is asked, of whatever.
    pub(super) fn asked_by_name(&self, query: &SmolStr, but: &Unknown) -> u32 {
        count(&self.counts.by_query, query).saturating_sub(count(&but.by_query, query))
    }

    /// True if an assertion of a file asks this.
    pub(super) fn is_asked_in(&self, file: FileId, ask: &Ask) -> bool {
        let mut asked = self.files.get(&file).into_iter().flat_map(|a| a.asks());
        asked.any(|a| a == ask)
    }

    /// How many bodies of a file besides one ask such an object anything.
    pub(super) fn others_asking(&self, file: FileId, but: BodyId, ty: &SmolStr) -> usize {
        let bodies = self.files.get(&file).into_iter().flat_map(|a| &a.bodies);
        bodies
            .filter(|(body, asked)| *body != but && asked.asks.iter().any(|a| a.ty == *ty))
            .count()
    }

    /// The queries without arguments that are asked of a type, the most asked first, ties by name.
    pub(super) fn of_type<'a>(
        &'a self,
        ty: &'a SmolStr,
        but: &'a Unknown,
    ) -> impl Iterator<Item = &'a SmolStr> {
        let known = self.counts.of_type.get(ty).map(|t| t.ordered.as_slice());
        known
            .unwrap_or_default()
            .iter()
            .filter_map(move |(query, n)| {
                let ask = Ask {
                    ty: ty.clone(),
                    query: query.clone(),
                };
                (*n > count(&but.asks, &ask)).then_some(query)
            })
    }
}

fn count<K: std::hash::Hash + Eq>(counts: &FxHashMap<K, u32>, key: &K) -> u32 {
    counts.get(key).copied().unwrap_or(0)
}

/// Adds to a count; one that comes to nothing goes away.
fn change(counts: &mut FxHashMap<SmolStr, u32>, key: &SmolStr, by: i64) {
    let now = i64::from(count(counts, key)) + by;
    match u32::try_from(now) {
        Ok(1..) => {
            counts.insert(key.clone(), now.unsigned_abs() as u32);
        }
        _ => {
            counts.remove(key);
        }
    }
}
