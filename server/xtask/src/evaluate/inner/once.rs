//! A project that is compiled once, and tests of it that are run with a few files changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::Result;
use crate::evaluate::build::{copy, failed, javac, output, own_libraries, sources, tools};

/// One test, run once.
pub(super) struct Job {
    /// `a.Outer$Inner` and the method's name.
    pub(super) test: (String, String),
    /// Files by path from the root, with the text that they have for this run.
    pub(super) files: Vec<(String, String)>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    Passed,
    /// With the message of each failure.
    Failed(String),
    /// It does not compile.
    Broken(String),
    /// No test was found or could be run, or it was not over in time.
    Nothing(String),
}

/// A compiled copy of a project.
pub(super) struct Project {
    work: TempDir,
    java: PathBuf,
    class_path: std::ffi::OsString,
    arguments: &'static [&'static str],
    jobs: usize,
}

impl Project {
    /// Copies and compiles the project at `root`.
    pub(super) fn new(
        root: &Path,
        classpath: &str,
        java: &Path,
        arguments: &'static [&'static str],
    ) -> Result<Project> {
        let work = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
        let folder = work.path();
        copy(&root.join("src"), &folder.join("src"))?;
        let (main, test) = (folder.join(".main"), folder.join(".test"));
        let mut path = vec![folder.join(".once")];
        path.extend(tools()?);
        path.extend(own_libraries(classpath));
        let class_path = std::env::join_paths(&path).map_err(|e| e.to_string())?;
        path.splice(0..0, [test.clone(), main.clone()]);
        let all = std::env::join_paths(&path).map_err(|e| e.to_string())?;
        for (part, classes) in [("main", &main), ("test", &test)] {
            let sources = sources(&folder.join("src").join(part).join("java"))?;
            javac(java, &all, &sources, folder, classes)?;
            let resources = folder.join("src").join(part).join("resources");
            if resources.is_dir() {
                copy(&resources, classes)?;
            }
        }
        let once = crate::root().join("server/xtask/src/evaluate/inner/Once.java");
        javac(java, &all, &[once], folder, &folder.join(".once"))?;
        Ok(Project {
            work,
            java: java.to_owned(),
            class_path,
            arguments,
            jobs: 0,
        })
    }

    /// Runs the jobs one after the other, in one virtual machine.
    pub(super) fn run(&mut self, jobs: &[Job]) -> Result<Vec<Ran>> {
        let folder = self.work.path();
        let mut lines = String::new();
        for job in jobs {
            self.jobs += 1;
            let own = folder.join(format!(".jobs/{}", self.jobs));
            lines.push_str(&format!("{}\t{}\t", job.test.0, job.test.1));
            lines.push_str(&own.join("classes").display().to_string());
            for (path, text) in &job.files {
                let file = own.join(path);
                let write = || {
                    fs::create_dir_all(file.parent().unwrap_or(&own))?;
                    fs::write(&file, text)
                };
                write().map_err(|e| failed("write", &file, &e))?;
                lines.push_str(&format!("\t{}", file.display()));
            }
            lines.push('\n');
        }
        let (list, answers) = (folder.join(".list"), folder.join(".answers"));
        fs::write(&list, lines).map_err(|e| failed("write", &list, &e))?;
        let mut command = Command::new(&self.java);
        command.current_dir(folder).args(self.arguments);
        command.arg("-Xmx2g").arg("-cp").arg(&self.class_path);
        command.arg("Once").arg(&list).arg(&answers);
        command.args([".test", ".main"].map(|part| folder.join(part)));
        output(&mut command)?;
        let text = fs::read_to_string(&answers).map_err(|e| failed("read", &answers, &e))?;
        let ran: Vec<Ran> = text.lines().map(read).collect();
        match ran.len() == jobs.len() {
            true => Ok(ran),
            false => Err(format!("{} of {} tests were run", ran.len(), jobs.len())),
        }
    }
}

fn read(line: &str) -> Ran {
    let (what, said) = line.split_once('\t').unwrap_or((line, ""));
    let said = said.replace('\u{1e}', "\n");
    match what {
        "passed" => Ran::Passed,
        "failed" => Ran::Failed(said),
        "broken" => Ran::Broken(said),
        _ => Ran::Nothing(format!("{what}: {said}")),
    }
}
