//! `telltale-dismissed.toml` at the root: the values of which somebody said *Not this one*, and the suspicious
//! assertions that somebody accepted. A team commits it.
//!
//! ```toml
//! [[dismissed]]
//! in = "demo.AccountTest#overdraws()"
//! value = "account.balance()"
//! type = "Account"
//! query = "balance()"
//! ```
//!
//! What a suite generated anew may say again carries a hash of the code that stands before it, `code`; entries of older versions have
//! none, and accept whatever says the same in their test.
//!
//! Each entry is read for itself, so a mistake in one costs that one. Of a merge conflict that nobody resolved yet the entries of
//! both sides count. Nothing here writes: an editor does, by an edit that it shows, and where it makes no files the server makes
//! this one.

use crate::ProjectError;
use crate::read::read_own;
use std::collections::BTreeMap;
use std::path::Path;
use toml_edit::Document;

/// The file's name, under the root.
pub const DISMISSED: &str = "telltale-dismissed.toml";

/// How the file begins that an editor makes.
const HEAD: &str = "# What Telltale names no more: values of which somebody said \"Not this one\", and generated assertions that somebody accepted. Delete an entry to undo it.";
const ENTRY: &str = "[[dismissed]]";

/// So many entries count, and so many mistakes are told.
const MOST_ENTRIES: usize = 10_000;
const MOST_PROBLEMS: usize = 100;

/// One entry. What is not there is not asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dismissal {
    /// Only in this test (`demo.AccountTest#overdraws()`) or class of tests.
    pub within: Option<String>,
    /// What a test could write: `account.balance()`.
    pub value: Option<String>,
    /// The type of the object that is asked, without package, or of the value itself.
    pub ty: Option<String>,
    /// What is asked of it; empty for the value itself.
    pub query: Option<String>,
    /// The method (`demo.Stats#compare(java.util.List)`) or class of the code under test that has the variable.
    pub of: Option<String>,
    /// A variable of the code under test.
    pub variable: Option<String>,
    /// An assertion of a generated test that somebody found right, without blanks.
    pub assertion: Option<String>,
    /// A hash of the code of its test up to it.
    pub code: Option<String>,
    /// The line of its head, from 1; 0 for one that stands in no file.
    pub line: usize,
}

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dismissals {
    /// In order of the file.
    pub entries: Vec<Dismissal>,
    /// What is wrong with it: line from 1, and a sentence without a full stop.
    pub problems: Vec<(usize, String)>,
    /// After how many lines a new entry goes; none if there is no file.
    pub next: Option<u32>,
}

/// The names of the keys, and where each goes.
type Slot = fn(&mut Dismissal) -> &mut Option<String>;
const KEYS: &[(&str, Slot)] = &[
    ("in", |d| &mut d.within),
    ("value", |d| &mut d.value),
    ("type", |d| &mut d.ty),
    ("query", |d| &mut d.query),
    ("of", |d| &mut d.of),
    ("variable", |d| &mut d.variable),
    ("assertion", |d| &mut d.assertion),
    ("code", |d| &mut d.code),
];

/// Reads the file at `root`. Errors: it is there and cannot be read, or is no UTF-8.
pub fn load_dismissed(root: &Path) -> Result<Dismissals, ProjectError> {
    Ok(match read_own(&root.join(DISMISSED))? {
        Some(text) => parse_dismissed(&text),
        None => Dismissals::default(),
    })
}

/// What a text says.
fn parse_dismissed(text: &str) -> Dismissals {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let has_head = text.lines().next().is_some_and(|line| line == HEAD);
    let mut out = Dismissals {
        next: Some(u32::from(has_head && text.contains('\n'))),
        ..Dismissals::default()
    };
    let lines = sided(text);
    let marks = lines.iter().filter(|l| l.side == Side::Mark);
    out.problems
        .extend(marks.map(|l| (l.number, CONFLICT.to_owned())));
    let has_sides = lines.iter().any(|l| l.side == Side::Theirs);
    let sides: &[Side] = match has_sides {
        true => &[Side::Ours, Side::Theirs],
        false => &[Side::Ours],
    };
    for side in sides {
        let own = lines.iter();
        let own = own.filter(|l| l.side == Side::Both || l.side == *side);
        for piece in pieces(own) {
            let mut entries = Vec::new();
            let problem = read(&piece, &mut entries).err();
            // What both sides have is met twice.
            entries.retain(|e| !has_sides || !out.entries.contains(e));
            out.entries.extend(entries);
            let problem = problem.filter(|p| !out.problems.contains(p));
            out.problems.extend(problem);
        }
    }
    out.entries.sort_by_key(|e| e.line);
    out.problems.sort_by_key(|p| p.0);
    if out.entries.len() > MOST_ENTRIES {
        let message = format!("only the first {MOST_ENTRIES} entries count");
        out.problems.push((out.entries[MOST_ENTRIES].line, message));
        out.entries.truncate(MOST_ENTRIES);
    }
    let more = out.problems.len().saturating_sub(MOST_PROBLEMS);
    if more > 0 {
        let (line, _) = out.problems[MOST_PROBLEMS];
        out.problems.truncate(MOST_PROBLEMS);
        let message = format!("{more} more mistakes are not listed");
        out.problems.push((line, message));
    }
    out
}

