//! Definition-use chains of one body (algorithms §1.1-1.3): its candidates, the chains inside it with their weights,
//! and the loose ends that other bodies tie: calls, fields, captured variables.
//!
//! A loose end keeps what it needs so that any scope can be assembled later without the body's code: a call keeps the
//! sources of its receiver and arguments (they are used directly where the callee has no body in the scope), a field's
//! use keeps the probability of the using statement given the member's entry.

use crate::assertions::{is_assertion, observes};
use flow::{
    BlockId, Body, CallId, Callable, Callee, DefId, ExprId, ExprKind, Flow, LocalId, Options,
    Reaching, Target, VariableKey, VariableKind,
};
use program::{BodyId, FieldId, MethodId};
use smol_str::SmolStr;

/// What the names of one body mean; given by the program.
pub trait Meaning {
    /// The workspace field that a name or field access stands for.
    fn field(&self, e: ExprId) -> Option<FieldId>;
    /// True if the expression is a field of a library, or could be: a variable, but one nobody else here defines.
    fn foreign_field(&self, e: ExprId) -> bool;
    /// The variable of an enclosing body that a name stands for.
    fn captured(&self, e: ExprId) -> Option<(BodyId, LocalId)>;
    /// The field that an initialiser (or a canonical constructor) gives its first value.
    fn own_field(&self, d: DefId) -> Option<FieldId>;
    /// The workspace method or constructor that is called.
    fn call(&self, c: CallId) -> Option<MethodId>;
    /// The workspace method that a method reference names.
    fn reference(&self, e: ExprId) -> Option<MethodId>;
    /// Where calls end that the workspace's own query calls assertions, ascending.
    fn assertions(&self) -> &[u32] {
        &[]
    }
}

/// One candidate of a body. Offsets are relative to the member.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The variable's name; of a return value the member's own name is used by the reader, here it is empty.
    pub variable: SmolStr,
    /// What it is.
    pub kind: VariableKind,
    /// First byte of the defining expression or statement.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The member or a lambda in it.
    pub callable: Callable,
    /// Where it is evaluated: the order within the body.
    pub order: u32,
    /// The block that defines it.
    pub block: BlockId,
    /// P(its statement | the member's entry), in [0, 1].
    pub entry: f64,
    /// The local that it defines (an element counts for its array).
    pub local: Option<LocalId>,
    /// The workspace field that it defines.
    pub field: Option<FieldId>,
    /// The definition in the body; none for a return value.
    pub def: Option<DefId>,
    /// The expression whose type the value has.
    pub value: Option<ExprId>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// A candidate of this body, with P(using statement | its statement).
    Candidate {
        /// Its position in [`Chains::candidates`].
        candidate: u32,
        /// The weight.
        probability: f64,
    },
    /// A field whose definitions stand in other bodies, with P(using statement | entry).
    Field {
        /// Which.
        field: FieldId,
        /// The weight, before it is divided by the number of definitions.
        probability: f64,
    },
    /// The value of a workspace call of this body: its position in [`Chains::calls`].
    Call(u32),
    /// A variable of an enclosing body, with P(using statement | entry).
    Captured {
        /// The enclosing body.
        body: BodyId,
        /// Its variable.
        local: LocalId,
        /// The weight.
        probability: f64,
    },
}

/// How a value comes from its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Use {
    /// From where.
    pub source: Source,
    /// Unchanged: `x = y`, an argument, a returned variable.
    pub copy: bool,
    /// Through a call of a library (a black box).
    pub library: bool,
}

/// A chain that starts at a candidate of this body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    /// The candidate that uses the value.
    pub from: u32,
    /// What it uses.
    pub used: Use,
}

/// A call whose declared target is in the workspace (or a method reference to one).
#[derive(Clone, Debug, PartialEq)]
pub struct CallSite {
    /// The declared target.
    pub target: MethodId,
    /// The call; none for a method reference.
    pub call: Option<CallId>,
    /// Its expression.
    pub expr: ExprId,
    /// Dispatches on the receiver: not for constructors, `super.m()` and static types.
    pub dispatches: bool,
    /// Constructors give no value.
    pub gives_value: bool,
    /// The sources of the receiver; used only where the call turns out to be a black box.
    pub receiver: Vec<Use>,
    /// The sources of each argument.
    pub args: Vec<Vec<Use>>,
    /// P(the call | the member's entry).
    pub entry: f64,
}

/// What a body gives back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Returned {
    /// What is returned: a candidate of kind *return*, or the sources of a variable.
    pub used: Use,
    /// The member or the lambda that it leaves.
    pub callable: Callable,
}

/// One call that asserts something, or an `assert` statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// The call, or the condition of the statement.
    pub expr: ExprId,
    /// The call.
    pub call: Option<CallId>,
    /// The calls chained to it, in order: of `assertThat(x).as("it").isEqualTo(y)` the last two.
    pub chained: Vec<CallId>,
    /// Where its arguments and those of the chained calls, or the condition, come from.
    pub reads: Vec<Use>,
}

