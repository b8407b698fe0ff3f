//! `read_all`.

use std::path::Path;

use project::{FILE_LIMIT, Unread, read_all, read_all_up_to, read_source};

use crate::Fixture;

#[test]
fn texts_are_kept_byte_for_byte() {
    let fixture = Fixture::new("");
    fixture.write("A.java", "\u{feff}class A {\r\n}\r\n");
    fixture.write("B.java", "");
    let mut layout = fixture.layout();
    let texts = read_all(&mut layout);
    assert_eq!(&*texts[0].1, "\u{feff}class A {\r\n}\r\n");
    assert_eq!(&*texts[1].1, "");
    assert_eq!(
        texts.iter().map(|(index, _)| *index).collect::<Vec<_>>(),
        [0, 1]
    );
}

#[test]
fn what_cannot_be_read_is_told() {
    let fixture = Fixture::new("//- B.java\nclass B {}\n//- D.java\n0123456789abcdefghij\n");
    fixture.write("A.java", b"class A { // caf\xe9\n}");
    let mut layout = fixture.layout();
    std::fs::write(fixture.path("E.java"), "").unwrap();
    let texts = read_all_up_to(&mut layout, 20);
    assert_eq!(texts.len(), 1);
    assert_eq!(layout.files[texts[0].0].path, "B.java");
    assert_eq!(layout.skipped.not_utf8[0].path, "A.java");
    assert_eq!(
        layout.skipped.not_utf8[0].reason,
        "not UTF-8 from byte 16 on; convert it to UTF-8"
    );
    assert_eq!(layout.skipped.oversized[0].path, "D.java");
    // Once more tells nothing twice.
    read_all_up_to(&mut layout, 20);
    assert_eq!(
        layout.skipped.not_utf8.len() + layout.skipped.oversized.len(),
        2
    );
}

#[test]
fn the_limit_counts_bytes() {
    let fixture = Fixture::new("");
    fixture.write("A.java", "12345");
    assert!(read_source(&fixture.path("A.java"), 5).is_ok());
    assert_eq!(
        read_source(&fixture.path("A.java"), 4),
        Err(Unread::Oversized(5))
    );
    assert!(matches!(
        read_source(fixture.root(), FILE_LIMIT),
        Err(Unread::Unreadable(_))
    ));
}

#[test]
fn a_file_that_vanished_is_unreadable() {
    let fixture = Fixture::new("//- A.java\n//- B.java\n");
    let mut layout = fixture.layout();
    std::fs::remove_file(fixture.path("A.java")).unwrap();
    assert_eq!(read_all(&mut layout).len(), 1);
    assert_eq!(layout.skipped.unreadable[0].path, "A.java");
    assert_eq!(layout.files.len(), 2);
}

#[cfg(unix)]
#[test]
fn permissions() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::new("//- A.java\n//- shut/B.java\n//- C.java\n");
    let set = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&fixture.path("A.java"), 0);
    set(&fixture.path("shut"), 0);
    // Whoever may do everything reads it all the same; then there is nothing to see here.
    let is_root = std::fs::File::open(fixture.path("A.java")).is_ok();
    let mut layout = fixture.layout();
    let texts = read_all(&mut layout);
    set(&fixture.path("shut"), 0o755);
    if is_root {
        assert_eq!(texts.len(), 3);
    } else {
        let paths: Vec<&str> = layout
            .skipped
            .unreadable
            .iter()
            .map(|file| file.path.as_str())
            .collect();
        assert_eq!(paths, ["shut", "A.java"]);
        assert_eq!(texts.len(), 1);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf8_is_told() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::new("//- A.java\n");
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.java");
    std::fs::write(fixture.root().join(name), "").unwrap();
    let layout = fixture.layout();
    assert_eq!(layout.files.len(), 1);
    assert_eq!(layout.skipped.not_utf8.len(), 1);
}
