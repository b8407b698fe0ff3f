//! Where a strange value enters the test: the calls on the line that the run told, and what of them is strange.

use super::Born;
use super::deep::{Deep, run_by};
use super::scene::Scene;
use flow::{CallId, ExprId, ExprKind};
use program::{BodyId, MethodId, Ty};
use smol_str::SmolStr;
use suspects::{Spot, Strange};

/// What is strange from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The value of the call.
    Value,
    /// The object of the variable that this names.
    Object(ExprId),
}

/// How an object hangs on a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    /// The variable holds it.
    Itself,
    /// Below this field of what the variable holds: `inner.queue`.
    Field(SmolStr),
    /// In another way: in an array, behind a getter.
    Else,
}

/// A strange value as the test gets it.
#[derive(Clone, Debug)]
pub(super) struct Seed {
    /// The call.
    pub(super) expr: ExprId,
    pub(super) place: Place,
    /// The field of the object that is strange; none for all of it.
    pub(super) field: Option<SmolStr>,
    /// The method that was strange, if the call is not one of it.
    pub(super) through: Option<MethodId>,
    /// The assertion that made the call itself: `assertEquals` calls `equals`.
    pub(super) within: Option<ExprId>,
}

/// What enters where.
pub(super) fn seeds<'d>(scene: &Scene<'_>, born: &Born, deep: &dyn Fn() -> &'d Deep) -> Vec<Seed> {
    let all = Finder { scene, born };
    let mut out = Vec::new();
    // A call stands on the line of its name; some compilers count whole statements.
    for calls in [all.named_on_line(), all.stated_on_line()] {
        let direct: Vec<CallId> = calls
            .iter()
            .copied()
            .filter(|c| all.is_direct(*c))
            .collect();
        if !direct.is_empty() {
            direct.into_iter().for_each(|c| all.direct(c, &mut out));
            return out;
        }
        for &call in &calls {
            all.deeper(call, deep, &mut out);
        }
        if out.is_empty() {
            calls.iter().for_each(|c| all.asked(*c, &mut out));
        }
        if !out.is_empty() {
            return out;
        }
    }
    // The line may be one of a method that the test calls.
    for call in all.helping() {
        all.deeper(call, deep, &mut out);
    }
    out
}

struct Finder<'s, 'a> {
    scene: &'s Scene<'a>,
    born: &'s Born,
}

impl Finder<'_, '_> {
    fn calls(&self) -> impl Iterator<Item = CallId> + use<> {
        (0..self.scene.body.calls.len() as u32).map(CallId)
    }

    fn named_on_line(&self) -> Vec<CallId> {
        let scene = self.scene;
        let line = |c: &CallId| scene.line(scene.body.calls[c.ix()].name_start) == self.born.line;
        self.calls().filter(line).collect()
    }

    /// The calls of the statements that the line is a part of.
    fn stated_on_line(&self) -> Vec<CallId> {
        let scene = self.scene;
        let stands = |c: &CallId| {
            let mut e = scene.body.calls[c.ix()].expr;
            while let Some(parent) = scene.parents[e.ix()] {
                if matches!(scene.body.expr(parent).kind, ExprKind::Lambda(_)) {
                    break;
                }
                e = parent;
            }
            let whole = scene.body.expr(e);
            (scene.line(whole.start)..=scene.line(whole.end)).contains(&self.born.line)
        };
        self.calls().filter(stands).collect()
    }

    /// The calls of the test that run the method of the test's file in which the line stands.
    fn helping(&self) -> Vec<CallId> {
        let scene = self.scene;
        let program = scene.program();
        let Some(file) = program.body_file(scene.id) else {
            return Vec::new();
        };
        let covers = |b: &&BodyId| {
            let span = program
                .body_method(**b)
                .and_then(|m| program.method_decl(m))
                .map(|m| m.span);
            **b != scene.id && span.is_some_and(|s| scene.covers(s, self.born.line))
        };
        let Some(&helper) = program.bodies_of_file(file).iter().find(covers) else {
            return Vec::new();
        };
        let workspace = scene.analysis.workspace();
        let runs = |c: &CallId| {
            let target = scene.target(*c);
            let targets = target.map(|t| workspace.call_graph().targets_of(t));
            targets.is_some_and(|t| t.bodies().contains(&helper))
        };
        self.calls().filter(runs).collect()
    }

