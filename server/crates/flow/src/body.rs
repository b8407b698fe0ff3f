//! The records of one body: what a method, constructor or initialiser computes, in evaluation order.
//!
//! A [`Body`] is a flat arena. Expressions stand in the order in which they are evaluated, operands before their
//! user, so every later pass is a plain loop. Blocks are contiguous ranges of expressions; the graph of blocks is
//! acyclic (loops run once, `docs/method.md` §1.2). Lambdas are part of the body that creates them; members of anonymous
//! and local classes are bodies of their own. All positions are relative to the start of the body's member.

use smol_str::SmolStr;

/// Small numbers that are not to be mixed up: positions in a list, each kind a type of its own.
#[macro_export]
macro_rules! ids {
    ($($(#[$m:meta])* $id:ident,)*) => { $(
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $id(pub u32);
        impl $id {
            /// As an index.
            pub fn ix(self) -> usize { self.0 as usize }
        }
    )* };
}

ids! {
    /// Index into [`Body::exprs`].
    ExprId,
    /// Index into [`Body::locals`].
    LocalId,
    /// Index into [`Body::names`].
    NameId,
    /// Index into [`Body::types`].
    TypeRefId,
    /// Index into [`Body::calls`].
    CallId,
    /// Index into [`Body::defs`].
    DefId,
    /// Index into [`Body::blocks`]; blocks are numbered in evaluation order, a preorder of the dominator tree.
    BlockId,
    /// Index into [`Body::lambdas`].
    LambdaId,
    /// Index into [`Body::classes`].
    ClassId,
    /// Index into [`Body::scopes`].
    LexicalScopeId,
}

/// A range in [`Body::operands`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Operands {
    /// First index.
    pub start: u32,
    /// Number of operands.
    pub len: u32,
}

/// A type as written.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum TypeRef {
    /// `var`, or a lambda parameter without a type.
    Inferred,
    /// `int`, `void`, …
    Primitive(Primitive),
    /// `a.b.Outer<X>.Inner<Y>`: segments with their type arguments.
    Named(Box<[Segment]>),
    /// `T[]`, one dimension.
    Array(Box<TypeRef>),
    /// `catch (A | B e)`, or the bounds `A & B` of a cast or a type parameter.
    Several(Box<[TypeRef]>),
    /// `?`, `? extends T`, `? super T`.
    Wildcard(Option<(Bound, Box<TypeRef>)>),
    /// Unreadable.
    Error,
}

/// Which side a wildcard is bound on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Bound {
    /// `? extends`.
    Extends,
    /// `? super`.
    Super,
}

/// One name of a [`TypeRef::Named`].
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Segment {
    /// The simple name.
    pub name: SmolStr,
    /// Type arguments; empty for a raw type and for `<>`.
    pub args: Box<[TypeRef]>,
}

/// Primitive types and `void`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Primitive {
    Void,
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
}

