//! JVMs that have come up before there is something to run: of a test that takes milliseconds a JVM's start, with the classes of
//! its framework, is half of a run. Each runs once, as any other does; what is over by then is the same for every code under test.
//!
//! A set of them is one recording's: two that run as the build does, and one that varies what can be varied. They know none of
//! the code under test before they are told what to run, and refuse to run if they do (`Loaded` and `Start` of the agent).

use super::RunFolder;
use super::rests::Rests;
use runner::process::Started;
use runner::{Place, WAITS, waiting};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Who was shown what a recording told goes first.
const LATER: Duration = Duration::from_millis(200);

/// How long one may take to come up, and how often it is asked.
const COMES_UP: Duration = Duration::from_secs(20);
const GLANCE: Duration = Duration::from_millis(5);

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

impl Kept {
    /// The classes that a run needs, if they are known and some may come up.
    fn known(&self, needs: &Needs) -> Option<(Needs, String)> {
        let loaded = self.loaded.as_ref().filter(|(of, _)| of == needs);
        loaded.filter(|_| !self.is_over).cloned()
    }
}

/// What JVMs run, beside what was changed since the build.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Needs {
    pub(super) place: Place,
    pub(super) jar: PathBuf,
    /// What the class path held.
    pub(super) rests: Rests,
}

/// The JVMs of one recording: those that have come up, and those that do.
pub(super) struct Set {
    needs: Needs,
    since: Instant,
    folder: RunFolder,
    coming: Arc<Coming>,
}

/// What becomes of a set's JVMs, known to who starts them too.
#[derive(Default)]
struct Coming(Mutex<Up>);

#[derive(Default)]
struct Up {
    /// Those that were started and not told yet, by their kind. The last one may not have come up: it reads what it is told then.
    started: Vec<(bool, Started)>,
    /// Those that are still to be started, in order.
    left: VecDeque<bool>,
}

impl Coming {
    fn lock(&self) -> MutexGuard<'_, Up> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// None is started any more, and those that are there end.
    fn end(&self) {
        let up = std::mem::take(&mut *self.lock());
        drop(up);
    }
}

impl Set {
    /// Has its JVMs come up, one after the other, on a thread of its own; nothing where its folder cannot be made. Where one does
    /// not come up, no others do any more.
    fn begin(standby: &Arc<Standby>, own: &Path, needs: Needs, names: &str) -> Option<Set> {
        let folder = RunFolder::new(own).ok()?;
        let list = folder.path().join("loaded");
        let set = Set {
            coming: Arc::default(),
            since: Instant::now(),
            folder,
            needs,
        };
        let wrote = std::fs::create_dir(set.changed()).and_then(|()| std::fs::write(&list, names));
        wrote.ok()?;
        set.coming.lock().left = KINDS.into();
        let place = set.needs.place.behind(&set.changed());
        let jar = set.needs.jar.clone();
        let (coming, standby) = (Arc::clone(&set.coming), Arc::clone(standby));
        let thread = std::thread::Builder::new().name("standby".to_owned());
        let begun = thread.spawn(move || {
            let start =
                |is_varied| Started::new(waiting(&place, &jar, is_varied, &list), Stdio::piped());
            if !come_up(&coming, &start) {
                standby.give_up();
            }
        });
        if let Err(e) = begun {
            tracing::warn!("no thread can be started: {e}");
            return None;
        }
        Some(set)
    }

    /// Where the classes are to be that were changed since the build.
    pub(super) fn changed(&self) -> PathBuf {
        self.folder.path().join(CHANGED)
    }

    /// None of them is to be asked any more. What was compiled stays.
    pub(super) fn give_up(&mut self) {
        self.coming.end();
    }

    /// One that waits, or will in a moment. Where none of this kind is that far yet, who asks starts one: then this does not.
    pub(super) fn next(&mut self, is_varied: bool) -> Option<Started> {
        let mut up = self.coming.lock();
        while let Some(at) = up.started.iter().position(|(v, _)| *v == is_varied) {
            let (_, mut jvm) = up.started.remove(at);
            if jvm.runs() {
                return Some(jvm);
            }
        }
        if let Some(at) = up.left.iter().position(|v| *v == is_varied) {
            up.left.remove(at);
        }
        None
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        self.coming.end();
    }
}

