//! The judge's own word lists, and expressions as texts.

/// Calls that check how mocks were used, what an answer is, or that end a test.
const ASSERTIONS: &[&str] = &[
    "verify",
    "verifyNoInteractions",
    "verifyNoMoreInteractions",
    "verifyZeroInteractions",
    "verifyAll",
    "then",
    "should",
    "andExpect",
    "andExpectAll",
    "expectStatus",
    "expectBody",
    "expectBodyList",
    "expectHeader",
    "expectNext",
    "expectNextCount",
    "expectComplete",
    "expectError",
    "verifyComplete",
    "verifyError",
    "checkThat",
    "fail",
];

/// Matchers and wrappers whose argument is compared itself.
pub(super) const MATCHERS: &[&str] = &[
    "is",
    "equalTo",
    "eq",
    "same",
    "sameInstance",
    "valueOf",
    "not",
    "hasItem",
    "hasItems",
    "contains",
    "containsInAnyOrder",
    "asList",
    "of",
    "Arrays",
    "value",
    "attribute",
];

/// What compares the whole of an object.
pub(super) const EQUALITIES: &[&str] = &[
    "assertEquals",
    "assertArrayEquals",
    "assertIterableEquals",
    "assertLinesMatch",
    "assertSame",
    "assertNull",
    "isEqualTo",
    "isSameAs",
    "isSameInstanceAs",
    "isNull",
    "isEqualByComparingTo",
    "usingRecursiveComparison",
    "isEqualToComparingFieldByField",
    "isEqualToComparingFieldByFieldRecursively",
    "containsExactly",
    "containsExactlyInAnyOrder",
    "containsExactlyElementsOf",
    "containsExactlyEntriesOf",
    "containsOnly",
    "hasValue",
    "hasToString",
    "is",
    "equalTo",
    "sameInstance",
    "eq",
];

/// What says no more than that there is something, of a type or a size.
pub(super) const WEAK: &[&str] = &[
    "assertNotNull",
    "isNotNull",
    "notNullValue",
    "isInstanceOf",
    "isExactlyInstanceOf",
    "assertInstanceOf",
    "instanceOf",
    "isNotEmpty",
    "hasSize",
    "isNotSameAs",
    "assertNotSame",
    "isNotEqualTo",
    "assertNotEquals",
];

/// What waits for something to be thrown by its argument.
pub(super) const THROWING: &[&str] = &[
    "assertThrows",
    "assertThrowsExactly",
    "assertThatThrownBy",
    "assertThatExceptionOfType",
    "assertThatIllegalArgumentException",
    "assertThatIllegalStateException",
    "assertThatNullPointerException",
    "assertThatIOException",
    "catchThrowable",
    "catchThrowableOfType",
    "catchException",
    "thenThrownBy",
    "expectThrows",
    "thrownBy",
    "isThrownBy",
];

/// What asks how a stand-in was used.
pub(super) const VERIFYING: &[&str] = &["verify", "should", "inOrder"];

/// What makes a stand-in.
pub(super) const MOCKING: &[&str] = &[
    "mock",
    "spy",
    "createMock",
    "createNiceMock",
    "createStrictMock",
    "niceMock",
    "strictMock",
    "mockk",
    "partialMockBuilder",
];

/// Annotations of fields that are stand-ins.
pub(super) const MOCKED: &[&str] = &[
    "Mock",
    "MockBean",
    "MockitoBean",
    "Spy",
    "SpyBean",
    "MockitoSpyBean",
    "MockK",
    "RelaxedMockK",
    "Mocked",
    "TestSubject",
];

/// True for a call that asserts, by its name.
pub(super) fn is_assertion(name: &str) -> bool {
    let rest = name
        .strip_prefix("assert")
        .or_else(|| name.strip_prefix("andAssert"));
    rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase)) || ASSERTIONS.contains(&name)
}

