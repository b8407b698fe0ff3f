//! Words of clients whose answer is asked by calls that are chained to the request.

/// Calls of REST Assured between expectations that expect nothing.
const FILLERS: &[&str] = &["assertThat", "and", "using", "prettyPeek", "peek"];

/// The matcher that REST Assured takes, and the classes that have it, the usual one first.
pub const EQUAL_TO: (&str, [&str; 3]) = (
    "equalTo",
    [
        "org.hamcrest.Matchers",
        "org.hamcrest.CoreMatchers",
        "org.hamcrest.core.IsEqual",
    ],
);

/// True for a call of REST Assured that expects nothing.
pub fn says_nothing(call: &str) -> bool {
    FILLERS.contains(&call)
}

/// The check of a status, as MockMvc calls it, that WebTestClient calls so.
pub fn status_check(call: &str) -> &str {
    match call {
        "isEqualTo" => "is",
        call => call,
    }
}

/// The header that a check of WebTestClient is about by its own name.
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
