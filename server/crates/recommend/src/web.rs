//! What a test could expect of the answers to its requests: `andExpect(view().name("owners/list"))`.
//!
//! Such a test holds no object of the code under test. It reads the answer by a matcher, and what there is to read stands
//! in the method that answers: the view that it names, what it puts into the model, the status. That is offered where the
//! text says it and the test does not look at it. A lens names it only where the test shows that it wants it: it expects
//! nothing at all, or no more than the status where another test of its file expects such a thing.
//! `docs/decisions/requests-of-tests.md` has the reasons.

mod expected;
mod outcome;

use crate::doubt::is_unforeseen;
use crate::from_mocks::are_told_empty;
use calls::{Unanswered, Workspace};
use expected::{Look, Performed, performed};
use flow::{CallId, Callee, ExprKind};
use oracle::frameworks::any;
use oracle::promises::begins_with_a_check;
use oracle::web::status::passes;
use oracle::web::{Client, Hole, Ready, What, written};
use oracle::{Reader, TestKind, assertions};
use outcome::{Outcome, outcomes};
use program::{BodyId, FileId, MethodId, Program, TypeId};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// How many fields of a body are offered.
const FIELDS: usize = 3;

/// Words of requests that are to fail.
const FAILURES: &[&str] = &[
    "notfound",
    "notexist",
    "nonexist",
    "doesntexist",
    "missing",
    "invalid",
    "unknown",
    "unauthori",
    "unauthentic",
    "forbidden",
    "denied",
    "badrequest",
    "servererror",
    "conflict",
    "fails",
    "failure",
    "exception",
    "wrong",
];

/// What a matcher looks at, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    View,
    Model,
    Flash,
    Content,
    Json,
    Header,
    Status,
}

/// Why a test is surely about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// It expects nothing of the answer, and asserts nothing.
    Nothing,
    /// It expects the status alone, and another test of its file expects this of such an answer.
    StatusAlone,
}

/// Something that a test could expect of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Whose words it is in.
    pub client: Client,
    /// What it looks at.
    pub kind: Kind,
    /// See [`oracle::web::Written`].
    pub begins: &'static str,
    /// Likewise.
    pub rest: String,
    /// Which part of `rest` has to be filled in; none if it holds as it stands.
    pub placeholder: Option<std::ops::Range<usize>>,
    /// What it is about: `view().name`, `flash().attribute`.
    pub query: SmolStr,
    /// The path, attribute or header that it names.
    named: String,
    /// The call behind which it stands, and whether that is an expectation itself.
    pub behind: CallId,
    /// Whether that is an expectation itself.
    pub is_further: bool,
    /// The class of matchers stands before them.
    pub by_class: bool,
    /// The method that answers.
    pub handler: MethodId,
    /// Why a lens may name it.
    pub wanted: Option<Wanted>,
}

impl Expectation {
    /// As it is written: `view().name("owners/list")`.
    pub fn text(&self) -> String {
        format!("{}{}", self.begins, self.rest)
    }
}

/// A request behind which nobody knows what runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    /// The call that sends it.
    pub call: CallId,
    /// Why.
    pub why: Unanswered,
}

/// What is known of the requests of a test.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Requests {
    /// Best first.
    pub expectations: Vec<Expectation>,
    /// In order of the text.
    pub hidden: Vec<Hidden>,
    /// The body in which they stand.
    pub body: Option<BodyId>,
}

/// Looks at the requests of the tests of a file, together: what one expects says something about the next. Costs nothing
/// where none sends one, else what the methods that answer say.
pub fn requests(workspace: &Workspace, file: FileId) -> FxHashMap<MethodId, Requests> {
    let program = workspace.program();
    let suite = workspace.suite();
    let types = program.types_of_file(file).iter();
    let methods = types.flat_map(|t| program.methods_of_type(*t)).copied();
    let tests = methods.filter(|m| suite.kind(*m) == Some(TestKind::Test));
    let scenes: Vec<Scene<'_>> = tests.filter_map(|t| Scene::of(workspace, t)).collect();
    scenes
        .iter()
        .map(|s| (s.test, s.requests(&scenes)))
        .collect()
}

