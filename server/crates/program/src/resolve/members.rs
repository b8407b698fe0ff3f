//! Members of types: which fields and methods a type has, inherited ones included, and what can be seen from here
//! (JLS 6.6, 8.2, 8.4.8).

use crate::declarations::Modifiers;
use crate::header::{FieldSignature, MethodSignature};
use crate::ids::{Symbol, TypeId};
use crate::lookup::Lookup;
use crate::types::relations::Holds;
use crate::types::{Ty, TyKind};

/// A method that a call may mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overload<'a> {
    pub(crate) signature: &'a MethodSignature,
    /// The class that declares it, as a supertype of what it is called on.
    pub(crate) site: Ty,
    /// Found by its simple name, so that what it mentions of classes around it is seen from this place.
    pub(crate) implicit: bool,
    /// Another declaration of the same, abstract too, whose return type says more.
    pub(crate) returns: Option<(&'a MethodSignature, Ty)>,
}

impl<'a> Overload<'a> {
    pub(crate) fn new(signature: &'a MethodSignature, site: Ty) -> Overload<'a> {
        Overload {
            signature,
            site,
            implicit: false,
            returns: None,
        }
    }
}

/// The one method of a functional interface, as an instance of it.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) params: Vec<Ty>,
    pub(crate) ret: Ty,
}

/// Methods of one name among which calls are told apart; large visitors have some hundreds.
const MOST_OVERLOADS: usize = 512;

/// Whether an interface is functional.
#[derive(Clone, Debug)]
pub(crate) enum Functional {
    Yes(Function),
    No,
    Unknown,
}

