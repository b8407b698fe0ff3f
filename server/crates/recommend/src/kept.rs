//! What captors keep: arguments that code under test gave to mocks, `verify(mailer).send(mail.capture())`.
//!
//! A captor is made to look at such a value, which nothing else gives the test: `mail.getValue()`. What goes into it is
//! what the code under test has at that place of the call. Where two bodies make such a call, or the test keeps two
//! values in one captor, nobody knows which it is, and nothing is said.

use crate::hold_out::HoldOut;
use calls::{Unit, Workspace};
use flow::{Body, Callee, ExprId, ExprKind, Target};
use oracle::frameworks::asks_kept;
use oracle::mocks::{Capture, asks_what_was_kept, captures};
use oracle::{Assertion, Reader, Root};
use program::{BodyId, CallTarget, MethodId, NameTarget, Ty, TypeId};
use smol_str::{SmolStr, format_smolstr};

/// What one captor keeps.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// The captor.
    pub(crate) root: Root,
    /// What it is asked by: `mail.getValue()`.
    pub(crate) text: SmolStr,
    /// The type of the captor, and of what it keeps.
    pub(crate) captor: Ty,
    pub(crate) ty: Ty,
    /// Where the test asks for the call: from there on it is known.
    pub(crate) asked: ExprId,
    /// The test made the captor itself.
    pub(crate) is_own: bool,
    /// The test never asks the captor.
    pub(crate) is_unread: bool,
    /// It asks another captor of the same call.
    pub(crate) is_beside: bool,
    /// The call on the mock.
    call: Sought,
}

/// A call on a mock, and one of its arguments.
#[derive(Clone, Debug)]
struct Sought {
    name: SmolStr,
    arguments: usize,
    at: usize,
    method: Option<MethodId>,
    mock: Ty,
}

/// What captors of a test keep, with what is visible of it; of those that it asks elsewhere than in assertions none.
pub(crate) fn kept(
    workspace: &Workspace,
    reader: &Reader<'_>,
    assertions: &[Assertion],
    hold_out: &HoldOut,
) -> Vec<Kept> {
    let all = captures(reader);
    if all.is_empty() {
        return Vec::new();
    }
    let visible = |e: ExprId| hold_out.is_before(e) && !hold_out.hides(e);
    let body = reader.body;
    let captured: Vec<(Root, Capture)> = all
        .into_iter()
        .filter(|c| visible(c.captor))
        .filter_map(|c| {
            let path = reader.path(c.captor).filter(|p| p.depth == 0)?;
            Some((path.root, c))
        })
        .collect();
    let spans: Vec<(u32, u32)> = assertions
        .iter()
        .filter(|a| visible(a.expr))
        .map(|a| (body.expr(a.end(body)).start, body.expr(a.end(body)).end))
        .collect();
    let is_asserted = |e: ExprId| {
        let at = body.expr(e);
        let mut spans = spans.iter();
        spans.any(|s| s.0 <= at.start && at.end <= s.1)
    };
    let asked = |root: &Root| -> Vec<ExprId> {
        let all = mentions(reader, root).into_iter();
        let all = all.filter(|e| visible(*e));
        all.filter(|e| !captured.iter().any(|(_, c)| c.captor == *e))
            .collect()
    };
    let mut out = Vec::new();
    for (root, capture) in &captured {
        let again = captured.iter().filter(|(r, _)| r == root).count() > 1;
        let Some(place) = capture.asked.filter(|_| !again) else {
            continue;
        };
        let reads = asked(root);
        let is_seen_elsewhere = is_seen_elsewhere(workspace, reader, root);
        let is_last = |e: ExprId| {
            let mut calls = body.calls.iter();
            calls.any(|call| match call.callee {
                Callee::Method {
                    receiver: Some(r), ..
                } => r == e && asks_what_was_kept(body, call),
                _ => false,
            })
        };
        if reads.iter().any(|e| !is_asserted(*e) || !is_last(*e))
            || !reads.is_empty() && is_seen_elsewhere
        {
            continue;
        }
        let Some(call) = sought(reader, capture) else {
            continue;
        };
        let captor = reader.resolved.ty(capture.captor);
        let program = reader.program;
        let parameter = || {
            let (types, _) = program.parameters(call.method?)?;
            types.get(call.at).copied()
        };
        let ty = program.first_argument(captor).or_else(parameter);
        let mut beside = captured
            .iter()
            .filter(|(r, c)| c.call == capture.call && r != root);
        out.push(Kept {
            text: format_smolstr!("{}.{}()", reader.name_of(root), asks_kept()),
            captor,
            ty: ty.unwrap_or(Ty::UNKNOWN),
            asked: place,
            is_own: matches!(root, Root::Local(own, _) if *own == reader.id),
            is_unread: reads.is_empty() && !is_seen_elsewhere,
            is_beside: beside.any(|(r, _)| !asked(r).is_empty()),
            root: root.clone(),
            call,
        });
    }
    out
}

