//! What stands in an inserted assertion until its author fills it in: an expression of the value's type that no sensible
//! result equals, so that the assertion compiles and fails.

use super::imports::Imports;
use program::{Program, TypeDeclKind};

/// An expression, and the part of it that the author replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) before: String,
    pub(super) filled: String,
    pub(super) after: String,
}

/// What a value is, as far as it says how people assert it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `true` or `false`.
    Truth,
    /// A number, a character or a text.
    Plain(Plain),
    /// An array; of what, if that is plain or a truth value.
    Array(String, Option<Plain>),
    /// A list, or another collection whose order counts.
    List(Option<Plain>),
    /// A set.
    Set(Option<Plain>),
    /// A collection that may be either: what stands in it, in whatever order.
    Collection(Option<Plain>),
    /// What can be iterated over.
    Iterable(Option<Plain>),
    /// A map.
    Map(Option<(Plain, Plain)>),
    /// An `Optional`.
    Optional(Option<Plain>),
    /// An object of a library that a short expression makes; a row of [`MADE`].
    Made(usize),
    /// An enum of the workspace: its name as the file writes it once it is imported.
    Enum(program::TypeId),
    /// Any other object.
    Object,
}

/// A value that a literal or a constant stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plain {
    /// `int`, `String`, `CharSequence`, `boolean`.
    pub(super) ty: &'static str,
    /// Stands in its box.
    pub(super) boxed: bool,
}

/// The words of a placeholder where any text will do.
const WORDS: &str = "what should it be?";
const QUOTED: &str = "\"what should it be?\"";

/// Library classes that have a short expression for a value: package, class, before, what is replaced, after. `@` is
/// the class as the file can name it.
const MADE: &[(&str, &str, &str, &str, &str)] = &[
    (
        "java.util",
        "OptionalInt",
        "@.of(",
        "Integer.MIN_VALUE",
        ")",
    ),
    ("java.util", "OptionalLong", "@.of(", "Long.MIN_VALUE", ")"),
    (
        "java.util",
        "OptionalDouble",
        "@.of(",
        "Double.MIN_VALUE",
        ")",
    ),
    ("java.util", "UUID", "new @(", "0L, 0L", ")"),
    (
        "java.math",
        "BigDecimal",
        "new @(",
        "Integer.MIN_VALUE",
        ")",
    ),
    (
        "java.math",
        "BigInteger",
        "@.valueOf(",
        "Long.MIN_VALUE",
        ")",
    ),
    ("java.io", "File", "new @(\"", WORDS, "\")"),
    (
        "java.nio.file",
        "Path",
        "@.get(\"",
        "what should it be",
        "\")",
    ),
    ("java.net", "URI", "@.create(\"", "what-should-it-be", "\")"),
    ("java.time", "Instant", "", "@.MIN", ""),
    ("java.time", "LocalDate", "", "@.MIN", ""),
    ("java.time", "LocalDateTime", "", "@.MIN", ""),
    ("java.time", "OffsetDateTime", "", "@.MIN", ""),
    (
        "java.time",
        "Duration",
        "@.ofSeconds(",
        "Long.MIN_VALUE",
        ")",
    ),
    ("java.util", "Date", "new @(", "Long.MIN_VALUE", ")"),
    ("java.lang", "Class", "", "Void.class", ""),
];

/// Collections, by the name of their class.
const LISTS: &[&str] = &["List", "ArrayList", "LinkedList"];
/// A list or a set, and equal to none but the like.
const COLLECTION: &str = "Collection";
const SETS: &[&str] = &["Set", "SortedSet", "HashSet", "LinkedHashSet", "TreeSet"];
const MAPS: &[&str] = &["Map", "SortedMap", "HashMap", "LinkedHashMap", "TreeMap"];

impl Expected {
    pub(super) fn of(before: &str, filled: &str, after: &str) -> Expected {
        Expected {
            before: before.to_owned(),
            filled: filled.to_owned(),
            after: after.to_owned(),
        }
    }

    /// The same within more code.
    pub(super) fn within(self, before: &str, after: &str) -> Expected {
        Expected {
            before: format!("{before}{}", self.before),
            filled: self.filled,
            after: format!("{}{after}", self.after),
        }
    }

    /// What makes an object of a row of [`MADE`].
    pub(super) fn made(row: usize, imports: &mut Imports<'_>) -> Expected {
        let (package, class, before, filled, after) = MADE[row];
        let name = match (package, class) {
            ("java.nio.file", "Path") => imports.class("java.nio.file.Paths"),
            _ => imports.class(&format!("{package}.{class}")),
        };
        let with = |part: &str| part.replace('@', &name);
        Expected::of(&with(before), &with(filled), &with(after))
    }

