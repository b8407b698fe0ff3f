//! What is offered for a test (algorithms §1.8): what it could read and does not, and what only an inner oracle can check.
//!
//! Both lists stand over one graph: the production candidates that the test reaches are what is worth observing, the
//! test's own are not. A *readable* value is an observation point of this very test: one of its locals, a value that it
//! drops, or `object.query()` on an object that it holds. An *inside* value is a definition of the code under test that
//! no observation point reads whole. Each refinement is one switch of [`Switches`], with its reason there.
//!
//! `reading` says what assertions read, `habits` how often a suite asks what, `gap` what is hidden when the question is
//! whether a known assertion would have been offered, `happenings` what the test does to its objects, `library` what is
//! asked of code that is not here, `points` what could be offered, `readable` makes their list, by `priors` (what people
//! ask) and `choose` (in which order); `acts` says which objects code under test had in its hands, `computed` which of its
//! definitions compute a value, `topic` what the test is about, `implied` what it shows already in other words, `doubt` when
//! a list is not sure, `sure` whether it may be.

mod acts;
mod calls;
mod choose;
mod computed;
mod doubt;
mod gap;
mod habits;
mod happenings;
mod implied;
mod library;
mod points;
mod priors;
mod readable;
mod reading;
mod sure;
mod topic;

pub use doubt::Doubt;
pub use gap::Gap;
pub use habits::{Ask, Habits, ask_of, type_key};
pub use reading::{Path, Reader, Reading};
pub use sure::{Hope, hope};

use crate::assemble::{Assembled, Node, Query, Reads, Unit, assemble};
use crate::chains;
use crate::purity::Purity;
use crate::quiet::{Quiet, quiet};
use crate::rank::{Ranked, Settings, places, table};
use crate::reach::{Reach, Technique, TestRun};
use crate::selection::{SelectOptions, select};
use crate::suite::TestKind;
use crate::workspace::Workspace;
use flow::{Body, CallId, Callee, ExprId, ExprKind, VariableKind};
use points::{Finder, Point, Scene};
use program::{BodyId, FieldId, MethodId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

macro_rules! switches {
    ($($(#[doc = $doc:literal])* $name:ident: $default:literal,)*) => {
        /// The refinements of what is offered, each with its reason; `cargo xtask evaluate choice` measures each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Switches { $($(#[doc = $doc])* pub $name: bool,)* }
        impl Default for Switches {
            fn default() -> Self { Switches { $($name: $default,)* } }
        }
        impl Switches {
            /// Every switch: its name, what it is by default, and how to set it.
            pub const ALL: &'static [(&'static str, bool, fn(&mut Switches, bool))] =
                &[$((stringify!($name), $default, |s, on| s.$name = on),)*];
        }
    };
}

switches! {
    /// What the test's assertions read counts as selected first: the question is what to add *next*.
    read_first: true,
    /// `object.query()` that the test does not call yet is offered.
    queries: true,
    /// Queries of what a query gives (`a.b().c()`).
    chained_queries: true,
    /// Values that calls of the test return and it drops.
    dropped_values: true,
    /// Calls with arguments that the test makes, when their objects have changed, and the same of other objects.
    repeated_calls: true,
    /// A bare `new` object is not asserted as such; its queries are.
    no_new_objects: true,
    /// Literals of the test, and what can be asked of them, are known.
    no_literals: true,
    /// Values that change with every run, or say nothing: `hashCode`, iterators, builders that return their receiver.
    no_noise: true,
    /// Loop counters, constants and parameters that are given literals hold what everyone knows.
    known_values: true,
    /// Values of one statement run only sometimes weigh less (P of the statement given its method's entry).
    weigh_by_entry: false,
    /// Getters by name are queries although a cache makes them impure, or no class here implements them.
    conventional: true,
    /// What the suite asks of objects of this type is a query, whatever it changes: `iterator.next()`.
    habitual: true,
    /// Queries of library objects: `list.size()`, `writer.toString()`.
    library_queries: true,
    /// `builder.append(x)` makes what `builder` says depend on `x`.
    receivers: true,
    /// Objects in fields of the test class that this test does not use yet.
    fixture_fields: true,
    /// Fields of the test class that this test uses are values like its locals.
    field_values: true,
    /// `getMap()` of the test class, where the test calls it, is an object like a local.
    own_getters: true,
    /// A value that was asserted before its object changed is offered again.
    stale: true,
    /// That a value adds something counts, how much only a little: side effects and code that is not there are not
    /// followed, so small gains are often the graph's fault.
    log_gain: true,
    /// The object that the test used last before the gap comes first.
    recent: true,
    /// The object that the test changed last before the gap comes first.
    changed_last: true,
    /// The text of an object is seldom compared where the suite compares none of its type.
    seldom_text: true,
    /// Inside, what this test most likely runs itself comes first.
    likely_first: true,
    /// What the suite asks often it will ask again.
    habits: true,
    /// What this test asks of another object, or asked before a change, it will ask again.
    asked_here: true,
    /// A value that the test keeps in a variable and never reads is there to be checked.
    unused: true,
    /// A query of a query is asked less often than a query.
    depth: true,
    /// A call with arguments is asked less often again than a query.
    known_calls: true,
    /// An object is checked by its parts more often than whole.
    parts: true,
    /// Numbers, texts and truth values are compared more easily than objects.
    comparable: true,
    /// The best that no doubt concerns comes first.
    sure_first: true,
    /// What is a mock's, or thrown past, is not shown at all.
    no_certain_doubts: true,
}

/// Where a readable value is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// What to write in an assertion: `total`, `record.getComment()`.
    pub expression: SmolStr,
    /// Its type, as people write it.
    pub ty: SmolStr,
    /// The offset in the file from which on it can be read: the start of the last definition of its object.
    pub start: u32,
    /// One past the definition.
    pub end: u32,
}

