//! The worked example of `docs/method.md` §1.4, to the letter: nine candidates, seven chains, both rankings.

use crate::support::{Project, edges};
use serde_json::Value;

const FACTORIAL: &str = r#"  void factorial() {                       // candidates
    int n, factorial, i;
    n = read("enter the number");          // o1 (n)
    factorial = 1;                         // o2 (factorial)
    i = n;                                 // o3 (i)
    if (n < 0) print("wrong input");
    else {
      if (n == 0) { factorial = 1; }       // o4 (factorial)
      else while (i > 1) {
        factorial = multiply(factorial, i);  // o5 (factorial)
        i = i - 1;                         // o6 (i)
      }
      print("the result is", factorial);
    } }
  int multiply(int num1, int num2) {       // o7 (num1), o8 (num2)
    int result;
    return result = num1 * num2;           // o9 (result)
  }
"#;

/// The class stands around the example without moving its lines.
fn project() -> Project {
    Project::new(&[(
        "Factorial.java",
        &format!("class Factorial {{{FACTORIAL}}}\n"),
    )])
}

/// `variable line kind` of each place of the ranking, and a number of it.
fn places(answer: &Value, number: &str) -> Vec<(String, f64)> {
    let ranking = answer["ranking"].as_array().expect("a ranking");
    let place = |r: &Value| {
        let c = &r["candidate"];
        let name = c["variable"].as_str().expect("a name");
        (
            format!("{name} {}", c["line"]),
            r[number].as_f64().expect("a number"),
        )
    };
    ranking.iter().map(place).collect()
}

fn pairs(expected: &[(&str, f64)]) -> Vec<(String, f64)> {
    expected
        .iter()
        .map(|(n, g)| ((*n).to_owned(), *g))
        .collect()
}

#[test]
fn exactly_nine_candidates() {
    let answer = project()
        .run(&["observe", "--all-candidates", "--format", "json"])
        .json();
    let candidates: Vec<String> = answer["candidates"]
        .as_array()
        .expect("candidates")
        .iter()
        .map(|c| {
            let text = |key: &str| c[key].as_str().expect("a text").to_owned();
            format!(
                "{} {} {} {} {}",
                text("variable"),
                c["line"],
                text("kind"),
                text("type"),
                text("method")
            )
        })
        .collect();
    assert_eq!(
        candidates,
        [
            "n 3 local int Factorial#factorial()",
            "factorial 4 local int Factorial#factorial()",
            "i 5 local int Factorial#factorial()",
            "factorial 8 local int Factorial#factorial()",
            "factorial 10 local int Factorial#factorial()",
            "i 11 local int Factorial#factorial()",
            "num1 15 parameter int Factorial#multiply(int,int)",
            "num2 15 parameter int Factorial#multiply(int,int)",
            "result 17 local int Factorial#multiply(int,int)",
        ]
    );
    assert_eq!(answer["counts"]["candidates"], 9);
    assert_eq!(answer["counts"]["edges"], 7);
    assert_eq!(answer["counts"]["methods"], 2);
    // `read` and both `print` are black boxes.
    assert_eq!(answer["counts"]["calls"], 4);
    assert_eq!(answer["counts"]["calls_unresolved"], 3);
}

#[test]
fn exactly_seven_chains() {
    let graph = project().run(&["graph", "--format", "json"]).json();
    assert_eq!(
        edges(&graph),
        "i@5 -> n@3 local 1
factorial@10 -> result@17 return 1
i@11 -> i@5 local 1/8
num1@15 -> factorial@4 argument 1/8
num2@15 -> i@5 argument 1/8
result@17 -> num1@15 local 1
result@17 -> num2@15 local 1
"
    );
}

/// λ = 0. Before any selection: o9 = 1 + 1 + 1, o3 = 1 + 1, o5 = 1 + 1, o6 = o7 = o8 = 1 + 1/8, the others 1. Once o9 is
/// chosen, o7, o8 and o9 are wholly observed: o5 loses its share of o9, o7 and o8 their own 1, which leaves 1/8 each;
/// once o3 is, o1 and o3 are: o6 and o8 lose 1/8. Then o2, o4, o5, o6 hold 1 each, in order of position; when o2 is
/// chosen, o7 loses its 1/8.
#[test]
fn direct_edges_only_choose_the_result_first() {
    let answer = project().run(&["observe", "--format", "json"]).json();
    assert_eq!(answer["parameters"]["lambda"], 0.0);
    assert_eq!(
        places(&answer, "gain"),
        pairs(&[
            ("result 17", 3.0),
            ("i 5", 2.0),
            ("factorial 4", 1.0),
            ("factorial 8", 1.0),
            ("factorial 10", 1.0),
            ("i 11", 1.0),
            ("n 3", 0.0),
            ("num1 15", 0.0),
            ("num2 15", 0.0),
        ])
    );
    assert_eq!(
        places(&answer, "foc"),
        pairs(&[
            ("result 17", 3.0),
            ("i 5", 2.0),
            ("factorial 4", 1.0),
            ("factorial 8", 1.0),
            ("factorial 10", 2.0),
            ("i 11", 1.125),
            ("n 3", 1.0),
            ("num1 15", 1.125),
            ("num2 15", 1.125),
        ])
    );
}

/// λ = 1. FOC(o5) = 1 itself + 1 o9 + 1 o7 + 1 o8 + 1/8 o2 + 1/8 o3 + 1/8 o1 = 4.375. Choosing it observes those as far:
/// o9, o7, o8 and itself wholly; o1, o2, o3 to 1/8.
///
/// - o3 = (o3, o1) keeps 2 · 7/8 = 1.75: the second.
/// - o2 keeps 7/8.
/// - o6 = 1 itself + 1/8 o3 + 1/8 o1 loses 1/8 · 1/8 twice: 1.21875, until o3 is chosen, which observes o1 and o3 for
///   the rest: 1.
/// - o4 keeps 1; o1 keeps 7/8, until o3 takes it.
#[test]
fn paths_choose_the_factorial_first() {
    let answer = project()
        .run(&["observe", "--lambda", "1", "--format", "json"])
        .json();
    assert_eq!(
        places(&answer, "gain"),
        pairs(&[
            ("factorial 10", 4.375),
            ("i 5", 1.75),
            ("factorial 8", 1.0),
            ("i 11", 1.0),
            ("factorial 4", 0.875),
            ("n 3", 0.0),
            ("num1 15", 0.0),
            ("num2 15", 0.0),
            ("result 17", 0.0),
        ])
    );
    let first = &answer["ranking"][0];
    let stands_for: Vec<(u64, f64)> = first["stands_for"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|s| {
            (
                s["id"].as_u64().expect("an id"),
                s["foc"].as_f64().expect("a number"),
            )
        })
        .collect();
    // Largest first, ties by position: o7, o8, o9, then o1, o2, o3.
    assert_eq!(
        stands_for,
        [
            (6, 1.0),
            (7, 1.0),
            (8, 1.0),
            (0, 0.125),
            (1, 0.125),
            (2, 0.125)
        ]
    );
    // o5 ⇒ o9 ⇒ o8 ⇒ o3 ⇒ o1.
    assert_eq!(
        first["stands_for"][3]["via"],
        serde_json::json!([4, 8, 7, 2, 0])
    );
}
