//! How likely it is that a body runs.
//!
//! A test that reads one value may reach a thousand bodies, for any of a hundred implementations may answer a call. Along
//! a chain of calls the probabilities multiply: those of each call given the entry of the method that makes it (§1.2), shared
//! equally among the bodies to which it may go. What Java calls itself is a call like others. Of
//! several chains the likeliest counts.

use super::RapidTypes;
use crate::mocks::Answered;
use program::BodyId;
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// By body: how likely it runs, in [0, 1].
#[derive(Debug, Default)]
pub struct ExecutionProbability(Vec<f64>);

impl ExecutionProbability {
    /// 0 for a body that does not run.
    pub fn of(&self, body: BodyId) -> f64 {
        self.0.get(body.ix()).copied().unwrap_or(0.0)
    }
}

/// Bodies to go on from, the likeliest first.
#[derive(Default)]
struct Work {
    /// By body.
    best: Vec<f64>,
    // Probabilities are not negative, so their bits are ordered as they are.
    heap: BinaryHeap<(u64, BodyId)>,
}

impl Work {
    fn add(&mut self, body: BodyId, probability: f64) {
        if self.best.len() <= body.ix() {
            self.best.resize(body.ix() + 1, 0.0);
        }
        if probability > self.best[body.ix()] {
            self.best[body.ix()] = probability;
            self.heap.push((probability.to_bits(), body));
        }
    }
}

impl RapidTypes<'_> {
    /// The probabilities of all that was reached by now, from those of the roots. Costs the calls in it, each target once as a rule.
    pub fn probabilities(
        &self,
        roots: impl IntoIterator<Item = (BodyId, f64)>,
    ) -> ExecutionProbability {
        let program = self.workspace.program();
        let keep = self.keep;
        let mut work = Work::default();
        // The same target gives the same bodies, whoever calls it.
        let mut called: FxHashMap<_, f64> = FxHashMap::default();
        let mut asked: FxHashMap<_, f64> = FxHashMap::default();
        for (root, probability) in roots {
            work.add(root, probability);
        }
        while let Some((bits, body)) = work.heap.pop() {
            let probability = f64::from_bits(bits);
            if probability < work.best[body.ix()] {
                continue;
            }
            let Some(chains) = self.workspace.chains(body) else {
                continue;
            };
            let owner = program.body_owner(body);
            let narrows = self.narrows(owner);
            for site in chains.calls.iter().filter(|site| keep(body, site.expr)) {
                let probability = probability * site.entry;
                if program.is_constructor(site.target) {
                    for made in self.constructs(program.method_owner(site.target)) {
                        work.add(made, probability);
                    }
                }
                let answered = self.answered(body, site);
                if answered == Answered::Mock {
                    continue;
                }
                let by_mock = answered == Answered::MockOrMade;
                let key = (site.target, site.dispatches, by_mock);
                let is_known = |known: &f64| probability <= *known;
                if !narrows && called.get(&key).is_some_and(is_known) {
                    continue;
                }
                let targets = self.workspace.call_graph().targets(site);
                let bodies = targets.bodies();
                if narrows && let Some(narrow) = self.narrowed(body, site, bodies) {
                    for &to in &narrow {
                        work.add(to, probability / narrow.len() as f64);
                    }
                    continue;
                }
                if called.get(&key).is_some_and(is_known) {
                    continue;
                }
                called.insert(key, probability);
                let runs = || bodies.iter().filter(|to| self.seen.contains(**to));
                let ways = match bodies.len() {
                    1 => 1.0,
                    _ => runs().count() as f64,
                };
                for &to in runs() {
                    work.add(to, probability / ways);
                }
            }
            for sent in chains.sent.iter().filter(|sent| keep(body, sent.expr)) {
                for to in self.answering(body, sent) {
                    work.add(to, probability * sent.entry);
                }
            }
            for asking in self.askings(body, chains) {
                let probability = probability * asking.entry;
                let known = asked.entry((asking.on, asking.asked)).or_insert(0.0);
                if probability <= *known {
                    continue;
                }
                *known = probability;
                let unwritten = program.unwritten(asking.on, asking.asked);
                for way in &unwritten.ways {
                    let runs = || way.iter().filter(|to| self.seen.contains(**to));
                    let ways = runs().count() as f64;
                    for &to in runs() {
                        work.add(to, probability / ways);
                    }
                }
            }
            for class in program.body_classes(body).iter().flatten() {
                let methods = program.methods_of_type(*class).iter();
                let bodies = methods.filter_map(|m| program.method_body(*m));
                for inner in self.constructs(*class).into_iter().chain(bodies) {
                    work.add(inner, probability);
                }
            }
            if program
                .body_method(body)
                .is_some_and(|m| program.is_constructor(m))
            {
                for made in self.constructs(owner) {
                    work.add(made, probability);
                }
            }
        }
        ExecutionProbability(work.best)
    }
}
