//! What in a body checks something, and where it hands over to code that may.
//!
//! A test checks by an assertion of a library, by throwing when something is wrong, or by handing over to code that does.
//! Code of the workspace is followed; of code that cannot be seen the name tells: whoever calls `verifyAll()` of a library
//! is taken to check.

use super::Ground;
use chains::CallSite;
use flow::{Body, CallId, Callee, ExprId, ExprKind, VariableKind};
use oracle::{frameworks, is_assertion};
use program::{
    BodyId, CallTarget, FileId, MethodId, Modifiers, NameTarget, Program, ResolvedBody, TypeId,
};
use rustc_hash::FxHashSet;

/// Bodies beyond which a test is not followed: nobody can say then that it checks nothing.
const MAX_BODIES: usize = 5_000;

/// First words of names that promise a check: `verifyAll`, `shouldHave`, `andExpect`.
const CHECKING: &[&str] = &[
    "assert", "verify", "check", "expect", "should", "ensure", "validate", "require", "must",
    "fail", "confirm",
];

/// The same words, and their forms, anywhere in the name of what a library does: `reserializeAndAssert`, `isSatisfied`.
const CHECKING_WITHIN: &[&str] = &[
    "assert",
    "asserts",
    "asserted",
    "verify",
    "verifies",
    "verified",
    "check",
    "checks",
    "expect",
    "expects",
    "expected",
    "should",
    "ensure",
    "ensures",
    "validate",
    "validates",
    "require",
    "requires",
    "must",
    "fail",
    "fails",
    "satisfies",
    "satisfied",
    "matches",
    "matching",
    "compare",
    "compiles",
];

/// Calls of libraries that check and do not say so: of compile-testing, EqualsTester, Truth, snapshots, ErrorCollector,
/// Vert.x, WebTestClient and GraphQlTester, REST Assured, and the end of the program.
const CHECKS: &[&str] = &[
    "that",
    "testEquals",
    "testAllPublicConstructors",
    "testAllPublicStaticMethods",
    "testAllPublicInstanceMethods",
    "testNulls",
    "testComparable",
    "testSerializable",
    "toMatchSnapshot",
    "addError",
    "completeNow",
    "testComplete",
    "async",
    "statusCode",
    "isEqualTo",
    "isEqualByComparingTo",
    "hasSize",
    "isOk",
    "isTrue",
    "isFalse",
    "isNull",
    "isNotNull",
    "is2xxSuccessful",
    "is3xxRedirection",
    "is4xxClientError",
    "is5xxServerError",
    "containsExactly",
    "containsExactlyInAnyOrder",
    "thenThrownBy",
    "thenThrows",
    "thenNoException",
    "thenCode",
    "exit",
];

/// Ends of names of types whose constructors or methods check.
const CHECKERS: &[&str] = &[
    "Assert",
    "Assertion",
    "Assertions",
    "Asserter",
    "Expectations",
    "Verifications",
    "VerificationsInOrder",
    "Tester",
    "Verifier",
    "Checker",
    "TestContext",
    "TestHelper",
    "Approvals",
    "Snapshot",
    "RequiredSearch",
];

/// Questions of libraries that throw unless the one answer is there; who drops it, or only closes it, wanted to know that.
/// Of Spring's JdbcTemplate and its contexts, of JPA, of HtmlUnit; `UUID.fromString`, which takes no other text.
const FINDERS: &[&str] = &[
    "queryForObject",
    "getSingleResult",
    "getAnchorByHref",
    "getBean",
    "fromString",
];

/// Harnesses that check on the way, each with its package and the names of such calls: Jenkins's browser looks at the type
/// of the page that it goes to.
const HARNESSES: &[(&str, &[&str])] = &[("org.jvnet.hudson.test.", &["goTo", "goToXml"])];

/// Ends of names of classes of the code under test whose methods check: `Assert.notNull(…)` as many frameworks have it, and
/// `verifier.execute()` of a harness that is a module of its own; `Await.until(…)`, which throws when the time is up.
const OWN_CHECKERS: &[&str] = &["Assert", "Asserts", "Assertions", "Verifier", "Await"];

