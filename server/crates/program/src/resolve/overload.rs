//! Which of several methods a call means: the phases of JLS 15.12.2, where some argument types are not known.
//!
//! An unknown argument may fit anything. A method is chosen only if it would be whatever the argument turned out to
//! be; otherwise there is no target, which is better than a wrong one.

use super::members::{Function, Functional, Overload};
use crate::lookup::Lookup;
use crate::types::relations::{Holds, widens};
use crate::types::{Ty, TyKind};

/// What is known of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument<'a> {
    /// A value of this type; may be unknown. [`TyKind::Any`]: of whatever type is asked for.
    Value(Ty),
    /// A lambda: how many parameters; whether its body can give a value, and whether it can give none.
    Lambda {
        params: usize,
        value: bool,
        void: bool,
        /// The type of the expression that is its body, where the parameters' types are written and it is known.
        gives: Ty,
    },
    /// A method reference: bit `n` is set if it can take `n` arguments.
    Reference {
        arities: u32,
        /// The one method that it can mean, if it is exact (JLS 15.13.1).
        exact: Option<Exact<'a>>,
    },
    /// Several lambdas behind a condition.
    Function,
}

/// What an exact method reference means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact<'a> {
    pub(crate) method: Overload<'a>,
    /// The type whose instance comes as the first argument.
    pub(crate) receiver: Option<Ty>,
    pub(crate) is_new: bool,
}

/// The three phases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Phase {
    Strict,
    Loose,
    Variable,
}

/// What came out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice<'a> {
    /// The method.
    One(Overload<'a>),
    /// Several fit and what is known does not tell which.
    Several,
    /// None fits.
    None,
}

