//! Why a value should not have been named.

/// Why a value should not have been named. In the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Cause {
    /// An assertion reads just this, and only assertions follow or nothing can have changed it.
    Asserted,
    /// An assertion reads just this, and nothing after it names its object.
    AssertedUntouched,
    /// An assertion compares its whole object, whose equality covers it.
    AssertedWhole,
    /// An assertion takes it out of its object in another form.
    AssertedForm,
    /// An assertion compares the text that it is part of, or that it makes.
    AssertedText,
    /// `isEmpty()` beside a size that is asserted.
    EmptyBesideSize,
    /// The test says that this call throws, or that its object is null.
    MustThrow,
    /// javac knows no such method or variable.
    Missing,
    /// javac has another complaint.
    NotCompiled,
    /// The test wrote it there itself, and has not given its object away since.
    PutIn,
    /// The test wrote it there itself, then gave its object to a call.
    PutInGiven,
    /// To ask is to change something.
    Changes,
    /// Its object is a stand-in.
    Mock,
    /// The test says what this call answers, or its object is what a stand-in answers.
    Stubbed,
    /// An object of the class that this test does not mention.
    Fixture,
    /// An object that says nothing as such.
    Bare,
    /// `isEmpty()`, `toString()`, `getClass()`, `hashCode()`.
    Noise,
}

impl Cause {
    pub(super) const ALL: [Cause; 17] = [
        Cause::Asserted,
        Cause::AssertedUntouched,
        Cause::AssertedWhole,
        Cause::AssertedForm,
        Cause::AssertedText,
        Cause::EmptyBesideSize,
        Cause::MustThrow,
        Cause::Missing,
        Cause::NotCompiled,
        Cause::PutIn,
        Cause::PutInGiven,
        Cause::Changes,
        Cause::Mock,
        Cause::Stubbed,
        Cause::Fixture,
        Cause::Bare,
        Cause::Noise,
    ];

    /// For the table and for JSON.
    pub(super) fn text(self) -> &'static str {
        match self {
            Cause::Asserted => "asserted already",
            Cause::AssertedUntouched => "asserted already, its object not touched since",
            Cause::AssertedWhole => "asserted with its whole object",
            Cause::AssertedForm => "asserted in another form",
            Cause::AssertedText => "asserted through a text",
            Cause::EmptyBesideSize => "isEmpty() beside an asserted size",
            Cause::MustThrow => "must throw",
            Cause::Missing => "does not exist",
            Cause::NotCompiled => "does not compile",
            Cause::PutIn => "put in by the test",
            Cause::PutInGiven => "put in by the test, then given to a call",
            Cause::Changes => "asking changes something",
            Cause::Mock => "of a stand-in",
            Cause::Stubbed => "a stubbed answer",
            Cause::Fixture => "an object that the test does not mention",
            Cause::Bare => "a bare object",
            Cause::Noise => "isEmpty, toString, getClass, hashCode",
        }
    }
}
