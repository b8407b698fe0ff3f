//! Projects that somebody who means harm has written: what they name of the environment and of other machines, and
//! files that are bombs.

use std::io::Write as _;

use program::ClassSource as _;
use project::libraries::find;
use project::parse_config;
use proptest::prelude::*;

use crate::Fixture;
use crate::class_paths::project;
use crate::classes::{Class, archive};
use crate::libraries::{libraries, machine};

/// What a variable holds, which nobody may see.
const SECRET: &str = "s3cr3t";

/// A pom, Maven's options, a script and its properties may name variables of the environment and the user's own
/// properties; what these hold stands nowhere.
#[test]
fn values_of_the_environment_are_not_told() {
    let dependency = |g: &str, a: &str, rest: &str| {
        format!("<dependency><groupId>{g}</groupId><artifactId>{a}</artifactId>{rest}</dependency>")
    };
    let pom = format!(
        "{}<properties><p>${{env.TOKEN}}</p></properties>\
         <parent><groupId>g</groupId><artifactId>parent</artifactId><version>${{env.TOKEN}}</version></parent>\
         <build><sourceDirectory>${{env.TOKEN}}</sourceDirectory></build><dependencies>{}</dependencies>",
        project("own:own:1"),
        [
            dependency("g", "a", "<version>${env.TOKEN}</version>"),
            dependency("g", "${p}", "<version>1</version>"),
            dependency("${env.TOKEN}", "b", "<version>1</version>"),
            dependency("g", "c", "<version>1</version><scope>system</scope><systemPath>/${env.TOKEN}/c.jar</systemPath>"),
        ]
        .concat(),
    );
    let fixture = Fixture::new(&format!(
        "//- pom.xml\n{pom}</project>\n//- src/main/java/A.java\nclass A {{}}\n\
         //- .mvn/maven.config\n-Dmaven.repo.local=/tmp/${{env.TOKEN}}/x\n\
         //- home/.gradle/gradle.properties\ntoken={SECRET}\n\
         //- g/build.gradle\ndependencies {{ implementation \"g:d:$token\"\n implementation \"$token:e:1\" }}\n\
         //- g/src/main/java/B.java\nclass B {{}}",
    ));
    let mut machine = machine(&fixture);
    machine.variables = vec![("TOKEN".to_owned(), SECRET.to_owned())];
    let layout = fixture.layout();
    let found = find(&layout, &fixture.config(), &machine);
    let told = format!("{:?} {layout:?}", found.report);
    assert!(!told.contains(SECRET), "{told}");
    let named = |coordinates: &str| {
        let mut missing = found.report.missing.iter();
        missing
            .find(|missing| missing.coordinates == coordinates)
            .map(|m| m.reason.as_str())
    };
    let reason =
        "a variable of the environment names it, and the values of these are not looked at";
    assert_eq!(named("g:a:${env.TOKEN}"), Some(reason));
    assert_eq!(named("g:${env.TOKEN}:1"), Some(reason));
    assert_eq!(named("${env.TOKEN}:b:1"), Some(reason));
    assert!(told.contains("env.TOKEN"));
}

