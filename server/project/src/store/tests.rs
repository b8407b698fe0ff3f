use super::*;

fn told(key: u64, n: i32) -> Told {
    let observed = |values: Vec<Value>| Observed {
        count: 1,
        values,
        cut: false,
        differs: None,
        once: false,
    };
    let mut told = Told {
        key,
        passed: true,
        ..Told::default()
    };
    told.queries
        .insert("book.open()".into(), observed(vec![Value::Int(n)]));
    let seen = Seen {
        variable: "book".into(),
        nth: 1,
    };
    let variables = BTreeMap::from([(seen, observed(vec![Value::Null]))]);
    told.variables = Definitions::pack(&variables).unwrap();
    let inside = BTreeMap::from([(within(), observed(vec![Value::Int(n)]))]);
    told.inside = Definitions::pack(&inside).unwrap();
    told
}

fn within() -> Seen {
    Seen {
        variable: "a.Book#open() n".into(),
        nth: 0,
    }
}

#[test]
fn what_is_saved_is_read_back_and_the_last_word_counts() {
    let root = tempfile::tempdir().unwrap();
    assert!(Store::open_existing(root.path()).unwrap().is_none());
    let mut store = Store::open(root.path()).unwrap();
    let run = Run {
        at: 17,
        tool: "Maven".into(),
        ..Run::default()
    };
    let high = u64::MAX - 3;
    store
        .save(
            &run,
            &[
                ("a.T#m()".into(), told(1, 3)),
                ("a.T#n()".into(), told(2, 4)),
            ],
        )
        .unwrap();
    store
        .save(&run, &[("a.T#m()".into(), told(high, 5))])
        .unwrap();
    drop(store);
    let store = Store::open_existing(root.path()).unwrap().unwrap();
    let facts = store.facts().unwrap();
    assert_eq!(facts.len(), 2);
    let m = facts.of("a.T#m()").unwrap();
    assert_eq!((m.key, m.at), (high, 17));
    assert!(
        m.queries["book.open()"]
            .stable()
            .unwrap()
            .same(&Value::Int(5))
    );
    let seen = Seen {
        variable: "book".into(),
        nth: 1,
    };
    let variables = m.variables.all();
    assert!(variables[&seen].stable().unwrap().same(&Value::Null));
    let inside = m.inside.all();
    assert!(inside[&within()].stable().unwrap().same(&Value::Int(5)));
    assert_eq!((variables.len(), inside.len()), (1, 1));
    assert_eq!(store.last_run().unwrap(), Some(run));
    let ignore = root.path().join(OWN_FOLDER).join(".gitignore");
    assert_eq!(std::fs::read_to_string(ignore).unwrap(), "*\n");
}

#[test]
fn a_deleted_test_disappears_and_so_does_all_when_it_is_forgotten() {
    let root = tempfile::tempdir().unwrap();
    let mut store = Store::open(root.path()).unwrap();
    store
        .save(
            &Run::default(),
            &[("a".into(), told(1, 3)), ("b".into(), told(2, 4))],
        )
        .unwrap();
    assert_eq!(store.retain(&|name| name == "b").unwrap(), 1);
    assert_eq!(store.facts().unwrap().len(), 1);
    store.forget().unwrap();
    assert!(store.facts().unwrap().is_empty());
    assert_eq!(store.last_run().unwrap(), None);
}

#[test]
fn what_was_recorded_first_goes_where_there_is_no_room_for_all() {
    let root = tempfile::tempdir().unwrap();
    let mut store = Store::open(root.path()).unwrap();
    let run = |store: &mut Store, name: &str, at: i64| {
        let told: Vec<(SmolStr, Told)> = (0..100)
            .map(|n| {
                let mut told = told(1, 3);
                // Larger than what is kept of values, and the same each time.
                told.calls = Some(Packed::new(vec![n; 5000]));
                (format!("{name}{n:03}").into(), told)
            })
            .collect();
        let run = Run {
            at,
            ..Run::default()
        };
        store.save(&run, &told).unwrap();
    };
    let names = |store: &Store, start: &str| {
        let facts = store.facts().unwrap();
        let own = facts.tests().filter(|(name, _)| name.starts_with(start));
        own.count()
    };
    run(&mut store, "a", 1);
    run(&mut store, "b", 2);
    // Room for all: nothing goes.
    assert_eq!(store.bound(10_000_000).unwrap(), 0);
    assert_eq!((names(&store, "a"), names(&store, "b")), (100, 100));
    assert_eq!(store.bound(1_000_000).unwrap(), 100);
    assert_eq!((names(&store, "a"), names(&store, "b")), (0, 100));
    assert!(store.size() <= 1_000_000, "{}", store.size());
    // One run alone is too much: its values outlive its calls.
    assert_eq!(store.bound(400_000).unwrap(), 0);
    assert_eq!(names(&store, "b"), 100);
    assert!(store.size() <= 400_000, "{}", store.size());
    let facts = store.facts().unwrap();
    let left = facts.tests().filter(|(_, told)| told.calls.is_some());
    assert!(left.count() < 100);
    // Less than an empty file takes: all goes, and that is the end of it.
    assert_eq!(store.bound(1).unwrap(), 100);
    assert!(store.facts().unwrap().is_empty());
    assert_eq!(store.last_run().unwrap().unwrap().at, 2);
}

