//! The variables of a point and what is derived from them: `size(a[])`, `a[i]`, `a[i-1]`.
//!
//! A constraint speaks of terms. A term knows where its value comes from, so that a constraint can be asked about a sample without
//! the learner that found it.

use crate::declared::Declared;
use crate::look::Look;
use crate::point::{Comparability, Point, Traits, Variable, VariableKind, agree};
use crate::value::{Kind, Rep, Value};
use std::sync::Arc;

/// Where a term's value comes from: positions are those of the point's variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The variable itself.
    Plain(u32),
    /// The length of a sequence, plus `shift` (0 or -1).
    Size { sequence: u32, shift: i8 },
    /// An element of a sequence: the one at the index, or the one before it (`shift` -1).
    Element {
        sequence: u32,
        index: u32,
        shift: i8,
    },
}

/// Why a derived value is missing, or what it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Derived {
    /// There is one.
    Value(Value),
    /// What it is derived from is missing.
    Missing,
    /// The index points outside of the sequence: then nobody should index it like that.
    Outside,
}

impl Source {
    /// The value in a sample; the sample has one value a variable of the point.
    pub(crate) fn derive(self, sample: &[Value]) -> Derived {
        let at = |i: u32| sample.get(i as usize).unwrap_or(&Value::Missing);
        match self {
            Source::Plain(i) => match at(i) {
                Value::Missing => Derived::Missing,
                value => Derived::Value(value.clone()),
            },
            Source::Size { sequence, shift } => match at(sequence).length() {
                Some(length) => {
                    let length = i64::try_from(length).unwrap_or(i64::MAX);
                    Derived::Value(Value::Int(length + i64::from(shift)))
                }
                None => Derived::Missing,
            },
            Source::Element {
                sequence,
                index,
                shift,
            } => {
                let sequence = at(sequence);
                let (Some(_), Some(index)) = (sequence.length(), at(index).int()) else {
                    return Derived::Missing;
                };
                let index = index.checked_add(i64::from(shift));
                let place = index.and_then(|i| usize::try_from(i).ok());
                match place.and_then(|place| sequence.element(place)) {
                    Some(value) => Derived::Value(value),
                    None => Derived::Outside,
                }
            }
        }
    }

    /// The value in a sample, if there is one.
    pub fn value(self, sample: &[Value]) -> Option<Value> {
        match self.derive(sample) {
            Derived::Value(value) => Some(value),
            Derived::Missing | Derived::Outside => None,
        }
    }
}

/// A variable of a point, or what is derived from its variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub source: Source,
    /// As a reader sees it: Java, with `[]` for all elements and `orig()` for what held at the entry.
    pub name: String,
    pub rep: Rep,
    /// How its values read.
    pub look: Look,
    /// What the variables of the point are called, where constants read by their names.
    pub(crate) beside: Option<Arc<[String]>>,
    /// The type in the source; of a derived term that of its value.
    pub(crate) declared: Declared,
    pub comparability: Comparability,
    pub traits: Traits,
    /// It is what held at the entry.
    pub original: bool,
    /// It is the name of a class.
    pub(crate) is_type: bool,
    /// The parameter that it hangs on, and at an exit what that held at the entry.
    pub(crate) parameter: Option<(u32, Option<u32>)>,
    /// It is a parameter itself, or says no more than that: its class, its size.
    pub(crate) own: bool,
    /// How much there is to read: of what is equal the simplest speaks for all.
    pub(crate) complexity: u32,
    /// Never another value than this one.
    pub(crate) is_constant: bool,
}

impl Term {
    /// True if it is made of other variables.
    pub(crate) fn is_derived(&self) -> bool {
        !matches!(self.source, Source::Plain(_))
    }

    /// `a[i]` of floating-point numbers. Daikon makes none, for it looks for an index that is such a number itself; readers find the
    /// same lines here, and who checks values has them.
    pub(crate) fn is_element_of_doubles(&self) -> bool {
        matches!(self.source, Source::Element { .. }) && self.rep.kind == Kind::Double
    }

    /// True if it makes sense to compare values (or elements) of both.
    pub(crate) fn compares_with(&self, other: &Term) -> bool {
        self.rep.kind == other.rep.kind
            && agree(self.comparability.own, other.comparability.own)
            && (!(self.rep.sequence && other.rep.sequence)
                || agree(self.comparability.index, other.comparability.index))
            && match (self.rep.sequence, other.rep.sequence) {
                (true, false) => self.declared.element().is_related(&other.declared),
                (false, true) => other.declared.element().is_related(&self.declared),
                _ => self.declared.is_related(&other.declared),
            }
    }

