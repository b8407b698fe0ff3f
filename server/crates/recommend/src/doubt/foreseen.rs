//! Whether somebody who writes a test can foresee a value: what time, chance or a machine gives, nobody can.

use super::Judge;
use crate::computed::{draws, has_no_text, is_unstable_call, is_value};
use crate::observation_points::Point;
use crate::provenance::{Of, Provenance, is_constant, provenance};
use crate::topic::words;
use flow::{Body, Callee, ExprId, ExprKind, Target};
use observe::Reads;
use oracle::frameworks::{any, runs_for_each};
use program::{BodyId, MethodId, Modifiers, Program, ResolvedBody, Ty};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// Words of values that a test cannot foresee, and asks of only whether they are there.
const UNFORESEEN: &[&str] = &[
    "id",
    "ids",
    "uuid",
    "guid",
    "token",
    "secret",
    "time",
    "timestamp",
    "date",
    "created",
    "updated",
    "modified",
    "since",
    "now",
    "duration",
    "elapsed",
    "hash",
    "nonce",
    "signature",
    "generated",
    "random",
    "password",
    "salt",
    "host",
    "port",
    "address",
    "trace",
    "thread",
    "message",
    "version",
    "headers",
    "env",
    "environment",
    "commit",
    "revision",
];

/// Words of what is signed or encrypted: by chance, mostly, or by the time.
const SEALED: &[&str] = &[
    "jwt",
    "jws",
    "jwe",
    "signed",
    "encrypted",
    "ciphertext",
    "sealed",
];

/// Calls that seal something.
const SEALING: &[&str] = &["encrypt", "seal", "sign", "signWith", "generateKey"];

/// What comes behind *build* where a build tells of itself: `buildNumber`.
const OF_BUILDS: &[&str] = &["number", "string", "info", "label", "tag"];

/// True for what is signed or encrypted, by its words or those of its object, and no truth value.
pub(super) fn is_sealed(point: &Point) -> bool {
    let all = words(&point.observation.expression);
    point.ty != Ty::BOOLEAN && all.iter().any(|w| SEALED.contains(&w.as_str()))
}

/// True for a query by whose name nobody can foresee the value.
pub(crate) fn is_unforeseen(query: &str) -> bool {
    let all = words(query);
    let is_of_build = |two: &[SmolStr]| two[0] == "build" && OF_BUILDS.contains(&two[1].as_str());
    all.iter().any(|w| UNFORESEEN.contains(&w.as_str())) || all.windows(2).any(is_of_build)
}

/// `token`, `createdAt`
pub(super) fn is_local_unforeseen(point: &Point) -> bool {
    let is_drawn =
        || point.observation.ty == "UUID" || is_unforeseen(&point.observation.expression);
    point.depth == 0 && !point.dropped && is_drawn()
}

/// True for a call that is given chance, or gives it: `find(UUID.randomUUID())`, `UUID register()`.
pub(super) fn is_of_chance(point: &Point) -> bool {
    point.observation.ty == "UUID" || draws_by_name(&point.observation.expression)
}

/// True for a name that says that one draws: `selectRandom`.
fn draws_by_name(name: &str) -> bool {
    words(name).iter().any(|w| w == "random")
}

/// When something happened, nobody writes down, but what was made of a text.
pub(super) fn is_time(point: &Point) -> bool {
    [
        "Instant",
        "Date",
        "Timestamp",
        "OffsetDateTime",
        "ZonedDateTime",
        "LocalDateTime",
    ]
    .contains(&point.observation.ty.as_str())
}

