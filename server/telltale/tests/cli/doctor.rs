//! `telltale doctor`: what is there, what is missing, what would mend it; on a machine made for the test.

use crate::support::{Project, Ran, binary, ran, repository};
use serde_json::Value;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion>
<groupId>g</groupId><artifactId>a</artifactId><version>1</version>
<properties><io>2.0</io></properties>
<dependencies>
<dependency><groupId>x.y</groupId><artifactId>io</artifactId><version>${io}</version></dependency>
<dependency><groupId>x.y</groupId><artifactId>there</artifactId><version>1</version></dependency>
<dependency><groupId>x.y</groupId><artifactId>broken</artifactId><version>1</version><scope>test</scope></dependency>
</dependencies></project>";

/// An archive without entries.
const EMPTY_JAR: [u8; 22] = {
    let mut bytes = [0; 22];
    bytes[0] = b'P';
    bytes[1] = b'K';
    bytes[2] = 5;
    bytes[3] = 6;
    bytes
};

fn project() -> Project {
    let project = Project::new(&[
        ("work/pom.xml", POM),
        (
            "work/src/main/java/A.java",
            "class A { int m() { return new B().n(unknown()); } }",
        ),
        (
            "work/src/main/java/B.java",
            "class B { int n(int x) { return x; } }",
        ),
    ]);
    let pom = |name: &str| {
        format!(
            "<project><groupId>x.y</groupId><artifactId>{name}</artifactId><version>1</version></project>"
        )
    };
    for name in ["there", "broken"] {
        let path = format!("home/.m2/repository/x/y/{name}/1/{name}-1");
        project.write(&format!("{path}.pom"), pom(name).as_bytes());
        let jar: &[u8] = if name == "there" {
            &EMPTY_JAR
        } else {
            b"no archive"
        };
        project.write(&format!("{path}.jar"), jar);
    }
    project
}

/// Runs it where there is nothing but the project's own home: no JDK, no Maven.
fn doctor(project: &Project, arguments: &[&str]) -> Ran {
    let mut command = binary();
    command
        .env_clear()
        .env("HOME", project.path().join("home"))
        .env("USERPROFILE", project.path().join("home"))
        .env("JAVA_HOME", project.path().join("no-jdk"))
        .current_dir(project.path().join("work"))
        .arg("doctor")
        .args(arguments);
    ran(&mut command)
}

