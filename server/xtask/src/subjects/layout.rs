//! From a jar of sources to the folders of a Maven project.

use std::fs;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use crate::Result;

/// Unpacks a jar into `src/<part>/java` and `src/<part>/resources` below `root`; `part` is `main` or `test`.
///
/// # Errors
/// If the jar is broken, or an entry would land outside of `root`.
pub(super) fn unpack(jar: &[u8], part: &str, root: &Path) -> Result<()> {
    let mut jar = ZipArchive::new(Cursor::new(jar)).map_err(|error| error.to_string())?;
    for index in 0..jar.len() {
        let mut entry = jar.by_index(index).map_err(|error| error.to_string())?;
        if entry.is_dir() {
            continue;
        }
        let inside = entry
            .enclosed_name()
            .ok_or_else(|| format!("the entry {:?} leads out of the jar", entry.name()))?;
        let Some(place) = place(&inside, part) else {
            continue;
        };
        let mut bytes = Vec::new();
        entry
            .read_to_end(&mut bytes)
            .map_err(|error| format!("{}: {error}", inside.display()))?;
        let target = root.join(place);
        let written = target
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&target, bytes));
        written.map_err(|error| format!("cannot write {}: {error}", target.display()))?;
    }
    Ok(())
}

/// Where an entry of a jar belongs, or `None` for what packaging put there: the manifest, Maven's own folder, licences
/// and notices.
pub(super) fn place(entry: &Path, part: &str) -> Option<PathBuf> {
    if entry.extension().is_some_and(|it| it == "java") {
        return Some(Path::new("src").join(part).join("java").join(entry));
    }
    let in_meta_inf = entry.starts_with("META-INF");
    if entry == Path::new("META-INF/MANIFEST.MF") || entry.starts_with("META-INF/maven") {
        return None;
    }
    let name = entry.file_name()?.to_str()?;
    let stem = name.split('.').next().unwrap_or(name).to_ascii_uppercase();
    let legal = ["LICENSE", "NOTICE"]
        .iter()
        .any(|word| stem == *word || stem.ends_with(&format!("-{word}")));
    if legal && (in_meta_inf || entry.components().count() == 1) {
        return None;
    }
    Some(Path::new("src").join(part).join("resources").join(entry))
}
