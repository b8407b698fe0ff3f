//! When how many a list has is all that a test wants of it.
//!
//! That a list has three says little of which three. But who compares the number with another that the code under test
//! gave, or asks the same object whether it has just these, has chosen; what passes through from a mock to the test is the
//! test's own; objects in which nobody put anything look all the same; and what code that is not here gives, nobody foresees.

use super::Judge;
use super::chosen::receiver;
use crate::computed::{is_compound, is_value, tells_nothing};
use crate::from_mocks::are_told_empty;
use crate::observation_points::Point;
use calls::Workspace;
use flow::{Body, Callee, Def, ExprId, ExprKind, LocalId, Target};
use oracle::frameworks::any;
use oracle::{Assertion, Root, squeezed};
use program::{BodyId, CallTarget, MethodId, Program, ResolvedBody, Ty, TypeId};
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

/// What asks a store for no more than so many: which it gives, nobody knows but by an order.
const CUTS: &[&str] = &[
    "limit",
    "maxRows",
    "setLimit",
    "setMaxResults",
    "setMaxRows",
    "withLimit",
];

/// How many elements a person writes down.
const MOST_WRITTEN: usize = 5;

/// How often a test counts what one local has before that is what it is about.
const TURNS: usize = 3;

/// How what puts an object into a store begins.
pub(super) const STORES: &[&str] = &["save", "persist", "insert"];

