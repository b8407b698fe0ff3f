//! The ranking of a scope, or the offer for tests: `telltale.observe/1`.

use super::because;
use super::folder::Folder;
use super::requests::{ExpectedValue, HiddenCode, Sight, of_requests};
use super::{CoveredValue, Described, Describer, RankedValue, Scope, ScopeKind, ScopeName, What};
use crate::checked::RanLines;
use crate::checking::Checking;
use crate::inner::{CandidateId, Check, check, seen_inside};
use crate::offers::Readable;
use crate::values::Differing;
use crate::words::{RETURNED, values_in_words};
use crate::{Analysis, asked_as};
use calls::{Unit, Workspace};
use evidence::{Observed, Told};
use observe::{Assembled, Fp, Node, Ranked, Ranking, Strategy, Wish, capability, rank_over, via};
use oracle::TestRun;
use program::MethodId;
use rayon::prelude::*;
use recommend::{Offer, Unverified};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::sync::Arc;
use text::{Encoding, Span};

/// How many of what a value stands in for get the chain by which it does; the rest is listed without.
const CHAINS_SHOWN: usize = 50;

/// What a scope is asked about of.
#[derive(Debug)]
pub struct Ground<'a> {
    /// All that is known.
    pub analysis: &'a Analysis,
    /// Where it is.
    pub root: String,
    /// How many files were read.
    pub files: usize,
    /// How many could not be read.
    pub files_skipped: usize,
}

/// Which list of a test is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// What it could read and does not.
    Readable,
    /// What only an inner oracle can check.
    Inside,
    /// None: all values in one ranking.
    All,
    /// Of these what code computes: where somebody begins who does not know a project.
    Computed,
}

impl List {
    /// As arguments and output write it.
    pub fn name(self) -> &'static str {
        match self {
            List::Readable => "readable",
            List::Inside => "inside",
            List::All | List::Computed => "all",
        }
    }
}

/// How far what was chosen counts as observed.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum FpName {
    /// `differentiated`.
    Differentiated(&'static str),
    /// For all the same.
    Constant(f64),
}

#[derive(Debug, Serialize)]
pub struct Parameters {
    pub lambda: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lambda_readable: Option<f64>,
    pub fp: FpName,
    pub top: usize,
    pub epsilon: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_bound: Option<f64>,
}

#[derive(Debug, Serialize)]
pub struct Counts {
    pub files: usize,
    pub files_skipped: usize,
    pub methods: usize,
    pub candidates: u32,
    pub edges: u32,
    pub calls: u32,
    pub calls_unresolved: u32,
}

#[derive(Debug, Serialize)]
pub struct Observe {
    pub schema: &'static str,
    pub root: String,
    pub scope: ScopeName,
    pub technique: &'static str,
    pub strategy: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub over_runs: bool,
    pub offer: &'static str,
    pub parameters: Parameters,
    pub counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Vec<RankedValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readable: Option<Vec<RankedValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<Vec<RankedValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Vec<Described>>,
    /// The tests send requests whose answers are looked at by expectations.
    #[serde(skip)]
    pub sends: bool,
    /// It is one test, and no code under test is known to run.
    #[serde(skip)]
    pub is_blind: bool,
    /// All of the tests were recorded with today's code: it is known what they run.
    #[serde(skip)]
    pub is_recorded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expectations: Option<Vec<ExpectedValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Vec<HiddenCode>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unverified: Option<Vec<UnverifiedCall>>,
    /// What mocks are given that may be anything, as far as the tests of the class go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_arguments: Option<Vec<OpenArgument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<Described>>,
}

/// What a recording took off a list: nobody can assert it.
#[derive(Debug, Serialize)]
pub struct LeftOut {
    /// The list that would have it: `readable` or `inside`.
    pub list: &'static str,
    pub candidate: Described,
    /// `unstable`: another run gave another value. `throws`: asking it threw.
    pub why: &'static str,
}

/// A call that a mock takes and its test does not ask for.
#[derive(Debug, Serialize)]
pub struct UnverifiedCall {
    /// `verify(mailer).send(…)`.
    pub expression: String,
    /// `mailer.send`.
    #[serde(skip)]
    pub call: String,
    /// The code under test that makes it.
    pub path: String,
    pub line: u32,
    pub column: u32,
    /// It is made whenever the test comes to its end.
    pub sure: bool,
}

