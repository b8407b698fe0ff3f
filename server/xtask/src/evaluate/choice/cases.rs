//! The questions: every assertion on a value in a test that has another one.

use calls::Workspace;
use flow::CallId;
use oracle::{Reader, Reading};
use program::{BodyId, MethodId};
use recommend::HoldOut;

use super::squeeze;

/// What an assertion reads, as far as a list of values can contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A variable, or queries without arguments of one.
    Value,
    /// The value of a call with arguments.
    Arguments,
    /// A new object, a static call without arguments, a helper of the test, an array made for the comparison.
    Other,
}

/// One assertion that is hidden.
pub(super) struct Case {
    pub(super) test: MethodId,
    pub(super) body: BodyId,
    pub(super) call: CallId,
    pub(super) line: usize,
    pub(super) kind: Kind,
    pub(super) reading: Reading,
    /// What counts as found, without white space.
    found: Vec<String>,
}

impl Case {
    /// True if the developer read just this.
    pub(super) fn is(&self, expression: &str) -> bool {
        let text = squeeze(expression);
        self.found.contains(&text)
    }

    pub(super) fn texts(&self) -> &[String] {
        &self.found
    }
}

/// All cases of a workspace, in order of path and position.
pub(super) fn of(workspace: &Workspace) -> Vec<Case> {
    let program = workspace.program();
    let mut out = Vec::new();
    for &test in workspace.suite().tests() {
        let Some(body) = program.method_body(test) else {
            continue;
        };
        let (Some(chains), Some(reader)) = (
            workspace.chains(body),
            Reader::new(workspace.program(), body),
        ) else {
            continue;
        };
        let on_values: Vec<CallId> = chains
            .assertions
            .iter()
            .filter_map(|a| a.call)
            .filter(|&call| reads(&reader.reading_of_call(call)))
            .collect();
        if on_values.len() < 2 {
            continue;
        }
        for call in on_values {
            out.extend(case(workspace, &reader, test, body, call));
        }
    }
    out
}

fn reads(reading: &Reading) -> bool {
    !reading.paths.is_empty() || !reading.calls.is_empty() || reading.other
}

fn case(
    workspace: &Workspace,
    reader: &Reader<'_>,
    test: MethodId,
    body: BodyId,
    call: CallId,
) -> Option<Case> {
    let program = workspace.program();
    let hold_out = HoldOut::without(reader, call);
    let reading = hold_out.reading(reader, call);
    let kind = if !reading.paths.is_empty() {
        Kind::Value
    } else if !reading.calls.is_empty() {
        Kind::Arguments
    } else {
        Kind::Other
    };
    let mut found: Vec<String> = reading
        .paths
        .iter()
        .map(|(_, path)| squeeze(&path.text))
        .collect();
    if kind != Kind::Value {
        // The call itself, should something offer it.
        found = reader
            .actual(call)
            .iter()
            .map(|&e| {
                let e = reader.body.expr(e);
                squeeze(program.body_text(body, e.start, e.end))
            })
            .collect();
    }
    let file = program.body_file(body)?;
    let at = program.body(body)?.start + reader.body.expr(reader.body.calls[call.ix()].expr).start;
    let line = program
        .text(file)?
        .get(..at as usize)?
        .matches('\n')
        .count()
        + 1;
    Some(Case {
        test,
        body,
        call,
        line,
        kind,
        reading,
        found,
    })
}
