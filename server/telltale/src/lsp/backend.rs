//! The handlers: convert, ask one function of `ide` on the request lane, convert back.

use super::Options;
use super::abilities::ClientCapabilities;
use super::actions::{self, GO, INNER, go};
use super::age;
use super::convert::{self, Coding};
use super::editor_process;
use super::edits;
use super::evidence::{self, EVIDENCE};
use super::ingress::snapshot;
use super::oracles::{self, ActionData};
use super::recording::Asked;
use super::review::{self, REVIEW};
use super::status::Status;
use super::world::{Found, Shared, Snapshot};
use crate::command::picture;
use ide::action::Effect;
use ide::answers::{Answer, Ground, Scope, What};
use ide::lens::{On, Title};
use oracle::TestKind;
use program::MethodId;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use text::{LineIndex, Span};
use tokio::sync::mpsc::Sender;
use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

/// Commands that every client can run.
const OBSERVE: &str = "telltale.observe";
const GRAPH: &str = "telltale.graph";
const ASSERT: &str = "telltale.assert";
/// Lists what there is; what can be chosen for a value.
const INNER_LIST: &str = "telltale.inner.list";
const INNER_CHOICES: &str = "telltale.inner.choices";
/// Records a test, the tests of a file or of a folder; ends that.
pub(super) const RECORD: &str = "telltale.record";
const STOP: &str = "telltale.record.stop";
const REINDEX: &str = "telltale.reindex";
const SHOW_LOG: &str = "telltale.showLog";
/// Commands for tests: what a document says to a request that arrived now; a file observed again and again, without end;
/// work that takes a while; a bug; nothing left to do in the background.
const TEXT: &str = "telltale.test.text";
const ENDLESS: &str = "telltale.test.endless";
const SLEEP: &str = "telltale.test.sleep";
const PANIC: &str = "telltale.test.panic";
const IDLE: &str = "telltale.test.idle";

/// See the module's description.
#[derive(Debug)]
pub(crate) struct Backend {
    world: Shared,
    /// Is told when the editor is gone.
    gone: Sender<()>,
    log: Option<PathBuf>,
    test_commands: bool,
}

impl Backend {
    pub(crate) fn new(world: Shared, gone: Sender<()>, options: &Options) -> Backend {
        Backend {
            world,
            gone,
            log: options.log.clone(),
            test_commands: options.test_commands,
        }
    }

    /// Answers from a document's analysis; the default where there is none.
    async fn on<T: Default + Send + 'static>(
        &self,
        uri: lsp::Uri,
        ask: impl FnOnce(&Found, &LineIndex, Coding) -> T + Send + 'static,
    ) -> Result<T> {
        let snapshot = snapshot();
        self.world
            .pools
            .answer(move |cancellation| {
                let Some(mut found) = snapshot.find(&uri) else {
                    return T::default();
                };
                found.analysis = Arc::new(found.analysis.under(cancellation));
                let Some(text) = found.analysis.program().text(found.file) else {
                    return T::default();
                };
                let coding = found.coding;
                ask(&found, &LineIndex::new(text), coding)
            })
            .await
    }
}

