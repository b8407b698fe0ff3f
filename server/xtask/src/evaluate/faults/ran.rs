//! The same lists over what ran, as `--use-runs` makes them: of a recording of a copy, by the project's own build.
//!
//! Both ways are asked in the tests that were recorded with this code, and of the same matrix: no run is made for it but the
//! recording. Where one is kept beside the matrix (`--keep`), that is taken.

use calls::Technique;
use evidence::Facts;
use ide::Analysis;
use ide::inner::{CandidateId, candidate_at, seen_inside};
use ide::weave::Slot;
use observe::{Fp, Settings, Strategy, Wish, rank_over};
use program::MethodId;
use std::path::Path;
use std::sync::Arc;

use super::lists::{Ground, Own, PLACES};
use super::rivals::{SELECTED, candidate};
use crate::Result;
use crate::evaluate::recorded::place::{By, facts};

/// What the name of a list over what ran ends with. What stands before is the list that it is compared with.
pub(super) const OVER: &str = ", over what ran";

/// One project, recorded.
pub(super) struct Recorded {
    /// What is offered where a recording is there.
    kept: Analysis,
    /// The same over what ran.
    over: Analysis,
}

/// A list of a test: its name, and its values in order.
type List = (String, Vec<Option<u32>>);

impl Recorded {
    /// Records a copy of the project, if `folder` has none yet.
    pub(super) fn new(
        analysis: &Analysis,
        project: &Path,
        folder: &Path,
        by: &By,
    ) -> Result<Recorded> {
        let copy = folder.join("recorded");
        if !copy.is_dir() {
            let build = by.copied(project, &copy)?;
            by.record(&build)?;
        }
        Ok(Recorded::of(analysis, facts(&copy)?))
    }

    fn of(analysis: &Analysis, facts: Arc<Facts>) -> Recorded {
        // A list is as long here as that which it is compared with.
        let settings = Settings {
            top: PLACES,
            ..*analysis.settings()
        };
        let kept = analysis.with_settings(settings).with_facts(facts);
        let over = kept.over_runs();
        Recorded { kept, over }
    }

    /// True if it is known what a test ran, with this code.
    pub(super) fn knows(&self, test: MethodId) -> bool {
        let own = [self.over.workspace().own_run(test)];
        self.over.lines_of(Some(&own)).is_some()
    }

    /// The lists of a test over what it ran, each behind that which it is compared with, unless the ground has that anyway.
    pub(super) fn rows(&self, ground: &Ground<'_>, test: MethodId, slots: &[&Slot]) -> Vec<List> {
        let own = Own::new(slots);
        let mut out = Vec::new();
        let found = self.over.offer(&[self.over.workspace().own_run(test)]);
        let named = found.shown();
        let named = named.filter_map(|r| found.observations.get(&r.vertex));
        let named = named.map(|at| own.asked(&self.over, test, at));
        out.push((format!("readable{OVER}"), named.collect()));
        let inside = |analysis: &Analysis| {
            let offered = analysis.offered(test);
            let slot_of = |i: &ide::Inside| {
                let seen = seen_inside(analysis, candidate_at(analysis, i.place)?)?;
                ground.inside.get(&seen).copied()
            };
            offered.inside.iter().map(slot_of).collect()
        };
        out.push(("inside, where recorded".to_owned(), inside(&self.kept)));
        let over = inside(&self.over);
        out.push((format!("inside, where recorded{OVER}"), over));
        for (name, settings) in settings() {
            for (end, analysis) in [("", &self.kept), (OVER, &self.over)] {
                let ranked = ranked(ground, analysis, test, &settings, &own);
                out.push((format!("{name}{end}"), ranked));
            }
        }
        out
    }
}

