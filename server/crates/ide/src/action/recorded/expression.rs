//! Expressions that make a value equal to one that was recorded.

use super::super::expected::Expected;
use super::super::form::Writer;
use super::{ELEMENTS, ENTRIES};
use evidence::{Order, Value};
use flow::TypeRef;
use program::{Modifiers, TypeDeclKind};
use smol_str::SmolStr;

/// How many UTF-16 code units an expected text may have.
const TEXT: usize = 400;
/// How deep records and arrays may stand in each other.
const DEPTH: u32 = 3;

/// What stands for `java.time.Instant` in [`READ_BACK`].
const INSTANT: char = '%';

/// Value classes of the library that read what they print: class, before the text, and after.
const READ_BACK: &[(&str, &str, &str)] = &[
    ("java.math.BigDecimal", "new @(\"", "\")"),
    ("java.math.BigInteger", "new @(\"", "\")"),
    ("java.util.UUID", "@.fromString(\"", "\")"),
    ("java.net.URI", "@.create(\"", "\")"),
    ("java.io.File", "new @(\"", "\")"),
    ("java.time.Instant", "@.parse(\"", "\")"),
    ("java.util.Date", "@.from(%.parse(\"", "\"))"),
    ("java.time.LocalDate", "@.parse(\"", "\")"),
    ("java.time.LocalTime", "@.parse(\"", "\")"),
    ("java.time.LocalDateTime", "@.parse(\"", "\")"),
    ("java.time.OffsetDateTime", "@.parse(\"", "\")"),
    ("java.time.ZonedDateTime", "@.parse(\"", "\")"),
    ("java.time.OffsetTime", "@.parse(\"", "\")"),
    ("java.time.Duration", "@.parse(\"", "\")"),
    ("java.time.Period", "@.parse(\"", "\")"),
    ("java.time.Year", "@.parse(\"", "\")"),
    ("java.time.YearMonth", "@.parse(\"", "\")"),
    ("java.time.MonthDay", "@.parse(\"", "\")"),
    ("java.time.ZoneOffset", "@.of(\"", "\")"),
];

impl Writer<'_, '_> {
    /// A value as a part of another, whose `equals` asks that of its parts.
    pub(super) fn inner(&mut self, value: &Value) -> Option<String> {
        self.part(value, 1)
    }

    /// The same, so deep. Arrays are equal to themselves alone.
    fn part(&mut self, value: &Value, depth: u32) -> Option<String> {
        match value.unboxed() {
            Value::Array { .. } => None,
            value => self.expression(value, depth).map(|e| e.text()),
        }
    }

    fn parts(&mut self, values: &[Value], depth: u32) -> Option<Vec<String>> {
        values.iter().map(|v| self.part(v, depth)).collect()
    }

