//! Taking over what was kept elsewhere of the same project: by the other machines of a build, each of which recorded a part.

use super::{Connection, EVIDENCE, FILE, OpenFlags, Store, StoreError, VERSION, forget_empty_runs};
use std::path::{Path, PathBuf};

/// Which of the other's tests are taken: those of which nothing newer is known here. A run is the same again if it began at the
/// same time.
const NEWER: &str = "
    CREATE TEMP TABLE known AS SELECT at FROM main.run;
    CREATE TEMP TABLE newer (name TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO newer SELECT t.name FROM other.test t JOIN other.run r ON r.id = t.run
        WHERE NOT EXISTS (SELECT 1 FROM main.test m JOIN main.run q ON q.id = m.run WHERE m.name = t.name AND q.at >= r.at);
    CREATE TEMP TABLE ran_later (name TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO ran_later SELECT DISTINCT t.test FROM other.ran t JOIN other.run r ON r.id = t.run
        WHERE t.test <> '' AND NOT EXISTS (SELECT 1 FROM main.ran m JOIN main.run q ON q.id = m.run WHERE m.test = t.test AND q.at >= r.at);
    DELETE FROM main.test WHERE name IN (SELECT name FROM newer);
    DELETE FROM main.ran WHERE test IN (SELECT name FROM ran_later);
";

/// `?1` is added to the numbers of runs.
const TAKEN: [&str; 3] = [
    "INSERT INTO main.run (id, at, tool, java, tests, failed, overlapped)
        SELECT id + ?1, at, tool, java, tests, failed, overlapped FROM other.run",
    "INSERT INTO main.test (name, run, key, asked, passed, calls, varied)
        SELECT name, run + ?1, key, asked, passed, calls, varied FROM other.test WHERE name IN (SELECT name FROM newer)",
    "INSERT INTO main.ran (test, run, key, lines)
        SELECT test, run + ?1, key, lines FROM other.ran WHERE test = '' OR test IN (SELECT name FROM ran_later)",
];

const REST: &str = "
    INSERT INTO main.observed (test, kind, name, nth, count, cut, once, seen, differs)
        SELECT test, kind, name, nth, count, cut, once, seen, differs FROM other.observed WHERE test IN (SELECT name FROM newer);
    INSERT INTO main.code (member, lines) SELECT member, lines FROM other.code WHERE true
        ON CONFLICT (member) DO UPDATE SET lines = excluded.lines
        WHERE (SELECT max(at) FROM other.run) > (SELECT coalesce(max(at), 0) FROM temp.known);
    DROP TABLE known;
    DROP TABLE newer;
    DROP TABLE ran_later;
";

impl Store {
    /// Takes over what was kept elsewhere of the same project, but for what is known here of a later run: the file, its folder,
    /// or the root in which that lies. How many tests were taken. Merging the same again changes nothing.
    ///
    /// # Errors
    /// If there is nothing, or it was kept by another version of Telltale. Then nothing is taken.
    pub fn merge(&mut self, other: &Path) -> Result<usize, StoreError> {
        let file = kept(other);
        let of = |e| StoreError::Database(file.clone(), e);
        let io = |e| StoreError::Io(file.clone(), e);
        if !file.is_file() {
            let why =
                "nothing recorded is there: name a file evidence.db, or a folder that has one";
            return Err(io(std::io::Error::other(why)));
        }
        let there = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let there = there.and_then(|there| super::version(&there));
        match there.map_err(of)? {
            VERSION => {}
            n if n > VERSION => return Err(StoreError::Newer(file)),
            _ => {
                let why = "it was kept by an older Telltale; record there again";
                return Err(io(std::io::Error::other(why)));
            }
        }
        let whole = |file: &Path| std::fs::canonicalize(file).ok();
        if whole(&file) == whole(&self.file) {
            return Err(io(std::io::Error::other(
                "that is what this project keeps itself",
            )));
        }
        let name = file.to_string_lossy().into_owned();
        let attached = self.database.execute("ATTACH DATABASE ?1 AS other", [name]);
        attached.map_err(|e| self.error(e))?;
        let taken = self
            .database
            .transaction_with_behavior(rusqlite::TransactionBehavior::Deferred);
        let taken = taken.and_then(|own| {
            let most = "SELECT coalesce(max(id), 0) FROM main.run";
            let base: i64 = own.query_row(most, [], |row| row.get(0))?;
            own.execute_batch(NEWER)?;
            let mut counts = [0; TAKEN.len()];
            for (count, query) in counts.iter_mut().zip(TAKEN) {
                *count = own.execute(query, [base])?;
            }
            own.execute_batch(REST)?;
            // None has this number: all of which nothing was taken go.
            forget_empty_runs(&own, -1)?;
            own.commit()?;
            Ok(counts[1])
        });
        let left = self.database.execute_batch("DETACH DATABASE other");
        let taken = taken.map_err(of)?;
        left.map_err(|e| self.error(e))?;
        Ok(taken)
    }
}

/// The file that is meant.
fn kept(other: &Path) -> PathBuf {
    let inside = [other.join(EVIDENCE), other.join(FILE)];
    let known = inside.into_iter().find(|file| file.is_file());
    known.unwrap_or_else(|| other.to_path_buf())
}
