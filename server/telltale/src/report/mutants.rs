//! `telltale.mutants/1`, and what people read of mutants.

mod parts;
mod read;

pub(crate) use parts::joined;
pub(crate) use read::read;

use crate::mutants::{Cure, Method, Remedy, Survey, Survivor, inside_tells};
use crate::screen::{BOLD, DIM, NAME, PLAIN, WARNING};
use crate::words::plural;
use ide::{PlacedEdit, method_words};
use mutants::Operator;
use serde_json::{Map, Value, json};
use std::io::Write;

/// How many tests, methods and files are named.
const NAMED: usize = 10;

const SCHEMA: &str = "telltale.mutants/1";

/// What was asked, as JSON tells it.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) root: String,
    /// What of it: `src/main/java/own/Stats.java`.
    pub(crate) path: String,
    pub(crate) lines: Option<(u32, u32)>,
    pub(crate) shard: Option<(usize, usize)>,
}

pub(crate) fn text(out: &mut impl Write, survey: &Survey) -> std::io::Result<()> {
    for (n, one) in survey.pseudo_tested.iter().enumerate() {
        if n == 0 {
            writeln!(
                out,
                "{BOLD}Pseudo-tested: all of the method can be left out, and no test fails{PLAIN}"
            )?;
        }
        let by = plural(one.tests, "test", "tests");
        let Method { path, line, .. } = &one.method;
        let words = one.method.words();
        writeln!(
            out,
            "{NAME}{path}:{line}{PLAIN}  {words}  {DIM}run by {by}{PLAIN}"
        )?;
        remedy(out, one)?;
    }
    if !survey.pseudo_tested.is_empty() && !survey.survivors.is_empty() {
        writeln!(out)?;
    }
    for one in &survey.survivors {
        let by = plural(one.tests, "test", "tests");
        writeln!(
            out,
            "{NAME}{}:{}{PLAIN}  {}  {DIM}run by {by}{PLAIN}",
            one.method.path, one.line, one.words
        )?;
        remedy(out, one)?;
    }
    if !survey.pseudo_tested.is_empty() || !survey.survivors.is_empty() {
        writeln!(out)?;
    }
    if !survey.not_run.is_empty() {
        writeln!(out, "{BOLD}Run by no test{PLAIN}")?;
        for not_run in &survey.not_run {
            let Method { path, line, .. } = &not_run.method;
            let mutants = plural(not_run.mutants, "mutant", "mutants");
            let words = not_run.method.words();
            let lines = on_lines(&not_run.lines);
            writeln!(
                out,
                "{NAME}{path}:{line}{PLAIN}  {words}  {DIM}{mutants}{lines}{PLAIN}"
            )?;
        }
        writeln!(out)?;
    }
    if !survey.equivalent.is_empty() {
        let n = plural(survey.equivalent.len(), "mutant looks", "mutants look");
        writeln!(
            out,
            "{DIM}{n} equivalent, since the code returns the same constant there:{PLAIN}"
        )?;
        for one in &survey.equivalent {
            writeln!(
                out,
                "{DIM}{}:{}  {}{PLAIN}",
                one.method.path, one.line, one.words
            )?;
        }
        writeln!(out)?;
    }
    notes(out, survey)?;
    summary(out, survey)
}

fn remedy(out: &mut impl Write, survivor: &Survivor) -> std::io::Result<()> {
    match &survivor.remedy {
        Remedy::Read(cure) => {
            let Cure {
                expression,
                was,
                with_mutant,
                path,
                line,
                ..
            } = &**cure;
            let test = method_words(&cure.test);
            writeln!(
                out,
                "    {expression} tells: it is {was}, and would be {with_mutant}"
            )?;
            match &cure.assertion {
                Some(assertion) => {
                    // What is put around a call is written before its semicolon.
                    let is_around = !assertion.trim_end().ends_with([';', '}']);
                    let inserts = |e: &&PlacedEdit| e.start == e.end && e.start.0 == *line;
                    let inserted = cure.edits.iter().find(inserts);
                    let (place, end) = match inserted {
                        _ if is_around => (", in place of the call there", ";"),
                        Some(edit) if edit.text.starts_with(['\n', '\r']) => (", after it", ""),
                        Some(_) => (", before it", ""),
                        None => ("", ""),
                    };
                    writeln!(out, "    in {test}, {path}:{line}{place}")?;
                    let mut lines = assertion.trim_end().lines().peekable();
                    while let Some(line) = lines.next() {
                        let end = if lines.peek().is_some() { "" } else { end };
                        writeln!(out, "      {}{end}", line.trim_end())?;
                    }
                    Ok(())
                }
                None => {
                    let why = match cure.is_object {
                        true => "its fields differ, and no assertion was written on them",
                        false => "no short assertion says which",
                    };
                    writeln!(out, "    in {test}, {path}:{line}; {why}")
                }
            }
        }
        Remedy::Inside(within) => writeln!(out, "    {}", inside_tells(within)),
        Remedy::Mocked { call, test } => writeln!(
            out,
            "    a mock takes the call: {call} tells, in {}",
            method_words(test)
        ),
        Remedy::None if survivor.operator == Operator::ConditionalsBoundary => writeln!(
            out,
            "    no value that was looked at tells: is there a test in which both sides are equal?"
        ),
        Remedy::None => writeln!(out, "    no value that was looked at tells"),
    }
}

/// ` on line 75`, ` on lines 75, 80, 81, …`
fn on_lines(lines: &[u32]) -> String {
    let named: Vec<String> = lines.iter().take(NAMED).map(u32::to_string).collect();
    let more = if lines.len() > NAMED { ", …" } else { "" };
    match lines {
        [] => String::new(),
        [line] => format!(" on line {line}"),
        _ => format!(" on lines {}{more}", named.join(", ")),
    }
}

