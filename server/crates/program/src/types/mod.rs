//! Types of expressions and declarations, light but sound: what is not known is [`Ty::UNKNOWN`], never a guess.
//!
//! A [`Ty`] is a number in a table of distinct types, so comparing is cheap and an expression's type takes four
//! bytes. Wildcards are kept only as far as reading needs them: `? extends T` is `T`, `? super T` is
//! [`TyKind::Lower`], `?` is [`TyKind::Any`]. Left out on purpose: capture, inference by constraints.

pub(crate) mod library;
pub(crate) mod relations;

use crate::ids::{Ids, MethodId, TypeId};
use flow::Primitive;

/// A type, as a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Ty(pub(crate) u32);

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TyKind {
    /// Not known; compatible with everything.
    Unknown,
    /// The type of `null`.
    Null,
    Primitive(Primitive),
    /// A class or interface. Without arguments it is not generic, or raw.
    Class {
        def: TypeId,
        args: Box<[Ty]>,
    },
    Array(Ty),
    /// A type parameter of a class.
    ClassVar {
        owner: TypeId,
        index: u16,
    },
    /// A type parameter of a method.
    MethodVar {
        owner: MethodId,
        index: u16,
    },
    /// Several classes and interfaces at once: of a cast, a bound, or what two types have in common.
    Intersection(Box<[Ty]>),
    /// `? super T`, as a type argument only.
    Lower(Ty),
    /// `?`, as a type argument only.
    Any,
}

/// With how many types a type may be written; what is longer is not known. Types are shared in the table, but read as if
/// they were written out: without a bound `C<T> extends D<P<T, T>>`, some forty times in a row, would never be read.
const MAX_SIZE: u32 = 500;

/// The types that every table begins with, in order of their numbers.
const FIRST: [TyKind; 11] = [
    TyKind::Unknown,
    TyKind::Null,
    TyKind::Primitive(Primitive::Void),
    TyKind::Primitive(Primitive::Boolean),
    TyKind::Primitive(Primitive::Byte),
    TyKind::Primitive(Primitive::Short),
    TyKind::Primitive(Primitive::Char),
    TyKind::Primitive(Primitive::Int),
    TyKind::Primitive(Primitive::Long),
    TyKind::Primitive(Primitive::Float),
    TyKind::Primitive(Primitive::Double),
];

#[allow(missing_docs)]
impl Ty {
    pub const UNKNOWN: Ty = Ty(0);
    pub const NULL: Ty = Ty(1);
    pub const VOID: Ty = Ty(2);
    pub const BOOLEAN: Ty = Ty(3);
    pub const BYTE: Ty = Ty(4);
    pub const SHORT: Ty = Ty(5);
    pub const CHAR: Ty = Ty(6);
    pub const INT: Ty = Ty(7);
    pub const LONG: Ty = Ty(8);
    pub const FLOAT: Ty = Ty(9);
    pub const DOUBLE: Ty = Ty(10);

    pub(crate) fn primitive(p: Primitive) -> Ty {
        match p {
            Primitive::Void => Ty::VOID,
            Primitive::Boolean => Ty::BOOLEAN,
            Primitive::Byte => Ty::BYTE,
            Primitive::Short => Ty::SHORT,
            Primitive::Char => Ty::CHAR,
            Primitive::Int => Ty::INT,
            Primitive::Long => Ty::LONG,
            Primitive::Float => Ty::FLOAT,
            Primitive::Double => Ty::DOUBLE,
        }
    }
    /// True for `boolean` to `double`, not for `void`.
    pub fn is_primitive(self) -> bool {
        (Ty::BOOLEAN.0..=Ty::DOUBLE.0).contains(&self.0)
    }
    /// True for `byte` to `double`.
    pub fn is_numeric(self) -> bool {
        (Ty::BYTE.0..=Ty::DOUBLE.0).contains(&self.0)
    }
}

