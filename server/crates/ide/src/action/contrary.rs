//! *Correct it* of an assertion that has a contrary: it fails now, and passes once the code does something else.
//!
//! `assertTrue(b)` becomes `assertFalse(b)`, with its import; `assertThat(s).isNotNull().isEmpty()` says of its last link the contrary,
//! the others still hold. What would not compile, or pass for another reason than that the code is right, is not offered: where the
//! library has no such method for the value, and where the two methods do not mean the same by what they are given.

use super::expected::Kind;
use super::imports::Imports;
use crate::analysis::Analysis;
use crate::suspects::Assertion;
use flow::{Body, CallId, Callee, ExprId};
use oracle::Reader;
use oracle::frameworks::{
    Contrary, Fluent, Says, Subject, Words, contrary as contrary_of, link as said, some_lack,
};
use program::{ImportKind, Program};
use text::{Edit, Span};

/// The name of the contrary, and the change that writes it.
pub(super) fn contrary(
    analysis: &Analysis,
    assertion: &Assertion,
) -> Option<(&'static str, Vec<Edit>)> {
    let program = analysis.program();
    let id = program.method_body(assertion.test)?;
    let decl = program.body(id)?;
    let chains = analysis.workspace().chains(id)?;
    let body = &decl.body;
    let own = chains
        .assertions
        .iter()
        .find(|a| decl.start + body.expr(a.expr).start == assertion.span.start)?;
    let reader = Reader::new(program, id)?;
    let place = |call: CallId, name: &str| {
        let start = decl.start + body.calls[call.ix()].name_start;
        Span::new(start, start + name.len() as u32)
    };
    let call = own.call?;
    if let Some(last) = own.chained.last() {
        let (old, new) = of_link(program, &reader, own)?;
        return Some((new, vec![Edit::new(place(*last, old), new)]));
    }
    let old = named(body, call)?;
    let new = contrary_of(old)?;
    let lacks = match reader.form(call) {
        Some(form) => form.lacks.contains(&new),
        None => some_lack(new),
    };
    if lacks {
        return None;
    }
    let is_qualified = matches!(
        body.calls[call.ix()].callee,
        Callee::Method {
            receiver: Some(_),
            ..
        }
    );
    if is_qualified {
        return Some((new, vec![Edit::new(place(call, old), new)]));
    }
    let owner = program.method_owner(assertion.test);
    let mut imports = Imports::of(program, assertion.file, owner)?;
    let of_name = format!(".{old}");
    let single = program
        .summary(assertion.file)?
        .imports
        .iter()
        .find(|i| i.kind == ImportKind::StaticSingle && i.name.ends_with(&of_name));
    let written = match single {
        Some(import) => {
            let class = import.name.strip_suffix(&of_name)?;
            imports.method(class, new, false)
        }
        None => new.to_owned(),
    };
    let mut edits = imports.edits();
    edits.push(Edit::new(place(call, old), written));
    edits.sort_by_key(|e| e.span);
    Some((new, edits))
}

fn named(body: &Body, call: CallId) -> Option<&str> {
    body.method_name(&body.calls[call.ix()])
        .map(|name| name.as_str())
}

/// The name of the last link of a fluent assertion, and that of its contrary.
fn of_link<'b>(
    program: &Program,
    reader: &Reader<'b>,
    own: &oracle::Assertion,
) -> Option<(&'b str, &'static str)> {
    let body = reader.body;
    let call = own.call?;
    let Words::Fluent(words) = &reader.form(call)?.words else {
        return None;
    };
    let (last, before) = own.chained.split_last()?;
    let name = named(body, *last)?;
    let (pair, other) = words.contrary(name)?;
    let arguments = body.list(body.calls[last.ix()].args);
    let ty = |e: &ExprId| program.type_text(reader.resolved.ty(*e));
    let subject = match body.list(body.calls[call.ix()].args) {
        [value] if before.iter().all(|c| keeps(words, body, *c)) => ty(value),
        _ => "?".into(),
    };
    let given: Vec<_> = arguments.iter().map(ty).collect();
    let given: Vec<&str> = given.iter().map(|t| t.as_str()).collect();
    let fits = given.len() <= pair.most && can_be_asked(program, pair, &subject, &given);
    fits.then_some((name, other))
}

/// True for a link behind which the next one is asked of the same value.
fn keeps(words: &Fluent, body: &Body, link: CallId) -> bool {
    let name = named(body, link).unwrap_or_default();
    said(name) == Some(Says::Nothing) || words.contrary(name).is_some()
}

/// True if both checks of a pair are there for a value of this type with these arguments, and mean the same by them. Types are those
/// that people write, `?` where they are not known.
fn can_be_asked(program: &Program, pair: &Contrary, subject: &str, given: &[&str]) -> bool {
    let kind = Kind::of(program, subject);
    let is_text = matches!(&kind, Some(Kind::Plain(plain)) if plain.is_text());
    match pair.of {
        Subject::Any => true,
        Subject::Text => {
            // A predicate is matched otherwise.
            let text = |t: &&str| matches!(*t, "String" | "CharSequence" | "Pattern");
            is_text && given.iter().all(text)
        }
        Subject::Number => matches!(kind, Some(Kind::Plain(_))) && !is_text && !is_char(subject),
        // An array stands for its elements, of which there may be several.
        Subject::Elements => {
            let has = matches!(
                kind,
                Some(
                    Kind::Array(..)
                        | Kind::List(_)
                        | Kind::Set(_)
                        | Kind::Collection(_)
                        | Kind::Iterable(_)
                        | Kind::Map(_)
                )
            );
            (is_text || has) && given.iter().all(|t| *t != "?" && !t.ends_with("[]"))
        }
        Subject::Alike => given.iter().all(|t| match subject {
            "int" | "Integer" => !matches!(*t, "long" | "Long" | "?"),
            "?" | "BigInteger" | "BigDecimal" => !matches!(
                *t,
                "int" | "long" | "short" | "byte" | "char" | "String" | "?"
            ),
            _ => true,
        }),
    }
}

fn is_char(ty: &str) -> bool {
    matches!(ty, "char" | "Character")
}
