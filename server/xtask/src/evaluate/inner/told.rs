//! What a failure tells of a value, and the calls to write instead.

/// A line of `InnerOracle`'s that says what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// How the call begins that told: `InnerOracle.tell("T.t: neg", `.
    pub(super) tell: String,
    /// How the call begins that expects the value: `InnerOracle.equal("T.t: neg", 2, `.
    pub(super) call: String,
    /// How one begins that expects another.
    pub(super) other: String,
    /// True if the place had several values in one run of the test; this is the first turn's.
    pub(super) several: bool,
    /// True if the test runs several times, as one with parameters, and the value is not the same in all.
    pub(super) by_parameters: bool,
}

impl Told {
    /// From the messages of a test that failed.
    pub(super) fn read(said: &str) -> Option<Told> {
        let calls = |text: &str| -> Vec<String> {
            let lines = text
                .lines()
                .skip_while(|l| !l.contains("no value is expected yet"));
            let own = lines
                .skip(1)
                .map_while(|l| l.strip_prefix("  InnerOracle."));
            own.map(str::to_owned).collect()
        };
        // The failures of a test that runs several times follow each other.
        let all: Vec<Vec<String>> = said.split("\n--\n").map(calls).collect();
        let first = all.iter().find(|calls| !calls.is_empty())?;
        let (call, _) = first.first()?.rsplit_once("  // ")?;
        // The variable is the last argument, and no name has a comma.
        let (start, _) = call.rsplit_once(", ")?;
        let (method, arguments) = start.split_once('(')?;
        let literal = string_end(arguments)?;
        let (name, expected) = arguments.split_at(literal);
        let expected = expected.strip_prefix(", ").unwrap_or("");
        let other = match method {
            "notNull" => format!("equal({name}, null"),
            _ => format!("{method}({name}, {}", another(expected)),
        };
        Some(Told {
            tell: format!("InnerOracle.tell({name}, "),
            call: format!("InnerOracle.{start}, "),
            other: format!("InnerOracle.{other}, "),
            several: all.iter().any(|calls| calls.len() > 1),
            by_parameters: all.iter().any(|calls| {
                let other = calls.first().and_then(|line| line.rsplit_once("  // "));
                other.map(|(call, _)| call) != Some(call)
            }),
        })
    }
}

/// One past the string literal with which `text` begins.
fn string_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map(|(at, _)| at + 1)
}

/// An expression of another value than a literal's.
fn another(literal: &str) -> String {
    match literal.as_bytes() {
        b"true" => "false".to_owned(),
        b"false" => "true".to_owned(),
        b"null" => "\"another\"".to_owned(),
        [b'"', ..] => format!("{literal} + \"x\""),
        [b'\'', ..] => format!("{literal} + 1"),
        [b'0'..=b'9' | b'-', ..] | [b'(', b'b' | b's', ..] => {
            let number = literal.trim_start_matches(|c: char| !c.is_ascii_digit());
            let zero = number.trim_end_matches(['L', 'f']).parse() == Ok(0.0);
            match zero {
                true => "1".to_owned(),
                false => "0".to_owned(),
            }
        }
        _ if literal.starts_with("Float.") || literal.starts_with("Double.") => "0".to_owned(),
        // Arrays and enums.
        _ => "null".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_is_read_from_the_failure() {
        let said = "java.lang.AssertionError: T.t: neg: no value is expected yet. The place ran 2 times; write instead\n  InnerOracle.equal(\"T.t: neg\", \"a, \\\"b\\n  // c\", neg)  // A.java:3, once, in turn 1\n  InnerOracle.equal(\"T.t: neg\", null, neg)  // A.java:3, once, in turn 2\nThe test can choose";
        assert_eq!(
            Told::read(said),
            Some(Told {
                tell: "InnerOracle.tell(\"T.t: neg\", ".to_owned(),
                call: "InnerOracle.equal(\"T.t: neg\", \"a, \\\"b\\n  // c\", ".to_owned(),
                other: "InnerOracle.equal(\"T.t: neg\", \"a, \\\"b\\n  // c\" + \"x\", ".to_owned(),
                several: true,
                by_parameters: false,
            })
        );
        assert_eq!(Told::read("java.lang.AssertionError: expected 1"), None);
        let said = "E: T.t: o: no value is expected yet. The place ran once; write instead\n  InnerOracle.notNull(\"T.t: o\", o)  // A.java:3, once, in turn 1";
        let told = Told::read(said).expect("it tells");
        assert_eq!(told.call, "InnerOracle.notNull(\"T.t: o\", ");
        assert_eq!(told.other, "InnerOracle.equal(\"T.t: o\", null, ");
        assert!(!told.several && !told.by_parameters);
        let twice = format!("{said}\n--\n{}", said.replace("o)", "null)"));
        assert!(Told::read(&twice).expect("it tells").by_parameters);
        let once = format!("{said}\n--\nE: T.t: o: the place never ran");
        assert!(Told::read(&once).expect("it tells").by_parameters);
    }

    #[test]
    fn another_value_is_another() {
        let pairs = [
            ("2", "0"),
            ("0", "1"),
            ("-0.0", "1"),
            ("0L", "1"),
            ("0.5f", "0"),
            ("1.0E-10", "0"),
            ("(byte) 0", "1"),
            ("'a'", "'a' + 1"),
            ("\"\"", "\"\" + \"x\""),
            ("Double.NaN", "0"),
            ("new int[] {}", "null"),
            ("Sign.PLUS", "null"),
        ];
        for (literal, other) in pairs {
            assert_eq!(another(literal), other);
        }
    }
}