impl Judge<'_> {
    /// Where the value of a point comes from, as far as the bodies tell that the test may `run`.
    fn provenance(&self, point: &Point, run: &FxHashSet<BodyId>) -> Provenance {
        let (workspace, own) = (self.workspace, self.scene.reader.id);
        let mut from: Vec<(BodyId, ExprId)> = Vec::new();
        from.extend(self.given_by(point).into_iter().map(|e| (own, e)));
        from.extend_from_slice(&point.given);
        if let Some(Reads::Method(method)) = &point.reads {
            let targets = workspace.call_graph().targets_of(*method);
            for &id in targets.bodies().iter().filter(|b| run.contains(b)) {
                let returns = workspace.program().body(id).map(|d| &d.body.returns[..]);
                let returns = returns.unwrap_or_default().iter();
                from.extend(returns.filter_map(|r| Some((id, r.value?))));
            }
        }
        // A part of what is made of the test's own arguments is another one for others.
        let of = match point.depth == 0 || point.dropped {
            _ if self.has_arguments() => Of::Everything,
            true => Of::Whole,
            false => Of::Part,
        };
        provenance(workspace, run, own, of, from)
    }

    /// True if no one value can be expected of a point: it is another one in the next run, on another machine, or for other
    /// arguments of the test. Of a truth value time decides too seldom.
    pub(crate) fn is_unsettled(&self, point: &Point, run: &FxHashSet<BodyId>) -> bool {
        let is_of_time = || self.is_written_text(point) && self.asks_the_time(run);
        if self.is_for_others()
            || self.is_text_of_any(point)
            || self.is_asked_of_now(point)
            || is_of_time()
        {
            return true;
        }
        let from = self.provenance(point, run);
        from.varies && point.ty != Ty::BOOLEAN
            || from.parameters.iter().any(|at| self.is_argument(*at))
    }

    /// True for what a call gives that the test hands the time or chance: `schedule.matches(ZonedDateTime.now())`.
    fn is_asked_of_now(&self, point: &Point) -> bool {
        let program = self.workspace.program();
        let reader = &self.scene.reader;
        let body = reader.body;
        let varies = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => {
                is_unstable_call(program, body, reader.resolved, c, e, |_, _| false)
            }
            _ => false,
        };
        let is_handed = |e: &ExprId| match body.expr(*e).kind {
            ExprKind::Local(local) => {
                let defs = body
                    .defs
                    .iter()
                    .filter(|d| d.target == Target::Local(local));
                let mut sources = defs.flat_map(|d| body.list(d.sources));
                sources.any(|e| varies(*e))
            }
            _ => varies(*e),
        };
        self.given_by(point)
            .iter()
            .any(|e| match body.expr(*e).kind {
                ExprKind::Call(c) => body.list(body.calls[c.ix()].args).iter().any(is_handed),
                _ => false,
            })
    }

    /// True for a local that is the text of an object which may have none but its address: `response.getEntity().toString()`.
    fn is_text_of_any(&self, point: &Point) -> bool {
        let reader = &self.scene.reader;
        let body = reader.body;
        let is_text = |e: &ExprId| {
            let ExprKind::Call(c) = body.expr(*e).kind else {
                return false;
            };
            match body.calls[c.ix()].callee {
                Callee::Method {
                    receiver: Some(of),
                    name,
                } => {
                    let ty = reader.resolved.ty(of);
                    let is_any = ty == Ty::UNKNOWN || has_no_text(self.workspace.program(), ty);
                    is_any && body.name(name) == "toString"
                }
                _ => false,
            }
        };
        point.depth == 0 && !point.dropped && self.given_by(point).iter().any(is_text)
    }

    /// True for a parameter of the test that somebody lists the values of. What is no value is a fixture that was injected,
    /// unless the test says that it has arguments.
    fn is_argument(&self, at: usize) -> bool {
        let program = self.workspace.program();
        let test = program.body_method(self.scene.id);
        let types = test.and_then(|t| program.parameters(t));
        types.is_some_and(|(types, _)| {
            types
                .get(at)
                .is_some_and(|ty| self.has_arguments() || is_value(program, *ty))
        })
    }

    /// True for a test that runs once for each of several arguments: of JUnit 5, or of TestNG, which injects nothing.
    pub(super) fn has_arguments(&self) -> bool {
        let program = self.workspace.program();
        let test = program.body_method(self.scene.id);
        let Some((test, decl)) = test.and_then(|m| Some((m, program.method_decl(m)?))) else {
            return false;
        };
        let summary = program
            .method_file(test)
            .and_then(|file| program.summary(file));
        summary.is_some_and(|s| runs_for_each(s, &decl.annotations, decl.params.len()))
    }

    /// True for a test of an abstract class, or of one that JUnit 4 makes for each of several parameters: what its values
    /// are, those that extend it say, or these.
    fn is_for_others(&self) -> bool {
        let program = self.workspace.program();
        let Some(test) = program.body_method(self.scene.id) else {
            return false;
        };
        let class = program.method_owner(test);
        let gives = |method: &MethodId| {
            let decl = program.method_decl(*method);
            let is_one = |a: &SmolStr| any(a, |row| row.giving_class);
            decl.is_some_and(|d| d.annotations.iter().any(is_one))
        };
        let mut all = program.supertypes(class).into_iter().chain([class]);
        let decl = program.type_decl(class);
        decl.is_some_and(|c| c.modifiers.has(Modifiers::ABSTRACT))
            || all.any(|c| program.methods_of_type(c).iter().any(gives))
    }

    /// True if code under test that the test runs asks the time or chance: a text that is written may say it.
    fn asks_the_time(&self, run: &FxHashSet<BodyId>) -> bool {
        self.runs_such(run, |program, body, resolved, e| {
            let is_watch = |class: &str, _: &str| models::is_watch(class);
            match body.expr(e).kind {
                ExprKind::Call(c) => is_unstable_call(program, body, resolved, c, e, is_watch),
                _ => false,
            }
        })
    }

    /// True if code under test that the test runs draws numbers: whatever way they go, nothing is sure there.
    pub(super) fn draws_lots(&self, run: &FxHashSet<BodyId>) -> bool {
        self.runs_such(run, draws)
    }

    /// True if the code behind a text or a number draws numbers, or has something encrypted or signed. What draws somewhere
    /// below a whole collection seldom decides what is in it.
    pub(super) fn is_drawn_behind(&self, point: &Point) -> bool {
        if point.ty == Ty::BOOLEAN || !is_value(self.workspace.program(), point.ty) {
            return false;
        }
        let behind: FxHashSet<BodyId> = self.bodies_behind(point).into_iter().collect();
        let is_drawn = |program: &Program, body: &Body, resolved: &ResolvedBody, e| {
            let ExprKind::Call(c) = body.expr(e).kind else {
                return false;
            };
            SEALING.contains(&body.called(c)) || draws(program, body, resolved, e)
        };
        self.runs_such(&behind, is_drawn)
    }

    /// True if code under test that the test runs makes a call of a kind.
    fn runs_such(
        &self,
        run: &FxHashSet<BodyId>,
        is_such: impl Fn(&Program, &Body, &ResolvedBody, ExprId) -> bool,
    ) -> bool {
        let program = self.workspace.program();
        let is_of_tests = |body: BodyId| program.body_file(body).is_none_or(|f| program.is_test(f));
        let mut all = run.iter().filter(|b| !is_of_tests(**b));
        all.any(|&id| {
            let (Some(decl), Some(resolved)) = (program.body(id), self.workspace.resolved(id))
            else {
                return false;
            };
            let body = &*decl.body;
            let mut calls = body.calls.iter();
            calls.any(|call| is_such(program, body, resolved, call.expr))
        })
    }

    /// True for a local that holds a constant of the workspace, or what one of its objects says.
    pub(super) fn is_of_constant(&self, point: &Point) -> bool {
        let given = self.given_by(point);
        let own = self.scene.reader.id;
        let mut all = given.iter();
        point.depth == 0 && !given.is_empty() && all.all(|e| is_constant(self.workspace, own, *e))
    }

    /// True for what a call gives that by its name draws it.
    pub(super) fn is_drawn(&self, point: &Point) -> bool {
        let body = self.scene.reader.body;
        let given = self.given_by(point);
        given.iter().any(|e| match body.expr(*e).kind {
            ExprKind::Call(call) => match body.calls[call.ix()].callee {
                Callee::Method { name, .. } => draws_by_name(body.name(name)),
                _ => false,
            },
            _ => false,
        })
    }

    /// See [`Scene::given_by`](crate::observation_points::Scene::given_by).
    pub(super) fn given_by(&self, point: &Point) -> Vec<ExprId> {
        self.scene.given_by(point)
    }
}