    /// True if a call runs the method itself.
    fn is_direct(&self, call: CallId) -> bool {
        let scene = self.scene;
        let program = scene.program();
        let method = self.born.method;
        if let Some(target) = scene.target(call) {
            let body = program.method_body(method);
            let targets = scene.analysis.workspace().call_graph().targets_of(target);
            let is_above = || {
                let (owner, made) = (program.method_owner(method), program.method_owner(target));
                program.is_constructor(method)
                    && program.is_constructor(target)
                    && program.supertypes(made).contains(&owner)
            };
            return target == method
                || body.is_some_and(|b| targets.bodies().contains(&b))
                || is_above();
        }
        // Declared by a library, and overridden here: `Comparable.compareTo`.
        let flow::Callee::Method { name, .. } = scene.body.calls[call.ix()].callee else {
            return false;
        };
        let Some(receiver) = scene.receiver(call) else {
            return false;
        };
        program.method_decl(method).is_some_and(|m| {
            m.name == *scene.body.name(name)
                && m.params.len() == scene.body.calls[call.ix()].args.len as usize
        }) && self.may_be(scene.resolved.ty(receiver))
    }

    /// True if an object of this static type may be one of the method's class.
    fn may_be(&self, ty: Ty) -> bool {
        let program = self.scene.program();
        let owner = program.method_owner(self.born.method);
        match program.class_of(ty) {
            Some(class) => {
                class == owner
                    || program.supertypes(class).contains(&owner)
                    || program.subtypes(class).contains(&owner)
            }
            None => {
                let names = program.supertype_names(owner);
                program
                    .library_class_of(ty)
                    .is_some_and(|n| names.contains(n))
            }
        }
    }

    fn seed(&self, call: CallId, place: Place) -> Seed {
        Seed {
            expr: self.scene.body.calls[call.ix()].expr,
            place,
            field: None,
            through: None,
            within: None,
        }
    }

    fn direct(&self, call: CallId, out: &mut Vec<Seed>) {
        let scene = self.scene;
        let program = scene.program();
        let args = scene.body.list(scene.body.calls[call.ix()].args);
        let makes = !matches!(
            scene.body.calls[call.ix()].callee,
            flow::Callee::Method { .. }
        );
        let object = |e: ExprId| Some((Place::Object(scene.place(e)?), self.way(e)));
        // What a call does not change was so before it: who made it so has a constraint of its own.
        let (receiver, arguments) = self.changed(call);
        for Spot { of, field } in &self.born.strange {
            let value = (Place::Value, Way::Itself);
            let places: Vec<(Place, Way)> = match *of {
                Strange::Return => vec![value],
                Strange::Receiver if makes => vec![value],
                Strange::Receiver => {
                    let itself = self.gives_this() && receiver.is_some();
                    let own = receiver.and_then(object);
                    own.into_iter().chain(itself.then_some(value)).collect()
                }
                Strange::Parameter(at) => {
                    let own = args.get(at).copied().filter(|a| arguments.contains(a));
                    own.and_then(object).into_iter().collect()
                }
                Strange::Entry => {
                    let gives = makes || program.returns_value(self.born.method);
                    let changed = receiver.iter().chain(&arguments).copied();
                    let changed = changed.filter_map(object);
                    gives.then_some(value).into_iter().chain(changed).collect()
                }
            };
            out.extend(places.into_iter().map(|(place, way)| Seed {
                field: match way {
                    Way::Itself => field.clone(),
                    Way::Field(of_variable) => Some(of_variable),
                    Way::Else => None,
                },
                ..self.seed(call, place)
            }));
        }
    }

