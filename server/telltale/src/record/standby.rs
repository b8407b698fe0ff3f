//! JVMs that have come up before there is something to run: of a test that takes milliseconds a JVM's start, with the classes of
//! its framework, is half of a run. Each runs once, as any other does; what is over by then is the same for every code under test.
//!
//! A set of them is one recording's: two that run as the build does, and one that varies what can be varied. They know none of
//! the code under test before they are told what to run, and refuse to run if they do (`Loaded` and `Start` of the agent).

use super::RunFolder;
use super::rests::Rests;
use runner::process::Started;
use runner::{Place, WAITS, waiting};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Who was shown what a recording told goes first.
const LATER: Duration = Duration::from_millis(500);

/// How long one may take to come up.
const COMES_UP: Duration = Duration::from_secs(20);

/// How long a set is good for: less than each of its JVMs waits.
const GOOD: Duration = Duration::from_secs(270);

/// Whether the JVMs of a set vary what can be varied, in the order in which they are needed.
const KINDS: [bool; 3] = [false, false, true];

/// The folder of classes that were changed since the build, in that of a set or of a recording.
pub(super) const CHANGED: &str = "changed";

/// At most one set, for the next recording.
#[derive(Default)]
pub(crate) struct Standby(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// The classes that a run needed, and for what.
    loaded: Option<(Needs, String)>,
    set: Option<Set>,
    /// How many sets were asked for: who makes an older one stops.
    asked: u64,
    is_over: bool,
}

/// What JVMs run, beside what was changed since the build.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Needs {
    pub(super) place: Place,
    pub(super) jar: PathBuf,
    /// What the class path held.
    pub(super) rests: Rests,
}

/// The JVMs of one recording; not all of them may be there.
pub(super) struct Set {
    needs: Needs,
    waiting: Vec<(bool, Started)>,
    since: Instant,
    folder: RunFolder,
}

impl Set {
    /// Where the classes are to be that were changed since the build.
    pub(super) fn changed(&self) -> PathBuf {
        self.folder.path().join(CHANGED)
    }

    /// None of them is to be asked any more. What was compiled stays.
    pub(super) fn give_up(&mut self) {
        self.waiting.clear();
    }

    /// One that waits.
    pub(super) fn next(&mut self, is_varied: bool) -> Option<Started> {
        while let Some(at) = self.waiting.iter().position(|(v, _)| *v == is_varied) {
            let (_, mut jvm) = self.waiting.remove(at);
            if jvm.runs() {
                return Some(jvm);
            }
        }
        None
    }
}

impl Standby {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The set that is there for this; another one goes.
    pub(super) fn take(&self, needs: &Needs) -> Option<Set> {
        let mut kept = self.lock();
        kept.asked += 1;
        let set = kept.set.take();
        drop(kept);
        set.filter(|set| set.needs == *needs && set.since.elapsed() < GOOD)
    }

    /// True if nobody knows yet which classes such a run needs, and somebody is to know.
    pub(super) fn lacks(&self, needs: &Needs) -> bool {
        let kept = self.lock();
        !kept.is_over && kept.loaded.as_ref().is_none_or(|(of, _)| of != needs)
    }

    /// Keeps which classes a run needed.
    pub(super) fn loaded(&self, needs: Needs, names: String) {
        self.lock().loaded = Some((needs, names));
    }

    /// What was loaded before it was asked for was in the way of a run, as where another agent loads classes of the project: no
    /// others come up.
    pub(super) fn give_up(&self) {
        let mut kept = self.lock();
        kept.loaded = None;
        kept.is_over = true;
    }

    /// Has a set come up for the next recording, one after the other and after a while; none where nobody knows which classes it
    /// needs, or where its folder cannot be made.
    pub(super) fn prepare(self: &Arc<Standby>, own: &Path, needs: &Needs) {
        let mut kept = self.lock();
        let loaded = kept.loaded.as_ref().filter(|(of, _)| of == needs);
        let Some((needs, names)) = loaded.cloned().filter(|_| !kept.is_over) else {
            return;
        };
        kept.asked += 1;
        let asked = kept.asked;
        let old = kept.set.take();
        drop(kept);
        drop(old);
        let (own, standby) = (own.to_path_buf(), Arc::clone(self));
        let thread = std::thread::Builder::new().name("standby".to_owned());
        let begun = thread.spawn(move || {
            std::thread::sleep(LATER);
            standby.come_up(asked, &own, needs, &names);
        });
        if let Err(e) = begun {
            tracing::warn!("no thread can be started: {e}");
        }
    }

