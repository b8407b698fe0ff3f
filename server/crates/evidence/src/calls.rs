//! What calls were given and gave while a test ran.

use crate::packed;
use crate::value::Value;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::sync::Arc;

/// What packed calls begin with: calls that were packed in another way are read as none.
pub(crate) const FORMAT: &[u8] = b"calls2";

/// The calls of a test as they are kept: a few bytes each.
#[derive(Clone, PartialEq, Eq)]
pub struct Packed(Arc<[u8]>);

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Packed {
    /// What [`Packed::bytes`] gave.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Packed {
        Packed(bytes.into())
    }

    /// For a file.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The calls; none if the bytes are not those of [`Calls::pack`].
    pub fn calls(&self) -> Option<Calls> {
        let calls: Calls = packed::unpack(FORMAT, &self.0)?;
        let methods = calls.methods.len();
        let known = calls.calls.iter().all(|c| (c.method as usize) < methods);
        known.then_some(calls)
    }
}

/// The calls of one test, as far as they were sampled. Methods and profiles go by their position.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Calls {
    /// The methods that were called.
    pub methods: Vec<Called>,
    /// Different sets of code that had run at the end of a call.
    pub profiles: Vec<Profile>,
    /// Different places of the test from which was called.
    pub places: Vec<Place>,
    /// In the order in which the calls began.
    pub calls: Vec<Call>,
}

/// A place in a test's code that neither moves with its lines nor with white space and comments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The method that it is in: `pkg.Class#method(int)`.
    pub member: SmolStr,
    /// How many characters of the method's code stand before it.
    pub behind: u32,
}

/// A method that was called.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Called {
    /// The class, as a binary name.
    pub class: SmolStr,
    /// Its name: `<init>` for a constructor.
    pub name: SmolStr,
    /// Its descriptor.
    pub descriptor: SmolStr,
    /// Its parameters' names, where the class file has them.
    pub parameters: Vec<SmolStr>,
}

impl Called {
    /// The types of its parameters as Java names them, classes by binary names: `int`, `java.lang.String[]`. None if the
    /// descriptor is none.
    pub fn types(&self) -> Option<Vec<String>> {
        let (mut rest, _) = self.descriptor.strip_prefix('(')?.split_once(')')?;
        let mut out = Vec::new();
        while !rest.is_empty() {
            let element = rest.trim_start_matches('[');
            let dimensions = rest.len() - element.len();
            let (name, next) = match element.strip_prefix('L') {
                Some(class) => {
                    let (class, next) = class.split_once(';')?;
                    (class.replace('/', "."), next)
                }
                None => {
                    let name = match element.chars().next()? {
                        'Z' => "boolean",
                        'B' => "byte",
                        'S' => "short",
                        'C' => "char",
                        'I' => "int",
                        'J' => "long",
                        'F' => "float",
                        'D' => "double",
                        _ => return None,
                    };
                    (name.to_owned(), &element[1..])
                }
            };
            out.push(name + &"[]".repeat(dimensions));
            rest = next;
        }
        Some(out)
    }
}

/// What a test had run of some classes: a bit a place, the lowest first, by class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Profile(pub Vec<(SmolStr, Vec<u8>)>);

/// One call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Call {
    /// Which method.
    pub method: u32,
    /// From where in the test it was called, directly or through other code; none where that is not known. A line of the
    /// file while a run is read, then a position among [`Calls::places`].
    pub from: Option<u32>,
    /// The receiver and the parameters when it began.
    pub before: Vec<Value>,
    /// How it ended; none if it never did, or threw.
    pub end: Option<Return>,
    /// Another run of the same test saw other values here: nothing may be concluded from them.
    pub is_unstable: bool,
}

/// How a call returned.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Return {
    /// What the test had run by then, among [`Calls::profiles`].
    pub profile: Option<u32>,
    /// The receiver, the parameters as they were given, with what their fields hold now.
    pub after: Vec<Value>,
    /// What it returned.
    pub result: Value,
}

impl Calls {
    /// As they are kept.
    ///
    /// # Errors
    /// If a value cannot be written, which none is known to do.
    pub fn pack(&self) -> std::io::Result<Packed> {
        Ok(Packed(packed::pack(FORMAT, self)?.into()))
    }