/// The definition-use chains of one body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chains {
    /// In order of evaluation.
    pub candidates: Vec<Candidate>,
    /// By user.
    pub chains: Vec<Chain>,
    /// In order of evaluation.
    pub calls: Vec<CallSite>,
    /// Values returned.
    pub returns: Vec<Returned>,
    /// Candidates that define each parameter of the member, in order.
    pub params: Vec<u32>,
    /// P(the class is created or declared | the candidate's statement) for variables a local class can see.
    pub captures: Vec<(flow::ClassId, u32, f64)>,
    /// What assertions read: the expression of the assertion and the sources of its arguments.
    pub assertions: Vec<Assertion>,
    /// Calls that are black boxes for sure (their target is not in the workspace), and all calls.
    pub counts: (u32, u32),
}

/// Builds the chains of a body. Cost: about linear in its code and its chains.
pub fn chains(body: &Body, meaning: &dyn Meaning) -> Chains {
    let fields = FieldKeys { body, meaning };
    let flow = Flow::new(
        body,
        Options::default(),
        &Reaching {
            field_of: &|e| fields.key(e),
            own_field: &|d| meaning.own_field(d).map(|f| VariableKey(f.0 << 1)),
        },
    );
    let mut b = Builder {
        body,
        meaning,
        flow: &flow,
        out: Chains::default(),
        of_def: vec![u32::MAX; body.defs.len()],
        of_return: vec![u32::MAX; body.returns.len()],
        of_call: vec![u32::MAX; body.calls.len()],
        of_local: vec![Vec::new(); body.locals.len()],
        of_lambda: vec![Vec::new(); body.lambdas.len()],
        of_reference: rustc_hash::FxHashMap::default(),
        pending: Vec::new(),
        targets: Vec::new(),
        out_p: Vec::new(),
        scratch: Vec::new(),
    };
    b.candidates();
    b.calls();
    b.link();
    b.weigh();
    b.captures();
    b.out.shrink();
    b.out
}

impl Chains {
    /// Gives back what growing lists reserved: most lists hold one use, and a list grows to four at once.
    fn shrink(&mut self) {
        for site in &mut self.calls {
            exact(&mut site.receiver);
            exact(&mut site.args);
            site.args.iter_mut().for_each(exact);
        }
        for assertion in &mut self.assertions {
            exact(&mut assertion.reads);
        }
        exact(&mut self.candidates);
        exact(&mut self.chains);
        exact(&mut self.calls);
        exact(&mut self.returns);
        exact(&mut self.captures);
        exact(&mut self.assertions);
    }
}

/// Moves a list that is done into memory of its size. An allocator asked to shrink may leave half of it unused.
fn exact<T>(list: &mut Vec<T>) {
    if list.capacity() > list.len() {
        let mut small = Vec::with_capacity(list.len());
        small.append(list);
        *list = small;
    }
}

struct FieldKeys<'a> {
    body: &'a Body,
    meaning: &'a dyn Meaning,
}

impl FieldKeys<'_> {
    /// Workspace fields by id; fields of libraries by their name (even and odd keys).
    fn key(&self, e: ExprId) -> Option<VariableKey> {
        if let Some(f) = self.meaning.field(e) {
            return Some(VariableKey(f.0 << 1));
        }
        if !self.meaning.foreign_field(e) {
            return None;
        }
        match self.body.expr(e).kind {
            ExprKind::Name(n) | ExprKind::Field { name: n, .. } => Some(VariableKey(n.0 << 1 | 1)),
            _ => None,
        }
    }
}

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
    /// The definition that is used.
    candidate: u32,
    /// The block of the user.
    to: BlockId,
    user: User,
    copy: bool,
    library: bool,
}

struct Builder<'a> {
    body: &'a Body,
    meaning: &'a dyn Meaning,
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
    pending: Vec<Pending>,
    targets: Vec<BlockId>,
    out_p: Vec<f64>,
    scratch: Vec<f64>,
}

