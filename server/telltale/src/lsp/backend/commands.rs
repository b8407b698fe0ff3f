//! `workspace/executeCommand`: the commands that every client can run, by name; what each takes and does stands in a file
//! of its own.

mod answers;
mod assert;
mod checked;
mod dismiss;
pub(super) mod for_tests;
mod inner;
mod places;
mod runs;
mod suspects;

pub(super) use assert::insertion;

use super::Backend;
use crate::lsp::actions::{GO, INNER};
use crate::lsp::checked::CHECKED;
use crate::lsp::dismissing::DISMISS;
use crate::lsp::evidence::EVIDENCE;
use crate::lsp::marked::SUSPECTS;
use crate::lsp::mutating::MUTANTS;
use crate::lsp::recording::RECORD;
use crate::lsp::review::REVIEW;
use crate::lsp::world::Found;
use program::MethodId;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

/// The answers of the command line.
pub(super) const OBSERVE: &str = "telltale.observe";
const GRAPH: &str = "telltale.graph";
const WEAKEST: &str = "telltale.weakest";
pub(super) const ASSERT: &str = "telltale.assert";
/// Lists what there is; what can be chosen for a value.
const INNER_LIST: &str = "telltale.inner.list";
const INNER_CHOICES: &str = "telltale.inner.choices";
/// Ends what runs tests.
pub(super) const STOP: &str = "telltale.record.stop";
const REINDEX: &str = "telltale.reindex";
const SHOW_LOG: &str = "telltale.showLog";
/// What a client is told that it can run.
pub(super) const ALL: [&str; 18] = [
    OBSERVE,
    GRAPH,
    WEAKEST,
    CHECKED,
    ASSERT,
    GO,
    INNER,
    INNER_LIST,
    INNER_CHOICES,
    RECORD,
    STOP,
    MUTANTS,
    EVIDENCE,
    SUSPECTS,
    REVIEW,
    DISMISS,
    REINDEX,
    SHOW_LOG,
];

/// Runs one.
pub(super) async fn run(
    backend: &Backend,
    params: lsp::ExecuteCommandParams,
) -> Result<Option<Value>> {
    let argument = params.arguments.first();
    match params.command.as_str() {
        OBSERVE => answers::of_place(backend, argument, answers::observed).await,
        GRAPH => answers::of_place(backend, argument, answers::drawn).await,
        WEAKEST => answers::of_weakest(backend, argument).await,
        CHECKED => checked::run(backend, argument).await,
        ASSERT => assert::run(backend, argument).await,
        GO => places::go(backend, argument).await,
        INNER => inner::change(backend, argument).await,
        INNER_LIST => inner::list(backend, argument).await,
        INNER_CHOICES => inner::choices(backend, argument).await,
        RECORD => runs::record(backend, argument).await,
        MUTANTS => runs::mutants(backend, argument).await,
        STOP => Ok(Some(Value::from(backend.world.recordings.cancel()))),
        EVIDENCE => suspects::evidence_page(backend, argument).await,
        SUSPECTS => suspects::list(backend, argument).await,
        REVIEW => suspects::review_class(backend, argument).await,
        DISMISS => dismiss::add(backend, argument).await,
        REINDEX => {
            backend.world.reindex();
            Ok(None)
        }
        SHOW_LOG => Ok(places::show_log(backend)),
        other if backend.test_commands => for_tests::run(backend, other, argument).await,
        other => Err(Error::invalid_params(format!(
            "there is no command {other}"
        ))),
    }
}

/// The file that an argument names, and the method, if it names one.
fn place_of(argument: &Value) -> Option<(lsp::Uri, Option<String>)> {
    let uri = part(Some(argument), "uri")?;
    let name = argument.get("name").or_else(|| argument.get("test"));
    Some((uri, name.and_then(Value::as_str).map(str::to_owned)))
}

/// A part of an argument, if it is there and of its type.
fn part<T: DeserializeOwned>(argument: Option<&Value>, key: &str) -> Option<T> {
    serde_json::from_value(argument?.get(key)?.clone()).ok()
}

/// The method of a name, in the file that it was found in.
pub(super) fn method_named(found: &Found, name: &str) -> Option<MethodId> {
    let program = found.analysis.program();
    program
        .types_of_file(found.file)
        .iter()
        .flat_map(|t| program.methods_of_type(*t))
        .copied()
        .find(|m| program.method_name(*m) == name)
}
