//! Whether a lens could name a value of a test at all: what the test alone says, without the graph of what it runs.
//!
//! Most reasons to doubt a value stand in the test itself, and most tests have no value without one. Looking for these
//! costs a tenth of an offer, which is what keeps the lenses of a large class fast.

use super::doubt::Judge;
use super::observation_points::{Finder, Scene};
use crate::Known;
use crate::Switches;
use calls::Workspace;
use program::{BodyId, MethodId};

/// What a test alone says.
#[derive(Clone, Debug, Default)]
pub struct Hope {
    /// False if the readable list of the test has nothing that is sure; true says nothing.
    pub may_be_sure: bool,
    /// The bodies that this rests on, in order: the test's code, its set-up and their helpers.
    pub bodies: Vec<BodyId>,
    /// It rests on what the other tests of its file assert as well, to the letter; so does the list.
    pub rests_on_siblings: bool,
}

/// Looks at one test.
pub fn hope(workspace: &Workspace, known: &Known, test: MethodId, switches: &Switches) -> Hope {
    let mut bodies = workspace.test_code(workspace.own_run(test));
    bodies.sort_unstable();
    let own = workspace.program().method_body(test);
    let scene = own.and_then(|body| Scene::new(workspace, known.purity(), body, None));
    let mut out = Hope {
        bodies,
        ..Hope::default()
    };
    if let Some(scene) = scene {
        let mut finder = Finder::new(workspace, known, switches);
        let points = finder.find(&scene);
        let judge = Judge::new(workspace, known, &scene, &points.iter().collect::<Vec<_>>());
        out.may_be_sure = points.iter().any(|p| judge.may_be_sure(p));
        out.rests_on_siblings = points.iter().any(|p| judge.rests_on_siblings(p));
    }
    out
}