    /// An expression that makes an equal value, of the very type.
    pub(super) fn expression(&mut self, value: &Value, depth: u32) -> Option<Expected> {
        if depth > DEPTH {
            return None;
        }
        let value = value.unboxed();
        Some(match value {
            Value::Byte(n) => Expected::of("(byte) ", &n.to_string(), ""),
            Value::Short(n) => Expected::of("(short) ", &n.to_string(), ""),
            Value::Text(text) if text.units.len() > TEXT || names_memory(text) => return None,
            Value::Enum { class, name } => {
                let class = self.class_named(class)?;
                Expected::of(&format!("{class}."), name, "")
            }
            Value::Printed { class, text } => {
                let text = text.text().filter(|t| t.len() <= TEXT)?;
                if class == "java.lang.Class" {
                    return self.class_literal(&text);
                }
                let (class, before, after) = READ_BACK.iter().find(|r| r.0 == class.as_str())?;
                let name = self.imports.class(class);
                let quoted = evidence::JavaString::of(&text).literal()?;
                let quoted = quoted.trim_matches('"').to_owned();
                let quoted = match quoted.contains('"') {
                    true => return None,
                    false => quoted,
                };
                let mut before = before.replace('@', &name);
                if before.contains(INSTANT) {
                    let instant = self.imports.class("java.time.Instant");
                    before = before.replace(INSTANT, &instant);
                }
                Expected::of(&before, &quoted, after)
            }
            Value::Array {
                class,
                length,
                elements,
            } if *length == elements.len() as u64 && elements.len() <= ELEMENTS => {
                let element = class.strip_suffix("[]")?;
                let name = self.type_named(element)?;
                let written: Option<Vec<String>> = elements
                    .iter()
                    .map(|e| {
                        let written = self.expression(e, depth + 1)?.text();
                        // `{{1}, {2, 3}}`: what arrays stand in says of what they are.
                        let same = matches!(e, Value::Array { class, .. } if class == element);
                        let bare = written.find(" {").filter(|_| same).map(|at| at + 1);
                        Some(bare.map_or_else(|| written.clone(), |at| written[at..].to_owned()))
                    })
                    .collect();
                Expected::of(&format!("new {name}[] {{"), &written?.join(", "), "}")
            }
            Value::Object {
                class,
                is_record: true,
                fields,
                ..
            } => {
                let name = self.class_named(class)?;
                let types = self.components(class, fields.len());
                let written: Option<Vec<String>> = fields
                    .iter()
                    .enumerate()
                    .map(|(at, (_, v))| {
                        let ty = types.as_ref().and_then(|t| t.get(at)?.as_deref());
                        self.part(v, depth + 1)
                            .filter(|_| ty.is_none_or(|ty| takes(ty, v)))
                    })
                    .collect();
                Expected::of(&format!("new {name}("), &written?.join(", "), ")")
            }
            Value::Collection {
                kind: Order::List,
                size,
                elements,
                ..
            } if *size == elements.len() as u64 && elements.len() <= ELEMENTS && depth > 0 => {
                let written = self.parts(elements, depth + 1)?;
                let has_null = elements.iter().any(|e| matches!(e, Value::Null));
                match written.is_empty() && !self.is_modern() {
                    true => self.none("emptyList"),
                    false => self.list(&written.join(", "), has_null),
                }
            }
            Value::Collection {
                kind: Order::Set | Order::SortedSet,
                size,
                elements,
                ..
            } if *size == elements.len() as u64 && elements.len() <= ELEMENTS && depth > 0 => {
                let mut written = self.parts(elements, depth + 1)?;
                written.sort();
                let has_null = elements.iter().any(|e| matches!(e, Value::Null));
                match written.is_empty() && !self.is_modern() {
                    true => self.none("emptySet"),
                    false => self.set(&written.join(", "), has_null),
                }
            }
            Value::Map { size, entries, .. }
                if *size == entries.len() as u64 && entries.len() <= ENTRIES && depth > 0 =>
            {
                let is_null = |v: &Value| matches!(v, Value::Null);
                if entries.iter().any(|(k, v)| is_null(k) || is_null(v)) {
                    return None;
                }
                let pairs: Option<Vec<(String, String)>> = entries
                    .iter()
                    .map(|(k, v)| Some((self.part(k, depth + 1)?, self.part(v, depth + 1)?)))
                    .collect();
                let mut pairs = pairs?;
                pairs.sort();
                match pairs.is_empty() && !self.is_modern() {
                    true => self.none("emptyMap"),
                    false => self.map_of(&pairs)?,
                }
            }
            Value::Optional { class, value } if depth > 0 => {
                let written = match value {
                    Some(value) => Some(self.part(value, depth + 1)?),
                    None => None,
                };
                let class = self.imports.class(class);
                match written {
                    None => Expected::of(&format!("{class}."), "empty", "()"),
                    Some(value) => Expected::of(&format!("{class}.of("), &value, ")"),
                }
            }
            _ => Expected::of("", &value.literal()?, ""),
        })
    }

    /// `Collections.emptyList()`
    fn none(&mut self, made: &str) -> Expected {
        let class = self.imports.class("java.util.Collections");
        Expected::of(&format!("{class}."), made, "()")
    }

    /// The classes of a record's components by their simple names, where they are written, if they are so many.
    fn components(&self, class: &str, many: usize) -> Option<Vec<Option<SmolStr>>> {
        let program = self.program;
        let set = program.source_set(program.method_file(self.test)?)?;
        let fields = program
            .fields_of_type(program.find_type(set, class)?)
            .iter();
        let own = fields.filter_map(|f| program.field_decl(*f));
        let types: Vec<Option<SmolStr>> = own
            .filter(|f| f.implicit)
            .map(|f| match &f.ty {
                TypeRef::Named(segments) => segments.last().map(|s| s.name.clone()),
                _ => None,
            })
            .collect();
        (types.len() == many).then_some(types)
    }

