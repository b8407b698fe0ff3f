//! What the tests of a file watch beside what their assertions read, as the names in its code say: what stands in comments and
//! texts says nothing.

use flow::{Body, TypeRef};
use oracle::frameworks::{ALL, any};
use program::{FileSummary, Import, TypeDecl};

/// Beginnings of words of names for what stands in for another thing, whoever wrote it: `MockWebServer`, `createMock`, `StubClock`,
/// `SpringExtension`, which may put such things in.
const STAND_INS: &[&str] = &["Mock", "Stub", "Spring"];

/// The same at the beginning of a name: `mockServer`, `spyOn`.
const STAND_INS_FIRST: &[&str] = &["mock", "spy"];

/// Parts of names by which what is logged or printed is looked at.
const LOGS: &[&str] = &[
    "Appender",
    "LogCaptor",
    "LogCapture",
    "OutputCapture",
    "CapturedOutput",
    "Handler",
    "setErr",
    "setOut",
];

/// What is watched.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watched {
    /// Stand-ins for objects of libraries.
    pub(crate) stand_ins: bool,
    /// What is logged.
    pub(crate) logs: bool,
}

impl Watched {
    /// Linear in the names of the file.
    pub(crate) fn of(file: &FileSummary) -> Watched {
        let mut out = Watched::default();
        file.imports.iter().for_each(|import| out.import(import));
        file.types.iter().for_each(|ty| out.declared(ty));
        file.bodies.iter().for_each(|body| out.body(&body.body));
        out
    }

    fn import(&mut self, import: &Import) {
        let mut rows = ALL.iter().filter(|row| row.has(import));
        self.stand_ins |= rows.any(|row| !row.mocks.is_empty() || !row.mocked.is_empty());
        import.name.split('.').for_each(|part| self.name(part));
    }

    fn declared(&mut self, ty: &TypeDecl) {
        self.name(&ty.name);
        self.annotations(&ty.annotations);
        self.types(ty.superclass.iter().chain(&ty.interfaces));
        for field in &ty.fields {
            self.name(&field.name);
            self.annotations(&field.annotations);
            self.types([&field.ty]);
        }
        for method in &ty.methods {
            self.name(&method.name);
            self.annotations(&method.annotations);
            method.params.iter().for_each(|p| self.name(&p.name));
            let given = method.params.iter().map(|p| &p.ty);
            self.types(given.chain([&method.return_ty]));
        }
    }

    fn body(&mut self, body: &Body) {
        for name in &body.names {
            self.name(name);
            self.stand_ins |= any(name, |row| row.mocks);
        }
        body.locals.iter().for_each(|local| self.name(&local.name));
        self.types(&body.types);
    }

    fn annotations<'a>(&mut self, all: impl IntoIterator<Item = &'a smol_str::SmolStr>) {
        for annotation in all {
            self.name(annotation);
            self.stand_ins |= any(annotation, |row| row.mocked);
        }
    }

    fn types<'a>(&mut self, all: impl IntoIterator<Item = &'a TypeRef>) {
        let mut work: Vec<&TypeRef> = all.into_iter().collect();
        while let Some(ty) = work.pop() {
            match ty {
                TypeRef::Named(segments) => {
                    for segment in segments {
                        self.name(&segment.name);
                        work.extend(&segment.args);
                    }
                }
                TypeRef::Array(element) => work.push(element),
                TypeRef::Several(all) => work.extend(all),
                TypeRef::Wildcard(Some((_, bound))) => work.push(bound),
                _ => {}
            }
        }
    }

    fn name(&mut self, name: &str) {
        self.stand_ins |= STAND_INS.iter().any(|word| name.contains(word))
            || STAND_INS_FIRST.iter().any(|word| name.starts_with(word));
        self.logs |= LOGS.iter().any(|part| name.contains(part));
    }
}
