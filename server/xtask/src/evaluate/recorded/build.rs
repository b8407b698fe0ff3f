//! A project's own build, by Maven or Gradle.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use runner::Tool;
use runner::javac::{Problem, passed_on};

use crate::Result;

/// See the module's description.
pub(in crate::evaluate) struct Build<'a> {
    pub(in crate::evaluate) root: &'a Path,
    /// The JDK that runs it, if not the usual one.
    pub(in crate::evaluate) jdk: Option<&'a Path>,
}

impl Build<'_> {
    /// Compiles the tests; what it prints.
    pub(in crate::evaluate) fn compile(&self) -> Result<String> {
        self.run(&["test-compile"], &["testClasses"])
    }

    /// Runs the tests; what it prints.
    pub(in crate::evaluate) fn tests(&self) -> Result<String> {
        // What an earlier run left would be taken for what this one says.
        for report in self.reports() {
            std::fs::remove_file(&report).map_err(|e| e.to_string())?;
        }
        let maven = ["test", "-Dmaven.test.failure.ignore=true", "-fae"];
        self.run(&maven, &["test"])
    }

    fn run(&self, maven: &[&str], gradle: &[&str]) -> Result<String> {
        let mut command = match Tool::find(self.root) {
            Some(Tool::Maven(program)) => {
                let mut command = Command::new(program);
                command.args(["-B", "-Drat.skip", "-Dcheckstyle.skip"]);
                // What checks the style of what we insert ends the build before its tests.
                command.args(["-Dspotless.check.skip", "-Dstyle.color=never"]);
                command.args(maven);
                command
            }
            Some(Tool::Gradle(program)) => {
                let mut command = Command::new(program);
                command.args(["--console=plain", "--continue"]).args(gradle);
                command
            }
            _ => return Err(format!("{}: no build", self.root.display())),
        };
        self.on_jdk(&mut command);
        let output = command.current_dir(self.root).output();
        let output = output.map_err(|e| format!("{command:?}: {e}"))?;
        let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.push_str(&String::from_utf8_lossy(&output.stderr));
        Ok(said)
    }

    /// Has a command use the JDK.
    pub(in crate::evaluate) fn on_jdk(&self, command: &mut Command) {
        if let Some(home) = self.jdk {
            command.env("JAVA_HOME", home);
        }
    }

    /// What the compiler refused.
    pub(in crate::evaluate) fn errors(said: &str) -> Vec<Problem> {
        said.lines().filter_map(passed_on).collect()
    }

    /// What the reports of the last run say of each test, `pkg.Class#method`: true if all that ran of it passed.
    pub(in crate::evaluate) fn passed(&self) -> BTreeMap<String, bool> {
        let mut out = BTreeMap::new();
        for report in self.reports() {
            let text = std::fs::read_to_string(&report).unwrap_or_default();
            for (name, passed) in cases(&text) {
                let all = out.entry(name).or_insert(true);
                *all &= passed;
            }
        }
        out
    }

    fn reports(&self) -> Vec<PathBuf> {
        let mut out = Vec::new();
        let mut open = vec![self.root.to_path_buf()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let name = entry.file_name().to_string_lossy().into_owned();
                if path.is_dir() && name != "src" {
                    open.push(path);
                } else if name.starts_with("TEST-") && name.ends_with(".xml") {
                    out.push(path);
                }
            }
        }
        out
    }
}

/// The tests of a report that were not skipped, each time that one ran, and whether it passed.
fn cases(report: &str) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    for case in report.split("<testcase ").skip(1) {
        let case = case.split("</testcase>").next().unwrap_or(case);
        let part = |key: &str| {
            let (_, rest) = case.split_once(&format!("{key}=\""))?;
            rest.split('"').next().map(str::to_owned)
        };
        let has_failed = case.contains("<failure") || case.contains("<error");
        let name = part(" name").or_else(|| part("name"));
        if let (false, Some(class), Some(method)) =
            (case.contains("<skipped"), part("classname"), name)
        {
            let method = method.split(['(', '[', '{']).next().unwrap_or_default();
            out.push((format!("{class}#{}", method.trim()), !has_failed));
        }
    }
    out
}
