//! Where tests make mocks, tell them what to answer and ask them how they were used.

use crate::Reader;
use crate::frameworks::{VERIFY, any, lets_anything, tells_or_asks};
use crate::web::context::{self, is_wired};
use flow::{Body, Call, CallId, Callee, ExprId, ExprKind};
use program::FieldDecl;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

/// True for a field that holds a mock, a spy or a captor, as its annotations say.
pub fn is_mock_field(field: &FieldDecl) -> bool {
    field.annotations.iter().any(|a| any(a, |row| row.mocked))
}

/// True for a field that holds a mock of which every answer is told.
pub fn is_bare_mock_field(field: &FieldDecl) -> bool {
    field.annotations.iter().any(|a| any(a, |row| row.bare))
}

/// True for a field for whose type the context of its test has a mock.
pub fn is_mock_of_context(field: &FieldDecl) -> bool {
    field.annotations.iter().any(|a| any(a, |row| row.beans))
}

/// True for a field into whose object a library puts the mocks of its test.
pub fn is_filled_with_mocks(field: &FieldDecl) -> bool {
    field.annotations.iter().any(|a| any(a, |row| row.held))
}

/// True for a field that holds an object of its class, which code that is not here makes.
pub fn holds_made(field: &FieldDecl) -> bool {
    let mut all = field.annotations.iter();
    all.any(|a| any(a, |row| row.held) || is_wired(a))
}

/// True for a field whose value nothing in sight makes: a library of mocks or a container puts it in.
pub fn is_put_in(field: &FieldDecl) -> bool {
    let is_put_in = |a: &SmolStr| context::is_put_in(a) || any(a, |row| row.held);
    is_mock_of_context(field) || field.annotations.iter().any(is_put_in)
}

/// True for a call that makes a mock, a spy or a captor.
pub fn makes_mock(body: &Body, e: ExprId) -> bool {
    match body.expr(e).kind {
        ExprKind::Call(c) => any(body.called(c), |row| row.mocks),
        ExprKind::Cast { operand, .. } => makes_mock(body, operand),
        _ => false,
    }
}

/// True for a call that makes a mock of which every answer is told.
pub fn makes_bare_mock(body: &Body, call: &Call) -> bool {
    body.method_name(call)
        .is_some_and(|name| any(name, |row| row.makes_bare))
}

/// True for `verify(mock).call()`, `when(mock).call()` and the like.
pub fn is_of_mock(body: &Body, call: &Call) -> bool {
    let Some((r, _)) = call.callee.on() else {
        return false;
    };
    let ExprKind::Call(of) = body.expr(r).kind else {
        return false;
    };
    tells_or_asks(body.called(of))
}

/// How a test asks a mock of Mockito for a call, as people read it: `verify(mailer).send(…)`; `takes` if it has arguments.
pub fn asked(mock: &str, call: &str, takes: bool) -> SmolStr {
    let dots = if takes { "…" } else { "" };
    format_smolstr!("{VERIFY}({mock}).{call}({dots})")
}

/// True for a statement of which the one before says that it asks how often it was called:
/// `verifyStatic(Files.class); Files.delete(path);`.
pub fn is_asked_of_mock(body: &Body, e: ExprId) -> bool {
    let start = body.expr(e).start;
    let before = body.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Call(c) if expr.end <= start && body.calls[c.ix()].dropped => {
            Some((expr.end, &body.calls[c.ix()]))
        }
        _ => None,
    });
    let last = before.max_by_key(|(end, _)| *end);
    let name = last.and_then(|(_, call)| body.method_name(call));
    name.is_some_and(|name| any(name, |row| row.asks_next))
}

/// An argument that a captor keeps of a call on a mock: `verify(mailer).send(mail.capture())`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The captor.
    pub captor: ExprId,
    /// The call on the mock.
    pub call: CallId,
    /// Which of its arguments.
    pub at: usize,
    /// Where the test asks for such a call: from there on the captor has it, if there is to be one.
    pub asked: Option<ExprId>,
}

/// What captors keep of the calls of which a test asks whether they were made.
pub fn captures(reader: &Reader<'_>) -> Vec<Capture> {
    let body = reader.body;
    let mut out = Vec::new();
    for (c, call) in body.calls.iter().enumerate() {
        let Callee::Method { receiver, .. } = call.callee else {
            continue;
        };
        for (at, &e) in body.list(call.args).iter().enumerate() {
            let Some((captor, is_given)) = captor_of(body, e) else {
                continue;
            };
            let asked = match is_given {
                // What is expected is said first, and asked for in the end.
                true => last_verification(body),
                false => receiver
                    .filter(|r| is_asked_for(reader, *r))
                    .map(|_| call.expr),
            };
            out.push(Capture {
                captor,
                call: CallId(c as u32),
                at,
                asked,
            });
        }
    }
    out
}

/// True for a call that asks a captor for what it kept last: `mail.getValue()`.
pub fn asks_what_was_kept(body: &Body, call: &Call) -> bool {
    call.args.len == 0
        && body
            .method_name(call)
            .is_some_and(|name| any(name, |row| row.kept))
}

