//! `telltale check`: what is printed for whom, exit codes, fingerprints, baselines.

use crate::schemas::{meets, schema};
use crate::support::{Project, Ran, repository, telltale};
use jsonschema::Validator;
use serde_json::Value;
use std::path::Path;

const TEST: &str = "package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class CartTest {
    @Test
    void adds() {
        new Cart().add(\"a\");
    }
    @Test
    void counts() {
        int n = new Cart().size();
        assertEquals(n, n);
        assertEquals(n, n);
    }
    @Test
    void isEmpty() {
        assertEquals(0, new Cart().size());
    }
}
";
const CART: &str = "package shop;
class Cart {
    private int n;
    void add(String item) { n++; }
    int size() { return n; }
}
";
const PATH: &str = "src/test/java/shop/CartTest.java";

fn project(test: &str) -> Project {
    Project::new(&[
        (
            "pom.xml",
            "<project><artifactId>shop</artifactId></project>",
        ),
        ("src/main/java/shop/Cart.java", CART),
        (PATH, test),
    ])
}

/// Its output as JSON, whatever was found.
#[track_caller]
fn json(ran: &Ran) -> Value {
    assert!(ran.code < 2, "{ran:?}");
    serde_json::from_str(&ran.stdout).expect("the output is JSON")
}

#[track_caller]
fn fingerprints(folder: &Path) -> Vec<(String, String)> {
    let found = json(&telltale(folder, &["check", "-q", "--format", "json"]));
    let text = |v: &Value| v.as_str().expect("a text").to_owned();
    let findings = found["findings"].as_array().expect("findings").iter();
    findings
        .map(|f| (text(&f["rule"]), text(&f["fingerprint"])))
        .collect()
}

#[test]
fn a_line_says_place_level_message_and_rule() {
    let project = project(TEST);
    let ran = telltale(project.path(), &["check", "-q"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(
        ran.stdout,
        "src/test/java/shop/CartTest.java:6:10: warning: adds checks nothing: it fails only if something is thrown [no-oracle]
src/test/java/shop/CartTest.java:12:9: warning: This assertion cannot fail: it compares n with itself [self-check]
src/test/java/shop/CartTest.java:13:9: warning: This assertion cannot fail: it compares n with itself [self-check]

3 findings (no-oracle 1, self-check 2) in 3 tests, 2 files.
"
    );
    let quiet = telltale(project.path(), &["check", "-q", "src/main/java"]);
    assert_eq!(
        (quiet.code, &*quiet.stdout),
        (0, "Nothing found in 0 tests, 1 file.\n")
    );
}

#[test]
fn json_meets_its_schema_and_its_edits_silence() {
    let project = project(TEST);
    let ran = telltale(project.path(), &["check", "-q", "--format", "json"]);
    let found = json(&ran);
    meets(&schema("check"), &found, "check");
    assert_eq!(found["findings"][0]["test"], "shop.CartTest#adds()");
    // Applied from the end, so that none moves another.
    let mut text: Vec<String> = TEST.lines().map(str::to_owned).collect();
    let findings = found["findings"].as_array().expect("findings");
    for finding in findings.iter().rev() {
        let edit = &finding["fixes"][0]["edits"][0];
        assert_eq!(
            (&edit["column"], &edit["end_column"]),
            (&1.into(), &1.into())
        );
        let line = edit["line"].as_u64().expect("a line") as usize;
        let new = edit["text"]
            .as_str()
            .expect("a text")
            .trim_end_matches('\n');
        text.insert(line - 1, new.to_owned());
    }
    std::fs::write(project.path().join(PATH), text.join("\n")).expect("written");
    assert_eq!(fingerprints(project.path()), []);
}

/// What GitHub and others read.
pub(crate) fn sarif() -> Validator {
    let path = repository().join("tests/sarif/sarif-2.1.0.schema.json");
    let text = std::fs::read_to_string(path).expect("the schema is there");
    // A bracket too many, which is no pattern to us; languages are not told.
    let text = text.replace("{2}]?$\"", "{2}$\"");
    let document: Value = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::validator_for(&document).expect("the schema compiles")
}

/// As GitHub and others read it.
#[test]
fn sarif_meets_the_schema_of_its_committee() {
    let schema = sarif();
    let project = project(TEST);
    for arguments in [
        &["check", "-q", "--format", "sarif"][..],
        &["check", "-q", "src/main", "--format", "sarif"],
    ] {
        let found = json(&telltale(project.path(), arguments));
        meets(&schema, &found, "sarif");
    }
    let found = json(&telltale(
        project.path(),
        &["check", "-q", "--format", "sarif"],
    ));
    let run = &found["runs"][0];
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 3);
    for result in results {
        let at = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][at]["id"], result["ruleId"]);
        let location = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(location["uri"], PATH);
        let prints = &result["partialFingerprints"];
        assert!(prints["telltale/1"].is_string());
        assert_eq!(prints["primaryLocationLineHash"], prints["telltale/1"]);
    }
    // GitHub takes no rule without these, and shows them beside an alert.
    for rule in run["tool"]["driver"]["rules"].as_array().expect("rules") {
        let said = |what: &str, how: &str| rule[what][how].as_str().unwrap_or_default().len();
        assert!(said("fullDescription", "text") > 20, "{rule:#}");
        assert!(said("help", "text") > 200 && said("help", "markdown") > 200);
        let name = rule["name"].as_str().expect("a name");
        assert!(name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains('-'));
    }
    // Of a project in a folder of a repository paths go out from its top.
    let pom = std::fs::read_to_string(project.path().join("pom.xml")).expect("its build file");
    let test = std::fs::read_to_string(project.path().join(PATH)).expect("its test");
    let below = format!("shop cart/{PATH}");
    let repository = Project::new(&[("shop cart/pom.xml", &pom), (&below, &test)]);
    std::fs::create_dir(repository.path().join(".git")).expect("a repository");
    let found = json(&telltale(
        &repository.path().join("shop cart"),
        &["check", "-q", "--format", "sarif"],
    ));
    let first = &found["runs"][0]["results"][0]["locations"][0];
    assert_eq!(
        first["physicalLocation"]["artifactLocation"]["uri"],
        format!("shop%20cart/{PATH}")
    );
    // It can tell wrong from right.
    let broken: Value = serde_json::json!({ "version": "2.1.0", "runs": [{ "tool": {} }] });
    assert!(!schema.is_valid(&broken));
}

