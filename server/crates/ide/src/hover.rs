//! Hover: a variable's rank in its file, what it covers, and how far to trust that.

use crate::analysis::{Analysis, Place};
use crate::checked::tests_of_line;
use crate::inner::{
    CandidateId, Check, OFFERED, candidate_at, check, place_of, tests_of as tests_for,
};
use crate::lens::test_around;
use crate::rankings::Selected;
use crate::suspects;
use crate::values::Values;
use crate::variable::Variable;
use crate::weave::{definitions, set_up};
use crate::words::{cut, method_words, ordinal, reveals, values_in_words};
use evidence::Value;
use flow::{ExprId, ExprKind};
use program::{BodyId, FileId};
use text::{Encoding, LineIndex, Span};

/// A hover, as markdown and as plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// What it is about.
    pub span: Span,
    /// For clients that render it.
    pub markdown: String,
    /// For those that do not.
    pub plain: String,
}

/// Several of one place, one below the other. They are about the smallest.
fn joined(parts: impl IntoIterator<Item = Option<Hover>>) -> Option<Hover> {
    let parts: Vec<Hover> = parts.into_iter().flatten().collect();
    let all = |of: fn(&Hover) -> &str| parts.iter().map(of).collect::<Vec<&str>>();
    Some(Hover {
        span: parts
            .iter()
            .map(|p| p.span)
            .min_by_key(|s| s.end - s.start)?,
        markdown: all(|p| &p.markdown).join("\n\n---\n\n"),
        plain: all(|p| &p.plain).join("\n\n"),
    })
}

const LIMITS: &str =
    "Read from the sources: each branch counts as likely as the other, libraries as black boxes.";

/// The hover at `offset`: of a selected definition, or of a use of its variable.
pub fn hover(analysis: &Analysis, file: FileId, offset: u32) -> Option<Hover> {
    let at = (analysis, file, offset);
    match analysis.program().is_test(file) {
        true => joined([recorded(at), suspicion(at)]),
        false => joined([values(at), tests_of(at), rank(at)]),
    }
}

/// Where a hover was asked for.
type At<'a> = (&'a Analysis, FileId, u32);

/// How many tests are named.
const NAMED: usize = 5;

/// What tests do with the line at `offset`.
fn tests_of((analysis, file, offset): At<'_>) -> Option<Hover> {
    let program = analysis.program();
    let lines = LineIndex::new(program.text(file)?);
    let line = lines.position(offset, Encoding::Utf8).line;
    let tests = tests_of_line(analysis, file, line + 1)?;
    let said = tests.said(false);
    let named = tests
        .checked_by
        .iter()
        .take(NAMED)
        .map(|t| method_words(&program.method_name(*t)));
    let named: Vec<String> = named.collect();
    let more = match tests.checked_by.len().checked_sub(NAMED) {
        None | Some(0) => String::new(),
        Some(more) => format!(" and {more} more"),
    };
    let list = |quote: &str| {
        let all: Vec<String> = named.iter().map(|n| format!("{quote}{n}{quote}")).collect();
        match all.is_empty() {
            true => ".".to_owned(),
            false => format!(": {}{more}.", all.join(", ")),
        }
    };
    Some(Hover {
        span: lines.line(line)?,
        markdown: format!("{said}{}", list("`")),
        plain: format!("{said}{}", list("")),
    })
}

/// How much a variable tells.
fn rank((analysis, file, offset): At<'_>) -> Option<Hover> {
    let word = word_of_variable(analysis, file, offset)?;
    let (name, span) = (&word.text, word.span);
    let ranking = analysis.ranking(file);
    // Of several definitions of the variable the one at the cursor, else the last before it, else the best.
    let of_variable = || {
        let all = ranking.selected.iter();
        all.filter(|s| s.variable == Some(word.variable))
    };
    let s = of_variable()
        .find(|s| s.span.contains(offset))
        .or_else(|| {
            of_variable()
                .filter(|s| s.span.end <= offset)
                .max_by_key(|s| s.span.end)
        })
        .or_else(|| of_variable().next())?;
    if s.is_quiet {
        return None;
    }
    let place = format!("{} of {}", ordinal(s.rank), ranking.candidates);
    let incomplete = if analysis.is_complete() {
        ""
    } else {
        " Still reading the other files: this can change."
    };
    let reason = reason(s);
    let how = checkability(analysis, file, s).unwrap_or_default();
    Some(Hover {
        span,
        markdown: format!(
            "**`{name}`** is worth a check: **{place}** in this file\n\n{reason}\n\n{how}\n\n*{LIMITS}{incomplete}*"
        ),
        plain: format!(
            "{name} is worth a check: {place} in this file\n{reason}\n{how}\n{LIMITS}{incomplete}"
        ),
    })
}

