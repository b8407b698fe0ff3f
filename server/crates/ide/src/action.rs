//! Code actions: assert what a test could read, in the test's own framework; go to what only an inner oracle can check.

use crate::analysis::{Analysis, Place};
use crate::lens::{On, lenses};
use crate::offers::Readable;
use observe::assertions::is_assertion;
use program::{FileId, MethodId, Program};
use text::{Edit, Span};

/// How many values are offered at once.
const OFFERED: usize = 3;

/// Something to do.
#[derive(Clone, Debug)]
pub struct Action {
    /// `Assert record.getComment()`.
    pub title: String,
    /// What it does.
    pub effect: Effect,
}

/// What an action does.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Changes the file.
    Insert(Edit),
    /// Shows a place.
    Show(Place),
}

/// The actions at a range of a file: those of the test around it.
pub fn actions(analysis: &Analysis, file: FileId, range: Span) -> Vec<Action> {
    match test_around(analysis, file, range) {
        Some(test) => actions_of(analysis, file, test),
        None => Vec::new(),
    }
}

/// The actions of a test, best first: those that change the file before the one that shows a place.
pub fn actions_of(analysis: &Analysis, file: FileId, test: MethodId) -> Vec<Action> {
    let offered = analysis.offered(test);
    let mut out = Vec::new();
    for r in offered.readable.iter().take(OFFERED) {
        if let Some(edit) = insertion(analysis, file, test, r) {
            out.push(Action {
                title: format!("Assert {}", r.expression),
                effect: Effect::Insert(edit),
            });
        }
    }
    if let Some(i) = offered.inside.first() {
        out.push(Action {
            title: format!("Go to {}, which no test can read", i.name),
            effect: Effect::Show(i.place),
        });
    }
    out
}

/// The innermost test around a range.
pub fn test_around(analysis: &Analysis, file: FileId, range: Span) -> Option<MethodId> {
    let program = analysis.program();
    lenses(analysis, file)
        .iter()
        .filter_map(|l| match l.on {
            On::Test(test) => Some((program.method_decl(test)?.span, test)),
            On::Method(_) => None,
        })
        .filter(|(span, _)| span.covers(range))
        .max_by_key(|(span, _)| span.start)
        .map(|(_, test)| test)
}

/// How the tests of a file assert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `assertEquals(expected, actual)`.
    Equals,
    /// `assertThat(actual).isEqualTo(expected)`: AssertJ, Truth.
    That,
}

/// An assertion on a value: around the call whose result is dropped, which must not run twice, else at the end of the
/// test. Its placeholder has the type and fails until it is filled.
fn insertion(analysis: &Analysis, file: FileId, test: MethodId, value: &Readable) -> Option<Edit> {
    let program = analysis.program();
    let text = program.text(file)?;
    let (expression, ty) = (value.expression.as_str(), value.ty.as_str());
    let decl = program.method_decl(test)?;
    let end = (decl.span.end as usize).checked_sub(1)?;
    if text.as_bytes().get(end) != Some(&b'}') {
        return None;
    }
    let (style, qualifier) = style(program, file, text);
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
    let closing: String = text[line..end]
        .chars()
        .take_while(|c| c.is_whitespace())
        .collect();
    let indent = format!("{closing}{}", unit_of_indent(text));
    let expected = placeholder(ty);
    let statement = match style {
        Style::That => format!("{qualifier}assertThat({expression}).isEqualTo({expected});"),
        Style::Equals if ty == "boolean" || ty == "Boolean" => {
            format!("{qualifier}assertEquals(\"true or false?\", {expression});")
        }
        Style::Equals if ty == "double" || ty == "float" => {
            format!("{qualifier}assertEquals({expected}, {expression}, 0.0);")
        }
        Style::Equals if ty.ends_with("[]") => {
            format!("{qualifier}assertArrayEquals({expected}, {expression});")
        }
        Style::Equals => format!("{qualifier}assertEquals({expected}, {expression});"),
    };
    if is_statement(text, value) {
        let assertion = statement.trim_end_matches(';').to_owned();
        return Some(Edit::new(value.span, assertion));
    }
    if let Some(place) = after_last_statement(program, test, text) {
        return place.map(|(at, indent)| {
            let written = if text[..at].ends_with('\n') {
                format!("{indent}{statement}{newline}")
            } else {
                format!(" {statement}")
            };
            Edit::new(Span::new(at as u32, at as u32), written)
        });
    }
    // `{ }` on one line is opened.
    let alone = text[line..end].trim().is_empty();
    let (at, lead, tail) = if alone {
        (line, String::new(), newline.to_owned())
    } else {
        (end, newline.to_owned(), format!("{newline}{closing}"))
    };
    Some(Edit::new(
        Span::new(at as u32, at as u32),
        format!("{lead}{indent}{statement}{tail}"),
    ))
}

