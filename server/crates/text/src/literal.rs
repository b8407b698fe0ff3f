//! Texts as Java writes them.

/// `text` as a Java string literal. What is not ASCII stays as it is: a file in which it is written has its encoding.
pub fn java_literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::java_literal;

    #[test]
    fn what_java_would_read_otherwise_is_escaped() {
        assert_eq!(java_literal("a\"b\\c"), r#""a\"b\\c""#);
        assert_eq!(java_literal("\r\n\t\u{7}é"), "\"\\r\\n\\t\\u0007é\"");
    }
}
