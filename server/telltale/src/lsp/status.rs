//! How far the folders are read, and the sum of it that a client is told.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

/// How far one folder is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Nothing was begun.
    Waiting,
    /// Under way. How many files there are is known after the first steps.
    Running { indexed: usize, total: usize },
    /// All that can be read of so many files, and whether something in them goes beyond a bound.
    Done {
        indexed: usize,
        total: usize,
        is_cut: bool,
    },
    /// Not read, and why; what was read before stays.
    Failed {
        indexed: usize,
        total: usize,
        why: String,
        /// False if the user did not want it: it is not tried again by itself.
        is_wanted: bool,
    },
}

/// `telltale/status`.
#[derive(Debug)]
pub(crate) enum StatusNotification {}

impl lsp::notification::Notification for StatusNotification {
    type Params = Status;
    const METHOD: &'static str = "telltale/status";
}

/// Its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Status {
    pub(crate) state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    pub(crate) indexed: usize,
    pub(crate) total: usize,
}

impl Reading {
    /// It was begun just now.
    pub(crate) const STARTED: Reading = Reading::Running {
        indexed: 0,
        total: 0,
    };

    /// True if `other` is known to be further: steps are told from several threads.
    pub(crate) fn is_behind(&self, other: &Reading) -> bool {
        match (self, other) {
            (
                Reading::Running { indexed, total },
                Reading::Running {
                    indexed: further,
                    total: same,
                },
            ) => total == same && indexed < further,
            _ => false,
        }
    }
}

/// What is said of a folder in which something goes beyond a bound.
const CUT: &str = "something is left out, the log says what";

impl Status {
    /// The state of all folders: one that is being read makes it `indexing`, else one that failed makes it `degraded`.
    pub(crate) fn of<'a>(folders: impl Iterator<Item = &'a Reading>) -> Status {
        let (mut indexed, mut total) = (0, 0);
        let (mut running, mut is_cut, mut reasons) = (false, false, Vec::new());
        for folder in folders {
            match folder {
                Reading::Waiting => running = true,
                Reading::Running {
                    indexed: read,
                    total: all,
                } => {
                    running = true;
                    indexed += read;
                    total += all;
                }
                Reading::Done {
                    indexed: read,
                    total: all,
                    is_cut: cut,
                } => {
                    is_cut |= cut;
                    indexed += read;
                    total += all;
                }
                Reading::Failed {
                    indexed: read,
                    total: all,
                    why,
                    ..
                } => {
                    indexed += read;
                    total += all;
                    reasons.push(why.clone());
                }
            }
        }
        reasons.dedup();
        let unread = match total - indexed {
            0 => None,
            1 => Some("1 file cannot be read".to_owned()),
            n => Some(format!("{n} files cannot be read")),
        };
        let cut = is_cut.then(|| CUT.to_owned());
        let (state, message) = match (running, reasons.is_empty()) {
            (true, _) => ("indexing", None),
            (_, false) => ("degraded", Some(reasons.join("; "))),
            _ => {
                let all: Vec<String> = unread.into_iter().chain(cut).collect();
                ("ready", (!all.is_empty()).then(|| all.join("; ")))
            }
        };
        Status {
            state: state.to_owned(),
            message,
            indexed,
            total,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_that_of_the_folder_that_is_least_far() {
        let done = Reading::Done {
            indexed: 3,
            total: 3,
            is_cut: false,
        };
        let failed = Reading::Failed {
            indexed: 1,
            total: 2,
            why: "x is gone".to_owned(),
            is_wanted: true,
        };
        let said = |folders: &[&Reading]| {
            let s = Status::of(folders.iter().copied());
            (s.state, s.message, s.indexed, s.total)
        };
        let expected = |state: &str, message: Option<&str>, indexed, total| {
            (state.to_owned(), message.map(str::to_owned), indexed, total)
        };
        assert_eq!(said(&[]), expected("ready", None, 0, 0));
        assert_eq!(said(&[&done, &done]), expected("ready", None, 6, 6));
        assert_eq!(
            said(&[&done, &failed]),
            expected("degraded", Some("x is gone"), 4, 5)
        );
        assert_eq!(
            said(&[
                &done,
                &failed,
                &Reading::Running {
                    indexed: 2,
                    total: 7
                }
            ]),
            expected("indexing", None, 6, 12)
        );
        assert_eq!(
            said(&[&Reading::Done {
                indexed: 1,
                total: 2,
                is_cut: false
            }]),
            expected("ready", Some("1 file cannot be read"), 1, 2)
        );
        let cut = Reading::Done {
            indexed: 1,
            total: 2,
            is_cut: true,
        };
        let both = "1 file cannot be read; something is left out, the log says what";
        assert_eq!(said(&[&cut, &done]), expected("ready", Some(both), 4, 5));
    }
}
