//! What a suite checks of the code under test, as far as code tells: *checked coverage* (Schuler and Zeller, ICST 2011)
//! without a run.
//!
//! A value is *read* if it may flow into what an assertion of some test reads, by whatever way: into what is compared, into
//! what a mock was told and a test asks for, into the answer to a request. So is what decides what runs, and what leaves for
//! code that nobody can see, since an assertion may tell it there: who says that none reads a value must be sure. Of a body it
//! is told how many of its values are read, and which test calls it with the fewest calls between.
//!
//! The way from a test to a body is looked for by the class hierarchy, which knows of every way, and each test that is named
//! is asked by rapid type analysis, which does not go through mocks.

use crate::first_look::CUSTOMARY;
use calls::{Bodies, Unit, UnitId, Workspace, class_under_test};
use chains::{Candidate, Chains, Source, Use};
use flow::{Body, CallId, Callable, Callee, DefId, ExprId, ExprKind, LocalId, VariableKind};
use observe::{Assembled, ObservationPoint, Reads, assemble, is_logger, quiet};
use oracle::frameworks::any;
use oracle::{Assertion, Reader};
use program::{
    BodyId, CallTarget, FieldId, Member, MethodId, NameTarget, Program, ResolvedBody, TypeId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::cell::RefCell;
use std::collections::VecDeque;

/// How many tests are asked for one body, the nearest first. Where none of them runs it nobody knows.
const ASKED: usize = 12;

/// How many tests are asked for all bodies together: each costs about what its lens does.
const ASKED_IN_ALL: usize = 300;

/// See the module's description. Costs about what the graph of the whole workspace does.
#[derive(Debug)]
pub struct CheckedCoverage<'a> {
    workspace: &'a Workspace,
    /// By body of the code under test.
    values: FxHashMap<BodyId, Values>,
    callers: FxHashMap<BodyId, Vec<BodyId>>,
    /// By body that a test begins with: which tests, by their positions in the suite.
    begins: FxHashMap<BodyId, Vec<usize>>,
    /// By body, how many calls away from a test it is.
    away: FxHashMap<BodyId, u32>,
    /// The names of methods that are called, and nobody knows on what.
    unresolved: FxHashSet<SmolStr>,
    run: RefCell<FxHashMap<MethodId, Bodies>>,
}

/// The values of a body that somebody may look at.
#[derive(Debug, Default)]
struct Values {
    /// How many there are.
    all: u32,
    /// By candidate, whether an assertion reads it.
    is_read: Vec<bool>,
    /// How many of all.
    read: u32,
}

/// Which test comes to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// This one, by so many calls: by 1 if it calls the body itself, or code of tests for it does.
    Test(MethodId, u32),
    /// None: no chain of calls leads there from a test, nor from what others may call.
    Nobody,
    /// One may, and none of those that are asked is sure to.
    Unknown,
}

