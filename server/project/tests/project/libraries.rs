//! Classes of JDKs, jars and folders; the JDK that is taken; what is broken, changes or is odd.

use std::path::Path;
use std::sync::Arc;

use program::ClassSource;
use project::libraries::{ClassPath, Environment, JdkFrom, JdkLibrary, Libraries, find};

use crate::Fixture;
use crate::classes::{Class, archive, jar};

/// The libraries of a project, on a machine where nothing is but its folder `home`.
pub(crate) fn libraries(fixture: &Fixture) -> Libraries {
    find(&fixture.layout(), &fixture.config(), &machine(fixture))
}

/// That machine.
pub(crate) fn machine(fixture: &Fixture) -> Environment {
    Environment {
        home: Some(fixture.path("home")),
        ..Environment::default()
    }
}

/// A project whose class path is said in `telltale.toml`.
fn with_class_path(entries: &[&str]) -> Fixture {
    let quoted: Vec<String> = entries.iter().map(|e| format!("{e:?}")).collect();
    Fixture::new(&format!(
        "//- telltale.toml\njava.classpath = [{}]\n//- A.java\nclass A {{}}",
        quoted.join(", ")
    ))
}

fn methods(classes: &ClassPath, name: &str) -> Vec<String> {
    let record = classes.class(name);
    let methods = record.iter().flat_map(|record| record.methods.iter());
    methods
        .map(|method| format!("{}{}", method.name, method.descriptor))
        .collect()
}

#[test]
fn the_jdk_of_this_machine() {
    let fixture = Fixture::new("//- A.java\nclass A {}");
    let environment = Environment::of_process();
    let found = find(&fixture.layout(), &fixture.config(), &environment);
    let classes = &found.classes;
    assert!(found.report.jdk.is_some(), "the tests need a JDK");
    let entry = classes.class("java.util.Map$Entry").unwrap();
    // Only the row in `InnerClasses` says that it is static.
    assert_eq!(entry.access & 0x0209, 0x0209);
    assert_eq!(
        entry.signature.as_deref(),
        Some("<K:Ljava/lang/Object;V:Ljava/lang/Object;>Ljava/lang/Object;")
    );
    let map = classes.class("java.util.Map").unwrap();
    assert!(
        map.members
            .iter()
            .any(|name| &**name == "java.util.Map$Entry")
    );
    let object = classes.class("java.lang.Object").unwrap();
    assert_eq!(object.superclass, None);
    assert!(
        object
            .methods
            .iter()
            .any(|method| &*method.name == "hashCode")
    );
    let integer = classes.class("java.lang.Integer").unwrap();
    // `compareTo(Object)` is a bridge.
    let compare: Vec<&str> = integer
        .methods
        .iter()
        .filter(|method| &*method.name == "compareTo")
        .map(|method| &*method.descriptor)
        .collect();
    assert_eq!(compare, ["(Ljava/lang/Integer;)I"]);
    assert!(classes.has_package("java.util") && !classes.has_package("java"));
    assert!(!classes.has_class("java.util.NoSuchClass") && !classes.has_class(""));
    let of_lang = classes.classes_of("java.lang");
    assert!(of_lang.contains(&"String".to_owned()) && !of_lang.iter().any(|n| n.contains('$')));
    assert!(of_lang.is_sorted());
    let of_se = classes.packages_of_module("java.se");
    assert!(of_se.contains(&"java.sql".to_owned()) && !of_se.contains(&"sun.misc".to_owned()));
    let of_base = classes.packages_of_module("java.base");
    assert!(of_base.contains(&"java.util".to_owned()) && !of_base.contains(&"java.sql".to_owned()));
    assert_eq!(
        classes.packages_of_module("no.module"),
        Vec::<String>::new()
    );
    assert_eq!(classes.problems(), []);
}

