//! The members that Lombok's annotations add: declared, and with the code that Lombok would write where other code gives or reads
//! a field by them ([`super::added`]). `equals`, `hashCode` and `toString` have none.
//!
//! What is known is the table below, for Lombok's own defaults: `@Getter @Setter @With @Data @Value @Builder @SuperBuilder @ToString
//! @EqualsAndHashCode`, the constructors' and the loggers' annotations, with the arguments that change names or take
//! members away. Not known are `lombok.config`, `@Delegate`, and a `@Builder` of a method.

pub(super) mod builders;

use super::added::AddedBody;
use super::members::implicit_method;
use super::{Reader, hash_of, named};
use crate::declarations::{
    FieldDecl, ImportKind, MethodDecl, Modifiers, ParamDecl, TypeDeclKind, TypeParamDecl,
};
use flow::{Primitive, Segment, TypeRef};
use smol_str::{SmolStr, format_smolstr};
use syntax::{Field, Kind, NodeId};
use text::Span;

/// Annotations that add a logger: the field's name and its type.
const LOGGERS: &[(&str, &str, &str)] = &[
    ("Slf4j", "log", "org.slf4j.Logger"),
    ("XSlf4j", "log", "org.slf4j.ext.XLogger"),
    ("Log", "log", "java.util.logging.Logger"),
    ("Log4j", "log", "org.apache.log4j.Logger"),
    ("Log4j2", "log", "org.apache.logging.log4j.Logger"),
    ("CommonsLog", "log", "org.apache.commons.logging.Log"),
    ("JBossLog", "log", "org.jboss.logging.Logger"),
    (
        "Flogger",
        "logger",
        "com.google.common.flogger.FluentLogger",
    ),
];

/// A field as its annotations see it.
pub(super) struct Of {
    name: SmolStr,
    ty: TypeRef,
    /// The same as it is written.
    written: String,
    modifiers: Modifiers,
    initialised: bool,
    declaration: NodeId,
    span: Span,
}

/// A parameter of a method that is added.
struct Param {
    name: SmolStr,
    ty: TypeRef,
    written: String,
}

/// A method that is added: what it is called, takes and gives, and what it does, as its statements.
struct Added<'a> {
    name: &'a str,
    params: Vec<Param>,
    gives: TypeRef,
    level: &'a str,
    span: Span,
    does: Option<String>,
}

impl Of {
    fn param(&self) -> Param {
        Param {
            name: self.name.clone(),
            ty: self.ty.clone(),
            written: self.written.clone(),
        }
    }
    /// As code of the class reads and writes it.
    fn access(&self, class: &str) -> String {
        match self.is_static() {
            true => format!("{class}.{}", self.name),
            false => format!("this.{}", self.name),
        }
    }
    fn is_static(&self) -> bool {
        self.modifiers.has(Modifiers::STATIC)
    }
    /// What a constructor with all arguments takes.
    fn is_taken(&self) -> bool {
        !(self.is_static() || self.initialised && self.modifiers.has(Modifiers::FINAL))
    }
}

