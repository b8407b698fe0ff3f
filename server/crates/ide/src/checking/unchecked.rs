//! Tests that check nothing.

use super::Checking;
use super::apart::looks_at;
use super::oracles::{Around, type_name};
use super::smoke::{denies, is_class_named_so, is_explained, is_named_so, is_said_so, is_step};
use crate::code::{comments_above, without_comments};
use oracle::frameworks::{ALL, Framework, all, any};
use oracle::promises::{RUNNERS, expects_in, is_told_to_look, tells_result};
use oracle::{Suite, TestKind, arguments, squeezed};
use program::{
    BodyId, FieldDecl, FileId, MethodDecl, MethodId, Modifiers, Program, TypeDecl, TypeId,
};
use smol_str::SmolStr;
use std::borrow::Cow;
use text::Span;

/// A test that checks nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unchecked {
    /// It has no statement.
    Empty,
    /// It fails only if something is thrown.
    Runs,
}

/// Which tear-downs count as a check of the test before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    /// All that check something.
    All,
    /// Those that look at something that the test had in its hands.
    Related,
}

/// How a test checks nothing, and is not content with that; `smoke` are names of those that are.
pub(crate) fn unchecked(
    checking: &Checking<'_>,
    smoke: &[String],
    file: FileId,
    test: MethodId,
    behind: Behind,
) -> Option<Unchecked> {
    unchecked_but(checking, smoke, file, test, behind, &[])
}

/// True for a test that does not run, or whose class does not.
pub(crate) fn is_disabled(program: &Program, file: FileId, test: MethodId) -> bool {
    let own = program.method_owner(test);
    let decl = program.method_decl(test);
    let head = decl
        .zip(program.text(file))
        .and_then(|(decl, text)| text.get(decl.span.start as usize..decl.name_span.start as usize));
    let around = std::iter::successors(Some(own), |c| program.enclosing_type(*c)).take(100);
    let mut heads = around.filter_map(|c| head_of(program, c, program.type_decl(c)?));
    head.is_some_and(|head| is_off(&without_comments(head))) || heads.any(|head| is_off(&head))
}

/// True if a test would check nothing without a part of its body, and is not content with that.
pub(crate) fn is_nothing_but(
    checking: &Checking<'_>,
    smoke: &[String],
    file: FileId,
    test: MethodId,
    part: Span,
) -> bool {
    unchecked_but(checking, smoke, file, test, Behind::All, &[part]).is_some()
}

/// The same, were there nothing in some parts of the test's body, relative to its start.
pub(super) fn unchecked_but(
    checking: &Checking<'_>,
    smoke: &[String],
    file: FileId,
    test: MethodId,
    behind: Behind,
    but: &[Span],
) -> Option<Unchecked> {
    let workspace = checking.workspace;
    let (program, suite) = (workspace.program(), workspace.suite());
    let (decl, body) = (program.method_decl(test)?, program.method_body(test)?);
    let text = program.text(file)?;
    let own = program.method_owner(test);
    let head = text.get(decl.span.start as usize..decl.name_span.start as usize)?;
    let head = &*without_comments(head);
    let gives_tests = |a: &SmolStr| any(a, |row| row.gives_tests);
    // What gives back a value is judged by whoever runs it.
    if program.returns_value(test) && !decl.annotations.iter().any(gives_tests)
        || is_off(head)
        || expects_in(head)
        || decl.params.iter().any(|p| tells_result(type_name(&p.ty)))
        || is_named_so(&decl.name, smoke)
        || is_step(&decl.name, &program.body(body)?.body)
        || is_class_named_so(program.type_name(own))
        || is_said_so(
            text.get(comments_above(text, decl.span.start as usize)..decl.span.end as usize)?,
        )
        || decl.annotations.iter().any(|a| suite.is_extended(a))
        || program.enclosing_type(own).is_some() && runs_classes(text)
        || has_rule_that_looks(program, own, text)
    {
        return None;
    }
    let mut roots = vec![body];
    // What gives a test its arguments may give it its checks.
    roots.extend(arguments(program, workspace.own_run(test)));
    // JUnit runs no private class: it is input for another test.
    let mut around = std::iter::successors(Some(own), |c| program.enclosing_type(*c)).take(100);
    let is_private = |c: TypeId| {
        let decl = program.type_decl(c);
        decl.is_some_and(|d| d.modifiers.has(Modifiers::PRIVATE))
    };
    if around.any(is_private) {
        return None;
    }
    let family = classes_around(program, own);
    let counts =
        |tear_down: MethodId| behind == Behind::All || looks_at(checking, &family, body, tear_down);
    for &class in &family {
        let ty = program.type_decl(class)?;
        let head = &*head_of(program, class, ty)?;
        if is_off(head) || expects_in(head) || has_unknown_runner(head) {
            return None;
        }
        roots.extend(run_beside(checking, class, head, &counts));
    }
    let code = text.get(decl.name_span.end as usize..decl.span.end as usize)?;
    roots.extend(named_in(program, suite, own, code));
    let around = Around {
        is_strict: fails_on_unused_stubs(program, own),
        denies: denies(&decl.name),
        but,
    };
    let is_empty = is_blank(code);
    if is_empty && (is_switched_off(program, test, decl) || is_explained(code))
        || checking.checks(&roots, around)
    {
        return None;
    }
    Some(match is_empty {
        true => Unchecked::Empty,
        false => Unchecked::Runs,
    })
}

