//! Relations between types: subtypes, boxing, promotion, substitution (JLS 4.10, 5.1, 5.3, 5.6).

use crate::declarations::{Modifiers, TypeDeclKind};
use crate::ids::{MethodId, TypeId};
use crate::lookup::{Frame, Lookup};
use crate::types::{Ty, TyKind};

/// Whether something holds, where not all is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Holds {
    No,
    Maybe,
    Yes,
}

impl Holds {
    pub(crate) fn and(self, other: Holds) -> Holds {
        self.min(other)
    }
    pub(crate) fn or(self, other: Holds) -> Holds {
        self.max(other)
    }
    fn from(b: bool) -> Holds {
        if b { Holds::Yes } else { Holds::No }
    }
}

/// Type variables bound to type variables …: nobody writes more.
const MAX_DEPTH: u32 = 16;

impl<'a> Lookup<'a, '_> {
    /// `sub` can be used as `sup` without conversion but widening. Of classes only the erasure is compared.
    pub(crate) fn is_subtype(&mut self, sub: Ty, sup: Ty) -> Holds {
        self.subtype(sub, sup, MAX_DEPTH)
    }

    fn subtype(&mut self, sub: Ty, sup: Ty, depth: u32) -> Holds {
        if sub == sup && sub != Ty::UNKNOWN {
            return Holds::Yes;
        }
        if depth == 0 {
            return Holds::Maybe;
        }
        let (data, ids) = (self.data, &self.data.ids);
        match (ids.kind(sub), ids.kind(sup)) {
            (TyKind::Unknown | TyKind::Lower(_) | TyKind::Any, _)
            | (_, TyKind::Unknown | TyKind::Any) => Holds::Maybe,
            (_, TyKind::Lower(bound)) => self.subtype(sub, *bound, depth - 1),
            (TyKind::Primitive(_), TyKind::Primitive(_)) => Holds::from(widens(sub, sup)),
            (TyKind::Primitive(_), _) | (_, TyKind::Primitive(_)) => Holds::No,
            (TyKind::Null, _) => Holds::Yes,
            (_, TyKind::Null) => Holds::No,
            (_, TyKind::Class { def, .. }) if *def == data.known.object => Holds::Yes,
            (_, TyKind::Intersection(parts)) => {
                let mut out = Holds::Yes;
                for &part in parts {
                    out = out.and(self.subtype(sub, part, depth - 1));
                }
                out
            }
            (TyKind::Intersection(parts), _) => {
                let mut out = Holds::No;
                for &part in parts {
                    out = out.or(self.subtype(part, sup, depth - 1));
                }
                out
            }
            // A method's own variable will be inferred: what fits its bounds fits it.
            (_, TyKind::MethodVar { owner, .. }) => {
                if self.inferring != Some(*owner) && self.in_method(*owner) {
                    // Within the method itself it is fixed: only what is bound by it is it.
                    let mut out = Holds::No;
                    if let kind @ (TyKind::ClassVar { .. } | TyKind::MethodVar { .. }) =
                        ids.kind(sub)
                    {
                        for &bound in data.bounds(kind) {
                            out = out.or(self.subtype(bound, sup, depth - 1));
                        }
                    }
                    return out;
                }
                let mut out = Holds::Yes;
                for &bound in data.bounds(ids.kind(sup)) {
                    out = out.and(self.subtype(sub, bound, depth - 1));
                }
                out
            }
            (TyKind::ClassVar { .. } | TyKind::MethodVar { .. }, _) => {
                let bounds = data.bounds(ids.kind(sub));
                // A variable of an enclosing declaration stands only for itself and what its bounds are.
                let mut out = Holds::No;
                if let TyKind::ClassVar { owner, .. } = ids.kind(sup)
                    && !self.frames.iter().any(|f| f.def == *owner)
                {
                    out = Holds::Maybe;
                }
                for &bound in bounds {
                    out = out.or(self.subtype(bound, sup, depth - 1));
                }
                out
            }
            // A variable of a class that is not around this place stands for something, but nobody said what.
            (_, TyKind::ClassVar { owner, .. }) => {
                let here = self.frames.iter().any(|f| f.def == *owner);
                if here { Holds::No } else { Holds::Maybe }
            }

            (TyKind::Array(a), TyKind::Array(b)) => {
                if a.is_primitive() || b.is_primitive() {
                    return if *a == Ty::UNKNOWN || *b == Ty::UNKNOWN {
                        Holds::Maybe
                    } else {
                        Holds::from(a == b)
                    };
                }
                self.subtype(*a, *b, depth - 1)
            }
            (TyKind::Array(_), TyKind::Class { def, .. }) => {
                Holds::from(*def == data.known.cloneable || *def == data.known.serializable)
            }
            (TyKind::Class { .. }, TyKind::Array(_)) => Holds::No,
            (TyKind::Class { def: a, args: x }, TyKind::Class { def: b, args: y }) => {
                // `Box<?>` is no `Box<Object>`; it may be a `Box<? extends Bound>`, which is read as `Box<Bound>`.
                if a == b && !x.is_empty() {
                    let any = |t: &Ty| matches!(ids.kind(*t), TyKind::Any);
                    let mut pairs = x.iter().zip(y).filter(|(x, y)| any(x) && !any(y));
                    if pairs.any(|(_, y)| *y == data.object()) {
                        return Holds::No;
                    }
                }
                let holds = self.is_subclass(*a, *b);
                if holds == Holds::Yes && self.compare_arguments && !y.is_empty() {
                    return self.contained(sub, *b, y, depth - 1);
                }
                holds
            }
        }
    }

    /// Whether the type arguments of `sub`, as an instance of its supertype `def`, can be `wanted`: no if one is
    /// certainly none of what is wanted. `? extends T` and `T` are not told apart.
    fn contained(&mut self, sub: Ty, def: TypeId, wanted: &[Ty], depth: u32) -> Holds {
        let ids = &self.data.ids;
        let found = self.as_super(sub, def).and_then(|t| ids.as_class(t));
        let Some((_, args)) = found else {
            return Holds::Yes;
        };
        for (&arg, &wanted) in args.iter().zip(wanted) {
            let known = |kind: &TyKind| matches!(kind, TyKind::Class { .. } | TyKind::Array(_));
            if (known(ids.kind(arg)) || self.is_in_scope(arg))
                && known(ids.kind(wanted))
                && self.subtype(arg, wanted, depth) == Holds::No
            {
                return Holds::No;
            }
        }
        Holds::Yes
    }

    /// By declarations, without arguments.
    pub(crate) fn is_subclass(&mut self, sub: TypeId, sup: TypeId) -> Holds {
        if sub == sup {
            return Holds::Yes;
        }
        let data = self.data;
        let closure = self.closure(sub);
        if closure
            .types
            .iter()
            .any(|&t| data.ids.as_class(t).is_some_and(|(d, _)| d == sup))
        {
            return Holds::Yes;
        }
        if data.header(sup).is_some_and(|h| {
            h.modifiers.has(Modifiers::FINAL)
                || matches!(h.kind, TypeDeclKind::Enum | TypeDeclKind::Record)
        }) {
            return Holds::No;
        }
        // A library knows nothing of the workspace: an unknown class below it is no subtype of a workspace type
        // that is not among what its known part says.
        if closure.opaque
            && (data.ids.is_library(sup)
                || !data.ids.is_library(sub) && self.unknown_source_above(sub))
        {
            return Holds::Maybe;
        }
        Holds::No
    }

    /// True if some supertype could not be found at all, and may be a type that is not read yet.
    fn unknown_source_above(&mut self, def: TypeId) -> bool {
        let data = self.data;
        data.closure(def)
            .types
            .iter()
            .filter_map(|&t| data.ids.as_class(t))
            .any(|(d, _)| {
                data.supertypes(d).is_some_and(|s| {
                    s.superclass == Some(Ty::UNKNOWN) || s.interfaces.contains(&Ty::UNKNOWN)
                })
            })
    }

    /// True for a type variable of a declaration around this place.
    pub(crate) fn is_in_scope(&self, ty: Ty) -> bool {
        match self.data.ids.kind(ty) {
            TyKind::ClassVar { owner, .. } => self.frames.iter().any(|f| f.def == *owner),
            TyKind::MethodVar { owner, .. } => self.in_method(*owner),
            _ => false,
        }
    }

    /// The capture of a class type, as far as reading needs it: `?` becomes what its type parameter is bound by, seen
    /// from the class itself, which may say more than the class that declares a member (JLS 5.1.10).
    pub(crate) fn captured(&mut self, ty: Ty) -> Ty {
        let data = self.data;
        let Some((def, args)) = data.ids.as_class(ty) else {
            return ty;
        };
        let any = |&a: &Ty| matches!(data.ids.kind(a), TyKind::Any);
        if !args.iter().any(any) {
            return ty;
        }
        let Some(header) = data.header(def) else {
            return ty;
        };
        let new: Vec<Ty> = args
            .iter()
            .zip(&header.params)
            .map(|(&arg, param)| match param.bounds.first() {
                Some(&bound) if any(&arg) && bound != data.object() => {
                    data.instantiate(bound, def, args)
                }
                _ => arg,
            })
            .collect();
        if new.len() == args.len() {
            data.ids.class(def, &new)
        } else {
            ty
        }
    }

    /// `ty` as an instance of its supertype `def`.
    pub(crate) fn as_super(&mut self, ty: Ty, def: TypeId) -> Option<Ty> {
        let data = self.data;
        for site in self.sites(ty) {
            let Some((own, args)) = data.ids.as_class(site) else {
                continue;
            };
            if own == def {
                return Some(site);
            }
            let closure = self.closure(own);
            let found = closure
                .types
                .iter()
                .copied()
                .find(|&t| data.ids.as_class(t).is_some_and(|(d, _)| d == def));
            if let Some(found) = found {
                return Some(data.instantiate(found, own, args));
            }
        }
        None
    }

    /// The class types whose members a value of type `ty` has.
    pub(crate) fn sites(&mut self, ty: Ty) -> Vec<Ty> {
        let data = self.data;
        let mut out = Vec::new();
        let mut work = vec![(ty, MAX_DEPTH)];
        while let Some((ty, depth)) = work.pop() {
            match data.ids.kind(ty) {
                TyKind::Class { .. } => out.push(ty),
                TyKind::Array(_) => out.push(data.object()),
                TyKind::Intersection(parts) if depth > 0 => {
                    work.extend(parts.iter().rev().map(|&p| (p, depth - 1)));
                }
                kind @ (TyKind::ClassVar { .. } | TyKind::MethodVar { .. }) if depth > 0 => {
                    let bounds = data.bounds(kind);
                    if bounds.is_empty() {
                        out.push(data.object());
                    }
                    work.extend(bounds.iter().rev().map(|&b| (b, depth - 1)));
                }
                _ => {}
            }
        }
        out
    }

    /// A member's type as seen through `site`, an instance of the class `def` that declares it.
    pub(crate) fn member_ty(&mut self, ty: Ty, site: Ty) -> Ty {
        let data = self.data;
        match data.ids.as_class(site) {
            Some((def, args)) if args.is_empty() && data.type_param_count(def) > 0 => {
                data.erase(ty)
            }
            Some((def, args)) => data.instantiate(ty, def, args),
            None => ty,
        }
    }

    /// Like [`Self::member_ty`], for a value that is read: of a wildcard, what the type parameter is bound by.
    pub(crate) fn read_ty(&mut self, ty: Ty, site: Ty) -> Ty {
        let out = self.member_ty(ty, site);
        match self.data.ids.kind(out) {
            TyKind::Any | TyKind::Lower(_) => match self.data.bounds(self.data.ids.kind(ty)) {
                [] => self.data.object(),
                [bound, ..] => self.data.erase(*bound),
            },
            _ => out,
        }
    }

    /// True in the code of that method.
    fn in_method(&self, method: MethodId) -> bool {
        let file = self.scope.file;
        let of = |f: &Frame| f.method.map(|m| file.methods[f.index as usize][m as usize]);
        self.frames.iter().any(|f| of(f) == Some(method))
    }

    pub(crate) fn boxed(&self, ty: Ty) -> Ty {
        if !ty.is_primitive() {
            return ty;
        }
        let at = (ty.0 - Ty::BOOLEAN.0) as usize;
        self.data.ids.class(self.data.known.boxes[at], &[])
    }

    /// The primitive type of a box, or `ty` itself.
    pub(crate) fn unboxed(&self, ty: Ty) -> Ty {
        match self.data.ids.as_class(ty) {
            Some((def, _)) => match self.data.known.boxes.iter().position(|&b| b == def) {
                Some(at) => Ty(Ty::BOOLEAN.0 + at as u32),
                None => ty,
            },
            None => ty,
        }
    }

    /// Like [`Self::is_subtype`], with boxing and unboxing (a loose invocation context).
    pub(crate) fn is_convertible(&mut self, from: Ty, to: Ty) -> Holds {
        let strict = self.is_subtype(from, to);
        if strict != Holds::No {
            return strict;
        }
        if from.is_primitive() {
            let boxed = self.boxed(from);
            return self.is_subtype(boxed, to);
        }
        if to.is_primitive() {
            let unboxed = self.unboxed(from);
            if unboxed.is_primitive() {
                return Holds::from(unboxed == to || widens(unboxed, to));
            }
            // A variable bound by a box, or a class of which only a supertype is known, is rare enough.
            if matches!(
                self.data.ids.kind(from),
                TyKind::ClassVar { .. } | TyKind::MethodVar { .. }
            ) {
                for bound in self.sites(from) {
                    let unboxed = self.unboxed(bound);
                    if unboxed.is_primitive() {
                        return Holds::from(unboxed == to || widens(unboxed, to));
                    }
                }
            }
        }
        Holds::No
    }

    /// What two reference types have in common (JLS 4.10.4): the classes and interfaces that both are and that are below
    /// all others that both are. Unknown if supertypes of one are.
    pub(crate) fn common_supertype(&mut self, a: Ty, b: Ty) -> Ty {
        self.common_within(a, b, 2)
    }

    fn common_within(&mut self, a: Ty, b: Ty, depth: u32) -> Ty {
        let data = self.data;
        if a == b {
            return a;
        }
        if let (Some(x), Some(y)) = (data.ids.element(a), data.ids.element(b)) {
            if x.is_primitive() || y.is_primitive() || depth == 0 {
                return Ty::UNKNOWN;
            }
            return match self.common_within(x, y, depth - 1) {
                Ty::UNKNOWN => Ty::UNKNOWN,
                element => data.ids.array(element),
            };
        }
        let class = |t: Ty| data.ids.as_class(t).map(|c| c.0);
        let mut all: [Vec<TypeId>; 2] = [Vec::new(), Vec::new()];
        for (of, out) in [a, b].into_iter().zip(&mut all) {
            for site in self.sites(of) {
                let Some(def) = class(site) else {
                    return Ty::UNKNOWN;
                };
                let closure = self.closure(def);
                if closure.opaque {
                    return Ty::UNKNOWN;
                }
                out.extend(closure.types.iter().filter_map(|&t| class(t)));
            }
        }
        let [of, others] = all;
        let mut shared: Vec<TypeId> = Vec::new();
        for def in of {
            if def != data.known.object && others.contains(&def) && !shared.contains(&def) {
                shared.push(def);
            }
        }
        let above = |of: TypeId, def: TypeId| {
            let types = &data.closure(of).types;
            of != def && types.iter().any(|&t| class(t) == Some(def))
        };
        let lowest: Vec<TypeId> = shared
            .iter()
            .copied()
            .filter(|&d| !shared.iter().any(|&s| above(s, d)))
            .collect();
        if lowest.is_empty() {
            return if others.is_empty() {
                Ty::UNKNOWN
            } else {
                data.object()
            };
        }
        let mut parts = Vec::new();
        for def in lowest {
            let part = match (self.as_super(a, def), self.as_super(b, def)) {
                (Some(x), Some(y)) if x == y => x,
                (Some(x), Some(y)) => {
                    let (Some((_, x)), Some((_, y))) = (data.ids.as_class(x), data.ids.as_class(y))
                    else {
                        return Ty::UNKNOWN;
                    };
                    let mut args = Vec::new();
                    for (&x, &y) in x.iter().zip(y) {
                        args.push(match () {
                            () if x == y => x,
                            () if x == Ty::UNKNOWN || y == Ty::UNKNOWN => Ty::UNKNOWN,
                            () if depth == 0 => data.ids.ty(TyKind::Any),
                            () => match self.common_within(x, y, depth - 1) {
                                Ty::UNKNOWN => data.ids.ty(TyKind::Any),
                                common => common,
                            },
                        });
                    }
                    let args = if x.len() == y.len() { &args[..] } else { &[] };
                    data.ids.class(def, args)
                }
                _ => return Ty::UNKNOWN,
            };
            parts.push(part);
        }
        data.ids.intersection(&parts)
    }

    /// A type that a member found by its simple name mentions: type parameters of a class that a class around this place
    /// inherits from stand for what it inherits them as (`T` of `Outer<T>` within `Sub extends Outer<String>`).
    pub(crate) fn inherited(&self, ty: Ty) -> Ty {
        let data = self.data;
        data.ids.replace(ty, &mut |var| {
            let TyKind::ClassVar { owner, index } = var else {
                return None;
            };
            for frame in &self.frames {
                if frame.def == *owner {
                    return None;
                }
                let mut types = data.closure(frame.def).types.iter();
                let found = types.find_map(|&t| data.ids.as_class(t).filter(|c| c.0 == *owner));
                if let Some((_, args)) = found {
                    return args.get(usize::from(*index)).copied();
                }
            }
            None
        })
    }

    /// What is left of a type outside of the declarations whose variables it mentions: the others are not known.
    pub(crate) fn without_foreign_variables(&mut self, ty: Ty) -> Ty {
        let (data, look) = (self.data, &*self);
        data.ids.replace(ty, &mut |var| match var {
            TyKind::ClassVar { owner, .. } if look.frames.iter().any(|f| f.def == *owner) => None,
            TyKind::MethodVar { owner, .. } if look.in_method(*owner) => None,
            _ => Some(Ty::UNKNOWN),
        })
    }
}

/// Widening primitive conversion (JLS 5.1.2), or the same.
pub(crate) fn widens(from: Ty, to: Ty) -> bool {
    if from == to {
        return true;
    }
    match from {
        Ty::BYTE => matches!(to, Ty::SHORT | Ty::INT | Ty::LONG | Ty::FLOAT | Ty::DOUBLE),
        Ty::SHORT | Ty::CHAR => matches!(to, Ty::INT | Ty::LONG | Ty::FLOAT | Ty::DOUBLE),
        Ty::INT => matches!(to, Ty::LONG | Ty::FLOAT | Ty::DOUBLE),
        Ty::LONG => matches!(to, Ty::FLOAT | Ty::DOUBLE),
        Ty::FLOAT => to == Ty::DOUBLE,
        _ => false,
    }
}

/// Binary numeric promotion (JLS 5.6) of two numeric types.
pub(crate) fn promoted(a: Ty, b: Ty) -> Ty {
    a.max(b).max(Ty::INT)
}
