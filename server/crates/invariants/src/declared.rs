//! Declared types, as far as they decide what can be compared: `byte` and `int` are both whole numbers, an `Object` may be anything
//! that a reference points at, a `List` and a `Node` have nothing to say to each other though both are references.

use std::sync::Arc;

/// A type's base and how many `[]` stand behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    base: Base,
    dimensions: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Base {
    /// `byte`, `char`, `short`, `int`, `long`, `Integer`: values of all of them can be the same.
    Whole,
    /// `boolean`, `float`, `double`.
    Primitive(Arc<str>),
    /// `java.lang.Object`.
    Object,
    /// Any other class.
    Class(Arc<str>),
}

impl Declared {
    /// As traces write it: `java.lang.Object[]`.
    pub(crate) fn of(text: &str) -> Declared {
        let mut base = text;
        let mut dimensions = 0;
        while let Some(inner) = base.strip_suffix("[]") {
            base = inner;
            dimensions += 1;
        }
        let base = match base {
            "byte" | "char" | "short" | "int" | "long" | "java.lang.Integer" => Base::Whole,
            "boolean" | "float" | "double" => Base::Primitive(base.into()),
            "java.lang.Object" => Base::Object,
            _ => Base::Class(base.into()),
        };
        Declared { base, dimensions }
    }

    /// Of whole numbers.
    pub(crate) fn whole() -> Declared {
        Declared {
            base: Base::Whole,
            dimensions: 0,
        }
    }

    /// Of its elements. What a list holds is not declared: it may be any object.
    pub(crate) fn element(&self) -> Declared {
        match self.dimensions.checked_sub(1) {
            Some(dimensions) => Declared {
                base: self.base.clone(),
                dimensions,
            },
            None => Declared {
                base: Base::Object,
                dimensions: 0,
            },
        }
    }

    /// True if a value of the one may be a value of the other. Variables that are always equal are one only if they are of the same
    /// type.
    pub(crate) fn is_related(&self, other: &Declared) -> bool {
        let is_reference = |base: &Base| matches!(base, Base::Object | Base::Class(_));
        self.dimensions == other.dimensions
            && (self.base == other.base
                || self.base == Base::Object && is_reference(&other.base)
                || other.base == Base::Object && is_reference(&self.base))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_compared() {
        let related = |a: &str, b: &str| {
            let (a, b) = (Declared::of(a), Declared::of(b));
            assert_eq!(a.is_related(&b), b.is_related(&a));
            a.is_related(&b)
        };
        for (a, b) in [
            ("int", "long"),
            ("char", "java.lang.Integer"),
            ("Node", "Node"),
            ("Node", "java.lang.Object"),
            ("Node[]", "java.lang.Object[]"),
            ("double", "double"),
        ] {
            assert!(related(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("Node", "List"),
            ("Node[]", "java.lang.Object"),
            ("double", "float"),
            ("boolean", "java.lang.Object"),
            ("java.lang.Integer", "java.lang.Object"),
        ] {
            assert!(!related(a, b), "{a} {b}");
        }
    }

    #[test]
    fn elements() {
        assert_eq!(Declared::of("int[][]").element(), Declared::of("long[]"));
        assert_eq!(
            Declared::of("java.util.Vector").element(),
            Declared::of("java.lang.Object")
        );
    }
}
