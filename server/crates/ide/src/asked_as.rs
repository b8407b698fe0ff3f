//! Under which name a recording keeps what a test could read.

use flow::{Body, LocalId};
use program::{MethodId, Program};
use recommend::Observation;
use smol_str::{SmolStr, format_smolstr};

/// The expression. Behind it stands which it is where a test has several locals of a
/// name, `reader.line() (reader 2)`, or writes several calls alike, `list.add(x) (call 2)`: these are other objects, and other calls.
pub fn asked_as(program: &Program, test: MethodId, value: &Observation) -> SmolStr {
    let expression = &value.expression;
    let mut out = expression.clone();
    let (Some(decl), Some(text)) = (
        program.method_body(test).and_then(|b| program.body(b)),
        program.method_file(test).and_then(|f| program.text(f)),
    ) else {
        return out;
    };
    for &local in &value.locals {
        if let Some((nth, name)) = of_name(&decl.body, local) {
            out = format_smolstr!("{out} ({name} {nth})");
        }
    }
    let own = text.get(value.start as usize..value.end as usize);
    if own.is_some_and(|own| is_written_alike(own, expression)) {
        let calls = decl.body.calls.iter().map(|c| decl.body.expr(c.expr));
        let calls = calls.map(|e| (decl.start + e.start, decl.start + e.end));
        let mut alike: Vec<u32> = calls
            .filter(|(start, end)| {
                let of = text.get(*start as usize..*end as usize);
                of.is_some_and(|of| is_written_alike(of, expression))
            })
            .map(|(start, _)| start)
            .collect();
        alike.sort_unstable();
        if let (2.., Some(at)) = (alike.len(), alike.iter().position(|a| *a == value.start)) {
            out = format_smolstr!("{out} (call {})", at + 1);
        }
    }
    out
}

/// Which of the locals of its name one is, from 1, if there are others.
fn of_name(body: &Body, local: LocalId) -> Option<(usize, &SmolStr)> {
    let name = &body.locals.get(local.ix())?.name;
    let all = body.locals.iter().enumerate();
    let mut alike = all.filter(|(_, l)| l.name == *name).map(|(at, _)| at);
    let nth = alike.clone().position(|at| at == local.ix())? + 1;
    alike.nth(1).map(|_| (nth, name))
}

fn is_written_alike(a: &str, b: &str) -> bool {
    let tight = |c: &char| !c.is_whitespace();
    a.chars().filter(tight).eq(b.chars().filter(tight))
}
