//! Which assertions of a test a strange value reaches, and on which way.
//!
//! A violation is born where the test calls something, on a line that the run told. From there the value goes, in the order
//! in which the test runs: out of the call into the variable that it is assigned to, into calls that read it and out of
//! these again, into objects that it is put into or that a call changed, until it is overwritten. An assertion is reached if
//! the value is in its condition.
//!
//! ```java
//! Complex complex1 = complex0.conjugate();      // born: conjugate() gave complex1
//! boolean boolean0 = complex0.equals(complex1); // equals(complex1) read it and gave boolean0
//! assertFalse(boolean0);                        // reached
//! assertEquals(1.0, complex0.abs(), 0.01);      // not reached: conjugate() changed nothing
//! ```
//!
//! Objects are told apart by the variables of the test that hold them; a variable that is given another value is another
//! object. Where what is strange is a field of an object, a query goes on with it only if it may show that field ([`fields`]).
//! What the violating method did deeper in production code counts if the substitution graph of what the test runs
//! leads from the statement's value to it ([`deep`]). [`graph`] says how values go within the test.
//!
//! Left out: objects in fields of other objects that the test does not name, and what a lambda does when it runs later.

mod born;
mod deep;
mod fields;
mod graph;
mod scene;
#[cfg(test)]
mod tests;
mod words;

use crate::analysis::Analysis;
use crate::checked::RanLines;
use born::seeds;
use deep::Deep;
use fields::Shown;
use flow::{Body, ExprId, ExprKind, UnaryOp};
use graph::Graph;
use oracle::Assertion;
use program::MethodId;
use scene::Scene;
use std::sync::OnceLock;
pub use suspects::Spot;
use text::Span;

/// Where something strange was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Born {
    /// The line of the test whose call led there, from 1, as debug information counts.
    pub line: u32,
    /// The method whose constraint is broken.
    pub method: MethodId,
    /// What of its call was strange.
    pub strange: Vec<Spot>,
}

/// An assertion of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asserted {
    /// Its statement, with the semicolon.
    pub statement: Span,
    /// What it is about, for a squiggle: `complex1.getReal()` of `assertEquals(1.0, complex1.getReal(), 0.01)`.
    pub condition: Span,
    /// The line on which it starts, from 1.
    pub line: u32,
}

/// One step of the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The call or the definition, in the test's file.
    pub span: Span,
    /// `conjugate() gave complex1`.
    pub words: String,
}

/// A test, as values go through it.
pub struct TestFlow<'a> {
    test: MethodId,
    scene: Scene<'a>,
    assertions: Vec<Asserted>,
    /// Asked for by what was born deeper than the test's own calls alone: it takes the lines of all files.
    ran: OnceLock<Option<RanLines>>,
    deep: OnceLock<Deep>,
    /// Which fields of their objects queries show.
    shown: Shown,
}

impl<'a> TestFlow<'a> {
    /// A test of the workspace; nothing if it has no code. Cost: linear in its code.
    pub fn new(analysis: &'a Analysis, test: MethodId) -> Option<TestFlow<'a>> {
        let scene = Scene::new(analysis, test)?;
        let all = scene.chains.assertions.iter();
        let assertions = all.map(|a| asserted(&scene, a)).collect();
        Some(TestFlow {
            test,
            scene,
            assertions,
            ran: OnceLock::new(),
            deep: OnceLock::new(),
            shown: Shown::default(),
        })
    }

    /// Its assertions, in the order of the test's chains ([`chains::Chains::assertions`]); a call that only fails is
    /// among them, and nothing reaches it.
    pub fn assertions(&self) -> &[Asserted] {
        &self.assertions
    }

    /// For each assertion the shortest way on which what was born there reaches it, if any does. Cost: about linear in the
    /// test's code; if it was born deeper than the test's own calls, the first time also linear in the code that the test
    /// may run, and in all files if it was recorded.
    pub fn reached(&self, born: &Born) -> Vec<Option<Vec<Step>>> {
        let scene = &self.scene;
        let ran = || self.ran.get_or_init(|| scene.analysis.ran_in(self.test));
        let deep = || self.deep.get_or_init(|| Deep::new(scene, ran().clone()));
        let seeds = seeds(scene, born, &deep);
        if seeds.is_empty() {
            return vec![None; self.assertions.len()];
        }
        let graph = Graph::new(scene, &seeds);
        let ways = graph.ways(&self.shown);
        let all = scene.chains.assertions.iter();
        let reader = oracle::Reader::new(scene.program(), scene.id);
        all.map(|a| {
            let mut conditions = conditions(scene.body, a);
            conditions.extend(
                seeds
                    .iter()
                    .filter(|s| s.within == Some(a.expr))
                    .map(|s| s.expr),
            );
            // Whether there is an object says nothing of its fields.
            let checks_presence = reader.as_ref().is_some_and(|r| r.checks_presence(a));
            let way = ways.shortest(conditions.into_iter(), !checks_presence)?;
            Some(words::steps(scene, &graph, &seeds, &way))
        })
        .collect()
    }
}

/// The values that an assertion looks at: its arguments, or its condition.
fn conditions(body: &Body, a: &Assertion) -> Vec<ExprId> {
    let Some(call) = a.call else {
        return vec![a.expr];
    };
    if !oracle::observes(body, call) {
        return Vec::new();
    }
    let calls = std::iter::once(call).chain(a.chained.iter().copied());
    let args = calls.flat_map(|c| body.list(body.calls[c.ix()].args));
    args.copied().collect()
}

fn asserted(scene: &Scene<'_>, a: &Assertion) -> Asserted {
    let body = scene.body;
    let last = a.end(body);
    // Around the condition of `assert` stands the statement.
    let start = match a.call {
        Some(_) => body.expr(a.expr).start,
        None => {
            let before = scene.text_between(0, body.expr(a.expr).start);
            before
                .rfind("assert")
                .map_or(body.expr(a.expr).start, |at| at as u32)
        }
    };
    let behind = scene.text_between(body.expr(last).end, u32::MAX);
    let ends = behind.find(|c: char| !c.is_whitespace() && c != ')');
    let more = ends.filter(|at| behind[*at..].starts_with(';'));
    let statement = scene.span(
        start,
        body.expr(last).end + more.map_or(0, |m| m as u32 + 1),
    );
    let all = conditions(body, a);
    let told: Vec<ExprId> = all
        .iter()
        .copied()
        .filter(|e| !is_constant(body, *e))
        .collect();
    let shown = if told.is_empty() { &all } else { &told };
    let condition = match (
        shown.iter().map(|e| body.expr(*e).start).min(),
        shown.iter().map(|e| body.expr(*e).end).max(),
    ) {
        (Some(start), Some(end)) => scene.span(start, end),
        _ => scene.span(start, body.expr(last).end),
    };
    Asserted {
        statement,
        condition,
        line: scene.line(start),
    }
}

/// True for what a reader knows without looking: literals, constants by name, classes.
fn is_constant(body: &Body, mut e: ExprId) -> bool {
    loop {
        e = match body.expr(e).kind {
            ExprKind::Literal(_) | ExprKind::ClassLiteral(_) => return true,
            ExprKind::Unary {
                op: UnaryOp::Minus | UnaryOp::Plus,
                operand,
            }
            | ExprKind::Cast { operand, .. } => operand,
            ExprKind::Field { object, name } => {
                let upper = |n: &str| n.starts_with(|c: char| c.is_ascii_uppercase());
                return upper(body.name(name))
                    && matches!(body.expr(object).kind, ExprKind::Name(n) if upper(body.name(n)));
            }
            _ => return false,
        };
    }
}
