//! Not a form of Java, but what everyone types: a statement that is not finished.
//!
//! `double d = Math.max(offset(` makes the grammar search for a way on through all that follows, and it may give up the
//! class. Where a line begins that stands no deeper than the statement before it, or where the block ends, an unfinished
//! statement is finished: what dangles is blanked, and closings and a semicolon go into the white space. Runs after a
//! parse with errors only, and counts only if fewer are left.

use super::braces::{Walk, free};
use super::scan::{Tok, Tokens};

/// What is open.
#[derive(Clone, Copy)]
enum Open {
    /// A block of code, with its current statement: the first token, how deep its line stands.
    Code(Option<(usize, usize)>),
    /// Another brace: of a type, of an array's elements.
    Other,
    /// `(` or `[`.
    Bracket {
        at: usize,
        /// The first token on the next line.
        next_line: Option<usize>,
    },
}

/// All that is open, and where in it the braces are: of thousands of brackets nobody wants to search a brace.
#[derive(Default)]
struct Stack {
    all: Vec<Open>,
    /// The indices of those that are braces.
    braces: Vec<usize>,
}

impl Stack {
    fn push(&mut self, open: Open) {
        if !matches!(open, Open::Bracket { .. }) {
            self.braces.push(self.all.len());
        }
        self.all.push(open);
    }

    fn truncate(&mut self, len: usize) {
        self.all.truncate(len);
        while self.braces.last().is_some_and(|&at| at >= len) {
            self.braces.pop();
        }
    }

    /// The innermost brace.
    fn frame(&self) -> Option<usize> {
        self.braces.last().copied()
    }
}

/// Finishes what is unfinished.
pub(super) fn finished(tokens: &Tokens<'_>, source: &[u8], copy: &mut [u8]) {
    let mut walk = Walk::new(source, tokens);
    let mut open = Stack::default();
    for at in 0..tokens.len() {
        let (first, _) = walk.arrive(at);
        let line = walk.line();
        if first {
            for bracket in open.all.iter_mut().rev() {
                match bracket {
                    Open::Bracket {
                        next_line: next @ None,
                        ..
                    } => *next = Some(at),
                    _ => break,
                }
            }
        }
        if let Some(frame) = open.frame()
            && let Open::Code(statement) = open.all[frame]
        {
            match statement {
                Some((start, depth)) => {
                    let ends = tokens.punct(at, b'}');
                    let brackets = open.all.len() > frame + 1;
                    if (ends || first && line <= depth) && breaks(tokens, start, at, brackets) {
                        finish(tokens, source, start, at, &open.all[frame + 1..], copy);
                        open.truncate(frame + 1);
                        open.all[frame] = Open::Code((!ends).then_some((at, line)));
                    }
                }
                None if !tokens.punct(at, b'}') => open.all[frame] = Open::Code(Some((at, line))),
                None => {}
            }
        }
        let Some(Tok::Punct(byte)) = tokens.get(at).map(|t| t.tok) else {
            continue;
        };
        match byte {
            b'(' | b'[' => open.push(Open::Bracket {
                at,
                next_line: None,
            }),
            b')' | b']' => {
                let opening = if byte == b')' { b'(' } else { b'[' };
                if let Some(Open::Bracket { at, .. }) = open.all.last()
                    && tokens.punct(*at, opening)
                {
                    open.all.pop();
                }
            }
            b'{' => {
                let code =
                    is_code(tokens, at, &open.all) || header(tokens, source, at, &mut open, copy);
                open.push(if code { Open::Code(None) } else { Open::Other });
            }
            b'}' => {
                open.truncate(open.frame().unwrap_or(0));
                if let Some(Open::Code(statement)) = open.all.last_mut() {
                    *statement = None;
                }
            }
            b';' => semicolon(tokens, source, at, &mut open, copy),
            b':' | b'>' => {
                // What follows a label is a statement of its own.
                if let Some(Open::Code(statement @ Some(_))) = open.all.last_mut()
                    && let Some((start, _)) = *statement
                {
                    let case = tokens.word(start, "case") || tokens.word(start, "default");
                    let arrow = byte == b'>' && tokens.operator(at - 1, b"->");
                    let colon =
                        byte == b':' && !tokens.punct(at - 1, b':') && !tokens.punct(at + 1, b':');
                    if case && (arrow || colon) || colon && at == start + 1 && tokens.is_word(start)
                    {
                        *statement = None;
                    }
                }
            }
            _ => {}
        }
    }
}

