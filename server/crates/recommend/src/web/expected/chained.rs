//! Clients whose answer is asked by calls that are chained to the request: `client.get().uri("/a").exchange().expectStatus()
//! .isOk()` of WebTestClient, `given().get("/a").then().statusCode(200)` of REST Assured.

use super::{Look, Performed, Reading};
use flow::{Body, CallId, Callee, ExprId, ExprKind};
use oracle::web::rest_assured::{self, ANSWERED};
use oracle::web::status::{IS, LINE};
use oracle::web::web_test_client::{self, SENDS, header_of, status_check};
use oracle::web::{Client, Ready};

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
        let name = self.body.called(call);
        if out.ready == Ready::Sent {
            // What is between is said of the request: `accept(…)`, `bodyValue(…)`.
            if name == SENDS {
                (out.ready, out.last) = (Ready::Answer, call);
            }
            return;
        }
        let args = self.body.list(self.body.calls[call.ix()].args);
        let texts = || {
            args.iter()
                .filter_map(|a| self.workspace.text_of(self.id, *a))
        };
        use web_test_client::Ask;
        match web_test_client::ask(before(self.body, call), name) {
            Some(Ask::Status) => {
                let number = args.first().and_then(|a| self.number(*a));
                let check = status_check(name);
                out.looks.push(Look::Status(check.to_owned(), number));
            }
            Some(Ask::Type) => out.looks.push(Look::ContentType),
            Some(Ask::Header) => {
                let named = header_of(name).map(str::to_owned);
                out.looks
                    .push(Look::Header(named.or_else(|| texts().next())));
            }
            Some(Ask::Cookie) => out.looks.push(Look::Header(None)),
            Some(Ask::OfPlace) => {}
            Some(Ask::Begins) => return,
            Some(Ask::Place) => {
                let look = texts().next().map_or(Look::Content, Look::Json);
                out.looks.push(look);
                return;
            }
            Some(Ask::Body) if args.is_empty() => out.ready = Ready::Body,
            Some(Ask::Body | Ask::Bodies) => {
                out.looks.push(Look::Content);
                out.ready = Ready::No;
            }
            Some(Ask::HandsOn) => {
                out.looks.push(Look::Content);
                out.escapes = true;
            }
            None if out.ready != Ready::Answer => {
                out.looks.push(Look::Content);
                out.ready = Ready::No;
            }
            None => out.looks.push(Look::Unknown),
        }
        if out.ready != Ready::No {
            out.last = call;
        }
    }

    fn of_rest_assured(self, call: CallId, out: &mut Performed) {
        let name = self.body.called(call);
        let args = self.body.list(self.body.calls[call.ix()].args);
        let text = |e: &ExprId| self.workspace.text_of(self.id, *e);
        use rest_assured::Ask;
        let before = before(self.body, call);
        if out.ready == Ready::Sent {
            match rest_assured::ask("", name) {
                _ if name == ANSWERED => (out.ready, out.last) = (Ready::Answer, call),
                Some(Ask::Nothing) => {}
                _ => (out.escapes, out.reads_body) = (true, true),
            }
            return;
        }
        match rest_assured::ask(before, name) {
            // What is written down expects nothing.
            Some(Ask::Logs) => return,
            Some(Ask::Nothing) => {}
            Some(Ask::Status) => {
                let number = args.first().and_then(|a| self.number(*a));
                out.looks.push(Look::Status(IS.to_owned(), number));
            }
            Some(Ask::Line) => out.looks.push(Look::Status(LINE.to_owned(), None)),
            Some(Ask::Type) => out.looks.push(Look::ContentType),
            Some(Ask::Header) => out.looks.push(Look::Header(args.first().and_then(text))),
            Some(Ask::Headers) => out.looks.push(Look::Header(None)),
            Some(Ask::Body) => {
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
            Some(Ask::Extracts) => (out.escapes, out.reads_body) = (true, true),
            None => out.looks.push(Look::Unknown),
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
            ExprKind::Call(c) => body.called(c),
            _ => "",
        },
        _ => "",
    }
}
