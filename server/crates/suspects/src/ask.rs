//! Whether something that a reader expects is believed of a method, and if not, why: the question that no list of constraints answers.
//!
//! What a sample falsified is not kept. The samples are asked once more, for this one claim, so that the first one that breaks it can
//! be named with its test.

use crate::flatten::each;
use crate::held::{is_worth, of_sources, variables};
use crate::options::{Moment, Options, Teacher};
use crate::samples::{Sampled, shape, taught};
use crate::shape::{Row, Shape};
use crate::words::words;
use evidence::Called;
use invariants::{Claim, Constraint, Fate, Learner, Look, Value, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What there is to say at one moment of a method's calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// When.
    pub moment: Moment,
    /// In how many calls was looked at it.
    pub samples: u64,
    /// What can be spoken of there.
    pub variables: Vec<String>,
    /// In how many calls the claim holds.
    pub held: u64,
    /// In how many a value is missing.
    pub missing: u64,
    /// In how many it is broken.
    pub broken: u64,
    /// The tests in which it held, and in how many calls; positions in the list of them.
    pub taught_by: Vec<(usize, u32)>,
    /// What is believed of the same values, the constraint itself left out: the first few.
    pub like: Vec<String>,
    /// What became of it.
    pub answer: Answer,
}

/// How many constraints over the same values are named.
pub(crate) const LIKE: usize = 6;

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It speaks of something that is not there, or cannot be read: the sentence tells what.
    NotUnderstood(String),
    /// It is believed, and generated tests are judged by it.
    Told(Constraint),
    /// It is believed, and breaking it would tell nothing of a call: it speaks of what was given, or of numbers of objects.
    Idle(Constraint),
    /// No sample contradicts it, and it is not believed or need not be said.
    Left(Constraint, Fate),
    /// This sample broke it, and how many before it did not.
    Broken {
        /// The first.
        by: Sample,
        /// In how many calls before that one it held.
        after: u64,
    },
    /// It holds wherever it can be asked; constraints are not written so.
    NotLookedFor,
    /// A value is missing in every sample.
    Missing,
}

/// One sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The test, in the list of them.
    pub test: usize,
    /// The call, in its list of calls.
    pub call: usize,
    /// What the claim speaks of, and what that was.
    pub values: Vec<(String, String)>,
}

