//! `unstable-observation`, of values that were recorded: half of it where it is quiet.

use super::{Fixture, analysis};
use crate::rules::{Ground, Level, Options};
use evidence::{Definitions, Facts, Observed, Seen, Told, Value};
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

/// What the rule says of a test with this body, where `told` is what was recorded of it: level, place and message.
fn found(body: &str, told: impl FnOnce(&mut Told)) -> Vec<String> {
    let text = format!(
        "//- /src/test/java/own/ClockTest.java
package own;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class ClockTest {{
    @Test void ticks() {{ {body} }}
    static long time() {{ return 3; }}
}}
"
    );
    let analysis = analysis(&Fixture::parse(&text));
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
