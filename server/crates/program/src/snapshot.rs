//! The tables of one state of the program, and how to read them.
//!
//! Everything is an `Arc`, so a snapshot is cheap to keep and the next one shares what did not change.

use crate::declarations::{BodyDecl, BodyMember, FieldDecl, FileSummary, MethodDecl, TypeDecl};
use crate::generated::GeneratedPaths;
use crate::header::{Closure, Header, Supertypes};
use crate::hierarchy::Hierarchy;
use crate::ids::{
    BodyId, BodyKey, FieldId, FieldKey, FileId, Ids, Member, MethodId, MethodKey, SourceSetId,
    Symbol, TypeId, TypeKey,
};
use crate::names::written;
use crate::resolve::ResolvedBody;
use crate::table::Table;
use crate::types::library::Libraries;
use crate::types::{Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::format_smolstr;
use std::sync::{Arc, LazyLock};
use syntax::Queries;

/// One source set.
#[derive(Clone, Debug)]
pub(crate) struct SourceSet {
    pub(crate) is_test: bool,
    /// Itself first, then those that it sees.
    pub(crate) visible: Vec<SourceSetId>,
}

/// The types that are members of one, by simple name.
pub(crate) type MemberTypes = Box<[(Symbol, TypeId)]>;

/// One file and the numbers of what it declares, parallel to its summary.
#[derive(Debug)]
pub(crate) struct FileData {
    pub(crate) path: Arc<str>,
    pub(crate) set: SourceSetId,
    pub(crate) text: Arc<str>,
    pub(crate) summary: Arc<FileSummary>,
    pub(crate) package: Symbol,
    /// Which types are declared elsewhere already; see [`TypeKey::duplicate`].
    pub(crate) duplicates: Vec<(u32, u32)>,
    pub(crate) types: Arc<[TypeId]>,
    /// Simple names; of an anonymous class its binary name, which nobody else uses.
    pub(crate) keys: Arc<[Symbol]>,
    pub(crate) methods: Arc<[Box<[MethodId]>]>,
    pub(crate) fields: Arc<[Box<[FieldId]>]>,
    pub(crate) bodies: Vec<BodyId>,
    /// Member types of each type, sorted by symbol.
    pub(crate) member_types: Arc<[MemberTypes]>,
    /// The types of the local and anonymous classes of each body, by [`flow::ClassId`].
    pub(crate) body_classes: Vec<Vec<Option<TypeId>>>,
}

/// A declaration's place: file and position in its table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) file: FileId,
    pub(crate) index: u32,
}

/// A member's place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MemberAt {
    pub(crate) file: FileId,
    pub(crate) ty: u32,
    pub(crate) index: u32,
}

/// Top-level types by name.
#[derive(Debug, Default, Clone)]
pub(crate) struct TypeIndex {
    pub(crate) top: FxHashMap<(SourceSetId, Symbol, Symbol), TypeId>,
    pub(crate) packages: FxHashSet<Symbol>,
}

/// Names that the rules of the language mention.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) object: TypeId,
    pub(crate) string: TypeId,
    pub(crate) class: TypeId,
    pub(crate) iterable: TypeId,
    pub(crate) enum_: TypeId,
    pub(crate) record: TypeId,
    pub(crate) annotation: TypeId,
    pub(crate) cloneable: TypeId,
    pub(crate) serializable: TypeId,
    /// Of boolean, byte, short, char, int, long, float, double.
    pub(crate) boxes: [TypeId; 8],
    pub(crate) init: Symbol,
    pub(crate) length: Symbol,
    pub(crate) new: Symbol,
    pub(crate) clone: Symbol,
    pub(crate) get_class: Symbol,
}

impl Known {
    pub(crate) fn new(ids: &Ids) -> Known {
        let lang = |name: &str| ids.library_type(&format_smolstr!("java.lang.{name}"));
        Known {
            object: lang("Object"),
            string: lang("String"),
            class: lang("Class"),
            iterable: lang("Iterable"),
            enum_: lang("Enum"),
            record: lang("Record"),
            annotation: lang("annotation.Annotation"),
            cloneable: lang("Cloneable"),
            serializable: ids.library_type("java.io.Serializable"),
            boxes: [
                "Boolean",
                "Byte",
                "Short",
                "Character",
                "Integer",
                "Long",
                "Float",
                "Double",
            ]
            .map(lang),
            init: ids.symbol("<init>"),
            length: ids.symbol("length"),
            new: ids.symbol("new"),
            clone: ids.symbol("clone"),
            get_class: ids.symbol("getClass"),
        }
    }
}

