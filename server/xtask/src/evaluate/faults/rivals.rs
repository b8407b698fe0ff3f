//! The techniques that the lists are compared with: the paper's own settings of SODS, MAODS and Dodona.

use calls::Technique;
use ide::inner::{CandidateId, seen_inside};
use ide::weave::Slot;
use mutants::question::{Missed, first, greedy};
use observe::{Assembled, Fp, Node, Settings, betweenness, page_rank, rank};
use program::MethodId;

use super::lists::{Ground, Own};

/// The name of its row.
pub(super) const MAODS: &str = "MAODS: chosen on one half of the mutants, asked of the other";

/// λ of the paper's study.
const LAMBDAS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// How many are selected before those that could be asked are counted.
pub(super) const SELECTED: usize = 200;

/// A ranking of candidates, the best first.
struct Ranking {
    name: String,
    candidates: Vec<CandidateId>,
}

/// Rankings of a whole project, and what makes those of a test.
pub(super) struct Rivals {
    basic: Vec<Ranking>,
}

fn settings() -> impl Iterator<Item = (String, Settings)> {
    let all = LAMBDAS.into_iter().flat_map(|lambda| {
        let rules = [("d", Fp::Differentiated), ("1", Fp::Constant(1.0))];
        rules.map(|(name, fp)| (lambda, name, fp))
    });
    all.map(|(lambda, name, fp)| {
        let settings = Settings {
            lambda,
            lambda_readable: lambda,
            fp,
            top: SELECTED,
            ..Settings::default()
        };
        (format!("λ {lambda}, fp {name}"), settings)
    })
}

pub(super) fn candidate(
    graph: &Assembled,
    units: &[calls::Unit],
    vertex: u32,
) -> Option<CandidateId> {
    match graph.nodes.get(vertex as usize)? {
        Node::Real { unit, candidate } => Some(CandidateId {
            body: units.get(unit.ix())?.body,
            index: *candidate,
        }),
        _ => None,
    }
}

impl Rivals {
    pub(super) fn new(ground: &Ground<'_>) -> Rivals {
        let workspace = ground.analysis.workspace();
        let units = workspace.units(&|_, _, _| true);
        let basic = settings().map(|(name, settings)| {
            let ranking = rank(workspace, &units, &settings);
            let places = ranking.ranking.iter();
            let candidates = places.filter_map(|r| candidate(&ranking.graph, &units, r.vertex));
            Ranking {
                name: format!("SODS basic, {name}"),
                candidates: candidates.collect(),
            }
        });
        Rivals {
            basic: basic.collect(),
        }
    }

    /// Their lists for a test, of what could be asked of it.
    pub(super) fn rows(
        &self,
        ground: &Ground<'_>,
        test: MethodId,
        slots: &[&Slot],
    ) -> Vec<(String, Vec<Option<u32>>)> {
        let workspace = ground.analysis.workspace();
        let own = Own::new(slots);
        let slot = |id: &CandidateId| {
            let inside = || {
                let seen = seen_inside(ground.analysis, *id)?;
                ground.inside.get(&seen).copied()
            };
            match workspace.program().method_body(test) == Some(id.body) {
                true => own.definition(ground.analysis, *id),
                false => inside(),
            }
        };
        let row = |name: String, candidates: &[CandidateId]| {
            let asked = candidates.iter().filter_map(slot).map(Some);
            (name, asked.take(10).collect())
        };
        let basic = self.basic.iter();
        let mut out: Vec<_> = basic.map(|r| row(r.name.clone(), &r.candidates)).collect();
        let reached = workspace.reached_by(&[workspace.own_run(test)], Technique::RapidTypes);
        let units = workspace.units_of(&reached);
        for (name, settings) in settings() {
            let ranking = rank(workspace, &units, &settings);
            let places = ranking.ranking.iter();
            let candidates = places.filter_map(|r| candidate(&ranking.graph, &units, r.vertex));
            let candidates: Vec<CandidateId> = candidates.collect();
            out.push(row(format!("SODS extended, {name}"), &candidates));
        }
        let graph = observe::assemble(&units, workspace, &[]);
        let (ranks, between) = (page_rank(&graph.psg), betweenness(&graph.psg, &|| ()));
        for (name, centrality) in [("PageRank", &ranks), ("betweenness", &between)] {
            let candidates = central(&graph, &units, centrality);
            out.push(row(
                format!("Dodona: {name} of the same graph"),
                &candidates,
            ));
        }
        out
    }
}

/// The candidates, the most central first.
fn central(graph: &Assembled, units: &[calls::Unit], centrality: &[f64]) -> Vec<CandidateId> {
    let mut order: Vec<u32> = (0..graph.psg.vertex_count()).collect();
    let of = |v: &u32| centrality[*v as usize];
    order.sort_by(|a, b| of(b).total_cmp(&of(a)).then(a.cmp(b)));
    let all = order.into_iter();
    all.filter_map(|v| candidate(graph, units, v)).collect()
}

/// What a half of a test's misses was told by values that were chosen on the other.
pub(super) struct Half {
    /// By the first, the first three, …
    pub(super) told: [f64; 3],
    pub(super) of: f64,
}

/// MAODS within a test: greedily on every other mutant, asked of the others, and the other way round.
pub(super) fn halves(missed: &[Missed], values: &[u32], places: [usize; 3]) -> [Half; 2] {
    let (even, odd): (Vec<_>, Vec<_>) = missed.iter().cloned().partition(|m| m.mutant % 2 == 0);
    [(&even, &odd), (&odd, &even)].map(|(chosen_on, asked)| {
        let list = greedy(chosen_on, values);
        Half {
            told: places.map(|k| first(asked, &list, k).told as f64),
            of: asked.len() as f64,
        }
    })
}