#[test]
fn what_an_older_telltale_wrote_is_read_and_written() {
    let root = tempfile::tempdir().unwrap();
    let mut store = Store::open(root.path()).unwrap();
    let kept = [("a".into(), told(7, 3))];
    store.save(&Run::default(), &kept).unwrap();
    store
        .database
        .execute_batch(
            "ALTER TABLE test DROP COLUMN asked; ALTER TABLE test DROP COLUMN varied; DROP TABLE ran; DROP TABLE code;
             ALTER TABLE run DROP COLUMN overlapped; PRAGMA user_version = 1",
        )
        .unwrap();
    drop(store);
    let store = Store::open_existing(root.path()).unwrap().unwrap();
    let facts = store.facts().unwrap();
    let a = facts.of("a").unwrap();
    assert_eq!((a.key, a.asked), (7, 0));
    drop(store);
    let mut store = Store::open(root.path()).unwrap();
    let mut new = told(8, 4);
    new.asked = u64::MAX;
    new.varied = Some("no".to_owned());
    store.save(&Run::default(), &[("b".into(), new)]).unwrap();
    let facts = store.facts().unwrap();
    assert_eq!(facts.of("b").unwrap().asked, u64::MAX);
    assert_eq!(facts.of("b").unwrap().varied.as_deref(), Some("no"));
    assert_eq!(facts.of("a").unwrap().varied, None);
    assert_eq!(facts.len(), 2);
}

#[test]
fn what_a_newer_telltale_wrote_is_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path()).unwrap();
    store
        .database
        .pragma_update(None, "user_version", 99)
        .unwrap();
    drop(store);
    for opened in [
        Store::open(root.path()).map(Some),
        Store::open_existing(root.path()),
    ] {
        let error = opened.unwrap_err();
        assert!(matches!(error, StoreError::Newer(_)), "{error}");
    }
}

