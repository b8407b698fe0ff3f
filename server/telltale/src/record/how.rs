//! What is different between the runs of a recording.

/// See the module's description.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    /// It tells which lines ran.
    pub(super) covers: bool,
    /// Whether tests are asked what they could read.
    pub(super) asks: Asks,
    /// Time zone, locale and order of hashes are others.
    pub(super) is_varied: bool,
    /// In a few words.
    pub(super) what: &'static str,
}

impl How {
    /// As the tests are.
    pub(super) const PLAIN: How = How {
        covers: true,
        asks: Asks::Not,
        is_varied: false,
        what: "Running the tests",
    };
    /// They are looked at, and nothing is asked.
    pub(super) const LOOKING: How = How {
        covers: false,
        asks: Asks::Not,
        is_varied: false,
        what: "Recording",
    };
    pub(super) const VARIED: How = How {
        covers: false,
        asks: Asks::InOrder,
        is_varied: true,
        what: "Recording again",
    };
    pub(super) const AGAIN: How = How {
        covers: false,
        asks: Asks::Backwards,
        is_varied: false,
        what: "Recording what was asked again",
    };
}

/// Whether tests are asked what they could read, and in which order where it is several things at one place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asks {
    Not,
    InOrder,
    Backwards,
}

impl Asks {
    /// The line of a plan for it.
    pub(super) fn limit(self) -> &'static str {
        match self {
            Asks::Not => "limit\tqueries\t0\n",
            Asks::InOrder => "",
            Asks::Backwards => "limit\tbackwards\t1\n",
        }
    }
}
