//! An expectation of the answer to a request, put behind those that stand there.

use super::imports::Imports;
use super::unit_of_indent;
use crate::analysis::Analysis;
use crate::change::SourceChange;
use flow::Callee;
use oracle::web::Client;
use oracle::web::mock_mvc::{EXPECTS, MATCHERS};
use oracle::web::rest_assured::EQUAL_TO;
use program::{FileId, MethodId};
use recommend::web::Expectation;
use text::{Edit, Span};

/// `.andExpect(view().name("owners/list"))` behind the last expectation of its request, as that is written: on a line of its
/// own, or on the same.
pub(super) fn expectation(
    analysis: &Analysis,
    file: FileId,
    test: MethodId,
    of: &Expectation,
) -> Option<SourceChange> {
    let program = analysis.program();
    let text = program.text(file)?;
    let decl = program.body(program.method_body(test)?)?;
    let mut imports = Imports::of(program, file, program.method_owner(test))?;
    let call = &decl.body.calls[of.behind.ix()];
    let end = (decl.start + decl.body.expr(call.expr).end) as usize;
    // What stands before the dot of the call behind which it goes.
    let dot = match call.callee {
        Callee::Method {
            receiver: Some(r), ..
        } => (decl.start + decl.body.expr(r).end) as usize,
        _ => return None,
    };
    if of.client != Client::MockMvc {
        return chained(file, text, end, imports, of);
    }
    let begins = imports.method(MATCHERS, of.begins, of.by_class);
    let before = text.get(dot..(decl.start + call.name_start) as usize)?;
    let separator = match before.rfind('\n') {
        Some(_) if of.is_further => before.split('.').next()?.to_owned(),
        // The first expectation of a request that goes over several lines.
        _ if text.get(dot..end)?.contains('\n') && !of.is_further => {
            let line = text[..end].rfind('\n').map_or(0, |n| n + 1);
            let own = text[line..].chars().take_while(|c| c.is_whitespace());
            let nl = super::newline(text);
            format!("{nl}{}{}", own.collect::<String>(), unit_of_indent(text))
        }
        _ => String::new(),
    };
    let lead = format!("{separator}.{EXPECTS}({begins}");
    let mut edits = imports.edits();
    let at = Span::new(end as u32, end as u32);
    edits.push(Edit::new(at, format!("{lead}{})", of.rest)));
    let hole = of.placeholder.clone();
    Some(SourceChange {
        placeholder: hole.map(|h| lead.len() + h.start..lead.len() + h.end),
        ..SourceChange::of(file, edits)
    })
}

/// `.expectStatus().isOk()` behind the last call of a chain: on a line of its own where that begins one.
fn chained(
    file: FileId,
    text: &str,
    end: usize,
    mut imports: Imports<'_>,
    of: &Expectation,
) -> Option<SourceChange> {
    let line = text[..end].rfind('\n').map_or(0, |n| n + 1);
    let own = text.get(line..end)?;
    let separator = match own.trim_start().starts_with('.') {
        true => {
            let indent = &own[..own.len() - own.trim_start().len()];
            format!("{}{indent}", super::newline(text))
        }
        false => String::new(),
    };
    let mut rest = of.rest.clone();
    let mut hole = of.placeholder.clone();
    let (matcher, classes) = EQUAL_TO;
    let called = format!("{matcher}(");
    if let Some(at) = rest
        .find(&called)
        .filter(|_| of.client == Client::RestAssured)
    {
        let is_there = |c: &&&str| text.contains(&format!("import static {c}."));
        let class = classes.iter().find(is_there).unwrap_or(&classes[0]);
        let written = imports.method(class, matcher, false);
        rest.replace_range(at..at + matcher.len(), &written);
        let more = written.len().saturating_sub(matcher.len());
        hole = hole.map(|h| h.start + more..h.end + more);
    }
    let lead = separator.len() + 1;
    let mut edits = imports.edits();
    let at = Span::new(end as u32, end as u32);
    edits.push(Edit::new(at, format!("{separator}.{rest}")));
    Some(SourceChange {
        placeholder: hole.map(|h| lead + h.start..lead + h.end),
        ..SourceChange::of(file, edits)
    })
}
