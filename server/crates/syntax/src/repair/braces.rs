//! Not a form of Java, but what everyone types: a block whose brace is not closed yet, or whose opening is gone.
//!
//! To the grammar, an open brace swallows the rest of the file: methods become statements with errors, and all that rests
//! on them changes with each character until the brace is closed. Where braces do not balance, indentation says which
//! one has no partner: a line that stands no deeper than the block's own statement is outside of it. The closing goes
//! into the white space before that line; a closing that stands deeper than what it would close is blanked. Nothing is
//! done if indentation names braces of both kinds, so text that is not indented stays as it is.

use super::scan::Tokens;

/// How wide a tab is taken to be.
const TAB: usize = 4;

/// An open brace.
struct Open {
    /// Indentation of the line that it stands on.
    own: usize,
    /// Indentation of the line on which its statement or member starts.
    statement: usize,
}

impl Open {
    fn least(&self) -> usize {
        self.own.min(self.statement)
    }
}

/// The copy with balanced braces; `None` if they balance, or if indentation does not tell. Those that only the end of
/// the file would close stay open.
pub(super) fn balanced(source: &[u8]) -> Option<Vec<u8>> {
    let count = |byte| memchr::memchr_iter(byte, source).count();
    if count(b'{') == count(b'}') {
        return None;
    }
    let tokens = Tokens::of(source);
    let braces = |byte| {
        (0..tokens.len())
            .filter(|&at| tokens.punct(at, byte))
            .count()
    };
    let (opens, closes) = (braces(b'{'), braces(b'}'));
    if opens == closes {
        return None;
    }
    let mut copy = source.to_vec();
    let repaired = if opens > closes {
        close(source, &tokens, &mut copy)
    } else {
        blank(source, &tokens, &mut copy)
    };
    (repaired.is_some() && copy != source).then_some(copy)
}

/// Looks at every token in order: on which line it stands and how deep.
pub(super) struct Walk<'a> {
    source: &'a [u8],
    tokens: &'a Tokens<'a>,
    open: Vec<Open>,
    /// Indentation of the line that the current token stands on.
    line: usize,
    /// The same for the first token of the current statement.
    statement: usize,
    /// Where the line begins that was looked at last.
    seen: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(source: &'a [u8], tokens: &'a Tokens<'a>) -> Walk<'a> {
        Walk {
            source,
            tokens,
            open: Vec::new(),
            line: 0,
            statement: 0,
            seen: 0,
        }
    }

    /// Goes on to a token: whether it is the first on its line, and whether it starts a statement.
    pub(super) fn arrive(&mut self, at: usize) -> (bool, bool) {
        let start = self.tokens.get(at).map_or(0, |t| t.start);
        let before = &self.source[self.seen..start];
        let first = at == 0 || memchr::memchr2(b'\n', b'\r', before).is_some();
        if first {
            let line =
                memchr::memrchr2(b'\n', b'\r', before).map_or(self.seen, |n| self.seen + n + 1);
            self.line = indentation(&self.source[line..start]);
        }
        self.seen = start;
        let starts = at == 0
            || [b';', b'{', b'}']
                .iter()
                .any(|&byte| self.tokens.punct(at - 1, byte));
        if starts {
            self.statement = self.line;
        }
        (first, starts)
    }

    /// Indentation of the line that the current token stands on.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    fn push(&mut self) {
        self.open.push(Open {
            own: self.line,
            statement: self.statement,
        });
    }
}

/// How far a line is indented, given what stands before its first token.
fn indentation(line: &[u8]) -> usize {
    line.iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .fold(0, |column, byte| match byte {
            b'\t' => (column / TAB + 1) * TAB,
            _ => column + 1,
        })
}

/// Closes what is open where a line says that it ended.
fn close(source: &[u8], tokens: &Tokens<'_>, copy: &mut [u8]) -> Option<()> {
    let mut walk = Walk::new(source, tokens);
    for at in 0..tokens.len() {
        let (first, starts) = walk.arrive(at);
        let closing = tokens.punct(at, b'}');
        // A label of a `switch` may stand as deep as the `switch`; an opening brace, as deep as its statement.
        let label = tokens.word(at, "case") || tokens.word(at, "default");
        if first && starts && !label && !tokens.punct(at, b'{') {
            let line = walk.line;
            let ended = |open: &Open| match closing {
                true => open.least() > line,
                false => open.least() >= line,
            };
            let mut missing = 0;
            while walk.open.last().is_some_and(ended) {
                walk.open.pop();
                missing += 1;
            }
            insert(source, tokens, at, missing, copy)?;
        }
        if tokens.punct(at, b'{') {
            walk.push();
        } else if closing {
            // One too many here, so that others are missing elsewhere: indentation is of no help.
            walk.open.pop()?;
        }
    }
    Some(())
}

/// Writes closing braces into the white space before a token, before its comments if there is room.
fn insert(
    source: &[u8],
    tokens: &Tokens<'_>,
    at: usize,
    count: usize,
    copy: &mut [u8],
) -> Option<()> {
    if count == 0 {
        return Some(());
    }
    let start = tokens.get(at.checked_sub(1)?)?.end;
    let end = tokens.get(at)?.start;
    for place in free(source, start, end, count)? {
        copy[place] = b'}';
    }
    Some(())
}

