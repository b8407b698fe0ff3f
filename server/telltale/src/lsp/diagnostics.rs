//! What the rules find in open files, told without being asked: once typing pauses, in the background, for the newest
//! text. Gone when the file is closed, the rule is switched off, or it is right.

use super::convert;
use super::dismissing;
use super::edits;
use super::evidence::{Asked, EVIDENCE};
use super::findings::{SOURCE, page, severity};
use super::mutating;
use super::outgoing::Outgoing;
use super::stale::Before;
use super::workspace_edit::CodeAction;
use super::world::{Found, Shared, Snapshot};
use crate::rules;
use ide::action::mended;
use ide::action::{Does, Effect};
use ide::rules::{Ground, Related, Rule, SUSPICIOUS, named, silenced};
use ide::suspects::{Assertion, Opinion};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use text::{LineIndex, Span};
use tokio::sync::{mpsc, oneshot};
use tower_lsp::Client;
use tower_lsp::ls_types as lsp;

/// How long nothing must be told before files are looked at.
const PAUSE: Duration = Duration::from_millis(250);
/// How often that is waited for: who types on and on is told now and then.
const PAUSES: u32 = 8;

/// What is said of one document.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    uri: lsp::Uri,
    version: i32,
    diagnostics: Vec<lsp::Diagnostic>,
}

/// Tells what is found whenever something may have changed; ends with `stale`. Of what is told meanwhile one waits, so
/// nothing piles up; nor does it for a client that does not take what it is sent.
pub(super) async fn publish(
    client: Client,
    outgoing: Arc<Outgoing>,
    mut stale: mpsc::Receiver<Shared>,
) {
    let mut before: BTreeMap<PathBuf, Told> = BTreeMap::new();
    // Of open files; it goes there and comes back.
    let mut known: Known = Known::new();
    while let Some(mut world) = stale.recv().await {
        for _ in 0..PAUSES {
            tokio::time::sleep(PAUSE).await;
            match stale.try_recv() {
                Ok(newer) => world = newer,
                Err(_) => break,
            }
        }
        let (send, found) = oneshot::channel();
        let snapshot = world.snapshot();
        let mut own = std::mem::take(&mut known);
        world.pools.background(move || {
            let told = all(&snapshot, &mut own);
            let _ = send.send((told, own));
        });
        let Ok((mut now, kept)) = found.await else {
            continue;
        };
        known = kept;
        // Of a text that is not the newest nothing is said: another look is due already.
        let newest = world.snapshot();
        now.retain(|path, told| newest.version(path) == Some(told.version));
        let gone = before
            .iter()
            .filter(|(path, told)| !told.diagnostics.is_empty() && newest.version(path).is_none());
        let gone: Vec<(PathBuf, lsp::Uri)> =
            gone.map(|(p, t)| (p.clone(), t.uri.clone())).collect();
        drop((world, newest));
        for (path, uri) in gone {
            before.remove(&path);
            outgoing.room().await;
            client.publish_diagnostics(uri, Vec::new(), None).await;
        }
        for (path, told) in now {
            let known = before.get(&path);
            let was_quiet = known.is_none_or(|k| k.diagnostics.is_empty());
            if known == Some(&told) || was_quiet && told.diagnostics.is_empty() {
                continue;
            }
            let Told {
                uri,
                version,
                diagnostics,
            } = told.clone();
            before.insert(path, told);
            outgoing.room().await;
            client
                .publish_diagnostics(uri, diagnostics, Some(version))
                .await;
        }
    }
}

/// What was told of suspicious assertions, by file.
type Known = BTreeMap<PathBuf, Before>;

/// What is to be said of each open document.
fn all(snapshot: &Snapshot, known: &mut Known) -> BTreeMap<PathBuf, Told> {
    let mut out = BTreeMap::new();
    known.retain(|path, _| snapshot.version(path).is_some());
    for (path, document) in snapshot.open_documents() {
        let found = snapshot.find(&document.uri);
        // What a helper does is not known before it was read.
        let found = found.filter(|f| f.analysis.is_complete());
        let told = Told {
            uri: document.uri.clone(),
            version: document.version,
            diagnostics: found.map_or(Vec::new(), |found| {
                of(&found, snapshot, known.entry(path.clone()).or_default())
            }),
        };
        out.insert(path.clone(), told);
    }
    out
}

