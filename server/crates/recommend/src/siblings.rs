//! What the other tests of a file assert after the same call.
//!
//! That four of five tests which call `parse()` look at `getType()` says that the fifth forgot it, and says it in words
//! that everybody who works there understands. Nothing else in a test's text says so much about what it is worth.

use crate::Known;
use crate::statistics::Ask;
use calls::Workspace;
use oracle::TestKind;
use program::{BodyId, MethodId};

/// Of the other tests of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Siblings {
    /// How many make the same call and assert something.
    pub calling: u32,
    /// How many of these assert the same of an object of that type.
    pub asking: u32,
}

/// How many must assert it, and which part of those that make the call.
const LEAST_ASKING: u32 = 2;
const MOST: (u32, u32) = (3, 4);

impl Siblings {
    /// Those of a test that call `act` themselves. Cost: linear in the calls of the file's tests.
    pub(super) fn of(
        workspace: &Workspace,
        known: &Known,
        test: BodyId,
        act: MethodId,
        ask: &Ask,
    ) -> Siblings {
        let program = workspace.program();
        let mut out = Siblings::default();
        let Some(file) = program.body_file(test) else {
            return out;
        };
        let is_test = |b: BodyId| {
            let method = program.body_method(b);
            method.is_some_and(|m| workspace.suite().kind(m) == Some(TestKind::Test))
        };
        for (body, asks) in known.statistics().asked_in(file) {
            let calls = || workspace.chains(body).into_iter().flat_map(|c| &c.calls);
            if body == test
                || asks.is_empty()
                || !is_test(body)
                || !calls().any(|c| c.target == act)
            {
                continue;
            }
            out.calling += 1;
            out.asking += u32::from(asks.contains(ask));
        }
        out
    }

    /// True if so many ask that it is what people here look at after that call.
    pub(super) fn agree(self) -> bool {
        self.asking >= LEAST_ASKING && self.asking * MOST.1 >= self.calling * MOST.0
    }
}
