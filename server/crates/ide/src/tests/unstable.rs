//! `unstable-observation`, of values that were recorded: half of it where it is quiet.

use super::{Fixture, analysis};
use crate::rules::{Ground, Level, Options};
use crate::weave::weave;
use evidence::{Definitions, Facts, Observed, Order, Seen, Told, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What two runs saw of a variable.
fn seen(first: i32, second: i32) -> Observed {
    Observed {
        values: vec![Value::Int(first)],
        count: 1,
        cut: false,
        differs: (first != second).then(|| vec![Value::Int(second)]),
        once: false,
    }
}

fn clock(body: &str) -> String {
    format!(
        "//- /src/main/java/own/Pipe.java
package own;
import java.util.*;
public class Pipe {{
    public int total() {{ return 3; }}
    public double mean() {{ return 3; }}
    public Integer last() {{ return 3; }}
    public List<String> names() {{ return null; }}
    public Pipe next() {{ return this; }}
}}
//- /src/test/java/own/ClockTest.java
package own;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.*;
import static org.junit.jupiter.api.Assertions.*;
import java.util.*;
import org.junit.jupiter.api.Test;
class ClockTest {{
    @Test void ticks() {{ {body} }}
    static long time() {{ return 3; }}
}}
"
    )
}

/// What the rule says of a test with this body, where `told` is what was recorded of it: level, place and message.
fn found(body: &str, told: impl FnOnce(&mut Told)) -> Vec<String> {
    let analysis = analysis(&Fixture::parse(&clock(body)));
    let program = analysis.program();
    let test = analysis.workspace().suite().tests()[0];
    let mut own = Told {
        key: analysis.key(test),
        passed: true,
        ..Told::default()
    };
    told(&mut own);
    let file = program.method_file(test).expect("it has one");
    let text = program.text(file).expect("it was given").to_string();
    let mut facts = Facts::default();
    facts.insert("own.ClockTest#ticks()", own);
    let analysis = analysis.with_facts(Arc::new(facts));
    let options = Options::default();
    let ground = Ground::new(&analysis, &options);
    let found = ground.findings(file, &|rule| rule.name == "unstable-observation");
    let line = |f: crate::rules::Finding| {
        let level = f.level(Level::Warning).name();
        let at = &text[f.span.start as usize..f.span.end as usize];
        format!("{level}: {at}: {}", f.message)
    };
    found.into_iter().map(line).collect()
}

fn only(seen: Seen, observed: Observed) -> Definitions {
    Definitions::pack(&BTreeMap::from([(seen, observed)])).expect("packed")
}

/// With `took` being 3, then 5.
fn differing(body: &str) -> Vec<String> {
    let took = Seen {
        variable: "took".into(),
        nth: 0,
    };
    found(&format!("long took = System.nanoTime(); {body}"), |told| {
        told.variables = only(took, seen(3, 5));
    })
}

#[test]
fn an_assertion_on_what_differs_is_told_with_both_values() {
    let says = "took differs from run to run: 3, then 5";
    for (body, level, at) in [
        ("assertTrue(took < 100);", "info", "assertTrue(took < 100)"),
        (
            "assertThat(took).isLessThan(100);",
            "info",
            "assertThat(took).isLessThan(100)",
        ),
        (
            "assertEquals(4.0, took, 2.0, \"slow\");",
            "warning",
            "assertEquals(4.0, took, 2.0, \"slow\")",
        ),
    ] {
        assert_eq!(differing(body), [format!("{level}: {at}: {says}")]);
    }
}

#[test]
fn a_test_that_fails_where_the_locale_is_another_is_told_at_its_name() {
    let message = "AssertionFailedError: expected: <1.5>\n but was: <1,5>";
    let told = found("assertEquals(\"1.5\", \"\" + time());", |told| {
        told.passed = false;
        told.varied = Some(message.to_owned());
    });
    let says = "warning: ticks: This test fails where time zone, locale and order of hashes are others: AssertionFailedError: expected: <1.5> but was: <1,5>";
    assert_eq!(told, [says]);
}

#[test]
fn what_agrees_or_holds_of_any_value_is_quiet() {
    for body in [
        "assertNotNull(took);",
        "assertThat(took).isNotNull();",
        "assertNotEquals(0, took);",
        "assertEquals(took, time());",
        "long other = time(); assertEquals(took, other);",
        "took = 3; assertTrue(took < 100);",
        "long other = 3; assertTrue(other < 100);",
        "time();",
    ] {
        assert_eq!(differing(body), [""; 0], "{body}");
    }
    let took = Seen {
        variable: "took".into(),
        nth: 0,
    };
    let body = "long took = time(); assertTrue(took < 100);";
    let same = found(body, |told| {
        told.variables = only(took.clone(), seen(3, 3));
    });
    assert_eq!(same, [""; 0]);
    let old = found(body, |told| {
        told.variables = only(took.clone(), seen(3, 5));
        told.varied = Some("no".to_owned());
        told.key ^= 1;
    });
    assert_eq!(old, [""; 0], "of other code");
    let object = |n| {
        let fields = vec![("at".into(), Value::Int(n))];
        vec![Value::Object {
            class: "own.Clock".into(),
            is_record: false,
            identity: 1,
            fields,
        }]
    };
    let objects = found(body, |told| {
        let observed = Observed {
            values: object(3),
            differs: Some(object(5)),
            ..seen(3, 5)
        };
        told.variables = only(took, observed);
    });
    assert_eq!(objects, [""; 0], "nobody knows what is asked of it");
}

/// What is said of this in a test with a pipe, where calls of this text gave these values.
fn called(body: &str, call: &str, first: Value, second: Value) -> Vec<String> {
    found(&format!("Pipe pipe = new Pipe(); {body}"), |told| {
        let variable = Seen {
            variable: call.into(),
            nth: 0,
        };
        told.variables = only(variable, differs(first, second));
    })
}

fn differs(first: Value, second: Value) -> Observed {
    Observed {
        values: vec![first],
        differs: Some(vec![second]),
        ..seen(3, 5)
    }
}

fn list(of: &[i32]) -> Value {
    Value::Collection {
        class: "java.util.ArrayList".into(),
        kind: Order::List,
        size: of.len() as u64,
        elements: of.iter().map(|n| Value::Int(*n)).collect(),
    }
}

#[test]
fn what_a_call_gave_that_an_assertion_reads_is_told() {
    let says = "pipe.total() differs from run to run: 3, then 5";
    for (level, body) in [
        ("warning", "assertEquals(3, pipe.total())"),
        ("info", "assertTrue(pipe.total() >= 0)"),
        ("warning", "assertThat(pipe.total()).isEqualTo(3)"),
        ("warning", "assertThat(pipe.total(), is(equalTo(3)))"),
    ] {
        let found = called(
            &format!("{body};"),
            "pipe.total()",
            Value::Int(3),
            Value::Int(5),
        );
        assert_eq!(found, [format!("{level}: {body}: {says}")], "{body}");
    }
    for body in [
        "assertNotNull(pipe.total());",
        "assertEquals(pipe.total(), time());",
        "pipe.total();",
        "assertEquals(3, pipe.next().total());",
        "int total = pipe.total(); assertEquals(3, total);",
        "assertThat(pipe.total(), not(equalTo(3)));",
    ] {
        let found = called(body, "pipe.total()", Value::Int(3), Value::Int(5));
        assert_eq!(found, [""; 0], "{body}");
    }
    // The second of two that are written alike.
    let twice = "assertEquals(3, pipe.total()); assertEquals(4, pipe.total());";
    let found = called(twice, "pipe.total()", Value::Int(3), Value::Int(5));
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("warning: assertEquals(3, "),
        "{found:?}"
    );
}

