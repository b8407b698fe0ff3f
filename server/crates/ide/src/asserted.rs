//! What the assertions of a test's own body look at, where each reads one value beside what is constant: a local variable, or
//! what a call gives (`pipe.total()` of `assertEquals(3, pipe.total())`).
//!
//! A recording is told what these calls gave where they stand: nothing is asked twice, and nothing more than the test asks.
//! Whether that is the same from run to run nobody can tell of an assertion that reads two values: they may change together.

use crate::analysis::Analysis;
use evidence::Seen;
use flow::{CallId, Callee, ExprId, ExprKind, Literal, LocalId, Target};
use oracle::frameworks::{Says, assertion, link, matcher};
use oracle::promises::{holds_whatever, many_meet};
use oracle::{Assertion, Reader};
use program::{BodyId, CallTarget, MethodId, NameTarget, Ty};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text::Span;

/// Parts of an assertion beyond which it is not read.
const MAX_PARTS: usize = 200;

/// An expression longer than so many bytes is nothing to name in a sentence.
const LONGEST: usize = 200;

/// Calls of libraries that make the same of the same.
const MAKE: &[&str] = &[
    "of",
    "asList",
    "valueOf",
    "copyOf",
    "singleton",
    "singletonList",
    "singletonMap",
    "entry",
    "parse",
];

/// An assertion that reads one value.
#[derive(Clone, Debug)]
pub(crate) struct Asserted {
    /// Which of the body's assertions.
    pub(crate) assertion: usize,
    /// What it reads.
    pub(crate) read: Read,
    /// Many values may meet it: it is a condition, or says so by its name.
    pub(crate) is_condition: bool,
    /// It compares the value as a whole, all elements in order.
    pub(crate) is_whole: bool,
    /// How far numbers may lie apart, where it says so; none where it takes no such number, or does not write it.
    pub(crate) tolerance: Option<f64>,
}

/// A value that an assertion reads.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    /// A local variable of the test.
    Local(LocalId),
    /// What a call gives.
    Call(Called),
}

/// A call whose value an assertion reads.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    /// Under which name a recording keeps what it gave: as it is written, and which of those that are written alike.
    pub(crate) seen: Seen,
    /// Where it stands in the file.
    pub(crate) span: Span,
    /// The class of a primitive's box: what asks in between must not be taken for a primitive by an overload.
    pub(crate) boxed: Option<SmolStr>,
}

/// The assertions of a test that read one value, by position of the assertion.
pub(crate) fn asserted(analysis: &Analysis, test: MethodId) -> Vec<Asserted> {
    let (program, workspace) = (analysis.program(), analysis.workspace());
    let id = program.method_body(test);
    let found = id.and_then(|id| Some((id, workspace.chains(id)?, Reader::new(program, id)?)));
    let Some((id, chains, reader)) = found else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for (at, assertion) in chains.assertions.iter().enumerate() {
        let mut looking = Looking::new(reader, assertion);
        if let Some(leaf) = looking.leaf(assertion)
            && let Some(read) = read(&reader, id, leaf)
        {
            out.push(Asserted {
                assertion: at,
                read,
                is_condition: looking.is_condition,
                is_whole: looking.is_whole,
                tolerance: looking.tolerance(id),
            });
        }
    }
    // Which of those that are written alike, by position.
    let mut calls: Vec<&mut Called> = Vec::new();
    for one in &mut out {
        if let Read::Call(called) = &mut one.read {
            calls.push(called);
        }
    }
    calls.sort_by_key(|c| c.span.start);
    let mut times: FxHashMap<SmolStr, u32> = FxHashMap::default();
    for called in calls {
        let nth = times.entry(called.seen.variable.clone()).or_default();
        called.seen.nth = *nth;
        *nth += 1;
    }
    out
}