#[test]
fn what_a_class_file_says() {
    let fixture = with_class_path(&["a.jar"]);
    let outer = Class {
        methods: &[
            (0x0001, "<init>", "()V", ""),
            (0x0001, "get", "()Ljava/lang/Object;", "()TT;"),
            (0x1041, "get", "()Ljava/lang/String;", ""),
            (0x1008, "lambda$get$0", "()V", ""),
            (0x0008, "<clinit>", "()V", ""),
        ],
        inner: &[
            ("p/Outer$In", "p/Outer", "In", 0x000c),
            ("p/Outer$Made", "p/Outer", "Made", 0x1008),
        ],
        // Of a JDK that does not exist yet.
        major: 200,
        odd: true,
        ..Class::named("p/Outer")
    };
    let inner = Class {
        inner: outer.inner,
        ..Class::named("p/Outer$In")
    };
    let bytes = archive(&[
        ("p/Outer.class", &outer.bytes()),
        ("p/Outer$In.class", &inner.bytes()),
    ]);
    fixture.write("a.jar", bytes);
    let classes = libraries(&fixture).classes;
    assert_eq!(
        methods(&classes, "p.Outer"),
        ["<init>()V", "get()Ljava/lang/Object;"]
    );
    let record = classes.class("p.Outer").unwrap();
    assert_eq!(record.methods[1].signature.as_deref(), Some("()TT;"));
    assert_eq!(record.members.len(), 1);
    assert_eq!(classes.class("p.Outer$In").unwrap().access, 0x000c);
    assert_eq!(classes.classes_of("p"), ["Outer"]);
    assert_eq!(classes.packages_of_module("a"), ["p"]);
    assert_eq!(classes.problems(), []);
}

#[test]
fn multi_release_jars_give_what_the_release_sees() {
    let fixture = with_class_path(&["a.jar"]);
    let of = |method: &'static str| {
        let methods = [(0x0001, method, "()V", "")];
        Class {
            methods: &methods,
            ..Class::named("p/A")
        }
        .bytes()
    };
    let (base, nine, far) = (of("base"), of("nine"), of("far"));
    let entries: &[(&str, &[u8])] = &[
        (
            "META-INF/MANIFEST.MF",
            b"Manifest-Version: 1.0\r\nMulti-Release: tr\r\n ue\r\n",
        ),
        ("p/A.class", &base),
        ("META-INF/versions/9/p/A.class", &nine),
        ("META-INF/versions/9/q/New.class", &nine),
        ("META-INF/versions/99/p/A.class", &far),
    ];
    fixture.write("a.jar", archive(entries));
    // Without a JDK the newest known release is asked for.
    let classes = libraries(&fixture).classes;
    assert_eq!(methods(&classes, "p.A"), ["nine()V"]);
    assert!(classes.has_package("q"));
    // Without the line in the manifest they are no classes at all.
    fixture.write("a.jar", archive(&entries[1..]));
    let classes = libraries(&fixture).classes;
    assert_eq!(methods(&classes, "p.A"), ["base()V"]);
    assert!(!classes.has_package("q") && !classes.has_package("META-INF.versions.9.q"));
}

#[test]
fn the_first_entry_wins_and_folders_count() {
    let fixture = with_class_path(&["classes", "lib/*", "none.jar"]);
    fixture.write("lib/b.jar", jar(&["p/A", "p/B"]));
    fixture.write("lib/a.jar", jar(&["p/A", "C"]));
    fixture.write("lib/readme.txt", "no jar");
    let own = Class {
        methods: &[],
        ..Class::named("p/A")
    };
    fixture.write("classes/p/A.class", own.bytes());
    let found = libraries(&fixture);
    let classes = &found.classes;
    assert_eq!(methods(classes, "p.A"), Vec::<String>::new());
    assert_eq!(classes.classes_of("p"), ["A", "B"]);
    assert!(classes.has_class("C") && classes.has_package(""));
    assert_eq!(classes.classes_of(""), ["C"]);
    let missing = &found.report.missing;
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0].coordinates, "none.jar");
    // It comes: then the class path should be found anew.
    assert!(!classes.is_stale());
    fixture.write("classes/p/D.class", Class::named("p/D").bytes());
    assert!(classes.is_stale());
}