/// The methods of a test's own class that its code calls by reflection: `getDeclaredMethod("numbers", …)`. Other tests are
/// none of them.
fn named_in(program: &Program, suite: &Suite, class: TypeId, code: &str) -> Vec<BodyId> {
    if !code.contains("Method(") {
        return Vec::new();
    }
    let texts: Vec<&str> = code.split('"').skip(1).step_by(2).collect();
    let methods = program.methods_of_type(class).iter().copied();
    let named = methods.filter(|m| {
        let decl = program.method_decl(*m);
        suite.kind(*m).is_none() && decl.is_some_and(|d| texts.contains(&d.name.as_str()))
    });
    named.filter_map(|m| program.method_body(m)).collect()
}

/// True for a file that runs test classes itself: those within it are input.
fn runs_classes(text: &str) -> bool {
    all(|row| row.runs_classes).any(|word| says(text, word))
}

/// A class, those above it, and the same of those around it.
fn classes_around(program: &Program, class: TypeId) -> Vec<TypeId> {
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c)).take(100);
    around
        .flat_map(|c| std::iter::successors(Some(c), |c| program.superclass(*c)).take(100))
        .collect()
}

/// What stands before the name of a class, without comments.
fn head_of<'a>(program: &'a Program, class: TypeId, ty: &TypeDecl) -> Option<Cow<'a, str>> {
    let (file, _) = program.type_place(class)?;
    let text = program.text(file)?;
    let head = text.get(ty.span.start as usize..ty.name_span.start as usize)?;
    Some(without_comments(head))
}

/// True if a word stands in the code of a text: a comment does nothing.
fn says(text: &str, word: &str) -> bool {
    text.contains(word) && without_comments(text).contains(word)
}

fn is_off(head: &str) -> bool {
    // As it is imported, and in full.
    let is_there = |name: &str| {
        let mut found = head.match_indices(name);
        found.any(|(at, _)| head[..at].ends_with(['@', '.']))
    };
    let mut arguments = all(|row| row.off_by);
    all(|row| row.off).any(is_there) || arguments.any(|a| squeezed(head).contains(a))
}

/// True if a library of mocks fails a test of the class that told a stand-in what nobody asked for.
pub(crate) fn fails_on_unused_stubs(program: &Program, class: TypeId) -> bool {
    let file = program.type_place(class).map(|(file, _)| file);
    let text = file
        .and_then(|file| program.text(file))
        .map_or("", |text| text);
    let is_strict = |head: &str| {
        let has = |words: &[&str]| words.iter().any(|w| head.contains(w));
        let is_strict = |row: &Framework| has(row.strict) && !has(row.lenient);
        ALL.iter().any(is_strict)
    };
    let head = |class: TypeId| head_of(program, class, program.type_decl(class)?);
    all(|row| row.strict_by).any(|word| says(text, word))
        || classes_around(program, class)
            .into_iter()
            .filter_map(head)
            .any(|head| is_strict(&head))
}

