//! `telltale.go` and `telltale.showLog`: what a client shows.

use super::part;
use crate::lsp::backend::Backend;
use crate::lsp::convert;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

/// Shows a place, or says where it is.
pub(super) async fn go(backend: &Backend, argument: Option<&Value>) -> Result<Option<Value>> {
    let (Some(uri), Some(range)) = (part(argument, "uri"), part(argument, "range")) else {
        return Err(Error::invalid_params("telltale.go takes [{ uri, range }]"));
    };
    match backend.world.snapshot().coding.client.show_document {
        true => backend.world.outbox.show(uri, Some(range)),
        false => backend.world.outbox.say_place(&uri, range),
    }
    Ok(None)
}

/// Shows the log where the client can show a file; its path, or nothing where there is none.
pub(super) fn show_log(backend: &Backend) -> Option<Value> {
    let outbox = &backend.world.outbox;
    let Some(log) = &backend.log else {
        outbox.inform(
            "Telltale keeps no log; start the server as `telltale lsp --log FILE`".to_owned(),
        );
        return None;
    };
    let log = convert::real(&std::path::absolute(log).unwrap_or_else(|_| log.clone()));
    let uri = lsp::Uri::from_file_path(&log);
    match uri.filter(|_| backend.world.snapshot().coding.client.show_document) {
        Some(uri) => outbox.show(uri, None),
        None => outbox.inform(format!("Telltale's log is {}", log.display())),
    }
    Some(json!({ "path": log.to_str() }))
}
