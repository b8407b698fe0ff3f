//! The rows: which framework, which build, which Java; what the project looks like, and how it is run.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::ended;
use crate::Result;
use crate::evaluate::build::sources;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Framework {
    Three,
    Four,
    Five,
    TestNg,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Build {
    /// Maven's folders, compiled by javac: main, then tests that see it.
    Maven,
    /// Gradle itself, with a source set of its own for the tests.
    Gradle,
    /// Gradle's source sets, compiled by javac.
    GradleSets,
    /// A module of the platform, with its tests patched in.
    Module,
}

pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) framework: Framework,
    pub(super) build: Build,
    /// As `--release` has it.
    level: u32,
    /// How lines end.
    end: &'static str,
}

const fn row(
    name: &'static str,
    framework: Framework,
    build: Build,
    level: u32,
    end: &'static str,
) -> Row {
    Row {
        name,
        framework,
        build,
        level,
        end,
    }
}

pub(super) const ROWS: &[Row] = &[
    row("JUnit 3, Java 8", Framework::Three, Build::Maven, 8, "\n"),
    row("JUnit 4, Java 8", Framework::Four, Build::Maven, 8, "\n"),
    row("JUnit 5, Java 8", Framework::Five, Build::Maven, 8, "\n"),
    row("TestNG, Java 8", Framework::TestNg, Build::Maven, 8, "\n"),
    row("JUnit 5, Java 17", Framework::Five, Build::Maven, 17, "\n"),
    row("JUnit 5, Java 21", Framework::Five, Build::Maven, 21, "\n"),
    row("JUnit 5, Java 25", Framework::Five, Build::Maven, 25, "\n"),
    row("TestNG, Java 21", Framework::TestNg, Build::Maven, 21, "\n"),
    row("JUnit 5, CRLF", Framework::Five, Build::Maven, 17, "\r\n"),
    row(
        "JUnit 4, a module",
        Framework::Four,
        Build::Module,
        17,
        "\n",
    ),
    row(
        "JUnit 4, Gradle's source sets",
        Framework::Four,
        Build::GradleSets,
        17,
        "\n",
    ),
    row(
        "JUnit 4, Gradle itself",
        Framework::Four,
        Build::Gradle,
        8,
        "\n",
    ),
];

const CODE: &str = "package own;

public class Stats {
    public int compare(int[] list) {
        int neg = 0;
        for (int x : list) {
            if (x < 0) neg++;
        }
        return neg > 1 ? -1 : 1;
    }
}
";

/// With what Java 21 has and Java 8 has not, around the variable.
const NEWER: &str = "package own;

public class Stats {
    sealed interface Sign permits Neg, Pos {}
    record Neg(int by) implements Sign {}
    record Pos() implements Sign {}

    public int compare(int[] list) {
        var neg = 0;
        for (var x : list) {
            Sign sign = x < 0 ? new Neg(1) : new Pos();
            switch (sign) {
                case Neg(int by) -> neg += by;
                case Pos pos -> {}
            }
        }
        return neg > 1 ? -1 : 1;
    }
}
";

const BODY: &str = " {
        int compared = new Stats().compare(new int[] {-1, 2, -3});
        if (compared != -1) throw new AssertionError();
    }
}
";

impl Row {
    /// The project's files, by path.
    pub(super) fn files(&self, jars: &[PathBuf]) -> Vec<(String, String)> {
        let code = match self.level {
            21.. => NEWER,
            _ => CODE,
        };
        let head = match self.framework {
            Framework::Three => {
                "package own;\n\nimport junit.framework.TestCase;\n\npublic class StatsTest extends TestCase {\n    public void testMixedSigns()"
            }
            Framework::Four => {
                "package own;\n\nimport org.junit.Test;\n\npublic class StatsTest {\n    @Test\n    public void mixedSigns()"
            }
            Framework::Five => {
                "package own;\n\nimport org.junit.jupiter.api.Test;\n\nclass StatsTest {\n    @Test\n    void mixedSigns()"
            }
            Framework::TestNg => {
                "package own;\n\nimport org.testng.annotations.Test;\n\npublic class StatsTest {\n    @Test\n    public void mixedSigns()"
            }
        };
        let test = format!("{head}{BODY}");
        let mut out = vec![
            (
                format!("{}/own/Stats.java", self.code_folder()),
                code.to_owned(),
            ),
            (format!("{}/own/StatsTest.java", self.test_folder()), test),
        ];
        match self.build {
            Build::Maven => out.push(("pom.xml".to_owned(), "<project></project>\n".to_owned())),
            Build::Module => {
                out.push(("pom.xml".to_owned(), "<project></project>\n".to_owned()));
                let module = format!("{}/module-info.java", self.code_folder());
                out.push((
                    module,
                    "module own.stats {\n    exports own;\n}\n".to_owned(),
                ));
            }
            Build::Gradle | Build::GradleSets => {
                let jars: Vec<String> = jars.iter().map(|j| format!("'{}'", j.display())).collect();
                let script = format!(
                    "apply plugin: 'java'\nsourceCompatibility = '1.8'\ntargetCompatibility = '1.8'\nsourceSets {{\n    checks {{\n        java {{ srcDir 'checks' }}\n        compileClasspath += sourceSets.main.output\n        runtimeClasspath += sourceSets.main.output\n    }}\n    main {{ java {{ srcDirs = ['code'] }} }}\n}}\ndependencies {{ checksCompile files({jars}) }}\ntask checks(type: Test) {{\n    testClassesDirs = sourceSets.checks.output.classesDirs\n    classpath = sourceSets.checks.runtimeClasspath\n    outputs.upToDateWhen {{ false }}\n    testLogging {{ exceptionFormat = 'full' }}\n}}\n",
                    jars = jars.join(", "),
                );
                out.push(("build.gradle".to_owned(), script));
                out.push((
                    "settings.gradle".to_owned(),
                    "rootProject.name = 'stats'\n".to_owned(),
                ));
            }
        }
        for (_, text) in &mut out {
            *text = text.replace('\n', self.end);
        }
        out
    }

