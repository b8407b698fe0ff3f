//! What libraries keep for others: in which of their objects what was given to one may be read again.

use crate::behaviour::is_immutable;
use program::{Program, Ty};

/// Objects of libraries, apart as far as what goes into one of a kind cannot be read from one of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Lists, sets, maps, their iterators and streams.
    Collections,
    /// Builders of texts, readers and writers, buffers, files.
    Texts,
    /// Atomic variables.
    Atomics,
    /// Locks: nothing is read from them.
    Locks,
    /// What is logged: nobody reads it but tests that say so.
    Logs,
    /// All others; they may hold any.
    Others,
}

const FAMILIES: &[(&str, Family)] = &[
    ("java.util.logging.", Family::Logs),
    ("java.lang.System$Logger", Family::Logs),
    ("org.slf4j.", Family::Logs),
    ("org.apache.logging.", Family::Logs),
    ("org.apache.log4j.", Family::Logs),
    ("org.apache.commons.logging.", Family::Logs),
    ("ch.qos.logback.", Family::Logs),
    ("org.jboss.logging.", Family::Logs),
    ("java.util.concurrent.atomic.", Family::Atomics),
    ("java.util.concurrent.locks.", Family::Locks),
    (
        "java.util.concurrent.ConcurrentHashMap",
        Family::Collections,
    ),
    ("java.util.concurrent.ConcurrentMap", Family::Collections),
    ("java.util.concurrent.ConcurrentLinked", Family::Collections),
    ("java.util.concurrent.CopyOnWrite", Family::Collections),
    ("java.util.concurrent.", Family::Others),
    ("java.util.Timer", Family::Others),
    ("java.util.Observ", Family::Others),
    ("java.util.Scanner", Family::Texts),
    ("java.util.Formatter", Family::Texts),
    ("java.util.StringJoiner", Family::Texts),
    ("java.util.StringTokenizer", Family::Texts),
    ("java.util.zip.", Family::Texts),
    ("java.util.jar.", Family::Texts),
    ("java.util.prefs.", Family::Others),
    ("java.util.spi.", Family::Others),
    ("java.util.", Family::Collections),
    ("java.io.Object", Family::Others),
    ("java.io.", Family::Texts),
    ("java.nio.", Family::Texts),
    ("java.lang.StringBu", Family::Texts),
    ("java.lang.AbstractStringBuilder", Family::Texts),
    ("java.lang.Appendable", Family::Texts),
    ("java.lang.Readable", Family::Texts),
    ("java.lang.CharSequence", Family::Texts),
    ("java.lang.Iterable", Family::Collections),
    ("java.text.", Family::Texts),
];

/// Classes whose objects hold nothing that changes, beside those that [`is_immutable`] knows.
const UNCHANGING: &[&str] = &[
    "java.time.",
    "java.math.",
    "java.util.Optional",
    "java.util.UUID",
    "java.util.Locale",
    "java.util.regex.Pattern",
    "java.util.function.",
    "java.util.Objects",
    "java.util.Comparator",
    "java.lang.Throwable",
    "java.lang.Math",
    "java.lang.Enum",
    "java.lang.Record",
    "java.lang.annotation.",
];

/// The family of a library's class; none if its objects hold nothing that changes.
pub fn family(class: &str) -> Option<Family> {
    if UNCHANGING.iter().any(|v| class.starts_with(v)) {
        return None;
    }
    let row = FAMILIES.iter().find(|(start, _)| class.starts_with(start));
    Some(row.map_or(Family::Others, |(_, family)| *family))
}

/// The families that an object of this type may be of, or hold.
pub fn families(program: &Program, ty: Ty) -> Vec<Family> {
    if ty.is_primitive() || is_immutable(program, ty) {
        return Vec::new();
    }
    if let Some(element) = program.element_of(ty) {
        return families(program, element);
    }
    if program.class_of(ty).is_some() {
        return Vec::new();
    }
    let class = program.erased_class(ty).map(|c| program.type_name(c));
    match class.map(|c| c.as_str()) {
        // It may be anything.
        None | Some("java.lang.Object" | "java.io.Serializable" | "java.lang.Cloneable") => {
            vec![Family::Collections, Family::Texts, Family::Atomics]
        }
        Some(class) => family(class).into_iter().collect(),
    }
}

/// True for a class of the JDK that looks into objects of which it knows nothing.
pub fn looks_inside(class: &str) -> bool {
    [
        "java.io.Object",
        "java.lang.reflect.",
        "java.beans.",
        "java.lang.invoke.",
    ]
    .iter()
    .any(|p| class.starts_with(p))
}
