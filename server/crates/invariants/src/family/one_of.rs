//! `x == c`, `x one of { a, b, c }`: few values. One sample is enough.

use crate::rule::is_among;
use crate::value::{Kind, Rep, Value};

/// The different values so far, as long as they are few.
#[derive(Clone, Debug)]
pub(crate) struct OneOf {
    values: Vec<Value>,
    most: usize,
    reference: bool,
    alive: bool,
}

impl OneOf {
    /// For the values of a variable. `is_type`: they are names of classes.
    pub(crate) fn new(rep: Rep, is_type: bool) -> OneOf {
        let most = match rep.kind {
            Kind::Boolean if !rep.sequence => 1,
            Kind::Text if rep.sequence => 2,
            Kind::Text if is_type => 1,
            // Two references say something only if one of them is null.
            Kind::Reference => 2,
            _ => 3,
        };
        OneOf {
            values: Vec::new(),
            most,
            reference: rep.kind == Kind::Reference,
            alive: true,
        }
    }

    /// For the elements of a sequence.
    pub(crate) fn elements(kind: Kind, is_type: bool) -> OneOf {
        OneOf::new(Rep::one(kind), is_type)
    }

    /// True if it still says something.
    pub(crate) fn is_alive(&self) -> bool {
        self.alive
    }

    pub(crate) fn see(&mut self, value: &Value) {
        if !self.alive || is_among(&self.values, value) {
            return;
        }
        let is_null = |v: &Value| *v == Value::Int(0);
        let two_references =
            self.reference && !is_null(value) && self.values.iter().any(|one| !is_null(one));
        if self.values.len() >= self.most || two_references {
            self.alive = false;
            self.values = Vec::new();
        } else {
            self.values.push(value.clone());
        }
    }

    /// The values in order, if they are still few and there are any.
    pub(crate) fn values(&self) -> Option<Vec<Value>> {
        let mut values = self.values.clone();
        values.sort_by(order);
        (self.alive && !values.is_empty()).then_some(values)
    }

    /// Always believed, but of a reference that is sometimes null and sometimes not: that says nothing.
    pub(crate) fn confidence(&self) -> f64 {
        match self.values.len() {
            0 => 0.0,
            2 if self.reference => 0.0,
            _ => 1.0,
        }
    }
}

fn order(a: &Value, b: &Value) -> std::cmp::Ordering {
    match (a, b) {
        (Value::Double(a), Value::Double(b)) => a.total_cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Ints(a), Value::Ints(b)) => a.cmp(b),
        (Value::Texts(a), Value::Texts(b)) => a.cmp(b),
        (Value::Doubles(a), Value::Doubles(b)) => {
            let mut pairs = a.iter().zip(b.iter()).map(|(a, b)| a.total_cmp(b));
            let first = pairs.find(|o| o.is_ne());
            first.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ => std::cmp::Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(rep: Rep, is_type: bool, values: &[Value]) -> OneOf {
        let mut one_of = OneOf::new(rep, is_type);
        values.iter().for_each(|v| one_of.see(v));
        one_of
    }

    #[test]
    fn three_values_are_few() {
        let int = Rep::one(Kind::Int);
        let ints = |all: &[i64]| all.iter().map(|v| Value::Int(*v)).collect::<Vec<_>>();
        assert_eq!(
            fed(int, false, &ints(&[12, 12, 15, 12])).values(),
            Some(ints(&[12, 15]))
        );
        assert_eq!(
            fed(int, false, &ints(&[17, 12, 15])).values(),
            Some(ints(&[12, 15, 17]))
        );
        assert_eq!(fed(int, false, &ints(&[17, 12, 15, 1])).values(), None);
        assert_eq!(fed(int, false, &[]).values(), None);
    }

    #[test]
    fn numbers_that_are_nearly_equal_are_one() {
        let doubles = [7.141_59, 7.141_592_65, 3.0, 2.0].map(Value::Double);
        let kept = [2.0, 3.0, 7.141_59].map(Value::Double);
        assert_eq!(
            fed(Rep::one(Kind::Double), false, &doubles).values(),
            Some(kept.to_vec())
        );
    }

    #[test]
    fn one_truth_value_one_class_two_sequences_of_strings() {
        let ints = [Value::Int(0), Value::Int(1)];
        assert!(!fed(Rep::one(Kind::Boolean), false, &ints).is_alive());
        let names = [Value::text("A"), Value::text("B")];
        assert!(fed(Rep::one(Kind::Text), false, &names).is_alive());
        assert!(!fed(Rep::one(Kind::Text), true, &names).is_alive());
        let words = |word: &str| Value::Texts([Some(std::sync::Arc::from(word))].into());
        let many = Rep::many(Kind::Text);
        assert!(fed(many, false, &[words("a"), words("b")]).is_alive());
        assert!(!fed(many, false, &[words("a"), words("b"), words("c")]).is_alive());
    }

    #[test]
    fn a_reference_and_null_are_kept_and_not_believed() {
        let rep = Rep::one(Kind::Reference);
        let one = fed(rep, false, &[Value::Int(7), Value::Int(7)]);
        assert_eq!(one.confidence(), 1.0);
        let two = fed(rep, false, &[Value::Int(7), Value::Int(0)]);
        assert!(two.is_alive());
        assert_eq!(two.confidence(), 0.0);
        assert!(!fed(rep, false, &[Value::Int(7), Value::Int(8)]).is_alive());
    }
}
