//! What calls of a method showed at one moment, each different sample once.
//!
//! Tests call a method with the same values again and again, and learning asks of all of them several times: once of all, and once
//! of what is left when a part is left out. What is the same is flattened, learnt from and judged once, with its number.

use crate::flatten::{About, each, hashed};
use crate::options::Moment;
use evidence::Call;
use invariants::{Look, Rep, Value as Flat, point::VariableKind};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The different samples of some calls.
pub(crate) struct Distinct {
    /// In the order in which they are shown first.
    pub(crate) variables: Vec<Named>,
    samples: Vec<Arc<[Shown]>>,
    /// By call, the number of its sample.
    of: Vec<u32>,
}

/// A variable, as all samples have it.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) kind: VariableKind,
    pub(crate) enclosing: Option<String>,
    pub(crate) depth: u32,
}

/// What a sample shows of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// Its position among them.
    pub(crate) variable: usize,
    pub(crate) value: Flat,
    /// Not known of `null` alone.
    pub(crate) rep: Option<Rep>,
    /// Of `null` alone it says nothing.
    pub(crate) look: Look,
    pub(crate) unordered: bool,
    pub(crate) about: About,
}

impl Shown {
    fn rest(&self) -> (usize, Option<Rep>, Look, bool, About) {
        let (rep, look) = (self.rep, self.look);
        (self.variable, rep, look, self.unordered, self.about)
    }
}

/// To the bit: 0.0 is not -0.0, for who divides by it.
impl PartialEq for Shown {
    fn eq(&self, other: &Shown) -> bool {
        let is_same = match (&self.value, &other.value) {
            (Flat::Double(a), Flat::Double(b)) => a.to_bits() == b.to_bits(),
            (Flat::Doubles(a), Flat::Doubles(b)) => {
                let bits = |v: &f64| v.to_bits();
                a.iter().map(bits).eq(b.iter().map(bits))
            }
            (a, b) => a == b,
        };
        is_same && self.rest() == other.rest()
    }
}

impl Eq for Shown {}

impl Hash for Shown {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rest().hash(state);
        match &self.value {
            Flat::Missing => {}
            Flat::Int(v) => v.hash(state),
            Flat::Double(v) => v.to_bits().hash(state),
            Flat::Text(v) => v.hash(state),
            Flat::Ints(all) => all.hash(state),
            Flat::Doubles(all) => all.iter().for_each(|v| v.to_bits().hash(state)),
            Flat::Texts(all) => all.hash(state),
        }
    }
}

/// Some calls by their samples.
pub(crate) struct Grouped {
    /// The numbers of the different samples, in the order in which they come first, and of how many calls each is.
    pub(crate) samples: Vec<(u32, u64)>,
    /// Which of these are of which test, in the order in which both come first: position, test, and in how many of its calls.
    pub(crate) by_test: Vec<(usize, usize, u32)>,
}

impl Grouped {
    /// The numbers of the samples.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.samples.iter().map(|(number, _)| *number)
    }
}

