//! What a test looks at of what it has, read once a scene, since each of its many points asks.

use super::barely::{Barely, COUNTS, says_empty};
use super::{Root, Scene};
use flow::{BinaryOp, Callee, ExprId, ExprKind, LocalId, Target, VariableKind};
use oracle::Path;
use rustc_hash::{FxHashMap, FxHashSet};

/// See the module's description.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// The locals with which it does nothing but read them in assertions.
    only_read: FxHashSet<LocalId>,
    /// Those of them that it only asks for what they have, and not whether they are the same as something.
    only_asked: FxHashSet<LocalId>,
    /// The locals that stand in assertions.
    asserted: FxHashSet<LocalId>,
    /// Those of which something is made in an assertion: `assertEquals(b, a + 1)`, `assertArrayEquals(all, new int[] { a })`.
    operands: FxHashSet<LocalId>,
    /// What assertions ask for something by an argument.
    asked_for_some: FxHashSet<Root>,
    /// What assertions say to be empty: where, last.
    empty: FxHashMap<Root, u32>,
    /// What is asked more than how much there is, arrays of which an element is read, and what a loop looks through.
    opened: FxHashSet<Root>,
}

impl Looked {
    /// Of a scene.
    pub(super) fn new(scene: &Scene<'_>, barely: &Barely) -> Looked {
        let (reader, hold_out) = (&scene.reader, &scene.hold_out);
        let body = reader.body;
        let mut out = Looked::default();
        let mut read: FxHashSet<ExprId> = FxHashSet::default();
        let mut strongly: FxHashSet<LocalId> = FxHashSet::default();
        for a in &scene.chains.assertions {
            let paths = reader.reading(a).paths;
            read.extend(paths.iter().map(|(_, p)| p.start));
            let is_strong = !barely.has(a) && !barely.counts(a.expr) && !reader.is_weak(a);
            let is_visible = hold_out.is_before(a.expr) && !hold_out.hides(a.expr);
            if is_visible {
                let of = body.expr(a.expr);
                let within = |e: &&flow::Expr| of.start <= e.start && e.end <= of.end;
                for e in body.exprs.iter().filter(within) {
                    out.looks_at(scene, e.kind, is_strong.then_some(&mut strongly));
                }
            }
            if is_visible && says_empty(reader, a) {
                let counted = |p: &Path| p.depth == 0 || COUNTS.iter().any(|q| p.text.ends_with(q));
                for (e, path) in paths.into_iter().filter(|(_, p)| counted(p)) {
                    let at = out.empty.entry(path.root).or_default();
                    *at = e.0.max(*at);
                }
            }
        }
        let mut same: FxHashSet<ExprId> = FxHashSet::default();
        let mut other: FxHashSet<LocalId> = FxHashSet::default();
        for (at, expr) in body.exprs.iter().enumerate() {
            match expr.kind {
                ExprKind::Binary {
                    op: BinaryOp::Eq | BinaryOp::Ne,
                    left,
                    right,
                } => same.extend([left, right]),
                ExprKind::Local(local) => {
                    out.only_read.insert(local);
                    if !read.contains(&ExprId(at as u32)) {
                        other.insert(local);
                    }
                }
                _ => {}
            }
        }
        out.only_read.retain(|l| !other.contains(l));
        let compared = same.iter().filter_map(|e| match body.expr(*e).kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        });
        let compared: FxHashSet<LocalId> = compared.collect();
        let asked = out.only_read.iter().filter(|l| !compared.contains(l));
        out.only_asked = asked.copied().collect();
        // `for (Row row : rows) assertEquals(1, row.id())`.
        for def in &body.defs {
            let Target::Local(local) = def.target else {
                continue;
            };
            if def.kind == VariableKind::Loop && strongly.contains(&local) {
                let of = body
                    .list(def.sources)
                    .iter()
                    .filter_map(|e| reader.path(*e));
                out.opened
                    .extend(of.filter(|p| p.depth == 0).map(|p| p.root));
            }
        }
        for expr in &body.exprs {
            // `found[0].name()`.
            if let ExprKind::Index { array, .. } = expr.kind
                && let Some(path) = reader.path(array).filter(|p| p.depth == 0)
            {
                out.opened.insert(path.root);
            }
        }
        for call in &body.calls {
            if let Callee::Method {
                receiver: Some(of),
                name,
            } = call.callee
                && let Some(path) = reader.path(of).filter(|p| p.depth == 0)
            {
                let query = format!(".{}()", body.name(name));
                if !COUNTS.contains(&query.as_str()) {
                    out.opened.insert(path.root);
                }
            }
        }
        out
    }

    /// What an assertion has of an expression in it; `strongly` is there if it says more than that something is there.
    fn looks_at(
        &mut self,
        scene: &Scene<'_>,
        kind: ExprKind,
        strongly: Option<&mut FxHashSet<LocalId>>,
    ) {
        let (reader, body) = (&scene.reader, scene.reader.body);
        let local = |e: &ExprId| match body.expr(*e).kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        };
        match kind {
            ExprKind::Local(local) => {
                self.asserted.insert(local);
                if let Some(strongly) = strongly {
                    strongly.insert(local);
                }
            }
            ExprKind::Binary {
                op: BinaryOp::Add,
                left,
                right,
            } => self.operands.extend([left, right].iter().filter_map(local)),
            ExprKind::NewArray { operands, .. } => {
                let elements = body.list(operands).iter();
                self.operands.extend(elements.filter_map(local));
            }
            ExprKind::Call(call) => {
                let call = &body.calls[call.ix()];
                if let Callee::Method {
                    receiver: Some(of),
                    name,
                } = call.callee
                    && body.name(name) != "equals"
                    && !body.list(call.args).is_empty()
                    && let Some(path) = reader.path(of).filter(|p| p.depth == 0)
                {
                    self.asked_for_some.insert(path.root);
                }
            }
            _ => {}
        }
    }

    /// True if the test only reads a local in assertions: else it is what the next step begins with, or what another value
    /// is compared with. Of an object, `==` is such a comparison.
    pub(super) fn is_only_read(&self, local: LocalId, is_object: bool) -> bool {
        let all = match is_object {
            true => &self.only_asked,
            false => &self.only_read,
        };
        all.contains(&local)
    }

    /// True for a local that stands in an assertion.
    pub(super) fn is_asserted(&self, local: LocalId) -> bool {
        self.asserted.contains(&local)
    }

    /// True for a local with which an assertion computes what it compares something with.
    pub(super) fn is_operand(&self, local: LocalId) -> bool {
        self.operands.contains(&local)
    }

    /// True for an object that assertions ask for something by an argument: `row.get("a")`.
    pub(super) fn is_asked_for_some(&self, root: &Root) -> bool {
        self.asked_for_some.contains(root)
    }

    /// True if an assertion behind a place says that there is nothing in it: then there is nothing else to look at.
    pub(super) fn is_shown_empty(&self, root: &Root, since: u32) -> bool {
        self.empty.get(root).is_some_and(|at| *at > since)
    }

    /// True for an object of which the test asks something besides how much there is (`text.contains("a")`).
    pub(super) fn is_opened(&self, root: &Root) -> bool {
        self.opened.contains(root)
    }
}
