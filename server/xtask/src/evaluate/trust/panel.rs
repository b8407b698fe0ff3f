//! `tests/panel.toml`: the projects of the panel, and where their clones lie. A folder of clones with a `panel.toml` of its own is
//! another panel.
//!
//! A clone is `DIR/NAME`. Beside it may lie `DIR/NAME.classpath`: one line, the jars and class folders that its tests need
//! (with the project's own compiled classes), as `javac -cp` takes them. Without it nothing is compiled.

use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Table as Row};

use crate::Result;

/// One project of the panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Project {
    pub(super) name: String,
    /// `owner/name` at the forge.
    pub(super) repository: String,
    /// Forty hexadecimal digits.
    pub(super) commit: String,
    pub(super) kind: Kind,
    /// The folder of the clone that is read; the clone itself if empty.
    pub(super) folder: String,
    /// Its tests are run to see which lines they run.
    pub(super) runs: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Application,
    Library,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Application => "application",
            Kind::Library => "library",
        }
    }
}

/// A project of which a clone lies there.
pub(super) struct Clone {
    pub(super) project: Project,
    pub(super) folder: PathBuf,
    pub(super) class_path: Option<String>,
    /// Where it is written which lines its tests run.
    pub(super) ran: PathBuf,
}

/// The projects of the panel that lie in `directory`, in the table's order; those named if any are.
pub(super) fn clones(directory: &Path, names: &[String]) -> Result<Vec<Clone>> {
    let own = directory.join("panel.toml");
    let path = if own.is_file() {
        own
    } else {
        crate::root().join("tests/panel.toml")
    };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let all = parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    if let Some(unknown) = names.iter().find(|n| !all.iter().any(|p| p.name == **n)) {
        let all: Vec<&str> = all.iter().map(|p| p.name.as_str()).collect();
        return Err(format!(
            "no project {unknown}; there are {}",
            all.join(", ")
        ));
    }
    let mut out = Vec::new();
    for project in all {
        if !names.is_empty() && !names.contains(&project.name) {
            continue;
        }
        let folder = directory.join(&project.name).join(&project.folder);
        if !folder.is_dir() {
            eprintln!(
                "no {}: clone {} at {} there",
                folder.display(),
                project.repository,
                project.commit
            );
            continue;
        }
        let class_path = directory.join(format!("{}.classpath", project.name));
        out.push(Clone {
            class_path: std::fs::read_to_string(class_path)
                .ok()
                .map(|text| text.trim().to_owned()),
            ran: directory.join(format!("{}.ran", project.name)),
            project,
            folder,
        });
    }
    match out.is_empty() {
        true => Err(format!(
            "no project of the panel in {}",
            directory.display()
        )),
        false => Ok(out),
    }
}

fn parse(text: &str) -> Result<Vec<Project>> {
    let document: DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
    let rows = document
        .get("project")
        .and_then(|item| item.as_array_of_tables())
        .ok_or("no [[project]]")?;
    let projects = rows.iter().map(project).collect::<Result<Vec<_>>>()?;
    for (at, one) in projects.iter().enumerate() {
        if projects[..at].iter().any(|other| other.name == one.name) {
            return Err(format!("{} stands there twice", one.name));
        }
    }
    Ok(projects)
}

fn project(row: &Row) -> Result<Project> {
    let text = |key: &str| row.get(key).and_then(|item| item.as_str());
    let name = text("name").ok_or("a project has no name")?.to_owned();
    let required = |key: &str| text(key).ok_or_else(|| format!("{name} has no {key}"));
    let commit = required("commit")?.to_owned();
    if commit.len() != 40 || !commit.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(format!("the commit of {name} has not forty digits"));
    }
    let known = ["name", "repository", "commit", "kind", "folder", "runs"];
    if let Some((key, _)) = row.iter().find(|(key, _)| !known.contains(key)) {
        return Err(format!("{name} has an unknown key {key}"));
    }
    Ok(Project {
        repository: required("repository")?.to_owned(),
        kind: match required("kind")? {
            "application" => Kind::Application,
            "library" => Kind::Library,
            other => {
                return Err(format!(
                    "{name} is neither application nor library: {other}"
                ));
            }
        },
        folder: text("folder").unwrap_or_default().to_owned(),
        runs: row
            .get("runs")
            .and_then(|item| item.as_bool())
            .unwrap_or(false),
        commit,
        name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_twelve_projects_half_of_them_applications_none_from_commons() {
        let path = crate::root().join("tests/panel.toml");
        let all = parse(&std::fs::read_to_string(path).expect("the table")).expect("its rows");
        let applications = all.iter().filter(|p| p.kind == Kind::Application).count();
        assert!(all.len() >= 12, "{}", all.len());
        assert!(
            applications * 2 >= all.len(),
            "{applications} of {}",
            all.len()
        );
        assert!(all.iter().all(|p| !p.repository.contains("commons")));
    }

    #[test]
    fn a_row_that_says_too_little_is_refused() {
        let row = |commit: &str, kind: &str| {
            format!(
                "[[project]]\nname = \"a\"\nrepository = \"b/a\"\ncommit = \"{commit}\"\nkind = \"{kind}\"\n"
            )
        };
        let digits = "0".repeat(40);
        assert!(parse(&row(&digits, "library")).is_ok());
        assert!(parse(&row("main", "library")).is_err());
        assert!(parse(&row(&digits, "tool")).is_err());
        let twice = row(&digits, "library").repeat(2);
        assert!(parse(&twice).is_err());
    }
}
