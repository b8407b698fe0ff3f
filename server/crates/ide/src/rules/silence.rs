//! Findings that somebody has silenced: by `// telltale:ignore no-oracle` or `@SuppressWarnings("telltale:no-oracle")`.

use super::Finding;
use crate::code::comments_above;
use program::{FileId, Program};
use text::{Edit, Span};

/// In a comment, before the names of rules; without a name it silences all.
const IGNORE: &str = "telltale:ignore";
/// In `@SuppressWarnings`, before the name of one rule.
const SUPPRESS: &str = "\"telltale:";
/// Rules of SonarLint, by the end of the name that `@SuppressWarnings` has: whoever silenced them need not say it twice.
const OTHERS: &[(&str, &str)] = &[
    (":S2699\"", "no-oracle"),
    (":S5863\"", "self-check"),
    (":S2970\"", "self-check"),
];

/// What is silenced in one file.
pub(super) struct Silence<'a> {
    text: &'a str,
    /// What a comment or annotation concerns, and the rules; none for all.
    ranges: Vec<(Span, Vec<&'a str>)>,
}

impl<'a> Silence<'a> {
    pub(super) fn of(program: &'a Program, file: FileId) -> Silence<'a> {
        let text: &str = program.text(file).map_or("", |t| t);
        let mut ranges = Vec::new();
        let is_there = |mark: &str| text.contains(mark);
        if is_there(IGNORE) || is_there(SUPPRESS) || OTHERS.iter().any(|(mark, _)| is_there(mark)) {
            for (span, name) in declarations(program, file) {
                let above = comments_above(text, span.start as usize);
                let head = text.get(above..name as usize).unwrap_or("");
                let mut rules = ignored(head);
                if let Some(more) = suppressed(head) {
                    rules.get_or_insert_default().extend(more);
                }
                ranges.extend(rules.map(|rules| (span, rules)));
            }
        }
        Silence { text, ranges }
    }

    pub(super) fn covers(&self, finding: &Finding) -> bool {
        let names = |rules: &[&str]| rules.is_empty() || rules.contains(&finding.rule.name);
        let around = self.ranges.iter();
        if around
            .filter(|(span, _)| span.covers(finding.span))
            .any(|(_, rules)| names(rules))
        {
            return true;
        }
        // On the lines of the finding, or in comments directly above it.
        let (start, end) = (finding.span.start as usize, finding.span.end as usize);
        let above = comments_above(self.text, start);
        let end = self.text[end..]
            .find('\n')
            .map_or(self.text.len(), |n| end + n);
        let lines = self.text.get(above..end).unwrap_or("");
        ignored(lines).is_some_and(|rules| names(&rules))
    }
}

/// The types and methods of a file, with where their names start.
fn declarations(program: &Program, file: FileId) -> Vec<(Span, u32)> {
    let Some(summary) = program.summary(file) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for ty in &summary.types {
        out.push((ty.span, ty.name_span.start));
        let methods = ty.methods.iter().filter(|m| !m.implicit);
        out.extend(methods.map(|m| (m.span, m.name_span.end)));
    }
    out
}

/// The rules that comments of a text ignore: none at all, all (empty), or some.
fn ignored(text: &str) -> Option<Vec<&str>> {
    let mut found: Option<Vec<&str>> = None;
    for line in text.lines() {
        let Some((before, after)) = line.split_once(IGNORE) else {
            continue;
        };
        let in_comment = before.contains("//") || before.trim_start().starts_with(['*', '/']);
        if !in_comment {
            continue;
        }
        let names: Vec<&str> = after
            .trim_start_matches(':')
            .split(|c: char| c.is_whitespace() || c == ',')
            .take_while(|w| *w != "--" && *w != "*/")
            .filter(|w| !w.is_empty())
            .take_while(|w| super::named(w).is_some())
            .collect();
        if names.is_empty()
            && after
                .trim_start()
                .starts_with(|c: char| c.is_ascii_lowercase())
        {
            // A rule that does not exist is no wish to silence all.
            continue;
        }
        match &mut found {
            Some(all) if all.is_empty() => {}
            Some(_) if names.is_empty() => found = Some(Vec::new()),
            Some(all) => all.extend(names),
            None => found = Some(names),
        }
    }
    found
}

/// The rules that a `@SuppressWarnings` names.
fn suppressed(head: &str) -> Option<Vec<&str>> {
    let (_, rest) = head.split_once("@SuppressWarnings")?;
    let inside = rest.split_once('(')?.1.split(')').next()?;
    let mut names: Vec<&str> = inside
        .split(SUPPRESS)
        .skip(1)
        .filter_map(|part| part.split('"').next())
        .collect();
    let others = OTHERS.iter().filter(|(mark, _)| inside.contains(mark));
    names.extend(others.map(|(_, rule)| *rule));
    (!names.is_empty()).then_some(names)
}

/// The edit that silences a finding: a comment above the test or the line.
pub(super) fn suppression(program: &Program, file: FileId, finding: &Finding) -> Option<Edit> {
    let text = program.text(file)?;
    let at = match finding.method.and_then(|m| program.method_decl(m)) {
        Some(decl) if decl.name_span == finding.span => decl.span.start,
        _ => finding.span.start,
    } as usize;
    let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let indent: &str = &text[line..];
    let indent = &indent[..indent.len() - indent.trim_start_matches([' ', '\t']).len()];
    let newline = match text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    };
    let comment = format!("{indent}// {IGNORE} {}{newline}", finding.rule.name);
    Some(Edit::new(Span::new(line as u32, line as u32), comment))
}
