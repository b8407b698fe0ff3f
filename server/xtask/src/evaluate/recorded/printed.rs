//! Whether values that a recording kept are those that the program had: a statement behind the definition prints it, as a person
//! who does not trust the recording would have it, and the tests run once more without the agent. The same of observation
//! points, where the assertion would go ([`points`]).

mod points;
mod put;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use evidence::{Observed, Told, Value};
use flow::VariableKind;
use ide::Analysis;
use ide::inner::{CandidateId, place_of, seen_inside};
use ide::weave::{definitions, inside};
use program::{FileId, MethodId};

use super::TRIES;
use super::build::Build;
use super::insert::{reported_as, restore};
use crate::Result;
use crate::evaluate::chance::Chance;
use points::Compared;
use put::Print;

/// Of a definition that ran more often nothing is printed.
const OFTEN: u64 = 1000;

/// Nor of one in the code under test that ran more often in all tests together.
const IN_ALL: u64 = 20_000;

/// A definition with what was recorded of it in a test.
struct Sample {
    test: MethodId,
    file: FileId,
    /// Behind the statement.
    at: u32,
    variable: String,
    seen: Observed,
}

/// How many values were printed, of the tests' own and of the code under test, and those that are others.
pub(super) struct Printed {
    pub(super) own: usize,
    pub(super) inside: usize,
    pub(super) others: Vec<String>,
    /// Observation points, and how many of them were printed.
    pub(super) points: Compared,
    pub(super) asked: usize,
}

/// Draws up to `count` definitions, half of them in tests, and up to `count` observation points; prints and compares them.
pub(super) fn printed(
    analysis: &Analysis,
    build: &Build<'_>,
    count: usize,
    seed: u64,
) -> Result<Printed> {
    let mut chance = Chance::new(seed);
    let mut drawn = Vec::new();
    let mut counts = [0, 0];
    for (at, all) in [own(analysis), within(analysis)].into_iter().enumerate() {
        // What one statement does in a hundred tests would be most of a draw.
        let mut places = BTreeSet::new();
        for n in chance.draw(all.len(), all.len()) {
            let (test, id, seen) = &all[n];
            if counts[at] < count / 2
                && let Some(sample) = sample(analysis, *test, *id, seen)
                && !is_built(build.root, analysis, sample.file)
                && places.insert((sample.file, sample.at))
            {
                drawn.push(sample);
                counts[at] += 1;
            }
        }
    }
    let lines = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    let mut prints: Vec<Print> = Vec::new();
    for (n, sample) in drawn.iter().enumerate() {
        prints.push(Print {
            file: sample.file,
            at: sample.at,
            text: print(n, &sample.variable, lines.path()),
            point: None,
        });
    }
    let (points, own) = points::drawn(analysis, build, count, &mut chance);
    prints.extend(own);
    let (text, refused) = ran(analysis, build, &prints, lines.path())?;
    let passed = build.passed();
    let program = analysis.program();
    let fixtures: Vec<String> = program
        .files()
        .iter()
        .flat_map(|f| program.types_of_file(*f))
        .flat_map(|t| program.methods_of_type(*t))
        .filter(|m| analysis.workspace().suite().kind(**m) == Some(oracle::TestKind::SetUp))
        .map(|m| frame(&program.method_name(*m)))
        .collect();
    let mut others = Vec::new();
    for (n, sample) in drawn.iter().enumerate() {
        let name = program.method_name(sample.test);
        let (found, set_up) = of(&text, n, &name, &fixtures);
        let wanted: Vec<String> = sample.seen.values.iter().filter_map(shown).collect();
        // In which order the runs of a test come is the framework's business.
        let is_once = name.ends_with("()") && reported_as(program, sample.test).len() == 1;
        if !agree(&wanted, sample.seen.count, &found, &set_up, is_once) {
            let different = different(&found);
            let path = program.path(sample.file).map_or("", |p| p);
            others.push(format!(
                "{name}: {} in {path}: recorded {wanted:?}, {} times; printed {different:?}, {} times",
                sample.variable,
                sample.seen.count,
                found.len()
            ));
        }
    }
    Ok(Printed {
        own: counts[0],
        inside: counts[1],
        others,
        asked: points.len(),
        points: points.compared(analysis, &text, &passed, &refused),
    })
}

