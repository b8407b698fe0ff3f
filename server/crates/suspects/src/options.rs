//! Who teaches, when a call is looked at, and how the steps are done.

use evidence::Calls;

/// How the steps are done.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How similar what had run must be to what a hand-written test had run, in [0, 1]; none for no filter.
    pub similarity: Option<f64>,
    /// How a constraint is learnt and believed.
    pub learning: invariants::Options,
    /// The steps that are left out.
    pub without: Vec<Step>,
    /// Those that are taken though they are not as a rule.
    pub with: Vec<Step>,
}

/// What can be left out, or is taken only if asked for: all but [`Step::Flow`] is beyond the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// What is strange reaches the assertions to which its value goes, and not all that stand behind it.
    Flow,
    /// What is strange of one field of an object reaches what reads that field, and not whatever asks the object.
    Fields,
    /// Whether two objects hold the same is a variable, too.
    Alike,
    /// Of a method that the class's own tests hardly call all tests teach that call it.
    Callers,
    /// Of a method that no test calls its overloads teach how what it returns is related to what it is given.
    Overloads,
    /// What a call made of values beyond those that hand-written tests give says little.
    Inputs,
    /// What is worth a look unasked, hand-written tests say too that are left out: by what they break of what the others teach.
    LeftOut,
    /// What one call broke counts once: by how credible the constraint is, and how rarely calls break it.
    Weights,
    /// The order is that by the weights and that by the paper's sum in one.
    Fused,
    /// Of these weights: how credible a constraint is, by how many saw it hold and how many like it were tried.
    Credible,
    /// How rarely calls of generated tests break it.
    Rare,
    /// Whether it is the call's own doing, and not what its test gave it.
    Own,
    /// How similar what had run is to what hand-written tests had run.
    Similar,
    /// The further a strange value goes to an assertion, the less it counts.
    Distance,
    /// What holds of the receiver whenever any method returns is asked of each.
    Objects,
}

impl Step {
    /// True if it is taken unless somebody leaves it out.
    pub(crate) fn is_usual(self) -> bool {
        !matches!(self, Step::Distance | Step::Objects)
    }
}

/// A hand-written test.
#[derive(Clone, Copy, Debug)]
pub struct Teacher<'a> {
    /// What it called.
    pub calls: &'a Calls,
    /// It is a test of the class itself.
    pub is_own: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            similarity: Some(0.75),
            learning: invariants::Options::for_checking(),
            without: Vec::new(),
            with: Vec::new(),
        }
    }
}

impl Options {
    /// True if a step is taken.
    pub fn has(&self, step: Step) -> bool {
        match step.is_usual() {
            true => !self.without.contains(&step),
            false => self.with.contains(&step),
        }
    }
}

/// When in a call something was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// When it began.
    Entry,
    /// When it returned.
    Exit,
}
