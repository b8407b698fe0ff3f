//! The map and the house agree.

use std::collections::BTreeSet;
use std::path::Path;

use toml_edit::DocumentMut;

use super::{House, Outcome, outcome};

const MAP: &str = "docs/architecture.md";
const DEPENDENCIES: &str = "docs/decisions/dependencies.md";

/// Each room stands on the map, and each path on the map exists.
pub(super) fn map(house: &House) -> Outcome {
    let text = read(house, MAP)?;
    let mut problems = Vec::new();
    for member in house.metadata.members() {
        let folder = member.folder.as_deref().unwrap_or_default();
        if !text.contains(&format!("`{folder}")) {
            problems.push(format!("{MAP} does not mention {folder}"));
        }
    }
    let paths = paths(&text);
    for path in &paths {
        if !house.root.join(path).exists() {
            problems.push(format!("{MAP} names {path}, which does not exist"));
        }
    }
    let rooms = house.metadata.members().count();
    outcome(
        problems,
        format!("{rooms} rooms and {} paths of {MAP}", paths.len()),
    )
}

/// What names a page and is none of ours: that of a packed extension, and what the server writes into a project.
const OTHERS: &[&str] = &["CHANGELOG.md", ".telltale/evidence.md"];

/// Each page that sources or pages name is there: as a path from the root, from `docs` or `docs/user`, or from where it is
/// named; and
/// each path that a page names.
pub(super) fn pages(house: &House) -> Outcome {
    let mut problems = Vec::new();
    let mut count = 0;
    let is_read = |file: &&String| {
        let ends = [".md", ".rs", ".scm"];
        ends.iter().any(|end| file.ends_with(end)) && !file.starts_with("editors/")
    };
    for file in house.files.iter().filter(is_read) {
        let text = read(house, file)?;
        if file.starts_with("docs/") {
            let gone = paths(&text).into_iter();
            let gone = gone.filter(|path| !house.root.join(path).exists());
            problems.extend(gone.map(|path| format!("{file} names {path}, which does not exist")));
        }
        for (number, line) in text.lines().enumerate() {
            for page in named_pages(line).filter(|page| !OTHERS.contains(page)) {
                count += 1;
                let beside = Path::new(file).parent().map(|folder| folder.join(page));
                let places = [
                    Some(page.trim_start_matches("../").into()),
                    Some(Path::new("docs").join(page)),
                    Some(Path::new("docs/user").join(page)),
                    beside,
                ];
                if !places
                    .iter()
                    .flatten()
                    .any(|place| house.root.join(place).is_file())
                {
                    problems.push(format!(
                        "{file}:{} names {page}, which does not exist",
                        number + 1
                    ));
                }
            }
        }
    }
    outcome(problems, format!("{count} mentions of pages"))
}

/// The pages that a line names; addresses of other places are none.
fn named_pages(line: &str) -> impl Iterator<Item = &str> {
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || "_./-:".contains(c);
    let words = line.split(move |c| !is_of_path(c));
    let words = words.filter(|word| !word.contains("://"));
    let words = words.map(|word| word.trim_end_matches(['.', ':']));
    words.filter(|word| word.ends_with(".md") && *word != ".md")
}

/// What stands in backquotes and is a path from the repository's root.
fn paths(text: &str) -> BTreeSet<&str> {
    let tops = [
        "server/", "docs/", "tests/", "queries/", "editors/", ".ci/", ".cargo/",
    ];
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter(|quoted| tops.iter().any(|top| quoted.starts_with(top)))
        .filter(|quoted| !quoted.contains([' ', '*', '<', '…']))
        .collect()
}

/// Each library of the workspace has its reason, and no reason outlives its library.
pub(super) fn dependencies(house: &House) -> Outcome {
    let text = read(house, DEPENDENCIES)?;
    let mut used: BTreeSet<String> = BTreeSet::new();
    // What is fed by the fuzzer is a workspace of its own.
    for (path, table) in [
        ("Cargo.toml", &["workspace", "dependencies"][..]),
        ("server/fuzz/Cargo.toml", &["dependencies"]),
    ] {
        let manifest: DocumentMut = read(house, path)?
            .parse()
            .map_err(|error| vec![format!("{path}: {error}")])?;
        let item = table
            .iter()
            .try_fold(manifest.as_item(), |item, name| item.get(name));
        let libraries = item.and_then(toml_edit::Item::as_table_like);
        let libraries = libraries.into_iter().flat_map(|table| table.iter());
        used.extend(
            libraries
                .filter(|(_, item)| item.get("path").is_none())
                .map(|(name, _)| name.to_owned()),
        );
    }
    let reasoned: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(str::to_owned)
        .collect();
    let mut problems = Vec::new();
    for name in used.difference(&reasoned) {
        problems.push(format!("{DEPENDENCIES} has no row for {name}"));
    }
    for name in reasoned.difference(&used) {
        problems.push(format!(
            "{DEPENDENCIES} gives reasons for {name}, which nobody uses"
        ));
    }
    outcome(problems, format!("{} libraries, a reason each", used.len()))
}

fn read(house: &House, path: &str) -> Result<String, Vec<String>> {
    std::fs::read_to_string(house.root.join(path)).map_err(|error| vec![format!("{path}: {error}")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_in_backquotes() {
        let text = "`server/xtask` and server/x, `let x`, `docs/decisions/*.md`, `tests/demo`";
        assert_eq!(Vec::from_iter(paths(text)), ["server/xtask", "tests/demo"]);
    }
}
