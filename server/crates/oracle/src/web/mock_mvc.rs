//! Words of MockMvc, which is handed what is expected of an answer: `perform(…).andExpect(view().name("list"))`.

/// The class whose methods begin what is handed to it.
pub const MATCHERS: &str = "org.springframework.test.web.servlet.result.MockMvcResultMatchers";

/// True for its simple name.
pub fn is_of_matchers(simple: &str) -> bool {
    MATCHERS.rsplit('.').next() == Some(simple)
}

/// What a call does that is chained to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It expects all that it is given.
    Expects,
    /// It prints the answer, or the like.
    Handles,
    /// It gives the answer.
    Returns,
}

/// The call that takes one thing that is expected.
pub const EXPECTS: &str = "andExpect";

/// What a call of that name does.
pub fn step(call: &str) -> Option<Step> {
    Some(match call {
        EXPECTS | "andExpectAll" => Step::Expects,
        "andDo" => Step::Handles,
        "andReturn" => Step::Returns,
        _ => return None,
    })
}

/// True for a call that asks an answer for its view and its model.
pub fn gives_view(call: &str) -> bool {
    call == "getModelAndView"
}

/// True for a call that asks an answer for its body.
pub fn gives_body(call: &str) -> bool {
    // What is documented is compared with what is there.
    call.starts_with("getContentAs") || call.starts_with("responseFields")
}

/// True for a call that documents headers of the answer, each of which must be there.
pub fn documents_headers(call: &str) -> bool {
    call == "responseHeaders"
}

/// True for a link behind `request()` by which the answer is not there yet.
pub fn answers_later(link: &str) -> bool {
    link == "asyncStarted"
}

/// What a matcher looks at, by the method that begins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Matcher {
    Status,
    View,
    Forward,
    Redirect,
    Model,
    Flash,
    Json,
    Content,
    Xml,
    Header,
    Cookie,
    /// The request, and who answers it.
    Request,
}

/// Of several the first is written.
const BEGINNINGS: &[(Matcher, &str)] = &[
    (Matcher::Status, "status"),
    (Matcher::View, "view"),
    (Matcher::Forward, "forwardedUrl"),
    (Matcher::Forward, "forwardedUrlTemplate"),
    (Matcher::Forward, "forwardedUrlPattern"),
    (Matcher::Redirect, "redirectedUrl"),
    (Matcher::Redirect, "redirectedUrlTemplate"),
    (Matcher::Redirect, "redirectedUrlPattern"),
    (Matcher::Model, "model"),
    (Matcher::Flash, "flash"),
    (Matcher::Json, "jsonPath"),
    (Matcher::Content, "content"),
    (Matcher::Xml, "xpath"),
    (Matcher::Header, "header"),
    (Matcher::Cookie, "cookie"),
    (Matcher::Request, "handler"),
    (Matcher::Request, "request"),
];

impl Matcher {
    /// That which a method begins.
    pub fn of(method: &str) -> Option<Matcher> {
        let mut all = BEGINNINGS.iter();
        all.find(|(_, name)| *name == method).map(|(m, _)| *m)
    }

    /// The method that begins it.
    pub fn method(self) -> &'static str {
        let mut all = BEGINNINGS.iter();
        all.find(|(m, _)| *m == self).map_or("", |(_, name)| name)
    }
}

/// Which arguments of a link name attributes of the model or of the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// None: it counts them, or the like.
    Nothing,
    /// The first.
    First,
    /// All.
    All,
}

/// Those of a link behind `model()` or `flash()`.
pub fn named(link: &str) -> Named {
    match link {
        "attributeExists"
        | "attributeHasErrors"
        | "attributeHasNoErrors"
        | "attributeDoesNotExist"
        | "attributeErrorCount" => Named::All,
        _ if link.starts_with("attribute") => Named::First,
        _ => Named::Nothing,
    }
}

/// True for a link behind `content()` that looks at what the body is, and not at what it says.
pub fn is_of_type(link: &str) -> bool {
    link.starts_with("contentType") || link == "encoding"
}