/// One expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// First byte, relative to the member.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// What an expression computes. Operands always have smaller ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExprKind {
    /// Unreadable, absent or too deep; a use of nothing.
    Missing,
    /// A constant.
    Literal(Literal),
    /// Reads a local of this body.
    Local(LocalId),
    /// A simple name that is no local of this body: a field, a captured local, a type or a package.
    Name(NameId),
    /// `object.name`: a field, or a qualified type or package name. The name ends where the expression ends.
    Field { object: ExprId, name: NameId },
    /// `this`.
    This,
    /// `super` before `.name` or `.m()`.
    Super,
    /// `Outer.this` or `Iface.super`; the operand is the type's name as an expression.
    Qualified { qualifier: ExprId, is_super: bool },
    /// `array[index]`.
    Index { array: ExprId, index: ExprId },
    /// A method call, `this(…)`, `super(…)`, or `new`.
    Call(CallId),
    /// `new T[d]…`, `new T[] {…}` or `{…}`; operands are dimensions or elements.
    NewArray {
        ty: Option<TypeRefId>,
        operands: Operands,
    },
    /// `-x`, `!x`, `~x`, `+x`.
    Unary { op: UnaryOp, operand: ExprId },
    /// A binary operator without short circuit.
    Binary {
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    },
    /// `a && b`, `a || b`: `right` stands in a block of its own.
    ShortCircuit {
        and: bool,
        left: ExprId,
        right: ExprId,
    },
    /// `c ? a : b`; operands are condition, then the two values.
    Conditional { operands: Operands },
    /// `(T) x`.
    Cast { ty: TypeRefId, operand: ExprId },
    /// `x instanceof T` or a pattern; bindings are [`ExprKind::Define`]s just before it.
    InstanceOf {
        operand: ExprId,
        ty: Option<TypeRefId>,
    },
    /// The value given to a variable: assignment, `++`, initialiser, parameter, … Its value is the value defined
    /// (of `x++`, for types and flow alike, the variable).
    Define(DefId),
    /// A lambda; its body's expressions stand just before it.
    Lambda(LambdaId),
    /// `Type::name`, `expr::name`, `Type::new`.
    MethodRef {
        qualifier: ExprId,
        name: NameId,
        ty: Option<TypeRefId>,
    },
    /// `T.class`.
    ClassLiteral(TypeRefId),
    /// A `switch` as an expression: operands are the selector, then the results of its arms.
    Switch { operands: Operands },
    /// A condition or selector that decides a branch (`if`, loops, `switch`, `assert`); statement level.
    Test { operand: ExprId },
    /// `return x` (operand present) or the value of an expression lambda.
    Return(u32),
    /// `throw x`.
    Throw { operand: ExprId },
    /// The declaration of a local or anonymous class.
    Class(ClassId),
    /// A type used as an expression qualifier that cannot be a value (`int[]::new`, `List<String>::new`).
    Type(TypeRefId),
}

/// Constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Literal {
    Int,
    Long,
    Float,
    Double,
    Char,
    Str,
    True,
    False,
    Null,
}

/// Prefix operators without side effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    Complement,
}

/// Binary operators without short circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    UShr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    Xor,
}

impl BinaryOp {
    /// True for those whose value is a truth value of two others: `<`, `==`, …
    pub fn compares(self) -> bool {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        matches!(self, Lt | Le | Gt | Ge | Eq | Ne)
    }
}

/// A local variable, parameter, or binding.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Its name.
    pub name: SmolStr,
    /// Its declared type.
    pub ty: TypeRefId,
    /// How it is declared.
    pub kind: VariableKind,
    /// The expression whose type it takes when `ty` is [`TypeRef::Inferred`]: the initialiser of `var`, or the iterable of a for-each.
    pub init: Option<ExprId>,
    /// True for a varargs parameter (`ty` is then the array type).
    pub varargs: bool,
    /// The block in which it is declared.
    pub block: BlockId,
    /// The callable whose parameter or local it is.
    pub callable: Callable,
    /// The update part of a `for` steps it.
    pub counter: bool,
    /// `final` is written, or it is a constant by declaration.
    pub is_final: bool,
    /// Of a binding in a record pattern: the record's type as written, and which of its components.
    pub component: Option<(TypeRefId, u32)>,
    /// Position of the name, relative to the member.
    pub start: u32,
    /// The block around the statement that declares it; none for the member's own parameters.
    pub around: Option<LexicalScopeId>,
}

/// A block of statements, relative to the member. Only the member's own is kept, and those that declare something or are the
/// body of what does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LexicalScope {
    /// Where the statement or clause starts whose body it is, and whose variables it sees: a loop, an `if`, a `catch`.
    /// Where it starts itself, if it is no such body.
    pub head: u32,
    /// Its first byte. A body without braces is empty, and stands where its statement ends.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The last place in it where a statement is reached: before the jump that ends it, or before its closing brace.
    pub last: u32,
}

/// What kind of variable a candidate defines: `candidate.kind` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum VariableKind {
    Local,
    Parameter,
    Field,
    Array,
    Return,
    Loop,
    Catch,
    Resource,
    Pattern,
    LambdaParameter,
}

