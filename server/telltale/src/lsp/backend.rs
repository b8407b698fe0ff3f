//! The requests, a file each: convert, ask one function of `ide` on the request lane, convert back.

mod code_action;
mod code_lens;
mod commands;
mod hover;
mod initialize;
mod inlay_hint;

use super::Options;
use super::convert::Coding;
use super::ingress::snapshot;
use super::status::Status;
use super::workspace_edit::{CodeAction, Resolved};
use super::world::{Found, Shared};
use crate::rules;
use ide::rules::{SUSPICIOUS, named};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use text::LineIndex;
use tokio::sync::mpsc::Sender;
use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::Result;
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

/// Requests whose answers have fields that the library's types for them do not.
impl Backend {
    pub(crate) async fn code_action(
        &self,
        params: lsp::CodeActionParams,
    ) -> Result<Option<Vec<CodeAction>>> {
        code_action::answer(self, params).await
    }

    pub(crate) async fn code_action_resolve(&self, action: lsp::CodeAction) -> Result<Resolved> {
        code_action::resolve(self, action).await
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        initialize::answer(self, params)
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
        code_lens::answer(self, params).await
    }

    async fn code_lens_resolve(&self, lens: lsp::CodeLens) -> Result<lsp::CodeLens> {
        code_lens::resolve(self, lens).await
    }

    async fn inlay_hint(
        &self,
        params: lsp::InlayHintParams,
    ) -> Result<Option<Vec<lsp::InlayHint>>> {
        inlay_hint::answer(self, params).await
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        hover::answer(self, params).await
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        commands::run(self, params).await
    }
}

/// True if what looks wrong in generated tests is marked.
fn is_marking(settings: &project::Config) -> bool {
    named(SUSPICIOUS).is_some_and(|rule| rules::level(settings, rule).is_some())
}
