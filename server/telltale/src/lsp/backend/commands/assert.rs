//! `telltale.assert`: inserts the best assertion on what a test could read and does not.

use super::{method_named, place_of};
use crate::lsp::backend::Backend;
use crate::lsp::edits;
use crate::lsp::ingress::snapshot;
use crate::lsp::workspace_edit::WorkspaceEdit;
use crate::lsp::world::{Found, Snapshot};
use ide::action::Effect;
use program::MethodId;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};

/// Sends the edit to the client.
pub(super) async fn run(backend: &Backend, argument: Option<&Value>) -> Result<Option<Value>> {
    let argument = argument.and_then(place_of);
    let Some((uri, Some(name))) = argument else {
        return Err(Error::invalid_params(
            "telltale.assert takes [{ uri, name }]",
        ));
    };
    let snapshot = snapshot();
    let edit = backend
        .on(uri.clone(), move |found, _, _| {
            let test = method_named(found, &name)?;
            insertion(found, &snapshot, test)
        })
        .await?;
    if let Some(edit) = edit {
        backend.world.outbox.edit(edit);
    }
    Ok(None)
}

/// The best assertion on what a test could read and does not.
pub(in crate::lsp::backend) fn insertion(
    found: &Found,
    snapshot: &Snapshot,
    test: MethodId,
) -> Option<WorkspaceEdit> {
    let actions = ide::action::actions_of(&found.analysis, found.file, test);
    actions.into_iter().find_map(|a| match a.effect {
        Effect::Assert { change, .. } => edits::of(found, snapshot, &change).ok(),
        _ => None,
    })
}
