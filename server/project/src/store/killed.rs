//! What is kept outlives whoever is killed while it saves, at whatever moment; and two that save at once.

use super::*;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Says to this test's own program that it is the one to be killed, and in which root it saves.
const ROOT: &str = "TELLTALE_TEST_SAVES_IN";

/// How often it is killed.
const KILLS: usize = 40;

/// Of the drawn moments, so that they are the same in each run.
const SEED: u64 = 14;

/// How many tests a run tells of.
const TESTS: usize = 60;

/// What they called takes more room than this, so that saving forgets it, and makes the file smaller.
const ROOM: u64 = 400_000;

/// What the run of a number tells: the number, in each of its parts.
fn of_run(n: u64) -> (Run, Vec<(SmolStr, Told)>, Ran) {
    let run = Run {
        at: n as i64,
        tests: TESTS as u32,
        ..Run::default()
    };
    let names = || (0..TESTS).map(|t| SmolStr::new(format!("a.T#m{t}()")));
    let told = |name| {
        let observed = Observed {
            count: 1,
            values: vec![Value::Long(n as i64)],
            cut: false,
            differs: None,
            once: false,
        };
        let told = Told {
            key: n,
            passed: true,
            queries: std::iter::once(("book.open()".into(), observed)).collect(),
            calls: Some(Packed::new(vec![n as u8; 10_000])),
            ..Told::default()
        };
        (name, told)
    };
    let lines = PackedLines::new(n.to_be_bytes().to_vec());
    let ran_by = |name| {
        let lines = lines.clone();
        (name, RanBy { key: n, lines })
    };
    let ran = Ran {
        tests: names().map(ran_by).collect(),
        ..Ran::default()
    };
    (run, names().map(told).collect(), ran)
}

