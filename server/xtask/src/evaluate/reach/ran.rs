//! Compiles a subject and runs its tests with JaCoCo's agent.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::names::Method;
use crate::evaluate::build::{Built, failed, how, javac, output, tools};
use crate::{Result, subjects};

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
    let built = Built::new(root, classpath, java)?;
    let work = built.work.path();
    let ran = work.join(".ran");
    let mut path: Vec<PathBuf> = vec![ran.clone()];
    path.extend(built.path.iter().cloned());
    let path = std::env::join_paths(path).map_err(|e| e.to_string())?;
    let runner = crate::root().join("server/xtask/src/evaluate/reach/Ran.java");
    javac(java, &path, &[runner], work, &ran)?;
    let tools = tools()?;
    let agent = tools.last().ok_or("no agent")?;
    let how = how(name);
    let mut tests = Command::new(java);
    tests.current_dir(work).args(how.arguments);
    tests.arg(format!("-javaagent:{}=output=none", agent.display()));
    tests.arg("-cp").arg(&path).arg("Ran");
    tests.arg(to).arg(how.pattern);
    tests.arg(&built.test).arg(&built.main);
    output(&mut tests).map(drop)
}
