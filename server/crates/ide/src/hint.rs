//! Inlay hints: which definitions of a file tell most, and what they were in the tests that ran; and for editors without lenses, what a test should look at next.

use crate::analysis::{Analysis, Place};
use crate::inner::candidate_at;
use crate::lens::{On, lenses};
use crate::rankings::Selected;
use crate::title::title;
use crate::values::Values;
use crate::words::{ordinal, values_in_words};
use program::{FileId, MethodId};
use recommend::MORE_THAN;
use text::Span;

/// A few words behind a piece of code.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// Behind this byte.
    pub offset: u32,
    /// `◂ observe (1st of 17) = 2, 5, … (7 values)`.
    pub label: String,
    /// Why.
    pub tooltip: String,
    /// It is the twin of a lens that counts marks.
    pub counts_marks: bool,
    /// When the oldest of what it rests on was recorded, in seconds since 1970.
    pub recorded: Option<i64>,
}

/// The hints in `range`, by position. `twins` adds what lenses of tests and of generated classes say.
pub fn hints(analysis: &Analysis, file: FileId, range: Span, twins: bool) -> Vec<Hint> {
    let mut out = Vec::new();
    if !analysis.program().is_test(file) {
        let ranking = analysis.ranking(file);
        let mut values = Values::new(analysis);
        for s in &ranking.selected {
            if !is_hinted(s) || !range.contains(s.span.end) {
                continue;
            }
            let span = s.span;
            let known = candidate_at(analysis, Place { file, span }).and_then(|id| values.of(id));
            let was = known.and_then(|known| values_in_words(&known.joined()?));
            let place = format!("{} of {}", ordinal(s.rank), ranking.candidates);
            out.push(Hint {
                offset: span.end,
                label: format!("◂ observe ({place}){}", was.unwrap_or_default()),
                tooltip: crate::hover::reason(s),
                counts_marks: false,
                recorded: None,
            });
        }
    } else if twins {
        for lens in lenses(analysis, file) {
            let (offset, why) = match lens.on {
                On::Test(test) => (
                    behind_parameters(analysis, test, lens.span.end),
                    "What this test could read and does not",
                ),
                On::Generated(_) => (
                    lens.span.end,
                    "What these generated tests saw contradicts what hand-written tests taught",
                ),
                On::Method(_) | On::Recorded(_) | On::Checked(_) => continue,
            };
            if !range.contains(offset) {
                continue;
            }
            if let Some(title) = title(analysis, lens.on) {
                out.push(Hint {
                    offset,
                    label: format!("◂ {}", title.text),
                    tooltip: why.to_owned(),
                    counts_marks: matches!(lens.on, On::Generated(_)),
                    recorded: title.recorded,
                });
            }
        }
    }
    out.sort_by_key(|h| h.offset);
    out
}

/// True for a definition that has a hint. A value that is only handed on gets none.
pub(crate) fn is_hinted(s: &Selected) -> bool {
    !s.is_quiet && s.gain > MORE_THAN
}

/// Behind the parenthesis that closes a method's parameters; behind its name if it has no code.
fn behind_parameters(analysis: &Analysis, test: MethodId, name_end: u32) -> u32 {
    let program = analysis.program();
    let closed = || {
        let decl = program.body(program.method_body(test)?)?;
        let open = decl.start + decl.body.scopes.first()?.start;
        let text = program.text(program.method_file(test)?)?;
        let head = text.get(name_end as usize..open as usize)?;
        Some(name_end + head.rfind(')')? as u32 + 1)
    };
    closed().unwrap_or(name_end)
}