/// On Windows a path that starts with two separators leads to the machine that it names, and a look there tells that
/// machine who looks. Elsewhere it is a way to write `/`, so that this test sees who looks.
#[test]
fn no_path_of_a_projects_file_leads_to_another_machine() {
    let fixture = Fixture::new("//- src/main/java/A.java\nclass A {}");
    fixture.write(
        "lib.jar",
        archive(&[("a/A.class", &Class::named("a/A").bytes())]),
    );
    fixture.write(
        "repository/g/a/1/a-1.jar",
        archive(&[("b/B.class", &Class::named("b/B").bytes())]),
    );
    fixture.write(
        "repository/g/a/1/a-1.pom",
        format!("{}</project>", project("g:a:1")),
    );
    let root = fixture.root().to_string_lossy().into_owned();
    let remote = format!("/{root}");
    let dependencies = |path: &str| {
        format!(
            "<dependencies><dependency><groupId>g</groupId><artifactId>l</artifactId><version>1</version>\
             <scope>system</scope><systemPath>{path}/lib.jar</systemPath></dependency></dependencies>"
        )
    };
    let check = |path: &str, classes: usize| {
        let pom = format!("{}{}</project>", project("own:own:1"), dependencies(path));
        let gradle = format!(
            "dependencies {{ implementation files('{path}/lib.jar')\n implementation fileTree(dir: '{path}') }}"
        );
        let eclipse = format!(
            "<classpath><classpathentry kind='lib' path='{path}/lib.jar'/><classpathentry kind='var' path='M2_REPO/{path}/lib.jar'/></classpath>"
        );
        for (name, text) in [
            ("pom.xml", pom),
            ("build.gradle", gradle),
            (".classpath", eclipse),
        ] {
            fixture.write(name, text);
            let report = libraries(&fixture).report;
            assert_eq!(report.entries.len(), classes, "{name} {path}: {report:?}");
            std::fs::remove_file(fixture.path(name)).unwrap();
        }
    };
    check(&root, 1);
    check(&format!("{remote}/x/.."), 0);
    // Where a leading `//` is the root of the workspace, more steps up than there are lead nowhere.
    check(&format!("//x/../..{root}"), 0);
    // Maven's options.
    fixture.write(
        ".mvn/maven.config",
        format!("-Dmaven.repo.local={remote}/repository"),
    );
    fixture.write(
        "pom.xml",
        format!(
            "{}<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>",
            project("own:own:1")
        ),
    );
    assert_eq!(libraries(&fixture).report.entries, []);
    fixture.write(
        ".mvn/maven.config",
        format!("-Dmaven.repo.local={root}/repository"),
    );
    assert_eq!(libraries(&fixture).report.entries.len(), 1);
    // The project's own settings.
    for text in [
        format!("java.home = '{remote}'"),
        format!("java.classpath = ['lib.jar', '{remote}/lib.jar']"),
        r"java.home = '\\server\share'".to_owned(),
    ] {
        let (config, problems) = parse_config(&text);
        assert_eq!(
            (config.java.home, config.java.classpath),
            (None, None),
            "{text}"
        );
        assert_eq!(problems.len(), 1, "{text}");
        assert!(
            problems[0].message.contains("another machine"),
            "{problems:?}"
        );
    }
    let (config, problems) = parse_config("java.classpath = ['lib.jar']\njava.home = '/opt/jdk'");
    assert!(config.java.home.is_some() && config.java.classpath.is_some());
    assert_eq!(problems, []);
}

/// A condition of a profile looks for a file; not on another machine.
#[test]
fn a_profile_looks_at_no_other_machine() {
    let with = |path: &str| {
        let fixture = Fixture::new("//- src/main/java/A.java\nclass A {}\n//- flag\n");
        let path = path.replace("ROOT", &fixture.root().to_string_lossy());
        fixture.write(
            "pom.xml",
            format!(
                "{}<profiles><profile><activation><file><exists>{path}</exists></file></activation><dependencies>\
                 <dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></profile></profiles></project>",
                project("own:own:1")
            ),
        );
        libraries(&fixture).report.missing.len()
    };
    assert_eq!(
        [with("flag"), with("${basedir}/flag"), with("ROOT/flag")],
        [1, 1, 1]
    );
    assert_eq!(
        [with("/ROOT/flag"), with("//ROOT/flag"), with("none")],
        [0, 0, 0]
    );
}

