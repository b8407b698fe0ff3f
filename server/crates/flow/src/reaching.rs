//! Reaching definitions and the probability of one block given another (`docs/method.md` §1.2-1.3).
//!
//! The graph of blocks is acyclic. Its blocks hang in a tree whose preorder are their numbers and where everything
//! above a block dominates it: the dominator tree, except that a block hangs higher where its dominator's branch was
//! left for another one (`if (c) { x = 1; } else { return; } …`). One walk keeps the current definitions of every
//! variable in an array with an undo log; where control joins, only the variables that were defined since the block
//! above are merged. The cost is about linear in the code; a variable with many weak
//! definitions (an array filled element by element) is bounded by [`MAX_REACHING`].

use crate::body::*;
use rustc_hash::FxHashMap;

/// How many definitions of one variable are kept at one place; beyond it the earliest are dropped and counted. It
/// bounds generated code that fills an array element by element, where every use would have every fill.
const MAX_REACHING: usize = 256;

/// The same once a body holds [`CROWDED`] definitions in all its sets together: a generated method that fills an array
/// with 20,000 assignments would otherwise have five million chains.
const MAX_REACHING_CROWDED: usize = 16;
const CROWDED: usize = 1 << 17;

/// How many changes of one variable by calls are kept at one place, apart from its definitions: the latest ones.
const MAX_CHANGES: usize = 32;

/// A field, as the caller names it: equal keys are one variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct VariableKey(pub u32);

/// What a walk may be asked to do differently.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Follow back edges: definitions of one turn of a loop reach uses in the next.
    pub loops: bool,
}

/// A set of definitions, sorted by position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DefinitionSet {
    start: u32,
    len: u32,
}

/// Which place an expression names, if it is a field; `OwnField` targets are asked by their definition.
pub struct Reaching<'a> {
    /// The field that a [`ExprKind::Name`] or [`ExprKind::Field`] names.
    pub field_of: &'a dyn Fn(ExprId) -> Option<VariableKey>,
    /// The field that a [`Target::OwnField`] definition defines.
    pub own_field: &'a dyn Fn(DefId) -> Option<VariableKey>,
    /// Calls and assignments to parts that may change an object, with the local or field that holds it; in order of the calls. Each is a further
    /// definition that leaves the earlier ones standing: the n-th has the number after those of [`Body::defs`].
    pub changes: &'a [(ExprId, ExprId)],
}

/// The definitions that reach each use of one body.
#[derive(Debug)]
pub struct Flow {
    pool: Vec<DefId>,
    /// By expression, ascending: uses of locals and fields.
    uses: Vec<(ExprId, DefinitionSet)>,
    /// By definition: what reached it, for compound and weak definitions and changes.
    before: Vec<DefinitionSet>,
    def_blocks: Vec<BlockId>,
    /// Probability of each block given the member's entry.
    entry: Vec<f64>,
    /// Definitions dropped by [`MAX_REACHING`].
    pub truncated: u32,
}

struct Walk<'a> {
    body: &'a Body,
    reaching: &'a Reaching<'a>,
    pool: Vec<DefId>,
    current: Vec<DefinitionSet>,
    undo: Vec<(u32, DefinitionSet)>,
    fields: FxHashMap<VariableKey, u32>,
    /// How many entries of the pool are definitions, not changes.
    crowd: usize,
    truncated: u32,
}

/// Definitions and changes in order of evaluation.
struct Order {
    defs: Vec<DefId>,
    blocks: Vec<BlockId>,
}

impl Order {
    fn new(body: &Body, changes: &[(ExprId, ExprId)], blocks: &[BlockId]) -> Order {
        let event = |d: &DefId| match body.defs.get(d.ix()) {
            Some(def) => def.expr,
            None => changes[d.ix() - body.defs.len()].0,
        };
        let mut defs: Vec<DefId> = (0..blocks.len() as u32).map(DefId).collect();
        if !changes.is_empty() {
            defs.sort_by_key(event);
        }
        Order {
            blocks: defs.iter().map(|d| blocks[d.ix()]).collect(),
            defs,
        }
    }

    /// What is defined from one block up to another, that one not included.
    fn between(&self, from: u32, to: u32) -> &[DefId] {
        let first = |block: u32| self.blocks.partition_point(|b| b.0 < block);
        let (from, to) = (first(from), first(to));
        &self.defs[from..to.max(from)]
    }
}