/// A value, if a recording can tell it.
fn read(reader: &Reader<'_>, id: BodyId, leaf: ExprId) -> Option<Read> {
    let body = reader.body;
    if let ExprKind::Local(local) = body.expr(leaf).kind {
        return Some(Read::Local(local));
    }
    let ty = reader.resolved.ty(leaf);
    let class = reader.program.library_class_of(ty);
    let is_told = |class: &str| {
        let told = ["java.lang.", "java.util.", "java.math.", "java.time."];
        told.iter().any(|package| class.starts_with(package))
    };
    let is_array = || reader.program.element_of(ty).is_some();
    if !ty.is_primitive() && !class.is_some_and(|c| is_told(c)) && !is_array() {
        return None;
    }
    let own = reader.program.body(id)?;
    let (start, end) = (body.expr(leaf).start, body.expr(leaf).end);
    let text = reader.program.body_text(id, start, end);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // By `#` the store tells what is of the code under test.
    if text.len() > LONGEST || text.contains('#') {
        return None;
    }
    Some(Read::Call(Called {
        seen: Seen {
            variable: text.into(),
            nth: 0,
        },
        span: Span::new(own.start + start, own.start + end),
        boxed: class.filter(|c| is_box(c)).cloned(),
    }))
}

fn is_box(class: &str) -> bool {
    let boxes = [
        "Boolean",
        "Byte",
        "Short",
        "Character",
        "Integer",
        "Long",
        "Float",
        "Double",
    ];
    let name = class.strip_prefix("java.lang.");
    name.is_some_and(|name| boxes.contains(&name))
}

/// Goes through the parts of an assertion.
struct Looking<'a> {
    reader: Reader<'a>,
    is_condition: bool,
    is_whole: bool,
    /// The constants that it is given, by position.
    constants: Vec<ExprId>,
}

