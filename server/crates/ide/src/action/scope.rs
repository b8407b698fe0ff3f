//! Where in a test the variables that an expression names are in scope, and a statement can be reached.

use super::Readable;
use crate::code::Code;
use flow::VariableKind;
use program::{MethodId, Program};

/// A place for a statement.
pub(super) enum At {
    /// Before the brace that ends a block.
    End(usize),
    /// Before a statement behind which nothing is reached.
    Before(usize),
}

/// The end of the innermost block around all variables that a value names. Nothing where one is in no block.
pub(super) fn place(program: &Program, test: MethodId, text: &str, value: &Readable) -> Option<At> {
    let method = program.method_decl(test)?.span;
    let decl = program.body(program.method_body(test)?)?;
    let pairs = pairs(text, method.start as usize, method.end as usize);
    let mut close = (method.end as usize).checked_sub(1)?;
    let mut open = pairs.iter().find(|p| p.1 == close)?.0;
    for name in words(&value.expression) {
        // Of several of one name it is the one that was declared last.
        let locals = decl.body.locals.iter().filter(|l| l.name == name);
        let declared = locals
            .map(|l| (decl.start + l.start, l.kind))
            .filter(|(start, _)| *start < value.span.end)
            .max_by_key(|(start, _)| *start);
        let Some((start, kind)) = declared else {
            continue;
        };
        if kind == VariableKind::Parameter {
            continue;
        }
        let start = start as usize;
        let around = pairs.iter().filter(|p| p.0 < start && start < p.1);
        let &(from, to) = around.max_by_key(|p| p.0)?;
        let block = match text.as_bytes().get(from)? {
            b'{' => (from, to),
            // `try (Lock lock = lock()) {`, `for (Account a : all) {`
            b'(' => {
                let next = Code::new(text, to + 1, method.end as usize).next()?;
                *pairs.iter().find(|p| p.0 == next.0 && next.1 == b'{')?
            }
            _ => return None,
        };
        if block.1 < close {
            (open, close) = block;
        }
    }
    let last = last_statement(text, open + 1, close);
    let jumps = |at: usize| {
        let word = text[at..].split(|c: char| !c.is_alphanumeric()).next();
        matches!(word, Some("return" | "throw" | "break" | "continue"))
    };
    Some(match last.filter(|at| jumps(*at)) {
        Some(at) => At::Before(at),
        None => At::End(close),
    })
}

/// The identifiers of an expression that nothing qualifies.
fn words(expression: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut qualified = false;
    for (start, byte) in Code::new(expression, 0, expression.len()) {
        if start < at {
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let rest = &expression[start..];
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if length > 0 {
            if !qualified {
                out.push(&rest[..length]);
            }
            at = start + length;
        }
        qualified = byte == b'.';
    }
    out
}

/// The brackets of a stretch of code, as offsets.
fn pairs(text: &str, from: usize, to: usize) -> Vec<(usize, usize)> {
    let (mut open, mut out) = (Vec::new(), Vec::new());
    for (at, byte) in Code::new(text, from, to) {
        match byte {
            b'(' | b'{' => open.push(at),
            b')' | b'}' => out.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    out
}

/// Where the last statement of a block starts.
fn last_statement(text: &str, from: usize, to: usize) -> Option<usize> {
    let (mut depth, mut fresh, mut last) = (0usize, true, None);
    for (at, byte) in Code::new(text, from, to) {
        if fresh && depth == 0 {
            last = Some(at);
            fresh = false;
        }
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        fresh |= depth == 0 && matches!(byte, b';' | b'}');
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_has_neither_comments_nor_literals() {
        let text = "a { /* { */ \"}\\\"{\" '{' \"\"\"\n } \"\"\" // {\n }";
        assert_eq!(pairs(text, 0, text.len()), [(2, text.len() - 1)]);
        assert_eq!(words("a.b(c, \"d\").e + f1(ä)"), ["a", "c", "f1", "ä"]);
        for broken in ["\"", "'\\", "/*", "{ ( }", "\"\"\"", "}"] {
            pairs(broken, 0, broken.len());
        }
        let text = "{ a(); if (b) { return; } throw new E(\"x\"); }";
        assert_eq!(last_statement(text, 1, text.len() - 1), text.find("throw"));
    }
}
