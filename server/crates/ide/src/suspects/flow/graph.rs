//! How values go within one test: from expressions to what is computed of them, to definitions, to objects that calls
//! change, and from those to the uses that they reach.

use super::born::{Place, Seed};
use super::fields::Shown;
use super::scene::Scene;
use flow::{
    BinaryOp, CallId, DefId, ExprId, ExprKind, Flow, Options, Reaching, Target, VariableKind,
};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::VecDeque;

/// An object that something goes into without an assignment.
struct Change {
    /// Where.
    at: ExprId,
    /// The variable that holds it, as an expression.
    object: ExprId,
    /// What goes in.
    takes: Vec<ExprId>,
    /// The seed that it is.
    seed: Option<usize>,
}

/// What a node of the graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// The value of an expression.
    Value(ExprId),
    /// A definition of a variable.
    Def(DefId),
    /// A change of the object of a variable, by what stands at the first; the second names the variable.
    Change(ExprId, ExprId),
}

/// Values, definitions and changes of a test, and what goes from which to which. A node is an expression's number; behind
/// these come definitions, then changes.
pub(super) struct Graph<'s, 'a> {
    scene: &'s Scene<'a>,
    changes: Vec<Change>,
    next: Vec<Vec<u32>>,
    /// By node and what of it is strange: the seed that is born there.
    seeds: FxHashMap<(u32, State), usize>,
    /// The fields that are strange of some seed.
    fields: Vec<SmolStr>,
}

/// What of a value is strange: all of it, or one of the graph's fields, by its position.
type State = Option<u32>;

impl<'s, 'a> Graph<'s, 'a> {
    pub(super) fn new(scene: &'s Scene<'a>, seeds: &[Seed]) -> Graph<'s, 'a> {
        let mut changes = changes(scene);
        for (at, seed) in seeds.iter().enumerate() {
            if let Place::Object(object) = seed.place {
                let names = std::iter::once(object).chain(scene.aliases(object));
                changes.extend(names.map(|object| Change {
                    at: seed.expr,
                    object,
                    takes: Vec::new(),
                    seed: Some(at),
                }));
            }
        }
        changes.sort_by_key(|c| c.at);
        let nodes = scene.body.exprs.len() + scene.body.defs.len() + changes.len();
        let mut graph = Graph {
            scene,
            next: vec![Vec::new(); nodes],
            seeds: FxHashMap::default(),
            fields: Vec::new(),
            changes,
        };
        graph.tie();
        let mut born: Vec<(u32, usize)> = Vec::new();
        let changes = graph.changes.iter().enumerate();
        born.extend(changes.filter_map(|(at, c)| Some((graph.of_change(at), c.seed?))));
        let values = seeds.iter().enumerate();
        let values = values.filter(|(_, seed)| seed.place == Place::Value);
        born.extend(values.map(|(at, seed)| (seed.expr.0, at)));
        for (node, at) in born {
            let state = seeds[at].field.as_ref().map(|field| graph.field(field));
            graph.seeds.insert((node, state), at);
        }
        graph
    }

    /// The position of a field among the graph's.
    fn field(&mut self, name: &SmolStr) -> u32 {
        let known = self.fields.iter().position(|f| f == name);
        known.unwrap_or_else(|| {
            self.fields.push(name.clone());
            self.fields.len() - 1
        }) as u32
    }

    fn of_def(&self, def: DefId) -> u32 {
        self.scene.body.exprs.len() as u32 + def.0
    }

    fn of_change(&self, at: usize) -> u32 {
        self.of_def(DefId((self.scene.body.defs.len() + at) as u32))
    }

    fn goes(&mut self, from: u32, to: u32) {
        self.next[from as usize].push(to);
    }

