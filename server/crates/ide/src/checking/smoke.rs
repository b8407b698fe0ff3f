//! Tests that say that they only must not throw: by their name, or in words around them.

use flow::Body;
use oracle::promises::words_of;

/// In names, without their case and underscores: what must not happen, what must be let through, what does nothing.
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
    "nooverflow",
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
    "shouldallow",
    "shouldaccept",
    "shouldpermit",
    "canhandle",
    "isnoop",
    "doesnothing",
    "donothing",
    "idempotent",
];

/// Whole names, without their case and underscores: what is done before or after the tests of a class, written as one of
/// them; unless it calls what is named so.
const STEPS: &[&str] = &["cleanup", "teardown", "setup"];

/// At the beginning or end of names, as words.
const FIRST_OR_LAST: &[&str] = &[
    "allows",
    "allowed",
    "accepts",
    "accepted",
    "permits",
    "permitted",
    "ok",
];

/// In comments, display names and descriptions, as they are.
const WORDS: &[&str] = &[
    "smoke test",
    "sanity",
    "no assert",
    "nothing to assert",
    "if we get here",
    "we got here",
    "must succeed",
    "should succeed",
    "will be thrown",
    "would be thrown",
    "was throwing",
    "used to throw",
    "used to fail",
    "doesnotthrow",
    // Snippets of a guide, which a test only keeps compiling.
    "tag::",
    // "Does not throw", in the language of many tests.
    "不抛",
    "不会抛",
];

/// What comments say of a test that is not written yet.
const TO_DO: &[&str] = &[
    "todo",
    "fixme",
    "xxx",
    "implement",
    "later",
    "not yet",
    "empty",
];
/// How many words a reason has.
const MIN_WORDS: usize = 3;

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
    "break",
];
/// How many words may stand between.
const BETWEEN: usize = 4;

/// True for the name of a test that only must not throw.
pub(super) fn is_named_so(name: &str, patterns: &[String]) -> bool {
    let plain = plain(name);
    let words: Vec<String> = words_of(name).collect();
    let ends = [words.first(), words.last()];
    let is_end = |w: &String| FIRST_OR_LAST.contains(&w.as_str());
    // `unknownHostShouldNotCauseStopToFail`.
    let spoken = words.join(" ");
    NAMES.iter().any(|n| plain.contains(n))
        || is_denial(&spoken)
        || ends.into_iter().flatten().any(is_end)
        || patterns.iter().any(|p| fits(p, name))
}

/// True for a test that is a step, by its name, and calls no method of that name.
pub(super) fn is_step(name: &str, body: &Body) -> bool {
    let plain_name = plain(name);
    STEPS.contains(&plain_name.as_str())
        && !body.calls.iter().any(|call| {
            body.method_name(call)
                .is_some_and(|name| plain(name) == plain_name)
        })
}

/// Without its case and underscores.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| *c != '_');
    letters.flat_map(char::to_lowercase).collect()
}

/// True for the name of a test of what must not happen: what is told to throw there must not be asked.
pub(super) fn denies(name: &str) -> bool {
    let deny = [
        "not", "never", "no", "without", "doesnt", "dont", "cannot", "wont", "skips", "ignores",
    ];
    words_of(name).any(|w| deny.contains(&w.as_str()))
}

/// True for the name of a class whose tests are there to be timed or read, or only must not throw.
pub(super) fn is_class_named_so(class: &str) -> bool {
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    words_of(simple).any(|w| {
        matches!(
            w.as_str(),
            "bench"
                | "benchmark"
                | "benchmarks"
                | "microbenchmark"
                | "smoke"
                | "sanity"
                | "example"
                | "examples"
                | "snippet"
                | "snippets"
                | "guide"
                | "tutorial"
        )
    })
}

/// True for a test without code whose comments say why: neither what is left to do nor code that is switched off.
pub(super) fn is_explained(code: &str) -> bool {
    let comments = comments_of(code).to_lowercase();
    let is_left = TO_DO.iter().any(|w| comments.contains(w));
    let is_code = comments.contains(';') || comments.contains("()");
    !is_left && !is_code && comments.split_whitespace().count() >= MIN_WORDS
}

/// The text of comments, without that of code. What looks like a comment in a literal counts as one.
fn comments_of(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        let end = match rest[at..].starts_with("//") {
            true => '\n'.to_string(),
            false => "*/".to_owned(),
        };
        let inside = &rest[at + 2..];
        let (comment, after) = inside.split_once(&end).unwrap_or((inside, ""));
        out.push_str(comment);
        out.push(' ');
        rest = after;
    }
    out
}

/// True if words around a test, or in it, say so.
pub(super) fn is_said_so(words: &str) -> bool {
    let plain = words.to_lowercase();
    // That something compiles is seen before anything runs.
    let is_compiled = comments_of(&plain)
        .split(|c: char| !c.is_alphabetic())
        .any(|w| matches!(w, "compile" | "compiles" | "compiled" | "compiling"));
    if is_compiled || WORDS.iter().any(|w| plain.contains(w)) {
        return true;
    }
    is_denial(&plain)
}

/// True if words deny that something goes wrong, or say when it does.
fn is_denial(plain: &str) -> bool {
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
            (
                "// in case this access is removed, it will not compile",
                true,
            ),
            ("Query.compile(text); // of one word", false),
            ("x.close(); // was throwing an NPE", true),
        ] {
            assert_eq!(is_said_so(words), expected, "{words}");
        }
    }

    #[test]
    fn an_empty_test_may_say_why() {
        for (code, expected) in [
            ("() { /* the rule in the field looks at it */ }", true),
            (
                "() {\n // Nothing to do here.\n // The set-up is the test.\n}",
                true,
            ),
            ("() { }", false),
            ("() { /* TODO look at the sizes */ }", false),
            (
                "() {\n // cart.add(1);\n // assertEquals(1, cart.size());\n}",
                false,
            ),
            ("() { /* empty */ }", false),
            ("() { /* this is implemented later */ }", false),
        ] {
            assert_eq!(is_explained(code), expected, "{code}");
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
