//! `telltale.toml`.

use expect_test::expect;
use project::config::call_generated;
use project::{Config, ConfigValue, Fp, ProjectError, RuleLevel, load_config, parse_config};

use crate::Fixture;

fn problems(text: &str) -> String {
    let (_, problems) = parse_config(text);
    problems
        .iter()
        .map(|p| format!("{}:{} {}: {}\n", p.line, p.column, p.key, p.message))
        .collect()
}

#[test]
fn the_documented_defaults() {
    let config = Config::default();
    assert_eq!(config.observe.lambda, 0.0);
    assert_eq!(config.observe.lambda_readable, 1.0);
    assert_eq!(config.observe.fp, Fp::Differentiated);
    assert_eq!(config.observe.top, 10);
    assert!(config.lens.tests && config.lens.methods && config.hints.observe && config.hover.rank);
    assert!(!config.lens.checked);
    assert!(config.rules.is_empty() && config.sources.exclude.is_empty());
    assert_eq!((config.java.home, config.java.classpath), (None, None));
    assert_eq!(parse_config(""), (Config::default(), vec![]));
}

#[test]
fn every_key_in_every_spelling() {
    let (config, problems) = parse_config(
        r#"
lens = { tests = false, methods = false, checked = true }
hints.observe = false
[observe]
lambda = 0.5
lambda_readable = 1
fp = 0.25
top = 3
[hover]
rank = false
[rules]
no-oracle = "error"
"self-check" = "off"
[sources]
exclude = ["/gen", "!/gen/keep"]
[java]
home = "/opt/jdk"
classpath = ["a.jar", "b.jar"]
"#,
    );
    assert_eq!(problems, []);
    assert_eq!(config.observe.lambda, 0.5);
    assert_eq!(config.observe.fp, Fp::Uniform(0.25));
    assert_eq!(config.observe.top, 3);
    assert!(
        !config.lens.tests && !config.lens.methods && !config.hints.observe && !config.hover.rank
    );
    assert!(config.lens.checked);
    assert_eq!(config.rules["no-oracle"], RuleLevel::Error);
    assert_eq!(config.rules["self-check"], RuleLevel::Off);
    assert_eq!(config.sources.exclude, ["/gen", "!/gen/keep"]);
    assert_eq!(config.java.home.as_deref(), Some("/opt/jdk"));
    assert_eq!(config.java.classpath.unwrap(), ["a.jar", "b.jar"]);
}

