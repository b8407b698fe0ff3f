//! Declarations: a point with its variables, one item a line.

use super::line::named;
use super::line::{Lines, is_blank};
use super::sample::value;
use super::{Declarations, Stop};
use crate::look::Look;
use crate::point::{Comparability, Parent, Point, PointKind, Traits, Variable, VariableKind};
use crate::value::{Kind, Rep};
use std::io::BufRead;

/// How a comment begins that says how a variable's values read: ours alone, and nothing to other readers.
pub(super) const LOOK: &str = "# telltale: look ";

/// True for a line that starts a declaration or a setting, which no sample does.
pub(super) fn is_declaration(line: &[u8]) -> bool {
    let (word, rest) = split(line);
    match word {
        b"ppt" | b"decl-version" | b"input-language" | b"var-comparability" => !rest.is_empty(),
        b"ListImplementors" | b"VarComparability" | b"DECLARE" => true,
        _ => false,
    }
}

/// A name as files write it.
pub(super) fn spelled(name: &str) -> String {
    name.replace('\\', "\\\\")
        .replace(' ', "\\_")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii();
    match line.iter().position(u8::is_ascii_whitespace) {
        Some(end) => (&line[..end], line[end..].trim_ascii_start()),
        None => (line, b""),
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace)
        .filter(|w| !w.is_empty())
}

/// Reads the declaration or setting that starts at the line at hand.
pub(super) fn read<R: BufRead>(
    lines: &mut Lines<R>,
    declared: &mut Declarations,
) -> Result<(), Stop> {
    let (word, rest) = split(lines.at_hand());
    match word {
        b"ppt" => {
            let name = named(rest);
            point(lines, declared, &name)
        }
        b"decl-version" if rest == b"2.0" || rest == b"2" => Ok(()),
        b"decl-version" | b"DECLARE" | b"VarComparability" => {
            Err(lines.wrong("only declarations of version 2.0 are read"))
        }
        b"var-comparability" => {
            declared.none = rest == b"none";
            Ok(())
        }
        b"ListImplementors" => {
            // The names of interfaces, of use to who records.
            while lines.next()?.is_some_and(|line| !is_blank(line)) {}
            Ok(())
        }
        _ => Ok(()),
    }
}

fn point<R: BufRead>(
    lines: &mut Lines<R>,
    declared: &mut Declarations,
    name: &str,
) -> Result<(), Stop> {
    let start = lines.number();
    let mut point = Point::new(name, kind_of(name), Vec::new());
    while let Some(line) = lines.next()? {
        if is_blank(line) {
            break;
        }
        if line.starts_with(b"#") || line.starts_with(b"//") {
            let look = line.strip_prefix(LOOK.as_bytes());
            let look = look.and_then(|name| Look::named(name.trim_ascii()));
            if let (Some(variable), Some(look)) = (point.variables.last_mut(), look) {
                variable.look = look;
            }
            continue;
        }
        let (word, rest) = split(line);
        if word == b"variable" {
            let variable = Variable::new(&named(rest), "", Rep::one(Kind::Int));
            point.variables.push(variable);
            continue;
        }
        let fits = match point.variables.last_mut() {
            None => of_point(&mut point, word, rest),
            Some(variable) => of_variable(variable, word, rest),
        };
        if fits.is_none() {
            let line = String::from_utf8_lossy(lines.at_hand())
                .trim()
                .chars()
                .take(200)
                .collect::<String>();
            return Err(lines.wrong(format!("{line:?} is not understood here")));
        }
    }
    if declared.none {
        point
            .variables
            .iter_mut()
            .for_each(|v| v.comparability = Comparability::ANY);
    }
    match declared.names.get(name) {
        Some(&at) => {
            let same = |a: &Point, b: &Point| {
                let names = |p: &Point| {
                    p.variables
                        .iter()
                        .map(|v| (v.name.clone(), v.rep))
                        .collect::<Vec<_>>()
                };
                names(a) == names(b)
            };
            if !same(&declared.points[at], &point) {
                let message = format!("{name:?} was declared with other variables");
                return Err(Stop::Wrong(super::TraceError::new(start, message)));
            }
        }
        None => {
            declared
                .names
                .insert(name.to_owned(), declared.points.len());
            declared.points.push(point);
        }
    }
    Ok(())
}

/// What a point's name says of its kind, until a line says it.
fn kind_of(name: &str) -> PointKind {
    match name.rsplit_once(":::").map(|(_, kind)| kind) {
        Some("ENTER") => PointKind::Enter,
        Some("EXIT") => PointKind::Exit,
        Some("OBJECT") => PointKind::Object,
        Some("CLASS") => PointKind::Class,
        Some(kind) if kind.starts_with("EXIT") => PointKind::Subexit,
        _ => PointKind::Point,
    }
}