/// See the module's description.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// The workspace's own queries, if it has any.
    pub(crate) queries: Option<Arc<Queries>>,
    /// What the configuration says of paths.
    pub(crate) generated: GeneratedPaths,
    pub(crate) ids: Arc<Ids>,
    pub(crate) libraries: Arc<Libraries>,
    pub(crate) known: Known,
    pub(crate) sets: Arc<[SourceSet]>,
    /// By [`FileId`].
    pub(crate) files: Table<Arc<FileData>>,
    /// Files by path.
    pub(crate) order: Arc<[FileId]>,
    pub(crate) types: Table<At>,
    pub(crate) methods: Table<MemberAt>,
    pub(crate) fields: Table<MemberAt>,
    pub(crate) bodies: Table<At>,
    pub(crate) index: Arc<TypeIndex>,
    pub(crate) supertypes: Table<Arc<Supertypes>>,
    pub(crate) closures: Table<Arc<Closure>>,
    pub(crate) headers: Table<Arc<Header>>,
    pub(crate) resolved: Table<Arc<ResolvedBody>>,
    pub(crate) hierarchy: Arc<Hierarchy>,
}

/// How many steps up from a type are looked at; people's hierarchies have a dozen. Each type keeps all that is above it, so a
/// chain of thousands would need its square.
const DEEPEST_SUPERTYPE: usize = 64;

/// How many types above a type are looked at.
const MOST_SUPERTYPES: usize = 500;

static NO_CLOSURE: LazyLock<Closure> = LazyLock::new(Closure::default);

impl Snapshot {
    pub(crate) fn file(&self, id: FileId) -> Option<&Arc<FileData>> {
        self.files.get(id.ix())
    }
    /// The file and position of a type of the workspace.
    pub(crate) fn type_at(&self, id: TypeId) -> Option<(&FileData, usize)> {
        let at = self.types.get(id.ix())?;
        Some((self.file(at.file)?, at.index as usize))
    }
    pub(crate) fn type_decl(&self, id: TypeId) -> Option<&TypeDecl> {
        self.type_at(id).map(|(file, at)| &file.summary.types[at])
    }
    pub(crate) fn method_at(&self, id: MethodId) -> Option<(&FileData, MemberAt)> {
        let at = *self.methods.get(id.ix())?;
        Some((self.file(at.file)?, at))
    }
    pub(crate) fn method_decl(&self, id: MethodId) -> Option<&MethodDecl> {
        self.method_at(id)
            .map(|(file, at)| &file.summary.types[at.ty as usize].methods[at.index as usize])
    }
    pub(crate) fn field_at(&self, id: FieldId) -> Option<(&FileData, MemberAt)> {
        let at = *self.fields.get(id.ix())?;
        Some((self.file(at.file)?, at))
    }
    pub(crate) fn field_decl(&self, id: FieldId) -> Option<&FieldDecl> {
        self.field_at(id)
            .map(|(file, at)| &file.summary.types[at.ty as usize].fields[at.index as usize])
    }
    pub(crate) fn body_at(&self, id: BodyId) -> Option<(&FileData, usize)> {
        let at = self.bodies.get(id.ix())?;
        Some((self.file(at.file)?, at.index as usize))
    }
    pub(crate) fn body_decl(&self, id: BodyId) -> Option<&BodyDecl> {
        self.body_at(id).map(|(file, at)| &file.summary.bodies[at])
    }