impl Judge<'_> {
    /// True if a test that asserts no more of a list than how many it has means no more.
    pub(super) fn is_counted_enough(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        let element = element(program, point.ty);
        let giving = self.bodies_behind(point);
        let body = self.scene.reader.body;
        let is_call = |e: &ExprId| matches!(body.expr(*e).kind, ExprKind::Call(_));
        let given = self.given_by(point);
        let is_given = !given.is_empty() && given.iter().all(is_call);
        // How many a part has, assertions ask of the part, not of its object.
        let is_whole = point.depth == 0;
        let is_unseen = is_whole && giving.is_empty() && is_given;
        is_unseen && !self.is_chosen_by_store(point)
            || element.is_some_and(|e| tells_nothing(program, e) || is_of_chance(program, e))
            || self.are_all_there(point)
            || self.topic.is_about_number()
            || is_whole && self.is_counted_by_another(&point.root)
            || self.is_asked_beside(point)
            || self.is_of_stubs(point)
            || self.is_cut(point, &giving)
            || self.is_asked_again(point)
            || are_told_empty(&self.scene.reader)
            || is_whole && self.is_counted_in_turn(&point.root)
            || self.is_counted_roughly(point)
            || is_whole && self.is_counted_by_many(&point.root)
    }

    /// True for a set of an enum's constants of which there are as many as the enum has.
    fn are_all_there(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        let class = element(program, point.ty).and_then(|e| program.class_of(e));
        let constants = class.map(|c| {
            let fields = program.fields_of_type(c).iter();
            let decls = fields.filter_map(|f| program.field_decl(*f));
            decls.filter(|d| d.enum_constant).count()
        });
        let is_set = program
            .library_class_of(point.ty)
            .is_some_and(|name| name.ends_with("Set"));
        let Some(all) = constants.filter(|n| *n > 0 && is_set) else {
            return false;
        };
        let body = self.scene.reader.body;
        // `Kind.values().length`
        let are_values = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => {
                body.called(c) == "values" && {
                    let given = program.element_of(self.scene.reader.resolved.ty(e));
                    given.and_then(|e| program.class_of(e)) == class
                }
            }
            _ => false,
        };
        let is_all = |e: ExprId| self.number(e) == Some(all) || are_values(e);
        let says = |a: &Assertion| self.within(a).any(is_all);
        match point.depth {
            0 => self.counting(&point.root).any(says),
            _ => self.counting_part(point).any(says),
        }
    }

    /// True if the test counts what one local has time after time: how many there are is what it is about.
    fn is_counted_in_turn(&self, root: &Root) -> bool {
        let is_some = |a: &&Assertion| !self.within(a).any(|e| self.number(e) == Some(0));
        let all = self.counting_or_bounding(root);
        all.filter(|a| is_some(a) && !self.barely.has(a)).count() >= TURNS
    }

    /// True if the number is only a bound, or greater than what a person writes down.
    fn is_counted_roughly(&self, point: &Point) -> bool {
        let body = self.scene.reader.body;
        let bounds = |e: &ExprId| match body.expr(*e).kind {
            ExprKind::Binary { op, .. } => {
                use flow::BinaryOp::{Ge, Gt, Le, Lt};
                matches!(op, Ge | Gt | Le | Lt)
            }
            ExprKind::Call(c) => {
                let name = body.called(c).to_lowercase();
                ["greater", "less", "atleast", "atmost", "between"]
                    .iter()
                    .any(|w| name.contains(w))
            }
            _ => false,
        };
        let is_rough = |a: &Assertion| {
            let within: Vec<ExprId> = self.within(a).collect();
            let numbers = within.iter().filter_map(|e| self.number(*e));
            let most = numbers.max().unwrap_or(0);
            most > MOST_WRITTEN || most > 1 && within.iter().any(bounds)
        };
        match point.depth {
            0 => self.counting_or_bounding(&point.root).any(is_rough),
            _ => self.counting_part(point).any(is_rough),
        }
    }

    /// The assertions that say of a part of an object how many it has, or that it is there.
    fn counting_part(&self, point: &Point) -> impl Iterator<Item = &Assertion> {
        let text = &point.observation.expression;
        let places = self.barely.places(&point.root, text);
        let all = self.scene.chains.assertions.iter();
        all.filter(|a| self.within(a).any(|e| places.contains(&e.0)))
    }

    /// The number that a literal is.
    fn number(&self, e: ExprId) -> Option<usize> {
        let reader = &self.scene.reader;
        let at = reader.body.expr(e);
        let ExprKind::Literal(_) = at.kind else {
            return None;
        };
        let text = reader.program.body_text(reader.id, at.start, at.end);
        text.trim_end_matches(['L', 'l'])
            .replace('_', "")
            .parse()
            .ok()
    }

    /// The assertions about how many a local has.
    fn counting_or_bounding(&self, root: &Root) -> impl Iterator<Item = &Assertion> {
        let asks = self.asks_after(root, 0);
        let by: FxHashSet<ExprId> = asks
            .filter(|(query, _)| *query == "size()")
            .map(|(_, by)| by)
            .chain(self.barely.counted(root).iter().map(|e| ExprId(*e)))
            .collect();
        let all = self.scene.chains.assertions.iter();
        all.filter(move |a| by.contains(&a.expr) || self.within(a).any(|e| by.contains(&e)))
    }

    /// True if what the number is compared with is how many the test put into a list in a loop: nobody writes them down.
    fn is_counted_by_many(&self, root: &Root) -> bool {
        let reader = &self.scene.reader;
        let body = reader.body;
        let is_filled_in_loop = |local: LocalId| {
            let is_own = |e: ExprId| {
                let path = reader.path(e).filter(|p| p.depth == 0);
                path.is_some_and(|p| matches!(p.root, Root::Local(_, l) if l == local))
            };
            body.calls.iter().any(|call| {
                let on = call.callee.on().map(|(on, _)| on);
                call.args.len > 0 && on.is_some_and(is_own) && body.loop_around(call.expr).is_some()
            })
        };
        let is_other = |local: LocalId| !matches!(root, Root::Local(_, own) if *own == local);
        self.counting(root).any(|a| {
            let mut within = self.within(a);
            within.any(|e| match body.expr(e).kind {
                ExprKind::Local(local) => is_other(local) && is_filled_in_loop(local),
                _ => false,
            })
        })
    }

    /// True for what assertions count, and for a list, a map or an array of which they say that it is there.
    pub(crate) fn is_open_list(&self, point: &Point) -> bool {
        let is_list = || is_compound(self.workspace.program(), point.ty);
        self.is_counted(point) || is_list() && self.is_barely_read(point)
    }

    /// True if the test stores more of what a list has than it counts: a query that nobody sees here chose among them.
    pub(crate) fn is_chosen_by_store(&self, point: &Point) -> bool {
        let reader = &self.scene.reader;
        let body = reader.body;
        let Some(element) = element(reader.program, point.ty) else {
            return false;
        };
        let of = |e: ExprId| match body.expr(e).kind {
            // `List.of(a, b)`
            ExprKind::Call(c) if reader.resolved.ty(e) != element => {
                let args = body.list(body.calls[c.ix()].args).iter();
                args.filter(|a| reader.resolved.ty(**a) == element).count()
            }
            _ => usize::from(reader.resolved.ty(e) == element),
        };
        let stores = |call: &&flow::Call| {
            let name = body.method_name(call);
            let is_shown = !self.scene.hold_out.hides(call.expr);
            is_shown && name.is_some_and(|n| STORES.iter().any(|s| n.starts_with(s)))
        };
        let args = body.calls.iter().filter(stores);
        let args = args.flat_map(|call| body.list(call.args));
        let stored: usize = args.map(|a| of(*a)).sum();
        let mut counts = self.counting(&point.root);
        counts.any(|a| {
            let mut numbers = self.within(a).filter_map(|e| self.number(e));
            numbers.any(|n| n > 0 && n < stored)
        })
    }

    /// True if only an order would say which elements a store gives, and there is none.
    fn is_cut(&self, point: &Point, giving: &[BodyId]) -> bool {
        let program = self.workspace.program();
        let given = self.given_by(point);
        let own = self.scene.reader.body;
        let own = own.calls.iter().filter(|call| {
            let at = own.expr(call.expr);
            let is_around = |e: &ExprId| {
                let whole = own.expr(*e);
                whole.start <= at.start && at.end <= whole.end
            };
            given.iter().any(is_around)
        });
        let mut names: Vec<&str> = own
            .filter_map(|call| self.scene.reader.body.method_name(call))
            .map(|n| n.as_str())
            .collect();
        for id in giving {
            let (Some(decl), Some(resolved)) = (program.body(*id), self.workspace.resolved(*id))
            else {
                continue;
            };
            names.extend(outside_streams(program, &decl.body, resolved));
        }
        let orders = |n: &&str| {
            let name = n.to_lowercase();
            name.contains("sort") || name.contains("order")
        };
        names.iter().any(|n| CUTS.contains(n)) && !names.iter().any(orders)
    }

    /// True for what a call gave before the test's last act, where the same method is asked again after it: the first says how
    /// things stood.
    fn is_asked_again(&self, point: &Point) -> bool {
        let (program, reader) = (self.workspace.program(), &self.scene.reader);
        let body = reader.body;
        let target = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => match reader.resolved.calls.get(c.ix()) {
                Some(CallTarget::Workspace(m)) => Some(*m),
                _ => None,
            },
            _ => None,
        };
        let text = |e: ExprId| {
            let at = body.expr(e);
            squeezed(program.body_text(reader.id, at.start, at.end))
        };
        let is_same = |a: ExprId, b: ExprId| match (target(a), target(b)) {
            (Some(one), Some(other)) => one == other,
            _ => text(a) == text(b),
        };
        let hold_out = &self.scene.hold_out;
        let shown = |e: ExprId| hold_out.is_before(e) && !hold_out.hides(e);
        let is_other = |d: &&Def| match (&d.target, &point.root) {
            (Target::Local(l), Root::Local(_, own)) => l != own,
            _ => true,
        };
        self.given_by(point).iter().any(|given| {
            let sources = body.defs.iter().filter(is_other);
            let mut later = sources
                .flat_map(|d| body.list(d.sources))
                .filter(|e| shown(**e) && e.0 > given.0 && is_same(**e, *given));
            later.any(|again| {
                let acts = self.scene.chains.calls.iter();
                let mut between = acts.filter(|s| given.0 < s.expr.0 && s.expr.0 < again.0);
                between.any(|s| !program.is_test_type(program.method_owner(s.target)))
            })
        })
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
        self.within.of(self.scene.reader.body, assertion)
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
        let Some(element) = element(program, point.ty) else {
            return false;
        };
        let giving = self.bodies_behind(point);
        if is_value(program, element) {
            let is_made = |id: &BodyId| {
                let bodies = program.body(*id).zip(self.workspace.resolved(*id));
                computes(self.workspace, *id, element)
                    || bodies.is_some_and(|(d, resolved)| {
                        chooses_among(program, &d.body, resolved, element)
                    })
            };
            return !giving.iter().any(is_made) && self.stubs_give(element);
        }
        // Where there are mocks, what nothing is seen to make may be theirs, whatever it passes through; what they are told to
        // answer with is theirs, wherever else some are made.
        let is_told = self.stubs_give(element);
        if giving.is_empty() || !self.acts.has_mocks() && !is_told {
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
            if is_told {
                return chooses_among(program, body, resolved, element);
            }
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

    /// True if there is code under test behind the calls that give a value.
    pub(crate) fn is_of_code_here(&self, point: &Point) -> bool {
        !self.bodies_behind(point).is_empty()
    }

    /// The bodies of code under test behind the calls that give a value.
    pub(super) fn bodies_behind(&self, point: &Point) -> Vec<BodyId> {
        let program = self.workspace.program();
        let graph = self.workspace.call_graph();
        let body = self.scene.reader.body;
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
        // `service.all().collectList().block()`, `Lists.newArrayList(service.all())`; what code under test is given, or asked
        // by, is not what it gives.
        let mut work = self.given_by(point);
        let mut givers: FxHashSet<ExprId> = FxHashSet::default();
        let resolved = &self.scene.reader.resolved;
        while let Some(e) = work.pop() {
            match body.expr(e).kind {
                ExprKind::Cast { operand, .. } => work.push(operand),
                ExprKind::Call(c) if givers.insert(e) => {
                    let call = &body.calls[c.ix()];
                    let target = resolved.calls.get(c.ix());
                    if !matches!(target, Some(CallTarget::Workspace(_))) {
                        work.extend(call.callee.on().map(|(on, _)| on));
                        work.extend_from_slice(body.list(call.args));
                    }
                }
                _ => {}
            }
        }
        let sites = self.scene.chains.calls.iter();
        let roots = sites.filter(|s| givers.contains(&s.expr) && is_code(s));
        let roots: Vec<BodyId> = roots
            .flat_map(|s| graph.targets(s).bodies().to_vec())
            .collect();
        graph.below(roots, MOST, is_code)
    }

    /// True if code of the test tells a mock to answer with such an object, or with some of them, or makes one where there are
    /// mocks.
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
        // What an assertion compares with is not what mocks are told.
        let own = self.scene.reader.body;
        let assertions = self.scene.chains.assertions.iter();
        let asserted: Vec<(u32, u32)> = assertions
            .map(|a| (own.expr(a.expr).start, own.expr(a.end(own)).end))
            .collect();
        let is_asserted = |id: BodyId, e: &flow::Expr| {
            let is_within = |s: &(u32, u32)| s.0 <= e.start && e.end <= s.1;
            id == self.scene.id && asserted.iter().any(is_within)
        };
        let is_hidden = |id: BodyId, e: ExprId| id == self.scene.id && self.scene.hold_out.hides(e);
        let code = self.workspace.test_code(self.workspace.own_run(test));
        code.into_iter().any(|id| {
            let (Some(decl), Some(resolved)) = (program.body(id), self.workspace.resolved(id))
            else {
                return false;
            };
            let body = &*decl.body;
            let is_made = |call: &flow::Call| {
                let is_here = || match call.callee {
                    Callee::New { .. } => true,
                    Callee::Method { name, .. } => body.name(name) == "build",
                    _ => false,
                };
                self.acts.has_mocks()
                    && resolved.ty(call.expr) == element
                    && is_here()
                    && !is_asserted(id, body.expr(call.expr))
                    && !is_hidden(id, call.expr)
            };
            body.calls.iter().any(|call| {
                let Callee::Method { name, .. } = call.callee else {
                    return is_made(call);
                };
                let name = body.name(name);
                let is_told = any(name, |row| row.returns) || any(name, |row| row.answers);
                // One text does not say that lists of texts are told.
                let mut args = body.list(call.args).iter().map(|a| resolved.ty(*a));
                let is_plain = is_value(program, element);
                let tells = |ty: Ty| holds(ty) && !(is_plain && ty == element);
                is_made(call) || is_told && args.any(tells)
            })
        })
    }
}

