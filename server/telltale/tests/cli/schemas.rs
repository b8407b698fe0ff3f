//! `docs/schema/`: real output meets it, broken documents do not, and what a schema cannot say holds too.

use crate::support::{Project, Ran, demo, repository, subject, telltale};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn document(name: &str) -> Value {
    let path = repository().join(format!("docs/schema/{name}-1.schema.json"));
    let text = std::fs::read_to_string(path).expect("the schema is there");
    serde_json::from_str(&text).expect("the schema is JSON")
}

pub(crate) fn schema(name: &str) -> Validator {
    let document = document(name);
    jsonschema::meta::validate(&document).expect("the schema is a schema");
    jsonschema::validator_for(&document).expect("the schema compiles")
}

#[track_caller]
pub(crate) fn meets(schema: &Validator, value: &Value, what: &str) {
    let errors: Vec<String> = schema
        .iter_errors(value)
        .take(5)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what}:\n{}", errors.join("\n"));
}

#[track_caller]
fn ids(list: &Value) -> Vec<u64> {
    let list = list.as_array().expect("a list").iter();
    list.map(|c| c["id"].as_u64().expect("an id")).collect()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Where a candidate stands, as the contract orders them; the kind's place in the order is not compared.
fn position(c: &Value) -> (&str, u64, u64) {
    (
        c["path"].as_str().expect("a path"),
        c["line"].as_u64().expect("a line"),
        c["column"].as_u64().expect("a column"),
    )
}

#[track_caller]
fn in_order(list: &[Value], what: &str) {
    for pair in list.windows(2) {
        assert!(
            position(&pair[0]) <= position(&pair[1]),
            "{what}: {} stands before {}",
            pair[0],
            pair[1]
        );
    }
}

/// `telltale observe`: the schema, and how the fields hang together.
#[track_caller]
fn observe(schema: &Validator, folder: &Path, arguments: &[&str]) -> Value {
    let what = format!("observe {}", arguments.join(" "));
    let all = [&["observe", "--format", "json"], arguments].concat();
    let answer = telltale(folder, &all).json();
    meets(schema, &answer, &what);
    for list in ["ranking", "readable", "inside"] {
        let places = array(&answer[list]);
        let top = answer["parameters"]["top"].as_u64().expect("a number");
        let counted = places.iter().filter(|place| place["dismissed"] != true);
        assert!(counted.count() as u64 <= top, "{what}: {list} is too long");
        for (i, place) in places.iter().enumerate() {
            assert_eq!(place["rank"], i + 1, "{what}");
            assert!(
                number(&place["gain"]) <= number(&place["foc"]) + 1e-9,
                "{what}: a gain above the capability: {place}"
            );
            let id = &place["candidate"]["id"];
            let stands_for = array(&place["stands_for"]);
            for pair in stands_for.windows(2) {
                let (a, b) = (number(&pair[0]["foc"]), number(&pair[1]["foc"]));
                assert!(a >= b, "{what}: the largest stands first");
                if a == b {
                    assert!(position(&pair[0]) <= position(&pair[1]), "{what}: ties");
                }
            }
            for s in stands_for {
                assert_ne!(&s["id"], id, "{what}: nothing stands in for itself");
                let via = array(&s["via"]);
                assert_eq!(via.first(), Some(id), "{what}");
                assert_eq!(via.last(), Some(&s["id"]), "{what}");
            }
            let told: f64 = stands_for.iter().map(|s| number(&s["foc"])).sum();
            // What a query reads is its own value; a candidate counts itself.
            let itself = f64::from(place["candidate"]["kind"] != "query");
            assert!(
                number(&place["foc"]) <= told + itself + 1e-6,
                "{what}: {} is more than {told}",
                place["foc"]
            );
        }
    }
    for pair in array(&answer["ranking"]).windows(2) {
        assert!(
            number(&pair[0]["gain"]) >= number(&pair[1]["gain"]) - 1e-9,
            "{what}: gains never grow"
        );
    }
    if let Some(all) = answer["candidates"].as_array() {
        in_order(all, &what);
        let numbers = ids(&answer["candidates"]);
        assert!(
            numbers.windows(2).all(|w| w[0] < w[1]),
            "{what}: {numbers:?}"
        );
        for list in ["ranking", "readable", "inside"] {
            for place in array(&answer[list]) {
                assert!(all.contains(&place["candidate"]), "{what}: {place}");
            }
        }
    }
    answer
}

/// `telltale graph`: the schema, ids and ends.
#[track_caller]
fn graph(schema: &Validator, folder: &Path, arguments: &[&str]) -> Value {
    let what = format!("graph {}", arguments.join(" "));
    let all = [&["graph", "--format", "json"], arguments].concat();
    let answer = telltale(folder, &all).json();
    meets(schema, &answer, &what);
    let nodes = array(&answer["nodes"]);
    in_order(nodes, &what);
    let numbers: Vec<u64> = (0..nodes.len() as u64).collect();
    assert_eq!(ids(&answer["nodes"]), numbers, "{what}");
    for e in array(&answer["edges"]) {
        let ends = [&e["from"], &e["to"]].map(|v| v.as_u64().expect("an id"));
        assert!(ends.iter().all(|v| *v < nodes.len() as u64), "{what}: {e}");
        assert_ne!(ends[0], ends[1], "{what}: {e}");
        // A chain inside a method closes no cycle.
        let [from, to] = ends.map(|v| &nodes[v as usize]["method"]);
        let between = matches!(
            e["kind"].as_str(),
            Some("argument" | "return" | "field" | "capture")
        );
        assert!(
            from == to || between || e["kind"] == "library",
            "{what}: {e}"
        );
        assert!(e["cut"] == false || e["kind"] != "local", "{what}: {e}");
    }
    answer
}

/// `telltale graph --kind calls`: the schema, order and ends.
#[track_caller]
fn calls(schema: &Validator, folder: &Path, arguments: &[&str]) -> Value {
    let what = format!("graph --kind calls {}", arguments.join(" "));
    let all = [&["graph", "--kind", "calls", "--format", "json"], arguments].concat();
    let answer = telltale(folder, &all).json();
    meets(schema, &answer, &what);
    let methods = array(&answer["methods"]);
    let names: Vec<&str> = methods.iter().filter_map(|m| m["name"].as_str()).collect();
    assert!(
        names.windows(2).all(|w| w[0] < w[1]),
        "{what}: sorted by name"
    );
    let mut reached: Vec<bool> = methods.iter().map(|m| m["entry"] == true).collect();
    for call in array(&answer["calls"]) {
        for end in array(call) {
            let end = end.as_u64().expect("a position") as usize;
            assert!(end < methods.len(), "{what}: {call}");
        }
        reached[call[1].as_u64().expect("a position") as usize] = true;
    }
    for m in methods.iter().filter(|m| m["test"] == true) {
        assert_eq!(m["entry"], true, "{what}: tests are where it starts");
    }
    answer
}

#[track_caller]
fn uses(schema: &Validator, folder: &Path, arguments: &[&str]) -> usize {
    let all = [&["debug", "uses"], arguments].concat();
    let Ran {
        code,
        stdout,
        stderr,
    } = telltale(folder, &all);
    assert_eq!(code, 0, "{stderr}");
    for line in stdout.lines() {
        let value = serde_json::from_str(line).expect("each line is JSON");
        meets(schema, &value, line);
    }
    stdout.lines().count()
}

const NAMES: [&str; 18] = [
    "baseline",
    "calls",
    "check",
    "checked",
    "doctor",
    "explain",
    "fresh",
    "graph",
    "inner",
    "invariants",
    "merged",
    "mutants",
    "observe",
    "record",
    "suspects",
    "uses",
    "weakest",
    "why",
];

/// Every field is described, and nothing else may stand beside it.
/// What the schema promises is what the product has.
#[test]
fn strategies_are_those_of_the_command_line() {
    let document = document("observe");
    let named = array(&document["properties"]["strategy"]["enum"]).iter();
    let named: Vec<&str> = named.filter_map(Value::as_str).collect();
    let refused = telltale(&demo(), &["observe", "--strategy", "none-such"]);
    let values = format!("[possible values: {}]", named.join(", "));
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains(&values), "{values}: {refused:?}");
}

