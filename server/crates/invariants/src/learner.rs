//! Learning at one program point: samples go in one by one, constraints come out.
//!
//! Memory is bounded by the variables: of each variable, and of each pair and triple of which something may still be said, a few
//! values are kept. What a sample falsifies is dropped and costs nothing from then on.
//!
//! Three things keep the number of pairs and triples small. A variable that had one value so far stands in no pair with another such
//! one: nothing was compared that the two values do not tell; on its second value the pairs are made and told of the first one. A
//! triple is looked at only once none of its variables is constant: until then lines say it. And triples start when a few different
//! samples are there, so that most are never stored, and one of those that are equal stands for all (`triples.rs`).

use crate::options::Options;
use crate::pair::Pair;
use crate::point::Point;
use crate::sample::{Now, Past, Row};
use crate::term::{Derived, Source, Term, terms};
use crate::triples::{Scene, Triples, Watched};
use crate::unary::Unary;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::borrow::Cow;

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
    triples: Triples,
    /// What the terms were in the sample before.
    last: Vec<Value>,
    pub(crate) samples: u64,
    /// The call is over: its parameters are out of the caller's sight.
    pub(crate) is_exit: bool,
}

impl Learner {
    /// Knows the point and no sample.
    pub fn new(point: &Point, options: Options) -> Learner {
        let mut terms = terms(point);
        if !options.elements_of_doubles {
            terms.retain(|t| !t.is_element_of_doubles());
        }
        Learner {
            options,
            plain: point.variables.len(),
            past: vec![Past::Absent; terms.len()],
            unary: terms.iter().map(Unary::new).collect(),
            pairs: Vec::new(),
            triples: Triples::new(&terms),
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
        self.pairs.len() + self.triples.count()
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
        let scene = Scene::new(&self.terms, &self.past, &self.pairs);
        self.triples.part(&row, scene);
        self.see_singles(&row, times);
        let terms = row.0.iter().enumerate();
        let now: Vec<Now> = terms.map(|(i, v)| Now::of(v, self.last.get(i))).collect();
        self.see_pairs(&row, &now, times);
        let scene = Scene::new(&self.terms, &self.past, &self.pairs);
        self.triples.see(&row, &now, scene);
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
        self.triples.leave(outside);
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
        let scene = Scene::new(&self.terms, &self.past, &self.pairs);
        self.triples.vary(i, &before, scene);
    }

    /// True if it makes sense to compare the two.
    pub(crate) fn is_pair(&self, a: u32, b: u32) -> bool {
        self.terms[a as usize].is_pair_with(&self.terms[b as usize])
    }

    /// The triples, however few samples there were.
    pub(crate) fn all_triples(&self) -> Cow<'_, Watched> {
        self.triples
            .all(Scene::new(&self.terms, &self.past, &self.pairs))
    }
}
