//! Files that are written beside their place and put there whole.

use std::fs::Metadata;
use tempfile::NamedTempFile;

/// Who may read and write the folder may so its new file.
#[cfg(unix)]
pub(crate) fn readable_as(new: &NamedTempFile, folder: &Metadata) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = folder.permissions().mode() & 0o666;
    let mode = std::fs::Permissions::from_mode(mode);
    new.as_file().set_permissions(mode)
}

#[cfg(not(unix))]
pub(crate) fn readable_as(_: &NamedTempFile, _: &Metadata) -> std::io::Result<()> {
    Ok(())
}
