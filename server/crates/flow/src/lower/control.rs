//! Statements: the order of blocks, and the probability of each step between them (`docs/method.md` §1.3).

use super::{Jump, Lowering};
use crate::body::*;
use crate::types::{lower_type, with_dimensions};
use syntax::{Field, Kind, NodeId};

type Ends = Vec<(BlockId, f64)>;

impl<'n> Lowering<'n> {
    /// The statements of a block, in a scope of their own.
    pub(super) fn block(&mut self, n: NodeId) {
        let mark = self.mark();
        let outer = self.open_scope(n);
        let mut last = None;
        for c in self.nodes.children(n) {
            self.statement(c);
            last = Some(c);
        }
        self.leave(mark);
        self.close_scope(outer, last);
    }

    pub(super) fn statement(&mut self, n: NodeId) {
        let _ = self.deeper(|l| l.statement_inner(n));
    }

    fn statement_inner(&mut self, n: NodeId) {
        let nodes = self.nodes;
        let label = self.pending_label.take();
        match nodes.kind(n) {
            Kind::Block | Kind::ConstructorBody => match label {
                Some(label) => self.labelled_block(n, label),
                None => self.block(n),
            },
            Kind::LocalVariableDeclaration => self.local_declaration(n),
            Kind::ExpressionStatement => {
                let Some(inner) = nodes.children(n).next() else {
                    return;
                };
                if nodes.kind(inner) == Kind::SwitchExpression {
                    self.switch_statement(inner, label);
                    return;
                }
                let e = self.expr(inner);
                if let ExprKind::Call(call) = self.body.exprs[e.ix()].kind {
                    self.body.calls[call.ix()].dropped = true;
                }
            }
            Kind::SwitchExpression => self.switch_statement(n, label),
            Kind::IfStatement => self.if_statement(n),
            Kind::WhileStatement => self.while_statement(n, label),
            Kind::DoStatement => self.do_statement(n, label),
            Kind::ForStatement => self.for_statement(n, label),
            Kind::EnhancedForStatement => self.for_each(n, label),
            Kind::LabeledStatement => {
                let name = nodes.child_of(n, Kind::Identifier);
                let body = nodes.children(n).last();
                if let Some(body) = body.filter(|b| Some(*b) != name) {
                    let loops = matches!(
                        nodes.kind(body),
                        Kind::WhileStatement
                            | Kind::DoStatement
                            | Kind::ForStatement
                            | Kind::EnhancedForStatement
                            | Kind::Block
                    );
                    if loops {
                        self.pending_label = name.map(|l| nodes.text(l));
                        self.statement(body);
                        self.pending_label = None;
                    } else {
                        self.labelled_block(body, name.map_or("", |l| nodes.text(l)));
                    }
                }
            }
            Kind::BreakStatement | Kind::ContinueStatement => {
                let to = nodes.child_of(n, Kind::Identifier).map(|l| nodes.text(l));
                let is_break = nodes.kind(n) == Kind::BreakStatement;
                if let Some(end) = self.end(1.0) {
                    let target = self.jumps.iter_mut().rev().find(|j| match to {
                        Some(label) => j.label == Some(label),
                        None => {
                            if is_break {
                                j.plain
                            } else {
                                j.is_loop
                            }
                        }
                    });
                    if let Some(target) = target {
                        if is_break {
                            target.breaks.push(end)
                        } else {
                            target.continues.push(end)
                        }
                    }
                }
                self.jump();
            }
            Kind::ReturnStatement => {
                let value_node = nodes.children(n).next();
                let value = value_node.map(|v| self.expr(v));
                let candidate = value_node.is_some_and(|v| self.is_return_candidate(v));
                let span = self.rel(n);
                self.push_return(value, candidate, span);
                if let Some(end) = self.end(1.0)
                    && let Some(ends) = self.lambda_returns.last_mut()
                {
                    ends.push(end);
                }
                self.jump();
            }
            Kind::YieldStatement => {
                let value = nodes.children(n).next().map(|v| self.expr(v));
                let end = self.end(1.0);
                if let Some(y) = self.yields.last_mut() {
                    y.values.extend(value);
                    y.ends.extend(end);
                }
                self.jump();
            }
            Kind::ThrowStatement => {
                let operand = match nodes.children(n).next() {
                    Some(v) => self.expr(v),
                    None => self.push(ExprKind::Missing, n),
                };
                self.push(ExprKind::Throw { operand }, n);
                self.jump();
            }
            Kind::AssertStatement => self.assert_statement(n),
            Kind::SynchronizedStatement => {
                if let Some(lock) = nodes.child_of(n, Kind::ParenthesizedExpression) {
                    self.expr(lock);
                }
                if let Some(body) = nodes.child(n, Field::Body) {
                    self.block(body);
                }
            }
            Kind::TryStatement | Kind::TryWithResourcesStatement => self.try_statement(n),
            Kind::ExplicitConstructorInvocation => self.constructor_invocation(n),
            Kind::ClassDeclaration
            | Kind::InterfaceDeclaration
            | Kind::EnumDeclaration
            | Kind::RecordDeclaration
            | Kind::AnnotationTypeDeclaration => {
                let name = nodes.child(n, Field::Name).map(|name| self.name_of(name));
                let class = self.class(n, name);
                self.classes_in_scope.push(class);
                // A local class sees itself.
                self.body.classes[class.ix()].visible_classes.push(class);
                let event = self.push(ExprKind::Class(class), n);
                self.body.classes[class.ix()].expr = Some(event);
            }
            // Broken code keeps what can be read in it.
            Kind::Error => self.block(n),
            Kind::Annotation
            | Kind::MarkerAnnotation
            | Kind::Modifiers
            | Kind::Identifier
            | Kind::Other => {}
            _ => {
                if nodes.children(n).next().is_some() || nodes.kind(n) == Kind::Identifier {
                    self.expr(n);
                }
            }
        }
    }

