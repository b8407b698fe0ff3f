//! Does everything that is said of a test agree: shorter and longer lists, lens, action, terminal and JSON?

use observe::Settings;
use std::path::{Path, PathBuf};
use std::process::Command;

use ide::Analysis;
use program::{MethodId, Program};
use rayon::prelude::*;
use serde_json::Value;

use super::said::Said;
use super::table::Counts;
use crate::Result;
use crate::evaluate::told::{answer_of, asked_by};

/// Lengths that are compared with the usual list.
const SHORTER: [usize; 3] = [1, 3, 5];
/// For how many tests of a project, evenly spread.
const LISTS: usize = 60;

/// Every `n`th so that there are at most `count`.
fn spread(said: &[Said], count: usize) -> impl Iterator<Item = &Said> {
    let step = said.len().div_ceil(count.max(1)).max(1);
    said.iter().step_by(step).take(count)
}

/// Counts shorter lists that are no prefix of the usual one.
pub(super) fn prefixes(analysis: &Analysis, said: &[Said], counts: &mut Counts) {
    let chosen: Vec<&Said> = spread(said, LISTS).collect();
    let mut holds = vec![true; chosen.len()];
    for top in SHORTER {
        let shorter = analysis.with_settings(Settings {
            top,
            ..*analysis.settings()
        });
        let same: Vec<bool> = chosen
            .par_iter()
            .map(|s| {
                let short = shorter.offered(s.test);
                let long = &s.offered;
                let readable = |o: &ide::Offered| -> Vec<String> {
                    let names = o.readable.iter().map(|r| r.expression.clone());
                    names.take(top).collect()
                };
                let inside = |o: &ide::Offered| -> Vec<ide::Place> {
                    o.inside.iter().map(|i| i.place).take(top).collect()
                };
                readable(&short) == readable(long) && inside(&short) == inside(long)
            })
            .collect();
        for (all, one) in holds.iter_mut().zip(same) {
            *all &= one;
        }
    }
    counts.lists = holds.len();
    counts.no_prefix = holds.iter().filter(|h| !**h).count();
}

/// Counts tests of which lens, list and action say different things; of some, evenly spread, also terminal and JSON.
/// Gives a sentence for each.
pub(super) fn agreement(
    folder: &Path,
    analysis: &Analysis,
    said: &[Said],
    started: usize,
    counts: &mut Counts,
) -> Result<Vec<String>> {
    let program = analysis.program();
    let mut out: Vec<String> = Vec::new();
    for s in said {
        let name = program.method_name(s.test);
        let list: Vec<&str> = s
            .offered
            .readable
            .iter()
            .map(|r| r.expression.as_str())
            .collect();
        let expected: Vec<String> = s.requests.expectations.iter().map(|e| e.text()).collect();
        // The lens may be quiet, but what it says is the list's first.
        let lens = s.lens.as_deref().is_some_and(|lens| {
            !list.first().is_some_and(|first| lens.contains(first))
                && !expected.first().is_some_and(|first| lens.contains(first))
                && !s
                    .offered
                    .inside
                    .first()
                    .is_some_and(|i| lens.contains(&i.name))
                && !s
                    .open
                    .as_ref()
                    .is_some_and(|call| lists_open(analysis, s.test, call))
        });
        let action = s.action.as_ref().is_some_and(|first| {
            !first.asks_mock
                && !list.contains(&first.value.as_str())
                && !expected.contains(&first.value)
        });
        if lens {
            out.push(format!(
                "{name}: the lens says {:?}, the list begins with {:?}",
                s.lens,
                list.first()
            ));
        } else if action {
            out.push(format!("{name}: the action is on the list nowhere"));
        }
    }
    counts.compared = said.len();
    if let Some(binary) = binary().filter(|_| started > 0) {
        for s in spread(said, started) {
            out.extend(printed(&binary, folder, program, s)?);
        }
    }
    counts.disagree = out.len();
    Ok(out)
}

