//! The lists that are compared, for one test, as the numbers of the values that were asked.

use calls::Workspace;
use flow::{Callee, ExprId, ExprKind};
use ide::action::is_said_whole;
use ide::inner::{CandidateId, candidate_at, seen_inside};
use ide::weave::{About, Slot};
use ide::{Analysis, asked_as};
use observe::Settings;
use oracle::Reader;
use program::{CallTarget, MethodId};
use recommend::{Features, Observation, Offer, Switches};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The lists of one test, as slots; a value that nobody could ask for tells nothing.
pub(super) struct Lists {
    /// Name and values in order.
    pub(super) rows: Vec<(String, Vec<Option<u32>>)>,
    /// All that the test could read.
    pub(super) points: Vec<Option<u32>>,
    /// All that was asked, inside too.
    pub(super) all: Vec<u32>,
    /// Values that no assertion is written for.
    pub(super) not_assertable: BTreeSet<u32>,
    /// What the model knows of the values that the list may offer.
    pub(super) features: Vec<(u32, Features)>,
}

/// What the lists of all tests are made of.
pub(super) struct Ground<'a> {
    pub(super) analysis: &'a Analysis,
    /// What is asked inside the code, by its name in the evidence.
    pub(super) inside: HashMap<&'a evidence::Seen, u32>,
}

impl Lists {
    pub(super) fn of(ground: &Ground<'_>, test: MethodId, slots: &[&Slot]) -> Lists {
        let (analysis, inside) = (ground.analysis, &ground.inside);
        let own = Own::new(slots);
        let offered = analysis.offered(test);
        let runs = [analysis.workspace().own_run(test)];
        let found = analysis.offer(&runs);
        let sure = offered.readable.iter().filter(|r| r.doubt.is_none());
        let sure = sure.map(|r| own.queries.get(r.asked_as.as_str()).copied());
        let slot_of = |i: &ide::Inside| {
            let seen = seen_inside(analysis, candidate_at(analysis, i.place)?)?;
            inside.get(&seen).copied()
        };
        let within = offered.inside.iter().map(slot_of);
        let worth = offered.inside.iter().filter(|i| i.worth).map(slot_of);
        let mut last: Vec<(&str, u32)> = own.variables.iter().map(|(n, v)| (*n, *v)).collect();
        last.sort_by_key(|v| std::cmp::Reverse(v.1));
        let mut points: Vec<Option<u32>> = found
            .points
            .iter()
            .filter_map(|v| found.observations.get(v))
            .map(|o| own.asked(analysis, test, o))
            .collect();
        points.retain(Option::is_some);
        points.sort_unstable();
        points.dedup();
        let returned = returned(analysis.workspace(), test);
        let mut all: Vec<u32> = slots.iter().map(|s| s.number).collect();
        all.extend(inside.values().copied());
        all.sort_unstable();
        let mut rows = Vec::new();
        for (name, telling) in [("readable", true), ("readable, by habit alone", false)] {
            let switches = Switches {
                telling,
                ..Switches::default()
            };
            rows.push((name.to_owned(), own.readable(analysis, test, &switches)));
        }
        rows.extend([
            ("readable, without doubts".to_owned(), sure.collect()),
            ("inside".to_owned(), within.collect()),
            ("inside, worth a check".to_owned(), worth.collect()),
            (
                "last variables".to_owned(),
                last.iter().map(|v| own.value(v.0)).collect(),
            ),
            (
                "returned values".to_owned(),
                returned.iter().map(|t| own.value(t)).collect(),
            ),
        ]);
        Lists {
            rows,
            points,
            all,
            not_assertable: own.not_assertable(analysis, test, &found),
            features: own.features(analysis, test, &found),
        }
    }
}

/// The values of a test that were asked.
pub(super) struct Own<'s> {
    queries: HashMap<&'s str, u32>,
    /// By variable, its last definition.
    variables: BTreeMap<&'s str, u32>,
    definitions: HashMap<&'s evidence::Seen, u32>,
}

