//! Everything that both lists of a test rest on: its graph, its observation points, and what is worth observing.

use crate::from_mocks::{is_answered, is_from_mock, mocked_by_name};
use crate::hold_out::Learned;
use crate::observation_points::{Finder, Observation, Point, Scene, uses_of};
use crate::passed_through::{Echo, PassedThrough};
use crate::statistics::Ask;
use crate::{Known, Switches};
use calls::{Ran, RapidTypes, Technique, Unit, UnitId, Workspace, class_under_test};
use chains::Candidate;
use flow::{CallId, ExprId, VariableKind};
use observe::{Assembled, ObservationPoint, Quiet, Reads, assemble, quiet};
use oracle::{Root, TestKind, TestRun};
use program::{BodyId, MethodId, Program, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// See the module's description.
pub(crate) struct Ground<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) known: &'a Known,
    pub(crate) graph: Assembled,
    pub(crate) units: Vec<Unit>,
    pub(crate) scenes: Vec<Scene<'a>>,
    pub(crate) points: Vec<Point>,
    /// The points that stand in the graph: vertex and position in `points`.
    pub(crate) options: Vec<(u32, usize)>,
    /// What the assertions read, each as one vertex.
    pub(crate) asserted: Vec<u32>,
    /// How much it is worth to observe each vertex.
    pub(crate) weights: Vec<f64>,
    /// How likely the tests run the code of each vertex, tempered.
    pub(crate) likely_run: Vec<f64>,
    /// The vertices of the classes that the tests' classes are named after.
    pub(crate) own_class: FxHashSet<u32>,
    /// These classes, and those that they extend.
    pub(crate) own_classes: FxHashSet<TypeId>,
    /// By point, whose it is if code under test only hands it on.
    pub(crate) echoes: Vec<Option<Echo>>,
    /// Some object is a mock.
    pub(crate) has_mocks: bool,
    /// What ran was recorded: what did not has no weight.
    pub(crate) is_recorded: bool,
}

