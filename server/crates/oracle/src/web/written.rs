//! How a client writes what it expects of an answer.

use super::Client;
use super::mock_mvc::Matcher;
use super::status::{REDIRECTS, check_of};
use smol_str::{SmolStr, format_smolstr};
use text::java_literal;

/// What may be asked next where the calls that are chained to a request end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ready {
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

/// What stands for a value that somebody has to fill in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hole {
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
pub enum What {
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
    pub fn named(&self) -> &str {
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
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The method that begins what MockMvc is handed: `view`; nothing for clients whose calls are chained.
    pub begins: &'static str,
    /// What stands behind it, `().name("owners/list")`, or all of it: `expectStatus().isOk()`.
    pub rest: String,
    /// What it is about: `view().name`, `flash().attribute`.
    pub query: SmolStr,
    /// What has to be filled in.
    pub hole: Option<&'static str>,
}

fn said(query: &'static str, rest: String) -> Option<Written> {
    Some(Written {
        begins: "",
        rest,
        query: SmolStr::new_static(query),
        hole: None,
    })
}

/// What is expected, as a client writes it where the calls that are chained to a request end; nothing where it cannot.
pub fn written(client: Client, ready: Ready, what: &What) -> Option<Written> {
    match client {
        Client::MockMvc => of_mock_mvc(what),
        Client::WebTestClient => of_web_test_client(ready, what),
        Client::RestAssured => of_rest_assured(ready, what),
        Client::MockMvcTester | Client::RestTemplate => None,
    }
}

fn of_mock_mvc(what: &What) -> Option<Written> {
    let literals = |name: &String, text: &Option<String>| match text {
        Some(text) => format!("{}, {}", java_literal(name), java_literal(text)),
        None => java_literal(name),
    };
    let (matcher, link, given) = match what {
        What::View(name) => (Matcher::View, "name", java_literal(name)),
        What::Model(name) => (Matcher::Model, "attributeExists", java_literal(name)),
        What::Flash(name, text) => {
            let link = text.as_ref().map_or("attributeExists", |_| "attribute");
            (Matcher::Flash, link, literals(name, text))
        }
        What::Content(text) => (Matcher::Content, "string", java_literal(text)),
        What::Json(path, hole) => {
            let begins = Matcher::Json.method();
            return Some(Written {
                begins,
                rest: format!("({}).value({})", java_literal(path), hole.text()),
                query: format_smolstr!("{begins}().value"),
                hole: Some(hole.text()),
            });
        }
        What::Header(name, text) => {
            let link = text.as_ref().map_or("exists", |_| "string");
            (Matcher::Header, link, literals(name, text))
        }
        What::Status(status, redirects) => {
            let check = check_of(*status)?;
            let check = if *redirects { REDIRECTS } else { check };
            (Matcher::Status, check, String::new())
        }
    };
    let begins = matcher.method();
    Some(Written {
        begins,
        rest: format!("().{link}({given})"),
        query: match matcher {
            Matcher::Status => format_smolstr!("{begins}()"),
            _ => format_smolstr!("{begins}().{link}"),
        },
        hole: None,
    })
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
                hole: Some(hole.text()),
                ..said(
                    "jsonPath().isEqualTo",
                    format!("{begins}jsonPath({path}).isEqualTo({})", hole.text()),
                )?
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
        (Ready::Answer, What::Status(_, true)) => {
            said("expectStatus()", format!("expectStatus().{REDIRECTS}()"))
        }
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
            let path = java_literal(path);
            Some(Written {
                hole: Some(hole.text()),
                ..said(
                    "body()",
                    format!("{begins}body({path}, equalTo({}))", hole.text()),
                )?
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
