//! The generated suites of a bug: found, made plain, compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use text::{Edit, Span};

use super::bug::Bug;
use super::compile::{Unit, by_test};
use super::java::edited;
use super::labels::Assertion;
use super::strip::strip;
use super::trees::Tree;
use super::version::Version;
use super::weave::statements;
use crate::Result;

/// Where the suites lie, by their numbers.
const SUITES: &str = "evaluator/TEval-plus/data/evosuite_buggy_regression_all";

/// What a generated class is called: the class under test and this.
const SUFFIX: &str = "_ESTest";

/// A generated test class in the folder of a version.
#[derive(Serialize, Deserialize)]
pub(super) struct Suite {
    /// `pkg.X_3_ESTest`.
    pub(super) name: String,
    /// `pkg.X`.
    pub(super) class: String,
    pub(super) unit: Unit,
}

/// All of a bug.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Suites {
    pub(super) all: Vec<Suite>,
    pub(super) tests: usize,
    /// Why tests are gone, with how many.
    pub(super) gone: BTreeMap<String, usize>,
}

impl Suites {
    /// Those that compile against a version; its folder holds them afterwards. `classes` is a folder for what is compiled.
    pub(super) fn of(
        bug: &Bug,
        tree: &Tree,
        version: &Version,
        classes: PathBuf,
    ) -> Result<Suites> {
        let mut out = Suites::default();
        let mut found = Vec::new();
        for number in numbers(tree)? {
            let id = &bug.id;
            let folder = format!(
                "{SUITES}/{number}/generated/{}/evosuite/{}/",
                id.project, id.number
            );
            for path in tree.files(&folder)? {
                let class = path
                    .strip_prefix(&folder)
                    .and_then(|p| p.strip_suffix(".java"));
                let class = class
                    .and_then(|c| c.strip_suffix(SUFFIX))
                    .map(|c| c.replace('/', "."));
                let (Some(class), Some(text)) = (class, tree.text(&path)) else {
                    continue;
                };
                found.push((number, class, text));
            }
        }
        if found.is_empty() {
            return Err(format!("{}: there is no generated suite", bug.id));
        }
        let folder = version.folder.join(&version.places.tests);
        for (number, class, text) in found {
            let simple = class.rsplit('.').next().unwrap_or(&class).to_owned();
            let name = format!("{class}_{number}{SUFFIX}");
            let new = format!("{simple}_{number}{SUFFIX}");
            let stripped = strip(&text, &format!("{simple}{SUFFIX}"), &new)
                .ok_or_else(|| format!("{name} cannot be made plain"))?;
            out.tests += stripped.tests;
            for why in stripped.gone.into_values() {
                *out.gone.entry(why).or_default() += 1;
            }
            let unit = Unit {
                path: folder.join(format!("{}.java", name.replace('.', "/"))),
                text: stripped.text,
            };
            out.all.push(Suite { name, class, unit });
        }
        let mut units: Vec<Unit> = out.all.iter().map(|suite| suite.unit.clone()).collect();
        for why in by_test(&mut units, &version.class_path, &classes)?.into_values() {
            *out.gone.entry(why).or_default() += 1;
        }
        let mut left: BTreeMap<PathBuf, String> = units
            .into_iter()
            .map(|unit| (unit.path, unit.text))
            .collect();
        out.all
            .retain_mut(|suite| match left.remove(&suite.unit.path) {
                Some(text) => {
                    suite.unit.text = text;
                    true
                }
                None => false,
            });
        Ok(out)
    }

    /// Writes what of the suites holds on another version into its folder; how many assertions that are, by class under test.
    pub(super) fn holding(
        &self,
        assertions: &[Assertion],
        version: &Version,
        classes: &Path,
    ) -> Result<BTreeMap<String, usize>> {
        let folder = version.folder.join(&version.places.tests);
        let mut units = Vec::new();
        let mut class_of = BTreeMap::new();
        for (at, suite) in self.all.iter().enumerate() {
            let own = assertions.iter().filter(|a| a.suite == at && !a.holds);
            let gone = own
                .map(|a| Edit::new(Span::new(a.start, a.end), ""))
                .collect();
            let path = folder.join(format!("{}.java", suite.name.replace('.', "/")));
            class_of.insert(path.clone(), suite.class.clone());
            units.push(Unit {
                path,
                text: edited(&suite.unit.text, gone).ok_or("assertions stand in each other")?,
            });
        }
        by_test(&mut units, &version.class_path, classes)?;
        let mut out = BTreeMap::new();
        for unit in units {
            if let Some(class) = class_of.get(&unit.path) {
                *out.entry(class.clone()).or_default() += statements(&unit.text).len();
            }
        }
        Ok(out)
    }

    /// The classes under test, in order.
    pub(super) fn classes(&self) -> BTreeSet<&str> {
        self.all.iter().map(|suite| suite.class.as_str()).collect()
    }

    /// How many tests are gone.
    pub(super) fn lost(&self) -> usize {
        self.gone.values().sum()
    }
}

/// The numbers of the suites, in order.
fn numbers(tree: &Tree) -> Result<Vec<u32>> {
    let mut out = tree.folders(SUITES)?;
    out.retain(|name| name.parse::<u32>().is_ok());
    let mut out: Vec<u32> = out.iter().filter_map(|name| name.parse().ok()).collect();
    out.sort_unstable();
    match out.is_empty() {
        true => Err(format!("there is no {SUITES}/1")),
        false => Ok(out),
    }
}
