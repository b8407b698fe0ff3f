//! The words of frameworks and of libraries of assertions, mocks and requests stand in their rows: nobody else that could ask
//! `oracle` has them in its code.

use super::layers::users_of;
use super::{House, Outcome, outcome};
use oracle::frameworks::{ALL, EVOSUITE, Says};
use oracle::web::mock_mvc;
use std::collections::BTreeSet;

/// The room whose rows have them.
const ROOM: &str = "oracle";

/// Looks at the text literals of all rooms that use the rows.
pub(super) fn of_frameworks(house: &House) -> Outcome {
    let words = words();
    let rooms = users_of(ROOM);
    let mut problems = Vec::new();
    let mut files = 0;
    for member in house.metadata.members() {
        let Some(folder) = member.folder.as_ref() else {
            continue;
        };
        if !rooms.contains(&member.name.as_str()) {
            continue;
        }
        let source = format!("{}/src/", folder.trim_end_matches('/'));
        for path in &house.files {
            let inside = path.strip_prefix(&source);
            let is_code = |p: &str| p.ends_with(".rs") && !p.split('/').any(is_of_tests);
            if !inside.is_some_and(is_code) {
                continue;
            }
            files += 1;
            let text = std::fs::read_to_string(house.root.join(path)).unwrap_or_default();
            let said = said(&text, &words);
            problems.extend(said.map(|(line, word)| {
                format!("{path}:{line}: \"{word}\" is a framework's: ask `oracle` what it says")
            }));
        }
    }
    outcome(
        problems,
        format!("{} words, in no text of {files} files", words.len()),
    )
}

fn is_of_tests(part: &str) -> bool {
    matches!(part, "tests" | "tests.rs")
}

/// The words of all rows that are of no other language: of two words at least, and no question that people ask of objects, too.
fn words() -> BTreeSet<&'static str> {
    let links = ALL
        .iter()
        .flat_map(|row| row.links.iter().chain(row.matchers));
    let assertions = ALL.iter().flat_map(|row| row.asserts);
    let all = links.copied().chain(assertions.map(|a| (a.0, a.2)));
    let asks = |says: Says| matches!(says, Says::Empty | Says::NotEmpty | Says::Present);
    let asserted = all.filter(|(_, says)| !asks(*says)).map(|(name, _)| name);
    let of_mocks = ALL.iter().flat_map(|row| {
        let told = [
            row.returns,
            row.answers,
            row.throwing,
            row.letting,
            row.tells,
        ];
        let asked = [
            row.verifies,
            row.asks,
            row.asks_next,
            row.captures,
            row.made,
        ];
        let held = [row.mocked, row.held, row.lets_real, row.made_real];
        let rest = [row.mocks, row.fails, row.throws, row.strict, row.strict_by];
        [told.concat(), asked.concat(), held.concat(), rest.concat()].concat()
    });
    let of_tests = ALL.iter().flat_map(|row| {
        let marks = row.annotations.iter().map(|(name, _)| *name);
        let given = [row.giving, row.for_each, row.gives_tests];
        let run = [row.runs, row.runs_classes, row.runs_with, row.runs_around];
        let thrown = [row.throws_by, row.throwing_rules, row.told_to_throw];
        let rest = [row.off, row.rules, row.apart];
        let lists = [given.concat(), run.concat(), thrown.concat(), rest.concat()].concat();
        marks.chain(lists).collect::<Vec<_>>()
    });
    let of_generators = [EVOSUITE.annotations, &[EVOSUITE.check, EVOSUITE.package]].concat();
    let all = asserted
        .chain(of_mocks)
        .chain(of_tests)
        .chain(of_generators);
    all.chain([mock_mvc::EXPECTS, mock_mvc::MATCHERS])
        .map(|name| name.trim_end_matches('('))
        .filter(|name| name.contains('.') || name.chars().skip(1).any(char::is_uppercase))
        .collect()
}

/// The words that are texts of code, each with its line; alone, or as the beginning of a call. Tests at the end of a file are none.
fn said<'t>(
    text: &'t str,
    words: &BTreeSet<&'static str>,
) -> impl Iterator<Item = (usize, &'t str)> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim_start().starts_with("//"));
    lines.flat_map(move |(at, line)| {
        let texts = line.split('"').skip(1).step_by(2);
        let word = |text: &'t str| text.trim_end_matches(['(', ')']);
        let of_rows = |word: &&str| words.contains(word.trim_end_matches('.'));
        texts
            .map(word)
            .filter(of_rows)
            .map(move |word| (at + 1, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_a_row_is_found_in_code_alone() {
        let words = words();
        let text = "//! \"isEqualTo\"\nconst A: &[&str] = &[\"size\", \"isEqualTo\"];\n\
                    let b = \"hasSize(\"; // as it is\nlet c = \"isEmpty\"; let d = \"isEqualToday\";\n\
                    d.starts_with(\"org.evosuite.\"); d == \"thenReturn\"\n#[cfg(test)]\nconst E: &str = \"assertEquals\";\n";
        let found: Vec<_> = said(text, &words).collect();
        assert_eq!(
            found,
            [
                (2, "isEqualTo"),
                (3, "hasSize"),
                (5, "org.evosuite."),
                (5, "thenReturn")
            ]
        );
    }
}
