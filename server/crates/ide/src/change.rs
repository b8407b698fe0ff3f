//! What an action changes in sources: one type for all of them, whatever a client can be told of it.

use program::FileId;
use std::ops::Range;
use text::Edit;

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
}

impl SourceChange {
    /// A change of one file.
    pub fn of(file: FileId, edits: Vec<Edit>) -> SourceChange {
        SourceChange {
            edits: vec![(file, edits)],
            ..SourceChange::default()
        }
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