/// The offer for one test.
#[derive(Debug)]
pub struct Offer {
    /// The graph of what the test reaches, with its observation points.
    pub graph: Assembled,
    /// The bodies of the graph.
    pub units: Vec<Unit>,
    /// Observation points by vertex.
    pub observations: FxHashMap<u32, Observation>,
    /// By vertex of an observation point, what is asked.
    pub asks: FxHashMap<u32, Ask>,
    /// What the test could read, best first; the best that no doubt concerns before all else.
    /// What adds less than [`LEAST_GAIN`] is among them and is not counted: no surface shows it.
    pub readable: Vec<Ranked>,
    /// By vertex, why a value of the readable list may not be worth a look. The others are sure.
    pub doubts: FxHashMap<u32, Doubt>,
    /// What only an inner oracle can check, best first.
    pub inside: Vec<Ranked>,
    /// The vertices of that list which a lens may name: variables whose value is computed by code that the test most
    /// likely runs.
    pub inside_sure: FxHashSet<u32>,
    /// The candidates that its assertions read already, by position.
    pub read: Vec<u32>,
    /// All observation points that could have been offered, in order of position (baselines start from these).
    pub points: Vec<u32>,
}

/// Computes the offer for tests (one, or several whose union is the scope). The observation points are those of all of
/// them.
pub fn offer(
    workspace: &Workspace,
    purity: &Purity,
    runs: &[TestRun],
    settings: &Settings,
    switches: &Switches,
) -> Offer {
    let ground = Ground::new(workspace, purity, runs, switches, None);
    let (readable, doubts) = ground.readable(settings, switches);
    let inside = ground.inside(settings, switches);
    let mut points: Vec<u32> = ground.options.iter().map(|o| o.0).collect();
    points.sort_unstable();
    points.dedup();
    Offer {
        observations: ground.observations(),
        asks: ground.asks(),
        readable,
        doubts,
        inside_sure: ground.inside_sure(&inside),
        inside,
        points,
        read: ground.asserted_candidates(),
        graph: ground.graph,
        units: ground.units,
    }
}

/// What the test could read, best first, as if the call `hidden` (an assertion of its own body) were not in it, and as of
/// its place.
pub fn offer_hiding(
    workspace: &Workspace,
    purity: &Purity,
    test: MethodId,
    settings: &Settings,
    switches: &Switches,
    hidden: CallId,
    learned: Learned,
) -> Hidden {
    let ground = Ground::new(
        workspace,
        purity,
        &[workspace.own_run(test)],
        switches,
        Some((hidden, learned)),
    );
    let (readable, _) = ground.readable(settings, switches);
    let by_vertex = ground.observations();
    let readable = readable
        .iter()
        .filter_map(|r| by_vertex.get(&r.vertex).cloned())
        .collect();
    let points = ground
        .points
        .iter()
        .map(|p| (p.observation.clone(), p.read))
        .collect();
    Hidden { readable, points }
}

