//! What is told of all that holds at one point, and of which of several equal variables: where Daikon is silent, so are we.

use crate::support::{holding, ints, learner, point, texts, told};
use invariants::point::VariableKind;
use invariants::{Claim, Kind, Learner, Options, Point, PointKind, Rep, Value, Variable, Verdict};

fn has(all: &[String], text: &str) -> bool {
    all.iter().any(|t| t == text)
}

/// What is told of `x` and `y` after these samples.
fn of_numbers(samples: &[(i64, i64)]) -> Vec<String> {
    let mut learner = learner(&point(&["x: int", "y: int"]));
    for (x, y) in samples {
        learner.see(&[Value::Int(*x), Value::Int(*y)], 1);
    }
    told(&learner)
}

/// Of few small numbers one is a multiple or a square of the other by chance.
#[test]
fn quotients_and_squares_need_five_pairs_of_values() {
    let four = of_numbers(&[(6, 2), (12, 3), (9, 9), (35, 7)]);
    assert!(!has(&four, "x % y == 0"), "{four:?}");
    let five = of_numbers(&[(6, 2), (12, 3), (9, 9), (35, 7), (8, 4)]);
    assert!(has(&five, "x % y == 0"), "{five:?}");
    let four = of_numbers(&[(4, 2), (9, 3), (81, 9), (49, 7)]);
    assert!(!has(&four, "x == y**2"), "{four:?}");
    let five = of_numbers(&[(4, 2), (9, 3), (81, 9), (49, 7), (16, 4)]);
    assert!(has(&five, "x == y**2"), "{five:?}");
}

#[test]
fn a_line_through_zero_says_which_multiple() {
    let lines = of_numbers(&[(3, 1), (6, 2), (27, 9), (21, 7), (12, 4), (15, 5)]);
    assert!(has(&lines, "x - 3 * y == 0"), "{lines:?}");
    assert!(!has(&lines, "x % y == 0"), "{lines:?}");
    // This one does not: neither is a whole multiple of the other in general.
    let lines = of_numbers(&[(3, 2), (6, 4), (27, 18), (21, 14), (12, 8), (15, 10)]);
    assert!(has(&lines, "2 * x - 3 * y == 0"), "{lines:?}");
}

/// 1 divides everything, and so does -1; of both in turn it is told. A constant may well have a multiple.
#[test]
fn what_divides_everything() {
    let samples: Vec<(i64, i64)> = (2..12).map(|i| (i * i, 1)).collect();
    assert!(!has(&of_numbers(&samples), "x % y == 0"));
    let samples: Vec<(i64, i64)> = (2..12).map(|i| (i * i, 1 - i % 2 * 2)).collect();
    let both = of_numbers(&samples);
    assert!(has(&both, "x % y == 0"), "{both:?}");
    let samples: Vec<(i64, i64)> = (2..12).map(|i| (7 * i * i, 7)).collect();
    let constant = of_numbers(&samples);
    assert!(has(&constant, "x % y == 0"), "{constant:?}");
}

#[test]
fn strings_are_not_told_to_be_in_order() {
    let mut learner = learner(&point(&["a: String[]", "n: int[]"]));
    for i in 0..20i64 {
        learner.see(&[texts(&["a", "b"]), ints(&[i, i + 1])], 1);
    }
    let holding = holding(&learner);
    assert!(
        has(&holding, "n[] sorted by <") || has(&holding, "n[] sorted by <="),
        "{holding:?}"
    );
    assert!(!holding.iter().any(|t| t.starts_with("a[] sorted")));
    assert!(!has(&holding, "a[] elements are equal"));
}

/// That `r` is always null is told, although it is equal to an element of which that is known.
#[test]
fn the_value_of_a_variable_is_told_beside_an_element_that_is_equal() {
    let mut learner = learner(&point(&[
        "r: java.lang.Object",
        "a: java.lang.Object[]",
        "i: int",
    ]));
    for i in 0..20i64 {
        learner.see(&[Value::Int(0), ints(&[0, 0, 0]), Value::Int(i % 3)], 1);
    }
    let all = told(&learner);
    assert!(has(&all, "r == a[i]"), "{all:?}");
    assert!(has(&all, "r == null"), "{all:?}");
    assert!(!has(&all, "a[i] == null"), "{all:?}");
}

