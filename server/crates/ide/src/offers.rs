//! What one test could read and does not, and what only an inner oracle can check.

use crate::analysis::{Analysis, Part, Place, Question, Store};
use crate::asked_as::asked_as;
use crate::checked::is_ran;
use crate::checking::Checking;
use crate::inner::{CandidateId, is_within_reach};
use crate::values::Differing;
use crate::words::{key_of, named, share};
use calls::Workspace;
use flow::LocalId;
use observe::Node;
use oracle::TestRun;
use program::{BodyId, MethodId, Program, TypeId};
use rayon::prelude::*;
use recommend::{
    Ask, Besides, Cue, Doubt, Hope, LEAST_GAIN, Observation, Offer, Switches, hope, offer_beside,
};
use smol_str::SmolStr;
use std::cell::LazyCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use text::{Encoding, Span};

/// How many of the values that one stands in for are named.
const NAMED: usize = 3;

/// The two lists, best first.
#[derive(Clone, Debug, Default)]
pub struct Offered {
    /// Values that the test could assert.
    pub readable: Vec<Readable>,
    /// Values inside the code under test.
    pub inside: Vec<Inside>,
    /// The bodies that it rests on, in order.
    bodies: Arc<[BodyId]>,
    /// It rests on the text of the other tests of its file as well.
    rests_on_siblings: bool,
}

/// A value that the test could assert.
#[derive(Clone, Debug)]
pub struct Readable {
    /// What to write: `record.getComment()`.
    pub expression: String,
    /// Under which name a recording keeps it.
    pub asked_as: SmolStr,
    /// Its type as people write it.
    pub ty: String,
    /// Where its object was defined last.
    pub span: Span,
    /// The type of the object that is asked, as people write it; empty if none is.
    pub object: String,
    /// The locals of the test that it names.
    pub locals: Vec<LocalId>,
    /// What it adds to what the assertions read.
    pub gain: f64,
    /// What it tells on, in words.
    pub tells_on: Vec<String>,
    /// It is what a captor keeps, as a whole: what was told to keep it is never `null`.
    pub is_kept: bool,
    /// It looks worth an assertion.
    pub worth: bool,
    /// It does only since its test asserts nothing, as far as its own body tells.
    pub(crate) rests_on_silence: bool,
    /// Why it may not be worth a look; a lens names only what none concerns.
    pub doubt: Option<Doubt>,
    /// What shows that the test wants it, if none concerns it.
    pub cue: Option<Cue>,
    /// What is asked of which type.
    pub asked: Ask,
}

/// A value inside the code under test.
#[derive(Clone, Debug)]
pub struct Inside {
    /// `neg in Stats.compare`.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
    /// What it adds.
    pub gain: f64,
    /// It looks worth a check in the code; only such are shown unless a user asks for all.
    pub worth: bool,
    /// Its method and its variable, as [`crate::dismissed`] names them.
    pub key: (String, String),
    body: BodyId,
}

impl Offered {
    /// Of what a test could read, that of which a person who asks may be shown an assertion: it looks worth one, and no doubt
    /// concerns it or a mild one.
    pub fn to_assert<'o>(
        &'o self,
        analysis: &'o Analysis,
        test: MethodId,
    ) -> impl Iterator<Item = &'o Readable> {
        let is_silent = LazyCell::new(move || Checking::new(analysis).finds_nothing_of(test));
        let is_mild = |r: &&Readable| r.doubt.is_none_or(Doubt::is_mild);
        let worth = self.readable.iter().filter(|r| r.worth);
        worth
            .filter(is_mild)
            .filter(move |r| !r.rests_on_silence || *is_silent)
    }

    /// What is inside and looks worth a check in the code, of a test of which it is known what it ran: which lines a test runs
    /// code alone tells too badly (`docs/evaluation-trust.md`).
    pub fn to_check<'o>(
        &'o self,
        analysis: &'o Analysis,
        test: MethodId,
    ) -> impl Iterator<Item = &'o Inside> {
        let is_recorded = LazyCell::new(move || is_ran(analysis, test));
        self.inside_run(analysis, test)
            .filter(move |i| i.worth && *is_recorded)
    }

    /// What is inside, without what the test is known not to run, and what was another value in another run of it.
    pub fn inside_run<'o>(
        &'o self,
        analysis: &'o Analysis,
        test: MethodId,
    ) -> impl Iterator<Item = &'o Inside> {
        let ran = LazyCell::new(move || analysis.ran_itself(test));
        let differing = LazyCell::new(move || Differing::of(analysis, test));
        let runs = move |i: &&Inside| {
            let Some(ran) = &*ran else {
                return true;
            };
            let index = analysis.lines(i.place.file);
            let line = index.position(i.place.span.start, Encoding::Utf8).line + 1;
            ran.may_have(i.place.file, line, line)
        };
        let is_same = move |i: &&Inside| !differing.has(analysis, i.place);
        self.inside.iter().filter(runs).filter(is_same)
    }

    /// The bodies that it rests on, in order.
    pub(crate) fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }
}