/// What a body expects of the answer to a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExpectedAnswer {
    /// That nobody answers, or what the method that would answer never gives.
    Refused,
    /// That the method answers and all goes well.
    Success,
    /// Anything else.
    Any,
}

/// What a body expects of the answer to a request that a method of a controller would answer.
pub(crate) fn expected_answer(
    workspace: &Workspace,
    id: BodyId,
    sent: CallId,
    (controller, method): (TypeId, MethodId),
) -> ExpectedAnswer {
    let decl = workspace.program().body(id);
    let Some((decl, request)) = decl.zip(workspace.request(id, sent)) else {
        return ExpectedAnswer::Any;
    };
    let sent = performed(workspace, id, &decl.body, sent, request);
    let never = || {
        let all = outcomes(workspace, controller, method);
        !all.is_empty() && ways(workspace, &sent, controller, method).is_empty()
    };
    match () {
        () if sent.is_refused() => ExpectedAnswer::Refused,
        () if sent.is_answered() && never() => ExpectedAnswer::Refused,
        () if sent.is_answered() => ExpectedAnswer::Success,
        () => ExpectedAnswer::Any,
    }
}

/// The ways out of a method that a test may have taken, by what it expects of the status.
fn ways(
    workspace: &Workspace,
    sent: &Performed,
    controller: TypeId,
    method: MethodId,
) -> Vec<Outcome> {
    let mut ways = outcomes(workspace, controller, method);
    for look in &sent.looks {
        match look {
            Look::Status(check, number) => {
                // Of a status that is not known, it may be.
                ways.retain(|w| w.status.is_none_or(|s| passes(check, *number, s)));
            }
            Look::Redirect => ways.retain(|w| w.redirects),
            // The test says where it comes out.
            Look::View(Some(name)) => {
                ways.retain(|w| w.view.as_ref().is_none_or(|v| v == name));
            }
            _ => {}
        }
    }
    ways
}

/// What all of several say alike.
fn agreed<T: PartialEq + Clone>(ways: &[Outcome], of: impl Fn(&Outcome) -> Option<T>) -> Option<T> {
    let first = of(ways.first()?)?;
    ways.iter()
        .all(|w| of(w).as_ref() == Some(&first))
        .then_some(first)
}

