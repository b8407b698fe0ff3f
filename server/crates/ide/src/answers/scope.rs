//! What is asked about: a path, a class, a method or tests, as bodies of the workspace.

use super::ScopeKind;
use calls::{Unit, Workspace};
use oracle::TestRun;
use program::{BodyId, FileId, MethodId, Program, TypeId};

/// A scope of the contracts.
#[derive(Clone, Debug)]
pub struct Scope {
    pub kind: ScopeKind,
    pub name: String,
    pub what: What,
}

/// What is asked about.
#[derive(Clone, Debug)]
pub enum What {
    /// All files below a path, or one file.
    Path { prefix: String, tests: bool },
    /// A class with the classes in it.
    Class(TypeId),
    /// A method with the classes in it.
    Method(MethodId),
    /// Tests.
    Tests(Vec<TestRun>),
}

/// The files at or below a path relative to the root.
pub fn files_below<'a>(program: &'a Program, prefix: &'a str) -> impl Iterator<Item = FileId> + 'a {
    program.files().iter().copied().filter(move |f| {
        program.path(*f).is_some_and(|p| {
            prefix.is_empty()
                || p.strip_prefix(prefix)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    })
}

impl Scope {
    /// The tests, if it is of tests.
    pub fn runs(&self) -> Option<&[TestRun]> {
        match &self.what {
            What::Tests(tests) => Some(tests),
            _ => None,
        }
    }

    /// The bodies of a scope that is no test.
    pub fn units(&self, workspace: &Workspace) -> Vec<Unit> {
        let program = workspace.program();
        match &self.what {
            What::Path { prefix, tests } => {
                let files: std::collections::BTreeSet<FileId> = files_below(program, prefix)
                    .filter(|f| program.is_test(*f) == *tests)
                    .collect();
                workspace.units(&|file, _, _| files.contains(&file))
            }
            What::Class(class) => {
                workspace.units(&|_, _, body| within(program, program.body_owner(body), *class))
            }
            What::Method(method) => {
                let Some(own) = program.method_body(*method) else {
                    return Vec::new();
                };
                workspace.units(&|_, _, body| {
                    body == own || declared_in(program, program.body_owner(body), own)
                })
            }
            What::Tests(tests) => {
                let reached = workspace.called_by(tests);
                workspace.units(&|_, _, body| reached.contains(body))
            }
        }
    }
}

/// True if `inner` is `outer` or stands in it.
pub fn within(program: &Program, inner: TypeId, outer: TypeId) -> bool {
    let mut at = Some(inner);
    while let Some(t) = at {
        if t == outer {
            return true;
        }
        at = program.enclosing_type(t);
    }
    false
}

/// True if a class, or one around it, stands in the body.
fn declared_in(program: &Program, class: TypeId, body: BodyId) -> bool {
    let mut at = Some(class);
    while let Some(t) = at {
        if program.enclosing_body(t).is_some_and(|(b, _)| b == body) {
            return true;
        }
        at = program.enclosing_type(t);
    }
    false
}

/// Every test, as the class that declares it runs it.
pub fn all_tests(workspace: &Workspace) -> Vec<TestRun> {
    let tests = workspace.suite().tests().iter();
    tests.map(|t| workspace.own_run(*t)).collect()
}