/// The readable list of a test with an assertion hidden.
#[derive(Debug)]
pub struct Hidden {
    /// Best first.
    pub readable: Vec<Observation>,
    /// All that could have been offered, in the order in which they were found, and whether an assertion checks it
    /// already.
    pub points: Vec<(Observation, bool)>,
}

/// Where the habits come from when an assertion is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// From all other assertions of the suite.
    Suite,
    /// From other files only.
    OtherFiles,
}

/// Everything that both lists rest on.
struct Ground<'a> {
    workspace: &'a Workspace,
    purity: &'a Purity,
    graph: Assembled,
    units: Vec<Unit>,
    scenes: Vec<Scene<'a>>,
    points: Vec<Point>,
    /// The points that stand in the graph: vertex and position in `points`.
    options: Vec<(u32, usize)>,
    /// What the assertions read, each as one vertex.
    asserted: Vec<u32>,
    /// How much it is worth to observe each vertex.
    weights: Vec<f64>,
    /// How much sooner each vertex is chosen of what only an inner oracle can check: the likelier the tests run its code.
    likely_run: Vec<f64>,
}

impl<'a> Ground<'a> {
    fn new(
        workspace: &'a Workspace,
        purity: &'a Purity,
        runs: &[TestRun],
        switches: &Switches,
        hidden: Option<(CallId, Learned)>,
    ) -> Ground<'a> {
        let program = workspace.program();
        // A test that several classes inherit is written once, and so are its points.
        let mut told: FxHashSet<BodyId> = FxHashSet::default();
        let scenes: Vec<Scene<'a>> = runs
            .iter()
            .filter_map(|r| program.method_body(r.test))
            .filter(|body| told.insert(*body))
            .filter_map(|body| Scene::new(workspace, purity, body, hidden))
            .collect();
        let visible = |body: BodyId, e: ExprId| {
            hidden.is_none() || !scenes.iter().any(|s| s.id == body && s.gap.hides(e))
        };
        let mut reach = Reach::new(workspace, Technique::Made, runs, &visible);
        let roots = runs.iter().flat_map(|r| workspace.test_roots(*r));
        reach.run(roots);
        let called = reach.called().clone();
        let likely = reach.odds(runs.iter().flat_map(|r| shares(workspace, *r)));
        let mut finder = Finder::new(workspace, purity, switches);
        let points: Vec<Point> = scenes.iter().flat_map(|s| finder.find(s)).collect();
        let needed = reach.run(finder.needed);
        let units = workspace.units_of(needed);
        let unit_of: FxHashMap<BodyId, u32> = units
            .iter()
            .enumerate()
            .map(|(i, u)| (u.body, i as u32))
            .collect();

        let mut queries: Vec<Query> = Vec::new();
        let mut of_query: Vec<(usize, usize)> = Vec::new();
        for (p, point) in points.iter().enumerate() {
            if let (Some(&unit), Some(reads)) = (unit_of.get(&point.body), point.reads.clone()) {
                of_query.push((queries.len(), p));
                queries.push(Query {
                    unit,
                    start: point.start,
                    reads,
                });
            }
        }
        let first_asserted = queries.len();
        for scene in &scenes {
            let Some(&unit) = unit_of.get(&scene.id) else {
                continue;
            };
            for a in &scene.chains.assertions {
                if visible(scene.id, a.expr) && !scene.reader.is_weak(a) {
                    queries.push(Query {
                        unit,
                        start: units[unit as usize].start,
                        reads: Reads::Uses(a.reads.clone()),
                    });
                }
            }
        }
        let graph = assemble(&units, workspace, &queries);

