//! What is said of a violation.

use super::{Judged, Opinion};
use crate::words::ordinal;
use evidence::Called;
use program::Program;
use rustc_hash::FxHashMap;
use suspects::{Moment, Suspect, Violation};

/// How many violations a hover tells.
const LISTED: usize = 6;
/// How many steps a way has at most that is told of a further one.
const BRIEF: usize = 3;

/// `conjugate() gave imaginary = -0.0 here; in 42 calls of 3 hand-written tests imaginary != 0 held`.
pub fn why(violation: Violation<'_>) -> String {
    let broken = &violation.broken;
    let method = called(&broken.method);
    let gives = violation.values().any(|(name, _)| of_result(name));
    let did = match broken.moment {
        Moment::Entry => "was called with",
        Moment::Exit if gives => "gave",
        Moment::Exit => "left",
    };
    // What a call was given it did not give.
    let is_given = |name: &str| gives && !of_result(name);
    let values = |given: bool| {
        let own = violation.values();
        let own = own.filter(|(name, _)| alike(name).is_none() && is_given(name) == given);
        let own = own.map(|(name, value)| format!("{} = {value}", term(name)));
        own.collect::<Vec<String>>().join(", ")
    };
    let did = match values(false) {
        none if none.is_empty() => "ended".to_owned(),
        some => format!("{did} {some}"),
    };
    let given = match values(true) {
        none if none.is_empty() => none,
        some => format!(" with {some}"),
    };
    let pairs = violation.values().filter_map(|(name, value)| {
        let both = alike(name)?.join(" and ");
        Some(match value == "true" {
            true => format!(", while {both} held the same"),
            false => format!(", while {both} did not hold the same"),
        })
    });
    let pairs: String = pairs.collect();
    let calls: u32 = broken.taught_by.iter().map(|(_, calls)| calls).sum();
    let count = |n: usize, one: &str, many: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    };
    let of_overload = match &broken.overload {
        Some(overload) => format!(" of its overload {}", signature(overload)),
        None => String::new(),
    };
    format!(
        "{method} {did}{given} here{pairs}; in {}{of_overload} of {} it held that {}",
        count(calls as usize, "call", "calls"),
        count(
            broken.taught_by.len(),
            "hand-written test",
            "hand-written tests"
        ),
        constraint(&broken.constraint.text),
    )
}

/// `conjugate()`, `new Complex()`
pub fn called(method: &Called) -> String {
    match method.name.as_str() {
        "<init>" => format!("new {}()", simple(&method.class)),
        name => format!("{name}()"),
    }
}

/// `1st of 976`, `2nd to 3rd of 976`.
pub fn within(judged: &Judged, suspect: &Suspect) -> String {
    let like = |s: &&Suspect| is_like(s, suspect);
    let equals = judged.suspects.iter().filter(like).count();
    let first = first_of(judged, suspect) as usize;
    let all = judged.assertions.len();
    match equals {
        0 | 1 => format!("{} of {all}", ordinal(first)),
        n => format!("{} to {} of {all}", ordinal(first), ordinal(first + n - 1)),
    }
}

/// The first of the ranks that a suspect shares with its equals.
pub(crate) fn first_of(judged: &Judged, suspect: &Suspect) -> u32 {
    let before = judged.suspects.iter().take_while(|s| !is_like(s, suspect));
    u32::try_from(before.count() + 1).unwrap_or(u32::MAX)
}

fn is_like(a: &Suspect, b: &Suspect) -> bool {
    (a.rank - b.rank).abs() < 1e-9
}

/// Why what scores enough is not marked, without a full stop.
fn why_unmarked(judged: &Judged, suspect: &Suspect) -> Option<String> {
    let least = suspect.least_by_left_out(judged.is_hardly_chance(suspect));
    let is_short = suspect.by_left_out < least;
    is_short.then(|| {
        format!(
            "Left-out tests leave {:.3} of that, and a mark needs {least:.1}: right tests may break such a constraint, too",
            suspect.by_left_out
        )
    })
}

