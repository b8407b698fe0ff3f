//! *What would no test notice?* from the editor: the mutants of a method, of selected lines or of a file, as `telltale mutants`
//! judges them. What survives stands in the file as hints ([`ide::survivors`]): as soon as it is known, and once more with
//! what would have told it.

use super::convert;
use super::edits;
use super::findings::{SOURCE, page, severity};
use super::recording::{Editor, Job};
use super::workspace_edit::CodeAction;
use super::world::{Found, Shared, Snapshot};
use crate::failure::Failure;
use crate::mutants::{Remedy, Request, Survey, Survivor, survey};
use crate::pages;
use crate::rules;
use crate::words::plural;
use calls::Cancellation;
use ide::method_words;
use ide::rules::{Level, OF_MUTANTS, PSEUDO_TESTED, Rule, SURVIVED};
use ide::survivors::{self, Shown};
use mutants::Operator;
use program::{FileId, MethodId, Program};
use runner::Tool;
use serde_json::{Value, json};
use text::{Encoding, LineIndex, Position, Span};
use tokio::sync::oneshot;
use tower_lsp::ls_types as lsp;

/// The command: takes `[{ uri, name? | position? | range?, wait? }]`.
pub(crate) const MUTANTS: &str = "telltale.mutants";

/// What is mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// A method.
    Method(MethodId),
    /// What is selected.
    Lines(Span),
    /// The file.
    File,
}

impl Asked {
    /// Its first and last line, from 1, and its name for people; all of the file if there is none.
    fn place(self, program: &Program, file: FileId) -> (Option<(u32, u32)>, String) {
        let lines = LineIndex::new(program.text(file).map_or("", |t| t));
        let line = |at: u32| lines.position(at, Encoding::Utf8).line + 1;
        let name = program.path(file).map_or("", |p| p);
        let name = name.rsplit('/').next().unwrap_or(name);
        // A selection of whole lines ends before the next one.
        let of = |span: Span| {
            (
                line(span.start),
                line(span.end.saturating_sub(1).max(span.start)),
            )
        };
        match self {
            Asked::Method(method) => {
                let decl = program.method_decl(method);
                let words = method_words(&program.method_name(method));
                (decl.map(|d| of(d.span)), words)
            }
            Asked::Lines(span) => {
                let (from, to) = of(span);
                (Some((from, to)), format!("{name}:{from}-{to}"))
            }
            Asked::File => (None, name.to_owned()),
        }
    }
}

/// Starts it.
///
/// # Errors
/// Why it cannot be, as a sentence for the user.
pub(super) fn start(
    world: &Shared,
    snapshot: &Snapshot,
    found: &Found,
    what: Asked,
    done: oneshot::Sender<Value>,
) -> Result<(), String> {
    let program = found.analysis.program();
    if program.is_test(found.file) {
        return Err("this is code of tests, which no test tests".to_owned());
    }
    let (lines, name) = what.place(program, found.file);
    let class = match what {
        Asked::Method(method) => {
            let class = program.type_name(program.method_owner(method));
            Some(class.to_string())
        }
        Asked::Lines(_) | Asked::File => None,
    };
    let file = found.file;
    let path = program.path(file).map_or("", |p| p).to_owned();
    // It outlives the request that starts it.
    let analysis = found.analysis.under(&Cancellation::default());
    let tests = analysis.workspace().suite().tests().to_vec();
    let is_empty = tests.is_empty();
    let (own_world, root) = (world.clone(), found.root.clone());
    let (room, timeout) = (found.settings.record.bytes(), found.settings.record.limit());
    let work = move |tool: Tool, editor: Editor| {
        let world = own_world;
        let tell = |survey: &Survey| {
            let told = told(survey);
            world.survive(&root, |known| known.tell(&analysis, &path, lines, told));
        };
        let request = Request {
            record: crate::record::Request {
                root: &root,
                tool,
                tests: &tests,
                is_all: true,
                way: crate::record::Way::Quickest,
                integration: false,
                jdk: None,
                compiler: None,
                standby: None,
                timeout,
                run_timeout: None,
                room,
                libraries: None,
            },
            files: vec![file],
            lines,
            class,
            shard: None,
            found: &|_| {},
            known: &tell,
        };
        // The links of the marks lead there; without them nothing else is missing.
        let pages = project::own_folder(&root).map(|own| pages::write(&own));
        if !matches!(pages, Ok(Ok(()))) {
            tracing::warn!("the pages of the rules cannot be written: {pages:?}");
        }
        let result = survey(&analysis, &request, &editor);
        drop(editor);
        if let Ok(survey) = &result {
            tell(survey);
        }
        say(&world, &result);
        match result {
            Ok(survey) => json!({
                "started": true,
                "mutants": survey.counts.mutants,
                "killed": survey.counts.killed,
                "survived": survey.counts.survived,
                "not_run": survey.counts.not_run,
                "pseudo_tested": survey.pseudo_tested.len(),
            }),
            Err(failure) => json!({ "started": true, "error": failure.to_string() }),
        }
    };
    let title = format!("Telltale: what no test notices in {name}");
    let job = Job {
        title: &title,
        command: "telltale mutants PATH -- COMMAND",
        is_empty,
        follows: false,
    };
    let recordings = &world.recordings;
    recordings.begin(world, snapshot, &found.root, &job, done, work)
}

