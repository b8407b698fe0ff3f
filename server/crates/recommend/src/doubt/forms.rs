//! What an assertion compares objects by.

use super::begins;
use flow::{BinaryOp, Body, Call, CallId, Callee, ExprKind};
use oracle::Assertion;

/// Assertions and links that tell two objects apart.
const RELATIONS: &[&str] = &[
    "assertNotEquals",
    "assertNotSame",
    "isNotEqualTo",
    "isNotSameAs",
];

/// Assertions and links that compare by `equals`, and matchers.
const EQUALITIES: &[&str] = &["assertEquals", "isEqualTo"];
const EQUAL_MATCHERS: &[&str] = &["equalTo", "is"];

/// Beginnings of assertions, links and matchers that ask for the same object.
const IDENTITY: &[&str] = &["assertSame", "isSame", "sameInstance", "theInstance"];

/// How deep matchers stand in each other.
const MATCHERS: u32 = 2;

/// True for an assertion that two objects differ.
pub(super) fn tells_apart(body: &Body, assertion: &Assertion) -> bool {
    let mut calls = assertion.chained.iter().chain(&assertion.call);
    calls.any(|c| RELATIONS.contains(&name_of(body, *c)))
}

/// True for an assertion that compares by `equals`: no helper, and nothing that asks for the same object, which has every
/// part of the other, whatever `equals` does.
pub(super) fn is_equality(body: &Body, assertion: &Assertion) -> bool {
    let links = assertion.call.iter().chain(&assertion.chained);
    let mut is_equal = links
        .clone()
        .any(|c| EQUALITIES.contains(&name_of(body, *c)));
    // `assertThat(a, equalTo(b))`, and once more within `is`.
    let mut work: Vec<(CallId, u32)> = links.map(|c| (*c, MATCHERS)).collect();
    while let Some((call, deep)) = work.pop() {
        if begins(name_of(body, call), IDENTITY) {
            return false;
        }
        for &a in body.list(body.calls[call.ix()].args) {
            match body.expr(a).kind {
                ExprKind::Call(c) if deep > 0 => {
                    is_equal |= EQUAL_MATCHERS.contains(&name_of(body, c));
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

fn name_of(body: &Body, call: CallId) -> &str {
    match body.calls[call.ix()] {
        Call {
            callee: Callee::Method { name, .. },
            ..
        } => body.name(name),
        _ => "",
    }
}