impl Reader<'_> {
    /// Adds what Lombok adds to the class or enum `index`. Nothing in files that import nothing of Lombok.
    pub(super) fn lombok_members(&mut self, index: u32, node: NodeId) {
        self.written_builder(index);
        let imports = &self.out.imports;
        let of_lombok = |name: &str| name == "lombok" || name.starts_with("lombok.");
        let kind = self.out.types[index as usize].kind;
        let has_members = matches!(
            kind,
            TypeDeclKind::Class | TypeDeclKind::Enum | TypeDeclKind::Record
        );
        if !has_members
            || self.out.types[index as usize].name.is_empty()
            || !imports.iter().any(|i| of_lombok(&i.name))
        {
            return;
        }
        let mut fields = match kind {
            TypeDeclKind::Record => self.components_of(node),
            _ => self.fields_of(node),
        };
        let of_class = |reader: &Self, name: &str| reader.lombok(node, name);
        let value = of_class(self, "Value").is_some();
        let data = of_class(self, "Data").is_some();
        if value {
            for field in fields.iter_mut().filter(|f| !f.is_static()) {
                field.modifiers = field.modifiers.with(Modifiers::FINAL);
            }
        }
        for (annotation, name, ty) in LOGGERS {
            if of_class(self, annotation).is_some() {
                self.add_logger(index, name, ty);
            }
        }
        let accessors = of_class(self, "Accessors").unwrap_or_default();
        // What a record has by itself, Lombok refuses to add.
        let is_record = kind == TypeDeclKind::Record;
        let getter = of_class(self, "Getter").or((value || data).then(String::new));
        let setter = of_class(self, "Setter").or(data.then(String::new));
        let with = of_class(self, "With");
        for field in &fields {
            let own = |reader: &Self, name: &str| reader.lombok(field.declaration, name);
            let class_wide = |all: &Option<String>| all.clone().filter(|_| !field.is_static());
            let accessors = own(self, "Accessors").unwrap_or_else(|| accessors.clone());
            let fluent = accessors.contains("fluent=true");
            let chain = accessors.contains("chain=true") || fluent;
            if let Some(level) = own(self, "Getter").or(class_wide(&getter))
                && !is_record
            {
                self.add_getter(index, field, &level, fluent);
            }
            let is_final = field.modifiers.has(Modifiers::FINAL);
            if let Some(level) = own(self, "Setter").or(class_wide(&setter))
                && !is_final
            {
                self.add_setter(index, field, &level, fluent, chain);
            }
            if let Some(level) = own(self, "With").or(class_wide(&with)) {
                let name = format_smolstr!("with{}", capitalised(&field.name));
                let taken = fields.iter().filter(|f| f.is_taken());
                let given = taken.map(|f| match f.name == field.name {
                    true => f.name.to_string(),
                    false => f.access(""),
                });
                let does = self.made_of(index, given);
                let with = Added {
                    name: &name,
                    params: vec![field.param()],
                    gives: self.own_type(index),
                    level: &level,
                    span: field.span,
                    does: Some(does),
                };
                self.add(index, with);
            }
        }
        let span = self.out.types[index as usize].name_span;
        let boolean = TypeRef::Primitive(Primitive::Boolean);
        let plain = |name, params, gives| Added {
            name,
            params,
            gives,
            level: "",
            span,
            does: None,
        };
        if value || data || of_class(self, "EqualsAndHashCode").is_some() {
            let other = Param {
                name: "o".into(),
                ty: named("Object"),
                written: "Object".to_owned(),
            };
            self.add(index, plain("equals", vec![other], boolean));
            let int = TypeRef::Primitive(Primitive::Int);
            self.add(index, plain("hashCode", Vec::new(), int));
        }
        if value || data || of_class(self, "ToString").is_some() {
            self.add(index, plain("toString", Vec::new(), named("String")));
        }
        if !is_record {
            self.add_constructors(index, node, &fields, value, data);
        }
        if let Some(arguments) = of_class(self, "Builder") {
            self.add_builder(index, node, &fields, &arguments);
        }
        if let Some(arguments) = of_class(self, "SuperBuilder") {
            self.add_super_builder(index, &fields, &arguments);
        }
        self.added_bodies(node, &places(&fields));
    }

    fn add_constructors(
        &mut self,
        index: u32,
        node: NodeId,
        fields: &[Of],
        value: bool,
        data: bool,
    ) {
        let declared = {
            let methods = &self.out.types[index as usize].methods;
            methods.iter().any(|m| m.name == "<init>")
        };
        let written = |reader: &Self, name: &str| reader.lombok(node, name);
        let none = written(self, "NoArgsConstructor");
        let mut required = written(self, "RequiredArgsConstructor");
        let mut all = written(self, "AllArgsConstructor");
        // What a class without any constructor gets.
        let plain = !declared && none.is_none() && required.is_none() && all.is_none();
        let by_name = |of: &str| {
            let written = self.lombok(node, of);
            let name = written.and_then(|arguments| value_of(&arguments, "staticConstructor"));
            name.map_or(String::new(), |name| format!("staticName=\"{name}\""))
        };
        if plain && value {
            all = Some(by_name("Value"));
        } else if plain && data {
            required = Some(by_name("Data"));
        } else if plain && written(self, "Builder").is_some() {
            all = Some("access=AccessLevel.PACKAGE".to_owned());
        }
        let is_required = |reader: &Self, f: &Of| {
            let must = f.modifiers.has(Modifiers::FINAL)
                || reader
                    .modifiers(f.declaration)
                    .1
                    .iter()
                    .any(|a| a.eq_ignore_ascii_case("NonNull"));
            f.is_taken() && must && !f.initialised
        };
        let takes: Vec<(Option<String>, Vec<&Of>)> = vec![
            (none, Vec::new()),
            (
                required,
                fields.iter().filter(|f| is_required(self, f)).collect(),
            ),
            (all, fields.iter().filter(|f| f.is_taken()).collect()),
        ];
        let span = self.out.types[index as usize].name_span;
        for (arguments, fields) in takes {
            let Some(arguments) = arguments else { continue };
            let params = || fields.iter().map(|f| f.param()).collect();
            let by_name = value_of(&arguments, "staticName");
            let gives = |f: &&Of| format!("this.{0} = {0};", f.name);
            let does: String = fields.iter().map(gives).collect();
            let constructor = Added {
                name: "<init>",
                params: params(),
                gives: TypeRef::Primitive(Primitive::Void),
                level: match by_name {
                    Some(_) => "AccessLevel.PRIVATE",
                    None => &arguments,
                },
                span,
                does: (!fields.is_empty()).then_some(does),
            };
            self.add(index, constructor);
            if let Some(name) = by_name {
                let type_params = self.out.types[index as usize].type_params.clone();
                let given = fields.iter().map(|f| f.name.to_string());
                let named = Added {
                    name: &name,
                    params: params(),
                    gives: self.own_type(index),
                    level: "",
                    span,
                    does: Some(self.made_of(index, given)),
                };
                if let Some(method) = self.add(index, named) {
                    method.modifiers = method.modifiers.with(Modifiers::STATIC);
                    method.type_params = type_params;
                }
            }
        }
    }

    /// That the class is made of these and given back.
    fn made_of(&self, index: u32, given: impl Iterator<Item = String>) -> String {
        let decl = &self.out.types[index as usize];
        let diamond = if decl.type_params.is_empty() {
            ""
        } else {
            "<>"
        };
        let given: Vec<String> = given.collect();
        format!("return new {}{diamond}({});", decl.name, given.join(", "))
    }

    fn add_getter(&mut self, index: u32, field: &Of, level: &str, fluent: bool) {
        let boolean = field.ty == TypeRef::Primitive(Primitive::Boolean);
        let name = match () {
            () if fluent => field.name.clone(),
            () if boolean && is_prefixed(&field.name) => field.name.clone(),
            () if boolean => format_smolstr!("is{}", capitalised(&field.name)),
            () => format_smolstr!("get{}", capitalised(&field.name)),
        };
        let is_static = field.is_static();
        let access = field.access(&self.out.types[index as usize].name);
        let getter = Added {
            name: &name,
            params: Vec::new(),
            gives: field.ty.clone(),
            level,
            span: field.span,
            does: Some(format!("return {access};")),
        };
        let added = self.add(index, getter);
        if let Some(method) = added.filter(|_| is_static) {
            method.modifiers = method.modifiers.with(Modifiers::STATIC);
        }
    }

    fn add_setter(&mut self, index: u32, field: &Of, level: &str, fluent: bool, chain: bool) {
        let boolean = field.ty == TypeRef::Primitive(Primitive::Boolean);
        let name = match () {
            () if fluent => field.name.clone(),
            () if boolean && is_prefixed(&field.name) => format_smolstr!("set{}", &field.name[2..]),
            () => format_smolstr!("set{}", capitalised(&field.name)),
        };
        let ret = if chain {
            self.own_type(index)
        } else {
            TypeRef::Primitive(Primitive::Void)
        };
        let is_static = field.is_static();
        let access = field.access(&self.out.types[index as usize].name);
        let back = if chain { " return this;" } else { "" };
        let setter = Added {
            name: &name,
            params: vec![field.param()],
            gives: ret,
            level,
            span: field.span,
            does: Some(format!("{access} = {};{back}", field.name)),
        };
        let added = self.add(index, setter);
        if let Some(method) = added.filter(|_| is_static) {
            method.modifiers = method.modifiers.with(Modifiers::STATIC);
        }
    }

    fn add_logger(&mut self, index: u32, name: &str, ty: &str) {
        let decl = &self.out.types[index as usize];
        if decl.fields.iter().any(|f| f.name == name) {
            return;
        }
        let span = decl.name_span;
        let modifiers = Modifiers::PRIVATE
            .with(Modifiers::STATIC)
            .with(Modifiers::FINAL);
        self.add_field(index, name, qualified(ty), modifiers, span);
    }

    fn add_field(&mut self, index: u32, name: &str, ty: TypeRef, modifiers: Modifiers, span: Span) {
        let hash = hash_of(&(name, &ty, "lombok"));
        self.out.types[index as usize].fields.push(FieldDecl {
            name: name.into(),
            ty,
            modifiers,
            constant: false,
            text: None,
            enum_constant: false,
            implicit: true,
            annotations: Vec::new(),
            span,
            name_span: span,
            hash,
        });
    }

    /// Adds a method, unless the class has one of that name and as many parameters, or the access level is `NONE`.
    fn add(&mut self, index: u32, added: Added<'_>) -> Option<&mut MethodDecl> {
        let Added {
            name,
            params,
            gives,
            level,
            span,
            does,
        } = added;
        let methods = &mut self.out.types[index as usize].methods;
        let same = |m: &MethodDecl| m.name == name && m.params.len() == params.len();
        if level.contains("AccessLevel.NONE") || name != "<init>" && methods.iter().any(same) {
            return None;
        }
        let modifiers = match () {
            () if level.contains("AccessLevel.PRIVATE") => Modifiers::PRIVATE,
            () if level.contains("AccessLevel.PROTECTED") => Modifiers::PROTECTED,
            () if level.contains("AccessLevel.PACKAGE") || level.contains("AccessLevel.MODULE") => {
                Modifiers::default()
            }
            () => Modifiers::PUBLIC,
        };
        if let Some(does) = does {
            let taken = params.iter().map(|p| format!("{} {}", p.written, p.name));
            let taken: Vec<String> = taken.collect();
            let head = if name == "<init>" { "A" } else { "void m" };
            self.added.push(AddedBody {
                owner: index,
                method: methods.len() as u32,
                text: format!("{head}({}) {{ {does} }}", taken.join(", ")),
                at: span,
            });
        }
        let params = params.into_iter().map(|p| ParamDecl {
            name: p.name,
            ty: p.ty,
        });
        methods.push(implicit_method(
            name,
            params.collect(),
            gives,
            modifiers,
            span,
        ));
        methods.last_mut()
    }

    /// The class itself with its type parameters as arguments.
    fn own_type(&self, index: u32) -> TypeRef {
        let decl = &self.out.types[index as usize];
        with_params(&decl.name, &decl.type_params)
    }

    /// The text between the parentheses of Lombok's annotation of that name on a declaration, without blanks; empty if
    /// it has none, `None` if there is no such annotation.
    fn lombok(&self, declaration: NodeId, name: &str) -> Option<String> {
        let nodes = self.nodes;
        let list = nodes.child_of(declaration, Kind::Modifiers)?;
        let found = nodes.children(list).find(|&c| {
            matches!(nodes.kind(c), Kind::Annotation | Kind::MarkerAnnotation)
                && nodes
                    .child(c, Field::Name)
                    .is_some_and(|n| nodes.text(n).rsplit('.').next() == Some(name))
        })?;
        let is_other = self.out.imports.iter().any(|i| {
            i.kind == ImportKind::Single
                && i.name.rsplit('.').next() == Some(name)
                && !i.name.starts_with("lombok.")
        });
        if is_other {
            return None;
        }
        let text = nodes.text(found);
        let arguments = text.split_once('(').map_or("", |a| a.1);
        Some(arguments.chars().filter(|c| !c.is_whitespace()).collect())
    }

    /// The components of a record, as its fields.
    fn components_of(&self, node: NodeId) -> Vec<Of> {
        let nodes = self.nodes;
        let Some(params) = nodes.child(node, Field::Parameters) else {
            return Vec::new();
        };
        let one = |p: NodeId| {
            let ty = nodes.child(p, Field::Type)?;
            let dimensions = nodes.child(p, Field::Dimensions);
            Some(Of {
                name: self.name_at(p),
                ty: flow::with_dimensions(nodes, flow::lower_type(nodes, ty), dimensions),
                written: self.written_type(ty, dimensions),
                modifiers: Modifiers::PRIVATE.with(Modifiers::FINAL),
                initialised: false,
                declaration: p,
                span: self.name_span(p),
            })
        };
        nodes.children(params).filter_map(one).collect()
    }

    fn written_type(&self, ty: NodeId, dimensions: Option<NodeId>) -> String {
        let more = dimensions.map_or("", |more| self.nodes.text(more));
        format!("{}{more}", self.nodes.text(ty))
    }

    fn fields_of(&self, node: NodeId) -> Vec<Of> {
        let nodes = self.nodes;
        let mut out = Vec::new();
        let Some(body) = nodes.child(node, Field::Body) else {
            return out;
        };
        let mut groups = vec![body];
        while let Some(group) = groups.pop() {
            for c in nodes.children(group) {
                match nodes.kind(c) {
                    Kind::EnumBodyDeclarations => groups.push(c),
                    Kind::FieldDeclaration => {
                        let Some(ty) = nodes.child(c, Field::Type) else {
                            continue;
                        };
                        let of = ty;
                        let ty = flow::lower_type(nodes, of);
                        let modifiers = self.modifiers(c).0;
                        let declarators = nodes
                            .children(c)
                            .filter(|&d| nodes.kind(d) == Kind::VariableDeclarator);
                        out.extend(declarators.map(|d| Of {
                            name: self.name_at(d),
                            ty: flow::with_dimensions(
                                nodes,
                                ty.clone(),
                                nodes.child(d, Field::Dimensions),
                            ),
                            written: self.written_type(of, nodes.child(d, Field::Dimensions)),
                            modifiers,
                            initialised: nodes.child(d, Field::Value).is_some(),
                            declaration: c,
                            span: self.name_span(d),
                        }));
                    }
                    _ => {}
                }
            }
        }
        out
    }
}

/// Where the names of fields stand.
fn places(fields: &[Of]) -> Vec<(&SmolStr, Span)> {
    fields.iter().map(|f| (&f.name, f.span)).collect()
}

/// `isOpen`: a name that says already that it is a boolean.
fn is_prefixed(name: &str) -> bool {
    let rest = name.strip_prefix("is");
    rest.is_some_and(|r| r.starts_with(|c: char| !c.is_lowercase()))
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// The string that an annotation's argument of that name is.
fn value_of(arguments: &str, name: &str) -> Option<String> {
    let rest = arguments.split_once(&format!("{name}=\""))?.1;
    rest.split_once('"').map(|v| v.0.to_owned())
}

fn with_params(name: &str, params: &[TypeParamDecl]) -> TypeRef {
    TypeRef::Named(Box::new([Segment {
        name: name.into(),
        args: params.iter().map(|p| named(&p.name)).collect(),
    }]))
}

fn qualified(name: &str) -> TypeRef {
    let segments = name.split('.').map(|part| Segment {
        name: part.into(),
        args: Box::new([]),
    });
    TypeRef::Named(segments.collect())
}
