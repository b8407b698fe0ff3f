//! The JDK and the libraries of a subject, for evaluations that compare with what javac or a JVM does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use program::ClassSource;
use project::libraries::{Environment, find};

use crate::Result;

/// The class files of the JDK of that `java`, and of a class path.
pub(super) fn classes(java: &Path, root: &Path, classpath: &str) -> Result<Arc<dyn ClassSource>> {
    let output = Command::new(java)
        .args(["-XshowSettings:properties", "-version"])
        .output()
        .map_err(|error| format!("cannot start {}: {error}", java.display()))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let home = said
        .lines()
        .find_map(|line| line.trim().strip_prefix("java.home = "))
        .ok_or_else(|| format!("{} does not say where it is", java.display()))?;
    let message = |error: project::ProjectError| error.to_string();
    let (mut config, _) = project::load_config(root).map_err(message)?;
    let paths = std::env::split_paths(classpath.trim());
    let paths = paths.filter(|path| !path.as_os_str().is_empty());
    config.java.home = Some(home.to_owned());
    config.java.classpath = Some(paths.map(|path| path.display().to_string()).collect());
    let layout = project::discover(root, &config).map_err(message)?;
    let libraries = find(&layout, &config, &Environment::of_process());
    if libraries.report.jdk.is_none() {
        return Err(format!("no class files of a JDK in {home}"));
    }
    Ok(libraries.classes)
}

/// The `java` of JAVA_HOME, else the one on the path.
pub(super) fn java() -> PathBuf {
    std::env::var_os("JAVA_HOME").map_or_else(
        || PathBuf::from("java"),
        |home| PathBuf::from(home).join("bin").join("java"),
    )
}

/// The test class path of a subject as Maven computes it, kept in the cache; empty where Maven cannot.
pub(super) fn classpath(name: &str, root: &Path) -> Result<String> {
    let cache = root.ancestors().nth(3).unwrap_or(root).join("classpaths");
    let table = root.parent().and_then(Path::file_name).unwrap_or_default();
    let folder = cache.join(table);
    let file = folder.join(format!("{name}.txt"));
    if let Ok(known) = fs::read_to_string(&file) {
        return Ok(known);
    }
    fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    eprintln!("asking Maven for the class path of {name}");
    if !ask_maven(root, &file)? {
        eprintln!("Maven finds no class path of {name}: what needs its libraries is not compared");
        return Ok(String::new());
    }
    fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// The test class path of any Maven project.
pub(super) fn class_path_of(root: &Path) -> Result<String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
    let file = folder.path().join("class-path");
    match ask_maven(root, &file)? {
        true => fs::read_to_string(&file).map_err(|error| error.to_string()),
        false => Err(format!("Maven finds no class path of {}", root.display())),
    }
}

/// True if Maven wrote the test class path of a project.
fn ask_maven(root: &Path, file: &Path) -> Result<bool> {
    let maven = if cfg!(windows) { "mvn.cmd" } else { "mvn" };
    let status = Command::new(maven)
        .args(["-B", "-q", "-Dstyle.color=never", "-f"])
        .arg(root.join("pom.xml"))
        .arg("org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath")
        .arg("-Dmdep.includeScope=test")
        .arg(format!("-Dmdep.outputFile={}", file.display()))
        .output()
        .map_err(|error| format!("cannot start Maven ({maven}): {error}"))?;
    Ok(status.status.success() && file.is_file())
}
