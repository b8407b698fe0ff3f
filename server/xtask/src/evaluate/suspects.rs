//! `cargo xtask evaluate suspects`: real bugs, generated suites that froze them, and how far down the list of suspicious
//! assertions the first wrong one stands.
//!
//! For each bug of Defects4J the fixed version is taken from the project's history, and the buggy one made from it by the
//! bug's patch. Suites that EvoSuite wrote for the buggy version are made plain JUnit. Each of their assertions is labelled
//! by running it: *wrong* holds on the buggy version and not on the fixed one, *right* holds on both, twice each; others
//! are counted and left out. Nothing here names a project, a bug or a class.

mod bug;
mod compile;
mod java;
mod labels;
mod pom;
mod ranks;
mod strip;
mod suites;
mod table;
mod trees;
mod version;
mod weave;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::build::failed;
use crate::Result;
use bug::{Bug, BugId};
use labels::Assertion;
use ranks::{Alarms, Fared, Otherwise};
use suites::Suites;
use trees::{History, Tree};
use version::{Version, Which};

/// What stands in a file before the tables.
const MARK: &str = "<!-- What follows is written by the command, a bug at a time. -->";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A clone of the repository of Defects4J, with or without work tree
    #[arg(long, value_name = "DIR")]
    defects4j: PathBuf,
    /// A clone of the repository with the generated suites (EditAs2)
    #[arg(long, value_name = "DIR")]
    suites: PathBuf,
    /// A clone of the project's own repository, with its history (may be repeated; the one that has the commits is taken)
    #[arg(long, value_name = "DIR", required = true)]
    history: Vec<PathBuf>,
    /// The bugs, as Defects4J names them
    #[arg(long, value_name = "Math-96,…", value_delimiter = ',', required = true)]
    bugs: Vec<BugId>,
    /// The telltale that records and ranks (without it assertions are only labelled)
    #[arg(long, value_name = "FILE")]
    telltale: Option<PathBuf>,
    /// Print too where the wrong assertions that are not shown were lost
    #[arg(long)]
    stage: bool,
    /// Keep the projects that are made, a folder for each bug
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Take from --keep what an earlier run left there
    #[arg(long, value_name = "WHAT", requires = "keep")]
    reuse: Option<Reuse>,
    /// Write the tables here too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What of an earlier run is taken as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Reuse {
    /// Versions, suites and labels; both versions are recorded anew
    Labels,
    /// What was recorded too
    Recordings,
}

/// A bug with everything that is known of it.
struct Case {
    bug: Bug,
    made: Made,
    ranked: Option<Result<Ranked>>,
}

/// The file in a bug's folder that keeps [`Made`].
const MADE: &str = "made.json";

/// Both versions and the labels of their suites.
#[derive(Serialize, Deserialize)]
struct Made {
    buggy: Version,
    fixed: Version,
    suites: Suites,
    assertions: Vec<Assertion>,
    /// By class under test: how many assertions hold on the fixed version.
    holding: BTreeMap<String, usize>,
}

/// What telltale says of a bug's classes.
struct Ranked {
    classes: Vec<Fared>,
    /// By class under test, on the fixed version.
    alarms: BTreeMap<String, Alarms>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    // Said before hours of work.
    arguments.out.as_deref().map(head).transpose()?;
    let defects4j = Tree::open(&arguments.defects4j)?;
    let suites = Tree::open(&arguments.suites)?;
    let histories = arguments.history.iter().map(|h| History::open(h));
    let histories = histories.collect::<Result<Vec<History>>>()?;
    let work = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
    let root = arguments.keep.as_deref().unwrap_or(work.path());
    fs::create_dir_all(root).map_err(|e| failed("create", root, &e))?;
    let root = root.canonicalize().map_err(|e| failed("find", root, &e))?;
    let mut cases = Vec::new();
    for id in &arguments.bugs {
        eprintln!("{id}");
        let folder = root.join(id.to_string());
        let case = Bug::read(&defects4j, id).and_then(|bug| {
            let has = |h: &&History| h.has(&bug.fixed, "");
            let history = histories.iter().find(has);
            let history = history.ok_or_else(|| format!("{id}: no history has {}", bug.fixed))?;
            let bug = bug.within(history);
            let kept = arguments.reuse.and_then(|_| kept(&folder));
            let made = kept.map_or_else(|| made(&bug, &suites, history, &folder), Ok)?;
            let telltale = arguments.telltale.as_ref();
            let ranked = telltale.map(|telltale| ranked(&made, telltale, arguments));
            Ok(Case { bug, made, ranked })
        });
        if arguments.keep.is_none() {
            drop(fs::remove_dir_all(&folder));
        }
        cases.push((id, case));
    }
    let text = table::all(&cases, arguments.stage);
    print!("{text}");
    if let Some(out) = &arguments.out {
        written(out, &text)?;
    }
    match cases.iter().all(|(_, case)| case.is_err()) {
        true => Err("no bug could be looked at".to_owned()),
        false => Ok(()),
    }
}

