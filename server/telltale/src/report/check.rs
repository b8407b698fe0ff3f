//! `telltale.check/1`, SARIF 2.1.0, and lines for people; the file of findings that are known.

use crate::failure::Failure;
use crate::pages;
use crate::screen::{BOLD, DIM, ERROR, NAME, NOTE, PLAIN, Style, WARNING};
use crate::words::plural;
use ide::rules::{Level, Rule, Standing};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// What a check found.
pub(crate) struct Report {
    pub(crate) root: String,
    /// Those that ran.
    pub(crate) rules: Vec<(&'static Rule, Level)>,
    pub(crate) files: usize,
    pub(crate) tests: usize,
    /// How many findings the baseline knows.
    pub(crate) known: usize,
    /// By path and position.
    pub(crate) findings: Vec<Found>,
}

/// One finding. Lines and columns are 1-based, columns in UTF-16 code units.
pub(crate) struct Found {
    pub(crate) rule: &'static Rule,
    pub(crate) level: Level,
    pub(crate) path: String,
    pub(crate) start: (u32, u32),
    pub(crate) end: (u32, u32),
    pub(crate) message: String,
    /// The test, or the helper, by its contract name.
    pub(crate) method: Option<String>,
    /// The same wherever it stands in its method and however that is formatted.
    pub(crate) fingerprint: String,
    /// The edit that silences it.
    pub(crate) silence: Option<Edited>,
    /// How it stands among others, where they are ranked.
    pub(crate) standing: Option<Standing>,
    /// Places that explain it.
    pub(crate) related: Vec<Related>,
}

/// A place that explains a finding.
pub(crate) struct Related {
    pub(crate) path: String,
    pub(crate) start: (u32, u32),
    pub(crate) message: String,
}

/// An edit in lines and columns.
pub(crate) struct Edited {
    pub(crate) start: (u32, u32),
    pub(crate) end: (u32, u32),
    pub(crate) text: String,
}

impl Report {
    /// Leaves out what a baseline knows.
    pub(crate) fn leave_out(&mut self, baseline: &Baseline) {
        let before = self.findings.len();
        self.findings.retain(|f| {
            let known = baseline.findings.iter();
            !known
                .filter(|k| k.fingerprint == f.fingerprint)
                .any(|k| k.rule == f.rule.name)
        });
        self.known = before - self.findings.len();
    }
}

/// FNV-1a of the parts, 64 bits as hexadecimal digits. It stands in files of users: it must never change.
pub(crate) fn fingerprint(parts: &[&str]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// A line a finding, then what they come to.
pub(crate) fn text(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    for f in &report.findings {
        let style = style(f.level);
        writeln!(
            out,
            "{BOLD}{}:{}:{}{PLAIN}: {style}{}{PLAIN}: {} {DIM}[{}]{PLAIN}",
            f.path,
            f.start.0,
            f.start.1,
            f.level.name(),
            f.message,
            f.rule.name,
        )?;
    }
    let tests = plural(report.tests, "test", "tests");
    let files = plural(report.files, "file", "files");
    let mut of: BTreeMap<&str, usize> = BTreeMap::new();
    for f in &report.findings {
        *of.entry(f.rule.name).or_default() += 1;
    }
    if !report.findings.is_empty() {
        writeln!(out)?;
    }
    let parts: Vec<String> = of.iter().map(|(name, n)| format!("{name} {n}")).collect();
    let what = match report.findings.len() {
        0 => "Nothing found".to_owned(),
        n => format!(
            "{} ({})",
            plural(n, "finding", "findings"),
            parts.join(", ")
        ),
    };
    let known = match report.known {
        0 => String::new(),
        n => format!("; {} in the baseline", plural(n, "more is", "more are")),
    };
    writeln!(out, "{what} in {tests}, {files}{known}.")
}

fn style(level: Level) -> Style {
    match level {
        Level::Hint => NOTE,
        Level::Info => NAME,
        Level::Warning => WARNING,
        Level::Error => ERROR,
    }
}

/// `telltale.check/1`.
pub(crate) fn json(report: &Report) -> Value {
    let findings: Vec<Value> = report.findings.iter().map(finding).collect();
    json!({
        "schema": "telltale.check/1",
        "root": report.root,
        "counts": { "files": report.files, "tests": report.tests, "known": report.known },
        "findings": findings,
    })
}

fn finding(f: &Found) -> Value {
    let fixes: Vec<Value> = f
        .silence
        .iter()
        .map(|edit| {
            json!({
                "title": f.rule.silence_title(),
                "edits": [{
                    "path": f.path,
                    "line": edit.start.0,
                    "column": edit.start.1,
                    "end_line": edit.end.0,
                    "end_column": edit.end.1,
                    "text": edit.text,
                }],
            })
        })
        .collect();
    let related: Vec<Value> = f
        .related
        .iter()
        .map(|r| {
            json!({
                "path": r.path,
                "line": r.start.0,
                "column": r.start.1,
                "message": r.message,
            })
        })
        .collect();
    let mut out = json!({
        "rule": f.rule.name,
        "level": f.level.name(),
        "message": f.message,
        "path": f.path,
        "line": f.start.0,
        "column": f.start.1,
        "end_line": f.end.0,
        "end_column": f.end.1,
        "fingerprint": f.fingerprint,
        "related": related,
        "fixes": fixes,
    });
    if let Some(method) = &f.method {
        out["test"] = json!(method);
    }
    if let Some(standing) = &f.standing {
        out["rank"] = json!(standing.rank);
        out["score"] = json!(standing.score);
    }
    out
}

/// SARIF 2.1.0, <https://docs.oasis-open.org/sarif/sarif/v2.1.0/>.
pub(crate) fn sarif(report: &Report) -> Value {
    let prefix = below_repository(Path::new(&report.root));
    let uri = |path: &str| uri(&format!("{prefix}{path}"));
    let rules: Vec<Value> = report
        .rules
        .iter()
        .map(|(rule, level)| {
            let mut out = json!({
                "id": rule.name,
                "name": pascal_case(rule.name),
                "shortDescription": { "text": rule.title },
                "fullDescription": { "text": rule.title },
                "defaultConfiguration": { "level": sarif_level(*level) },
            });
            // Beside an alert GitHub shows what a rule has to say, and takes no rule that says nothing.
            if let Some(page) = pages::page(rule.name) {
                out["help"] = json!({ "text": page, "markdown": page });
            }
            out
        })
        .collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|f| {
            let region = |start: (u32, u32), end: (u32, u32)| {
                json!({
                    "startLine": start.0,
                    "startColumn": start.1,
                    "endLine": end.0,
                    "endColumn": end.1,
                })
            };
            let artifact = json!({ "uri": uri(&f.path), "uriBaseId": "ROOT" });
            let mut location = json!({
                "physicalLocation": {
                    "artifactLocation": artifact,
                    "region": region(f.start, f.end),
                },
            });
            if let Some(method) = &f.method {
                location["logicalLocations"] =
                    json!([{ "fullyQualifiedName": method, "kind": "member" }]);
            }
            let mut result = json!({
                "ruleId": f.rule.name,
                "ruleIndex": report.rules.iter().position(|(rule, _)| rule.name == f.rule.name),
                "level": sarif_level(f.level),
                "message": { "text": format!("{}.", f.message) },
                "locations": [location],
                // GitHub's upload makes one of the second name from the lines where it is missing.
                "partialFingerprints": {
                    "telltale/1": f.fingerprint,
                    "primaryLocationLineHash": f.fingerprint,
                },
            });
            if !f.related.is_empty() {
                let places = f.related.iter().zip(1u32..);
                let places: Vec<Value> = places
                    .map(|(r, id)| {
                        json!({
                            "id": id,
                            "physicalLocation": {
                                "artifactLocation": { "uri": uri(&r.path), "uriBaseId": "ROOT" },
                                "region": { "startLine": r.start.0, "startColumn": r.start.1 },
                            },
                            "message": { "text": r.message },
                        })
                    })
                    .collect();
                result["relatedLocations"] = json!(places);
            }
            if let Some(standing) = &f.standing {
                result["rank"] = json!(100.0 / f64::from(standing.rank));
            }
            if let Some(edit) = &f.silence {
                result["fixes"] = json!([{
                    "description": { "text": f.rule.silence_title() },
                    "artifactChanges": [{
                        "artifactLocation": artifact,
                        "replacements": [{
                            "deletedRegion": region(edit.start, edit.end),
                            "insertedContent": { "text": edit.text },
                        }],
                    }],
                }]);
            }
            result
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "telltale",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

/// SARIF has no hints.
fn sarif_level(level: Level) -> &'static str {
    match level {
        Level::Hint | Level::Info => "note",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

/// `NoOracle`, of `no-oracle`.
fn pascal_case(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let mut chars = word.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    });
    words.collect()
}

/// The way from the top of the repository that holds a folder down to it, with a slash behind it: code scanning looks for files
/// there. Empty where there is none.
fn below_repository(root: &Path) -> String {
    let is_top = |folder: &&Path| folder.join(".git").exists();
    let top = root.ancestors().find(is_top);
    let below = top.and_then(|top| root.strip_prefix(top).ok());
    let below = below.into_iter().flat_map(Path::components);
    below
        .map(|part| format!("{}/", part.as_os_str().to_string_lossy()))
        .collect()
}

/// A path with `/` as a relative URI (RFC 3986).
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte as char);
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The findings of a day, to be left out later.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Baseline {
    schema: String,
    findings: Vec<Known>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Known {
    fingerprint: String,
    rule: String,
    /// For people, who read this file in reviews.
    path: String,
    message: String,
}

const BASELINE: &str = "telltale.baseline/1";

pub(crate) fn read_baseline(file: &Path) -> Result<Baseline, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| {
        Failure::usage(
            format!("the baseline {name} cannot be read: {e}"),
            "add --update-baseline to write it",
        )
    })?;
    let wrong = |what: String| {
        Failure::usage(
            format!("{name} is no baseline: {what}"),
            "write it anew with --update-baseline",
        )
    };
    let baseline: Baseline = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    match baseline.schema == BASELINE {
        true => Ok(baseline),
        false => Err(wrong(format!(
            "its schema is {:?}, not {BASELINE:?}",
            baseline.schema
        ))),
    }
}

pub(crate) fn write_baseline(file: &Path, report: &Report) -> Result<(), Failure> {
    let mut findings: Vec<Known> = report
        .findings
        .iter()
        .map(|f| Known {
            fingerprint: f.fingerprint.clone(),
            rule: f.rule.name.to_owned(),
            path: f.path.clone(),
            message: f.message.clone(),
        })
        .collect();
    findings.sort_by(|a, b| (&a.path, &a.fingerprint).cmp(&(&b.path, &b.fingerprint)));
    let baseline = Baseline {
        schema: BASELINE.to_owned(),
        findings,
    };
    let text = format!("{}\n", serde_json::to_string_pretty(&baseline)?);
    std::fs::write(file, text)
        .map_err(|e| Failure::Run(format!("{} cannot be written: {e}", file.display())))
}