impl<'a> CheckedCoverage<'a> {
    /// Of all tests.
    pub fn new(workspace: &'a Workspace) -> CheckedCoverage<'a> {
        let mut out = CheckedCoverage {
            workspace,
            values: FxHashMap::default(),
            callers: FxHashMap::default(),
            begins: FxHashMap::default(),
            away: FxHashMap::default(),
            unresolved: FxHashSet::default(),
            run: RefCell::default(),
        };
        let units = workspace.units(&|_, _, _| true);
        out.find_ways(&units);
        out.find_values(&units);
        out
    }

    /// True for a value that an assertion may read.
    pub fn is_read(&self, unit: &Unit, c: &Candidate) -> bool {
        // By its place in memory: asked of each candidate, a search would cost the square.
        let begin = unit.chains.candidates.as_ptr().addr();
        let behind = std::ptr::from_ref(c).addr().checked_sub(begin);
        let at = behind.map(|bytes| bytes / size_of::<Candidate>());
        let values = self.values.get(&unit.body);
        let known = values.zip(at).and_then(|(v, at)| v.is_read.get(at));
        *known.unwrap_or(&true)
    }

    /// How many of the values of a body assertions read, and how many it has.
    pub fn read_of(&self, body: BodyId) -> (u32, u32) {
        let values = self.values.get(&body);
        values.map_or((0, 0), |v| (v.read, v.all))
    }

    /// How many calls away from a test a body is, whether the test is sure to come there or not; none if no test may.
    pub fn calls_away(&self, body: BodyId) -> Option<u32> {
        self.away.get(&body).copied()
    }

    fn find_values(&mut self, units: &[Unit]) {
        let workspace = self.workspace;
        let program = workspace.program();
        let points = points(workspace, units);
        let graph = assemble(units, workspace, &points);
        // Without tests nobody reads anything.
        let has_tests = !workspace.suite().tests().is_empty();
        let seeds = graph.vertex_of_point.iter().copied();
        let given = given_away(workspace, units, &graph, &self.unresolved);
        let read = reaching(&graph, seeds.chain(given).filter(|_| has_tests));
        for (unit, vertices) in units.iter().zip(&graph.vertex_of) {
            if is_of_tests(program, unit.body) {
                continue;
            }
            let is_read: Vec<bool> = vertices.iter().map(|v| read[*v as usize]).collect();
            let mut values = Values::default();
            for (c, is_read) in unit.chains.candidates.iter().zip(&is_read) {
                if quiet(program, unit.body, c).is_none() {
                    values.all += 1;
                    values.read += u32::from(*is_read);
                }
            }
            values.is_read = is_read;
            self.values.insert(unit.body, values);
        }
    }

    fn find_ways(&mut self, units: &[Unit]) {
        let program = self.workspace.program();
        let mut ways: FxHashMap<BodyId, Vec<BodyId>> = FxHashMap::default();
        for unit in units {
            let called = called(self.workspace, unit);
            for &next in &called {
                self.callers.entry(next).or_default().push(unit.body);
            }
            ways.insert(unit.body, called);
            self.find_unresolved(unit);
        }
        let mut work: VecDeque<(BodyId, u32)> = VecDeque::new();
        for (at, &test) in self.workspace.suite().tests().iter().enumerate() {
            for body in self.workspace.test_roots(self.workspace.own_run(test)) {
                let begins = self.begins.entry(body).or_default();
                if begins.is_empty() {
                    work.push_back((body, 0));
                }
                begins.push(at);
            }
        }
        while let Some((body, away)) = work.pop_front() {
            match self.away.get(&body) {
                Some(known) if *known <= away => continue,
                _ => self.away.insert(body, away),
            };
            for &next in ways.get(&body).into_iter().flatten() {
                match is_of_tests(program, next) {
                    true => work.push_front((next, away)),
                    false => work.push_back((next, away + 1)),
                }
            }
        }
    }

    fn find_unresolved(&mut self, unit: &Unit) {
        let program = self.workspace.program();
        let (Some(decl), Some(resolved)) =
            (program.body(unit.body), self.workspace.resolved(unit.body))
        else {
            return;
        };
        let body = &*decl.body;
        for (c, call) in body.calls.iter().enumerate() {
            let is_known = resolved
                .calls
                .get(c)
                .is_some_and(|t| *t != CallTarget::Unknown);
            if let (Callee::Method { name, .. }, false) = (call.callee, is_known) {
                self.unresolved.insert(body.name(name).clone());
            }
        }
        let sites = unit.chains.calls.iter().filter(|site| site.call.is_none());
        let known: FxHashSet<ExprId> = sites.map(|site| site.expr).collect();
        for (at, e) in (0u32..).map(ExprId).zip(&body.exprs) {
            if let ExprKind::MethodRef { name, .. } = e.kind
                && !known.contains(&at)
            {
                self.unresolved.insert(body.name(name).clone());
            }
        }
    }

    /// The test that comes to a body by the fewest calls; of several that of the class which the body's is under test in, and
    /// of these the first.
    pub fn nearest(&self, body: BodyId) -> Nearest {
        if self.calls_away(body).is_none() {
            let has_tests = !self.workspace.suite().tests().is_empty();
            return match has_tests && self.may_be_run_by_others(body) {
                true => Nearest::Unknown,
                false => Nearest::Nobody,
            };
        }
        let workspace = self.workspace;
        let program = workspace.program();
        let owner = program.body_owner(body);
        let tests = workspace.suite().tests();
        let is_about = |at: &usize| {
            let class = class_under_test(program, program.method_owner(tests[*at]));
            class.is_some_and(|class| is_within(program, owner, class))
        };
        let mut seen: FxHashSet<BodyId> = FxHashSet::default();
        let mut asked: FxHashSet<usize> = FxHashSet::default();
        let mut ring: Vec<BodyId> = vec![body];
        let mut calls = 0;
        while !ring.is_empty() && asked.len() < ASKED {
            // Code of tests costs no call: all that calls one another is as near.
            let (mut begins, mut next) = (Vec::new(), Vec::new());
            while let Some(body) = ring.pop() {
                if !seen.insert(body) {
                    continue;
                }
                begins.extend(self.begins.get(&body).into_iter().flatten().copied());
                let callers = self.callers.get(&body).into_iter().flatten();
                match is_of_tests(program, body) {
                    true => ring.extend(callers),
                    false => next.extend(callers),
                }
            }
            begins.sort_unstable();
            begins.dedup();
            begins.sort_by_cached_key(|at| (!is_about(at), *at));
            for at in begins {
                if asked.len() < ASKED && asked.insert(at) && self.runs(tests[at], body) {
                    return Nearest::Test(tests[at], calls);
                }
            }
            next.retain(|b| !seen.contains(b));
            ring = next;
            calls += 1;
        }
        Nearest::Unknown
    }

    /// True for code that leads back to what a container, a build or a library may call: it may do so in a test.
    fn may_be_run_by_others(&self, body: BodyId) -> bool {
        let program = self.workspace.program();
        let mut seen: FxHashSet<BodyId> = FxHashSet::default();
        let mut work = vec![body];
        while let Some(body) = work.pop() {
            if !seen.insert(body) {
                continue;
            }
            let callers = self.callers.get(&body).map_or(&[][..], |c| c);
            let is_unresolved = is_named(program, body, &self.unresolved);
            if is_unresolved || is_for_others(program, body, callers.is_empty()) {
                return true;
            }
            work.extend(callers);
        }
        false
    }

    fn runs(&self, test: MethodId, body: BodyId) -> bool {
        let mut run = self.run.borrow_mut();
        if !run.contains_key(&test) && run.len() >= ASKED_IN_ALL {
            return false;
        }
        let workspace = self.workspace;
        let bodies = run
            .entry(test)
            .or_insert_with(|| workspace.called_by(&[workspace.own_run(test)]));
        bodies.contains(body)
    }
}

fn is_of_tests(program: &Program, body: BodyId) -> bool {
    program.body_file(body).is_some_and(|f| program.is_test(f))
}

fn is_within(program: &Program, own: TypeId, class: TypeId) -> bool {
    let mut around = std::iter::successors(Some(own), |t| program.enclosing_type(*t)).take(100);
    around.any(|t| t == class)
}

/// What a body may run by calls of its own, with what Java calls for it, and with the initialisers of its class.
fn called(workspace: &Workspace, unit: &Unit) -> Vec<BodyId> {
    let program = workspace.program();
    let graph = workspace.call_graph();
    let mut out: Vec<BodyId> = Vec::new();
    for site in &unit.chains.calls {
        out.extend(graph.targets(site).bodies().iter());
    }
    for asking in &unit.chains.askings {
        let unwritten = program.unwritten(asking.on, asking.asked);
        out.extend(unwritten.ways.iter().flatten());
    }
    let owner = program.body_owner(unit.body);
    for sent in &unit.chains.sent {
        let answer = workspace.answer(owner, unit.body, sent.call);
        let handler = answer.and_then(Result::ok).map(|h| h.method);
        out.extend(handler.and_then(|m| program.method_body(m)));
    }
    for class in program.body_classes(unit.body).iter().flatten() {
        let inner = program.methods_of_type(*class).iter();
        out.extend(inner.filter_map(|m| program.method_body(*m)));
    }
    out.extend(program.body_of(owner, Member::Init));
    out.extend(program.body_of(owner, Member::Clinit));
    out.sort_unstable();
    out.dedup();
    out
}

/// What assertions read, what mocks are asked for, and what of the code under test decides something or leaves for code that
/// nobody can see.
fn points(workspace: &Workspace, units: &[Unit]) -> Vec<ObservationPoint> {
    let program = workspace.program();
    let of_tests = |u: &&Unit| is_of_tests(program, u.body);
    let mut asked_for: FxHashSet<MethodId> = FxHashSet::default();
    for unit in units.iter().filter(of_tests) {
        asked_for.extend(verified(program, unit));
    }
    let mut out: Vec<ObservationPoint> = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        let point = |uses: Vec<Use>| ObservationPoint {
            unit: UnitId(at as u32),
            start: unit.start,
            reads: Reads::Uses(uses),
        };
        let (Some(decl), Some(resolved)) = (program.body(unit.body), workspace.resolved(unit.body))
        else {
            continue;
        };
        let mut sources = Sources::new(&decl.body, resolved, &unit.chains);
        if is_of_tests(program, unit.body) {
            let reader = Reader::new(program, unit.body);
            let asserted = unit.chains.assertions.iter().zip(&unit.chains.reads);
            let strong = asserted.filter(|(a, _)| reader.is_none_or(|r| !r.is_weak(a)));
            for (a, reads) in strong {
                let mut reads = reads.clone();
                looked_at(a, &mut sources);
                reads.append(&mut sources.take());
                out.push(point(reads));
            }
            decides(&mut sources);
            dropped(program, &mut sources);
        } else {
            leaving(workspace, unit, &asked_for, &mut sources);
        }
        let uses = sources.take();
        out.extend((!uses.is_empty()).then(|| point(uses)));
    }
    out
}

