//! What Defects4J says of a bug.

use std::fmt;

use super::trees::{History, Tree};
use crate::Result;

/// `Math-96`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BugId {
    pub(super) project: String,
    pub(super) number: u32,
}

impl std::str::FromStr for BugId {
    type Err = String;

    fn from_str(text: &str) -> Result<BugId> {
        let parts = text.rsplit_once('-');
        let parts = parts.and_then(|(project, number)| Some((project, number.parse().ok()?)));
        match parts {
            Some((project, number)) if !project.is_empty() => Ok(BugId {
                project: project.to_owned(),
                number,
            }),
            _ => Err(format!("{text:?} is no bug: they are written like Math-96")),
        }
    }
}

impl fmt::Display for BugId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.project, self.number)
    }
}

/// A bug, its commits, and where the code lies.
pub(super) struct Bug {
    pub(super) id: BugId,
    pub(super) buggy: String,
    pub(super) fixed: String,
    pub(super) places: Places,
    /// Applied to the fixed version it gives the buggy one, with nothing else changed.
    pub(super) patch: Vec<u8>,
    /// The same for the tests.
    pub(super) test_patch: Option<Vec<u8>>,
    /// Classes that the patch changes.
    pub(super) modified: Vec<String>,
    /// `pkg.Class::test` that the bug fails.
    pub(super) triggers: Vec<String>,
    /// Own test classes that load a modified class.
    pub(super) relevant: Vec<String>,
}

impl Bug {
    pub(super) fn read(defects4j: &Tree, id: &BugId) -> Result<Bug> {
        let folder = format!("framework/projects/{}", id.project);
        let text = |path: String| {
            let text = defects4j.text(&format!("{folder}/{path}"));
            text.ok_or_else(|| format!("{id}: Defects4J has no {path} of {}", id.project))
        };
        let number = id.number;
        let (buggy, fixed) = commits(&text("active-bugs.csv".to_owned())?, number)
            .ok_or_else(|| format!("{id} is no active bug"))?;
        let layouts = text("dir-layout.csv".to_owned())?;
        let places = Places::of(&layouts, &fixed)
            .ok_or_else(|| format!("{id}: Defects4J does not say where its sources lie"))?;
        let bytes = |path: String| defects4j.bytes(&format!("{folder}/{path}"));
        let patch = bytes(format!("patches/{number}.src.patch"));
        let lines = |path: String| text(path).map(|t| t.lines().map(str::to_owned).collect());
        Ok(Bug {
            patch: patch.ok_or_else(|| format!("{id} has no patch"))?,
            test_patch: bytes(format!("patches/{number}.test.patch")),
            modified: lines(format!("modified_classes/{number}.src"))?,
            triggers: triggers(&text(format!("trigger_tests/{number}")).unwrap_or_default()),
            relevant: lines(format!("relevant_tests/{number}")).unwrap_or_default(),
            id: id.clone(),
            buggy,
            fixed,
            places,
        })
    }
}

impl Bug {
    /// The bug in a history whose folders are not those that Defects4J tells, which moves those of old versions: the code lies in
    /// the one folder at the root that has its sources.
    pub(super) fn within(mut self, history: &History) -> Bug {
        let has = |path: &str| history.has(&self.fixed, path);
        let path = |module: &str| format!("{module}/{}", self.places.sources);
        if self.places.module.is_empty() && !has(&self.places.sources) {
            let all = history.folders(&self.fixed);
            let own: Vec<String> = all.into_iter().filter(|m| has(&path(m))).collect();
            if let [module] = &own[..] {
                self.places.module.clone_from(module);
            }
        }
        self
    }
}

/// Where a version keeps its code.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Places {
    /// The folder of the module, from the repository's root; empty for the root.
    pub(super) module: String,
    /// From the module.
    pub(super) sources: String,
    pub(super) tests: String,
}

