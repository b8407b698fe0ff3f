//! When a list is not sure of a value: the reasons for which a lens does not name it.
//!
//! A value is *sure* if code under test that this test runs computed it, the object that gives it was in that code's hands
//! last, the test wants it and has chosen nothing else, no assertion reads it yet in any form, and it can be compared as it
//! is. Each reason to doubt is a case seen above tests of projects that nobody had tuned on. In doubt a lens is silent; the
//! lists still show the value, behind those that are sure.

mod barely;
mod cared;
mod chosen;
mod copies;
mod counted;
mod covered;
mod dropped;
mod elsewhere;
mod foreseen;
mod forms;
mod kept;
mod left;
mod listed;
mod looked;
mod parts;
mod printed;
mod reason;
mod said;
mod within;
mod written;

pub(crate) use self::reason::Worth;
pub use self::reason::{Cue, Doubt};

use self::barely::Barely;
pub(crate) use self::barely::COUNTS;
use self::dropped::verifies;
pub(crate) use self::foreseen::is_unforeseen;
use self::foreseen::{is_local_unforeseen, is_time};
use self::forms::is_equality;
use self::looked::Looked;
use self::printed::Printed;
use self::said::Said;
use self::within::Within;
#[cfg(test)]
pub(crate) use self::written::is_only_kept;
use super::acts::{Acts, Touch};
use super::computed::{
    holds_identities, holds_values, is_compound, is_identity, is_text_holder, is_value,
};
use super::implied::Shown;
use super::observation_points::{Point, Scene};
use super::topic::Topic;
use crate::Known;
use crate::weights::{COMPUTED, UNSTABLE};
use calls::Workspace;
use chains::Source;
use flow::{Callee, ExprId, ExprKind, VariableKind};
use models::known_query;
use observe::Reads;
use oracle::Root;
use oracle::frameworks::any;
use oracle::squeezed;
use program::{BodyId, CallTarget, MethodId, Ty, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

/// Queries that say next to nothing, or the same as one that is asserted more often.
const SAYS_LITTLE: &[&str] = &[
    "isEmpty()",
    "isNotEmpty()",
    "isBlank()",
    "isNotBlank()",
    "toString()",
    "getClass()",
    "hashCode()",
    "hasNext()",
    "hasMoreElements()",
    "length()",
    "isPresent()",
    "exists()",
    "describeConstable()",
    "getDeclaringClass()",
];

/// Whether something runs, and the calls that make it so: who starts it seldom doubts that it does.
const LIFECYCLE_FLAGS: &[&str] = &[
    "isRunning()",
    "isStarted()",
    "isStopped()",
    "isAlive()",
    "isActive()",
    "isOpen()",
    "isClosed()",
    "isShutdown()",
    "isTerminated()",
    "isConnected()",
];
const LIFECYCLE: &[&str] = &[
    "start",
    "stop",
    "open",
    "close",
    "init",
    "initialize",
    "destroy",
    "shutdown",
    "connect",
    "disconnect",
];

/// True for such a query: `isEmpty()`, `toString()`, `toDebugString()`.
pub(super) fn says_little(query: &str) -> bool {
    let is_text = query.starts_with("to") && query.ends_with("String()");
    is_text || SAYS_LITTLE.contains(&query)
}

fn begins(name: &str, with: &[&str]) -> bool {
    with.iter().any(|w| name.starts_with(w))
}

/// True for a variable whose name says that nobody wants it.
fn is_unwanted(name: &str) -> bool {
    ["unused", "ignore", "_"]
        .iter()
        .any(|u| name.starts_with(u))
}

/// What a point tells on, as far as doubts need it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tells {
    /// Of computed definitions, what no assertion reads: Σ FOC · rest.
    pub(super) computed: f64,
    /// The same with what assertions read.
    pub(super) with_read: f64,
    /// The most that a definition which differs from run to run has of it.
    pub(super) unstable: f64,
}