/// The paper's ranking with both its kinds of λ, and Dodona.
fn settings() -> [(&'static str, Settings); 3] {
    let sods = |lambda| Settings {
        lambda,
        lambda_readable: lambda,
        fp: Fp::Differentiated,
        top: SELECTED,
        ..Settings::default()
    };
    let dodona = Settings {
        strategy: Strategy::PageRank,
        ..sods(0.0)
    };
    [
        ("SODS of what a test reaches, λ 0, fp d", sods(0.0)),
        ("SODS of what a test reaches, λ 1, fp d", sods(1.0)),
        ("Dodona (PageRank)", dodona),
    ]
}

/// The ranking of all that a test reaches, of what could be asked of it.
fn ranked(
    ground: &Ground<'_>,
    analysis: &Analysis,
    test: MethodId,
    settings: &Settings,
    own: &Own<'_>,
) -> Vec<Option<u32>> {
    let workspace = analysis.workspace();
    let runs = [workspace.own_run(test)];
    analysis.executed(Some(&runs), |ran| {
        let reached = workspace.reached_by(&runs, Technique::RapidTypes);
        let mut units = workspace.units_of(&reached);
        units.retain(|u| ran.is_none_or(|ran| ran(u.body, None)));
        let ranking = rank_over(workspace, &units, settings, ran, Wish::ALL);
        let slot = |id: CandidateId| match workspace.program().method_body(test) == Some(id.body) {
            true => own.definition(analysis, id),
            false => ground.inside.get(&seen_inside(analysis, id)?).copied(),
        };
        let places = ranking.ranking.iter();
        let places = places.filter_map(|r| candidate(&ranking.graph, &units, r.vertex));
        places.filter_map(slot).map(Some).take(PLACES).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::super::kept::tests::analysis;
    use super::super::lists::Lists;
    use super::*;
    use evidence::{PackedLines, Ran, RanBy};
    use ide::checked::Places;
    use ide::weave::About;
    use std::collections::{BTreeMap, HashMap};
    use text::LineSet;

    const TANK: &str = "//- /src/main/java/a/Tank.java
package a;
public class Tank {
    private int level;
    public int add(int by) {
        if (by < 0) {
            int less = -by;
            level -= less;
        } else {
            int more = by * 2;
            level += more;
        }
        return level;
    }
}
//- /src/test/java/a/TankTest.java
package a;
class TankTest {
    @org.junit.Test public void adds() { Tank tank = new Tank(); int by = 2; int added = tank.add(by); }
}
";

    /// What was recorded of the test: that these lines ran.
    fn recorded(analysis: &Analysis, test: MethodId, lines: &[u32]) -> Recorded {
        let places = Places::new(analysis.program());
        let kept = |lines: &[u32]| {
            let lines: LineSet = lines.iter().copied().collect();
            places.keep([("a.Tank", &lines)].into_iter())
        };
        let mut ran = Ran::default();
        let by = RanBy {
            key: analysis.key(test),
            lines: PackedLines::pack(&kept(lines)).expect("packed"),
        };
        let name = analysis.program().method_name(test);
        ran.tests.insert(name.into(), by);
        for (member, at) in kept(&[5, 6, 7, 9, 10, 12]) {
            let own = PackedLines::pack(&vec![("".into(), at)]).expect("packed");
            ran.code.insert(member, own);
        }
        Recorded::of(analysis, Arc::new(Facts::default().with_ran(ran)))
    }

    /// The lists that only rest on what ran have no value of a line that did not; where all ran, each is what it was.
    #[test]
    fn what_did_not_run_is_in_no_list_over_what_ran() {
        let analysis = analysis(TANK);
        let test = analysis.workspace().suite().tests()[0];
        let numbered = verdicts::numbered(&analysis, &[test]);
        let slots: Vec<&Slot> = numbered.tests().collect();
        let name = |slot: &Slot| match &slot.about {
            About::Variable(seen) => seen.variable.to_string(),
            About::Query(text) => text.to_string(),
        };
        let names: HashMap<u32, String> = numbered
            .tests()
            .chain(numbered.inside())
            .map(|s| (s.number, name(s)))
            .collect();
        let inside = numbered.inside().filter_map(|s| match &s.about {
            About::Variable(seen) => Some((seen, s.number)),
            About::Query(_) => None,
        });
        let ground = Ground {
            analysis: &analysis,
            inside: inside.collect(),
        };
        let rows = |lines: &[u32]| -> BTreeMap<String, Vec<String>> {
            let recorded = recorded(&analysis, test, lines);
            assert!(recorded.knows(test));
            let own = Lists::of(&ground, test, &slots).rows.into_iter();
            let all = own.chain(recorded.rows(&ground, test, &slots));
            let said = |v: Option<u32>| v.map_or("-".to_owned(), |n| names[&n].clone());
            all.map(|(name, list)| (name, list.into_iter().map(said).collect()))
                .collect()
        };
        let over = |rows: &BTreeMap<String, Vec<String>>, name: &str| {
            (rows[name].clone(), rows[&format!("{name}{OVER}")].clone())
        };
        let sods = "SODS of what a test reaches, λ 0, fp d";
        let has = |list: &[String], local: &str| list.iter().any(|n| n.ends_with(local));
        let some = rows(&[5, 9, 10, 12]);
        let (without, with) = over(&some, sods);
        assert!(
            has(&without, " less") && has(&without, " more"),
            "{some:#?}"
        );
        assert!(!has(&with, " less") && has(&with, " more"), "{some:#?}");
        assert!(
            !has(&over(&some, "inside, where recorded").1, " less"),
            "{some:#?}"
        );
        let all = rows(&[5, 6, 7, 9, 10, 12]);
        let (without, with) = over(&all, "readable");
        assert!(!without.is_empty() && without == with, "{all:#?}");
        assert!(has(&over(&all, sods).1, " less"), "{all:#?}");
        // What was recorded with other code says nothing.
        let other = analysis.with_facts(Arc::new(Facts::default()));
        assert!(!Recorded::of(&other, Arc::new(Facts::default())).knows(test));
    }
}