/// How a selected value can be checked, in one sentence: by an assertion of some test that runs it, or not.
fn checkability(analysis: &Analysis, file: FileId, s: &Selected) -> Option<&'static str> {
    let span = s.span;
    let id = candidate_at(analysis, Place { file, span })?;
    let tests = tests_for(analysis, s.body, OFFERED).into_iter();
    let mut known = tests.filter_map(|test| check(analysis.workspace(), Some(test), id));
    let how = known.find(|how| *how == Check::Returned);
    Some(
        how.or_else(|| check(analysis.workspace(), None, id))?
            .words(),
    )
}

/// How many values are listed.
const LISTED: usize = 8;

/// Of a generated assertion in a helper.
const UNJUDGED: &str =
    "Not judged: it stands in a method that tests call, and values are followed within a test.";

/// What is known of a generated assertion.
fn suspicion((analysis, file, offset): At<'_>) -> Option<Hover> {
    let Some((assertion, judged, opinion)) = suspects::at(analysis, file, offset) else {
        return suspects::unjudged(analysis, file, offset).map(|span| Hover {
            span,
            markdown: format!("**Generated assertion.** {UNJUDGED}"),
            plain: format!("Generated assertion. {UNJUDGED}"),
        });
    };
    let said = suspects::opinion(analysis.program(), &judged, opinion);
    let (first, rest) = said.split_first()?;
    let mut markdown = format!("**Generated assertion.** {}", escaped(first));
    for paragraph in rest {
        markdown.push_str(&format!("\n\n- {}", escaped(paragraph)));
    }
    Some(Hover {
        span: assertion.span,
        markdown,
        plain: format!("Generated assertion. {}", said.join("\n")),
    })
}

/// A sentence with values in it, as Markdown that shows it.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|' | '~'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// What a variable of a test was when it ran.
fn recorded((analysis, file, offset): At<'_>) -> Option<Hover> {
    let test = test_around(analysis, file, Span::new(offset, offset))?;
    let told = analysis.recorded(test)?;
    let word = word_of_variable(analysis, file, offset)?;
    let (name, span) = (&word.text, word.span);
    let variable = |c: &CandidateId| {
        let chains = analysis.workspace().chains(c.body)?;
        Variable::of(c.body, chains.candidates.get(c.index as usize)?)
    };
    // Of several definitions of the variable the last one up to the cursor.
    let definitions = definitions(analysis, test);
    let mut own = definitions.iter().filter(|(candidate, _)| {
        let place = place_of(analysis, *candidate);
        variable(candidate) == Some(word.variable) && place.is_some_and(|p| p.span.start <= offset)
    });
    let defined = own.next_back();
    let observed = match defined {
        Some((_, seen)) => told.variables.get(seen)?,
        // Of a parameter of a lambda nothing is known, whatever the field is that it hides.
        None if is_defined(analysis, word.body, name) => return None,
        None => told.inside.get(&set_up(analysis, test, name)?)?,
    };
    let is_fresh = told.key == analysis.key(test);
    let mut all: Vec<String> = observed.values.iter().map(Value::short).collect();
    all.truncate(LISTED);
    let more = observed.values.len() - all.len();
    let listed = match (more, observed.cut) {
        (_, true) => "\nand more".to_owned(),
        (0, false) => String::new(),
        (n, false) => format!("\nand {n} more"),
    };
    let times = match observed.count {
        1 => "once".to_owned(),
        n if observed.is_least() => format!("at least {n} times"),
        n => format!("{n} times"),
    };
    let runs = match (&observed.differs, observed.once) {
        (Some(other), _) => {
            let other: Vec<String> = other.iter().take(LISTED).map(Value::short).collect();
            format!(
                "Differs from run to run: another gave {}.",
                other.join(", ")
            )
        }
        (None, true) => "Seen in one of two runs only.".to_owned(),
        (None, false) => "The same in two runs.".to_owned(),
    };
    let mut notes = vec![format!("Set {times} in a run."), runs];
    // What is shown is what it was given, and an object may be another by the line that is looked at.
    let lines = LineIndex::new(analysis.program().text(file)?);
    let line = |at: u32| lines.position(at, Encoding::Utf8).line + 1;
    let place = defined.and_then(|(id, _)| place_of(analysis, *id));
    let set = place.map(|p| line(p.span.start));
    if let Some(set) = set.filter(|set| *set != line(offset))
        && observed.values.iter().any(may_change)
    {
        notes.push(format!(
            "That is how it was set in line {set}; what was called on it since may have changed it."
        ));
    }
    if !told.passed {
        notes.push("The test failed.".to_owned());
    }
    if !is_fresh {
        notes.insert(0, "Recorded before the code changed.".to_owned());
    }
    let notes = notes.join(" ");
    let was = if is_fresh {
        "was"
    } else {
        "was, of older code,"
    };
    Some(Hover {
        span,
        markdown: format!(
            "**`{name}`** {was}\n\n```java\n{}{listed}\n```\n\n*{notes}*",
            all.join("\n")
        ),
        plain: format!("{name} {was} {}{listed}\n{notes}", all.join(", ")),
    })
}