impl<'a> Lookup<'a, '_> {
    /// Whether a member of `owner` is a member of `site` that code of this file may use.
    fn accessible(&self, modifiers: Modifiers, owner: TypeId, site: TypeId) -> bool {
        if modifiers.has(Modifiers::PUBLIC) || modifiers.has(Modifiers::PROTECTED) {
            return true;
        }
        if modifiers.has(Modifiers::PRIVATE) {
            let here = self.frames.last().map(|f| f.def);
            return owner == site && here == Some(self.data.outermost(owner));
        }
        self.data.package_of(owner) == Some(self.scope.file.package)
    }

    /// A field of the class type `site`, inherited ones included, with its type there.
    pub(crate) fn find_field(
        &mut self,
        site: Ty,
        name: Symbol,
    ) -> Option<(&'a FieldSignature, Ty)> {
        self.looked_up.insert(name);
        let data = self.data;
        let (def, args) = data.ids.as_class(site)?;
        for &ty in &self.closure(def).types {
            let Some((owner, _)) = data.ids.as_class(ty) else {
                continue;
            };
            let Some(field) = data.header(owner).and_then(|h| h.field_named(name)) else {
                continue;
            };
            if self.accessible(field.modifiers, owner, def) {
                if field.modifiers.has(Modifiers::STATIC) {
                    return Some((field, field.ty));
                }
                let site = data.instantiate(ty, def, args);
                return Some((field, self.read_ty(field.ty, site)));
            }
        }
        None
    }

    /// The methods of that name that the class type `site` has: most derived first, without those overridden. None of more
    /// than [`MOST_OVERLOADS`]: then it is not known which one a call means.
    pub(crate) fn methods(&mut self, site: Ty, name: Symbol, out: &mut Vec<Overload<'a>>) {
        self.looked_up.insert(name);
        let data = self.data;
        let Some((def, args)) = data.ids.as_class(site) else {
            return;
        };
        let all = &self.closure(def).types;
        // What an interface does not declare itself it has of Object before it has it of an interface above it.
        let object = data.object();
        let between = (data.is_interface(def) && all.len() > 1).then_some(&object);
        let (first, rest) = all.split_at(all.len().min(1));
        for &ty in first.iter().chain(between).chain(rest) {
            let Some((owner, _)) = data.ids.as_class(ty) else {
                continue;
            };
            let Some(header) = data.header(owner) else {
                continue;
            };
            let named = header.methods_named(name);
            if named.is_empty() {
                continue;
            }
            if out.len() + named.len() > MOST_OVERLOADS {
                out.clear();
                return;
            }
            let site = data.instantiate(ty, def, args);
            // No class overrides its own.
            let above = out.len();
            for signature in named {
                let static_of_interface = owner != def
                    && header.is_interface()
                    && signature.modifiers.has(Modifiers::STATIC);
                if static_of_interface || !self.accessible(signature.modifiers, owner, def) {
                    continue;
                }
                // A static method has nothing of the instance, nor of a raw type by whose name it is called.
                let is_static = signature.modifiers.has(Modifiers::STATIC);
                let site = if is_static {
                    data.this_type(owner)
                } else {
                    site
                };
                let overload = Overload::new(signature, site);
                let overriding = out[..above]
                    .iter()
                    .position(|c| self.same_signature(c, &overload));
                match overriding {
                    None => out.push(overload),
                    Some(at) => out[at] = self.merged(out[at], overload),
                }
            }
        }
    }

    /// Of two declarations of the same method that a type inherits. If neither overrides the other and both are abstract,
    /// JLS 15.12.2.5 leaves open which one is meant, but for the return type, which is the more specific one: the
    /// workspace's is taken, since what overrides it is known.
    fn merged(&mut self, first: Overload<'a>, second: Overload<'a>) -> Overload<'a> {
        let data = self.data;
        let is_abstract = |c: &Overload<'a>| c.signature.modifiers.has(Modifiers::ABSTRACT);
        let owner = |c: &Overload<'a>| data.ids.methods.get(c.signature.id.0).owner;
        let (a, b) = (owner(&first), owner(&second));
        if !is_abstract(&first) || !is_abstract(&second) || a == b {
            return first;
        }
        let above = data.closure(a).types.iter().skip(1);
        if above
            .filter_map(|&t| data.ids.as_class(t))
            .any(|c| c.0 == b)
        {
            return first;
        }
        // Of two of a library javac names the later.
        let (mut kept, other) = if data.ids.is_library(a) {
            (second, first)
        } else {
            (first, second)
        };
        let (own, others) = (
            self.read_ty(kept.signature.ret, kept.site),
            self.read_ty(other.signature.ret, other.site),
        );
        if own != others && self.is_subtype(others, own) == Holds::Yes {
            kept.returns = Some((other.signature, other.site));
        }
        kept
    }

    /// Equal parameters by erasure, seen from what both are called on, or as both declare them.
    fn same_signature(&self, a: &Overload<'a>, b: &Overload<'a>) -> bool {
        if a.site == b.site {
            return a.signature.id == b.signature.id;
        }
        self.data
            .same_parameters(a.signature, a.site, b.signature, b.site)
    }

    /// The function that the interface type `ty` stands for (JLS 9.8).
    pub(crate) fn functional(&mut self, ty: Ty) -> Functional {
        let data = self.data;
        if let TyKind::Intersection(parts) = data.ids.kind(ty) {
            // `(Runnable & Serializable)`: the part that has a method.
            let mut out = Functional::Unknown;
            for &part in parts {
                match self.functional(part) {
                    found @ Functional::Yes(_) => return found,
                    other => out = other,
                }
            }
            return out;
        }
        let Some((def, args)) = data.ids.as_class(ty) else {
            return Functional::Unknown;
        };
        let closure = self.closure(def);
        if data.header(def).is_none() {
            return Functional::Unknown;
        }
        if !data.is_interface(def) {
            return Functional::No;
        }
        let mut found: Option<Overload<'a>> = None;
        let mut concrete: Vec<Overload<'a>> = Vec::new();
        for &ty in &closure.types {
            let Some((owner, _)) = data.ids.as_class(ty) else {
                continue;
            };
            if owner == data.known.object {
                continue;
            }
            if let Some(key) = data.key(owner) {
                self.looked_up.insert(data.functional_key(key));
            }
            let Some(header) = data.header(owner) else {
                continue;
            };
            let site = data.instantiate(ty, def, args);
            for signature in header.methods() {
                if signature
                    .modifiers
                    .has(Modifiers::STATIC.with(Modifiers::PRIVATE))
                {
                    continue;
                }
                let overload = Overload::new(signature, site);
                if !signature.modifiers.has(Modifiers::ABSTRACT) {
                    concrete.push(overload);
                    continue;
                }
                let of_object = data.header(data.known.object).is_some_and(|o| {
                    o.methods_named(signature.name).iter().any(|m| {
                        m.modifiers.has(Modifiers::PUBLIC)
                            && m.params
                                .iter()
                                .map(|&p| data.erase(p))
                                .eq(signature.params.iter().map(|&p| data.erase(p)))
                    })
                });
                let same = |c: &Overload<'a>| {
                    c.signature.name == signature.name && self.same_signature(c, &overload)
                };
                if of_object || concrete.iter().any(same) {
                    continue;
                }
                match &found {
                    None => found = Some(overload),
                    Some(f) if same(f) => {}
                    Some(_) => return Functional::No,
                }
            }
        }
        let Some(found) = found else {
            return if closure.opaque {
                Functional::Unknown
            } else {
                Functional::No
            };
        };
        let params = found.signature.params.iter().map(|&p| {
            let param = self.member_ty(p, found.site);
            match data.ids.kind(param) {
                // Of `Consumer<?>` the function takes what the parameter is bound by (JLS 9.9).
                TyKind::Any => self.read_ty(p, found.site),
                _ => data.ids.lower(param),
            }
        });
        let params = params.collect();
        let ret = self.member_ty(found.signature.ret, found.site);
        Functional::Yes(Function {
            params,
            ret: data.ids.lower(ret),
        })
    }
}
