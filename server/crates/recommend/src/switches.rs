//! The refinements of what is offered, each of which can be turned off to measure it.

macro_rules! switches {
    ($($(#[doc = $doc:literal])* $name:ident: $default:literal,)*) => {
        /// The refinements of what is offered, each with its reason; `cargo xtask evaluate choice
        /// --switches` turns each the other way, and `inside` and `faults` those that are theirs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Switches { $($(#[doc = $doc])* pub $name: bool,)* }
        impl Default for Switches {
            fn default() -> Self { Switches { $($name: $default,)* } }
        }
        impl Switches {
            /// Every switch: its name, what it is by default, and how to set it.
            pub const ALL: &'static [(&'static str, bool, fn(&mut Switches, bool))] =
                &[$((stringify!($name), $default, |s, on| s.$name = on),)*];
        }
    };
}

switches! {
    /// What the test's assertions read counts as selected first: the question is what to add *next*.
    read_first: true,
    /// `object.query()` that the test does not call yet is offered.
    queries: true,
    /// Calls with arguments that the test makes, when their objects have changed, and the same of other objects.
    repeated_calls: true,
    /// Literals of the test, and what can be asked of them, are known.
    no_literals: true,
    /// Loop counters, constants and parameters that are given literals hold what everyone knows.
    known_values: true,
    /// What the suite asks of objects of this type is a query, whatever it changes: `iterator.next()`.
    habitual: true,
    /// Queries of library objects: `list.size()`, `writer.toString()`.
    library_queries: true,
    /// A value that was asserted before its object changed is offered again.
    stale: true,
    /// That a value adds something counts, how much only a little: side effects and code that is not there are not
    /// followed, so small gains are often the graph's fault.
    log_gain: true,
    /// The object that the test used last before the hidden assertion comes first.
    recent: true,
    /// The object that the test changed last before the hidden assertion comes first.
    changed_last: true,
    /// Inside, what this test most likely runs itself comes first.
    likely_first: true,
    /// Inside, what lies in the class that the test's class is named after comes first.
    own_class_first: true,
    /// What the suite asks often it will ask again.
    statistics: true,
    /// What this test asks of another object, or asked before a change, it will ask again.
    asked_here: true,
    /// A value that the test keeps in a variable and never reads is there to be checked.
    unused: true,
    /// A query of a query is asked less often than a query.
    depth: true,
    /// A call with arguments is asked less often again than a query.
    known_calls: true,
    /// An object is checked by its parts more often than whole.
    parts: true,
    /// Numbers, texts and truth values are compared more easily than objects.
    comparable: true,
    /// What developers ask and what tells faults, as a model fitted on mutants has it, come in turn.
    telling: true,
    /// The best that no doubt concerns comes first.
    sure_first: true,
    /// What looks worth an assertion comes before the rest, and what an assertion has in the same words not at all.
    worth_first: true,
}
