//! Definition-use chains of one body (`docs/method.md` §1.1-1.3): its candidates, the chains inside it with their weights,
//! and the loose ends that other bodies tie: calls, fields, captured variables.
//!
//! A loose end keeps what it needs so that any scope can be assembled later without the body's code: a call keeps the
//! sources of its receiver and arguments (they are used directly where the callee has no body in the scope), a field's
//! use keeps the probability of the using statement given the member's entry.

mod build;
mod unwritten;

use flow::{
    BlockId, Body, CallId, Callable, DefId, ExprId, ExprKind, Flow, LocalId, Options, Reaching,
    VariableKey, VariableKind,
};
use oracle::Assertion;
use program::{
    Asked, BodyId, CallTarget, FieldId, MethodId, NameTarget, Program, ResolvedBody, Ty,
};
use smol_str::SmolStr;

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
    /// The value of a call that Java makes itself: its position in [`Chains::askings`].
    Asked(u32),
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

/// Something that objects are asked though nobody here calls it by its own name: by Java, by a call of what a library
/// declares, or by a library that was given them. [`program::Program::unwritten`] says what may answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asking {
    /// Where.
    pub expr: ExprId,
    /// Of what type the objects are.
    pub on: Ty,
    /// What they are asked.
    pub asked: Asked,
    /// True if it is asked whenever control comes here, and objects of classes of the workspace are; else a library may
    /// ask, or may answer.
    pub is_sure: bool,
    /// True if its value goes into that of the expression: the text of what is added to a text, the next of what is
    /// iterated over.
    pub gives_value: bool,
    /// True if it is the end of a `try` that asks.
    pub closes: bool,
    /// P(the expression | the member's entry).
    pub entry: f64,
}

/// A call that may send a request to code of the workspace ([`oracle::web::requests`]). Which code that is, the text of its
/// arguments says, which is no part of a body's chains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sent {
    /// The call.
    pub call: CallId,
    /// Its expression.
    pub expr: ExprId,
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

/// The definition-use chains of one body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chains {
    /// In order of evaluation.
    pub candidates: Vec<Candidate>,
    /// By user.
    pub chains: Vec<Chain>,
    /// In order of evaluation.
    pub calls: Vec<CallSite>,
    /// What runs without being named, in order of evaluation.
    pub askings: Vec<Asking>,
    /// The requests that it may send, in order of evaluation.
    pub sent: Vec<Sent>,
    /// Values returned.
    pub returns: Vec<Returned>,
    /// Candidates that define each parameter of the member, in order.
    pub params: Vec<u32>,
    /// P(the class is created or declared | the candidate's statement) for variables a local class can see.
    pub captures: Vec<(flow::ClassId, u32, f64)>,
    /// What it asserts.
    pub assertions: Vec<Assertion>,
    /// By assertion: where its arguments and those of the chained calls, or the condition, come from.
    pub reads: Vec<Vec<Use>>,
}

/// Builds the chains of a body as its names are resolved; `marked` says where calls end (relative, ascending) that the
/// workspace's own query calls assertions. Cost: about linear in its code and its chains.
pub fn chains(
    program: &Program,
    id: BodyId,
    body: &Body,
    resolved: &ResolvedBody,
    marked: &[u32],
) -> Chains {
    let names = Names { body, resolved };
    let flow = Flow::new(
        body,
        Options::default(),
        &Reaching {
            field_of: &|e| names.key(e),
            own_field: &|d| names.own_field(d).map(|f| VariableKey(f.0 << 1)),
            changes: &[],
        },
    );
    let askings = unwritten::askings(program, id, body, resolved);
    let mut chains = build::Builder::new(body, names, &flow).build(askings, marked);
    chains.shrink();
    chains
}

impl Chains {
    /// Gives back what growing lists reserved: most lists hold one use, and a list grows to four at once.
    fn shrink(&mut self) {
        for site in &mut self.calls {
            exact(&mut site.receiver);
            exact(&mut site.args);
            site.args.iter_mut().for_each(exact);
        }
        self.reads.iter_mut().for_each(exact);
        exact(&mut self.reads);
        exact(&mut self.candidates);
        exact(&mut self.chains);
        exact(&mut self.calls);
        exact(&mut self.askings);
        exact(&mut self.sent);
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

/// What the names of a body mean.
#[derive(Clone, Copy)]
struct Names<'a> {
    body: &'a Body,
    resolved: &'a ResolvedBody,
}

impl Names<'_> {
    /// The workspace field that a name or field access stands for.
    fn field(self, e: ExprId) -> Option<FieldId> {
        match self.resolved.name(e)? {
            NameTarget::Field(f) => Some(f),
            _ => None,
        }
    }

    /// The variable of an enclosing body that a name stands for.
    fn captured(self, e: ExprId) -> Option<(BodyId, LocalId)> {
        match self.resolved.name(e)? {
            NameTarget::Captured { body, local } => Some((body, local)),
            _ => None,
        }
    }

    /// The field that an initialiser (or a canonical constructor) gives its first value.
    fn own_field(self, d: DefId) -> Option<FieldId> {
        self.resolved.own_field(d)
    }

    /// The workspace method or constructor that is called.
    fn call(self, c: CallId) -> Option<MethodId> {
        match self.resolved.calls.get(c.ix())? {
            CallTarget::Workspace(m) => Some(*m),
            _ => None,
        }
    }

    /// Workspace fields by id; fields of libraries, and what could be one, by their name (even and odd keys).
    fn key(self, e: ExprId) -> Option<VariableKey> {
        match self.resolved.name(e)? {
            NameTarget::Field(f) => Some(VariableKey(f.0 << 1)),
            NameTarget::LibraryField | NameTarget::Unknown => match self.body.expr(e).kind {
                ExprKind::Name(n) | ExprKind::Field { name: n, .. } => {
                    Some(VariableKey(n.0 << 1 | 1))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
