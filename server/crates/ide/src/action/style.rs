//! How the tests of a file assert: whose assertions, in which form, and whether their class stands before them. Where a
//! file asserts nothing yet, its imports say, then the tests around it, then the framework.

use flow::{Body, CallId, Callee, ExprId, ExprKind};
use oracle::is_assertion;
use program::{FileId, FileSummary, ImportKind, MethodId, Program};

/// The forms of assertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `assertThat(x).isTrue()` of AssertJ, `then(x).isTrue()` of its BDD twin.
    AssertJ,
    /// `assertThat(x).isTrue()` of Truth.
    Truth,
    /// `assertThat(x, is(true))`.
    Hamcrest,
    /// `assertTrue(x)`, `assertEquals(expected, x)`.
    Jupiter,
    JUnit4,
    JUnit3,
    /// `assertEquals(x, expected)`.
    TestNg,
}

impl Form {
    /// True for those that differ in the order and types of arguments alone.
    fn is_plain(self) -> bool {
        !matches!(self, Form::AssertJ | Form::Truth | Form::Hamcrest)
    }
}

/// A class of assertions.
#[derive(Clone, Copy, Debug)]
struct Home {
    class: &'static str,
    form: Form,
    /// The class whose methods are inserted: some are for a few types only.
    inserts: &'static str,
}

const fn home(class: &'static str, form: Form) -> Home {
    Home {
        class,
        form,
        inserts: class,
    }
}

const ASSERTJ: &str = "org.assertj.core.api.Assertions";
const BDD: &str = "org.assertj.core.api.BDDAssertions";
const JUNIT4: &str = "org.junit.Assert";

/// Those of which an import on demand has `assertThat` come first, by how often that is meant.
const HOMES: &[Home] = &[
    home(ASSERTJ, Form::AssertJ),
    Home {
        class: "org.assertj.core.api.AssertionsForClassTypes",
        form: Form::AssertJ,
        inserts: ASSERTJ,
    },
    Home {
        class: "org.assertj.core.api.AssertionsForInterfaceTypes",
        form: Form::AssertJ,
        inserts: ASSERTJ,
    },
    // Test classes implement it.
    home("org.assertj.core.api.WithAssertions", Form::AssertJ),
    home(BDD, Form::AssertJ),
    home("com.google.common.truth.Truth", Form::Truth),
    home("org.hamcrest.MatcherAssert", Form::Hamcrest),
    home("org.junit.jupiter.api.Assertions", Form::Jupiter),
    home(JUNIT4, Form::JUnit4),
    home("junit.framework.Assert", Form::JUnit3),
    home("junit.framework.TestCase", Form::JUnit3),
    home("org.testng.Assert", Form::TestNg),
    home("org.testng.AssertJUnit", Form::JUnit3),
];

/// Packages that tests import of a framework, and its own assertions.
const FRAMEWORKS: &[(&str, &str)] = &[
    ("org.junit.jupiter.", "org.junit.jupiter.api.Assertions"),
    ("org.testng.", "org.testng.Assert"),
    ("org.junit.", JUNIT4),
    ("junit.framework.", "junit.framework.Assert"),
];

/// How many files around are asked that assert with something.
const NEIGHBOURS: usize = 30;

/// See the module's description.
#[derive(Clone, Debug)]
pub(super) struct Style {
    pub(super) form: Form,
    /// The class of the assertions.
    pub(super) class: &'static str,
    /// Most assertions name their class.
    pub(super) by_class: bool,
    /// `equalTo(x)` rather than `is(x)`, of Hamcrest.
    pub(super) equal_to: bool,
}

impl Style {
    /// The style of a test's file.
    pub(super) fn of(program: &Program, file: FileId, test: MethodId) -> Style {
        let summary = program.summary(file).map(|s| &**s);
        let used = Used::in_file(program, file);
        let framework = summary.and_then(framework);
        let first = used.home.or_else(|| {
            let of_file = summary.and_then(imported).filter(|h| fits(h.0, framework));
            let super_types = program.supertype_names(program.method_owner(test));
            let inherited = || {
                let inherited = |h: &&Home| super_types.iter().any(|s| s == h.class);
                HOMES.iter().find(inherited).map(|h| (h, false))
            };
            of_file.or_else(inherited).or_else(|| {
                around(program, file)
                    .filter(|h| fits(h.0, framework))
                    .or(Some((framework?, false)))
            })
        });
        let (home, by_class) = first.unwrap_or_else(|| (of_class(JUNIT4), false));
        Style {
            form: home.form,
            class: home.inserts,
            by_class,
            equal_to: used.equal_to,
        }
    }

    /// What the method that takes the value is called, in a fluent form.
    pub(super) fn that(&self) -> &'static str {
        match self.class {
            BDD => "then",
            _ => "assertThat",
        }
    }
}

/// False for a framework's assertions in a file whose tests are another's.
fn fits(home: &Home, framework: Option<&Home>) -> bool {
    !home.form.is_plain() || framework.is_none_or(|f| f.form == home.form)
}

fn of_class(class: &str) -> &'static Home {
    let found = HOMES.iter().find(|h| h.class == class);
    found.unwrap_or(&HOMES[0])
}

/// The framework that a file's imports name.
fn framework(summary: &FileSummary) -> Option<&'static Home> {
    FRAMEWORKS.iter().find_map(|(package, class)| {
        let mut imports = summary.imports.iter();
        imports
            .any(|i| format!("{}.", i.name).starts_with(package))
            .then(|| of_class(class))
    })
}

