//! Repairs of patterns: after `instanceof`, and in the labels of a switch.

use super::scan::{REACH, Tokens, is_word};

/// The pattern part of one `case` label, without its guard.
struct Label {
    /// First token after `case`.
    start: usize,
    /// The guard's `when`, the arrow or the colon.
    end: usize,
    /// Commas between its elements.
    commas: Vec<usize>,
}

/// Every `case` label of the text.
fn labels<'t>(tokens: &'t Tokens<'_>) -> impl Iterator<Item = Label> + 't {
    (0..tokens.len())
        .filter(|&at| tokens.word(at, "case"))
        .filter_map(|at| {
            let start = at + 1;
            let mut commas = Vec::new();
            let mut next = start;
            let mut generic = true;
            loop {
                tokens.get(next).filter(|_| next < start + REACH)?;
                if tokens.operator(next, b"->")
                    || (tokens.punct(next, b':') && !tokens.operator(next, b"::"))
                {
                    break;
                }
                if next > start && tokens.word(next, "when") && is_guard(tokens, next) {
                    break;
                }
                if tokens.punct(next, b';') || tokens.punct(next, b'}') {
                    return None;
                }
                if tokens.punct(next, b',') {
                    commas.push(next);
                }
                let close = tokens.partner(next).filter(|&close| close > next);
                let angle = || generic.then(|| tokens.type_arguments(next)).flatten();
                next = match close.map(|close| close + 1).or_else(angle) {
                    Some(past) => past,
                    None => {
                        // A `<` that opens no type arguments is a comparison: no use to look at the later ones.
                        generic &= !tokens.punct(next, b'<');
                        next + 1
                    }
                };
            }
            if next >= start + REACH {
                return None;
            }
            Some(Label {
                start,
                end: next,
                commas,
            })
        })
}

/// True if the `when` at `at` starts a guard rather than names a variable.
fn is_guard(tokens: &Tokens<'_>, at: usize) -> bool {
    !named(tokens, at + 1)
}

/// True if what stands at `next` shows that the word before it is a pattern's variable.
fn named(tokens: &Tokens<'_>, next: usize) -> bool {
    tokens.operator(next, b"->")
        || tokens.operator(next, b"&&")
        || [b':', b',', b')']
            .iter()
            .any(|&byte| tokens.punct(next, byte))
}

/// `when` as the variable of a pattern: the grammar expects a guard.
pub(super) fn named_when(tokens: &Tokens<'_>, copy: &mut [u8]) {
    for at in 1..tokens.len() {
        // Of `when when` the first is the variable and the second the guard.
        let after_type = (tokens.is_word(at - 1) && !tokens.word(at - 1, "when"))
            || tokens.punct(at - 1, b'>')
            || tokens.punct(at - 1, b']');
        if tokens.word(at, "when")
            && after_type
            && (named(tokens, at + 1) || tokens.word(at + 1, "when"))
        {
            rename(tokens, at, copy);
        }
    }
}

fn rename(tokens: &Tokens<'_>, at: usize, copy: &mut [u8]) {
    if let Some(token) = tokens.get(at) {
        copy[token.start + 2] = b'_';
    }
}

/// Past a run of `final` and annotations.
fn modifiers_end(tokens: &Tokens<'_>, at: usize) -> usize {
    let mut next = at;
    loop {
        if tokens.word(next, "final") {
            next += 1;
        } else if let Some(end) = tokens.annotation(next) {
            next = end;
        } else {
            return next;
        }
    }
}

/// Blanks every run of modifiers from `from` to `to`.
fn blank_modifiers(tokens: &Tokens<'_>, from: usize, to: usize, copy: &mut [u8]) {
    let mut at = from;
    while at < to {
        let end = modifiers_end(tokens, at);
        if end > at {
            tokens.blank(at, end, copy);
        }
        at = end.max(at + 1);
    }
}

/// The parentheses of the record pattern whose type starts at `at`.
fn record_body(tokens: &Tokens<'_>, at: usize) -> Option<(usize, usize)> {
    let open = tokens.type_end(at)?;
    (tokens.punct(open, b'('))
        .then(|| tokens.partner(open))
        .flatten()
        .filter(|&close| close < open + REACH)
        .map(|close| (open, close))
}

/// `final` and annotations before the type of a pattern or of a record pattern's component.
pub(super) fn modifiers(tokens: &Tokens<'_>, copy: &mut [u8]) {
    for label in labels(tokens) {
        blank_modifiers(tokens, label.start, label.end, copy);
    }
    for at in (0..tokens.len()).filter(|&at| tokens.word(at, "instanceof")) {
        let end = modifiers_end(tokens, at + 1);
        tokens.blank(at + 1, end.max(at + 1), copy);
        if let Some((open, close)) = record_body(tokens, end) {
            blank_modifiers(tokens, open, close, copy);
        }
    }
}

/// The grammar wants a simple name before the parentheses of a record pattern: `A.B(` becomes `A_B(`.
pub(super) fn qualified_record(tokens: &Tokens<'_>, copy: &mut [u8]) {
    for label in labels(tokens) {
        join_names(tokens, label.start, label.end, copy);
    }
    for at in (0..tokens.len()).filter(|&at| tokens.word(at, "instanceof")) {
        let start = modifiers_end(tokens, at + 1);
        if let Some((_, close)) = record_body(tokens, start) {
            join_names(tokens, start, close, copy);
        }
    }
}

/// Joins `a.b.c` before a parenthesis, from `from` to `to`: in a pattern nothing is called.
fn join_names(tokens: &Tokens<'_>, from: usize, to: usize, copy: &mut [u8]) {
    let mut at = from;
    while at < to {
        let start = at;
        at += 1;
        if !tokens.is_word(start) {
            continue;
        }
        while tokens.punct(at, b'.') && tokens.is_word(at + 1) {
            at += 2;
        }
        if at > start + 1
            && tokens.punct(at, b'(')
            && let (Some(first), Some(last)) = (tokens.get(start), tokens.get(at - 1))
        {
            for byte in copy[first.start..last.end]
                .iter_mut()
                .filter(|byte| !is_word(**byte))
            {
                *byte = b'_';
            }
        }
    }
}

/// Several patterns in one label bind nothing (JLS §14.11.1), so the first stands for all and the others go.
pub(super) fn several(tokens: &Tokens<'_>, copy: &mut [u8]) {
    for label in labels(tokens) {
        let Some(&comma) = label.commas.first() else {
            continue;
        };
        let start = modifiers_end(tokens, label.start);
        let Some(end) = tokens.type_end(start) else {
            continue;
        };
        // `case A _,` or `case R(_),`: constants end with their name, so a word or a parenthesis after it is a pattern.
        let is_pattern = (tokens.is_word(end) && end + 1 == comma)
            || (tokens.punct(end, b'(')
                && tokens.partner(end).is_some_and(|close| close + 1 == comma));
        if is_pattern {
            tokens.blank(comma, label.end, copy);
        }
    }
}