    fn tie(&mut self) {
        let scene = self.scene;
        let body = scene.body;
        let changed: Vec<(ExprId, ExprId)> =
            self.changes.iter().map(|c| (c.at, c.object)).collect();
        let flow = Flow::new(
            body,
            Options { loops: true },
            &Reaching {
                field_of: &|e| scene.own_field(e),
                own_field: &|_| None,
                changes: &changed,
            },
        );
        let mut operands = Vec::new();
        for at in 0..body.exprs.len() as u32 {
            let e = ExprId(at);
            operands.clear();
            scene.flows_from(e, &mut operands);
            let into = match body.expr(e).kind {
                ExprKind::Define(d) => self.of_def(d),
                _ => at,
            };
            for operand in &operands {
                self.goes(operand.0, into);
            }
            if into != at {
                self.goes(into, at);
            }
            for def in flow.reaching(e) {
                self.goes(self.of_def(*def), at);
            }
        }
        for (at, def) in body.defs.iter().enumerate() {
            // What is compound, or a part, keeps what was there.
            if def.compound || matches!(def.target, Target::Element(_)) {
                let id = DefId(at as u32);
                for before in flow.before(id) {
                    self.goes(self.of_def(*before), self.of_def(id));
                }
            }
        }
        for at in 0..self.changes.len() {
            let to = self.of_change(at);
            for take in std::mem::take(&mut self.changes[at].takes) {
                self.goes(take.0, to);
            }
            // It is the same object that it was.
            for before in flow.before(DefId((body.defs.len() + at) as u32)) {
                self.goes(self.of_def(*before), to);
            }
        }
    }

    /// What a node is.
    pub(super) fn node(&self, id: u32) -> Node {
        let (exprs, defs) = (self.of_def(DefId(0)), self.of_change(0));
        match id {
            e if e < exprs => Node::Value(ExprId(e)),
            d if d < defs => Node::Def(DefId(d - exprs)),
            c => {
                let change = &self.changes[(c - defs) as usize];
                Node::Change(change.at, change.object)
            }
        }
    }

    /// The seed that is born at a node.
    pub(super) fn seed(&self, id: u32) -> Option<usize> {
        let states = std::iter::once(None).chain((0..self.fields.len() as u32).map(Some));
        let mut all = states.filter_map(|state| self.seeds.get(&(id, state)));
        all.next().copied()
    }

    /// The shortest ways from all seeds to all that they reach.
    pub(super) fn ways(&self, shown: &Shown) -> Ways {
        let states = self.fields.len() as u32 + 1;
        let mut ways = Ways {
            states,
            from: vec![None; self.next.len() * states as usize],
        };
        let of_state = |state: State| state.map_or(0, |field| field + 1);
        let mut starts: Vec<u32> = self
            .seeds
            .keys()
            .map(|(node, state)| node * states + of_state(*state))
            .collect();
        starts.sort_unstable();
        let mut work: VecDeque<u32> = VecDeque::new();
        for start in starts {
            ways.from[start as usize] = Some((start, 0));
            work.push_back(start);
        }
        while let Some(at) = work.pop_front() {
            let length = ways.from[at as usize].map_or(0, |f| f.1);
            let (node, state) = (at / states, (at % states).checked_sub(1));
            for &next in &self.next[node as usize] {
                let then = match state {
                    None => Some(None),
                    Some(field) => self.shows(node, next, field, shown),
                };
                let Some(then) = then else { continue };
                let to = next * states + of_state(then);
                if ways.from[to as usize].is_none() {
                    ways.from[to as usize] = Some((at, length + 1));
                    work.push_back(to);
                }
            }
        }
        ways
    }

