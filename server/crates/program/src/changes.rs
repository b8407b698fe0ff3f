//! The next snapshot after an edit.
//!
//! Across files invalidation goes by simple names. First the names are collected whose declarations changed as
//! written; a type whose supertypes came out otherwise adds its name, and so do its subtypes, because theirs did too.
//! Headers that looked up such a name are resolved again and add what changed in them. Then bodies: one is resolved
//! again if it says something else, if its file's imports changed, if it looked up such a name, or if it stands in a
//! local class of a body of which one of these holds. How far a change reaches is told beforehand ([`Extent`]): an
//! edit inside a body skips all of this but the last step, and one of a member leaves the types alone.

use crate::build::{
    duplicates, enter, enter_bodies, index, remove, resolve_bodies, resolve_headers, summary,
};
use crate::declarations::{FileSummary, TypeDecl, TypeDeclKind};
use crate::header::Header;
use crate::headers::{resolve_supertypes, supertypes_stay};
use crate::hierarchy::Hierarchy;
use crate::ids::{BodyId, FileId, Ids, Symbol, TypeId};
use crate::lookup::frames;
use crate::program::{Change, Inner, Program};
use crate::snapshot::{FileData, Snapshot};
use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::sync::Arc;

/// What of the declarations an edit changes; each holds the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Extent {
    /// Nothing.
    Bodies,
    /// Methods and fields. The types are the same: their names, parameters, what they extend as written, the imports.
    Members,
    /// Types, imports, or which files there are.
    Types,
}

impl Extent {
    fn of(before: &Snapshot, (id, new): &Read) -> Extent {
        let (Some(old), Some((change, summary))) = (before.file(*id), new) else {
            return Extent::Types;
        };
        let was = &old.summary;
        if old.set != change.source_set || was.imports_hash != summary.imports_hash {
            return Extent::Types;
        }
        if was.declarations_hash == summary.declarations_hash {
            return Extent::Bodies;
        }
        let types = |s: &FileSummary| s.types.iter().map(|t| t.hash).collect::<Vec<_>>();
        if types(was) == types(summary) {
            Extent::Members
        } else {
            Extent::Types
        }
    }
}

/// A set of names: one bit a name; and packages that came or went.
#[derive(Default)]
struct Names {
    bits: FixedBitSet,
    packages: Vec<SmolStr>,
    /// The unnamed package came or went: nothing says who depends on it.
    all: bool,
}

impl Names {
    fn insert(&mut self, name: Symbol) {
        self.bits.grow_and_insert(name.ix());
    }
    fn is_empty(&self) -> bool {
        self.bits.is_empty() && !self.all
    }
    fn contains(&self, name: Symbol) -> bool {
        self.bits.contains(name.ix())
    }
    fn touch(&self, looked_up: &[Symbol]) -> bool {
        self.all || !self.is_empty() && looked_up.iter().any(|&s| self.contains(s))
    }
    /// True if the file imports from a package that came or went: what its imports do not find may mean something else.
    fn touch_imports(&self, file: &FileData) -> bool {
        let inside = |name: &str, package: &str| {
            let rest = name.strip_prefix(package);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let mut packages = self.packages.iter();
        packages.any(|p| file.summary.imports.iter().any(|i| inside(&i.name, p)))
    }
    /// A package of the workspace came or went. Qualified names look up their first part.
    fn insert_package(&mut self, ids: &Ids, package: Symbol) {
        let name = ids.text(package);
        self.all |= name.is_empty();
        self.insert(ids.symbol(name.split('.').next().unwrap_or(name)));
        self.packages.push(name.clone());
    }
}

/// Names whose meaning may have changed.
struct ChangedNames<'a> {
    data: &'a Snapshot,
    names: Names,
}