    fn labelled_block(&mut self, n: NodeId, label: &'n str) {
        let start = self.end(1.0).map(|(b, _)| b);
        let jumps = self.jump_count;
        self.jumps.push(Jump {
            label: Some(label),
            plain: false,
            is_loop: false,
            breaks: Vec::new(),
            continues: Vec::new(),
        });
        self.statement(n);
        let target = self.jumps.pop();
        let mut ends = target.map(|t| t.breaks).unwrap_or_default();
        if ends.is_empty() {
            return;
        }
        ends.extend(self.end(1.0));
        let join = self.open(&ends);
        if let Some(start) = start {
            self.region(start, join, jumps);
        }
    }

    fn local_declaration(&mut self, n: NodeId) {
        let nodes = self.nodes;
        let declared = nodes
            .child(n, Field::Type)
            .map_or(TypeRef::Error, |t| lower_type(nodes, t));
        let is_final = nodes
            .child_of(n, Kind::Modifiers)
            .is_some_and(|m| nodes.children(m).any(|c| nodes.kind(c) == Kind::KwFinal));
        for d in nodes
            .children(n)
            .filter(|&c| nodes.kind(c) == Kind::VariableDeclarator)
        {
            let Some(name) = nodes.child(d, Field::Name) else {
                continue;
            };
            let ty = with_dimensions(nodes, declared.clone(), nodes.child(d, Field::Dimensions));
            // A local is in scope in its own initialiser: a lambda there may not use it, nothing else can.
            let value = nodes
                .child(d, Field::Value)
                .map(|v| self.initialiser(v, ty.clone()));
            let ty = self.ty(ty);
            let local = self.declare(name, ty, VariableKind::Local);
            self.body.locals[local.ix()].init = value;
            self.body.locals[local.ix()].is_final = is_final;
            if let Some(value) = value {
                let (statement, span) = (self.rel(d), self.rel(name));
                self.define(
                    Target::Local(local),
                    VariableKind::Local,
                    &[value],
                    false,
                    statement,
                    span,
                );
            }
        }
    }

    /// A condition and its event; returns whether it is a literal `true`.
    fn test(&mut self, condition: Option<NodeId>) -> bool {
        let Some(condition) = condition else {
            return true;
        };
        let operand = self.expr(condition);
        self.push(ExprKind::Test { operand }, condition);
        matches!(
            self.body.exprs[operand.ix()].kind,
            ExprKind::Literal(Literal::True)
        )
    }

    /// The other way out of a condition; a literal `true` has none, so that no definition gets past it.
    fn otherwise(&self, always: bool) -> Option<(BlockId, f64)> {
        if always { None } else { self.end(0.5) }
    }

