#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use super::*;

/// The records of a segment, as the agent writes them.
#[derive(Default)]
struct Wrote(Vec<u8>);

impl Wrote {
    fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    fn record(&mut self, kind: u8, numbers: &[u64]) {
        self.0.push(kind);
        numbers.iter().for_each(|n| self.number(*n));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    fn test(&mut self, id: u64, class: &str, method: &str) {
        self.record(0x04, &[id]);
        for part in [class, method, "", "", "", ""] {
            self.text(part);
        }
    }

    fn started(&mut self, test: u64, thread: u64) {
        self.record(0x10, &[test, thread, 0]);
    }

    /// 0 passed, 4 unknown.
    fn ended(&mut self, test: u64, status: u64) {
        self.record(0x11, &[test, status, 1]);
    }

    fn fate(&mut self, test: u64, why: u64, about: &str) {
        self.record(0x18, &[test, why]);
        self.text(about);
    }

    /// A class with one method, `a.C#m()`.
    fn method(&mut self) {
        self.record(0x01, &[1, 0]);
        self.text("a.C");
        self.record(0x03, &[1, 1]);
        self.text("m");
        self.text("()I");
        self.record_tail(&[0, 0, 3]);
    }

    fn record_tail(&mut self, numbers: &[u64]) {
        numbers.iter().for_each(|n| self.number(*n));
    }

    /// A call of it that returned an int.
    fn call(&mut self, test: u64, nonce: u64, value: u64) {
        self.record(0x14, &[1, test, 1, nonce, nonce, 0, 6, 0, 0]);
        self.record(0x14, &[1, test, 1, nonce, nonce, 1, 6, 0, 1, 6, value * 2]);
    }

    /// As a block, behind what is in a file.
    fn into_file(self, file: &Path) {
        let mut sum = !0u32;
        for byte in &self.0 {
            sum ^= u32::from(*byte);
            for _ in 0..8 {
                sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
            }
        }
        let mut bytes = match file.exists() {
            true => std::fs::read(file).unwrap(),
            false => evidence::segment::MAGIC.to_vec(),
        };
        bytes.extend((self.0.len() as u32).to_be_bytes());
        bytes.extend((!sum).to_be_bytes());
        bytes.extend(self.0);
        std::fs::write(file, bytes).unwrap();
    }
}

/// How many calls are held as they were read.
fn held(segments: &Segments<'_>) -> usize {
    let of = |jvm: &Jvm| -> usize { jvm.calls.values().map(|g| g.calls.calls.len()).sum() };
    segments.jvms.values().map(of).sum()
}

#[test]
fn of_a_long_run_only_the_calls_of_the_test_that_runs_are_held() {
    const TESTS: u64 = 50;
    const CALLS: u64 = 40;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("1.seg");
    let mut segments = Segments::new(folder.path(), u32::MAX);
    let mut most = 0;
    for test in 1..=TESTS {
        let mut wrote = Wrote::default();
        if test == 1 {
            wrote.method();
        }
        wrote.test(test, "a.CTest", &format!("t{test}"));
        wrote.started(test, 1);
        for nonce in 0..CALLS {
            wrote.call(test, test * CALLS + nonce, nonce);
        }
        wrote.into_file(&file);
        segments.poll();
        most = most.max(held(&segments));
        let mut wrote = Wrote::default();
        wrote.ended(test, 0);
        wrote.into_file(&file);
        segments.poll();
        assert_eq!(held(&segments), 0, "behind test {test}");
        assert_eq!(segments.ended() as u64, test);
    }
    assert_eq!(most as u64, CALLS);
    let seen = segments.finish().unwrap();
    assert_eq!(seen.calls.len() as u64, TESTS);
    for name in seen.calls.keys() {
        let calls = seen.calls_of(name).unwrap();
        let results = calls.calls.iter().map(|c| c.end.as_ref().unwrap());
        let expected = (0..CALLS).map(|n| Value::Int(n as i32));
        assert!(results.zip(expected).all(|(end, n)| end.result.same(&n)));
        assert_eq!(calls.calls.len() as u64, CALLS);
    }
}

fn cut(write: impl FnOnce(&mut Wrote)) -> Vec<(String, Why)> {
    let folder = tempfile::tempdir().unwrap();
    let mut wrote = Wrote::default();
    for (id, name) in [(1, "one"), (2, "two"), (3, "three")] {
        wrote.test(id, "a.CTest", name);
    }
    write(&mut wrote);
    wrote.into_file(&folder.path().join("1.seg"));
    let seen = Segments::new(folder.path(), u32::MAX).finish().unwrap();
    let cut = seen.cut.into_iter();
    cut.map(|c| (c.method.to_string(), c.why)).collect()
}

#[test]
fn a_test_that_ran_when_its_jvm_ended_is_cut() {
    let one = |why: Why| vec![("one".to_owned(), why)];
    assert_eq!(cut(|w| w.started(1, 1)), one(Why::Gone));
    let exits = cut(|w| {
        w.started(1, 1);
        w.fate(1, 2, "a.C.m(C.java:3)");
        w.ended(1, 4);
    });
    assert_eq!(exits, one(Why::Exit("a.C.m(C.java:3)".to_owned())));
    // Of those that ran at the same time one is known to have ended it.
    let slow = cut(|w| {
        w.started(1, 1);
        w.started(2, 2);
        w.fate(1, 1, "");
        w.ended(1, 4);
        w.ended(2, 4);
    });
    assert_eq!(slow, one(Why::Slow(None)));
}

#[test]
fn a_query_that_was_not_answered_cuts_no_test() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrote = Wrote::default();
    wrote.test(1, "a.T", "one");
    wrote.test(2, "a.T", "two");
    wrote.started(1, 1);
    wrote.started(2, 2);
    wrote.fate(1, 4, "17");
    wrote.ended(1, 4);
    wrote.into_file(&folder.path().join("1.seg"));
    let seen = Segments::new(folder.path(), u32::MAX).finish().unwrap();
    assert_eq!(seen.endless, BTreeSet::from([17]));
    assert_eq!(seen.cut, []);
}