/// Says what became of a claim at the start and at the end of a method's calls in hand-written tests; nothing if they do not call it.
pub fn ask(manual: &[Teacher<'_>], method: &Called, claim: &str, options: &Options) -> Vec<Asked> {
    let samples = taught(manual, &|m| m == method, options);
    let Some(teachers) = samples.get(method) else {
        return Vec::new();
    };
    let moments = [Moment::Entry, Moment::Exit];
    let seen = moments.map(|at| constants(method, at, teachers)).concat();
    let seen: BTreeSet<Arc<str>> = seen.into_iter().collect();
    let one = |moment| asked(method, moment, teachers, (claim, &seen), options);
    moments.map(one).into()
}

/// The constants that were seen at a moment, whatever held them.
fn constants(method: &Called, at: Moment, teachers: &[Sampled<'_>]) -> Vec<Arc<str>> {
    let mut out = Vec::new();
    for sampled in teachers {
        each(
            sampled.call,
            at,
            &method.parameters,
            &mut |_, item| match item.value {
                _ if item.look != Look::Constant => {}
                Value::Text(name) => out.extend(name),
                Value::Texts(all) => out.extend(all.iter().flatten().cloned()),
                _ => {}
            },
        );
    }
    out
}

fn asked(
    method: &Called,
    moment: Moment,
    teachers: &[Sampled<'_>],
    (text, constants): (&str, &BTreeSet<Arc<str>>),
    options: &Options,
) -> Asked {
    let shape = shape(method, moment, teachers, options);
    let mut out = Asked {
        moment,
        samples: teachers.len() as u64,
        variables: shape.point.variables.iter().map(|v| v.shown()).collect(),
        held: 0,
        missing: 0,
        broken: 0,
        taught_by: Vec::new(),
        like: Vec::new(),
        answer: Answer::Missing,
    };
    let mut learner = Learner::new(&shape.point, options.learning.clone());
    let mut rows = Vec::with_capacity(teachers.len());
    for sampled in teachers {
        let row = shape.row(sampled.call, moment, &method.parameters);
        learner.see(&row.values, 1);
        rows.push(row);
    }
    let all = learner.all();
    // What was learnt is understood as it is written, also what nobody would write so.
    let read = || read(&shape, text, &|name| constants.contains(name));
    let (text, claim) = match as_learnt(text, &all).map_or_else(read, Ok) {
        Ok(read) => read,
        Err(said) => {
            out.answer = Answer::NotUnderstood(said);
            return out;
        }
    };
    let mut by: BTreeMap<usize, u32> = BTreeMap::new();
    let mut first = None;
    for (sampled, row) in teachers.iter().zip(&rows) {
        match claim.judge(&row.values) {
            Verdict::Holds => {
                out.held += 1;
                *by.entry(sampled.test).or_default() += 1;
            }
            Verdict::Missing => out.missing += 1,
            Verdict::Broken => {
                out.broken += 1;
                let after = out.held;
                first.get_or_insert_with(|| (sample(&learner, &claim, sampled, row), after));
            }
        }
    }
    out.taught_by = by.into_iter().collect();
    let mut spellings = claim.spellings(&text, learner.terms());
    let known = spellings.find_map(|text| all.iter().find(|(c, _)| c.text == text));
    let about = of_sources(claim.sources());
    let of_same = |c: &Constraint| variables(c).iter().any(|v| about.contains(v));
    let believed = all.iter().filter(|(_, fate)| *fate == Fate::Reported);
    let mut like: Vec<&Constraint> = believed.map(|(c, _)| c).filter(|c| of_same(c)).collect();
    // Those that speak of nothing else come first.
    like.sort_by_key(|c| variables(c).iter().filter(|v| !about.contains(v)).count());
    let others = like.iter().map(|c| &c.text);
    let others = others.filter(|t| known.is_none_or(|(c, _)| c.text != **t));
    out.like = others.take(LIKE).cloned().collect();
    out.answer = match (first, known) {
        (Some((by, after)), _) => Answer::Broken { by, after },
        (None, Some((c, Fate::Reported))) => {
            let given: Vec<_> = variables(c)
                .iter()
                .map(|v| shape.about[*v as usize])
                .collect();
            match is_worth(c, &learner, moment, &given) {
                true => Answer::Told(c.clone()),
                false => Answer::Idle(c.clone()),
            }
        }
        (None, Some((c, fate))) => Answer::Left(c.clone(), fate.clone()),
        (None, None) if out.held == 0 => Answer::Missing,
        (None, None) => implied(&claim, &all).unwrap_or(Answer::NotLookedFor),
    };
    out
}

/// The claim that a constraint makes which is written so.
fn as_learnt(text: &str, all: &[(Constraint, Fate)]) -> Option<(String, Claim)> {
    let text = around_quotes(text.trim(), &spaced);
    let renamed = around_quotes(&text, &|t| renamed(t, "result", "return"));
    let mut known = all.iter().map(|(c, _)| c);
    let known = known.find(|c| c.text == text || c.text == renamed)?;
    Some((known.text.clone(), Claim::of(known)))
}

/// What became of the constraint that says at least as much as a claim of which none was learnt.
fn implied(claim: &Claim, all: &[(Constraint, Fate)]) -> Option<Answer> {
    let believed = all.iter().filter(|(_, fate)| *fate == Fate::Reported);
    let believed = believed.map(|(c, _)| c);
    // What is believed says more than what may be chance.
    let by = claim.implied_by(believed.clone(), believed.clone());
    let (by, equality) = by.or_else(|| claim.implied_by(all.iter().map(|(c, _)| c), believed))?;
    let (_, fate) = all.iter().find(|(c, _)| c == by)?;
    let told = match (fate, equality) {
        (Fate::Reported, None) => Fate::Obvious(by.text.clone()),
        (Fate::Reported, Some(equality)) => {
            Fate::Obvious(format!("{} and {}", by.text, equality.text))
        }
        (fate, _) => fate.clone(),
    };
    Some(Answer::Left(by.clone(), told))
}

/// A claim as constraints are written. What a method gave may be called `result`, as sentences call it.
fn read(
    shape: &Shape,
    text: &str,
    is_constant: &dyn Fn(&str) -> bool,
) -> Result<(String, Claim), String> {
    let text = around_quotes(text.trim(), &spaced);
    let parse = |text: &str| Claim::parse_knowing(&shape.point, text, is_constant);
    let said = match parse(&text) {
        Ok(claim) => return Ok((text, claim)),
        Err(said) => said,
    };
    let renamed = around_quotes(&text, &|t| renamed(t, "result", "return"));
    match parse(&renamed) {
        Ok(claim) => Ok((renamed, claim)),
        Err(_) => Err(said),
    }
}

/// What stands in quotes as it is, the rest changed.
fn around_quotes(text: &str, change: &dyn Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, from) = rest.split_at(at);
        let mut escapes = false;
        let end = from.char_indices().skip(1).find(|(_, c)| {
            let ends = !escapes && from.starts_with(*c);
            escapes = !escapes && *c == '\\';
            ends
        });
        let (quoted, behind) = from.split_at(end.map_or(from.len(), |(at, _)| at + 1));
        out += &change(before);
        out += quoted;
        rest = behind;
    }
    out + &change(rest)
}

/// With one blank for each white space.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_whitespace() {
            true if out.ends_with(' ') => {}
            true => out.push(' '),
            false => out.push(c),
        }
    }
    out
}

/// A constraint, or a term of one, with what a method gave called `result`, as sentences call it.
pub fn as_result(text: &str) -> String {
    around_quotes(text, &|t| renamed(t, "return", "result"))
}

/// With another word for a word.
fn renamed(text: &str, word: &str, other: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '.';
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, from) = rest.split_at(at);
        let behind = &from[word.len()..];
        let begins = !before.chars().next_back().is_some_and(is_name);
        let ends = behind
            .chars()
            .next()
            .is_none_or(|c| c == '.' || !is_name(c));
        out.push_str(before);
        out.push_str(if begins && ends { other } else { word });
        rest = behind;
    }
    out + rest
}

fn sample(learner: &Learner, claim: &Claim, sampled: &Sampled<'_>, row: &Row) -> Sample {
    let term = |source| learner.terms().iter().find(|t| t.source == source);
    let values = claim.sources().iter().filter_map(|source| {
        let term = term(*source)?;
        let (value, look) = row.at(*source);
        Some((term.name.clone(), words(&value, term.rep.kind, look)))
    });
    Sample {
        test: sampled.test,
        call: sampled.at,
        values: values.collect(),
    }
}
