//! Reading folders in the background, on a lane of its own: a step after the other, so that what is told in between
//! counts.
//!
//! [`start`] goes on until nothing is due; the world says what is next and takes what was found.

use super::due::{Due, Task};
use super::layout::{Laid, laid};
use super::read::{Files, Part, Read};
use super::times::{Stamps, stamps};
use super::{Shared, relative};
use crate::dismissed;
use crate::load::{self, LaidOut, Step, Texts};
use crate::lsp::client::Progress;
use crate::lsp::status::Reading;
use crate::record;
use calls::Workspace;
use evidence::Facts;
use ide::Analysis;
use observe::Settings;
use program::SourceSetId;
use project::{Config, DISMISSED, Dismissals};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads what is due of a folder until nothing is.
pub(crate) fn start(world: &Shared, folder: u64) {
    step(world, folder, move |world| match world.next_task(folder) {
        None => {}
        Some(Task::Part(due)) => look(world, folder, due),
        Some(Task::Whole {
            generation,
            root,
            files,
        }) => Whole {
            folder,
            generation,
            root,
            files,
            progress: world.outbox.progress("Telltale: reading the project"),
        }
        .lay_out(world),
    });
}

/// One step in the background. A bug in it loses what it was to read, and no more.
fn step(world: &Shared, folder: u64, work: impl FnOnce(&Shared) + Send + 'static) {
    let world = world.clone();
    let pools = world.pools.clone();
    pools.background(move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(&world)));
        if let Err(panic) = done {
            world.broke(folder, "reading failed inside; the log says more");
            start(&world, folder);
            resume_unwind(panic);
        }
    });
}

/// A reading of a whole folder that is under way.
struct Whole {
    folder: u64,
    generation: u64,
    root: PathBuf,
    /// What was told before it.
    files: BTreeSet<PathBuf>,
    progress: Progress,
}

impl Whole {
    fn is_wanted(&self, world: &Shared) -> bool {
        world.wants(self.folder, self.generation)
    }

    /// Goes on with the next step, or ends because something is wrong or this reading is not wanted any more.
    fn then<T: Send + 'static>(
        self,
        world: &Shared,
        done: Result<Option<T>, String>,
        next: impl FnOnce(Whole, &Shared, T) + Send + 'static,
    ) {
        let why = match done {
            Ok(Some(done)) if self.is_wanted(world) => {
                return step(world, self.folder, move |world| next(self, world, done));
            }
            Ok(_) => None,
            Err(why) => Some(why),
        };
        if world.failed(self.folder, self.generation, self.files, why.as_deref()) {
            world.outbox.warn(why.unwrap_or_default());
        }
        start(world, self.folder);
    }

    /// Which files there are.
    fn lay_out(self, world: &Shared) {
        let laid_out = || {
            let (config, problems) = project::load_config(&self.root).map_err(|e| e.to_string())?;
            let problems = problems.iter().map(|p| {
                format!(
                    "telltale.toml:{}:{}: {}: {}",
                    p.line, p.column, p.key, p.message
                )
            });
            world.report(Some(&self.root), problems.collect());
            if !self.is_wanted(world) {
                return Ok(None);
            }
            self.progress.step(Step::Reading.to_string());
            let settings = world.over(&config);
            let laid_out = load::lay_out(&self.root, &settings).map_err(|e| e.to_string())?;
            let builds = laid_out.layout.builds.iter();
            let times = stamps(&self.root, builds.map(String::as_str));
            Ok(Some((config, settings, times, laid_out)))
        };
        let done = laid_out();
        self.then(world, done, |it, world, (config, settings, times, laid)| {
            it.texts(world, config, settings, times, laid);
        });
    }

    /// What they say.
    fn texts(
        self,
        world: &Shared,
        config: Config,
        settings: Config,
        times: Stamps,
        laid_out: LaidOut,
    ) {
        let texts = laid_out.read(&|| self.is_wanted(world));
        self.then(world, Ok(texts), move |it, world, texts| {
            it.build(world, config, &settings, times, texts);
        });
    }

    /// What that means.
    fn build(
        self,
        world: &Shared,
        config: Config,
        settings: &Config,
        build_times: Stamps,
        texts: Texts,
    ) {
        let at = |step: Step| {
            self.progress.step(step.to_string());
            if let Step::Analysing { done, total } = step {
                let indexed = done;
                world.is_at(
                    self.folder,
                    self.generation,
                    Reading::Running { indexed, total },
                );
            }
        };
        let wanted = || self.is_wanted(world);
        let unread = texts.unread().map(Arc::from).collect();
        let queries = texts.queries().clone();
        let read = texts.parse(settings, &at, &wanted).and_then(|opened| {
            self.progress.step("linking");
            let workspace = Workspace::new(opened.program);
            if !wanted() {
                return None;
            }
            let beyond = load::beyond(&opened.layout, workspace.program());
            let analysis = Analysis::new(workspace, true, Settings::default());
            analysis.prepare();
            let Files { sets, unseen } = Files::of(&opened.layout);
            let dismissals = dismissals(world, &self.root);
            Some(Read {
                config,
                analysis,
                sets,
                source_sets: opened.layout.source_sets,
                builds: opened.layout.builds,
                build_times,
                queries,
                dismissals,
                facts: facts(world, &self.root),
                unread,
                unseen,
                beyond,
                classes: opened.libraries.classes,
            })
        });
        self.then(world, Ok(read), |it, world, read| {
            if world.whole_read(it.folder, it.generation, read) {
                world.refresh();
            }
            drop(it.progress);
            start(world, it.folder);
        });
    }
}

