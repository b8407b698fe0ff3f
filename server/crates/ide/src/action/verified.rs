//! What asks a mock of what a test leaves open: a captor for what it is given, a `verify` for a call.

use super::imports::Imports;
use super::{Action, Effect, newline, statement_at};
use crate::analysis::Analysis;
use crate::change::SourceChange;
use crate::lens::On;
use crate::open::Open;
use crate::title::title;
use flow::TypeRef;
use program::{FileId, MethodId, Program, Ty, TypeId};
use recommend::Given;
use text::Edit;

const MOCKITO: &str = "org.mockito.Mockito";
const CAPTOR: &str = "org.mockito.ArgumentCaptor";

/// Where Mockito has `any()`: the classes that files name, before the one that has it in all versions.
const MATCHERS: &[&str] = &["org.mockito.ArgumentMatchers", "org.mockito.Matchers"];

/// For what the lens of a test names: `verify(orders).save(orderCaptor.capture())` at the end of the test, behind the captor, and what
/// it kept is the next to be asserted; or `verify(mails).send(any())`. Where the test would have to declare what the call throws,
/// cannot name a class, or where it is not known which method is meant, there is none.
pub(super) fn verified(analysis: &Analysis, file: FileId, test: MethodId) -> Option<Action> {
    // The lens knows where there may be one.
    let call = title(analysis, On::Test(test))?.open?;
    let mut open = analysis.open(test).into_iter();
    let open = open.find(|o| o.call == call)?;
    let change = insertion(analysis, file, test, &open)?;
    let title = match open.of.argument {
        Some(_) => format!("Keep what {call} is given, to look at it"),
        None => format!("Verify {call}"),
    };
    Some(Action {
        title,
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
    if open.of.may_throw && !declares_all(program, test) {
        return None;
    }
    let (mock, call) = open.of.call.rsplit_once('.')?;
    let owner = program.method_owner(test);
    let decl = program.body(program.method_body(test)?)?;
    let scope = decl.body.scopes.first()?;
    let own = &text[decl.start as usize..(decl.start + scope.end) as usize];
    let mut imports = Imports::of(program, file, owner)?;
    let kept = match &open.of.argument {
        Some(given) => Some((given.at, captor(program, &mut imports, given, owner, own)?)),
        None => None,
    };
    let verify = imports.method(MOCKITO, "verify", false);
    let arguments = arguments(program, &mut imports, open, kept.as_ref())?;
    let mut statements: Vec<String> = kept.into_iter().map(|(_, c)| c.declared).collect();
    statements.push(format!("{verify}({mock}).{call}({arguments})"));
    let at = (decl.start + scope.last, scope.last + 1 == scope.end);
    let (at, lead, tail) = statement_at(program, test, text, at);
    let between = match lead.rsplit(['\r', '\n']).next() {
        Some(indent) if tail.contains('\n') => format!(";{}{indent}", newline(text)),
        _ => "; ".to_owned(),
    };
    let statements = statements.join(&between);
    let mut edits = imports.edits();
    edits.push(Edit::new(at, format!("{lead}{statements}{tail}")));
    Some(SourceChange::of(file, edits))
}

/// True for a test that may throw anything.
fn declares_all(program: &Program, test: MethodId) -> bool {
    let decl = program.method_decl(test);
    let mut throws = decl.iter().flat_map(|d| &d.throws);
    throws.any(|ty| match ty {
        TypeRef::Named(segments) => {
            let last = segments.last().map(|s| s.name.as_str());
            matches!(last, Some("Exception" | "Throwable"))
        }
        _ => false,
    })
}

/// A captor that is declared in a test.
struct Captor {
    /// `ArgumentCaptor<Order> orderCaptor = ArgumentCaptor.forClass(Order.class)`.
    declared: String,
    name: String,
}

fn captor(
    program: &Program,
    imports: &mut Imports<'_>,
    given: &Given,
    from: TypeId,
    own: &str,
) -> Option<Captor> {
    let binary = given.class.as_ref()?;
    if given.declared.is_some_and(|c| !is_open(program, c, from)) {
        return None;
    }
    let (captor, class) = (imports.class(CAPTOR), imports.class_of_binary(binary));
    let simple = binary.rsplit(['.', '$']).next()?;
    let name = free_name(own, simple)?;
    Some(Captor {
        declared: format!("{captor}<{class}> {name} = {captor}.forClass({class}.class)"),
        name,
    })
}

/// What stands in the brackets: `any(), orderCaptor.capture()`.
fn arguments(
    program: &Program,
    imports: &mut Imports<'_>,
    open: &Open,
    kept: Option<&(usize, Captor)>,
) -> Option<String> {
    let takes = open.of.takes;
    let kept_at = |at: usize| kept.filter(|k| k.0 == at);
    let is_all_kept = (0..takes).all(|at| kept_at(at).is_some());
    let parameters = open.of.method.and_then(|method| {
        let (all, is_varied) = program.parameters(method)?;
        let is_the_one = all.len() == takes && !is_varied && !program.is_overloaded(method);
        is_the_one.then_some(all)
    });
    let parameters = match parameters {
        Some(all) => all,
        None if is_all_kept => &[],
        None => return None,
    };
    let known = MATCHERS.iter().find(|class| imports.knows(class));
    let matchers = known.copied().unwrap_or(MOCKITO);
    let mut argument = |at: usize| match kept_at(at) {
        Some((_, captor)) => format!("{}.capture()", captor.name),
        None => format!(
            "{}()",
            imports.method(matchers, any_of(parameters[at]), false)
        ),
    };
    Some((0..takes).map(&mut argument).collect::<Vec<_>>().join(", "))
}

/// Mockito's name for anything of a type.
fn any_of(ty: Ty) -> &'static str {
    match ty {
        Ty::BOOLEAN => "anyBoolean",
        Ty::BYTE => "anyByte",
        Ty::SHORT => "anyShort",
        Ty::CHAR => "anyChar",
        Ty::INT => "anyInt",
        Ty::LONG => "anyLong",
        Ty::FLOAT => "anyFloat",
        Ty::DOUBLE => "anyDouble",
        _ => "any",
    }
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
