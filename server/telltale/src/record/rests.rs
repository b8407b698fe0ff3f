//! What a build's run of the tests rests on: whoever keeps what it told sees by this whether it would tell the same.
//!
//! What was changed is seen by [`project::prints`] and [`project::class_prints`], by content.

use super::kept::hash;
use super::{Ends, Request};
use project::{Prints, class_prints, prints};
use runner::{Place, Tool};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How the names of variables begin that say what Java runs, and how.
const VARIABLES: [&str; 11] = [
    "JAVA",
    "_JAVA_OPTIONS",
    "JDK_",
    "CLASSPATH",
    "M2_",
    "MAVEN_",
    "GRADLE_",
    "ORG_GRADLE_PROJECT_",
    "LANG",
    "LC_",
    "TZ",
];

/// Files and classes, as they were.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Rests {
    /// All files below the root and around it, but for what builds make.
    pub(super) files: Prints,
    /// What is on the class paths.
    classes: Prints,
}

impl Rests {
    /// What a run that is over rests on. `before`: the files as they were before it.
    ///
    /// # Errors
    /// Why nothing is to be kept of the run, as a sentence.
    pub(super) fn of(
        root: &Path,
        before: Prints,
        places: &[Place],
        ends: &[Ends],
    ) -> Result<Rests, String> {
        // What depends on how much the machine had to do may not come again.
        if let Some(one) = ends.iter().find(|e| e.why != "exit") {
            return Err(format!("{} {}", one.test, one.words));
        }
        // Classes that another build makes are made of sources that are not seen.
        let real = std::fs::canonicalize(root).map_err(|e| e.to_string())?;
        let own =
            |folder: &PathBuf| std::fs::canonicalize(folder).is_ok_and(|f| f.starts_with(&real));
        let directories = places.iter().map(|p| &p.directory);
        let folders = class_path(places).filter(|path| path.is_dir());
        if let Some(foreign) = directories.chain(folders).find(|folder| !own(folder)) {
            return Err(format!("{} is outside of the root", foreign.display()));
        }
        let outputs = outputs(root, places);
        let files = without(before, &outputs);
        let unreadable = || "not all of the files can be read".to_owned();
        let classes = class_prints(class_path(places), &files).ok_or_else(unreadable)?;
        let now = without(prints(root).ok_or_else(unreadable)?, &outputs);
        match others(&files, &now).first() {
            Some(path) => Err(format!("{path} changed while the tests ran")),
            None => Ok(Rests { files, classes }),
        }
    }

    /// The files that are others by now, in order; of `now` as it was read.
    pub(super) fn changed_files(&self, root: &Path, places: &[Place], now: &Prints) -> Vec<String> {
        others(&self.files, &without(now.clone(), &outputs(root, places)))
    }

    /// What of the class paths is another by now, in order. Nothing where that cannot be said.
    pub(super) fn changed_classes(&self, places: &[Place]) -> Option<Vec<String>> {
        let now = class_prints(class_path(places), &self.files)?;
        Some(others(&self.classes, &now))
    }
}

/// All that says what runs the build, and under what; nothing for a command, of which nobody knows on what it rests.
pub(super) fn environment(request: &Request<'_>, jar: &Path) -> Option<Vec<String>> {
    let program = match &request.tool {
        Tool::Maven(program) | Tool::Gradle(program) => program,
        Tool::Command(_) | Tool::Direct(_) => return None,
    };
    let mut out = vec![
        env!("CARGO_PKG_VERSION").to_owned(),
        own_binary(),
        jar.to_string_lossy().into_owned(),
        request.tool.name().to_owned(),
        on_path(program),
        on_path(Path::new("java")),
        own_java(),
        format!("--jdk {}", led_to(request.jdk.map(release))),
    ];
    out.extend(variables());
    Some(out)
}

/// This program: a newer one may ask otherwise.
fn own_binary() -> String {
    let own = std::env::current_exe().and_then(std::fs::metadata);
    own.map_or(String::new(), |o| {
        format!("{} {:?}", o.len(), o.modified().ok())
    })
}

/// Where the path leads to, and what stands there.
fn on_path(program: &Path) -> String {
    let all = std::env::var_os("PATH").unwrap_or_default();
    let mut all = std::env::split_paths(&all).map(|folder| folder.join(program));
    let found = all.find(|file| file.is_file());
    format!("{} {}", program.display(), led_to(found))
}

/// The Java of `JAVA_HOME`, which may be a link, and may be updated in its place.
fn own_java() -> String {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    led_to(home.as_deref().map(release))
}

/// The file that says which JDK is in a folder; JDKs without it are known by their `java`.
fn release(home: &Path) -> PathBuf {
    let release = home.join("release");
    match release.is_file() {
        true => release,
        false => runner::jdk::program(home, "java"),
    }
}

fn led_to(file: Option<PathBuf>) -> String {
    let file = file.and_then(|file| std::fs::canonicalize(file).ok());
    let data = file.as_ref().and_then(|file| file.metadata().ok());
    let data = data.map(|data| (data.len(), data.modified().ok()));
    format!("{file:?} {data:?}")
}

/// With the hash of what they say: it may be a secret.
fn variables() -> Vec<String> {
    let all = std::env::vars_os().filter_map(|(name, is)| Some((name.into_string().ok()?, is)));
    let own = all.filter(|(name, _)| VARIABLES.iter().any(|v| name.starts_with(v)));
    let hashed = |(name, is): (String, std::ffi::OsString)| {
        format!("{name} {:016x}", hash(is.as_encoded_bytes()))
    };
    let mut out: Vec<String> = own.map(hashed).collect();
    out.sort();
    out
}

/// The paths at which two differ, in order.
fn others(one: &Prints, other: &Prints) -> Vec<String> {
    let all = one.keys().chain(other.keys());
    let mut others: Vec<String> = all
        .filter(|p| one.get(*p) != other.get(*p))
        .cloned()
        .collect();
    others.sort();
    others.dedup();
    others
}

fn class_path(places: &[Place]) -> impl Iterator<Item = &PathBuf> {
    places.iter().flat_map(|p| &p.class_path)
}

/// The folders into which the build compiles, from the root, with a slash at the end.
fn outputs(root: &Path, places: &[Place]) -> Vec<String> {
    let real = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
    let below = |path: &PathBuf| {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let path = path.strip_prefix(&real).ok()?.to_str()?;
        (!path.is_empty()).then(|| format!("{}/", path.replace('\\', "/")))
    };
    let folders = class_path(places).filter(|p| !p.is_file());
    folders.filter_map(below).collect()
}

/// Without the class files in these folders; one that stands elsewhere is read by a test.
fn without(mut files: Prints, outputs: &[String]) -> Prints {
    files.retain(|path, _| {
        let is_class = path.ends_with(".class");
        !is_class || !outputs.iter().any(|o| path.starts_with(o.as_str()))
    });
    files
}
