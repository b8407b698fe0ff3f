//! What is said of a violation.

use super::Judged;
use crate::words::ordinal;
use suspects::{Moment, Suspect, Violation};

/// `conjugate() gave imaginary = -0.0 here; in 42 calls of 3 hand-written tests imaginary != 0 held`.
pub fn why(violation: &Violation) -> String {
    let broken = &violation.broken;
    let method = match broken.method.name.as_str() {
        "<init>" => format!("new {}", simple(&broken.method.class)),
        name => name.to_owned(),
    };
    let gives = violation.values.iter().any(|(name, _)| of_result(name));
    let did = match broken.moment {
        Moment::Entry => "was called with",
        Moment::Exit if gives => "gave",
        Moment::Exit => "left",
    };
    let values: Vec<String> = violation
        .values
        .iter()
        .map(|(name, value)| format!("{} = {value}", term(name)))
        .collect();
    let calls: u32 = broken.taught_by.iter().map(|(_, calls)| calls).sum();
    let count = |n: usize, one: &str, many: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    };
    format!(
        "{method}() {did} {} here; in {} of {} it held that {}",
        values.join(", "),
        count(calls as usize, "call", "calls"),
        count(
            broken.taught_by.len(),
            "hand-written test",
            "hand-written tests"
        ),
        constraint(&broken.constraint.text),
    )
}

/// `1st of 976`, `2nd to 3rd of 976`.
pub fn within(judged: &Judged, suspect: &Suspect) -> String {
    let like = |s: &&Suspect| (s.rank - suspect.rank).abs() < 1e-9;
    let equals = judged.suspects.iter().filter(like).count();
    let first = judged
        .suspects
        .iter()
        .position(|s| like(&s))
        .map_or(1, |at| at + 1);
    let all = judged.assertions.len();
    match equals {
        0 | 1 => format!("{} of {all}", ordinal(first)),
        n => format!("{} to {} of {all}", ordinal(first), ordinal(first + n - 1)),
    }
}

fn of_result(name: &str) -> bool {
    name.starts_with("return") || name.contains("(return")
}

/// A term as part of a sentence: of the result only what is asked of it.
fn term(name: &str) -> String {
    match name.strip_prefix("return.") {
        Some(field) => field.to_owned(),
        None if name == "return" => "the result".to_owned(),
        None => name.replace("return", "result"),
    }
}

fn constraint(text: &str) -> String {
    text.replace("return", "result")
}

fn simple(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}