/// What a test alone says of a point, before anything is known of the code under test.
enum ByTest {
    Doubted(Doubt),
    Sure,
    Written,
    /// It depends on what the point tells on.
    Open,
}

/// One scene, as doubts see it.
pub(super) struct Judge<'a> {
    workspace: &'a Workspace,
    known: &'a Known,
    scene: &'a Scene<'a>,
    acts: Acts,
    shown: Shown,
    topic: Topic,
    /// Paths, and where each stands last.
    mentioned: FxHashMap<(Root, SmolStr), u32>,
    /// Those that stand more than once.
    repeated: FxHashSet<(Root, SmolStr)>,
    /// By path: where it is given whole to something that is no code under test, last.
    handed: FxHashMap<(Root, SmolStr), u32>,
    /// By root: where it is given to code under test, last: from then on it is an input.
    given: FxHashMap<Root, u32>,
    /// What assertions say no more of than that it is there.
    barely: Barely,
    /// What stands within assertions.
    within: Within,
    /// What the others have in so many words.
    said: Said,
    /// What the test looks at.
    looked: Looked,
    /// Roots that an assertion compares whole.
    whole: FxHashSet<Root>,
    /// Those of them that it compares by `equals`, themselves.
    equal: FxHashSet<Root>,
    /// The last call of a helper of the test's own classes.
    helper: Option<u32>,
    /// The test declares that it throws something.
    throws: bool,
    /// The test waits for something to be thrown.
    expects: bool,
    /// The test does not run, or on some machines alone.
    disabled: bool,
    /// It asks mocks what they were told, or looks at the answer to a request: its calls are made for that.
    verifies: bool,
    /// It asserts something.
    asserts: bool,
    /// By object: the queries of it that assertions read, as it is now.
    read: FxHashMap<Root, Vec<(Reads, Ty)>>,
}

/// True if a test, or what is set up for it, stops where the machine is not as it wants it.
fn assumes(workspace: &Workspace, test: BodyId) -> bool {
    let program = workspace.program();
    let Some(test) = program.body_method(test) else {
        return false;
    };
    let code = workspace.test_code(workspace.own_run(test));
    code.into_iter().any(|id| {
        let decl = program.body(id);
        decl.is_some_and(|d| d.body.names.iter().any(|n| any(n, |row| row.assumes)))
    })
}