#[test]
fn what_is_broken_is_said_and_the_rest_is_read() {
    let fixture = with_class_path(&["text.jar", "cut.jar", "folder.jar", "odd.jar", "good.jar"]);
    fixture.write("text.jar", "no archive");
    let whole = jar(&["p/Cut"]);
    fixture.write("cut.jar", &whole[..whole.len() / 2]);
    fixture.write("folder.jar/x.txt", "");
    let misplaced = Class::named("p/Elsewhere").bytes();
    let cut = Class::named("p/Half").bytes();
    fixture.write(
        "odd.jar",
        archive(&[
            ("p/Here.class", &misplaced),
            ("p/Half.class", &cut[..cut.len() / 2]),
            ("p/Empty.class", b""),
            ("p/Text.class", b"no class"),
        ]),
    );
    fixture.write("good.jar", jar(&["p/Good"]));
    let classes = libraries(&fixture).classes;
    for name in ["p.Here", "p.Half", "p.Empty", "p.Text"] {
        assert!(classes.has_class(name), "{name}");
        assert_eq!(classes.class(name), None, "{name}");
        assert_eq!(classes.class(name), None, "{name}");
    }
    assert!(classes.class("p.Good").is_some());
    let problems = classes.problems();
    let said: Vec<(&str, Option<&str>)> = problems
        .iter()
        .map(|problem| {
            let file = problem.path.file_name().and_then(|name| name.to_str());
            (file.unwrap(), problem.class.as_deref())
        })
        .collect();
    assert_eq!(
        said,
        [
            ("cut.jar", None),
            ("odd.jar", Some("p.Empty")),
            ("odd.jar", Some("p.Half")),
            ("odd.jar", Some("p.Here")),
            ("odd.jar", Some("p.Text")),
            ("text.jar", None),
        ]
    );
    assert!(!classes.is_stale());
}

#[test]
fn a_jar_that_is_replaced_or_vanishes() {
    let fixture = with_class_path(&["a.jar", "b.jar"]);
    fixture.write("a.jar", jar(&["p/A", "p/B"]));
    fixture.write("b.jar", jar(&["q/C", "q/D"]));
    let classes = libraries(&fixture).classes;
    let read = (classes.class("p.A").unwrap(), classes.class("q.C").unwrap());
    assert!(!classes.is_stale());
    fixture.write("a.jar", jar(&["p/Other", "p/Another", "p/A"]));
    std::fs::remove_file(fixture.path("b.jar")).unwrap();
    assert!(classes.is_stale());
    // What was read stays; what was not is not taken from the other file.
    assert_eq!(classes.class("p.A").as_ref(), Some(&read.0));
    assert_eq!(classes.class("q.C").as_ref(), Some(&read.1));
    assert_eq!(classes.class("p.B"), None);
    assert_eq!(classes.class("q.D"), None);
    assert!(classes.has_class("p.B") && !classes.has_class("p.Other"));
    assert_eq!(classes.problems(), []);
    let classes = libraries(&fixture).classes;
    assert!(classes.has_class("p.Other") && !classes.has_class("q.C"));
}

#[test]
fn odd_and_long_names() {
    let long = format!("p/{}", "L".repeat(20_000));
    let deep = format!("{}D", "d/".repeat(5_000));
    let names = ["日本/Größe", "p/ A", "p/$", "p/A$", &long, &deep];
    let fixture = with_class_path(&["ä ö.jar"]);
    fixture.write("ä ö.jar", jar(&names));
    let classes = libraries(&fixture).classes;
    for name in names {
        let name = name.replace('/', ".");
        assert!(classes.has_class(&name));
        assert_eq!(*classes.class(&name).unwrap().name, *name);
    }
    assert!(classes.has_package("日本"));
    for name in [".", "..", "p.", ".p", "\0", "p/A", &".".repeat(70_000)] {
        assert!(!classes.has_class(name), "{name:?}");
        assert_eq!(classes.class(name), None);
    }
}

