//! Which scope a name names, as people write it: a class, a method or a test.

use super::{Scope, ScopeKind, What, all_tests, within};
use crate::words::any_of;
use calls::Workspace;
use oracle::TestRun;
use program::{FileId, MethodId, Program, TypeDeclKind, TypeId};

/// Broken code may say that a class extends itself.
const MAX_SUPERCLASSES: usize = 100;

/// What a name is of.
#[derive(Clone, Copy, Debug)]
pub enum Named<'a> {
    /// A test, a class of tests, or `all` of them.
    Test(&'a str),
    /// `Class`, `Outer.Class` or `pkg.Class`.
    Class(&'a str),
    /// `Class#method`, with or without the types of its parameters.
    Method(&'a str),
}

/// Why a name names no scope, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unnamed {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Unnamed {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Unnamed {
        Unnamed {
            message: message.into(),
            help: help.into(),
        }
    }
}

/// The one scope of a name.
struct Finder<'a> {
    workspace: &'a Workspace,
    /// True for the path of a file that is meant rather than others.
    is_meant: &'a dyn Fn(&str) -> bool,
}

/// The scope that a name names; of several of that name the one whose file `is_meant`, by its path.
///
/// # Errors
/// None is named so, or several are.
pub fn find(
    workspace: &Workspace,
    named: Named<'_>,
    is_meant: &dyn Fn(&str) -> bool,
) -> Result<Scope, Unnamed> {
    let finder = Finder {
        workspace,
        is_meant,
    };
    match named {
        Named::Test(name) => finder.test(name),
        Named::Class(name) => finder.class(name),
        Named::Method(name) => finder.method(name),
    }
}

