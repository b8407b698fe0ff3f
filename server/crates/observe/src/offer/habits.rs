//! What the assertions of a suite ask: how often each query, by the type that is asked and over all types.
//!
//! What people of a project check again and again they will check of the next object, too. Going by names serves
//! objects of libraries as well, whose code is not there.

use super::reading::{Path, Reader};
use crate::workspace::Workspace;
use flow::{Callee, ExprId, ExprKind};
use program::{Program, Ty};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// What is asked: the type of the object and the query (`size()`), or a type and the empty text for the value itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ask {
    /// The object's type without type arguments, as people write it.
    pub ty: SmolStr,
    /// The query.
    pub query: SmolStr,
}

/// See the module's description.
#[derive(Debug, Default)]
pub struct Habits {
    asks: FxHashMap<Ask, u32>,
    by_query: FxHashMap<SmolStr, u32>,
    /// The queries that are asked of each type, the most asked first.
    of_type: FxHashMap<SmolStr, Vec<(SmolStr, u32)>>,
}

/// A type as a key: without its arguments.
pub fn type_key(program: &Program, ty: Ty) -> SmolStr {
    let text = program.type_text(ty);
    match text.find('<') {
        Some(at) => {
            let tail = if text.ends_with("[]") { "[]" } else { "" };
            SmolStr::from(format!("{}{tail}", &text[..at]))
        }
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
            .map(|&body| {
                let mut out = Vec::new();
                let Some(chains) = workspace.chains(body) else {
                    return out;
                };
                if chains.assertions.is_empty() {
                    return out;
                }
                let Some(reader) = Reader::new(workspace, body) else {
                    return out;
                };
                for a in &chains.assertions {
                    let reading = reader.reading(a.call);
                    out.extend(reading.paths.iter().map(|(e, p)| ask_of(&reader, *e, p)));
                }
                out
            })
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
            if !ask.query.is_empty() {
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
    pub fn asked(&self, ask: &Ask) -> u32 {
        self.asks.get(ask).copied().unwrap_or(0)
    }

    /// How often a query of that name is asked, of whatever.
    pub fn asked_by_name(&self, query: &str) -> u32 {
        self.by_query.get(query).copied().unwrap_or(0)
    }

    /// The queries that are asked of a type, the most asked first, ties by name.
    pub fn of_type(&self, ty: &str) -> &[(SmolStr, u32)] {
        self.of_type.get(ty).map(Vec::as_slice).unwrap_or_default()
    }
}