/// What is known of an assertion, a paragraph each.
pub fn opinion(program: &Program, judged: &Judged, opinion: Opinion) -> Vec<String> {
    let only = |text: &str| vec![text.to_owned()];
    let suspect = match opinion {
        Opinion::Suspect(at) => &judged.suspects[at],
        Opinion::Safe => {
            return only(
                "Safe, as far as was recorded: no violation reaches it that counts. None counts where its test had run other code by then than hand-written tests do, nor one that somebody accepted.",
            );
        }
        Opinion::Untaught => {
            return only("Not judged: no hand-written test of the class under test was recorded.");
        }
        Opinion::Stale => return only("Not judged: its test was recorded with other code."),
        Opinion::Unknown => return only("Not judged: its test was not recorded, or failed."),
    };
    // What has next to no weight is in the ranking, and called no more than that.
    let what = match judged.is_worth_a_look(suspect) {
        true => "Suspicious",
        false => "Not marked",
    };
    let mut out = vec![format!(
        "{what}: {}, score {:.3}.{}",
        within(judged, suspect),
        suspect.score,
        why_unmarked(judged, suspect).map_or_else(String::new, |why| format!(" {why}."))
    )];
    let against = judged.against(suspect);
    let first = judged.first_among(&against);
    let way_of = |v: usize| judged.ways.get(suspect.assertion, v);
    let mut told: Vec<&[String]> = Vec::new();
    if let Some(way) = first.and_then(way_of) {
        out.push(format!("It comes here so: {}.", way.join("; ")));
        told.push(way);
    }
    let grouped = grouped(judged, &against);
    for (at, times) in grouped.iter().take(LISTED) {
        let Some(violation) = judged.violation(*at) else {
            continue;
        };
        let mut says = format!(
            "{}. {}",
            why_of(violation, *times),
            figures(program, judged, violation)
        );
        // Most share their way; one that is long is left to the evidence.
        if let Some(way) = way_of(*at)
            && way.len() <= BRIEF
            && !told.contains(&&**way)
        {
            says.push_str(&format!(" It comes here so: {}.", way.join("; ")));
            told.push(way);
        }
        out.push(says);
    }
    match grouped.len().saturating_sub(LISTED) {
        0 => {}
        n => out.push(format!("And {n} more.")),
    }
    let mut told = grouped.iter().take(LISTED);
    out.extend(
        told.find_map(|(at, _)| meaning(judged.violation(*at)?))
            .map(str::to_owned),
    );
    out
}

/// Violations in their order, those that read alike as one: the first, and how many calls there are.
pub fn grouped(judged: &Judged, against: &[usize]) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    for &at in against {
        if let Some(violation) = judged.violation(at) {
            let place = *places.entry(why(violation)).or_insert(out.len());
            match out.get_mut(place) {
                Some((_, times)) => *times += 1,
                None => out.push((at, 1)),
            }
        }
    }
    out
}

/// As [`why`], with how many calls of the test did so.
pub fn why_of(violation: Violation<'_>, times: usize) -> String {
    match times {
        0 | 1 => why(violation),
        n => format!("{} ({n} calls of this test)", why(violation)),
    }
}

/// `Generated tests break it 3 times; what had run is 92 % what ComplexTest.conjugates had.`
fn figures(program: &Program, judged: &Judged, violation: Violation<'_>) -> String {
    let times = match violation.repute().times {
        1 => "Only here".to_owned(),
        n => format!("{n} times in generated tests"),
    };
    let nearest = violation.nearest.and_then(|t| judged.manual.get(t));
    let name = nearest.map(|t| {
        let class = program.type_name(program.method_owner(*t));
        let method = program.method_decl(*t).map_or("", |m| &m.name);
        format!("{}.{method}", simple(class))
    });
    match (violation.similarity, name) {
        (Some(s), Some(name)) => format!(
            "{times} (uniqueness {:.2}); what had run is {:.0} % what {name} had run.",
            violation.uniqueness(),
            s * 100.0
        ),
        _ => format!("{times} (uniqueness {:.2}).", violation.uniqueness()),
    }
}

/// `max(double, double)`
fn signature(of: &Called) -> String {
    let types = of.types().unwrap_or_default();
    let types: Vec<&str> = types.iter().map(|t| simple(t)).collect();
    format!("{}({})", of.name, types.join(", "))
}

fn of_result(name: &str) -> bool {
    name.starts_with("return") || name.contains("(return")
}

