//! Values that no one would assert, whatever depends on them: one rule for all that shows or offers values.
//!
//! A loop counter is what the update part of a `for` steps; a logger is what has the type of one. Names decide in one
//! case alone: `NAME` is meant as a constant, whatever its modifiers say.

use chains::Candidate;
use flow::VariableKind;
use program::{BodyId, FieldId, Modifiers, Program, Ty};

/// The types of loggers: of libraries, and what implements them. A class of one's own of which the name is not here is
/// no logger, and neither is what merely is called `log`.
const LOGGERS: [&str; 14] = [
    "org.slf4j.Logger",
    "ch.qos.logback.classic.Logger",
    "org.apache.logging.log4j.Logger",
    "org.apache.logging.log4j.LogBuilder",
    "org.apache.log4j.Category",
    "org.apache.log4j.Logger",
    "org.apache.commons.logging.Log",
    "java.util.logging.Logger",
    "java.lang.System$Logger",
    "org.tinylog.TaggedLogger",
    "org.jboss.logging.BasicLogger",
    "org.jboss.logging.Logger",
    "com.google.common.flogger.AbstractLogger",
    "com.google.common.flogger.FluentLogger",
];

/// Why a value is of no interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// Of a method or a lambda: its argument, or its first use, is looked at instead.
    Parameter,
    /// `for (x : xs)`.
    LoopVariable,
    /// `catch (E e)`.
    Caught,
    /// `try (R r = …)`.
    Resource,
    /// The update part of a `for` steps it.
    Counter,
    /// A `static final` field, or one that is named as such are.
    Constant,
    /// What has the type of one.
    Logger,
    /// In code that a tool adds: nobody can write a check there.
    Added,
    /// In a `hashCode()`: which number it is nobody means.
    Hash,
}

/// Why no one would look at a candidate of the body; none if one may.
pub fn quiet(program: &Program, body: BodyId, c: &Candidate) -> Option<Quiet> {
    match c.kind {
        VariableKind::Parameter | VariableKind::LambdaParameter => return Some(Quiet::Parameter),
        VariableKind::Loop => return Some(Quiet::LoopVariable),
        VariableKind::Catch => return Some(Quiet::Caught),
        VariableKind::Resource => return Some(Quiet::Resource),
        _ if program.is_added(body) => return Some(Quiet::Added),
        _ if is_hash(program, body) => return Some(Quiet::Hash),
        _ => {}
    }
    if let Some(local) = c.local {
        let counter = program
            .body(body)
            .is_some_and(|decl| decl.body.locals[local.ix()].counter);
        if counter {
            return Some(Quiet::Counter);
        }
        let types = program.resolved(body).map(|resolved| &resolved.locals);
        let ty = types.and_then(|types| types.get(local.ix()));
        if ty.is_some_and(|ty| is_logger(program, *ty)) {
            return Some(Quiet::Logger);
        }
    }
    c.field.and_then(|field| quiet_field(program, field))
}

/// Why no one would look at a field.
pub fn quiet_field(program: &Program, field: FieldId) -> Option<Quiet> {
    let decl = program.field_decl(field)?;
    let is_fixed = decl.modifiers.has(Modifiers::STATIC) && decl.modifiers.has(Modifiers::FINAL);
    let is_named = decl.name.len() > 2
        && decl
            .name
            .chars()
            .all(|c| !c.is_alphabetic() || c.is_uppercase());
    if is_fixed || is_named || decl.name == "serialVersionUID" {
        return Some(Quiet::Constant);
    }
    is_logger(program, program.field_type(field)).then_some(Quiet::Logger)
}

/// True for the body of a `hashCode()`.
fn is_hash(program: &Program, body: BodyId) -> bool {
    let method = program.body_method(body);
    let decl = method.and_then(|m| program.method_decl(m));
    decl.is_some_and(|d| d.name == "hashCode" && d.params.is_empty())
}

/// True for the type of a logger, or of what is one.
pub fn is_logger(program: &Program, ty: Ty) -> bool {
    let is_named = |name: &str| LOGGERS.contains(&name);
    let Some(class) = program.erased_class(ty) else {
        return false;
    };
    is_named(program.type_name(class)) || program.supertype_names(class).iter().any(|n| is_named(n))
}

#[cfg(test)]
mod tests;