/// What stands in its method as it stood has the fingerprint that it had.
#[test]
fn fingerprints_survive_moved_and_formatted_lines() {
    let before = project(TEST);
    let expected = fingerprints(before.path());
    assert_eq!(expected.len(), 3);
    let mut all: Vec<&String> = expected.iter().map(|f| &f.1).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 3, "twins differ: {expected:?}");
    for (what, text) in [
        (
            "moved",
            TEST.replace("class CartTest", "\n\n// More.\nclass CartTest"),
        ),
        (
            "formatted",
            TEST.replace(
                "assertEquals(n, n)",
                "assertEquals(\n            n,\n            n)",
            ),
        ),
        ("indented", TEST.replace("    ", "\t")),
        ("told apart by lines", TEST.replace('\n', "\r\n")),
    ] {
        // With one space that formatting took away the same is compared.
        let changed = project(&text);
        assert_eq!(fingerprints(changed.path()), expected, "{what}");
    }
    let renamed = project(&TEST.replace("adds", "takes"));
    assert_ne!(fingerprints(renamed.path()), expected);
}

#[test]
fn a_baseline_leaves_out_what_is_known() {
    let project = project(TEST);
    let folder = project.path();
    let missing = telltale(folder, &["check", "-q", "--baseline", "known.json"]);
    missing.mistake(&["known.json", "--update-baseline"]);
    telltale(folder, &["check", "--update-baseline"]).mistake(&["--baseline"]);
    let written = telltale(
        folder,
        &[
            "check",
            "-q",
            "--baseline",
            "known.json",
            "--update-baseline",
        ],
    );
    assert_eq!((written.code, &*written.stdout), (0, ""), "{written:?}");
    let text = std::fs::read_to_string(folder.join("known.json")).expect("it was written");
    let known: Value = serde_json::from_str(&text).expect("JSON");
    meets(&schema("baseline"), &known, "baseline");
    let now = telltale(folder, &["check", "-q", "--baseline", "known.json"]);
    assert_eq!(now.code, 0, "{now:?}");
    assert_eq!(
        now.stdout,
        "Nothing found in 3 tests, 2 files; 3 more are in the baseline.\n"
    );
    // A new one is told, though all moved.
    let more = TEST.replace(
        "    @Test\n    void isEmpty",
        "    @Test\n    void fresh() { }\n    @Test\n    void isEmpty",
    );
    std::fs::write(folder.join(PATH), format!("// Moved.\n{more}")).expect("written");
    let now = json(&telltale(
        folder,
        &[
            "check",
            "-q",
            "--baseline",
            "known.json",
            "--format",
            "json",
        ],
    ));
    assert_eq!(now["counts"]["known"], 3);
    assert_eq!(now["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        now["findings"][0]["message"],
        "fresh is empty: it checks nothing"
    );
    for (text, says) in [
        ("{", "no baseline"),
        ("{\"schema\":\"x\",\"findings\":[]}", "telltale.baseline/1"),
    ] {
        std::fs::write(folder.join("known.json"), text).expect("written");
        telltale(folder, &["check", "-q", "--baseline", "known.json"]).mistake(&[says]);
    }
}

#[test]
fn levels_decide_what_is_said_and_how_it_ends() {
    let project = project(TEST);
    let folder = project.path();
    let run = |toml: &str, arguments: &[&str]| {
        std::fs::write(folder.join("telltale.toml"), toml).expect("written");
        let all = [&["check", "-q", "--format", "json"], arguments].concat();
        let ran = telltale(folder, &all);
        let found = json(&ran);
        let findings = found["findings"].as_array().expect("findings").iter();
        let levels = findings.map(|f| f["level"].as_str().expect("a level").to_owned());
        (ran.code, levels.collect::<Vec<String>>())
    };
    let all = |level: &str| vec![level.to_owned(); 3];
    let both =
        |level: &str| format!("[rules]\nno-oracle = \"{level}\"\nself-check = \"{level}\"\n");
    assert_eq!(run("", &[]), (1, all("warning")));
    assert_eq!(run("", &["--fail-on", "error"]), (0, all("warning")));
    assert_eq!(run("", &["--fail-on", "never"]), (0, all("warning")));
    assert_eq!(run(&both("info"), &[]), (0, all("info")));
    assert_eq!(run(&both("info"), &["--fail-on", "hint"]), (1, all("info")));
    assert_eq!(
        run(&both("error"), &["--fail-on", "error"]),
        (1, all("error"))
    );
    assert_eq!(run(&both("off"), &[]), (0, vec![]));
    assert_eq!(
        run(&both("off"), &["--rule", "no-oracle"]),
        (1, vec!["warning".to_owned()])
    );
    assert_eq!(run("", &["--rule", "self-check"]).1.len(), 2);
    assert_eq!(run("[tests]\nsmoke = [\"add*\"]\n", &[]).1.len(), 2);
    telltale(folder, &["check", "--rule", "no-orakel"]).mistake(&["no-orakel", "no-oracle"]);
    std::fs::write(
        folder.join("telltale.toml"),
        "[rules]\nno-orakel = \"off\"\n",
    )
    .expect("written");
    let ran = telltale(folder, &["check", "-q"]);
    assert!(
        ran.stderr.contains("there is no key rules.no-orakel"),
        "{}",
        ran.stderr
    );
}

/// Each rule has its page, which says what the program says.
#[test]
fn every_rule_has_its_page() {
    let help = telltale(&repository(), &["check", "--help"]).stdout;
    let pages = std::fs::read_dir(repository().join("docs/rules")).expect("the folder");
    let mut found = 0;
    for page in pages {
        let path = page.expect("an entry").path();
        let name = path
            .file_stem()
            .and_then(|n| n.to_str())
            .expect("a name")
            .to_owned();
        let text = std::fs::read_to_string(&path).expect("a page");
        assert!(text.starts_with(&format!("# `{name}`: ")), "{name}");
        // What mutants tell no call of `check` finds, and no comment silences.
        let of_mutants = ide::rules::OF_MUTANTS.iter().any(|r| r.name == name);
        assert_eq!(help.contains(&name), !of_mutants, "{name}: {help}");
        let silenced = match of_mutants {
            true => format!("`rules.{name} = \"off\"`"),
            false => "telltale:ignore".to_owned(),
        };
        assert!(text.contains(&silenced), "{name} says how to silence it");
        found += 1;
    }
    assert_eq!(found, ide::rules::ALL.len() + ide::rules::OF_MUTANTS.len());
}