/// Words of a message that says that something should not have happened.
const DENIALS: &[&str] = &[
    "should not",
    "shouldn't",
    "must not",
    "mustn't",
    "not be called",
    "not expected",
    "unexpected",
    "never be",
];

/// Types that are asked for what must be there: Micrometer's `registry.get("requests").counter()`.
const THROWING_FINDERS: &[&str] = &["RequiredSearch"];

/// Beginnings of packages that say nothing of who wrote them.
const UMBRELLAS: &[&str] = &[
    "org.apache.",
    "org.springframework.",
    "org.eclipse.",
    "com.google.",
    "com.github.",
    "io.github.",
];

/// What is known of a body.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// It checks something, or nobody can say.
    pub(super) checks: bool,
    /// The bodies that it may run, in order.
    next: Vec<BodyId>,
}

impl Ground<'_> {
    /// True if running one of `roots` checks something, or nobody can say.
    pub(super) fn checks(&self, roots: &[BodyId]) -> bool {
        let mut seen: FxHashSet<BodyId> = roots.iter().copied().collect();
        let mut work: Vec<BodyId> = roots.to_vec();
        while let Some(body) = work.pop() {
            let cell = self.facts.get(&body).map(|f| f.clone());
            let facts = cell.unwrap_or_else(|| {
                let made = std::sync::Arc::new(self.facts_of(body));
                self.facts.insert(body, made.clone());
                made
            });
            if facts.checks || seen.len() > MAX_BODIES {
                return true;
            }
            work.extend(facts.next.iter().copied().filter(|b| seen.insert(*b)));
        }
        false
    }

    /// True for code of tests and their helpers.
    pub(super) fn is_test_code(&self, file: FileId) -> bool {
        let program = self.analysis.program();
        program.is_test(file) || imports_test_library(program, file)
    }

    /// True for files with tests, and those that use a library for tests: a class that only serves as input is neither.
    pub(super) fn has_tests_or_helpers(&self, file: FileId) -> bool {
        imports_test_library(self.analysis.program(), file) || self.has_tests(file)
    }

    /// True for files with tests, or what runs around them.
    pub(super) fn has_tests(&self, file: FileId) -> bool {
        let program = self.analysis.program();
        let suite = self.analysis.workspace().suite();
        let mut types = program.types_of_file(file).iter();
        types.any(|t| {
            let mut methods = program.methods_of_type(*t).iter();
            methods.any(|m| suite.kind(*m).is_some())
        })
    }

    /// True for files of source sets in which some file is a helper of tests.
    fn is_beside_helpers(&self, file: FileId) -> bool {
        let program = self.analysis.program();
        let Some(set) = program.source_set(file) else {
            return false;
        };
        if let Some(known) = self.support.get(&set) {
            return *known;
        }
        let mut files = program.files().iter();
        let found =
            files.any(|f| program.source_set(*f) == Some(set) && imports_test_library(program, *f));
        self.support.insert(set, found);
        found
    }

    fn facts_of(&self, id: BodyId) -> Facts {
        let workspace = self.analysis.workspace();
        let program = workspace.program();
        let sure = Facts {
            checks: true,
            next: Vec::new(),
        };
        let (Some(decl), Some(resolved), Some(file)) = (
            program.body(id),
            workspace.resolved(id),
            program.body_file(id),
        ) else {
            return sure;
        };
        let body = &*decl.body;
        let is_test_code = self.is_test_code(file);
        let read = Read {
            ground: self,
            program,
            id,
            file,
            body,
            resolved,
            assertions: &decl.assertions,
        };
        if is_test_code
            && (!body.asserts.is_empty() || read.throws() || read.has_unreadable() || read.calls())
        {
            return sure;
        }
        let mut next = Vec::new();
        if let Some(chains) = workspace.chains(id) {
            if is_test_code
                && chains
                    .calls
                    .iter()
                    .any(|s| asserting_main(program, s.target))
            {
                return sure;
            }
            for site in &chains.calls {
                next.extend(self.runs(site, is_test_code));
            }
        }
        for class in program.body_classes(id).iter().flatten() {
            let methods = program.methods_of_type(*class).iter();
            next.extend(methods.filter_map(|m| program.method_body(*m)));
        }
        Facts {
            checks: false,
            next,
        }
    }

    /// What a call runs, as far as it may be code of tests. Calls in code under test are followed within it, and where
    /// helpers of tests stand beside it: what such code calls back is found where the test makes it.
    fn runs(&self, site: &CallSite, in_test_code: bool) -> Vec<BodyId> {
        let workspace = self.analysis.workspace();
        let program = workspace.program();
        let targets = workspace.call_graph().targets(site);
        let goes = |b: &BodyId| {
            program.body_file(*b).is_some_and(|file| {
                let is_test_code = self.is_test_code(file);
                is_test_code && (in_test_code || !program.is_test(file))
                    || !is_test_code && self.is_beside_helpers(file)
            })
        };
        let bodies = targets.bodies().iter().copied();
        let mut out: Vec<BodyId> = bodies.filter(goes).collect();
        // An object of a class of test code is there to be called back.
        if in_test_code && program.is_constructor(site.target) {
            let class = program.method_owner(site.target);
            let is_test_code = program
                .type_place(class)
                .is_some_and(|(file, _)| self.is_test_code(file));
            if is_test_code {
                let up: Vec<TypeId> =
                    std::iter::successors(Some(class), |c| program.superclass(*c))
                        .take(100)
                        .collect();
                // Of a library's interface nobody knows here which methods it has.
                let is_open = up.iter().any(|c| has_unseen_supertype(program, *c));
                let methods = up.iter().flat_map(|c| program.methods_of_type(*c)).copied();
                let answers = methods.filter(|m| {
                    program.method_decl(*m).is_some_and(|d| {
                        d.annotations.iter().any(|a| a == "Override")
                            || is_open && d.modifiers.has(Modifiers::PUBLIC)
                    }) || !program.super_methods(*m).is_empty()
                });
                out.extend(answers.filter_map(|m| program.method_body(m)));
            }
        }
        out
    }
}

