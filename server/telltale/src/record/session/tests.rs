use super::*;

#[test]
fn what_a_build_said_first_of_its_errors_is_not_lost_behind_what_it_said_last() {
    let mut last = Vec::new();
    for n in 0..10 {
        keep(&mut last, &format!("line {n}"));
    }
    keep(
        &mut last,
        "Unable to parse command line options: Unrecognized option: -x",
    );
    keep(&mut last, "[ERROR] no");
    for n in 0..100 {
        keep(&mut last, &format!("\u{1b}[1musage {n}\u{1b}[0m"));
        keep(&mut last, "\u{1b}[0m");
    }
    assert_eq!(last.len(), LAST_LINES);
    assert!(
        last[0].starts_with("Unable to parse") && last[1] == "[ERROR] no",
        "{last:?}"
    );
    assert_eq!(last[LAST_LINES - 1], "usage 99");
    assert_eq!(last[2], format!("usage {}", 100 - (LAST_LINES - 2)));
    for n in 0..100 {
        keep(&mut last, &format!("[ERROR] {n}"));
    }
    assert_eq!(last[2], "[ERROR] 0");
    assert_eq!(last[LAST_LINES - 1], "[ERROR] 99");
}

#[test]
fn a_class_that_is_asked_for_as_a_whole_is_named_alone() {
    let tests = |names: &[&str]| -> Vec<Only> {
        let one = |name: &&str| {
            let (class, method) = name
                .split_once('#')
                .map_or((*name, None), |(c, m)| (c, Some(m)));
            Only {
                class: class.to_owned(),
                method: method.map(str::to_owned),
            }
        };
        names.iter().map(one).collect()
    };
    let known = tests(&["a.A#x", "a.A#y", "a.A$In#z", "a.B#x", "a.B#y"]);
    let named = |asked: &[&str]| by_class(&tests(asked), &known);
    assert_eq!(
        named(&["a.B#x", "a.B#y", "a.A#x"]),
        tests(&["a.A#x", "a.B"])
    );
    // A class runs with those in it.
    assert_eq!(named(&["a.A#x", "a.A#y"]), tests(&["a.A#x", "a.A#y"]));
    let whole = ["a.A#x", "a.A#y", "a.A$In#z"];
    assert_eq!(named(&whole), tests(&["a.A", "a.A$In"]));
    assert_eq!(named(&["a.A$In#z"]), tests(&["a.A$In"]));
}