/// The diagnostics of a file.
fn of(found: &Found, snapshot: &Snapshot, before: &mut Before) -> Vec<lsp::Diagnostic> {
    let Some(text) = found.analysis.program().text(found.file) else {
        return Vec::new();
    };
    let survivors = || mutating::diagnostics(found, &LineIndex::new(text), snapshot);
    if !rules::any(&found.settings) {
        return survivors();
    }
    let options = rules::options(&found.settings);
    let ground = Ground::new(&found.analysis, &options);
    let on = |rule: &Rule| rules::level(&found.settings, rule).is_some();
    let findings = ground.findings(found.file, &on);
    if findings.is_empty() && before.is_empty() {
        return survivors();
    }
    let index = LineIndex::new(text);
    let is_on = named(SUSPICIOUS).is_some_and(on);
    let stale = match is_on {
        true => before.after(found, &index, &findings),
        false => Vec::new(),
    };
    findings
        .into_iter()
        .filter_map(|f| {
            let level = f.level(rules::level(&found.settings, f.rule)?);
            let related: Vec<lsp::DiagnosticRelatedInformation> = match found.coding.client.relates
            {
                true => f
                    .related
                    .iter()
                    .filter_map(|r| of_place(found, r))
                    .collect(),
                false => Vec::new(),
            };
            Some(lsp::Diagnostic {
                range: convert::range(&index, f.span, found.coding),
                severity: Some(severity(level)),
                related_information: (!related.is_empty()).then_some(related),
                code: Some(lsp::NumberOrString::String(f.rule.name.to_owned())),
                code_description: page(found, f.rule),
                source: Some(SOURCE.to_owned()),
                message: f.message,
                ..Default::default()
            })
        })
        .chain(stale)
        .chain(survivors())
        .collect()
}

/// What can be done about a suspicious assertion, linked to the mark that it has, if it has one.
fn about_suspect(
    found: &Found,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    assertion: &Assertion,
    at: lsp::Position,
    mark: Option<&lsp::Diagnostic>,
) -> Vec<CodeAction> {
    let action = |title: String| CodeAction {
        title,
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: mark.map(|m| vec![m.clone()]),
        ..Default::default()
    };
    let comments = found.settings.suspects.comment;
    let mends = ide::action::mends(&found.analysis, assertion, comments).into_iter();
    let mut out: Vec<CodeAction> = mends
        .filter_map(|mend| {
            let edit = match mend.does {
                Does::Accept(entry) => match edits::dismissal(found, entry.clone()) {
                    Some(edit) => edit,
                    None => {
                        return Some(CodeAction {
                            command: Some(dismissing::command(&mend.title, uri, entry)),
                            is_preferred: Some(false),
                            ..action(mend.title)
                        });
                    }
                },
                Does::Change(change) => {
                    edits::of(found, snapshot, &change.labelled(&mend.title)).ok()?
                }
                // What is out of reach is shown as that, where an editor can.
                Does::Nothing(_) if !snapshot.coding.client.disables => return None,
                Does::Nothing(reason) => {
                    return Some(CodeAction {
                        disabled: Some(lsp::CodeActionDisabled { reason }),
                        diagnostics: None,
                        ..action(mend.title)
                    });
                }
            };
            Some(CodeAction {
                edit: Some(edit),
                is_preferred: Some(false),
                ..action(mend.title)
            })
        })
        .collect();
    // What tests saw, beside each other.
    let title = "Show the evidence";
    out.push(CodeAction {
        command: Some(lsp::Command {
            title: title.to_owned(),
            command: EVIDENCE.to_owned(),
            arguments: Some(vec![Asked::argument(uri, at)]),
        }),
        ..action(title.to_owned())
    });
    out
}

/// What can be done about the assertion at a selection, if something strange reaches it: most suspects of a class have no mark, and
/// only the hover tells of them. Not if it is among the `fixes` of marks.
pub(super) fn at_suspect(
    found: &Found,
    index: &LineIndex,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    selected: Span,
    fixes: &[CodeAction],
) -> Vec<CodeAction> {
    if found.analysis.facts().is_empty() {
        return Vec::new();
    }
    let text = found.analysis.program().text(found.file);
    let selected = text.and_then(|text| bare(text, selected));
    let known = selected.and_then(|s| {
        let known = ide::suspects::at(&found.analysis, found.file, s.start)?;
        (known.0.span.covers(s)).then_some(known)
    });
    let Some((assertion, _, Opinion::Suspect(_))) = known else {
        return Vec::new();
    };
    let range = convert::range(index, assertion.condition, found.coding);
    let is_it =
        |d: &lsp::Diagnostic| d.range == range && rule_of(d).is_some_and(|r| r.name == SUSPICIOUS);
    let mends_it = |fix: &CodeAction| fix.diagnostics.iter().flatten().any(is_it);
    if fixes.iter().any(mends_it) {
        return Vec::new();
    }
    about_suspect(found, snapshot, uri, &assertion, range.start, None)
}