/// The body itself, or a lambda in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Callable {
    /// The member.
    Member,
    /// A lambda of the body.
    Lambda(LambdaId),
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Callee {
    /// `name(…)` or `receiver.name(…)`.
    Method {
        receiver: Option<ExprId>,
        name: NameId,
    },
    /// `new T(…)`, with the class body of an anonymous class and the outer instance of `outer.new T()`.
    New {
        ty: TypeRefId,
        class: Option<ClassId>,
        outer: Option<ExprId>,
    },
    /// `this(…)`.
    ThisConstructor,
    /// `super(…)`, with the outer instance of `outer.super(…)`.
    SuperConstructor { outer: Option<ExprId> },
    /// The constructor call of an enum constant (with its class body).
    EnumConstant { class: Option<ClassId> },
}

impl Callee {
    /// What a method is called on, and its name; none where nothing stands before it.
    pub fn on(self) -> Option<(ExprId, NameId)> {
        match self {
            Callee::Method { receiver, name } => Some((receiver?, name)),
            _ => None,
        }
    }
}

/// One call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call {
    /// Its expression.
    pub expr: ExprId,
    /// What is called.
    pub callee: Callee,
    /// The arguments.
    pub args: Operands,
    /// Where the simple name (or `new`, `this`, `super`) starts.
    pub name_start: u32,
    /// True if it stands as a statement, its value dropped.
    pub dropped: bool,
}

/// What a definition gives a value to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A local.
    Local(LocalId),
    /// A field by simple name or path: the [`ExprKind::Name`] or [`ExprKind::Field`] expression of the target.
    /// The place expression is in the arena, but it is no use.
    Place(ExprId),
    /// An element: the innermost array expression (`a` of `a[i][j]`), a local, name, field or any expression.
    Element(ExprId),
    /// A field of this member's class, by its initialiser.
    OwnField(NameId),
}

/// One definition: a candidate (`docs/method.md` §1.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Def {
    /// The event at which the variable has its value.
    pub expr: ExprId,
    /// What is defined.
    pub target: Target,
    /// How.
    pub kind: VariableKind,
    /// The expressions whose values it takes (not the old value of a compound assignment, see `compound`).
    pub sources: Operands,
    /// `x += …`, `x++`: it also uses the variable's earlier definitions.
    pub compound: bool,
    /// The statement: first byte.
    pub statement_start: u32,
    /// The statement: one past its last byte.
    pub statement_end: u32,
    /// Where the variable's name starts.
    pub name_start: u32,
    /// Where the variable's expression ends (`a[i]`, `this.x`, `x`).
    pub name_end: u32,
    /// In which callable it stands.
    pub callable: Callable,
}

/// One `return` (or `yield`-free expression body of a lambda).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Return {
    /// The event.
    pub expr: ExprId,
    /// The value, if any.
    pub value: Option<ExprId>,
    /// True if it is a candidate of kind *return*: the value is neither a variable, an assignment, `this` nor a literal.
    pub candidate: bool,
    /// The body or the lambda that it leaves.
    pub callable: Callable,
    /// The statement.
    pub statement_start: u32,
    /// One past the statement.
    pub statement_end: u32,
}

/// One lambda.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// The lambda's own expression.
    pub expr: ExprId,
    /// First expression of its parameters and body (they reach up to `expr`).
    pub first: ExprId,
    /// Its parameters, in order.
    pub params: Vec<LocalId>,
    /// The body's value if it is an expression.
    pub value: Option<ExprId>,
    /// The callable around it.
    pub parent: Callable,
}

/// A local or anonymous class.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// The node of its declaration, or of the class body of an anonymous class, in the file's `Nodes` at lowering;
    /// relative to the member, as the first byte of that node.
    pub start: u32,
    /// The simple name; none for an anonymous class.
    pub name: Option<NameId>,
    /// The event at which it is created or declared.
    pub expr: Option<ExprId>,
    /// The locals of the body that its code can see, innermost last.
    pub visible: Vec<LocalId>,
    /// The local classes declared before it that it can see (indices into [`Body::classes`]).
    pub visible_classes: Vec<ClassId>,
}

