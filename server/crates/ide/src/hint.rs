//! Inlay hints: which definitions of a file tell most; and for editors without lenses, what a test should look at next.

use crate::analysis::Analysis;
use crate::lens::{On, lenses, title};
use crate::words::ordinal;
use program::FileId;
use text::Span;

/// A hint is for what tells on more than itself and one other: a value that is only handed on gets none.
const MORE_THAN: f64 = 2.0;

/// A few words behind a piece of code.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// Behind this byte.
    pub offset: u32,
    /// `◂ observe (1st of 17)`.
    pub label: String,
    /// Why.
    pub tooltip: String,
}

/// The hints in `range`, by position. `twins` adds what lenses of tests say.
pub fn hints(analysis: &Analysis, file: FileId, range: Span, twins: bool) -> Vec<Hint> {
    let mut out = Vec::new();
    if !analysis.program().is_test(file) {
        let ranking = analysis.ranking(file);
        for s in &ranking.selected {
            if s.is_quiet || s.gain <= MORE_THAN || !range.contains(s.span.end) {
                continue;
            }
            out.push(Hint {
                offset: s.span.end,
                label: format!("◂ observe ({} of {})", ordinal(s.rank), ranking.candidates),
                tooltip: crate::hover::reason(s),
            });
        }
    } else if twins {
        for lens in lenses(analysis, file) {
            if !range.contains(lens.span.end) || !matches!(lens.on, On::Test(_)) {
                continue;
            }
            if let Some(title) = title(analysis, lens.on) {
                out.push(Hint {
                    offset: lens.span.end,
                    label: format!("◂ {}", title.text),
                    tooltip: "What this test could read and does not".to_owned(),
                });
            }
        }
    }
    out.sort_by_key(|h| h.offset);
    out
}