/// True if a test may keep something in a captor that it never asks: a look at its own body that costs little.
pub fn may_keep(workspace: &Workspace, test: MethodId) -> bool {
    let program = workspace.program();
    let reader = program
        .method_body(test)
        .and_then(|b| Reader::new(program, b));
    reader.is_some_and(|reader| {
        let all = captures(&reader);
        let asks = |c: &Capture| c.asked.is_some();
        let roots = all.iter().filter(|c| asks(c));
        let mut roots = roots.filter_map(|c| Some(reader.path(c.captor)?.root));
        roots.any(|root| mentions(&reader, &root).len() == 1)
    })
}

/// True for a value that a captor of the same body gives: `mail.getValue()`.
pub(crate) fn is_kept(body: &Body, e: ExprId) -> bool {
    match body.expr(e).kind {
        ExprKind::Call(c) => asks_what_was_kept(body, &body.calls[c.ix()]),
        ExprKind::Cast { operand, .. } => is_kept(body, operand),
        _ => false,
    }
}

/// Where a body names an object, but where it is given a value.
fn mentions(reader: &Reader<'_>, root: &Root) -> Vec<ExprId> {
    let body = reader.body;
    let is_given = |e: ExprId| {
        let mut defs = body.defs.iter();
        defs.any(|d| matches!(d.target, Target::Place(p) if p == e))
    };
    let all = body.exprs.iter().enumerate();
    let named = all.filter(|(_, expr)| {
        matches!(
            expr.kind,
            ExprKind::Local(_) | ExprKind::Name(_) | ExprKind::Field { .. }
        )
    });
    let named = named.map(|(at, _)| ExprId(at as u32));
    let of_root = |e: &ExprId| {
        let path = reader.path(*e);
        path.is_some_and(|p| p.depth == 0 && p.root == *root)
    };
    named.filter(|e| of_root(e) && !is_given(*e)).collect()
}

/// True if code of the test besides its own body may ask a captor.
fn is_seen_elsewhere(workspace: &Workspace, reader: &Reader<'_>, root: &Root) -> bool {
    let (program, body) = (reader.program, reader.body);
    match root {
        Root::Local(own, local) => {
            let has_in_scope = |c: &flow::Class| c.visible.contains(local);
            *own != reader.id || body.classes.iter().any(has_in_scope)
        }
        Root::Field(field) => {
            let test = program.body_method(reader.id);
            let all = test.map(|t| workspace.test_code(workspace.own_run(t)));
            let others = all.unwrap_or_default().into_iter();
            let mut others = others.filter(|b| *b != reader.id);
            let names = |b: BodyId| {
                let names = workspace.resolved(b).map(|r| &r.names);
                let is_it = |t: &NameTarget| matches!(t, NameTarget::Field(f) if f == field);
                names.is_some_and(|all| all.iter().any(|(_, t)| is_it(t)))
            };
            others.any(names)
        }
        Root::Other(_) => true,
    }
}

/// The call on a mock of which a captor keeps an argument.
fn sought(reader: &Reader<'_>, capture: &Capture) -> Option<Sought> {
    let body = reader.body;
    let call = &body.calls[capture.call.ix()];
    let (on, name) = call.callee.on()?;
    let mock = mock_of(reader, on);
    let name = body.name(name);
    let arguments = body.list(call.args).len();
    let method = match reader.resolved.calls.get(capture.call.ix()) {
        Some(CallTarget::Workspace(m)) => Some(*m),
        // Of what type `verify(mailer)` is only its library tells.
        _ => the_only(reader, mock, name, arguments),
    };
    Some(Sought {
        name: name.clone(),
        arguments,
        at: capture.at,
        method,
        mock,
    })
}

/// The method of that name that takes so many arguments, if a class and those above it have one.
fn the_only(reader: &Reader<'_>, of: Ty, name: &str, arguments: usize) -> Option<MethodId> {
    let program = reader.program;
    let class = program.class_of(of)?;
    let all = std::iter::once(class).chain(program.supertypes(class));
    let methods = all.flat_map(|c| program.methods_of_type(c).iter().copied());
    let fits = |m: &MethodId| {
        let decl = program.method_decl(*m);
        decl.is_some_and(|d| d.name == name && d.params.len() == arguments)
    };
    let found: Vec<MethodId> = methods.filter(fits).collect();
    let (first, rest) = found.split_first()?;
    let above = program.super_methods(*first);
    rest.iter().all(|m| above.contains(m)).then_some(*first)
}

