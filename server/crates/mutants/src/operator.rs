//! What is done to the code: the operators that PIT turns on by default, by PIT's names, all of which Major has; and one
//! that leaves all of a method out, only where that is asked for.

use serde::{Deserialize, Serialize};

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Operator {
    /// `<` is `<=`.
    ConditionalsBoundary,
    /// `<` is `>=`, `==` is `!=`.
    NegateConditionals,
    /// `+` is `-`, `*` is `/`, `%` is `*`, `&` is `|`, `^` is `&`, `<<` is `>>`, and back.
    Math,
    /// `i++` is `i--`, of locals.
    Increments,
    /// `-x` is `x`.
    InvertNegs,
    /// A call that returns nothing is left out.
    VoidMethodCalls,
    /// `return x` is `return ""`, an empty list, a boxed 0.
    EmptyReturns,
    /// `return x` is `return false`.
    FalseReturns,
    /// `return x` is `return true`.
    TrueReturns,
    /// `return x` is `return null`.
    NullReturns,
    /// `return x` is `return 0`.
    PrimitiveReturns,
    /// All of a method is left out: it returns 0, `false` or `null`, or just returns.
    Body,
}

impl Operator {
    /// All, with PIT's names; PIT has none for the last.
    pub const ALL: [(Operator, &'static str); 12] = [
        (Operator::ConditionalsBoundary, "CONDITIONALS_BOUNDARY"),
        (Operator::NegateConditionals, "NEGATE_CONDITIONALS"),
        (Operator::Math, "MATH"),
        (Operator::Increments, "INCREMENTS"),
        (Operator::InvertNegs, "INVERT_NEGS"),
        (Operator::VoidMethodCalls, "VOID_METHOD_CALLS"),
        (Operator::EmptyReturns, "EMPTY_RETURNS"),
        (Operator::FalseReturns, "FALSE_RETURNS"),
        (Operator::TrueReturns, "TRUE_RETURNS"),
        (Operator::NullReturns, "NULL_RETURNS"),
        (Operator::PrimitiveReturns, "PRIMITIVE_RETURNS"),
        (Operator::Body, "BODY"),
    ];

    /// As PIT names it.
    pub fn name(self) -> &'static str {
        let row = Operator::ALL.iter().find(|row| row.0 == self);
        row.map_or("", |row| row.1)
    }

    /// True if it puts a constant in place of what is returned.
    pub fn returns(self) -> bool {
        matches!(
            self,
            Operator::EmptyReturns
                | Operator::FalseReturns
                | Operator::TrueReturns
                | Operator::NullReturns
                | Operator::PrimitiveReturns
        )
    }

    /// The operator of a name.
    pub fn of(name: &str) -> Option<Operator> {
        let row = Operator::ALL.iter().find(|row| row.1 == name);
        row.map(|row| row.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_a_name_of_its_own() {
        for (operator, name) in Operator::ALL {
            assert_eq!(operator.name(), name);
            assert_eq!(Operator::of(name), Some(operator));
        }
        assert_eq!(Operator::of("EXPERIMENTAL_SWITCH"), None);
    }
}