fn of_point(point: &mut Point, word: &[u8], rest: &[u8]) -> Option<()> {
    match word {
        b"ppt-type" => {
            point.kind = match rest {
                b"enter" => PointKind::Enter,
                b"exit" => PointKind::Exit,
                b"subexit" => PointKind::Subexit,
                b"object" => PointKind::Object,
                b"class" => PointKind::Class,
                b"point" => PointKind::Point,
                _ => return None,
            };
        }
        b"flags" => point.flags.extend(words(rest).map(named)),
        b"parent" => point.parents.push(parent(rest, true)?),
        _ => return None,
    }
    Some(())
}

/// `[parent|user] POINT RELATION [VARIABLE]`.
fn parent(rest: &[u8], typed: bool) -> Option<Parent> {
    let mut parts = words(rest);
    let feeds = !typed || parts.next()? == b"parent";
    Some(Parent {
        point: named(parts.next()?),
        feeds,
        relation: int(parts.next()?)?,
        variable: parts.next().map(named),
    })
}

fn int(word: &[u8]) -> Option<i64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

fn of_variable(variable: &mut Variable, word: &[u8], rest: &[u8]) -> Option<()> {
    match word {
        b"var-kind" => {
            let (kind, name) = split(rest);
            variable.kind = match kind {
                b"field" => VariableKind::Field(named(name)),
                b"function" => VariableKind::Function(named(name)),
                b"array" => VariableKind::Array,
                b"variable" => VariableKind::Variable,
                b"return" => VariableKind::Return,
                _ => return None,
            };
        }
        b"enclosing-var" => variable.enclosing = Some(named(rest)),
        b"reference-type" => variable.is_offset = rest == b"offset",
        b"array" => {}
        b"dec-type" => variable.declared = named(rest),
        b"rep-type" => variable.rep = rep(rest)?,
        b"flags" => words(rest).for_each(|flag| set(&mut variable.traits, flag)),
        b"comparability" => variable.comparability = comparability(rest)?,
        b"parent" => variable.parents.push(parent(rest, false)?),
        b"constant" => variable.constant = Some(value(rest, variable.rep)?),
        b"function-args" => variable.arguments = words(rest).map(named).collect(),
        b"min-value" | b"max-value" | b"min-length" | b"max-length" | b"valid-values" => {
            variable
                .limits
                .push((named(word), String::from_utf8_lossy(rest).into_owned()));
        }
        _ => return None,
    }
    Some(())
}

fn rep(word: &[u8]) -> Option<Rep> {
    let (base, sequence) = match word.strip_suffix(b"[]") {
        Some(base) => (base, true),
        None => (word, false),
    };
    let kind = match base {
        b"boolean" => Kind::Boolean,
        b"int" => Kind::Int,
        b"hashcode" => Kind::Reference,
        b"double" => Kind::Double,
        b"java.lang.String" => Kind::Text,
        _ => return None,
    };
    Some(Rep { kind, sequence })
}

fn set(traits: &mut Traits, flag: &[u8]) {
    match flag {
        b"is_param" => traits.parameter = true,
        b"no_dups" => traits.no_duplicates = true,
        b"not_ordered" => traits.unordered = true,
        b"no_size" => traits.no_size = true,
        b"classname" => traits.class_name = true,
        b"to_string" => traits.to_string = true,
        b"synthetic" => traits.synthetic = true,
        b"non_null" => traits.non_null = true,
        b"is_readonly" => traits.read_only = true,
        b"is_property" => traits.property = true,
        b"is_enum" => traits.is_enum = true,
        b"nomod" => traits.no_modification = true,
        // Flags of the future say nothing to us.
        _ => {}
    }
}

/// `7`, `7[3]`: of the elements, of the index.
fn comparability(rest: &[u8]) -> Option<Comparability> {
    let text = std::str::from_utf8(rest).ok()?;
    let (own, index) = match text.split_once('[') {
        Some((own, index)) => (own, index.split_once(']')?.0.parse().ok()?),
        None => (text, -1),
    };
    Some(Comparability {
        own: own.parse().ok()?,
        index,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for name in [
            "a.B.m(int, java.lang.String):::ENTER",
            "a\\b",
            "",
            "\\_",
            "two\nlines",
        ] {
            assert_eq!(named(spelled(name).as_bytes()), name);
        }
        assert_eq!(named(b"m(int,\\_long)"), "m(int, long)");
    }
}
