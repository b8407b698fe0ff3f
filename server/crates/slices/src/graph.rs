//! Where in a workspace something is written, called, thrown and made: what a walk asks, found once for a state of it.

use crate::controls::Controls;
use crate::libraries::{class_of_call, receiver};
use calls::Workspace;
use chains::Chains;
use flow::{
    BlockId, Body, CallId, Callable, Callee, DefId, ExprId, ExprKind, Flow, LambdaId, LocalId,
    Options, Reaching, Target, VariableKind,
};
use models::{Family, families, family, is_jdk};
use oracle::frameworks::asks_openly;
use oracle::promises::guards;
use program::{
    BodyId, CallTarget, FieldId, FileId, Member, MethodId, NameTarget, Program, ResolvedBody, Ty,
    TypeId,
};
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smol_str::SmolStr;
use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};
use text::{Encoding, LineIndex, LineSet};

/// A place in a body.
pub(crate) type At = (BodyId, ExprId);

/// Something that keeps what is written to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cell {
    Field(FieldId),
    /// A field of a library, or one that is not known, by its name.
    Named(SmolStr),
    /// The elements of arrays of this type.
    Elements(SmolStr),
    Library(Family),
    /// What code that is not there keeps in objects of this class.
    Unseen(TypeId),
}

/// One body, as a walk needs it.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) file: FileId,
    /// A tool adds it to the class.
    pub(crate) is_added: bool,
    pub(crate) is_test: bool,
    pub(crate) member: Member,
    pub(crate) owner: TypeId,
    pub(crate) body: Arc<Body>,
    pub(crate) resolved: Arc<ResolvedBody>,
    pub(crate) chains: Arc<Chains>,
    /// By expression: the line on which it begins.
    pub(crate) lines: Vec<u32>,
    /// First and last line.
    pub(crate) span: (u32, u32),
    /// By call: its position in the chains' list.
    pub(crate) sites: FxHashMap<ExprId, u32>,
    /// By lambda: the call that it is given to.
    pub(crate) given: FxHashMap<LambdaId, CallId>,
    /// What is asked, in order: where, and by whom it may be answered.
    pub(crate) askings: Vec<(ExprId, Arc<program::Unwritten>)>,
    /// Found when they are first asked for.
    detail: OnceLock<Detail>,
    callers: OnceLock<Box<[At]>>,
    sleeping: OnceLock<Box<[Sleeping]>>,
}

/// A call and what it might write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sleeping {
    pub(crate) expr: ExprId,
    pub(crate) block: BlockId,
    pub(crate) writes: Writes,
}

#[derive(Debug)]
pub(crate) struct Detail {
    pub(crate) flow: Flow,
    pub(crate) controls: Controls,
}

/// See the module's description.
#[derive(Debug, Default)]
pub struct Graph {
    pieces: FxHashMap<BodyId, Piece>,
    pub(crate) of_method: FxHashMap<MethodId, BodyId>,
    /// The bodies of a file, without those of initialisers.
    pub(crate) of_file: FxHashMap<FileId, Vec<BodyId>>,
    called: FxHashMap<BodyId, Vec<At>>,
    /// By class: where its objects are made, and its constructors called from others.
    pub(crate) made: FxHashMap<TypeId, Vec<At>>,
    /// By what is asked of which type: where, and by whom it may be answered.
    pub(crate) asked: Vec<(Vec<At>, Arc<program::Unwritten>)>,
    pub(crate) answering: FxHashMap<BodyId, Vec<u32>>,
    pub(crate) written: FxHashMap<Cell, Vec<At>>,
    /// By type of the receiver: calls that run no body that is there.
    pub(crate) unseen: FxHashMap<TypeId, Vec<At>>,
    /// By the type that they are written for.
    pub(crate) lambdas: FxHashMap<TypeId, Vec<At>>,
    /// What running a body may write, with all that it may call.
    writes: FxHashMap<BodyId, Writes>,
}

/// A set of cells that may have more in it than was put there: a few bits for all (Bloom, CACM 1970, with one hash).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Writes([u64; 16]);

