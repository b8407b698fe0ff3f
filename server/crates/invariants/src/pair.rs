//! What is remembered of two variables: all families of arity 2, as long as one of them lives.

use crate::confidence::{after, count, once, reaches};
use crate::family::Found;
use crate::family::linear::Line;
use crate::order::{Relation, Seen};
use crate::rule::{self, Rule, compared, divides, pairwise, squares};
use crate::term::Term;
use crate::value::{Kind, Value};

/// Two terms that can be compared.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Samples in which both were there.
    pub(crate) samples: u64,
    /// There was a sample in which only one was there.
    apart: bool,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    /// Two values that are equal or not: truth values, references, strings with names of classes.
    Values {
        seen: Seen,
        orders: Orders,
    },
    Numbers(Numbers),
    /// A sequence and a value.
    Mixed {
        /// How its elements stood to the value.
        seen: Seen,
        member: bool,
        elements: bool,
        orders: Orders,
        /// Of strings it is only said that they are elements.
        is_text: bool,
        /// The value comes first in the point.
        swapped: bool,
    },
    Sequences(Box<Sequences>),
}

/// Which relations are worth saying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Orders {
    /// Of references and truth values that they are equal.
    Equality,
    /// Of names of classes also that they are not.
    Difference,
    /// Of sequences everything but that they are not.
    Order,
    All,
}

impl Orders {
    fn of(first: &Term, second: &Term) -> Orders {
        let is_sequence = first.rep.sequence || second.rep.sequence;
        if !rule::is_ordered(first.rep.kind) || is_sequence && first.is_type {
            Orders::Equality
        } else if is_sequence {
            Orders::Order
        } else if first.is_type || second.is_type {
            Orders::Difference
        } else {
            Orders::All
        }
    }

    /// The relation that says most, if it is worth saying.
    fn strongest(self, seen: Seen) -> Option<Relation> {
        let relation = seen.strongest()?;
        match (self, relation) {
            (_, Relation::Equal) | (Orders::All, _) => Some(relation),
            (Orders::Equality, _) | (Orders::Order, Relation::NotEqual) => None,
            (Orders::Order, _) => Some(relation),
            // What is always less is always different.
            (Orders::Difference, _) => Relation::NotEqual
                .covers(seen)
                .then_some(Relation::NotEqual),
        }
    }

    /// True if nothing is left that is worth saying.
    fn is_spent(self, seen: Seen) -> bool {
        seen != Seen::NONE && self.strongest(seen).is_none()
    }
}

#[derive(Clone, Debug)]
struct Numbers {
    seen: Seen,
    /// None once none of them is left.
    equations: Option<Box<Equations>>,
}

#[derive(Clone, Debug)]
struct Equations {
    arithmetic: Arithmetic,
    line: Line,
}

/// Which of two is a multiple or the square of the other: the first of the second, the second of the first.
#[derive(Clone, Copy, Debug)]
struct Arithmetic {
    divides: [bool; 2],
    squares: [bool; 2],
}

#[derive(Clone, Debug)]
struct Sequences {
    lexical: Seen,
    /// None once the lengths differed.
    pairwise: Option<Seen>,
    reverse: bool,
    orders: Orders,
    /// There was an element at all.
    elements: bool,
    /// Of numbers only.
    numbers: Option<(Arithmetic, Line)>,
}

impl Arithmetic {
    const ALL: Arithmetic = Arithmetic {
        divides: [true; 2],
        squares: [true; 2],
    };

    fn see(&mut self, a: &Value, b: &Value) {
        for (i, swapped) in [(0, false), (1, true)] {
            self.divides[i] = self.divides[i] && divides(a, b, swapped);
            self.squares[i] = self.squares[i] && squares(a, b, swapped);
        }
    }

    fn is_alive(self) -> bool {
        self.divides.contains(&true) || self.squares.contains(&true)
    }
}

/// True if two values are equal, as a pair of two such variables sees it.
pub(crate) fn are_equal(a: &Value, b: &Value) -> bool {
    let seen = compared(a, b);
    seen.is_some_and(|seen| Relation::Equal.covers(seen))
}

