//! `textDocument/inlayHint`: what stands beside definitions, and above tests where a client has no lenses.

use super::{Backend, is_marking};
use crate::lsp::{age, convert};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

pub(super) async fn answer(
    backend: &Backend,
    params: lsp::InlayHintParams,
) -> Result<Option<Vec<lsp::InlayHint>>> {
    let twins = !backend.world.outbox.shows_lenses();
    backend
        .on(params.text_document.uri, move |found, index, coding| {
            // A twin has the switch of its lens.
            let twins = twins && !coding.client.lenses && found.settings.lens.tests;
            let is_test = found.analysis.program().is_test(found.file);
            if !(if is_test {
                twins
            } else {
                found.settings.hints.observe
            }) {
                return None;
            }
            let range = convert::span(index, params.range, coding);
            let hints = ide::hint::hints(&found.analysis, found.file, range, twins)
                .into_iter()
                .filter(|h| !h.counts_marks || is_marking(&found.settings))
                .map(|h| lsp::InlayHint {
                    position: convert::position(index, h.offset, coding),
                    label: lsp::InlayHintLabel::String(age::with(h.label, h.recorded)),
                    kind: None,
                    text_edits: None,
                    tooltip: Some(lsp::InlayHintTooltip::String(h.tooltip)),
                    padding_left: Some(true),
                    padding_right: None,
                    data: None,
                })
                .collect();
            Some(hints)
        })
        .await
}
