//! What a word of an assertion says of the value that it is about, whichever library has the word.

/// What the name of an assertion (`assertEquals`), of a link behind the value (`isEqualTo`) or of a matcher (`equalTo`) says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// It equals another, by its `equals`.
    Equal,
    /// Its elements equal those of another, one by one.
    Elements,
    /// It is near another.
    Near,
    /// It is the very object.
    Same,
    /// It does not equal another.
    NotEqual,
    /// It is another object.
    NotSame,
    /// It is null.
    Null,
    /// It is not.
    NotNull,
    /// It is true.
    True,
    /// It is false.
    False,
    /// It is of a class.
    Class,
    /// It has so many elements, or so many characters.
    Size,
    /// It has more than so many.
    More,
    /// It has none.
    Empty,
    /// It has some.
    NotEmpty,
    /// There is one, of an optional.
    Present,
    /// It is nought.
    Zero,
    /// The contrary of the matcher within.
    Not,
    /// What the matcher within says, or that it equals another.
    Is,
    /// Nothing: it words the message.
    Nothing,
    /// Anything else: what it is given, or the links behind it, say what.
    Other,
}

impl Says {
    /// True for what nearly every value passes.
    pub fn is_weak(self) -> bool {
        matches!(
            self,
            Says::NotNull | Says::NotEqual | Says::NotSame | Says::Class
        )
    }

    /// True for a word that tells two objects apart.
    pub fn tells_apart(self) -> bool {
        matches!(self, Says::NotEqual | Says::NotSame)
    }

    /// True for a word that says no more than that there is something, or how much.
    pub fn is_of_size(self) -> bool {
        matches!(
            self,
            Says::Present | Says::NotEmpty | Says::Size | Says::More
        )
    }
}
