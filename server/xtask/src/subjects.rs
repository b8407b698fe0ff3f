//! `cargo xtask subjects`: real projects, fetched once and laid out as Maven projects in the user's cache folder.
//!
//! ```text
//! CACHE/downloads/<sha256>              what Maven brought, under its checksum
//! CACHE/subjects/<table>/<name>/        the project: pom.xml, src/main/java, src/test/java, resources
//! ```
//! `<table>` stands for all versions and checksums of `tests/subjects.toml`, so an edited table never meets what an
//! older one unpacked, and a subject is still found under its plain name. A project appears by a rename and is therefore
//! whole. Nothing is fetched that is there already, so all of this works offline after the first time.

mod layout;
mod table;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::{Result, maven};
use table::{Subject, Table};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these (default: all)
    names: Vec<String>,
    /// Print the subjects and whether each is in the cache; fetch nothing
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let table = Table::read(&crate::root().join("tests/subjects.toml"))?;
    let wanted = table.select(&arguments.names)?;
    let cache = Cache::open(&table)?;
    if arguments.list {
        for subject in wanted {
            let state = if cache.path(subject).is_dir() {
                "here"
            } else {
                "not fetched"
            };
            let tests = if subject.test_sources.is_some() {
                "with tests"
            } else {
                "sources only"
            };
            println!("{} {} {tests}, {state}", subject.name, subject.version);
        }
        return Ok(());
    }
    cache.provide(&wanted)?;
    for subject in wanted {
        println!("{} {}", subject.name, cache.path(subject).display());
    }
    Ok(())
}

/// Makes sure that every subject is in the cache; the folder that holds them, one folder a name.
pub(crate) fn all() -> Result<PathBuf> {
    let table = Table::read(&crate::root().join("tests/subjects.toml"))?;
    let cache = Cache::open(&table)?;
    let wanted: Vec<&Subject> = table.subjects.iter().collect();
    cache.provide(&wanted)?;
    Ok(cache.subjects)
}

/// The names of all subjects, in the order of the table.
pub(crate) fn names() -> Result<Vec<String>> {
    let table = Table::read(&crate::root().join("tests/subjects.toml"))?;
    let names = table.subjects.iter().map(|subject| subject.name.clone());
    Ok(names.collect())
}

/// Makes sure that one subject is in the cache; its folder.
pub(crate) fn one(name: &str) -> Result<PathBuf> {
    let table = Table::read(&crate::root().join("tests/subjects.toml"))?;
    let cache = Cache::open(&table)?;
    let wanted = table.select(&[name.to_owned()])?;
    cache.provide(&wanted)?;
    wanted
        .first()
        .map(|subject| cache.path(subject))
        .ok_or_else(|| format!("no subject {name}"))
}

/// Copies a project into a folder, without what git and Telltale keep of it, and without its own Maven.
pub(crate) fn copied(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).map_err(|e| format!("{}: {e}", to.display()))?;
    let entries = fs::read_dir(from).map_err(|e| format!("{}: {e}", from.display()))?;
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        // The machine's own Maven runs it, here as below.
        if name == ".git" || name == project::OWN_FOLDER || name == "mvnw" {
            continue;
        }
        match path.is_dir() {
            true => copied(&path, &to.join(name))?,
            false => {
                let copied = fs::copy(&path, to.join(name));
                copied.map_err(|e| format!("{}: {e}", path.display()))?;
            }
        }
    }
    Ok(())
}

/// The user's cache folder, for one state of the table.
struct Cache {
    downloads: PathBuf,
    subjects: PathBuf,
}

impl Cache {
    fn open(table: &Table) -> Result<Cache> {
        let root = cache()?;
        Ok(Cache {
            downloads: root.join("downloads"),
            subjects: root.join("subjects").join(table.key()),
        })
    }

    /// Where the subject lies once it is there.
    fn path(&self, subject: &Subject) -> PathBuf {
        self.subjects.join(&subject.name)
    }

    /// Fetches and unpacks those that are missing.
    fn provide(&self, subjects: &[&Subject]) -> Result<()> {
        let missing: Vec<&Subject> = subjects
            .iter()
            .copied()
            .filter(|subject| !self.path(subject).is_dir())
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        self.fetch(&missing)?;
        for subject in missing {
            eprintln!("unpacking {}", subject.name);
            self.unpack(subject)?;
        }
        Ok(())
    }

