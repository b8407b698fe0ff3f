//! What a framework runs to have a test's arguments: JUnit's `@MethodSource` and `@ArgumentsSource`, and what gives a whole
//! class its parameters.

use crate::TestRun;
use crate::frameworks::any;
use crate::web::{arguments_of, unquoted};
use program::{BodyId, MethodDecl, MethodId, Program, TypeId};

/// The annotations that name methods, and classes with a method, which give a test its arguments.
const METHODS: &str = "MethodSource";
const CLASSES: &str = "ArgumentsSource";

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
    if decl.annotations.iter().any(|a| a == METHODS) {
        let values = values_of(decl, METHODS).into_iter();
        let mut named: Vec<String> = values.filter_map(unquoted).collect();
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
    for value in values_of(decl, CLASSES) {
        let class = value.strip_suffix(".class");
        let Some(name) = class.and_then(|c| c.rsplit('.').next()) else {
            continue;
        };
        let provider = classes.iter().find_map(|c| member(program, *c, name));
        let methods = provider.map_or(&[][..], |c| program.methods_of_type(c));
        out.extend(methods);
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

/// What the annotations of this name say of a method, as written.
fn values_of<'a>(decl: &'a MethodDecl, annotation: &str) -> Vec<&'a str> {
    let told = decl.told.iter().filter(|t| t.annotation == annotation);
    let arguments = told.flat_map(|t| arguments_of(&t.arguments));
    let values = arguments.filter(|a| a.name == "value");
    values.flat_map(|a| a.values()).collect()
}
