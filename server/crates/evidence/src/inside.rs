//! What was defined within the code under test while a test ran.

use crate::observed::{Observed, Seen};
use crate::packed::Deflated;
use std::collections::BTreeMap;

/// What definitions of the code under test were: there are hundreds in each of thousands of tests, and now and then
/// somebody asks for one.
#[derive(Clone, Debug, Default)]
pub struct Inside(Option<Deflated<BTreeMap<Seen, Observed>>>);

impl Inside {
    /// Packs them.
    ///
    /// # Errors
    /// If a value cannot be written, which none is known to do.
    pub fn pack(all: &BTreeMap<Seen, Observed>) -> std::io::Result<Inside> {
        let own = (!all.is_empty()).then(|| Deflated::new(all));
        Ok(Inside(own.transpose()?))
    }

    /// All of them.
    pub fn all(&self) -> BTreeMap<Seen, Observed> {
        self.0.as_ref().map(Deflated::inflate).unwrap_or_default()
    }

    /// What one was. Unpacks all.
    pub fn get(&self, seen: &Seen) -> Option<Observed> {
        self.all().remove(seen)
    }

    /// True if nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
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
