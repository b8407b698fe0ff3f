//! `find_root`.

use project::{ProjectError, find_root};

use crate::Fixture;

fn root_of(fixture: &Fixture, path: &str) -> String {
    let root = find_root(&fixture.path(path), None).unwrap();
    root.strip_prefix(fixture.root())
        .unwrap()
        .to_string_lossy()
        .into_owned()
}

#[test]
fn the_nearest_configuration_wins_over_builds() {
    let fixture =
        Fixture::new("//- pom.xml\n//- a/telltale.toml\n//- a/b/pom.xml\n//- a/b/c/X.java\n");
    assert_eq!(root_of(&fixture, "a/b/c/X.java"), "a");
    assert_eq!(root_of(&fixture, "a"), "a");
}

#[test]
fn the_outermost_build_file_wins_over_git() {
    let fixture = Fixture::new(
        "//- w/settings.gradle.kts\n//- w/x/y/build.gradle\n//- w/x/y/.git/HEAD\n//- w/x/y/src/X.java\n",
    );
    assert_eq!(root_of(&fixture, "w/x/y/src"), "w");
}

#[test]
fn git_then_the_folder_itself() {
    let fixture = Fixture::new("//- r/.git/HEAD\n//- r/a/X.java\n//- s/a/X.java\n");
    assert_eq!(root_of(&fixture, "r/a/X.java"), "r");
    // Nothing above the temporary folder is expected to have a build file or a repository.
    assert_eq!(root_of(&fixture, "s/a/X.java"), "s/a");
    assert_eq!(root_of(&fixture, "s/a"), "s/a");
}

#[test]
fn dots_are_resolved() {
    let fixture = Fixture::new("//- a/pom.xml\n//- b/X.java\n");
    let root = find_root(&fixture.path("b/../a"), None).unwrap();
    assert_eq!(root, fixture.path("a").canonicalize().unwrap());
}

#[test]
fn an_explicit_root_must_be_a_folder_around_the_path() {
    let fixture = Fixture::new("//- a/pom.xml\n//- a/b/X.java\n//- c/Y.java\n");
    let explicit =
        |path: &str, root: &str| find_root(&fixture.path(path), Some(&fixture.path(root)));
    assert_eq!(explicit("a/b/X.java", "a/b").unwrap(), fixture.path("a/b"));
    assert!(matches!(
        explicit("c", "a"),
        Err(ProjectError::OutsideRoot { .. })
    ));
    assert!(matches!(
        explicit("a", "nowhere"),
        Err(ProjectError::Missing(_))
    ));
    assert!(matches!(
        explicit("a/pom.xml", "a/pom.xml"),
        Err(ProjectError::NotAFolder(_))
    ));
}

#[test]
fn errors_say_what_to_do() {
    let fixture = Fixture::new("");
    let error = find_root(&fixture.path("nowhere/X.java"), None).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("nowhere/X.java does not exist; check the spelling of the path")
    );
}
