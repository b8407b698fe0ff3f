//! The commands that every client can run: what each takes, and what runs it.

use super::Backend;
use crate::command::picture;
use crate::lsp::actions::{GO, INNER};
use crate::lsp::convert;
use crate::lsp::edits;
use crate::lsp::evidence::{self, EVIDENCE};
use crate::lsp::ingress::snapshot;
use crate::lsp::inner_oracles::{self, ActionData};
use crate::lsp::marked::{self, SUSPECTS};
use crate::lsp::mutating::{self, MUTANTS};
use crate::lsp::recording::{Asked, RECORD};
use crate::lsp::review::{self, REVIEW};
use crate::lsp::world::{Found, Snapshot};
use ide::action::Effect;
use ide::answers::{Answer, Ground, Scope, Weakest, What, all_tests};
use oracle::TestKind;
use program::MethodId;
use serde_json::{Value, json};
use std::sync::Arc;
use text::Span;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

/// The answers of the command line.
pub(super) const OBSERVE: &str = "telltale.observe";
const GRAPH: &str = "telltale.graph";
const WEAKEST: &str = "telltale.weakest";
pub(super) const ASSERT: &str = "telltale.assert";
/// Lists what there is; what can be chosen for a value.
const INNER_LIST: &str = "telltale.inner.list";
const INNER_CHOICES: &str = "telltale.inner.choices";
/// Ends what runs tests.
pub(super) const STOP: &str = "telltale.record.stop";
const REINDEX: &str = "telltale.reindex";
const SHOW_LOG: &str = "telltale.showLog";
/// Commands for tests: what a document says to a request that arrived now; a file observed again and again, without end;
/// work that takes a while; a bug; nothing left to do in the background.
const TEXT: &str = "telltale.test.text";
const ENDLESS: &str = "telltale.test.endless";
const SLEEP: &str = "telltale.test.sleep";
const PANIC: &str = "telltale.test.panic";
const IDLE: &str = "telltale.test.idle";

/// What a client is told that it can run.
pub(super) const ALL: [&str; 16] = [
    OBSERVE,
    GRAPH,
    WEAKEST,
    ASSERT,
    GO,
    INNER,
    INNER_LIST,
    INNER_CHOICES,
    RECORD,
    STOP,
    MUTANTS,
    EVIDENCE,
    SUSPECTS,
    REVIEW,
    REINDEX,
    SHOW_LOG,
];
/// And a test.
pub(super) const FOR_TESTS: [&str; 5] = [TEXT, ENDLESS, SLEEP, PANIC, IDLE];

