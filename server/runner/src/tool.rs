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
        let options = agent.options();
        let option = options.join(" ");
        let mut command = match self {
            Tool::Maven(program) => {
                let mut command = Command::new(program);
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
                std::fs::write(&init, gradle_script(&options))?;
                let mut command = Command::new(program);
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
    /// What a JVM is started with. The agent extends the boot class path, and the JVM would warn of that where tests print.
    fn options(&self) -> [String; 2] {
        let (jar, folder) = (self.jar.display(), self.folder.display());
        [
            format!("-javaagent:{jar}={folder}"),
            "-XX:-PrintWarnings".to_owned(),
        ]
    }
}

/// `Outer$Inner#method`, as the tool takes them.
fn names(only: &[Only], between: char, separator: &str) -> String {
    let name = |one: &Only| match &one.method {
        Some(method) => format!("{}{between}{method}", one.class),
        None => one.class.clone(),
    };
    only.iter().map(name).collect::<Vec<_>>().join(separator)
}

fn gradle_script(options: &[String]) -> String {
    let quoted = |o: &String| format!("'{}'", o.replace('\\', "\\\\").replace('\'', "\\'"));
    let options: Vec<String> = options.iter().map(quoted).collect();
    format!(
        "allprojects {{\n    tasks.withType(Test) {{\n        jvmArgs {}\n        ignoreFailures = true\n        \
         outputs.upToDateWhen {{ false }}\n    }}\n}}\n",
        options.join(", ")
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn arguments(tool: &Tool, only: &[Only]) -> Vec<String> {
        let agent = Agent {
            jar: Path::new("a.jar"),
            folder: Path::new("run"),
        };
        let command = tool.tests(Path::new("."), &agent, only, false).unwrap();
        let all = command.get_args().map(|a| a.to_string_lossy().into_owned());
        all.collect()
    }

    #[test]
    fn maven_is_told_of_the_agent_and_the_tests_beside_what_the_build_says() {
        let only = |class: &str, method: Option<&str>| Only {
            class: class.to_owned(),
            method: method.map(str::to_owned),
        };
        let some = [only("a.T$In", Some("m")), only("a.U", None)];
        let told = arguments(&Tool::Maven("mvn".into()), &some);
        for wanted in [
            "-Dmaven.surefire.debug=-javaagent:a.jar=run -XX:-PrintWarnings",
            "-Dtest=a.T$In#m,a.U",
            "test",
        ] {
            assert!(told.iter().any(|a| a == wanted), "{wanted}: {told:?}");
        }
        let all = arguments(&Tool::Maven("mvn".into()), &[]);
        assert!(!all.iter().any(|a| a.starts_with("-Dtest")), "{all:?}");
    }

    #[test]
    fn gradle_takes_each_option_of_its_own() {
        let script = gradle_script(&["-javaagent:it's".to_owned(), "-b".to_owned()]);
        assert!(
            script.contains(r"jvmArgs '-javaagent:it\'s', '-b'"),
            "{script}"
        );
    }

    #[test]
    fn the_build_tool_is_the_one_whose_file_is_there() {
        let root = std::env::temp_dir().join(format!("telltale-tool-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        assert_eq!(Tool::find(&root), None);
        std::fs::write(root.join("build.gradle.kts"), "").unwrap();
        assert_eq!(Tool::find(&root), Some(Tool::Gradle("gradle".into())));
        std::fs::write(root.join("pom.xml"), "").unwrap();
        assert_eq!(Tool::find(&root), Some(Tool::Maven("mvn".into())));
        std::fs::write(root.join("mvnw"), "").unwrap();
        assert_eq!(Tool::find(&root), Some(Tool::Maven(root.join("mvnw"))));
        std::fs::remove_dir_all(&root).unwrap();
    }
}
