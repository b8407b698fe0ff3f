//! What several tests read.

use std::path::{Path, PathBuf};

/// The Java files below a folder, in order.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut work = vec![folder.to_path_buf()];
    while let Some(at) = work.pop() {
        for entry in std::fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|e| e == "java") {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}
