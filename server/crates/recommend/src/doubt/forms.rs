//! What an assertion compares objects by.

use flow::{BinaryOp, Body, CallId, ExprKind};
use oracle::Assertion;
use oracle::frameworks::{Says, matcher, says};

/// How deep matchers stand in each other.
const MATCHERS: u32 = 2;

/// True for an assertion that two objects differ.
pub(super) fn tells_apart(body: &Body, assertion: &Assertion) -> bool {
    let mut calls = assertion.chained.iter().chain(&assertion.call);
    calls.any(|c| says(body.called(*c)).is_some_and(Says::tells_apart))
}

/// True for an assertion that compares by `equals`: no helper, and nothing that asks for the same object, which has every
/// part of the other, whatever `equals` does.
pub(super) fn is_equality(body: &Body, assertion: &Assertion) -> bool {
    let links = assertion.call.iter().chain(&assertion.chained);
    let mut is_equal = links
        .clone()
        .any(|c| says(body.called(*c)) == Some(Says::Equal));
    // `assertThat(a, equalTo(b))`, and once more within `is`.
    let mut work: Vec<(CallId, u32)> = links.map(|c| (*c, MATCHERS)).collect();
    while let Some((call, deep)) = work.pop() {
        if says(body.called(call)) == Some(Says::Same) {
            return false;
        }
        for &a in body.list(body.calls[call.ix()].args) {
            match body.expr(a).kind {
                ExprKind::Call(c) if deep > 0 => {
                    let said = matcher(body.called(c));
                    is_equal |= matches!(said, Some(Says::Equal | Says::Is));
                    work.push((c, deep - 1));
                }
                // `assertEquals(true, a == b)`.
                ExprKind::Binary {
                    op: BinaryOp::Eq, ..
                } => return false,
                _ => {}
            }
        }
    }
    is_equal
}
