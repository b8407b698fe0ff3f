//! A matrix that was kept, and today's lists.
//!
//! The matrix knows values by number, and says of each number which value it is: the test, and the expression or the
//! definition. Lists give numbers anew each time, so a value of today's lists gets the number that the matrix has for it.
//! A value that was measured and is not asked today is not offered; one that was not measured is counted, since it keeps
//! its place in a list and tells nothing.

use ide::Analysis;
use ide::weave::{About, Slot};
use mutants::{Matrix, Measured};
use std::collections::HashMap;
use verdicts::Numbered;

use crate::Result;

/// What is asked today, by the numbers of a matrix.
#[derive(Debug)]
pub(super) struct Values {
    /// In tests.
    pub(super) tests: Vec<Slot>,
    /// In the code that they run.
    pub(super) inside: Vec<Slot>,
    /// How many of both the matrix does not know.
    pub(super) not_measured: usize,
}

/// The matrix that was kept, if it is of this code: `code` is a hash of it.
pub(super) fn matrix(bytes: &[u8], code: u64) -> Result<Matrix> {
    let again = "make it anew: the same command without --ask runs the tests and keeps another";
    let matrix = Matrix::unpack(bytes).ok_or_else(|| {
        format!(
            "the matrix that was kept is of another version of this command, or damaged; {again}"
        )
    })?;
    if matrix.slots.is_empty() {
        return Err(format!(
            "the matrix that was kept is of a run without values; {again}"
        ));
    }
    if matrix.header.code != code {
        return Err(format!(
            "the matrix that was kept is of other code, or of what another compiler made of it; {again}"
        ));
    }
    Ok(matrix)
}

/// What is asked under which number, as a matrix keeps it.
pub(super) fn slots(analysis: &Analysis, numbered: &Numbered) -> Vec<(u32, Measured)> {
    let all = numbered.tests().chain(numbered.inside());
    all.map(|slot| (slot.number, measured(analysis, slot)))
        .collect()
}

fn measured(analysis: &Analysis, slot: &Slot) -> Measured {
    let test = slot.test.map(|t| analysis.program().method_name(t));
    let (words, nth) = match &slot.about {
        About::Query(query) => (query.clone(), None),
        About::Variable(seen) => (seen.variable.clone(), Some(seen.nth)),
    };
    Measured {
        test: test.map(Into::into),
        words,
        nth,
    }
}

/// Today's values by the numbers that a matrix has for them.
pub(super) fn values(analysis: &Analysis, numbered: &Numbered, matrix: &Matrix) -> Values {
    let numbers: HashMap<&Measured, u32> = matrix.slots.iter().map(|(n, m)| (m, *n)).collect();
    let mut not_measured = 0;
    let mut known = |slot: &Slot| {
        let number = numbers.get(&measured(analysis, slot)).copied();
        not_measured += usize::from(number.is_none());
        let number = number?;
        Some(Slot {
            number,
            ..slot.clone()
        })
    };
    Values {
        tests: numbered.tests().filter_map(&mut known).collect(),
        inside: numbered.inside().filter_map(&mut known).collect(),
        not_measured,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use calls::Workspace;
    use observe::Settings;
    use program::{FileInput, Program, SourceSetId, SourceSetInput};
    use testkit::Fixture;

    const BOX: &str = "//- /src/main/java/a/Box.java
package a;
public class Box {
    private int size;
    public int add(int by) {
        int rest = by % 3;
        int sum = size + rest;
        size = sum;
        return 1;
    }
    public int size() { return size; }
}
//- /src/test/java/a/BoxTest.java
package a;
class BoxTest {
    @org.junit.Test public void adds() { Box box = new Box(); int by = 2; int added = box.add(by); org.junit.Assert.assertEquals(1, added); }
}
";

    pub(in super::super) fn analysis(text: &str) -> Analysis {
        let files = Fixture::parse(text).files;
        let files = files.iter().map(|f| FileInput {
            path: f.path.as_str().into(),
            source_set: SourceSetId(u32::from(f.path.contains("src/test/"))),
            text: f.text.as_str().into(),
        });
        let sets = SourceSetInput::code_and_tests();
        let workspace = Workspace::new(Program::build(sets, files.collect()));
        Analysis::new(workspace, true, Settings::default())
    }

    fn asked(analysis: &Analysis) -> Numbered {
        verdicts::numbered(analysis, analysis.workspace().suite().tests())
    }

    /// A matrix that was made when lists were in another order, asked one value more and one less.
    fn of_other_lists(analysis: &Analysis, numbered: &Numbered) -> Matrix {
        let mut matrix = Matrix::default();
        matrix.header.code = 7;
        matrix.slots = slots(analysis, numbered);
        let all = u32::try_from(matrix.slots.len()).expect("few");
        for (number, _) in &mut matrix.slots {
            *number = 100 + all - *number;
        }
        let gone = Measured {
            test: Some("a.BoxTest#adds()".into()),
            words: "box.toString()".into(),
            nth: None,
        };
        matrix.slots.push((500, gone));
        matrix
            .slots
            .retain(|(_, m)| !(m.words == "by" && m.nth == Some(0)));
        matrix
    }

    #[test]
    fn values_are_found_by_what_they_are() {
        let analysis = analysis(BOX);
        let numbered = asked(&analysis);
        let matrix = of_other_lists(&analysis, &numbered);
        let found = values(&analysis, &numbered, &matrix);
        let all = numbered.tests().count() + numbered.inside().count();
        assert_eq!(found.not_measured, 1, "{found:?}");
        assert_eq!(found.tests.len() + found.inside.len(), all - 1);
        assert!(!found.inside.is_empty(), "{:?}", matrix.slots);
        for slot in found.tests.iter().chain(&found.inside) {
            let own = matrix.slots.iter().find(|(n, _)| *n == slot.number);
            assert_eq!(own.map(|o| &o.1), Some(&measured(&analysis, slot)));
        }
        let size = Measured {
            test: Some("a.BoxTest#adds()".into()),
            words: "box.size()".into(),
            nth: None,
        };
        let asked = |m: &(u32, Measured)| m.1 == size;
        assert!(matrix.slots.iter().any(asked), "{:?}", matrix.slots);
        // Of the very same lists each value has its number.
        let same = Matrix {
            slots: slots(&analysis, &numbered),
            ..Matrix::default()
        };
        let found = values(&analysis, &numbered, &same);
        assert!(numbered.tests().eq(&found.tests) && numbered.inside().eq(&found.inside));
        assert_eq!(found.not_measured, 0);
    }

    #[test]
    fn a_matrix_of_other_code_is_refused() {
        let analysis = analysis(BOX);
        let own = of_other_lists(&analysis, &asked(&analysis));
        let bytes = own.pack().expect("bytes");
        assert_eq!(matrix(&bytes, 7).expect("the same code"), own);
        let refused = |bytes: &[u8], code| matrix(bytes, code).expect_err("refused");
        let other = refused(&bytes, 8);
        assert!(other.contains("other code") && other.contains("without --ask"));
        // The version before this one.
        let old = [b"TTMUT2\n", &bytes[7..]].concat();
        assert!(refused(&old, 7).contains("another version"));
        assert!(refused(&bytes[..bytes.len() / 2], 7).contains("damaged"));
        let mut plain = Matrix::default();
        plain.header.code = 7;
        let plain = plain.pack().expect("bytes");
        assert!(refused(&plain, 7).contains("without values"));
    }
}
