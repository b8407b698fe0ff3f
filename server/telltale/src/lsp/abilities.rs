//! What a client says that it can do, as we need it.

use super::client::Able;
use super::convert::{self, Coding};
use tower_lsp::ls_types as lsp;

/// What the client can do.
pub(super) struct Abilities {
    pub(super) coding: Coding,
    pub(super) client: Able,
}

impl Abilities {
    pub(super) fn of(params: &lsp::InitializeParams) -> Abilities {
        let all = &params.capabilities;
        let workspace = all.workspace.as_ref();
        let window = all.window.as_ref();
        let document = all.text_document.as_ref();
        let general = all.general.as_ref();
        let markup = document
            .and_then(|d| d.hover.as_ref())
            .and_then(|h| h.content_format.as_ref());
        let of_ours = |name: &str| all.experimental.as_ref()?.get(name)?.as_bool();
        let status = of_ours("telltaleStatus");
        let edits = workspace.and_then(|w| w.workspace_edit.as_ref());
        let does = |what: lsp::ResourceOperationKind| {
            let operations = edits.and_then(|e| e.resource_operations.as_ref());
            operations.is_some_and(|o| o.contains(&what))
        };
        let dynamic = |it: Option<bool>| it.unwrap_or(false);
        Abilities {
            coding: Coding {
                encoding: convert::encoding(general.and_then(|g| g.position_encodings.as_deref())),
                markdown: markup.is_none_or(|m| m.contains(&lsp::MarkupKind::Markdown)),
                lenses: document.is_some_and(|d| d.code_lens.is_some()),
                // It draws lenses as they come, and resolves one only to run it.
                whole_lenses: params
                    .client_info
                    .as_ref()
                    .is_some_and(|c| c.name == "kakoune-lsp"),
                // Said where the types of the protocol do not look: see `ingress`.
                snippets: false,
                ahead: 0,
                chooses: of_ours("telltaleChoices").unwrap_or(false),
                relates: document
                    .and_then(|d| d.publish_diagnostics.as_ref()?.related_information)
                    .unwrap_or(false),
                greys: document
                    .and_then(|d| d.publish_diagnostics.as_ref()?.tag_support.as_ref())
                    .is_some_and(|t| t.value_set.contains(&lsp::DiagnosticTag::UNNECESSARY)),
                disables: document
                    .and_then(|d| d.code_action.as_ref()?.disabled_support)
                    .unwrap_or(false),
                creates_files: does(lsp::ResourceOperationKind::Create),
                deletes_files: does(lsp::ResourceOperationKind::Delete),
                annotates: workspace
                    .and_then(|w| {
                        w.workspace_edit
                            .as_ref()?
                            .change_annotation_support
                            .as_ref()
                    })
                    .is_some(),
                resolves_edits: document
                    .and_then(|d| d.code_action.as_ref()?.resolve_support.as_ref())
                    .is_some_and(|r| r.properties.iter().any(|p| p == "edit")),
                // Files are made nowhere else, and Neovim, which makes them, does not say so.
                document_changes: does(lsp::ResourceOperationKind::Create)
                    || edits.and_then(|e| e.document_changes).unwrap_or(false),
                apply_edit: workspace.and_then(|w| w.apply_edit).unwrap_or(false),
                show_document: window
                    .and_then(|w| w.show_document.as_ref())
                    .is_some_and(|s| s.support),
            },
            client: Able {
                lens_refresh: dynamic(
                    workspace
                        .and_then(|w| w.code_lens.as_ref())
                        .and_then(|c| c.refresh_support),
                ),
                hint_refresh: dynamic(
                    workspace
                        .and_then(|w| w.inlay_hint.as_ref())
                        .and_then(|c| c.refresh_support),
                ),
                progress: dynamic(window.and_then(|w| w.work_done_progress)),
                status: dynamic(status),
                watchers: dynamic(
                    workspace
                        .and_then(|w| w.did_change_watched_files.as_ref())
                        .and_then(|d| d.dynamic_registration),
                ),
                configuration: dynamic(workspace.and_then(|w| w.configuration)),
            },
        }
    }
}
