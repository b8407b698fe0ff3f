//! The calls of some methods, read past those of all others: what a test of a large class saw takes megabytes, and most of it nobody
//! asks for.
//!
//! What is passed over is read as the same shape without room for it. A shape that is not that of [`crate::Value`] would read nonsense, so
//! that a test reads every kind of value in both ways.

use crate::calls::{Call, Called, Calls, FORMAT, Packed, Place, Profile};
use crate::packed;
use crate::value::Order;
use serde::de::{DeserializeSeed, Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

impl Packed {
    /// The calls with the values of those methods alone that are wanted; each other call stands where it is, as one that never
    /// ended. Many times faster where little is wanted.
    pub fn calls_of(&self, wants: &dyn Fn(&Called) -> bool) -> Option<Calls> {
        packed::unpack_by(FORMAT, self.bytes(), Of(wants))
    }
}

/// Reads [`Calls`].
struct Of<'w>(&'w dyn Fn(&Called) -> bool);

impl<'de> DeserializeSeed<'de> for Of<'_> {
    type Value = Calls;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Calls, D::Error> {
        from.deserialize_tuple(4, self)
    }
}

impl<'de> Visitor<'de> for Of<'_> {
    type Value = Calls;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("calls")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Calls, A::Error> {
        let methods: Vec<Called> = next(&mut from)?;
        let profiles: Vec<Profile> = next(&mut from)?;
        let places: Vec<Place> = next(&mut from)?;
        let wanted: Vec<bool> = methods.iter().map(self.0).collect();
        let calls = from.next_element_seed(Each(&wanted))?;
        Ok(Calls {
            methods,
            profiles,
            places,
            calls: calls.ok_or_else(|| A::Error::custom("no calls"))?,
        })
    }
}

fn next<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(from: &mut A) -> Result<T, A::Error> {
    let one = from.next_element()?;
    one.ok_or_else(|| A::Error::custom("cut off"))
}

/// The calls, of methods that are wanted or not.
struct Each<'w>(&'w [bool]);

impl<'de> DeserializeSeed<'de> for Each<'_> {
    type Value = Vec<Call>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Vec<Call>, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Each<'_> {
    type Value = Vec<Call>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of calls")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<Call>, A::Error> {
        let mut out = Vec::new();
        while let Some(call) = from.next_element_seed(One(self.0))? {
            out.push(call);
        }
        Ok(out)
    }
}

/// A call.
struct One<'w>(&'w [bool]);

impl<'de> DeserializeSeed<'de> for One<'_> {
    type Value = Call;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Call, D::Error> {
        from.deserialize_tuple(5, self)
    }
}

impl<'de> Visitor<'de> for One<'_> {
    type Value = Call;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a call")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Call, A::Error> {
        let method: u32 = next(&mut from)?;
        let place = next(&mut from)?;
        let is_wanted = self.0.get(method as usize).copied();
        let is_wanted = is_wanted.ok_or_else(|| A::Error::custom("of no method"))?;
        let (before, end) = match is_wanted {
            true => (next(&mut from)?, next(&mut from)?),
            false => {
                next::<List<Passed<'_>>, _>(&mut from)?;
                next::<Option<PassedReturn<'_>>, _>(&mut from)?;
                (Vec::new(), None)
            }
        };
        Ok(Call {
            method,
            from: place,
            before,
            end,
            is_unstable: next(&mut from)?,
        })
    }
}

/// A list that is passed over.
struct List<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<List<T>, D::Error> {
        from.deserialize_seq(List(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<List<T>, A::Error> {
        while from.next_element::<T>()?.is_some() {}
        Ok(self)
    }
}

/// A value within another that is passed over.
struct Inner<'a>(PhantomData<&'a ()>);

impl<'de: 'a, 'a> Deserialize<'de> for Inner<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Inner<'a>, D::Error> {
        Passed::deserialize(from).map(|_| Inner(PhantomData))
    }
}

