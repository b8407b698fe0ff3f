//! Words of REST Assured, whose answer is asked by calls that are chained to the request:
//! `given().get("/a").then().statusCode(200)`.

/// The matcher that it takes, and the classes that have it, the usual one first.
pub const EQUAL_TO: (&str, [&str; 3]) = (
    "equalTo",
    [
        "org.hamcrest.Matchers",
        "org.hamcrest.CoreMatchers",
        "org.hamcrest.core.IsEqual",
    ],
);

/// Behind it the answer is asked.
pub const ANSWERED: &str = "then";

/// It begins what is expected before the request is sent.
pub const EXPECTED_BEFORE: &str = "expect";

/// What a call asks that is chained to the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Nothing.
    Nothing,
    /// Nothing: the call behind it writes something down.
    Logs,
    /// The status, by its number.
    Status,
    /// The status, in words, or how long it took.
    Line,
    /// The type of the body.
    Type,
    /// A header.
    Header,
    /// Several, or cookies.
    Headers,
    /// The body, or places in it.
    Body,
    /// All of it, by somebody else.
    Extracts,
}

/// What a call of that name asks, chained to one of the name `before`.
pub fn ask(before: &str, call: &str) -> Option<Ask> {
    Some(match (before, call) {
        (_, "log") => Ask::Logs,
        ("log", _) => Ask::Nothing,
        (_, "assertThat" | "and" | "using" | "prettyPeek" | "peek") => Ask::Nothing,
        (_, "statusCode") => Ask::Status,
        (_, "statusLine" | "time") => Ask::Line,
        (_, "contentType") => Ask::Type,
        (_, "header") => Ask::Header,
        (_, "headers" | "cookie" | "cookies") => Ask::Headers,
        (_, "body") => Ask::Body,
        (_, "extract") => Ask::Extracts,
        _ => return None,
    })
}
