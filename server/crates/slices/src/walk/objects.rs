//! What is in objects that a call is given, and what it may call of them.

use super::{MAX_TYPES, Node, Walk};
use crate::graph::{Cell, Piece};
use crate::libraries::{class_of_call, receiver};
use flow::{ExprId, ExprKind};
use models::{families, is_jdk, looks_inside};
use oracle::frameworks;
use program::{BodyId, TypeId};

impl Walk<'_> {
    /// All that a call is given, what it may find in that, and what it may call of it.
    pub(super) fn parts(&mut self, body: BodyId, piece: &Piece, e: ExprId) {
        let ExprKind::Call(call) = piece.body.expr(e).kind else {
            return self.value(body, e);
        };
        let record = &piece.body.calls[call.ix()];
        let class = class_of_call(self.program, &piece.body, &piece.resolved, call);
        let on = receiver(&piece.body, call);
        let args: Vec<ExprId> = piece.body.list(record.args).to_vec();
        let is_asserting = class.as_deref().is_some_and(frameworks::asks_openly)
            || oracle::is_assertion(&piece.body, call, &[]);
        let text = match is_asserting {
            true => {
                let expr = piece.body.expr(e);
                self.program.body_text(body, expr.start, expr.end)
            }
            false => "",
        };
        let is_deep = match &class {
            Some(class) if is_jdk(class) => looks_inside(class),
            _ if is_asserting => frameworks::reflects(text),
            _ => true,
        };
        for part in on.into_iter().chain(args) {
            self.value(body, part);
            let ty = piece.resolved.ty(part);
            if !is_asserting || on != Some(part) {
                for family in families(self.program, ty) {
                    self.cell(Cell::Library(family));
                }
            }
            if self.program.element_of(ty).is_some() {
                self.cell(piece.elements(self.program, part));
            }
            if let Some(held) = self.program.class_of(self.innermost(ty)) {
                if self.is_written_by_a_tool(held) {
                    self.push(Node::Inside(held));
                }
                self.components(held);
                self.cell(Cell::Unseen(held));
            }
            if is_deep {
                for held in self.held(ty) {
                    self.push(Node::Inside(held));
                }
            }
            // What a function that it is given returns.
            self.functions(ty);
        }
        self.asked(piece, e);
    }

    pub(super) fn innermost(&self, mut ty: program::Ty) -> program::Ty {
        while let Some(element) = self.program.element_of(ty) {
            ty = element;
        }
        ty
    }

    /// Records are compared by their components.
    pub(super) fn components(&mut self, class: TypeId) {
        let program = self.program;
        let below = program.subtypes(class).iter().take(MAX_TYPES);
        for &class in std::iter::once(&class).chain(below) {
            for &field in program.fields_of_type(class) {
                if program.field_decl(field).is_some_and(|f| f.implicit) {
                    self.push(Node::Field(field));
                }
            }
        }
    }

    /// True for a class that a tool gives methods that read its fields, as Lombok does.
    pub(super) fn is_written_by_a_tool(&self, class: TypeId) -> bool {
        let tools = [
            "Data",
            "Value",
            "EqualsAndHashCode",
            "ToString",
            "Getter",
            "Builder",
            "AutoValue",
            "Immutable",
        ];
        let below = self.program.subtypes(class).iter().take(MAX_TYPES);
        let mut all = std::iter::once(&class).chain(below);
        all.any(|c| {
            let decl = self.program.type_decl(*c);
            decl.is_some_and(|d| d.annotations.iter().any(|a| tools.contains(&a.as_str())))
        })
    }

    /// What functions of a type return that somebody wrote: asking one gives it.
    pub(super) fn functions(&mut self, ty: program::Ty) {
        let graph = self.graph;
        let Some(class) = self.program.erased_class(ty) else {
            return;
        };
        let of = |class: TypeId| graph.lambdas.get(&class).map_or(&[][..], |l| l);
        let any = self.program.object_type();
        let unknown = if class == any { &[][..] } else { of(any) };
        for (body, e) in of(class).iter().chain(unknown) {
            if let Some(piece) = graph.piece(*body)
                && self.has_run(*body, piece, *e)
            {
                self.value(*body, *e);
            }
        }
    }

    /// What answers where objects are asked though nobody here calls it.
    pub(super) fn asked(&mut self, piece: &Piece, e: ExprId) {
        for answers in piece.answers(e) {
            for &body in answers.ways.iter().flatten() {
                if self.body_ran(body) {
                    self.push(Node::Returned(body));
                }
            }
        }
    }
}