/// What a file's imports have of assertions, and whether by class.
fn imported(summary: &FileSummary) -> Option<(&'static Home, bool)> {
    summary.imports.iter().find_map(|i| {
        let by_class = i.kind == ImportKind::Single;
        let class = match i.kind {
            ImportKind::StaticSingle => i.name.rsplit_once('.')?.0,
            ImportKind::StaticOnDemand | ImportKind::Single => &i.name,
            ImportKind::OnDemand | ImportKind::Module => return None,
        };
        let home = HOMES.iter().find(|h| h.class == class)?;
        Some((home, by_class))
    })
}

/// What most files around import: those of the same folder first, then those of its source set.
fn around(program: &Program, file: FileId) -> Option<(&'static Home, bool)> {
    let folder = |f: FileId| Some(program.path(f)?.rsplit_once('/')?.0.to_owned());
    let (set, own) = (program.source_set(file), folder(file));
    let most = |near: bool| {
        let files = program.files().iter().copied();
        let mut counts = [[0usize; 2]; HOMES.len()];
        files
            .filter(|f| *f != file && program.source_set(*f) == set)
            .filter(|f| !near || folder(*f) == own)
            .filter_map(|f| imported(program.summary(f)?))
            .take(NEIGHBOURS)
            .for_each(|(home, by_class)| {
                let at = HOMES.iter().position(|h| h.class == home.class);
                counts[at.unwrap_or(0)][usize::from(by_class)] += 1;
            });
        let totals = counts.iter().map(|c| c[0] + c[1]).enumerate();
        let (at, total) = totals.max_by_key(|(at, n)| (*n, usize::MAX - at))?;
        (total > 0).then(|| (&HOMES[at], counts[at][1] > counts[at][0]))
    };
    most(true).or_else(|| most(false))
}

/// What a file's assertions are, by their calls.
struct Used {
    home: Option<(&'static Home, bool)>,
    equal_to: bool,
}

impl Used {
    fn in_file(program: &Program, file: FileId) -> Used {
        let mut counts = [[0usize; 2]; HOMES.len()];
        let (mut is, mut equal_to) = (0, 0);
        let summary = program.summary(file);
        for &id in program.bodies_of_file(file) {
            let (Some(decl), Some(summary)) = (program.body(id), summary) else {
                continue;
            };
            let super_types = program.supertype_names(program.body_owner(id));
            let body = &decl.body;
            for (at, call) in body.calls.iter().enumerate() {
                let Callee::Method { receiver, name } = call.callee else {
                    continue;
                };
                let name = body.name(name).as_str();
                is += usize::from(name == "is");
                equal_to += usize::from(name == "equalTo");
                if !is_assertion(body, CallId(at as u32), &[]) && name != "then" {
                    continue;
                }
                let home = match receiver {
                    None => unqualified(summary, &super_types, name),
                    Some(r) => qualified(summary, last_name(body, r).unwrap_or("")),
                };
                if let Some(at) = home.filter(|at| is_of(&HOMES[*at], name)) {
                    let at = match (HOMES[at].form, name) {
                        // JUnit 4's is Hamcrest's.
                        (Form::JUnit4, "assertThat") => hamcrest(),
                        _ => at,
                    };
                    counts[at][usize::from(receiver.is_some())] += 1;
                }
            }
        }
        let totals = counts.iter().map(|c| c[0] + c[1]).enumerate();
        // Of as many the plain form, which takes any value.
        let most = totals.max_by_key(|(at, n)| (*n, HOMES[*at].form.is_plain(), usize::MAX - at));
        Used {
            home: most
                .filter(|(_, n)| *n > 0)
                .map(|(at, _)| (&HOMES[at], counts[at][1] > counts[at][0])),
            equal_to: equal_to > is,
        }
    }
}

fn hamcrest() -> usize {
    HOMES
        .iter()
        .position(|h| h.form == Form::Hamcrest)
        .unwrap_or(0)
}

/// True if a class has assertions of this name.
fn is_of(home: &Home, name: &str) -> bool {
    match home.form {
        Form::AssertJ => name.starts_with("assertThat") || home.class == BDD && name == "then",
        Form::Truth | Form::Hamcrest => name == "assertThat",
        Form::JUnit4 => name.starts_with("assert"),
        _ => name.starts_with("assert") && !name.starts_with("assertThat"),
    }
}

/// Whose an assertion is that stands without its class; none for one of the tests' own.
fn unqualified(
    summary: &FileSummary,
    super_types: &[impl AsRef<str>],
    name: &str,
) -> Option<usize> {
    let imports = || summary.imports.iter();
    let at = |class: &str| HOMES.iter().position(|h| h.class == class);
    let single = imports()
        .filter(|i| i.kind == ImportKind::StaticSingle)
        .filter_map(|i| i.name.rsplit_once('.'))
        .find(|(_, method)| *method == name);
    if let Some((class, _)) = single {
        return at(class);
    }
    let on_demand = |h: &Home| {
        imports().any(|i| i.kind == ImportKind::StaticOnDemand && i.name == h.class)
            || super_types.iter().any(|s| s.as_ref() == h.class)
    };
    HOMES.iter().position(|h| is_of(h, name) && on_demand(h))
}

/// Whose an assertion is that stands behind this name.
fn qualified(summary: &FileSummary, class: &str) -> Option<usize> {
    HOMES.iter().position(|h| {
        let (package, simple) = h.class.rsplit_once('.').unwrap_or(("", h.class));
        let has = |i: &program::Import| match i.kind {
            ImportKind::Single => i.name == h.class,
            ImportKind::OnDemand => i.name == package,
            _ => false,
        };
        simple == class && summary.imports.iter().any(has)
    })
}

/// The name at the end of `a.b.Name`.
fn last_name(body: &Body, e: ExprId) -> Option<&str> {
    match body.expr(e).kind {
        ExprKind::Name(n) | ExprKind::Field { name: n, .. } => Some(body.name(n).as_str()),
        _ => None,
    }
}
