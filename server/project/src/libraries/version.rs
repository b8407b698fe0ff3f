//! Maven's order of versions (`ComparableVersion`) and ranges of versions, as far as real projects use them.

use std::cmp::Ordering;

/// Compares two versions as Maven does: numbers by value, words by their meaning (`alpha` < `beta` < `milestone` <
/// `rc` < `snapshot` < nothing < `sp`), other words behind these by letters.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (parts(a), parts(b));
    for index in 0..a.len().max(b.len()) {
        let nothing = Part::Nothing;
        let (x, y) = (
            a.get(index).unwrap_or(&nothing),
            b.get(index).unwrap_or(&nothing),
        );
        let order = x.rank().cmp(&y.rank()).then_with(|| match (x, y) {
            (Part::Number(x), Part::Number(y)) => {
                // Of two numbers without leading zeros the longer one is larger.
                x.len().cmp(&y.len()).then_with(|| x.cmp(y))
            }
            (Part::Word(x), Part::Word(y)) => x.cmp(y),
            _ => Ordering::Equal,
        });
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

enum Part {
    Nothing,
    /// Decimal digits without leading zeros; empty for zero.
    Number(String),
    /// In lower case.
    Word(String),
}

impl Part {
    /// The place among the kinds; numbers and unknown words are ordered further by what they are.
    fn rank(&self) -> u8 {
        match self {
            Part::Nothing => 5,
            Part::Number(digits) if digits.is_empty() => 5,
            Part::Number(_) => 8,
            Part::Word(word) => match word.as_str() {
                "alpha" | "a" => 0,
                "beta" | "b" => 1,
                "milestone" | "m" => 2,
                "rc" | "cr" => 3,
                "snapshot" => 4,
                "" | "ga" | "final" | "release" => 5,
                "sp" => 6,
                _ => 7,
            },
        }
    }
}

fn parts(version: &str) -> Vec<Part> {
    let mut out = Vec::new();
    for piece in version.split(['.', '-', '_', '+']) {
        let mut rest = piece;
        while let Some(first) = rest.chars().next() {
            let digits = first.is_ascii_digit();
            let end = rest
                .find(|c: char| c.is_ascii_digit() != digits)
                .unwrap_or(rest.len());
            let (part, behind) = rest.split_at(end);
            rest = behind;
            out.push(if digits {
                Part::Number(part.trim_start_matches('0').to_owned())
            } else {
                Part::Word(part.to_lowercase())
            });
        }
    }
    while out.last().is_some_and(|part| part.rank() == 5) {
        out.pop();
    }
    out
}

/// True for `[1.0,2.0)` and the like.
pub(crate) fn is_range(version: &str) -> bool {
    version.starts_with(['[', '('])
}

/// True if `version` lies in one of the ranges of `text`: `[1,2)`, `(,1.0],[1.2,)`, `[1.5]`.
pub(crate) fn is_in_range(version: &str, text: &str) -> bool {
    let mut rest = text.trim();
    while let Some(open) = rest.find(['[', '(']) {
        let Some(close) = rest[open..].find([']', ')']).map(|at| open + at) else {
            return false;
        };
        let (inner, bytes) = (&rest[open + 1..close], rest.as_bytes());
        let (low, high) = match inner.split_once(',') {
            Some((low, high)) => (low.trim(), high.trim()),
            None => (inner.trim(), inner.trim()),
        };
        let above = low.is_empty()
            || match compare(version, low) {
                Ordering::Greater => true,
                Ordering::Equal => bytes[open] == b'[',
                Ordering::Less => false,
            };
        let below = high.is_empty()
            || match compare(version, high) {
                Ordering::Less => true,
                Ordering::Equal => bytes[close] == b']',
                Ordering::Greater => false,
            };
        if above && below {
            return true;
        }
        rest = &rest[close + 1..];
    }
    false
}

/// `1.8.0_402` is 8, `17.0.15` is 17, `25-ea` is 25.
pub(super) fn feature_release(version: &str) -> u16 {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let digits = version
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(version.len());
    version[..digits].parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_in_order() {
        let order = [
            "1-alpha-1",
            "1-beta2",
            "1.0-M1",
            "1.0-RC1",
            "1.0-SNAPSHOT",
            "1.0",
            "1.0-sp1",
            "1.0-jre",
            "1.0.1",
            "1.2",
            "1.10",
            "1.10.1",
            "20040616",
        ];
        for (i, a) in order.iter().enumerate() {
            for (j, b) in order.iter().enumerate() {
                assert_eq!(compare(a, b), i.cmp(&j), "{a} {b}");
            }
        }
        assert_eq!(compare("1", "1.0.0-final"), Ordering::Equal);
        assert_eq!(compare("33.4.8-jre", "33.4.8-android"), Ordering::Greater);
    }

    #[test]
    fn versions_in_ranges() {
        for (version, range, is_in) in [
            ("1.5", "[1,2)", true),
            ("2", "[1,2)", false),
            ("2.0", "[1,2]", true),
            ("1.5", "[1.5]", true),
            ("1.6", "[1.5]", false),
            ("0.9", "(,1.0],[1.2,)", true),
            ("1.1", "(,1.0],[1.2,)", false),
            ("9", "(,1.0],[1.2,)", true),
            ("1", "[", false),
            ("1", "[ä", false),
        ] {
            assert_eq!(is_in_range(version, range), is_in, "{version} {range}");
        }
    }

    #[test]
    fn releases_of_versions() {
        for (version, release) in [
            ("1.8.0_402", 8),
            ("17.0.15", 17),
            ("25-ea", 25),
            ("9", 9),
            ("", 0),
            ("x", 0),
        ] {
            assert_eq!(feature_release(version), release, "{version}");
        }
    }
}