/// Far more entries than files may be open at once; the package of the last one is known.
#[test]
fn a_long_class_path() {
    let names: Vec<String> = (0..3_000).map(|n| format!("jars/j{n}.jar")).collect();
    let fixture = with_class_path(&names.iter().map(String::as_str).collect::<Vec<_>>());
    for (n, name) in names.iter().enumerate() {
        fixture.write(name, jar(&[&format!("p{n}/A")]));
    }
    let classes = libraries(&fixture).classes;
    assert!(classes.has_package("p2999") && !classes.has_package("p3000"));
    assert!(classes.class("p2999.A").is_some());
    assert_eq!(classes.classes_read(), 1);
    assert_eq!(classes.problems(), []);
}

#[test]
fn many_threads_get_the_same_record() {
    let fixture = with_class_path(&["a.jar"]);
    let names: Vec<String> = (0..200).map(|n| format!("p/A{n}")).collect();
    fixture.write(
        "a.jar",
        jar(&names.iter().map(String::as_str).collect::<Vec<_>>()),
    );
    let classes = libraries(&fixture).classes;
    let all: Vec<Vec<Arc<_>>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let dotted = names.iter().map(|name| name.replace('/', "."));
                    dotted.map(|name| classes.class(&name).unwrap()).collect()
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for other in &all[1..] {
        assert!(all[0].iter().zip(other).all(|(a, b)| Arc::ptr_eq(a, b)));
    }
}

/// Writes a JDK 8 below `home`.
fn jdk_8(fixture: &Fixture, home: &str) {
    fixture.write(&format!("{home}/release"), "JAVA_VERSION=\"1.8.0_402\"\n");
    let runtime = jar(&["java/lang/Object", "java/lang/String"]);
    fixture.write(&format!("{home}/jre/lib/rt.jar"), runtime);
    fixture.write(
        &format!("{home}/jre/lib/jce.jar"),
        jar(&["javax/crypto/Cipher"]),
    );
}

#[test]
fn a_jdk_8_is_its_jars() {
    let fixture = Fixture::new("//- telltale.toml\njava.home = \"jdk\"\n//- A.java\nclass A {}");
    jdk_8(&fixture, "jdk");
    let found = libraries(&fixture);
    let jdk = found.report.jdk.unwrap();
    assert_eq!((jdk.release, jdk.library), (8, JdkLibrary::Jars));
    assert_eq!(jdk.from, JdkFrom::Configuration);
    assert!(found.classes.has_class("java.lang.Object"));
    assert!(found.classes.has_class("javax.crypto.Cipher"));
    assert_eq!(found.classes.classes_of("java.lang"), ["Object", "String"]);
}

#[test]
fn a_jdk_without_an_image_has_its_symbols() {
    let fixture = Fixture::new("//- telltale.toml\njava.home = \"jdk\"\n//- A.java\nclass A {}");
    let object = Class::named("java/lang/Object").bytes();
    let old = Class::named("java/lang/Old").bytes();
    let symbols = archive(&[
        ("89/java.base/java/lang/Object.sig", &object),
        ("8/java.base/java/lang/Old.sig", &old),
        ("A/java.base/java/lang/Object.sig", &object),
        ("A/java.sql/java/sql/Driver.sig", &object),
        ("9A-modules/java.base/module-info.sig", b""),
    ]);
    fixture.write("jdk/lib/ct.sym", symbols);
    fixture.write("jdk/release", "JAVA_VERSION=\"11.0.2\"\n");
    let found = libraries(&fixture);
    let jdk = found.report.jdk.unwrap();
    assert_eq!((jdk.release, jdk.library), (10, JdkLibrary::Symbols));
    let classes = &found.classes;
    assert!(classes.class("java.lang.Object").is_some());
    assert!(!classes.has_class("java.lang.Old"));
    assert!(classes.has_package("java.sql") && !classes.has_package("java.base"));
}

