//! Repairs that look at a few tokens.

use super::scan::{REACH, Tokens};

/// Characters that may start a Java identifier (JLS §3.8: currency symbols and connecting punctuation) but are not in
/// XID_Start, where the grammar stops.
fn beyond_xid(c: char) -> bool {
    matches!(c,
        '\u{a2}'..='\u{a5}' | '\u{58f}' | '\u{60b}' | '\u{7fe}' | '\u{7ff}' | '\u{9f2}' | '\u{9f3}' | '\u{9fb}'
        | '\u{af1}' | '\u{bf9}' | '\u{e3f}' | '\u{17db}' | '\u{203f}' | '\u{2040}' | '\u{2054}'
        | '\u{20a0}'..='\u{20cf}' | '\u{a838}' | '\u{fdfc}' | '\u{fe33}' | '\u{fe34}' | '\u{fe4d}'..='\u{fe4f}'
        | '\u{fe69}' | '\u{ff04}' | '\u{ff3f}' | '\u{ffe0}' | '\u{ffe1}' | '\u{ffe5}' | '\u{ffe6}')
}

pub(super) fn identifier_characters(tokens: &Tokens<'_>, copy: &mut [u8]) {
    for at in 0..tokens.len() {
        if !tokens.is_word(at) || tokens.text(at).is_ascii() {
            continue;
        }
        let (Some(token), Ok(text)) = (tokens.get(at), std::str::from_utf8(tokens.text(at))) else {
            continue;
        };
        for (offset, c) in text.char_indices().filter(|(_, c)| beyond_xid(*c)) {
            copy[token.start + offset..][..c.len_utf8()].fill(b'_');
        }
    }
}

/// The grammar knows fewer underscores and leading zeros than JLS §3.10.1 and §3.10.2. The value is read from the
/// original text, so other digits in their place do no harm.
pub(super) fn numbers(tokens: &Tokens<'_>, copy: &mut [u8]) {
    for at in 0..tokens.len() {
        if !tokens.is_number(at) {
            continue;
        }
        let Some(token) = tokens.get(at) else {
            continue;
        };
        let number = &mut copy[token.start..token.end];
        for byte in number.iter_mut().filter(|byte| **byte == b'_') {
            *byte = b'0';
        }
        let hex = number.len() > 1 && (number[1] | 0x20) == b'x';
        let zeros = |digits: &mut [u8]| {
            let followed = digits
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            let leading = digits.iter().take_while(|&&byte| byte == b'0').count();
            if followed > 1 {
                digits[..leading].fill(b'1');
            }
        };
        if hex {
            if let Some(exponent) = number.iter().position(|byte| byte | 0x20 == b'p') {
                let sign = usize::from(matches!(number.get(exponent + 1), Some(b'+' | b'-')));
                zeros(&mut number[exponent + 1 + sign..]);
            }
        } else if !number.contains(&b'.')
            && (number.iter().any(|byte| byte | 0x20 == b'e')
                || number
                    .last()
                    .is_some_and(|byte| matches!(byte | 0x20, b'f' | b'd')))
            && !(number.len() > 1 && number[1] | 0x20 == b'b')
        {
            zeros(number);
        }
    }
}

pub(super) fn annotated_varargs(tokens: &Tokens<'_>, copy: &mut [u8]) {
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        while let Some(end) = tokens.annotation(at) {
            at = end;
        }
        if at > start && tokens.operator(at, b"...") {
            tokens.blank(start, at, copy);
        }
        at = at.max(start + 1);
    }
}

