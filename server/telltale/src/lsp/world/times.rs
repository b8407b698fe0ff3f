//! Files that change behind the editor's back, where the editor does not watch files: looked for at each save, as who
//! saves goes on working.

use program::SourceSetId;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// When a file changed last, and how long it was.
type Stamp = (SystemTime, u64);

/// By path below the root.
pub(crate) type Stamps = BTreeMap<Arc<str>, Stamp>;

/// A file that changed so shortly before a look may change again within the same tick of the file system's clock: at the
/// next look it is as good as new. The coarsest clocks tick every two seconds.
const TICK: Duration = Duration::from_secs(2);

/// What is known of when the files of a folder changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    files: Stamps,
    builds: Stamps,
    evidence: Stamps,
}

impl Times {
    /// The build files were like that when the folder was read.
    pub(crate) fn builds_were(&mut self, builds: &Stamps) {
        self.builds.clone_from(builds);
    }

    /// True if a build file is not as it was when the folder was read.
    pub(crate) fn builds_changed(&self, root: &Path, builds: &[String]) -> bool {
        let now = stamps(root, builds.iter().map(String::as_str));
        now != self.builds || now.len() != builds.len()
    }

    /// True if what is kept of runs is not as it was at the last look: another server may have recorded, or a terminal.
    pub(crate) fn evidence_changed(&mut self, root: &Path) -> bool {
        // What was written last may stand in the journal beside it.
        let journal = format!("{}-wal", project::EVIDENCE);
        let paths = [project::EVIDENCE, &*journal];
        let there = paths.iter().filter(|path| root.join(path).is_file());
        let there = there.count();
        let now = stamps(root, paths.into_iter());
        let before = std::mem::replace(&mut self.evidence, now);
        self.evidence != before || self.evidence.len() != there
    }

    /// The known files that are not as they were at the last look. The first time there is nothing to compare with but
    /// the texts.
    pub(crate) fn changed(
        &mut self,
        root: &Path,
        files: &BTreeMap<Arc<str>, SourceSetId>,
    ) -> Vec<Arc<str>> {
        let now = stamps(root, files.keys().map(|path| &**path));
        let before = std::mem::replace(&mut self.files, now);
        let is_new = |path: &&Arc<str>| {
            let now = self.files.get(*path);
            now.is_none() || now != before.get(*path)
        };
        files.keys().filter(is_new).cloned().collect()
    }
}

/// The stamps of files that tell when one changes again.
pub(crate) fn stamps<'p>(root: &Path, paths: impl Iterator<Item = &'p str>) -> Stamps {
    let now = SystemTime::now();
    let stamp = |path: &str| {
        let metadata = std::fs::metadata(root.join(path)).ok()?;
        let changed = metadata.modified().ok()?;
        // What is said to come from the future is settled, too: it would else be new at every look.
        let age = now.duration_since(changed).unwrap_or_else(|e| e.duration());
        let is_settled = age > TICK;
        is_settled.then_some((changed, metadata.len()))
    };
    paths
        .filter_map(|path| Some((Arc::from(path), stamp(path)?)))
        .collect()
}
