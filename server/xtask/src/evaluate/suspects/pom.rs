//! A `pom.xml` of our own for a version of a project: what builds on a JDK of today, with the libraries that the project's own
//! names.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::bug::Places;

/// What JUnit's newest with tests of versions 3 and 4 is called.
pub(super) const JUNIT: &str = "4.13.2";

/// The generated classes. Each runs in a virtual machine of its own, apart from the hand-written ones: a generated test that is
/// out of time runs on behind the next ones, and takes all memory from them.
const GENERATED: &str = "**/*_ESTest.java";

/// What tests of a project from another place and time stand on: Defects4J runs them so.
pub(super) const PROPERTIES: [&str; 5] = [
    "-Duser.timezone=America/Los_Angeles",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Dfile.encoding=UTF-8",
    "-Djava.awt.headless=true",
];

/// A library that a pom names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Library {
    pub(super) group: String,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) is_for_tests: bool,
}

/// The libraries of a pom with a version that it says itself, but JUnit.
pub(super) fn libraries(pom: &str) -> Vec<Library> {
    let read = read(pom);
    let valued = |text: &str| {
        let mut text = text.to_owned();
        for (key, value) in &read.properties {
            text = text.replace(&format!("${{{key}}}"), value);
        }
        (!text.contains("${") && !text.is_empty()).then_some(text)
    };
    let of = |row: &BTreeMap<String, String>, key: &str| valued(row.get(key)?);
    let managed = |group: &str, name: &str| {
        let same = |row: &&BTreeMap<String, String>| {
            of(row, "groupId").as_deref() == Some(group)
                && of(row, "artifactId").as_deref() == Some(name)
        };
        of(read.managed.iter().find(same)?, "version")
    };
    let library = |row: &BTreeMap<String, String>| {
        let (group, name) = (of(row, "groupId")?, of(row, "artifactId")?);
        let version = of(row, "version").or_else(|| managed(&group, &name))?;
        let plain = row.get("type").is_none_or(|t| t == "jar") && !row.contains_key("classifier");
        let is_here = row
            .get("scope")
            .is_none_or(|s| s != "system" && s != "import");
        (plain && is_here && group != "junit").then(|| Library {
            is_for_tests: row.get("scope").is_some_and(|s| s == "test"),
            group,
            name,
            version,
        })
    };
    read.used.iter().filter_map(library).collect()
}

/// What of a pom is needed here.
#[derive(Default)]
struct Read {
    properties: BTreeMap<String, String>,
    used: Vec<BTreeMap<String, String>>,
    managed: Vec<BTreeMap<String, String>>,
}

fn read(pom: &str) -> Read {
    let mut out = Read::default();
    let mut path: Vec<String> = Vec::new();
    let mut text = String::new();
    let mut reader = Reader::from_str(pom);
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                text.clear();
                path.push(start.local_name().as_ref().to_owned());
                match joined(&path).as_str() {
                    USED => out.used.push(BTreeMap::new()),
                    MANAGED => out.managed.push(BTreeMap::new()),
                    _ => {}
                }
            }
            Ok(Event::Text(piece)) => text.push_str(&piece),
            Ok(Event::End(_)) => {
                let (value, whole) = (text.trim().to_owned(), joined(&path));
                text.clear();
                let Some(key) = path.pop() else { break };
                let rows = match joined(&path).as_str() {
                    USED => out.used.last_mut(),
                    MANAGED => out.managed.last_mut(),
                    "project/properties" => Some(&mut out.properties),
                    _ => None,
                };
                match whole.as_str() {
                    "project/version" | "project/groupId" => {
                        out.properties.insert(format!("project.{key}"), value);
                    }
                    _ => drop(rows.and_then(|rows| rows.insert(key, value))),
                }
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    out
}

const USED: &str = "project/dependencies/dependency";
const MANAGED: &str = "project/dependencyManagement/dependencies/dependency";

fn joined(path: &[String]) -> String {
    path.join("/")
}