impl Backend {
    /// The edit that an action stands for; where there is none the user is told why.
    async fn edit_of(&self, data: ActionData) -> Result<Option<lsp::WorkspaceEdit>> {
        let snapshot = snapshot();
        let edit = self
            .on(data.uri().clone(), move |found, _, _| {
                Some(data.edit(found, &snapshot))
            })
            .await?;
        match edit {
            Some(Ok(edit)) => Ok(Some(edit)),
            Some(Err(why)) => {
                self.world.outbox.inform(format!("Telltale: {why}"));
                Ok(None)
            }
            None => Ok(None),
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
                        let test = ide::action::test_around(&found.analysis, found.file, at);
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

impl LanguageServer for Backend {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        let general = params.capabilities.general.as_ref();
        let coding = Coding {
            encoding: convert::encoding(general.and_then(|g| g.position_encodings.as_deref())),
            ahead: 0,
            client: ClientCapabilities::of(&params),
        };
        self.world.outbox.declare(coding.client);
        let roots = roots(&params);
        let options = params.initialization_options.unwrap_or_default();
        let settings = options.get("telltale").cloned().unwrap_or(options);
        self.world.begin(coding, roots, settings);
        if let Some(parent) = params.process_id {
            editor_process::watch(parent, self.gone.clone());
        }
        let mut commands = vec![
            OBSERVE,
            GRAPH,
            ASSERT,
            GO,
            INNER,
            INNER_LIST,
            INNER_CHOICES,
            RECORD,
            STOP,
            EVIDENCE,
            REVIEW,
            REINDEX,
            SHOW_LOG,
        ];
        if self.test_commands {
            commands.extend([TEXT, ENDLESS, SLEEP, PANIC, IDLE]);
        }
        Ok(lsp::InitializeResult {
            capabilities: lsp::ServerCapabilities {
                position_encoding: Some(convert::encoding_kind(coding.encoding)),
                text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(
                    lsp::TextDocumentSyncOptions {
                        open_close: Some(true),
                        change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
                        save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
                        ..Default::default()
                    },
                )),
                code_lens_provider: Some(lsp::CodeLensOptions {
                    resolve_provider: Some(true),
                }),
                inlay_hint_provider: Some(lsp::OneOf::Left(true)),
                hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
                code_action_provider: Some(lsp::CodeActionProviderCapability::Options(
                    lsp::CodeActionOptions {
                        code_action_kinds: Some(actions::kinds()),
                        resolve_provider: Some(true),
                        ..Default::default()
                    },
                )),
                execute_command_provider: Some(lsp::ExecuteCommandOptions {
                    commands: commands.into_iter().map(str::to_owned).collect(),
                    ..Default::default()
                }),
                workspace: Some(lsp::WorkspaceServerCapabilities {
                    workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
                        supported: Some(true),
                        change_notifications: Some(lsp::OneOf::Left(true)),
                    }),
                    ..Default::default()
                }),
                ..Default::default()
            },
            server_info: Some(lsp::ServerInfo {
                name: "telltale".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..Default::default()
        })
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        let outbox = &self.world.outbox;
        outbox.status(Status {
            state: "starting".to_owned(),
            message: None,
            indexed: 0,
            total: 0,
        });
        outbox.register();
        outbox.configuration_changed(&self.world);
        self.world.index();
    }

    async fn shutdown(&self) -> Result<()> {
        self.world.shut_down();
        Ok(())
    }

    async fn code_lens(&self, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
        self.world.outbox.lenses_are_asked();
        let uri = params.text_document.uri;
        let snapshot = snapshot();
        self.on(uri.clone(), move |found, index, coding| {
            let shown = &found.settings.lens;
            let lenses = ide::lens::lenses(&found.analysis, found.file)
                .into_iter()
                .filter(|l| match l.on {
                    On::Test(_) | On::Generated(_) => shown.tests,
                    On::Method(_) => shown.methods,
                })
                .filter(|l| has_words(found, l.on))
                .map(|l| {
                    let program = found.analysis.program();
                    let name = match l.on {
                        On::Test(m) | On::Method(m) => program.method_name(m),
                        On::Generated(class) => program.type_name(class).to_string(),
                    };
                    let whole = coding.client.whole_lenses;
                    lsp::CodeLens {
                        range: convert::range(index, l.span, coding),
                        command: whole.then(|| lens_command(found, &snapshot, l.on, &name)),
                        data: Some(json!({
                            "uri": uri,
                            "name": name,
                            "test": matches!(l.on, On::Test(_)),
                        })),
                    }
                })
                .collect();
            Some(lenses)
        })
        .await
    }

    async fn code_lens_resolve(&self, lens: lsp::CodeLens) -> Result<lsp::CodeLens> {
        let Some((uri, name, test)) = lens.data.as_ref().and_then(lens_data) else {
            return Err(Error::invalid_params("this lens is not ours"));
        };
        let snapshot = snapshot();
        let command = self
            .on(uri, move |found, _, _| {
                let on = on_named(found, &name, test)?;
                Some(lens_command(found, &snapshot, on, &name))
            })
            .await?;
        // The method is gone since the lens was made: the client asks again.
        let command = command.unwrap_or_else(|| lsp::Command {
            title: "…".to_owned(),
            command: OBSERVE.to_owned(),
            arguments: Some(vec![json!({
                "uri": lens.data.as_ref().and_then(|d| d.get("uri")),
            })]),
        });
        Ok(lsp::CodeLens {
            command: Some(command),
            ..lens
        })
    }

    async fn inlay_hint(
        &self,
        params: lsp::InlayHintParams,
    ) -> Result<Option<Vec<lsp::InlayHint>>> {
        let twins = !self.world.outbox.shows_lenses();
        self.on(params.text_document.uri, move |found, index, coding| {
            // A twin has the switch of its lens.
            let twins = twins && !coding.client.lenses && found.settings.lens.tests;
            let is_test = found.analysis.program().is_test(found.file);
            if !(if is_test {
                twins
            } else {
                found.settings.hints.observe
            }) {
                return None;
            }
            let range = convert::span(index, params.range, coding);
            let hints = ide::hint::hints(&found.analysis, found.file, range, twins)
                .into_iter()
                .map(|h| lsp::InlayHint {
                    position: convert::position(index, h.offset, coding),
                    label: lsp::InlayHintLabel::String(h.label),
                    kind: None,
                    text_edits: None,
                    tooltip: Some(lsp::InlayHintTooltip::String(h.tooltip)),
                    padding_left: Some(true),
                    padding_right: None,
                    data: None,
                })
                .collect();
            Some(hints)
        })
        .await
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        let at = params.text_document_position_params;
        self.on(at.text_document.uri, move |found, index, coding| {
            if !found.settings.hover.rank {
                return None;
            }
            let offset = convert::offset(index, at.position, coding);
            let hover = ide::hover::hover(&found.analysis, found.file, offset)?;
            Some(lsp::Hover {
                contents: lsp::HoverContents::Markup(match coding.client.markdown {
                    true => lsp::MarkupContent {
                        kind: lsp::MarkupKind::Markdown,
                        value: hover.markdown,
                    },
                    false => lsp::MarkupContent {
                        kind: lsp::MarkupKind::PlainText,
                        value: hover.plain,
                    },
                }),
                range: Some(convert::range(index, hover.span, coding)),
            })
        })
        .await
    }

    async fn code_action(
        &self,
        params: lsp::CodeActionParams,
    ) -> Result<Option<lsp::CodeActionResponse>> {
        let snapshot = snapshot();
        let uri = params.text_document.uri.clone();
        self.on(uri, move |found, index, _| {
            Some(actions::all(found, index, &snapshot, &params))
        })
        .await
    }

    async fn code_action_resolve(&self, action: lsp::CodeAction) -> Result<lsp::CodeAction> {
        let data = action
            .data
            .clone()
            .map(serde_json::from_value::<ActionData>);
        let Some(Ok(data)) = data else {
            return Ok(action);
        };
        let edit = self.edit_of(data).await?;
        Ok(lsp::CodeAction { edit, ..action })
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        match params.command.as_str() {
            REINDEX => {
                self.world.reindex();
                Ok(None)
            }
            SHOW_LOG => Ok(self.show_log()),
            RECORD => self.record(params.arguments.first()).await,
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
                            ide::action::method_around(&found.analysis, found.file, at)
                        }
                        (None, None) => None,
                    };
                    answer(found, scope_of(found, what)?)
                })
                .await
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
                    Some(oracles::list(found, &snapshot))
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
                    oracles::choices(found, &uri, Span::new(at, at))
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
}

