//! The one way to open a file here: a regular one, without waiting for it, and no more of it than was asked for.
//!
//! What a project names may be anything: a pipe that nobody writes into holds whoever opens it for ever, `/dev/zero` has no
//! end, and opening some devices has effects. So the kind is asked before the file is opened, again of what was opened
//! (another may have come into its place), and a read stops at its limit whatever the size was said to be.
//! Clippy refuses other ways to open and to read in this crate (`.clippy.toml`).

use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Why a file's bytes are not there.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The operating system refused, or it is no regular file.
    Io(io::Error),
    /// Its size in bytes, above the limit.
    Oversized(u64),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Io(e) => e.fmt(f),
            Refused::Oversized(size) => write!(f, "{size} bytes are too many"),
        }
    }
}

impl From<io::Error> for Refused {
    fn from(e: io::Error) -> Refused {
        Refused::Io(e)
    }
}

/// Opens a regular file, or a link to one.
#[allow(clippy::disallowed_methods)]
pub(crate) fn open(path: &Path) -> io::Result<(File, Metadata)> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(no_file());
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(no_file());
    }
    Ok((file, metadata))
}

/// All of a regular file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Refused> {
    let (file, metadata) = open(path)?;
    if metadata.len() > limit {
        return Err(Refused::Oversized(metadata.len()));
    }
    // The file may grow while it is read; the limit holds all the same.
    let bytes = take(&file, &metadata, limit.saturating_add(1))?;
    if bytes.len() as u64 > limit {
        return Err(Refused::Oversized(bytes.len() as u64));
    }
    Ok(bytes)
}

/// The first bytes of a regular file, at most `most`.
pub(crate) fn head(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, metadata) = open(path)?;
    take(&file, &metadata, most)
}

fn take(file: &File, metadata: &Metadata, most: u64) -> io::Result<Vec<u8>> {
    let expected = metadata.len().saturating_add(1).min(most);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn no_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}
