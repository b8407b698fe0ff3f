//! What a type's name means at a place: type parameters, local classes, member types, imports, packages (JLS 6.4, 6.5).
//!
//! Every simple name that is looked up is noted, found or not: that is what invalidation goes by. So is every type
//! whose supertypes were asked for, under its simple name.

use crate::declarations::{BodyMember, Import, ImportKind};
use crate::header::{Closure, MethodSignature};
use crate::ids::{MethodId, Symbol, TypeId};
use crate::snapshot::{FileData, Snapshot};
use crate::types::{Ty, TyKind};
use flow::{Bound, ClassId, Segment, TypeRef};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

/// One class around a place, with what of it is visible there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) def: TypeId,
    /// Index in the file.
    pub(crate) index: u32,
    /// The method of `def` in which the place is (its type parameters are visible): index in its type.
    pub(crate) method: Option<u32>,
    /// The body of `def` in which the next inner class is declared, and which class of it that is.
    pub(crate) local: Option<(u32, ClassId)>,
}

/// The classes around a member of the type `index`, innermost first.
pub(crate) fn frames(file: &FileData, index: u32, method: Option<u32>) -> Vec<Frame> {
    let mut out = Vec::new();
    let (mut index, mut method, mut local) = (index, method, None);
    loop {
        out.push(Frame {
            def: file.types[index as usize],
            index,
            method,
            local,
        });
        let decl = &file.summary.types[index as usize];
        let Some(outer) = decl.enclosing else {
            return out;
        };
        local = decl.enclosing_body;
        method = local.and_then(
            |(body, _)| match file.summary.bodies[body as usize].member {
                BodyMember::Method(m) => Some(m),
                _ => None,
            },
        );
        index = outer;
    }
}

/// So many imports of a file on demand (`a.*`, static or not, and modules) count, the first: each name that is looked up asks
/// all of them.
const MOST_ON_DEMAND: usize = 100;

/// So many static imports of one member each count, the first: each body notes their classes.
const MOST_STATIC_IMPORTS: usize = 500;

/// A dotted name of more parts than these means nothing: each beginning of it is looked up.
const LONGEST_NAME: usize = 64;

/// Names that a file's imports and package give, remembered for all members of the file.
pub(crate) struct FileScope<'a> {
    pub(crate) data: &'a Snapshot,
    pub(crate) file: &'a FileData,
    found: FxHashMap<Symbol, Option<TypeId>>,
    /// The first single import of each simple name.
    single: FxHashMap<&'a str, &'a str>,
    /// The other imports that count.
    other_imports: Vec<&'a Import>,
    statics: Option<Statics>,
    /// The simple names of the classes whose members are imported.
    pub(crate) imported_classes: Vec<Symbol>,
}

/// The classes of `import static`.
#[derive(Default)]
struct Statics {
    /// Those of which a member of that name is imported.
    of_member: FxHashMap<Symbol, Vec<TypeId>>,
    /// Those imported whole.
    on_demand: Vec<TypeId>,
}

