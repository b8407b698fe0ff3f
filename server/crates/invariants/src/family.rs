//! The families of invariants: a table, and a file for what each of them remembers of the samples.
//!
//! A row says what a family is called, whether it is looked for unless asked, how many variables it speaks of, and how it reads.

pub(crate) mod bound;
pub(crate) mod linear;
pub(crate) mod non_zero;
pub(crate) mod one_of;
pub(crate) mod plane;

use crate::rule::Rule;

/// One family.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// As options and reports name it.
    pub name: &'static str,
    /// Looked for unless it is switched off.
    pub default: bool,
    /// How many variables it speaks of.
    pub arity: u8,
    /// An example of how it reads.
    pub form: &'static str,
}

macro_rules! families {
    ($($family:ident $name:literal $default:literal $arity:literal $form:literal;)*) => {
        /// A family of invariants; its row says the rest.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Family { $(#[doc = $form] $family),* }

        impl Family {
            /// All of them, in the order in which constraints of equal variables are listed.
            pub const ALL: &[Family] = &[$(Family::$family),*];

            /// What is said of it.
            pub fn row(self) -> &'static Row {
                match self {
                    $(Family::$family => &Row { name: $name, default: $default, arity: $arity, form: $form }),*
                }
            }
        }
    };
}

families! {
    Equal "equal" true 2 "x == y";
    OneOf "one-of" true 1 "x one of { 1, 2, 3 }";
    ElementsOneOf "elements-one-of" true 1 "a[] elements one of { 1, 2, 3 }";
    NonZero "non-zero" true 1 "x != null";
    ElementsNonZero "elements-non-zero" true 1 "a[] elements != null";
    LowerBound "lower-bound" true 1 "x >= 0";
    UpperBound "upper-bound" true 1 "x <= 1";
    ElementsLowerBound "elements-lower-bound" true 1 "a[] elements >= 0";
    ElementsUpperBound "elements-upper-bound" true 1 "a[] elements <= 1";
    PowerOfTwo "power-of-two" true 1 "x is a power of 2";
    Sorted "sorted" true 1 "a[] sorted by <=";
    Compare "compare" true 2 "x < y";
    Linear "linear" true 2 "2 * x - y + 1 == 0";
    Divides "divides" true 2 "x % y == 0";
    Square "square" true 2 "x == y**2";
    ElementsCompare "elements-compare" true 2 "a[] elements >= x";
    Member "member" true 2 "x in a[]";
    Pairwise "pairwise" true 2 "a[] < b[] (elementwise)";
    Lexical "lexical" true 2 "a[] < b[] (lexically)";
    PairwiseLinear "pairwise-linear" true 2 "2 * a[] - b[] + 1 == 0";
    PairwiseDivides "pairwise-divides" true 2 "a[] % b[] == 0";
    PairwiseSquare "pairwise-square" true 2 "a[] == b[]**2";
    Reverse "reverse" true 2 "a[] is the reverse of b[]";
    Plane "plane" true 3 "x + y - z == 0";
}

impl Family {
    /// The family of that name.
    pub fn named(name: &str) -> Option<Family> {
        Family::ALL.iter().copied().find(|f| f.row().name == name)
    }

    /// The family that says such things of so many terms.
    pub(crate) fn of(rule: &Rule) -> Family {
        use crate::order::Relation::{Greater, GreaterEqual};
        match rule {
            Rule::OneOf(_) => Family::OneOf,
            Rule::ElementsOneOf(_) => Family::ElementsOneOf,
            Rule::NonZero => Family::NonZero,
            Rule::ElementsNonZero => Family::ElementsNonZero,
            Rule::Bound(Greater | GreaterEqual, _) => Family::LowerBound,
            Rule::Bound(..) => Family::UpperBound,
            Rule::ElementsBound(Greater | GreaterEqual, _) => Family::ElementsLowerBound,
            Rule::ElementsBound(..) => Family::ElementsUpperBound,
            Rule::PowerOfTwo => Family::PowerOfTwo,
            Rule::Sorted(_) => Family::Sorted,
            Rule::Compare(_) => Family::Compare,
            Rule::Linear(factors) if factors.len() > 3 => Family::Plane,
            Rule::Linear(_) => Family::Linear,
            Rule::Divides { .. } => Family::Divides,
            Rule::Square { .. } => Family::Square,
            Rule::ElementsCompare(_) => Family::ElementsCompare,
            Rule::Member => Family::Member,
            Rule::Pairwise(_) => Family::Pairwise,
            Rule::Lexical(_) => Family::Lexical,
            Rule::PairwiseLinear(_) => Family::PairwiseLinear,
            Rule::PairwiseDivides { .. } => Family::PairwiseDivides,
            Rule::PairwiseSquare { .. } => Family::PairwiseSquare,
            Rule::Reverse => Family::Reverse,
        }
    }
}

/// What a family found of some terms: no sample contradicts it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) rule: Rule,
    pub(crate) confidence: f64,
    /// False for what is not said of so few samples, however confident.
    pub(crate) enough: bool,
}

impl Found {
    pub(crate) fn new(rule: Rule, confidence: f64) -> Found {
        Found {
            rule,
            confidence,
            enough: true,
        }
    }
}
