//! Values as a reader would write them.

use invariants::{Kind, Value};
use std::sync::Arc;

/// A value as a reader would write it.
pub(crate) fn words(value: &Value, kind: Kind) -> String {
    let many = |all: Vec<String>| {
        const SHOWN: usize = 8;
        let more = if all.len() > SHOWN { ", …" } else { "" };
        let first: Vec<String> = all.into_iter().take(SHOWN).collect();
        format!("[{}{more}]", first.join(", "))
    };
    let int = |v: &i64| match (kind, v) {
        (Kind::Boolean, v) => (*v != 0).to_string(),
        (Kind::Reference, 0) => "null".to_owned(),
        (Kind::Reference, _) => "an object".to_owned(),
        (_, v) => v.to_string(),
    };
    let text = |t: &Option<Arc<str>>| match t {
        Some(text) => format!("{text:?}"),
        None => "null".to_owned(),
    };
    match value {
        Value::Missing => "missing".to_owned(),
        Value::Int(v) => int(v),
        Value::Double(v) => format!("{v:?}"),
        Value::Text(t) => text(t),
        Value::Ints(all) => many(all.iter().map(int).collect()),
        Value::Doubles(all) => many(all.iter().map(|v| format!("{v:?}")).collect()),
        Value::Texts(all) => many(all.iter().map(text).collect()),
    }
}
