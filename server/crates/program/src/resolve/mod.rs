//! What the calls and names of one body mean, and the types of its expressions.
//!
//! One pass in evaluation order. A lambda stands before the call that takes it, but its parameters get their types
//! from that call: its expressions are left out at first and read when what consumes it is known.

mod calls;
mod expressions;
mod infer;
mod lambdas;
pub(crate) mod members;
mod overload;
mod poly;

use crate::header::FieldSignature;
use crate::ids::{BodyId, FieldId, MethodId, Symbol, TypeId};
use crate::lookup::{FileScope, Frame, Lookup};
use crate::snapshot::{FileData, Snapshot};
use crate::types::{Ty, TyKind};
use flow::{Body, DefId, ExprId, ExprKind, LambdaId, LocalId, TypeRef, VariableKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a call means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CallTarget {
    /// The declared target; also constructors and methods that the language adds.
    Workspace(MethodId),
    /// A library's method or constructor.
    Library,
    /// Not known.
    Unknown,
}

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NameTarget {
    /// A field of the workspace.
    Field(FieldId),
    /// A library's field.
    LibraryField,
    /// A variable of an enclosing body.
    Captured {
        /// The body that declares it.
        body: BodyId,
        /// Which.
        local: LocalId,
    },
    /// A type; `None` for a library's.
    Type(Option<TypeId>),
    /// A package.
    Package,
    /// An array's `length`.
    ArrayLength,
    /// Not known.
    Unknown,
}

/// How much of a body was resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ResolvedCounts {
    /// Calls, with constructor calls and method references.
    pub calls: u32,
    /// Those without target that are not known to be a library's.
    pub calls_unresolved: u32,
    /// Uses of fields.
    pub fields: u32,
    /// Names of which it is not known what they mean.
    pub fields_unresolved: u32,
}

/// The meaning of a body's names. Positions are those of the body's records.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ResolvedBody {
    /// By [`flow::CallId`].
    pub calls: Box<[CallTarget]>,
    /// For every [`ExprKind::Name`] and [`ExprKind::Field`], those of assigned places included; sorted by expression.
    pub names: Box<[(ExprId, NameTarget)]>,
    /// Method references; sorted by expression.
    pub references: Box<[(ExprId, Option<MethodId>)]>,
    /// The methods and constructors of libraries that calls and method references mean, by their expressions; sorted.
    /// Those of which only is known that they are a library's are not here.
    pub library_methods: Box<[(ExprId, MethodId)]>,
    /// The fields of libraries that names mean; sorted by expression.
    pub library_fields: Box<[(ExprId, FieldId)]>,
    /// The fields that [`flow::Target::OwnField`] defines; sorted by definition.
    pub own_fields: Box<[(DefId, FieldId)]>,
    /// By expression.
    pub types: Box<[Ty]>,
    /// By local: declared or inferred.
    pub locals: Box<[Ty]>,
    /// Names looked up, found or not; sorted.
    pub looked_up: Box<[Symbol]>,
    /// How much was resolved.
    pub counts: ResolvedCounts,
}

impl ResolvedBody {
    /// What the name or field access at `expr` means.
    pub fn name(&self, expr: ExprId) -> Option<NameTarget> {
        self.names
            .binary_search_by_key(&expr, |n| n.0)
            .ok()
            .map(|at| self.names[at].1)
    }
    /// What the method reference at `expr` means.
    pub fn reference(&self, expr: ExprId) -> Option<MethodId> {
        self.references
            .binary_search_by_key(&expr, |n| n.0)
            .ok()
            .and_then(|at| self.references[at].1)
    }
    /// The method or constructor of a library that the call or method reference at `expr` means. Its name is
    /// [`Program::method_name`](crate::Program::method_name).
    pub fn library_method(&self, expr: ExprId) -> Option<MethodId> {
        self.library_methods
            .binary_search_by_key(&expr, |n| n.0)
            .ok()
            .map(|at| self.library_methods[at].1)
    }
    /// The field of a library that the name or field access at `expr` means. Its name is
    /// [`Program::field_name`](crate::Program::field_name).
    pub(crate) fn library_field(&self, expr: ExprId) -> Option<FieldId> {
        self.library_fields
            .binary_search_by_key(&expr, |n| n.0)
            .ok()
            .map(|at| self.library_fields[at].1)
    }
    /// The field that an initialiser defines.
    pub fn own_field(&self, def: DefId) -> Option<FieldId> {
        self.own_fields
            .binary_search_by_key(&def, |n| n.0)
            .ok()
            .map(|at| self.own_fields[at].1)
    }
    /// The type of an expression.
    pub fn ty(&self, expr: ExprId) -> Ty {
        self.types.get(expr.ix()).copied().unwrap_or(Ty::UNKNOWN)
    }
}

