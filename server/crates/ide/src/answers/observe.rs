//! The ranking of a scope, or the offer for tests: `telltale.observe/1`.

use super::{Described, Describer, Scope, ScopeName, What, because};
use crate::RETURNED;
use crate::dismissed::Dismissed;
use crate::inner::{CandidateId, Check, check};
use calls::{Unit, Workspace};
use observe::{Assembled, Fp, Node, Ranked, Settings, rank, via};
use program::MethodId;
use rayon::prelude::*;
use recommend::{Known, LEAST_GAIN, Observation, Switches, offer};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::sync::Arc;

/// How many of what a value stands in for get the chain by which it does; the rest is listed without.
const CHAINS_SHOWN: usize = 50;

/// What a scope is asked about of.
#[derive(Debug)]
pub struct Ground<'a> {
    /// All of it.
    pub workspace: &'a Workspace,
    /// Computed here if nobody has it.
    pub known: Option<&'a Known>,
    /// What users do not want to be told of.
    pub dismissed: Arc<Dismissed>,
    /// Where it is.
    pub root: String,
    /// How many files were read.
    pub files: usize,
    /// How many could not be read.
    pub files_skipped: usize,
    /// The constants.
    pub settings: Settings,
}

/// Which list of a test is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// What it could read and does not.
    Readable,
    /// What only an inner oracle can check.
    Inside,
    /// None: all values in one ranking.
    All,
}

