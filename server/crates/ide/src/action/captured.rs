//! A captor for what a mock is given, and no test of the class looks at.

use super::imports::Imports;
use super::{Action, Effect, newline, statement_at};
use crate::analysis::Analysis;
use crate::change::SourceChange;
use crate::lens::On;
use crate::open::Open;
use crate::title::title;
use program::{FileId, MethodId};
use text::Edit;

const MOCKITO: &str = "org.mockito.Mockito";
const CAPTOR: &str = "org.mockito.ArgumentCaptor";

/// What keeps it for the test to look at, where the call is given nothing else and the class of that is known:
/// `verify(orders).save(orderCaptor.capture())` at the end of the test, behind the captor. What it kept is then the next to be
/// asserted.
pub(super) fn captured(analysis: &Analysis, file: FileId, test: MethodId) -> Option<Action> {
    // The lens knows where there may be one.
    let call = title(analysis, On::Test(test))?.open?;
    let mut open = analysis.open_arguments(test).into_iter();
    let open = open.find(|o| o.call == call)?;
    let change = insertion(analysis, file, test, &open)?;
    Some(Action {
        title: format!("Keep what {} is given, to look at it", open.call),
        effect: Effect::Assert {
            change,
            is_finished: true,
        },
    })
}

fn insertion(
    analysis: &Analysis,
    file: FileId,
    test: MethodId,
    open: &Open,
) -> Option<SourceChange> {
    let program = analysis.program();
    let text = program.text(file)?;
    let given = open.of.argument.as_ref().filter(|g| g.is_all)?;
    let (mock, call) = open.of.call.rsplit_once('.')?;
    let full = given.class.as_ref()?;
    let decl = program.body(program.method_body(test)?)?;
    let scope = decl.body.scopes.first()?;
    let own = &text[decl.start as usize..(decl.start + scope.end) as usize];
    let mut imports = Imports::of(program, file, program.method_owner(test))?;
    let (captor, class) = (imports.class(CAPTOR), imports.class(full));
    let verify = imports.method(MOCKITO, "verify", false);
    let simple = full.rsplit(['.', '$']).next()?;
    let kept = free_name(own, simple)?;
    let at = (decl.start + scope.last, scope.last + 1 == scope.end);
    let (at, lead, tail) = statement_at(program, test, text, at);
    let between = match lead.rsplit(['\r', '\n']).next() {
        Some(indent) if tail.contains('\n') => format!(";{}{indent}", newline(text)),
        _ => "; ".to_owned(),
    };
    let mut edits = imports.edits();
    edits.push(Edit::new(
        at,
        format!(
            "{lead}{captor}<{class}> {kept} = {captor}.forClass({class}.class){between}{verify}({mock}).{call}({kept}.capture()){tail}"
        ),
    ));
    Some(SourceChange::of(file, edits))
}

/// `orderCaptor`, if the test has no such name yet.
fn free_name(own: &str, class: &str) -> Option<String> {
    let mut letters = class.chars();
    let first = letters.next()?.to_lowercase();
    let name = format!("{first}{}Captor", letters.as_str());
    (!own.contains(&name)).then_some(name)
}
