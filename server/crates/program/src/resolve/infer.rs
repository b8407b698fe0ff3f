//! Inference of a generic method's type parameters, from its arguments only (a simple part of JLS 18).

use super::members::Overload;
use crate::ids::{MethodId, TypeId};
use crate::lookup::Lookup;
use crate::types::relations::Holds;
use crate::types::{Ty, TyKind};
use smallvec::SmallVec;

/// What the type parameters of a method, and of a class that is created with `<>`, stand for.
#[derive(Debug)]
pub(crate) struct Bindings {
    method: MethodId,
    class: Option<TypeId>,
    /// Those of the method, then those of the class. `None`: nothing said yet.
    of: SmallVec<[Option<Ty>; 4]>,
    /// What each must be a subtype of: what it stands for where nothing else is said.
    above: SmallVec<[Option<Ty>; 4]>,
    of_method: usize,
    /// The method's are written, so nothing is inferred for them.
    written: bool,
}

impl Bindings {
    /// Takes the type arguments that the call writes; of a wrong number none.
    pub(crate) fn write(&mut self, args: &[Ty]) {
        if args.len() == self.of_method && !args.is_empty() {
            for (slot, &arg) in self.of.iter_mut().zip(args) {
                *slot = Some(arg);
            }
            self.written = true;
        }
    }

    /// True if of some type parameter nothing is known yet.
    pub(crate) fn any_open(&self) -> bool {
        (0..self.of.len()).any(|at| self.value(at).is_none())
    }

    fn value(&self, at: usize) -> Option<Ty> {
        self.of[at].or(self.above[at])
    }

    /// True if `var` is a type parameter of which nothing is known yet.
    pub(crate) fn is_open(&self, var: &TyKind) -> bool {
        self.slot(var).is_some_and(|at| self.value(at).is_none())
    }

    fn slot(&self, var: &TyKind) -> Option<usize> {
        let at = match var {
            TyKind::MethodVar { owner, index } if *owner == self.method => usize::from(*index),
            TyKind::ClassVar { owner, index } if Some(*owner) == self.class => {
                self.of_method + usize::from(*index)
            }
            _ => return None,
        };
        (at < self.of.len()).then_some(at)
    }
}

impl<'a> Lookup<'a, '_> {
    pub(crate) fn bindings(&self, overload: &Overload<'a>, class: Option<TypeId>) -> Bindings {
        let of_method = overload.signature.type_params.len();
        let of_class = class.map_or(0, |c| self.data.type_param_count(c));
        Bindings {
            method: overload.signature.id,
            class,
            of: SmallVec::from_elem(None, of_method + of_class),
            above: SmallVec::from_elem(None, of_method + of_class),
            of_method,
            written: false,
        }
    }

    /// Learns from the type that the context of a call asks for; `ret` is what the method returns. Only what nothing
    /// is known of yet.
    pub(crate) fn learn_target(&mut self, bindings: &mut Bindings, ret: Ty, target: Ty) {
        const DEPTH: u32 = 8;
        let data = self.data;
        let mut work = vec![(ret, target, DEPTH)];
        while let Some((formal, target, depth)) = work.pop() {
            let target = data.ids.lower(target);
            if depth == 0 || target == Ty::UNKNOWN || target == Ty::VOID || target == Ty::NULL {
                continue;
            }
            match data.ids.kind(formal) {
                kind @ (TyKind::MethodVar { .. } | TyKind::ClassVar { .. }) => {
                    let Some(slot) = bindings.slot(kind) else {
                        continue;
                    };
                    if depth == DEPTH {
                        // The parameter itself may be any subtype of what is asked for.
                        if bindings.is_open(kind) {
                            bindings.above[slot] = Some(self.boxed(target));
                        }
                    } else if bindings.of[slot].is_none() {
                        bindings.of[slot] = Some(self.boxed(target));
                    }
                }
                TyKind::Lower(bound) => work.push((*bound, target, depth - 1)),
                TyKind::Array(element) => {
                    if let Some(of) = data.ids.element(target) {
                        work.push((*element, of, depth - 1));
                    }
                }
                TyKind::Class { args, .. } if !args.is_empty() => {
                    let Some((wanted, of)) = data.ids.as_class(target) else {
                        continue;
                    };
                    if let Some(found) = self.as_super(formal, wanted)
                        && let Some((_, args)) = data.ids.as_class(found)
                    {
                        work.extend(args.iter().zip(of).map(|(&f, &a)| (f, a, depth - 1)).rev());
                    }
                }
                _ => {}
            }
        }
    }

    /// Learns from an argument of type `actual` for a parameter of type `formal`.
    pub(crate) fn learn(&mut self, bindings: &mut Bindings, formal: Ty, actual: Ty) {
        if bindings.of.is_empty() {
            return;
        }
        let data = self.data;
        let mut work = vec![(formal, actual, 12u32)];
        while let Some((formal, actual, depth)) = work.pop() {
            if depth == 0 {
                continue;
            }
            match data.ids.kind(formal) {
                kind @ (TyKind::MethodVar { .. } | TyKind::ClassVar { .. }) => {
                    let Some(slot) = bindings.slot(kind) else {
                        continue;
                    };
                    if actual == Ty::NULL || bindings.written && slot < bindings.of_method {
                        continue;
                    }
                    let actual = self.boxed(data.ids.lower(actual));
                    bindings.of[slot] = Some(match bindings.of[slot] {
                        None => actual,
                        Some(known) if known == actual => known,
                        Some(known) => {
                            if self.is_subtype(actual, known) == Holds::Yes {
                                known
                            } else if self.is_subtype(known, actual) == Holds::Yes {
                                actual
                            } else {
                                self.common_supertype(known, actual)
                            }
                        }
                    });
                }
                TyKind::Lower(bound) => work.push((*bound, data.ids.lower(actual), depth - 1)),
                TyKind::Array(element) => {
                    if let Some(of) = data.ids.element(actual) {
                        // `T[]` takes no array of primitives.
                        if !of.is_primitive() {
                            work.push((*element, of, depth - 1));
                        }
                    }
                }
                TyKind::Class { def, args } if !args.is_empty() => {
                    let boxed = self.boxed(actual);
                    let Some(found) = self.as_super(boxed, *def) else {
                        continue;
                    };
                    if let Some((_, of)) = data.ids.as_class(found) {
                        work.extend(args.iter().zip(of).map(|(&f, &a)| (f, a, depth - 1)).rev());
                    }
                }
                _ => {}
            }
        }
    }

    /// `ty` with what is known; the rest becomes unknown.
    pub(crate) fn apply(&self, bindings: &Bindings, ty: Ty) -> Ty {
        if bindings.of.is_empty() {
            return ty;
        }
        self.data.ids.replace(ty, &mut |var| {
            bindings
                .slot(var)
                .map(|at| bindings.value(at).unwrap_or(Ty::UNKNOWN))
        })
    }

    /// `ty` with what is known, and with its bound for a parameter of which nothing was said.
    pub(crate) fn apply_or_bound(&self, bindings: &Bindings, ty: Ty) -> Ty {
        if bindings.of.is_empty() {
            return ty;
        }
        let data = self.data;
        data.ids.replace(ty, &mut |var| {
            let at = bindings.slot(var)?;
            Some(bindings.value(at).unwrap_or_else(|| {
                let bounds: Vec<Ty> = data.bounds(var).iter().map(|&b| data.erase(b)).collect();
                match bounds.as_slice() {
                    [] => data.object(),
                    bounds => data.ids.intersection(bounds),
                }
            }))
        })
    }
}
