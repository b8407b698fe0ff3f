//! *Not this one* and *Accept* in clients that make no files: a command has the server make `telltale-dismissed.toml`.
//!
//! Where it is there an edit adds to it, as in every client: the server writes into no file that somebody may have open.

use super::edits;
use super::workspace_edit::WorkspaceEdit;
use super::world::Found;
use crate::dismissed;
use ide::dismissed::Entry;
use project::{DISMISSED, Dismissal};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use tower_lsp::ls_types as lsp;

/// Takes `[{ uri, entry }]`.
pub(crate) const DISMISS: &str = "telltale.dismiss";

/// What a client asks for.
pub(crate) struct Asked {
    /// A file of the folder in question.
    pub(crate) uri: lsp::Uri,
    entry: Dismissal,
}

/// What was done.
pub(crate) enum Done {
    /// The file was made.
    Made,
    /// It was there: an edit for the client.
    Edit(WorkspaceEdit),
    /// Nothing, for a reason, as a sentence.
    Nothing(String),
}

impl Asked {
    /// Of a command's argument.
    pub(crate) fn of(argument: &Value) -> Option<Asked> {
        #[derive(Deserialize)]
        struct Written {
            uri: lsp::Uri,
            entry: BTreeMap<String, String>,
        }
        let written: Written = serde_json::from_value(argument.clone()).ok()?;
        Some(Asked {
            uri: written.uri,
            entry: Dismissal::of(&written.entry)?,
        })
    }

    /// Makes the file, or says how it is added to.
    pub(crate) fn done(&self, found: &Found) -> Done {
        match dismissed::make(&found.root, &self.entry) {
            Ok(true) => return Done::Made,
            Ok(false) => {}
            Err(e) => return Done::Nothing(format!("{DISMISSED} cannot be written: {e}.")),
        }
        if !found.coding.client.apply_edit {
            return Done::Nothing(format!("{DISMISSED} is there by now: choose it again."));
        }
        // Who was not told that it is there knows of no place in it.
        let (now, problems) = dismissed::load(&found.root);
        let now = Found {
            dismissals: Arc::new(now),
            ..found.clone()
        };
        let edit = edits::dismissal(&now, dismissed::entry(&self.entry));
        edit.map_or_else(|| Done::Nothing(problems.join("; ")), Done::Edit)
    }
}

/// The command that adds an entry.
pub(crate) fn command(title: &str, uri: &lsp::Uri, entry: Entry) -> lsp::Command {
    let entry = dismissed::dismissal(entry).parts();
    lsp::Command {
        title: title.to_owned(),
        command: DISMISS.to_owned(),
        arguments: Some(vec![json!({ "uri": uri, "entry": entry })]),
    }
}