impl<'a> FileScope<'a> {
    pub(crate) fn new(data: &'a Snapshot, file: &'a FileData) -> FileScope<'a> {
        let mut imported_classes = Vec::new();
        let mut single = FxHashMap::default();
        let mut other_imports = Vec::new();
        let (mut static_single, mut on_demand) = (0, 0);
        for import in &file.summary.imports {
            if import.kind == ImportKind::Single {
                let simple = import.name.rsplit('.').next().unwrap_or(&import.name);
                single.entry(simple).or_insert(&*import.name);
                continue;
            }
            let most = match import.kind {
                ImportKind::StaticSingle => MOST_STATIC_IMPORTS,
                _ => MOST_ON_DEMAND,
            };
            let taken = match import.kind {
                ImportKind::StaticSingle => &mut static_single,
                _ => &mut on_demand,
            };
            if *taken == most {
                continue;
            }
            *taken += 1;
            other_imports.push(import);
            let class = match import.kind {
                ImportKind::StaticSingle => import.name.rsplit_once('.').map_or("", |i| i.0),
                ImportKind::StaticOnDemand | ImportKind::OnDemand => &import.name,
                _ => "",
            };
            let parts = class
                .split('.')
                .filter(|p| p.starts_with(char::is_uppercase))
                .take(LONGEST_NAME);
            imported_classes.extend(parts.map(|p| data.ids.symbol(p)));
        }
        imported_classes.sort_unstable();
        imported_classes.dedup();
        FileScope {
            data,
            file,
            found: FxHashMap::default(),
            single,
            other_imports,
            statics: None,
            imported_classes,
        }
    }

    /// A top-level type by package and simple name, first of the own source set.
    pub(crate) fn in_package(&self, package: Symbol, name: Symbol) -> Option<TypeId> {
        let set = self.data.sets.get(self.file.set.ix())?;
        set.visible
            .iter()
            .find_map(|&s| self.data.index.top.get(&(s, package, name)).copied())
    }

    /// The type that a dotted name means. If nothing of the workspace or the library's table: a library type, split
    /// into package and type where the first capital letter is; `None` if there is no such place.
    pub(crate) fn qualified(&self, name: &str) -> Option<TypeId> {
        let (data, ids) = (self.data, &self.data.ids);
        let ends: Vec<usize> = name
            .match_indices('.')
            .map(|m| m.0)
            .chain([name.len()])
            .take(LONGEST_NAME + 1)
            .collect();
        if ends.len() > LONGEST_NAME {
            return None;
        }
        let mut from = 0;
        for (at, &end) in ends.iter().enumerate() {
            let package = if at == 0 { "" } else { &name[..ends[at - 1]] };
            let top = ids.symbol(&name[from..end]);
            from = end + 1;
            let found = self.in_package(ids.symbol(package), top).or_else(|| {
                data.libraries
                    .has(&name[..end])
                    .then(|| ids.library_type(&name[..end]))
            });
            if let Some(mut ty) = found {
                for part in name[end..].split('.').skip(1) {
                    ty = own_member_type(data, ty, ids.symbol(part))?;
                }
                return Some(ty);
            }
        }
        let parts: Vec<&str> = name.split('.').collect();
        let first = parts
            .iter()
            .position(|p| p.starts_with(char::is_uppercase))?;
        let mut binary = parts[..=first].join(".");
        for part in &parts[first + 1..] {
            binary.push('$');
            binary.push_str(part);
        }
        // A type that is missing from a package of the workspace is no library's.
        let package = ids.symbol(&parts[..first].join("."));
        (!data.index.packages.contains(&package)).then(|| ids.library_type(&binary))
    }

    /// The classes that static imports name, in order: all whose members are imported on demand, or those of which the member
    /// `name` is.
    pub(crate) fn static_imports(&mut self, name: Symbol, on_demand: bool) -> Vec<TypeId> {
        if self.statics.is_none() {
            let mut out = Statics::default();
            for import in &self.other_imports {
                match import.kind {
                    ImportKind::StaticSingle => {
                        if let Some((class, member)) = import.name.rsplit_once('.')
                            && let Some(class) = self.qualified(class)
                        {
                            let member = self.data.ids.symbol(member);
                            out.of_member.entry(member).or_default().push(class);
                        }
                    }
                    ImportKind::StaticOnDemand => {
                        out.on_demand.extend(self.qualified(&import.name))
                    }
                    _ => {}
                }
            }
            self.statics = Some(out);
        }
        let statics = self.statics.as_ref();
        let classes = statics.and_then(|statics| match on_demand {
            true => Some(&statics.on_demand),
            false => statics.of_member.get(&name),
        });
        classes.cloned().unwrap_or_default()
    }

    /// The type that a simple name means at the top of the file.
    pub(crate) fn simple(&mut self, name: Symbol) -> Option<TypeId> {
        if let Some(&known) = self.found.get(&name) {
            return known;
        }
        let found = self.find_simple(name);
        self.found.insert(name, found);
        found
    }

    fn find_simple(&mut self, name: Symbol) -> Option<TypeId> {
        let (data, file) = (self.data, self.file);
        let ids = &data.ids;
        let text: &SmolStr = ids.text(name);
        if let Some(import) = self.single.get(text.as_str()) {
            return self.qualified(import);
        }
        // Of a library type outside the table nothing is known, so nothing is found there.
        let is_known = |class: TypeId| !ids.is_library(class) || data.header(class).is_some();
        let in_closure = |class: TypeId| {
            let types = data.closure(class).types.iter().skip(1);
            let all = [class]
                .into_iter()
                .chain(types.filter_map(|&t| ids.as_class(t)).map(|c| c.0));
            all.filter(|&c| is_known(c))
                .find_map(|def| own_member_type(data, def, name))
        };
        let mut classes = self.static_imports(name, false).into_iter();
        if let Some(found) = classes.find_map(in_closure) {
            return Some(found);
        }
        if let Some(found) = self.in_package(file.package, name) {
            return Some(found);
        }
        // A library may have types of the file's package, too; all but private ones are in scope like its own.
        let package = ids.text(file.package);
        let binary = match package.as_str() {
            "" => text.clone(),
            package => format_smolstr!("{package}.{text}"),
        };
        if data.libraries.has(&binary) {
            return Some(ids.library_type(&binary));
        }
        let mut unknown_packages = Vec::new();
        let mut modules = Vec::new();
        for import in &self.other_imports {
            match import.kind {
                ImportKind::OnDemand => {
                    if let Some(found) = self.in_package(ids.symbol(&import.name), name) {
                        return Some(found);
                    }
                    if let Some(found) = data.libraries.of_package(ids, &import.name, text) {
                        return Some(found);
                    }
                    let of_type = import
                        .name
                        .rsplit('.')
                        .next()
                        .is_some_and(|n| n.starts_with(char::is_uppercase));
                    if of_type {
                        let class = self.qualified(&import.name);
                        if let Some(found) = class.and_then(in_closure) {
                            return Some(found);
                        }
                        if class.is_some_and(|c| !is_known(c)) {
                            unknown_packages.push(&import.name);
                        }
                    } else if !data.libraries.has_package(&import.name)
                        && !data.index.packages.contains(&ids.symbol(&import.name))
                    {
                        unknown_packages.push(&import.name);
                    }
                }
                ImportKind::Module => modules.push(&import.name),
                _ => {}
            }
        }
        let mut classes = self.static_imports(name, true).into_iter();
        if let Some(found) = classes.find_map(in_closure) {
            return Some(found);
        }
        if let Some(found) = data.libraries.of_package(ids, "java.lang", text) {
            return Some(found);
        }
        let mut of_modules = modules.into_iter();
        if let Some(binary) = of_modules.find_map(|m| data.libraries.of_module(m, text)) {
            return Some(ids.library_type(&binary));
        }
        if !text.starts_with(char::is_uppercase) {
            return None;
        }
        match unknown_packages.as_slice() {
            [] => None,
            [package] => Some(ids.library_type(&format_smolstr!("{package}.{text}"))),
            // From one of several libraries: it has no name here that is certain, but it is no type of the workspace.
            _ => Some(ids.library_type(text)),
        }
    }
}