#[test]
fn which_jdk() {
    let fixture = Fixture::new("//- telltale.toml\njava.home = \"gone\"\n//- A.java\nclass A {}");
    let mut machine = machine(&fixture);
    machine.java_home = Some(fixture.path("empty"));
    machine.jdk_places = vec![fixture.path("nowhere"), fixture.path("places")];
    let look = |machine: &Environment| {
        let report = find(&fixture.layout(), &fixture.config(), machine).report;
        let over: Vec<String> = report.passed_over.iter().map(|o| o.what.clone()).collect();
        let from = report.jdk.map(|jdk| (jdk.from, jdk.release));
        (from, over.join(", "))
    };
    fixture.write("empty/readme", "");
    let over = "java.home in telltale.toml, JAVA_HOME".to_owned();
    assert_eq!(look(&machine), (None, over.clone()));
    jdk_8(&fixture, "places/a");
    jdk_8(&fixture, "places/b/Contents/Home");
    fixture.write("places/b/Contents/Home/release", "JAVA_VERSION=\"9.0.1\"\n");
    fixture.write("places/a file", "");
    assert_eq!(
        look(&machine),
        (Some((JdkFrom::KnownPlace, 9)), over.clone())
    );
    jdk_8(&fixture, "on-path");
    fixture.write("on-path/bin/java", "");
    fixture.write("stub/bin/java", "");
    machine.path = vec![
        fixture.path("stub/bin"),
        link(&fixture, "on-path/bin/java", "usr/bin/java"),
    ];
    assert_eq!(look(&machine), (Some((JdkFrom::Path, 8)), over));
    machine.java_home = Some(fixture.path("on-path"));
    assert_eq!(look(&machine).0, Some((JdkFrom::JavaHome, 8)));
}

/// The folder of a link to a file; of the file itself where there are no links.
fn link(fixture: &Fixture, to: &str, at: &str) -> std::path::PathBuf {
    let parent = |path: &str| fixture.path(path).parent().map(Path::to_path_buf).unwrap();
    #[cfg(unix)]
    {
        std::fs::create_dir_all(parent(at)).unwrap();
        std::os::unix::fs::symlink(fixture.path(to), fixture.path(at)).unwrap();
        parent(at)
    }
    #[cfg(not(unix))]
    {
        let _ = at;
        parent(to)
    }
}

#[test]
fn a_broken_image_is_passed_over() {
    let fixture = Fixture::new("//- telltale.toml\njava.home = \"jdk\"\n//- A.java\nclass A {}");
    for bytes in [&b""[..], b"no image", &[0; 1000], &[0xda, 0xda, 0xfe, 0xca]] {
        fixture.write("jdk/lib/modules", bytes);
        let report = libraries(&fixture).report;
        assert_eq!(report.jdk, None);
        assert_eq!(report.passed_over.len(), 1);
    }
}