/// What mocks are told in a test and nobody asks for: the calls, and what is given to those that are asked for.
fn of_mocks(analysis: &Analysis, test: TestRun) -> (Vec<UnverifiedCall>, Vec<OpenArgument>) {
    let all = analysis.open(test.test);
    let calls = all.iter().filter(|o| o.of.argument.is_none());
    let calls = calls.filter_map(|o| UnverifiedCall::new(analysis, &o.of));
    let arguments = all
        .iter()
        .filter_map(|o| OpenArgument::new(analysis, &o.of));
    (calls.collect(), arguments.collect())
}

/// What a call of a mock is given, and no test of the class looks at.
#[derive(Debug, Serialize)]
pub struct OpenArgument {
    /// The call: `verify(mailer).send(…)`.
    pub expression: String,
    /// What it is given, as the code under test has it: `mail`.
    pub argument: String,
    /// The code under test that gives it.
    pub path: String,
    pub line: u32,
    pub column: u32,
}

impl OpenArgument {
    fn new(analysis: &Analysis, of: &Unverified) -> Option<OpenArgument> {
        let call = UnverifiedCall::new(analysis, of)?;
        Some(OpenArgument {
            expression: call.expression,
            argument: of.argument.as_ref()?.text.to_string(),
            path: call.path,
            line: call.line,
            column: call.column,
        })
    }
}

impl UnverifiedCall {
    fn new(analysis: &Analysis, of: &Unverified) -> Option<UnverifiedCall> {
        let program = analysis.program();
        let file = program.body_file(of.body)?;
        let at = analysis.lines(file).position(of.start, Encoding::Utf16);
        Some(UnverifiedCall {
            expression: of.expression.to_string(),
            call: of.call.to_string(),
            path: program.path(file)?.to_string(),
            line: at.line + 1,
            column: at.column + 1,
            sure: of.is_sure,
        })
    }
}

/// The answer, with what it was made of.
#[derive(Debug)]
pub struct Answer {
    /// As the contract has it.
    pub json: Observe,
    basis: Basis,
}

/// What an answer is made of: the offer for tests, or the ranking of any scope.
#[derive(Debug)]
enum Basis {
    Offer(Arc<Offer>),
    Ranking(Vec<Unit>, Box<Ranking>),
}

impl Basis {
    fn units(&self) -> &[Unit] {
        match self {
            Basis::Offer(offer) => &offer.units,
            Basis::Ranking(units, _) => units,
        }
    }

    fn graph(&self) -> &Assembled {
        match self {
            Basis::Offer(offer) => &offer.graph,
            Basis::Ranking(_, ranking) => &ranking.graph,
        }
    }

    fn describer<'a>(&'a self, workspace: &'a Workspace) -> Describer<'a> {
        let observations = match self {
            Basis::Offer(offer) => Some(&offer.observations),
            Basis::Ranking(..) => None,
        };
        Describer::new(workspace, self.units(), self.graph(), observations)
    }
}

impl Answer {
    /// Who says what its vertices are.
    pub fn describer<'a>(&'a self, workspace: &'a Workspace) -> Describer<'a> {
        self.basis.describer(workspace)
    }

    /// The graph.
    pub fn graph(&self) -> &Assembled {
        self.basis.graph()
    }

    /// The bodies of the scope with their graph, where it was ranked: of tests it is the graph of what they could read.
    pub(super) fn ranked(&self) -> Option<(&[Unit], &Assembled)> {
        match &self.basis {
            Basis::Offer(_) => None,
            Basis::Ranking(units, ranking) => Some((units, &ranking.graph)),
        }
    }

