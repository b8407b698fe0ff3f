//! What tests do with a place, in words.

use super::LineTests;

fn tests(n: usize) -> String {
    match n {
        1 => "1 test".to_owned(),
        n => format!("{n} tests"),
    }
}

impl LineTests {
    fn beyond(&self) -> String {
        match self.looked_at < self.run_by.len() {
            true => format!(" of the first {}", self.looked_at),
            false => String::new(),
        }
    }

    /// `Run by 12 tests, checked by 3`; *not known to be checked* says that none of these is seen to, *by nobody* that no other does either.
    pub fn said(&self, is_unchecked: bool) -> String {
        format!("Run {}", self.by(is_unchecked))
    }

    /// The same of a method that is named.
    pub(crate) fn said_of(&self, name: &str, is_unchecked: bool) -> String {
        format!("{name}: run {}", self.by(is_unchecked))
    }

    fn by(&self, is_unchecked: bool) -> String {
        let (run, beyond) = (tests(self.run_by.len()), self.beyond());
        match (self.checked_by.len(), &*beyond) {
            (0, _) if is_unchecked => format!("by {run}, checked by nobody"),
            (0, "") => format!("by {run}, not known to be checked by any of them"),
            (0, beyond) => format!("by {run}, not known to be checked by any{beyond}"),
            (n, beyond) => format!("by {run}, checked by {n}{beyond}"),
        }
    }

    /// The same above a method. That none does is said only where that is known.
    pub(crate) fn above(&self, is_unchecked: bool) -> String {
        let run = tests(self.run_by.len());
        match self.checked_by.len() {
            0 if is_unchecked => format!("run by {run}, checked by none"),
            0 => format!("run by {run}"),
            n => format!("run by {run}, checked by {n}{}", self.beyond()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::MethodId;

    #[test]
    fn what_is_not_known_is_not_said() {
        let of = |run: u32, checked: u32, looked_at: usize| LineTests {
            run_by: (0..run).map(MethodId).collect(),
            checked_by: (0..checked).map(MethodId).collect(),
            looked_at,
        };
        let all = of(12, 3, 12);
        assert_eq!(all.said(false), "Run by 12 tests, checked by 3");
        assert_eq!(all.above(false), "run by 12 tests, checked by 3");
        let one = of(1, 0, 1);
        assert_eq!(
            one.said(false),
            "Run by 1 test, not known to be checked by any of them"
        );
        assert_eq!(one.said(true), "Run by 1 test, checked by nobody");
        assert_eq!(one.above(true), "run by 1 test, checked by none");
        assert_eq!(one.above(false), "run by 1 test");
        let many = of(812, 3, 400);
        assert_eq!(
            many.said(false),
            "Run by 812 tests, checked by 3 of the first 400"
        );
        assert_eq!(
            many.above(false),
            "run by 812 tests, checked by 3 of the first 400"
        );
        assert_eq!(of(812, 0, 400).above(false), "run by 812 tests");
        assert_eq!(
            of(812, 0, 400).said(false),
            "Run by 812 tests, not known to be checked by any of the first 400"
        );
    }
}
