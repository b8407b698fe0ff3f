//! The builders that Lombok adds.

use super::super::added::AddedBody;
use super::super::{Reader, hash_of, named};
use super::{Added, Of, Param, capitalised, places, qualified, value_of, with_params};
use crate::declarations::{MethodDecl, Modifiers, TypeDecl, TypeDeclKind, TypeParamDecl};
use flow::{Primitive, Segment, TypeRef};
use smol_str::{SmolStr, format_smolstr};
use syntax::{Field, Kind, NodeId};
use text::Span;

/// What is added to a builder that is written, once that is read.
pub(in crate::summarise) struct Builder {
    /// As it would be if it were not written.
    class: TypeDecl,
    /// Of its methods.
    does: Vec<AddedBody>,
    /// The class that it builds, and its fields.
    outer: (NodeId, Vec<Of>),
}

impl Reader<'_> {
    /// Adds to a builder class that is written what it does not declare itself.
    pub(super) fn written_builder(&mut self, index: u32) {
        let decl = &mut self.out.types[index as usize];
        let found = self
            .builders
            .iter()
            .position(|b| b.class.binary_name == decl.binary_name);
        let Some(found) = found else { return };
        let Builder { class, does, outer } = self.builders.swap_remove(found);
        for field in class.fields {
            if !decl.fields.iter().any(|f| f.name == field.name) {
                decl.fields.push(field);
            }
        }
        for (at, method) in class.methods.into_iter().enumerate() {
            let same =
                |m: &MethodDecl| m.name == method.name && m.params.len() == method.params.len();
            if decl.methods.iter().any(same) {
                continue;
            }
            let done = does.iter().find(|d| d.method == at as u32);
            self.added.extend(done.map(|d| AddedBody {
                owner: index,
                method: decl.methods.len() as u32,
                ..d.clone()
            }));
            decl.methods.push(method);
        }
        let (node, fields) = outer;
        self.added_bodies(node, &places(&fields));
    }

    /// `builder()`, `toBuilder()`, and the class that they give.
    pub(super) fn add_builder(&mut self, index: u32, node: NodeId, fields: &[Of], arguments: &str) {
        let outer = &self.out.types[index as usize];
        let (outer_name, params, span) = (
            outer.name.clone(),
            outer.type_params.clone(),
            outer.name_span,
        );
        let name = value_of(arguments, "builderClassName")
            .unwrap_or_else(|| format!("{outer_name}Builder"));
        let binary_name = format_smolstr!("{}${}", outer.binary_name, name);
        let me = self.own_type(index);
        let builder = with_params(&name, &params);
        let method = value_of(arguments, "builderMethodName").unwrap_or("builder".to_owned());
        let diamond = if params.is_empty() { "" } else { "<>" };
        let taken = self.built(fields);
        let of_class = |name, does| Added {
            name,
            params: Vec::new(),
            gives: builder.clone(),
            level: "",
            span,
            does: Some(does),
        };
        let opens = format!("return new {name}{diamond}();");
        if !method.is_empty()
            && let Some(method) = self.add(index, of_class(&method, opens))
        {
            method.modifiers = method.modifiers.with(Modifiers::STATIC);
            method.type_params.clone_from(&params);
        }
        if arguments.contains("toBuilder=true") {
            let given = taken.iter().map(|f| format!(".{0}(this.{0})", f.name));
            let given: String = given.collect();
            let copies = format!("return new {name}{diamond}(){given};");
            self.add(index, of_class("toBuilder", copies));
        }
        let hash = hash_of(&(&binary_name, &params, "builder"));
        let own = self.add_class(index, binary_name, &name, params, hash);
        self.add_taking(own, &taken, &builder, "this");
        let method = value_of(arguments, "buildMethodName").unwrap_or("build".to_owned());
        let given = fields.iter().filter(|f| f.is_taken());
        let build = Added {
            name: &method,
            params: Vec::new(),
            gives: me,
            level: "",
            span,
            does: Some(self.made_of(index, given.map(|f| f.access("")))),
        };
        self.add(own, build);
        if self.declares_class(node, &name) {
            let does = self.added.extract_if(.., |u| u.owner == own).collect();
            let decl = self.out.types.pop();
            self.builders.extend(decl.map(|class| Builder {
                class,
                does,
                outer: (node, self.fields_of(node)),
            }));
            return;
        }
        let constructor = Added {
            name: "<init>",
            params: Vec::new(),
            gives: TypeRef::Primitive(Primitive::Void),
            level: "AccessLevel.PACKAGE",
            span,
            does: None,
        };
        self.add(own, constructor);
    }

    /// `@SuperBuilder`: a builder that a builder of a class below extends. A class has one if that above it has.
    pub(super) fn add_super_builder(&mut self, index: u32, fields: &[Of], arguments: &str) {
        let outer = &self.out.types[index as usize];
        let (outer_name, mut params, span) = (
            outer.name.clone(),
            outer.type_params.clone(),
            outer.name_span,
        );
        let above = outer.superclass.clone();
        let is_abstract = outer.modifiers.has(Modifiers::ABSTRACT);
        let name = format!("{outer_name}Builder");
        let binary_name = format_smolstr!("{}${}", outer.binary_name, name);
        let me = self.own_type(index);
        // `TBuilder<C extends T, B extends TBuilder<C, B>>`, and of any two `TBuilder<?, ?>`.
        let outer_params = params.clone();
        let bound_by = |name: &str, bound: TypeRef| TypeParamDecl {
            name: name.into(),
            bounds: vec![bound],
        };
        params.push(bound_by(MADE, me.clone()));
        params.push(bound_by(SELF, TypeRef::Error));
        let own_type = with_params(&name, &params);
        if let Some(last) = params.last_mut() {
            last.bounds = vec![own_type];
        }
        let any = with_args(
            &name,
            &outer_params,
            [TypeRef::Wildcard(None), TypeRef::Wildcard(None)],
        );
        let taken = self.built(fields);
        let opens = format!("return new {name}<>();");
        let gives_one = |name, does| Added {
            name,
            params: Vec::new(),
            gives: any.clone(),
            level: "",
            span,
            does: Some(does),
        };
        let method = value_of(arguments, "builderMethodName").unwrap_or("builder".to_owned());
        if !is_abstract
            && !method.is_empty()
            && let Some(method) = self.add(index, gives_one(&method, opens.clone()))
        {
            method.modifiers = method.modifiers.with(Modifiers::STATIC);
            method.type_params = outer_params;
        }
        if !is_abstract && arguments.contains("toBuilder=true") {
            self.add(index, gives_one("toBuilder", opens));
        }
        let mut does = String::new();
        if above.is_some() {
            does.push_str("super(b);");
        }
        for field in &taken {
            does.push_str(&format!("this.{0} = b.{0};", field.name));
        }
        let constructor = Added {
            name: "<init>",
            params: vec![Param {
                name: "b".into(),
                ty: any,
                written: name.clone(),
            }],
            gives: TypeRef::Primitive(Primitive::Void),
            level: "AccessLevel.PROTECTED",
            span,
            does: Some(does),
        };
        self.add(index, constructor);
        let hash = hash_of(&(&binary_name, &params, &above, "builder"));
        let own = self.add_class(index, binary_name, &name, params, hash);
        let (made, itself) = (named(MADE), named(SELF));
        self.out.types[own as usize].superclass = above.and_then(|above| match above {
            TypeRef::Named(mut segments) => {
                let last = segments.last_mut()?;
                let args = std::mem::take(&mut last.args);
                let builder = Segment {
                    name: format_smolstr!("{}Builder", last.name),
                    args: args
                        .into_iter()
                        .chain([made.clone(), itself.clone()])
                        .collect(),
                };
                Some(TypeRef::Named(
                    segments.into_iter().chain([builder]).collect(),
                ))
            }
            _ => None,
        });
        self.add_taking(own, &taken, &itself, &format!("({SELF}) this"));
        let method = value_of(arguments, "buildMethodName").unwrap_or("build".to_owned());
        let build = Added {
            name: &method,
            params: Vec::new(),
            gives: made,
            level: "",
            span,
            does: (!is_abstract).then(|| format!("return ({MADE}) new {outer_name}(this);")),
        };
        self.add(own, build);
        let constructor = Added {
            name: "<init>",
            params: Vec::new(),
            gives: TypeRef::Primitive(Primitive::Void),
            level: "",
            span,
            does: None,
        };
        self.add(own, constructor);
    }

    /// The fields of a builder, and the methods that take their values and give it `back`.
    fn add_taking(&mut self, own: u32, taken: &[&Of], builder: &TypeRef, back: &str) {
        for field in taken {
            let (name, span) = (&field.name, field.span);
            self.add_field(own, name, field.ty.clone(), Modifiers::PRIVATE, span);
            if let Some(singular) = self.lombok(field.declaration, "Singular") {
                self.add_singular(own, field, &singular, builder);
                continue;
            }
            let sets = Added {
                name,
                params: vec![field.param()],
                gives: builder.clone(),
                level: "",
                span,
                does: Some(format!("this.{name} = {name}; return {back};")),
            };
            self.add(own, sets);
        }
    }

    /// The fields that a builder takes.
    fn built<'f>(&self, fields: &'f [Of]) -> Vec<&'f Of> {
        let is_default = |f: &Of| {
            let annotations = self.modifiers(f.declaration).1;
            !f.is_static() && annotations.iter().any(|a| a == "Default")
        };
        let taken = fields.iter();
        taken.filter(|f| f.is_taken() || is_default(f)).collect()
    }

    /// Adds a static class that stands within the class `index`.
    fn add_class(
        &mut self,
        index: u32,
        binary_name: SmolStr,
        name: &str,
        type_params: Vec<TypeParamDecl>,
        hash: u64,
    ) -> u32 {
        let at = self.out.types[index as usize].name_span.start;
        let at = Span::new(at, at);
        self.out.types.push(TypeDecl {
            kind: TypeDeclKind::Class,
            binary_name,
            name: name.into(),
            modifiers: Modifiers::PUBLIC.with(Modifiers::STATIC),
            annotations: Vec::new(),
            told: Box::default(),
            type_params,
            superclass: None,
            interfaces: Vec::new(),
            permits: Vec::new(),
            enclosing: Some(index),
            enclosing_body: None,
            is_constant_body: false,
            span: at,
            name_span: at,
            fields: Vec::new(),
            methods: Vec::new(),
            generator: None,
            hash,
        });
        self.out.types.len() as u32 - 1
    }

    /// True if a class of that name stands in the body of `node`.
    fn declares_class(&self, node: NodeId, name: &str) -> bool {
        let nodes = self.nodes;
        let body = nodes.child(node, Field::Body);
        body.is_some_and(|body| {
            nodes.children(body).any(|c| {
                let of_class = nodes.kind(c) == Kind::ClassDeclaration;
                let named = nodes.child(c, Field::Name);
                of_class && named.is_some_and(|n| nodes.text(n) == name)
            })
        })
    }

    /// Of a collection: one element, all of a collection, none.
    fn add_singular(&mut self, own: u32, field: &Of, written: &str, builder: &TypeRef) {
        let one = written
            .split('"')
            .nth(1)
            .map(SmolStr::new)
            .or_else(|| field.name.strip_suffix('s').map(SmolStr::new));
        let args: Vec<TypeRef> = match &field.ty {
            TypeRef::Named(segments) => segments.last().map_or(Vec::new(), |s| s.args.to_vec()),
            _ => Vec::new(),
        };
        let all = match args.len() {
            2 => "java.util.Map",
            _ => "java.util.Collection",
        };
        let mut all = qualified(all);
        if let TypeRef::Named(segments) = &mut all
            && let Some(last) = segments.last_mut()
        {
            last.args = args.clone().into();
        }
        let (one_by, all_by, names) = match args.len() {
            2 => ("put", "putAll", &["key", "value"][..]),
            _ => ("add", "addAll", &["element"][..]),
        };
        let elements = names.iter().zip(&args).map(|(name, ty)| Param {
            name: (*name).into(),
            ty: ty.clone(),
            // Of what it is nothing is asked within it.
            written: "Object".to_owned(),
        });
        let adds = |name, params: Vec<Param>, by: &str| {
            let given: Vec<&str> = params.iter().map(|p| &*p.name).collect();
            let given = given.join(", ");
            Added {
                name,
                does: Some(format!("this.{}.{by}({given}); return this;", field.name)),
                params,
                gives: builder.clone(),
                level: "",
                span: field.span,
            }
        };
        if let Some(one) = &one {
            self.add(own, adds(one, elements.collect(), one_by));
        }
        let all = Param {
            ty: all,
            ..field.param()
        };
        self.add(own, adds(&field.name, vec![all], all_by));
        let clear = format_smolstr!("clear{}", capitalised(&field.name));
        self.add(own, adds(&clear, Vec::new(), "clear"));
    }
}

/// The type parameters of a builder that others extend: what it makes, and itself. No class is called so.
const MADE: &str = "$C";
const SELF: &str = "$B";

/// `Name<P, …, args>`
fn with_args(name: &str, params: &[TypeParamDecl], args: [TypeRef; 2]) -> TypeRef {
    let own = params.iter().map(|p| named(&p.name));
    TypeRef::Named(Box::new([Segment {
        name: name.into(),
        args: own.chain(args).collect(),
    }]))
}
