//! From values as objects to variables of a program point: `this.data[]`, `return.imaginary`, `orig(this.count)`.

use crate::alike::alike;
use crate::options::Moment;
use crate::plain::{look, single};
use evidence::{Call, Order, Value};
use invariants::{Kind, Look, Rep, Value as Flat, point::VariableKind};
use smol_str::SmolStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// How many fields lead from a parameter to what is looked at.
const DEPTH: u32 = 2;

/// How the names of variables begin that say whether two objects hold the same.
pub(crate) const ALIKE: &str = "alike(";

/// How variables begin, as the samples name them, that say whether there is a box: what is in it goes by the name behind it. A point
/// calls both by that name.
pub(crate) const BOX: &str = "box ";

/// A number, truth value or text as the object that it is to a variable of any type: equal ones are one. Where there is nothing it
/// is `null`.
pub(crate) fn as_reference(kind: Kind, value: Flat) -> Flat {
    let one = |hash: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        kind.hash(&mut hasher);
        hash(&mut hasher);
        // Away from the numbers of objects, and from those of objects that have none.
        i64::MIN | (hasher.finish() >> 2).cast_signed()
    };
    let text = |t: &Option<Arc<str>>| t.as_ref().map_or(0, |t| one(&|h| t.hash(h)));
    let int = |v: &i64| one(&|h| v.hash(h));
    let double = |v: &f64| one(&|h| v.to_bits().hash(h));
    match value {
        _ if kind == Kind::Reference => value,
        Flat::Missing => Flat::Missing,
        Flat::Int(v) => Flat::Int(int(&v)),
        Flat::Double(v) => Flat::Int(double(&v)),
        Flat::Text(t) => Flat::Int(text(&t)),
        Flat::Ints(all) => Flat::Ints(all.iter().map(int).collect()),
        Flat::Doubles(all) => Flat::Ints(all.iter().map(double).collect()),
        Flat::Texts(all) => Flat::Ints(all.iter().map(text).collect()),
    }
}

/// Where a variable hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Root {
    This,
    Parameter(usize),
    Return,
}

/// What is said of a variable beside its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct About {
    pub(crate) root: Root,
    /// It was so before the call did anything.
    pub(crate) is_given: bool,
    /// A text that stands for something else, a constant or a number: how long it is says nothing.
    pub(crate) is_name: bool,
}

/// One variable in one sample. Most are known already when they are told of: what only a new one needs is made when it is asked.
pub(crate) struct Item<'i> {
    pub(crate) value: Flat,
    /// Not known of `null` alone.
    pub(crate) rep: Option<Rep>,
    /// Of `null` alone it says nothing.
    pub(crate) look: Look,
    pub(crate) part: Part<'i>,
    /// What it is a part of, as that is called after the call.
    within: Option<&'i str>,
    /// It is what was before.
    is_before: bool,
    pub(crate) unordered: bool,
    pub(crate) depth: u32,
    pub(crate) about: About,
}

impl Item<'_> {
    pub(crate) fn enclosing(&self) -> Option<String> {
        let name = self.within?;
        Some(match self.is_before {
            true => before(name),
            false => name.to_owned(),
        })
    }
}

/// Which part of what it is in a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'i> {
    Whole,
    Field(&'i str),
    Function(&'static str),
    Elements,
}

impl Part<'_> {
    pub(crate) fn kind(self) -> VariableKind {
        match self {
            Part::Whole => VariableKind::Variable,
            Part::Field(name) => VariableKind::Field(name.to_owned()),
            Part::Function(call) => VariableKind::Function(call.to_owned()),
            Part::Elements => VariableKind::Array,
        }
    }
}

/// How what a variable was before the call is called after it.
fn before(name: &str) -> String {
    ["orig(", name, ")"].concat()
}

/// A hash of all that [`each`] tells of. Numbers have few bits that are set, which a weaker one takes for one another.
pub(crate) fn hashed(call: &Call, at: Moment) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash(call, at, &mut hasher);
    hasher.finish()
}