impl Inside {
    /// True if it lies in a class, or in one within it.
    pub(crate) fn is_in(&self, program: &Program, class: Option<TypeId>) -> bool {
        is_within(program, program.body_owner(self.body), class)
    }
}

/// True for a class, and for those within it.
pub(crate) fn is_within(program: &Program, own: TypeId, class: Option<TypeId>) -> bool {
    let mut around = std::iter::successors(Some(own), |t| program.enclosing_type(*t)).take(100);
    around.any(|t| Some(t) == class)
}

/// What a test alone says of its lists.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct HopeOf(pub(crate) MethodId);

impl Question for HopeOf {
    type Answer = Hope;
    const RESTS_ON: &'static [Part] = &[Part::Settings];

    fn answer(&self, analysis: &Analysis) -> Hope {
        let switches = Switches::default();
        hope(analysis.workspace(), analysis.known(), self.0, &switches)
    }
}

/// What a test could read, and what only an inner oracle can check.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct OfferOf(pub(crate) MethodId);

impl Question for OfferOf {
    type Answer = Offered;
    const RESTS_ON: &'static [Part] = &[Part::Settings, Part::Dismissed];

    fn answer(&self, analysis: &Analysis) -> Offered {
        offered(analysis, self.0)
    }
}

/// An offer for some tests.
type Made = (Box<[TestRun]>, Arc<Offer>);

/// The last offers with their graphs, in the order in which they were made.
#[derive(Default)]
struct Whole {
    last: Mutex<VecDeque<Made>>,
    /// How many offers were made.
    made: AtomicU64,
}

impl Store for Whole {
    const RESTS_ON: &'static [Part] = &[Part::Settings, Part::Dismissed];
}

/// How many offers are kept: those of a large class.
const OFFERS: usize = 100;

/// How many edges their graphs may have, but for the last: about 40 MB.
const EDGES: u32 = 1 << 20;

impl Whole {
    fn last(&self) -> MutexGuard<'_, VecDeque<Made>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, runs: &[TestRun]) -> Option<Arc<Offer>> {
        let last = self.last();
        let known = last.iter().find(|(of, _)| **of == *runs)?;
        Some(Arc::clone(&known.1))
    }

    fn keep(&self, runs: &[TestRun], offer: &Arc<Offer>) {
        self.made.fetch_add(1, Relaxed);
        let mut last = self.last();
        last.push_back((runs.into(), Arc::clone(offer)));
        let edges = |one: &Made| one.1.graph.psg.edge_count();
        let mut all: u32 = last.iter().map(edges).sum();
        while last.len() > OFFERS || all > EDGES && last.len() > 1 {
            all -= last.pop_front().as_ref().map_or(0, edges);
        }
    }
}

impl Analysis {
    /// What is offered for tests, with its graph. The last ones are kept: who asks for a test's list asks for its
    /// picture next.
    ///
    /// No lock is held while it is made, as threads that compute in parallel must not wait for each other: at worst it is
    /// made twice.
    pub fn offer(&self, runs: &[TestRun]) -> Arc<Offer> {
        let whole: Arc<Whole> = self.store();
        whole.get(runs).unwrap_or_else(|| {
            let made = self.executed(Some(runs), |ran| {
                let (workspace, known) = (self.workspace(), self.known());
                let switches = Switches::default();
                // What a test has at hand is no value that only a check in the code sees.
                let is_at_hand = |body, index| {
                    let id = CandidateId { body, index };
                    runs.iter().any(|r| is_within_reach(workspace, r.test, id))
                };
                let (program, dismissed) = (self.program(), self.dismissed());
                let is_dismissed = |body, index: u32| {
                    let candidates = workspace.chains(body).map(|c| &c.candidates);
                    let candidate = candidates.and_then(|c| c.get(index as usize));
                    let hides = |(method, variable): (String, String)| {
                        let mut tests = runs.iter().map(|r| Some(r.test));
                        tests.all(|t| dismissed.hides_variable(program, t, &method, &variable))
                    };
                    !dismissed.is_empty()
                        && candidate
                            .and_then(|c| key_of(program, body, c))
                            .is_some_and(hides)
                };
                let is_dismissed_query = |body, at: &Observation, ask: &Ask| {
                    let asked = (ask.ty.as_str(), ask.query.as_str());
                    let test = program.body_method(body);
                    let test = test.filter(|t| runs.iter().any(|r| r.test == *t));
                    let hides = |t| dismissed.hides_query(program, t, &at.expression, asked);
                    test.is_some_and(hides)
                };
                let besides = Besides {
                    ran,
                    is_at_hand: &is_at_hand,
                    is_dismissed: &is_dismissed,
                    is_dismissed_query: &is_dismissed_query,
                };
                Arc::new(offer_beside(
                    workspace,
                    known,
                    runs,
                    self.settings(),
                    &switches,
                    besides,
                ))
            });
            whole.keep(runs, &made);
            made
        })
    }