impl Ids {
    /// Enters what must have fixed numbers; called once, before anything else.
    pub(crate) fn with_first_types() -> Ids {
        let ids = Ids::default();
        for (at, kind) in FIRST.iter().enumerate() {
            let number = ids.tys.intern(kind.clone());
            debug_assert_eq!(number as usize, at);
        }
        ids
    }
    pub(crate) fn ty(&self, kind: TyKind) -> Ty {
        let parts = match &kind {
            TyKind::Class { args: parts, .. } | TyKind::Intersection(parts) => &parts[..],
            TyKind::Array(part) | TyKind::Lower(part) => std::slice::from_ref(part),
            _ => &[],
        };
        if parts.is_empty() {
            return Ty(self.tys.intern(kind));
        }
        let size = parts
            .iter()
            .fold(1_u32, |all, &part| all.saturating_add(self.size(part)));
        if size > MAX_SIZE {
            return match kind {
                // Its members are known still.
                TyKind::Class { def, args } if args.len() < MAX_SIZE as usize => {
                    self.class(def, &vec![Ty::UNKNOWN; args.len()])
                }
                _ => Ty::UNKNOWN,
            };
        }
        let number = self.tys.intern(kind);
        // Whoever gets the number has seen to it that its size is there.
        self.sizes.cell(number).get_or_init(|| size);
        Ty(number)
    }
    /// With how many types it is written.
    fn size(&self, ty: Ty) -> u32 {
        self.sizes.cell(ty.0).get().copied().unwrap_or(1)
    }
    pub(crate) fn kind(&self, ty: Ty) -> &TyKind {
        self.tys.get(ty.0)
    }
    pub(crate) fn class(&self, def: TypeId, args: &[Ty]) -> Ty {
        self.ty(TyKind::Class {
            def,
            args: args.into(),
        })
    }
    pub(crate) fn array(&self, element: Ty) -> Ty {
        self.ty(TyKind::Array(element))
    }
    /// What is all of `parts`; without repetitions, and one part alone is itself.
    pub(crate) fn intersection(&self, parts: &[Ty]) -> Ty {
        let mut all: Vec<Ty> = Vec::new();
        for &part in parts {
            match self.kind(part) {
                TyKind::Unknown => return Ty::UNKNOWN,
                TyKind::Intersection(inner) => all.extend(inner.iter().copied()),
                _ => all.push(part),
            }
        }
        let mut seen = Vec::new();
        all.retain(|&p| {
            let new = !seen.contains(&p);
            seen.push(p);
            new
        });
        match all.as_slice() {
            [] => Ty::UNKNOWN,
            [only] => *only,
            _ => self.ty(TyKind::Intersection(all.into())),
        }
    }
    /// The class and its arguments.
    pub(crate) fn as_class(&self, ty: Ty) -> Option<(TypeId, &[Ty])> {
        match self.kind(ty) {
            TyKind::Class { def, args } => Some((*def, args)),
            _ => None,
        }
    }
    pub(crate) fn element(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            TyKind::Array(element) => Some(*element),
            _ => None,
        }
    }

    /// Replaces type variables by what `of` gives for them. Where `of` says `None` the variable stays.
    pub(crate) fn replace(&self, ty: Ty, of: &mut dyn FnMut(&TyKind) -> Option<Ty>) -> Ty {
        self.replace_within(ty, of, 40)
    }

    fn replace_within(&self, ty: Ty, of: &mut dyn FnMut(&TyKind) -> Option<Ty>, depth: u32) -> Ty {
        if depth == 0 {
            return Ty::UNKNOWN;
        }
        match self.kind(ty) {
            kind @ (TyKind::ClassVar { .. } | TyKind::MethodVar { .. }) => of(kind).unwrap_or(ty),
            TyKind::Array(element) => {
                let new = self.replace_within(*element, of, depth - 1);
                match self.kind(new) {
                    _ if new == *element => ty,
                    // An array whose element is not known is not known either: `T[]` may be `int[][]`.
                    TyKind::Unknown | TyKind::Lower(_) | TyKind::Any => Ty::UNKNOWN,
                    _ => self.array(new),
                }
            }
            TyKind::Lower(bound) => {
                let new = self.replace_within(*bound, of, depth - 1);
                match self.kind(new) {
                    _ if new == *bound => ty,
                    TyKind::Unknown => Ty::UNKNOWN,
                    TyKind::Lower(_) | TyKind::Any => new,
                    _ => self.ty(TyKind::Lower(new)),
                }
            }
            TyKind::Intersection(parts) => {
                let new: Vec<Ty> = parts
                    .iter()
                    .map(|&p| self.replace_within(p, of, depth - 1))
                    .collect();
                if *new == **parts {
                    ty
                } else {
                    self.intersection(&new)
                }
            }
            TyKind::Class { def, args } if !args.is_empty() => {
                let new: Box<[Ty]> = args
                    .iter()
                    .map(|&a| self.replace_within(a, of, depth - 1))
                    .collect();
                if new == *args {
                    ty
                } else {
                    self.ty(TyKind::Class {
                        def: *def,
                        args: new,
                    })
                }
            }
            _ => ty,
        }
    }

    /// What can be read from a place of this type, as far as the wildcard itself says it.
    pub(crate) fn upper(&self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TyKind::Lower(_) | TyKind::Any => Ty::UNKNOWN,
            _ => ty,
        }
    }
    /// What can be given to a place of this type.
    pub(crate) fn lower(&self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TyKind::Lower(bound) => *bound,
            TyKind::Any => Ty::UNKNOWN,
            _ => ty,
        }
    }
}
