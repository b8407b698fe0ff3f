//! What runs told, kept under `.telltale/` of a root: a SQLite file whose tables `docs/evidence.md` describes.
//!
//! A run is saved as one transaction: whoever is killed while it saves loses that run and nothing else. Several processes
//! may read while one writes; a second that writes waits for the first.

mod merge;

use evidence::{Definitions, Facts, Observed, Packed, PackedLines, Ran, RanBy, Seen, Told, Value};
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior, params};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder, below a root.
pub const OWN_FOLDER: &str = ".telltale";

const FILE: &str = "evidence.db";

/// What is kept of runs, below a root; SQLite puts files of longer names beside it.
pub const EVIDENCE: &str = ".telltale/evidence.db";

/// Of which shape the tables are.
const VERSION: i64 = 4;

/// How long a writer waits for another.
const PATIENCE: Duration = Duration::from_secs(5);

const SCHEMA: &str = "
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        tool TEXT NOT NULL,
        java TEXT NOT NULL,
        tests INTEGER NOT NULL,
        failed INTEGER NOT NULL
    );
    CREATE TABLE test (
        name TEXT PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES run(id),
        key INTEGER NOT NULL,
        asked INTEGER NOT NULL DEFAULT 0,
        passed INTEGER NOT NULL,
        calls BLOB,
        varied TEXT
    ) WITHOUT ROWID;
    CREATE TABLE observed (
        test TEXT NOT NULL REFERENCES test(name) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('query', 'variable')),
        name TEXT NOT NULL,
        nth INTEGER NOT NULL,
        count INTEGER NOT NULL,
        cut INTEGER NOT NULL,
        once INTEGER NOT NULL,
        seen TEXT NOT NULL,
        differs TEXT,
        PRIMARY KEY (test, kind, name, nth)
    ) WITHOUT ROWID;
    CREATE TABLE class_path (
        directory TEXT PRIMARY KEY,
        entries TEXT NOT NULL
    ) WITHOUT ROWID;
";

/// What came with version 4.
const RAN: &str = "
    CREATE TABLE ran (
        test TEXT NOT NULL,
        run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
        key INTEGER NOT NULL,
        lines BLOB NOT NULL,
        PRIMARY KEY (test, run)
    ) WITHOUT ROWID;
    CREATE TABLE code (
        member TEXT PRIMARY KEY,
        lines BLOB NOT NULL
    ) WITHOUT ROWID;
    ALTER TABLE run ADD COLUMN overlapped INTEGER NOT NULL DEFAULT 0;
";

/// What stands in the place of a test's name for lines that ran in none, or in one that is not known by its name.
const NOBODY: &str = "";

/// What is kept of a root. See the module's description.
#[derive(Debug)]
pub struct Store {
    database: Connection,
    file: PathBuf,
}

/// A run, as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// When it began, in seconds since 1970.
    pub at: i64,
    /// What ran the tests.
    pub tool: String,
    /// The version of Java.
    pub java: String,
    /// How many tests ran.
    pub tests: u32,
    /// How many of them failed.
    pub failed: u32,
}

/// Why what is kept cannot be read or written.
#[derive(Debug)]
pub enum StoreError {
    /// It was written by a newer Telltale.
    Newer(PathBuf),
    /// The file system refused.
    Io(PathBuf, std::io::Error),
    /// SQLite refused: the disk is full, the file is damaged or locked.
    Database(PathBuf, rusqlite::Error),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Newer(file) => write!(
                f,
                "{} was written by a newer Telltale; update this one, or delete the file and record again",
                file.display()
            ),
            // A full disk is told by the one or the other, as it was the file or what SQLite puts beside it.
            StoreError::Database(file, e)
                if matches!(
                    e.sqlite_error_code(),
                    Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure)
                ) =>
            {
                write!(
                    f,
                    "{}: {e}; if the disk is full make room and record again, what was kept before is still there",
                    file.display()
                )
            }
            StoreError::Database(file, e) if is_unwritable(e) => write!(
                f,
                "{}: {e}; nothing is damaged: its folder has to be one that can be written",
                file.display()
            ),
            StoreError::Io(file, e) => write!(f, "{}: {e}", file.display()),
            StoreError::Database(file, e) => write!(
                f,
                "{}: {e}; if it is damaged, delete it and record again",
                file.display()
            ),
        }
    }
}

