//! The finished assertion on a value that was recorded: the same in two runs, and whole.
//!
//! What no short expression makes (an object of the project that is no record, a long collection) gets none: then the
//! placeholder stays, see [`super::form`].

mod expression;

use super::expected::{Expected, Kind, Plain};
use super::form::{Asked, Writer, calls_of};
use super::{Readable, Statement};
use evidence::{Order, Value};
use oracle::frameworks::{Entries, Fluent, Near, Words};

/// How many elements an expected list or array may have.
const ELEMENTS: usize = 10;
/// How many entries an expected map may have.
const ENTRIES: usize = 5;
impl Writer<'_, '_> {
    /// The finished assertion; none if there is no expression for the value.
    pub(super) fn finished(&mut self, value: &Readable, seen: &Value) -> Option<Statement> {
        let kind = Kind::of(self.program, &value.ty)?;
        let actual = value.expression.as_str();
        if let Words::Fluent(words) = &self.style.form.words
            && let Some((asked, object, of)) = self.asked(value)
            && let Some(statement) = self.answered(words, asked, object, &of, seen)
        {
            return Some(statement);
        }
        match seen.unboxed() {
            Value::Null => Some(self.is_null(actual)),
            Value::Bool(b) if kind == Kind::Truth => Some(self.truth(actual, *b)),
            Value::Double(bits) => self.floating(actual, &kind, seen, f64::from_bits(*bits)),
            Value::Float(bits) => {
                let n = f64::from(f32::from_bits(*bits));
                self.floating(actual, &kind, seen, n)
            }
            Value::Array { length, .. } => self.array(actual, &kind, seen, *length),
            Value::Collection {
                kind: order,
                size,
                elements,
                ..
            } => self.collection(actual, &kind, *order, *size, elements),
            Value::Map { size, entries, .. } => self.map(actual, &kind, *size, entries),
            Value::Optional {
                class,
                value: inside,
            } => self.optional(actual, class, inside.as_deref()),
            Value::Chars { text, .. } => {
                let text = Value::Text(text.clone());
                let expected = self.expression(&text, 0)?;
                let actual = super::form::of(actual, ".toString()")?;
                Some(self.equal(&actual, expected))
            }
            Value::Holder { value, .. } => {
                let expected = self.expression(value, 0)?;
                let actual = super::form::of(actual, ".get()")?;
                match value.unboxed() {
                    Value::Bool(b) => Some(self.truth(&actual, *b)),
                    _ => Some(self.equal(&actual, expected)),
                }
            }
            _ => {
                let mut expected = self.expression(seen, 0)?;
                if let Kind::Plain(plain) = &kind {
                    expected = self.in_kind(expected, *plain, seen);
                }
                Some(self.equal(actual, expected))
            }
        }
    }

    /// `hasSize(3)`, `isEmpty()`, `isPresent()`.
    fn answered(
        &mut self,
        words: &Fluent,
        asked: Asked,
        object: &str,
        of: &Kind,
        seen: &Value,
    ) -> Option<Statement> {
        let is_optional = matches!(of, Kind::Optional(_));
        let check = match (asked, seen.unboxed()) {
            (Asked::Size, Value::Int(_)) if is_optional => return None,
            (Asked::Size, Value::Int(0)) => Expected::of("", words.empty, "()"),
            (Asked::Size, Value::Int(n)) => {
                let word = match of {
                    Kind::Plain(_) => words.length,
                    _ => words.size,
                };
                Expected::of(word, &n.to_string(), ")")
            }
            (Asked::Empty, _) if is_optional && words.optionals.is_none() => return None,
            (Asked::Empty, Value::Bool(true)) => Expected::of("", words.empty, "()"),
            (Asked::Empty, Value::Bool(false)) => Expected::of("", words.not_empty, "()"),
            (Asked::Present, Value::Bool(is)) if is_optional => {
                let words = words.optionals.as_ref()?;
                Expected::of("", if *is { words.present } else { words.absent }, "()")
            }
            _ => return None,
        };
        Some(self.that(object, check))
    }

    fn is_null(&mut self, actual: &str) -> Statement {
        match &self.style.form.words {
            Words::Fluent(words) => self.that(actual, Expected::of("", words.is_null, "()")),
            Words::Matchers(words) => {
                let null = self.matcher(words.null);
                let check = self.is(Expected::of("", &null, "()"));
                self.hamcrest(actual, check)
            }
            Words::Plain(words) => self.named(words.is_null, actual),
        }
    }

    fn truth(&mut self, actual: &str, is: bool) -> Statement {
        match &self.style.form.words {
            Words::Fluent(words) => {
                let word = if is { words.is_true } else { words.is_false };
                self.that(actual, Expected::of("", word, "()"))
            }
            Words::Matchers(_) => {
                let check = self.is(Expected::of("", if is { "true" } else { "false" }, ""));
                self.hamcrest(actual, check)
            }
            Words::Plain(words) => {
                self.named(if is { words.is_true } else { words.is_false }, actual)
            }
        }
    }

