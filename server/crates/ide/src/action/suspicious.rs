//! What can be done about a suspicious assertion: say that it is right, say the contrary, take it away, or move its test.

use super::contrary::contrary;
use super::corrected::another_value;
use super::manual::make_manual;
use crate::analysis::Analysis;
use crate::change::SourceChange;
use crate::code::Code;
use crate::dismissed::{Entry, of_assertion};
use crate::suspects::{Assertion, said};
use program::Program;
use text::{Edit, Span};

/// Something that ends a suspicion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// As a menu shows it.
    pub title: String,
    /// What it does.
    pub does: Does,
}

/// What a mend does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    /// It is remembered that the assertion is right.
    Accept(Entry),
    /// This change.
    Change(SourceChange),
    /// Nothing, for this reason: a sentence without a full stop.
    Nothing(String),
}

/// What can be done about an assertion, the most careful first. With `comments`, what was asserted stays above what is corrected.
pub fn mends(analysis: &Analysis, assertion: &Assertion, comments: bool) -> Vec<Mend> {
    let program = analysis.program();
    let corrected = |mut change: SourceChange| {
        let comment = comments.then(|| comment(program, assertion)).flatten();
        if let (Some(comment), Some((_, edits))) = (comment, change.edits.first_mut()) {
            let at = edits.partition_point(|e| e.span.start < comment.span.start);
            edits.insert(at, comment);
        }
        Does::Change(change)
    };
    let says = said(program, assertion);
    let entry = of_assertion(program, assertion.test, &says, assertion.span.end);
    let mut out = vec![Mend {
        title: "Accept this assertion: it is right".to_owned(),
        does: Does::Accept(entry),
    }];
    if let Some((name, edits)) = contrary(analysis, assertion) {
        out.push(Mend {
            title: format!("Correct it: {name}, which fails until the code is right"),
            does: corrected(SourceChange::of(assertion.file, edits)),
        });
    }
    if let Some(change) = another_value(analysis, assertion) {
        out.push(Mend {
            title: "Correct it: another expected value, which fails until you write the right one"
                .to_owned(),
            does: corrected(change),
        });
    }
    if let Some(edit) = removal(program, assertion) {
        out.push(Mend {
            title: "Remove this assertion".to_owned(),
            does: Does::Change(SourceChange::of(assertion.file, vec![edit])),
        });
    }
    out.push(Mend {
        title: "Make it manual: move its test to the hand-written ones".to_owned(),
        does: match make_manual(analysis, assertion) {
            Ok(change) => Does::Change(change),
            Err(why) => Does::Nothing(why),
        },
    });
    out
}

/// What was asserted, in a line of its own above the assertion; nothing if something stands before it there.
fn comment(program: &Program, assertion: &Assertion) -> Option<Edit> {
    let text = program.text(assertion.file)?;
    let start = assertion.span.start as usize;
    let (before, own) = (text.get(..start)?, text.get(assertion.span.range())?);
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let indentation = before.get(line..)?;
    if !indentation.trim().is_empty() {
        return None;
    }
    let said: Vec<&str> = own.split_whitespace().collect();
    let end = match before[..line].ends_with("\r\n") {
        true => "\r\n",
        false => "\n",
    };
    let comment = format!("{indentation}// was: {}{end}", said.join(" "));
    let at = u32::try_from(line).ok()?;
    Some(Edit::new(Span::new(at, at), comment))
}

/// The statement of an assertion, with its line if nothing else stands there.
fn removal(program: &Program, assertion: &Assertion) -> Option<Edit> {
    let text = program.text(assertion.file)?;
    let (start, end) = (assertion.span.start as usize, assertion.span.end as usize);
    let before = text.get(..start)?;
    let method = program.method_decl(assertion.test)?.span;
    // What an `if` without braces does would be the next statement. Comments between change nothing of that.
    let last = Code::new(text, method.start as usize, start).last();
    if !matches!(last, Some((_, b'{' | b'}' | b';'))) {
        return None;
    }
    let rest = text.get(end..)?;
    let semicolon = rest.find(';').filter(|at| rest[..*at].trim().is_empty())?;
    let (mut from, mut to) = (start, end + semicolon + 1);
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let behind = text[to..].split('\n').next().unwrap_or("");
    if before[line..].trim().is_empty() && behind.trim().is_empty() {
        from = line;
        to += behind.len() + usize::from(text[to..].len() > behind.len());
    }
    let at = |offset: usize| u32::try_from(offset).ok();
    Some(Edit::new(Span::new(at(from)?, at(to)?), ""))
}