/// What of a body of the code under test nobody can follow: what it asks before it goes on, what it throws, what it tells mocks
/// that are asked for, methods without code, and libraries, but for a log.
fn leaving(
    workspace: &Workspace,
    unit: &Unit,
    asked_for: &FxHashSet<MethodId>,
    sources: &mut Sources<'_>,
) {
    let graph = workspace.call_graph();
    for site in &unit.chains.calls {
        if asked_for.contains(&site.target) || graph.targets(site).is_black_box() {
            sources.uses.extend(site.args.iter().flatten());
        }
    }
    decides(sources);
    dropped(workspace.program(), sources);
}

/// What a body gives to libraries, by calls whose values nobody takes, but for a log: `assumeTrue(x)`, `sink.write(x)`.
fn dropped(program: &Program, sources: &mut Sources<'_>) {
    let (body, resolved) = (sources.body, sources.resolved);
    for (c, call) in body.calls.iter().enumerate() {
        let Callee::Method { receiver, .. } = call.callee else {
            continue;
        };
        let is_known = matches!(resolved.calls.get(c), Some(CallTarget::Workspace(_)));
        let is_log = receiver.is_some_and(|on| is_logger(program, resolved.ty(on)));
        if call.dropped && !is_known && !is_log {
            // With what stands before the last dot: `text.append(a).append(b)`.
            sources.add(call.expr);
        }
    }
}