/// What a definition does to which variable.
#[derive(Clone, Copy)]
struct Effect {
    variable: Option<u32>,
    strong: bool,
}

impl Flow {
    /// Computes the reaching definitions of `body`.
    pub fn new(body: &Body, options: Options, reaching: &Reaching<'_>) -> Flow {
        let mut walk = Walk {
            body,
            reaching,
            pool: Vec::new(),
            current: vec![DefinitionSet::default(); body.locals.len()],
            undo: Vec::new(),
            fields: FxHashMap::default(),
            crowd: 0,
            truncated: 0,
        };
        let events = body.defs.iter().map(|d| d.expr);
        let events = events.chain(reaching.changes.iter().map(|c| c.0));
        let def_blocks: Vec<BlockId> = events.map(|e| body.block_of(e)).collect();
        let mut effects: Vec<Effect> = (0..body.defs.len())
            .map(|d| walk.effect(DefId(d as u32)))
            .collect();
        effects.extend(reaching.changes.iter().map(|&(_, object)| Effect {
            variable: walk.variable(object),
            strong: false,
        }));
        let order = Order::new(body, reaching.changes, &def_blocks);
        let dominators = dominators(body);
        let joins = Joins::new(body, &dominators, &effects, &order, options);
        let mut flow = Flow {
            pool: Vec::new(),
            uses: Vec::new(),
            before: vec![DefinitionSet::default(); def_blocks.len()],
            def_blocks,
            entry: Vec::new(),
            truncated: 0,
        };
        let mut saved = joins.slots();
        // Without loops one pass is exact; with them the values at back edges are carried until they stand still.
        // Sets only grow from pass to pass, and nesting bounds the number of passes.
        let passes = if options.loops && body.blocks.iter().any(|b| !b.back.is_empty()) {
            12
        } else {
            1
        };
        for _ in 0..passes {
            flow.uses.clear();
            let before = if passes > 1 {
                Some(walk.contents(&saved))
            } else {
                None
            };
            walk.run(&dominators, &joins, &effects, &order, &mut saved, &mut flow);
            if before.is_some_and(|b| b == walk.contents(&saved)) {
                break;
            }
        }
        flow.uses.sort_unstable_by_key(|u| u.0);
        flow.uses.shrink_to_fit();
        flow.entry = masses(body, BlockId(0));
        flow.pool = walk.pool;
        flow.truncated = walk.truncated;
        flow
    }

    /// The definitions that reach a use, in order, then the changes; empty if none of this body does.
    pub fn reaching(&self, use_: ExprId) -> &[DefId] {
        match self.uses.binary_search_by_key(&use_, |u| u.0) {
            Ok(i) => self.set(self.uses[i].1),
            Err(_) => &[],
        }
    }

    /// The earlier definitions of the variable that `def` defines, as they reach it (compound and weak definitions, changes).
    pub fn before(&self, def: DefId) -> &[DefId] {
        self.set(self.before[def.ix()])
    }

    /// The block of a definition.
    pub fn block_of(&self, def: DefId) -> BlockId {
        self.def_blocks[def.ix()]
    }

    /// The probability of a block given the entry of the member, in [0, 1].
    pub fn entry_probability(&self, block: BlockId) -> f64 {
        self.entry[block.ix()]
    }

    fn set(&self, set: DefinitionSet) -> &[DefId] {
        &self.pool[set.start as usize..(set.start + set.len) as usize]
    }
}

/// How control goes through a body.
#[derive(Clone, Debug)]
pub struct Ways {
    /// By block: those that may run next.
    next: Vec<Vec<BlockId>>,
    /// By block: behind it the body ends, by a `return` or its last statement.
    ends: Vec<bool>,
}

impl Ways {
    /// True for a block that runs whenever the body comes to an end and nothing is thrown: it dominates all ends but those that
    /// throw. What runs in a `finally` is not seen, and a lambda counts as run where it stands. Linear in the blocks.
    pub fn all_lead_through(&self, block: BlockId) -> bool {
        let mut seen = vec![false; self.next.len()];
        let mut work = vec![BlockId(0)];
        while let Some(at) = work.pop() {
            if at == block || std::mem::replace(&mut seen[at.ix()], true) {
                continue;
            }
            if self.ends[at.ix()] {
                return false;
            }
            work.extend(&self.next[at.ix()]);
        }
        true
    }
}

