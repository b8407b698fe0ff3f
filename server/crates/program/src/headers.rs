//! From declarations as written to resolved supertypes and signatures.
//!
//! Supertypes come first, for all types at once and in rounds: what a class extends may be a member type that its
//! outer class inherits. A round reads the supertypes that the round before found, so there is no recursion and no
//! order; almost always the second round changes nothing more. Signatures follow, type by type.

use crate::declarations::TypeDeclKind;
use crate::header::{Closure, FieldSignature, Header, MethodSignature, Supertypes, TypeParam};
use crate::ids::{FileId, TypeId};
use crate::lookup::{FileScope, Lookup};
use crate::snapshot::Snapshot;
use crate::table::Table;
use crate::types::{Ty, TyKind};
use rayon::prelude::*;
use std::sync::Arc;

/// Member types inherited by outer classes that are inherited by outer classes …: real code needs two rounds.
const MAX_ROUNDS: usize = 6;

/// Fills `supertypes` and `closures` for every type of the workspace.
pub(crate) fn resolve_supertypes(data: &mut Snapshot) {
    data.supertypes = Table::default();
    data.closures = Table::default();
    let files: Vec<FileId> = data.order.to_vec();
    for _ in 0..MAX_ROUNDS {
        let snapshot = &*data;
        let found: Vec<Vec<(TypeId, Supertypes)>> = files
            .par_iter()
            .map(|&file| supertypes_of_file(snapshot, file))
            .collect();
        let mut changed = false;
        for (def, supers) in found.into_iter().flatten() {
            if data.supertypes.get(def.ix()).map(|s| &**s) != Some(&supers) {
                data.supertypes.set(def.ix(), Arc::new(supers));
                changed = true;
            }
        }
        if !changed {
            break;
        }
        let snapshot = &*data;
        let closures: Vec<(TypeId, Closure)> = files
            .par_iter()
            .filter_map(|&f| snapshot.file(f))
            .flat_map_iter(|f| {
                f.types
                    .iter()
                    .map(|&def| (def, snapshot.compute_closure(def)))
            })
            .collect();
        for (def, closure) in closures {
            data.closures.set(def.ix(), Arc::new(closure));
        }
    }
}

/// True if the types of `files` extend what they extended, given that no type elsewhere changed.
pub(crate) fn supertypes_stay(data: &Snapshot, files: impl Iterator<Item = FileId>) -> bool {
    let found = files.flat_map(|file| supertypes_of_file(data, file));
    let mut found = found.map(|(def, supers)| data.supertypes(def) == Some(&supers));
    found.all(|stays| stays)
}

fn supertypes_of_file(data: &Snapshot, file: FileId) -> Vec<(TypeId, Supertypes)> {
    let Some(file) = data.file(file) else {
        return Vec::new();
    };
    let mut scope = FileScope::new(data, file);
    (0..file.types.len())
        .map(|at| (file.types[at], supertypes_of(data, &mut scope, at as u32)))
        .collect()
}

fn supertypes_of<'a>(data: &'a Snapshot, scope: &mut FileScope<'a>, at: u32) -> Supertypes {
    let file = scope.file;
    let decl = &file.summary.types[at as usize];
    let me = file.types[at as usize];
    let ids = &data.ids;
    let nothing_written = decl.superclass.is_none() && decl.interfaces.is_empty();
    let plain = matches!(decl.kind, TypeDeclKind::Class | TypeDeclKind::Interface);
    if nothing_written && plain && !decl.name.is_empty() {
        // Most types: nothing to look up.
        return Supertypes {
            superclass: (decl.kind == TypeDeclKind::Class).then(|| data.object()),
            interfaces: Box::default(),
        };
    }
    let mut look = Lookup::new(scope, at, None);
    // The header of a class is outside of its body (JLS 8.5): its type parameters are in scope there, its member types
    // are not.
    look.hide_members_of(me);
    if decl.name.is_empty() && decl.enclosing_body.is_some() {
        // What stands after `new` is outside of the class.
        look.frames.remove(0);
        if decl.is_constant_body {
            let outer = decl
                .enclosing
                .map_or(Ty::UNKNOWN, |o| ids.class(file.types[o as usize], &[]));
            return Supertypes {
                superclass: Some(outer),
                interfaces: Box::default(),
            };
        }
        let mut created = decl.superclass.as_ref().map_or(Ty::UNKNOWN, |t| look.ty(t));
        if let Some((def, [])) = ids.as_class(created) {
            // `new Foo<>() {…}`: the arguments are not known; it is not raw.
            let unknown = vec![Ty::UNKNOWN; data.type_param_count(def)];
            created = ids.class(def, &unknown);
        }
        return match ids.as_class(created) {
            Some((def, _)) if data.is_interface(def) => Supertypes {
                superclass: Some(data.object()),
                interfaces: Box::new([created]),
            },
            _ => Supertypes {
                superclass: Some(created),
                interfaces: Box::default(),
            },
        };
    }
    let mut interfaces: Vec<Ty> = decl.interfaces.iter().map(|t| look.ty(t)).collect();
    let superclass = match decl.kind {
        TypeDeclKind::Interface => None,
        TypeDeclKind::Annotation => {
            interfaces.push(ids.class(data.known.annotation, &[]));
            None
        }
        TypeDeclKind::Enum => Some(ids.class(data.known.enum_, &[ids.class(me, &[])])),
        TypeDeclKind::Record => Some(ids.class(data.known.record, &[])),
        TypeDeclKind::Class => Some(
            decl.superclass
                .as_ref()
                .map_or_else(|| data.object(), |t| look.ty(t)),
        ),
    };
    // A type variable or an array is no supertype.
    let class_or_unknown = |ty: Ty| {
        if ids.as_class(ty).is_some() {
            ty
        } else {
            Ty::UNKNOWN
        }
    };
    Supertypes {
        superclass: superclass.map(class_or_unknown),
        interfaces: interfaces.into_iter().map(class_or_unknown).collect(),
    }
}

