//! Code actions: assert what a test could read, in the test's own framework; go to what only an inner oracle can check.

mod expected;
mod style;

use crate::analysis::{Analysis, Place};
use crate::lens::{On, lenses};
use crate::offers::Readable;
use expected::Expected;
use program::{FileId, MethodId, Program};
use std::ops::Range;
use style::Style;
use text::{Edit, Span};

/// How many values are offered at once.
const OFFERED: usize = 3;

/// Something to do.
#[derive(Clone, Debug)]
pub struct Action {
    /// `Assert record.getComment()`.
    pub title: String,
    /// What it does.
    pub effect: Effect,
}

/// What an action does.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Changes the file.
    Insert(Insertion),
    /// Shows a place.
    Show(Place),
}

/// An assertion that its author has still to fill in.
#[derive(Clone, Debug)]
pub struct Insertion {
    /// What changes.
    pub edit: Edit,
    /// The bytes of the new text that are to be filled in. Until then the assertion fails.
    pub placeholder: Range<usize>,
}

impl Insertion {
    fn new(at: Span, lead: &str, statement: &Statement, tail: &str) -> Insertion {
        let start = lead.len() + statement.before.len();
        Insertion {
            placeholder: start..start + statement.filled.len(),
            edit: Edit::new(at, format!("{lead}{}{tail}", statement.text())),
        }
    }
}

/// The actions at a range of a file: those of the test around it.
pub fn actions(analysis: &Analysis, file: FileId, range: Span) -> Vec<Action> {
    match test_around(analysis, file, range) {
        Some(test) => actions_of(analysis, file, test),
        None => Vec::new(),
    }
}

/// The actions of a test, best first: those that change the file before the one that shows a place.
pub fn actions_of(analysis: &Analysis, file: FileId, test: MethodId) -> Vec<Action> {
    let offered = analysis.offered(test);
    let mut out = Vec::new();
    for r in offered.readable.iter().take(OFFERED) {
        if let Some(edit) = insertion(analysis, file, test, r) {
            out.push(Action {
                title: format!("Assert {}", r.expression),
                effect: Effect::Insert(edit),
            });
        }
    }
    if let Some(i) = offered.inside.first() {
        out.push(Action {
            title: format!("Go to {}, which no test can read", i.name),
            effect: Effect::Show(i.place),
        });
    }
    out
}

/// The innermost test around a range.
pub fn test_around(analysis: &Analysis, file: FileId, range: Span) -> Option<MethodId> {
    let program = analysis.program();
    lenses(analysis, file)
        .iter()
        .filter_map(|l| match l.on {
            On::Test(test) => Some((program.method_decl(test)?.span, test)),
            On::Method(_) => None,
        })
        .filter(|(span, _)| span.covers(range))
        .max_by_key(|(span, _)| span.start)
        .map(|(_, test)| test)
}

/// An assertion with the part that is to be filled in, without its semicolon.
type Statement = Expected;

/// An assertion on a value: around the call whose result is dropped, which must not run twice, else at the end of the
/// test. Its placeholder has the type and fails until it is filled.
fn insertion(
    analysis: &Analysis,
    file: FileId,
    test: MethodId,
    value: &Readable,
) -> Option<Insertion> {
    let program = analysis.program();
    let text = program.text(file)?;
    let decl = program.method_decl(test)?;
    let end = (decl.span.end as usize).checked_sub(1)?;
    if text.as_bytes().get(end) != Some(&b'}') {
        return None;
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
    let closing: String = text[line..end]
        .chars()
        .take_while(|c| c.is_whitespace())
        .collect();
    let indent = format!("{closing}{}", unit_of_indent(text));
    let expected = Expected::value(program, text, &value.ty);
    let statement = Style::of(program, file, text).statement(value, &expected);
    if is_statement(text, value) {
        return Some(Insertion::new(value.span, "", &statement, ""));
    }
    if let Some(place) = after_last_statement(program, test, text) {
        return place.map(|(at, indent)| {
            let here = Span::new(at as u32, at as u32);
            if text[..at].ends_with('\n') {
                Insertion::new(here, &indent, &statement, &format!(";{newline}"))
            } else {
                Insertion::new(here, " ", &statement, ";")
            }
        });
    }
    // `{ }` on one line is opened.
    let alone = text[line..end].trim().is_empty();
    let (at, lead, tail) = if alone {
        (line, indent, format!(";{newline}"))
    } else {
        (
            end,
            format!("{newline}{indent}"),
            format!(";{newline}{closing}"),
        )
    };
    let here = Span::new(at as u32, at as u32);
    Some(Insertion::new(here, &lead, &statement, &tail))
}

/// Behind the last statement of a test, in the block where that stands, as what is offered is in scope there: the place
/// and the indent. The inner value is none where nothing can be inserted, the outer where the end of the test will do.
fn after_last_statement(
    program: &Program,
    test: MethodId,
    text: &str,
) -> Option<Option<(usize, String)>> {
    let decl = program.body(program.method_body(test)?)?;
    let close = (program.method_decl(test)?.span.end as usize).checked_sub(1)?;
    let last = decl.body.exprs.iter();
    let last = last.max_by_key(|e| (e.end, std::cmp::Reverse(e.start)))?;
    let (start, end) = (decl.start + last.start, decl.start + last.end);
    let after = text.get(end as usize..close)?;
    if !after.contains('}') {
        return None;
    }
    let Some(semicolon) = after.trim_start().starts_with(';').then(|| after.find(';')) else {
        return Some(None);
    };
    let at = end as usize + semicolon? + 1;
    let line = text.get(..start as usize)?.rfind('\n').map_or(0, |n| n + 1);
    let indent = text[line..].chars().take_while(|c| *c == ' ' || *c == '\t');
    let rest = text[at..].split('\n').next().unwrap_or_default();
    let ends_line = rest.trim().is_empty() || rest.trim_start().starts_with("//");
    let at = if ends_line { at + rest.len() + 1 } else { at };
    Some(Some((at, indent.collect())))
}

/// True if the value is that of a call that stands alone, as a statement.
fn is_statement(text: &str, value: &Readable) -> bool {
    let (start, end) = (value.span.start as usize, value.span.end as usize);
    let (Some(before), Some(own), Some(after)) =
        (text.get(..start), text.get(start..end), text.get(end..))
    else {
        return false;
    };
    let same = |a: &str, b: &str| {
        let tight = |c: &char| !c.is_whitespace();
        a.chars().filter(tight).eq(b.chars().filter(tight))
    };
    same(own, &value.expression)
        && before.trim_end().ends_with([';', '{', '}'])
        && after.trim_start().starts_with(';')
}

/// What one level of indent is in this file.
fn unit_of_indent(text: &str) -> &'static str {
    let tabs = text.lines().filter(|l| l.starts_with('\t')).count();
    let spaces = text.lines().filter(|l| l.starts_with("  ")).count();
    if tabs > spaces {
        return "\t";
    }
    let two = text
        .lines()
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "))
        .count();
    if two * 8 > spaces && two > 0 {
        "  "
    } else {
        "    "
    }
}