fn say(world: &Shared, done: &Result<Survey, Failure>) {
    match done {
        Ok(survey) => {
            let counts = &survey.counts;
            let mutants = plural(counts.mutants, "mutant", "mutants");
            let mut said = format!("Telltale: {mutants}, {} survived", counts.survived);
            if counts.not_run > 0 {
                said.push_str(&format!(", {} run by no test", counts.not_run));
            }
            match survey.pseudo_tested.len() {
                0 => {}
                1 => said.push_str("; 1 method is pseudo-tested"),
                n => said.push_str(&format!("; {n} methods are pseudo-tested")),
            }
            world.outbox.inform(said);
        }
        Err(failure) => {
            // What the build said last is for the log: a message is a line.
            let said = failure.to_string();
            let (first, rest) = said.split_once('\n').unwrap_or((&said, ""));
            if !rest.is_empty() {
                tracing::warn!("{rest}");
            }
            let said = format!("Telltale does not know what no test notices: {first}");
            world.outbox.warn(said);
        }
    }
}

/// What is shown of it.
fn told(survey: &Survey) -> Vec<survivors::Survivor> {
    let all = survey.pseudo_tested.iter().map(|s| (s, true));
    let all = all.chain(survey.survivors.iter().map(|s| (s, false)));
    all.map(|(s, is_pseudo_tested)| survivors::Survivor {
        path: s.method.path.clone(),
        method: s.method.name.clone(),
        line: s.line,
        is_pseudo_tested,
        message: message(s, is_pseudo_tested),
        cure: cure(s),
    })
    .collect()
}

/// ``No test notices that `+` became `-` (2 tests run it). `cart.size()` tells: it is 1, and would be 2, in CartTest.adds``
fn message(survivor: &Survivor, is_pseudo_tested: bool) -> String {
    let run = match survivor.tests {
        1 => "1 test runs it".to_owned(),
        n => format!("{n} tests run it"),
    };
    let what = match is_pseudo_tested {
        true => {
            let name = survivor.method.words();
            format!("Pseudo-tested: all of {name} can be left out, and no test fails ({run}).")
        }
        false => {
            let it = match survivor.words.starts_with("returned ") {
                true => "it ",
                false => "",
            };
            format!("No test notices that {it}{} ({run}).", survivor.words)
        }
    };
    match &survivor.remedy {
        Remedy::Read(cure) => {
            let test = method_words(&cure.test);
            format!(
                "{what} `{}` tells: it is {}, and would be {}, in {test}",
                cure.expression, cure.was, cure.with_mutant
            )
        }
        Remedy::Inside(within) => {
            let (name, test) = (&within.name, method_words(&within.test));
            format!("{what} Only {name} tells, in {test}: an inner oracle can check it")
        }
        Remedy::Mocked { call, test } => {
            let test = method_words(test);
            format!("{what} A mock takes the call: `{call}` tells, in {test}")
        }
        Remedy::None if survivor.operator == Operator::ConditionalsBoundary => {
            format!("{what} Is there a test in which both sides are equal?")
        }
        Remedy::None => what,
    }
}

