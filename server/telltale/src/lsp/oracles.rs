//! Inner oracles at the edge: an action names what it would change, and the change is computed when it is chosen.

use super::convert;
use super::edits;
use super::world::{Found, Snapshot};
use ide::inner::{
    CandidateId, Oracle, Refusal, Side, SourceChange, What, candidate_at, insertion, place_of,
    removal,
};
use ide::{Analysis, Place};
use program::MethodId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use text::{LineIndex, Span};
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
    ) -> Option<ActionData> {
        let program = found.analysis.program();
        let place = place_of(&found.analysis, id)?;
        let test_path = program.path(program.method_file(test)?)?.to_string();
        let path = program.path(place.file)?.to_string();
        Some(ActionData::Check {
            uri: uri.clone(),
            test: (test_path, program.method_name(test)),
            value: (path, place.span.start, place.span.end),
        })
    }

    /// A file of the folder that it is about.
    pub(crate) fn uri(&self) -> &lsp::Uri {
        match self {
            ActionData::Check { uri, .. } | ActionData::Remove { uri, .. } => uri,
        }
    }

    /// The edit that it stands for, as the client takes it.
    ///
    /// # Errors
    /// Why it cannot be, as a sentence for the user.
    pub(crate) fn edit(
        &self,
        found: &Found,
        snapshot: &Snapshot,
    ) -> Result<lsp::WorkspaceEdit, String> {
        let analysis = &found.analysis;
        let change = match self {
            ActionData::Check { test, value, .. } => {
                let gone = || Refusal::NotFound.to_string();
                let test = method(analysis, &test.0, &test.1).ok_or_else(gone)?;
                let file = analysis.program().file(&value.0).ok_or_else(gone)?;
                let span = Span::new(value.1, value.2);
                let id = candidate_at(analysis, Place { file, span }).ok_or_else(gone)?;
                insertion(analysis, test, id, &What::Tell, None).map_err(|r| r.to_string())?
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
            ActionData::Check { .. } => "Insert an inner oracle",
            ActionData::Remove { .. } => "Remove an inner oracle",
        };
        edits::of_files(found, snapshot, &change, label)
    }
}

fn method(analysis: &Analysis, path: &str, name: &str) -> Option<MethodId> {
    let program = analysis.program();
    let types = program.types_of_file(program.file(path)?).iter();
    let mut methods = types.flat_map(|t| program.methods_of_type(*t));
    methods.find(|m| program.method_name(**m) == name).copied()
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
