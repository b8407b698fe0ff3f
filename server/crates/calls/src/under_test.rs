//! Which classes of production code a test class is about.

use crate::Workspace;
use program::{Program, TypeId};
use rustc_hash::FxHashMap;

/// The class of production code after which a test class, or the one around it, is named: `Stats` for `StatsTest`.
pub fn class_under_test(program: &Program, class: TypeId) -> Option<TypeId> {
    let class = outermost(program, class);
    let (_, simple) = name_of(program, class);
    named_beside(program, class, without_ending(simple, &[])?)
}

/// The classes of production code that a test class, or the one around it, is about: that after which it is named, as its
/// tool names classes if one wrote it (`Stats` for `Stats_ESTest`, `StatsTest3`); without one, those whose methods and
/// constructors its tests call themselves, the most called first, at most five. Cost: linear in its tests.
pub fn under_test(workspace: &Workspace, class: TypeId) -> Vec<TypeId> {
    let program = workspace.program();
    let class = outermost(program, class);
    let (_, simple) = name_of(program, class);
    let endings = program.generated(class).map_or(&[][..], |g| g.endings());
    let bare = simple.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    let named = [simple, bare].into_iter().find_map(|name| {
        let about = without_ending(name, endings)?;
        let also = about.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
        let mut names = [about, also].into_iter();
        names.find_map(|name| named_beside(program, class, name))
    });
    match named {
        Some(named) => vec![named],
        None => most_called(workspace, class),
    }
}

/// How many classes a test class without a name of theirs may be about.
const ABOUT: usize = 5;

fn most_called(workspace: &Workspace, class: TypeId) -> Vec<TypeId> {
    let program = workspace.program();
    let mut counts: FxHashMap<TypeId, u32> = FxHashMap::default();
    for test in workspace.suite().tests() {
        if outermost(program, program.method_owner(*test)) != class {
            continue;
        }
        let chains = program.method_body(*test).and_then(|b| workspace.chains(b));
        for call in chains.map_or(&[][..], |c| &c.calls) {
            let owner = program.method_owner(call.target);
            if !program.is_test_type(owner) {
                *counts.entry(owner).or_default() += 1;
            }
        }
    }
    let mut all: Vec<(TypeId, u32)> = counts.into_iter().collect();
    all.sort_by_cached_key(|(t, n)| (u32::MAX - n, program.type_name(*t).clone(), *t));
    all.into_iter().map(|(t, _)| t).take(ABOUT).collect()
}

fn outermost(program: &Program, class: TypeId) -> TypeId {
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
    around.take(100).last().unwrap_or(class)
}

/// Package and simple name.
fn name_of(program: &Program, class: TypeId) -> (&str, &str) {
    let name = program.type_name(class);
    name.rsplit_once('.').unwrap_or(("", name))
}

/// A test class's name without what says that it is one.
fn without_ending<'n>(name: &'n str, tool: &[&str]) -> Option<&'n str> {
    let ends = ["Tests", "TestCase", "Test", "IT"];
    let mut ends = tool.iter().copied().chain(ends);
    ends.find_map(|end| name.strip_suffix(end))
        .or_else(|| name.strip_prefix("Test"))
        .filter(|about| !about.is_empty())
}

/// The production class of this simple name in the package of `class`.
fn named_beside(program: &Program, class: TypeId, simple: &str) -> Option<TypeId> {
    let whole = match name_of(program, class).0 {
        "" => simple.to_owned(),
        package => format!("{package}.{simple}"),
    };
    let (file, _) = program.type_place(class)?;
    let found = program.find_type(program.source_set(file)?, &whole)?;
    (!program.is_test_type(found)).then_some(found)
}