    /// Adds the calls of another run of the test: of another invocation with other parameters.
    pub fn append(&mut self, other: Calls) {
        let mut known: FxHashMap<Called, u32> = FxHashMap::default();
        for (method, i) in self.methods.iter().zip(0u32..) {
            known.insert(method.clone(), i);
        }
        let mut methods = Vec::with_capacity(other.methods.len());
        for method in other.methods {
            let next = u32::try_from(self.methods.len()).unwrap_or(u32::MAX);
            let own = *known.entry(method.clone()).or_insert(next);
            if own == next {
                self.methods.push(method);
            }
            methods.push(own);
        }
        let profiles = u32::try_from(self.profiles.len()).unwrap_or(u32::MAX);
        self.profiles.extend(other.profiles);
        debug_assert!(
            self.places.is_empty() && other.places.is_empty(),
            "places come last"
        );
        self.calls.extend(other.calls.into_iter().map(|mut call| {
            call.method = methods[call.method as usize];
            if let Some(end) = &mut call.end {
                end.profile = end.profile.map(|p| p.saturating_add(profiles));
            }
            call
        }));
    }

    /// Marks calls in which another run of the same test saw something else, and all calls of a method that the other run
    /// called more or less often.
    pub fn compare(&mut self, other: &Calls) {
        let mut theirs: Vec<Vec<&Call>> = vec![Vec::new(); self.methods.len()];
        let mut of_method: FxHashMap<&Called, usize> = FxHashMap::default();
        for (i, method) in self.methods.iter().enumerate() {
            of_method.insert(method, i);
        }
        for call in &other.calls {
            let method = other.methods.get(call.method as usize);
            if let Some(own) = method.and_then(|m| of_method.get(m)) {
                theirs[*own].push(call);
            }
        }
        let mut count = vec![0; self.methods.len()];
        for call in &self.calls {
            count[call.method as usize] += 1;
        }
        let mut next = vec![0; self.methods.len()];
        for call in &mut self.calls {
            let method = call.method as usize;
            let twin = theirs[method].get(next[method]);
            next[method] += 1;
            call.is_unstable =
                theirs[method].len() != count[method] || twin.is_none_or(|twin| !call.same(twin));
        }
    }
}

impl Call {
    fn same(&self, other: &Call) -> bool {
        let all = |a: &[Value], b: &[Value]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
        };
        let ends = match (&self.end, &other.end) {
            (Some(a), Some(b)) => a.result.same(&b.result) && all(&a.after, &b.after),
            (a, b) => a.is_none() == b.is_none(),
        };
        ends && self.from == other.from && all(&self.before, &other.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(of: &[(u32, i32)]) -> Calls {
        let method = |name: &str| Called {
            class: "a.C".into(),
            name: name.into(),
            descriptor: "(I)V".into(),
            parameters: vec!["n".into()],
        };
        let call = |(method, value): &(u32, i32)| Call {
            method: *method,
            from: Some(3),
            before: vec![Value::Absent, Value::Int(*value)],
            end: None,
            is_unstable: false,
        };
        Calls {
            methods: vec![method("m"), method("n")],
            profiles: Vec::new(),
            places: Vec::new(),
            calls: of.iter().map(call).collect(),
        }
    }

    fn unstable(a: &[(u32, i32)], b: &[(u32, i32)]) -> Vec<bool> {
        let mut own = calls(a);
        own.compare(&calls(b));
        own.calls.iter().map(|c| c.is_unstable).collect()
    }

    #[test]
    fn what_is_packed_is_unpacked_and_nothing_else_is() {
        let own = calls(&[(0, 1), (1, i32::MIN)]);
        let packed = own.pack().expect("packed");
        let back = packed.calls().expect("unpacked");
        assert_eq!(back.methods, own.methods);
        assert!(own.calls.iter().zip(&back.calls).all(|(a, b)| a.same(b)));
        let bytes = packed.bytes();
        for cut in 0..bytes.len() {
            assert!(Packed::new(&bytes[..cut]).calls().is_none(), "{cut}");
        }
        assert!(calls(&[(7, 1)]).pack().expect("packed").calls().is_none());
    }

    #[test]
    fn invocations_are_added() {
        let mut own = calls(&[(1, 1)]);
        own.methods.remove(0);
        own.calls[0].method = 0;
        own.append(calls(&[(0, 2), (1, 3)]));
        let names = |c: &Call| own.methods[c.method as usize].name.to_string();
        let of: Vec<String> = own.calls.iter().map(names).collect();
        assert_eq!(of, ["n", "m", "n"]);
    }

    #[test]
    fn what_another_run_saw_otherwise_is_marked() {
        assert_eq!(
            unstable(&[(0, 1), (1, 7), (0, 2)], &[(0, 1), (1, 8), (0, 2)]),
            [false, true, false]
        );
        let own = unstable(&[(0, 1), (1, 7), (0, 2)], &[(0, 1), (1, 7)]);
        assert_eq!(own, [true, false, true], "not called as often");
    }
}
