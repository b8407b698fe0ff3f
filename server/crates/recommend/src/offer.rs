//! Both lists of a test.

use crate::doubt::{Cue, Doubt, Worth};
use crate::features::Features;
use crate::ground::Ground;
use crate::hold_out::Learned;
use crate::observation_points::Observation;
use crate::statistics::Ask;
use crate::{Known, Switches};
use calls::{Ran, Unit, Workspace};
use flow::CallId;
use observe::{Assembled, Ranked, Settings};
use oracle::TestRun;
use program::{BodyId, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// What the test could read, best first; the best that no doubt concerns before all else. With those that no surface
    /// shows, see [`Offer::shown`].
    pub readable: Vec<Ranked>,
    /// The vertices of that list that are worth a word.
    pub(crate) shown: FxHashSet<u32>,
    /// Which vertices come first, and why, see [`Offer::is_worth`].
    pub(crate) worth: FxHashMap<u32, Worth>,
    /// Those of them that do only since the test asserts nothing, see [`Offer::rests_on_silence`].
    pub(crate) of_silence: FxHashSet<u32>,
    /// By vertex of that list, the offset in its file behind the last call that gave or changed its object, as far as one
    /// is known.
    pub touched: FxHashMap<u32, u32>,
    /// By vertex of the readable list, what shows that the test wants it, or why it may not be worth a look.
    pub judged: FxHashMap<u32, Result<Cue, Doubt>>,
    /// By vertex of what could be in the readable list, what the model is asked with.
    pub features: FxHashMap<u32, Features>,
    /// What only an inner oracle can check, best first.
    pub inside: Vec<Ranked>,
    /// The vertices of that list which look worth a check in the code.
    pub inside_worth: FxHashSet<u32>,
    /// The candidates that its assertions read already, by position.
    pub read: Vec<u32>,
    /// All observation points that could have been offered, in order of position (baselines start from these).
    pub points: Vec<u32>,
}

impl Offer {
    /// What of the readable list is worth a word, best first: what adds to what assertions tell, as far as the graph
    /// follows, and what people ask or values like it told faults by, where it does not.
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

/// What is known of tests besides their code.
#[derive(Clone, Copy)]
pub struct Besides<'a> {
    /// What ran, where that is known: what did not is neither followed nor worth anything.
    pub ran: Option<&'a Ran<'a>>,
    /// True for a candidate, by its body and position, that one of the tests has at hand. No list inside has it, and what
    /// it covers is left to others. Asked of the few that would be listed.
    pub is_at_hand: &'a dyn Fn(BodyId, u32) -> bool,
    /// True for a candidate of which somebody said that nobody is to be told. Lists have it and say so, and it takes no place
    /// of others.
    pub is_dismissed: &'a dyn Fn(BodyId, u32) -> bool,
    /// The same of what a test could read: the body, what is read there, and what that asks.
    pub is_dismissed_query: &'a dyn Fn(BodyId, &Observation, &Ask) -> bool,
}

impl Default for Besides<'_> {
    fn default() -> Self {
        Besides {
            ran: None,
            is_at_hand: &|_, _| false,
            is_dismissed: &|_, _| false,
            is_dismissed_query: &|_, _, _| false,
        }
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
    offer_beside(
        workspace,
        known,
        runs,
        settings,
        switches,
        Besides::default(),
    )
}

/// The same, with what else is known.
pub fn offer_beside(
    workspace: &Workspace,
    known: &Known,
    runs: &[TestRun],
    settings: &Settings,
    switches: &Switches,
    besides: Besides<'_>,
) -> Offer {
    let ground = Ground::new(workspace, known, runs, switches, None, besides.ran);
    let list = ground.readable(settings, switches, besides);
    let (inside, inside_worth) = ground.inside(settings, switches, besides);
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
        touched: list.touched,
        judged: list.judged,
        features: list.features,
        inside_worth,
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
    let list = ground.readable(settings, switches, Besides::default());
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

#[cfg(test)]
mod tests;