impl std::error::Error for StoreError {}

impl Store {
    /// Opens what is kept of a root, and makes it if there is nothing.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn open(root: &Path) -> Result<Store, StoreError> {
        let folder = own_folder(root)?;
        let file = folder.join(FILE);
        let of = |e| StoreError::Database(file.clone(), e);
        let mut database = Connection::open(&file).map_err(of)?;
        prepare(&mut database).map_err(of)?;
        database
            .pragma_update(None, "journal_mode", "WAL")
            .map_err(of)?;
        let made = match version(&database).map_err(of)? {
            0 => make(&mut database),
            _ => Ok(()),
        };
        made.and_then(|()| upgrade(&mut database)).map_err(of)?;
        let store = Store { database, file };
        store.check_version()?;
        Ok(store)
    }

    /// Opens what is kept, to read it; none if nothing is.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn open_existing(root: &Path) -> Result<Option<Store>, StoreError> {
        let file = root.join(OWN_FOLDER).join(FILE);
        if !file.is_file() {
            return Ok(None);
        }
        let database = match to_write(&file) {
            Err(e) if is_unwritable(&e) && !has_log(&file) => to_read(&file),
            opened => opened,
        };
        let database = database.map_err(|e| StoreError::Database(file.clone(), e))?;
        let store = Store { database, file };
        store.check_version()?;
        Ok(Some(store))
    }

    fn check_version(&self) -> Result<(), StoreError> {
        match version(&self.database) {
            Ok(VERSION) => Ok(()),
            Ok(n) if n > VERSION => Err(StoreError::Newer(self.file.clone())),
            Ok(_) => Err(self.error(rusqlite::Error::InvalidQuery)),
            Err(e) => Err(self.error(e)),
        }
    }

    fn error(&self, e: rusqlite::Error) -> StoreError {
        StoreError::Database(self.file.clone(), e)
    }

    /// Where it is.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// How many bytes it takes.
    pub fn size(&self) -> u64 {
        let of = |suffix: &str| {
            let mut name = self.file.clone().into_os_string();
            name.push(suffix);
            std::fs::metadata(name).map_or(0, |m| m.len())
        };
        of("") + of("-wal")
    }

    /// Keeps a run: what it told of each test takes the place of what was known of that test.
    ///
    /// # Errors
    /// Then nothing of it is kept.
    pub fn save(&mut self, run: &Run, told: &[(SmolStr, Told)]) -> Result<(), StoreError> {
        self.save_with(run, told, &Ran::default(), false)
    }

    /// The same with the lines that ran. Where all tests ran, nothing of earlier runs tells of lines any more.
    ///
    /// # Errors
    /// Then nothing of it is kept.
    pub fn save_with(
        &mut self,
        run: &Run,
        told: &[(SmolStr, Told)],
        ran: &Ran,
        is_all: bool,
    ) -> Result<(), StoreError> {
        let saved = self.database.transaction().and_then(|own| {
            let id = write(&own, run, told)?;
            write_ran(&own, id, ran, is_all)?;
            forget_empty_runs(&own, id)?;
            own.commit()
        });
        saved.map_err(|e| self.error(e))
    }

    /// Forgets the tests that are not there any more.
    ///
    /// # Errors
    /// Then all of them are still known.
    pub fn retain(&mut self, is_there: &dyn Fn(&str) -> bool) -> Result<usize, StoreError> {
        let gone = self.database.transaction().and_then(|own| {
            let names: Vec<String> = own
                .prepare("SELECT name FROM test")?
                .query_map([], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            let gone: Vec<String> = names.into_iter().filter(|n| !is_there(n)).collect();
            for name in &gone {
                own.execute("DELETE FROM test WHERE name = ?1", [name])?;
            }
            let names: Vec<String> = own
                .prepare("SELECT test FROM ran WHERE test <> ''")?
                .query_map([], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            for name in names.iter().filter(|n| !is_there(n)) {
                own.execute("DELETE FROM ran WHERE test = ?1", [name])?;
            }
            own.commit()?;
            Ok(gone.len())
        });
        gone.map_err(|e| self.error(e))
    }

    /// Forgets what was recorded first until all takes no more room than this, in bytes: run by run, and of the last one
    /// first what its tests called, the most at once, then its tests. How many tests were forgotten.
    ///
    /// # Errors
    /// Then nothing is forgotten.
    pub fn bound(&mut self, most: u64) -> Result<usize, StoreError> {
        let forgotten = self.database.transaction().and_then(|own| {
            let (mut forgotten, before) = (0, used(&own)?);
            while used(&own)? > most {
                let gone = forget_first(&own)?;
                if gone == Some(0) {
                    break;
                }
                forgotten += gone.unwrap_or(0);
            }
            let has_shrunk = used(&own)? < before;
            own.commit()?;
            Ok((forgotten, has_shrunk))
        });
        let (forgotten, has_shrunk) = forgotten.map_err(|e| self.error(e))?;
        if has_shrunk {
            // What is free in the file is given back; where there is no room for that, the next run takes it.
            drop(
                self.database
                    .execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);"),
            );
        }
        Ok(forgotten)
    }

    /// Forgets everything.
    ///
    /// # Errors
    /// Then everything is still known.
    pub fn forget(&mut self) -> Result<(), StoreError> {
        let all = "DELETE FROM observed; DELETE FROM test; DELETE FROM ran; DELETE FROM code; DELETE FROM run; DELETE FROM class_path;";
        let done = self.database.transaction().and_then(|own| {
            own.execute_batch(all)?;
            own.commit()
        });
        done.and_then(|()| {
            self.database
                .execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
        })
        .map_err(|e| self.error(e))
    }

    /// All that is known of tests.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn facts(&self) -> Result<Facts, StoreError> {
        read(&self.database).map_err(|e| self.error(e))
    }

    /// The last run that was kept.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn last_run(&self) -> Result<Option<Run>, StoreError> {
        let query = "SELECT at, tool, java, tests, failed FROM run ORDER BY id DESC LIMIT 1";
        let run = self.database.query_row(query, [], |row| {
            Ok(Run {
                at: row.get(0)?,
                tool: row.get(1)?,
                java: row.get(2)?,
                tests: row.get(3)?,
                failed: row.get(4)?,
            })
        });
        match run {
            Ok(run) => Ok(Some(run)),
            Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
            Err(e) => Err(self.error(e)),
        }
    }
}