/// How control comes to a block.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Block {
    /// First expression; the block ends where the next begins.
    pub first: u32,
    /// Blocks before it, with the probability of the step; their sum is capped at 1.
    pub preds: Vec<(BlockId, f64)>,
    /// Back edges into a loop head (only used with loops on).
    pub back: Vec<BlockId>,
    /// Entered from anywhere in a try, with this probability given that the try was entered.
    pub entered_from: Option<TryEntry>,
    /// The first block of the try that this block follows: it runs at most as often as that one.
    pub after_try: Option<BlockId>,
    /// First and last block of the `finally` that runs on the way here (`preds` lead past it).
    pub through: Option<(BlockId, BlockId)>,
}

/// A catch or finally entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TryEntry {
    /// First block of what it guards (its mass is that of the try).
    pub first: BlockId,
    /// One past the last block of what it guards.
    pub end: BlockId,
    /// Probability given the try.
    pub probability: f64,
}

/// One body. See the module's description.
#[derive(Clone, Debug, PartialEq, Default)]
#[allow(missing_docs)]
pub struct Body {
    pub names: Vec<SmolStr>,
    pub types: Vec<TypeRef>,
    pub locals: Vec<Local>,
    pub exprs: Vec<Expr>,
    pub operands: Vec<ExprId>,
    pub calls: Vec<Call>,
    pub defs: Vec<Def>,
    pub returns: Vec<Return>,
    pub lambdas: Vec<Lambda>,
    pub classes: Vec<Class>,
    pub blocks: Vec<Block>,
    /// Parameters of the member, in order.
    pub params: Vec<LocalId>,
    /// Labels of `case`s, with the selector: a simple name may be a constant of the selector's enum.
    pub labels: Vec<(ExprId, ExprId)>,
    /// The member's own block first, then in the order in which they begin.
    pub scopes: Vec<LexicalScope>,
    /// Conditions of `assert` statements.
    pub asserts: Vec<ExprId>,
    /// What a `try` closes, in order of evaluation.
    pub resources: Vec<ExprId>,
    /// Type arguments that calls of methods write (`this.<String>empty()`), sorted by call.
    pub type_args: Vec<(CallId, Box<[TypeRefId]>)>,
    /// Regions of blocks with one entry and one exit, `(entry, exit)` sorted by entry: a walk may jump from one to the other.
    pub regions: Vec<(BlockId, BlockId)>,
}

impl Body {
    /// The operands of a range.
    pub fn list(&self, operands: Operands) -> &[ExprId] {
        &self.operands[operands.start as usize..(operands.start + operands.len) as usize]
    }
    /// The expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.ix()]
    }
    /// The name.
    pub fn name(&self, id: NameId) -> &SmolStr {
        &self.names[id.ix()]
    }
    /// The name of the method that is called; none of constructors.
    pub fn method_name(&self, call: &Call) -> Option<&SmolStr> {
        match call.callee {
            Callee::Method { name, .. } => Some(self.name(name)),
            _ => None,
        }
    }
    /// The same of a call by its number; empty of constructors.
    pub fn called(&self, call: CallId) -> &str {
        self.method_name(&self.calls[call.ix()])
            .map_or("", |name| name.as_str())
    }
}

impl Body {
    /// The block in which a local can be named; none for the member's own parameters, and where braces hold no such block.
    /// Linear in the blocks.
    pub fn scope_of(&self, l: LocalId) -> Option<&LexicalScope> {
        let local = &self.locals[l.ix()];
        let at = local.start;
        let around = self.scopes.iter().filter(|s| s.head <= at && at < s.end);
        let scope = around.max_by_key(|s| s.head)?;
        let is_seen = match local.kind {
            VariableKind::Parameter | VariableKind::LambdaParameter => false,
            _ if at > scope.start => true,
            // What a pattern binds is there if it matched.
            VariableKind::Pattern => {
                let is_or_not = |e: &&Expr| match e.kind {
                    ExprKind::Unary { op, .. } => op == UnaryOp::Not,
                    ExprKind::ShortCircuit { and, .. } => !and,
                    _ => false,
                };
                let around = |e: &&Expr| e.start < at && at < e.end && e.end <= scope.start;
                !self.exprs.iter().filter(is_or_not).any(|e| around(&e))
            }
            _ => true,
        };
        (is_seen && scope.start < scope.end).then_some(scope)
    }

