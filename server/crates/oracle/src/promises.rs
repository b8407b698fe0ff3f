//! What names promise: of calls and classes whose code cannot be seen, or need not be, the name tells whether they check.

use crate::frameworks::any;

/// First words of names that promise a check: `verifyAll`, `shouldHave`, `andExpect`.
pub const CHECKING: &[&str] = &[
    "assert", "verify", "check", "expect", "should", "ensure", "validate", "require", "must",
    "fail", "confirm",
];

/// The same words, and their forms, anywhere in the name of what a library does: `reserializeAndAssert`, `isSatisfied`.
const CHECKING_WITHIN: &[&str] = &[
    "assert",
    "asserts",
    "asserted",
    "verify",
    "verifies",
    "verified",
    "check",
    "checks",
    "expect",
    "expects",
    "expected",
    "should",
    "ensure",
    "ensures",
    "validate",
    "validates",
    "require",
    "requires",
    "must",
    "fail",
    "fails",
    "satisfies",
    "satisfied",
    "matches",
    "matching",
    "compare",
    "compiles",
];

/// Calls of libraries that check and do not say so: of compile-testing, EqualsTester, Truth, snapshots, ErrorCollector,
/// Vert.x, WebTestClient and GraphQlTester, REST Assured, Quarkus, GWT, Selenium, and the end of the program.
pub const CHECKS: &[&str] = &[
    "that",
    "testEquals",
    "testAllPublicConstructors",
    "testAllPublicStaticMethods",
    "testAllPublicInstanceMethods",
    "testNulls",
    "testComparable",
    "testSerializable",
    "toMatchSnapshot",
    "addError",
    "completeNow",
    "testComplete",
    "async",
    "statusCode",
    "isEqualTo",
    "isEqualByComparingTo",
    "hasSize",
    "isOk",
    "isTrue",
    "isFalse",
    "isNull",
    "isNotNull",
    "is2xxSuccessful",
    "is3xxRedirection",
    "is4xxClientError",
    "is5xxServerError",
    "containsExactly",
    "containsExactlyInAnyOrder",
    "thenThrownBy",
    "thenThrows",
    "thenNoException",
    "thenCode",
    "exit",
    "setExpectedException",
    "finishTest",
    "findElement",
];

/// Ends of names of types whose constructors or methods check.
pub const CHECKERS: &[&str] = &[
    "Assert",
    "Assertion",
    "Assertions",
    "Asserter",
    "Expectations",
    "Verifications",
    "VerificationsInOrder",
    "Tester",
    "Verifier",
    "Checker",
    "TestContext",
    "TestHelper",
    "Approvals",
    "Snapshot",
    "RequiredSearch",
];

/// Questions of libraries that throw unless the one answer is there; who drops it, or only closes it, wanted to know that.
/// Of Spring's JdbcTemplate and its contexts, of JPA, of HtmlUnit, Jackson and Guice; `UUID.fromString`, which takes no other
/// text.
pub const FINDERS: &[&str] = &[
    "queryForObject",
    "getSingleResult",
    "getAnchorByHref",
    "getBean",
    "fromString",
    "readTree",
    "readValue",
    "getInstance",
    "createQuery",
    "createNamedQuery",
];

/// The same of Java, by the beginning of the class's name: a method that must be there, an object that must be of a class, a
/// text that must be a number or a date.
pub const FINDERS_OF_JAVA: &[(&str, &[&str])] = &[
    (
        "java.lang.Class",
        &[
            "forName",
            "cast",
            "asSubclass",
            "loadClass",
            "getMethod",
            "getDeclaredMethod",
            "getField",
            "getDeclaredField",
            "getConstructor",
            "getDeclaredConstructor",
        ],
    ),
    (
        "java.lang.",
        &["parseInt", "parseLong", "parseDouble", "valueOf"],
    ),
    ("java.time.", &["parse"]),
    ("java.text.", &["parse", "parseObject"]),
    ("java.net.URI", &["create"]),
    ("java.util.UUID", &["fromString"]),
    ("java.util.regex.Pattern", &["compile"]),
    (
        "java.util.Optional",
        &["get", "getAsInt", "getAsLong", "getAsDouble"],
    ),
    ("java.util.", &["getFirst", "getLast"]),
    ("javax.xml.parsers.", &["parse"]),
];

/// What Java checks in methods that do not give back whether it holds: certificates, schemas, permissions.
pub const CHECKS_OF_JAVA: &[&str] = &["verify", "validate", "check"];

/// First words of names of what waits; with a limit it throws when the time is up.
pub const WAITS: &[&str] = &["get", "block", "await", "join"];