/// The number of the run that is kept, if all of it is, and nothing else.
fn whole(store: &Store) -> u64 {
    let check: String = store
        .database
        .pragma_query_value(None, "integrity_check", |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
    let broken = store.database.prepare("PRAGMA foreign_key_check");
    assert!(!broken.unwrap().exists([]).unwrap());
    let Some(run) = store.last_run().unwrap() else {
        assert!(store.facts().unwrap().is_empty());
        return 0;
    };
    let n = run.at as u64;
    let facts = store.facts().unwrap();
    assert_eq!(facts.len(), TESTS, "run {n}");
    for (name, told) in facts.tests() {
        assert_eq!((told.key, told.at), (n, run.at), "{name}");
        let open = told.queries["book.open()"].stable().unwrap();
        assert!(open.same(&Value::Long(n as i64)), "{name}: {open:?}");
        let lines = &facts.ran().tests[name];
        assert_eq!((lines.key, lines.lines.bytes()), (n, &n.to_be_bytes()[..]));
    }
    assert_eq!(facts.ran().tests.len(), TESTS);
    n
}

/// Saves one run after the other, as a recording does, and says so before and after.
fn save_for_ever(root: &Path) {
    let mut out = std::io::stdout();
    loop {
        let mut store = Store::open(root).unwrap();
        let n = store.last_run().unwrap().map_or(0, |run| run.at as u64) + 1;
        let (run, told, ran) = of_run(n);
        writeln!(out, "\nsaves {n}").unwrap();
        store.save_with(&run, &told, &ran, true).unwrap();
        writeln!(out, "\nsaved {n}").unwrap();
        assert_eq!(store.retain(&|name| name.starts_with("a.T#")).unwrap(), 0);
        assert_eq!(store.bound(ROOM).unwrap(), 0);
    }
}

#[test]
fn killed_at_any_moment_it_loses_at_most_the_run_that_is_being_saved() {
    if let Some(root) = std::env::var_os(ROOT) {
        save_for_ever(Path::new(&root));
    }
    let root = tempfile::tempdir().unwrap();
    let name = std::thread::current().name().unwrap().to_owned();
    let mut drawn = SEED;
    let (mut known, mut within) = (0, 0);
    for kill in 0..KILLS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([&name, "--exact", "--nocapture", "--test-threads=1"])
            .env(ROOT, root.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drawn ^= drawn << 13;
        drawn ^= drawn >> 7;
        drawn ^= drawn << 17;
        std::thread::sleep(Duration::from_millis(drawn % 500));
        assert!(child.try_wait().unwrap().is_none(), "it saves for ever");
        child.kill().unwrap();
        let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        let number = |word: &str| {
            let mut lines = said.lines().rev();
            let last = lines.find_map(|line| line.strip_prefix(word));
            last.map_or(known, |n| n.parse().unwrap())
        };
        let (saves, saved) = (number("saves "), number("saved "));
        within += usize::from(saves > saved);
        let at = format!("seed {SEED}, kill {kill}: saved {saved}, saves {saves}");
        known = match Store::open_existing(root.path()).unwrap() {
            Some(store) => whole(&store),
            None => 0,
        };
        assert!((saved..=saves).contains(&known), "{at}, {known} is kept");
    }
    assert!(known >= 20, "{known} runs were saved: seed {SEED}");
    assert!(
        within >= KILLS / 10,
        "{within} of {KILLS} were within a save"
    );
}

#[test]
fn two_that_save_by_turns_and_at_once_keep_what_both_told() {
    let root = tempfile::tempdir().unwrap();
    let told = |n: i64| {
        let (run, mut told, ran) = of_run(n as u64);
        told.truncate(1);
        (run, told.remove(0).1, ran)
    };
    // By turns, each over what the other has open.
    let mut both = [(); 2].map(|()| Store::open(root.path()).unwrap());
    for n in 0..20 {
        let (run, told, _) = told(n);
        let name = SmolStr::new(format!("by{}", n % 2));
        both[n as usize % 2].save(&run, &[(name, told)]).unwrap();
        for store in &both {
            let facts = store.facts().unwrap();
            let at = |name| facts.of(name).map(|told| told.at);
            let other = (n > 0).then_some(n - 1);
            let expected = if n % 2 == 0 {
                [Some(n), other]
            } else {
                [other, Some(n)]
            };
            assert_eq!([at("by0"), at("by1")], expected);
        }
    }
    drop(both);
    // At once: one waits for the other.
    let saves = |who: i64| {
        let mut store = Store::open(root.path()).unwrap();
        for n in 0..30 {
            let (run, told, ran) = told(1000 * who + n);
            let both = ["by", "gone"].map(|is| (SmolStr::new(format!("{is}{who}")), told.clone()));
            store.save_with(&run, &both, &ran, false).unwrap();
            store.retain(&|name| !name.starts_with("gone")).unwrap();
            store.bound(50_000_000).unwrap();
        }
    };
    std::thread::scope(|scope| {
        for who in 0..3 {
            scope.spawn(move || saves(who));
        }
    });
    let store = Store::open_existing(root.path()).unwrap().unwrap();
    let facts = store.facts().unwrap();
    let mut at: Vec<i64> = facts.tests().map(|(_, told)| told.at).collect();
    at.sort_unstable();
    assert_eq!(at, [29, 1029, 2029]);
}

/// Of two writers one reads before it writes: nobody writes in between, or what it writes would be of what it did not read.
#[test]
fn who_reads_before_it_writes_is_waited_for() {
    let root = tempfile::tempdir().unwrap();
    let mut store = Store::open(root.path()).unwrap();
    let (run, told, ran) = of_run(1);
    store.save_with(&run, &told, &ran, true).unwrap();
    let (reads, has_read) = std::sync::mpsc::channel();
    let (saves, has_saved) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let root = root.path();
        scope.spawn(move || {
            let mut other = Store::open(root).unwrap();
            has_read.recv().unwrap();
            let (run, told, _) = of_run(2);
            other.save(&run, &told[..1]).unwrap();
            // The other may be through by then.
            saves.send(()).ok();
        });
        // It asks for each test once it has read all.
        let asked = std::cell::Cell::new(0);
        let is_there = |_: &str| {
            if asked.replace(asked.get() + 1) == 0 {
                reads.send(()).unwrap();
                assert!(has_saved.recv_timeout(Duration::from_millis(200)).is_err());
            }
            false
        };
        assert_eq!(store.retain(&is_there).unwrap(), TESTS);
    });
    let left = store.facts().unwrap();
    let left: Vec<_> = left
        .tests()
        .map(|(name, told)| (name.as_str(), told.at))
        .collect();
    assert_eq!(left, [("a.T#m0()", 2)]);
}
