//! Where the log goes: a file if one is named; warnings to stderr in any case. Standard output belongs to the protocol.

use std::path::Path;
use tracing::Level;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::writer::MakeWriterExt as _;

/// Starts logging. A second start in one process changes nothing.
pub(crate) fn start(file: Option<&Path>) -> Result<(), String> {
    let builder = tracing_subscriber::fmt().with_ansi(false);
    match file {
        Some(path) => {
            let file = std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .map_err(|e| format!("cannot write the log {}: {e}", path.display()))?;
            let _ = builder
                .with_max_level(Level::INFO)
                .with_span_events(FmtSpan::CLOSE)
                .with_writer(
                    std::sync::Mutex::new(file).and(std::io::stderr.with_max_level(Level::WARN)),
                )
                .try_init();
        }
        None => {
            let _ = builder
                .with_max_level(Level::WARN)
                .with_writer(std::io::stderr)
                .try_init();
        }
    }
    Ok(())
}
