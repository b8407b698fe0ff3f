//! The walk back from what a test looks at.

mod looks;
mod objects;

use crate::executed::{Executed, FileLines};
use crate::graph::{At, Cell, Graph, Piece, Writes, is_unseen, parameter, returns_of};
use crate::libraries::receiver;
use crate::watched::Watched;
use calls::Workspace;
use flow::{BlockId, Callable, Callee, DefId, ExprId, ExprKind, LambdaId, Target, VariableKind};
use models::{Family, families};
use program::{BodyId, FieldId, MethodId, Modifiers, NameTarget, Program, Ty, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many types are looked through for what an object holds.
const MAX_TYPES: usize = 200;

/// What ran.
#[derive(Clone, Copy, Debug)]
pub struct What<'a> {
    /// Lines that have code, of the classes that were loaded. Of a line that is not here nobody knows whether it ran.
    pub code: &'a FileLines,
    /// What the test ran.
    pub own: &'a FileLines,
    /// What anybody ran: the test may read what others left behind.
    pub all: &'a FileLines,
}

/// What a test looks at.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// The lines on which it may rest, of those that ran in it.
    pub lines: FileLines,
    left: Left,
}

/// What a test reads that it did not write itself: others did, or a class where it was first used.
#[derive(Clone, Debug, Default)]
struct Left {
    nodes: FxHashSet<Node>,
    cells: FxHashSet<Cell>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    /// The value of an expression.
    Value(BodyId, ExprId),
    /// A definition, as it is made.
    Definition(BodyId, DefId),
    /// That a block runs.
    Happens(BodyId, BlockId),
    /// That a body runs.
    Runs(BodyId),
    /// That a lambda runs.
    LambdaRuns(BodyId, LambdaId),
    /// What a body returns.
    Returned(BodyId),
    /// What a lambda is given.
    Given(BodyId, LambdaId),
    /// A parameter, from 0; `THIS` for the object itself.
    Parameter(BodyId, u32),
    /// All that an object of a class holds.
    Inside(TypeId),
    Field(FieldId),
    /// Another cell, by its number.
    Cell(u32),
    /// Something that changes another thing, and its happening.
    Effect(BodyId, ExprId),
}

const THIS: u32 = u32::MAX;

struct Walk<'a> {
    workspace: &'a Workspace,
    program: &'a Program,
    graph: &'a Graph,
    executed: Executed<'a>,
    seen: FxHashSet<Node>,
    work: Vec<Node>,
    cells: Vec<Cell>,
    cell_ids: FxHashMap<Cell, u32>,
    slice: Slice,
    /// Calls that did not run, of bodies that did, and what they might have written: nobody would have, had a condition been
    /// another (Gyimóthy, Beszédes and Forgács, ESEC/FSE 1999, who call it a relevant slice).
    dormant: Vec<(BodyId, BlockId, Writes)>,
    /// It is of what anybody ran.
    is_of_all: bool,
    /// What comes now was not written by the test itself.
    shared: bool,
    /// What the test's file says that is looked at beside what assertions read.
    watched: Watched,
}

impl Graph {
    /// The slice of a test, whose file says by the names in its code what else is watched. Linear in the code that ran, times what
    /// writes to the same fields and collections.
    pub fn slice(&self, workspace: &Workspace, test: MethodId, what: What<'_>) -> Slice {
        let program = workspace.program();
        let file = program.method_file(test).and_then(|f| program.summary(f));
        let executed = Executed::new(self, what.code, what.own);
        let mut walk = Walk::new(workspace, self, executed);
        walk.watched = file.map_or_else(Watched::default, |file| Watched::of(file));
        walk.roots();
        walk.run();
        walk.slice
    }