impl Backend {
    pub(super) async fn run(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        match params.command.as_str() {
            REINDEX => {
                self.world.reindex();
                Ok(None)
            }
            SHOW_LOG => Ok(self.show_log()),
            RECORD => self.record(params.arguments.first()).await,
            MUTANTS => self.mutants(params.arguments.first()).await,
            STOP => Ok(Some(Value::from(self.world.recordings.cancel()))),
            OBSERVE | GRAPH => {
                let answer = match params.command.as_str() {
                    OBSERVE => observed,
                    _ => drawn,
                };
                let argument = params.arguments.first();
                let Some((uri, name)) = argument.and_then(observe_arguments) else {
                    return Err(Error::invalid_params(
                        "the command takes [{ uri, position? | test? }]",
                    ));
                };
                let position: Option<lsp::Position> =
                    argument.and_then(|a| serde_json::from_value(a.get("position")?.clone()).ok());
                self.on(uri, move |found, index, coding| {
                    let what = match (name, position) {
                        (Some(name), _) => Some(method_named(found, &name)?),
                        (None, Some(at)) => {
                            let at = convert::offset(index, at, coding);
                            let at = Span::new(at, at);
                            ide::lens::method_around(&found.analysis, found.file, at)
                        }
                        (None, None) => None,
                    };
                    answer(found, scope_of(found, what)?)
                })
                .await
            }
            WEAKEST => {
                let argument = params.arguments.first();
                let asked = argument.and_then(weakest_arguments);
                let Some((uri, is_file, most)) = asked else {
                    return Err(Error::invalid_params(
                        "telltale.weakest takes [{ uri, scope?: \"file\" | \"folder\", most?: 1.. }]",
                    ));
                };
                let answer = self
                    .on(uri, move |found, _, _| {
                        let is_read = found.analysis.is_complete();
                        Some(is_read.then(|| weakest(found, is_file, most)).flatten())
                    })
                    .await?;
                if let Some(None) = answer {
                    let why = "Telltale is still reading this project: ask again when it has";
                    self.world.outbox.inform(why.to_owned());
                }
                Ok(answer.flatten())
            }
            EVIDENCE => {
                let asked = params.arguments.first().and_then(evidence::Asked::of);
                let Some(asked) = asked.map(Arc::new) else {
                    return Err(Error::invalid_params(
                        "telltale.evidence takes [{ uri, position, show? }]",
                    ));
                };
                let of = Arc::clone(&asked);
                let page = self
                    .on(asked.uri.clone(), move |found, index, _| {
                        of.answer(found, index)
                    })
                    .await?;
                Ok(asked.show(&self.world, page))
            }
            SUSPECTS => {
                let argument = params.arguments.first().and_then(observe_arguments);
                let Some((uri, _)) = argument else {
                    return Err(Error::invalid_params("telltale.suspects takes [{ uri }]"));
                };
                self.on(uri, |found, index, _| Some(marked::list(found, index)))
                    .await
            }
            REVIEW => {
                let Some(uri) = params.arguments.first().and_then(review::uri_of) else {
                    return Err(Error::invalid_params("telltale.review takes [{ uri }]"));
                };
                let edit = self
                    .on(uri, |found, _, _| Some(review::edit(found)))
                    .await?;
                match edit {
                    Some(Ok(Some(edit))) => self.world.outbox.edit(edit),
                    Some(Err(why)) => self.world.outbox.inform(why),
                    Some(Ok(None)) | None => {}
                }
                Ok(None)
            }
            GO => {
                let target = params.arguments.first().and_then(|a| {
                    let uri = serde_json::from_value(a.get("uri")?.clone()).ok()?;
                    let range = serde_json::from_value(a.get("range")?.clone()).ok()?;
                    Some((uri, range))
                });
                let Some((uri, range)) = target else {
                    return Err(Error::invalid_params("telltale.go takes [{ uri, range }]"));
                };
                match self.world.snapshot().coding.client.show_document {
                    true => self.world.outbox.show(uri, Some(range)),
                    false => self.world.outbox.say_place(&uri, range),
                }
                Ok(None)
            }
            ASSERT => {
                let argument = params.arguments.first().and_then(observe_arguments);
                let Some((uri, Some(name))) = argument else {
                    return Err(Error::invalid_params(
                        "telltale.assert takes [{ uri, name }]",
                    ));
                };
                let snapshot = snapshot();
                let edit = self
                    .on(uri.clone(), move |found, _, _| {
                        let test = method_named(found, &name)?;
                        insertion(found, &snapshot, test)
                    })
                    .await?;
                if let Some(edit) = edit {
                    self.world.outbox.edit(edit);
                }
                Ok(None)
            }
            INNER => {
                let data = params.arguments.into_iter().next();
                let Some(Ok(data)) = data.map(serde_json::from_value::<ActionData>) else {
                    return Err(Error::invalid_params(
                        "telltale.inner takes [{ do: \"remove\", uri, names }], or what telltale.inner.choices gives",
                    ));
                };
                if let Some(edit) = self.edit_of(data).await? {
                    self.world.outbox.edit(edit);
                }
                Ok(None)
            }
            INNER_LIST => {
                let argument = params.arguments.first().and_then(observe_arguments);
                let Some((uri, _)) = argument else {
                    return Err(Error::invalid_params("telltale.inner.list takes [{ uri }]"));
                };
                let snapshot = snapshot();
                self.on(uri, move |found, _, _| {
                    Some(inner_oracles::list(found, &snapshot))
                })
                .await
            }
            INNER_CHOICES => {
                let argument = params.arguments.first();
                let at = argument.and_then(|a| {
                    let (uri, _) = observe_arguments(a)?;
                    Some((
                        uri,
                        serde_json::from_value(a.get("position")?.clone()).ok()?,
                    ))
                });
                let Some((uri, at)) = at else {
                    return Err(Error::invalid_params(
                        "telltale.inner.choices takes [{ uri, position }]",
                    ));
                };
                self.on(uri.clone(), move |found, index, coding| {
                    let at = convert::offset(index, at, coding);
                    inner_oracles::choices(found, &uri, Span::new(at, at))
                })
                .await
            }
            TEXT if self.test_commands => {
                let argument = params.arguments.first().and_then(observe_arguments);
                let Some((uri, _)) = argument else {
                    return Ok(None);
                };
                self.on(uri, |found, _, _| {
                    let text = found.analysis.program().text(found.file)?;
                    Some(Value::from(&**text))
                })
                .await
            }
            ENDLESS if self.test_commands => {
                let argument = params.arguments.first().and_then(observe_arguments);
                let Some((uri, _)) = argument else {
                    return Ok(None);
                };
                self.on(uri, |found, _, _| {
                    loop {
                        observed(found, scope_of(found, None)?)?;
                    }
                })
                .await
            }
            SLEEP if self.test_commands => {
                let millis = params
                    .arguments
                    .first()
                    .and_then(Value::as_u64)
                    .unwrap_or(0);
                self.world
                    .pools
                    .answer(move |cancellation| {
                        for _ in 0..millis {
                            if cancellation.is_cancelled() {
                                break;
                            }
                            std::thread::sleep(std::time::Duration::from_millis(1));
                        }
                        Some(Value::from(millis))
                    })
                    .await
            }
            IDLE if self.test_commands => {
                self.world.pools.idle().await;
                Ok(Some(Value::from(self.world.outbox.told())))
            }
            PANIC if self.test_commands => self.world.pools.answer(|_| panic!("as asked")).await,
            other => Err(Error::invalid_params(format!(
                "there is no command {other}"
            ))),
        }
    }

