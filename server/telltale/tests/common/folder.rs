//! A folder with files that exists for one test; of the tests of the binary and of those of the server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Gone when dropped.
pub(crate) struct Folder {
    _folder: TempDir,
    path: PathBuf,
}

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Folder {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().canonicalize().expect("there");
        let out = Folder {
            _folder: folder,
            path,
        };
        for (path, text) in files {
            out.write(path, text.as_bytes());
        }
        out
    }

    /// A copy of a project that comes with the sources, without what a build or a recording left there.
    pub(crate) fn of_project(name: &str) -> Folder {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
        let from = from.join(name);
        let out = Folder::new(&[]);
        let mut open = vec![from.clone()];
        while let Some(at) = open.pop() {
            for entry in std::fs::read_dir(at).expect("a folder") {
                let path = entry.expect("an entry").path();
                let inside = path.strip_prefix(&from).expect("below").to_string_lossy();
                if !path.is_dir() {
                    out.write(&inside, &std::fs::read(&path).expect("a file"));
                } else if !(path.ends_with("target") || path.ends_with(".telltale")) {
                    open.push(path);
                }
            }
        }
        out
    }

    /// Writes a file, and the folders that it lies in; its path.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path.join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folders");
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    /// As the file system names it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// All files below a folder, by their path from it.
pub(crate) fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    let name = path.strip_prefix(root).expect("below").to_string_lossy();
                    out.insert(name.replace('\\', "/"), std::fs::read(&path).expect("read"));
                }
            }
        }
    }
    out
}
