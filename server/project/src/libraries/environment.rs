//! What is outside of the project and matters to its libraries: variables, the home folder, known places.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// The user's machine, as far as finding libraries looks at it. Given to [`super::find`], so that its answer depends
/// on its arguments and on files alone.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// `JAVA_HOME`.
    pub java_home: Option<PathBuf>,
    /// The folders of `PATH`.
    pub path: Vec<PathBuf>,
    /// Folders in which each folder may be a JDK.
    pub jdk_places: Vec<PathBuf>,
    /// `GRADLE_USER_HOME`.
    pub gradle_home: Option<PathBuf>,
    /// `M2_HOME` or `MAVEN_HOME`: the folder of Maven, whose settings come after the user's.
    pub maven_home: Option<PathBuf>,
    /// The other variables that build files name: `env.X` in poms and settings.
    pub variables: Vec<(String, String)>,
}

/// Without the values of variables: they may be secrets.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment")
            .field("home", &self.home)
            .field("java_home", &self.java_home)
            .field("path", &self.path)
            .field("jdk_places", &self.jdk_places)
            .field("variables", &self.variables.len())
            .finish_non_exhaustive()
    }
}

impl Environment {
    /// That of this process.
    pub fn of_process() -> Environment {
        Environment::from_variables(env::vars_os())
    }

    /// That which these variables describe.
    fn from_variables(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Environment {
        let all: Vec<(OsString, OsString)> = variables.into_iter().collect();
        let get = |name: &str| {
            // Windows writes `Path`.
            let is_named =
                |key: &OsString| key == name || cfg!(windows) && key.eq_ignore_ascii_case(name);
            let found = all.iter().find(|(key, _)| is_named(key));
            found
                .map(|(_, value)| value.clone())
                .filter(|value| !value.is_empty())
        };
        let folder = |name: &str| get(name).map(PathBuf::from);
        let home = folder(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
        let mut jdk_places: Vec<PathBuf> = Vec::new();
        if let Some(home) = &home {
            for place in [
                ".sdkman/candidates/java",
                ".jdks",
                ".jabba/jdk",
                ".asdf/installs/java",
                ".local/share/mise/installs/java",
                ".gradle/jdks",
                "Library/Java/JavaVirtualMachines",
            ] {
                jdk_places.push(home.join(place));
            }
        }
        let system: &[&str] = if cfg!(windows) {
            &[
                r"C:\Program Files\Java",
                r"C:\Program Files\Eclipse Adoptium",
                r"C:\Program Files\Microsoft",
                r"C:\Program Files\Zulu",
                r"C:\Program Files\Amazon Corretto",
                r"C:\Program Files\BellSoft",
            ]
        } else if cfg!(target_os = "macos") {
            &[
                "/Library/Java/JavaVirtualMachines",
                "/opt/homebrew/opt",
                "/usr/local/opt",
            ]
        } else {
            &[
                "/usr/lib/jvm",
                "/usr/lib64/jvm",
                "/usr/java",
                "/opt/java",
                "/opt/jdk",
            ]
        };
        jdk_places.extend(system.iter().map(PathBuf::from));
        Environment {
            java_home: folder("JAVA_HOME"),
            path: get("PATH").map_or(Vec::new(), |path| env::split_paths(&path).collect()),
            jdk_places,
            gradle_home: folder("GRADLE_USER_HOME"),
            maven_home: folder("M2_HOME").or_else(|| folder("MAVEN_HOME")),
            variables: all
                .iter()
                .filter_map(|(key, value)| Some((key.to_str()?.into(), value.to_str()?.into())))
                .collect(),
            home,
        }
    }

    /// `path` with a leading `~/` replaced.
    pub(super) fn expand_home(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(path),
        }
    }

    /// The value of an environment variable.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        let found = self.variables.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The folder of Gradle's files: `~/.gradle` unless said otherwise.
    pub(super) fn gradle(&self) -> Option<PathBuf> {
        let default = || Some(self.home.as_deref()?.join(".gradle"));
        self.gradle_home.clone().or_else(default)
    }

    /// A path below the home folder.
    pub(super) fn below_home(&self, path: &str) -> Option<PathBuf> {
        self.home.as_deref().map(|home: &Path| home.join(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_variables_and_without_their_values() {
        let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        let pairs = [
            (home, "/h"),
            ("JAVA_HOME", ""),
            ("PATH", "/a"),
            ("TOKEN", "hush"),
        ];
        let environment = Environment::from_variables(pairs.map(|(k, v)| (k.into(), v.into())));
        assert_eq!(environment.java_home, None);
        assert_eq!(environment.path, [PathBuf::from("/a")]);
        assert_eq!(environment.expand_home("~/x"), Path::new("/h").join("x"));
        assert_eq!(environment.expand_home("~other/x"), Path::new("~other/x"));
        assert_eq!(environment.variable("TOKEN"), Some("hush"));
        assert!(!format!("{environment:?}").contains("hush"));
    }
}