    /// For tests what is offered, else the ranking. With `asked` one of the lists, or the ranking of all.
    pub fn new(
        ground: &Ground<'_>,
        scope: Scope,
        asked: Option<List>,
        all_candidates: bool,
    ) -> Answer {
        let (workspace, settings) = (ground.analysis.workspace(), ground.analysis.settings());
        let tests: Option<&[TestRun]> = match (&scope.what, asked) {
            (What::Tests(tests), None | Some(List::Readable | List::Inside)) => Some(tests),
            _ => None,
        };
        let is_folder = match &scope.what {
            What::Path { tests, .. } => !tests && scope.kind != ScopeKind::File,
            _ => false,
        };
        let is_asked = matches!(asked, None | Some(List::Computed));
        let folder = (is_folder && is_asked).then(|| Folder::new(ground.analysis));
        let basis = match tests {
            Some(tests) => Basis::Offer(ground.analysis.offer(tests)),
            None => {
                let runs = scope.runs();
                ground.analysis.executed(runs, |ran| {
                    let mut units = scope.units(workspace);
                    units.retain(|u| ran.is_none_or(|ran| ran(u.body, None)));
                    let first = folder.as_ref().filter(|_| asked == Some(List::Computed));
                    let ranking = match first {
                        Some(folder) => folder.least_checked(&units, settings, ran),
                        None => rank_over(workspace, &units, settings, ran, Wish::ALL),
                    };
                    Basis::Ranking(units, Box::new(ranking))
                })
            }
        };
        let describer = basis.describer(workspace);
        let places = Places {
            analysis: ground.analysis,
            basis: &basis,
            describer: &describer,
            tests: tests
                .iter()
                .copied()
                .flatten()
                .map(|run| run.test)
                .collect(),
        };
        let (mut ranking, mut readable, mut inside, mut read) = (None, None, None, None);
        let (mut epsilon, mut error_bound) = (0.0, None);
        let (mut is_recorded, mut left_out) = (false, Vec::new());
        match &basis {
            Basis::Offer(offer) => {
                readable =
                    (asked != Some(List::Inside)).then(|| places.readable(offer, &mut left_out));
                if asked != Some(List::Readable) {
                    let ran = places.ran();
                    is_recorded = ran.is_some();
                    inside = Some(places.inside(offer, ran.as_deref(), &mut left_out));
                }
                let describe = |v: &u32| describer.describe(*v);
                read = Some(offer.read.iter().map(describe).collect());
            }
            Basis::Ranking(units, of) => {
                let mut places = places.ranking(of);
                if let Some(folder) = &folder {
                    folder.tell(units, of, &mut places);
                }
                ranking = Some(places);
                epsilon = of.epsilon;
                error_bound = (of.epsilon > 0.0).then_some(of.error_bound);
            }
        }
        let (expectations, hidden, sight) = match (tests, asked) {
            (Some(tests), None | Some(List::Readable)) => of_requests(ground.analysis, tests),
            _ => (Vec::new(), Vec::new(), Sight::default()),
        };
        let (unverified, open_arguments) = match (tests, asked) {
            // Of several tests nothing is known.
            (Some([test]), None | Some(List::Readable)) => of_mocks(ground.analysis, *test),
            _ => (Vec::new(), Vec::new()),
        };
        let units = basis.units();
        let json = Observe {
            schema: "telltale.observe/1",
            root: ground.root.clone(),
            technique: "basic",
            strategy: match settings.strategy {
                Strategy::Sods => "sods",
                Strategy::PageRank | Strategy::Betweenness => "dodona",
            },
            over_runs: ground.analysis.is_over_runs(),
            offer: match (tests, asked) {
                (None, _) => "all",
                (Some(_), Some(o)) => o.name(),
                // Both lists: the first of them says what was asked.
                (Some(_), None) => "readable",
            },
            parameters: Parameters {
                lambda: settings.lambda,
                lambda_readable: tests.is_some().then_some(settings.lambda_readable),
                fp: match settings.fp {
                    Fp::Differentiated => FpName::Differentiated("differentiated"),
                    Fp::Constant(c) => FpName::Constant(c),
                },
                top: settings.top,
                epsilon,
                error_bound,
            },
            counts: Counts {
                files: ground.files,
                files_skipped: ground.files_skipped,
                methods: units.len(),
                candidates: units.iter().map(|u| u.chains.candidates.len() as u32).sum(),
                edges: basis.graph().psg.edge_count(),
                calls: resolved(workspace, units, |c| c.calls),
                calls_unresolved: resolved(workspace, units, |c| c.calls_unresolved),
            },
            ranking,
            readable,
            inside,
            left_out,
            read,
            sends: sight.sends,
            is_blind: sight.is_blind,
            is_recorded,
            expectations: (!expectations.is_empty()).then_some(expectations),
            hidden: (!hidden.is_empty()).then_some(hidden),
            unverified: (!unverified.is_empty()).then_some(unverified),
            open_arguments: (!open_arguments.is_empty()).then_some(open_arguments),
            candidates: all_candidates.then(|| describer.all()),
            scope: ScopeName {
                kind: scope.kind,
                name: scope.name,
            },
        };
        Answer { json, basis }
    }
}

/// What a value was, as people read it; nothing of one that differs from run to run or throws.
fn told_as(observed: &Observed) -> Option<String> {
    let words = observed.holds().then(|| values_in_words(observed))??;
    Some(words.trim_start_matches(" = ").to_owned())
}