/// The folder of a root for what Telltale keeps; git does not see it.
///
/// # Errors
/// If it cannot be made.
pub fn own_folder(root: &Path) -> Result<PathBuf, StoreError> {
    let folder = root.join(OWN_FOLDER);
    let of = |e| StoreError::Io(folder.clone(), e);
    // A repository may bring it as a link that leads elsewhere.
    if folder.is_symlink() {
        let why = "it is a symbolic link; nothing is written behind it";
        return Err(of(std::io::Error::other(why)));
    }
    std::fs::create_dir_all(&folder).map_err(of)?;
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        std::fs::write(&ignore, "*\n").map_err(of)?;
    }
    Ok(folder)
}

/// How many bytes of the file hold something.
fn used(own: &Transaction<'_>) -> rusqlite::Result<u64> {
    let of = |name: &str| own.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let pages = of("page_count")? - of("freelist_count")?;
    Ok((pages * of("page_size")?).unsigned_abs())
}

/// Forgets the oldest run, or of the only one a part: how many tests are gone, none if only what one of them called is.
fn forget_first(own: &Transaction<'_>) -> rusqlite::Result<Option<usize>> {
    let one = |query: &str| own.query_row(query, [], |row| row.get::<_, Option<i64>>(0));
    let (first, last) = (
        one("SELECT min(run) FROM test")?,
        one("SELECT max(run) FROM test")?,
    );
    if first != last {
        let gone = own.execute("DELETE FROM test WHERE run = ?1", [first])?;
        own.execute("DELETE FROM run WHERE id = ?1", [first])?;
        return Ok(Some(gone));
    }
    let largest =
        "SELECT name FROM test WHERE calls IS NOT NULL ORDER BY length(calls) DESC LIMIT 64";
    let changed = own.execute(
        &format!("UPDATE test SET calls = NULL WHERE name IN ({largest})"),
        [],
    )?;
    if changed > 0 {
        return Ok(None);
    }
    // Without the lines of one test nobody can say which lines no test checks.
    if own.execute("DELETE FROM ran", [])? + own.execute("DELETE FROM code", [])? > 0 {
        return Ok(None);
    }
    own.execute(
        "DELETE FROM test WHERE name IN (SELECT name FROM test ORDER BY name DESC LIMIT 64)",
        [],
    )
    .map(Some)
}

