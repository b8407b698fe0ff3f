//! What held in all calls of one point that are looked at, and is worth to be asked of others.

use crate::believed::{Believed, Said, Spot, Strange};
use crate::chance::Luck;
use crate::distinct::{Distinct, Grouped};
use crate::flatten::{ALIKE, About, Root};
use crate::options::{Moment, Options};
use crate::samples::Samples;
use crate::shape::Shape;
use crate::sort::Sort;
use crate::witness::Witnesses;
use evidence::Called;
use invariants::term::Source;
use invariants::{Constraint, Fate, Kind, Learner, Rule, Value, Verdict};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What held in all calls that are looked at, and is worth to be asked of others.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) constraint: Constraint,
    pub(crate) luck: Luck,
    /// How many like it were tried.
    tried: u64,
    /// In which tests it held, and in how many calls of them.
    by: BTreeMap<usize, u32>,
    terms: Vec<(String, Kind)>,
    about: Vec<About>,
    /// What is strange where it is broken.
    strange: Vec<Spot>,
}

impl Held {
    /// What it says.
    pub(crate) fn said(&self) -> Said<'_> {
        (&self.constraint, &self.terms)
    }

    /// As it is believed of a method.
    pub(crate) fn believed(&self, method: &Called, moment: Moment) -> Arc<Believed> {
        let is_of = |root: bool| self.about.iter().any(|a| (a.root == Root::Return) == root);
        Arc::new(Believed {
            method: method.clone(),
            moment,
            overload: None,
            is_related: is_of(true) && is_of(false),
            strange: self.strange.clone(),
            credible: self.luck.credible(&self.constraint, self.tried),
            luck: self.luck,
            witnesses: self.luck.witnesses,
            taught_by: self
                .by
                .iter()
                .map(|(test, calls)| (*test, *calls))
                .collect(),
            is_of_alike: self.terms.iter().any(|(name, _)| name.starts_with(ALIKE)),
            terms: self.terms.clone(),
            constraint: self.constraint.clone(),
        })
    }
}

/// What held in some of the calls of one point, and how its values are read off a call.
pub(crate) fn held(
    samples: &Samples<'_, '_>,
    of: &Grouped,
    options: &Options,
    poll: &dyn Fn(),
) -> (Shape, Vec<Held>) {
    let shape = samples.shape(of, options);
    let held = held_at(&shape, samples.moment, &samples.distinct, of, options, poll);
    (shape, held)
}

/// What held of the variables of a point.
pub(crate) fn held_at(
    shape: &Shape,
    moment: Moment,
    distinct: &Distinct,
    of: &Grouped,
    options: &Options,
    poll: &dyn Fn(),
) -> Vec<Held> {
    let mut learner = Learner::new(&shape.point, options.learning.clone());
    let rows = shape.rows(distinct, of.numbers());
    see(&mut learner, &rows, of, poll);
    held_of(&learner, shape, moment, &rows, of, poll)
}

/// Learns from calls.
pub(crate) fn see(learner: &mut Learner, rows: &[Vec<Value>], of: &Grouped, poll: &dyn Fn()) {
    for (row, (_, times)) in rows.iter().zip(&of.samples) {
        poll();
        learner.see(row, *times);
    }
}

/// What held of the variables of a point in calls, all of which a learner has seen, and no others.
pub(crate) fn held_of(
    learner: &Learner,
    shape: &Shape,
    moment: Moment,
    rows: &[Vec<Value>],
    of: &Grouped,
    poll: &dyn Fn(),
) -> Vec<Held> {
    let mut out = Vec::new();
    for (constraint, fate) in learner.all() {
        poll();
        let own: Vec<u32> = variables(&constraint);
        let about: Vec<About> = own.iter().map(|v| shape.about[*v as usize]).collect();
        if fate != Fate::Reported || !is_worth(&constraint, learner, moment, &about) {
            continue;
        }
        let mut by: BTreeMap<usize, u32> = BTreeMap::new();
        let mut seen: Witnesses<'_> = Witnesses::new(&constraint, learner, shape);
        let holds = |row: &Vec<Value>| constraint.judge(row) == Verdict::Holds;
        let holds: Vec<bool> = rows.iter().map(holds).collect();
        for (at, test, calls) in &of.by_test {
            if holds[*at] {
                *by.entry(*test).or_default() += calls;
                seen.saw(*test, &rows[*at]);
            }
        }
        let terms = constraint.terms.iter().map(|t| {
            let term = &learner.terms()[*t as usize];
            (term.name.clone(), term.rep.kind)
        });
        let terms: Vec<(String, Kind)> = terms.collect();
        out.push(Held {
            luck: Luck {
                sort: Sort::of(&constraint, terms.iter().map(|(_, kind)| *kind)),
                witnesses: seen.count(),
                truths: seen.truths(),
            },
            tried: tried(&constraint, learner),
            by,
            terms,
            strange: strange(moment, shape, &own),
            about,
            constraint,
        });
    }
    out
}

