//! What is known of a value that a test could read and that may say how much it tells: the features of the model, one row
//! each.

use crate::doubt::Doubt;
use crate::weights::LATER;

/// The facts of one value, from which its features are read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// How many objects of the test are used later.
    pub(crate) used_later: usize,
    /// How many are changed later.
    pub(crate) changed_later: usize,
    /// How often the suite asserts the same of the same type.
    pub(crate) asked: f64,
    /// How often it does of any.
    pub(crate) asked_by_name: f64,
    /// The test asked it of this object before.
    pub(crate) asked_of_it: bool,
    /// It asked it of another object.
    pub(crate) asked_of_another: bool,
    /// It asked something of this object.
    pub(crate) object_asked: bool,
    /// Nothing reads the variable.
    pub(crate) unused: bool,
    /// It is a query of a query.
    pub(crate) is_deep: bool,
    /// It is asked of what a call gives.
    pub(crate) is_of_call: bool,
    /// It is a call with arguments.
    pub(crate) has_arguments: bool,
    /// It is a variable or a result as it stands.
    pub(crate) is_whole: bool,
    /// It is a number, a text, a truth value, or another value of the library.
    pub(crate) is_comparable: bool,
    /// It is the object as a text.
    pub(crate) is_text_of: bool,
    /// The call that gives it stands in the test, which drops it.
    pub(crate) is_dropped: bool,
    /// The object that is asked is of the class that the test's class is named after.
    pub(crate) is_of_class: bool,
    /// What it is.
    pub(crate) kind: ValueKind,
    /// How much it tells that no assertion tells: Σ of the capability of the candidates, none of which is observed yet.
    pub(crate) gain: f64,
    /// How many candidates go into it.
    pub(crate) behind: usize,
    /// Why it may not be worth a look.
    pub(crate) doubt: Option<Doubt>,
}

impl Seen {
    /// An object of the project, which is compared by its parts.
    pub(crate) fn is_bare(&self) -> bool {
        self.kind == ValueKind::Other && !self.is_comparable
    }

    /// The suite or this test asks it, or the test has it in its hands and does nothing with it.
    pub(crate) fn is_habitual(&self) -> bool {
        let is_asked = self.asked > 0.0 || self.asked_of_it || self.asked_of_another;
        is_asked || self.unused || self.is_dropped
    }
}

/// What a value is, as far as it matters for how much of the state of an object it shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Truth,
    Number,
    Text,
    /// An array, a collection, a map.
    Many,
    #[default]
    Other,
}

impl ValueKind {
    /// That of a type as people write it.
    pub(crate) fn of(ty: &str) -> ValueKind {
        let base = ty.split('<').next().unwrap_or(ty);
        if ty.ends_with("[]") {
            return ValueKind::Many;
        }
        match base.rsplit('.').next().unwrap_or(base) {
            "boolean" | "Boolean" | "AtomicBoolean" => ValueKind::Truth,
            "byte" | "short" | "char" | "int" | "long" | "float" | "double" | "Byte" | "Short"
            | "Character" | "Integer" | "Long" | "Float" | "Double" | "BigDecimal"
            | "BigInteger" | "AtomicInteger" | "AtomicLong" | "Number" => ValueKind::Number,
            "String" | "CharSequence" | "StringBuilder" | "StringBuffer" => ValueKind::Text,
            "Collection" | "Deque" | "Iterable" | "List" | "Map" | "NavigableMap"
            | "NavigableSet" | "Properties" | "Queue" | "Set" | "SortedMap" | "SortedSet" => {
                ValueKind::Many
            }
            name if name.ends_with("List") || name.ends_with("Map") || name.ends_with("Set") => {
                ValueKind::Many
            }
            _ => ValueKind::Other,
        }
    }
}

macro_rules! features {
    ($($(#[doc = $doc:literal])* $name:ident: $of:expr,)*) => {
        /// The features: their names and what they are, in the order of [`Features`].
        pub const FEATURES: &[(&str, &str)] = &[$((stringify!($name), concat!($($doc),*))),*];
        /// The features of one value. Truth values are 0 or 1.
        pub type Features = [f64; FEATURES.len()];
        /// Reads them.
        pub(crate) fn features(seen: &Seen) -> Features {
            [$({ let of: fn(&Seen) -> f64 = $of; of(seen) }),*]
        }
    };
}

features! {
    /// The same for each value: how often values tell at all.
    always: |_| 1.0,
    /// Objects that are used later, up to 12.
    used_later: |s| s.used_later.min(LATER) as f64,
    /// The test asked it of this object before.
    asked_of_it: |s| is(s.asked_of_it),
    /// The test asked something of this object.
    object_asked: |s| is(s.object_asked),
    /// A query of a query.
    deep: |s| is(s.is_deep),
    /// A variable or a result as it stands.
    whole: |s| is(s.is_whole),
    /// The object as a text.
    text_of_object: |s| is(s.is_text_of),
    /// A result that the test drops.
    dropped: |s| is(s.is_dropped),
    /// Asked of the class that the test is about.
    of_class: |s| is(s.is_of_class),
    /// A truth value.
    truth: |s| is(s.kind == ValueKind::Truth),
    /// A number.
    number: |s| is(s.kind == ValueKind::Number),
    /// A text.
    text: |s| is(s.kind == ValueKind::Text),
    /// An array, a collection, a map.
    many: |s| is(s.kind == ValueKind::Many),
    /// ln(1 + what it tells that no assertion tells).
    gain: |s| (1.0 + s.gain.max(0.0)).ln(),
    /// Nothing goes into it: what it shows is not followed.
    unknown: |s| is(s.behind == 0),
    /// An assertion reads it in another form, or the object that holds it.
    asserted: |s| is(s.doubt == Some(Doubt::Asserted)),
    /// Asking it may change something.
    changes: |s| is(s.doubt == Some(Doubt::Changes)),
    /// The object holds what the test put into it.
    untouched: |s| is(s.doubt == Some(Doubt::Untouched)),
    /// Code under test only passed on what it was given.
    passed: |s| is(s.doubt == Some(Doubt::Passed)),
    /// An object that nobody compares as it is.
    bare: |s| is(s.doubt == Some(Doubt::Bare)),
}

fn is(what: bool) -> f64 {
    f64::from(u8::from(what))
}
