//! Points and values in few words.

use invariants::point::VariableKind;
use invariants::{Fate, Kind, Learner, Look, Options, Point, PointKind, Rep, Value, Variable};
use std::sync::Arc;

/// A point with variables `name: type`, as in `x: int`, `a: int[]`.
pub(crate) fn point(variables: &[&str]) -> Point {
    let variables = variables.iter().map(|text| {
        let (name, kind) = text.split_once(": ").expect("name: type");
        let (base, sequence) = match kind.strip_suffix("[]") {
            Some(base) => (base, true),
            None => (kind, false),
        };
        let rep = Rep {
            kind: match base {
                "int" | "char" => Kind::Int,
                "boolean" => Kind::Boolean,
                "double" => Kind::Double,
                "String" | "Class" | "enum" => Kind::Text,
                _ => Kind::Reference,
            },
            sequence,
        };
        let name = if sequence {
            format!("{name}[..]")
        } else {
            name.to_owned()
        };
        let mut variable = Variable::new(&name, kind, rep);
        variable.traits.class_name = base == "Class";
        variable.look = match base {
            "char" => Look::Char,
            "enum" => Look::Constant,
            _ => Look::Plain,
        };
        if sequence {
            variable.kind = VariableKind::Array;
        }
        variable
    });
    Point::new("p:::POINT", PointKind::Point, variables.collect())
}

pub(crate) fn ints(all: &[i64]) -> Value {
    Value::Ints(all.into())
}

pub(crate) fn texts(all: &[&str]) -> Value {
    Value::Texts(all.iter().map(|t| Some(Arc::from(*t))).collect())
}

pub(crate) fn learner(point: &Point) -> Learner {
    Learner::new(point, Options::for_checking())
}

/// Whether something that reads like this contradicts no sample, and whether it is told.
pub(crate) fn told(learner: &Learner) -> Vec<String> {
    let all = learner.all().into_iter();
    all.filter(|(_, fate)| *fate == Fate::Reported)
        .map(|(c, _)| c.text)
        .collect()
}

/// Everything that contradicts no sample.
pub(crate) fn holding(learner: &Learner) -> Vec<String> {
    learner.all().into_iter().map(|(c, _)| c.text).collect()
}