impl<'a> Looking<'a> {
    fn new(reader: Reader<'a>, assertion: &Assertion) -> Looking<'a> {
        Looking {
            reader,
            is_condition: assertion.call.is_none(),
            is_whole: false,
            constants: Vec::new(),
        }
    }

    /// The one value that an assertion reads beside what is constant. None if it reads anything else, or holds of any value.
    fn leaf(&mut self, of: &Assertion) -> Option<ExprId> {
        let body = self.reader.body;
        let mut arguments = Vec::new();
        for id in of.call.iter().chain(&of.chained) {
            let call = &body.calls[id.ix()];
            let name = body.called(*id);
            if holds_whatever(name) {
                return None;
            }
            self.is_condition |= many_meet(name);
            let says = assertion(name).or_else(|| link(name));
            self.is_whole |= says.is_some_and(is_whole);
            arguments.extend(body.list(call.args));
        }
        if of.call.is_none() {
            arguments.push(of.expr);
        }
        let (mut leaf, mut seen) = (None, 0);
        while let Some(e) = arguments.pop() {
            seen += 1;
            if seen > MAX_PARTS {
                return None;
            }
            match body.expr(e).kind {
                _ if self.is_fixed(e) => self.constants.push(e),
                ExprKind::Local(l) => match leaf.map(|known: ExprId| body.expr(known).kind) {
                    None => leaf = Some(e),
                    Some(ExprKind::Local(known)) if known == l => {}
                    Some(_) => return None,
                },
                ExprKind::Cast { .. }
                | ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::ShortCircuit { .. } => body.operands_of(e, &mut arguments),
                ExprKind::Call(call) if self.matches(call)? => {
                    arguments.extend(body.list(body.calls[call.ix()].args));
                }
                ExprKind::Call(call) if leaf.is_none() && self.gives(call) => leaf = Some(e),
                _ => return None,
            }
        }
        leaf
    }

    /// True for a matcher, whose arguments are those of the assertion; none if it holds of any value.
    fn matches(&mut self, call: CallId) -> Option<bool> {
        let body = self.reader.body;
        let is_own = matches!(
            self.reader.resolved.calls.get(call.ix()),
            Some(CallTarget::Workspace(_))
        );
        let name = body.called(call);
        let Some(says) = matcher(name).filter(|_| !is_own && self.asks_no_value(call)) else {
            return Some(false);
        };
        if holds_whatever(name) || says == Says::Not {
            return None;
        }
        self.is_condition |= many_meet(name);
        self.is_whole |= is_whole(says) || says == Says::Is;
        Some(true)
    }

    /// True if nothing stands before the dot, or a type.
    fn asks_no_value(&self, call: CallId) -> bool {
        match self.reader.body.calls[call.ix()].callee {
            Callee::Method {
                receiver: Some(receiver),
                ..
            } => matches!(
                self.reader.resolved.name(receiver),
                Some(NameTarget::Type(_))
            ),
            _ => true,
        }
    }

    /// True for a call whose value may be told where it stands: of code of the project, or asked of a value.
    fn gives(&self, call: CallId) -> bool {
        let body = self.reader.body;
        let is_own = matches!(
            self.reader.resolved.calls.get(call.ix()),
            Some(CallTarget::Workspace(_))
        );
        let is_method = matches!(body.calls[call.ix()].callee, Callee::Method { .. });
        is_method && (is_own || !self.asks_no_value(call))
    }

    /// True for what is the same in every run: literals, constants, and what is made of these.
    fn is_fixed(&self, e: ExprId) -> bool {
        let (reader, body) = (&self.reader, self.reader.body);
        if let ExprKind::Local(_) = body.expr(e).kind
            && !self.is_plain(reader.resolved.ty(e))
        {
            return false;
        }
        let is_made = body.every_part(&[e], MAX_PARTS, |e, work| {
            match body.expr(e).kind {
                ExprKind::Local(l) => {
                    let defs = body.defs.iter().filter(|d| d.target == Target::Local(l));
                    work.extend(defs.flat_map(|d| body.list(d.sources)));
                }
                ExprKind::Call(call) => {
                    let name = body.called(call);
                    let args = body.list(body.calls[call.ix()].args);
                    let is_new = name.is_empty() && !args.is_empty();
                    let is_made = MAKE.contains(&name) && self.asks_no_value(call);
                    if !is_new && !is_made {
                        return false;
                    }
                    work.extend_from_slice(args);
                }
                _ => body.operands_of(e, work),
            }
            true
        });
        is_made && (self.is_made_by_library(e) || reader.is_constant(e))
    }

    /// True for a call of a library that was imported by its name, with constants.
    fn is_made_by_library(&self, e: ExprId) -> bool {
        let ExprKind::Call(call) = self.reader.body.expr(e).kind else {
            return false;
        };
        let args = self
            .reader
            .body
            .list(self.reader.body.calls[call.ix()].args);
        let target = self.reader.resolved.calls.get(call.ix());
        let is_own = matches!(target, Some(CallTarget::Workspace(_)));
        !is_own && args.iter().all(|a| self.reader.is_constant(*a))
    }

    /// True for a type of whose values none changes.
    fn is_plain(&self, ty: Ty) -> bool {
        let class = self.reader.program.library_class_of(ty);
        let is_text = |c: &SmolStr| c == "java.lang.String" || is_box(c);
        ty.is_primitive() || class.is_some_and(is_text)
    }

    /// The last number of those that it is given, if these are two at least.
    fn tolerance(&self, id: BodyId) -> Option<f64> {
        let body = self.reader.body;
        let mut numbers: Vec<(u32, f64)> = Vec::new();
        let parts = body.every_part(&self.constants, MAX_PARTS, |e, work| {
            let expr = body.expr(e);
            if let ExprKind::Literal(
                Literal::Int | Literal::Long | Literal::Float | Literal::Double,
            ) = expr.kind
            {
                let text = self.reader.program.body_text(id, expr.start, expr.end);
                let text = text.replace('_', "");
                let text = text.trim_end_matches(['f', 'F', 'd', 'D', 'l', 'L']);
                numbers.extend(text.parse().ok().map(|n| (expr.start, n)));
            }
            body.operands_of(e, work);
            true
        });
        numbers.sort_by_key(|(at, _)| *at);
        match numbers[..] {
            [_, .., (_, last)] if parts => Some(last),
            _ => None,
        }
    }
}

fn is_whole(says: Says) -> bool {
    matches!(says, Says::Equal | Says::Elements)
}