impl Offer {
    /// As arguments and output write it.
    pub fn name(self) -> &'static str {
        match self {
            Offer::Readable => "readable",
            Offer::Inside => "inside",
            Offer::All => "all",
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
pub struct CoveredValue {
    pub id: u32,
    pub variable: String,
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub foc: f64,
    pub via: Vec<u32>,
}

#[derive(Debug, Serialize)]
pub struct RankedValue {
    pub rank: usize,
    pub gain: f64,
    pub foc: f64,
    pub candidate: Described,
    pub stands_for: Vec<CoveredValue>,
    /// What it stands in for, in words.
    pub because: String,
    /// Of a value that a test could read: why it may not be worth a look; a lens names only what none concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<&'static str>,
    /// Of a value inside, for one test: how that test can check it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<&'static str>,
    /// A user said *Not this one* of it: text leaves it out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dismissed: bool,
}

#[derive(Debug, Serialize)]
pub struct Observe {
    pub schema: &'static str,
    pub root: String,
    pub scope: ScopeName,
    pub technique: &'static str,
    pub strategy: &'static str,
    pub offer: &'static str,
    pub parameters: Parameters,
    pub counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Vec<RankedValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readable: Option<Vec<RankedValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<Vec<RankedValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Vec<Described>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<Described>>,
}

/// The answer, with what it was made of.
#[derive(Debug)]
pub struct Answer {
    /// As the contract has it.
    pub json: Observe,
    /// The graph.
    pub graph: Assembled,
    units: Vec<Unit>,
    observations: FxHashMap<u32, Observation>,
}

impl Answer {
    /// Who says what its vertices are.
    pub fn describer<'a>(&'a self, workspace: &'a Workspace) -> Describer<'a> {
        Describer::new(
            workspace,
            &self.units,
            &self.graph,
            Some(&self.observations),
        )
    }

    /// For tests what is offered, else the ranking. With `asked` one of the lists, or the ranking of all.
    pub fn new(
        ground: &Ground<'_>,
        scope: Scope,
        asked: Option<Offer>,
        all_candidates: bool,
    ) -> Answer {
        let (workspace, settings) = (ground.workspace, ground.settings);
        let offered = match (&scope.what, asked) {
            (What::Tests(tests), None | Some(Offer::Readable | Offer::Inside)) => {
                Some(tests.clone())
            }
            _ => None,
        };
        let (graph, units, observations, asks, lists, read, doubts, epsilon, error_bound) =
            match &offered {
                Some(tests) => {
                    let own;
                    let known = match ground.known {
                        Some(known) => known,
                        None => {
                            own = Known::new(workspace);
                            &own
                        }
                    };
                    let o = offer(workspace, known, tests, &settings, &Switches::default());
                    let lists = [None, Some(o.readable), Some(o.inside)];
                    (
                        o.graph,
                        o.units,
                        o.observations,
                        o.asks,
                        lists,
                        Some(o.read),
                        o.doubts,
                        0.0,
                        None,
                    )
                }
                None => {
                    let units = scope.units(workspace);
                    let r = rank(workspace, &units, &settings);
                    let bound = (r.epsilon > 0.0).then_some(r.error_bound);
                    (
                        r.graph,
                        units,
                        Default::default(),
                        Default::default(),
                        [Some(r.ranking), None, None],
                        None,
                        Default::default(),
                        r.epsilon,
                        bound,
                    )
                }
            };
        let describer = Describer::new(workspace, &units, &graph, Some(&observations));
        let [ranking, readable, inside] = lists;
        let convert = |list: Option<Vec<Ranked>>, lambda: f64, copies: bool| {
            list.map(|l| places(&graph, &describer, &l, lambda, copies))
        };
        let mut ranking = convert(ranking, settings.lambda, false);
        let telling = readable.map(|list| {
            let list = list.into_iter().filter(|r| r.gain >= LEAST_GAIN);
            list.collect()
        });
        let (program, dismissed) = (workspace.program(), &ground.dismissed);
        let hides = |test, c: &Described| {
            let variable = match c.kind {
                "return" => RETURNED,
                _ => &c.variable,
            };
            dismissed.hides_variable(program, test, &c.method, variable)
        };
        for r in ranking.iter_mut().flatten() {
            r.dismissed = hides(None, &r.candidate);
        }
        let mut readable = convert(telling, settings.lambda_readable, true);
        for r in readable.iter_mut().flatten() {
            r.doubt = doubts.get(&r.candidate.id).map(|d| d.name());
        }
        let mut inside = convert(inside, settings.lambda, false);
        let tests: Vec<MethodId> = offered.iter().flatten().map(|run| run.test).collect();
        for r in readable.iter_mut().flatten() {
            let named = |t: &&MethodId| program.method_name(**t) == r.candidate.method;
            let (test, ask) = (tests.iter().find(named), asks.get(&r.candidate.id));
            let observation = observations.get(&r.candidate.id);
            if let (Some(&test), Some(ask), Some(o)) = (test, ask, observation) {
                let asked = (ask.ty.as_str(), ask.query.as_str());
                r.dismissed = dismissed.hides_query(program, test, &o.expression, asked);
            }
        }
        // For all of several tests.
        for r in inside.iter_mut().flatten() {
            r.dismissed = tests.iter().all(|t| hides(Some(*t), &r.candidate));
            if let ([test], Some(&Node::Real { unit, candidate })) =
                (&tests[..], graph.nodes.get(r.candidate.id as usize))
            {
                let body = units[unit.ix()].body;
                let how = check(
                    workspace,
                    Some(*test),
                    CandidateId {
                        body,
                        index: candidate,
                    },
                );
                r.check = how.map(Check::name);
            }
        }
        match asked {
            Some(Offer::Readable) => inside = None,
            Some(Offer::Inside) => readable = None,
            _ => {}
        }
        for list in [&mut ranking, &mut readable, &mut inside]
            .into_iter()
            .flatten()
        {
            for r in list.iter_mut() {
                r.because = because(r, &|v| describer.describe(v), false);
            }
        }
        let json = Observe {
            schema: "telltale.observe/1",
            root: ground.root.clone(),
            scope: ScopeName {
                kind: scope.kind,
                name: scope.name,
            },
            technique: "basic",
            strategy: "sods",
            offer: match (&offered, asked) {
                (None, _) => "all",
                (Some(_), Some(o)) => o.name(),
                // Both lists: the first of them says what was asked.
                (Some(_), None) => "readable",
            },
            parameters: Parameters {
                lambda: settings.lambda,
                lambda_readable: offered.is_some().then_some(settings.lambda_readable),
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
                edges: graph.psg.edge_count(),
                calls: resolved(workspace, &units, |c| c.calls),
                calls_unresolved: resolved(workspace, &units, |c| c.calls_unresolved),
            },
            ranking,
            readable,
            inside,
            read: read.map(|r| r.iter().map(|&v| describer.describe(v)).collect()),
            candidates: all_candidates.then(|| describer.all()),
        };
        drop(describer);
        Answer {
            json,
            graph,
            units,
            observations,
        }
    }
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

fn places(
    graph: &Assembled,
    describer: &Describer<'_>,
    list: &[Ranked],
    lambda: f64,
    copies: bool,
) -> Vec<RankedValue> {
    // The chains are the costly part, and independent of each other.
    let chains: Vec<Vec<Vec<u32>>> = list
        .par_iter()
        .map(|r| {
            r.stands_for
                .iter()
                .take(CHAINS_SHOWN)
                .map(|s| via(graph, lambda, copies, r.vertex, s.vertex))
                .collect()
        })
        .collect();
    list.iter()
        .zip(chains)
        .enumerate()
        .map(|(i, (r, chains))| {
            let mut chains = chains.into_iter();
            RankedValue {
                rank: i + 1,
                gain: r.gain,
                foc: r.foc,
                candidate: describer.describe(r.vertex),
                stands_for: r
                    .stands_for
                    .iter()
                    .map(|s| {
                        let c = describer.describe(s.vertex);
                        CoveredValue {
                            id: s.vertex,
                            variable: c.variable,
                            path: c.path,
                            line: c.line,
                            column: c.column,
                            foc: s.foc,
                            via: chains.next().unwrap_or_else(|| vec![r.vertex, s.vertex]),
                        }
                    })
                    .collect(),
                because: String::new(),
                doubt: None,
                check: None,
                dismissed: false,
            }
        })
        .collect()
}
