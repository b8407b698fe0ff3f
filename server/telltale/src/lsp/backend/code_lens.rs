//! `textDocument/codeLens` and `codeLens/resolve`: where lenses stand, what they say and run.

use super::commands::{ASSERT, OBSERVE, STOP, insertion, method_named};
use super::{Backend, is_marking};
use crate::lsp::actions::{GO, go};
use crate::lsp::checked::CHECKED;
use crate::lsp::ingress::snapshot;
use crate::lsp::recording::RECORD;
use crate::lsp::world::{Found, Snapshot};
use crate::lsp::{age, convert};
use ide::lens::{On, Title};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

pub(super) async fn answer(
    backend: &Backend,
    params: lsp::CodeLensParams,
) -> Result<Option<Vec<lsp::CodeLens>>> {
    backend.world.outbox.lenses_are_asked();
    let uri = params.text_document.uri;
    let snapshot = snapshot();
    let is_running = backend.world.recordings.is_running();
    backend
        .on(uri.clone(), move |found, index, coding| {
            let shown = &found.settings.lens;
            let mut all = ide::lens::lenses(&found.analysis, found.file);
            if shown.checked {
                all.extend(ide::lens::checked_lenses(&found.analysis, found.file));
                all.sort_by_key(|l| l.span.start);
            }
            let lenses = all
                .into_iter()
                .filter(|l| match l.on {
                    On::Test(_) => shown.tests,
                    On::Recorded(_) => shown.tests && !coding.client.untrusted,
                    // It counts the marks that the rule makes.
                    On::Generated(_) => shown.tests && is_marking(&found.settings),
                    On::Method(_) => shown.methods,
                    On::Checked(_) => shown.checked,
                })
                .filter(|l| has_words(found, l.on))
                .map(|l| {
                    let program = found.analysis.program();
                    let name = match l.on {
                        On::Test(m) | On::Method(m) | On::Checked(m) => program.method_name(m),
                        On::Generated(class) | On::Recorded(class) => {
                            program.type_name(class).to_string()
                        }
                    };
                    let whole = coding.client.whole_lenses;
                    lsp::CodeLens {
                        range: convert::range(index, l.span, coding),
                        command: whole
                            .then(|| lens_command(found, &snapshot, l.on, &name, is_running))
                            .flatten(),
                        data: Some(json!({
                            "uri": uri,
                            "name": name,
                            "test": matches!(l.on, On::Test(_)),
                            "checked": matches!(l.on, On::Checked(_)),
                        })),
                    }
                })
                .collect();
            Some(lenses)
        })
        .await
}

pub(super) async fn resolve(backend: &Backend, lens: lsp::CodeLens) -> Result<lsp::CodeLens> {
    let Some((uri, name, about)) = lens.data.as_ref().and_then(lens_data) else {
        return Err(Error::invalid_params("this lens is not ours"));
    };
    let snapshot = snapshot();
    let is_running = backend.world.recordings.is_running();
    let command = backend
        .on(uri, move |found, _, _| {
            let on = on_named(found, &name, about)?;
            lens_command(found, &snapshot, on, &name, is_running)
        })
        .await?;
    // The method is gone since the lens was made: the client asks again.
    let command = command.unwrap_or_else(|| lsp::Command {
        title: "…".to_owned(),
        command: OBSERVE.to_owned(),
        arguments: Some(vec![json!({
            "uri": lens.data.as_ref().and_then(|d| d.get("uri")),
        })]),
    });
    Ok(lsp::CodeLens {
        command: Some(command),
        ..lens
    })
}

/// Which of the lenses of a method or a class it is.
#[derive(Clone, Copy)]
struct Which {
    test: bool,
    checked: bool,
}

fn lens_data(data: &Value) -> Option<(lsp::Uri, String, Which)> {
    // What is false comes back as nothing from clients whose language has one word for both.
    let is = |key| data.get(key).and_then(Value::as_bool).unwrap_or(false);
    Some((
        serde_json::from_value(data.get("uri")?.clone()).ok()?,
        data.get("name")?.as_str()?.to_owned(),
        Which {
            test: is("test"),
            checked: is("checked"),
        },
    ))
}

/// What a lens is about: a method, or a class, whose name has no `#`.
fn on_named(found: &Found, name: &str, which: Which) -> Option<On> {
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
    Some(match which {
        Which { checked: true, .. } => On::Checked(method),
        Which { test: true, .. } => On::Test(method),
        _ => On::Method(method),
    })
}

/// False for a lens that has nothing to say. Of methods only those have one that tests call, and it says how many, or run.
fn has_words(found: &Found, on: On) -> bool {
    matches!(on, On::Method(_) | On::Checked(_)) || ide::title::title(&found.analysis, on).is_some()
}

/// What a lens says, and what running it does; none of what rested on a recording that is gone since. `is_running`: tests run; who
/// wants them recorded waits, or ends that.
fn lens_command(
    found: &Found,
    snapshot: &Snapshot,
    on: On,
    name: &str,
    is_running: bool,
) -> Option<lsp::Command> {
    if let (On::Recorded(_), true) = (on, is_running) {
        return Some(lsp::Command {
            title: "recording… (stop)".to_owned(),
            command: STOP.to_owned(),
            arguments: None,
        });
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
        None if matches!(on, On::Checked(_)) => return None,
        None => {
            let own = lens_argument(found, snapshot, name);
            // It had when the client asked for it.
            ("nothing sure to observe".to_owned(), (OBSERVE, Some(own)))
        }
    };
    let argument = argument.unwrap_or_else(|| json!({ "uri": uri_of(found, snapshot) }));
    Some(lsp::Command {
        title: format!("{text}{mark}"),
        command: command.to_owned(),
        arguments: Some(vec![argument]),
    })
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
    let names_value = title.next.is_some() || title.open.is_none();
    if let (On::Test(test), true) = (on, snapshot.coding.client.apply_edit && names_value)
        && insertion(found, snapshot, test).is_some()
    {
        return (ASSERT, Some(own));
    }
    if let On::Checked(_) = on {
        let mut shown = own;
        shown["show"] = json!(true);
        return (CHECKED, Some(shown));
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
