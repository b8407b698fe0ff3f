//! From a scope to an answer: the paper's ranking of any scope (`docs/method.md` §1.5-1.6).

use crate::paths::best_path;
use crate::{
    Assembled, Capability, CapabilityTable, FocOptions, Fp, Pick, SelectOptions, assemble, select,
};
use calls::{Unit, Workspace};

/// How many pairs of candidates a ranking may hold; beyond it small capabilities are left out and the bound of the
/// error is reported. About 400 MB at most would be 24 million pairs; this stays far below.
const MAX_PAIRS: usize = 6_000_000;

/// The parameters of a ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// λ of the paper's ranking and of the inside list, in [0, 1].
    pub lambda: f64,
    /// λ of the readable list, in [0, 1].
    pub lambda_readable: f64,
    /// How far a selected candidate discounts what it observes.
    pub fp: Fp,
    /// How many to select.
    pub top: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            lambda: 0.0,
            lambda_readable: 1.0,
            fp: Fp::Differentiated,
            top: 10,
        }
    }
}

/// One that is stood in for.
#[derive(Clone, Debug, PartialEq)]
pub struct StandsFor {
    /// The vertex.
    pub vertex: u32,
    /// FOC(i, j), in (0, 1].
    pub foc: f64,
}

/// One place of a ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The vertex that is selected.
    pub vertex: u32,
    /// FOC(i) before any selection.
    pub foc: f64,
    /// FOC(i) at the moment of selection.
    pub gain: f64,
    /// All others that it stands in for, largest first, ties by position.
    pub stands_for: Vec<StandsFor>,
}

/// A ranked scope.
#[derive(Debug)]
pub struct Ranking {
    /// Its graph.
    pub graph: Assembled,
    /// Its places.
    pub ranking: Vec<Ranked>,
    /// Capabilities below this were left out (0: none).
    pub epsilon: f64,
    /// How far a FOC can be too small because of that.
    pub error_bound: f64,
}

/// The paper's ranking of `units`.
pub fn rank(workspace: &Workspace, units: &[Unit], settings: &Settings) -> Ranking {
    let graph = assemble(units, workspace, &[]);
    let table = table(workspace, &graph, settings.lambda, false);
    let picks = select(
        &table,
        &SelectOptions {
            most: settings.top,
            fp: settings.fp,
            ..SelectOptions::default()
        },
    );
    let ranking = places(&table, &picks);
    let (epsilon, error_bound) = (table.epsilon(), table.error_bound());
    drop(table);
    Ranking {
        graph,
        ranking,
        epsilon,
        error_bound,
    }
}

/// FOC of the candidates of a graph, row by row on demand, as long as the answer is wanted.
pub fn capability<'g>(
    workspace: &'g Workspace,
    graph: &'g Assembled,
    lambda: f64,
    copies_free: bool,
) -> Capability<'g> {
    let options = FocOptions {
        lambda,
        copies_free,
        epsilon: 0.0,
    };
    Capability::new(&graph.psg, options).under(workspace.cancellation())
}

/// FOC of all pairs of candidates of a graph.
pub fn table(
    workspace: &Workspace,
    graph: &Assembled,
    lambda: f64,
    copies_free: bool,
) -> CapabilityTable {
    capability(workspace, graph, lambda, copies_free).table(MAX_PAIRS)
}

/// The places of a ranking: what was selected, and what each stands in for.
pub fn places(table: &CapabilityTable, picks: &[Pick]) -> Vec<Ranked> {
    picks
        .iter()
        .map(|p| {
            let mut stands_for: Vec<StandsFor> = table
                .row(p.vertex)
                .filter(|&(j, foc)| j != p.vertex && foc > 0.0)
                .map(|(vertex, foc)| StandsFor { vertex, foc })
                .collect();
            stands_for.sort_by(|a, b| b.foc.total_cmp(&a.foc).then(a.vertex.cmp(&b.vertex)));
            Ranked {
                vertex: p.vertex,
                foc: p.foc,
                gain: p.gain,
                stands_for,
            }
        })
        .collect()
}

/// The chain by which `i` stands in for `j`, both ends included; the likeliest of several.
pub fn via(capability: &Capability<'_>, i: u32, j: u32) -> Vec<u32> {
    capability.poll();
    let inner = best_path(capability, i, j)
        .map(|p| p.via)
        .unwrap_or_default();
    std::iter::once(i)
        .chain(inner)
        .chain(std::iter::once(j))
        .collect()
}
