//! `textDocument/codeAction` and `codeAction/resolve`: what stands behind the light bulb, and the edits that it stands for.

use super::Backend;
use crate::lsp::actions;
use crate::lsp::ingress::snapshot;
use crate::lsp::inner_oracles::ActionData;
use crate::lsp::workspace_edit::{CodeAction, Resolved, WorkspaceEdit};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

pub(super) async fn answer(
    backend: &Backend,
    params: lsp::CodeActionParams,
) -> Result<Option<Vec<CodeAction>>> {
    let snapshot = snapshot();
    let uri = params.text_document.uri.clone();
    backend
        .on(uri, move |found, index, _| {
            Some(actions::all(found, index, &snapshot, &params))
        })
        .await
}

pub(super) async fn resolve(backend: &Backend, action: lsp::CodeAction) -> Result<Resolved> {
    let data = action
        .data
        .clone()
        .map(serde_json::from_value::<ActionData>);
    let Some(Ok(data)) = data else {
        return Ok(Resolved { action, edit: None });
    };
    let edit = edit_of(backend, data).await?;
    let action = lsp::CodeAction {
        edit: None,
        ..action
    };
    Ok(Resolved { action, edit })
}

/// The edit that an action stands for; where there is none the user is told why.
pub(super) async fn edit_of(backend: &Backend, data: ActionData) -> Result<Option<WorkspaceEdit>> {
    let snapshot = snapshot();
    let edit = backend
        .on(data.uri().clone(), move |found, _, _| {
            Some(data.edit(found, &snapshot))
        })
        .await?;
    match edit {
        Some(Ok(edit)) => Ok(Some(edit)),
        Some(Err(why)) => {
            backend.world.outbox.inform(format!("Telltale: {why}"));
            Ok(None)
        }
        None => Ok(None),
    }
}
