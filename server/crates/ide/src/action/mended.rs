//! What mends a finding of a rule: `fail(…)` where a test passes without an exception, `isTrue()` behind a value of which nothing
//! is said.

use super::imports::Imports;
use super::statement_at;
use super::style::Style;
use crate::analysis::Analysis;
use crate::change::SourceChange;
use crate::rules::{Finding, Fix};
use oracle::frameworks::{ALL, Home, Says, Tests, USUAL, Words, link_of, of_tests};
use program::FileId;
use text::{Edit, Span};

/// The change that mends a finding, and what an editor calls it.
pub fn mended(
    analysis: &Analysis,
    file: FileId,
    finding: &Finding,
) -> Option<(String, SourceChange)> {
    match finding.fix.as_ref()? {
        Fix::True(at) => {
            let link = link_of(Says::True)?;
            let edit = Edit::new(Span::new(*at, *at), format!(".{link}()"));
            Some((
                format!("Say that it is true: {link}()"),
                SourceChange::of(file, vec![edit]),
            ))
        }
        Fix::Message { call, beside, text } => {
            comparing(analysis, file, finding, (*call, *beside, text))
        }
        Fix::Fail { at, class } => failing(analysis, file, finding, *at, class),
    }
}

/// By the test's own framework: all of them have it.
fn failing(
    analysis: &Analysis,
    file: FileId,
    finding: &Finding,
    at: u32,
    class: &str,
) -> Option<(String, SourceChange)> {
    let program = analysis.program();
    let (test, text) = (finding.method?, program.text(file)?);
    let home: &Home = program
        .summary(file)
        .and_then(|s| of_tests(s))
        .and_then(Tests::home)
        .unwrap_or(&USUAL);
    let style = Style::of(program, file, test);
    let by_class = style.by_class && style.class == home.inserts;
    let name = ALL.iter().find_map(|row| row.fails.first())?;
    let mut imports = Imports::of(program, file, program.method_owner(test))?;
    let fail = imports.method(home.inserts, name, by_class);
    let (what, title) = match class {
        "" => (
            "an exception".to_owned(),
            "Fail where nothing is thrown".to_owned(),
        ),
        class => (class.to_owned(), format!("Fail where no {class} is thrown")),
    };
    let (at, lead, tail) = statement_at(program, test, text, (at, true));
    let mut edits = imports.edits();
    edits.push(Edit::new(
        at,
        format!("{lead}{fail}(\"{what} expected\"){tail}"),
    ));
    Some((title, SourceChange::of(file, edits)))
}

/// `assertEquals("no item", assertThrows(…).getMessage())`
fn comparing(
    analysis: &Analysis,
    file: FileId,
    finding: &Finding,
    (call, beside, text): (Span, Span, &str),
) -> Option<(String, SourceChange)> {
    let program = analysis.program();
    let test = finding.method?;
    let home = program
        .summary(file)
        .and_then(|s| of_tests(s))
        .and_then(Tests::home)?;
    let style = Style::of(program, file, test);
    let by_class = style.by_class && style.class == home.inserts;
    let mut imports = Imports::of(program, file, program.method_owner(test))?;
    // Of TestNG's own nothing comes back.
    let Words::Plain(words) = &home.form.words else {
        return None;
    };
    if home.form.is_actual_first {
        return None;
    }
    let equals = imports.method(home.inserts, words.equal, by_class);
    let mut edits = imports.edits();
    let at = |at: u32, text: String| Edit::new(Span::new(at, at), text);
    edits.push(at(call.start, format!("{equals}({text}, ")));
    edits.push(Edit::new(beside, String::new()));
    edits.push(at(call.end, ".getMessage())".to_owned()));
    let title = "Compare it with the message of what is thrown".to_owned();
    Some((title, SourceChange::of(file, edits)))
}
