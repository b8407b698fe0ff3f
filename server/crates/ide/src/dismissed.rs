//! *Not this one*: what users said that they do not want to be told of, and how wide they meant it.
//!
//! Entries name what survives moved lines: a test or class, the expression, what is asked of which type, a variable and
//! its method. A value is hidden if one of the entries that would hide it (`of_query`, `of_variable`) is there; the
//! same entries are what an action adds. A kind that was dismissed in several places is dismissed everywhere.

use crate::code::Code;
use crate::tokens::{stretches, tokens};
use program::{FileId, MethodId, Program, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// In how many tests or classes a kind is dismissed before it is everywhere.
const AGAIN: usize = 3;

/// One entry of the file; see `project::Dismissal`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    /// Only in this test or class of tests.
    pub within: Option<String>,
    /// `account.balance()`.
    pub value: Option<String>,
    /// The type of the object that is asked.
    pub ty: Option<String>,
    /// What is asked; empty for the value itself.
    pub query: Option<String>,
    /// A method or class of the code under test.
    pub of: Option<String>,
    /// A variable of it.
    pub variable: Option<String>,
    /// An assertion of a generated test that was accepted, without blanks.
    pub assertion: Option<String>,
    /// A hash of the code of that test up to the end of the assertion. Without it all assertions of the test that say the same
    /// are accepted.
    pub code: Option<String>,
}

/// How much an entry hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// This value in this test; of a hint, this variable.
    Here,
    /// This kind of value in this class.
    Class,
    /// This kind of value in the project.
    Project,
}

/// All entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dismissed {
    entries: BTreeSet<Entry>,
}

impl FromIterator<Entry> for Dismissed {
    fn from_iter<T: IntoIterator<Item = Entry>>(entries: T) -> Dismissed {
        let mut entries: BTreeSet<Entry> = entries.into_iter().collect();
        let mut kinds: BTreeMap<Entry, BTreeSet<&str>> = BTreeMap::new();
        for e in &entries {
            if let (Some(within), Some(_), Some(_)) = (&e.within, &e.ty, &e.query) {
                let kind = kind(e.ty.as_deref(), e.query.as_deref());
                kinds.entry(kind).or_default().insert(within);
            }
        }
        let often = kinds
            .into_iter()
            .filter(|(_, places)| places.len() >= AGAIN);
        let often: Vec<Entry> = often.map(|(kind, _)| kind).filter(is_narrow).collect();
        entries.extend(often);
        Dismissed { entries }
    }
}

impl Dismissed {
    /// True if nothing is dismissed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// True if a value that a test could read is dismissed there: its expression, the type that is asked and the query.
    pub(crate) fn hides_query(
        &self,
        program: &Program,
        test: MethodId,
        value: &str,
        asked: (&str, &str),
    ) -> bool {
        !self.is_empty()
            && (of_query(program, test, value, asked).any(|(_, e)| self.entries.contains(&e))
                || around(program, program.method_owner(test)).any(|class| {
                    let entry = Entry {
                        within: Some(class),
                        ..kind(Some(asked.0), Some(asked.1))
                    };
                    self.entries.contains(&entry)
                }))
    }

    /// True if a suspicious assertion was accepted: it is given without blanks, with the offset behind it.
    pub(crate) fn accepts(
        &self,
        program: &Program,
        test: MethodId,
        assertion: &str,
        end: u32,
    ) -> bool {
        if self.is_empty() {
            return false;
        }
        let within = Some(program.method_name(test));
        let first = Entry {
            within: within.clone(),
            assertion: Some(String::new()),
            ..Entry::default()
        };
        let own = self.entries.range(first..);
        let own = own.take_while(|e| e.within == within);
        let mut own = own.filter(|e| e.assertion.is_some()).peekable();
        if own.peek().is_none() {
            return false;
        }
        let code = code_until(program, test, end);
        own.any(|e| match &e.code {
            Some(_) => e.code == code,
            None => e.assertion.as_deref() == Some(assertion),
        })
    }

    /// True if a variable of the code under test is dismissed, for a test or wherever it is named.
    pub(crate) fn hides_variable(
        &self,
        program: &Program,
        test: Option<MethodId>,
        method: &str,
        name: &str,
    ) -> bool {
        if self.is_empty() {
            return false;
        }
        let everywhere = || of_variable(method, name).any(|(_, e)| self.entries.contains(&e));
        let inside = |test| {
            inside(program, test, method, name).any(|(_, e)| self.entries.contains(&e))
                || around(program, program.method_owner(test)).any(|class| {
                    let entry = Entry {
                        within: Some(class),
                        ..variable(method, name)
                    };
                    self.entries.contains(&entry)
                })
        };
        everywhere() || test.is_some_and(inside)
    }
}

/// The entries that would hide a value that a test could read, the narrowest first.
pub(crate) fn of_query<'a>(
    program: &Program,
    test: MethodId,
    value: &'a str,
    asked: (&'a str, &'a str),
) -> impl Iterator<Item = (Width, Entry)> + use<'a> {
    let kind = kind(Some(asked.0), Some(asked.1));
    let class = program.type_name(program.method_owner(test)).to_string();
    let here = Entry {
        within: Some(program.method_name(test)),
        value: Some(value.to_owned()),
        ..kind.clone()
    };
    let in_class = Entry {
        within: Some(class),
        ..kind.clone()
    };
    [
        (Width::Here, here),
        (Width::Class, in_class),
        (Width::Project, kind),
    ]
    .into_iter()
}

/// The entry that accepts an assertion of a test, which is given without blanks, with the offset behind it.
pub(crate) fn of_assertion(program: &Program, test: MethodId, assertion: &str, end: u32) -> Entry {
    Entry {
        within: Some(program.method_name(test)),
        assertion: Some(assertion.to_owned()),
        code: code_until(program, test, end),
        ..Entry::default()
    }
}

