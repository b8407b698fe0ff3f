//! `telltale.inner` and its kin: inner oracles by name.

use super::{part, place_of};
use crate::lsp::backend::{Backend, code_action};
use crate::lsp::convert;
use crate::lsp::ingress::snapshot;
use crate::lsp::inner_oracles::{self, ActionData};
use serde_json::Value;
use text::Span;
use tower_lsp::jsonrpc::{Error, Result};

/// Adds or removes one.
pub(super) async fn change(backend: &Backend, argument: Option<&Value>) -> Result<Option<Value>> {
    let data = argument.cloned().map(serde_json::from_value::<ActionData>);
    let Some(Ok(data)) = data else {
        return Err(Error::invalid_params(
            "telltale.inner takes [{ do: \"remove\", uri, names }], or what telltale.inner.choices gives",
        ));
    };
    if let Some(edit) = code_action::edit_of(backend, data).await? {
        backend.world.outbox.edit(edit);
    }
    Ok(None)
}

/// Lists what there is.
pub(super) async fn list(backend: &Backend, argument: Option<&Value>) -> Result<Option<Value>> {
    let argument = argument.and_then(place_of);
    let Some((uri, _)) = argument else {
        return Err(Error::invalid_params("telltale.inner.list takes [{ uri }]"));
    };
    let snapshot = snapshot();
    backend
        .on(uri, move |found, _, _| {
            Some(inner_oracles::list(found, &snapshot))
        })
        .await
}

/// What can be chosen for a value.
pub(super) async fn choices(backend: &Backend, argument: Option<&Value>) -> Result<Option<Value>> {
    let uri = argument.and_then(place_of).map(|(uri, _)| uri);
    let (Some(uri), Some(at)) = (uri, part(argument, "position")) else {
        return Err(Error::invalid_params(
            "telltale.inner.choices takes [{ uri, position }]",
        ));
    };
    backend
        .on(uri.clone(), move |found, index, coding| {
            let at = convert::offset(index, at, coding);
            inner_oracles::choices(found, &uri, Span::new(at, at))
        })
        .await
}
