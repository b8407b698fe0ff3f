//! Where an assertion on a value stands in its test: what an action writes there, and what is woven in to tell the value.

use crate::analysis::Analysis;
use crate::offers::Readable;
use flow::VariableKind;
use program::{FileId, MethodId, Program};

/// Where in a file an assertion on a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssertionPlace {
    /// Around the call whose result is dropped, which must not run twice.
    Around,
    /// As a statement of its own, before this byte: before the brace that ends a block, or a jump behind which nothing is
    /// reached.
    Before {
        /// The byte.
        at: u32,
        /// True for a brace.
        ends: bool,
    },
}

/// Where an assertion on a value would stand.
pub fn assertion_place(
    analysis: &Analysis,
    file: FileId,
    test: MethodId,
    value: &Readable,
) -> Option<AssertionPlace> {
    let program = analysis.program();
    let text = program.text(file)?;
    let decl = program.method_decl(test)?;
    if !text[..decl.span.end as usize].ends_with('}') {
        return None;
    }
    match is_statement(text, value) {
        true => Some(AssertionPlace::Around),
        false => in_scope(program, test, value),
    }
}

/// The end of the innermost block around all locals that a value names. Nothing where one is in no block.
fn in_scope(program: &Program, test: MethodId, value: &Readable) -> Option<AssertionPlace> {
    let decl = program.body(program.method_body(test)?)?;
    let body = &decl.body;
    let mut scope = body.scopes.first()?;
    for &local in &value.locals {
        if body.locals[local.ix()].kind != VariableKind::Parameter {
            let own = body.scope_of(local)?;
            if own.end < scope.end {
                scope = own;
            }
        }
    }
    Some(AssertionPlace::Before {
        at: decl.start + scope.last,
        ends: scope.last + 1 == scope.end,
    })
}

/// True if the value is that of a call that stands alone, as a statement.
fn is_statement(text: &str, value: &Readable) -> bool {
    let (start, end) = (value.span.start as usize, value.span.end as usize);
    let (Some(before), Some(own), Some(after)) =
        (text.get(..start), text.get(start..end), text.get(end..))
    else {
        return false;
    };
    let same = |a: &str, b: &str| {
        let tight = |c: &char| !c.is_whitespace();
        a.chars().filter(tight).eq(b.chars().filter(tight))
    };
    same(own, &value.expression)
        && before.trim_end().ends_with([';', '{', '}'])
        && after.trim_start().starts_with(';')
}
