//! What an action changes in sources: one type for all of them, whatever a client can be told of it.

use program::FileId;
use std::ops::Range;
use text::{Edit, Encoding, LineIndex};

/// A change of files. Its edits are those of the state that it was computed of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceChange {
    /// What changes in files that are there, by position; disjoint.
    pub edits: Vec<(FileId, Vec<Edit>)>,
    /// Files that are made, by path from the root, with their text.
    pub made: Vec<(String, String)>,
    /// Files that go.
    pub gone: Vec<FileId>,
    /// What somebody is to fill in: of the last edit of the first file these bytes of the new text.
    pub placeholder: Option<Range<usize>>,
    /// What it is for, as people are told before they agree; of a change that needs no word, none.
    pub label: Option<String>,
}

/// An edit of one file; lines and columns from 1, columns in UTF-16.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlacedEdit {
    /// Where it begins.
    pub start: (u32, u32),
    /// Where it ends.
    pub end: (u32, u32),
    /// What stands there then.
    pub text: String,
}

impl SourceChange {
    /// A change of one file.
    pub fn of(file: FileId, edits: Vec<Edit>) -> SourceChange {
        SourceChange {
            edits: vec![(file, edits)],
            ..SourceChange::default()
        }
    }

    /// The same, with what it is for.
    pub fn labelled(self, label: &str) -> SourceChange {
        SourceChange {
            label: Some(label.to_owned()),
            ..self
        }
    }

    /// Its edits of a file, as people and editors count places.
    pub fn placed(&self, file: FileId, lines: &LineIndex) -> Vec<PlacedEdit> {
        let own = self.edits.iter().filter(|(f, _)| *f == file);
        let place = |at: u32| {
            let p = lines.position(at, Encoding::Utf16);
            (p.line + 1, p.column + 1)
        };
        own.flat_map(|(_, all)| all)
            .map(|edit| PlacedEdit {
                start: place(edit.span.start),
                end: place(edit.span.end),
                text: edit.text.clone(),
            })
            .collect()
    }

    /// The last edit of the first file, and those before it.
    pub fn main(&self) -> Option<(&Edit, &[Edit])> {
        self.edits.first()?.1.split_last()
    }

    /// The text of that edit without the blanks around it: an assertion alone.
    pub fn main_text(&self) -> String {
        let main = self.main().map_or("", |(main, _)| main.text.as_str());
        main.trim().to_owned()
    }
}
