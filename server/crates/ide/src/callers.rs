//! How many tests call each production method, themselves or through test code: set-up, helpers, fields. Overriding
//! methods of what is called are not counted: nobody said that they run. A method that answers a request of theirs counts
//! as called.
//!
//! What each test calls is kept from state to state, until a body that it was read from changes or a declaration does.

use calls::Workspace;
use chains::Asking;
use program::{BodyId, MethodId, Program, TypeId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// See the module's description.
#[derive(Clone, Debug, Default)]
pub(crate) struct Callers {
    counts: FxHashMap<MethodId, u32>,
    /// In the order of the suite.
    tests: Vec<Arc<Called>>,
    /// How many tests were read, since the first.
    read: u64,
}

/// What one test calls.
#[derive(Debug)]
struct Called {
    /// The bodies that were read for it, in order: the test's own and code of tests that it calls.
    bodies: Vec<BodyId>,
    /// The production methods, in order.
    methods: Vec<MethodId>,
}

impl Called {
    /// Reads `roots` and what they call in test code; what `known` has read is not read again, and counts as read here.
    fn of(
        workspace: &Workspace,
        class: TypeId,
        roots: Vec<BodyId>,
        known: Option<&Called>,
    ) -> Called {
        let program = workspace.program();
        let mut methods: Vec<MethodId> = known.map(|k| k.methods.clone()).unwrap_or_default();
        let mut seen: FxHashSet<BodyId> = FxHashSet::default();
        let read = |b: &BodyId| known.is_some_and(|k| k.bodies.binary_search(b).is_ok());
        let mut work: Vec<BodyId> = roots;
        while let Some(body) = work.pop() {
            if read(&body) || !seen.insert(body) {
                continue;
            }
            let Some(chains) = workspace.chains(body) else {
                continue;
            };
            let written = chains.calls.iter().map(|site| site.target);
            let by_java = chains.askings.iter().filter(|a| a.gives_value || a.closes);
            let by_java = by_java.flat_map(|asking| asked_itself(program, asking));
            for target in written.chain(by_java) {
                if program.is_test_type(program.method_owner(target)) {
                    work.extend(program.method_body(target));
                } else {
                    methods.push(target);
                }
            }
            let answers = chains.sent.iter().filter_map(|sent| {
                let handler = workspace.answer(class, body, sent.call)?.ok()?;
                Some(handler.method)
            });
            methods.extend(answers);
            for class in program.body_classes(body).iter().flatten() {
                let inner = program.methods_of_type(*class).iter();
                work.extend(inner.filter_map(|m| program.method_body(*m)));
            }
        }
        methods.sort_unstable();
        methods.dedup();
        let mut bodies: Vec<BodyId> = seen.into_iter().collect();
        bodies.extend(known.into_iter().flat_map(|k| &k.bodies));
        bodies.sort_unstable();
        Called { bodies, methods }
    }

    /// What one test calls, with its class's fixtures.
    fn by(workspace: &Workspace, test: MethodId) -> Called {
        Called::of(
            workspace,
            workspace.program().method_owner(test),
            workspace.test_roots(workspace.own_run(test)),
            None,
        )
    }

    /// What each of some tests calls; the fixtures of a class are read once for all its tests.
    fn by_all(workspace: &Workspace, tests: &[MethodId]) -> Vec<Arc<Called>> {
        let program = workspace.program();
        let own: Vec<&[MethodId]> = tests
            .chunk_by(|a, b| program.method_owner(*a) == program.method_owner(*b))
            .collect();
        let called = own.par_iter().flat_map_iter(|tests| {
            let fixtures = tests.first().map(|first| {
                let mut roots = workspace.test_roots(workspace.own_run(*first));
                // The test itself stands first; once more if it is a fixture too.
                if roots.first().copied() == program.method_body(*first) && !roots.is_empty() {
                    roots.remove(0);
                }
                Called::of(workspace, program.method_owner(*first), roots, None)
            });
            tests.iter().map(move |test| {
                let body = program.method_body(*test).into_iter().collect();
                let class = program.method_owner(*test);
                Arc::new(Called::of(workspace, class, body, fixtures.as_ref()))
            })
        });
        called.collect()
    }
}

/// What Java calls of an object by its own type, not by one below: `iterator()` of a `for`, `close()` of a `try`.
fn asked_itself(program: &Program, asking: &Asking) -> Vec<MethodId> {
    let Some(class) = program.class_of(asking.on) else {
        return Vec::new();
    };
    let above = program.supertypes(class);
    let unwritten = program.unwritten(asking.on, asking.asked);
    let bodies = unwritten.ways.iter().flatten();
    let methods = bodies.filter_map(|body| program.body_method(*body));
    let of_type = methods.filter(|m| {
        let owner = program.method_owner(*m);
        owner == class || above.contains(&owner)
    });
    of_type.collect()
}

impl Callers {
    /// Reads all tests.
    pub(crate) fn new(workspace: &Workspace) -> Callers {
        let tests = Called::by_all(workspace, workspace.suite().tests());
        let mut counts: FxHashMap<MethodId, u32> = FxHashMap::default();
        for &method in tests.iter().flat_map(|t| &t.methods) {
            *counts.entry(method).or_default() += 1;
        }
        Callers {
            counts,
            read: tests.len() as u64,
            tests,
        }
    }

    /// Which tests call a method, by their positions in the suite.
    pub(crate) fn of(&self, method: MethodId) -> impl Iterator<Item = usize> {
        let calls = move |t: &Arc<Called>| t.methods.binary_search(&method).is_ok();
        let found = self.tests.iter().enumerate();
        found.filter_map(move |(at, t)| calls(t).then_some(at))
    }

    /// Those of `next`, if `old` are those of `before`; equal to new ones. Costs the tests that read what changed, and
    /// all tests if a declaration changed.
    pub(crate) fn update(old: &Arc<Callers>, before: &Workspace, next: &Workspace) -> Arc<Callers> {
        let (was, is) = (before.program(), next.program());
        // A body that comes or goes can be an initialiser, which tests run unasked.
        let others = |b: &BodyId| before.chains(*b).is_some() != next.chains(*b).is_some();
        if !is.same_declarations(was) || !is.follows(was) || is.changed_bodies().iter().any(others)
        {
            let mut new = Callers::new(next);
            new.read += old.read;
            return Arc::new(new);
        }
        let same = |b: &BodyId| {
            let chains = match (before.chains(*b), next.chains(*b)) {
                // Where a request goes says the text of its path.
                (Some(_), Some(b)) if !b.sent.is_empty() => false,
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                _ => true,
            };
            chains && was.body_classes(*b) == is.body_classes(*b)
        };
        let mut changed: Vec<BodyId> = is.changed_bodies().to_vec();
        changed.retain(|b| !same(b));
        changed.sort_unstable();
        if changed.is_empty() {
            return Arc::clone(old);
        }
        let touched = |t: &Called| t.bodies.iter().any(|b| changed.binary_search(b).is_ok());
        let stale: Vec<usize> = (0..old.tests.len())
            .filter(|at| touched(&old.tests[*at]))
            .collect();
        if stale.is_empty() {
            return Arc::clone(old);
        }
        let mut new = Callers::clone(old);
        new.read += stale.len() as u64;
        for at in stale {
            let called = Arc::new(Called::by(next, next.suite().tests()[at]));
            for method in &called.methods {
                *new.counts.entry(*method).or_default() += 1;
            }
            for method in &old.tests[at].methods {
                if let Some(n) = new.counts.get_mut(method) {
                    *n -= 1;
                    if *n == 0 {
                        new.counts.remove(method);
                    }
                }
            }
            new.tests[at] = called;
        }
        Arc::new(new)
    }

    /// By method; methods that no test calls are not in it.
    pub(crate) fn counts(&self) -> &FxHashMap<MethodId, u32> {
        &self.counts
    }

    /// How many tests were read for these callers and those before that they came from.
    #[cfg(test)]
    pub(crate) fn tests_read(&self) -> u64 {
        self.read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Change, FileInput, SourceSetId, SourceSetInput};

    const MAIN: &str =
        "package p; public class A { int one() { return 1; } int two() { return one(); } }";
    const TEST: &str = "package p; import org.junit.jupiter.api.Test; class ATest {\n\
        @Test void first() { new A().one(); }\n\
        @Test void second() { help(); }\n\
        @Test void third() { new A().two(); new A().one(); }\n\
        private void help() { new A().two(); }\n}";

    fn workspace(main: &str, test: &str) -> Workspace {
        let file = |path: &str, at, text: &str| FileInput {
            path: path.into(),
            source_set: SourceSetId(at),
            text: text.into(),
        };
        Workspace::new(Program::build(
            SourceSetInput::code_and_tests(),
            vec![
                file("src/main/A.java", 0, main),
                file("src/test/ATest.java", 1, test),
            ],
        ))
    }

    fn named(workspace: &Workspace, callers: &Callers) -> Vec<(String, u32)> {
        let program = workspace.program();
        let counts = callers.counts().iter();
        let mut out: Vec<(String, u32)> = counts
            .map(|(m, n)| (program.method_name(*m).to_string(), *n))
            .collect();
        out.sort();
        out
    }

    #[test]
    fn only_tests_that_read_a_changed_body_are_read_again() {
        let mut now = workspace(MAIN, TEST);
        let mut callers = Arc::new(Callers::new(&now));
        let edits = [
            (0, MAIN.replace("return 1", "return 2"), 0),
            (1, TEST.replace("help();", "help(); new A().one();"), 1),
            (
                1,
                TEST.replace(
                    "void help() { new A().two();",
                    "void help() { new A().one();",
                ),
                1,
            ),
            (1, TEST.replace("new A().one()", "new A().two()"), 3),
            (1, TEST.replace("new A()", "new A("), 3),
            (1, TEST.to_owned(), 3),
            (
                1,
                TEST.replace(
                    "class ATest {",
                    "class ATest { A a; { a = new A(); a.two(); }",
                ),
                3,
            ),
            (
                1,
                TEST.replace(
                    "class ATest {",
                    "class ATest { A a; { a = new A(); a.one(); }",
                ),
                3,
            ),
            (1, TEST.to_owned(), 3),
            // A declaration: all of them.
            (0, MAIN.replace("int one()", "long one()"), 3),
            (0, MAIN.to_owned(), 3),
        ];
        let mut texts = [MAIN.to_owned(), TEST.to_owned()];
        for (at, text, most) in edits {
            let path = ["src/main/A.java", "src/test/ATest.java"][at];
            texts[at] = text;
            let next = now.update(vec![Change {
                path: path.into(),
                source_set: SourceSetId(at as u32),
                text: Some(texts[at].as_str().into()),
            }]);
            let before = callers.tests_read();
            callers = Callers::update(&callers, &now, &next);
            now = next;
            let read = callers.tests_read() - before;
            assert!(read <= most, "{read} tests read after {}", texts[at]);
            let scratch = workspace(&texts[0], &texts[1]);
            let fresh = Callers::new(&scratch);
            assert_eq!(
                named(&now, &callers),
                named(&scratch, &fresh),
                "{}",
                texts[at]
            );
        }
    }

    #[test]
    fn what_java_calls_of_an_object_counts_and_what_overrides_it_does_not() {
        let main = "package p; import java.util.*; public class A implements Iterable<A>, AutoCloseable { \
            public Iterator<A> iterator() { return null; } public void close() { } \
            public String toString() { return \"\"; } public int hashCode() { return 1; } } \
            class B extends A { public Iterator<A> iterator() { return null; } }";
        let test = "package p; import org.junit.jupiter.api.Test; class ATest {\n\
            @Test void first() { for (A a : new A()) { } }\n\
            @Test void second() { try (A a = new A()) { String s = \"\" + a; } }\n}";
        let workspace = workspace(main, test);
        let named = named(&workspace, &Callers::new(&workspace));
        let count = |name: &str| named.iter().find(|n| n.0 == name).map(|n| n.1);
        assert_eq!(count("p.A#iterator()"), Some(1), "{named:?}");
        assert_eq!(count("p.A#close()"), Some(1), "{named:?}");
        assert_eq!(count("p.A#toString()"), Some(1), "{named:?}");
        assert_eq!(count("p.A#hashCode()"), None, "{named:?}");
        assert_eq!(count("p.B#iterator()"), None, "{named:?}");
    }
}
