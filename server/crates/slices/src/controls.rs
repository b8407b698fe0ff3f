//! Which conditions decide whether a block runs.

use fixedbitset::FixedBitSet;
use flow::{BlockId, Body, ExprId, ExprKind, VariableKind};

/// Beyond this many blocks every condition of a body decides everything in it: who is after each block costs their square.
const MAX_BLOCKS: usize = 1_500;

/// By block: the conditions that may decide whether it runs, and the calls that may throw into it.
#[derive(Debug, Default)]
pub(crate) struct Controls {
    of: Vec<Box<[ExprId]>>,
    all: Box<[ExprId]>,
}

impl Controls {
    pub(crate) fn of(&self, block: BlockId) -> &[ExprId] {
        self.of.get(block.ix()).unwrap_or(&self.all)
    }

    /// A condition decides over a block if control may come from it there and may miss it (Ferrante, Ottenstein and Warren,
    /// TOPLAS 1987, closed under itself). Loops go round.
    pub(crate) fn new(body: &Body) -> Controls {
        let n = body.blocks.len();
        let conditions = conditions(body);
        let mut all: Vec<ExprId> = conditions.iter().flatten().copied().collect();
        let thrown: Vec<Vec<ExprId>> = (0..n).map(|b| thrown_into(body, b)).collect();
        if n > MAX_BLOCKS {
            all.extend(thrown.iter().flatten());
            return Controls {
                of: Vec::new(),
                all: all.into(),
            };
        }
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (at, block) in body.blocks.iter().enumerate() {
            let before = block
                .preds
                .iter()
                .map(|p| p.0)
                .chain(block.back.iter().copied());
            let through = block.through.iter().map(|t| t.1);
            for from in before.chain(through) {
                if !next[from.ix()].contains(&at) {
                    next[from.ix()].push(at);
                }
            }
            // A catch is entered from what it guards.
            for entry in block.entered_from.iter() {
                next[entry.first.ix()].push(at);
            }
        }
        let reached = reached(&next);
        let always = always_after(&next);
        let of = (0..n).map(|block| {
            let mut own: Vec<ExprId> = Vec::new();
            for from in 0..n {
                if from != block && !reached[from].contains(block)
                    || from == block && !reached[from].contains(from)
                {
                    continue;
                }
                let misses = from == block || !always[from].contains(block);
                if next[from].len() > 1 && misses {
                    own.extend(&conditions[from]);
                }
                if misses || from == block {
                    own.extend(thrown[from].iter());
                }
            }
            own.extend(&thrown[block]);
            own.sort_unstable();
            own.dedup();
            own.into_boxed_slice()
        });
        Controls {
            of: of.collect(),
            all: all.into(),
        }
    }
}

/// By block: what in it decides where control goes.
fn conditions(body: &Body) -> Vec<Vec<ExprId>> {
    let mut out: Vec<Vec<ExprId>> = vec![Vec::new(); body.blocks.len()];
    for (at, expr) in body.exprs.iter().enumerate() {
        let decides = match expr.kind {
            ExprKind::Test { operand } => Some((ExprId(at as u32), operand)),
            ExprKind::ShortCircuit { left, .. } => Some((left, left)),
            ExprKind::Conditional { operands } => body.list(operands).first().map(|c| (*c, *c)),
            ExprKind::Switch { operands } => body.list(operands).first().map(|c| (*c, *c)),
            ExprKind::Define(d) if body.defs[d.ix()].kind == VariableKind::Loop => {
                Some((ExprId(at as u32), ExprId(at as u32)))
            }
            _ => None,
        };
        if let Some((condition, _)) = decides {
            out[body.block_of(condition).ix()].push(condition);
        }
    }
    // What goes round a `for` over elements is decided by whether there is a next one, in whatever block that stands.
    let loops: Vec<(usize, Vec<BlockId>)> = (0..body.blocks.len())
        .filter(|b| !body.blocks[*b].back.is_empty())
        .map(|b| (b, body.blocks[b].back.clone()))
        .collect();
    for (head, back) in loops {
        let last = back.iter().map(|b| b.ix()).max().unwrap_or(head);
        let inside = (head..=last).find(|b| !out[*b].is_empty());
        if let Some(inside) = inside
            && out[head].is_empty()
        {
            out[head] = out[inside].clone();
        }
    }
    out
}

/// What may throw into a block that catches: the calls and throws of what it guards.
fn thrown_into(body: &Body, block: usize) -> Vec<ExprId> {
    let Some(entry) = body.blocks[block].entered_from else {
        return Vec::new();
    };
    let first = body.blocks[entry.first.ix()].first;
    let end = body
        .blocks
        .get(entry.end.ix())
        .map_or(body.exprs.len() as u32, |b| b.first);
    let throws = |e: &u32| {
        matches!(
            body.exprs[*e as usize].kind,
            ExprKind::Call(_) | ExprKind::Throw { .. }
        )
    };
    (first..end).filter(throws).map(ExprId).collect()
}

/// By block: those that control may come to from it.
fn reached(next: &[Vec<usize>]) -> Vec<FixedBitSet> {
    let n = next.len();
    let mut out = vec![FixedBitSet::with_capacity(n); n];
    loop {
        let mut grew = false;
        for from in (0..n).rev() {
            for &to in &next[from] {
                let mut own = std::mem::take(&mut out[from]);
                let before = own.clone();
                own.insert(to);
                if to != from {
                    own.union_with(&out[to]);
                }
                grew |= own != before;
                out[from] = own;
            }
        }
        if !grew {
            return out;
        }
    }
}

/// By block: those, itself among them, that every way from it to the end comes by (its postdominators).
fn always_after(next: &[Vec<usize>]) -> Vec<FixedBitSet> {
    let n = next.len();
    let mut all = FixedBitSet::with_capacity(n);
    all.insert_range(..);
    let mut out = vec![all; n];
    for (at, own) in out.iter_mut().enumerate() {
        if next[at].is_empty() {
            own.clear();
            own.insert(at);
        }
    }
    loop {
        let mut shrank = false;
        for from in (0..n).rev() {
            let Some((first, more)) = next[from].split_first() else {
                continue;
            };
            let mut own = out[*first].clone();
            for to in more {
                own.intersect_with(&out[*to]);
            }
            own.insert(from);
            shrank |= own != out[from];
            out[from] = own;
        }
        if !shrank {
            return out;
        }
    }
}
