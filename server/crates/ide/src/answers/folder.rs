//! Where somebody begins who does not know a project: the methods of which tests check least, each by one value, and the
//! test that comes nearest.

use super::{CheckedValues, NearestTest, RankedValue};
use crate::Analysis;
use calls::{Ran, Unit};
use chains::Candidate;
use flow::VariableKind;
use observe::{Node, Ranking, Settings, Wish, rank_over};
use program::{BodyId, MethodId, TypeId};
use recommend::{CALL_BETWEEN, CheckedCoverage, NO_TEST_COMES, Nearest, is_of_first_look};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use std::cell::RefCell;
use text::Encoding;

/// What is known of the code below a folder.
pub(super) struct Folder<'a> {
    analysis: &'a Analysis,
    coverage: CheckedCoverage<'a>,
}

impl<'a> Folder<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Folder<'a> {
        Folder {
            analysis,
            coverage: CheckedCoverage::new(analysis.workspace()),
        }
    }

    /// What code computes and no assertion reads, one value a method; what tests call, and check least of, first. Where they
    /// may read all of it, all of it.
    pub(super) fn least_checked(
        &self,
        units: &[Unit],
        settings: &Settings,
        ran: Option<&Ran<'_>>,
    ) -> Ranking {
        let unread = self.computed(units, settings, ran, true);
        match unread.ranking.is_empty() {
            true => self.computed(units, settings, ran, false),
            false => unread,
        }
    }

    fn computed(
        &self,
        units: &[Unit],
        settings: &Settings,
        ran: Option<&Ran<'_>>,
        unread: bool,
    ) -> Ranking {
        let workspace = self.analysis.workspace();
        let told: RefCell<FxHashSet<BodyId>> = RefCell::default();
        // `sql` in each method of a class is told once.
        let named: RefCell<FxHashSet<(TypeId, SmolStr)>> = RefCell::default();
        let name = |unit: &Unit, c: &Candidate| {
            let is_named = c.kind != VariableKind::Return;
            let owner = workspace.program().body_owner(unit.body);
            is_named.then(|| (owner, c.variable.clone()))
        };
        let wanted = |unit: &Unit, c: &Candidate| {
            !told.borrow().contains(&unit.body)
                && name(unit, c).is_none_or(|n| !named.borrow().contains(&n))
                && (!unread || !self.coverage.is_read(unit, c))
                && is_of_first_look(workspace, unit, c)
                && self.coverage.nearest(unit.body) != Nearest::Unknown
                && {
                    named.borrow_mut().extend(name(unit, c));
                    told.borrow_mut().insert(unit.body)
                }
        };
        let prefers = |unit: &Unit| match unread {
            true => self.prefers(unit.body),
            false => 1.0,
        };
        let wish = Wish {
            wanted: &wanted,
            prefers: &prefers,
        };
        rank_over(workspace, units, settings, ran, wish)
    }

    fn prefers(&self, body: BodyId) -> f64 {
        let (read, all) = self.coverage.read_of(body);
        let unread = 1.0 - f64::from(read) / f64::from(all.max(1));
        let near = match self.coverage.calls_away(body) {
            Some(calls) => 1.0 / (1.0 + CALL_BETWEEN * f64::from(calls.saturating_sub(1))),
            None => NO_TEST_COMES,
        };
        unread * near
    }

    /// Says of the places of a ranking what tests check of their methods, and which test is the nearest.
    pub(super) fn tell(&self, units: &[Unit], ranking: &Ranking, places: &mut [RankedValue]) {
        for place in places {
            let node = ranking.graph.nodes.get(place.candidate.id as usize);
            let Some(&Node::Real { unit, candidate }) = node else {
                continue;
            };
            let unit = &units[unit.ix()];
            let (read, values) = self.coverage.read_of(unit.body);
            let c = &unit.chains.candidates[candidate as usize];
            place.checked = Some(CheckedValues {
                values,
                read,
                this: self.coverage.is_read(unit, c),
            });
            place.nearest_test = match self.coverage.nearest(unit.body) {
                Nearest::Test(test, calls) => self.test(test, calls).map(Some),
                Nearest::Nobody => Some(None),
                Nearest::Unknown => None,
            };
        }
    }

    fn test(&self, test: MethodId, calls: u32) -> Option<NearestTest> {
        let program = self.analysis.program();
        let body = program.method_body(test)?;
        let file = program.body_file(body)?;
        let lines = self.analysis.lines(file);
        let at = lines.position(program.method_decl(test)?.name_span.start, Encoding::Utf16);
        Some(NearestTest {
            test: program.method_name(test),
            path: program.path(file)?.to_string(),
            line: at.line + 1,
            calls,
        })
    }
}
