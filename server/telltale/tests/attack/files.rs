//! What a project names is a pipe that nobody writes into, a device without end, or far too large.

use crate::support::Project;
use crate::survives;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

const JAVA: (&str, &str) = (
    "src/A.java",
    "class A { int f(int p) { int q = p; return q; } }",
);

fn parents(path: &Path) {
    std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folders");
}

fn pipe(project: &Project, path: &str) {
    let path = project.path().join(path);
    parents(&path);
    let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo");
    assert!(made.success());
}

fn endless(project: &Project, path: &str) {
    let path = project.path().join(path);
    parents(&path);
    symlink("/dev/zero", path).expect("a link");
}

/// Our own files: without them it is not known what the project wants, so that is an error that names the file.
#[test]
fn our_own_files_are_regular() {
    for path in [
        "telltale.toml",
        ".telltale/queries/java/tests.scm",
        ".telltale/queries/java/assertions.scm",
    ] {
        for make in [pipe, endless] {
            let project = Project::new(&[JAVA]);
            make(&project, path);
            let ran = survives(&project, &["observe", "--root", "."]);
            assert_eq!(ran.code, 3, "{path}: {ran:?}");
            assert!(ran.stderr.contains("not a regular file"), "{path}: {ran:?}");
            let name = path.rsplit('/').next().expect("a name");
            assert!(ran.stderr.contains(name), "{path}: {ran:?}");
        }
    }
}

#[test]
fn our_own_files_have_a_size() {
    for path in ["telltale.toml", ".telltale/queries/java/tests.scm"] {
        let project = Project::new(&[JAVA]);
        project.write(path, &b"# a\n".repeat(300_000));
        let ran = survives(&project, &["observe"]);
        assert_eq!(ran.code, 3, "{path}: {ran:?}");
        let says = "1200000 bytes are too many, at most 1000000 are read";
        assert!(ran.stderr.contains(says), "{path}: {ran:?}");
    }
}

/// A link to a regular file is one.
#[test]
fn our_own_files_may_be_links() {
    let project = Project::new(&[JAVA, ("shared.toml", "[observe]\ntop = 1\n")]);
    symlink("shared.toml", project.path().join("telltale.toml")).expect("a link");
    let answer = project
        .run(&["observe", "--quiet", "--format", "json"])
        .json();
    assert_eq!(answer["parameters"]["top"], 1);
}

/// Files of builds, lists of what git ignores, and libraries: the rest of the project is read without them.
#[test]
fn what_the_build_names_is_regular() {
    let gradle = ("build.gradle", "plugins { id 'java' }\n");
    let pom = (
        "pom.xml",
        "<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version>\
         <relativePath>up/parent.xml</relativePath></parent><artifactId>a</artifactId>\
         <modules><module>m</module></modules></project>",
    );
    let eclipse = (
        ".classpath",
        "<classpath><classpathentry kind=\"src\" path=\"src\"/>\
         <classpathentry kind=\"lib\" path=\"odd.jar\"/></classpath>",
    );
    let settings = ("telltale.toml", "[java]\nclasspath = [\"odd.jar\"]\n");
    for (beside, path) in [
        (JAVA, ".gitignore"),
        (JAVA, "src/.gitignore"),
        (JAVA, "pom.xml"),
        (JAVA, "lib/a.jar"),
        (JAVA, ".mvn/maven.config"),
        (JAVA, "src/B.java"),
        (pom, "up/parent.xml"),
        (pom, "m/pom.xml"),
        (pom, ".m2/settings.xml"),
        (pom, ".m2/repository/g/p/1/p-1.pom"),
        (gradle, "settings.gradle"),
        (gradle, "gradle.properties"),
        (gradle, "gradle/libs.versions.toml"),
        (gradle, "gradle.lockfile"),
        (eclipse, ".project"),
        (eclipse, "odd.jar"),
        (settings, "odd.jar"),
    ] {
        for make in [pipe, endless] {
            let project = Project::new(&[JAVA, beside]);
            make(&project, path);
            for command in ["observe", "doctor"] {
                let ran = survives(&project, &[command]);
                assert_eq!(ran.code, 0, "{path}: {ran:?}");
            }
        }
    }
}

/// A class file among others that is a pipe.
#[test]
fn classes_are_regular() {
    let project = Project::new(&[
        (
            "A.java",
            "class A { int f(p.B b) { int q = b.g(); return q; } }",
        ),
        ("telltale.toml", "[java]\nclasspath = [\"classes\"]\n"),
    ]);
    pipe(&project, "classes/p/B.class");
    assert_eq!(survives(&project, &["observe"]).code, 0);
}

#[test]
fn a_gitignore_that_does_not_count_is_named() {
    let project = Project::new(&[
        JAVA,
        ("src/.gitignore", "/B.java\n"),
        ("src/B.java", "class B {}"),
    ]);
    project.write(".gitignore", "src\n# pad\n".repeat(1_000_000).as_bytes());
    let ran = survives(&project, &["observe", "--quiet", "--format", "json"]);
    let says =
        "warning: .gitignore: it does not count: 10000000 bytes are too many, at most 200000 count";
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
    // The one below it does.
    assert_eq!(ran.json()["counts"]["files"], 1);
    project.write(".gitignore", b"");
    let ran = survives(&project, &["observe", "--quiet"]);
    assert_eq!(ran.stderr, "");
}

/// Patterns of the worst kind, as large as they may be, for some hundreds of files.
#[test]
fn odd_patterns_are_matched_in_time() {
    let project = Project::new(&[JAVA]);
    let mut patterns = String::new();
    while patterns.len() < 190_000 {
        let n = patterns.len();
        patterns.push_str(&format!("**/?*{n}*[a-z]?*/**/x*{n}\n"));
    }
    project.write(".gitignore", patterns.as_bytes());
    for file in 0..300 {
        project.write(&format!("src/p{}/C{file}.java", file % 10), b"class C { }");
    }
    assert_eq!(survives(&project, &["observe"]).code, 0);
}
