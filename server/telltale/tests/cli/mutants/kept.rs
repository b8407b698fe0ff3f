//! What is kept of builds and plain runs, so that a second call does without them.

use super::{CART, CODE, TEST, list, project};
use crate::record::cannot_record;
#[cfg(target_os = "linux")]
use crate::streams::in_a_terminal;
use crate::support::{Ran, telltale};
use serde_json::json;
use std::path::{Path, PathBuf};

/// What is said, and whether a build ran for it.
fn built(root: &Path, more: &[&str]) -> (Ran, bool) {
    let arguments = [&["mutants", CODE, "-v", "--format", "json"], more].concat();
    let run = telltale(root, &arguments);
    let has_built = run.stderr.contains("BUILD SUCCESS");
    (run, has_built)
}

/// The files in which is kept what builds told.
fn kept(root: &Path) -> Vec<PathBuf> {
    files_in(&root.join(".telltale/mutants"))
}

/// And what was made of that.
fn made(root: &Path) -> Vec<PathBuf> {
    files_in(&root.join(".telltale/mutants/made"))
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).into_iter().flatten().flatten();
    all.map(|e| e.path()).filter(|p| p.is_file()).collect()
}

#[test]
fn a_second_call_runs_no_build_and_says_the_same() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    let lines = ["--lines", "12-17"];
    let (first, has_built) = built(root, &lines);
    assert_eq!((first.code, has_built), (0, true), "{}", first.stderr);
    let says_the_same = |more: &[&str], code: i32, builds: bool| {
        let (run, has_built) = built(root, &[&lines, more].concat());
        assert_eq!(run.stdout, first.stdout, "{more:?}");
        let came = (run.code, has_built);
        assert_eq!(came, (code, builds), "{more:?}: {}", run.stderr);
    };
    says_the_same(&[], 0, false);
    says_the_same(&["--fail-on", "survived"], 1, false);
    says_the_same(&["--fresh"], 0, true);
    // Of other code the same run tells; of other tests it does not.
    let (other, has_built) = built(root, &["--lines", "13-13"]);
    assert_eq!((other.code, has_built), (0, false), "{}", other.stderr);
    assert_ne!(other.stdout, first.stdout);
    let (other, has_built) = built(root, &["--test", "CartTest#clears"]);
    assert_eq!((other.code, has_built), (0, true), "{}", other.stderr);
    assert_eq!(kept(root).len(), 2);

    // What is damaged or cut is not there, and is made anew.
    for file in kept(root).into_iter().chain(made(root)) {
        let mut bytes = std::fs::read(&file).expect("it is there");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&file, bytes).expect("it can be written");
    }
    says_the_same(&[], 0, true);
    says_the_same(&[], 0, false);

    assert_eq!(telltale(root, &["record", "--forget"]).code, 0);
    assert!(kept(root).is_empty() && made(root).is_empty());
    says_the_same(&[], 0, true);
}

/// How often a test ran since somebody asked.
fn runs(root: &Path) -> usize {
    let file = root.join(".git/runs");
    let count = std::fs::read(&file).map_or(0, |all| all.len());
    drop(std::fs::remove_file(file));
    count
}

#[test]
fn what_tests_do_without_a_mutant_is_kept_until_one_does_something_else() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    // What stands in a hidden folder is nothing that a run is taken to rest on.
    let outside = "    @Test
    void weather() throws java.io.IOException {
        java.io.FileOutputStream runs = new java.io.FileOutputStream(\".git/runs\", true);
        runs.write('x');
        runs.close();
        Cart cart = new Cart();
        cart.add(9);
        assertEquals(false, new java.io.File(\".git/rain\").exists());
    }

    @Test
    void fails() {";
    let test = TEST.replace("    @Test\n    void fails() {", outside);
    project.write("src/test/java/shop/CartTest.java", test.as_bytes());
    project.write(".git/HEAD", b"x");
    let lines = ["--lines", "12-17"];
    let asked = |more: &[&str]| {
        let (run, has_built) = built(root, &[&lines, more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        (run.json(), has_built, runs(root))
    };
    let (first, _, of_first) = asked(&[]);
    let (second, has_built, of_second) = asked(&[]);
    assert_eq!(second, first);
    // Three times plain in each of two JVMs, as it stands and woven with calls.
    assert!(
        !has_built && of_second + 13 <= of_first,
        "{of_second} {of_first}"
    );
    let (fresh, has_built, of_fresh) = asked(&["--fresh"]);
    assert_eq!((&fresh, has_built), (&first, true));
    // Which test of a mutant runs first hangs on how long they took.
    assert!(of_second + 10 <= of_fresh, "{of_second} {of_fresh}");

    // It does not pass any more: what was kept is of another day, and all runs again.
    project.write(".git/rain", b"x");
    #[cfg(target_os = "linux")]
    {
        let command = format!("mutants {CODE} --lines 12-17 > .git/out");
        let said = in_a_terminal(root, &command, true);
        let void = "tests do not do what they did when that was kept: all of them run again";
        assert!(
            said.iter().all(|s| s.matches(void).count() == 1),
            "{said:?}"
        );
    }
    let unstable = json!(["shop.CartTest#weather"]);
    for _ in 0..2 {
        let (wet, has_built, _) = asked(&[]);
        assert!(!has_built);
        let left_out = list(&wet, "unstable").iter();
        assert!(left_out.clone().any(|t| *t == unstable[0]), "{wet:#}");
    }
    // What stays as it was seen until somebody asks.
    std::fs::remove_file(root.join(".git/rain")).expect("it is there");
    assert_ne!(asked(&[]).0, first);
    assert_eq!(asked(&["--fresh"]).0, first);
}

#[test]
fn what_changed_is_built_again() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    let lines = ["--lines", "12-17"];
    let survivors = |builds: bool, what: &str| -> Vec<String> {
        let (run, has_built) = built(root, &lines);
        assert_eq!(has_built, builds, "{what}: {}", run.stderr);
        super::lines(list(&run.json(), "survivors"))
    };
    let all = survivors(true, "at first");
    assert_eq!(all.len(), 2, "{all:#?}");
    assert_eq!(survivors(false, "nothing"), all);

    let code = CART.replace("price > 0", "price > 0 && looks < 9");
    project.write(CODE, code.as_bytes());
    let more = survivors(true, "the code");
    assert!(more.len() > all.len(), "{more:#?}");
    assert_eq!(survivors(false, "the code"), more);

    let test = TEST.replace("assertEquals(3, cart.total());", "cart.total();");
    project.write("src/test/java/shop/CartTest.java", test.as_bytes());
    let all = survivors(true, "a test");
    assert!(all.len() > more.len(), "{all:#?}");

    let build = std::fs::read_to_string(root.join("pom.xml")).expect("it is there");
    project.write("pom.xml", format!("{build}<!-- -->\n").as_bytes());
    assert_eq!(survivors(true, "the build file"), all);
    project.write("src/test/resources/prices.txt", b"1");
    assert_eq!(survivors(true, "a resource"), all);
    project.write("target/test-classes/prices.txt", b"2");
    assert_eq!(survivors(true, "the copy of a resource"), all);
    std::fs::remove_dir_all(root.join("target")).expect("it is there");
    assert_eq!(survivors(true, "all classes"), all);
    assert_eq!(survivors(false, "nothing"), all);
}
