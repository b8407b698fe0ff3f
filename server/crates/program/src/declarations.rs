//! The records of one file's declarations: what `summarise` reads from a file without looking at any other.
//!
//! Offsets are absolute bytes of the file, except inside a [`flow::Body`], whose positions are relative to
//! [`BodyDecl::start`]. Types stand as written; names are resolved later, against the whole program.

use crate::generated::Generator;
use flow::{Body, ClassId, TypeRef};
use smol_str::SmolStr;
use std::sync::Arc;
use syntax::TestMarkKind;
use text::Span;

/// Everything that one file declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileSummary {
    /// Dotted package name, empty for the unnamed package.
    pub package: SmolStr,
    /// Imports in order of the text.
    pub imports: Vec<Import>,
    /// All types: top-level, nested, local and anonymous. An enclosing type stands before those in it.
    pub types: Vec<TypeDecl>,
    /// Some types are nested too deep and are not in `types` ([`crate::DEEPEST_TYPE`]).
    pub too_deep: bool,
    /// The workspace's own queries take too much on this file: there may be more tests and assertions of theirs.
    pub queries_cut: bool,
    /// All bodies, those of a type in order of its members, initialisers last.
    pub bodies: Vec<BodyDecl>,
    /// What package and imports say.
    pub imports_hash: u64,
    /// What all declarations say, in order, without positions and without what bodies say.
    pub declarations_hash: u64,
}

/// One import.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    /// Which form.
    pub kind: ImportKind,
    /// Dotted name without `.*`.
    pub name: SmolStr,
    /// Where the declaration stands.
    pub span: Span,
}

/// The forms of imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImportKind {
    /// `import a.B;`
    Single,
    /// `import a.*;`
    OnDemand,
    /// `import static a.B.c;`
    StaticSingle,
    /// `import static a.B.*;`
    StaticOnDemand,
    /// `import module m;`
    Module,
}

/// An annotation by which a declaration tells a framework what it is for (those of `summarise/written.rs`), with what it says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Told {
    /// Its simple name.
    pub annotation: SmolStr,
    /// The text between its parentheses; empty if it has none.
    pub arguments: SmolStr,
}

/// The kinds of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TypeDeclKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// Modifiers as bits; the implicit ones of interfaces, enums and records are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Modifiers(pub u16);

#[allow(missing_docs)]
impl Modifiers {
    pub const PUBLIC: Modifiers = Modifiers(1);
    pub const PROTECTED: Modifiers = Modifiers(1 << 1);
    pub const PRIVATE: Modifiers = Modifiers(1 << 2);
    pub const STATIC: Modifiers = Modifiers(1 << 3);
    pub const FINAL: Modifiers = Modifiers(1 << 4);
    pub const ABSTRACT: Modifiers = Modifiers(1 << 5);
    pub const DEFAULT: Modifiers = Modifiers(1 << 6);
    pub const NATIVE: Modifiers = Modifiers(1 << 7);
    pub const SYNCHRONIZED: Modifiers = Modifiers(1 << 8);
    pub const SEALED: Modifiers = Modifiers(1 << 9);
    pub const NON_SEALED: Modifiers = Modifiers(1 << 10);
    pub const TRANSIENT: Modifiers = Modifiers(1 << 11);
    pub const VOLATILE: Modifiers = Modifiers(1 << 12);
    pub const STRICTFP: Modifiers = Modifiers(1 << 13);

    /// True if any of `other`'s bits is set.
    pub fn has(self, other: Modifiers) -> bool {
        self.0 & other.0 != 0
    }
    /// Both together.
    #[must_use]
    pub fn with(self, other: Modifiers) -> Modifiers {
        Modifiers(self.0 | other.0)
    }
}

