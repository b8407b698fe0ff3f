//! The calls of all hand-written tests, for tools that learn of them elsewhere.

use crate::analysis::Analysis;
use evidence::Calls;

/// The recorded calls of hand-written tests.
#[derive(Clone, Debug, Default)]
pub struct ByHand {
    /// By test, in the order of the suite: of tests that passed, and are what was recorded.
    pub calls: Vec<Calls>,
    /// Tests that were recorded with other code.
    pub stale: usize,
}

impl ByHand {
    /// What is kept of them.
    pub fn of(analysis: &Analysis) -> ByHand {
        let program = analysis.program();
        let mut out = ByHand::default();
        for &test in analysis.workspace().suite().tests() {
            if program.generated(program.method_owner(test)).is_some() {
                continue;
            }
            let told = analysis.recorded(test).filter(|told| told.passed);
            let Some(told) = told else { continue };
            let Some(packed) = &told.calls else { continue };
            if told.key == analysis.key(test) {
                out.calls.extend(packed.calls());
            } else {
                out.stale += 1;
            }
        }
        out
    }
}