    /// Brings into `downloads` what the subjects consist of.
    ///
    /// # Errors
    /// Also if a file does not have the checksum of the table. All files are looked at before that is said.
    fn fetch(&self, subjects: &[&Subject]) -> Result<()> {
        let parts: Vec<_> = subjects
            .iter()
            .flat_map(|subject| subject.parts())
            .filter(|(_, checksum)| !self.has(checksum))
            .collect();
        if parts.is_empty() {
            return Ok(());
        }
        eprintln!("fetching with Maven, files: {}", parts.len());
        let folder = temporary(&self.downloads)?;
        let artifacts: Vec<_> = parts.iter().map(|(artifact, _)| artifact.clone()).collect();
        maven::copy(&artifacts, folder.path())?;
        let mut wrong = Vec::new();
        for (artifact, checksum) in parts {
            let file = folder.path().join(artifact.file_name());
            let found = sha256(&read(&file)?);
            if found == checksum {
                rename(&file, &self.downloads.join(checksum))?;
            } else {
                wrong.push(format!(
                    "{}: SHA-256 {found}, but tests/subjects.toml says {checksum}",
                    artifact.file_name()
                ));
            }
        }
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(format!(
                "not what was recorded, so it is not used:\n{}",
                wrong.join("\n")
            ))
        }
    }

    /// True if the download is there and still what its name says; one that is not goes away.
    fn has(&self, checksum: &str) -> bool {
        let file = self.downloads.join(checksum);
        match fs::read(&file) {
            Ok(bytes) if sha256(&bytes) == checksum => true,
            Ok(_) => {
                let _ = fs::remove_file(&file);
                false
            }
            Err(_) => false,
        }
    }

    /// Lays the subject out in a temporary folder and renames it into place.
    fn unpack(&self, subject: &Subject) -> Result<()> {
        let folder = temporary(&self.subjects)?;
        for (artifact, checksum) in subject.parts() {
            let bytes = read(&self.downloads.join(checksum))?;
            let part = match artifact.classifier {
                None => {
                    let pom = folder.path().join("pom.xml");
                    fs::write(&pom, &bytes).map_err(|error| failed("write", &pom, &error))?;
                    continue;
                }
                Some("test-sources") => "test",
                Some(_) => "main",
            };
            layout::unpack(&bytes, part, folder.path())
                .map_err(|error| format!("{}: {error}", artifact.file_name()))?;
        }
        for path in &subject.omit {
            let file = folder.path().join(path);
            fs::remove_file(&file).map_err(|error| failed("leave out", &file, &error))?;
        }
        let target = self.path(subject);
        match fs::rename(folder.path(), &target) {
            Ok(()) => Ok(()),
            // Somebody else unpacked the same at the same time; theirs is as good.
            Err(_) if target.is_dir() => Ok(()),
            Err(error) => Err(failed("rename into place", &target, &error)),
        }
    }
}

/// The user's cache folder of this project.
pub(crate) fn cache() -> Result<PathBuf> {
    cache_root(|name| std::env::var_os(name).map(PathBuf::from))
}

/// `$TELLTALE_CACHE`, else `$XDG_CACHE_HOME/telltale`, else `~/.cache/telltale`. Empty values count as not set, and a
/// relative `XDG_CACHE_HOME` is ignored, as its specification demands.
fn cache_root(variable: impl Fn(&str) -> Option<PathBuf>) -> Result<PathBuf> {
    let set = |name| variable(name).filter(|path| !path.as_os_str().is_empty());
    if let Some(own) = set("TELLTALE_CACHE") {
        return std::path::absolute(&own).map_err(|error| failed("find", &own, &error));
    }
    if let Some(xdg) = set("XDG_CACHE_HOME").filter(|path| path.is_absolute()) {
        return Ok(xdg.join("telltale"));
    }
    set("HOME")
        .or_else(|| set("USERPROFILE"))
        .map(|home| home.join(".cache/telltale"))
        .ok_or_else(|| "no cache folder: set TELLTALE_CACHE".to_owned())
}

/// A new folder in `parent`, which is made if need be; it goes away when the value does. It lies beside its target so
/// that the rename stays on one file system.
fn temporary(parent: &Path) -> Result<TempDir> {
    fs::create_dir_all(parent).map_err(|error| failed("make", parent, &error))?;
    tempfile::Builder::new()
        .prefix(".new-")
        .tempdir_in(parent)
        .map_err(|error| failed("write into", parent, &error))
}

/// SHA-256 in lower-case hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    let mut digits = Vec::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(digits, "{byte:02x}");
    }
    String::from_utf8_lossy(&digits).into_owned()
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| failed("read", path, &error))
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| failed("write", to, &error))
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}

#[cfg(test)]
#[path = "subjects/tests.rs"]
mod tests;