/// Of two numbers that are told nothing more need be said; of two strings their order is news.
#[test]
fn constants() {
    let mut learner = learner(&point(&["x: int", "y: int", "s: String", "t: String"]));
    for i in 0..20i64 {
        let y = if i % 4 == 3 {
            Value::Missing
        } else {
            Value::Int(1)
        };
        let sample = [Value::Int(0), y, Value::text("s"), Value::text("t")];
        learner.see(&sample, 1);
    }
    let all = told(&learner);
    assert!(has(&all, "x == 0") && has(&all, "y == 1"), "{all:?}");
    assert!(!has(&all, "x < y"), "{all:?}");
    assert!(has(&all, "s < t"), "{all:?}");
}

/// A point with variables of a declared type each.
fn declared(variables: &[(&str, &str, Kind)]) -> Point {
    let variables = variables
        .iter()
        .map(|(name, declared, kind)| Variable::new(name, declared, Rep::one(*kind)));
    Point::new("p:::POINT", PointKind::Point, variables.collect())
}

#[test]
fn whole_numbers_of_any_width_are_one() {
    let kinds = [
        ("c", "long", Kind::Int),
        ("d", "int", Kind::Int),
        ("e", "byte", Kind::Int),
    ];
    let mut learner = learner(&declared(&kinds));
    for i in 0..20i64 {
        learner.see(
            &[Value::Int(i % 5), Value::Int(i % 5), Value::Int(i % 5)],
            1,
        );
    }
    assert_eq!(told(&learner), ["c == d", "c == e", "c >= 0", "c <= 4"]);
}

#[test]
fn types_that_have_nothing_to_do_with_each_other_are_not_compared() {
    let kinds = [
        ("a", "Node", Kind::Reference),
        ("b", "List", Kind::Reference),
        ("o", "java.lang.Object", Kind::Reference),
        ("p", "int[]", Kind::Reference),
    ];
    let mut learner = learner(&declared(&kinds));
    for _ in 0..20 {
        learner.see(
            &[Value::Int(7), Value::Int(7), Value::Int(7), Value::Int(7)],
            1,
        );
    }
    let equalities: Vec<String> = holding(&learner)
        .into_iter()
        .filter(|t| t.contains("==") && !t.contains("null"))
        .collect();
    assert_eq!(equalities, ["a == o", "b == o"]);
}

/// Of two terms that are equal and as simple the first one speaks: the order is that of the variables that they are made of.
#[test]
fn elements_come_in_the_order_of_the_first_variable() {
    let point = point(&["i: int", "a: int[]", "b: int[]", "j: int"]);
    let learner = learner(&point);
    let names: Vec<&str> = learner.terms()[4..]
        .iter()
        .map(|t| t.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "size(a[])",
            "size(a[])-1",
            "size(b[])",
            "size(b[])-1",
            "a[i]",
            "a[i-1]",
            "b[i]",
            "b[i-1]",
            "a[j]",
            "a[j-1]",
            "b[j]",
            "b[j-1]"
        ]
    );
}

/// Of sequences of strings both the whole and the places are told; of lengths only the lengths, not what is one less.
#[test]
fn sequences_that_are_equal_where_both_are_there() {
    let mut learner = learner(&point(&[
        "a: String[]",
        "b: String[]",
        "x: int[]",
        "y: double[]",
    ]));
    for i in 0..20u8 {
        let words = texts(&[&"word"[..usize::from(i % 4)], "w"][..usize::from(i % 3)]);
        let b = if i % 5 == 4 {
            Value::Missing
        } else {
            words.clone()
        };
        let numbers: Vec<i64> = (0..i64::from(i % 4)).map(|n| n * i64::from(i)).collect();
        let doubles = Value::Doubles(numbers.iter().map(|_| 1.0 + f64::from(i)).collect());
        let y = if i % 7 == 4 { Value::Missing } else { doubles };
        learner.see(&[words, b, ints(&numbers), y], 1);
    }
    let all = told(&learner);
    for text in [
        "a[] == b[]",
        "a[] == b[] (elementwise)",
        "size(x[]) == size(y[])",
    ] {
        assert!(has(&all, text), "{text}: {all:?}");
    }
    assert!(!has(&all, "size(x[])-1 == size(y[])-1"), "{all:?}");
}

