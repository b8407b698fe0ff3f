//! Traces to learn from: files of Daikon's front ends, and the calls that were recorded of a project, written in the same form.

use crate::args::Place;
use crate::failure::Failure;
use crate::load::load;
use crate::record::facts;
use crate::screen::say;
use crate::words::plural;
use flate2::Compression;
use flate2::write::GzEncoder;
use ide::Analysis;
use ide::suspects::ByHand;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use suspects::write_trace;
use tempfile::NamedTempFile;

/// A trace, as a user named it.
pub(crate) struct Trace {
    pub(crate) shown: PathBuf,
    /// What was recorded of a project, while it is read.
    recorded: Option<NamedTempFile>,
}

impl Trace {
    /// A file as it is; of a folder what was recorded of its project.
    pub(crate) fn of(path: &Path, quiet: bool) -> Result<Trace, Failure> {
        let mut trace = Trace {
            shown: path.to_path_buf(),
            recorded: None,
        };
        if path.is_dir() {
            let calls = by_hand(path, quiet)?;
            let write = || -> io::Result<NamedTempFile> {
                let mut file = NamedTempFile::new()?;
                written(&calls, &mut BufWriter::new(&mut file))?;
                Ok(file)
            };
            trace.recorded = Some(write()?);
        }
        Ok(trace)
    }

    /// The file to read.
    pub(crate) fn file(&self) -> &Path {
        match &self.recorded {
            Some(file) => file.path(),
            None => &self.shown,
        }
    }
}

/// Writes the recorded calls of a project into a file, whole or not at all.
pub(crate) fn write(projects: &[PathBuf], to: &Path, quiet: bool) -> Result<(), Failure> {
    let [project] = projects else {
        return Err(Failure::usage(
            "--write takes one project",
            "a trace is of one project: `telltale invariants . --write calls.dtrace.gz`",
        ));
    };
    if !project.is_dir() {
        return Err(Failure::usage(
            format!("{} is no project", project.display()),
            "--write writes what `telltale record` kept of a project's calls",
        ));
    }
    let calls = by_hand(project, quiet)?;
    let is_packed = to.extension().is_some_and(|e| e == "gz");
    let write = || -> io::Result<u64> {
        let folder = to.parent().filter(|p| !p.as_os_str().is_empty());
        let mut file = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        let mut out = BufWriter::new(file.as_file_mut());
        let count = if is_packed {
            let mut packed = GzEncoder::new(&mut out, Compression::default());
            let count = written(&calls, &mut packed)?;
            packed.finish()?;
            count
        } else {
            written(&calls, &mut out)?
        };
        out.flush()?;
        drop(out);
        file.persist(to)?;
        Ok(count)
    };
    let count = write().map_err(|e| Failure::Run(format!("{}: {e}", to.display())))?;
    if !quiet {
        let tests = calls.calls.len();
        say(format_args!(
            "{} of {} in {}",
            plural(
                usize::try_from(count).unwrap_or(usize::MAX),
                "call",
                "calls"
            ),
            plural(tests, "hand-written test", "hand-written tests"),
            to.display()
        ));
    }
    Ok(())
}

fn written(calls: &ByHand, out: &mut impl Write) -> io::Result<u64> {
    let tests: Vec<_> = calls.calls.iter().collect();
    let count = write_trace(&tests, out)?;
    out.flush()?;
    Ok(count)
}

/// The recorded calls of a project's hand-written tests; that there is none is an error that says what to do.
fn by_hand(path: &Path, quiet: bool) -> Result<ByHand, Failure> {
    let loaded = load(&Place::whole(path, None, quiet))?;
    let facts = facts(&loaded.layout.root).map_err(Failure::Run)?;
    let analysis = Analysis::new(loaded.workspace.clone(), true, loaded.settings());
    let calls = ByHand::of(&analysis.with_facts(Arc::new(facts)));
    if calls.calls.is_empty() {
        let said = match calls.stale {
            0 => "no calls of hand-written tests are kept".to_owned(),
            n => format!(
                "the calls of {} are of other code",
                plural(n, "test", "tests")
            ),
        };
        return Err(Failure::usage(
            format!("{}: {said}", path.display()),
            "`telltale record` keeps the calls of classes for which there are generated tests",
        ));
    }
    if calls.stale > 0 && !quiet {
        say(format_args!(
            "{} recorded with other code and left out: `telltale record` renews them",
            plural(calls.stale, "test was", "tests were")
        ));
    }
    Ok(calls)
}
