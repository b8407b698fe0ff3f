//! What a person wrote as an expression: it goes into a call as it is, and must not end it.

use std::sync::Arc;
use syntax::{Kind, SourceFile};

/// True for one Java expression, and nothing else: `neg >= 0`, but not `a), f(b` nor `neg // why`.
pub fn is_expression(text: &str) -> bool {
    const BEFORE: &str = "class A { Object a = (";
    let source = SourceFile::parse(Arc::from(format!("{BEFORE}{text}); }}")));
    if source.has_errors() {
        return false;
    }
    let (start, end) = (BEFORE.len() - 1, BEFORE.len() + text.len() + 1);
    let root = source.tree().root_node();
    let node = root.named_descendant_for_byte_range(start, end);
    node.is_some_and(|n| {
        n.byte_range() == (start..end) && Kind::of(&n) == Kind::ParenthesizedExpression
    })
}

#[cfg(test)]
mod tests {
    use super::is_expression;

    #[test]
    fn one_expression_and_nothing_else() {
        for text in [
            "neg >= 0",
            "a.f(b, c)",
            "x -> x",
            "\"a)\" + b",
            "/* all */ a",
            "a\n&& b",
        ] {
            assert!(is_expression(text), "{text}");
        }
        for text in [
            "",
            " ",
            "neg // why",
            "a), f(b",
            "a; b",
            "neg >=",
            "int a = 2",
            "a) + (b",
        ] {
            assert!(!is_expression(text), "{text}");
        }
    }
}
