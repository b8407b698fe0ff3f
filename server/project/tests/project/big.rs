//! Builds as large as ordinary ones are: what reading them takes is counted, and grows as their files do.

use std::fmt::Write as _;

use crate::Fixture;
use crate::class_paths::{declared, jar_at, pom_at, project, shown};
use crate::libraries::libraries;

const PARENT: &str =
    "<parent><groupId>own</groupId><artifactId>parent</artifactId><version>1</version></parent>";

/// A parent that manages `entries` libraries, some of them by one property, and `modules` below it that use ten each.
/// Every tenth module gives the property another value.
fn platform(modules: usize, entries: usize) -> Fixture {
    let fixture = Fixture::new("");
    let mut managed = String::new();
    for at in 0..entries {
        let version = ["1", "${v}", "${project.version}"][at % 3];
        write!(managed, "{}", declared(&format!("g:a{at}:{version}"))).unwrap();
    }
    let names: String = (0..modules)
        .map(|at| format!("<module>m{at}</module>"))
        .collect();
    fixture.write(
        "pom.xml",
        format!(
            "{}<packaging>pom</packaging><modules>{names}</modules><properties><v>5</v></properties>\
             <dependencyManagement><dependencies>{managed}</dependencies></dependencyManagement></project>",
            project("own:parent:1"),
        ),
    );
    for at in 0..modules {
        let used: Vec<String> = (at..at + 10).map(|at| format!("g:a{at}")).collect();
        let own = if at % 10 == 9 { "<v>6</v>" } else { "" };
        fixture.write(
            &format!("m{at}/pom.xml"),
            format!(
                "{}{PARENT}<properties>{own}</properties><dependencies>{}</dependencies></project>",
                project(&format!("own:m{at}:1")),
                declared(&used.join(", ")),
            ),
        );
        fixture.write(&format!("m{at}/src/main/java/A.java"), "class A {}");
    }
    fixture
}

/// The entries of the parent are read for those who inherit the same, not for each of them.
#[test]
fn a_platform_is_read_once() {
    for (modules, entries) in [(10, 500), (20, 500), (10, 1000)] {
        let found = libraries(&platform(modules, entries));
        let work = found.report.work;
        // As the parent means them, and as the modules that say another `v` do.
        let most = 2 * entries + 11 * modules;
        assert!(
            work.entries <= most,
            "{work:?} for {modules} modules, {entries} entries"
        );
        // What the modules name, in the version that each of them means.
        let named = found.report.missing.len();
        assert_eq!(named, modules + 9, "{:?}", found.report.missing);
    }
}

#[test]
fn what_a_module_overrides_is_its_own() {
    let fixture = platform(10, 30);
    for gav in ["g:a10:5", "g:a10:6", "g:a9:1", "g:a11:1"] {
        pom_at(&fixture, gav, &format!("{}</project>", project(gav)));
        jar_at(&fixture, gav);
    }
    let found = shown(&libraries(&fixture));
    let conflict = "g:a10 5 not [(\"6\", \"m9\")]";
    assert!(found.contains(conflict), "{found}");
    assert!(
        found.contains("- g:a11:1") && !found.contains("missing g:a11:1"),
        "{found}"
    );
}

/// `${project.version}` in a parent means the version of each module that inherits it.
#[test]
fn a_managed_version_that_is_the_modules_own() {
    let fixture = Fixture::new("");
    fixture.write(
        "pom.xml",
        format!(
            "{}<packaging>pom</packaging><dependencyManagement><dependencies>{}</dependencies></dependencyManagement></project>",
            project("own:parent:1"),
            declared("g:a:${project.version}, g:b:${project.artifactId}"),
        ),
    );
    for (name, version) in [("x", "1"), ("y", "2"), ("z", "1")] {
        fixture.write(
            &format!("{name}/pom.xml"),
            format!(
                "{}{PARENT}<dependencies>{}</dependencies></project>",
                project(&format!("own:{name}:{version}")),
                declared("g:a, g:b"),
            ),
        );
    }
    let missing: Vec<String> = libraries(&fixture)
        .report
        .missing
        .iter()
        .map(|missing| format!("{} for {}", missing.coordinates, missing.wanted_by))
        .collect();
    // One version of each artifact counts: the one that most modules have.
    assert_eq!(missing, ["g:a:1 for x", "g:b:z for z"]);
}

/// A bill of materials, `g:bill:1`, that manages 500 artifacts.
fn with_big_bill(fixture: &Fixture) {
    let entries: Vec<String> = (0..500).map(|at| format!("g:a{at}:1")).collect();
    pom_at(
        fixture,
        "g:bill:1",
        &format!(
            "{}<packaging>pom</packaging><dependencyManagement><dependencies>{}</dependencies></dependencyManagement></project>",
            project("g:bill:1"),
            declared(&entries.join(", ")),
        ),
    );
}