/// A term as part of a sentence: of the result only what is asked of it.
fn term(name: &str) -> String {
    match name.strip_prefix("return.") {
        Some(field) => field.to_owned(),
        None if name == "return" => "the result".to_owned(),
        None => suspects::as_result(name),
    }
}

fn constraint(text: &str) -> String {
    of_alike(text).unwrap_or_else(|| suspects::as_result(text))
}

/// `the result is true exactly when this and other hold the same`, of `return == alike(this, other)`; none of what is no such
/// comparison.
fn of_alike(text: &str) -> Option<String> {
    let (is_equal, (left, right)) = match text.split_once(" == ") {
        Some(sides) => (true, sides),
        None => (false, text.split_once(" != ")?),
    };
    let (both, other) = match (alike(left), alike(right)) {
        (Some(both), None) => (both, right),
        (None, Some(both)) => (both, left),
        _ => return None,
    };
    let both = both.join(" and ");
    let hold = |is_so: bool| match is_so {
        true => "hold the same",
        false => "do not hold the same",
    };
    Some(match other {
        "true" | "false" => format!("{both} {}", hold((other == "true") == is_equal)),
        "return" => format!("the result is true exactly when {both} {}", hold(is_equal)),
        _ => format!(
            "{} is true exactly when {both} {}",
            term(other),
            hold(is_equal)
        ),
    })
}

/// The two of a term that says whether they hold the same: `alike(this, other)`.
fn alike(name: &str) -> Option<[&str; 2]> {
    let both = name.strip_prefix("alike(")?.strip_suffix(')')?;
    let (a, b) = both.split_once(", ")?;
    Some([a, b])
}

/// What a word of [`why`] means that no reader can know, if it is there: a sentence.
pub fn meaning(violation: Violation<'_>) -> Option<&'static str> {
    let mut names = violation.values().map(|(name, _)| name);
    names.any(|name| alike(name).is_some()).then_some(
        "Two objects of one class hold the same if their fields do, one by one, and two arrays if their elements do, whatever equals() says.",
    )
}

fn simple(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::{Call, Calls, Return, Value};
    use suspects::{Options, Teacher, examine};

    /// Calls of `a.C.m(int x)`, with what each was given and gave.
    fn calls(all: impl Iterator<Item = (i32, i32)>) -> Calls {
        let call = |(given, gave): (i32, i32)| {
            let given = vec![Value::Absent, Value::Int(given)];
            Call {
                method: 0,
                from: None,
                before: given.clone(),
                end: Some(Return {
                    profile: None,
                    after: given,
                    result: Value::Int(gave),
                }),
                is_unstable: false,
            }
        };
        Calls {
            methods: vec![Called {
                class: "a.C".into(),
                name: "m".into(),
                descriptor: "(I)I".into(),
                parameters: vec!["x".into()],
            }],
            places: Vec::new(),
            profiles: Vec::new(),
            calls: all.map(call).collect(),
        }
    }

    #[test]
    fn that_two_hold_the_same_is_said_in_words() {
        for (text, words) in [
            (
                "return == alike(this, other)",
                "the result is true exactly when this and other hold the same",
            ),
            (
                "alike(a, b) != return",
                "the result is true exactly when a and b do not hold the same",
            ),
            (
                "this.isEqual == alike(a, b)",
                "this.isEqual is true exactly when a and b hold the same",
            ),
            ("alike(this, other) == true", "this and other hold the same"),
            (
                "alike(this, other) == false",
                "this and other do not hold the same",
            ),
            ("return != 0", "result != 0"),
            ("alike(a, b) == alike(a, c)", "alike(a, b) == alike(a, c)"),
        ] {
            assert_eq!(constraint(text), words);
        }
    }

    #[test]
    fn what_a_call_was_given_is_not_said_to_come_of_it() {
        let (usual, strange) = (calls((0..40).map(|x| (x, x))), calls([(5, 4)].into_iter()));
        let teacher = Teacher {
            calls: &usual,
            is_own: true,
        };
        let options = Options {
            similarity: None,
            ..Options::default()
        };
        let found = examine(&[teacher], &[&strange], &|_| true, &options);
        let said: Vec<String> = found.violations().map(why).collect();
        let wanted = "m() gave the result = 4 with x = 5 here; in 40 calls of 1 hand-written test it held that x == result";
        assert!(said.iter().any(|s| s == wanted), "{said:?}");
    }
}