impl ChangedNames<'_> {
    fn type_changed(&mut self, key: Symbol) {
        self.names.insert(key);
        self.names.insert(self.data.constructor_key(key));
        self.names.insert(self.data.functional_key(key));
    }
    fn method_changed(&mut self, key: Symbol, name: Symbol, interface: bool) {
        if name == self.data.known.init {
            self.names.insert(self.data.constructor_key(key));
        } else {
            self.names.insert(name);
            if interface {
                self.names.insert(self.data.functional_key(key));
            }
        }
    }

    /// What two declarations of one type say differently.
    fn compare(&mut self, key: Symbol, old: Option<&TypeDecl>, new: Option<&TypeDecl>) {
        let ids = &self.data.ids;
        if old.map(|t| t.hash) != new.map(|t| t.hash) {
            self.type_changed(key);
        }
        let mut fields: FxHashMap<&str, (Vec<u64>, Vec<u64>)> = FxHashMap::default();
        let mut methods: FxHashMap<&str, (Vec<u64>, Vec<u64>)> = FxHashMap::default();
        for (decl, is_new) in [(old, false), (new, true)] {
            let Some(decl) = decl else { continue };
            for f in &decl.fields {
                let of = fields.entry(&f.name).or_default();
                if is_new { &mut of.1 } else { &mut of.0 }.push(f.hash);
            }
            for m in &decl.methods {
                let of = methods.entry(&m.name).or_default();
                if is_new { &mut of.1 } else { &mut of.0 }.push(m.hash);
            }
        }
        let interface = [old, new]
            .into_iter()
            .flatten()
            .any(|t| matches!(t.kind, TypeDeclKind::Interface | TypeDeclKind::Annotation));
        #[allow(clippy::iter_over_hash_type, reason = "into a set")]
        for (name, (old, new)) in fields {
            if old != new {
                self.names.insert(ids.symbol(name));
            }
        }
        #[allow(clippy::iter_over_hash_type, reason = "into a set")]
        for (name, (old, new)) in methods {
            if old != new {
                self.method_changed(key, ids.symbol(name), interface);
            }
        }
    }

    /// What two headers of one type say differently though they are written the same.
    fn compare_headers(&mut self, key: Symbol, old: &Header, new: &Header) {
        if old.params != new.params {
            self.type_changed(key);
        }
        for (a, b) in [(old, new), (new, old)] {
            for f in a.fields() {
                if b.field_named(f.name) != a.field_named(f.name) {
                    self.names.insert(f.name);
                }
            }
            for m in a.methods() {
                if b.methods_named(m.name) != a.methods_named(m.name) {
                    self.method_changed(key, m.name, new.is_interface());
                }
            }
        }
    }
}

/// A changed file with its new summary; without one it is gone.
type Read = (FileId, Option<(Change, Arc<FileSummary>)>);

/// A file before and after.
struct Edited {
    id: FileId,
    old: Option<Arc<FileData>>,
    new: Option<Arc<FileData>>,
}

impl Edited {
    /// Imports, package and source set stayed: names of the file mean the same at the top.
    fn same_scope(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(a), Some(b)) => {
                a.summary.imports_hash == b.summary.imports_hash && a.set == b.set
            }
            _ => false,
        }
    }
}

