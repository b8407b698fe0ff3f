//! Files of builds, and the project's own settings.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use project::libraries::{Environment, find};
use project::{Config, Layout, discover, parse_config};

/// A folder for the files of one input, the same for all inputs of a run.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn get() -> &'static Scratch {
        static SCRATCH: OnceLock<Scratch> = OnceLock::new();
        SCRATCH.get_or_init(|| {
            let folder = std::env::temp_dir().join(format!("telltale-fuzz-{}", std::process::id()));
            std::fs::create_dir_all(&folder).expect("a folder for temporary files");
            Scratch(folder)
        })
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.0.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        std::fs::write(path, bytes).expect("a file");
    }

    fn remove(&self, path: &str) {
        let _ = std::fs::remove_file(self.0.join(path));
    }

    pub fn layout(&self, config: &Config) -> Layout {
        discover(&self.0, config).expect("the folder is there")
    }
}

/// What nothing may print: the value of a variable.
const SECRET: &str = "s3cr3t-value-of-a-variable";

/// The parts of the input, apart by lines of dashes, become `files`; then the project in them is read.
fn project(data: &[u8], files: &[&str]) {
    let scratch = Scratch::get();
    let text = super::text(data);
    let mut parts = text.split("\n----\n");
    for path in files {
        match parts.next() {
            Some(part) => scratch.write(path, part.as_bytes()),
            None => scratch.remove(path),
        }
    }
    let config = Config::default();
    let layout = scratch.layout(&config);
    let environment = Environment {
        home: Some(scratch.0.join("home")),
        variables: vec![("SECRET".to_owned(), SECRET.to_owned())],
        ..Environment::default()
    };
    let found = find(&layout, &config, &environment);
    let told = format!("{:?} {:?}", found.report, layout);
    assert!(!told.contains(SECRET), "the value of a variable is told");
    for entry in &found.report.entries {
        assert!(
            !is_remote(&entry.path),
            "{} lies on another machine",
            entry.path.display()
        );
    }
}

fn is_remote(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.starts_with("//") || text.starts_with("\\\\")
}

/// Poms of the workspace and of the local repository, with Maven's options and settings and an Eclipse project.
pub fn maven(data: &[u8]) {
    let scratch = Scratch::get();
    scratch.write("src/main/java/A.java", b"class A {}");
    project(
        data,
        &[
            "pom.xml",
            "m/pom.xml",
            "home/.m2/repository/g/a/1/a-1.pom",
            "home/.m2/repository/g/b/1/b-1.pom",
            ".mvn/maven.config",
            "home/.m2/settings.xml",
            "e/.classpath",
        ],
    );
}

/// Scripts, settings, properties, the catalog and a lock file of a Gradle build.
pub fn gradle(data: &[u8]) {
    let scratch = Scratch::get();
    scratch.write("m/src/main/java/A.java", b"class A {}");
    project(
        data,
        &[
            "settings.gradle",
            "build.gradle",
            "m/build.gradle.kts",
            "gradle.properties",
            "gradle/libs.versions.toml",
            "gradle.lockfile",
        ],
    );
}

/// `telltale.toml`.
pub fn settings(data: &[u8]) {
    let (config, problems) = parse_config(&super::text(data));
    let _ = format!("{config:?} {problems:?}");
}
