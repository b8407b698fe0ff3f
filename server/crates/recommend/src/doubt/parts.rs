//! What an assertion reads of its value by names: `assertThat(owner).hasFieldOrPropertyWithValue("name", "Ann")` reads
//! `owner.getName()`, and so does `extracting(Owner::getName)`, or `satisfies(o -> assertThat(o.getName())…)`.

use flow::{ExprId, ExprKind, Lambda, Literal};
use oracle::frameworks::{gives_parts, names_parts};
use oracle::{Assertion, Reader, Root, squeezed};
use smol_str::{SmolStr, format_smolstr};

/// How many parts of an argument are looked at.
const PARTS: usize = 200;

/// The queries that an assertion so makes, without white space, with what they go out from and where they end.
pub(super) fn named_parts(reader: &Reader<'_>, a: &Assertion) -> Vec<(SmolStr, Option<Root>, u32)> {
    let body = reader.body;
    let mut out = Vec::new();
    let Some(call) = a.call else { return out };
    let Some(&actual) = body.list(body.calls[call.ix()].args).first() else {
        return out;
    };
    let of = body.expr(actual);
    let value = squeezed(reader.program.body_text(reader.id, of.start, of.end));
    let root = reader.path(actual).map(|p| p.root);
    for link in &a.chained {
        let link = &body.calls[link.ix()];
        let flow::Callee::Method { name, .. } = link.callee else {
            continue;
        };
        let end = body.expr(link.expr).end;
        let most = names_parts(body.name(name));
        for &arg in body.list(link.args).iter().take(most) {
            for query in queries(reader, arg, &value) {
                out.push((query, root.clone(), end));
            }
        }
        // What stands behind `extracting(…)` is about the part.
        if most > 0 && gives_parts(body.name(name)) {
            break;
        }
    }
    out
}

/// What an argument says that is read of a value.
fn queries(reader: &Reader<'_>, arg: ExprId, value: &str) -> Vec<SmolStr> {
    let body = reader.body;
    let mut out = Vec::new();
    let mut work = vec![arg];
    for _ in 0..PARTS {
        let Some(e) = work.pop() else { break };
        let expr = body.expr(e);
        match expr.kind {
            ExprKind::Literal(Literal::Str) => {
                let text = reader.program.body_text(reader.id, expr.start, expr.end);
                out.extend(of_property(value, text.trim_matches('"')));
            }
            ExprKind::MethodRef { name, .. } => {
                out.push(format_smolstr!("{value}.{}()", body.name(name)));
            }
            ExprKind::Lambda(lambda) => {
                out.extend(of_lambda(reader, &body.lambdas[lambda.ix()], value));
            }
            // `from(Owner::getName)`
            _ => body.operands_of(e, &mut work),
        }
    }
    out
}

/// `owner.getName()`, `owner.isName()`, `owner.name()` and `owner.name` for `name`; all steps of `address.city` in one way.
fn of_property(value: &str, property: &str) -> Vec<SmolStr> {
    let steps: Vec<&str> = property.split('.').collect();
    let is_name = |s: &&str| !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !steps.iter().all(is_name) {
        return Vec::new();
    }
    let large = |s: &str| {
        let mut chars = s.chars();
        let first = chars.next().into_iter().flat_map(char::to_uppercase);
        first.chain(chars).collect::<String>()
    };
    let path = |step: &dyn Fn(&str) -> String| {
        let all: String = steps.iter().map(|s| step(s)).collect();
        format_smolstr!("{value}{all}")
    };
    vec![
        path(&|s| format!(".get{}()", large(s))),
        path(&|s| format!(".is{}()", large(s))),
        path(&|s| format!(".{s}()")),
        path(&|s| format!(".{s}")),
    ]
}

/// What a lambda asks of what it is given, asked of the value.
fn of_lambda(reader: &Reader<'_>, lambda: &Lambda, value: &str) -> Vec<SmolStr> {
    let body = reader.body;
    let [param] = lambda.params[..] else {
        return Vec::new();
    };
    let begins = format!("{}.", body.locals[param.ix()].name);
    let mut out = Vec::new();
    for at in lambda.first.0..lambda.expr.0 {
        let expr = body.expr(ExprId(at));
        if !matches!(expr.kind, ExprKind::Call(_) | ExprKind::Field { .. }) {
            continue;
        }
        let text = squeezed(reader.program.body_text(reader.id, expr.start, expr.end));
        if let Some(asked) = text.strip_prefix(&begins) {
            out.push(format_smolstr!("{value}.{asked}"));
        }
    }
    out
}
