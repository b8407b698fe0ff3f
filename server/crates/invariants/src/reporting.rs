//! From what is remembered to constraints: equal variables are one, and what is not shown says why.

use crate::confidence::once;
use crate::constraint::{Constraint, Fate};
use crate::family::{Family, Found};
use crate::learner::Learner;
use crate::obvious;
use crate::order::Relation;
use crate::pair::{self, Pair};
use crate::report::Report;
use crate::rule::Rule;
use crate::sample::Past;
use crate::term::Term;
use crate::triples::first_of_equal;
use crate::value::{Kind, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl Learner {
    /// What is believed and worth saying.
    pub fn constraints(&self) -> Vec<Constraint> {
        let report = self.report();
        let shown = report
            .all
            .into_iter()
            .filter(|(_, fate)| *fate == Fate::Reported);
        shown.map(|(constraint, _)| constraint).collect()
    }

    /// Everything that no sample contradicts, with what became of it.
    pub fn all(&self) -> Vec<(Constraint, Fate)> {
        self.report().all
    }

    pub(crate) fn report(&self) -> Report {
        let constants = self.constants();
        let mut leaders = self.leaders(&constants);
        let passing = self.passing(&leaders);
        self.choose(&mut leaders, &passing);
        let mut members = vec![SmallVec::new(); leaders.len()];
        for (i, leader) in (0u32..).zip(&leaders) {
            members[*leader as usize].push(i);
        }
        let mut report = Report {
            all: Vec::new(),
            leaders,
            hidden: passing.iter().map(|is| *is && self.is_exit).collect(),
            members,
            index: FxHashMap::default(),
        };
        self.equalities(&mut report);
        self.singles(&mut report);
        self.pairs(&constants, &mut report);
        self.triples(&mut report);
        report.all.sort_by(|(a, _), (b, _)| {
            let key = |c: &Constraint| (c.family != Family::Equal, c.terms.len());
            (key(a), &a.terms, a.family).cmp(&(key(b), &b.terms, b.family))
        });
        for (i, (constraint, _)) in (0u32..).zip(&report.all) {
            let key = (constraint.family, constraint.terms.clone());
            report.index.entry(key).or_default().push(i);
        }
        let mut fates: Vec<Fate> = Vec::with_capacity(report.all.len());
        for (constraint, fate) in &report.all {
            fates.push(match fate {
                Fate::Reported => self.fate(constraint, &report),
                other => other.clone(),
            });
        }
        for ((_, fate), new) in report.all.iter_mut().zip(fates) {
            *fate = new;
        }
        report
    }

    fn fate(&self, constraint: &Constraint, report: &Report) -> Fate {
        if let Some(why) = obvious::why(self, constraint, report) {
            return Fate::Obvious(why);
        }
        // A number may be missing at times and be constant all the same.
        let is_constant = |i: &u32| {
            let term = &self.terms[*i as usize];
            let is_number =
                !term.rep.sequence && !matches!(term.rep.kind, Kind::Reference | Kind::Text);
            term.is_constant || is_number && self.unary[*i as usize].distinct() == 1
        };
        let tells = match constraint.family {
            Family::Equal
            | Family::Member
            | Family::OneOf
            | Family::NonZero
            | Family::ElementsOneOf
            | Family::ElementsNonZero => true,
            _ => matches!(
                constraint.rule,
                Rule::Compare(Relation::Equal | Relation::NotEqual)
                    | Rule::Lexical(Relation::Equal)
                    | Rule::ElementsCompare(Relation::Equal)
                    | Rule::Reverse
            ),
        };
        if !tells && constraint.terms.iter().all(is_constant) {
            return Fate::OnlyConstants;
        }
        Fate::Reported
    }

    /// Variables that had one value each, with it. Their pairs are not followed, for the values tell all of it.
    fn constants(&self) -> Vec<(u32, &Value)> {
        let past = (0u32..).zip(&self.past);
        let constants = past.filter_map(|(i, past)| match past {
            Past::Constant(value) => Some((i, value)),
            _ => None,
        });
        constants.collect()
    }

    fn leaders(&self, constants: &[(u32, &Value)]) -> Vec<u32> {
        let can_be = |a: u32, b: u32| self.terms[a as usize].can_be(&self.terms[b as usize]);
        let mut equal: Vec<(u32, u32)> = Vec::new();
        for (n, &(a, x)) in constants.iter().enumerate() {
            let others = constants[n + 1..].iter();
            let same = others
                .filter(|(b, y)| pair::are_equal(x, y) && self.is_pair(a, *b) && can_be(a, *b));
            equal.extend(same.map(|(b, _)| (*b, a)));
        }
        first_of_equal(&self.terms, &self.pairs, equal)
    }

    /// A parameter passes with the call, and so does what hangs on it, unless it is known to be what the caller gave. Once the call is
    /// over it is hidden; before, it only does not speak for what is equal to it and stays.
    fn passing(&self, leaders: &[u32]) -> Vec<bool> {
        let leader = |i: u32| leaders.get(i as usize);
        let is_passing = |term: &Term| match term.parameter {
            None => false,
            Some((parameter, before)) => {
                term.own || before.is_none_or(|before| leader(parameter) != leader(before))
            }
        };
        let is_asked = self.options.for_readers;
        self.terms
            .iter()
            .map(|term| is_asked && is_passing(term))
            .collect()
    }

    /// Of those that are equal the one leads that says most to a reader.
    fn choose(&self, leaders: &mut [u32], passing: &[bool]) {
        if !self.options.for_readers {
            return;
        }
        let mut sets: Vec<Vec<usize>> = vec![Vec::new(); leaders.len()];
        for (i, leader) in leaders.iter().enumerate() {
            sets[*leader as usize].push(i);
        }
        for members in sets {
            let key = |i: &&usize| {
                (
                    passing[**i],
                    self.terms[**i].is_derived(),
                    self.terms[**i].complexity,
                )
            };
            if let Some(new) = members.iter().min_by_key(key) {
                let new = u32::try_from(*new).unwrap_or(u32::MAX);
                members.iter().for_each(|i| leaders[*i] = new);
            }
        }
    }

    fn push(&self, report: &mut Report, found: Found, terms: &[u32], samples: u64) {
        let family = Family::of(&found.rule);
        if !self.options.wants(family) {
            return;
        }
        let needs = self.options.limit;
        let fate = if found.confidence >= needs && found.enough {
            Fate::Reported
        } else {
            let has = found.confidence;
            Fate::Unjustified { has, needs }
        };
        let constraint = Constraint::new(
            &self.terms,
            (family, found.rule),
            terms,
            found.confidence,
            samples,
        );
        report.all.push((constraint, fate));
    }

    fn equalities(&self, report: &mut Report) {
        if !self.options.wants(Family::Equal) {
            return;
        }
        for (i, &leader) in (0u32..).zip(&report.leaders.clone()) {
            if i != leader && !report.hidden[i as usize] && self.is_seen(i) {
                let samples = self.unary[i as usize].samples;
                let relation = match self.terms[i as usize].rep.sequence {
                    true => Rule::Lexical(Relation::Equal),
                    false => Rule::Compare(Relation::Equal),
                };
                let what = (Family::Equal, relation);
                let terms = [leader.min(i), leader.max(i)];
                let constraint = Constraint::new(&self.terms, what, &terms, once(samples), samples);
                report.all.push((constraint, Fate::Reported));
            }
        }
    }

    /// At a point that was visited once it is not told of variables that they were equal if the first of their kind was missing: until
    /// then all of them were one with it, and Daikon counts from the visit that parts them.
    fn is_seen(&self, i: u32) -> bool {
        let term = &self.terms[i as usize];
        let mut kind = self.terms.iter().zip(&self.unary);
        let first = kind.find(|(other, _)| other.rep == term.rep && other.can_be(term));
        self.samples != 1
            || !self.options.for_readers
            || first.is_none_or(|(_, first)| first.samples > 0)
    }

    fn singles(&self, report: &mut Report) {
        for (i, unary) in (0u32..).zip(&self.unary) {
            if report.leader(i) == i && self.past[i as usize] != Past::Outside {
                for found in unary.found() {
                    self.push(report, found, &[i], unary.samples);
                }
            }
        }
    }

    fn pairs(&self, constants: &[(u32, &Value)], report: &mut Report) {
        for pair in &self.pairs {
            if report.leader(pair.a) == pair.a && report.leader(pair.b) == pair.b {
                self.push_pair(pair, report);
            }
        }
        let mut leading = constants.to_vec();
        leading.retain(|(i, _)| report.leader(*i) == *i);
        for (n, &(a, x)) in leading.iter().enumerate() {
            for &(b, y) in &leading[n + 1..] {
                if self.is_pair(a, b) {
                    let mut pair =
                        Pair::new(a, b, &self.terms[a as usize], &self.terms[b as usize]);
                    pair.see(x, y, self.samples);
                    self.push_pair(&pair, report);
                }
            }
        }
    }

    fn push_pair(&self, pair: &Pair, report: &mut Report) {
        let distinct = |i: u32| self.unary[i as usize].distinct() as u64;
        let values = pair.samples.min(distinct(pair.a) * distinct(pair.b));
        for (found, swapped) in pair.found(values) {
            let terms = if swapped {
                [pair.b, pair.a]
            } else {
                [pair.a, pair.b]
            };
            self.push(report, found, &terms, pair.samples);
        }
    }

    fn triples(&self, report: &mut Report) {
        let watched = self.all_triples();
        // One was watched for all that are equal, and another one may be shown. Who varied at once may have been equal all the time.
        let mut first: FxHashMap<u32, u32> = FxHashMap::default();
        for (i, stands) in (0u32..).zip(&watched.stands) {
            if i == *stands {
                first.entry(report.leader(i)).or_insert(i);
            }
        }
        for triple in watched.all.iter().filter(|t| t.plane.is_found()) {
            let leads = |i: &u32| first.get(&report.leader(*i)) == Some(i);
            if !triple.terms.iter().all(leads) {
                continue;
            }
            let shown = triple.renamed(|i| report.leader(i));
            if let Some(factors) = shown.plane.found() {
                let samples = shown.terms.map(|i| self.unary[i as usize].samples);
                let samples = samples.into_iter().min().unwrap_or(0);
                let found = Found::new(Rule::Linear(factors), 1.0);
                self.push(report, found, &shown.terms, samples);
            }
        }
    }
}
