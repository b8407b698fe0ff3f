//! The texts of the source files, read in parallel and kept byte for byte.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::error::ProjectError;
use crate::layout::{Layout, SkippedFile};
use crate::regular::{self, Refused};

/// Files above this many bytes are not read (2.5 MB, as in IntelliJ IDEA): no human wrote them. While a file is parsed,
/// tree and nodes take about a hundred bytes for each of dense code, on one line or on many, so a quarter of a gigabyte.
pub const FILE_LIMIT: u64 = 2_500_000;

/// The most bytes of a file of ours, `telltale.toml` or a query (1 MB): people write them.
const OWN_LIMIT: u64 = 1_000_000;

/// Why a file's text is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// The operating system refused, or it is no regular file.
    Unreadable(String),
    /// The first byte that is not UTF-8, as an offset.
    NotUtf8(usize),
    /// Its size in bytes, above the limit.
    Oversized(u64),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Unreadable(reason) => f.write_str(reason),
            Unread::NotUtf8(at) => write!(f, "not UTF-8 from byte {at} on; convert it to UTF-8"),
            Unread::Oversized(size) => write!(f, "{size} bytes are too many to analyse"),
        }
    }
}

/// The text of one file of at most `limit` bytes; nothing is stripped or converted.
pub fn read_source(path: &Path, limit: u64) -> Result<Arc<str>, Unread> {
    match String::from_utf8(read_bytes(path, limit)?) {
        Ok(text) => Ok(Arc::from(text)),
        Err(e) => Err(Unread::NotUtf8(e.utf8_error().valid_up_to())),
    }
}

/// The text of a build file. Older ones are often in Latin-1; what matters in them is ASCII, so
/// other bytes are replaced.
pub(crate) fn read_build_file(path: &Path) -> Result<String, Unread> {
    let bytes = read_bytes(path, FILE_LIMIT)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}

/// The text of a file of ours, `None` if there is none. Errors: it is there and cannot be read, is above `OWN_LIMIT`, or
/// is no UTF-8.
pub(crate) fn read_own(path: &Path) -> Result<Option<String>, ProjectError> {
    match regular::read(path, OWN_LIMIT) {
        Ok(bytes) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| ProjectError::NotUtf8(path.to_path_buf())),
        Err(Refused::Io(e))
            if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(Refused::Io(e)) => Err(ProjectError::from_io(path, e)),
        Err(refused @ Refused::Oversized(_)) => {
            let message = format!("{refused}, at most {OWN_LIMIT} are read");
            let source = std::io::Error::new(ErrorKind::FileTooLarge, message);
            Err(ProjectError::from_io(path, source))
        }
    }
}

fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Unread> {
    regular::read(path, limit).map_err(|refused| match refused {
        Refused::Io(e) => Unread::Unreadable(e.to_string()),
        Refused::Oversized(size) => Unread::Oversized(size),
    })
}

/// The texts of all files of `layout` that can be read, as (index in `layout.files`, text) in that
/// order. The others are added to `layout.skipped`; their place in `layout.files` stays.
pub fn read_all(layout: &mut Layout) -> Vec<(usize, Arc<str>)> {
    read_all_up_to(layout, FILE_LIMIT)
}

/// [`read_all`] with another limit than [`FILE_LIMIT`], in bytes a file.
pub fn read_all_up_to(layout: &mut Layout, limit: u64) -> Vec<(usize, Arc<str>)> {
    read_while(layout, limit, &|| true).unwrap_or_default()
}

/// [`read_all`] as long as it is wanted, which is asked before each file; nothing once it is not.
pub fn read_all_while(
    layout: &mut Layout,
    wanted: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<(usize, Arc<str>)>> {
    read_while(layout, FILE_LIMIT, wanted)
}

fn read_while(
    layout: &mut Layout,
    limit: u64,
    wanted: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<(usize, Arc<str>)>> {
    let read: Option<Vec<Result<Arc<str>, Unread>>> = layout
        .files
        .par_iter()
        .map(|file| wanted().then(|| read_source(&layout.root.join(&file.path), limit)))
        .collect();
    let read = read?;
    let all = &layout.skipped;
    let known: FxHashSet<String> = [&all.unreadable, &all.not_utf8, &all.oversized]
        .into_iter()
        .flatten()
        .map(|file| file.path.clone())
        .collect();
    let mut texts = Vec::with_capacity(read.len());
    for (index, result) in read.into_iter().enumerate() {
        let why = match result {
            Ok(text) => {
                texts.push((index, text));
                continue;
            }
            Err(why) => why,
        };
        let skipped = match why {
            Unread::Unreadable(_) => &mut layout.skipped.unreadable,
            Unread::NotUtf8(_) => &mut layout.skipped.not_utf8,
            Unread::Oversized(_) => &mut layout.skipped.oversized,
        };
        let path = &layout.files[index].path;
        if !known.contains(path) {
            skipped.push(SkippedFile {
                path: path.clone(),
                reason: why.to_string(),
            });
        }
    }
    Some(texts)
}
