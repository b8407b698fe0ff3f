//! Where a request of a test goes: the method of a controller that answers it.
//!
//! `mockMvc.perform(get("/owners/{id}", 1))` names no method. Its verb and its path do, by the annotations of the controllers
//! that the test loads, of which [`Handlers`] is the table. Where two methods may answer, or none is known, there is no edge,
//! and [`Unanswered`] says why.

mod loaded;
mod text;

pub(crate) use loaded::is_without_context;

use crate::Workspace;
use crate::handlers::{Handler, Handlers};
use flow::{CallId, Callee, ExprId};
use oracle::web::{
    CLIENT_PACKAGES, KnownBy, MULTIPART, Mapping, REST_ASSURED, REST_ASSURED_TYPES, Request,
    Said as SaidBy, Target, Verb, request,
};
use program::{BodyId, CallTarget, FileId, Import, ImportKind, SourceSetId, TypeId};
use std::fmt;

/// Why no code is known to answer a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// What it asks for is put together elsewhere.
    Unread,
    /// No method is known that answers it.
    Nobody(Verb, String),
    /// Several may.
    Several(Verb, String),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::Unread => f.write_str("its path is put together elsewhere"),
            Unanswered::Nobody(verb, path) => {
                write!(f, "no method is known that answers {} {path}", verb.name())
            }
            Unanswered::Several(verb, path) => {
                write!(f, "several methods may answer {} {path}", verb.name())
            }
        }
    }
}

/// What a request says of itself beside its path.
struct Said {
    /// The parameters that it names; none if there may be more.
    parameters: Option<Vec<(String, Option<String>)>>,
    /// What it sends and what it takes, as media types are called.
    content: Option<String>,
    accepts: Option<String>,
    is_multipart: bool,
}

impl Workspace {
    /// The methods that answer requests. Found when first asked for, and again only after a declaration changed.
    pub(crate) fn handlers(&self) -> &Handlers {
        self.handlers.get_or_init(|| Handlers::find(self.program()))
    }

    /// The text that an expression is, in which a zero byte stands for each part that constants do not say; none if they say
    /// nothing of it.
    pub fn text_with_gaps(&self, body: BodyId, e: ExprId) -> Option<String> {
        text::text_of(self, body, e)
    }

    /// The text that an expression is, if constants say all of it.
    pub fn text_of(&self, body: BodyId, e: ExprId) -> Option<String> {
        text::text_of(self, body, e).filter(|t| !t.contains('\u{0}'))
    }

    /// The request that a call in `body` sends, if it is one: in code of tests, by a client that the file imports, or that
    /// the classes above have.
    pub fn request(&self, body: BodyId, call: CallId) -> Option<Request> {
        let program = self.program();
        let file = program.body_file(body)?;
        if !program.is_test(file) {
            return None;
        }
        let decl = program.body(body)?;
        let request = request(&decl.body, call)?;
        if !self.is_known(file, body, &request) {
            return None;
        }
        let own = program.body_owner(body);
        let above = program.supertypes(own);
        let above = above.iter().filter_map(|t| program.type_place(*t));
        let files: Vec<FileId> = std::iter::once(file).chain(above.map(|p| p.0)).collect();
        let is_imported = |package: &str| {
            let imports = files.iter().filter_map(|f| program.summary(*f));
            let mut imports = imports.flat_map(|s| &s.imports);
            imports.any(|i| i.name.starts_with(package) || i.name == package.trim_end_matches('.'))
        };
        let mut rows = CLIENT_PACKAGES.iter();
        let (client, _) = rows.find(|(client, packages)| {
            client.looks_like(request.client) && packages.iter().any(|p| is_imported(p))
        })?;
        Some(Request {
            client: *client,
            ..request
        })
    }

    /// False for what only looks like a client's call.
    fn is_known(&self, file: FileId, body: BodyId, request: &Request) -> bool {
        let program = self.program();
        let Some(resolved) = self.resolved(body) else {
            return false;
        };
        match request.known_by {
            KnownBy::Words => true,
            KnownBy::Import(call) => {
                let is_own = matches!(
                    resolved.calls.get(call.ix()),
                    Some(CallTarget::Workspace(_))
                );
                let name = program.body(body).map(|b| b.body.called(call));
                let imports = program.summary(file).map_or(&[][..], |s| &s.imports);
                let named = |i: &&Import| {
                    let last = i.name.rsplit_once('.').map(|(_, last)| last);
                    i.kind == ImportKind::StaticSingle && last == name
                };
                let is_its = |i: &Import| {
                    let is_static =
                        [ImportKind::StaticSingle, ImportKind::StaticOnDemand].contains(&i.kind);
                    is_static && i.name.starts_with(REST_ASSURED)
                };
                let mut single = imports.iter().filter(named).peekable();
                let is_imported = match single.peek() {
                    Some(_) => single.any(is_its),
                    None => imports
                        .iter()
                        .any(|i| is_its(i) && i.kind == ImportKind::StaticOnDemand),
                };
                !is_own && is_imported
            }
            KnownBy::Type(of) => {
                let class = program.library_class_of(resolved.ty(of));
                class.is_some_and(|c| REST_ASSURED_TYPES.iter().any(|t| c.ends_with(t)))
            }
        }
    }

