//! What the assertions of a suite ask: how often each query, by the type that is asked and over all types.
//!
//! What people of a project check again and again they will check of the next object, too. Going by names serves
//! objects of libraries as well, whose code is not there.

use super::reading::{Path, Reader, Reading};
use crate::workspace::Workspace;
use flow::{Callee, ExprId, ExprKind};
use program::{BodyId, FileId, Program, Ty};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

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

/// See the module's description.
#[derive(Debug, Default)]
pub struct Habits {
    asks: FxHashMap<Ask, u32>,
    by_query: FxHashMap<SmolStr, u32>,
    /// The queries that are asked of each type, the most asked first.
    of_type: FxHashMap<SmolStr, Vec<(SmolStr, u32)>>,
}

/// A type as a key: without its arguments; all arrays are one.
pub fn type_key(program: &Program, ty: Ty) -> SmolStr {
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
pub fn ask_of(reader: &Reader<'_>, e: ExprId, path: &Path) -> Ask {
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

/// What an evaluation must not know of the suite's habits: counts to take off.
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
    let Some(reader) = Reader::new(workspace, body) else {
        return out;
    };
    for a in &chains.assertions {
        asks_in(&reader, &reader.reading(a), &mut out);
    }
    out
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

/// A chain of queries (`getClass().getComponentType()`) as asked of the object that it starts from.
fn chain_of(reader: &Reader<'_>, path: &Path) -> Option<Ask> {
    if path.depth < 2 {
        return None;
    }
    Some(Ask {
        ty: type_key(reader.program, reader.resolved.ty(path.start)),
        query: path.text.strip_prefix(path.root.as_str())?.get(1..)?.into(),
    })
}

impl Habits {
    /// Counts over all bodies of test source sets. Cost: linear in their assertions.
    pub fn new(workspace: &Workspace) -> Habits {
        let program = workspace.program();
        let bodies: Vec<_> = program
            .files()
            .iter()
            .filter(|f| program.is_test(**f))
            .flat_map(|f| program.bodies_of_file(*f).iter().copied())
            .collect();
        let asked: Vec<Vec<Ask>> = bodies
            .par_iter()
            .map(|&body| asks_of(workspace, body))
            .collect();
        let mut habits = Habits::default();
        for ask in asked.into_iter().flatten() {
            *habits.by_query.entry(ask.query.clone()).or_default() += 1;
            *habits.asks.entry(ask).or_default() += 1;
        }
        let mut all: Vec<(&Ask, u32)> = habits.asks.iter().map(|(a, n)| (a, *n)).collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let mut of_type: FxHashMap<SmolStr, Vec<(SmolStr, u32)>> = FxHashMap::default();
        for (ask, n) in all {
            if !ask.query.is_empty() && !ask.query.ends_with(WITH_ARGUMENTS) {
                of_type
                    .entry(ask.ty.clone())
                    .or_default()
                    .push((ask.query.clone(), n));
            }
        }
        habits.of_type = of_type;
        habits
    }

    /// How often exactly this is asked.
    pub(super) fn asked(&self, ask: &Ask, but: &Unknown) -> u32 {
        count(&self.asks, ask).saturating_sub(count(&but.asks, ask))
    }

    /// How often a query of that name is asked, of whatever.
    pub(super) fn asked_by_name(&self, query: &SmolStr, but: &Unknown) -> u32 {
        count(&self.by_query, query).saturating_sub(count(&but.by_query, query))
    }

    /// The queries without arguments that are asked of a type, the most asked first, ties by name.
    pub(super) fn of_type<'a>(
        &'a self,
        ty: &'a SmolStr,
        but: &'a Unknown,
    ) -> impl Iterator<Item = &'a SmolStr> {
        let known = self.of_type.get(ty).map(Vec::as_slice).unwrap_or_default();
        known.iter().filter_map(move |(query, n)| {
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
