//! Requests of web tests, and what answers them: which calls of a test send a request, which annotations say which method
//! answers it, how paths match, and in which words clients expect something of an answer. Whose code that is in the end is asked of the workspace.

pub mod context;
mod mapping;
pub mod mock_mvc;
mod path;
mod request;
pub mod rest_assured;
pub mod status;
pub mod web_test_client;
mod written;

pub use mapping::{
    Argument, MULTIPART, Mapping, Router, arguments_of, is_application, is_resource, mapping_of,
    maps_class, media, prepares_model, router_of, text_of, unquoted,
};
pub use path::{Pattern, Target};
pub use request::{
    Addressed, CLIENT_PACKAGES, Client, KnownBy, REST_ASSURED, REST_ASSURED_TYPES, Request, Said,
    addressed, request, requests, said,
};
pub use written::{Hole, Ready, What, Written, written};

/// What a request asks to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Verb {
    Get,
    Post,
    Put,
    Delete,
    Patch,
    Head,
    Options,
}

impl Verb {
    /// As methods of builders (`get`), constants (`GET`) and annotations (`GetMapping`) begin.
    pub fn of(name: &str) -> Option<Verb> {
        let all = [
            (Verb::Get, "get"),
            (Verb::Post, "post"),
            (Verb::Put, "put"),
            (Verb::Delete, "delete"),
            (Verb::Patch, "patch"),
            (Verb::Head, "head"),
            (Verb::Options, "options"),
        ];
        all.iter()
            .find(|(_, n)| n.eq_ignore_ascii_case(name))
            .map(|(v, _)| *v)
    }

    /// `GET`.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Get => "GET",
            Verb::Post => "POST",
            Verb::Put => "PUT",
            Verb::Delete => "DELETE",
            Verb::Patch => "PATCH",
            Verb::Head => "HEAD",
            Verb::Options => "OPTIONS",
        }
    }
}