/// Closes the header of `if (x > {`; false if there is nothing to close, or no room.
fn header(
    tokens: &Tokens<'_>,
    source: &[u8],
    at: usize,
    open: &mut Stack,
    copy: &mut [u8],
) -> bool {
    let frame = open.frame().map_or(0, |frame| frame + 1);
    let words = [
        "if",
        "while",
        "for",
        "switch",
        "catch",
        "synchronized",
        "try",
    ];
    let Some(&Open::Bracket { at: first, .. }) = open.all.get(frame) else {
        return false;
    };
    if first == 0 || !words.iter().any(|word| tokens.word(first - 1, word)) {
        return false;
    }
    let (Some(brace), next) = (tokens.get(at), tokens.get(at + 1)) else {
        return false;
    };
    // A brace that begins an array's elements has them on its line.
    let until = next.map_or(source.len(), |next| next.start);
    let ends_line = memchr::memchr(b'\n', &source[brace.end..until]).is_some();
    if !ends_line {
        return false;
    }
    let angle = |n: usize| tokens.punct(n, b'<') || tokens.punct(n, b'>');
    let mut end = at;
    while end > first + 1 && (dangling(tokens, end - 1) || angle(end - 1)) {
        end -= 1;
    }
    let Some(kept) = tokens.get(end - 1) else {
        return false;
    };
    let closings = closings(tokens, &open.all[frame..], end);
    let Some(places) = free(source, kept.end, brace.start, closings.len()) else {
        return false;
    };
    tokens.blank(end, at, copy);
    for (place, closing) in places.into_iter().zip(closings) {
        copy[place] = closing;
    }
    open.truncate(frame);
    true
}

/// What closes the brackets of `open` that stand before token `end`.
fn closings(tokens: &Tokens<'_>, open: &[Open], end: usize) -> Vec<u8> {
    let brackets = open.iter().rev().filter_map(|o| match o {
        Open::Bracket { at, .. } if *at < end => {
            Some(if tokens.punct(*at, b'(') { b')' } else { b']' })
        }
        _ => None,
    });
    brackets.collect()
}

/// A semicolon ends the statement; inside brackets that are not those of a `for` or `try`, the statement had ended on the
/// line where the innermost was opened.
fn semicolon(tokens: &Tokens<'_>, source: &[u8], at: usize, open: &mut Stack, copy: &mut [u8]) {
    let Some(frame) = open.frame() else { return };
    let Open::Code(statement) = open.all[frame] else {
        return;
    };
    if let (
        Some(Open::Bracket {
            at: bracket,
            next_line,
        }),
        Some((start, _)),
    ) = (open.all.last().copied(), statement)
    {
        let header =
            bracket > 0 && (tokens.word(bracket - 1, "for") || tokens.word(bracket - 1, "try"));
        if header {
            return;
        }
        if let Some(next) = next_line.filter(|next| *next < at) {
            finish(tokens, source, start, next, &open.all[frame + 1..], copy);
        }
        open.truncate(frame + 1);
    }
    open.all[frame] = Open::Code(None);
}

/// True if `{` opens a block of code, given what is open around it.
fn is_code(tokens: &Tokens<'_>, at: usize, open: &[Open]) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return false;
    };
    if tokens.operator(before.saturating_sub(1), b"->") {
        return true;
    }
    // Back to where the statement or member starts.
    let starts = |n: usize| [b';', b'{', b'}'].iter().any(|&byte| tokens.punct(n, byte));
    let mut start = at;
    let mut in_brackets = 0_usize;
    let mut called = None;
    while start > 0 && at - start < super::scan::REACH {
        let previous = start - 1;
        if tokens.punct(previous, b')') || tokens.punct(previous, b']') {
            in_brackets += 1;
        } else if tokens.punct(previous, b'(') || tokens.punct(previous, b'[') {
            // Out of the brackets in which the brace stands.
            if in_brackets == 0 {
                break;
            }
            in_brackets -= 1;
            if in_brackets == 0 && called.is_none() && tokens.punct(previous, b'(') {
                called = Some(previous);
            }
        } else if in_brackets == 0 {
            if starts(previous) {
                break;
            }
            let names_a_type = ["class", "interface", "enum", "record"];
            if names_a_type.iter().any(|word| tokens.word(previous, word)) && tokens.is_word(start)
            {
                return false;
            }
        }
        start = previous;
    }
    if start == at {
        // `{` at the start of a statement; in a type, an initialiser.
        return !open.is_empty();
    }
    let keywords = ["else", "try", "do", "finally", "static"];
    if keywords.iter().any(|word| tokens.word(before, word)) {
        return true;
    }
    let Some(called) = called else {
        return false;
    };
    // `new a.B<C>(…) {` makes a class.
    let mut name = called;
    while name > start && !tokens.word(name - 1, "new") && !tokens.punct(name - 1, b'=') {
        name -= 1;
        if tokens.punct(name, b'(') || tokens.punct(name, b')') || tokens.punct(name, b',') {
            break;
        }
    }
    if name > 0 && tokens.word(name - 1, "new") {
        return false;
    }
    // A constant of an enum with arguments and a class body is taken for a constructor, which is what it is more often.
    true
}

