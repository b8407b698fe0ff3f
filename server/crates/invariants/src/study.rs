//! All points of a trace: entries joined to their exits, returns to one exit, methods to their class.
//!
//! A sample of a return holds what the matching entry held as `orig(…)`. It counts at that return, at the exit that stands for all
//! returns, and at the points above that the declarations name: the object's, the class's.
//!
//! Points learn apart from each other, each from its samples in their order. So samples wait until there are some, and then all
//! points that have any learn side by side.

use crate::constraint::{Constraint, Fate};
use crate::family::Family;
use crate::learner::Learner;
use crate::options::Options;
use crate::point::{Point, PointKind};
use crate::report::Report;
use crate::rule::Rule;
use crate::term::Source;
use crate::value::Value;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Calls that are under way at the same time; beyond that the oldest are taken never to return.
const UNDER_WAY: usize = 100_000;

/// Values that wait to be learnt from, at most.
const WAITING: usize = 1 << 18;

/// What is learnt of a whole trace.
#[derive(Debug, Default)]
pub struct Study {
    options: Options,
    places: Vec<Place>,
    names: FxHashMap<String, usize>,
    /// How many returns are declared of a method.
    returns: FxHashMap<String, usize>,
    known: usize,
    calls: Calls,
    /// How many values wait.
    waiting: usize,
}

/// A point with what is learnt there.
#[derive(Debug)]
struct Place {
    /// With the variables of the entry, if it is an exit.
    point: Point,
    /// The declared point that stands behind it; none for the exit that stands for all returns.
    learner: Option<Box<Learner>>,
    /// Samples that it has yet to learn from.
    waiting: Vec<Vec<Value>>,
    /// The entry whose values a sample ends with.
    entry: Option<usize>,
    /// The exit that stands for all returns.
    exit: Option<usize>,
    above: Option<Arc<[Above]>>,
}

/// A point above and where the values of its variables come from.
#[derive(Clone, Debug)]
struct Above {
    place: usize,
    /// For each variable there its position here.
    from: Vec<Option<u32>>,
    /// Samples count there; otherwise what holds there is only known here.
    feeds: bool,
}

/// What entries held until their exits come.
#[derive(Debug, Default)]
struct Calls {
    numbered: BTreeMap<(i64, usize), Vec<Value>>,
    stacked: FxHashMap<usize, Vec<Vec<Value>>>,
    forgotten: u64,
    unmatched: u64,
}

/// A point's constraints.
#[derive(Clone, Debug)]
pub struct Learnt {
    pub point: String,
    pub kind: PointKind,
    pub samples: u64,
    pub constraints: Vec<Constraint>,
}

impl Study {
    /// Nothing is known.
    pub fn new(options: Options) -> Study {
        Study {
            options,
            ..Study::default()
        }
    }

    /// Takes note of points that were declared since the last time.
    pub fn declare(&mut self, points: &[Point]) {
        for point in points.iter().skip(self.known) {
            let at = self.place(point.clone());
            if point.kind == PointKind::Subexit || point.kind == PointKind::Exit {
                *self
                    .returns
                    .entry(method(&point.name).to_owned())
                    .or_default() += 1;
            }
            debug_assert_eq!(self.places[at].point.name, point.name);
        }
        self.known = points.len().max(self.known);
    }

    fn place(&mut self, point: Point) -> usize {
        let at = self.places.len();
        self.names.insert(point.name.clone(), at);
        self.places.push(Place {
            point,
            learner: None,
            waiting: Vec::new(),
            entry: None,
            exit: None,
            above: None,
        });
        at
    }

    /// Exits without their entries: they were not counted.
    pub fn unmatched(&self) -> u64 {
        self.calls.unmatched
    }

    /// Entries whose exits never came, as far as they are still known.
    pub fn unfinished(&self) -> u64 {
        let stacked: usize = self.calls.stacked.values().map(Vec::len).sum();
        self.calls.forgotten + (self.calls.numbered.len() + stacked) as u64
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.places.len()
    }

    /// Sees a sample of the point that was declared under that name.
    pub fn see(&mut self, point: &str, nonce: Option<i64>, values: &[Value]) {
        self.see_with(point, nonce, values, &mut |_, _| {});
    }

    /// Sees a sample, and tells of each point at which it counts, with the values there.
    pub fn see_with(
        &mut self,
        point: &str,
        nonce: Option<i64>,
        values: &[Value],
        told: &mut dyn FnMut(&str, &[Value]),
    ) {
        let Some(&at) = self.names.get(point) else {
            return;
        };
        match self.places[at].point.kind {
            // A call that never returns does not count: what it met is not what the method works with.
            PointKind::Enter if self.returns.contains_key(method(point)) => {
                self.calls.enter(at, nonce, values.to_vec());
            }
            PointKind::Exit | PointKind::Subexit => self.leave(at, nonce, values, told),
            _ => self.count(at, values, told),
        }
    }