    /// Two values are equal, in the form of the file.
    fn equal(&mut self, actual: &str, expected: Expected) -> Statement {
        match &self.style.form.words {
            Words::Fluent(words) => self.that(actual, expected.within(words.equal, ")")),
            Words::Matchers(_) => {
                let check = self.is(expected);
                self.hamcrest(actual, check)
            }
            Words::Plain(words) => self.equals(words.equal, expected, actual, ""),
        }
    }

    /// A number with a fraction: exactly where it is a short one, else with a tolerance.
    fn floating(
        &mut self,
        actual: &str,
        kind: &Kind,
        seen: &Value,
        number: f64,
    ) -> Option<Statement> {
        let is_float = matches!(seen.unboxed(), Value::Float(_));
        let literal = self.expression(seen, 0)?;
        let is_primitive =
            matches!(kind, Kind::Plain(p) if !p.boxed && matches!(p.ty, "double" | "float"));
        let tolerance = tolerance(number, is_float).filter(|_| is_primitive);
        let suffix = if is_float { "f" } else { "" };
        Some(match (&self.style.form.words, tolerance) {
            (Words::Fluent(words), Some(t)) => {
                let check = match words.near {
                    Near::Behind(check, class, within) => {
                        let within = self.imports.method(class, within, self.style.by_class);
                        literal.within(check, &format!(", {within}({t}{suffix}))"))
                    }
                    Near::Before(check, of) => {
                        literal.within(&format!("{check}{t}{suffix}){of}"), ")")
                    }
                };
                self.that(actual, check)
            }
            (Words::Fluent(words), None) if number.is_nan() && words.not_a_number.is_some() => {
                let word = words.not_a_number.unwrap_or_default();
                self.that(actual, Expected::of("", word, "()"))
            }
            (Words::Fluent(_) | Words::Matchers(_), _) => self.equal(actual, literal),
            (Words::Plain(words), Some(t)) => {
                self.equals(words.equal, literal, actual, &format!(", {t}{suffix}"))
            }
            (Words::Plain(words), None) if words.is_exact => self.equal(actual, literal),
            (Words::Plain(words), None) if is_primitive => {
                self.equals(words.equal, literal, actual, &format!(", 0.0{suffix}"))
            }
            (Words::Plain(_), None) => match kind {
                Kind::Plain(plain) => {
                    let expected = self.in_kind(literal, *plain, seen);
                    self.equal(actual, expected)
                }
                _ => self.equal(actual, literal),
            },
        })
    }

    /// What is expected where the static type is a number, a character or a text: `assertEquals(int, Integer)` is
    /// ambiguous in JUnit 3 and 4.
    fn in_kind(&self, expected: Expected, plain: Plain, seen: &Value) -> Expected {
        let Words::Plain(words) = &self.style.form.words else {
            return expected;
        };
        match seen.unboxed() {
            // Widened on both sides.
            Value::Byte(n) if !plain.boxed => Expected::of("", &n.to_string(), ""),
            Value::Short(n) if !plain.boxed => Expected::of("", &n.to_string(), ""),
            Value::Text(_) => expected,
            _ if plain.boxed && !words.is_exact => {
                let class = plain.box_name();
                expected.within(&format!("{class}.valueOf("), ")")
            }
            _ => expected,
        }
    }

    fn array(&mut self, actual: &str, kind: &Kind, seen: &Value, length: u64) -> Option<Statement> {
        let is_array = matches!(kind, Kind::Array(..));
        let expected = match is_array {
            true => self.expression(seen, 0),
            false => None,
        };
        let Some(expected) = expected else {
            let length = Expected::of("", &length.to_string(), "");
            let actual = super::form::of(actual, ".length").filter(|_| is_array)?;
            return Some(self.equal(&actual, length));
        };
        let Kind::Array(element, _) = kind else {
            return None;
        };
        Some(match &self.style.form.words {
            Words::Fluent(Fluent {
                arrays: Some(words),
                ..
            }) if element.ends_with("[]") => self.that(actual, expected.within(words.nested, ")")),
            Words::Fluent(_) | Words::Matchers(_) => self.equal(actual, expected),
            Words::Plain(words) => {
                let tolerance = tolerance_of_all(seen);
                self.arrays(words, element, expected, actual, tolerance.as_deref())
            }
        })
    }

