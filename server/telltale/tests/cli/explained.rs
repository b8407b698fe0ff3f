//! `telltale suspects --explain` and `--format sarif`, of a project that was recorded: each figure follows from those before it.

#![allow(clippy::print_stderr)]

use crate::check::sarif;
use crate::record::cannot_record;
use crate::schemas::{meets, schema};
use crate::support::{Project, Ran, repository};
use serde_json::Value;

const GENERATED: &str = "src/test/java/algebra/Complex_ESTest.java";

#[test]
fn every_figure_follows_from_those_before_it() {
    if cannot_record() {
        return;
    }
    let project = Project::of("suspects");
    recipe(&project);
    let ranked = project.run(&["suspects", "-q", "--format", "json"]).json();
    let class = &ranked["classes"][0];
    adds_up(&project, &class["suspects"][0]);
    is_quiet(&project, class);
    is_what_check_writes(&project);
    crate::why::answers(&project);
    crate::invariants::of_a_project(&project);
    // All that the tests run is other code now.
    let code = project.path().join("src/main/java/algebra/Complex.java");
    let text = std::fs::read_to_string(&code).expect("text");
    let edited = text.replace(
        "this.imaginary = imaginary;",
        "this.imaginary = imaginary + 0;",
    );
    assert_ne!(edited, text);
    std::fs::write(&code, edited).expect("written");
    crate::why::is_of_other_code(&project);
    crate::invariants::are_of_other_code(&project);
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Runs the lines of the recipe for CI as they stand in the guide, which record the project, and looks at what they leave.
fn recipe(project: &Project) {
    let page = std::fs::read_to_string(repository().join("docs/user/ci.md")).expect("a page");
    let workflow = page.split("```yaml").nth(1).expect("a workflow");
    let workflow = workflow.split("```").next().unwrap_or_default();
    let commands: Vec<&str> = workflow
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("run: telltale "))
        .collect();
    assert_eq!(commands.len(), 3, "{commands:?}");
    for command in commands {
        let (arguments, file) = match command.split_once(" > ") {
            Some((arguments, file)) => (arguments, Some(file)),
            None => (command, None),
        };
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let ran = project.run(&arguments);
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{command}");
        let Some(file) = file else { continue };
        let upload = format!("sarif_file: {file}");
        assert!(workflow.contains(&upload), "{file} is not uploaded");
        let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        meets(&sarif(), &found, command);
        let is_there = !list(&found["runs"][0]["results"]).is_empty();
        assert_eq!(is_there, file == "suspects.sarif", "{found:#}");
    }
}

/// The score follows from the weights that count.
fn is_made_of(answer: &Value) {
    let counted = list(&answer["violations"]).iter();
    let none = counted
        .filter(|v| v["counts"] == "yes")
        .map(|v| 1.0 - number(&v["weight"]))
        .product::<f64>();
    let score = number(&answer["score"]);
    assert!((1.0 - none - score).abs() < 1e-9, "{none} {score}");
}