    fn if_statement(&mut self, n: NodeId) {
        let nodes = self.nodes;
        let mark = self.mark();
        let jumps = self.jump_count;
        let mut ends: Ends = Vec::new();
        let mut entry = None;
        let mut at = n;
        // An `else if` chain is a loop here: generated ones are thousands long.
        let mut falls_through = true;
        loop {
            let always = self.test(nodes.child(at, Field::Condition));
            entry = entry.or(self.end(1.0).map(|(b, _)| b));
            let taken = self.end(if always { 1.0 } else { 0.5 });
            let other = self.otherwise(always);
            let inner = self.mark();
            self.open(taken.as_slice());
            if let Some(then) = nodes.child(at, Field::Consequence) {
                self.body_of(at, then);
            }
            // A binding of the condition stays in scope behind the `if` only where the branch cannot end normally.
            falls_through &= !self.dead;
            ends.extend(self.end(1.0));
            self.leave(inner);
            match nodes.child(at, Field::Alternative) {
                None => {
                    ends.extend(other);
                    break;
                }
                Some(next) => {
                    self.open(other.as_slice());
                    if nodes.kind(next) == Kind::IfStatement {
                        at = next;
                        continue;
                    }
                    self.statement(next);
                    ends.extend(self.end(1.0));
                    break;
                }
            }
        }
        let join = self.open(&ends);
        if let Some(entry) = entry {
            self.region(entry, join, jumps);
        }
        if falls_through {
            self.leave(mark);
        }
    }

    fn enter_loop(&mut self, label: Option<&'n str>) {
        self.jumps.push(Jump {
            label,
            plain: true,
            is_loop: true,
            breaks: Vec::new(),
            continues: Vec::new(),
        });
    }

    fn leave_loop(&mut self) -> (Ends, Ends) {
        self.jumps
            .pop()
            .map(|j| (j.breaks, j.continues))
            .unwrap_or_default()
    }

    /// A block that can be returned to: the loop's head.
    fn loop_head(&mut self) -> BlockId {
        let before = self.end(1.0);
        self.open(before.as_slice())
    }

    /// The head of a loop with a condition and its body: the head, the ways past the loop, and where its names begin.
    fn tested_body(
        &mut self,
        n: NodeId,
        label: Option<&'n str>,
    ) -> (BlockId, Option<(BlockId, f64)>, (usize, usize)) {
        let nodes = self.nodes;
        let head = self.loop_head();
        let always = self.test(nodes.child(n, Field::Condition));
        let taken = self.end(if always { 1.0 } else { 0.5 });
        let other = self.otherwise(always);
        let inner = self.mark();
        self.open(taken.as_slice());
        self.enter_loop(label);
        if let Some(body) = nodes.child(n, Field::Body) {
            self.body_of(n, body);
        }
        (head, other, inner)
    }

    fn while_statement(&mut self, n: NodeId, label: Option<&'n str>) {
        let jumps = self.jump_count;
        let (head, other, inner) = self.tested_body(n, label);
        let (mut ends, continues) = self.leave_loop();
        let mut turn: Ends = self.end(1.0).into_iter().collect();
        turn.extend(continues);
        self.body.blocks[head.ix()].back = turn.iter().map(|e| e.0).collect();
        ends.extend(turn);
        ends.extend(other);
        // What the condition names stays: bindings of `while (!(o instanceof T t))` reach behind the loop, others cannot be
        // named there anyway.
        self.leave(inner);
        let join = self.open(&ends);
        self.region(head, join, jumps);
    }

    fn do_statement(&mut self, n: NodeId, label: Option<&'n str>) {
        let nodes = self.nodes;
        let jumps = self.jump_count;
        let head = self.loop_head();
        self.enter_loop(label);
        if let Some(body) = nodes.child(n, Field::Body) {
            self.statement(body);
        }
        let (mut ends, continues) = self.leave_loop();
        if !continues.is_empty() {
            let mut turn = continues;
            turn.extend(self.end(1.0));
            self.open(&turn);
        }
        self.test(nodes.child(n, Field::Condition));
        self.body.blocks[head.ix()].back = self.end(0.5).iter().map(|e| e.0).collect();
        ends.extend(self.end(1.0));
        let join = self.open(&ends);
        self.region(head, join, jumps);
    }

