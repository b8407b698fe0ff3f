//! A folder of class files, as builds leave them (`target/classes`).

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::files::Stamp;
use crate::regular;

/// Class files above this many bytes are not read.
const LARGEST: u64 = 64 << 20;

/// More files than this are no output of a build, but somebody's home.
const MOST: usize = 500_000;

/// The classes below a folder.
pub(crate) struct Folder {
    /// Dotted names with the file's stamp, sorted.
    classes: Vec<(Box<str>, Stamp)>,
    /// The folders and when they last changed; a new class changes its folder.
    folders: Vec<(PathBuf, Stamp)>,
}

impl Folder {
    /// Looks at every file below `path`. Links to folders are not followed.
    pub(crate) fn open(path: &Path) -> io::Result<Folder> {
        let mut folder = Folder {
            classes: Vec::new(),
            folders: Vec::new(),
        };
        let mut open = vec![(path.to_path_buf(), String::new())];
        let mut seen = 0;
        while let Some((at, package)) = open.pop() {
            let listing = match fs::read_dir(&at) {
                Ok(listing) => listing,
                Err(e) if at == path => return Err(e),
                Err(_) => continue,
            };
            if let Ok(metadata) = fs::metadata(&at) {
                folder.folders.push((at, Stamp::of(&metadata)));
            }
            for entry in listing.flatten() {
                seen += 1;
                if seen > MOST {
                    return Err(io::Error::other(format!("more than {MOST} files")));
                }
                let Ok(name) = entry.file_name().into_string() else {
                    continue;
                };
                let Ok(metadata) = entry.metadata() else {
                    continue;
                };
                let child = |name: &str| {
                    if package.is_empty() {
                        name.to_owned()
                    } else {
                        format!("{package}.{name}")
                    }
                };
                if metadata.is_dir() {
                    // A dot is in no package's name; `jquery-1.2` holds something else.
                    if package.is_empty() && name == "META-INF" || name.contains('.') {
                        continue;
                    }
                    open.push((entry.path(), child(&name)));
                } else if let Some(class) = name.strip_suffix(".class")
                    && metadata.is_file()
                    && !class.contains('.')
                {
                    let class = child(class).into();
                    folder.classes.push((class, Stamp::of(&metadata)));
                }
            }
        }
        folder.classes.sort_by(|a, b| a.0.cmp(&b.0));
        folder.folders.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(folder)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|(name, _)| &**name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: &str) -> Option<Stamp> {
        self.classes
            .binary_search_by(|(known, _)| (**known).cmp(name))
            .ok()
            .map(|index| self.classes[index].1)
    }

    /// The class file of that dotted name; `None` in it if it is no longer the file that was seen.
    pub(crate) fn class(&self, path: &Path, name: &str) -> Option<io::Result<Option<Vec<u8>>>> {
        let stamp = self.find(name)?;
        let file = path.join(format!("{}.class", name.replace('.', "/")));
        Some(read(&file, stamp))
    }

    /// Whether no class was added, removed or changed.
    pub(crate) fn is_current(&self, path: &Path) -> bool {
        let same = |path: &Path, stamp: Stamp| {
            fs::metadata(path).is_ok_and(|metadata| Stamp::of(&metadata) == stamp)
        };
        self.folders.iter().all(|(at, stamp)| same(at, *stamp))
            && self.classes.iter().all(|(name, stamp)| {
                same(
                    &path.join(format!("{}.class", name.replace('.', "/"))),
                    *stamp,
                )
            })
    }
}

fn read(file: &Path, stamp: Stamp) -> io::Result<Option<Vec<u8>>> {
    let (file, metadata) = match regular::open(file) {
        Ok(opened) => opened,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    if Stamp::of(&metadata) != stamp {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_dot_is_no_package_and_no_class() {
        let dir = tempfile::tempdir().expect("a folder");
        for file in ["p/A.class", "p/A.b.class", "x-1.2/p/B.class", "C.class"] {
            let file = dir.path().join(file);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            fs::write(file, "x").expect("a file");
        }
        let folder = Folder::open(dir.path()).expect("readable");
        assert_eq!(folder.names().collect::<Vec<_>>(), ["C", "p.A"]);
        assert!(folder.is_current(dir.path()));
    }
}
