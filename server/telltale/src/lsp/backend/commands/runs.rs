//! `telltale.record` and `telltale.mutants`: what runs tests.

use super::{method_named, part, place_of};
use crate::lsp::backend::Backend;
use crate::lsp::ingress::snapshot;
use crate::lsp::recording::Asked;
use crate::lsp::{convert, mutating};
use serde_json::{Value, json};
use text::Span;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

/// Starts to record what an argument names: `{ uri, position? | test? | scope: "file" | "folder" }`.
pub(super) async fn record(backend: &Backend, argument: Option<&Value>) -> Result<Option<Value>> {
    let Some((uri, name)) = argument.and_then(place_of) else {
        return Err(Error::invalid_params(
            "the command takes [{ uri, position? | test? | scope? }]",
        ));
    };
    let position: Option<lsp::Position> = part(argument, "position");
    let waits = part(argument, "wait") == Some(true);
    let (done, result) = tokio::sync::oneshot::channel();
    let is_folder = part::<String>(argument, "scope").is_some_and(|s| s == "folder");
    let (world, snapshot) = (backend.world.clone(), snapshot());
    let started = backend
        .on(uri, move |found, index, coding| {
            let what = match (name, position) {
                _ if is_folder => Some(Asked::Folder),
                (Some(name), _) => method_named(found, &name).map(Asked::Test),
                (None, Some(at)) => {
                    let at = convert::offset(index, at, coding);
                    let at = Span::new(at, at);
                    let test = ide::lens::test_around(&found.analysis, found.file, at);
                    Some(test.map_or(Asked::File, Asked::Test))
                }
                (None, None) => Some(Asked::File),
            };
            let gone = || "that test is not there any more".to_owned();
            let what = what.ok_or_else(gone);
            let start = |w| world.recordings.start(&world, &snapshot, found, w, done);
            Some(what.and_then(start))
        })
        .await?;
    started_or_not(backend, started, waits, result).await
}

/// Starts to look for what no test notices in `{ uri, name? | position? | range? }`.
pub(super) async fn mutants(backend: &Backend, argument: Option<&Value>) -> Result<Option<Value>> {
    let Some((uri, name)) = argument.and_then(place_of) else {
        return Err(Error::invalid_params(
            "telltale.mutants takes [{ uri, name? | position? | range? }]",
        ));
    };
    let position: Option<lsp::Position> = part(argument, "position");
    let range: Option<lsp::Range> = part(argument, "range");
    let waits = part(argument, "wait") == Some(true);
    let (done, result) = tokio::sync::oneshot::channel();
    let (world, snapshot) = (backend.world.clone(), snapshot());
    let started = backend
        .on(uri, move |found, index, coding| {
            let span = range
                .map(|range| convert::span(index, range, coding))
                .or_else(|| {
                    let at = convert::offset(index, position?, coding);
                    Some(Span::new(at, at))
                });
            let what = match (name, span) {
                (Some(name), _) => method_named(found, &name).map(mutating::Asked::Method),
                (None, Some(span)) if !span.is_empty() => Some(mutating::Asked::Lines(span)),
                (None, Some(span)) => {
                    let method = ide::lens::method_around(&found.analysis, found.file, span);
                    let file = mutating::Asked::File;
                    Some(method.map_or(file, mutating::Asked::Method))
                }
                (None, None) => Some(mutating::Asked::File),
            };
            let gone = || "that method is not there any more".to_owned();
            let what = what.ok_or_else(gone);
            Some(what.and_then(|w| mutating::start(&world, &snapshot, found, w, done)))
        })
        .await?;
    started_or_not(backend, started, waits, result).await
}

/// What is answered once something runs, or does not: at once, or when it is over.
async fn started_or_not(
    backend: &Backend,
    started: Option<std::result::Result<(), String>>,
    waits: bool,
    result: tokio::sync::oneshot::Receiver<Value>,
) -> Result<Option<Value>> {
    match started {
        Some(Ok(())) if waits => Ok(result.await.ok()),
        Some(Ok(())) => Ok(Some(json!({ "started": true }))),
        Some(Err(why)) => {
            backend.world.outbox.inform(format!("Telltale: {why}"));
            Ok(Some(json!({ "started": false })))
        }
        None => Ok(None),
    }
}
