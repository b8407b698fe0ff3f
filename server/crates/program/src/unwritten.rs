//! What runs though no code of the workspace calls it by its own name: what a library calls back, what a call of a
//! library's declaration comes to, and what Java itself calls.
//!
//! An object that a library gets as type `T` lets it call what `T` declares, and what those calls return lets it call
//! more: `iterator()` gives it an `Iterator`. Where the library's own code runs on an object of the workspace (an inherited
//! method), it may call anything that its class declares. Which classes the object can be of is given by a type, and by
//! the caller's own knowledge of which objects there are.

use crate::declarations::Modifiers;
use crate::header::MethodSignature;
use crate::hierarchy::Answer;
use crate::ids::{BodyId, MethodId, TypeId};
use crate::program::Program;
use crate::snapshot::Snapshot;
use crate::types::{Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, PoisonError, RwLock};

/// How many pairs of types are followed from one: what calls return lets others be called. Real code needs a dozen.
const MAX_FOLLOWED: usize = 200;

/// What is called of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Asked {
    /// This method, which a library declares.
    Method(MethodId),
    /// Whatever this type of a library declares or inherits. Of `Object`: `equals`, `hashCode`, `toString`, and
    /// `compareTo` of what can be compared; the rest of `Object` counts for no type.
    Any(TypeId),
    /// What a `for` over it runs: `iterator()`, and of what that gives `hasNext()` and `next()`.
    Iteration,
}

/// The bodies that may run. Positions and order say nothing else.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Unwritten {
    /// By method that is called: what may answer. None is empty.
    pub ways: Vec<Vec<BodyId>>,
    /// Those whose value is that of the whole: of an iteration those of `next()`.
    pub values: Vec<BodyId>,
}

/// Kept until a declaration changes.
pub(crate) type Known = RwLock<FxHashMap<(TypeId, Asked), Arc<Unwritten>>>;

impl Program {
    /// What may run when an object of the type `on`, or of one below it, is asked that. A type variable stands for what it
    /// is bound by.
    pub fn unwritten(&self, on: Ty, asked: Asked) -> Arc<Unwritten> {
        let data = self.data();
        let Some((on, _)) = data.ids.as_class(data.erase(on)) else {
            return Arc::default();
        };
        let known = &data.hierarchy.unwritten;
        // Nothing is left half written by a panic: a value is entered whole.
        let read = known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = read.get(&(on, asked)) {
            return Arc::clone(found);
        }
        drop(read);
        let found = Arc::new(data.compute_unwritten(on, asked));
        let mut write = known.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(write.entry((on, asked)).or_insert(found))
    }

    /// True if an object of that type can be one of a class of the workspace, now or after an edit.
    pub fn can_be_here(&self, ty: Ty) -> bool {
        let data = self.data();
        match data.ids.kind(ty) {
            TyKind::Class { def, .. } if data.ids.is_library(*def) => data
                .header(*def)
                .is_none_or(|h| !h.modifiers.has(Modifiers::FINAL)),
            TyKind::Class { .. }
            | TyKind::ClassVar { .. }
            | TyKind::MethodVar { .. }
            | TyKind::Intersection(_) => true,
            _ => false,
        }
    }

    /// The type of the objects of a class, as its own code sees it.
    pub fn own_type(&self, class: TypeId) -> Ty {
        self.data().ids.class(class, &[])
    }

    /// What an array of this type holds.
    pub fn element_of(&self, ty: Ty) -> Option<Ty> {
        self.data().ids.element(ty)
    }

    /// The first type argument of a class's type: `String` of `Optional<String>`.
    pub fn first_argument(&self, ty: Ty) -> Option<Ty> {
        self.arguments(ty).first().copied()
    }

    /// The type arguments of a class's type.
    pub fn arguments(&self, ty: Ty) -> &[Ty] {
        let class = self.data().ids.as_class(ty);
        class.map_or(&[], |(_, args)| args)
    }

    /// The class, known by source or not, that a type names or is bound by; `Object` for a variable without bound.
    pub fn erased_class(&self, ty: Ty) -> Option<TypeId> {
        let data = self.data();
        data.ids.as_class(data.erase(ty)).map(|c| c.0)
    }

    /// The types of a method's parameters, and whether the last is `T...`; of a library's methods too.
    pub fn parameters(&self, method: MethodId) -> Option<(&[Ty], bool)> {
        let signature = self.data().signature(method)?;
        Some((&signature.params, signature.varargs))
    }

    /// True if there is another method of that name in its class, or above, with as many parameters of other types.
    pub fn is_overloaded(&self, method: MethodId) -> bool {
        let (data, owner) = (self.data(), self.method_owner(method));
        let Some(own) = data.signature(method) else {
            return false;
        };
        let classes = data.closure(owner).types.iter();
        let headers = classes.filter_map(|t| data.header(data.ids.as_class(*t)?.0));
        let mut named = headers.flat_map(|h| h.methods_named(own.name).iter());
        named.any(|m| m.params.len() == own.params.len() && m.params != own.params)
    }

    /// True for a method, of a library too, that is not called on an object or that none overrides.
    pub fn is_static(&self, method: MethodId) -> bool {
        let signature = self.data().signature(method);
        signature.is_some_and(|s| s.modifiers.has(Modifiers::STATIC))
    }

    /// `java.lang.Object`.
    pub fn object_type(&self) -> TypeId {
        self.data().known.object
    }

    /// A method of a library's class, the first of that name and number of parameters.
    pub fn library_member(&self, class: &str, name: &str, parameters: usize) -> Option<MethodId> {
        let data = self.data();
        let header = data.header(data.ids.library_type(class))?;
        let mut named = header.methods_named(data.ids.symbol(name)).iter();
        named.find(|m| m.params.len() == parameters).map(|m| m.id)
    }
}

