//! An immutable state of all files, and how to come to the next one.

use crate::build;
use crate::changes;
use crate::classes::ClassSource;
use crate::declarations::{BodyDecl, FieldDecl, FileSummary, MethodDecl, TypeDecl};
use crate::generated::{GeneratedPaths, Generator};
use crate::ids::{BodyId, BodyKey, FieldId, FileId, Member, MethodId, SourceSetId, Symbol, TypeId};
use crate::resolve::{ResolvedBody, ResolvedCounts};
use crate::snapshot::Snapshot;
use crate::types::Ty;
use flow::{LambdaId, TypeRef};
use smol_str::SmolStr;
use std::sync::Arc;
use syntax::Queries;

/// A source set as given.
#[derive(Clone, Debug, Default)]
pub struct SourceSetInput {
    /// True for tests.
    pub is_test: bool,
    /// The source sets whose types it sees after its own, in order (positions in the list). Not followed further.
    pub visible: Vec<SourceSetId>,
}

impl SourceSetInput {
    /// Code, and behind it the tests that see it: what most modules are.
    pub fn code_and_tests() -> Vec<SourceSetInput> {
        let set = |visible: Vec<SourceSetId>| SourceSetInput {
            is_test: !visible.is_empty(),
            visible,
        };
        vec![set(Vec::new()), set(vec![SourceSetId(0)])]
    }
}

/// A file as given.
#[derive(Clone, Debug)]
pub struct FileInput {
    /// Names the file; relative to the root, with `/`.
    pub path: Arc<str>,
    /// Its source set.
    pub source_set: SourceSetId,
    /// Its text.
    pub text: Arc<str>,
}

/// All that a program is made of.
#[derive(Clone, Debug, Default)]
pub struct ProgramInput {
    /// The source sets; files name them by position.
    pub source_sets: Vec<SourceSetInput>,
    /// The files. Of those with one path the last counts.
    pub files: Vec<FileInput>,
    /// The workspace's own queries for tests and assertions: what they capture stands in [`MethodDecl::captured`] and
    /// [`BodyDecl::assertions`], now and after every change. Costs a walk of each tree a query.
    pub queries: Option<Arc<Queries>>,
    /// What the configuration says of which paths' tests are generated, kept over [`Program::with_changes`].
    pub generated: GeneratedPaths,
    /// The classes of the JDK and of libraries, kept over [`Program::with_changes`]. If it has no `java.lang.Object`, a
    /// built-in table of the JDK's commonest types stands in for the JDK.
    pub classes: Option<Arc<dyn ClassSource>>,
}

/// A changed, new or removed file.
#[derive(Clone, Debug)]
pub struct Change {
    /// Names the file.
    pub path: Arc<str>,
    /// Its new text; `None` removes it.
    pub text: Option<Arc<str>>,
    /// Its source set.
    pub source_set: SourceSetId,
}

/// How much was computed since the first snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counters {
    /// Files parsed and summarised.
    pub summarised: u64,
    /// Types whose signatures were resolved.
    pub headers_resolved: u64,
    /// Bodies resolved.
    pub bodies_resolved: u64,
}

#[derive(Debug)]
pub(crate) struct Inner {
    /// Counts all snapshots of one [`Ids`](crate::ids::Ids).
    pub(crate) revision: u64,
    /// The revision that this one was made from.
    pub(crate) follows: Option<u64>,
    pub(crate) data: Snapshot,
    pub(crate) counters: Counters,
    pub(crate) changed: Vec<BodyId>,
}

/// All files at one moment: declarations, bodies, what names mean. Cheap to clone; never changes.
///
/// Numbers are stable over all snapshots that come from one [`Program::build`]; their order means nothing.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) inner: Arc<Inner>,
}

impl Program {
    /// Parses, summarises and resolves `files`, on all cores. Of files with one path the last counts. Cost: linear
    /// in the texts.
    pub fn build(source_sets: Vec<SourceSetInput>, files: Vec<FileInput>) -> Program {
        Program::build_with(ProgramInput {
            source_sets,
            files,
            ..ProgramInput::default()
        })
    }

    /// The same from all that a workspace is made of.
    pub fn build_with(input: ProgramInput) -> Program {
        build::build(input)
    }

    /// The same as long as it is wanted, which is asked when a file was parsed, once for each, from any thread; nothing once
    /// it is not.
    pub fn build_while(input: ProgramInput, wanted: &(dyn Fn() -> bool + Sync)) -> Option<Program> {
        build::build_while(input, wanted)
    }

