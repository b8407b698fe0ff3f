//! What variables and methods are called in a sentence.

use calls::Unit;
use chains::Candidate;
use evidence::{Observed, Value};
use flow::{Callable, VariableKind};
use observe::{Assembled, Node};
use program::{BodyId, FileId, Program};
use text::Span;

/// What stands for a variable where a method returns a value.
pub(crate) const RETURNED: &str = "return";

/// A candidate as a reader would name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// `neg`, or `return value of Stats.compare`.
    pub(crate) name: String,
    /// `Stats.compare`, `new Stats`, `static Stats`.
    pub(crate) method: String,
    /// `pkg.Stats#compare(java.util.List)`, `…$lambda2`.
    pub(crate) binary: String,
    pub(crate) kind: VariableKind,
    pub(crate) file: FileId,
    pub(crate) span: Span,
}

impl Named {
    /// Its method and its variable, as [`crate::dismissed`] names them.
    pub(crate) fn key(&self) -> (String, String) {
        let variable = match self.kind {
            VariableKind::Return => RETURNED.to_owned(),
            _ => self.name.clone(),
        };
        (self.binary.clone(), variable)
    }

    /// `neg in Stats.compare`; a returned value says where it is from itself.
    pub(crate) fn in_method(&self) -> String {
        match self.kind {
            VariableKind::Return => self.name.clone(),
            _ => format!("{} in {}", self.name, self.method),
        }
    }
}

/// `pkg.Stats#compare(java.util.List)` of what has a candidate.
fn binary_of(program: &Program, body: BodyId, c: &Candidate) -> Option<String> {
    let binary = program.body_name(body)?;
    Some(match c.callable {
        Callable::Lambda(l) => program.lambda_name(body, l).unwrap_or(binary),
        Callable::Member => binary,
    })
}

/// The method and the variable of a candidate, as [`Named::key`] has them.
pub(crate) fn key_of(program: &Program, body: BodyId, c: &Candidate) -> Option<(String, String)> {
    let variable = match c.kind {
        VariableKind::Return => RETURNED,
        _ => &c.variable,
    };
    Some((binary_of(program, body, c)?, variable.to_string()))
}

/// The name of a vertex that a statement defines; none for observation points.
pub(crate) fn named(
    program: &Program,
    units: &[Unit],
    graph: &Assembled,
    vertex: u32,
) -> Option<Named> {
    let Node::Real { unit, candidate } = *graph.nodes.get(vertex as usize)? else {
        return None;
    };
    let unit = &units[unit.ix()];
    let c = &unit.chains.candidates[candidate as usize];
    let binary = binary_of(program, unit.body, c)?;
    let method = method_words(&binary);
    let name = match c.kind {
        VariableKind::Return => format!("return value of {method}"),
        _ => c.variable.to_string(),
    };
    Some(Named {
        name,
        method,
        binary,
        kind: c.kind,
        file: program.body_file(unit.body)?,
        span: Span::new(unit.start + c.start, unit.start + c.end),
    })
}

/// `pkg.Outer$Inner#method(int)` as people say it: `Outer.Inner.method`; `new Outer` for constructors, `a lambda in …` for
/// lambdas.
pub fn method_words(name: &str) -> String {
    if let Some((around, number)) = name.rsplit_once("$lambda")
        && around.contains('#')
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        return format!("a lambda in {}", method_words(around));
    }
    let (class, method) = name.split_once('#').unwrap_or((name, ""));
    let class = class.rsplit('.').next().unwrap_or(class).replace('$', ".");
    match method.split('(').next().unwrap_or(method) {
        "<init>" => format!("new {class}"),
        "<clinit>" => format!("static {class}"),
        method => format!("{class}.{method}"),
    }
}

/// `a, b or c`
pub(crate) fn any_of(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// `reveal a wrong neg, pos or one of 3 more`
pub(crate) fn reveals(mut named: Vec<String>, more: usize) -> String {
    match more {
        0 => {}
        1 => named.push("one more".to_owned()),
        n => named.push(format!("one of {n} more")),
    }
    format!("reveal a wrong {}", any_of(&named))
}

/// `1st`, `2nd`, `3rd`, `4th`, `11th`.
pub fn ordinal(n: usize) -> String {
    let ending = match (n % 10, n % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// From here on a capability is said to be whole.
pub(crate) const WHOLE: f64 = 0.995;

/// A capability as people say it.
pub(crate) fn percent(foc: f64) -> String {
    if foc >= WHOLE {
        "100 %".to_owned()
    } else if foc < 0.01 {
        "under 1 %".to_owned()
    } else {
        format!("{:.0} %", foc * 100.0)
    }
}

/// The same in brackets; nothing of what is whole.
pub(crate) fn share(foc: f64) -> String {
    match foc >= WHOLE {
        true => String::new(),
        false => format!(" ({})", percent(foc)),
    }
}

/// How many characters of values are said beside an expression, and of what is said of them.
const SAID: usize = 60;

/// The words of a value, cut where they are long.
pub fn cut(mut words: String) -> String {
    if let Some((at, _)) = words.char_indices().nth(SAID) {
        words.truncate(at);
        words.push('…');
    }
    words
}

/// ` = 3`, ` = 2, 5, … (7 values)`, cut where it is long. Nothing of an object of which only the class is known.
pub(crate) fn values_in_words(observed: &Observed) -> Option<String> {
    let is_known = |v: &Value| !matches!(v, Value::Opaque { .. } | Value::Absent);
    if observed.values.is_empty() || !observed.values.iter().all(is_known) {
        return None;
    }
    let first: Vec<String> = observed.values.iter().take(2).map(Value::short).collect();
    let own = cut(first.join(", "));
    // Whether a later one was another, nobody looked; there are two truth values.
    let is_more = observed.cut
        && !(observed.values.len() == 2
            && observed.values.iter().all(|v| matches!(v, Value::Bool(_))));
    Some(match observed.values.len() {
        1 if is_more => format!(" = {own}, … (at least 1 value)"),
        all if is_more => format!(" = {own}, … (at least {all} values)"),
        all if all > 2 => format!(" = {own}, … ({all} values)"),
        _ => format!(" = {own}"),
    })
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn places_are_counted_as_people_do() {
        let said: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal).to_vec();
        let expected = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
        ];
        assert_eq!(said, expected);
    }
}
