//! What a test does to the code under test, and which of its objects that code has had in its hands.
//!
//! An *act* is a call of production code with a body, on an object that is no mock. An object is *touched* where an act
//! returned it, made it, ran on it and changed something, or was given it and may have changed it. What no act touched
//! holds what the test put into it. Calls whose effects are not known touch nothing: a lens that is not sure is silent.

use super::hold_out::HoldOut;
use super::kept::is_kept;
use calls::Workspace;
use effects::Purity;
use flow::{Body, CallId, Callee, DefId, ExprId, ExprKind, Target, VariableKind};
use oracle::frameworks::{self, any};
use oracle::mocks::{is_mock_field, is_of_mock, makes_mock};
use oracle::{Reader, Root};
use program::{CallTarget, MethodId, NameTarget, Program, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What an act left in a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// A constructor of production code made it.
    Made,
    /// An act returned it, or a part of what one returned.
    Returned,
    /// An act ran on it and may have changed it.
    Changed,
    /// An act was given it and may have changed it.
    Given,
}

/// See the module's description.
#[derive(Debug, Default)]
pub(super) struct Acts {
    /// By root: how it was touched last, and where.
    touched: FxHashMap<Root, (Touch, u32)>,
    /// Roots that are mocks, captors, or answers of theirs.
    mocks: FxHashSet<Root>,
    /// Those of them that hold what a captor keeps.
    kept: FxHashSet<Root>,
    /// Roots that a mock gives to the code under test.
    answers: FxHashSet<Root>,
    /// Roots that calls touch which are expected to throw.
    thrown: FxHashSet<Root>,
    /// The code that is expected to throw: its first expression, and one past the last.
    throwing: Vec<(ExprId, ExprId)>,
    /// Locals that hold an exception that was expected.
    pub(super) caught: FxHashSet<Root>,
    /// Classes whose objects are mocks in this test: their code does not run.
    pub(super) mocked: FxHashSet<TypeId>,
    /// The acts of the body, in order.
    pub(super) acts: Vec<u32>,
    /// Methods that the test calls to set an object up.
    pub(super) setters: FxHashSet<MethodId>,
}

impl Acts {
    /// Those of a test's body, as far as the hidden assertion.
    /// `throws_behind`: the expression behind which something must throw.
    pub(super) fn new(
        workspace: &Workspace,
        purity: &Purity,
        (reader, hold_out): (&Reader<'_>, &HoldOut),
        throws_behind: Option<ExprId>,
    ) -> Acts {
        let walk = |throwing| {
            let mut walk = Walk {
                workspace,
                purity,
                reader,
                hold_out,
                out: Acts {
                    throwing,
                    ..Acts::default()
                },
            };
            walk.fields();
            walk.body();
            walk
        };
        let mut throwing = throwing(reader.body);
        let first = walk(throwing.clone());
        match throws_behind.and_then(|e| first.last_act(e)) {
            Some(last) => {
                throwing.push((last, ExprId(u32::MAX)));
                walk(throwing).out
            }
            None => first.out,
        }
    }

    /// How an act touched a root last, and where.
    pub(super) fn touch(&self, root: &Root) -> Option<(Touch, u32)> {
        self.touched.get(root).copied()
    }

    /// True for what mocks are and what they answer.
    pub(super) fn is_mock(&self, root: &Root) -> bool {
        self.mocks.contains(root)
    }

    /// True for what the test has of a captor.
    pub(super) fn is_kept(&self, root: &Root) -> bool {
        self.kept.contains(root)
    }

    /// Those that the test, or its class, has.
    pub(super) fn mocks(&self) -> impl Iterator<Item = &Root> {
        self.mocks.iter()
    }

    /// True if there are any.
    pub(super) fn has_mocks(&self) -> bool {
        !self.mocks.is_empty()
    }

    /// True for what the test told a mock to give to the code under test.
    pub(super) fn is_answer(&self, root: &Root) -> bool {
        self.answers.contains(root)
    }

    /// True if a call that must throw had its object last in its hands, or would have to return it.
    pub(super) fn must_throw(&self, root: &Root, dropped: Option<ExprId>) -> bool {
        self.thrown.contains(root) || dropped.is_some_and(|call| self.is_expected_to_throw(call))
    }

    /// True for code that is expected to throw.
    fn is_expected_to_throw(&self, e: ExprId) -> bool {
        let mut throwing = self.throwing.iter();
        throwing.any(|&(first, end)| first <= e && e < end)
    }
}

struct Walk<'a, 'w> {
    workspace: &'w Workspace,
    purity: &'w Purity,
    reader: &'a Reader<'w>,
    hold_out: &'a HoldOut,
    out: Acts,
}

impl Walk<'_, '_> {
    /// Fields of the test's classes: those that are mocks by their annotations, or that code which runs with the test gives
    /// one.
    fn fields(&mut self) {
        let program = self.workspace.program();
        let mut class = Some(program.body_owner(self.reader.id));
        let mut left = 20;
        while let Some(c) = class {
            for &f in program.fields_of_type(c) {
                if let Some(decl) = program.field_decl(f)
                    && is_mock_field(decl)
                {
                    self.out.mocks.insert(Root::Field(f));
                    self.mocks_class(program.field_type(f));
                }
            }
            class = program.superclass(c).or_else(|| program.enclosing_type(c));
            left -= 1;
            if left == 0 {
                break;
            }
        }
        let test = program.body_method(self.reader.id);
        let test_code = test.map(|t| self.workspace.test_code(self.workspace.own_run(t)));
        for body in test_code.unwrap_or_default() {
            let (Some(decl), Some(resolved)) = (program.body(body), self.workspace.resolved(body))
            else {
                continue;
            };
            let b = &*decl.body;
            for (d, def) in b.defs.iter().enumerate() {
                let field = match def.target {
                    Target::OwnField(_) => resolved.own_field(DefId(d as u32)),
                    Target::Place(p) => match resolved.name(p) {
                        Some(NameTarget::Field(f)) => Some(f),
                        _ => None,
                    },
                    _ => None,
                };
                let Some(field) = field else { continue };
                let made = b.list(def.sources).iter().find(|s| makes_mock(b, **s));
                if let Some(&value) = made {
                    self.out.mocks.insert(Root::Field(field));
                    self.mocks_class(resolved.ty(value));
                }
            }
        }
    }