    /// How many offers were made of this state.
    #[cfg(test)]
    pub(crate) fn offers_made(&self) -> u64 {
        self.store::<Whole>().made.load(Relaxed)
    }

    /// What a test alone says of its lists.
    pub(crate) fn hope(&self, test: MethodId) -> Arc<Hope> {
        self.ask(HopeOf(test))
    }

    /// What a test could read, and what only an inner oracle can check.
    pub fn offered(&self, test: MethodId) -> Arc<Offered> {
        self.ask(OfferOf(test))
    }

    /// The offers of those tests that are looked at, whatever they say (`true`) or if they may have something sure.
    ///
    /// They are computed side by side.
    pub(crate) fn offers(&self, tests: &[(MethodId, bool)]) -> Vec<Option<Arc<Offered>>> {
        // Computed in parallel themselves.
        self.known();
        self.workspace().suite();
        let offer = |&(test, whatever): &(MethodId, bool)| match whatever {
            true => Some(self.ask_beside_others(OfferOf(test))),
            false => self.offer_if_sure(test),
        };
        tests.par_iter().map(offer).collect()
    }

    /// The offer of a test if it may have something sure. May run beside others, as [`Analysis::offers`] has it.
    pub(crate) fn offer_if_sure(&self, test: MethodId) -> Option<Arc<Offered>> {
        let looks = self.hope(test).may_be_sure;
        looks.then(|| self.ask_beside_others(OfferOf(test)))
    }
}

/// Computes both lists.
fn offered(analysis: &Analysis, test: MethodId) -> Offered {
    let program = analysis.program();
    let found = analysis.offer(&[analysis.workspace().own_run(test)]);
    let name = |v: u32| named(program, &found.units, &found.graph, v);
    let dismissed = analysis.dismissed();
    let readable: Vec<Readable> = found
        .shown()
        .filter_map(|r| {
            let at = found.observations.get(&r.vertex)?;
            Some(Readable {
                asked_as: asked_as(program, test, at),
                expression: at.expression.to_string(),
                ty: at.ty.to_string(),
                span: Span::new(at.start, at.end),
                object: program.type_text(at.object).to_string(),
                locals: at.locals.clone(),
                gain: r.gain,
                is_kept: at.is_kept,
                worth: found.is_worth(r.vertex),
                rests_on_silence: found.rests_on_silence(r.vertex),
                doubt: found.doubt(r.vertex),
                cue: found.judged.get(&r.vertex).and_then(|j| j.ok()),
                asked: found.asks.get(&r.vertex)?.clone(),
                tells_on: r
                    .stands_for
                    .iter()
                    .filter_map(|s| {
                        Some(format!("{}{}", name(s.vertex)?.in_method(), share(s.foc)))
                    })
                    .take(NAMED)
                    .collect(),
            })
        })
        .filter(|r: &Readable| {
            let asked = (r.asked.ty.as_str(), r.asked.query.as_str());
            !dismissed.hides_query(program, test, &r.expression, asked)
        })
        .collect();
    let inside = found
        .inside
        .iter()
        .filter(|r| r.gain >= LEAST_GAIN)
        .filter_map(|r| {
            let own = name(r.vertex)?;
            let Node::Real { unit, .. } = found.graph.nodes[r.vertex as usize] else {
                return None;
            };
            Some(Inside {
                body: found.units[unit.ix()].body,
                name: own.in_method(),
                place: Place {
                    file: own.file,
                    span: own.span,
                },
                gain: r.gain,
                worth: found.inside_worth.contains(&r.vertex),
                key: own.key(),
            })
        })
        .filter(|i: &Inside| !dismissed.hides_variable(program, Some(test), &i.key.0, &i.key.1))
        .collect();
    let mut bodies: Vec<BodyId> = found.units.iter().map(|u| u.body).collect();
    let hope = analysis.hope(test);
    debug_assert!(
        hope.may_be_sure || readable_is_doubted(&readable),
        "what a test alone says of its values is less than what is known in the end"
    );
    bodies.extend(&hope.bodies);
    bodies.sort_unstable();
    bodies.dedup();
    Offered {
        readable,
        inside,
        bodies: bodies.into(),
        rests_on_siblings: hope.rests_on_siblings,
    }
}