/// What a body asks before it goes on, and what it throws.
fn decides(sources: &mut Sources<'_>) {
    for e in &sources.body.exprs {
        if let ExprKind::Test { operand } | ExprKind::Throw { operand } = e.kind {
            sources.add(operand);
        }
    }
}

/// The objects that an assertion asks for what it compares: `dto` of `assertEquals(3, dto.getCount())`.
fn looked_at(a: &Assertion, sources: &mut Sources<'_>) {
    let body = sources.body;
    let calls = a.call.iter().chain(&a.chained);
    let args = calls.flat_map(|c| body.list(body.calls[c.ix()].args).iter().copied());
    for e in args.chain([a.expr]) {
        sources.add(e);
    }
}

/// How many parts of an expression are looked at.
const PARTS: usize = 200;

/// Every definition that may be in some expressions of a body, whatever way leads there: each once, so that a long body costs
/// what it says and not the square.
struct Sources<'a> {
    body: &'a Body,
    resolved: &'a ResolvedBody,
    by_local: FxHashMap<LocalId, Vec<u32>>,
    by_field: FxHashMap<FieldId, Vec<u32>>,
    by_def: FxHashMap<DefId, u32>,
    by_call: FxHashMap<CallId, u32>,
    uses: Vec<Use>,
    locals: FxHashSet<LocalId>,
    fields: FxHashSet<FieldId>,
    defs: FxHashSet<DefId>,
    calls: FxHashSet<CallId>,
}

