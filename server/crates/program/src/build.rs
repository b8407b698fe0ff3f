//! From texts to the first snapshot: summaries, then numbers and index, then headers, then bodies; each in parallel.

use crate::declarations::FileSummary;
use crate::generated::{self, GeneratedPaths};
use crate::headers::{resolve_header, resolve_supertypes};
use crate::hierarchy::Hierarchy;
use crate::ids::{BodyId, FileId, Ids, SourceSetId, Symbol, TypeId};
use crate::lookup::FileScope;
use crate::program::{Counters, FileInput, Inner, Program, ProgramInput};
use crate::resolve::{ResolvedBody, resolve};
use crate::snapshot::{At, FileData, Known, MemberAt, Snapshot, SourceSet, TypeIndex};
use crate::summarise::summarise;
use crate::table::Table;
use crate::types::library::Libraries;
use crate::user_queries;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use syntax::{Queries, SourceFile};

/// See [`Program::build`].
pub(crate) fn build(mut input: ProgramInput) -> Program {
    put_in_order(&mut input.files);
    let recognised = (input.queries.as_deref(), &input.generated);
    let files = input.files.par_iter();
    let summaries = files.map(|f| summary(&f.path, &f.text, None, recognised));
    let summaries = summaries.collect();
    link(input, summaries)
}

/// See [`Program::build_while`].
pub(crate) fn build_while(
    mut input: ProgramInput,
    wanted: &(dyn Fn() -> bool + Sync),
) -> Option<Program> {
    put_in_order(&mut input.files);
    let recognised = (input.queries.as_deref(), &input.generated);
    let files = input.files.par_iter();
    let summaries = files.map(|f| {
        let summary = summary(&f.path, &f.text, None, recognised);
        wanted().then_some(summary)
    });
    let summaries = summaries.collect::<Option<_>>()?;
    Some(link(input, summaries))
}

/// By path; of those with one path the last counts.
fn put_in_order(files: &mut Vec<FileInput>) {
    files.reverse();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
}

fn link(input: ProgramInput, summaries: Vec<Arc<FileSummary>>) -> Program {
    let ProgramInput {
        source_sets,
        files,
        queries,
        generated,
        classes,
    } = input;
    let ids = Ids::with_first_types();
    let known = Known::new(&ids);
    let sets: Arc<[SourceSet]> = source_sets
        .into_iter()
        .enumerate()
        .map(|(at, set)| {
            let mut visible = vec![SourceSetId(at as u32)];
            visible.extend(set.visible);
            SourceSet {
                is_test: set.is_test,
                visible,
            }
        })
        .collect();
    let duplicates = duplicates(
        &ids,
        files
            .iter()
            .map(|f| f.source_set)
            .zip(&summaries)
            .zip(files.iter().map(|f| &f.path)),
    );
    let mut data = Snapshot {
        queries,
        generated,
        libraries: Arc::new(Libraries::new(classes)),
        known,
        sets,
        files: Table::default(),
        order: Arc::default(),
        types: Table::default(),
        methods: Table::default(),
        fields: Table::default(),
        bodies: Table::default(),
        index: Arc::default(),
        supertypes: Table::default(),
        closures: Table::default(),
        headers: Table::default(),
        resolved: Table::default(),
        hierarchy: Arc::default(),
        ids: Arc::new(ids),
    };
    let mut counters = Counters {
        summarised: files.len() as u64,
        ..Counters::default()
    };
    let entered: Vec<(FileId, FileData)> = files
        .into_par_iter()
        .zip(summaries)
        .zip(duplicates)
        .map(|((file, summary), duplicates)| {
            let id = FileId(data.ids.files.intern(file.path.clone()));
            (
                id,
                FileData::new(
                    &data.ids,
                    file.path,
                    file.source_set,
                    file.text,
                    summary,
                    duplicates,
                ),
            )
        })
        .collect();
    data.order = entered.iter().map(|f| f.0).collect();
    for (id, file) in entered {
        enter(&mut data, id, Arc::new(file));
    }
    data.index = Arc::new(index(&data));
    resolve_supertypes(&mut data);
    let all: Vec<(FileId, Vec<u32>)> = data
        .order
        .iter()
        .filter_map(|&id| Some((id, (0..data.file(id)?.types.len() as u32).collect())))
        .collect();
    counters.headers_resolved += resolve_headers(&mut data, &all).len() as u64;
    data.hierarchy = Arc::new(Hierarchy::new(&data));
    let all: Vec<(FileId, Vec<u32>)> = data
        .order
        .iter()
        .filter_map(|&id| Some((id, (0..data.file(id)?.bodies.len() as u32).collect())))
        .collect();
    let changed = resolve_bodies(&mut data, &all);
    counters.bodies_resolved += changed.len() as u64;
    Program {
        inner: Arc::new(Inner {
            revision: data.ids.next_revision(),
            follows: None,
            data,
            counters,
            changed,
        }),
    }
}