    /// `Order.class`, from what the class prints.
    fn class_literal(&mut self, printed: &str) -> Option<Expected> {
        let binary = printed
            .strip_prefix("class ")
            .or_else(|| printed.strip_prefix("interface "))
            .unwrap_or(printed);
        match binary.starts_with('[') {
            true => None,
            false => Some(Expected::of("", &self.type_named(binary)?, ".class")),
        }
    }

    /// The name of a primitive, a class or an array of them.
    fn type_named(&mut self, name: &str) -> Option<String> {
        if let Some(element) = name.strip_suffix("[]") {
            return Some(format!("{}[]", self.type_named(element)?));
        }
        match name {
            "int" | "long" | "short" | "byte" | "double" | "float" | "char" | "boolean" => {
                Some(name.to_owned())
            }
            _ => self.class_named(name),
        }
    }

    /// A class by its binary name, if the test can name it.
    fn class_named(&mut self, binary: &str) -> Option<String> {
        let program = self.program;
        let own = program.method_owner(self.test);
        let own_package = package(program.type_name(own));
        let (outer, inner) = binary.split_once('$').unwrap_or((binary, ""));
        // Local and anonymous classes have no name.
        let parts = || inner.split('$').filter(|p| !p.is_empty());
        if parts().any(|p| p.starts_with(|c: char| c.is_ascii_digit())) {
            return None;
        }
        let set = program.source_set(program.method_file(self.test)?)?;
        let mut path = outer.to_owned();
        let mut names = parts();
        loop {
            if let Some(class) = program.find_type(set, &path) {
                let decl = program.type_decl(class)?;
                let is_within = std::iter::successors(Some(own), |t| program.enclosing_type(*t))
                    .take(100)
                    .any(|t| Some(t) == program.enclosing_type(class));
                let is_open = decl.modifiers.has(Modifiers::PUBLIC)
                    || is_within
                    || !decl.modifiers.has(Modifiers::PRIVATE) && package(&path) == own_package
                    || program
                        .enclosing_type(class)
                        .and_then(|t| program.type_decl(t))
                        .is_some_and(|t| t.kind == TypeDeclKind::Interface);
                if !is_open {
                    return None;
                }
            }
            match names.next() {
                Some(name) => path = format!("{path}${name}"),
                None => break,
            }
        }
        let outer = self.imports.class(outer);
        Some(match inner {
            "" => outer,
            inner => format!("{outer}.{}", inner.replace('$', ".")),
        })
    }
}

/// True if a variable of a class takes what is written for a value: of collections that is what their interfaces promise.
fn takes(class: &str, value: &Value) -> bool {
    // A single letter is a parameter of the record's own.
    let is_one = |names: &[&str]| names.contains(&class) || class.len() == 1 || class == "Object";
    match value.unboxed() {
        Value::Collection {
            kind: Order::List, ..
        } => is_one(&["List", "Collection", "Iterable"]),
        Value::Collection { .. } => is_one(&["Set", "Collection", "Iterable"]),
        Value::Map { .. } => is_one(&["Map"]),
        _ => true,
    }
}

fn package(binary: &str) -> &str {
    binary.rsplit_once('.').map_or("", |(package, _)| package)
}

/// True for a text that says where an object lies in memory, as `Object.toString()` does: `own.Box@1b6d3586`. It is another one in
/// each run, and was the same in two by chance.
fn names_memory(text: &evidence::JavaString) -> bool {
    let Some(text) = text.text() else {
        return false;
    };
    let mut parts = text.split('@');
    let mut before = parts.next().unwrap_or("");
    parts.any(|after| {
        let hash = after.len()
            - after
                .trim_start_matches(|c: char| c.is_ascii_hexdigit())
                .len();
        let (hash, rest) = after.split_at(hash);
        let is_class = before.ends_with(|c: char| c.is_alphanumeric() || c == ';' || c == '$');
        before = after;
        is_class
            && (5..=8).contains(&hash.len())
            && hash.contains(|c: char| c.is_ascii_digit())
            && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '.')
    })
}