#[test]
fn mistakes_are_told_at_their_place() {
    let text = r#"
lense.tests = true
[observe]
lamda = 0.5
lambda = 1.5
top = 0
fp = "uniform"
[rules]
no-orcale = "off"
self-check = "loud"
[java]
classpath = ["a.jar", 3]
home = ["x"]
[sources]
exclude = ["ok", "{b"]
[[lens]]
[zzz]
x = 1
"#;
    expect![[r#"
        2:1 lense: there is no key lense; did you mean lens?
        4:1 observe.lamda: there is no key observe.lamda; did you mean observe.lambda?
        5:10 observe.lambda: observe.lambda takes a number from 0 to 1, not 1.5
        6:7 observe.top: observe.top takes a whole number from 1 to 10000, not 0
        7:6 observe.fp: observe.fp takes "differentiated" or a number from 0 to 1, not "uniform"
        9:1 rules.no-orcale: there is no key rules.no-orcale; did you mean rules.no-oracle?
        10:14 rules.self-check: rules.self-check takes one of "off", "hint", "info", "warning", "error", not "loud"
        12:23 java.classpath: java.classpath takes a list of paths, not a list with a number
        13:8 java.home: java.home takes a path, not a list
        15:18 sources.exclude: the pattern "{b" cannot be read: error parsing glob '{b': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
        16:3 lens: lens is a table of keys, not a list of tables
        17:2 zzz: there is no key zzz
    "#]].assert_eq(&problems(text));
}

#[test]
fn the_rest_counts() {
    let (config, problems) = parse_config("observe.top = 'x'\nobserve.lambda = 0.25\n");
    assert_eq!(problems.len(), 1);
    assert_eq!((config.observe.top, config.observe.lambda), (10, 0.25));
}

#[test]
fn not_toml() {
    let (config, problems) = parse_config("\u{feff}[observe]\r\ntop = = 3\n");
    assert_eq!(config, Config::default());
    assert_eq!(problems.len(), 1);
    assert_eq!((problems[0].line, problems[0].column), (2, 7));
}

#[test]
fn columns_are_utf16() {
    let (_, problems) = parse_config("java.classpath = [\"𝒳\", 1]\n");
    assert_eq!((problems[0].line, problems[0].column), (1, 25));
}

#[test]
fn a_table_instead_of_a_value_and_back() {
    expect![[r#"
        1:1 observe: observe is a table of keys, not a number
        2:1 hover.rank: hover.rank takes true or false, not a table
        4:1 java.home: java.home takes a path, not a table
    "#]]
    .assert_eq(&problems("observe = 3\n[hover.rank]\nx = 1\n[java.home]\n"));
}

#[test]
fn a_client_sets_the_same_keys() {
    let mut config = Config::default();
    config.set("observe.top", &ConfigValue::Integer(5)).unwrap();
    config
        .set("rules.no-oracle", &ConfigValue::Text("hint".into()))
        .unwrap();
    assert_eq!(config.observe.top, 5);
    assert_eq!(config.rules["no-oracle"], RuleLevel::Hint);
    let error = config
        .set("observe.tpo", &ConfigValue::Integer(5))
        .unwrap_err();
    assert_eq!(
        error,
        "there is no key observe.tpo; did you mean observe.top?"
    );
    assert!(
        config
            .set("observe.lambda", &ConfigValue::Number(f64::NAN))
            .is_err()
    );
}

#[test]
fn from_a_file() {
    let fixture = Fixture::new("");
    assert_eq!(load_config(fixture.root()).unwrap().0, Config::default());
    fixture.write("telltale.toml", "observe.top = 4\n");
    assert_eq!(load_config(fixture.root()).unwrap().0.observe.top, 4);
    fixture.write("telltale.toml", [0xff]);
    assert!(matches!(
        load_config(fixture.root()),
        Err(ProjectError::NotUtf8(_))
    ));
}

/// What comes with a project says nothing of what runs; a client does.
#[test]
fn a_file_of_the_project_runs_nothing() {
    let (config, problems) = parse_config("[record]\non_save = true\n");
    assert!(!config.record.on_save);
    let said =
        "record.on_save is for your editor's own settings: what comes with a project runs nothing";
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].message, said);
    assert_eq!(parse_config("[record]\non_save = false\n").1, []);
    let mut config = Config::default();
    let set = config.set("record.on_save", &ConfigValue::Switch(true));
    assert_eq!((set, config.record.on_save), (Ok(()), true));
}

#[test]
fn the_table_documents_every_key() {
    let table = project::config::markdown();
    for key in project::config::KEYS {
        assert!(
            table.contains(&format!("`{}`", key.name)) && key.doc.ends_with('.'),
            "{}",
            key.name
        );
    }
}

#[test]
fn deep_nesting_is_refused_not_fatal() {
    assert_eq!(
        parse_config(&format!("a = {}", "[".repeat(100_000)))
            .1
            .len(),
        1
    );
    let dotted = format!("{}b = 1", "a.".repeat(50_000));
    assert_eq!(parse_config(&dotted).1.len(), 1);
}

#[test]
fn half_a_file_does_no_harm() {
    let text =
        "[observe]\ntop = 3 # ä\nfp = \"differentiated\"\n[java]\nclasspath = ['a', \"b\"]\n";
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let (config, problems) = parse_config(&text[..end]);
        let lines = text[..end].lines().count().max(1) + 1;
        assert!(
            problems.iter().all(|problem| problem.line <= lines),
            "{problems:?}"
        );
        assert!(config.observe.top == 3 || config.observe.top == 10);
    }
}

/// A text of `telltale.toml` in which a file counts as generated.
fn with_generated(text: &str, path: &str) -> Result<String, String> {
    let Some((range, new)) = call_generated(text, path)? else {
        return Ok(text.to_owned());
    };
    let mut out = text.to_owned();
    out.replace_range(range, &new);
    Ok(out)
}

#[test]
fn a_file_is_called_generated_and_nothing_else_changes() {
    let path = "src/test/java/own/AutoTest.java";
    let pattern = "\"/src/test/java/own/AutoTest.java\"";
    for (before, after) in [
        ("", format!("[tests]\ngenerated = [{pattern}]\n")),
        (
            "# mine\nlens.tests = false\n",
            format!("# mine\nlens.tests = false\n\n[tests]\ngenerated = [{pattern}]\n"),
        ),
        (
            "[tests]\nsmoke = [\"a*\"] # why\n\n[lens]\ntests = true\n",
            format!(
                "[tests]\nsmoke = [\"a*\"] # why\ngenerated = [{pattern}]\n\n[lens]\ntests = true\n"
            ),
        ),
        (
            "tests.generated = [ 'gen/' ]\n",
            format!("tests.generated = [ 'gen/' , {pattern}]\n"),
        ),
        (
            "tests = { generated = [] }\n",
            format!("tests = {{ generated = [{pattern}] }}\n"),
        ),
        (
            "[tests]\ngenerated = [\n    \"é/\", # ours\n    \"b/\",\n]\n",
            format!("[tests]\ngenerated = [\n    \"é/\", # ours\n    \"b/\",\n    {pattern},\n]\n"),
        ),
    ] {
        let new = with_generated(before, path).expect(before);
        assert_eq!(new, after, "{before}");
        let (config, problems) = parse_config(&new);
        assert_eq!(problems, [], "{new}");
        let set = project::generated(std::path::Path::new("root"), &config);
        assert_eq!(set.says(path), Some(true), "{new}");
        assert_eq!(set.says("src/test/java/own/OtherTest.java"), None, "{new}");
        assert_eq!(
            with_generated(&new, path).expect("again"),
            new,
            "it stands there"
        );
    }
    // Only the file of this name, whatever is in it.
    let odd = "src/test/[a] *b/T.java";
    let (config, _) = parse_config(&with_generated("", odd).expect("odd"));
    let set = project::generated(std::path::Path::new("root"), &config);
    assert_eq!(
        (set.says(odd), set.says("src/test/a xb/T.java")),
        (Some(true), None)
    );
    for (text, why) in [
        ("tests = 1\n", "tests in telltale.toml is no table"),
        (
            "tests.generated = \"a\"\n",
            "tests.generated in telltale.toml is no list",
        ),
        ("[tests\n", "telltale.toml is no TOML"),
    ] {
        let said = with_generated(text, path).expect_err(text);
        assert!(said.starts_with(why), "{text}: {said}");
    }
}
