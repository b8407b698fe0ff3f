//! The graph of a scope: the chains of its bodies, tied together (`docs/method.md` §1.2-1.3).
//!
//! Between bodies an edge takes its weight from both ends: an actual's definition and its call, a return and the number
//! of call sites that it can return to, a field's use and the number of definitions elsewhere. All divisors count within
//! the scope. Cost: linear in the chains and in the edges that come of them.

use crate::{Edge, EdgeKind, Psg, Vertex};
use calls::{Targets, Unit, UnitId, Workspace};
use chains::{CallSite, Chains, Source, Use};
use flow::{Callable, VariableKind};
use program::{BodyId, FieldId, MethodId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How deep the value of a call whose own value comes from calls is followed, where no candidate lies between
/// (`return a().b().f`).
const MAX_NESTED_RETURNS: u32 = 4;

/// A candidate of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A candidate of a unit.
    Real {
        /// Position in the units.
        unit: UnitId,
        /// Position in its candidates.
        candidate: u32,
    },
    /// An observation point that no statement defines: its position in the points given.
    Point(u32),
}

/// An observation point that no statement of its own defines, to be tied in like a use of what it would read.
#[derive(Clone, Debug)]
pub struct ObservationPoint {
    /// The unit in which it stands (a test).
    pub unit: UnitId,
    /// Where, for the order: absolute offset.
    pub start: u32,
    /// What it reads.
    pub reads: Reads,
}

/// What an [`ObservationPoint`] reads.
#[derive(Clone, Debug)]
pub enum Reads {
    /// The value of a method.
    Method(MethodId),
    /// A field.
    Field(FieldId),
    /// What an expression of its unit uses: an assertion's arguments, a dropped value.
    Uses(Vec<Use>),
}

/// The assembled graph of a scope.
#[derive(Debug)]
pub struct Assembled {
    /// By vertex, in order of position.
    pub nodes: Vec<Node>,
    /// By unit, then candidate: its vertex.
    pub vertex_of: Vec<Vec<u32>>,
    /// By observation point: its vertex.
    pub vertex_of_point: Vec<u32>,
    /// The graph.
    pub psg: Psg,
}

struct Assembler<'a> {
    units: &'a [Unit],
    workspace: &'a Workspace,
    unit_of: FxHashMap<BodyId, UnitId>,
    vertex_of: Vec<Vec<u32>>,
    /// Definitions of each field in the scope: (unit, candidate).
    fields: FxHashMap<FieldId, Vec<(UnitId, u32)>>,
    /// How many call sites of the scope can run each unit.
    callers: Vec<u32>,
    /// How many call sites of the scope can run the accessor of a component.
    readers: FxHashMap<FieldId, u32>,
    /// The units that each call site can run: by unit, then call.
    dispatch: Vec<Vec<Dispatch>>,
    /// The units whose value that of an asking is: by unit and position of the asking, where there are any.
    answers: FxHashMap<(UnitId, u32), Vec<UnitId>>,
    edges: Vec<Edge>,
}

#[derive(Clone)]
enum Dispatch {
    BlackBox,
    Known(Callees),
}

/// What of the scope a call may run.
#[derive(Clone)]
struct Callees {
    units: Arc<[UnitId]>,
    /// Components of records, for accessors without a body: they return what the component holds.
    components: Arc<[FieldId]>,
}

impl Callees {
    /// Among how many a call is divided.
    fn count(&self) -> f64 {
        (self.units.len() + self.components.len()) as f64
    }
}

/// Builds the graph of `units` (in order of file and start) with `points` tied in.
pub fn assemble(units: &[Unit], workspace: &Workspace, points: &[ObservationPoint]) -> Assembled {
    let mut a = Assembler {
        units,
        workspace,
        unit_of: units
            .iter()
            .enumerate()
            .map(|(i, u)| (u.body, UnitId(i as u32)))
            .collect(),
        vertex_of: units
            .iter()
            .map(|u| vec![0; u.chains.candidates.len()])
            .collect(),
        fields: FxHashMap::default(),
        callers: vec![0; units.len()],
        readers: FxHashMap::default(),
        dispatch: Vec::with_capacity(units.len()),
        answers: FxHashMap::default(),
        // A whole workspace has hundreds of thousands: growing by doubling would hold them three times at the end.
        edges: Vec::with_capacity(units.iter().map(|u| expected_edges(&u.chains)).sum()),
    };
    let (nodes, vertex_of_point) = a.order(points);
    a.index();
    a.tie();
    for (q, point) in points.iter().enumerate() {
        a.point(point, vertex_of_point[q]);
    }
    let vertices: Vec<Vertex> = nodes
        .iter()
        .map(|n| match *n {
            Node::Real { unit, candidate } => Vertex {
                unit,
                postorder: units[unit.ix()].chains.candidates[candidate as usize].order,
            },
            Node::Point(q) => Vertex {
                unit: points[q as usize].unit,
                postorder: u32::MAX,
            },
        })
        .collect();
    let Assembler {
        vertex_of,
        edges,
        dispatch,
        fields,
        ..
    } = a;
    // Only the edges are needed while the graph is built.
    drop((dispatch, fields));
    Assembled {
        nodes,
        vertex_of,
        vertex_of_point,
        psg: Psg::new(&vertices, share(edges)),
    }
}