    fn leave(
        &mut self,
        at: usize,
        nonce: Option<i64>,
        values: &[Value],
        told: &mut dyn FnMut(&str, &[Value]),
    ) {
        let place = &self.places[at];
        let enter = place.entry.or_else(|| {
            let name = format!("{}:::ENTER", method(&place.point.name));
            self.names.get(&name).copied()
        });
        let before = match enter {
            None => Vec::new(),
            Some(enter) => match self.calls.leave(enter, nonce) {
                Some(values) => {
                    self.count(enter, &values, told);
                    values
                }
                None => {
                    self.calls.unmatched += 1;
                    return;
                }
            },
        };
        let mut row = Vec::with_capacity(values.len() + before.len());
        row.extend_from_slice(values);
        if let Some(enter) = enter {
            let variables = &self.places[enter].point.variables;
            row.extend(
                variables
                    .iter()
                    .zip(before)
                    .filter(|(v, _)| v.constant.is_none())
                    .map(|(_, value)| value),
            );
        }
        self.join(at, enter);
        if self.places[at].point.kind == PointKind::Subexit {
            let name = method(&self.places[at].point.name);
            if self.returns.get(name).is_some_and(|n| *n > 1) {
                self.learn(at, &row, told);
            }
            let all = self.exit_of(at);
            self.count(all, &row, told);
        } else {
            self.count(at, &row, told);
        }
    }

    /// Gives an exit the variables of its entry.
    fn join(&mut self, at: usize, enter: Option<usize>) {
        if self.places[at].entry.is_some() {
            return;
        }
        if let Some(enter) = enter {
            // What never changes need not be told twice.
            let changing = self.places[enter]
                .point
                .variables
                .iter()
                .filter(|v| v.constant.is_none());
            let before: Vec<_> = changing.map(|v| v.at_entry()).collect();
            self.places[at].point.variables.extend(before);
            self.places[at].entry = Some(enter);
        }
    }

    /// The exit that stands for all returns.
    fn exit_of(&mut self, at: usize) -> usize {
        if let Some(all) = self.places[at].exit {
            return all;
        }
        let name = format!("{}:::EXIT", method(&self.places[at].point.name));
        if let Some(&all) = self.names.get(&name) {
            self.places[at].exit = Some(all);
            return all;
        }
        let mut point = self.places[at].point.clone();
        point.name = name;
        point.kind = PointKind::Exit;
        let entry = self.places[at].entry;
        let all = self.place(point);
        self.places[all].entry = entry;
        self.places[at].exit = Some(all);
        all
    }

    /// Learns here and above.
    fn count(&mut self, at: usize, row: &[Value], told: &mut dyn FnMut(&str, &[Value])) {
        self.learn(at, row, told);
        for above in self.above(at).iter() {
            if above.feeds {
                let value = |i: &Option<u32>| {
                    i.and_then(|i| row.get(i as usize))
                        .cloned()
                        .unwrap_or(Value::Missing)
                };
                let there: Vec<Value> = above.from.iter().map(value).collect();
                self.count(above.place, &there, told);
            }
        }
    }

    fn learn(&mut self, at: usize, row: &[Value], told: &mut dyn FnMut(&str, &[Value])) {
        let place = &mut self.places[at];
        told(&place.point.name, row);
        place.waiting.push(row.to_vec());
        self.waiting += row.len() + 1;
        if self.waiting >= WAITING {
            self.catch_up();
        }
    }

    /// Learns from what waits.
    fn catch_up(&mut self) {
        self.waiting = 0;
        let options = &self.options;
        let places = self.places.par_iter_mut();
        let behind = places.filter(|place| !place.waiting.is_empty());
        behind.for_each(|place| {
            let new = || Box::new(Learner::new(&place.point, options.clone()));
            let learner = place.learner.get_or_insert_with(new);
            for row in place.waiting.drain(..) {
                learner.see(&row, 1);
            }
        });
    }

    /// The points above, looked up once.
    fn above(&mut self, at: usize) -> Arc<[Above]> {
        if let Some(above) = &self.places[at].above {
            return above.clone();
        }
        let mut found = Vec::new();
        let point = &self.places[at].point;
        for parent in &point.parents {
            let Some(&place) = self.names.get(&parent.point) else {
                continue;
            };
            // A point above itself is a mistake of who wrote the trace.
            if place == at || self.is_above(at, place, 0) {
                continue;
            }
            let position = |name: &str| {
                let mut here = (0u32..).zip(&point.variables).filter(|(_, v)| !v.original);
                here.find_map(|(i, v)| {
                    let belongs = v.parents.iter().any(|p| {
                        p.point == parent.point
                            && p.relation == parent.relation
                            && p.variable.as_deref().unwrap_or(&v.name) == name
                    });
                    belongs.then_some(i)
                })
            };
            let there = &self.places[place].point.variables;
            found.push(Above {
                place,
                from: there.iter().map(|v| position(&v.name)).collect(),
                feeds: parent.feeds,
            });
        }
        let found: Arc<[Above]> = found.into();
        self.places[at].above = Some(found.clone());
        found
    }

