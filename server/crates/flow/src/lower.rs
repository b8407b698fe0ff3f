//! From the nodes of one member to its [`Body`]: scopes and control flow in one pass, in evaluation order.
//!
//! Blocks are opened as the code is read, so their numbers are a preorder of the dominator tree. A jump ends the
//! current block; code behind it stands in a block without predecessors. Loops run once (`docs/method.md` §1.2): `while (c) b`
//! is lowered as `if (c) b`, with the back edge noted beside the graph.
//! Input may nest deeply, so the recursion grows its stack on the heap and gives up (an expression becomes
//! [`ExprKind::Missing`]) beyond [`MAX_DEPTH`].

mod call;
mod control;
mod expr;
mod scopes;

use crate::body::*;
use crate::types::{lower_type, with_dimensions};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::{Field, Kind, NodeId, Nodes};

/// Nesting beyond which code is not read.
const MAX_DEPTH: u32 = 20_000;

/// One part of a class's initialisation, in textual order.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// A field declarator with a value.
    Field {
        /// `variable_declarator`.
        declarator: NodeId,
        /// `field_declaration` or `constant_declaration` around it.
        declaration: NodeId,
    },
    /// `enum_constant`.
    EnumConstant(NodeId),
    /// The block of an initialiser (`block`, or the `static_initializer` around it).
    Block(NodeId),
}

/// The body of a method, constructor, compact constructor, or of a record's implicit canonical constructor (a
/// `record_declaration` node). `record` is the record declaration around a compact constructor.
/// Positions are relative to the first byte of `member`.
pub fn lower_member(nodes: &Nodes<'_>, member: NodeId, record: Option<NodeId>) -> Body {
    lower_in(
        Lowering::new(nodes, nodes.span(member).start),
        member,
        record,
    )
}

/// The body of a method or constructor that stands in no text of the workspace: `nodes` are of what a tool would write. All of it
/// stands where `place` says that the words of it do, relative to whatever the body is said to start at.
pub fn lower_added(nodes: &Nodes<'_>, member: NodeId, place: &Place<'_>) -> Body {
    let mut l = Lowering::new(nodes, 0);
    l.place = Some(place);
    lower_in(l, member, None)
}

fn lower_in(mut l: Lowering<'_>, member: NodeId, record: Option<NodeId>) -> Body {
    let nodes = l.nodes;
    let header = record.unwrap_or(member);
    if let Some(name) = record.and_then(|_| nodes.child(member, Field::Name)) {
        l.before = l.rel(name);
    }
    if let Some(params) = nodes.child(header, Field::Parameters) {
        l.parameters(params, VariableKind::Parameter);
    }
    l.body.params = (0..l.body.locals.len() as u32).map(LocalId).collect();
    if nodes.kind(member) != Kind::RecordDeclaration
        && let Some(body) = nodes.child(member, Field::Body)
    {
        l.block(body);
    }
    if record.is_some() || nodes.kind(member) == Kind::RecordDeclaration {
        // The canonical constructor assigns every component at its end.
        for param in l.body.params.clone() {
            let local = &l.body.locals[param.ix()];
            let (start, name) = (local.start, local.name.clone());
            let end = match record {
                Some(_) => l.before.1,
                None => start + name.len() as u32,
            };
            let value = l.push_at(ExprKind::Local(param), start, end);
            let name = l.intern(&name);
            l.define(
                Target::OwnField(name),
                VariableKind::Field,
                &[value],
                false,
                (start, end),
                (start, end),
            );
        }
    }
    l.finish()
}

