//! The triples of numbers of a point that may be on a plane.
//!
//! Of numbers that were equal in all samples so far one stands for all, as in Daikon's equality sets (Perkins and Ernst, "Efficient
//! incremental algorithms for dynamic detection of likely invariants", FSE 2004): a matrix of which a point has twenty equal lengths
//! would have a thousand triples for each one. Who is another for the first time takes with it what is known of the one that stood
//! for it, until the sample before.

use crate::family::plane::Plane;
use crate::pair::{self, Pair};
use crate::sample::{Now, Past, Row};
use crate::term::Term;
use crate::value::Value;
use std::borrow::Cow;

/// Different samples that are kept before there are triples.
const WARM: usize = 8;

/// What is known of a point's triples.
#[derive(Clone, Debug)]
pub(crate) struct Triples {
    /// The terms that are numbers.
    numbers: Vec<u32>,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    /// Different samples, until there are enough: of the numbers only, NaN for what was missing.
    Warm(Vec<Vec<f64>>),
    Watched(Watched),
}

/// The triples of which something may still be said.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub(crate) all: Vec<Triple>,
    /// By term, the one that stands for it: the first of those that were equal to it in all samples.
    pub(crate) stands: Vec<u32>,
}

/// Three numbers that can be compared, in the point's order.
#[derive(Clone, Debug)]
pub(crate) struct Triple {
    pub(crate) terms: [u32; 3],
    pub(crate) plane: Plane,
}

/// What else is known of the point.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    terms: &'a [Term],
    past: &'a [Past],
    pairs: &'a [Pair],
}

impl<'a> Scene<'a> {
    pub(crate) fn new(terms: &'a [Term], past: &'a [Past], pairs: &'a [Pair]) -> Scene<'a> {
        Scene { terms, past, pairs }
    }

    fn is_triple(&self, terms: [u32; 3]) -> bool {
        let [a, b, c] = terms;
        let varies = |i: u32| matches!(self.past[i as usize], Past::Varying);
        let is_pair = |i: u32, j: u32| {
            let (first, second) = (&self.terms[i as usize], &self.terms[j as usize]);
            first.is_pair_with(second)
        };
        varies(a) && varies(b) && varies(c) && is_pair(a, b) && is_pair(a, c) && is_pair(b, c)
    }

    /// By term, the first of those that were always equal to it.
    fn stands(&self) -> Vec<u32> {
        first_of_equal(self.terms, self.pairs, Vec::new())
    }

    fn watched(&self, numbers: &[u32], rows: &[Vec<f64>]) -> Watched {
        let stands = self.stands();
        let leads = |i: &usize| {
            let term = numbers[*i];
            self.past[term as usize] == Past::Varying && stands[term as usize] == term
        };
        let leading: Vec<usize> = (0..numbers.len()).filter(leads).collect();
        let columns = leading.iter().map(|i| rows.iter().map(|row| row[*i]));
        let columns: Vec<Vec<f64>> = columns.map(Iterator::collect).collect();
        let terms: Vec<u32> = leading.iter().map(|i| numbers[*i]).collect();
        let is_pair = |i: usize, j: usize| {
            let [a, b] = [i, j].map(|at| &self.terms[terms[at] as usize]);
            a.is_pair_with(b)
        };
        let mut all = Vec::new();
        for i in 0..terms.len() {
            let others: Vec<usize> = (i + 1..terms.len()).filter(|j| is_pair(i, *j)).collect();
            for (at, &j) in others.iter().enumerate() {
                for &k in others[at + 1..].iter().filter(|k| is_pair(j, **k)) {
                    let spots = columns[i].iter().zip(&columns[j]).zip(&columns[k]);
                    let spots = spots.map(|((x, y), z)| [*x, *y, *z]);
                    let spots = spots.filter(|spot| spot.iter().all(|v| !v.is_nan()));
                    if let Some(plane) = Plane::of(spots) {
                        let terms = [i, j, k].map(|at| terms[at]);
                        all.push(Triple { terms, plane });
                    }
                }
            }
        }
        Watched { all, stands }
    }
}

/// By term, the first of those that are equal to it: of pairs that always were, and of others of which the second is told first.
pub(crate) fn first_of_equal(
    terms: &[Term],
    pairs: &[Pair],
    mut equal: Vec<(u32, u32)>,
) -> Vec<u32> {
    let can_be = |p: &&Pair| terms[p.a as usize].can_be(&terms[p.b as usize]);
    let always = pairs.iter().filter(|p| p.is_equal()).filter(can_be);
    equal.extend(always.map(|p| (p.b, p.a)));
    equal.sort_unstable();
    let mut first: Vec<u32> = (0u32..).take(terms.len()).collect();
    for (b, a) in equal {
        if first[a as usize] == a && first[b as usize] == b {
            first[b as usize] = a;
        }
    }
    first
}

impl Triple {
    /// Of terms in any order, each with what it was in some samples.
    fn of(terms: [u32; 3], spots: impl Iterator<Item = [f64; 3]>) -> Triple {
        let order = order(terms);
        let mut plane = Plane::new();
        spots.for_each(|spot| plane.see(order.map(|i| spot[i])));
        Triple {
            terms: order.map(|i| terms[i]),
            plane,
        }
    }