    /// Starts to record what an argument names: `{ uri, position? | test? | scope: "file" | "folder" }`.
    async fn record(&self, argument: Option<&Value>) -> Result<Option<Value>> {
        let Some((uri, name)) = argument.and_then(observe_arguments) else {
            return Err(Error::invalid_params(
                "the command takes [{ uri, position? | test? | scope? }]",
            ));
        };
        let part = |key: &str| argument.and_then(|a| a.get(key)).cloned();
        let position: Option<lsp::Position> =
            part("position").and_then(|at| serde_json::from_value(at).ok());
        let waits = part("wait").is_some_and(|w| w == true);
        let (done, result) = tokio::sync::oneshot::channel();
        let is_folder = part("scope").is_some_and(|s| s == "folder");
        let (world, snapshot) = (self.world.clone(), snapshot());
        let started = self
            .on(uri, move |found, index, coding| {
                let what = match (name, position) {
                    _ if is_folder => Some(Asked::Folder),
                    (Some(name), _) => method_named(found, &name).map(Asked::Test),
                    (None, Some(at)) => {
                        let at = convert::offset(index, at, coding);
                        let at = Span::new(at, at);
                        let test = ide::lens::test_around(&found.analysis, found.file, at);
                        Some(test.map_or(Asked::File, Asked::Test))
                    }
                    (None, None) => Some(Asked::File),
                };
                let gone = || "that test is not there any more".to_owned();
                let what = what.ok_or_else(gone);
                let start = |w| world.recordings.start(&world, &snapshot, found, w, done);
                Some(what.and_then(start))
            })
            .await?;
        self.started(started, waits, result).await
    }