    /// The program after `changes`; computes again only what they touch. Equals building from the new texts.
    pub fn with_changes(&self, changes: Vec<Change>) -> Program {
        changes::apply(self, changes)
    }

    /// How much was computed since the first snapshot.
    pub fn counters(&self) -> Counters {
        self.inner.counters
    }

    /// The bodies that the last change added, removed or made anew (records or meaning). After a build: all.
    pub fn changed_bodies(&self) -> &[BodyId] {
        &self.inner.changed
    }

    /// True if an initialiser came or went with the last change, made to `earlier`: a field was given its first value, or a block
    /// was written. Whoever makes an object, or needs the class, runs it, and names it nowhere.
    pub fn has_other_initialisers(&self, earlier: &Program) -> bool {
        let differs = |b: &BodyId| self.body(*b).is_some() != earlier.body(*b).is_some();
        let is_initialiser = |b: &BodyId| self.body_method(*b).is_none();
        let mut changed = self.changed_bodies().iter();
        changed.any(|b| is_initialiser(b) && differs(b))
    }

    /// True if this is what [`Program::with_changes`] of `earlier` gave: what differs is in
    /// [`Program::changed_bodies`], and in the declarations if they are not the same.
    pub fn follows(&self, earlier: &Program) -> bool {
        Arc::ptr_eq(&self.data().ids, &earlier.data().ids)
            && self.inner.follows == Some(earlier.inner.revision)
    }

    /// True if no declaration changed between the two: whatever rests on declarations alone is the same.
    pub fn same_declarations(&self, other: &Program) -> bool {
        Arc::ptr_eq(&self.data().hierarchy, &other.data().hierarchy)
    }

    pub(crate) fn data(&self) -> &Snapshot {
        &self.inner.data
    }

    // --- files ---

