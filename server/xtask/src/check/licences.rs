//! Every library's licence is on the list of `.cargo/deny.toml`, which `cargo deny` reads as well where it is installed.

use toml_edit::DocumentMut;

use super::{House, Outcome, outcome};

const LIST: &str = ".cargo/deny.toml";

pub(super) fn check(house: &House) -> Outcome {
    let allowed = match allowed(house) {
        Ok(allowed) => allowed,
        Err(problem) => return Err(vec![format!("{LIST}: {problem}")]),
    };
    let mut problems = Vec::new();
    let mut count = 0;
    for package in house.metadata.packages.values() {
        count += 1;
        let fits = match &package.licence {
            None => Err("says nothing".to_owned()),
            Some(expression) => match satisfied(expression, &allowed) {
                Ok(true) => Ok(()),
                Ok(false) => Err(format!("{expression} is not on the list")),
                Err(problem) => Err(format!("{expression}: {problem}")),
            },
        };
        if let Err(problem) = fits {
            problems.push(format!("{} {}: {problem}", package.name, package.version));
        }
    }
    let scope = if house.metadata.every_platform {
        "on every platform"
    } else {
        "on this platform; the others' packages are not here and there is no network"
    };
    outcome(problems, format!("{count} packages, {scope}"))
}

fn allowed(house: &House) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(house.root.join(LIST)).map_err(|it| it.to_string())?;
    let document: DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
    let list = document
        .get("licenses")
        .and_then(|licences| licences.get("allow"))
        .and_then(|allow| allow.as_array())
        .ok_or("no list licenses.allow")?;
    Ok(list
        .iter()
        .filter_map(|licence| licence.as_str().map(str::to_owned))
        .collect())
}

/// Does the list permit a choice of licences that the SPDX expression offers? `OR` binds weaker than `AND`; old
/// manifests write `/` for `OR`. Parentheses are worked off from the inside, without recursion.
fn satisfied(expression: &str, allowed: &[String]) -> Result<bool, String> {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    // One frame a parenthesis: what its finished alternatives offer, and what the running one does so far.
    let mut frames = vec![(false, true)];
    let mut operand_next = true;
    let mut words = spaced.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let frame = frames.last_mut().ok_or("a parenthesis too many")?;
        match (word, operand_next) {
            ("(", true) => frames.push((false, true)),
            (")", false) => {
                let (offered, running) = *frame;
                frames.pop();
                let outer = frames.last_mut().ok_or("a parenthesis too many")?;
                outer.1 &= offered || running;
            }
            ("OR", false) => {
                *frame = (frame.0 || frame.1, true);
                operand_next = true;
            }
            ("AND", false) => operand_next = true,
            (name, true) if !matches!(name, "OR" | "AND" | "WITH" | ")") => {
                let mut name = name.to_owned();
                if words.next_if_eq(&"WITH").is_some() {
                    let exception = words.next().ok_or("WITH what?")?;
                    name = format!("{name} WITH {exception}");
                }
                frame.1 &= allowed.contains(&name);
                operand_next = false;
            }
            _ => return Err(format!("{word} stands in the wrong place")),
        }
    }
    match (&frames[..], operand_next) {
        ([(offered, running)], false) => Ok(*offered || *running),
        _ => Err("it ends too early".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expression: &str) -> Result<bool, String> {
        let allowed = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"];
        satisfied(expression, &allowed.map(str::to_owned))
    }

    #[test]
    fn expressions_are_read() {
        for (expression, fine) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0/MIT", true),
            ("MIT AND GPL-3.0", false),
            ("GPL-3.0 AND MIT OR Apache-2.0", true),
            ("MIT AND (GPL-3.0 OR Apache-2.0)", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", false),
            ("((MIT))", true),
            ("Apache-2.0 WITH LLVM-exception OR GPL-3.0", true),
            ("MIT WITH LLVM-exception", false),
        ] {
            assert_eq!(check(expression), Ok(fine), "{expression}");
        }
    }

    #[test]
    fn broken_expressions_are_said() {
        for expression in [
            "", "MIT OR", "(MIT", "MIT)", "MIT MIT", "AND", "MIT WITH", "()",
        ] {
            assert!(check(expression).is_err(), "{expression}");
        }
    }
}
