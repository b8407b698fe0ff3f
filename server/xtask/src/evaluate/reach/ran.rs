//! Compiles a subject and runs its tests with JaCoCo's agent.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::names::Method;
use crate::evaluate::build::{copy, failed, javac, output, own_libraries, sources, tools};
use crate::{Result, subjects};

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
    let libraries = own_libraries(classpath);
    let (main, test, ran) = (work.join(".main"), work.join(".test"), work.join(".ran"));
    let mut path: Vec<PathBuf> = vec![ran.clone(), test.clone(), main.clone()];
    path.extend(tools.iter().cloned());
    path.extend(libraries);
    let path = std::env::join_paths(path).map_err(|e| e.to_string())?;
    let compile = |sources: Vec<PathBuf>, to: &Path| javac(java, &path, &sources, work, to);
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