impl Finder<'_> {
    fn class(&self, name: &str) -> Result<Scope, Unnamed> {
        let program = self.workspace.program();
        let found = self.meant(classes(program, name), |t| type_file(program, t));
        let class = one(name, found, "class", || all_classes(program))?;
        Ok(Scope {
            kind: ScopeKind::Class,
            name: program.type_name(class).to_string(),
            what: What::Class(class),
        })
    }

    fn method(&self, name: &str) -> Result<Scope, Unnamed> {
        let program = self.workspace.program();
        let Some((class, _)) = name.split_once('#') else {
            return Err(Unnamed::new(
                format!("{name} names no method"),
                "write Class#method, for example Parser#parse",
            ));
        };
        let found: Vec<(String, MethodId)> = classes(program, class)
            .into_iter()
            .flat_map(|(_, t)| program.methods_of_type(t).iter().copied())
            .filter(|m| matches_method(program, *m, name))
            .map(|m| (program.method_name(m), m))
            .collect();
        let found = self.meant(found, |m| program.method_file(m));
        if found.is_empty() && is_of_the_language(program, name) {
            return Err(Unnamed::new(
                format!(
                    "{name} is what Java adds to every record and enum: the project has no code of it"
                ),
                "name a method that the project writes, or an accessor of a record",
            ));
        }
        let method = one(name, found, "method", || all_methods(program))?;
        Ok(Scope {
            kind: ScopeKind::Method,
            name: program.method_name(method),
            what: What::Method(method),
        })
    }

    fn test(&self, name: &str) -> Result<Scope, Unnamed> {
        let workspace = self.workspace;
        let program = workspace.program();
        let tests = workspace.suite().tests();
        if tests.is_empty() {
            return Err(Unnamed::new(
                "no test was found in this project",
                "tests are methods with @Test and the like (JUnit 4, JUnit 5, TestNG), and testXxx in subclasses of TestCase",
            ));
        }
        if name == "all" {
            return Ok(Scope {
                kind: ScopeKind::Suite,
                name: "all".to_owned(),
                what: What::Tests(all_tests(workspace)),
            });
        }
        let inherits = |class: TypeId, m: MethodId| {
            let above = std::iter::successors(Some(class), |c| program.superclass(*c));
            above
                .take(MAX_SUPERCLASSES)
                .any(|c| c == program.method_owner(m))
        };
        if let Some((class, member)) = name.split_once('#') {
            let named = |m: &MethodId| (program.method_name(*m), *m);
            let mut found: Vec<(String, MethodId)> = tests
                .iter()
                .filter(|m| matches_method(program, **m, name))
                .map(named)
                .collect();
            let mut heirs = Vec::new();
            if found.is_empty() {
                heirs = classes(program, class);
                let has_member = |m: MethodId| {
                    let full = program.method_name(m);
                    full.split_once('#')
                        .is_some_and(|(_, full)| matches_member(full, member))
                };
                // The class may inherit it, or a class within may have it.
                let inherited = |m: MethodId| heirs.iter().any(|(_, c)| inherits(*c, m));
                let within = |m: MethodId| {
                    let own = program.method_owner(m);
                    heirs.iter().any(|(_, c)| within(program, own, *c))
                };
                let ways: [&dyn Fn(MethodId) -> bool; 2] = [&inherited, &within];
                for is_of in ways {
                    if found.is_empty() {
                        let own = tests.iter().filter(|m| is_of(**m) && has_member(**m));
                        found = own.map(named).collect();
                    }
                }
            }
            let all = || tests.iter().map(|m| program.method_name(*m)).collect();
            let found = self.meant(found, |m| program.method_file(m));
            let method = one(name, found, "test", all)?;
            return Ok(Scope {
                kind: ScopeKind::Test,
                name: program.method_name(method),
                what: What::Tests(vec![match heirs.iter().find(|h| inherits(h.1, method)) {
                    Some((_, class)) => TestRun {
                        test: method,
                        class: *class,
                    },
                    None => workspace.own_run(method),
                }]),
            });
        }
        // A class also runs the tests of the classes in it, and those that it inherits.
        let mut found: Vec<(String, TypeId)> = Vec::new();
        for m in tests {
            let mut at = Some(program.method_owner(*m));
            while let Some(class) = at {
                if matches_class(program.type_name(class), name)
                    && !found.iter().any(|f| f.1 == class)
                {
                    found.push((program.type_name(class).to_string(), class));
                }
                at = program.enclosing_type(class);
            }
        }
        if found.is_empty() {
            found = classes(program, name);
            found.retain(|(_, class)| tests.iter().any(|m| inherits(*class, *m)));
        }
        let all = || {
            let mut names: Vec<String> = tests
                .iter()
                .map(|m| program.type_name(program.method_owner(*m)).to_string())
                .collect();
            names.dedup();
            names
        };
        let found = self.meant(found, |t| type_file(program, t));
        let class = one(name, found, "test class", all)?;
        let of: Vec<TestRun> = tests
            .iter()
            .filter_map(|&test| {
                if inherits(class, test) {
                    Some(TestRun { test, class })
                } else {
                    within(program, program.method_owner(test), class)
                        .then(|| workspace.own_run(test))
                }
            })
            .collect();
        Ok(Scope {
            kind: ScopeKind::TestClass,
            name: program.type_name(class).to_string(),
            what: What::Tests(of),
        })
    }

    /// Of several of a name, as modules have, those that are meant, if there are any.
    fn meant<T: Copy>(
        &self,
        found: Vec<(String, T)>,
        file: impl Fn(T) -> Option<FileId>,
    ) -> Vec<Found<T>> {
        let program = self.workspace.program();
        let all = found.into_iter().map(|(name, what)| {
            let path = file(what).and_then(|f| program.path(f));
            Found {
                name,
                what,
                path: path.map_or(String::new(), |p| p.to_string()),
            }
        });
        let mut all: Vec<Found<T>> = all.collect();
        if all.iter().any(|f| (self.is_meant)(&f.path)) {
            all.retain(|f| (self.is_meant)(&f.path));
        }
        all
    }
}

/// `C`, `Outer.C`, `Outer$C` and `pkg.C` name `pkg.Outer$C` resp. `pkg.C`.
fn matches_class(binary: &str, name: &str) -> bool {
    let (binary, name) = (binary.replace('$', "."), name.replace('$', "."));
    binary == name
        || binary
            .strip_suffix(name.as_str())
            .is_some_and(|rest| rest.ends_with('.'))
}

/// `Class#method`, with or without parameter types.
fn matches_method(program: &Program, method: MethodId, name: &str) -> bool {
    let full = program.method_name(method);
    let (Some((class, member)), Some((wanted_class, wanted))) =
        (full.split_once('#'), name.split_once('#'))
    else {
        return false;
    };
    matches_class(class, wanted_class) && matches_member(member, wanted)
}

/// `method(int)` is named by `method(int)` and by `method`.
fn matches_member(member: &str, wanted: &str) -> bool {
    member == wanted
        || match wanted.contains('(') {
            true => short_types(member) == short_types(wanted),
            false => short_member(member) == wanted,
        }
}