/// Runs the tests with what prints, and puts the files back; what was printed, and the points that the compiler refuses.
fn ran(
    analysis: &Analysis,
    build: &Build<'_>,
    prints: &[Print],
    to: &Path,
) -> Result<(String, BTreeSet<usize>)> {
    let (mut refused, mut said, mut made) = (BTreeSet::new(), String::new(), BTreeSet::new());
    for _ in 0..TRIES {
        made.extend(put::write(analysis, build.root, prints, &refused, to)?);
        said = build.tests()?;
        let errors = Build::errors(&said);
        let at = errors.iter().map(|e| (&*e.file, e.line));
        let more = put::refused(analysis, prints, &at.collect::<Vec<_>>());
        if let (Some(error), true) = (errors.first(), more.is_subset(&refused)) {
            let line = |l: &&str| l.contains("symbol:") || l.contains("location:");
            let more: Vec<&str> = said.lines().filter(line).take(2).collect();
            return Err(format!("what prints does not compile: {error:?} {more:?}"));
        }
        refused.extend(more);
        if errors.is_empty() {
            break;
        }
    }
    for file in prints.iter().map(|p| p.file).collect::<BTreeSet<_>>() {
        restore(analysis, build.root, file)?;
    }
    for class in made {
        std::fs::remove_file(class).map_err(|e| e.to_string())?;
    }
    let text = std::fs::read_to_string(to).map_err(|e| e.to_string())?;
    if text.is_empty() && !prints.is_empty() {
        let last: Vec<&str> = said.lines().rev().take(20).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        return Err(format!("nothing was printed:\n{}", last.join("\n")));
    }
    Ok((text, refused))
}

/// Each value once, in order.
fn different<'a>(all: &[&'a str]) -> Vec<&'a str> {
    let mut out: Vec<&str> = Vec::new();
    for value in all {
        if !out.contains(value) {
            out.push(value);
        }
    }
    out
}

/// True if what was recorded, and how often, is what was printed: in its order where the test runs once. What was printed while
/// tests were set up may be of this one or of others.
fn agree(wanted: &[String], count: u64, found: &[&str], set_up: &[&str], is_once: bool) -> bool {
    let different = different(found);
    let is_wanted = |value: &&str| wanted.iter().any(|w| w == value);
    let often = found.len() as u64;
    if set_up.is_empty() {
        let is_same = match is_once {
            true => different == wanted,
            false => wanted.len() == different.len() && different.iter().all(is_wanted),
        };
        return is_same && often == count;
    }
    let is_printed = |w: &String| different.contains(&w.as_str()) || set_up.contains(&w.as_str());
    often <= count && different.iter().all(is_wanted) && wanted.iter().all(is_printed)
}

/// True for what the build writes: it would write it again.
fn is_built(root: &Path, analysis: &Analysis, file: FileId) -> bool {
    let path = analysis.program().path(file);
    path.is_some_and(|path| project::is_built(root, path))
}

/// A definition, with what it was in a test.
type Defined = (MethodId, CandidateId, Observed);

/// What the tests define.
fn own(analysis: &Analysis) -> Vec<Defined> {
    let mut out = Vec::new();
    for (test, told) in told(analysis) {
        let mut variables = told.variables.all();
        for (id, seen) in definitions(analysis, test) {
            let observed = variables.remove(&seen);
            out.extend(observed.map(|seen| (test, id, seen)));
        }
    }
    out
}

