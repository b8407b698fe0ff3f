//! What a client says that it can do, as we need it.

use tower_lsp::ls_types as lsp;

/// What the client can do: all that it says of it, and all that we ask of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClientCapabilities {
    /// Hovers as markdown.
    pub(crate) markdown: bool,
    /// The client shows lenses, as it says.
    pub(crate) lenses: bool,
    /// Lenses go out with what they say: the client does not ask for it.
    pub(crate) whole_lenses: bool,
    /// Edits as `documentChanges`.
    pub(crate) document_changes: bool,
    /// Snippets in edits. Only with `document_changes`.
    pub(crate) snippets: bool,
    /// The client makes files as part of an edit. Only with `document_changes`.
    pub(crate) creates_files: bool,
    /// … and deletes them. Only with `document_changes`.
    pub(crate) deletes_files: bool,
    /// Edits say what they are for. Only with `document_changes`.
    pub(crate) annotates: bool,
    /// The client asks for the edit of an action when it is chosen.
    pub(crate) resolves_edits: bool,
    /// The client has somebody choose how a value is checked, and asks for what there is.
    pub(crate) chooses: bool,
    /// The user does not trust the folders: nothing runs tests, or is offered that would. What says nothing of it is trusted.
    pub(crate) untrusted: bool,
    /// The client shows actions that cannot be chosen, with the reason.
    pub(crate) disables: bool,
    /// Diagnostics may name other places.
    pub(crate) relates: bool,
    /// Their codes may lead to a page.
    pub(crate) links_codes: bool,
    /// The client greys what a diagnostic calls unnecessary.
    pub(crate) greys: bool,
    /// The client lets us change documents.
    pub(crate) apply_edit: bool,
    /// The client can show a document.
    pub(crate) show_document: bool,
    /// It takes that what is shown may be old.
    pub(crate) lens_refresh: bool,
    pub(crate) hint_refresh: bool,
    pub(crate) progress: bool,
    /// It takes how far we are, as a notification of ours.
    pub(crate) status: bool,
    pub(crate) watchers: bool,
    pub(crate) configuration: bool,
}

impl ClientCapabilities {
    pub(super) fn of(params: &lsp::InitializeParams) -> ClientCapabilities {
        let all = &params.capabilities;
        let workspace = all.workspace.as_ref();
        let window = all.window.as_ref();
        let document = all.text_document.as_ref();
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
        ClientCapabilities {
            markdown: markup.is_none_or(|m| m.contains(&lsp::MarkupKind::Markdown)),
            lenses: document.is_some_and(|d| d.code_lens.is_some()),
            // It draws lenses as they come, and resolves one only to run it.
            whole_lenses: params
                .client_info
                .as_ref()
                .is_some_and(|c| c.name == "kakoune-lsp"),
            // Said where the types of the protocol do not look: see `ingress`.
            snippets: false,
            chooses: of_ours("telltaleChoices").unwrap_or(false),
            untrusted: of_ours("telltaleTrusted") == Some(false),
            relates: document
                .and_then(|d| d.publish_diagnostics.as_ref()?.related_information)
                .unwrap_or(false),
            links_codes: document
                .and_then(|d| d.publish_diagnostics.as_ref()?.code_description_support)
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
        }
    }
}
