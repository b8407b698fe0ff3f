//! The client's settings over those of `telltale.toml`.

use project::config::KEYS;
use project::{Config, ConfigValue};
use serde_json::Value;

/// What editors keep under our name for themselves: where the server is, whether they trace it.
const NOT_OURS: &[&str] = &["server", "trace"];

/// The configuration with the client's keys over it, and what is wrong with those, each at its name, in order.
pub(crate) fn overlay(config: &Config, from_client: &Value) -> (Config, Vec<String>) {
    let mut out = config.clone();
    let mut problems = Vec::new();
    let mut open = vec![(String::new(), from_client)];
    while let Some((prefix, value)) = open.pop() {
        let Value::Object(keys) = value else {
            if !value.is_null() {
                let kind = plain(value).kind();
                let name = match prefix.is_empty() {
                    true => "telltale".to_owned(),
                    false => format!("telltale.{prefix}"),
                };
                problems.push(format!("{name} is a table of keys, not {kind}"));
            }
            continue;
        };
        for (name, value) in keys {
            let full = match prefix.is_empty() {
                true => name.clone(),
                false => format!("{prefix}.{name}"),
            };
            let own = full.split('.').next().unwrap_or_default();
            if value.is_null() || NOT_OURS.contains(&own) {
                continue;
            }
            let is_table = KEYS.iter().any(|k| {
                k.name
                    .strip_prefix(&full)
                    .is_some_and(|rest| rest.starts_with('.'))
            });
            if is_table {
                open.push((full, value));
            } else if let Err(message) = out.set(&full, &plain(value)) {
                problems.push(format!("telltale.{full}: {message}"));
            }
        }
    }
    problems.sort();
    (out, problems)
}

fn plain(value: &Value) -> ConfigValue {
    match value {
        Value::Bool(b) => ConfigValue::Switch(*b),
        Value::String(s) => ConfigValue::Text(s.clone()),
        Value::Number(n) => match n.as_i64() {
            Some(i) => ConfigValue::Integer(i),
            None => ConfigValue::Number(n.as_f64().unwrap_or(f64::NAN)),
        },
        // No key takes a list of lists.
        Value::Array(items) => ConfigValue::List(items.iter().map(scalar).collect()),
        Value::Object(_) | Value::Null => scalar(value),
    }
}

fn scalar(value: &Value) -> ConfigValue {
    match value {
        Value::Array(_) => ConfigValue::Other("a list"),
        Value::Object(_) => ConfigValue::Other("an object"),
        Value::Null => ConfigValue::Other("nothing"),
        other => plain(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn mistakes_are_named_and_the_rest_counts() {
        for (said, expected) in [
            (json!({ "lens": { "tests": false } }), vec![]),
            (json!({ "lens.tests": false }), vec![]),
            (
                json!({ "server": { "path": "x" }, "trace.server": "off", "lens": null }),
                vec![],
            ),
            (
                json!({ "lens": { "test": false, "tests": false } }),
                vec!["telltale.lens.test: there is no key lens.test; did you mean lens.tests?"],
            ),
            (
                json!({ "lens": { "tests": false, "methods": "no" } }),
                vec!["telltale.lens.methods: lens.methods takes true or false, not \"no\""],
            ),
            (
                json!({ "lens.tests": false, "hints": true }),
                vec!["telltale.hints is a table of keys, not a boolean"],
            ),
            (
                json!({ "lens.tests": false, "colour": { "of": { "lenses": 1 } } }),
                vec!["telltale.colour: there is no key colour"],
            ),
        ] {
            let (config, problems) = overlay(&Config::default(), &said);
            assert_eq!(problems, expected, "{said}");
            let switched = said.to_string().contains("false");
            assert_eq!(config.lens.tests, !switched, "{said}");
            assert!(config.lens.methods && config.hints.observe);
        }
        let (_, problems) = overlay(&Config::default(), &json!(5));
        assert_eq!(problems, ["telltale is a table of keys, not a number"]);
    }
}
