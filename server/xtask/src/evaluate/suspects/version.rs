//! One version of a project with a bug, in a folder of its own, that Maven builds on a JDK of today.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use runner::process::{Bounds, Ended, run};

use super::bug::{Bug, Places};
use super::compile::by_file;
use super::java::without;
use super::pom;
use super::trees::{History, apply};
use crate::Result;
use crate::evaluate::build::{copy, failed, sources};

/// Longer than any build of one of these takes.
const LONGEST: Duration = Duration::from_secs(600);

const CLASS_PATH: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

/// Which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Buggy,
    Fixed,
}

/// A version that is compiled.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Version {
    /// With the `pom.xml`.
    pub(super) folder: PathBuf,
    pub(super) places: Places,
    /// Its own classes, those of its tests, and its libraries.
    pub(super) class_path: Vec<PathBuf>,
    /// Own files, and bodies of methods in them, that do not compile today and were left out, from the folder.
    pub(super) left_out: Vec<String>,
    /// How many own files of tests there are.
    pub(super) test_files: usize,
}

impl Version {
    /// Writes and compiles a version. `classes` is a folder for what is compiled.
    pub(super) fn make(
        bug: &Bug,
        history: &History,
        which: Which,
        folder: &Path,
        classes: &Path,
    ) -> Result<Version> {
        let places = &bug.places;
        history.export(&bug.fixed, &places.module, folder)?;
        own_tests(bug, history, folder)?;
        if which == Which::Buggy {
            apply(&bug.patch, folder, places.depth())?;
        }
        let (main, tests) = (folder.join(&places.sources), folder.join(&places.tests));
        only_those(folder, &[&main, &tests])?;
        utf8(&main)?;
        utf8(&tests)?;
        let libraries = own_build(bug, folder)?;
        let mut version = Version {
            folder: folder.to_owned(),
            places: places.clone(),
            class_path: Vec::new(),
            left_out: Vec::new(),
            test_files: 0,
        };
        let (own, own_tests) = (classes.join("main"), classes.join("test"));
        version.compile(&main, &libraries, &own)?;
        let path: Vec<PathBuf> = [&own].into_iter().chain(&libraries).cloned().collect();
        version.test_files = version.compile(&tests, &path, &own_tests)?;
        version.class_path = [own_tests].into_iter().chain(path).collect();
        Ok(version)
    }

    /// Compiles what lies in a folder, and removes what does not compile; how many files there are left.
    fn compile(&mut self, from: &Path, class_path: &[PathBuf], out: &Path) -> Result<usize> {
        let files = sources(from)?;
        let left = by_file(&files, class_path, out)?;
        let name = |file: &Path| {
            let own = file.strip_prefix(&self.folder).unwrap_or(file);
            own.display().to_string()
        };
        let bodies = left.bodies.iter();
        let bodies = bodies.map(|(file, body, why)| format!("{}: {body}(): {why}", name(file)));
        let whole = left
            .files
            .iter()
            .map(|(file, why)| format!("{}: {why}", name(file)));
        let all: Vec<String> = bodies.chain(whole).collect();
        self.left_out.extend(all);
        for file in left.files.keys() {
            fs::remove_file(file).map_err(|e| failed("remove", file, &e))?;
        }
        let resources = from.with_file_name("resources");
        for folder in [from, &resources] {
            if folder.is_dir() {
                copy(folder, out)?;
            }
        }
        Ok(files.len() - left.files.len())
    }
}

/// Puts the tests in place that the developers had when the bug was there.
fn own_tests(bug: &Bug, history: &History, folder: &Path) -> Result<()> {
    let places = &bug.places;
    let tests = folder.join(&places.tests);
    let path = match places.module.as_str() {
        "" => places.tests.clone(),
        module => format!("{module}/{}", places.tests),
    };
    if history.has(&bug.buggy, &path) {
        fs::remove_dir_all(&tests).map_err(|e| failed("remove", &tests, &e))?;
        return history.export(&bug.buggy, &path, &tests);
    }
    eprintln!(
        "{}: the buggy commit has no {path}; the fixed one's tests without those of the bug",
        bug.id
    );
    if let Some(patch) = &bug.test_patch {
        return apply(patch, folder, places.depth());
    }
    for trigger in &bug.triggers {
        let Some((class, test)) = trigger.split_once("::") else {
            continue;
        };
        let file = tests.join(format!("{}.java", class.replace('.', "/")));
        if let Ok(text) = fs::read_to_string(&file) {
            let left = without(&text, &[test.to_owned()].into());
            fs::write(&file, left).map_err(|e| failed("write", &file, &e))?;
        }
    }
    Ok(())
}

