//! Which JDK: `java.home` of `telltale.toml`, `JAVA_HOME`, the `java` on the PATH, then the places where installers
//! put JDKs. No command is run; the version is read from the `release` file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Environment;
use super::classpath::Platform;
use super::image::Image;
use super::jar::Jar;
use super::version::feature_release;
use crate::Config;
use crate::read::read_build_file;

/// A JDK, or a JRE, whose library is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its folder.
    pub home: PathBuf,
    /// As in its `release` file: `17.0.15`.
    pub version: Option<String>,
    /// The feature release: 8, 17, 25.
    pub release: u16,
    /// How it was found.
    pub from: JdkFrom,
    /// What is read of it.
    pub library: JdkLibrary,
}

/// How a JDK was found, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JdkFrom {
    /// `java.home` of the configuration.
    Configuration,
    /// The environment variable `JAVA_HOME`.
    JavaHome,
    /// The `java` on the PATH.
    Path,
    /// A folder into which JDKs are installed; the newest one of them.
    KnownPlace,
}

/// Which file of a JDK has its library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JdkLibrary {
    /// `lib/modules`.
    Image,
    /// `rt.jar` and its companions.
    Jars,
    /// `lib/ct.sym`.
    Symbols,
}

/// The first JDK that can be read, with its library, and those before it that cannot.
pub(super) fn find(
    root: &Path,
    config: &Config,
    environment: &Environment,
) -> (Option<(Jdk, PathBuf, Platform)>, Vec<PassedOver>) {
    let mut passed_over = Vec::new();
    let mut first: Vec<(JdkFrom, PathBuf)> = Vec::new();
    // Clients that send every key send an empty one for what is not set.
    if let Some(home) = config.java.home.as_ref().filter(|home| !home.is_empty()) {
        let home = environment.expand_home(home);
        first.push((JdkFrom::Configuration, root.join(home)));
    }
    first.extend(
        environment
            .java_home
            .iter()
            .map(|home| (JdkFrom::JavaHome, home.clone())),
    );
    for (from, home) in first {
        match open(&home, from) {
            Ok(found) => return (Some(found), passed_over),
            Err(e) => passed_over.push(PassedOver::new(from.name(), &home, &e)),
        }
    }
    // A stub on the PATH, as macOS has one, is no JDK and nothing to speak of.
    if let Some(home) = on_path(environment)
        && let Ok(found) = open(&home, JdkFrom::Path)
    {
        return (Some(found), passed_over);
    }
    for home in known_places(environment) {
        match open(&home, JdkFrom::KnownPlace) {
            Ok(found) => return (Some(found), passed_over),
            Err(e) => passed_over.push(PassedOver::new(JdkFrom::KnownPlace.name(), &home, &e)),
        }
    }
    (None, passed_over)
}

impl JdkFrom {
    /// In words: `JAVA_HOME`.
    pub fn name(self) -> &'static str {
        match self {
            JdkFrom::Configuration => "java.home in telltale.toml",
            JdkFrom::JavaHome => "JAVA_HOME",
            JdkFrom::Path => "java on the PATH",
            JdkFrom::KnownPlace => "a known place",
        }
    }
}

/// The home of the first `java` on the PATH that is no mere stub.
fn on_path(environment: &Environment) -> Option<PathBuf> {
    let name = if cfg!(windows) { "java.exe" } else { "java" };
    environment.path.iter().find_map(|folder| {
        let java = dunce::canonicalize(folder.join(name)).ok()?;
        let home = java.parent()?.parent()?;
        library(home).map(|_| home.to_path_buf())
    })
}

