//! Inner oracles at the edge: an action names what it would change, and the change is computed when it is chosen.

use super::convert;
use super::edits;
use super::workspace_edit::WorkspaceEdit;
use super::world::{Found, Snapshot};
use ide::inner::{
    CandidateId, Oracle, Refusal, Side, Turn, What, candidate_at, insertion, place_of, removal,
};
use ide::{Analysis, Place, SourceChange};
use program::{MethodId, Program};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use text::{Encoding, LineIndex, Span};
use tower_lsp::ls_types as lsp;

/// What an action or a command asks for; it goes to the client and comes back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "do")]
pub(crate) enum ActionData {
    /// Check a value in a test.
    Check {
        /// A file of the folder in question.
        uri: lsp::Uri,
        /// The test's file, from the root, and its name.
        test: (String, String),
        /// The file with the value, from the root, and its bytes.
        value: (String, u32, u32),
        /// What of it.
        #[serde(default)]
        what: What,
        /// Which time, as `--turn` has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<String>,
    },
    /// Says that no test is known to run a value, and what to do.
    #[serde(rename = "refuse")]
    NoTest {
        /// A file of the folder in question.
        uri: lsp::Uri,
        /// Where the value stands, as `--at` has it.
        at: String,
    },
    /// Remove the oracles of some names; all if there is none.
    Remove {
        /// A file of the folder in question.
        uri: lsp::Uri,
        /// Their names.
        names: Vec<String>,
    },
}

impl ActionData {
    /// To check a value.
    pub(crate) fn check(
        found: &Found,
        uri: &lsp::Uri,
        test: MethodId,
        id: CandidateId,
        what: &What,
        turn: Option<Turn>,
    ) -> Option<ActionData> {
        let program = found.analysis.program();
        let place = place_of(&found.analysis, id)?;
        let path = program.path(place.file)?.to_string();
        Some(ActionData::Check {
            uri: uri.clone(),
            test: test_of(program, test)?,
            value: (path, place.span.start, place.span.end),
            what: what.clone(),
            turn: turn.map(|turn| match turn {
                Turn::Every | Turn::Never => "every".to_owned(),
                Turn::First => "first".to_owned(),
                Turn::Last => "last".to_owned(),
                Turn::Nth(n) => n.to_string(),
            }),
        })
    }

    /// To say that no test is known to run a value.
    pub(crate) fn no_test(found: &Found, uri: &lsp::Uri, id: CandidateId) -> Option<ActionData> {
        let program = found.analysis.program();
        let place = place_of(&found.analysis, id)?;
        let index = LineIndex::new(program.text(place.file)?);
        let at = index.position(place.span.start, Encoding::Utf16);
        let (path, line, column) = (program.path(place.file)?, at.line + 1, at.column + 1);
        Some(ActionData::NoTest {
            uri: uri.clone(),
            at: format!("{path}:{line}:{column}"),
        })
    }

    /// What is said instead of an edit.
    pub(crate) fn refusal(&self) -> Option<String> {
        match self {
            ActionData::NoTest { at, .. } => Some(format!(
                "No test is known to run this code. Choose one: `telltale inner add --test Class#method --at {at}`"
            )),
            _ => None,
        }
    }

    /// A file of the folder that it is about.
    pub(crate) fn uri(&self) -> &lsp::Uri {
        match self {
            ActionData::Check { uri, .. }
            | ActionData::Remove { uri, .. }
            | ActionData::NoTest { uri, .. } => uri,
        }
    }