/// True if the statement from `start` ended before `at`, a token that closes its block or begins a line no deeper.
fn breaks(tokens: &Tokens<'_>, start: usize, at: usize, brackets: bool) -> bool {
    if at <= start {
        return false;
    }
    if tokens.punct(at, b'}') {
        return true;
    }
    // The parts of a header.
    if tokens.punct(at - 1, b';') {
        return false;
    }
    // What cannot begin a statement goes on with it.
    match tokens.get(at).map(|t| t.tok) {
        Some(Tok::Punct(byte)) if byte != b'@' => return false,
        Some(Tok::Literal | Tok::Number) => return false,
        _ => {}
    }
    if ["instanceof", "throws", "extends", "implements"]
        .iter()
        .any(|word| tokens.word(at, word))
    {
        return false;
    }
    let dangles = dangling(tokens, at - 1);
    if tokens.punct(start, b'@') {
        return brackets;
    }
    let headers = [
        "if",
        "while",
        "for",
        "else",
        "switch",
        "synchronized",
        "catch",
    ];
    if headers.iter().any(|word| tokens.word(start, word)) {
        return brackets || dangles;
    }
    true
}

/// True for a token that a statement cannot end with.
fn dangling(tokens: &Tokens<'_>, at: usize) -> bool {
    match tokens.get(at).map(|t| t.tok) {
        Some(Tok::Punct(b'>')) => at > 0 && tokens.operator(at - 1, b"->"),
        Some(Tok::Punct(byte)) => b".,=+-*/%&|^?!~:@".contains(&byte),
        _ => tokens.word(at, "new"),
    }
}

