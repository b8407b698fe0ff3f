//! Where mutants meet the source: tests and code woven with calls that tell values and compiled ([`woven()`]), the values
//! that a test showed with a mutant and without ([`shown()`]), the test of a source behind a test of a framework
//! ([`by_name`]), and what a mutant did in words of the language ([`Changes`]).
//!
//! Runs are `runner`'s, questions to a matrix those of `mutants`; `telltale mutants` and the evaluation of rankings both
//! stand on this.

mod shown;
mod words;
mod woven;

pub use shown::{Shown, Value, shown};
pub use words::Changes;
pub use woven::{NotWoven, Numbered, Workshop, Woven, class_files, like, numbered, woven};

use program::{MethodId, Program};
use std::collections::HashMap;

/// Tests by class and method as frameworks name them; what a class declares runs in the classes below it, too. Of several
/// nobody says which it was.
pub fn by_name(program: &Program, tests: &[MethodId]) -> HashMap<(String, String), Vec<MethodId>> {
    let mut out: HashMap<(String, String), Vec<MethodId>> = HashMap::new();
    for &test in tests {
        let owner = program.method_owner(test);
        let method = program.method_decl(test).map_or("", |m| &m.name);
        let below = program.subtypes(owner).iter().copied();
        for class in std::iter::once(owner).chain(below) {
            let class = program.type_name(class).to_string();
            let key = (class, method.to_owned());
            out.entry(key).or_default().push(test);
        }
    }
    out
}
