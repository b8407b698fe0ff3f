//! How a project's tests are run: by its build tool, whose files are not touched, or by a command of the user.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What runs the tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Maven, by its wrapper or as installed.
    Maven(PathBuf),
    /// Gradle, likewise.
    Gradle(PathBuf),
    /// A command; every JVM that it starts is asked whether it runs tests.
    Command(Vec<OsString>),
}

/// Tests to run: a class by its binary name, and a method of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Only {
    /// `pkg.Outer$Inner`
    pub class: String,
    /// All of the class if there is none.
    pub method: Option<String>,
}

/// A surefire that runs all of today's engines; the default of old Mavens finds none of JUnit 5.
const SUREFIRE: &str = "org.apache.maven.plugins:maven-surefire-plugin:3.5.4:test";

impl Tool {
    /// The build tool of a root.
    pub fn find(root: &Path) -> Option<Tool> {
        let has = |name: &str| root.join(name).is_file();
        let wrapper = |name: &str, windows: &str| {
            let name = if cfg!(windows) { windows } else { name };
            has(name).then(|| root.join(name))
        };
        if has("pom.xml") {
            let maven = wrapper("mvnw", "mvnw.cmd");
            return Some(Tool::Maven(maven.unwrap_or_else(|| "mvn".into())));
        }
        let gradle = [
            "build.gradle",
            "build.gradle.kts",
            "settings.gradle",
            "settings.gradle.kts",
        ];
        gradle.iter().any(|name| has(name)).then(|| {
            let gradle = wrapper("gradlew", "gradlew.bat");
            Tool::Gradle(gradle.unwrap_or_else(|| "gradle".into()))
        })
    }

    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Tool::Maven(_) => "Maven",
            Tool::Gradle(_) => "Gradle",
            Tool::Command(_) => "the command",
        }
    }

    /// The command that runs tests with the agent. `forced` names the runner itself where the build's own found no test.
    ///
    /// # Errors
    /// If the init script cannot be written.
    pub fn tests(
        &self,
        root: &Path,
        agent: &Agent<'_>,
        only: &[Only],
        forced: bool,
    ) -> std::io::Result<Command> {
        let option = agent.option();
        let mut command = match self {
            Tool::Maven(program) => {
                let mut command = Command::new(script(program));
                command.args(["-B", "-ntp", "-fae", "-Drat.skip", "-Dcheckstyle.skip"]);
                command.arg("-Dmaven.test.failure.ignore=true");
                command.args([
                    "-DfailIfNoTests=false",
                    "-Dsurefire.failIfNoSpecifiedTests=false",
                ]);
                // Reaches the forked JVM alone, beside what the build gives it itself.
                command.arg(format!("-Dmaven.surefire.debug={option}"));
                if !only.is_empty() {
                    command.arg(format!("-Dtest={}", names(only, '#', ",")));
                }
                match forced {
                    true => command.args(["test-compile", SUREFIRE]),
                    false => command.arg("test"),
                };
                command
            }
            Tool::Gradle(program) => {
                let init = agent.folder.join("init.gradle");
                std::fs::write(&init, gradle_script(&option))?;
                let mut command = Command::new(script(program));
                command.args(["--console=plain", "--continue", "--init-script"]);
                command.arg(init).arg("test");
                for one in only {
                    command
                        .arg("--tests")
                        .arg(names(std::slice::from_ref(one), '.', ""));
                }
                command
            }
            Tool::Command(words) => {
                let (program, rest) = words
                    .split_first()
                    .map_or((None, &[][..]), |(p, r)| (Some(p), r));
                let mut command = Command::new(program.map_or_else(OsString::new, Clone::clone));
                command.args(rest);
                let own = std::env::var("JAVA_TOOL_OPTIONS").unwrap_or_default();
                command.env("JAVA_TOOL_OPTIONS", format!("{own} {option}").trim());
                command
            }
        };
        command.current_dir(root);
        Ok(command)
    }
}

/// The agent and the folder of one run.
#[derive(Clone, Copy, Debug)]
pub struct Agent<'a> {
    /// The jar.
    pub jar: &'a Path,
    /// Where its plan is, and where it writes.
    pub folder: &'a Path,
}

impl Agent<'_> {
    fn option(&self) -> String {
        format!(
            "-javaagent:{}={}",
            self.jar.display(),
            self.folder.display()
        )
    }
}

/// A program without a folder is looked for by the system.
fn script(program: &Path) -> &Path {
    program
}

/// `Outer$Inner#method`, as the tool takes them.
fn names(only: &[Only], between: char, separator: &str) -> String {
    let name = |one: &Only| match &one.method {
        Some(method) => format!("{}{between}{method}", one.class),
        None => one.class.clone(),
    };
    only.iter().map(name).collect::<Vec<_>>().join(separator)
}

fn gradle_script(option: &str) -> String {
    let quoted = option.replace('\\', "\\\\").replace('\'', "\\'");
    format!(
        "allprojects {{\n    tasks.withType(Test) {{\n        jvmArgs '{quoted}'\n        ignoreFailures = true\n        \
         outputs.upToDateWhen {{ false }}\n    }}\n}}\n"
    )
}
