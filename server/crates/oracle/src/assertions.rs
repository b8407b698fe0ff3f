//! Which calls are assertions: by name, with a few that only count on certain receivers.
//!
//! `queries/java/assertions.scm` says the same of a syntax tree, and a test holds the two equal on real tests; here it is
//! read from the records of a body, which costs no walk of a tree. A workspace's own query adds to it.

use crate::frameworks::any;
use flow::{Body, Call, CallId, Callee, ExprId, ExprKind};
use rustc_hash::FxHashMap;

/// True if a call of `body` is an assertion of JUnit, TestNG, AssertJ (also as `then(x).…`), Hamcrest, Truth, Mockito or EasyMock, or a
/// project's own `assertSorted(list)`; or if it ends where `captured` (relative, ascending) says that one ends.
pub fn is_assertion(body: &Body, call: CallId, captured: &[u32]) -> bool {
    let call = &body.calls[call.ix()];
    let Callee::Method { receiver, name } = call.callee else {
        return false;
    };
    let name = body.name(name).as_str();
    asserts_by_name(name)
        || name == "then" && call.args.len == 1 && is_behaviour(body, call)
        || may_fail(name)
            && receiver.is_none_or(|r| match body.expr(r).kind {
                ExprKind::This | ExprKind::Super => true,
                _ => last_name(body, r).is_some_and(|n| any(n, |row| row.fails_on)),
            })
        || name.starts_with("verify")
            && any(name, |row| row.verifies)
            && receiver.is_none_or(|r| {
                last_name(body, r).is_some_and(|n| any(n, |row| row.verifies_on) || is_in_order(n))
            })
        || captured.binary_search(&body.expr(call.expr).end).is_ok()
}

/// One call that asserts something, or an `assert` statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// The call, or the condition of the statement.
    pub expr: ExprId,
    /// The call.
    pub call: Option<CallId>,
    /// The calls chained to it, in order: of `assertThat(x).as("it").isEqualTo(y)` the last two.
    pub chained: Vec<CallId>,
}

impl Assertion {
    /// All of it: the last call of its chain, or its own expression.
    pub fn end(&self, body: &Body) -> ExprId {
        let last = self.chained.last();
        last.map_or(self.expr, |c| body.calls[c.ix()].expr)
    }
}

/// The assertions of a body: the calls in order of evaluation, then the statements.
pub fn assertions(body: &Body, captured: &[u32]) -> Vec<Assertion> {
    let mut out: Vec<Assertion> = Vec::new();
    // By expression: the assertion whose chain ends there.
    let mut chain: FxHashMap<ExprId, usize> = FxHashMap::default();
    for (i, call) in body.calls.iter().enumerate() {
        let id = CallId(i as u32);
        if let Callee::Method {
            receiver: Some(receiver),
            ..
        } = call.callee
            && let Some(&of) = chain.get(&receiver)
        {
            chain.insert(call.expr, of);
            out[of].chained.push(id);
        } else if is_assertion(body, id, captured) {
            chain.insert(call.expr, out.len());
            out.push(Assertion {
                expr: call.expr,
                call: Some(id),
                chained: Vec::new(),
            });
        }
    }
    out.extend(body.asserts.iter().map(|&condition| Assertion {
        expr: condition,
        call: None,
        chained: Vec::new(),
    }));
    out
}

/// True for assertions whose arguments are values that the test observes.
pub fn observes(body: &Body, call: CallId) -> bool {
    body.method_name(&body.calls[call.ix()])
        .is_none_or(|name| !may_fail(name))
}

/// True for `then(x)` of AssertJ: something is asked of it, and not how a mock was used (`then(mock).should()`), which is an
/// assertion of its own.
fn is_behaviour(body: &Body, then: &Call) -> bool {
    let Callee::Method { receiver, .. } = then.callee else {
        return false;
    };
    let is_own = receiver.is_none_or(|r| match body.expr(r).kind {
        ExprKind::This | ExprKind::Super => true,
        _ => last_name(body, r).is_some_and(|n| any(n, |row| row.behaves_on)),
    });
    let goes_on = |call: &Call| match call.callee {
        Callee::Method {
            receiver: Some(r),
            name,
        } => r == then.expr && !body.name(name).starts_with("should"),
        _ => false,
    };
    is_own && body.calls.iter().any(goes_on)
}

/// True for the name of a call that ends a test as failed, if it is of the right class. Every call of a program is asked:
/// the first letters decide nearly always.
fn may_fail(name: &str) -> bool {
    (name.starts_with("fail") || name.starts_with("should")) && any(name, |row| row.fails)
}

/// `assert`, `assertEquals`, `assert_that`, `assert2`; not `assertion`, `asserts`.
fn asserts_by_name(name: &str) -> bool {
    name.strip_prefix("assert").is_some_and(|rest| {
        rest.chars()
            .next()
            .is_none_or(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    })
}

/// `inOrder`, `InOrder`, `inOrder2`.
fn is_in_order(name: &str) -> bool {
    name.strip_prefix("inOrder")
        .or_else(|| name.strip_prefix("InOrder"))
        .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

/// The name at the end of `a.b.Name`, or that of a local.
pub fn last_name(body: &Body, e: ExprId) -> Option<&str> {
    match body.expr(e).kind {
        ExprKind::Local(l) => Some(body.locals[l.ix()].name.as_str()),
        ExprKind::Name(n) | ExprKind::Field { name: n, .. } => Some(body.name(n).as_str()),
        _ => None,
    }
}
