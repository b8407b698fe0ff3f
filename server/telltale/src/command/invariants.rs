//! `telltale invariants`: what always held, learnt from traces in Daikon's format.

use crate::args::{Format, Invariants};
use crate::failure::Failure;
use crate::load::Progress;
use crate::screen::{Notation, Screen, say, show_json, show_text};
use crate::trace::{self, Trace};
use flate2::read::MultiGzDecoder;
use invariants::study::{Learnt, Study};
use invariants::term::terms;
use invariants::trace::{Declarations, Reader, Sample};
use invariants::{Claim, Constraint, Family, Fate, Look, Options, Value, Variable, Verdict};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// Between two signs of life.
const STEP: u64 = 100_000;

pub(crate) fn run(args: &Invariants) -> Result<(), Failure> {
    if let Some(to) = &args.write {
        return trace::write(&args.traces, to, args.quiet);
    }
    let traces = args.traces.iter().map(|path| Trace::of(path, args.quiet));
    let traces: Vec<Trace> = traces.collect::<Result<_, _>>()?;
    let mut study = Study::new(options(args));
    let mut constants = Constants::new();
    each(args, &traces, &mut |declared, sample| {
        study.declare(declared.points());
        let point = &declared.points()[sample.point];
        if args.why.is_some() {
            note_constants(&mut constants, &point.variables, sample.values);
        }
        study.see(&point.name, sample.nonce, sample.values);
    })?;
    if !args.quiet {
        note(
            study.unmatched(),
            "exit without its entry was not counted",
            "exits without their entries were not counted",
        );
        note(
            study.unfinished(),
            "call did not return",
            "calls did not return",
        );
    }
    if let Some([point, claim]) = args.why.as_deref() {
        return why(args, &traces, (&mut study, &constants), point, claim);
    }
    let mut learnt = study.learnt();
    if let Some(text) = &args.point {
        learnt.retain(|l| l.point.contains(text.as_str()));
    }
    match args.format {
        Format::Text => show_text(|out| text(out, &learnt)),
        Format::Json => show_json(&report(args, &learnt)),
    }
}

/// Names of constants that were seen, whatever held them.
type Constants = BTreeSet<Arc<str>>;

fn note_constants(seen: &mut Constants, variables: &[Variable], values: &[Value]) {
    let mut note = |name: &Arc<str>| {
        if !seen.contains(name) {
            seen.insert(Arc::clone(name));
        }
    };
    let all = variables.iter().zip(values);
    for (_, value) in all.filter(|(v, _)| v.look == Look::Constant) {
        match value {
            Value::Text(name) => name.iter().for_each(&mut note),
            Value::Texts(names) => names.iter().flatten().for_each(&mut note),
            _ => {}
        }
    }
}

/// Says what became of one constraint. What samples falsified is not kept: they are read again for this one.
fn why(
    args: &Invariants,
    traces: &[Trace],
    (study, constants): (&mut Study, &Constants),
    point: &str,
    claim: &str,
) -> Result<(), Failure> {
    let Some(known) = study.point(point).cloned() else {
        return Err(Failure::usage(
            format!("no point is called {point}"),
            "`telltale invariants` lists the points that were visited",
        ));
    };
    let out = std::io::BufWriter::new(anstream::stdout().lock());
    let mut out = Screen::new(out, Notation::Text);
    let all = study.all(point).unwrap_or_default();
    let written = |text: &str| all.iter().find(|(c, _)| c.text == text);
    // Some constraints are told that nobody can ask of a sample.
    if let Some(known) = written(claim.trim()) {
        return told(out, known);
    }
    let text = claim;
    let is_constant = |name: &str| constants.contains(name);
    let claim = Claim::parse_knowing(&known, text, &is_constant).map_err(|said| {
        Failure::usage(
            said,
            "write it as `telltale invariants` does, as in 'x > 0'",
        )
    })?;
    let mut spellings = claim.spellings(text, &terms(&known));
    if let Some(known) = spellings.find_map(|text| written(&text)) {
        return told(out, known);
    }
    let mut again = Study::new(options(args));
    let (mut held, mut missing, mut broken) = (0u64, 0u64, None);
    each(args, traces, &mut |declared, sample| {
        again.declare(declared.points());
        let name = &declared.points()[sample.point].name;
        again.see_with(name, sample.nonce, sample.values, &mut |at, values| {
            if at == point && broken.is_none() {
                match claim.judge(values) {
                    Verdict::Holds => held += 1,
                    Verdict::Missing => missing += 1,
                    Verdict::Broken => broken = Some((name.clone(), sample.line)),
                }
            }
        });
    })?;
    match broken {
        Some((name, line)) => writeln!(
            out,
            "broken by the sample of {name} at line {line}; before that it held {held} times, and a value was missing {missing} times"
        )?,
        None if held == 0 => {
            writeln!(out, "not told: in all {missing} samples a value is missing")?
        }
        None => {
            let believed = all.iter().filter(|(_, fate)| *fate == Fate::Reported);
            let believed = believed.map(|(c, _)| c);
            match claim.implied_by(believed.clone(), believed) {
                Some((by, None)) => writeln!(out, "told: {} says it", by.text)?,
                Some((by, Some(equal))) => {
                    writeln!(out, "told: {} and {} say it", by.text, equal.text)?;
                }
                None => writeln!(
                    out,
                    "not told: it holds in {held} samples ({missing} times a value is missing), but constraints are not written like that, or of an equal variable"
                )?,
            }
        }
    }
    out.flush()?;
    Ok(())
}