#[test]
fn schemas_describe_every_field() {
    let files = std::fs::read_dir(repository().join("docs/schema")).expect("the folder");
    let mut names: Vec<String> = files
        .map(|f| {
            f.expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    assert_eq!(names, NAMES.map(|n| format!("{n}-1.schema.json")));
    for name in NAMES {
        schema(name);
        let document = document(name);
        assert!(document["title"].is_string() && document["description"].is_string());
        let mut objects = vec![&document];
        objects.extend(
            document["$defs"]
                .as_object()
                .into_iter()
                .flat_map(|d| d.values()),
        );
        for object in objects.into_iter().filter(|o| o["type"] == "object") {
            assert_eq!(object["additionalProperties"], false, "{name}: {object}");
            let fields = object["properties"].as_object().expect("fields");
            for (field, what) in fields {
                assert!(
                    what["description"].is_string() || what["$ref"].is_string(),
                    "{name}: {field} is not described"
                );
            }
        }
    }
}

#[test]
fn observe_meets_its_schema() {
    let (schema, demo) = (schema("observe"), demo());
    let scopes: [&[&str]; 12] = [
        &[],
        &["--all-candidates"],
        &["--top", "100000", "--lambda", "1"],
        &["--fp", "0.5"],
        &["src/main/java/demo"],
        &["src/main/java/demo/Stats.java", "--all-candidates"],
        &["src/test/java"],
        &["--class", "Parser"],
        &["--method", "Stats#compare"],
        &[
            "--test",
            "OrderBookTest#takesTheBestPriceFirst",
            "--all-candidates",
        ],
        &["--test", "AccountTest", "--top", "50", "--all-candidates"],
        &["--test", "all"],
    ];
    for scope in scopes {
        observe(&schema, &demo, scope);
    }
    for offer in ["readable", "inside", "all"] {
        let answer = observe(&schema, &demo, &["--test", "TreeTest", "--offer", offer]);
        assert_eq!(answer["offer"], offer);
    }
}

#[test]
fn graph_meets_its_schema() {
    let (schema, demo) = (schema("graph"), demo());
    let scopes: [&[&str]; 7] = [
        &[],
        &["src/main/java/demo"],
        &["src/main/java/demo/Stats.java"],
        &["--class", "Tree"],
        &["--method", "Stats#compare"],
        &["--test", "StatsTest"],
        &["--test", "all"],
    ];
    for scope in scopes {
        let answer = graph(&schema, &demo, scope);
        assert!(!array(&answer["edges"]).is_empty(), "{scope:?}");
    }
}

#[test]
fn calls_meet_their_schema() {
    let (schema, demo) = (schema("calls"), demo());
    let suite = calls(&schema, &demo, &[]);
    assert_eq!(suite["scope"], json!({ "kind": "suite", "name": "all" }));
    let class = calls(&schema, &demo, &["--test", "StatsTest"]);
    let test = calls(&schema, &demo, &["--test", "StatsTest#longestRun"]);
    let size = |v: &Value| array(&v["methods"]).len();
    assert!(size(&suite) > size(&class) && size(&class) > size(&test));
    let tests = |v: &Value| -> Vec<String> {
        let tests = array(&v["methods"]).iter().filter(|m| m["test"] == true);
        tests
            .map(|m| m["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    assert_eq!(tests(&test), ["demo.StatsTest#longestRun()"]);
}

#[test]
fn uses_meet_their_schema() {
    let (schema, demo) = (schema("uses"), demo());
    let all = uses(&schema, &demo, &[]);
    let one = uses(&schema, &demo, &["src/main/java/demo/Stats.java"]);
    assert!(all > one && one > 5, "{all} {one}");
}

/// A project without tests, and one whose code defines nothing.
#[test]
fn small_projects_meet_the_schemas() {
    let project = Project::new(&[("A.java", "class A { void m(int p) { int x = p; } }")]);
    observe(&schema("observe"), project.path(), &["--all-candidates"]);
    graph(&schema("graph"), project.path(), &[]);
    let answer = calls(&schema("calls"), project.path(), &[]);
    assert_eq!(answer["methods"], json!([]));
    let empty = Project::new(&[("A.java", "interface A { }")]);
    let answer = observe(&schema("observe"), empty.path(), &["--all-candidates"]);
    assert_eq!(answer["ranking"], json!([]));
    graph(&schema("graph"), empty.path(), &[]);
    assert_eq!(uses(&schema("uses"), empty.path(), &[]), 0);
}

#[test]
fn real_projects_meet_the_schemas() {
    let tests = [
        ("commons-csv", "CSVPrinterTest"),
        ("commons-cli", "PosixParserTest"),
        ("commons-validator", "EmailValidatorTest"),
        ("commons-codec", "Base64Test"),
    ];
    for (name, test) in tests {
        let Some(folder) = subject(name) else {
            continue;
        };
        observe(&schema("observe"), &folder, &["--top", "100"]);
        observe(&schema("observe"), &folder, &["--test", test]);
        graph(&schema("graph"), &folder, &[]);
        calls(&schema("calls"), &folder, &[]);
        assert!(uses(&schema("uses"), &folder, &[]) > 1000);
    }
}

/// What is changed, and the change.
pub(crate) type Change<'a> = (&'a str, &'a dyn Fn(&mut Value));

/// A document that is changed in one place is refused.
#[track_caller]
pub(crate) fn refused(schema: &Validator, good: &Value, changes: &[Change<'_>]) {
    meets(schema, good, "before the change");
    for (what, change) in changes {
        let mut value = good.clone();
        change(&mut value);
        assert_ne!(&value, good, "{what} changes nothing");
        assert!(!schema.is_valid(&value), "{what} is not refused");
    }
}

fn remove(value: &mut Value, key: &str) {
    value.as_object_mut().expect("an object").remove(key);
}

#[test]
fn broken_answers_are_refused() {
    let (schema, demo) = (schema("observe"), demo());
    let ranking = observe(&schema, &demo, &["--class", "Stats", "--all-candidates"]);
    refused(
        &schema,
        &ranking,
        &[
            ("another version", &|v| {
                v["schema"] = json!("telltale.observe/2")
            }),
            ("no root", &|v| remove(v, "root")),
            ("no counts", &|v| remove(v, "counts")),
            ("no ranking", &|v| remove(v, "ranking")),
            ("an unknown field", &|v| v["extra"] = json!(1)),
            ("an unknown count", &|v| v["counts"]["extra"] = json!(1)),
            ("a negative count", &|v| v["counts"]["files"] = json!(-1)),
            ("an unknown scope", &|v| {
                v["scope"]["kind"] = json!("package")
            }),
            ("λ above 1", &|v| v["parameters"]["lambda"] = json!(1.5)),
            ("an unknown fp", &|v| v["parameters"]["fp"] = json!("d")),
            ("rank 0", &|v| v["ranking"][0]["rank"] = json!(0)),
            ("a negative gain", &|v| {
                v["ranking"][0]["gain"] = json!(-0.5)
            }),
            ("no reason", &|v| remove(&mut v["ranking"][0], "because")),
            ("line 0", &|v| {
                v["ranking"][0]["candidate"]["line"] = json!(0)
            }),
            ("column 0", &|v| v["candidates"][0]["column"] = json!(0)),
            ("half a line", &|v| v["candidates"][0]["line"] = json!(1.5)),
            ("an unknown kind", &|v| {
                v["candidates"][0]["kind"] = json!("global")
            }),
            ("an unknown role", &|v| {
                v["candidates"][0]["role"] = json!("library")
            }),
            ("a path of Windows", &|v| {
                v["candidates"][0]["path"] = json!("a\\B.java")
            }),
            ("a method without class", &|v| {
                v["candidates"][0]["method"] = json!("compare")
            }),
            ("an expression of a variable", &|v| {
                v["candidates"][0]["expression"] = json!("x")
            }),
            ("capability 0", &|v| {
                v["ranking"][0]["stands_for"][0]["foc"] = json!(0)
            }),
            ("capability 2", &|v| {
                v["ranking"][0]["stands_for"][0]["foc"] = json!(2)
            }),
            ("a chain of one", &|v| {
                v["ranking"][0]["stands_for"][0]["via"] = json!([1])
            }),
            ("lists of a test", &|v| v["readable"] = json!([])),
            ("what a test reads", &|v| v["read"] = json!([])),
        ],
    );
    let test = observe(
        &schema,
        &demo,
        &["--test", "OrderBookTest#takesTheBestPriceFirst"],
    );
    assert_eq!(
        test["readable"][0]["candidate"]["kind"], "query",
        "for the next"
    );
    refused(
        &schema,
        &test,
        &[
            ("no readable", &|v| remove(v, "readable")),
            ("nothing read", &|v| remove(v, "read")),
            ("a ranking too", &|v| v["ranking"] = json!([])),
            ("one list, but both offered", &|v| {
                v["offer"] = json!("inside")
            }),
            ("a query without expression", &|v| {
                remove(&mut v["readable"][0]["candidate"], "expression");
            }),
            ("lists of a class", &|v| v["scope"]["kind"] = json!("class")),
        ],
    );
}

#[test]
fn broken_graphs_are_refused() {
    let demo = demo();
    let (of_graph, of_calls, of_uses) = (schema("graph"), schema("calls"), schema("uses"));
    let good = graph(&of_graph, &demo, &["--class", "Stats"]);
    refused(
        &of_graph,
        &good,
        &[
            ("another version", &|v| {
                v["schema"] = json!("telltale.graph/0")
            }),
            ("no nodes", &|v| remove(v, "nodes")),
            ("no edges", &|v| remove(v, "edges")),
            ("a probability above 1", &|v| {
                v["edges"][0]["probability"] = json!(1.01)
            }),
            ("an unknown kind", &|v| {
                v["edges"][0]["kind"] = json!("control")
            }),
            ("no cut", &|v| remove(&mut v["edges"][0], "cut")),
            ("an end before the first", &|v| {
                v["edges"][0]["to"] = json!(-1)
            }),
            ("a query among the nodes", &|v| {
                v["nodes"][0]["kind"] = json!("query")
            }),
            ("an unknown field", &|v| v["edges"][0]["weight"] = json!(1)),
        ],
    );
    let good = calls(&of_calls, &demo, &["--test", "StatsTest"]);
    refused(
        &of_calls,
        &good,
        &[
            ("another version", &|v| {
                v["schema"] = json!("telltale.calls/2")
            }),
            ("a class as scope", &|v| v["scope"]["kind"] = json!("class")),
            ("three ends", &|v| v["calls"][0] = json!([0, 1, 2])),
            ("one end", &|v| v["calls"][0] = json!([0])),
            ("a name as end", &|v| v["calls"][0] = json!(["a", "b"])),
            ("a call twice", &|v| v["calls"][1] = v["calls"][0].clone()),
            ("no line", &|v| remove(&mut v["methods"][0], "line")),
            ("an unknown technique", &|v| v["technique"] = json!("rta")),
        ],
    );
    let good = json!({
        "path": "A.java", "line": 1, "column": 3, "kind": "call", "name": "m",
        "target": "A#m()", "in_workspace": true
    });
    refused(
        &of_uses,
        &good,
        &[
            ("no target", &|v| remove(v, "target")),
            ("an unknown target in the workspace", &|v| {
                v["target"] = json!(null)
            }),
            ("a target without class", &|v| v["target"] = json!("m()")),
            ("an unknown kind", &|v| v["kind"] = json!("read")),
            ("an unknown field", &|v| v["extra"] = json!(1)),
        ],
    );
}

#[test]
fn inner_list() {
    let schema = schema("inner");
    let project = Project::new(&[
        ("pom.xml", "<project></project>"),
        (
            "src/main/java/A.java",
            "class A { int m(int a) { InnerOracle.equal(\"ATest.m: a\", 2, a); return a; } }",
        ),
        (
            "src/test/java/ATest.java",
            "class ATest { void m() { try (InnerOracle inner = InnerOracle.on(\"ATest.n: b\")) { } } }",
        ),
    ]);
    let answer = project.run(&["inner", "list", "--format", "json"]).json();
    meets(&schema, &answer, "inner list");
    let names = array(&answer["oracles"]).iter().map(|o| &o["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["ATest.m: a", "ATest.n: b"]);
    let mut broken = answer.clone();
    broken["oracles"][0]["code"][0]["line"] = json!(0);
    assert!(!schema.is_valid(&broken));
}