/// Methods of records and enums that have no code unless somebody writes it.
const ADDED: [(TypeDeclKind, &[&str]); 2] = [
    (TypeDeclKind::Record, &["equals", "hashCode", "toString"]),
    (
        TypeDeclKind::Enum,
        &[
            "values",
            "valueOf",
            "ordinal",
            "name",
            "compareTo",
            "equals",
            "hashCode",
            "toString",
        ],
    ),
];

/// True for `Point#equals` of a record that does not write it.
fn is_of_the_language(program: &Program, name: &str) -> bool {
    let Some((class, member)) = name.split_once('#') else {
        return false;
    };
    classes(program, class).iter().any(|(_, t)| {
        let kind = program.type_decl(*t).map(|d| d.kind);
        let mut added = ADDED.iter();
        added.any(|(of, names)| kind == Some(*of) && names.contains(&short_member(member)))
    })
}

fn classes(program: &Program, name: &str) -> Vec<(String, TypeId)> {
    let mut out = Vec::new();
    for &file in program.files() {
        for &t in program.types_of_file(file) {
            let binary = program.type_name(t);
            if matches_class(binary, name) {
                out.push((binary.to_string(), t));
            }
        }
    }
    // An exact name leaves out those that merely end like it.
    if out.iter().any(|c| c.0 == name) {
        out.retain(|c| c.0 == name);
    }
    out
}

fn all_classes(program: &Program) -> Vec<String> {
    let types = program
        .files()
        .iter()
        .flat_map(|f| program.types_of_file(*f));
    types.map(|t| program.type_name(*t).to_string()).collect()
}

fn all_methods(program: &Program) -> Vec<String> {
    let types = program
        .files()
        .iter()
        .flat_map(|f| program.types_of_file(*f));
    types
        .flat_map(|t| program.methods_of_type(*t))
        .map(|m| program.method_name(*m))
        .collect()
}

fn type_file(program: &Program, class: TypeId) -> Option<FileId> {
    let mut files = program.files().iter().copied();
    files.find(|f| program.types_of_file(*f).contains(&class))
}

/// What was found under a name.
struct Found<T> {
    name: String,
    what: T,
    /// Its file, from the root.
    path: String,
}

/// The only one found; several or none is an error that lists choices.
fn one<T: Copy>(
    name: &str,
    mut found: Vec<Found<T>>,
    what: &str,
    all: impl FnOnce() -> Vec<String>,
) -> Result<T, Unnamed> {
    found.dedup_by(|a, b| (&a.name, &a.path) == (&b.name, &b.path));
    match found.len() {
        1 => Ok(found[0].what),
        0 => {
            let near = nearest(name, all());
            let help = if near.is_empty() {
                "give Class, pkg.Class or Class#method".to_owned()
            } else {
                format!("did you mean {}?", any_of(&near))
            };
            Err(Unnamed::new(format!("no {what} is named {name}"), help))
        }
        n => {
            let is_one_name = found.iter().all(|f| f.name == found[0].name);
            let of = |f: &Found<T>| match is_one_name {
                true => f.path.clone(),
                false => f.name.clone(),
            };
            let list: Vec<String> = found.iter().take(10).map(of).collect();
            let more = if n > 10 {
                format!(" and {} more", n - 10)
            } else {
                String::new()
            };
            Err(Unnamed::new(
                format!("{name} is ambiguous: {n} of that name"),
                match is_one_name {
                    true => format!("give the path of one: {}{more}", list.join(", ")),
                    false => format!("name one of {}{more}", list.join(", ")),
                },
            ))
        }
    }
}

/// The three nearest names, by edit distance on what stands behind the last dot. Of a class that is there, the members
/// are compared, and where none is near, they are what can be chosen from.
fn nearest(name: &str, all: Vec<String>) -> Vec<String> {
    let member = |n: &str| {
        n.split_once('#')
            .map(|(_, m)| short_member(m).to_lowercase())
    };
    let wanted = name.split_once('#').map(|(class, _)| class);
    let of_class: Vec<String> = all
        .iter()
        .filter(|n| {
            wanted.is_some_and(|w| n.split_once('#').is_some_and(|n| matches_class(n.0, w)))
        })
        .cloned()
        .collect();
    if of_class.is_empty() {
        return near(name, all, |n| short(n).to_lowercase());
    }
    let near = near(name, of_class.clone(), |n| member(n).unwrap_or_default());
    if near.is_empty() {
        return most_alike(&member(name).unwrap_or_default(), of_class, member);
    }
    near
}