/// What is called of which objects, and what that leads to.
struct Walk<'a> {
    data: &'a Snapshot,
    seen: FxHashSet<(TypeId, TypeId)>,
    work: Vec<(TypeId, TypeId)>,
    out: Vec<Vec<BodyId>>,
}

impl Snapshot {
    fn compute_unwritten(&self, on: TypeId, asked: Asked) -> Unwritten {
        let mut walk = Walk {
            data: self,
            seen: FxHashSet::default(),
            work: Vec::new(),
            out: Vec::new(),
        };
        let mut values = Vec::new();
        match asked {
            Asked::Any(through) => walk.add(on, through),
            Asked::Method(method) => {
                values = self.bodies_of(&walk.call(on, method, false));
            }
            Asked::Iteration => {
                let iterator = self.ids.library_type("java.util.Iterator");
                let member = |owner: TypeId, name: &str| {
                    let named = self.header(owner)?.methods_named(self.ids.symbol(name));
                    named.iter().find(|m| m.params.is_empty()).map(|m| m.id)
                };
                let first = member(self.known.iterable, "iterator");
                let given = first.map(|m| walk.call(on, m, false)).unwrap_or_default();
                let mut iterators: Vec<TypeId> = given
                    .iter()
                    .filter_map(|m| self.class_of_value(*m))
                    .collect();
                iterators.sort_unstable();
                iterators.dedup();
                for of in iterators {
                    if let Some(m) = member(iterator, "hasNext") {
                        walk.call(of, m, false);
                    }
                    if let Some(m) = member(iterator, "next") {
                        values.extend(self.bodies_of(&walk.call(of, m, false)));
                    }
                }
            }
        }
        let ways = walk.finish();
        values.sort_unstable();
        values.dedup();
        Unwritten { ways, values }
    }

    fn bodies_of(&self, methods: &[MethodId]) -> Vec<BodyId> {
        methods
            .iter()
            .filter_map(|m| self.method_body(*m))
            .collect()
    }

    /// The class that a method says it returns.
    fn class_of_value(&self, method: MethodId) -> Option<TypeId> {
        let ret = self.signature(method)?.ret;
        self.ids.as_class(self.erase(ret)).map(|c| c.0)
    }

    /// The methods that a library may call of what it has as that type.
    fn callable(&self, through: TypeId) -> Vec<&MethodSignature> {
        let object = self.known.object;
        let fixed = Modifiers::STATIC
            .with(Modifiers::PRIVATE)
            .with(Modifiers::FINAL);
        let of = |def: TypeId, fits: &dyn Fn(&str) -> bool| -> Vec<&MethodSignature> {
            let methods = self.header(def).map_or(&[][..], |h| h.methods()).iter();
            let open = methods.filter(|m| !m.modifiers.has(fixed) && m.name != self.known.init);
            open.filter(|m| fits(self.ids.text(m.name))).collect()
        };
        if through == object {
            let mut all = of(object, &|name| {
                matches!(name, "equals" | "hashCode" | "toString")
            });
            all.extend(of(self.ids.library_type("java.lang.Comparable"), &|_| true));
            return all;
        }
        let above = self.closure(through).types.iter();
        let above = above.filter_map(|&t| self.ids.as_class(t)).map(|c| c.0);
        let declaring = above.filter(|&d| d != object && self.ids.is_library(d));
        declaring.flat_map(|d| of(d, &|_| true)).collect()
    }
}

impl Walk<'_> {
    fn add(&mut self, on: TypeId, through: TypeId) {
        if self.seen.len() < MAX_FOLLOWED && self.seen.insert((on, through)) {
            self.work.push((on, through));
        }
    }

    /// What answers a call of a library's method on objects of `on`. With `escapes` a library calls, and gets the value.
    fn call(&mut self, on: TypeId, method: MethodId, escapes: bool) -> Vec<MethodId> {
        let data = self.data;
        let Some(target) = data.signature(method) else {
            return Vec::new();
        };
        let owner = data.ids.methods.get(method.0).owner;
        let fixed = Modifiers::STATIC.with(Modifiers::PRIVATE);
        if target.modifiers.has(fixed) || target.name == data.known.init {
            return Vec::new();
        }
        let own = (!data.ids.is_library(on)).then_some(on);
        let mut answers = Vec::new();
        for &def in own.iter().chain(data.hierarchy.subtypes(on)) {
            match data.answer(def, owner, target) {
                Some(Answer::Workspace(m)) => answers.push(m),
                // Inherited code calls what its class declares, on the same object.
                Some(Answer::Library(of)) if of != data.known.object => self.add(def, of),
                Some(Answer::Library(_)) | None => {}
            }
        }
        data.sort_methods(&mut answers);
        if !answers.is_empty() {
            self.out.push(data.bodies_of(&answers));
        }
        if escapes && let Some(ret) = data.ids.as_class(data.erase(target.ret)) {
            let through = ret.0;
            for &m in &answers {
                if let Some(given) = data.class_of_value(m)
                    && data.ids.is_library(through)
                {
                    self.add(given, through);
                }
            }
        }
        answers
    }

    fn finish(mut self) -> Vec<Vec<BodyId>> {
        while let Some((on, through)) = self.work.pop() {
            for method in self.data.callable(through) {
                self.call(on, method.id, true);
            }
        }
        // One that several interfaces declare is one.
        self.out.sort_unstable();
        self.out.dedup();
        self.out
    }
}
