//! Code actions in the form that the client takes: with their edit, as data from which it is computed when the action is
//! chosen, or as a command.

use super::convert::{self, Coding};
use super::diagnostics;
use super::dismissing;
use super::edits;
use super::inner_oracles::ActionData;
use super::mutating::{self, MUTANTS};
use super::recording::RECORD;
use super::review;
use super::workspace_edit::CodeAction;
use super::world::{Found, Snapshot};
use ide::Place;
use ide::action::{Action, Effect};
use ide::inner::CandidateId;
use serde_json::{Value, json};
use text::LineIndex;
use tower_lsp::ls_types as lsp;

/// Shows a place.
pub(crate) const GO: &str = "telltale.go";
/// Does what an [`ActionData`] says.
pub(crate) const INNER: &str = "telltale.inner";
/// Of the client's own commands, in those that say that they have it: has somebody choose.
const CHOOSE: &str = "telltale.chooseOracle";

/// All ways to check a value: too many for a light bulb, so they come if they are asked for by this kind.
const WAYS: lsp::CodeActionKind = lsp::CodeActionKind::new("refactor.rewrite.telltale");

/// The kinds that there are.
pub(crate) fn kinds() -> Vec<lsp::CodeActionKind> {
    vec![
        lsp::CodeActionKind::QUICKFIX,
        lsp::CodeActionKind::REFACTOR,
        WAYS,
    ]
}

/// The actions that a client asks for.
pub(crate) fn all(
    found: &Found,
    index: &LineIndex,
    snapshot: &Snapshot,
    params: &lsp::CodeActionParams,
) -> Vec<CodeAction> {
    let uri = &params.text_document.uri;
    let range = convert::span(index, params.range, found.coding);
    let only = params.context.only.as_deref();
    let wants = |kind: &lsp::CodeActionKind| only.is_none_or(|o| o.iter().any(|w| is_of(kind, w)));
    let mut out = Vec::new();
    if wants(&lsp::CodeActionKind::QUICKFIX) {
        let asked = &params.context.diagnostics;
        out.extend(diagnostics::fixes(found, index, snapshot, uri, asked));
        out.extend(mutating::fixes(found, index, snapshot, asked));
        let others = diagnostics::at_suspect(found, index, snapshot, uri, range, &out);
        out.extend(others);
    }
    let make = |a: Action, kind: lsp::CodeActionKind| action(a, kind, found, index, snapshot, uri);
    if wants(&lsp::CodeActionKind::REFACTOR) {
        let actions = ide::action::actions(&found.analysis, found.file, range).into_iter();
        out.extend(actions.filter_map(|a| make(a, lsp::CodeActionKind::REFACTOR)));
        out.extend(review::action(found, range, uri));
    }
    // Who asks for a kind above it asks for a menu of everything, which these would fill.
    if only.is_some_and(|o| o.iter().any(|w| is_of(w, &WAYS))) {
        let actions = ide::action::all_actions(&found.analysis, found.file, range).into_iter();
        out.extend(actions.filter_map(|a| make(a, WAYS)));
    }
    out
}

/// True for a kind and those below it: `refactor.rewrite` is of `refactor`.
fn is_of(kind: &lsp::CodeActionKind, wanted: &lsp::CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(wanted.as_str());
    rest.is_some_and(|rest| wanted.as_str().is_empty() || rest.is_empty() || rest.starts_with('.'))
}

/// The argument of [`GO`] for a place.
pub(crate) fn go(found: &Found, snapshot: &Snapshot, place: Place) -> Option<Value> {
    let program = found.analysis.program();
    let path = found.root.join(&**program.path(place.file)?);
    let coding = snapshot.coding_in(&path);
    let (path, range) = convert::location(program, &found.root, place, coding)?;
    Some(json!({ "uri": snapshot.uri_of(&path)?, "range": range }))
}