/// True if a class names a supertype that is not of the workspace.
fn has_unseen_supertype(program: &Program, class: TypeId) -> bool {
    let named = program.type_decl(class).map_or(0, |d| {
        d.interfaces.len() + usize::from(d.superclass.is_some())
    });
    named > program.direct_supertypes(class).len()
}

/// True for the `main` of a program whose class says by Java's `assert` what comes of it: an example that is run as a test.
fn asserting_main(program: &Program, method: MethodId) -> bool {
    let is_main = program
        .method_decl(method)
        .is_some_and(|d| d.name == "main");
    let asserts = |m: &MethodId| {
        let body = program.method_body(*m).and_then(|b| program.body(b));
        body.is_some_and(|b| !b.body.asserts.is_empty())
    };
    is_main
        && program
            .methods_of_type(program.method_owner(method))
            .iter()
            .any(asserts)
}

fn imports_test_library(program: &Program, file: FileId) -> bool {
    let summary = program.summary(file);
    summary.is_some_and(|s| frameworks::is_imported(s))
}

/// A body that is being read.
struct Read<'a> {
    ground: &'a Ground<'a>,
    program: &'a Program,
    id: BodyId,
    file: FileId,
    body: &'a Body,
    resolved: &'a ResolvedBody,
    assertions: &'a [u32],
}

