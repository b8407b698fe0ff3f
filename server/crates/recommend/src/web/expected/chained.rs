//! Clients whose answer is asked by calls that are chained to the request: `client.get().uri("/a").exchange().expectStatus()
//! .isOk()` of WebTestClient, `given().get("/a").then().statusCode(200)` of REST Assured.

use super::{Look, Performed, Reading, Ready, name_of};
use flow::{Body, CallId, Callee, ExprId, ExprKind};
use oracle::web::Client;
use oracle::web::answers::{header_of, says_nothing, status_check};

impl Reading<'_> {
    /// Reads one call of the chain behind a request.
    pub(super) fn chained(self, call: CallId, out: &mut Performed) {
        match out.request.client {
            Client::WebTestClient => self.of_web_test_client(call, out),
            Client::RestAssured => self.of_rest_assured(call, out),
            _ => out.escapes = true,
        }
    }

    fn of_web_test_client(self, call: CallId, out: &mut Performed) {
        let name = name_of(self.body, call);
        if out.ready == Ready::Sent {
            // What is between is said of the request: `accept(…)`, `bodyValue(…)`.
            if name == "exchange" {
                (out.ready, out.last) = (Ready::Answer, call);
            }
            return;
        }
        let args = self.body.list(self.body.calls[call.ix()].args);
        let texts = || {
            args.iter()
                .filter_map(|a| self.workspace.text_of(self.id, *a))
        };
        match (before(self.body, call), name) {
            ("expectStatus", check) => {
                let number = args.first().and_then(|a| self.number(*a));
                let check = status_check(check);
                out.looks.push(Look::Status(check.to_owned(), number));
            }
            ("expectHeader", "contentType" | "contentTypeCompatibleWith") => {
                out.looks.push(Look::ContentType);
            }
            ("expectHeader", check) => {
                let named = header_of(check).map(str::to_owned);
                out.looks
                    .push(Look::Header(named.or_else(|| texts().next())));
            }
            ("expectCookie", _) => out.looks.push(Look::Header(None)),
            ("jsonPath", _) => {}
            (_, "expectStatus" | "expectHeader" | "expectCookie") => return,
            (_, "jsonPath") => {
                let look = texts().next().map_or(Look::Content, Look::Json);
                out.looks.push(look);
                return;
            }
            // Without a type each place is asked for itself.
            (_, "expectBody") if args.is_empty() => out.ready = Ready::Body,
            (_, "expectBody" | "expectBodyList") => {
                out.looks.push(Look::Content);
                out.ready = Ready::No;
            }
            (_, "returnResult" | "getResponseBody" | "consumeWith" | "value") => {
                out.looks.push(Look::Content);
                out.escapes = true;
            }
            (_, _) if out.ready != Ready::Answer => {
                out.looks.push(Look::Content);
                out.ready = Ready::No;
            }
            (_, _) => out.looks.push(Look::Unknown),
        }
        if out.ready != Ready::No {
            out.last = call;
        }
    }

    fn of_rest_assured(self, call: CallId, out: &mut Performed) {
        let name = name_of(self.body, call);
        let args = self.body.list(self.body.calls[call.ix()].args);
        let text = |e: &ExprId| self.workspace.text_of(self.id, *e);
        if out.ready == Ready::Sent {
            match name {
                "then" => (out.ready, out.last) = (Ready::Answer, call),
                name if says_nothing(name) => {}
                _ => (out.escapes, out.reads_body) = (true, true),
            }
            return;
        }
        match (before(self.body, call), name) {
            // What is written down expects nothing.
            (_, "log") => return,
            ("log", _) => {}
            (_, name) if says_nothing(name) => {}
            (_, "statusCode") => {
                let number = args.first().and_then(|a| self.number(*a));
                out.looks.push(Look::Status("is".to_owned(), number));
            }
            (_, "statusLine" | "time") => {
                out.looks.push(Look::Status("statusLine".to_owned(), None));
            }
            (_, "contentType") => out.looks.push(Look::ContentType),
            (_, "header") => out.looks.push(Look::Header(args.first().and_then(text))),
            (_, "headers" | "cookie" | "cookies") => out.looks.push(Look::Header(None)),
            (_, "body") => {
                let paths: Vec<String> = args.iter().filter_map(text).collect();
                match paths.first() {
                    Some(_) => {
                        // Paths begin below the top: `name`, `[0].name`.
                        let dot = |p: &str| if p.starts_with('[') { "" } else { "." };
                        let places = paths.iter().map(|p| Look::Json(format!("${}{p}", dot(p))));
                        out.looks.extend(places);
                    }
                    None => out.looks.push(Look::Content),
                }
            }
            (_, "extract") => (out.escapes, out.reads_body) = (true, true),
            _ => out.looks.push(Look::Unknown),
        }
        if out.escapes {
            out.ready = Ready::No;
        } else {
            out.last = call;
        }
    }
}

/// The name of the call that a call is chained to.
fn before(body: &Body, call: CallId) -> &str {
    match body.calls[call.ix()].callee {
        Callee::Method {
            receiver: Some(r), ..
        } => match body.expr(r).kind {
            ExprKind::Call(c) => name_of(body, c),
            _ => "",
        },
        _ => "",
    }
}
