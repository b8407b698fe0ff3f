//! `telltale-dismissed.toml`: what it leaves out of the text, how JSON marks it, what is said of what is wrong with it.

use crate::support::Project;

const FILES: &[(&str, &str)] = &[
    (
        "src/main/java/A.java",
        "class A { static int twice(int n) { int m = n * 2; return m; } }\n",
    ),
    (
        "src/test/java/ATest.java",
        "import org.junit.jupiter.api.Test;\nclass ATest {\n    @Test void twice() { int a = A.twice(3); }\n}\n",
    ),
];
const OBSERVE: &[&str] = &["observe", ".", "--test", "ATest#twice"];

const FIRST: &str =
    "[[dismissed]]\nin = \"ATest#twice()\"\nvalue = \"a\"\ntype = \"int\"\nquery = \"\"\n";

#[test]
fn what_is_dismissed_is_marked_in_json_and_left_out_of_the_text() {
    let project = Project::new(FILES);
    let text = project.run(OBSERVE).stdout;
    assert!(text.contains("  1  a "), "{text}");
    let json = |project: &Project| {
        project
            .run(&[OBSERVE, &["--format", "json"]].concat())
            .json()
    };
    let before = json(&project);
    assert!(before["readable"][0].get("dismissed").is_none());
    project.write("telltale-dismissed.toml", FIRST.as_bytes());
    let after = json(&project);
    assert_eq!(after["readable"][0]["dismissed"], true);
    assert_eq!(
        after["readable"][0]["candidate"],
        before["readable"][0]["candidate"]
    );
    let text = project.run(OBSERVE).stdout;
    assert!(!text.contains("  1  a "), "{text}");
    assert!(text.contains("telltale-dismissed.toml"), "{text}");
}

/// What is left of a list is said, however short it is asked for.
#[test]
fn what_is_dismissed_takes_no_place() {
    let project = Project::new(&[
        (
            "src/main/java/A.java",
            "public class A {\n    private int sum; private int odd;\n    public void add(int n) { sum = sum + n * 2; odd = odd + n % 2; }\n    public int getSum() { return sum; }\n    public int getOdd() { return odd; }\n}\n",
        ),
        (
            "src/test/java/ATest.java",
            "import org.junit.jupiter.api.Test;\nclass ATest {\n    @Test void adds() { A a = new A(); a.add(3); }\n}\n",
        ),
    ]);
    let ask = ["observe", ".", "--test", "ATest#adds", "--top", "1"];
    let before = project.run(&[&ask[..], &["--format", "json"]].concat());
    let before = before.json();
    let first = before["readable"][0]["candidate"]["expression"].clone();
    let first = first.as_str().expect("an expression");
    let query = first.strip_prefix("a.").expect("a query");
    let entry = format!("[[dismissed]]\ntype = \"A\"\nquery = \"{query}\"\n");
    project.write("telltale-dismissed.toml", entry.as_bytes());
    let text = project.run(&ask).stdout;
    assert!(text.contains("  1  a.get"), "{text}");
    assert!(!text.contains(&format!("  1  {first} ")), "{text}");
    assert!(!text.contains("All that there is to say"), "{text}");
}

#[test]
fn a_variable_inside_is_dismissed_for_all_who_could_see_it() {
    let project = Project::new(FILES);
    let entry = "[[dismissed]]\nof = \"A#twice(int)\"\nvariable = \"m\"\n";
    project.write("telltale-dismissed.toml", entry.as_bytes());
    let ranking = project.run(&["observe", ".", "--format", "json"]).json();
    let ranking = ranking["ranking"].as_array().expect("a ranking").clone();
    let marked: Vec<&str> = ranking
        .iter()
        .filter(|r| r["dismissed"] == true)
        .filter_map(|r| r["candidate"]["variable"].as_str())
        .collect();
    assert_eq!(marked, ["m"]);
}

#[test]
fn a_mistake_is_told_with_its_line_and_costs_nothing_else() {
    let project = Project::new(FILES);
    let broken = format!("{FIRST}[[dismissed]]\n<<<<<<< ours\n");
    project.write("telltale-dismissed.toml", broken.as_bytes());
    let ran = project.run(OBSERVE);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.contains("telltale-dismissed.toml:7: "),
        "{}",
        ran.stderr
    );
    assert!(!ran.stdout.contains("  1  a "), "{}", ran.stdout);
}

#[test]
fn doctor_names_what_hides_nothing_any_more() {
    let project = Project::new(FILES);
    let stale = format!("{FIRST}\n{}", FIRST.replace("twice", "thrice"));
    project.write("telltale-dismissed.toml", stale.as_bytes());
    let found = project.run(&["doctor", ".", "--format", "json"]).json();
    let dismissed = &found["dismissed"];
    assert_eq!(dismissed["entries"], 2);
    assert_eq!(dismissed["problems"].as_array().map(Vec::len), Some(0));
    let said = dismissed["stale"].as_array().expect("lines");
    assert_eq!(said.len(), 1);
    assert_eq!(said[0]["line"], 7);
    assert_eq!(said[0]["why"], "there is no ATest#thrice()");
    let text = project.run(&["doctor", "."]).stdout;
    assert!(text.contains("line 7 hides nothing any more"), "{text}");
}