/// The type of the mock: of `verify(mailer)`, `then(mailer).should()` that of `mailer`.
fn mock_of(reader: &Reader<'_>, on: ExprId) -> Ty {
    let body = reader.body;
    let mut at = on;
    while let ExprKind::Call(c) = body.expr(at).kind {
        let call = &body.calls[c.ix()];
        at = match (body.list(call.args), call.callee) {
            ([first, ..], _) if !is_call(body, *first) => *first,
            (
                _,
                Callee::Method {
                    receiver: Some(r), ..
                },
            ) => r,
            _ => return reader.resolved.ty(on),
        };
    }
    reader.resolved.ty(at)
}

fn is_call(body: &Body, e: ExprId) -> bool {
    matches!(body.expr(e).kind, ExprKind::Call(_))
}

impl Kept {
    /// The arguments that code under test gives in such calls, of the only body that makes any.
    pub(crate) fn given<'u>(
        &self,
        workspace: &Workspace,
        units: impl Iterator<Item = &'u Unit>,
    ) -> Vec<(BodyId, ExprId)> {
        let mut out: Vec<(BodyId, ExprId)> = Vec::new();
        for unit in units {
            let found = self.call.found_in(workspace, unit.body);
            out.extend(found.into_iter().map(|e| (unit.body, e)));
        }
        match out.iter().all(|(body, _)| *body == out[0].0) {
            true => out,
            false => Vec::new(),
        }
    }
}

impl Sought {
    fn found_in(&self, workspace: &Workspace, id: BodyId) -> Vec<ExprId> {
        let program = workspace.program();
        let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
            return Vec::new();
        };
        let body = &*decl.body;
        let mut out = Vec::new();
        for (c, call) in body.calls.iter().enumerate() {
            let Some((on, name)) = call.callee.on() else {
                continue;
            };
            let arguments = body.list(call.args);
            if *body.name(name) != self.name || arguments.len() != self.arguments {
                continue;
            }
            let is_it = match (resolved.calls.get(c), self.method) {
                (Some(CallTarget::Workspace(made)), Some(asked)) => {
                    *made == asked
                        || program.super_methods(*made).contains(&asked)
                        || program.super_methods(asked).contains(made)
                }
                _ => self.is_on_mock(workspace, resolved.ty(on)),
            };
            if is_it {
                out.extend(arguments.get(self.at));
            }
        }
        out
    }

    /// True for an object of the mock's class, or of one above or below it.
    fn is_on_mock(&self, workspace: &Workspace, ty: Ty) -> bool {
        let program = workspace.program();
        let is_above = |a: TypeId, b: TypeId| a == b || program.supertypes(b).contains(&a);
        match (program.class_of(ty), program.class_of(self.mock)) {
            (Some(made), Some(asked)) => is_above(made, asked) || is_above(asked, made),
            (None, None) => {
                let name = program.library_class_of(ty);
                name.is_some() && name == program.library_class_of(self.mock)
            }
            _ => false,
        }
    }
}

/// True if code under test made a value itself, as far as its own body tells: it is no parameter, field or literal as it is.
pub(crate) fn is_made(workspace: &Workspace, (id, e): (BodyId, ExprId)) -> bool {
    let Some(decl) = workspace.program().body(id) else {
        return false;
    };
    let body = &*decl.body;
    let mut work = vec![e];
    let mut seen = 0;
    while let Some(e) = work.pop() {
        seen += 1;
        if seen > 100 {
            return false;
        }
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => work.push(operand),
            ExprKind::Local(local) if !body.params.contains(&local) => {
                let defs = body.defs.iter();
                let defs = defs.filter(|d| d.target == Target::Local(local));
                work.extend(defs.flat_map(|d| body.list(d.sources)));
            }
            ExprKind::Call(_) | ExprKind::Binary { .. } => {}
            _ => return false,
        }
    }
    true
}

/// True if it puts a value together in the very place where it gives it, so that no variable has it, of what it has and
/// not of constants alone: `"for " + name`, `n * 3`. What is called for it may give anything.
pub(crate) fn is_put_together(workspace: &Workspace, (id, e): (BodyId, ExprId)) -> bool {
    let Some(decl) = workspace.program().body(id) else {
        return false;
    };
    let body = &*decl.body;
    let mut work = vec![e];
    let (mut is_joined, mut has_more) = (false, false);
    while let Some(e) = work.pop() {
        match body.expr(e).kind {
            ExprKind::Binary { left, right, .. } => {
                is_joined = true;
                work.extend([left, right]);
            }
            ExprKind::Cast { operand, .. } => work.push(operand),
            ExprKind::Local(_) | ExprKind::Name(_) | ExprKind::Field { .. } => has_more = true,
            ExprKind::Literal(_) => {}
            _ => return false,
        }
    }
    is_joined && has_more
}
