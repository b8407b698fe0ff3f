//! Calls of libraries, as far as their classes are known.

use flow::{Body, CallId, Callee, ExprId};
use program::{Program, ResolvedBody};

/// The class that says what a call of a library means; none if nobody knows.
pub(crate) fn class_of_call(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    call: CallId,
) -> Option<smol_str::SmolStr> {
    let record = &body.calls[call.ix()];
    if let Some(method) = resolved.library_method(record.expr) {
        return Some(program.type_name(program.method_owner(method)).clone());
    }
    let at = match record.callee {
        Callee::Method { receiver, .. } => receiver?,
        _ => record.expr,
    };
    let class = program.library_type_of(resolved.ty(at));
    class.map(|c| program.type_name(c).clone())
}

/// True for an expression that may be written over lines by chained calls.
pub(crate) fn receiver(body: &Body, call: CallId) -> Option<ExprId> {
    match body.calls[call.ix()].callee {
        Callee::Method { receiver, .. } => receiver,
        Callee::New { outer, .. } | Callee::SuperConstructor { outer } => outer,
        Callee::ThisConstructor | Callee::EnumConstant { .. } => None,
    }
}