/// The field initialisers and initialiser blocks of one class (all static ones, or all others), as one body.
/// Positions are relative to `base`, the first byte of the class.
pub fn lower_initialisers(nodes: &Nodes<'_>, base: u32, pieces: &[Piece]) -> Body {
    let mut l = Lowering::new(nodes, base);
    for piece in pieces {
        match *piece {
            Piece::Field {
                declarator,
                declaration,
            } => l.field_initialiser(declarator, declaration),
            Piece::EnumConstant(constant) => l.enum_constant(constant),
            Piece::Block(block) => {
                let block = if nodes.kind(block) == Kind::Block {
                    block
                } else {
                    nodes.child_of(block, Kind::Block).unwrap_or(block)
                };
                l.block(block);
            }
        }
    }
    l.finish()
}

/// Moves a list that is done into memory of its size. An allocator asked to shrink may leave half of it unused.
fn exact<T>(list: &mut Vec<T>) {
    if list.capacity() > list.len() {
        let mut small = Vec::with_capacity(list.len());
        small.append(list);
        *list = small;
    }
}

/// Each class lists all that it sees; thousands of them behind thousands of locals must not need their product. Once the
/// lists of a body have so many members together …
const SEEN_BY_CLASSES: usize = 1_000_000;

/// … a further class sees so many of each kind, the innermost.
const SEEN_AT_LEAST: usize = 64;

fn last<T: Copy>(list: &[T], most: usize) -> Vec<T> {
    list[list.len().saturating_sub(most)..].to_vec()
}

/// Where `break`, `continue` or `yield` lead.
struct Jump<'n> {
    label: Option<&'n str>,
    /// A plain `break` stops here (loops and switches); otherwise only a labelled one.
    plain: bool,
    is_loop: bool,
    breaks: Vec<(BlockId, f64)>,
    continues: Vec<(BlockId, f64)>,
}

/// The results of a `switch` used as an expression.
struct Yielding {
    values: Vec<ExprId>,
    ends: Vec<(BlockId, f64)>,
}

/// Where words stand.
type Place<'n> = dyn Fn(&str) -> (u32, u32) + 'n;

pub(crate) struct Lowering<'n> {
    nodes: &'n Nodes<'n>,
    base: u32,
    /// Where words stand that are not at `base`.
    place: Option<&'n Place<'n>>,
    /// Where that stands which is written before the member: the header of the record around a compact constructor.
    before: (u32, u32),
    body: Body,
    names: FxHashMap<SmolStr, NameId>,
    types: FxHashMap<TypeRef, TypeRefId>,
    env: FxHashMap<SmolStr, Vec<LocalId>>,
    /// The locals in scope, innermost last.
    scope: Vec<LocalId>,
    /// Where the innermost block ends, relative.
    /// Where the statement starts whose body is lowered next.
    head: Option<u32>,
    /// The block whose statements are lowered.
    around: Option<LexicalScopeId>,
    classes_in_scope: Vec<ClassId>,
    /// What classes were said to see so far, all together.
    seen_by_classes: usize,
    jumps: Vec<Jump<'n>>,
    yields: Vec<Yielding>,
    /// Ends of the callable's lambda bodies by `return`: one list a lambda that is open.
    lambda_returns: Vec<Vec<(BlockId, f64)>>,
    callable: Callable,
    dead: bool,
    /// How many jumps were read: a statement in which it does not change has one exit.
    jump_count: u32,
    depth: u32,
    pending_label: Option<&'n str>,
}