/// From samples to the sum; `suspect` is what the ranking says of it.
fn adds_up(project: &Project, suspect: &Value) {
    let line = &suspect["line"];
    let ask = |more: &[&str]| {
        let id = format!("{GENERATED}:{line}");
        let asked = ["suspects", "-q", "--format", "json", "--explain", &id];
        let answer = project.run(&[&asked, more].concat()).json();
        meets(&schema("explain"), &answer, "explain");
        answer
    };
    let answer = ask(&[]);
    for field in ["rank", "score", "told"] {
        assert_eq!(answer[field], suspect[field], "{field}");
    }
    assert_eq!(answer["opinion"], "suspect");
    assert_eq!(answer["assertion"]["text"], "assertFalse(boolean0)");
    let all = list(&answer["violations"]);
    let own = |v: &&Value| v["counts"] == "yes" || v["counts"] == "less";
    let counted = || all.iter().filter(own);
    assert_eq!(counted().count(), list(&suspect["violations"]).len());
    is_made_of(&answer);
    for (v, ranked) in counted().zip(list(&suspect["violations"])) {
        for (field, value) in ranked.as_object().expect("fields") {
            assert_eq!(&v[field], value, "{field}");
        }
        let (manual, generated) = (&v["calls"]["manual"], &v["calls"]["generated"]);
        let with = |all: &Value, verdict: &str| {
            list(all).iter().filter(|s| s["verdict"] == verdict).count() as u64
        };
        let taught = list(&v["taught_by"]).iter();
        let taught: u64 = taught.filter_map(|t| t["calls"].as_u64()).sum();
        assert_eq!(with(manual, "holds"), taught, "{v:#}");
        assert_eq!(with(manual, "broken"), 0, "what is broken is not learnt");
        assert_eq!(Some(with(generated, "broken")), v["times"].as_u64());
        let judged = with(generated, "broken") + with(generated, "holds");
        assert_eq!(Some(judged), v["judged"].as_u64());
        let factors = v["factors"].as_object().expect("factors").values();
        let weight: f64 = factors.map(number).product();
        assert!((weight - number(&v["weight"])).abs() < 1e-12, "{v:#}");
        let uniqueness = 1.0 / number(&v["times"]);
        assert!((uniqueness - number(&v["uniqueness"])).abs() < 1e-12);
        // What was seen here is among the samples.
        let here: Vec<&Value> = list(&v["values"]).iter().map(|t| &t["value"]).collect();
        let is_here = |s: &&Value| list(&s["values"]).iter().collect::<Vec<_>>() == here;
        let own = list(generated).iter().find(is_here).expect("this sample");
        assert_eq!(own["verdict"], "broken");
    }
    let is_plain = |v: &&Value| v["constraint"] == "return.imaginary != 0";
    let first = all.iter().find(is_plain).expect("it is broken");
    // The call stands two lines above the assertion.
    assert_eq!(first["line"].as_u64().map(|l| l + 2), line.as_u64());

    // What the filter takes out is shown and adds nothing.
    let strict = ask(&["--similarity", "1", "--confidence", "0.9"]);
    assert_eq!(
        (&strict["similarity"], &strict["confidence"]),
        (&1.0.into(), &0.9.into())
    );
    is_made_of(&strict);
    for v in list(&strict["violations"])
        .iter()
        .filter(|v| v["counts"] == "unlike")
    {
        assert!(v["similarity"].as_f64().is_none_or(|s| s < 1.0), "{v:#}");
    }

    for id in [
        format!("Complex_ESTest.java:{line}"),
        format!("./{GENERATED}:{line}:9"),
        format!("algebra/Complex_ESTest.java:{line}"),
    ] {
        let text = project.run(&["suspects", "-q", "--explain", &id]);
        assert_eq!((text.code, &*text.stderr), (0, ""), "{id}: {text:?}");
        let begins = format!(
            "{GENERATED}:{line}:9: assertFalse(boolean0)\nin algebra.Complex_ESTest#test01()\nabout algebra.Complex: "
        );
        assert!(text.stdout.starts_with(&begins), "{}", text.stdout);
        for part in [
            "1st of 40 (by score 1, by uniqueness 1), score ",
            "  conjugate() gave imaginary = -0.0 here; in ",
            "algebra.ComplexTest#conjugatesAbove() (20 calls)\n",
            "return.imaginary: -3.0 to 3.0, 6 values in 43 calls\n",
            "conjugate() gave complex1; equals(complex1) read complex1 and gave boolean0\n",
        ] {
            assert!(text.stdout.contains(part), "{part}: {}", text.stdout);
        }
    }
}

