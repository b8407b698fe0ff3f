//! Layouts without a build tool that tells.

use expect_test::expect;
use project::{Config, discover};

use crate::{Fixture, check, show};

#[test]
fn loose_files_are_one_source_set() {
    let fixture = Fixture::new("").java(&["B.java", "A.java", "sub/C.java"]);
    check(
        &fixture,
        expect![[r#"
        main: ., sub
            A.java
            B.java
            sub/C.java
    "#]],
    );
}

#[test]
fn a_single_file() {
    check(
        &Fixture::new("//- A.java\nclass A {}"),
        expect![[r#"
        main: .
            A.java
    "#]],
    );
}

#[test]
fn src_and_test() {
    let fixture = Fixture::new("").java(&[
        "src/org/x/A.java",
        "src/org/x/build/B.java",
        "test/org/x/ATest.java",
        "gen/org/x/G.java",
    ]);
    check(
        &fixture,
        expect![[r#"
        main: gen, src
            gen/org/x/G.java
            src/org/x/A.java
            src/org/x/build/B.java
        test (test): test -> main
            test/org/x/ATest.java
    "#]],
    );
}

#[test]
fn maven_folders_without_a_pom() {
    let fixture = Fixture::new("").java(&["src/main/java/x/A.java", "src/test/java/x/ATest.java"]);
    check(
        &fixture,
        expect![[r#"
        main: src/main/java
            src/main/java/x/A.java
        test (test): src/test/java -> main
            src/test/java/x/ATest.java
    "#]],
    );
}

#[test]
fn an_unpacked_jar_of_sources() {
    let fixture = Fixture::new(
        "//- org/x/A.java\npackage org.x;\n//- org/x/test/T.java\npackage org.x.test;\n//- org/x/build/B.java\npackage org.x.build;\n//- META-INF/x\n",
    );
    check(
        &fixture,
        expect![[r#"
        main: .
            org/x/A.java
            org/x/build/B.java
            org/x/test/T.java
    "#]],
    );
}

#[test]
fn programs_that_declare_the_same_are_apart() {
    let fixture = Fixture::new("").java(&["src/x/Lib.java", "src/x/More.java"]);
    for (path, text) in [
        ("ex/one/Main.java", "class Main {}"),
        ("ex/two/Main.java", "class Main {}"),
        ("ex/two/test/MainTest.java", "class MainTest {}"),
    ] {
        fixture.write(path, text);
    }
    check(
        &fixture,
        expect![[r#"
        main: ex/one, src
            ex/one/Main.java
            src/x/Lib.java
            src/x/More.java
        ex/two: ex/two -> main
            ex/two/Main.java
        test (test): ex/two/test -> ex/two, main
            ex/two/test/MainTest.java
    "#]],
    );
}

#[test]
fn a_package_that_contradicts_its_folder() {
    let fixture =
        Fixture::new("//- odd/A.java\npackage org.x;\n//- src/x/B.java\npackage org.x;\n");
    check(
        &fixture,
        expect![[r#"
        main: odd, src
            odd/A.java
            src/x/B.java
    "#]],
    );
}

#[test]
fn outputs_and_hidden_folders_are_left_out() {
    let fixture = Fixture::new(
        "//- src/A.java\n//- build/classes/A.class\n//- build/src/x/Copy.java\npackage x;\n//- out/production/p/A.class\n//- node_modules/m/N.java\n//- .idea/I.java\n//- src/.hidden/H.java\n",
    );
    check(
        &fixture,
        expect![[r#"
        main: src
            src/A.java
    "#]],
    );
}

#[test]
fn gitignore_counts_without_a_repository() {
    let fixture = Fixture::new(
        "//- .gitignore\nbuild/\n/generated\n*Tmp.java\n//- generated/G.java\n//- src/ATmp.java\n",
    )
    .java(&[
        "src/x/A.java",
        "src/x/build/B.java",
        "src/x/build/deep/D.java",
    ]);
    // `build/` is meant for the output; the package of that name stays.
    check(
        &fixture,
        expect![[r#"
        main: src
            src/x/A.java
            src/x/build/B.java
            src/x/build/deep/D.java
    "#]],
    );
}

#[test]
fn gitignore_does_not_count_where_a_build_compiles_what_is_there() {
    let fixture = Fixture::new(
        "//- .gitignore\nsearch/\nLocal*.java\n/data/\n//- data/src/main/java/x/D.java\n\
         //- app/pom.xml\n<project><artifactId>a</artifactId></project>\n\
         //- app/src/main/java/x/search/Index.java\npackage x.search;\n\
         //- app/src/test/java/x/search/LocalIndexTest.java\npackage x.search;\n\
         //- app/search/Dump.java\n//- plain/src/main/java/x/search/Other.java\n",
    );
    check(
        &fixture,
        expect![[r#"
        app/main: app/src/main/java
            app/src/main/java/x/search/Index.java
        app/test (test): app/src/test/java -> app/main
            app/src/test/java/x/search/LocalIndexTest.java
    "#]],
    );
}

#[test]
fn gitignore_above_the_root_counts_inside_its_repository_only() {
    let fixture = Fixture::new("//- .gitignore\nA.java\n//- sub/A.java\n//- sub/B.java\n");
    let files = || {
        discover(&fixture.path("sub"), &Config::default())
            .unwrap()
            .files
            .len()
    };
    assert_eq!(files(), 2);
    fixture.write(".git/HEAD", "");
    assert_eq!(files(), 1);
    // An ignored folder that is opened on purpose is read.
    fixture.write(".gitignore", "A.java\n/sub\n");
    assert_eq!(files(), 2);
}

#[test]
fn excluded_by_the_configuration() {
    let fixture = Fixture::new("").java(&[
        "src/x/A.java",
        "src/y/B.java",
        "src/y/keep/C.java",
        "demo/D.java",
    ]);
    let mut config = Config::default();
    config.sources.exclude = vec!["src/y/*".into(), "!src/y/keep".into(), "/demo".into()];
    let layout = discover(fixture.root(), &config).unwrap();
    expect![[r#"
        main: src
            src/x/A.java
            src/y/keep/C.java
    "#]]
    .assert_eq(&show(&layout));
}

#[test]
fn eclipse() {
    let fixture = Fixture::new(
        r#"
//- lib/.project
<projectDescription><name>the-lib</name></projectDescription>
//- lib/.classpath
<classpath><classpathentry kind="src" path="source"/></classpath>
//- app/.classpath
<classpath>
  <classpathentry kind="src" path="code"/>
  <classpathentry kind="src" output="bin2" path="checks"><attributes><attribute name="test" value="true"/></attributes></classpathentry>
  <classpathentry kind="src" path="/the-lib" combineaccessrules="false"/>
</classpath>
//- lib/source/l/L.java
package l;
//- app/code/a/A.java
package a;
//- app/checks/a/ATest.java
package a;
//- app/bin/a/A.java
package a;
"#,
    );
    check(
        &fixture,
        expect![[r#"
        app/main: app/code -> lib/main
            app/code/a/A.java
        app/test (test): app/checks -> app/main, lib/main
            app/checks/a/ATest.java
        lib/main: lib/source
            lib/source/l/L.java
    "#]],
    );
}

#[test]
fn ant_modules_beside_each_other() {
    let fixture = Fixture::new("//- build.xml\n<project/>\n//- contrib/b/build.xml\n<project/>\n")
        .java(&[
            "src/x/A.java",
            "test/x/ATest.java",
            "contrib/b/src/x/B.java",
            "contrib/b/test/x/BTest.java",
        ]);
    check(
        &fixture,
        expect![[r#"
        main: src -> contrib/b/main
            src/x/A.java
        test (test): test -> main, contrib/b/main
            test/x/ATest.java
        contrib/b/main: contrib/b/src -> main
            contrib/b/src/x/B.java
        contrib/b/test (test): contrib/b/test -> contrib/b/main, main
            contrib/b/test/x/BTest.java
    "#]],
    );
}

#[cfg(unix)]
#[test]
fn loops_of_links_end() {
    let fixture = Fixture::new("//- a/src/A.java\n");
    std::os::unix::fs::symlink(fixture.path("a"), fixture.path("a/src/loop")).unwrap();
    std::os::unix::fs::symlink(fixture.root(), fixture.path("up")).unwrap();
    assert_eq!(fixture.layout().files.len(), 1);
}

#[test]
fn module_and_package_infos_are_files() {
    let fixture = Fixture::new(
        "//- src/module-info.java\nmodule x {}\n//- src/x/package-info.java\n@A package x;\n//- src/x/A.java\npackage x;\n",
    );
    check(
        &fixture,
        expect![[r#"
        main: src
            src/module-info.java
            src/x/A.java
            src/x/package-info.java
    "#]],
    );
}

#[test]
fn nothing_at_all() {
    check(&Fixture::new(""), expect![[""]]);
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let paths: Vec<String> = (0..300)
        .map(|n| format!("{}/src/p{}/C{n}.java", ["a", "b", "test"][n % 3], n % 17))
        .collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let fixture = Fixture::new("").java(&paths);
    let first = fixture.show();
    for _ in 0..5 {
        assert_eq!(fixture.show(), first);
    }
    let layout = fixture.layout();
    assert!(
        layout
            .files
            .is_sorted_by(|a, b| a.path.as_bytes() < b.path.as_bytes())
    );
    assert_eq!(layout.files.len(), 300);
}

#[test]
fn the_source_set_of_a_new_file() {
    let fixture = Fixture::new("").java(&["src/x/A.java", "src/test/x/ATest.java"]);
    let layout = fixture.layout();
    let name = |path: &str| {
        layout
            .source_set_of(path)
            .map(|set| layout.source_sets[set].name.clone())
    };
    assert_eq!(name("src/y/New.java").as_deref(), Some("main"));
    assert_eq!(name("src/test/y/NewTest.java").as_deref(), Some("test"));
    assert_eq!(name("elsewhere/New.java"), None);
}

#[test]
fn a_root_that_is_no_folder() {
    let fixture = Fixture::new("//- A.java\n");
    let error = |path: &str| {
        discover(&fixture.path(path), &Config::default())
            .unwrap_err()
            .to_string()
    };
    assert!(error("A.java").ends_with("A.java is not a folder; the root must be one"));
    assert!(error("nowhere").ends_with("nowhere does not exist; check the spelling of the path"));
}