    /// The expressions of the outermost loop that one stands in, its condition and update included: first, and one past the
    /// last. Linear in the blocks.
    pub fn loop_around(&self, e: ExprId) -> Option<(u32, u32)> {
        let heads = self.blocks.iter().filter_map(|head| {
            let last = head.back.iter().map(|b| b.ix()).max()?;
            let next = self.blocks.get(last + 1).map(|b| b.first);
            Some((head.first, next.unwrap_or(self.exprs.len() as u32)))
        });
        let mut around = heads.filter(|(first, end)| (*first..*end).contains(&e.0));
        around.next()
    }

    /// True for an expression in a `finally`.
    pub fn is_in_finally(&self, e: ExprId) -> bool {
        let ends = |last: BlockId| {
            let next = self.blocks.get(last.ix() + 1).map(|b| b.first);
            next.unwrap_or(self.exprs.len() as u32)
        };
        let mut all = self.blocks.iter().filter_map(|b| b.through);
        all.any(|(first, last)| (self.blocks[first.ix()].first..ends(last)).contains(&e.0))
    }

    /// True for what stands in a `catch`.
    pub fn is_in_catch(&self, e: ExprId) -> bool {
        let at = self.expr(e).start;
        let all = (0..self.locals.len() as u32).map(LocalId);
        let mut caught = all.filter(|l| self.locals[l.ix()].kind == VariableKind::Catch);
        caught.any(|l| {
            let scope = self.scope_of(l);
            scope.is_some_and(|s| s.head <= at && at < s.end)
        })
    }

    /// True if it holds of expressions and of their parts, which it adds to the list that it is given; false of more than
    /// `most`.
    pub fn every_part(
        &self,
        of: &[ExprId],
        most: usize,
        mut holds: impl FnMut(ExprId, &mut Vec<ExprId>) -> bool,
    ) -> bool {
        let mut work = of.to_vec();
        let mut seen = 0;
        while let Some(e) = work.pop() {
            seen += 1;
            if seen > most || !holds(e, &mut work) {
                return false;
            }
        }
        true
    }

    /// The expressions whose values an expression takes, in order, appended to `out`. A definition's operands are the
    /// sources of its [`Def`]; a lambda's is its value; a call's are its receiver (or outer instance) and arguments.
    pub fn operands_of(&self, e: ExprId, out: &mut Vec<ExprId>) {
        match self.expr(e).kind {
            ExprKind::Missing
            | ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Name(_)
            | ExprKind::This
            | ExprKind::Super
            | ExprKind::ClassLiteral(_)
            | ExprKind::Class(_)
            | ExprKind::Type(_) => {}
            ExprKind::Field { object, .. } => out.push(object),
            ExprKind::Qualified { qualifier, .. } => out.push(qualifier),
            ExprKind::Index { array, index } => out.extend([array, index]),
            ExprKind::Call(call) => {
                let call = &self.calls[call.ix()];
                match call.callee {
                    Callee::Method { receiver, .. } => out.extend(receiver),
                    Callee::New { outer, .. } | Callee::SuperConstructor { outer } => {
                        out.extend(outer)
                    }
                    Callee::ThisConstructor | Callee::EnumConstant { .. } => {}
                }
                out.extend_from_slice(self.list(call.args));
            }
            ExprKind::NewArray { operands, .. }
            | ExprKind::Conditional { operands }
            | ExprKind::Switch { operands } => out.extend_from_slice(self.list(operands)),
            ExprKind::Unary { operand, .. }
            | ExprKind::Cast { operand, .. }
            | ExprKind::InstanceOf { operand, .. }
            | ExprKind::Test { operand }
            | ExprKind::Throw { operand } => out.push(operand),
            ExprKind::Binary { left, right, .. } | ExprKind::ShortCircuit { left, right, .. } => {
                out.extend([left, right]);
            }
            ExprKind::Define(def) => out.extend_from_slice(self.list(self.defs[def.ix()].sources)),
            ExprKind::Lambda(lambda) => out.extend(self.lambdas[lambda.ix()].value),
            ExprKind::MethodRef { qualifier, .. } => out.push(qualifier),
            ExprKind::Return(ix) => out.extend(self.returns[ix as usize].value),
        }
    }
}
