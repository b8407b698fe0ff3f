//! Which methods are tests, and what runs before and after them.
//!
//! `queries/java/tests.scm` says the same of a syntax tree, as far as one file alone can; a test holds the two equal on
//! real tests. A workspace's own query adds to it, and goes before it.

use crate::frameworks;
use crate::kind::TestKind;
use program::{FileId, MethodId, Modifiers, Program, TestMarkKind, TypeDeclKind, TypeId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// A test as a class runs it: its own, or one that it inherits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TestRun {
    /// The test method.
    pub test: MethodId,
    /// The class of the object on which it runs.
    pub class: TypeId,
}

/// What an annotation of a framework, of this simple name, makes of a method.
fn annotated(name: &str) -> Option<TestKind> {
    let mut rows = frameworks::ALL.iter().flat_map(|row| row.annotations);
    rows.find(|row| row.0 == name).map(|row| row.1)
}

/// The workspace's own annotations that are made of a framework's, by simple name: `@Test @Tag("slow") @interface SlowTest`.
#[derive(Debug, Default)]
struct Composed {
    kinds: FxHashMap<SmolStr, TestKind>,
    /// Those that bring an extension with them, which may do anything around a test.
    extended: FxHashSet<SmolStr>,
}

/// How many annotations may stand above one another.
const MAX_COMPOSED: usize = 8;

impl Composed {
    fn find(program: &Program) -> Composed {
        let files = program.files().par_iter();
        let declared: Vec<(&SmolStr, &[SmolStr])> = files
            .filter_map(|file| program.summary(*file))
            .flat_map_iter(|summary| {
                let types = summary.types.iter();
                let own = types.filter(|ty| ty.kind == TypeDeclKind::Annotation);
                own.map(|ty| (&ty.name, &*ty.annotations))
            })
            .collect();
        let mut found = Composed::default();
        for _ in 0..MAX_COMPOSED {
            let before = (found.kinds.len(), found.extended.len());
            for (name, above) in &declared {
                let Some(kind) = above.iter().find_map(|a| found.kind(a)) else {
                    continue;
                };
                found.kinds.insert((*name).clone(), kind);
                if above.iter().any(|a| found.is_extended(a)) {
                    found.extended.insert((*name).clone());
                }
            }
            if (found.kinds.len(), found.extended.len()) == before {
                break;
            }
        }
        found
    }

    fn kind(&self, annotation: &SmolStr) -> Option<TestKind> {
        annotated(annotation).or_else(|| self.kinds.get(annotation).copied())
    }

    fn is_extended(&self, annotation: &SmolStr) -> bool {
        matches!(annotation.as_str(), "TestTemplate" | "ExtendWith")
            || self.extended.contains(annotation)
    }
}

/// The tests of a program.
#[derive(Debug, Default)]
pub struct Suite {
    kinds: FxHashMap<MethodId, TestKind>,
    composed: Composed,
    /// In order of path and position.
    tests: Vec<MethodId>,
}

impl Suite {
    /// Finds them by annotations, also those that are made of a framework's, and by names in classes below JUnit 3's `TestCase`.
    pub fn find(program: &Program) -> Suite {
        let composed = Composed::find(program);
        let found: Vec<Vec<(MethodId, TestKind, bool)>> = program
            .files()
            .par_iter()
            .map(|&file| in_file(program, &composed, file))
            .collect();
        let mut suite = Suite {
            composed,
            ..Suite::default()
        };
        for (method, kind, runs) in found.into_iter().flatten() {
            suite.kinds.insert(method, kind);
            if runs {
                suite.tests.push(method);
            }
        }
        suite
    }

    /// What a method is.
    pub fn kind(&self, method: MethodId) -> Option<TestKind> {
        self.kinds.get(&method).copied()
    }

    /// True if an annotation of a test, of this simple name, lets an extension decide what running it means: a template, or one
    /// of the workspace that names its extension itself.
    pub fn is_extended(&self, annotation: &SmolStr) -> bool {
        self.composed.is_extended(annotation)
    }

    /// All tests, in order of path and position.
    pub fn tests(&self) -> &[MethodId] {
        &self.tests
    }
}

/// The methods of a file that are more than methods; whether they are tests with code.
fn in_file(
    program: &Program,
    composed: &Composed,
    file: FileId,
) -> Vec<(MethodId, TestKind, bool)> {
    let mut out = Vec::new();
    let Some(summary) = program.summary(file) else {
        return out;
    };
    for (t, ty) in summary.types.iter().enumerate() {
        let Some(&owner) = program.types_of_file(file).get(t) else {
            continue;
        };
        let mut is_junit3 = None;
        // TestNG: `@Test` on the class makes its public methods tests.
        let all_public = ty.annotations.iter().any(|a| a == "Test");
        for (m, method) in ty.methods.iter().enumerate() {
            let mut kind = method.captured.and_then(kind_of).or_else(|| {
                let mut annotations = method.annotations.iter();
                annotations.find_map(|a| composed.kind(a))
            });
            let is_void = matches!(
                method.return_ty,
                flow::TypeRef::Primitive(flow::Primitive::Void)
            );
            if kind.is_none()
                && all_public
                && is_void
                && method.modifiers.has(Modifiers::PUBLIC)
                && !method.modifiers.has(Modifiers::STATIC)
                && method.name != "<init>"
            {
                kind = Some(TestKind::Test);
            }
            if kind.is_none() && is_void && method.params.is_empty() {
                let named = match method.name.as_str() {
                    "setUp" => Some(TestKind::SetUp),
                    "tearDown" => Some(TestKind::TearDown),
                    name if name.starts_with(frameworks::TEST_BEGINS)
                        && method.modifiers.has(Modifiers::PUBLIC) =>
                    {
                        Some(TestKind::Test)
                    }
                    _ => None,
                };
                if named.is_some()
                    && *is_junit3.get_or_insert_with(|| below_test_case(program, owner))
                {
                    kind = named;
                }
            }
            let Some(kind) = kind else { continue };
            if method.body.is_none() && kind != TestKind::Test {
                continue;
            }
            let Some(&id) = program.methods_of_type(owner).get(m) else {
                continue;
            };
            out.push((id, kind, kind == TestKind::Test && method.body.is_some()));
        }
    }
    out
}

/// What a workspace's own query captured a method as.
fn kind_of(captured: TestMarkKind) -> Option<TestKind> {
    match captured {
        TestMarkKind::SetUp => Some(TestKind::SetUp),
        TestMarkKind::TearDown => Some(TestKind::TearDown),
        captured if captured.is_test() => Some(TestKind::Test),
        _ => None,
    }
}

/// True if a class stands below a `TestCase`: JUnit 3's, or one of a test library that is not in the workspace.
fn below_test_case(program: &Program, class: TypeId) -> bool {
    let names = program.supertype_names(class);
    names
        .iter()
        .any(|n| n.ends_with("TestCase") || n.ends_with("TestSupport"))
        || program
            .type_decl(class)
            .is_some_and(|d| match &d.superclass {
                Some(flow::TypeRef::Named(segments)) => segments
                    .last()
                    .is_some_and(|s| s.name.ends_with("TestCase")),
                _ => false,
            })
}