    /// Starts to look for what no test notices in `{ uri, name? | position? | range? }`.
    async fn mutants(&self, argument: Option<&Value>) -> Result<Option<Value>> {
        let Some((uri, name)) = argument.and_then(observe_arguments) else {
            return Err(Error::invalid_params(
                "telltale.mutants takes [{ uri, name? | position? | range? }]",
            ));
        };
        let part = |key: &str| argument.and_then(|a| a.get(key)).cloned();
        let position: Option<lsp::Position> =
            part("position").and_then(|at| serde_json::from_value(at).ok());
        let range: Option<lsp::Range> = part("range").and_then(|r| serde_json::from_value(r).ok());
        let waits = part("wait").is_some_and(|w| w == true);
        let (done, result) = tokio::sync::oneshot::channel();
        let (world, snapshot) = (self.world.clone(), snapshot());
        let started = self
            .on(uri, move |found, index, coding| {
                let span = range
                    .map(|range| convert::span(index, range, coding))
                    .or_else(|| {
                        let at = convert::offset(index, position?, coding);
                        Some(Span::new(at, at))
                    });
                let what = match (name, span) {
                    (Some(name), _) => method_named(found, &name).map(mutating::Asked::Method),
                    (None, Some(span)) if !span.is_empty() => Some(mutating::Asked::Lines(span)),
                    (None, Some(span)) => {
                        let method = ide::lens::method_around(&found.analysis, found.file, span);
                        let file = mutating::Asked::File;
                        Some(method.map_or(file, mutating::Asked::Method))
                    }
                    (None, None) => Some(mutating::Asked::File),
                };
                let gone = || "that method is not there any more".to_owned();
                let what = what.ok_or_else(gone);
                Some(what.and_then(|w| mutating::start(&world, &snapshot, found, w, done)))
            })
            .await?;
        self.started(started, waits, result).await
    }

    /// What is answered once something runs, or does not: at once, or when it is over.
    async fn started(
        &self,
        started: Option<std::result::Result<(), String>>,
        waits: bool,
        result: tokio::sync::oneshot::Receiver<Value>,
    ) -> Result<Option<Value>> {
        match started {
            Some(Ok(())) if waits => Ok(result.await.ok()),
            Some(Ok(())) => Ok(Some(json!({ "started": true }))),
            Some(Err(why)) => {
                self.world.outbox.inform(format!("Telltale: {why}"));
                Ok(Some(json!({ "started": false })))
            }
            None => Ok(None),
        }
    }

    /// Shows the log where the client can show a file; its path, or nothing where there is none.
    fn show_log(&self) -> Option<Value> {
        let outbox = &self.world.outbox;
        let Some(log) = &self.log else {
            outbox.inform(
                "Telltale keeps no log; start the server as `telltale lsp --log FILE`".to_owned(),
            );
            return None;
        };
        let log = convert::real(&std::path::absolute(log).unwrap_or_else(|_| log.clone()));
        let uri = lsp::Uri::from_file_path(&log);
        match uri.filter(|_| self.world.snapshot().coding.client.show_document) {
            Some(uri) => outbox.show(uri, None),
            None => outbox.inform(format!("Telltale's log is {}", log.display())),
        }
        Some(json!({ "path": log.to_str() }))
    }
}

fn observe_arguments(argument: &Value) -> Option<(lsp::Uri, Option<String>)> {
    let uri = serde_json::from_value(argument.get("uri")?.clone()).ok()?;
    let name = argument.get("name").or_else(|| argument.get("test"));
    Some((uri, name.and_then(Value::as_str).map(str::to_owned)))
}

