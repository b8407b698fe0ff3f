//! The index against a naive walk over the characters, and the places where clients and texts disagree.

use proptest::prelude::*;
use text::{Edit, Encoding, LineIndex, Position, Span, apply, apply_disjoint, without_bom};

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

fn units(c: char, encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Utf8 => c.len_utf8() as u32,
        Encoding::Utf16 => c.len_utf16() as u32,
        Encoding::Utf32 => 1,
    }
}

/// Every valid place of `text` with its position, by walking the characters.
fn naive(text: &str, encoding: Encoding) -> Vec<(u32, Position)> {
    let mut places = Vec::new();
    let mut at = Position::default();
    let mut chars = text.char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        places.push((offset as u32, at));
        let crlf = c == '\r' && chars.peek().is_some_and(|next| next.1 == '\n');
        if crlf {
            chars.next();
        }
        if c == '\n' || c == '\r' {
            at = Position::new(at.line + 1, 0);
        } else {
            at.column += units(c, encoding);
        }
    }
    places.push((text.len() as u32, at));
    places
}

fn check(text: &str) {
    let index = LineIndex::new(text);
    for encoding in ENCODINGS {
        let places = naive(text, encoding);
        for offset in 0..text.len() as u32 + 3 {
            let floor = places
                .iter()
                .rev()
                .find(|place| place.0 <= offset)
                .expect("0 is a place")
                .1;
            assert_eq!(
                index.position(offset, encoding),
                floor,
                "{text:?} {offset} {encoding:?}"
            );
        }
        let last = places.last().expect("the end is a place").1.line;
        assert_eq!(index.line_count(), last + 1);
        for line in 0..last + 2 {
            for column in 0..text.len() as u32 + 2 {
                let position = Position::new(line, column);
                let exact = places
                    .iter()
                    .find(|place| place.1 == position)
                    .map(|place| place.0);
                assert_eq!(
                    index.try_offset(position, encoding),
                    exact,
                    "{text:?} {position:?} {encoding:?}"
                );
                let clamped = places
                    .iter()
                    .rev()
                    .find(|place| place.1 <= position)
                    .expect("0:0 is a place")
                    .0;
                let clamped = if line > last {
                    text.len() as u32
                } else {
                    clamped
                };
                assert_eq!(
                    index.offset(position, encoding),
                    clamped,
                    "{text:?} {position:?} {encoding:?}"
                );
            }
        }
    }
}

#[test]
fn line_ends_tabs_bom_and_emoji() {
    for text in [
        "",
        "\n",
        "\r",
        "\r\n",
        "\n\r",
        "\r\r\n\n",
        "a\tb",
        "\u{feff}class A {}",
        "é",
        "x😀y\r\n👩‍👩‍👧\r",
        "a\rb\nc\r\nd",
        "\u{2028}a\u{85}\n",
        "😀",
        "𝒳é€x\n😀😀\r\nz",
    ] {
        check(text);
    }
}

#[test]
fn the_example_of_the_module() {
    let index = LineIndex::new("é𝒳x");
    let columns = ENCODINGS.map(|encoding| index.position(6, encoding).column);
    assert_eq!(columns, [6, 3, 2]);
}

#[test]
fn positions_far_outside_are_clamped() {
    let index = LineIndex::new("ab\ncd");
    let far = Position::new(u32::MAX, u32::MAX);
    assert_eq!(index.offset(far, Encoding::Utf16), 5);
    assert_eq!(index.offset(Position::new(0, u32::MAX), Encoding::Utf16), 2);
    assert_eq!(
        index.try_offset(Position::new(0, u32::MAX), Encoding::Utf16),
        None
    );
    assert_eq!(
        index.position(u32::MAX, Encoding::Utf32),
        Position::new(1, 2)
    );
}

#[test]
fn ten_megabytes_in_one_line_answer_by_search() {
    // 2.5 million characters outside ASCII in one line: a conversion that walked the line would take minutes here.
    let text = "😀".repeat(2_500_000);
    let index = LineIndex::new(&text);
    for step in 0..200_000u32 {
        let offset = step * 48;
        let position = index.position(offset, Encoding::Utf16);
        assert_eq!(position.column, offset / 2);
        assert_eq!(index.offset(position, Encoding::Utf16), offset);
    }
}

#[test]
fn the_mark_is_stripped_once() {
    assert_eq!(without_bom("\u{feff}\u{feff}a"), "\u{feff}a");
    assert_eq!(without_bom("a"), "a");
}

#[test]
fn edits_in_sequence_and_at_once() {
    let edits = [
        Edit::new(Span::new(1, 2), "XY"),
        Edit::new(Span::new(3, 3), "Z"),
    ];
    assert_eq!(apply("abc", &edits).as_deref(), Some("aXYZc"));
    assert_eq!(apply_disjoint("abc", &edits).as_deref(), Some("aXYcZ"));
    let overlap = [
        Edit::new(Span::new(0, 2), ""),
        Edit::new(Span::new(1, 3), ""),
    ];
    assert_eq!(apply_disjoint("abc", &overlap), None);
    assert_eq!(apply("é", &[Edit::new(Span::new(1, 2), "")]), None);
    assert_eq!(apply("é", &[Edit::new(Span::new(2, 1), "")]), None);
    assert_eq!(apply("é", &[Edit::new(Span::new(0, 9), "")]), None);
    let twice = [
        Edit::new(Span::new(1, 1), "1"),
        Edit::new(Span::new(1, 2), "-"),
        Edit::new(Span::new(1, 1), "2"),
    ];
    assert_eq!(apply_disjoint("abc", &twice).as_deref(), Some("a12-c"));
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\r"),
        Just("\r\n"),
        Just("\t"),
        Just("a"),
        Just("é"),
        Just("€"),
        Just("😀"),
        Just("\u{feff}"),
        Just("e\u{301}"),
        Just("int x = 1; // a longer run of plain text that fills more than one block of ASCII")
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_naive_walk(text in texts()) {
        check(&text);
    }

    #[test]
    fn edits_from_the_back_equal_edits_at_once(text in texts(), cuts in prop::collection::vec((0u32..60, 0u32..5), 0..5)) {
        let mut edits: Vec<Edit> = Vec::new();
        for (number, (start, len)) in cuts.into_iter().enumerate() {
            edits.push(Edit::new(Span::new(start, start + len), number.to_string()));
        }
        if let Some(whole) = apply_disjoint(&text, &edits) {
            let mut order = edits.clone();
            order.sort_by_key(|edit| edit.span);
            order.reverse();
            prop_assert_eq!(apply(&text, &order), Some(whole));
        }
    }
}