/// Starts those that are left, each once the one before has come up or was told what to run. False if one does not come up.
fn come_up(coming: &Coming, start: &dyn Fn(bool) -> std::io::Result<Started>) -> bool {
    loop {
        let mut up = coming.lock();
        let Some(is_varied) = up.left.pop_front() else {
            return true;
        };
        let Ok(jvm) = start(is_varied) else {
            return true;
        };
        let number = jvm.number();
        up.started.push((is_varied, jvm));
        drop(up);
        let begun = Instant::now();
        loop {
            let mut up = coming.lock();
            let mut all = up.started.iter_mut();
            let Some((_, jvm)) = all.find(|(_, jvm)| jvm.number() == number) else {
                // It was told, or nobody wants it.
                break;
            };
            if jvm.has_said(WAITS) {
                break;
            }
            if !jvm.runs() || begun.elapsed() > COMES_UP {
                return false;
            }
            drop(up);
            std::thread::sleep(GLANCE);
        }
    }
}

impl Standby {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The set that is there for this; another one goes. Where there is none its JVMs come up from now on, while what they are to
    /// run is compiled: if it is known which classes they need.
    pub(super) fn take(self: &Arc<Standby>, own: &Path, needs: &Needs) -> Option<Set> {
        let mut kept = self.lock();
        kept.asked += 1;
        let set = kept.set.take();
        let loaded = kept.known(needs);
        drop(kept);
        let is_for = |set: &Set| set.needs == *needs && set.since.elapsed() < GOOD;
        match set.filter(is_for) {
            Some(set) => Some(set),
            None => loaded.and_then(|(needs, names)| Set::begin(self, own, needs, &names)),
        }
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

    /// Has a set come up for the next recording, after a while; none where nobody knows which classes it needs, or where its folder
    /// cannot be made.
    pub(super) fn prepare(self: &Arc<Standby>, own: &Path, needs: &Needs) {
        let mut kept = self.lock();
        let Some((needs, names)) = kept.known(needs) else {
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
            let mut kept = standby.lock();
            if kept.asked == asked && !kept.is_over {
                kept.set = Set::begin(&standby, &own, needs, &names);
            }
        });
        if let Err(e) = begun {
            tracing::warn!("no thread can be started: {e}");
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
        let waiting = |set: &Set| set.coming.lock().started.len();
        let waiting = kept.set.as_ref().map_or(0, waiting);
        write!(out, "Standby({waiting})")
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use runner::process::Bounds;

    /// What waits as a JVM does, once it may, and leaves a line behind.
    const JAVA: &str = r#"#!/bin/sh
cd "${0%/*}"
echo "$$" >>ran
[ -e over ] && exit 1
while ! [ -e may ]; do sleep 0.01; done
echo telltale-ready
read -r line
echo "got $line"
"#;

    /// A place whose Java is that.
    struct Ground {
        own: tempfile::TempDir,
        standby: Arc<Standby>,
    }

    impl Ground {
        fn new() -> Ground {
            use std::os::unix::fs::PermissionsExt;
            let own = tempfile::tempdir().expect("a folder");
            let bin = own.path().join("jdk/bin");
            std::fs::create_dir_all(&bin).expect("a folder");
            let java = bin.join("java");
            std::fs::write(&java, JAVA).expect("written");
            let may = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(java, may).expect("a program");
            Ground {
                own,
                standby: Arc::default(),
            }
        }

        fn needs(&self, path: &str) -> Needs {
            let rests = serde_json::from_str(r#"{ "files": {}, "classes": {} }"#).expect("nothing");
            let told = runner::Told {
                java: self.own.path().join("jdk"),
                ..runner::Told::default()
            };
            Needs {
                place: Place::new(self.own.path().into(), vec![path.into()], &told),
                jar: "agent.jar".into(),
                rests,
            }
        }

        fn take(&self, path: &str) -> Option<Set> {
            self.standby.take(self.own.path(), &self.needs(path))
        }

        fn knows(&self, path: &str) {
            let names = "java.util.List".to_owned();
            self.standby.loaded(self.needs(path), names);
        }

        fn says(&self, word: &str) {
            let file = self.own.path().join("jdk/bin").join(word);
            std::fs::write(file, "").expect("written");
        }

        /// How many were started.
        fn ran(&self) -> usize {
            let ran = std::fs::read_to_string(self.own.path().join("jdk/bin/ran"));
            ran.map_or(0, |ran| ran.lines().count())
        }
    }

    fn until(what: &str, is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(60), "never: {what}");
            std::thread::sleep(GLANCE);
        }
    }

    fn lines(mut jvm: Started) -> Vec<String> {
        jvm.tell("a folder").expect("told");
        let mut lines = Vec::new();
        let bounds = Bounds {
            wanted: &|| true,
            timeout: Some(Duration::from_secs(60)),
            tick: &mut || {},
        };
        let ended = jvm.watch(bounds, &mut |line| lines.push(line.to_owned()));
        assert!(ended.is_ok());
        lines
    }

    #[test]
    fn a_set_is_taken_once_and_for_what_it_came_up() {
        let ground = Ground::new();
        assert!(ground.take("a").is_none(), "nobody knows what it needs");
        let kept = |path: &str| {
            let own = ground.own.path();
            Set::begin(&ground.standby, own, ground.needs(path), "").expect("a set")
        };
        ground.standby.lock().set = Some(kept("a"));
        assert!(ground.take("b").is_none(), "of another class path");
        assert!(ground.take("a").is_none(), "it is gone");
        ground.standby.lock().set = Some(kept("a"));
        assert!(ground.take("a").is_some());
        assert!(ground.take("a").is_none());
        let mut old = kept("a");
        old.since = Instant::now().checked_sub(GOOD).expect("up for so long");
        ground.standby.lock().set = Some(old);
        assert!(ground.take("a").is_none(), "its JVMs have ended");
    }

    #[test]
    fn none_come_up_once_one_was_in_the_way() {
        let ground = Ground::new();
        let standby = &ground.standby;
        let (a, b) = (ground.needs("a"), ground.needs("b"));
        assert!(standby.lacks(&a));
        ground.knows("a");
        assert!(!standby.lacks(&a) && standby.lacks(&b));
        let asked = standby.lock().asked;
        standby.prepare(ground.own.path(), &b);
        assert_eq!(standby.lock().asked, asked, "nobody knows what it needs");
        standby.give_up();
        assert!(!standby.lacks(&a));
        ground.knows("a");
        standby.prepare(ground.own.path(), &a);
        assert_eq!(standby.lock().asked, asked);
        assert!(ground.take("a").is_none());
    }

    #[test]
    fn where_none_waits_they_come_up_from_then_on_and_are_told_before_they_have() {
        let ground = Ground::new();
        ground.knows("a");
        let mut set = ground.take("a").expect("a set");
        until("one is started", || !set.coming.lock().started.is_empty());
        // The varied one is the last: who asks for it now starts another, and it is not started any more.
        assert!(set.next(true).is_none());
        let first = set.next(false).expect("one that comes up");
        until("the next is started", || {
            !set.coming.lock().started.is_empty()
        });
        ground.says("may");
        assert_eq!(lines(first), ["telltale-ready", "got a folder"]);
        until("one has come up", || set.coming.lock().left.is_empty());
        let second = set.next(false).expect("one that waits");
        assert!(lines(second).ends_with(&["got a folder".to_owned()]));
        assert!(set.next(false).is_none() && set.next(true).is_none());
        until("two were started", || ground.ran() == 2);
        assert!(!ground.standby.lock().is_over);
    }

    #[test]
    fn a_set_that_is_not_wanted_starts_no_more() {
        let ground = Ground::new();
        ground.knows("a");
        let set = ground.take("a").expect("a set");
        until("one is started", || !set.coming.lock().started.is_empty());
        let coming = Arc::clone(&set.coming);
        drop(set);
        let up = coming.lock();
        assert!(up.started.is_empty() && up.left.is_empty());
    }

    #[test]
    fn one_that_does_not_come_up_is_the_last() {
        let ground = Ground::new();
        ground.knows("a");
        ground.says("over");
        let set = ground.take("a").expect("a set");
        until("it is over", || ground.standby.lock().is_over);
        drop(set);
        assert_eq!(ground.ran(), 1);
        assert!(ground.take("a").is_none());
    }
}
