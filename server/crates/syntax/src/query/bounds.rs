//! What a query may be before tree-sitter compiles it.
//!
//! Its parser calls itself for each bracket and each field, so that some thousands of them end the process; and it
//! counts its steps in 16 bits. A query that comes with a project is somebody else's: it is looked at first.

/// How deep brackets and fields may be nested; the built-in queries go to 9.
const DEEPEST: usize = 64;

/// How many bytes a query may have: each makes less than two steps, and there may be 65,534.
const LONGEST: usize = 32_000;

/// What is wrong with `text`, and at which byte.
pub(super) fn check(text: &str) -> Result<(), (usize, String)> {
    if text.len() > LONGEST {
        let message = format!(
            "{} bytes are too many, at most {LONGEST} are read",
            text.len()
        );
        return Err((0, message));
    }
    let bytes = text.as_bytes();
    // How deep each open bracket lies, and how many fields wait for their pattern inside the innermost.
    let mut open: Vec<usize> = Vec::new();
    let mut fields = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => at += bytes[at..].iter().take_while(|&&b| b != b'\n').count(),
            b'"' => {
                at = behind_string(bytes, at);
                fields = 0;
                continue;
            }
            b'(' | b'[' => {
                open.push(open.last().copied().unwrap_or(0) + fields + 1);
                fields = 0;
            }
            b')' | b']' => {
                open.pop();
                fields = 0;
            }
            b':' => fields += 1,
            _ if is_word(byte) => {
                let end = at + bytes[at..].iter().take_while(|&&b| is_word(b)).count();
                // The wildcard is a pattern, and ends the fields before it.
                if &bytes[at..end] == b"_" {
                    fields = 0;
                }
                at = end;
                continue;
            }
            _ => {}
        }
        if open.last().copied().unwrap_or(0) + fields > DEEPEST {
            return Err((at, format!("nested deeper than {DEEPEST}")));
        }
        at += 1;
    }
    Ok(())
}

/// Where the string that starts at `at` has ended: strings end on their line, or are an error there.
fn behind_string(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\n' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, LONGEST, check};

    #[test]
    fn nesting_has_a_bound() {
        let nested = |n: usize| format!("{}_{}", "(".repeat(n), ")".repeat(n));
        assert_eq!(check(&nested(DEEPEST)), Ok(()));
        let (at, message) = check(&nested(DEEPEST + 1)).expect_err("too deep");
        assert_eq!((at, message.as_str()), (DEEPEST, "nested deeper than 64"));
        assert!(check(&"[".repeat(1_000)).is_err());
        assert!(check(&"name: ".repeat(1_000)).is_err());
        assert!(check(&"([name: ".repeat(30)).is_err());
    }

    #[test]
    fn what_only_looks_nested_is_not() {
        for text in [
            "(a (b) [(c) (d)]) ".repeat(1_000),
            "(a name: _ value: \"(((\" type: (b)) ".repeat(500),
            format!("(a x: _ y: \"\" {})", "z: _ ".repeat(200)),
            format!("; {}\n(a)", "(".repeat(1_000)),
            format!("(a (#match? @x \"\\\"{}\"))", "(".repeat(1_000)),
            "\"(\n".repeat(1_000),
        ] {
            assert_eq!(check(&text), Ok(()), "{text}");
        }
    }

    #[test]
    fn length_has_a_bound() {
        assert_eq!(check(&" ".repeat(LONGEST)), Ok(()));
        assert!(check(&" ".repeat(LONGEST + 1)).is_err());
    }
}