impl<'a> Ground<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        known: &'a Known,
        runs: &[TestRun],
        switches: &Switches,
        hidden: Option<(CallId, Learned)>,
        ran: Option<&Ran<'_>>,
    ) -> Ground<'a> {
        let program = workspace.program();
        // A test that several classes inherit is written once, and so are its points.
        let mut told: FxHashSet<BodyId> = FxHashSet::default();
        let scenes: Vec<Scene<'a>> = runs
            .iter()
            .filter_map(|r| program.method_body(r.test))
            .filter(|body| told.insert(*body))
            .filter_map(|body| Scene::new(workspace, known.purity(), body, hidden))
            .collect();
        let visible = |body: BodyId, e: ExprId| {
            hidden.is_none() || !scenes.iter().any(|s| s.id == body && s.hold_out.hides(e))
        };
        // What queries would run has not run yet.
        let is_of_test = Cell::new(true);
        let followed = |body: BodyId, e: ExprId| {
            visible(body, e) && ran.is_none_or(|ran| !is_of_test.get() || ran(body, Some(e)))
        };
        let mut rapid_types = RapidTypes::new(workspace, Technique::RapidTypes, runs, &followed);
        let roots = runs.iter().flat_map(|r| workspace.test_roots(*r));
        rapid_types.run(roots);
        let called = rapid_types.called().clone();
        let likely = rapid_types.probabilities(runs.iter().flat_map(|r| shares(workspace, *r)));
        is_of_test.set(false);
        let mut finder = Finder::new(workspace, known, switches);
        let mut points: Vec<Point> = scenes.iter().flat_map(|s| finder.find(s)).collect();
        let needed = rapid_types.run(finder.needed);
        let units = workspace.units_of(needed);
        let unit_of: FxHashMap<BodyId, UnitId> = units
            .iter()
            .enumerate()
            .map(|(i, u)| (u.body, UnitId(i as u32)))
            .collect();

        // What captors keep comes from what was called.
        let own = |u: &&Unit| {
            let file = program.body_file(u.body);
            called.contains(u.body) && file.is_some_and(|f| !program.is_test(f))
        };
        for point in &mut points {
            if let Some(kept) = point.kept.clone() {
                point.given = kept.given(workspace, units.iter().filter(own));
                let is_told = |(body, e): &(BodyId, ExprId)| {
                    let unit = unit_of.get(body).map(|u| &units[u.ix()]);
                    unit.is_none_or(|u| is_answered(workspace, &rapid_types, u, *e))
                };
                if point.given.iter().any(is_told) {
                    point.given.clear();
                }
                if let Some(Reads::Uses(uses)) = &mut point.reads {
                    for (body, e) in &point.given {
                        let unit = unit_of.get(body).map(|u| &units[u.ix()]);
                        if let (Some(unit), Some(decl)) = (unit, program.body(*body)) {
                            uses_of(&decl.body, &unit.chains, *e, uses);
                        }
                    }
                }
            }
        }
        points.retain(|p| p.kept.is_none() || !p.given.is_empty());

        let mut tied: Vec<ObservationPoint> = Vec::new();
        let mut of_tied: Vec<(usize, usize)> = Vec::new();
        for (p, point) in points.iter().enumerate() {
            let of = point.given.first().map_or(point.body, |given| given.0);
            if let (Some(&unit), Some(reads)) = (unit_of.get(&of), point.reads.clone()) {
                of_tied.push((tied.len(), p));
                tied.push(ObservationPoint {
                    unit,
                    start: point.start,
                    reads,
                });
            }
        }
        let first_asserted = tied.len();
        for scene in &scenes {
            let Some(&unit) = unit_of.get(&scene.id) else {
                continue;
            };
            for (a, reads) in scene.chains.assertions.iter().zip(&scene.chains.reads) {
                if visible(scene.id, a.expr) && !scene.reader.is_weak(a) {
                    tied.push(ObservationPoint {
                        unit,
                        start: units[unit.ix()].start,
                        reads: Reads::Uses(reads.clone()),
                    });
                }
            }
        }
        let graph = assemble(&units, workspace, &tied);

        // What is worth observing: production code that the test itself calls. What initialises classes ran before, or
        // would have, whatever this test does.
        let mut weights = vec![0.0; graph.nodes.len()];
        let mut likely_run = vec![0.0; graph.nodes.len()];
        let mut own_class = FxHashSet::default();
        let about = runs
            .iter()
            .filter_map(|r| class_under_test(program, r.class));
        let about: FxHashSet<TypeId> = about.collect();
        let above = about.iter().flat_map(|c| program.supertypes(*c));
        let own_classes = about.iter().copied().chain(above).collect();
        for (unit, u) in units.iter().enumerate() {
            let is_test = |file| program.is_test(file);
            if program.body_file(u.body).is_none_or(is_test) || !called.contains(u.body) {
                continue;
            }
            if ran.is_some_and(|ran| !ran(u.body, None)) {
                continue;
            }
            // Halves multiply along a chain of calls to less than is true; the root tempers them.
            let runs = match ran {
                Some(_) => 1.0,
                None => likely.of(u.body).sqrt(),
            };
            let is_own = || {
                let own = Some(program.body_owner(u.body));
                let mut around = std::iter::successors(own, |t| program.enclosing_type(*t));
                around.any(|t| about.contains(&t))
            };
            if !about.is_empty() && is_own() {
                own_class.extend(graph.vertex_of[unit].iter().copied());
            }
            for (c, &v) in u.chains.candidates.iter().zip(&graph.vertex_of[unit]) {
                let has_run = ran.is_none_or(|ran| ran(u.body, c.value));
                let is_told =
                    || rapid_types.has_mocks() && is_from_mock(workspace, &rapid_types, u, c);
                if has_run
                    && !is_told()
                    && (!switches.known_values || !is_known(program, &graph, u.body, c, v))
                {
                    weights[v as usize] = 1.0;
                    likely_run[v as usize] = runs;
                }
            }
        }

        let mut options: Vec<(u32, usize)> = of_tied
            .iter()
            .map(|&(q, p)| (graph.vertex_of_point[q], p))
            .collect();
        for (p, point) in points.iter().enumerate() {
            if let (None, Some(c), Some(&unit)) =
                (&point.reads, point.candidate, unit_of.get(&point.body))
            {
                options.push((graph.vertex_of[unit.ix()][c as usize], p));
            }
        }
        options.sort_unstable();
        let by_name = mocked_by_name(program, runs);
        let has_mocks = rapid_types.has_mocks();
        let walk = PassedThrough::new(workspace, &rapid_types, known.purity(), by_name);
        let echo = |point: &Point| {
            let scene = scenes.iter().find(|s| s.id == point.body)?;
            let given = scene.given_by(point);
            let local = match point.root {
                Root::Local(id, local) if id == point.body && !point.dropped => Some(local),
                _ => None,
            };
            let query = match point.reads {
                _ if point.depth == 0 || point.dropped => None,
                Some(Reads::Method(m)) if point.depth == 1 && local.is_some() => Some(m),
                _ => return None,
            };
            walk.echo(point.body, &given, local, query)
        };
        let echoes = points.iter().map(echo).collect();
        Ground {
            workspace,
            known,
            asserted: graph.vertex_of_point[first_asserted..].to_vec(),
            graph,
            units,
            scenes,
            points,
            options,
            weights,
            likely_run,
            own_class,
            own_classes,
            echoes,
            has_mocks,
            is_recorded: ran.is_some(),
        }
    }

    pub(crate) fn observations(&self) -> FxHashMap<u32, Observation> {
        self.options
            .iter()
            .map(|&(v, p)| (v, self.points[p].observation.clone()))
            .collect()
    }

    pub(crate) fn asks(&self) -> FxHashMap<u32, Ask> {
        let asks = self.options.iter();
        asks.map(|&(v, p)| (v, self.points[p].ask.clone()))
            .collect()
    }

    /// The candidates whose values assertions read: variables in their arguments, and what calls in them return.
    pub(crate) fn asserted_candidates(&self) -> Vec<u32> {
        let psg = &self.graph.psg;
        let asserted = self.asserted.iter().flat_map(|&v| psg.outgoing(v));
        let mut read: Vec<u32> = asserted.map(|e| e.to).collect();
        read.sort_unstable();
        read.dedup();
        read
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

/// True for a value that nobody needs to observe: a loop's counter, a constant, what code does that nobody wrote, a parameter
/// that is given nothing but literals.
fn is_known(program: &Program, graph: &Assembled, body: BodyId, c: &Candidate, v: u32) -> bool {
    let known = matches!(
        quiet(program, body, c),
        Some(Quiet::Counter | Quiet::Constant | Quiet::Logger | Quiet::Added)
    );
    let literal = || c.kind == VariableKind::Parameter && graph.psg.outgoing(v).next().is_none();
    known || literal()
}
