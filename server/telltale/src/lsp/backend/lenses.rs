//! What lenses say and run, in the words of the protocol.

use super::commands::{ASSERT, OBSERVE, STOP, insertion, method_named};
use crate::lsp::actions::{GO, go};
use crate::lsp::age;
use crate::lsp::recording::RECORD;
use crate::lsp::world::{Found, Snapshot};
use ide::lens::{On, Title};
use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;

pub(super) fn lens_data(data: &Value) -> Option<(lsp::Uri, String, bool)> {
    Some((
        serde_json::from_value(data.get("uri")?.clone()).ok()?,
        data.get("name")?.as_str()?.to_owned(),
        data.get("test")?.as_bool()?,
    ))
}

/// What a lens is about: a method, or a class, whose name has no `#`.
pub(super) fn on_named(found: &Found, name: &str, test: bool) -> Option<On> {
    if !name.contains('#') {
        let program = found.analysis.program();
        let mut types = program.types_of_file(found.file).iter();
        let class = types.find(|t| program.type_name(**t) == name)?;
        return Some(match program.generated(*class) {
            Some(_) => On::Generated(*class),
            None => On::Recorded(*class),
        });
    }
    let method = method_named(found, name)?;
    Some(match test {
        true => On::Test(method),
        false => On::Method(method),
    })
}

/// False for a lens that has nothing to say. Of methods only those that tests call have one, and it says how many.
pub(super) fn has_words(found: &Found, on: On) -> bool {
    matches!(on, On::Method(_)) || ide::title::title(&found.analysis, on).is_some()
}

/// What a lens says, and what running it does. `is_running`: tests run; who wants them recorded waits, or ends that.
pub(super) fn lens_command(
    found: &Found,
    snapshot: &Snapshot,
    on: On,
    name: &str,
    is_running: bool,
) -> lsp::Command {
    if let (On::Recorded(_), true) = (on, is_running) {
        return lsp::Command {
            title: "recording… (stop)".to_owned(),
            command: STOP.to_owned(),
            arguments: None,
        };
    }
    let mark = match found.analysis.is_complete() {
        true => "",
        false => " (still reading)",
    };
    let (text, (command, argument)) = match ide::title::title(&found.analysis, on) {
        Some(title) => {
            let run = run_of(found, snapshot, on, &title, name);
            (age::told(title), run)
        }
        None => {
            let own = lens_argument(found, snapshot, name);
            // It had when the client asked for it.
            ("nothing sure to observe".to_owned(), (OBSERVE, Some(own)))
        }
    };
    let argument = argument.unwrap_or_else(|| json!({ "uri": uri_of(found, snapshot) }));
    lsp::Command {
        title: format!("{text}{mark}"),
        command: command.to_owned(),
        arguments: Some(vec![argument]),
    }
}

/// What running a lens does: on a test the best assertion is inserted, where the client lets us; where a lens has only a
/// place to name, it is shown.
fn run_of(
    found: &Found,
    snapshot: &Snapshot,
    on: On,
    title: &Title,
    name: &str,
) -> (&'static str, Option<Value>) {
    let own = lens_argument(found, snapshot, name);
    if let (On::Test(test), true) = (on, snapshot.coding.client.apply_edit)
        && insertion(found, snapshot, test).is_some()
    {
        return (ASSERT, Some(own));
    }
    if matches!(on, On::Recorded(_)) {
        let file = json!({ "uri": uri_of(found, snapshot), "scope": "file" });
        return (RECORD, Some(file));
    }
    match title.target.and_then(|place| go(found, snapshot, place)) {
        Some(place) => (GO, Some(place)),
        None => (OBSERVE, Some(own)),
    }
}

/// The URI of the file in question.
fn uri_of(found: &Found, snapshot: &Snapshot) -> Option<lsp::Uri> {
    let path = found.analysis.program().path(found.file)?;
    snapshot.uri_of(&found.root.join(&**path))
}

/// What names the method of a lens to a command.
fn lens_argument(found: &Found, snapshot: &Snapshot, name: &str) -> Value {
    json!({ "uri": uri_of(found, snapshot), "name": name })
}