fn to_write(file: &Path) -> rusqlite::Result<Connection> {
    let mut database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    prepare(&mut database)?;
    upgrade(&mut database)?;
    // The log that stands beside the file is opened with the first look.
    version(&database)?;
    Ok(database)
}

/// Where nobody may write, not even what SQLite puts beside a file: as it stands.
fn to_read(file: &Path) -> rusqlite::Result<Connection> {
    let mut uri = String::from("file:");
    for c in file.to_string_lossy().chars() {
        match c {
            '%' | '?' | '#' => uri.push_str(&format!("%{:02X}", u32::from(c))),
            c => uri.push(c),
        }
    }
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let database = Connection::open_with_flags(uri, flags)?;
    database.pragma_update(None, "trusted_schema", false)?;
    Ok(database)
}

/// True if a file cannot be written, or nothing beside it.
fn is_unwritable(e: &rusqlite::Error) -> bool {
    let code = e.sqlite_error_code();
    matches!(code, Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

/// True if something stands in the log beside a file that the file does not have yet.
fn has_log(file: &Path) -> bool {
    let mut name = file.as_os_str().to_owned();
    name.push("-wal");
    std::fs::metadata(name).is_ok_and(|m| m.len() > 0)
}

fn prepare(database: &mut Connection) -> rusqlite::Result<()> {
    database.busy_timeout(PATIENCE)?;
    // One that reads before it writes would be refused, and not wait, where another has written in between.
    database.set_transaction_behavior(TransactionBehavior::Immediate);
    // It may have come with a repository.
    database.pragma_update(None, "trusted_schema", false)?;
    database.pragma_update(None, "foreign_keys", true)
}

/// Makes the tables.
fn make(database: &mut Connection) -> rusqlite::Result<()> {
    let own = database.transaction()?;
    // Another process may have been faster.
    if version(&own)? == 0 {
        own.execute_batch(SCHEMA)?;
        own.execute_batch(RAN)?;
        own.pragma_update(None, "user_version", VERSION)?;
    }
    own.commit()
}

/// Brings tables of an earlier Telltale up to date. What they keep stays readable, as of other code.
fn upgrade(database: &mut Connection) -> rusqlite::Result<()> {
    if !(1..VERSION).contains(&version(database)?) {
        return Ok(());
    }
    let own = database.transaction()?;
    // Another process may have been faster.
    if version(&own)? == 1 {
        own.execute_batch("ALTER TABLE test ADD COLUMN asked INTEGER NOT NULL DEFAULT 0")?;
        own.pragma_update(None, "user_version", 2)?;
    }
    if version(&own)? == 2 {
        own.execute_batch("ALTER TABLE test ADD COLUMN varied TEXT")?;
        own.pragma_update(None, "user_version", 3)?;
    }
    if version(&own)? == 3 {
        own.execute_batch(RAN)?;
        own.pragma_update(None, "user_version", VERSION)?;
    }
    own.commit()
}

fn version(database: &Connection) -> rusqlite::Result<i64> {
    database.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn write(own: &Transaction<'_>, run: &Run, told: &[(SmolStr, Told)]) -> rusqlite::Result<i64> {
    own.execute(
        "INSERT INTO run (at, tool, java, tests, failed) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![run.at, run.tool, run.java, run.tests, run.failed],
    )?;
    let id = own.last_insert_rowid();
    let mut test = own.prepare(
        "INSERT INTO test (name, run, key, asked, passed, calls, varied) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let mut observed = own.prepare(
        "INSERT INTO observed (test, kind, name, nth, count, cut, once, seen, differs)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for (name, told) in told {
        own.execute("DELETE FROM test WHERE name = ?1", [name.as_str()])?;
        let calls = told.calls.as_ref().map(Packed::bytes);
        test.execute(params![
            name.as_str(),
            id,
            told.key as i64,
            told.asked as i64,
            told.passed,
            calls,
            told.varied
        ])?;
        let queries = told.queries.iter().map(|(q, o)| ("query", q, 0, o));
        let inside = told.inside.all();
        let variables = told.variables.all();
        let variables = variables.iter().chain(&inside);
        let variables = variables.map(|(s, o)| ("variable", &s.variable, s.nth, o));
        for (kind, what, nth, o) in queries.chain(variables) {
            let differs = o.differs.as_deref().map(json).transpose()?;
            let row = params![
                name.as_str(),
                kind,
                what.as_str(),
                nth,
                o.count as i64,
                o.cut,
                o.once,
                json(&o.values)?,
                differs
            ];
            observed.execute(row)?;
        }
    }
    Ok(id)
}

/// Forgets runs of which nothing is known any more.
fn forget_empty_runs(own: &Transaction<'_>, id: i64) -> rusqlite::Result<usize> {
    own.execute(
        "DELETE FROM run WHERE id <> ?1 AND id NOT IN (SELECT run FROM test)
         AND id NOT IN (SELECT run FROM ran WHERE test <> '')",
        [id],
    )
}

fn write_ran(own: &Transaction<'_>, id: i64, ran: &Ran, is_all: bool) -> rusqlite::Result<()> {
    if is_all {
        own.execute_batch("DELETE FROM ran; DELETE FROM code; UPDATE run SET overlapped = 0;")?;
    }
    own.execute(
        "UPDATE run SET overlapped = ?1 WHERE id = ?2",
        params![ran.lost as i64, id],
    )?;
    let mut row = own.prepare("INSERT INTO ran (test, run, key, lines) VALUES (?1, ?2, ?3, ?4)")?;
    let mut tests: Vec<_> = ran.tests.iter().collect();
    tests.sort_unstable_by_key(|(test, _)| *test);
    for (test, by) in tests {
        own.execute("DELETE FROM ran WHERE test = ?1", [test.as_str()])?;
        row.execute(params![test.as_str(), id, by.key as i64, by.lines.bytes()])?;
    }
    for lines in ran.nobodys.iter().take(1) {
        row.execute(params![NOBODY, id, 0, lines.bytes()])?;
    }
    let mut row = own.prepare("INSERT OR REPLACE INTO code (member, lines) VALUES (?1, ?2)")?;
    let mut code: Vec<_> = ran.code.iter().collect();
    code.sort_unstable_by_key(|(member, _)| *member);
    for (member, lines) in code {
        row.execute(params![member.as_str(), lines.bytes()])?;
    }
    Ok(())
}

fn read_ran(database: &Connection) -> rusqlite::Result<Ran> {
    let mut out = Ran::default();
    let mut query = database.prepare("SELECT test, key, lines FROM ran")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let lines = PackedLines::new(row.get::<_, Vec<u8>>(2)?);
        match row.get_ref(0)?.as_str()? {
            NOBODY => out.nobodys.push(lines),
            test => {
                let key = row.get::<_, i64>(1)? as u64;
                out.tests.insert(SmolStr::new(test), RanBy { key, lines });
            }
        }
    }
    let mut query = database.prepare("SELECT member, lines FROM code")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let lines = PackedLines::new(row.get::<_, Vec<u8>>(1)?);
        out.code
            .insert(SmolStr::new(row.get_ref(0)?.as_str()?), lines);
    }
    let lost: i64 =
        database.query_row("SELECT coalesce(sum(overlapped), 0) FROM run", [], |r| {
            r.get(0)
        })?;
    out.lost = lost.unsigned_abs();
    Ok(out)
}

fn json(values: &[Value]) -> rusqlite::Result<String> {
    serde_json::to_string(values).map_err(|e| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))
}

