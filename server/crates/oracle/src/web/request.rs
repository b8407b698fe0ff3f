//! Which calls of a body send a request, by their names: a form a client. Whose the client is, the imports of the file say.

use super::Verb;
use flow::{Body, CallId, Callee, ExprId, ExprKind, Target};
use smol_str::SmolStr;

/// How many definitions a builder is followed through.
const FOLLOWED: usize = 3;

/// What sends requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// `mockMvc.perform(get("/a"))`, of `MockMvcTester` too.
    MockMvc,
    /// `client.get().uri("/a").exchange()`.
    WebTestClient,
    /// `tester.get().uri("/a")`: as calls have it, the same as the former.
    MockMvcTester,
    /// `given().when().get("/a")`.
    RestAssured,
    /// `rest.getForEntity("/a", String.class)`.
    RestTemplate,
}

impl Client {
    /// True if by its calls a request may be of either.
    pub fn looks_like(self, other: Client) -> bool {
        let plain = |c: Client| match c {
            Client::MockMvcTester => Client::WebTestClient,
            other => other,
        };
        plain(self) == plain(other)
    }
}

/// Beginnings of the names that a file imports which uses such a client. Of clients that look alike the first is meant.
pub const CLIENT_PACKAGES: &[(Client, &[&str])] = &[
    (Client::MockMvc, &["org.springframework.test.web.servlet."]),
    (
        Client::MockMvcTester,
        &["org.springframework.test.web.servlet.assertj."],
    ),
    (
        Client::WebTestClient,
        &["org.springframework.test.web.reactive.server."],
    ),
    (
        Client::MockMvcTester,
        &["org.springframework.test.web.servlet."],
    ),
    (Client::RestAssured, &[REST_ASSURED]),
    (
        Client::RestTemplate,
        &[
            "org.springframework.boot.test.web.client.",
            "org.springframework.boot.resttestclient.",
        ],
    ),
];

/// By what a client is known, beside the imports of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KnownBy {
    /// The names of the calls say enough.
    Words,
    /// A call on nothing, `get("/a")`: a static import of its name must say whose it is.
    Import(CallId),
    /// What a chain begins with, `asAdmin().get("/a")`, `spec.get("/a")`: its type must be one of [`REST_ASSURED_TYPES`].
    Type(ExprId),
}

/// Beginning of the names of REST Assured's classes.
pub const REST_ASSURED: &str = "io.restassured.";

/// Ends of the names of REST Assured's types on which a request is sent.
pub const REST_ASSURED_TYPES: &[&str] = &["RequestSpecification", "RequestSender"];

/// A request, as far as the calls say.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// By what the client is known.
    pub known_by: KnownBy,
    /// What sends it.
    pub client: Client,
    /// What is asked to be done.
    pub verb: Verb,
    /// What says where it goes.
    pub address: ExprId,
    /// The calls that build it, the first first: `get("/a")`, `param(…)`.
    pub built: Vec<CallId>,
    /// The builder came from elsewhere, so that more may have been said of it.
    pub is_open: bool,
}

/// What a call says of the request that it helps to build, beside its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// A parameter, by its name and its value.
    Parameter,
    /// Parameters that nobody can count.
    More,
    /// The type of what it sends.
    Content,
    /// The type of what it takes.
    Accepts,
    /// It is sent in parts.
    Parts,
}

/// What a call of that name says of the request that it helps to build.
pub fn said(call: &str) -> Option<Said> {
    Some(match call {
        "param" | "queryParam" | "formParam" => Said::Parameter,
        "params" | "queryParams" | "formParams" | "with" | "spec" => Said::More,
        "contentType" => Said::Content,
        "accept" => Said::Accepts,
        "multiPart" => Said::Parts,
        call if MULTIPARTS.contains(&call) => Said::Parts,
        _ => return None,
    })
}

/// What a call says to a builder of addresses: `uri(to -> to.path("/a").queryParam("b", 1).build())`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressed {
    /// The path.
    Path,
    /// A parameter, by its name first.
    Parameter,
    /// Nothing of either.
    Aside,
}

/// What a call of that name says to a builder of addresses; nothing of one that is not known.
pub fn addressed(call: &str) -> Option<Addressed> {
    Some(match call {
        "path" => Addressed::Path,
        "queryParam" => Addressed::Parameter,
        "build" | "scheme" | "host" | "port" => Addressed::Aside,
        _ => return None,
    })
}

/// Calls of MockMvc that begin a request that is sent in parts.
const MULTIPARTS: &[&str] = &["multipart", "fileUpload"];

