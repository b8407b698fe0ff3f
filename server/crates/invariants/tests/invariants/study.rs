//! Points that hang together: entries and exits, returns, classes.

use invariants::Options;
use invariants::study::{Learnt, Study};
use invariants::trace::{Declarations, Reader};

/// What is learnt of a trace.
pub(crate) fn learnt(text: &str) -> Vec<Learnt> {
    let mut declared = Declarations::default();
    let mut study = Study::new(Options::default());
    let mut reader = Reader::new(text.as_bytes());
    while let Some(sample) = reader.next(&mut declared).expect("a trace") {
        study.declare(declared.points());
        study.see(
            &declared.points()[sample.point].name,
            sample.nonce,
            sample.values,
        );
    }
    study.learnt()
}

/// What is told at a point; none if the point is not listed.
fn told(learnt: &[Learnt], point: &str) -> Option<Vec<String>> {
    let found = learnt.iter().find(|l| l.point == point)?;
    Some(found.constraints.iter().map(|c| c.text.clone()).collect())
}

fn variable(name: &str, flags: &str, parent: &str) -> String {
    let parent = if parent.is_empty() {
        String::new()
    } else {
        format!("  parent {parent} 1\n")
    };
    let flags = if flags.is_empty() {
        String::new()
    } else {
        format!("  flags {flags}\n")
    };
    format!(
        "variable {name}\n  var-kind variable\n  dec-type int\n  rep-type int\n{flags}  comparability 1\n{parent}"
    )
}

/// A method with an entry and two returns; what the object has is told of the object.
fn declarations() -> String {
    let size = variable("this.size", "", "C:::OBJECT");
    let n = variable("n", "is_param", "");
    let result = variable("return", "", "");
    format!(
        "decl-version 2.0\nvar-comparability implicit\n\nppt C:::OBJECT\nppt-type object\n{}\n\
         ppt C.add(int):::ENTER\nppt-type enter\nparent parent C:::OBJECT 1\n{size}{n}\n\
         ppt C.add(int):::EXIT10\nppt-type subexit\nparent parent C:::OBJECT 1\n{size}{n}{result}\n\
         ppt C.add(int):::EXIT12\nppt-type subexit\nparent parent C:::OBJECT 1\n{size}{n}{result}\n",
        variable("this.size", "", "")
    )
}

fn enter(nonce: i64, size: i64, n: i64) -> String {
    format!(
        "C.add(int):::ENTER\nthis_invocation_nonce\n{nonce}\nthis.size\n{size}\n1\nn\n{n}\n1\n\n"
    )
}

fn exit(nonce: i64, line: u8, size: i64, n: i64, result: i64) -> String {
    format!(
        "C.add(int):::EXIT{line}\nthis_invocation_nonce\n{nonce}\nthis.size\n{size}\n1\nn\n{n}\n1\nreturn\n{result}\n1\n\n"
    )
}

fn calls() -> String {
    let mut text = declarations();
    for i in 0..40i64 {
        let size = i / 2 % 5;
        text.push_str(&enter(i, size, 7 * i % 11));
        let line = if i % 2 == 0 { 10 } else { 12 };
        text.push_str(&exit(i, line, size + 1, 0, 2 * size + i % 2));
    }
    text
}

#[test]
fn an_exit_knows_its_entry() {
    let learnt = learnt(&calls());
    let exit = told(&learnt, "C.add(int):::EXIT").expect("a point");
    assert!(
        exit.contains(&"this.size - orig(this.size) - 1 == 0".to_owned()),
        "{exit:?}"
    );
    // A parameter that was set to something else is nothing to the caller.
    assert!(!exit.iter().any(|c| c == "n == 0"), "{exit:?}");
    let even = told(&learnt, "C.add(int):::EXIT10").expect("a point");
    assert!(
        even.contains(&"return - 2 * orig(this.size) == 0".to_owned()),
        "{even:?}"
    );
}

#[test]
fn what_holds_of_the_object_is_told_there_only() {
    let learnt = learnt(&calls());
    assert_eq!(
        told(&learnt, "C:::OBJECT"),
        Some(vec!["this.size >= 0".to_owned()])
    );
    let enter = told(&learnt, "C.add(int):::ENTER").expect("a point");
    assert!(!enter.iter().any(|c| c == "this.size >= 0"), "{enter:?}");
}

#[test]
fn a_call_that_does_not_return_does_not_count() {
    let mut text = calls();
    text.push_str(&enter(100, -1000, -1000));
    let with = learnt(&text);
    let without = learnt(&calls());
    let texts = |l: &[Learnt]| {
        l.iter()
            .map(|l| (l.point.clone(), l.samples))
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(&with), texts(&without));
}

#[test]
fn calls_in_calls_are_told_apart() {
    let mut text = declarations();
    // Ten calls in one another; the innermost returns first.
    (0..10).for_each(|i| text.push_str(&enter(i, i, 1)));
    (0..10)
        .rev()
        .for_each(|i| text.push_str(&exit(i, 10, i + 1, 1, i)));
    let exit = told(&learnt(&text), "C.add(int):::EXIT").expect("a point");
    assert!(
        exit.contains(&"return == orig(this.size)".to_owned()),
        "{exit:?}"
    );
    // Without numbers they go by the order.
    let plain = text.lines().collect::<Vec<_>>();
    let mut without = String::new();
    let mut skip = 0;
    for line in plain {
        if line == "this_invocation_nonce" {
            skip = 2;
        }
        if skip > 0 {
            skip -= 1;
        } else {
            without.push_str(line);
            without.push('\n');
        }
    }
    let exit = told(&learnt(&without), "C.add(int):::EXIT").expect("a point");
    assert!(
        exit.contains(&"return == orig(this.size)".to_owned()),
        "{exit:?}"
    );
}