fn notes(out: &mut impl Write, survey: &Survey) -> std::io::Result<()> {
    let mut lines: Vec<String> = Vec::new();
    if !survey.unstable.is_empty() {
        let n = plural(
            survey.unstable.len(),
            "test is left out, which does",
            "tests are left out, which do",
        );
        lines.push(format!(
            "{n} not pass each time without a mutant, in a JVM of our own:"
        ));
        let first = survey.unstable.iter().take(NAMED);
        lines.extend(first.map(|(test, why)| match why {
            Some(why) => format!("    {test}: {why}"),
            None => format!("    {test}"),
        }));
        if survey.unstable.len() > NAMED {
            lines.push(format!("    and {} more", survey.unstable.len() - NAMED));
        }
    }
    lines.extend(survey.ends.iter().map(|line| format!("left out: {line}")));
    let files = survey.left_out.iter();
    lines.extend(files.map(|(path, why)| format!("{path} left out: {why}")));
    lines.extend(survey.notes.iter().cloned());
    for line in &lines {
        writeln!(out, "{WARNING}{line}{PLAIN}")?;
    }
    match lines.is_empty() {
        true => Ok(()),
        false => writeln!(out),
    }
}

fn summary(out: &mut impl Write, survey: &Survey) -> std::io::Result<()> {
    let c = &survey.counts;
    let mut parts = vec![
        format!("{} killed", c.killed),
        format!("{} survived", c.survived),
        format!("{} run by no test", c.not_run),
    ];
    let more = [
        (c.too_slow, "too slow"),
        (c.ended, "ended the JVM"),
        (c.looks_equivalent, "survived and look equivalent"),
    ];
    let more = more.iter().filter(|(n, _)| *n > 0);
    parts.extend(more.map(|(n, what)| format!("{n} {what}")));
    if !survey.pseudo_tested.is_empty() {
        let n = plural(
            survey.pseudo_tested.len(),
            "method is pseudo-tested",
            "methods are pseudo-tested",
        );
        parts.push(n);
    }
    writeln!(
        out,
        "{}: {}",
        plural(c.mutants, "mutant", "mutants"),
        parts.join(", ")
    )
}

/// `telltale.mutants/1`.
pub(crate) fn json(asked: &Asked, survey: &Survey) -> Value {
    let c = &survey.counts;
    let mut out = json!({
        "schema": SCHEMA,
        "root": asked.root,
        "path": asked.path,
        "run": { "tool": survey.tool, "java": survey.java, "tests": survey.tests },
        "counts": {
            "mutants": c.mutants,
            "killed": c.killed,
            "survived": c.survived,
            "not_run": c.not_run,
            "too_slow": c.too_slow,
            "ended": c.ended,
            "looks_equivalent": c.looks_equivalent,
            "pseudo_tested": survey.pseudo_tested.len(),
        },
        "pseudo_tested": survey.pseudo_tested.iter().map(survivor).collect::<Vec<_>>(),
        "survivors": survey.survivors.iter().map(survivor).collect::<Vec<_>>(),
        "equivalent": survey.equivalent.iter().map(mutant).collect::<Vec<_>>(),
        "not_run": survey.not_run.iter().map(|n| json!({
            "method": n.method.name, "path": n.method.path, "line": n.method.line, "mutants": n.mutants, "lines": n.lines,
        })).collect::<Vec<_>>(),
        "unstable": survey.unstable.iter().map(|(test, _)| test).collect::<Vec<_>>(),
        "unstable_why": survey.unstable.iter().filter_map(|(test, why)| Some((test.clone(), json!(why.as_ref()?)))).collect::<Map<_, _>>(),
        "ended": survey.ends,
        "left_out": survey.left_out.iter().map(|(path, why)| json!({ "path": path, "why": why })).collect::<Vec<_>>(),
        "notes": survey.notes,
    });
    if let Some((from, to)) = asked.lines {
        out["lines"] = json!([from, to]);
    }
    if let Some((part, of)) = asked.shard {
        out["shard"] = json!([part, of]);
        out["dealt"] = json!(format!("{:016x}", survey.dealt));
    }
    out
}

fn mutant(one: &Survivor) -> Value {
    json!({
        "path": one.method.path,
        "line": one.line,
        "method": one.method.name,
        "operator": one.operator.name(),
        "ordinal": one.ordinal,
        "message": one.words,
        "tests": one.tests,
    })
}

fn survivor(one: &Survivor) -> Value {
    let mut out = mutant(one);
    match &one.remedy {
        Remedy::Read(cure) => out["cure"] = cured(cure),
        Remedy::Inside(within) => {
            out["inside"] = json!({ "name": within.name, "test": within.test });
            if let Some((path, line)) = &within.place {
                out["inside"]["path"] = json!(path);
                out["inside"]["line"] = json!(line);
            }
        }
        Remedy::Mocked { call, test } => out["mocked"] = json!({ "call": call, "test": test }),
        Remedy::None => {}
    }
    out
}

fn cured(cure: &Cure) -> Value {
    let edits = cure.edits.iter().map(|e| {
        json!({
            "path": cure.path,
            "line": e.start.0,
            "column": e.start.1,
            "end_line": e.end.0,
            "end_column": e.end.1,
            "text": e.text,
        })
    });
    let mut out = json!({
        "test": cure.test,
        "path": cure.path,
        "line": cure.line,
        "expression": cure.expression,
        "value": cure.was,
        "with_mutant": cure.with_mutant,
        "offered": cure.is_offered,
        "object": cure.is_object,
    });
    if let Some(assertion) = &cure.assertion {
        out["assertion"] = json!(assertion);
        out["edits"] = edits.collect();
    }
    out
}
