//! Reading folders in the background, on a lane of its own.

use super::status::Reading;
use super::world::Shared;
use crate::load::Step;
use observe::workspace::Workspace;
use program::SourceSetId;
use project::Config;
use project::libraries::ClassPath;
use project::{SourceSet, UserQueries};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder that was read.
pub(crate) struct Read {
    pub(crate) config: Config,
    pub(crate) workspace: Workspace,
    pub(crate) sets: BTreeMap<Arc<str>, SourceSetId>,
    pub(crate) source_sets: Vec<SourceSet>,
    pub(crate) queries: UserQueries,
    /// How many files could not be read.
    pub(crate) skipped: usize,
    /// How many could.
    pub(crate) indexed: usize,
    /// The JDK and the libraries.
    pub(crate) classes: Arc<ClassPath>,
}

/// Starts reading a folder; the result replaces what the world has of it, unless a newer reading was started.
pub(crate) fn start(world: &Shared, root: PathBuf, generation: u64) {
    let world = world.clone();
    let pools = world.pools.clone();
    pools.background(move || {
        let outbox = &world.outbox;
        let progress = outbox.progress("Telltale: reading the project");
        world.is_at(&root, generation, Reading::STARTED);
        match read(&world, &root, generation, &progress) {
            Ok(Some(read)) => {
                if world.indexed(&root, generation, read) {
                    outbox.refresh();
                }
            }
            // A newer reading is under way, or the client did not want this one.
            Ok(None) => {}
            Err(message) => {
                if world.failed(&root, generation, &message) {
                    outbox.warn(message);
                }
            }
        }
    });
}

fn read(
    world: &Shared,
    root: &Path,
    generation: u64,
    progress: &super::client::Progress,
) -> Result<Option<Read>, String> {
    let (config, problems) = project::load_config(root).map_err(|e| e.to_string())?;
    let problems = problems.iter().map(|p| {
        format!(
            "telltale.toml:{}:{}: {}: {}",
            p.line, p.column, p.key, p.message
        )
    });
    world.report(Some(root), problems.collect());
    if !world.wants(root, generation) {
        return Ok(None);
    }
    let settings = world.over(&config);
    let queries = project::load_queries(root).map_err(|e| e.to_string())?;
    let at = |step: Step| {
        progress.step(step.to_string());
        if let Step::Analysing { done, total } = step {
            let indexed = done;
            world.is_at(root, generation, Reading::Running { indexed, total });
        }
    };
    let opened = crate::load::open(root, &settings, &at).map_err(|e| e.to_string())?;
    if !world.wants(root, generation) {
        return Ok(None);
    }
    progress.step("linking");
    let sets = opened
        .layout
        .files
        .iter()
        .map(|f| (Arc::from(f.path.as_str()), SourceSetId(f.source_set as u32)))
        .collect();
    let skipped = &opened.layout.skipped;
    let skipped = skipped.unreadable.len() + skipped.not_utf8.len() + skipped.oversized.len();
    Ok(Some(Read {
        config,
        skipped,
        indexed: opened.read,
        source_sets: opened.layout.source_sets,
        queries,
        classes: opened.libraries.classes,
        workspace: Workspace::new(opened.program),
        sets,
    }))
}

/// Reads files again that changed on disk.
pub(crate) fn read_again(world: &Shared, root: PathBuf, paths: Vec<PathBuf>) {
    let world = world.clone();
    let pools = world.pools.clone();
    pools.background(move || {
        let texts = paths
            .into_iter()
            .map(|path| {
                let text = project::read_source(&path, project::FILE_LIMIT).ok();
                (path, text)
            })
            .collect();
        if world.disk(&root, texts) {
            world.outbox.refresh();
        }
    });
}
