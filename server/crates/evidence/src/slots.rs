//! What places of the code under test were in one test.

use crate::value::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many different values are kept of one place in one test, over all its turns.
const KEPT: usize = 8;

/// What one place was.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Slotted {
    /// How often, as far as anybody looked.
    pub count: u64,
    /// Different values in the order of their first appearance.
    pub values: Vec<Value>,
    /// There were more.
    pub cut: bool,
}

impl Slotted {
    /// Adds what another run of the test, or another JVM, saw.
    pub fn add(&mut self, other: Slotted) {
        self.count += other.count;
        self.cut |= other.cut;
        for value in other.values {
            if self.values.iter().any(|v| v.same(&value)) {
                continue;
            }
            match self.values.len() < KEPT {
                true => self.values.push(value),
                false => self.cut = true,
            }
        }
    }
}

/// By the numbers of places.
pub type Slots = BTreeMap<u32, Slotted>;

#[cfg(test)]
mod tests {
    use super::*;

    fn slotted(values: impl IntoIterator<Item = i32>) -> Slotted {
        let values: Vec<Value> = values.into_iter().map(Value::Int).collect();
        Slotted {
            count: values.len() as u64,
            values,
            cut: false,
        }
    }

    #[test]
    fn further_values_are_added_up_to_a_bound() {
        let mut own = slotted([1, 2]);
        own.add(slotted([2, 3]));
        assert_eq!(format!("{:?}", own.values), "[Int(1), Int(2), Int(3)]");
        assert_eq!((own.count, own.cut), (4, false));
        own.add(slotted(3..9));
        assert_eq!((own.values.len(), own.count, own.cut), (KEPT, 10, false));
        own.add(slotted([9]));
        assert_eq!((own.values.len(), own.count, own.cut), (KEPT, 11, true));
    }
}