/// A member type that `def` itself declares.
pub(crate) fn own_member_type(data: &Snapshot, def: TypeId, name: Symbol) -> Option<TypeId> {
    if let Some((file, at)) = data.type_at(def) {
        let members = &file.member_types[at];
        let first = members.partition_point(|m| m.0 < name);
        return members.get(first).filter(|m| m.0 == name).map(|m| m.1);
    }
    if !data.ids.is_library(def) {
        return None;
    }
    let outer = data.ids.type_name(def);
    let binary = format_smolstr!("{outer}${}", data.ids.text(name));
    // Of a library type outside the table nothing is known: what is named as its member will be one.
    (data.libraries.has(&binary) || !data.libraries.has(outer))
        .then(|| data.ids.library_type(&binary))
}

/// Looking up names on behalf of one member or type, with a note of every name.
pub(crate) struct Lookup<'a, 's> {
    pub(crate) data: &'a Snapshot,
    pub(crate) scope: &'s mut FileScope<'a>,
    pub(crate) frames: Vec<Frame>,
    /// A class whose header is read: its member types are not in scope there.
    hidden: Option<TypeId>,
    /// The method whose type parameters are being inferred; it may be one around this place, called by itself.
    pub(crate) inferring: Option<MethodId>,
    /// The type arguments that the call writes for its method.
    pub(crate) written: Vec<Ty>,
    /// Type arguments are compared too, not only classes.
    pub(crate) compare_arguments: bool,
    pub(crate) looked_up: FxHashSet<Symbol>,
}

