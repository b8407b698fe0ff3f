//! What methods of libraries do to their receivers and arguments: the rows of `behaviour.txt`.
//!
//! A call is looked up by the class that declares its target, else by the type of its receiver, then by the supertypes
//! of that class. Where no row is found the rows of `?` tell by the name alone: this is the only place where a name
//! decides.

use flow::{Body, CallId, Callee, ExprId, ExprKind};
use program::{CallTarget, Program, ResolvedBody, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::BitOr;
use std::sync::LazyLock;

const TABLE: &str = include_str!("behaviour/behaviour.txt");

/// How many links of `builder.append(…).append(…)` are followed: each call looks for its object.
const MAX_LINKS: usize = 200;

/// A set of arguments, counted from 0; the last bit stands for all from the eighth on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arguments(u8);

impl Arguments {
    const ALL: Arguments = Arguments(u8::MAX);

    /// True if the argument `at` is in it.
    pub fn has(self, at: usize) -> bool {
        self.0 >> at.min(7) & 1 == 1
    }

    /// True if there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What one method does. The words are those of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behaviour {
    words: u16,
    /// The arguments that it changes.
    pub changes: Arguments,
    /// The arguments that it may give back.
    pub returns: Arguments,
    /// The arguments that its value is a view of.
    pub views: Arguments,
}

const PURE: u16 = 1;
const CHANGES: u16 = 1 << 1;
const OUTSIDE: u16 = 1 << 2;
const RETURNS_THIS: u16 = 1 << 3;
const NEW: u16 = 1 << 4;
const VIEW: u16 = 1 << 5;
const CALLS: u16 = 1 << 7;
const ADVANCES: u16 = 1 << 8;
const VALUE: u16 = 1 << 11;
/// The method has a row, or its name has one of `?`.
const KNOWN: u16 = 1 << 9;
/// The row is that of its class.
const TYPED: u16 = 1 << 10;

impl BitOr for Behaviour {
    type Output = Behaviour;

    fn bitor(self, other: Behaviour) -> Behaviour {
        Behaviour {
            words: self.words | other.words,
            changes: Arguments(self.changes.0 | other.changes.0),
            returns: Arguments(self.returns.0 | other.returns.0),
            views: Arguments(self.views.0 | other.views.0),
        }
    }
}

impl Behaviour {
    /// That of a row; `None` if a word of it means nothing.
    fn parse(words: &str) -> Option<Behaviour> {
        let mut out = Behaviour {
            words: KNOWN,
            ..Behaviour::default()
        };
        for word in words.split_whitespace() {
            let (verb, at) = match word.rsplit_once('-') {
                Some((verb, "all")) => (verb, Arguments::ALL),
                Some((verb, at)) if at.parse::<u8>().is_ok() => {
                    (verb, Arguments(1 << at.parse::<u8>().ok()?.min(7)))
                }
                _ => (word, Arguments::default()),
            };
            let no_argument = at.is_empty();
            match verb {
                "pure" if no_argument => out.words |= PURE,
                "changes" if no_argument => out.words |= CHANGES,
                "outside" if no_argument => out.words |= OUTSIDE,
                "returns-this" if no_argument => out.words |= RETURNS_THIS,
                "new" if no_argument => out.words |= NEW,
                "view" if no_argument => out.words |= VIEW,
                "calls" if no_argument => out.words |= CALLS,
                "value" if no_argument => out.words |= VALUE,
                "advances" if no_argument => out.words |= ADVANCES,
                "changes" => out.changes.0 |= at.0,
                "returns" => out.returns.0 |= at.0,
                "view" => out.views.0 |= at.0,
                _ => return None,
            }
        }
        Some(out)
    }

    fn is(self, word: u16) -> bool {
        self.words & word != 0
    }

    /// True if a row of its class says what it does; else its name told.
    pub fn is_typed(self) -> bool {
        self.is(TYPED)
    }

    /// Changes its receiver. Of an unknown type: may change it, for its name does not say otherwise.
    pub fn changes_receiver(self) -> bool {
        match self.is_typed() {
            true => self.is(CHANGES | ADVANCES),
            false => self.is(CHANGES) || !self.is(PURE),
        }
    }

    /// Changes what no object here holds, or may do so.
    pub fn is_outside(self) -> bool {
        self.is(OUTSIDE) || !self.is(KNOWN)
    }

    /// Gives its receiver.
    pub(crate) fn returns_receiver(self) -> bool {
        self.is(RETURNS_THIS)
    }

    /// Gives an object that shares nothing that changes with others.
    pub fn is_new(self) -> bool {
        self.is(NEW)
    }

    /// Gives a view of its receiver.
    pub fn is_view(self) -> bool {
        self.is(VIEW)
    }

    /// Gives something else the next time.
    pub fn advances(self) -> bool {
        self.is(ADVANCES)
    }
}

/// The rows of one class.
#[derive(Default)]
struct Rows {
    exact: FxHashMap<&'static str, Behaviour>,
    /// `get*`, and what they do.
    prefixes: Vec<(&'static str, Behaviour)>,
    /// `*`.
    others: Option<Behaviour>,
}

impl Rows {
    fn get(&self, name: &str) -> Option<Behaviour> {
        let prefixes = self.prefixes.iter();
        let matching = prefixes.filter(|row| name.starts_with(row.0)).map(|r| r.1);
        let all = self.exact.get(name).copied().into_iter().chain(matching);
        all.reduce(Behaviour::bitor)
    }
}

#[derive(Default)]
struct Table {
    classes: FxHashMap<&'static str, Rows>,
    /// The names that some class has a row for, and how others begin: most calls are none of them, and need no look at
    /// supertypes.
    names: FxHashSet<&'static str>,
    prefixes: Vec<&'static str>,
}

static ROWS: LazyLock<Table> = LazyLock::new(|| read(TABLE).0);

/// The table, and the lines that cannot be read.
fn read(text: &'static str) -> (Table, Vec<&'static str>) {
    let mut out = Table::default();
    let mut bad = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut columns = line.split(';').map(str::trim);
        let (Some(class), Some(names), Some(words), Some(reason)) = (
            columns.next(),
            columns.next(),
            columns.next(),
            columns.next(),
        ) else {
            bad.push(line);
            continue;
        };
        let Some(mut behaviour) = Behaviour::parse(words) else {
            bad.push(line);
            continue;
        };
        if reason.is_empty() || names.is_empty() {
            bad.push(line);
        }
        if class != "?" {
            behaviour.words |= TYPED;
        }
        let rows = out.classes.entry(class).or_default();
        for name in names.split_whitespace() {
            match name.strip_suffix('*') {
                Some("") => rows.others = Some(behaviour),
                Some(start) => {
                    rows.prefixes.push((start, behaviour));
                    if class != "?" {
                        out.prefixes.push(start);
                    }
                }
                None => {
                    let row = rows.exact.entry(name).or_default();
                    *row = *row | behaviour;
                    if class != "?" {
                        out.names.insert(name);
                    }
                }
            }
        }
    }
    (out, bad)
}

/// What a method of that name does whose class is not known.
pub fn by_name(name: &str) -> Behaviour {
    let rows = ROWS.classes.get("?");
    rows.and_then(|rows| rows.get(name)).unwrap_or_default()
}

/// What the method `name` of `class` does, by the nearest class with a row; `supertypes` are asked for only if needed.
fn by_class<S: AsRef<str>>(
    class: &str,
    name: &str,
    supertypes: impl FnOnce() -> Vec<S>,
) -> Option<Behaviour> {
    let table = &*ROWS;
    if let Some(rows) = table.classes.get(class)
        && let Some(found) = rows.get(name).or(rows.others)
    {
        return Some(found);
    }
    if !table.names.contains(name) && !table.prefixes.iter().any(|p| name.starts_with(p)) {
        return None;
    }
    supertypes()
        .iter()
        .find_map(|class| table.classes.get(class.as_ref())?.get(name))
}

/// True if nothing changes an object of this type.
pub fn is_immutable(program: &Program, ty: Ty) -> bool {
    let others = |class: &str| ROWS.classes.get(class)?.others;
    ty.is_primitive()
        || program
            .library_class_of(ty)
            .and_then(|class| others(class))
            .is_some_and(|does| does.is(VALUE))
}

/// What a call does whose target is not in the workspace.
pub fn behaviour(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    call: CallId,
) -> Behaviour {
    let (expr, callee) = {
        let call = &body.calls[call.ix()];
        (call.expr, call.callee)
    };
    let (name, receiver) = match callee {
        Callee::Method { receiver, name } => (body.name(name).as_str(), receiver),
        _ => ("<init>", None),
    };
    let target = resolved.library_method(expr);
    let class = match target {
        Some(m) => Some(program.method_owner(m)),
        None => {
            let at = receiver.unwrap_or(expr);
            program.library_type_of(resolved.ty(at))
        }
    };
    let typed = class.and_then(|class| {
        by_class(program.type_name(class), name, || {
            program.supertype_names(class)
        })
    });
    typed.unwrap_or_else(|| by_name(name))
}

/// What a call does, if its target is not in the workspace.
pub fn of_call(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    call: CallId,
) -> Option<Behaviour> {
    match resolved.calls.get(call.ix()) {
        Some(CallTarget::Workspace(_)) => None,
        _ => Some(behaviour(program, body, resolved, call)),
    }
}

/// The object whose change a change of `e`'s value is: through casts, calls that give their receiver or an argument, and
/// with `views` through views of them.
pub fn object(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    mut e: ExprId,
    views: bool,
) -> ExprId {
    for _ in 0..MAX_LINKS {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => e = operand,
            ExprKind::Call(c) => {
                let Some(does) = of_call(program, body, resolved, c) else {
                    return e;
                };
                let call = &body.calls[c.ix()];
                let Callee::Method { receiver, .. } = call.callee else {
                    return e;
                };
                let gives = does.returns_receiver() || views && does.is_view();
                let first = does.returns.has(0) || views && does.views.has(0);
                match (receiver, body.list(call.args).first()) {
                    (Some(receiver), _) if gives => e = receiver,
                    (_, Some(&argument)) if first => e = argument,
                    _ => return e,
                }
            }
            _ => return e,
        }
    }
    e
}

#[cfg(test)]
mod tests;
