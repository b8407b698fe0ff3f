//! `telltale.toml`: read leniently, with every mistake reported at its line.

use std::path::Path;

use toml_edit::{Document, Item, Value};

use super::table::{KEYS, Range, unknown};
use super::{Config, ConfigValue};
use crate::read::read_own;
use crate::{ProjectError, paths};

/// A mistake in `telltale.toml`. The rest of the file counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigProblem {
    /// 1-based.
    pub line: usize,
    /// 1-based, in UTF-16 code units.
    pub column: usize,
    /// The full name of the key, empty if the file is not TOML.
    pub key: String,
    /// A sentence without a full stop.
    pub message: String,
}

/// The configuration in `telltale.toml` at `root`, the defaults if there is none.
///
/// Fails if the file is there but cannot be read as text.
pub fn load_config(root: &Path) -> Result<(Config, Vec<ConfigProblem>), ProjectError> {
    let path = root.join("telltale.toml");
    Ok(match read_own(&path)? {
        Some(text) => parse_config(&text),
        None => (Config::default(), Vec::new()),
    })
}

/// So many mistakes are told one by one; of the others it is told how many there are.
const MOST_PROBLEMS: usize = 100;

/// The configuration in `text`, and what is wrong with it in the order of the text: the first hundred mistakes, then how many
/// more there are. What is wrong keeps its default; if the text is not TOML, everything does.
pub fn parse_config(text: &str) -> (Config, Vec<ConfigProblem>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut config = Config::default();
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(e) => {
            let offset = e.span().map_or(0, |span| span.start);
            let message = e.message().trim().replace('\n', ", ");
            return (config, vec![problem(text, offset, "", message)]);
        }
    };
    // Where it is, the key, and what is wrong; nothing said for a key that does not exist.
    let mut found: Vec<(usize, String, Option<String>)> = Vec::new();
    let mut open = vec![(String::new(), document.as_item())];
    while let Some((prefix, item)) = open.pop() {
        let Some(table) = item.as_table_like() else {
            continue;
        };
        for (name, item) in table.iter() {
            let full = if prefix.is_empty() {
                name.to_owned()
            } else {
                format!("{prefix}.{name}")
            };
            let key_span = table.key(name).and_then(toml_edit::Key::span);
            let at = key_span
                .or_else(|| item.span())
                .map_or(0, |span| span.start);
            if let Some(key) = KEYS.iter().find(|key| key.name == full) {
                let value = value(item);
                let set = of_a_project(&key.range, &value, &full);
                if let Err(message) = set.and_then(|()| config.set(key.name, &value)) {
                    found.push((fault(item, &key.range).unwrap_or(at), full, Some(message)));
                }
            } else if KEYS
                .iter()
                .any(|key| key.name.starts_with(&format!("{full}.")))
            {
                if item.is_table_like() {
                    open.push((full, item));
                } else {
                    let message = format!("{full} is a table of keys, not {}", value(item).kind());
                    found.push((at, full, Some(message)));
                }
            } else {
                found.push((at, full, None));
            }
        }
    }
    found.sort();
    let more = found.split_off(found.len().min(MOST_PROBLEMS));
    let mut problems: Vec<ConfigProblem> = found
        .into_iter()
        .map(|(at, key, message)| {
            let message = message.unwrap_or_else(|| unknown(&key));
            problem(text, at, &key, message)
        })
        .collect();
    if let Some((at, ..)) = more.first() {
        let message = format!("{} more mistakes are not listed", more.len());
        problems.push(problem(text, *at, "", message));
    }
    (config, problems)
}

/// Refuses what a file that comes with the project may not say.
fn of_a_project(range: &Range, value: &ConfigValue, name: &str) -> Result<(), String> {
    match (range, value) {
        (Range::Consent { .. }, ConfigValue::Switch(true)) => Err(format!(
            "{name} is for your editor's own settings: what comes with a project runs nothing"
        )),
        _ => no_remote_path(range, value),
    }
}

/// Refuses a path that leads to another machine: the file comes with the project, and a look there would tell who looks.
/// A client's own settings may name one.
fn no_remote_path(range: &Range, value: &ConfigValue) -> Result<(), String> {
    let paths = match (range, value) {
        (Range::Path { .. }, ConfigValue::Text(_)) => std::slice::from_ref(value),
        (Range::Paths { .. }, ConfigValue::List(paths)) => paths,
        _ => &[],
    };
    let is_remote = |path: &&ConfigValue| match path {
        ConfigValue::Text(path) => paths::is_remote(path),
        _ => false,
    };
    match paths.iter().find(is_remote) {
        Some(ConfigValue::Text(path)) => Err(format!(
            "{path} leads to another machine, where nothing is looked at for a project's file"
        )),
        _ => Ok(()),
    }
}

/// Where in a value the mistake is: the item of a list, else the value itself.
fn fault(item: &Item, range: &Range) -> Option<usize> {
    let start = |value: &Value| value.span().map(|span| span.start);
    if let Some(list) = item.as_array() {
        let is_wrong = |item: &&Value| match item.as_str() {
            Some(pattern) if matches!(range, Range::Globs { .. }) => Config::default()
                .set(
                    "sources.exclude",
                    &ConfigValue::List(vec![ConfigValue::Text(pattern.to_owned())]),
                )
                .is_err(),
            Some(_) => false,
            None => true,
        };
        if let Some(wrong) = list.iter().find(is_wrong) {
            return start(wrong);
        }
    }
    item.span().map(|span| span.start)
}

fn value(item: &Item) -> ConfigValue {
    match item {
        Item::Value(value) => plain(value),
        Item::None => ConfigValue::Other("nothing"),
        Item::Table(_) => ConfigValue::Other("a table"),
        Item::ArrayOfTables(_) => ConfigValue::Other("a list of tables"),
    }
}

/// A value with lists one level deep: no key takes a list of lists.
fn plain(value: &Value) -> ConfigValue {
    match value {
        Value::Array(items) => ConfigValue::List(items.iter().map(scalar).collect()),
        value => scalar(value),
    }
}

fn scalar(value: &Value) -> ConfigValue {
    match value {
        Value::String(text) => ConfigValue::Text(text.value().clone()),
        Value::Integer(number) => ConfigValue::Integer(*number.value()),
        Value::Float(number) => ConfigValue::Number(*number.value()),
        Value::Boolean(switch) => ConfigValue::Switch(*switch.value()),
        Value::Datetime(_) => ConfigValue::Other("a date"),
        Value::Array(_) => ConfigValue::Other("a list"),
        Value::InlineTable(_) => ConfigValue::Other("a table"),
    }
}

fn problem(text: &str, offset: usize, key: &str, message: String) -> ConfigProblem {
    // The parser's offsets lie on character boundaries; a wrong one must not panic all the same.
    let offset = (0..=offset.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    ConfigProblem {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].encode_utf16().count() + 1,
        key: key.to_owned(),
        message,
    }
}
