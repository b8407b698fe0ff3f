//! Values of which a test has said what it wants, though it says little of them; and such as are its own doing.
//!
//! What its own class, put below one of the code under test, gives that back is the test's own; an object of which it asks the
//! class is there for that; and a check that passes, beside one that throws, is the point.

use super::Judge;
use crate::acts::Touch;
use crate::computed::is_text;
use crate::observation_points::Point;
use crate::topic::words;
use flow::{CallId, Callee, ExprId, ExprKind, Target};
use oracle::Root;
use oracle::frameworks::any;
use program::{
    BodyId, CallTarget, MethodId, Modifiers, NameTarget, Program, Ty, TypeDeclKind, TypeId,
};
use rustc_hash::FxHashSet;

/// How many classes above one are looked through.
const MOST: usize = 40;

/// How many parts of an object are looked at before that is what the test is about.
const PARTS: usize = 4;

/// How the name of what was there before begins.
const BEFORE: &[&str] = &[
    "before",
    "initial",
    "initially",
    "original",
    "old",
    "previous",
];

/// An object of a class with more below it may be anything.
const KINDS: usize = 3;

impl Judge<'_> {
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
                if self.is_own_code(on) {
                    return true;
                }
                // `Base b = new Own()` is of the class that made it.
                let own = program.class_of(reader.resolved.ty(on));
                let mut classes = self.classes_made(on).into_iter().chain(own);
                let class = classes.find(|c| program.is_test_type(*c));
                class.is_some_and(|class| self.gives_back(*e, &overridden(program, class)))
            })
    }

    /// The classes of which a local is made, or a field that the test's own code sets: `new Base() { … }`, too.
    fn classes_made(&self, e: ExprId) -> Vec<TypeId> {
        let (program, reader) = (self.workspace.program(), &self.scene.reader);
        let made_by = |id: BodyId, e: ExprId| {
            let (decl, resolved) = (program.body(id)?, self.workspace.resolved(id)?);
            let anonymous = match decl.body.expr(e).kind {
                ExprKind::Call(c) => match decl.body.calls[c.ix()].callee {
                    Callee::New { class, .. } => class,
                    _ => None,
                },
                _ => None,
            };
            match anonymous {
                Some(class) => *program.body_classes(id).get(class.ix())?,
                None => program.class_of(resolved.ty(e)),
            }
        };
        let held = match reader.body.expr(e).kind {
            ExprKind::Local(local) => {
                let init = reader.body.locals[local.ix()].init;
                return init
                    .and_then(|e| made_by(reader.id, e))
                    .into_iter()
                    .collect();
            }
            ExprKind::Name(_) | ExprKind::Field { .. } => reader.resolved.name(e),
            _ => None,
        };
        let Some(held @ NameTarget::Field(_)) = held else {
            return Vec::new();
        };
        let mut out = Vec::new();
        let test = program.body_method(reader.id);
        let own = test.map(|t| self.workspace.test_code(self.workspace.own_run(t)));
        for id in own.into_iter().flatten() {
            let (Some(decl), Some(resolved)) = (program.body(id), self.workspace.resolved(id))
            else {
                continue;
            };
            let sets = |d: &&flow::Def| match d.target {
                Target::Place(place) => resolved.name(place) == Some(held),
                _ => false,
            };
            let sources = decl.body.defs.iter().filter(sets);
            let sources = sources.flat_map(|d| decl.body.list(d.sources));
            out.extend(sources.filter_map(|e| made_by(id, *e)));
        }
        out
    }

    /// True for an object whose code stands in the test: a lambda, itself, in a local, or given by a method of the test.
    fn is_own_code(&self, e: ExprId) -> bool {
        let (program, reader) = (self.workspace.program(), &self.scene.reader);
        let body = reader.body;
        let is_lambda =
            |body: &flow::Body, e: ExprId| matches!(body.expr(e).kind, ExprKind::Lambda(_));
        match body.expr(e).kind {
            ExprKind::Local(local) => {
                let init = body.locals[local.ix()].init;
                init.is_some_and(|e| is_lambda(body, e))
            }
            ExprKind::Call(c) => match reader.resolved.calls.get(c.ix()) {
                Some(CallTarget::Workspace(m))
                    if program.is_test_type(program.method_owner(*m)) =>
                {
                    let given = program.method_body(*m).and_then(|id| program.body(id));
                    let given = given.map(|d| (&*d.body, &d.body.returns));
                    given.is_some_and(|(body, all)| {
                        let mut all = all.iter().filter_map(|r| r.value).peekable();
                        all.peek().is_some() && all.all(|e| is_lambda(body, e))
                    })
                }
                _ => false,
            },
            _ => false,
        }
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
    /// own, which is for people; the text of an exception; what was there before; a part of which there are many that the test
    /// only wants to be there; where it checks nothing a flag, and a part that every kind of the object has; a part of an object of which only the class is asked; what a call gives before the last that the test
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
            let is_to_pass = !checks && self.topic.is_to_validate();
            return is_to_pass || !self.is_last_act(point.used) || checks && is_query;
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
        is_of_bytes
            || is_for_people
            || !checks && self.is_of_any_kind(point)
            || !checks && self.is_aside_flag(point)
            || self.is_as_it_was(point)
            || point.depth > 0 && self.is_looked_through(&point.root)
            || self.is_text_of_exception(&given)
            || point.depth > 0 && self.is_asked_for_its_class(&point.root)
    }

    /// True for what every kind of an object has that code under test chooses among kinds: `Shape made = read(text)` and
    /// `made.getId()`. Which it is, is the point.
    fn is_of_any_kind(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        let class = program.class_of(point.object);
        let is_open = class.and_then(|c| program.type_decl(c)).is_some_and(|d| {
            d.kind == TypeDeclKind::Interface || d.modifiers.has(Modifiers::ABSTRACT)
        });
        point.depth > 0 && is_open && class.is_some_and(|c| program.subtypes(c).len() > KINDS)
    }

    /// True for a flag that the test does not name, of an object that its acts gave: whoever checks nothing checks no flag first.
    fn is_aside_flag(&self, point: &Point) -> bool {
        let name = point.ask.query.trim_end_matches("()");
        let touch = self.acts.touch(&point.root).map(|t| t.0);
        point.depth > 0
            && point.ty == Ty::BOOLEAN
            && touch != Some(Touch::Changed)
            && !self.topic.is_named_after(name)
    }

    /// True for a local of which the name says that it is what was there before, or what the test expects, itself or by what
    /// is made of it.
    fn is_as_it_was(&self, point: &Point) -> bool {
        let name = self.scene.reader.name_of(&point.root);
        let first = words(&name).into_iter().next();
        first.is_some_and(|w| BEFORE.contains(&w.as_str())) || self.goes_into_expected(&point.root)
    }

    /// True for a local that stands in what a local is given of which the name says that it is expected.
    fn goes_into_expected(&self, root: &Root) -> bool {
        let body = self.scene.reader.body;
        let Root::Local(_, own) = root else {
            return false;
        };
        let expected = body.defs.iter().filter(|d| match d.target {
            Target::Local(local) => {
                local != *own && body.locals[local.ix()].name.starts_with("expected")
            }
            _ => false,
        });
        let mut sources = expected.flat_map(|d| body.list(d.sources));
        sources.any(|e| {
            let whole = body.expr(*e);
            let mut within = body
                .exprs
                .iter()
                .filter(|e| whole.start <= e.start && e.end <= whole.end);
            within.any(|e| e.kind == ExprKind::Local(*own))
        })
    }

    /// True for an object of which the test says of many parts that they are there: that is what it is about.
    fn is_looked_through(&self, root: &Root) -> bool {
        self.within.parts_there(root) >= PARTS
    }

    /// True for a text made of an exception: the lines at which it was thrown are in it.
    fn is_text_of_exception(&self, given: &[ExprId]) -> bool {
        let (program, reader) = (self.workspace.program(), &self.scene.reader);
        let is_thrown = |e: &ExprId| {
            let ty = reader.resolved.ty(*e);
            let class = program.class_of(ty);
            let above = class.map(|c| program.supertype_names(c));
            let names = above.iter().flatten().map(|n| n.as_str());
            let own = program.library_class_of(ty).map(|n| n.as_str());
            names.chain(own).any(models::is_throwable_name)
        };
        given.iter().any(|e| match reader.body.expr(*e).kind {
            ExprKind::Call(c) => {
                let call = &reader.body.calls[c.ix()];
                is_text(program, reader.resolved.ty(*e))
                    && reader.body.list(call.args).iter().any(is_thrown)
            }
            _ => false,
        })
    }

    /// True for an object, but an exception, of which an assertion asks its class.
    fn is_asked_for_its_class(&self, root: &Root) -> bool {
        let body = self.scene.reader.body;
        // `Sorted all = (Sorted) list.get(0); assertNotNull(all)`
        let is_cast = match root {
            Root::Local(id, local) if *id == self.scene.id => {
                let init = body.locals[local.ix()].init;
                init.is_some_and(|e| matches!(body.expr(e).kind, ExprKind::Cast { .. }))
            }
            _ => false,
        };
        !self.acts.caught.contains(root)
            && (self.within.asks_class_of(root) || is_cast && self.within.is_there(root))
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
pub(super) fn receiver(body: &flow::Body, call: CallId) -> Option<ExprId> {
    body.calls[call.ix()].callee.on().map(|(on, _)| on)
}