#[test]
fn it_says_what_is_missing_and_what_would_mend_it() {
    let project = project();
    let ran = doctor(&project, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for says in [
        "Maven (1 file) · 1 source set, 0 of tests · 2 Java files",
        "no-jdk (JAVA_HOME): there is no such folder",
        "2 entries from Maven, 1 of them for tests only",
        "x.y:io:2.0 (for .): not in the local repository",
        "broken-1.jar: cannot be read",
        "of 3 calls",
        "mvn dependency:resolve    fetches the 1 missing library",
        "delete the unreadable jars",
    ] {
        assert!(
            ran.stdout.contains(says),
            "{says:?} is not said:\n{}",
            ran.stdout
        );
    }
}

#[test]
fn the_json_meets_its_schema() {
    let path = repository().join("docs/schema/doctor-1.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("it is there"))
        .expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema compiles");
    let project = project();
    let demo = crate::support::telltale(&crate::support::demo(), &["doctor", "--format", "json"]);
    for found in [doctor(&project, &["--format", "json"]), demo] {
        let found = found.json();
        let errors: Vec<String> = schema
            .iter_errors(&found)
            .map(|e| format!("{}: {e}", e.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }
    let found = doctor(&project, &["--format", "json"]).json();
    assert_eq!(
        found["class_path"]["missing"][0]["coordinates"],
        "x.y:io:2.0"
    );
    assert_eq!(found["class_path"]["entries"][1]["is_test"], true);
    assert_eq!(found["accuracy"]["calls"], 3);
}

/// What a script asks for in words that nobody here reads is named, the first few unless all are asked for.
#[test]
fn dependencies_that_were_not_understood_are_named() {
    let project = Project::new(&[
        (
            "work/build.gradle",
            "ext.known = 'g:a:1'
dependencies {
    implementation known
    implementation 'g:a:1'
    implementation(library.foo)
    implementation enforcedPlatform(library.bom)
    testImplementation(library.test)
    testImplementation gradleApi()
}
",
        ),
        ("work/src/main/java/A.java", "class A {}"),
    ]);
    let text = doctor(&project, &[]).stdout;
    let says = "4 dependencies of build.gradle could not be read: implementation enforcedPlatform(library.bom), \
                implementation(library.foo), testImplementation gradleApi(), …\n";
    assert!(text.contains(says), "{text}");
    let text = doctor(&project, &["--verbose"]).stdout;
    assert!(text.contains("testImplementation(library.test)"), "{text}");
    let json = doctor(&project, &["--format", "json"]).json();
    let unread = &json["class_path"]["unread"];
    assert_eq!(unread.as_array().map(Vec::len), Some(4));
    assert_eq!(unread[0]["script"], "build.gradle");
    // A lock file has it all.
    project.write("work/gradle.lockfile", b"g:a:1=compileClasspath\n");
    let text = doctor(&project, &[]).stdout;
    assert!(!text.contains("could not be read"), "{text}");
}

/// What is guessed, what is generated and not there, and what is not read at all.
#[test]
fn what_gradle_leaves_open_is_said() {
    let project = Project::new(&[
        (
            "work/build.gradle",
            "dependencies { implementation 'g:a:1'\n annotationProcessor 'org.mapstruct:mapstruct-processor:1' }",
        ),
        ("work/src/main/java/A.java", "class A {}"),
        ("work/src/main/kotlin/K.kt", "class K"),
    ]);
    let cache = "home/.gradle/caches/modules-2/files-2.1/g";
    for (name, needs) in [
        (
            "a",
            "<dependencies><dependency><groupId>g</groupId><artifactId>b</artifactId><version>1</version></dependency></dependencies>",
        ),
        ("b", ""),
    ] {
        let pom = format!(
            "<project><groupId>g</groupId><artifactId>{name}</artifactId><version>1</version>{needs}</project>"
        );
        project.write(&format!("{cache}/{name}/1/aa/{name}-1.pom"), pom.as_bytes());
        project.write(&format!("{cache}/{name}/1/bb/{name}-1.jar"), &EMPTY_JAR);
    }
    let text = doctor(&project, &["--verbose"]).stdout;
    for says in [
        "Not read    1 Kotlin file: what they declare",
        "1 of them guessed",
        "g:b:1 (guessed)",
        "MapStruct in .",
        "./gradlew testClasses    makes the sources that are not on disk",
    ] {
        assert!(text.contains(says), "{says:?} is not said:\n{text}");
    }
    assert!(!text.contains("g:a:1 (guessed)"), "{text}");
    // Where sources were generated, nothing is said of it.
    project.write(
        "work/build/generated/sources/p/P.java",
        b"package p; class P {}",
    );
    let text = doctor(&project, &[]).stdout;
    assert!(
        !text.contains("Generated") && !text.contains("on disk"),
        "{text}"
    );
    let json = doctor(&project, &["--format", "json"]).json();
    assert_eq!(json["build"]["generators"][0]["is_on_disk"], true);
    assert_eq!(json["build"]["languages"][0]["name"], "Kotlin");
    assert_eq!(json["class_path"]["entries"][1]["is_guessed"], true);
}

/// A long list is cut, and says so; `--verbose` has all of it.
#[test]
fn long_lists_are_cut() {
    let project = project();
    let many: String = (0..20)
        .map(|n| {
            format!("<dependency><groupId>q</groupId><artifactId>a{n:02}</artifactId><version>1</version></dependency>")
        })
        .collect();
    let pom = POM.replace("<dependencies>", &format!("<dependencies>{many}"));
    project.write("work/pom.xml", pom.as_bytes());
    let short = doctor(&project, &[]).stdout;
    assert!(
        short.contains("and 16 more; --verbose shows them"),
        "{short}"
    );
    assert!(!short.contains("q:a19"), "{short}");
    let long = doctor(&project, &["--verbose"]).stdout;
    assert!(long.contains("q:a19:1"), "{long}");
    assert!(!long.contains("more;"), "{long}");
}

#[test]
fn a_path_without_java_is_a_mistake() {
    let project = project();
    std::fs::create_dir_all(project.path().join("work/empty")).expect("a folder");
    let root = project.path().join("work/empty");
    let ran = doctor(
        &project,
        &["empty", "--root", root.to_str().expect("UTF-8")],
    );
    ran.mistake(&["no Java file"]);
}
