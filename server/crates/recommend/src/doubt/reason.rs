//! Why a value may not be worth a look, and what shows that a test wants it.

/// Why a value may not be worth a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doubt {
    /// An assertion of this test, or something that may be one, reads it in another form, or the object that holds it.
    Asserted,
    /// It is a mock, or what a mock was told to answer.
    Mock,
    /// The code that would have given it is expected to throw.
    Throws,
    /// Nobody can tell that it compiles.
    Unknown,
    /// Asking it may change something.
    Changes,
    /// No code under test had the object in its hands: it holds what the test put into it.
    Untouched,
    /// Code under test only passed on what it was given.
    Passed,
    /// What the assertions read shows all that was computed.
    Covered,
    /// It differs from run to run.
    Unstable,
    /// An object that nobody compares as it is.
    Bare,
    /// A query that says next to nothing, or what is said already.
    Little,
    /// Nothing shows that this test is about the object.
    Aside,
}

impl Doubt {
    /// True where no list shows the value: it would be wrong to.
    pub fn is_certain(self) -> bool {
        matches!(self, Doubt::Mock | Doubt::Throws)
    }

    /// True where a person who asks may be shown an assertion of what looks worth one.
    pub fn is_mild(self) -> bool {
        matches!(
            self,
            Doubt::Passed | Doubt::Aside | Doubt::Bare | Doubt::Asserted
        )
    }

    /// In the contract's words.
    pub fn name(self) -> &'static str {
        match self {
            Doubt::Asserted => "asserted",
            Doubt::Mock => "mock",
            Doubt::Throws => "throws",
            Doubt::Unknown => "unknown",
            Doubt::Changes => "changes",
            Doubt::Untouched => "untouched",
            Doubt::Passed => "passed",
            Doubt::Covered => "covered",
            Doubt::Unstable => "unstable",
            Doubt::Bare => "bare",
            Doubt::Little => "little",
            Doubt::Aside => "aside",
        }
    }
}

/// What shows that a test wants a value: why a list is sure of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cue {
    /// It is of an exception that the test keeps and does not look at.
    Caught,
    /// The call is made for it, and it is dropped; the test checks something before.
    Dropped,
    /// The test checks nothing, and its last act gave it or left it.
    Unasserted,
    /// The test checks nothing, and has code under test write into it.
    Written,
    /// The test asserts that it is there, and no more.
    Barely,
    /// The test has a captor keep it, and never asks that.
    Kept,
}

impl Cue {
    /// A word for lists.
    pub fn name(self) -> &'static str {
        match self {
            Cue::Caught => "caught",
            Cue::Dropped => "dropped",
            Cue::Unasserted => "unasserted",
            Cue::Written => "written",
            Cue::Barely => "barely",
            Cue::Kept => "kept",
        }
    }
}

/// Why a value comes before the rest of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    /// Developers assert such a thing most often of what a test has besides; seldom is it missing.
    Usual,
    /// It looks worth an assertion.
    Told,
}