impl<'s> Own<'s> {
    pub(super) fn new(slots: &[&'s Slot]) -> Own<'s> {
        let mut out = Own {
            queries: HashMap::new(),
            variables: BTreeMap::new(),
            definitions: HashMap::new(),
        };
        for slot in slots {
            match &slot.about {
                About::Query(text) => {
                    out.queries.insert(text, slot.number);
                }
                About::Variable(seen) => {
                    out.variables.insert(&seen.variable, slot.number);
                    out.definitions.insert(seen, slot.number);
                }
            }
        }
        out
    }

    /// A value at the test's end.
    pub(super) fn asked(
        &self,
        analysis: &Analysis,
        test: MethodId,
        at: &Observation,
    ) -> Option<u32> {
        let asked_as = asked_as(analysis.program(), test, at);
        self.queries.get(asked_as.as_str()).copied()
    }

    /// An expression at the test's end, else the variable of this name.
    fn value(&self, text: &str) -> Option<u32> {
        let own = self.queries.get(text).copied();
        own.or_else(|| self.variables.get(text).copied())
    }

    /// A definition of the test itself.
    pub(super) fn definition(&self, analysis: &Analysis, id: CandidateId) -> Option<u32> {
        let seen = seen_inside(analysis, id)?;
        let variable = seen.variable.rsplit(' ').next()?;
        let own = evidence::Seen {
            variable: variable.into(),
            nth: seen.nth,
        };
        self.definitions.get(&own).copied()
    }

    fn readable(
        &self,
        analysis: &Analysis,
        test: MethodId,
        switches: &Switches,
    ) -> Vec<Option<u32>> {
        let settings = Settings {
            top: PLACES,
            ..*analysis.settings()
        };
        let found = recommend::offer(
            analysis.workspace(),
            analysis.known(),
            &[analysis.workspace().own_run(test)],
            &settings,
            switches,
        );
        let shown = found.shown();
        let named = shown.filter_map(|r| found.observations.get(&r.vertex));
        let named = named.map(|o| self.asked(analysis, test, o));
        named.collect()
    }

    fn not_assertable(&self, analysis: &Analysis, test: MethodId, found: &Offer) -> BTreeSet<u32> {
        let all = found.observations.values();
        let cannot = all.filter(|at| !is_said_whole(analysis.program(), &at.ty));
        let cannot = cannot.flat_map(|at| {
            let text = at.expression.as_str();
            let defined = self.definitions.iter();
            let defined = defined.filter(move |(seen, _)| seen.variable == text);
            let asked = self.asked(analysis, test, at);
            asked.into_iter().chain(defined.map(|(_, number)| *number))
        });
        cannot.collect()
    }

    fn features(&self, analysis: &Analysis, test: MethodId, found: &Offer) -> Vec<(u32, Features)> {
        let all = found.features.iter();
        let named = all.filter_map(|(vertex, features)| {
            let at = found.observations.get(vertex)?;
            let slot = self.asked(analysis, test, at)?;
            let is_hidden = found
                .doubt(*vertex)
                .is_some_and(recommend::Doubt::is_certain);
            (!is_hidden).then_some((slot, *features))
        });
        let mut out: Vec<(u32, Features)> = named.collect();
        out.sort_by_key(|(slot, _)| *slot);
        out
    }
}

/// How long a list is.
pub(super) const PLACES: usize = 10;

/// What the methods return that a test calls, the last first: the variable that keeps the value, else the call.
fn returned(workspace: &Workspace, test: MethodId) -> Vec<String> {
    let program = workspace.program();
    let own = program.method_body(test);
    let (Some(own), Some(reader)) = (own, own.and_then(|b| Reader::new(program, b))) else {
        return Vec::new();
    };
    let body = reader.body;
    let mut kept: HashMap<ExprId, String> = HashMap::new();
    for def in &body.defs {
        if let (flow::Target::Local(l), Some(&value)) = (def.target, body.list(def.sources).first())
        {
            kept.insert(value, body.locals[l.ix()].name.to_string());
        }
    }
    let asserts: BTreeSet<usize> = workspace
        .chains(own)
        .into_iter()
        .flat_map(|c| c.assertions.iter().filter_map(|a| a.call))
        .map(|c| c.ix())
        .collect();
    let mut out: Vec<String> = Vec::new();
    for (i, e) in body.exprs.iter().enumerate().rev() {
        let ExprKind::Call(c) = e.kind else { continue };
        let gives = match reader.resolved.calls.get(c.ix()) {
            Some(CallTarget::Workspace(m)) => program.returns_value(*m),
            _ => true,
        };
        let is_call = matches!(body.calls[c.ix()].callee, Callee::Method { .. });
        if !is_call || !gives || asserts.contains(&c.ix()) {
            continue;
        }
        let text = kept.get(&ExprId(i as u32)).cloned();
        let text = text.unwrap_or_else(|| program.body_text(own, e.start, e.end).to_owned());
        if !out.contains(&text) {
            out.push(text);
        }
    }
    out
}
