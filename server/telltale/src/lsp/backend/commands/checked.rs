//! `telltale.checked`: which tests run and check a line, and what a test runs and checks.

use super::{method_named, part, place_of};
use crate::lsp::backend::Backend;
use crate::lsp::checked::{self, About};
use crate::lsp::convert;
use crate::lsp::ingress::snapshot;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

/// Answers, and says it in a message where `show` is true: what a lens does in an editor that shows no list.
pub(super) async fn run(backend: &Backend, argument: Option<&Value>) -> Result<Option<Value>> {
    let position: Option<lsp::Position> = part(argument, "position");
    let asked = argument
        .and_then(place_of)
        .filter(|(_, name)| name.is_some() || position.is_some());
    let Some((uri, name)) = asked else {
        return Err(Error::invalid_params(
            "telltale.checked takes [{ uri, position | name, show? }]",
        ));
    };
    let snapshot = snapshot();
    let answer = backend
        .on(uri, move |found, index, coding| {
            let about = match (name, position) {
                (Some(name), _) => method_named(found, &name).map(About::Method),
                (None, at) => at.map(|at| About::Place(convert::offset(index, at, coding))),
            };
            Some(match about {
                Some(about) => checked::answer(found, &snapshot, about),
                None => json!({ "said": "That method is not there any more" }),
            })
        })
        .await?;
    if let (Some(answer), Some(true)) = (&answer, part(argument, "show")) {
        let outbox = &backend.world.outbox;
        outbox.inform(format!("Telltale: {}", checked::message(answer)));
    }
    Ok(answer)
}
