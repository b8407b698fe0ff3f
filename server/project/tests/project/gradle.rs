//! Gradle.

use expect_test::expect;

use crate::{Fixture, check};

#[test]
fn one_project_with_several_source_sets() {
    let fixture = Fixture::new("//- build.gradle\nplugins { id 'java' }\n//- .gitignore\nbuild/\n//- build/generated/sources/annotationProcessor/java/main/x/Gen.java\npackage x;\n//- build/generated/sources/annotationProcessor/java/test/x/GenT.java\npackage x;\n//- build/tmp/x/Tmp.java\npackage x;\n")
        .java(&[
            "src/main/java/x/A.java",
            "src/main/java/x/build/B.java",
            "src/test/java/x/ATest.java",
            "src/testFixtures/java/x/Fix.java",
            "src/integrationTest/java/x/AIT.java",
            "src/jmh/java/x/Bench.java",
            "src/api/java/x/Api.java",
        ]);
    check(
        &fixture,
        expect![[r#"
        main: build/generated/sources/annotationProcessor/java/main, src/main/java -> api
            build/generated/sources/annotationProcessor/java/main/x/Gen.java
            src/main/java/x/A.java
            src/main/java/x/build/B.java
        api: src/api/java -> main
            src/api/java/x/Api.java
        integrationTest (test): src/integrationTest/java -> test, testFixtures, main, api
            src/integrationTest/java/x/AIT.java
        jmh (test): src/jmh/java -> test, testFixtures, main, api
            src/jmh/java/x/Bench.java
        test (test): build/generated/sources/annotationProcessor/java/test, src/test/java -> testFixtures, main, api
            build/generated/sources/annotationProcessor/java/test/x/GenT.java
            src/test/java/x/ATest.java
        testFixtures (test): src/testFixtures/java -> main, api
            src/testFixtures/java/x/Fix.java
    "#]],
    );
}

#[test]
fn groovy_settings_and_dependencies() {
    let fixture = Fixture::new(
        r#"
//- settings.gradle
rootProject.name = 'demo' // include 'commented'
include 'core', ':lib:util'
include(":odd",
        "missing")
project(':odd').projectDir = new File(settingsDir, 'elsewhere/odd')
//- build.gradle
subprojects {
  dependencies { testImplementation project(':lib:util').sourceSets.test.output }
}
project(':odd') { dependencies { implementation project(':core') } }
//- core/build.gradle
dependencies {
    api project(':lib:util')
    testImplementation(testFixtures(project(":lib:util")))
    testImplementation project(path: ':odd', configuration: 'testArtifacts')
}
//- lib/util/util.gradle
configurations { x }
"#,
    )
    .java(&[
        "core/src/main/java/c/C.java",
        "core/src/test/java/c/CTest.java",
        "lib/util/src/main/java/u/U.java",
        "lib/util/src/test/java/u/UTest.java",
        "lib/util/src/testFixtures/java/u/UFix.java",
        "elsewhere/odd/src/main/java/o/O.java",
        "elsewhere/odd/src/test/java/o/OTest.java",
    ]);
    check(
        &fixture,
        expect![[r#"
        core/main: core/src/main/java -> lib/util/main
            core/src/main/java/c/C.java
        core/test (test): core/src/test/java -> core/main, lib/util/test, lib/util/testFixtures, lib/util/main, elsewhere/odd/test, elsewhere/odd/main
            core/src/test/java/c/CTest.java
        elsewhere/odd/main: elsewhere/odd/src/main/java -> core/main, lib/util/main
            elsewhere/odd/src/main/java/o/O.java
        elsewhere/odd/test (test): elsewhere/odd/src/test/java -> elsewhere/odd/main, lib/util/test, lib/util/testFixtures, lib/util/main, core/main
            elsewhere/odd/src/test/java/o/OTest.java
        lib/util/main: lib/util/src/main/java
            lib/util/src/main/java/u/U.java
        lib/util/test (test): lib/util/src/test/java -> lib/util/testFixtures, lib/util/main
            lib/util/src/test/java/u/UTest.java
        lib/util/testFixtures (test): lib/util/src/testFixtures/java -> lib/util/main
            lib/util/src/testFixtures/java/u/UFix.java
        ! settings.gradle: project :missing has no folder missing
    "#]],
    );
}

#[test]
fn kotlin_settings_and_dependencies() {
    let fixture = Fixture::new(
        r#"
//- settings.gradle.kts
include(":core-api", ":app")
//- app/build.gradle.kts
plugins { java }
dependencies {
    implementation(projects.coreApi)
    "integrationTestImplementation"(project(":core-api"))
}
sourceSets {
    create("integrationTest") { java.srcDir("src/it/code") }
    main { java { setSrcDirs(listOf("code", "$projectDir/more", "${layout.buildDirectory}/gen")) } }
}
//- core-api/build.gradle.kts
//- app/code/a/A.java
package a;
//- app/more/a/B.java
package a;
//- app/src/it/code/a/AIT.java
package a;
"#,
    )
    .java(&["core-api/src/main/java/c/C.java"]);
    check(
        &fixture,
        expect![[r#"
            app/main: app/code, app/more -> core-api/main
                app/code/a/A.java
                app/more/a/B.java
            app/integrationTest (test): app/src/it/code -> app/main, core-api/main
                app/src/it/code/a/AIT.java
            core-api/main: core-api/src/main/java
                core-api/src/main/java/c/C.java
            ! app/build.gradle.kts: folder ${layout.buildDirectory}/gen is not known from the files alone
        "#]],
    );
}

#[test]
fn source_folders_in_all_spellings() {
    for script in [
        "sourceSets { main { java { srcDirs = ['code'] } } }",
        "sourceSets { main { java.srcDirs = [\"code\"] } }",
        "sourceSets {\n  main.java.srcDirs = ['code']\n}",
        "sourceSets.main.java.srcDirs = [file('code')]",
        "sourceSets { main { java { srcDir 'code' } } }",
        "sourceSets[\"main\"].java.srcDir(\"code\")",
        "sourceSets { named(\"main\") { java { srcDirs += 'code' } } }",
        "allprojects { sourceSets { main { java { srcDir \"$projectDir/code\" } } } }",
    ] {
        let fixture = Fixture::new(&format!(
            "//- build.gradle\n{script}\n//- code/x/A.java\npackage x;\n"
        ));
        let layout = fixture.layout();
        assert_eq!(layout.source_sets[0].name, "main", "{script}");
        assert!(
            layout.source_sets[0].roots.contains(&"code".to_owned()),
            "{script}"
        );
        assert!(layout.warnings.is_empty(), "{script}");
    }
}

#[test]
fn projects_without_settings_that_tell() {
    let fixture = Fixture::new("//- settings.gradle\nfile('.').eachDir { include it.name }\n//- a/build.gradle\ndependencies { implementation project(':b') }\n//- b/build.gradle\n")
        .java(&["a/src/main/java/a/A.java", "b/src/main/java/b/B.java"]);
    check(
        &fixture,
        expect![[r#"
        a/main: a/src/main/java -> b/main
            a/src/main/java/a/A.java
        b/main: b/src/main/java
            b/src/main/java/b/B.java
    "#]],
    );
}

#[test]
fn nonsense_does_no_harm() {
    let fixture = Fixture::new("//- settings.gradle\ninclude '../..', '', ':', ':a::b'\nproject(':x').projectDir = \n//- build.gradle\n}}} dependencies { project( sourceSets { srcDir ' \" \n//- bad/build.gradle\n").java(&["src/main/java/a/A.java"]);
    fixture.write("bad/build.gradle", [0xff, 0xfe]);
    assert_eq!(fixture.layout().files.len(), 1);
}

/// What makes sources is named, with whether anything that was made is there; other languages are counted.
#[test]
fn generators_and_other_languages_are_named() {
    let fixture = Fixture::new(
        "//- settings.gradle
include 'a', 'b', 'c'
//- build.gradle.kts
plugins { id(\"org.openapi.generator\") version \"7\" apply false }
//- a/build.gradle
plugins { id 'com.google.protobuf' version '0.9'; id 'antlr' }
// annotationProcessor 'org.mapstruct:mapstruct-processor:1.5'
dependencies {
    annotationProcessor 'org.hibernate.orm:hibernate-jpamodelgen'
    compileOnly 'org.projectlombok:lombok'
    implementation 'com.google.auto.value:auto-value-annotations:1'
}
//- a/build/generated/sources/proto/main/java/p/P.java
package p; class P {}
//- b/build.gradle.kts
dependencies { annotationProcessor(\"org.mapstruct:mapstruct-processor:1.5\") }
//- c/pom.xml
<project><artifactId>c</artifactId><dependencies><dependency><groupId>q</groupId><artifactId>querydsl-apt</artifactId></dependency></dependencies>
<build><plugins><plugin><artifactId>openapi-generator-maven-plugin</artifactId></plugin>
<plugin><artifactId>maven-compiler-plugin</artifactId><configuration><annotationProcessorPaths><path><artifactId>mapstruct-processor</artifactId></path></annotationProcessorPaths></configuration></plugin></plugins></build></project>
//- b/src/main/kotlin/K.kt
//- b/src/main/kotlin/L.kt
//- b/src/test/groovy/S.groovy
",
    )
    .java(&["a/src/main/java/A.java", "b/src/main/java/B.java", "c/src/main/java/C.java"]);
    let layout = fixture.layout();
    let named: Vec<String> = layout
        .generators
        .iter()
        .map(|g| format!("{} {} {}", g.module, g.name, g.is_on_disk))
        .collect();
    assert_eq!(
        named,
        [
            "a ANTLR true",
            "a protobuf true",
            "a the JPA metamodel true",
            "b MapStruct false",
            "c MapStruct false",
            "c OpenAPI false",
            "c Querydsl false",
        ]
    );
    let languages: Vec<(&str, usize)> =
        layout.languages.iter().map(|l| (l.name, l.files)).collect();
    assert_eq!(languages, [("Kotlin", 2), ("Groovy", 1)]);
}