impl Places {
    /// By `dir-layout.csv`: `COMMIT,SOURCES,TESTS`.
    pub(super) fn of(layouts: &str, commit: &str) -> Option<Places> {
        let row = layouts.lines().find(|row| row.starts_with(commit))?;
        let mut cells = row.split(',').skip(1);
        let (sources, tests) = (cells.next()?.trim(), cells.next()?.trim());
        let module = sources.split_once("/src/").map_or("", |(module, _)| module);
        let own = |path: &str| match module {
            "" => Some(path.to_owned()),
            module => Some(path.strip_prefix(module)?.strip_prefix('/')?.to_owned()),
        };
        let (Some(own_sources), Some(own_tests)) = (own(sources), own(tests)) else {
            // Tests of another module: then both are read from the root.
            return Some(Places {
                module: String::new(),
                sources: sources.to_owned(),
                tests: tests.to_owned(),
            });
        };
        Some(Places {
            module: module.to_owned(),
            sources: own_sources,
            tests: own_tests,
        })
    }

    /// How many folders the module lies below the root.
    pub(super) fn depth(&self) -> usize {
        self.module
            .split('/')
            .filter(|part| !part.is_empty())
            .count()
    }
}

/// The buggy and the fixed commit, by `active-bugs.csv`.
fn commits(table: &str, number: u32) -> Option<(String, String)> {
    let mut rows = table.lines();
    let heads: Vec<&str> = rows.next()?.split(',').collect();
    let column = |name: &str| heads.iter().position(|head| *head == name);
    let (id, buggy, fixed) = (
        column("bug.id")?,
        column("revision.id.buggy")?,
        column("revision.id.fixed")?,
    );
    let number = number.to_string();
    let row = rows.find(|row| row.split(',').nth(id) == Some(number.as_str()))?;
    let cell = |at: usize| Some(row.split(',').nth(at)?.to_owned());
    Some((cell(buggy)?, cell(fixed)?))
}

/// Lines of `--- pkg.Class::test`; the traces below them are no matter.
fn triggers(text: &str) -> Vec<String> {
    let names = text.lines().filter_map(|line| line.strip_prefix("--- "));
    names.map(|name| name.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_named_by_project_and_number() {
        let id: BugId = "Math-96".parse().expect("a bug");
        assert_eq!((id.project.as_str(), id.number), ("Math", 96));
        assert_eq!(id.to_string(), "Math-96");
        for wrong in ["Math", "Math-", "-96", "Math-96b", ""] {
            assert!(wrong.parse::<BugId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn commits_are_found_by_the_names_of_their_columns() {
        let table =
            "bug.id,revision.id.buggy,revision.id.fixed,report.id\n1,aa,bb,X-1\n11,cc,dd,X-2\n";
        assert_eq!(commits(table, 11), Some(("cc".to_owned(), "dd".to_owned())));
        assert_eq!(commits(table, 2), None);
        assert_eq!(commits("id,commit\n1,aa\n", 1), None);
    }

    #[test]
    fn a_module_is_what_stands_before_src() {
        let layouts = "aa,src/main/java,src/test/java\nbb,gson/src/main/java,gson/src/test/java\ncc,source,tests\n";
        let of = |commit| {
            let places = Places::of(layouts, commit).expect("a row");
            (places.depth(), places.module, places.sources, places.tests)
        };
        let places = |depth, module: &str, sources: &str, tests: &str| {
            (
                depth,
                module.to_owned(),
                sources.to_owned(),
                tests.to_owned(),
            )
        };
        assert_eq!(of("aa"), places(0, "", "src/main/java", "src/test/java"));
        assert_eq!(
            of("bb"),
            places(1, "gson", "src/main/java", "src/test/java")
        );
        assert_eq!(of("cc"), places(0, "", "source", "tests"));
        assert_eq!(Places::of(layouts, "dd"), None);
    }

    #[test]
    fn triggers_are_heads_of_traces() {
        let text = "--- a.BTest::testC\njunit.framework.AssertionFailedError: x\n\tat a.BTest.testC(BTest.java:3)\n--- a.BTest::testD\n";
        assert_eq!(triggers(text), ["a.BTest::testC", "a.BTest::testD"]);
    }
}
