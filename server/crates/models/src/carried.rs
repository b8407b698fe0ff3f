//! What methods of libraries do with a value that they only carry: of lists, maps, optionals, streams, futures, transactions,
//! by their names, whatever library has them.

/// What the value of a call is of what the call is given, or is made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// The same text: `trim()`, of a text as people write it.
    Kept,
    /// What it is given: `List.of(a, b)`, `requireNonNull(a)`.
    Gathered,
    /// What it is called on, an element of it, or what it wraps: `get(0)`, `orElseThrow(…)`.
    HandedOn,
    /// What the function gives that it is given, of each element: `map(f)`.
    Mapped,
    /// What the function gives that it is given: `transaction.execute(f)`.
    Run,
    /// Some of what it is called on, in another order, or one value of all: `filter(p)`, `sorted()`, `count()`.
    Chosen,
}

const ROWS: &[(Carried, &[&str])] = &[
    (Carried::Kept, &["intern", "strip", "toString", "trim"]),
    (
        Carried::Gathered,
        &[
            "asList",
            "completedFuture",
            "copyOf",
            "just",
            "newArrayList",
            "newHashSet",
            "of",
            "ofEntries",
            "ofNullable",
            "ok",
            "requireNonNull",
            "singleton",
            "singletonList",
        ],
    ),
    (
        Carried::HandedOn,
        &[
            "boxed",
            "get",
            "getContent",
            "getOrDefault",
            "iterator",
            "join",
            "next",
            "orElse",
            "orElseThrow",
            "stream",
            "toArray",
            "toList",
            "values",
        ],
    ),
    (
        Carried::Mapped,
        &[
            "flatMap",
            "map",
            "mapMulti",
            "mapToInt",
            "mapToLong",
            "mapToObj",
            "thenApply",
            "thenCompose",
        ],
    ),
    (
        Carried::Run,
        &[
            "call",
            "callInTransaction",
            "compute",
            "computeIfAbsent",
            "defer",
            "doInTransaction",
            "execute",
            "executeInTransaction",
            "fromCallable",
            "fromSupplier",
            "inTransaction",
            "invoke",
            "orElseGet",
            "run",
            "submit",
            "supply",
            "supplyAsync",
            "withTransaction",
        ],
    ),
    (
        Carried::Chosen,
        &[
            "collect",
            "count",
            "distinct",
            "dropWhile",
            "filter",
            "indexOf",
            "limit",
            "max",
            "min",
            "reduce",
            "size",
            "skip",
            "sort",
            "sorted",
            "subList",
            "sum",
            "takeWhile",
        ],
    ),
];

/// How names begin of what gives what it is given.
const WRAPS: &[&str] = &["checkNotNull", "empty", "synchronized", "unmodifiable"];

/// What puts an element into a collection.
const ADDS: &[&str] = &["add", "addAll", "addFirst", "addLast", "put", "putAll"];

/// How names begin of what may change an argument.
const CHANGES: &[&str] = &[
    "apply", "convert", "copy", "fill", "inject", "map", "merge", "populate", "read", "reverse",
    "set", "shuffle", "sort", "update",
];

/// What a call of such a name carries; none if nobody knows.
pub fn carried(name: &str) -> Option<Carried> {
    let row = ROWS.iter().find(|(_, names)| names.contains(&name));
    let wraps = || WRAPS.iter().any(|w| name.starts_with(w));
    row.map(|(carried, _)| *carried)
        .or_else(|| wraps().then_some(Carried::Gathered))
}

/// True for the name of a call that puts its last argument into what it is called on.
pub fn adds(name: &str) -> bool {
    ADDS.contains(&name)
}

/// True for the name of a call that may change what it is given.
pub fn may_change_arguments(name: &str) -> bool {
    CHANGES.iter().any(|c| name.starts_with(c))
}

/// True for the name of a function that gives the elements that it is given, as they are: `Collection::stream`.
pub fn gives_each(name: &str) -> bool {
    matches!(name, "stream" | "cast")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_carried() {
        assert_eq!(carried("orElseThrow"), Some(Carried::HandedOn));
        assert_eq!(carried("unmodifiableList"), Some(Carried::Gathered));
        assert_eq!(carried("filter"), Some(Carried::Chosen));
        assert_eq!(carried("frobnicate"), None);
        assert!(adds("put") && !adds("remove"));
        assert!(may_change_arguments("copyProperties") && !may_change_arguments("save"));
    }

    #[test]
    fn each_name_stands_once() {
        let mut names: Vec<&str> = ROWS.iter().flat_map(|(_, n)| n.iter().copied()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
