//! Everything that we send to the client on our own. Nothing here waits for the client: a request to it runs in a task of
//! its own with a time limit, so a client that never answers holds nothing up.
//!
//! Nor does anything pile up for a client that does not take it. What can be said once for several is: that what is shown
//! may be old, how far we are. Of the rest so much waits, and what comes then is left out.

use super::abilities::ClientCapabilities;
use super::outgoing::Outgoing;

use super::status::{Status, StatusNotification};
use super::workspace_edit::WorkspaceEdit;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Semaphore, broadcast, mpsc};
use tower_lsp::Client;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

/// How long an answer of the client is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many messages may wait to be sent or answered.
const WAITING: usize = 256;

/// How many states or steps may wait; of more the newest do.
const STATES: usize = 64;

/// Whom we send to, and what it understands.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    client: Client,
    outgoing: Arc<Outgoing>,
    runtime: Option<Handle>,
    able: Arc<OnceLock<ClientCapabilities>>,
    tokens: Arc<AtomicU32>,
    /// What a progress is about that can be given up, by its token.
    cancels: Arc<Mutex<BTreeMap<String, Arc<AtomicBool>>>>,
    lenses_asked: Arc<AtomicBool>,
    /// States in the order in which they came about: one task sends them.
    states: broadcast::Sender<Status>,
    /// How many there were, for tests.
    told: Arc<AtomicU64>,
    /// What may be old. One of each is on its way, and one waits.
    lenses: mpsc::Sender<()>,
    hints: mpsc::Sender<()>,
    /// For what is sent once.
    waiting: Arc<Semaphore>,
    /// Messages in the order in which they are said: one task sends them, each once there is room.
    said: mpsc::Sender<Said>,
}

/// A message to the user.
#[derive(Debug)]
struct Said {
    kind: lsp::MessageType,
    text: String,
    /// It asks for attention; other messages are only written down.
    shown: bool,
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
    pub(crate) fn new(client: Client, outgoing: Arc<Outgoing>) -> Outbox {
        let (states, mut new_states) = broadcast::channel(STATES);
        let (lenses, mut old_lenses) = mpsc::channel(1);
        let (hints, mut old_hints) = mpsc::channel(1);
        let (said, mut new_said) = mpsc::channel::<Said>(WAITING);
        let outbox = Outbox {
            client,
            outgoing,
            runtime: Handle::try_current().ok(),
            able: Arc::default(),
            tokens: Arc::default(),
            cancels: Arc::default(),
            lenses_asked: Arc::default(),
            states,
            told: Arc::default(),
            lenses,
            hints,
            waiting: Arc::new(Semaphore::new(WAITING)),
            said,
        };
        if let Some(runtime) = &outbox.runtime {
            let to = outbox.address();
            runtime.spawn(async move {
                while let Some(state) = newest(&mut new_states).await {
                    to.outgoing.room().await;
                    to.client
                        .send_notification::<StatusNotification>(state)
                        .await;
                }
            });
            let to = outbox.address();
            runtime.spawn(async move {
                while let Some(Said { kind, text, shown }) = new_said.recv().await {
                    to.outgoing.room().await;
                    match shown {
                        true => to.client.show_message(kind, text).await,
                        false => to.client.log_message(kind, text).await,
                    }
                }
            });
            let to = outbox.address();
            runtime.spawn(async move {
                while let Some(()) = old_lenses.recv().await {
                    let _ = to.ask(to.client.code_lens_refresh()).await;
                }
            });
            let to = outbox.address();
            runtime.spawn(async move {
                while let Some(()) = old_hints.recv().await {
                    let _ = to.ask(to.client.inlay_hint_refresh()).await;
                }
            });
        }
        outbox
    }

    fn address(&self) -> Address {
        Address {
            client: self.client.clone(),
            outgoing: Arc::clone(&self.outgoing),
        }
    }

    pub(crate) fn declare(&self, able: ClientCapabilities) {
        let _ = self.able.set(able);
    }

    fn able(&self) -> ClientCapabilities {
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
        let Some(runtime) = &self.runtime else { return };
        let Ok(place) = Arc::clone(&self.waiting).try_acquire_owned() else {
            tracing::warn!("the client takes too little: a message is left out");
            return;
        };
        let outgoing = Arc::clone(&self.outgoing);
        runtime.spawn(async move {
            let _place = place;
            let send = async {
                outgoing.room().await;
                send.await;
            };
            let _ = tokio::time::timeout(PATIENCE, send).await;
        });
    }

    /// Tells the user that something is wrong and what to do.
    pub(crate) fn warn(&self, message: String) {
        tracing::warn!("{message}");
        self.say(lsp::MessageType::WARNING, format!("Telltale: {message}"));
    }

    /// Tells the user something.
    pub(crate) fn inform(&self, message: String) {
        self.say(lsp::MessageType::INFO, message);
    }

    /// Writes what is left out of a folder where the client shows such things without asking for attention.
    pub(crate) fn log(&self, folder: &Path, left_out: &[String]) {
        let left_out = left_out.join("\n");
        self.put(Said {
            kind: lsp::MessageType::WARNING,
            text: format!("Telltale: left out of {}:\n{left_out}", folder.display()),
            shown: false,
        });
    }

