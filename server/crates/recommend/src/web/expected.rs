//! What a test expects of the answer to a request: `perform(…).andExpect(status().isOk()).andExpect(view().name("list"))`.

mod chained;

use calls::Workspace;
use flow::{Body, CallId, Callee, ExprId, ExprKind, Target};
use oracle::web::mock_mvc::{self, Matcher, Named, Step};
use oracle::web::{Client, Ready, Request, rest_assured, status};
use program::BodyId;
use std::ops::Range;

/// What an expectation looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// The status: the name of the check, and its number if it has one.
    Status(String, Option<u16>),
    /// The view or where it forwards to; the name of the view, if that is a constant.
    View(Option<String>),
    /// Where it redirects to.
    Redirect,
    /// Attributes of the model, by name.
    Model(Vec<String>),
    /// Attributes that the next request has, by name.
    Flash(Vec<String>),
    /// A place in a JSON body.
    Json(String),
    /// The type of the body.
    ContentType,
    /// The body.
    Content,
    /// A header by name, or any of them, or a cookie.
    Header(Option<String>),
    /// Anything: a project's own.
    Unknown,
}

/// A request of a test, and what the test does with its answer.
#[derive(Debug)]
pub(super) struct Performed {
    /// The call that sends it.
    pub(super) sent: CallId,
    pub(super) request: Request,
    /// What is expected, in order.
    pub(super) looks: Vec<Look>,
    /// The calls that are chained to it, or to a local that has its answer.
    pub(super) chain: Vec<CallId>,
    /// The last call of its chain that expects something, or the one that sends it.
    pub(super) last: CallId,
    /// What may be asked behind it.
    pub(super) ready: Ready,
    /// The class stands before the methods: `MockMvcResultMatchers.status()`.
    pub(super) by_class: bool,
    /// The answer is looked at in another way, or handed on.
    pub(super) escapes: bool,
    /// Its body among that.
    pub(super) reads_body: bool,
}

impl Performed {
    /// True if the test expects a status that nobody can read here.
    pub(super) fn has_unread_status(&self) -> bool {
        let unread = |l: &Look| match l {
            Look::Status(check, None) => status::needs_number(check),
            _ => false,
        };
        self.looks.iter().any(unread)
    }

    /// True if it expects that all went well.
    pub(super) fn expects_success(&self) -> bool {
        self.expects_one_of(200..204)
    }

    /// True if it expects that somebody answers, and that all went well, with something to be read or without.
    pub(super) fn is_answered(&self) -> bool {
        self.expects_one_of(200..300)
    }

    fn expects_one_of(&self, statuses: Range<u16>) -> bool {
        let is_one = |l: &Look| match l {
            Look::Status(check, number) => {
                let mut all = statuses.clone();
                all.any(|s| status::passes(check, *number, s))
                    && !status::passes(check, *number, 500)
            }
            _ => false,
        };
        self.looks.iter().any(is_one)
    }

    /// True if the test expects a status that says that nobody answers.
    pub(super) fn is_refused(&self) -> bool {
        let refused = |l: &Look| match l {
            Look::Status(check, number) => {
                let is = |status: u16| status::passes(check, *number, status);
                is(404) || is(405) || is(401) || is(403) || is(415)
            }
            _ => false,
        };
        self.looks.iter().any(refused)
    }
}

/// A body that is read.
#[derive(Clone, Copy)]
struct Reading<'a> {
    workspace: &'a Workspace,
    id: BodyId,
    body: &'a Body,
}

/// Reads what is done with the answer to a request.
pub(super) fn performed(
    workspace: &Workspace,
    id: BodyId,
    body: &Body,
    sent: CallId,
    request: Request,
) -> Performed {
    let reading = Reading {
        workspace,
        id,
        body,
    };
    let mut out = Performed {
        sent,
        request,
        looks: Vec::new(),
        chain: Vec::new(),
        last: sent,
        ready: Ready::Sent,
        by_class: false,
        escapes: false,
        reads_body: body.names.iter().any(|n| mock_mvc::gives_body(n)),
    };
    // What is expected before the request is sent is not read.
    let built = out.request.built.iter();
    if out.request.client == Client::RestAssured
        && built
            .clone()
            .any(|c| body.called(*c) == rest_assured::EXPECTED_BEFORE)
    {
        out.looks.push(Look::Unknown);
    }
    if body.names.iter().any(|n| mock_mvc::documents_headers(n)) {
        out.looks.push(Look::Header(None));
    }
    // Who takes the answer may look at its view and its model.
    if body.names.iter().any(|n| mock_mvc::gives_view(n)) {
        out.looks
            .extend([Look::View(None), Look::Model(Vec::new())]);
    }
    let end = reading.follow(body.calls[sent.ix()].expr, &mut out);
    // Kept: what is asked of the variable counts as well.
    let kept = body.defs.iter().find_map(|d| match d.target {
        Target::Local(local) if body.list(d.sources) == [end] => Some(local),
        _ => None,
    });
    match kept {
        Some(local) => {
            let uses = (0..body.exprs.len() as u32).map(ExprId);
            for e in uses.filter(|e| body.expr(*e).kind == ExprKind::Local(local)) {
                let end = reading.follow(e, &mut out);
                out.escapes |= end == e || !reading.is_dropped(end);
                // Who is given it whole may read it.
                out.reads_body |= end == e;
            }
        }
        None if reading.is_dropped(end) => {}
        None => (out.escapes, out.reads_body) = (true, true),
    }
    out
}

