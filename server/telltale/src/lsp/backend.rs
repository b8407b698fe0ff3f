//! The handlers: convert, ask one function of `ide` on the request lane, convert back.

mod commands;
mod lenses;

use super::Options;
use super::abilities::ClientCapabilities;
use super::actions;
use super::age;
use super::convert::{self, Coding};
use super::editor_process;
use super::ingress::snapshot;
use super::inner_oracles::ActionData;
use super::status::Status;
use super::world::{Found, Shared};
use crate::rules;
use ide::lens::On;
use ide::rules::{SUSPICIOUS, named};
use lenses::{has_words, lens_command, lens_data, on_named};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use text::LineIndex;
use tokio::sync::mpsc::Sender;
use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

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
        let mut commands = commands::ALL.to_vec();
        if self.test_commands {
            commands.extend(commands::FOR_TESTS);
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
        self.world.configuration_changed();
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
        let is_running = self.world.recordings.is_running();
        self.on(uri.clone(), move |found, index, coding| {
            let shown = &found.settings.lens;
            let lenses = ide::lens::lenses(&found.analysis, found.file)
                .into_iter()
                .filter(|l| match l.on {
                    On::Test(_) | On::Recorded(_) => shown.tests,
                    // It counts the marks that the rule makes.
                    On::Generated(_) => shown.tests && is_marking(&found.settings),
                    On::Method(_) => shown.methods,
                })
                .filter(|l| has_words(found, l.on))
                .map(|l| {
                    let program = found.analysis.program();
                    let name = match l.on {
                        On::Test(m) | On::Method(m) => program.method_name(m),
                        On::Generated(class) | On::Recorded(class) => {
                            program.type_name(class).to_string()
                        }
                    };
                    let whole = coding.client.whole_lenses;
                    lsp::CodeLens {
                        range: convert::range(index, l.span, coding),
                        command: whole
                            .then(|| lens_command(found, &snapshot, l.on, &name, is_running)),
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
        let is_running = self.world.recordings.is_running();
        let command = self
            .on(uri, move |found, _, _| {
                let on = on_named(found, &name, test)?;
                Some(lens_command(found, &snapshot, on, &name, is_running))
            })
            .await?;
        // The method is gone since the lens was made: the client asks again.
        let command = command.unwrap_or_else(|| lsp::Command {
            title: "…".to_owned(),
            command: commands::OBSERVE.to_owned(),
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
                .filter(|h| !h.counts_marks || is_marking(&found.settings))
                .map(|h| lsp::InlayHint {
                    position: convert::position(index, h.offset, coding),
                    label: lsp::InlayHintLabel::String(age::with(h.label, h.recorded)),
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
        self.run(params).await
    }
}

/// True if what looks wrong in generated tests is marked.
fn is_marking(settings: &project::Config) -> bool {
    named(SUSPICIOUS).is_some_and(|rule| rules::level(settings, rule).is_some())
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