    /// A text, where it reads without quotes and cannot be taken for a variable.
    pub(crate) fn bare<'t>(&self, text: &'t str) -> Option<&'t str> {
        let is_variable =
            |name: &&str| self.beside.iter().flat_map(|b| b.iter()).any(|v| v == name);
        self.look.text(text).filter(|name| !is_variable(name))
    }

    /// True if pairs of the two are looked at.
    pub(crate) fn is_pair_with(&self, other: &Term) -> bool {
        self.compares_with(other) && self.is_type == other.is_type
    }

    /// True if the two, should they always be equal, are one.
    pub(crate) fn can_be(&self, other: &Term) -> bool {
        self.declared == other.declared
            && self.comparability == other.comparability
            && self.traits.non_null == other.traits.non_null
            && self.traits.unordered == other.traits.unordered
            && self.traits.no_duplicates == other.traits.no_duplicates
            && self.traits.no_size == other.traits.no_size
    }
}

/// The variables of a point, in order, then what is derived from them.
pub fn terms(point: &Point) -> Vec<Term> {
    let variables = &point.variables;
    let mut all: Vec<Term> = (0u32..).zip(variables).map(|(i, v)| plain(i, v)).collect();
    for (i, term) in (0u32..).zip(&mut all) {
        term.own = point.is_own_to_call(i);
        term.complexity = complexity(point, i);
        term.parameter = parameter(point, i).or(term.own.then_some((i, None)));
    }
    for (i, sequence) in (0u32..).zip(variables) {
        if has_size(sequence) {
            all.push(size(i, sequence, 0));
            all.push(size(i, sequence, -1));
        }
    }
    // Of two variables the first one counts, be it the sequence or the index.
    for (i, first) in (0u32..).zip(variables) {
        for (j, second) in (0u32..).zip(variables).skip(i as usize + 1) {
            let (sequence, index) = if first.rep.sequence {
                ((i, first), (j, second))
            } else {
                ((j, second), (i, first))
            };
            if is_index_of(index.1, sequence.1) {
                all.push(element(sequence, index, 0));
                all.push(element(sequence, index, -1));
            }
        }
    }
    for i in variables.len()..all.len() {
        let of = |position: u32| &all[position as usize];
        let (sequence, more) = match all[i].source {
            Source::Plain(sequence) => (sequence, 0),
            Source::Size { sequence, shift } => (sequence, u32::from(shift != 0)),
            Source::Element {
                sequence,
                index,
                shift,
            } => {
                // One word stands around both, or one more around the index.
                let index_costs = match (of(sequence).original, of(index).original) {
                    (true, true) => of(index).complexity - 1,
                    (true, false) => of(index).complexity + 1,
                    (false, _) => of(index).complexity,
                };
                (sequence, index_costs + u32::from(shift != 0))
            }
        };
        let is_size = matches!(all[i].source, Source::Size { shift: 0, .. });
        let hangs_on = |p: u32| {
            let enclosing = variables[sequence as usize].enclosing.as_deref();
            enclosing == Some(&variables[p as usize].name)
        };
        let parameter = of(sequence).parameter.or_else(|| match all[i].source {
            // Of what hangs on nothing that the caller gave, the index counts.
            Source::Element { index, .. }
                if !of(sequence).original && point.handed(sequence).is_none() =>
            {
                parameter(point, now(point, index)?)
            }
            _ => None,
        });
        // What a parameter points at is told by what it was.
        let by_parameter = match all[i].source {
            Source::Element {
                sequence, index, ..
            } => !of(sequence).original && of(index).own,
            _ => false,
        };
        let own = by_parameter || is_size && parameter.is_some_and(|(p, _)| hangs_on(p));
        let complexity = of(sequence).complexity + 1 + more;
        all[i].parameter = parameter.or(by_parameter.then_some((0, None)));
        all[i].own = own;
        all[i].complexity = complexity;
    }
    if variables.iter().any(|v| v.look == Look::Constant) {
        let names: Arc<[String]> = variables.iter().map(Variable::shown).collect();
        let constants = all.iter_mut().filter(|t| t.look == Look::Constant);
        constants.for_each(|t| t.beside = Some(Arc::clone(&names)));
    }
    all
}