pub(crate) fn summary(
    path: &str,
    text: &Arc<str>,
    previous: Option<&FileSummary>,
    (queries, generated): (Option<&Queries>, &GeneratedPaths),
) -> Arc<FileSummary> {
    let file = SourceFile::parse(text.clone());
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.strip_suffix(".java").unwrap_or(name);
    let mut summary = summarise(&file, name, previous);
    if let Some(queries) = queries {
        user_queries::apply(&mut summary, queries, &file);
    }
    generated::mark(&mut summary, path, text, generated);
    Arc::new(summary)
}

/// For every type of every file, in order of paths: (0, 0) if it is the first of its name in its source set.
pub(crate) fn duplicates<'a>(
    ids: &Ids,
    files: impl Iterator<Item = ((SourceSetId, &'a Arc<FileSummary>), &'a Arc<str>)>,
) -> Vec<Vec<(u32, u32)>> {
    let mut seen: FxHashSet<(SourceSetId, Symbol)> = FxHashSet::default();
    files
        .map(|((set, summary), path)| {
            let mut count = 0;
            let types = summary.types.iter().map(|t| {
                if seen.insert((set, ids.symbol(&t.binary_name))) {
                    return (0, 0);
                }
                count += 1;
                (ids.files.intern(path.clone()) + 1, count)
            });
            types.collect()
        })
        .collect()
}

/// Puts a file into the tables, over what it replaces.
pub(crate) fn enter(data: &mut Snapshot, id: FileId, file: Arc<FileData>) {
    for (at, ty) in file.types.iter().enumerate() {
        let (file_id, index) = (id, at as u32);
        data.types.set(
            ty.ix(),
            At {
                file: file_id,
                index,
            },
        );
        let place = |at: usize| MemberAt {
            file: file_id,
            ty: index,
            index: at as u32,
        };
        for (at, m) in file.methods[at].iter().enumerate() {
            data.methods.set(m.ix(), place(at));
        }
        for (at, f) in file.fields[at].iter().enumerate() {
            data.fields.set(f.ix(), place(at));
        }
    }
    place_bodies(data, id, &file);
    data.files.set(id.ix(), file);
}

/// Puts a file into the tables over what it replaces, which declares the same.
pub(crate) fn enter_bodies(data: &mut Snapshot, id: FileId, old: &FileData, new: &Arc<FileData>) {
    if old.bodies != new.bodies {
        for body in &old.bodies {
            data.bodies.take(body.ix());
        }
        place_bodies(data, id, new);
    }
    data.files.set(id.ix(), Arc::clone(new));
}

fn place_bodies(data: &mut Snapshot, id: FileId, file: &FileData) {
    for (at, body) in file.bodies.iter().enumerate() {
        let index = at as u32;
        data.bodies.set(body.ix(), At { file: id, index });
    }
}

/// Takes a file out of the tables.
pub(crate) fn remove(data: &mut Snapshot, id: FileId) {
    let Some(file) = data.files.take(id.ix()) else {
        return;
    };
    for (index, ty) in file.types.iter().enumerate() {
        data.types.take(ty.ix());
        for m in &file.methods[index] {
            data.methods.take(m.ix());
        }
        for f in &file.fields[index] {
            data.fields.take(f.ix());
        }
    }
    for body in &file.bodies {
        data.bodies.take(body.ix());
    }
}

pub(crate) fn index(data: &Snapshot) -> TypeIndex {
    let mut out = TypeIndex::default();
    for file in data.order.iter().filter_map(|&f| data.file(f)) {
        for (at, decl) in file.summary.types.iter().enumerate() {
            if decl.enclosing.is_none() && file.duplicates[at] == (0, 0) {
                out.top
                    .insert((file.set, file.package, file.keys[at]), file.types[at]);
                out.packages.insert(file.package);
            }
        }
    }
    out
}