impl Read<'_> {
    /// Something could not be read.
    fn has_unreadable(&self) -> bool {
        let is_missing = |e: &flow::Expr| e.kind == ExprKind::Missing && e.end > e.start;
        self.body.exprs.iter().any(is_missing)
    }

    /// It throws because something is wrong: an error, or anything if its own condition or its message says so. What it only
    /// passes on, and what a stub is told to throw, is no check.
    fn throws(&self) -> bool {
        let body = self.body;
        body.exprs.iter().enumerate().any(|(at, e)| {
            let ExprKind::Throw { operand } = e.kind else {
                return false;
            };
            let ExprKind::Call(call) = body.expr(operand).kind else {
                return self.is_judged(operand);
            };
            let call = &body.calls[call.ix()];
            let Callee::New { ty, .. } = call.callee else {
                return true;
            };
            let name = type_name(&body.types[ty.ix()]);
            if name.ends_with("Error") || name.ends_with("Failure") || name.contains("Assert") {
                return true;
            }
            let is_caught = |e: &ExprId| {
                matches!(body.expr(*e).kind, ExprKind::Local(l) if body.locals[l.ix()].kind == VariableKind::Catch)
            };
            if body.list(call.args).iter().any(is_caught) {
                return false;
            }
            self.denies(operand) || self.is_conditional(ExprId(at as u32)) && !self.is_a_fake()
        })
    }

    /// True for an exception of which something was asked before it is passed on: `if (e.getMessage().contains("limit"))
    /// return; throw e;` lets through what was expected.
    fn is_judged(&self, thrown: ExprId) -> bool {
        let body = self.body;
        let local = |e: ExprId| match body.expr(e).kind {
            ExprKind::Local(l) => Some(l),
            _ => None,
        };
        let Some(thrown) = local(thrown) else {
            return false;
        };
        body.calls.iter().any(|call| match call.callee {
            Callee::Method { receiver, name } => {
                receiver.and_then(local) == Some(thrown) && body.name(name).starts_with("get")
            }
            _ => false,
        })
    }

    /// True for an exception whose message says that nobody should have come there: "Should not be called".
    fn denies(&self, thrown: ExprId) -> bool {
        let text = self.program.text(self.file).map_or("", |t| &**t);
        let start = self.program.body(self.id).map_or(0, |b| b.start) as usize;
        let e = self.body.expr(thrown);
        let own = text.get(start + e.start as usize..start + e.end as usize);
        let own = own.unwrap_or("").to_lowercase();
        own.contains('"') && DENIALS.iter().any(|words| own.contains(words))
    }

    /// True unless it always runs when its method or lambda does.
    fn is_conditional(&self, e: ExprId) -> bool {
        let body = self.body;
        let block = |e: ExprId| body.blocks.partition_point(|b| b.first <= e.0);
        let inner = body
            .lambdas
            .iter()
            .filter(|l| l.first <= e && e < l.expr)
            .max_by_key(|l| l.first);
        match inner {
            Some(lambda) => block(lambda.first) != block(e),
            None => true,
        }
    }

    /// True for a method that stands in for another: of an anonymous class, or of a class that is no test's.
    fn is_a_fake(&self) -> bool {
        let program = self.program;
        let method = program.body_method(self.id);
        method.is_some_and(|m| {
            let is_override = program
                .method_decl(m)
                .is_some_and(|d| d.annotations.iter().any(|a| a == "Override"));
            is_override && self.ground.analysis.workspace().suite().kind(m).is_none()
        })
    }

    /// A call checks, or may.
    fn calls(&self) -> bool {
        (0..self.body.calls.len()).any(|at| self.may_check(CallId(at as u32)))
            || self.references()
            || self.runs_elsewhere()
    }

    /// It loads classes anew and runs them by reflection: tests that need another class path do.
    fn runs_elsewhere(&self) -> bool {
        let named = |wanted: &[&str]| {
            self.body.calls.iter().any(|c| match c.callee {
                Callee::Method { name, .. } => wanted.contains(&self.body.name(name).as_str()),
                Callee::New { ty, .. } => {
                    let name = type_name(&self.body.types[ty.ix()]);
                    wanted.iter().any(|w| name.ends_with(w))
                }
                _ => false,
            })
        };
        named(&["invoke", "invokeMethod"]) && named(&["ClassLoader", "loadClass", "forName"])
    }

    /// `this::check`, `Assert::assertTrue`: of what is not followed, by name.
    fn references(&self) -> bool {
        let body = self.body;
        body.exprs.iter().enumerate().any(|(at, e)| match e.kind {
            ExprKind::MethodRef { name, .. } => {
                let known = self.resolved.reference(ExprId(at as u32));
                let name = body.name(name).as_str();
                known.is_none() && promises(name, CHECKING)
            }
            _ => false,
        })
    }

    fn may_check(&self, id: CallId) -> bool {
        let body = self.body;
        let call = &body.calls[id.ix()];
        let target = self.resolved.calls.get(id.ix()).copied();
        let target = target.unwrap_or(CallTarget::Unknown);
        let (receiver, name) = match call.callee {
            Callee::Method { receiver, name } => (receiver, body.name(name).as_str()),
            Callee::New { ty, .. } => {
                let name = type_name(&body.types[ty.ix()]);
                return !matches!(target, CallTarget::Workspace(_)) && is_checker(name);
            }
            _ => return false,
        };
        match target {
            CallTarget::Workspace(m) => self.is_known_to_check(id, m, name),
            CallTarget::Library | CallTarget::Unknown => {
                is_assertion(body, id, self.assertions)
                    || self.is_a_librarys_check(id, receiver, name)
            }
        }
    }

    /// A call of the workspace. Test code with a body is followed; code under test that promises a check throws if it
    /// fails, and a test that calls it by itself tests that.
    fn is_known_to_check(&self, id: CallId, method: MethodId, name: &str) -> bool {
        let program = self.program;
        let Some(file) = program.method_file(method) else {
            return true;
        };
        if self.ground.is_test_code(file) {
            // `ok(client.delete(id))`: what for, if not to see that it is?
            let call = &self.body.calls[id.ix()];
            if name == "ok" && call.dropped && call.args.len > 0 {
                return true;
            }
            let runs = program.overriders(method);
            return runs.is_empty() && !program.is_implicit(method)
                || is_assertion(self.body, id, self.assertions) && name.starts_with("assert");
        }
        let owner = program.type_name(program.method_owner(method));
        let ends = |ends: &[&str]| ends.iter().any(|end| owner.ends_with(end));
        promises(name, CHECKING) || ends(THROWING_FINDERS) || ends(OWN_CHECKERS)
    }

    fn is_a_librarys_check(&self, id: CallId, receiver: Option<ExprId>, name: &str) -> bool {
        let (body, program) = (self.body, self.program);
        let call = &body.calls[id.ix()];
        let owner = self
            .resolved
            .library_method(call.expr)
            .map(|m| program.type_name(program.method_owner(m)).to_string())
            .or_else(|| {
                receiver
                    .and_then(|r| Some(program.library_class_of(self.resolved.ty(r))?.to_string()))
            });
        if call.dropped && name == "orElseThrow" {
            return true;
        }
        if let Some(owner) = &owner
            && (owner.starts_with("java.") || owner.starts_with("javax."))
        {
            // `Objects.requireNonNull(x)`, and waiting without a limit: it goes on when it happened.
            return name.starts_with("require")
                || name == "exit"
                || name == "await" && call.args.len == 0;
        }
        let has_args = call.args.len > 0;
        if call.dropped && (FINDERS.contains(&name) || name == "close" && self.is_found(receiver)) {
            return true;
        }
        if CHECKS.contains(&name) || promises_within(name) {
            return true;
        }
        // `await().until(…)`.
        if name.starts_with("until") {
            return true;
        }
        // Of a library's own, waiting ends with an exception when the time is up: `page.waitForSelector(…)`,
        // `waitUntilStringIsPresent(…)`.
        let waits = ["waitFor", "waitUntil"];
        if name.starts_with("await") && receiver.is_some()
            || waits.iter().any(|w| name.starts_with(w))
        {
            return true;
        }
        if self.is_of_a_harness(name) {
            return true;
        }
        // REST Assured's `.then()`, BDDAssertions' and BDDMockito's `then(x)`.
        if name == "then" {
            let by_name = receiver.is_none_or(|r| {
                self.last_name(r).is_some_and(|n| {
                    n.starts_with("BDD") || n == "and" || n.to_lowercase().contains("soft")
                })
            });
            if !has_args || by_name {
                return true;
            }
        }
        match receiver {
            // Inherited from a class that is not here, or imported from one.
            None => self.is_unseen_helper(name, owner.as_deref()),
            Some(r) => match body.expr(r).kind {
                ExprKind::This | ExprKind::Super => self.is_unseen_helper(name, owner.as_deref()),
                _ => self.is_checker_at(r, owner.as_deref()) || self.is_unseen_class(r),
            },
        }
    }

    /// True for a call of one of [`HARNESSES`], by its name and what the file imports.
    fn is_of_a_harness(&self, name: &str) -> bool {
        let Some(summary) = self.program.summary(self.file) else {
            return false;
        };
        HARNESSES.iter().any(|(package, names)| {
            let mut imports = summary.imports.iter();
            names.contains(&name) && imports.any(|i| i.name.starts_with(package))
        })
    }

    /// True for the answer of one of [`FINDERS`].
    fn is_found(&self, receiver: Option<ExprId>) -> bool {
        receiver.is_some_and(|r| match self.body.expr(r).kind {
            ExprKind::Call(call) => match self.body.calls[call.ix()].callee {
                Callee::Method { name, .. } => FINDERS.contains(&self.body.name(name).as_str()),
                _ => false,
            },
            _ => false,
        })
    }

    /// True for a call without a receiver of which nobody can say what it does: it is inherited from a class of a library
    /// that is not one of a test framework, or imported from a class of the same people that is not here.
    fn is_unseen_helper(&self, name: &str, owner: Option<&str>) -> bool {
        let Some(summary) = self.program.summary(self.file) else {
            return true;
        };
        if let Some(owner) = owner {
            return self.is_own(owner) || is_checker(owner);
        }
        let imported = summary.imports.iter().find(|i| {
            i.kind == program::ImportKind::StaticSingle && i.name.rsplit('.').next() == Some(name)
        });
        if let Some(import) = imported {
            let class = import.name.rsplit_once('.').map_or("", |p| p.0);
            return self.is_own(class) || is_checker(class);
        }
        let on_demand: Vec<&str> = summary
            .imports
            .iter()
            .filter(|i| i.kind == program::ImportKind::StaticOnDemand)
            .map(|i| i.name.as_str())
            .collect();
        if on_demand.iter().any(|c| self.is_own(c)) {
            return true;
        }
        // What a mocking library gives under these names checks nothing.
        let known = ["when", "given", "mock", "spy", "any", "eq", "get", "post"];
        let is_mocking = known.contains(&name) || name.starts_with("any") || name.starts_with("do");
        if is_mocking && on_demand.iter().any(|c| !self.is_own(c)) {
            return false;
        }
        let (owner, _) = self.program.body_member(self.id);
        let around = std::iter::successors(Some(owner), |t| self.program.enclosing_type(*t));
        let unseen = around.take(100).any(|t| self.has_unseen_superclass(t));
        unseen || on_demand.is_empty()
    }

    /// True if a class above is not here, and is not JUnit's own.
    fn has_unseen_superclass(&self, class: program::TypeId) -> bool {
        let program = self.program;
        let up = std::iter::successors(Some(class), |c| program.superclass(*c));
        let Some(top) = up.take(100).last() else {
            return false;
        };
        let decl = program.type_decl(top);
        match decl.and_then(|d| d.superclass.as_ref()) {
            Some(written) => !matches!(type_name(written), "TestCase" | "Object"),
            None => false,
        }
    }

    /// True for a class whose package begins as that of this file does: its source is not here, but it is theirs.
    fn is_own(&self, class: &str) -> bool {
        let Some(summary) = self.program.summary(self.file) else {
            return false;
        };
        // Under one roof many projects live.
        let roof = UMBRELLAS.iter().any(|u| summary.package.starts_with(u));
        let head = |name: &str| -> Vec<String> {
            name.split('.')
                .take(2 + usize::from(roof))
                .map(str::to_owned)
                .collect()
        };
        !summary.package.is_empty() && head(&summary.package) == head(class)
    }

    /// True for a class of the same people whose source is not here: `Scenario.run(cart)`.
    fn is_unseen_class(&self, receiver: ExprId) -> bool {
        let ExprKind::Name(name) = self.body.expr(receiver).kind else {
            return false;
        };
        let name = self.body.name(name).as_str();
        let is_known = !matches!(
            self.resolved.name(receiver),
            None | Some(NameTarget::Unknown | NameTarget::Type(None))
        );
        // What a helper calls by itself is the helper's business.
        let is_helper = !self.ground.has_tests(self.file);
        if is_known || is_helper || !name.starts_with(|c: char| c.is_uppercase()) {
            return false;
        }
        let Some(summary) = self.program.summary(self.file) else {
            return true;
        };
        let mut imports = summary.imports.iter();
        match imports.find(|i| i.name.rsplit('.').next() == Some(name)) {
            Some(import) => self.is_own(&import.name),
            // Of the same package, unless all of some other is imported, or Java knows it.
            None => {
                self.resolved.name(receiver) != Some(NameTarget::Type(None))
                    && summary
                        .imports
                        .iter()
                        .all(|i| i.kind != program::ImportKind::OnDemand)
            }
        }
    }

    /// True if the type of a receiver, or its name, says that it checks.
    fn is_checker_at(&self, receiver: ExprId, owner: Option<&str>) -> bool {
        if owner.is_some_and(is_checker) {
            return true;
        }
        let body = self.body;
        let written = match body.expr(receiver).kind {
            ExprKind::Local(l) => Some(type_name(&body.types[body.locals[l.ix()].ty.ix()])),
            ExprKind::Name(_) | ExprKind::Field { .. } => match self.resolved.name(receiver) {
                Some(NameTarget::Field(f)) => {
                    let decl = self.program.field_decl(f);
                    decl.map(|d| type_name(&d.ty))
                }
                _ => self.last_name(receiver),
            },
            _ => None,
        };
        written.is_some_and(is_checker)
    }

    fn last_name(&self, e: ExprId) -> Option<&str> {
        match self.body.expr(e).kind {
            ExprKind::Local(l) => Some(self.body.locals[l.ix()].name.as_str()),
            ExprKind::Name(n) | ExprKind::Field { name: n, .. } => Some(self.body.name(n).as_str()),
            _ => None,
        }
    }
}