#[test]
fn fractions_may_differ_as_far_as_the_assertion_lets_them() {
    let of = |n: f64| Value::Double(n.to_bits());
    let told = |body: &str, second| called(body, "pipe.mean()", of(0.3), of(second)).len();
    let near = "assertEquals(0.3, pipe.mean(), 1e-3);";
    assert_eq!([told(near, 0.300_000_4), told(near, 0.5)], [0, 1]);
    let exact = "assertEquals(0.3, pipe.mean());";
    assert_eq!(told(exact, 0.300_000_4), 1);
}

#[test]
fn elements_in_another_order_are_told_where_all_are_compared() {
    let (first, second) = (list(&[1, 2]), list(&[2, 1]));
    let told = |body: &str| called(body, "pipe.names()", first.clone(), second.clone()).len();
    for body in [
        "assertEquals(List.of(1, 2), pipe.names());",
        "assertIterableEquals(Arrays.asList(1, 2), pipe.names());",
        "assertThat(pipe.names()).isEqualTo(List.of(1, 2));",
    ] {
        assert_eq!(told(body), 1, "{body}");
    }
    for body in [
        "assertThat(pipe.names()).hasSize(2);",
        "assertThat(pipe.names()).contains(1);",
        "assertEquals(2, pipe.names().size());",
        "assertFalse(pipe.names().isEmpty());",
    ] {
        assert_eq!(told(body), 0, "{body}");
    }
    let names = |body: &str, first: Value, second: Value| {
        let body = format!("Pipe pipe = new Pipe(); List<String> names = pipe.names(); {body}");
        found(&body, |told| {
            let variable = Seen {
                variable: "names".into(),
                nth: 0,
            };
            told.variables = only(variable, differs(first, second));
        })
    };
    let body = "assertEquals(List.of(1, 2), names);";
    let says = "warning: assertEquals(List.of(1, 2), names): names differs from run to run: [1, 2], then [2, 1]";
    assert_eq!(names(body, list(&[1, 2]), list(&[2, 1])), [says]);
    assert_eq!(
        names(
            "assertThat(names).hasSize(2);",
            list(&[1, 2]),
            list(&[2, 1])
        ),
        [""; 0]
    );
    let object = |n| {
        let mut one = list(&[]);
        if let Value::Collection { elements, .. } = &mut one {
            elements.push(Value::Opaque {
                class: "own.Pipe".into(),
                identity: n,
            });
        }
        one
    };
    assert_eq!(
        names(body, object(1), object(2)),
        [""; 0],
        "nobody knows what their equals asks"
    );
}

#[test]
fn what_an_assertion_reads_is_told_where_it_stands() {
    let body = "Pipe pipe = new Pipe(); assertEquals(3, pipe.total()); assertEquals(3, pipe.last()); \
        assertEquals(pipe.total(), pipe.last()); assertSame(pipe, pipe.next()); \
        assertEquals(0, \"#\".concat(pipe.names().get(0)).length());";
    let analysis = analysis(&Fixture::parse(&clock(body)));
    let program = analysis.program();
    let test = analysis.workspace().suite().tests()[0];
    let file = program.method_file(test).expect("it has one");
    let woven = weave(&analysis, file, &[test], 1, &|_| false).expect("calls");
    let line = woven.text.lines().find(|l| l.contains("void ticks"));
    let line = line.expect("the test");
    for call in [
        "assertEquals(3, dev_telltale.See.see(2, pipe.total()));",
        "assertEquals(3, ((java.lang.Integer) dev_telltale.See.see(3, pipe.last())));",
        "assertEquals(pipe.total(), pipe.last());",
        "assertSame(pipe, pipe.next());",
        // The store would take it for one of the code under test.
        "assertEquals(0, \"#\".concat(pipe.names().get(0)).length());",
    ] {
        assert!(line.contains(call), "{line}");
    }
}