    /// The edit that it stands for, as the client takes it.
    ///
    /// # Errors
    /// Why it cannot be, as a sentence for the user.
    pub(crate) fn edit(&self, found: &Found, snapshot: &Snapshot) -> Result<WorkspaceEdit, String> {
        let analysis = &found.analysis;
        let change = match self {
            ActionData::NoTest { .. } => return Err(self.refusal().unwrap_or_default()),
            ActionData::Check {
                test,
                value,
                what,
                turn,
                ..
            } => {
                let gone = || Refusal::NotFound.to_string();
                let test = method(analysis, &test.0, &test.1).ok_or_else(gone)?;
                let turn = turn.as_deref().map(str::parse).transpose()?;
                let file = analysis.program().file(&value.0).ok_or_else(gone)?;
                let span = Span::new(value.1, value.2);
                let id = candidate_at(analysis, Place { file, span }).ok_or_else(gone)?;
                insertion(analysis, test, id, what, turn).map_err(|r| r.to_string())?
            }
            ActionData::Remove { names, .. } => {
                let all = || ide::inner::oracles(analysis).into_iter();
                let names = match names.is_empty() {
                    true => all().map(|o| o.found.name).collect(),
                    false => names.clone(),
                };
                removal(analysis, &names)
            }
        };
        if change == SourceChange::default() {
            return Err("There is no such inner oracle any more.".to_owned());
        }
        let label = match self {
            ActionData::Remove { .. } => "Remove an inner oracle",
            _ => "Insert an inner oracle",
        };
        edits::of(found, snapshot, &change.labelled(label))
    }
}

fn method(analysis: &Analysis, path: &str, name: &str) -> Option<MethodId> {
    let program = analysis.program();
    let types = program.types_of_file(program.file(path)?).iter();
    let mut methods = types.flat_map(|t| program.methods_of_type(*t));
    methods.find(|m| program.method_name(**m) == name).copied()
}

/// What can be chosen for the value at a range: its name, what of it can be checked, and the tests. `check` goes into
/// `telltale.inner` once `test`, and if they are chosen `what` and `turn`, are added to it.
pub(crate) fn choices(found: &Found, uri: &lsp::Uri, range: Span) -> Option<Value> {
    let analysis = &found.analysis;
    let program = analysis.program();
    let choices = ide::action::choices(analysis, found.file, range)?;
    let place = place_of(analysis, choices.id)?;
    let tests = choices.tests.iter().enumerate().filter_map(|(at, &test)| {
        let (path, name) = test_of(program, test)?;
        Some(json!({ "test": [path, name], "runs": at < choices.known }))
    });
    let value = (
        program.path(place.file)?.to_string(),
        place.span.start,
        place.span.end,
    );
    Some(json!({
        "name": choices.name,
        "inLoop": choices.in_loop,
        "takesStatements": choices.takes_statements,
        "condition": choices.condition,
        "tests": tests.collect::<Vec<_>>(),
        "check": { "do": "check", "uri": uri, "value": value },
    }))
}

/// A test's file, from the root, and its name.
fn test_of(program: &Program, test: MethodId) -> Option<(String, String)> {
    let path = program.path(program.method_file(test)?)?;
    Some((path.to_string(), program.method_name(test)))
}

/// All inner oracles of a folder, each with both of its sides.
pub(crate) fn list(found: &Found, snapshot: &Snapshot) -> Value {
    let program = found.analysis.program();
    let all = ide::inner::oracles(&found.analysis);
    let place = |o: &Oracle| {
        let path = found.root.join(&**program.path(o.file)?);
        let index = LineIndex::new(program.text(o.file)?);
        let range = convert::range(&index, o.found.span, snapshot.coding_in(&path));
        Some(json!({ "uri": snapshot.uri_of(&path)?, "range": range }))
    };
    let mut names: Vec<&str> = all.iter().map(|o| o.found.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let row = |name: &&str| {
        let of = |side: Side| {
            let own = all.iter().filter(move |o| o.found.name == *name);
            own.filter(move |o| o.found.side == side).filter_map(place)
        };
        json!({
            "name": name,
            "code": of(Side::Code).collect::<Vec<_>>(),
            "tests": of(Side::Test).collect::<Vec<_>>(),
        })
    };
    names.iter().map(row).collect()
}
