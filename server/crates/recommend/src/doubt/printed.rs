//! What a test prints: what somebody may read there nobody checks.

use flow::{Call, Callee};
use observe::is_logger;
use oracle::Reader;

/// True for a call that prints or logs.
pub(super) fn prints(reader: &Reader<'_>, call: &Call) -> bool {
    let Callee::Method {
        receiver: Some(on),
        name,
    } = call.callee
    else {
        return false;
    };
    let is_stream = || matches!(&*reader.text(on), "System.out" | "System.err");
    reader.body.name(name).starts_with("print") && is_stream()
        || is_logger(reader.program, reader.resolved.ty(on))
}

/// Where the arguments of such calls stand.
pub(super) fn printed(reader: &Reader<'_>) -> Vec<(u32, u32)> {
    let body = reader.body;
    let calls = body.calls.iter().filter(|c| prints(reader, c));
    let args = calls.flat_map(|c| body.list(c.args));
    args.map(|a| (body.expr(*a).start, body.expr(*a).end))
        .collect()
}
