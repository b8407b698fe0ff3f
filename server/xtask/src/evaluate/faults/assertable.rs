//! Which values an assertion can be written for, by their type: what the action would write once the value is known.

use program::{Program, TypeDeclKind};
use std::collections::HashSet;

/// Value classes of the library that are written by what they print.
const VALUES: &[&str] = &[
    "boolean",
    "byte",
    "short",
    "char",
    "int",
    "long",
    "float",
    "double",
    "Boolean",
    "Byte",
    "Short",
    "Character",
    "Integer",
    "Long",
    "Float",
    "Double",
    "Number",
    "String",
    "CharSequence",
    "StringBuilder",
    "StringBuffer",
    "BigDecimal",
    "BigInteger",
    "UUID",
    "URI",
    "File",
    "Instant",
    "LocalDate",
    "LocalTime",
    "LocalDateTime",
    "OffsetDateTime",
    "ZonedDateTime",
    "OffsetTime",
    "Duration",
    "Period",
    "Year",
    "YearMonth",
    "MonthDay",
    "ZoneOffset",
    "AtomicInteger",
    "AtomicLong",
    "AtomicBoolean",
    "OptionalInt",
    "OptionalLong",
    "OptionalDouble",
];

/// What holds others and is written by its elements.
const HOLDERS: &[&str] = &[
    "Collection",
    "Iterable",
    "List",
    "ArrayList",
    "LinkedList",
    "Set",
    "HashSet",
    "LinkedHashSet",
    "SortedSet",
    "TreeSet",
    "Map",
    "HashMap",
    "LinkedHashMap",
    "SortedMap",
    "TreeMap",
    "Optional",
];

/// The types that assertions are written for.
pub(super) struct Assertable {
    /// Simple names of the project's own.
    enums: HashSet<String>,
}

impl Assertable {
    pub(super) fn new(program: &Program) -> Assertable {
        let types = program.files().iter();
        let types = types.flat_map(|f| program.types_of_file(*f));
        let enums = types.filter_map(|t| {
            let own = program.type_decl(*t)?;
            (own.kind == TypeDeclKind::Enum).then(|| own.name.to_string())
        });
        Assertable {
            enums: enums.collect(),
        }
    }

    /// True for a type as people write it of which an assertion says all: of a list of the project's objects it would say
    /// the size alone, of such an object nothing.
    pub(super) fn takes(&self, ty: &str) -> bool {
        let ty = ty.trim();
        if let Some(element) = ty.strip_suffix("[]") {
            return self.takes(element);
        }
        if let Some((base, rest)) = ty.split_once('<') {
            let Some(arguments) = rest.strip_suffix('>') else {
                return false;
            };
            return HOLDERS.contains(&simple(base)) && split(arguments).all(|a| self.takes(a));
        }
        VALUES.contains(&simple(ty)) || self.enums.contains(simple(ty))
    }
}

fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name).trim()
}

/// Arguments at the commas between them.
fn split(arguments: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    arguments.split(move |c| {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
}
