//! What a test expects of the answer to a request: `perform(…).andExpect(status().isOk()).andExpect(view().name("list"))`.

mod chained;

use calls::Workspace;
use flow::{Body, CallId, Callee, ExprId, ExprKind, Target};
use oracle::web::{Client, Request};
use program::BodyId;
use smol_str::SmolStr;

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

/// What may be asked next where the calls that are chained to a request end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ready {
    /// Nothing that is known.
    No,
    /// The request was sent, and its answer not asked for yet: `given().get("/a")`, `mvc.perform(…)`.
    #[default]
    Sent,
    /// The answer: behind `exchange()`, `then()`, `andExpect(…)`.
    Answer,
    /// Its body, place by place: behind `expectBody()`.
    Body,
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
            Look::Status(check, None) => ["is", "value", "statusLine"].contains(&check.as_str()),
            _ => false,
        };
        self.looks.iter().any(unread)
    }

    /// True if it expects that all went well.
    pub(super) fn expects_success(&self) -> bool {
        let success = |l: &Look| match l {
            Look::Status(check, number) => {
                (200..204).any(|s| oracle::web::status::passes(check, *number, s))
                    && !oracle::web::status::passes(check, *number, 500)
            }
            _ => false,
        };
        self.looks.iter().any(success)
    }

    /// True if the test expects a status that says that nobody answers.
    pub(super) fn is_refused(&self) -> bool {
        let refused = |l: &Look| match l {
            Look::Status(check, number) => {
                let is = |status: u16| oracle::web::status::passes(check, *number, status);
                is(404) || is(405) || is(401) || is(403) || is(415)
            }
            _ => false,
        };
        self.looks.iter().any(refused)
    }
}

/// The class whose methods say what is expected.
const MATCHERS: &str = "MockMvcResultMatchers";

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
    // What is documented is compared with what is there.
    let reads = |n: &SmolStr| n.starts_with("getContentAs") || n.starts_with("responseFields");
    let mut out = Performed {
        sent,
        request,
        looks: Vec::new(),
        chain: Vec::new(),
        last: sent,
        ready: Ready::Sent,
        by_class: false,
        escapes: false,
        reads_body: body.names.iter().any(reads),
    };
    // What is expected before the request is sent is not read.
    let built = out.request.built.iter();
    if out.request.client == Client::RestAssured
        && built.clone().any(|c| name_of(body, *c) == "expect")
    {
        out.looks.push(Look::Unknown);
    }
    // Who takes the answer may look at its view and its model.
    if body.names.iter().any(|n| n == "getModelAndView") {
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
            }
        }
        None => out.escapes |= !reading.is_dropped(end),
    }
    out
}

impl Reading<'_> {
    /// Walks along the calls that are chained to an expression; where they end.
    fn follow(self, mut at: ExprId, out: &mut Performed) -> ExprId {
        for (next, call) in self.body.calls.iter().enumerate() {
            let Callee::Method {
                receiver: Some(receiver),
                name,
            } = call.callee
            else {
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
            match self.body.name(name).as_str() {
                "andExpect" | "andExpectAll" => {
                    out.last = CallId(next as u32);
                    out.ready = Ready::Answer;
                    for &arg in self.body.list(call.args) {
                        let look = self.look(arg, &mut out.by_class);
                        out.looks.push(look);
                    }
                }
                "andDo" => {}
                "andReturn" => out.escapes |= !call.dropped,
                _ => out.escapes = true,
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
            return oracle::web::status::number(name.strip_prefix("SC_").unwrap_or(name));
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
                ExprKind::Name(n) | ExprKind::Field { name: n, .. } => body.name(n) == MATCHERS,
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
        let linked = link.map_or("", |l| name_of(body, l));
        match name_of(body, first) {
            "status" => {
                let number = link.and_then(|l| self.number(*args(l).first()?));
                Look::Status(linked.to_owned(), number)
            }
            "view" => Look::View(link.and_then(|l| names(l).pop())),
            "forwardedUrl" | "forwardedUrlTemplate" | "forwardedUrlPattern" => Look::View(None),
            "redirectedUrl" | "redirectedUrlTemplate" | "redirectedUrlPattern" => Look::Redirect,
            "model" => match link {
                // How many there are, and the like.
                Some(l) if linked.starts_with("attribute") => {
                    let all = names(l);
                    match linked {
                        "attributeExists"
                        | "attributeHasErrors"
                        | "attributeHasNoErrors"
                        | "attributeDoesNotExist"
                        | "attributeErrorCount" => Look::Model(all),
                        _ => Look::Model(all.into_iter().take(1).collect()),
                    }
                }
                _ => Look::Model(Vec::new()),
            },
            "flash" => link.map_or(Look::Unknown, |l| {
                let all = names(l);
                match linked {
                    "attributeExists" => Look::Flash(all),
                    _ => Look::Flash(all.into_iter().take(1).collect()),
                }
            }),
            "jsonPath" => match names(first).first() {
                Some(path) => Look::Json(path.clone()),
                None => Look::Content,
            },
            "content" => match linked.starts_with("contentType") || linked == "encoding" {
                true => Look::ContentType,
                false => Look::Content,
            },
            "xpath" => Look::Content,
            "header" => Look::Header(link.and_then(|l| names(l).into_iter().next())),
            "cookie" => Look::Header(None),
            "handler" | "request" => Look::ContentType,
            _ => Look::Unknown,
        }
    }
}

fn name_of(body: &Body, call: CallId) -> &str {
    match body.calls[call.ix()].callee {
        Callee::Method { name, .. } => body.name(name),
        _ => "",
    }
}