impl Body {
    /// The block in which an expression is evaluated.
    pub fn block_of(&self, e: ExprId) -> BlockId {
        // Empty blocks share their first expression with the next; the last of them holds it.
        BlockId(
            self.blocks
                .partition_point(|b| b.first <= e.0)
                .saturating_sub(1) as u32,
        )
    }

    /// The ways from the start of the body to its ends. Linear in the blocks.
    pub fn ways(&self) -> Ways {
        let mut next: Vec<Vec<BlockId>> = vec![Vec::new(); self.blocks.len()];
        for (at, own) in self.blocks.iter().enumerate() {
            let at = BlockId(at as u32);
            let before = own
                .preds
                .iter()
                .map(|p| p.0)
                .chain(own.back.iter().copied());
            for before in before {
                next[before.ix()].push(at);
            }
            if let Some(guarded) = own.entered_from {
                for ways in &mut next[guarded.first.ix()..guarded.end.ix()] {
                    ways.push(at);
                }
            }
        }
        let throws = |at: usize| {
            let mut own = self.exprs_of(BlockId(at as u32));
            own.any(|e| matches!(self.exprs[e as usize].kind, ExprKind::Throw { .. }))
        };
        let ends = (0..next.len()).map(|at| next[at].is_empty() && !throws(at));
        Ways {
            ends: ends.collect(),
            next,
        }
    }

    fn exprs_of(&self, block: BlockId) -> std::ops::Range<u32> {
        let end = self
            .blocks
            .get(block.ix() + 1)
            .map_or(self.exprs.len() as u32, |b| b.first);
        self.blocks[block.ix()].first..end
    }

    /// P(block | `from` ran) for each of `targets` (ascending, each after or at `from`), in [0, 1]: the probability
    /// of reaching it in the loop-free graph (`docs/method.md` §1.3). Regions without a target are stepped over, so the
    /// cost is about the number of open branches between.
    pub fn probabilities(
        &self,
        from: BlockId,
        targets: &[BlockId],
        out: &mut Vec<f64>,
        scratch: &mut Vec<f64>,
    ) {
        out.clear();
        let Some(&last) = targets.last() else { return };
        scratch.clear();
        scratch.resize((last.0 + 1).saturating_sub(from.0) as usize, 0.0);
        if scratch.is_empty() {
            out.resize(targets.len(), 0.0);
            return;
        }
        scratch[0] = 1.0;
        let mut region = self.regions.partition_point(|r| r.0 < from);
        let mut next_target = 0;
        let mut at = from;
        let mut known = true;
        loop {
            if !known {
                scratch[(at.0 - from.0) as usize] = self.mass(at, from, scratch);
            }
            while targets.get(next_target).is_some_and(|&t| t <= at) {
                next_target += 1;
            }
            let Some(&target) = targets.get(next_target) else {
                break;
            };
            while self.regions.get(region).is_some_and(|r| r.0 < at) {
                region += 1;
            }
            // The longest region that starts here and ends no later than the next target.
            let mut here = self.regions[region..].iter().take_while(|r| r.0 == at);
            match here.find(|r| r.1 <= target) {
                Some(&(_, exit)) => {
                    scratch[(exit.0 - from.0) as usize] = scratch[(at.0 - from.0) as usize];
                    at = exit;
                    known = true;
                }
                None => {
                    at = BlockId(at.0 + 1);
                    known = false;
                }
            }
        }
        out.extend(targets.iter().map(|t| {
            if *t < from {
                0.0
            } else {
                scratch[(t.0 - from.0) as usize]
            }
        }));
    }

    /// The mass of a block from the masses of those before it; `scratch[i]` is that of block `from + i`.
    fn mass(&self, block: BlockId, from: BlockId, scratch: &[f64]) -> f64 {
        let b = &self.blocks[block.ix()];
        let at = |x: BlockId| {
            if x < from {
                0.0
            } else {
                scratch[(x.0 - from.0) as usize]
            }
        };
        if let Some(entry) = b.entered_from {
            return if entry.first <= from && from < entry.end {
                entry.probability
            } else {
                at(entry.first) * entry.probability
            };
        }
        if let Some((first, last)) = b.through
            && first <= from
        {
            return at(last);
        }
        let sum: f64 = b.preds.iter().map(|&(p, w)| at(p) * w).sum();
        let cap = match b.after_try {
            Some(first) if first > from => at(first),
            _ => 1.0,
        };
        sum.min(cap)
    }
}