/// True if a class that a test declares in its own body asserts something.
fn asserts_within(workspace: &Workspace, test: BodyId) -> bool {
    let program = workspace.program();
    let decl = program
        .body_method(test)
        .and_then(|m| program.method_decl(m));
    let (Some(decl), Some(file)) = (decl, program.body_file(test)) else {
        return false;
    };
    let bodies = program.bodies_of_file(file).iter().copied();
    let mut within = bodies.filter(|b| {
        let start = program.body(*b).map(|d| d.start);
        *b != test && start.is_some_and(|s| decl.span.start < s && s < decl.span.end)
    });
    within.any(|b| {
        workspace
            .chains(b)
            .is_some_and(|c| !c.assertions.is_empty())
    })
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        workspace: &'a Workspace,
        known: &'a Known,
        scene: &'a Scene<'a>,
        points: &[&Point],
    ) -> Judge<'a> {
        let program = workspace.program();
        let test = program
            .body_method(scene.id)
            .and_then(|m| program.method_decl(m));
        let visible = |e: ExprId| scene.hold_out.is_before(e) && !scene.hold_out.hides(e);
        let mut out = Judge {
            workspace,
            known,
            scene,
            acts: Acts::new(
                workspace,
                known.purity(),
                (&scene.reader, &scene.hold_out),
                scene.reader.throws_behind(),
            ),
            shown: Shown::new(scene),
            topic: Topic::default(),
            mentioned: FxHashMap::default(),
            repeated: FxHashSet::default(),
            handed: FxHashMap::default(),
            given: FxHashMap::default(),
            barely: Barely::new(scene),
            within: Within::default(),
            said: Said::default(),
            looked: Looked::default(),
            whole: FxHashSet::default(),
            equal: FxHashSet::default(),
            helper: None,
            throws: test.is_some_and(|t| !t.throws.is_empty()),
            expects: scene.expects_exception() || scene.reader.is_told_to_throw(),
            disabled: scene.is_disabled() || assumes(workspace, scene.id),
            verifies: verifies(scene.reader.body),
            asserts: scene.chains.assertions.iter().any(|a| visible(a.expr))
                || asserts_within(workspace, scene.id),
            read: FxHashMap::default(),
        };
        out.within = Within::new(scene, &out.barely);
        out.looked = Looked::new(scene, &out.barely);
        out.said = Said::new(scene, |a| out.barely.has(a) || out.barely.counts(a.expr));
        out.read();
        out.read_copies();
        let is_read = |root: &Root, text: &SmolStr| {
            let touched = out.acts.touch(root).map_or(0, |t| t.1);
            let last = out.mentioned.get(&(root.clone(), text.clone()));
            last.is_some_and(|e| *e > touched)
        };
        let mut read: FxHashMap<Root, Vec<(Reads, Ty)>> = FxHashMap::default();
        for point in points.iter().filter(|p| p.depth == 1) {
            let reads = point
                .reads
                .as_ref()
                .filter(|r| !matches!(r, Reads::Uses(_)));
            let text = &point.observation.expression;
            if let Some(reads) = reads.filter(|_| point.read || is_read(&point.root, text)) {
                let of_root = read.entry(point.root.clone()).or_default();
                of_root.push((reads.clone(), point.ty));
            }
        }
        out.topic = Topic::new(scene, points);
        out.read = read;
        out
    }

    /// Reads the body once: what is mentioned, handed on, compared whole.
    fn read(&mut self) {
        let reader = &self.scene.reader;
        let body = reader.body;
        let hold_out = &self.scene.hold_out;
        let visible = |e: ExprId| hold_out.is_before(e) && !hold_out.hides(e);
        // Their weak forms say nothing of what they are given; but what is told apart from another object is compared
        // whole, whatever that says of its parts.
        let weak = self.scene.chains.assertions.iter();
        let weak: FxHashSet<flow::CallId> = weak
            .filter(|a| self.barely.has(a) || self.barely.counts(a.expr))
            .filter_map(|a| a.call)
            .collect();
        let printed = Printed::new(reader);
        for (i, expr) in body.exprs.iter().enumerate() {
            let e = ExprId(i as u32);
            if !visible(e) || printed.has(e, expr) {
                continue;
            }
            if !matches!(
                expr.kind,
                ExprKind::Local(_)
                    | ExprKind::Name(_)
                    | ExprKind::Field { .. }
                    | ExprKind::Call(_)
                    | ExprKind::MethodRef { .. }
            ) {
                continue;
            }
            if let Some(path) = reader.path(e).filter(|p| p.depth > 0)
                && !self.barely.is_of(&path, e)
            {
                self.mention((path.root, path.text), e);
            }
            if let ExprKind::MethodRef {
                qualifier, name, ..
            } = expr.kind
                && let Some(path) = reader.path(qualifier)
            {
                // `until(server::isStopped)`.
                let query = format_smolstr!("{}.{}()", path.text, body.name(name));
                self.mention((path.root, query), e);
            }
            if let ExprKind::Call(c) = expr.kind {
                self.read_call(e, c, weak.contains(&c));
            }
        }
        for a in &self.scene.chains.assertions {
            if !visible(a.expr) {
                continue;
            }
            if self.barely.has(a) || self.barely.counts(a.expr) || reader.is_weak(a) {
                continue;
            }
            let reading = reader.reading(a);
            // Of an object's text is every part; so it is of what code under test was given in the assertion itself.
            let paths = reading.paths.iter().filter(|(_, p)| p.is_whole());
            self.whole
                .extend(paths.clone().map(|(_, p)| p.root.clone()));
            if is_equality(body, a) {
                let own = paths.filter(|(_, p)| p.depth == 0);
                self.equal.extend(own.map(|(_, p)| p.root.clone()));
            }
            for &call in &reading.calls {
                let mut work = vec![call];
                while let Some(e) = work.pop() {
                    if let ExprKind::Call(c) = body.expr(e).kind {
                        let call = &body.calls[c.ix()];
                        for &a in body.list(call.args) {
                            if let Some(path) = reader.path(a).filter(|p| p.depth == 0) {
                                self.whole.insert(path.root);
                            }
                        }
                        if let Callee::Method {
                            receiver: Some(r), ..
                        } = call.callee
                        {
                            work.push(r);
                        }
                    }
                }
            }
        }
    }

    /// Classes whose code does not run in this test.
    pub(super) fn mocked(&self) -> impl Iterator<Item = TypeId> {
        self.acts.mocked.iter().copied()
    }

    /// Methods that it calls to set objects up.
    pub(super) fn setters(&self) -> impl Iterator<Item = MethodId> {
        self.acts.setters.iter().copied()
    }

    fn mention(&mut self, path: (Root, SmolStr), e: ExprId) {
        if self.mentioned.insert(path.clone(), e.0).is_some() {
            self.repeated.insert(path);
        }
    }

    fn read_call(&mut self, e: ExprId, c: flow::CallId, weak: bool) {
        let reader = &self.scene.reader;
        let (program, body) = (reader.program, reader.body);
        let call = &body.calls[c.ix()];
        let target = match reader.resolved.calls.get(c.ix()) {
            Some(CallTarget::Workspace(m)) => Some(*m),
            _ => None,
        };
        let of_test = target.is_some_and(|m| program.is_test_type(program.method_owner(m)));
        if of_test && target.is_some_and(|m| self.asserts_in(m, 2)) {
            self.helper = self.helper.max(Some(e.0));
        }
        if let Callee::Method {
            receiver: Some(r),
            name,
        } = call.callee
            && call.args.len > 0
            && [
                "equals",
                "compareTo",
                "contentEquals",
                "isEqual",
                "equalsIgnoreCase",
            ]
            .contains(&body.name(name).as_str())
            && let Some(path) = reader.path(r)
        {
            self.handed.insert((path.root, path.text), e.0);
        }
        if target.is_some() && !of_test {
            let mut work = body.list(call.args).to_vec();
            while let Some(a) = work.pop() {
                match (reader.path(a), body.expr(a).kind) {
                    (Some(path), _) if path.depth == 0 => {
                        self.given.insert(path.root, e.0);
                    }
                    // `List.of(account)`
                    (None, ExprKind::Call(c))
                        if !matches!(
                            reader.resolved.calls.get(c.ix()),
                            Some(CallTarget::Workspace(_))
                        ) =>
                    {
                        work.extend_from_slice(body.list(body.calls[c.ix()].args));
                    }
                    _ => {}
                }
            }
        }
        if target.is_none_or(|_| of_test) && !weak {
            // `new PrintWriter(w)` looks at nothing.
            let wraps = matches!(call.callee, Callee::New { .. });
            for &a in body.list(call.args) {
                let is_wrapped = wraps && is_text_holder(program, reader.resolved.ty(a));
                if let Some(path) = reader.path(a).filter(|_| !is_wrapped) {
                    self.handed.insert((path.root, path.text), a.0);
                }
            }
        }
    }

    /// True if a helper asserts something, itself or by helpers of its own.
    fn asserts_in(&self, helper: MethodId, depth: u32) -> bool {
        let program = self.workspace.program();
        let targets = self.workspace.call_graph().targets_of(helper);
        targets.bodies().iter().any(|&b| {
            self.workspace.chains(b).is_some_and(|c| {
                let of_test = |m: MethodId| program.is_test_type(program.method_owner(m));
                !c.assertions.is_empty()
                    || depth > 0
                        && c.calls
                            .iter()
                            .any(|s| of_test(s.target) && self.asserts_in(s.target, depth - 1))
            })
        })
    }

    /// What shows that the test wants a point, or the first reason to doubt that, given what it tells on.
    pub(super) fn judged(
        &self,
        point: &Point,
        tells: impl FnOnce() -> Tells,
    ) -> Result<Cue, Doubt> {
        match self.by_test(point) {
            ByTest::Open if point.kept.is_some() => return self.judged_kept(point, &tells()),
            ByTest::Doubted(doubt) => return Err(doubt),
            ByTest::Sure => return Ok(Cue::Caught),
            ByTest::Written => return Ok(Cue::Written),
            ByTest::Open => {}
        }
        if self.is_shown_by_fields(point) || self.is_asked_by_asserted(point) {
            return Err(Doubt::Covered);
        }
        let tells = tells();
        let barely = self.is_barely_read(point);
        let is_unforeseen = || {
            is_unforeseen(&point.ask.query)
                || point.depth > 0 && is_time(point)
                || is_local_unforeseen(point)
                || point.observation.ty == "UUID"
        };
        if tells.unstable >= UNSTABLE || self.is_drawn(point) || barely && is_unforeseen() {
            return Err(Doubt::Unstable);
        }
        // That it is there, or how many it has, says nothing of what it is.
        let program = self.workspace.program();
        let is_counted = || self.is_only_counted(point) && !holds_identities(program, point.ty);
        let computed = match barely || is_counted() {
            true => tells.with_read,
            false => tells.computed,
        };
        if computed < COMPUTED && !self.is_decided(point) {
            let covered = tells.with_read >= COMPUTED;
            return Err(if covered {
                Doubt::Covered
            } else {
                Doubt::Passed
            });
        }
        let is_moved = |at| self.is_moved(point, at);
        self.cue(point, is_moved).ok_or(Doubt::Aside)
    }

    /// True if a point may be sure, as far as the test alone tells.
    pub(super) fn may_be_sure(&self, point: &Point) -> bool {
        match self.by_test(point) {
            ByTest::Doubted(_) => false,
            ByTest::Sure | ByTest::Written => true,
            ByTest::Open if point.kept.is_some() => self.is_wanted_of_captor(point),
            // What a method writes stands in the code under test, which may change while the test stays as it is.
            ByTest::Open => self.cue(point, |_| true).is_some(),
        }
    }

    /// True if what an assertion reads of it leaves open what it is.
    pub(crate) fn is_open(&self, point: &Point) -> bool {
        let is_part = point.depth > 0;
        self.is_barely_read(point)
            || self.is_counted(point)
            || is_part && self.is_unasked_exception(point)
    }

    /// What the test alone says of a point.
    fn by_test(&self, point: &Point) -> ByTest {
        use ByTest::Doubted;
        let root = &point.root;
        if point.kept.is_some() {
            return self.by_test_kept(point);
        }
        if self.acts.is_mock(root) && self.acts.is_kept(root) && point.depth > 0 {
            return Doubted(self.doubt_of_part_kept(point));
        }
        if self.acts.is_mock(root) || self.acts.is_answer(root) || self.is_of_own_class(point) {
            return Doubted(Doubt::Mock);
        }
        let dropped = point.dropped.then_some(ExprId(point.used));
        if self.acts.must_throw(root, dropped) {
            return Doubted(Doubt::Throws);
        }
        let is_open = || self.is_open(point);
        if point.read && !is_open() || self.is_asserted(point) {
            return Doubted(Doubt::Asserted);
        }
        if self.acts.caught.contains(root) {
            // What was kept of an exception and is never looked at.
            // Without `fail()` nobody says that it is thrown at all.
            let said = point.ask.query == "getMessage()" && point.depth == 1;
            let said = said && self.is_unasked_exception(point);
            let sure = !self.is_of_catch(root) || self.is_before_fail();
            let said = said && sure && !self.stubs_a_throw();
            let said = said && self.is_asked_here(&point.ask);
            return match said && !is_unwanted(&self.scene.reader.name_of(root)) {
                true => ByTest::Sure,
                false => Doubted(Doubt::Aside),
            };
        }
        if self.expects {
            // Where something is to be thrown, nobody knows here how far the test comes.
            let dropped = point.dropped && self.is_before_fail();
            return Doubted(if dropped { Doubt::Throws } else { Doubt::Aside });
        }
        if self.disabled {
            return Doubted(Doubt::Aside);
        }
        if self.is_written_text(point) {
            return ByTest::Written;
        }
        if self.says_little(point) {
            return Doubted(Doubt::Little);
        }
        if !self.compiles(point) {
            return Doubted(Doubt::Unknown);
        }
        if let Some(Reads::Method(m)) = &point.reads
            && !self.asks_only(*m)
        {
            return Doubted(Doubt::Changes);
        }
        let program = self.workspace.program();
        let comparable = match point.depth > 0 && self.is_barely_read(point) {
            true => holds_values(program, point.ty),
            // Nobody writes bytes down.
            false => {
                is_compound(program, point.ty) && program.element_of(point.ty) != Some(Ty::BYTE)
            }
        };
        // Of a test that checks nothing even an object that it drops is worth a look, if it can be compared with another.
        let is_object = point.dropped
            && !self.checks()
            && program.class_of(point.ty).is_some()
            && !is_identity(program, point.ty);
        if !is_value(program, point.ty) && !comparable && !is_object {
            return Doubted(Doubt::Bare);
        }
        if self.acts.touch(root).is_none() && !point.dropped {
            // Of a plain variable that a branch may set, the branch is what tells.
            return Doubted(match point.candidate {
                Some(_) => Doubt::Passed,
                None => Doubt::Untouched,
            });
        }
        ByTest::Open
    }

    fn is_asserted(&self, point: &Point) -> bool {
        let text = &point.observation.expression;
        let root = &point.root;
        let at = self.acts.touch(root).map_or(0, |t| t.1);
        let name = self.scene.reader.name_of(root);
        let is_kept = point.kept.is_some();
        let path = |text: &str| (root.clone(), SmolStr::from(text));
        let since = |places: &FxHashMap<(Root, SmolStr), u32>, text: &str| {
            places.get(&path(text)).is_some_and(|e| *e > at)
        };
        // A part of what is handed on or compared whole.
        let mut end = text.len();
        let mut prefixes = std::iter::from_fn(|| {
            let prefix = text.get(..end)?;
            end = prefix.rfind('.').unwrap_or(usize::MAX);
            Some(prefix)
        });
        let squeezed = squeezed(text);
        // Whatever the last assertions may change, what they read is read.
        let is_read_last = |text: &str| {
            let read = self.mentioned.get(&path(text));
            read.is_some_and(|e| self.is_last_act(*e))
        };
        !point.dropped
            && (since(&self.mentioned, text)
                || since(&self.mentioned, &squeezed)
                || is_read_last(text))
            || point.dropped && self.repeated.contains(&path(text))
            // A captor is given away to be filled.
            || prefixes.any(|p| !(is_kept && p == name) && since(&self.handed, p))
            || since(&self.mentioned, &format!("{name}.toString()"))
            || self.whole.contains(root)
            || self.helper > Some(at) && !matches!(root, Root::Local(..))
    }

    /// True if the test calls `fail()`: what stands before is to throw.
    fn is_before_fail(&self) -> bool {
        self.calls_any(|name| any(name, |row| row.fails))
    }

    /// True if the test tells a mock what to throw: then the message is the test's own.
    fn stubs_a_throw(&self) -> bool {
        self.calls_any(|name| any(name, |row| row.throwing))
    }

    /// True if the test calls a method of such a name.
    fn calls_any(&self, is_such: impl Fn(&str) -> bool) -> bool {
        let body = self.scene.reader.body;
        body.calls.iter().any(|c| match c.callee {
            Callee::Method { name, .. } => is_such(body.name(name)),
            _ => false,
        })
    }

    /// True for the variable of a `catch`.
    fn is_of_catch(&self, root: &Root) -> bool {
        let body = self.scene.reader.body;
        match root {
            Root::Local(id, l) if *id == self.scene.id => {
                body.locals[l.ix()].kind == VariableKind::Catch
            }
            _ => false,
        }
    }

    fn compiles(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        let declared = |m: MethodId| {
            program
                .method_decl(m)
                .is_some_and(|d| d.throws.is_empty() || self.throws)
        };
        match &point.reads {
            Some(Reads::Method(m)) => declared(*m),
            Some(Reads::Field(_)) | None => true,
            Some(Reads::Uses(_)) if point.dropped => true,
            Some(Reads::Uses(_)) => {
                point.depth == 1 && known_query(program, point.object, &point.ask.query)
            }
        }
    }

    /// True if asking changes nothing, as far as all code that it may run is there.
    fn asks_only(&self, m: MethodId) -> bool {
        self.known.purity().is_pure(self.workspace, m)
            || !self
                .workspace
                .call_graph()
                .targets_of(m)
                .components()
                .is_empty()
    }

    fn says_little(&self, point: &Point) -> bool {
        is_unwanted(&self.scene.reader.name_of(&point.root))
            || says_little(&point.ask.query)
            || point.depth > 1
            || self.is_lifecycle(point)
            || self.shown.shows(point)
    }

    /// True if a query asks whether something runs that the test started or stopped last.
    fn is_lifecycle(&self, point: &Point) -> bool {
        let body = self.scene.reader.body;
        let Some((Touch::Changed, at)) = self.acts.touch(&point.root) else {
            return false;
        };
        let ExprKind::Call(c) = body.expr(ExprId(at)).kind else {
            return false;
        };
        let is_start = match body.calls[c.ix()].callee {
            Callee::Method { name, .. } => LIFECYCLE.contains(&body.name(name).as_str()),
            _ => false,
        };
        is_start && LIFECYCLE_FLAGS.contains(&point.ask.query.as_str())
    }

    /// True if the test calls no code under test after a call, but to assert something.
    fn is_last_act(&self, call: u32) -> bool {
        let body = self.scene.reader.body;
        let assertions = &self.scene.chains.assertions;
        let asserts = |e: u32| {
            let e = body.expr(ExprId(e));
            assertions.iter().any(|a| {
                let a = body.expr(a.expr);
                a.start <= e.start && e.end <= a.end
            })
        };
        let later = |e: &&u32| **e > call && !asserts(**e);
        self.acts.acts.iter().find(later).is_none()
    }

    /// True if the value is what a call returned that decides.
    fn is_decided(&self, point: &Point) -> bool {
        let Some(Reads::Uses(uses)) = &point.reads else {
            return point.candidate.is_some() && self.is_decided_local(point);
        };
        point.dropped
            && uses.iter().any(|u| match u.source {
                Source::Call(site) => self
                    .scene
                    .chains
                    .calls
                    .get(site as usize)
                    .is_some_and(|s| self.decides(s.target)),
                _ => false,
            })
    }

    fn is_decided_local(&self, point: &Point) -> bool {
        let calls = &self.scene.chains.calls;
        let Some((Touch::Returned, at)) = self.acts.touch(&point.root) else {
            return false;
        };
        let last = calls.iter().rev().find(|s| s.expr.0 < at);
        last.is_some_and(|s| self.decides(s.target))
    }

    fn decides(&self, method: MethodId) -> bool {
        let targets = self.workspace.call_graph().targets_of(method);
        let bodies = targets.bodies();
        !bodies.is_empty()
            && bodies
                .iter()
                .all(|&b| crate::computed::decides(self.workspace, b))
    }

    /// True if a method that ran on an object is what had it last: what its constructor computed is older.
    pub(super) fn is_changed(&self, root: &Root) -> bool {
        matches!(self.acts.touch(root), Some((Touch::Changed, _)))
    }
}
