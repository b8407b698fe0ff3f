//! Whether a value is nothing but what the test itself told somebody, followed through the code under test that hands it on.
//!
//! A mock answers what the test told it, and an argument is the test's own: whoever asserts either asserts the test. By the
//! type of a value alone nobody knows which it is; so each expression that gives it is followed to what that gives, through
//! locals, arguments, what methods return, and what libraries only carry: lists, optionals, streams, transactions. What code
//! under test makes, computes or chooses ends the walk, and so does all that nobody knows here: then the value is no mere
//! answer.

use crate::computed::is_compound;
use crate::from_mocks::{GIVING, is_listing};
use calls::{RapidTypes, Workspace};
use effects::Purity;
use flow::{Body, Call, CallId, Callable, Callee, Def, ExprId, ExprKind, Literal, LocalId, Target};
use program::{BodyId, CallTarget, MethodId, NameTarget, Program, ResolvedBody};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// So many expressions are followed; what takes more is no mere answer.
const MOST: usize = 300;

/// Functions of libraries that give what they are given, alone or with others.
const GATHERS: &[&str] = &[
    "asList",
    "completedFuture",
    "copyOf",
    "just",
    "newArrayList",
    "newHashSet",
    "of",
    "ofEntries",
    "ofNullable",
    "ok",
    "requireNonNull",
    "singleton",
    "singletonList",
];

/// The same by the beginning of their names.
const WRAPS: &[&str] = &["checkNotNull", "empty", "synchronized", "unmodifiable"];

/// What puts an element into a collection.
const ADDS: &[&str] = &["add", "addAll", "addFirst", "addLast", "put", "putAll"];

/// What a library makes of each element, as the function says that it is given.
const MAPS: &[&str] = &[
    "flatMap",
    "map",
    "mapMulti",
    "mapToInt",
    "mapToLong",
    "mapToObj",
    "thenApply",
    "thenCompose",
];

/// What runs a function that it is given, and gives what that gives.
const RUNS: &[&str] = &[
    "call",
    "callInTransaction",
    "compute",
    "computeIfAbsent",
    "defer",
    "doInTransaction",
    "execute",
    "executeInTransaction",
    "fromCallable",
    "fromSupplier",
    "inTransaction",
    "invoke",
    "orElseGet",
    "run",
    "submit",
    "supply",
    "supplyAsync",
    "withTransaction",
];

/// What chooses among what it has, puts it in another order, or makes one of it.
const CHOOSES: &[&str] = &[
    "collect",
    "count",
    "distinct",
    "dropWhile",
    "filter",
    "indexOf",
    "limit",
    "max",
    "min",
    "reduce",
    "size",
    "skip",
    "sort",
    "sorted",
    "sum",
    "takeWhile",
];

/// How what may change an argument begins that is no code of the workspace.
const CHANGES: &[&str] = &[
    "apply", "convert", "copy", "fill", "inject", "map", "merge", "populate", "read", "reverse",
    "set", "shuffle", "sort", "update",
];

/// What one expression is.
enum Step {
    /// What the test told a mock, or its own.
    Told,
    /// Nothing, or what stands in the work list since.
    On,
}

/// What is known of the tests that the values belong to.
pub(crate) struct PassedThrough<'a> {
    workspace: &'a Workspace,
    rapid_types: &'a RapidTypes<'a>,
    purity: &'a Purity,
    /// The simple names of the types of libraries that are mocked.
    by_name: FxHashSet<SmolStr>,
}

/// Where an expression stands: whether a part of its object is asked for.
type Place = (BodyId, ExprId, bool);

struct Walk<'a> {
    of: &'a PassedThrough<'a>,
    /// The test.
    own: BodyId,
    work: Vec<Place>,
    seen: FxHashSet<Place>,
    /// By body: the calls that led there, and what each of its parameters is given.
    callers: FxHashMap<BodyId, Vec<(BodyId, Vec<ExprId>)>>,
}

impl<'a> PassedThrough<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        rapid_types: &'a RapidTypes<'a>,
        purity: &'a Purity,
        by_name: FxHashSet<SmolStr>,
    ) -> PassedThrough<'a> {
        PassedThrough {
            workspace,
            rapid_types,
            purity,
            by_name,
        }
    }

    /// True if what some expressions of a test give is nothing but what the test told somebody. Linear in the bodies that
    /// are followed, of which there are few.
    pub(crate) fn has(&self, own: BodyId, from: &[ExprId]) -> bool {
        let mut walk = Walk {
            of: self,
            own,
            work: from.iter().map(|e| (own, *e, false)).collect(),
            seen: FxHashSet::default(),
            callers: FxHashMap::default(),
        };
        let mut is_told = false;
        while let Some(place) = walk.work.pop() {
            if !walk.seen.insert(place) {
                continue;
            }
            if walk.seen.len() > MOST {
                return false;
            }
            match walk.step(place) {
                Some(Step::Told) => is_told = true,
                Some(Step::On) => {}
                // Code under test made it, or nobody knows.
                None => return false,
            }
        }
        is_told
    }
}