    fn mocks_class(&mut self, ty: program::Ty) {
        let program = self.workspace.program();
        if let Some(class) = program.class_of(ty) {
            self.out.mocked.insert(class);
            self.out
                .mocked
                .extend(program.subtypes(class).iter().copied());
        }
    }

    fn body(&mut self) {
        let body = self.reader.body;
        for (i, expr) in body.exprs.iter().enumerate() {
            let e = ExprId(i as u32);
            if !self.hold_out.is_before(e) || self.hold_out.hides(e) {
                continue;
            }
            match expr.kind {
                ExprKind::Define(d) => self.define(e, d),
                ExprKind::Call(c) => self.call(e, c),
                _ => {}
            }
        }
    }

    fn define(&mut self, e: ExprId, d: flow::DefId) {
        let body = self.reader.body;
        let def = &body.defs[d.ix()];
        let Some(root) = self.root_of_target(def.target) else {
            return;
        };
        if let Target::Local(l) = def.target
            && body.locals[l.ix()].kind == VariableKind::Catch
        {
            self.out.caught.insert(root);
            return;
        }
        if self.out.is_expected_to_throw(e) {
            // It never has this value.
            self.out.thrown.insert(root);
            return;
        }
        let own = matches!(def.target, Target::Local(_));
        if own {
            // Another value: what was known of the old one is no more.
            self.out.touched.remove(&root);
        }
        for &source in body.list(def.sources) {
            match self.origin(source) {
                Origin::Mock => {
                    self.out.mocks.insert(root.clone());
                    if is_kept(body, source) {
                        self.out.kept.insert(root.clone());
                    }
                    if makes_mock(body, source) {
                        self.mocks_class(self.reader.resolved.ty(source));
                    }
                }
                Origin::Expected => {
                    self.out.caught.insert(root.clone());
                }
                Origin::Act(touch) if own || touch == Touch::Returned => {
                    self.out.touched.insert(root.clone(), (touch, e.0));
                }
                _ => {}
            }
        }
    }

    fn root_of_target(&self, target: Target) -> Option<Root> {
        match target {
            Target::Local(l) => Some(self.reader.local(l)),
            Target::Place(p) => self.reader.path(p).filter(|p| p.depth == 0).map(|p| p.root),
            _ => None,
        }
    }

