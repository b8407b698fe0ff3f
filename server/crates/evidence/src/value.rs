//! A value of a running program, as the agent flattened it.

mod shown;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// A string of Java: UTF-16 code units, which need not be well-formed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JavaString {
    /// What was kept of it.
    pub units: Vec<u16>,
    /// How long it was.
    pub length: u64,
}

impl JavaString {
    /// A whole string.
    pub fn of(text: &str) -> JavaString {
        let units: Vec<u16> = text.encode_utf16().collect();
        JavaString {
            length: units.len() as u64,
            units,
        }
    }

    /// The text, if nothing of it was cut and it is well-formed.
    pub fn text(&self) -> Option<String> {
        self.is_whole()
            .then(|| String::from_utf16(&self.units).ok())
            .flatten()
    }

    /// True if nothing was cut.
    pub fn is_whole(&self) -> bool {
        self.length == self.units.len() as u64
    }
}

/// See the module's description. Classes are binary names. Identities say which objects of one value are the same, and
/// mean nothing between two values.
#[derive(Clone, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// Nothing was there: the receiver of a static method, what a `void` method returns.
    Absent,
    /// `null`
    Null,
    /// `boolean`
    Bool(bool),
    /// `byte`
    Byte(i8),
    /// `short`
    Short(i16),
    /// `char`
    Char(u16),
    /// `int`
    Int(i32),
    /// `long`
    Long(i64),
    /// `float`, by its bits.
    #[serde(with = "single")]
    Float(u32),
    /// `double`, by its bits.
    #[serde(with = "double")]
    Double(u64),
    /// A string.
    Text(JavaString),
    /// A constant of an enum.
    Enum {
        /// The enum, also where the constant has a body.
        class: SmolStr,
        /// Its name.
        name: SmolStr,
    },
    /// An object with what its fields held.
    Object {
        /// Its class.
        class: SmolStr,
        /// True for a record.
        is_record: bool,
        /// See above.
        identity: u64,
        /// Name and value, those of super classes first.
        fields: Vec<(SmolStr, Value)>,
    },
    /// An object that was not looked into.
    Opaque {
        /// Its class.
        class: SmolStr,
        /// See above.
        identity: u64,
    },
    /// An object that occurs before in this value.
    Again(u64),
    /// An array.
    Array {
        /// Its class: `int[]`.
        class: SmolStr,
        /// How many elements it has.
        length: u64,
        /// The first of them.
        elements: Vec<Value>,
    },
    /// A collection of the library.
    Collection {
        /// Its class.
        class: SmolStr,
        /// How its elements are ordered.
        kind: Order,
        /// How many elements it has.
        size: u64,
        /// The first of them.
        elements: Vec<Value>,
    },
    /// A map of the library.
    Map {
        /// Its class.
        class: SmolStr,
        /// How many entries it has.
        size: u64,
        /// The first of them.
        entries: Vec<(Value, Value)>,
    },
    /// `Integer` and the like: a primitive in its box.
    Boxed(Box<Value>),
    /// A value class of the library, as it prints itself: `java.math.BigDecimal`, `java.time.Instant`.
    Printed {
        /// Its class.
        class: SmolStr,
        /// What `toString()` gives.
        text: JavaString,
    },
    /// An `Optional` or one of its kin.
    Optional {
        /// Its class.
        class: SmolStr,
        /// What is in it.
        value: Option<Box<Value>>,
    },
    /// An exception.
    Throwable {
        /// Its class.
        class: SmolStr,
        /// What it says, where that is known without asking code of the project.
        message: Option<JavaString>,
    },
    /// There is no value: what was asked threw this.
    Threw(Box<Value>),
    /// `AtomicInteger` and the like.
    Holder {
        /// Its class.
        class: SmolStr,
        /// What it holds.
        value: Box<Value>,
    },
    /// `StringBuilder` and the like.
    Chars {
        /// Its class.
        class: SmolStr,
        /// What is in it.
        text: JavaString,
    },
}

/// How the elements of a collection are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// A list.
    List,
    /// A set without order.
    Set,
    /// A set in the order of its elements.
    SortedSet,
    /// A queue.
    Queue,
    /// Another collection.
    Other,
}

