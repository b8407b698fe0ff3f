#![allow(clippy::unwrap_used)]

use super::*;

#[test]
fn every_row_can_be_read_and_has_a_reason() {
    assert_eq!(read(TABLE).1, Vec::<&str>::new());
}

fn found(class: &str, name: &str, supertypes: &[&str]) -> Option<Behaviour> {
    by_class(class, name, || supertypes.to_vec())
}

#[test]
fn the_nearest_class_with_a_row_wins() {
    let add = found("java.util.ArrayList", "add", &["java.util.Collection"]).unwrap();
    assert!(add.changes_receiver() && add.is_typed() && !add.is_outside());
    let get = found("java.util.LinkedHashMap", "get", &["java.util.Map"]).unwrap();
    assert!(!get.changes_receiver());
    // `*` of a class is not that of its subtypes.
    assert_eq!(found("a.B", "frobnicate", &["java.util.Collections"]), None);
    assert!(found("java.lang.String", "frobnicate", &[]).is_some());
    assert_eq!(
        found(
            "java.util.ArrayList",
            "frobnicate",
            &["java.util.Collection"]
        ),
        None
    );
}

#[test]
fn rows_of_one_method_add_up_and_arguments_have_numbers() {
    let read = found("java.io.Reader", "read", &[]).unwrap();
    assert!(read.changes_receiver() && read.changes.has(0) && !read.changes.has(1));
    let copy = found("java.lang.System", "arraycopy", &[]).unwrap();
    assert!(!copy.changes_receiver() && copy.changes.has(2) && !copy.changes.has(0));
}

#[test]
fn the_name_alone_tells_where_the_type_is_not_known() {
    assert!(!by_name("getTotal").changes_receiver());
    assert!(by_name("frobnicate").changes_receiver() && by_name("frobnicate").is_outside());
    let next = by_name("next");
    assert!(!next.changes_receiver() && next.advances() && !next.is_typed());
    assert!(by_name("sort").changes.has(0));
}

#[test]
fn a_bad_row_is_told() {
    let (_, bad) = read("java.A; x; pure\njava.A; x; pours; why\njava.A; y; changes-x; why\n");
    assert_eq!(bad.len(), 3);
}
