//! Whether a value is nothing but what the test itself told somebody, followed through the code under test that hands it on.
//!
//! A mock answers what the test told it, and an argument is the test's own: whoever asserts either asserts the test. By the
//! type of a value alone nobody knows which it is; so each expression that gives it is followed to what that gives, through
//! locals, arguments, what methods return, fields that a constructor was given, and what libraries only carry: lists,
//! optionals, streams, transactions. What code under test makes, computes or chooses ends the walk, and so does all that
//! nobody knows here: then the value is no mere echo.

mod filled;

use crate::computed::{is_compound, is_text, is_value};
use crate::from_mocks::is_listing;
use calls::{RapidTypes, Workspace};
use effects::Purity;
use flow::{
    Body, Call, CallId, Callable, Callee, Def, DefId, ExprId, ExprKind, Literal, LocalId, Target,
    TypeRef,
};
use models::Carried;
use program::{
    BodyId, CallTarget, FieldId, MethodId, Modifiers, NameTarget, Program, ResolvedBody,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// So many expressions are followed, in so many bodies; what takes more is no mere echo.
const MOST: usize = 300;
const MOST_BODIES: usize = 30;
/// In so many bodies what may change a value is looked for.
const MOST_CHANGING: usize = 300;

/// How the names of methods begin that give back what they are given, if it is as it should be.
const CHECKS: &[&str] = &["validate", "require", "check", "ensure", "assert"];

/// What of an object is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    Whole,
    Field(FieldId),
    /// One that nobody knows here.
    Some,
}

/// Whose a value is that code under test only hands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Echo {
    /// What the test gave as it is.
    Own,
    /// What a mock answers, at least in part.
    Mock,
}

/// What is known of the tests that the values belong to.
pub(crate) struct PassedThrough<'a> {
    workspace: &'a Workspace,
    rapid_types: &'a RapidTypes<'a>,
    purity: &'a Purity,
    /// The simple names of the types of libraries that are mocked.
    by_name: FxHashSet<SmolStr>,
}

/// Where an expression stands, and what of it is asked for.
type Place = (BodyId, ExprId, Part);

/// What holds a value in a body.
#[derive(Clone, Copy)]
enum Holder {
    Local(LocalId),
    /// Of the object itself.
    Field(FieldId),
}

/// A call that led to a body.
#[derive(Clone, PartialEq)]
struct Caller {
    from: BodyId,
    args: Vec<ExprId>,
    /// None for the object itself, for what is made, and for static methods.
    on: Option<ExprId>,
    is_new: bool,
}

struct Walk<'a> {
    of: &'a PassedThrough<'a>,
    work: Vec<Place>,
    seen: FxHashSet<Place>,
    callers: FxHashMap<BodyId, Vec<Caller>>,
    echo: Option<Echo>,
    /// Code under test decides which of several it is.
    chooses: bool,
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

    /// Whose it is that some expressions of a test give, kept in a `local` or not, or what a `query` gives of that; none if
    /// code under test made it, or nobody knows. Linear in the bodies that are followed, of which there are few.
    pub(crate) fn echo(
        &self,
        own: BodyId,
        from: &[ExprId],
        local: Option<LocalId>,
        query: Option<MethodId>,
    ) -> Option<Echo> {
        let mut walk = Walk {
            of: self,
            work: Vec::new(),
            seen: FxHashSet::default(),
            callers: FxHashMap::default(),
            echo: None,
            chooses: false,
        };
        let part = match query {
            None => {
                walk.on(own, from.iter().copied(), Part::Whole);
                Part::Whole
            }
            Some(query) => {
                for &e in from {
                    walk.returned(own, query, Some(e), &[], Part::Whole)?;
                }
                // What the object was asked for first; whatever is behind it is followed.
                match walk.fields_of(query)[..] {
                    [field] => Part::Field(field),
                    _ => Part::Some,
                }
            }
        };
        // The test may have had code change it.
        if let Some(local) = local {
            let body = &self.workspace.program().body(own)?.body;
            let mut added = Vec::new();
            let set = walk.filled(own, body, Holder::Local(local), part, &mut added)?;
            walk.on(own, added.into_iter().chain(set), Part::Whole);
        }
        let mut steps = 0;
        while let Some(place) = walk.work.pop() {
            if !walk.seen.insert(place) {
                continue;
            }
            steps += 1;
            if steps > MOST {
                return None;
            }
            walk.step(place)?;
        }
        // Which of its own it is, a test does not know by itself; of answers it has told only one.
        walk.echo
            .filter(|echo| *echo == Echo::Mock || !walk.chooses)
    }
}

