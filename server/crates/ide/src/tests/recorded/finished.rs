//! Finished assertions, and where none is.

use super::*;
use expect_test::expect;

#[test]
fn the_finished_assertion_is_that_of_the_value_and_the_file() {
    let boxed = |n| Value::Boxed(Box::new(Value::Long(n)));
    let red = Value::Enum {
        class: "own.Box$Color".into(),
        name: "RED".into(),
    };
    let pair = Value::Object {
        class: "own.Box$Pair".into(),
        is_record: true,
        identity: 1,
        fields: vec![("a".into(), Value::Int(1)), ("b".into(), text("x"))],
    };
    let double = |n: f64| Value::Double(n.to_bits());
    let doubles = |numbers: &[f64]| Value::Array {
        class: "double[]".into(),
        length: numbers.len() as u64,
        elements: numbers.iter().map(|n| double(*n)).collect(),
    };
    for (ty, imports, other, value, expected) in [
        (
            "int",
            JUPITER,
            EQUALS,
            Value::Int(3),
            "assertEquals(3, box.value());",
        ),
        (
            "long",
            JUNIT4,
            EQUALS,
            Value::Long(3),
            "assertEquals(3L, box.value());",
        ),
        (
            "Long",
            JUNIT4,
            EQUALS,
            boxed(3),
            "assertEquals(Long.valueOf(3L), box.value());",
        ),
        (
            "short",
            JUPITER,
            EQUALS,
            Value::Short(-1),
            "assertEquals(-1, box.value());",
        ),
        (
            "short",
            ASSERTJ,
            THAT,
            Value::Short(-1),
            "assertThat(box.value()).isEqualTo((short) -1);",
        ),
        (
            "String",
            JUPITER,
            EQUALS,
            text("a\"\n"),
            "assertEquals(\"a\\\"\\n\", box.value());",
        ),
        (
            "String",
            JUPITER,
            EQUALS,
            Value::Null,
            "assertNull(box.value());",
        ),
        (
            "boolean",
            JUPITER,
            EQUALS,
            Value::Bool(false),
            "assertFalse(box.value());",
        ),
        (
            "boolean",
            ASSERTJ,
            THAT,
            Value::Bool(true),
            "assertThat(box.value()).isTrue();",
        ),
        (
            "double",
            JUNIT4,
            EQUALS,
            double(2.5),
            "assertEquals(2.5, box.value(), 0.0);",
        ),
        (
            "double",
            JUPITER,
            EQUALS,
            double(2.5),
            "assertEquals(2.5, box.value());",
        ),
        (
            "double",
            JUPITER,
            EQUALS,
            double(1.0 / 3.0),
            "assertEquals(0.3333333333333333, box.value(), 1e-11);",
        ),
        (
            "double",
            ASSERTJ,
            THAT,
            double(1.0 / 3.0),
            "assertThat(box.value()).isCloseTo(0.3333333333333333, within(1e-11));",
        ),
        (
            "double",
            JUNIT4,
            EQUALS,
            double(f64::NAN),
            "assertEquals(Double.NaN, box.value(), 0.0);",
        ),
        (
            "Box.Color",
            JUPITER,
            EQUALS,
            red,
            "assertEquals(Box.Color.RED, box.value());",
        ),
        (
            "Box.Pair",
            JUPITER,
            EQUALS,
            pair,
            "assertEquals(new Box.Pair(1, \"x\"), box.value());",
        ),
        (
            "java.util.List<Long>",
            ASSERTJ,
            THAT,
            list(Order::List, vec![boxed(1), boxed(2)]),
            "assertThat(box.value()).containsExactly(1L, 2L);",
        ),
        (
            "java.util.List<Long>",
            JUNIT4,
            EQUALS,
            list(Order::List, vec![boxed(1), boxed(2)]),
            "assertEquals(Arrays.asList(1L, 2L), box.value());",
        ),
        (
            "java.util.List<Long>",
            JUNIT4,
            EQUALS,
            list(Order::List, vec![]),
            "assertTrue(box.value().isEmpty());",
        ),
        (
            "java.util.Set<String>",
            JUPITER,
            EQUALS,
            list(Order::Set, vec![text("b"), text("a")]),
            "assertEquals(new HashSet<>(Arrays.asList(\"a\", \"b\")), box.value());",
        ),
        (
            "int[]",
            JUNIT4,
            EQUALS,
            Value::Array {
                class: "int[]".into(),
                length: 2,
                elements: vec![Value::Int(1), Value::Int(2)],
            },
            "assertArrayEquals(new int[] {1, 2}, box.value());",
        ),
        (
            "int[]",
            JUPITER,
            EQUALS,
            Value::Array {
                class: "int[]".into(),
                length: 20,
                elements: vec![Value::Int(1)],
            },
            "assertEquals(20, box.value().length);",
        ),
        (
            "java.math.BigDecimal",
            JUPITER,
            EQUALS,
            Value::Printed {
                class: "java.math.BigDecimal".into(),
                text: JavaString::of("1.50"),
            },
            "assertEquals(new BigDecimal(\"1.50\"), box.value());",
        ),
        (
            "java.util.Date",
            JUPITER,
            EQUALS,
            Value::Printed {
                class: "java.util.Date".into(),
                text: JavaString::of("2026-11-28T10:00:00.250Z"),
            },
            "assertEquals(Date.from(Instant.parse(\"2026-11-28T10:00:00.250Z\")), box.value());",
        ),
        // What is computed comes out a last bit another elsewhere; what is short is exact.
        (
            "double[]",
            JUNIT4,
            EQUALS,
            doubles(&[0.1 + 0.2, 1.5]),
            "assertArrayEquals(new double[] {0.30000000000000004, 1.5}, box.value(), 1e-11);",
        ),
        (
            "double[]",
            JUPITER,
            EQUALS,
            doubles(&[1.5, 100.0 / 3.0]),
            "assertArrayEquals(new double[] {1.5, 33.333333333333336}, box.value(), 1e-9);",
        ),
        (
            "double[]",
            JUNIT4,
            EQUALS,
            doubles(&[1.5, f64::NAN]),
            "assertArrayEquals(new double[] {1.5, Double.NaN}, box.value(), 0.0);",
        ),
        (
            "double[]",
            JUPITER,
            EQUALS,
            doubles(&[1.5]),
            "assertArrayEquals(new double[] {1.5}, box.value());",
        ),
    ] {
        let found = assertion(ty, imports, other, value.clone());
        let (title, found) = found.unwrap_or_else(|| panic!("{ty} {value:?}: nothing"));
        assert_eq!(found, expected, "{ty}");
        assert_eq!(title, format!("Assert box.value() is {}", value.short()));
    }
}