    fn say(&self, kind: lsp::MessageType, text: String) {
        self.put(Said {
            kind,
            text,
            shown: true,
        });
    }

    fn put(&self, said: Said) {
        if self.runtime.is_some() && self.said.try_send(said).is_err() {
            tracing::warn!("the client takes too little: a message is left out");
        }
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
        self.told.fetch_add(1, Ordering::AcqRel);
        if self.able().status {
            let _ = self.states.send(status);
        }
    }

    /// How often it was told how far we are.
    pub(crate) fn told(&self) -> u64 {
        self.told.load(Ordering::Acquire)
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
        // One that waits says it for this as well.
        if able.lens_refresh {
            let _ = self.lenses.try_send(());
        }
        if able.hint_refresh {
            let _ = self.hints.try_send(());
        }
    }

    /// What a user may cancel by its progress. True if there was such a progress.
    pub(crate) fn cancel(&self, token: &str) -> bool {
        let mut cancels = self.cancels.lock().unwrap_or_else(PoisonError::into_inner);
        match cancels.remove(token) {
            Some(flag) => {
                flag.store(true, Ordering::SeqCst);
                true
            }
            None => false,
        }
    }

    /// Says that something long begins, which sets `cancelled` when the user gives it up.
    pub(crate) fn cancellable(&self, title: &str, cancelled: Arc<AtomicBool>) -> Progress {
        let mut cancels = self.cancels.lock().unwrap_or_else(PoisonError::into_inner);
        // The next progress has this token; those that are over are dropped with it.
        cancels.retain(|_, flag| Arc::strong_count(flag) > 1);
        let number = self.tokens.fetch_add(1, Ordering::Relaxed);
        cancels.insert(token(number), cancelled);
        drop(cancels);
        self.progress_of(title, number)
    }

    /// Says that something long begins. The progress ends when it is dropped.
    pub(crate) fn progress(&self, title: &str) -> Progress {
        let number = self.tokens.fetch_add(1, Ordering::Relaxed);
        self.progress_of(title, number)
    }

    fn progress_of(&self, title: &str, number: u32) -> Progress {
        let place = Arc::clone(&self.waiting).try_acquire_owned();
        let (true, Ok(place)) = (self.able().progress, place) else {
            return Progress(None);
        };
        let token = lsp::ProgressToken::String(token(number));
        let (send, mut steps) = broadcast::channel::<String>(STATES);
        let (to, title) = (self.address(), title.to_owned());
        if let Some(runtime) = &self.runtime {
            runtime.spawn(async move {
                let _place = place;
                let created = to.client.create_work_done_progress(token.clone());
                let known = to.ask(created).await.is_some();
                let tell = async |value| {
                    to.outgoing.room().await;
                    let params = lsp::ProgressParams {
                        token: token.clone(),
                        value: lsp::ProgressParamsValue::WorkDone(value),
                    };
                    to.client
                        .send_notification::<lsp::notification::Progress>(params)
                        .await;
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
                while let Some(step) = newest(&mut steps).await {
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
                "**/telltale-dismissed.toml",
                "**/.telltale/queries/java/*.scm",
                "**/.telltale/evidence.db*",
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

    /// The client's settings, if it gives any.
    pub(crate) async fn settings(&self) -> Option<Value> {
        let question = self.client.configuration(vec![lsp::ConfigurationItem {
            scope_uri: None,
            section: Some("telltale".to_owned()),
        }]);
        let mut values = self.address().ask(question).await?;
        values.pop().filter(Value::is_object)
    }

    /// Runs what goes on as long as somebody asks it for something.
    pub(crate) fn run(&self, task: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            runtime.spawn(task);
        }
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
    pub(crate) fn edit(&self, edit: WorkspaceEdit) {
        let (client, outbox) = (self.client.clone(), self.clone());
        self.spawn(async move {
            let edit = serde_json::json!({ "edit": edit });
            let refused = match client.send_request::<ApplyEdit>(edit).await {
                Ok(answer) if answer.applied => return,
                Ok(answer) => answer.failure_reason.unwrap_or_default(),
                Err(e) => e.to_string(),
            };
            outbox.warn(format!(
                "the editor did not make the change, perhaps because the file changed; try again. {refused}"
            ));
        });
    }
}

/// Whom we send to, for tasks that live as long as there is something to send: without what they take it from.
struct Address {
    client: Client,
    outgoing: Arc<Outgoing>,
}

impl Address {
    /// The answer of the client; nothing of one that refuses, or takes too long.
    async fn ask<T>(&self, question: impl Future<Output = Result<T>>) -> Option<T> {
        let answer = async {
            self.outgoing.room().await;
            question.await.ok()
        };
        tokio::time::timeout(PATIENCE, answer).await.ok().flatten()
    }
}

/// The next of what is told; nothing at its end. Of too much that waits the oldest is passed over.
async fn newest<T: Clone>(told: &mut broadcast::Receiver<T>) -> Option<T> {
    loop {
        match told.recv().await {
            Ok(it) => return Some(it),
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return None,
        }
    }
}

fn token(number: u32) -> String {
    format!("telltale-{number}")
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
pub(crate) struct Progress(Option<broadcast::Sender<String>>);

impl Progress {
    pub(crate) fn step(&self, what: impl Into<String>) {
        if let Some(send) = &self.0 {
            let _ = send.send(what.into());
        }
    }
}
