//! Learning at one program point: samples go in one by one, constraints come out.
//!
//! Memory is bounded by the variables: of each variable, and of each pair and triple of which something may still be said, a few
//! values are kept. What a sample falsifies is dropped and costs nothing from then on.
//!
//! Three things keep the number of pairs and triples small. A variable that had one value so far stands in no pair with another such
//! one: nothing was compared that the two values do not tell; on its second value the pairs are made and told of the first one. A
//! triple is looked at only once none of its variables is constant: until then lines say it. And triples start when
//! [`WARM`] different samples are there, so that most are never stored.

use crate::family::plane::Plane;
use crate::options::Options;
use crate::pair::Pair;
use crate::point::Point;
use crate::term::{Derived, Source, Term, terms};
use crate::unary::Unary;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Different samples that are kept before there are triples.
const WARM: usize = 8;

/// What is known of a term's value so far.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Past {
    /// It was never there.
    Absent,
    /// It was there in every sample, with one value.
    Constant(Value),
    Varying,
    /// An index was out of bounds: nothing is said of it any more.
    Outside,
}

/// Learns at one point.
#[derive(Clone, Debug)]
pub struct Learner {
    pub(crate) options: Options,
    pub(crate) terms: Vec<Term>,
    /// The terms by where they come from.
    pub(crate) sources: FxHashMap<Source, u32>,
    /// How many terms are the point's variables; the derived ones follow.
    plain: usize,
    pub(crate) past: Vec<Past>,
    pub(crate) unary: Vec<Unary>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) triples: Vec<Triple>,
    /// Different samples, until there are enough: of the numbers only, NaN for what was missing.
    warm: Option<Vec<Vec<f64>>>,
    /// The terms that are numbers.
    numbers: Vec<u32>,
    /// What the terms were in the sample before.
    last: Vec<Value>,
    pub(crate) samples: u64,
    /// The call is over: its parameters are out of the caller's sight.
    pub(crate) is_exit: bool,
}

/// Three numbers that can be compared.
#[derive(Clone, Debug)]
pub(crate) struct Triple {
    pub(crate) terms: [u32; 3],
    pub(crate) plane: Plane,
}

/// What a term is in a sample, beside the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Now {
    Other,
    /// There, and the same to the bit.
    Same,
    /// Missing in both.
    Missing,
}

impl Now {
    fn of(value: &Value, before: Option<&Value>) -> Now {
        match (value, before) {
            (Value::Missing, Some(Value::Missing)) => Now::Missing,
            (value, Some(before)) if value.is_identical(before) => Now::Same,
            _ => Now::Other,
        }
    }
}

/// A sample's values by term.
struct Row<'a>(Vec<&'a Value>);

impl<'a> Row<'a> {
    fn get(&self, term: u32) -> &'a Value {
        self.0.get(term as usize).unwrap_or(&&Value::Missing)
    }
}

impl Learner {
    /// Knows the point and no sample.
    pub fn new(point: &Point, options: Options) -> Learner {
        let mut terms = terms(point);
        if !options.elements_of_doubles {
            terms.retain(|t| !t.is_element_of_doubles());
        }
        let is_number = |t: &Term| t.rep.is_number();
        let numbers = (0u32..)
            .zip(&terms)
            .filter(|(_, t)| is_number(t))
            .map(|(i, _)| i);
        Learner {
            options,
            plain: point.variables.len(),
            past: vec![Past::Absent; terms.len()],
            unary: terms.iter().map(Unary::new).collect(),
            pairs: Vec::new(),
            triples: Vec::new(),
            warm: Some(Vec::new()),
            numbers: numbers.collect(),
            last: Vec::new(),
            samples: 0,
            is_exit: point.is_exit(),
            sources: (0u32..).zip(&terms).map(|(i, t)| (t.source, i)).collect(),
            terms,
        }
    }

    /// The variables of the point, then what is derived from them.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// How many samples were seen.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// How many pairs and triples something may still be said of. For watching that memory is bounded.
    pub fn watched(&self) -> usize {
        self.pairs.len() + self.triples.len()
    }

