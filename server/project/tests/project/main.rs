//! Projects on disk, small and odd, and what is found in them.
// Tests read what they wrote.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod big;
mod class_paths;
mod classes;
mod config;
mod gradle;
mod hostile;
mod libraries;
mod maven;
mod plain;
mod reading;
mod root;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use project::{Config, Layout, discover, load_config};
use tempfile::TempDir;

/// A folder with the files of a fixture: each starts at a line `//- path`, and an empty `*.java`
/// gets the package that the path behind the last `java/` or `src/` implies.
pub struct Fixture {
    dir: TempDir,
}

impl Fixture {
    pub fn new(files: &str) -> Fixture {
        let fixture = Fixture {
            dir: tempfile::tempdir().unwrap(),
        };
        for part in format!("\n{files}").split("\n//- ").skip(1) {
            let (path, text) = part.split_once('\n').unwrap_or((part, ""));
            fixture.write(path.trim(), text);
        }
        fixture
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let at = self.path(path);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(at, text).unwrap();
    }

    /// Adds Java files of a conventional layout, with their packages.
    pub fn java(self, paths: &[&str]) -> Fixture {
        for path in paths {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let name = name.strip_suffix(".java").unwrap();
            let package = ["java/", "src/", "gen/", "main/", "test/"]
                .iter()
                .filter_map(|root| folder.rfind(root).map(|at| &folder[at + root.len()..]))
                .min_by_key(|package| package.len());
            let text = match package {
                Some(package) if !package.is_empty() => {
                    format!(
                        "package {};\nclass {name} {{}}\n",
                        package.replace('/', ".")
                    )
                }
                _ => format!("class {name} {{}}\n"),
            };
            self.write(path, text);
        }
        self
    }

    pub fn layout(&self) -> Layout {
        discover(self.root(), &Config::default()).unwrap()
    }

    /// What its `telltale.toml` says.
    pub fn config(&self) -> Config {
        load_config(self.root()).unwrap().0
    }

    /// The layout as text: sets with what they see, files, warnings.
    pub fn show(&self) -> String {
        show(&self.layout())
    }
}

pub fn show(layout: &Layout) -> String {
    let mut out = String::new();
    for (index, set) in layout.source_sets.iter().enumerate() {
        let roots: Vec<&str> = set
            .roots
            .iter()
            .map(|root| if root.is_empty() { "." } else { root })
            .collect();
        write!(
            out,
            "{}{}: {}",
            set.name,
            if set.is_test { " (test)" } else { "" },
            roots.join(", ")
        )
        .unwrap();
        let seen: Vec<&str> = set
            .visible
            .iter()
            .map(|other| layout.source_sets[*other].name.as_str())
            .collect();
        if !seen.is_empty() {
            write!(out, " -> {}", seen.join(", ")).unwrap();
        }
        out.push('\n');
        for file in layout.files.iter().filter(|file| file.source_set == index) {
            writeln!(out, "    {}", file.path).unwrap();
        }
    }
    for warning in &layout.warnings {
        let line = warning
            .line
            .map(|line| format!(":{line}"))
            .unwrap_or_default();
        writeln!(out, "! {}{line}: {}", warning.path, warning.message).unwrap();
    }
    out
}

/// Compares with an inline snapshot.
pub fn check(fixture: &Fixture, expected: expect_test::Expect) {
    expected.assert_eq(&fixture.show());
}