impl Writes {
    fn at(cell: &Cell) -> (usize, u64) {
        let bit = FxBuildHasher.hash_one(cell) >> 20;
        ((bit / 64 % 16) as usize, 1 << (bit % 64))
    }

    fn insert(&mut self, cell: &Cell) {
        let (word, bit) = Writes::at(cell);
        self.0[word] |= bit;
    }

    /// False if it was all there.
    pub(crate) fn extend(&mut self, other: &Writes) -> bool {
        let before = *self;
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(own, other)| *own |= other);
        *self != before
    }

    pub(crate) fn has(&self, cell: &Cell) -> bool {
        let (word, bit) = Writes::at(cell);
        self.0[word] & bit != 0
    }
}

/// What one body adds.
#[derive(Default)]
struct Found {
    callers: Vec<(BodyId, ExprId)>,
    made: Vec<(TypeId, ExprId)>,
    asked: Vec<(Ty, program::Asked, ExprId)>,
    written: Vec<(Cell, ExprId)>,
    unseen: Vec<(TypeId, ExprId)>,
    lambdas: Vec<(TypeId, ExprId)>,
}

impl Graph {
    /// Looks at all bodies. Linear in the code, on all cores.
    pub fn new(workspace: &Workspace) -> Graph {
        let program = workspace.program();
        let made: Vec<Vec<(BodyId, Piece, Found)>> = program
            .files()
            .par_iter()
            .map(|file| {
                let Some(text) = program.text(*file) else {
                    return Vec::new();
                };
                let index = LineIndex::new(text);
                let bodies = program.bodies_of_file(*file).iter();
                let made = bodies.filter_map(|b| {
                    let piece = piece(workspace, *file, &index, *b)?;
                    let found = found(workspace, &piece);
                    Some((*b, piece, found))
                });
                made.collect()
            })
            .collect();
        let mut out = Graph::default();
        let mut asked: FxHashMap<(Ty, program::Asked), usize> = FxHashMap::default();
        for (body, piece, found) in made.into_iter().flatten() {
            for (to, at) in found.callers {
                out.called.entry(to).or_default().push((body, at));
            }
            for (class, at) in found.made {
                out.made.entry(class).or_default().push((body, at));
            }
            for (on, what, at) in found.asked {
                let known = *asked.entry((on, what)).or_insert_with(|| {
                    out.asked.push((Vec::new(), program.unwritten(on, what)));
                    out.asked.len() - 1
                });
                out.asked[known].0.push((body, at));
            }
            for (cell, at) in found.written {
                out.written.entry(cell).or_default().push((body, at));
            }
            for (class, at) in found.unseen {
                out.unseen.entry(class).or_default().push((body, at));
            }
            for (class, at) in found.lambdas {
                out.lambdas.entry(class).or_default().push((body, at));
            }
            if let Member::Method(method) = piece.member {
                out.of_method.insert(method, body);
                out.of_file.entry(piece.file).or_default().push(body);
            }
            out.pieces.insert(body, piece);
        }
        for (at, (_, answers)) in out.asked.iter().enumerate() {
            let mut bodies: Vec<BodyId> = answers.ways.iter().flatten().copied().collect();
            bodies.sort_unstable();
            bodies.dedup();
            for body in bodies {
                out.answering.entry(body).or_default().push(at as u32);
            }
        }
        out.find_writes(program);
        out
    }

    /// From what bodies write themselves to what they may write through others: along the calls until nothing is new.
    fn find_writes(&mut self, program: &Program) {
        let mut writes: FxHashMap<BodyId, Writes> = FxHashMap::default();
        // A set is the same in whatever order it was filled.
        self.written.iter().for_each(|(cell, places)| {
            for (body, _) in places {
                writes.entry(*body).or_default().insert(cell);
            }
        });
        let mut work: Vec<BodyId> = writes.keys().copied().collect();
        work.sort_unstable();
        while let Some(body) = work.pop() {
            let own = writes.get(&body).copied().unwrap_or_default();
            for (caller, _) in self.callers(program, body) {
                if writes.entry(caller).or_default().extend(&own) {
                    work.push(caller);
                }
            }
        }
        self.writes = writes;
    }