/// The calls of a body that send a request, as far as their names say.
pub fn requests(body: &Body) -> Vec<CallId> {
    const SENDS: &[&str] = &["perform", "uri", "when", "given", "with", "exchange"];
    let sends = |n: &SmolStr| SENDS.contains(&n.as_str()) || n.contains("For");
    let rest_assured = |n: &SmolStr| n.starts_with("RestAssured");
    if !body.names.iter().any(|n| sends(n) || rest_assured(n)) && !looks_at_answers(body) {
        return Vec::new();
    }
    let calls = (0..body.calls.len() as u32).map(CallId);
    calls.filter(|c| client(body, *c).is_some()).collect()
}

/// What a call sends, and by which client it may be meant; nothing for calls that send nothing.
fn client(body: &Body, call: CallId) -> Option<Client> {
    let name = name(body, call)?;
    let args = body.calls[call.ix()].args.len;
    match name {
        "perform" if args == 1 => Some(Client::MockMvc),
        "uri" if args > 0 => {
            let verb = receiver_call(body, call)?;
            let sends = self::name(body, verb)?;
            let is = Verb::of(sends).is_some() && body.calls[verb.ix()].args.len == 0
                || sends == "method";
            is.then_some(Client::WebTestClient)
        }
        "getForEntity" | "getForObject" | "postForEntity" | "postForObject" | "postForLocation"
        | "patchForObject" => Some(Client::RestTemplate),
        "exchange" if args > 1 => Some(Client::RestTemplate),
        _ if args > 0 && Verb::of(name).is_some() => {
            rest_assured(body, call).map(|_| Client::RestAssured)
        }
        _ => None,
    }
}

/// True for a body that may look at answers as REST Assured has them.
fn looks_at_answers(body: &Body) -> bool {
    const LOOKS: &[&str] = &[
        "then",
        "thenReturn",
        "andReturn",
        "statusCode",
        "getStatusCode",
    ];
    body.names.iter().any(|n| LOOKS.contains(&n.as_str()))
}

/// By what a call that is named as a verb is known to be REST Assured's, if it may be.
fn rest_assured(body: &Body, call: CallId) -> Option<KnownBy> {
    let is_class = |e: ExprId| match body.expr(e).kind {
        ExprKind::Name(n) | ExprKind::Field { name: n, .. } => {
            matches!(body.name(n).as_str(), "RestAssured" | "RestAssuredMockMvc")
        }
        _ => false,
    };
    let may_be = |known: KnownBy| looks_at_answers(body).then_some(known);
    let mut at = call;
    while let Callee::Method {
        receiver: Some(r), ..
    } = body.calls[at.ix()].callee
    {
        match body.expr(r).kind {
            ExprKind::Call(next) => at = next,
            _ if is_class(r) => return Some(KnownBy::Words),
            ExprKind::Local(_) | ExprKind::Name(_) | ExprKind::Field { .. } => {
                return may_be(KnownBy::Type(r));
            }
            // A helper of the test: `this.asAdmin().get("/a")`.
            _ if at != call => break,
            _ => return None,
        }
    }
    match name(body, at)? {
        "given" | "when" | "with" if at != call => Some(KnownBy::Words),
        _ if at != call => may_be(KnownBy::Type(body.calls[at.ix()].expr)),
        _ => may_be(KnownBy::Import(call)),
    }
}

/// What a call of [`requests`] sends; nothing if its calls do not say.
pub fn request(body: &Body, call: CallId) -> Option<Request> {
    let client = client(body, call)?;
    let args = body.list(body.calls[call.ix()].args);
    match client {
        Client::MockMvc => built(body, *args.first()?, FOLLOWED),
        Client::WebTestClient | Client::MockMvcTester => {
            let verb = receiver_call(body, call)?;
            Some(Request {
                known_by: KnownBy::Words,
                client,
                verb: verb_of(body, verb)?,
                address: *args.first()?,
                built: chain_around(body, call),
                is_open: false,
            })
        }
        Client::RestAssured => {
            let known_by = rest_assured(body, call)?;
            Some(Request {
                known_by,
                client,
                verb: Verb::of(name(body, call)?)?,
                address: *args.first()?,
                built: chain(body, call)?,
                is_open: matches!(known_by, KnownBy::Type(_)),
            })
        }
        Client::RestTemplate => {
            let named = name(body, call)?;
            let verb = match named {
                "exchange" => return exchanged(body, call),
                _ if named.starts_with("get") => Verb::Get,
                _ if named.starts_with("patch") => Verb::Patch,
                _ => Verb::Post,
            };
            Some(Request {
                known_by: KnownBy::Words,
                client,
                verb,
                address: *args.first()?,
                built: vec![call],
                is_open: true,
            })
        }
    }
}

/// `exchange("/a", HttpMethod.GET, …)`, `exchange(RequestEntity.get("/a").build(), …)`.
fn exchanged(body: &Body, call: CallId) -> Option<Request> {
    let args = body.list(body.calls[call.ix()].args);
    let (first, second) = (*args.first()?, *args.get(1)?);
    if let Some(verb) = constant(body, second) {
        return Some(Request {
            known_by: KnownBy::Words,
            client: Client::RestTemplate,
            verb,
            address: first,
            built: vec![call],
            is_open: true,
        });
    }
    Some(Request {
        client: Client::RestTemplate,
        ..built(body, first, FOLLOWED)?
    })
}

