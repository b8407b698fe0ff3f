//! What need not be said, for something else says it or says more.
//!
//! A constraint stands for all terms that are equal to those it names: it is obvious if it is for any choice among them.

use crate::constraint::Constraint;
use crate::family::Family;
use crate::learner::Learner;
use crate::order::Relation;
use crate::report::Report;
use crate::rule::Rule;
use crate::term::{Source, Term};
use crate::value::{Kind, Value};

/// The sentence that says why a constraint is obvious, if it is.
pub(crate) fn why(learner: &Learner, constraint: &Constraint, report: &Report) -> Option<String> {
    let context = Context { learner, report };
    match (constraint.family, constraint.terms.as_slice()) {
        (Family::Equal, &[a, b]) => context.equality(a, b),
        (_, &[x]) => context.some(x, |x| context.single(constraint, x)),
        (_, &[a, b]) => context.some(a, |a| context.some(b, |b| context.pair(constraint, a, b))),
        _ => None,
    }
}

struct Context<'a> {
    learner: &'a Learner,
    report: &'a Report,
}

impl<'a> Context<'a> {
    fn term(&self, i: u32) -> &'a Term {
        &self.learner.terms[i as usize]
    }

    fn some(&self, term: u32, why: impl Fn(u32) -> Option<String>) -> Option<String> {
        self.report.equals(term).find_map(why)
    }

    fn are_equal(&self, a: u32, b: u32) -> bool {
        self.report.leader(a) == self.report.leader(b)
    }

    /// True if two sequences are always equal, though of different types.
    fn are_same(&self, s: u32, t: u32) -> bool {
        let terms = [self.report.leader(s), self.report.leader(t)];
        let found = self.report.believed(Family::Lexical, &terms);
        found.is_some_and(|c| c.rule == Rule::Lexical(Relation::Equal))
    }

    /// The constraint of the family about this term, or the one that it is equal to.
    fn of(&self, family: Family, term: u32) -> Option<&'a Constraint> {
        self.report.believed(family, &[self.report.leader(term)])
    }

    /// True if there was no other value than this one.
    #[allow(clippy::cast_precision_loss)]
    fn is_always(&self, term: u32, value: i64) -> bool {
        let one_of = self.of(Family::OneOf, term);
        one_of.is_some_and(|c| match &c.rule {
            Rule::OneOf(all) => all.len() == 1 && all[0].number() == Some(value as f64),
            _ => false,
        })
    }

    /// `size(a[]) == size(b[])` where `a[] == b[]`, `a[i] == b[j]` where moreover `i == j`.
    fn equality(&self, a: u32, b: u32) -> Option<String> {
        let first = self.term(a);
        if first.name == "this" {
            return Some("nothing sets this".to_owned());
        }
        if first.rep.sequence && first.rep.kind == Kind::Text && first.traits.synthetic {
            return Some("the objects are compared that the names are of".to_owned());
        }
        match (self.term(a).source, self.term(b).source) {
            (
                Source::Size {
                    sequence: s,
                    shift: x,
                },
                Source::Size {
                    sequence: t,
                    shift: y,
                },
            ) if x == y => {
                if self.are_equal(s, t) || self.are_same(s, t) {
                    return Some("the sequences are equal".to_owned());
                }
                (x != 0).then(|| "the lengths are equal".to_owned())
            }
            (
                Source::Element {
                    sequence: s,
                    index: i,
                    shift: x,
                },
                Source::Element {
                    sequence: t,
                    index: j,
                    shift: y,
                },
            ) if x == y && self.are_equal(s, t) && self.are_equal(i, j) => {
                Some("the sequences and the indices are equal".to_owned())
            }
            _ => None,
        }
    }

    fn single(&self, constraint: &Constraint, x: u32) -> Option<String> {
        let term = self.term(x);
        match &constraint.rule {
            Rule::OneOf(values) => self.one_of(values, constraint.terms[0] == x, term),
            Rule::NonZero => self.non_zero(term),
            Rule::ElementsNonZero => {
                if term.traits.non_null {
                    return Some(format!(
                        "the elements of {} are declared not to be null",
                        term.name
                    ));
                }
                let bound = self.of(Family::ElementsLowerBound, x)?;
                match &bound.rule {
                    Rule::ElementsBound(_, Value::Int(least)) if *least > 0 => {
                        Some(bound.text.clone())
                    }
                    _ => None,
                }
            }
            Rule::Bound(relation, bound) => self.bound((*relation, bound), x, term),
            Rule::ElementsBound(_, bound) => {
                if let Some(why) = self.uninteresting(bound) {
                    return Some(why);
                }
                self.of(Family::ElementsOneOf, x).map(|c| c.text.clone())
            }
            Rule::PowerOfTwo => self.of(Family::OneOf, x).map(|c| c.text.clone()),
            Rule::Sorted(_) => match self.of(Family::ElementsOneOf, x) {
                Some(c) if matches!(&c.rule, Rule::ElementsOneOf(all) if all.len() == 1) => {
                    Some(c.text.clone())
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn one_of(&self, values: &[Value], is_named: bool, term: &Term) -> Option<String> {
        match term.source {
            Source::Size { shift, .. } if shift != 0 => {
                return Some("the length itself is told".to_owned());
            }
            Source::Size { .. } if values == [Value::Int(0)] => {
                return Some("the sequence is empty, which is told".to_owned());
            }
            // That `return` is always null is news, though it is equal to an element of which that is known.
            Source::Element { sequence, .. } if is_named => {
                let all = self.of(Family::ElementsOneOf, sequence);
                if let Some(c) = all.filter(|c| c.rule == Rule::ElementsOneOf(values.to_vec())) {
                    return Some(c.text.clone());
                }
            }
            _ => {}
        }
        term.is_constant
            .then(|| "it is declared to be constant".to_owned())
    }

    fn non_zero(&self, term: &Term) -> Option<String> {
        if term.traits.non_null {
            return Some(format!("{} is declared not to be null", term.name));
        }
        match term.source {
            // What was never 0 in all of them is not told of one, be it chance or not.
            Source::Element { sequence, .. } => {
                let leader = [self.report.leader(sequence)];
                let mut all = self.report.over(Family::ElementsNonZero, &leader);
                all.next().map(|(c, _)| c.text.clone())
            }
            _ => None,
        }
    }

    fn uninteresting(&self, bound: &Value) -> Option<String> {
        let (least, most) = self.learner.options.bounds?;
        let is_interesting = match bound {
            Value::Int(v) => (least..=most).contains(v),
            #[allow(clippy::cast_precision_loss)]
            Value::Double(v) => v.fract() == 0.0 && (least as f64..=most as f64).contains(v),
            _ => true,
        };
        (!is_interesting).then(|| format!("only bounds from {least} to {most} are told"))
    }

    fn bound(&self, (relation, bound): (Relation, &Value), x: u32, term: &Term) -> Option<String> {
        match term.source {
            Source::Size { shift, .. } if shift != 0 => {
                return Some("the length itself is told".to_owned());
            }
            Source::Size { .. }
                if relation == Relation::GreaterEqual && *bound == Value::Int(0) =>
            {
                return Some("no length is below 0".to_owned());
            }
            Source::Element { sequence, .. } => {
                let family = match relation {
                    Relation::GreaterEqual => Family::ElementsLowerBound,
                    _ => Family::ElementsUpperBound,
                };
                let all = self.of(family, sequence);
                if let Some(c) =
                    all.filter(|c| c.rule == Rule::ElementsBound(relation, bound.clone()))
                {
                    return Some(c.text.clone());
                }
            }
            _ => {}
        }
        if let Some(why) = self.uninteresting(bound) {
            return Some(why);
        }
        self.of(Family::OneOf, x).map(|c| c.text.clone())
    }

    fn pair(&self, constraint: &Constraint, a: u32, b: u32) -> Option<String> {
        let (first, second) = (self.term(a), self.term(b));
        match &constraint.rule {
            Rule::Compare(relation) => {
                if let Some(why) = lengths(*relation, first, second) {
                    return Some(why.to_owned());
                }
                if let (Source::Size { sequence: s, .. }, Source::Size { sequence: t, .. }) =
                    (first.source, second.source)
                    && (self.are_equal(s, t) || self.are_same(s, t))
                {
                    return Some("the sequences are equal".to_owned());
                }
                let less = |term: &Term| match term.source {
                    Source::Size { shift, .. } if shift != 0 => Some(shift),
                    _ => None,
                };
                if *relation == Relation::Equal
                    && less(first).is_some_and(|x| less(second) == Some(x))
                {
                    return Some("the lengths are equal".to_owned());
                }
                self.slope_of_one(*relation, constraint)
                    .or_else(|| self.of_sequences(*relation, first, second))
            }
            Rule::Divides { swapped } => {
                let (x, y) = if *swapped { (b, a) } else { (a, b) };
                if self.is_always(y, 1) || self.is_always(y, -1) {
                    return Some("everything is a multiple of 1".to_owned());
                }
                if let Some(why) = self.multiple(constraint) {
                    return Some(why);
                }
                let equal = self.report.believed(Family::Compare, &constraint.terms);
                if let Some(c) = equal.filter(|c| c.rule == Rule::Compare(Relation::Equal)) {
                    return Some(c.text.clone());
                }
                self.is_always(x, 0)
                    .then(|| "0 is a multiple of everything".to_owned())
            }
            // The elements at equal places say it of the whole; of numbers and references, that is.
            Rule::Lexical(relation) if first.rep.kind != Kind::Text => {
                let pairwise = self.report.believed(Family::Pairwise, &constraint.terms)?;
                (pairwise.rule == Rule::Pairwise(*relation)).then(|| pairwise.text.clone())
            }
            Rule::ElementsCompare(relation) => {
                if let Some(why) = lengths(*relation, first, second) {
                    return Some(why.to_owned());
                }
                match self.of(Family::ElementsOneOf, a) {
                    Some(c)
                        if *relation != Relation::Equal
                            && matches!(&c.rule, Rule::ElementsOneOf(all) if all.len() == 1) =>
                    {
                        Some(c.text.clone())
                    }
                    _ => None,
                }
            }
            Rule::Reverse if self.are_equal(a, b) => Some("both are equal".to_owned()),
            Rule::Member => match first_of(second.source) {
                Some(sequence) if self.are_equal(sequence, a) => {
                    Some(format!("{} is an element by its making", second.name))
                }
                _ => None,
            },
            Rule::Linear(factors) if factors[0] == -factors[1] && factors[2] == 0.0 => {
                Some("it is told that they are equal".to_owned())
            }
            Rule::Linear(_) => {
                let is_less =
                    |t: &Term| matches!(t.source, Source::Size { shift, .. } if shift != 0);
                (is_less(first) || is_less(second))
                    .then(|| "it is told of the length itself".to_owned())
            }
            _ => None,
        }
    }

    /// `a[i] < b[i]` where `a[] < b[]` at each place.
    fn of_sequences(&self, relation: Relation, first: &Term, second: &Term) -> Option<String> {
        match (first.source, second.source) {
            (
                Source::Element {
                    sequence: s,
                    index: i,
                    shift: x,
                },
                Source::Element {
                    sequence: t,
                    index: j,
                    shift: y,
                },
            ) if x == y && self.are_equal(i, j) => {
                let terms = [self.report.leader(s), self.report.leader(t)];
                let all = self.report.believed(Family::Pairwise, &terms)?;
                (all.rule == Rule::Pairwise(relation)).then(|| all.text.clone())
            }
            _ => None,
        }
    }

    /// `x % y == 0` where `x - 3 * y == 0` says which multiple.
    fn multiple(&self, constraint: &Constraint) -> Option<String> {
        let mut terms = constraint.terms.clone();
        terms.sort_unstable();
        let line = self.report.believed(Family::Linear, &terms)?;
        match &line.rule {
            Rule::Linear(factors)
                if factors[2] == 0.0
                    && factors[0] * factors[1] < 0.0
                    && factors[..2].iter().any(|f| f.abs() == 1.0) =>
            {
                Some(line.text.clone())
            }
            _ => None,
        }
    }

    /// `x < y` where `x - y + 1 == 0` says by how much.
    fn slope_of_one(&self, relation: Relation, constraint: &Constraint) -> Option<String> {
        if !matches!(relation, Relation::Less | Relation::Greater) {
            return None;
        }
        let line = self.report.believed(Family::Linear, &constraint.terms)?;
        match &line.rule {
            Rule::Linear(factors) if factors[0] == -factors[1] && factors[2] != 0.0 => {
                Some(line.text.clone())
            }
            _ => None,
        }
    }
}

/// The sequence that a term is an element of.
fn first_of(source: Source) -> Option<u32> {
    match source {
        Source::Element { sequence, .. } => Some(sequence),
        _ => None,
    }
}

/// `x < size(a[])` says less than `x <= size(a[])-1` does.
fn lengths(relation: Relation, first: &Term, second: &Term) -> Option<&'static str> {
    let shift = |term: &Term| match term.source {
        Source::Size { shift, .. } => Some(shift),
        _ => None,
    };
    match (relation, shift(first), shift(second)) {
        (Relation::Less, _, Some(0)) => Some("x <= size(a[])-1 says it"),
        (Relation::Less, Some(-1), _) => Some("size(a[]) <= x says it"),
        (Relation::Greater, Some(0), _) => Some("size(a[])-1 >= x says it"),
        (Relation::Greater, _, Some(-1)) => Some("x >= size(a[]) says it"),
        _ => None,
    }
}