/// [`crate::Value`], kind by kind.
#[derive(Deserialize)]
#[allow(dead_code)]
enum Passed<'a> {
    Absent,
    Null,
    Bool(bool),
    Byte(i8),
    Short(i16),
    Char(u16),
    Int(i32),
    Long(i64),
    Float(&'a str),
    Double(&'a str),
    Text(#[serde(borrow)] PassedText<'a>),
    Enum(&'a str, &'a str),
    Object(
        &'a str,
        bool,
        u64,
        #[serde(borrow)] List<(&'a str, Inner<'a>)>,
    ),
    Opaque(&'a str, u64),
    Again(u64),
    Array(&'a str, u64, #[serde(borrow)] List<Inner<'a>>),
    Collection(&'a str, Order, u64, #[serde(borrow)] List<Inner<'a>>),
    Map(&'a str, u64, #[serde(borrow)] List<(Inner<'a>, Inner<'a>)>),
    Boxed(#[serde(borrow)] Inner<'a>),
    Printed(&'a str, #[serde(borrow)] PassedText<'a>),
    Optional(&'a str, #[serde(borrow)] Option<Inner<'a>>),
    Throwable(&'a str, #[serde(borrow)] Option<PassedText<'a>>),
    Threw(#[serde(borrow)] Inner<'a>),
    Holder(&'a str, #[serde(borrow)] Inner<'a>),
    Chars(&'a str, #[serde(borrow)] PassedText<'a>),
}

/// [`crate::JavaString`], in bytes.
#[derive(Deserialize)]
#[allow(dead_code)]
enum PassedText<'a> {
    Text(&'a str),
    Units(List<u16>, u64),
}

/// [`crate::Return`].
#[derive(Deserialize)]
#[allow(dead_code)]
struct PassedReturn<'a>(
    Option<u32>,
    #[serde(borrow)] List<Passed<'a>>,
    #[serde(borrow)] Passed<'a>,
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JavaString, Return, Value};

    /// A value of each kind. What is added to [`Value`] is added here: the compiler asks for it.
    fn each() -> Vec<Value> {
        let class = || "a.b.C".into();
        let text = || JavaString::of("ab\u{1F600}");
        let int = || Box::new(Value::Int(-7));
        let all = vec![
            Value::Absent,
            Value::Null,
            Value::Bool(true),
            Value::Byte(-1),
            Value::Short(-300),
            Value::Char(0xD83D),
            Value::Int(i32::MIN),
            Value::Long(i64::MAX),
            Value::Float(f32::NAN.to_bits()),
            Value::Double((-0.0f64).to_bits()),
            Value::Text(text()),
            Value::Text(JavaString {
                units: vec![0xD83D, 7],
                length: 900,
            }),
            Value::Enum {
                class: class(),
                name: "OPEN".into(),
            },
            Value::Object {
                class: class(),
                is_record: true,
                identity: 1 << 40,
                fields: vec![("x".into(), Value::Int(1)), ("y".into(), Value::Null)],
            },
            Value::Opaque {
                class: class(),
                identity: 3,
            },
            Value::Again(9),
            Value::Array {
                class: class(),
                length: 1000,
                elements: vec![Value::Double(0), Value::Boxed(int())],
            },
            Value::Collection {
                class: class(),
                kind: Order::SortedSet,
                size: 2,
                elements: vec![Value::Text(text()), Value::Null],
            },
            Value::Map {
                class: class(),
                size: 1,
                entries: vec![(Value::Text(text()), Value::Again(1))],
            },
            Value::Boxed(int()),
            Value::Printed {
                class: class(),
                text: text(),
            },
            Value::Optional {
                class: class(),
                value: Some(int()),
            },
            Value::Optional {
                class: class(),
                value: None,
            },
            Value::Throwable {
                class: class(),
                message: Some(text()),
            },
            Value::Throwable {
                class: class(),
                message: None,
            },
            Value::Threw(int()),
            Value::Holder {
                class: class(),
                value: int(),
            },
            Value::Chars {
                class: class(),
                text: text(),
            },
        ];
        for value in &all {
            match value {
                Value::Absent
                | Value::Null
                | Value::Bool(_)
                | Value::Byte(_)
                | Value::Short(_)
                | Value::Char(_)
                | Value::Int(_)
                | Value::Long(_)
                | Value::Float(_)
                | Value::Double(_)
                | Value::Text(_)
                | Value::Enum { .. }
                | Value::Object { .. }
                | Value::Opaque { .. }
                | Value::Again(_)
                | Value::Array { .. }
                | Value::Collection { .. }
                | Value::Map { .. }
                | Value::Boxed(_)
                | Value::Printed { .. }
                | Value::Optional { .. }
                | Value::Throwable { .. }
                | Value::Threw(_)
                | Value::Holder { .. }
                | Value::Chars { .. } => {}
            }
        }
        all
    }

    #[test]
    fn what_is_passed_over_is_read_to_its_end() {
        let method = |name: &str| Called {
            class: "a.b.C".into(),
            name: name.into(),
            descriptor: "()V".into(),
            parameters: vec!["p".into()],
        };
        let call = |(at, value): (usize, &Value)| Call {
            method: (at % 2) as u32,
            from: (at % 3 == 0).then_some(0),
            before: vec![value.clone(), Value::Int(5)],
            end: (at % 5 != 0).then(|| Return {
                profile: Some(0),
                after: vec![value.clone()],
                result: value.clone(),
            }),
            is_unstable: at % 7 == 0,
        };
        // Each value in a call of either method.
        let values = each();
        let values = values.iter().flat_map(|v| [v, v]).enumerate();
        let own = Calls {
            methods: vec![method("m"), method("n")],
            profiles: vec![Profile(vec![("a.b.C".into(), vec![3, 1])])],
            places: vec![Place {
                member: "t.T#t()".into(),
                behind: 12,
            }],
            calls: values.map(call).collect(),
        };
        let packed = own.pack().expect("packed");
        let whole = packed.calls().expect("unpacked");
        for wanted in ["m", "n", ""] {
            let some = packed.calls_of(&|m| m.name == wanted).expect("unpacked");
            let passed = |call: &Call| Call {
                before: Vec::new(),
                end: None,
                ..call.clone()
            };
            let expected = whole.calls.iter().map(|call| {
                let is_wanted = whole.methods[call.method as usize].name == wanted;
                if is_wanted {
                    call.clone()
                } else {
                    passed(call)
                }
            });
            let expected = Calls {
                calls: expected.collect(),
                ..whole.clone()
            };
            assert_eq!(format!("{some:?}"), format!("{expected:?}"));
        }
        let bytes = packed.bytes();
        for cut in 0..bytes.len() {
            let cut = crate::Packed::new(&bytes[..cut]);
            assert!(cut.calls_of(&|_| false).is_none());
        }
    }
}
