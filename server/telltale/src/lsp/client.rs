//! Everything that we send to the client on our own. Nothing here waits for the client: a request to it runs in a task of
//! its own with a time limit, so a client that never answers holds nothing up.

use super::edits;
use super::status::{Status, StatusNotification};
use super::world::Shared;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::Client;
use tower_lsp::ls_types as lsp;

/// How long an answer of the client is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whom we send to, and what it understands.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    client: Client,
    runtime: Option<Handle>,
    able: Arc<OnceLock<Able>>,
    tokens: Arc<AtomicU32>,
    lenses_asked: Arc<AtomicBool>,
    /// States in the order in which they came about: one task sends them.
    states: Option<UnboundedSender<Status>>,
}

/// What the client declared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Able {
    pub(crate) lens_refresh: bool,
    pub(crate) hint_refresh: bool,
    pub(crate) progress: bool,
    pub(crate) status: bool,
    pub(crate) watchers: bool,
    pub(crate) configuration: bool,
}

/// `workspace/applyEdit` with edits that the types of the protocol do not know.
#[derive(Debug)]
enum ApplyEdit {}

impl lsp::request::Request for ApplyEdit {
    type Params = Value;
    type Result = lsp::ApplyWorkspaceEditResponse;
    const METHOD: &'static str = "workspace/applyEdit";
}

impl Outbox {
    pub(crate) fn new(client: Client) -> Outbox {
        let runtime = Handle::try_current().ok();
        let states = runtime.as_ref().map(|runtime| {
            let (send, mut states) = tokio::sync::mpsc::unbounded_channel();
            let client = client.clone();
            runtime.spawn(async move {
                while let Some(state) = states.recv().await {
                    client.send_notification::<StatusNotification>(state).await;
                }
            });
            send
        });
        Outbox {
            client,
            runtime,
            states,
            able: Arc::default(),
            tokens: Arc::default(),
            lenses_asked: Arc::default(),
        }
    }

    pub(crate) fn declare(&self, able: Able) {
        let _ = self.able.set(able);
    }

    fn able(&self) -> Able {
        self.able.get().copied().unwrap_or_default()
    }

    /// The client asks for lenses, whatever it declared.
    pub(crate) fn lenses_are_asked(&self) {
        self.lenses_asked.store(true, Ordering::Release);
    }

    pub(crate) fn shows_lenses(&self) -> bool {
        self.lenses_asked.load(Ordering::Acquire)
    }