impl<'a> Sources<'a> {
    fn new(body: &'a Body, resolved: &'a ResolvedBody, chains: &Chains) -> Sources<'a> {
        let mut out = Sources {
            body,
            resolved,
            by_local: FxHashMap::default(),
            by_field: FxHashMap::default(),
            by_def: FxHashMap::default(),
            by_call: FxHashMap::default(),
            uses: Vec::new(),
            locals: FxHashSet::default(),
            fields: FxHashSet::default(),
            defs: FxHashSet::default(),
            calls: FxHashSet::default(),
        };
        for (at, c) in (0..).zip(&chains.candidates) {
            if let Some(local) = c.local {
                out.by_local.entry(local).or_default().push(at);
            }
            if let Some(field) = c.field {
                out.by_field.entry(field).or_default().push(at);
            }
            if let Some(def) = c.def {
                out.by_def.entry(def).or_insert(at);
            }
        }
        for (at, site) in (0..).zip(&chains.calls) {
            if let Some(call) = site.call {
                out.by_call.entry(call).or_insert(at);
            }
        }
        out
    }

    /// What was added, once.
    fn take(&mut self) -> Vec<Use> {
        self.locals.clear();
        self.fields.clear();
        self.defs.clear();
        self.calls.clear();
        std::mem::take(&mut self.uses)
    }

    fn push(&mut self, source: Source) {
        self.uses.push(Use {
            source,
            copy: false,
            library: true,
        });
    }

    fn push_all(&mut self, candidates: &[u32]) {
        for &candidate in candidates {
            self.push(Source::Candidate {
                candidate,
                probability: 1.0,
            });
        }
    }

    fn add(&mut self, of: ExprId) {
        let mut work = vec![of];
        for _ in 0..PARTS {
            let Some(e) = work.pop() else { return };
            match self.body.expr(e).kind {
                ExprKind::Local(l) if self.locals.insert(l) => {
                    let all = self.by_local.remove(&l).unwrap_or_default();
                    self.push_all(&all);
                    self.by_local.insert(l, all);
                }
                ExprKind::Define(d) if self.defs.insert(d) => {
                    let made = self.by_def.get(&d).copied();
                    self.push_all(made.as_slice());
                }
                ExprKind::Call(c) if self.calls.insert(c) => {
                    if let Some(&at) = self.by_call.get(&c) {
                        self.push(Source::Call(at));
                    }
                }
                _ => {}
            }
            if let Some(NameTarget::Field(field)) = self.resolved.name(e)
                && self.fields.insert(field)
            {
                self.push(Source::Field {
                    field,
                    probability: 1.0,
                });
                let all = self.by_field.remove(&field).unwrap_or_default();
                self.push_all(&all);
                self.by_field.insert(field, all);
            }
            self.body.operands_of(e, &mut work);
        }
    }
}

/// The methods that a body of tests asks mocks for: `send` of `verify(mailer).send(…)`.
fn verified(program: &Program, unit: &Unit) -> Vec<MethodId> {
    let Some(decl) = program.body(unit.body) else {
        return Vec::new();
    };
    let body = &*decl.body;
    let asks = |site: &&chains::CallSite| {
        let Some(call) = site.call else { return false };
        let Callee::Method {
            receiver: Some(on), ..
        } = body.calls[call.ix()].callee
        else {
            return false;
        };
        match body.expr(on).kind {
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::Method { name, .. } => any(body.name(name), |row| row.asks),
                _ => false,
            },
            _ => false,
        }
    };
    let sites = unit.chains.calls.iter().filter(asks);
    sites.map(|site| site.target).collect()
}