/// Takes off a list what a recording knows to be nothing to assert; `is_out` says why.
fn leave_out(
    list: &mut Vec<RankedValue>,
    name: &'static str,
    left_out: &mut Vec<LeftOut>,
    is_out: impl Fn(&Described) -> Option<&'static str>,
) {
    let taken = list.extract_if(.., |r| is_out(&r.candidate).is_some());
    left_out.extend(taken.filter_map(|r| {
        Some(LeftOut {
            list: name,
            why: is_out(&r.candidate)?,
            candidate: r.candidate,
        })
    }));
    for (at, r) in list.iter_mut().enumerate() {
        r.rank = at + 1;
    }
}

/// What a value of a test's readable list covers, in words.
pub(super) fn covered(analysis: &Analysis, test: MethodId, value: &Readable) -> String {
    let offer = analysis.offer(&[analysis.workspace().own_run(test)]);
    let is_it = |r: &&Ranked| {
        let own = offer.observations.get(&r.vertex);
        own.is_some_and(|o| {
            *o.expression == *value.expression && Span::new(o.start, o.end) == value.span
        })
    };
    let Some(ranked) = offer.readable.iter().find(is_it) else {
        return String::new();
    };
    let basis = Basis::Offer(Arc::clone(&offer));
    let places = Places {
        analysis,
        basis: &basis,
        describer: &basis.describer(analysis.workspace()),
        tests: vec![test],
    };
    places.place(1, ranked, Vec::new()).because
}

/// A count of what the bodies of a scope resolved.
fn resolved(
    workspace: &Workspace,
    units: &[Unit],
    count: fn(&program::ResolvedCounts) -> u32,
) -> u32 {
    units
        .iter()
        .filter_map(|u| workspace.resolved(u.body))
        .map(|r| count(&r.counts))
        .sum()
}

/// Who describes the places of lists.
struct Places<'a> {
    analysis: &'a Analysis,
    basis: &'a Basis,
    describer: &'a Describer<'a>,
    /// The tests that are asked about, if any.
    tests: Vec<MethodId>,
}

