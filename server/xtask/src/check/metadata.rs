//! What cargo knows of the packages: `cargo metadata`, in our own words.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::Result;

/// All packages of the workspace's graph.
pub(super) struct Metadata {
    /// By cargo's package id.
    pub(super) packages: BTreeMap<String, Package>,
    /// False if only this machine's dependencies are in it, because the others could not be had offline.
    pub(super) every_platform: bool,
}

pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// The SPDX expression of the manifest.
    pub(super) licence: Option<String>,
    /// The manifest's folder, relative to the repository with `/`, if it lies in it.
    pub(super) folder: Option<String>,
    /// Names of the packages that the manifest asks for, renamed or not.
    pub(super) declared: Vec<Declared>,
    /// Ids of the packages that its code or its build script really links.
    pub(super) links: BTreeSet<String>,
}

pub(super) struct Declared {
    pub(super) name: String,
    /// For tests only.
    pub(super) dev: bool,
}

impl Metadata {
    pub(super) fn load() -> Result<Metadata> {
        let arguments = ["metadata", "--format-version", "1", "--locked"];
        match run(&arguments) {
            Ok(json) => Metadata::parse(&json, true),
            Err(first) => {
                // Without a network cargo may lack the packages of other platforms; those of this one were just built.
                let host = host()?;
                let here = ["--offline", "--filter-platform", &host];
                let json = run(&[&arguments[..], &here].concat()).map_err(|_| first)?;
                Metadata::parse(&json, false)
            }
        }
    }

    pub(super) fn parse(json: &str, every_platform: bool) -> Result<Metadata> {
        let value: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let root = text(&value["workspace_root"]).replace('\\', "/");
        let mut packages = BTreeMap::new();
        for package in list(&value["packages"]) {
            let manifest = text(&package["manifest_path"]).replace('\\', "/");
            let folder = manifest
                .strip_prefix(&format!("{root}/"))
                .and_then(|path| path.strip_suffix("/Cargo.toml"))
                .filter(|_| package["source"].is_null());
            let declared = list(&package["dependencies"])
                .map(|dependency| Declared {
                    name: text(&dependency["name"]).to_owned(),
                    dev: dependency["kind"] == "dev",
                })
                .collect();
            packages.insert(
                text(&package["id"]).to_owned(),
                Package {
                    name: text(&package["name"]).to_owned(),
                    version: text(&package["version"]).to_owned(),
                    licence: package["license"].as_str().map(str::to_owned),
                    folder: folder.map(str::to_owned),
                    declared,
                    links: BTreeSet::new(),
                },
            );
        }
        for node in list(&value["resolve"]["nodes"]) {
            let links = list(&node["deps"])
                .filter(|dep| list(&dep["dep_kinds"]).any(|kind| kind["kind"] != "dev"))
                .map(|dep| text(&dep["pkg"]).to_owned())
                .collect();
            if let Some(package) = packages.get_mut(text(&node["id"])) {
                package.links = links;
            }
        }
        Ok(Metadata {
            packages,
            every_platform,
        })
    }

    /// The workspace's own packages, by name.
    pub(super) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages
            .values()
            .filter(|package| package.folder.is_some())
    }

    /// The names of everything that ends up in this package, tests left out, each with the name of what asks for it.
    /// Every package is visited once.
    pub(super) fn closure(&self, package: &Package) -> BTreeMap<String, String> {
        let mut reached = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![package];
        while let Some(package) = open.pop() {
            for id in &package.links {
                let Some(link) = self.packages.get(id) else {
                    continue;
                };
                if seen.insert(id) {
                    reached.insert(link.name.clone(), package.name.clone());
                    open.push(link);
                }
            }
        }
        reached
    }
}

fn run(arguments: &[&str]) -> Result<String> {
    let output = crate::cargo()
        .args(arguments)
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if output.status.success() {
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    } else {
        Err(format!(
            "cargo {}: {}",
            arguments[0],
            String::from_utf8_lossy(&output.stderr).trim()
        ))
    }
}

/// The triple that this cargo builds for.
fn host() -> Result<String> {
    run(&["-vV"])?
        .lines()
        .find_map(|line| line.strip_prefix("host: ").map(str::to_owned))
        .ok_or_else(|| "cargo does not say what it builds for".to_owned())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
