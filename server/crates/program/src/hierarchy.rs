//! Who extends whom, and which methods a call on a declared target may run.
//!
//! Subtypes are listed once for all types. Overriders are computed when first asked for and kept as long as no
//! declaration changes.

use crate::declarations::Modifiers;
use crate::header::MethodSignature;
use crate::ids::{BodyId, Cells, MethodId, TypeId};
use crate::snapshot::Snapshot;
use crate::types::{Ty, TyKind};
use crate::unwritten;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// See the module's description.
#[derive(Debug, Default)]
pub(crate) struct Hierarchy {
    /// All subtypes in the workspace, of libraries' types too; not the type itself, by path and position.
    subtypes: Arc<FxHashMap<TypeId, Box<[TypeId]>>>,
    overriders: Cells<Arc<[MethodId]>>,
    dispatch: Cells<Arc<[BodyId]>>,
    pub(crate) unwritten: unwritten::Known,
}

impl Hierarchy {
    pub(crate) fn new(data: &Snapshot) -> Hierarchy {
        let mut subtypes: FxHashMap<TypeId, Vec<TypeId>> = FxHashMap::default();
        for file in data.order.iter().filter_map(|&f| data.file(f)) {
            let mut order: Vec<usize> = (0..file.types.len()).collect();
            order.sort_by_key(|&at| file.summary.types[at].span.start);
            for at in order {
                let def = file.types[at];
                for &ty in data.closure(def).types.iter().skip(1) {
                    if let Some((sup, _)) = data.ids.as_class(ty) {
                        subtypes.entry(sup).or_default().push(def);
                    }
                }
            }
        }
        #[allow(clippy::iter_over_hash_type, reason = "from one table into another")]
        let subtypes: FxHashMap<_, _> = subtypes.into_iter().map(|(k, v)| (k, v.into())).collect();
        Hierarchy {
            subtypes: Arc::new(subtypes),
            ..Hierarchy::default()
        }
    }

    /// The hierarchy of the same types after their members changed.
    pub(crate) fn with_other_members(&self) -> Hierarchy {
        Hierarchy {
            subtypes: Arc::clone(&self.subtypes),
            ..Hierarchy::default()
        }
    }

    pub(crate) fn subtypes(&self, def: TypeId) -> &[TypeId] {
        self.subtypes.get(&def).map_or(&[], |s| s)
    }
}

/// What runs when a method is called on an object.
pub(crate) enum Answer {
    /// A method of the workspace.
    Workspace(MethodId),
    /// Code of this class, which is a library's.
    Library(TypeId),
}

impl Snapshot {
    /// Equal parameters by erasure: as seen from the sites, instances of the declaring classes, or as declared.
    pub(crate) fn same_parameters(
        &self,
        a: &MethodSignature,
        a_site: Ty,
        b: &MethodSignature,
        b_site: Ty,
    ) -> bool {
        if a.params.len() != b.params.len() {
            return false;
        }
        let seen = |ty: Ty, site: Ty| match self.ids.as_class(site) {
            Some((def, args)) if !args.is_empty() => {
                self.erase(self.instantiate(self.bound_of_variable(ty), def, args))
            }
            _ => self.erase(ty),
        };
        let params = || a.params.iter().zip(&b.params);
        params().all(|(&x, &y)| seen(x, a_site) == seen(y, b_site))
            || params().all(|(&x, &y)| self.erase(x) == self.erase(y))
    }

    /// Of a method's type parameter, or an array of them, what it is bound by: the bound may mention a parameter of the
    /// class (`<E extends T> E max(E a, E b)`).
    fn bound_of_variable(&self, ty: Ty) -> Ty {
        let (mut inner, mut dimensions) = (ty, 0);
        while let Some(element) = self.ids.element(inner) {
            inner = element;
            dimensions += 1;
        }
        // A variable may be bound by a variable; nobody writes more.
        for _ in 0..16 {
            let kind @ TyKind::MethodVar { .. } = self.ids.kind(inner) else {
                break;
            };
            let bound = self.bounds(kind).first().copied();
            inner = bound.unwrap_or_else(|| self.object());
        }
        for _ in 0..dimensions {
            inner = self.ids.array(inner);
        }
        inner
    }

    /// False if `above`, a member of `owner`, is package-private and `below` stands in another package: then it is no
    /// member of what `below` belongs to and is not overridden (JLS 8.4.8.1).
    fn visible_to(&self, above: &MethodSignature, owner: TypeId, below: TypeId) -> bool {
        let beyond_package = Modifiers::PUBLIC.with(Modifiers::PROTECTED);
        above.modifiers.has(beyond_package) || self.package_of(owner) == self.package_of(below)
    }

    fn has_body(&self, id: MethodId) -> bool {
        self.method_decl(id).is_some_and(|m| m.body.is_some())
    }

    /// The workspace methods with a body that a dispatch on `id` may run, itself included, by path and position.
    pub(crate) fn overriders(&self, id: MethodId) -> Arc<[MethodId]> {
        self.hierarchy
            .overriders
            .cell(id.0)
            .get_or_init(|| self.compute_overriders(id))
            .clone()
    }