/// A selection without the blanks around it and the semicolon at its end; where nothing else is selected, its start.
fn bare(text: &str, selected: Span) -> Option<Span> {
    let own = text.get(selected.range())?;
    let behind = own.trim_start();
    let start = selected.start + (own.len() - behind.len()) as u32;
    let length = behind
        .trim_end_matches(|c: char| c == ';' || c.is_whitespace())
        .len();
    Some(match length {
        0 => Span::new(selected.start, selected.start),
        _ => Span::new(start, start + length as u32),
    })
}

fn of_place(found: &Found, related: &Related) -> Option<lsp::DiagnosticRelatedInformation> {
    let program = found.analysis.program();
    let (file, span) = (related.place.file, related.place.span);
    let index = LineIndex::new(program.text(file)?);
    let uri = lsp::Uri::from_file_path(found.root.join(&**program.path(file)?))?;
    Some(lsp::DiagnosticRelatedInformation {
        location: lsp::Location {
            uri,
            range: convert::range(&index, span, found.coding),
        },
        message: related.message.clone(),
    })
}

/// The rule of a diagnostic, if it is ours.
fn rule_of(diagnostic: &lsp::Diagnostic) -> Option<&'static Rule> {
    match &diagnostic.code {
        Some(lsp::NumberOrString::String(name)) if diagnostic.source.as_deref() == Some(SOURCE) => {
            named(name)
        }
        _ => None,
    }
}

/// What mends or silences the diagnostics that a client asks about.
pub(super) fn fixes(
    found: &Found,
    index: &LineIndex,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    asked: &[lsp::Diagnostic],
) -> Vec<CodeAction> {
    let ours: Vec<(&lsp::Diagnostic, &Rule)> = asked
        .iter()
        .filter_map(|d| Some((d, rule_of(d)?)))
        .collect();
    if ours.is_empty() {
        return Vec::new();
    }
    let options = rules::options(&found.settings);
    let ground = Ground::new(&found.analysis, &options);
    let findings = ground.findings(found.file, &|rule| {
        ours.iter().any(|(_, r)| r.name == rule.name)
    });
    let mut out = Vec::new();
    for (diagnostic, rule) in ours {
        let is_it = |f: &&ide::rules::Finding| {
            f.rule.name == rule.name
                && convert::range(index, f.span, found.coding) == diagnostic.range
        };
        let Some(finding) = findings.iter().find(is_it) else {
            continue;
        };
        let fix = |title: String, edit, is_preferred| CodeAction {
            title,
            kind: Some(lsp::CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic.clone()]),
            edit: Some(edit),
            is_preferred: Some(is_preferred),
            ..Default::default()
        };
        if let Some(test) = finding.method.filter(|_| rule.name == "no-oracle") {
            let actions = ide::action::actions_of(&found.analysis, found.file, test);
            let first = actions.into_iter().find_map(|a| match a.effect {
                Effect::Assert { change, .. } => Some((a.title, change)),
                _ => None,
            });
            if let Some((title, change)) = first
                && let Ok(edit) = edits::of(found, snapshot, &change)
            {
                out.push(fix(title, edit, true));
            }
        }
        if let Some((title, change)) = mended(&found.analysis, found.file, finding)
            && let Ok(edit) = edits::of(found, snapshot, &change)
        {
            out.push(fix(title, edit, true));
        }
        if rule.name == SUSPICIOUS {
            let known =
                ide::suspects::at(&found.analysis, found.file, finding.span.start).map(|k| k.0);
            out.extend(known.iter().flat_map(|assertion| {
                let at = diagnostic.range.start;
                about_suspect(found, snapshot, uri, assertion, at, Some(diagnostic))
            }));
            // A comment would be gone when the test is generated anew; accepting it stays.
            continue;
        }
        if let Some(change) = silenced(&found.analysis, found.file, finding)
            && let Ok(edit) = edits::of(found, snapshot, &change)
        {
            out.push(fix(rule.silence_title(), edit, false));
        }
    }
    out
}