    /// The method that answers the request which a call in `body` sends when a test of `class` runs it; nothing if the call
    /// sends none.
    pub fn answer(
        &self,
        class: TypeId,
        body: BodyId,
        call: CallId,
    ) -> Option<Result<&Handler, Unanswered>> {
        let request = self.request(body, call)?;
        let address = text::text_of(self, body, request.address);
        let Some(target) = address.as_deref().and_then(Target::new) else {
            return Some(Err(Unanswered::Unread));
        };
        let set = self.program().source_set(self.program().body_file(body)?)?;
        let path = address.unwrap_or_default().replace('\u{0}', "…");
        Some(self.answering(class, set, body, &request, &target, path))
    }

    fn answering(
        &self,
        class: TypeId,
        set: SourceSetId,
        body: BodyId,
        request: &Request,
        target: &Target,
        path: String,
    ) -> Result<&Handler, Unanswered> {
        let program = self.program();
        let loaded = loaded::loaded(self, class);
        let said = self.said_of(body, request, target);
        let is_there = |h: &Handler| match &loaded {
            Some(l) => l.controllers.contains(&h.controller),
            None => {
                let own = program.type_place(h.controller).map(|p| p.0);
                // One in a test class is for that class's tests.
                let stands_alone = || program.enclosing_type(h.controller).is_none();
                program.is_visible(set, h.set)
                    && (own.is_none_or(|f| !program.is_test(f))
                        || stands_alone()
                        || loaded::is_within(program, h.controller, class))
            }
        };
        let fits = |h: &&Handler| {
            let verbs = &h.mapping.verbs;
            (verbs.is_empty()
                || verbs.contains(&request.verb)
                || request.verb == Verb::Head && verbs.contains(&Verb::Get))
                && h.pattern.takes(target)
                && is_there(h)
                && said.has(&h.mapping.params)
        };
        let mut found: Vec<&Handler> = self.handlers().near(target.first()).filter(fits).collect();
        let least = found.iter().map(|h| h.pattern.vagueness()).min();
        found.retain(|h| Some(h.pattern.vagueness()) == least);
        if said.parameters.is_some() {
            // One that asks for more parameters is meant, if they are there.
            let most = found.iter().map(|h| h.mapping.params.len()).max();
            found.retain(|h| Some(h.mapping.params.len()) == most);
        }
        if found.len() > 1 {
            // One that says its verb goes before one that takes all.
            let says = found.iter().any(|h| !h.mapping.verbs.is_empty());
            found.retain(|h| !says || !h.mapping.verbs.is_empty());
        }
        let fitting = |h: &&&Handler| said.fits(&h.mapping);
        let fit: Vec<&Handler> = found.iter().filter(fitting).copied().collect();
        match (&found[..], &fit[..]) {
            ([one], _) | (_, [one]) => Ok(one),
            ([], _) => Err(Unanswered::Nobody(request.verb, path)),
            _ => Err(Unanswered::Several(request.verb, path)),
        }
    }

    fn said_of(&self, body: BodyId, request: &Request, target: &Target) -> Said {
        let mut said = Said {
            parameters: (!request.is_open).then(|| target.parameters.clone()),
            content: None,
            accepts: None,
            is_multipart: false,
        };
        let Some(decl) = self.program().body(body) else {
            return said;
        };
        let records = &decl.body;
        for call in &request.built {
            let call = &records.calls[call.ix()];
            let Callee::Method { name, .. } = call.callee else {
                continue;
            };
            let first = records.list(call.args).first();
            let written = || {
                let e = records.expr(*first?);
                let text = self.program().text(self.program().body_file(body)?)?;
                let at = (decl.start + e.start) as usize..(decl.start + e.end) as usize;
                Some(oracle::web::media(text.get(at)?))
            };
            let Some(is_said) = oracle::web::said(records.name(name)) else {
                continue;
            };
            match is_said {
                SaidBy::Parameter => {
                    let args = records.list(call.args);
                    let name = first.and_then(|f| self.text_of(body, *f));
                    let value = args.get(1).and_then(|v| self.text_of(body, *v));
                    match (name, &mut said.parameters) {
                        (Some(name), Some(all)) => all.push((name, value)),
                        _ => said.parameters = None,
                    }
                }
                SaidBy::More => said.parameters = None,
                SaidBy::Content => said.content = written(),
                SaidBy::Accepts => said.accepts = written(),
                SaidBy::Parts => said.is_multipart = true,
            }
        }
        said
    }
}

impl Said {
    /// True if a request may be one that has these parameters and lacks those.
    fn has(&self, params: &[String]) -> bool {
        let Some(own) = &self.parameters else {
            return true;
        };
        params.iter().all(|p| match p.strip_prefix('!') {
            Some(lacks) => !own.iter().any(|o| o.0 == lacks),
            None => {
                let (name, value) = match p.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (p.as_str(), None),
                };
                // `a!=b`, which one that lacks it has too.
                if let Some(name) = name.strip_suffix('!') {
                    let is = |o: &(String, Option<String>)| o.0 == name && o.1.as_deref() == value;
                    return !own.iter().any(is);
                }
                let is = |given: &Option<String>| match (value, given) {
                    (Some(value), Some(given)) => value == given,
                    _ => true,
                };
                own.iter().any(|o| o.0 == name && is(&o.1))
            }
        })
    }

    /// True if the media types are those that a method says.
    fn fits(&self, mapping: &Mapping) -> bool {
        let multipart = self.is_multipart.then(|| MULTIPART.to_owned());
        let sent = self.content.clone().or(multipart);
        let is = |said: &[String], own: &Option<String>| match own {
            Some(own) => said.is_empty() || said.contains(own),
            None => said.is_empty(),
        };
        !mapping.is_narrow && is(&mapping.consumes, &sent) && is(&mapping.produces, &self.accepts)
    }
}
