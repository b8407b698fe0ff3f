//! What a value of the code under test was when its test was recorded: an inner oracle begins with it.

use super::{CandidateId, What};
use crate::analysis::Analysis;
use chains::Candidate;
use evidence::{Seen, Value};
use program::{MethodId, TypeId};
use smol_str::SmolStr;

/// How long an expected value may be, in bytes.
const LENGTH: usize = 200;
/// How many elements an expected array may have.
const ELEMENTS: usize = 10;

/// What is to be expected of a value: none where it was another from run to run or from turn to turn, where other code
/// was recorded, or where no short literal says it.
pub(super) fn recorded(analysis: &Analysis, test: MethodId, id: CandidateId) -> Option<What> {
    let told = analysis.believed(test)?;
    let seen = seen_inside(analysis, id)?;
    let observed = told.inside.get(&seen)?;
    let literal = literal(analysis, id, observed.stable()?)?;
    (literal.len() <= LENGTH).then_some(What::Equal(literal))
}

/// The name of a definition of the code under test in the evidence.
pub fn seen_inside(analysis: &Analysis, id: CandidateId) -> Option<Seen> {
    let candidates = &analysis.workspace().chains(id.body)?.candidates;
    let own = candidates.get(id.index as usize)?;
    let place = |c: &Candidate, index: usize| (c.start, c.end, index);
    let before = candidates.iter().enumerate().filter(|(index, c)| {
        c.variable == own.variable && place(c, *index) < place(own, id.index as usize)
    });
    let member = analysis.program().body_name(id.body)?;
    // What a method returns has no name of its own.
    let name = format!("{member} {}", own.variable);
    Some(Seen {
        variable: SmolStr::new(name.trim_end()),
        nth: before.count() as u32,
    })
}

/// As the class that checks call writes it, see `InnerOracle.literal`.
fn literal(analysis: &Analysis, id: CandidateId, value: &Value) -> Option<String> {
    match value.unboxed() {
        Value::Byte(n) => Some(format!("(byte) {n}")),
        Value::Short(n) => Some(format!("(short) {n}")),
        Value::Enum { class, name } => {
            Some(format!("{}.{name}", class_named(analysis, id, class)?))
        }
        Value::Array {
            class,
            length,
            elements,
        } => {
            let element = class.strip_suffix("[]").filter(|e| !e.ends_with(']'))?;
            let element = match element {
                "java.lang.String" => "String",
                // Other classes need a name.
                e if e.contains('.') => return None,
                e => e,
            };
            if *length != elements.len() as u64 || elements.len() > ELEMENTS {
                return None;
            }
            let all: Option<Vec<String>> = elements.iter().map(Value::literal).collect();
            Some(match elements.is_empty() {
                true => format!("new {element}[] {{}}"),
                false => format!("new {element}[] {{ {} }}", all?.join(", ")),
            })
        }
        other => other.literal(),
    }
}

/// How the code under test names a class of the workspace; none if it may not.
fn class_named(analysis: &Analysis, id: CandidateId, binary: &str) -> Option<String> {
    let program = analysis.program();
    let set = program.source_set(program.body_file(id.body)?)?;
    let class = program.find_type(set, binary)?;
    let own = program.body_owner(id.body);
    let mut around = std::iter::successors(Some(class), |t: &TypeId| program.enclosing_type(*t));
    let is_open = |t: TypeId| {
        let decl = program.type_decl(t);
        decl.is_some_and(|d| program.accessible(t, d.modifiers, own))
    };
    if !around.all(is_open) {
        return None;
    }
    let package = |of: &str| {
        of.rsplit_once('.')
            .map_or(0, |(package, _)| package.len() + 1)
    };
    let is_here = binary.get(..package(binary)) == {
        let own = program.type_name(own);
        own.get(..package(own))
    };
    let from = if is_here { package(binary) } else { 0 };
    Some(binary.get(from..)?.replace('$', "."))
}
