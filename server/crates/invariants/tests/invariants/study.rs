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

/// At one entry three numbers in a row make a bound; of the object, which other calls meet far more often elsewhere, it may be chance.
/// It is told nowhere: that it holds above is enough.
#[test]
fn what_holds_of_the_object_by_chance_is_not_told_below() {
    let entry = "C.add(int):::ENTER";
    let bound = "this.size >= 1".to_owned();
    let mut text = declarations();
    for i in 0..40i64 {
        text.push_str(&enter(i, 1 + i % 5, 3));
        text.push_str(&exit(i, 10, 1 + i % 5, 3, i));
    }
    let size = variable("this.size", "", "C:::OBJECT");
    let mut others = format!(
        "\nppt C.get():::ENTER\nppt-type enter\nparent parent C:::OBJECT 1\n{size}\n\
         ppt C.get():::EXIT20\nppt-type subexit\nparent parent C:::OBJECT 1\n{size}\n"
    );
    for i in 100..2100i64 {
        for at in ["ENTER", "EXIT20"] {
            let size = 4 + i % 10;
            others.push_str(&format!(
                "C.get():::{at}\nthis_invocation_nonce\n{i}\nthis.size\n{size}\n1\n\n"
            ));
        }
    }
    let alone = learnt(&text);
    assert_eq!(
        told(&alone, "C:::OBJECT"),
        Some(vec![bound.clone()]),
        "{alone:?}"
    );
    text.push_str(&others);
    let learnt = learnt(&text);
    for at in ["C:::OBJECT", entry] {
        let told = told(&learnt, at).expect("a point");
        assert!(!told.contains(&bound), "{at}: {told:?}");
    }
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

/// At an entry a parameter is equal to what stays: that speaks for both, though the parameter comes first, and what is said of it
/// above need not be said again.
#[test]
fn what_stays_speaks_for_a_parameter() {
    let (n, size) = (
        variable("n", "is_param", ""),
        variable("this.size", "", "C:::OBJECT"),
    );
    let mut text = format!(
        "decl-version 2.0\nvar-comparability implicit\n\nppt C:::OBJECT\nppt-type object\n{}\n\
         ppt C.set(int):::ENTER\nppt-type enter\nparent parent C:::OBJECT 1\n{n}{size}\n\
         ppt C.set(int):::EXIT10\nppt-type subexit\nparent parent C:::OBJECT 1\n{n}{size}\n",
        variable("this.size", "", "")
    );
    for i in 0..40i64 {
        for at in ["ENTER", "EXIT10"] {
            let value = i % 5;
            text.push_str(&format!(
                "C.set(int):::{at}\nthis_invocation_nonce\n{i}\nn\n{value}\n1\nthis.size\n{value}\n1\n\n"
            ));
        }
    }
    let learnt = learnt(&text);
    let enter = told(&learnt, "C.set(int):::ENTER");
    assert_eq!(enter, Some(vec!["n == this.size".to_owned()]));
}

/// At the entry a field speaks for the parameter, for it stays; at the exit, where both have changed, what the parameter was speaks
/// for what the field was. That is told again.
#[test]
fn what_another_says_above_is_told_again() {
    let variables = [variable("n", "is_param", ""), variable("this.size", "", "")].concat();
    let mut text = format!(
        "decl-version 2.0\nvar-comparability implicit\n\n\
         ppt C.set(int):::ENTER\nppt-type enter\n{variables}\n\
         ppt C.set(int):::EXIT10\nppt-type subexit\n{variables}\n"
    );
    for i in 0..60i64 {
        for (at, value) in [("ENTER", i % 3), ("EXIT10", 100 + 7 * i % 11)] {
            text.push_str(&format!(
                "C.set(int):::{at}\nthis_invocation_nonce\n{i}\nn\n{value}\n1\nthis.size\n{value}\n1\n\n"
            ));
        }
    }
    let learnt = learnt(&text);
    for (at, text) in [
        ("C.set(int):::ENTER", "this.size one of { 0, 1, 2 }"),
        ("C.set(int):::EXIT", "orig(n) one of { 0, 1, 2 }"),
    ] {
        let told = told(&learnt, at).expect("a point");
        assert!(told.iter().any(|t| t == text), "{text}: {told:?}");
    }
}

/// Three numbers `t`, `o`, `b` at one of two returns.
fn three(line: u8, nonce: i64, [t, o, b]: [Option<i64>; 3]) -> String {
    let value = |v: Option<i64>| v.map_or("nonsensical\n2".to_owned(), |v| format!("{v}\n1"));
    format!(
        "C.m():::ENTER\nthis_invocation_nonce\n{nonce}\n\nC.m():::EXIT{line}\nthis_invocation_nonce\n{nonce}\nt\n{}\no\n{}\nb\n{}\n\n",
        value(t),
        value(o),
        value(b)
    )
}

/// `t` is missing where the others are there, at line 12. So it is none of them, and only equal to the one that leads there; at line
/// 10 it leads, and what it is equal to is told as far as it is not told of all returns.
#[test]
fn an_equation_is_told_above_only_of_the_same_two() {
    let all = ["t", "o", "b"].map(|name| variable(name, "", ""));
    let all = all.concat();
    let mut text = format!(
        "decl-version 2.0\nvar-comparability implicit\n\nppt C.m():::ENTER\nppt-type enter\n\n\
         ppt C.m():::EXIT10\nppt-type subexit\n{all}\nppt C.m():::EXIT12\nppt-type subexit\n{all}\n"
    );
    for i in 0..40i64 {
        let value = Some(3 * i % 17);
        let (line, t) = if i % 2 == 0 { (10, value) } else { (12, None) };
        text.push_str(&three(line, i, [t, value, value]));
    }
    let learnt = learnt(&text);
    let exit = told(&learnt, "C.m():::EXIT").expect("a point");
    for text in ["o == b", "t == o"] {
        assert!(exit.iter().any(|t| t == text), "{text}: {exit:?}");
    }
    let first = told(&learnt, "C.m():::EXIT10").expect("a point");
    assert!(!first.iter().any(|t| t == "t == o"), "{first:?}");
    assert!(first.iter().any(|t| t == "t == b"), "{first:?}");
}