fn values(text: &str) -> rusqlite::Result<Vec<Value>> {
    let of =
        |e| rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(e));
    serde_json::from_str(text).map_err(of)
}

/// What was defined while a test ran, in its own code and in the code under test.
#[derive(Default)]
struct Defined {
    variables: BTreeMap<Seen, Observed>,
    inside: BTreeMap<Seen, Observed>,
}

impl Defined {
    /// Packs what was read of a test, and goes on to another.
    fn keep(&mut self, tests: &mut FxHashMap<String, Told>, test: &str) -> rusqlite::Result<()> {
        let own = std::mem::take(self);
        if let Some(told) = tests.get_mut(test) {
            told.variables = packed(&own.variables)?;
            told.inside = packed(&own.inside)?;
        }
        Ok(())
    }
}

fn packed(all: &BTreeMap<Seen, Observed>) -> rusqlite::Result<Definitions> {
    Definitions::pack(all).map_err(|e| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))
}

fn read(database: &Connection) -> rusqlite::Result<Facts> {
    let mut tests: FxHashMap<String, Told> = FxHashMap::default();
    let mut query = database.prepare(
        "SELECT name, key, passed, at, calls, asked, varied FROM test JOIN run ON run = id",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let told = Told {
            key: row.get::<_, i64>(1)? as u64,
            asked: row.get::<_, i64>(5)? as u64,
            passed: row.get(2)?,
            at: row.get(3)?,
            calls: row.get::<_, Option<Vec<u8>>>(4)?.map(Packed::new),
            varied: row.get(6)?,
            ..Told::default()
        };
        tests.insert(row.get(0)?, told);
    }
    // Test by test, as the table lies: what was defined in one is packed before the next is read.
    let mut query = database.prepare(
        "SELECT test, kind, name, nth, count, cut, once, seen, differs FROM observed
         ORDER BY test, kind, name, nth",
    )?;
    let mut rows = query.query([])?;
    let (mut current, mut defined) = (String::new(), Defined::default());
    while let Some(row) = rows.next()? {
        let test = row.get_ref(0)?.as_str()?;
        if test != current {
            defined.keep(&mut tests, &current)?;
            test.clone_into(&mut current);
        }
        let Some(told) = tests.get_mut(test) else {
            continue;
        };
        let differs: Option<String> = row.get(8)?;
        let observed = Observed {
            count: row.get::<_, i64>(4)? as u64,
            cut: row.get(5)?,
            once: row.get(6)?,
            values: values(row.get_ref(7)?.as_str()?)?,
            differs: differs.as_deref().map(values).transpose()?,
        };
        let name = SmolStr::new(row.get_ref(2)?.as_str()?);
        match row.get_ref(1)?.as_str()? {
            "query" => drop(told.queries.insert(name, observed)),
            _ => {
                // No name of a variable has this character: before it stands the class.
                let is_inside = name.contains('#');
                let seen = Seen {
                    variable: name,
                    nth: row.get(3)?,
                };
                let of = match is_inside {
                    true => &mut defined.inside,
                    false => &mut defined.variables,
                };
                of.insert(seen, observed);
            }
        }
    }
    defined.keep(&mut tests, &current)?;
    let mut facts = Facts::default().with_ran(read_ran(database)?);
    let mut names: Vec<String> = tests.keys().cloned().collect();
    names.sort_unstable();
    for name in names {
        if let Some(told) = tests.remove(&name) {
            facts.insert(name, told);
        }
    }
    Ok(facts)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod killed;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::disallowed_methods)]
mod tests;
