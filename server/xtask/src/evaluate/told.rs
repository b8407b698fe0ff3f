//! What one test is told on request.

use ide::Analysis;
use ide::answers::{Answer, Ground, List, Observe, Scope, ScopeKind, What};
use program::MethodId;

/// The answer to `telltale observe --test`, with what it has in JSON.
pub(super) fn answer_of(analysis: &Analysis, test: MethodId) -> Observe {
    let ground = Ground {
        analysis,
        root: String::new(),
        files: 0,
        files_skipped: 0,
    };
    let scope = Scope {
        kind: ScopeKind::Test,
        name: analysis.program().method_name(test),
        what: What::Tests(vec![analysis.workspace().own_run(test)]),
    };
    Answer::new(&ground, scope, Some(List::Readable), false).json
}

/// How a lens's call of a mock is asked for: `verify(orders).save(…)` of `orders.save(…)`.
pub(super) fn asked_by(call: &str) -> Option<String> {
    let (mock, call) = call.split_once('.')?;
    Some(format!("verify({mock}).{call}"))
}
