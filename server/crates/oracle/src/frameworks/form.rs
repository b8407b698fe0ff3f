//! How the assertions of a class are read and written: what the row of a library says, so that nobody else asks whose it is.

/// The form of assertions. Two classes have the same if their names are.
#[derive(Debug)]
pub struct Form {
    /// As people call it.
    pub name: &'static str,
    /// Messages stand behind what is asserted.
    pub is_message_last: bool,
    /// The actual value stands before the expected one.
    pub is_actual_first: bool,
    /// Of the names that several forms have, what this one lacks.
    pub lacks: &'static [&'static str],
    /// The class whose `assertThat` it hands on.
    pub hands_on: Option<&'static str>,
    /// How they are written.
    pub words: Words,
}

/// How assertions are written.
#[derive(Debug)]
pub enum Words {
    /// `assertEquals(expected, actual)`.
    Plain(Plain),
    /// `assertThat(actual).isEqualTo(expected)`.
    Fluent(&'static Fluent),
    /// `assertThat(actual, is(expected))`.
    Matchers(Matchers),
}

/// Whether something is compared under a tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerance {
    /// Always.
    Needed,
    /// Where one is given.
    Taken,
    /// Never, or not in all versions of a framework.
    Refused,
}

/// The words of assertions that are methods with arguments.
#[derive(Debug)]
pub struct Plain {
    /// Two objects or values are equal.
    pub equal: &'static str,
    /// A condition holds.
    pub is_true: &'static str,
    /// It does not.
    pub is_false: &'static str,
    /// There is no object.
    pub is_null: &'static str,
    /// Numbers are compared as they are: with one in its box, and fractions without a tolerance.
    pub is_exact: bool,
    /// What compares arrays; without it, `assertTrue(Arrays.equals(…))` does.
    pub arrays: Option<&'static str>,
    /// Whether arrays of fractions are compared under a tolerance.
    pub tolerance_in_arrays: Tolerance,
    /// What compares objects that can be iterated over.
    pub iterables: Option<&'static str>,
    /// What compares two objects takes what its type does not call a set one by one, a set too.
    pub compares_in_order: bool,
}

/// The words of assertions that are links behind the method that takes the value. Each begins a call, if it ends with a
/// parenthesis. What has no words is compared with an equal object.
#[derive(Debug)]
pub struct Fluent {
    /// Other methods whose names begin with `assertThat` take a value, too.
    pub has_many: bool,
    /// It equals another.
    pub equal: &'static str,
    /// It is true.
    pub is_true: &'static str,
    /// It is false.
    pub is_false: &'static str,
    /// It is null.
    pub is_null: &'static str,
    /// It has no element, or there is none in it.
    pub empty: &'static str,
    /// It has some.
    pub not_empty: &'static str,
    /// How many elements it has.
    pub size: &'static str,
    /// Its elements, in their order.
    pub ordered: &'static str,
    /// What stands behind these where they are several, if else any order will do.
    pub in_order: Option<&'static str>,
    /// It is no number, where `equal` compares as `==` does.
    pub not_a_number: Option<&'static str>,
    /// How long a text is.
    pub length: &'static str,
    /// The elements of a set, of which none is known.
    pub unordered: &'static str,
    /// The elements of a set that was seen.
    pub seen_unordered: Option<&'static str>,
    /// The elements of a map.
    pub entries: Entries,
    /// What is said of arrays.
    pub arrays: Option<Arrays>,
    /// What is said of optionals.
    pub optionals: Option<Optionals>,
    /// Numbers that are near each other.
    pub near: Near,
    /// Checks that come in pairs.
    pub contraries: &'static [Contrary],
}

/// Two checks that take the same, of which one holds where the other does not.
#[derive(Debug)]
pub struct Contrary {
    /// Their names.
    pub both: [&'static str; 2],
    /// Of which values both can be asked.
    pub of: Subject,
    /// How many arguments they take at most: of several elements one check says that all are there, the other that none is.
    pub most: usize,
}

/// Of which values two checks can be asked. Another value may have but one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Of all that have one of them.
    Any,
    /// Of all, but some convert what they are given for one of them alone.
    Alike,
    /// Of texts.
    Text,
    /// Of numbers.
    Number,
    /// Of what has elements, texts among it.
    Elements,
}

impl Fluent {
    /// The pair that a check is of, and the other one.
    pub fn contrary(&self, name: &str) -> Option<(&'static Contrary, &'static str)> {
        self.contraries.iter().find_map(|pair| match pair.both {
            [one, other] if one == name => Some((pair, other)),
            [other, one] if one == name => Some((pair, other)),
            _ => None,
        })
    }
}

/// How the elements of a map are said.
#[derive(Debug)]
pub enum Entries {
    /// The check, and the method of the assertions' class that makes an entry.
    Made(&'static str, &'static str),
    /// The check, which takes keys and values in turn; not of a map that was seen.
    InTurn(&'static str),
}

/// What is said of arrays.
#[derive(Debug)]
pub struct Arrays {
    /// Their elements.
    pub elements: &'static str,
    /// How many they are.
    pub size: &'static str,
    /// That arrays of arrays are equal.
    pub nested: &'static str,
}

/// What is said of optionals.
#[derive(Debug)]
pub struct Optionals {
    /// There is a value.
    pub present: &'static str,
    /// There is none.
    pub absent: &'static str,
    /// The value, of an `Optional`.
    pub holds: &'static str,
    /// The value, of an `OptionalInt` and its like.
    pub holds_number: &'static str,
}

/// How numbers are said to be near each other.
#[derive(Debug)]
pub enum Near {
    /// `isCloseTo(1.5, within(1e-9))`: the check, and the class and method of the tolerance.
    Behind(&'static str, &'static str, &'static str),
    /// `isWithin(1e-9).of(1.5)`: both calls.
    Before(&'static str, &'static str),
}

/// The names of matchers, and where they are found.
#[derive(Debug)]
pub struct Matchers {
    /// It equals another, and nothing else.
    pub equal: &'static str,
    /// The same, or what the matcher within says.
    pub is: &'static str,
    /// It is null.
    pub null: &'static str,
    /// How many elements it has.
    pub size: &'static str,
    /// Its elements, in their order.
    pub ordered: &'static str,
    /// Its elements, in whatever order.
    pub unordered: &'static str,
    /// What the names of all their classes begin with.
    pub package: &'static str,
    /// The class that has them all.
    pub all: &'static str,
    /// The class that has those that JUnit 4 brings along.
    pub few: &'static str,
}

impl PartialEq for Form {
    fn eq(&self, other: &Form) -> bool {
        self.name == other.name
    }
}

impl Eq for Form {}

impl Form {
    /// True for those that differ in the order and types of arguments alone.
    pub fn is_plain(&self) -> bool {
        matches!(self.words, Words::Plain(_))
    }
}

/// What is expected stands first, and messages before it.
pub(super) const fn form(name: &'static str, words: Words) -> Form {
    Form {
        name,
        is_message_last: false,
        is_actual_first: false,
        lacks: &[],
        hands_on: None,
        words,
    }
}