    pub(super) fn code_folder(&self) -> &'static str {
        match self.build {
            Build::Maven | Build::Module => "src/main/java",
            Build::Gradle | Build::GradleSets => "code",
        }
    }

    fn test_folder(&self) -> &'static str {
        match self.build {
            Build::Maven | Build::Module => "src/test/java",
            Build::Gradle | Build::GradleSets => "checks",
        }
    }

    /// The newest JDK that knows its level, but Gradle's, which knows none behind 17; none if there is none.
    pub(super) fn jdk(&self) -> Option<PathBuf> {
        let installed = std::fs::read_dir("/usr/lib/jvm")
            .into_iter()
            .flatten()
            .flatten();
        let homes = installed
            .map(|entry| entry.path())
            .chain(std::env::var_os("JAVA_HOME").into_iter().map(PathBuf::from));
        let version = |home: &PathBuf| {
            let text = std::fs::read_to_string(home.join("release")).ok()?;
            let line = text
                .lines()
                .find_map(|l| l.strip_prefix("JAVA_VERSION=\""))?;
            line.split(['.', '"', '-']).next()?.parse::<u32>().ok()
        };
        let fits = |home: &PathBuf| {
            let newest = if self.build == Build::Gradle {
                17
            } else {
                u32::MAX
            };
            version(home).is_some_and(|v| v >= self.level && v <= newest)
        };
        let homes = homes.filter(|home| home.join("bin/javac").exists() && fits(home));
        homes.max_by_key(|home| version(home))
    }

    /// Compiles and runs the test: if it passed, and what was said; none if the build tool is not there.
    pub(super) fn run(
        &self,
        root: &Path,
        jdk: &Path,
        jars: &[PathBuf],
    ) -> Result<Option<(bool, String)>> {
        if self.build == Build::Gradle {
            return gradle(root, jdk);
        }
        let (main, test) = (root.join("out/main"), root.join("out/test"));
        let path = |parts: &[&PathBuf]| {
            let all = parts.iter().copied().chain(jars);
            std::env::join_paths(all).map_err(|e| e.to_string())
        };
        let level = self.level.to_string();
        let javac = |to: &Path| {
            let mut javac = Command::new(jdk.join("bin/javac"));
            javac
                .args(["-Xlint:-options", "--release", &level, "-proc:none", "-d"])
                .arg(to);
            javac
        };
        let mut of_main = javac(&main);
        of_main.args(sources(&root.join(self.code_folder()))?);
        let is_module = self.build == Build::Module;
        if is_module {
            of_main.arg(root.join(self.code_folder()).join("module-info.java"));
        }
        let mut of_test = javac(&test);
        let mut java = Command::new(jdk.join("bin/java"));
        if is_module {
            let tests = test.display().to_string();
            let folder = root.join(self.test_folder()).display().to_string();
            of_test.arg("--module-path").arg(&main);
            of_test.args([
                "--add-modules",
                "own.stats",
                "--add-reads",
                "own.stats=ALL-UNNAMED",
            ]);
            of_test.args(["--patch-module".to_owned(), format!("own.stats={folder}")]);
            of_test.arg("-cp").arg(path(&[])?);
            java.arg("--module-path").arg(&main);
            java.args([
                "--add-modules",
                "own.stats",
                "--add-reads",
                "own.stats=ALL-UNNAMED",
            ]);
            java.args(["--add-opens", "own.stats/own=ALL-UNNAMED"]);
            java.args(["--patch-module".to_owned(), format!("own.stats={tests}")]);
            java.arg("-cp").arg(path(&[])?);
        } else {
            of_test.arg("-cp").arg(path(&[&main])?);
            java.arg("-cp").arg(path(&[&test, &main])?);
        }
        of_test.args(sources(&root.join(self.test_folder()))?);
        for javac in [&mut of_main, &mut of_test] {
            let (done, said) = ended(javac)?;
            if !done {
                return Err(format!("does not compile: {said}"));
            }
        }
        java.args(match self.framework {
            Framework::Three => vec!["junit.textui.TestRunner", "own.StatsTest"],
            Framework::Four => vec!["org.junit.runner.JUnitCore", "own.StatsTest"],
            Framework::Five => vec![
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--select-class",
                "own.StatsTest",
            ],
            Framework::TestNg => vec![
                "org.testng.TestNG",
                "-verbose",
                "2",
                "-testclass",
                "own.StatsTest",
            ],
        });
        java.current_dir(root);
        ended(&mut java).map(Some)
    }
}

fn gradle(root: &Path, jdk: &Path) -> Result<Option<(bool, String)>> {
    let mut gradle = Command::new("gradle");
    gradle.args(["--offline", "--no-daemon", "--console=plain", "checks"]);
    gradle.env("JAVA_HOME", jdk).current_dir(root);
    gradle.env("GRADLE_USER_HOME", root.join(".gradle-home"));
    match gradle.output() {
        Err(_) => Ok(None),
        Ok(output) => {
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said).into_owned();
            Ok(Some((output.status.success(), said)))
        }
    }
}
