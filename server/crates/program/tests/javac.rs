//! What names and calls mean in `tests/java/cases`, as javac says.
//!
//! Each folder there has an `expected.txt`, printed by `Uses.java`: one use a line. One test compares it with the
//! analysis, without any JDK. The other runs `Uses.java` where a JDK is found and demands that it still prints the same;
//! `UPDATE_EXPECT=1` writes what it prints.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros
)]

mod support;

use program::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use support::sources;

/// The folders, with the Java version that they need.
const CASES: [(&str, u32); 2] = [("j17", 17), ("j25", 25)];

fn folder(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/java/cases")
        .join(case)
}

/// By path, offset and kind: what the analysis says, in the words of `Uses.java`.
fn found(folder: &Path) -> BTreeMap<(String, u32, &'static str), String> {
    let files = sources(folder).into_iter().map(|path| FileInput {
        path: Arc::from(path.strip_prefix(folder).unwrap().to_str().unwrap()),
        source_set: SourceSetId(0),
        text: fs::read_to_string(path).unwrap().into(),
    });
    let set = SourceSetInput::default();
    let program = Program::build(vec![set], files.collect());
    let mut out = BTreeMap::new();
    for &file in program.files() {
        let path = program.path(file).unwrap().to_string();
        let mut say = |at: u32, kind: &'static str, target: String| {
            out.insert((path.clone(), at, kind), target);
        };
        for u in program.all_occurrences(file) {
            let target = match u.target {
                Some(target) if u.in_workspace => target,
                Some(library) => format!("-{library}"),
                None if u.unknown => "?".to_owned(),
                None => "-".to_owned(),
            };
            say(u.offset, u.kind.name(), target);
        }
        for &ty in program.types_of_file(file) {
            let decl = program.type_decl(ty).unwrap();
            let names = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(";");
            let supers = program.direct_supertypes(ty);
            let supers = supers.iter().map(|&t| program.type_name(t).to_string());
            say(decl.name_span.start, "extends", names(supers.collect()));
            for &method in program.methods_of_type(ty) {
                let decl = program.method_decl(method).unwrap();
                if !decl.implicit && decl.name != "<init>" {
                    let bodies = program.overriders(method);
                    let bodies = bodies.iter().map(|&m| program.method_name(m));
                    say(decl.name_span.start, "dispatch", names(bodies.collect()));
                }
            }
        }
    }
    out
}

#[test]
fn names_and_calls_mean_what_javac_says() {
    let mut wrong = String::new();
    let mut compared = 0;
    for (case, _) in CASES {
        let folder = folder(case);
        let found = found(&folder);
        let expected = fs::read_to_string(folder.join("expected.txt")).unwrap();
        for line in expected.lines() {
            let parts: Vec<&str> = line.splitn(5, ' ').collect();
            let &[path, at, kind, name, target] = &parts[..] else {
                panic!("{line}");
            };
            let kinds = [
                "call",
                "new",
                "reference",
                "field",
                "local",
                "type",
                "declared",
                "extends",
                "dispatch",
            ];
            let kind = *kinds.iter().find(|k| **k == kind).unwrap();
            let here = found.get(&(path.to_owned(), at.parse().unwrap(), kind));
            let mut target = target.to_owned();
            if kind == "extends" {
                let set: BTreeSet<&str> =
                    target.split(';').filter(|t| !t.starts_with('-')).collect();
                target = set.into_iter().collect::<Vec<_>>().join(";");
            }
            // Of several equal declarations of one method any may be named.
            if let Some((library, equal)) = target.clone().split_once('=') {
                let found = here.filter(|h| equal.split(';').any(|e| e == *h));
                target = found.cloned().unwrap_or_else(|| library.to_owned());
            }
            // Types are named in places that are no expression. The table of the JDK says less than the JDK: which of a
            // library's members is meant is compared with class files, by `cargo xtask evaluate uses`.
            let silent = match kind {
                "type" => here.is_none_or(|h| h == "-" && target.starts_with('-')),
                "declared" => target.starts_with('-') && here.is_none_or(|h| h == "?"),
                _ => target.starts_with('-') && here.is_none_or(|h| h == "?" || h.starts_with('-')),
            };
            compared += 1;
            if !silent && here != Some(&target) {
                let here = here.map_or("absent", |h| h);
                let text = fs::read_to_string(folder.join(path)).unwrap();
                let row = text[..at.parse::<usize>().unwrap()].matches('\n').count() + 1;
                writeln!(
                    wrong,
                    "{path}:{row} {kind} {name}: javac {target}, here {here}"
                )
                .unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(compared > 1000, "only {compared} uses");
}

/// The `java` of a JDK of at least that version.
fn java(version: u32) -> Option<PathBuf> {
    let mut places: Vec<PathBuf> = Vec::new();
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        places.push(PathBuf::from(home).join("bin/java"));
    }
    places.push(PathBuf::from("java"));
    let mut installed: Vec<PathBuf> = fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path().join("bin/java"))
        .collect();
    installed.sort();
    places.extend(installed);
    places.into_iter().find(|place| {
        let said = Command::new(place).arg("-version").output();
        let Ok(said) = said else { return false };
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        let number = said
            .split('"')
            .nth(1)
            .and_then(|v| v.split(['.', '-']).next());
        let compiler = Command::new(place)
            .args(["--describe-module", "jdk.compiler"])
            .output();
        number
            .and_then(|n| n.parse::<u32>().ok())
            .is_some_and(|n| n >= version)
            && compiler.is_ok_and(|c| c.status.success())
    })
}

#[test]
fn what_is_expected_is_what_javac_says() {
    for (case, version) in CASES {
        let Some(java) = java(version) else {
            eprintln!("skipped {case}: no JDK {version}");
            continue;
        };
        let tool = folder("..").join("Uses.java");
        let mut command = Command::new(&java);
        for package in ["api", "code", "tree", "util"] {
            command.arg("--add-exports");
            command.arg(format!(
                "jdk.compiler/com.sun.tools.javac.{package}=ALL-UNNAMED"
            ));
        }
        let said = command.arg(tool).arg(folder(case)).output().unwrap();
        assert!(
            said.status.success(),
            "{}",
            String::from_utf8_lossy(&said.stderr)
        );
        let said = String::from_utf8(said.stdout).unwrap();
        let errors: Vec<&str> = said.lines().filter(|l| l.ends_with('!')).collect();
        assert!(errors.is_empty(), "{case} does not compile: {errors:?}");
        let file = folder(case).join("expected.txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&file, &said).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap();
        let differ = said.lines().zip(expected.lines()).find(|(a, b)| a != b);
        assert!(said == expected, "{case}: javac says otherwise: {differ:?}");
    }
}
