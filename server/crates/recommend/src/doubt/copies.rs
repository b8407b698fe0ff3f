//! What stands under two names: `int n = boxed;`.

use super::Judge;
use flow::{ExprKind, LocalId};
use oracle::Root;

impl Judge<'_> {
    /// What is compared whole under another name is so under its own: `int n = boxed;`.
    pub(super) fn read_copies(&mut self) {
        let reader = &self.scene.reader;
        let body = reader.body;
        let copied = |local: &flow::Local| {
            let mut e = local.init?;
            while let ExprKind::Cast { operand, .. } = body.expr(e).kind {
                e = operand;
            }
            match body.expr(e).kind {
                ExprKind::Local(of) => Some(of),
                _ => None,
            }
        };
        // A copy stands behind what it is of.
        for (at, local) in body.locals.iter().enumerate().rev() {
            let root = Root::Local(reader.id, LocalId(at as u32));
            let (Some(of), true) = (copied(local), self.whole.contains(&root)) else {
                continue;
            };
            self.whole.insert(Root::Local(reader.id, of));
            if self.equal.contains(&root) {
                self.equal.insert(Root::Local(reader.id, of));
            }
        }
    }
}