impl Walk<'_> {
    fn program(&self) -> &Program {
        self.of.workspace.program()
    }

    fn on(&mut self, id: BodyId, all: impl IntoIterator<Item = ExprId>, part: bool) -> Step {
        self.work.extend(all.into_iter().map(|e| (id, e, part)));
        Step::On
    }

    /// What an expression is; none if nobody knows.
    fn step(&mut self, (id, e, part): Place) -> Option<Step> {
        let workspace = self.of.workspace;
        let decl = workspace.program().body(id)?;
        let resolved = workspace.resolved(id)?;
        let body = &*decl.body;
        let at = body.expr(e);
        Some(match at.kind {
            ExprKind::Literal(Literal::Null) => Step::On,
            ExprKind::Literal(Literal::Str)
                if self.program().body_text(id, at.start, at.end) == "\"\"" =>
            {
                Step::On
            }
            ExprKind::Cast { operand, .. } => self.on(id, [operand], part),
            ExprKind::Index { array, .. } => self.on(id, [array], true),
            // The condition, or the selector, stands first.
            ExprKind::Conditional { operands } | ExprKind::Switch { operands } => {
                self.on(id, body.list(operands)[1..].to_vec(), part)
            }
            ExprKind::Local(local) => self.local(id, body, local, part)?,
            ExprKind::Name(_) => match resolved.name(e)? {
                NameTarget::Captured {
                    body: around,
                    local,
                } => {
                    let decl = workspace.program().body(around)?;
                    self.local(around, &decl.body, local, part)?
                }
                _ => return None,
            },
            ExprKind::Field { object, .. } => match resolved.name(e)? {
                NameTarget::Field(_) => self.on(id, [object], true),
                _ => return None,
            },
            ExprKind::Call(c) => match resolved.calls.get(c.ix())? {
                CallTarget::Workspace(method) => self.called(id, body, c, *method, part)?,
                _ => self.of_library(id, body, resolved, c, part)?,
            },
            _ => return None,
        })
    }

    /// What a local has: all that it was given, if nothing changes it.
    fn local(&mut self, id: BodyId, body: &Body, local: LocalId, part: bool) -> Option<Step> {
        let own = |d: &&Def| d.target == Target::Local(local);
        let defs: Vec<&Def> = body.defs.iter().filter(own).collect();
        if defs.iter().any(|d| d.compound) {
            return None;
        }
        let mut next: Vec<ExprId> = defs
            .iter()
            .flat_map(|d| body.list(d.sources))
            .copied()
            .collect();
        self.filled(id, body, local, &mut next)?;
        if let Some(at) = body.params.iter().position(|p| *p == local) {
            let callers = self.callers.get(&id).cloned().unwrap_or_default();
            if callers.is_empty() {
                return None;
            }
            for (from, args) in callers {
                let given = *args.get(at).or(args.last())?;
                self.work.push((from, given, part));
            }
        } else if let Some(lambda) = body.lambdas.iter().find(|l| l.params.contains(&local)) {
            // An element of what the function is given to.
            let takes = |call: &&Call| body.list(call.args).contains(&lambda.expr);
            let call = body.calls.iter().find(takes)?;
            next.push(call.callee.on()?.0);
        } else if next.is_empty() {
            return None;
        }
        Some(self.on(id, next, part))
    }

    /// What is put into a local; none if something may change it otherwise.
    fn filled(
        &self,
        id: BodyId,
        body: &Body,
        local: LocalId,
        next: &mut Vec<ExprId>,
    ) -> Option<()> {
        let program = self.program();
        let resolved = self.of.workspace.resolved(id)?;
        let is_it = |e: ExprId| body.expr(e).kind == ExprKind::Local(local);
        for def in &body.defs {
            match def.target {
                Target::Element(array) if is_it(array) => {
                    next.extend_from_slice(body.list(def.sources));
                }
                Target::Place(place) => {
                    if let ExprKind::Field { object, .. } = body.expr(place).kind
                        && is_it(object)
                    {
                        return None;
                    }
                }
                _ => {}
            }
        }
        for (at, call) in body.calls.iter().enumerate() {
            let on = call.callee.on().filter(|(on, _)| is_it(*on));
            let is_given = body.list(call.args).iter().any(|a| is_it(*a));
            if on.is_none() && !is_given {
                continue;
            }
            match resolved.calls.get(at) {
                Some(CallTarget::Workspace(m)) => {
                    let is_of_test = program.is_test_type(program.method_owner(*m));
                    let sites = self.of.workspace.call_graph().sites(id);
                    let mut sites = sites.iter().filter(|s| s.expr == call.expr);
                    let is_mock = sites.any(|s| self.of.rapid_types.is_answered_by_mock(id, s));
                    let is_pure = || self.of.purity.is_pure(self.of.workspace, *m);
                    if !is_mock && !is_of_test && !is_pure() && !self.only_reads(*m) {
                        return None;
                    }
                }
                _ => {
                    let name = body.method_name(call)?;
                    if on.is_some() && ADDS.contains(&name.as_str()) {
                        let args = body.list(call.args);
                        next.extend(args.last());
                    } else if call.dropped
                        && (on.is_some() || CHANGES.iter().any(|c| name.starts_with(c)))
                    {
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// True for an accessor that the language or a tool adds.
    fn only_reads(&self, method: MethodId) -> bool {
        let targets = self.of.workspace.call_graph().targets_of(method);
        targets.bodies().is_empty() && !targets.components().is_empty()
    }

    /// What a call of a method of the workspace gives.
    fn called(
        &mut self,
        id: BodyId,
        body: &Body,
        c: CallId,
        method: MethodId,
        part: bool,
    ) -> Option<Step> {
        let workspace = self.of.workspace;
        let program = workspace.program();
        let call = &body.calls[c.ix()];
        let is_own = id == self.own || program.is_test_type(program.body_owner(id));
        if matches!(call.callee, Callee::New { .. }) {
            // What the constructor makes of it, the code under test decides.
            return (is_own && !part).then_some(Step::Told);
        }
        if is_own && program.is_test_type(program.method_owner(method)) {
            return (!part).then_some(Step::Told);
        }
        let site = workspace.call_graph().sites(id);
        let site = site.iter().find(|s| s.expr == call.expr)?;
        if self.of.rapid_types.is_answered_by_mock(id, site) {
            return Some(Step::Told);
        }
        let args = body.list(call.args).to_vec();
        self.returned(id, method, call.callee.on().map(|(on, _)| on), args)
    }

    /// What the bodies of a method give; of an accessor its object.
    fn returned(
        &mut self,
        id: BodyId,
        method: MethodId,
        on: Option<ExprId>,
        args: Vec<ExprId>,
    ) -> Option<Step> {
        let workspace = self.of.workspace;
        let program = workspace.program();
        if self.only_reads(method) {
            return Some(self.on(id, [on?], true));
        }
        let targets = workspace.call_graph().targets_of(method);
        let reached = self.of.rapid_types.called();
        let bodies: Vec<BodyId> = targets.bodies().iter().copied().collect();
        let bodies: Vec<BodyId> = bodies
            .into_iter()
            .filter(|b| reached.contains(*b))
            .collect();
        if bodies.is_empty() {
            return None;
        }
        for target in bodies {
            if program.is_test_type(program.body_owner(target)) {
                return Some(Step::Told);
            }
            let gives = &program.body(target)?.body;
            let own = gives
                .returns
                .iter()
                .filter(|r| r.callable == Callable::Member);
            let values: Vec<ExprId> = own.filter_map(|r| r.value).collect();
            match values[..] {
                [] => return None,
                [value] if is_own_field(gives, self.of.workspace.resolved(target)?, value) => {
                    self.work.push((id, on?, true));
                }
                _ => {
                    let callers = self.callers.entry(target).or_default();
                    callers.push((id, args.clone()));
                    self.work
                        .extend(values.into_iter().map(|v| (target, v, false)));
                }
            }
        }
        Some(Step::On)
    }

    /// What a call of a library gives.
    fn of_library(
        &mut self,
        id: BodyId,
        body: &Body,
        resolved: &ResolvedBody,
        c: CallId,
        part: bool,
    ) -> Option<Step> {
        let program = self.of.workspace.program();
        let call = &body.calls[c.ix()];
        let args = body.list(call.args);
        let is_literal = |e: &ExprId| matches!(body.expr(*e).kind, ExprKind::Literal(_));
        let (receiver, name) = match call.callee {
            Callee::Method { receiver, name } => (receiver, body.name(name).as_str()),
            // `new ArrayList<>(rows)`
            Callee::New { .. } => {
                let holds = is_compound(program, resolved.ty(call.expr));
                let given = args.iter().copied().filter(|a| !is_literal(a));
                return holds.then(|| self.on(id, given.collect::<Vec<_>>(), part));
            }
            _ => return None,
        };
        if receiver.is_some_and(|of| self.is_mocked(id, resolved, of)) {
            return Some(Step::Told);
        }
        let functions = args.iter().filter(|a| {
            matches!(
                body.expr(**a).kind,
                ExprKind::Lambda(_) | ExprKind::MethodRef { .. }
            )
        });
        let functions: Vec<ExprId> = functions.copied().collect();
        if let [function] = functions[..]
            && (MAPS.contains(&name) || RUNS.contains(&name))
        {
            if name == "orElseGet" {
                self.work.push((id, receiver?, part));
            }
            return self.given(id, body, function, receiver?);
        }
        if GATHERS.contains(&name) || WRAPS.iter().any(|w| name.starts_with(w)) {
            let given = args.iter().copied().filter(|a| !is_literal(a));
            return Some(self.on(id, given.collect::<Vec<_>>(), part));
        }
        let takes_all = |a: &ExprId| match body.expr(*a).kind {
            ExprKind::MethodRef { name, .. } => body.name(name) == "nonNull",
            _ => false,
        };
        let is_choice = match name {
            "collect" => !is_listing(body, call),
            "filter" => !args.iter().all(takes_all),
            _ => CHOOSES.contains(&name),
        };
        if is_choice {
            return None;
        }
        match name {
            "orElse" | "getOrDefault" => {
                let other = *args.last()?;
                Some(self.on(id, [receiver?, other], part))
            }
            "collect" | "filter" | "orElseThrow" | "toArray" => {
                Some(self.on(id, [receiver?], part))
            }
            // Of lists by their places, of maps by their keys.
            _ if args.iter().all(is_literal) || name == "get" => {
                Some(self.on(id, [receiver?], part))
            }
            _ => None,
        }
    }

    /// What a function gives that a library calls, on elements of what it is called on.
    fn given(&mut self, id: BodyId, body: &Body, function: ExprId, on: ExprId) -> Option<Step> {
        match body.expr(function).kind {
            ExprKind::Lambda(lambda) => {
                let own = Callable::Lambda(lambda);
                let mut values: Vec<ExprId> = body.lambdas[lambda.ix()].value.into_iter().collect();
                let returns = body.returns.iter().filter(|r| r.callable == own);
                values.extend(returns.filter_map(|r| r.value));
                (!values.is_empty()).then(|| self.on(id, values, false))
            }
            ExprKind::MethodRef { name, .. } if GIVING.contains(&body.name(name).as_str()) => {
                Some(self.on(id, [on], false))
            }
            ExprKind::MethodRef { .. } => {
                let sites = self.of.workspace.call_graph().sites(id);
                let site = sites.iter().find(|s| s.expr == function)?;
                if self.of.rapid_types.is_answered_by_mock(id, site) {
                    return Some(Step::Told);
                }
                self.returned(id, site.target, Some(on), vec![on])
            }
            _ => None,
        }
    }

    /// True for an object of a type of a library that the tests have a mock of.
    fn is_mocked(&self, id: BodyId, resolved: &ResolvedBody, e: ExprId) -> bool {
        let program = self.program();
        match (program.class_of(resolved.ty(e)), resolved.name(e)) {
            (Some(class), _) => self.of.rapid_types.is_mocked(class),
            (None, Some(NameTarget::Field(field))) => {
                id != self.own
                    && program.field_decl(field).is_some_and(|d| {
                        let written = program.display_written(&d.ty);
                        let simple = written.rsplit('.').next().unwrap_or(&written);
                        self.of.by_name.contains(simple)
                    })
            }
            _ => false,
        }
    }
}

/// True for a field of the object itself: `name`, `this.name`.
fn is_own_field(body: &Body, resolved: &ResolvedBody, e: ExprId) -> bool {
    let is_own = match body.expr(e).kind {
        ExprKind::Name(_) => true,
        ExprKind::Field { object, .. } => body.expr(object).kind == ExprKind::This,
        _ => false,
    };
    is_own && matches!(resolved.name(e), Some(NameTarget::Field(_)))
}
