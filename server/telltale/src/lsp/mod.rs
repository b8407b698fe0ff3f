//! The language server: the only code that knows the protocol.
//!
//! [`ingress`] applies what the client tells in the order of the wire and gives every request a snapshot of the world at
//! its arrival; [`backend`] answers requests, each by one function of `ide` on a thread of [`pool`]; [`world`] is what
//! the server knows, [`settings`] what the client wants; [`indexing`] reads folders in the background, step by step,
//! [`outside`] looks for what changes behind the editor's back; [`client`] is everything that we send on our own, [`status`] how far we are.
//! [`convert`] is the one place where the protocol's types meet ours, [`edits`] how documents are changed.

mod backend;
mod client;
mod convert;
mod edits;
mod frames;
mod indexing;
mod ingress;
mod log;
mod outside;
mod parent;
mod pool;
mod settings;
mod status;
mod wide;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;
use tokio::io::{AsyncRead, AsyncWrite};
use tower_lsp::{LspService, Server};

/// How many requests may be on their way at once. The transport stops reading at this number, and with it cancelling.
const CONCURRENT: usize = 16_384;

/// How many bytes may wait between the wire and the transport.
const PIPE: usize = 1 << 16;

/// How a server is started.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where the log goes; warnings to stderr without it.
    pub log: Option<PathBuf>,
    /// Adds commands that sleep and panic, and a notification that panics, for tests.
    pub test_commands: bool,
}

/// Serves one client until it says `exit` or closes its end. True if it said `shutdown` before.
pub async fn serve<I, O>(input: I, output: O, options: &Options) -> bool
where
    I: AsyncRead + Unpin,
    O: AsyncWrite,
{
    let pools = pool::Pools::new();
    let mut shared = None;
    let (service, socket) = LspService::new(|client| {
        let backend = backend::Backend::new(client, pools, options);
        shared = Some(backend.world());
        backend
    });
    let Some(world) = shared else { return false };
    let ingress = ingress::Ingress::new(service, world.clone(), options.test_commands);
    let (to, from) = tokio::io::duplex(PIPE);
    let sift = frames::sift(input, to);
    let server = Server::new(from, output, socket)
        .concurrency_level(CONCURRENT)
        .serve(ingress);
    tokio::pin!(server, sift);
    // After `exit` the input may stay open for ever; when it closes, the server still answers what it has.
    tokio::select! {
        () = &mut server => {}
        () = &mut sift => server.await,
    }
    world.close()
}

/// Serves the client at standard input and output. The exit code is 0 after `shutdown` and `exit`, 1 otherwise, as the
/// protocol has it.
pub fn run(options: &Options) -> ExitCode {
    if let Err(message) = log::start(options.log.as_deref()) {
        return crate::failure::Failure::Run(message).exit();
    }
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
    ExitCode::from(u8::from(!orderly))
}
