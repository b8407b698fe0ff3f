//! How a project's tests are run: by its build tool, whose files are not touched, or by a command of the user.

use crate::Place;
use crate::jdk::lead;
use crate::place::INTEGRATION;
use crate::process::Started;
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
    /// A command: where it is a build tool's, that is told of the agent; else every JVM that it starts is.
    Command(Vec<OsString>),
    /// A JVM of our own, like that in which a build ran them.
    Direct(Place),
}

/// A build tool that a command may be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builds {
    /// Or its daemon.
    Maven,
    /// Installed, or by its wrapper.
    Gradle,
}

/// Tests to run: a class by its binary name, and a method of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Only {
    /// `pkg.Outer$Inner`
    pub class: String,
    /// All of the class if there is none.
    pub method: Option<String>,
}

impl Only {
    /// True for what Maven's plugin for integration tests takes unless it is told otherwise: `IT*`, `*IT`, `*ITCase`.
    pub fn is_integration(&self) -> bool {
        let name = self.class.rsplit('.').next().unwrap_or_default();
        let name = name.split('$').next().unwrap_or_default();
        name.starts_with("IT") || name.ends_with("IT") || name.ends_with("ITCase")
    }
}

/// A surefire that runs all of today's engines; the default of old Mavens finds none of JUnit 5.
const SUREFIRE: &str = "org.apache.maven.plugins:maven-surefire-plugin:3.5.4:test";

/// Says nothing of what is fetched. `-ntp` is Maven's from 3.6.1 on; wrappers bring older ones, which refuse it.
const QUIET: &str =
    "-Dorg.slf4j.simpleLogger.log.org.apache.maven.cli.transfer.Slf4jMavenTransferListener=warn";

/// From this many bytes on, names stand in a file: Linux takes 128 KiB in one argument, Windows 32 KiB in all.
const LONG_ARGUMENT: usize = 16_000;

/// The name of no test.
const NONE: &str = "telltale.none.NoTest";

/// The main class of a JVM of our own.
const MAIN: &str = "dev.telltale.agent.Run";

/// What stands for the folder of a run that is told later.
const LATER: &str = "-";