/// What a test could expect of an answer and does not.
fn offered(
    program: &Program,
    sent: &Performed,
    ways: &[Outcome],
    handler: MethodId,
    is_told: bool,
    is_filled: &dyn Fn(TypeId, &str) -> bool,
) -> Vec<Expectation> {
    let mut out = Vec::new();
    if ways.is_empty() || sent.looks.contains(&Look::Unknown) || sent.has_unread_status() {
        return out;
    }
    let mut add = |kind: Kind, what: &What| {
        let Some(written) = written(sent.request.client, sent.ready, what) else {
            return;
        };
        let rest = written.rest;
        let hole = written.hole;
        out.push(Expectation {
            client: sent.request.client,
            kind,
            placeholder: hole.and_then(|h| rest.find(h).map(|at| at..at + h.len())),
            begins: written.begins,
            rest,
            query: written.query,
            named: what.named().to_owned(),
            behind: sent.last,
            is_further: sent.ready != Ready::Sent,
            by_class: sent.by_class,
            handler,
            wanted: None,
        });
    };
    let looks = |f: &dyn Fn(&Look) -> bool| sent.looks.iter().any(f);
    let is_seen = looks(&|l| matches!(l, Look::View(_) | Look::Redirect));
    if let Some(view) = agreed(ways, |w| w.view.clone()).filter(|_| !is_seen) {
        add(Kind::View, &What::View(view));
    }
    let redirects = ways.iter().all(|w| w.redirects);
    if !redirects {
        for name in in_all(ways, |w| w.model.clone()) {
            let named =
                |l: &Look| matches!(l, Look::Model(all) if all.is_empty() || all.contains(&name));
            if !looks(&named) {
                add(Kind::Model, &What::Model(name));
            }
        }
    }
    for (name, text) in in_all(ways, |w| w.flash.clone()) {
        let named = |l: &Look| matches!(l, Look::Flash(all) if all.contains(&name));
        if looks(&named) || !redirects {
            continue;
        }
        add(Kind::Flash, &What::Flash(name, text));
    }
    let reads_body = sent.reads_body || looks(&|l| matches!(l, Look::Content | Look::Json(_)));
    if let Some(text) = agreed(ways, |w| w.content.clone()).filter(|_| !reads_body) {
        add(Kind::Content, &What::Content(text));
    }
    let value = agreed(ways, |w| w.value.map(|v| (v, w.is_list)));
    // Who looks at one place of it has chosen which.
    let whole = sent.reads_body || looks(&|l| matches!(l, Look::Content | Look::Json(_)));
    let has_body = ways
        .iter()
        .all(|w| w.status.is_some_and(|s| s / 100 == 2 && s != 204));
    // Whether a list has any, a mock is told.
    let is_there = |is_list: bool| !is_list || is_told;
    if let Some((class, is_list)) = value.filter(|v| !whole && has_body && is_there(v.1)) {
        let beginning = if is_list { "$[0]" } else { "$" };
        let is_made = ways.iter().all(|w| w.is_made);
        let fields = fields(program, class).into_iter();
        for (field, hole) in fields.filter(|(field, _)| is_made || is_filled(class, field)) {
            let path = format!("{beginning}.{field}");
            add(Kind::Json, &What::Json(path, hole));
        }
    }
    for (name, text) in in_all(ways, |w| w.headers.clone()) {
        let named = |l: &Look| matches!(l, Look::Header(n) if n.as_ref().is_none_or(|n| n.eq_ignore_ascii_case(&name)));
        // That it is there the status says.
        let is_implied = text.is_none() && looks(&|l| matches!(l, Look::Status(..)));
        if !looks(&named) && !sent.escapes && !is_implied {
            add(Kind::Header, &What::Header(name, text));
        }
    }
    if sent.looks.is_empty()
        && !sent.escapes
        && let Some(status) = agreed(ways, |w| w.status)
    {
        add(Kind::Status, &What::Status(status, redirects));
    }
    out
}

/// What is in the lists of all.
fn in_all<T: PartialEq + Clone>(ways: &[Outcome], of: impl Fn(&Outcome) -> Vec<T>) -> Vec<T> {
    let mut out: Vec<T> = Vec::new();
    for one in ways.first().map(&of).unwrap_or_default() {
        if ways.iter().all(|w| of(w).contains(&one)) && !out.contains(&one) {
            out.push(one);
        }
    }
    out
}

/// The first simple fields of a class that become a part of a JSON object, and what stands for their values.
fn fields(program: &Program, class: TypeId) -> Vec<(String, Hole)> {
    let Some(decl) = program.type_decl(class) else {
        return Vec::new();
    };
    // What it is called in JSON, or whether it is there, annotations may say.
    let plain = |annotations: &[SmolStr]| !annotations.iter().any(|a| a.starts_with("Json"));
    if !plain(&decl.annotations) {
        return Vec::new();
    }
    let getter = |name: &str| {
        let mut letters = name.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        let capital: String = first.into_iter().chain(letters).collect();
        let all = std::iter::once(class).chain(program.supertypes(class));
        let mut methods = all.flat_map(|c| program.methods_of_type(c).iter().copied());
        methods.any(|m| {
            program.method_decl(m).is_some_and(|d| {
                d.params.is_empty()
                    && plain(&d.annotations)
                    && (d.name == format!("get{capital}") || d.name == format!("is{capital}"))
            })
        })
    };
    let is_record = decl.kind == program::TypeDeclKind::Record;
    // Nobody can foresee an id, the time or what an error says.
    let simple = decl.fields.iter().filter(|f| {
        !is_unforeseen(&f.name)
            && !f.modifiers.has(program::Modifiers::STATIC)
            && plain(&f.annotations)
            && (is_record || getter(&f.name))
    });
    let simple = simple.filter_map(|f| {
        let hole = match program.display_written(&f.ty).rsplit('.').next()? {
            "String" => Hole::Text,
            "int" | "Integer" | "short" | "Short" => Hole::Int,
            "long" | "Long" => Hole::Long,
            _ => return None,
        };
        Some((f.name.to_string(), hole))
    });
    simple.take(FIELDS).collect()
}

