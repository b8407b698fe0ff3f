//! Where in a test the question is put, and what is not there yet: the whole test, or the test without one assertion.
//!
//! With the assertion goes what it alone uses: a local that nothing else reads and that only holds what was read (`int n
//! = list.size()`) or expected. A local that holds what the test *did* (`Result r = parser.parse(text)`) stays: without
//! it there would be no test.

use flow::{Body, CallId, Callable, Callee, ExprId, ExprKind, LocalId, Target, VariableKind};
use oracle::{Reader, Reading};

/// Where the statistics come from when an assertion is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// From all other assertions of the suite.
    Suite,
    /// From other files only.
    OtherFiles,
}

/// See the module's description.
#[derive(Clone, Debug)]
pub struct HoldOut {
    /// The first expression of what is hidden; past the end of the body if nothing is.
    pub first: u32,
    /// The assertion itself.
    pub last: u32,
    /// By expression.
    hidden: Vec<bool>,
    /// By local: what a hidden one stands for.
    locals: Vec<Option<ExprId>>,
}

impl HoldOut {
    /// The end of a test.
    pub(crate) fn at_end(body: &Body) -> HoldOut {
        HoldOut {
            first: body.exprs.len() as u32,
            last: body.exprs.len() as u32,
            hidden: vec![false; body.exprs.len()],
            locals: vec![None; body.locals.len()],
        }
    }

    /// The test without `call`.
    pub fn without(reader: &Reader<'_>, call: CallId) -> HoldOut {
        let body = reader.body;
        let mut hold_out = HoldOut::at_end(body);
        // What is chained to it goes with it.
        let mut at = body.calls[call.ix()].expr;
        for later in &body.calls[call.ix() + 1..] {
            if let Callee::Method {
                receiver: Some(receiver),
                ..
            } = later.callee
                && receiver == at
            {
                at = later.expr;
            }
        }
        hold_out.last = at.0;
        hold_out.first = hold_out.hide(body, at);
        // What the initialisers of hidden locals alone use goes with them, a few steps back.
        for _ in 0..4 {
            let mut used = vec![false; body.locals.len()];
            let mut used_outside = vec![false; body.locals.len()];
            for (i, e) in body.exprs.iter().enumerate() {
                if let ExprKind::Local(l) = e.kind {
                    let of = if hold_out.hidden[i] {
                        &mut used
                    } else {
                        &mut used_outside
                    };
                    of[l.ix()] = true;
                }
            }
            for class in &body.classes {
                for l in &class.visible {
                    used_outside[l.ix()] = true;
                }
            }
            let mut changed = false;
            for l in 0..body.locals.len() {
                if !used[l] || used_outside[l] || hold_out.locals[l].is_some() {
                    continue;
                }
                if let Some((define, value)) = only_definition(body, LocalId(l as u32)) {
                    let reading = reader.reading_of(&[value], &|l| hold_out.locals[l.ix()]);
                    let reads =
                        reading.calls.is_empty() && !reading.other && !reading.paths.is_empty();
                    if reads || reader.is_constant(value) {
                        hold_out.locals[l] = Some(value);
                        hold_out.hide(body, define);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        hold_out
    }

    /// Marks what an expression is made of; its first expression.
    fn hide(&mut self, body: &Body, e: ExprId) -> u32 {
        let mut first = e.0;
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            if std::mem::replace(&mut self.hidden[e.ix()], true) {
                continue;
            }
            first = first.min(e.0);
            if let ExprKind::Lambda(l) = body.expr(e).kind {
                work.extend((body.lambdas[l.ix()].first.0..e.0).map(ExprId));
            }
            body.operands_of(e, &mut work);
        }
        first
    }

    /// True if an expression is not there.
    pub fn hides(&self, e: ExprId) -> bool {
        self.hidden.get(e.ix()).copied().unwrap_or(false)
    }

    /// True if a local is not there.
    pub fn hides_local(&self, l: LocalId) -> bool {
        self.locals.get(l.ix()).is_some_and(Option::is_some)
    }

    /// What the hidden assertion reads, hidden locals followed.
    pub fn reading(&self, reader: &Reader<'_>, call: CallId) -> Reading {
        reader.reading_of(&reader.actual(call), &|l| self.locals[l.ix()])
    }

    /// True if what the expression says is evaluated before the hidden assertion.
    pub fn is_before(&self, e: ExprId) -> bool {
        e.0 < self.first
    }
}

/// The one definition of a local that is given its value where it is declared, and that value.
fn only_definition(body: &Body, l: LocalId) -> Option<(ExprId, ExprId)> {
    let local = &body.locals[l.ix()];
    if local.kind != VariableKind::Local || local.callable != Callable::Member {
        return None;
    }
    let mut defs = body.defs.iter().filter(|d| match d.target {
        Target::Local(x) => x == l,
        Target::Place(e) | Target::Element(e) => body.expr(e).kind == ExprKind::Local(l),
        Target::OwnField(_) => false,
    });
    match (defs.next(), defs.next()) {
        (Some(d), None) if !d.compound && d.target == Target::Local(l) => {
            body.list(d.sources).first().map(|&value| (d.expr, value))
        }
        _ => None,
    }
}