/// Said of a mark.
const CONFLICT: &str = "a merge conflict begins or ends here, and the entries of both sides count";

/// On which side of a merge conflict a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// In no conflict.
    Both,
    Ours,
    Theirs,
    /// What was there before both sides, which neither has as it was.
    Before,
    /// The line that says so.
    Mark,
}

/// A line, from 1, without its end.
struct Line<'t> {
    number: usize,
    text: &'t str,
    side: Side,
}

/// What a line marks, if it does: its sign, seven times.
fn mark(line: &str) -> Option<char> {
    let sign = line.chars().next().filter(|c| "<|=>".contains(*c))?;
    let rest = line.trim_start_matches(sign);
    let is_one = line.len() - rest.len() == 7 && (rest.is_empty() || rest.starts_with(' '));
    is_one.then_some(sign)
}

/// The lines with their sides. Marks that make no whole conflict, as where somebody resolved it by halves, are no lines of either
/// side, and what stands between them counts for both.
fn sided(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    // The lines since the last conflict began, and what its last mark was.
    let mut open: Option<(usize, Side)> = None;
    for (at, text) in text.lines().enumerate() {
        let sign = mark(text);
        match (sign, open) {
            (Some('<'), before) => {
                undo(&mut lines, before);
                open = Some((at, Side::Ours));
            }
            (Some('|'), Some((begin, Side::Ours))) => open = Some((begin, Side::Before)),
            (Some('='), Some((begin, Side::Ours | Side::Before))) => {
                open = Some((begin, Side::Theirs));
            }
            (Some('>'), before) => {
                undo(&mut lines, before.filter(|b| b.1 != Side::Theirs));
                open = None;
            }
            _ => {}
        }
        let side = match sign {
            Some(_) => Side::Mark,
            None => open.map_or(Side::Both, |o| o.1),
        };
        lines.push(Line {
            number: at + 1,
            text,
            side,
        });
    }
    undo(&mut lines, open);
    lines
}

/// Takes the sides back of what began as a conflict and ended as none.
fn undo(lines: &mut [Line<'_>], open: Option<(usize, Side)>) {
    let Some((begin, _)) = open else { return };
    let since = lines.get_mut(begin..).into_iter().flatten();
    for line in since.filter(|l| l.side != Side::Mark) {
        line.side = Side::Both;
    }
}

/// The lines of each entry, and those before the first.
fn pieces<'l, 't: 'l>(lines: impl Iterator<Item = &'l Line<'t>>) -> Vec<Vec<&'l Line<'t>>> {
    let mut out = vec![Vec::new()];
    for line in lines {
        if line.text.trim_start().starts_with("[[") {
            out.push(Vec::new());
        }
        if let Some(last) = out.last_mut() {
            last.push(line);
        }
    }
    out
}

