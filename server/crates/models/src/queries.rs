//! What is asked by convention: queries of library classes, whose code is not there, and those of any class that tell by
//! their names.

use program::{Program, Ty, TypeId};

/// Queries of library classes, by the end of the class's name; `Exception` serves all that end so. The reason for a
/// table: what no test of the project asks yet cannot be learnt from it.
pub const LIBRARY: &[(&str, &[&str])] = &[
    ("List", &["size()", "isEmpty()"]),
    ("Set", &["size()", "isEmpty()"]),
    ("Queue", &["size()", "isEmpty()"]),
    ("Deque", &["size()", "isEmpty()"]),
    ("Vector", &["size()", "isEmpty()"]),
    ("Stack", &["size()", "isEmpty()"]),
    ("Collection", &["size()", "isEmpty()"]),
    ("Map", &["size()", "isEmpty()"]),
    ("Hashtable", &["size()", "isEmpty()"]),
    ("Properties", &["size()", "isEmpty()"]),
    ("java.lang.String", &["length()", "isEmpty()"]),
    ("StringBuilder", &["toString()", "length()"]),
    ("StringBuffer", &["toString()", "length()"]),
    ("StringWriter", &["toString()"]),
    ("CharArrayWriter", &["toString()"]),
    (
        "ByteArrayOutputStream",
        &["toString()", "size()", "toByteArray()"],
    ),
    ("Optional", &["isPresent()", "get()"]),
    ("Iterator", &["hasNext()"]),
    ("Enumeration", &["hasMoreElements()"]),
    ("AtomicInteger", &["get()"]),
    ("AtomicLong", &["get()"]),
    ("AtomicBoolean", &["get()"]),
    ("AtomicReference", &["get()"]),
    ("Exception", &["getMessage()", "getCause()"]),
    ("Error", &["getMessage()", "getCause()"]),
    ("Throwable", &["getMessage()", "getCause()"]),
    ("java.util.Date", &["getTime()"]),
    ("java.io.File", &["exists()", "length()"]),
];

/// True for queries by their name: what a bean gives, a size, a text. Values that are computed when first asked and then
/// kept make such a method impure to the letter, and an interface without a class here leaves it unknown; developers ask
/// it all the same.
pub fn is_conventional(text: &str) -> bool {
    let name = text.strip_suffix("()").unwrap_or(text);
    let after = |prefix: &str| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
    };
    after("get")
        || after("is")
        || after("has")
        || matches!(
            name,
            "size" | "length" | "isEmpty" | "toString" | "count" | "name" | "value"
        )
}

/// True if the class of an object is known to have a query of the table.
pub fn known_query(program: &Program, object: Ty, text: &str) -> bool {
    if text == "length" {
        return program.type_text(object).ends_with("[]");
    }
    let classes: Option<TypeId> = program
        .class_of(object)
        .or_else(|| program.library_type_of(object));
    let names = classes.map(|c| {
        let mut names = program.supertype_names(c);
        names.push(program.type_name(c).clone());
        names
    });
    names.unwrap_or_default().iter().any(|name| {
        is_library_name(name)
            && LIBRARY
                .iter()
                .any(|row| name.ends_with(row.0) && row.1.contains(&text))
    })
}

/// True for a class of the JDK that nobody else writes, what is not meant for all among them.
pub fn is_jdk(class: &str) -> bool {
    ["java.", "jdk.", "sun.", "com.sun."]
        .iter()
        .any(|p| class.starts_with(p))
}

/// True for a class of Java's library as people know it: what `javax` has beside the JDK is part of it.
pub fn is_library_name(name: &str) -> bool {
    name.starts_with("java.") || name.starts_with("javax.")
}

/// The type of a library's query, as far as its name tells.
pub fn value_of(program: &Program, text: &str) -> Ty {
    let name = text.strip_suffix("()").unwrap_or(text);
    match name {
        "size" | "length" | "intValue" => Ty::INT,
        "longValue" | "getTime" => Ty::LONG,
        "doubleValue" => Ty::DOUBLE,
        "toString" => program.string_type(),
        _ if name.starts_with("is") || name.starts_with("has") || name == "exists" => Ty::BOOLEAN,
        _ => Ty::UNKNOWN,
    }
}

/// The type of what an exception of any class is asked.
pub fn value_of_throwable(program: &Program, text: &str) -> Ty {
    match text {
        "getMessage()" | "getLocalizedMessage()" => program.string_type(),
        _ => value_of(program, text),
    }
}

/// True for the name of a class of exceptions.
pub fn is_throwable_name(name: &str) -> bool {
    ["Exception", "Error", "Throwable"]
        .iter()
        .any(|end| name.ends_with(end))
}

pub fn is_noise(query: &str) -> bool {
    [
        "hashCode()",
        "clone()",
        "iterator()",
        "listIterator()",
        "stream()",
        "spliterator()",
        "getClass()",
    ]
    .contains(&query)
}