/// The controller and the method that answer, or why none is known.
type Answered = Result<(TypeId, MethodId), Unanswered>;

/// A test's requests, with who answers them.
struct Scene<'a> {
    workspace: &'a Workspace,
    test: MethodId,
    id: BodyId,
    sent: Vec<(Performed, Answered)>,
}

impl<'a> Scene<'a> {
    /// None for a test without requests.
    fn of(workspace: &'a Workspace, test: MethodId) -> Option<Scene<'a>> {
        let program = workspace.program();
        let id = program.method_body(test)?;
        let chains = workspace.chains(id)?;
        if chains.sent.is_empty() {
            return None;
        }
        let body = &program.body(id)?.body;
        let class = program.method_owner(test);
        let mut sent = Vec::new();
        for s in &chains.sent {
            let Some(answer) = workspace.answer(class, id, s.call) else {
                continue;
            };
            let answer = answer.map(|h| (h.controller, h.method));
            if let Some(request) = workspace.request(id, s.call) {
                sent.push((performed(workspace, id, body, s.call, request), answer));
            }
        }
        (!sent.is_empty()).then_some(Scene {
            workspace,
            test,
            id,
            sent,
        })
    }

    /// What is known of its requests; `others` are those of its file.
    fn requests(&self, others: &[Scene<'_>]) -> Requests {
        let program = self.workspace.program();
        let mut out = Requests {
            body: Some(self.id),
            ..Requests::default()
        };
        let mut known = Vec::new();
        for (sent, answer) in &self.sent {
            match answer {
                // That nobody answers is what the test is about.
                Err(Unanswered::Nobody(..)) if sent.is_refused() => {}
                Err(why) => out.hidden.push(Hidden {
                    call: sent.sent,
                    why: why.clone(),
                }),
                // What is handed to somebody may have to throw.
                Ok((controller, method)) if !self.is_handed_on(sent) => {
                    known.push((sent, *controller, *method));
                }
                Ok(_) => {}
            }
        }
        let is_sure = self.sent.len() == 1 && !self.is_off();
        let is_told_to_throw = self.is_told_to_throw();
        let is_told_empty = Reader::new(program, self.id).is_some_and(|r| are_told_empty(&r));
        for (at, (sent, controller, method)) in known.iter().enumerate() {
            let (sent, controller, method) = (*sent, *controller, *method);
            // The first of several set up what the last is about.
            if at + 1 < known.len() {
                continue;
            }
            // What throws, or finds nothing, answers with something else.
            if (is_told_to_throw || self.says_failure(sent)) && !sent.expects_success() {
                continue;
            }
            let ways = ways(self.workspace, sent, controller, method);
            let is_filled =
                |class: TypeId, field: &str| !is_told_empty && self.is_filled(class, field);
            let mut offered = offered(program, sent, &ways, method, self.is_told(), &is_filled);
            if is_sure {
                for e in &mut offered {
                    e.wanted = self.wanted(sent, e, others, controller);
                }
            }
            out.expectations.append(&mut offered);
        }
        // What is sure stands first.
        out.expectations
            .sort_by_key(|e| (e.wanted.is_none(), e.kind));
        out
    }

    /// True if the test says by its name, by where its request goes or by a number of a status that it is to fail.
    fn says_failure(&self, sent: &Performed) -> bool {
        let program = self.workspace.program();
        let Some(decl) = program.body(self.id) else {
            return true;
        };
        let body = &*decl.body;
        let fails = |text: &str| {
            let text: String = text.to_lowercase();
            let text = text.replace(['_', '-', ' '], "");
            FAILURES.iter().any(|f| text.contains(f))
        };
        // `HttpStatus.NOT_FOUND`
        let is_constant = |n: &SmolStr| n.contains('_') && !n.contains(char::is_lowercase);
        let name = program.method_decl(self.test).map(|d| &d.name);
        let to = body.expr(sent.request.address);
        let is_number = |e: &flow::Expr| {
            let number = || program.body_text(self.id, e.start, e.end).parse::<u16>();
            matches!(e.kind, ExprKind::Literal(_))
                && number().is_ok_and(|n| (400..600).contains(&n))
        };
        name.is_some_and(|n| fails(n))
            || fails(program.body_text(self.id, to.start, to.end))
            || body.names.iter().any(|n| is_constant(n) && fails(n))
            || body.names.iter().any(|n| n.ends_with("tatus")) && body.exprs.iter().any(is_number)
    }

    /// True if the test tells a mock what to answer.
    fn is_told(&self) -> bool {
        let program = self.workspace.program();
        let code = self.workspace.test_code(self.workspace.own_run(self.test));
        code.into_iter().any(|id| {
            let body = program.body(id).map(|b| &b.body.names);
            body.is_some_and(|names| names.iter().any(|n| any(n, |row| row.returns)))
        })
    }

    /// True if the test has a mock throw.
    fn is_told_to_throw(&self) -> bool {
        let body = self.workspace.program().body(self.id);
        body.is_some_and(|b| b.body.names.iter().any(|n| n.ends_with("Throw")))
    }

    /// True if a field of what mocks are told to answer may have a value: without mocks any, with them those that its
    /// code fills by name, and all that it gives a constructor.
    fn is_filled(&self, class: TypeId, field: &str) -> bool {
        let program = self.workspace.program();
        let own = program.method_owner(self.test);
        let around = std::iter::once(own).chain(program.supertypes(own));
        let around: Vec<TypeId> = around.collect();
        let mut fields = around.iter().flat_map(|c| program.fields_of_type(*c));
        let is_mock = |f: &program::FieldId| {
            let decl = program.field_decl(*f);
            decl.is_some_and(oracle::mocks::is_mock_field)
        };
        if !fields.any(is_mock) {
            return true;
        }
        let code = self.workspace.test_code(self.workspace.own_run(self.test));
        let fills = |name: &SmolStr| {
            let name = ["set", "with"]
                .iter()
                .find_map(|p| name.strip_prefix(p))
                .unwrap_or(name);
            name.eq_ignore_ascii_case(field)
        };
        code.into_iter().any(|id| {
            let body = program.body(id);
            body.is_some_and(|b| b.body.names.iter().any(fills) || self.makes(id, class))
        })
    }

    /// True for a body that gives a constructor of a class something.
    fn makes(&self, id: BodyId, class: TypeId) -> bool {
        let program = self.workspace.program();
        let (Some(decl), Some(resolved)) = (program.body(id), self.workspace.resolved(id)) else {
            return false;
        };
        decl.body.calls.iter().any(|call| {
            matches!(call.callee, Callee::New { .. })
                && call.args.len > 0
                && program.class_of(resolved.ty(call.expr)) == Some(class)
        })
    }

    /// True for a request in a lambda.
    fn is_handed_on(&self, sent: &Performed) -> bool {
        let Some(decl) = self.workspace.program().body(self.id) else {
            return true;
        };
        let at = decl.body.calls[sent.sent.ix()].expr.0;
        let mut lambdas = decl.body.lambdas.iter();
        lambdas.any(|l| (l.first.0..l.expr.0).contains(&at))
    }

    /// True for a test that does not run, or whose request is to fail.
    fn is_off(&self) -> bool {
        let program = self.workspace.program();
        let off = |a: &[SmolStr]| a.iter().any(|a| any(a, |row| row.off));
        let own = Some(program.method_owner(self.test));
        let mut around = std::iter::successors(own, |c| program.enclosing_type(*c));
        let decl = program.method_decl(self.test);
        let throws = |body: &flow::Body| {
            body.names.iter().any(|n| n.contains("Throw"))
                || body
                    .locals
                    .iter()
                    .any(|l| l.kind == flow::VariableKind::Catch)
        };
        decl.is_none_or(|d| off(&d.annotations))
            || around.any(|c| program.type_decl(c).is_some_and(|d| off(&d.annotations)))
            || program.body(self.id).is_some_and(|b| throws(&b.body))
    }

    /// True if the test checks anything but what it expects of the answer itself.
    fn asserts(&self) -> bool {
        let Some(decl) = self.workspace.program().body(self.id) else {
            return true;
        };
        let body = &decl.body;
        let is_of_answer = |call: CallId| self.sent.iter().any(|s| s.0.chain.contains(&call));
        let all = assertions(body, &decl.assertions);
        if !all.iter().all(|a| a.call.is_some_and(is_of_answer)) {
            return true;
        }
        // A helper may check whatever it likes.
        let helps = |c: &flow::Call| match c.callee {
            Callee::Method { receiver, name } => {
                let name = body.name(name).as_str();
                let own = receiver.is_none_or(|r| body.expr(r).kind == ExprKind::This);
                begins_with_a_check(name)
                    || own
                        && c.dropped
                        && self.sent.iter().all(|s| s.0.sent.0 as usize != c.expr.ix())
            }
            _ => false,
        };
        let calls = (0..body.calls.len() as u32).map(CallId);
        let mut others = calls.filter(|c| !is_of_answer(*c));
        others.any(|c| helps(&body.calls[c.ix()]))
    }

    /// Why a lens may name something.
    fn wanted(
        &self,
        sent: &Performed,
        of: &Expectation,
        others: &[Scene<'_>],
        controller: TypeId,
    ) -> Option<Wanted> {
        if sent.escapes || self.asserts() {
            return None;
        }
        if sent.looks.is_empty() {
            let finished = of.placeholder.is_none();
            return finished.then_some(Wanted::Nothing);
        }
        let status = |l: &Look| matches!(l, Look::Status(..) | Look::ContentType);
        let is_alone = sent.looks.iter().all(status)
            && sent.looks.iter().any(|l| matches!(l, Look::Status(..)));
        let others = || others.iter().filter(|o| o.test != self.test);
        let wants = is_alone && others().any(|o| expects(o, of, controller));
        wants.then_some(Wanted::StatusAlone)
    }
}

/// True if a test expects something of that kind of the same controller.
fn expects(scene: &Scene<'_>, of: &Expectation, controller: TypeId) -> bool {
    let own = scene
        .sent
        .iter()
        .filter(|(_, answer)| answer.as_ref().is_ok_and(|(class, _)| *class == controller));
    let mut looks = own.flat_map(|(sent, _)| &sent.looks);
    looks.any(|look| match (of.kind, look) {
        (Kind::View, Look::View(_) | Look::Redirect) => true,
        (Kind::Flash, Look::Flash(_)) => true,
        (Kind::Model, Look::Model(all)) => all.contains(&of.named),
        (Kind::Content, Look::Content) => true,
        (Kind::Json, Look::Json(path)) => *path == of.named,
        (Kind::Header, Look::Header(Some(name))) => name.eq_ignore_ascii_case(&of.named),
        _ => false,
    })
}