/// What it is given to start quickly, since it ends soon. What the build gives stands behind that and holds.
const QUICK: [&str; 3] = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-ea"];

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
            Tool::Direct(_) => "a JVM of our own",
        }
    }

    /// The build tool whose command it is. What it is told reaches the JVMs of tests alone, and not those that they start.
    pub fn builds_by(&self) -> Option<Builds> {
        let Tool::Command(words) = self else {
            return None;
        };
        match Path::new(words.first()?).file_stem()?.to_str()? {
            "mvn" | "mvnw" | "mvnd" => Some(Builds::Maven),
            "gradle" | "gradlew" => Some(Builds::Gradle),
            _ => None,
        }
    }

    /// True if files can be left out of what it compiles.
    pub fn leaves_out(&self) -> bool {
        matches!(self, Tool::Maven(_) | Tool::Gradle(_))
    }

    /// The command that runs tests with the agent.
    ///
    /// # Errors
    /// If the init script, or the list of what is left out, cannot be written.
    pub fn tests(
        &self,
        root: &Path,
        agent: &Agent<'_>,
        asked: &Asked<'_>,
    ) -> std::io::Result<Command> {
        let Asked {
            only,
            modules,
            integration,
            forced,
            left_out,
            instead,
            jdk,
            loaded,
            by_environment: _,
        } = *asked;
        let options = agent.options();
        let option = one_line(&options);
        let mut command = match self {
            Tool::Maven(program) => {
                let mut command = Command::new(program);
                command.args(["-B", "-fae", "-Drat.skip", "-Dcheckstyle.skip", QUIET]);
                command.arg("-Dmaven.test.failure.ignore=true");
                command.args([
                    "-DfailIfNoTests=false",
                    "-Dsurefire.failIfNoSpecifiedTests=false",
                ]);
                if !modules.is_empty() {
                    command.args(["-pl", &modules.join(","), "-am"]);
                }
                // Reaches the forked JVM alone, beside what the build gives it itself.
                command.arg(format!("-Dmaven.surefire.debug={option}"));
                let mut lists: Vec<(&str, String)> = Vec::new();
                let mut by_name = |only: &[Only], property: &str, list: &'static str| {
                    let names = names(only, '#', ",");
                    match names.len() {
                        0 => {}
                        1..LONG_ARGUMENT => drop(command.arg(format!("-D{property}={names}"))),
                        _ => lists.push((list, names.replace(',', "\n"))),
                    }
                };
                // Those of the integration, which its plugin runs; then the build's other tests must be told to be none.
                let (integrated, own): (Vec<Only>, Vec<Only>) = only
                    .iter()
                    .cloned()
                    .partition(|one| integration && one.is_integration());
                by_name(&own, "test", "tests");
                by_name(&integrated, "it.test", "integrationTests");
                let runs_integration =
                    integration && !forced && (only.is_empty() || !integrated.is_empty());
                if runs_integration {
                    command.args([
                        "-Dfailsafe.failIfNoSpecifiedTests=false",
                        "-Dit.failIfNoSpecifiedTests=false",
                    ]);
                    command.arg(format!("-Dmaven.failsafe.debug={option} {INTEGRATION}"));
                    if !only.is_empty() && own.is_empty() {
                        command.arg(format!("-Dtest={NONE}"));
                    }
                }
                if !left_out.is_empty() {
                    lists.push(("leftOut", lines(left_out)));
                }
                if !instead.is_empty() {
                    let line = |(folder, roots): &(PathBuf, PathBuf)| {
                        format!("{}\t{}\n", folder.display(), roots.display())
                    };
                    lists.push(("instead", instead.iter().map(line).collect()));
                }
                if !lists.is_empty() {
                    let jar = agent.jar.display();
                    command.arg(format!("-Dmaven.ext.class.path={jar}"));
                }
                for (name, lines) in lists {
                    let list = agent.folder.join(name);
                    std::fs::write(&list, lines)?;
                    command.arg(format!("-Dtelltale.{name}={}", list.display()));
                }
                match (forced, runs_integration) {
                    (true, _) => command.args(["test-compile", SUREFIRE]),
                    (false, true) => command.arg("verify"),
                    (false, false) => command.arg("test"),
                };
                command
            }
            Tool::Gradle(program) => {
                let init = agent.folder.join("init.gradle");
                std::fs::write(&init, gradle_script(&options, asked))?;
                let mut command = Command::new(program);
                command.args(["--console=plain", "--continue", "--init-script"]);
                command.arg(init);
                // The build's own properties may name another, and are stronger than `JAVA_HOME`.
                if let Some(home) = jdk {
                    command.arg(format!("-Dorg.gradle.java.home={}", home.display()));
                }
                command.arg("test");
                command
            }
            Tool::Command(words) => {
                let (program, rest) = words
                    .split_first()
                    .map_or((None, &[][..]), |(p, r)| (Some(p), r));
                let mut command = Command::new(program.map_or_else(OsString::new, Clone::clone));
                // What the user says stands behind that and holds.
                match self.builds_by().filter(|_| !asked.by_environment) {
                    Some(Builds::Maven) => {
                        command.arg(format!("-Dmaven.surefire.debug={option}"));
                        command.arg(format!("-Dmaven.failsafe.debug={option} {INTEGRATION}"));
                    }
                    Some(Builds::Gradle) => {
                        let init = agent.folder.join("init.gradle");
                        std::fs::write(&init, gradle_script(&options, &Asked::default()))?;
                        command.arg("--init-script").arg(init);
                    }
                    None => {
                        let own = std::env::var("JAVA_TOOL_OPTIONS").unwrap_or_default();
                        command.env("JAVA_TOOL_OPTIONS", format!("{own} {option}").trim());
                    }
                }
                command.args(rest);
                command
            }
            Tool::Direct(place) => {
                write_tests(agent.folder, only)?;
                let mut command = direct(place, &options);
                command.arg(agent.folder).args(loaded);
                command
            }
        };
        if !matches!(self, Tool::Direct(_)) {
            command.current_dir(root);
        }
        if let Some(home) = jdk {
            lead(&mut command, home);
        }
        Ok(command)
    }
}

/// What a tool is asked to run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The tests; all if there are none.
    pub only: &'a [Only],
    /// The modules that they lie in, as Maven is told them: only these are built, and what they need. All if there are none.
    pub modules: &'a [String],
    /// The build has a plugin of Maven that runs integration tests, which are to run too.
    pub integration: bool,
    /// Names the runner itself, where the build's own found no test.
    pub forced: bool,
    /// Files of tests that are not compiled, where the tool can leave some out.
    pub left_out: &'a [PathBuf],
    /// What is compiled in their place: a folder of such files, and the root of sources that stands for it.
    pub instead: &'a [(PathBuf, PathBuf)],
    /// The JDK of the build and of its tests, in place of the environment's.
    pub jdk: Option<&'a Path>,
    /// Every JVM of a command is given the agent, though it is a build tool's: that was told, and started none with it.
    pub by_environment: bool,
    /// Where a JVM of our own writes which classes of libraries it loaded, for [`waiting`].
    pub loaded: Option<&'a Path>,
}