fn action(
    action: Action,
    kind: lsp::CodeActionKind,
    found: &Found,
    index: &LineIndex,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
) -> Option<CodeAction> {
    let coding = snapshot.coding;
    let (edit, command) = match action.effect {
        Effect::Assert { change, .. } => (edits::of(found, snapshot, &change).ok(), None),
        Effect::Dismiss(entry) => match edits::dismissal(found, entry.clone()) {
            Some(edit) => (Some(edit), None),
            None => (None, Some(dismissing::command(&action.title, uri, entry))),
        },
        Effect::Check {
            test,
            id,
            what,
            turn,
        } => {
            let data = ActionData::check(found, uri, test, id, &what, turn)?;
            return resolvable(action.title, kind, data, coding);
        }
        Effect::Choose { id, .. } if coding.client.chooses => {
            let place = ide::inner::place_of(&found.analysis, id)?;
            let at = convert::range(index, place.span, found.coding).start;
            let command = lsp::Command {
                title: action.title.clone(),
                command: CHOOSE.to_owned(),
                arguments: Some(vec![json!({ "uri": uri, "position": at })]),
            };
            (None, Some(command))
        }
        // The tests are offered one by one.
        Effect::Choose { runs: true, .. } => return None,
        Effect::Choose { id, runs: false } => return refused(found, uri, id, kind, coding),
        Effect::Remove(name) => {
            let data = ActionData::Remove {
                uri: uri.clone(),
                names: vec![name],
            };
            return resolvable(action.title, kind, data, coding);
        }
        Effect::Record(_) | Effect::Mutate(_) if coding.client.untrusted => return None,
        Effect::Record(test) => {
            let name = found.analysis.program().method_name(test);
            let command = lsp::Command {
                title: action.title.clone(),
                command: RECORD.to_owned(),
                arguments: Some(vec![json!({ "uri": uri, "test": name })]),
            };
            (None, Some(command))
        }
        Effect::Mutate(method) => {
            let name = found.analysis.program().method_name(method);
            let command = lsp::Command {
                title: action.title.clone(),
                command: MUTANTS.to_owned(),
                arguments: Some(vec![json!({ "uri": uri, "name": name })]),
            };
            (None, Some(command))
        }
        Effect::Show(place) => {
            let command = lsp::Command {
                title: action.title.clone(),
                command: GO.to_owned(),
                arguments: Some(vec![go(found, snapshot, place)?]),
            };
            (None, coding.client.show_document.then_some(command))
        }
    };
    if edit.is_none() && command.is_none() {
        return None;
    }
    Some(CodeAction {
        title: action.title,
        kind: Some(kind),
        edit,
        command,
        ..Default::default()
    })
}

/// An action whose edit is computed when it is chosen: when the client asks for it, or as a command.
fn resolvable(
    title: String,
    kind: lsp::CodeActionKind,
    data: ActionData,
    coding: Coding,
) -> Option<CodeAction> {
    let data = serde_json::to_value(data).ok()?;
    let (data, command) = match (coding.client.resolves_edits, coding.client.apply_edit) {
        (true, _) => (Some(data), None),
        (false, true) => {
            let command = lsp::Command {
                title: title.clone(),
                command: INNER.to_owned(),
                arguments: Some(vec![data]),
            };
            (None, Some(command))
        }
        (false, false) => return None,
    };
    Some(CodeAction {
        title,
        kind: Some(kind),
        data,
        command,
        ..Default::default()
    })
}

/// What cannot be chosen here, with what to do instead: shown as what is out of reach, or said when it is chosen.
fn refused(
    found: &Found,
    uri: &lsp::Uri,
    id: CandidateId,
    kind: lsp::CodeActionKind,
    coding: Coding,
) -> Option<CodeAction> {
    let name = ide::inner::called(&found.analysis, id);
    let title = format!("Check {name} here: no test is known to run it");
    let data = ActionData::no_test(found, uri, id)?;
    if !coding.client.disables {
        return resolvable(title, kind, data, coding);
    }
    Some(CodeAction {
        title,
        kind: Some(kind),
        disabled: Some(lsp::CodeActionDisabled {
            reason: data.refusal()?,
        }),
        ..Default::default()
    })
}
