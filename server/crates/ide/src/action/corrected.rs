//! *Correct it* of an assertion that compares with a value: another one stands in its place until somebody writes what is right.
//!
//! What is compared with holds, or the test would not have been judged, so whatever is not equal to it fails:
//! `assertEquals(3, stock.left())` becomes `assertEquals(Integer.MIN_VALUE, stock.left())`. It has the very type of what it replaces, so
//! that the same overload is called. Left out: what is not seen to be a constant, whose type would have to be guessed, and truth
//! values, of which the contrary is the only other one.

use super::expected::{Expected, Kind};
use crate::analysis::Analysis;
use crate::change::SourceChange;
use crate::suspects::Assertion;
use flow::{Body, CallId, ExprId, ExprKind, Literal, UnaryOp};
use oracle::Reader;
use oracle::frameworks::{Says, assertion as said, link, matcher, takes_value};
use program::{BodyId, Program};
use text::{Edit, Span};

/// How the least numbers and characters are written: what stands for an expected value otherwise.
const LEAST: &[&str] = &[
    "MIN_VALUE",
    "2147483648",
    "9223372036854775808",
    "0x80000000",
    "32768",
    "128",
    "'\\0'",
    "'\\u0000'",
];

/// The change that has somebody write another expected value.
pub(super) fn another_value(analysis: &Analysis, assertion: &Assertion) -> Option<SourceChange> {
    let program = analysis.program();
    let id = program.method_body(assertion.test)?;
    let decl = program.body(id)?;
    let body = &decl.body;
    let chains = analysis.workspace().chains(id)?;
    let own = chains
        .assertions
        .iter()
        .find(|a| decl.start + body.expr(a.expr).start == assertion.span.start)?;
    let is = expected(program, id, body, own)?;
    let place = body.expr(is);
    let span = Span::new(decl.start + place.start, decl.start + place.end);
    let written = program.text(assertion.file)?.get(span.range())?;
    let new = other(program, body, is, written)?;
    let at = new.before.len();
    Some(SourceChange {
        placeholder: Some(at..at + new.filled.len()),
        ..SourceChange::of(assertion.file, vec![Edit::new(span, new.text())])
    })
}

/// What an assertion compares with.
fn expected(program: &Program, id: BodyId, body: &Body, own: &oracle::Assertion) -> Option<ExprId> {
    let args = |call: CallId| body.list(body.calls[call.ix()].args);
    let named = |call: CallId| {
        body.method_name(&body.calls[call.ix()])
            .map(|name| name.as_str())
    };
    let compares = |says: Says| matches!(says, Says::Equal | Says::Near);
    let call = own.call?;
    if !own.chained.is_empty() {
        let is_it = |c: &&CallId| named(**c).and_then(link).is_some_and(compares);
        let link = own.chained.iter().rev().find(is_it)?;
        return args(*link).first().copied();
    }
    let name = named(call)?;
    if takes_value(name) {
        let mut e = *args(call).last()?;
        // `is(equalTo(3))`
        while let ExprKind::Call(within) = body.expr(e).kind
            && let Some(says) = named(within).and_then(matcher)
            && (says == Says::Is || compares(says))
        {
            e = *args(within).first()?;
        }
        return Some(e);
    }
    match said(name)? {
        Says::Equal => {
            let form = Reader::new(program, id)?.form(call)?;
            let args = args(call);
            let is_text = |e: &ExprId| body.expr(*e).kind == ExprKind::Literal(Literal::Str);
            // A message, two values, and a tolerance.
            let message = match (form.is_message_last, args) {
                (true, _) => 0,
                (false, [first, _, _]) => usize::from(is_text(first)),
                (false, [_, _, _, _]) => 1,
                (false, _) => 0,
            };
            args.get(message + usize::from(form.is_actual_first))
                .copied()
        }
        _ => None,
    }
}

/// Something of the type of a constant that is not equal to it.
fn other(program: &Program, body: &Body, e: ExprId, written: &str) -> Option<Expected> {
    let ty = match body.expr(e).kind {
        ExprKind::Literal(literal) => of_literal(literal)?,
        ExprKind::Unary {
            op: UnaryOp::Minus | UnaryOp::Plus,
            operand,
        } => match body.expr(operand).kind {
            ExprKind::Literal(literal) => of_literal(literal)?,
            _ => return None,
        },
        ExprKind::Cast { .. } => {
            let ty = written.strip_prefix('(')?.split_once(')')?.0;
            ty.trim()
        }
        ExprKind::Field { object, .. } => {
            let ExprKind::Name(class) = body.expr(object).kind else {
                return None;
            };
            let class = body.name(class).as_str();
            if let Some(Kind::Enum(_)) = Kind::of(program, class) {
                // It is there to be completed, and throws until it is.
                let words = "valueOf(\"what should it be?\")";
                return Some(Expected::of(&format!("{class}."), words, ""));
            }
            class
        }
        _ => return None,
    };
    let Some(Kind::Plain(plain)) = Kind::of(program, ty) else {
        return None;
    };
    if plain.is_text() {
        return Some(plain.exact());
    }
    let class = plain.box_name();
    let ends = match class {
        // The least fraction is within each tolerance of nought.
        "Double" | "Float" => ["MAX_VALUE", "E308", "E38"]
            .iter()
            .any(|w| written.contains(w)),
        _ => !LEAST.iter().any(|w| written.contains(w)),
    };
    let name = if ends { "MIN_VALUE" } else { "MAX_VALUE" };
    Some(Expected::of("", &format!("{class}.{name}"), ""))
}

/// The type of a literal; none of those that say themselves what else there is.
fn of_literal(literal: Literal) -> Option<&'static str> {
    match literal {
        Literal::Int => Some("int"),
        Literal::Long => Some("long"),
        Literal::Float => Some("float"),
        Literal::Double => Some("double"),
        Literal::Char => Some("char"),
        Literal::Str => Some("String"),
        Literal::True | Literal::False | Literal::Null => None,
    }
}
