//! `telltale.evidence`, `telltale.suspects` and `telltale.review`: what runs told of generated tests.

use super::place_of;
use crate::lsp::backend::Backend;
use crate::lsp::review::Done;
use crate::lsp::{evidence, marked, review};
use project::config::CONFIG;
use serde_json::Value;
use std::sync::Arc;
use tower_lsp::jsonrpc::{Error, Result};

/// The page of what speaks for and against an assertion.
pub(super) async fn evidence_page(
    backend: &Backend,
    argument: Option<&Value>,
) -> Result<Option<Value>> {
    let asked = argument.and_then(evidence::Asked::of);
    let Some(asked) = asked.map(Arc::new) else {
        return Err(Error::invalid_params(
            "telltale.evidence takes [{ uri, position, show? }]",
        ));
    };
    let of = Arc::clone(&asked);
    let page = backend
        .on(asked.uri.clone(), move |found, index, _| {
            of.answer(found, index)
        })
        .await?;
    Ok(asked.show(&backend.world, page))
}

/// The generated assertions of a file that are marked, and those that only have a rank.
pub(super) async fn list(backend: &Backend, argument: Option<&Value>) -> Result<Option<Value>> {
    let asked = argument.and_then(|argument| {
        let most = match argument.get("most") {
            None => marked::MOST,
            Some(most) => usize::try_from(most.as_u64()?).ok()?,
        };
        Some((place_of(argument)?.0, most))
    });
    let Some((uri, most)) = asked else {
        return Err(Error::invalid_params(
            "telltale.suspects takes [{ uri, most?: 0.. }]",
        ));
    };
    backend
        .on(uri, move |found, index, _| {
            Some(marked::list(found, index, most))
        })
        .await
}

/// Says that the assertions of a class are to be reviewed.
pub(super) async fn review_class(
    backend: &Backend,
    argument: Option<&Value>,
) -> Result<Option<Value>> {
    let Some(uri) = argument.and_then(review::uri_of) else {
        return Err(Error::invalid_params("telltale.review takes [{ uri }]"));
    };
    let done = backend
        .on(uri, |found, _, _| Some(review::done(found)))
        .await?;
    let world = &backend.world;
    match done {
        Some(Ok(Done::Made(file))) => {
            world.outbox.inform(format!(
                "Remembered in {CONFIG}: delete the file there to undo it."
            ));
            // Some clients watch no files.
            world.changed(&[file]);
        }
        Some(Ok(Done::Edit(Some(edit)))) => world.outbox.edit(edit),
        Some(Err(why)) => world.outbox.inform(why),
        Some(Ok(Done::Edit(None))) | None => {}
    }
    Ok(None)
}