#[test]
fn plain_folders_and_eclipse() {
    let fixture = Fixture::new(
        r#"
//- .classpath
<classpath>
<classpathentry kind="src" path="src"/>
<classpathentry kind="lib" path="ext/e.jar"/>
<classpathentry kind="lib" path="gone.jar"><attributes><attribute name="test" value="true"/></attributes></classpathentry>
<classpathentry kind="var" path="M2_REPO/g/v.jar"/>
<classpathentry kind="output" path="bin"/>
</classpath>
//- src/A.java
class A {}"#,
    );
    fixture.write("ext/e.jar", jar(&["e/E"]));
    fixture.write("lib/deep/l.jar", jar(&["l/L"]));
    fixture.write("lib/l-sources.jar", jar(&["s/S"]));
    fixture.write("home/.m2/repository/g/v.jar", jar(&["v/V"]));
    let found = libraries(&fixture);
    for (package, is_there) in [("e", true), ("l", true), ("v", true), ("s", false)] {
        assert_eq!(found.classes.has_package(package), is_there, "{package}");
    }
    assert_eq!(found.report.missing.len(), 1);
    assert!(found.report.missing[0].coordinates.ends_with("gone.jar"));
    fixture.write("gone.jar", jar(&["x/X"]));
    assert!(found.classes.is_stale(), "what was awaited has come");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(100))]

    /// A jar that is cut or changed anywhere: an error or fewer classes, and no panic.
    #[test]
    fn broken_jars_do_no_harm(
        changes in proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), proptest::prelude::any::<u8>()), 0..6),
        cut in proptest::option::of(proptest::prelude::any::<proptest::sample::Index>()),
    ) {
        let mut bytes = archive(&[
            ("META-INF/MANIFEST.MF", b"Multi-Release: true\n"),
            ("module-info.class", b"no module"),
            ("p/A.class", &Class::named("p/A").bytes()),
            ("META-INF/versions/9/p/A.class", &Class::named("p/A").bytes()),
            ("q/B.class", &Class::named("q/B").bytes()),
        ]);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let fixture = with_class_path(&["a.jar"]);
        fixture.write("a.jar", bytes);
        let classes = libraries(&fixture).classes;
        for name in ["p.A", "q.B", "r.C"] {
            let _ = (classes.has_class(name), classes.class(name));
        }
        let _ = (classes.packages_of_module("a"), classes.classes_of("p"), classes.is_stale());
    }
}

/// Removed, put back, replaced: each is noticed, whatever told of the jar, and nothing is noticed in between.
#[test]
fn libraries_that_come_back_are_noticed() {
    let bill = "<project><groupId>g</groupId><artifactId>bill</artifactId><version>1</version><packaging>pom</packaging></project>";
    let cache = "home/.gradle/caches/modules-2/files-2.1";
    let gradle = format!("{cache}/g/a/1/aa/a-1.jar");
    let bill_at = format!("{cache}/g/bill/1/aa/bill-1.pom");
    let build = |dependency: &str| {
        format!("//- build.gradle\ndependencies {{ {dependency} }}\n//- A.java\nclass A {{}}")
    };
    let plain = "//- A.java\nclass A {}".to_owned();
    let said = |entry: &str| {
        format!("//- telltale.toml\njava.classpath = [\"{entry}\"]\n//- A.java\nclass A {{}}")
    };
    for (project, file, is_jar) in [
        (plain.clone(), "lib/a.jar", true),
        (plain, "WEB-INF/lib/deep/er/a.jar", true),
        (said("ext/a.jar"), "ext/a.jar", true),
        (said("ext/*"), "ext/a.jar", true),
        (build("implementation 'g:a:1'"), gradle.as_str(), true),
        (
            build("implementation platform('g:bill:1')"),
            bill_at.as_str(),
            false,
        ),
        (
            build("implementation files('ext/a.jar')"),
            "ext/a.jar",
            true,
        ),
        (
            build("implementation fileTree(dir: 'ext')"),
            "ext/a.jar",
            true,
        ),
    ] {
        let fixture = Fixture::new(&project);
        let put = || match is_jar {
            true => fixture.write(file, jar(&["p/A"])),
            false => fixture.write(file, bill),
        };
        let looked = || {
            let found = libraries(&fixture).classes;
            assert_eq!(
                found.has_package("p"),
                is_jar && fixture.path(file).exists()
            );
            assert!(!found.is_stale(), "{file}: nothing happened");
            found
        };
        let without = looked();
        put();
        assert!(without.is_stale(), "{file} came");
        let with = looked();
        let whole = fixture.path(file.split('/').next().expect("a folder"));
        std::fs::remove_dir_all(whole).expect("removed");
        if is_jar {
            assert!(with.is_stale(), "{file} went");
        }
        let without = looked();
        put();
        assert!(without.is_stale(), "{file} is back");
        let with = looked();
        if is_jar {
            fixture.write(file, jar(&["p/A", "p/B", "q/C"]));
            assert!(with.is_stale(), "{file} was replaced");
        }
    }
}