impl Builder<'_> {
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
                            (None, self.meaning.own_field(d), body.name(n).clone())
                        }
                        Target::Place(p) | Target::Element(p) => match body.expr(p).kind {
                            ExprKind::Local(l) => (Some(l), None, body.locals[l.ix()].name.clone()),
                            ExprKind::Name(n) | ExprKind::Field { name: n, .. } => {
                                (None, self.meaning.field(p), body.name(n).clone())
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
                ExprKind::Call(c) => {
                    self.out.counts.1 += 1;
                    match self.meaning.call(c) {
                        Some(t) => (t, Some(c)),
                        None => {
                            self.out.counts.0 += 1;
                            continue;
                        }
                    }
                }
                ExprKind::MethodRef { .. } => match self.meaning.reference(at) {
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
        let mut chain: rustc_hash::FxHashMap<ExprId, u32> = rustc_hash::FxHashMap::default();
        for (i, call) in body.calls.iter().enumerate() {
            let id = CallId(i as u32);
            if let Callee::Method {
                receiver: Some(receiver),
                ..
            } = call.callee
                && let Some(&of) = chain.get(&receiver)
            {
                chain.insert(call.expr, of);
                self.out.assertions[of as usize].chained.push(id);
                let block = body.block_of(call.expr);
                for &a in body.list(call.args) {
                    self.sources(a, true, block, User::Assertion(of));
                }
                continue;
            }
            if !is_assertion(body, id, self.meaning.assertions()) {
                continue;
            }
            chain.insert(call.expr, self.out.assertions.len() as u32);
            let user = User::Assertion(self.out.assertions.len() as u32);
            self.out.assertions.push(Assertion {
                expr: call.expr,
                call: Some(id),
                chained: Vec::new(),
                reads: Vec::new(),
            });
            if !observes(body, id) {
                continue;
            }
            let block = body.block_of(call.expr);
            for &a in body.list(call.args) {
                self.sources(a, true, block, user);
            }
        }
        for &condition in &body.asserts {
            let user = User::Assertion(self.out.assertions.len() as u32);
            self.out.assertions.push(Assertion {
                expr: condition,
                call: None,
                chained: Vec::new(),
                reads: Vec::new(),
            });
            self.sources(condition, true, body.block_of(condition), user);
        }
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
                        candidate: p.candidate,
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
            let Callee::Method {
                receiver: Some(receiver),
                ..
            } = call.callee
            else {
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

    /// The earlier value of `x += …`, `x++`.
    fn old_value(&mut self, d: DefId, block: BlockId, user: User) {
        let reaching = self.flow.before(d);
        if reaching.is_empty() {
            let target = self.body.defs[d.ix()].target;
            if let Target::Place(e) = target
                && let Some(field) = self.meaning.field(e)
            {
                let probability = self.flow.entry_probability(block);
                self.push(
                    user,
                    Use {
                        source: Source::Field { field, probability },
                        copy: false,
                        library: false,
                    },
                );
            } else if let Target::Place(e) = target
                && let Some((body, local)) = self.meaning.captured(e)
            {
                let probability = self.flow.entry_probability(block);
                self.push(
                    user,
                    Use {
                        source: Source::Captured {
                            body,
                            local,
                            probability,
                        },
                        copy: false,
                        library: false,
                    },
                );
            }
            return;
        }
        for &r in reaching {
            self.use_def(r, block, user, false, false);
        }
    }

    fn push(&mut self, user: User, used: Use) {
        match user {
            User::Chain(from) => self.out.chains.push(Chain { from, used }),
            User::Receiver(c) => self.out.calls[c as usize].receiver.push(used),
            User::Arg(c, n) => self.out.calls[c as usize].args[n as usize].push(used),
            User::Return(r) => self.out.returns[r as usize].used = used,
            User::Assertion(a) => self.out.assertions[a as usize].reads.push(used),
        }
    }

    fn use_def(&mut self, d: DefId, to: BlockId, user: User, copy: bool, library: bool) {
        let candidate = self.of_def[d.ix()];
        if candidate != u32::MAX {
            self.pending.push(Pending {
                candidate,
                to,
                user,
                copy,
                library,
            });
        }
    }

    /// Where the value of `e` comes from, without passing another candidate (algorithms §1.2).
    fn sources(&mut self, e: ExprId, copy: bool, block: BlockId, user: User) {
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
                    if !reaching.is_empty() {
                        for &d in reaching {
                            self.use_def(d, block, user, copy, library);
                        }
                        continue;
                    }
                    let probability = self.flow.entry_probability(block);
                    if let Some(field) = self.meaning.field(e) {
                        self.push(
                            user,
                            Use {
                                source: Source::Field { field, probability },
                                copy,
                                library,
                            },
                        );
                    } else if let Some((body, local)) = self.meaning.captured(e) {
                        self.push(
                            user,
                            Use {
                                source: Source::Captured {
                                    body,
                                    local,
                                    probability,
                                },
                                copy,
                                library,
                            },
                        );
                    }
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
                                candidate,
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
                    operands.clear();
                    body.operands_of(e, &mut operands);
                    work.extend(operands.drain(..).map(|o| (o, false, library)));
                }
            }
        }
    }

    /// Weighs all uses of definitions, one walk a definition.
    fn weigh(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.sort_by_key(|p| (p.candidate, p.to));
        let mut at = 0;
        while at < pending.len() {
            let candidate = pending[at].candidate;
            let end = at
                + pending[at..]
                    .iter()
                    .take_while(|p| p.candidate == candidate)
                    .count();
            let from = self.out.candidates[candidate as usize].block;
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
                    candidate,
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
        for a in &mut self.out.assertions {
            a.reads.sort_by_key(key);
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
    }
}
