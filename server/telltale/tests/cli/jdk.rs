//! `telltale record --jdk`: what builds, compiles and runs is that JDK's, and what is kept of another's build is not used.

use crate::record::cannot_record;
use crate::support::{Project, Ran, telltale};
use std::path::{Path, PathBuf};

/// The version that a JDK says of itself: `25.0.1`.
fn version(home: &Path) -> Option<String> {
    let release = std::fs::read_to_string(home.join("release")).ok()?;
    let mut lines = release.lines();
    let version = lines.find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(version.trim_matches('"').to_owned())
}

/// A JDK 25, by `JAVA25_HOME` or where Linux distributions put them; none, and said, if there is none.
fn jdk_25() -> Option<(PathBuf, String)> {
    let named = std::env::var_os("JAVA25_HOME").map(PathBuf::from);
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let installed = installed.flatten().map(|entry| entry.path());
    let all = named.into_iter().chain(installed);
    let mut all = all.filter(|home| home.join("bin/javac").is_file());
    let found = all.find_map(|home| {
        let version = version(&home)?;
        version.starts_with("25").then_some((home, version))
    });
    if found.is_none() {
        eprintln!("skipped: no JDK 25");
    }
    found
}

fn recorded(project: &Project, more: &[&str]) -> Ran {
    let test = ["record", "-q", "--format", "json", "--test"];
    let test = [&test[..], &["OrderBookTest#takesTheBestPriceFirst"], more].concat();
    telltale(project.path(), &test)
}

#[test]
fn a_folder_that_is_no_jdk_is_refused_with_what_to_do() {
    let project = Project::of("demo");
    let no_jdk = recorded(&project, &["--jdk", "src"]);
    let place = Path::new("src").join("bin").join("java");
    assert!(!project.path().join(place).exists());
    no_jdk.mistake(&[
        "--jdk: there is no bin/java in ",
        "src",
        "name the folder of a JDK with its compiler",
    ]);
    assert!(!project.path().join(".telltale").exists(), "nothing ran");
    // A place to run Java is not enough.
    let bin = |name: &str| format!("jre/bin/{name}{}", std::env::consts::EXE_SUFFIX);
    project.write(&bin("java"), b"");
    let no_compiler = recorded(&project, &["--jdk", "jre"]);
    no_compiler.mistake(&["--jdk: there is no bin/javac in "]);
    let both = telltale(project.path(), &["record", "--forget", "--jdk", "jre"]);
    both.mistake(&["--jdk"]);
}

#[test]
fn the_jdk_that_is_named_builds_and_runs_and_no_other_does_in_its_place() {
    if cannot_record() {
        return;
    }
    let Some((home, java)) = jdk_25() else {
        return;
    };
    let own = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    if own.is_some_and(|own| version(&own).as_ref() == Some(&java)) {
        eprintln!("skipped: JDK 25 is that of JAVA_HOME");
        return;
    }
    let project = Project::of("demo");
    let home = home.to_str().expect("UTF-8");
    let ran = |more: &[&str]| {
        let answer = recorded(&project, more).json();
        let said = |what: &str| answer["run"][what].as_str().expect("a text").to_owned();
        let notes = answer["notes"].as_array().expect("a list").clone();
        (said("tool"), said("java"), notes)
    };
    let named = ["--jdk", home];
    let by = |tool: &str| (tool.to_owned(), java.clone(), Vec::new());
    assert_eq!(ran(&named), by("Maven"));
    // What the build made with it is its own, and no other's.
    assert_eq!(ran(&named), by("a JVM of our own"));
    let (tool, other, _) = ran(&[]);
    assert_eq!(tool, "Maven");
    assert_ne!(other, java);
    assert_eq!(ran(&[]).0, "a JVM of our own");
    assert_eq!(ran(&named), by("Maven"));
}

/// A build may choose its Java by itself, and then that is said.
#[test]
#[cfg(unix)]
fn a_build_that_takes_another_jdk_is_told_of() {
    if cannot_record() {
        return;
    }
    let (Some((home, java)), Some(own)) = (jdk_25(), std::env::var_os("JAVA_HOME")) else {
        eprintln!("skipped: no JAVA_HOME, or no other JDK");
        return;
    };
    if version(Path::new(&own)).as_ref() == Some(&java) {
        return;
    }
    let project = Project::of("demo");
    let own = own.to_string_lossy();
    let test = "-Dtest=OrderBookTest#takesTheBestPriceFirst";
    let command = format!("export JAVA_HOME='{own}' && mvn -q -B test {test}");
    let home = home.to_str().expect("UTF-8");
    let more = ["--jdk", home, "--", "sh", "-c", &command];
    let answer = recorded(&project, &more).json();
    assert_ne!(answer["run"]["java"], java.as_str());
    let note = answer["notes"][0].as_str().expect("a note");
    assert!(note.contains("not on that of --jdk"), "{note}");
}