    /// Sees `times` samples with the same values, one value a variable of the point, in its order. A value that is not of its
    /// variable's kind, and one that is left out, is missing.
    pub fn see(&mut self, sample: &[Value], times: u64) {
        if times == 0 {
            return;
        }
        let fits = sample.len() >= self.plain
            && sample.iter().zip(&self.terms).all(|(v, t)| t.rep.takes(v));
        if !fits {
            let at = |i: usize| sample.get(i).filter(|v| self.terms[i].rep.takes(v));
            let mended: Vec<Value> = (0..self.plain)
                .map(|i| at(i).cloned().unwrap_or(Value::Missing))
                .collect();
            return self.see(&mended, times);
        }
        let sample = &sample[..self.plain];
        let mut derived = Vec::with_capacity(self.terms.len() - self.plain);
        let mut outside: SmallVec<[u32; 4]> = SmallVec::new();
        for (i, term) in (0u32..).zip(&self.terms).skip(self.plain) {
            derived.push(match self.past[i as usize] {
                Past::Outside => Value::Missing,
                _ => match term.source.derive(sample) {
                    Derived::Value(value) => value,
                    Derived::Missing => Value::Missing,
                    Derived::Outside => {
                        outside.push(i);
                        Value::Missing
                    }
                },
            });
        }
        if !outside.is_empty() {
            self.leave(&outside);
        }
        let row = Row(sample.iter().chain(&derived).collect());
        self.break_constants(&row);
        self.see_singles(&row, times);
        let terms = row.0.iter().enumerate();
        let now: Vec<Now> = terms.map(|(i, v)| Now::of(v, self.last.get(i))).collect();
        self.see_pairs(&row, &now, times);
        self.see_triples(&row, &now);
        self.samples += times;
        self.last.clear();
        self.last.extend(row.0.into_iter().cloned());
    }

    /// A pair of which neither is another than in the sample before learns nothing, but that this held once more.
    fn see_pairs(&mut self, row: &Row<'_>, now: &[Now], times: u64) {
        self.pairs.retain_mut(|pair| {
            match (now[pair.a as usize], now[pair.b as usize]) {
                (Now::Same, Now::Same) if pair.is_told_at_once() => pair.samples += times,
                (Now::Missing, Now::Missing | Now::Same) | (Now::Same, Now::Missing) => {}
                _ => return pair.see(row.get(pair.a), row.get(pair.b), times),
            }
            true
        });
    }

    /// Says nothing of these terms from now on.
    fn leave(&mut self, outside: &[u32]) {
        for i in outside {
            self.past[*i as usize] = Past::Outside;
        }
        self.pairs
            .retain(|p| !outside.contains(&p.a) && !outside.contains(&p.b));
        self.triples
            .retain(|t| !t.terms.iter().any(|i| outside.contains(i)));
    }

    fn see_singles(&mut self, row: &Row<'_>, times: u64) {
        for (i, unary) in (0u32..).zip(&mut self.unary) {
            let value = row.get(i);
            if !value.is_missing() {
                unary.see(value, times);
            }
        }
    }

    /// Variables that have had one value and have another one now enter into pairs.
    fn break_constants(&mut self, row: &Row<'_>) {
        for i in 0..u32::try_from(self.terms.len()).unwrap_or(u32::MAX) {
            let value = row.get(i);
            let past = &self.past[i as usize];
            match past {
                Past::Absent if value.is_missing() => {}
                Past::Absent if self.samples == 0 => {
                    self.past[i as usize] = Past::Constant(value.clone());
                }
                Past::Constant(before) if before.is_same(value) => {}
                Past::Absent | Past::Constant(_) => self.vary(i),
                Past::Varying | Past::Outside => {}
            }
        }
    }

    fn vary(&mut self, i: u32) {
        let before = std::mem::replace(&mut self.past[i as usize], Past::Varying);
        for j in 0..u32::try_from(self.terms.len()).unwrap_or(u32::MAX) {
            let (a, b) = (i.min(j), i.max(j));
            if i == j || !self.is_pair(a, b) {
                continue;
            }
            // A pair with what varies is there already, and one with what was never there is made when that appears.
            let seed = match (&before, &self.past[j as usize]) {
                (_, Past::Outside | Past::Absent) | (Past::Constant(_), Past::Varying) => continue,
                (Past::Constant(x), Past::Constant(y)) => (x.clone(), y.clone()),
                _ if self.unary[j as usize].samples > 0 => (Value::Missing, Value::Int(0)),
                _ => (Value::Missing, Value::Missing),
            };
            let (x, y) = if i < j { seed } else { (seed.1, seed.0) };
            let mut pair = Pair::new(a, b, &self.terms[a as usize], &self.terms[b as usize]);
            if pair.see(&x, &y, self.samples) {
                self.pairs.push(pair);
            }
        }
        if self.warm.is_none() {
            self.new_triples(i, &before);
        }
    }

    /// True if it makes sense to compare the two.
    pub(crate) fn is_pair(&self, a: u32, b: u32) -> bool {
        let (first, second) = (&self.terms[a as usize], &self.terms[b as usize]);
        first.compares_with(second) && first.is_type == second.is_type
    }

    fn is_triple(&self, terms: [u32; 3]) -> bool {
        let [a, b, c] = terms;
        let varies = |i: u32| self.past[i as usize] == Past::Varying;
        terms.iter().all(|i| varies(*i))
            && self.is_pair(a, b)
            && self.is_pair(a, c)
            && self.is_pair(b, c)
    }

