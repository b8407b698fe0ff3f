//! Methods that never give null.

use flow::{Body, CallId, Callee, ExprId, ExprKind, Literal, LocalId, Target};
use program::{BodyId, CallTarget, MethodId, Program};

/// How many methods deep it is looked for what one gives.
pub(super) const DEEP: usize = 3;

/// Calls of libraries that never give null: what makes collections, texts, optionals and answers to requests.
const NEVER: &[&str] = &[
    "of",
    "ofNullable",
    "empty",
    "emptyList",
    "emptyMap",
    "emptySet",
    "asList",
    "singletonList",
    "singleton",
    "copyOf",
    "unmodifiableList",
    "unmodifiableSet",
    "unmodifiableMap",
    "toList",
    "toSet",
    "collect",
    "stream",
    "format",
    "formatted",
    "valueOf",
    "toString",
    "build",
    "now",
];

/// True for a method that does no more than make an object, so that there is nothing to be said of it: its one statement gives
/// it, or a text of it.
pub(super) fn only_makes(program: &Program, method: MethodId) -> bool {
    let is_text = program
        .method_decl(method)
        .is_some_and(|d| d.name == "toString");
    let answers = program.overriders(method);
    let only = |m: &MethodId| {
        let body = program.method_body(*m).and_then(|b| program.body(b));
        body.is_some_and(|decl| {
            let body = &*decl.body;
            let is_new = |c: &flow::Call| matches!(c.callee, Callee::New { .. });
            let mut defs = body.defs.iter();
            body.returns.len() == 1
                && defs.all(|d| d.sources.len == 0)
                && body.calls.iter().all(is_new)
        })
    };
    is_text || answers.iter().all(only)
}

/// True if each body that may answer a call of a method gives something that is never null.
pub(super) fn never_gives_null(program: &Program, method: MethodId, left: usize) -> bool {
    if program.is_constructor(method) {
        return true;
    }
    if !program.returns_value(method) || program.return_type(method).is_primitive() {
        return false;
    }
    let answers = program.overriders(method);
    let never = |m: &MethodId| {
        let body = program.method_body(*m);
        let decl = body.and_then(|b| Some((b, program.body(b)?)));
        decl.is_some_and(|(id, decl)| {
            let gives = Gives {
                program,
                id,
                body: &decl.body,
                left,
            };
            let mut returns = decl.body.returns.iter();
            let is_own = |r: &&flow::Return| r.callable == flow::Callable::Member;
            let own: Vec<_> = returns.by_ref().filter(is_own).collect();
            !own.is_empty()
                && own
                    .iter()
                    .all(|r| r.value.is_some_and(|e| gives.never_null(e)))
        })
    };
    !answers.is_empty() && answers.iter().all(never)
}

/// A body and what it gives.
struct Gives<'a> {
    program: &'a Program,
    id: BodyId,
    body: &'a Body,
    left: usize,
}

impl Gives<'_> {
    fn never_null(&self, e: ExprId) -> bool {
        let body = self.body;
        match body.expr(e).kind {
            ExprKind::Literal(literal) => literal != Literal::Null,
            ExprKind::This
            | ExprKind::NewArray { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Lambda(_)
            | ExprKind::MethodRef { .. }
            | ExprKind::ClassLiteral(_) => true,
            ExprKind::Local(local) => self.is_given(local),
            ExprKind::Call(call) => self.is_made(call),
            _ => false,
        }
    }

    /// True for a local all of whose values are never null.
    fn is_given(&self, local: LocalId) -> bool {
        let body = self.body;
        let defs = body.defs.iter();
        let defs: Vec<_> = defs.filter(|d| d.target == Target::Local(local)).collect();
        !body.params.contains(&local)
            && !defs.is_empty()
            && defs.iter().all(|d| {
                let sources = body.list(d.sources);
                let of_itself = |e: &ExprId| body.expr(*e).kind == ExprKind::Local(local);
                !sources.is_empty() && sources.iter().all(|e| !of_itself(e) && self.never_null(*e))
            })
    }

    fn is_made(&self, call: CallId) -> bool {
        let body = self.body;
        if matches!(body.calls[call.ix()].callee, Callee::New { .. }) {
            return true;
        }
        let resolved = self.program.resolved(self.id);
        match resolved.and_then(|r| r.calls.get(call.ix())) {
            Some(CallTarget::Workspace(method)) if !self.program.is_implicit(*method) => {
                self.left > 0 && never_gives_null(self.program, *method, self.left - 1)
            }
            _ => NEVER.contains(&body.called(call)),
        }
    }
}