impl Value {
    /// True if both are the same as far as both are known: identities mean nothing, and sets without order are compared
    /// as sets.
    pub fn same(&self, other: &Value) -> bool {
        use Value::*;
        let all = |a: &[Value], b: &[Value]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
        };
        match (self, other) {
            (Absent, Absent) | (Null, Null) => true,
            (Bool(a), Bool(b)) => a == b,
            (Byte(a), Byte(b)) => a == b,
            (Short(a), Short(b)) => a == b,
            (Char(a), Char(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Long(a), Long(b)) => a == b,
            (Float(a), Float(b)) => a == b,
            (Double(a), Double(b)) => a == b,
            (Text(a), Text(b)) => a == b,
            (Enum { class: c, name: a }, Enum { class: d, name: b }) => c == d && a == b,
            (
                Object {
                    class: c,
                    fields: a,
                    ..
                },
                Object {
                    class: d,
                    fields: b,
                    ..
                },
            ) => {
                let mut pairs = a.iter().zip(b);
                c == d && a.len() == b.len() && pairs.all(|(a, b)| a.0 == b.0 && a.1.same(&b.1))
            }
            (Opaque { class: a, .. }, Opaque { class: b, .. }) => a == b,
            (Again(_), Again(_)) => true,
            (
                Array {
                    class: c,
                    length: m,
                    elements: a,
                },
                Array {
                    class: d,
                    length: n,
                    elements: b,
                },
            ) => c == d && m == n && all(a, b),
            (
                Collection {
                    class: c,
                    kind,
                    size: m,
                    elements: a,
                },
                Collection {
                    class: d,
                    size: n,
                    elements: b,
                    ..
                },
            ) => {
                let equal = match kind {
                    // A cut set without order keeps any of its elements.
                    Order::Set if a.len() as u64 != *m => a.len() == b.len(),
                    Order::Set => unordered(a, b, |a, b| a.same(b)),
                    _ => all(a, b),
                };
                c == d && m == n && equal
            }
            (
                Map {
                    class: c,
                    size: m,
                    entries: a,
                },
                Map {
                    class: d,
                    size: n,
                    entries: b,
                },
            ) => {
                let same =
                    |a: &(Value, Value), b: &(Value, Value)| a.0.same(&b.0) && a.1.same(&b.1);
                let whole = a.len() as u64 == *m;
                c == d && m == n && (!whole || unordered(a, b, same))
            }
            (Boxed(a), Boxed(b)) | (Threw(a), Threw(b)) => a.same(b),
            (Printed { class: c, text: a }, Printed { class: d, text: b })
            | (Chars { class: c, text: a }, Chars { class: d, text: b }) => c == d && a == b,
            (Optional { class: c, value: a }, Optional { class: d, value: b }) => {
                c == d
                    && match (a, b) {
                        (Some(a), Some(b)) => a.same(b),
                        (a, b) => a.is_none() == b.is_none(),
                    }
            }
            (
                Throwable {
                    class: c,
                    message: a,
                },
                Throwable {
                    class: d,
                    message: b,
                },
            ) => c == d && a == b,
            (Holder { class: c, value: a }, Holder { class: d, value: b }) => c == d && a.same(b),
            _ => false,
        }
    }

    /// The value in its box.
    pub fn unboxed(&self) -> &Value {
        match self {
            Value::Boxed(value) => value,
            value => value,
        }
    }

    /// True if what it is can be told apart from every other value: nothing was cut or not looked into.
    pub fn is_whole(&self) -> bool {
        match self {
            Value::Opaque { .. } | Value::Absent => false,
            Value::Text(text) | Value::Printed { text, .. } | Value::Chars { text, .. } => {
                text.is_whole()
            }
            Value::Object { fields, .. } => fields.iter().all(|(_, v)| v.is_whole()),
            Value::Array {
                length, elements, ..
            } => *length == elements.len() as u64 && elements.iter().all(Value::is_whole),
            Value::Collection { size, elements, .. } => {
                *size == elements.len() as u64 && elements.iter().all(Value::is_whole)
            }
            Value::Map { size, entries, .. } => {
                let all = |(k, v): &(Value, Value)| k.is_whole() && v.is_whole();
                *size == entries.len() as u64 && entries.iter().all(all)
            }
            Value::Boxed(v) | Value::Threw(v) | Value::Holder { value: v, .. } => v.is_whole(),
            Value::Optional { value, .. } => value.as_ref().is_none_or(|v| v.is_whole()),
            _ => true,
        }
    }
}

