//! What was defined within the code under test while a test ran.

use crate::observed::{Observed, Seen};
use crate::packed;
use std::collections::BTreeMap;

const FORMAT: &[u8] = b"inside1";

/// What definitions of the code under test were, packed: there are hundreds in each of thousands of tests, and now and then
/// somebody asks for one. Each answer unpacks those of its test.
#[derive(Clone, Default)]
pub struct Inside(Box<[u8]>);

impl std::fmt::Debug for Inside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.all()).finish()
    }
}

impl Inside {
    /// Packs them.
    ///
    /// # Errors
    /// If a value cannot be written, which none is known to do.
    pub fn pack(all: &BTreeMap<Seen, Observed>) -> std::io::Result<Inside> {
        match all.is_empty() {
            true => Ok(Inside::default()),
            false => Ok(Inside(packed::pack(FORMAT, all)?.into())),
        }
    }

    /// All of them.
    pub fn all(&self) -> BTreeMap<Seen, Observed> {
        packed::unpack(FORMAT, &self.0).unwrap_or_default()
    }

    /// What one was.
    pub fn get(&self, seen: &Seen) -> Option<Observed> {
        self.all().remove(seen)
    }

    /// True if nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    #[test]
    fn what_is_packed_is_unpacked() {
        let seen = |nth| Seen {
            variable: "p.C#m(int) n".into(),
            nth,
        };
        let observed = Observed {
            values: vec![Value::Int(3), Value::Double(f64::NAN.to_bits())],
            count: 7,
            cut: true,
            differs: Some(vec![Value::Null]),
            once: false,
        };
        assert!(Inside::default().is_empty() && Inside::default().all().is_empty());
        let own = Inside::pack(&BTreeMap::from([(seen(1), observed.clone())])).expect("packed");
        assert!(!own.is_empty() && own.get(&seen(0)).is_none());
        let back = own.get(&seen(1)).expect("it is there");
        assert_eq!(format!("{back:?}"), format!("{observed:?}"));
    }
}
