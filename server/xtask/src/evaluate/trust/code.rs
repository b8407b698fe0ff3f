//! What the code says of methods and classes, for those who judge and those who print.

use flow::{Callee, ExprKind, Target};
use ide::Analysis;
use program::{BodyId, Member, MethodId, Program, TypeId};

use super::words;

pub(super) fn method_text(program: &Program, method: MethodId) -> &str {
    let text = program.method_file(method).and_then(|f| program.text(f));
    let span = program.method_decl(method).map(|d| d.span);
    match (text, span) {
        (Some(text), Some(span)) => text.get(span.range()).unwrap_or_default(),
        _ => "",
    }
}

pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next())
    })
}

/// True if a method gives what a field holds and does nothing else; also where there is no code (generated, abstract).
pub(super) fn gives_field(program: &Program, method: MethodId) -> bool {
    let Some(body) = program.method_body(method).and_then(|b| program.body(b)) else {
        return true;
    };
    body.body.calls.is_empty() && body.body.returns.len() == 1 && body.body.defs.len() <= 1
}

/// True if a method, whichever runs, or one that it calls of its own class writes a field, not to keep what it computed
/// (`if (x == null) x = …`).
pub(super) fn writes(program: &Program, method: MethodId, depth: usize) -> bool {
    let bodies: Vec<BodyId> = program.dispatch(method).to_vec();
    !bodies.is_empty()
        && bodies.into_iter().all(|id| {
            let (Some(decl), Some(resolved)) = (program.body(id), program.resolved(id)) else {
                return false;
            };
            let text = program
                .body_method(id)
                .map_or("", |m| method_text(program, m));
            let keeps = |name: &str| {
                let text = words::squeeze(text).replace("this.", "");
                text.contains(&format!("{name}==null")) || text.contains(&format!("{name}!=null"))
            };
            let own = decl.body.defs.iter().any(|def| match def.target {
                Target::Place(p) => {
                    let (start, end) = (decl.body.expr(p).start, decl.body.expr(p).end);
                    let name = program.body_text(id, start, end);
                    let name = name.rsplit('.').next().unwrap_or(name);
                    let is_field = matches!(resolved.name(p), Some(program::NameTarget::Field(_)));
                    is_field && !keeps(name)
                }
                _ => false,
            });
            own || depth > 0
                && resolved
                    .calls
                    .iter()
                    .zip(&decl.body.calls)
                    .any(|(target, call)| {
                        let own = match call.callee {
                            Callee::Method { receiver, .. } => receiver
                                .is_none_or(|r| matches!(decl.body.expr(r).kind, ExprKind::This)),
                            _ => false,
                        };
                        match target {
                            program::CallTarget::Workspace(m) => {
                                own && *m != method && writes(program, *m, depth - 1)
                            }
                            _ => false,
                        }
                    })
        })
}

/// The class after which the class of a test is named.
pub(super) fn class_under_test(program: &Program, test: MethodId) -> Option<TypeId> {
    let mut class = program.method_owner(test);
    while let Some(around) = program.enclosing_type(class) {
        class = around;
    }
    let name = program.type_name(class);
    let (package, simple) = name.rsplit_once('.').unwrap_or(("", name));
    let ends = [
        "IntegrationTests",
        "IntegrationTest",
        "UnitTest",
        "Tests",
        "TestCase",
        "Test",
        "IT",
        "ITest",
    ];
    let about = ends
        .iter()
        .find_map(|end| simple.strip_suffix(end))
        .or_else(|| simple.strip_prefix("Test"))
        .filter(|about| !about.is_empty())?;
    let set = program.source_set(program.method_file(test)?)?;
    let whole = match package {
        "" => about.to_owned(),
        package => format!("{package}.{about}"),
    };
    let found = program.find_type(set, &whole)?;
    (!program.is_test_type(found)).then_some(found)
}

/// True if a type is this one or stands in it.
pub(super) fn is_in(program: &Program, ty: TypeId, class: TypeId) -> bool {
    let around = std::iter::successors(Some(ty), |t| program.enclosing_type(*t));
    around.take(100).any(|t| t == class)
}

/// The type in whose code a place lies.
pub(super) fn type_at(program: &Program, place: ide::Place) -> Option<TypeId> {
    let types = program.types_of_file(place.file).iter().copied();
    types
        .filter(|t| {
            program
                .type_decl(*t)
                .is_some_and(|d| d.span.covers(place.span))
        })
        .max_by_key(|t| program.type_decl(*t).map(|d| d.span.start))
}

/// Which members run before a test, for those who print them.
pub(super) fn set_up_text(analysis: &Analysis, test: MethodId) -> Vec<String> {
    let program = analysis.program();
    let workspace = analysis.workspace();
    let mut out = Vec::new();
    for body in workspace.test_roots(workspace.own_run(test)) {
        match program.body_member(body) {
            (_, Member::Method(m)) if m != test => out.push(method_text(program, m).to_owned()),
            (owner, Member::Init | Member::Clinit) => {
                for field in program.type_decl(owner).into_iter().flat_map(|d| &d.fields) {
                    let text = program.body_file(body).and_then(|f| program.text(f));
                    let field = text.and_then(|t| t.get(field.span.range()));
                    out.extend(field.map(str::to_owned));
                }
            }
            _ => {}
        }
    }
    out.dedup();
    out
}

/// A method as it stands in its file.
pub(super) fn source(program: &Program, method: MethodId) -> String {
    method_text(program, method).to_owned()
}