/// UTF-16 code units within a literal of Java; what is no character, or none that a line may hold, as an escape.
pub(crate) fn quoted(units: &[u16], quote: char) -> String {
    let mut out = String::new();
    for c in char::decode_utf16(units.iter().copied()) {
        match c {
            Ok('\n') => out.push_str("\\n"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\t') => out.push_str("\\t"),
            Ok('\\') => out.push_str("\\\\"),
            Ok(c) if c == quote => {
                out.push('\\');
                out.push(c);
            }
            Ok(c) if c.is_control() || is_hidden(c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            Ok(c) => out.push(c),
            Err(e) => out.push_str(&format!("\\u{:04x}", e.unpaired_surrogate())),
        }
    }
    out
}

/// True for characters that cannot be seen, or that turn what stands around them.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{ffff}')
        || (c.is_whitespace() && c != ' ')
}

fn unordered<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut left: Vec<&T> = b.iter().collect();
    a.iter().all(|a| {
        let at = left.iter().position(|b| same(a, b));
        at.map(|at| left.swap_remove(at)).is_some()
    })
}

impl JavaString {
    /// A literal of Java, with its quotes; none if something was cut.
    pub fn literal(&self) -> Option<String> {
        self.is_whole()
            .then(|| format!("\"{}\"", quoted(&self.units, '"')))
    }
}

impl Value {
    /// A literal or constant of Java that is this very value, of this very type: `3`, `3L`, `'a'`, `Double.NaN`,
    /// `Float.MIN_VALUE`, `"a"`, `true`, `null`. Of a `byte` or `short` the number. None for what no literal makes.
    pub fn literal(&self) -> Option<String> {
        Some(match self.unboxed() {
            Value::Null => "null".to_owned(),
            Value::Bool(b) => b.to_string(),
            Value::Byte(n) => n.to_string(),
            Value::Short(n) => n.to_string(),
            Value::Int(i32::MIN) => "Integer.MIN_VALUE".to_owned(),
            Value::Int(i32::MAX) => "Integer.MAX_VALUE".to_owned(),
            Value::Int(n) => n.to_string(),
            Value::Long(i64::MIN) => "Long.MIN_VALUE".to_owned(),
            Value::Long(i64::MAX) => "Long.MAX_VALUE".to_owned(),
            Value::Long(n) => format!("{n}L"),
            Value::Char(c) => format!("'{}'", quoted(&[*c], '\'')),
            Value::Float(bits) => floating(
                f64::from(f32::from_bits(*bits)),
                "Float",
                f32::from_bits(*bits) == f32::MAX,
                || format!("{:?}f", f32::from_bits(*bits)),
            ),
            Value::Double(bits) => {
                let n = f64::from_bits(*bits);
                floating(n, "Double", n == f64::MAX, || format!("{n:?}"))
            }
            Value::Text(text) => return text.literal(),
            _ => return None,
        })
    }
}

fn floating(value: f64, class: &str, is_max: bool, finite: impl Fn() -> String) -> String {
    match value {
        v if v.is_nan() => format!("{class}.NaN"),
        f64::INFINITY => format!("{class}.POSITIVE_INFINITY"),
        f64::NEG_INFINITY => format!("{class}.NEGATIVE_INFINITY"),
        _ if is_max => format!("{class}.MAX_VALUE"),
        _ => finite(),
    }
}

/// Numbers with a fraction stand as texts that read back equal: JSON has neither NaN nor infinities.
mod double {
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bits: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{:?}", f64::from_bits(*bits)))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<u64, D::Error> {
        from.deserialize_str(super::Number::<f64>::default())
            .map(f64::to_bits)
    }
}

mod single {
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bits: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{:?}", f32::from_bits(*bits)))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<u32, D::Error> {
        from.deserialize_str(super::Number::<f32>::default())
            .map(f32::to_bits)
    }
}

/// Reads a number off its text where that stands: there are millions of them.
struct Number<F>(PhantomData<F>);

impl<F> Default for Number<F> {
    fn default() -> Number<F> {
        Number(PhantomData)
    }
}

impl<F: FromStr<Err: Display>> Visitor<'_> for Number<F> {
    type Value = F;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number in a text")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<F, E> {
        text.parse().map_err(E::custom)
    }
}