    /// What is strange of a value into which an object goes of which a field is; nothing if that does not show in it.
    fn shows(&self, from: u32, to: u32, field: u32, shown: &Shown) -> Option<State> {
        let (same, all) = (Some(Some(field)), Some(None));
        let name = &self.fields[field as usize];
        let scene = self.scene;
        let body = scene.body;
        match (self.node(from), self.node(to)) {
            (Node::Value(operand), Node::Value(e)) => match body.expr(e).kind {
                ExprKind::Call(call) if scene.receiver(call) == Some(operand) => {
                    let target = scene.target(call);
                    let shows = target.is_none_or(|m| shown.shows(scene.analysis, m, name));
                    shows.then_some(None)
                }
                ExprKind::Field { name: read, .. } => (body.name(read) == name).then_some(None),
                // Which object it is does not change with what it holds.
                ExprKind::InstanceOf { .. }
                | ExprKind::Binary {
                    op: BinaryOp::Eq | BinaryOp::Ne,
                    ..
                } => None,
                ExprKind::Cast { .. } | ExprKind::Conditional { .. } | ExprKind::Switch { .. } => {
                    same
                }
                _ => all,
            },
            (Node::Value(_), Node::Def(def)) => {
                let def = &body.defs[def.ix()];
                let is_kept = matches!(
                    def.kind,
                    VariableKind::Local | VariableKind::Field | VariableKind::Resource
                );
                match is_kept && !def.compound {
                    true => same,
                    false => all,
                }
            }
            (Node::Value(_), Node::Change(..)) => all,
            // It is the same object, whoever names it.
            (Node::Def(_) | Node::Change(..), _) => same,
        }
    }
}

/// By node and what of it is strange: where it comes from on the shortest way, and how long that is.
pub(super) struct Ways {
    /// How much may be strange of a value: all of it, which is the first, or a field.
    states: u32,
    from: Vec<Option<(u32, u32)>>,
}

impl Ways {
    /// The nodes of the shortest way to the value of one of these expressions, from the seed on; if fields do not count, of
    /// what is strange as a whole.
    pub(super) fn shortest(
        &self,
        ends: impl Iterator<Item = ExprId>,
        fields_count: bool,
    ) -> Option<Vec<u32>> {
        let states = if fields_count { self.states } else { 1 };
        let ends = ends.flat_map(|e| (0..states).map(move |s| (e, s)));
        let ends = ends.map(|(e, state)| e.0 * self.states + state);
        let reached = ends.filter_map(|at| Some((self.from[at as usize]?.1, at)));
        let mut at = reached.min()?.1;
        let mut way = vec![at / self.states];
        while let Some((before, length)) = self.from[at as usize]
            && length > 0
        {
            way.push(before / self.states);
            at = before;
        }
        way.reverse();
        Some(way)
    }
}

/// What calls and assignments to fields change.
fn changes(scene: &Scene<'_>) -> Vec<Change> {
    let (analysis, body) = (scene.analysis, scene.body);
    let (workspace, purity) = (analysis.workspace(), analysis.purity());
    let mut out = Vec::new();
    let mut add = |at: ExprId, object: ExprId, takes: &[ExprId]| {
        let Some(place) = scene.place(object) else {
            return;
        };
        for object in std::iter::once(place).chain(scene.aliases(place)) {
            out.push(Change {
                at,
                object,
                takes: takes.to_vec(),
                seed: None,
            });
        }
    };
    for (at, call) in body.calls.iter().enumerate() {
        let id = CallId(at as u32);
        let args = body.list(call.args);
        let receiver = scene.receiver(id);
        let touched = purity.touched(workspace, body, scene.resolved, id);
        if let Some(receiver) = receiver.filter(|_| touched.receiver) {
            add(call.expr, receiver, args);
        }
        for (at, &arg) in args.iter().enumerate() {
            if touched.argument(at) {
                let others = args.iter().enumerate().filter(|(other, _)| *other != at);
                let takes: Vec<ExprId> = others.map(|o| *o.1).chain(receiver).collect();
                add(call.expr, arg, &takes);
            }
        }
    }
    for def in &body.defs {
        if let Target::Place(place) = def.target
            && let ExprKind::Field { object, .. } = body.expr(place).kind
            && !scene.is_type(object)
        {
            add(def.expr, object, body.list(def.sources));
        }
    }
    out
}
