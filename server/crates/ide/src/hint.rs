//! Inlay hints: which definitions of a file tell most; and for editors without lenses, what a test should look at next.

use crate::analysis::Analysis;
use crate::lens::{On, lenses, title};
use crate::rankings::Selected;
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
            if !is_hinted(s) || !range.contains(s.span.end) {
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
            let offset = behind_parameters(analysis, file, lens.span.end);
            if !range.contains(offset) || !matches!(lens.on, On::Test(_)) {
                continue;
            }
            if let Some(title) = title(analysis, lens.on) {
                out.push(Hint {
                    offset,
                    label: format!("◂ {}", title.text),
                    tooltip: "What this test could read and does not".to_owned(),
                });
            }
        }
    }
    out.sort_by_key(|h| h.offset);
    out
}

/// True for a definition that has a hint.
pub(crate) fn is_hinted(s: &Selected) -> bool {
    !s.is_quiet && s.gain > MORE_THAN
}

/// Behind the parenthesis that closes a method's parameters, which open at `name_end`; there itself if none does.
fn behind_parameters(analysis: &Analysis, file: FileId, name_end: u32) -> u32 {
    let text = analysis.program().text(file).map_or("", |text| text);
    let Some(rest) = text.get(name_end as usize..) else {
        return name_end;
    };
    let mut depth = 0_u32;
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return name_end + at as u32 + 1,
            ')' => depth = depth.saturating_sub(1),
            // Broken code.
            '{' | '}' | ';' => break,
            _ => {}
        }
    }
    name_end
}