/// Says what became of a constraint that no sample contradicts.
fn told(
    mut out: Screen<impl Write>,
    (constraint, fate): &(Constraint, Fate),
) -> Result<(), Failure> {
    let (n, sure) = (constraint.samples, constraint.confidence);
    match fate {
        Fate::Reported => writeln!(out, "told: it held in {n} samples, confidence {sure}")?,
        Fate::Unjustified { has, needs } => writeln!(
            out,
            "not told: it held in {n} samples, but that may be chance; confidence {has}, it needs {needs}"
        )?,
        Fate::Obvious(why) => writeln!(out, "not told, for it need not be: {why}")?,
        Fate::OnlyConstants => writeln!(out, "not told: all of its values are constant, and told")?,
        Fate::Above(above) => writeln!(out, "not told: it holds at {above}, which tells it")?,
        Fate::Parameter => writeln!(
            out,
            "not told: the caller does not see what became of the parameter"
        )?,
    }
    out.flush()?;
    Ok(())
}

fn options(args: &Invariants) -> Options {
    let base = if args.all {
        Options {
            elements_of_doubles: true,
            ..Options::for_checking()
        }
    } else {
        Options::default()
    };
    Options {
        limit: args.confidence,
        without: args
            .without
            .iter()
            .filter_map(|name| Family::named(name))
            .collect(),
        ..base
    }
}

fn note(count: u64, one: &str, several: &str) {
    if count > 0 {
        say(format_args!(
            "{count} {}",
            if count == 1 { one } else { several }
        ));
    }
}

/// Reads all traces, one after the other.
fn each(
    args: &Invariants,
    traces: &[Trace],
    see: &mut dyn FnMut(&Declarations, &Sample<'_>),
) -> Result<(), Failure> {
    let progress = Progress::new(args.quiet);
    let mut declared = Declarations::default();
    let mut samples: u64 = 0;
    for trace in traces {
        let shown = trace.shown.display();
        let mut reader = Reader::new(open(trace.file())?);
        loop {
            match reader.next(&mut declared) {
                Ok(Some(sample)) => see(&declared, &sample),
                Ok(None) => break,
                Err(e) => {
                    return Err(Failure::Run(format!("{shown}:{}: {}", e.line, e.message)));
                }
            }
            samples += 1;
            if samples.is_multiple_of(STEP) {
                progress.step(&format!("{shown}: {samples} samples"));
            }
        }
        if let Some(line) = reader.cut() {
            say(format_args!(
                "{shown}:{line}: the trace is cut here; what came before was read"
            ));
        }
        note(
            reader.too_long(),
            "value was too long and is taken to be missing",
            "values were too long and are taken to be missing",
        );
    }
    Ok(())
}

/// A trace's text, whether it is packed or not.
fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let wrong = |e: std::io::Error| {
        Failure::usage(
            format!("{}: {e}", path.display()),
            "give a .decls or .dtrace file, as it is or with gzip, or a project that was recorded",
        )
    };
    let file = File::open(path).map_err(wrong)?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    let is_packed = file.fill_buf().map_err(wrong)?.starts_with(&[0x1f, 0x8b]);
    let text: Box<dyn Read> = if is_packed {
        Box::new(MultiGzDecoder::new(file))
    } else {
        return Ok(Box::new(file));
    };
    Ok(Box::new(BufReader::with_capacity(1 << 16, text)))
}

fn text(out: &mut dyn Write, learnt: &[Learnt]) -> Result<(), Failure> {
    for point in learnt {
        writeln!(out, "{}\n{}", "=".repeat(75), point.point)?;
        for constraint in &point.constraints {
            writeln!(out, "{}", constraint.text)?;
        }
    }
    Ok(())
}

fn report(args: &Invariants, learnt: &[Learnt]) -> serde_json::Value {
    let points: Vec<serde_json::Value> = learnt
        .iter()
        .map(|point| {
            let constraints: Vec<serde_json::Value> = point
                .constraints
                .iter()
                .map(|c| {
                    json!({
                        "family": c.family.row().name,
                        "text": c.text,
                        "confidence": c.confidence,
                        "samples": c.samples,
                    })
                })
                .collect();
            json!({
                "name": point.point,
                "kind": point.kind.name(),
                "samples": point.samples,
                "constraints": constraints,
            })
        })
        .collect();
    json!({
        "schema": "telltale.invariants/1",
        "confidence": args.confidence,
        "points": points,
    })
}
