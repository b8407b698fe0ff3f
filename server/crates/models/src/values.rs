//! What objects of library classes are: values that are compared as such, what holds text, what holds others.

/// Classes whose objects are compared as such; of `java.time` all are.
const VALUES: &[&str] = &[
    "java.lang.String",
    "java.lang.CharSequence",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Short",
    "java.lang.Byte",
    "java.lang.Double",
    "java.lang.Float",
    "java.lang.Boolean",
    "java.lang.Character",
    "java.math.BigDecimal",
    "java.math.BigInteger",
    "java.net.URI",
    "java.util.UUID",
    "java.util.Locale",
    "java.util.Currency",
];

/// Those of which a part says less than all: numbers and texts, not truth values and characters.
const WIDE: &[&str] = &[
    "java.lang.String",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Double",
    "java.lang.Float",
    "java.math.BigDecimal",
    "java.math.BigInteger",
];

/// What holds the text that is written into it.
const HOLDERS: &[&str] = &[
    "java.io.StringWriter",
    "java.io.CharArrayWriter",
    "java.io.ByteArrayOutputStream",
    "java.lang.StringBuilder",
    "java.lang.StringBuffer",
];

/// What is compared whole, by its parts.
const COMPOUND: &[&str] = &[
    "List",
    "Set",
    "Map",
    "Collection",
    "ArrayList",
    "HashSet",
    "HashMap",
];

/// Types of libraries that leave to those below them which objects are equal.
const SAY_NOTHING: &[&str] = &[
    "java.lang.Object",
    "java.lang.Comparable",
    "java.lang.Cloneable",
    "java.lang.AutoCloseable",
    "java.lang.Iterable",
    "java.lang.Runnable",
    "java.io.Closeable",
    "java.io.Serializable",
];

/// What the JDK has that is the same only as itself and tells nothing of what is in it: classes, and packages of them.
const OPAQUE: &[&str] = &[
    "javax.net.",
    "java.util.function.",
    "java.util.stream.",
    "java.nio.channels.",
    "java.lang.Thread",
    "java.lang.ClassLoader",
    "java.lang.Process",
    "java.lang.Runnable",
    "java.io.InputStream",
    "java.io.OutputStream",
    "java.io.Reader",
    "java.io.Writer",
    "java.util.concurrent.Callable",
    "java.util.concurrent.CompletableFuture",
    "java.util.concurrent.Executor",
    "java.util.concurrent.ExecutorService",
    "java.util.concurrent.Future",
];

/// Classes whose methods only compute.
const LANGUAGE: &[&str] = &[
    "java.lang.Math",
    "java.lang.StrictMath",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Double",
    "java.lang.Float",
];

/// True for a class of values that are compared as such, by its binary name.
pub fn is_value(class: &str) -> bool {
    VALUES.contains(&class)
        || class.starts_with("java.time.") && !class.starts_with("java.time.format.")
}

/// True for a class of numbers or texts.
pub fn is_wide(class: &str) -> bool {
    WIDE.contains(&class)
}

/// True for a class whose objects hold the text that is written into them.
pub fn is_text_holder(class: &str) -> bool {
    HOLDERS.contains(&class)
}

/// True for a class whose objects are compared by their parts, by its name as it is written.
pub fn is_compound(class: &str) -> bool {
    COMPOUND.iter().any(|c| is_class(class, c))
}

/// True for a type that leaves to those below it which objects are equal.
pub fn says_nothing_of_equality(class: &str) -> bool {
    SAY_NOTHING.contains(&class)
}

/// True for a class of the JDK whose objects are the same only as themselves and tell nothing of what is in them.
pub fn is_opaque(class: &str) -> bool {
    OPAQUE.iter().any(|known| match known.ends_with('.') {
        true => class.starts_with(known),
        false => class == *known,
    })
}

/// True for a class whose methods only compute, by its name, in full or as it is imported.
pub fn only_computes(class: &str) -> bool {
    LANGUAGE.iter().any(|c| is_class(c, class))
}

/// True for a class by its own name or by the end of it.
pub(crate) fn is_class(class: &str, name: &str) -> bool {
    class
        .strip_suffix(name)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', '$']))
}
