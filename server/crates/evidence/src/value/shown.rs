//! How a value is shown in a line, and what of it that needs.

use super::{Value, quoted};
use smol_str::SmolStr;

/// How deep objects within objects are shown.
const DEPTH: u32 = 3;
/// How much of a text is shown.
const SHOWN: usize = 40;
/// How many elements or fields are shown.
const PARTS: usize = 4;

fn list(out: &mut String, size: u64, elements: &[Value], depth: u32) {
    out.push('[');
    let mut shown = 0;
    for (at, value) in elements.iter().take(PARTS).enumerate() {
        if depth == 0 {
            break;
        }
        if at > 0 {
            out.push_str(", ");
        }
        value.write(out, depth - 1);
        shown += 1;
    }
    if shown == size {
        out.push(']');
    } else {
        out.push_str(if shown > 0 { ", …] (" } else { "…] (" });
        out.push_str(&format!("{size})"));
    }
}

/// A number as Java's literals spell it.
fn number(value: f64, finite: impl Fn() -> String) -> String {
    match value {
        v if v.is_nan() => "NaN".to_owned(),
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ => finite(),
    }
}

impl Value {
    /// As Java would write it, as far as it has a short form, on one line: `3`, `"a\n"`, `[1, 2, …] (7)`,
    /// `Order { id = 3 }`. For people only.
    pub fn short(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, DEPTH);
        out
    }

    /// Forgets what [`Value::short`] does not show and no literal says: where nothing else is asked of a value, most of an
    /// object is that.
    pub fn outline(&mut self) {
        let is_part = |v: &Value| matches!(v, Value::Object { .. } | Value::Array { .. });
        match self {
            // Of these literals are written.
            Value::Text(_) => {}
            Value::Array { elements, .. } if !elements.iter().any(is_part) => {}
            _ => self.forget(DEPTH),
        }
    }

    fn forget(&mut self, depth: u32) {
        let elements = match self {
            Value::Object { fields, .. } => {
                for (at, (name, value)) in fields.iter_mut().enumerate() {
                    match depth == 0 || at == PARTS {
                        // That there is one more is shown, and not what.
                        true => (*name, *value) = (SmolStr::default(), Value::Absent),
                        false => value.forget(depth - 1),
                    }
                }
                fields.truncate(if depth == 0 { 1 } else { PARTS + 1 });
                fields.shrink_to_fit();
                return;
            }
            Value::Array { elements, .. } | Value::Collection { elements, .. } => elements,
            Value::Map { entries, .. } => {
                entries.truncate(if depth == 0 { 0 } else { PARTS });
                entries.shrink_to_fit();
                for (key, value) in entries {
                    key.forget(depth - 1);
                    value.forget(depth - 1);
                }
                return;
            }
            Value::Boxed(value) | Value::Threw(value) | Value::Holder { value, .. } => {
                return value.forget(depth);
            }
            Value::Optional {
                value: Some(value), ..
            } => return value.forget(depth.saturating_sub(1)),
            Value::Text(text) | Value::Printed { text, .. } | Value::Chars { text, .. } => {
                text.units.truncate(SHOWN);
                text.units.shrink_to_fit();
                return;
            }
            _ => return,
        };
        elements.truncate(if depth == 0 { 0 } else { PARTS });
        elements.shrink_to_fit();
        for value in elements {
            value.forget(depth - 1);
        }
    }

    fn write(&self, out: &mut String, depth: u32) {
        use std::fmt::Write as _;
        let simple = |class: &str| -> String {
            let name = class.rsplit(['.', '$']).next().unwrap_or(class);
            name.to_owned()
        };
        match self {
            Value::Absent => out.push('–'),
            Value::Null => out.push_str("null"),
            Value::Bool(b) => _ = write!(out, "{b}"),
            Value::Byte(n) => _ = write!(out, "{n}"),
            Value::Short(n) => _ = write!(out, "{n}"),
            Value::Int(n) => _ = write!(out, "{n}"),
            Value::Long(n) => _ = write!(out, "{n}"),
            Value::Char(c) => _ = write!(out, "'{}'", quoted(&[*c], '\'')),
            Value::Float(bits) => out.push_str(&number(f64::from(f32::from_bits(*bits)), || {
                format!("{:?}", f32::from_bits(*bits))
            })),
            Value::Double(bits) => {
                let n = f64::from_bits(*bits);
                out.push_str(&number(n, || format!("{n:?}")));
            }
            Value::Text(text) => {
                out.push('"');
                let shown = text.units.len().min(SHOWN);
                out.push_str(&quoted(&text.units[..shown], '"'));
                if shown as u64 != text.length {
                    _ = write!(out, "…\" ({})", text.length);
                } else {
                    out.push('"');
                }
            }
            Value::Enum { name, .. } => out.push_str(name),
            Value::Object { class, fields, .. } => {
                out.push_str(&simple(class));
                out.push_str(" {");
                for (at, (name, value)) in fields.iter().enumerate() {
                    if depth == 0 || at == PARTS {
                        out.push_str(" …");
                        break;
                    }
                    out.push_str(if at > 0 { ", " } else { " " });
                    _ = write!(out, "{name} = ");
                    value.write(out, depth - 1);
                }
                out.push_str(" }");
            }
            Value::Opaque { class, .. } => out.push_str(&simple(class)),
            Value::Again(_) => out.push('↑'),
            Value::Array {
                length, elements, ..
            } => list(out, *length, elements, depth),
            Value::Collection { size, elements, .. } => list(out, *size, elements, depth),
            Value::Map { size, entries, .. } => {
                out.push('{');
                let mut shown = 0;
                for (at, (key, value)) in entries.iter().take(PARTS).enumerate() {
                    if depth == 0 {
                        break;
                    }
                    if at > 0 {
                        out.push_str(", ");
                    }
                    key.write(out, depth - 1);
                    out.push('=');
                    value.write(out, depth - 1);
                    shown += 1;
                }
                if shown != *size {
                    out.push_str(if shown > 0 { ", …" } else { "…" });
                }
                out.push('}');
            }
            Value::Boxed(value) => value.write(out, depth),
            Value::Printed { text, .. } | Value::Chars { text, .. } => {
                let shown = text.units.len().min(SHOWN);
                out.push_str(&quoted(&text.units[..shown], '\0'));
                if shown as u64 != text.length {
                    out.push('…');
                }
            }
            Value::Optional { value, .. } => match value {
                None => out.push_str("empty"),
                Some(value) => {
                    out.push_str("Optional[");
                    value.write(out, depth.saturating_sub(1));
                    out.push(']');
                }
            },
            Value::Throwable { class, .. } => out.push_str(&simple(class)),
            Value::Threw(value) => {
                out.push_str("throws ");
                value.write(out, depth);
            }
            Value::Holder { value, .. } => value.write(out, depth),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{JavaString, Order};
    use super::*;
    use proptest::prelude::*;

    /// Values of parts of parts.
    fn any_value() -> impl Strategy<Value = Value> {
        let text = proptest::collection::vec(97u16..100, 0..60).prop_flat_map(|units| {
            let length = units.len() as u64;
            (Just(units), length..length + 2)
                .prop_map(|(units, length)| JavaString { units, length })
        });
        let leaf = prop_oneof![
            any::<i32>().prop_map(Value::Int),
            text.clone().prop_map(Value::Text),
            text.prop_map(|text| Value::Printed {
                class: "java.io.File".into(),
                text
            }),
            Just(Value::Null),
        ];
        leaf.prop_recursive(6, 200, 7, |inner| {
            let many = proptest::collection::vec(inner.clone(), 0..7);
            let sized = (many.clone(), 0u64..2);
            prop_oneof![
                many.prop_map(|all| Value::Object {
                    class: "p.C".into(),
                    is_record: false,
                    identity: 1,
                    fields: all.into_iter().map(|v| ("f".into(), v)).collect(),
                }),
                sized.clone().prop_map(|(elements, more)| Value::Array {
                    class: "p.C[]".into(),
                    length: elements.len() as u64 + more,
                    elements,
                }),
                sized
                    .clone()
                    .prop_map(|(elements, more)| Value::Collection {
                        class: "java.util.ArrayList".into(),
                        kind: Order::List,
                        size: elements.len() as u64 + more,
                        elements,
                    }),
                sized.prop_map(|(values, more)| Value::Map {
                    class: "java.util.HashMap".into(),
                    size: values.len() as u64 + more,
                    entries: values.into_iter().map(|v| (v.clone(), v)).collect(),
                }),
                inner.clone().prop_map(|v| Value::Boxed(Box::new(v))),
                inner.prop_map(|v| Value::Optional {
                    class: "java.util.Optional".into(),
                    value: Some(Box::new(v)),
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn an_outline_reads_as_the_whole_does(value in any_value()) {
            let mut outline = value.clone();
            outline.outline();
            prop_assert_eq!(outline.short(), value.short());
            let mut again = outline.clone();
            again.outline();
            prop_assert!(again.same(&outline));
        }
    }

    #[test]
    fn an_outline_is_small_and_keeps_what_literals_need() {
        let ints = |n: usize| Value::Array {
            class: "int[]".into(),
            length: n as u64,
            elements: vec![Value::Int(1); n],
        };
        let text = Value::Text(JavaString::of(&"a".repeat(100)));
        for mut plain in [ints(16), text.clone(), Value::Int(3)] {
            let whole = plain.clone();
            plain.outline();
            assert!(plain.same(&whole), "{whole:?}");
        }
        let object = |parts: Vec<Value>| Value::Object {
            class: "p.C".into(),
            is_record: false,
            identity: 1,
            fields: parts.into_iter().map(|v| ("f".into(), v)).collect(),
        };
        let row = object(vec![ints(16), text, ints(16), ints(16), ints(16), ints(16)]);
        let mut all = object(vec![object(vec![row; 9]); 9]);
        all.outline();
        let size = serde_json::to_string(&all).unwrap().len();
        assert!(size < 12_000, "{size}");
    }
}