/// True for a value that calls may change where it is.
fn may_change(value: &Value) -> bool {
    matches!(
        value.unboxed(),
        Value::Array { .. }
            | Value::Collection { .. }
            | Value::Map { .. }
            | Value::Chars { .. }
            | Value::Holder { .. }
            | Value::Opaque { .. }
            | Value::Object {
                is_record: false,
                ..
            }
    )
}

/// What a variable of the code under test was in the tests that ran.
fn values((analysis, file, offset): At<'_>) -> Option<Hover> {
    if analysis.facts().is_empty() {
        return None;
    }
    let word = word_of_variable(analysis, file, offset)?;
    let candidates = &analysis.workspace().chains(word.body)?.candidates;
    let own = candidates.iter().enumerate().filter_map(|(index, c)| {
        let id = CandidateId {
            body: word.body,
            index: index as u32,
        };
        let is_own = Variable::of(word.body, c) == Some(word.variable);
        let place = place_of(analysis, id).filter(|_| is_own)?;
        Some((place.span.start, id))
    });
    // Of several definitions the last one up to the cursor.
    let (_, id) = own.filter(|(start, _)| *start <= offset).max()?;
    let known = Values::new(analysis).of(id)?;
    let program = analysis.program();
    let rows = known.tests.iter().take(LISTED).map(|t| {
        let test = method_words(&program.method_name(t.test));
        let values = values_in_words(&t.observed).unwrap_or_else(|| " = an object".to_owned());
        let values = values.trim_start_matches(" = ").to_owned();
        let mut notes: Vec<String> = Vec::new();
        if !t.is_fresh {
            notes.push("of older code".to_owned());
        }
        if !t.passed {
            notes.push("the test failed".to_owned());
        }
        if let Some(other) = &t.observed.differs {
            let other: Vec<String> = other.iter().take(2).map(Value::short).collect();
            notes.push(format!("another run gave {}", cut(other.join(", "))));
        }
        (test, values, notes.join(", "))
    });
    let rows: Vec<(String, String, String)> = rows.collect();
    let more = match known.tests.len() - rows.len() + known.more {
        0 => "",
        1 => "\n\nand one more test",
        n => &format!("\n\nand {n} more tests"),
    };
    let name = &word.text;
    let mut markdown = format!("**`{name}`** was here\n\n| in the test | |\n| --- | --- |");
    let mut plain = format!("{name} was here");
    for (test, values, notes) in rows {
        let brackets = |open: &str, close: &str| match notes.is_empty() {
            true => String::new(),
            false => format!(" {open}{notes}{close}"),
        };
        let (italic, bare) = (brackets("*(", ")*"), brackets("(", ")"));
        markdown.push_str(&format!(
            "\n| `{test}` | {}{italic} |",
            code_in_table(&values)
        ));
        plain.push_str(&format!("\n{test}: {values}{bare}"));
    }
    Some(Hover {
        span: word.span,
        markdown: markdown + more,
        plain: plain + &more.replace("\n\n", "\n"),
    })
}