/// `(x) = 5`: the grammar wants the target bare.
pub(super) fn parenthesized_target(tokens: &Tokens<'_>, copy: &mut [u8]) {
    const OPERATORS: [&[u8]; 11] = [
        b"+=", b"-=", b"*=", b"/=", b"&=", b"|=", b"^=", b"%=", b"<<=", b">>=", b">>>=",
    ];
    for close in 0..tokens.len() {
        let assigned = (tokens.punct(close + 1, b'=') && !tokens.operator(close + 1, b"=="))
            || OPERATORS
                .iter()
                .any(|operator| tokens.operator(close + 1, operator));
        if !tokens.punct(close, b')') || !assigned {
            continue;
        }
        let (Some(mut open), mut close) = (tokens.partner(close), close) else {
            continue;
        };
        let after_operand = open.checked_sub(1).is_some_and(|before| {
            let any = |at, words: &[&str]| words.iter().any(|word| tokens.word(at, word));
            let head = || {
                let word = tokens.partner(before).and_then(|open| open.checked_sub(1));
                word.is_some_and(|word| any(word, &["if", "while", "for"]))
            };
            (tokens.is_word(before) && !any(before, &["return", "yield", "else", "do"]))
                || (tokens.punct(before, b')') && !head())
                || [b']', b'>'].iter().any(|&byte| tokens.punct(before, byte))
        });
        // `->` ends with `>` but no operand: the body of a lambda may be an assignment.
        let after_arrow = open
            .checked_sub(2)
            .is_some_and(|before| tokens.operator(before, b"->"));
        if after_operand && !after_arrow {
            continue;
        }
        loop {
            tokens.blank(open, open + 1, copy);
            tokens.blank(close, close + 1, copy);
            if tokens.partner(open + 1) != Some(close - 1) || !tokens.punct(open + 1, b'(') {
                break;
            }
            (open, close) = (open + 1, close - 1);
        }
    }
}

/// The grammar knows no record in the body of an annotation type: it becomes a class there.
pub(super) fn record_in_annotation(tokens: &Tokens<'_>, copy: &mut [u8]) {
    for at in 0..tokens.len() {
        let head =
            tokens.punct(at, b'@') && tokens.word(at + 1, "interface") && tokens.is_word(at + 2);
        let Some(end) = head.then(|| tokens.partner(at + 3)).flatten() else {
            continue;
        };
        let mut next = at + 4;
        while next < end {
            if tokens.word(next, "record") && tokens.is_word(next + 1) {
                let parameters = tokens.type_arguments(next + 2).unwrap_or(next + 2);
                if let (Some(token), true, Some(close)) = (
                    tokens.get(next),
                    tokens.punct(parameters, b'('),
                    tokens.partner(parameters),
                ) {
                    copy[token.start..token.end].copy_from_slice(b"class ");
                    tokens.blank(parameters, close + 1, copy);
                }
            }
            // Over nested bodies and parentheses: only members of the annotation type itself count.
            next = tokens
                .partner(next)
                .filter(|&close| close > next)
                .unwrap_or(next)
                + 1;
        }
    }
}

/// `import module a.b;` is read as the import of `module.a.b`; the original text tells them apart.
pub(super) fn import_module(tokens: &Tokens<'_>, copy: &mut [u8]) {
    for at in 0..tokens.len() {
        if tokens.word(at, "import")
            && tokens.word(at + 1, "module")
            && tokens.is_word(at + 2)
            && let (Some(module), Some(name)) = (tokens.get(at + 1), tokens.get(at + 2))
        {
            copy[module.end..name.start].fill(b' ');
            copy[module.end] = b'.';
        }
    }
}

/// A constructor call that is not the first statement becomes a call of a method with a name that is no keyword; the
/// flat nodes make an explicit constructor invocation of it again, because the original name is a keyword.
pub(super) fn late_constructor_call(tokens: &Tokens<'_>, copy: &mut [u8]) {
    for at in 1..tokens.len() {
        if !(tokens.word(at, "super") || tokens.word(at, "this")) || !tokens.punct(at + 1, b'(') {
            continue;
        }
        let mut before = at - 1;
        let arguments = tokens
            .punct(before, b'>')
            .then(|| open_angle(tokens, before))
            .flatten();
        if let Some(open) = arguments {
            let Some(earlier) = open.checked_sub(1) else {
                continue;
            };
            before = earlier;
        }
        if tokens.punct(before, b'{') {
            continue;
        }
        if let Some(open) = arguments {
            tokens.blank(open, at, copy);
        }
        if let Some(token) = tokens.get(at) {
            copy[token.start + 1] = b'_';
        }
    }
}

/// The `<` of the type arguments that end with the `>` at `close`.
fn open_angle(tokens: &Tokens<'_>, close: usize) -> Option<usize> {
    let mut depth = 0usize;
    for at in (close.saturating_sub(REACH)..=close).rev() {
        if tokens.punct(at, b'>') {
            depth += 1;
        } else if tokens.punct(at, b'<') {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        } else if tokens.punct(at, b';') || tokens.punct(at, b'{') || tokens.punct(at, b'}') {
            return None;
        }
    }
    None
}