/// A bill of materials of bills is flattened once, whoever imports it.
#[test]
fn an_imported_bill_is_read_once() {
    let fixture = Fixture::new("");
    with_big_bill(&fixture);
    for at in 0..20 {
        fixture.write(
            &format!("m{at}/pom.xml"),
            format!(
                "{}<dependencyManagement><dependencies>{}</dependencies></dependencyManagement><dependencies>{}</dependencies></project>",
                project(&format!("own:m{at}:1")),
                declared("g:bill:1 pom import"),
                declared(&format!("g:a{at}")),
            ),
        );
    }
    let report = libraries(&fixture).report;
    assert!(report.work.entries <= 500 + 2 * 20, "{:?}", report.work);
    assert_eq!(report.missing.len(), 20);
}

/// Modules that each need the `needed` before them; the first has a library.
fn mesh(modules: usize, needed: usize, sources: bool) -> Fixture {
    let fixture = Fixture::new("");
    for at in 0..modules {
        let before = (0..needed).filter_map(|step| at.checked_sub(1 + step));
        let mut uses: Vec<String> = before.map(|at| format!("own:m{at}:1")).collect();
        if at == 0 {
            uses.push("g:a:1".to_owned());
        }
        fixture.write(
            &format!("m{at}/pom.xml"),
            format!(
                "{}<dependencies>{}</dependencies></project>",
                project(&format!("own:m{at}:1")),
                declared(&uses.join(", ")),
            ),
        );
        if sources {
            fixture.write(&format!("m{at}/src/main/java/p{at}/A.java"), "class A {}");
        }
    }
    fixture
}

/// Beyond a bound no module is followed through what others brought along; what all of them see stays the same.
#[test]
fn many_modules_that_need_many_others_each() {
    let layout = mesh(100, 20, true).layout();
    let sets = &layout.source_sets;
    let last = sets.iter().find(|set| set.name == "m99/main").unwrap();
    assert_eq!(last.visible.len(), 99);
    assert_eq!(sets[last.visible[0]].name, "m98/main");
    // One by one they would take half as many edges again.
    let report = libraries(&mesh(700, 200, false)).report;
    assert!(report.work.edges <= 33_000_000, "{:?}", report.work);
    assert_eq!(report.missing.len(), 1);
}

#[test]
fn a_long_chain_of_modules() {
    let layout = mesh(200, 1, true).layout();
    let seen = |name: &str| {
        let set = layout.source_sets.iter().find(|set| set.name == name);
        set.unwrap().visible.len()
    };
    assert_eq!(
        (seen("m199/main"), seen("m1/main"), seen("m0/main")),
        (199, 1, 0)
    );
}

/// Parents of parents, more than a project has, and some that are their own.
#[test]
fn a_long_chain_of_parents_and_a_circle() {
    let fixture = Fixture::new("");
    for at in 0..100_usize {
        // All of them form a circle.
        let parent = at.checked_sub(1).unwrap_or(99);
        fixture.write(
            &format!("m{at}/pom.xml"),
            format!(
                "{}<parent><groupId>own</groupId><artifactId>m{parent}</artifactId><version>1</version></parent></project>",
                project(&format!("own:m{at}:1")),
            ),
        );
        fixture.write(&format!("m{at}/src/main/java/p{at}/A.java"), "class A {}");
    }
    assert_eq!(fixture.layout().source_sets.len(), 100);
    assert_eq!(libraries(&fixture).report.entries, []);
}

/// A Gradle build whose root tells all modules' platform: its entries are read once, each library is looked for once.
#[test]
fn a_platform_of_gradle_is_read_once() {
    let modules = 30;
    let mut settings = String::new();
    let fixture = Fixture::new("");
    for at in 0..modules {
        writeln!(settings, "include ':m{at}'").unwrap();
        fixture.write(
            &format!("m{at}/build.gradle"),
            "dependencies { implementation platform('g:bill:1')\n implementation 'g:a1'\n implementation 'g:a2' }",
        );
        fixture.write(&format!("m{at}/src/main/java/A.java"), "class A {}");
    }
    fixture.write("settings.gradle", settings);
    with_big_bill(&fixture);
    pom_at(
        &fixture,
        "g:a1:1",
        &format!(
            "{}<dependencies>{}</dependencies></project>",
            project("g:a1:1"),
            declared("g:a3:0, g:a4:0")
        ),
    );
    let report = libraries(&fixture).report;
    assert!(report.work.entries <= 500 + 4, "{:?}", report.work);
    assert!(report.work.edges <= 2 * 2 * modules, "{:?}", report.work);
    let missing: Vec<&str> = report
        .missing
        .iter()
        .map(|m| m.coordinates.as_str())
        .collect();
    assert_eq!(missing, ["g:a1:1", "g:a2:1", "g:a3:1", "g:a4:1"]);
}