/// True for the name of a test's own method that asserts.
pub(super) fn is_own_check(name: &str) -> bool {
    ["check", "verify", "expect", "ensure", "validate", "should"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// True for the name of a method that gives something and changes nothing, as people name them.
pub(super) fn is_getter(name: &str) -> bool {
    let prefixed = ["get", "is", "has", "to", "as", "contains", "equals"];
    let begins = |start: &&str| {
        name.strip_prefix(*start)
            .is_some_and(|rest| !rest.starts_with(char::is_lowercase))
    };
    let plain = [
        "size",
        "length",
        "hashCode",
        "name",
        "ordinal",
        "value",
        "values",
        "keySet",
        "entrySet",
        "stream",
        "collect",
        "map",
        "filter",
        "findFirst",
        "of",
        "valueOf",
        "first",
        "last",
        "iterator",
        "charAt",
        "indexOf",
        "format",
        "count",
        "orElse",
        "orElseThrow",
        "toArray",
        "list",
        "keys",
        "key",
        "body",
        "header",
        "headers",
        "trim",
        "matches",
        "startsWith",
        "endsWith",
        "substring",
        "split",
        "join",
        "asList",
        "println",
        "printStackTrace",
        "eq",
        "any",
        "capture",
        "argThat",
        "forClass",
        "currentTimeMillis",
        "nanoTime",
        "compareTo",
        "exists",
    ];
    prefixed.iter().any(begins) || plain.contains(&name)
}

/// True for the name of a method of a library that changes its object and gives a value.
pub(super) fn changes(name: &str) -> bool {
    const CHANGING: &[&str] = &[
        "next",
        "nextInt",
        "nextLong",
        "nextDouble",
        "nextBoolean",
        "nextLine",
        "nextToken",
        "nextElement",
        "read",
        "readLine",
        "readByte",
        "readInt",
        "readLong",
        "readAllBytes",
        "poll",
        "pollFirst",
        "pollLast",
        "pop",
        "push",
        "take",
        "takeFirst",
        "takeLast",
        "remove",
        "removeFirst",
        "removeLast",
        "removeAll",
        "removeIf",
        "retainAll",
        "add",
        "addAll",
        "put",
        "putAll",
        "putIfAbsent",
        "compute",
        "computeIfAbsent",
        "computeIfPresent",
        "merge",
        "offer",
        "clear",
        "incrementAndGet",
        "getAndIncrement",
        "decrementAndGet",
        "getAndDecrement",
        "addAndGet",
        "getAndAdd",
        "getAndSet",
        "compareAndSet",
        "tryAcquire",
        "acquire",
        "tryLock",
        "lock",
        "close",
        "flush",
        "reset",
        "execute",
        "submit",
        "call",
        "run",
        "save",
        "delete",
        "insert",
        "update",
        "persist",
        "commit",
        "rollback",
        "shutdownNow",
        "replace",
        "set",
        "append",
        "write",
        "skip",
        "mark",
    ];
    CHANGING.contains(&name)
}

/// Without white space outside literals, and without `this.`.
pub(super) fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    let mut escaped = false;
    for c in text.chars() {
        match quote {
            Some(end) => {
                out.push(c);
                if escaped {
                    escaped = false;
                } else if c == '\\' {
                    escaped = true;
                } else if c == end {
                    quote = None;
                }
            }
            None if c.is_whitespace() => {
                // `new Foo`, `a instanceof B`.
                if out.ends_with(|c: char| c.is_alphanumeric()) {
                    out.push(' ');
                }
            }
            None => {
                if out.ends_with(' ') && !(c.is_alphanumeric() || c == '_' || c == '$') {
                    out.pop();
                }
                out.push(c);
                if c == '"' || c == '\'' {
                    quote = Some(c);
                }
            }
        }
    }
    let out = out.trim_end();
    out.strip_prefix("this.").unwrap_or(out).to_owned()
}

/// `a.b(c.d).e` as `a`, `b(c.d)`, `e`.
pub(super) fn steps(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut quote, mut escaped) = (0i32, 0, None, false);
    let mut out = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(end), c) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, '.') if depth == 0 => {
                out.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(&text[from..]);
    out
}

/// The objects that an expression goes through: `a.b().c()` goes through `a` and `a.b()`; the longest last.
pub(super) fn prefixes(text: &str) -> Vec<&str> {
    let mut end = 0;
    let all = steps(text);
    let count = all.len().saturating_sub(1);
    all[..count]
        .iter()
        .map(|step| {
            end += step.len() + usize::from(end > 0);
            &text[..end]
        })
        .collect()
}

