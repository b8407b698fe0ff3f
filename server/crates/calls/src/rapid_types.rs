//! What running some code may run, by rapid type analysis.
//!
//! Calls go where the class hierarchy lets them go, but only to classes of which an object may be there: one that the
//! same code makes, or runs on (Bacon and Sweeney, OOPSLA 1996). Where a call would so go nowhere,
//! its objects come from code that is not here (injection, reflection, mocks), and it goes wherever the hierarchy lets it.
//! What Java calls itself goes to the objects that may be there, and nowhere else; so does what a library may call of the
//! objects that it is given, where that is asked for.
//! The result is the same in whatever order calls are followed.

use crate::mocks::{self, Answered, Mocks};
use crate::{Bodies, Workspace};
use chains::{Asking, CallSite, Chains};
use flow::{Callee, ExprId};
use oracle::{TestRun, arguments};
use program::{Asked, BodyId, Member, MethodId, Modifiers, NameTarget, Program, Ty, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

mod probability;
mod web;

pub use probability::ExecutionProbability;

/// How far up or out classes are followed: no code comes near, and no cycle gets through.
const MAX_DEPTH: usize = 100;

/// A class whose objects run tests, with all that it is. An abstract class has no objects: nothing is known of those of
/// its subclasses.
#[derive(Debug)]
struct Running {
    /// The class and its superclasses, the nearest first.
    classes: Vec<TypeId>,
    /// Its interfaces.
    interfaces: Vec<TypeId>,
}

impl Running {
    /// Those of a test class: itself, and for a nested one the classes around it.
    fn of(program: &Program, class: TypeId) -> Vec<Running> {
        let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
        let concrete = around.take(MAX_DEPTH).filter(|c| {
            program
                .type_decl(*c)
                .is_some_and(|d| !d.modifiers.has(Modifiers::ABSTRACT))
        });
        concrete
            .map(|c| {
                let up = std::iter::successors(Some(c), |c| program.superclass(*c));
                let classes: Vec<TypeId> = up.take(MAX_DEPTH).collect();
                let mut interfaces = program.supertypes(c);
                interfaces.retain(|t| !classes.contains(t));
                Running {
                    classes,
                    interfaces,
                }
            })
            .collect()
    }

    fn is_a(&self, class: TypeId) -> bool {
        self.classes.contains(&class) || self.interfaces.contains(&class)
    }

    /// Which of the bodies that override one another its objects run: the nearest; default methods all.
    fn bodies(&self, program: &Program, bodies: &[BodyId]) -> Vec<BodyId> {
        let nearest = bodies
            .iter()
            .filter_map(|b| {
                let owner = program.body_owner(*b);
                let at = self.classes.iter().position(|c| *c == owner)?;
                Some((at, *b))
            })
            .min();
        match nearest {
            Some((_, body)) => vec![body],
            None => bodies
                .iter()
                .copied()
                .filter(|b| self.interfaces.contains(&program.body_owner(*b)))
                .collect(),
        }
    }
}

/// Which classes a call may go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Whatever the class hierarchy allows.
    Hierarchy,
    /// Of these, classes of which an object may be there.
    RapidTypes,
}

/// A call that was followed.
struct Followed {
    bodies: Arc<[BodyId]>,
    /// True once one of its bodies runs.
    runs: bool,
    /// True if it goes to all bodies, whatever objects are made.
    everywhere: bool,
    /// Where it was followed from.
    from: Run,
}

/// Why a body runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Run {
    /// Only because classes of production code are initialised, which happens once, whoever needs them first.
    Once,
    /// Because the roots call it, whatever else does.
    Called,
}

/// What was reached so far; more can be added.
pub struct RapidTypes<'a> {
    workspace: &'a Workspace,
    technique: Technique,
    running: Vec<Running>,
    /// The classes that run the tests, each once.
    classes: Vec<TypeId>,
    /// Which objects are mocks while they run.
    mocks: Mocks,
    /// Objects of Spring's were added to those that may be there.
    has_components: bool,
    keep: &'a dyn Fn(BodyId, ExprId) -> bool,
    /// Also what a library may ask of the objects that it is given, and what is asked of objects that may be a library's.
    asks_all: bool,
    seen: Bodies,
    /// Of these, what the roots call.
    called: Bodies,
    work: Vec<(BodyId, Run)>,
    /// Classes whose static initialisers were added.
    initialised: FxHashSet<TypeId>,
    /// Classes of which an object may be there, and all that these extend.
    made: FxHashSet<TypeId>,
    /// Bodies that wait for an object of their class or one below.
    waiting: FxHashMap<TypeId, Vec<(BodyId, Run)>>,
    /// What objects were asked, and for which reason at least.
    asked: FxHashMap<(Ty, Asked), Run>,
    /// Whoever calls it, a target runs the same bodies; but for what test code calls on its own object, and for what a mock
    /// may answer.
    targets: FxHashMap<(MethodId, bool, bool), Followed>,
}