impl Pair {
    /// Two terms of which `a` comes first.
    pub(crate) fn new(a: u32, b: u32, first: &Term, second: &Term) -> Pair {
        let is_number = first.rep.kind.is_number();
        let orders = Orders::of(first, second);
        let body = match (first.rep.sequence, second.rep.sequence) {
            (false, false) if is_number => Body::Numbers(Numbers {
                seen: Seen::NONE,
                equations: Some(Box::new(Equations {
                    arithmetic: Arithmetic::ALL,
                    line: Line::new(),
                })),
            }),
            (false, false) => Body::Values {
                seen: Seen::NONE,
                orders,
            },
            (true, true) => Body::Sequences(Box::new(Sequences {
                lexical: Seen::NONE,
                pairwise: Some(Seen::NONE),
                reverse: first.rep.kind != Kind::Text,
                orders,
                elements: false,
                numbers: is_number.then(|| (Arithmetic::ALL, Line::new())),
            })),
            (_, swapped) => Body::Mixed {
                seen: Seen::NONE,
                member: true,
                elements: false,
                orders,
                is_text: first.rep.kind == Kind::Text,
                swapped,
            },
        };
        Pair {
            a,
            b,
            samples: 0,
            apart: false,
            body,
        }
    }

    /// Sees a sample: what both were, if they were there. False if nothing is left to be said; what is equal or not counts too:
    /// equal variables are one.
    pub(crate) fn see(&mut self, a: &Value, b: &Value, times: u64) -> bool {
        if a.is_missing() || b.is_missing() {
            self.apart |= a.is_missing() != b.is_missing();
            return true;
        }
        self.samples += times;
        match &mut self.body {
            Body::Values { seen, orders } => {
                seen.add(compared(a, b).unwrap_or(Seen::NEITHER));
                !orders.is_spent(*seen)
            }
            Body::Numbers(numbers) => numbers.see(a, b),
            Body::Mixed {
                seen,
                member,
                elements,
                orders,
                swapped,
                ..
            } => {
                let (all, one) = if *swapped { (b, a) } else { (a, b) };
                *elements |= all.length().is_some_and(|n| n > 0);
                if !orders.is_spent(*seen) {
                    seen.add(rule::elements(all, one).unwrap_or(Seen::NEITHER));
                }
                *member = *member && rule::is_member(all, one);
                *member || !orders.is_spent(*seen)
            }
            Body::Sequences(sequences) => {
                sequences.see(a, b);
                sequences.is_alive()
            }
        }
    }

    /// True if the same two values tell it nothing when they come again. What is nearly a line may become another one within a
    /// sequence, which its first elements are then asked of.
    pub(crate) fn is_told_at_once(&self) -> bool {
        match &self.body {
            Body::Sequences(sequences) => sequences.numbers.is_none(),
            Body::Values { .. } | Body::Numbers(_) | Body::Mixed { .. } => true,
        }
    }

    /// True if both always had the same value, and were missing together.
    pub(crate) fn is_equal(&self) -> bool {
        !self.apart
            && self.samples > 0
            && match &self.body {
                Body::Values { seen, .. } => Relation::Equal.covers(*seen),
                Body::Numbers(n) => Relation::Equal.covers(n.seen),
                Body::Mixed { .. } => false,
                Body::Sequences(s) => Relation::Equal.covers(s.lexical),
            }
    }

    /// The line that all points so far are on.
    pub(crate) fn line(&self) -> Option<&Line> {
        match &self.body {
            Body::Numbers(n) => {
                let line = n.equations.as_ref().map(|e| &e.line);
                line.filter(|line| line.is_alive())
            }
            _ => None,
        }
    }

