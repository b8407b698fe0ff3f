//! The text that an expression is, as far as constants say.

use crate::Workspace;
use crate::handlers::text_of_initialiser;
use flow::{BinaryOp, Body, Callee, DefId, ExprId, ExprKind, Literal, Target};
use oracle::web::{Addressed, addressed, unquoted};
use program::{BodyId, FieldId, Member, NameTarget};

/// How many parts of an expression are looked at.
const MAX_PARTS: usize = 60;

/// Stands for what is not known.
const UNKNOWN: &str = "\u{0}";

/// The text of an expression, in which a zero byte stands for each part that is not known; none if none of it is.
pub(super) fn text_of(workspace: &Workspace, id: BodyId, e: ExprId) -> Option<String> {
    let mut left = MAX_PARTS;
    let text = text(workspace, id, e, &mut left)?;
    (!text.chars().all(|c| c == '\u{0}')).then_some(text)
}

fn text(workspace: &Workspace, id: BodyId, e: ExprId, left: &mut usize) -> Option<String> {
    *left = left.checked_sub(1)?;
    let program = workspace.program();
    let decl = program.body(id)?;
    let body: &Body = &decl.body;
    let written = |e: ExprId| {
        let at = body.expr(e);
        let text = program.text(program.body_file(id)?)?;
        text.get((decl.start + at.start) as usize..(decl.start + at.end) as usize)
    };
    let unknown = || Some(UNKNOWN.to_owned());
    match body.expr(e).kind {
        ExprKind::Literal(Literal::Str) => unquoted(written(e)?),
        ExprKind::Literal(Literal::Int) => Some(written(e)?.to_owned()),
        ExprKind::Binary {
            op: BinaryOp::Add,
            left: a,
            right: b,
        } => {
            let a = text(workspace, id, a, left)?;
            Some(a + &text(workspace, id, b, left)?)
        }
        ExprKind::Local(local) => {
            let mut defs = body
                .defs
                .iter()
                .filter(|d| matches!(d.target, Target::Local(l) if l == local));
            let def = defs.next().filter(|d| !d.compound);
            match (def.map(|d| body.list(d.sources)), defs.next()) {
                (Some(&[source]), None) => text(workspace, id, source, left),
                _ => unknown(),
            }
        }
        ExprKind::Name(_) | ExprKind::Field { .. } => {
            let name = workspace.resolved(id).and_then(|r| r.name(e));
            match name {
                Some(NameTarget::Field(field)) => {
                    let decl = program.field_decl(field);
                    let text = decl.and_then(|f| f.text.as_deref());
                    let owner = program.field_owner(field);
                    let text = text.and_then(|t| text_of_initialiser(program, owner, t));
                    let given = || given_once(workspace, field, left);
                    text.or_else(given).map_or_else(unknown, Some)
                }
                _ => unknown(),
            }
        }
        ExprKind::Call(call) => {
            let call = &body.calls[call.ix()];
            let args = body.list(call.args);
            match (call.callee, args) {
                // `URI.create("/a")`, `new URI("/a")`.
                (Callee::Method { name, .. }, &[one]) if body.name(name) == "create" => {
                    text(workspace, id, one, left)
                }
                (Callee::New { .. }, &[one]) => text(workspace, id, one, left),
                (Callee::Method { name, .. }, &[format, ..]) if body.name(name) == "format" => {
                    let format = text(workspace, id, format, left)?;
                    Some(format.replace("%s", UNKNOWN).replace("%d", UNKNOWN))
                }
                // `PATH.replace("{id}", id)`.
                (
                    Callee::Method {
                        receiver: Some(of),
                        name,
                    },
                    &[what, by],
                ) if body.name(name) == "replace" => {
                    let of = text(workspace, id, of, left)?;
                    let what = text(workspace, id, what, left)?;
                    let by = text(workspace, id, by, left)?;
                    match what.contains(UNKNOWN) {
                        true => unknown(),
                        false => Some(of.replace(&what, &by)),
                    }
                }
                _ => unknown(),
            }
        }
        // `uri(to -> to.path("/a").queryParam("b", 1).build())`.
        ExprKind::Lambda(_) => {
            let lambda = body.expr(e);
            let within = |call: &&flow::Call| {
                let at = body.expr(call.expr);
                lambda.start <= at.start && at.end <= lambda.end
            };
            let (mut path, mut query) = (None, String::new());
            for call in body.calls.iter().filter(within) {
                let Callee::Method { name, .. } = call.callee else {
                    return unknown();
                };
                match (addressed(body.name(name)), body.list(call.args)) {
                    (Some(Addressed::Path), &[one]) if path.is_none() => {
                        path = Some(text(workspace, id, one, left)?);
                    }
                    (Some(Addressed::Parameter), &[name, ..]) => {
                        let name = text(workspace, id, name, left)?;
                        let mark = if query.is_empty() { '?' } else { '&' };
                        query += &format!("{mark}{name}={UNKNOWN}");
                    }
                    (Some(Addressed::Aside), _) => {}
                    _ => return unknown(),
                }
            }
            path.map_or_else(unknown, |path| Some(path + &query))
        }
        _ => unknown(),
    }
}

/// The text that a field of tests' code is given, where the code of its class gives it one value alone: in a fixture, or
/// where it is declared.
fn given_once(workspace: &Workspace, field: FieldId, left: &mut usize) -> Option<String> {
    let program = workspace.program();
    let owner = program.field_owner(field);
    if !program.is_test_type(owner) {
        return None;
    }
    let methods = program.methods_of_type(owner).iter();
    let methods = methods.filter_map(|m| program.method_body(*m));
    let made = [Member::Init, Member::Clinit];
    let made = made.iter().filter_map(|m| program.body_of(owner, *m));
    let mut given = Vec::new();
    for id in methods.chain(made) {
        let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
            continue;
        };
        for (at, def) in decl.body.defs.iter().enumerate() {
            let named = match def.target {
                Target::OwnField(_) => resolved.own_field(DefId(at as u32)),
                Target::Place(place) => match resolved.name(place) {
                    Some(NameTarget::Field(of)) => Some(of),
                    _ => None,
                },
                _ => None,
            };
            if named == Some(field) {
                given.push((id, (!def.compound).then(|| decl.body.list(def.sources))));
            }
        }
    }
    match given[..] {
        [(id, Some(&[source]))] => text(workspace, id, source, left),
        _ => None,
    }
}
