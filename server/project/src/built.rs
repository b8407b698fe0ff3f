//! Sources that a build writes, by processors of annotations and other generators: they lie in its outputs.

use std::collections::BTreeSet;
use std::path::Path;

use crate::walk::{OUTPUTS, is_output};

/// How many folders are looked at.
const MOST_FOLDERS: usize = 100_000;

/// True for a path from a root that lies in what a build writes.
pub fn is_built(root: &Path, path: &str) -> bool {
    let mut folder = root.to_path_buf();
    path.split('/').any(|part| {
        folder.push(part);
        OUTPUTS.contains(&part) && is_output(root, &folder)
    })
}

/// The Java files below a root that its builds wrote: those in `generated…` of their outputs, by their paths from the root.
pub fn built_sources(root: &Path) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    // Each with whether it lies in an output, and in a folder of generated sources of that.
    let mut open = vec![(root.to_path_buf(), false, false)];
    let mut seen = 0;
    while let Some((folder, in_output, in_generated)) = open.pop() {
        seen += 1;
        if seen > MOST_FOLDERS {
            break;
        }
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, kind) = (entry.path(), entry.file_type());
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                continue;
            };
            if kind.is_ok_and(|kind| kind.is_dir()) {
                let is_generated = name.starts_with("generated");
                if in_generated || (in_output && is_generated) {
                    open.push((path, true, true));
                } else if !in_output && !name.starts_with('.') && name != "node_modules" {
                    let is_output = OUTPUTS.contains(&name) && is_output(root, &path);
                    open.push((path, is_output, false));
                }
            } else if in_generated && name.ends_with(".java") {
                let inside = path.strip_prefix(root).unwrap_or(&path);
                out.insert(inside.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_processors_write_lies_in_generated_folders_of_outputs() {
        let root = tempfile::tempdir().unwrap();
        let files = [
            "pom.xml",
            "a/pom.xml",
            "a/target/generated-sources/annotations/p/A.java",
            "a/target/classes/p/No.java",
            "a/src/main/java/target/generated/No.java",
            "b/build.gradle",
            "b/build/generated/sources/annotationProcessor/java/main/p/B.java",
            "b/build/generated/sources/annotationProcessor/java/main/p/B.txt",
            "generated/No.java",
        ];
        for file in files {
            let file = root.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        let found: Vec<String> = built_sources(root.path()).into_iter().collect();
        assert_eq!(found, [files[2], files[6]]);
        let built = files.map(|file| is_built(root.path(), file));
        assert_eq!(
            built,
            [false, false, true, true, false, false, true, true, false]
        );
    }
}
