//! How a client writes what it expects of an answer.

use super::expected::{Performed, Ready};

use oracle::web::Client;
use oracle::web::status::check_of;
use text::java_literal;

/// What stands for a value that somebody has to fill in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hole {
    Text,
    Int,
    Long,
}

impl Hole {
    fn text(self) -> &'static str {
        match self {
            Hole::Text => "\"what should it be?\"",
            Hole::Int => "Integer.MIN_VALUE",
            Hole::Long => "Long.MIN_VALUE",
        }
    }
}

/// What can be expected.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    View(String),
    Model(String),
    Flash(String, Option<String>),
    Content(String),
    /// The path from the top, and what stands for the value.
    Json(String, Hole),
    Header(String, Option<String>),
    Status(u16, bool),
}

impl What {
    /// The path, attribute or header that it names.
    pub(super) fn named(&self) -> &str {
        match self {
            What::Model(name)
            | What::Flash(name, _)
            | What::Header(name, _)
            | What::Json(name, _) => name,
            What::View(_) | What::Content(_) | What::Status(..) => "",
        }
    }
}

/// An expectation in the words of a client.
pub(super) struct Written {
    /// See `Expectation::rest`.
    pub(super) rest: String,
    /// See `Expectation::query`.
    pub(super) query: &'static str,
    /// What has to be filled in.
    pub(super) hole: Option<&'static str>,
}

fn said(query: &'static str, rest: String) -> Option<Written> {
    Some(Written {
        rest,
        query,
        hole: None,
    })
}

/// What is expected, as the client of a request writes it where its calls end; nothing where it cannot.
pub(super) fn written(sent: &Performed, what: &What) -> Option<Written> {
    match sent.request.client {
        Client::MockMvc => of_mock_mvc(what),
        Client::WebTestClient => of_web_test_client(sent.ready, what),
        Client::RestAssured => of_rest_assured(sent.ready, what),
        Client::MockMvcTester | Client::RestTemplate => None,
    }
}

fn of_mock_mvc(what: &What) -> Option<Written> {
    match what {
        What::View(name) => said("view().name", format!("().name({})", java_literal(name))),
        What::Model(name) => said(
            "model().attributeExists",
            format!("().attributeExists({})", java_literal(name)),
        ),
        What::Flash(name, Some(text)) => said(
            "flash().attribute",
            format!(
                "().attribute({}, {})",
                java_literal(name),
                java_literal(text)
            ),
        ),
        What::Flash(name, None) => said(
            "flash().attributeExists",
            format!("().attributeExists({})", java_literal(name)),
        ),
        What::Content(text) => said(
            "content().string",
            format!("().string({})", java_literal(text)),
        ),
        What::Json(path, hole) => Some(Written {
            rest: format!("({}).value({})", java_literal(path), hole.text()),
            query: "jsonPath().value",
            hole: Some(hole.text()),
        }),
        What::Header(name, Some(text)) => said(
            "header().string",
            format!("().string({}, {})", java_literal(name), java_literal(text)),
        ),
        What::Header(name, None) => said(
            "header().exists",
            format!("().exists({})", java_literal(name)),
        ),
        What::Status(status, redirects) => {
            let check = check_of(*status)?;
            let check = if *redirects {
                "is3xxRedirection"
            } else {
                check
            };
            said("status()", format!("().{check}()"))
        }
    }
}

/// Checks of a status that WebTestClient has by name.
const CHECKS: &[u16] = &[200, 201, 202, 204, 302, 303, 304, 400, 401, 403, 404];

fn of_web_test_client(ready: Ready, what: &What) -> Option<Written> {
    match (ready, what) {
        (Ready::Answer, What::Content(text)) => said(
            "expectBody().isEqualTo",
            format!("expectBody(String.class).isEqualTo({})", java_literal(text)),
        ),
        (Ready::Answer | Ready::Body, What::Json(path, hole)) => {
            let begins = if ready == Ready::Body {
                ""
            } else {
                "expectBody()."
            };
            let path = java_literal(path);
            Some(Written {
                rest: format!("{begins}jsonPath({path}).isEqualTo({})", hole.text()),
                query: "jsonPath().isEqualTo",
                hole: Some(hole.text()),
            })
        }
        (Ready::Answer, What::Header(name, text)) => {
            let name = java_literal(name);
            match text {
                Some(text) => said(
                    "expectHeader().valueEquals",
                    format!("expectHeader().valueEquals({name}, {})", java_literal(text)),
                ),
                None => said(
                    "expectHeader().exists",
                    format!("expectHeader().exists({name})"),
                ),
            }
        }
        (Ready::Answer, What::Status(_, true)) => said(
            "expectStatus()",
            "expectStatus().is3xxRedirection()".to_owned(),
        ),
        (Ready::Answer, What::Status(status, false)) => {
            let check = check_of(*status).filter(|_| CHECKS.contains(status));
            let check = check.map_or(format!("isEqualTo({status})"), |c| format!("{c}()"));
            said("expectStatus()", format!("expectStatus().{check}"))
        }
        _ => None,
    }
}

fn of_rest_assured(ready: Ready, what: &What) -> Option<Written> {
    let begins = match ready {
        Ready::Sent => "then().",
        Ready::Answer => "",
        Ready::No | Ready::Body => return None,
    };
    match what {
        What::Content(text) => said(
            "body()",
            format!("{begins}body(equalTo({}))", java_literal(text)),
        ),
        What::Json(path, hole) => {
            // Its paths begin below the top, and a number that fits is an `int`.
            let path = path.trim_start_matches('$').trim_start_matches('.');
            let hole = if *hole == Hole::Long {
                Hole::Int
            } else {
                *hole
            };
            Some(Written {
                rest: format!(
                    "{begins}body({}, equalTo({}))",
                    java_literal(path),
                    hole.text()
                ),
                query: "body()",
                hole: Some(hole.text()),
            })
        }
        What::Header(name, Some(text)) => said(
            "header()",
            format!(
                "{begins}header({}, {})",
                java_literal(name),
                java_literal(text)
            ),
        ),
        // It follows redirects, and a status of one is never seen.
        What::Status(status, false) => {
            said("statusCode()", format!("{begins}statusCode({status})"))
        }
        _ => None,
    }
}
