//! Calls that were recorded as a trace of version 2.0, as Daikon's front ends write them, for who has tools that read it.
//!
//! A method is two points. Of its returns it is not known which was taken: they share `…:::EXIT0`. The points of objects and
//! classes are left out, since the receiver stands at each of its methods. Numbers of objects are of one test; here each object has
//! its own.

use crate::flatten::ALIKE;
use crate::options::{Moment, Options};
use crate::samples::{Samples, by_method};
use crate::shape::Shape;
use evidence::{Called, Calls};
use invariants::point::VariableKind;
use invariants::trace::{write_head, write_point, write_sample};
use invariants::{Kind, Point, PointKind, Value, Variable};
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// Writes the calls of some tests, method by method; of those whose values another run saw otherwise, and that did not return, none.
/// How many were written.
///
/// # Errors
/// Those of the writer.
pub fn write_trace(tests: &[&Calls], out: &mut impl Write) -> io::Result<u64> {
    write_head(out)?;
    let options = Options::default();
    let mut nonce = 0;
    let mut objects = Objects::default();
    for (method, calls) in by_method(tests.iter().copied().enumerate(), &|_| true) {
        let moments = [Moment::Entry, Moment::Exit];
        let [entry, exit] = moments.map(|at| {
            let samples = Samples::of(method, at, &calls);
            samples.shape(&samples.all(), &options)
        });
        let [enter, leave] = points(method, &entry, &exit);
        write_point(out, &enter.point)?;
        write_point(out, &leave.point)?;
        for sampled in &calls {
            for (at, shape, own) in [
                (Moment::Entry, &entry, &enter),
                (Moment::Exit, &exit, &leave),
            ] {
                let row = shape.row(sampled.call, at, &method.parameters);
                let mut values = Vec::with_capacity(own.from.len());
                for (from, variable) in own.from.iter().zip(&own.point.variables) {
                    let value = from.and_then(|from| row.values.get(from));
                    let value = value.cloned().unwrap_or(Value::Missing);
                    values.push(match variable.rep.kind {
                        Kind::Reference => objects.renumber(sampled.test, value),
                        _ => value,
                    });
                }
                objects.forget_the_nameless();
                write_sample(out, &own.point, Some(nonce), &values)?;
            }
            nonce += 1;
        }
    }
    Ok(nonce.unsigned_abs())
}

/// Numbers of objects that mean the same in all tests, by test and number there.
#[derive(Default)]
struct Objects {
    known: FxHashMap<(usize, i64), i64>,
    /// Those that the recording has no number for: below 0, each of its sample alone.
    nameless: FxHashMap<i64, i64>,
    all: i64,
}

impl Objects {
    fn renumber(&mut self, test: usize, value: Value) -> Value {
        match value {
            Value::Int(number) => Value::Int(self.of(test, number)),
            Value::Ints(all) => Value::Ints(all.iter().map(|n| self.of(test, *n)).collect()),
            other => other,
        }
    }

    fn of(&mut self, test: usize, number: i64) -> i64 {
        let all = &mut self.all;
        let new = || {
            *all += 1;
            *all
        };
        match number {
            0 => 0,
            number if number < 0 => *self.nameless.entry(number).or_insert_with(new),
            number => *self.known.entry((test, number)).or_insert_with(new),
        }
    }

    /// A sample ends.
    fn forget_the_nameless(&mut self) {
        self.nameless.clear();
    }
}

/// A point of a trace, and at which places of our own rows its values stand.
struct Traced {
    point: Point,
    from: Vec<Option<usize>>,
}

/// Both points of a method. What is known at the entry stands at the exit first, as readers want it, also where it was not seen
/// there.
fn points(method: &Called, entry: &Shape, exit: &Shape) -> [Traced; 2] {
    let place = |name: &str| {
        let mut all = exit.point.variables.iter();
        all.position(|v| v.name == name)
    };
    let is_same = |v: &Variable| match place(&v.name) {
        Some(at) => exit.point.variables[at].rep == v.rep,
        None => true,
    };
    let name = |moment: &str| format!("{}:::{moment}", name_of(method));
    let mut enter = Traced {
        point: Point::new(&name("ENTER"), PointKind::Enter, Vec::new()),
        from: Vec::new(),
    };
    let mut leave = Traced {
        point: Point::new(&name("EXIT0"), PointKind::Subexit, Vec::new()),
        from: Vec::new(),
    };
    // What says whether there is a box has the name of what is in it.
    for (at, variable) in entry.point.variables.iter().enumerate() {
        if entry.boxes[at] {
            continue;
        }
        let mut variable = variable.clone();
        if variable.enclosing.is_none() {
            variable.traits.parameter = true;
            variable.traits.non_null = variable.name == "this";
        }
        if is_same(&variable) && hangs(&enter.point, &variable) {
            let at_exit = place(&variable.name);
            enter.point.variables.push(variable.clone());
            enter.from.push(Some(at));
            if let Some(at_exit) = at_exit {
                variable.look = exit.point.variables[at_exit].look;
            }
            leave.from.push(at_exit);
            leave.point.variables.push(variable);
        }
    }
    for (at, variable) in exit.point.variables.iter().enumerate() {
        let is_own = variable.original || variable.name.starts_with(ALIKE) || exit.boxes[at];
        let mut known = entry.point.variables.iter();
        if !is_own && !known.any(|v| v.name == variable.name) && hangs(&leave.point, variable) {
            let mut variable = variable.clone();
            if variable.name == "return" {
                variable.kind = VariableKind::Return;
            }
            leave.point.variables.push(variable);
            leave.from.push(Some(at));
        }
    }
    [enter, leave]
}

/// True if the variable that this one hangs on is there.
fn hangs(point: &Point, variable: &Variable) -> bool {
    let of = |name: &String| point.variables.iter().any(|v| v.name == *name);
    variable.enclosing.as_ref().is_none_or(of)
}

/// `pkg.Class.method(int, java.lang.String)`; a constructor is called as its class.
fn name_of(method: &Called) -> String {
    let class = &method.class;
    let own = match method.name.as_str() {
        "<init>" => class.rsplit(['.', '$']).next().unwrap_or(class),
        name => name,
    };
    let types = method.types().unwrap_or_default();
    format!("{class}.{own}({})", types.join(", "))
}
