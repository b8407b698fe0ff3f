//! What was defined while a test ran, in its own code or in the code under test.

use crate::observed::{Observed, Seen};
use crate::packed::Deflated;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What definitions were: there are hundreds in each of thousands of tests, and now and then somebody asks for one.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    packed: Option<Deflated<BTreeMap<Seen, Observed>>>,
    /// Hashes of the variables' names, in order: most tests have nothing of a variable that somebody asks for.
    names: Box<[u32]>,
    differs: bool,
}

impl Definitions {
    /// Packs them.
    ///
    /// # Errors
    /// If a value cannot be written, which none is known to do.
    pub fn pack(all: &BTreeMap<Seen, Observed>) -> std::io::Result<Definitions> {
        let packed = (!all.is_empty()).then(|| Deflated::new(all));
        let mut names: Vec<u32> = all.keys().map(hash).collect();
        names.sort_unstable();
        names.dedup();
        Ok(Definitions {
            packed: packed.transpose()?,
            names: names.into(),
            differs: all.values().any(Observed::is_unstable),
        })
    }

    /// All of them.
    pub fn all(&self) -> BTreeMap<Seen, Observed> {
        self.packed
            .as_ref()
            .map(Deflated::inflate)
            .unwrap_or_default()
    }

    /// What one was. Unpacks all if there may be any of its name.
    pub fn get(&self, seen: &Seen) -> Option<Observed> {
        self.may_have(seen).then(|| self.all().remove(seen))?
    }

    /// False if nothing is known of a variable of this name; true says nothing.
    pub fn may_have(&self, seen: &Seen) -> bool {
        self.names.binary_search(&hash(seen)).is_ok()
    }

    /// The hashes of the names.
    pub(crate) fn names(&self) -> &[u32] {
        &self.names
    }

    /// True if nothing is known.
    pub fn is_empty(&self) -> bool {
        self.packed.is_none()
    }

    /// True if another run gave something else for one of them.
    pub fn differs(&self) -> bool {
        self.differs
    }
}

/// Of the name alone; never kept beyond the process.
pub(crate) fn hash(seen: &Seen) -> u32 {
    let mut hasher = DefaultHasher::new();
    seen.variable.hash(&mut hasher);
    hasher.finish() as u32
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
        let none = Definitions::default();
        assert!(none.is_empty() && none.all().is_empty() && !none.differs());
        let own = BTreeMap::from([(seen(1), observed.clone())]);
        let own = Definitions::pack(&own).expect("packed");
        assert!(!own.is_empty() && own.differs() && own.get(&seen(0)).is_none());
        let back = own.get(&seen(1)).expect("it is there");
        assert_eq!(format!("{back:?}"), format!("{observed:?}"));
        let other = Seen {
            variable: "p.C#m(int) other".into(),
            nth: 1,
        };
        assert!(own.may_have(&seen(1)) && !own.may_have(&other) && !none.may_have(&seen(1)));
    }
}