/// What the code under test defines while tests run.
fn within(analysis: &Analysis) -> Vec<Defined> {
    let told = told(analysis).into_iter();
    let all: Vec<_> = told.map(|(test, told)| (test, told.inside.all())).collect();
    let tests: Vec<MethodId> = all.iter().map(|(test, _)| *test).collect();
    let ids = inside(analysis, &tests).into_values().flatten();
    let ids: Vec<CandidateId> = ids.collect();
    let mut out = Vec::new();
    for id in ids {
        let Some(key) = seen_inside(analysis, id) else {
            continue;
        };
        // It prints in all tests that run it, drawn or not.
        let counts = all.iter().filter_map(|(_, own)| Some(own.get(&key)?.count));
        if counts.sum::<u64>() > IN_ALL {
            continue;
        }
        for (test, own) in &all {
            let observed = own.get(&key);
            out.extend(observed.map(|seen| (*test, id, seen.clone())));
        }
    }
    out
}

/// The tests of which something fresh is kept, and that.
fn told(analysis: &Analysis) -> Vec<(MethodId, Arc<Told>)> {
    let tests = analysis.workspace().suite().tests().iter();
    let told = tests.filter_map(|t| Some((*t, analysis.fresh(*t)?)));
    told.filter(|(_, told)| told.passed).collect()
}

/// Nothing where it cannot be printed behind its statement, or was another value in another run.
fn sample(analysis: &Analysis, test: MethodId, id: CandidateId, seen: &Observed) -> Option<Sample> {
    let is_told = !seen.cut && !seen.once && !seen.is_unstable();
    let is_shown = seen.values.iter().all(|v| shown(v).is_some());
    if !is_told || !is_shown || seen.values.is_empty() || seen.count > OFTEN {
        return None;
    }
    let program = analysis.program();
    let file = program.body_file(id.body)?;
    let chains = analysis.workspace().chains(id.body)?;
    let candidate = &chains.candidates[id.index as usize];
    let local = candidate.local?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    if candidate.kind != VariableKind::Local || !candidate.variable.chars().all(is_name) {
        return None;
    }
    let place = place_of(analysis, id)?.span;
    let base = place.start - candidate.start;
    let (start, end) = statement(program.text(file)?, place.start, place.end)?;
    let mut here = chains
        .candidates
        .iter()
        .filter(|c| c.local == Some(local) && (start..end).contains(&(c.start + base)));
    (here.next().is_some() && here.next().is_none()).then(|| Sample {
        test,
        file,
        at: end,
        variable: candidate.variable.to_string(),
        seen: seen.clone(),
    })
}

/// Start and end of the declaration or assignment of a block in which a definition stands; but for an assignment that a loop
/// repeats, which a recording looks at behind the loop.
fn statement(text: &str, start: u32, end: u32) -> Option<(u32, u32)> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&syntax::language()).ok()?;
    let tree = parser.parse(text, None)?;
    let mut node = tree
        .root_node()
        .descendant_for_byte_range(start as usize, end as usize)?;
    loop {
        let parent = node.parent()?;
        let is_statement = matches!(
            node.kind(),
            "local_variable_declaration" | "expression_statement"
        );
        if is_statement && parent.kind() == "block" {
            let mut around = std::iter::successors(Some(parent), |n| n.parent());
            let is_loop = |n: &tree_sitter::Node<'_>| {
                let own = [
                    "for_statement",
                    "enhanced_for_statement",
                    "while_statement",
                    "do_statement",
                ];
                own.contains(&n.kind())
            };
            if node.kind() == "expression_statement" && around.any(|n| is_loop(&n)) {
                return None;
            }
            return Some((node.start_byte() as u32, node.end_byte() as u32));
        }
        // It may run later, or not at all.
        if is_statement || matches!(node.kind(), "lambda_expression" | "class_body" | "block") {
            return None;
        }
        node = parent;
    }
}

