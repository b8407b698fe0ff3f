//! Class paths from poms and Gradle's files, with repositories made for the test.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use program::ClassSource;
use project::libraries::{Libraries, find};

use crate::Fixture;
use crate::classes::jar;
use crate::libraries::{libraries, machine};

/// The report as text: entries (`t` for tests), what is missing, conflicts, processors.
pub(crate) fn shown(found: &Libraries) -> String {
    let report = &found.report;
    let mut out = String::new();
    for entry in &report.entries {
        let name = entry.coordinates.as_deref().unwrap_or("?");
        let kind = if entry.is_test { "t" } else { "-" };
        writeln!(out, "{kind} {name}").unwrap();
    }
    for missing in &report.missing {
        let who = &missing.wanted_by;
        writeln!(out, "missing {} for '{who}'", missing.coordinates).unwrap();
    }
    for conflict in &report.conflicts {
        writeln!(
            out,
            "{} {} not {:?}",
            conflict.name, conflict.taken, conflict.others
        )
        .unwrap();
    }
    for processor in &report.processors {
        writeln!(
            out,
            "processor {} in '{}'",
            processor.name, processor.module
        )
        .unwrap();
    }
    out
}

fn check(fixture: &Fixture, expected: &Expect) {
    expected.assert_eq(&shown(&libraries(fixture)));
}

/// A repository of poms and jars in a few words: `g:a:1 > g:b:2 test, g:c:1 optional !g:d` publishes `a` with two
/// dependencies, the second without what it brings along of `d`.
fn publish(fixture: &Fixture, artifacts: &str) {
    for line in artifacts
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let (gav, dependencies) = line.split_once('>').unwrap_or((line, ""));
        let mut pom = project(gav.trim());
        write!(
            pom,
            "<dependencies>{}</dependencies>",
            declared(dependencies)
        )
        .unwrap();
        pom.push_str("</project>");
        pom_at(fixture, gav.trim(), &pom);
        jar_at(fixture, gav.trim());
    }
}

fn parts(gav: &str) -> (&str, &str, &str) {
    let mut parts = gav.split(':');
    let mut part = || parts.next().unwrap_or("");
    (part(), part(), part())
}

pub(crate) fn project(gav: &str) -> String {
    let (g, a, v) = parts(gav);
    format!("<project><groupId>{g}</groupId><artifactId>{a}</artifactId><version>{v}</version>")
}

/// `<dependency>` elements of a list: coordinates, then scope, `optional`, `pom`, `!group:artifact` to exclude.
pub(crate) fn declared(list: &str) -> String {
    let mut out = String::new();
    for item in list
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
    {
        let mut words = item.split_whitespace();
        let (g, a, v) = parts(words.next().unwrap());
        write!(
            out,
            "<dependency><groupId>{g}</groupId><artifactId>{a}</artifactId>"
        )
        .unwrap();
        if !v.is_empty() {
            write!(out, "<version>{v}</version>").unwrap();
        }
        for word in words {
            match (word, word.strip_prefix('!')) {
                (_, Some(excluded)) => {
                    let (g, a, _) = parts(excluded);
                    write!(out, "<exclusions><exclusion><groupId>{g}</groupId><artifactId>{a}</artifactId></exclusion></exclusions>").unwrap();
                }
                ("optional", _) => out.push_str("<optional>true</optional>"),
                ("pom", _) => out.push_str("<type>pom</type>"),
                (scope, _) => write!(out, "<scope>{scope}</scope>").unwrap(),
            }
        }
        out.push_str("</dependency>");
    }
    out
}

fn folder(gav: &str) -> String {
    let (g, a, v) = parts(gav);
    format!(
        "home/.m2/repository/{}/{a}/{v}/{a}-{v}",
        g.replace('.', "/")
    )
}

pub(crate) fn pom_at(fixture: &Fixture, gav: &str, text: &str) {
    fixture.write(&format!("{}.pom", folder(gav)), text);
}

pub(crate) fn jar_at(fixture: &Fixture, gav: &str) {
    let (_, a, v) = parts(gav);
    let class = format!("{a}/V{}", v.replace(['.', '-'], "_"));
    fixture.write(&format!("{}.jar", folder(gav)), jar(&[&class]));
}