    /// The bodies of [`Snapshot::overriders`], in their order; for a static method or a constructor its own.
    pub(crate) fn dispatch(&self, id: MethodId) -> &Arc<[BodyId]> {
        let cell = self.hierarchy.dispatch.cell(id.0);
        cell.get_or_init(|| {
            let overriders = self.overriders(id);
            overriders
                .iter()
                .filter_map(|&m| self.method_body(m))
                .collect()
        })
    }

    /// The body of a method.
    pub(crate) fn method_body(&self, id: MethodId) -> Option<BodyId> {
        let (file, at) = self.method_at(id)?;
        let decl = &file.summary.types[at.ty as usize].methods[at.index as usize];
        decl.body.map(|body| file.bodies[body as usize])
    }

    fn compute_overriders(&self, id: MethodId) -> Arc<[MethodId]> {
        let key = self.ids.methods.get(id.0);
        let own = || {
            if self.has_body(id) {
                Arc::from([id])
            } else {
                Arc::from([])
            }
        };
        let Some(target) = self.signature(id) else {
            return own();
        };
        let not_virtual = Modifiers::STATIC.with(Modifiers::PRIVATE);
        if key.name == self.known.init
            || target.modifiers.has(not_virtual)
            || self.type_at(key.owner).is_none()
        {
            return own();
        }
        let mut out = Vec::new();
        for &def in [key.owner].iter().chain(self.hierarchy.subtypes(key.owner)) {
            if let Some(Answer::Workspace(m)) = self.answer(def, key.owner, target) {
                out.push(m);
            }
        }
        self.sort_methods(&mut out);
        out.into()
    }

    /// Puts methods in order of path and position, each once.
    pub(crate) fn sort_methods(&self, out: &mut Vec<MethodId>) {
        let position = |m: MethodId| {
            self.method_at(m).map(|(file, at)| {
                (
                    file.path.clone(),
                    file.summary.types[at.ty as usize].methods[at.index as usize].span,
                )
            })
        };
        out.sort_by_cached_key(|&m| (position(m), m));
        out.dedup();
    }

    /// What an object of the class `def` runs when `target`, which `owner` declares, is called on it.
    pub(crate) fn answer(
        &self,
        def: TypeId,
        owner: TypeId,
        target: &MethodSignature,
    ) -> Option<Answer> {
        let not_virtual = Modifiers::STATIC.with(Modifiers::PRIVATE);
        let closure = self.closure(def);
        let mut sites = closure.types.iter();
        let is_owner = |t: &&Ty| self.ids.as_class(**t).is_some_and(|c| c.0 == owner);
        let &target_site = sites.find(is_owner)?;
        // Interfaces that declare it abstract: what is above them is overridden there.
        let mut again: Vec<TypeId> = Vec::new();
        // A default method of a library, unless something more is found.
        let mut inherited = None;
        for &site in &closure.types {
            let Some((at, _)) = self.ids.as_class(site) else {
                continue;
            };
            let Some(header) = self.header(at) else {
                continue;
            };
            let is_above = |of: &TypeId| {
                let types = &self.closure(*of).types;
                types
                    .iter()
                    .any(|&t| self.ids.as_class(t).is_some_and(|c| c.0 == at))
            };
            if again.iter().any(is_above) {
                continue;
            }
            let found = header.methods_named(target.name).iter().find(|m| {
                !m.modifiers.has(not_virtual)
                    && self.visible_to(target, owner, at)
                    && self.same_parameters(target, target_site, m, site)
            });
            match found {
                Some(m) if self.has_body(m.id) => return Some(Answer::Workspace(m.id)),
                // Redeclared abstract in a class: nothing above it runs. In an interface a default may follow.
                Some(m) if !header.is_interface() => {
                    let runs = self.ids.is_library(at) && !m.modifiers.has(Modifiers::ABSTRACT);
                    return runs.then_some(Answer::Library(at));
                }
                Some(m) => {
                    let is_default = !m.modifiers.has(Modifiers::ABSTRACT);
                    if inherited.is_none() && self.ids.is_library(at) && is_default {
                        inherited = Some(Answer::Library(at));
                    }
                    again.push(at);
                }
                None => {}
            }
        }
        inherited
    }

    /// The methods of workspace supertypes that `id` overrides or implements, nearest first.
    pub(crate) fn super_methods(&self, id: MethodId) -> Vec<MethodId> {
        let key = self.ids.methods.get(id.0);
        let Some(own) = self.signature(id) else {
            return Vec::new();
        };
        let not_virtual = Modifiers::STATIC.with(Modifiers::PRIVATE);
        if key.name == self.known.init || own.modifiers.has(not_virtual) {
            return Vec::new();
        }
        let mut out = Vec::new();
        let own_site = self.this_type(key.owner);
        for &site in self.closure(key.owner).types.iter().skip(1) {
            let Some((owner, _)) = self.ids.as_class(site) else {
                continue;
            };
            if self.ids.is_library(owner) {
                continue;
            }
            let Some(header) = self.header(owner) else {
                continue;
            };
            out.extend(
                header
                    .methods_named(key.name)
                    .iter()
                    .filter(|m| {
                        !m.modifiers.has(not_virtual)
                            && self.visible_to(m, owner, key.owner)
                            && self.same_parameters(own, own_site, m, site)
                    })
                    .map(|m| m.id),
            );
        }
        out
    }
}