/// Every JDK in the places where installers put them, newest first, then by path.
fn known_places(environment: &Environment) -> Vec<PathBuf> {
    let mut found: Vec<(u16, PathBuf)> = Vec::new();
    for place in &environment.jdk_places {
        let Ok(listing) = fs::read_dir(place) else {
            continue;
        };
        for entry in listing.flatten() {
            // On macOS a JDK is a bundle.
            for home in [entry.path().join("Contents/Home"), entry.path()] {
                let Ok(home) = dunce::canonicalize(home) else {
                    continue;
                };
                if library(&home).is_some() {
                    found.push((version(&home).1, home));
                    break;
                }
            }
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.dedup();
    found.into_iter().map(|(_, home)| home).collect()
}

/// The file with the library, if `home` is that of a JDK or a JRE.
fn library(home: &Path) -> Option<(JdkLibrary, PathBuf)> {
    [
        (JdkLibrary::Image, "lib/modules"),
        (JdkLibrary::Jars, "jre/lib/rt.jar"),
        (JdkLibrary::Jars, "lib/rt.jar"),
        (JdkLibrary::Symbols, "lib/ct.sym"),
    ]
    .into_iter()
    .map(|(library, file)| (library, home.join(file)))
    .find(|(_, file)| file.is_file())
}

fn open(home: &Path, from: JdkFrom) -> io::Result<(Jdk, PathBuf, Platform)> {
    let Some((library, file)) = library(home) else {
        let message = if home.is_dir() {
            "no JDK: neither lib/modules nor rt.jar nor lib/ct.sym is in it"
        } else {
            "there is no such folder"
        };
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    };
    let (version, mut release) = version(home);
    let platform = match library {
        JdkLibrary::Image => Platform::Image(Image::open(&file)?),
        JdkLibrary::Jars => Platform::Jars(companions(&file, release)?),
        JdkLibrary::Symbols => {
            let newest = if release == 0 { u16::MAX } else { release };
            let (jar, taken) = Jar::open_symbols(&file, newest)?;
            release = taken;
            Platform::Symbols(jar)
        }
    };
    // An image without a `release` file is of some release since 9; then jars give what they have for all of them.
    let jdk = Jdk {
        home: home.to_path_buf(),
        version,
        release: match (library, release) {
            (JdkLibrary::Jars, 0) => 8,
            (_, 0) => 9,
            (_, release) => release,
        },
        from,
        library,
    };
    Ok((jdk, file, platform))
}

/// `rt.jar` and the jars beside it that have classes of the platform, too.
fn companions(runtime: &Path, release: u16) -> io::Result<Vec<PathBuf>> {
    Jar::open(runtime, release)?;
    let lib = runtime.parent().unwrap_or(Path::new(""));
    let beside = ["jce.jar", "jsse.jar", "charsets.jar", "jfr.jar"];
    let mut jars = vec![runtime.to_path_buf()];
    jars.extend(beside.map(|name| lib.join(name)));
    if let Ok(listing) = fs::read_dir(lib.join("ext")) {
        let mut extensions: Vec<PathBuf> = listing.flatten().map(|entry| entry.path()).collect();
        extensions.retain(|path| path.extension().is_some_and(|e| e == "jar"));
        extensions.sort();
        jars.extend(extensions);
    }
    jars.retain(|jar| jar.is_file());
    Ok(jars)
}

/// The version in the `release` file, and the feature release; 0 if it is not known.
fn version(home: &Path) -> (Option<String>, u16) {
    let text = read_build_file(&home.join("release")).unwrap_or_default();
    let value = text
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION="))
        .map(|value| value.trim().trim_matches('"').to_owned());
    let release = value.as_deref().map_or(0, feature_release);
    (value, release)
}

/// A JDK that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOver {
    /// What points to it: `JAVA_HOME`.
    pub what: String,
    /// Its folder.
    pub path: PathBuf,
    /// Why, a sentence without a full stop.
    pub reason: String,
}

impl PassedOver {
    pub(super) fn new(what: &str, path: &Path, reason: &dyn std::fmt::Display) -> PassedOver {
        PassedOver {
            what: what.to_owned(),
            path: path.to_path_buf(),
            reason: reason.to_string(),
        }
    }
}
