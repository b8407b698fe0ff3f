//! What tests could expect of the answers to their requests, and which requests, and other calls, hide what they run.

use super::hiding::hiding;
use crate::Analysis;
use flow::CallId;
use oracle::TestRun;
use program::BodyId;
use serde::Serialize;
use text::{Encoding, LineIndex};

/// Something that a test could expect of the answer to a request.
#[derive(Debug, Serialize)]
pub struct ExpectedValue {
    /// `view().name("owners/list")`.
    pub expression: String,
    /// The method that answers.
    pub handler: String,
    pub path: String,
    pub line: u32,
    pub column: u32,
    /// It holds as it stands, as far as the text of that method says.
    pub finished: bool,
    /// A lens may name it.
    pub sure: bool,
}

/// A request of which nobody knows what answers it, or a call of a test without code under test in sight.
#[derive(Debug, Serialize)]
pub struct HiddenCode {
    /// The call.
    pub expression: String,
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub why: String,
}

/// What is known of what tests run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sight {
    /// They send requests.
    pub(super) sends: bool,
    /// It is one test, and no code under test is known to run.
    pub(super) is_blind: bool,
}

/// What tests could expect of the answers to their requests, the calls of which nobody knows what runs behind them (of one test
/// others than requests, too), and what of their requests and of the code under test is known.
pub(super) fn of_requests(
    analysis: &Analysis,
    tests: &[TestRun],
) -> (Vec<ExpectedValue>, Vec<HiddenCode>, Sight) {
    let program = analysis.program();
    let (mut expected, mut hidden) = (Vec::new(), Vec::new());
    let mut sight = Sight::default();
    let place = |id: BodyId, call: CallId| {
        let (decl, file) = (program.body(id)?, program.body_file(id)?);
        let (path, text) = (program.path(file)?, program.text(file)?);
        let call = &decl.body.calls[call.ix()];
        let name = decl.start + call.name_start;
        let whole = decl.body.expr(call.expr);
        let whole =
            text.get((decl.start + whole.start) as usize..(decl.start + whole.end) as usize);
        let at = LineIndex::new(text).position(name, Encoding::Utf16);
        let one_line: Vec<&str> = whole?.split_whitespace().collect();
        Some((one_line.join(" "), path.to_string(), at))
    };
    for run in tests {
        let Some(requests) = analysis.requests(run.test) else {
            // Of many tests it is each one's own business.
            let others = match tests.len() {
                1 => hiding(analysis, *run),
                _ => None,
            };
            sight.is_blind |= others.is_some();
            let others = others.into_iter().flatten();
            hidden.extend(others.filter_map(|h| {
                let (expression, path, at) = place(h.body, h.call)?;
                Some(HiddenCode {
                    expression,
                    path,
                    line: at.line + 1,
                    column: at.column + 1,
                    why: h.why,
                })
            }));
            continue;
        };
        sight.sends = true;
        let place = |call: CallId| place(requests.body?, call);
        for e in requests.expectations {
            let Some((_, path, at)) = place(e.behind) else {
                continue;
            };
            expected.push(ExpectedValue {
                expression: e.text(),
                handler: program.method_name(e.handler),
                path,
                line: at.line + 1,
                column: at.column + 1,
                finished: e.placeholder.is_none(),
                sure: e.wanted.is_some(),
            });
        }
        for h in requests.hidden {
            let Some((expression, path, at)) = place(h.call) else {
                continue;
            };
            hidden.push(HiddenCode {
                expression,
                path,
                line: at.line + 1,
                column: at.column + 1,
                why: h.why.to_string(),
            });
        }
    }
    (expected, hidden, sight)
}
