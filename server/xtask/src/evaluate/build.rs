//! Compiling a project and running its tests without its build: javac, and JUnit's own launcher.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::copy_all;
use crate::maven::{self, Artifact};
use crate::{Result, subjects};

/// What runs the tests and says what ran.
const TOOLS: [(&str, &str, &str, Option<&str>); 6] = [
    (
        "org.junit.platform",
        "junit-platform-console-standalone",
        "6.1.3",
        None,
    ),
    ("org.jacoco", "org.jacoco.core", "0.8.14", None),
    ("org.ow2.asm", "asm", "9.9", None),
    ("org.ow2.asm", "asm-commons", "9.9", None),
    ("org.ow2.asm", "asm-tree", "9.9", None),
    ("org.jacoco", "org.jacoco.agent", "0.8.14", Some("runtime")),
];

/// The jars of a class path but JUnit's own, which may be of another version than the one that runs.
pub(super) fn own_libraries(classpath: &str) -> Vec<PathBuf> {
    let is_own = |jar: &PathBuf| {
        let file = jar.file_name().unwrap_or_default().to_string_lossy();
        ["junit-jupiter", "junit-platform", "junit-vintage"]
            .iter()
            .all(|theirs| !file.starts_with(theirs))
    };
    std::env::split_paths(classpath.trim())
        .filter(|jar| is_own(jar) && !jar.as_os_str().is_empty())
        .collect()
}

/// Compiles `sources` into `to`, with debug information. `java` names the JDK, and `work` is a folder to write in.
pub(super) fn javac(
    java: &Path,
    path: &OsStr,
    sources: &[PathBuf],
    work: &Path,
    to: &Path,
) -> Result<()> {
    let list = work.join(".sources");
    let quoted = sources.iter().map(|p| format!("\"{}\"\n", p.display()));
    let quoted: String = quoted.map(|line| line.replace('\\', "\\\\")).collect();
    fs::write(&list, quoted).map_err(|e| failed("write", &list, &e))?;
    let mut javac =
        Command::new(java.with_file_name(format!("javac{}", std::env::consts::EXE_SUFFIX)));
    javac.args(["-nowarn", "-encoding", "UTF-8", "-g", "-cp"]);
    javac.arg(path).arg("-d").arg(to);
    // Lombok works as a processor; others would only make files.
    if !path.to_string_lossy().contains("lombok") {
        javac.arg("-proc:none");
    }
    javac.arg(format!("@{}", list.display()));
    output(&mut javac).map(drop)
}

/// The jars of [`TOOLS`], in their order; fetched once.
pub(super) fn tools() -> Result<Vec<PathBuf>> {
    let folder = subjects::cache()?.join("tools");
    let artifacts = TOOLS.map(|(group, name, version, classifier)| Artifact {
        group: group.to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
        classifier,
        extension: "jar",
    });
    maven::fetched(&artifacts, &folder)
}

/// All Java files of a folder. A module's own file would make its tests a part of the module.
pub(super) fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for entry in ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .build()
    {
        let path = entry.map_err(|e| e.to_string())?.into_path();
        let is_java = path.extension().is_some_and(|e| e == "java");
        if is_java && path.file_name().is_some_and(|n| n != "module-info.java") {
            out.push(path);
        }
    }
    Ok(out)
}

/// How the tests of a subject are run.
pub(super) struct How {
    /// The names of its test classes.
    pub(super) pattern: &'static str,
    /// What its virtual machine needs.
    pub(super) arguments: &'static [&'static str],
}

pub(super) fn how(subject: &str) -> How {
    let pattern = match subject {
        // Abstract classes and suites would run others' tests again.
        "commons-collections4" => r"^(?!.*\.(BulkTest|Abstract[^.]*)$)(?!.*\$).*Test$",
        _ => ".*Test.*",
    };
    let arguments: &[&str] = match subject {
        "commons-validator" => &["-Djava.locale.providers=COMPAT,CLDR"],
        "commons-lang3" => &[
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.time=ALL-UNNAMED",
            "--add-opens=java.base/java.time.chrono=ALL-UNNAMED",
        ],
        _ => &[],
    };
    How { pattern, arguments }
}

/// A copy of a subject, compiled. Tests write files beside their sources; the cache stays as it is.
pub(super) struct Built {
    /// The copy.
    pub(super) work: tempfile::TempDir,
    /// Where the classes of the code are.
    pub(super) main: PathBuf,
    /// Where those of the tests are.
    pub(super) test: PathBuf,
    /// Both, what runs the tests, and the libraries.
    pub(super) path: Vec<PathBuf>,
}

impl Built {
    /// Copies and compiles.
    pub(super) fn new(root: &Path, classpath: &str, java: &Path) -> Result<Built> {
        let folder = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
        let work = folder.path();
        copy(root, work)?;
        let (main, test) = (work.join(".main"), work.join(".test"));
        let mut path: Vec<PathBuf> = vec![test.clone(), main.clone()];
        path.extend(tools()?);
        path.extend(own_libraries(classpath));
        let joined = std::env::join_paths(&path).map_err(|e| e.to_string())?;
        let compile = |sources: Vec<PathBuf>, to: &Path| javac(java, &joined, &sources, work, to);
        compile(sources(&work.join("src/main/java"))?, &main)?;
        compile(sources(&work.join("src/test/java"))?, &test)?;
        for (part, classes) in [("main", &main), ("test", &test)] {
            let resources = work.join("src").join(part).join("resources");
            if resources.is_dir() {
                copy(&resources, classes)?;
            }
        }
        Ok(Built {
            work: folder,
            main,
            test,
            path,
        })
    }
}

pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    copy_all(from, to).map_err(|e| failed("copy", from, &e))
}

pub(super) fn output(command: &mut Command) -> Result<String> {
    let program = command.get_program().display().to_string();
    let output = command
        .output()
        .map_err(|error| format!("cannot start {program}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let lines: Vec<&str> = said.lines().take(5).collect();
        return Err(format!("{program} failed\n{}", lines.join("\n")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

pub(super) fn failed(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}