impl Places<'_> {
    fn ranking(&self, of: &Ranking) -> Vec<RankedValue> {
        let mut out = self.of(of.ranking.iter(), self.analysis.settings().lambda, false);
        for r in &mut out {
            r.dismissed = self.hides(None, &r.candidate);
        }
        out
    }

    fn readable(&self, offer: &Offer, left_out: &mut Vec<LeftOut>) -> Vec<RankedValue> {
        let program = self.analysis.program();
        let lambda = self.analysis.settings().lambda_readable;
        let mut out = self.of(offer.shown(), lambda, true);
        let told: FxHashMap<MethodId, Option<Arc<Told>>> = self
            .tests
            .iter()
            .map(|t| (*t, self.analysis.answered(*t)))
            .collect();
        let named = |c: &Described| {
            let mut tests = self.tests.iter();
            tests
                .find(|t| program.method_name(**t) == c.method)
                .copied()
        };
        let observed = |c: &Described| {
            let (test, of) = (named(c)?, offer.observations.get(&c.id)?);
            let told = told.get(&test)?.as_ref()?;
            told.queries.get(&asked_as(program, test, of))
        };
        leave_out(&mut out, "readable", left_out, |c| match observed(c)? {
            o if o.is_unstable() => Some("unstable"),
            o if o.throws() => Some("throws"),
            _ => None,
        });
        let checking = Checking::new(self.analysis);
        let mut silent: FxHashMap<MethodId, bool> = FxHashMap::default();
        for r in &mut out {
            let id = r.candidate.id;
            r.doubt = offer.doubt(id);
            let touched = offer.touched.get(&id);
            r.after_line = touched.and_then(|at| self.describer.line_of(id, *at));
            let (test, ask) = (named(&r.candidate), offer.asks.get(&id));
            let mut is_silent = |test: MethodId| {
                let of = silent.entry(test);
                *of.or_insert_with(|| checking.finds_nothing_of(test))
            };
            let is_told = !offer.rests_on_silence(id) || test.is_some_and(&mut is_silent);
            let is_worth = offer.is_worth(id) && is_told;
            r.worth = Some(is_worth);
            r.is_passed_over =
                !is_worth && r.doubt.is_none() && test.is_some_and(|t| !is_silent(t));
            r.recorded = observed(&r.candidate).and_then(told_as);
            if let (Some(test), Some(ask), Some(o)) = (test, ask, offer.observations.get(&id)) {
                let asked = (ask.ty.as_str(), ask.query.as_str());
                let dismissed = self.analysis.dismissed();
                r.dismissed = dismissed.hides_query(program, test, &o.expression, asked);
            }
        }
        out
    }

    /// What each of the tests ran, if all were recorded with today's code.
    fn ran(&self) -> Option<Vec<RanLines>> {
        let ran = self.tests.iter().map(|t| self.analysis.ran_itself(*t));
        let ran = ran.collect::<Option<Vec<_>>>();
        ran.filter(|ran| !ran.is_empty())
    }

    fn inside(
        &self,
        offer: &Offer,
        ran: Option<&[RanLines]>,
        left_out: &mut Vec<LeftOut>,
    ) -> Vec<RankedValue> {
        let lambda = self.analysis.settings().lambda;
        let mut out = self.of(offer.inside.iter(), lambda, false);
        // Of tests that were recorded it is known what they ran.
        if let Some(ran) = ran {
            let program = self.analysis.program();
            out.retain(|r| {
                let (file, line) = (program.file(&r.candidate.path), r.candidate.line);
                file.is_none_or(|f| ran.iter().any(|own| own.may_have(f, line, line)))
            });
        }
        let candidate_of = |c: &Described| match offer.graph.nodes.get(c.id as usize) {
            Some(&Node::Real { unit, candidate }) => Some(CandidateId {
                body: offer.units[unit.ix()].body,
                index: candidate,
            }),
            _ => None,
        };
        let told = self.tests.iter();
        let told: Vec<Arc<Told>> = told.filter_map(|t| self.analysis.believed(*t)).collect();
        let differing = Differing::in_each(&told);
        leave_out(&mut out, "inside", left_out, |c| {
            let seen = seen_inside(self.analysis, candidate_of(c)?)?;
            differing.has_it(&seen).then_some("unstable")
        });
        let own = match &self.tests[..] {
            [_] => told.first().map(|told| told.inside.all()),
            _ => None,
        };
        for r in &mut out {
            // For all of several tests.
            let tests = &self.tests;
            r.dismissed = tests.iter().all(|t| self.hides(Some(*t), &r.candidate));
            r.worth = Some(ran.is_some() && offer.inside_worth.contains(&r.candidate.id));
            if let ([test], Some(id)) = (&tests[..], candidate_of(&r.candidate)) {
                r.check = check(self.analysis.workspace(), Some(*test), id).map(Check::name);
                let seen = seen_inside(self.analysis, id);
                let observed = seen.and_then(|seen| own.as_ref()?.get(&seen));
                r.recorded = observed.and_then(told_as);
            }
        }
        out
    }

    /// True if a user said *Not this one* of a variable.
    fn hides(&self, test: Option<MethodId>, c: &Described) -> bool {
        let variable = match c.kind.is_returned() {
            true => RETURNED,
            false => &c.variable,
        };
        let (program, dismissed) = (self.analysis.program(), self.analysis.dismissed());
        dismissed.hides_variable(program, test, &c.method, variable)
    }

    /// The places of one list.
    fn of<'r>(
        &self,
        list: impl Iterator<Item = &'r Ranked>,
        lambda: f64,
        copies: bool,
    ) -> Vec<RankedValue> {
        let capability = capability(
            self.analysis.workspace(),
            self.basis.graph(),
            lambda,
            copies,
        );
        let list: Vec<&Ranked> = list.collect();
        // The chains are the costly part, and independent of each other.
        let chains: Vec<Vec<Vec<u32>>> = list
            .par_iter()
            .map(|r| {
                let shown = r.stands_for.iter().take(CHAINS_SHOWN);
                shown
                    .map(|s| via(&capability, r.vertex, s.vertex))
                    .collect()
            })
            .collect();
        let places = list.into_iter().zip(chains).enumerate();
        places
            .map(|(i, (r, chains))| self.place(i + 1, r, chains))
            .collect()
    }

    fn place(&self, rank: usize, r: &Ranked, chains: Vec<Vec<u32>>) -> RankedValue {
        let mut chains = chains.into_iter();
        let covered = r.stands_for.iter().map(|s| {
            let c = self.describer.describe(s.vertex);
            CoveredValue {
                id: s.vertex,
                variable: c.variable,
                path: c.path,
                line: c.line,
                column: c.column,
                foc: s.foc,
                via: chains.next().unwrap_or_else(|| vec![r.vertex, s.vertex]),
            }
        });
        let mut place = RankedValue {
            rank,
            gain: r.gain,
            foc: r.foc,
            candidate: self.describer.describe(r.vertex),
            stands_for: covered.collect(),
            because: String::new(),
            worth: None,
            doubt: None,
            is_passed_over: false,
            after_line: None,
            recorded: None,
            check: None,
            checked: None,
            nearest_test: None,
            dismissed: false,
        };
        place.because = because(&place, &|v| self.describer.describe(v), false);
        place
    }
}
