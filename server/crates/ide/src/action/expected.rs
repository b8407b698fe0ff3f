//! What stands in an inserted assertion until its author fills it in: an expression of the value's type that no sensible
//! result equals, so that the assertion compiles and fails.

use program::Program;

/// An expression, and the part of it that the author replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) before: String,
    pub(super) filled: String,
    pub(super) after: String,
}

/// The words of a placeholder where any text will do.
const WORDS: &str = "what should it be?";

/// Library classes that have a short expression for a value: package, class, before, what is replaced, after. `@` is
/// the class as the file can name it.
const MADE: &[(&str, &str, &str, &str, &str)] = &[
    ("java.util", "List", "java.util.Arrays.asList(", QUOTED, ")"),
    (
        "java.util",
        "Collection",
        "java.util.Arrays.asList(",
        QUOTED,
        ")",
    ),
    (
        "java.util",
        "Set",
        "java.util.Collections.singleton(",
        QUOTED,
        ")",
    ),
    (
        "java.util",
        "Map",
        "java.util.Collections.singletonMap(",
        QUOTED,
        ", null)",
    ),
    ("java.util", "Optional", "@.of(", QUOTED, ")"),
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
        "java.nio.file.Paths.get(\"",
        "what should it be",
        "\")",
    ),
    ("java.net", "URI", "@.create(\"", "what-should-it-be", "\")"),
    ("java.time", "Instant", "", "@.MIN", ""),
    ("java.time", "LocalDate", "", "@.MIN", ""),
    ("java.time", "LocalDateTime", "", "@.MIN", ""),
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

const QUOTED: &str = "\"what should it be?\"";

impl Expected {
    fn of(before: &str, filled: &str, after: &str) -> Expected {
        Expected {
            before: before.to_owned(),
            filled: filled.to_owned(),
            after: after.to_owned(),
        }
    }

    /// What stands for a value of a type that is written without packages. `text` is the file.
    pub(super) fn value(program: &Program, text: &str, ty: &str) -> Expected {
        if let Some(element) = ty.strip_suffix("[]") {
            return array(element);
        }
        if let Some(plain) = plain(ty) {
            return Expected::of("", plain, "");
        }
        // Boxes stay boxes: `assertEquals(int, Integer)` is ambiguous in JUnit 3 and 4.
        let boxed = match ty {
            "Integer" | "Long" | "Short" | "Byte" | "Double" | "Float" | "Character" => ty,
            "boolean" | "Boolean" => return Expected::of("", "\"true or false?\"", ""),
            "String" | "CharSequence" => return Expected::of("\"", WORDS, "\""),
            _ => "",
        };
        if !boxed.is_empty() {
            return Expected::of(
                &format!("{boxed}.valueOf("),
                &format!("{boxed}.MIN_VALUE"),
                ")",
            );
        }
        let class = ty.split('<').next().unwrap_or(ty);
        match MADE.iter().find(|made| made.1 == class) {
            Some((package, _, before, filled, after)) if !is_own_class(program, class) => {
                let name = named(text, package, class);
                let with = |part: &str| part.replace('@', &name);
                Expected::of(&with(before), &with(filled), &with(after))
            }
            // Assertions take any two objects; the words stand in the failure's message.
            _ => Expected::of("", QUOTED, ""),
        }
    }

    pub(super) fn text(&self) -> String {
        format!("{}{}{}", self.before, self.filled, self.after)
    }
}

/// A literal of a primitive type.
fn plain(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "int" | "short" | "byte" => "Integer.MIN_VALUE",
        "long" => "Long.MIN_VALUE",
        "double" | "float" => "Double.MIN_VALUE",
        "char" => "Character.MIN_VALUE",
        _ => return None,
    })
}

fn array(element: &str) -> Expected {
    let one = match element {
        "short" => "Short.MIN_VALUE",
        "byte" => "Byte.MIN_VALUE",
        "float" => "Float.MIN_VALUE",
        "String" => QUOTED,
        // What an array of two cannot be filled with says itself.
        "boolean" => return Expected::of("", "null", ""),
        _ => match plain(element) {
            Some(one) => one,
            None => return Expected::of("", "null", ""),
        },
    };
    Expected::of(&format!("new {element}[] {{"), one, "}")
}

/// The class as the file can name it.
fn named(text: &str, package: &str, class: &str) -> String {
    let imports = |name: &str| text.contains(&format!("import {package}.{name};"));
    match package == "java.lang" || imports(class) || imports("*") {
        true => class.to_owned(),
        false => format!("{package}.{class}"),
    }
}

/// True if the project has a class of this name: a type that is written so may be that one.
fn is_own_class(program: &Program, class: &str) -> bool {
    program.files().iter().any(|file| {
        program.types_of_file(*file).iter().any(|t| {
            let name = program.type_name(*t);
            name.strip_suffix(class)
                .is_some_and(|before| before.is_empty() || before.ends_with(['.', '$']))
        })
    })
}
