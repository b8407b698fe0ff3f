//! Files that are written beside their place and put there whole.

use std::fs::Metadata;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Makes a file in a folder. False if there is one of that name by now: it stays as it is.
pub(crate) fn made(folder: &Path, name: &str, text: &str) -> io::Result<bool> {
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(text.as_bytes())?;
    new.as_file().sync_all()?;
    readable_as(&new, &std::fs::metadata(folder)?)?;
    match new.persist_noclobber(folder.join(name)) {
        Ok(_) => Ok(true),
        Err(e) if e.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(e.error),
    }
}

/// Who may read and write the folder may so its new file.
#[cfg(unix)]
pub(crate) fn readable_as(new: &NamedTempFile, folder: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = folder.permissions().mode() & 0o666;
    let mode = std::fs::Permissions::from_mode(mode);
    new.as_file().set_permissions(mode)
}

#[cfg(not(unix))]
pub(crate) fn readable_as(_: &NamedTempFile, _: &Metadata) -> io::Result<()> {
    Ok(())
}