/// The names of what a body calls, but on the JDK's streams.
fn outside_streams<'b>(
    program: &'b Program,
    body: &'b Body,
    resolved: &'b ResolvedBody,
) -> impl Iterator<Item = &'b str> {
    let is_stream = |on: ExprId| {
        let class = program.library_class_of(resolved.ty(on));
        class.is_some_and(|name| name.starts_with("java.util.stream."))
    };
    body.calls.iter().filter_map(move |call| match call.callee {
        Callee::Method { receiver, name } => {
            (!receiver.is_some_and(is_stream)).then(|| body.name(name).as_str())
        }
        _ => None,
    })
}

/// True for a body that computes a value of a type by an operator.
fn computes(workspace: &Workspace, id: BodyId, ty: Ty) -> bool {
    let (Some(decl), Some(resolved)) = (workspace.program().body(id), workspace.resolved(id))
    else {
        return false;
    };
    let all = (0..decl.body.exprs.len() as u32).map(ExprId);
    let mut all = all.filter(|e| matches!(decl.body.expr(*e).kind, ExprKind::Binary { .. }));
    all.any(|e| resolved.ty(e) == ty)
}

/// True for a body that chooses among elements of a type.
fn chooses_among(program: &Program, body: &Body, resolved: &ResolvedBody, element: Ty) -> bool {
    body.calls.iter().any(|call| match call.callee {
        Callee::Method {
            receiver: Some(on),
            name,
        } => {
            let of = program.first_argument(resolved.ty(on));
            // `filter(Objects::nonNull)` takes what there is.
            let takes_all = |a: &ExprId| match body.expr(*a).kind {
                ExprKind::MethodRef { name, .. } => body.name(name) == "nonNull",
                _ => false,
            };
            if body.list(call.args).iter().any(takes_all) {
                return false;
            }
            CHOOSES.contains(&body.name(name).as_str()) && of == Some(element)
        }
        _ => false,
    })
}

/// True for the type of what is drawn by chance.
fn is_of_chance(program: &Program, ty: Ty) -> bool {
    let class = program.library_class_of(ty);
    class.is_some_and(|name| name == "java.util.UUID")
}

/// Of what a list or an array has objects.
fn element(program: &Program, ty: Ty) -> Option<Ty> {
    program
        .element_of(ty)
        .or_else(|| program.first_argument(ty))
}
