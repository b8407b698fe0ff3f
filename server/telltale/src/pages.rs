//! The pages of the rules. Of those that rest on runs they are kept beside what these told: the link of a mark leads there without
//! a network.

use project::OWN_FOLDER;
use std::path::{Path, PathBuf};

/// Below Telltale's own folder.
const FOLDER: &str = "rules";

/// The rule and its page; first those that are kept beside what runs told.
const PAGES: [(&str, &str); 11] = [
    (
        "suspicious-assertion",
        include_str!("../../../docs/rules/suspicious-assertion.md"),
    ),
    (
        "unstable-observation",
        include_str!("../../../docs/rules/unstable-observation.md"),
    ),
    ("survived", include_str!("../../../docs/rules/survived.md")),
    (
        "pseudo-tested",
        include_str!("../../../docs/rules/pseudo-tested.md"),
    ),
    (
        "no-oracle",
        include_str!("../../../docs/rules/no-oracle.md"),
    ),
    (
        "missed-fail",
        include_str!("../../../docs/rules/missed-fail.md"),
    ),
    (
        "missed-message",
        include_str!("../../../docs/rules/missed-message.md"),
    ),
    (
        "rotten-assertion",
        include_str!("../../../docs/rules/rotten-assertion.md"),
    ),
    (
        "self-check",
        include_str!("../../../docs/rules/self-check.md"),
    ),
    (
        "inner-oracle",
        include_str!("../../../docs/rules/inner-oracle.md"),
    ),
    (
        "inner-oracle-stale",
        include_str!("../../../docs/rules/inner-oracle-stale.md"),
    ),
];

/// How many pages are kept so.
const KEPT: usize = 4;

/// The page of a rule, as one that stands alone.
pub(crate) fn page(rule: &str) -> Option<String> {
    let mut all = PAGES.iter();
    all.find(|(name, _)| *name == rule)
        .map(|(_, page)| alone(page))
}

/// Writes them into Telltale's own folder.
pub(crate) fn write(own: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(own.join(FOLDER))?;
    for (rule, page) in &PAGES[..KEPT] {
        std::fs::write(own.join(FOLDER).join(format!("{rule}.md")), alone(page))?;
    }
    Ok(())
}

/// Where the page of a rule lies, if a run put it there.
pub(crate) fn of(root: &Path, rule: &str) -> Option<PathBuf> {
    let page = root.join(OWN_FOLDER).join(FOLDER);
    let page = page.join(format!("{rule}.md"));
    page.is_file().then_some(page)
}

/// A page whose links to its neighbours are plain words: they do not lie beside it.
fn alone(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find("](") {
        let (before, from) = rest.split_at(at);
        let Some(end) = from.find(')') else { break };
        let target = &from[2..end];
        match before.rfind('[') {
            Some(open) if !target.contains("://") => {
                out.push_str(&before[..open]);
                out.push_str(&before[open + 1..]);
            }
            _ => {
                out.push_str(before);
                out.push_str(&from[..=end]);
            }
        }
        rest = &from[end + 1..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::{KEPT, PAGES, alone, page};
    use ide::rules::{ALL, OF_MUTANTS, OF_RUNS};

    #[test]
    fn every_rule_has_its_page() {
        for rule in ALL.iter().chain(OF_MUTANTS) {
            assert!(page(rule.name).is_some(), "{} has no row", rule.name);
        }
        assert_eq!(PAGES.len(), ALL.len() + OF_MUTANTS.len());
        let of_mutants = OF_MUTANTS.iter().map(|rule| rule.name);
        for rule in of_mutants.chain(OF_RUNS.iter().copied()) {
            let mut kept = PAGES[..KEPT].iter();
            assert!(kept.any(|(name, _)| *name == rule), "{rule} is not kept");
        }
    }

    #[test]
    fn a_page_that_stands_alone_links_to_nothing_beside_it() {
        let page = "See [it](../user/it.html#a), [that](https://a.b/c) and `[0]`.";
        assert_eq!(alone(page), "See it, [that](https://a.b/c) and `[0]`.");
        for (rule, page) in PAGES {
            let alone = alone(page);
            assert!(alone.starts_with(&format!("# `{rule}`")), "{rule}");
            assert!(!alone.contains("](."), "{rule}: {alone}");
        }
    }
}