    fn spawn(&self, send: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            runtime.spawn(async move {
                let _ = tokio::time::timeout(PATIENCE, send).await;
            });
        }
    }

    /// Tells the user that something is wrong and what to do.
    pub(crate) fn warn(&self, message: String) {
        tracing::warn!("{message}");
        let client = self.client.clone();
        self.spawn(async move {
            client
                .show_message(lsp::MessageType::WARNING, format!("Telltale: {message}"))
                .await;
        });
    }

    /// Tells the user something.
    pub(crate) fn inform(&self, message: String) {
        let client = self.client.clone();
        self.spawn(async move {
            client.show_message(lsp::MessageType::INFO, message).await;
        });
    }

    /// Tells how far we are, in the order in which it is called.
    pub(crate) fn status(&self, status: Status) {
        let Status {
            state,
            indexed,
            total,
            ..
        } = &status;
        let why = status.message.as_deref().unwrap_or_default();
        tracing::info!("{state}: {indexed} of {total} files {why}");
        if self.able().status
            && let Some(states) = &self.states
        {
            let _ = states.send(status);
        }
    }

    /// True if the client can be asked for its settings.
    pub(crate) fn configures(&self) -> bool {
        self.able().configuration
    }

    /// True if the client tells us of files that change on disk.
    pub(crate) fn watches(&self) -> bool {
        self.able().watchers
    }

    /// What is shown may be old.
    pub(crate) fn refresh(&self) {
        let able = self.able();
        let client = self.client.clone();
        self.spawn(async move {
            if able.lens_refresh {
                let _ = client.code_lens_refresh().await;
            }
        });
        let client = self.client.clone();
        self.spawn(async move {
            if able.hint_refresh {
                let _ = client.inlay_hint_refresh().await;
            }
        });
    }

    /// Says that something long begins. The progress ends when it is dropped.
    pub(crate) fn progress(&self, title: &str) -> Progress {
        if !self.able().progress {
            return Progress(None);
        }
        let number = self.tokens.fetch_add(1, Ordering::Relaxed);
        let token = lsp::ProgressToken::String(format!("telltale-{number}"));
        let (send, mut steps) = tokio::sync::mpsc::unbounded_channel::<String>();
        let (client, title) = (self.client.clone(), title.to_owned());
        if let Some(runtime) = &self.runtime {
            runtime.spawn(async move {
                let created = client.create_work_done_progress(token.clone());
                let known = matches!(tokio::time::timeout(PATIENCE, created).await, Ok(Ok(())));
                let tell = |value| {
                    client.send_notification::<lsp::notification::Progress>(lsp::ProgressParams {
                        token: token.clone(),
                        value: lsp::ProgressParamsValue::WorkDone(value),
                    })
                };
                if known {
                    tell(lsp::WorkDoneProgress::Begin(lsp::WorkDoneProgressBegin {
                        title,
                        cancellable: Some(true),
                        message: None,
                        percentage: None,
                    }))
                    .await;
                }
                while let Some(step) = steps.recv().await {
                    if known {
                        tell(lsp::WorkDoneProgress::Report(lsp::WorkDoneProgressReport {
                            cancellable: Some(true),
                            message: Some(step),
                            percentage: None,
                        }))
                        .await;
                    }
                }
                if known {
                    tell(lsp::WorkDoneProgress::End(lsp::WorkDoneProgressEnd {
                        message: None,
                    }))
                    .await;
                }
            });
        }
        Progress(Some(send))
    }

    /// Asks to be told of files that change outside, of configuration and of folders.
    pub(crate) fn register(&self) {
        let able = self.able();
        let mut wanted = Vec::new();
        if able.watchers {
            let globs = [
                "**/*.java",
                "**/telltale.toml",
                "**/.telltale/queries/java/*.scm",
                "**/pom.xml",
                "**/*.gradle",
                "**/*.gradle.kts",
                "**/build.xml",
                "**/.classpath",
                "**/.gitignore",
                "**/gradle.properties",
                "**/libs.versions.toml",
                "**/*.lockfile",
                "**/.mvn/maven.config",
            ];
            let watchers: Vec<Value> = globs
                .iter()
                .map(|g| serde_json::json!({ "globPattern": g }))
                .collect();
            wanted.push(registration(
                "workspace/didChangeWatchedFiles",
                serde_json::json!({ "watchers": watchers }),
            ));
        }
        if able.configuration {
            wanted.push(registration(
                "workspace/didChangeConfiguration",
                serde_json::json!({ "section": "telltale" }),
            ));
        }
        if wanted.is_empty() {
            return;
        }
        let client = self.client.clone();
        self.spawn(async move {
            if let Err(e) = client.register_capability(wanted).await {
                tracing::warn!("the client refused to tell of changes: {e}");
            }
        });
    }

    /// Asks for the client's settings where it has them to give.
    pub(crate) fn configuration_changed(&self, world: &Shared) {
        if !self.able().configuration {
            return;
        }
        let (client, world) = (self.client.clone(), world.clone());
        self.spawn(async move {
            let asked = client.configuration(vec![lsp::ConfigurationItem {
                scope_uri: None,
                section: Some("telltale".to_owned()),
            }]);
            if let Ok(mut values) = asked.await
                && let Some(value) = values.pop()
                && value.is_object()
            {
                world.configure(value);
            }
        });
    }

    /// Shows a file, or a place of it.
    pub(crate) fn show(&self, uri: lsp::Uri, range: Option<lsp::Range>) {
        let client = self.client.clone();
        self.spawn(async move {
            let _ = client
                .show_document(lsp::ShowDocumentParams {
                    uri,
                    external: None,
                    take_focus: Some(true),
                    selection: range,
                })
                .await;
        });
    }

    /// Names a place of a file, for a client that cannot show it.
    pub(crate) fn say_place(&self, uri: &lsp::Uri, range: lsp::Range) {
        let path = uri.to_file_path().map(|p| p.display().to_string());
        let path = path.unwrap_or_else(|| uri.to_string());
        let line = range.start.line + 1;
        self.inform(format!("{path}:{line}"));
    }

    /// Changes documents.
    pub(crate) fn edit(&self, edit: lsp::WorkspaceEdit) {
        let (client, outbox) = (self.client.clone(), self.clone());
        self.spawn(async move {
            let edit = edits::outgoing(serde_json::json!({ "edit": edit }));
            let refused = match client.send_request::<ApplyEdit>(edit).await {
                Ok(answer) if answer.applied => return,
                Ok(answer) => answer.failure_reason.unwrap_or_default(),
                Err(e) => e.to_string(),
            };
            outbox.warn(format!(
                "the editor did not insert the assertion, perhaps because the file changed; try again. {refused}"
            ));
        });
    }
}

fn registration(method: &str, options: Value) -> lsp::Registration {
    lsp::Registration {
        id: format!("telltale {method}"),
        method: method.to_owned(),
        register_options: Some(options),
    }
}

/// A progress that is under way.
#[derive(Debug)]
pub(crate) struct Progress(Option<tokio::sync::mpsc::UnboundedSender<String>>);

impl Progress {
    pub(crate) fn step(&self, what: impl Into<String>) {
        if let Some(send) = &self.0 {
            let _ = send.send(what.into());
        }
    }
}