impl Reading<'_> {
    /// Walks along the calls that are chained to an expression; where they end.
    fn follow(self, mut at: ExprId, out: &mut Performed) -> ExprId {
        for (next, call) in self.body.calls.iter().enumerate() {
            let Some((receiver, name)) = call.callee.on() else {
                continue;
            };
            if receiver != at {
                continue;
            }
            at = call.expr;
            out.chain.push(CallId(next as u32));
            if out.request.client != Client::MockMvc {
                self.chained(CallId(next as u32), out);
                continue;
            }
            match mock_mvc::step(self.body.name(name)) {
                Some(Step::Expects) => {
                    out.last = CallId(next as u32);
                    out.ready = Ready::Answer;
                    for &arg in self.body.list(call.args) {
                        let look = self.look(arg, &mut out.by_class);
                        out.looks.push(look);
                    }
                }
                Some(Step::Handles) => {}
                Some(Step::Returns) => out.escapes |= !call.dropped,
                None => out.escapes = true,
            }
        }
        at
    }

    /// True for a call whose value nobody takes.
    fn is_dropped(self, e: ExprId) -> bool {
        match self.body.expr(e).kind {
            ExprKind::Call(call) => self.body.calls[call.ix()].dropped,
            _ => false,
        }
    }

    /// A status: a number, or a constant by its name (`HttpStatus.OK`, `OK.value()`, `SC_OK`).
    fn number(self, e: ExprId) -> Option<u16> {
        if let ExprKind::Call(call) = self.body.expr(e).kind {
            return match self.body.calls[call.ix()].callee {
                Callee::Method {
                    receiver: Some(of),
                    name,
                } if self.body.name(name) == "value" => self.number(of),
                _ => None,
            };
        }
        if let ExprKind::Name(n) | ExprKind::Field { name: n, .. } = self.body.expr(e).kind {
            let name = self.body.name(n).as_str();
            return status::number(name.strip_prefix("SC_").unwrap_or(name));
        }
        let program = self.workspace.program();
        let decl = program.body(self.id)?;
        let of = self.body.expr(e);
        let range = (decl.start + of.start) as usize..(decl.start + of.end) as usize;
        let text = program.text(program.body_file(self.id)?)?;
        text.get(range)?.parse().ok()
    }

    /// What one expectation looks at.
    fn look(self, matcher: ExprId, by_class: &mut bool) -> Look {
        let Reading {
            workspace,
            id,
            body,
        } = self;
        let ExprKind::Call(last) = body.expr(matcher).kind else {
            return Look::Unknown;
        };
        let mut first = last;
        let mut link = None;
        let receiver = loop {
            let Callee::Method { receiver, .. } = body.calls[first.ix()].callee else {
                return Look::Unknown;
            };
            match receiver.map(|r| body.expr(r).kind) {
                Some(ExprKind::Call(before)) => {
                    link = Some(first);
                    first = before;
                }
                _ => break receiver,
            }
        };
        if let Some(r) = receiver {
            let is_class = match body.expr(r).kind {
                ExprKind::Name(n) | ExprKind::Field { name: n, .. } => {
                    mock_mvc::is_of_matchers(body.name(n))
                }
                _ => false,
            };
            if !is_class {
                return Look::Unknown;
            }
            *by_class = true;
        }
        let args = |c: CallId| body.list(body.calls[c.ix()].args);
        let text = |e: &ExprId| workspace.text_of(id, *e);
        let names = |c: CallId| -> Vec<String> { args(c).iter().filter_map(text).collect() };
        let linked = link.map_or("", |l| body.called(l));
        let named = || {
            let mut all = link.map(names).unwrap_or_default();
            match mock_mvc::named(linked) {
                Named::Nothing => all.clear(),
                Named::First => all.truncate(1),
                Named::All => {}
            }
            all
        };
        let Some(looked_at) = Matcher::of(body.called(first)) else {
            return Look::Unknown;
        };
        match looked_at {
            Matcher::Status => {
                let number = link.and_then(|l| self.number(*args(l).first()?));
                Look::Status(linked.to_owned(), number)
            }
            Matcher::View => Look::View(link.and_then(|l| names(l).pop())),
            Matcher::Forward => Look::View(None),
            Matcher::Redirect => Look::Redirect,
            Matcher::Model => Look::Model(named()),
            Matcher::Flash if link.is_none() => Look::Unknown,
            Matcher::Flash => Look::Flash(named()),
            Matcher::Json => match names(first).first() {
                Some(path) => Look::Json(path.clone()),
                None => Look::Content,
            },
            Matcher::Content if mock_mvc::is_of_type(linked) => Look::ContentType,
            Matcher::Content | Matcher::Xml => Look::Content,
            // Of a constant nobody knows here which it is.
            Matcher::Header => Look::Header(link.and_then(|l| args(l).first().and_then(text))),
            Matcher::Cookie => Look::Header(None),
            // What answers later is asked for by another request.
            Matcher::Request if mock_mvc::answers_later(linked) => Look::Unknown,
            Matcher::Request => Look::ContentType,
        }
    }
}
