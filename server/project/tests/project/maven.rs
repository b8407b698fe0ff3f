//! Maven.

use expect_test::expect;

use crate::{Fixture, check};

#[test]
fn one_module() {
    let fixture = Fixture::new("//- pom.xml\n<project><artifactId>a</artifactId></project>\n")
        .java(&[
            "src/main/java/org/x/A.java",
            "src/main/java/org/x/build/Foo.java",
            "src/main/java/org/x/target/Bar.java",
            "src/test/java/org/x/ATest.java",
            "src/it/java/org/x/AIT.java",
            "target/classes/Old.java",
        ]);
    check(
        &fixture,
        expect![[r#"
        main: src/main/java
            src/main/java/org/x/A.java
            src/main/java/org/x/build/Foo.java
            src/main/java/org/x/target/Bar.java
        it (test): src/it/java -> test, main
            src/it/java/org/x/AIT.java
        test (test): src/test/java -> main
            src/test/java/org/x/ATest.java
    "#]],
    );
}

/// Parents, profiles, inherited groups, properties, scopes, test-jars, transitive dependencies.
#[test]
fn many_modules() {
    let fixture = Fixture::new(
        r#"
//- pom.xml
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>org.x</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging>
  <modules><module>core</module><module>web/app</module></modules>
  <properties><core.name>the-core</core.name></properties>
  <profiles><profile><id>more</id><modules><module>extra/pom.xml</module></modules></profile></profiles>
  <dependencyManagement><dependencies>
    <dependency><groupId>org.x</groupId><artifactId>kit</artifactId><version>1</version><scope>test</scope></dependency>
  </dependencies></dependencyManagement>
</project>
//- core/pom.xml
<project>
  <parent><groupId>org.x</groupId><artifactId>parent</artifactId><version>1</version></parent>
  <artifactId>${core.name}</artifactId>
  <dependencies>
    <dependency><groupId>org.x</groupId><artifactId>base</artifactId></dependency>
    <dependency><groupId>org.x</groupId><artifactId>kit</artifactId></dependency>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><scope>test</scope></dependency>
  </dependencies>
</project>
//- base/pom.xml
<project>
  <parent><groupId>org.x</groupId><artifactId>parent</artifactId><version>1</version><relativePath>../pom.xml</relativePath></parent>
  <artifactId>base</artifactId>
</project>
//- kit/pom.xml
<project>
  <parent><groupId>org.x</groupId><artifactId>parent</artifactId><version>1</version><relativePath>..</relativePath></parent>
  <artifactId>kit</artifactId>
</project>
//- web/app/pom.xml
<project>
  <parent><groupId>org.x</groupId><artifactId>parent</artifactId><version>1</version><relativePath>../../pom.xml</relativePath></parent>
  <artifactId>app</artifactId>
  <dependencies>
    <dependency><groupId>${project.groupId}</groupId><artifactId>${core.name}</artifactId></dependency>
    <dependency><groupId>${project.groupId}</groupId><artifactId>${core.name}</artifactId><type>test-jar</type><scope>test</scope></dependency>
  </dependencies>
</project>
//- extra/pom.xml
<project>
  <groupId>org.other</groupId><artifactId>extra</artifactId>
  <dependencies><dependency><groupId>org.x</groupId><artifactId>app</artifactId><scope>provided</scope></dependency></dependencies>
</project>
"#,
    )
    .java(&[
        "base/src/main/java/b/Base.java",
        "core/src/main/java/c/Core.java",
        "core/src/test/java/c/CoreTest.java",
        "kit/src/main/java/k/Kit.java",
        "web/app/src/main/java/w/App.java",
        "web/app/src/test/java/w/AppTest.java",
        "extra/src/main/java/e/Extra.java",
        "docs/src/d/Doc.java",
    ]);
    check(
        &fixture,
        expect![[r#"
        docs/src: docs/src -> base/main, core/main, extra/main, kit/main, web/app/main
            docs/src/d/Doc.java
        base/main: base/src/main/java
            base/src/main/java/b/Base.java
        core/main: core/src/main/java -> base/main
            core/src/main/java/c/Core.java
        core/test (test): core/src/test/java -> core/main, kit/main, base/main
            core/src/test/java/c/CoreTest.java
        extra/main: extra/src/main/java -> web/app/main, core/main, base/main
            extra/src/main/java/e/Extra.java
        kit/main: kit/src/main/java
            kit/src/main/java/k/Kit.java
        web/app/main: web/app/src/main/java -> core/main, base/main
            web/app/src/main/java/w/App.java
        web/app/test (test): web/app/src/test/java -> web/app/main, core/test, core/main, base/main
            web/app/src/test/java/w/AppTest.java
    "#]],
    );
}

#[test]
fn folders_that_the_pom_names() {
    let fixture = Fixture::new(
        r#"
//- pom.xml
<project>
  <groupId>g</groupId><artifactId>p</artifactId>
  <properties><code>${project.basedir}/code</code></properties>
  <build>
    <sourceDirectory>${code}/main</sourceDirectory>
    <testSourceDirectory>checks</testSourceDirectory>
    <plugins><plugin>
      <groupId>org.codehaus.mojo</groupId><artifactId>build-helper-maven-plugin</artifactId>
      <executions>
        <execution><goals><goal>add-source</goal></goals>
          <configuration><sources><source>${basedir}/more</source><source>../outside</source><source>${unknown}/x</source></sources></configuration></execution>
        <execution><goals><goal>add-test-source</goal></goals>
          <configuration><sources><source>slow</source></sources></configuration></execution>
      </executions>
    </plugin></plugins>
  </build>
</project>
//- sub/pom.xml
<project><parent><groupId>g</groupId><artifactId>p</artifactId></parent><artifactId>s</artifactId></project>
//- code/main/a/A.java
package a;
//- more/a/B.java
package a;
//- checks/a/ATest.java
package a;
//- slow/a/SlowTest.java
package a;
//- sub/code/main/s/S.java
package s;
"#,
    );
    check(
        &fixture,
        expect![[r#"
            main: code/main, more
                code/main/a/A.java
                more/a/B.java
            test (test): checks, slow -> main
                checks/a/ATest.java
                slow/a/SlowTest.java
            sub/main: sub/code/main
                sub/code/main/s/S.java
            ! pom.xml: folder ${unknown}/x is not known from the files alone
            ! pom.xml: folder ../outside is not known from the files alone
        "#]],
    );
}

#[test]
fn generated_sources() {
    let fixture = Fixture::new("//- pom.xml\n<project><artifactId>a</artifactId></project>\n//- .gitignore\ntarget\n//- target/generated-sources/xjc/x/Gen.java\npackage x;\n//- target/generated-sources/proto/java/x/Msg.java\npackage x;\n//- target/generated-sources/delombok/x/A.java\npackage x;\n//- target/generated-test-sources/t/x/GenTest.java\npackage x;\n//- target/other/x/O.java\npackage x;\n")
        .java(&["src/main/java/x/A.java", "src/test/java/x/ATest.java"]);
    // What the generator repeats is left out.
    check(
        &fixture,
        expect![[r#"
            main: src/main/java, target/generated-sources/proto/java, target/generated-sources/xjc
                src/main/java/x/A.java
                target/generated-sources/proto/java/x/Msg.java
                target/generated-sources/xjc/x/Gen.java
            test (test): src/test/java, target/generated-test-sources/t -> main
                src/test/java/x/ATest.java
                target/generated-test-sources/t/x/GenTest.java
        "#]],
    );
}

#[test]
fn two_modules_may_declare_the_same() {
    let fixture = Fixture::new("//- a/pom.xml\n<project><artifactId>a</artifactId></project>\n//- b/pom.xml\n<project><artifactId>b</artifactId></project>\n")
        .java(&["a/src/main/java/x/A.java", "b/src/main/java/x/A.java"]);
    check(
        &fixture,
        expect![[r#"
        a/main: a/src/main/java
            a/src/main/java/x/A.java
        b/main: b/src/main/java
            b/src/main/java/x/A.java
    "#]],
    );
}

#[test]
fn projects_among_test_resources_are_tests() {
    let fixture = Fixture::new("//- pom.xml\n<project><groupId>g</groupId><artifactId>a</artifactId></project>\n//- src/test/resources/demo/pom.xml\n<project><groupId>g</groupId><artifactId>a</artifactId></project>\n//- src/test/resources/Input.java\npackage wrong;\n")
        .java(&["src/main/java/x/A.java", "src/test/java/x/ATest.java", "src/test/resources/demo/src/main/java/d/D.java"]);
    check(
        &fixture,
        expect![[r#"
        main: src/main/java
            src/main/java/x/A.java
        test (test): src/test/java -> main
            src/test/java/x/ATest.java
        src/test/resources (test): src/test/resources -> test, main
            src/test/resources/Input.java
        src/test/resources/demo/main (test): src/test/resources/demo/src/main/java
            src/test/resources/demo/src/main/java/d/D.java
    "#]],
    );
}

#[test]
fn a_broken_pom_falls_back_to_convention() {
    let fixture = Fixture::new("//- pom.xml\n<project>\n  <artifactId>a</artifactId>\n  <modules><module>gone</module></modules>\n  <build></project>\n//- empty/pom.xml\n\n//- html/pom.xml\n<html/>\n")
        .java(&["src/main/java/x/A.java", "src/test/java/x/ATest.java", "empty/src/main/java/y/B.java"]);
    check(
        &fixture,
        expect![[r#"
        main: src/main/java
            src/main/java/x/A.java
        test (test): src/test/java -> main
            src/test/java/x/ATest.java
        empty/main: empty/src/main/java
            empty/src/main/java/y/B.java
        ! empty/pom.xml:1: no <project> element
        ! html/pom.xml:1: no <project> element
        ! pom.xml: module gone does not exist
        ! pom.xml:4: not well-formed XML, the rest is taken by convention: ill-formed document: expected `</build>`, but `</project>` was found
    "#]],
    );
}

#[test]
fn a_pom_in_latin_1() {
    let fixture = Fixture::new("").java(&["code/x/A.java"]);
    let mut pom = b"<project><!-- Ren\xe9 --><artifactId>a</artifactId>".to_vec();
    pom.extend(b"<build><sourceDirectory>code</sourceDirectory></build></project>");
    fixture.write("pom.xml", pom);
    check(
        &fixture,
        expect![[r#"
        main: code
            code/x/A.java
    "#]],
    );
}

#[test]
fn circles_end() {
    let fixture = Fixture::new(
        r#"
//- a/pom.xml
<project><parent><groupId>g</groupId><artifactId>b</artifactId><relativePath>../b</relativePath></parent>
  <groupId>g</groupId><artifactId>a</artifactId><properties><x>${y}${y}</x><y>${x}${x}</y></properties>
  <modules><module>../b</module></modules><build><sourceDirectory>${x}</sourceDirectory></build>
  <dependencies><dependency><groupId>g</groupId><artifactId>b</artifactId></dependency></dependencies></project>
//- b/pom.xml
<project><parent><groupId>g</groupId><artifactId>a</artifactId><relativePath>../a</relativePath></parent>
  <groupId>g</groupId><artifactId>b</artifactId><modules><module>../a</module></modules>
  <dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId></dependency></dependencies></project>
"#,
    )
    .java(&["a/src/main/java/x/A.java", "b/src/main/java/x/B.java"]);
    let layout = fixture.layout();
    let names: Vec<&str> = layout
        .source_sets
        .iter()
        .map(|set| set.name.as_str())
        .collect();
    assert_eq!(names, ["a/main", "b/main"]);
    assert_eq!(layout.source_sets[0].visible, [1]);
    assert_eq!(layout.source_sets[1].visible, [0]);
}

#[test]
fn files_beside_the_source_folders() {
    let fixture = Fixture::new("//- pom.xml\n<project><artifactId>a</artifactId></project>\n//- src/main/java11/x/A.java\npackage x;\n//- examples/Demo.java\nclass Demo {}\n//- src/test/groovy/x/SpecHelper.java\npackage x;\n//- src/main/resources/Template.java\n//- src/test/resources-broken/Input.java\n")
        .java(&["src/main/java/x/A.java", "src/test/java/x/ATest.java"]);
    check(
        &fixture,
        expect![[r#"
            main: src/main/java -> examples
                src/main/java/x/A.java
            examples: examples -> main
                examples/Demo.java
            src/main/java11: src/main/java11 -> main, examples
                src/main/java11/x/A.java
            src/main/resources: src/main/resources -> main, examples
                src/main/resources/Template.java
            test (test): src/test/groovy, src/test/java -> main, examples
                src/test/groovy/x/SpecHelper.java
                src/test/java/x/ATest.java
            src/test/resources-broken (test): src/test/resources-broken -> test, main, src/main/java11, examples
                src/test/resources-broken/Input.java
        "#]],
    );
}

#[test]
fn lombok_is_noticed() {
    let fixture = Fixture::new("//- pom.xml\n<project><dependencies><dependency><groupId>org.projectlombok</groupId><artifactId>lombok</artifactId></dependency></dependencies></project>\n")
        .java(&["src/main/java/x/A.java"]);
    assert!(fixture.layout().source_sets[0].uses_lombok);
    let fixture = Fixture::new("//- pom.xml\n<project/>\n").java(&["src/main/java/x/A.java"]);
    assert!(!fixture.layout().source_sets[0].uses_lombok);
}
