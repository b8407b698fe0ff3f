//! Compiles a subject and runs its tests with JaCoCo's agent.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::names::Method;
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

/// How the tests of a subject are run.
struct How {
    /// The names of its test classes.
    pattern: &'static str,
    /// What its virtual machine needs.
    arguments: &'static [&'static str],
}

fn how(subject: &str) -> How {
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

/// What ran.
pub(super) struct Ran {
    pub(super) tests: usize,
    /// By test class.
    pub(super) by_class: BTreeMap<String, Vec<Method>>,
}

/// What runs under the tests of a subject; kept in the cache, for it takes a minute and does not change.
pub(super) fn of(
    name: &str,
    root: &Path,
    classpath: &str,
    java: &Path,
    again: bool,
) -> Result<Ran> {
    let table = root.parent().and_then(Path::file_name).unwrap_or_default();
    let folder = subjects::cache()?.join("ran").join(table);
    let file = folder.join(format!("{name}.txt"));
    if again || !file.is_file() {
        fs::create_dir_all(&folder).map_err(|e| failed("create", &folder, &e))?;
        eprintln!("running the tests of {name}");
        run(name, root, classpath, java, &file)?;
    }
    let text = fs::read_to_string(&file).map_err(|e| failed("read", &file, &e))?;
    Ok(read(&text))
}

fn read(text: &str) -> Ran {
    let mut ran = Ran {
        tests: 0,
        by_class: BTreeMap::new(),
    };
    for line in text.lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["#", tests, failed] => {
                ran.tests = tests.parse().unwrap_or(0);
                if failed != "0" {
                    eprintln!("{failed} of {tests} tests failed");
                }
            }
            [test, class, method, descriptor] => {
                let methods = ran.by_class.entry(test.to_owned()).or_default();
                methods.push(Method::new(class, method, descriptor));
            }
            _ => {}
        }
    }
    ran
}

fn run(name: &str, root: &Path, classpath: &str, java: &Path, to: &Path) -> Result<()> {
    // Tests write files beside their sources; the cache stays as it is.
    let work = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
    let work = work.path();
    copy(root, work)?;
    let tools = tools()?;
    // The subject's own JUnit may be of another version than the one that runs.
    let is_own = |jar: &PathBuf| {
        let file = jar.file_name().unwrap_or_default().to_string_lossy();
        ["junit-jupiter", "junit-platform", "junit-vintage"]
            .iter()
            .all(|theirs| !file.starts_with(theirs))
    };
    let libraries = std::env::split_paths(classpath.trim()).filter(is_own);
    let (main, test, ran) = (work.join(".main"), work.join(".test"), work.join(".ran"));
    let mut path: Vec<PathBuf> = vec![ran.clone(), test.clone(), main.clone()];
    path.extend(tools.iter().cloned());
    path.extend(libraries.filter(|jar| !jar.as_os_str().is_empty()));
    let path = std::env::join_paths(path).map_err(|e| e.to_string())?;
    let compile = |sources: Vec<PathBuf>, to: &Path| -> Result<()> {
        let list = work.join(".sources");
        let quoted = sources.iter().map(|p| format!("\"{}\"\n", p.display()));
        let quoted: String = quoted.map(|line| line.replace('\\', "\\\\")).collect();
        fs::write(&list, quoted).map_err(|e| failed("write", &list, &e))?;
        let mut javac =
            Command::new(java.with_file_name(format!("javac{}", std::env::consts::EXE_SUFFIX)));
        javac.args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-g", "-cp"]);
        javac.arg(&path).arg("-d").arg(to);
        javac.arg(format!("@{}", list.display()));
        output(&mut javac).map(drop)
    };
    compile(sources(&work.join("src/main/java"))?, &main)?;
    compile(sources(&work.join("src/test/java"))?, &test)?;
    let runner = crate::root().join("server/xtask/src/evaluate/reach/Ran.java");
    compile(vec![runner], &ran)?;
    for (part, classes) in [("main", &main), ("test", &test)] {
        let resources = work.join("src").join(part).join("resources");
        if resources.is_dir() {
            copy(&resources, classes)?;
        }
    }
    let agent = tools.last().ok_or("no agent")?;
    let how = how(name);
    let mut tests = Command::new(java);
    tests.current_dir(work).args(how.arguments);
    tests.arg(format!("-javaagent:{}=output=none", agent.display()));
    tests.arg("-cp").arg(&path).arg("Ran");
    tests.arg(to).arg(how.pattern).arg(&test).arg(&main);
    output(&mut tests).map(drop)
}

/// The jars of [`TOOLS`], in their order; fetched once.
fn tools() -> Result<Vec<PathBuf>> {
    let folder = subjects::cache()?.join("tools");
    let artifacts = TOOLS.map(|(group, name, version, classifier)| Artifact {
        group: group.to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
        classifier,
        extension: "jar",
    });
    let paths: Vec<PathBuf> = artifacts
        .iter()
        .map(|a| folder.join(a.file_name()))
        .collect();
    if !paths.iter().all(|path| path.is_file()) {
        fs::create_dir_all(&folder).map_err(|e| failed("create", &folder, &e))?;
        maven::copy(&artifacts, &folder)?;
    }
    Ok(paths)
}

/// All Java files of a folder. A module's own file would make its tests a part of the module.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
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

fn copy(from: &Path, to: &Path) -> Result<()> {
    copy_all(from, to).map_err(|e| failed("copy", from, &e))
}

fn output(command: &mut Command) -> Result<String> {
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

fn failed(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}
