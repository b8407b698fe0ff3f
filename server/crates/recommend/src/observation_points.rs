//! The observation points of a test: what it could read, whether a list then offers it or not.

mod call_points;
mod kept_points;

pub(crate) use call_points::{in_lambda, one_line, uses_of};

use super::computed::is_text_holder;
use super::hold_out::{HoldOut, Learned};
use super::statistics::{Ask, Unknown, asks_in, chain_key, type_key};
use super::timeline::Timeline;
use crate::Known;
use crate::Switches;
use crate::kept::{Kept, is_kept, kept};
use crate::queries::{QueryTarget, queries};
use calls::Workspace;
use chains::{Chains, Source, Use};
use effects::Purity;
use flow::{Body, CallId, Callable, Callee, ExprId, ExprKind, LocalId, Target, VariableKind};
use models::{
    LIBRARY, is_conventional, is_library_name, is_noise, is_throwable_name, value_of,
    value_of_throwable,
};
use observe::{Reads, quiet_field};
use oracle::frameworks::any;
use oracle::promises::awaits_throwing;
use oracle::{Reader, Root, said_by_annotation};
use program::{BodyId, CallTarget, FieldId, MethodDecl, NameTarget, Ty, TypeId};
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};
use std::rc::Rc;

/// How many queries of one object are looked at, and how many in all of a test: a bound on cost, not on truth.
const QUERIES_PER_OBJECT: usize = 40;
const QUERIES_PER_TEST: usize = 400;

/// Where a readable value is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The body in which it stands. What a captor keeps comes of another.
    pub body: BodyId,
    /// It is what a captor keeps, as a whole.
    pub is_kept: bool,
    /// What to write in an assertion: `total`, `record.getComment()`.
    pub expression: SmolStr,
    /// Its type, as people write it.
    pub ty: SmolStr,
    /// The offset in the file from which on it can be read: the start of the last definition of its object.
    pub start: u32,
    /// One past the definition.
    pub end: u32,
    /// The type of the object that is asked, if one is.
    pub object: Ty,
    /// The locals that the expression names.
    pub locals: Vec<LocalId>,
}

/// What an observation point is rooted in, and how its value is found.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) body: BodyId,
    pub(super) observation: Observation,
    /// Where, for the order.
    pub(super) start: u32,
    /// What it reads; none for a candidate of the test.
    pub(super) reads: Option<Reads>,
    pub(super) candidate: Option<u32>,
    /// An assertion reads it already.
    pub(super) read: bool,
    /// The variable or call that it starts from.
    pub(super) root: Root,
    /// How many queries stand behind that.
    pub(super) depth: usize,
    /// What it asks, and of what.
    pub(super) ask: Ask,
    /// The type of its value.
    pub(super) ty: Ty,
    /// Its root's last use before the hidden assertion, as an expression; 0 for none.
    pub(super) used: u32,
    /// Its root's last change before the hidden assertion, likewise.
    pub(super) changed: u32,
    /// Nothing reads its root, a local, since it has its value.
    pub(super) unused: bool,
    /// The value of a call that the test drops.
    pub(super) dropped: bool,
    /// The type of the object that is asked.
    pub(super) object: Ty,
    /// It is what a captor keeps, or is asked of that.
    pub(super) kept: Option<Rc<Kept>>,
    /// Of such a one: what code under test gives there.
    pub(super) given: Vec<(BodyId, ExprId)>,
}

/// True if an expression asks what a call gives: `sb.clear().toString()`.
pub(super) fn is_of_call(expression: &str) -> bool {
    let object = expression.rsplit_once('.');
    object.is_some_and(|(object, _)| object.contains('('))
}

/// An object that queries can be put to.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) text: SmolStr,
    pub(super) root: Root,
    pub(super) ty: Ty,
    pub(super) depth: usize,
    /// Absolute.
    pub(super) at: (u32, u32),
    /// What reading it uses, for queries whose code is not there.
    pub(super) uses: Vec<Use>,
    pub(super) unused: bool,
    /// A captor keeps it.
    pub(super) kept: Option<Rc<Kept>>,
}