impl<'a> RapidTypes<'a> {
    /// Nothing yet; for code that `runs` run.
    pub fn new(
        workspace: &'a Workspace,
        technique: Technique,
        runs: &[TestRun],
        keep: &'a dyn Fn(BodyId, ExprId) -> bool,
    ) -> RapidTypes<'a> {
        let program = workspace.program();
        let mut classes: Vec<TypeId> = runs.iter().map(|r| r.class).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut rapid_types = RapidTypes {
            workspace,
            technique,
            running: classes
                .iter()
                .flat_map(|c| Running::of(program, *c))
                .collect(),
            mocks: Mocks::of(workspace, runs),
            has_components: false,
            classes: classes.clone(),
            keep,
            asks_all: false,
            seen: Bodies::default(),
            called: Bodies::default(),
            work: Vec::new(),
            initialised: FxHashSet::default(),
            made: FxHashSet::default(),
            waiting: FxHashMap::default(),
            asked: FxHashMap::default(),
            targets: FxHashMap::default(),
        };
        for class in classes {
            let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
            for class in around.take(MAX_DEPTH) {
                rapid_types.make(class);
            }
            // Without mocks nothing is asked about what others make.
            if !rapid_types.mocks.is_empty() {
                for class in mocks::held(program, class) {
                    rapid_types.make(class);
                }
            }
            // Nobody says which of its subclasses runs the tests of an abstract class.
            let decl = program.type_decl(class);
            if decl.is_some_and(|d| d.modifiers.has(Modifiers::ABSTRACT)) {
                for &below in program.subtypes(class) {
                    rapid_types.make(below);
                }
            }
        }
        rapid_types
    }

    /// Adds what running `roots` may run; all that was reached by now.
    pub fn run(&mut self, roots: impl IntoIterator<Item = BodyId>) -> &Bodies {
        self.work
            .extend(roots.into_iter().map(|body| (body, Run::Called)));
        loop {
            while let Some((body, run)) = self.work.pop() {
                let is_new = self.seen.insert(body);
                let is_called = run == Run::Called && self.called.insert(body);
                if is_new || is_called {
                    self.follow(body, run);
                }
            }
            // All at once, so that no order matters.
            #[allow(clippy::iter_over_hash_type, reason = "into a set")]
            for call in self.targets.values_mut().filter(|call| !call.runs) {
                call.runs = call.bodies.iter().any(|b| self.seen.contains(*b));
                if !call.runs {
                    call.runs = true;
                    call.everywhere = true;
                    let from = call.from;
                    self.work.extend(call.bodies.iter().map(|b| (*b, from)));
                }
            }
            if self.work.is_empty() {
                return &self.seen;
            }
        }
    }

    /// What the roots call, of all that was reached by now; without what only the initialisers of production classes run,
    /// which happens once, whoever needs a class first.
    pub fn called(&self) -> &Bodies {
        &self.called
    }

    fn follow(&mut self, body: BodyId, run: Run) {
        let program = self.workspace.program();
        let owner = program.body_owner(body);
        self.initialise(owner);
        if let Some(resolved) = self.workspace.resolved(body) {
            for (_, target) in &resolved.names {
                // Reading a static field initialises its class.
                if let NameTarget::Field(f) = target {
                    self.initialise(program.field_owner(*f));
                }
            }
        }
        let Some(chains) = self.workspace.chains(body) else {
            return;
        };
        let narrows = self.narrows(owner);
        let keep = self.keep;
        for site in chains.calls.iter().filter(|site| keep(body, site.expr)) {
            let named = program.method_owner(site.target);
            if !site.dispatches || program.method_has(site.target, Modifiers::STATIC) {
                self.initialise(named);
            }
            if program.is_constructor(site.target) {
                if self.makes(body, site) {
                    self.make(named);
                }
                self.construct(named, run);
            }
            self.call(body, site, narrows, run);
        }
        for asking in self.askings(body, chains) {
            self.ask(asking, run);
        }
        for sent in chains.sent.iter().filter(|sent| keep(body, sent.expr)) {
            self.send(body, sent, run);
        }
        for class in program.body_classes(body).iter().flatten() {
            self.make(*class);
            self.construct(*class, run);
            let methods = program.methods_of_type(*class).iter();
            let bodies = methods.filter_map(|m| program.method_body(*m));
            self.work.extend(bodies.map(|body| (body, run)));
        }
        let method = program.body_method(body);
        if method.is_some_and(|m| program.is_constructor(m)) {
            self.construct(owner, run);
        }
    }

    /// What a body asks of objects, as far as that is followed.
    fn askings<'c>(
        &self,
        body: BodyId,
        chains: &'c Chains,
    ) -> impl Iterator<Item = &'c Asking> + use<'a, 'c> {
        let (keep, all) = (self.keep, self.asks_all);
        let askings = chains.askings.iter();
        askings.filter(move |asking| (asking.is_sure || all) && keep(body, asking.expr))
    }

    /// What objects are asked that may be there goes to those of their classes.
    fn ask(&mut self, asking: &Asking, run: Run) {
        let known = self.asked.get(&(asking.on, asking.asked));
        if known.is_some_and(|known| *known >= run) {
            return;
        }
        self.asked.insert((asking.on, asking.asked), run);
        let program = self.workspace.program();
        let unwritten = program.unwritten(asking.on, asking.asked);
        for &to in unwritten.ways.iter().flatten() {
            let class = program.body_owner(to);
            if self.technique == Technique::Hierarchy || self.made.contains(&class) {
                self.work.push((to, run));
            } else {
                self.waiting.entry(class).or_default().push((to, run));
            }
        }
    }

    fn call(&mut self, body: BodyId, site: &CallSite, narrows: bool, run: Run) {
        let answered = self.answered(body, site);
        if answered == Answered::Mock {
            return;
        }
        let by_mock = answered == Answered::MockOrMade;
        let key = (site.target, site.dispatches, by_mock);
        let known = self.targets.get(&key);
        if !narrows && known.is_some_and(|call| call.from >= run) {
            return;
        }
        let everywhere = known.is_some_and(|call| call.everywhere)
            || self.technique == Technique::Hierarchy
            || !site.dispatches;
        let targets = self.workspace.call_graph().targets(site);
        let bodies = targets.bodies();
        if narrows && let Some(narrow) = self.narrowed(body, site, bodies) {
            self.work.extend(narrow.into_iter().map(|body| (body, run)));
            return;
        }
        let all = !by_mock && (everywhere || bodies.len() < 2);
        for &to in bodies.iter() {
            let class = self.workspace.program().body_owner(to);
            if all || self.made.contains(&class) {
                self.work.push((to, run));
            } else {
                self.waiting.entry(class).or_default().push((to, run));
            }
        }
        if !bodies.is_empty() {
            let call = self.targets.entry(key).or_insert(Followed {
                bodies: Arc::clone(bodies),
                runs: all || by_mock,
                everywhere: all,
                from: run,
            });
            call.from = call.from.max(run);
        }
    }

    /// True for a constructor call that makes an object of that very class: not `this(…)` and `super(…)`.
    fn makes(&self, body: BodyId, site: &CallSite) -> bool {
        let records = self.workspace.program().body(body).map(|decl| &decl.body);
        match site.call.zip(records) {
            Some((call, records)) => !matches!(
                records.calls[call.ix()].callee,
                Callee::ThisConstructor | Callee::SuperConstructor { .. }
            ),
            // `Foo::new`.
            None => true,
        }
    }

    /// Also the classes above it, which go first.
    fn initialise(&mut self, class: TypeId) {
        let program = self.workspace.program();
        let above = std::iter::successors(Some(class), |c| program.superclass(*c));
        for class in above.take(MAX_DEPTH) {
            if !self.initialised.insert(class) {
                break;
            }
            let body = program.body_of(class, Member::Clinit);
            let run = match program.is_test_type(class) {
                true => Run::Called,
                false => Run::Once,
            };
            self.work.extend(body.map(|body| (body, run)));
        }
    }

    /// There may be an object of that class.
    fn make(&mut self, class: TypeId) {
        if self.made.contains(&class) {
            return;
        }
        let program = self.workspace.program();
        for is in std::iter::once(class).chain(program.supertypes(class)) {
            if self.made.insert(is)
                && let Some(bodies) = self.waiting.remove(&is)
            {
                self.work.extend(bodies);
            }
        }
    }

    fn construct(&mut self, class: TypeId, run: Run) {
        let bodies = self.constructs(class).into_iter();
        self.work.extend(bodies.map(|body| (body, run)));
    }

    /// Making an object runs the instance initialisers of its class and of those above it, and the constructors that
    /// run without being named.
    fn constructs(&self, class: TypeId) -> Vec<BodyId> {
        let program = self.workspace.program();
        let mut bodies = Vec::new();
        let above = std::iter::successors(Some(class), |c| program.superclass(*c));
        for (depth, class) in above.take(MAX_DEPTH).enumerate() {
            if depth > 0 {
                let constructor = program.default_constructor(class);
                bodies.extend(constructor.and_then(|m| program.method_body(m)));
            }
            bodies.extend(program.body_of(class, Member::Init));
        }
        bodies
    }

    /// True if calls on `this` in the code of a class go to the running ones.
    fn narrows(&self, owner: TypeId) -> bool {
        !self.running.is_empty() && self.workspace.program().is_test_type(owner)
    }

    /// Of the bodies that a call on `this` in the code of a test class may run, those that the running classes run: the
    /// receiver is an object of exactly these. To be asked for test code only. None for all other calls, and where no
    /// running class has a body for it.
    fn narrowed(&self, caller: BodyId, site: &CallSite, bodies: &[BodyId]) -> Option<Vec<BodyId>> {
        let program = self.workspace.program();
        let owner = program.body_owner(caller);
        if bodies.len() < 2 {
            return None;
        }
        let body = &program.body(caller)?.body;
        let flow::Callee::Method { receiver, .. } = body.calls[site.call?.ix()].callee else {
            return None;
        };
        if receiver.is_some_and(|r| body.expr(r).kind != flow::ExprKind::This) {
            return None;
        }
        // The receiver of a name alone is the innermost object around that has the method.
        let declared = program.method_owner(site.target);
        let around = std::iter::successors(Some(owner), |t| program.enclosing_type(*t));
        let around: Vec<TypeId> = around.take(MAX_DEPTH).collect();
        let mut out: Vec<BodyId> = self
            .running
            .iter()
            .filter(|r| r.is_a(declared) && around.iter().any(|t| r.classes.contains(t)))
            .flat_map(|r| r.bodies(program, bodies))
            .collect();
        out.sort_unstable();
        out.dedup();
        (!out.is_empty()).then_some(out)
    }
}

