//! `initialize`: what the client can do, whose folders it has, and what it may ask for.

use super::{Backend, commands};
use crate::lsp::abilities::ClientCapabilities;
use crate::lsp::convert::{self, Coding};
use crate::lsp::{actions, editor_process};
use std::path::PathBuf;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

pub(super) fn answer(
    backend: &Backend,
    params: lsp::InitializeParams,
) -> Result<lsp::InitializeResult> {
    let general = params.capabilities.general.as_ref();
    let coding = Coding {
        encoding: convert::encoding(general.and_then(|g| g.position_encodings.as_deref())),
        ahead: 0,
        client: ClientCapabilities::of(&params),
    };
    backend.world.outbox.declare(coding.client);
    let roots = roots(&params);
    let options = params.initialization_options.unwrap_or_default();
    let settings = options.get("telltale").cloned().unwrap_or(options);
    backend.world.begin(coding, roots, settings);
    if let Some(parent) = params.process_id {
        editor_process::watch(parent, backend.gone.clone());
    }
    let mut commands = commands::ALL.to_vec();
    if backend.test_commands {
        commands.extend(commands::for_tests::ALL);
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