/// Resolved bodies of this file, of this run or kept from before: what enclosing bodies say about captured variables.
pub(crate) type Enclosing<'a> = dyn Fn(BodyId) -> Option<Arc<ResolvedBody>> + 'a;

/// Resolves the body at `at` of the file of `scope`. The bodies around it must be resolved.
pub(crate) fn resolve<'a>(
    scope: &mut FileScope<'a>,
    at: usize,
    enclosing: &Enclosing<'_>,
) -> ResolvedBody {
    let (data, file) = (scope.data, scope.file);
    let decl = &file.summary.bodies[at];
    let body: &Body = &decl.body;
    let method = match decl.member {
        crate::declarations::BodyMember::Method(m) => Some(m),
        _ => None,
    };
    let look = Lookup::new(scope, decl.owner, method);
    let exprs = body.exprs.len();
    let mut resolver = Resolver {
        file,
        data,
        body,
        at,
        look,
        enclosing,
        symbols: body.names.iter().map(|n| data.ids.symbol(n)).collect(),
        types: vec![Ty::UNKNOWN; exprs],
        locals: vec![Ty::UNKNOWN; body.locals.len()],
        body_types: vec![None; body.types.len()],
        qualifiers: FxHashMap::default(),
        seen_names: FxHashMap::default(),
        calls: vec![CallTarget::Unknown; body.calls.len()],
        names: Vec::new(),
        references: Vec::new(),
        library_methods: Vec::new(),
        library_fields: Vec::new(),
        own_fields: Vec::new(),
        lambdas: lambdas::Lambdas::new(body),
        poly_calls: poly::PolyCalls::default(),
        standalone: FxHashMap::default(),
        ambiguous: false,
        now: 0,
        depth: 0,
    };
    for frame in resolver.look.frames.clone() {
        resolver.look.note_type(frame.def);
    }
    let unread = resolver.run(0, exprs as u32);
    resolver.settle(unread);
    resolver.finish()
}

/// What an expression stands for if it is no value.
#[derive(Clone, Copy, Debug)]
enum Qualifier {
    /// A type; of a library type outside the table too.
    Type(Ty),
    /// The beginning of a qualified name.
    Package(Symbol),
}

/// What a simple name was found to mean.
#[derive(Clone, Copy)]
struct Named {
    target: NameTarget,
    ty: Ty,
    qualifier: Option<Qualifier>,
    /// The library's field.
    field: Option<FieldId>,
}

impl Named {
    fn new(target: NameTarget, ty: Ty, qualifier: Option<Qualifier>) -> Named {
        Named {
            target,
            ty,
            qualifier,
            field: None,
        }
    }
    fn field(field: &FieldSignature, ty: Ty) -> Named {
        Named {
            target: field_target(field),
            ty,
            qualifier: None,
            field: (!field.in_workspace).then_some(field.id),
        }
    }
}

fn field_target(field: &FieldSignature) -> NameTarget {
    if field.in_workspace {
        NameTarget::Field(field.id)
    } else {
        NameTarget::LibraryField
    }
}

struct Resolver<'a, 's, 'e> {
    file: &'a FileData,
    data: &'a Snapshot,
    body: &'a Body,
    at: usize,
    look: Lookup<'a, 's>,
    enclosing: &'e Enclosing<'e>,
    /// By [`flow::NameId`].
    symbols: Vec<Symbol>,
    types: Vec<Ty>,
    locals: Vec<Ty>,
    body_types: Vec<Option<Ty>>,
    qualifiers: FxHashMap<ExprId, Qualifier>,
    /// What simple names were found to mean: they mean the same all over the body.
    seen_names: FxHashMap<Symbol, Named>,
    calls: Vec<CallTarget>,
    names: Vec<(ExprId, NameTarget)>,
    references: Vec<(ExprId, Option<MethodId>)>,
    library_methods: Vec<(ExprId, MethodId)>,
    library_fields: Vec<(ExprId, FieldId)>,
    own_fields: Vec<(DefId, FieldId)>,
    lambdas: lambdas::Lambdas,
    poly_calls: poly::PolyCalls<'a>,
    /// What a call gives that no argument says, where the context does not either: the bound of its type parameter.
    standalone: FxHashMap<ExprId, Ty>,
    /// Several methods fit the call that is searched last.
    ambiguous: bool,
    /// The expression that is read.
    now: u32,
    depth: u32,
}

