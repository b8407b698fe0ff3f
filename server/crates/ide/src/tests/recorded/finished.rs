//! Finished assertions, and where none is.

use super::*;

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
