//! Writing what [`super::Reader`] reads.

use super::decls::{LOOK, spelled};
use crate::point::{Comparability, Parent, Point, Traits, Variable, VariableKind};
use crate::print::{double, escaped};
use crate::value::{Kind, Rep, Value};
use std::io::{self, Write};

/// Writes a file's head.
///
/// # Errors
/// Those of the writer.
pub fn write_head(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "decl-version 2.0\ninput-language Java\nvar-comparability implicit"
    )
}

/// Writes a point. It may stand anywhere before its first sample.
///
/// # Errors
/// Those of the writer.
pub fn write_point(out: &mut impl Write, point: &Point) -> io::Result<()> {
    let kind = point.kind.name();
    writeln!(out, "\nppt {}\nppt-type {kind}", spelled(&point.name))?;
    if !point.flags.is_empty() {
        writeln!(out, "flags {}", point.flags.join(" "))?;
    }
    for parent in &point.parents {
        let how = if parent.feeds { "parent" } else { "user" };
        writeln!(out, "parent {how} {}", related(parent))?;
    }
    point
        .variables
        .iter()
        .try_for_each(|v| write_variable(out, v))
}

fn related(parent: &Parent) -> String {
    let base = format!("{} {}", spelled(&parent.point), parent.relation);
    match &parent.variable {
        Some(variable) => format!("{base} {}", spelled(variable)),
        None => base,
    }
}

fn write_variable(out: &mut impl Write, v: &Variable) -> io::Result<()> {
    writeln!(out, "variable {}", spelled(&v.name))?;
    match &v.kind {
        VariableKind::Field(name) => writeln!(out, "  var-kind field {}", spelled(name))?,
        VariableKind::Function(name) => writeln!(out, "  var-kind function {}", spelled(name))?,
        VariableKind::Array => writeln!(out, "  var-kind array")?,
        VariableKind::Variable => writeln!(out, "  var-kind variable")?,
        VariableKind::Return => writeln!(out, "  var-kind return")?,
    }
    if let Some(enclosing) = &v.enclosing {
        writeln!(out, "  enclosing-var {}", spelled(enclosing))?;
    }
    if v.is_offset {
        writeln!(out, "  reference-type offset")?;
    }
    if v.rep.sequence {
        writeln!(out, "  array 1")?;
    }
    let declared = if v.declared.is_empty() {
        "?"
    } else {
        &v.declared
    };
    writeln!(
        out,
        "  dec-type {}\n  rep-type {}",
        spelled(declared),
        rep(v.rep)
    )?;
    if let Some(look) = v.look.name() {
        writeln!(out, "{LOOK}{look}")?;
    }
    let flags: Vec<&str> = flags(v.traits).collect();
    if !flags.is_empty() {
        writeln!(out, "  flags {}", flags.join(" "))?;
    }
    let Comparability { own, index } = v.comparability;
    if v.rep.sequence {
        writeln!(out, "  comparability {own}[{index}]")?;
    } else {
        writeln!(out, "  comparability {own}")?;
    }
    for parent in &v.parents {
        writeln!(out, "  parent {}", related(parent))?;
    }
    if let Some(constant) = &v.constant {
        writeln!(out, "  constant {}", value(constant, v.rep))?;
    }
    if !v.arguments.is_empty() {
        let arguments: Vec<String> = v.arguments.iter().map(|a| spelled(a)).collect();
        writeln!(out, "  function-args {}", arguments.join(" "))?;
    }
    v.limits
        .iter()
        .try_for_each(|(key, limit)| writeln!(out, "  {key} {limit}"))
}

fn rep(rep: Rep) -> String {
    let base = match rep.kind {
        Kind::Boolean => "boolean",
        Kind::Int => "int",
        Kind::Reference => "hashcode",
        Kind::Double => "double",
        Kind::Text => "java.lang.String",
    };
    format!("{base}{}", if rep.sequence { "[]" } else { "" })
}

fn flags(traits: Traits) -> impl Iterator<Item = &'static str> {
    [
        (traits.parameter, "is_param"),
        (traits.no_duplicates, "no_dups"),
        (traits.unordered, "not_ordered"),
        (traits.no_size, "no_size"),
        (traits.class_name, "classname"),
        (traits.to_string, "to_string"),
        (traits.synthetic, "synthetic"),
        (traits.non_null, "non_null"),
        (traits.read_only, "is_readonly"),
        (traits.property, "is_property"),
        (traits.is_enum, "is_enum"),
        (traits.no_modification, "nomod"),
    ]
    .into_iter()
    .filter_map(|(is_set, name)| is_set.then_some(name))
}

/// Writes a sample, one value a variable.
///
/// # Errors
/// Those of the writer.
pub fn write_sample(
    out: &mut impl Write,
    point: &Point,
    nonce: Option<i64>,
    values: &[Value],
) -> io::Result<()> {
    writeln!(out, "\n{}", spelled(&point.name))?;
    if let Some(nonce) = nonce {
        writeln!(out, "this_invocation_nonce\n{nonce}")?;
    }
    for (i, variable) in point.variables.iter().enumerate() {
        if variable.constant.is_some() {
            continue;
        }
        let v = values.get(i).unwrap_or(&Value::Missing);
        let modified = if v.is_missing() { 2 } else { 1 };
        writeln!(
            out,
            "{}\n{}\n{modified}",
            spelled(&variable.name),
            value(v, variable.rep)
        )?;
    }
    Ok(())
}

fn value(value: &Value, rep: Rep) -> String {
    let int = |v: i64| match rep.kind {
        Kind::Reference if v == 0 => "null".to_owned(),
        _ => v.to_string(),
    };
    let text = |t: &Option<std::sync::Arc<str>>| match t {
        Some(t) => format!("\"{}\"", escaped(t)),
        None => "null".to_owned(),
    };
    let list = |all: Vec<String>| format!("[{}]", all.join(" "));
    match value {
        Value::Missing => "nonsensical".to_owned(),
        Value::Int(v) => int(*v),
        Value::Double(v) => double(*v),
        Value::Text(t) => text(t),
        Value::Ints(all) => list(all.iter().map(|v| int(*v)).collect()),
        Value::Doubles(all) => list(all.iter().map(|v| double(*v)).collect()),
        Value::Texts(all) => list(all.iter().map(text).collect()),
    }
}