    pub(super) fn text(&self) -> String {
        format!("{}{}{}", self.before, self.filled, self.after)
    }
}

impl Kind {
    /// The kind of a type that is written without packages; none if the type is not known.
    pub(super) fn of(program: &Program, ty: &str) -> Option<Kind> {
        if ty.is_empty() || ty.starts_with('?') || ty == "null" || ty == "void" {
            return None;
        }
        if let Some(element) = ty.strip_suffix("[]") {
            let known = Plain::of(element).filter(|p| !p.boxed);
            return Some(Kind::Array(element.to_owned(), known));
        }
        if matches!(ty, "boolean" | "Boolean") {
            return Some(Kind::Truth);
        }
        if let Some(plain) = Plain::of(ty) {
            return Some(Kind::Plain(plain));
        }
        let (class, arguments) = match ty.split_once('<') {
            Some((class, rest)) => (class, arguments(rest.strip_suffix('>').unwrap_or(rest))),
            None => (ty, Vec::new()),
        };
        match own_class(program, class) {
            Own::Enum(id) => return Some(Kind::Enum(id)),
            Own::Other => return Some(Kind::Object),
            Own::None => {}
        }
        let one = match arguments.as_slice() {
            [one] => Plain::of(one),
            _ => None,
        };
        let two = match arguments.as_slice() {
            [key, value] => Plain::of(key).zip(Plain::of(value)),
            _ => None,
        };
        let made = || MADE.iter().position(|made| made.1 == class);
        Some(match class {
            _ if LISTS.contains(&class) => Kind::List(one),
            _ if SETS.contains(&class) => Kind::Set(one),
            COLLECTION => Kind::Collection(one),
            _ if MAPS.contains(&class) => Kind::Map(two),
            "Iterable" => Kind::Iterable(one),
            "Optional" => Kind::Optional(one),
            _ => made().map_or(Kind::Object, Kind::Made),
        })
    }
}

impl Kind {
    /// True if an assertion on it says all of it: of a list of objects it would say the size alone, of an object nothing.
    pub(super) fn is_said_whole(&self) -> bool {
        match self {
            Kind::Truth | Kind::Plain(_) | Kind::Made(_) | Kind::Enum(_) => true,
            Kind::Array(_, of)
            | Kind::List(of)
            | Kind::Set(of)
            | Kind::Collection(of)
            | Kind::Iterable(of) => of.is_some(),
            Kind::Optional(of) => of.is_some(),
            Kind::Map(of) => of.is_some(),
            Kind::Object => false,
        }
    }
}

impl Plain {
    fn of(ty: &str) -> Option<Plain> {
        let plain = |ty, boxed| Some(Plain { ty, boxed });
        match ty {
            "int" => plain("int", false),
            "long" => plain("long", false),
            "short" => plain("short", false),
            "byte" => plain("byte", false),
            "double" => plain("double", false),
            "float" => plain("float", false),
            "char" => plain("char", false),
            "boolean" => plain("boolean", false),
            "Integer" => plain("int", true),
            "Long" => plain("long", true),
            "Short" => plain("short", true),
            "Byte" => plain("byte", true),
            "Double" => plain("double", true),
            "Float" => plain("float", true),
            "Character" => plain("char", true),
            "Boolean" => plain("boolean", true),
            "String" => plain("String", false),
            "CharSequence" => plain("CharSequence", false),
            _ => None,
        }
    }

    pub(super) fn is_text(self) -> bool {
        matches!(self.ty, "String" | "CharSequence")
    }

    /// The box of a number or character.
    pub(super) fn box_name(self) -> &'static str {
        match self.ty {
            "int" => "Integer",
            "long" => "Long",
            "short" => "Short",
            "byte" => "Byte",
            "double" => "Double",
            "float" => "Float",
            "char" => "Character",
            "boolean" => "Boolean",
            _ => "String",
        }
    }

    /// A literal or constant of the very type.
    pub(super) fn exact(self) -> Expected {
        match self.ty {
            "String" | "CharSequence" => Expected::of("\"", WORDS, "\""),
            "boolean" => Expected::of("", "true", ""),
            _ => Expected::of("", &format!("{}.MIN_VALUE", self.box_name()), ""),
        }
    }

    /// The same where a number is widened: no small one equals it.
    pub(super) fn exact_widened(self) -> Expected {
        match self.ty {
            "short" | "byte" => Expected::of("", "Integer.MIN_VALUE", ""),
            _ => self.exact(),
        }
    }

    /// The same in a box: `assertEquals(int, Integer)` is ambiguous in JUnit 3 and 4.
    pub(super) fn in_box(self) -> Expected {
        let class = self.box_name();
        self.exact().within(&format!("{class}.valueOf("), ")")
    }

    /// An array of one.
    pub(super) fn array(self) -> Expected {
        let one = match self.is_text() {
            true => Expected::of("", QUOTED, ""),
            false => self.exact(),
        };
        one.within(&format!("new {}[] {{", self.ty), "}")
    }
}