    fn for_statement(&mut self, n: NodeId, label: Option<&'n str>) {
        let nodes = self.nodes;
        let mark = self.mark();
        let jumps = self.jump_count;
        for init in nodes.children(n).filter(|&c| nodes.field(c) == Field::Init) {
            if nodes.kind(init) == Kind::LocalVariableDeclaration {
                self.local_declaration(init);
            } else {
                self.expr(init);
            }
        }
        let (head, other, inner) = self.tested_body(n, label);
        let (mut ends, continues) = self.leave_loop();
        self.leave(inner);
        if !continues.is_empty() {
            let mut turn = continues;
            turn.extend(self.end(1.0));
            self.open(&turn);
        }
        let first_update = self.body.defs.len();
        for update in nodes
            .children(n)
            .filter(|&c| nodes.field(c) == Field::Update)
        {
            self.expr(update);
        }
        self.mark_counters(first_update);
        let turn = self.end(1.0);
        self.body.blocks[head.ix()].back = turn.iter().map(|e| e.0).collect();
        ends.extend(turn);
        ends.extend(other);
        let join = self.open(&ends);
        self.region(head, join, jumps);
        self.leave(mark);
    }

    /// A local that the update part of a `for` steps is that loop's counter: no one asserts it.
    fn mark_counters(&mut self, first_update: usize) {
        for def in first_update..self.body.defs.len() {
            if let Target::Local(local) = self.body.defs[def].target
                && self.body.locals[local.ix()].kind == VariableKind::Local
            {
                self.body.locals[local.ix()].counter = true;
            }
        }
    }

    fn for_each(&mut self, n: NodeId, label: Option<&'n str>) {
        let nodes = self.nodes;
        let mark = self.mark();
        let jumps = self.jump_count;
        let iterable = match nodes.child(n, Field::Value) {
            Some(v) => self.expr(v),
            None => self.push(ExprKind::Missing, n),
        };
        let start = self.end(1.0);
        let head = self.open(start.as_slice());
        let taken = self.end(0.5);
        self.open(taken.as_slice());
        if let Some(name) = nodes.child(n, Field::Name) {
            let ty = nodes
                .child(n, Field::Type)
                .map_or(TypeRef::Error, |t| lower_type(nodes, t));
            let ty = with_dimensions(nodes, ty, nodes.child(n, Field::Dimensions));
            let ty = self.ty(ty);
            let local = self.declare(name, ty, VariableKind::Loop);
            self.body.locals[local.ix()].init = Some(iterable);
            let span = self.rel(name);
            self.define(
                Target::Local(local),
                VariableKind::Loop,
                &[iterable],
                false,
                span,
                span,
            );
        }
        self.enter_loop(label);
        if let Some(body) = nodes.child(n, Field::Body) {
            self.body_of(n, body);
        }
        let (mut ends, continues) = self.leave_loop();
        let mut turn: Ends = self.end(1.0).into_iter().collect();
        turn.extend(continues);
        self.body.blocks[head.ix()].back = turn.iter().map(|e| e.0).collect();
        ends.extend(turn);
        ends.extend(taken);
        let join = self.open(&ends);
        self.region(head, join, jumps);
        self.leave(mark);
    }

    fn assert_statement(&mut self, n: NodeId) {
        let nodes = self.nodes;
        let mut parts = nodes.children(n);
        let condition = parts.next();
        self.test(condition);
        if condition.is_some()
            && let Some(Expr {
                kind: ExprKind::Test { operand },
                ..
            }) = self.body.exprs.last()
        {
            self.body.asserts.push(*operand);
        }
        if let Some(message) = parts.find(|&p| nodes.kind(p) != Kind::Colon) {
            let jumps = self.jump_count;
            let head = self.end(0.5);
            self.open(head.as_slice());
            self.expr(message);
            let mut ends: Ends = self.end(1.0).into_iter().collect();
            ends.extend(head);
            let join = self.open(&ends);
            if let Some((head, _)) = head {
                self.region(head, join, jumps);
            }
        }
    }

    fn constructor_invocation(&mut self, n: NodeId) {
        let nodes = self.nodes;
        let Some(keyword) = nodes.child(n, Field::Constructor) else {
            return;
        };
        let outer = nodes.child(n, Field::Object).map(|o| self.expr(o));
        let args = nodes
            .child(n, Field::Arguments)
            .map(|a| self.arguments(a))
            .unwrap_or_default();
        let callee = if nodes.kind(keyword) == Kind::Super {
            Callee::SuperConstructor { outer }
        } else {
            Callee::ThisConstructor
        };
        let (name_start, span) = (self.rel(keyword).0, self.rel(n));
        self.call(callee, &args, name_start, span);
    }