/// Writes all that [`each`] tells of.
pub(crate) fn hash(call: &Call, at: Moment, hasher: &mut impl Hasher) {
    call.before.hash(hasher);
    if at == Moment::Exit
        && let Some(end) = &call.end
    {
        end.after.hash(hasher);
        end.result.hash(hasher);
    }
}

/// Tells of each variable of a sample. A call that did not return has none at its exit.
pub(crate) fn each(
    call: &Call,
    at: Moment,
    parameters: &[SmolStr],
    tell: &mut dyn FnMut(&str, Item<'_>),
) {
    let parameter = |i: usize| match parameters.get(i) {
        Some(name) if !name.is_empty() => name.to_string(),
        _ => format!("arg{i}"),
    };
    let mut walker = Walker {
        tell,
        fresh: 0,
        wrap: false,
        about: About {
            root: Root::This,
            is_given: at == Moment::Entry,
            is_name: false,
        },
        look: Look::Plain,
    };
    let before = &call.before;
    if at == Moment::Entry {
        for (i, value) in before.iter().enumerate() {
            let root = match i {
                0 => Root::This,
                _ => Root::Parameter(i - 1),
            };
            walker.root(root, true, value, &name_of(root, &parameter));
        }
        return;
    }
    let Some(end) = &call.end else { return };
    for (i, value) in end.after.iter().enumerate() {
        let root = match i {
            0 => Root::This,
            _ => Root::Parameter(i - 1),
        };
        let name = name_of(root, &parameter);
        // What a parameter itself was does not change for the caller, what it holds does.
        walker.root(root, root != Root::This && !is_object(value), value, &name);
    }
    walker.root(Root::Return, false, &end.result, "return");
    for (i, value) in before.iter().enumerate() {
        let root = match i {
            0 => Root::This,
            _ => Root::Parameter(i - 1),
        };
        if is_object(value) {
            walker.wrap = true;
            walker.root(root, true, value, &name_of(root, &parameter));
            walker.wrap = false;
        }
    }
    for (i, a) in before.iter().enumerate() {
        for (j, b) in before.iter().enumerate().skip(i + 1) {
            let Some(are_alike) = alike(a, b) else {
                continue;
            };
            let name = |i: usize| match i {
                0 => name_of(Root::This, &parameter),
                _ => name_of(Root::Parameter(i - 1), &parameter),
            };
            walker.about = About {
                root: Root::This,
                is_given: true,
                is_name: false,
            };
            let name = [ALIKE, &name(i), ", ", &name(j), ")"].concat();
            let place = (name.as_str(), None, Part::Whole);
            let rep = Some(Rep::one(Kind::Boolean));
            walker.say(place, Flat::Int(i64::from(are_alike)), rep, 1);
        }
    }
}

fn name_of(root: Root, parameter: &dyn Fn(usize) -> String) -> String {
    match root {
        Root::This => "this".to_owned(),
        Root::Parameter(i) => parameter(i),
        Root::Return => "return".to_owned(),
    }
}

/// True for what other code could change.
fn is_object(value: &Value) -> bool {
    matches!(
        value,
        Value::Object { .. }
            | Value::Array { .. }
            | Value::Collection { .. }
            | Value::Map { .. }
            | Value::Holder { .. }
            | Value::Chars { .. }
    )
}

struct Walker<'a> {
    tell: &'a mut dyn FnMut(&str, Item<'_>),
    /// Numbers of objects that have none: each is another.
    fresh: i64,
    /// Names are those of what was before.
    wrap: bool,
    about: About,
    look: Look,
}

