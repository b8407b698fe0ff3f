//! Where and how a build ran its tests, so that a JVM of our own can run them in the same way.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Where and how one JVM of a build ran tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The working directory.
    pub directory: PathBuf,
    /// What tests could load, with the launcher of their framework.
    pub class_path: Vec<PathBuf>,
    /// The folder of the JDK.
    java: PathBuf,
    /// What the JVM was given beside: options of the build, and properties that its runner set.
    options: Vec<String>,
    /// It ran tests of the integration, for which the build may have started more than a JVM.
    is_integration: bool,
}

/// What a JVM told of itself.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Its folder.
    pub java: PathBuf,
    /// The words behind the program, if the system tells them.
    pub arguments: Vec<String>,
    /// Name and text.
    pub properties: Vec<(String, String)>,
}

/// Tells of a JVM that it runs tests of the integration.
pub(crate) const INTEGRATION: &str = "-Dtelltale.integration=true";

/// Options of the launcher whose value is the next word.
const WITH_VALUE: [&str; 13] = [
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--patch-module",
    "--add-modules",
    "--limit-modules",
    "--add-exports",
    "--add-opens",
    "--add-reads",
    "--source",
];

/// Those of them that are passed on. Tests run on the class path, so what places modules is not.
const PASSED_ON: [&str; 4] = [
    "--add-modules",
    "--add-exports",
    "--add-opens",
    "--add-reads",
];

/// Properties that a JVM, or who starts it, sets by itself: where a name ends with a point, all that begin with it.
const OWN: [&str; 25] = [
    "java.",
    "sun.",
    "jdk.",
    "os.",
    "user.",
    "file.",
    "line.",
    "path.",
    "awt.",
    "native.",
    "stdout.",
    "stderr.",
    "stdin.",
    "surefire.",
    "org.gradle.",
    "ftp.",
    "socksNonProxyHosts",
    // What we tell a build.
    "test",
    "telltale.",
    "maven.surefire.",
    "maven.test.",
    "maven.failsafe.",
    "failsafe.",
    "it.test",
    "it.failIfNoSpecifiedTests",
];

/// Those of them that a build sets, if they are set.
const OF_BUILDS: [&str; 6] = [
    "java.awt.headless",
    "java.naming.",
    "java.net.",
    "java.rmi.",
    "java.security.",
    "java.util.logging.",
];

impl Place {
    /// Of what a JVM told of itself what another must be given to do the same.
    pub fn new(directory: PathBuf, class_path: Vec<PathBuf>, told: &Told) -> Place {
        let mut options = Vec::new();
        let mut words = told.arguments.iter();
        while let Some(word) = words.next() {
            if WITH_VALUE.contains(&&**word) {
                let value = words.next();
                if let Some(value) = value.filter(|_| PASSED_ON.contains(&&**word)) {
                    options.extend([word.clone(), value.clone()]);
                }
                continue;
            }
            // The main class, and what it is given.
            if !word.starts_with('-') && !word.starts_with('@') || word == "-jar" {
                break;
            }
            if is_passed_on(word) {
                options.push(word.clone());
            }
        }
        for (name, text) in &told.properties {
            let is_of = |known: &&str| match known.ends_with('.') {
                true => name.starts_with(*known),
                false => name == known,
            };
            let is_own = OWN.iter().any(&is_of) && !OF_BUILDS.iter().any(&is_of);
            let option = format!("-D{name}=");
            let is_given = options.iter().any(|o| o.starts_with(&option));
            if !is_own && !is_given {
                options.push(option + text);
            }
        }
        Place {
            directory,
            class_path,
            java: told.java.clone(),
            options,
            is_integration: told.arguments.iter().any(|word| word == INTEGRATION),
        }
    }

    /// True if it ran tests of the integration, for which the build may have started more than a JVM.
    pub fn is_integration(&self) -> bool {
        self.is_integration
    }

    /// The program that runs Java there: that of the build, if it is still there.
    pub fn java(&self) -> PathBuf {
        let own = crate::jdk::program(&self.java, "java");
        match !self.java.as_os_str().is_empty() && own.is_file() {
            true => own,
            false => crate::jdk::tool("java"),
        }
    }

    /// The folder of the JDK, or of the JRE in it.
    pub fn java_home(&self) -> &Path {
        &self.java
    }

    /// What it is given beside its class path.
    pub fn options(&self) -> &[String] {
        &self.options
    }

    /// True if both are the same JVM to tests, which of several forks it is aside.
    pub fn is_like(&self, other: &Place) -> bool {
        (&self.directory, &self.class_path) == (&other.directory, &other.class_path)
    }

    /// The same with a folder before all others.
    pub fn behind(&self, folder: &Path) -> Place {
        let mut out = self.clone();
        out.class_path.insert(0, folder.to_path_buf());
        out
    }

    /// Of several the one whose working directory is nearest above a file. Of two there, the one whose class path has what the
    /// build compiled, and not what it packed.
    pub fn nearest(all: &[Place], file: &Path) -> Option<usize> {
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let file = real(file);
        let above = |(at, place): (usize, &Place)| {
            let directory = real(&place.directory);
            file.starts_with(&directory)
                .then(|| (directory.components().count(), !place.is_integration, at))
        };
        let nearest = all.iter().enumerate().filter_map(above).max();
        nearest.map(|(_, _, at)| at)
    }
}

/// Not our own agent, what waits for a debugger, what counts coverage for the build, nor a collector: JVMs of our own choose it.
fn is_passed_on(word: &str) -> bool {
    let is_agent = word.starts_with("-javaagent:");
    let is_collector = word.starts_with("-XX:+Use") && word.ends_with("GC");
    !(word.starts_with('@')
        || is_agent && (word.contains("telltale-agent") || word.contains("jacoco"))
        || word.starts_with("-agentlib:jdwp")
        || word.starts_with("-Xrunjdwp")
        || word == "-XX:-PrintWarnings"
        || word == INTEGRATION
        || word.starts_with("--module-path=")
        || word.starts_with("--class-path=")
        || is_collector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_gives_its_jvm_is_given_again_and_nothing_else() {
        let told = Told {
            java: "/jdk".into(),
            arguments: [
                "-javaagent:/x/telltale-agent.jar=/run",
                "-XX:-PrintWarnings",
                "-javaagent:/m2/org.jacoco.agent-0.8.jar=destfile=a.exec",
                "-javaagent:/m2/mockito-core.jar",
                "-Xmx1g",
                "-XX:+UseG1GC",
                "-Dmode=fast",
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "-cp",
                "/other.jar",
                "@/x/words",
                "-jar",
                "/x/booter.jar",
                "-Dnot=ours",
            ]
            .map(str::to_owned)
            .into(),
            properties: [
                ("basedir", "/p"),
                ("java.home", "/jdk"),
                ("java.util.logging.config.file", "l.properties"),
                ("mode", "slow"),
                ("surefire.test.class.path", "a"),
                ("user.timezone", "UTC"),
            ]
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into(),
        };
        let place = Place::new("/p".into(), Vec::new(), &told);
        let given: Vec<_> = place.options.iter().map(String::as_str).collect();
        let expected = [
            "-javaagent:/m2/mockito-core.jar",
            "-Xmx1g",
            "-Dmode=fast",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "-Dbasedir=/p",
            "-Djava.util.logging.config.file=l.properties",
        ];
        assert_eq!(given, expected);
    }
}
