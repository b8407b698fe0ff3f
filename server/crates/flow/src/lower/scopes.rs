//! Scopes: which block sees a local.

use super::Lowering;
use crate::body::*;
use syntax::{Kind, NodeId};

impl Lowering<'_> {
    /// Gives the scope around it.
    pub(super) fn open_scope(&mut self, n: NodeId) -> Option<LexicalScopeId> {
        let (start, end) = self.rel(n);
        self.body.scopes.push(LexicalScope {
            head: self.head.take().unwrap_or(start),
            start,
            end,
            last: end.saturating_sub(1),
        });
        let own = LexicalScopeId(self.body.scopes.len() as u32 - 1);
        self.around.replace(own)
    }

    /// Behind the `last` statement of a block.
    pub(super) fn close_scope(&mut self, outer: Option<LexicalScopeId>, last: Option<NodeId>) {
        let Some(own) = std::mem::replace(&mut self.around, outer) else {
            return;
        };
        let at = own.ix();
        let jumps = |n: &NodeId| {
            matches!(
                self.nodes.kind(*n),
                Kind::ReturnStatement
                    | Kind::ThrowStatement
                    | Kind::BreakStatement
                    | Kind::ContinueStatement
                    | Kind::YieldStatement
            )
        };
        if let Some(jump) = last.filter(jumps) {
            self.body.scopes[at].last = self.rel(jump).0;
        }
        if at > 0 && !self.declares_since(self.body.scopes[at].head) {
            self.body.scopes.truncate(at);
        }
    }

    pub(super) fn declares_since(&self, start: u32) -> bool {
        self.body.locals.last().is_some_and(|l| l.start >= start)
    }

    /// The body of the statement or clause `head`, alone in seeing what that declares.
    pub(super) fn body_of(&mut self, head: NodeId, body: NodeId) {
        let head = self.rel(head).0;
        if self.nodes.kind(body) == Kind::Block {
            self.head = Some(head);
        } else if self.declares_since(head) {
            let end = self.rel(body).1;
            self.body.scopes.push(LexicalScope {
                head,
                start: end,
                end,
                last: end,
            });
        }
        self.statement(body);
        self.head = None;
    }
}