/// As the statement that prints has it.
fn shown(value: &Value) -> Option<String> {
    let text = match value.unboxed() {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Byte(n) => n.to_string(),
        Value::Short(n) => n.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Long(n) => n.to_string(),
        Value::Char(c) => char::from_u32(u32::from(*c))?.to_string(),
        // As bits: how a number is printed is none of the recording's business.
        Value::Float(bits) => format!("f{}", *bits as i32),
        Value::Double(bits) => format!("d{}", *bits as i64),
        Value::Enum { name, .. } => name.to_string(),
        Value::Text(text) if text.units.len() < 200 => String::from_utf16(&text.units).ok()?,
        _ => return None,
    };
    let plain = text.replace('\\', "\\\\");
    let plain = plain.replace('\n', "\\n").replace('\r', "\\r");
    Some(plain.replace('\t', "\\t"))
}

/// Prints number, value and the calls that lead there.
fn print(n: usize, variable: &str, to: &Path) -> String {
    let to = put::quoted(to);
    format!(
        " {{ Object telltaleV = {variable}; \
         String telltaleS = telltaleV instanceof Enum ? ((Enum<?>) telltaleV).name() \
         : telltaleV instanceof Float ? \"f\" + Float.floatToRawIntBits((Float) telltaleV) \
         : telltaleV instanceof Double ? \"d\" + Double.doubleToRawLongBits((Double) telltaleV) \
         : String.valueOf(telltaleV).replace(\"\\\\\", \"\\\\\\\\\").replace(\"\\n\", \"\\\\n\")\
         .replace(\"\\r\", \"\\\\r\").replace(\"\\t\", \"\\\\t\"); \
         try (java.io.Writer telltaleW = new java.io.OutputStreamWriter(new java.io.FileOutputStream(\"{to}\", true), \"UTF-8\")) {{ \
         telltaleW.write(\"{n}\\t\" + telltaleS + \"\\t\" + java.util.Arrays.toString(new Throwable().getStackTrace()) + \"\\n\"); }} \
         catch (java.io.IOException telltaleE) {{ throw new IllegalStateException(telltaleE); }} }}"
    )
}

/// `pkg.Class.method(`, as stacks have it.
fn frame(method: &str) -> String {
    let name = method.split('(').next().unwrap_or_default();
    format!("{}(", name.replace('#', "."))
}

/// What was printed of one in a test, in order, and what while tests were set up.
fn of<'a>(
    text: &'a str,
    n: usize,
    test: &str,
    fixtures: &[String],
) -> (Vec<&'a str>, Vec<&'a str>) {
    let number = format!("{n}\t");
    let lines = text.lines().filter_map(|line| line.strip_prefix(&number));
    let lines: Vec<(&str, &str)> = lines.filter_map(|l| l.rsplit_once('\t')).collect();
    let of = |frames: &[String]| -> Vec<&str> {
        let is_of = |calls: &str| frames.iter().any(|frame| calls.contains(frame.as_str()));
        let own = lines.iter().filter(|(_, calls)| is_of(calls));
        own.map(|(value, _)| *value).collect()
    };
    (of(&[frame(test)]), of(fixtures))
}

#[cfg(test)]
mod tests {
    use super::agree;

    #[test]
    fn what_is_recorded_is_what_is_printed() {
        let of = |wanted: &[&str], count, found: &[&str], set_up: &[&str], is_once| {
            let wanted: Vec<String> = wanted.iter().map(|w| (*w).to_owned()).collect();
            agree(&wanted, count, found, set_up, is_once)
        };
        assert!(of(&["1", "2"], 3, &["1", "2", "1"], &[], true));
        assert!(!of(&["1", "2"], 2, &["1", "2", "1"], &[], true), "as often");
        assert!(!of(&["2", "1"], 3, &["1", "2", "1"], &[], true), "in order");
        assert!(of(&["2", "1"], 3, &["1", "2", "1"], &[], false));
        assert!(!of(&["1"], 3, &["1", "2", "1"], &[], false), "all of them");
        // One of the five that set-ups printed is of this test.
        assert!(of(&["0", "1"], 2, &["1"], &["0"; 5], true));
        assert!(!of(&["0", "1"], 2, &["2"], &["0"; 5], true));
        assert!(!of(&["0", "3"], 2, &["0"], &["0"; 5], true));
    }
}