    fn library_row(&self, def: TypeId) -> Option<&(Header, Supertypes)> {
        self.libraries.row(&self.ids, def)
    }
    /// The header of a type of the workspace or of the library's table.
    pub(crate) fn header(&self, def: TypeId) -> Option<&Header> {
        if self.ids.is_library(def) {
            return self.library_row(def).map(|row| &row.0);
        }
        self.headers.get(def.ix()).map(|h| &**h)
    }
    pub(crate) fn supertypes(&self, def: TypeId) -> Option<&Supertypes> {
        if self.ids.is_library(def) {
            return self.library_row(def).map(|row| &row.1);
        }
        self.supertypes.get(def.ix()).map(|s| &**s)
    }
    pub(crate) fn closure(&self, def: TypeId) -> &Closure {
        if self.ids.is_library(def) {
            return self.libraries.closure(def, || self.compute_closure(def));
        }
        self.closures.get(def.ix()).map_or(&*NO_CLOSURE, |c| &**c)
    }
    /// How many type parameters a class has. Does not need its header.
    pub(crate) fn type_param_count(&self, def: TypeId) -> usize {
        match self.type_decl(def) {
            Some(decl) => decl.type_params.len(),
            None => self.header(def).map_or(0, |h| h.params.len()),
        }
    }
    pub(crate) fn is_interface(&self, def: TypeId) -> bool {
        use crate::declarations::TypeDeclKind::{Annotation, Interface};
        match self.type_decl(def) {
            Some(decl) => matches!(decl.kind, Interface | Annotation),
            None => self.header(def).is_some_and(Header::is_interface),
        }
    }
    /// A class with its own type parameters as arguments: the type of `this` in it.
    pub(crate) fn this_type(&self, def: TypeId) -> Ty {
        let args: Vec<Ty> = (0..self.type_param_count(def))
            .map(|index| {
                self.ids.ty(TyKind::ClassVar {
                    owner: def,
                    index: index as u16,
                })
            })
            .collect();
        self.ids.class(def, &args)
    }
    pub(crate) fn object(&self) -> Ty {
        self.ids.class(self.known.object, &[])
    }

    /// `ty`, written in terms of the type parameters of `def`, for the instance `args` of it; raw if there are none.
    pub(crate) fn instantiate(&self, ty: Ty, def: TypeId, args: &[Ty]) -> Ty {
        if args.is_empty() {
            if self.type_param_count(def) == 0 {
                return ty;
            }
            return match self.ids.kind(ty) {
                TyKind::Class { def, .. } => self.ids.class(*def, &[]),
                _ => ty,
            };
        }
        self.ids.replace(ty, &mut |var| match var {
            TyKind::ClassVar { owner, index } if *owner == def => Some(
                args.get(usize::from(*index))
                    .copied()
                    .unwrap_or(Ty::UNKNOWN),
            ),
            _ => None,
        })
    }

    /// All supertypes of `def`, from the direct ones, as far as [`DEEPEST_SUPERTYPE`] and [`MOST_SUPERTYPES`] go; what is
    /// beyond is not known. Cyclic declarations end where the cycle closes.
    pub(crate) fn compute_closure(&self, def: TypeId) -> Closure {
        let mut types = vec![self.this_type(def)];
        let mut seen: FxHashSet<TypeId> = FxHashSet::from_iter([def]);
        let mut opaque = false;
        // What a row of the library's table names without having a row itself adds nothing that anyone asks for.
        let mut leaves: FxHashSet<TypeId> = FxHashSet::default();
        let has_row =
            |def: TypeId| self.ids.is_library(def) && self.libraries.is_of_table(&self.ids, def);
        let mut at = 0;
        while let Some((current, args)) = self.ids.as_class(types[at]) {
            let Some(supers) = self.supertypes(current) else {
                opaque |= !leaves.contains(&current);
                break;
            };
            let Some(superclass) = supers.superclass else {
                break;
            };
            let superclass = self.instantiate(superclass, current, args);
            let Some((next, _)) = self.ids.as_class(superclass) else {
                opaque = true;
                break;
            };
            if at == DEEPEST_SUPERTYPE {
                opaque = true;
                break;
            }
            if !seen.insert(next) {
                break;
            }
            if has_row(current) {
                leaves.insert(next);
            }
            types.push(superclass);
            at += 1;
        }
        if opaque && seen.insert(self.known.object) {
            types.push(self.object());
        }
        let classes = types.len() as u32;
        let mut at = 0;
        // Where the interfaces that so many steps lead to end.
        let (mut depth, mut level_ends) = (0, types.len());
        while at < types.len() {
            if at == level_ends {
                (depth, level_ends) = (depth + 1, types.len());
            }
            let Some((current, args)) = self.ids.as_class(types[at]) else {
                break;
            };
            if depth == DEEPEST_SUPERTYPE {
                let supers = self.supertypes(current);
                opaque |= supers.is_none_or(|supers| !supers.interfaces.is_empty());
                at += 1;
                continue;
            }
            match self.supertypes(current) {
                None => opaque |= !leaves.contains(&current),
                Some(supers) => {
                    for &interface in &supers.interfaces {
                        if types.len() >= MOST_SUPERTYPES {
                            opaque = true;
                            break;
                        }
                        let interface = self.instantiate(interface, current, args);
                        match self.ids.as_class(interface) {
                            Some((next, _)) => {
                                if seen.insert(next) {
                                    if has_row(current) {
                                        leaves.insert(next);
                                    }
                                    types.push(interface);
                                }
                            }
                            None => opaque = true,
                        }
                    }
                }
            }
            at += 1;
        }
        self.sort_interfaces(&mut types, classes as usize);
        if seen.insert(self.known.object) {
            types.push(self.object());
        }
        Closure {
            types: types.into(),
            classes,
            opaque,
        }
    }