/// Entities that name files, that stand for each other a billion times, and that are their own: as unknown as any other.
#[test]
fn entities_of_poms_are_not_followed() {
    let fixture = Fixture::new(&format!(
        "//- secret\n{SECRET}\n//- src/main/java/A.java\nclass A {{}}"
    ));
    let root = fixture.root().to_string_lossy().into_owned();
    let laughs: String = (1..40)
        .map(|at| {
            format!(
                "<!ENTITY l{at} \"{}\">",
                format!("&l{};", at - 1).repeat(10)
            )
        })
        .collect();
    for doctype in [
        format!("<!DOCTYPE project [<!ENTITY x SYSTEM \"file://{root}/secret\">]>"),
        format!(
            "<!DOCTYPE project SYSTEM \"file://{root}/secret\" [<!ENTITY % p SYSTEM \"file://{root}/secret\"> %p;]>"
        ),
        "<!DOCTYPE project SYSTEM \"//server/share/x.dtd\">".to_owned(),
        format!("<!DOCTYPE project [<!ENTITY l0 \"lol\">{laughs}<!ENTITY x \"&l39;\">]>"),
        "<!DOCTYPE project [<!ENTITY x \"&x;\">]>".to_owned(),
    ] {
        fixture.write(
            "pom.xml",
            format!(
                "<?xml version='1.0'?>{doctype}{}<dependencies><dependency><groupId>g</groupId>\
                 <artifactId>a&x;</artifactId><version>1&amp;</version></dependency></dependencies></project>",
                project("own:own:1")
            ),
        );
        let layout = fixture.layout();
        let found = libraries(&fixture);
        let told = format!("{:?} {:?}", found.report, layout.warnings);
        assert!(!told.contains(SECRET) && told.len() < 10_000, "{told}");
        let missing: Vec<&str> = found
            .report
            .missing
            .iter()
            .map(|m| m.coordinates.as_str())
            .collect();
        assert!(
            matches!(missing[..], ["g:a:1&"] | []),
            "{doctype}: {missing:?}"
        );
    }
}

/// A jar of which an entry grows beyond measure, or says that it does: the entry is refused, the rest is read.
#[test]
fn jars_that_are_bombs() {
    let fixture =
        Fixture::new("//- telltale.toml\njava.classpath = ['it.jar']\n//- A.java\nclass A {}");
    let huge = vec![0_u8; 80 << 20];
    let fine = Class::named("a/Fine").bytes();
    let mut bytes = archive(&[("a/Huge.class", &huge), ("a/Fine.class", &fine)]);
    assert!(bytes.len() < 1 << 20, "a bomb is small");
    fixture.write("it.jar", &bytes);
    let found = libraries(&fixture);
    assert!(found.classes.class("a.Fine").is_some());
    assert!(found.classes.class("a.Huge").is_none());
    assert_eq!(found.classes.problems().len(), 1);
    // The same, its size said to be small in the directory.
    let size = u32::try_from(huge.len()).unwrap().to_le_bytes();
    while let Some(at) = bytes.windows(4).position(|four| four == size) {
        bytes[at..at + 4].copy_from_slice(&100_u32.to_le_bytes());
    }
    fixture.write("it.jar", &bytes);
    let found = libraries(&fixture);
    assert!(found.classes.class("a.Fine").is_some());
    assert!(found.classes.class("a.Huge").is_none());
    assert_eq!(found.classes.problems().len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A jar cut off or changed anywhere is read as far as it can be.
    #[test]
    fn torn_jars_do_no_harm(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let fixture = Fixture::new("//- telltale.toml\njava.classpath = ['it.jar']\n//- A.java\nclass A {}");
        let class = Class::named("a/A").bytes();
        let mut bytes = archive(&[
            ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n"),
            ("a/A.class", &class),
            ("META-INF/versions/9/a/A.class", &class),
        ]);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        std::fs::File::create(fixture.path("it.jar")).unwrap().write_all(&bytes).unwrap();
        let classes = libraries(&fixture).classes;
        let _ = (classes.class("a.A"), classes.classes_of("a"), classes.packages_of_module("it"));
        classes.open_all();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Class files outside of jars, whose checksums would hide every change.
    #[test]
    fn mutated_class_files_do_no_harm(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        let mut bytes = Class {
            methods: &[
                (0x0001, "<init>", "()V", ""),
                (0x0001, "get", "(I[[JLjava/util/List;)Ljava/lang/Object;", "<U:Ljava/lang/Object;>(I[[JLjava/util/List<+TU;>;)TT;"),
                (0x1041, "get", "()Ljava/lang/String;", ""),
            ],
            inner: &[("a/A$In", "a/A", "In", 0x000c)],
            odd: true,
            ..Class::named("a/A")
        }
        .bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        project::fuzzing::class_file(&bytes);
    }
}