    /// All files by path.
    pub fn files(&self) -> &[FileId] {
        &self.data().order
    }
    /// The file of that path.
    pub fn file(&self, path: &str) -> Option<FileId> {
        let id = FileId(self.data().ids.files.find(&Arc::from(path))?);
        self.data().file(id).map(|_| id)
    }
    /// The path of a file.
    pub fn path(&self, file: FileId) -> Option<&Arc<str>> {
        self.data().file(file).map(|f| &f.path)
    }
    /// The text of a file.
    pub fn text(&self, file: FileId) -> Option<&Arc<str>> {
        self.data().file(file).map(|f| &f.text)
    }
    /// What a file declares.
    pub fn summary(&self, file: FileId) -> Option<&Arc<FileSummary>> {
        self.data().file(file).map(|f| &f.summary)
    }
    /// The source set of a file.
    pub fn source_set(&self, file: FileId) -> Option<SourceSetId> {
        self.data().file(file).map(|f| f.set)
    }
    /// True for files of test source sets.
    pub fn is_test(&self, file: FileId) -> bool {
        self.source_set(file)
            .and_then(|s| self.data().sets.get(s.ix()))
            .is_some_and(|s| s.is_test)
    }
    /// True if the code of a source set sees the types of another, or is it.
    pub fn is_visible(&self, set: SourceSetId, other: SourceSetId) -> bool {
        let sets = &self.data().sets;
        sets.get(set.ix())
            .is_some_and(|s| s.visible.contains(&other))
    }
    /// The types of a file, parallel to [`FileSummary::types`].
    pub fn types_of_file(&self, file: FileId) -> &[TypeId] {
        self.data().file(file).map_or(&[], |f| &f.types)
    }
    /// The paths of files of which types are left out, because they are nested too deep ([`crate::DEEPEST_TYPE`]).
    pub fn too_deep(&self) -> impl Iterator<Item = &str> {
        self.paths_of(|summary| summary.too_deep)
    }
    /// The paths of files of which the workspace's own queries may not have found all ([`FileSummary::queries_cut`]).
    pub fn queries_cut(&self) -> impl Iterator<Item = &str> {
        self.paths_of(|summary| summary.queries_cut)
    }
    fn paths_of(&self, of: impl Fn(&FileSummary) -> bool) -> impl Iterator<Item = &str> {
        let data = self.data();
        let files = data.order.iter().filter_map(|&file| data.file(file));
        files
            .filter(move |file| of(&file.summary))
            .map(|file| &*file.path)
    }
    /// The bodies of a file, parallel to [`FileSummary::bodies`].
    pub fn bodies_of_file(&self, file: FileId) -> &[BodyId] {
        self.data().file(file).map_or(&[], |f| &f.bodies)
    }
    /// All bodies by path and position in the file's list.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.files()
            .iter()
            .flat_map(|&f| self.bodies_of_file(f).iter().copied())
    }

    // --- types ---

    /// The declaration of a type of the workspace.
    pub fn type_decl(&self, id: TypeId) -> Option<&TypeDecl> {
        self.data().type_decl(id)
    }
    /// The file of a type and its position in [`FileSummary::types`].
    pub fn type_place(&self, id: TypeId) -> Option<(FileId, u32)> {
        self.data().types.get(id.ix()).map(|at| (at.file, at.index))
    }
    /// A type by binary name, seen from a source set.
    pub fn find_type(&self, set: SourceSetId, binary_name: &str) -> Option<TypeId> {
        let data = self.data();
        let name = Symbol(data.ids.symbols.find(&SmolStr::new(binary_name))?);
        data.sets.get(set.ix())?.visible.iter().find_map(|s| {
            let key = crate::ids::TypeKey {
                set: s.0,
                name,
                duplicate: (0, 0),
            };
            let id = TypeId(data.ids.types.find(&key)?);
            data.type_at(id).map(|_| id)
        })
    }
    /// The tool that wrote a class of tests, if its file or the configuration says so; of a nested class, that of the class
    /// around it. All others are manual.
    pub fn generated(&self, class: TypeId) -> Option<Generator> {
        let around = std::iter::successors(Some(class), |c| self.enclosing_type(*c));
        let outermost = around.take(100).last()?;
        self.type_decl(outermost)?.generator
    }
    /// Binary name of a type, also of a library's.
    pub fn type_name(&self, id: TypeId) -> &SmolStr {
        self.data().ids.type_name(id)
    }
    /// All subtypes in the workspace, direct or not, by path and position.
    pub fn subtypes(&self, id: TypeId) -> &[TypeId] {
        self.data().hierarchy.subtypes(id)
    }
    /// All supertypes in the workspace, superclasses first.
    pub fn supertypes(&self, id: TypeId) -> Vec<TypeId> {
        let data = self.data();
        let types = data.closure(id).types.iter().skip(1);
        types
            .filter_map(|&t| data.ids.as_class(t))
            .map(|c| c.0)
            .filter(|&d| !data.ids.is_library(d))
            .collect()
    }
    /// Binary names of all supertypes, superclasses first, those of libraries included.
    pub fn supertype_names(&self, id: TypeId) -> Vec<SmolStr> {
        let data = self.data();
        let types = data.closure(id).types.iter().skip(1);
        types
            .filter_map(|&t| data.ids.as_class(t))
            .map(|c| data.ids.type_name(c.0).clone())
            .collect()
    }
    /// The methods of a type, parallel to [`TypeDecl::methods`].
    pub fn methods_of_type(&self, id: TypeId) -> &[MethodId] {
        self.data()
            .type_at(id)
            .map_or(&[], |(file, at)| &file.methods[at])
    }
    /// The fields of a type, parallel to [`TypeDecl::fields`].
    pub fn fields_of_type(&self, id: TypeId) -> &[FieldId] {
        self.data()
            .type_at(id)
            .map_or(&[], |(file, at)| &file.fields[at])
    }

    // --- members ---

    /// The declaration of a method.
    pub fn method_decl(&self, id: MethodId) -> Option<&MethodDecl> {
        self.data().method_decl(id)
    }
    /// The type that declares a method.
    pub fn method_owner(&self, id: MethodId) -> TypeId {
        self.data().ids.methods.get(id.0).owner
    }
    /// The file of a method.
    pub fn method_file(&self, id: MethodId) -> Option<FileId> {
        self.data().methods.get(id.ix()).map(|at| at.file)
    }
    /// The body of a method.
    pub fn method_body(&self, id: MethodId) -> Option<BodyId> {
        self.data().method_body(id)
    }
    /// `pkg.Outer$Inner#method(int,java.lang.String[])`.
    pub fn method_name(&self, id: MethodId) -> String {
        self.data().method_name(id)
    }
    /// A method by its contract name, seen from a source set.
    pub fn find_method(&self, set: SourceSetId, name: &str) -> Option<MethodId> {
        let owner = self.find_type(set, name.split_once('#')?.0)?;
        self.methods_of_type(owner)
            .iter()
            .copied()
            .find(|&m| self.method_name(m) == name)
    }
    /// The workspace methods with a body that a dispatch on this declared target may run (itself included when it
    /// has one), by path and position.
    pub fn overriders(&self, id: MethodId) -> Arc<[MethodId]> {
        self.data().overriders(id)
    }
    /// The bodies of [`Program::overriders`], in their order. Kept until a declaration changes.
    pub fn dispatch(&self, id: MethodId) -> &Arc<[BodyId]> {
        self.data().dispatch(id)
    }
    /// The methods of supertypes in the workspace that this one overrides or implements, nearest first.
    pub fn super_methods(&self, id: MethodId) -> Vec<MethodId> {
        self.data().super_methods(id)
    }
    /// The declaration of a field.
    pub fn field_decl(&self, id: FieldId) -> Option<&FieldDecl> {
        self.data().field_decl(id)
    }
    /// The type that declares a field.
    pub fn field_owner(&self, id: FieldId) -> TypeId {
        self.data().ids.fields.get(id.0).owner
    }
    /// `pkg.Class#field`.
    pub fn field_name(&self, id: FieldId) -> String {
        self.data().field_name(id)
    }

    // --- bodies ---

    /// The records of a body and where they stand.
    pub fn body(&self, id: BodyId) -> Option<&BodyDecl> {
        self.data().body_decl(id)
    }
    /// The file of a body.
    pub fn body_file(&self, id: BodyId) -> Option<FileId> {
        self.data().bodies.get(id.ix()).map(|at| at.file)
    }
    /// Whose code a body is.
    pub fn body_member(&self, id: BodyId) -> (TypeId, Member) {
        let key = self.data().ids.bodies.get(id.0);
        (key.owner, key.member)
    }
    /// The body of a member of a type.
    pub fn body_of(&self, owner: TypeId, member: Member) -> Option<BodyId> {
        let id = BodyId(self.data().ids.bodies.find(&BodyKey { owner, member })?);
        self.data().body_decl(id).map(|_| id)
    }
    /// The contract name of a body: its method's, or `pkg.Class#<clinit>`, `pkg.Class#<init>`.
    pub fn body_name(&self, id: BodyId) -> Option<String> {
        self.data().body_name(id)
    }
    /// The contract name of a lambda: its body's with `$lambda2`, numbered from 1 in order of the text.
    pub fn lambda_name(&self, id: BodyId, lambda: LambdaId) -> Option<String> {
        self.data().lambda_name(id, lambda)
    }
    /// The types of the local and anonymous classes of a body, by [`flow::ClassId`].
    pub fn body_classes(&self, id: BodyId) -> &[Option<TypeId>] {
        self.data()
            .body_at(id)
            .map_or(&[], |(file, at)| &file.body_classes[at])
    }
    /// The meaning of a body's names.
    pub fn resolved(&self, id: BodyId) -> Option<&Arc<ResolvedBody>> {
        self.data().resolved.get(id.ix())
    }
    /// How much of all bodies was resolved.
    pub fn counts(&self) -> ResolvedCounts {
        let mut out = ResolvedCounts::default();
        for body in self.bodies().filter_map(|b| self.resolved(b)) {
            out.calls += body.counts.calls;
            out.calls_unresolved += body.counts.calls_unresolved;
            out.fields += body.counts.fields;
            out.fields_unresolved += body.counts.fields_unresolved;
        }
        out
    }
    /// A type for people: `java.util.List<int[]>`; `?` where it is not known.
    pub fn display_type(&self, ty: Ty) -> SmolStr {
        self.data().ty_name(ty)
    }
    /// A type as written, without its type arguments.
    pub fn display_written(&self, ty: &TypeRef) -> String {
        crate::names::written_erased(ty)
    }
    /// The class of a type if it is a class of the workspace.
    pub fn class_of(&self, ty: Ty) -> Option<TypeId> {
        self.data()
            .ids
            .as_class(ty)
            .map(|c| c.0)
            .filter(|&d| !self.data().ids.is_library(d))
    }
    /// The binary name of a library class, if the type is one.
    pub fn library_class_of(&self, ty: Ty) -> Option<&SmolStr> {
        let def = self.library_type_of(ty)?;
        Some(self.data().ids.type_name(def))
    }
    /// The library class of a type, if it is one.
    pub fn library_type_of(&self, ty: Ty) -> Option<TypeId> {
        let ids = &self.data().ids;
        ids.as_class(ty).map(|c| c.0).filter(|&d| ids.is_library(d))
    }
}
