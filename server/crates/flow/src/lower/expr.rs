//! Expressions, in evaluation order.

use super::{Lowering, Yielding};
use crate::body::*;
use crate::types::lower_type;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    /// Lowers an expression; its value is the returned id.
    pub(super) fn expr(&mut self, n: NodeId) -> ExprId {
        let n = self.unparenthesised(n);
        match self.deeper(|l| l.expr_inner(n)) {
            Some(e) => e,
            None => self.push(ExprKind::Missing, n),
        }
    }

    pub(super) fn unparenthesised(&self, mut n: NodeId) -> NodeId {
        while self.nodes.kind(n) == Kind::ParenthesizedExpression {
            match self.nodes.children(n).find(|&c| !self.nodes.is_missing(c)) {
                Some(inner) => n = inner,
                None => break,
            }
        }
        n
    }

    fn expr_inner(&mut self, n: NodeId) -> ExprId {
        let kind = match self.nodes.kind(n) {
            Kind::Identifier | Kind::UnderscorePattern => {
                let name = self.nodes.name(n);
                match self.lookup(&name) {
                    Some(local) => ExprKind::Local(local),
                    None => ExprKind::Name(self.name_of(n)),
                }
            }
            Kind::This => ExprKind::This,
            Kind::Super => ExprKind::Super,
            Kind::DecimalIntegerLiteral
            | Kind::HexIntegerLiteral
            | Kind::OctalIntegerLiteral
            | Kind::BinaryIntegerLiteral => {
                let long = self.nodes.text(n).ends_with(['l', 'L']);
                ExprKind::Literal(if long { Literal::Long } else { Literal::Int })
            }
            Kind::DecimalFloatingPointLiteral | Kind::HexFloatingPointLiteral => {
                let float = self.nodes.text(n).ends_with(['f', 'F']);
                ExprKind::Literal(if float {
                    Literal::Float
                } else {
                    Literal::Double
                })
            }
            Kind::CharacterLiteral => ExprKind::Literal(Literal::Char),
            Kind::True => ExprKind::Literal(Literal::True),
            Kind::False => ExprKind::Literal(Literal::False),
            Kind::NullLiteral => ExprKind::Literal(Literal::Null),
            Kind::StringLiteral => {
                if let Some(first) = self.nodes.child_of(n, Kind::StringInterpolation) {
                    return self.all_operands(n, first);
                }
                ExprKind::Literal(Literal::Str)
            }
            Kind::ClassLiteral => {
                let ty = self.nodes.children(n).next();
                ExprKind::ClassLiteral(self.type_at(ty))
            }
            Kind::FieldAccess => return self.field_access(n),
            Kind::ArrayAccess => {
                let array = self.operand(n, Field::Array);
                let index = self.operand(n, Field::Index);
                ExprKind::Index { array, index }
            }
            Kind::MethodInvocation => return self.method_invocation(n),
            Kind::ObjectCreationExpression => return self.object_creation(n),
            Kind::ArrayCreationExpression => return self.array_creation(n),
            Kind::ArrayInitializer => return self.array_initialiser(n, None),
            Kind::AssignmentExpression => return self.assignment(n),
            Kind::UpdateExpression => return self.update(n),
            Kind::UnaryExpression => {
                let op = match self
                    .nodes
                    .child(n, Field::Operator)
                    .map(|o| self.nodes.kind(o))
                {
                    Some(Kind::Minus) => UnaryOp::Minus,
                    Some(Kind::Bang) => UnaryOp::Not,
                    Some(Kind::Tilde) => UnaryOp::Complement,
                    _ => UnaryOp::Plus,
                };
                let operand = self.operand(n, Field::Operand);
                ExprKind::Unary { op, operand }
            }
            Kind::BinaryExpression => return self.binary(n),
            Kind::TernaryExpression => return self.conditional(n),
            Kind::CastExpression => {
                let types: Vec<TypeRef> = self
                    .nodes
                    .children(n)
                    .filter(|&c| self.nodes.field(c) == Field::Type)
                    .map(|c| lower_type(self.nodes, c))
                    .collect();
                let ty = match <[TypeRef; 1]>::try_from(types) {
                    Ok([one]) => one,
                    Err(types) => TypeRef::Several(types.into()),
                };
                let ty = self.ty(ty);
                let operand = self.operand(n, Field::Value);
                ExprKind::Cast { ty, operand }
            }
            Kind::InstanceofExpression => return self.instance_of(n),
            Kind::LambdaExpression => return self.lambda(n),
            Kind::MethodReference => return self.method_reference(n),
            Kind::SwitchExpression => return self.switch_value(n),
            Kind::ExpressionStatement => {
                return match self.nodes.children(n).next() {
                    Some(inner) => self.expr(inner),
                    None => self.push(ExprKind::Missing, n),
                };
            }
            k if k.is_type() => {
                let ty = lower_type(self.nodes, n);
                ExprKind::Type(self.ty(ty))
            }
            // What the grammar could not read still uses what stands in it.
            _ => {
                return match self.nodes.children(n).next() {
                    Some(first) => self.all_operands(n, first),
                    None => self.push(ExprKind::Missing, n),
                };
            }
        };
        self.push(kind, n)
    }

    /// A node whose children are all used by it, in no known way.
    fn all_operands(&mut self, n: NodeId, first: NodeId) -> ExprId {
        let mut list = Vec::new();
        for c in self.nodes.children(n).skip_while(|&c| c != first) {
            let kind = self.nodes.kind(c);
            let readable = match kind {
                Kind::StringFragment
                | Kind::EscapeSequence
                | Kind::MultilineStringFragment
                | Kind::TypeArguments => false,
                Kind::StringInterpolation => true,
                k => is_expression(k) || matches!(k, Kind::Error | Kind::ExpressionStatement),
            };
            if readable {
                list.push(self.expr(c));
            }
        }
        let operands = self.operands(&list);
        self.push(ExprKind::NewArray { ty: None, operands }, n)
    }

    fn operand(&mut self, n: NodeId, field: Field) -> ExprId {
        match self.nodes.child(n, field) {
            Some(c) => self.expr(c),
            None => self.push(ExprKind::Missing, n),
        }
    }

    fn field_access(&mut self, n: NodeId) -> ExprId {
        let Some(object_node) = self.nodes.child(n, Field::Object) else {
            return self.push(ExprKind::Missing, n);
        };
        let mut object = self.expr(object_node);
        if self
            .nodes
            .children(n)
            .any(|c| c != object_node && self.nodes.kind(c) == Kind::Super)
        {
            object = self.push(
                ExprKind::Qualified {
                    qualifier: object,
                    is_super: true,
                },
                object_node,
            );
        }
        match self.nodes.child(n, Field::Field) {
            Some(f) if self.nodes.kind(f) == Kind::This => self.push(
                ExprKind::Qualified {
                    qualifier: object,
                    is_super: false,
                },
                n,
            ),
            Some(f) => {
                let name = self.name_of(f);
                self.push(ExprKind::Field { object, name }, n)
            }
            None => self.push(ExprKind::Missing, n),
        }
    }

    pub(super) fn arguments(&mut self, list: NodeId) -> Vec<ExprId> {
        let nodes = self.nodes;
        nodes.children(list).map(|c| self.expr(c)).collect()
    }

    /// The place that an assignment gives a value to, with what it evaluates on the way.
    fn place(&mut self, n: NodeId) -> (Target, VariableKind, Vec<ExprId>) {
        let n = self.unparenthesised(n);
        match self.nodes.kind(n) {
            Kind::Identifier => {
                let name = self.nodes.name(n);
                match self.lookup(&name) {
                    Some(local) => (Target::Local(local), self.assigned_kind(local), Vec::new()),
                    None => {
                        let name = self.name_of(n);
                        (
                            Target::Place(self.push(ExprKind::Name(name), n)),
                            VariableKind::Field,
                            Vec::new(),
                        )
                    }
                }
            }
            Kind::FieldAccess => {
                let place = self.expr(n);
                let sources = match self.body.exprs[place.ix()].kind {
                    ExprKind::Field { object, .. } => vec![object],
                    _ => Vec::new(),
                };
                (Target::Place(place), VariableKind::Field, sources)
            }
            Kind::ArrayAccess => {
                let mut sources = Vec::new();
                let mut spine = vec![n];
                let base = loop {
                    let top = spine[spine.len() - 1];
                    match self
                        .nodes
                        .child(top, Field::Array)
                        .map(|a| self.unparenthesised(a))
                    {
                        Some(a) if self.nodes.kind(a) == Kind::ArrayAccess => spine.push(a),
                        Some(a) => break self.expr(a),
                        None => break self.push(ExprKind::Missing, top),
                    }
                };
                sources.push(base);
                let mut array = base;
                while let Some(access) = spine.pop() {
                    let index = self.operand(access, Field::Index);
                    sources.push(index);
                    if !spine.is_empty() {
                        array = self.push(ExprKind::Index { array, index }, access);
                    }
                }
                (Target::Element(base), VariableKind::Array, sources)
            }
            _ => {
                let e = self.expr(n);
                (Target::Place(e), VariableKind::Field, vec![e])
            }
        }
    }

    /// An assignment to a parameter defines a local of the method; only its first value comes from the call.
    fn assigned_kind(&self, local: LocalId) -> VariableKind {
        match self.body.locals[local.ix()].kind {
            VariableKind::Parameter | VariableKind::LambdaParameter => VariableKind::Local,
            kind => kind,
        }
    }

    fn assignment(&mut self, n: NodeId) -> ExprId {
        // `a = b = c = …` is right-deep; the general recursion serves.
        let Some(left) = self.nodes.child(n, Field::Left) else {
            return self.push(ExprKind::Missing, n);
        };
        let (target, kind, mut sources) = self.place(left);
        let value = self.operand(n, Field::Right);
        sources.insert(0, value);
        let compound = self
            .nodes
            .child(n, Field::Operator)
            .is_some_and(|o| self.nodes.kind(o) != Kind::Eq);
        let (statement, name) = (self.rel(n), self.rel(left));
        self.define(target, kind, &sources, compound, statement, name)
    }

    fn update(&mut self, n: NodeId) -> ExprId {
        let nodes = self.nodes;
        let Some(left) = nodes
            .children(n)
            .find(|&c| !matches!(nodes.kind(c), Kind::PlusPlus | Kind::MinusMinus))
        else {
            return self.push(ExprKind::Missing, n);
        };
        let (target, kind, sources) = self.place(left);
        let (statement, name) = (self.rel(n), self.rel(left));
        self.define(target, kind, &sources, true, statement, name)
    }

    fn binary(&mut self, n: NodeId) -> ExprId {
        // Concatenations are left-deep and may be thousands of terms long: descend by loop.
        let mut spine = vec![n];
        let leftmost = loop {
            let top = spine[spine.len() - 1];
            match self
                .nodes
                .child(top, Field::Left)
                .map(|l| self.unparenthesised(l))
            {
                Some(l) if self.nodes.kind(l) == Kind::BinaryExpression => spine.push(l),
                other => break other,
            }
        };
        let mut left = match leftmost {
            Some(l) => self.expr(l),
            None => self.push(ExprKind::Missing, n),
        };
        while let Some(node) = spine.pop() {
            let op = match self
                .nodes
                .child(node, Field::Operator)
                .map(|o| self.nodes.kind(o))
            {
                Some(Kind::AmpAmp) => Err(true),
                Some(Kind::PipePipe) => Err(false),
                Some(kind) => Ok(binary_op(kind)),
                None => Ok(BinaryOp::Add),
            };
            left = match op {
                Ok(op) => {
                    let right = self.operand(node, Field::Right);
                    self.push(ExprKind::Binary { op, left, right }, node)
                }
                Err(and) => {
                    let right = self.branch(
                        |l| l.operand(node, Field::Right),
                        self.nodes.child(node, Field::Right),
                    );
                    self.push(ExprKind::ShortCircuit { and, left, right }, node)
                }
            };
        }
        left
    }

    /// Evaluates what runs with probability 1/2, in blocks of its own if it does anything.
    fn branch(&mut self, f: impl FnOnce(&mut Self) -> ExprId, node: Option<NodeId>) -> ExprId {
        if !node.is_some_and(|n| self.acts(n)) {
            return f(self);
        }
        let jumps = self.jump_count;
        let Some(head) = self.end(0.5) else {
            return f(self);
        };
        self.open(&[head]);
        let value = f(self);
        let mut ends: Vec<_> = self.end(1.0).into_iter().collect();
        ends.push(head);
        let join = self.open(&ends);
        self.region(head.0, join, jumps);
        value
    }

    /// True if evaluating `n` defines or calls something: only then it matters how often it runs.
    fn acts(&self, n: NodeId) -> bool {
        (n.0..self.nodes.close(n)).any(|i| {
            matches!(
                self.nodes.kind(NodeId(i)),
                Kind::MethodInvocation
                    | Kind::ObjectCreationExpression
                    | Kind::AssignmentExpression
                    | Kind::UpdateExpression
                    | Kind::InstanceofExpression
                    | Kind::LambdaExpression
                    | Kind::SwitchExpression
                    | Kind::TernaryExpression
            )
        })
    }

    fn conditional(&mut self, n: NodeId) -> ExprId {
        // `a ? b : c ? d : e …` is right-deep; generated code has long ones, and the recursion grows its stack.
        let condition = self.operand(n, Field::Condition);
        let arms = [
            self.nodes.child(n, Field::Consequence),
            self.nodes.child(n, Field::Alternative),
        ];
        let mut list = vec![condition];
        let acts = arms.iter().flatten().any(|&a| self.acts(a));
        let jumps = self.jump_count;
        match self.end(0.5) {
            Some(head) if acts => {
                let mut ends = Vec::new();
                for arm in arms.into_iter().flatten() {
                    self.open(&[head]);
                    list.push(self.expr(arm));
                    ends.extend(self.end(1.0));
                }
                let join = self.open(&ends);
                self.region(head.0, join, jumps);
            }
            _ => {
                for arm in arms.into_iter().flatten() {
                    list.push(self.expr(arm));
                }
            }
        }
        let operands = self.operands(&list);
        self.push(ExprKind::Conditional { operands }, n)
    }

    fn instance_of(&mut self, n: NodeId) -> ExprId {
        let nodes = self.nodes;
        let operand = self.operand(n, Field::Left);
        let mut ty = nodes.child(n, Field::Right).map(|t| lower_type(nodes, t));
        if let (Some(t), Some(name)) = (&ty, nodes.child(n, Field::Name)) {
            let t = self.ty(t.clone());
            self.binding(name, t, operand, n);
        }
        if let Some(pattern) = nodes.child(n, Field::Pattern) {
            ty = self.pattern(pattern, operand);
        }
        let ty = ty.map(|t| self.ty(t));
        self.push(ExprKind::InstanceOf { operand, ty }, n)
    }

    /// A pattern variable, defined from the value that is matched.
    fn binding(&mut self, name: NodeId, ty: TypeRefId, operand: ExprId, whole: NodeId) {
        let local = self.declare(name, ty, VariableKind::Pattern);
        self.body.locals[local.ix()].init = Some(operand);
        let (statement, span) = (self.rel(whole), self.rel(name));
        self.define(
            Target::Local(local),
            VariableKind::Pattern,
            &[operand],
            false,
            statement,
            span,
        );
    }

    /// The bindings of a pattern; returns the type that is tested.
    pub(super) fn pattern(&mut self, pattern: NodeId, operand: ExprId) -> Option<TypeRef> {
        let nodes = self.nodes;
        let mut tested = None;
        // With the record whose component it is.
        let mut work: Vec<(NodeId, Option<(TypeRefId, u32)>)> = vec![(pattern, None)];
        while let Some((n, component)) = work.pop() {
            match nodes.kind(n) {
                Kind::Pattern => {
                    let at = work.len();
                    work.extend(nodes.children(n).map(|c| (c, component)));
                    work[at..].reverse();
                }
                Kind::RecordPatternBody => {
                    let at = work.len();
                    let inner = nodes.children(n).zip(0u32..);
                    work.extend(inner.map(|(c, i)| (c, component.map(|(record, _)| (record, i)))));
                    work[at..].reverse();
                }
                Kind::RecordPattern => {
                    if let Some(t) = nodes
                        .children(n)
                        .find(|&c| nodes.kind(c) != Kind::RecordPatternBody)
                    {
                        let record = lower_type(nodes, t);
                        tested.get_or_insert_with(|| record.clone());
                        let record = self.ty(record);
                        let body = nodes.child_of(n, Kind::RecordPatternBody);
                        work.extend(body.map(|b| (b, Some((record, 0)))));
                    }
                }
                Kind::TypePattern | Kind::RecordPatternComponent => {
                    let ty = nodes.children(n).find(|&c| nodes.kind(c).is_type());
                    let name = nodes
                        .children(n)
                        .filter(|&c| nodes.kind(c) == Kind::Identifier)
                        .last();
                    let lowered = ty.map_or(TypeRef::Error, |t| lower_type(nodes, t));
                    if nodes.kind(n) == Kind::TypePattern {
                        tested.get_or_insert_with(|| lowered.clone());
                    }
                    let ty = self.ty(lowered);
                    if let Some(name) = name {
                        self.binding(name, ty, operand, n);
                        // A component is not the matched value: its type does not come from there.
                        if nodes.kind(n) == Kind::RecordPatternComponent
                            && let Some(local) = self.body.locals.last_mut()
                        {
                            local.init = None;
                            local.component = component;
                        }
                    }
                }
                _ => {}
            }
        }
        tested
    }

    fn lambda(&mut self, n: NodeId) -> ExprId {
        let nodes = self.nodes;
        let id = LambdaId(self.body.lambdas.len() as u32);
        let parent = self.callable;
        self.body.lambdas.push(Lambda {
            expr: ExprId(0),
            first: ExprId(self.body.exprs.len() as u32),
            params: Vec::new(),
            value: None,
            parent,
        });
        let mark = self.mark();
        let jumps = self.jump_count;
        let before = self.end(1.0);
        let body = nodes.child(n, Field::Body);
        let is_block = body.is_some_and(|b| nodes.kind(b) == Kind::Block);
        self.callable = Callable::Lambda(id);
        let outer_jumps = std::mem::take(&mut self.jumps);
        let outer_yields = std::mem::take(&mut self.yields);
        if is_block && let Some(before) = before {
            self.open(&[before]);
        }
        if let Some(params) = nodes.child(n, Field::Parameters) {
            let params = if nodes.kind(params) == Kind::Identifier {
                vec![self.parameter(
                    params,
                    TypeRef::Inferred,
                    false,
                    VariableKind::LambdaParameter,
                )]
            } else {
                self.parameters(params, VariableKind::LambdaParameter)
            };
            self.body.lambdas[id.ix()].params = params;
        }
        match body {
            Some(b) if is_block => {
                self.lambda_returns.push(Vec::new());
                self.block(b);
                let mut ends = self.lambda_returns.pop().unwrap_or_default();
                ends.extend(self.end(1.0));
                // Its effects may come later or never: what was defined before still reaches, with no weight of its own.
                let lambda_returns_normally = !ends.is_empty();
                if let Some((block, _)) = before {
                    ends.push((block, if lambda_returns_normally { 0.0 } else { 1.0 }));
                }
                let join = self.open(&ends);
                // Returns inside leave the lambda only, so the region has one exit all the same.
                if let Some((block, _)) = before {
                    self.jump_count = jumps;
                    self.region(block, join, jumps);
                }
            }
            Some(b) => {
                let value = self.expr(b);
                self.body.lambdas[id.ix()].value = Some(value);
                if self.is_computed(b) {
                    let span = self.rel(b);
                    self.push_return(Some(value), true, span);
                }
            }
            None => {}
        }
        self.jumps = outer_jumps;
        self.yields = outer_yields;
        self.callable = parent;
        self.leave(mark);
        let expr = self.push(ExprKind::Lambda(id), n);
        self.body.lambdas[id.ix()].expr = expr;
        expr
    }

    /// True if the value of an expression lambda is computed there: not a variable, a literal, an assignment or a
    /// call (which may well be void).
    fn is_computed(&self, b: NodeId) -> bool {
        self.is_return_candidate(b)
            && !matches!(
                self.nodes.kind(self.unparenthesised(b)),
                Kind::MethodInvocation
                    | Kind::ObjectCreationExpression
                    | Kind::LambdaExpression
                    | Kind::MethodReference
            )
    }

    /// `docs/method.md` §1.1: `return <e>` is a candidate unless `e` is a variable, an assignment, `this` or a literal.
    pub(super) fn is_return_candidate(&self, value: NodeId) -> bool {
        let mut value = self.unparenthesised(value);
        while self.nodes.kind(value) == Kind::UnaryExpression {
            match self.nodes.child(value, Field::Operand) {
                Some(o) if self.nodes.kind(self.unparenthesised(o)).is_literal() => {
                    value = self.unparenthesised(o)
                }
                _ => break,
            }
        }
        let kind = self.nodes.kind(value);
        !(kind.is_literal()
            || matches!(
                kind,
                Kind::Identifier
                    | Kind::FieldAccess
                    | Kind::ArrayAccess
                    | Kind::AssignmentExpression
                    | Kind::UpdateExpression
                    | Kind::This
                    | Kind::ClassLiteral
            ))
    }

    pub(super) fn push_return(&mut self, value: Option<ExprId>, candidate: bool, span: (u32, u32)) {
        let ix = self.body.returns.len() as u32;
        let expr = self.push_at(ExprKind::Return(ix), span.0, span.1);
        self.body.returns.push(Return {
            expr,
            value,
            candidate,
            callable: self.callable,
            statement_start: span.0,
            statement_end: span.1,
        });
    }

    fn method_reference(&mut self, n: NodeId) -> ExprId {
        let nodes = self.nodes;
        let mut children = nodes
            .children(n)
            .filter(|&c| nodes.kind(c) != Kind::ColonColon && nodes.kind(c) != Kind::TypeArguments);
        let qualifier = match children.next() {
            Some(q) => self.expr(q),
            None => self.push(ExprKind::Missing, n),
        };
        let ty = match self.body.exprs[qualifier.ix()].kind {
            ExprKind::Type(ty) => Some(ty),
            _ => None,
        };
        let name = match children.last() {
            Some(c) if nodes.kind(c) == Kind::Identifier => self.name_of(c),
            _ => self.intern("new"),
        };
        self.push(
            ExprKind::MethodRef {
                qualifier,
                name,
                ty,
            },
            n,
        )
    }

    fn switch_value(&mut self, n: NodeId) -> ExprId {
        self.yields.push(Yielding {
            values: Vec::new(),
            ends: Vec::new(),
        });
        let selector = self.switch(n, true);
        let values = self.yields.pop().map(|y| y.values).unwrap_or_default();
        let mut list = vec![selector];
        list.extend(values);
        let operands = self.operands(&list);
        self.push(ExprKind::Switch { operands }, n)
    }
}

