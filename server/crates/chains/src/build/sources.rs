//! Where the value of an expression comes from.

use super::{Builder, Pending, User};
use crate::{Chain, Source, Use};
use flow::{BlockId, DefId, ExprId, ExprKind, Target};

impl Builder<'_> {
    /// The earlier value of `x += …`, `x++`.
    pub(super) fn old_value(&mut self, d: DefId, block: BlockId, user: User) {
        let reaching = self.flow.before(d);
        if reaching.is_empty() {
            let target = self.body.defs[d.ix()].target;
            if let Target::Place(e) = target {
                self.use_outer(e, block, user, false, false);
            }
        }
        for &r in reaching {
            self.use_def(r, block, user, false, false);
        }
    }

    pub(super) fn push(&mut self, user: User, used: Use) {
        match user {
            User::Chain(from) => self.out.chains.push(Chain { from, used }),
            User::Receiver(c) => self.out.calls[c as usize].receiver.push(used),
            User::Arg(c, n) => self.out.calls[c as usize].args[n as usize].push(used),
            User::Return(r) => self.out.returns[r as usize].used = used,
            User::Assertion(a) => self.out.reads[a as usize].push(used),
        }
    }

    /// What is defined in other bodies: a field, or a variable of an enclosing body.
    fn use_outer(&mut self, e: ExprId, block: BlockId, user: User, copy: bool, library: bool) {
        let probability = self.flow.entry_probability(block);
        let source = if let Some(field) = self.names.field(e) {
            Source::Field { field, probability }
        } else if let Some((body, local)) = self.names.captured(e) {
            Source::Captured {
                body,
                local,
                probability,
            }
        } else {
            return;
        };
        let used = Use {
            source,
            copy,
            library,
        };
        self.push(user, used);
    }

    pub(super) fn use_def(&mut self, d: DefId, to: BlockId, user: User, copy: bool, library: bool) {
        let used = self.of_def[d.ix()];
        if used == u32::MAX {
            return;
        }
        self.pending.push(Pending {
            used,
            to,
            user,
            copy,
            library,
        });
    }

    /// Where the value of `e` comes from, without passing another candidate (`docs/method.md` §1.2).
    pub(super) fn sources(&mut self, e: ExprId, copy: bool, block: BlockId, user: User) {
        let body = self.body;
        let mut work = vec![(e, copy, false)];
        let mut operands = Vec::new();
        while let Some((e, copy, library)) = work.pop() {
            match body.expr(e).kind {
                ExprKind::Define(d) => self.use_def(d, block, user, copy, library),
                ExprKind::Local(_) => {
                    for &d in self.flow.reaching(e) {
                        self.use_def(d, block, user, copy, library);
                    }
                }
                ExprKind::Name(_) | ExprKind::Field { .. } => {
                    if let ExprKind::Field { object, .. } = body.expr(e).kind {
                        work.push((object, false, library));
                    }
                    let reaching = self.flow.reaching(e);
                    for &d in reaching {
                        self.use_def(d, block, user, copy, library);
                    }
                    if !reaching.is_empty() {
                        continue;
                    }
                    self.use_outer(e, block, user, copy, library);
                }
                ExprKind::Call(c) => {
                    let site = self.of_call[c.ix()];
                    if site == u32::MAX {
                        operands.clear();
                        body.operands_of(e, &mut operands);
                        work.extend(operands.drain(..).map(|o| (o, false, true)));
                    } else if self.out.calls[site as usize].gives_value {
                        self.push(
                            user,
                            Use {
                                source: Source::Call(site),
                                copy,
                                library,
                            },
                        );
                    }
                }
                ExprKind::MethodRef { qualifier, .. } => {
                    if let Some(&site) = self.of_reference.get(&e) {
                        self.push(
                            user,
                            Use {
                                source: Source::Call(site),
                                copy: false,
                                library,
                            },
                        );
                    }
                    work.push((qualifier, false, library));
                }
                ExprKind::Lambda(l) => {
                    // Who gets the lambda's values takes what it returns.
                    for &r in &self.of_lambda[l.ix()] {
                        let candidate = self.of_return[r as usize];
                        if candidate != u32::MAX {
                            self.pending.push(Pending {
                                used: candidate,
                                to: block,
                                user,
                                copy: false,
                                library,
                            });
                        } else if let Some(v) = body.returns[r as usize].value {
                            work.push((v, false, library));
                        }
                    }
                    if self.of_lambda[l.ix()].is_empty() {
                        work.extend(body.lambdas[l.ix()].value.map(|v| (v, false, library)));
                    }
                }
                ExprKind::Cast { operand, .. } => work.push((operand, copy, library)),
                ExprKind::Conditional { operands } | ExprKind::Switch { operands } => {
                    for (n, &o) in body.list(operands).iter().enumerate() {
                        work.push((o, copy && n > 0, library));
                    }
                }
                _ => {
                    self.asked(e, false, library, user);
                    operands.clear();
                    body.operands_of(e, &mut operands);
                    work.extend(operands.drain(..).map(|o| (o, false, library)));
                }
            }
        }
    }

    /// What Java asks objects at `e` to have its value.
    pub(super) fn asked(&mut self, e: ExprId, copy: bool, library: bool, user: User) {
        for asking in self.asked_at.get(&e).cloned().into_iter().flatten() {
            let used = Use {
                source: Source::Asked(asking),
                copy,
                library,
            };
            self.push(user, used);
        }
    }
}
