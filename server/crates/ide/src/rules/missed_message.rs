//! `missed-message`: a test that takes the message of an exception for something that is compared.
//!
//! `assertThrows(CartException.class, () -> cart.add(null), "no item")`: the text is what is said where nothing is thrown. What the
//! exception says nobody looks at.

use super::{Finding, Fix, Ground, Level, Place, Related, Rule};
use crate::checking::is_disabled;
use crate::words::cut;
use calls::Workspace;
use chains::CallSite;
use flow::{CallId, ExprId, ExprKind, Literal};
use oracle::Reader;
use oracle::frameworks::any;
use program::{BodyId, FileId};
use text::Span;

pub(super) const RULE: Rule = Rule {
    name: "missed-message",
    level: Level::Warning,
    title: "A test does not compare the message that it names.",
    check: Some(check),
};

/// How many bodies below a test are looked through for who says its text.
const MOST: usize = 400;

/// How many letters of a message have to be known.
const LETTERS: usize = 8;

/// How many words are to be the same where not all of it is, and how many of a hundred.
const WORDS: usize = 3;
const SHARE: usize = 75;

fn check(ground: &Ground<'_>, file: FileId) -> Vec<Finding> {
    if !ground.checking.has_tests_or_helpers(file) {
        return Vec::new();
    }
    let bodies = ground.analysis.program().bodies_of_file(file).iter();
    bodies.flat_map(|id| in_body(ground, file, *id)).collect()
}

fn in_body(ground: &Ground<'_>, file: FileId, id: BodyId) -> Vec<Finding> {
    let workspace = ground.analysis.workspace();
    let program = workspace.program();
    let (Some(reader), Some(decl)) = (Reader::new(program, id), program.body(id)) else {
        return Vec::new();
    };
    let calls = (0..reader.body.calls.len() as u32).map(CallId);
    let named: Vec<(CallId, ExprId)> = calls
        .filter_map(|call| Some((call, message(&reader, call)?)))
        .collect();
    let method = program.body_method(id);
    if named.is_empty() || method.is_some_and(|m| is_disabled(program, file, m)) {
        return Vec::new();
    }
    let said = Said::below(workspace, id);
    let found = named.into_iter().filter_map(|(call, text)| {
        let span = |e: ExprId| {
            let e = reader.body.expr(e);
            Span::new(decl.start + e.start, decl.start + e.end)
        };
        let place = said.by(&workspace.text_of(id, text)?)?;
        let at = span(text);
        let source = program.body_text(id, at.start - decl.start, at.end - decl.start);
        let name = reader.body.called(call);
        let message = format!(
            "{} is compared with nothing: {name} takes it for the message of its own failure",
            cut(source.to_owned())
        );
        let mut finding = Finding::new(&RULE, at, message, method, source.to_owned());
        finding.related.push(Related {
            place,
            message: "said here".to_owned(),
        });
        let args = reader.body.list(reader.body.calls[call.ix()].args);
        let beside = match args[0] == text {
            true => Span::new(at.start, span(args[1]).start),
            false => Span::new(span(args[1]).end, at.end),
        };
        finding.fix = Some(Fix::Message {
            call: span(reader.body.calls[call.ix()].expr),
            beside,
            text: source.to_owned(),
        });
        Some(finding)
    });
    found.collect()
}

/// The text that a call would fail with, if it asks whether something is thrown and nobody takes what is.
fn message(reader: &Reader<'_>, id: CallId) -> Option<ExprId> {
    let body = reader.body;
    let call = &body.calls[id.ix()];
    let throws = any(body.called(id), |row| row.throws);
    let form = reader.form(id).filter(|_| throws && call.dropped)?;
    let [first, _, last] = body.list(call.args) else {
        return None;
    };
    let text = if form.is_message_last { *last } else { *first };
    matches!(body.expr(text).kind, ExprKind::Literal(Literal::Str)).then_some(text)
}

/// The texts that the code below a test has, with a zero byte for what is not known.
struct Said(Vec<(String, Place)>);

impl Said {
    fn below(workspace: &Workspace, test: BodyId) -> Said {
        let program = workspace.program();
        let is_code = |site: &CallSite| !program.is_test_type(program.method_owner(site.target));
        let below = workspace.call_graph().below([test], MOST, is_code);
        let mut out = Vec::new();
        for id in below.into_iter().filter(|id| *id != test) {
            let (Some(decl), Some(file)) = (program.body(id), program.body_file(id)) else {
                continue;
            };
            let body = &*decl.body;
            for e in body.calls.iter().flat_map(|c| body.list(c.args)) {
                let text = workspace.text_with_gaps(id, *e);
                let at = body.expr(*e);
                let span = Span::new(decl.start + at.start, decl.start + at.end);
                out.extend(text.map(|text| (text, Place { file, span })));
            }
        }
        Said(out)
    }

    /// Where a text is said, or one that is nearly the same.
    fn by(&self, text: &str) -> Option<Place> {
        let whole = self.0.iter().find(|(said, _)| is_said(said, text));
        let found = whole.or_else(|| self.0.iter().find(|(said, _)| is_like(said, text)));
        found.map(|(_, place)| *place)
    }
}

/// True if a text is one that `said` may become.
fn is_said(said: &str, text: &str) -> bool {
    let said = said.replace("{}", "\u{0}");
    let letters = said.chars().filter(|c| c.is_alphabetic()).count();
    let parts: Vec<&str> = said.split('\u{0}').collect();
    let (Some((first, rest)), true) = (parts.split_first(), letters >= LETTERS) else {
        return false;
    };
    let Some(mut left) = text.strip_prefix(first) else {
        return false;
    };
    let Some((last, between)) = rest.split_last() else {
        return left.is_empty();
    };
    for part in between {
        let Some(at) = left.find(part) else {
            return false;
        };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

/// True if most words of two texts are the same.
fn is_like(said: &str, text: &str) -> bool {
    let words = |of: &str| -> Vec<String> {
        let words = of.split(|c: char| !c.is_alphanumeric());
        words
            .filter(|w| !w.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (mut said, text) = (words(said), words(text));
    let most = said.len().max(text.len());
    let mut same = 0;
    for word in &text {
        if let Some(at) = said.iter().position(|s| s == word) {
            said.swap_remove(at);
            same += 1;
        }
    }
    same >= WORDS && same * 100 >= most * SHARE
}