/// A text where it is one, else the units and how many there were: as people read it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Units { units: Vec<u16>, length: u64 },
}

/// The same in bytes, which do not say by themselves which of the two they are.
#[derive(Serialize, Deserialize)]
enum Packed {
    Text(String),
    Units { units: Vec<u16>, length: u64 },
}

impl Serialize for JavaString {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (units, length) = (|| self.units.clone(), self.length);
        match (self.text(), to.is_human_readable()) {
            (Some(text), true) => Written::Text(text).serialize(to),
            (Some(text), false) => Packed::Text(text).serialize(to),
            (None, true) => {
                let units = units();
                Written::Units { units, length }.serialize(to)
            }
            (None, false) => {
                let units = units();
                Packed::Units { units, length }.serialize(to)
            }
        }
    }
}

impl<'a> Deserialize<'a> for JavaString {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<JavaString, D::Error> {
        let (text, units, length) = match from.is_human_readable() {
            true => match Written::deserialize(from)? {
                Written::Text(text) => (Some(text), Vec::new(), 0),
                Written::Units { units, length } => (None, units, length),
            },
            false => match Packed::deserialize(from)? {
                Packed::Text(text) => (Some(text), Vec::new(), 0),
                Packed::Units { units, length } => (None, units, length),
            },
        };
        Ok(match text {
            Some(text) => JavaString::of(&text),
            None => JavaString { units, length },
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn values_read_back_equal() {
        let half = JavaString {
            units: vec![0xd800],
            length: 1,
        };
        let list = |elements| Value::Collection {
            class: "java.util.ArrayList".into(),
            kind: Order::List,
            size: 2,
            elements,
        };
        for value in [
            Value::Double((-0.0f64).to_bits()),
            Value::Double(f64::NAN.to_bits()),
            Value::Double(f64::MIN_POSITIVE.to_bits()),
            Value::Float(f32::NEG_INFINITY.to_bits()),
            Value::Float(0.1f32.to_bits()),
            Value::Long(i64::MIN),
            Value::Char(0xd800),
            Value::Text(half),
            Value::Text(JavaString::of("a \u{1f600}")),
            list(vec![Value::Null, Value::Boxed(Box::new(Value::Byte(-1)))]),
        ] {
            let text = serde_json::to_string(&value).unwrap();
            let back: Value = serde_json::from_str(&text).unwrap();
            assert!(value.same(&back), "{text}");
            let bytes = postcard::to_stdvec(&value).unwrap();
            let back: Value = postcard::from_bytes(&bytes).unwrap();
            assert!(value.same(&back), "{text}");
        }
    }

    #[test]
    fn literals_are_those_of_java() {
        let double = |n: f64| Value::Double(n.to_bits()).literal().unwrap();
        assert_eq!(double(0.1), "0.1");
        assert_eq!(double(-0.0), "-0.0");
        assert_eq!(double(1e300), "1e300");
        assert_eq!(double(f64::NAN), "Double.NaN");
        assert_eq!(double(f64::MAX), "Double.MAX_VALUE");
        let float = Value::Float(0.1f32.to_bits());
        assert_eq!(float.literal().unwrap(), "0.1f");
        assert_eq!(Value::Int(i32::MIN).literal().unwrap(), "Integer.MIN_VALUE");
        assert_eq!(Value::Long(-3).literal().unwrap(), "-3L");
        assert_eq!(Value::Char(u16::from(b'\'')).literal().unwrap(), r"'\''");
        let text = JavaString::of("a\"\\\n\u{202e}😀\u{7f}");
        assert_eq!(text.literal().unwrap(), r#""a\"\\\n\u202e😀\u007f""#);
    }

    #[test]
    fn sets_without_order_are_the_same_in_any_order() {
        let set = |kind, elements: [i32; 3]| Value::Collection {
            class: "java.util.HashSet".into(),
            kind,
            size: 3,
            elements: elements.map(Value::Int).into(),
        };
        assert!(set(Order::Set, [1, 2, 3]).same(&set(Order::Set, [3, 1, 2])));
        assert!(!set(Order::Set, [1, 2, 3]).same(&set(Order::Set, [1, 2, 2])));
        assert!(!set(Order::List, [1, 2, 3]).same(&set(Order::List, [3, 1, 2])));
    }
}