/// Beginnings of names of what libraries wait with until something is so, which throws when the time is up:
/// `await().until(…)`, `page.waitForSelector(…)`, `waitUntilStringIsPresent(…)`.
const WAITS_UNTIL: &[&str] = &["until", "waitFor", "waitUntil"];

/// First words of names of what waits without a limit: it goes on when it happened, or throws what went wrong.
pub const ENDLESS_WAITS: &[&str] = &["block", "blocking", "await"];

/// The same of what Java calls `get` and `join`.
pub const FUTURES: &[&str] = &[
    "java.util.concurrent.Future",
    "java.util.concurrent.CompletableFuture",
    "java.util.concurrent.FutureTask",
    "java.util.concurrent.ForkJoinTask",
];

/// Harnesses that check on the way, each with its package and the names of such calls: Jenkins's browser looks at the type
/// of the page that it goes to.
pub const HARNESSES: &[(&str, &[&str])] = &[("org.jvnet.hudson.test.", &["goTo", "goToXml"])];

/// Ends of names of classes of the code under test whose methods check: `Assert.notNull(…)` as many frameworks have it, and
/// `verifier.execute()` of a harness that is a module of its own; `Await.until(…)`, which throws when the time is up.
pub const OWN_CHECKERS: &[&str] = &["Assert", "Asserts", "Assertions", "Verifier", "Await"];

/// Ends of names of types of which a test has an object that it tells how it went: Vert.x's.
const TELLS_RESULT: &[&str] = &["TestContext"];

/// Words in the names of annotations that say what is expected, or that something else checks.
const EXPECTING: &[&str] = &[
    "Expect",
    "expect",
    "Verif",
    "Assert",
    "Should",
    "Throws",
    "Golden",
    "Snapshot",
    "Approv",
    "Property",
    "Pact",
    "Benchmark",
    "Scenario",
    "timeout",
    "Timeout",
];

/// Beginnings of calls by which what runs around tests is told what to look at: `new QuarkusUnitTest().assertException(…)`.
const LOOKS: &[&str] = &[".assert", ".expect", ".setExpected"];

/// Runners and extensions of frameworks that check nothing themselves.
pub const RUNNERS: &[&str] = &[
    "JUnit4",
    "BlockJUnit4ClassRunner",
    "Parameterized",
    "Enclosed",
    "Theories",
    "Suite",
    "MockitoJUnitRunner",
    "Silent",
    "StrictStubs",
    "Strict",
    "SpringRunner",
    "SpringJUnit4ClassRunner",
    "PowerMockRunner",
    "RobolectricTestRunner",
    "AndroidJUnit4",
    "Arquillian",
    "VertxUnitRunner",
    "JUnitParamsRunner",
    "DataProviderRunner",
    "HierarchicalContextRunner",
    "JUnitPlatform",
    "ContiPerfSuiteRunner",
    "ConcurrentTestRunner",
    "ZohhakRunner",
    "CdiRunner",
    "JMockit",
    "EasyMockRunner",
];

/// Words of a message that says that something should not have happened.
pub const DENIALS: &[&str] = &[
    "should not",
    "shouldn't",
    "must not",
    "mustn't",
    "not be called",
    "not expected",
    "unexpected",
    "never be",
];

/// Types that are asked for what must be there: Micrometer's `registry.get("requests").counter()`.
pub const THROWING_FINDERS: &[&str] = &["RequiredSearch"];

/// Beginnings of packages that say nothing of who wrote them.
pub const UMBRELLAS: &[&str] = &[
    "org.apache.",
    "org.springframework.",
    "org.eclipse.",
    "com.google.",
    "com.github.",
    "io.github.",
];

/// Parts of names of assertions and matchers that hold whatever the value is.
const WHATEVER: &[&str] = &["Null", "nullValue", "nstanceOf", "Same", "NotEqual"];

/// Parts of names of assertions and matchers that many values meet.
const CONDITIONS: &[&str] = &[
    "assertTrue",
    "assertFalse",
    "ess",
    "reater",
    "etween",
    "ositive",
    "egative",
    "lose",
];

/// True for the name of an assertion or a matcher that holds whatever the value is.
pub fn holds_whatever(name: &str) -> bool {
    WHATEVER.iter().any(|part| name.contains(part))
}

/// True for the name of an assertion or a matcher that many values meet.
pub fn many_meet(name: &str) -> bool {
    CONDITIONS.iter().any(|part| name.contains(part))
}