    fn try_statement(&mut self, n: NodeId) {
        let nodes = self.nodes;
        let mark = self.mark();
        let jumps = self.jump_count;
        let before = self.end(1.0);
        let first = self.open(before.as_slice());
        if let Some(resources) = nodes.child(n, Field::Resources) {
            for r in nodes
                .children(resources)
                .filter(|&c| nodes.kind(c) == Kind::Resource)
            {
                self.resource(r);
            }
        }
        if let Some(body) = nodes.child(n, Field::Body) {
            self.head = Some(self.rel(n).0);
            self.block(body);
        }
        let mut ends: Ends = self.end(1.0).into_iter().collect();
        self.leave(mark);
        let guarded_end = BlockId(self.body.blocks.len() as u32);
        let clauses: Vec<NodeId> = nodes
            .children(n)
            .filter(|&c| nodes.kind(c) == Kind::CatchClause)
            .collect();
        let probability = 1.0 / (clauses.len() as f64 + 1.0);
        for clause in &clauses {
            self.open_from(
                TryEntry {
                    first,
                    end: guarded_end,
                    probability,
                },
                before.is_some(),
            );
            if let Some(param) = nodes.child_of(*clause, Kind::CatchFormalParameter)
                && let Some(name) = nodes.child(param, Field::Name)
            {
                let ty = self.type_at(nodes.child_of(param, Kind::CatchType));
                let local = self.declare(name, ty, VariableKind::Catch);
                let span = self.rel(name);
                self.define(
                    Target::Local(local),
                    VariableKind::Catch,
                    &[],
                    false,
                    span,
                    span,
                );
            }
            if let Some(body) = nodes.child(*clause, Field::Body) {
                self.head = Some(self.rel(*clause).0);
                self.block(body);
            }
            ends.extend(self.end(1.0));
            self.leave(mark);
        }
        let mut through = None;
        if let Some(finally) = nodes.child_of(n, Kind::FinallyClause) {
            let end = BlockId(self.body.blocks.len() as u32);
            let entry = self.open_from(
                TryEntry {
                    first,
                    end,
                    probability: 1.0,
                },
                before.is_some(),
            );
            if let Some(body) = nodes.child_of(finally, Kind::Block) {
                self.block(body);
            }
            match self.end(1.0) {
                Some((last, _)) => through = Some((entry, last)),
                // A finally that jumps itself ends all ways through it.
                None => ends.clear(),
            }
        }
        let join = self.open(&ends);
        let after = &mut self.body.blocks[join.ix()];
        after.after_try = Some(first);
        after.through = through;
        // The try's own blocks are reached from inside as well; as a whole it has one entry and one exit.
        if let Some((before, _)) = before {
            self.region(before, join, jumps);
        }
    }

    fn open_from(&mut self, entry: TryEntry, live: bool) -> BlockId {
        let id = self.open(&[]);
        if live {
            self.body.blocks[id.ix()].entered_from = Some(entry);
            self.dead = false;
        }
        id
    }

    fn resource(&mut self, r: NodeId) {
        let nodes = self.nodes;
        match (nodes.child(r, Field::Name), nodes.child(r, Field::Value)) {
            (Some(name), Some(value)) => {
                let ty = nodes
                    .child(r, Field::Type)
                    .map_or(TypeRef::Error, |t| lower_type(nodes, t));
                let value = self.expr(value);
                self.body.resources.push(value);
                let ty = self.ty(ty);
                let local = self.declare(name, ty, VariableKind::Resource);
                self.body.locals[local.ix()].init = Some(value);
                let (statement, span) = (self.rel(r), self.rel(name));
                self.define(
                    Target::Local(local),
                    VariableKind::Resource,
                    &[value],
                    false,
                    statement,
                    span,
                );
            }
            _ => {
                if let Some(used) = nodes.children(r).next() {
                    let used = self.expr(used);
                    self.body.resources.push(used);
                }
            }
        }
    }

    fn switch_statement(&mut self, n: NodeId, label: Option<&'n str>) {
        self.pending_label = label;
        self.switch(n, false);
    }

