//! One test as the judge sees it: statements, which of them assert, where an expression stands, what the values are.
//!
//! Nothing here asks the analysis that is judged. It reads the records of the body and what its names mean, and goes by
//! plain rules: a statement asserts if a call in its chain has an assertion's name; an expression occurs where the same
//! text stands; a type is a value if nothing can change it.

use flow::{Body, CallId, Callee, ExprId, ExprKind, Literal, Target};
use ide::Analysis;
use program::{
    BodyId, CallTarget, FieldId, MethodId, NameTarget, Program, ResolvedBody, Ty, TypeId,
};

use super::words;

/// Any expression's place in a statement.
pub(super) struct Scene<'a> {
    pub(super) program: &'a Program,
    pub(super) id: BodyId,
    pub(super) test: MethodId,
    pub(super) body: &'a Body,
    pub(super) resolved: &'a ResolvedBody,
    /// What uses an expression; of what stands in a lambda, the lambda.
    parents: Vec<Option<ExprId>>,
    /// Without white space and without `this.`.
    texts: Vec<String>,
    /// Fields and methods of the class that run before each test.
    pub(super) before: Vec<BodyId>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(analysis: &'a Analysis, test: MethodId) -> Option<Scene<'a>> {
        let program = analysis.program();
        let id = program.method_body(test)?;
        let scene = Scene::of_body(program, test, id)?;
        let workspace = analysis.workspace();
        let mut before = workspace.test_roots(workspace.own_run(test));
        before.retain(|b| *b != id);
        Some(Scene { before, ..scene })
    }

    /// The same of any body.
    fn of_body(program: &'a Program, test: MethodId, id: BodyId) -> Option<Scene<'a>> {
        let body = &*program.body(id)?.body;
        let resolved = &**program.resolved(id)?;
        let mut parents = vec![None; body.exprs.len()];
        let mut operands = Vec::new();
        for at in 0..body.exprs.len() {
            operands.clear();
            body.operands_of(ExprId(at as u32), &mut operands);
            for operand in &operands {
                parents[operand.ix()] = Some(ExprId(at as u32));
            }
        }
        // What is assigned to is part of its assignment.
        for def in &body.defs {
            if let Target::Place(e) | Target::Element(e) = def.target {
                parents[e.ix()].get_or_insert(def.expr);
            }
        }
        let mut lambdas: Vec<_> = body.lambdas.iter().collect();
        lambdas.sort_by_key(|l| l.expr);
        for lambda in lambdas {
            for parent in &mut parents[lambda.first.ix()..lambda.expr.ix()] {
                parent.get_or_insert(lambda.expr);
            }
        }
        let texts = body
            .exprs
            .iter()
            .map(|e| words::squeeze(program.body_text(id, e.start, e.end)))
            .collect();
        Some(Scene {
            program,
            id,
            test,
            body,
            resolved,
            parents,
            texts,
            before: Vec::new(),
        })
    }

    /// The bodies that run before, each as a scene.
    pub(super) fn set_up(&self) -> Vec<Scene<'a>> {
        let of = |b: &BodyId| Scene::of_body(self.program, self.test, *b);
        self.before.iter().filter_map(of).collect()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.body.exprs.len() as u32).map(ExprId)
    }

    pub(super) fn kind(&self, e: ExprId) -> ExprKind {
        self.body.expr(e).kind
    }

    pub(super) fn text(&self, e: ExprId) -> &str {
        &self.texts[e.ix()]
    }

    pub(super) fn parent(&self, e: ExprId) -> Option<ExprId> {
        self.parents[e.ix()]
    }

    /// The statement around an expression.
    pub(super) fn root(&self, mut e: ExprId) -> ExprId {
        while let Some(up) = self.parent(e) {
            e = up;
        }
        e
    }

    /// The statements, in order.
    pub(super) fn roots(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.all().filter(|e| self.parent(*e).is_none())
    }

    /// Where this text stands as a value.
    pub(super) fn occurrences(&self, text: &str) -> Vec<ExprId> {
        self.all()
            .filter(|e| self.text(*e) == text && !self.is_place(*e))
            .filter(|e| !matches!(self.kind(*e), ExprKind::Define(_) | ExprKind::Missing))
            .collect()
    }

    /// True for what is assigned to.
    fn is_place(&self, e: ExprId) -> bool {
        self.body
            .defs
            .iter()
            .any(|d| matches!(d.target, Target::Place(p) | Target::Element(p) if p == e))
    }

    /// True if a variable of this name is used or given a value.
    pub(super) fn names(&self, name: &str) -> bool {
        let used = self.all().any(|e| {
            let kind = self.kind(e);
            matches!(
                kind,
                ExprKind::Local(_) | ExprKind::Name(_) | ExprKind::Field { .. }
            ) && self.text(e) == name
        });
        used || self.body.locals.iter().any(|l| l.name == name)
    }

    /// The calls of a chain `a(x).b(y).c(z)`, the last one first.
    pub(super) fn chain(&self, e: ExprId) -> Vec<CallId> {
        let mut out = Vec::new();
        let mut at = Some(e);
        while let Some(e) = at {
            at = match self.kind(e) {
                ExprKind::Call(call) => {
                    out.push(call);
                    match self.body.calls[call.ix()].callee {
                        Callee::Method { receiver, .. } => receiver,
                        _ => None,
                    }
                }
                ExprKind::Define(def) => {
                    let sources = self.body.list(self.body.defs[def.ix()].sources);
                    sources.first().copied()
                }
                ExprKind::Field { object, .. } => Some(object),
                ExprKind::Cast { operand, .. } => Some(operand),
                _ => None,
            };
        }
        out
    }

    pub(super) fn call_name(&self, call: CallId) -> &str {
        self.body
            .method_name(&self.body.calls[call.ix()])
            .map_or("", |name| name.as_str())
    }

    pub(super) fn receiver(&self, call: CallId) -> Option<ExprId> {
        match self.body.calls[call.ix()].callee {
            Callee::Method { receiver, .. } => receiver,
            _ => None,
        }
    }

    pub(super) fn args(&self, call: CallId) -> &[ExprId] {
        self.body.list(self.body.calls[call.ix()].args)
    }

    pub(super) fn target(&self, call: CallId) -> Option<MethodId> {
        match self.resolved.calls.get(call.ix()) {
            Some(CallTarget::Workspace(m)) => Some(*m),
            _ => None,
        }
    }

    /// True if a statement asserts: by the names of the calls in its chain.
    pub(super) fn asserts(&self, root: ExprId) -> bool {
        self.chain(root).iter().any(|call| {
            let name = self.call_name(*call);
            words::is_assertion(name)
                || words::is_own_check(name)
                    && self
                        .target(*call)
                        .is_some_and(|m| self.program.is_test_type(self.program.method_owner(m)))
        })
    }

    /// True if a statement changes nothing that a test can ask about, by the names of the calls in it.
    pub(super) fn is_quiet(&self, root: ExprId) -> bool {
        if self.asserts(root) {
            return true;
        }
        let assigns = match self.kind(root) {
            ExprKind::Define(def) => !matches!(self.body.defs[def.ix()].target, Target::Local(_)),
            _ => false,
        };
        !assigns
            && self.within(root).iter().all(|e| match self.kind(*e) {
                ExprKind::Call(call) => words::is_getter(self.call_name(call)),
                _ => true,
            })
    }

    /// All expressions of a statement.
    pub(super) fn within(&self, root: ExprId) -> Vec<ExprId> {
        self.all().filter(|e| self.root(*e) == root).collect()
    }

    /// True if nothing but assertions stands after a statement, and the variable keeps its value.
    pub(super) fn only_assertions_after(&self, root: ExprId, name: &str) -> bool {
        self.roots()
            .filter(|r| *r > root)
            .all(|r| self.is_quiet(r) && !self.defines(r, name))
    }

    /// True if what stands after a statement neither names the variable nor gives it a value.
    pub(super) fn untouched_after(&self, root: ExprId, name: &str) -> bool {
        self.roots().filter(|r| *r > root).all(|r| {
            let names = !self.is_quiet(r) && self.within(r).iter().any(|e| self.text(*e) == name);
            !names && !self.defines(r, name)
        })
    }

    fn defines(&self, root: ExprId, name: &str) -> bool {
        self.within(root).iter().any(|e| match self.kind(*e) {
            ExprKind::Define(def) => match self.body.defs[def.ix()].target {
                Target::Local(l) => self.body.locals[l.ix()].name == name,
                Target::Place(p) => self.text(p) == name,
                _ => false,
            },
            _ => false,
        })
    }

    /// The assertions that check the value of an expression, and whether each compares it whole. Also by way of a variable
    /// that is given nothing else.
    pub(super) fn checks(&self, text: &str) -> Vec<(ExprId, bool)> {
        let mut out = Vec::new();
        for e in self.occurrences(text) {
            out.extend(self.check_of(e));
            let Some(up) = self.parent(e) else { continue };
            if let ExprKind::Define(def) = self.kind(up)
                && let Target::Local(local) = self.body.defs[def.ix()].target
            {
                let name = self.body.locals[local.ix()].name.as_str();
                for other in self.occurrences(name) {
                    if other > up {
                        out.extend(self.check_of(other));
                    }
                }
            }
        }
        out
    }

    /// The assertion that checks the value of this very expression; true if it compares it whole.
    fn check_of(&self, mut e: ExprId) -> Option<(ExprId, bool)> {
        let root = self.root(e);
        if !self.asserts(root) {
            return None;
        }
        loop {
            let up = self.parent(e)?;
            match self.kind(up) {
                ExprKind::Cast { .. }
                | ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::ShortCircuit { .. } => e = up,
                ExprKind::Call(call) if self.args(call).contains(&e) => {
                    let name = self.call_name(call);
                    let in_chain = words::is_assertion(name)
                        || self
                            .chain(up)
                            .iter()
                            .any(|c| words::is_assertion(self.call_name(*c)));
                    if in_chain && self.is_weak(up) {
                        return None;
                    }
                    if in_chain {
                        let whole = self.compares_whole(up);
                        return Some((root, whole));
                    }
                    if !words::MATCHERS.contains(&name) {
                        return None;
                    }
                    e = up;
                }
                _ => return None,
            }
        }
    }

    /// True if all that an assertion says is that there is something, of a type or a size.
    fn is_weak(&self, e: ExprId) -> bool {
        let names = self.names_on(e);
        let mut says = names.iter().filter(|n| {
            words::is_assertion(n)
                || n.starts_with("is")
                || n.starts_with("has")
                || words::EQUALITIES.contains(n)
        });
        let opening = ["assertThat", "then", "assertThatObject", "is", "isA"];
        let mut some = false;
        let weak = says.all(|n| {
            some |= words::WEAK.contains(n);
            words::WEAK.contains(n) || opening.contains(n)
        });
        weak && some
    }

    /// The calls of an assertion and what is asked further on in its chain.
    fn names_on(&self, e: ExprId) -> Vec<&str> {
        let mut up = e;
        let mut names: Vec<&str> = Vec::new();
        loop {
            if let ExprKind::Call(call) = self.kind(up) {
                names.push(self.call_name(call));
                for arg in self.args(call) {
                    names.extend(self.chain(*arg).iter().map(|c| self.call_name(*c)));
                }
            }
            match self.parent(up) {
                Some(next) if matches!(self.kind(next), ExprKind::Call(c) if self.receiver(c) == Some(up)) =>
                {
                    up = next;
                }
                _ => return names,
            }
        }
    }

    /// True if an assertion compares what it is given as a whole: `assertEquals`, `assertThat(x).isEqualTo(y)`.
    fn compares_whole(&self, e: ExprId) -> bool {
        let names = self.names_on(e);
        // What is taken out of it first is compared, not it.
        !names.iter().any(|n| n.starts_with("extracting"))
            && names.iter().any(|n| words::EQUALITIES.contains(n))
    }

    /// The type of an expression that stands in the body, or of a variable.
    pub(super) fn type_of(&self, text: &str) -> Option<Ty> {
        let known = |ty: Ty| (ty != Ty::UNKNOWN).then_some(ty);
        let occurs = self.occurrences(text).into_iter();
        occurs
            .map(|e| self.resolved.ty(e))
            .find_map(known)
            .or_else(|| {
                let local = self.body.locals.iter().rposition(|l| l.name == text)?;
                known(*self.resolved.locals.get(local)?)
            })
            .or_else(|| known(self.program.field_type(self.field(text)?)))
    }

    /// The field of the test's class, or of one above or around it.
    pub(super) fn field(&self, name: &str) -> Option<FieldId> {
        let program = self.program;
        let mut class = Some(program.body_owner(self.id));
        for _ in 0..20 {
            let around = class?;
            let mut above = Some(around);
            for _ in 0..20 {
                let Some(t) = above else { break };
                let fields = program.fields_of_type(t).iter();
                let mut fields =
                    fields.filter(|f| program.field_decl(**f).is_some_and(|d| d.name == name));
                if let Some(found) = fields.next() {
                    return Some(*found);
                }
                above = program.superclass(t);
            }
            class = program.enclosing_type(around);
        }
        None
    }

    /// The literal strings of a statement.
    pub(super) fn strings(&self, root: ExprId) -> Vec<&str> {
        self.within(root)
            .into_iter()
            .filter(|e| matches!(self.kind(*e), ExprKind::Literal(Literal::Str)))
            .map(|e| self.text(e).trim_matches('"'))
            .collect()
    }

    /// True if a name in a statement means this local or field.
    pub(super) fn is_variable(&self, e: ExprId) -> bool {
        match self.kind(e) {
            ExprKind::Local(_) => true,
            ExprKind::Name(_) | ExprKind::Field { .. } => matches!(
                self.resolved.name(e),
                Some(NameTarget::Field(_) | NameTarget::Captured { .. })
            ),
            _ => false,
        }
    }
}

/// A member of the workspace by name and number of arguments.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    Method(MethodId),
    Field,
}

/// What a step of an expression asks of a class of the workspace, and the type of the answer.
pub(super) fn step(program: &Program, class: TypeId, step: &str) -> Option<(Asked, Ty)> {
    let (name, arguments) = words::call(step);
    let mut all = vec![class];
    all.extend(program.supertypes(class));
    for ty in all {
        match arguments {
            Some(count) => {
                let found = program.methods_of_type(ty).iter().copied().find(|&m| {
                    program
                        .method_decl(m)
                        .is_some_and(|d| d.name == name && d.params.len() == count)
                });
                if let Some(m) = found {
                    return Some((Asked::Method(m), program.return_type(m)));
                }
            }
            None => {
                let found = program
                    .fields_of_type(ty)
                    .iter()
                    .copied()
                    .find(|&f| program.field_decl(f).is_some_and(|d| d.name == name));
                if let Some(f) = found {
                    return Some((Asked::Field, program.field_type(f)));
                }
            }
        }
    }
    None
}
