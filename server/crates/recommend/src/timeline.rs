//! What a test does to its objects and what it asks them, in order of evaluation: which were used last before the hidden
//! assertion, and which values are checked already and have not changed since.

use super::hold_out::HoldOut;
use super::statistics::{Ask, ask_of, call_ask};
use calls::Workspace;
use effects::Purity;
use flow::{Body, Callee, ExprId, ExprKind, Target};
use oracle::{Assertion, Path, Reader, Root};
use program::CallTarget;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// A value that an assertion checks.
#[derive(Clone, Debug)]
struct Checked {
    text: SmolStr,
    /// The objects that it depends on.
    roots: Vec<Root>,
    /// Where it is evaluated.
    at: u32,
    /// Reading it changes what it reads: every time it is another value.
    advances: bool,
}

/// See the module's description.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    first: u32,
    last: u32,
    /// By root: the last expression before the hidden assertion that uses it.
    used: FxHashMap<Root, u32>,
    /// By root: where it changes.
    changes: FxHashMap<Root, Vec<u32>>,
    /// Where methods of the test's own class may change what it holds: all but its locals.
    own_changes: Vec<u32>,
    /// By local: where visible code reads it.
    reads: FxHashMap<Root, Vec<u32>>,
    checked: Vec<Checked>,
    /// What the visible assertions ask, with their places and roots.
    pub(super) asks: Vec<(Ask, Root, u32)>,
}