/// Our own. `tests` are the test classes to run besides the generated ones; all if it is empty.
pub(super) fn write(
    name: &str,
    places: &Places,
    libraries: &[Library],
    tests: &[String],
) -> String {
    let dependency = |l: &Library| {
        let scope = if l.is_for_tests { "test" } else { "compile" };
        format!(
            "    <dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version><scope>{scope}</scope></dependency>\n",
            l.group, l.name, l.version
        )
    };
    let junit = Library {
        group: "junit".to_owned(),
        name: "junit".to_owned(),
        version: JUNIT.to_owned(),
        is_for_tests: true,
    };
    let all = libraries.iter().chain([&junit]);
    let dependencies: String = all.map(dependency).collect();
    let own = tests.iter().map(|class| {
        let path = class.replace('.', "/");
        format!("<include>{path}.java</include>")
    });
    let own: String = own.collect();
    let own = match tests.is_empty() {
        true => own,
        false => format!("<includes>{own}</includes>"),
    };
    // Code and other files share folders in old projects.
    let resources = |tag: &str, folders: [String; 2]| {
        let rows = folders.map(|folder| {
            format!("    <{tag}><directory>{folder}</directory><excludes><exclude>**/*.java</exclude></excludes></{tag}>\n")
        });
        format!("  <{tag}s>\n{}  </{tag}s>\n", rows.concat())
    };
    let beside = |folder: &str| match folder.rsplit_once('/') {
        Some((parent, "java")) => format!("{parent}/resources"),
        _ => format!("{folder}/../resources"),
    };
    let (sources, folder) = (&places.sources, &places.tests);
    let main = resources("resource", [sources.clone(), beside(sources)]);
    let test = resources("testResource", [folder.clone(), beside(folder)]);
    let properties = PROPERTIES.join(" ");
    format!(
        r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>subject</groupId>
  <artifactId>{name}</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>8</maven.compiler.source>
    <maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
{dependencies}  </dependencies>
  <build>
  <sourceDirectory>{sources}</sourceDirectory>
  <testSourceDirectory>{folder}</testSourceDirectory>
{main}{test}  <plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.4</version><configuration>
      <testFailureIgnore>true</testFailureIgnore>
      <argLine>-Xmx2g {properties}</argLine>
    </configuration><executions>
      <execution><id>default-test</id><configuration>
        {own}<excludes><exclude>{GENERATED}</exclude></excludes>
      </configuration></execution>
      <execution><id>generated</id><phase>test</phase><goals><goal>test</goal></goals><configuration>
        <includes><include>{GENERATED}</include></includes><reuseForks>false</reuseForks>
      </configuration></execution>
    </executions></plugin>
  </plugins>
  </build>
</project>
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_read_with_their_versions() {
        let pom = "<project><version>7</version><properties><v>1.2</v></properties>
<dependencyManagement><dependencies>
<dependency><groupId>g</groupId><artifactId>managed</artifactId><version>3</version></dependency>
</dependencies></dependencyManagement>
<dependencies>
<dependency><groupId>org.joda</groupId><artifactId>convert</artifactId><version>${v}</version><optional>true</optional><!-- x --></dependency>
<dependency><groupId>g</groupId><artifactId>managed</artifactId><scope>test</scope></dependency>
<dependency><groupId>g</groupId><artifactId>unknown</artifactId><version>${w}</version></dependency>
<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>3.8.1</version></dependency>
<dependency><groupId>g</groupId><artifactId>own</artifactId><version>${project.version}</version></dependency>
</dependencies>
<build><plugins><plugin><dependencies><dependency><groupId>p</groupId><artifactId>p</artifactId><version>1</version></dependency></dependencies></plugin></plugins></build>
</project>";
        let found: Vec<(String, String, bool)> = libraries(pom)
            .into_iter()
            .map(|l| (l.name, l.version, l.is_for_tests))
            .collect();
        let row = |name: &str, version: &str, test| (name.to_owned(), version.to_owned(), test);
        assert_eq!(
            found,
            [
                row("convert", "1.2", false),
                row("managed", "3", true),
                row("own", "7", false)
            ]
        );
        assert!(libraries("<project").is_empty());
    }

    #[test]
    fn the_pom_names_folders_and_tests_as_the_project_has_them() {
        let places = Places {
            module: String::new(),
            sources: "src/java".to_owned(),
            tests: "src/test".to_owned(),
        };
        let pom = write("math-96", &places, &[], &["a.BTest".to_owned()]);
        assert!(pom.contains("<sourceDirectory>src/java</sourceDirectory>"));
        assert!(pom.contains("<include>a/BTest.java</include>"));
        let generated = "<include>**/*_ESTest.java</include></includes><reuseForks>false<";
        assert!(pom.contains(generated));
        // Without a list all own ones run, still apart from the generated ones.
        let all = write("x", &places, &[], &[]);
        assert_eq!(all.matches("<include>").count(), 1);
        assert!(all.contains("<excludes><exclude>**/*_ESTest.java</exclude></excludes>"));
        assert_eq!(libraries(&pom), []);
    }
}