impl Walker<'_> {
    fn root(&mut self, root: Root, is_given: bool, value: &Value, name: &str) {
        self.about = About {
            root,
            is_given,
            is_name: false,
        };
        self.walk(name, None, Part::Whole, value, 0);
    }

    fn say(
        &mut self,
        (name, within, part): (&str, Option<&str>, Part<'_>),
        value: Flat,
        rep: Option<Rep>,
        depth: u32,
    ) {
        let item = Item {
            value,
            rep,
            look: self.look,
            part,
            within,
            is_before: self.wrap,
            unordered: false,
            depth,
            about: self.about,
        };
        self.tell(name, item);
    }

    fn tell(&mut self, name: &str, item: Item<'_>) {
        match self.wrap {
            true => (self.tell)(&before(name), item),
            false => (self.tell)(name, item),
        }
    }

    fn walk(
        &mut self,
        name: &str,
        within: Option<&str>,
        part: Part<'_>,
        value: &Value,
        depth: u32,
    ) {
        let one = |kind| Some(Rep::one(kind));
        let place = (name, within, part);
        match value {
            Value::Absent | Value::Threw(_) => {}
            Value::Null => {
                self.say(place, Flat::Int(0), None, depth);
                self.boxed(place, Flat::Int(0), None, depth);
            }
            Value::Boxed(v) | Value::Holder { value: v, .. } => {
                self.walk(name, within, part, v, depth);
                let number = Flat::Int(self.number(None));
                self.boxed(place, number, Some(Rep::one(Kind::Reference)), depth);
            }
            Value::Object {
                identity, fields, ..
            } => {
                self.reference(place, Some(*identity), depth);
                if depth >= DEPTH {
                    return;
                }
                for (field, value) in fields {
                    let own = [name, ".", field].concat();
                    self.walk(&own, Some(name), Part::Field(field), value, depth + 1);
                }
            }
            Value::Opaque { identity, .. } | Value::Again(identity) => {
                self.reference(place, Some(*identity), depth);
            }
            Value::Throwable { .. } => self.reference(place, None, depth),
            Value::Array {
                length, elements, ..
            } => {
                self.reference(place, None, depth);
                self.elements(name, elements, *length, false, depth);
            }
            Value::Collection {
                size,
                elements,
                kind,
                ..
            } => {
                self.reference(place, None, depth);
                self.elements(name, elements, *size, *kind == Order::Set, depth);
            }
            Value::Map { size, .. } => {
                self.reference(place, None, depth);
                let own = [name, ".size()"].concat();
                let size = Flat::Int(i64::try_from(*size).unwrap_or(i64::MAX));
                let place = (own.as_str(), Some(name), Part::Function("size()"));
                self.say(place, size, one(Kind::Int), depth + 1);
            }
            Value::Optional { value, .. } => {
                self.reference(place, None, depth);
                let own = [name, ".isPresent()"].concat();
                let is_present = Flat::Int(i64::from(value.is_some()));
                let place = (own.as_str(), Some(name), Part::Function("isPresent()"));
                self.say(place, is_present, one(Kind::Boolean), depth + 1);
            }
            value => {
                let Some((kind, flat)) = single(value) else {
                    return;
                };
                self.about.is_name = matches!(value, Value::Enum { .. } | Value::Printed { .. });
                self.look = look(value);
                self.say(place, flat, one(kind), depth);
                self.about.is_name = false;
                self.look = Look::Plain;
            }
        }
    }

    fn reference(
        &mut self,
        place: (&str, Option<&str>, Part<'_>),
        identity: Option<u64>,
        depth: u32,
    ) {
        // Which object a parameter was, it is still.
        if self.wrap && place.1.is_none() {
            return;
        }
        let number = self.number(identity);
        self.say(
            place,
            Flat::Int(number),
            Some(Rep::one(Kind::Reference)),
            depth,
        );
    }

    /// Whether there is a box, or nothing: a number says nothing of that.
    fn boxed(
        &mut self,
        (name, within, part): (&str, Option<&str>, Part<'_>),
        value: Flat,
        rep: Option<Rep>,
        depth: u32,
    ) {
        if !self.wrap {
            let own = [BOX, name].concat();
            self.say((&own, within, part), value, rep, depth);
        }
    }

    fn number(&mut self, identity: Option<u64>) -> i64 {
        match identity.and_then(|i| i64::try_from(i).ok()) {
            Some(i) => i,
            None => {
                self.fresh -= 1;
                self.fresh
            }
        }
    }

    /// The elements of a sequence, if all of them are known.
    fn elements(&mut self, of: &str, elements: &[Value], length: u64, unordered: bool, depth: u32) {
        if length != elements.len() as u64 {
            return;
        }
        let (name, depth) = ([of, "[..]"].concat(), depth + 1);
        let mut looks = elements.iter().map(Value::unboxed);
        let mut looks = looks.by_ref().filter(|v| !matches!(v, Value::Null));
        let first = looks.next().map(look).unwrap_or_default();
        let look = match looks.all(|v| look(v) == first) {
            true => first,
            false => Look::Plain,
        };
        let mut flat = Vec::with_capacity(elements.len());
        for element in elements {
            let element = element.unboxed();
            let (own, value) = match (single(element), element) {
                (Some(both), _) => both,
                (None, Value::Null) => {
                    flat.push(None);
                    continue;
                }
                (
                    None,
                    Value::Object { identity, .. }
                    | Value::Opaque { identity, .. }
                    | Value::Again(identity),
                ) => (Kind::Reference, Flat::Int(self.number(Some(*identity)))),
                (None, _) => (Kind::Reference, Flat::Int(self.number(None))),
            };
            flat.push(Some((own, value)));
        }
        let kinds = || flat.iter().flatten().map(|(kind, _)| *kind);
        let first = kinds().next();
        // A list of this and that is one of objects; so is one of boxes of which some are not there, for no number is `null`.
        let is_box = first.is_some_and(|k| !matches!(k, Kind::Text | Kind::Reference));
        let lacks = is_box && flat.iter().any(Option::is_none);
        let kind = match kinds().all(|k| Some(k) == first) && !lacks {
            true => first,
            false => Some(Kind::Reference),
        };
        let own = |(own, value): (Kind, Flat)| match Some(own) == kind {
            true => value,
            false => as_reference(own, value),
        };
        let flat: Vec<Option<Flat>> = flat.into_iter().map(|v| v.map(own)).collect();
        let int = |v: &Option<Flat>| v.as_ref().map_or(Some(0), Flat::int);
        let value = match kind {
            Some(Kind::Double) => {
                let all: Option<Vec<f64>> = flat
                    .iter()
                    .map(|v| v.as_ref().and_then(Flat::number))
                    .collect();
                all.map(|all| Flat::Doubles(all.into()))
            }
            Some(Kind::Text) => {
                // One that is not known is not null.
                let text = |v: Option<Flat>| match v {
                    Some(Flat::Text(text)) => Some(text),
                    Some(_) => None,
                    None => Some(None),
                };
                let all: Option<Vec<_>> = flat.into_iter().map(text).collect();
                all.map(|all| Flat::Texts(all.into()))
            }
            Some(Kind::Reference) => {
                let all: Option<Vec<i64>> = flat.iter().map(int).collect();
                all.map(|all| Flat::Ints(all.into()))
            }
            Some(_) => {
                let all: Option<Vec<i64>> = flat.iter().map(int).collect();
                all.map(|all| Flat::Ints(all.into()))
            }
            // Nothing tells of what kind an empty one is, or one of nothing but `null`.
            None => Some(Flat::Ints(flat.iter().map(|_| 0).collect())),
        };
        let Some(value) = value else { return };
        let rep = kind.map(Rep::many);
        let item = Item {
            value,
            rep,
            look,
            part: Part::Elements,
            within: Some(of),
            is_before: self.wrap,
            unordered,
            depth,
            about: self.about,
        };
        self.tell(&name, item);
    }
}
