//! The walk over a body that makes its [`Chains`].

mod sources;

use crate::{Asking, CallSite, Candidate, Chains, Names, Returned, Sent, Source, Use};
use flow::{BlockId, Body, Callable, Callee, ExprId, ExprKind, Flow, Target, VariableKind};
use oracle::observes;
use program::MethodId;
use smol_str::SmolStr;

/// Who uses a source whose weight is still to be computed.
#[derive(Clone, Copy)]
enum User {
    Chain(u32),
    Receiver(u32),
    Arg(u32, u32),
    Return(u32),
    Assertion(u32),
}

struct Pending {
    /// The candidate that is used.
    used: u32,
    /// The block of the user.
    to: BlockId,
    user: User,
    copy: bool,
    library: bool,
}

pub(super) struct Builder<'a> {
    body: &'a Body,
    names: Names<'a>,
    flow: &'a Flow,
    out: Chains,
    of_def: Vec<u32>,
    of_return: Vec<u32>,
    of_call: Vec<u32>,
    /// Candidates that define each local, in order.
    of_local: Vec<Vec<u32>>,
    /// Returns of each lambda.
    of_lambda: Vec<Vec<u32>>,
    of_reference: rustc_hash::FxHashMap<ExprId, u32>,
    /// By expression: the calls that Java makes there and whose values go into its own.
    asked_at: rustc_hash::FxHashMap<ExprId, Vec<u32>>,
    pending: Vec<Pending>,
    targets: Vec<BlockId>,
    out_p: Vec<f64>,
    scratch: Vec<f64>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(body: &'a Body, names: Names<'a>, flow: &'a Flow) -> Builder<'a> {
        Builder {
            body,
            names,
            flow,
            out: Chains::default(),
            of_def: vec![u32::MAX; body.defs.len()],
            of_return: vec![u32::MAX; body.returns.len()],
            of_call: vec![u32::MAX; body.calls.len()],
            of_local: vec![Vec::new(); body.locals.len()],
            of_lambda: vec![Vec::new(); body.lambdas.len()],
            of_reference: rustc_hash::FxHashMap::default(),
            asked_at: rustc_hash::FxHashMap::default(),
            pending: Vec::new(),
            targets: Vec::new(),
            out_p: Vec::new(),
            scratch: Vec::new(),
        }
    }

    pub(super) fn build(mut self, askings: Vec<Asking>, marked: &[u32]) -> Chains {
        self.candidates();
        self.calls();
        self.askings(askings);
        self.sent();
        self.link();
        self.assertions(marked);
        self.weigh();
        self.captures();
        self.out
    }

    fn candidates(&mut self) {
        let body = self.body;
        for (i, e) in body.exprs.iter().enumerate() {
            let at = ExprId(i as u32);
            match e.kind {
                ExprKind::Define(d) => {
                    let def = &body.defs[d.ix()];
                    // `_` declares no variable that anyone could look at.
                    if let Target::Local(l) = def.target
                        && body.locals[l.ix()].name == "_"
                    {
                        continue;
                    }
                    let (local, field, variable) = match def.target {
                        Target::Local(l) => (Some(l), None, body.locals[l.ix()].name.clone()),
                        Target::OwnField(n) => {
                            (None, self.names.own_field(d), body.name(n).clone())
                        }
                        Target::Place(p) | Target::Element(p) => match body.expr(p).kind {
                            ExprKind::Local(l) => (Some(l), None, body.locals[l.ix()].name.clone()),
                            ExprKind::Name(n) | ExprKind::Field { name: n, .. } => {
                                (None, self.names.field(p), body.name(n).clone())
                            }
                            // `f()[i] = v` and what cannot be read name no variable.
                            _ => continue,
                        },
                    };
                    self.of_def[d.ix()] = self.out.candidates.len() as u32;
                    let block = self.flow.block_of(d);
                    self.out.candidates.push(Candidate {
                        variable,
                        kind: def.kind,
                        start: def.statement_start,
                        end: def.statement_end,
                        callable: def.callable,
                        order: at.0,
                        block,
                        entry: self.flow.entry_probability(block),
                        local,
                        field,
                        def: Some(d),
                        value: Some(at),
                    });
                }
                ExprKind::Return(ix) => {
                    let r = &body.returns[ix as usize];
                    if r.candidate {
                        self.of_return[ix as usize] = self.out.candidates.len() as u32;
                        let block = body.block_of(at);
                        self.out.candidates.push(Candidate {
                            variable: SmolStr::default(),
                            kind: VariableKind::Return,
                            start: r.statement_start,
                            end: r.statement_end,
                            callable: r.callable,
                            order: at.0,
                            block,
                            entry: self.flow.entry_probability(block),
                            local: None,
                            field: None,
                            def: None,
                            value: r.value,
                        });
                    }
                }
                _ => {}
            }
        }
        for (i, c) in self.out.candidates.iter().enumerate() {
            if let Some(local) = c.local {
                self.of_local[local.ix()].push(i as u32);
            }
        }
        // A parameter's first definition is the call.
        self.out.params = body
            .params
            .iter()
            .filter_map(|p| self.of_local[p.ix()].first().copied())
            .collect();
        for (i, r) in body.returns.iter().enumerate() {
            if let Callable::Lambda(l) = r.callable {
                self.of_lambda[l.ix()].push(i as u32);
            }
        }
    }

    /// Numbers the calls with a workspace target; their sources follow in [`Self::link`].
    fn calls(&mut self) {
        let body = self.body;
        for (i, e) in body.exprs.iter().enumerate() {
            let at = ExprId(i as u32);
            let (target, call) = match e.kind {
                ExprKind::Call(c) => match self.names.call(c) {
                    Some(t) => (t, Some(c)),
                    None => continue,
                },
                ExprKind::MethodRef { .. } => match self.names.resolved.reference(at) {
                    Some(t) => (t, None),
                    None => continue,
                },
                _ => continue,
            };
            let ix = self.out.calls.len() as u32;
            let (dispatches, gives_value) = match call {
                Some(c) => {
                    self.of_call[c.ix()] = ix;
                    match body.calls[c.ix()].callee {
                        Callee::Method { receiver, .. } => {
                            let is_super = receiver.is_some_and(|r| {
                                matches!(
                                    body.expr(r).kind,
                                    ExprKind::Super | ExprKind::Qualified { is_super: true, .. }
                                )
                            });
                            (!is_super, true)
                        }
                        _ => (false, false),
                    }
                }
                None => {
                    self.of_reference.insert(at, ix);
                    (true, true)
                }
            };
            self.out.calls.push(CallSite {
                target,
                call,
                expr: at,
                dispatches,
                gives_value,
                receiver: Vec::new(),
                args: Vec::new(),
                entry: self.flow.entry_probability(body.block_of(at)),
            });
        }
    }

    fn askings(&mut self, askings: Vec<Asking>) {
        self.out.askings = askings;
        for (ix, asking) in self.out.askings.iter_mut().enumerate() {
            asking.entry = self.flow.entry_probability(self.body.block_of(asking.expr));
            if asking.gives_value {
                let here = self.asked_at.entry(asking.expr).or_default();
                here.push(ix as u32);
            }
        }
    }

    fn sent(&mut self) {
        let body = self.body;
        let sent = oracle::web::requests(body).into_iter().map(|call| {
            let expr = body.calls[call.ix()].expr;
            Sent {
                call,
                expr,
                entry: self.flow.entry_probability(body.block_of(expr)),
            }
        });
        self.out.sent = sent.collect();
    }

    fn link(&mut self) {
        let body = self.body;
        for ix in 0..self.out.candidates.len() {
            let c = &self.out.candidates[ix];
            let (block, user) = (c.block, User::Chain(ix as u32));
            match c.def {
                Some(d) => {
                    let def = &body.defs[d.ix()];
                    let sources = body.list(def.sources);
                    // The value itself is copied by a plain assignment; indices and receivers only take part.
                    for (n, &s) in sources.iter().enumerate() {
                        let copy = n == 0
                            && !def.compound
                            && !matches!(def.kind, VariableKind::Loop | VariableKind::Array);
                        self.sources(s, copy, block, user);
                    }
                    if def.compound {
                        self.old_value(d, block, user);
                    }
                    let is_next = def.kind == VariableKind::Loop;
                    self.asked(def.expr, is_next, false, user);
                }
                None => {
                    if let Some(value) = c.value {
                        // A computed return value: its own operands.
                        self.sources(value, false, block, user);
                    }
                }
            }
        }
        for ix in 0..self.out.calls.len() {
            let site = &self.out.calls[ix];
            let block = body.block_of(site.expr);
            if let Some(c) = site.call {
                let call = body.calls[c.ix()];
                if let Callee::Method {
                    receiver: Some(r), ..
                } = call.callee
                {
                    self.sources(r, false, block, User::Receiver(ix as u32));
                }
                for (n, &a) in body.list(call.args).iter().enumerate() {
                    self.out.calls[ix].args.push(Vec::new());
                    self.sources(a, true, block, User::Arg(ix as u32, n as u32));
                }
            }
        }
        for (i, r) in body.returns.iter().enumerate() {
            let Some(value) = r.value else { continue };
            let block = body.block_of(r.expr);
            let candidate = self.of_return[i];
            if candidate != u32::MAX {
                self.out.returns.push(Returned {
                    used: Use {
                        source: Source::Candidate {
                            candidate,
                            probability: 1.0,
                        },
                        copy: true,
                        library: false,
                    },
                    callable: r.callable,
                });
            } else {
                self.return_sources(value, block, r.callable);
            }
        }
        self.lambda_parameters();
    }

    /// Where the arguments of assertions come from; a failing one's are messages.
    fn assertions(&mut self, marked: &[u32]) {
        let body = self.body;
        let assertions = oracle::assertions(body, marked);
        self.out.reads = vec![Vec::new(); assertions.len()];
        for (n, assertion) in assertions.iter().enumerate() {
            let user = User::Assertion(n as u32);
            let own = assertion.call.filter(|&c| observes(body, c));
            for call in own.iter().chain(&assertion.chained) {
                let call = &body.calls[call.ix()];
                let block = body.block_of(call.expr);
                for &a in body.list(call.args) {
                    self.sources(a, true, block, user);
                }
            }
            if assertion.call.is_none() {
                let condition = assertion.expr;
                self.sources(condition, true, body.block_of(condition), user);
            }
        }
        self.out.assertions = assertions;
    }

    /// `return x`: where `x` comes from.
    fn return_sources(&mut self, value: ExprId, block: BlockId, callable: Callable) {
        // Collected as a receiver would be, then moved: returns are few.
        let scratch = self.out.calls.len() as u32;
        self.out.calls.push(CallSite {
            target: MethodId(0),
            call: None,
            expr: value,
            dispatches: false,
            gives_value: false,
            receiver: Vec::new(),
            args: Vec::new(),
            entry: 0.0,
        });
        let pending = self.pending.len();
        self.sources(value, true, block, User::Receiver(scratch));
        let uses = self.out.calls.pop().map(|c| c.receiver).unwrap_or_default();
        for used in uses {
            self.out.returns.push(Returned { used, callable });
        }
        for p in &mut self.pending[pending..] {
            p.user = User::Return(self.out.returns.len() as u32);
            self.out.returns.push(Returned {
                used: Use {
                    source: Source::Candidate {
                        candidate: p.used,
                        probability: 0.0,
                    },
                    copy: p.copy,
                    library: p.library,
                },
                callable,
            });
        }
    }

    /// What a library gives to a lambda comes from the call's receiver, as what it gives back does.
    fn lambda_parameters(&mut self) {
        let body = self.body;
        for (i, call) in body.calls.iter().enumerate() {
            if self.of_call[i] != u32::MAX {
                continue;
            }
            let Some((receiver, _)) = call.callee.on() else {
                continue;
            };
            for &a in body.list(call.args) {
                let ExprKind::Lambda(l) = body.expr(a).kind else {
                    continue;
                };
                for p in &body.lambdas[l.ix()].params {
                    let Some(&ix) = self.of_local[p.ix()].first() else {
                        continue;
                    };
                    let block = self.out.candidates[ix as usize].block;
                    let first = self.pending.len();
                    self.sources(receiver, false, block, User::Chain(ix));
                    for p in &mut self.pending[first..] {
                        p.library = true;
                    }
                }
            }
        }
    }

    /// Weighs all uses of definitions, one walk a definition.
    fn weigh(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.sort_by_key(|p| (p.used, p.to));
        let mut at = 0;
        while at < pending.len() {
            let used = pending[at].used;
            let end = at + pending[at..].iter().take_while(|p| p.used == used).count();
            let from = self.out.candidates[used as usize].block;
            self.targets.clear();
            self.targets
                .extend(pending[at..end].iter().map(|p| p.to).filter(|t| *t >= from));
            self.targets.dedup();
            let (mut out_p, mut scratch) = (
                std::mem::take(&mut self.out_p),
                std::mem::take(&mut self.scratch),
            );
            self.body
                .probabilities(from, &self.targets, &mut out_p, &mut scratch);
            for p in &pending[at..end] {
                let probability = self
                    .targets
                    .binary_search(&p.to)
                    .ok()
                    .and_then(|i| out_p.get(i).copied())
                    .unwrap_or(0.0);
                let source = Source::Candidate {
                    candidate: used,
                    probability,
                };
                self.push(
                    p.user,
                    Use {
                        source,
                        copy: p.copy,
                        library: p.library,
                    },
                );
            }
            self.out_p = out_p;
            self.scratch = scratch;
            at = end;
        }
        // Order of use, not of definition: what is built must not depend on how it was weighed.
        self.out.chains.sort_by(|a, b| {
            a.from
                .cmp(&b.from)
                .then_with(|| key(&a.used).cmp(&key(&b.used)))
        });
        for site in &mut self.out.calls {
            site.receiver.sort_by_key(key);
            for arg in &mut site.args {
                arg.sort_by_key(key);
            }
        }
        for reads in &mut self.out.reads {
            reads.sort_by_key(key);
        }
    }

    fn captures(&mut self) {
        let body = self.body;
        for (i, class) in body.classes.iter().enumerate() {
            let Some(expr) = class.expr else { continue };
            let to = body.block_of(expr);
            for local in &class.visible {
                for &c in &self.of_local[local.ix()] {
                    let candidate = &self.out.candidates[c as usize];
                    if candidate.order < expr.0 {
                        self.body.probabilities(
                            candidate.block,
                            &[to],
                            &mut self.out_p,
                            &mut self.scratch,
                        );
                        self.out
                            .captures
                            .push((flow::ClassId(i as u32), c, self.out_p[0]));
                    }
                }
            }
        }
    }
}

/// The order of the uses of one user; equal ones stay as they were found, in order of evaluation. Numbers of fields and
/// bodies have no order that means anything.
fn key(u: &Use) -> (u8, u32) {
    match u.source {
        Source::Candidate { candidate, .. } => (0, candidate),
        Source::Field { .. } => (1, 0),
        Source::Call(c) => (2, c),
        Source::Captured { local, .. } => (3, local.0),
        Source::Asked(asking) => (4, asking),
    }
}