/// A step's name, and how many arguments it has if it is a call.
pub(super) fn call(step: &str) -> (&str, Option<usize>) {
    let Some((name, rest)) = step.split_once('(') else {
        return (step, None);
    };
    let inner = rest.strip_suffix(')').unwrap_or(rest);
    if inner.trim().is_empty() {
        return (name, Some(0));
    }
    let (mut depth, mut commas, mut quote) = (0i32, 0, None);
    for c in inner.chars() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{' | '<') => depth += 1,
            (None, ')' | ']' | '}' | '>') => depth -= 1,
            (None, ',') if depth == 0 => commas += 1,
            _ => {}
        }
    }
    (name, Some(commas + 1))
}

/// The property that a step asks for: `name` of `getName()`, `isName()`, `name()`, `name`.
pub(super) fn property(step: &str) -> String {
    let (name, _) = call(step);
    for start in ["get", "is", "has"] {
        if let Some(rest) = name.strip_prefix(start)
            && let Some(first) = rest.chars().next().filter(|c| c.is_uppercase())
        {
            return first.to_lowercase().chain(rest.chars().skip(1)).collect();
        }
    }
    name.to_owned()
}

/// `Name` of `name`.
pub(super) fn capital(property: &str) -> String {
    let mut chars = property.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// True for types, as people write them, whose objects cannot change and say all that they are.
pub(super) fn is_value(ty: &str) -> bool {
    const VALUES: &[&str] = &[
        "boolean",
        "byte",
        "short",
        "int",
        "long",
        "char",
        "float",
        "double",
        "Boolean",
        "Byte",
        "Short",
        "Integer",
        "Long",
        "Character",
        "Float",
        "Double",
        "String",
        "CharSequence",
        "BigDecimal",
        "BigInteger",
        "Number",
        "UUID",
        "URI",
        "URL",
        "Instant",
        "LocalDate",
        "LocalDateTime",
        "LocalTime",
        "ZonedDateTime",
        "OffsetDateTime",
        "Duration",
        "Period",
        "Year",
        "YearMonth",
        "ZoneId",
        "Class",
        "Locale",
        "Path",
        "HttpStatus",
        "HttpStatusCode",
        "MediaType",
        "Charset",
        "Currency",
        "Date",
        "Optional",
        "OptionalInt",
        "OptionalLong",
    ];
    VALUES.contains(&ty.split('<').next().unwrap_or(ty).trim())
}

/// True for types that are compared by what is in them.
pub(super) fn is_container(ty: &str) -> bool {
    const CONTAINERS: &[&str] = &[
        "List",
        "Set",
        "Map",
        "Collection",
        "ArrayList",
        "LinkedList",
        "HashMap",
        "LinkedHashMap",
        "TreeMap",
        "HashSet",
        "LinkedHashSet",
        "TreeSet",
        "SortedMap",
        "SortedSet",
        "Entry",
        "ImmutableList",
        "ImmutableSet",
        "ImmutableMap",
    ];
    ty.ends_with("[]") || {
        let name = ty.split('<').next().unwrap_or(ty).trim();
        CONTAINERS.contains(&name.rsplit('.').next().unwrap_or(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_taken_apart_at_its_dots() {
        assert_eq!(steps("a.b(c.d).e"), ["a", "b(c.d)", "e"]);
        assert_eq!(prefixes("a.b(\"x.y\").e()"), ["a", "a.b(\"x.y\")"]);
        assert!(prefixes("a").is_empty());
        assert_eq!(call("f(a, g(b, c))"), ("f", Some(2)));
        assert_eq!(call("f()"), ("f", Some(0)));
        assert_eq!(call("length"), ("length", None));
        assert_eq!(property("getName()"), "name");
        assert_eq!(property("isOpen()"), "open");
        assert_eq!(property("issue()"), "issue");
        assert_eq!(capital("name"), "Name");
    }

    #[test]
    fn white_space_counts_in_literals_and_between_words() {
        assert_eq!(squeeze("this.a . b( c ,\n d )"), "a.b(c,d)");
        assert_eq!(squeeze("new  Foo ( \"a b\" )"), "new Foo(\"a b\")");
    }

    #[test]
    fn names_say_what_asserts_and_what_only_gives() {
        assert!(
            is_assertion("assertEquals") && is_assertion("andExpect") && is_assertion("assertThat")
        );
        assert!(!is_assertion("assertion") && !is_assertion("perform"));
        assert!(
            is_getter("getName")
                && is_getter("size")
                && !is_getter("settle")
                && !is_getter("gettysburg")
        );
    }
}