impl<'a> Lookup<'a, '_> {
    /// The method that a call with `args` means among `overloads`.
    pub(crate) fn choose(
        &mut self,
        overloads: &[Overload<'a>],
        args: &[Argument<'a>],
    ) -> Choice<'a> {
        let mut applicable: Vec<(Overload<'a>, Phase, Vec<Holds>)> = Vec::new();
        // Of one overload alone type arguments say nothing that its call would not.
        for compare in [true, false] {
            if compare && overloads.len() == 1 {
                continue;
            }
            self.compare_arguments = compare;
            for &overload in overloads {
                if let Some((phase, holds)) = self.applicable(&overload, args) {
                    applicable.push((overload, phase, holds));
                }
            }
            self.compare_arguments = false;
            if !applicable.is_empty() {
                break;
            }
        }
        let Some(first) = applicable.iter().map(|a| a.1).min() else {
            return Choice::None;
        };
        if let [only] = applicable.as_slice() {
            return Choice::One(only.0);
        }
        // The most specific of the first phase in which any fits.
        let mut best: Option<usize> = None;
        for at in 0..applicable.len() {
            if applicable[at].1 != first {
                continue;
            }
            let wins = (0..applicable.len()).all(|other| {
                other == at
                    || applicable[other].1 != first
                    || self.more_specific(&applicable[at], &applicable[other], args)
                        && (other > at
                            || !self.more_specific(&applicable[other], &applicable[at], args))
            });
            if wins {
                best = Some(at);
                break;
            }
        }
        let Some(best) = best else {
            return Choice::Several;
        };
        let certain = applicable[best].2.iter().all(|&h| h == Holds::Yes)
            || (0..applicable.len()).all(|other| {
                other == best || self.implied(&applicable[best], &applicable[other], args)
            });
        if certain {
            Choice::One(applicable[best].0)
        } else {
            Choice::Several
        }
    }

    /// The first phase in which the overload fits, and how surely each argument does.
    fn applicable(
        &mut self,
        overload: &Overload<'a>,
        args: &[Argument<'a>],
    ) -> Option<(Phase, Vec<Holds>)> {
        let signature = overload.signature;
        let count = signature.params.len();
        for phase in [Phase::Strict, Phase::Loose, Phase::Variable] {
            let fits = match phase {
                Phase::Variable => signature.varargs && args.len() + 1 >= count,
                _ => args.len() == count,
            };
            if !fits {
                continue;
            }
            self.inferring = Some(signature.id);
            let mut holds = Vec::with_capacity(args.len());
            for (at, &arg) in args.iter().enumerate() {
                let param = self.param(overload, at, phase);
                let fits = self.fits(arg, param, phase);
                if fits == Holds::No {
                    break;
                }
                holds.push(fits);
            }
            if holds.len() == args.len() {
                return Some((phase, holds));
            }
        }
        None
    }

    /// The type of the parameter that takes the argument `at`.
    fn param(&mut self, overload: &Overload<'a>, at: usize, phase: Phase) -> Ty {
        let params = &overload.signature.params;
        let last = params.len().saturating_sub(1);
        let declared = params.get(at.min(last)).copied().unwrap_or(Ty::UNKNOWN);
        let ty = self.member_ty(declared, overload.site);
        let ty = if overload.implicit {
            self.inherited(ty)
        } else {
            ty
        };
        let id = overload.signature.id;
        let ty = if overload.signature.type_params.len() == self.written.len() {
            self.data.ids.replace(ty, &mut |var| match var {
                TyKind::MethodVar { owner, index } if *owner == id => {
                    self.written.get(usize::from(*index)).copied()
                }
                _ => None,
            })
        } else {
            ty
        };
        if phase == Phase::Variable && at >= last {
            return self.data.ids.element(ty).unwrap_or(Ty::UNKNOWN);
        }
        ty
    }

    /// True if the method whose parameters are being inferred has `ty` as one of its type parameters.
    fn is_inferred(&self, ty: Ty) -> bool {
        matches!(self.data.ids.kind(ty), TyKind::MethodVar { owner, .. } if Some(*owner) == self.inferring)
    }

    fn is_raw(&self, ty: Ty) -> bool {
        let class = self.data.ids.as_class(ty);
        class.is_some_and(|(def, args)| args.is_empty() && self.data.type_param_count(def) > 0)
    }

    /// An exact reference must fit what the function takes and gives; one that is not exact says nothing (JLS
    /// 15.12.2.2).
    fn reference_fits(&mut self, exact: Option<Exact<'a>>, f: &Function) -> Holds {
        let Some(exact) = exact else {
            return Holds::Yes;
        };
        let mut takes: Vec<Ty> = exact.receiver.into_iter().collect();
        for &param in &exact.method.signature.params {
            let param = self.member_ty(param, exact.method.site);
            takes.push(self.without_foreign_variables(param));
        }
        for (&given, &taken) in f.params.iter().zip(&takes) {
            if !self.is_inferred(given) && self.is_convertible(given, taken) == Holds::No {
                return Holds::No;
            }
        }
        let signature = exact.method.signature;
        if f.ret != Ty::VOID && signature.ret == Ty::VOID && !exact.is_new {
            return Holds::No;
        }
        if f.ret == Ty::VOID || self.is_inferred(f.ret) {
            return Holds::Yes;
        }
        if exact.is_new {
            return match self.is_convertible(exact.method.site, f.ret) {
                Holds::No => Holds::No,
                _ => Holds::Yes,
            };
        }
        let ret = self.read_ty(signature.ret, exact.method.site);
        let ret = self.without_foreign_variables(ret);
        self.is_convertible(ret, f.ret)
    }

    /// False if what a lambda gives is certainly not what its function must give.
    fn can_give(&mut self, gives: Ty, ret: Ty) -> bool {
        let boxed = |look: &Self, ty: Ty| look.unboxed(ty).is_primitive();
        // Constants become what is asked for.
        if gives == Ty::UNKNOWN || boxed(self, gives) && boxed(self, ret) || self.is_raw(ret) {
            return true;
        }
        self.is_inferred(ret) || self.is_convertible(gives, ret) != Holds::No
    }

    fn fits(&mut self, arg: Argument<'a>, param: Ty, phase: Phase) -> Holds {
        let param = self.data.ids.lower(param);
        match arg {
            Argument::Value(Ty::VOID) => Holds::Maybe,
            // What may be anything is a reference first (JLS 15.12.2.2, 18.5.2.1).
            Argument::Value(ty) if matches!(self.data.ids.kind(ty), TyKind::Any) => {
                match (param.is_primitive(), phase) {
                    (true, Phase::Strict) => Holds::No,
                    _ => Holds::Yes,
                }
            }
            Argument::Value(ty) if phase == Phase::Strict => self.is_subtype(ty, param),
            Argument::Value(ty) => self.is_convertible(ty, param),
            _ if param.is_primitive() || self.data.ids.element(param).is_some() => Holds::No,
            // A type variable that stands for something already is no functional interface (JLS 15.12.2.1).
            _ if !self.is_inferred(param) && self.is_in_scope(param) => Holds::No,
            Argument::Lambda {
                params,
                value,
                void,
                gives,
            } => match self.functional(param) {
                Functional::Yes(f) if f.params.len() != params => Holds::No,
                Functional::Yes(f) if f.ret == Ty::VOID => {
                    if void {
                        Holds::Yes
                    } else {
                        Holds::No
                    }
                }
                Functional::Yes(f) => {
                    if value && self.can_give(gives, f.ret) {
                        Holds::Yes
                    } else {
                        Holds::No
                    }
                }
                Functional::No => Holds::No,
                Functional::Unknown => Holds::Maybe,
            },
            Argument::Reference { .. } if self.is_inferred(param) => Holds::Yes,
            Argument::Reference { arities, exact } => match self.functional(param) {
                Functional::Yes(f) if arities & (1 << f.params.len().min(31)) == 0 => Holds::No,
                // Of a raw type the function takes and gives what the erasure says, which the reference need not fit.
                Functional::Yes(_) if self.is_raw(param) => Holds::Yes,
                Functional::Yes(f) => self.reference_fits(exact, &f),
                Functional::No => Holds::No,
                Functional::Unknown => Holds::Maybe,
            },
            Argument::Function => match self.functional(param) {
                Functional::No => Holds::No,
                _ => Holds::Maybe,
            },
        }
    }

    /// JLS 15.12.2.5, for the arguments at hand.
    fn more_specific(
        &mut self,
        a: &(Overload<'a>, Phase, Vec<Holds>),
        b: &(Overload<'a>, Phase, Vec<Holds>),
        args: &[Argument<'a>],
    ) -> bool {
        self.inferring = Some(b.0.signature.id);
        let variable = a.1 == Phase::Variable;
        // Of two methods of variable arity the parameters beyond the arguments count too.
        let count = if variable {
            args.len()
                .max(a.0.signature.params.len())
                .max(b.0.signature.params.len())
        } else {
            args.len()
        };
        (0..count).all(|at| {
            let (x, y) = (self.param(&a.0, at, a.1), self.param(&b.0, at, b.1));
            if x == y {
                return true;
            }
            match args.get(at) {
                // What takes the argument as it is: another that takes it too is no more specific.
                Some(&Argument::Value(arg)) if x == arg && arg != Ty::UNKNOWN => true,
                Some(Argument::Lambda { .. } | Argument::Reference { .. } | Argument::Function) => {
                    if self.is_subtype(x, y) == Holds::Yes {
                        return true;
                    }
                    match (self.functional(x), self.functional(y)) {
                        (Functional::Yes(f), Functional::Yes(g)) => {
                            let gives = match args.get(at) {
                                Some(&Argument::Lambda { gives, .. }) => gives,
                                Some(Argument::Reference {
                                    exact: Some(exact), ..
                                }) if !exact.is_new => exact.method.signature.ret,
                                _ => Ty::UNKNOWN,
                            };
                            // A value of a primitive type is more specific where it stays one.
                            let stays = f.ret.is_primitive() != g.ret.is_primitive()
                                && g.ret != Ty::VOID
                                && gives != Ty::UNKNOWN
                                && gives.is_primitive() == f.ret.is_primitive();
                            f.params == g.params
                                && f.ret != Ty::VOID
                                && (g.ret == Ty::VOID || stays)
                        }
                        _ => false,
                    }
                }
                Some(&Argument::Value(arg)) if x.is_primitive() != y.is_primitive() => {
                    // Only one of them takes the argument without boxing.
                    arg.is_primitive() == x.is_primitive()
                }
                _ if x.is_primitive() && y.is_primitive() => widens(x, y),
                _ => self.is_subtype(x, y) == Holds::Yes,
            }
        })
    }

    /// True if `best` is the target whenever `other` fits: where that is not certain, it asks no more.
    fn implied(
        &mut self,
        best: &(Overload<'a>, Phase, Vec<Holds>),
        other: &(Overload<'a>, Phase, Vec<Holds>),
        args: &[Argument<'a>],
    ) -> bool {
        (0..args.len()).all(|at| {
            if best.2[at] == Holds::Yes {
                return true;
            }
            let (x, y) = (
                self.param(&best.0, at, best.1),
                self.param(&other.0, at, other.1),
            );
            if x == y {
                return true;
            }
            if x.is_primitive() || y.is_primitive() {
                return false;
            }
            self.is_subtype(y, x) == Holds::Yes
        })
    }
}
