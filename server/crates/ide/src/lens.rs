//! Code lenses: on a test the best value that it could read and does not, and the best inside; on a method that tests
//! call, how many do and its most telling variable.
//!
//! Where lenses stand is found at once; what they say costs a ranking and is told when one is asked ([`title`]).

use crate::analysis::{Analysis, Place};
use observe::suite::TestKind;
use program::{FileId, MethodId};
use text::Span;

/// An inside value is worth naming beside a readable one if it adds this much more.
const CLEARLY_MORE: f64 = 1.0;
/// On its own it must tell on more than itself and one other.
const MORE_THAN: f64 = 2.0;

/// Where a lens stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name of the test or method.
    pub span: Span,
    /// What it is about.
    pub on: On,
}

/// What a lens is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A test.
    Test(MethodId),
    /// A method that tests call.
    Method(MethodId),
}

/// What a lens says.
#[derive(Clone, Debug, PartialEq)]
pub struct Title {
    /// `next: record.getComment() · inside: neg in Stats.compare`.
    pub text: String,
    /// Where the value that it names is defined, if that is elsewhere.
    pub target: Option<Place>,
}

/// The lenses of a file, by position.
pub fn lenses(analysis: &Analysis, file: FileId) -> Vec<Lens> {
    let program = analysis.program();
    let Some(summary) = program.summary(file) else {
        return Vec::new();
    };
    let suite = analysis.workspace().suite();
    let mut out = Vec::new();
    for (t, &class) in program.types_of_file(file).iter().enumerate() {
        for (m, &method) in program.methods_of_type(class).iter().enumerate() {
            let decl = &summary.types[t].methods[m];
            if decl.body.is_none() || decl.implicit {
                continue;
            }
            let on = match suite.kind(method) {
                Some(TestKind::Test) => On::Test(method),
                None if !program.is_test(file) && analysis.callers().contains_key(&method) => {
                    On::Method(method)
                }
                _ => continue,
            };
            out.push(Lens {
                span: decl.name_span,
                on,
            });
        }
    }
    out.sort_by_key(|l| l.span.start);
    out
}

/// What a lens says; nothing where there is nothing to say.
pub fn title(analysis: &Analysis, on: On) -> Option<Title> {
    match on {
        On::Test(test) => test_title(analysis, test),
        On::Method(method) => method_title(analysis, method),
    }
}

fn test_title(analysis: &Analysis, test: MethodId) -> Option<Title> {
    let offered = analysis.offered(test);
    let next = offered.readable.first();
    let inside = offered
        .inside
        .first()
        .filter(|i| i.gain > MORE_THAN && next.is_none_or(|n| i.gain >= n.gain + CLEARLY_MORE));
    let mut parts = Vec::new();
    parts.extend(next.map(|n| format!("next: {}", n.expression)));
    parts.extend(inside.map(|i| format!("inside: {}", i.name)));
    if parts.is_empty() {
        return None;
    }
    Some(Title {
        text: parts.join(" · "),
        target: inside.map(|i| i.place),
    })
}

fn method_title(analysis: &Analysis, method: MethodId) -> Option<Title> {
    let program = analysis.program();
    let tests = *analysis.callers().get(&method)?;
    let file = program.method_file(method)?;
    let body = program.method_body(method)?;
    let ranking = analysis.ranking(file);
    let telling = ranking
        .selected
        .iter()
        .find(|s| s.body == body && !s.is_quiet && s.gain > MORE_THAN);
    let count = match tests {
        1 => "1 test calls this".to_owned(),
        n => format!("{n} tests call this"),
    };
    Some(match telling {
        Some(s) => Title {
            text: format!(
                "{count} · most telling: {}",
                match s.kind {
                    flow::VariableKind::Return => "what it returns",
                    _ => &s.name,
                }
            ),
            target: Some(Place { file, span: s.span }),
        },
        None => Title {
            text: count,
            target: None,
        },
    })
}