    /// Sorts the interfaces after the first `classes` of `types`: those with most above them first, so that a
    /// subinterface stands before what it extends, and of equal ones the workspace's before a library's. Where two
    /// declare the same method, the first counts (javac goes by rank, too).
    fn sort_interfaces(&self, types: &mut [Ty], classes: usize) {
        let Some(interfaces) = types.get_mut(classes..).filter(|i| i.len() > 1) else {
            return;
        };
        let defs: Vec<Option<TypeId>> = interfaces
            .iter()
            .map(|&t| self.ids.as_class(t).map(|c| c.0))
            .collect();
        let places: FxHashMap<TypeId, usize> = defs
            .iter()
            .enumerate()
            .filter_map(|(at, def)| Some(((*def)?, at)))
            .collect();
        let above: Vec<Vec<usize>> = defs
            .iter()
            .map(|def| {
                let supers = def
                    .and_then(|d| self.supertypes(d))
                    .map_or(&[][..], |s| &s.interfaces);
                let supers = supers.iter().filter_map(|&t| self.ids.as_class(t));
                supers
                    .filter_map(|(d, _)| places.get(&d).copied())
                    .collect()
            })
            .collect();
        let mut rank = vec![0usize; defs.len()];
        // As many rounds as the longest chain has members; cyclic declarations end all the same.
        for _ in 0..defs.len() {
            let mut changed = false;
            // What is above mostly stands behind: from there two rounds are enough.
            for at in (0..defs.len()).rev() {
                let new = above[at]
                    .iter()
                    .map(|&s| rank[s] + 1)
                    .max()
                    .unwrap_or(0)
                    .min(defs.len());
                changed |= new != rank[at];
                rank[at] = new;
            }
            if !changed {
                break;
            }
        }
        let mut order: Vec<usize> = (0..defs.len()).collect();
        order.sort_by_key(|&at| {
            (
                std::cmp::Reverse(rank[at]),
                defs[at].is_some_and(|d| self.ids.is_library(d)),
                at,
            )
        });
        let sorted: Vec<Ty> = order.iter().map(|&at| interfaces[at]).collect();
        interfaces.copy_from_slice(&sorted);
    }

    /// The outermost class around a type.
    pub(crate) fn outermost(&self, def: TypeId) -> TypeId {
        let Some((file, mut at)) = self.type_at(def) else {
            return def;
        };
        while let Some(outer) = file.summary.types[at].enclosing {
            at = outer as usize;
        }
        file.types[at]
    }
    pub(crate) fn package_of(&self, def: TypeId) -> Option<Symbol> {
        if self.ids.is_library(def) {
            return Some(Libraries::package_of(&self.ids, def));
        }
        self.type_at(def).map(|(file, _)| file.package)
    }
    /// The name under which bodies note that they looked at a type: its simple name.
    pub(crate) fn key(&self, def: TypeId) -> Option<Symbol> {
        self.type_at(def).map(|(file, at)| file.keys[at])
    }
    /// The name under which looking for a type's constructors is noted.
    pub(crate) fn constructor_key(&self, key: Symbol) -> Symbol {
        self.ids
            .symbol(&format_smolstr!("{}#<init>", self.ids.text(key)))
    }
    /// The name under which looking for the one abstract method of an interface is noted.
    pub(crate) fn functional_key(&self, key: Symbol) -> Symbol {
        self.ids
            .symbol(&format_smolstr!("{}#->", self.ids.text(key)))
    }
}

