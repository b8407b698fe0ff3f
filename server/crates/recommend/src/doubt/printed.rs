//! What a test prints: what somebody may read there nobody checks.

use flow::{Call, Callee, ExprId};
use observe::is_logger;
use oracle::Reader;

/// The calls of a test that print or log.
pub(super) struct Printed {
    calls: Vec<ExprId>,
    /// Where their arguments stand.
    arguments: Vec<(u32, u32)>,
}

impl Printed {
    pub(super) fn new(reader: &Reader<'_>) -> Printed {
        let body = reader.body;
        let calls: Vec<&Call> = body.calls.iter().filter(|c| prints(reader, c)).collect();
        let arguments = calls.iter().flat_map(|c| body.list(c.args));
        let span = |e: &ExprId| (body.expr(*e).start, body.expr(*e).end);
        Printed {
            arguments: arguments.map(span).collect(),
            calls: calls.iter().map(|c| c.expr).collect(),
        }
    }

    /// True for such a call, and for what is in its arguments.
    pub(super) fn has(&self, e: ExprId, expr: &flow::Expr) -> bool {
        let within = |a: &(u32, u32)| a.0 <= expr.start && expr.end <= a.1;
        self.calls.contains(&e) || self.arguments.iter().any(within)
    }
}

/// True for a call that prints or logs.
fn prints(reader: &Reader<'_>, call: &Call) -> bool {
    let Callee::Method {
        receiver: Some(on),
        name,
    } = call.callee
    else {
        return false;
    };
    let is_stream = || matches!(&*reader.text(on), "System.out" | "System.err");
    // Most tests log nothing, and of what class a receiver is takes a look at all above it.
    match call.dropped {
        false => false,
        true if reader.body.name(name).starts_with("print") => is_stream(),
        true => is_logger(reader.program, reader.resolved.ty(on)),
    }
}
