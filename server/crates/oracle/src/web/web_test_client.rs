//! Words of WebTestClient, whose answer is asked by calls that are chained to the request:
//! `client.get().uri("/a").exchange().expectStatus().isOk()`.

/// The call that sends a request; those before it say what is sent.
pub const SENDS: &str = "exchange";

/// What a call asks that is chained to the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The status.
    Status,
    /// The type of the body.
    Type,
    /// A header.
    Header,
    /// A cookie.
    Cookie,
    /// Nothing: the call behind it does.
    Begins,
    /// A place in the body, of which the call behind it says more.
    Place,
    /// More of that.
    OfPlace,
    /// The body; without a type each place is asked for itself.
    Body,
    /// All of a list.
    Bodies,
    /// The body, by somebody else.
    HandsOn,
}

/// What a call of that name asks, chained to one of the name `before`.
pub fn ask(before: &str, call: &str) -> Option<Ask> {
    Some(match (before, call) {
        ("expectStatus", _) => Ask::Status,
        ("expectHeader", "contentType" | "contentTypeCompatibleWith") => Ask::Type,
        ("expectHeader", _) => Ask::Header,
        ("expectCookie", _) => Ask::Cookie,
        ("jsonPath", _) => Ask::OfPlace,
        (_, "expectStatus" | "expectHeader" | "expectCookie") => Ask::Begins,
        (_, "jsonPath") => Ask::Place,
        (_, "expectBody") => Ask::Body,
        (_, "expectBodyList") => Ask::Bodies,
        (_, "returnResult" | "getResponseBody" | "consumeWith" | "value") => Ask::HandsOn,
        _ => return None,
    })
}

/// The check of a status, as MockMvc calls it.
pub fn status_check(call: &str) -> &str {
    match call {
        "isEqualTo" => "is",
        call => call,
    }
}

/// The header that a check is about by its own name.
pub fn header_of(check: &str) -> Option<&'static str> {
    Some(match check {
        "location" => "Location",
        "contentDisposition" => "Content-Disposition",
        "contentLength" => "Content-Length",
        "cacheControl" => "Cache-Control",
        "lastModified" => "Last-Modified",
        "expires" => "Expires",
        _ => return None,
    })
}