impl Workspace {
    /// The bodies that running `roots` may run: calls and what they dispatch to, initialisers of classes that are made,
    /// static initialisers of classes that are reached, and all members of anonymous and local classes that are made.
    pub fn reached(&self, roots: &[BodyId]) -> Bodies {
        let mut rapid_types = RapidTypes::new(self, Technique::RapidTypes, &[], &|_, _| true);
        rapid_types.run(roots.iter().copied()).clone()
    }

    /// The bodies that tests may run, those too that a library may call because it was given an object.
    pub fn reached_by(&self, runs: &[TestRun], technique: Technique) -> Bodies {
        let roots = runs.iter().flat_map(|r| {
            let mut roots = self.test_roots(*r);
            roots.extend(arguments(self.program(), *r));
            roots
        });
        let mut rapid_types = RapidTypes::new(self, technique, runs, &|_, _| true);
        rapid_types.asks_all = true;
        // Of what is told of a test all that may run is part, whatever stands for an object.
        rapid_types.mocks.forget_some();
        rapid_types.run(roots).clone()
    }

    /// The bodies that tests may run and that code here calls, or Java itself: what is worth to be ranked for them.
    pub fn called_by(&self, runs: &[TestRun]) -> Bodies {
        let roots = runs.iter().flat_map(|r| self.test_roots(*r));
        let mut rapid_types = RapidTypes::new(self, Technique::RapidTypes, runs, &|_, _| true);
        rapid_types.run(roots).clone()
    }
}