/// Resolves the headers of the given types (indices in their files) and gives their old ones.
pub(crate) fn resolve_headers(
    data: &mut Snapshot,
    wanted: &[(FileId, Vec<u32>)],
) -> Vec<(TypeId, Option<Arc<crate::header::Header>>)> {
    let snapshot = &*data;
    let found: Vec<Vec<(TypeId, crate::header::Header)>> = wanted
        .par_iter()
        .filter(|w| !w.1.is_empty())
        .filter_map(|(id, types)| {
            let file = snapshot.file(*id)?;
            let mut scope = FileScope::new(snapshot, file);
            Some(
                types
                    .iter()
                    .map(|&at| (file.types[at as usize], resolve_header(&mut scope, at)))
                    .collect(),
            )
        })
        .collect();
    let mut out = Vec::new();
    for (def, header) in found.into_iter().flatten() {
        let old = data.headers.set(def.ix(), Arc::new(header));
        out.push((def, old));
    }
    out
}

/// Resolves the given bodies, and those in local classes of bodies whose variables changed their types. Gives the
/// bodies that were resolved, by path and position.
pub(crate) fn resolve_bodies(data: &mut Snapshot, wanted: &[(FileId, Vec<u32>)]) -> Vec<BodyId> {
    let snapshot = &*data;
    let found: Vec<Vec<(BodyId, ResolvedBody)>> = wanted
        .par_iter()
        .filter(|w| !w.1.is_empty())
        .filter_map(|(id, bodies)| Some(bodies_of_file(snapshot, snapshot.file(*id)?, bodies)))
        .collect();
    let mut out = Vec::new();
    for (body, resolved) in found.into_iter().flatten() {
        data.resolved.set(body.ix(), Arc::new(resolved));
        out.push(body);
    }
    out
}

fn bodies_of_file(data: &Snapshot, file: &FileData, wanted: &[u32]) -> Vec<(BodyId, ResolvedBody)> {
    let mut scope = FileScope::new(data, file);
    // Types stand after those around them, so bodies sorted by owner stand after the bodies around them.
    let around = |body: u32| -> Vec<u32> {
        let mut out = Vec::new();
        let mut ty = Some(file.summary.bodies[body as usize].owner);
        while let Some(at) = ty {
            let decl = &file.summary.types[at as usize];
            out.extend(decl.enclosing_body.map(|b| b.0));
            ty = decl.enclosing;
        }
        out
    };
    let mut dirty: Vec<bool> = vec![false; file.bodies.len()];
    for &body in wanted {
        dirty[body as usize] = true;
    }
    let nested = file
        .summary
        .types
        .iter()
        .any(|t| t.enclosing_body.is_some());
    let mut order: Vec<u32> = if nested {
        (0..file.bodies.len() as u32).collect()
    } else {
        wanted.to_vec()
    };
    order.sort_by_key(|&b| (file.summary.bodies[b as usize].owner, b));
    let mut done: FxHashMap<BodyId, Arc<ResolvedBody>> = FxHashMap::default();
    let mut locals_changed: FxHashSet<u32> = FxHashSet::default();
    let mut out: Vec<(u32, BodyId)> = Vec::new();
    for at in order {
        let id = file.bodies[at as usize];
        if !dirty[at as usize]
            && (!nested || around(at).iter().all(|b| !locals_changed.contains(b)))
        {
            continue;
        }
        let before = data.resolved.get(id.ix());
        let enclosing = |b: BodyId| done.get(&b).or_else(|| data.resolved.get(b.ix())).cloned();
        let resolved = resolve(&mut scope, at as usize, &enclosing);
        if before.is_none_or(|b| b.locals != resolved.locals) {
            locals_changed.insert(at);
        }
        done.insert(id, Arc::new(resolved));
        out.push((at, id));
    }
    out.sort_unstable();
    out.into_iter()
        .filter_map(|(_, id)| {
            done.remove(&id)
                .map(|r| (id, Arc::try_unwrap(r).unwrap_or_else(|r| (*r).clone())))
        })
        .collect()
}
