//! Edits of a draft against the plain text and a fresh index for each.

use proptest::prelude::*;
use text::{Draft, Edit, Encoding, LineIndex, Position, Span, apply_one};

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

/// Pieces of which line ends are made, and characters of all widths.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "bc", "\n", "\r", "\r\n", "é", "€", "𝒳", "\u{feff}", "\t", "\u{2028}", "\u{b}",
        "\u{85}",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn positions() -> impl Strategy<Value = Position> {
    let number = prop_oneof![6 => 0..12_u32, 1 => Just(u32::MAX)];
    (number.clone(), number).prop_map(|(line, column)| Position::new(line, column))
}

/// The same by the model: false if the edit makes no sense.
fn model(text: &mut String, start: Position, end: Position, encoding: Encoding, put: &str) -> bool {
    let index = LineIndex::new(text);
    let span = Span::new(index.offset(start, encoding), index.offset(end, encoding));
    end >= start && apply_one(text, &Edit::new(span, put))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_draft_says_what_the_plain_text_says(
        first in texts(),
        edits in prop::collection::vec((positions(), positions(), texts()), 1..12),
    ) {
        for encoding in ENCODINGS {
            let (mut plain, mut draft) = (first.clone(), Draft::new(&first));
            for (start, end, put) in &edits {
                let done = draft.replace(*start, *end, encoding, put);
                prop_assert_eq!(done, model(&mut plain, *start, *end, encoding, put));
                prop_assert_eq!(&String::from(draft.clone()), &plain);
            }
        }
    }

    /// Texts of many pieces of the rope, with line ends that are cut apart.
    #[test]
    fn a_long_draft_too(
        unit in texts(),
        edits in prop::collection::vec((0..4_000_u32, 0..12_u32, 0..3_u32, texts()), 1..20),
    ) {
        let first = unit.repeat(400);
        let (mut plain, mut draft) = (first.clone(), Draft::new(&first));
        for (line, column, lines, put) in &edits {
            let start = Position::new(*line, *column);
            let end = Position::new(line + lines, *column);
            draft.replace(start, end, Encoding::Utf16, put);
            model(&mut plain, start, end, Encoding::Utf16, put);
        }
        prop_assert_eq!(String::from(draft), plain);
    }
}