    /// Where the value of an expression comes from.
    fn origin(&self, e: ExprId) -> Origin {
        let body = self.reader.body;
        let mut work = vec![e];
        let mut found = Origin::Other;
        let mut left = 60;
        while let Some(e) = work.pop() {
            left -= 1;
            if left == 0 {
                return Origin::Other;
            }
            match body.expr(e).kind {
                ExprKind::Cast { operand, .. } => work.push(operand),
                ExprKind::Conditional { operands } => {
                    work.extend(body.list(operands).iter().skip(1));
                }
                ExprKind::Local(_) | ExprKind::Name(_) | ExprKind::Field { .. } => {
                    let Some(path) = self.reader.path(e) else {
                        continue;
                    };
                    if self.out.is_mock(&path.root) {
                        return Origin::Mock;
                    }
                    if let Some((touch, _)) = self.out.touch(&path.root) {
                        found = Origin::Act(if path.depth == 0 {
                            touch
                        } else {
                            Touch::Returned
                        });
                    }
                }
                ExprKind::Call(c) => {
                    let call = &body.calls[c.ix()];
                    if makes_mock(body, e) {
                        return Origin::Mock;
                    }
                    if let Callee::Method { name, .. } = call.callee
                        && any(body.name(name), |row| row.throws)
                    {
                        return Origin::Expected;
                    }
                    match self.act(c) {
                        Act::Mock => return Origin::Mock,
                        Act::Method(_) => found = Origin::Act(Touch::Returned),
                        Act::Constructor => found = Origin::Act(Touch::Made),
                        // `Optional.get()`, `future.join()`: of what the receiver is.
                        Act::Library => match call.callee {
                            Callee::Method {
                                receiver: Some(r), ..
                            } => work.push(r),
                            _ => work.extend_from_slice(body.list(call.args)),
                        },
                        Act::Other => {}
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn call(&mut self, e: ExprId, c: CallId) {
        let body = self.reader.body;
        let call = &body.calls[c.ix()];
        if let Callee::Method { name, .. } = call.callee {
            let name = body.name(name).as_str();
            if frameworks::answers(name) {
                for &a in body.list(call.args) {
                    self.roots_in(a, |out, root| {
                        out.answers.insert(root);
                    });
                }
            }
        }
        let throws = self.out.is_expected_to_throw(e);
        match self.act(c) {
            Act::Method(m) => {
                if is_setter(self.reader.program, m) {
                    self.out.setters.insert(m);
                    return;
                }
                self.out.acts.push(e.0);
                if let Callee::Method {
                    receiver: Some(r), ..
                } = call.callee
                    && let Some(root) = self.object_root(r)
                    && !self.purity.is_pure(self.workspace, m)
                {
                    self.touch_or_throw(root, Touch::Changed, e, throws);
                }
                self.arguments(m, call.args, e, throws);
            }
            Act::Constructor => {
                if let Some(CallTarget::Workspace(m)) = self.reader.resolved.calls.get(c.ix()) {
                    self.arguments(*m, call.args, e, throws);
                }
            }
            _ => {}
        }
    }

    fn arguments(&mut self, m: MethodId, args: flow::Operands, e: ExprId, throws: bool) {
        let body = self.reader.body;
        for (at, &a) in body.list(args).iter().enumerate() {
            // A part that is given may change; what it is a part of does not.
            let is_part = self.reader.path(a).is_some_and(|p| p.depth > 0);
            if !is_part
                && let Some(root) = self.object_root(a)
                && !self.reader.is_immutable(self.reader.resolved.ty(a))
                && self.purity.changes_argument(self.workspace, m, at)
            {
                self.touch_or_throw(root, Touch::Given, e, throws);
            }
        }
    }

    fn touch_or_throw(&mut self, root: Root, touch: Touch, e: ExprId, throws: bool) {
        if throws {
            self.out.thrown.insert(root);
        } else {
            self.out.touched.insert(root, (touch, e.0));
        }
    }

    fn object_root(&self, e: ExprId) -> Option<Root> {
        let reader = self.reader;
        let object = models::object(reader.program, reader.body, reader.resolved, e, true);
        reader.path(object).map(|p| p.root)
    }

    fn roots_in(&mut self, e: ExprId, mut found: impl FnMut(&mut Acts, Root)) {
        let body = self.reader.body;
        let mut work = vec![e];
        let mut left = 200;
        while let Some(e) = work.pop() {
            left -= 1;
            if left == 0 {
                return;
            }
            match self.reader.path(e) {
                Some(path) => found(&mut self.out, path.root),
                None => body.operands_of(e, &mut work),
            }
        }
    }

    /// The last act behind an expression, or the last object that code under test makes, if nothing runs after it that may throw
    /// in its place: then it is what throws, or it is never reached. What is given its value (`println(a.next())`) hardly
    /// throws, `fail()` is there for when nothing did, and an assertion asks for what there would have been.
    fn last_act(&self, behind: ExprId) -> Option<ExprId> {
        let body = self.reader.body;
        let is_fail = |call: &flow::Call| {
            body.method_name(call)
                .is_some_and(|name| any(name, |row| row.fails))
        };
        let chains = self.workspace.chains(self.reader.id);
        let asserted = chains.iter().flat_map(|c| &c.assertions).map(|a| {
            let (start, end) = (body.expr(a.expr), body.expr(a.end(body)));
            (start.start.min(end.start), start.end.max(end.end))
        });
        let asserted: Vec<(u32, u32)> = asserted.collect();
        let mut around: Vec<(u32, u32)> = Vec::new();
        let mut is_asked = None;
        for at in (behind.0..body.exprs.len() as u32).rev() {
            let ExprKind::Call(c) = body.exprs[at as usize].kind else {
                continue;
            };
            let of = body.expr(ExprId(at));
            let holds = |a: &(u32, u32)| a.0 <= of.start && of.end <= a.1;
            match self.act(c) {
                Act::Method(_) | Act::Constructor if asserted.iter().any(holds) => {
                    is_asked = is_asked.or(Some(ExprId(at)));
                }
                Act::Method(_) | Act::Constructor => {
                    return around.iter().all(holds).then_some(ExprId(at));
                }
                _ if is_fail(&body.calls[c.ix()]) || asserted.iter().any(holds) => {}
                _ => around.push((of.start, of.end)),
            }
        }
        is_asked
    }

    fn act(&self, c: CallId) -> Act {
        let reader = self.reader;
        let (program, body) = (reader.program, reader.body);
        let call = &body.calls[c.ix()];
        if is_of_mock(body, call) {
            return Act::Mock;
        }
        if let Callee::Method {
            receiver: Some(r), ..
        } = call.callee
            && let Some(root) = self.object_root(r)
            && self.out.is_mock(&root)
        {
            return Act::Mock;
        }
        match reader.resolved.calls.get(c.ix()) {
            Some(CallTarget::Workspace(m)) => {
                if program.is_test_type(program.method_owner(*m)) {
                    return Act::Other;
                }
                if program.is_constructor(*m) {
                    return Act::Constructor;
                }
                let targets = self.workspace.call_graph().targets_of(*m);
                match !targets.bodies().is_empty() || !targets.components().is_empty() {
                    true => Act::Method(*m),
                    false => Act::Other,
                }
            }
            Some(CallTarget::Library) => Act::Library,
            _ => Act::Other,
        }
    }
}

enum Act {
    Method(MethodId),
    Constructor,
    Mock,
    Library,
    Other,
}

enum Origin {
    Act(Touch),
    Mock,
    /// What `assertThrows` gives.
    Expected,
    Other,
}

/// True for a method that sets an object up, by its name and its one parameter.
pub(super) fn is_setter(program: &Program, m: MethodId) -> bool {
    program.method_decl(m).is_some_and(|d| {
        let after = |prefix: &str| {
            d.name
                .strip_prefix(prefix)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
        };
        d.params.len() == 1 && (after("set") || after("with"))
    })
}

/// See [`Acts::throwing`].
fn throwing(body: &Body) -> Vec<(ExprId, ExprId)> {
    let expects = |call: &&flow::Call| {
        body.method_name(call)
            .is_some_and(|name| any(name, |row| row.throws))
    };
    let calls = body.calls.iter().filter(expects);
    let arguments = calls.flat_map(|call| body.list(call.args));
    arguments
        .filter_map(|&a| match body.expr(a).kind {
            ExprKind::Lambda(l) => {
                let lambda = &body.lambdas[l.ix()];
                Some((lambda.first, lambda.expr))
            }
            _ => None,
        })
        .collect()
}
