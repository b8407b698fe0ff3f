//! No file of the upper rooms needs another that needs it.
//!
//! Modules are looked at level by level: of those that stand side by side in one, each with all that is below it, no two
//! may use each other, by whatever way. What a module says itself is for those below it, so a file and its folder are
//! one. Names are followed through `pub use`.

use super::{House, Outcome, outcome};
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{BTreeMap, BTreeSet};

/// The rooms that are not looked at: the one of a language's declarations, which are one thought (a type's members have
/// types), and the tasks around the project.
const LEFT_OUT: &[&str] = &["program", "xtask"];

/// A path of modules below a crate's root.
type Module = Vec<String>;

pub(super) fn circles(house: &House) -> Outcome {
    let mut problems = Vec::new();
    let mut files = 0;
    for member in house.metadata.members() {
        let Some(folder) = member.folder.as_ref() else {
            continue;
        };
        if LEFT_OUT.contains(&member.name.as_str()) {
            continue;
        }
        let mut texts = BTreeMap::new();
        for path in &house.files {
            let inside = path.strip_prefix(folder.trim_end_matches('/'));
            let Some(module) = inside.and_then(|p| module_of(p.strip_prefix("/src/")?)) else {
                continue;
            };
            let text = std::fs::read_to_string(house.root.join(path)).unwrap_or_default();
            texts.insert(module, text);
        }
        files += texts.len();
        for (within, modules) in circles_of(&texts) {
            let level: Vec<&str> = std::iter::once(member.name.as_str())
                .chain(within.iter().map(String::as_str))
                .collect();
            let (level, modules) = (level.join("::"), modules.join(" "));
            problems.push(format!("{level}: a circle of {modules}"));
        }
    }
    outcome(problems, format!("{files} files"))
}

/// The module of a file below `src`; none for tests.
fn module_of(path: &str) -> Option<Module> {
    let mut parts: Module = path
        .strip_suffix(".rs")?
        .split('/')
        .map(str::to_owned)
        .collect();
    if parts.iter().any(|p| p == "tests") {
        return None;
    }
    if parts.last().is_some_and(|p| p == "mod") || ["lib", "main"].contains(&&*parts.concat()) {
        parts.pop();
    }
    Some(parts)
}

/// The circles among modules side by side: in which module, and which.
fn circles_of(texts: &BTreeMap<Module, String>) -> Vec<(Module, Vec<String>)> {
    let mut house = Names::default();
    let mut used: Vec<(&Module, Vec<Module>)> = Vec::new();
    for (module, text) in texts {
        let code = code(text);
        let mut paths = Vec::new();
        for statement in code.split(';') {
            let Some(at) = find_use(statement) else {
                continue;
            };
            let (before, tree) = statement.split_at(at);
            for path in expanded(tree.trim_start_matches("use").trim()) {
                let Some(path) = absolute(module, &path, texts) else {
                    continue;
                };
                if let Some(name) = path.last().filter(|_| is_public(before)) {
                    house
                        .given
                        .insert((module.clone(), name.clone()), path.clone());
                }
                paths.push(path);
            }
        }
        paths.extend(inline(&code).filter_map(|path| absolute(module, &path, texts)));
        used.push((module, paths));
    }
    let mut levels: BTreeMap<Module, BTreeSet<(&str, &str)>> = BTreeMap::new();
    let named: Vec<(&Module, Module)> = used
        .iter()
        .flat_map(|(from, paths)| paths.iter().map(move |path| (*from, path)))
        .filter_map(|(from, path)| Some((from, house.home(path, texts, 0)?)))
        .collect();
    for (from, to) in &named {
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        if let (Some(a), Some(b)) = (from.get(common), to.get(common)) {
            let level = levels.entry(from[..common].to_vec()).or_default();
            level.insert((a.as_str(), b.as_str()));
        }
    }
    let mut out = Vec::new();
    for (level, edges) in levels {
        let graph = DiGraphMap::<&str, ()>::from_edges(edges);
        for mut circle in kosaraju_scc(&graph) {
            circle.sort_unstable();
            if circle.len() > 1 {
                let names = circle.into_iter().map(str::to_owned).collect();
                out.push((level.clone(), names));
            }
        }
    }
    out.sort();
    out
}

/// What modules give on under a name.
#[derive(Default)]
struct Names {
    given: BTreeMap<(Module, String), Module>,
}

