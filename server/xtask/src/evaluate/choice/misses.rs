//! Why what a developer read does not stand among the first ten, by kind.

use calls::Workspace;
use flow::ExprKind;
use oracle::Reader;
use program::{NameTarget, Ty};

use super::cases::Kind;
use super::{Answer, Case, place};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    NewInput,
    Other,
    UnknownType,
    Library,
    TooFar,
    Local,
    Field,
    NoQuery,
    Checked,
    Low,
}

impl Why {
    pub(super) fn text(self) -> &'static str {
        match self {
            Why::NewInput => "a call with arguments: new input, not an observation",
            Why::Other => "a static call, a helper of the test, a new object",
            Why::UnknownType => "no point: the object's type is not known",
            Why::Library => "no point: a query of a library that nothing here asks",
            Why::TooFar => "no point: a query of a query of a query",
            Why::Local => "no point: a variable (loop's, bare, in a lambda, out of scope)",
            Why::Field => "no point: a field",
            Why::NoQuery => "no point: the method counts as no query",
            Why::Checked => "counts as checked already",
            Why::Low => "a point, below the tenth place",
        }
    }
}

/// Why a case is missed; none if it is not.
pub(super) fn why(workspace: &Workspace, case: &Case, answer: &Answer) -> Option<Why> {
    if place(case, &answer.readable).is_some() {
        return None;
    }
    match case.kind {
        Kind::Arguments => return Some(Why::NewInput),
        Kind::Other => return Some(Why::Other),
        Kind::Value => {}
    }
    let points = answer.points.iter().filter(|p| case.is(&p.0.expression));
    let mut points = points.peekable();
    if points.peek().is_some() {
        return Some(if points.all(|p| p.1) {
            Why::Checked
        } else {
            Why::Low
        });
    }
    let reader = Reader::new(workspace.program(), case.body)?;
    let (e, path) = case.reading.paths.first()?;
    let body = reader.body;
    if path.depth == 0 {
        return Some(match body.expr(path.start).kind {
            ExprKind::Local(_) => Why::Local,
            _ => Why::Field,
        });
    }
    if path.depth > 2 {
        return Some(Why::TooFar);
    }
    let object = match body.expr(*e).kind {
        ExprKind::Call(c) => match body.calls[c.ix()].callee {
            flow::Callee::Method { receiver, .. } => receiver?,
            _ => return Some(Why::Other),
        },
        ExprKind::Field { object, .. } => {
            if matches!(reader.resolved.name(*e), Some(NameTarget::Field(_))) {
                return Some(Why::Field);
            }
            object
        }
        _ => return Some(Why::Other),
    };
    let ty = reader.resolved.ty(object);
    Some(if ty == Ty::UNKNOWN {
        Why::UnknownType
    } else if workspace.program().class_of(ty).is_none() {
        Why::Library
    } else {
        Why::NoQuery
    })
}