/// One type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDecl {
    /// What it is.
    pub kind: TypeDeclKind,
    /// Binary name: `pkg.Outer$Inner`, `pkg.Outer$1`, `pkg.Outer$1Local`.
    pub binary_name: SmolStr,
    /// Simple name; empty for an anonymous class.
    pub name: SmolStr,
    /// Modifiers.
    pub modifiers: Modifiers,
    /// Simple names of its annotations.
    pub annotations: Vec<SmolStr>,
    /// Those of them that tell a framework what it is for.
    pub told: Box<[Told]>,
    /// Type parameters.
    pub type_params: Vec<TypeParamDecl>,
    /// The `extends` clause of a class. For an anonymous class: the type after `new`, class or interface.
    pub superclass: Option<TypeRef>,
    /// `implements` of a class, `extends` of an interface.
    pub interfaces: Vec<TypeRef>,
    /// `permits`.
    pub permits: Vec<TypeRef>,
    /// Index of the type around it in [`FileSummary::types`].
    pub enclosing: Option<u32>,
    /// For a local or anonymous class: the body in which it stands (index in [`FileSummary::bodies`]) and its place there.
    pub enclosing_body: Option<(u32, ClassId)>,
    /// True for the body of an enum constant: its superclass is the enum around it.
    pub is_constant_body: bool,
    /// The whole declaration (of an anonymous class: its body).
    pub span: Span,
    /// Its name (of an anonymous class: empty, at its body).
    pub name_span: Span,
    /// Fields, enum constants and record components.
    pub fields: Vec<FieldDecl>,
    /// Methods and constructors (named `<init>`), the implicit ones last.
    pub methods: Vec<MethodDecl>,
    /// What wrote it, if its file says so or the configuration does; none for a nested type.
    pub generator: Option<Generator>,
    /// What its own header says: kind, name, modifiers, parameters, supertypes, place; without members.
    pub hash: u64,
}

/// A type parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeParamDecl {
    /// Its name.
    pub name: SmolStr,
    /// Its bounds; none means `Object`.
    pub bounds: Vec<TypeRef>,
}

/// A field, an enum constant, or a record component's field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDecl {
    /// Its name.
    pub name: SmolStr,
    /// Its type; [`TypeRef::Error`] for an enum constant, whose type is its enum.
    pub ty: TypeRef,
    /// Modifiers.
    pub modifiers: Modifiers,
    /// True if it is `static final` with an initialiser that is a literal.
    pub constant: bool,
    /// Its initialiser as written, if it is a `static final String` and that is a literal, a name or a sum.
    pub text: Option<SmolStr>,
    /// True for an enum constant.
    pub enum_constant: bool,
    /// True for the field of a record component (it has no declaration of its own).
    pub implicit: bool,
    /// Simple names of its annotations.
    pub annotations: Vec<SmolStr>,
    /// The declarator with its initialiser.
    pub span: Span,
    /// Its name.
    pub name_span: Span,
    /// What it says, without its initialiser; of a string constant with it.
    pub hash: u64,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ParamDecl {
    /// Its name.
    pub name: SmolStr,
    /// Its type; of a varargs parameter the array type.
    pub ty: TypeRef,
}

/// A method or constructor.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodDecl {
    /// Its name, `<init>` for constructors.
    pub name: SmolStr,
    /// Parameters, without receiver parameter.
    pub params: Vec<ParamDecl>,
    /// True if the last parameter is `T...`.
    pub varargs: bool,
    /// Return type; `void` for constructors.
    pub return_ty: TypeRef,
    /// Type parameters.
    pub type_params: Vec<TypeParamDecl>,
    /// Modifiers.
    pub modifiers: Modifiers,
    /// Simple names of its annotations, as written after the last dot.
    pub annotations: Vec<SmolStr>,
    /// Those of them that tell a framework what it is for.
    pub told: Box<[Told]>,
    /// Exceptions of its `throws` clause.
    pub throws: Vec<TypeRef>,
    /// The whole declaration; of an implicit member that of the type's name, or of its record component.
    pub span: Span,
    /// Its name.
    pub name_span: Span,
    /// Index in [`FileSummary::bodies`].
    pub body: Option<u32>,
    /// True for members that the language adds: default constructor, `values`, `valueOf`, a record's accessors and
    /// canonical constructor.
    pub implicit: bool,
    /// What the workspace's own query for tests calls it.
    pub captured: Option<TestMarkKind>,
    /// What its signature says.
    pub hash: u64,
}

/// Whose code a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyMember {
    /// A method or constructor: index in [`TypeDecl::methods`].
    Method(u32),
    /// Static initialisers and initialisers of static fields, in order of the text.
    Clinit,
    /// Instance initialisers and initialisers of instance fields, in order of the text.
    Init,
}

/// One body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDecl {
    /// Index of its class in [`FileSummary::types`].
    pub owner: u32,
    /// Whose code it is.
    pub member: BodyMember,
    /// Absolute offset to which the positions in `body` are relative: the first byte of the member, or of the
    /// first initialiser.
    pub start: u32,
    /// Its records.
    pub body: Arc<Body>,
    /// Where calls end that the workspace's own query for assertions found, relative to `start`, ascending.
    pub assertions: Box<[u32]>,
    /// What the member says: its syntax and text. Two bodies of the same member and hash have the same
    /// expressions.
    pub hash: u64,
    /// Like `hash`, with the distances between the pieces of an initialiser body.
    pub layout: u64,
    /// A tool adds it to the class: it stands in no text.
    pub added: bool,
}