/// What a JVM says once it waits.
pub const WAITS: &str = "telltale-ready";

/// The command of a JVM of our own that is to run tests, and is told only later in which folder: by [`tell`], once it said
/// [`WAITS`]. Until then it loads what a list has that another wrote. It ends by itself where nothing is told for five minutes.
pub fn waiting(place: &Place, jar: &Path, is_varied: bool, list: &Path) -> Command {
    let agent = Agent {
        jar,
        folder: Path::new(LATER),
        is_varied,
    };
    let mut command = direct(place, &agent.options());
    command.arg(LATER).arg(list);
    command
}

/// Tells a JVM that waits which tests to run, with the plan in a folder.
///
/// # Errors
/// If it does not wait any more, or the folder cannot be written.
pub fn tell(jvm: &mut Started, folder: &Path, only: &[Only]) -> std::io::Result<()> {
    write_tests(folder, only)?;
    jvm.tell(&folder.display().to_string())
}

fn write_tests(folder: &Path, only: &[Only]) -> std::io::Result<()> {
    std::fs::write(folder.join("tests"), names(only, '\t', "\n"))
}

/// A JVM of our own up to its main class.
fn direct(place: &Place, options: &[String]) -> Command {
    let class_path = std::env::join_paths(&place.class_path);
    let mut command = Command::new(place.java());
    command.args(options).args(QUICK).args(place.options());
    command.arg("-cp").arg(class_path.unwrap_or_default());
    command.arg(MAIN);
    command.current_dir(&place.directory);
    command
}

fn lines(files: &[PathBuf]) -> String {
    let line = |file: &PathBuf| format!("{}\n", file.display());
    files.iter().map(line).collect()
}

/// The agent and the folder of one run.
#[derive(Clone, Copy, Debug)]
pub struct Agent<'a> {
    /// The jar.
    pub jar: &'a Path,
    /// Where its plan is, and where it writes.
    pub folder: &'a Path,
    /// Time zone, locale and identity hash codes are others than this machine's.
    pub is_varied: bool,
}

/// What a test should not hang on. What a build sets itself stands behind that and holds.
const VARIED: [&str; 6] = [
    "-Duser.timezone=Pacific/Chatham",
    "-Duser.language=de",
    "-Duser.country=DE",
    // Identity hash codes made in another way, where this JVM knows how.
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=0",
];

