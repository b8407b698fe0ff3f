//! `textDocument/hover`.

use super::Backend;
use crate::lsp::convert;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

pub(super) async fn answer(
    backend: &Backend,
    params: lsp::HoverParams,
) -> Result<Option<lsp::Hover>> {
    let at = params.text_document_position_params;
    backend
        .on(at.text_document.uri, move |found, index, coding| {
            if !found.settings.hover.rank {
                return None;
            }
            let offset = convert::offset(index, at.position, coding);
            let hover = ide::hover::hover(&found.analysis, found.file, offset)?;
            Some(lsp::Hover {
                contents: lsp::HoverContents::Markup(match coding.client.markdown {
                    true => lsp::MarkupContent {
                        kind: lsp::MarkupKind::Markdown,
                        value: hover.markdown,
                    },
                    false => lsp::MarkupContent {
                        kind: lsp::MarkupKind::PlainText,
                        value: hover.plain,
                    },
                }),
                range: Some(convert::range(index, hover.span, coding)),
            })
        })
        .await
}
