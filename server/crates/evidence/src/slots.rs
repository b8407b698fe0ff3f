//! What places of the code under test were in one test.

use crate::packed;
use crate::value::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const FORMAT: &[u8] = b"slots1";

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

/// [`Slots`], of which there may be hundreds in each of thousands of tests, in a few bytes each.
#[derive(Clone)]
pub struct PackedSlots(Box<[u8]>);

impl std::fmt::Debug for PackedSlots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl PackedSlots {
    /// Packs them.
    ///
    /// # Errors
    /// If a value cannot be written, which none is known to do.
    pub fn pack(slots: &Slots) -> std::io::Result<PackedSlots> {
        Ok(PackedSlots(packed::pack(FORMAT, slots)?.into()))
    }

    /// What was packed.
    pub fn slots(&self) -> Slots {
        packed::unpack(FORMAT, &self.0).unwrap_or_default()
    }
}

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
    fn what_is_packed_is_unpacked() {
        let own = Slots::from([(3, slotted([1, 2])), (9, slotted([]))]);
        let back = PackedSlots::pack(&own).expect("packed").slots();
        assert_eq!(format!("{own:?}"), format!("{back:?}"));
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