impl FileData {
    /// Numbers for all that `summary` declares.
    pub(crate) fn new(
        ids: &Ids,
        path: Arc<str>,
        set: SourceSetId,
        text: Arc<str>,
        summary: Arc<FileSummary>,
        duplicates: Vec<(u32, u32)>,
    ) -> FileData {
        let package = ids.symbol(&summary.package);
        let (mut types, mut keys) = (Vec::new(), Vec::new());
        let (mut methods, mut fields) = (Vec::new(), Vec::new());
        for (decl, &duplicate) in summary.types.iter().zip(&duplicates) {
            let name = ids.symbol(&decl.binary_name);
            let owner = TypeId(ids.types.intern(TypeKey {
                set: set.0,
                name,
                duplicate,
            }));
            types.push(owner);
            keys.push(if decl.name.is_empty() {
                name
            } else {
                ids.symbol(&decl.name)
            });
            let mut seen: FxHashMap<(Symbol, Symbol), u32> = FxHashMap::default();
            let of_type = decl.methods.iter().map(|m| {
                let name = ids.symbol(&m.name);
                let params = ids.symbol(&written(m.params.iter().map(|p| &p.ty)));
                let count = seen.entry((name, params)).or_insert(0);
                let duplicate = *count;
                *count += 1;
                MethodId(ids.methods.intern(MethodKey {
                    owner,
                    name,
                    params,
                    duplicate,
                }))
            });
            methods.push(of_type.collect());
            let mut seen: FxHashMap<Symbol, u32> = FxHashMap::default();
            let of_type = decl.fields.iter().map(|f| {
                let name = ids.symbol(&f.name);
                let count = seen.entry(name).or_insert(0);
                let duplicate = *count;
                *count += 1;
                FieldId(ids.fields.intern(FieldKey {
                    owner,
                    name,
                    duplicate,
                }))
            });
            fields.push(of_type.collect());
        }
        let mut member_types: Vec<Vec<(Symbol, TypeId)>> = vec![Vec::new(); types.len()];
        for (at, decl) in summary.types.iter().enumerate() {
            if let (Some(outer), None) = (decl.enclosing, decl.enclosing_body) {
                member_types[outer as usize].push((keys[at], types[at]));
            }
        }
        for of_type in &mut member_types {
            // Stable: of two of one name the first counts.
            of_type.sort_by_key(|m| m.0);
        }
        let mut file = FileData {
            path,
            set,
            text,
            summary,
            package,
            duplicates,
            types: types.into(),
            keys: keys.into(),
            methods: methods.into(),
            fields: fields.into(),
            bodies: Vec::new(),
            member_types: member_types.into_iter().map(Vec::into).collect(),
            body_classes: Vec::new(),
        };
        file.number_bodies(ids);
        file
    }

    /// The same declarations with other bodies.
    pub(crate) fn with_bodies(
        &self,
        ids: &Ids,
        text: Arc<str>,
        summary: Arc<FileSummary>,
    ) -> FileData {
        let mut file = FileData {
            path: self.path.clone(),
            set: self.set,
            text,
            summary,
            package: self.package,
            duplicates: self.duplicates.clone(),
            types: self.types.clone(),
            keys: self.keys.clone(),
            methods: self.methods.clone(),
            fields: self.fields.clone(),
            bodies: Vec::new(),
            member_types: self.member_types.clone(),
            body_classes: Vec::new(),
        };
        file.number_bodies(ids);
        file
    }

    fn number_bodies(&mut self, ids: &Ids) {
        self.bodies.reserve_exact(self.summary.bodies.len());
        self.body_classes.reserve_exact(self.summary.bodies.len());
        for decl in &self.summary.bodies {
            let owner = decl.owner as usize;
            let member = match decl.member {
                BodyMember::Method(m) => Member::Method(self.methods[owner][m as usize]),
                BodyMember::Clinit => Member::Clinit,
                BodyMember::Init => Member::Init,
            };
            let owner = self.types[owner];
            let body = ids.bodies.intern(BodyKey { owner, member });
            self.bodies.push(BodyId(body));
            self.body_classes.push(vec![None; decl.body.classes.len()]);
        }
        for (at, decl) in self.summary.types.iter().enumerate() {
            if let Some((body, class)) = decl.enclosing_body {
                self.body_classes[body as usize][class.ix()] = Some(self.types[at]);
            }
        }
    }
}
