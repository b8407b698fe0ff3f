//! `telltale.dismiss`: what is named no more, from clients that make no files.

use crate::lsp::backend::Backend;
use crate::lsp::dismissing::{Asked, Done};
use project::DISMISSED;
use serde_json::Value;
use std::sync::Arc;
use tower_lsp::jsonrpc::{Error, Result};

/// Adds an entry.
pub(super) async fn add(backend: &Backend, argument: Option<&Value>) -> Result<Option<Value>> {
    let Some(asked) = argument.and_then(Asked::of).map(Arc::new) else {
        return Err(Error::invalid_params(
            "telltale.dismiss takes [{ uri, entry }], an entry of telltale-dismissed.toml by its keys",
        ));
    };
    let of = Arc::clone(&asked);
    let done = backend
        .on(asked.uri.clone(), move |found, _, _| {
            Some((of.done(found), found.root.join(DISMISSED)))
        })
        .await?;
    let world = &backend.world;
    let Some((done, file)) = done else {
        return Ok(None);
    };
    match done {
        Done::Made => world.outbox.inform(format!(
            "Remembered in {DISMISSED}: delete the entry there to undo it."
        )),
        Done::Edit(edit) => world.outbox.edit(edit),
        Done::Nothing(why) => world.outbox.inform(why),
    }
    // Some clients watch no files.
    world.changed(&[file]);
    Ok(None)
}