/// Code that may stand in a cell of a table: a bar would end the cell, and a backquote the code.
fn code_in_table(code: &str) -> String {
    match code.contains('`') {
        true => format!("`` {} ``", code.replace('|', "\\|")),
        false => format!("`{}`", code.replace('|', "\\|")),
    }
}

/// True if a body defines a variable of this name.
fn is_defined(analysis: &Analysis, body: BodyId, name: &str) -> bool {
    let chains = analysis.workspace().chains(body);
    chains.is_some_and(|c| c.candidates.iter().any(|c| c.variable == name))
}

/// What a selected value covers, in one sentence.
pub(crate) fn reason(s: &Selected) -> String {
    if s.stands_for.is_empty() {
        return "Covers itself only: no other variable goes into it.".to_owned();
    }
    let reveals = reveals(s.stands_for.clone(), s.more);
    let chain = s.chain.as_ref();
    let chain = chain.map_or_else(String::new, |way| format!(" Flows through {way}."));
    format!("Would also {reveals}.{chain}")
}

/// A word of a file that names a variable.
struct Word {
    text: String,
    span: Span,
    body: BodyId,
    variable: Variable,
}

/// The variable whose name stands at `offset`.
fn word_of_variable(analysis: &Analysis, file: FileId, offset: u32) -> Option<Word> {
    let (program, workspace) = (analysis.program(), analysis.workspace());
    let text = program.text(file)?;
    let span = word_at(text, offset)?;
    let name = &text[span.range()];
    let mut best: Option<(u32, BodyId, Variable)> = None;
    let bodies = program.bodies_of_file(file).iter().copied();
    for id in bodies.filter(|b| !program.is_added(*b)) {
        let decl = program.body(id)?;
        if decl.start > span.start {
            continue;
        }
        let body = &decl.body;
        let relative = Span::new(span.start - decl.start, span.end - decl.start);
        let mut here = (0..body.exprs.len() as u32).map(ExprId).filter(|e| {
            let e = body.expr(*e);
            Span::new(e.start, e.end).covers(relative)
        });
        let found = here.find_map(|e| match body.expr(e).kind {
            ExprKind::Local(l) => {
                (body.locals[l.ix()].name == name).then_some(Variable::Local(id, l))
            }
            ExprKind::Name(n) | ExprKind::Field { name: n, .. } if body.name(n) == name => {
                Variable::named(workspace, id, e)
            }
            ExprKind::Define(d) => {
                let of = Variable::defined(workspace, id, d)?;
                of.is_called(program, name).then_some(of)
            }
            _ => None,
        });
        // The innermost body begins last.
        if let Some(variable) = found.filter(|_| best.is_none_or(|(start, ..)| decl.start > start))
        {
            best = Some((decl.start, id, variable));
        }
    }
    let (_, body, variable) = best?;
    Some(Word {
        text: name.to_owned(),
        span,
        body,
        variable,
    })
}

/// The Java name around `offset`.
fn word_at(text: &str, offset: u32) -> Option<Span> {
    let offset = offset as usize;
    if !text.is_char_boundary(offset) {
        return None;
    }
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_' || *c == '$';
    let before: usize = text[..offset]
        .chars()
        .rev()
        .take_while(is_part)
        .map(char::len_utf8)
        .sum();
    let after: usize = text[offset..]
        .chars()
        .take_while(is_part)
        .map(char::len_utf8)
        .sum();
    let word = Span::new((offset - before) as u32, (offset + after) as u32);
    let starts = text[word.range()].chars().next()?;
    (!starts.is_ascii_digit()).then_some(word)
}