    fn is_of(&self, term: u32) -> bool {
        let [a, b, c] = self.terms;
        a == term || b == term || c == term
    }

    /// The same of other terms.
    pub(crate) fn renamed(&self, new: impl Fn(u32) -> u32) -> Triple {
        let terms = self.terms.map(new);
        let order = order(terms);
        Triple {
            terms: order.map(|i| terms[i]),
            plane: self.plane.turned(order),
        }
    }
}

/// The positions in the point's order.
fn order(terms: [u32; 3]) -> [usize; 3] {
    let mut order = [0, 1, 2];
    order.sort_unstable_by_key(|i| terms[*i]);
    order
}

/// True if the two are equal, or both are not there.
fn are_equal(a: &Value, b: &Value) -> bool {
    a.is_missing() && b.is_missing() || pair::are_equal(a, b)
}

impl Triples {
    pub(crate) fn new(terms: &[Term]) -> Triples {
        let numbers = (0u32..).zip(terms).filter(|(_, t)| t.rep.is_number());
        Triples {
            numbers: numbers.map(|(i, _)| i).collect(),
            state: State::Warm(Vec::new()),
        }
    }

    /// How many are watched.
    pub(crate) fn count(&self) -> usize {
        match &self.state {
            State::Warm(_) => 0,
            State::Watched(watched) => watched.all.len(),
        }
    }

