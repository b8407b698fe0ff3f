//! The licences of what is linked into the binary, with their texts, as their authors ask of whoever passes it on.
//!
//! Cargo names the packages; the texts are the files that lie in them, those of C sources in their folders included. A
//! text that several packages share stands once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Result;
use crate::clients::debian::output;

/// How deep below a package's folder a licence is looked for: C sources bring their own.
const DEPTH: usize = 4;

/// The notices for the binary `telltale`, built for this machine; and for the scripts of the extension, whose lock file
/// and modules lie in `modules`.
pub(crate) fn notices(modules: Option<&Path>) -> Result<String> {
    let host = output(crate::cargo().arg("-vV"))?;
    let host = host
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .ok_or("cargo does not say what it builds for")?;
    let json = output(crate::cargo().args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        host,
    ]))?;
    let metadata: Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
    let mut linked = linked(&metadata)?;
    if let Some(modules) = modules {
        linked.extend(bundled(modules)?);
    }
    // By text: the packages that it is of.
    let mut texts: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut table = String::new();
    for package in &linked {
        let names = &package.name;
        table.push_str(&format!("{names}  {}\n", package.licence));
        for file in licences(&package.folder) {
            let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            texts
                .entry(text.trim().to_owned())
                .or_default()
                .insert(names);
        }
    }
    let mut out = format!(
        "What is linked into this program, with its licences. The standard library of Rust is under MIT or Apache-2.0.\n\n{table}"
    );
    for (text, packages) in texts {
        let packages: Vec<&str> = packages.into_iter().collect();
        let rule = "-".repeat(80);
        out.push_str(&format!(
            "\n{rule}\n{}\n{rule}\n\n{text}\n",
            packages.join(", ")
        ));
    }
    Ok(out)
}

struct Linked {
    /// With its version.
    name: String,
    licence: String,
    folder: PathBuf,
}

/// The packages of others that the binary links, by name. Every package is visited once.
fn linked(metadata: &Value) -> Result<Vec<Linked>> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]);
    let start = packages
        .iter()
        .find(|it| it["name"] == "telltale" && it["source"].is_null())
        .ok_or("cargo knows no package telltale")?;
    let nodes = list(&metadata["resolve"]["nodes"]);
    let mut seen = BTreeSet::new();
    let mut open = vec![start["id"].as_str().unwrap_or_default().to_owned()];
    while let Some(id) = open.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        let node = nodes.iter().find(|it| it["id"] == id.as_str());
        for dep in node.map(|it| list(&it["deps"])).unwrap_or_default() {
            // What only builds or tests is not passed on.
            if list(&dep["dep_kinds"])
                .iter()
                .any(|it| it["kind"].is_null())
            {
                open.push(dep["pkg"].as_str().unwrap_or_default().to_owned());
            }
        }
    }
    let mut linked: Vec<Linked> = packages
        .iter()
        .filter(|it| !it["source"].is_null())
        .filter(|it| it["id"].as_str().is_some_and(|id| seen.contains(id)))
        .map(|it| {
            let text = |key: &str| it[key].as_str().unwrap_or_default();
            Linked {
                name: format!("{} {}", text("name"), text("version")),
                licence: text("license").to_owned(),
                folder: Path::new(text("manifest_path"))
                    .parent()
                    .map(Path::to_path_buf)
                    .unwrap_or_default(),
            }
        })
        .collect();
    linked.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(linked)
}

/// The packages that are bundled into the extension: those of its lock file that do more than build it.
fn bundled(modules: &Path) -> Result<Vec<Linked>> {
    let lock = modules.join("package-lock.json");
    let text = fs::read_to_string(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let lock: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let packages = lock["packages"].as_object().into_iter().flatten();
    Ok(packages
        .filter(|(path, it)| !path.is_empty() && it["dev"] != true)
        .map(|(path, it)| Linked {
            name: format!(
                "{} {}",
                path.trim_start_matches("node_modules/"),
                it["version"].as_str().unwrap_or_default()
            ),
            licence: it["license"].as_str().unwrap_or_default().to_owned(),
            folder: modules.join(path),
        })
        .collect())
}

/// The files of a package that hold licences, in order.
fn licences(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_path_buf(), 0)];
    while let Some((folder, depth)) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().to_uppercase();
            let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
            if is_folder && depth < DEPTH {
                open.push((entry.path(), depth + 1));
            }
            let one = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
                .iter()
                .any(|start| name.starts_with(start));
            // Sources may be named so as well.
            if one && !is_folder && !name.ends_with(".RS") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_linked_is_named() {
        let dep = |id: &str, kind: Value| serde_json::json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        let package = |name: &str, source: Value| {
            serde_json::json!({ "id": name, "name": name, "version": "1.0.0", "license": "MIT",
                "manifest_path": "/somewhere/Cargo.toml", "source": source })
        };
        let metadata = serde_json::json!({
            "packages": [
                package("telltale", Value::Null),
                package("ours", Value::Null),
                package("theirs", "registry".into()),
                package("tests", "registry".into()),
                package("builds", "registry".into()),
            ],
            "resolve": { "nodes": [
                { "id": "telltale", "deps": [dep("ours", Value::Null), dep("tests", "dev".into())] },
                { "id": "ours", "deps": [dep("theirs", Value::Null), dep("builds", "build".into())] },
                { "id": "theirs", "deps": [dep("ours", Value::Null)] },
            ] },
        });
        let linked = linked(&metadata).expect("a table");
        let names: Vec<&str> = linked.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["theirs 1.0.0"]);
    }

    #[test]
    fn what_only_builds_the_extension_is_not_named() {
        let parent = tempfile::tempdir().expect("a folder");
        let lock = r#"{ "packages": { "": {}, "node_modules/a": { "version": "1.0.0", "license": "ISC" },
            "node_modules/b": { "version": "1.0.0", "dev": true } } }"#;
        fs::write(parent.path().join("package-lock.json"), lock).expect("a file");
        let bundled = bundled(parent.path()).expect("a table");
        let names: Vec<&str> = bundled.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["a 1.0.0"]);
    }

    #[test]
    fn texts_are_found_in_the_folders_of_c_sources_too() {
        let parent = tempfile::tempdir().expect("a folder");
        let root = parent.path();
        fs::create_dir_all(root.join("c/lib")).expect("a folder");
        for file in [
            "LICENSE-MIT",
            "c/lib/COPYING.txt",
            "c/license.rs",
            "c/main.c",
        ] {
            fs::write(root.join(file), file).expect("a file");
        }
        assert_eq!(
            licences(root),
            [root.join("LICENSE-MIT"), root.join("c/lib/COPYING.txt")]
        );
    }
}
