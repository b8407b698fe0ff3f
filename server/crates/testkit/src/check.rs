//! Expected against found.

use std::fmt::Write as _;

use crate::{Fixture, Mark};

/// Fails the test unless the results are exactly the fixture's marks, in whatever order. A result is the index of its
/// file in [`Fixture::files`] and the place and words found there. A result that comes twice needs two marks.
///
/// # Panics
/// With the lines concerned and what is missing or too much at each.
#[track_caller]
pub fn check_marks(fixture: &Fixture, results: impl IntoIterator<Item = (usize, Mark)>) {
    if let Some(difference) = difference(fixture, results) {
        panic!("the results differ from the marks\n{difference}");
    }
}

/// What [`check_marks`] would say, or `None` if all agrees. `-` leads what is marked and was not found, `+` what was
/// found and is not marked.
pub fn difference(
    fixture: &Fixture,
    results: impl IntoIterator<Item = (usize, Mark)>,
) -> Option<String> {
    let mut found: Vec<(usize, Mark)> = results.into_iter().collect();
    found.sort();
    let mut expected: Vec<(usize, Mark)> = fixture
        .files
        .iter()
        .enumerate()
        .flat_map(|(file, it)| it.marks.iter().map(move |mark| (file, mark.clone())))
        .collect();
    expected.sort();

    let mut rows: Vec<(usize, Mark, char)> = Vec::new();
    let (mut e, mut f) = (
        expected.into_iter().peekable(),
        found.into_iter().peekable(),
    );
    loop {
        let order = match (e.peek(), f.peek()) {
            (None, None) => break,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(expected), Some(found)) => expected.cmp(found),
        };
        match order {
            std::cmp::Ordering::Less => rows.extend(e.next().map(|(file, mark)| (file, mark, '-'))),
            std::cmp::Ordering::Greater => {
                rows.extend(f.next().map(|(file, mark)| (file, mark, '+')));
            }
            std::cmp::Ordering::Equal => {
                e.next();
                f.next();
            }
        }
    }
    if rows.is_empty() {
        return None;
    }
    Some(render(fixture, &rows))
}

/// Each line concerned once, and below it the rows with carets in their columns.
fn render(fixture: &Fixture, rows: &[(usize, Mark, char)]) -> String {
    let mut out = String::new();
    let mut shown = None;
    for (file, mark, sign) in rows {
        let source = fixture.files.get(*file);
        let line = source
            .and_then(|file| file.text.lines().nth(mark.line as usize))
            .unwrap_or("<no such line>");
        if shown != Some((*file, mark.line)) {
            shown = Some((*file, mark.line));
            let path = source.map_or("<no such file>", |file| file.path.as_str());
            let _ = writeln!(out, "{path}:{}\n  {line}", mark.line + 1);
        }
        let (first, last) = (
            character(line, mark.col_start),
            character(line, mark.col_end),
        );
        let indent: String = line
            .chars()
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .chain(std::iter::repeat(' '))
            .take(first)
            .collect();
        let carets = "^".repeat(last.saturating_sub(first).max(1));
        let _ = writeln!(out, "{sign} {indent}{carets} {}", mark.text);
    }
    out
}

/// The character at a UTF-16 column; past the end of the line the line's length.
fn character(line: &str, column: u32) -> usize {
    let mut units = 0;
    line.chars()
        .take_while(|c| {
            units += c.len_utf16() as u32;
            units <= column
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXTURE: &str = "\
//- A.java
int pos = 0;
//  ^^^ one
//- B.java
int neg = 0;
//  ^^^ two
";

    fn all_marks(fixture: &Fixture) -> Vec<(usize, Mark)> {
        (0..fixture.files.len())
            .flat_map(|file| {
                fixture.files[file]
                    .marks
                    .iter()
                    .map(move |m| (file, m.clone()))
            })
            .collect()
    }

    #[test]
    fn order_does_not_matter() {
        let fixture = Fixture::parse(FIXTURE);
        let mut results = all_marks(&fixture);
        assert_eq!(results.len(), 2);
        results.reverse();
        check_marks(&fixture, results);
    }

    #[test]
    fn missing_wrong_and_spare_results_are_shown_in_place() {
        let fixture = Fixture::parse(FIXTURE);
        let mut results = all_marks(&fixture);
        results[0].1.text = "uno".to_owned();
        let spare = Mark {
            line: 0,
            col_start: 0,
            col_end: 3,
            text: "spare".to_owned(),
        };
        results[1] = (1, spare);
        assert_eq!(
            difference(&fixture, results).expect("they differ"),
            "\
A.java:1
  int pos = 0;
-     ^^^ one
+     ^^^ uno
B.java:1
  int neg = 0;
+ ^^^ spare
-     ^^^ two
"
        );
    }

    #[test]
    fn a_result_that_comes_twice_is_one_too_many() {
        let fixture = Fixture::parse(FIXTURE);
        let mut results = all_marks(&fixture);
        results.push(results[0].clone());
        assert_eq!(
            difference(&fixture, results).expect("they differ"),
            "A.java:1\n  int pos = 0;\n+     ^^^ one\n"
        );
    }

    #[test]
    #[should_panic(expected = "the results differ from the marks")]
    fn check_marks_fails_on_silence() {
        check_marks(&Fixture::parse(FIXTURE), []);
    }

    #[test]
    fn a_result_outside_the_fixture_is_shown_too() {
        let fixture = Fixture::parse("a\n");
        let lost = Mark {
            line: 7,
            col_start: 2,
            col_end: 1,
            text: "lost".to_owned(),
        };
        let shown = difference(&fixture, [(3, lost)]).expect("they differ");
        assert!(shown.starts_with("<no such file>:8"), "{shown}");
    }
}