impl<'a> Resolver<'a, '_, '_> {
    fn frame(&self) -> Frame {
        self.look.frames[0]
    }
    fn this(&self) -> Ty {
        self.data.this_type(self.frame().def)
    }
    fn superclass(&self) -> Ty {
        self.data
            .supertypes(self.frame().def)
            .and_then(|s| s.superclass)
            .unwrap_or_else(|| self.data.object())
    }
    fn type_of(&self, e: ExprId) -> Ty {
        self.types[e.ix()]
    }
    /// The type by which a member of the value is looked up.
    fn site_of(&self, e: ExprId) -> Ty {
        match self.type_of(e) {
            Ty::UNKNOWN => self.standalone.get(&e).copied().unwrap_or(Ty::UNKNOWN),
            ty => ty,
        }
    }
    fn kind(&self, e: ExprId) -> ExprKind {
        self.body.expr(e).kind
    }

    /// A type that the body names.
    fn body_type(&mut self, ty: flow::TypeRefId) -> Ty {
        if let Some(known) = self.body_types[ty.ix()] {
            return known;
        }
        let written = &self.body.types[ty.ix()];
        let found = self.written(written);
        // Where local classes share a name, what is written means another type at another place.
        if self.body.classes.len() < 2 {
            self.body_types[ty.ix()] = Some(found);
        }
        found
    }

    /// The local class of this body that a simple name means: of several, in blocks beside each other, the last that was
    /// declared so far.
    fn local_class(&self, name: &str) -> Option<TypeId> {
        let classes = || self.body.classes.iter().enumerate().rev();
        let named = |c: &flow::Class| c.name.is_some_and(|n| self.body.name(n) == name);
        let before = |c: &flow::Class| c.expr.is_none_or(|e| e.0 <= self.now);
        let at = classes()
            .find(|(_, c)| named(c) && before(c))
            .or_else(|| classes().find(|(_, c)| named(c)))?
            .0;
        self.file.body_classes[self.at][at]
    }

    /// A type as written in this body, where the body's own local classes are in scope.
    fn written(&mut self, ty: &TypeRef) -> Ty {
        if self.body.classes.iter().any(|c| c.name.is_some()) {
            let mut inner = ty;
            let mut dimensions = 0;
            while let TypeRef::Array(element) = inner {
                inner = element;
                dimensions += 1;
            }
            if let TypeRef::Named(segments) = inner
                && let [only] = &**segments
                && let Some(def) = self.local_class(&only.name)
            {
                let args: Vec<Ty> = only.args.iter().map(|a| self.written(a)).collect();
                let mut out = self.look.named(def, &args);
                for _ in 0..dimensions {
                    out = self.data.ids.array(out);
                }
                return out;
            }
        }
        self.look.ty(ty)
    }

    fn local(&mut self, id: LocalId) -> Ty {
        self.locals[id.ix()]
    }

    /// Gives a local its declared type, or the type of what it is initialised with.
    fn declare(&mut self, id: LocalId) {
        let local = &self.body.locals[id.ix()];
        if self.body.types[local.ty.ix()] != TypeRef::Inferred {
            let ty = self.body_type(local.ty);
            // `catch (A | B e)`: what both are.
            self.locals[id.ix()] = match &self.body.types[local.ty.ix()] {
                TypeRef::Several(types) if local.kind == VariableKind::Catch => {
                    let all: Vec<Ty> = types.iter().map(|t| self.written(t)).collect();
                    self.common_superclass(&all)
                }
                _ => ty,
            };
            return;
        }
        if local.kind == VariableKind::LambdaParameter {
            return;
        }
        if let Some((record, at)) = local.component {
            self.locals[id.ix()] = self.component(record, at as usize);
            return;
        }
        let Some(init) = local.init else { return };
        let ty = self.type_of(init);
        self.locals[id.ix()] = match local.kind {
            VariableKind::Loop => self.element_type(ty).unwrap_or(ty),
            _ if ty == Ty::NULL => Ty::UNKNOWN,
            _ => ty,
        };
    }

