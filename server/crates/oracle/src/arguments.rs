//! What a framework runs to have a test's arguments: JUnit's `@MethodSource` and `@ArgumentsSource`, and what gives a whole
//! class its parameters.
//!
//! The values of annotations are no part of a declaration, so they are read from its text.

use crate::TestRun;
use crate::frameworks::any;
use program::{BodyId, MethodId, Program, TypeId};

/// How many classes are looked through for a method.
const MAX_CLASSES: usize = 100;

/// The bodies that run before the test, for its arguments.
pub fn arguments(program: &Program, run: TestRun) -> Vec<BodyId> {
    let classes = classes(program, run.class);
    let methods = || classes.iter().flat_map(|c| program.methods_of_type(*c));
    let gives = |m: &&MethodId| {
        program
            .method_decl(**m)
            .is_some_and(|d| d.annotations.iter().any(|a| any(a, |row| row.giving)))
    };
    let mut out: Vec<MethodId> = methods().filter(gives).copied().collect();
    let Some(decl) = program.method_decl(run.test) else {
        return Vec::new();
    };
    if decl.annotations.iter().any(|a| a == "MethodSource") {
        let mut named = strings_of(before_name(program, run.test), "@MethodSource");
        if named.is_empty() {
            named.push(decl.name.to_string());
        }
        for name in &named {
            let other = name.split_once('#');
            let (class, name) = other.map_or((None, name.as_str()), |(c, n)| (Some(c), n));
            let name = name.split('(').next().unwrap_or(name);
            let there = class.map(|class| {
                let set = program
                    .method_file(run.test)
                    .and_then(|f| program.source_set(f));
                set.and_then(|set| program.find_type(set, class))
            });
            let is_named = |m: &&MethodId| program.method_decl(**m).is_some_and(|d| d.name == name);
            match there {
                Some(class) => {
                    let methods = class.map_or(&[][..], |c| program.methods_of_type(c));
                    out.extend(methods.iter().filter(is_named));
                }
                None => out.extend(methods().filter(is_named)),
            }
        }
    }
    if decl.annotations.iter().any(|a| a == "ArgumentsSource") {
        for name in classes_of(before_name(program, run.test), "@ArgumentsSource") {
            let provider = classes.iter().find_map(|c| member(program, *c, &name));
            let methods = provider.map_or(&[][..], |c| program.methods_of_type(c));
            out.extend(methods);
        }
    }
    out.into_iter()
        .filter_map(|m| program.method_body(m))
        .collect()
}

/// The class of the object on which a test runs, those above it and those around them.
fn classes(program: &Program, class: TypeId) -> Vec<TypeId> {
    let mut out = Vec::new();
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
    for class in around.take(MAX_CLASSES) {
        out.push(class);
        out.extend(program.supertypes(class));
    }
    out.truncate(MAX_CLASSES);
    out
}

/// A class in a class, or beside it in its package.
fn member(program: &Program, class: TypeId, name: &str) -> Option<TypeId> {
    let (file, _) = program.type_place(class)?;
    let set = program.source_set(file)?;
    let binary = program.type_name(class);
    let package = binary.rsplit_once('.').map_or("", |p| p.0);
    let beside = match package {
        "" => name.to_owned(),
        package => format!("{package}.{name}"),
    };
    let inside = format!("{binary}${name}");
    program
        .find_type(set, &inside)
        .or_else(|| program.find_type(set, &beside))
}

/// What stands before the name of a method: its modifiers and annotations.
fn before_name(program: &Program, method: MethodId) -> &str {
    let text = program.method_file(method).and_then(|f| program.text(f));
    let (Some(text), Some(decl)) = (text, program.method_decl(method)) else {
        return "";
    };
    let span = decl.span.start as usize..decl.name_span.start as usize;
    text.get(span).unwrap_or("")
}

/// What stands in the parentheses behind an annotation.
fn value<'a>(text: &'a str, annotation: &str) -> &'a str {
    let rest = text.split_once(annotation).map_or("", |at| at.1);
    let inside = rest.trim_start().strip_prefix('(').unwrap_or("");
    inside.split_once(')').map_or(inside, |at| at.0)
}

fn strings_of(text: &str, annotation: &str) -> Vec<String> {
    let quoted = value(text, annotation).split('"').skip(1).step_by(2);
    quoted.map(str::to_owned).collect()
}

fn classes_of(text: &str, annotation: &str) -> Vec<String> {
    let literals = value(text, annotation).split(".class");
    let names = literals.filter_map(|l| {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let name = l.rsplit(|c| !is_name(c)).next()?;
        (!name.is_empty()).then(|| name.to_owned())
    });
    names.collect()
}