impl<'n> Lowering<'n> {
    fn new(nodes: &'n Nodes<'n>, base: u32) -> Lowering<'n> {
        let mut body = Body::default();
        body.blocks.push(Block::default());
        Lowering {
            nodes,
            base,
            place: None,
            before: (0, 0),
            body,
            names: FxHashMap::default(),
            types: FxHashMap::default(),
            env: FxHashMap::default(),
            scope: Vec::new(),
            head: None,
            around: None,
            classes_in_scope: Vec::new(),
            seen_by_classes: 0,
            jumps: Vec::new(),
            yields: Vec::new(),
            lambda_returns: Vec::new(),
            callable: Callable::Member,
            dead: false,
            jump_count: 0,
            depth: 0,
            pending_label: None,
        }
    }

    fn finish(mut self) -> Body {
        let regions = &mut self.body.regions;
        // Outermost first where two share an entry, so that a walk takes the longest jump.
        regions.sort_by_key(|&(entry, exit)| (entry, std::cmp::Reverse(exit)));
        let body = &mut self.body;
        for block in &mut body.blocks {
            exact(&mut block.preds);
        }
        exact(&mut body.exprs);
        exact(&mut body.operands);
        exact(&mut body.names);
        exact(&mut body.types);
        exact(&mut body.locals);
        exact(&mut body.scopes);
        exact(&mut body.calls);
        exact(&mut body.defs);
        exact(&mut body.blocks);
        exact(&mut body.regions);
        self.body
    }

    // --- names, types, positions ---

    fn intern(&mut self, name: &str) -> NameId {
        if let Some(&id) = self.names.get(name) {
            return id;
        }
        let id = NameId(self.body.names.len() as u32);
        let name = SmolStr::new(name);
        self.body.names.push(name.clone());
        self.names.insert(name, id);
        id
    }

    fn name_of(&mut self, n: NodeId) -> NameId {
        let name = self.nodes.name(n);
        self.intern(&name)
    }

    fn ty(&mut self, ty: TypeRef) -> TypeRefId {
        if let Some(&id) = self.types.get(&ty) {
            return id;
        }
        let id = TypeRefId(self.body.types.len() as u32);
        self.body.types.push(ty.clone());
        self.types.insert(ty, id);
        id
    }

    fn type_at(&mut self, n: Option<NodeId>) -> TypeRefId {
        let ty = n.map_or(TypeRef::Error, |n| lower_type(self.nodes, n));
        self.ty(ty)
    }

    /// Start and end of a node, relative to the member.
    fn rel(&self, n: NodeId) -> (u32, u32) {
        if let Some(place) = self.place {
            return place(self.nodes.text(n));
        }
        let span = self.nodes.span(n);
        match span.start.checked_sub(self.base) {
            Some(start) => (start, span.end.saturating_sub(self.base)),
            None => self.before,
        }
    }

    // --- expressions and blocks ---

    fn push(&mut self, kind: ExprKind, n: NodeId) -> ExprId {
        let (start, end) = self.rel(n);
        self.push_at(kind, start, end)
    }

    fn push_at(&mut self, kind: ExprKind, start: u32, end: u32) -> ExprId {
        if self.dead && !self.in_dead_block() {
            self.open(&[]);
        }
        let id = ExprId(self.body.exprs.len() as u32);
        self.body.exprs.push(Expr { kind, start, end });
        id
    }

    fn in_dead_block(&self) -> bool {
        self.body
            .blocks
            .last()
            .is_some_and(|b| b.preds.is_empty() && b.entered_from.is_none())
            && self.body.blocks.len() > 1
    }

    fn operands(&mut self, list: &[ExprId]) -> Operands {
        let start = self.body.operands.len() as u32;
        self.body.operands.extend_from_slice(list);
        Operands {
            start,
            len: list.len() as u32,
        }
    }

    fn current(&self) -> BlockId {
        BlockId(self.body.blocks.len() as u32 - 1)
    }

    /// Opens a block that is entered from `preds`; without any it is dead.
    fn open(&mut self, preds: &[(BlockId, f64)]) -> BlockId {
        let id = BlockId(self.body.blocks.len() as u32);
        self.body.blocks.push(Block {
            first: self.body.exprs.len() as u32,
            preds: preds.to_vec(),
            ..Block::default()
        });
        self.dead = preds.is_empty();
        id
    }

    /// The end of the current block with the probability of the step from it, or nothing if control never comes there.
    fn end(&self, probability: f64) -> Option<(BlockId, f64)> {
        (!self.dead).then(|| (self.current(), probability))
    }

    /// Control leaves by a jump: what follows is dead until a block is opened.
    fn jump(&mut self) {
        self.dead = true;
        self.jump_count += 1;
    }

    /// Notes that the blocks after `entry` and before `exit` are entered and left nowhere else.
    fn region(&mut self, entry: BlockId, exit: BlockId, jumps_before: u32) {
        if self.jump_count == jumps_before && exit.0 > entry.0 + 1 && !self.dead {
            self.body.regions.push((entry, exit));
        }
    }

    // --- variables ---

    fn declare(&mut self, name: NodeId, ty: TypeRefId, kind: VariableKind) -> LocalId {
        let text = SmolStr::new(self.nodes.name(name));
        let id = LocalId(self.body.locals.len() as u32);
        let start = self.rel(name).0;
        self.body.locals.push(Local {
            name: text.clone(),
            ty,
            kind,
            init: None,
            varargs: false,
            block: self.current(),
            callable: self.callable,
            counter: false,
            is_final: false,
            component: None,
            start,
            around: self.around,
        });
        // `_` declares a variable that cannot be named.
        if text != "_" {
            self.env.entry(text).or_default().push(id);
            self.scope.push(id);
        }
        id
    }

    fn lookup(&self, name: &str) -> Option<LocalId> {
        self.env.get(name).and_then(|stack| stack.last().copied())
    }

    fn mark(&self) -> (usize, usize) {
        (self.scope.len(), self.classes_in_scope.len())
    }

    fn leave(&mut self, (locals, classes): (usize, usize)) {
        for id in self.scope.drain(locals..) {
            if let Some(stack) = self.env.get_mut(&self.body.locals[id.ix()].name) {
                stack.pop();
            }
        }
        self.classes_in_scope.truncate(classes);
    }

    /// A definition event; `statement` and `name` are spans relative to the member.
    fn define(
        &mut self,
        target: Target,
        kind: VariableKind,
        sources: &[ExprId],
        compound: bool,
        statement: (u32, u32),
        name: (u32, u32),
    ) -> ExprId {
        let sources = self.operands(sources);
        let def = DefId(self.body.defs.len() as u32);
        let expr = self.push_at(ExprKind::Define(def), statement.0, statement.1);
        self.body.defs.push(Def {
            expr,
            target,
            kind,
            sources,
            compound,
            statement_start: statement.0,
            statement_end: statement.1,
            name_start: name.0,
            name_end: name.1,
            callable: self.callable,
        });
        expr
    }

    /// Declares and defines the parameters of a method or lambda.
    fn parameters(&mut self, params: NodeId, kind: VariableKind) -> Vec<LocalId> {
        let mut out = Vec::new();
        for p in self.nodes.children(params) {
            let (name, ty, varargs) = match self.nodes.kind(p) {
                Kind::FormalParameter => {
                    let Some(name) = self.nodes.child(p, Field::Name) else {
                        continue;
                    };
                    let ty = self
                        .nodes
                        .child(p, Field::Type)
                        .map_or(TypeRef::Error, |t| lower_type(self.nodes, t));
                    (
                        name,
                        with_dimensions(self.nodes, ty, self.nodes.child(p, Field::Dimensions)),
                        false,
                    )
                }
                Kind::SpreadParameter => {
                    let Some(declarator) = self.nodes.child_of(p, Kind::VariableDeclarator) else {
                        continue;
                    };
                    let Some(name) = self.nodes.child(declarator, Field::Name) else {
                        continue;
                    };
                    let ty = self
                        .nodes
                        .children(p)
                        .find(|&c| self.nodes.kind(c).is_type())
                        .map_or(TypeRef::Error, |t| lower_type(self.nodes, t));
                    (name, TypeRef::Array(Box::new(ty)), true)
                }
                Kind::Identifier => (p, TypeRef::Inferred, false),
                _ => continue,
            };
            out.push(self.parameter(name, ty, varargs, kind));
        }
        out
    }

    fn parameter(
        &mut self,
        name: NodeId,
        ty: TypeRef,
        varargs: bool,
        kind: VariableKind,
    ) -> LocalId {
        let ty = self.ty(ty);
        let span = self.rel(name);
        let local = self.declare(name, ty, kind);
        self.body.locals[local.ix()].varargs = varargs;
        self.define(Target::Local(local), kind, &[], false, span, span);
        local
    }

    /// A local or anonymous class at `node`, seen from here.
    fn class(&mut self, node: NodeId, name: Option<NameId>) -> ClassId {
        let id = ClassId(self.body.classes.len() as u32);
        let seen = self.scope.len() + self.classes_in_scope.len();
        let most = if self.seen_by_classes + seen <= SEEN_BY_CLASSES {
            usize::MAX
        } else {
            SEEN_AT_LEAST
        };
        let visible = last(&self.scope, most);
        let visible_classes = last(&self.classes_in_scope, most);
        self.seen_by_classes += visible.len() + visible_classes.len();
        self.body.classes.push(Class {
            start: self.rel(node).0,
            name,
            expr: None,
            visible,
            visible_classes,
        });
        id
    }

    // --- initialisers ---

    fn field_initialiser(&mut self, declarator: NodeId, declaration: NodeId) {
        let (Some(name), Some(value)) = (
            self.nodes.child(declarator, Field::Name),
            self.nodes.child(declarator, Field::Value),
        ) else {
            return;
        };
        let mark = self.mark();
        let ty = self
            .nodes
            .child(declaration, Field::Type)
            .map_or(TypeRef::Error, |t| lower_type(self.nodes, t));
        let ty = with_dimensions(
            self.nodes,
            ty,
            self.nodes.child(declarator, Field::Dimensions),
        );
        let value = self.initialiser(value, ty);
        let (statement, span) = (self.rel(declarator), self.rel(name));
        let name = self.name_of(name);
        self.define(
            Target::OwnField(name),
            VariableKind::Field,
            &[value],
            false,
            statement,
            span,
        );
        self.leave(mark);
    }

    /// A value that may be `{…}` without `new`.
    fn initialiser(&mut self, value: NodeId, ty: TypeRef) -> ExprId {
        if self.nodes.kind(value) == Kind::ArrayInitializer {
            let ty = self.ty(ty);
            self.array_initialiser(value, Some(ty))
        } else {
            self.expr(value)
        }
    }

    fn enum_constant(&mut self, constant: NodeId) {
        let Some(name) = self.nodes.child(constant, Field::Name) else {
            return;
        };
        let args = self
            .nodes
            .child(constant, Field::Arguments)
            .map(|a| self.arguments(a))
            .unwrap_or_default();
        let class = self
            .nodes
            .child(constant, Field::Body)
            .map(|b| self.class(b, None));
        let (statement, span) = (self.rel(constant), self.rel(name));
        let call = self.call(Callee::EnumConstant { class }, &args, span.0, statement);
        if let Some(class) = class {
            self.body.classes[class.ix()].expr = Some(call);
        }
        let name = self.name_of(name);
        self.define(
            Target::OwnField(name),
            VariableKind::Field,
            &[call],
            false,
            statement,
            span,
        );
    }

    fn call(
        &mut self,
        callee: Callee,
        args: &[ExprId],
        name_start: u32,
        span: (u32, u32),
    ) -> ExprId {
        let args = self.operands(args);
        let id = CallId(self.body.calls.len() as u32);
        let expr = self.push_at(ExprKind::Call(id), span.0, span.1);
        self.body.calls.push(Call {
            expr,
            callee,
            args,
            name_start,
            dropped: false,
        });
        expr
    }

    /// Runs `f` one level deeper, on a grown stack where needed; `None` beyond [`MAX_DEPTH`].
    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let out = stacker::maybe_grow(96 * 1024, 1024 * 1024, || f(self));
        self.depth -= 1;
        Some(out)
    }
}