impl Distinct {
    pub(crate) fn of<'a>(
        at: Moment,
        parameters: &[SmolStr],
        calls: impl Iterator<Item = &'a Call>,
    ) -> Distinct {
        let mut variables: Vec<Named> = Vec::new();
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        let mut known: FxHashMap<Arc<[Shown]>, u32> = FxHashMap::default();
        let mut samples = Vec::new();
        let mut of = Vec::new();
        let mut row = Vec::new();
        // Most calls saw what another one did: these need not be flattened to be known.
        let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
        for call in calls {
            let seen = match seen.entry(hashed(call, at)) {
                Entry::Occupied(known) => {
                    of.push(*known.get());
                    continue;
                }
                Entry::Vacant(new) => new,
            };
            each(call, at, parameters, &mut |name, item| {
                let variable = numbers.get(name).copied().unwrap_or_else(|| {
                    let number = variables.len();
                    numbers.insert(name.to_owned(), number);
                    variables.push(Named {
                        name: name.to_owned(),
                        kind: item.part.kind(),
                        enclosing: item.enclosing(),
                        depth: item.depth,
                    });
                    number
                });
                row.push(Shown {
                    variable,
                    value: item.value,
                    rep: item.rep,
                    look: item.look,
                    unordered: item.unordered,
                    about: item.about,
                });
            });
            let number = known.get(row.as_slice()).copied().unwrap_or_else(|| {
                let number = u32::try_from(samples.len()).unwrap_or(u32::MAX);
                let own: Arc<[Shown]> = row.as_slice().into();
                samples.push(Arc::clone(&own));
                known.insert(own, number);
                number
            });
            row.clear();
            seen.insert(number);
            of.push(number);
        }
        Distinct {
            variables,
            samples,
            of,
        }
    }

    pub(crate) fn sample(&self, number: u32) -> &[Shown] {
        &self.samples[number as usize]
    }

    /// Some of the calls, by their positions, each with its test.
    pub(crate) fn grouped(&self, which: impl Iterator<Item = (usize, usize)>) -> Grouped {
        let mut out = Grouped {
            samples: Vec::new(),
            by_test: Vec::new(),
        };
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        let mut pairs: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        for (call, test) in which {
            let number = self.of[call];
            let place = *places.entry(number).or_insert_with(|| {
                out.samples.push((number, 0));
                out.samples.len() - 1
            });
            out.samples[place].1 += 1;
            let pair = *pairs.entry((place, test)).or_insert_with(|| {
                out.by_test.push((place, test, 0));
                out.by_test.len() - 1
            });
            out.by_test[pair].2 += 1;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use evidence::Value;
    use proptest::prelude::*;

    fn call(value: Value) -> Call {
        Call {
            method: 0,
            from: None,
            before: vec![Value::Absent, value],
            end: None,
            is_unstable: false,
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let number = prop::sample::select(vec![0.0, -0.0, 1.0, f64::NAN]);
        let one = number.prop_map(|v: f64| Value::Double(v.to_bits()));
        let many = prop::collection::vec(one.clone(), 0..3).prop_map(|elements| Value::Array {
            class: "double[]".into(),
            length: elements.len() as u64,
            elements,
        });
        prop_oneof![one, many, Just(Value::Null), Just(Value::Absent)]
    }

    proptest! {
        #[test]
        fn each_call_has_the_row_of_its_sample(values in prop::collection::vec((value(), 0..3_usize), 1..30)) {
            let calls: Vec<Call> = values.iter().map(|(value, _)| call(value.clone())).collect();
            let parameters = ["x".into()];
            let distinct = Distinct::of(Moment::Entry, &parameters, calls.iter());
            let all = distinct.grouped(values.iter().map(|(_, test)| *test).enumerate());
            let shape = Shape::of("a.C.m", Moment::Entry, true, &distinct, all.numbers());
            let rows = shape.rows(&distinct, all.numbers());

            let number = |row: &Vec<Flat>| format!("{row:?}");
            for (at, call) in calls.iter().enumerate() {
                let place = all.numbers().position(|n| n == distinct.of[at]).unwrap_or(usize::MAX);
                let row = shape.row(call, Moment::Entry, &parameters);
                prop_assert_eq!(number(&row.values), number(&rows[place]));
                let own = all.by_test.iter().filter(|(p, t, _)| (*p, *t) == (place, values[at].1));
                let times: Vec<usize> = own.map(|(_, _, times)| *times as usize).collect();
                let like = (0..calls.len()).filter(|other| {
                    distinct.of[*other] == distinct.of[at] && values[*other].1 == values[at].1
                });
                prop_assert_eq!(times, [like.count()]);
            }
            let sum: u64 = all.samples.iter().map(|(_, times)| times).sum();
            prop_assert_eq!(sum, calls.len() as u64);
        }
    }

    #[test]
    fn what_differs_in_a_bit_is_another_sample() {
        let values = [0.0, -0.0, 0.0, f64::NAN].map(|v: f64| call(Value::Double(v.to_bits())));
        let distinct = Distinct::of(Moment::Entry, &["x".into()], values.iter());
        assert_eq!(distinct.of, [0, 1, 0, 2]);
    }
}