    /// The type of a record's component, of `var` in a record pattern.
    fn component(&mut self, record: flow::TypeRefId, at: usize) -> Ty {
        let data = self.data;
        let record = self.body_type(record);
        let Some((def, _)) = data.ids.as_class(record) else {
            return Ty::UNKNOWN;
        };
        self.look.note_type(def);
        if let Some(key) = data.key(def) {
            // An edited list of components is an edited constructor.
            self.look.looked_up.insert(data.constructor_key(key));
        }
        let Some((file, index)) = data.type_at(def) else {
            return Ty::UNKNOWN;
        };
        let mut components = file.summary.types[index]
            .fields
            .iter()
            .filter(|f| f.implicit);
        let found = components
            .nth(at)
            .and_then(|f| data.header(def)?.field_named(data.ids.symbol(&f.name)));
        let ty = found.map_or(Ty::UNKNOWN, |f| self.look.read_ty(f.ty, record));
        let ty = self.look.without_foreign_variables(ty);
        data.ids.upper(ty)
    }

    /// What iterating over a value of type `ty` gives.
    fn element_type(&mut self, ty: Ty) -> Option<Ty> {
        if let Some(element) = self.data.ids.element(ty) {
            return Some(element);
        }
        if ty == Ty::UNKNOWN {
            return Some(ty);
        }
        let found = self.look.as_super(ty, self.data.known.iterable)?;
        match self.data.ids.as_class(found) {
            Some((_, [element])) => Some(match self.data.ids.kind(*element) {
                TyKind::Any | TyKind::Lower(_) => self.data.object(),
                _ => *element,
            }),
            _ => Some(self.data.object()),
        }
    }

    /// The first superclass of the first type that all others have too.
    fn common_superclass(&mut self, types: &[Ty]) -> Ty {
        let Some((def, _)) = types.first().and_then(|&t| self.data.ids.as_class(t)) else {
            return Ty::UNKNOWN;
        };
        let closure = self.look.closure(def);
        for &ty in &closure.types[..closure.classes as usize] {
            if types[1..]
                .iter()
                .all(|&t| self.look.is_subtype(t, ty) == crate::types::relations::Holds::Yes)
            {
                return ty;
            }
        }
        Ty::UNKNOWN
    }

    fn finish(mut self) -> ResolvedBody {
        self.names.sort_unstable_by_key(|n| n.0);
        self.names.dedup_by_key(|n| n.0);
        self.references.sort_unstable_by_key(|n| n.0);
        self.references.dedup_by_key(|n| n.0);
        self.own_fields.sort_unstable_by_key(|n| n.0);
        self.library_methods.sort_by_key(|n| n.0);
        self.library_methods.dedup_by_key(|n| n.0);
        self.library_fields.sort_by_key(|n| n.0);
        self.library_fields.dedup_by_key(|n| n.0);
        let mut counts = ResolvedCounts {
            calls: (self.calls.len() + self.references.len()) as u32,
            calls_unresolved: self
                .calls
                .iter()
                .filter(|c| **c == CallTarget::Unknown)
                .count() as u32,
            ..ResolvedCounts::default()
        };
        for &(_, target) in &self.names {
            match target {
                NameTarget::Field(_) | NameTarget::LibraryField => counts.fields += 1,
                NameTarget::Unknown => {
                    counts.fields += 1;
                    counts.fields_unresolved += 1;
                }
                _ => {}
            }
        }
        ResolvedBody {
            calls: self.calls.into(),
            names: self.names.into(),
            references: self.references.into(),
            library_methods: self.library_methods.into(),
            library_fields: self.library_fields.into(),
            own_fields: self.own_fields.into(),
            types: self.types.into(),
            locals: self.locals.into(),
            looked_up: self.look.noted(),
            counts,
        }
    }

    fn lambda_record(&self, id: LambdaId) -> &'a flow::Lambda {
        &self.body.lambdas[id.ix()]
    }
}
