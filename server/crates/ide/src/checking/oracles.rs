//! What in a body checks something, and where it hands over to code that may.
//!
//! A test checks by an assertion of a library, by throwing when something is wrong, or by handing over to code that does.
//! Code of the workspace is followed; of code that cannot be seen the name tells: whoever calls `verifyAll()` of a library
//! is taken to check.

use super::Checking;
use super::helpers::{HelpersIn, uses_test_library};
use crate::analysis::{Analysis, Part, Question};
use chains::CallSite;
use flow::{Body, CallId, Callee, ExprId, ExprKind, Literal, VariableKind};
use oracle::promises::{
    CHECKING, CHECKS, CHECKS_OF_JAVA, DENIALS, ENDLESS_WAITS, FINDERS, FINDERS_OF_JAVA, FUTURES,
    HARNESSES, OWN_CHECKERS, THEN, THROWING_FINDERS, UMBRELLAS, WAITS, assumes, has_checking_then,
    is_checker, promises, promises_within, waits_until, words_of,
};
use oracle::{frameworks, is_assertion, last_name};
use program::{
    BodyId, CallTarget, FileId, MethodId, Modifiers, NameTarget, Program, ResolvedBody, TypeId,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use text::Span;

/// Bodies beyond which a test is not followed: nobody can say then that it checks nothing.
const MAX_BODIES: usize = 5_000;

/// What is known of a body.
#[derive(Debug, Default)]
struct Facts {
    /// It checks something, or nobody can say.
    checks: bool,
    /// It tells a stand-in what to answer.
    stubs: bool,
    /// It has something that throws when it is asked.
    traps: bool,
    /// The bodies that it may run, in order.
    next: Vec<BodyId>,
}

/// What is known of a body.
#[derive(Clone, PartialEq, Eq, Hash)]
struct FactsOf(BodyId);

impl Question for FactsOf {
    type Answer = Facts;
    const RESTS_ON: &'static [Part] = &[];

    fn answer(&self, analysis: &Analysis) -> Facts {
        Checking::new(analysis).facts_of(self.0, &[])
    }
}

/// What a test is, as far as it makes a check of what is none elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around<'a> {
    /// What stand-ins were told must be used.
    pub(super) is_strict: bool,
    /// It is about what must not happen.
    pub(super) denies: bool,
    /// Parts of the first body that are not looked at, relative to its start: what is caught there.
    pub(super) but: &'a [Span],
}