impl Timeline {
    /// Of one body.
    pub(super) fn new(
        workspace: &Workspace,
        purity: &Purity,
        reader: &Reader<'_>,
        assertions: &[Assertion],
        hold_out: &HoldOut,
    ) -> Timeline {
        let body = reader.body;
        let mut out = Timeline {
            first: hold_out.first,
            last: hold_out.last,
            ..Timeline::default()
        };
        // `it = list.iterator()`, `view = new View(list)`: what changes the one changes the other.
        let mut kin: FxHashMap<Root, Vec<Root>> = FxHashMap::default();
        for (i, expr) in body.exprs.iter().enumerate() {
            let e = ExprId(i as u32);
            if hold_out.hides(e) {
                continue;
            }
            match expr.kind {
                ExprKind::Define(d) => {
                    let def = &body.defs[d.ix()];
                    let root = match def.target {
                        Target::Local(l) => Some(reader.local(l)),
                        Target::Place(p) | Target::Element(p) => reader.path(p).map(|p| p.root),
                        Target::OwnField(_) => None,
                    };
                    let Some(root) = root else { continue };
                    out.change(&root, e);
                    out.use_(&root, e);
                    let (Target::Local(l), Some(&value)) =
                        (def.target, body.list(def.sources).first())
                    else {
                        continue;
                    };
                    let ty = reader.resolved.locals.get(l.ix()).copied();
                    if ty.is_some_and(|ty| reader.is_immutable(ty)) {
                        continue;
                    }
                    for from in made_of(reader, value) {
                        if from != root {
                            kin.entry(root.clone()).or_default().push(from.clone());
                            kin.entry(from).or_default().push(root.clone());
                        }
                    }
                }
                ExprKind::Call(c) => {
                    let call = &body.calls[c.ix()];
                    let does = models::of_call(reader.program, body, reader.resolved, c);
                    if let Callee::Method {
                        receiver: Some(r), ..
                    } = call.callee
                        && let Some(path) = reader.path(r).or_else(|| object(reader, r))
                    {
                        out.use_(&path.root, e);
                        let changes = match (does, reader.resolved.calls.get(c.ix())) {
                            (Some(does), _) if does.is_typed() => does.changes_receiver(),
                            (Some(does), _) => {
                                call.dropped || does.changes_receiver() || does.advances()
                            }
                            (None, Some(CallTarget::Workspace(m))) => {
                                call.dropped || !purity.is_pure(workspace, *m)
                            }
                            (None, _) => call.dropped,
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
                    let target = match reader.resolved.calls.get(c.ix()) {
                        Some(CallTarget::Workspace(m)) => Some(*m),
                        _ => None,
                    };
                    if let (Callee::Method { receiver: None, .. }, Some(m)) = (call.callee, target)
                        && !purity.is_pure(workspace, m)
                    {
                        out.own_changes.push(e.0);
                    }
                    for (at, &a) in body.list(call.args).iter().enumerate() {
                        let Some(path) = reader.path(a) else { continue };
                        out.use_(&path.root, e);
                        let changes = match target {
                            Some(m) => purity.changes_argument(workspace, m, at),
                            None => does.is_some_and(|does| does.changes.has(at)),
                        };
                        if changes && !reader.is_immutable(reader.resolved.ty(a)) {
                            out.change(&path.root, e);
                            for k in kin.get(&path.root).into_iter().flatten() {
                                out.changes.entry(k.clone()).or_default().push(e.0);
                            }
                        }
                    }
                }
                ExprKind::Local(l) => {
                    out.reads.entry(reader.local(l)).or_default().push(e.0);
                }
                _ => {}
            }
        }
        for a in assertions {
            let at = a.expr;
            if hold_out.hides(at) {
                continue;
            }
            let reading = reader.reading(a);
            for (e, path) in &reading.paths {
                out.asks
                    .push((ask_of(reader, *e, path), path.root.clone(), at.0));
            }
            for &e in &reading.calls {
                if let Some(root) = roots_of(reader, e).into_iter().next() {
                    out.asks.push((call_ask(reader, e), root, at.0));
                }
            }
            for e in reader.checked(a) {
                out.check(reader, e);
            }
        }
        out
    }

    fn check(&mut self, reader: &Reader<'_>, e: ExprId) {
        let (text, roots) = match reader.path(e) {
            Some(path) => (path.text, vec![path.root]),
            None => (reader.text(e), roots_of(reader, e)),
        };
        let first = first_of(reader.body, e);
        let own = |root: &Root| {
            let changes = self.changes.get(root);
            changes.is_some_and(|all| all.iter().any(|x| first <= *x && *x <= e.0))
        };
        let advances = roots.iter().any(own);
        self.checked.push(Checked {
            text,
            roots,
            at: e.0,
            advances,
        });
    }

    fn use_(&mut self, root: &Root, e: ExprId) {
        if e.0 < self.first {
            self.used.insert(root.clone(), e.0);
        }
    }

    fn change(&mut self, root: &Root, e: ExprId) {
        self.changes.entry(root.clone()).or_default().push(e.0);
    }

    /// Where a root is used last before the hidden assertion.
    pub(super) fn last_use(&self, root: &Root) -> Option<u32> {
        self.used.get(root).copied()
    }

    /// Where a root changes last before the hidden assertion.
    pub(super) fn last_change(&self, root: &Root) -> Option<u32> {
        let before = |at: &&u32| **at < self.first;
        self.changes.get(root)?.iter().filter(before).max().copied()
    }

    /// True if an assertion checks `text` of that root (without white space if it is no path) in the state in which its
    /// objects are at the hidden assertion; with `ever`, in whatever state.
    pub(super) fn is_checked(&self, root: &Root, text: &str, ever: bool) -> bool {
        self.checked.iter().any(|c| {
            c.text == text
                && (matches!(root, Root::Other(_)) || c.roots.contains(root))
                && (ever || {
                    let (from, to) = if c.at < self.first {
                        (c.at, self.first)
                    } else {
                        (self.last, c.at)
                    };
                    !c.advances && !self.changes_between(&c.roots, from, to)
                })
        })
    }

    /// True if one of the objects changes between two expressions.
    pub(super) fn changes_between(&self, roots: &[Root], from: u32, to: u32) -> bool {
        let within = |all: &Vec<u32>| all.iter().any(|x| from < *x && *x < to);
        roots.iter().any(|root| {
            self.changes.get(root).is_some_and(within)
                || !matches!(root, Root::Local(..)) && within(&self.own_changes)
        })
    }

    /// True if an object changes after `from` and before the hidden assertion.
    pub(super) fn changes_after(&self, root: &Root, from: u32) -> bool {
        self.changes_between(std::slice::from_ref(root), from, self.first)
    }

    /// True if visible code reads a local after `from`.
    pub(super) fn is_read_after(&self, root: &Root, from: u32) -> bool {
        self.reads_after(root, from).next().is_some()
    }

    /// Where visible code reads a local after `from`.
    pub(super) fn reads_after(&self, root: &Root, from: u32) -> impl Iterator<Item = u32> {
        let reads = self.reads.get(root).into_iter().flatten();
        reads.copied().filter(move |x| *x > from)
    }
}

/// The first expression of those that an expression is made of.
fn first_of(body: &Body, e: ExprId) -> u32 {
    let mut first = e.0;
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        first = first.min(e.0);
        body.operands_of(e, &mut work);
    }
    first
}

/// The objects whose change may change the value of a call.
pub(super) fn roots_of(reader: &Reader<'_>, e: ExprId) -> Vec<Root> {
    let mut out: Vec<Root> = Vec::new();
    let mut work = vec![e];
    let mut seen = 0;
    while let Some(e) = work.pop() {
        seen += 1;
        if seen > 1_000 {
            break;
        }
        match reader.path(e) {
            Some(path) if !out.contains(&path.root) => out.push(path.root),
            Some(_) => {}
            None => reader.body.operands_of(e, &mut work),
        }
    }
    out
}

/// The object that `builder.append(x)` and the like give back, as a path.
fn object(reader: &Reader<'_>, e: ExprId) -> Option<Path> {
    let object = models::object(reader.program, reader.body, reader.resolved, e, true);
    (object != e).then(|| reader.path(object)).flatten()
}

/// The roots of the objects that a call's value may share its state with: the receiver and the arguments.
fn made_of(reader: &Reader<'_>, mut e: ExprId) -> Vec<Root> {
    let body = reader.body;
    let mut out = Vec::new();
    for _ in 0..20 {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => e = operand,
            ExprKind::Call(c) => {
                let call = &body.calls[c.ix()];
                // A copy shares nothing.
                if models::of_call(reader.program, body, reader.resolved, c)
                    .is_some_and(|does| does.is_typed() && does.is_new())
                {
                    break;
                }
                for &a in body.list(call.args) {
                    if let Some(path) = reader.path(a)
                        && path.depth == 0
                        && !reader.is_immutable(reader.resolved.ty(a))
                    {
                        out.push(path.root);
                    }
                }
                let Some((r, _)) = call.callee.on() else {
                    break;
                };
                match reader.path(r) {
                    Some(p) => {
                        out.push(p.root);
                        break;
                    }
                    None => e = r,
                }
            }
            _ => break,
        }
    }
    out
}