    /// What running a body may write.
    pub(crate) fn writes_of(&self, body: BodyId) -> Writes {
        self.writes.get(&body).copied().unwrap_or_default()
    }

    /// The calls of a body that might write something, and what.
    pub(crate) fn sleeping<'a>(&self, workspace: &Workspace, piece: &'a Piece) -> &'a [Sleeping] {
        piece.sleeping.get_or_init(|| {
            let program = workspace.program();
            let all = piece.body.exprs.iter().enumerate();
            let calls = all
                .filter(|(_, e)| matches!(e.kind, ExprKind::Call(_) | ExprKind::MethodRef { .. }));
            let found = calls.filter_map(|(at, _)| {
                let expr = ExprId(at as u32);
                let mut writes = Writes::default();
                if let Some(site) = piece.sites.get(&expr) {
                    let site = &piece.chains.calls[*site as usize];
                    let targets = workspace.call_graph().targets(site);
                    let mut bodies: Vec<BodyId> = targets.bodies().to_vec();
                    if program.is_constructor(site.target) {
                        bodies.extend(
                            program.body_of(program.method_owner(site.target), Member::Init),
                        );
                    }
                    for to in bodies {
                        writes.extend(&self.writes_of(to));
                    }
                }
                for answers in piece.answers(expr) {
                    for to in answers.ways.iter().flatten() {
                        writes.extend(&self.writes_of(*to));
                    }
                }
                let block = piece.body.block_of(expr);
                (writes != Writes::default()).then_some(Sleeping {
                    expr,
                    block,
                    writes,
                })
            });
            found.collect()
        })
    }

    /// The places from which a body is called, by its own name or not. Kept.
    pub(crate) fn callers_of(&self, program: &Program, body: BodyId) -> &[At] {
        let piece = self.pieces.get(&body);
        piece.map_or(&[], |p| {
            p.callers.get_or_init(|| self.callers(program, body).into())
        })
    }

    /// The places from which a body is called, by its own name or not.
    fn callers(&self, program: &Program, body: BodyId) -> Vec<At> {
        let mut out: Vec<At> = self.called.get(&body).cloned().unwrap_or_default();
        for at in self.answering.get(&body).map_or(&[][..], |a| a) {
            out.extend(&self.asked[*at as usize].0);
        }
        // A constructor runs, and initialisers do, wherever an object of its class or of one below is made.
        if let Some(piece) = self.pieces.get(&body) {
            let is_constructor = match piece.member {
                Member::Method(m) => program.is_constructor(m),
                Member::Init => true,
                Member::Clinit => false,
            };
            if is_constructor {
                let below = program.subtypes(piece.owner);
                for class in std::iter::once(&piece.owner).chain(below) {
                    out.extend(self.made.get(class).map_or(&[][..], |m| m));
                }
            }
        }
        out
    }

    /// The lines of a file's methods on which something is computed that could be looked at: not those of braces alone, and none
    /// that only gives back `this`.
    pub fn judged(&self, file: FileId) -> LineSet {
        let mut out = LineSet::default();
        for body in self.of_file.get(&file).map_or(&[][..], |b| b) {
            // What a tool adds stands on the line of a field, and nobody wrote it there.
            let Some(piece) = self.pieces.get(body).filter(|p| !p.is_added) else {
                continue;
            };
            for (expr, line) in piece.body.exprs.iter().zip(&piece.lines) {
                let is_one = match expr.kind {
                    ExprKind::Missing
                    | ExprKind::This
                    | ExprKind::Super
                    | ExprKind::Type(_)
                    | ExprKind::Class(_) => false,
                    ExprKind::Return(r) => piece.body.returns[r as usize]
                        .value
                        .is_some_and(|v| !matches!(piece.body.expr(v).kind, ExprKind::This)),
                    // A parameter is defined where it is declared, and what is caught where that is said.
                    ExprKind::Define(d) => {
                        let kind = piece.body.defs[d.ix()].kind;
                        !matches!(kind, VariableKind::Parameter | VariableKind::Catch)
                    }
                    ExprKind::Call(c) => {
                        let call = &piece.body.calls[c.ix()];
                        let chains = matches!(
                            call.callee,
                            Callee::ThisConstructor | Callee::SuperConstructor { .. }
                        );
                        !chains || call.args.len > 0
                    }
                    _ => true,
                };
                if is_one {
                    out.insert(*line);
                }
            }
        }
        out
    }

    pub(crate) fn piece(&self, body: BodyId) -> Option<&Piece> {
        self.pieces.get(&body)
    }
}

