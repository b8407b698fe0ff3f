//! Assertions on how much there is of something.

use oracle::frameworks::{Words, homes};

/// True for an assertion on how much there is of a value, of which no more could be written, where the test has one.
pub(super) fn counts_again(test: &str, expression: &str, statement: &str) -> bool {
    if COUNTS.iter().any(|c| expression.ends_with(c)) || expression.contains(char::is_whitespace) {
        return false;
    }
    let tight = |text: &str| text.split_whitespace().collect::<String>();
    let (test, statement) = (tight(test), tight(statement));
    let counts = |text: &str| {
        let asked = COUNTS
            .iter()
            .any(|c| has_word(text, &format!("{expression}{c}")));
        let of = [format!("({expression})"), format!("({expression},")];
        let mut handed = of.iter().flat_map(|of| text.match_indices(of.as_str()));
        asked
            || handed.any(|(at, _)| {
                let rest = text[at..].split(';').next().unwrap_or_default();
                says_size(rest)
            })
    };
    counts(&statement) && counts(&test)
}

/// True if a text has an expression, not as the end of a longer name.
fn has_word(text: &str, expression: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut found = text.match_indices(expression);
    found.any(|(at, _)| !text[..at].ends_with(is_part))
}

/// How people ask how much there is.
const COUNTS: [&str; 3] = [".size()", ".length()", ".length"];

/// True if a link of an assertion says it.
fn says_size(text: &str) -> bool {
    homes().any(|home| match &home.form.words {
        Words::Fluent(words) => {
            [words.size, words.length].iter().any(|w| text.contains(w))
                || text.contains(&format!("{}()", words.empty))
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: &str = "assertEquals(-1, parts.size())";

    #[test]
    fn what_a_test_counts_is_not_counted_again() {
        for test in [
            "assertEquals(1, parts.size());",
            "if (parts . size() > 0) { }",
            "assertThat(parts).isNotNull()\n    .hasSize(1);",
            "assertThat(parts, hasSize(1));",
            "assertThat(parts).isEmpty();",
            "assertNotNull(parts); assertThat(parts).hasSize(1);",
        ] {
            assert!(counts_again(test, "parts", SIZE), "{test}");
            assert!(counts_again(test, "parts", "assertThat(parts).hasSize(-1)"));
        }
        assert!(counts_again(
            "assertEquals(2, row.length);",
            "row",
            "assertEquals(-1, row.length)"
        ));
    }

    #[test]
    fn anything_else_is_another_assertion() {
        for test in [
            "assertNotNull(parts);",
            "assertEquals(1, spareparts.size());",
            "assertEquals(1, box.parts.size());",
            "assertThat(parts).contains(one); assertThat(others).hasSize(1);",
        ] {
            assert!(!counts_again(test, "parts", SIZE), "{test}");
        }
        let sized = "assertEquals(1, parts.size());";
        assert!(!counts_again(
            sized,
            "parts",
            "assertEquals(List.of(\"a\"), parts)"
        ));
        // Who is asked for a size gets one.
        assert!(!counts_again(sized, "parts.size()", SIZE));
    }
}
