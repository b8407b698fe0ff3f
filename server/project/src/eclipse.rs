//! Eclipse: source folders and projects that a `.classpath` names, where no other build file does.

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::layout::LayoutWarning;
use crate::module::{Dependency, Library, Module, Notation, Role};
use crate::paths;
use crate::read::read_build_file;
use crate::xml::{Node, Tree};

/// The modules of all `.classpath` files among `builds`.
pub(crate) fn modules(
    root: &Path,
    builds: &[String],
    warnings: &mut Vec<LayoutWarning>,
) -> Vec<Module> {
    let files: Vec<&String> = builds
        .iter()
        .filter(|path| paths::name(path) == ".classpath")
        .collect();
    let dir_of = |path: &str| paths::parent(path).unwrap_or_default().to_owned();
    let mut by_name: FxHashMap<String, String> = FxHashMap::default();
    for path in &files {
        let dir = dir_of(path);
        by_name.entry(project_name(root, &dir)).or_insert(dir);
    }
    let mut modules = Vec::new();
    for path in files {
        let mut module = Module::new(&dir_of(path));
        let mut warn = |line, message| {
            warnings.push(LayoutWarning {
                path: path.clone(),
                line,
                message,
            });
        };
        let text = match read_build_file(&root.join(path)) {
            Ok(text) => text,
            Err(why) => {
                warn(None, format!("not read: {why}"));
                continue;
            }
        };
        let tree = Tree::parse(&text);
        if let Some((line, message)) = &tree.problem {
            warn(Some(*line), format!("not well-formed XML: {message}"));
        }
        module.uses_lombok = text.contains("lombok");
        let entries = tree
            .root("classpath")
            .into_iter()
            .flat_map(|all| all.children("classpathentry"));
        for entry in entries {
            let path = entry.attribute("path").unwrap_or_default();
            match entry.attribute("kind") {
                Some("src") => {}
                Some("lib" | "var") => {
                    module.libraries.push(Library {
                        from: if is_test(entry, "") { "test" } else { "main" }.to_owned(),
                        notation: Notation::File(path.to_owned()),
                        role: Role::Classes,
                    });
                    continue;
                }
                _ => continue,
            }
            if let Some(project) = path.strip_prefix('/') {
                let Some(dir) = by_name.get(project) else {
                    continue;
                };
                for set in if is_test(entry, "") {
                    &["test"][..]
                } else {
                    &["main", "test"]
                } {
                    module.dependencies.push(Dependency {
                        from: (*set).to_owned(),
                        module: dir.clone(),
                        on: (*set).to_owned(),
                        exported: entry.attribute("exported") == Some("true"),
                    });
                }
            } else if let Some(folder) = paths::join(root, &module.dir, path) {
                let set = if is_test(entry, path) { "test" } else { "main" };
                module.set(set).add_root(folder);
            }
        }
        modules.push(module);
    }
    modules
}

fn is_test(entry: Node<'_>, path: &str) -> bool {
    let mut attributes = entry
        .children("attributes")
        .flat_map(|all| all.children("attribute"));
    let said = attributes.find(|attribute| attribute.attribute("name") == Some("test"));
    said.map_or_else(
        || paths::has_test_like(path),
        |a| a.attribute("value") == Some("true"),
    )
}

fn project_name(root: &Path, dir: &str) -> String {
    let named = read_build_file(&root.join(dir).join(".project"))
        .ok()
        .and_then(|text| {
            let tree = Tree::parse(&text);
            tree.root("projectDescription")?
                .text_of("name")
                .map(str::to_owned)
        });
    named.unwrap_or_else(|| paths::name(dir).to_owned())
}