#[test]
fn what_no_expression_makes_keeps_its_placeholder() {
    let opaque = Value::Opaque {
        class: "own.Thing".into(),
        identity: 1,
    };
    for (ty, value) in [
        ("Object", opaque),
        ("String", text(&"x".repeat(1000))),
        ("String", text("[own.Box@1b6d3586 size = 1]")),
        (
            "String",
            Value::Text(JavaString {
                units: vec![0x61],
                length: 9,
            }),
        ),
    ] {
        let (title, _) = assertion(ty, JUPITER, EQUALS, value).expect("the placeholder");
        assert_eq!(title, "Assert box.value()", "{ty}");
    }
}

const TESTNG: &str = "import static org.testng.Assert.*;\n";
const TRUTH: &str = "import static com.google.common.truth.Truth.assertThat;\n";
const HAMCREST: &str = "import static org.hamcrest.MatcherAssert.assertThat;\nimport static org.hamcrest.Matchers.*;\n";
const IS: &str = "assertThat(1, is(1));";
/// Of a file that is written for a Java with `List.of`.
const MODERN: &str = "assertEquals(1, List.of(1).size());";

fn boxed(n: i32) -> Value {
    Value::Boxed(Box::new(Value::Int(n)))
}

fn double(n: f64) -> Value {
    Value::Double(n.to_bits())
}

fn optional(value: Option<Value>) -> Value {
    Value::Optional {
        class: "java.util.Optional".into(),
        value: value.map(Box::new),
    }
}

fn map(entries: Vec<(Value, Value)>) -> Value {
    Value::Map {
        class: "java.util.HashMap".into(),
        size: entries.len() as u64,
        entries,
    }
}

fn ints(elements: &[i32]) -> Value {
    Value::Array {
        class: "int[]".into(),
        length: elements.len() as u64,
        elements: elements.iter().map(|n| Value::Int(*n)).collect(),
    }
}

fn printed(class: &str, text: &str) -> Value {
    Value::Printed {
        class: class.into(),
        text: JavaString::of(text),
    }
}

