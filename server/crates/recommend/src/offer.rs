//! Both lists of a test.

use crate::doubt::{Cue, Doubt, Worth};
use crate::features::Features;
use crate::hold_out::Learned;
use crate::observation_points::{Finder, Observation, Point, Scene};
use crate::statistics::Ask;
use crate::weights::{ELSEWHERE, LEAST_GAIN, LOOKED_AT, SURELY_RUN};
use crate::{Known, Switches, computed};
use calls::{Ran, RapidTypes, Technique, Unit, UnitId, Workspace, class_under_test};
use chains::Candidate;
use flow::{Body, CallId, Callee, ExprId, ExprKind, VariableKind};
use observe::{
    Assembled, Node, ObservationPoint, Quiet, Ranked, Reads, SelectOptions, Settings, assemble,
    places, quiet, select, table,
};
use oracle::{TestKind, TestRun};
use program::{BodyId, MethodId, Program, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::cell::Cell;

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
    /// What the test could read, best first; the best that no doubt concerns before all else. With those that no surface shows,
    /// see [`Offer::shown`].
    pub readable: Vec<Ranked>,
    /// The vertices of that list that are worth a word.
    pub(crate) shown: FxHashSet<u32>,
    /// Which vertices come first, and why, see [`Offer::is_worth`].
    pub(crate) worth: FxHashMap<u32, Worth>,
    /// Those of them that do only since the test asserts nothing, see [`Offer::rests_on_silence`].
    pub(crate) of_silence: FxHashSet<u32>,
    /// By vertex of the readable list, what shows that the test wants it, or why it may not be worth a look.
    pub judged: FxHashMap<u32, Result<Cue, Doubt>>,
    /// By vertex of what could be in the readable list, what the model is asked with.
    pub features: FxHashMap<u32, Features>,
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

impl Offer {
    /// What of the readable list is worth a word, best first: what adds to what assertions tell, as far as the graph follows,
    /// and what people ask or values like it told faults by, where it does not.
    pub fn shown(&self) -> impl Iterator<Item = &Ranked> {
        let all = self.readable.iter();
        all.filter(|r| self.shown.contains(&r.vertex))
    }

    /// True for what looks worth an assertion; the rest of the list is what could be read besides.
    pub fn is_worth(&self, vertex: u32) -> bool {
        self.worth.get(&vertex) == Some(&Worth::Told)
    }

    /// True for what looks worth an assertion only since the test asserts nothing, as far as its own body tells.
    pub fn rests_on_silence(&self, vertex: u32) -> bool {
        self.of_silence.contains(&vertex)
    }

    /// Why a value of the readable list may not be worth a look; nothing if the list is sure of it.
    pub fn doubt(&self, vertex: u32) -> Option<Doubt> {
        self.judged.get(&vertex)?.err()
    }
}

/// Computes the offer for tests (one, or several whose union is the scope). The observation points are those of all of
/// them.
pub fn offer(
    workspace: &Workspace,
    known: &Known,
    runs: &[TestRun],
    settings: &Settings,
    switches: &Switches,
) -> Offer {
    offer_over(workspace, known, runs, settings, switches, None)
}

/// The same, of the code that ran, where that is known: what did not is neither followed nor worth anything.
pub fn offer_over(
    workspace: &Workspace,
    known: &Known,
    runs: &[TestRun],
    settings: &Settings,
    switches: &Switches,
    ran: Option<&Ran<'_>>,
) -> Offer {
    let ground = Ground::new(workspace, known, runs, switches, None, ran);
    let list = ground.readable(settings, switches);
    let (inside, inside_sure) = ground.inside(settings, switches);
    let mut points: Vec<u32> = ground.options.iter().map(|o| o.0).collect();
    points.sort_unstable();
    points.dedup();
    Offer {
        observations: ground.observations(),
        asks: ground.asks(),
        readable: list.ranked,
        shown: list.shown,
        worth: list.worth,
        of_silence: list.of_silence,
        judged: list.judged,
        features: list.features,
        inside_sure,
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
    known: &Known,
    test: MethodId,
    settings: &Settings,
    switches: &Switches,
    hidden: CallId,
    learned: Learned,
) -> Hidden {
    let ground = Ground::new(
        workspace,
        known,
        &[workspace.own_run(test)],
        switches,
        Some((hidden, learned)),
        None,
    );
    let list = ground.readable(settings, switches);
    let by_vertex = ground.observations();
    let shown = list.ranked.iter();
    let readable = shown
        .filter(|r| list.shown.contains(&r.vertex))
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
    /// Best first, as surfaces show it.
    pub readable: Vec<Observation>,
    /// All that could have been offered, in the order in which they were found, and whether an assertion checks it
    /// already.
    pub points: Vec<(Observation, bool)>,
}

/// Everything that both lists rest on.
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
    own_class: FxHashSet<u32>,
}

impl<'a> Ground<'a> {
    fn new(
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
        let mut reach = RapidTypes::new(workspace, Technique::RapidTypes, runs, &followed);
        let roots = runs.iter().flat_map(|r| workspace.test_roots(*r));
        reach.run(roots);
        let called = reach.called().clone();
        let likely = reach.probabilities(runs.iter().flat_map(|r| shares(workspace, *r)));
        is_of_test.set(false);
        let mut finder = Finder::new(workspace, known, switches);
        let points: Vec<Point> = scenes.iter().flat_map(|s| finder.find(s)).collect();
        let needed = reach.run(finder.needed);
        let units = workspace.units_of(needed);
        let unit_of: FxHashMap<BodyId, UnitId> = units
            .iter()
            .enumerate()
            .map(|(i, u)| (u.body, UnitId(i as u32)))
            .collect();

        let mut tied: Vec<ObservationPoint> = Vec::new();
        let mut of_tied: Vec<(usize, usize)> = Vec::new();
        for (p, point) in points.iter().enumerate() {
            if let (Some(&unit), Some(reads)) = (unit_of.get(&point.body), point.reads.clone()) {
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
                if has_run && (!switches.known_values || !is_known(program, &graph, u.body, c, v)) {
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
                let unit = &self.units[unit.ix()];
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
                let body = self.units[unit.ix()].body;
                makes_exception(self.workspace.program(), body)
            }
            Node::Point(_) => false,
        }
    }

    /// What only an inner oracle can check, best first; and those of it which a lens may name. Of the first few one of the class
    /// under test that a lens may name comes before the others.
    fn inside(&self, settings: &Settings, switches: &Switches) -> (Vec<Ranked>, FxHashSet<u32>) {
        let program = self.workspace.program();
        let seen = read_whole(
            &self.graph,
            self.options
                .iter()
                .map(|o| o.0)
                .chain(self.asserted.iter().copied()),
        );
        let expects = self.scenes.iter().any(Scene::expects_exception);
        let narrow = table(self.workspace, &self.graph, settings.lambda, false);
        let eligible = |v: u32| {
            self.weights[v as usize] > 0.0
                && !seen.contains(&v)
                && is_insightful(program, &self.units, self.graph.nodes[v as usize])
                && (expects || !self.is_exceptional(v))
        };
        let is_told = switches.own_class_first && !self.own_class.is_empty();
        let likely = |v: usize| match switches.likely_first {
            true => self.likely_run[v],
            false => 1.0,
        };
        let preference = (0..self.likely_run.len()).map(|v| {
            let is_elsewhere = is_told && !self.own_class.contains(&(v as u32));
            likely(v) * if is_elsewhere { ELSEWHERE } else { 1.0 }
        });
        let preference: Vec<f64> = preference.collect();
        let picks = select(
            &narrow,
            &SelectOptions {
                // A shorter list is the beginning of a longer one.
                most: settings.top.max(LOOKED_AT),
                least: LEAST_GAIN,
                fp: settings.fp,
                eligible: &eligible,
                preselected: &self.asserted,
                weights: Some(&self.weights),
                preference: Some(&preference),
            },
        );
        let mut places = places(&narrow, &picks);
        let sure = self.inside_sure(&places);
        let may_be_named =
            |r: &Ranked| sure.contains(&r.vertex) && self.own_class.contains(&r.vertex);
        let named = places.iter().take(LOOKED_AT).position(may_be_named);
        if let Some(named) = named.filter(|_| is_told) {
            places[..=named].rotate_right(1);
        }
        places.truncate(settings.top);
        for r in &mut places {
            r.stands_for
                .retain(|s| self.weights[s.vertex as usize] > 0.0);
        }
        (places, sure)
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
fn is_known(program: &Program, graph: &Assembled, body: BodyId, c: &Candidate, v: u32) -> bool {
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
    let u = &units[unit.ix()];
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

#[cfg(test)]
mod tests;