/// See [`Program::with_changes`].
pub(crate) fn apply(program: &Program, changes: Vec<Change>) -> Program {
    let before = program.data();
    let mut counters = program.inner.counters;
    let mut last: FxHashMap<Arc<str>, usize> = FxHashMap::default();
    for (at, change) in changes.iter().enumerate() {
        last.insert(change.path.clone(), at);
    }
    let mut wanted: Vec<&Change> = changes
        .iter()
        .enumerate()
        .filter(|(at, c)| last.get(&c.path) == Some(at))
        .map(|c| c.1)
        .collect();
    wanted.sort_by(|a, b| a.path.cmp(&b.path));
    let read: Vec<Read> = wanted
        .into_par_iter()
        .filter_map(|change| {
            let id = FileId(before.ids.files.intern(change.path.clone()));
            let old = before.file(id);
            match &change.text {
                None => old.map(|_| (id, None)),
                Some(text) => {
                    if old.is_some_and(|o| o.text == *text && o.set == change.source_set) {
                        return None;
                    }
                    let summary = summary(
                        &change.path,
                        text,
                        old.map(|o| &*o.summary),
                        (before.queries.as_deref(), &before.generated),
                    );
                    Some((id, Some((change.clone(), summary))))
                }
            }
        })
        .collect();
    counters.summarised += read.iter().filter(|r| r.1.is_some()).count() as u64;
    let extent = read.iter().map(|read| Extent::of(before, read)).max();
    let extent = extent.unwrap_or(Extent::Bodies);
    let mut data = before.clone();
    let edited = if extent < Extent::Types {
        // Which declaration of a name is the first stays as it was.
        let renewed = read.into_iter().filter_map(|(id, new)| {
            let old = before.file(id)?.clone();
            let (change, summary) = new?;
            let text = change.text?;
            let file = if old.summary.declarations_hash == summary.declarations_hash {
                old.with_bodies(&data.ids, text, summary)
            } else {
                let duplicates = old.duplicates.clone();
                FileData::new(
                    &data.ids,
                    old.path.clone(),
                    old.set,
                    text,
                    summary,
                    duplicates,
                )
            };
            Some(Edited {
                id,
                old: Some(old),
                new: Some(Arc::new(file)),
            })
        });
        renewed.collect()
    } else {
        number_again(before, read)
    };
    if extent == Extent::Bodies {
        for e in &edited {
            if let (Some(old), Some(new)) = (&e.old, &e.new) {
                enter_bodies(&mut data, e.id, old, new);
            }
        }
    } else {
        for e in &edited {
            remove(&mut data, e.id);
        }
        for e in &edited {
            if let Some(new) = &e.new {
                enter(&mut data, e.id, new.clone());
            }
        }
    }
    let by_file: FxHashMap<FileId, &Edited> = edited.iter().map(|e| (e.id, e)).collect();
    let changed_texts = changed_texts(&edited);
    let names = if extent == Extent::Bodies {
        Names::default()
    } else {
        declarations(
            before,
            &mut data,
            extent,
            &edited,
            &by_file,
            &changed_texts,
            &mut counters.headers_resolved,
        )
    };
    let (resolved, mut changed) = bodies(before, &mut data, &by_file, &changed_texts, names);
    counters.bodies_resolved += resolved;
    // Bodies whose records moved within (the pieces of an initialiser) and bodies that are gone.
    let known: FxHashSet<BodyId> = changed.iter().copied().collect();
    for e in &edited {
        for (at, &body) in e.old.iter().flat_map(|o| o.bodies.iter().enumerate()) {
            let gone = data.body_decl(body).is_none();
            let moved = || match (&e.old, data.body_decl(body)) {
                (Some(old), Some(new)) => {
                    let old = &old.summary.bodies[at];
                    !Arc::ptr_eq(&old.body, &new.body) || old.assertions != new.assertions
                }
                _ => false,
            };
            if !known.contains(&body) && (gone || moved()) {
                changed.push(body);
            }
            if gone {
                data.resolved.take(body.ix());
            }
        }
    }
    Program {
        inner: Arc::new(Inner {
            revision: data.ids.next_revision(),
            follows: Some(program.inner.revision),
            data,
            counters,
            changed,
        }),
    }
}

/// Numbers for the changed files, and for those whose types are first of their name no more, or now.
fn number_again(before: &Snapshot, read: Vec<Read>) -> Vec<Edited> {
    type Entry = (crate::ids::SourceSetId, Arc<str>, Arc<FileSummary>);
    let mut files: FxHashMap<FileId, Entry> = FxHashMap::default();
    for &id in before.order.iter() {
        if let Some(f) = before.file(id) {
            files.insert(id, (f.set, f.text.clone(), f.summary.clone()));
        }
    }
    let mut touched: FxHashSet<FileId> = FxHashSet::default();
    for (id, new) in read {
        touched.insert(id);
        match new {
            Some((
                Change {
                    text: Some(text),
                    source_set,
                    ..
                },
                summary,
            )) => {
                files.insert(id, (source_set, text, summary));
            }
            _ => {
                files.remove(&id);
            }
        }
    }
    #[allow(clippy::iter_over_hash_type, reason = "sorted at once")]
    let mut order: Vec<FileId> = files.keys().copied().collect();
    order.sort_by(|a, b| before.ids.files.get(a.0).cmp(before.ids.files.get(b.0)));
    let listed = order.iter().filter_map(|id| {
        files
            .get(id)
            .map(|f| ((f.0, &f.2), before.ids.files.get(id.0)))
    });
    let duplicates = duplicates(&before.ids, listed);
    let mut out = Vec::new();
    for (&id, duplicates) in order.iter().zip(duplicates) {
        let old = before.file(id);
        if !touched.contains(&id) && old.is_some_and(|o| o.duplicates == duplicates) {
            continue;
        }
        if let Some((set, text, summary)) = files.get(&id) {
            let path = before.ids.files.get(id.0).clone();
            let file = FileData::new(
                &before.ids,
                path,
                *set,
                text.clone(),
                summary.clone(),
                duplicates,
            );
            out.push(Edited {
                id,
                old: old.cloned(),
                new: Some(Arc::new(file)),
            });
        }
    }
    for &id in before.order.iter() {
        if !files.contains_key(&id) {
            out.push(Edited {
                id,
                old: before.file(id).cloned(),
                new: None,
            });
        }
    }
    out
}

