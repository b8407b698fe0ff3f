//! The variables of a program point, and its samples as rows of them.
//!
//! The variables of a point are those that its samples show. A variable that is a number in one sample and a text in another is an
//! object in all: what a container holds, of which is asked whether it is there and what it is equal to, and of many how many they
//! are. One that is an enum's constant in one and a text in another reads as a text.

use crate::distinct::{Distinct, Named, Shown};
use crate::flatten::{ALIKE, About, BOX, Part, Root, as_reference, each};
use crate::options::Moment;
use evidence::Call;
use invariants::term::Source;
use invariants::{Kind, Look, Point, PointKind, Rep, Value as Flat, Variable, point::VariableKind};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::sync::Arc;

/// How many variables a point has at most: the outer ones first.
const VARIABLES: usize = 64;

/// The variables of a point.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) point: Point,
    pub(crate) about: Vec<About>,
    /// By variable: the field of what it hangs on through which it is read, if it is one.
    pub(crate) fields: Vec<Option<SmolStr>>,
    /// By variable: it only says whether there is a box, whose name it has.
    pub(crate) boxes: Vec<bool>,
    places: FxHashMap<String, usize>,
}

/// What a call is as a sample of a point: a value a variable.
pub(crate) struct Row {
    pub(crate) values: Vec<Flat>,
    /// How each reads, whatever the others are that the variable held.
    looks: Vec<Look>,
}

impl Row {
    /// What there is at a place, and how it reads.
    pub(crate) fn at(&self, source: Source) -> (Flat, Look) {
        let look = match source {
            Source::Plain(of) | Source::Element { sequence: of, .. } => self.look(of as usize),
            Source::Size { .. } => Look::Plain,
        };
        (source.value(&self.values).unwrap_or(Flat::Missing), look)
    }

    /// How a variable's value reads.
    pub(crate) fn look(&self, variable: usize) -> Look {
        self.looks.get(variable).copied().unwrap_or_default()
    }
}

/// What is known of a variable so far.
struct Known {
    rep: Option<Rep>,
    look: Look,
    unordered: bool,
    about: About,
    order: usize,
}

impl Known {
    fn new(shown: &Shown, order: usize) -> Known {
        Known {
            rep: None,
            look: Look::Plain,
            unordered: false,
            about: shown.about,
            order,
        }
    }

    fn see(&mut self, shown: &Shown) {
        self.unordered |= shown.unordered;
        match (self.rep, shown.rep) {
            (None, rep) => (self.rep, self.look) = (rep, shown.look),
            (Some(a), Some(b)) => {
                if self.look != shown.look || a != b {
                    self.look = Look::Plain;
                }
                if a != b {
                    self.rep = Some(Rep {
                        kind: Kind::Reference,
                        ..a
                    });
                }
            }
            (Some(_), None) => {}
        }
    }
}

impl Shape {
    /// The variables that some of the samples show.
    pub(crate) fn of(
        name: &str,
        at: Moment,
        wants_alike: bool,
        distinct: &Distinct,
        samples: impl Iterator<Item = u32>,
    ) -> Shape {
        let variables = &distinct.variables;
        let mut known: Vec<Option<Known>> = Vec::new();
        known.resize_with(variables.len(), || None);
        let mut order = 0..;
        for shown in samples.flat_map(|number| distinct.sample(number)) {
            let new = || Known::new(shown, order.next().unwrap_or_default());
            known[shown.variable].get_or_insert_with(new).see(shown);
        }
        let known = variables.iter().zip(known);
        let mut all: Vec<(&Named, Known)> = known.filter_map(|(v, k)| Some((v, k?))).collect();
        all.retain(|(v, _)| wants_alike || !v.name.starts_with(ALIKE));
        // What never was a box needs none.
        all.retain(|(v, k)| k.rep.is_some() || !v.name.starts_with(BOX));
        all.sort_by_key(|(v, k)| (v.depth, k.order));
        all.truncate(VARIABLES);
        all.sort_by_key(|(_, k)| k.order);
        let mut shape = Shape {
            point: Point::new(
                name,
                match at {
                    Moment::Entry => PointKind::Enter,
                    Moment::Exit => PointKind::Exit,
                },
                Vec::with_capacity(all.len()),
            ),
            about: Vec::with_capacity(all.len()),
            fields: Vec::with_capacity(all.len()),
            boxes: Vec::with_capacity(all.len()),
            places: FxHashMap::default(),
        };
        for (named, own) in all {
            let rep = own.rep.unwrap_or(match named.kind {
                VariableKind::Array => Rep::many(Kind::Reference),
                _ => Rep::one(Kind::Reference),
            });
            let name = named.name.strip_prefix(BOX).unwrap_or(&named.name);
            let mut variable = Variable::new(name, declared(rep), rep);
            variable.look = own.look;
            variable.kind = named.kind.clone();
            variable.enclosing = named.enclosing.clone();
            variable.original = named.name.starts_with("orig(");
            variable.traits.unordered = own.unordered;
            variable.traits.alone = rep.kind == Kind::Text;
            shape.places.insert(named.name.clone(), shape.about.len());
            shape.about.push(own.about);
            shape.fields.push(first_field(name));
            shape.boxes.push(named.name.starts_with(BOX));
            shape.point.variables.push(variable);
        }
        shape
    }

