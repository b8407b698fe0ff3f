//! What Telltale writes into `telltale.toml`, when a user asks for it: what stands there stays as it is.

use std::ops::Range;

use toml_edit::{Array, DocumentMut, Item, Table, Value};

/// The file of the configuration, below a root.
pub const CONFIG: &str = "telltale.toml";

/// The part of a text of `telltale.toml` that changes, and its new text, so that a file counts as generated: one more pattern of
/// `tests.generated`. Nothing if it stands there. `path` is from the root, with `/`.
///
/// # Errors
/// A sentence without a full stop, if the text is no TOML or the key holds something else.
pub fn call_generated(text: &str, path: &str) -> Result<Option<(Range<usize>, String)>, String> {
    let pattern = pattern(path);
    let parsed = text.parse::<DocumentMut>();
    let mut document =
        parsed.map_err(|e| format!("{CONFIG} is no TOML: {}", e.message().trim()))?;
    let tests = document
        .entry("tests")
        .or_insert_with(|| Item::Table(Table::new()));
    let Some(tests) = tests.as_table_like_mut() else {
        return Err(format!("tests in {CONFIG} is no table"));
    };
    let all = tests
        .entry("generated")
        .or_insert_with(|| Item::Value(Value::Array(Array::new())));
    let Some(all) = all.as_array_mut() else {
        return Err(format!("tests.generated in {CONFIG} is no list"));
    };
    if all.iter().any(|v| v.as_str() == Some(&pattern)) {
        return Ok(None);
    }
    // As the one before it stands: on a line of its own, or behind it.
    let before = all.iter().last().and_then(|v| v.decor().prefix());
    let prefix = before.and_then(|p| p.as_str()).map(str::to_owned);
    let mut value = Value::from(pattern);
    if let Some(prefix) = prefix.filter(|p| p.contains('\n')) {
        let only_blank = prefix.rsplit('\n').next().unwrap_or("");
        value.decor_mut().set_prefix(format!("\n{only_blank}"));
        all.push_formatted(value);
    } else {
        all.push(value);
    }
    let new = document.to_string();
    let same = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let mut start = same(text, &new);
    while !text.is_char_boundary(start) || !new.is_char_boundary(start) {
        start -= 1;
    }
    let rest = (text.len() - start).min(new.len() - start);
    let ends = text.bytes().rev().zip(new.bytes().rev());
    let mut end = ends.take(rest).take_while(|(a, b)| a == b).count();
    while !text.is_char_boundary(text.len() - end) || !new.is_char_boundary(new.len() - end) {
        end -= 1;
    }
    Ok(Some((
        start..text.len() - end,
        new[start..new.len() - end].to_owned(),
    )))
}

/// A pattern for one file and no other.
fn pattern(path: &str) -> String {
    let mut out = String::with_capacity(path.len() + 1);
    // From the root on.
    out.push('/');
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '\\' | '!' | '#' | ' ') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