impl Piece {
    /// Definitions that reach uses, loops followed, and what decides over blocks.
    pub(crate) fn detail(&self) -> &Detail {
        self.detail.get_or_init(|| {
            let body = &*self.body;
            let none = |_: ExprId| None;
            let own = |_: DefId| None;
            let flow = Flow::new(
                body,
                Options { loops: true },
                &Reaching {
                    field_of: &none,
                    own_field: &own,
                    changes: &[],
                },
            );
            Detail {
                flow,
                controls: Controls::new(body),
            }
        })
    }

    /// Who may answer what is asked at an expression.
    pub(crate) fn answers(&self, e: ExprId) -> impl Iterator<Item = &Arc<program::Unwritten>> {
        let from = self.askings.partition_point(|a| a.0 < e);
        self.askings[from..]
            .iter()
            .take_while(move |a| a.0 == e)
            .map(|a| &a.1)
    }

    /// The code that runs where the class is first used.
    pub(crate) fn is_of_class(&self) -> bool {
        matches!(self.member, Member::Clinit)
    }

    /// The code of initialisers and what a tool adds to a class, of which nobody knows whether it ran.
    pub(crate) fn runs_unseen(&self) -> bool {
        self.is_added || !matches!(self.member, Member::Method(_))
    }

    /// The field that a name means.
    pub(crate) fn field(&self, e: ExprId) -> Option<FieldId> {
        match self.resolved.name(e)? {
            NameTarget::Field(f) => Some(f),
            _ => None,
        }
    }