    /// What the samples show of their receiver when the calls return: the same variables whatever was called.
    pub(crate) fn of_receiver(
        class: &str,
        wants_alike: bool,
        distinct: &Distinct,
        samples: impl Iterator<Item = u32>,
    ) -> Shape {
        let all = Shape::of(class, Moment::Exit, wants_alike, distinct, samples);
        let mut out = Shape {
            point: Point::new(class, PointKind::Exit, Vec::new()),
            about: Vec::new(),
            fields: Vec::new(),
            boxes: Vec::new(),
            places: FxHashMap::default(),
        };
        let variables = all.point.variables.into_iter().zip(all.about);
        for ((variable, about), is_box) in variables.zip(all.boxes) {
            if about.root == Root::This && !about.is_given {
                let prefix = if is_box { BOX } else { "" };
                let name = [prefix, &variable.name].concat();
                out.places.insert(name, out.about.len());
                out.about.push(about);
                out.boxes.push(is_box);
                out.fields.push(first_field(&variable.name));
                out.point.variables.push(variable);
            }
        }
        out
    }

    /// What a call is as a sample of the point.
    pub(crate) fn row(&self, call: &Call, at: Moment, parameters: &[SmolStr]) -> Row {
        let mut row = Row {
            values: vec![Flat::Missing; self.about.len()],
            looks: vec![Look::Plain; self.about.len()],
        };
        each(call, at, parameters, &mut |name, item| {
            if let Some(place) = self.places.get(name) {
                let is_sequence = item.part == Part::Elements;
                row.values[*place] = self.held(*place, item.value, item.rep, is_sequence);
                row.looks[*place] = item.look;
            }
        });
        row
    }

    /// Samples of the point, by their numbers.
    pub(crate) fn rows(
        &self,
        distinct: &Distinct,
        samples: impl Iterator<Item = u32>,
    ) -> Vec<Vec<Flat>> {
        let variables = &distinct.variables;
        let place = |v: &Named| self.places.get(&v.name).copied();
        let places: Vec<Option<usize>> = variables.iter().map(place).collect();
        let row = |number| {
            let mut row = vec![Flat::Missing; self.about.len()];
            for shown in distinct.sample(number) {
                if let Some(place) = places[shown.variable] {
                    let is_sequence = variables[shown.variable].kind == VariableKind::Array;
                    row[place] = self.held(place, shown.value.clone(), shown.rep, is_sequence);
                }
            }
            row
        };
        samples.map(row).collect()
    }

    /// What a variable of the point held.
    fn held(&self, place: usize, value: Flat, rep: Option<Rep>, is_sequence: bool) -> Flat {
        let own = self.point.variables[place].rep;
        match rep {
            // `null`, or a sequence of nothing else, of a variable that is something elsewhere.
            None if !is_sequence => nothing(own),
            None => nulls(own, value.length().unwrap_or(0)),
            Some(rep) if own.kind == Kind::Reference => as_reference(rep.kind, value),
            // Objects, where all others were numbers.
            Some(rep) if is_sequence && rep.kind == Kind::Reference => Flat::Missing,
            Some(_) => value,
        }
    }
}

/// `list` of `this.list[..]`; what a call would give, as `size()`, is no field.
fn first_field(variable: &str) -> Option<SmolStr> {
    let (_, path) = variable.split_once('.')?;
    let end = path.find(['.', '[', '(']).unwrap_or(path.len());
    let is_field = end > 0 && !path[end..].starts_with('(');
    is_field.then(|| path[..end].into())
}

/// What `null` is to a variable.
fn nothing(rep: Rep) -> Flat {
    match (rep.kind, rep.sequence) {
        (Kind::Text, false) => Flat::Text(None),
        (Kind::Reference, false) => Flat::Int(0),
        _ => Flat::Missing,
    }
}

/// What so many `null` are to a variable. A box that is null is no number.
fn nulls(rep: Rep, length: usize) -> Flat {
    match (rep.kind, rep.sequence) {
        (Kind::Text, true) => Flat::Texts(vec![None; length].into()),
        (Kind::Reference, true) => Flat::Ints(vec![0; length].into()),
        (_, true) if length > 0 => Flat::Missing,
        (Kind::Double, true) => Flat::Doubles(Arc::from([])),
        (_, true) => Flat::Ints(Arc::from([])),
        _ => Flat::Missing,
    }
}

fn declared(rep: Rep) -> &'static str {
    match (rep.kind, rep.sequence) {
        (Kind::Boolean, false) => "boolean",
        (Kind::Int, false) => "long",
        (Kind::Double, false) => "double",
        (Kind::Text, false) => "java.lang.String",
        (Kind::Reference, false) => "java.lang.Object",
        (Kind::Boolean, true) => "boolean[]",
        (Kind::Int, true) => "long[]",
        (Kind::Double, true) => "double[]",
        (Kind::Text, true) => "java.lang.String[]",
        (Kind::Reference, true) => "java.lang.Object[]",
    }
}
