//! Orders: which of less, equal and greater was ever seen, and what that leaves.

use crate::confidence::nearly;
use crate::value::Text;
use std::cmp::Ordering;

/// A relation between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Relation {
    pub const ALL: [Relation; 6] = [
        Relation::Equal,
        Relation::NotEqual,
        Relation::Less,
        Relation::LessEqual,
        Relation::Greater,
        Relation::GreaterEqual,
    ];

    /// True if it says which is greater.
    pub fn is_order(self) -> bool {
        !matches!(self, Relation::Equal | Relation::NotEqual)
    }

    /// As in Java.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
        }
    }

    /// The same said from the other side: `x < y` is `y > x`.
    pub fn turned(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessEqual => Relation::GreaterEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterEqual => Relation::LessEqual,
            Relation::Equal | Relation::NotEqual => self,
        }
    }

    /// True if whatever is of this relation is of the other as well.
    pub fn says(self, other: Relation) -> bool {
        let all = [Seen::LESS, Seen::EQUAL, Seen::GREATER, Seen::NEITHER];
        all.into_iter()
            .all(|seen| !self.covers(seen) || other.covers(seen))
    }

    /// True if everything seen is of this relation.
    pub(crate) fn covers(self, seen: Seen) -> bool {
        let allowed = match self {
            Relation::Equal => Seen::EQUAL.0,
            Relation::NotEqual => Seen::LESS.0 | Seen::GREATER.0 | Seen::NEITHER.0,
            Relation::Less => Seen::LESS.0,
            Relation::LessEqual => Seen::LESS.0 | Seen::EQUAL.0,
            Relation::Greater => Seen::GREATER.0,
            Relation::GreaterEqual => Seen::GREATER.0 | Seen::EQUAL.0,
        };
        seen.0 & !allowed == 0
    }
}

/// Which orders were seen between two things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Seen(u8);

impl Seen {
    pub(crate) const NONE: Seen = Seen(0);
    pub(crate) const LESS: Seen = Seen(1);
    pub(crate) const EQUAL: Seen = Seen(2);
    pub(crate) const GREATER: Seen = Seen(4);
    /// NaN and a number: unequal, and not in any order.
    pub(crate) const NEITHER: Seen = Seen(8);

    #[inline]
    pub(crate) fn add(&mut self, other: Seen) {
        self.0 |= other.0;
    }

    /// True if no relation holds any more.
    pub(crate) fn is_spent(self) -> bool {
        self.strongest().is_none() && self.0 != 0
    }

    /// The relation that says most and holds: every other one that holds follows from it.
    pub(crate) fn strongest(self) -> Option<Relation> {
        if self.0 == 0 {
            return None;
        }
        [
            Relation::Equal,
            Relation::Less,
            Relation::Greater,
            Relation::LessEqual,
            Relation::GreaterEqual,
            Relation::NotEqual,
        ]
        .into_iter()
        .find(|r| r.covers(self))
    }

    /// Without a branch: no processor foresees how random numbers stand to each other.
    #[inline]
    pub(crate) fn of(order: Ordering) -> Seen {
        // -1, 0 or 1: one bit each.
        Seen(1 << (order as i8 + 1))
    }
}

/// Numbers that are nearly equal are equal.
pub(crate) fn doubles(a: f64, b: f64) -> Seen {
    if nearly(a, b) {
        return Seen::EQUAL;
    }
    a.partial_cmp(&b).map_or(Seen::NEITHER, Seen::of)
}

/// As `String.compareTo` has it, by UTF-16 units; null stands before every string.
pub(crate) fn texts(a: &Text, b: &Text) -> Seen {
    Seen::of(match (a, b) {
        (Some(a), Some(b)) => a.encode_utf16().cmp(b.encode_utf16()),
        (a, b) => a.is_some().cmp(&b.is_some()),
    })
}

/// The order of two sequences: that of the first elements that differ, else of the lengths.
pub(crate) fn lexical<T>(a: &[T], b: &[T], compare: impl Fn(&T, &T) -> Seen) -> Seen {
    a.iter()
        .zip(b)
        .map(|(a, b)| compare(a, b))
        .find(|seen| *seen != Seen::EQUAL)
        .unwrap_or_else(|| Seen::of(a.len().cmp(&b.len())))
}

/// Every order of two sequences' elements at equal places; nothing if their lengths differ.
pub(crate) fn pairwise<T>(a: &[T], b: &[T], compare: impl Fn(&T, &T) -> Seen) -> Option<Seen> {
    (a.len() == b.len()).then(|| {
        let mut seen = Seen::NONE;
        a.iter().zip(b).for_each(|(a, b)| seen.add(compare(a, b)));
        seen
    })
}

/// Every order of an element and the one behind it.
pub(crate) fn adjacent<T>(all: &[T], compare: impl Fn(&T, &T) -> Seen) -> Seen {
    let mut seen = Seen::NONE;
    for two in all.windows(2) {
        if let [a, b] = two {
            seen.add(compare(a, b));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_relation_implies_the_others_that_hold() {
        for bits in 1..16u8 {
            let seen = Seen(bits);
            let holding = Relation::ALL.iter().filter(|r| r.covers(seen)).count();
            assert_eq!(seen.strongest().is_none(), holding == 0, "{bits}");
        }
        let mut seen = Seen::LESS;
        assert_eq!(seen.strongest(), Some(Relation::Less));
        seen.add(Seen::EQUAL);
        assert_eq!(seen.strongest(), Some(Relation::LessEqual));
        seen.add(Seen::GREATER);
        assert!(seen.is_spent());
        assert!(!Seen::NONE.is_spent());
    }

    #[test]
    fn strings_are_ordered_as_java_orders_them() {
        let text = |t: &str| Some(std::sync::Arc::from(t));
        assert_eq!(texts(&text("a"), &text("b")), Seen::LESS);
        assert_eq!(texts(&None, &text("")), Seen::LESS);
        assert_eq!(texts(&None, &None), Seen::EQUAL);
        // In UTF-16 a character beyond the first plane stands before U+FFFD.
        assert_eq!(texts(&text("\u{10000}"), &text("\u{fffd}")), Seen::LESS);
    }
}