    fn come_up(&self, asked: u64, own: &Path, needs: Needs, names: &str) {
        let is_asked = |kept: &Kept| kept.asked == asked && !kept.is_over;
        if !is_asked(&self.lock()) {
            return;
        }
        let Ok(folder) = RunFolder::new(own) else {
            return;
        };
        let list = folder.path().join("loaded");
        let set = Set {
            waiting: Vec::new(),
            since: Instant::now(),
            folder,
            needs,
        };
        let place = set.needs.place.behind(&set.changed());
        let jar = set.needs.jar.clone();
        let wrote = std::fs::create_dir(set.changed()).and_then(|()| std::fs::write(&list, names));
        let mut kept = self.lock();
        if wrote.is_err() || !is_asked(&kept) {
            return;
        }
        kept.set = Some(set);
        drop(kept);
        for is_varied in KINDS {
            let command = waiting(&place, &jar, is_varied, &list);
            let Ok(jvm) = Started::new(command, Stdio::piped()) else {
                return;
            };
            if !jvm.says(WAITS, COMES_UP) {
                self.give_up();
                return;
            }
            let mut kept = self.lock();
            let is_there = is_asked(&kept);
            match kept.set.as_mut().filter(|_| is_there) {
                Some(set) => set.waiting.push((is_varied, jvm)),
                // Ended with this.
                None => return,
            }
        }
    }

    /// Ends them; no others come up.
    pub(crate) fn end(&self) {
        let mut kept = self.lock();
        kept.is_over = true;
        let set = kept.set.take();
        drop(kept);
        drop(set);
    }
}

impl std::fmt::Debug for Standby {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kept = self.lock();
        let waiting = kept.set.as_ref().map_or(0, |set| set.waiting.len());
        write!(out, "Standby({waiting})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(path: &str) -> Needs {
        let rests = serde_json::from_str(r#"{ "files": {}, "classes": {} }"#).expect("nothing");
        Needs {
            place: Place::new("/".into(), vec![path.into()], &runner::Told::default()),
            jar: "agent.jar".into(),
            rests,
        }
    }

    fn kept(own: &Path, needs: Needs) -> Set {
        Set {
            needs,
            waiting: Vec::new(),
            since: Instant::now(),
            folder: RunFolder::new(own).expect("a folder"),
        }
    }

    #[test]
    fn a_set_is_taken_once_and_for_what_it_came_up() {
        let own = tempfile::tempdir().expect("a folder");
        let standby = Standby::default();
        assert!(standby.take(&needs("a")).is_none());
        standby.lock().set = Some(kept(own.path(), needs("a")));
        assert!(standby.take(&needs("b")).is_none(), "of another class path");
        assert!(standby.take(&needs("a")).is_none(), "it is gone");
        standby.lock().set = Some(kept(own.path(), needs("a")));
        assert!(standby.take(&needs("a")).is_some());
        assert!(standby.take(&needs("a")).is_none());
        let mut old = kept(own.path(), needs("a"));
        old.since = Instant::now().checked_sub(GOOD).expect("up for so long");
        standby.lock().set = Some(old);
        assert!(standby.take(&needs("a")).is_none(), "its JVMs have ended");
    }

    #[test]
    fn none_come_up_once_one_was_in_the_way() {
        let own = tempfile::tempdir().expect("a folder");
        let standby = Arc::new(Standby::default());
        assert!(standby.lacks(&needs("a")));
        standby.loaded(needs("a"), "java.util.List".to_owned());
        assert!(!standby.lacks(&needs("a")) && standby.lacks(&needs("b")));
        let asked = standby.lock().asked;
        standby.prepare(own.path(), &needs("b"));
        assert_eq!(standby.lock().asked, asked, "nobody knows what it needs");
        standby.give_up();
        assert!(!standby.lacks(&needs("a")));
        standby.loaded(needs("a"), "java.util.List".to_owned());
        standby.prepare(own.path(), &needs("a"));
        assert_eq!(standby.lock().asked, asked);
    }
}