/// About how many edges the chains of a unit give: one a chain and an argument, if nothing dispatches to many.
fn expected_edges(chains: &Chains) -> usize {
    let arguments = chains.calls.iter().flat_map(|c| &c.args).map(Vec::len);
    chains.chains.len() + arguments.sum::<usize>()
}

/// Two calls of one method in one statement each hold a share of what returns from it: shares add up.
fn share(mut edges: Vec<Edge>) -> Vec<Edge> {
    let ends = |e: &Edge| u64::from(e.from) << 32 | u64::from(e.to);
    edges.sort_unstable_by_key(ends);
    // All that an edge says is compared, so that equal ones need no order.
    for parallel in edges.chunk_by_mut(|a, b| ends(a) == ends(b)) {
        if parallel.len() > 1 {
            parallel.sort_unstable_by(|a, b| {
                a.kind
                    .cmp(&b.kind)
                    .then(a.probability.total_cmp(&b.probability))
                    .then(a.copy.cmp(&b.copy))
            });
        }
    }
    edges.dedup_by(|b, a| {
        let same = a.from == b.from
            && a.to == b.to
            && a.kind == EdgeKind::Return
            && b.kind == EdgeKind::Return;
        if same {
            a.probability = (a.probability + b.probability).min(1.0);
            a.copy &= b.copy;
        }
        same
    });
    edges
}

/// What of the scope a call may run.
fn callees(
    targets: &Targets<'_>,
    unit_of: &FxHashMap<BodyId, UnitId>,
    fields: &FxHashMap<FieldId, Vec<(UnitId, u32)>>,
) -> Dispatch {
    if targets.is_black_box() {
        return Dispatch::BlackBox;
    }
    let units = targets.bodies().iter();
    let components = targets.components();
    Dispatch::Known(Callees {
        units: units.filter_map(|b| unit_of.get(b).copied()).collect(),
        components: components
            .iter()
            .copied()
            .filter(|f| fields.contains_key(f))
            .collect(),
    })
}

