//! `tests/subjects.toml`: which projects, which versions, which checksums.

use std::path::Path;

use toml_edit::{DocumentMut, Table as Row};

use crate::Result;
use crate::maven::Artifact;

/// All subjects, in the file's order.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) subjects: Vec<Subject>,
}

/// One project at one version. Checksums are SHA-256 in lower-case hexadecimal digits.
#[derive(Debug)]
pub(super) struct Subject {
    /// The Maven artifact, and the folder's name.
    pub(super) name: String,
    pub(super) group: String,
    pub(super) version: String,
    pub(super) pom: String,
    pub(super) sources: String,
    pub(super) test_sources: Option<String>,
    /// Files to leave out, relative to the project's root.
    pub(super) omit: Vec<String>,
}

const KEYS: [&str; 7] = [
    "name",
    "group",
    "version",
    "pom",
    "sources",
    "test-sources",
    "omit",
];

impl Table {
    pub(super) fn read(path: &Path) -> Result<Table> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Table::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    pub(super) fn parse(text: &str) -> Result<Table> {
        let document: DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
        let rows = document
            .get("subject")
            .and_then(|item| item.as_array_of_tables())
            .ok_or("no [[subject]]")?;
        let subjects = rows.iter().map(subject).collect::<Result<Vec<_>>>()?;
        for (index, subject) in subjects.iter().enumerate() {
            if subjects[..index].iter().any(|it| it.name == subject.name) {
                return Err(format!("{} stands there twice", subject.name));
            }
        }
        Ok(Table { subjects })
    }

    /// The named subjects in the order of the table; all if no name is given.
    pub(super) fn select(&self, names: &[String]) -> Result<Vec<&Subject>> {
        let known = |name: &&String| self.subjects.iter().any(|subject| subject.name == **name);
        if let Some(unknown) = names.iter().find(|name| !known(name)) {
            let all: Vec<&str> = self.subjects.iter().map(|it| it.name.as_str()).collect();
            return Err(format!(
                "no subject {unknown}; there are {}",
                all.join(", ")
            ));
        }
        Ok(self
            .subjects
            .iter()
            .filter(|subject| names.is_empty() || names.contains(&subject.name))
            .collect())
    }

    /// Stands for everything that decides what the unpacked projects look like: 12 hexadecimal digits.
    pub(super) fn key(&self) -> String {
        let mut key = super::sha256(format!("layout 1\n{:?}", self.subjects).as_bytes());
        key.truncate(12);
        key
    }
}

impl Subject {
    /// What it consists of, with the checksum of each: pom, sources, and test sources if there are any.
    pub(super) fn parts(&self) -> Vec<(Artifact, &str)> {
        let artifact = |classifier, extension| Artifact {
            group: self.group.clone(),
            name: self.name.clone(),
            version: self.version.clone(),
            classifier,
            extension,
        };
        let mut parts = vec![
            (artifact(None, "pom"), self.pom.as_str()),
            (artifact(Some("sources"), "jar"), self.sources.as_str()),
        ];
        if let Some(checksum) = &self.test_sources {
            parts.push((artifact(Some("test-sources"), "jar"), checksum));
        }
        parts
    }
}

fn subject(row: &Row) -> Result<Subject> {
    let optional = |key: &str| match row.get(key) {
        None => Ok(None),
        Some(item) => item
            .as_str()
            .map(|value| Some(value.to_owned()))
            .ok_or_else(|| format!("{key} is no string")),
    };
    let name = optional("name")?.ok_or("a subject has no name")?;
    let required =
        |key: &str| optional(key)?.ok_or_else(|| format!("the subject {name} has no {key}"));
    if let Some((key, _)) = row.iter().find(|(key, _)| !KEYS.contains(key)) {
        return Err(format!("the subject {name} has an unknown key {key}"));
    }
    let checksum = |key: &str, value: String| {
        let fine = value.len() == 64
            && value
                .bytes()
                .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if fine {
            Ok(value)
        } else {
            Err(format!(
                "{key} of {name} is no SHA-256 in lower-case digits"
            ))
        }
    };
    let omit = match row.get("omit") {
        None => Vec::new(),
        Some(item) => item
            .as_array()
            .into_iter()
            .flatten()
            .map(|path| path.as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
            .filter(|_| item.is_array())
            .ok_or_else(|| format!("omit of {name} is no list of paths"))?,
    };
    Ok(Subject {
        group: required("group")?,
        version: required("version")?,
        pom: checksum("pom", required("pom")?)?,
        sources: checksum("sources", required("sources")?)?,
        test_sources: optional("test-sources")?
            .map(|value| checksum("test-sources", value))
            .transpose()?,
        omit,
        name,
    })
}