/// The bodies that are new or say something else, or whose local classes have other numbers.
fn changed_texts(edited: &[Edited]) -> FxHashSet<BodyId> {
    let mut out = FxHashSet::default();
    for e in edited {
        let Some(new) = &e.new else { continue };
        let old: FxHashMap<BodyId, (u64, &[Option<TypeId>])> = e
            .old
            .iter()
            .flat_map(|o| {
                o.bodies
                    .iter()
                    .enumerate()
                    .map(|(at, &b)| (b, (o.summary.bodies[at].hash, &*o.body_classes[at])))
            })
            .collect();
        for (at, &body) in new.bodies.iter().enumerate() {
            if old.get(&body) != Some(&(new.summary.bodies[at].hash, &*new.body_classes[at])) {
                out.insert(body);
            }
        }
    }
    out
}

/// Everything but bodies, after declarations changed. Gives the names whose meaning may have changed.
fn declarations(
    before: &Snapshot,
    data: &mut Snapshot,
    extent: Extent,
    edited: &[Edited],
    by_file: &FxHashMap<FileId, &Edited>,
    changed_texts: &FxHashSet<BodyId>,
    headers_resolved: &mut u64,
) -> Names {
    if edited.iter().any(|e| e.old.is_none() || e.new.is_none()) {
        let mut order: Vec<FileId> = (0..data.files.end() as u32)
            .map(FileId)
            .filter(|&id| data.file(id).is_some())
            .collect();
        order.sort_by(|a, b| data.ids.files.get(a.0).cmp(data.ids.files.get(b.0)));
        data.order = order.into();
    }
    // A type variable of a method may stand in what an anonymous class extends, so members are not without effect.
    let files = || edited.iter().map(|e| e.id);
    let types_stay = extent == Extent::Members && supertypes_stay(data, files());
    if !types_stay {
        data.index = Arc::new(index(data));
        resolve_supertypes(data);
    }

    let mut changed = ChangedNames {
        data: before,
        names: Names::default(),
    };
    for e in edited {
        let list = |file: &'_ Option<Arc<FileData>>| -> Vec<(TypeId, usize)> {
            file.iter()
                .flat_map(|f| f.types.iter().copied().zip(0..))
                .collect()
        };
        let (old, new) = (list(&e.old), list(&e.new));
        let new_at: FxHashMap<TypeId, usize> = new.iter().copied().collect();
        let old_ids: FxHashSet<TypeId> = old.iter().map(|t| t.0).collect();
        for (def, at) in old {
            let Some(file) = &e.old else { continue };
            let now = match (&e.new, new_at.get(&def)) {
                (Some(new), Some(&at)) => Some(&new.summary.types[at]),
                _ => None,
            };
            changed.compare(file.keys[at], Some(&file.summary.types[at]), now);
        }
        for (def, at) in new {
            let Some(file) = &e.new else { continue };
            if !old_ids.contains(&def) {
                changed.compare(file.keys[at], None, Some(&file.summary.types[at]));
            }
        }
    }
    if !types_stay {
        let (was, is) = (&before.index.packages, &data.index.packages);
        #[allow(clippy::iter_over_hash_type, reason = "into a set")]
        for &package in was.symmetric_difference(is) {
            changed.names.insert_package(&data.ids, package);
        }
        for file in data.order.iter().filter_map(|&f| data.file(f)) {
            for (at, def) in file.types.iter().enumerate() {
                if before.closures.get(def.ix()) != data.closures.get(def.ix()) {
                    changed.type_changed(file.keys[at]);
                }
            }
        }
    }

    let mut wanted: Vec<(FileId, Vec<u32>)> = Vec::new();
    for &id in data.order.iter() {
        let Some(file) = data.file(id) else { continue };
        let edited = by_file.get(&id);
        let same_scope =
            edited.is_none_or(|e| e.same_scope()) && !changed.names.touch_imports(file);
        let types = (0..file.types.len() as u32).filter(|&at| {
            let def = file.types[at as usize];
            let Some(old) = before.headers.get(def.ix()) else {
                return true;
            };
            !same_scope
                || changed.names.touch(&old.looked_up)
                || edited.is_some_and(|e| !same_declaration(e, def, at))
                || frames(file, at, None).iter().any(|f| {
                    f.local.is_some_and(|(body, _)| {
                        changed_texts.contains(&file.bodies[body as usize])
                    })
                })
        });
        wanted.push((id, types.collect()));
    }
    let replaced = resolve_headers(data, &wanted);
    *headers_resolved += replaced.len() as u64;
    for (def, old) in &replaced {
        let (Some(old), Some(new), Some(key)) =
            (old, data.headers.get(def.ix()).cloned(), data.key(*def))
        else {
            continue;
        };
        changed.compare_headers(key, old, &new);
    }
    let names = changed.names;
    // Headers of types that are gone.
    for def in edited
        .iter()
        .flat_map(|e| &e.old)
        .flat_map(|o| o.types.iter())
    {
        if data.types.get(def.ix()).is_none() {
            data.headers.take(def.ix());
        }
    }
    data.hierarchy = Arc::new(if types_stay {
        data.hierarchy.with_other_members()
    } else {
        Hierarchy::new(data)
    });
    names
}

