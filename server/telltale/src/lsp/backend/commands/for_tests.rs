//! Commands that only tests are told of.

use super::answers::{observed, scope_of};
use super::place_of;
use crate::lsp::backend::Backend;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};

/// What a document says to a request that arrived now; a file observed again and again, without end;
/// work that takes a while; a bug; nothing left to do in the background.
const TEXT: &str = "telltale.test.text";
const ENDLESS: &str = "telltale.test.endless";
const SLEEP: &str = "telltale.test.sleep";
const PANIC: &str = "telltale.test.panic";
const IDLE: &str = "telltale.test.idle";

/// All of them.
pub(in crate::lsp::backend) const ALL: [&str; 5] = [TEXT, ENDLESS, SLEEP, PANIC, IDLE];

/// Runs one.
pub(super) async fn run(
    backend: &Backend,
    command: &str,
    argument: Option<&Value>,
) -> Result<Option<Value>> {
    match command {
        TEXT => {
            let argument = argument.and_then(place_of);
            let Some((uri, _)) = argument else {
                return Ok(None);
            };
            backend
                .on(uri, |found, _, _| {
                    let text = found.analysis.program().text(found.file)?;
                    Some(Value::from(&**text))
                })
                .await
        }
        ENDLESS => {
            let argument = argument.and_then(place_of);
            let Some((uri, _)) = argument else {
                return Ok(None);
            };
            backend
                .on(uri, |found, _, _| {
                    loop {
                        observed(found, scope_of(found, None)?)?;
                    }
                })
                .await
        }
        SLEEP => {
            let millis = argument.and_then(Value::as_u64).unwrap_or(0);
            backend
                .world
                .pools
                .answer(move |cancellation| {
                    for _ in 0..millis {
                        if cancellation.is_cancelled() {
                            break;
                        }
                        std::thread::sleep(std::time::Duration::from_millis(1));
                    }
                    Some(Value::from(millis))
                })
                .await
        }
        IDLE => {
            backend.world.pools.idle().await;
            Ok(Some(Value::from(backend.world.outbox.told())))
        }
        PANIC => backend.world.pools.answer(|_| panic!("as asked")).await,
        other => Err(Error::invalid_params(format!(
            "there is no command {other}"
        ))),
    }
}
