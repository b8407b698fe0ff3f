//! The techniques that the lists are compared with: the paper's own settings of SODS, MAODS and Dodona.

use calls::Technique;
use ide::inner::{CandidateId, seen_inside};
use ide::weave::Slot;
use mutants::question::{Missed, first, greedy};
use observe::{Assembled, Fp, Node, Settings, rank};
use program::MethodId;

use super::lists::{Ground, Own};

/// The name of its row.
pub(super) const MAODS: &str = "MAODS: chosen on one half of the mutants, asked of the other";

/// λ of the paper's study.
const LAMBDAS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// How many are selected before those that could be asked are counted.
const SELECTED: usize = 200;
/// PageRank as it is usual.
const DAMPING: f64 = 0.85;
const TURNS: usize = 30;

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
        };
        (format!("λ {lambda}, fp {name}"), settings)
    })
}

fn candidate(graph: &Assembled, units: &[calls::Unit], vertex: u32) -> Option<CandidateId> {
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
        let candidates = by_page_rank(&graph, &units);
        out.push(row(
            "Dodona: PageRank of the same graph".to_owned(),
            &candidates,
        ));
        out
    }
}

/// The candidates by where values flow together: PageRank, by its power iteration. (petgraph's own visits all pairs of
/// vertices in each turn, which takes minutes for the graph of one test.)
fn by_page_rank(graph: &Assembled, units: &[calls::Unit]) -> Vec<CandidateId> {
    let count = graph.nodes.len();
    // Who stands in for another is what the other's value flows to.
    let mut leaving = vec![0u32; count];
    for edge in graph.psg.edges() {
        leaving[edge.to as usize] += 1;
    }
    let each = 1.0 / count.max(1) as f64;
    let mut ranks = vec![each; count];
    for _ in 0..TURNS {
        let ends = (0..count).filter(|v| leaving[*v] == 0);
        let lost: f64 = ends.map(|v| ranks[v]).sum();
        let mut next = vec![(1.0 - DAMPING + DAMPING * lost) * each; count];
        for edge in graph.psg.edges() {
            let from = edge.to as usize;
            next[edge.from as usize] += DAMPING * ranks[from] / f64::from(leaving[from]);
        }
        ranks = next;
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| ranks[*b].total_cmp(&ranks[*a]).then(a.cmp(b)));
    let all = order
        .into_iter()
        .map(|v| u32::try_from(v).unwrap_or(u32::MAX));
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
