//! What to observe in one file.

use crate::analysis::{Analysis, Part, Question};
use crate::variable::Variable;
use crate::words::{Named, named};
use flow::VariableKind;
use observe::{Capability, Quiet, Ranked, capability, quiet, rank, via};
use program::{BodyId, FileId};
use std::sync::Arc;
use text::Span;

/// How many of the values that one stands in for are named.
const NAMED: usize = 4;

/// The ranking of one file's production code.
#[derive(Debug, Default)]
pub struct FileRanking {
    /// Best first.
    pub selected: Vec<Selected>,
    /// How many candidates were in the running.
    pub candidates: usize,
}

/// One place of the ranking.
#[derive(Clone, Debug)]
pub struct Selected {
    /// From 1.
    pub rank: usize,
    /// What it adds to those before it.
    pub gain: f64,
    /// Its capability on its own.
    pub foc: f64,
    /// The variable, or `return value of Stats.compare`.
    pub name: String,
    /// The body that defines it.
    pub body: BodyId,
    /// Its method and its variable, as [`crate::dismissed`] names them.
    pub key: (String, String),
    /// The local or the field that it defines; none of a return value.
    pub(crate) variable: Option<Variable>,
    /// What it is.
    pub kind: VariableKind,
    /// The defining expression or statement, in bytes of the file.
    pub span: Span,
    /// Whether a test author would never assert it: a constant, counter, logger, parameter; or it was dismissed.
    pub is_quiet: bool,
    /// What it stands in for, in words, the surest first.
    pub stands_for: Vec<String>,
    /// How many more there are.
    pub more: usize,
    /// The way by which one of them comes here through others, in words; none where all go into it directly, as always
    /// at λ = 0.
    pub chain: Option<String>,
}

/// What to observe in a file.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RankingOf(FileId);

impl Question for RankingOf {
    type Answer = FileRanking;
    const RESTS_ON: &'static [Part] = &[Part::Settings, Part::Dismissed];

    fn answer(&self, analysis: &Analysis) -> FileRanking {
        ranked(analysis, self.0)
    }
}

impl Analysis {
    /// What to observe in a file of production code.
    pub fn ranking(&self, file: FileId) -> Arc<FileRanking> {
        self.ask(RankingOf(file))
    }
}

/// Ranks a file.
fn ranked(analysis: &Analysis, file: FileId) -> FileRanking {
    let workspace = analysis.workspace();
    let program = analysis.program();
    let units = workspace.units(&|f, _, _| f == file);
    let ranking = rank(workspace, &units, analysis.settings());
    let candidates = units.iter().map(|u| u.chains.candidates.len()).sum();
    let name = |v: u32| named(program, &units, &ranking.graph, v);
    let lambda = analysis.settings().lambda;
    let capability = capability(workspace, &ranking.graph, lambda, false);
    let selected = ranking
        .ranking
        .iter()
        .enumerate()
        .filter_map(|(at, r)| {
            let own: Named = name(r.vertex)?;
            let observe::Node::Real { unit, candidate } = ranking.graph.nodes[r.vertex as usize]
            else {
                return None;
            };
            let unit = &units[unit.ix()];
            let candidate = &unit.chains.candidates[candidate as usize];
            // Several definitions of one variable are named once.
            let mut stands_for: Vec<String> = Vec::new();
            let mut told = 0;
            for s in &r.stands_for {
                let Some(other) = name(s.vertex) else {
                    continue;
                };
                let words = if other.method == own.method && other.kind == VariableKind::Parameter {
                    format!("parameter {}", other.name)
                } else if other.method == own.method && other.kind != VariableKind::Return {
                    other.name
                } else {
                    other.in_method()
                };
                if !stands_for.contains(&words) {
                    if stands_for.len() == NAMED {
                        continue;
                    }
                    stands_for.push(words);
                }
                told += 1;
            }
            let key = own.key();
            let chain = (lambda > 0.0)
                .then(|| chain(&capability, r, &name))
                .flatten();
            Some(Selected {
                rank: at + 1,
                gain: r.gain,
                foc: r.foc,
                is_quiet: quiet(program, unit.body, candidate)
                    .is_some_and(|q| q != Quiet::Resource)
                    || analysis
                        .dismissed()
                        .hides_variable(program, None, &key.0, &key.1),
                key,
                name: own.name,
                body: unit.body,
                variable: Variable::of(unit.body, candidate),
                kind: own.kind,
                span: own.span,
                more: r.stands_for.len() - told,
                stands_for,
                chain,
            })
        })
        .collect();
    FileRanking {
        selected,
        candidates,
    }
}

/// `price → total → return value of Order.sum`: of the surest that do not come directly, the way.
fn chain(
    capability: &Capability<'_>,
    r: &Ranked,
    name: &dyn Fn(u32) -> Option<Named>,
) -> Option<String> {
    let mut ways = r
        .stands_for
        .iter()
        .take(NAMED)
        .map(|s| via(capability, r.vertex, s.vertex));
    let way = ways.find(|way| way.len() > 2)?;
    let mut steps: Vec<String> = Vec::new();
    for &vertex in way.iter().rev() {
        let step = name(vertex)?.name;
        // A value that is handed on keeps its name.
        if steps.last() != Some(&step) {
            steps.push(step);
        }
    }
    (steps.len() > 2).then(|| steps.join(" → "))
}