    /// True if `at` is above `place`, by names.
    fn is_above(&self, at: usize, place: usize, depth: usize) -> bool {
        depth > 8
            || self.places[place].point.parents.iter().any(|p| {
                self.names
                    .get(&p.point)
                    .is_some_and(|&above| above == at || self.is_above(at, above, depth + 1))
            })
    }

    /// What was learnt, point by point: a class's object and static fields, then its methods.
    pub fn learnt(&mut self) -> Vec<Learnt> {
        let reports = self.reports();
        let mut order: Vec<usize> = (0..self.places.len())
            .filter(|i| reports[*i].is_some())
            .collect();
        order.sort_by_key(|i| rank(&self.places[*i].point));
        let mut learnt = Vec::new();
        for at in order {
            let (Some(report), Some(learner)) = (&reports[at], &self.places[at].learner) else {
                continue;
            };
            let shown = report
                .all
                .iter()
                .filter(|(_, fate)| *fate == Fate::Reported);
            learnt.push(Learnt {
                point: self.places[at].point.name.clone(),
                kind: self.places[at].point.kind,
                samples: learner.samples(),
                constraints: shown.map(|(c, _)| c.clone()).collect(),
            });
        }
        learnt
    }

    /// Everything that no sample contradicts at a point, with what became of it.
    pub fn all(&mut self, point: &str) -> Option<Vec<(Constraint, Fate)>> {
        let at = *self.names.get(point)?;
        let mut reports = self.reports();
        reports.swap_remove(at).map(|report| report.all)
    }

    /// The point as it is learnt: an exit with what its entry held.
    pub fn point(&self, name: &str) -> Option<&Point> {
        self.names.get(name).map(|at| &self.places[*at].point)
    }

    fn reports(&mut self) -> Vec<Option<Report>> {
        self.catch_up();
        let places = self.places.par_iter();
        let reports = places.map(|p| p.learner.as_ref().map(|l| l.report()));
        let mut reports: Vec<Option<Report>> = reports.collect();
        if !self.options.for_readers {
            return reports;
        }
        let above = (0..self.places.len()).map(|at| self.told_by(at));
        let above: Vec<Vec<Above>> = above.collect();
        let fates = above
            .par_iter()
            .enumerate()
            .map(|(at, above)| self.fates(at, above, &reports));
        let fates: Vec<Vec<(usize, Fate)>> = fates.collect();
        for (report, fates) in reports.iter_mut().zip(fates) {
            let Some(report) = report else { continue };
            for (i, fate) in fates {
                report.all[i].1 = fate;
            }
        }
        reports
    }

    /// What of a report is not shown for what is said at other points, or because the caller does not see it.
    fn fates(&self, at: usize, above: &[Above], reports: &[Option<Report>]) -> Vec<(usize, Fate)> {
        let (Some(report), Some(learner)) = (&reports[at], &self.places[at].learner) else {
            return Vec::new();
        };
        let back = |above: &Above| {
            let from = (0u32..).zip(&above.from);
            from.filter_map(|(i, from)| Some(((*from)?, i))).collect()
        };
        let back: Vec<FxHashMap<u32, u32>> = above.iter().map(back).collect();
        let mut fates = Vec::new();
        for (i, (constraint, fate)) in report.all.iter().enumerate() {
            if *fate != Fate::Reported {
                continue;
            }
            let mut above = above.iter().zip(&back);
            let said = above.find(|(a, back)| self.says(a, reports, (learner, constraint), back));
            if let Some((above, _)) = said {
                let name = self.places[above.place].point.name.clone();
                fates.push((i, Fate::Above(name)));
            } else if constraint.terms.iter().any(|t| report.hidden[*t as usize]) {
                fates.push((i, Fate::Parameter));
            }
        }
        fates
    }

