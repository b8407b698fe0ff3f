//! Where the run of a test begins.

use crate::Workspace;
use oracle::{TestKind, TestRun};
use program::{BodyId, Member, MethodId};

/// A bound on cost, not on truth.
const MOST_TEST_CODE: usize = 1000;

impl Workspace {
    /// A test as its own class runs it.
    pub fn own_run(&self, test: MethodId) -> TestRun {
        TestRun {
            test,
            class: self.program().method_owner(test),
        }
    }

    /// What a test runs: itself, its class's constructors, set-up and tear-down (inherited ones too).
    pub fn test_roots(&self, run: TestRun) -> Vec<BodyId> {
        let program = self.program();
        let mut roots: Vec<BodyId> = program.method_body(run.test).into_iter().collect();
        let mut class = Some(run.class);
        // A nested test class runs the fixtures of those around it.
        let mut left = 100;
        while let Some(c) = class {
            let mut above = Some(c);
            while let Some(t) = above {
                for &m in program.methods_of_type(t) {
                    let fixture = matches!(
                        self.suite().kind(m),
                        Some(TestKind::SetUp | TestKind::TearDown)
                    );
                    if fixture || program.is_constructor(m) {
                        roots.extend(program.method_body(m));
                    }
                }
                roots.extend(program.body_of(t, Member::Init));
                roots.extend(program.body_of(t, Member::Clinit));
                above = program.superclass(t);
                left -= 1;
                if left <= 0 {
                    break;
                }
            }
            class = program.enclosing_type(c);
            left -= 1;
            if left <= 0 {
                break;
            }
        }
        roots
    }

    /// The code of tests that runs with a test: itself, its set-up, and their helpers. What is known of a test without the
    /// code under test rests on these bodies alone.
    pub fn test_code(&self, run: TestRun) -> Vec<BodyId> {
        let program = self.program();
        let roots = self.test_roots(run).into_iter();
        let is_test_code =
            |site: &chains::CallSite| program.is_test_type(program.method_owner(site.target));
        self.call_graph()
            .below(roots.rev(), MOST_TEST_CODE, is_test_code)
    }
}
