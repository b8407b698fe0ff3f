//! Fields, enum constants, record components, methods, what the language adds, and bodies.

use super::{Reader, hash_of, is_literal, named, piece_node};
use crate::declarations::{
    BodyDecl, BodyMember, FieldDecl, MethodDecl, Modifiers, ParamDecl, TypeDeclKind,
};
use flow::{Body, Piece, Primitive, TypeRef, lower_type, with_dimensions};
use rustc_hash::FxHasher;
use smol_str::SmolStr;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use syntax::{Field, Kind, NodeId, Nodes};
use text::Span;

impl Reader<'_> {
    pub(super) fn fields(
        &mut self,
        index: u32,
        n: NodeId,
        interface: bool,
        statics: &mut Vec<Piece>,
        instances: &mut Vec<Piece>,
    ) {
        let nodes = self.nodes;
        let (mut modifiers, annotations) = self.modifiers(n);
        if interface {
            modifiers = modifiers
                .with(Modifiers::PUBLIC)
                .with(Modifiers::STATIC)
                .with(Modifiers::FINAL);
        }
        let Some(ty) = nodes.child(n, Field::Type) else {
            return;
        };
        let ty = lower_type(nodes, ty);
        for declarator in nodes
            .children(n)
            .filter(|&c| nodes.kind(c) == Kind::VariableDeclarator)
        {
            let ty = with_dimensions(
                nodes,
                ty.clone(),
                nodes.child(declarator, Field::Dimensions),
            );
            let value = nodes.child(declarator, Field::Value);
            let constant = modifiers.has(Modifiers::STATIC)
                && modifiers.has(Modifiers::FINAL)
                && value.is_some_and(|v| is_literal(nodes, v));
            if value.is_some() {
                let piece = Piece::Field {
                    declarator,
                    declaration: n,
                };
                if modifiers.has(Modifiers::STATIC) {
                    statics.push(piece)
                } else {
                    instances.push(piece)
                }
            }
            let name = self.name_at(declarator);
            let is_text = modifiers.has(Modifiers::STATIC)
                && modifiers.has(Modifiers::FINAL)
                && ty == named("String");
            let text = value.filter(|_| is_text).and_then(|v| self.string(v));
            let hash = hash_of(&(&name, &ty, modifiers, &annotations, constant, &text));
            let name_span = self.name_span(declarator);
            self.out.types[index as usize].fields.push(FieldDecl {
                name,
                ty,
                modifiers,
                constant,
                text,
                enum_constant: false,
                implicit: false,
                annotations: annotations.clone(),
                span: nodes.span(declarator),
                name_span,
                hash,
            });
        }
    }

    pub(super) fn enum_constant(&mut self, index: u32, n: NodeId) {
        let name = self.name_at(n);
        let (_, annotations) = self.modifiers(n);
        let modifiers = Modifiers::PUBLIC
            .with(Modifiers::STATIC)
            .with(Modifiers::FINAL);
        let hash = hash_of(&(&name, "enum constant", &annotations));
        let name_span = self.name_span(n);
        self.out.types[index as usize].fields.push(FieldDecl {
            name,
            ty: TypeRef::Error,
            modifiers,
            constant: false,
            text: None,
            enum_constant: true,
            implicit: false,
            annotations,
            span: self.nodes.span(n),
            name_span,
            hash,
        });
    }

    /// The fields of a record's components.
    pub(super) fn components(&mut self, index: u32, node: NodeId) {
        let Some(params) = self.nodes.child(node, Field::Parameters) else {
            return;
        };
        let modifiers = Modifiers::PRIVATE.with(Modifiers::FINAL);
        for (param, span, name_span) in self.params(params).0 {
            let hash = hash_of(&(&param.name, &param.ty, "component"));
            self.out.types[index as usize].fields.push(FieldDecl {
                name: param.name,
                ty: param.ty,
                modifiers,
                constant: false,
                text: None,
                enum_constant: false,
                implicit: true,
                annotations: Vec::new(),
                span,
                name_span,
                hash,
            });
        }
    }

    pub(super) fn method(&mut self, index: u32, n: NodeId, interface: bool, type_node: NodeId) {
        let nodes = self.nodes;
        let (mut modifiers, annotations) = self.modifiers(n);
        let kind = nodes.kind(n);
        let constructor = matches!(
            kind,
            Kind::ConstructorDeclaration | Kind::CompactConstructorDeclaration
        );
        let record = (kind == Kind::CompactConstructorDeclaration).then_some(type_node);
        let header = record.unwrap_or(n);
        let (params, varargs) = nodes
            .child(header, Field::Parameters)
            .map(|p| self.params(p))
            .unwrap_or_default();
        let params: Vec<ParamDecl> = params.into_iter().map(|p| p.0).collect();
        let has_body = nodes.child(n, Field::Body).is_some();
        if interface {
            if !modifiers.has(Modifiers::PRIVATE) {
                modifiers = modifiers.with(Modifiers::PUBLIC);
            }
            if !has_body
                && !modifiers.has(
                    Modifiers::STATIC
                        .with(Modifiers::PRIVATE)
                        .with(Modifiers::DEFAULT),
                )
            {
                modifiers = modifiers.with(Modifiers::ABSTRACT);
            }
        }
        let return_ty = if constructor {
            TypeRef::Primitive(Primitive::Void)
        } else {
            let ty = nodes
                .child(n, Field::Type)
                .map_or(TypeRef::Error, |t| lower_type(nodes, t));
            with_dimensions(nodes, ty, nodes.child(n, Field::Dimensions))
        };
        let name = if constructor {
            SmolStr::new_static("<init>")
        } else {
            self.name_at(n)
        };
        let throws = nodes
            .child_of(n, Kind::Throws)
            .map(|t| self.types_in(t))
            .unwrap_or_default();
        let is_read = has_body && !self.only_declares;
        let body = is_read.then(|| {
            let hash =
                self.hash_nodes(&[n], record.and_then(|r| nodes.child(r, Field::Parameters)));
            let member = BodyMember::Method(self.out.types[index as usize].methods.len() as u32);
            self.body(index, member, nodes.span(n).start, hash, hash, |nodes| {
                flow::lower_member(nodes, n, record)
            })
        });
        let type_params = self.type_params(n);
        let told = self.told(n);
        let hash = hash_of(&(
            (&name, &params, varargs, &return_ty, &told),
            (&type_params, modifiers, &annotations, &throws, has_body),
        ));
        let name_span = self.name_span(n);
        self.out.types[index as usize].methods.push(MethodDecl {
            name,
            params,
            varargs,
            return_ty,
            type_params,
            modifiers,
            annotations,
            told,
            throws,
            span: nodes.span(n),
            name_span,
            body,
            implicit: false,
            captured: None,
            hash,
        });
    }

    /// What the language adds: default constructor, `values` and `valueOf`, a record's accessors and constructor.
    pub(super) fn implicit_members(&mut self, index: u32, node: NodeId) {
        let nodes = self.nodes;
        let decl = &self.out.types[index as usize];
        let (kind, name_span, simple, own) =
            (decl.kind, decl.name_span, decl.name.clone(), decl.modifiers);
        let anonymous = simple.is_empty();
        let has_constructor = decl.methods.iter().any(|m| m.name == "<init>");
        let type_span = nodes.span(node);
        let add = |reader: &mut Self,
                   name: &str,
                   params: Vec<ParamDecl>,
                   ty: TypeRef,
                   modifiers: Modifiers,
                   span: Span| {
            let method = implicit_method(name, params, ty, modifiers, span);
            reader.out.types[index as usize].methods.push(method);
        };
        let void = TypeRef::Primitive(Primitive::Void);
        let access = Modifiers::PUBLIC
            .with(Modifiers::PROTECTED)
            .with(Modifiers::PRIVATE)
            .0;
        let own_access = Modifiers(own.0 & access);
        match kind {
            TypeDeclKind::Class if !has_constructor && !anonymous => {
                add(self, "<init>", Vec::new(), void, own_access, name_span);
            }
            TypeDeclKind::Enum => {
                let me = named(&simple);
                if !has_constructor {
                    add(
                        self,
                        "<init>",
                        Vec::new(),
                        void,
                        Modifiers::PRIVATE,
                        name_span,
                    );
                }
                let modifiers = Modifiers::PUBLIC.with(Modifiers::STATIC);
                add(
                    self,
                    "values",
                    Vec::new(),
                    TypeRef::Array(Box::new(me.clone())),
                    modifiers,
                    name_span,
                );
                let param = ParamDecl {
                    name: "name".into(),
                    ty: named("String"),
                };
                add(self, "valueOf", vec![param], me, modifiers, name_span);
            }
            TypeDeclKind::Record => {
                let components = nodes
                    .child(node, Field::Parameters)
                    .map(|p| self.params(p))
                    .unwrap_or_default();
                let (components, varargs) = components;
                let canonical: Vec<&TypeRef> = components.iter().map(|c| &c.0.ty).collect();
                let declared = self.out.types[index as usize].methods.iter().any(|m| {
                    m.name == "<init>"
                        && m.params.iter().map(|p| &p.ty).eq(canonical.iter().copied())
                });
                if !declared {
                    let params = components.iter().map(|c| c.0.clone()).collect();
                    let span = if name_span.is_empty() {
                        type_span
                    } else {
                        name_span
                    };
                    add(self, "<init>", params, void, own_access, span);
                    // It assigns the components, so it has a body, lowered from the record itself.
                    let params_node = nodes.child(node, Field::Parameters);
                    let hash = self.hash_nodes(&[], params_node);
                    let member =
                        BodyMember::Method(self.out.types[index as usize].methods.len() as u32 - 1);
                    let layout = hash_of(&(
                        hash,
                        params_node.map(|p| nodes.span(p).start - type_span.start),
                    ));
                    let body = self.body(index, member, type_span.start, hash, layout, |nodes| {
                        flow::lower_member(nodes, node, None)
                    });
                    if let Some(m) = self.out.types[index as usize].methods.last_mut() {
                        m.body = Some(body);
                        m.varargs = varargs;
                    }
                }
                for (component, span, _) in components {
                    let methods = &self.out.types[index as usize].methods;
                    if !methods
                        .iter()
                        .any(|m| m.name == component.name && m.params.is_empty())
                    {
                        add(
                            self,
                            &component.name,
                            Vec::new(),
                            component.ty,
                            Modifiers::PUBLIC,
                            span,
                        );
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn initialisers(&mut self, index: u32, member: BodyMember, pieces: &[Piece]) {
        let first = pieces.first().filter(|_| !self.only_declares);
        let Some(first) = first else { return };
        let nodes = self.nodes;
        let base = nodes.span(piece_node(first)).start;
        let list: Vec<NodeId> = pieces.iter().map(piece_node).collect();
        let mut hasher = FxHasher::default();
        self.hash_nodes(&list, None).hash(&mut hasher);
        for piece in pieces {
            // The declared type decides about array initialisers.
            if let Piece::Field { declaration, .. } = piece
                && let Some(ty) = nodes.child(*declaration, Field::Type)
            {
                nodes.text(ty).hash(&mut hasher);
            }
        }
        let hash = hasher.finish();
        for &n in &list {
            (nodes.span(n).start - base).hash(&mut hasher);
        }
        let layout = hasher.finish();
        self.body(index, member, base, hash, layout, |nodes| {
            flow::lower_initialisers(nodes, base, pieces)
        });
    }

    pub(super) fn body(
        &mut self,
        owner: u32,
        member: BodyMember,
        start: u32,
        hash: u64,
        layout: u64,
        lower: impl FnOnce(&Nodes<'_>) -> Body,
    ) -> u32 {
        let body = match self.known.get(&(hash, layout)) {
            Some(same) => same.clone(),
            None => Arc::new(lower(self.nodes)),
        };
        self.out.bodies.push(BodyDecl {
            owner,
            member,
            start,
            body,
            assertions: Box::default(),
            hash,
            layout,
            added: false,
        });
        self.out.bodies.len() as u32 - 1
    }

    /// A hash of the syntax and text under `list`, positions relative to each, and of the text of `extra`.
    pub(super) fn hash_nodes(&self, list: &[NodeId], extra: Option<NodeId>) -> u64 {
        let nodes = self.nodes;
        let mut hasher = FxHasher::default();
        for &n in list {
            let start = nodes.span(n).start;
            for at in n.0..nodes.close(n) {
                let at = NodeId(at);
                let span = nodes.span(at);
                let shape =
                    (u64::from(nodes.kind(at) as u8) << 8) | u64::from(nodes.field(at) as u8);
                hasher.write_u64(
                    (shape << 48)
                        ^ (u64::from(span.start - start) << 24)
                        ^ u64::from(span.end - start),
                );
            }
            nodes.text(n).hash(&mut hasher);
        }
        if let Some(extra) = extra {
            nodes.text(extra).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// A method that nobody wrote, as the language and annotation processors add them; `span` is what it stands for.
pub(super) fn implicit_method(
    name: &str,
    params: Vec<ParamDecl>,
    return_ty: TypeRef,
    modifiers: Modifiers,
    span: Span,
) -> MethodDecl {
    let hash = hash_of(&(name, &params, &return_ty, modifiers, "implicit"));
    MethodDecl {
        name: name.into(),
        params,
        varargs: false,
        return_ty,
        type_params: Vec::new(),
        modifiers,
        annotations: Vec::new(),
        told: Box::default(),
        throws: Vec::new(),
        span,
        name_span: span,
        body: None,
        implicit: true,
        captured: None,
        hash,
    }
}