/// The simple name of a type as written.
pub(super) fn type_name(ty: &flow::TypeRef) -> &str {
    match ty {
        flow::TypeRef::Named(segments) => segments.last().map_or("", |s| s.name.as_str()),
        _ => "",
    }
}

fn is_checker(name: &str) -> bool {
    let simple = name.rsplit(['.', '$']).next().unwrap_or(name);
    CHECKERS.iter().any(|end| simple.ends_with(end))
}

/// True if the first word of a name is one of these, or comes after `and`, `then` or `do`.
fn promises(name: &str, words: &[&str]) -> bool {
    let mut own = words_of(name);
    let first = own.next().unwrap_or_default();
    let is_one = |w: &str| words.contains(&w);
    is_one(&first)
        || matches!(first.as_str(), "and" | "then" | "do") && own.next().is_some_and(|w| is_one(&w))
}

/// True if a word of a name promises a check and the first does not say that it only asks, sets or tells.
fn promises_within(name: &str) -> bool {
    let mut own = words_of(name);
    let first = own.next().unwrap_or_default();
    if matches!(
        first.as_str(),
        "is" | "get" | "has" | "set" | "with" | "add" | "on" | "to" | "new" | "create"
    ) {
        return false;
    }
    CHECKING_WITHIN.contains(&first.as_str()) || own.any(|w| CHECKING_WITHIN.contains(&w.as_str()))
}

/// `reserializeAndAssert`: `reserialize`, `and`, `assert`.
fn words_of(name: &str) -> impl Iterator<Item = String> + '_ {
    let starts = |at: usize, c: char| at == 0 || c.is_uppercase() || c == '_';
    let mut at: Vec<usize> = name
        .char_indices()
        .filter(|(i, c)| starts(*i, *c))
        .map(|(i, _)| i)
        .collect();
    at.push(name.len());
    let words: Vec<String> = at
        .windows(2)
        .map(|w| name[w[0]..w[1]].trim_matches('_').to_lowercase())
        .filter(|w| !w.is_empty())
        .collect();
    words.into_iter()
}
