//! The readable list: which points are offered, with what doubt, in which order.

use super::computed::{Made, Makers, is_compound};
use super::defaults::Defaults;
use super::doubt::{COUNTS, Cue, Doubt, Judge, Tells, Worth};
use super::features::{Features, Seen, features};
use super::model;
use super::observation_points::{Point, Scene};
use super::priors::Priors;
use crate::Switches;
use crate::ground::Ground;
use crate::offer::Besides;
use crate::passed_through::Echo;
use crate::same_value::{meaning, with_its_size};
use crate::weights::{
    ADDED, ADDS, LEAST_GAIN, LEAST_ODDS, LIKELY, NEARLY_NONE, SOME, SURELY, USUAL, WORTH,
};
use observe::{
    Capability, Choosable, Node, Order, Ranked, Reads, Row, Settings, StandsFor, capability,
    choose, rest,
};
use oracle::Root;
use program::{BodyId, MethodId, Ty, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::cell::{OnceCell, RefCell};

/// How many bodies of those that a query runs are looked at.
const MOST_ASKED: usize = 200;

/// So many values of one object may look worth an assertion.
const ALIKE: usize = 3;

/// The same where the test asks the object something else, or compares it. Of those that strangers read 3 of 6 were good
/// that were the only ones left, and 1 of 25 others (`docs/evaluation-trust.md`).
const LEFT: usize = 1;

/// What is known of a point when the list is made.
struct Weighed {
    vertex: u32,
    row: Row,
    judged: Result<Cue, Doubt>,
    /// None outside of the tests' own code.
    seen: Option<Seen>,
    /// No list shows it.
    is_said: bool,
    /// It looks worth an assertion, or is what people usually assert.
    is_worth: bool,
    /// And would where the test checked something.
    is_worth_anyway: bool,
    /// It is no more than usual; the same where the test checked something.
    is_usual: bool,
    is_usual_anyway: bool,
    /// Where an act touched its object last, in the file.
    touched: Option<u32>,
}

/// What a value means, and where its object was touched last.
type Means = (BodyId, SmolStr, Option<u32>);

/// What stands in a list by now, of which each value stands there once.
#[derive(Default)]
struct Once {
    known: FxHashMap<Means, Vec<(Ty, bool)>>,
    /// What means the same as one before it.
    repeated: FxHashSet<u32>,
}

impl Once {
    /// True if a value is new: of those that mean one the first is, and one that looks worth an assertion where those before it
    /// do not.
    fn takes(
        &mut self,
        scene: &Scene<'_>,
        (point, vertex): (&Point, u32),
        touched: Option<u32>,
        is_worth: bool,
    ) -> bool {
        let means = meaning(scene, point);
        let has = |m: SmolStr| self.known.contains_key(&(point.body, m, touched));
        let is_counted = !is_worth && with_its_size(&means).into_iter().any(has);
        let same = self.known.entry((point.body, means, touched)).or_default();
        // A library that nobody knows here leaves a type open.
        let is_one = |ty: Ty| ty == point.ty || [ty, point.ty].contains(&Ty::UNKNOWN);
        let is_told = match same.iter_mut().find(|(ty, _)| is_one(*ty)) {
            Some((_, told)) => std::mem::replace(told, *told || is_worth) || !is_worth,
            None => {
                same.push((point.ty, is_worth));
                false
            }
        };
        let is_new = !is_told && !is_counted;
        if !is_new {
            self.repeated.insert(vertex);
        }
        is_new
    }
}

/// What came of the readable list.
pub(super) struct List {
    /// Best first, with those that are not shown.
    pub(super) ranked: Vec<Ranked>,
    /// Those that are.
    pub(super) shown: FxHashSet<u32>,
    /// What looks worth an assertion, or is usual.
    pub(super) worth: FxHashMap<u32, Worth>,
    /// What of it does only since the test asserts nothing.
    pub(super) of_silence: FxHashSet<u32>,
    /// Where an act touched the object last, in the file.
    pub(super) touched: FxHashMap<u32, u32>,
    /// By vertex, what shows that the test wants it, or why it may not be worth a look.
    pub(super) judged: FxHashMap<u32, Result<Cue, Doubt>>,
    /// By vertex, what the model is asked with.
    pub(super) features: FxHashMap<u32, Features>,
}

impl Ground<'_> {
    /// What the test could read.
    pub(super) fn readable(
        &self,
        settings: &Settings,
        switches: &Switches,
        besides: Besides<'_>,
    ) -> List {
        let lambda = settings.lambda_readable;
        let capability = capability(self.workspace, &self.graph, lambda, true);
        let preselected = match switches.read_first {
            true => capability.rows(&self.asserted),
            false => Vec::new(),
        };
        // How much of each vertex no assertion tells on yet.
        let rest = rest(&preselected, self.weights.len(), settings.fp);
        let priors = Priors::new(self, switches);
        let weighed = self.weigh(&capability, &rest, &priors);
        let judged: FxHashMap<u32, Result<Cue, Doubt>> =
            weighed.iter().map(|w| (w.vertex, w.judged)).collect();
        let told = weighed.iter();
        let told = told.filter_map(|w| Some((w.vertex, features(w.seen.as_ref()?))));
        let all: FxHashMap<u32, Features> = told.collect();
        let log: &dyn Fn(f64) -> f64 = if switches.log_gain {
            &|gain| {
                if gain > 1e-9 {
                    ADDS * (1.0 + gain).powf(ADDED)
                } else {
                    1.0
                }
            }
        } else {
            &|gain| gain + SOME
        };
        let hidden = |judged: Result<Cue, Doubt>| judged.is_err_and(Doubt::is_certain);
        let said = |w: &Weighed| switches.worth_first && w.is_said;
        let shown = weighed
            .into_iter()
            .filter(|w| !hidden(w.judged) && !said(w));
        // How likely a developer asks it, and the odds that it tells a fault.
        let mut factors: Vec<[f64; 2]> = Vec::new();
        let mut habitual: Vec<bool> = Vec::new();
        let mut worth: FxHashMap<u32, Worth> = FxHashMap::default();
        let mut of_silence: FxHashSet<u32> = FxHashSet::default();
        let mut touched: FxHashMap<u32, u32> = FxHashMap::default();
        let candidates: Vec<Choosable> = shown
            .map(|w| {
                touched.extend(w.touched.map(|at| (w.vertex, at)));
                // What may not be asked, is asked of what a call gives (`sb.clear()`), or is an object that no assertion is
                // written for, tells nobody.
                let is_none = matches!(
                    w.judged,
                    Err(Doubt::Changes | Doubt::Unknown | Doubt::Unstable)
                ) || w.seen.is_some_and(|s| s.is_of_call || s.is_bare());
                let odds = match is_none {
                    true => 0.0,
                    false => all.get(&w.vertex).map_or(0.0, model::odds_without_gain),
                };
                let worth_of = |is_usual| match is_usual {
                    true => Worth::Usual,
                    false => Worth::Told,
                };
                let is_first = w.is_worth && switches.worth_first;
                let first = match worth_of(w.is_usual) {
                    Worth::Told if is_first => WORTH,
                    Worth::Usual if is_first => USUAL,
                    _ => 1.0,
                };
                let asked = w.seen.map_or(1.0, |seen| priors.factor(&seen));
                factors.push([asked * first, odds * first]);
                if w.is_worth {
                    worth.insert(w.vertex, worth_of(w.is_usual));
                    if !w.is_worth_anyway || w.is_usual_anyway {
                        of_silence.insert(w.vertex);
                    }
                }
                habitual.push(w.seen.is_some_and(|seen| seen.is_habitual()));
                let mut row = w.row.entries;
                row.retain(|&(j, _)| self.weights[j as usize] > 0.0);
                Choosable {
                    vertex: w.vertex,
                    row,
                }
            })
            .collect();
        if switches.sure_first {
            // The best of those that no doubt concerns comes first: it is what a lens names.
            let score = |(at, c): (usize, &Choosable)| {
                let gains = c.row.iter().map(|&(j, foc)| {
                    let j = j as usize;
                    self.weights[j] * foc * rest[j]
                });
                log(gains.sum()) * factors[at][0]
            };
            let sure = candidates.iter().enumerate();
            let sure = sure.filter(|(_, c)| judged[&c.vertex].is_ok());
            // Ties by position.
            let best = sure.rev().max_by(|a, b| score(*a).total_cmp(&score(*b)));
            if let Some(best) = best.map(|b| b.0) {
                factors[best][0] *= SURELY;
            }
        }
        let asked: Order<'_> = &|at, gain| log(gain) * factors[at][0];
        let of_gain = model::of_gain();
        // Where nothing is left that tells, what is asked goes on.
        let telling: Order<'_> =
            &|at, gain| (1.0 + gain).powf(of_gain) * factors[at][1] + asked(at, gain) * NEARLY_NONE;
        // The graph says that it adds something. Or nothing that is followed leads to it, but values like it tell faults,
        // or it is what the suite or this test asks: the text of an object, a query of what side effects changed.
        let is_shown = |at: usize, gain: f64| {
            let may_be = !matches!(
                judged[&candidates[at].vertex],
                Err(Doubt::Unknown | Doubt::Untouched | Doubt::Bare | Doubt::Changes)
            );
            let is_told = || habitual[at] || telling(at, gain) >= LEAST_ODDS;
            let is_written = matches!(judged[&candidates[at].vertex], Ok(Cue::Written | Cue::Kept));
            gain >= LEAST_GAIN || is_written || switches.telling && may_be && is_told()
        };
        let points: FxHashMap<u32, usize> = self.options.iter().copied().collect();
        let is_dismissed = |at: usize| {
            let point = points.get(&candidates[at].vertex).map(|p| &self.points[*p]);
            let asks = |p: &Point| (besides.is_dismissed_query)(p.body, &p.observation, &p.ask);
            point.is_some_and(asks)
        };
        // Each is asked for once, in the order of the list.
        let once = RefCell::new(Once::default());
        let is_new = |at: usize| {
            let vertex = candidates[at].vertex;
            let Some(point) = points.get(&vertex).map(|p| &self.points[*p]) else {
                return true;
            };
            let is_worth = worth.get(&vertex) == Some(&Worth::Told);
            let touched = touched.get(&vertex).copied();
            let scene = self.scenes.iter().find(|s| s.id == point.body);
            scene.is_none_or(|s| {
                once.borrow_mut()
                    .takes(s, (point, vertex), touched, is_worth)
            })
        };
        let counts = |at: usize, gain: f64| is_shown(at, gain) && !is_dismissed(at) && is_new(at);
        let orders = [asked, telling];
        let turns = if switches.telling { 2 } else { 1 };
        let choices = choose(
            &candidates,
            &preselected,
            &self.weights,
            settings.fp,
            settings.top,
            &counts,
            &orders[..turns],
        );
        let repeated = once.into_inner().repeated;
        let shown = choices.iter().filter(|c| is_shown(c.candidate, c.gain));
        let shown = shown.map(|c| candidates[c.candidate].vertex);
        let shown = shown.filter(|v| !repeated.contains(v)).collect();
        let ranked = choices
            .iter()
            .map(|c| {
                let candidate = &candidates[c.candidate];
                let mut stands_for: Vec<StandsFor> = candidate
                    .row
                    .iter()
                    .filter(|&&(j, foc)| j != candidate.vertex && foc > 0.0)
                    .map(|&(vertex, foc)| StandsFor { vertex, foc })
                    .collect();
                stands_for.sort_by(|a, b| b.foc.total_cmp(&a.foc).then(a.vertex.cmp(&b.vertex)));
                Ranked {
                    vertex: candidate.vertex,
                    foc: c.foc,
                    gain: c.gain,
                    stands_for,
                }
            })
            .collect();
        List {
            ranked,
            shown,
            worth,
            of_silence,
            touched,
            judged,
            features: all,
        }
    }

    /// The points that no assertion reads, in order, with what they tell on and the reason to doubt them.
    fn weigh(
        &self,
        capability: &Capability<'_>,
        rest: &[f64],
        priors: &Priors<'_>,
    ) -> Vec<Weighed> {
        let mut points: FxHashMap<BodyId, Vec<&Point>> = FxHashMap::default();
        for point in &self.points {
            points.entry(point.body).or_default().push(point);
        }
        let judges: Vec<Judge> = self
            .scenes
            .iter()
            .map(|s| {
                let points = points.remove(&s.id).unwrap_or_default();
                Judge::new(self.workspace, self.known, s, &points)
            })
            .collect();
        let scene_of: FxHashMap<BodyId, usize> = self
            .scenes
            .iter()
            .enumerate()
            .map(|(at, s)| (s.id, at))
            .collect();
        // Of what an assertion only says that it is there, it does not say what it is.
        let is_open = |point: &Point| {
            let judge = scene_of.get(&point.body).map(|at| &judges[*at]);
            !point.read || judge.is_some_and(|j| j.is_open(point))
        };
        let offered = self.options.iter().filter(|o| is_open(&self.points[o.1]));
        let offered: Vec<(u32, usize)> = offered.copied().collect();
        let vertices: Vec<u32> = offered.iter().map(|o| o.0).collect();
        let rows = capability.rows(&vertices);
        // What is mocked does not run, and what sets objects up tells nothing.
        let program = self.workspace.program();
        let mocked: FxHashSet<TypeId> = judges.iter().flat_map(Judge::mocked).collect();
        let setters: FxHashSet<MethodId> = judges.iter().flat_map(Judge::setters).collect();
        let set_up = |body: BodyId| {
            let of_setter = program
                .body_method(body)
                .is_some_and(|m| setters.contains(&m));
            of_setter || mocked.contains(&program.body_owner(body))
        };
        let is_making = |body: BodyId| {
            let method = program.body_method(body);
            method.is_none_or(|m| program.is_constructor(m))
        };
        let set_up: Vec<bool> = self.units.iter().map(|u| set_up(u.body)).collect();
        let is_likely = |v: usize| self.likely_run[v] >= LIKELY;
        let defaults = Defaults::new(self.workspace, &self.graph, &self.units, is_likely);
        let is_default = |point: &Point| {
            let reads = point.reads.as_ref().filter(|_| point.depth > 0);
            reads.is_some_and(|r| defaults.has(self.workspace, r))
        };
        let run: FxHashSet<BodyId> = self.units.iter().map(|u| u.body).collect();
        let is_of_code = |j: u32| match self.graph.nodes[j as usize] {
            Node::Real { unit, .. } => {
                let file = self
                    .workspace
                    .program()
                    .body_file(self.units[unit.ix()].body);
                file.is_some_and(|f| !self.workspace.program().is_test(f))
            }
            Node::Point(_) => false,
        };
        let mut makers = Makers::new(self.workspace, &self.graph, &self.units);
        // What a query itself computes when it is asked says nothing of what the test did.
        let mut asking: FxHashMap<MethodId, FxHashSet<BodyId>> = FxHashMap::default();
        let mut tells = |judge: &Judge, point: &Point, row: &Row| {
            let changed = judge.is_changed(&point.root);
            let own = match &point.reads {
                Some(Reads::Method(m)) => {
                    Some(&*asking.entry(*m).or_insert_with(|| self.run_by(*m)))
                }
                _ => None,
            };
            let mut tells = Tells::default();
            for &(j, foc) in &row.entries {
                let at = j as usize;
                let Node::Real { unit, .. } = self.graph.nodes[at] else {
                    continue;
                };
                let body = self.units[unit.ix()].body;
                if self.weights[at] <= 0.0
                    || !is_likely(at)
                    || set_up[unit.ix()]
                    || changed && is_making(body)
                    || own.is_some_and(|o| o.contains(&body))
                {
                    continue;
                }
                match makers.of(j) {
                    Made::Passed => {}
                    Made::Computed => {
                        tells.computed += foc * rest[at];
                        tells.with_read += foc;
                    }
                    Made::Unstable => tells.unstable = tells.unstable.max(foc),
                }
            }
            tells
        };
        let places: Vec<usize> = offered.iter().map(|o| o.1).collect();
        let mut out: Vec<Weighed> = offered
            .into_iter()
            .zip(rows)
            .map(|((vertex, point), row)| {
                let of = &self.points[point];
                let judge = scene_of.get(&of.body).map(|at| &judges[*at]);
                let judged =
                    judge.map_or(Err(Doubt::Unknown), |j| j.judged(of, || tells(j, of, &row)));
                // Asked last, since it follows far.
                let is_unsettled = OnceCell::new();
                let is_unsettled = || {
                    *is_unsettled.get_or_init(|| judge.is_some_and(|j| j.is_unsettled(of, &run)))
                };
                let judged = match judged {
                    Err(Doubt::Mock) => judged,
                    _ if self.echoes[point] == Some(Echo::Mock) => Err(Doubt::Mock),
                    Ok(_) if is_unsettled() => Err(Doubt::Unstable),
                    judged => judged,
                };
                let worth = row.entries.iter();
                let worth = worth.map(|&(j, foc)| (j as usize, self.weights[j as usize] * foc));
                let seen = priors.seen(of).map(|seen| Seen {
                    gain: worth.clone().map(|(j, foc)| foc * rest[j]).sum(),
                    behind: worth.filter(|(_, foc)| *foc > 0.0).count(),
                    doubt: judged.err(),
                    ..seen
                });
                let is_asked = seen.is_some_and(|s| s.is_habitual());
                // Of which no code is seen, somebody else gives.
                let is_unseen = || {
                    let is_chosen = judge.is_some_and(|j| {
                        j.is_of_exception(of) || j.is_open_list(of) && j.is_chosen_by_store(of)
                    });
                    let is_left = |&(j, foc): &(u32, f64)| {
                        foc * self.weights[j as usize] > 0.0 && is_of_code(j)
                    };
                    // A plain value of code that is here may be a constant; or what a mock answers, where there are any.
                    let is_here = || {
                        let is_plain =
                            of.depth == 0 && !is_compound(self.workspace.program(), of.ty);
                        is_plain && judge.is_some_and(|j| !j.has_mocks() && j.is_of_code_here(of))
                    };
                    let is_seen = || row.entries.iter().any(is_left) || is_here();
                    of.kept.is_none() && !is_chosen && !is_seen()
                };
                let is_elsewhere = OnceCell::new();
                let is_elsewhere = || {
                    let is = || judge.is_some_and(|j| j.is_decided_elsewhere(of));
                    *is_elsewhere.get_or_init(is)
                };
                // What follows code stands last.
                let is_worth = |checks: bool| {
                    judge.is_none_or(|j| j.is_worth(of, judged, is_asked, checks, &run))
                        && (judged.is_ok() || !is_default(of) && !is_unsettled())
                        && !(checks && !of.dropped && is_unseen())
                        && !is_elsewhere()
                };
                let is_usual = |checks| judge.is_some_and(|j| j.is_usual(of, judged, checks));
                let checks = judge.is_some_and(|j| j.checks());
                let is_worth_now = is_worth(checks);
                Weighed {
                    is_said: judge.is_some_and(|j| j.is_said(of)),
                    is_worth: is_worth_now,
                    is_worth_anyway: is_worth_now && (checks || is_worth(true)),
                    is_usual: is_usual(checks),
                    is_usual_anyway: is_usual(true),
                    touched: judge.and_then(|j| j.touched_at(of)),
                    seen,
                    vertex,
                    row,
                    judged,
                }
            })
            .collect();
        // Of an object with several of them none is worth more than the others.
        let of = |at: usize| {
            let point = &self.points[places[at]];
            (point.depth > 0).then(|| (point.body, point.root.clone()))
        };
        let judge_of = |at: usize| {
            let point = &self.points[places[at]];
            scene_of.get(&point.body).map(|at| &judges[*at])
        };
        // Of what is asserted to be there it is known which it is.
        let is_own: Vec<bool> = out
            .iter()
            .enumerate()
            .map(|(at, w)| {
                let point = &self.points[places[at]];
                w.judged.is_ok() || judge_of(at).is_some_and(|j| j.is_barely_read(point))
            })
            .collect();
        // Of what is told whole nobody is told how much it is, too.
        let told: FxHashSet<(BodyId, Root)> = out
            .iter()
            .enumerate()
            .filter(|(at, w)| w.is_worth && !w.is_usual && of(*at).is_none())
            .map(|(at, _)| {
                let point = &self.points[places[at]];
                (point.body, point.root.clone())
            })
            .collect();
        for (at, w) in out.iter_mut().enumerate() {
            let counts =
                COUNTS.contains(&format!(".{}", self.points[places[at]].ask.query).as_str());
            w.is_usual |= counts && of(at).is_some_and(|object| told.contains(&object));
        }
        let count = |is_one: &dyn Fn(&Weighed) -> bool| {
            let mut alike: FxHashMap<(BodyId, Root), usize> = FxHashMap::default();
            let ones = out.iter().enumerate();
            for (at, _) in ones.filter(|(at, w)| is_one(w) && !w.is_said && !is_own[*at]) {
                if let Some(object) = of(at) {
                    *alike.entry(object).or_default() += 1;
                }
            }
            alike
        };
        let (now, anyway) = (count(&|w| w.is_worth), count(&|w| w.is_worth_anyway));
        for (at, w) in out.iter_mut().enumerate() {
            let point = &self.points[places[at]];
            let judge = judge_of(at);
            let is_looked_at = judge.is_some_and(|j| j.has_looked_at(&point.root));
            // A file that looks at many such objects and never at this has chosen.
            let is_chosen = is_looked_at && judge.is_some_and(|j| j.is_left_by_siblings(point));
            let most = match is_looked_at {
                true if is_chosen => 0,
                true => LEFT,
                false => ALIKE,
            };
            let is_lost = |alike: &FxHashMap<_, usize>| {
                !is_own[at] && of(at).is_some_and(|o| alike.get(&o).is_some_and(|n| *n > most))
            };
            // It counts with its like, and says what the test said.
            let is_echo = self.echoes[places[at]] == Some(Echo::Own);
            w.is_worth &= !is_lost(&now) && !is_echo;
            w.is_worth_anyway &= !is_lost(&anyway) && !is_echo;
            if is_echo && w.judged != Err(Doubt::Throws) {
                w.judged = Err(Doubt::Untouched);
            }
        }
        out
    }

    /// The bodies that asking a query runs.
    fn run_by(&self, query: MethodId) -> FxHashSet<BodyId> {
        let graph = self.workspace.call_graph();
        let roots = graph.targets_of(query).bodies().to_vec();
        let bodies = graph.below(roots, MOST_ASKED, |_| true);
        bodies.into_iter().collect()
    }
}