fn same_declaration(e: &Edited, def: TypeId, at: u32) -> bool {
    let (Some(old), Some(new)) = (&e.old, &e.new) else {
        return false;
    };
    let Some(old_at) = old.types.iter().position(|&t| t == def) else {
        return false;
    };
    let (a, b) = (&old.summary.types[old_at], &new.summary.types[at as usize]);
    a.hash == b.hash
        && a.fields
            .iter()
            .map(|f| f.hash)
            .eq(b.fields.iter().map(|f| f.hash))
        && a.methods
            .iter()
            .map(|m| m.hash)
            .eq(b.methods.iter().map(|m| m.hash))
}

/// Resolves what must be; gives how many and which.
fn bodies(
    before: &Snapshot,
    data: &mut Snapshot,
    by_file: &FxHashMap<FileId, &Edited>,
    changed_texts: &FxHashSet<BodyId>,
    names: Names,
) -> (u64, Vec<BodyId>) {
    let mut wanted: Vec<(FileId, Vec<u32>)> = Vec::new();
    let mut of_edited: Vec<FileId> = Vec::new();
    let files: &[FileId] = if names.is_empty() {
        #[allow(
            clippy::iter_over_hash_type,
            reason = "in order of their numbers below"
        )]
        of_edited.extend(by_file.keys());
        of_edited.sort_unstable();
        &of_edited
    } else {
        &data.order
    };
    for &id in files {
        let edited = by_file.get(&id);
        let Some(file) = data.file(id) else { continue };
        let same_scope = edited.is_none_or(|e| e.same_scope()) && !names.touch_imports(file);
        let nested = edited.is_some()
            && file
                .summary
                .types
                .iter()
                .any(|t| t.enclosing_body.is_some());
        let list = (0..file.bodies.len() as u32).filter(|&at| {
            let body = file.bodies[at as usize];
            let Some(old) = before.resolved.get(body.ix()) else {
                return true;
            };
            !same_scope
                || changed_texts.contains(&body)
                || names.touch(&old.looked_up)
                || nested
                    && frames(file, file.summary.bodies[at as usize].owner, None)
                        .iter()
                        .any(|f| {
                            f.local.is_some_and(|(b, _)| {
                                changed_texts.contains(&file.bodies[b as usize])
                            })
                        })
        });
        let list: Vec<u32> = list.collect();
        if !list.is_empty() {
            wanted.push((id, list));
        }
    }
    let resolved = resolve_bodies(data, &wanted);
    (resolved.len() as u64, resolved)
}