/// What nothing reaches, and what is no place.
fn is_quiet(project: &Project, ranked: &Value) {
    let text = std::fs::read_to_string(project.path().join(GENERATED)).expect("text");
    let suspects: Vec<u64> = list(&ranked["suspects"])
        .iter()
        .filter_map(|s| s["line"].as_u64())
        .collect();
    let asserts = |(_, line): &(u64, &str)| line.trim_start().starts_with("assert");
    let lines: Vec<(u64, &str)> = (1..).zip(text.lines()).filter(asserts).collect();
    let unranked = lines.iter().filter(|(at, _)| !suspects.contains(at));
    let ids: Vec<String> = unranked
        .map(|(at, _)| format!("{GENERATED}:{at}"))
        .collect();
    let said: Vec<Ran> = ids
        .iter()
        .map(|id| project.run(&["suspects", "-q", "--explain", id]))
        .collect();
    for said in &said {
        let safe = "\nSafe, as far as was recorded";
        assert!(said.stdout.contains(safe), "{said:?}");
        // What reaches it counts for nothing, and it is said why.
        let mut told = said.stdout.split("\n+ ").skip(1);
        assert!(told.all(|v| v.contains("\n  left out ")), "{said:?}");
    }
    let reaches = |(_, said): &(&String, &Ran)| said.stdout.contains("\n+ ");
    let (id, _) = ids
        .iter()
        .zip(&said)
        .find(|pair| !reaches(pair))
        .expect("nothing reaches some");
    let asked = ["suspects", "-q", "--format", "json", "--explain", id];
    let answer = project.run(&asked).json();
    meets(&schema("explain"), &answer, "safe");
    assert_eq!(
        (&answer["opinion"], &answer["rank"], &answer["score"]),
        (&"safe".into(), &Value::Null, &0.0.into())
    );

    let mistake = |id: &str, says: &[&str]| {
        project
            .run(&["suspects", "-q", "--explain", id])
            .mistake(says);
    };
    mistake("Complex_ESTest.java", &["names no place", "FILE:LINE"]);
    mistake("Complex_ESTest.java:0", &["names no place"]);
    mistake(
        "Complex_ESTest.java:1",
        &["no assertion", "on these lines: 1"],
    );
    mistake(
        "ComplexTest.java:1",
        &["no assertion", "a file of generated tests"],
    );
    let asked = ["suspects", "-q", "--explain", id, "--format", "sarif"];
    project.run(&asked).mistake(&["SARIF"]);
}

/// For code scanning it is what `check` writes, fingerprints and all.
fn is_what_check_writes(project: &Project) {
    let read = |arguments: &[&str]| -> Value {
        let ran = project.run(arguments);
        assert!(ran.code < 2, "{ran:?}");
        let found = serde_json::from_str(&ran.stdout).expect("JSON");
        meets(&sarif(), &found, "sarif");
        found
    };
    let check = [
        "check",
        "-q",
        "--rule",
        "suspicious-assertion",
        "--format",
        "sarif",
    ];
    let own = ["suspects", "-q", "--format", "sarif"];
    assert_eq!(read(&own), read(&check));
    let results = |more: &[&str]| {
        let found = read(&[&own, more].concat());
        list(&found["runs"][0]["results"]).to_vec()
    };
    let usual = results(&[]);
    assert!((1..=5).contains(&usual.len()), "{usual:#?}");
    assert_eq!(
        results(&["--top", "0"]),
        Vec::<Value>::new(),
        "none is sure"
    );
    let more = results(&["--top", "8"]);
    assert!((usual.len()..=8).contains(&more.len()), "{more:#?}");
    let print = |r: &Value| r["partialFingerprints"]["telltale/1"].clone();
    for known in &usual {
        assert!(more.iter().any(|r| print(r) == print(known)), "{known:#}");
    }
    assert_eq!(
        results(&["src/main"]),
        Vec::<Value>::new(),
        "no test is there"
    );
    // A comment silences here too.
    let path = project.path().join(GENERATED);
    let text = std::fs::read_to_string(&path).expect("text");
    let line = results(&[])[0]["locations"][0]["physicalLocation"]["region"]["startLine"]
        .as_u64()
        .expect("a line");
    let silenced: String = (1..)
        .zip(text.split_inclusive('\n'))
        .map(|(at, own): (u64, &str)| match at == line {
            true => own.replace('\n', " // telltale:ignore suspicious-assertion\n"),
            false => own.to_owned(),
        })
        .collect();
    std::fs::write(&path, silenced).expect("written");
    let silenced = results(&[]);
    assert!(
        silenced.iter().all(|r| print(r) != print(&usual[0])),
        "{silenced:#?}"
    );
    std::fs::write(&path, text).expect("written");
}
