//! `telltale.mutants/1`, read again: what [`super::json()`] wrote of a part.
//!
//! A member that is not known is refused: a later version may have written it, and what is merged would lack it.

use super::parts::Part;
use super::{Asked, SCHEMA};
use crate::mutants::{Counts, Cure, Method, Remedy, Survey, Survivor, Within};
use ide::PlacedEdit;
use mutants::Operator;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "schema")]
    _schema: String,
    root: String,
    path: String,
    lines: Option<(u32, u32)>,
    shard: Option<(usize, usize)>,
    dealt: Option<String>,
    run: Run,
    counts: Sums,
    pseudo_tested: Vec<Mutant>,
    survivors: Vec<Mutant>,
    equivalent: Vec<Mutant>,
    not_run: Vec<NotRun>,
    unstable: Vec<String>,
    #[serde(default)]
    unstable_why: BTreeMap<String, String>,
    ended: Vec<String>,
    left_out: Vec<LeftOut>,
    notes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    tool: String,
    java: String,
    tests: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sums {
    mutants: usize,
    killed: usize,
    survived: usize,
    not_run: usize,
    too_slow: usize,
    ended: usize,
    looks_equivalent: usize,
    #[serde(rename = "pseudo_tested")]
    _pseudo_tested: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    path: String,
    line: u32,
    method: String,
    operator: String,
    ordinal: u32,
    message: String,
    tests: usize,
    cure: Option<Cured>,
    inside: Option<Inside>,
    mocked: Option<Mocked>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cured {
    test: String,
    path: String,
    line: u32,
    expression: String,
    value: String,
    with_mutant: String,
    offered: bool,
    object: bool,
    assertion: Option<String>,
    #[serde(default)]
    edits: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    #[serde(rename = "path")]
    _path: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mocked {
    call: String,
    test: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inside {
    name: String,
    test: String,
    path: Option<String>,
    line: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NotRun {
    method: String,
    path: String,
    line: u32,
    mutants: usize,
    #[serde(default)]
    lines: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeftOut {
    path: String,
    why: String,
}

/// Reads a part.
///
/// # Errors
/// In words, if it is none.
pub(crate) fn read(text: &str) -> Result<Part, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    match value.get("schema").and_then(Value::as_str) {
        Some(SCHEMA) => {}
        Some(other) => return Err(format!("its schema is {other:?}, not {SCHEMA:?}")),
        None => return Err("it names no schema".to_owned()),
    }
    let read: Document = serde_json::from_value(value).map_err(|e| e.to_string())?;
    let (Some((part, of)), Some(dealt)) = (read.shard, &read.dealt) else {
        return Err("it is of the whole".to_owned());
    };
    if !(1..=of).contains(&part) {
        return Err(format!("there is no part {part} of {of}"));
    }
    let dealt = u64::from_str_radix(dealt, 16).map_err(|e| e.to_string())?;
    let survivors = |all: Vec<Mutant>| -> Result<Vec<Survivor>, String> {
        all.into_iter().map(Mutant::survivor).collect()
    };
    let mut why = read.unstable_why;
    let unstable = read.unstable.into_iter().map(|test| {
        let why = why.remove(&test);
        (test, why)
    });
    let unstable = unstable.collect();
    let c = &read.counts;
    let survey = Survey {
        tool: read.run.tool,
        java: read.run.java,
        tests: read.run.tests,
        counts: Counts {
            mutants: c.mutants,
            killed: c.killed,
            survived: c.survived,
            not_run: c.not_run,
            too_slow: c.too_slow,
            ended: c.ended,
            looks_equivalent: c.looks_equivalent,
        },
        pseudo_tested: survivors(read.pseudo_tested)?,
        survivors: survivors(read.survivors)?,
        equivalent: survivors(read.equivalent)?,
        not_run: read.not_run.into_iter().map(NotRun::told).collect(),
        unstable,
        ends: read.ended,
        left_out: read.left_out.into_iter().map(|l| (l.path, l.why)).collect(),
        notes: read.notes,
        dealt,
    };
    let asked = Asked {
        root: read.root,
        path: read.path,
        lines: read.lines,
        shard: read.shard,
    };
    Ok(Part {
        number: part,
        of,
        asked,
        survey,
    })
}

impl Mutant {
    fn survivor(self) -> Result<Survivor, String> {
        let operator = Operator::of(&self.operator);
        let operator = operator.ok_or_else(|| format!("there is no operator {}", self.operator))?;
        let remedy = match (self.cure, self.inside, self.mocked) {
            (Some(cure), _, _) => Remedy::Read(Box::new(cure.cure())),
            (None, Some(inside), _) => Remedy::Inside(Box::new(Within {
                name: inside.name,
                place: inside.path.zip(inside.line),
                test: inside.test,
            })),
            (None, None, Some(Mocked { call, test })) => Remedy::Mocked { call, test },
            (None, None, None) => Remedy::None,
        };
        Ok(Survivor {
            method: Method {
                path: self.path,
                // That of its method is known of pseudo-tested ones alone, and shown of these alone.
                line: self.line,
                name: self.method,
            },
            line: self.line,
            operator,
            ordinal: self.ordinal,
            words: self.message,
            tests: self.tests,
            remedy,
        })
    }
}

impl Cured {
    fn cure(self) -> Cure {
        let edits = self.edits.into_iter().map(|e| PlacedEdit {
            start: (e.line, e.column),
            end: (e.end_line, e.end_column),
            text: e.text,
        });
        Cure {
            edits: edits.collect(),
            test: self.test,
            path: self.path,
            line: self.line,
            expression: self.expression,
            was: self.value,
            with_mutant: self.with_mutant,
            assertion: self.assertion,
            is_offered: self.offered,
            is_object: self.object,
        }
    }
}

impl NotRun {
    fn told(self) -> crate::mutants::NotRun {
        crate::mutants::NotRun {
            method: Method {
                path: self.path,
                line: self.line,
                name: self.method,
            },
            mutants: self.mutants,
            lines: self.lines,
        }
    }
}