/// True if the answer on request has a call that the lens says is left open.
fn lists_open(analysis: &Analysis, test: MethodId, call: &str) -> bool {
    let answer = answer_of(analysis, test);
    let calls = answer.unverified.into_iter().flatten();
    let calls = calls.filter(|c| c.sure).map(|c| c.expression);
    let arguments = answer.open_arguments.into_iter().flatten();
    let mut all = calls.chain(arguments.map(|a| a.expression));
    let asked = asked_by(call);
    all.any(|expression| asked.as_ref() == Some(&expression))
}

/// The command, if it was built beside this one.
fn binary() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let binary = own.with_file_name(format!("telltale{}", std::env::consts::EXE_SUFFIX));
    binary.is_file().then_some(binary)
}

/// What JSON or the terminal say otherwise.
fn printed(binary: &Path, folder: &Path, program: &Program, s: &Said) -> Result<Option<String>> {
    let owner = program.method_owner(s.test);
    let Some(decl) = program.method_decl(s.test) else {
        return Ok(None);
    };
    // Two of one name are one question to the command.
    let of_name = program.methods_of_type(owner).iter().filter(|m| {
        program
            .method_decl(**m)
            .is_some_and(|d| d.name == decl.name)
    });
    if of_name.count() > 1 {
        return Ok(None);
    }
    let name = format!("{}#{}", program.type_name(owner), decl.name);
    let run = |format: &str| -> Result<String> {
        let output = Command::new(binary)
            .args(["observe", "--quiet", "--format", format, "--test", &name])
            // The text names but three of what does not look worth an assertion.
            .args((format == "text").then_some("--doubtful"))
            .arg(folder)
            .env("NO_COLOR", "1")
            .output()
            .map_err(|error| format!("cannot start {}: {error}", binary.display()))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let list: Vec<&str> = s
        .offered
        .readable
        .iter()
        .map(|r| r.expression.as_str())
        .collect();
    let json: Value = serde_json::from_str(&run("json")?).unwrap_or_default();
    let of_json = readable(&json);
    if of_json != list {
        return Ok(Some(format!(
            "{name}: JSON has {of_json:?}, the editor {list:?}"
        )));
    }
    let text = run("text")?;
    let lacking = lacking(&list, &text);
    Ok(lacking.map(|e| format!("{name}: the terminal lacks {e} in its place")))
}

/// The first of a list that the terminal does not say in its place.
fn lacking<'l>(list: &[&'l str], text: &str) -> Option<&'l str> {
    let is_said = |(at, e): &(usize, &str)| {
        let begins = format!("{:>3}  {e}", at + 1);
        text.lines().any(|line| {
            let behind = line.strip_prefix(&begins);
            behind.is_some_and(|rest| rest.starts_with(' '))
        })
    };
    let mut places = list.iter().copied().enumerate();
    places.find(|place| !is_said(place)).map(|(_, e)| e)
}

/// The readable list of an answer in JSON.
fn readable(json: &Value) -> Vec<&str> {
    let list = json["readable"].as_array();
    let listed = list.into_iter().flatten();
    listed
        .filter_map(|r| {
            let candidate = &r["candidate"];
            candidate["expression"]
                .as_str()
                .or(candidate["variable"].as_str())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_says_each_in_its_place() {
        let text = "This test could assert\n  1  a.b()   p/T.java:3\n       | a.c() is no place\n  2  a.c() = 3  p/T.java:4\n";
        assert_eq!(lacking(&["a.b()", "a.c()"], text), None);
        assert_eq!(lacking(&["a.c()", "a.b()"], text), Some("a.c()"));
        assert_eq!(lacking(&["a.b()", "a.d()"], text), Some("a.d()"));
        assert_eq!(lacking(&["a.b", "a.c()"], text), Some("a.b"));
        assert_eq!(lacking(&[], text), None);
    }

    #[test]
    fn the_list_in_json_is_of_expressions_and_variables() {
        let json: Value = serde_json::json!({ "readable": [
            { "gain": 2.0, "candidate": { "expression": "a.b()", "variable": "x" } },
            { "gain": 1.0, "candidate": { "variable": "c" } },
            { "gain": 0.0, "candidate": { "expression": "d" } },
        ] });
        assert_eq!(readable(&json), ["a.b()", "c", "d"]);
        assert!(readable(&Value::Null).is_empty());
    }
}
