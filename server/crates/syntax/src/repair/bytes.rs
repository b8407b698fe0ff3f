//! Repairs that need no more than a search for a byte.

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

/// More unclosed `<` in one statement than Java code ever has. The parser keeps both readings of each, comparison and
/// type arguments, in time and memory that grow with the square of their number (1 GB at 10,000).
const MOST_ANGLES: usize = 1_000;

/// Not a form of Java, but a guard: from the thousandth unclosed `<` of a statement on they are blanked.
pub(super) fn angles(source: &[u8]) -> Option<Vec<u8>> {
    if memchr::memchr_iter(b'<', source).count() <= MOST_ANGLES {
        return None;
    }
    let mut copy: Option<Vec<u8>> = None;
    let mut open = 0usize;
    for (at, &byte) in source.iter().enumerate() {
        match byte {
            b';' | b'{' | b'}' => open = 0,
            b'>' => open = open.saturating_sub(1),
            b'<' if open < MOST_ANGLES => open += 1,
            b'<' => copy.get_or_insert_with(|| source.to_vec())[at] = b' ',
            _ => {}
        }
    }
    copy
}