/// What is inserted for a value in the words of Jupiter, JUnit 4, TestNG, AssertJ, Truth and Hamcrest.
fn in_all(ty: &str, value: &Value) -> [String; 6] {
    let files = [
        (JUPITER, EQUALS),
        (JUNIT4, EQUALS),
        (TESTNG, EQUALS),
        (ASSERTJ, THAT),
        (TRUTH, THAT),
        (HAMCREST, IS),
    ];
    files.map(|(imports, other)| {
        let found = assertion(ty, imports, other, value.clone());
        found.map_or_else(|| "nothing".to_owned(), |(_, text)| text)
    })
}

#[test]
fn each_framework_has_its_own_words_for_each_kind_of_value() {
    let list_of = |of: &[i32]| list(Order::List, of.iter().map(|n| boxed(*n)).collect());
    let held = |class: &str, value| Value::Holder {
        class: format!("java.util.concurrent.atomic.{class}").into(),
        value: Box::new(value),
    };
    let mut all = String::new();
    for (ty, value) in [
        ("java.util.Optional<String>", optional(Some(text("a")))),
        ("java.util.Optional<String>", optional(None)),
        (
            "java.util.OptionalInt",
            Value::Optional {
                class: "java.util.OptionalInt".into(),
                value: Some(Box::new(Value::Int(3))),
            },
        ),
        (
            "java.util.Map<String, Integer>",
            map(vec![(text("a"), boxed(1))]),
        ),
        ("java.util.Map<String, Integer>", map(vec![])),
        (
            "StringBuilder",
            Value::Chars {
                class: "java.lang.StringBuilder".into(),
                text: JavaString::of("a"),
            },
        ),
        (
            "java.util.concurrent.atomic.AtomicInteger",
            held("AtomicInteger", Value::Int(3)),
        ),
        (
            "java.util.concurrent.atomic.AtomicBoolean",
            held("AtomicBoolean", Value::Bool(true)),
        ),
        (
            "java.time.LocalDate",
            printed("java.time.LocalDate", "2020-04-29"),
        ),
        ("double", double(f64::NAN)),
        ("double", double(f64::INFINITY)),
        ("char", Value::Char(u16::from(b'\''))),
        ("Integer", Value::Null),
        ("java.util.List<Integer>", list_of(&[1, 2])),
        (
            "java.util.List<java.util.List<Integer>>",
            list(Order::List, vec![list_of(&[1]), list_of(&[])]),
        ),
        (
            "int[][]",
            Value::Array {
                class: "int[][]".into(),
                length: 2,
                elements: vec![ints(&[1]), ints(&[2, 3])],
            },
        ),
        // TestNG takes what its type does not call a set one by one.
        (
            "java.util.Collection<String>",
            list(Order::Set, vec![text("b"), text("a")]),
        ),
        // Arrays are equal to themselves alone.
        ("java.util.List<int[]>", list(Order::List, vec![ints(&[1])])),
    ] {
        all += &format!("{ty} {}\n", value.short());
        for line in in_all(ty, &value) {
            all += &format!("    {line}\n");
        }
    }
    expect![[r#"
        java.util.Optional<String> Optional["a"]
            assertEquals(Optional.of("a"), box.value());
            assertEquals(Optional.of("a"), box.value());
            assertEquals(box.value(), Optional.of("a"));
            assertThat(box.value()).contains("a");
            assertThat(box.value()).isEqualTo(Optional.of("a"));
            assertThat(box.value(), is(Optional.of("a")));
        java.util.Optional<String> empty
            assertEquals(Optional.empty(), box.value());
            assertEquals(Optional.empty(), box.value());
            assertEquals(box.value(), Optional.empty());
            assertThat(box.value()).isEmpty();
            assertThat(box.value()).isEqualTo(Optional.empty());
            assertThat(box.value(), is(Optional.empty()));
        java.util.OptionalInt Optional[3]
            assertEquals(OptionalInt.of(3), box.value());
            assertEquals(OptionalInt.of(3), box.value());
            assertEquals(box.value(), OptionalInt.of(3));
            assertThat(box.value()).hasValue(3);
            assertThat(box.value()).isEqualTo(OptionalInt.of(3));
            assertThat(box.value(), is(OptionalInt.of(3)));
        java.util.Map<String, Integer> {"a"=1}
            assertEquals(Collections.singletonMap("a", 1), box.value());
            assertEquals(Collections.singletonMap("a", 1), box.value());
            assertEquals(box.value(), Collections.singletonMap("a", 1));
            assertThat(box.value()).containsOnly(entry("a", 1));
            assertThat(box.value()).isEqualTo(Collections.singletonMap("a", 1));
            assertThat(box.value(), is(Collections.singletonMap("a", 1)));
        java.util.Map<String, Integer> {}
            assertTrue(box.value().isEmpty());
            assertTrue(box.value().isEmpty());
            assertTrue(box.value().isEmpty());
            assertThat(box.value()).isEmpty();
            assertThat(box.value()).isEmpty();
            assertThat(box.value().isEmpty(), is(true));
        StringBuilder a
            assertEquals("a", box.value().toString());
            assertEquals("a", box.value().toString());
            assertEquals(box.value().toString(), "a");
            assertThat(box.value().toString()).isEqualTo("a");
            assertThat(box.value().toString()).isEqualTo("a");
            assertThat(box.value().toString(), is("a"));
        java.util.concurrent.atomic.AtomicInteger 3
            assertEquals(3, box.value().get());
            assertEquals(3, box.value().get());
            assertEquals(box.value().get(), 3);
            assertThat(box.value().get()).isEqualTo(3);
            assertThat(box.value().get()).isEqualTo(3);
            assertThat(box.value().get(), is(3));
        java.util.concurrent.atomic.AtomicBoolean true
            assertTrue(box.value().get());
            assertTrue(box.value().get());
            assertTrue(box.value().get());
            assertThat(box.value().get()).isTrue();
            assertThat(box.value().get()).isTrue();
            assertThat(box.value().get(), is(true));
        java.time.LocalDate 2020-04-29
            assertEquals(LocalDate.parse("2020-04-29"), box.value());
            assertEquals(LocalDate.parse("2020-04-29"), box.value());
            assertEquals(box.value(), LocalDate.parse("2020-04-29"));
            assertThat(box.value()).isEqualTo(LocalDate.parse("2020-04-29"));
            assertThat(box.value()).isEqualTo(LocalDate.parse("2020-04-29"));
            assertThat(box.value(), is(LocalDate.parse("2020-04-29")));
        double NaN
            assertEquals(Double.NaN, box.value());
            assertEquals(Double.NaN, box.value(), 0.0);
            assertEquals(box.value(), Double.NaN, 0.0);
            assertThat(box.value()).isNaN();
            assertThat(box.value()).isEqualTo(Double.NaN);
            assertThat(box.value(), is(Double.NaN));
        double Infinity
            assertEquals(Double.POSITIVE_INFINITY, box.value());
            assertEquals(Double.POSITIVE_INFINITY, box.value(), 0.0);
            assertEquals(box.value(), Double.POSITIVE_INFINITY, 0.0);
            assertThat(box.value()).isEqualTo(Double.POSITIVE_INFINITY);
            assertThat(box.value()).isEqualTo(Double.POSITIVE_INFINITY);
            assertThat(box.value(), is(Double.POSITIVE_INFINITY));
        char '\''
            assertEquals('\'', box.value());
            assertEquals('\'', box.value());
            assertEquals(box.value(), '\'');
            assertThat(box.value()).isEqualTo('\'');
            assertThat(box.value()).isEqualTo('\'');
            assertThat(box.value(), is('\''));
        Integer null
            assertNull(box.value());
            assertNull(box.value());
            assertNull(box.value());
            assertThat(box.value()).isNull();
            assertThat(box.value()).isNull();
            assertThat(box.value(), is(nullValue()));
        java.util.List<Integer> [1, 2]
            assertEquals(Arrays.asList(1, 2), box.value());
            assertEquals(Arrays.asList(1, 2), box.value());
            assertEquals(box.value(), Arrays.asList(1, 2));
            assertThat(box.value()).containsExactly(1, 2);
            assertThat(box.value()).containsExactly(1, 2).inOrder();
            assertThat(box.value(), is(Arrays.asList(1, 2)));
        java.util.List<java.util.List<Integer>> [[1], []]
            assertEquals(Arrays.asList(Arrays.asList(1), Collections.emptyList()), box.value());
            assertEquals(Arrays.asList(Arrays.asList(1), Collections.emptyList()), box.value());
            assertEquals(box.value(), Arrays.asList(Arrays.asList(1), Collections.emptyList()));
            assertThat(box.value()).isEqualTo(Arrays.asList(Arrays.asList(1), Collections.emptyList()));
            assertThat(box.value()).isEqualTo(Arrays.asList(Arrays.asList(1), Collections.emptyList()));
            assertThat(box.value(), is(Arrays.asList(Arrays.asList(1), Collections.emptyList())));
        int[][] [[1], [2, 3]]
            assertArrayEquals(new int[][] {{1}, {2, 3}}, box.value());
            assertArrayEquals(new int[][] {{1}, {2, 3}}, box.value());
            assertEquals(box.value(), new int[][] {{1}, {2, 3}});
            assertThat(box.value()).isDeepEqualTo(new int[][] {{1}, {2, 3}});
            assertThat(box.value()).isEqualTo(new int[][] {{1}, {2, 3}});
            assertThat(box.value(), is(new int[][] {{1}, {2, 3}}));
        java.util.Collection<String> ["b", "a"]
            assertEquals(new HashSet<>(Arrays.asList("a", "b")), box.value());
            assertEquals(new HashSet<>(Arrays.asList("a", "b")), box.value());
            assertEquals(new HashSet<>(box.value()), new HashSet<>(Arrays.asList("a", "b")));
            assertThat(box.value()).containsExactlyInAnyOrder("a", "b");
            assertThat(box.value()).isEqualTo(new HashSet<>(Arrays.asList("a", "b")));
            assertThat(box.value(), is(new HashSet<>(Arrays.asList("a", "b"))));
        java.util.List<int[]> [[1]]
            assertEquals(1, box.value().size());
            assertEquals(1, box.value().size());
            assertEquals(box.value().size(), 1);
            assertThat(box.value()).hasSize(1);
            assertThat(box.value()).hasSize(1);
            assertThat(box.value().size(), is(1));
    "#]].assert_eq(&all);
}

#[test]
fn a_record_is_made_with_what_is_in_it() {
    let text_of = |fields: Vec<Value>, other: &str| {
        let value = Value::Object {
            class: "own.Box$Order".into(),
            is_record: true,
            identity: 1,
            fields: (0..)
                .map(|n: u32| n.to_string().into())
                .zip(fields)
                .collect(),
        };
        let imports = format!("{JUPITER}import java.util.List;\n");
        assertion("Box.Order", &imports, other, value).map(|(_, text)| text)
    };
    let set = |of: Vec<Value>| list(Order::Set, of);
    let lists = || {
        vec![
            list(Order::List, vec![text("a"), text("b")]),
            set(vec![boxed(2), boxed(1)]),
            map(vec![(text("k"), boxed(1))]),
            optional(Some(text("n"))),
            double(2.5),
        ]
    };
    let old = text_of(lists(), EQUALS).expect("an assertion");
    assert_eq!(
        old,
        "assertEquals(new Box.Order(Arrays.asList(\"a\", \"b\"), new HashSet<>(Arrays.asList(1, 2)), \
         Collections.singletonMap(\"k\", 1), Optional.of(\"n\"), 2.5), box.value());"
    );
    let modern = "assertEquals(new Box.Order(List.of(\"a\", \"b\"), Set.of(1, 2), Map.of(\"k\", 1), Optional.of(\"n\"), 2.5), \
                  box.value());";
    assert_eq!(text_of(lists(), MODERN).as_deref(), Some(modern));
    // What only looks like it says nothing of the file's Java.
    let guava = "assertEquals(1, ImmutableList.of(EnumSet.of(Kind.A)).size());";
    assert_eq!(text_of(lists(), guava).as_deref(), Some(old.as_str()));
    assert_eq!(
        text_of(lists(), "var n = 1; assertEquals(1, n);").as_deref(),
        Some(modern)
    );
    let none = vec![
        list(Order::List, vec![]),
        set(vec![]),
        map(vec![]),
        optional(None),
        double(2.5),
    ];
    let old = text_of(none, EQUALS).expect("an assertion");
    assert_eq!(
        old,
        "assertEquals(new Box.Order(Collections.emptyList(), Collections.emptySet(), Collections.emptyMap(), \
         Optional.empty(), 2.5), box.value());"
    );
    // Equal to itself alone, or of a class that is not written for it.
    for other in [
        ints(&[1]),
        list(Order::Queue, vec![text("a")]),
        set(vec![text("a")]),
    ] {
        let mut fields = lists();
        fields[0] = other;
        assert_eq!(
            text_of(fields, EQUALS).as_deref(),
            Some("assertNull(box.value());")
        );
    }
}