/// Options as one line, as surefire, failsafe and a JVM take them apart: at blanks, but not within quotes.
fn one_line(options: &[String]) -> String {
    let quoted = options.iter().map(|option| {
        match option.contains(char::is_whitespace) || option.contains('\'') {
            true => format!("\"{option}\""),
            false => option.clone(),
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

impl Agent<'_> {
    /// What a JVM is started with. The agent extends the boot class path, and the JVM would warn of that where tests print.
    fn options(&self) -> Vec<String> {
        let (jar, folder) = (self.jar.display(), self.folder.display());
        let mut out = vec![
            format!("-javaagent:{jar}={folder}"),
            "-XX:-PrintWarnings".to_owned(),
        ];
        if self.is_varied {
            out.extend(VARIED.map(str::to_owned));
        }
        out
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

/// A list as Groovy writes it.
fn groovy_list<S: AsRef<str>>(items: impl Iterator<Item = S>) -> String {
    let quoted = |item: S| {
        let escaped = item.as_ref().replace('\\', "\\\\").replace('\'', "\\'");
        format!("'{escaped}'")
    };
    let items: Vec<String> = items.map(quoted).collect();
    format!("[{}]", items.join(", "))
}

/// What every project of a build is told. The tests to run stand in it, and not behind `--tests`: that fails in every module
/// that has none of them, and a command line has an end.
fn gradle_script(options: &[String], asked: &Asked<'_>) -> String {
    let Asked { only, left_out, .. } = *asked;
    let mut out = format!(
        "allprojects {{
    tasks.withType(Test) {{
        jvmArgs({} as String[])
        ignoreFailures = true
        outputs.upToDateWhen {{ false }}
    }}
",
        groovy_list(options.iter())
    );
    if !left_out.is_empty() {
        let files = groovy_list(left_out.iter().map(|f| f.to_string_lossy()));
        out += &format!(
            "    def leftOut = {files} as Set
    tasks.withType(JavaCompile) {{
        exclude {{ leftOut.contains(it.file.canonicalPath) }}
    }}
"
        );
    }
    if !asked.instead.is_empty() {
        let pair = |(folder, roots): &(PathBuf, PathBuf)| {
            groovy_list([folder.to_string_lossy(), roots.to_string_lossy()].iter())
        };
        let pairs: Vec<String> = asked.instead.iter().map(pair).collect();
        out += &format!(
            "    afterEvaluate {{ project ->
        def instead = [{}]
        if (project.plugins.hasPlugin('java')) project.sourceSets.each {{ set ->
            def roots = set.java.srcDirs.collect {{ it.canonicalFile.toPath() }}
            instead.each {{ pair ->
                if (roots.any {{ java.nio.file.Paths.get(pair[0]).startsWith(it) }}) set.java.srcDir(pair[1])
            }}
        }}
    }}
",
            pairs.join(", ")
        );
    }
    if !only.is_empty() {
        let one = |one: &Only| names(std::slice::from_ref(one), '.', "");
        // After what the build says itself, in whose place it stands.
        out += &format!(
            "    afterEvaluate {{
        tasks.withType(Test) {{
            filter.includePatterns = {} as Set
            filter.failOnNoMatchingTests = false
        }}
    }}
",
            groovy_list(only.iter().map(one))
        );
    }
    out + "}\n"
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn arguments(tool: &Tool, only: &[Only]) -> Vec<String> {
        arguments_in(Path::new("run"), tool, only)
    }

    fn arguments_in(folder: &Path, tool: &Tool, only: &[Only]) -> Vec<String> {
        let agent = Agent {
            jar: Path::new("a.jar"),
            folder,
            is_varied: false,
        };
        let asked = Asked {
            only,
            ..Asked::default()
        };
        let command = tool.tests(Path::new("."), &agent, &asked).unwrap();
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
    fn tests_of_the_integration_run_behind_the_package_and_others_as_ever() {
        let only = |class: &str| Only {
            class: class.to_owned(),
            method: None,
        };
        let agent = Agent {
            jar: Path::new("a.jar"),
            folder: Path::new("run"),
            is_varied: false,
        };
        let told = |only: &[Only], integration, forced| -> Vec<String> {
            let asked = Asked {
                only,
                integration,
                forced,
                ..Asked::default()
            };
            let tool = Tool::Maven("mvn".into());
            let command = tool.tests(Path::new("."), &agent, &asked).unwrap();
            let all = command.get_args().map(|a| a.to_string_lossy().into_owned());
            let is_told = |a: &String| {
                ["-Dtest=", "-Dit.test=", "-Dmaven.failsafe.debug="]
                    .iter()
                    .any(|s| a.starts_with(s))
                    || !a.starts_with('-')
            };
            all.filter(is_told).collect()
        };
        let debug = "-Dmaven.failsafe.debug=-javaagent:a.jar=run -XX:-PrintWarnings -Dtelltale.integration=true";
        assert_eq!(told(&[], true, false), [debug, "verify"]);
        assert_eq!(told(&[], false, false), ["test"]);
        let both = [only("a.T"), only("a.BookIT$In")];
        assert_eq!(told(&both[..1], true, false), ["-Dtest=a.T", "test"]);
        let all = ["-Dtest=a.T", "-Dit.test=a.BookIT$In", debug, "verify"];
        assert_eq!(told(&both, true, false), all);
        let one = [
            "-Dit.test=a.BookIT$In",
            debug,
            "-Dtest=telltale.none.NoTest",
            "verify",
        ];
        assert_eq!(told(&both[1..], true, false), one);
        assert_eq!(
            told(&both[1..], false, false),
            ["-Dtest=a.BookIT$In", "test"]
        );
        for (class, is) in [
            ("a.ITBook", true),
            ("a.BookITCase", true),
            ("IT.Book", false),
            ("a.Book$IT", false),
        ] {
            assert_eq!(only(class).is_integration(), is, "{class}");
        }
    }

    #[test]
    fn a_command_of_a_build_tool_gives_the_agent_to_the_jvms_of_tests_alone() {
        let folder = std::env::temp_dir().join(format!("telltale-command-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let agent = Agent {
            jar: Path::new("a.jar"),
            folder: &folder,
            is_varied: false,
        };
        let told = |words: &[&str], by_environment| {
            let tool = Tool::Command(words.iter().map(OsString::from).collect());
            let asked = Asked {
                by_environment,
                ..Asked::default()
            };
            let command = tool.tests(Path::new("."), &agent, &asked).unwrap();
            let is_named = |(name, _): (&std::ffi::OsStr, _)| name == "JAVA_TOOL_OPTIONS";
            let all = command.get_args().map(|a| a.to_string_lossy().into_owned());
            (all.collect::<Vec<_>>(), command.get_envs().any(is_named))
        };
        for program in ["mvn", "./mvnw", "mvnw.cmd", "/opt/maven/bin/mvn"] {
            let (all, of_all) = told(&[program, "-Pslow", "verify"], false);
            assert!(all[0].starts_with("-Dmaven.surefire.debug=-javaagent:a.jar="));
            assert!(all[1].starts_with("-Dmaven.failsafe.debug=-javaagent:a.jar="));
            assert_eq!(
                (&all[2..], of_all),
                (&["-Pslow".into(), "verify".into()][..], false)
            );
        }
        let (all, of_all) = told(&["./gradlew", ":core:test"], false);
        assert_eq!(
            (&*all[0], &*all[2], of_all),
            ("--init-script", ":core:test", false)
        );
        let script = std::fs::read_to_string(&all[1]).unwrap();
        assert!(script.contains("jvmArgs(['-javaagent:a.jar="), "{script}");
        let every = (vec!["test".to_owned()], true);
        assert_eq!(told(&["mvn", "test"], true), every);
        assert_eq!(told(&["./run-mvn", "test"], false), every);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn names_that_are_too_long_for_an_argument_stand_in_a_file() {
        let folder = std::env::temp_dir().join(format!("telltale-names-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let only = |n: usize| Only {
            class: format!("org.example.with.a.long.name.Some{n}Test"),
            method: None,
        };
        let all: Vec<Only> = (0..4000).map(only).collect();
        let told = arguments_in(&folder, &Tool::Maven("mvn".into()), &all);
        let list = std::fs::read_to_string(folder.join("tests")).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(list.lines().count(), 4000);
        assert_eq!(
            list.lines().last(),
            Some("org.example.with.a.long.name.Some3999Test")
        );
        let longest = told.iter().map(String::len).max();
        assert!(longest < Some(1000), "{longest:?}");
        for start in ["-Dmaven.ext.class.path=a.jar", "-Dtelltale.tests="] {
            assert!(
                told.iter().any(|a| a.starts_with(start)),
                "{start}: {told:?}"
            );
        }
    }

    #[test]
    fn what_a_test_should_not_hang_on_is_varied_when_asked() {
        let agent = |is_varied| Agent {
            jar: Path::new("a.jar"),
            folder: Path::new("run"),
            is_varied,
        };
        let zone = |agent: Agent<'_>| {
            let mut options = agent.options().into_iter();
            options.any(|o| o.starts_with("-Duser.timezone="))
        };
        assert_eq!((zone(agent(true)), zone(agent(false))), (true, false));
    }

    #[test]
    fn a_folder_may_have_blanks_in_its_name() {
        let agent = Agent {
            jar: Path::new("/my code/a.jar"),
            folder: Path::new("/my code/run"),
            is_varied: false,
        };
        let said = "\"-javaagent:/my code/a.jar=/my code/run\" -XX:-PrintWarnings";
        assert_eq!(one_line(&agent.options()), said);
        let tool = Tool::Maven("mvn".into());
        let command = tool.tests(Path::new("/my code"), &agent, &Asked::default());
        let command = command.expect("no list is written");
        let debug = format!("-Dmaven.surefire.debug={said}");
        assert!(command.get_args().any(|a| *a == *debug), "{command:?}");
    }

    #[test]
    fn gradle_takes_each_option_of_its_own() {
        let options = ["-javaagent:it's".to_owned(), "-b".to_owned()];
        let script = gradle_script(&options, &Asked::default());
        assert!(
            script.contains(r"jvmArgs(['-javaagent:it\'s', '-b'] as String[])"),
            "{script}"
        );
        assert!(
            !script.contains("exclude") && !script.contains("filter"),
            "{script}"
        );
        let asked = Asked {
            left_out: &["/a/B_ESTest.java".into()],
            instead: &[("/a".into(), "/run/plain/0".into())],
            ..Asked::default()
        };
        let script = gradle_script(&[], &asked);
        for part in [
            "def leftOut = ['/a/B_ESTest.java'] as Set",
            "def instead = [['/a', '/run/plain/0']]",
        ] {
            assert!(script.contains(part), "{script}");
        }
    }

    #[test]
    fn gradle_reads_the_tests_from_its_script() {
        let only = [
            Only {
                class: "a.T$In".to_owned(),
                method: Some("m".to_owned()),
            },
            Only {
                class: "a.U".to_owned(),
                method: None,
            },
        ];
        let asked = Asked {
            modules: &[],
            only: &only,
            ..Asked::default()
        };
        let script = gradle_script(&[], &asked);
        assert!(script.contains("['a.T$In.m', 'a.U'] as Set"), "{script}");
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