/// Each step is none if the value is no echo, or nobody knows.
impl Walk<'_> {
    fn program(&self) -> &Program {
        self.of.workspace.program()
    }

    fn on(&mut self, id: BodyId, all: impl IntoIterator<Item = ExprId>, part: Part) {
        self.work.extend(all.into_iter().map(|e| (id, e, part)));
    }

    /// One of several, as the code decides.
    fn one_of(&mut self, id: BodyId, body: &Body, all: &[ExprId], part: Part) {
        let is_some = |e: &&ExprId| body.expr(**e).kind != ExprKind::Literal(Literal::Null);
        self.chooses |= !self.is_of_test(id) && all.iter().filter(is_some).count() > 1;
        self.on(id, all.iter().copied(), part);
    }

    /// A call leads to a body: what was seen there is seen again, with what this one gives it.
    fn enter(&mut self, target: BodyId, caller: Caller) {
        let callers = self.callers.entry(target).or_default();
        if !callers.contains(&caller) {
            callers.push(caller);
            self.seen.retain(|(id, ..)| *id != target);
        }
    }

    fn told(&mut self, echo: Echo) -> Option<()> {
        self.echo = self.echo.max(Some(echo));
        Some(())
    }

    fn is_of_test(&self, id: BodyId) -> bool {
        let program = self.program();
        program.is_test_type(program.body_owner(id))
    }

    fn step(&mut self, (id, e, part): Place) -> Option<()> {
        let workspace = self.of.workspace;
        let decl = workspace.program().body(id)?;
        let resolved = workspace.resolved(id)?;
        let body = &*decl.body;
        let at = body.expr(e);
        let is_own = self.is_of_test(id);
        match at.kind {
            ExprKind::Literal(Literal::Null) => {}
            ExprKind::Literal(_) if is_own && part == Part::Whole => self.told(Echo::Own)?,
            ExprKind::Literal(Literal::Str)
                if self.program().body_text(id, at.start, at.end) == "\"\"" => {}
            ExprKind::Cast { operand, .. } => self.on(id, [operand], part),
            ExprKind::Index { array, .. } => self.on(id, [array], part),
            ExprKind::NewArray { operands, .. } if is_own && part == Part::Whole => {
                self.told(Echo::Own)?;
                self.on(id, body.list(operands).to_vec(), Part::Whole);
            }
            // The condition, or the selector, stands first.
            ExprKind::Conditional { operands } | ExprKind::Switch { operands } => {
                self.one_of(id, body, &body.list(operands)[1..], part);
            }
            ExprKind::Local(local) => self.local(id, body, local, part)?,
            ExprKind::This => self.itself(id, body, resolved, part)?,
            ExprKind::Name(_) => match resolved.name(e)? {
                NameTarget::Captured {
                    body: around,
                    local,
                } => {
                    let decl = workspace.program().body(around)?;
                    self.local(around, &decl.body, local, part)?;
                }
                NameTarget::Field(field) => self.own_field(id, field, part)?,
                _ => return None,
            },
            ExprKind::Field { object, .. } => match resolved.name(e)? {
                NameTarget::Field(field) if body.expr(object).kind == ExprKind::This => {
                    self.own_field(id, field, part)?;
                }
                NameTarget::Field(field) if self.is_static(field) => {
                    self.own_field(id, field, part)?;
                }
                NameTarget::Field(field) => self.on(id, [object], inner(part, field)),
                _ => return None,
            },
            ExprKind::Call(c) => match resolved.calls.get(c.ix())? {
                CallTarget::Workspace(method) => self.called(id, body, c, *method, part)?,
                _ => self.of_library(id, body, resolved, c, part)?,
            },
            // What a test puts together by itself: `"name" + 1`.
            ExprKind::Binary { .. }
                if is_own
                    && part == Part::Whole
                    && is_text(self.program(), resolved.ty(e))
                    && !self.asks_code(body, resolved, e) =>
            {
                self.told(Echo::Own)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn is_static(&self, field: FieldId) -> bool {
        let field = self.program().field_decl(field);
        field.is_some_and(|f| f.modifiers.has(Modifiers::STATIC) || f.enum_constant)
    }

    /// A field of the object whose code it stands in: what the calls that led there have in it. A constant that a test gives
    /// is its own.
    fn own_field(&mut self, id: BodyId, field: FieldId, part: Part) -> Option<()> {
        if self.is_static(field) {
            return (self.is_of_test(id) && part == Part::Whole).then(|| self.told(Echo::Own))?;
        }
        let callers = self.callers.get(&id).cloned().unwrap_or_default();
        if callers.is_empty() {
            // What a class of tests holds, and what of it the test sets itself.
            let decl = self.of.workspace.program().body(id)?;
            let body = self.is_of_test(id).then_some(&*decl.body)?;
            let set = self.filled(id, body, Holder::Field(field), part, &mut Vec::new())?;
            if part != Part::Whole && set.is_empty() {
                return None;
            }
            self.on(id, set, Part::Whole);
            return self.told(Echo::Own);
        }
        for caller in callers {
            let on = caller.on.filter(|_| !caller.is_new)?;
            self.on(caller.from, [on], inner(part, field));
        }
        Some(())
    }

    /// A part of the object whose code it is: what that code gives it, as `name(…)` of a builder does, or what it had before.
    fn itself(
        &mut self,
        id: BodyId,
        body: &Body,
        resolved: &ResolvedBody,
        part: Part,
    ) -> Option<()> {
        let Part::Field(field) = part else {
            return None;
        };
        let given = given_to_field(body, resolved, field)?;
        if !given.is_empty() {
            self.on(id, given, Part::Whole);
            return Some(());
        }
        for caller in self.callers.get(&id)?.clone() {
            let on = caller.on.filter(|_| !caller.is_new)?;
            self.on(caller.from, [on], part);
        }
        Some(())
    }

    /// What a local has: all that it was given, if nothing changes it.
    fn local(&mut self, id: BodyId, body: &Body, local: LocalId, part: Part) -> Option<()> {
        // What a `catch` gives it then, is for when things fail.
        let own = |d: &&Def| d.target == Target::Local(local) && !body.is_in_catch(d.expr);
        let defs: Vec<&Def> = body.defs.iter().filter(own).collect();
        if defs.iter().any(|d| d.compound) {
            return None;
        }
        let sources = defs.iter().flat_map(|d| body.list(d.sources));
        let mut next: Vec<ExprId> = sources.copied().collect();
        let mut added: Vec<ExprId> = Vec::new();
        let set = self.filled(id, body, Holder::Local(local), part, &mut added)?;
        // What was there before is gone.
        if !set.is_empty() {
            self.on(id, set, Part::Whole);
            return Some(());
        }
        if let Some(at) = body.params.iter().position(|p| *p == local) {
            let callers = self.callers.get(&id).cloned().unwrap_or_default();
            if callers.is_empty() {
                return None;
            }
            for caller in callers {
                let given = *caller.args.get(at).or(caller.args.last())?;
                self.on(caller.from, [given], part);
            }
        } else if let Some(lambda) = body.lambdas.iter().find(|l| l.params.contains(&local)) {
            // An element of what the function is given to.
            let takes = |call: &&Call| body.list(call.args).contains(&lambda.expr);
            let call = body.calls.iter().find(takes)?;
            next.push(call.callee.on()?.0);
        } else if next.is_empty() {
            return None;
        }
        self.one_of(id, body, &next, part);
        let resolved = self.of.workspace.resolved(id)?;
        for e in added {
            let is_list = is_compound(self.program(), resolved.ty(e));
            let part = if is_list { part } else { Part::Some };
            self.on(id, [e], part);
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
        part: Part,
    ) -> Option<()> {
        let call = &body.calls[c.ix()];
        let args = body.list(call.args).to_vec();
        if matches!(call.callee, Callee::New { .. }) {
            return match part {
                // What a test makes is its own.
                Part::Whole => self.is_of_test(id).then(|| self.told(Echo::Own))?,
                Part::Field(field) => self.made(id, method, &args, field),
                Part::Some => None,
            };
        }
        let site = self.of.workspace.call_graph().sites(id);
        let site = site.iter().find(|s| s.expr == call.expr)?;
        if self.of.rapid_types.is_answered_by_mock(id, site) {
            return self.told(Echo::Mock);
        }
        let resolved = self.of.workspace.resolved(id)?;
        if !self.is_of_test(id)
            && let Some(given) = checked(body, resolved, call)
        {
            self.on(id, [given], part);
            return Some(());
        }
        self.returned(id, method, call.callee.on().map(|(on, _)| on), &args, part)
    }

    /// What a constructor puts into a field.
    fn made(
        &mut self,
        id: BodyId,
        constructor: MethodId,
        args: &[ExprId],
        field: FieldId,
    ) -> Option<()> {
        let workspace = self.of.workspace;
        let program = workspace.program();
        let Some(target) = program.method_body(constructor) else {
            // The components of a record stand in its order.
            let owner = program.method_owner(constructor);
            let fields = program.fields_of_type(owner).iter().copied();
            let is_component = |f: &FieldId| program.field_decl(*f).is_some_and(|f| f.implicit);
            let components: Vec<FieldId> = fields.filter(is_component).collect();
            let at = components.iter().position(|f| *f == field)?;
            let given = *args.get(at).filter(|_| args.len() == components.len())?;
            self.on(id, [given], Part::Whole);
            return Some(());
        };
        let decl = program.body(target)?;
        let resolved = workspace.resolved(target)?;
        let body = &*decl.body;
        let is_it = |e: ExprId| resolved.name(e) == Some(NameTarget::Field(field));
        let mut sources = given_to_field(body, resolved, field)?;
        let mut added: Vec<ExprId> = Vec::new();
        for call in &body.calls {
            if let Some((_, name)) = call.callee.on().filter(|(on, _)| is_it(*on)) {
                if !models::adds(body.name(name)) {
                    return None;
                }
                added.extend(body.list(call.args).last());
            }
        }
        sources.extend_from_slice(&added);
        let caller = Caller {
            from: id,
            args: args.to_vec(),
            on: None,
            is_new: true,
        };
        self.enter(target, caller);
        if !sources.is_empty() {
            for e in sources {
                let is_kept = is_compound(program, resolved.ty(e)) || !added.contains(&e);
                let part = if is_kept { Part::Whole } else { Part::Some };
                self.on(target, [e], part);
            }
            return Some(());
        }
        // `this(…)`, `super(…)`
        let above = body.calls.iter().enumerate().find(|(_, call)| {
            matches!(
                call.callee,
                Callee::ThisConstructor | Callee::SuperConstructor { .. }
            )
        });
        let (at, above) = above?;
        match resolved.calls.get(at)? {
            CallTarget::Workspace(next) if self.callers.len() < MOST_BODIES => {
                let args = body.list(above.args).to_vec();
                self.made(target, *next, &args, field)
            }
            _ => None,
        }
    }

    /// What the bodies of a method give.
    fn returned(
        &mut self,
        id: BodyId,
        method: MethodId,
        on: Option<ExprId>,
        args: &[ExprId],
        part: Part,
    ) -> Option<()> {
        let workspace = self.of.workspace;
        let program = workspace.program();
        let targets = workspace.call_graph().targets_of(method);
        if self.only_reads(method) {
            let field = *targets.components().first()?;
            self.on(id, [on?], inner(part, field));
            return Some(());
        }
        let reached = self.of.rapid_types.called();
        let bodies: Vec<BodyId> = targets.bodies().iter().copied().collect();
        let bodies: Vec<BodyId> = bodies
            .into_iter()
            .filter(|b| reached.contains(*b))
            .collect();
        if bodies.is_empty() {
            return None;
        }
        let is_own = self.is_of_test(id);
        for target in bodies {
            // A class of the test stands in for one of the code under test.
            if self.is_of_test(target) && !is_own {
                self.told(Echo::Own)?;
                continue;
            }
            let gives = &program.body(target)?.body;
            let own = gives.returns.iter();
            let own = own.filter(|r| r.callable == Callable::Member && !gives.is_in_catch(r.expr));
            let values: Vec<ExprId> = own.filter_map(|r| r.value).collect();
            if values.is_empty() {
                return None;
            }
            let caller = Caller {
                from: id,
                args: args.to_vec(),
                on,
                is_new: false,
            };
            self.enter(target, caller);
            self.one_of(target, gives, &values, part);
        }
        Some(())
    }

    /// What a call of a library gives.
    fn of_library(
        &mut self,
        id: BodyId,
        body: &Body,
        resolved: &ResolvedBody,
        c: CallId,
        part: Part,
    ) -> Option<()> {
        let program = self.of.workspace.program();
        let call = &body.calls[c.ix()];
        let args = body.list(call.args);
        if self.is_of_test(id) && part == Part::Whole && !self.asks_code(body, resolved, call.expr)
        {
            return self.told(Echo::Own);
        }
        let is_literal = |e: &ExprId| matches!(body.expr(*e).kind, ExprKind::Literal(_));
        let given = args.iter().copied().filter(|a| !is_literal(a));
        let given: Vec<ExprId> = given.collect();
        let (receiver, name) = match call.callee {
            Callee::Method { receiver, name } => (receiver, body.name(name).as_str()),
            // `new ArrayList<>(rows)`
            Callee::New { .. } if is_compound(program, resolved.ty(call.expr)) => {
                self.on(id, given, part);
                return Some(());
            }
            _ => return None,
        };
        if receiver.is_some_and(|of| self.is_mocked(id, resolved, of)) {
            return self.told(Echo::Mock);
        }
        if let Some(functions) = receiver.and_then(|r| self.functions(id, body, r)) {
            for (from, function) in functions {
                let decl = program.body(from)?;
                self.given(from, &decl.body, function, function, part)?;
            }
            return Some(());
        }
        let carried = models::carried(name);
        if matches!(carried, Some(Carried::Mapped | Carried::Run)) {
            let mut functions = args.iter().filter(|a| {
                matches!(
                    body.expr(**a).kind,
                    ExprKind::Lambda(_) | ExprKind::MethodRef { .. }
                )
            });
            if name == "orElseGet" {
                self.on(id, [receiver?], part);
            }
            let function = *functions.next()?;
            return self.given(id, body, function, receiver?, part);
        }
        if carried == Some(Carried::Gathered) {
            let is_own = self.is_of_test(id);
            for e in given {
                let of = match is_own {
                    true => part,
                    false => put(program, (resolved, call.expr, e), part),
                };
                self.on(id, [e], of);
            }
            return Some(());
        }
        let receiver = receiver?;
        let takes_all = |a: &ExprId| match body.expr(*a).kind {
            ExprKind::MethodRef { name, .. } => body.name(name) == "nonNull",
            _ => false,
        };
        match (carried, name) {
            (_, "orElse" | "getOrDefault") => self.on(id, [receiver, *args.last()?], part),
            (Some(Carried::Chosen), "collect") if is_listing(body, call) => {
                self.on(id, [receiver], part);
            }
            (Some(Carried::Chosen), "filter") if args.iter().all(takes_all) => {
                self.on(id, [receiver], part);
            }
            (Some(Carried::HandedOn | Carried::Kept), _) => self.on(id, [receiver], part),
            (None, _)
                if !is_value(program, resolved.ty(receiver)) && args.iter().all(is_literal) =>
            {
                // Of a mock's answer whatever a library makes of it alone; of a text another one.
                self.on(id, [receiver], Part::Some);
            }
            _ => return None,
        }
        Some(())
    }

    /// True for an expression in which code under test is called, or a variable stands: they are followed.
    fn asks_code(&self, body: &Body, resolved: &ResolvedBody, e: ExprId) -> bool {
        let program = self.program();
        let whole = body.expr(e);
        let all = (0..body.exprs.len() as u32).map(ExprId);
        let mut within = all.filter(|e| {
            let at = body.expr(*e);
            whole.start <= at.start && at.end <= whole.end
        });
        within.any(|e| match body.expr(e).kind {
            ExprKind::Local(_) => true,
            ExprKind::Name(_) | ExprKind::Field { .. } => match resolved.name(e) {
                Some(NameTarget::Captured { .. }) => true,
                Some(NameTarget::Field(field)) => !self.is_static(field),
                _ => false,
            },
            ExprKind::Call(c) => match resolved.calls.get(c.ix()) {
                Some(CallTarget::Workspace(m)) => {
                    !matches!(body.calls[c.ix()].callee, Callee::New { .. })
                        && !program.is_test_type(program.method_owner(*m))
                }
                _ => false,
            },
            _ => false,
        })
    }

    /// The lambdas that a parameter is, as far as the calls say that led to its body: `action.call()`.
    fn functions(&self, id: BodyId, body: &Body, e: ExprId) -> Option<Vec<(BodyId, ExprId)>> {
        let ExprKind::Local(local) = body.expr(e).kind else {
            return None;
        };
        let at = body.params.iter().position(|p| *p == local)?;
        let callers = self.callers.get(&id)?.iter();
        callers
            .map(|caller| {
                let given = *caller.args.get(at)?;
                let from = &self.program().body(caller.from)?.body;
                let is_lambda = matches!(from.expr(given).kind, ExprKind::Lambda(_));
                is_lambda.then_some((caller.from, given))
            })
            .collect()
    }

    /// What a function gives that a library calls, on elements of what it is called on.
    fn given(
        &mut self,
        id: BodyId,
        body: &Body,
        function: ExprId,
        on: ExprId,
        part: Part,
    ) -> Option<()> {
        match body.expr(function).kind {
            ExprKind::Lambda(lambda) => {
                let own = Callable::Lambda(lambda);
                let mut values: Vec<ExprId> = body.lambdas[lambda.ix()].value.into_iter().collect();
                let returns = body.returns.iter().filter(|r| r.callable == own);
                values.extend(returns.filter_map(|r| r.value));
                if values.is_empty() {
                    return None;
                }
                self.on(id, values, part);
                Some(())
            }
            ExprKind::MethodRef { name, .. } if models::gives_each(body.name(name)) => {
                self.on(id, [on], part);
                Some(())
            }
            ExprKind::MethodRef { .. } => {
                let sites = self.of.workspace.call_graph().sites(id);
                let site = sites.iter().find(|s| s.expr == function)?;
                if self.of.rapid_types.is_answered_by_mock(id, site) {
                    return self.told(Echo::Mock);
                }
                self.returned(id, site.target, Some(on), &[on], part)
            }
            _ => None,
        }
    }

    /// True for an object of a type of a library that the tests have a mock of.
    fn is_mocked(&self, id: BodyId, resolved: &ResolvedBody, e: ExprId) -> bool {
        let program = self.program();
        let by_name = |ty: &TypeRef| {
            let written = program.display_written(ty);
            let simple = written.rsplit('.').next().unwrap_or(&written);
            !self.is_of_test(id) && self.of.by_name.contains(simple)
        };
        let local = || {
            let body = &program.body(id)?.body;
            match body.expr(e).kind {
                ExprKind::Local(l) => body.types.get(body.locals[l.ix()].ty.ix()),
                _ => None,
            }
        };
        match (program.class_of(resolved.ty(e)), resolved.name(e)) {
            (Some(class), _) => self.of.rapid_types.is_mocked(class),
            (None, Some(NameTarget::Field(field))) => {
                program.field_decl(field).is_some_and(|d| by_name(&d.ty))
            }
            _ => local().is_some_and(by_name),
        }
    }
}

/// What is asked for of an element that code puts into a list: that it is in there, and alone, the code decides.
fn put(
    program: &Program,
    (resolved, list, e): (&ResolvedBody, ExprId, ExprId),
    part: Part,
) -> Part {
    let holds = |e: ExprId| is_compound(program, resolved.ty(e));
    match holds(list) && !holds(e) {
        true => Part::Some,
        false => part,
    }
}

/// What a body gives a field of its object; none if it makes something of what that was before.
fn given_to_field(body: &Body, resolved: &ResolvedBody, field: FieldId) -> Option<Vec<ExprId>> {
    let is_own = |place: ExprId| match body.expr(place).kind {
        ExprKind::Name(_) => true,
        ExprKind::Field { object, .. } => body.expr(object).kind == ExprKind::This,
        _ => false,
    };
    let defs = body
        .defs
        .iter()
        .enumerate()
        .filter(|(at, def)| match def.target {
            Target::OwnField(_) => resolved.own_field(DefId(*at as u32)) == Some(field),
            Target::Place(place) => {
                resolved.name(place) == Some(NameTarget::Field(field)) && is_own(place)
            }
            Target::Element(_) | Target::Local(_) => false,
        });
    // The value stands before what it is put into.
    let value = |def: &Def| {
        body.list(def.sources)
            .first()
            .copied()
            .filter(|_| !def.compound)
    };
    defs.map(|(_, def)| value(def)).collect()
}

/// A field of what is asked for already.
fn inner(part: Part, field: FieldId) -> Part {
    match part {
        Part::Whole => Part::Field(field),
        _ => Part::Some,
    }
}

/// What a method by whose name it only checks is given first, of the type that it gives: `this.name = validateName(name)`.
fn checked(body: &Body, resolved: &ResolvedBody, call: &Call) -> Option<ExprId> {
    let name = body.method_name(call)?;
    let given = *body.list(call.args).first()?;
    let is_check = CHECKS.iter().any(|c| name.starts_with(c));
    (is_check && resolved.ty(given) == resolved.ty(call.expr)).then_some(given)
}