/// The point's variables that a constraint speaks of.
pub(crate) fn variables(constraint: &Constraint) -> Vec<u32> {
    of_sources(&constraint.sources)
}

/// The variables that values come from.
pub(crate) fn of_sources(sources: &[Source]) -> Vec<u32> {
    let mut out = Vec::new();
    for source in sources {
        match *source {
            Source::Plain(i) => out.push(i),
            Source::Size { sequence, .. } => out.push(sequence),
            Source::Element {
                sequence, index, ..
            } => out.extend([sequence, index]),
        }
    }
    out
}

/// How many like it were tried at its point: as many terms of its kinds can be taken together.
fn tried(constraint: &Constraint, learner: &Learner) -> u64 {
    let rep = |t: &u32| learner.terms()[*t as usize].rep;
    let like = |t: &u32| learner.terms().iter().filter(|o| o.rep == rep(t)).count() as u64;
    let each = constraint.terms.iter().zip(0..);
    let taken: u64 = each
        .map(|(t, before)| like(t).saturating_sub(before).max(1))
        .product();
    // In whatever order; of numbers it is asked whether one is less, equal, or greater.
    let orders = [1, 1, 2, 6][constraint.terms.len().min(3)];
    let is_number = |t: &u32| matches!(rep(t).kind, Kind::Int | Kind::Double);
    let relations = match constraint.rule {
        Rule::Compare(_) if constraint.terms.iter().all(is_number) => 3,
        _ => 1,
    };
    taken * relations / orders
}

/// Whether breaking it would tell something of this call.
pub(crate) fn is_worth(
    constraint: &Constraint,
    learner: &Learner,
    at: Moment,
    about: &[About],
) -> bool {
    // What was given is asked about at the entry.
    if at == Moment::Exit && about.iter().all(|a| a.is_given) {
        return false;
    }
    // Numbers of objects mean nothing, except that of `null`.
    let is_reference = |t: &u32| learner.terms()[*t as usize].rep.kind == Kind::Reference;
    let numbers = constraint.terms.iter().any(is_reference);
    let is_null = |v: &Value| match v {
        Value::Int(0) => true,
        Value::Ints(all) => all.iter().all(|v| *v == 0),
        _ => false,
    };
    let is_endless = |v: &Value| v.number().is_some_and(f64::is_infinite);
    match &constraint.rule {
        // Where a constant's or a class's name stands among others in a dictionary nobody has in mind.
        Rule::Compare(r) | Rule::ElementsCompare(r) | Rule::Pairwise(r) | Rule::Lexical(r)
            if r.is_order() && about.iter().any(|a| a.is_name) =>
        {
            false
        }
        // Every number keeps it; what breaks it is none.
        Rule::Bound(_, bound) | Rule::ElementsBound(_, bound) if is_endless(bound) => false,
        Rule::OneOf(all) | Rule::ElementsOneOf(all) if numbers => all.iter().all(is_null),
        _ => true,
    }
}

/// What is strange where a constraint of these variables is broken.
fn strange(at: Moment, shape: &Shape, own: &[u32]) -> Vec<Spot> {
    if at == Moment::Entry {
        return vec![Spot {
            of: Strange::Entry,
            field: None,
        }];
    }
    let spots = own.iter().filter_map(|v| {
        let about = &shape.about[*v as usize];
        let of = match about.root {
            Root::This => Strange::Receiver,
            Root::Parameter(i) => Strange::Parameter(i),
            Root::Return => Strange::Return,
        };
        let field = shape.fields[*v as usize].clone();
        (!about.is_given).then_some(Spot { of, field })
    });
    let mut out: Vec<Spot> = spots.collect();
    out.sort_unstable();
    out.dedup();
    out
}
