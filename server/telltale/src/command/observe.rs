//! `telltale observe`: the ranking of a scope, or the offer for a test.

use crate::args::{Format, FpArg, Observe, OfferArg};
use crate::dismissed;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::report::candidates::{CandidateJson, Describer};
use crate::report::json::{Counts, ObserveJson, Parameters, RankedJson, ScopeJson, StandsForJson};
use crate::report::text;
use crate::scope::{self, Scope, What};
use crate::screen::{show_json, show_text};
use calls::{Unit, Workspace};
use ide::RETURNED;
use ide::dismissed::Dismissed;
use ide::inner::{CandidateId, Check, check};
use observe::{Assembled, Fp, Node, Ranked, Settings, rank, via};
use program::MethodId;
use rayon::prelude::*;
use recommend::Known;
use recommend::{LEAST_GAIN, Switches, offer};
use std::path::Path;
use std::sync::Arc;

/// How many of what a value stands in for get the chain by which it does; the rest is listed without.
const CHAINS_SHOWN: usize = 50;

pub(crate) fn run(args: &Observe) -> Result<(), Failure> {
    let loaded = load(&args.place)?;
    let scope = scope::find(&args.place, &loaded)?;
    let ground = ground(&loaded, settings(args, &loaded));
    let answer = Answer::new(&ground, scope, args.offer, args.all_candidates)?;
    match args.format {
        Format::Json => show_json(&answer.json),
        Format::Text => {
            let describer = answer.describer(&loaded.workspace);
            show_text(|out| text::print(out, &answer.json, &describer, args.verbose))
        }
    }
}

/// The settings of the command line over those of the project.
fn settings(args: &Observe, loaded: &Loaded) -> Settings {
    let own = defaults(loaded);
    Settings {
        lambda: args.lambda.unwrap_or(own.lambda),
        lambda_readable: args.lambda.unwrap_or(own.lambda_readable),
        fp: match args.fp {
            Some(FpArg::Differentiated) => Fp::Differentiated,
            Some(FpArg::Constant(c)) => Fp::Constant(c),
            None => own.fp,
        },
        top: args.top.unwrap_or(own.top),
    }
}

/// The settings of the project.
pub(super) fn defaults(loaded: &Loaded) -> Settings {
    let config = &loaded.config.observe;
    Settings {
        lambda: config.lambda,
        lambda_readable: config.lambda_readable,
        fp: match config.fp {
            project::Fp::Differentiated => Fp::Differentiated,
            project::Fp::Uniform(c) => Fp::Constant(c),
        },
        top: config.top,
    }
}

/// What a command that has just read the project asks about.
pub(super) fn ground(loaded: &Loaded, settings: Settings) -> Ground<'_> {
    let skipped = &loaded.layout.skipped;
    Ground {
        workspace: &loaded.workspace,
        known: None,
        dismissed: dismissed::known(&loaded.dismissals),
        root: &loaded.layout.root,
        files: loaded.layout.files.len(),
        files_skipped: skipped.unreadable.len() + skipped.not_utf8.len() + skipped.oversized.len(),
        settings,
    }
}

/// What is asked about.
pub(crate) struct Ground<'a> {
    pub(crate) workspace: &'a Workspace,
    /// Computed here if nobody has it.
    pub(crate) known: Option<&'a Known>,
    /// What users do not want to be told of.
    pub(crate) dismissed: Arc<Dismissed>,
    pub(crate) root: &'a Path,
    /// How many files were read.
    pub(crate) files: usize,
    /// How many could not be read.
    pub(crate) files_skipped: usize,
    pub(crate) settings: Settings,
}

/// The answer as the contract has it: for tests what is offered, else the ranking.
pub(crate) fn answer(ground: &Ground<'_>, scope: Scope) -> Result<ObserveJson, Failure> {
    Ok(Answer::new(ground, scope, None, false)?.json)
}

pub(super) struct Answer {
    pub(super) json: ObserveJson,
    pub(super) graph: Assembled,
    units: Vec<Unit>,
    observations: rustc_hash::FxHashMap<u32, recommend::Observation>,
}

impl Answer {
    pub(super) fn describer<'a>(&'a self, workspace: &'a Workspace) -> Describer<'a> {
        Describer::new(
            workspace,
            &self.units,
            &self.graph,
            Some(&self.observations),
        )
    }

    pub(super) fn new(
        ground: &Ground<'_>,
        scope: Scope,
        asked: Option<OfferArg>,
        all_candidates: bool,
    ) -> Result<Answer, Failure> {
        let (workspace, settings) = (ground.workspace, ground.settings);
        let offered = match (&scope.what, asked) {
            (What::Tests(tests), None | Some(OfferArg::Readable | OfferArg::Inside)) => {
                Some(tests.clone())
            }
            (_, Some(OfferArg::Readable | OfferArg::Inside)) => {
                return Err(Failure::usage(
                    format!("--offer {} is for a test", offer_name(asked)),
                    "add --test CLASS#METHOD, or leave --offer out",
                ));
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
        let hides = |test, c: &CandidateJson| {
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
                let body = units[unit as usize].body;
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
            Some(OfferArg::Readable) => inside = None,
            Some(OfferArg::Inside) => readable = None,
            _ => {}
        }
        for list in [&mut ranking, &mut readable, &mut inside]
            .into_iter()
            .flatten()
        {
            for r in list.iter_mut() {
                r.because = text::because(r, &|v| describer.describe(v), false);
            }
        }
        let json = ObserveJson {
            schema: "telltale.observe/1",
            root: ground.root.to_string_lossy().into_owned(),
            scope: ScopeJson {
                kind: scope.kind,
                name: scope.name,
            },
            technique: "basic",
            strategy: "sods",
            offer: match (&offered, asked) {
                (None, _) => "all",
                (Some(_), Some(o)) => offer_name(Some(o)),
                // Both lists: the first of them says what was asked.
                (Some(_), None) => "readable",
            },
            parameters: Parameters {
                lambda: settings.lambda,
                lambda_readable: offered.is_some().then_some(settings.lambda_readable),
                fp: match settings.fp {
                    Fp::Differentiated => "differentiated".into(),
                    Fp::Constant(c) => c.into(),
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
        Ok(Answer {
            json,
            graph,
            units,
            observations,
        })
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

fn offer_name(offer: Option<OfferArg>) -> &'static str {
    match offer {
        Some(OfferArg::Readable) => "readable",
        Some(OfferArg::Inside) => "inside",
        _ => "all",
    }
}

fn places(
    graph: &Assembled,
    describer: &Describer<'_>,
    list: &[Ranked],
    lambda: f64,
    copies: bool,
) -> Vec<RankedJson> {
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
            RankedJson {
                rank: i + 1,
                gain: r.gain,
                foc: r.foc,
                candidate: describer.describe(r.vertex),
                stands_for: r
                    .stands_for
                    .iter()
                    .map(|s| {
                        let c = describer.describe(s.vertex);
                        StandsForJson {
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