fn masses(body: &Body, from: BlockId) -> Vec<f64> {
    let mut scratch = vec![0.0; body.blocks.len()];
    scratch[0] = 1.0;
    for block in 1..body.blocks.len() {
        let mass = body.mass(BlockId(block as u32), from, &scratch);
        scratch[block] = mass;
    }
    scratch
}

/// The nearest dominator of each block under which the block before it stands too; of a dead block the block before it.
fn dominators(body: &Body) -> Vec<u32> {
    let mut idom = vec![0u32; body.blocks.len()];
    let mut depth = vec![0u32; body.blocks.len()];
    for b in 1..body.blocks.len() {
        let block = &body.blocks[b];
        let d = if let Some(entry) = block.entered_from {
            // An exception may come before the first statement: what holds before the try holds here.
            if entry.first.ix() == 0 {
                0
            } else {
                idom[entry.first.ix()]
            }
        } else {
            let mut preds = block.preds.iter().map(|p| p.0.0);
            match preds.next() {
                Some(first) => preds.fold(first, |a, c| common(&idom, &depth, a, c)),
                None => b as u32 - 1,
            }
        };
        // Behind a try the state is that before it, with what its parts changed.
        let d = match block.after_try {
            Some(first) => common(&idom, &depth, d, idom[first.ix()]),
            None => d,
        };
        // The walk has left the branch of a dominator that is not above the block before.
        let d = common(&idom, &depth, d, b as u32 - 1);
        idom[b] = d;
        depth[b] = depth[d as usize] + 1;
    }
    idom
}

fn common(idom: &[u32], depth: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        if depth[a as usize] >= depth[b as usize] {
            a = idom[a as usize];
        } else {
            b = idom[b as usize];
        }
    }
    a
}

/// Where values meet: for each such block the variables defined since its dominator, and a slot for each value that
/// comes along each edge.
struct Joins {
    /// By block: the variables to merge.
    variables: Vec<Vec<u32>>,
    /// By block: the joins it leads to, with the first slot of its values.
    out: Vec<Vec<(u32, u32)>>,
    /// By block: the first slot of each incoming edge.
    incoming: Vec<Vec<u32>>,
    slots: usize,
}

impl Joins {
    fn new(
        body: &Body,
        idom: &[u32],
        effects: &[Effect],
        order: &Order,
        options: Options,
    ) -> Joins {
        let n = body.blocks.len();
        let mut joins = Joins {
            variables: vec![Vec::new(); n],
            out: vec![Vec::new(); n],
            incoming: vec![Vec::new(); n],
            slots: 0,
        };
        let mut seen = vec![u32::MAX; 0];
        for (b, block) in body.blocks.iter().enumerate() {
            let back: &[BlockId] = if options.loops { &block.back } else { &[] };
            let meets = block.preds.len() > 1
                || block.preds.first().is_some_and(|p| p.0.0 != idom[b])
                || block.entered_from.is_some()
                || block.after_try.is_some()
                || !back.is_empty();
            if !meets {
                continue;
            }
            let since = idom[b];
            let end = back.iter().map(|x| x.0 + 1).max().unwrap_or(b as u32);
            let mut variables = Vec::new();
            for d in order.between(since + 1, end.max(b as u32)) {
                let Some(v) = effects[d.ix()].variable else {
                    continue;
                };
                if seen.len() <= v as usize {
                    seen.resize(v as usize + 1, u32::MAX);
                }
                let is_declared_before = body
                    .locals
                    .get(v as usize)
                    .is_none_or(|l| l.block.0 <= since);
                if is_declared_before && seen[v as usize] != b as u32 {
                    seen[v as usize] = b as u32;
                    variables.push(v);
                }
            }
            if variables.is_empty() {
                continue;
            }
            let mut edges: Vec<u32> = block
                .preds
                .iter()
                .map(|p| p.0.0)
                .chain(back.iter().map(|x| x.0))
                .collect();
            if let Some((_, last)) = block.through {
                edges.push(last.0);
            }
            for from in edges {
                let slot = joins.slots as u32;
                joins.slots += variables.len();
                joins.out[from as usize].push((b as u32, slot));
                joins.incoming[b].push(slot);
            }
            joins.variables[b] = variables;
        }
        joins
    }

    fn slots(&self) -> Vec<DefinitionSet> {
        vec![DefinitionSet::default(); self.slots]
    }
}

