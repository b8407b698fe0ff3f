//! Repairs that need no more than a search for a byte, and the guard against floods of openings.

use super::scan::Tokens;

/// A lone CR ends a line, so also a `//` comment; to the grammar only LF does, and the rest of the file is comment.
pub(super) fn lone_cr(source: &[u8]) -> Option<Vec<u8>> {
    let lone = |at: usize| source.get(at + 1) != Some(&b'\n');
    memchr::memchr_iter(b'\r', source).find(|&at| lone(at))?;
    let mut copy = source.to_vec();
    for at in memchr::memchr_iter(b'\r', source).filter(|&at| lone(at)) {
        copy[at] = b'\n';
    }
    Some(copy)
}

/// The parser takes NUL for the end of its input.
pub(super) fn nul(source: &[u8]) -> Option<Vec<u8>> {
    memchr::memchr(0, source)?;
    Some(
        source
            .iter()
            .map(|&byte| if byte == 0 { b' ' } else { byte })
            .collect(),
    )
}

/// JLS §3.5: Ctrl-Z is ignored if it is the last character.
pub(super) fn ctrl_z(source: &[u8]) -> Option<Vec<u8>> {
    let (&0x1a, rest) = source.split_last()? else {
        return None;
    };
    let mut copy = rest.to_vec();
    copy.push(b' ');
    Some(copy)
}

/// More openings without a closing than any text that somebody types.
const MOST_OPEN: usize = 250;

/// Not a form of Java, but a guard for broken text: where hundreds of `(` are never closed, or of `<` in one statement,
/// the later ones are blanked. In search of a way on, the parser keeps several readings of each, in time and memory
/// that grow with the square of their number (1 GB for 20 KB of text). Closed ones, however deep, cost nothing.
/// A text without such a surplus is only counted.
pub(super) fn floods(source: &[u8]) -> Option<Vec<u8>> {
    let surplus = |open, close| {
        let count = |byte| memchr::memchr_iter(byte, source).count();
        count(open) > MOST_OPEN && count(open) > count(close) + MOST_OPEN
    };
    let (angles, parentheses) = (surplus(b'<', b'>'), surplus(b'(', b')'));
    if !angles && !parentheses {
        return None;
    }
    let mut copy = source.to_vec();
    if parentheses {
        let tokens = Tokens::of(source);
        let unclosed =
            (0..tokens.len()).filter(|&at| tokens.punct(at, b'(') && tokens.partner(at).is_none());
        for at in unclosed.skip(MOST_OPEN) {
            tokens.blank(at, at + 1, &mut copy);
        }
    }
    if angles {
        let mut open = 0usize;
        for byte in &mut copy {
            match byte {
                b';' | b'{' | b'}' => open = 0,
                b'>' => open = open.saturating_sub(1),
                b'<' if open < MOST_OPEN => open += 1,
                b'<' => *byte = b' ',
                _ => {}
            }
        }
    }
    (copy != source).then_some(copy)
}
