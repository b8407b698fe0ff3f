//! What was told of generated assertions before the code changed: it is not forgotten at the first keystroke, and not shown as if it
//! still held. Greyed, as a hint that says so, until its test is recorded anew, or the assertion is another.

use super::convert;
use super::world::Found;
use ide::rules::{Finding, SUSPICIOUS};
use ide::suspects::{of_tests, said};
use program::MethodId;
use std::collections::BTreeMap;
use text::LineIndex;
use tower_lsp::ls_types as lsp;

/// How many findings of a file are kept: more than a class has that are marked.
const KEPT: usize = 64;

/// What was told of one file: by test and the assertion's text, the message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Before(BTreeMap<(String, String), String>);

impl Before {
    /// True if nothing was told.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What holds now is kept for later. What held before and rests on other code now is given as diagnostics; what does not hold any
    /// more although its test was recorded with this code is forgotten.
    pub(super) fn after(
        &mut self,
        found: &Found,
        index: &LineIndex,
        now: &[Finding],
    ) -> Vec<lsp::Diagnostic> {
        let program = found.analysis.program();
        let mut fresh = BTreeMap::new();
        for finding in now.iter().filter(|f| f.rule.name == SUSPICIOUS).take(KEPT) {
            let test = finding.method.map(|m| program.method_name(m));
            let key = (test.unwrap_or_default(), finding.what.clone());
            fresh.insert(key, finding.message.clone());
        }
        let mut out = Vec::new();
        let mut old = std::mem::replace(&mut self.0, fresh);
        old.retain(|key, _| !self.0.contains_key(key));
        if old.is_empty() {
            return out;
        }
        let is_asked = |test: MethodId| {
            program.method_file(test) == Some(found.file)
                && is_stale(found, test)
                && old
                    .keys()
                    .any(|(name, _)| *name == program.method_name(test))
        };
        for (assertion, _) in of_tests(&found.analysis, &is_asked) {
            let key = (
                program.method_name(assertion.test),
                said(program, &assertion),
            );
            let Some(message) = old.remove(&key) else {
                continue;
            };
            out.push(lsp::Diagnostic {
                range: convert::range(index, assertion.condition, found.coding),
                severity: Some(lsp::DiagnosticSeverity::HINT),
                code: Some(lsp::NumberOrString::String(SUSPICIOUS.to_owned())),
                source: Some(super::findings::SOURCE.to_owned()),
                message: format!("Recorded with other code, record it again to know: {message}"),
                tags: found
                    .coding
                    .client
                    .greys
                    .then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
                ..Default::default()
            });
            self.0.insert(key, message);
        }
        out
    }
}

/// True of a test that was recorded with other code than there is.
fn is_stale(found: &Found, test: MethodId) -> bool {
    let told = found.analysis.recorded(test);
    told.is_some_and(|told| told.key != found.analysis.key(test))
}
