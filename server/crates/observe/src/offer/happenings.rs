//! What a test does to its objects and what it asks them, in order of evaluation: which were used last before the gap,
//! and which values are checked already and have not changed since.

use super::gap::Gap;
use super::habits::{Ask, ask_of};
use super::reading::Reader;
use crate::chains::Assertion;
use crate::purity::{Purity, is_pure_name};
use crate::workspace::Workspace;
use flow::{Callee, ExprId, ExprKind, LocalId, Target};
use program::CallTarget;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// Queries of libraries by their names that give something else the next time.
const ADVANCING: &[&str] = &[
    "next",
    "previous",
    "append",
    "read",
    "readLine",
    "poll",
    "pop",
    "remove",
    "parse",
    "split",
    "format",
    "collect",
    "ifPresent",
    "nextElement",
    "nextToken",
];

/// A value that an assertion checks.
#[derive(Clone, Debug)]
struct Checked {
    text: SmolStr,
    root: SmolStr,
    at: u32,
}

/// See the module's description.
#[derive(Debug, Default)]
pub(super) struct Happenings {
    first: u32,
    last: u32,
    /// By root: the last expression before the gap that uses it.
    used: FxHashMap<SmolStr, u32>,
    /// By root: where it changes.
    changes: FxHashMap<SmolStr, Vec<u32>>,
    checked: Vec<Checked>,
    /// What the visible assertions ask, with their places and roots.
    pub(super) asks: Vec<(Ask, SmolStr, u32)>,
    /// Roots that stand in visible code.
    pub(super) mentioned: FxHashSet<SmolStr>,
}

impl Happenings {
    /// Of one body.
    pub(super) fn new(
        workspace: &Workspace,
        purity: &Purity,
        reader: &Reader<'_>,
        assertions: &[Assertion],
        gap: &Gap,
    ) -> Happenings {
        let body = reader.body;
        let mut out = Happenings {
            first: gap.first,
            last: gap.last,
            ..Happenings::default()
        };
        let mut of_assertion = vec![false; body.exprs.len()];
        for a in assertions {
            let mut work = vec![a.expr];
            while let Some(e) = work.pop() {
                if !std::mem::replace(&mut of_assertion[e.ix()], true) {
                    body.operands_of(e, &mut work);
                }
            }
        }
        // `it = list.iterator()`: what changes the one changes the other.
        let mut kin: FxHashMap<SmolStr, Vec<SmolStr>> = FxHashMap::default();
        for (i, expr) in body.exprs.iter().enumerate() {
            let e = ExprId(i as u32);
            if gap.hides(e) {
                continue;
            }
            match expr.kind {
                ExprKind::Define(d) => {
                    let def = &body.defs[d.ix()];
                    let root = match def.target {
                        Target::Local(l) => Some(local_name(reader, l)),
                        Target::Place(p) | Target::Element(p) => reader.path(p).map(|p| p.root),
                        Target::OwnField(_) => None,
                    };
                    let Some(root) = root else { continue };
                    out.change(&root, e);
                    out.use_(&root, e);
                    if let Target::Local(_) = def.target
                        && let Some(&value) = body.list(def.sources).first()
                        && let Some(from) = receiver_root(reader, value)
                        && from != root
                    {
                        kin.entry(root.clone()).or_default().push(from.clone());
                        kin.entry(from).or_default().push(root);
                    }
                }
                ExprKind::Call(c) => {
                    let call = &body.calls[c.ix()];
                    if let Callee::Method {
                        receiver: Some(r),
                        name,
                    } = call.callee
                        && let Some(path) = reader.path(r)
                    {
                        out.use_(&path.root, e);
                        let name = body.name(name).as_str();
                        let changes = call.dropped
                            || match reader.resolved.calls.get(c.ix()) {
                                Some(CallTarget::Workspace(m)) => !purity.is_pure(workspace, *m),
                                _ => !is_pure_name(name) || ADVANCING.contains(&name),
                            };
                        if changes {
                            out.change(&path.root, e);
                            for k in kin.get(&path.root).into_iter().flatten() {
                                out.changes.entry(k.clone()).or_default().push(e.0);
                            }
                        }
                    }
                    if matches!(call.callee, Callee::Method { receiver: None, .. })
                        && call.args.len == 0
                        && let Some(path) = reader.path(e)
                    {
                        out.use_(&path.root, e);
                    }
                    let is_assertion = assertions.iter().any(|a| a.call == Some(c));
                    let pure = match reader.resolved.calls.get(c.ix()) {
                        Some(CallTarget::Workspace(m)) => purity.is_pure(workspace, *m),
                        _ => true,
                    };
                    for &a in body.list(call.args) {
                        if let Some(path) = reader.path(a) {
                            out.use_(&path.root, e);
                            if !pure && !is_assertion && path.depth == 0 {
                                out.change(&path.root, e);
                            }
                        }
                    }
                }
                ExprKind::Local(l) => {
                    out.mentioned.insert(local_name(reader, l));
                }
                ExprKind::Name(n) => {
                    out.mentioned.insert(body.name(n).clone());
                }
                _ => {}
            }
        }
        for a in assertions {
            let at = a.expr;
            if gap.hides(at) {
                continue;
            }
            let reading = reader.reading(a);
            for (e, path) in &reading.paths {
                out.asks
                    .push((ask_of(reader, *e, path), path.root.clone(), at.0));
            }
            // Whatever stands in it is read, also beside the value that it is about: the expected one.
            let mut work = match a.call {
                Some(c) => body.list(body.calls[c.ix()].args).to_vec(),
                None => vec![a.expr],
            };
            let mut seen = 0;
            while let Some(e) = work.pop() {
                seen += 1;
                if seen > 1_000 {
                    break;
                }
                if let Some(path) = reader.path(e) {
                    out.checked.push(Checked {
                        text: path.text,
                        root: path.root,
                        at: at.0,
                    });
                } else {
                    body.operands_of(e, &mut work);
                }
            }
        }
        out
    }

    fn use_(&mut self, root: &SmolStr, e: ExprId) {
        if e.0 < self.first {
            self.used.insert(root.clone(), e.0);
        }
        if root.ends_with(')') {
            self.mentioned.insert(root.clone());
        }
    }

    fn change(&mut self, root: &SmolStr, e: ExprId) {
        self.changes.entry(root.clone()).or_default().push(e.0);
    }

    /// Where a root is used last before the gap.
    pub(super) fn last_use(&self, root: &str) -> Option<u32> {
        self.used.get(root).copied()
    }

    /// True if an assertion checks `text` in the state in which its object is at the gap.
    pub(super) fn is_checked(&self, text: &str, now: bool) -> bool {
        self.checked.iter().any(|c| {
            c.text == text
                && (!now || {
                    let (from, to) = if c.at < self.first {
                        (c.at, self.first)
                    } else {
                        (self.last, c.at)
                    };
                    !self
                        .changes
                        .get(&c.root)
                        .is_some_and(|all| all.iter().any(|x| from < *x && *x < to))
                })
        })
    }
}

fn local_name(reader: &Reader<'_>, l: LocalId) -> SmolStr {
    reader.body.locals[l.ix()].name.clone()
}

/// The root of the object that a call's value comes of.
fn receiver_root(reader: &Reader<'_>, mut e: ExprId) -> Option<SmolStr> {
    let body = reader.body;
    for _ in 0..20 {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => e = operand,
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::Method {
                    receiver: Some(r), ..
                } => match reader.path(r) {
                    Some(p) => return Some(p.root),
                    None => e = r,
                },
                _ => return None,
            },
            _ => return None,
        }
    }
    None
}
