//! `cargo xtask evaluate builds`: does an inner oracle do what it says under each test framework, in each kind of build?
//!
//! A small project is written for each row, and the edit of both files asked for. It is compiled and run by the framework's
//! own runner, or by the build tool itself: with the value to be told, which must fail and tell it; with that value, which
//! must pass; with another, which must fail. Then it is removed, which must give the bytes that were there.

mod row;

use calls::Workspace;
use observe::Settings;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ide::Analysis;
use ide::inner::{What, candidates, insertion, removal};

use super::build::failed;
use super::inner::files;
use crate::bench::load;
use crate::maven::{self, Artifact};
use crate::{Result, subjects};
use row::{Framework, ROWS, Row};

/// What the frameworks are run with.
const LIBRARIES: [(&str, &str, &str); 8] = [
    ("junit", "junit", "3.8.2"),
    ("junit", "junit", "4.13.2"),
    ("org.hamcrest", "hamcrest-core", "1.3"),
    (
        "org.junit.platform",
        "junit-platform-console-standalone",
        "1.11.4",
    ),
    ("org.testng", "testng", "7.5.1"),
    ("com.beust", "jcommander", "1.78"),
    ("org.slf4j", "slf4j-api", "1.7.36"),
    ("org.webjars", "jquery", "3.5.1"),
];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only rows in whose name this occurs
    #[arg(long, value_name = "TEXT", default_value = "")]
    row: String,
    /// Fail if one does not do what it says
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let libraries = libraries()?;
    println!("| framework, build | told | right | wrong | removed |");
    println!("| --- | --- | --- | --- | --- |");
    let mut bad = 0;
    for row in ROWS.iter().filter(|row| row.name.contains(&arguments.row)) {
        match judged(row, &libraries) {
            Ok(None) => println!("| {} | skipped | | | |", row.name),
            Ok(Some(cells)) => {
                bad += cells.iter().filter(|cell| **cell != "yes").count();
                println!("| {} | {} |", row.name, cells.join(" | "));
            }
            Err(why) => {
                bad += 1;
                println!("| {} | {} | | | |", row.name, why.replace('\n', " "));
            }
        }
    }
    match arguments.check && bad > 0 {
        true => Err(format!("{bad} do not do what they say")),
        false => Ok(()),
    }
}

fn libraries() -> Result<Vec<PathBuf>> {
    let folder = subjects::cache()?.join("frameworks");
    let artifacts = LIBRARIES.map(|(group, name, version)| Artifact {
        group: group.to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
        classifier: None,
        extension: "jar",
    });
    maven::fetched(&artifacts, &folder)
}

/// The jars whose names begin so.
fn named(libraries: &[PathBuf], names: &[&str]) -> Vec<PathBuf> {
    let is_it = |jar: &&PathBuf| {
        let file = jar.file_name().unwrap_or_default().to_string_lossy();
        names.iter().any(|name| file.starts_with(name))
    };
    libraries.iter().filter(is_it).cloned().collect()
}

fn jars(framework: Framework, libraries: &[PathBuf]) -> Vec<PathBuf> {
    named(
        libraries,
        match framework {
            Framework::Three => &["junit-3"],
            Framework::Four => &["junit-4", "hamcrest"],
            Framework::Five => &["junit-platform-console"],
            Framework::TestNg => &["testng", "jcommander", "slf4j", "jquery"],
        },
    )
}

/// What came of a row; none if what it needs is not on this machine.
fn judged(row: &Row, libraries: &[PathBuf]) -> Result<Option<[&'static str; 4]>> {
    let Some(jdk) = row.jdk() else {
        return Ok(None);
    };
    let work = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
    let root = work.path().canonicalize().map_err(|e| e.to_string())?;
    let jars = jars(row.framework, libraries);
    for (path, text) in row.files(&jars) {
        write(&root.join(path), &text)?;
    }
    let analysis = read(&root)?;
    let tests = analysis.workspace().suite().tests();
    let test = *tests.first().ok_or("no test is found")?;
    let named = |id: &ide::inner::CandidateId| ide::inner::called(&analysis, *id) == "neg";
    let id = candidates(&analysis, test)
        .into_iter()
        .rfind(named)
        .ok_or("no candidate is found")?;
    let change = |what: What| {
        let change = insertion(&analysis, test, id, &what, None).map_err(|r| r.to_string())?;
        Ok::<_, String>(files(&analysis, &change))
    };
    let was: Vec<(String, String)> = analysis
        .program()
        .files()
        .iter()
        .filter_map(|f| {
            Some((
                analysis.program().path(*f)?.to_string(),
                analysis.program().text(*f)?.to_string(),
            ))
        })
        .collect();
    let mut ran = Vec::new();
    for what in [
        What::Tell,
        What::Equal("2".to_owned()),
        What::Equal("3".to_owned()),
    ] {
        for (path, text) in change(what)? {
            write(&root.join(path), &text)?;
        }
        let Some((passed, said)) = row.run(&root, &jdk, &jars)? else {
            return Ok(None);
        };
        ran.push((passed, said));
    }
    let said = |ok: bool| if ok { "yes" } else { "NO" };
    let cells = [
        said(!ran[0].0 && ran[0].1.contains("neg\", 2, neg)")),
        said(ran[1].0),
        said(!ran[2].0 && ran[2].1.contains("expected 3")),
    ];
    if std::env::var_os("TELLTALE_SHOW").is_some() {
        ran.iter()
            .for_each(|(passed, said)| eprintln!("{passed}: {said}"));
    }
    let after = read(&root)?;
    let names: Vec<String> = ide::inner::oracles(&after)
        .into_iter()
        .map(|o| o.found.name)
        .collect();
    let back = removal(&after, &names);
    for (path, text) in files(&after, &back) {
        write(&root.join(path), &text)?;
    }
    for gone in &back.gone {
        let path = after.program().path(*gone).map_or("", |p| p);
        fs::remove_file(root.join(path)).map_err(|e| e.to_string())?;
    }
    let same = |(path, text): &(String, String)| {
        fs::read_to_string(root.join(path)).is_ok_and(|now| now == *text)
    };
    let is_gone = !root
        .join(row.code_folder())
        .join("own/InnerOracle.java")
        .exists();
    Ok(Some([
        cells[0],
        cells[1],
        cells[2],
        said(was.iter().all(same) && is_gone),
    ]))
}

fn read(root: &Path) -> Result<Analysis> {
    let workspace = Workspace::new(load::texts(root)?.program());
    Ok(Analysis::new(workspace, true, Settings::default()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|e| failed("create", folder, &e))?;
    fs::write(path, text).map_err(|e| failed("write", path, &e))
}

/// True and what was said if a program ended well.
fn ended(command: &mut Command) -> Result<(bool, String)> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|e| format!("cannot start {program}: {e}"))?;
    let said = [output.stdout, output.stderr].concat();
    Ok((
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    ))
}
