//! A folder as the command line reads it, without its messages.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use calls::Workspace;
use ide::Analysis;
use observe::Settings;
use program::{ClassSource, FileInput, Program, ProgramInput, SourceSetId, SourceSetInput};
use project::Store;
use project::libraries::{Environment, find};

use crate::Result;

/// Source sets and texts of a root, and its libraries.
pub(crate) struct Texts {
    pub(crate) sets: Vec<SourceSetInput>,
    pub(crate) files: Vec<FileInput>,
    classes: Arc<dyn ClassSource>,
}

impl Texts {
    /// The program as the command line builds it.
    pub(crate) fn program(self) -> Program {
        Program::build_with(ProgramInput {
            source_sets: self.sets,
            files: self.files,
            classes: Some(self.classes),
            ..ProgramInput::default()
        })
    }
}

/// Reads all Java files of a root.
pub(crate) fn texts(root: &Path) -> Result<Texts> {
    let message = |error: project::ProjectError| error.to_string();
    let (config, _) = project::load_config(root).map_err(message)?;
    let mut layout = project::discover(root, &config).map_err(message)?;
    let texts = project::read_all(&mut layout);
    let classes = find(&layout, &config, &Environment::of_process()).classes;
    let sets = layout.source_sets.iter().map(|set| SourceSetInput {
        is_test: set.is_test,
        visible: set
            .visible
            .iter()
            .map(|&at| SourceSetId(at as u32))
            .collect(),
    });
    let sets = sets.collect();
    let files = texts.into_iter().map(|(at, text)| {
        let file = &layout.files[at];
        FileInput {
            path: Arc::from(file.path.as_str()),
            source_set: SourceSetId(file.source_set as u32),
            text,
        }
    });
    let files = files.collect();
    Ok(Texts {
        sets,
        files,
        classes,
    })
}

/// A project with what is kept of its runs, and in how many milliseconds that was read.
pub(crate) fn recorded(folder: &Path) -> Result<(Analysis, f64)> {
    let store = Store::open_existing(folder).map_err(|e| e.to_string())?;
    let store = store.ok_or_else(|| {
        format!(
            "nothing was recorded in {}: `telltale record` does it",
            folder.display()
        )
    })?;
    let (facts, read) = timed(|| store.facts());
    let facts = Arc::new(facts.map_err(|e| e.to_string())?);
    let workspace = Workspace::new(texts(folder)?.program());
    let analysis = Analysis::new(workspace, true, Settings::default());
    Ok((analysis.with_facts(facts), read))
}

/// Runs `work` and gives its result with the milliseconds that it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let out = work();
    (out, start.elapsed().as_secs_f64() * 1e3)
}
