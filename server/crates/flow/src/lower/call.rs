//! Calls and what `new` makes, in evaluation order.

use super::Lowering;
use super::expr::is_expression;
use crate::body::*;
use crate::types::lower_type;
use syntax::{Field, Kind, NodeId};

impl Lowering<'_> {
    pub(super) fn method_invocation(&mut self, n: NodeId) -> ExprId {
        // A chain of calls is left-deep and may be thousands long: descend by loop.
        let mut spine = vec![n];
        let mut receiver = None;
        loop {
            let top = spine[spine.len() - 1];
            match self.nodes.child(top, Field::Object) {
                Some(o) => {
                    let inner = self.unparenthesised(o);
                    if self.nodes.kind(inner) == Kind::MethodInvocation {
                        spine.push(inner);
                        continue;
                    }
                    let mut object = self.expr(o);
                    let is_super = self
                        .nodes
                        .children(top)
                        .any(|c| c != o && self.nodes.kind(c) == Kind::Super);
                    if is_super {
                        object = self.push(
                            ExprKind::Qualified {
                                qualifier: object,
                                is_super: true,
                            },
                            o,
                        );
                    }
                    receiver = Some(object);
                }
                None => {
                    if let Some(s) = self.nodes.child_of(top, Kind::Super) {
                        receiver = Some(self.push(ExprKind::Super, s));
                    }
                }
            }
            break;
        }
        let mut last = None;
        while let Some(node) = spine.pop() {
            let args = match self.nodes.child(node, Field::Arguments) {
                Some(a) => self.arguments(a),
                None => Vec::new(),
            };
            let Some(name_node) = self.nodes.child(node, Field::Name) else {
                continue;
            };
            let name_start = self.rel(name_node).0;
            let name = self.name_of(name_node);
            let span = self.rel(node);
            let call = self.call(
                Callee::Method {
                    receiver: last.or(receiver),
                    name,
                },
                &args,
                name_start,
                span,
            );
            self.type_arguments(node, call);
            last = Some(call);
        }
        match last {
            Some(call) => call,
            None => self.push(ExprKind::Missing, n),
        }
    }

    /// Notes the type arguments that the invocation `n` writes.
    pub(super) fn type_arguments(&mut self, n: NodeId, call: ExprId) {
        let nodes = self.nodes;
        let Some(written) = nodes.child_of(n, Kind::TypeArguments) else {
            return;
        };
        let ExprKind::Call(call) = self.body.exprs[call.ix()].kind else {
            return;
        };
        let args = nodes.children(written).filter(|&a| nodes.kind(a).is_type());
        let args = args.map(|a| self.ty(lower_type(nodes, a))).collect();
        self.body.type_args.push((call, args));
    }

    pub(super) fn object_creation(&mut self, n: NodeId) -> ExprId {
        let nodes = self.nodes;
        let outer = nodes
            .children(n)
            .find(|&c| nodes.field(c) == Field::None && is_expression(nodes.kind(c)))
            .map(|c| self.expr(c));
        let ty = self.type_at(nodes.child(n, Field::Type));
        let args = nodes
            .child(n, Field::Arguments)
            .map(|a| self.arguments(a))
            .unwrap_or_default();
        let class = nodes
            .child_of(n, Kind::ClassBody)
            .map(|b| self.class(b, None));
        let mut span = self.rel(n);
        let name_start = nodes
            .child_of(n, Kind::KwNew)
            .map_or(span.0, |k| self.rel(k).0);
        span.1 = span.1.max(span.0);
        let call = self.call(Callee::New { ty, class, outer }, &args, name_start, span);
        if let Some(class) = class {
            self.body.classes[class.ix()].expr = Some(call);
        }
        call
    }

    pub(super) fn array_creation(&mut self, n: NodeId) -> ExprId {
        let nodes = self.nodes;
        let mut ty = nodes
            .child(n, Field::Type)
            .map_or(TypeRef::Error, |t| lower_type(nodes, t));
        let mut list = Vec::new();
        let mut value = None;
        for c in nodes.children(n) {
            match nodes.kind(c) {
                Kind::DimensionsExpr => {
                    ty = TypeRef::Array(Box::new(ty));
                    for d in nodes.children(c) {
                        if is_expression(nodes.kind(d)) {
                            list.push(self.expr(d));
                        }
                    }
                }
                Kind::Dimensions => ty = crate::types::with_dimensions(nodes, ty, Some(c)),
                Kind::ArrayInitializer => value = Some(c),
                _ => {}
            }
        }
        let ty = self.ty(ty);
        if let Some(value) = value {
            return self.array_initialiser(value, Some(ty));
        }
        let operands = self.operands(&list);
        self.push(
            ExprKind::NewArray {
                ty: Some(ty),
                operands,
            },
            n,
        )
    }

    pub(super) fn array_initialiser(&mut self, n: NodeId, ty: Option<TypeRefId>) -> ExprId {
        let nodes = self.nodes;
        let element = ty.and_then(|t| match &self.body.types[t.ix()] {
            TypeRef::Array(element) => Some((**element).clone()),
            _ => None,
        });
        let element = element.map(|t| self.ty(t));
        let mut list = Vec::new();
        for c in nodes.children(n) {
            let e = if nodes.kind(c) == Kind::ArrayInitializer {
                self.deeper(|l| l.array_initialiser(c, element))
            } else {
                Some(self.expr(c))
            };
            list.extend(e);
        }
        let operands = self.operands(&list);
        self.push(ExprKind::NewArray { ty, operands }, n)
    }
}