fn cure(survivor: &Survivor) -> Option<survivors::Cure> {
    let Remedy::Read(cure) = &survivor.remedy else {
        return None;
    };
    cure.assertion.as_ref()?;
    let at = |(line, column): (u32, u32)| Position::new(line - 1, column - 1);
    let edits = cure.edits.iter();
    Some(survivors::Cure {
        title: format!(
            "Assert `{}` is {} in `{}`",
            cure.expression,
            cure.was,
            method_words(&cure.test)
        ),
        path: cure.path.clone(),
        edits: edits
            .map(|e| (at(e.start), at(e.end), e.text.clone()))
            .collect(),
    })
}

/// What stands in a file of it.
pub(super) fn diagnostics(
    found: &Found,
    index: &LineIndex,
    snapshot: &Snapshot,
) -> Vec<lsp::Diagnostic> {
    let known = snapshot.survivors(&found.root);
    let all = known.map_or(Vec::new(), |k| k.of(&found.analysis, found.file));
    let told = all.iter().filter_map(|s| diagnostic(found, index, s));
    told.collect()
}

/// One of them, unless its rule is switched off.
fn diagnostic(found: &Found, index: &LineIndex, shown: &Shown) -> Option<lsp::Diagnostic> {
    let rule: &Rule = match shown.is_pseudo_tested {
        true => &PSEUDO_TESTED,
        false => &SURVIVED,
    };
    let level = rules::level(&found.settings, rule)?;
    // Of other code nobody knows it any more.
    let level = match shown.is_stale {
        true => Level::Hint,
        false => level,
    };
    let is_grey = shown.is_stale && found.coding.client.greys;
    Some(lsp::Diagnostic {
        range: convert::range(index, shown.span, found.coding),
        severity: Some(severity(level)),
        code: Some(lsp::NumberOrString::String(rule.name.to_owned())),
        code_description: page(found, rule),
        source: Some(SOURCE.to_owned()),
        message: shown.message.clone(),
        tags: is_grey.then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        ..Default::default()
    })
}

/// The assertions that tell what these diagnostics are about.
pub(super) fn fixes(
    found: &Found,
    index: &LineIndex,
    snapshot: &Snapshot,
    asked: &[lsp::Diagnostic],
) -> Vec<CodeAction> {
    let is_ours = |d: &lsp::Diagnostic| {
        let Some(lsp::NumberOrString::String(code)) = &d.code else {
            return false;
        };
        d.source.as_deref() == Some(SOURCE) && OF_MUTANTS.iter().any(|rule| rule.name == code)
    };
    if !asked.iter().any(is_ours) {
        return Vec::new();
    }
    let known = snapshot.survivors(&found.root);
    let all = known.map_or(Vec::new(), |k| k.of(&found.analysis, found.file));
    let mut out: Vec<CodeAction> = Vec::new();
    for shown in &all {
        let Some(own) = diagnostic(found, index, shown) else {
            continue;
        };
        let is_it =
            |d: &&lsp::Diagnostic| is_ours(d) && d.range == own.range && d.message == own.message;
        let (Some(asked), Some((title, change))) = (asked.iter().find(is_it), &shown.cure) else {
            continue;
        };
        let edit = edits::of(found, snapshot, change).ok();
        // One assertion may tell of several.
        match out.iter_mut().find(|a| a.title == *title && a.edit == edit) {
            Some(known) => known
                .diagnostics
                .get_or_insert_default()
                .push(asked.clone()),
            None => out.push(CodeAction {
                title: title.clone(),
                kind: Some(lsp::CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![asked.clone()]),
                edit,
                is_preferred: Some(true),
                ..Default::default()
            }),
        }
    }
    out.retain(|a| a.edit.is_some());
    out
}