#[test]
fn a_test_that_ended_or_that_its_thread_left_is_not_cut() {
    assert_eq!(
        cut(|w| {
            w.started(1, 1);
            w.ended(1, 0);
        }),
        []
    );
    // A framework that tells of no end goes on; one that gave up an error went on, too.
    assert_eq!(
        cut(|w| {
            w.started(1, 1);
            w.fate(1, 3, "");
            w.started(2, 1);
            w.ended(2, 0);
        }),
        []
    );
}

#[test]
fn a_jvm_that_could_not_write_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrote = Wrote::default();
    wrote.record(0x1e, &[]);
    wrote.text("the file could not be written: No space left on device");
    wrote.number(1);
    wrote.into_file(&folder.path().join("1.seg"));
    let seen = Segments::new(folder.path(), u32::MAX).finish().unwrap();
    assert_eq!(seen.unwritten.as_deref(), Some("No space left on device"));
    assert!(seen.lost.is_empty());
}

#[test]
fn tests_that_ran_at_the_same_time_are_counted_where_somebody_asks_what_they_ran() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrote = Wrote::default();
    for reason in [OVERLAPPED, "something else"] {
        wrote.record(0x1e, &[]);
        wrote.text(reason);
        wrote.number(3);
    }
    wrote.into_file(&folder.path().join("1.seg"));
    for covers in [true, false] {
        let segments = Segments::new(folder.path(), u32::MAX).covering(covers);
        let seen = segments.finish().unwrap();
        assert_eq!(seen.coverage.lost, if covers { 3 } else { 0 });
        assert_eq!(seen.lost, [("something else".to_owned(), 3)]);
    }
}

#[test]
fn a_run_lacks_tests_whose_jvm_somebody_else_ended_before_they_began() {
    let of = |methods: &[&str]| {
        let name = |m: &&str| ("a.T".into(), SmolStr::new(m), SmolStr::default());
        let outcomes = methods.iter().map(|m| (name(m), Outcome::Passed));
        Seen {
            outcomes: outcomes.collect(),
            ..Seen::default()
        }
    };
    let cut = |method: &str| Cut {
        class: "a.T".into(),
        method: method.into(),
        why: Why::Gone,
    };
    let whole = of(&["one", "two"]);
    assert!(of(&["one"]).lacks(&whole, &[]));
    assert!(of(&[]).lacks(&whole, &[cut("two")]));
    // One that is left out is not missing, and neither is one that the other run did not know.
    assert!(!of(&["one"]).lacks(&whole, &[cut("two")]));
    assert!(!whole.lacks(&of(&["one"]), &[]));
}