/// How many tests are named where nobody says how many.
const WEAKEST_TESTS: usize = 10;

/// Whose folder, whether only the tests of the file are asked about, and how many are named.
fn weakest_arguments(argument: &Value) -> Option<(lsp::Uri, bool, usize)> {
    let (uri, _) = observe_arguments(argument)?;
    let is_file = match argument.get("scope").map(Value::as_str) {
        None | Some(Some("folder")) => false,
        Some(Some("file")) => true,
        Some(_) => return None,
    };
    let most = match argument.get("most") {
        None => WEAKEST_TESTS,
        Some(most) => usize::try_from(most.as_u64()?).ok().filter(|n| *n > 0)?,
    };
    Some((uri, is_file, most))
}

/// The answer of `telltale observe --weakest`, computed aside: what is known of all tests of a folder would be looked through at
/// each keystroke.
fn weakest(found: &Found, is_file: bool, most: usize) -> Option<Value> {
    let aside = found.analysis.with_settings(*found.analysis.settings());
    let ground = Ground {
        analysis: &aside,
        ..ground(found)
    };
    let scope = match is_file {
        true => scope_of(found, None)?,
        false => Scope {
            kind: "suite",
            name: "all".to_owned(),
            what: What::Tests(all_tests(aside.workspace())),
        },
    };
    serde_json::to_value(Weakest::new(&ground, &scope, most, &|_, _| ())).ok()
}

/// The method of a name, in the file that it was found in.
pub(super) fn method_named(found: &Found, name: &str) -> Option<MethodId> {
    let program = found.analysis.program();
    program
        .types_of_file(found.file)
        .iter()
        .flat_map(|t| program.methods_of_type(*t))
        .copied()
        .find(|m| program.method_name(*m) == name)
}

/// What a command is about: a test, a method, or the file.
fn scope_of(found: &Found, what: Option<MethodId>) -> Option<Scope> {
    let (program, workspace) = (found.analysis.program(), found.analysis.workspace());
    Some(match what {
        Some(m) if workspace.suite().kind(m) == Some(TestKind::Test) => Scope {
            kind: "test",
            name: program.method_name(m),
            what: What::Tests(vec![workspace.own_run(m)]),
        },
        Some(m) => Scope {
            kind: "method",
            name: program.method_name(m),
            what: What::Method(m),
        },
        None => {
            let path = program.path(found.file)?.to_string();
            Scope {
                kind: "file",
                name: path.clone(),
                what: What::Path {
                    prefix: path,
                    tests: program.is_test(found.file),
                },
            }
        }
    })
}

/// The answer of `telltale observe` as the contract has it.
fn observed(found: &Found, scope: Scope) -> Option<Value> {
    serde_json::to_value(Answer::new(&ground(found), scope, None, false).json).ok()
}

fn ground(found: &Found) -> Ground<'_> {
    Ground {
        analysis: &found.analysis,
        root: found.root.to_string_lossy().into_owned(),
        files: found.analysis.program().files().len(),
        files_skipped: found.skipped,
    }
}

/// The substitution graph as data and as a picture.
fn drawn(found: &Found, scope: Scope) -> Option<Value> {
    let ground = ground(found);
    let answer = Answer::new(&ground, scope.clone(), None, false);
    let json = ide::answers::graph(&ground, scope, Some(&answer));
    let svg = picture::as_svg(found.analysis.workspace(), &answer);
    Some(json!({ "svg": svg, "json": json }))
}

/// The best assertion on what a test could read and does not.
pub(super) fn insertion(
    found: &Found,
    snapshot: &Snapshot,
    test: MethodId,
) -> Option<lsp::WorkspaceEdit> {
    let actions = ide::action::actions_of(&found.analysis, found.file, test);
    actions.into_iter().find_map(|a| match a.effect {
        Effect::Assert { change, .. } => edits::of(found, snapshot, &change, None).ok(),
        _ => None,
    })
}