impl Checking<'_> {
    /// True if running one of `roots` checks something, or nobody can say.
    pub(super) fn checks(&self, roots: &[BodyId], around: Around<'_>) -> bool {
        let first = roots.first().filter(|_| !around.but.is_empty());
        let mut seen: FxHashSet<BodyId> = roots.iter().copied().collect();
        let mut work: Vec<BodyId> = roots.to_vec();
        while let Some(body) = work.pop() {
            // Files are checked side by side.
            let facts = match first == Some(&body) {
                true => Arc::new(self.facts_of(body, around.but)),
                false => self.analysis.ask_beside_others(FactsOf(body)),
            };
            let by_stubs = around.is_strict && facts.stubs || around.denies && facts.traps;
            if facts.checks || by_stubs || seen.len() > MAX_BODIES {
                return true;
            }
            work.extend(facts.next.iter().copied().filter(|b| seen.insert(*b)));
        }
        false
    }

    /// True for code of tests and their helpers.
    fn is_test_code(&self, file: FileId) -> bool {
        let program = self.workspace.program();
        program.is_test(file) || uses_test_library(program, file)
    }

    /// True for code in a module of helpers: what asserts there is no code under test.
    fn is_helper(&self, file: FileId) -> bool {
        let path = self.workspace.program().path(file);
        path.is_some_and(|p| is_of_a_test_module(p))
    }

    /// True for files with tests, and those that use a library for tests: a class that only serves as input is neither.
    pub(crate) fn has_tests_or_helpers(&self, file: FileId) -> bool {
        uses_test_library(self.workspace.program(), file) || self.has_tests(file)
    }

    /// True for files with tests, or what runs around them.
    pub(crate) fn has_tests(&self, file: FileId) -> bool {
        let program = self.workspace.program();
        let suite = self.workspace.suite();
        let mut types = program.types_of_file(file).iter();
        types.any(|t| {
            let mut methods = program.methods_of_type(*t).iter();
            methods.any(|m| suite.kind(*m).is_some())
        })
    }

    /// `but`: where it is not looked at.
    fn facts_of(&self, id: BodyId, but: &[Span]) -> Facts {
        let workspace = self.workspace;
        let program = workspace.program();
        let sure = Facts {
            checks: true,
            ..Facts::default()
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
        let is_helper = self.is_helper(file);
        let read = Read {
            checking: self,
            program,
            id,
            file,
            body,
            resolved,
            assertions: &decl.assertions,
            but,
        };
        if is_test_code
            && (body.asserts.iter().any(|e| read.is_meant(*e))
                || read.throws()
                || read.has_unreadable()
                || read.calls()
                || read.waits_in_turns())
        {
            return sure;
        }
        if is_helper && !body.asserts.is_empty() {
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
            for site in chains.calls.iter().filter(|s| read.is_meant(s.expr)) {
                next.extend(self.runs(site, program.body_owner(id), is_test_code));
            }
        }
        for class in program.body_classes(id).iter().flatten() {
            let methods = program.methods_of_type(*class).iter();
            next.extend(methods.filter_map(|m| program.method_body(*m)));
        }
        Facts {
            checks: false,
            stubs: read.stubs(),
            traps: read.traps(),
            next,
        }
    }

    /// What a call runs, as far as it may be code of tests. Calls in code under test are followed within it, and where
    /// helpers of tests stand beside it: what such code calls back is found where the test makes it.
    fn runs(&self, site: &CallSite, own: TypeId, in_test_code: bool) -> Vec<BodyId> {
        let workspace = self.workspace;
        let program = workspace.program();
        let targets = workspace.call_graph().targets(site);
        let goes = |b: &BodyId| {
            program.body_file(*b).is_some_and(|file| {
                let is_test_code = self.is_test_code(file);
                is_test_code && (in_test_code || !program.is_test(file))
                    || !is_test_code
                        && (HelpersIn::beside(self.analysis, file) || self.is_helper(file))
            })
        };
        let bodies = targets.bodies().iter().copied();
        let mut out: Vec<BodyId> = bodies.filter(goes).collect();
        // An object of a class of test code is there to be called back, whether it is made here or told what to expect.
        let class = program.method_owner(site.target);
        let is_static = || {
            let decl = program.method_decl(site.target);
            decl.is_none_or(|d| d.modifiers.has(Modifiers::STATIC))
        };
        let is_own = || {
            let mut up = std::iter::successors(Some(own), |c| program.superclass(*c)).take(100);
            up.any(|c| c == class)
        };
        let is_object = program.is_constructor(site.target) || !is_static() && !is_own();
        if in_test_code && is_object {
            let is_test_code = program
                .type_place(class)
                .is_some_and(|(file, _)| self.is_test_code(file));
            if is_test_code {
                let up: Vec<TypeId> =
                    std::iter::successors(Some(class), |c| program.superclass(*c))
                        .take(100)
                        .collect();
                // Of a library's interface nobody knows here which methods it has.
                let is_open = up.iter().any(|c| program.has_unseen_supertype(*c));
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

/// True for the code of a module of helpers: `webserver/tests/websocket/src/main/java/…`.
fn is_of_a_test_module(path: &str) -> bool {
    let Some((module, _)) = path.split_once("/src/main/") else {
        return false;
    };
    let mut folders = module.split('/');
    folders.any(|f| {
        let mut words = f.split(['-', '_', '.']);
        words.any(|w| matches!(w, "test" | "tests" | "testing" | "testsuite" | "testkit"))
    })
}

/// A body that is being read.
struct Read<'a> {
    checking: &'a Checking<'a>,
    program: &'a Program,
    id: BodyId,
    file: FileId,
    body: &'a Body,
    resolved: &'a ResolvedBody,
    assertions: &'a [u32],
    /// Where it is not looked at. What stands beside that is to throw: only what asserts is a check then.
    but: &'a [Span],
}

impl Read<'_> {
    fn is_meant(&self, e: ExprId) -> bool {
        let at = self.body.expr(e).start;
        !self.but.iter().any(|s| s.start <= at && at < s.end)
    }

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
            if !self.is_meant(ExprId(at as u32)) {
                return false;
            }
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
            if self.is_told_of_errors() {
                return true;
            }
            let is_caught = |e: &ExprId| {
                matches!(body.expr(*e).kind, ExprKind::Local(l) if body.locals[l.ix()].kind == VariableKind::Catch)
            };
            if body.list(call.args).iter().any(is_caught) {
                return false;
            }
            self.denies(operand) || self.is_conditional(ExprId(at as u32))
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

    /// True for a method that is told of what went wrong: `onError(e) { throw new RuntimeException(e); }`.
    fn is_told_of_errors(&self) -> bool {
        let method = self.program.body_method(self.id);
        let decl = method.and_then(|m| self.program.method_decl(m));
        decl.is_some_and(|d| words_of(&d.name).any(|w| w == "error" || w == "errors"))
    }

    /// True unless it always runs when its lambda does, or the method that stands in for another: those are told to throw.
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
            None => !self.is_a_fake() || block(ExprId(0)) != block(e),
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
            is_override && self.checking.workspace.suite().kind(m).is_none()
        })
    }

    /// A call checks, or may.
    fn calls(&self) -> bool {
        let meant = |c: &CallId| self.is_meant(self.body.calls[c.ix()].expr);
        let mut all = (0..self.body.calls.len() as u32).map(CallId).filter(meant);
        all.any(|c| self.may_check(c)) || self.references() || self.runs_elsewhere()
    }

    /// It tells a stand-in of a mocking library what to answer: `when(a.b()).thenReturn(c)`, `doNothing().when(a).b()`.
    fn stubs(&self) -> bool {
        self.body.calls.iter().any(|c| {
            self.body
                .method_name(c)
                .is_some_and(|n| frameworks::stubs(n))
        })
    }

    /// It looks again and again until something is so: `while (!done()) Thread.sleep(1);`.
    fn waits_in_turns(&self) -> bool {
        let text = self.program.text(self.file).map_or("", |t| &**t);
        let start = self.program.body(self.id).map_or(0, |b| b.start) as usize;
        let call = |at: &flow::Call| {
            self.body
                .method_name(at)
                .is_some_and(|name| matches!(name.as_str(), "sleep" | "yield" | "onSpinWait"))
        };
        self.body.calls.iter().filter(|c| call(c)).any(|c| {
            let end = start + self.body.expr(c.expr).start as usize;
            let before = text
                .get(..end)
                .unwrap_or("")
                .trim_end()
                .trim_end_matches('{')
                .trim_end();
            let line = before.rsplit('\n').next().unwrap_or("");
            line.rfind("while (!")
                .is_some_and(|at| line.ends_with(')') && !line[at..].contains([';', '{']))
        })
    }

    /// It has a stand-in, a lambda or a class of its own that throws when it is asked.
    fn traps(&self) -> bool {
        let body = self.body;
        let throws = |e: &flow::Expr| matches!(e.kind, ExprKind::Throw { .. });
        let tells = |name: &str| frameworks::any(name, |row| row.throwing);
        body.exprs.iter().any(throws)
            || body
                .calls
                .iter()
                .any(|c| body.method_name(c).is_some_and(|n| tells(n)))
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
            ExprKind::MethodRef { name, .. } if self.is_meant(ExprId(at as u32)) => {
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
        if self.checking.is_test_code(file) {
            // `ok(client.delete(id))`: what for, if not to see that it is?
            let call = &self.body.calls[id.ix()];
            if name == "ok" && call.dropped && call.args.len > 0 {
                return true;
            }
            let runs = program.overriders(method);
            return runs.is_empty() && !program.is_implicit(method)
                || is_assertion(self.body, id, self.assertions)
                    && frameworks::is_called_assertion(name);
        }
        if !self.but.is_empty() {
            return false;
        }
        if self.waits(id, name, None) {
            return true;
        }
        let owner = program.type_name(program.method_owner(method));
        let ends = |ends: &[&str]| ends.iter().any(|end| owner.ends_with(end));
        promises(name, CHECKING) || ends(THROWING_FINDERS) || ends(OWN_CHECKERS)
    }

    fn is_a_librarys_check(&self, id: CallId, receiver: Option<ExprId>, name: &str) -> bool {
        let (body, program) = (self.body, self.program);
        let call = &body.calls[id.ix()];
        // `assumeTrue(false)`: it is off.
        let is_constant = |e: &ExprId| {
            let kind = body.expr(*e).kind;
            matches!(kind, ExprKind::Literal(Literal::True | Literal::False))
        };
        if assumes(name) && body.list(call.args).iter().any(is_constant) {
            return true;
        }
        let owner = self
            .resolved
            .library_method(call.expr)
            .map(|m| program.type_name(program.method_owner(m)).to_string())
            .or_else(|| {
                receiver
                    .and_then(|r| Some(program.library_class_of(self.resolved.ty(r))?.to_string()))
            });
        if call.dropped && name == "orElseThrow" || self.waits(id, name, owner.as_deref()) {
            return true;
        }
        if let Some(owner) = &owner
            && models::is_library_name(owner)
        {
            return self.but.is_empty() && self.is_a_check_of_java(id, owner, name);
        }
        let has_args = call.args.len > 0;
        if call.dropped && (FINDERS.contains(&name) || name == "close" && self.is_found(receiver)) {
            return true;
        }
        if CHECKS.contains(&name) || promises_within(name) {
            return true;
        }
        // Of a library's own, waiting ends with an exception when the time is up.
        if waits_until(name, receiver.is_some()) || self.is_of_a_harness(name) {
            return true;
        }
        // REST Assured's `.then()`, BDDAssertions' and BDDMockito's `then(x)`.
        if name == THEN {
            let by_name =
                receiver.is_none_or(|r| last_name(self.body, r).is_some_and(has_checking_then));
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

    /// What Java's own classes check: by throwing unless something is there or so, where the answer is dropped;
    /// `Objects.requireNonNull(x)`; and waiting without a limit, which goes on when it happened.
    fn is_a_check_of_java(&self, id: CallId, owner: &str, name: &str) -> bool {
        let call = &self.body.calls[id.ix()];
        let finds =
            |(class, names): &(&str, &[&str])| owner.starts_with(class) && names.contains(&name);
        let is_answer = self.program.display_type(self.resolved.ty(call.expr)) == "boolean";
        let checks = !is_answer && CHECKS_OF_JAVA.iter().any(|w| name.starts_with(w));
        call.dropped && (checks || FINDERS_OF_JAVA.iter().any(finds))
            || name.starts_with("require")
            || name == "exit"
            || name == "await" && call.args.len == 0
    }

    /// True for waiting that ends with an exception when the time is up, or when what was waited for went wrong:
    /// `future.get(5, SECONDS)`, `mono.block()`. What gives back whether it happened throws nothing.
    fn waits(&self, id: CallId, name: &str, owner: Option<&str>) -> bool {
        let body = self.body;
        let call = &body.calls[id.ix()];
        let type_of = |e: ExprId| self.program.display_type(self.resolved.ty(e));
        let is_limit = |e: &ExprId| {
            let ty = type_of(*e);
            let unit = matches!(
                last_name(self.body, *e),
                Some("SECONDS" | "MILLISECONDS" | "MINUTES")
            );
            unit || ty == "java.time.Duration" || ty == "java.util.concurrent.TimeUnit"
        };
        let args = body.list(call.args);
        let begins = |words: &[&str]| promises(name, words);
        let is_wait = match args.last() {
            Some(last) => begins(WAITS) && is_limit(last),
            None => {
                let is_future = owner.is_some_and(|o| FUTURES.contains(&o));
                // `account.block()` gives nothing back and waits for nothing.
                let is_act = name == "block" && type_of(call.expr) == "void";
                begins(ENDLESS_WAITS) && !is_act || is_future && matches!(name, "get" | "join")
            }
        };
        call.dropped && is_wait && type_of(call.expr) != "boolean"
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
            ExprKind::Call(call) => self
                .body
                .method_name(&self.body.calls[call.ix()])
                .is_some_and(|name| FINDERS.contains(&name.as_str())),
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
        // What libraries of mocks and requests give under these names checks nothing.
        if frameworks::may_prepare(name) && on_demand.iter().any(|c| !self.is_own(c)) {
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
            Some(written) => {
                let name = type_name(written);
                name != "Object" && !frameworks::is_extended(name)
            }
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
        let is_helper = !self.checking.has_tests(self.file);
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
                _ => last_name(self.body, receiver),
            },
            _ => None,
        };
        written.is_some_and(is_checker)
    }
}

/// The simple name of a type as written.
pub(super) fn type_name(ty: &flow::TypeRef) -> &str {
    match ty {
        flow::TypeRef::Named(segments) => segments.last().map_or("", |s| s.name.as_str()),
        _ => "",
    }
}