/// Of names of which none is near those that share most letters with what was asked for, as they stand in a row.
fn most_alike(
    wanted: &str,
    mut all: Vec<String>,
    key: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    all.sort_by_cached_key(|name| {
        let name = key(name).unwrap_or_default();
        let shared = (wanted.len() + name.len()).saturating_sub(distance(wanted, &name));
        std::cmp::Reverse(shared * 100 / (wanted.len() + name.len()).max(1))
    });
    all.truncate(5);
    all
}

/// A name in small letters without that it is of a test.
fn about(name: &str) -> &str {
    let ends = ["tests", "test", "it"].iter();
    ends.filter_map(|end| name.strip_suffix(end))
        .next()
        .unwrap_or(name)
}

fn near(name: &str, all: Vec<String>, key: impl Fn(&str) -> String) -> Vec<String> {
    let key = |name: &str| about(&key(name)).to_owned();
    let wanted = key(name);
    let limit = wanted.chars().count() / 3 + 1;
    // A part of a name (a class for its test, `Owner` of `OwnerController`) is as good as the last mistyping.
    let away = |n: &str| match key(n) {
        n if !wanted.is_empty() && n.contains(&wanted) => distance(&wanted, &n).min(limit),
        n => distance(&wanted, &n),
    };
    let mut near: Vec<(usize, String)> = all
        .into_iter()
        .map(|n| (away(&n), n))
        .filter(|n| n.0 <= limit)
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().take(3).map(|n| n.1).collect()
}

/// `Class#name` of `pkg.Class#name(int)`, `Class` of `pkg.Outer$Class`.
fn short(name: &str) -> String {
    let simple = |class: &str| class.rsplit(['.', '$']).next().unwrap_or(class).to_owned();
    match name.split_once('#') {
        Some((class, member)) => format!("{}#{}", simple(class), short_member(member)),
        None => simple(name),
    }
}

/// `parse(Reader,List)` of `parse(java.io.Reader, java.util.List)`: types as a person writes them.
fn short_types(member: &str) -> String {
    let (name, types) = member.split_once('(').unwrap_or((member, ""));
    let types = types.trim_end().trim_end_matches(')').replace("...", "[]");
    let short = |ty: &str| {
        let ty = ty.trim();
        ty.rsplit(['.', '$']).next().unwrap_or(ty).to_owned()
    };
    let all: Vec<String> = types.split(',').map(short).collect();
    format!("{}({})", name.trim(), all.join(","))
}

fn short_member(member: &str) -> &str {
    member.split('(').next().unwrap_or(member)
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let next = (diagonal + usize::from(ca != *cb))
                .min(row[j] + 1)
                .min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_as_people_write_them() {
        assert!(matches_class("a.b.Outer$Inner", "Inner"));
        assert!(matches_class("a.b.Outer$Inner", "Outer.Inner"));
        assert!(matches_class("a.b.C", "a.b.C"));
        assert!(!matches_class("a.b.MyC", "C"));
        let full = "parse(java.io.Reader,a.b.Outer$Format,int[])";
        for wanted in [
            "parse",
            full,
            "parse(java.io.Reader, a.b.Outer$Format, int[])",
            "parse(Reader,Format,int...)",
            "parse( Reader , Outer.Format , int[] )",
        ] {
            assert!(matches_member(full, wanted), "{wanted}");
        }
        for wanted in [
            "parse()",
            "parse(Reader)",
            "read(Reader,Format,int[])",
            "pars",
        ] {
            assert!(!matches_member(full, wanted), "{wanted}");
        }
        assert!(matches_member("run()", "run( )"));
    }

    #[test]
    fn near_names_are_offered() {
        let all = [
            "x.StatsTest#mixed()",
            "x.StatsTest#empty()",
            "x.TreeTest#grows()",
        ]
        .map(str::to_owned)
        .to_vec();
        assert_eq!(
            nearest("StatsTest#mixde", all.clone()),
            ["x.StatsTest#mixed()"]
        );
        assert_eq!(
            nearest("StatTest#mixed", all.clone()),
            ["x.StatsTest#mixed()"]
        );
        // Nothing is near, but the class is there.
        assert_eq!(
            nearest("StatsTest#q", all),
            ["x.StatsTest#mixed()", "x.StatsTest#empty()"]
        );
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