/// Removes Java files that are no part of the build: experiments, examples, other modules.
fn only_those(folder: &Path, built: &[&Path]) -> Result<()> {
    for file in sources(folder)? {
        if !built.iter().any(|root| file.starts_with(root)) {
            fs::remove_file(&file).map_err(|e| failed("remove", &file, &e))?;
        }
    }
    Ok(())
}

/// Writes all Java files of a folder as UTF-8. Old ones that are not are Latin-1.
fn utf8(folder: &Path) -> Result<()> {
    for file in sources(folder)? {
        let bytes = fs::read(&file).map_err(|e| failed("read", &file, &e))?;
        if std::str::from_utf8(&bytes).is_err() {
            let text: String = bytes.iter().map(|b| char::from(*b)).collect();
            fs::write(&file, text).map_err(|e| failed("write", &file, &e))?;
        }
    }
    Ok(())
}

/// Puts our build in the place of the project's own; the jars of its libraries.
fn own_build(bug: &Bug, folder: &Path) -> Result<Vec<PathBuf>> {
    let pom = folder.join("pom.xml");
    let own = fs::read(&pom).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let libraries = pom::libraries(&own.unwrap_or_default());
    for other in [
        "build.xml",
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
        ".mvn",
    ] {
        let path = folder.join(other);
        drop(fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)));
    }
    // A module's own file would make its tests a part of the module, and is no Java 8.
    drop(fs::remove_file(
        folder.join(&bug.places.sources).join("module-info.java"),
    ));
    let tests: Vec<String> = bug
        .relevant
        .iter()
        .filter(|class| {
            let file = folder.join(&bug.places.tests).join(class.replace('.', "/"));
            file.with_extension("java").is_file()
        })
        .cloned()
        .collect();
    let name = bug.id.to_string().to_lowercase();
    let mut last = String::new();
    // What cannot be had is left out: then the files that use it are.
    for libraries in [libraries.as_slice(), &[]] {
        let text = pom::write(&name, &bug.places, libraries, &tests);
        fs::write(&pom, text).map_err(|e| failed("write", &pom, &e))?;
        match class_path(folder) {
            Ok(jars) => return Ok(jars),
            Err(why) => {
                eprintln!("{}: {why}", bug.id);
                last = why;
            }
        }
    }
    Err(last)
}

fn class_path(folder: &Path) -> Result<Vec<PathBuf>> {
    let file = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    let mut command = Command::new(if cfg!(windows) { "mvn.cmd" } else { "mvn" });
    command.current_dir(folder);
    command.args([
        "-B",
        "-q",
        "-ntp",
        "-Dstyle.color=never",
        CLASS_PATH,
        "-DincludeScope=test",
    ]);
    command.arg(format!("-Dmdep.outputFile={}", file.path().display()));
    let mut said = Vec::new();
    bounded(command, LONGEST, &mut |line| said.push(line.to_owned()))?;
    let text = fs::read_to_string(file.path()).map_err(|e| failed("read", file.path(), &e))?;
    let jars: Vec<PathBuf> = std::env::split_paths(text.trim())
        .filter(|jar| !jar.as_os_str().is_empty())
        .collect();
    match jars.is_empty() {
        true => Err(said.into_iter().take(3).collect::<Vec<_>>().join("; ")),
        false => Ok(jars),
    }
}

/// Runs a program to its end, or to the end of our patience; true if it ended well.
pub(super) fn bounded(
    command: Command,
    longest: Duration,
    line: &mut dyn FnMut(&str),
) -> Result<bool> {
    let name = command.get_program().to_string_lossy().into_owned();
    let bounds = Bounds {
        wanted: &|| true,
        timeout: Some(longest),
        tick: &mut || {},
    };
    match run(command, bounds, line).map_err(|e| format!("{name}: {e}"))? {
        Ended::Exit(status) => Ok(status.success()),
        Ended::Cancelled => Ok(false),
        Ended::TimedOut => {
            eprintln!(
                "{name} took longer than {} s and was ended",
                longest.as_secs()
            );
            Ok(false)
        }
    }
}