impl Names {
    /// The module in which stands what a path names.
    fn home(
        &self,
        path: &[String],
        texts: &BTreeMap<Module, String>,
        depth: u32,
    ) -> Option<Module> {
        let own = (0..=path.len())
            .rev()
            .find(|n| texts.contains_key(&path[..*n]))?;
        let (module, rest) = path.split_at(own);
        let given = rest
            .first()
            .and_then(|name| self.given.get(&(module.to_vec(), name.clone())));
        match given {
            Some(to) if depth < 8 && to != path => {
                let on: Module = to.iter().chain(&rest[1..]).cloned().collect();
                self.home(&on, texts, depth + 1)
            }
            _ => Some(module.to_vec()),
        }
    }
}

/// A file without its comments and the tests at its end.
fn code(text: &str) -> String {
    let text = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<&str>>().join("\n")
}

/// Where `use` stands at the end of what comes before a semicolon.
fn find_use(statement: &str) -> Option<usize> {
    let is_start = |at: &usize| {
        let before = statement[..*at].trim_end_matches([' ', '\n']);
        let word = before.rsplit(['\n', ' ']).next().unwrap_or_default();
        before.is_empty() || before.ends_with(['}', ']', '{']) || word.starts_with("pub")
    };
    let uses = statement.match_indices("use ").map(|(at, _)| at);
    uses.filter(is_start).last()
}

fn is_public(before: &str) -> bool {
    before
        .trim_end()
        .rsplit('\n')
        .next()
        .is_some_and(|l| l.trim_start().starts_with("pub"))
}

/// The paths of a tree of names: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expanded(tree: &str) -> Vec<String> {
    let Some((head, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![path.split_whitespace().collect()];
    };
    let inner = rest.trim_end().strip_suffix('}').unwrap_or(rest);
    let (mut depth, mut start, mut out) = (0, 0, Vec::new());
    let ends = inner.char_indices().chain([(inner.len(), ',')]);
    for (at, c) in ends {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inner[start..at].trim();
                let own = expanded(part).into_iter().filter(|p| !p.is_empty());
                let head: String = head.split_whitespace().collect();
                out.extend(own.map(|p| format!("{head}{p}")));
                start = at + 1;
            }
            _ => {}
        }
    }
    out
}

/// Paths that stand in code.
fn inline(code: &str) -> impl Iterator<Item = String> + '_ {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(move |c| !is_name(c));
    words.filter(|w| w.contains("::")).map(str::to_owned)
}

/// A path from the root of the crate; none if it leads out of it.
fn absolute(module: &[String], path: &str, texts: &BTreeMap<Module, String>) -> Option<Module> {
    let parts: Vec<&str> = path.split("::").collect();
    let mut from = module.to_vec();
    let mut at = 0;
    match *parts.first()? {
        "crate" => {
            from.clear();
            at = 1;
        }
        "self" | "super" => {
            while let Some(step @ (&"self" | &"super")) = parts.get(at) {
                if *step == "super" {
                    from.pop()?;
                }
                at += 1;
            }
        }
        first => {
            let child: Module = module.iter().cloned().chain([first.to_owned()]).collect();
            if !texts.contains_key(&child) {
                return None;
            }
        }
    }
    from.extend(parts[at..].iter().map(|p| (*p).to_owned()));
    Some(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let texts = files.iter();
        let texts = texts.filter_map(|(path, text)| Some((module_of(path)?, (*text).to_owned())));
        let circles = circles_of(&texts.collect()).into_iter();
        circles
            .map(|(level, modules)| format!("{}: {}", level.join("::"), modules.join(" ")))
            .collect()
    }

    #[test]
    fn two_that_use_each_other() {
        let circle = [
            ("lib.rs", "mod a;\nmod b;\nuse a::A;\n"),
            ("a.rs", "use crate::b::B;\n"),
            ("b.rs", "fn f() { super::a::g(); }\n"),
        ];
        assert_eq!(found(&circle), [": a b"]);
    }

    #[test]
    fn what_is_below_belongs_to_it_and_names_are_followed() {
        let circle = [
            (
                "lib.rs",
                "mod a;\nmod b;\npub use a::deep::{Deep, Other as Another};\n",
            ),
            ("a.rs", "mod deep;\n"),
            ("a/deep.rs", "use crate::{\n    b::{self, B},\n};\n"),
            ("b/mod.rs", "use crate::Deep;\n"),
        ];
        assert_eq!(found(&circle), [": a b"]);
    }

    #[test]
    fn a_file_and_its_folder_are_one_and_tests_are_none() {
        let tree = [
            ("lib.rs", "mod a;\nmod b;\npub struct Own;\n"),
            ("a.rs", "mod c;\nuse c::C;\nuse crate::b;\n"),
            ("a/c.rs", "use super::A;\nuse crate::Own;\nuse std::fmt;\n"),
            (
                "b.rs",
                "// use crate::a::A;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n",
            ),
            ("b/tests.rs", "use crate::a::A;\n"),
        ];
        assert_eq!(found(&tree), [] as [&str; 0]);
    }
}