/// The arguments of a type, of which the brackets are gone.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut out) = (0i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                out.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(text[from..].trim());
    out
}

/// What the workspace has of a name.
enum Own {
    None,
    /// The only class of the name, and an enum.
    Enum(program::TypeId),
    Other,
}

/// The classes of the workspace that a name without package may mean.
fn own_class(program: &Program, name: &str) -> Own {
    let mut found = Own::None;
    for file in program.files() {
        for &t in program.types_of_file(*file) {
            let binary = program.type_name(t);
            // A class within a class is written with it, and what everybody knows by a name is no `@interface List` of somebody.
            let is_within = || {
                binary.len() > name.len() && {
                    let before = binary.as_bytes()[binary.len() - name.len() - 1];
                    before == b'$'
                }
            };
            let is_annotation = |d: &program::TypeDecl| d.kind == TypeDeclKind::Annotation;
            if !is_named(binary, name)
                || is_known(name) && is_within()
                || program.type_decl(t).is_some_and(is_annotation)
            {
                continue;
            }
            let is_enum = |d: &program::TypeDecl| d.kind == TypeDeclKind::Enum;
            found = match found {
                Own::None if program.type_decl(t).is_some_and(is_enum) => Own::Enum(t),
                _ => Own::Other,
            };
        }
    }
    found
}

/// True for a class of the JDK whose values are written in a way of their own.
fn is_known(name: &str) -> bool {
    [LISTS, SETS, MAPS, &["Iterable", "Optional", COLLECTION]]
        .iter()
        .any(|all| all.contains(&name))
        || MADE.iter().any(|made| made.1 == name)
}

/// True if a binary name ends with the name: `a.Outer$Inner` with `Inner` and `Outer.Inner`.
fn is_named(binary: &str, name: &str) -> bool {
    let Some(at) = binary.len().checked_sub(name.len()) else {
        return false;
    };
    let alike = |a: u8, b: u8| a == b || a == b'$' && b == b'.';
    let mut pairs = binary.as_bytes()[at..].iter().zip(name.as_bytes());
    pairs.all(|(a, b)| alike(*a, *b))
        && (at == 0 || matches!(binary.as_bytes()[at - 1], b'.' | b'$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_type_that_is_not_known_nothing_is_said() {
        let program = Program::build(Vec::new(), Vec::new());
        for ty in ["", "?", "?[]", "null"] {
            assert_eq!(Kind::of(&program, ty), None, "{ty}");
        }
        assert_eq!(Kind::of(&program, "List<?>"), Some(Kind::List(None)));
        assert_eq!(Kind::of(&program, "Order"), Some(Kind::Object));
        // Somebody's annotation, or a class within one, is not what everybody knows by that name.
        let text = "//- /src/main/java/a/Delete.java\npackage a; @interface Delete { @interface List { Delete[] value(); } } class Maker { interface Collection { } } @interface Set { }\n//- /src/main/java/a/Map.java\npackage a; class Map { }\n";
        let analysis = crate::tests::analysis(&testkit::Fixture::parse(text));
        let of = |ty: &str| Kind::of(analysis.program(), ty);
        assert_eq!(of("List<Order>"), Some(Kind::List(None)));
        assert_eq!(of("Collection<Order>"), Some(Kind::Collection(None)));
        assert_eq!(of("Set<Order>"), Some(Kind::Set(None)));
        assert_eq!(of("Maker.Collection"), Some(Kind::Object));
        assert_eq!(of("Map"), Some(Kind::Object));
    }

    #[test]
    fn types_are_taken_apart_as_they_are_written() {
        assert_eq!(arguments("String, Map<A, B>"), ["String", "Map<A, B>"]);
        assert!(is_named("a.Outer$Inner", "Outer.Inner"));
        assert!(is_named("Inner", "Inner"));
        assert!(!is_named("a.MyInner", "Inner"));
    }
}