/// Finds the points of test bodies.
pub(super) struct Finder<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) known: &'a Known,
    pub(super) switches: &'a Switches,
    /// The points of the scene at hand: what one test has a lot of takes nothing from the next.
    pub(super) points: Vec<Point>,
    /// Bodies that queries would run.
    pub(super) needed: Vec<BodyId>,
    /// The variables of the scene at hand.
    pub(super) objects: Vec<Object>,
}

/// One test body and what is known of it.
pub(super) struct Scene<'a> {
    pub(super) id: BodyId,
    pub(super) start: u32,
    /// Where its last expression ends, relative.
    end: u32,
    pub(super) reader: Reader<'a>,
    pub(super) chains: &'a Chains,
    pub(super) hold_out: HoldOut,
    pub(super) timeline: Timeline,
    /// What its captors keep.
    pub(super) kept: Vec<Rc<Kept>>,
    /// What of the suite's statistics is not to be known.
    pub(super) unknown: Unknown,
}

impl<'a> Scene<'a> {
    /// The scene of a test body, as if the call `hidden` were not in it.
    pub(super) fn new(
        workspace: &'a Workspace,
        purity: &Purity,
        id: BodyId,
        hidden: Option<(CallId, Learned)>,
    ) -> Option<Scene<'a>> {
        let program = workspace.program();
        let reader = Reader::new(workspace.program(), id)?;
        let chains = workspace.chains(id)?;
        let hold_out = match hidden {
            Some((call, _)) => HoldOut::without(&reader, call),
            None => HoldOut::at_end(reader.body),
        };
        let mut unknown = Unknown::default();
        match hidden {
            Some((call, Learned::Suite)) => {
                let mut asks = Vec::new();
                asks_in(&reader, &reader.reading_of_call(call), &mut asks);
                asks.into_iter().for_each(|ask| unknown.add(ask));
            }
            Some((_, Learned::OtherFiles)) => {
                unknown = Unknown::of_file(workspace, program.body_file(id)?);
            }
            None => {}
        }
        let timeline = Timeline::new(workspace, purity, &reader, &chains.assertions, &hold_out);
        let kept = kept(workspace, &reader, &chains.assertions, &hold_out);
        Some(Scene {
            id,
            kept: kept.into_iter().map(Rc::new).collect(),
            start: program.body(id)?.start,
            end: reader.body.exprs.iter().map(|e| e.end).max().unwrap_or(0),
            reader,
            chains,
            hold_out,
            timeline,
            unknown,
        })
    }
}