    /// How the object of an expression hangs on the variable that holds it.
    fn way(&self, e: ExprId) -> Way {
        let scene = self.scene;
        let mut way = Way::Itself;
        let mut at = e;
        while scene.own_field(at).is_none() {
            match scene.body.expr(at).kind {
                ExprKind::Local(_) => break,
                ExprKind::Field { object, name } => {
                    way = Way::Field(scene.body.name(name).clone());
                    at = object;
                }
                ExprKind::Cast { operand, .. } => at = operand,
                _ => return Way::Else,
            }
        }
        way
    }

    /// The receiver, and the arguments, that a call may change.
    fn changed(&self, call: CallId) -> (Option<ExprId>, Vec<ExprId>) {
        let scene = self.scene;
        let (analysis, body) = (scene.analysis, scene.body);
        let workspace = analysis.workspace();
        let touched = analysis
            .purity()
            .touched(workspace, body, scene.resolved, call);
        let receiver = scene.receiver(call).filter(|_| touched.receiver);
        let args = body.list(body.calls[call.ix()].args).iter().enumerate();
        let args = args.filter(|(at, _)| touched.argument(*at)).map(|a| *a.1);
        (receiver, args.collect())
    }

    /// True if the method gives the object that it was called on.
    fn gives_this(&self) -> bool {
        let program = self.scene.program();
        let body = program
            .method_body(self.born.method)
            .and_then(|b| program.body(b));
        body.is_some_and(|decl| {
            let mut values = decl.body.returns.iter().filter_map(|r| r.value);
            values.any(|v| matches!(decl.body.expr(v).kind, ExprKind::This))
        })
    }

    /// What a call that runs the method somewhere below gives and changes of it.
    fn deeper<'d>(&self, call: CallId, deep: &dyn Fn() -> &'d Deep, out: &mut Vec<Seed>) {
        let scene = self.scene;
        let workspace = scene.analysis.workspace();
        let Some(target) = scene.target(call) else {
            return;
        };
        let Some(goal) = scene.program().method_body(self.born.method) else {
            return;
        };
        let roots = workspace.call_graph().targets_of(target);
        let below = run_by(scene.analysis, roots.bodies());
        if !below.contains(goal) {
            return;
        }
        let deep = deep();
        let mut add = |place| {
            out.push(Seed {
                through: Some(self.born.method),
                ..self.seed(call, place)
            });
        };
        if deep.value_leads(scene, call, goal) {
            add(Place::Value);
        }
        let (receiver, arguments) = self.changed(call);
        for object in receiver.into_iter().chain(arguments) {
            if let Some(place) = scene.place(object)
                && deep.object_leads(scene, scene.resolved.ty(object), &below, goal)
            {
                add(Place::Object(place));
            }
        }
    }

    /// A library's call that may ask the objects that it is given: `assertEquals(a, b)`, `list.contains(a)`.
    fn asked(&self, call: CallId, out: &mut Vec<Seed>) {
        let scene = self.scene;
        let program = scene.program();
        let gives = |s: &Spot| matches!(s.of, Strange::Return | Strange::Entry);
        let asks = ["equals", "hashCode", "compareTo", "compare", "toString"];
        let name = program.method_decl(self.born.method).map(|m| &m.name);
        if scene.target(call).is_some()
            || !self.born.strange.iter().any(gives)
            || !name.is_some_and(|n| asks.contains(&n.as_str()))
        {
            return;
        }
        let record = &scene.body.calls[call.ix()];
        let args = scene.body.list(record.args);
        if !args.iter().any(|a| self.may_be(scene.resolved.ty(*a))) {
            return;
        }
        let mut assertions = scene.chains.assertions.iter();
        let within = assertions.find(|a| a.call == Some(call) || a.chained.contains(&call));
        out.push(Seed {
            through: Some(self.born.method),
            within: within.map(|a| a.expr),
            ..self.seed(call, Place::Value)
        });
    }
}