/// True for `@RunWith(X.class)` with a runner that may check by itself.
fn has_unknown_runner(head: &str) -> bool {
    let behind = |name| Some(head.split_once(&format!("@{name}"))?.1);
    let Some(rest) = all(|row| row.runs_with).find_map(behind) else {
        return false;
    };
    let inside = rest.split(')').next().unwrap_or("");
    let name = inside.trim_end().trim_end_matches(".class");
    let name = name
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .next();
    !name.is_some_and(|n| RUNNERS.contains(&n))
}

/// True for a field with what runs around tests.
fn is_rule(field: &FieldDecl) -> bool {
    field.annotations.iter().any(|a| any(a, |row| row.rules))
}

/// True if something that runs around the tests of a class is told what to look at where it is made:
/// `new QuarkusUnitTest().assertException(…)`.
fn has_rule_that_looks(program: &Program, class: TypeId, text: &str) -> bool {
    let fields = program.fields_of_type(class).iter();
    let mut rules = fields
        .filter_map(|f| program.field_decl(*f))
        .filter(|f| is_rule(f));
    rules.any(|rule| {
        let words = text.get(rule.span.start as usize..rule.span.end as usize);
        let words = words.map(without_comments);
        words.is_some_and(|w| is_told_to_look(&w))
    })
}

/// What runs around the tests of a class and may check: what tears down and `counts`, and what its rules and extensions do.
fn run_beside(
    checking: &Checking<'_>,
    class: TypeId,
    head: &str,
    counts: &dyn Fn(MethodId) -> bool,
) -> Vec<BodyId> {
    let workspace = checking.workspace;
    let (program, suite) = (workspace.program(), workspace.suite());
    let mut out = Vec::new();
    for &m in program.methods_of_type(class) {
        let runs = suite.kind(m) == Some(TestKind::TearDown) && counts(m)
            || program
                .method_decl(m)
                .is_some_and(|d| any(&d.name, |row| row.runs));
        if runs {
            out.extend(program.method_body(m));
        }
    }
    let mut beside: Vec<TypeId> = Vec::new();
    for &field in program.fields_of_type(class) {
        let Some(decl) = program.field_decl(field) else {
            continue;
        };
        if is_rule(decl) {
            beside.extend(program.class_of(program.field_type(field)));
        }
    }
    if all(|row| row.runs_around).any(|name| head.contains(&format!("@{name}"))) {
        let set = program
            .type_place(class)
            .and_then(|(f, _)| program.source_set(f));
        let package = program
            .type_name(class)
            .rsplit_once('.')
            .map_or("", |p| p.0);
        let file = program.type_place(class).map(|p| p.0);
        let imports = file.and_then(|f| program.summary(f)).map(|s| &s.imports);
        for name in head
            .split(".class")
            .filter_map(|l| l.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next())
        {
            let imported = imports.and_then(|all| {
                let end = format!(".{name}");
                all.iter()
                    .find(|i| i.name.ends_with(&end))
                    .map(|i| i.name.to_string())
            });
            let full = imported.unwrap_or_else(|| format!("{package}.{name}"));
            beside.extend(set.and_then(|set| program.find_type(set, &full)));
        }
    }
    for class in beside {
        let up = std::iter::successors(Some(class), |c| program.superclass(*c)).take(100);
        let methods = up.flat_map(|c| program.methods_of_type(c));
        out.extend(methods.filter_map(|m| program.method_body(*m)));
    }
    out
}

/// True for code without a statement: what stands between its braces is comments.
fn is_blank(text: &str) -> bool {
    let Some((_, inside)) = text.split_once('{') else {
        return false;
    };
    let mut rest = inside.trim();
    loop {
        rest = rest.trim_start();
        if let Some(line) = rest.strip_prefix("//") {
            rest = line.split_once('\n').map_or("", |p| p.1);
        } else if let Some(block) = rest.strip_prefix("/*") {
            rest = block.split_once("*/").map_or("", |p| p.1);
        } else {
            return rest == "}";
        }
    }
}

/// True for an empty test that replaces one of a superclass: it is switched off for this class.
fn is_switched_off(program: &Program, test: MethodId, decl: &MethodDecl) -> bool {
    decl.annotations.iter().any(|a| a == "Override") || !program.super_methods(test).is_empty()
}
