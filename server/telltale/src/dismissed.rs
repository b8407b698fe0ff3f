//! `telltale-dismissed.toml` as the analysis knows it, and back.

use crate::whole::made;
use ide::dismissed::{Dismissed, Entry};
use project::{DISMISSED, Dismissal, Dismissals};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Reads the file of a root, and what is wrong with it. What cannot be read dismisses nothing.
pub(crate) fn load(root: &Path) -> (Dismissals, Vec<String>) {
    match project::load_dismissed(root) {
        Ok(read) => {
            let problems = read.problems.iter();
            let said = problems.map(|(line, message)| format!("{DISMISSED}:{line}: {message}"));
            let said = said.collect();
            (read, said)
        }
        Err(error) => (Dismissals::default(), vec![error.to_string()]),
    }
}

/// What the analysis is told.
pub(crate) fn known(read: &Dismissals) -> Arc<Dismissed> {
    Arc::new(read.entries.iter().map(entry).collect())
}

pub(crate) fn entry(read: &Dismissal) -> Entry {
    let read = read.clone();
    Entry {
        within: read.within,
        value: read.value,
        ty: read.ty,
        query: read.query,
        of: read.of,
        variable: read.variable,
        assertion: read.assertion,
        code: read.code,
    }
}

/// An entry as it is written.
pub(crate) fn dismissal(entry: Entry) -> Dismissal {
    Dismissal {
        within: entry.within,
        value: entry.value,
        ty: entry.ty,
        query: entry.query,
        of: entry.of,
        variable: entry.variable,
        assertion: entry.assertion,
        code: entry.code,
        line: 0,
    }
}

/// Makes the file of a root with one entry. False if there is one by now: it stays as it is.
pub(crate) fn make(root: &Path, entry: &Dismissal) -> io::Result<bool> {
    made(root, DISMISSED, &Dismissals::default().written(entry))
}