/// A project of one pom, of which this stands between coordinates and end.
fn with_pom(inner: &str) -> Fixture {
    Fixture::new(&format!(
        "//- pom.xml\n{}{inner}</project>\n//- src/main/java/A.java\nclass A {{}}",
        project("own:own:1")
    ))
}

fn depending(list: &str) -> Fixture {
    with_pom(&format!("<dependencies>{}</dependencies>", declared(list)))
}

#[test]
fn nearest_wins_scopes_exclusions_and_optional() {
    let fixture = depending("g:a:1, g:b:1 test, g:p:1 provided, g:s:1 runtime !g:hidden");
    publish(
        &fixture,
        "g:a:1 > g:x:1, g:only-tests:1 test, g:maybe:1 optional, g:its:1 provided
         g:b:1 > g:far:1, g:x:2
         g:far:1 > g:y:1
         g:p:1 > g:y:2
         g:s:1 > g:hidden:1, g:z:1
         g:z:1 > g:hidden:1
         g:x:1
         g:x:2
         g:y:1
         g:y:2
         g:hidden:1
         g:only-tests:1
         g:maybe:1
         g:its:1",
    );
    check(
        &fixture,
        &expect![[r#"
            - g:a:1
            - g:x:1
            - g:p:1
            - g:y:2
            - g:s:1
            - g:z:1
            t g:b:1
            t g:far:1
        "#]],
    );
    let found = libraries(&fixture);
    assert!(found.classes.has_class("x.V1") && !found.classes.has_class("x.V2"));
}

#[test]
fn parents_properties_management_and_bills() {
    let fixture = with_pom(&format!(
        "<parent><groupId>g</groupId><artifactId>parent</artifactId><version>1</version></parent>
         <properties><over>2</over><name>mid</name></properties>
         <dependencyManagement><dependencies>{}{}</dependencies></dependencyManagement>
         <dependencies>{}</dependencies>",
        declared("g:deep:9"),
        declared("g:bill:1 pom import"),
        declared("g:a:${over}, g:m, g:${name}:${project.parent.version}, g:inherited, g:billed"),
    ));
    pom_at(
        &fixture,
        "g:parent:1",
        &format!(
            "{}<properties><over>1</over></properties><packaging>pom</packaging>
             <dependencyManagement><dependencies>{}</dependencies></dependencyManagement>
             <dependencies>{}</dependencies></project>",
            project("g:parent:1"),
            declared("g:m:3 test, g:inherited:${over}, g:billed:5"),
            declared("g:from-parent:1"),
        ),
    );
    pom_at(
        &fixture,
        "g:bill:1",
        &format!(
            "{}<packaging>pom</packaging><dependencyManagement><dependencies>{}</dependencies></dependencyManagement></project>",
            project("g:bill:1"),
            declared("g:billed:6, g:below:7"),
        ),
    );
    publish(
        &fixture,
        "g:a:2 > g:deep:1, g:below:1
         g:m:3
         g:mid:1
         g:inherited:2
         g:billed:5
         g:from-parent:1
         g:deep:9
         g:below:7",
    );
    check(
        &fixture,
        &expect![[r#"
            - g:a:2
            - g:deep:9
            - g:below:7
            - g:mid:1
            - g:inherited:2
            - g:billed:5
            - g:from-parent:1
            t g:m:3
        "#]],
    );
}

#[test]
fn circles_end() {
    let fixture = with_pom(&format!(
        "<parent><groupId>g</groupId><artifactId>p1</artifactId><version>1</version></parent>
         <properties><a>${{b}}</a><b>${{a}}</b><big>${{big}}${{big}}</big></properties>
         <dependencyManagement><dependencies>{}</dependencies></dependencyManagement>
         <dependencies>{}</dependencies>",
        declared("g:bill1:1 pom import, own:own:1 pom import"),
        declared("g:x:${a}, g:y:${big}, g:round1:1, own:own:1"),
    ));
    for (own, other) in [("p1", "p2"), ("p2", "p1")] {
        let gav = format!("g:{own}:1");
        pom_at(
            &fixture,
            &gav,
            &format!(
                "{}<parent><groupId>g</groupId><artifactId>{other}</artifactId><version>1</version></parent></project>",
                project(&gav)
            ),
        );
    }
    for (own, other) in [("bill1", "bill2"), ("bill2", "bill1")] {
        let gav = format!("g:{own}:1");
        let bill = declared(&format!("g:{other}:1 pom import"));
        pom_at(
            &fixture,
            &gav,
            &format!(
                "{}<dependencyManagement><dependencies>{bill}</dependencies></dependencyManagement></project>",
                project(&gav)
            ),
        );
    }
    publish(
        &fixture,
        "g:round1:1 > g:round2:1\n g:round2:1 > g:round1:1",
    );
    let found = libraries(&fixture);
    let names: Vec<&str> = found
        .report
        .entries
        .iter()
        .filter_map(|entry| entry.coordinates.as_deref())
        .collect();
    assert_eq!(names, ["g:round1:1", "g:round2:1"]);
    assert_eq!(found.report.missing.len(), 2, "{:?}", found.report.missing);
}

/// Long chains, on a stack that would not bear a call for each link.
#[test]
fn long_chains_end() {
    let parent = |n: usize| {
        format!(
            "<parent><groupId>g</groupId><artifactId>parent{n}</artifactId><version>1</version></parent>"
        )
    };
    let fixture = with_pom(&format!(
        "{}<dependencies>{}</dependencies>",
        parent(0),
        declared("g:c0:1")
    ));
    for n in 0..300 {
        publish(&fixture, &format!("g:c{n}:1 > g:c{}:1", n + 1));
    }
    for n in 0..100 {
        let gav = format!("g:parent{n}:1");
        let pom = format!("{}{}</project>", project(&gav), parent(n + 1));
        pom_at(&fixture, &gav, &pom);
    }
    let run = || libraries(&fixture).report;
    let report = std::thread::scope(|scope| {
        let small = std::thread::Builder::new().stack_size(192 << 10);
        small.spawn_scoped(scope, run).unwrap().join().unwrap()
    });
    assert_eq!(report.entries.len(), 300);
    let missing: Vec<&str> = report
        .missing
        .iter()
        .map(|m| m.coordinates.as_str())
        .collect();
    assert_eq!(missing, ["g:c300:1"]);
}

#[test]
fn modules_of_the_workspace_are_sources_and_versions_are_united() {
    let parent = format!(
        "{}<packaging>pom</packaging><modules><module>core</module><module>web</module><module>old</module></modules></project>",
        project("w:parent:1-SNAPSHOT")
    );
    let module = |name: &str, dependencies: &str| {
        format!(
            "<project><parent><groupId>w</groupId><artifactId>parent</artifactId><version>1-SNAPSHOT</version></parent><artifactId>{name}</artifactId><dependencies>{}</dependencies></project>",
            declared(dependencies)
        )
    };
    let fixture = Fixture::new(&format!(
        "//- pom.xml\n{parent}\n//- core/pom.xml\n{}\n//- web/pom.xml\n{}\n//- old/pom.xml\n{}\n",
        module("core", "g:a:2, g:t:1 test"),
        module("web", "w:core:1-SNAPSHOT, g:b:1"),
        module("old", "g:a:1, w:core:0.9, g:t:1"),
    ))
    .java(&["core/src/main/java/c/C.java", "web/src/main/java/w/W.java"]);
    publish(&fixture, "g:a:1\n g:a:2\n g:b:1\n g:t:1\n w:core:0.9");
    let moved = jar(&["a/Both", "old/Only"]);
    fixture.write(&format!("{}.jar", folder("g:a:1")), moved);
    check(
        &fixture,
        &expect![[r#"
            - g:a:2
            - g:t:1
            - w:core:0.9
            - g:b:1
            - g:a:1
            g:a 2 not [("1", "old")]
        "#]],
    );
    // What only the other version has is known.
    assert!(libraries(&fixture).classes.has_class("old.Only"));
}

#[test]
fn what_is_missing_is_named() {
    let fixture = with_pom(&format!(
        "<parent><groupId>g</groupId><artifactId>no-parent</artifactId><version>1</version></parent>
         <dependencyManagement><dependencies>{}</dependencies></dependencyManagement>
         <dependencies>{}</dependencies>",
        declared("g:no-bill:1 pom import"),
        declared("g:no-jar:1, g:no-pom:1, g:nothing:1, g:no-version, g:../../x:1"),
    ));
    publish(&fixture, "g:no-jar:1");
    std::fs::remove_file(fixture.path(&format!("{}.jar", folder("g:no-jar:1")))).unwrap();
    jar_at(&fixture, "g:no-pom:1");
    check(
        &fixture,
        &expect![[r#"
            - g:no-pom:1
            missing g:../../x:1 for ''
            missing g:no-bill:pom:1 for 'own:own:1'
            missing g:no-jar:1 for ''
            missing g:no-parent:pom:1 for 'pom.xml'
            missing g:no-pom:1 for ''
            missing g:no-version:? for ''
            missing g:nothing:1 for ''
        "#]],
    );
    let found = libraries(&fixture);
    assert!(!found.classes.is_stale());
    jar_at(&fixture, "g:nothing:1");
    assert!(found.classes.is_stale(), "a jar that was fetched is news");
}

#[test]
fn profiles_ranges_relocations_snapshots_and_settings() {
    let fixture = with_pom(&format!(
        "<properties><v>1</v></properties><dependencies>{}</dependencies>
         <profiles>
         <profile><id>a</id><activation><file><exists>marker</exists></file></activation><properties><v>2</v></properties></profile>
         <profile><id>b</id><activation><property><name>never</name></property></activation><dependencies>{}</dependencies></profile>
         <profile><id>c</id><activation><property><name>!never</name></property></activation><dependencies>{}</dependencies></profile>
         <profile><id>d</id><activation><activeByDefault>true</activeByDefault></activation><dependencies>{}</dependencies></profile>
         </profiles>",
        declared("g:a:${v}, g:ranged:[1.0\\,2), old:name:1, g:snap:1-SNAPSHOT"),
        declared("g:b:1"),
        declared("g:c:1"),
        declared("g:d:1"),
    ).replace("\\</groupId>", ""));
    fixture.write("marker", "");
    // A list of dependencies is split at commas, a range has one.
    let pom = std::fs::read_to_string(fixture.path("pom.xml")).unwrap();
    let at = pom.find("<version>[1.0\\</version>").unwrap();
    let end = pom[at..].find("<dependency><groupId>old").unwrap() + at;
    let pom = format!(
        "{}<version>[1.0,2)</version></dependency>{}",
        &pom[..at],
        &pom[end..]
    );
    fixture.write("pom.xml", pom);
    publish(
        &fixture,
        "g:a:1\n g:a:2\n g:b:1\n g:c:1\n g:d:1\n g:ranged:1.2\n g:ranged:1.10\n g:ranged:2.0\n new:name:1",
    );
    pom_at(
        &fixture,
        "old:name:1",
        &format!(
            "{}<distributionManagement><relocation><groupId>new</groupId></relocation></distributionManagement></project>",
            project("old:name:1")
        ),
    );
    let snapshots = "home/.m2/repository/g/snap/1-SNAPSHOT/snap-1";
    fixture.write(
        &format!("{snapshots}-20260101.120000-9.jar"),
        jar(&["snap/Old"]),
    );
    fixture.write(
        &format!("{snapshots}-20260101.120000-10.jar"),
        jar(&["snap/New"]),
    );
    fixture.write(
        &format!("{snapshots}-20260101.120000-11-sources.jar"),
        jar(&["snap/No"]),
    );
    let expected = expect![[r#"
        - g:a:2
        - g:ranged:1.10
        - new:name:1
        - g:snap:1-SNAPSHOT
        - g:c:1
        missing g:snap:1-SNAPSHOT for ''
    "#]];
    check(&fixture, &expected);
    let found = libraries(&fixture);
    assert!(found.classes.has_class("snap.New") && !found.classes.has_class("snap.Old"));
    // The same from another place.
    std::fs::rename(
        fixture.path("home/.m2/repository"),
        fixture.path("elsewhere"),
    )
    .unwrap();
    fixture.write(
        "home/.m2/settings.xml",
        "<settings><localRepository>${user.home}/../${env.WHERE}</localRepository></settings>",
    );
    let mut machine = machine(&fixture);
    machine.variables = vec![("WHERE".to_owned(), "elsewhere".to_owned())];
    let found = find(&fixture.layout(), &fixture.config(), &machine);
    expected.assert_eq(&shown(&found));
    // A variable that stands for itself ends.
    machine.variables = vec![("WHERE".to_owned(), "${env.WHERE}".to_owned())];
    let found = find(&fixture.layout(), &fixture.config(), &machine);
    assert_eq!(found.report.entries.len(), 0);
}

#[test]
fn processors_and_the_release_that_is_compiled_for() {
    let fixture = with_pom(
        "<properties><maven.compiler.release>8</maven.compiler.release></properties>
         <build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><configuration>
         <annotationProcessorPaths><path><groupId>org.mapstruct</groupId><artifactId>mapstruct-processor</artifactId></path>
         <path><groupId>org.projectlombok</groupId><artifactId>lombok</artifactId></path></annotationProcessorPaths>
         </configuration></plugin></plugins></build>",
    );
    check(
        &fixture,
        &expect![[r#"
            processor org.mapstruct:mapstruct-processor in ''
        "#]],
    );
    assert_eq!(libraries(&fixture).report.release, 8);
}

/// Broken, unreadable and hostile poms, each with what can be known of the rest.
#[test]
fn broken_poms() {
    let fixture = depending("g:cut:1, g:folder:1, g:text:1, g:deep:1, g:fine:1");
    publish(&fixture, "g:fine:1");
    for name in ["cut", "folder", "text", "deep"] {
        jar_at(&fixture, &format!("g:{name}:1"));
    }
    pom_at(
        &fixture,
        "g:cut:1",
        "<project><artifactId>cut</artifactId><dependencies><dependency>",
    );
    fixture.write(&format!("{}.pom/x", folder("g:folder:1")), "");
    pom_at(&fixture, "g:text:1", "no pom \u{0} &");
    pom_at(&fixture, "g:deep:1", &"<project>".repeat(100_000));
    check(
        &fixture,
        &expect![[r#"
            - g:cut:1
            - g:folder:1
            - g:text:1
            - g:deep:1
            - g:fine:1
            missing g:folder:1 for ''
            missing g:text:1 for ''
        "#]],
    );
}

/// A pom alone in Gradle's cache.
fn cache_pom(fixture: &Fixture, gav: &str, text: &str) {
    let (g, a, v) = parts(gav);
    let to = format!("home/.gradle/caches/modules-2/files-2.1/{g}/{a}/{v}/0a1b/{a}-{v}.pom");
    fixture.write(&to, text);
}

/// Publishes into Gradle's cache.
fn cache(fixture: &Fixture, artifacts: &str) {
    publish(fixture, artifacts);
    for line in artifacts
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let gav = line.split('>').next().unwrap_or(line).trim();
        let (g, a, v) = parts(gav);
        for (hash, extension) in [("0a1b", "pom"), ("ff", "jar")] {
            let from = fixture.path(&format!("{}.{extension}", folder(gav)));
            let to = format!(
                "home/.gradle/caches/modules-2/files-2.1/{g}/{a}/{v}/{hash}/{a}-{v}.{extension}"
            );
            fixture.write(&to, std::fs::read(from).unwrap());
        }
    }
    std::fs::remove_dir_all(fixture.path("home/.m2")).unwrap();
}

#[test]
fn gradle_scripts_catalogs_and_the_highest_version() {
    let fixture = Fixture::new(
        r#"
//- settings.gradle
include 'core'
//- gradle.properties
ioVersion=2.0
//- gradle/libs.versions.toml
[versions]
lang = "3.1"
[libraries]
commons-lang = { module = "org.lang:commons-lang", version.ref = "lang" }
json = "org.json:json:1"
xml = { group = "org.xml", name = "xml", version = { strictly = "4" } }
[bundles]
data = ["json", "xml"]
//- build.gradle
buildscript { dependencies { classpath 'no:plugin:1' } }
ext { testVersion = '5.1' }
//- core/build.gradle
dependencies {
    implementation "g:io:$ioVersion"
    implementation libs.commons.lang
    api libs.bundles.data
    testImplementation platform('g:bill:1')
    testImplementation 'g:billed'
    testImplementation "g:junit:${testVersion}"
    runtimeOnly 'g:gone:1'
    implementation "g:odd:${unknown()}"
    implementation fileTree(dir: 'libs', include: ['*.jar'])
    annotationProcessor 'g:processor:1'
}
"#,
    )
    .java(&["core/src/main/java/c/C.java"]);
    cache(
        &fixture,
        "g:io:2.0 > g:shared:1
         org.lang:commons-lang:3.1 > g:shared:1.10
         org.json:json:1 > g:shared:1.9, g:tests-of-json:1 test
         org.xml:xml:4
         g:shared:1
         g:shared:1.9
         g:shared:1.10 > g:below:1
         g:below:1
         g:billed:7
         g:junit:5.1",
    );
    fixture.write(
        "home/.gradle/caches/modules-2/files-2.1/g/bill/1/aa/bill-1.pom",
        format!(
            "{}<packaging>pom</packaging><dependencyManagement><dependencies>{}</dependencies></dependencyManagement></project>",
            project("g:bill:1"),
            declared("g:billed:7")
        ),
    );
    fixture.write("core/libs/own.jar", jar(&["own/Own"]));
    let found = libraries(&fixture);
    assert!(found.classes.has_class("own.Own"));
    expect![[r#"
        - g:io:2.0
        - org.lang:commons-lang:3.1
        - org.json:json:1
        - org.xml:xml:4
        - g:shared:1.10
        - g:below:1
        - ?
        t g:billed:7
        t g:junit:5.1
        missing g:gone:1 for 'core'
        missing g:odd:${unknown()} for 'core'
        processor g:processor in 'core'
    "#]]
    .assert_eq(&shown(&found));
}

#[test]
fn a_lock_file_tells_all() {
    let fixture = Fixture::new(
        r#"
//- build.gradle
dependencies { implementation 'g:a:+' }
//- gradle.lockfile
# This is a Gradle generated file for dependency locking.
g:a:3=compileClasspath,runtimeClasspath,testCompileClasspath
g:t:1=testCompileClasspath,testRuntimeClasspath
g:processor:1=annotationProcessor
g:gone:1=compileClasspath
empty=annotationProcessor
"#,
    )
    .java(&["src/main/java/c/C.java"]);
    cache(&fixture, "g:a:3\n g:t:1\n g:processor:1");
    check(
        &fixture,
        &expect![[r#"
            - g:a:3
            t g:t:1
            missing g:gone:1 for ''
        "#]],
    );
}

/// Without a lock file it is known what the files name in a version; what else comes along is guessed. Versions come
/// from the catalog, from its plugins and from what Spring's dependency management says.
#[test]
fn what_gradle_would_choose_is_known_or_guessed() {
    let fixture = Fixture::new(
        "//- settings.gradle
//- gradle/libs.versions.toml
[versions]
boot = '3'
[libraries]
named = { module = 'g:named', version = '1' }
[plugins]
spring-boot = { id = 'org.springframework.boot', version.ref = 'boot' }
//- build.gradle
plugins { alias(libs.plugins.spring.boot) }
dependencyManagement { dependencies {
    dependency 'g:managed:4'
    dependencySet(group: 'g', version: '5') { entry 'entry' }
} }
dependencies {
    implementation libs.named
    implementation 'g:said:1'
    implementation 'g:raised:1'
    implementation 'g:booted'
    implementation 'g:managed'
    implementation 'g:entry'
    testImplementation \"g:var:${libs.versions.boot.get()}\"
}
//- src/main/java/A.java
class A {}",
    );
    let boot = "org.springframework.boot:spring-boot-dependencies:3";
    cache_pom(
        &fixture,
        boot,
        &format!(
            "{}<packaging>pom</packaging><dependencyManagement><dependencies>{}</dependencies></dependencyManagement></project>",
            project(boot),
            declared("g:booted:3")
        ),
    );
    cache(
        &fixture,
        "g:named:1 > g:brought:1, g:raised:2
         g:said:1
         g:raised:2
         g:brought:1
         g:booted:3
         g:managed:4
         g:entry:5
         g:var:3",
    );
    let told = |found: &Libraries| -> Vec<String> {
        let entries = found.report.entries.iter();
        let entries = entries.map(|entry| {
            let name = entry.coordinates.as_deref().unwrap_or("?");
            format!("{name}{}", if entry.is_guessed { " guessed" } else { "" })
        });
        entries.collect()
    };
    assert_eq!(
        told(&libraries(&fixture)),
        [
            "g:named:1",
            "g:said:1",
            "g:raised:2 guessed",
            "g:booted:3",
            "g:managed:4",
            "g:entry:5",
            "g:brought:1 guessed",
            "g:var:3",
        ]
    );
    // A lock file knows.
    fixture.write("gradle.lockfile", "g:raised:2=compileClasspath\n");
    assert_eq!(told(&libraries(&fixture)), ["g:raised:2"]);
}
