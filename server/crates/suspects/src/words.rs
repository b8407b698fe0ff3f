//! Values as a reader would write them.

use invariants::{Kind, Look, Value, double};
use std::sync::Arc;

/// A value as a reader would write it.
pub(crate) fn words(value: &Value, kind: Kind, look: Look) -> String {
    let many = |all: Vec<String>| {
        const SHOWN: usize = 8;
        let more = if all.len() > SHOWN { ", …" } else { "" };
        let first: Vec<String> = all.into_iter().take(SHOWN).collect();
        format!("[{}{more}]", first.join(", "))
    };
    let int = |v: &i64| match (look.int(*v), kind, v) {
        (Some(literal), ..) => literal,
        (_, Kind::Boolean, v) => (*v != 0).to_string(),
        (_, Kind::Reference, 0) => "null".to_owned(),
        (_, Kind::Reference, _) => "an object".to_owned(),
        (.., v) => v.to_string(),
    };
    let text = |t: &Option<Arc<str>>| match t.as_deref() {
        Some(text) => match look.text(text) {
            Some(name) => name.to_owned(),
            None => format!("{text:?}"),
        },
        None => "null".to_owned(),
    };
    match value {
        Value::Missing => "missing".to_owned(),
        Value::Int(v) => int(v),
        Value::Double(v) => double(*v),
        Value::Text(t) => text(t),
        Value::Ints(all) => many(all.iter().map(int).collect()),
        Value::Doubles(all) => many(all.iter().map(|v| double(*v)).collect()),
        Value::Texts(all) => many(all.iter().map(text).collect()),
    }
}