/// What tells an assertion from others that say the same: a hash of all that its test does up to it. A test that a generator wrote
/// anew under the same name has another.
fn code_until(program: &Program, test: MethodId, end: u32) -> Option<String> {
    let (text, from, _) = code_of(program, test)?;
    let hash = tokens(text, from, end as usize);
    Some(format!("{hash:016x}"))
}

/// The text of a test's file, and where its statements begin and end.
fn code_of(program: &Program, test: MethodId) -> Option<(&str, usize, usize)> {
    let decl = program.method_decl(test)?;
    let file: FileId = program.method_file(test)?;
    let (name, end) = (decl.name_span.end as usize, decl.span.end as usize);
    let text = program.text(file)?;
    let (from, _) = Code::new(text, name, end).find(|(_, byte)| *byte == b'{')?;
    Some((text, from, end))
}

/// The entries that would hide a variable of the code under test from what one test is told, the narrowest first.
pub fn inside(
    program: &Program,
    test: MethodId,
    method: &str,
    name: &str,
) -> impl Iterator<Item = (Width, Entry)> + use<> {
    let class = program.type_name(program.method_owner(test)).to_string();
    let all = variable(method, name);
    let within = |place: String| Entry {
        within: Some(place),
        ..all.clone()
    };
    [
        (Width::Here, within(program.method_name(test))),
        (Width::Class, within(class)),
        (Width::Project, all),
    ]
    .into_iter()
}

/// The entries that would hide a variable wherever it is named, the narrowest first: this one, all of its name in the
/// class, all of its name.
pub(crate) fn of_variable(
    method: &str,
    name: &str,
) -> impl Iterator<Item = (Width, Entry)> + use<> {
    let class = method.split('#').next().unwrap_or(method);
    let all = Entry {
        variable: Some(name.to_owned()),
        ..Entry::default()
    };
    [
        (Width::Here, variable(method, name)),
        (Width::Class, variable(class, name)),
        (Width::Project, all),
    ]
    .into_iter()
}

/// True for an entry that hides no more than a person can mean: not all numbers of a project.
pub(crate) fn is_narrow(entry: &Entry) -> bool {
    let (Some(ty), Some("")) = (&entry.ty, entry.query.as_deref()) else {
        return true;
    };
    const PLAIN: &[&str] = &[
        "",
        "?",
        "[]",
        "Boolean",
        "Byte",
        "Character",
        "Double",
        "Float",
        "Integer",
        "List",
        "Long",
        "Map",
        "Object",
        "Set",
        "Short",
        "String",
    ];
    entry.value.is_some()
        || !(PLAIN.contains(&ty.as_str()) || ty.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// Why an entry hides nothing any more; nothing said while it may.
pub fn stale(program: &Program, entry: &Entry) -> Option<String> {
    let types = || {
        program
            .files()
            .iter()
            .flat_map(|f| program.types_of_file(*f))
    };
    let has_class = |name: &str| types().any(|t| program.type_name(*t) == name);
    let has_method = |name: &str| {
        let class = name.split('#').next().unwrap_or(name);
        let own = types().filter(|t| program.type_name(**t) == class);
        let mut methods = own.flat_map(|t| program.methods_of_type(*t).iter());
        // Of a lambda or an initialiser its class is known.
        let is_member = !name.contains("$lambda") && !name.contains("#<");
        !is_member && has_class(class) || methods.any(|m| program.method_name(*m) == name)
    };
    let gone = |place: &str| match place.contains('#') {
        true => (!has_method(place)).then(|| format!("there is no {place}")),
        false => (!has_class(place)).then(|| format!("there is no class {place}")),
    };
    let places = [&entry.within, &entry.of].into_iter().flatten();
    let found = places.into_iter().find_map(|place| gone(place));
    let found = found.or_else(|| {
        let (test, code) = (entry.within.as_ref()?, entry.code.as_ref()?);
        let methods = types().flat_map(|t| program.methods_of_type(*t));
        let mut methods = methods.filter(|m| program.method_name(**m) == *test);
        let is_there = |method: &MethodId| {
            let (text, from, end) = code_of(program, *method)?;
            let mut all = stretches(text, from, end);
            Some(all.any(|(_, hash)| format!("{hash:016x}") == *code))
        };
        // Two modules may have tests of one name.
        (!methods.any(|m| is_there(m).unwrap_or(true)))
            .then(|| format!("{test} does something else before what was accepted"))
    });
    found.or_else(|| {
        let (test, value) = (entry.within.as_ref()?, entry.value.as_ref()?);
        let methods = types().flat_map(|t| program.methods_of_type(*t));
        let mut methods = methods.filter(|m| program.method_name(**m) == *test);
        let method = *methods.next()?;
        let text = program.text(program.method_file(method)?)?;
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let root = value.split(|c| !is_part(c)).next()?;
        // It may be a field of the class.
        (!text.contains(root)).then(|| format!("{test} has no {root}"))
    })
}

fn kind(ty: Option<&str>, query: Option<&str>) -> Entry {
    Entry {
        ty: ty.map(str::to_owned),
        query: query.map(str::to_owned),
        ..Entry::default()
    }
}

fn variable(of: &str, name: &str) -> Entry {
    Entry {
        of: Some(of.to_owned()),
        variable: Some(name.to_owned()),
        ..Entry::default()
    }
}

/// The classes around one, by name.
fn around(program: &Program, class: TypeId) -> impl Iterator<Item = String> + '_ {
    let outer = std::iter::successors(program.enclosing_type(class), |t| {
        program.enclosing_type(*t)
    });
    outer.take(100).map(|t| program.type_name(t).to_string())
}
