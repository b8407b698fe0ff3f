//! What a test called, without what it saw: enough to say who teaches what, and whether a new recording says something else.

use crate::flatten::hash;
use crate::options::Moment;
use crate::samples::by_method;
use evidence::{Called, Calls, Profile, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

/// What a test called of some methods. It outlives the calls, which take a hundred times its room.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    methods: BTreeMap<Called, OfMethod>,
    is_about: bool,
}

/// What a test's calls of a method are, those left out that teach nothing.
#[derive(Clone, Debug)]
pub(crate) struct OfMethod {
    /// A hash of all values, in the order of the calls.
    pub(crate) values: u64,
    /// How many there are.
    pub(crate) calls: usize,
    /// How many values one is given, the place of the receiver included.
    pub(crate) given: usize,
    /// There is no receiver.
    pub(crate) is_static: bool,
    /// What had run when they returned, each different profile once.
    pub(crate) profiles: Vec<Arc<Profile>>,
}

impl Digest {
    /// Of a test's calls of the methods that are wanted.
    pub fn of(calls: &Calls, wants: &dyn Fn(&Called) -> bool) -> Digest {
        let mut shared: FxHashMap<*const Profile, Arc<Profile>> = FxHashMap::default();
        let mut methods = BTreeMap::new();
        for (method, all) in by_method([(0, calls)], wants) {
            // Numbers have few bits that are set, which a weaker hash takes for one another.
            let mut hasher = DefaultHasher::new();
            let mut profiles: Vec<Arc<Profile>> = Vec::new();
            for sampled in &all {
                hash(sampled.call, Moment::Exit, &mut hasher);
                let Some(profile) = sampled.profile else {
                    continue;
                };
                let own = shared.entry(std::ptr::from_ref(profile));
                let own = own.or_insert_with(|| Arc::new(profile.clone()));
                if !profiles.iter().any(|known| Arc::ptr_eq(known, own)) {
                    profiles.push(Arc::clone(own));
                }
            }
            let given = all.first().map_or(&[][..], |s| &s.call.before);
            let heard = OfMethod {
                values: hasher.finish(),
                calls: all.len(),
                given: given.len(),
                is_static: matches!(given.first(), Some(Value::Absent)),
                profiles,
            };
            methods.insert(method.clone(), heard);
        }
        Digest {
            methods,
            is_about: calls.methods.iter().any(wants),
        }
    }

    /// True if the test called one of the methods, whatever came of it.
    pub fn is_about(&self) -> bool {
        self.is_about
    }

    pub(crate) fn methods(&self) -> impl Iterator<Item = (&Called, &OfMethod)> {
        self.methods.iter()
    }

    pub(crate) fn of_method(&self, method: &Called) -> Option<&OfMethod> {
        self.methods.get(method)
    }
}