/// The folders of the client: several, one as it was before there were several, or none.
fn roots(params: &lsp::InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.as_deref().unwrap_or_default();
    let mut roots: Vec<PathBuf> = folders
        .iter()
        .filter_map(|f| convert::any_path_of(&f.uri))
        .collect();
    #[allow(deprecated)]
    if roots.is_empty() {
        roots.extend(params.root_uri.as_ref().and_then(convert::any_path_of));
    }
    roots
}

fn lens_data(data: &Value) -> Option<(lsp::Uri, String, bool)> {
    Some((
        serde_json::from_value(data.get("uri")?.clone()).ok()?,
        data.get("name")?.as_str()?.to_owned(),
        data.get("test")?.as_bool()?,
    ))
}

fn observe_arguments(argument: &Value) -> Option<(lsp::Uri, Option<String>)> {
    let uri = serde_json::from_value(argument.get("uri")?.clone()).ok()?;
    let name = argument.get("name").or_else(|| argument.get("test"));
    Some((uri, name.and_then(Value::as_str).map(str::to_owned)))
}

/// The method of a name, in the file that it was found in.
fn method_named(found: &Found, name: &str) -> Option<MethodId> {
    let program = found.analysis.program();
    program
        .types_of_file(found.file)
        .iter()
        .flat_map(|t| program.methods_of_type(*t))
        .copied()
        .find(|m| program.method_name(*m) == name)
}