/// One entry, or what stands before the first.
fn read(lines: &[&Line<'_>], entries: &mut Vec<Dismissal>) -> Result<(), (usize, String)> {
    let Some(line) = lines.first().map(|l| l.number) else {
        return Ok(());
    };
    let piece: String = lines.iter().flat_map(|l| [l.text, "\n"]).collect();
    let document = Document::parse(&piece).map_err(|e| {
        let start = e.span().map_or(0, |span| span.start);
        let before = piece.get(..start).unwrap_or("").matches('\n').count();
        let at = lines.get(before).or(lines.last());
        let at = at.map_or(line, |l| l.number);
        (at, e.message().trim().replace('\n', ", "))
    })?;
    for (name, item) in document.iter() {
        let tables = item.as_array_of_tables();
        let Some(tables) = tables.filter(|_| name == "dismissed") else {
            return Err((line, format!("{name} means nothing here, only {ENTRY}")));
        };
        for table in tables {
            let mut entry = Dismissal {
                line,
                ..Dismissal::default()
            };
            for (key, item) in table {
                let Some((_, slot)) = KEYS.iter().find(|(known, _)| *known == key) else {
                    let known: Vec<&str> = KEYS.iter().map(|k| k.0).collect();
                    let message = format!("there is no key {key}, only {}", known.join(", "));
                    return Err((line, message));
                };
                let Some(text) = item.as_str() else {
                    return Err((line, format!("{key} takes a text")));
                };
                *slot(&mut entry) = Some(text.to_owned());
            }
            if let Some(message) = entry.problem() {
                return Err((line, message.to_owned()));
            }
            entries.push(entry);
        }
    }
    Ok(())
}

impl Dismissal {
    /// What the keys of the file say of it.
    pub fn parts(&self) -> BTreeMap<&'static str, String> {
        let mut own = self.clone();
        let parts = KEYS.iter();
        let parts = parts.filter_map(|(key, slot)| Some((*key, slot(&mut own).take()?)));
        parts.collect()
    }

    /// An entry of which the keys say this; none if it would be no entry of the file.
    pub fn of(parts: &BTreeMap<String, String>) -> Option<Dismissal> {
        let mut out = Dismissal::default();
        for (key, text) in parts {
            let (_, slot) = KEYS.iter().find(|(known, _)| known == key)?;
            *slot(&mut out) = Some(text.clone());
        }
        out.problem().is_none().then_some(out)
    }

    /// What is wrong with an entry, without a full stop.
    fn problem(&self) -> Option<&'static str> {
        let names_query = self.ty.is_some() && self.query.is_some();
        let names_value = self.value.is_some() || names_query;
        if !(names_value || self.variable.is_some() || self.assertion.is_some()) {
            return Some("an entry names a value, a type and a query, a variable, or an assertion");
        }
        if self.code.is_some() && (self.assertion.is_none() || self.within.is_none()) {
            return Some("code is that of an assertion in a test");
        }
        None
    }
}