        // What is worth observing: production code that the test itself calls. What initialises classes ran before, or
        // would have, whatever this test does.
        let mut weights = vec![0.0; graph.nodes.len()];
        let mut likely_run = vec![0.0; graph.nodes.len()];
        for (unit, u) in units.iter().enumerate() {
            let is_test = |file| program.is_test(file);
            if program.body_file(u.body).is_none_or(is_test) || !called.contains(u.body) {
                continue;
            }
            // Halves multiply along a chain of calls to less than is true; the root tempers them.
            let runs = likely.of(u.body).sqrt();
            for (c, &v) in u.chains.candidates.iter().zip(&graph.vertex_of[unit]) {
                if !switches.known_values || !is_known(program, &graph, u.body, c, v) {
                    weights[v as usize] = match switches.weigh_by_entry {
                        true => c.entry,
                        false => 1.0,
                    };
                    likely_run[v as usize] = runs;
                }
            }
        }

        let mut options: Vec<(u32, usize)> = of_query
            .iter()
            .map(|&(q, p)| (graph.vertex_of_query[q], p))
            .collect();
        for (p, point) in points.iter().enumerate() {
            if let (None, Some(c), Some(&unit)) =
                (&point.reads, point.candidate, unit_of.get(&point.body))
            {
                options.push((graph.vertex_of[unit as usize][c as usize], p));
            }
        }
        options.sort_unstable();
        Ground {
            workspace,
            purity,
            asserted: graph.vertex_of_query[first_asserted..].to_vec(),
            graph,
            units,
            scenes,
            points,
            options,
            weights,
            likely_run,
        }
    }

    fn observations(&self) -> FxHashMap<u32, Observation> {
        self.options
            .iter()
            .map(|&(v, p)| (v, self.points[p].observation.clone()))
            .collect()
    }

    fn asks(&self) -> FxHashMap<u32, Ask> {
        let asks = self.options.iter();
        asks.map(|&(v, p)| (v, self.points[p].ask.clone()))
            .collect()
    }

    /// The candidates whose values assertions read: variables in their arguments, and what calls in them return.
    fn asserted_candidates(&self) -> Vec<u32> {
        let psg = &self.graph.psg;
        let asserted = self.asserted.iter().flat_map(|&v| psg.outgoing(v));
        let mut read: Vec<u32> = asserted.map(|e| e.to).collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// Those of the list inside that are variables, computed by code that most likely runs.
    fn inside_sure(&self, inside: &[Ranked]) -> FxHashSet<u32> {
        let of = |v: u32| match self.graph.nodes[v as usize] {
            Node::Real { unit, candidate } => {
                let unit = &self.units[unit as usize];
                Some((unit, &unit.chains.candidates[candidate as usize]))
            }
            _ => None,
        };
        let sure = |v: &u32| {
            of(*v).is_some_and(|(unit, c)| {
                c.kind != VariableKind::Return
                    && self.likely_run[*v as usize] >= SURELY_RUN
                    && c.entry >= SURELY_RUN
                    && computed::computes(self.workspace, unit, c)
            })
        };
        // What is to throw does not come so far, as likely as not.
        if self
            .scenes
            .iter()
            .any(|s| s.expects_exception() || s.is_told_to_throw())
        {
            return FxHashSet::default();
        }
        inside.iter().map(|r| r.vertex).filter(sure).collect()
    }

    fn is_exceptional(&self, v: u32) -> bool {
        match self.graph.nodes[v as usize] {
            Node::Real { unit, .. } => {
                let body = self.units[unit as usize].body;
                makes_exception(self.workspace.program(), body)
            }
            Node::Query(_) => false,
        }
    }

    fn inside(&self, settings: &Settings, switches: &Switches) -> Vec<Ranked> {
        let program = self.workspace.program();
        let seen = read_whole(
            &self.graph,
            self.options
                .iter()
                .map(|o| o.0)
                .chain(self.asserted.iter().copied()),
        );
        let expects = self.scenes.iter().any(Scene::expects_exception);
        let (_, narrow) = table(&self.graph, settings.lambda, false);
        let eligible = |v: u32| {
            self.weights[v as usize] > 0.0
                && !seen.contains(&v)
                && is_insightful(program, &self.units, self.graph.nodes[v as usize])
                && (expects || !self.is_exceptional(v))
        };
        let picks = select(
            &narrow,
            &SelectOptions {
                most: settings.top,
                fp: settings.fp,
                eligible: &eligible,
                preselected: &self.asserted,
                weights: Some(&self.weights),
                preference: switches.likely_first.then_some(&*self.likely_run),
            },
        );
        let mut places = places(&narrow, &picks);
        places.retain(|r| r.gain > 0.0);
        for r in &mut places {
            r.stands_for
                .retain(|s| self.weights[s.vertex as usize] > 0.0);
        }
        places
    }
}

