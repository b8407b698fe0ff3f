//! The language server: the only code that knows the protocol.
//!
//! [`frames`] reads messages, [`wire`] serves them in their order and sends what [`outgoing`] holds. [`ingress`] applies
//! what the client tells in the order of the wire and gives every request a snapshot of the world at its arrival;
//! [`backend`] answers requests, each by one function of `ide` on a thread of [`pool`]; [`world`] is what the server
//! knows and reads of folders in the background, step by step, [`settings`] what the client wants; [`client`] is everything
//! that we send on our own, [`status`] how far we are.
//! [`diagnostics`] tells what the rules find in open files, [`findings`] is what all that is found has.
//! [`marked`] lists what of that is about generated assertions, [`evidence`] says why, [`review`] makes a class one of these.
//! [`recording`] runs tests when a user asks for it, [`recordings`] is what runs.
//! [`abilities`] is what the client says that it can do, [`convert`] the one place where the protocol's types meet ours, [`edits`] how documents are changed,
//! [`actions`] what a light bulb shows, [`inner_oracles`] what is asked for before it is computed: edits of several files.

mod abilities;
mod actions;
mod age;
mod backend;
mod checked;
mod client;
mod convert;
mod diagnostics;
mod dismissing;
mod editor_process;
mod edits;
mod evidence;
mod findings;
mod following;
mod frames;
mod ingress;
mod inner_oracles;
mod log;
mod marked;
mod mutating;
mod outgoing;
mod outline;
mod pool;
mod recording;
mod recordings;
mod review;
mod settings;
mod snippets;
mod stale;
mod status;
mod wide_folders;
mod wire;
mod workspace_edit;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tower_lsp::LspService;

/// How a server is started.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where the log goes; warnings to stderr without it.
    pub log: Option<PathBuf>,
    /// Adds commands that sleep and panic, and a notification that panics, for tests.
    pub test_commands: bool,
}

/// Serves one client until it says `exit`, closes its end or is gone. True if it said `shutdown` before.
pub async fn serve<I, O>(input: I, output: O, options: &Options) -> bool
where
    I: AsyncRead + Unpin,
    O: AsyncWrite,
{
    // So that a thread that is done finds the next request waiting.
    let outgoing = outgoing::Outgoing::new(2 * pool::lanes());
    let (gone, mut editor_is_gone) = mpsc::channel(1);
    let mut shared = None;
    let (service, socket) = LspService::build(|client| {
        let pools = pool::Pools::new(Arc::clone(&outgoing));
        let outbox = client::Outbox::new(client.clone(), Arc::clone(&outgoing));
        let (stale, old) = mpsc::channel(1);
        outbox.run(diagnostics::publish(client, Arc::clone(&outgoing), old));
        let world = world::Shared::new(outbox, pools, stale);
        shared = Some(world.clone());
        backend::Backend::new(world, gone, options)
    })
    .custom_method(ingress::CODE_ACTION, backend::Backend::code_action)
    .custom_method(ingress::RESOLVE, backend::Backend::code_action_resolve)
    .finish();
    let Some(world) = shared else { return false };
    let ingress = ingress::Ingress::new(service, world.clone(), options.test_commands);
    let sill = ingress::Sill::new(world.clone());
    tokio::select! {
        () = wire::carry(input, output, ingress, socket, outgoing, sill) => {}
        Some(()) = editor_is_gone.recv() => {}
    }
    world.recordings.end();
    world.close()
}

/// Serves the client at standard input and output. The exit code is 0 after `shutdown` and `exit`, 1 otherwise, as the
/// protocol has it.
pub fn run(options: &Options) -> ExitCode {
    let log = match log::start(options.log.as_deref()) {
        Ok(log) => log,
        Err(message) => return crate::failure::Failure::Run(message).exit(),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(e) => {
            return crate::failure::Failure::Run(format!("cannot start the server: {e}")).exit();
        }
    };
    let orderly = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout(), options));
    // A read of standard input that never ends would hold the process.
    runtime.shutdown_background();
    log.flush();
    ExitCode::from(u8::from(!orderly))
}