/// What a lens is about: a method, or a class, whose names have no `#`.
fn on_named(found: &Found, name: &str, test: bool) -> Option<On> {
    if !name.contains('#') {
        let program = found.analysis.program();
        let mut types = program.types_of_file(found.file).iter();
        let class = types.find(|t| program.type_name(**t) == name)?;
        return Some(On::Generated(*class));
    }
    let method = method_named(found, name)?;
    Some(match test {
        true => On::Test(method),
        false => On::Method(method),
    })
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

/// False for a lens that has nothing to say. Of methods only those that tests call have one, and it says how many.
fn has_words(found: &Found, on: On) -> bool {
    matches!(on, On::Method(_)) || ide::lens::title(&found.analysis, on).is_some()
}

/// What a lens says, and what running it does.
fn lens_command(found: &Found, snapshot: &Snapshot, on: On, name: &str) -> lsp::Command {
    let mark = match found.analysis.is_complete() {
        true => "",
        false => " (still reading)",
    };
    let (text, (command, argument)) = match ide::lens::title(&found.analysis, on) {
        Some(title) => {
            let run = run_of(found, snapshot, on, &title, name);
            (age::told(title), run)
        }
        None => {
            let own = lens_argument(found, snapshot, name);
            // It had when the client asked for it.
            ("nothing sure to observe".to_owned(), (OBSERVE, Some(own)))
        }
    };
    let argument = argument.unwrap_or_else(|| json!({ "uri": uri_of(found, snapshot) }));
    lsp::Command {
        title: format!("{text}{mark}"),
        command: command.to_owned(),
        arguments: Some(vec![argument]),
    }
}

/// What running a lens does: on a test the best assertion is inserted, where the client lets us; where a lens has only a
/// place to name, it is shown.
fn run_of(
    found: &Found,
    snapshot: &Snapshot,
    on: On,
    title: &Title,
    name: &str,
) -> (&'static str, Option<Value>) {
    let own = lens_argument(found, snapshot, name);
    if let (On::Test(test), true) = (on, snapshot.coding.client.apply_edit)
        && insertion(found, snapshot, test).is_some()
    {
        return (ASSERT, Some(own));
    }
    match title.target.and_then(|place| go(found, snapshot, place)) {
        Some(place) => (GO, Some(place)),
        None => (OBSERVE, Some(own)),
    }
}

/// The URI of the file in question.
fn uri_of(found: &Found, snapshot: &Snapshot) -> Option<lsp::Uri> {
    let path = found.analysis.program().path(found.file)?;
    snapshot.uri_of(&found.root.join(&**path))
}

/// What names the method of a lens to a command.
fn lens_argument(found: &Found, snapshot: &Snapshot, name: &str) -> Value {
    json!({ "uri": uri_of(found, snapshot), "name": name })
}

/// The best assertion on what a test could read and does not.
fn insertion(found: &Found, snapshot: &Snapshot, test: MethodId) -> Option<lsp::WorkspaceEdit> {
    let actions = ide::action::actions_of(&found.analysis, found.file, test);
    actions.into_iter().find_map(|a| match a.effect {
        Effect::Assert { change, .. } => edits::of(found, snapshot, &change, None).ok(),
        _ => None,
    })
}
