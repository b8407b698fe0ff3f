//! For which release of Java a build compiles by `--release`, which also hides what is newer in the classes of the JDK;
//! `-source` and `-target` do not.
//!
//! It is read from the build files as they are written, above the class files that the build made: poms with those of their
//! parents that lie where they are said to, without profiles and without what single executions say; scripts of Gradle with
//! what those above them say of all their projects. What only a plugin or a parent from a repository says is not seen. So
//! whoever asks should hold the answer against the version in the class file.

use crate::maven::{expand, parent};
use crate::read::read_build_file;
use crate::script::{Statement, Token, statements};
use crate::xml::Tree;
use std::path::{Path, PathBuf};

/// How many poms one after the other are parents.
const MOST_PARENTS: usize = 16;

const SCRIPTS: [&str; 2] = ["build.gradle", "build.gradle.kts"];
const SETTINGS: [&str; 2] = ["settings.gradle", "settings.gradle.kts"];

/// The release that a build asked for as it made this class file, if it asked for one.
pub fn release(class: &Path) -> Option<u16> {
    let has = |folder: &Path, names: &[&str]| names.iter().any(|name| folder.join(name).is_file());
    let mut above = class.ancestors().skip(1);
    let module = above.find(|folder| has(folder, &["pom.xml"]) || has(folder, &SCRIPTS))?;
    let mut outputs = class.strip_prefix(module).ok()?.iter();
    let is_of_gradle = has(module, &SCRIPTS)
        && (outputs.next().is_some_and(|first| first == "build") || !has(module, &["pom.xml"]));
    if !is_of_gradle {
        let of_tests = class.iter().any(|part| part == "test-classes");
        return of_poms(&module.join("pom.xml"), of_tests);
    }
    // build/classes/java/main
    let of_tests = outputs.nth(2).is_some_and(|set| set != "main");
    of_scripts(module, false, of_tests).or_else(|| {
        let is_whole = has(module, &SETTINGS);
        above
            .take_while(|_| !is_whole)
            .scan(false, |ended, folder| {
                let goes_on = !*ended;
                *ended |= has(folder, &SETTINGS);
                goes_on.then_some(folder)
            })
            .find_map(|folder| of_scripts(folder, true, of_tests))
    })
}