/// What users said *Not this one* of, now.
fn dismissals(world: &Shared, root: &Path) -> Dismissals {
    let (read, said) = dismissed::load(root);
    world.report(Some(&root.join(DISMISSED)), said.into_iter().collect());
    read
}

/// What runs told, now.
fn facts(world: &Shared, root: &Path) -> Arc<Facts> {
    let (facts, said) = match record::facts(root) {
        Ok(facts) => (facts, None),
        Err(why) => (Facts::default(), Some(why)),
    };
    world.report(
        Some(&root.join(project::EVIDENCE)),
        said.into_iter().collect(),
    );
    Arc::new(facts)
}

/// What of a folder is to be read again, because it was told or differs on disk.
fn look(world: &Shared, folder: u64, mut due: Due) {
    let Some(known) = world.folder(folder) else {
        return;
    };
    let has_failed = matches!(
        known.reading,
        Reading::Failed {
            is_wanted: true,
            ..
        }
    );
    let whole = match &known.classes {
        // What failed may succeed now.
        _ if has_failed => {
            let looks = due.layout || due.times;
            looks && project::load_config(&known.root).is_ok()
        }
        // All files are read with the folder.
        None => return start(world, folder),
        Some(classes) => due.libraries && classes.is_stale(),
    };
    if whole {
        due.whole = true;
        world.ask_more(folder, due);
        return start(world, folder);
    }
    if known.classes.is_none() {
        return start(world, folder);
    }
    let another_recorded = || {
        let mut times = world.times(folder);
        let changed = times.evidence_changed(&known.root);
        world.times_are(folder, times);
        changed
    };
    if due.recorded || due.times && another_recorded() {
        world.facts_are(folder, facts(world, &known.root));
        world.refresh();
    }
    if due.dismissed || due.times {
        let now = dismissals(world, &known.root);
        if now != *known.dismissals {
            world.dismissed_are(folder, now);
            world.refresh();
        }
    }
    let (mut files, builds): (BTreeSet<Arc<str>>, BTreeSet<Arc<str>>) = due
        .files
        .iter()
        .filter_map(|path| Some(Arc::<str>::from(relative(&known.root, path)?)))
        .partition(|path| path.ends_with(".java"));
    // One that the folder does not know may lie where it does not look.
    due.whole = known.builds.iter().any(|b| builds.contains(b.as_str()));
    if due.times {
        let mut times = world.times(folder);
        let builds_changed = times.builds_changed(&known.root, &known.builds);
        files.extend(times.changed(&known.root, &known.sets));
        world.times_are(folder, times);
        due.whole |= builds_changed;
        due.layout = true;
    }
    // Who is told of a file that comes, goes or becomes a link is told of another layout.
    due.layout |= files.iter().any(|path| {
        let metadata = std::fs::symlink_metadata(known.root.join(&**path));
        metadata.is_ok_and(|m| m.is_file()) != known.sets.contains_key(path)
    });
    let given_back = due.again.iter();
    let given_back = given_back.filter_map(|path| relative(&known.root, path).map(Arc::from));
    files.extend(given_back.filter(|path: &Arc<str>| known.sets.contains_key(path)));
    let mut layout = None;
    if due.layout && !due.whole {
        match laid(&known) {
            Laid::Unknown => {}
            Laid::Otherwise => due.whole = true,
            Laid::Files(now) => {
                let differs =
                    |(path, set): &(&Arc<str>, &SourceSetId)| known.sets.get(*path) != Some(*set);
                let new = now.sets.iter().filter(differs);
                files.extend(new.map(|(path, _)| Arc::clone(path)));
                files.retain(|path| now.sets.contains_key(path));
                layout = Some(now);
            }
        }
    }
    if due.whole {
        due.files = files.iter().map(|path| known.root.join(&**path)).collect();
        world.ask_more(folder, due);
        return start(world, folder);
    }
    let root = known.root;
    step(world, folder, move |world| {
        again(world, folder, &root, files, layout)
    });
}

/// Reads files again.
fn again(
    world: &Shared,
    folder: u64,
    root: &Path,
    files: BTreeSet<Arc<str>>,
    layout: Option<Files>,
) {
    let texts = files
        .into_par_iter()
        .map(|path| {
            let text = project::read_source(&root.join(&*path), project::FILE_LIMIT).ok();
            (path, text)
        })
        .collect();
    step(world, folder, move |world| {
        if world.part_read(folder, Part { texts, layout }) {
            world.refresh();
        }
        start(world, folder);
    });
}
