//! Which modules of a build run tests that are asked for.

use program::{MethodId, Program, TypeId};
use std::collections::BTreeSet;
use std::path::Path;

/// The modules of Maven that run the tests: those in which the files of their classes lie, and of classes that inherit them. None where
/// one lies in no module, or in that of the root, or there is but one.
pub(super) fn of(program: &Program, root: &Path, tests: &[MethodId]) -> Vec<String> {
    let all = project::reactor(root);
    if all.len() < 3 {
        return Vec::new();
    }
    let module = |class: TypeId| -> Option<&String> {
        let path = program.path(program.type_place(class)?.0)?;
        let holds = |folder: &&String| {
            let rest = path.strip_prefix(folder.as_str());
            !folder.is_empty() && rest.is_some_and(|rest| rest.starts_with('/'))
        };
        all.iter().filter(holds).max_by_key(|folder| folder.len())
    };
    let owners = tests.iter().map(|t| program.method_owner(*t));
    let classes =
        owners.flat_map(|c| std::iter::once(c).chain(program.subtypes(c).iter().copied()));
    let own: Option<BTreeSet<&String>> = classes.map(module).collect();
    own.map_or(Vec::new(), |own| own.into_iter().cloned().collect())
}