    fn collection(
        &mut self,
        actual: &str,
        kind: &Kind,
        order: Order,
        size: u64,
        elements: &[Value],
    ) -> Option<Statement> {
        let fluent = self.fluent_words();
        let is_collection = matches!(kind, Kind::List(_) | Kind::Set(_) | Kind::Collection(_));
        let is_whole = elements.len() as u64 == size;
        if size == 0 && is_collection {
            return self.is_empty(actual);
        }
        let short = is_whole && elements.len() <= ELEMENTS;
        let asked = self.imports.asked();
        let written: Option<Vec<String>> = match short {
            true => elements.iter().map(|e| self.inner(e)).collect(),
            false => None,
        };
        let Some(mut written) = written else {
            self.imports.forget(asked);
            return is_collection.then(|| self.sized(actual, size)).flatten();
        };
        if order == Order::Set {
            written.sort();
        }
        let all = written.join(", ");
        // Their elements' type says that they take these.
        let typed = matches!(
            kind,
            Kind::List(Some(_))
                | Kind::Set(Some(_))
                | Kind::Collection(Some(_))
                | Kind::Iterable(Some(_))
        );
        let has_null = elements.iter().any(|e| matches!(e, Value::Null));
        match order {
            Order::List
                if let Some(words) = fluent
                    && typed
                    && !has_null =>
            {
                let in_order = words.in_order.filter(|_| elements.len() > 1);
                let end = format!("){}", in_order.unwrap_or_default());
                Some(self.that(actual, Expected::of(words.ordered, &all, &end)))
            }
            Order::Set | Order::SortedSet
                if let Some(words) = fluent.and_then(|f| f.seen_unordered)
                    && typed
                    && !has_null =>
            {
                Some(self.that(actual, Expected::of(words, &all, ")")))
            }
            Order::List => {
                let list = self.list(&all, has_null);
                Some(self.equal(actual, list))
            }
            Order::Set | Order::SortedSet => {
                let set = self.set(&all, has_null);
                let is_set = matches!(kind, Kind::Set(_));
                let in_order = match &self.style.form.words {
                    Words::Plain(words) => words.compares_in_order && !is_set,
                    _ => false,
                };
                if in_order {
                    let class = self.imports.class("java.util.HashSet");
                    return Some(self.equal(&format!("new {class}<>({actual})"), set));
                }
                Some(self.equal(actual, set))
            }
            Order::Queue | Order::Other => {
                is_collection.then(|| self.sized(actual, size)).flatten()
            }
        }
    }

    /// `List.of(1, 2)`, or as older files write it.
    fn list(&mut self, all: &str, has_null: bool) -> Expected {
        match self.is_modern() && !has_null {
            true => Expected::of(
                &format!("{}.of(", self.imports.class("java.util.List")),
                all,
                ")",
            ),
            // `Arrays.asList(null)` is a list of nothing.
            false if all == "null" => {
                let class = self.imports.class("java.util.Collections");
                Expected::of(&format!("{class}.singletonList("), all, ")")
            }
            false => {
                let class = self.imports.class("java.util.Arrays");
                Expected::of(&format!("{class}.asList("), all, ")")
            }
        }
    }

    /// `Set.of(1, 2)`, or as older files write it.
    fn set(&mut self, all: &str, has_null: bool) -> Expected {
        match self.is_modern() && !has_null {
            true => {
                let class = self.imports.class("java.util.Set");
                Expected::of(&format!("{class}.of("), all, ")")
            }
            false => {
                let list = self.list(all, has_null);
                let class = self.imports.class("java.util.HashSet");
                list.within(&format!("new {class}<>("), ")")
            }
        }
    }

    /// True if the file is written for a Java that has `List.of`: it calls that, or has a `var`.
    fn is_modern(&self) -> bool {
        calls_of(self.text) || has_var(self.text)
    }

