//! Which modules a build of Maven is made of: what the root's pom lists, and what these list.

use crate::paths;
use crate::read::read_build_file;
use crate::xml::{Node, Tree};
use std::collections::BTreeSet;
use std::path::Path;

/// How many modules are looked at.
const MOST: usize = 5_000;

/// The folders of all modules, from the root, which is the empty one: not those that a profile lists, of which a file alone does
/// not say whether it is on.
pub fn reactor(root: &Path) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    each(root, |folder, _| {
        out.insert(folder.to_owned());
        false
    });
    out
}

/// Looks at the `<project>` of each module until one is what is looked for; true if one is.
pub(crate) fn each(root: &Path, mut is_it: impl FnMut(&str, Node<'_>) -> bool) -> bool {
    let mut open: Vec<String> = vec!["pom.xml".to_owned()];
    let mut seen: BTreeSet<String> = BTreeSet::new();
    while let Some(pom) = open.pop() {
        if seen.len() == MOST || !seen.insert(pom.clone()) {
            continue;
        }
        let text = read_build_file(&root.join(&pom)).unwrap_or_default();
        let tree = Tree::parse(&text);
        let Some(project) = tree.root("project") else {
            continue;
        };
        let folder = paths::parent(&pom).unwrap_or_default();
        if is_it(folder, project) {
            return true;
        }
        let modules = project.children("modules").flat_map(Node::elements);
        let modules = modules.filter_map(|module| paths::join(root, folder, module.text()));
        open.extend(modules.map(|path| match path.ends_with(".xml") {
            true => path,
            false => paths::child(&path, "pom.xml"),
        }));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::reactor;

    #[test]
    fn modules_are_those_that_are_listed_without_profiles() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
            std::fs::write(path, text).expect("written");
        };
        write(
            "pom.xml",
            "<project><modules><module>core</module><module>apps</module></modules><profiles><profile><modules><module>slow</module></modules></profile></profiles></project>",
        );
        write("core/pom.xml", "<project/>");
        write(
            "apps/pom.xml",
            "<project><modules><module>web</module><module>gone</module></modules></project>",
        );
        for path in ["apps/web/pom.xml", "slow/pom.xml", "other/pom.xml"] {
            write(path, "<project/>");
        }
        let found: Vec<String> = reactor(root.path()).into_iter().collect();
        assert_eq!(found, ["", "apps", "apps/web", "core"]);
    }
}
