//! A captor for what a mock is given, and no test of the class looks at.

use super::imports::Imports;
use super::{Action, Effect, newline, statement_at};
use crate::analysis::Analysis;
use crate::change::SourceChange;
use crate::lens::On;
use crate::open::Open;
use crate::title::title;
use program::{FileId, MethodId, Program, TypeId};
use text::Edit;

const MOCKITO: &str = "org.mockito.Mockito";
const CAPTOR: &str = "org.mockito.ArgumentCaptor";

/// What keeps it for the test to look at, where the call is given nothing else, throws nothing that is to be declared, and the test may name
/// the class of that:
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
    let given = open.of.argument.as_ref().filter(|g| g.is_plain)?;
    let (mock, call) = open.of.call.rsplit_once('.')?;
    let binary = given.class.as_ref()?;
    let owner = program.method_owner(test);
    if !given
        .declared
        .is_none_or(|class| is_open(program, class, owner))
    {
        return None;
    }
    let decl = program.body(program.method_body(test)?)?;
    let scope = decl.body.scopes.first()?;
    let own = &text[decl.start as usize..(decl.start + scope.end) as usize];
    let mut imports = Imports::of(program, file, owner)?;
    let (captor, class) = (imports.class(CAPTOR), imports.class_of_binary(binary));
    let verify = imports.method(MOCKITO, "verify", false);
    let simple = binary.rsplit(['.', '$']).next()?;
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

/// True for a class that code of another may name.
fn is_open(program: &Program, class: TypeId, from: TypeId) -> bool {
    let mut around = std::iter::successors(Some(class), |t| program.enclosing_type(*t));
    around.all(|t| {
        let decl = program.type_decl(t);
        decl.is_some_and(|d| program.accessible(t, d.modifiers, from))
    })
}

/// `orderCaptor`, if the test has no such name yet.
fn free_name(own: &str, class: &str) -> Option<String> {
    let mut letters = class.chars();
    let first = letters.next()?.to_lowercase();
    let name = format!("{first}{}Captor", letters.as_str());
    (!own.contains(&name)).then_some(name)
}