#[test]
#[cfg(unix)]
fn nothing_is_written_behind_a_link() {
    let (root, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink(elsewhere.path(), root.path().join(OWN_FOLDER)).unwrap();
    let error = Store::open(root.path()).unwrap_err().to_string();
    assert!(error.contains("symbolic link"), "{error}");
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn a_damaged_file_is_an_error_that_says_what_to_do() {
    let root = tempfile::tempdir().unwrap();
    drop(Store::open(root.path()).unwrap());
    std::fs::write(root.path().join(OWN_FOLDER).join(FILE), "no database").unwrap();
    let error = Store::open(root.path()).unwrap_err().to_string();
    assert!(error.contains("delete it and record again"), "{error}");
}

#[test]
fn a_run_that_cannot_be_saved_whole_is_not_saved() {
    let root = tempfile::tempdir().unwrap();
    let mut store = Store::open(root.path()).unwrap();
    store
        .save(&Run::default(), &[("a".into(), told(1, 3))])
        .unwrap();
    // As on a disk that is full.
    let pages: i64 = store
        .database
        .pragma_query_value(None, "page_count", |r| r.get(0))
        .unwrap();
    store
        .database
        .pragma_update(None, "max_page_count", pages)
        .unwrap();
    let many: Vec<(SmolStr, Told)> = (0..2000)
        .map(|n| (format!("t{n}").into(), told(n, 3)))
        .collect();
    assert!(store.save(&Run::default(), &many).is_err());
    store
        .database
        .pragma_update(None, "max_page_count", 1_000_000)
        .unwrap();
    assert_eq!(store.facts().unwrap().len(), 1);
    store.save(&Run::default(), &many).unwrap();
    assert_eq!(store.facts().unwrap().len(), 2001);
}

/// What parts of a suite told on several machines is what one tells of all.
#[test]
fn what_others_recorded_is_taken_over_unless_it_is_older() {
    let roots = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let run = |at| Run {
        at,
        ..Run::default()
    };
    let ran = |tests: &[(&str, u64)], code: u8| Ran {
        tests: tests
            .iter()
            .map(|(test, key)| {
                let lines = PackedLines::new(vec![*key as u8]);
                (SmolStr::new(test), RanBy { key: *key, lines })
            })
            .collect(),
        nobodys: vec![PackedLines::new(vec![7])],
        code: std::iter::once((SmolStr::new("a.Book#open()"), PackedLines::new(vec![code])))
            .collect(),
        ..Ran::default()
    };
    let [mut own, mut first, mut second] = [0, 1, 2].map(|n| Store::open(roots[n].path()).unwrap());
    own.save_with(
        &run(10),
        &[("a".into(), told(1, 3)), ("d".into(), told(1, 3))],
        &ran(&[("a", 1), ("d", 1)], 1),
        true,
    )
    .unwrap();
    first
        .save_with(
            &run(20),
            &[("a".into(), told(2, 4)), ("b".into(), told(2, 4))],
            &ran(&[("a", 2), ("b", 2)], 2),
            false,
        )
        .unwrap();
    second
        .save_with(
            &run(5),
            &[("c".into(), told(3, 5)), ("a".into(), told(3, 5))],
            &ran(&[("c", 3), ("a", 3)], 3),
            false,
        )
        .unwrap();
    drop((first, second));
    // As a root, and as the folder that somebody carried here.
    assert_eq!(own.merge(roots[1].path()).unwrap(), 2);
    assert_eq!(own.merge(&roots[2].path().join(OWN_FOLDER)).unwrap(), 1);
    for again in [false, true] {
        if again {
            assert_eq!(own.merge(roots[1].path()).unwrap(), 0);
            assert_eq!(own.merge(&roots[2].path().join(EVIDENCE)).unwrap(), 0);
        }
        let facts = own.facts().unwrap();
        let keys: Vec<u64> = ["a", "b", "c", "d"]
            .iter()
            .map(|t| facts.of(t).unwrap().key)
            .collect();
        assert_eq!(keys, [2, 2, 3, 1]);
        let open = &facts.of("b").unwrap().queries["book.open()"];
        assert!(open.stable().unwrap().same(&Value::Int(4)));
        let lines: Vec<u64> = ["a", "b", "c", "d"]
            .iter()
            .map(|t| facts.ran().tests[*t].key)
            .collect();
        assert_eq!(lines, [2, 2, 3, 1]);
        assert_eq!(facts.ran().nobodys.len(), 3, "{again}");
        // Of the code what was recorded last counts, in whatever order it is taken over.
        assert_eq!(facts.ran().code["a.Book#open()"].bytes(), [2]);
    }
    let itself = own.merge(roots[0].path()).unwrap_err();
    assert!(itself.to_string().contains("keeps itself"), "{itself}");
    let nothing = own.merge(&roots[0].path().join("nowhere")).unwrap_err();
    assert!(
        nothing.to_string().contains("nothing recorded is there"),
        "{nothing}"
    );
    assert_eq!(own.facts().unwrap().len(), 4);
}

/// Where the folder cannot be written (here only the way to read it is tried: whoever runs as root writes anywhere).
#[test]
fn what_nobody_may_write_is_read_as_it_stands() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().join("a 100% #1?");
    std::fs::create_dir(&root).unwrap();
    let mut store = Store::open(&root).unwrap();
    store
        .save(&Run::default(), &[("a.T#t()".into(), told(7, 3))])
        .unwrap();
    let file = store.file().to_path_buf();
    drop(store);
    assert!(!has_log(&file));
    let mut store = Store {
        database: to_read(&file).unwrap(),
        file,
    };
    store.check_version().unwrap();
    assert_eq!(store.facts().unwrap().tests().count(), 1);
    let refused = store.forget().unwrap_err().to_string();
    assert!(refused.contains("nothing is damaged"), "{refused}");
    assert_eq!(store.facts().unwrap().tests().count(), 1);
}

/// What the page about evidence shows a user to ask.
#[test]
fn the_query_of_the_documentation_is_answered() {
    let page = include_str!("../../../../docs/evidence.md");
    let sql = page.split("```sql\n").nth(1).unwrap();
    let sql = sql.split("```").next().unwrap();
    let root = tempfile::tempdir().unwrap();
    let mut store = Store::open(root.path()).unwrap();
    let mut other = told(1, 3);
    for query in ["book.open()", "book.next()"] {
        let observed = Observed {
            differs: Some(vec![Value::Int(9)]),
            ..other.queries["book.open()"].clone()
        };
        other.queries.insert(query.into(), observed);
    }
    let tests = [("a.T#m()".into(), told(1, 3)), ("a.T#n()".into(), other)];
    store.save(&Run::default(), &tests).unwrap();
    let mut asked = store.database.prepare(sql).unwrap();
    let rows = asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    let rows: Vec<(String, u32, String)> = rows.unwrap().map(Result::unwrap).collect();
    let names = "book.next(), book.open()".to_owned();
    assert_eq!(rows, [("a.T#n()".to_owned(), 2, names)]);
    for table in ["run", "ran", "code", "test", "observed", "class_path"] {
        assert!(page.contains(&format!("\n| `{table}` |")), "{table}");
    }
}