/// How many steps lead to a variable; that it is what held at the entry counts as one.
fn complexity(point: &Point, variable: u32) -> u32 {
    let Some(mut at) = point.variables.get(variable as usize) else {
        return 0;
    };
    let mut steps = 1 + u32::from(at.original);
    while let Some(next) = at.enclosing.as_ref().and_then(|name| point.variable(name))
        && steps < 64
    {
        at = &point.variables[next];
        steps += 1;
    }
    steps
}

fn parameter(point: &Point, variable: u32) -> Option<(u32, Option<u32>)> {
    let parameter = point.parameter_of(variable)?;
    let name = format!("orig({})", point.variables[parameter].name);
    let position = |i: usize| u32::try_from(i).ok();
    Some((
        position(parameter)?,
        point.variable(&name).and_then(position),
    ))
}

/// The variable that says what this one is now, if it says what it was at the entry.
fn now(point: &Point, variable: u32) -> Option<u32> {
    let v = point.variables.get(variable as usize)?;
    if !v.original {
        return Some(variable);
    }
    let name = v.name.strip_prefix("orig(")?.strip_suffix(')')?;
    u32::try_from(point.variable(name)?).ok()
}

/// The elements themselves and their fields, but not what is made of them.
fn has_elements(variable: &Variable) -> bool {
    matches!(variable.kind, VariableKind::Array | VariableKind::Field(_))
}

/// True if it makes sense to look up elements of the sequence with this number.
fn is_index_of(index: &Variable, sequence: &Variable) -> bool {
    sequence.rep.sequence
        && !sequence.traits.unordered
        && has_elements(sequence)
        && index.rep == Rep::one(Kind::Int)
        && agree(sequence.comparability.index, index.comparability.own)
}

fn has_size(variable: &Variable) -> bool {
    variable.rep.sequence && variable.kind == VariableKind::Array && !variable.traits.no_size
}

fn plain(i: u32, variable: &Variable) -> Term {
    Term {
        source: Source::Plain(i),
        name: variable.shown(),
        rep: variable.rep,
        look: variable.look,
        beside: None,
        declared: Declared::of(&variable.declared),
        comparability: variable.comparability.clone(),
        traits: variable.traits,
        original: variable.original,
        is_type: variable.is_type(),
        parameter: None,
        own: false,
        complexity: 1,
        is_constant: variable.constant.is_some(),
    }
}

/// The name without the `orig()` around it.
fn inside(variable: &Variable) -> String {
    let name = variable.shown();
    match name.strip_prefix("orig(").and_then(|n| n.strip_suffix(')')) {
        Some(name) if variable.original => name.to_owned(),
        _ => name,
    }
}

fn wrapped(name: String, original: bool) -> String {
    if original {
        format!("orig({name})")
    } else {
        name
    }
}

fn size(i: u32, sequence: &Variable, shift: i8) -> Term {
    let name = wrapped(format!("size({})", inside(sequence)), sequence.original);
    let own = sequence.comparability.index;
    Term {
        source: Source::Size { sequence: i, shift },
        name: if shift == 0 {
            name
        } else {
            format!("{name}{shift}")
        },
        rep: Rep::one(Kind::Int),
        look: Look::Plain,
        beside: None,
        declared: Declared::whole(),
        comparability: Comparability { own, index: -1 },
        traits: Traits::default(),
        original: sequence.original,
        is_type: false,
        parameter: None,
        own: false,
        complexity: 1,
        is_constant: false,
    }
}

fn element((s, sequence): (u32, &Variable), (i, index): (u32, &Variable), shift: i8) -> Term {
    let at = match (sequence.original, index.original) {
        (true, false) => format!("post({})", index.shown()),
        (true, true) => inside(index),
        (false, _) => index.shown(),
    };
    let at = if shift == 0 {
        at
    } else {
        format!("{at}{shift}")
    };
    let name = inside(sequence).replacen("[]", &format!("[{at}]"), 1);
    Term {
        source: Source::Element {
            sequence: s,
            index: i,
            shift,
        },
        name: wrapped(name, sequence.original),
        rep: Rep::one(sequence.rep.kind),
        look: sequence.look,
        beside: None,
        declared: Declared::of(&sequence.declared).element(),
        comparability: Comparability {
            own: sequence.comparability.own,
            index: -1,
        },
        traits: Traits {
            class_name: sequence.traits.class_name,
            ..Traits::default()
        },
        original: sequence.original,
        is_type: sequence.is_type(),
        parameter: None,
        own: false,
        complexity: 1,
        is_constant: false,
    }
}
