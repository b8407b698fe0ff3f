//! What `.gitignore` files say.
//!
//! The matching is `ignore`'s; the reading is ours: its own opens whatever bears the name, a pipe too, and takes some 60 times a
//! file's size for what the file says. So the files that hold for one folder are read up to [`MOST`] bytes together, the
//! outermost first; one that does not fit, or cannot be read, does not count, and that is told.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::regular::{self, Refused};

/// How many bytes the `.gitignore` files that hold for one folder may have together (200 kB).
pub(crate) const MOST: u64 = 200_000;

/// The name of such a file.
pub(crate) const NAME: &str = ".gitignore";

/// The rules for what is in a folder.
#[derive(Clone, Default)]
pub(crate) struct Rules {
    innermost: Option<Arc<Own>>,
}

/// The rules of one file, on top of those above it.
struct Own {
    above: Option<Arc<Own>>,
    matcher: Gitignore,
    /// How large it and those above it are.
    bytes: u64,
}

impl Rules {
    /// These rules and those of the file in `folder`, if there is one. The error says why that does not count.
    pub(crate) fn with(&self, folder: &Path) -> Result<Rules, String> {
        let bytes = self.innermost.as_ref().map_or(0, |own| own.bytes);
        let text = match regular::read(&folder.join(NAME), MOST.saturating_sub(bytes)) {
            Ok(text) => text,
            Err(Refused::Io(e)) if is_absent(&e) => return Ok(self.clone()),
            Err(Refused::Io(e)) => return Err(e.to_string()),
            Err(refused @ Refused::Oversized(_)) if bytes > 0 => {
                return Err(format!(
                    "{refused} beside the {bytes} of those above, at most {MOST} count"
                ));
            }
            Err(refused) => return Err(format!("{refused}, at most {MOST} count")),
        };
        Ok(Rules {
            innermost: Some(Arc::new(Own {
                above: self.innermost.clone(),
                bytes: bytes + text.len() as u64,
                matcher: matcher(folder, &text).map_err(|e| e.to_string())?,
            })),
        })
    }

    /// True if the file or folder `path`, which lies in the folder that these rules are for, is ignored; what is so above it is
    /// not asked.
    pub(crate) fn ignores(&self, path: &Path, is_dir: bool) -> bool {
        self.decide(|matcher| matcher.matched(path, is_dir))
    }

    /// True if the folder `path` or one above it is ignored.
    pub(crate) fn ignores_below(&self, path: &Path) -> bool {
        self.decide(|matcher| matcher.matched_path_or_any_parents(path, true))
    }

    /// The innermost file that says something decides.
    fn decide<'r>(
        &'r self,
        matched: impl Fn(&'r Gitignore) -> Match<&'r ignore::gitignore::Glob>,
    ) -> bool {
        let mut next = self.innermost.as_deref();
        while let Some(own) = next {
            match matched(&own.matcher) {
                Match::None => next = own.above.as_deref(),
                said => return said.is_ignore(),
            }
        }
        false
    }
}

/// Git passes over a line that it cannot read, and so do we.
fn matcher(folder: &Path, text: &[u8]) -> Result<Gitignore, ignore::Error> {
    let mut builder = GitignoreBuilder::new(folder);
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    for line in text.split(|&byte| byte == b'\n') {
        if let Ok(line) = std::str::from_utf8(line) {
            let _ = builder.add_line(None, line);
        }
    }
    builder.build()
}

fn is_absent(e: &io::Error) -> bool {
    matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
