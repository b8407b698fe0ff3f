//! From a scope to an answer: the paper's ranking of any scope (`docs/method.md` §1.5-1.6).

use crate::paths::best_path;
use crate::{
    Assembled, Capability, CapabilityTable, FocOptions, Fp, Node, Pick, SelectOptions, assemble,
    betweenness, page_rank, select,
};
use calls::{Ran, Unit, Workspace};
use chains::Candidate;

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
    /// By what all values of a scope are ranked; the lists of a test are the paper's.
    pub strategy: Strategy,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            lambda: 0.0,
            lambda_readable: 1.0,
            fp: Fp::Differentiated,
            top: 10,
            strategy: Strategy::Sods,
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

/// By what candidates are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Which observes most of what those before it do not (SODS).
    #[default]
    Sods,
    /// How many values flow to it (Dodona, by PageRank).
    PageRank,
    /// On how many ways of values it lies (Dodona, by betweenness).
    Betweenness,
}

/// The ranking of `units`.
pub fn rank(workspace: &Workspace, units: &[Unit], settings: &Settings) -> Ranking {
    rank_over(workspace, units, settings, None, Wish::ALL)
}

/// Which candidates are to be ranked, and which of them before others.
#[derive(Clone, Copy)]
pub struct Wish<'a> {
    /// True for a candidate of a unit that may have a place. By the paper's strategy it is asked of those that would have the
    /// next one, once each.
    pub wanted: &'a dyn Fn(&Unit, &Candidate) -> bool,
    /// By what the capability of a unit's candidates is multiplied where they are compared, at least 0.
    pub prefers: &'a dyn Fn(&Unit) -> f64,
}

impl Wish<'static> {
    /// All, as they are.
    pub const ALL: Wish<'static> = Wish {
        wanted: &|_, _| true,
        prefers: &|_| 1.0,
    };
}

/// The same of the candidates that ran, where that is known, and that are wished for; what others hold counts for those. Under
/// another strategy than the paper's, the gain of a place is its centrality in the graph: its PageRank times the number of
/// candidates, or its betweenness.
pub fn rank_over(
    workspace: &Workspace,
    units: &[Unit],
    settings: &Settings,
    ran: Option<&Ran<'_>>,
    wish: Wish<'_>,
) -> Ranking {
    let graph = assemble(units, workspace, &[]);
    let table = table(workspace, &graph, settings.lambda, false);
    let runs: Option<Vec<f64>> = ran.map(|ran| {
        let runs = |node: &Node| match *node {
            Node::Real { unit, candidate } => {
                let unit = &units[unit.ix()];
                let value = unit.chains.candidates[candidate as usize].value;
                f64::from(u8::from(ran(unit.body, value)))
            }
            _ => 1.0,
        };
        graph.nodes.iter().map(runs).collect()
    });
    // Nobody can look at what a tool adds to a class; what it hands on counts for others.
    let program = workspace.program();
    let added: Vec<bool> = units.iter().map(|u| program.is_added(u.body)).collect();
    let is_added = |v: u32| match graph.nodes[v as usize] {
        Node::Real { unit, .. } => added[unit.ix()],
        _ => false,
    };
    let is_wanted = |v: u32| match graph.nodes[v as usize] {
        Node::Real { unit, candidate } => {
            let unit = &units[unit.ix()];
            (wish.wanted)(unit, &unit.chains.candidates[candidate as usize])
        }
        _ => true,
    };
    let may_be =
        |v: u32| runs.as_ref().is_none_or(|r| r[v as usize] > 0.0) && !is_added(v) && is_wanted(v);
    let of_units: Vec<f64> = units.iter().map(|u| (wish.prefers)(u)).collect();
    let preferred = |node: &Node| match *node {
        Node::Real { unit, .. } => of_units[unit.ix()],
        Node::Point(_) => 1.0,
    };
    let preference: Vec<f64> = graph.nodes.iter().map(preferred).collect();
    let picks = match settings.strategy {
        Strategy::Sods => select(
            &table,
            &SelectOptions {
                most: settings.top,
                fp: settings.fp,
                eligible: &may_be,
                weights: runs.as_deref(),
                preference: Some(&preference),
                ..SelectOptions::default()
            },
        ),
        Strategy::PageRank => {
            // So that 1 is the mean in a graph of any size.
            let count = f64::from(graph.psg.vertex_count());
            let all: Vec<f64> = page_rank(&graph.psg).iter().map(|r| r * count).collect();
            by(&table, &all, &may_be, settings.top)
        }
        Strategy::Betweenness => {
            let all = betweenness(&graph.psg, &|| workspace.poll());
            by(&table, &all, &may_be, settings.top)
        }
    };
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

/// The candidates of the highest centrality, ties by position.
fn by(
    table: &CapabilityTable,
    centrality: &[f64],
    may_be: &dyn Fn(u32) -> bool,
    most: usize,
) -> Vec<Pick> {
    let mut order: Vec<u32> = (0..table.vertex_count()).filter(|v| may_be(*v)).collect();
    let of = |v: &u32| centrality[*v as usize];
    order.sort_by(|a, b| of(b).total_cmp(&of(a)).then(a.cmp(b)));
    order.truncate(most);
    let pick = |vertex: u32| Pick {
        vertex,
        foc: table.total(vertex),
        gain: of(&vertex),
    };
    order.into_iter().map(pick).collect()
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
