//! What a test looks at of what it has, read once a scene, since each of its many points asks.

use super::barely::{COUNTS, says_empty};
use super::{Root, Scene};
use flow::{BinaryOp, Callee, ExprId, ExprKind};
use oracle::Path;
use rustc_hash::FxHashSet;

/// See the module's description.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// The names that assertions go out from.
    read: FxHashSet<ExprId>,
    /// What stands beside `==` or `!=`.
    same: FxHashSet<ExprId>,
    /// What assertions say to be empty, or not to be there.
    empty: FxHashSet<Root>,
    /// What is asked more than how much there is.
    opened: FxHashSet<Root>,
}

impl Looked {
    /// Of a scene.
    pub(super) fn new(scene: &Scene<'_>) -> Looked {
        let (reader, hold_out) = (&scene.reader, &scene.hold_out);
        let body = reader.body;
        let mut out = Looked::default();
        for a in &scene.chains.assertions {
            let paths = reader.reading(a).paths;
            out.read.extend(paths.iter().map(|(_, p)| p.start));
            let is_visible = hold_out.is_before(a.expr) && !hold_out.hides(a.expr);
            if is_visible && says_empty(reader, a) {
                let counted = |p: &Path| p.depth == 0 || COUNTS.iter().any(|q| p.text.ends_with(q));
                let counted = paths.into_iter().map(|(_, p)| p).filter(counted);
                out.empty.extend(counted.map(|p| p.root));
            }
        }
        for expr in &body.exprs {
            if let ExprKind::Binary { op, left, right } = expr.kind
                && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            {
                out.same.extend([left, right]);
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

    /// True for a name by which an assertion reads something.
    pub(super) fn is_read(&self, e: ExprId) -> bool {
        self.read.contains(&e)
    }

    /// True for what is asked whether it is the same as something.
    pub(super) fn is_same(&self, e: ExprId) -> bool {
        self.same.contains(&e)
    }

    /// True if an assertion says that there is nothing in it, or that it is not there: then there is nothing else to look at.
    pub(super) fn is_shown_empty(&self, root: &Root) -> bool {
        self.empty.contains(root)
    }

    /// True for an object of which the test asks something besides how much there is (`text.contains("a")`).
    pub(super) fn is_opened(&self, root: &Root) -> bool {
        self.opened.contains(root)
    }
}
