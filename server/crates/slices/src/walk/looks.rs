//! What a test looks at: where a walk begins.

use super::{Node, Walk};
use crate::graph::{Cell, Piece, Writes, is_guard, is_unseen};
use crate::libraries::{class_of_call, receiver};
use flow::{BlockId, CallId, Callee, ExprId, ExprKind};
use models::{Family, family, is_jdk, looks_inside};
use oracle::frameworks;
use program::{BodyId, CallTarget, FileId};

impl Walk<'_> {
    pub(super) fn roots(&mut self) {
        let files: Vec<FileId> = self.executed.files().collect();
        for file in files {
            let bodies = self.graph.of_file.get(&file).map_or(&[][..], |b| b);
            for &body in bodies {
                if self.body_ran(body)
                    && let Some(piece) = self.graph.piece(body)
                {
                    self.sleeps(body, piece);
                    match piece.is_test {
                        true => self.looks_of_test(body, piece),
                        false => self.looks_of_code(body, piece),
                    }
                }
            }
        }
    }

    /// Calls that did not run.
    fn sleeps(&mut self, body: BodyId, piece: &Piece) {
        for call in self.graph.sleeping(self.workspace, piece) {
            if !self.has_run(body, piece, call.expr) {
                self.dormant.push((body, call.block, call.writes));
            }
        }
    }

    /// What might have been written there, had a condition been another.
    pub(super) fn might_write(&mut self, cells: &[Cell]) {
        let might = |d: &&(BodyId, BlockId, Writes)| cells.iter().any(|cell| d.2.has(cell));
        let found: Vec<Node> = self
            .dormant
            .iter()
            .filter(might)
            .map(|d| Node::Happens(d.0, d.1))
            .collect();
        for node in found {
            self.push(node);
        }
    }

    fn looks_of_test(&mut self, body: BodyId, piece: &Piece) {
        for (at, call) in piece.body.calls.iter().enumerate() {
            let id = CallId(at as u32);
            if self.has_run(body, piece, call.expr) {
                if self.checks(piece, id) {
                    self.push(Node::Effect(body, call.expr));
                }
            } else if oracle::is_assertion(&piece.body, id, &[]) {
                // `if (sum != 3) fail()`: the test would have failed there.
                self.push(Node::Happens(body, piece.body.block_of(call.expr)));
            }
        }
        self.throws(body, piece);
        if let program::Member::Method(m) = piece.member
            && self.program.returns_value(m)
            && self.workspace.suite().kind(m).is_some()
        {
            self.push(Node::Returned(body));
        }
    }

    /// True for a call of test code that may check what it is given.
    fn checks(&self, piece: &Piece, call: CallId) -> bool {
        if oracle::is_assertion(&piece.body, call, &[]) {
            return true;
        }
        if !is_unseen(self.workspace, piece, call) {
            return false;
        }
        let record = &piece.body.calls[call.ix()];
        let name = match record.callee {
            Callee::Method { name, .. } => piece.body.name(name).as_str(),
            _ => "<init>",
        };
        if matches!(
            piece.resolved.calls.get(call.ix()),
            Some(CallTarget::Workspace(_))
        ) {
            return true;
        }
        let class = class_of_call(self.program, &piece.body, &piece.resolved, call);
        match class {
            Some(class) if is_jdk(&class) => {
                is_guard(piece, call)
                    || looks_inside(&class)
                    || record.dropped && matches!(name, "get" | "join" | "next" | "exit")
            }
            Some(class) => family(&class) != Some(Family::Logs) && !frameworks::prepares(name),
            // Nobody knows what it is.
            None => true,
        }
    }

    fn looks_of_code(&mut self, body: BodyId, piece: &Piece) {
        self.throws(body, piece);
        for (at, call) in piece.body.calls.iter().enumerate() {
            let id = CallId(at as u32);
            let unseen = is_unseen(self.workspace, piece, id);
            if unseen && self.has_run(body, piece, call.expr) {
                if self.is_seen_by_stand_in(piece, id) {
                    self.push(Node::Effect(body, call.expr));
                } else if is_guard(piece, id) {
                    self.parts(body, piece, call.expr);
                    self.mark(piece, piece.lines[call.expr.ix()]);
                }
            } else if !unseen
                && self.has_run(body, piece, call.expr)
                && self.runs_nothing(piece, call.expr)
            {
                // A stand-in, or something that was made while it ran, has answered.
                self.push(Node::Effect(body, call.expr));
            } else if !unseen
                && !self.has_run(body, piece, call.expr)
                && self.always_throws(piece, call.expr)
            {
                // `if (wrong) error("…")`: as if it were thrown here.
                self.push(Node::Happens(body, piece.body.block_of(call.expr)));
            }
        }
        let has_caller = piece.runs_unseen()
            || self.callers(body).iter().any(|(b, e)| {
                let caller = self.graph.piece(*b);
                caller.is_some_and(|p| self.has_run(*b, p, *e))
            });
        if !has_caller {
            // Something runs it that is not there, and may look at what it gives.
            self.push(Node::Returned(body));
        }
    }

    /// Conditions that decide whether something is thrown, and what was thrown: a test fails by it, or expects it.
    fn throws(&mut self, body: BodyId, piece: &Piece) {
        for (at, expr) in piece.body.exprs.iter().enumerate() {
            let e = ExprId(at as u32);
            if !matches!(expr.kind, ExprKind::Throw { .. }) {
                continue;
            }
            if self.has_run(body, piece, e) {
                self.push(Node::Effect(body, e));
            } else {
                self.push(Node::Happens(body, piece.body.block_of(e)));
            }
        }
        for &condition in &piece.body.asserts {
            if self.has_run(body, piece, condition) {
                self.value(body, condition);
            }
        }
    }

    /// True for a call of something that is not there and that a test may watch: it belongs to code that is generated, or to a
    /// library for which the test uses stand-ins.
    fn is_seen_by_stand_in(&self, piece: &Piece, call: CallId) -> bool {
        if let Some(CallTarget::Workspace(_)) = piece.resolved.calls.get(call.ix()) {
            return true;
        }
        let class = class_of_call(self.program, &piece.body, &piece.resolved, call);
        let Some(class) = class else {
            return receiver(&piece.body, call).is_some_and(|r| {
                self.program
                    .library_class_of(piece.resolved.ty(r))
                    .is_none_or(|c| !is_jdk(c))
            });
        };
        if family(&class) == Some(Family::Logs) {
            return self.watched.logs;
        }
        let plain = class.starts_with("java.lang.")
            || class.starts_with("java.util.")
            || family(&class).is_none();
        self.watched.stand_ins && !plain
    }

    /// True if all that a call may run ends by throwing something, whatever it is given.
    fn always_throws(&mut self, piece: &Piece, e: ExprId) -> bool {
        let Some(at) = piece.sites.get(&e) else {
            return false;
        };
        let targets = self
            .workspace
            .call_graph()
            .targets(&piece.chains.calls[*at as usize]);
        let bodies = std::sync::Arc::clone(targets.bodies());
        let throws = |b: &BodyId| {
            let Some(piece) = self.graph.piece(*b) else {
                return false;
            };
            let last = piece.body.exprs.len().checked_sub(1);
            last.is_some_and(|at| {
                let is_throw = matches!(piece.body.exprs[at].kind, ExprKind::Throw { .. });
                let block = piece.body.block_of(ExprId(at as u32));
                is_throw
                    && piece.body.returns.is_empty()
                    && piece.detail().controls.of(block).is_empty()
            })
        };
        !bodies.is_empty() && bodies.iter().all(throws)
    }

    /// True if of all that a call may run nothing did.
    pub(super) fn runs_nothing(&mut self, piece: &Piece, e: ExprId) -> bool {
        let Some(at) = piece.sites.get(&e) else {
            return false;
        };
        let site = &piece.chains.calls[*at as usize];
        if self.program.is_constructor(site.target) {
            return false;
        }
        let targets = self.workspace.call_graph().targets(site);
        let bodies = std::sync::Arc::clone(targets.bodies());
        !bodies.is_empty() && !bodies.iter().any(|b| self.body_ran(*b))
    }
}