/// The first `count` bytes between two neighbouring tokens that are in no comment and end none; `None` if there are
/// fewer.
pub(super) fn free(source: &[u8], start: usize, end: usize, count: usize) -> Option<Vec<usize>> {
    let mut free = Vec::new();
    let mut next = start;
    while next < end && free.len() < count {
        let rest = &source[next..end];
        if rest.starts_with(b"//") {
            // With the line feed, which ends the comment.
            next += memchr::memchr(b'\n', rest).unwrap_or(rest.len()) + 1;
        } else if rest.starts_with(b"/*") {
            next += memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |n| n + 4);
        } else {
            free.push(next);
            next += 1;
        }
    }
    (free.len() == count).then_some(free)
}

/// Blanks closings that stand deeper than anything that they could close.
fn blank(source: &[u8], tokens: &Tokens<'_>, copy: &mut [u8]) -> Option<()> {
    let mut walk = Walk::new(source, tokens);
    for at in 0..tokens.len() {
        let (first, _) = walk.arrive(at);
        if tokens.punct(at, b'{') {
            walk.push();
        } else if tokens.punct(at, b'}') {
            let line = walk.line;
            let deeper = |open: &Open| open.own.max(open.statement) < line;
            if first && walk.open.last().is_none_or(deeper) {
                tokens.blank(at, at + 1, copy);
            } else {
                walk.open.pop()?;
            }
        }
    }
    walk.open.is_empty().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: Option<&str>) {
        let copy = balanced(source.as_bytes());
        let copy = copy.map(|copy| String::from_utf8(copy).expect("ASCII was replaced"));
        assert_eq!(copy.as_deref(), expected, "of\n{source}");
        if let Some(copy) = copy {
            assert_eq!(copy.len(), source.len());
        }
    }

    #[test]
    fn an_open_block_ends_where_a_line_stands_no_deeper() {
        check(
            "class A {\n  void f() {\n    if (x) {\n      g();\n    h();\n  }\n  void g() { }\n}\n",
            Some(
                "class A {\n  void f() {\n    if (x) {\n      g();}    h();\n  }\n  void g() { }\n}\n",
            ),
        );
        check(
            "class A {\n  void f() {\n    if (x) {\n      g();\n  }\n  void g() { }\n}\n",
            Some("class A {\n  void f() {\n    if (x) {\n      g();}  }\n  void g() { }\n}\n"),
        );
        check(
            "class A {\n  void f() {\n    g();\n\n  /** { */\n  @Test void g() { }\n}\n",
            Some("class A {\n  void f() {\n    g();}\n  /** { */\n  @Test void g() { }\n}\n"),
        );
    }

    #[test]
    fn several_end_at_once_behind_comments_and_with_any_line_end() {
        check(
            "class A {\r\n\tvoid f() {\r\n\t\tif (x) { // no {\r\n\t\t\tg();// here\r\n\tvoid g() { }\r\n}\r\n",
            None,
        );
        check(
            "class A {\r\n\tvoid f() {\r\n\t\tif (x) { // no {\r\n\t\t\tg(); // here\r\n\r\n\tvoid g() { }\r\n}\r\n",
            Some(
                "class A {\r\n\tvoid f() {\r\n\t\tif (x) { // no {\r\n\t\t\tg();}// here\r\n}\n\tvoid g() { }\r\n}\r\n",
            ),
        );
    }

    #[test]
    fn what_the_end_of_the_file_closes_stays_open() {
        check("class A {\n  void f() {\n    g();\n", None);
        check(
            "class A {\n  void f() {\n    String s = \"}\";\n  }\n}\n",
            None,
        );
    }

    #[test]
    fn a_closing_too_many_is_the_one_that_stands_too_deep() {
        check(
            "class A {\n  void f() {\n    g();\n    }\n  }\n  void g() { }\n}\n",
            Some("class A {\n  void f() {\n    g();\n     \n  }\n  void g() { }\n}\n"),
        );
        check("class A { } }\n", None);
    }

    #[test]
    fn other_styles_are_left_alone_or_understood() {
        // The brace below its statement, the block as deep as the brace.
        check(
            "class A\n{\n  void f()\n  {\n    if (x)\n    {\n      g();\n  }\n}\n",
            Some("class A\n{\n  void f()\n  {\n    if (x)\n    {\n      g();}  }\n}\n"),
        );
        // Nothing is indented.
        check(
            "class A {\nvoid f() {\nif (x) {\ng();\n}\nvoid g() { }\n}\n",
            None,
        );
        // Labels as deep as the switch; a lambda that ends where its line began.
        check(
            "class A {\n  void f() {\n    switch (x) {\n    case 1: g();\n    default: h(() -> {\n      i();\n    });\n    }\n    if (x) {\n  }\n}\n",
            Some(
                "class A {\n  void f() {\n    switch (x) {\n    case 1: g();\n    default: h(() -> {\n      i();\n    });\n    }\n    if (x) {}  }\n}\n",
            ),
        );
    }
}