    /// The cell of a name or an access of a field; none of what is no field.
    pub(crate) fn cell(&self, e: ExprId) -> Option<Cell> {
        match self.resolved.name(e) {
            Some(NameTarget::Field(f)) => Some(Cell::Field(f)),
            Some(NameTarget::LibraryField | NameTarget::Unknown) | None => {
                match self.body.expr(e).kind {
                    ExprKind::Name(n) | ExprKind::Field { name: n, .. } => {
                        Some(Cell::Named(self.body.name(n).clone()))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The class for which a lambda or a method reference is written.
    pub(crate) fn function(&self, program: &Program, e: ExprId) -> Option<TypeId> {
        let known = |ty: Ty| {
            program
                .erased_class(ty)
                .filter(|c| *c != program.object_type())
        };
        if let Some(class) = known(self.resolved.ty(e)) {
            return Some(class);
        }
        for (at, call) in self.body.calls.iter().enumerate() {
            let args = self.body.list(call.args);
            let Some(position) = args.iter().position(|arg| *arg == e) else {
                continue;
            };
            let target = match self.resolved.calls.get(at) {
                Some(CallTarget::Workspace(m)) => Some(*m),
                _ => self.resolved.library_method(call.expr),
            };
            let (params, varargs) = program.parameters(target?)?;
            let last = params.len().checked_sub(1)?;
            let formal = params[position.min(last)];
            let formal = match program.element_of(formal) {
                Some(element) if varargs && position >= last => element,
                _ => formal,
            };
            return known(formal);
        }
        let is_given = |d: &&flow::Def| self.body.list(d.sources).contains(&e);
        let def = self.body.defs.iter().find(is_given)?;
        match def.target {
            Target::Local(l) => self.resolved.locals.get(l.ix()).and_then(|ty| known(*ty)),
            Target::Place(p) => known(self.resolved.ty(p)),
            _ => None,
        }
    }

    /// The lambda in which an expression stands, innermost.
    pub(crate) fn lambda_of(&self, e: ExprId) -> Option<LambdaId> {
        let all = self.body.lambdas.iter().zip(0u32..);
        let around = all.filter(|(l, _)| l.first <= e && e < l.expr);
        around
            .max_by_key(|(l, _)| l.first)
            .map(|(_, at)| LambdaId(at))
    }

    /// The definitions of a local.
    pub(crate) fn defs_of(&self, local: LocalId) -> impl Iterator<Item = DefId> + '_ {
        let all = self.body.defs.iter().zip(0u32..);
        let own = all.filter(move |(d, _)| matches!(d.target, Target::Local(l) if l == local));
        own.map(|(_, at)| DefId(at))
    }

    /// What arrays of the type of an expression hold, as a cell.
    pub(crate) fn elements(&self, program: &Program, array: ExprId) -> Cell {
        let mut ty = self.resolved.ty(array);
        while let Some(element) = program.element_of(ty) {
            ty = element;
        }
        Cell::Elements(match ty.is_primitive() {
            true => program.display_type(ty),
            false => SmolStr::new_static("object"),
        })
    }
}

fn piece(workspace: &Workspace, file: FileId, index: &LineIndex, id: BodyId) -> Option<Piece> {
    let program = workspace.program();
    let decl = program.body(id)?;
    let chains = Arc::clone(workspace.chains(id)?);
    let resolved = Arc::clone(workspace.resolved(id)?);
    let body = Arc::clone(&decl.body);
    let line = |offset: u32| index.position(decl.start + offset, Encoding::Utf8).line + 1;
    let mut lines: Vec<u32> = body.exprs.iter().map(|e| line(e.start)).collect();
    // A call of a chain stands on the line of its name.
    for call in &body.calls {
        lines[call.expr.ix()] = line(call.name_start);
    }
    let (owner, member) = program.body_member(id);
    let span = match member {
        Member::Method(m) => {
            let span = program.method_decl(m)?.span;
            let of = |offset: u32| index.position(offset, Encoding::Utf8).line + 1;
            (of(span.start), of(span.end))
        }
        _ => (0, 0),
    };
    let mut given = FxHashMap::default();
    for (at, call) in body.calls.iter().enumerate() {
        for &arg in body.list(call.args) {
            if let ExprKind::Lambda(lambda) = body.expr(arg).kind {
                given.insert(lambda, CallId(at as u32));
            }
        }
    }
    let asked = |a: &chains::Asking| (a.expr, program.unwritten(a.on, a.asked));
    let chains_askings = chains.askings.iter().map(asked).collect();
    let sites = chains
        .calls
        .iter()
        .zip(0u32..)
        .map(|(site, at)| (site.expr, at))
        .collect();
    Some(Piece {
        file,
        is_added: decl.added,
        is_test: program.is_test(file),
        member,
        owner,
        body,
        resolved,
        chains,
        lines,
        span,
        sites,
        given,
        askings: chains_askings,
        detail: OnceLock::new(),
        callers: OnceLock::new(),
        sleeping: OnceLock::new(),
    })
}

fn found(workspace: &Workspace, piece: &Piece) -> Found {
    let program = workspace.program();
    let graph = workspace.call_graph();
    let (body, resolved) = (&*piece.body, &*piece.resolved);
    let mut out = Found::default();
    for site in &piece.chains.calls {
        let targets = graph.targets(site);
        if program.is_constructor(site.target) {
            out.made
                .push((program.method_owner(site.target), site.expr));
        }
        for &to in targets.bodies().iter() {
            out.callers.push((to, site.expr));
        }
    }
    for asking in &piece.chains.askings {
        out.asked.push((asking.on, asking.asked, asking.expr));
    }
    for (at, def) in body.defs.iter().enumerate() {
        let cell = match def.target {
            Target::Local(_) => continue,
            Target::Place(e) => piece.cell(e),
            Target::Element(e) => Some(piece.elements(program, e)),
            Target::OwnField(_) => resolved.own_field(DefId(at as u32)).map(Cell::Field),
        };
        if let Some(cell) = cell {
            out.written.push((cell, def.expr));
        }
    }
    for (at, call) in body.calls.iter().enumerate() {
        let id = CallId(at as u32);
        if is_unseen(workspace, piece, id) {
            let on = receiver(body, id).map(|r| resolved.ty(r));
            let class = on.and_then(|ty| program.erased_class(ty));
            if let Some(class) = class {
                out.unseen.push((class, call.expr));
            }
            for cell in changed(program, piece, id) {
                out.written.push((cell, call.expr));
            }
        }
    }
    for (at, expr) in body.exprs.iter().enumerate() {
        let e = ExprId(at as u32);
        if matches!(expr.kind, ExprKind::Lambda(_) | ExprKind::MethodRef { .. }) {
            // Of one whose type is not known anybody may run it: it is filed under what any object is.
            let class = piece.function(program, e).unwrap_or(program.object_type());
            out.lambdas.push((class, e));
        }
    }
    out
}

/// True for a call that runs no body of the workspace.
pub(crate) fn is_unseen(workspace: &Workspace, piece: &Piece, call: CallId) -> bool {
    let expr = piece.body.calls[call.ix()].expr;
    match piece.resolved.calls.get(call.ix()) {
        Some(CallTarget::Workspace(_)) => match piece.sites.get(&expr) {
            Some(at) => {
                let site = &piece.chains.calls[*at as usize];
                let targets = workspace.call_graph().targets(site);
                targets.bodies().is_empty() && !program_made(workspace.program(), site.target)
            }
            None => false,
        },
        _ => true,
    }
}

/// A constructor that the language adds, an enum's `values()`: there is nothing to see.
fn program_made(program: &Program, method: MethodId) -> bool {
    program.is_implicit(method)
}

/// What a call that is not seen may change.
fn changed(program: &Program, piece: &Piece, call: CallId) -> Vec<Cell> {
    let (body, resolved) = (&*piece.body, &*piece.resolved);
    let record = &body.calls[call.ix()];
    let args = body.list(record.args);
    let mut out = Vec::new();
    let on = receiver(body, call);
    if let Some(on) = on
        && let Some(class) = program.class_of(resolved.ty(on))
    {
        out.push(Cell::Unseen(class));
        return out;
    }
    let class = class_of_call(program, body, resolved, call);
    let does = models::behaviour(program, body, resolved, call);
    let is_new = matches!(record.callee, Callee::New { .. });
    let is_static = on.is_none_or(|r| matches!(resolved.name(r), Some(NameTarget::Type(_))));
    let changes = does.changes_receiver() || record.dropped || does.is_outside();
    if changes && !is_new {
        match (is_static, on) {
            (false, Some(on)) => out.extend(
                families(program, resolved.ty(on))
                    .into_iter()
                    .map(Cell::Library),
            ),
            _ => out.extend(
                class
                    .as_deref()
                    .map_or(Some(Family::Others), family)
                    .map(Cell::Library),
            ),
        }
    }
    for (at, arg) in args.iter().enumerate() {
        let ty = resolved.ty(*arg);
        if does.changes.has(at)
            || !does.is_typed()
                && !class
                    .as_deref()
                    .is_some_and(|c| is_jdk(c) || asks_openly(c))
        {
            if program.element_of(ty).is_some() {
                out.push(piece.elements(program, *arg));
            } else {
                out.extend(families(program, ty).into_iter().map(Cell::Library));
            }
        }
    }
    out.sort_unstable_by_key(|c| format!("{c:?}"));
    out.dedup();
    out
}

/// True for a call whose arguments decide whether it throws: `requireNonNull(x)`, `checkArgument(n > 0)`.
pub(crate) fn is_guard(piece: &Piece, call: CallId) -> bool {
    piece
        .body
        .method_name(&piece.body.calls[call.ix()])
        .is_some_and(|name| guards(name))
}

/// The kinds of callables in which returns stand.
pub(crate) fn returns_of(body: &Body, callable: Callable) -> impl Iterator<Item = &flow::Return> {
    body.returns.iter().filter(move |r| r.callable == callable)
}

/// What a parameter's definition is: which of the member's, or of a lambda.
pub(crate) fn parameter(body: &Body, def: DefId) -> Option<u32> {
    let def = &body.defs[def.ix()];
    match (def.kind, def.target) {
        (VariableKind::Parameter, Target::Local(l)) => {
            body.params.iter().position(|p| *p == l).map(|at| at as u32)
        }
        _ => None,
    }
}
