//! Tests that do not begin, since the set-up of their class fails: no run says what they would reach, the code does.

use std::collections::{BTreeSet, HashMap};

use calls::Technique;
use ide::Analysis;
use program::MethodId;

/// Who may run methods of which mutants are asked for.
pub(super) struct Reach<'a> {
    analysis: &'a Analysis,
    /// The methods, as the program names them.
    methods: BTreeSet<&'a str>,
    /// By class and method, as frameworks name them.
    tests: HashMap<(String, String), Vec<MethodId>>,
}

impl<'a> Reach<'a> {
    pub(super) fn new(analysis: &'a Analysis, methods: BTreeSet<&'a str>) -> Reach<'a> {
        let tests = analysis.workspace().suite().tests();
        Reach {
            analysis,
            methods,
            tests: verdicts::by_name(analysis.program(), tests),
        }
    }

    /// True if a test of this name may run one of the methods.
    pub(super) fn has(&self, class: &str, method: &str) -> bool {
        let tests = self.tests.get(&(class.to_owned(), method.to_owned()));
        tests.into_iter().flatten().any(|test| self.has_test(*test))
    }

    /// True if a test of this class may run one of the methods.
    pub(super) fn has_class(&self, class: &str) -> bool {
        let own = self.tests.iter().filter(|((of, _), _)| of == class);
        own.flat_map(|(_, tests)| tests)
            .any(|test| self.has_test(*test))
    }

    fn has_test(&self, test: MethodId) -> bool {
        let (workspace, program) = (self.analysis.workspace(), self.analysis.program());
        let bodies = workspace.reached_by(&[workspace.own_run(test)], Technique::RapidTypes);
        let mut methods = bodies.iter().filter_map(|b| program.body_method(b));
        methods.any(|m| self.methods.contains(&*program.method_name(m)))
    }
}
