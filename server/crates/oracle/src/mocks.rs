//! Where tests make mocks, tell them what to answer and ask them how they were used.

use crate::frameworks::{any, tells_or_asks};
use flow::{Body, Call, Callee, ExprId, ExprKind};
use program::FieldDecl;

/// True for a field that holds a mock, a spy or a captor, as its annotations say.
pub fn is_mock_field(field: &FieldDecl) -> bool {
    field.annotations.iter().any(|a| any(a, |row| row.mocked))
}

/// True for a field that holds a mock of which every answer is told.
pub fn is_bare_mock_field(field: &FieldDecl) -> bool {
    field.annotations.iter().any(|a| any(a, |row| row.bare))
}

/// True for a call that makes a mock, a spy or a captor.
pub fn makes_mock(body: &Body, e: ExprId) -> bool {
    match body.expr(e).kind {
        ExprKind::Call(c) => {
            name_of(body, &body.calls[c.ix()]).is_some_and(|name| any(name, |row| row.mocks))
        }
        ExprKind::Cast { operand, .. } => makes_mock(body, operand),
        _ => false,
    }
}

/// True for a call that makes a mock of which every answer is told.
pub fn makes_bare_mock(body: &Body, call: &Call) -> bool {
    name_of(body, call).is_some_and(|name| any(name, |row| row.makes_bare))
}

/// True for `verify(mock).call()`, `when(mock).call()` and the like.
pub fn is_of_mock(body: &Body, call: &Call) -> bool {
    let Callee::Method {
        receiver: Some(r), ..
    } = call.callee
    else {
        return false;
    };
    let ExprKind::Call(of) = body.expr(r).kind else {
        return false;
    };
    name_of(body, &body.calls[of.ix()]).is_some_and(tells_or_asks)
}

/// True for a statement of which the one before says that it asks how often it was called:
/// `verifyStatic(Files.class); Files.delete(path);`.
pub fn is_asked_of_mock(body: &Body, e: ExprId) -> bool {
    let start = body.expr(e).start;
    let before = body.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Call(c) if expr.end <= start && body.calls[c.ix()].dropped => {
            Some((expr.end, &body.calls[c.ix()]))
        }
        _ => None,
    });
    let last = before.max_by_key(|(end, _)| *end);
    let name = last.and_then(|(_, call)| name_of(body, call));
    name.is_some_and(|name| any(name, |row| row.asks_next))
}

fn name_of<'b>(body: &'b Body, call: &Call) -> Option<&'b str> {
    match call.callee {
        Callee::Method { name, .. } => Some(body.name(name).as_str()),
        _ => None,
    }
}