    /// A `switch` of either form; returns the selector's expression. As a value its arms give their results to the
    /// innermost [`super::Yielding`], and it needs no default: it is exhaustive by the language.
    pub(super) fn switch(&mut self, n: NodeId, is_value: bool) -> ExprId {
        let nodes = self.nodes;
        let label = self.pending_label.take();
        let mark = self.mark();
        let jumps = self.jump_count;
        let selector = match nodes.child(n, Field::Condition) {
            Some(c) => self.expr(c),
            None => self.push(ExprKind::Missing, n),
        };
        self.push(ExprKind::Test { operand: selector }, n);
        let arms: Vec<NodeId> = nodes
            .child(n, Field::Body)
            .map(|b| {
                nodes
                    .children(b)
                    .filter(|&c| {
                        matches!(
                            nodes.kind(c),
                            Kind::SwitchRule | Kind::SwitchBlockStatementGroup
                        )
                    })
                    .collect()
            })
            .unwrap_or_default();
        let is_default = |arm: NodeId| {
            nodes
                .children(arm)
                .filter(|&l| nodes.kind(l) == Kind::SwitchLabel)
                .any(|l| nodes.child_of(l, Kind::KwDefault).is_some())
        };
        let outer = nodes.child(n, Field::Body).map(|b| self.open_scope(b));
        let has_default = arms.iter().any(|&a| is_default(a));
        let ways = arms.len() + usize::from(!has_default && !is_value);
        let probability = 1.0 / (ways.max(1) as f64);
        let head = self.end(probability);
        let mut ends: Ends = Vec::new();
        let mut failed_guards: Ends = Vec::new();
        self.jumps.push(Jump {
            label,
            plain: true,
            is_loop: false,
            breaks: Vec::new(),
            continues: Vec::new(),
        });
        let yield_ends_before = self.yields.last().map_or(0, |y| y.ends.len());
        let mut fall: Option<(BlockId, f64)> = None;
        for (ix, &arm) in arms.iter().enumerate() {
            let rule = nodes.kind(arm) == Kind::SwitchRule;
            let mut preds: Ends = head.into_iter().collect();
            preds.extend(fall.take());
            if is_default(arm) {
                preds.append(&mut failed_guards);
            }
            self.open(&preds);
            let inner = self.mark();
            let mut guard = None;
            for l in nodes
                .children(arm)
                .filter(|&l| nodes.kind(l) == Kind::SwitchLabel)
            {
                for c in nodes.children(l) {
                    match nodes.kind(c) {
                        Kind::Pattern | Kind::RecordPattern | Kind::TypePattern => {
                            self.pattern(c, selector);
                        }
                        Kind::Guard => {
                            guard = nodes.children(c).find(|&g| nodes.kind(g) != Kind::KwWhen)
                        }
                        Kind::KwDefault => {}
                        _ => {
                            let e = self.expr(c);
                            self.body.labels.push((e, selector));
                        }
                    }
                }
            }
            if let Some(guard) = guard {
                self.test(Some(guard));
                let step = self.end(0.5);
                failed_guards.extend(step);
                self.open(step.as_slice());
            }
            if rule {
                let result = nodes
                    .children(arm)
                    .filter(|&c| nodes.kind(c) != Kind::SwitchLabel)
                    .last();
                match result {
                    Some(r) if is_value && nodes.kind(r) == Kind::ExpressionStatement => {
                        let value = self.expr(r);
                        let end = self.end(1.0);
                        if let Some(y) = self.yields.last_mut() {
                            y.values.push(value);
                        }
                        ends.extend(end);
                    }
                    Some(r) => {
                        self.body_of(arm, r);
                        ends.extend(self.end(1.0));
                    }
                    None => ends.extend(self.end(1.0)),
                }
                self.leave(inner);
            } else {
                for c in nodes
                    .children(arm)
                    .filter(|&c| nodes.kind(c) != Kind::SwitchLabel)
                {
                    self.statement(c);
                }
                fall = self.end(1.0);
                if ix + 1 == arms.len() {
                    ends.extend(fall.take());
                }
            }
        }
        self.leave(mark);
        if let Some(outer) = outer {
            let last = arms.last().and_then(|arm| nodes.children(*arm).last());
            self.close_scope(outer, last);
        }
        if let Some(jump) = self.jumps.pop() {
            ends.extend(jump.breaks);
        }
        if is_value && let Some(y) = self.yields.last_mut() {
            ends.extend(y.ends.drain(yield_ends_before..));
        }
        ends.append(&mut failed_guards);
        if !has_default && (!is_value || ends.is_empty()) {
            ends.extend(head);
        }
        let join = self.open(&ends);
        if let Some((head, _)) = head {
            self.region(head, join, jumps);
        }
        selector
    }
}
