//! Values of which a test has said what it wants, though it says little of them; and such as are its own doing.
//!
//! That a list has three says little of which three. But who compares the number with another that the code under test
//! gave, or asks the same object whether it has just these, has chosen; what passes through from a mock to the test is the
//! test's own; and so is what its own class, put below one of the code under test, gives that back.

use super::Judge;
use crate::computed::is_value;
use crate::observation_points::Point;
use flow::{CallId, Callee, ExprId, ExprKind, LocalId};
use oracle::frameworks::{Says, any, says};
use oracle::{Assertion, Root};
use program::{BodyId, CallTarget, MethodId, Program, Ty, TypeId};
use rustc_hash::FxHashSet;

/// How many bodies below a call are looked through.
const MOST: usize = 40;

/// What code calls that chooses among elements: then it matters which are left.
const CHOOSES: &[&str] = &[
    "filter",
    "removeIf",
    "removeAll",
    "retainAll",
    "distinct",
    "partitioningBy",
    "takeWhile",
    "dropWhile",
    "sorted",
    "sort",
];

impl Judge<'_> {
    /// True if a test that asserts no more of a list than how many it has means no more.
    pub(super) fn is_counted_enough(&self, point: &Point) -> bool {
        self.is_counted_by_another(&point.root)
            || self.is_asked_beside(point)
            || self.is_of_stubs(point)
    }

    /// True if what the number is compared with comes of the code under test, or of what the test is run with.
    fn is_counted_by_another(&self, root: &Root) -> bool {
        let (program, body) = (self.workspace.program(), self.scene.reader.body);
        let is_given = |local: LocalId| {
            let is_own = matches!(root, Root::Local(id, l) if *id == self.scene.id && *l == local);
            let mut work: Vec<ExprId> = body.locals[local.ix()].init.into_iter().collect();
            while let Some(e) = work.pop() {
                match body.expr(e).kind {
                    ExprKind::Cast { operand, .. } => work.push(operand),
                    ExprKind::Call(c) => match self.scene.reader.resolved.calls.get(c.ix()) {
                        Some(CallTarget::Workspace(m)) => {
                            return !is_own && !program.is_test_type(program.method_owner(*m));
                        }
                        _ => work.extend(receiver(body, c)),
                    },
                    _ => {}
                }
            }
            !is_own && body.params.contains(&local)
        };
        self.counting(root).any(|a| {
            let mut within = self.within(a);
            within.any(|e| matches!(body.expr(e).kind, ExprKind::Local(local) if is_given(local)))
        })
    }

    /// The assertions that ask an object how many it has.
    fn counting(&self, root: &Root) -> impl Iterator<Item = &Assertion> {
        let at = self.acts.touch(root).map_or(0, |t| t.1);
        let by: FxHashSet<ExprId> = self.asks_after(root, at).map(|(_, by)| by).collect();
        let all = self.scene.chains.assertions.iter();
        all.filter(move |a| by.contains(&a.expr))
    }

    /// The expressions of an assertion.
    fn within(&self, assertion: &Assertion) -> impl Iterator<Item = ExprId> {
        let body = self.scene.reader.body;
        let start = body.expr(assertion.expr).start;
        let end = body.expr(assertion.end(body)).end;
        let all = (0..body.exprs.len() as u32).map(ExprId);
        all.filter(move |e| start <= body.expr(*e).start && body.expr(*e).end <= end)
    }

    /// True if an assertion asks the object that gave it something else with an argument, and the answer is true or false, or
    /// one of them: `assertTrue(result.hasOption(a))`, `feed.getLinks("next").getUrl()`.
    fn is_asked_beside(&self, point: &Point) -> bool {
        let reader = &self.scene.reader;
        let body = reader.body;
        let root_of = |e: ExprId| reader.path(e).filter(|p| p.depth == 0).map(|p| p.root);
        let givers = self.given_by(point).into_iter().filter_map(|e| {
            let ExprKind::Call(c) = body.expr(e).kind else {
                return None;
            };
            root_of(receiver(body, c)?)
        });
        let givers: Vec<Root> = givers.collect();
        let named = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => body.method_name(&body.calls[c.ix()]),
            _ => None,
        };
        let given = self.given_by(point);
        let asks = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => {
                let on = receiver(body, c).and_then(root_of);
                let is_single = || given.iter().any(|g| named(*g) == named(e));
                body.calls[c.ix()].args.len > 0
                    && (reader.resolved.ty(e) == Ty::BOOLEAN || is_single())
                    && on.is_some_and(|root| givers.contains(&root))
            }
            _ => false,
        };
        let hold_out = &self.scene.hold_out;
        let visible = |a: &&Assertion| hold_out.is_before(a.expr) && !hold_out.hides(a.expr);
        let mut all = self.scene.chains.assertions.iter().filter(visible);
        !givers.is_empty() && all.any(|a| self.within(a).any(asks))
    }

    /// True for a list of what mocks are told to answer, where no code that gives it makes such elements or chooses among
    /// them.
    pub(super) fn is_of_stubs(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        let Some(element) = element(program, point.ty).filter(|e| !is_value(program, *e)) else {
            return false;
        };
        let giving = self.bodies_behind(point);
        // Where there are mocks, what nothing is seen to make may be theirs, whatever it passes through.
        if giving.is_empty() || !self.acts.has_mocks() && !self.stubs_give(element) {
            return false;
        }
        let class = program.class_of(element);
        let makes = |m: MethodId| {
            let is_maker =
                program.is_constructor(m) || program.method_has(m, program::Modifiers::STATIC);
            Some(program.method_owner(m)) == class && is_maker
        };
        !giving.iter().any(|id| {
            let (Some(decl), Some(resolved)) = (program.body(*id), self.workspace.resolved(*id))
            else {
                return false;
            };
            let body = &*decl.body;
            let chooses = body.names.iter().any(|n| CHOOSES.contains(&n.as_str()));
            // Of a class that is not here.
            let is_made = |call: &flow::Call| {
                matches!(call.callee, Callee::New { .. }) && resolved.ty(call.expr) == element
            };
            // A library makes it: `mapper.map(row, Dto.class)`.
            let is_named = |at: usize| {
                let e = ExprId(at as u32);
                matches!(body.expr(e).kind, ExprKind::ClassLiteral(_))
                    && program.first_argument(resolved.ty(e)) == Some(element)
            };
            let sites = self.workspace.call_graph().sites(*id);
            chooses
                || body.calls.iter().any(is_made)
                || (0..body.exprs.len()).any(is_named)
                || sites.iter().any(|s| makes(s.target))
        })
    }

    /// The bodies of code under test behind the calls that give a value.
    fn bodies_behind(&self, point: &Point) -> Vec<BodyId> {
        let program = self.workspace.program();
        let graph = self.workspace.call_graph();
        let body = self.scene.reader.body;
        let spans: Vec<(u32, u32)> = self
            .given_by(point)
            .into_iter()
            .map(|e| (body.expr(e).start, body.expr(e).end))
            .collect();
        // `service.all().collectList().block()`
        let is_within = |e: ExprId| {
            let at = body.expr(e);
            spans.iter().any(|s| s.0 <= at.start && at.end <= s.1)
        };
        // Also where a library that makes mocks is not here, and they are known by what holds them alone.
        let held = self.acts.mocks().filter_map(|root| match root {
            Root::Local(id, local) if *id == self.scene.id => {
                let ty = self.scene.reader.resolved.locals.get(local.ix());
                program.class_of(*ty?)
            }
            Root::Field(field) => program.class_of(program.field_type(*field)),
            _ => None,
        });
        let mocked: FxHashSet<TypeId> = self.mocked().chain(held).collect();
        let is_code = |site: &chains::CallSite| {
            let owner = program.method_owner(site.target);
            !program.is_test_type(owner) && !mocked.contains(&owner)
        };
        let sites = self.scene.chains.calls.iter();
        let roots = sites.filter(|s| is_within(s.expr) && is_code(s));
        let roots: Vec<BodyId> = roots
            .flat_map(|s| graph.targets(s).bodies().to_vec())
            .collect();
        graph.below(roots, MOST, is_code)
    }

    /// True if code of the test tells a mock to answer with such an object, or with some of them.
    fn stubs_give(&self, element: Ty) -> bool {
        let program = self.workspace.program();
        let Some(test) = program.body_method(self.scene.id) else {
            return false;
        };
        let holds = |ty: Ty| {
            let mut work = vec![ty];
            let mut left = 20;
            while let Some(ty) = work.pop() {
                if ty == element {
                    return true;
                }
                left -= 1;
                if left > 0 {
                    work.extend(program.element_of(ty));
                    work.extend_from_slice(program.arguments(ty));
                }
            }
            false
        };
        let code = self.workspace.test_code(self.workspace.own_run(test));
        code.into_iter().any(|id| {
            let (Some(decl), Some(resolved)) = (program.body(id), self.workspace.resolved(id))
            else {
                return false;
            };
            let body = &*decl.body;
            body.calls.iter().any(|call| {
                let Callee::Method { name, .. } = call.callee else {
                    return false;
                };
                let name = body.name(name);
                let is_told = any(name, |row| row.returns) || any(name, |row| row.answers);
                let mut args = body.list(call.args).iter();
                is_told && args.any(|a| holds(resolved.ty(*a)))
            })
        })
    }

    /// True for what a class of the test gives itself: its object is asked by a method of the code under test, which gives
    /// back what a method gives that the class overrides.
    pub(super) fn is_of_own_class(&self, point: &Point) -> bool {
        let (program, reader) = (self.workspace.program(), &self.scene.reader);
        let given = self.given_by(point);
        !given.is_empty()
            && given.iter().all(|e| {
                let ExprKind::Call(c) = reader.body.expr(*e).kind else {
                    return false;
                };
                let Some(on) = receiver(reader.body, c) else {
                    return false;
                };
                let class = program.class_of(reader.resolved.ty(on));
                let class = class.filter(|c| program.is_test_type(*c));
                class.is_some_and(|class| self.gives_back(*e, &overridden(program, class)))
            })
    }

    /// True if the code that a call runs gives back what one of some methods gives, by no more than calls of calls.
    fn gives_back(&self, call: ExprId, of: &FxHashSet<MethodId>) -> bool {
        let program = self.workspace.program();
        let graph = self.workspace.call_graph();
        let sites = self.scene.chains.calls.iter();
        let mut work: Vec<(BodyId, usize)> = Vec::new();
        for site in sites.filter(|s| s.expr == call) {
            if of.contains(&site.target) {
                return true;
            }
            work.extend(graph.targets(site).bodies().iter().map(|b| (*b, 3)));
        }
        if of.is_empty() || work.is_empty() {
            return false;
        }
        while let Some((id, left)) = work.pop() {
            let Some(decl) = program.body(id) else {
                return false;
            };
            if program.is_test_type(program.body_owner(id)) {
                continue;
            }
            let returned = decl.body.returns.iter().filter_map(|r| r.value);
            let returned: Vec<ExprId> = returned.collect();
            if returned.is_empty() || left == 0 {
                return false;
            }
            for e in returned {
                let mut sites = graph.sites(id).iter();
                match sites.find(|s| s.expr == e) {
                    Some(site) if of.contains(&site.target) => {}
                    Some(site) => {
                        let next = graph.targets(site);
                        let next = next.bodies().iter().map(|b| (*b, left - 1));
                        work.extend(next);
                    }
                    None => return false,
                }
            }
        }
        true
    }

    /// True for a value of which its form says that nobody writes it down here: how long bytes are; the `toString()` of the code's
    /// own, which is for people; a part of an object of which only the class is asked; what a call gives before the last that the test
    /// makes, and what a query gives beside assertions that is only called.
    pub(super) fn is_beside_the_point(&self, point: &Point, checks: bool) -> bool {
        let (program, body) = (self.workspace.program(), self.scene.reader.body);
        let called = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => Some(&body.calls[c.ix()]),
            _ => None,
        };
        if point.dropped {
            let Some(call) = called(ExprId(point.used)) else {
                return false;
            };
            let is_query = body.method_name(call).is_some_and(|n| {
                let text = format!("{n}()");
                call.args.len == 0 && models::is_conventional(&text)
            });
            return !self.is_last_act(point.used) || checks && is_query;
        }
        let is_of_bytes =
            point.ask.query == "length" && program.element_of(point.object) == Some(Ty::BYTE);
        let is_text = |e: &ExprId| match body.expr(*e).kind {
            ExprKind::Call(c) => {
                let is_own = matches!(
                    self.scene.reader.resolved.calls.get(c.ix()),
                    Some(CallTarget::Workspace(_))
                );
                let call = &body.calls[c.ix()];
                let name = body.method_name(call).map(|n| n.as_str());
                is_own && call.args.len == 0 && name == Some("toString")
            }
            _ => false,
        };
        let given = self.given_by(point);
        let is_for_people = checks && !given.is_empty() && given.iter().all(is_text);
        is_of_bytes || is_for_people || point.depth > 0 && self.is_asked_for_its_class(&point.root)
    }

    /// True for an object, but an exception, of which an assertion asks its class.
    fn is_asked_for_its_class(&self, root: &Root) -> bool {
        let reader = &self.scene.reader;
        let body = reader.body;
        let is_root = |e: ExprId| {
            let path = reader.path(e);
            path.is_some_and(|p| p.depth == 0 && p.root == *root)
        };
        let asks_class = |a: &&Assertion| {
            let mut words = a.call.iter().chain(&a.chained);
            words.any(|c| {
                let name = body.method_name(&body.calls[c.ix()]);
                name.is_some_and(|n| says(n) == Some(Says::Class))
            })
        };
        let mut all = self.scene.chains.assertions.iter().filter(asks_class);
        !self.acts.caught.contains(root) && all.any(|a| self.within(a).any(is_root))
    }

    /// True for a call of which the test asserts nothing, beside a test of the class that expects it to throw, where what it
    /// gives is of the type of what it is given: that it passes is what the test wants.
    pub(super) fn only_passes(&self, point: &Point) -> bool {
        let (program, reader) = (self.workspace.program(), &self.scene.reader);
        if !point.dropped || self.checks() {
            return false;
        }
        let ExprKind::Call(c) = reader.body.expr(ExprId(point.used)).kind else {
            return false;
        };
        let Some(CallTarget::Workspace(method)) = reader.resolved.calls.get(c.ix()) else {
            return false;
        };
        let gives = program.return_type(*method);
        let takes = program
            .parameters(*method)
            .is_some_and(|(types, _)| types.contains(&gives));
        takes && self.is_expected_to_throw_beside(*method)
    }

    /// True if a test of the class calls a method where it expects something to be thrown.
    fn is_expected_to_throw_beside(&self, method: MethodId) -> bool {
        let program = self.workspace.program();
        let own = program.body_owner(self.scene.id);
        let methods = program.methods_of_type(own).iter();
        let beside = methods.filter_map(|m| program.method_body(*m));
        beside.filter(|id| *id != self.scene.id).any(|id| {
            let names = program.body(id).map(|d| &d.body.names);
            let expects = names.is_some_and(|all| all.iter().any(|n| any(n, |row| row.throws)));
            let mut sites = self.workspace.call_graph().sites(id).iter();
            expects && sites.any(|s| s.target == method)
        })
    }
}

/// The methods of code under test that a class of tests overrides, itself or above.
fn overridden(program: &Program, class: TypeId) -> FxHashSet<MethodId> {
    let above = std::iter::successors(Some(class), |c| program.superclass(*c));
    let own = above.take_while(|c| program.is_test_type(*c)).take(MOST);
    let methods = own.flat_map(|c| program.methods_of_type(c).iter().copied());
    let supers = methods.flat_map(|m| program.super_methods(m));
    supers
        .filter(|m| !program.is_test_type(program.method_owner(*m)))
        .collect()
}

/// What a call is made on.
fn receiver(body: &flow::Body, call: CallId) -> Option<ExprId> {
    body.calls[call.ix()].callee.on().map(|(on, _)| on)
}

/// Of what a list or an array has objects.
fn element(program: &Program, ty: Ty) -> Option<Ty> {
    program
        .element_of(ty)
        .or_else(|| program.first_argument(ty))
}