    fn fluent_words(&self) -> Option<&'static Fluent> {
        match &self.style.form.words {
            Words::Fluent(words) => Some(*words),
            _ => None,
        }
    }

    fn is_empty(&mut self, actual: &str) -> Option<Statement> {
        Some(match self.fluent_words() {
            Some(words) => self.that(actual, Expected::of("", words.empty, "()")),
            None => {
                let actual = super::form::of(actual, ".isEmpty()")?;
                self.truth(&actual, true)
            }
        })
    }

    fn sized(&mut self, actual: &str, size: u64) -> Option<Statement> {
        let n = Expected::of("", &size.to_string(), "");
        if let Some(words) = self.fluent_words() {
            return Some(self.that(actual, n.within(words.size, ")")));
        }
        let actual = super::form::of(actual, ".size()")?;
        Some(self.equal(&actual, n))
    }

    fn map(
        &mut self,
        actual: &str,
        kind: &Kind,
        size: u64,
        entries: &[(Value, Value)],
    ) -> Option<Statement> {
        if !matches!(kind, Kind::Map(_)) {
            return None;
        }
        if size == 0 {
            return self.is_empty(actual);
        }
        let short = entries.len() as u64 == size && entries.len() <= ENTRIES;
        let has_null =
            |(k, v): &(Value, Value)| matches!(k, Value::Null) || matches!(v, Value::Null);
        let asked = self.imports.asked();
        let pairs: Option<Vec<(String, String)>> = match short && !entries.iter().any(has_null) {
            true => entries
                .iter()
                .map(|(k, v)| Some((self.inner(k)?, self.inner(v)?)))
                .collect(),
            false => None,
        };
        let Some(mut pairs) = pairs else {
            self.imports.forget(asked);
            return self.sized(actual, size);
        };
        pairs.sort();
        if let Some(Entries::Made(check, entry)) = self.fluent_words().map(|f| &f.entries)
            && matches!(kind, Kind::Map(Some(_)))
        {
            let (class, by_class) = (self.style.class, self.style.by_class);
            let entry = self.imports.method(class, entry, by_class);
            let all: Vec<String> = pairs
                .iter()
                .map(|(k, v)| format!("{entry}({k}, {v})"))
                .collect();
            let check = Expected::of(check, &all.join(", "), ")");
            return Some(self.that(actual, check));
        }
        match self.map_of(&pairs) {
            Some(map) => Some(self.equal(actual, map)),
            None => self.sized(actual, size),
        }
    }

    /// `Map.of("a", 1)`; in older files of one entry only.
    fn map_of(&mut self, pairs: &[(String, String)]) -> Option<Expected> {
        let all: Vec<String> = pairs.iter().map(|(k, v)| format!("{k}, {v}")).collect();
        let (class, made) = match self.is_modern() {
            true => ("java.util.Map", "of("),
            false if pairs.len() == 1 => ("java.util.Collections", "singletonMap("),
            false => return None,
        };
        let class = self.imports.class(class);
        Some(Expected::of(
            &format!("{class}.{made}"),
            &all.join(", "),
            ")",
        ))
    }

    fn optional(&mut self, actual: &str, class: &str, inside: Option<&Value>) -> Option<Statement> {
        let written = match inside {
            Some(value) => Some(self.inner(value)?),
            None => None,
        };
        if let Some((empty, words)) = self
            .fluent_words()
            .and_then(|f| Some((f.empty, f.optionals.as_ref()?)))
        {
            let check = match (written, class) {
                (None, _) => Expected::of("", empty, "()"),
                (Some(value), "java.util.Optional") => Expected::of(words.holds, &value, ")"),
                (Some(value), _) => Expected::of(words.holds_number, &value, ")"),
            };
            return Some(self.that(actual, check));
        }
        let class = self.imports.class(class);
        let expected = match written {
            None => Expected::of(&format!("{class}."), "empty", "()"),
            Some(value) => Expected::of(&format!("{class}.of("), &value, ")"),
        };
        Some(self.equal(actual, expected))
    }
}

/// True for a text with a local variable that is declared by `var`.
fn has_var(text: &str) -> bool {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("var ") {
        let name = after.trim_start();
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
        let behind = name[end.unwrap_or(name.len())..].trim_start();
        let begins = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        if begins && end != Some(0) && behind.starts_with(['=', ':']) {
            return true;
        }
        rest = after;
    }
    false
}

/// How near a number must be: none where it is short enough to be exact.
fn tolerance(number: f64, is_float: bool) -> Option<String> {
    if !number.is_finite() || number == 0.0 {
        return None;
    }
    let digits = format!("{number:e}");
    let (mantissa, exponent) = digits.split_once('e')?;
    let significant = mantissa.chars().filter(char::is_ascii_digit).count();
    if is_float || significant <= 8 {
        // A number of single precision prints with all its digits.
        return (is_float && format!("{:e}", number as f32).len() > 8)
            .then(|| scaled(exponent, 6))
            .flatten();
    }
    scaled(exponent, 10)
}

/// How near the numbers of an array must be: as the one of them that may be farthest off.
fn tolerance_of_all(seen: &Value) -> Option<String> {
    let Value::Array { elements, .. } = seen.unboxed() else {
        return None;
    };
    let of_one = |one: &Value| match one {
        Value::Double(bits) => tolerance(f64::from_bits(*bits), false),
        Value::Float(bits) => {
            let n = tolerance(f64::from(f32::from_bits(*bits)), true)?;
            Some(format!("{n}f"))
        }
        _ => None,
    };
    let all = elements.iter().filter_map(of_one);
    let size = |t: &String| t.trim_end_matches('f').parse::<f64>().unwrap_or(0.0);
    all.max_by(|a, b| size(a).total_cmp(&size(b)))
}

fn scaled(exponent: &str, digits: i32) -> Option<String> {
    let exponent: i32 = exponent.parse().ok()?;
    Some(format!("1e{}", exponent - digits))
}