/// What is given to code that nobody can see: answers to requests of tests, whatever their expectations read of these, and
/// what libraries ask for, by a lambda or by a method of theirs that the code under test overrides, and what is asked of objects
/// that nobody knows.
fn given_away(
    workspace: &Workspace,
    units: &[Unit],
    graph: &Assembled,
    unresolved: &FxHashSet<SmolStr>,
) -> Vec<u32> {
    let program = workspace.program();
    let mut handlers: FxHashSet<BodyId> = FxHashSet::default();
    for unit in units.iter().filter(|u| is_of_tests(program, u.body)) {
        for sent in &unit.chains.sent {
            let owner = program.body_owner(unit.body);
            let answer = workspace.answer(owner, unit.body, sent.call);
            let handler = answer.and_then(Result::ok).map(|h| h.method);
            handlers.extend(handler.and_then(|m| program.method_body(m)));
        }
    }
    let mut out = Vec::new();
    for (unit, vertices) in units.iter().zip(&graph.vertex_of) {
        let is_given = handlers.contains(&unit.body)
            || is_asked_for(program, unit.body)
            || is_named(program, unit.body, unresolved);
        let candidates = unit.chains.candidates.iter().zip(vertices);
        let returned = candidates.filter(|(c, _)| {
            c.kind == VariableKind::Return && (is_given || c.callable != Callable::Member)
        });
        out.extend(returned.map(|(_, v)| *v));
    }
    out
}

/// Annotations that call nothing.
const SILENT: &[&str] = &[
    "Override",
    "Deprecated",
    "SuppressWarnings",
    "SafeVarargs",
    "Nullable",
    "NonNull",
    "NotNull",
    "Nonnull",
    "CheckForNull",
    "CheckReturnValue",
    "CanIgnoreReturnValue",
    "VisibleForTesting",
    "Contract",
];

/// True for code that others may call who are not here: they are told by an annotation, by a type of theirs that it
/// implements, or by its name if nobody here calls it. So is what makes an object of a class that has an annotation.
fn is_for_others(program: &Program, body: BodyId, is_uncalled: bool) -> bool {
    let speaks =
        |annotations: &[SmolStr]| annotations.iter().any(|a| !SILENT.contains(&a.as_str()));
    let of_class = || {
        let decl = program.type_decl(program.body_owner(body));
        decl.is_none_or(|d| speaks(&d.annotations))
    };
    let Some(method) = program.body_method(body) else {
        return of_class();
    };
    let Some(decl) = program.method_decl(method) else {
        return true;
    };
    let is_property = match decl.params.len() {
        0 => decl.name.starts_with("get") || decl.name.starts_with("is"),
        1 => decl.name.starts_with("set") || decl.name == "main",
        _ => false,
    };
    speaks(&decl.annotations)
        || is_asked_for(program, body)
        || is_uncalled && is_property
        || program.is_constructor(method) && of_class()
}

/// True for a method of one of these names.
fn is_named(program: &Program, body: BodyId, names: &FxHashSet<SmolStr>) -> bool {
    let method = program.body_method(body);
    let decl = method.and_then(|m| program.method_decl(m));
    decl.is_some_and(|d| names.contains(&d.name))
}

/// True for a method that overrides one which is not here, but for what every object has: whoever wants that asks for it.
fn is_asked_for(program: &Program, body: BodyId) -> bool {
    let method = program.body_method(body);
    method.is_some_and(|m| {
        let decl = program.method_decl(m);
        decl.is_some_and(|d| {
            d.annotations.iter().any(|a| a == "Override") && !CUSTOMARY.contains(&d.name.as_str())
        }) && program.super_methods(m).is_empty()
    })
}

/// By vertex, whether it may flow into one of these.
fn reaching(graph: &Assembled, seeds: impl Iterator<Item = u32>) -> Vec<bool> {
    let mut out = vec![false; graph.nodes.len()];
    let mut work: Vec<u32> = seeds.collect();
    while let Some(v) = work.pop() {
        if !std::mem::replace(&mut out[v as usize], true) {
            work.extend(graph.psg.outgoing(v).map(|e| e.to));
        }
    }
    out
}
