//! Parts of a whole (`--shard`), joined to it again.
//!
//! Every method of the class files is in one part, and what is said of a mutant does not depend on the others. So lists
//! are joined and sorted as the whole's are, and counts are added. What a build said of itself must be the same in all.

use super::{Asked, Survey};
use crate::failure::Failure;
use crate::mutants::NotRun;

/// What one machine found.
#[derive(Debug)]
pub(crate) struct Part {
    /// From 1.
    pub(crate) number: usize,
    /// How many there are.
    pub(crate) of: usize,
    pub(crate) asked: Asked,
    pub(crate) survey: Survey,
}

/// The whole of all its parts, which come with the names of their files. Its root is that of the first part.
///
/// # Errors
/// If they are not the parts of one whole, each once.
pub(crate) fn joined(mut parts: Vec<(String, Part)>) -> Result<(Asked, Survey), Failure> {
    fit(&parts)?;
    parts.sort_by_key(|(_, part)| part.number);
    let mut all = parts.into_iter().map(|(_, part)| part);
    let Some(first) = all.next() else {
        return Err(Failure::usage("there are no parts", WHICH));
    };
    let asked = Asked {
        shard: None,
        ..first.asked
    };
    let mut out = first.survey;
    for part in all {
        add(&mut out, part.survey);
    }
    // Two methods of the class file may be one of the source, such as one and its lambda.
    out.not_run = NotRun::by_method(std::mem::take(&mut out.not_run));
    out.sort();
    Ok((asked, out))
}

/// How many that are missing are named.
const NAMED: usize = 10;

const WHICH: &str =
    "give what each machine printed with --shard I/N --format json, a file each and all of them";

/// Whether these are the parts of one whole, each once.
fn fit(parts: &[(String, Part)]) -> Result<(), Failure> {
    let Some((name, first)) = parts.first() else {
        return Ok(());
    };
    for (own, part) in parts {
        if part.of != first.of {
            let (a, b) = (first.of, part.of);
            let what = format!("{name} is one of {a} parts and {own} is one of {b}");
            return Err(Failure::usage(what, WHICH));
        }
        let asked = |part: &Part| (part.survey.dealt, part.asked.path.clone(), part.asked.lines);
        if asked(part) != asked(first) {
            return Err(Failure::usage(
                format!("{name} and {own} are no parts of one whole"),
                "run all parts on the same code, with the same options and the same version of Telltale",
            ));
        }
        let run = |part: &Part| {
            let Survey {
                tool, java, tests, ..
            } = &part.survey;
            format!("{tool} ran {tests} tests on Java {java}")
        };
        if run(part) != run(first) {
            let (a, b) = (run(first), run(part));
            return Err(Failure::usage(
                format!("the builds of the parts differ: of {name} {a}, of {own} {b}"),
                "run all parts by the same build tool and JDK, on the same code",
            ));
        }
        let mut others = parts.iter().filter(|(_, p)| p.number == part.number);
        if let (Some((one, _)), Some((two, _))) = (others.next(), others.next()) {
            let what = format!("part {} is there twice: {one} and {two}", part.number);
            return Err(Failure::usage(what, WHICH));
        }
    }
    let is_missing = |n: &usize| parts.iter().all(|(_, part)| part.number != *n);
    let missing = (1..=first.of).filter(is_missing).take(NAMED);
    let missing: Vec<String> = missing.map(|n| n.to_string()).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => {
            let missing = missing.join(", ");
            let what = format!("of {} parts these are missing: {missing}", first.of);
            Err(Failure::usage(what, WHICH))
        }
    }
}

/// Adds what a part found.
fn add(all: &mut Survey, other: Survey) {
    let (own, more) = (&mut all.counts, other.counts);
    own.mutants += more.mutants;
    own.killed += more.killed;
    own.survived += more.survived;
    own.not_run += more.not_run;
    own.too_slow += more.too_slow;
    own.ended += more.ended;
    own.looks_equivalent += more.looks_equivalent;
    all.pseudo_tested.extend(other.pseudo_tested);
    all.survivors.extend(other.survivors);
    all.equivalent.extend(other.equivalent);
    all.not_run.extend(other.not_run);
    all.unstable.extend(other.unstable);
    all.left_out.extend(other.left_out);
    for (own, more) in [(&mut all.ends, other.ends), (&mut all.notes, other.notes)] {
        for line in more {
            if !own.contains(&line) {
                own.push(line);
            }
        }
    }
}
