//! What tests could expect of the answers to their requests, and which requests hide what they run.

use crate::Analysis;
use flow::CallId;
use oracle::TestRun;
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

/// A request of which nobody knows what answers it.
#[derive(Debug, Serialize)]
pub struct HiddenCode {
    /// The call that sends it.
    pub expression: String,
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub why: String,
}

/// What tests could expect of the answers to their requests, the requests of which nobody knows what answers them, and whether they
/// send any.
pub(super) fn of_requests(
    analysis: &Analysis,
    tests: &[TestRun],
) -> (Vec<ExpectedValue>, Vec<HiddenCode>, bool) {
    let program = analysis.program();
    let (mut expected, mut hidden, mut sends) = (Vec::new(), Vec::new(), false);
    for test in tests.iter().map(|run| run.test) {
        let Some(requests) = analysis.requests(test) else {
            continue;
        };
        sends = true;
        let place = |call: CallId| {
            let id = requests.body?;
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
    (expected, hidden, sends)
}
