//! The types of expressions, and what names mean (JLS 6.5, 15).

use super::{NameTarget, Named, Qualifier, Resolver, field_target};
use crate::header::FieldSignature;
use crate::ids::Symbol;
use crate::types::Ty;
use crate::types::relations::{Holds, promoted};
use flow::{BinaryOp, ExprId, ExprKind, Literal, Target, UnaryOp};
use smol_str::format_smolstr;

impl Resolver<'_, '_, '_> {
    pub(super) fn expression(&mut self, e: ExprId) {
        self.now = e.0;
        let ty = match self.kind(e) {
            ExprKind::Missing
            | ExprKind::Lambda(_)
            | ExprKind::Test { .. }
            | ExprKind::Class(_) => Ty::UNKNOWN,
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Local(local) => match self.label(e, &self.body.locals[local.ix()].name) {
                Some(ty) => ty,
                None => self.local(local),
            },
            ExprKind::Name(name) => {
                let name = self.symbols[name.ix()];
                self.simple_name(e, name)
            }
            ExprKind::Field { object, name } => {
                let name = self.symbols[name.ix()];
                self.field(e, object, name)
            }
            ExprKind::This => self.this(),
            ExprKind::Super => self.superclass(),
            ExprKind::Qualified {
                qualifier,
                is_super,
            } => self.qualified(qualifier, is_super),
            ExprKind::Index { array, .. } => self
                .data
                .ids
                .element(self.type_of(array))
                .unwrap_or(Ty::UNKNOWN),
            ExprKind::Call(call) => self.call(call),
            ExprKind::NewArray { ty, operands } => {
                let ty = ty.map_or(Ty::UNKNOWN, |t| self.body_type(t));
                let element = self.data.ids.element(ty).unwrap_or(Ty::UNKNOWN);
                for &operand in self.body.list(operands) {
                    self.expect(operand, element);
                }
                ty
            }
            ExprKind::Unary { op, operand } => self.unary(op, operand),
            ExprKind::Binary { op, left, right } => self.binary(op, left, right),
            ExprKind::ShortCircuit { .. } | ExprKind::InstanceOf { .. } => {
                if let ExprKind::InstanceOf { ty: Some(ty), .. } = self.kind(e) {
                    self.body_type(ty);
                }
                Ty::BOOLEAN
            }
            ExprKind::Conditional { operands } => match self.body.list(operands) {
                &[_, a, b] => self.either(a, b),
                _ => Ty::UNKNOWN,
            },
            ExprKind::Switch { operands } => {
                let mut results = self.body.list(operands).iter().skip(1);
                let Some(&first) = results.next() else { return };
                let mut ty = self.type_of(first);
                for &r in results {
                    ty = self.common(ty, self.type_of(r), false, false);
                }
                ty
            }
            ExprKind::Cast { ty, operand } => {
                let ty = self.body_type(ty);
                self.expect(operand, ty);
                ty
            }
            ExprKind::Define(def) => self.define(def),
            ExprKind::MethodRef { .. } => {
                self.wait(e);
                Ty::UNKNOWN
            }
            ExprKind::ClassLiteral(ty) => {
                let of = self.body_type(ty);
                let of = self.look.boxed(of);
                self.data.ids.class(self.data.known.class, &[of])
            }
            ExprKind::Return(at) => {
                let record = self.body.returns[at as usize];
                if let Some(value) = record.value {
                    let expected = self.expected_return(record.callable);
                    self.expect(value, expected);
                }
                Ty::UNKNOWN
            }
            ExprKind::Throw { .. } => Ty::UNKNOWN,
            ExprKind::Type(ty) => {
                let ty = self.body_type(ty);
                self.qualifiers.insert(e, Qualifier::Type(ty));
                Ty::UNKNOWN
            }
        };
        self.types[e.ix()] = ty;
    }

    fn literal(&self, literal: Literal) -> Ty {
        match literal {
            Literal::Int => Ty::INT,
            Literal::Long => Ty::LONG,
            Literal::Float => Ty::FLOAT,
            Literal::Double => Ty::DOUBLE,
            Literal::Char => Ty::CHAR,
            Literal::True | Literal::False => Ty::BOOLEAN,
            Literal::Null => Ty::NULL,
            Literal::Str => self.data.ids.class(self.data.known.string, &[]),
        }
    }

    fn define(&mut self, def: flow::DefId) -> Ty {
        let record = &self.body.defs[def.ix()];
        let sources = self.body.list(record.sources);
        let ty = match record.target {
            Target::Local(local) => {
                if self.locals[local.ix()] == Ty::UNKNOWN {
                    self.declare(local);
                }
                self.local(local)
            }
            Target::Place(place) => self.type_of(place),
            Target::Element(base) => {
                // One element for every index that stands beside the value and the array.
                let mut ty = self.type_of(base);
                let at = sources.iter().position(|&s| s == base).unwrap_or(0);
                for _ in at + 1..sources.len() {
                    ty = self.data.ids.element(ty).unwrap_or(Ty::UNKNOWN);
                }
                ty
            }
            Target::OwnField(name) => {
                let name = self.symbols[name.ix()];
                let owner = self.frame().def;
                self.look.looked_up.insert(name);
                match self.data.header(owner).and_then(|h| h.field_named(name)) {
                    Some(field) => {
                        self.own_fields.push((def, field.id));
                        field.ty
                    }
                    None => Ty::UNKNOWN,
                }
            }
        };
        if let Some(&value) = sources.first() {
            self.expect(value, ty);
        }
        ty
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Ty {
        if op == UnaryOp::Not {
            return Ty::BOOLEAN;
        }
        let ty = self.look.unboxed(self.type_of(operand));
        if ty.is_numeric() {
            promoted(ty, Ty::INT)
        } else {
            Ty::UNKNOWN
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Ty {
        use BinaryOp::*;
        let string = self.data.ids.class(self.data.known.string, &[]);
        let (left, right) = (self.type_of(left), self.type_of(right));
        if op == Add && (left == string || right == string) {
            return string;
        }
        let (left, right) = (self.look.unboxed(left), self.look.unboxed(right));
        match op {
            Lt | Le | Gt | Ge | Eq | Ne => Ty::BOOLEAN,
            Shl | Shr | UShr if left.is_numeric() => promoted(left, Ty::INT),
            And | Or | Xor if left == Ty::BOOLEAN || right == Ty::BOOLEAN => Ty::BOOLEAN,
            _ if left.is_numeric() && right.is_numeric() => promoted(left, right),
            _ => Ty::UNKNOWN,
        }
    }

    fn either(&mut self, a: ExprId, b: ExprId) -> Ty {
        let is_int = |e: ExprId| matches!(self.kind(e), ExprKind::Literal(Literal::Int));
        let (ints, types) = ((is_int(a), is_int(b)), (self.type_of(a), self.type_of(b)));
        self.common(types.0, types.1, ints.0, ints.1)
    }

    /// The type of a value that is one or the other (JLS 15.25). An `int` constant takes the smaller type beside it.
    fn common(&mut self, a: Ty, b: Ty, a_constant: bool, b_constant: bool) -> Ty {
        if a == b {
            return a;
        }
        if a == Ty::NULL {
            return self.look.boxed(b);
        }
        if b == Ty::NULL {
            return self.look.boxed(a);
        }
        let (x, y) = (self.look.unboxed(a), self.look.unboxed(b));
        if x.is_primitive() && y.is_primitive() {
            let small = |t: Ty| matches!(t, Ty::BYTE | Ty::SHORT | Ty::CHAR);
            return match () {
                () if x == y => x,
                () if !x.is_numeric() || !y.is_numeric() => Ty::UNKNOWN,
                () if a_constant && small(y) => y,
                () if b_constant && small(x) => x,
                () if x == Ty::BYTE && y == Ty::SHORT || x == Ty::SHORT && y == Ty::BYTE => {
                    Ty::SHORT
                }
                () => promoted(x, y),
            };
        }
        if [a, b].iter().any(|&t| t == Ty::UNKNOWN || t == Ty::VOID) {
            return Ty::UNKNOWN;
        }
        let (a, b) = (self.look.boxed(a), self.look.boxed(b));
        if self.look.is_subtype(a, b) == Holds::Yes {
            b
        } else if self.look.is_subtype(b, a) == Holds::Yes {
            a
        } else {
            self.look.common_supertype(a, b)
        }
    }

    /// `Outer.this`, `Outer.super`, `Iface.super`.
    fn qualified(&mut self, qualifier: ExprId, is_super: bool) -> Ty {
        let Some(&Qualifier::Type(ty)) = self.qualifiers.get(&qualifier) else {
            return Ty::UNKNOWN;
        };
        let Some((def, _)) = self.data.ids.as_class(ty) else {
            return Ty::UNKNOWN;
        };
        let encloses = self.look.frames.iter().any(|f| f.def == def);
        match (is_super, encloses) {
            (false, _) => self.data.this_type(def),
            (true, true) => self
                .data
                .supertypes(def)
                .and_then(|s| s.superclass)
                .unwrap_or_else(|| self.data.object()),
            (true, false) => {
                let this = self.this();
                self.look.as_super(this, def).unwrap_or(ty)
            }
        }
    }

    /// `case RED`: a constant of the selector's enum, whatever else the name means.
    fn label(&mut self, e: ExprId, name: &str) -> Option<Ty> {
        let &(_, selector) = self.body.labels.iter().find(|l| l.0 == e)?;
        let selector = self.type_of(selector);
        let (def, _) = self.data.ids.as_class(selector)?;
        let header = self.data.header(def)?;
        if header.kind != crate::declarations::TypeDeclKind::Enum {
            return None;
        }
        let name = self.data.ids.symbol(name);
        let (field, ty) = self.look.find_field(selector, name)?;
        self.note_field(e, field);
        Some(ty)
    }

    fn simple_name(&mut self, e: ExprId, name: Symbol) -> Ty {
        if let Some(ty) = self.label(e, self.data.ids.text(name)) {
            return ty;
        }
        // `URL::new` and `Outer.this` name a type, also where a variable has that name.
        let names_type = match self.body.exprs.get(e.ix() + 1).map(|n| n.kind) {
            Some(ExprKind::MethodRef {
                qualifier,
                name: member,
                ..
            }) => qualifier == e && self.symbols[member.ix()] == self.data.known.new,
            Some(ExprKind::Qualified { qualifier, .. }) => qualifier == e,
            _ => false,
        };
        if names_type && let Some(ty) = self.type_named(name) {
            self.names.push((e, self.type_target(ty)));
            self.qualifiers.insert(e, Qualifier::Type(ty));
            return Ty::UNKNOWN;
        }
        let found = match self.seen_names.get(&name) {
            Some(&known) => known,
            None => {
                let found = self.find_name(name);
                self.seen_names.insert(name, found);
                found
            }
        };
        self.names.push((e, found.target));
        self.library_fields.extend(found.field.map(|id| (e, id)));
        if let Some(qualifier) = found.qualifier {
            self.qualifiers.insert(e, qualifier);
        }
        found.ty
    }

    fn note_field(&mut self, e: ExprId, field: &FieldSignature) {
        self.names.push((e, field_target(field)));
        if !field.in_workspace {
            self.library_fields.push((e, field.id));
        }
    }

    /// A variable, else a type, else a package (JLS 6.5.2).
    fn find_name(&mut self, name: Symbol) -> Named {
        let data = self.data;
        let mut opaque = false;
        for frame in self.look.frames.clone() {
            if let Some((body, class)) = frame.local {
                let record = &self.file.summary.bodies[body as usize].body;
                let text = data.ids.text(name);
                let visible = &record.classes[class.ix()].visible;
                if let Some(&local) = visible
                    .iter()
                    .rev()
                    .find(|l| record.locals[l.ix()].name == *text)
                {
                    let body = self.file.bodies[body as usize];
                    let ty = (self.enclosing)(body).and_then(|r| r.locals.get(local.ix()).copied());
                    return Named::new(
                        NameTarget::Captured { body, local },
                        ty.unwrap_or(Ty::UNKNOWN),
                        None,
                    );
                }
            }
            let site = data.this_type(frame.def);
            if let Some((field, ty)) = self.look.find_field(site, name) {
                return Named::field(field, self.look.inherited(ty));
            }
            opaque |= self.look.closure(frame.def).opaque;
        }
        self.look.note_imports();
        let mut unknown_class = false;
        for on_demand in [false, true] {
            for class in self.look.scope.static_imports(name, on_demand) {
                let site = data.ids.class(class, &[]);
                if let Some((field, ty)) = self.look.find_field(site, name)
                    && field.modifiers.has(crate::declarations::Modifiers::STATIC)
                {
                    return Named::field(field, ty);
                }
                let opaque = self.look.closure(class).opaque;
                if opaque && !on_demand {
                    return Named::new(NameTarget::LibraryField, Ty::UNKNOWN, None);
                }
                unknown_class |= opaque;
            }
        }
        let text = data.ids.text(name);
        let as_type = self.type_named(name);
        // `CONSTANT` of a class imported whole, or inherited from a library, looks like a type but is none.
        let constant_like = !text.chars().any(char::is_lowercase) && text.len() > 1;
        let known = as_type.is_some_and(|t| match data.ids.as_class(t) {
            Some((def, _)) => data.header(def).is_some(),
            None => true,
        });
        if let Some(ty) = as_type
            && (known || !(constant_like && (opaque || unknown_class)))
        {
            return Named::new(self.type_target(ty), Ty::UNKNOWN, Some(Qualifier::Type(ty)));
        }
        // What a library's class may declare is hardly named as a package begins.
        let package = || {
            let begins = |p: &Symbol| {
                let rest = data.ids.text(*p).strip_prefix(text.as_str());
                rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
            };
            data.index.packages.iter().any(begins)
        };
        if (opaque || unknown_class) && !package() {
            return Named::new(NameTarget::LibraryField, Ty::UNKNOWN, None);
        }
        if text.starts_with(char::is_lowercase) {
            return Named::new(
                NameTarget::Package,
                Ty::UNKNOWN,
                Some(Qualifier::Package(name)),
            );
        }
        Named::new(NameTarget::Unknown, Ty::UNKNOWN, None)
    }

    /// A simple type name in this body.
    fn type_named(&mut self, name: Symbol) -> Option<Ty> {
        if let Some(def) = self.local_class(self.data.ids.text(name)) {
            return Some(self.look.named(def, &[]));
        }
        self.look.simple_type(name)
    }

    fn type_target(&self, ty: Ty) -> NameTarget {
        let def = self.data.ids.as_class(ty).map(|c| c.0);
        NameTarget::Type(def.filter(|&d| !self.data.ids.is_library(d)))
    }

    fn field(&mut self, e: ExprId, object: ExprId, name: Symbol) -> Ty {
        let data = self.data;
        self.look.looked_up.insert(name);
        let site = match self.qualifiers.get(&object) {
            Some(&Qualifier::Package(package)) => {
                let dotted = format_smolstr!("{}.{}", data.ids.text(package), data.ids.text(name));
                let found = self.look.scope.in_package(package, name).or_else(|| {
                    let known = data.libraries.has(&dotted);
                    let looks_like_type = data.ids.text(name).starts_with(char::is_uppercase);
                    (known || looks_like_type && !data.index.packages.contains(&package))
                        .then(|| data.ids.library_type(&dotted))
                });
                let (target, qualifier) = match found {
                    Some(def) => {
                        let ty = self.look.named(def, &[]);
                        (self.type_target(ty), Qualifier::Type(ty))
                    }
                    None => (
                        NameTarget::Package,
                        Qualifier::Package(data.ids.symbol(&dotted)),
                    ),
                };
                self.names.push((e, target));
                self.qualifiers.insert(e, qualifier);
                return Ty::UNKNOWN;
            }
            Some(&Qualifier::Type(ty)) => ty,
            None => self.site_of(object),
        };
        let of_type = self.qualifiers.contains_key(&object);
        if !of_type && name == data.known.length && data.ids.element(site).is_some() {
            self.names.push((e, NameTarget::ArrayLength));
            return Ty::INT;
        }
        let mut opaque = false;
        for class in self.look.sites(site) {
            let class = self.look.captured(class);
            if let Some((field, ty)) = self.look.find_field(class, name) {
                self.note_field(e, field);
                let ty = self.look.without_foreign_variables(ty);
                return data.ids.upper(ty);
            }
            if let Some((def, _)) = data.ids.as_class(class) {
                opaque |= data.ids.is_library(def) || self.look.closure(def).opaque;
            }
        }
        if of_type && let Some((def, _)) = data.ids.as_class(site) {
            let certain = data.ids.is_library(def) && data.header(def).is_none();
            let capital = data.ids.text(name);
            let looks_like_type =
                capital.starts_with(char::is_uppercase) && capital.chars().any(char::is_lowercase);
            if (!certain || looks_like_type)
                && let Some(member) = self.look.member_type(def, name)
            {
                let ty = self.look.named(member, &[]);
                self.names.push((e, self.type_target(ty)));
                self.qualifiers.insert(e, Qualifier::Type(ty));
                return Ty::UNKNOWN;
            }
        }
        self.names.push((
            e,
            if opaque {
                NameTarget::LibraryField
            } else {
                NameTarget::Unknown
            },
        ));
        Ty::UNKNOWN
    }
}