/// Of a bound of elements each element counts, though there were few sequences.
#[test]
fn a_bound_of_elements_needs_elements_not_sequences() {
    let mut learner = learner(&point(&["a: int[]"]));
    for _ in 0..4 {
        learner.see(&[ints(&[1, 2, 3, 1, 1, 2, 1])], 1);
    }
    learner.see(&[ints(&[4, 1, 1, 5])], 1);
    let all = told(&learner);
    assert!(has(&all, "a[] elements >= 1"), "{all:?}");
}

/// What a reader is told at a point.
fn read(point: &Point, samples: &[Vec<Value>]) -> Vec<String> {
    let mut learner = Learner::new(point, Options::default());
    samples.iter().for_each(|sample| learner.see(sample, 1));
    let constraints = learner.constraints().into_iter();
    constraints.map(|c| c.text).collect()
}

#[test]
fn nothing_is_said_of_elements_of_doubles_unless_asked_for() {
    let point = point(&["a: double[]", "i: int"]);
    let samples: Vec<Vec<Value>> = (0..20i64)
        .map(|i| {
            let mut all = [1.5, 2.5, 3.5];
            all[usize::try_from(i % 3).expect("small")] = 7.5;
            vec![Value::Doubles(all.into()), Value::Int(i % 3)]
        })
        .collect();
    assert!(!read(&point, &samples).iter().any(|t| t.contains("a[i]")));
    for asked in [false, true] {
        let options = Options {
            elements_of_doubles: asked,
            ..Options::for_checking()
        };
        let mut learner = Learner::new(&point, options);
        samples.iter().for_each(|sample| learner.see(sample, 1));
        assert_eq!(has(&told(&learner), "a[i] == 7.5"), asked);
    }
}

/// In the one sample that has `b` and `c`, `a` parts from them if it is missing: then nobody counts that they are equal.
#[test]
fn one_sample_tells_an_equation_only_beside_the_first_variable() {
    let point = point(&["a: int", "b: int", "c: int"]);
    let sample = |a| vec![vec![a, Value::Int(5), Value::Int(5)]];
    let with = read(&point, &sample(Value::Int(3)));
    assert!(has(&with, "b == c"), "{with:?}");
    let without = read(&point, &sample(Value::Missing));
    assert!(!has(&without, "b == c"), "{without:?}");
    let twice = [sample(Value::Missing), sample(Value::Missing)].concat();
    assert!(has(&read(&point, &twice), "b == c"));
}

/// Elements that are spread as wide as numbers can be are not 0 by chance, however many sequences there were; nor is this told of one of
/// them, as it is of a number by itself.
#[test]
fn that_elements_are_not_zero_may_be_chance() {
    let point = point(&["a: int[]", "i: int", "x: int"]);
    let samples: Vec<Vec<Value>> = (0..400i64)
        .map(|n| {
            let wide = |i: i64| 2 * ((3 * n + i) * 7919 % 2_000_003) - 2_000_001;
            let all = [wide(0), wide(1), wide(2)];
            vec![ints(&all), Value::Int(n % 3), Value::Int(wide(7))]
        })
        .collect();
    let all = read(&point, &samples);
    assert!(has(&all, "x != 0"), "{all:?}");
    for text in ["a[] elements != 0", "a[i] != 0"] {
        assert!(!has(&all, text), "{text}: {all:?}");
    }
}