/// The header of the type `at` of the file of `scope`. Supertypes must be there.
pub(crate) fn resolve_header<'a>(scope: &mut FileScope<'a>, at: u32) -> Header {
    let (data, file) = (scope.data, scope.file);
    let ids = &data.ids;
    let decl = &file.summary.types[at as usize];
    let me = file.types[at as usize];
    let mut look = Lookup::new(scope, at, None);
    for frame in look.frames.clone() {
        look.note_type(frame.def);
    }
    let params = decl
        .type_params
        .iter()
        .map(|p| TypeParam {
            name: ids.symbol(&p.name),
            bounds: p.bounds.iter().map(|b| look.ty(b)).collect(),
        })
        .collect();
    let fields = decl
        .fields
        .iter()
        .zip(&file.fields[at as usize])
        .map(|(f, &id)| FieldSignature {
            name: ids.symbol(&f.name),
            id,
            in_workspace: true,
            ty: if f.enum_constant {
                ids.class(me, &[])
            } else {
                look.ty(&f.ty)
            },
            modifiers: f.modifiers,
        })
        .collect();
    let methods = decl
        .methods
        .iter()
        .zip(&file.methods[at as usize])
        .enumerate()
        .map(|(m, (decl, &id))| {
            look.frames[0].method = Some(m as u32);
            MethodSignature {
                name: ids.symbol(&decl.name),
                id,
                params: decl.params.iter().map(|p| look.ty(&p.ty)).collect(),
                varargs: decl.varargs,
                ret: look.ty(&decl.return_ty),
                type_params: decl
                    .type_params
                    .iter()
                    .map(|p| p.bounds.iter().map(|b| look.ty(b)).collect())
                    .collect(),
                modifiers: decl.modifiers,
            }
        })
        .collect();
    Header::new(
        decl.kind,
        decl.modifiers,
        params,
        fields,
        methods,
        look.noted(),
    )
}

impl Snapshot {
    /// The bounds of a type variable; empty means `Object`.
    pub(crate) fn bounds(&self, var: &TyKind) -> &[Ty] {
        match var {
            TyKind::ClassVar { owner, index } => self
                .header(*owner)
                .and_then(|h| h.params.get(usize::from(*index)))
                .map_or(&[], |p| &p.bounds),
            TyKind::MethodVar { owner, index } => self
                .signature(*owner)
                .and_then(|s| s.type_params.get(usize::from(*index)))
                .map_or(&[], |b| b),
            _ => &[],
        }
    }

    /// The erasure (JLS 4.6). What is not known stays so.
    pub(crate) fn erase(&self, ty: Ty) -> Ty {
        let (mut ty, mut dimensions) = (ty, 0);
        // A variable may be bound by a variable; cyclic declarations end as `Object`.
        for _ in 0..16 {
            match self.ids.kind(ty) {
                kind @ (TyKind::ClassVar { .. } | TyKind::MethodVar { .. }) => {
                    ty = self
                        .bounds(kind)
                        .first()
                        .copied()
                        .unwrap_or_else(|| self.object());
                }
                TyKind::Array(element) => {
                    ty = *element;
                    dimensions += 1;
                }
                TyKind::Intersection(parts) => match parts.first() {
                    Some(&first) => ty = first,
                    None => break,
                },
                _ => break,
            }
        }
        ty = match self.ids.kind(ty) {
            TyKind::Class { def, args } if !args.is_empty() => self.ids.class(*def, &[]),
            TyKind::Lower(_) | TyKind::Any => Ty::UNKNOWN,
            TyKind::Intersection(_) => self.object(),
            TyKind::ClassVar { .. } | TyKind::MethodVar { .. } => self.object(),
            _ => ty,
        };
        if ty == Ty::UNKNOWN {
            return ty;
        }
        for _ in 0..dimensions {
            ty = self.ids.array(ty);
        }
        ty
    }
}