impl Assembler<'_> {
    /// Numbers the vertices by path, line, column, kind and variable.
    fn order(&mut self, points: &[ObservationPoint]) -> (Vec<Node>, Vec<u32>) {
        let mut nodes: Vec<Node> = Vec::new();
        for (u, unit) in self.units.iter().enumerate() {
            nodes.extend(
                (0..unit.chains.candidates.len() as u32).map(|candidate| Node::Real {
                    unit: UnitId(u as u32),
                    candidate,
                }),
            );
        }
        nodes.extend((0..points.len() as u32).map(Node::Point));
        let units = self.units;
        let position = |n: &Node| match *n {
            Node::Real { unit, candidate } => {
                let u = &units[unit.ix()];
                let c = &u.chains.candidates[candidate as usize];
                (
                    u.file,
                    u.start + c.start,
                    0,
                    c.kind,
                    c.variable.as_str(),
                    u.start + c.end,
                    c.order,
                )
            }
            Node::Point(q) => {
                let point = &points[q as usize];
                (
                    units[point.unit.ix()].file,
                    point.start,
                    1,
                    VariableKind::Return,
                    "",
                    point.start,
                    q,
                )
            }
        };
        nodes.sort_by(|a, b| position(a).cmp(&position(b)));
        let mut of_point = vec![0; points.len()];
        for (v, n) in nodes.iter().enumerate() {
            match *n {
                Node::Real { unit, candidate } => {
                    self.vertex_of[unit.ix()][candidate as usize] = v as u32
                }
                Node::Point(q) => of_point[q as usize] = v as u32,
            }
        }
        (nodes, of_point)
    }

    fn index(&mut self) {
        for (u, unit) in self.units.iter().enumerate() {
            for (c, candidate) in unit.chains.candidates.iter().enumerate() {
                if let Some(f) = candidate.field {
                    self.fields
                        .entry(f)
                        .or_default()
                        .push((UnitId(u as u32), c as u32));
                }
            }
        }
        let graph = self.workspace.call_graph();
        let mut known: FxHashMap<(MethodId, bool), Dispatch> = FxHashMap::default();
        for unit in self.units {
            let mut row = Vec::with_capacity(unit.chains.calls.len());
            for site in &unit.chains.calls {
                let dispatch = known
                    .entry((site.target, site.dispatches))
                    .or_insert_with(|| callees(&graph.targets(site), &self.unit_of, &self.fields));
                if let Dispatch::Known(to) = dispatch {
                    for &t in to.units.iter() {
                        self.callers[t.ix()] += 1;
                    }
                    for &f in to.components.iter() {
                        *self.readers.entry(f).or_default() += 1;
                    }
                }
                row.push(dispatch.clone());
            }
            self.dispatch.push(row);
        }
        for (u, unit) in self.units.iter().enumerate() {
            for (a, asking) in unit.chains.askings.iter().enumerate() {
                if !asking.gives_value {
                    continue;
                }
                let bodies = graph.answers(asking);
                let answers = bodies.iter().filter_map(|b| self.unit_of.get(b).copied());
                let answers: Vec<UnitId> = answers.collect();
                for &t in &answers {
                    self.callers[t.ix()] += 1;
                }
                if !answers.is_empty() {
                    self.answers.insert((UnitId(u as u32), a as u32), answers);
                }
            }
        }
    }

    fn tie(&mut self) {
        let units = self.units;
        for (u, unit) in units.iter().enumerate() {
            self.workspace.poll();
            let u = UnitId(u as u32);
            for chain in &unit.chains.chains {
                let from = self.vertex_of[u.ix()][chain.from as usize];
                let callable = unit.chains.candidates[chain.from as usize].callable;
                self.expand(
                    u,
                    from,
                    &chain.used,
                    1.0,
                    None,
                    Some(callable),
                    MAX_NESTED_RETURNS,
                );
            }
            for (c, site) in unit.chains.calls.iter().enumerate() {
                let Dispatch::Known(to) = self.dispatch[u.ix()][c].clone() else {
                    continue;
                };
                for &t in to.units.iter() {
                    self.arguments(u, site, t, 1.0 / to.count());
                }
            }
        }
    }

    /// Actuals to formals.
    fn arguments(&mut self, u: UnitId, site: &CallSite, callee: UnitId, weight: f64) {
        let units = self.units;
        let params = &units[callee.ix()].chains.params;
        for (n, uses) in site.args.iter().enumerate() {
            // Arguments beyond the last parameter go into its varargs array.
            let Some(&param) = params.get(n).or(params.last()) else {
                break;
            };
            let from = self.vertex_of[callee.ix()][param as usize];
            for used in uses {
                self.expand(
                    u,
                    from,
                    used,
                    weight,
                    Some(EdgeKind::Argument),
                    None,
                    MAX_NESTED_RETURNS,
                );
            }
        }
    }

    /// Adds the edges by which `from` uses a value of unit `u`; `weight` multiplies the use's own.
    #[allow(clippy::too_many_arguments)]
    fn expand(
        &mut self,
        u: UnitId,
        from: u32,
        used: &Use,
        weight: f64,
        kind: Option<EdgeKind>,
        callable: Option<Callable>,
        depth: u32,
    ) {
        let units = self.units;
        let chains = &units[u.ix()].chains;
        let mut edge = |to: u32, own: EdgeKind, probability: f64, copy: bool| {
            self.edges.push(Edge {
                from,
                to,
                kind: kind.unwrap_or(own),
                probability: probability * weight,
                copy,
            });
        };
        match used.source {
            Source::Candidate {
                candidate,
                probability,
            } => {
                let c = &chains.candidates[candidate as usize];
                let own = if used.library {
                    EdgeKind::Library
                } else if callable.is_some_and(|x| x != c.callable) {
                    EdgeKind::Capture
                } else if c.kind == VariableKind::Array {
                    EdgeKind::Array
                } else {
                    EdgeKind::Local
                };
                edge(
                    self.vertex_of[u.ix()][candidate as usize],
                    own,
                    probability,
                    used.copy,
                );
            }
            Source::Field { field, probability } => {
                let Some(definitions) = self.fields.get(&field) else {
                    return;
                };
                let elsewhere = definitions.iter().filter(|d| d.0 != u).count();
                for &(unit, candidate) in definitions.iter().filter(|d| d.0 != u) {
                    edge(
                        self.vertex_of[unit.ix()][candidate as usize],
                        EdgeKind::Field,
                        probability / elsewhere as f64,
                        used.copy,
                    );
                }
            }
            Source::Captured {
                body,
                local,
                probability,
            } => {
                let Some(&outer) = self.unit_of.get(&body) else {
                    return;
                };
                // The class of that body in which, directly or deeper, this one stands.
                let mut inner = units[u.ix()].body;
                let class = loop {
                    match self.workspace.enclosing(inner) {
                        Some((around, class)) if around == body => break Some(class),
                        Some((around, _)) => inner = around,
                        None => break None,
                    }
                };
                let Some(class) = class else { return };
                let outer_chains = &units[outer.ix()].chains;
                for &(c, candidate, p) in &outer_chains.captures {
                    if c == class
                        && outer_chains.candidates[candidate as usize].local == Some(local)
                    {
                        edge(
                            self.vertex_of[outer.ix()][candidate as usize],
                            EdgeKind::Capture,
                            probability * p,
                            used.copy,
                        );
                    }
                }
            }
            Source::Asked(asking) => {
                if depth == 0 {
                    return;
                }
                let answers = self.answers.get(&(u, asking)).cloned().unwrap_or_default();
                let kind = kind.unwrap_or(EdgeKind::Return);
                let ways = answers.len() as f64;
                for t in answers {
                    let share = weight / f64::from(self.callers[t.ix()].max(1)) / ways;
                    self.returned(t, from, share, kind, used.copy, depth - 1);
                }
            }
            Source::Call(site) => {
                if depth == 0 {
                    return;
                }
                match self.dispatch[u.ix()][site as usize].clone() {
                    Dispatch::BlackBox => {
                        // Like any library: the value may come of the receiver and each argument.
                        let site = &chains.calls[site as usize];
                        for inner in site.receiver.iter().chain(site.args.iter().flatten()) {
                            let inner = Use {
                                copy: false,
                                library: true,
                                ..*inner
                            };
                            self.expand(u, from, &inner, weight, kind, callable, depth - 1);
                        }
                    }
                    Dispatch::Known(to) => {
                        let kind = kind.unwrap_or(EdgeKind::Return);
                        for &t in to.units.iter() {
                            let share =
                                weight / f64::from(self.callers[t.ix()].max(1)) / to.count();
                            self.returned(t, from, share, kind, used.copy, depth - 1);
                        }
                        for &f in to.components.iter() {
                            let callers = self.readers.get(&f).copied().unwrap_or(1);
                            let share = weight / f64::from(callers) / to.count();
                            self.component(f, from, share, kind, used.copy);
                        }
                    }
                }
            }
        }
    }

    /// Adds the edges by which `from` uses what unit `t` returns.
    fn returned(
        &mut self,
        t: UnitId,
        from: u32,
        weight: f64,
        kind: EdgeKind,
        copy: bool,
        depth: u32,
    ) {
        let chains = Arc::clone(&self.units[t.ix()].chains);
        for r in chains
            .returns
            .iter()
            .filter(|r| r.callable == Callable::Member)
        {
            let used = Use {
                copy: copy && r.used.copy,
                ..r.used
            };
            self.expand(t, from, &used, weight, Some(kind), None, depth);
        }
    }

    /// Adds the edges by which `from` uses what the accessor of a record's component returns: `return x;`.
    fn component(&mut self, field: FieldId, from: u32, weight: f64, kind: EdgeKind, copy: bool) {
        let definitions = self.fields.get(&field).map_or(&[][..], Vec::as_slice);
        for &(unit, candidate) in definitions {
            self.edges.push(Edge {
                from,
                to: self.vertex_of[unit.ix()][candidate as usize],
                kind,
                probability: weight / definitions.len() as f64,
                copy,
            });
        }
    }

    /// Ties an observation point in: it reads that very value, so nothing divides it but the dispatch.
    fn point(&mut self, point: &ObservationPoint, from: u32) {
        match &point.reads {
            Reads::Field(field) => {
                let used = Use {
                    source: Source::Field {
                        field: *field,
                        probability: 1.0,
                    },
                    copy: true,
                    library: false,
                };
                self.expand(point.unit, from, &used, 1.0, None, None, 1);
            }
            Reads::Method(target) => {
                let targets = self.workspace.call_graph().targets_of(*target);
                if let Dispatch::Known(to) = callees(&targets, &self.unit_of, &self.fields) {
                    self.read_returned(&to, from, true);
                }
            }
            Reads::Uses(uses) => {
                for used in uses {
                    if let Source::Call(site) = used.source
                        && let Dispatch::Known(to) =
                            self.dispatch[point.unit.ix()][site as usize].clone()
                    {
                        self.read_returned(&to, from, used.copy);
                    } else {
                        self.expand(point.unit, from, used, 1.0, None, None, MAX_NESTED_RETURNS);
                    }
                }
            }
        }
    }

    fn read_returned(&mut self, to: &Callees, from: u32, copy: bool) {
        for &t in to.units.iter() {
            self.returned(
                t,
                from,
                1.0 / to.count(),
                EdgeKind::Return,
                copy,
                MAX_NESTED_RETURNS,
            );
        }
        for &f in to.components.iter() {
            self.component(f, from, 1.0 / to.count(), EdgeKind::Return, copy);
        }
    }
}
