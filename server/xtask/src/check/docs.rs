//! The map and the house agree.

use std::collections::BTreeSet;

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