impl<'a, 's> Lookup<'a, 's> {
    pub(crate) fn new(
        scope: &'s mut FileScope<'a>,
        index: u32,
        method: Option<u32>,
    ) -> Lookup<'a, 's> {
        let frames = frames(scope.file, index, method);
        Lookup {
            data: scope.data,
            scope,
            frames,
            hidden: None,
            inferring: None,
            written: Vec::new(),
            compare_arguments: false,
            looked_up: FxHashSet::default(),
        }
    }

    pub(crate) fn hide_members_of(&mut self, def: TypeId) {
        self.hidden = Some(def);
    }

    /// The names noted, sorted.
    pub(crate) fn noted(&self) -> Box<[Symbol]> {
        #[allow(clippy::iter_over_hash_type, reason = "sorted at once")]
        let mut out: Vec<Symbol> = self.looked_up.iter().copied().collect();
        out.sort_unstable();
        out.into()
    }

    pub(crate) fn note_type(&mut self, def: TypeId) {
        if let Some(key) = self.data.key(def) {
            self.looked_up.insert(key);
        }
    }
    pub(crate) fn closure(&mut self, def: TypeId) -> &'a Closure {
        self.note_type(def);
        self.data.closure(def)
    }

    /// A member type, also an inherited one.
    pub(crate) fn member_type(&mut self, def: TypeId, name: Symbol) -> Option<TypeId> {
        self.looked_up.insert(name);
        if let Some(found) = own_member_type(self.data, def, name) {
            return Some(found);
        }
        let data = self.data;
        let types = self.closure(def).types.iter().skip(1);
        types
            .filter_map(|&t| data.ids.as_class(t))
            .find_map(|(def, _)| {
                // What an unknown library type may have is no reason to stop here.
                let certain = !data.ids.is_library(def) || data.header(def).is_some();
                if certain {
                    own_member_type(data, def, name)
                } else {
                    None
                }
            })
    }

    /// What a simple name means as a type here.
    pub(crate) fn simple_type(&mut self, name: Symbol) -> Option<Ty> {
        self.looked_up.insert(name);
        let (data, file) = (self.data, self.scope.file);
        let text = data.ids.text(name);
        for at in 0..self.frames.len() {
            let frame = self.frames[at];
            let decl = &file.summary.types[frame.index as usize];
            if let Some((body, class)) = frame.local {
                if let Some(inner) = at.checked_sub(1).map(|i| self.frames[i])
                    && file.keys[inner.index as usize] == name
                {
                    return Some(self.named(inner.def, &[]));
                }
                let record = &file.summary.bodies[body as usize].body;
                let visible = record.classes[class.ix()].visible_classes.iter().rev();
                for &other in visible {
                    if record.classes[other.ix()]
                        .name
                        .is_some_and(|n| record.name(n) == text)
                        && let Some(def) = file.body_classes[body as usize][other.ix()]
                    {
                        return Some(self.named(def, &[]));
                    }
                }
            }
            if let Some(method) = frame.method
                && let Some(param) = decl.methods[method as usize]
                    .type_params
                    .iter()
                    .position(|p| p.name == *text)
            {
                let owner = file.methods[frame.index as usize][method as usize];
                return Some(data.ids.ty(TyKind::MethodVar {
                    owner,
                    index: param as u16,
                }));
            }
            if let Some(param) = decl.type_params.iter().position(|p| p.name == *text) {
                return Some(data.ids.ty(TyKind::ClassVar {
                    owner: frame.def,
                    index: param as u16,
                }));
            }
            if self.hidden != Some(frame.def)
                && let Some(def) = self.member_type(frame.def, name)
            {
                return Some(self.named(def, &[]));
            }
        }
        self.note_imports();
        let def = self.scope.simple(name)?;
        Some(self.named(def, &[]))
    }

    /// Notes that members of imported classes were looked for.
    pub(crate) fn note_imports(&mut self) {
        self.looked_up
            .extend(self.scope.imported_classes.iter().copied());
    }

    /// A class with arguments; raw if their number does not fit.
    pub(crate) fn named(&mut self, def: TypeId, args: &[Ty]) -> Ty {
        self.note_type(def);
        let count = self.data.type_param_count(def);
        // Of a library type outside the table the parameters are not known: the arguments are kept.
        let unknown = self.data.ids.is_library(def) && self.data.header(def).is_none();
        self.data.ids.class(
            def,
            if args.len() == count || unknown {
                args
            } else {
                &[]
            },
        )
    }

    /// A type as written. Nested at most as deep as lowering reads.
    pub(crate) fn ty(&mut self, ty: &TypeRef) -> Ty {
        match ty {
            TypeRef::Inferred | TypeRef::Error => Ty::UNKNOWN,
            TypeRef::Primitive(p) => Ty::primitive(*p),
            TypeRef::Array(element) => {
                let (mut element, mut dimensions) = (&**element, 1);
                while let TypeRef::Array(inner) = element {
                    (element, dimensions) = (inner, dimensions + 1);
                }
                let mut out = self.ty(element);
                if out != Ty::UNKNOWN {
                    for _ in 0..dimensions {
                        out = self.data.ids.array(out);
                    }
                }
                out
            }
            TypeRef::Several(types) => {
                let parts: Vec<Ty> = types.iter().map(|t| self.ty(t)).collect();
                self.data.ids.intersection(&parts)
            }
            TypeRef::Wildcard(None) => self.data.ids.ty(TyKind::Any),
            TypeRef::Wildcard(Some((Bound::Extends, bound))) => match self.ty(bound) {
                object if object == self.data.object() => self.data.ids.ty(TyKind::Any),
                bound => bound,
            },
            TypeRef::Wildcard(Some((Bound::Super, bound))) => {
                let bound = self.ty(bound);
                if bound == Ty::UNKNOWN {
                    bound
                } else {
                    self.data.ids.ty(TyKind::Lower(bound))
                }
            }
            TypeRef::Named(segments) => self.segments(segments, None),
        }
    }

    /// A named type; `outer` is the class whose member the first segment is, if that is known.
    pub(crate) fn segments(&mut self, segments: &[Segment], outer: Option<TypeId>) -> Ty {
        let ids = &self.data.ids;
        let Some(first) = segments.first() else {
            return Ty::UNKNOWN;
        };
        let name = ids.symbol(&first.name);
        let found = match outer {
            Some(outer) => self
                .member_type(outer, name)
                .map(|def| self.named(def, &[])),
            None => self.simple_type(name),
        };
        let mut found = found;
        let mut at = 1;
        if found.is_none() && segments.len() > 1 {
            for segment in segments {
                self.looked_up.insert(ids.symbol(&segment.name));
            }
            let dotted = segments
                .iter()
                .map(|s| s.name.as_str())
                .collect::<Vec<_>>()
                .join(".");
            found = self
                .scope
                .qualified(&dotted)
                .map(|def| self.named(def, &[]));
            at = segments.len();
        }
        let Some(mut ty) = found else {
            return Ty::UNKNOWN;
        };
        for segment in segments.get(at..).unwrap_or(&[]) {
            let Some((def, _)) = ids.as_class(ty) else {
                return Ty::UNKNOWN;
            };
            let Some(member) = self.member_type(def, ids.symbol(&segment.name)) else {
                return Ty::UNKNOWN;
            };
            ty = self.named(member, &[]);
        }
        let written = segments.last().map_or(&[][..], |s| &s.args);
        if written.is_empty() {
            return ty;
        }
        let args: Vec<Ty> = written.iter().map(|a| self.ty(a)).collect();
        match ids.as_class(ty) {
            Some((def, _)) => self.named(def, &args),
            None => ty,
        }
    }

    /// The signature of a method by id.
    pub(crate) fn signature(&mut self, id: MethodId) -> Option<&'a MethodSignature> {
        self.data.signature(id)
    }
}

impl Snapshot {
    pub(crate) fn signature(&self, id: MethodId) -> Option<&MethodSignature> {
        let key = self.ids.methods.get(id.0);
        self.header(key.owner)?
            .methods_named(key.name)
            .iter()
            .find(|m| m.id == id)
    }
}