/// The request that `get("/a").param(…)` builds.
fn built(body: &Body, builder: ExprId, most: usize) -> Option<Request> {
    let ExprKind::Call(last) = body.expr(builder).kind else {
        let defined = definition(body, builder).filter(|_| most > 0)?;
        let uses = body
            .exprs
            .iter()
            .filter(|e| e.kind == body.expr(builder).kind);
        let is_only = uses.count() == 1;
        let request = built(body, defined, most - 1)?;
        return Some(Request {
            is_open: request.is_open || !is_only,
            ..request
        });
    };
    let calls = chain(body, last)?;
    let first = *calls.first()?;
    let args = body.list(body.calls[first.ix()].args);
    let receiver = match body.calls[first.ix()].callee {
        Callee::Method { receiver, .. } => receiver,
        _ => return None,
    };
    // `get("/a")`, `MockMvcRequestBuilders.get("/a")`, not `client.get("/a")`.
    match receiver.map(|r| body.expr(r).kind) {
        None => {}
        Some(ExprKind::Name(n) | ExprKind::Field { name: n, .. })
            if matches!(
                body.name(n).as_str(),
                "MockMvcRequestBuilders" | "RequestEntity" | "RestDocumentationRequestBuilders"
            ) => {}
        Some(ExprKind::Local(_) | ExprKind::Name(_)) if most > 0 => {
            let mut more = built(body, receiver?, most - 1)?;
            more.is_open = true;
            more.built.extend(calls);
            return Some(more);
        }
        Some(_) => return None,
    }
    let named = name(body, first)?;
    let (verb, address) = match named {
        named if MULTIPARTS.contains(&named) => (Verb::Post, *args.first()?),
        "request" => (constant(body, *args.first()?)?, *args.get(1)?),
        _ => (Verb::of(named)?, *args.first()?),
    };
    Some(Request {
        known_by: KnownBy::Words,
        client: Client::MockMvc,
        verb,
        address,
        built: calls,
        is_open: false,
    })
}

/// What a local that is defined once was given.
pub(crate) fn definition(body: &Body, e: ExprId) -> Option<ExprId> {
    let ExprKind::Local(local) = body.expr(e).kind else {
        return None;
    };
    let mut defs = body
        .defs
        .iter()
        .filter(|d| matches!(d.target, Target::Local(l) if l == local));
    let def = defs.next().filter(|d| !d.compound)?;
    let (None, &[source]) = (defs.next(), body.list(def.sources)) else {
        return None;
    };
    Some(source)
}

/// The verb that a constant is: `HttpMethod.GET`.
fn constant(body: &Body, e: ExprId) -> Option<Verb> {
    match body.expr(e).kind {
        ExprKind::Name(n) | ExprKind::Field { name: n, .. } => Verb::of(body.name(n)),
        _ => None,
    }
}

/// `get()`, `method(HttpMethod.GET)`.
fn verb_of(body: &Body, call: CallId) -> Option<Verb> {
    let args = body.list(body.calls[call.ix()].args);
    match args.first() {
        None => Verb::of(name(body, call)?),
        Some(method) => constant(body, *method),
    }
}

/// The name of a method that is called.
pub(crate) fn name(body: &Body, call: CallId) -> Option<&str> {
    match body.calls[call.ix()].callee {
        Callee::Method { name, .. } => Some(body.name(name)),
        _ => None,
    }
}

fn receiver_call(body: &Body, call: CallId) -> Option<CallId> {
    match body.calls[call.ix()].callee {
        Callee::Method {
            receiver: Some(r), ..
        } => match body.expr(r).kind {
            ExprKind::Call(c) => Some(c),
            _ => None,
        },
        _ => None,
    }
}

/// A call and those that it is chained to, the first first.
fn chain(body: &Body, call: CallId) -> Option<Vec<CallId>> {
    let mut out = vec![call];
    while let Some(before) = receiver_call(body, *out.last()?) {
        out.push(before);
    }
    out.reverse();
    Some(out)
}

/// The same, and those that are chained to it.
fn chain_around(body: &Body, call: CallId) -> Vec<CallId> {
    let mut out = chain(body, call).unwrap_or_default();
    for (at, later) in body.calls.iter().enumerate().skip(call.ix() + 1) {
        let last = out.last().map(|c| body.calls[c.ix()].expr);
        if let Callee::Method {
            receiver: Some(r), ..
        } = later.callee
            && Some(r) == last
        {
            out.push(CallId(at as u32));
        }
    }
    out
}