    /// The points whose word counts here. For a return it is the exit that stands for all returns, and nothing else: what is said above
    /// that is said of the exit. For an exit it is its entry, too, of what held there.
    fn told_by(&mut self, at: usize) -> Vec<Above> {
        let here = &self.places[at].point;
        let exit = self.names.get(&format!("{}:::EXIT", method(&here.name)));
        if let (PointKind::Subexit, Some(&exit)) = (here.kind, exit) {
            let count = u32::try_from(here.variables.len()).unwrap_or(u32::MAX);
            return vec![Above {
                place: exit,
                from: (0..count).map(Some).collect(),
                feeds: true,
            }];
        }
        let mut all = self.above(at).to_vec();
        let here = &self.places[at].point;
        if let Some(enter) = self.places[at].entry {
            let there = self.places[enter].point.variables.iter();
            let position = |name: &str| here.variable(name).and_then(|i| u32::try_from(i).ok());
            all.push(Above {
                place: enter,
                from: there
                    .map(|v| match v.constant {
                        Some(_) => position(&v.name),
                        None => position(&format!("orig({})", v.name)),
                    })
                    .collect(),
                feeds: true,
            });
        }
        all
    }

    /// True if the point above says the same, of the same variables: what it says of others that are equal here is something else.
    fn says(
        &self,
        above: &Above,
        reports: &[Option<Report>],
        (here, constraint): (&Learner, &Constraint),
        back: &FxHashMap<u32, u32>,
    ) -> bool {
        let (Some(report), Some(there)) =
            (&reports[above.place], &self.places[above.place].learner)
        else {
            return false;
        };
        let map = |position: u32| back.get(&position).copied();
        let translate = |term: &u32| -> Option<u32> {
            let source = match here.terms[*term as usize].source {
                Source::Plain(i) => Source::Plain(map(i)?),
                Source::Size { sequence, shift } => Source::Size {
                    sequence: map(sequence)?,
                    shift,
                },
                Source::Element {
                    sequence,
                    index,
                    shift,
                } => Source::Element {
                    sequence: map(sequence)?,
                    index: map(index)?,
                    shift,
                },
            };
            there.sources.get(&source).copied()
        };
        let terms: Option<SmallVec<[u32; 3]>> = constraint.terms.iter().map(translate).collect();
        let Some(mut terms) = terms else {
            return false;
        };
        if constraint.family == Family::Equal {
            terms.sort_unstable();
            return says_equal(report, &terms, &constraint.rule);
        }
        // One that is equal to it speaks for it there, and perhaps to others who do not read of it here.
        if terms.iter().any(|t| report.leader(*t) != *t) {
            return false;
        }
        // It may be chance there, and not be told: Daikon asks no more than that it holds.
        let mut all = report.over(constraint.family, &terms);
        all.any(|(c, _)| c.rule == constraint.rule)
    }
}

/// True if the two are said to be equal: as one variable, of which the leader is named in every equation, or as two that are equal
/// wherever both are there.
fn says_equal(report: &Report, terms: &[u32], rule: &Rule) -> bool {
    let &[a, b] = terms else { return false };
    let leads = |t: u32| report.leader(t) == t;
    if report.leader(a) == report.leader(b) {
        return leads(a) || leads(b);
    }
    let said = |family| report.over(family, terms).any(|(c, _)| c.rule == *rule);
    said(Family::Compare) || said(Family::Lexical)
}

impl Calls {
    fn enter(&mut self, at: usize, nonce: Option<i64>, values: Vec<Value>) {
        match nonce {
            Some(nonce) => {
                self.numbered.insert((nonce, at), values);
                if self.numbered.len() > UNDER_WAY {
                    self.numbered.pop_first();
                    self.forgotten += 1;
                }
            }
            None => {
                let stack = self.stacked.entry(at).or_default();
                if stack.len() >= UNDER_WAY {
                    stack.remove(0);
                    self.forgotten += 1;
                }
                stack.push(values);
            }
        }
    }

    fn leave(&mut self, at: usize, nonce: Option<i64>) -> Option<Vec<Value>> {
        match nonce {
            Some(nonce) => self.numbered.remove(&(nonce, at)),
            None => self.stacked.get_mut(&at)?.pop(),
        }
    }
}

/// The point's name without what comes behind `:::`.
fn method(name: &str) -> &str {
    name.rsplit_once(":::").map_or(name, |(method, _)| method)
}

/// In this order points are listed: by class, its object before its methods; of a method the entry, the returns by line, the exit.
fn rank(point: &Point) -> (String, u8, String, u8, u64) {
    let (method, kind) = point.name.rsplit_once(":::").unwrap_or((&point.name, ""));
    let owner = method.split('(').next().unwrap_or(method);
    let (class, is_member) = match (point.kind, owner.rsplit_once('.')) {
        (PointKind::Object | PointKind::Class, _) | (_, None) => (method, 0),
        (_, Some((class, _))) => (class, 1),
    };
    let line = kind
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .unwrap_or(0);
    let which = match point.kind {
        PointKind::Class => 0,
        PointKind::Object => 1,
        PointKind::Enter => 2,
        PointKind::Subexit => 3,
        PointKind::Exit => 4,
        PointKind::Point => 5,
    };
    (class.to_owned(), is_member, method.to_owned(), which, line)
}