/// What runs with a test, and how much of it is this test's own: its fixtures run for all tests of its class, so that a
/// share of each is its own.
fn shares(workspace: &Workspace, run: TestRun) -> Vec<(BodyId, f64)> {
    let program = workspace.program();
    let is_test = |m: &&MethodId| workspace.suite().kind(**m) == Some(TestKind::Test);
    let tests = program.methods_of_type(run.class).iter().filter(is_test);
    let share = 1.0 / tests.count().max(1) as f64;
    let own = program.method_body(run.test);
    let roots = workspace.test_roots(run).into_iter();
    roots
        .map(|body| (body, if Some(body) == own { 1.0 } else { share }))
        .collect()
}

/// What adds less is not worth a word.
pub const LEAST_GAIN: f64 = 0.005;

/// The same for what a lens names inside.
const SURELY_RUN: f64 = 0.5;

/// What some observation point reads whole: the very value arrives there, by copies alone, whenever it is defined. A
/// value that was compared, counted or combined on the way is not read whole: a wrong one may look right (`neg` behind
/// `compare(pos, neg)`).
fn read_whole(graph: &Assembled, points: impl Iterator<Item = u32>) -> FxHashSet<u32> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut work: Vec<u32> = points.collect();
    while let Some(v) = work.pop() {
        if seen.insert(v) {
            let whole = graph
                .psg
                .outgoing(v)
                .filter(|e| e.copy && e.probability >= 1.0 - 1e-9);
            work.extend(whole.map(|e| e.to));
        }
    }
    seen
}

/// True for a value that nobody needs to observe: a loop's counter, a constant, a parameter that is given nothing but
/// literals.
fn is_known(
    program: &Program,
    graph: &Assembled,
    body: BodyId,
    c: &chains::Candidate,
    v: u32,
) -> bool {
    let known = matches!(
        quiet(program, body, c),
        Some(Quiet::Counter | Quiet::Constant | Quiet::Logger)
    );
    let literal = || c.kind == VariableKind::Parameter && graph.psg.outgoing(v).next().is_none();
    known || literal()
}

/// True for code that makes an exception.
fn makes_exception(program: &Program, body: BodyId) -> bool {
    let names = program.supertype_names(program.body_owner(body));
    let is =
        |n: &SmolStr| n.ends_with("Exception") || n.ends_with("Error") || n.ends_with(".Throwable");
    names.iter().any(is)
}

/// True for a definition that a person would check inside: no formal parameter (its first use is checked instead), no
/// constant, no loop counter, no logger, no caught exception.
pub fn is_insightful(program: &Program, units: &[Unit], node: Node) -> bool {
    let Node::Real { unit, candidate } = node else {
        return false;
    };
    let u = &units[unit as usize];
    let c = &u.chains.candidates[candidate as usize];
    let Some(decl) = program.body(u.body) else {
        return false;
    };
    let body = &decl.body;
    if quiet(program, u.body, c).is_some_and(|q| q != Quiet::LoopVariable) {
        return false;
    }
    match c.def {
        Some(d) => {
            let def = &body.defs[d.ix()];
            def.compound
                || body
                    .list(def.sources)
                    .first()
                    .is_none_or(|&s| !is_literal_or_new(body, s))
        }
        None => true,
    }
}

fn is_literal_or_new(body: &Body, mut e: ExprId) -> bool {
    loop {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } => e = operand,
            ExprKind::Literal(_) | ExprKind::ClassLiteral(_) | ExprKind::Missing => return true,
            ExprKind::Call(c) => return matches!(body.calls[c.ix()].callee, Callee::New { .. }),
            ExprKind::NewArray { .. } | ExprKind::Lambda(_) | ExprKind::MethodRef { .. } => {
                return true;
            }
            _ => return false,
        }
    }
}

/// What a query calls or reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryTarget {
    /// A method without parameters.
    Method(MethodId),
    /// A public field.
    Field(FieldId),
}

#[cfg(test)]
mod tests;