/// The captor that keeps an argument, and whether it is given to what stands for that: `mail` of `mail.capture()` and of
/// `capture(mail)`.
fn captor_of(body: &Body, e: ExprId) -> Option<(ExprId, bool)> {
    let ExprKind::Call(c) = body.expr(e).kind else {
        return None;
    };
    let call = &body.calls[c.ix()];
    body.method_name(call)
        .filter(|name| any(name, |row| row.captures))?;
    match (call.callee, body.list(call.args)) {
        (
            Callee::Method {
                receiver: Some(captor),
                ..
            },
            [],
        ) => Some((captor, false)),
        (Callee::Method { .. }, [captor]) => Some((*captor, true)),
        _ => None,
    }
}

/// The last call that asks all that was expected of mocks: `verify(mailer)`, `verifyAll()`.
fn last_verification(body: &Body) -> Option<ExprId> {
    let asks = |call: &&Call| {
        let name = body.method_name(call);
        call.dropped && name.is_some_and(|name| any(name, |row| row.verifies))
    };
    body.calls.iter().rfind(asks).map(|call| call.expr)
}

/// True for `verify(mock)` and `then(mock).should()` where at least one call is asked for: how often says the last argument,
/// if one does.
fn is_asked_for(reader: &Reader<'_>, e: ExprId) -> bool {
    let body = reader.body;
    let called = |e: ExprId| match body.expr(e).kind {
        ExprKind::Call(c) => Some(&body.calls[c.ix()]),
        _ => None,
    };
    let named = |e: ExprId| called(e).and_then(|call| Some((call, body.method_name(call)?)));
    let Some((asks, name)) = named(e).filter(|(_, name)| any(name, |row| row.asks)) else {
        return false;
    };
    let mode = match (name.as_str(), body.list(asks.args)) {
        ("should", [.., mode]) | (_, [_, .., mode]) => *mode,
        _ => return true,
    };
    let is_one = |e: &ExprId| reader.text(*e) == "1";
    named(mode).is_some_and(|(mode, name)| {
        any(name, |row| row.made)
            || any(name, |row| row.made_so_often) && body.list(mode.args).iter().all(is_one)
    })
}

/// What a test does with a call of a mock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfMock {
    /// It is no such call.
    Not,
    /// It says what it gives: `when(accounts.save(any())).thenReturn(account)`.
    Told,
    /// Code of the test answers, which may look at what it is given.
    Answered,
    /// It asks whether it was made: `verify(accounts).save(any())`.
    Asked,
    /// It asks whether it was not, or how often: `verify(accounts, never()).save(any())`.
    Counted,
}

/// What a body does with calls of mocks.
pub struct Mocking<'r> {
    reader: &'r Reader<'r>,
    /// By what is told to answer, what tells it: `when(accounts.save(any()))`.
    telling: FxHashMap<ExprId, ExprId>,
    /// Calls behind which code answers.
    answered: FxHashSet<ExprId>,
}

impl<'r> Mocking<'r> {
    /// Linear in the calls.
    pub fn new(reader: &'r Reader<'r>) -> Mocking<'r> {
        let body = reader.body;
        let (mut telling, mut answered) = (FxHashMap::default(), FxHashSet::default());
        for call in &body.calls {
            let Some(name) = body.method_name(call) else {
                continue;
            };
            if let [told] = body.list(call.args)
                && any(name, |row| row.tells)
            {
                telling.insert(*told, call.expr);
            }
            if let Some((on, _)) = call.callee.on()
                && any(name, |row| row.answered_by)
            {
                answered.insert(on);
            }
        }
        Mocking {
            reader,
            telling,
            answered,
        }
    }

    /// What it does with a call of a mock, as far as it says.
    pub fn of(&self, call: CallId) -> OfMock {
        let body = self.reader.body;
        let named = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => Some((c, body.called(c))),
            _ => None,
        };
        let call = &body.calls[call.ix()];
        let Some((on, _)) = call.callee.on() else {
            return OfMock::Not;
        };
        // `verify(accounts).save(…)`, `doReturn(a).when(accounts).save(…)`
        if let Some((of, name)) = named(on) {
            if any(name, |row| row.asks) {
                return match is_asked_for(self.reader, on) {
                    true => OfMock::Asked,
                    false => OfMock::Counted,
                };
            }
            if any(name, |row| row.tells) {
                let before = body.calls[of.ix()].callee.on();
                let before = before.and_then(|(on, _)| named(on));
                return match before.is_some_and(|(_, name)| any(name, |row| row.answered_by)) {
                    true => OfMock::Answered,
                    false => OfMock::Told,
                };
            }
        }
        match self.telling.get(&call.expr) {
            Some(telling) if self.answered.contains(telling) => OfMock::Answered,
            Some(_) => OfMock::Told,
            None => OfMock::Not,
        }
    }
}

/// True for a matcher that every argument passes, but for null or one of another class: `any()`, `(Account) any()`.
pub fn is_anything(body: &Body, mut e: ExprId) -> bool {
    while let ExprKind::Cast { operand, .. } = body.expr(e).kind {
        e = operand;
    }
    match body.expr(e).kind {
        ExprKind::Call(c) => lets_anything(body.called(c)),
        _ => false,
    }
}

/// True for a matcher that looks at what it is given, or keeps it to be looked at.
pub fn looks(body: &Body, e: ExprId) -> bool {
    match body.expr(e).kind {
        ExprKind::Call(c) => {
            let name = body.called(c);
            any(name, |row| row.looks) || any(name, |row| row.captures)
        }
        _ => false,
    }
}