impl Walk<'_> {
    fn contents(&self, saved: &[DefinitionSet]) -> Vec<Vec<DefId>> {
        saved.iter().map(|s| self.set(*s).to_vec()).collect()
    }

    fn set(&self, set: DefinitionSet) -> &[DefId] {
        &self.pool[set.start as usize..(set.start + set.len) as usize]
    }

    fn field(&mut self, key: VariableKey) -> u32 {
        let next = self.current.len() as u32;
        let v = *self.fields.entry(key).or_insert(next);
        if v == next {
            self.current.push(DefinitionSet::default());
        }
        v
    }

    /// The variable that an expression names.
    fn variable(&mut self, e: ExprId) -> Option<u32> {
        match self.body.expr(e).kind {
            ExprKind::Local(local) => Some(local.0),
            ExprKind::Name(_) | ExprKind::Field { .. } => {
                (self.reaching.field_of)(e).map(|k| self.field(k))
            }
            _ => None,
        }
    }

    fn effect(&mut self, def: DefId) -> Effect {
        let body = self.body;
        match body.defs[def.ix()].target {
            Target::Local(local) => Effect {
                variable: Some(local.0),
                strong: true,
            },
            Target::OwnField(_) => Effect {
                variable: (self.reaching.own_field)(def).map(|k| self.field(k)),
                strong: true,
            },
            Target::Element(array) => Effect {
                variable: self.variable(array),
                strong: false,
            },
            Target::Place(place) => {
                // `x = v` and `this.x = v` replace; with another receiver it may be another object (`docs/method.md` §1.2).
                let strong = match body.expr(place).kind {
                    ExprKind::Field { object, .. } => {
                        !matches!(
                            body.expr(object).kind,
                            ExprKind::Local(_)
                                | ExprKind::Call(_)
                                | ExprKind::Index { .. }
                                | ExprKind::Cast { .. }
                                | ExprKind::Field { .. }
                                | ExprKind::Conditional { .. }
                                | ExprKind::Name(_)
                        ) || self.is_type_name(object)
                    }
                    _ => true,
                };
                Effect {
                    variable: self.variable(place),
                    strong,
                }
            }
        }
    }

    /// True if a qualifier names no field: then it is a type, and the member is static.
    fn is_type_name(&self, e: ExprId) -> bool {
        match self.body.expr(e).kind {
            ExprKind::Name(_) | ExprKind::Field { .. } => (self.reaching.field_of)(e).is_none(),
            _ => false,
        }
    }

    fn assign(&mut self, variable: u32, set: DefinitionSet) {
        let old = self.current[variable as usize];
        if old != set {
            self.undo.push((variable, old));
            self.current[variable as usize] = set;
        }
    }

    fn push_set(&mut self, mut defs: Vec<DefId>) -> DefinitionSet {
        defs.sort_unstable();
        defs.dedup();
        // What calls change never pushes a definition out.
        let first_change = defs.partition_point(|d| d.ix() < self.body.defs.len());
        let changes = defs.len() - first_change;
        defs.drain(first_change..first_change + changes.saturating_sub(MAX_CHANGES));
        let most = if self.crowd < CROWDED {
            MAX_REACHING
        } else {
            MAX_REACHING_CROWDED
        };
        if first_change > most {
            let drop = first_change - most;
            self.truncated += drop as u32;
            defs.drain(..drop);
        }
        self.crowd += first_change.min(most);
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(&defs);
        DefinitionSet {
            start,
            len: defs.len() as u32,
        }
    }

    fn union(&mut self, sets: &[DefinitionSet]) -> DefinitionSet {
        let mut iter = sets.iter().filter(|s| s.len > 0);
        let Some(first) = iter.next() else {
            return DefinitionSet::default();
        };
        if iter.all(|s| s == first || self.set(*s) == self.set(*first)) {
            return *first;
        }
        let mut all = Vec::new();
        for s in sets {
            all.extend_from_slice(self.set(*s));
        }
        self.push_set(all)
    }

    fn run(
        &mut self,
        idom: &[u32],
        joins: &Joins,
        effects: &[Effect],
        order: &Order,
        saved: &mut [DefinitionSet],
        flow: &mut Flow,
    ) {
        let body = self.body;
        self.current
            .iter_mut()
            .for_each(|s| *s = DefinitionSet::default());
        self.undo.clear();
        let mut stack: Vec<(u32, usize)> = vec![(0, 0)];
        for (b, &dominator) in idom.iter().enumerate() {
            if b > 0 {
                while let Some(&(top, _)) = stack.last() {
                    if top <= dominator || stack.len() == 1 {
                        break;
                    }
                    let (_, length) = stack.pop().unwrap_or((0, 0));
                    while self.undo.len() > length {
                        if let Some((v, old)) = self.undo.pop() {
                            self.current[v as usize] = old;
                        }
                    }
                }
                stack.push((b as u32, self.undo.len()));
            }
            self.enter(b, joins, effects, order, saved);
            for e in body.exprs_of(BlockId(b as u32)) {
                self.visit(ExprId(e), effects, flow);
            }
            for &(join, slot) in &joins.out[b] {
                for (i, &v) in joins.variables[join as usize].iter().enumerate() {
                    saved[slot as usize + i] = self.current[v as usize];
                }
            }
        }
    }

    /// Merges what comes into a block where control joins.
    fn enter(
        &mut self,
        b: usize,
        joins: &Joins,
        effects: &[Effect],
        order: &Order,
        saved: &[DefinitionSet],
    ) {
        let body = self.body;
        let block = &body.blocks[b];
        // What comes from above has no slot of its own where no block is named for it.
        let is_head = !joins.incoming[b].is_empty()
            && block.preds.is_empty()
            && block.entered_from.is_none()
            && block.after_try.is_none();
        for (i, &v) in joins.variables[b].iter().enumerate() {
            let set = if let Some(entry) = block.entered_from {
                // Any definition in the guarded part may have been the last before the exception.
                let mut all = self.set(self.current[v as usize]).to_vec();
                let guarded = order.between(entry.first.0, entry.end.0).iter();
                all.extend(guarded.filter(|d| effects[d.ix()].variable == Some(v)));
                self.push_set(all)
            } else {
                let mut edges: Vec<DefinitionSet> = joins.incoming[b]
                    .iter()
                    .map(|&slot| saved[slot as usize + i])
                    .collect();
                if let Some((first, last)) = block.through {
                    let after_finally = edges.pop().unwrap_or_default();
                    let mut within = order.between(first.0, last.0 + 1).iter();
                    let is_definition = |d: &DefId| d.ix() < body.defs.len();
                    if within.any(|d| is_definition(d) && effects[d.ix()].variable == Some(v)) {
                        edges = vec![after_finally];
                    }
                }
                if is_head {
                    edges.push(self.current[v as usize]);
                }
                self.union(&edges)
            };
            self.assign(v, set);
        }
    }

    fn visit(&mut self, e: ExprId, effects: &[Effect], flow: &mut Flow) {
        match self.body.expr(e).kind {
            ExprKind::Local(local) => {
                let set = self.current[local.ix()];
                if set.len > 0 {
                    flow.uses.push((e, set));
                }
            }
            ExprKind::Name(_) | ExprKind::Field { .. } => {
                if let Some(v) = self.variable(e) {
                    let set = self.current[v as usize];
                    if set.len > 0 {
                        flow.uses.push((e, set));
                    }
                }
            }
            ExprKind::Define(def) => {
                let effect = effects[def.ix()];
                let Some(v) = effect.variable else {
                    return self.change(e, effects, flow);
                };
                let old = self.current[v as usize];
                flow.before[def.ix()] = old;
                let set = if effect.strong {
                    self.push_set(vec![def])
                } else {
                    let mut all = self.set(old).to_vec();
                    all.push(def);
                    self.push_set(all)
                };
                self.assign(v, set);
                self.change(e, effects, flow);
            }
            ExprKind::Call(_) => self.change(e, effects, flow),
            _ => {}
        }
    }

    /// The objects that a call, or an assignment to a part of one, changes.
    fn change(&mut self, e: ExprId, effects: &[Effect], flow: &mut Flow) {
        let changes = self.reaching.changes;
        let first = changes.partition_point(|c| c.0 < e);
        let here = changes[first..].iter().take_while(|c| c.0 == e);
        for d in (self.body.defs.len() + first..).take(here.count()) {
            let Some(v) = effects[d].variable else {
                continue;
            };
            let old = self.current[v as usize];
            flow.before[d] = old;
            let mut all = self.set(old).to_vec();
            all.push(DefId(d as u32));
            let set = self.push_set(all);
            self.assign(v, set);
        }
    }
}
