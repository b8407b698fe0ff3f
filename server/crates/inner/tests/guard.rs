//! What a guard does when it runs: `tests/java/stats/Guards.java`, case by case, in each JDK that is found, on Java 8's
//! level and the JDK's own.
// Tests may start Java and say what they skip.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::disallowed_types,
    clippy::print_stderr
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The JDKs of `JAVA_HOME`, of `JAVA25_HOME`, of the path, and of where Linux distributions put them.
fn jdks() -> BTreeSet<PathBuf> {
    let named = ["JAVA_HOME", "JAVA25_HOME"].map(std::env::var_os);
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&on_path).map(|bin| bin.join("javac"));
    let on_path = on_path.filter_map(|javac| javac.canonicalize().ok());
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    named
        .into_iter()
        .flatten()
        .map(PathBuf::from)
        .chain(on_path.filter_map(|javac| Some(javac.parent()?.parent()?.to_owned())))
        .chain(installed.filter_map(|entry| Some(entry.ok()?.path())))
        .filter(|home| home.join("bin/javac").exists())
        .filter_map(|home| home.canonicalize().ok())
        .collect()
}

fn run(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let out = String::from_utf8_lossy(&stdout).into_owned();
    let err = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{command:?}\n{out}{err}");
    out
}

/// A folder of this run alone: another checkout may run the same test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = folder.join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn guards_do_what_they_say() {
    let jdks = jdks();
    if jdks.is_empty() {
        eprintln!("skipped: no JDK; the class that guards call was not run");
        return;
    }
    let folder = folder("guards");
    let guard = folder.join("InnerOracle.java");
    std::fs::write(&guard, inner::guard_class("stats")).unwrap();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/stats/Guards.java");
    let far = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/far/Far.java");
    for jdk in jdks {
        for level in [&["--release", "8"][..], &[]] {
            let out = folder.join("classes");
            std::fs::create_dir_all(&out).unwrap();
            let compile = |source: &Path, lint: &[&str]| {
                let mut javac = Command::new(jdk.join("bin/javac"));
                javac.args(level).args(lint).args(["-encoding", "UTF-8"]);
                run(javac.arg("-d").arg(&out).arg("-cp").arg(&out).arg(source))
            };
            // Projects may compile with all warnings as errors; -options is about the level alone.
            compile(&guard, &["-Xlint:all,-options", "-Werror"]);
            compile(&far, &["-Xlint:-options"]);
            compile(&cases, &["-Xlint:-options"]);
            let of_tests = folder.join("test-classes");
            let mut javac = Command::new(jdk.join("bin/javac"));
            javac.args(level).args(["-Xlint:-options", "-d"]);
            run(javac
                .arg(&of_tests)
                .arg(cases.with_file_name("OfTests.java")));
            let path = std::env::join_paths([&out, &of_tests]).unwrap();
            // Without `-ea`: no guard needs it.
            let mut java = Command::new(jdk.join("bin/java"));
            let said = run(java.arg("-cp").arg(&path).arg("stats.Guards"));
            assert!(
                said.ends_with("cases, 0 problems\n"),
                "{jdk:?} {level:?}\n{said}"
            );
            std::fs::remove_dir_all(&out).unwrap();
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_class_of_a_package_says_so_first_and_that_of_none_does_not() {
    assert!(inner::guard_class("a.b").starts_with("package a.b;\n\nimport "));
    assert!(inner::guard_class("").starts_with("import "));
}