/// Makes both versions of a bug in a folder, and labels the assertions of its suites.
fn made(bug: &Bug, suites: &Tree, history: &History, root: &Path) -> Result<Made> {
    // What an earlier run kept is of another time.
    if root.exists() {
        fs::remove_dir_all(root).map_err(|e| failed("remove", root, &e))?;
    }
    let classes = root.join("classes");
    let make = |which, name: &str| {
        Version::make(bug, history, which, &root.join(name), &classes.join(name))
    };
    let buggy = make(Which::Buggy, "buggy")?;
    let fixed = make(Which::Fixed, "fixed")?;
    let suites = Suites::of(bug, suites, &buggy, classes.join("suites"))?;
    let versions = [(Which::Buggy, &buggy), (Which::Fixed, &fixed)];
    let assertions = labels::of(&suites, &versions, &root.join("labels"))?;
    let holding = suites.holding(&assertions, &fixed, &classes.join("holding"))?;
    let made = Made {
        buggy,
        fixed,
        suites,
        assertions,
        holding,
    };
    let json = serde_json::to_vec(&made).map_err(|e| e.to_string())?;
    let file = root.join(MADE);
    fs::write(&file, json).map_err(|e| failed("write", &file, &e))?;
    Ok(made)
}

/// What an earlier run left, if it came so far.
fn kept(root: &Path) -> Option<Made> {
    serde_json::from_slice(&fs::read(root.join(MADE)).ok()?).ok()
}

/// Records both versions and asks for what is suspicious.
fn ranked(made: &Made, telltale: &Path, arguments: &Arguments) -> Result<Ranked> {
    let telltale = telltale
        .canonicalize()
        .map_err(|e| failed("find", telltale, &e))?;
    let asked = |version: &Version| {
        let is_recorded = version.folder.join(project::OWN_FOLDER).is_dir();
        if arguments.reuse != Some(Reuse::Recordings) || !is_recorded {
            ranks::record(&telltale, &version.folder)?;
        }
        ranks::asked(&telltale, &version.folder, &[])
    };
    let (buggy, fixed) = (asked(&made.buggy)?, asked(&made.fixed)?);
    let (suites, assertions) = (&made.suites, &made.assertions);
    let folder = &made.buggy.folder;
    let otherwise = match arguments.stage {
        true => Otherwise::asked(&telltale, folder)?,
        false => Otherwise::default(),
    };
    let fared = |class| ranks::fared(class, folder, suites, assertions, &buggy, &otherwise);
    let alarms = |class: &str| (class.to_owned(), ranks::alarms(class, &fixed));
    Ok(Ranked {
        classes: suites.classes().into_iter().map(fared).collect(),
        alarms: suites.classes().into_iter().map(alarms).collect(),
    })
}

/// Writes the tables into a file, behind the words of others that end with [`MARK`].
fn written(file: &Path, text: &str) -> Result<()> {
    let new = format!("{}{MARK}\n\n{text}", head(file)?);
    fs::write(file, new).map_err(|e| failed("write", file, &e))
}

/// What stays of a file.
///
/// # Errors
/// If that is not said in it: all of it would be gone.
fn head(file: &Path) -> Result<String> {
    let old = match fs::read_to_string(file) {
        Ok(old) => old,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(String::new()),
        Err(e) => return Err(failed("read", file, &e)),
    };
    match old.split_once(MARK) {
        Some((head, _)) => Ok(head.to_owned()),
        None if old.trim().is_empty() => Ok(String::new()),
        None => Err(format!(
            "{} would be overwritten: it has no line {MARK}",
            file.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_take_the_place_of_tables_and_of_nothing_else() {
        let page = fs::read_to_string(crate::root().join("docs/evaluation-suspects.md"));
        let page = page.expect("the page");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("page");
        written(&file, "new\n").expect("a file is made");
        fs::write(&file, &page).expect("written");
        written(&file, "| new |\n").expect("the page says where");
        let own = page.split(MARK).next().expect("its prose");
        let now = || fs::read_to_string(&file).expect("it is there");
        assert_eq!(now(), format!("{own}{MARK}\n\n| new |\n"));
        assert!(own.len() > 1000, "all of its prose");
        fs::write(&file, "A page.\n").expect("written");
        written(&file, "| new |\n").expect_err("it says nothing of tables");
        assert_eq!(now(), "A page.\n");
    }
}