    /// Those that the samples so far leave, however few these were.
    pub(crate) fn all(&self, scene: Scene<'_>) -> Cow<'_, Watched> {
        match &self.state {
            State::Warm(rows) => Cow::Owned(scene.watched(&self.numbers, rows)),
            State::Watched(watched) => Cow::Borrowed(watched),
        }
    }

    /// Sees a sample, once the pairs have.
    pub(crate) fn see(&mut self, row: &Row<'_>, now: &[Now], scene: Scene<'_>) {
        let watched = match &mut self.state {
            State::Watched(watched) => watched,
            State::Warm(rows) => {
                let numbers = self.numbers.iter().map(|i| row.get(*i).number());
                let numbers: Vec<f64> = numbers.map(|v| v.unwrap_or(f64::NAN)).collect();
                let same = |other: &Vec<f64>| {
                    let mut each = other.iter().zip(&numbers);
                    each.all(|(a, b)| a.to_bits() == b.to_bits())
                };
                if !self.numbers.is_empty() && !rows.iter().any(same) {
                    rows.push(numbers);
                }
                if rows.len() >= WARM {
                    self.state = State::Watched(scene.watched(&self.numbers, rows));
                }
                return;
            }
        };
        if watched.all.is_empty() {
            return;
        }
        let numbers: Vec<Option<f64>> = row.0.iter().map(|v| v.number()).collect();
        watched.all.retain_mut(|triple| {
            let [a, b, c] = triple.terms;
            let (a, b, c) = (a as usize, b as usize, c as usize);
            let is_other = |i: usize| now[i] == Now::Other;
            if (is_other(a) || is_other(b) || is_other(c))
                && let (Some(a), Some(b), Some(c)) = (numbers[a], numbers[b], numbers[c])
            {
                triple.plane.see([a, b, c]);
            }
            triple.plane.is_alive()
        });
    }

    /// Says nothing of these terms from now on.
    pub(crate) fn leave(&mut self, outside: &[u32]) {
        let State::Watched(watched) = &mut self.state else {
            return;
        };
        for gone in outside {
            let stands = |i: &&u32| watched.stands[**i as usize] == *gone && !outside.contains(i);
            let behind: Vec<u32> = self.numbers.iter().filter(stands).copied().collect();
            if let Some(next) = behind.first() {
                watched.copy(*gone, *next);
                for i in &behind {
                    watched.stands[*i as usize] = *next;
                }
            }
            watched.stands[*gone as usize] = *gone;
        }
        let is_left = |t: &Triple| !outside.iter().any(|i| t.is_of(*i));
        watched.all.retain(is_left);
    }

    /// Lets who is not equal any more to the one that stood for it stand for itself. The pairs have not seen the sample yet.
    pub(crate) fn part(&mut self, row: &Row<'_>, scene: Scene<'_>) {
        let State::Watched(watched) = &mut self.state else {
            return;
        };
        let mut parted: Vec<(u32, u32)> = Vec::new();
        for &i in &self.numbers {
            let before = watched.stands[i as usize];
            let is_equal = |to: u32| are_equal(row.get(i), row.get(to));
            if before == i || is_equal(before) {
                continue;
            }
            let mut others = parted.iter().filter(|(from, _)| *from == before);
            let other = others.find(|(_, to)| is_equal(*to));
            match other {
                Some((_, to)) => watched.stands[i as usize] = *to,
                None => {
                    watched.stands[i as usize] = i;
                    watched.copy(before, i);
                    watched.both(before, i, scene);
                    parted.push((before, i));
                }
            }
        }
    }

    /// A term varies that was constant, or was never there.
    pub(crate) fn vary(&mut self, i: u32, before: &Past, scene: Scene<'_>) {
        let State::Watched(watched) = &mut self.state else {
            return;
        };
        if !self.numbers.contains(&i) {
            return;
        }
        let leads = |j: u32| j != i && watched.leads(j);
        let mut new = Vec::new();
        match before {
            // Of the other two a line is known, or there is no plane.
            Past::Constant(value) => {
                let Some(value) = value.number() else { return };
                for pair in scene.pairs.iter().filter(|p| leads(p.a) && leads(p.b)) {
                    let terms = [i, pair.a, pair.b];
                    let Some(line) = pair.line() else { continue };
                    if scene.is_triple(terms) {
                        let spots = line.points().iter().map(|[x, y]| [value, *x, *y]);
                        new.push(Triple::of(terms, spots));
                    }
                }
            }
            _ => {
                let others = self.numbers.iter().copied().filter(|j| leads(*j));
                let others: Vec<u32> = others.collect();
                for (n, &j) in others.iter().enumerate() {
                    let triples = others[n + 1..].iter().map(|k| [i, j, *k]);
                    let triples = triples.filter(|terms| scene.is_triple(*terms));
                    new.extend(triples.map(|terms| Triple::of(terms, std::iter::empty())));
                }
            }
        }
        watched.all.append(&mut new);
    }
}

impl Watched {
    fn leads(&self, term: u32) -> bool {
        self.stands[term as usize] == term
    }

    /// What is known of one term is known of another one.
    fn copy(&mut self, from: u32, to: u32) {
        let own = self.all.iter().filter(|t| t.is_of(from));
        let new = own.map(|t| t.renamed(|i| if i == from { to } else { i }));
        let new: Vec<Triple> = new.collect();
        self.all.extend(new);
    }

    /// Triples of two that were equal: as long as the third was on a line with them no plane is known, and else there is none that
    /// speaks of all three.
    fn both(&mut self, a: u32, b: u32, scene: Scene<'_>) {
        for pair in scene.pairs {
            let third = match (pair.a == a, pair.b == a) {
                (true, _) => pair.b,
                (_, true) => pair.a,
                _ => continue,
            };
            let Some(line) = pair.line() else { continue };
            if third == b || !self.leads(third) || !scene.is_triple([a, b, third]) {
                continue;
            }
            let spots = line.points().iter().map(|[x, y]| match pair.a == a {
                true => [*x, *x, *y],
                false => [*y, *y, *x],
            });
            self.all.push(Triple::of([a, b, third], spots));
        }
    }
}