impl Dismissals {
    /// What is written for an entry, which begins after [`Dismissals::next`] lines.
    pub fn written(&self, entry: &Dismissal) -> String {
        let mut out = match self.next {
            None => format!("{HEAD}\n"),
            Some(_) => String::new(),
        };
        out.push_str(&format!("\n{ENTRY}\n"));
        let parts = entry.parts();
        for (key, _) in KEYS {
            if let Some(text) = parts.get(key) {
                let value = toml_edit::Value::from(text);
                out.push_str(&format!("{key} = {value}\n"));
            }
        }
        // Without a head it stands before what is there.
        if self.next == Some(0) {
            out = format!("{}\n", out.trim_start());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Dismissal {
        Dismissal {
            within: Some("a.T#t()".to_owned()),
            value: Some("map.get(\"a\\b\")".to_owned()),
            ty: Some("Map".to_owned()),
            query: Some("get(..)".to_owned()),
            ..Dismissal::default()
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let text = Dismissals::default().written(&entry());
        let mut read = parse_dismissed(&text);
        assert_eq!(read.problems, []);
        assert_eq!(read.next, Some(1));
        // Another goes below the head, before it.
        let at = text.find('\n').expect("a line") + 1;
        let other = Dismissal {
            variable: Some("neg".to_owned()),
            ..Dismissal::default()
        };
        let both = format!("{}{}{}", &text[..at], read.written(&other), &text[at..]);
        read = parse_dismissed(&both);
        assert_eq!(read.problems, []);
        let lines: Vec<usize> = read.entries.iter().map(|e| e.line).collect();
        assert_eq!(lines, [3, 6]);
        let without_lines = |e: &Dismissal| Dismissal {
            line: 0,
            ..e.clone()
        };
        let entries: Vec<Dismissal> = read.entries.iter().map(without_lines).collect();
        assert_eq!(entries, [other, entry()]);
    }

    #[test]
    fn a_file_without_a_head_takes_more_before_what_is_there() {
        let text = "[[dismissed]]\nvariable = \"a\"\n";
        let read = parse_dismissed(text);
        assert_eq!(read.next, Some(0));
        let more = format!("{}{text}", read.written(&entry()));
        assert_eq!(parse_dismissed(&more).entries.len(), 2, "{more}");
    }

    #[test]
    fn an_assertion_has_its_code_or_is_of_an_older_version() {
        let accepted = |code: Option<&str>| Dismissal {
            within: Some("a.T#t()".to_owned()),
            assertion: Some("assertTrue(b)".to_owned()),
            code: code.map(str::to_owned),
            ..Dismissal::default()
        };
        for entry in [accepted(None), accepted(Some("00ff"))] {
            let read = parse_dismissed(&Dismissals::default().written(&entry));
            assert_eq!(read.problems, []);
            assert_eq!(read.entries, [Dismissal { line: 3, ..entry }]);
        }
        let read = parse_dismissed("[[dismissed]]\nvariable = \"a\"\ncode = \"00ff\"\n");
        assert_eq!((read.entries.len(), read.problems.len()), (0, 1));
    }

    #[test]
    fn an_entry_is_its_keys() {
        let parts = |all: &[(&str, &str)]| {
            let all = all.iter().map(|(k, t)| ((*k).to_owned(), (*t).to_owned()));
            all.collect::<BTreeMap<String, String>>()
        };
        let own = entry().parts().into_iter();
        let own: BTreeMap<String, String> = own.map(|(k, t)| (k.to_owned(), t)).collect();
        assert_eq!(Dismissal::of(&own), Some(entry()));
        // What would be a mistake in the file is none.
        for wrong in [
            &[][..],
            &[("in", "a.T#t()")],
            &[("type", "Map")],
            &[("variable", "a"), ("line", "7")],
            &[("assertion", "assertTrue(b)"), ("code", "00ff")],
        ] {
            assert_eq!(Dismissal::of(&parts(wrong)), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_mistake_costs_its_own_entry() {
        let text = "stray = 1
[[dismissed]]
variable = \"a\"
[[dismissed]]
<<<<<<< ours
variable = \"b\"
[[dismissed]]
variable = 3
[[dismissed]]
line = \"7\"
[[dismissed]]
type = \"A\"
[[other]]
a = \"b\"
[[dismissed]]
type = \"A\"
query = \"\"
";
        let read = parse_dismissed(text);
        let lines: Vec<usize> = read.entries.iter().map(|e| e.line).collect();
        assert_eq!(lines, [2, 4, 15]);
        let wrong: Vec<usize> = read.problems.iter().map(|p| p.0).collect();
        assert_eq!(wrong, [1, 5, 7, 9, 11, 13]);
    }

    fn variables(text: &str) -> Vec<String> {
        let all = parse_dismissed(text).entries.into_iter();
        all.filter_map(|e| e.variable).collect()
    }

    #[test]
    fn a_merge_conflict_costs_no_entry() {
        let entry = |variable: &str| format!("{ENTRY}\nvariable = \"{variable}\"\n");
        let (a, b, c, d) = (entry("a"), entry("b"), entry("c"), entry("d"));
        let text = format!("{HEAD}\n{a}<<<<<<< ours\n{b}=======\n{c}>>>>>>> theirs\n{d}");
        assert_eq!(variables(&text), ["a", "b", "c", "d"]);
        let wrong: Vec<usize> = parse_dismissed(&text)
            .problems
            .iter()
            .map(|p| p.0)
            .collect();
        assert_eq!(wrong, [4, 7, 10]);
        // What both changed is no side's any more.
        let text =
            format!("{a}<<<<<<< ours\r\n{b}||||||| before\n{d}=======\n{c}{b}>>>>>>> theirs\n");
        assert_eq!(variables(&text), ["a", "b", "c", "b"]);
        // Two that begin or end alike are one that differs in the middle.
        let text = format!(
            "{ENTRY}\n<<<<<<< ours\nvariable = \"a\"\n=======\nvariable = \"b\"\n>>>>>>> theirs\nof = \"A\"\n{d}"
        );
        assert_eq!(variables(&text), ["a", "b", "d"]);
        let read = parse_dismissed(&text).entries;
        assert_eq!(read[0].of, read[1].of);
    }

    #[test]
    fn half_a_merge_conflict_costs_no_entry_either() {
        let entry = |variable: &str| format!("{ENTRY}\nvariable = \"{variable}\"\n");
        let (a, b, c) = (entry("a"), entry("b"), entry("c"));
        for text in [
            format!("{a}<<<<<<<\n{b}{c}"),
            format!("{a}<<<<<<<\n{b}=======\n{c}"),
            format!("{a}<<<<<<<\n{b}>>>>>>>\n{c}"),
            format!("{a}=======\n{b}>>>>>>>\n{c}"),
            format!("{a}<<<<<<<\n{b}<<<<<<<\n=======\n{c}>>>>>>>\n"),
        ] {
            assert_eq!(variables(&text), ["a", "b", "c"], "{text}");
            assert!(!parse_dismissed(&text).problems.is_empty(), "{text}");
        }
        // No marks.
        let text = format!("{a}# <<<<<<< ours\n{b}");
        assert_eq!(parse_dismissed(&text).problems, []);
    }

    #[test]
    fn it_may_be_long_and_wrong() {
        let text = "[[dismissed]]\n".repeat(1000);
        let read = parse_dismissed(&text);
        assert_eq!(read.entries, []);
        assert_eq!(read.problems.len(), MOST_PROBLEMS + 1);
    }
}