/// Finishes the statement from `start` to before `at`, in which `open` is open.
fn finish(
    tokens: &Tokens<'_>,
    source: &[u8],
    start: usize,
    at: usize,
    open: &[Open],
    copy: &mut [u8],
) {
    let mut end = at;
    while end > start && dangling(tokens, end - 1) {
        let arrow = tokens.punct(end - 1, b'>');
        end -= if arrow { 2 } else { 1 };
    }
    tokens.blank(end, at, copy);
    // A literal that its line ended.
    if end > start
        && let Some(token) = tokens.get(end - 1).filter(|t| t.tok == Tok::Literal)
        && let literal = &mut copy[token.start..token.end]
        && !(literal.len() > 1 && literal.last() == literal.first())
    {
        let quote = literal[0];
        let len = literal.len();
        literal.fill(if len > 1 { b'x' } else { b'0' });
        if len > 2 || len == 2 && quote == b'"' {
            literal[0] = quote;
            literal[len - 1] = quote;
        }
    }
    let mut closings = closings(tokens, open, end);
    closings.push(b';');
    // `do` and `try` without a block, `for` without its header: nothing to be finished with a few characters.
    let hopeless = ["do", "try"].iter().any(|word| tokens.word(start, word))
        || tokens.word(start, "for") && closings.len() > 1
        || tokens.word(start, "switch");
    let (Some(from), Some(to)) = (tokens.get(start), tokens.get(at)) else {
        return;
    };
    let kept = end.checked_sub(1).and_then(|last| tokens.get(last));
    let kept = kept.map_or(from.start, |last| last.end);
    let places = match hopeless || end == start {
        true => None,
        false => free(source, kept, to.start, closings.len()),
    };
    match places {
        Some(places) => {
            for (place, closing) in places.into_iter().zip(closings) {
                copy[place] = closing;
            }
        }
        None => {
            tokens.blank(start, at, copy);
            copy[from.start] = b';';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The block of a method, indented by four, as it is parsed.
    #[track_caller]
    fn check(block: &str, expected: &str) {
        let around = |block: &str| format!("class A {{\n  void f() {{\n{block}  }}\n}}\n");
        let source = around(block);
        let mut copy = source.clone().into_bytes();
        finished(&Tokens::of(source.as_bytes()), source.as_bytes(), &mut copy);
        let copy = String::from_utf8(copy).expect("ASCII was replaced");
        assert_eq!(copy, around(expected), "of\n{block}");
    }

    #[test]
    fn brackets_are_closed_on_their_line() {
        check(
            "    int a = max(g(\n    b = 0;\n",
            "    int a = max(g());  b = 0;\n",
        );
        check("    g(a[\n\n\n", "    g(a[]);");
        // The next line is deeper, but it ends a statement.
        check(
            "    g(h(1), // one\n        a = 2;\n",
            "    g(h(1));// one\n        a = 2;\n",
        );
    }

    #[test]
    fn what_dangles_is_blanked() {
        check("    int a = b.\n    c();\n", "    int a = b;\n    c();\n");
        check("    a = b +\n    return;\n", "    a = b; \n    return;\n");
        check("    a = new\n  // x\n", "    a;     \n  // x\n");
        check("    run(() ->\n    b();\n", "    run(()); \n    b();\n");
    }

    #[test]
    fn literals_end_with_their_line() {
        check("    g(\"abc\n    b();\n", "    g(\"xx\");   b();\n");
        check("    g(\"\n    b();\n", "    g(0);   b();\n");
    }

    #[test]
    fn headers_without_an_end_are_left_out() {
        check("    for (int i\n    b();\n", "    ;         \n    b();\n");
        check("    do\n    b();\n", "    ; \n    b();\n");
        check("    if (a(\n    b();\n", "    if (a());  b();\n");
        check(
            "    if (a > {\n      b();\n    }\n",
            "    if (a)  {\n      b();\n    }\n",
        );
    }

    #[test]
    fn the_innermost_brace_is_known() {
        let bracket = |at| Open::Bracket {
            at,
            next_line: None,
        };
        let mut stack = Stack::default();
        assert_eq!(stack.frame(), None);
        for (at, open) in [
            bracket(0),
            Open::Other,
            bracket(2),
            Open::Code(None),
            bracket(4),
        ]
        .into_iter()
        .enumerate()
        {
            stack.push(open);
            let searched = stack
                .all
                .iter()
                .rposition(|o| !matches!(o, Open::Bracket { .. }));
            assert_eq!(stack.frame(), searched, "{at}");
        }
        for (len, frame) in [
            (4, Some(3)),
            (3, Some(1)),
            (2, Some(1)),
            (1, None),
            (0, None),
        ] {
            stack.truncate(len);
            assert_eq!(stack.frame(), frame, "{len}");
        }
    }

    #[test]
    fn whole_statements_stay() {
        for block in [
            "    if (a)\n    b();\n    else\n    c();\n",
            "    int a = b\n    + c;\n    d()\n    .e();\n",
            "    for (int i = 0; i < n; i++)\n    b();\n",
            "    switch (a) {\n    case 1:\n    b();\n    break;\n    default ->\n    c();\n    }\n",
            "    run(() -> {\n      b();\n    });\n",
            "    Object o = new Object() {\n      int x;\n      void g() { b(); }\n    };\n",
            "    int[] a = {\n    1,\n    2\n    };\n    {\n      b();\n    }\n",
            "    @SuppressWarnings(\"x\")\n    int a = 1;\n    here:\n    while (true) { break here; }\n",
            "    try (A a = b();\n    A c = d()) {\n    } catch (E e) {\n    } finally {\n    }\n",
            "    enum E { A(1) { int g() { return 1; } }, B; E() { } }\n    record R(int x) { R { b(); } }\n",
            "    int x = switch (a) {\n    case 1 -> 2;\n    default -> { yield 3; }\n    };\n",
        ] {
            check(block, block);
        }
    }
}