/// Behind the last statement of a test, in the block where that stands, as what is offered is in scope there: the place
/// and the indent. The inner value is none where nothing can be inserted, the outer where the end of the test will do.
fn after_last_statement(
    program: &Program,
    test: MethodId,
    text: &str,
) -> Option<Option<(usize, String)>> {
    let decl = program.body(program.method_body(test)?)?;
    let close = (program.method_decl(test)?.span.end as usize).checked_sub(1)?;
    let last = decl.body.exprs.iter();
    let last = last.max_by_key(|e| (e.end, std::cmp::Reverse(e.start)))?;
    let (start, end) = (decl.start + last.start, decl.start + last.end);
    let after = text.get(end as usize..close)?;
    if !after.contains('}') {
        return None;
    }
    let Some(semicolon) = after.trim_start().starts_with(';').then(|| after.find(';')) else {
        return Some(None);
    };
    let at = end as usize + semicolon? + 1;
    let line = text.get(..start as usize)?.rfind('\n').map_or(0, |n| n + 1);
    let indent = text[line..].chars().take_while(|c| *c == ' ' || *c == '\t');
    let rest = text[at..].split('\n').next().unwrap_or_default();
    let ends_line = rest.trim().is_empty() || rest.trim_start().starts_with("//");
    let at = if ends_line { at + rest.len() + 1 } else { at };
    Some(Some((at, indent.collect())))
}

/// True if the value is that of a call that stands alone, as a statement.
fn is_statement(text: &str, value: &Readable) -> bool {
    let (start, end) = (value.span.start as usize, value.span.end as usize);
    let (Some(before), Some(own), Some(after)) =
        (text.get(..start), text.get(start..end), text.get(end..))
    else {
        return false;
    };
    let same = |a: &str, b: &str| {
        let tight = |c: &char| !c.is_whitespace();
        a.chars().filter(tight).eq(b.chars().filter(tight))
    };
    same(own, &value.expression)
        && before.trim_end().ends_with([';', '{', '}'])
        && after.trim_start().starts_with(';')
}

/// What the file's assertions look like, and what stands before their names.
fn style(program: &Program, file: FileId, text: &str) -> (Style, String) {
    let (mut equals, mut that) = (0, 0);
    let mut qualified = 0;
    for &id in program.bodies_of_file(file) {
        let Some(decl) = program.body(id) else {
            continue;
        };
        for (at, call) in decl.body.calls.iter().enumerate() {
            let flow::Callee::Method { receiver, name } = call.callee else {
                continue;
            };
            if !is_assertion(&decl.body, flow::CallId(at as u32), &[]) {
                continue;
            }
            let is_that = decl.body.name(name) == "assertThat";
            *(if is_that { &mut that } else { &mut equals }) += 1;
            qualified += i32::from(receiver.is_some());
        }
    }
    let fluent = text.contains("org.assertj") || text.contains("com.google.common.truth");
    let style = if that > equals && fluent {
        Style::That
    } else {
        Style::Equals
    };
    let class = match style {
        Style::That => "Assertions",
        Style::Equals if text.contains("org.junit.jupiter") => "Assertions",
        Style::Equals => "Assert",
    };
    let by_class = qualified * 2 > equals + that;
    let junit3 = text.contains("junit.framework");
    let imported = equals + that > 0;
    let qualifier = match (by_class, imported || junit3) {
        (true, _) => format!("{class}."),
        (false, true) => String::new(),
        (false, false) if text.contains("org.junit.jupiter") => {
            "org.junit.jupiter.api.Assertions.".into()
        }
        (false, false) if text.contains("org.testng") => "org.testng.Assert.".into(),
        (false, false) => "org.junit.Assert.".into(),
    };
    (style, qualifier)
}

/// A value of the type that no sensible result equals.
fn placeholder(ty: &str) -> &'static str {
    match ty {
        "int" | "Integer" | "short" | "Short" | "byte" | "Byte" => "Integer.MIN_VALUE",
        "long" | "Long" => "Long.MIN_VALUE",
        "double" | "Double" | "float" | "Float" => "Double.MIN_VALUE",
        "char" | "Character" => "'?'",
        _ if ty.ends_with("[]") => "null",
        _ => "\"what should it be?\"",
    }
}

/// What one level of indent is in this file.
fn unit_of_indent(text: &str) -> &'static str {
    let tabs = text.lines().filter(|l| l.starts_with('\t')).count();
    let spaces = text.lines().filter(|l| l.starts_with("  ")).count();
    if tabs > spaces {
        return "\t";
    }
    let two = text
        .lines()
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "))
        .count();
    if two * 8 > spaces && two > 0 {
        "  "
    } else {
        "    "
    }
}