fn of_poms(pom: &Path, of_tests: bool) -> Option<u16> {
    let lineage = lineage(pom);
    let projects = || lineage.iter().filter_map(|tree| tree.root("project"));
    let property = |name: &str| {
        let mut all = projects().flat_map(|p| p.children("properties"));
        all.find_map(|own| Some(own.text_of(name)?.to_owned()))
    };
    let configured = |name: &str| {
        let builds = projects().flat_map(|p| {
            let managed = ["build", "pluginManagement"];
            [p.child("build"), p.at(&managed)].into_iter().flatten()
        });
        let plugins = builds.flat_map(|b| b.children("plugins"));
        let plugins = plugins.flat_map(|all| all.children("plugin"));
        plugins
            .filter(|plugin| plugin.text_of("artifactId") == Some("maven-compiler-plugin"))
            .filter_map(|plugin| plugin.child("configuration")?.text_of(name))
            .find(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let tests = || configured("testRelease").or_else(|| property("maven.compiler.testRelease"));
    let all = || configured("release").or_else(|| property("maven.compiler.release"));
    let said = of_tests.then(tests).flatten().or_else(all)?;
    expand(&said, property).trim().parse().ok()
}

/// A pom and those of its parents that lie where it says, nearest first.
fn lineage(pom: &Path) -> Vec<Tree> {
    let mut out: Vec<Tree> = Vec::new();
    let mut next: Option<(PathBuf, Option<String>)> = Some((pom.to_path_buf(), None));
    while let Some((path, name)) = next.take().filter(|_| out.len() < MOST_PARENTS) {
        let Ok(text) = read_build_file(&path) else {
            break;
        };
        let tree = Tree::parse(&text);
        let Some(project) = tree.root("project") else {
            break;
        };
        // What lies there may be another project.
        if name.is_some() && project.text_of("artifactId") != name.as_deref() {
            break;
        }
        let above = project.child("parent").map(parent);
        next = above.and_then(|above| {
            let place = path.parent()?.join(above.path?);
            let file = match place.is_dir() {
                true => place.join("pom.xml"),
                false => place,
            };
            Some((file, Some(above.artifact)))
        });
        out.push(tree);
    }
    out
}

/// What the script of a folder says last; `of_all` is what it says of all projects below.
fn of_scripts(folder: &Path, of_all: bool, of_tests: bool) -> Option<u16> {
    let text = SCRIPTS
        .iter()
        .find_map(|name| read_build_file(&folder.join(name)).ok())?;
    let other = match of_tests {
        true => "compileJava",
        false => "compileTestJava",
    };
    let names = |statement: &Statement, names: &[&str]| {
        let heads = statement.blocks.iter().chain([&statement.tokens]);
        let mut all = heads.flatten().filter_map(Token::name);
        all.any(|own| names.contains(&own))
    };
    statements(&text)
        .iter()
        .filter(|s| !of_all || names(s, &["allprojects", "subprojects"]))
        .filter(|s| !names(s, &[other]))
        .filter_map(in_statement)
        .next_back()
}

/// `options.release = 11`, `options.release.set(11)`, also without `options` in a block of that name.
fn in_statement(statement: &Statement) -> Option<u16> {
    let written = |token: &Token| match token {
        Token::Word(word) => word.clone(),
        Token::Text(text) => format!("{text:?}"),
        Token::Mark(mark) => mark.to_string(),
    };
    let line: String = statement.tokens.iter().map(written).collect();
    let head = statement.blocks.last().map(|h| h.iter());
    let in_options = head.is_some_and(|mut h| h.any(|t| t.is_word("options")));
    let rest = match line.split_once("options.release") {
        Some((_, rest)) => rest,
        None if in_options => line.strip_prefix("release")?,
        None => return None,
    };
    let number = rest
        .strip_prefix('=')
        .or_else(|| rest.strip_prefix(".set(")?.strip_suffix(')'))?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a class below these files.
    fn of(files: &[(&str, &str)], class: &str) -> Option<u16> {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("it is written");
        }
        release(&folder.path().join(class))
    }

    #[test]
    fn poms_and_their_parents_say_it() {
        let property =
            |name: &str, value: &str| format!("<properties><{name}>{value}</{name}></properties>");
        let plugin = |configuration: &str| {
            format!(
                "<plugins><plugin><artifactId>maven-compiler-plugin</artifactId><configuration>{configuration}</configuration></plugin></plugins>"
            )
        };
        let pom = |inside: &str| format!("<project><artifactId>own</artifactId>{inside}</project>");
        let (code, tests) = ("target/classes/p/A.class", "target/test-classes/p/A.class");
        let both = |inside: &str| {
            let pom = pom(inside);
            [code, tests].map(|class| of(&[("pom.xml", &pom)], class))
        };
        let released = property("maven.compiler.release", "11");
        assert_eq!(both(&released), [Some(11); 2]);
        let older = "<maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>";
        assert_eq!(
            both(&format!("<properties>{older}</properties>")),
            [None; 2]
        );
        let source = plugin("<source>8</source><target>8</target>");
        assert_eq!(both(&format!("<build>{source}</build>")), [None; 2]);
        // The plugin's own word goes before, that for tests before that for all.
        let own = plugin("<release>${java}</release><testRelease>21</testRelease>");
        let named = format!("{}<build>{own}</build>{released}", property("java", "17"));
        assert_eq!(both(&named), [Some(17), Some(21)]);
        let managed = plugin("<release>9</release>");
        let managed = format!("<build><pluginManagement>{managed}</pluginManagement></build>");
        assert_eq!(both(&managed), [Some(9); 2]);
        let unknown = property("maven.compiler.release", "${elsewhere}");
        assert_eq!(both(&unknown), [None; 2]);
        let profile = format!("<profiles><profile>{released}</profile></profiles>");
        assert_eq!(both(&profile), [None; 2]);

        let child = "<project><parent><artifactId>own</artifactId></parent><artifactId>child</artifactId></project>";
        let below = |parent: &str| {
            let class = format!("child/{code}");
            of(&[("pom.xml", parent), ("child/pom.xml", child)], &class)
        };
        assert_eq!(below(&pom(&released)), Some(11));
        let other = pom(&released).replace(">own<", ">other<");
        assert_eq!(below(&other), None);
        // A pom that is its own parent.
        let own = child.replace(">child<", ">own<");
        assert_eq!(
            of(&[("a/pom.xml", &own), ("pom.xml", &own)], "a/x/A.class"),
            None
        );
    }

    #[test]
    fn scripts_of_gradle_say_it() {
        let (code, tests) = (
            "a/build/classes/java/main/p/A.class",
            "a/build/classes/java/test/p/A.class",
        );
        for (script, said) in [
            ("compileJava.options.release = 11", [Some(11), None]),
            (
                "tasks.withType(JavaCompile) { options.release = 11 }",
                [Some(11); 2],
            ),
            (
                "tasks.withType<JavaCompile>().configureEach { options.release.set(17) }",
                [Some(17); 2],
            ),
            (
                "tasks.named('compileTestJava') { options { release = 9 } }",
                [None, Some(9)],
            ),
            ("options.release = 8\noptions.release = 11", [Some(11); 2]),
            ("sourceCompatibility = 11\nrelease = 9", [None; 2]),
            ("options.release = version", [None; 2]),
            ("// options.release = 11", [None; 2]),
        ] {
            for name in SCRIPTS {
                let path = format!("a/{name}");
                let own = [code, tests].map(|class| of(&[(&path, script)], class));
                assert_eq!(own, said, "{script}");
            }
        }
        let of_all = "subprojects { tasks.withType(JavaCompile) { options.release = 11 } }";
        let root = |script: &str, more: &[(&str, &str)]| {
            let files = [
                ("settings.gradle", ""),
                ("build.gradle", script),
                ("a/build.gradle", ""),
            ];
            of(&[&files, more].concat(), code)
        };
        assert_eq!(root(of_all, &[]), Some(11));
        assert_eq!(root("options.release = 11", &[]), None);
        assert_eq!(root(of_all, &[("a/settings.gradle", "")]), None);
        // Of a folder with both, that of which the output is.
        let pom = "<project><properties><maven.compiler.release>8</maven.compiler.release></properties></project>";
        let both = [
            ("a/pom.xml", pom),
            ("a/build.gradle", "options.release = 11"),
        ];
        assert_eq!(of(&both, code), Some(11));
        assert_eq!(of(&both, "a/target/classes/p/A.class"), Some(8));
        assert_eq!(of(&[], code), None);
    }
}
