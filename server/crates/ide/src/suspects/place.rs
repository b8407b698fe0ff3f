//! Places of a test from which was called: lines while it runs, positions in its code once they are kept. What moves the lines of a
//! file, or formats it anew, does not move them.

use crate::analysis::{self, Analysis};
use crate::code::Code;
use evidence::{Calls, Place};
use program::{FileId, MethodId, Program};
use text::{Encoding, LineIndex, Span};

/// Turns lines of a test's file into places of its code. A line that is in no method is not known.
pub fn keep_places(program: &Program, test: MethodId, calls: &mut Calls) {
    let Some(file) = program.method_file(test) else {
        return;
    };
    let Some(text) = program.text(file) else {
        return;
    };
    let lines = LineIndex::new(text);
    for call in &mut calls.calls {
        let Some(line) = call.from.take() else {
            continue;
        };
        let Some(place) = place(program, file, text, &lines, line) else {
            continue;
        };
        let known = calls.places.iter().position(|p| *p == place);
        let at = known.unwrap_or(calls.places.len());
        if known.is_none() {
            calls.places.push(place);
        }
        call.from = u32::try_from(at).ok();
    }
}

fn place(
    program: &Program,
    file: FileId,
    text: &str,
    lines: &LineIndex,
    line: u32,
) -> Option<Place> {
    let line_of = |offset: u32| lines.position(offset, Encoding::Utf8).line + 1;
    // Of methods in methods the innermost.
    let all = methods(program, file).filter_map(|m| Some((m, program.method_decl(m)?.span)));
    let around = all.filter(|(_, s)| (line_of(s.start)..=line_of(s.end)).contains(&line));
    let (method, span) = around.min_by_key(|(_, s)| s.len())?;
    let code = Code::new(text, span.start as usize, span.end as usize);
    let before = code.take_while(|(at, _)| u32::try_from(*at).is_ok_and(|at| line_of(at) < line));
    Some(Place {
        member: program.method_name(method).into(),
        behind: u32::try_from(before.count()).ok()?,
    })
}

/// The line of a place today, from 1.
pub(super) fn line(analysis: &Analysis, test: MethodId, place: &Place) -> Option<u32> {
    let (file, at) = offset(analysis.program(), test, place)?;
    let lines = analysis.lines(file);
    Some(lines.position(at, Encoding::Utf8).line + 1)
}

/// What stands on the line of a place today.
pub(super) fn spot(program: &Program, test: MethodId, place: &Place) -> Option<analysis::Place> {
    let (file, at) = offset(program, test, place)?;
    let text = program.text(file)?;
    let at = at as usize;
    let from = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let to = text[at..].find('\n').map_or(text.len(), |n| at + n);
    let line = &text[from..to];
    let start = from + line.len() - line.trim_start().len();
    let span = Span::new(
        u32::try_from(start).ok()?,
        u32::try_from(start + line.trim().len()).ok()?,
    );
    Some(analysis::Place { file, span })
}

/// Where a place stands today.
fn offset(program: &Program, test: MethodId, place: &Place) -> Option<(FileId, u32)> {
    let file = program.method_file(test)?;
    let mut own = methods(program, file).filter(|m| program.method_name(*m) == *place.member);
    let span = program.method_decl(own.next()?)?.span;
    let text = program.text(file)?;
    let mut code = Code::new(text, span.start as usize, span.end as usize);
    let (at, _) = code.nth(place.behind as usize)?;
    Some((file, u32::try_from(at).ok()?))
}

fn methods(program: &Program, file: FileId) -> impl Iterator<Item = MethodId> {
    let types = program.types_of_file(file).iter();
    types.flat_map(|t| program.methods_of_type(*t).iter().copied())
}