    /// The lines on which may rest what tests read that they did not write themselves, whoever ran them. Code of tests is left out.
    pub fn left_behind<'s>(
        &self,
        workspace: &Workspace,
        what: What<'_>,
        slices: impl Iterator<Item = &'s Slice>,
    ) -> FileLines {
        let executed = Executed::new(self, what.code, what.all);
        let mut walk = Walk::new(workspace, self, executed);
        walk.is_of_all = true;
        walk.watched.logs = true;
        for slice in slices {
            // What is reached does not hang on where it begins.
            slice.left.nodes.iter().for_each(|node| walk.push(*node));
            let cells = slice.left.cells.iter().cloned();
            cells.for_each(|cell| walk.cell(cell));
        }
        walk.run();
        walk.slice.lines
    }
}

impl<'a> Walk<'a> {
    fn new(workspace: &'a Workspace, graph: &'a Graph, executed: Executed<'a>) -> Walk<'a> {
        Walk {
            workspace,
            program: workspace.program(),
            graph,
            executed,
            seen: FxHashSet::default(),
            work: Vec::new(),
            cells: Vec::new(),
            cell_ids: FxHashMap::default(),
            slice: Slice::default(),
            dormant: Vec::new(),
            is_of_all: false,
            shared: false,
            watched: Watched::default(),
        }
    }

    fn run(&mut self) {
        while let Some(node) = self.work.pop() {
            self.workspace.poll();
            self.shared = false;
            self.step(node);
        }
    }

    fn push(&mut self, node: Node) {
        if self.shared && !self.is_of_all {
            self.slice.left.nodes.insert(node);
        } else if self.seen.insert(node) {
            self.work.push(node);
        }
    }

    fn value(&mut self, body: BodyId, e: ExprId) {
        self.push(Node::Value(body, e));
    }

    fn cell(&mut self, cell: Cell) {
        if self.shared && !self.is_of_all {
            self.slice.left.cells.insert(cell);
            return;
        }
        if let Cell::Field(f) = cell {
            return self.push(Node::Field(f));
        }
        let next = self.cells.len() as u32;
        let id = *self.cell_ids.entry(cell.clone()).or_insert(next);
        if id == next {
            self.cells.push(cell);
        }
        self.push(Node::Cell(id));
    }

    fn mark(&mut self, piece: &Piece, line: u32) {
        self.slice.lines.entry(piece.file).or_default().insert(line);
    }

    /// Whether the code of an expression ran, or may have.
    fn has_run(&self, body: BodyId, piece: &Piece, e: ExprId) -> bool {
        let counts = piece.runs_unseen() || !(self.is_of_all && piece.is_test);
        counts && self.executed.in_piece(body, piece, e)
    }

    fn body_ran(&self, body: BodyId) -> bool {
        let piece = self.graph.piece(body);
        let counts = piece.is_some_and(|p| p.runs_unseen() || !(self.is_of_all && p.is_test));
        counts && self.executed.body(body)
    }

    // --- The walk ---

    fn step(&mut self, node: Node) {
        let graph = self.graph;
        match node {
            Node::Value(body, e) => {
                if let Some(piece) = graph.piece(body)
                    && self.has_run(body, piece, e)
                {
                    // What runs where a class is first used runs in one test for all.
                    self.shared |= piece.is_of_class();
                    self.mark(piece, piece.lines[e.ix()]);
                    // What a switch is about is compared with what its labels say.
                    for &(label, selector) in &piece.body.labels {
                        if selector == e && self.has_run(body, piece, label) {
                            self.mark(piece, piece.lines[label.ix()]);
                        }
                    }
                    self.step_value(body, piece, e);
                }
            }
            Node::Definition(body, def) => {
                if let Some(piece) = graph.piece(body) {
                    self.step_definition(body, piece, def);
                }
            }
            Node::Happens(body, block) => {
                if let Some(piece) = graph.piece(body) {
                    self.shared |= piece.is_of_class();
                    for &condition in piece.detail().controls.of(block) {
                        self.value(body, condition);
                    }
                    let first = piece.body.blocks[block.ix()].first;
                    let e = ExprId(first.min(piece.body.exprs.len().saturating_sub(1) as u32));
                    if let Some(lambda) = piece.lambda_of(e) {
                        self.push(Node::LambdaRuns(body, lambda));
                    }
                }
            }
            Node::Runs(body) => {
                for &(caller, e) in self.callers(body) {
                    self.effect_of(caller, e);
                }
            }
            Node::LambdaRuns(body, lambda) => {
                if let Some(piece) = graph.piece(body) {
                    let e = piece.body.lambdas[lambda.ix()].expr;
                    self.effect_of(body, e);
                    if let Some(call) = piece.given.get(&lambda) {
                        self.effect_of(body, piece.body.calls[call.ix()].expr);
                    }
                    for (caller, e) in self.invocations(piece, e) {
                        self.effect_of(caller, e);
                    }
                }
            }
            Node::Returned(body) => {
                if let Some(piece) = graph.piece(body) {
                    for r in returns_of(&piece.body, Callable::Member) {
                        if self.has_run(body, piece, r.expr) {
                            self.value(body, r.expr);
                        }
                    }
                }
            }
            Node::Given(body, lambda) => {
                if let Some(piece) = graph.piece(body) {
                    let e = piece.body.lambdas[lambda.ix()].expr;
                    if let Some(call) = piece.given.get(&lambda) {
                        self.parts(body, piece, piece.body.calls[call.ix()].expr);
                    }
                    for (caller, e) in self.invocations(piece, e) {
                        if let Some(at) = graph.piece(caller) {
                            self.parts(caller, at, e);
                        }
                    }
                }
            }
            Node::Parameter(body, at) => self.step_parameter(body, at),
            Node::Inside(class) => self.step_inside(class),
            Node::Field(field) => self.step_field(field),
            Node::Cell(id) => {
                let cell = self.cells[id as usize].clone();
                match cell {
                    Cell::Library(Family::Locks) => {}
                    Cell::Library(family) => {
                        let mut all = vec![family, Family::Others];
                        if family == Family::Others {
                            all = vec![
                                Family::Collections,
                                Family::Texts,
                                Family::Atomics,
                                Family::Others,
                            ];
                        }
                        if self.watched.logs {
                            all.push(Family::Logs);
                        }
                        all.dedup();
                        let cells = all.into_iter().map(Cell::Library);
                        self.writes(cells.collect());
                    }
                    other => self.writes(vec![other]),
                }
            }
            Node::Effect(body, e) => {
                if let Some(piece) = graph.piece(body)
                    && self.has_run(body, piece, e)
                {
                    self.mark(piece, piece.lines[e.ix()]);
                    match piece.body.expr(e).kind {
                        ExprKind::Call(_) => self.parts(body, piece, e),
                        _ => self.value(body, e),
                    }
                    self.push(Node::Happens(body, piece.body.block_of(e)));
                    self.push(Node::Runs(body));
                }
            }
        }
    }

    /// What is written there: by this test, else by anybody.
    fn writes(&mut self, cells: Vec<Cell>) {
        let graph = self.graph;
        self.might_write(&cells);
        let mut found = false;
        for cell in &cells {
            for (body, e) in graph.written.get(cell).map_or(&[][..], |w| w) {
                let Some(piece) = graph.piece(*body) else {
                    continue;
                };
                if self.has_run(*body, piece, *e) {
                    found |= !piece.is_of_class();
                    self.shared = piece.is_of_class();
                    match piece.body.expr(*e).kind {
                        ExprKind::Define(def) => {
                            self.push(Node::Definition(*body, def));
                            self.push(Node::Runs(*body));
                        }
                        _ => self.push(Node::Effect(*body, *e)),
                    }
                    self.shared = false;
                } else if self.body_ran(*body) {
                    self.push(Node::Happens(*body, piece.body.block_of(*e)));
                }
            }
        }
        if !found && !self.is_of_all {
            self.slice.left.cells.extend(cells);
        }
    }

    fn step_field(&mut self, field: FieldId) {
        self.writes(vec![Cell::Field(field)]);
        let decl = self.program.field_decl(field);
        let owner = self.program.field_owner(field);
        // A component of a record is what its constructor is given, if that is not written.
        if decl.is_some_and(|f| f.implicit) {
            for (body, e) in self.graph.made.get(&owner).map_or(&[][..], |m| m) {
                if let Some(piece) = self.graph.piece(*body)
                    && self.has_run(*body, piece, *e)
                {
                    self.parts(*body, piece, *e);
                }
            }
        }
        // What code that is not there does with objects of the class may write it.
        self.cell(Cell::Unseen(owner));
    }

    /// The classes of what a value of a type is or holds: elements of an array, what stands in its type arguments.
    pub(super) fn held(&self, ty: Ty) -> Vec<TypeId> {
        let program = self.program;
        let mut out = Vec::new();
        let mut work = vec![ty];
        while let Some(ty) = work.pop().filter(|_| out.len() < MAX_TYPES) {
            out.extend(program.class_of(ty));
            work.extend(program.element_of(ty));
            work.extend(program.arguments(ty));
        }
        out
    }

    /// All fields of a class, those below it and those above it, and of what these hold.
    fn step_inside(&mut self, class: TypeId) {
        let program = self.program;
        let mut seen: FxHashSet<TypeId> = FxHashSet::default();
        let mut work = vec![class];
        while let Some(class) = work.pop() {
            if seen.len() >= MAX_TYPES || !seen.insert(class) {
                continue;
            }
            work.extend(program.subtypes(class));
            work.extend(program.superclass(class));
            for &field in program.fields_of_type(class) {
                if program
                    .field_decl(field)
                    .is_some_and(|f| f.modifiers.has(Modifiers::STATIC))
                {
                    continue;
                }
                self.push(Node::Field(field));
                let ty = program.field_type(field);
                work.extend(self.held(ty));
                for family in families(program, ty) {
                    self.cell(Cell::Library(family));
                }
            }
            for &method in program.methods_of_type(class) {
                let decl = program.method_decl(method);
                let asks = decl
                    .is_some_and(|d| d.params.is_empty() && !d.modifiers.has(Modifiers::STATIC));
                if asks
                    && program.returns_value(method)
                    && let Some(body) = program.method_body(method)
                {
                    self.push(Node::Returned(body));
                }
            }
        }
    }

    fn step_parameter(&mut self, body: BodyId, at: u32) {
        let graph = self.graph;
        for &(caller, e) in self.callers(body) {
            let Some(piece) = graph.piece(caller) else {
                continue;
            };
            if !self.has_run(caller, piece, e) {
                continue;
            }
            self.mark(piece, piece.lines[e.ix()]);
            let is_own = piece.sites.get(&e).is_some_and(|s| {
                let site = &piece.chains.calls[*s as usize];
                let targets = self.workspace.call_graph().targets(site);
                targets.bodies().contains(&body)
            });
            match piece.body.expr(e).kind {
                ExprKind::Call(call) if is_own => {
                    let record = &piece.body.calls[call.ix()];
                    if at == THIS {
                        match receiver(&piece.body, call) {
                            Some(on) => self.value(caller, on),
                            None => self.push(Node::Parameter(caller, THIS)),
                        }
                        continue;
                    }
                    let args = piece.body.list(record.args);
                    let count = graph.piece(body).map_or(0, |p| p.body.params.len());
                    // The last may take several.
                    let is_last = at as usize + 1 >= count;
                    for (i, arg) in args.iter().enumerate() {
                        if i == at as usize || is_last && i > at as usize {
                            self.value(caller, *arg);
                        }
                    }
                }
                // A library hands over what it has.
                _ => self.value(caller, e),
            }
        }
    }

    fn step_definition(&mut self, body: BodyId, piece: &Piece, def: DefId) {
        let record = piece.body.defs[def.ix()];
        if !self.has_run(body, piece, record.expr) {
            // What decided that it did not.
            if self.body_ran(body) {
                self.push(Node::Happens(body, piece.body.block_of(record.expr)));
            }
            return;
        }
        self.shared |= piece.is_of_class();
        self.mark(piece, piece.lines[record.expr.ix()]);
        for &source in piece.body.list(record.sources) {
            self.value(body, source);
        }
        let block = piece.body.block_of(record.expr);
        self.push(Node::Happens(body, block));
        match record.target {
            Target::Place(e) => self.place(body, piece, e),
            Target::Element(e) => {
                self.value(body, e);
                // The index stands behind the array.
                let end = piece.body.expr(e).end;
                let before = record.expr.0;
                for at in 0..before {
                    let other = piece.body.expr(ExprId(at));
                    if other.start >= end && other.end <= record.name_end {
                        self.value(body, ExprId(at));
                    }
                }
            }
            Target::Local(_) | Target::OwnField(_) => {}
        }
        if record.compound || matches!(record.target, Target::Element(_)) {
            let before: Vec<DefId> = piece.detail().flow.before(def).to_vec();
            for earlier in before {
                self.push(Node::Definition(body, earlier));
            }
            if let Target::Place(e) = record.target
                && let Some(cell) = piece.cell(e)
            {
                self.cell(cell);
            }
            if let Target::Element(e) = record.target
                && record.compound
            {
                self.cell(piece.elements(self.program, e));
            }
        }
        match (record.kind, record.callable) {
            (VariableKind::Parameter, _) => {
                if let Some(at) = parameter(&piece.body, def) {
                    self.push(Node::Parameter(body, at));
                }
            }
            (VariableKind::LambdaParameter, Callable::Lambda(lambda)) => {
                self.push(Node::Given(body, lambda));
            }
            (VariableKind::Loop, _) => self.asked(piece, record.expr),
            (VariableKind::Catch, _) => {
                // What was thrown comes from what is guarded, which decides over the block.
                let thrown: Vec<ExprId> = piece.detail().controls.of(block).to_vec();
                for e in thrown {
                    self.value(body, e);
                }
            }
            _ => {}
        }
    }

    /// The object whose field a place names.
    fn place(&mut self, body: BodyId, piece: &Piece, e: ExprId) {
        match piece.body.expr(e).kind {
            ExprKind::Field { object, .. } => self.value(body, object),
            ExprKind::Name(_) => self.push(Node::Parameter(body, THIS)),
            _ => {}
        }
    }

    fn step_value(&mut self, body: BodyId, piece: &Piece, e: ExprId) {
        match piece.body.expr(e).kind {
            ExprKind::Local(local) => {
                let reaching: Vec<DefId> = match piece.detail().flow.reaching(e) {
                    [] => piece.defs_of(local).collect(),
                    some => some.to_vec(),
                };
                for def in reaching {
                    self.push(Node::Definition(body, def));
                }
            }
            ExprKind::Name(_) => {
                self.named(piece, e);
                if piece.field(e).is_some_and(|f| !self.is_static(f)) {
                    self.push(Node::Parameter(body, THIS));
                }
            }
            ExprKind::Field { object, .. } => {
                self.value(body, object);
                self.named(piece, e);
            }
            ExprKind::This | ExprKind::Super => self.push(Node::Parameter(body, THIS)),
            ExprKind::Index { array, index } => {
                self.value(body, array);
                self.value(body, index);
                self.cell(piece.elements(self.program, array));
            }
            ExprKind::Call(_) => self.call(body, piece, e),
            ExprKind::Lambda(lambda) => self.lambda_value(body, piece, lambda),
            ExprKind::MethodRef { qualifier, .. } => {
                self.value(body, qualifier);
                self.targets(piece, e);
                self.asked(piece, e);
            }
            ExprKind::Define(def) => self.push(Node::Definition(body, def)),
            ExprKind::Return(_) | ExprKind::Test { .. } | ExprKind::Throw { .. } => {
                self.operands(body, piece, e);
                self.push(Node::Happens(body, piece.body.block_of(e)));
            }
            _ => {
                self.operands(body, piece, e);
                self.asked(piece, e);
            }
        }
    }

    fn operands(&mut self, body: BodyId, piece: &Piece, e: ExprId) {
        let mut out = Vec::new();
        piece.body.operands_of(e, &mut out);
        for operand in out {
            self.value(body, operand);
        }
    }

    fn lambda_value(&mut self, body: BodyId, piece: &Piece, lambda: LambdaId) {
        if let Some(value) = piece.body.lambdas[lambda.ix()].value {
            self.value(body, value);
        }
        for r in returns_of(&piece.body, Callable::Lambda(lambda)) {
            if self.has_run(body, piece, r.expr) {
                self.value(body, r.expr);
            }
        }
    }

    fn is_static(&self, field: FieldId) -> bool {
        let decl = self.program.field_decl(field);
        decl.is_some_and(|f| f.modifiers.has(Modifiers::STATIC))
    }

    /// What a name stands for, if it is a variable that lives beyond the body.
    fn named(&mut self, piece: &Piece, e: ExprId) {
        match piece.resolved.name(e) {
            Some(NameTarget::Captured { body, local }) => {
                if let Some(outer) = self.graph.piece(body) {
                    let defs: Vec<DefId> = outer.defs_of(local).collect();
                    for def in defs {
                        self.push(Node::Definition(body, def));
                    }
                }
            }
            Some(NameTarget::Type(_) | NameTarget::Package | NameTarget::ArrayLength) => {}
            _ => {
                if let Some(cell) = piece.cell(e) {
                    self.cell(cell);
                }
                // Constants of an enum and static fields come from the class's own initialiser, which writes cells.
            }
        }
    }

    /// What a call gives.
    fn call(&mut self, body: BodyId, piece: &Piece, e: ExprId) {
        let ExprKind::Call(call) = piece.body.expr(e).kind else {
            return;
        };
        let found = self.targets(piece, e);
        let record = &piece.body.calls[call.ix()];
        let is_new = matches!(
            record.callee,
            Callee::New { .. } | Callee::EnumConstant { .. }
        );
        let unseen = is_unseen(self.workspace, piece, call) || !found && !is_new;
        if let Some(on) = receiver(&piece.body, call) {
            self.value(body, on);
        } else if !unseen {
            self.push(Node::Parameter(body, THIS));
        }
        if unseen {
            self.parts(body, piece, e);
        }
    }

    /// What the bodies that a call or reference runs return, and the components that it reads. False if none of them ran.
    fn targets(&mut self, piece: &Piece, e: ExprId) -> bool {
        let Some(at) = piece.sites.get(&e) else {
            return false;
        };
        let site = &piece.chains.calls[*at as usize];
        let targets = self.workspace.call_graph().targets(site);
        let bodies = std::sync::Arc::clone(targets.bodies());
        let components = targets.components();
        let mut found = !components.is_empty();
        for &field in components.iter() {
            self.push(Node::Field(field));
        }
        for &to in bodies.iter() {
            if self.body_ran(to) {
                found = true;
                self.push(Node::Returned(to));
            }
        }
        found || self.program.is_implicit(site.target)
    }

    // --- Who runs it ---

    /// That a call happens, or a function is made: its line, what decides over it, and that its body runs.
    fn effect_of(&mut self, body: BodyId, e: ExprId) {
        let Some(piece) = self.graph.piece(body) else {
            return;
        };
        if !self.has_run(body, piece, e) {
            return;
        }
        let was = self.shared;
        self.shared |= piece.is_of_class();
        self.mark(piece, piece.lines[e.ix()]);
        if let ExprKind::Call(call) = piece.body.expr(e).kind
            && let Some(on) = receiver(&piece.body, call)
        {
            self.value(body, on);
        }
        self.push(Node::Happens(body, piece.body.block_of(e)));
        self.push(Node::Runs(body));
        self.shared = was;
    }

    fn callers(&self, body: BodyId) -> &'a [At] {
        self.graph.callers_of(self.program, body)
    }

    /// Calls that may run a function that is written there: those on objects of its class, and of those above and below it.
    fn invocations(&self, piece: &Piece, e: ExprId) -> Vec<At> {
        let unseen = &self.graph.unseen;
        let Some(class) = piece.function(self.program, e) else {
            return unseen.values().flatten().copied().collect();
        };
        let around = self.program.supertypes(class).into_iter();
        let below = self.program.subtypes(class).iter().copied();
        let all = std::iter::once(class).chain(around).chain(below);
        all.filter_map(|c| unseen.get(&c))
            .flatten()
            .copied()
            .collect()
    }
}