/// True for the name of a call of a library that waits until something is so; of one that awaits only on an object.
pub fn waits_until(name: &str, has_receiver: bool) -> bool {
    has_receiver && name.starts_with("await") || WAITS_UNTIL.iter().any(|w| name.starts_with(w))
}

/// True for the name of a call that puts a test off unless something is so.
pub fn assumes(name: &str) -> bool {
    name.starts_with("assume")
}

/// True for the name of a call by which a test waits for something to be thrown.
pub fn awaits_throwing(name: &str) -> bool {
    let throws = name.contains("Throw") && !name.contains("NotThrow");
    name.starts_with("fail") || name == "expect" || throws
}

/// True for the name of a call that fails unless code which it is given throws.
pub fn must_throw(name: &str) -> bool {
    any(name, |row| row.throws) || name.ends_with("ThrownBy")
}

/// True for the name of a call behind which nothing may be thrown: `assertThatNoException().isThrownBy(…)`.
pub fn must_not_throw(name: &str) -> bool {
    name.contains("NoException") || name.contains("NotThrow")
}

/// True for the simple name of a type of which a test has an object that it tells how it went.
pub fn tells_result(class: &str) -> bool {
    TELLS_RESULT.iter().any(|end| class.ends_with(end))
}

/// True if the annotations of a test or a class, as written, say what is expected.
pub fn expects_in(annotations: &str) -> bool {
    EXPECTING.iter().any(|word| annotations.contains(word))
}

/// True if what runs around tests is told what to look at where it is made, as written.
pub fn is_told_to_look(made: &str) -> bool {
    LOOKS.iter().any(|link| made.contains(link))
}

/// The call behind which something is asked: of an answer, `get("/a").then()`, and of a value or a mock, `then(x)`.
pub const THEN: &str = "then";

/// True for what has a `then(x)` that checks: BDDAssertions and BDDMockito, what they are imported or held as.
pub fn has_checking_then(name: &str) -> bool {
    name.starts_with("BDD") || name == "and" || name.to_lowercase().contains("soft")
}

/// True for the name of a type that checks.
pub fn is_checker(name: &str) -> bool {
    let simple = name.rsplit(['.', '$']).next().unwrap_or(name);
    CHECKERS.iter().any(|end| simple.ends_with(end))
}

/// True if the first word of a name promises a check.
pub fn begins_with_a_check(name: &str) -> bool {
    let first = words_of(name).next();
    first.is_some_and(|w| CHECKING.contains(&w.as_str()))
}

/// Beginnings of other names of calls that throw if what they are given is not right: of Spring, commons-lang and Java.
const GUARDS: &[&str] = &[
    "isTrue",
    "notNull",
    "notEmpty",
    "notBlank",
    "state",
    "orElseThrow",
    "hasText",
    "hasLength",
];

/// True for the name of a call that throws if what it is given is not right.
pub fn guards(name: &str) -> bool {
    begins_with_a_check(name) || GUARDS.iter().any(|w| name.starts_with(w))
}

/// True if the first word of a name is one of these, or comes after `and`, `then`, `do` or `run`.
pub fn promises(name: &str, words: &[&str]) -> bool {
    let mut own = words_of(name);
    let first = own.next().unwrap_or_default();
    let is_one = |w: &str| words.contains(&w);
    is_one(&first)
        || matches!(first.as_str(), "and" | "then" | "do" | "run")
            && own.next().is_some_and(|w| is_one(&w))
}

/// True if a word of a name promises a check and the first does not say that it only asks, sets or tells.
pub fn promises_within(name: &str) -> bool {
    let mut own = words_of(name);
    let first = own.next().unwrap_or_default();
    if matches!(
        first.as_str(),
        "is" | "get" | "has" | "set" | "with" | "add" | "on" | "to" | "new" | "create"
    ) {
        return false;
    }
    CHECKING_WITHIN.contains(&first.as_str()) || own.any(|w| CHECKING_WITHIN.contains(&w.as_str()))
}

/// `reserializeAndAssert`: `reserialize`, `and`, `assert`.
pub fn words_of(name: &str) -> impl Iterator<Item = String> + '_ {
    let starts = |at: usize, c: char| at == 0 || c.is_uppercase() || c == '_';
    let mut at: Vec<usize> = name
        .char_indices()
        .filter(|(i, c)| starts(*i, *c))
        .map(|(i, _)| i)
        .collect();
    at.push(name.len());
    let words: Vec<String> = at
        .windows(2)
        .map(|w| name[w[0]..w[1]].trim_matches('_').to_lowercase())
        .filter(|w| !w.is_empty())
        .collect();
    words.into_iter()
}