pub(super) fn is_expression(kind: Kind) -> bool {
    kind.is_literal()
        || matches!(
            kind,
            Kind::Identifier
                | Kind::This
                | Kind::Super
                | Kind::FieldAccess
                | Kind::ArrayAccess
                | Kind::MethodInvocation
                | Kind::ObjectCreationExpression
                | Kind::ArrayCreationExpression
                | Kind::AssignmentExpression
                | Kind::UpdateExpression
                | Kind::UnaryExpression
                | Kind::BinaryExpression
                | Kind::TernaryExpression
                | Kind::CastExpression
                | Kind::InstanceofExpression
                | Kind::LambdaExpression
                | Kind::MethodReference
                | Kind::SwitchExpression
                | Kind::ClassLiteral
                | Kind::ParenthesizedExpression
                | Kind::TemplateExpression
        )
}

fn binary_op(kind: Kind) -> BinaryOp {
    match kind {
        Kind::Minus => BinaryOp::Sub,
        Kind::Star => BinaryOp::Mul,
        Kind::Slash => BinaryOp::Div,
        Kind::Percent => BinaryOp::Rem,
        Kind::Shl => BinaryOp::Shl,
        Kind::Shr => BinaryOp::Shr,
        Kind::UShr => BinaryOp::UShr,
        Kind::Lt => BinaryOp::Lt,
        Kind::LtEq => BinaryOp::Le,
        Kind::Gt => BinaryOp::Gt,
        Kind::GtEq => BinaryOp::Ge,
        Kind::EqEq => BinaryOp::Eq,
        Kind::NotEq => BinaryOp::Ne,
        Kind::Amp => BinaryOp::And,
        Kind::Pipe => BinaryOp::Or,
        Kind::Caret => BinaryOp::Xor,
        _ => BinaryOp::Add,
    }
}
