//! What all diagnostics have: whose they are, how severe, where their rule is described.

use super::world::Found;
use crate::pages;
use ide::rules::{Level, Rule};
use tower_lsp::ls_types as lsp;

/// Whose they are, for people.
pub(super) const SOURCE: &str = "telltale";

/// Where a rule is described, if a run put its page there.
pub(super) fn page(found: &Found, rule: &Rule) -> Option<lsp::CodeDescription> {
    let page = found.coding.client.links_codes;
    let page = page.then(|| pages::of(&found.root, rule.name)).flatten()?;
    let href = lsp::Uri::from_file_path(page)?;
    Some(lsp::CodeDescription { href })
}

pub(super) fn severity(level: Level) -> lsp::DiagnosticSeverity {
    match level {
        Level::Hint => lsp::DiagnosticSeverity::HINT,
        Level::Info => lsp::DiagnosticSeverity::INFORMATION,
        Level::Warning => lsp::DiagnosticSeverity::WARNING,
        Level::Error => lsp::DiagnosticSeverity::ERROR,
    }
}