    fn see_triples(&mut self, row: &Row<'_>, now: &[Now]) {
        let number = |i: u32| row.get(i).number();
        match &mut self.warm {
            Some(rows) => {
                let numbers: Vec<f64> = self
                    .numbers
                    .iter()
                    .map(|i| number(*i).unwrap_or(f64::NAN))
                    .collect();
                let same = |a: &Vec<f64>| {
                    a.iter()
                        .zip(&numbers)
                        .all(|(a, b)| a.to_bits() == b.to_bits())
                };
                if !self.numbers.is_empty() && !rows.iter().any(same) {
                    rows.push(numbers);
                }
                if rows.len() >= WARM {
                    self.start_triples();
                }
            }
            None => {
                let numbers: Vec<Option<f64>> = row.0.iter().map(|v| v.number()).collect();
                self.triples.retain_mut(|triple| {
                    let [a, b, c] = triple.terms.map(|i| i as usize);
                    if [now[a], now[b], now[c]].contains(&Now::Other)
                        && let (Some(a), Some(b), Some(c)) = (numbers[a], numbers[b], numbers[c])
                    {
                        triple.plane.see([a, b, c]);
                    }
                    triple.plane.is_alive()
                });
            }
        }
    }

    /// Looks at the triples of all that varies, and keeps those that the samples so far leave.
    pub(crate) fn start_triples(&mut self) {
        let Some(rows) = self.warm.take() else { return };
        self.triples = self.triples_of(&rows);
    }

    fn triples_of(&self, rows: &[Vec<f64>]) -> Vec<Triple> {
        let mut found = Vec::new();
        let varying: Vec<usize> = (0..self.numbers.len())
            .filter(|i| self.past[self.numbers[*i] as usize] == Past::Varying)
            .collect();
        let columns = varying
            .iter()
            .map(|i| rows.iter().map(|row| row[*i]).collect());
        let columns: Vec<Vec<f64>> = columns.collect();
        let terms: Vec<u32> = varying.iter().map(|i| self.numbers[*i]).collect();
        for (i, a) in terms.iter().enumerate() {
            let others = (i + 1..terms.len()).filter(|j| self.is_pair(*a, terms[*j]));
            let others: Vec<usize> = others.collect();
            for (at, &j) in others.iter().enumerate() {
                for &k in &others[at + 1..] {
                    if !self.is_pair(terms[j], terms[k]) {
                        continue;
                    }
                    let spots = columns[i].iter().zip(&columns[j]).zip(&columns[k]);
                    let spots = spots.map(|((x, y), z)| [*x, *y, *z]);
                    let spots = spots.filter(|spot| spot.iter().all(|v| !v.is_nan()));
                    if let Some(plane) = Plane::of(spots) {
                        let terms = [*a, terms[j], terms[k]];
                        found.push(Triple { terms, plane });
                    }
                }
            }
        }
        found
    }

    /// The triples, however few samples there were.
    pub(crate) fn all_triples(&self) -> Vec<Triple> {
        match &self.warm {
            Some(rows) => self.triples_of(rows),
            None => self.triples.clone(),
        }
    }

    /// Triples with a variable that was constant: of the other two a line is known, or there is no plane.
    fn new_triples(&mut self, i: u32, before: &Past) {
        if !self.numbers.contains(&i) {
            return;
        }
        let place = |j: u32, k: u32| {
            let mut terms = [i, j, k];
            terms.sort_unstable();
            (terms, terms.iter().position(|t| *t == i).unwrap_or(0))
        };
        let mut new = Vec::new();
        match before.clone() {
            Past::Constant(value) => {
                let Some(value) = value.number() else { return };
                for pair in &self.pairs {
                    let (terms, at) = place(pair.a, pair.b);
                    let Some(line) = pair.line() else { continue };
                    if pair.a == i || pair.b == i || !self.is_triple(terms) {
                        continue;
                    }
                    let mut plane = Plane::new();
                    for [x, y] in line.points() {
                        let mut spot: SmallVec<[f64; 3]> = SmallVec::from_slice(&[*x, *y]);
                        spot.insert(at, value);
                        plane.see([spot[0], spot[1], spot[2]]);
                    }
                    new.push(Triple { terms, plane });
                }
            }
            _ => {
                for (n, &j) in self.numbers.iter().enumerate() {
                    for &k in &self.numbers[n + 1..] {
                        let (terms, _) = place(j, k);
                        if j != i && k != i && self.is_triple(terms) {
                            let plane = Plane::new();
                            new.push(Triple { terms, plane });
                        }
                    }
                }
            }
        }
        self.triples.append(&mut new);
    }
}