/// An element that is found by what a parameter holds passes with it, unless the sequence is of `this`.
#[test]
fn what_stays_speaks_for_an_element_found_by_a_parameter() {
    let named = |name: &str, enclosing: Option<&str>| {
        let mut variable = Variable::new(name, "int", Rep::one(Kind::Int));
        variable.enclosing = enclosing.map(str::to_owned);
        variable
    };
    let told = |array: &str| {
        let mut parameter = Variable::new("p", "P", Rep::one(Kind::Reference));
        parameter.traits.parameter = true;
        let this = Variable::new("this", "C", Rep::one(Kind::Reference));
        let mut all = Variable::new(&format!("{array}[..]"), "int[]", Rep::many(Kind::Int));
        all.kind = VariableKind::Array;
        all.enclosing = Some(array.to_owned());
        let holder = array.split_once('.').map(|(holder, _)| holder);
        let variables = vec![
            parameter,
            named("p.at", Some("p")),
            this,
            named(array, holder),
            all,
            named("this.last", Some("this")),
        ];
        let point = Point::new("C.m(P):::ENTER", PointKind::Enter, variables);
        let samples: Vec<Vec<Value>> = (0..20i64)
            .map(|n| {
                let all = ints(&[5, n, 5]);
                let one = Value::Int(7);
                let [first, last] = [0, 2].map(Value::Int);
                vec![one.clone(), first, one.clone(), one, all, last]
            })
            .collect();
        read(&point, &samples)
    };
    let of_class = told("C.all");
    assert!(has(&of_class, "C.all[this.last] == 5"), "{of_class:?}");
    assert!(!has(&of_class, "C.all[p.at] == 5"), "{of_class:?}");
    let of_this = told("this.all");
    assert!(has(&of_this, "this.all[p.at] == 5"), "{of_this:?}");
}

/// That the class of `this` is still what it was is nothing new to the caller.
#[test]
fn the_class_of_this_stays() {
    let class = |name: &str, enclosing: &str| {
        let mut class = Variable::new(name, "java.lang.Class", Rep::one(Kind::Text));
        class.traits.class_name = true;
        class.enclosing = Some(enclosing.to_owned());
        class
    };
    let this = Variable::new("this", "C", Rep::one(Kind::Reference));
    let getter = class("this.getClass().getName()", "this");
    let (before, class_before) = (this.at_entry(), getter.at_entry());
    let variables = vec![this, getter, before, class_before];
    let point = Point::new("C.m():::EXIT", PointKind::Exit, variables);
    let samples: Vec<Vec<Value>> = (0..20)
        .map(|i| {
            let name = Value::text(["A", "B", "D", "E", "F"][i % 5]);
            vec![Value::Int(7), name.clone(), Value::Int(7), name]
        })
        .collect();
    let all = read(&point, &samples);
    assert!(!all.iter().any(|t| t.contains("getClass")), "{all:?}");
}

/// What is only sometimes there is no one variable with what it is equal to; that they are equal says all the same that they are on a
/// line and divide each other.
#[test]
fn what_is_equal_where_both_are_there_is_on_no_line() {
    let mut learner = learner(&point(&["x: int", "y: int"]));
    for i in 1..30i64 {
        let y = if i % 3 == 0 {
            Value::Missing
        } else {
            Value::Int(i * i)
        };
        learner.see(&[Value::Int(i * i), y], 1);
    }
    let all = told(&learner);
    assert!(has(&all, "x == y"), "{all:?}");
    assert!(
        !all.iter().any(|t| t.contains("x - y") || t.contains('%')),
        "{all:?}"
    );
}

/// A number that is too large for an `int` reads as in Java, and is understood when somebody asks about it.
#[test]
fn large_numbers() {
    let point = point(&["x: int"]);
    let mut learner = learner(&point);
    learner.see(&[Value::Int(1_795_591_735_850)], 20);
    let text = "x == 1795591735850L";
    assert!(has(&told(&learner), text));
    let claim = Claim::parse(&point, text).expect("a claim");
    assert_eq!(
        claim.judge(&[Value::Int(1_795_591_735_850)]),
        Verdict::Holds
    );
    assert_eq!(claim.judge(&[Value::Int(5)]), Verdict::Broken);
}
