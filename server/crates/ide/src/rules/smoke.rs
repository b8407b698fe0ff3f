//! Tests that say that they only must not throw: by their name, or in words around them.

/// In names, without their case and underscores.
const NAMES: &[&str] = &[
    "notthrow",
    "nothrow",
    "neverthrow",
    "doesntthrow",
    "withoutthrowing",
    "notfail",
    "neverfail",
    "doesntfail",
    "withoutfail",
    "noexception",
    "withoutexception",
    "noerror",
    "withouterror",
    "notraise",
    "doesntraise",
    "neverraise",
    "notcrash",
    "doesntcrash",
    "withoutcrash",
    "notblowup",
    "nonpe",
    "notnpe",
    "nonullpointer",
    "noclasscast",
    "stackoverflow",
    "nooutofmemory",
    "concurrentmodification",
    "deadlock",
    "notreject",
    "doesntreject",
    "nohang",
    "nothang",
    "nottimeout",
    "noinfiniteloop",
    "smoke",
    "sanity",
    "contextload",
    "configload",
    "contextstart",
    "applicationstart",
    "applicationcontext",
];

/// In comments, display names and descriptions, as they are.
const WORDS: &[&str] = &[
    "smoke test",
    "sanity",
    "should compile",
    "must compile",
    "does compile",
    "it compiles",
    "just compile",
    "no assert",
    "nothing to assert",
    // Snippets of a guide, which a test only keeps compiling.
    "tag::",
    // "Does not throw", in the language of many tests.
    "不抛",
    "不会抛",
];

/// What is denied in `must not throw`, `no NullPointerException`: beginnings of words.
const DENIED: &[&str] = &[
    "throw",
    "rais",
    "fail",
    "crash",
    "blow",
    "hang",
    "deadlock",
    "error",
    "exception",
    "npe",
    "explode",
    "reject",
];
/// How many words may stand between.
const BETWEEN: usize = 4;

/// True for the name of a test that only must not throw.
pub(super) fn is_named_so(name: &str, patterns: &[String]) -> bool {
    let plain: String = name
        .chars()
        .filter(|c| *c != '_')
        .flat_map(char::to_lowercase)
        .collect();
    NAMES.iter().any(|n| plain.contains(n)) || patterns.iter().any(|p| fits(p, name))
}

/// True if words around a test, or in it, say so.
pub(super) fn is_said_so(words: &str) -> bool {
    let plain = words.to_lowercase();
    if WORDS.iter().any(|w| plain.contains(w)) {
        return true;
    }
    let mut left = 0;
    // `this will throw an exception if nobody is logged in`, `the test fails if a link is dead`: what throws is the check.
    let mut thrown = 0;
    for word in plain.split(|c: char| !c.is_alphanumeric() && c != '\'') {
        if matches!(word, "no" | "not" | "never" | "without" | "cannot") || word.ends_with("n't") {
            left = BETWEEN + 1;
            continue;
        }
        let denied = DENIED.iter().any(|d| word.starts_with(d)) || word.ends_with("exception");
        if left > 0 && denied || thrown > 0 && matches!(word, "if" | "unless" | "otherwise") {
            return true;
        }
        match word {
            "throw" | "thrown" => thrown = BETWEEN + 1,
            "fail" | "fails" => thrown = 2,
            _ => {}
        }
        // What is written without a break is one word; an empty one is a second sign.
        left = left.saturating_sub(usize::from(!word.is_empty()));
        thrown = thrown.saturating_sub(usize::from(!word.is_empty()));
    }
    false
}

/// True if a name fits a pattern in which `*` stands for any letters.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(middle) = last.replace(part) {
            let middle: &str = middle;
            let Some(at) = rest.find(middle) else {
                return false;
            };
            rest = &rest[at + middle.len()..];
        }
    }
    match last {
        Some(end) => rest.ends_with(end),
        None => rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_around_a_test_deny() {
        for (words, expected) in [
            ("// must not throw", true),
            ("// Should not raise exception.", true),
            ("// doesn't blow up", true),
            (
                "// Test if no ArrayIndexOutOfBoundsException is thrown",
                true,
            ),
            ("// we do not want an NPE when the name is used", true),
            ("@DisplayName(\"without any error\")", true),
            (
                "// not now: this is about something else that may throw",
                false,
            ),
            ("// This'll throw an exception if not logged in", true),
            ("@throws IOException if there is nothing", false),
            ("boolean notNull = throwing();", false),
        ] {
            assert_eq!(is_said_so(words), expected, "{words}");
        }
    }

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, name, expected) in [
            ("runs", "runs", true),
            ("runs", "runsFast", false),
            ("runs*", "runsFast", true),
            ("*Fast", "runsFast", true),
            ("*Fast", "runsFaster", false),
            ("r*F*t", "runsFast", true),
            ("r*x*t", "runsFast", false),
            ("*", "", true),
            ("", "runs", false),
            ("ab*b", "ab", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
