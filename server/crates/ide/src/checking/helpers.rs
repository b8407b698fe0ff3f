//! Which source sets hold helpers of tests, though they are no tests.

use crate::analysis::{Analysis, Part, Question};
use oracle::frameworks;
use program::{FileId, Program, SourceSetId};

/// True if some file of a source set uses a library for tests.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct HelpersIn(SourceSetId);

impl Question for HelpersIn {
    type Answer = bool;
    const RESTS_ON: &'static [Part] = &[];

    fn answer(&self, analysis: &Analysis) -> bool {
        let program = analysis.program();
        let mut files = program.files().iter();
        files.any(|f| program.source_set(*f) == Some(self.0) && uses_test_library(program, *f))
    }
}

impl HelpersIn {
    /// True for files of source sets in which some file is a helper of tests.
    pub(super) fn beside(analysis: &Analysis, file: FileId) -> bool {
        let set = analysis.program().source_set(file);
        set.is_some_and(|set| *analysis.ask(HelpersIn(set)))
    }

    /// What was answered before some files became others, if that is still known without looking at all files.
    pub(crate) fn after(&self, old: bool, program: &Program, changed: &[FileId]) -> Option<bool> {
        let mut own = changed.iter();
        let is_helper = |f: &&FileId| {
            program.source_set(**f) == Some(self.0) && uses_test_library(program, **f)
        };
        match own.any(|f| is_helper(&f)) {
            true => Some(true),
            false => (!old).then_some(false),
        }
    }
}

/// True for a file that imports a library for tests.
pub(super) fn uses_test_library(program: &Program, file: FileId) -> bool {
    let summary = program.summary(file);
    summary.is_some_and(|s| frameworks::is_imported(s))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::analysis;
    use program::Change;
    use testkit::Fixture;

    const PLAIN: &str = "class Shelf { int books; }\n";
    const HELPER: &str = "import org.junit.Assert;\nclass Shelf { int books; }\n";
    const OTHER: &str = "class Desk {}\n";

    fn change(path: &str, text: Option<&str>) -> Vec<Change> {
        vec![Change {
            path: path.into(),
            source_set: SourceSetId(0),
            text: text.map(Into::into),
        }]
    }

    #[test]
    fn after_edits_it_is_as_in_a_new_state() {
        let (shelf, desk) = ("src/main/java/Shelf.java", "src/main/java/Desk.java");
        let text = format!("//- /{shelf}\n{PLAIN}//- /{desk}\n{OTHER}");
        let mut now = analysis(&Fixture::parse(&text));
        let of = HelpersIn(SourceSetId(0));
        assert!(!*now.ask(of.clone()));
        for (path, text, helps, is_kept) in [
            (desk, Some("class Desk { int n; }\n"), false, true),
            (shelf, Some(HELPER), true, true),
            (desk, Some(OTHER), true, false),
            (shelf, Some(PLAIN), false, false),
            (desk, Some(HELPER), true, true),
            (desk, None, false, false),
        ] {
            now = now.after(change(path, text));
            let kept = now.answers().get(&of).map(|known| *known);
            assert_eq!(kept, is_kept.then_some(helps), "{path} {text:?}");
            assert_eq!(*now.ask(of.clone()), helps, "{path} {text:?}");
        }
    }
}