    /// Everything that no sample contradicts; `distinct` is how many different pairs of values there can have been. Terms of
    /// [`Rule`]s about a sequence and a value come in that order: the flag says if that is not the point's.
    pub(crate) fn found(&self, distinct: u64) -> Vec<(Found, bool)> {
        let mut found = Vec::new();
        if self.samples == 0 {
            return found;
        }
        let ordered = |relation: Relation, n: u64| match relation {
            Relation::Equal => once(n),
            _ => after(n, 0.5),
        };
        let mut push =
            |rule, confidence, swapped| found.push((Found::new(rule, confidence), swapped));
        match &self.body {
            Body::Values { seen, orders } => {
                if let Some(relation) = orders.strongest(*seen) {
                    push(
                        Rule::Compare(relation),
                        ordered(relation, self.samples),
                        false,
                    );
                }
            }
            Body::Numbers(numbers) => {
                if let Some(relation) = numbers.seen.strongest() {
                    push(
                        Rule::Compare(relation),
                        ordered(relation, self.samples),
                        false,
                    );
                }
                if let Some(equations) = &numbers.equations {
                    if let Some((factors, confidence)) = equations.line.found() {
                        push(Rule::Linear(factors), confidence, false);
                    }
                    for (rule, _) in equations.arithmetic.rules() {
                        push(rule, of_arithmetic(distinct), false);
                    }
                }
            }
            Body::Mixed {
                seen,
                member,
                elements,
                orders,
                is_text,
                swapped,
            } => {
                if *elements
                    && !*is_text
                    && let Some(relation) = orders.strongest(*seen)
                {
                    push(
                        Rule::ElementsCompare(relation),
                        ordered(relation, self.samples),
                        *swapped,
                    );
                }
                if *member {
                    push(Rule::Member, 1.0, *swapped);
                }
            }
            Body::Sequences(s) => {
                if let Some(relation) = s.orders.strongest(s.lexical) {
                    push(Rule::Lexical(relation), ordered(relation, distinct), false);
                }
                if let Some(relation) = s.pairwise.and_then(|seen| s.orders.strongest(seen)) {
                    push(
                        Rule::Pairwise(relation),
                        ordered(relation, self.samples),
                        false,
                    );
                }
                if s.reverse {
                    push(Rule::Reverse, 1.0, false);
                }
                if let (Some((arithmetic, line)), Some(_)) = (&s.numbers, s.pairwise) {
                    if let Some((factors, confidence)) = line.found() {
                        push(Rule::PairwiseLinear(factors), confidence, false);
                    }
                    if s.elements {
                        for (_, rule) in arithmetic.rules() {
                            push(rule, of_arithmetic(distinct), false);
                        }
                    }
                }
            }
        }
        found
    }
}

/// So many different pairs of values make a quotient or a square worth saying.
const ENOUGH: u64 = 5;

/// The confidence in quotients and squares after so many different pairs of values: small numbers divide each other by chance.
fn of_arithmetic(distinct: u64) -> f64 {
    reaches(count(distinct), count(ENOUGH))
}

impl Arithmetic {
    /// What holds, of two values and of two sequences.
    fn rules(self) -> impl Iterator<Item = (Rule, Rule)> {
        [(0, false), (1, true)]
            .into_iter()
            .flat_map(move |(i, swapped)| {
                let divides = self.divides[i]
                    .then_some((Rule::Divides { swapped }, Rule::PairwiseDivides { swapped }));
                let squares = self.squares[i]
                    .then_some((Rule::Square { swapped }, Rule::PairwiseSquare { swapped }));
                divides.into_iter().chain(squares)
            })
    }
}

impl Numbers {
    /// False if nothing is left to be said.
    fn see(&mut self, a: &Value, b: &Value) -> bool {
        let before = self.seen;
        self.seen.add(compared(a, b).unwrap_or(Seen::NEITHER));
        if let Some(equations) = &mut self.equations {
            if equations.see(a, b) {
                return true;
            }
            self.equations = None;
        } else if self.seen == before {
            return true;
        }
        !self.seen.is_spent()
    }
}

impl Equations {
    /// False if none is left.
    fn see(&mut self, a: &Value, b: &Value) -> bool {
        if self.arithmetic.is_alive() {
            self.arithmetic.see(a, b);
        }
        if self.line.is_alive()
            && let (Some(a), Some(b)) = (a.number(), b.number())
        {
            self.line.see(a, b);
        }
        self.arithmetic.is_alive() || self.line.is_alive()
    }
}

impl Sequences {
    fn see(&mut self, a: &Value, b: &Value) {
        if !self.orders.is_spent(self.lexical) {
            self.lexical.add(compared(a, b).unwrap_or(Seen::NEITHER));
        }
        self.reverse = self.reverse && rule::is_reverse(a, b);
        let Some(before) = self.pairwise else { return };
        let Some(seen) = pairwise(a, b) else {
            self.pairwise = None;
            self.numbers = None;
            return;
        };
        let mut all = before;
        all.add(seen);
        self.pairwise = Some(all);
        let length = a.length().unwrap_or(0);
        self.elements |= length > 0;
        let Some((arithmetic, line)) = &mut self.numbers else {
            return;
        };
        for i in 0..length {
            if !arithmetic.is_alive() && !line.is_alive() {
                self.numbers = None;
                break;
            }
            let (Some(a), Some(b)) = (a.element(i), b.element(i)) else {
                break;
            };
            arithmetic.see(&a, &b);
            if let (Some(a), Some(b)) = (a.number(), b.number()) {
                line.see(a, b);
            }
        }
    }

    fn is_alive(&self) -> bool {
        let pairwise = self
            .pairwise
            .is_some_and(|seen| !self.orders.is_spent(seen) || self.numbers.is_some());
        pairwise || self.reverse || !self.orders.is_spent(self.lexical)
    }
}
