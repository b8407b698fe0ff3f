//! The inner oracles that stand in the workspace, and the change that removes them.

use super::files::{is_ours, package_of, stands_in};
use crate::analysis::{Analysis, Place};
use crate::change::SourceChange;
use inner::{Found, Side};
use program::{FileId, Program};
use std::sync::Arc;
use syntax::SourceFile;
use text::{Edit, Span};

/// An inner oracle, or one side of one, somewhere in the workspace.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// The file.
    pub file: FileId,
    /// What stands there.
    pub found: Found,
}

/// All inner oracles of the workspace, in order of path and position.
pub fn oracles(analysis: &Analysis) -> Vec<Oracle> {
    let program = analysis.program();
    let mut out = Vec::new();
    for &file in program.files() {
        analysis.workspace().poll();
        let found = oracles_in(program, file).into_iter();
        out.extend(found.map(|found| Oracle { file, found }));
    }
    out
}

/// The inner oracles of one file, by position.
pub(crate) fn oracles_in(program: &Program, file: FileId) -> Vec<Found> {
    match program.text(file).filter(|_| stands_in(program, file)) {
        Some(text) => inner::found(&SourceFile::parse(Arc::clone(text))),
        None => Vec::new(),
    }
}

/// The inner oracles at a range of a file, each with the place of its other side: the smallest around the range.
pub(crate) fn oracles_at(
    analysis: &Analysis,
    file: FileId,
    range: Span,
) -> Vec<(Found, Option<Place>)> {
    let program = analysis.program();
    if !stands_in(program, file) {
        return Vec::new();
    }
    let all = oracles(analysis);
    let own = all.iter().filter(|o| o.file == file);
    let here = own.filter(|o| o.found.span.covers(range));
    here.map(|o| {
        let is_other =
            |other: &&Oracle| other.found.name == o.found.name && other.found.side != o.found.side;
        let other = all.iter().find(is_other).map(|other| Place {
            file: other.file,
            span: other.found.span,
        });
        (o.found.clone(), other)
    })
    .collect()
}

/// The change that removes the oracles of some names: both sides, and the class that nothing needs any more.
pub fn removal(analysis: &Analysis, names: &[String]) -> SourceChange {
    let program = analysis.program();
    let all = oracles(analysis);
    let goes = |o: &&Oracle| names.contains(&o.found.name);
    let mut out = SourceChange::default();
    let mut files: Vec<FileId> = all.iter().filter(goes).map(|o| o.file).collect();
    files.dedup();
    for file in files {
        let Some(text) = program.text(file) else {
            continue;
        };
        let mut edits = Vec::new();
        // One after the other: what one leaves is where the next stands.
        let mut source = SourceFile::parse(Arc::clone(text));
        loop {
            let next = inner::found(&source)
                .into_iter()
                .rfind(|f| names.contains(&f.name));
            let Some(next) = next else { break };
            let out = match next.side {
                Side::Code => inner::taken_out(&source, &next),
                Side::Test => inner::switch_off(&source, &next.name).unwrap_or_default(),
            };
            let Some(text) = text::apply_disjoint(source.text(), &out).filter(|_| !out.is_empty())
            else {
                break;
            };
            source = SourceFile::parse(Arc::from(text));
        }
        edits.extend(difference(text, source.text()));
        if !edits.is_empty() {
            out.edits.push((file, edits));
        }
    }
    for &file in program.files().iter().filter(|f| is_ours(program, **f)) {
        let set = program.source_set(file);
        let package = package_of(program, file);
        let needs = |o: &&Oracle| {
            o.found.side == Side::Code
                && program.source_set(o.file) == set
                && package_of(program, o.file) == package
        };
        let mut own = all.iter().filter(needs).peekable();
        if own.peek().is_some() && own.all(|o| goes(&o)) {
            out.gone.push(file);
        }
    }
    out
}

/// One edit that makes one text of another: of what differs, the part between what both begin and end with.
fn difference(was: &str, is: &str) -> Option<Edit> {
    if was == is {
        return None;
    }
    let same = |a: &mut dyn Iterator<Item = (char, char)>| -> usize {
        a.take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum()
    };
    let head = same(&mut was.chars().zip(is.chars()));
    let tail = same(&mut was[head..].chars().rev().zip(is[head..].chars().rev()));
    let span = Span::new(head as u32, (was.len() - tail) as u32);
    Some(Edit::new(span, &is[head..is.len() - tail]))
}