fn readable_is_doubted(readable: &[Readable]) -> bool {
    readable.iter().all(|r| r.doubt.is_some())
}

/// What differs between two states for those who rest on bodies; none if a declaration, an initialiser or what is asked of the
/// whole program differs.
pub(crate) struct Since<'a> {
    before: &'a Workspace,
    next: &'a Workspace,
    /// Bodies with another meaning, in order.
    changed: Vec<BodyId>,
}

impl<'a> Since<'a> {
    pub(crate) fn new(before: &'a Workspace, next: &'a Workspace) -> Option<Since<'a>> {
        let (was, is) = (before.program(), next.program());
        if !is.same_declarations(was) || !is.follows(was) || is.has_other_initialisers(was) {
            return None;
        }
        let mut changed = is.changed_bodies().to_vec();
        changed.sort_unstable();
        Some(Since {
            before,
            next,
            changed,
        })
    }

    /// How far a body moved, in bytes.
    pub(crate) fn moved(&self, body: BodyId) -> Option<i64> {
        let was = self.before.program().body(body)?.start;
        Some(i64::from(self.next.program().body(body)?.start) - i64::from(was))
    }

    /// How far a test moved, if nothing differs that is known of it from some bodies and its own text, and that of its file
    /// where it `rests_on_siblings`.
    fn stands(
        &self,
        test: MethodId,
        bodies: &[BodyId],
        places: &[Span],
        rests_on_siblings: bool,
    ) -> Option<i64> {
        let (was, is) = (self.before.program(), self.next.program());
        let touches = |b: &BodyId| bodies.binary_search(b).is_ok();
        if self.changed.iter().any(touches) {
            return None;
        }
        let own = is.method_body(test)?;
        let file = is.body_file(own)?;
        let (text, new) = (was.text(file)?, is.text(file)?);
        if !Arc::ptr_eq(text, new) {
            // Literals, which are written as they are, and the imports, which say whose assertions are.
            let (a, b) = (was.method_decl(test)?.span, is.method_decl(test)?.span);
            let first = |p: &Program| {
                let starts = p.types_of_file(file).iter();
                starts
                    .filter_map(|t| p.type_decl(*t))
                    .map(|d| d.name_span.start)
                    .min()
            };
            let (start, new_start) = (first(was)? as usize, first(is)? as usize);
            if rests_on_siblings
                || text.get(a.range())? != new.get(b.range())?
                || text.get(..start)? != new.get(..new_start)?
                || places.iter().any(|p| !a.covers(*p))
            {
                return None;
            }
        }
        self.moved(own)
    }

    /// True if what a test alone says is as before.
    pub(crate) fn hope(&self, test: MethodId, old: &Hope) -> bool {
        self.stands(test, &old.bodies, &[], old.rests_on_siblings)
            .is_some()
    }

    /// True if nothing differs that is known of a test from some bodies, in order, and its own text.
    pub(crate) fn is_as_before(&self, test: MethodId, bodies: &[BodyId]) -> bool {
        self.stands(test, bodies, &[], false).is_some()
    }

    /// The offer of before, if nothing that it rests on differs: its places are those of the new texts.
    pub(crate) fn offered(&self, test: MethodId, old: &Arc<Offered>) -> Option<Arc<Offered>> {
        let places: Vec<Span> = old.readable.iter().map(|r| r.span).collect();
        let moved = self.stands(test, &old.bodies, &places, old.rests_on_siblings)?;
        let stays = |i: &Inside| self.moved(i.body) == Some(0);
        if moved == 0 && old.inside.iter().all(stays) {
            return Some(Arc::clone(old));
        }
        let mut new = Offered::clone(old);
        for r in &mut new.readable {
            r.span = shifted(r.span, moved)?;
        }
        for i in &mut new.inside {
            i.place.span = shifted(i.place.span, self.moved(i.body)?)?;
        }
        Some(Arc::new(new))
    }
}

fn shifted(span: Span, by: i64) -> Option<Span> {
    let at = |offset: u32| u32::try_from(i64::from(offset) + by).ok();
    Some(Span::new(at(span.start)?, at(span.end)?))
}