impl Scene<'_> {
    /// The expressions of the test that give what a point is, or the object of which it is a part.
    pub(crate) fn given_by(&self, point: &Point) -> Vec<ExprId> {
        let body = self.reader.body;
        if point.kept.is_some() {
            return Vec::new();
        }
        if point.dropped {
            return vec![ExprId(point.used)];
        }
        match &point.root {
            Root::Local(own, local) if *own == self.reader.id => {
                let defs = body.defs.iter();
                let defs = defs.filter(|d| d.target == Target::Local(*local));
                defs.flat_map(|d| body.list(d.sources)).copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// True if an annotation of the test, or of a class around it, says that it does not run, or on some machines alone: what
    /// they give, another does not.
    pub(super) fn is_disabled(&self) -> bool {
        let program = self.reader.program;
        let is_off = |annotations: &[SmolStr]| {
            let mut all = annotations.iter();
            all.any(|a| any(a, |row| row.off) || any(a, |row| row.somewhere))
        };
        let own = program.body_owner(self.id);
        let around = std::iter::successors(Some(own), |c| program.enclosing_type(*c));
        let mut around = around.filter_map(|c| program.type_decl(c));
        let decl = self.decl();
        decl.is_some_and(|d| is_off(&d.annotations) || said_by_annotation(d, |row| row.off_by))
            || around.any(|c| is_off(&c.annotations))
    }

    /// The test.
    fn decl(&self) -> Option<&MethodDecl> {
        let program = self.reader.program;
        program.method_decl(program.body_method(self.id)?)
    }

    /// True if the test waits for something to be thrown.
    pub(super) fn expects_exception(&self) -> bool {
        let body = self.reader.body;
        let named = |c: &flow::Call| {
            body.method_name(c)
                .is_some_and(|name| awaits_throwing(name))
        };
        body.locals.iter().any(|l| l.kind == VariableKind::Catch) || body.calls.iter().any(named)
    }
}

impl<'a> Finder<'a> {
    pub(super) fn new(
        workspace: &'a Workspace,
        known: &'a Known,
        switches: &'a Switches,
    ) -> Finder<'a> {
        Finder {
            workspace,
            known,
            switches,
            points: Vec::new(),
            needed: Vec::new(),
            objects: Vec::new(),
        }
    }
}

impl Finder<'_> {
    pub(super) fn find(&mut self, scene: &Scene<'_>) -> Vec<Point> {
        self.objects.clear();
        self.locals(scene);
        if self.switches.queries {
            self.fields(scene);
            self.own_calls(scene);
            self.kept(scene);
        }
        self.dropped(scene);
        if self.switches.repeated_calls {
            self.repeated(scene);
        }
        std::mem::take(&mut self.points)
    }

    /// (a) locals, by their last definition each, and what can be asked of them.
    fn locals(&mut self, scene: &Scene<'_>) {
        let (body, hold_out, resolved) =
            (scene.reader.body, &scene.hold_out, scene.reader.resolved);
        let mut last: Vec<Option<u32>> = vec![None; body.locals.len()];
        for (i, c) in scene.chains.candidates.iter().enumerate() {
            if let (Some(l), Callable::Member) = (c.local, c.callable)
                && hold_out.is_before(ExprId(c.order))
                && !hold_out.hides(ExprId(c.order))
            {
                last[l.ix()] = Some(i as u32);
            }
        }
        for (l, last) in last.iter().enumerate() {
            let (Some(candidate), id) = (*last, LocalId(l as u32)) else {
                continue;
            };
            if hold_out.hides_local(id) || !self.in_scope(scene, id) || may_be_unset(scene, id) {
                continue;
            }
            let (local, root) = (&body.locals[l], scene.reader.local(id));
            let c = &scene.chains.candidates[candidate as usize];
            let ty = resolved.locals.get(l).copied().unwrap_or(Ty::UNKNOWN);
            let at = (scene.start + c.start, scene.start + c.end);
            let changed = scene.timeline.changes_after(&root, c.order);
            let value = c.def.and_then(|d| plain_value(body, d));
            // Set in a branch or not: which of its literals it holds says where the test went.
            let sure = c.entry >= 1.0 - 1e-9;
            let literal = sure
                && !changed
                && value.is_some_and(|v| scene.reader.is_literal(v) && !is_kept(body, v));
            // What others write into it is not known in all cases.
            let written = || is_text_holder(self.workspace.program(), ty);
            if literal && self.switches.no_literals && !written() {
                continue;
            }
            let bare = sure && !changed && value.is_some_and(|v| is_new(&scene.reader, v));
            let asked = || {
                let ask = Ask {
                    ty: type_key(self.workspace.program(), ty),
                    query: SmolStr::default(),
                };
                self.switches.habitual && self.known.statistics().asked(&ask, &scene.unknown) > 0
            };
            let bare = bare && !asked();
            // What a loop sets last, its next turn reads.
            let again = body.loop_around(ExprId(c.order)).map_or(c.order, |l| l.0);
            let unused = !scene.timeline.is_read_after(&root, again.min(c.order));
            let plain = !matches!(local.kind, VariableKind::Parameter | VariableKind::Catch)
                && !local.counter;
            if plain && !bare && !literal {
                let point = Point {
                    candidate: Some(candidate),
                    unused,
                    ..self.point(scene, &root, &local.name, ty, at)
                };
                self.add(scene, point);
            }
            if self.switches.queries && !local.counter {
                let mut uses = vec![Use {
                    source: Source::Candidate {
                        candidate,
                        probability: 1.0,
                    },
                    copy: false,
                    library: true,
                }];
                self.given(scene, &root, &mut uses);
                let object = Object {
                    text: local.name.clone(),
                    root,
                    ty,
                    depth: 0,
                    at,
                    uses,
                    unused,
                    kept: None,
                };
                self.queries(scene, &object);
                self.objects.push(object);
            }
        }
    }

    /// A local whose block is closed at the hidden assertion cannot be read there; what a loop, a `try` or a `catch`
    /// declares can be asked for within it.
    pub(super) fn in_scope(&self, scene: &Scene<'_>, l: LocalId) -> bool {
        let body = scene.reader.body;
        // The place of a whole test is behind its last statement, in the block where that stands.
        let at_gap = body.exprs.get(scene.hold_out.first as usize);
        let at = at_gap.map_or(scene.end, |e| e.start);
        let local = &body.locals[l.ix()];
        let ends = |s: flow::LexicalScopeId| body.scopes[s.ix()].end;
        local.start < at && local.around.is_none_or(|s| at < ends(s))
    }

    /// Objects that the test class holds in fields.
    fn fields(&mut self, scene: &Scene<'_>) {
        let program = self.workspace.program();
        let (body, resolved) = (scene.reader.body, scene.reader.resolved);
        let mut fields: Vec<(SmolStr, FieldId, Ty, (u32, u32))> = Vec::new();
        for (e, target) in &resolved.names {
            let name = match body.expr(*e).kind {
                ExprKind::Name(n) => n,
                ExprKind::Field { object, name }
                    if matches!(body.expr(object).kind, ExprKind::This) =>
                {
                    name
                }
                _ => continue,
            };
            if let NameTarget::Field(f) = target
                && !scene.hold_out.hides(*e)
                && program.is_test_type(program.field_owner(*f))
                && quiet_field(program, *f).is_none()
                && !fields.iter().any(|x| x.1 == *f)
            {
                let at = scene.start + body.expr(*e).start;
                let end = scene.start + body.expr(*e).end;
                fields.push((body.name(name).clone(), *f, resolved.ty(*e), (at, end)));
            }
        }
        for (name, field, ty, at) in fields {
            let mut uses = vec![Use {
                source: Source::Field {
                    field,
                    probability: 1.0,
                },
                copy: false,
                library: true,
            }];
            let root = Root::Field(field);
            self.given(scene, &root, &mut uses);
            let point = Point {
                reads: Some(Reads::Field(field)),
                ..self.point(scene, &root, &name, ty, at)
            };
            self.add(scene, point);
            let object = Object {
                text: name,
                root,
                ty,
                depth: 0,
                at,
                uses,
                unused: false,
                kept: None,
            };
            self.queries(scene, &object);
            self.objects.push(object);
        }
    }

    /// `object.query()` for each query of its type, and `object.query().query()`.
    pub(super) fn queries(&mut self, scene: &Scene<'_>, object: &Object) {
        let program = self.workspace.program();
        let here = program.body_owner(scene.id);
        let key = type_key(program, object.ty);
        let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
        let class = program.class_of(object.ty);
        if let Some(class) = class {
            for (text, target, value) in self.ask_class(scene, class, here, &key) {
                if is_noise(&text) || !seen.insert(text.clone()) {
                    continue;
                }
                let reads = self.reads(target);
                self.query(scene, object, &key, &text, value, reads);
                if object.depth > 0 || object.kept.is_some() {
                    continue;
                }
                let next = Object {
                    text: format_smolstr!("{}.{text}", object.text),
                    root: object.root.clone(),
                    ty: value,
                    depth: object.depth + 1,
                    at: object.at,
                    uses: object.uses.clone(),
                    unused: object.unused,
                    kept: None,
                };
                if let Some(inner) = program.class_of(value).filter(|c| *c != class) {
                    let key = type_key(program, value);
                    for (more, target, value) in self.ask_class(scene, inner, here, &key) {
                        if !is_noise(&more) {
                            let reads = self.reads(target);
                            self.query(scene, &next, &key, &more, value, reads);
                        }
                    }
                } else if self.switches.library_queries {
                    self.library(scene, &next, None, &mut FxHashSet::default());
                }
            }
        }
        if self.switches.library_queries {
            self.library(scene, object, class, &mut seen);
        }
    }

    fn ask_class(
        &self,
        scene: &Scene<'_>,
        class: TypeId,
        here: TypeId,
        key: &SmolStr,
    ) -> Vec<(SmolStr, QueryTarget, Ty)> {
        let statistics = self.known.statistics();
        let also = |text: &str| {
            is_conventional(text)
                || self.switches.habitual
                    && statistics.of_type(key, &scene.unknown).any(|q| q == text)
        };
        let purity = self.known.purity();
        queries(
            purity,
            self.workspace,
            class,
            here,
            QUERIES_PER_OBJECT,
            &also,
        )
    }

    /// Queries whose code is not there: of library classes, and of library classes above one of the workspace.
    fn library(
        &mut self,
        scene: &Scene<'_>,
        object: &Object,
        class: Option<TypeId>,
        seen: &mut FxHashSet<SmolStr>,
    ) {
        let program = self.workspace.program();
        let key = type_key(program, object.ty);
        let mut texts: Vec<SmolStr> = Vec::new();
        let of_arguments = chain_key(program, object.ty);
        let mut chains: Vec<SmolStr> = Vec::new();
        let mut names: Vec<SmolStr> = Vec::new();
        match class {
            Some(class) => names.extend(program.supertype_names(class)),
            None => names.extend(program.library_class_of(object.ty).cloned()),
        }
        for name in &names {
            let rows = LIBRARY.iter().filter(|row| {
                name.ends_with(row.0) && (row.0.contains('.') || is_library_name(name))
            });
            texts.extend(rows.flat_map(|row| row.1).map(|text| SmolStr::from(*text)));
        }
        let is_thrown = names.iter().any(|n| is_throwable_name(n));
        if key.ends_with("[]") {
            texts.push(SmolStr::from("length"));
        }
        // What others of unknown types are asked, nobody knows that this one has.
        let is_known = object.ty != Ty::UNKNOWN;
        if self.switches.habitual && is_known && (class.is_none() || !names.is_empty()) {
            let asked = |key| self.known.statistics().of_type(key, &scene.unknown);
            if of_arguments != key {
                chains.extend(asked(&of_arguments).cloned());
            }
            let all = asked(&key).chain(&chains).take(QUERIES_PER_OBJECT);
            texts.extend(all.cloned());
        }
        for text in texts {
            let key = match chains.contains(&text) {
                true => &of_arguments,
                false => &key,
            };
            if is_noise(&text) || !seen.insert(text.clone()) {
                continue;
            }
            let ty = match is_thrown {
                true => value_of_throwable(program, &text),
                false => value_of(program, &text),
            };
            self.query(
                scene,
                object,
                key,
                &text,
                ty,
                Reads::Uses(object.uses.clone()),
            );
        }
    }

    fn reads(&mut self, target: QueryTarget) -> Reads {
        match target {
            QueryTarget::Method(m) => {
                let targets = self.workspace.call_graph().targets_of(m);
                self.needed.extend(targets.bodies().iter());
                Reads::Method(m)
            }
            QueryTarget::Field(f) => Reads::Field(f),
        }
    }

    fn query(
        &mut self,
        scene: &Scene<'_>,
        object: &Object,
        key: &SmolStr,
        text: &SmolStr,
        value: Ty,
        reads: Reads,
    ) {
        if self.points.len() >= QUERIES_PER_TEST {
            return;
        }
        let expression = format_smolstr!("{}.{text}", object.text);
        let mut point = Point {
            reads: Some(reads),
            depth: object.depth + 1,
            ask: Ask {
                ty: key.clone(),
                query: text.clone(),
            },
            unused: object.unused,
            object: object.ty,
            kept: object.kept.clone(),
            ..self.point(scene, &object.root, &expression, value, object.at)
        };
        point.observation.object = object.ty;
        self.add(scene, point);
    }

    /// A point that reads nothing yet.
    pub(super) fn point(
        &self,
        scene: &Scene<'_>,
        root: &Root,
        text: &SmolStr,
        ty: Ty,
        at: (u32, u32),
    ) -> Point {
        let program = self.workspace.program();
        let local = match *root {
            Root::Local(body, local) if body == scene.id => Some(local),
            _ => None,
        };
        Point {
            body: scene.id,
            read: false,
            start: at.0,
            observation: Observation {
                body: scene.reader.id,
                is_kept: false,
                object: Ty::UNKNOWN,
                locals: local.into_iter().collect(),
                expression: text.clone(),
                ty: program.type_text(ty),
                start: at.0,
                end: at.1,
            },
            reads: None,
            candidate: None,
            root: root.clone(),
            depth: 0,
            ask: Ask {
                ty: type_key(program, ty),
                query: SmolStr::default(),
            },
            ty,
            used: scene.timeline.last_use(root).unwrap_or(0),
            changed: scene.timeline.last_change(root).unwrap_or(0),
            unused: false,
            dropped: false,
            object: Ty::UNKNOWN,
            kept: None,
            given: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, scene: &Scene<'_>, mut point: Point) {
        let text = &point.observation.expression;
        point.read = scene
            .timeline
            .is_checked(&point.root, text, !self.switches.stale);
        self.points.push(point);
    }
}

/// True for a local that is declared without a value, and given one only where the test may not come by: at its end the
/// compiler lets nobody read it. (One that both branches set could be read, and counts as this, too.)
fn may_be_unset(scene: &Scene<'_>, l: LocalId) -> bool {
    let body = scene.reader.body;
    let local = &body.locals[l.ix()];
    // At a hidden assertion within the test it may be set where that stands.
    let at_gap = body.exprs.get(scene.hold_out.first as usize);
    if local.kind != VariableKind::Local || at_gap.is_some() {
        return false;
    }
    let own = scene.chains.candidates.iter();
    let mut own = own.filter(|c| c.local == Some(l) && c.callable == Callable::Member);
    !own.any(|c| {
        let with_it = (c.start..c.end).contains(&local.start);
        // A loop may have no turn.
        let always = || c.entry >= 1.0 - 1e-9 && body.loop_around(ExprId(c.order)).is_none();
        with_it || c.block == local.block || always()
    })
}

/// The value that a definition gives to a local, if it is nothing else.
fn plain_value(body: &Body, d: flow::DefId) -> Option<ExprId> {
    let def = &body.defs[d.ix()];
    let plain = !def.compound
        && matches!(def.target, Target::Local(_))
        && matches!(def.kind, VariableKind::Local | VariableKind::Resource);
    plain
        .then(|| body.list(def.sources).first().copied())
        .flatten()
}

/// A new object of the workspace, a lambda.
fn is_new(reader: &Reader<'_>, mut e: ExprId) -> bool {
    let body = reader.body;
    loop {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => e = operand,
            ExprKind::Call(c) => {
                return matches!(body.calls[c.ix()].callee, Callee::New { .. })
                    && matches!(
                        reader.resolved.calls.get(c.ix()),
                        Some(CallTarget::Workspace(_))
                    );
            }
            ExprKind::Lambda(_) | ExprKind::MethodRef { .. } => return true,
            _ => return false,
        }
    }
}
