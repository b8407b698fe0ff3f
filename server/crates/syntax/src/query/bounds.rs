//! What a query may be before tree-sitter compiles it.
//!
//! Its parser calls itself for each bracket and each field, so that some thousands of them end the process; and it
//! counts its steps in 16 bits. Running a query is worse: the library enters every way to go on from a node into a list
//! before it looks at the next node, and asks nobody in between. What is repeated and may be empty goes on without end
//! (`((_)?)+`), repetitions within each other double the list for each (`((a) ((b) (c)*)*)*`), and what a repetition
//! captures is compared anew at each node. So a repetition of a workspace's query holds nothing of this, and there are not
//! too many choices; then each step costs a bounded time, and steps are counted where the query runs.
//!
//! A query that comes with a project is somebody else's: it is looked at first.

/// How deep brackets and fields may be nested; the built-in queries go to 9.
const DEEPEST: usize = 64;

/// How many bytes a query may have: each makes less than two steps, and there may be 65,534.
const LONGEST: usize = 32_000;

/// How many patterns a query may have, since each may begin at every node; the built-in queries have up to 19.
const MOST_PATTERNS: usize = 128;

/// How many `?`, `*`, `+` and alternatives in `[ ]` a pattern may have: a step takes time by the cube of them, which is a
/// microsecond for sixteen.
const MOST_CHOICES: usize = 16;

/// The same for all patterns together: what has begun is moved about in one list.
const MOST_CHOICES_IN_ALL: usize = 64;

/// How many texts the predicates of a query may name: a name is compared with all of `#any-of?`.
const MOST_TEXTS: usize = 1_000;

/// The sum of all numbers in braces of a query's texts: as an expression, `\w{400}` takes the 10 MB that each of them may.
const MOST_COUNTED: usize = 256;

/// A bracket that is open.
#[derive(Clone, Copy)]
struct Open {
    /// How deep it lies, with the fields that wait for it.
    depth: usize,
    kind: Bracket,
    /// Something in it is captured, optional or repeated.
    holds: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Bracket {
    /// `(`, of a node or of siblings.
    Round,
    /// `[`, each of whose parts is a choice.
    Square,
    /// `(#`: what it has are arguments.
    Predicate,
}

/// The pattern that ended last, to which a quantifier or capture behind it belongs.
#[derive(Clone, Copy, Default)]
struct Ended {
    /// Something in it, or it itself, is captured, optional or repeated.
    holds: bool,
    is_repeated: bool,
}

/// Reads a query from its start to its end.
struct Reader<'q> {
    bytes: &'q [u8],
    open: Vec<Open>,
    /// How many fields wait for their pattern inside the innermost bracket.
    fields: usize,
    ended: Option<Ended>,
    /// A round bracket was the last that was read, so that a name is that of its node.
    just_opened: bool,
    patterns: usize,
    /// Of the pattern at hand.
    choices: usize,
    choices_in_all: usize,
    texts: usize,
    counted: usize,
}

type Wrong = (usize, String);

/// Whether the query `text` has choices; or what is wrong with it, and at which byte.
pub(super) fn check(text: &str) -> Result<bool, Wrong> {
    if text.len() > LONGEST {
        let message = format!(
            "{} bytes are too many, at most {LONGEST} are read",
            text.len()
        );
        return Err((0, message));
    }
    let mut reader = Reader {
        bytes: text.as_bytes(),
        open: Vec::new(),
        fields: 0,
        ended: None,
        just_opened: false,
        patterns: 0,
        choices: 0,
        choices_in_all: 0,
        texts: 0,
        counted: 0,
    };
    let mut at = 0;
    while at < text.len() {
        at = reader.next(at)?;
    }
    Ok(reader.choices_in_all > 0)
}

impl Reader<'_> {
    /// Takes what begins at `at`, and says where it ends.
    fn next(&mut self, at: usize) -> Result<usize, Wrong> {
        let byte = self.bytes[at];
        if byte == b';' {
            return Ok(at + self.while_at(at, |b| b != b'\n'));
        }
        if byte.is_ascii_whitespace() {
            return Ok(at + 1);
        }
        let just_opened = std::mem::replace(&mut self.just_opened, byte == b'(');
        let mut end = at + 1;
        match byte {
            b'"' => return self.string(at),
            b'(' | b'[' => self.open(at)?,
            b')' | b']' => self.close(),
            b':' => self.fields += 1,
            b'#' | b'.' if just_opened => {
                if let Some(open) = self.open.last_mut() {
                    open.kind = Bracket::Predicate;
                }
            }
            b'@' => {
                self.suffix(at, false)?;
                end += self.while_at(end, is_word);
            }
            b'?' | b'*' | b'+' if !self.is_predicate() => {
                self.choice(at)?;
                self.suffix(at, byte != b'?')?;
            }
            // The wildcard, which ends where a name would go on.
            b'_' if !just_opened && !self.is_predicate() => {
                self.pattern(at)?;
                self.fields = 0;
                self.ended = Some(Ended::default());
            }
            _ if is_word(byte) => end += self.while_at(end, is_word),
            _ => {}
        }
        self.deep_enough(at)?;
        Ok(end)
    }

    fn while_at(&self, at: usize, is: impl Fn(u8) -> bool) -> usize {
        self.bytes[at..].iter().take_while(|&&b| is(b)).count()
    }

    fn is_predicate(&self) -> bool {
        let kind = self.open.last().map(|open| open.kind);
        kind == Some(Bracket::Predicate)
    }

    fn deep_enough(&self, at: usize) -> Result<(), Wrong> {
        let depth = self.open.last().map_or(0, |open| open.depth) + self.fields;
        match depth > DEEPEST {
            true => Err((at, format!("nested deeper than {DEEPEST}"))),
            false => Ok(()),
        }
    }

    fn open(&mut self, at: usize) -> Result<(), Wrong> {
        self.pattern(at)?;
        let depth = self.open.last().map_or(0, |open| open.depth) + self.fields + 1;
        self.fields = 0;
        self.open.push(Open {
            depth,
            kind: match self.bytes[at] {
                b'[' => Bracket::Square,
                _ => Bracket::Round,
            },
            holds: false,
        });
        self.ended = None;
        Ok(())
    }

    fn close(&mut self) {
        self.fields = 0;
        let Some(closed) = self.open.pop() else {
            return;
        };
        if closed.kind == Bracket::Predicate {
            return;
        }
        if let Some(around) = self.open.last_mut() {
            around.holds |= closed.holds;
        }
        self.ended = Some(Ended {
            holds: closed.holds,
            is_repeated: false,
        });
    }

    /// A pattern begins.
    fn pattern(&mut self, at: usize) -> Result<(), Wrong> {
        match self.open.last().map(|open| open.kind) {
            Some(Bracket::Square) => self.choice(at)?,
            Some(_) => {}
            None => {
                self.patterns += 1;
                self.choices = 0;
                if self.patterns > MOST_PATTERNS {
                    return Err((at, format!("more than {MOST_PATTERNS} patterns")));
                }
            }
        }
        Ok(())
    }

    fn choice(&mut self, at: usize) -> Result<(), Wrong> {
        self.choices += 1;
        self.choices_in_all += 1;
        let (most, of) = match self.choices > MOST_CHOICES {
            true => (MOST_CHOICES, "one pattern"),
            false if self.choices_in_all > MOST_CHOICES_IN_ALL => {
                (MOST_CHOICES_IN_ALL, "all patterns")
            }
            false => return Ok(()),
        };
        Err((
            at,
            format!("more than {most} choices (?, *, + and parts of [ ]) in {of}"),
        ))
    }

    /// A capture or quantifier behind a pattern.
    fn suffix(&mut self, at: usize, repeats: bool) -> Result<(), Wrong> {
        if self.is_predicate() {
            return Ok(());
        }
        if let Some(open) = self.open.last_mut() {
            open.holds = true;
        }
        let Some(ended) = &mut self.ended else {
            // An error of the grammar's, which says more.
            return Ok(());
        };
        if ended.is_repeated || (repeats && ended.holds) {
            let message = "what is repeated may not be captured, nor hold a capture, ?, * or +";
            return Err((at, message.to_owned()));
        }
        ended.holds = true;
        ended.is_repeated |= repeats;
        Ok(())
    }

    /// A string, which is a pattern, or an argument of a predicate: perhaps an expression.
    fn string(&mut self, at: usize) -> Result<usize, Wrong> {
        let end = behind_string(self.bytes, at);
        if !self.is_predicate() {
            self.pattern(at)?;
            self.fields = 0;
            self.ended = Some(Ended::default());
        }
        self.texts += 1;
        if self.texts > MOST_TEXTS {
            return Err((at, format!("more than {MOST_TEXTS} texts")));
        }
        // A backslash takes itself away.
        let text: String = self.bytes[at..end]
            .iter()
            .filter(|b| **b != b'\\')
            .map(|b| char::from(*b))
            .collect();
        let counted = text.split('{').skip(1).flat_map(|rest| {
            let counts = rest.split('}').next().unwrap_or("");
            counts.split(|c: char| !c.is_ascii_digit())
        });
        for count in counted.filter(|count| !count.is_empty()) {
            let count = count.parse().unwrap_or(MOST_COUNTED + 1);
            self.counted = self.counted.saturating_add(count);
        }
        match self.counted > MOST_COUNTED {
            true => Err((
                at,
                format!("counts in braces add up to more than {MOST_COUNTED}"),
            )),
            false => Ok(end),
        }
    }
}

/// Where the string that starts at `at` has ended: strings end on their line, or are an error there.
fn behind_string(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\n' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, LONGEST, MOST_CHOICES, MOST_PATTERNS, MOST_TEXTS, check};

    #[test]
    fn nesting_has_a_bound() {
        let nested = |n: usize| format!("{}_{}", "(".repeat(n), ")".repeat(n));
        assert_eq!(check(&nested(DEEPEST)), Ok(false));
        let (at, message) = check(&nested(DEEPEST + 1)).expect_err("too deep");
        assert_eq!((at, message.as_str()), (DEEPEST, "nested deeper than 64"));
        assert!(check(&"[".repeat(1_000)).is_err());
        assert!(check(&"name: ".repeat(1_000)).is_err());
        assert!(check(&"([name: ".repeat(30)).is_err());
    }

    #[test]
    fn what_only_looks_nested_is_not() {
        for text in [
            "(a (b) (c (d))) ".repeat(MOST_PATTERNS),
            format!(
                "(x {})",
                "(a name: _ value: \"(((\" type: (b)) ".repeat(500)
            ),
            format!("(a x: _ y: \"\" {})", "z: _ ".repeat(200)),
            format!("; {}\n(a)", "(".repeat(1_000)),
            format!("(a (#match? @x \"\\\"{}\"))", "(".repeat(1_000)),
            "\"(\n".repeat(100),
        ] {
            assert_eq!(check(&text), Ok(false), "{text}");
        }
    }

    fn wrong(text: &str) -> Option<usize> {
        check(text).err().map(|(at, _)| at)
    }

    #[test]
    fn what_is_repeated_is_plain() {
        for (text, at) in [
            ("(block [(_) @a (_)? @a]+)", 23),
            ("(block ((_)?)+)", 13),
            ("(block ((_)*)*)", 13),
            ("(block ([[(_)?]])+)", 17),
            ("(block (_ (_)?)*)", 15),
            ("(block ((a) ((b) (c)*)*)*)", 22),
            ("(block (_)*+)", 11),
            ("(block (_)?+)", 11),
            ("(block (_)+?)", 11),
            ("(block (_)+ @a)", 12),
            ("(block (_) @a +)", 14),
            ("(block (a (b) @x)+)", 17),
            ("(block _? ; why\n +)", 17),
            ("(block __?+)", 10),
            ("(block \"}\"*+)", 11),
            ("(block (;\n_ (_)?)*)", 17),
            ("(a name: (b)? +)", 14),
            // An argument hides nothing behind its predicate.
            ("((a)? (#eq? @a \"x\"))*", 20),
            ("((a)? (.eq? @a \"x\"))*", 20),
        ] {
            assert_eq!(wrong(text), Some(at), "{text}");
        }
        for text in [
            "(block (_)* (_)+ @a)".replace(" @a", ""),
            "(a (b)? @b (c)* [(d) (e)]+ . (f) @f) @a".to_owned(),
            "((a) @a . (b)? (#match? @a \"^(a+)*$\") (#is? a b*))".to_owned(),
            "(a (b) @x.y? (c)* !name)".to_owned(),
        ] {
            assert_eq!(wrong(&text), None, "{text}");
        }
    }

    #[test]
    fn choices_have_a_bound() {
        let optional = |n: usize| format!("(a {})", "(b)? ".repeat(n));
        let either = |n: usize| format!("(a [{}])", "name: (b) ".repeat(n));
        for pattern in [optional, either] {
            assert_eq!(wrong(&pattern(MOST_CHOICES)), None);
            assert!(wrong(&pattern(MOST_CHOICES + 1)).is_some());
            // Each pattern has its own, up to a number.
            assert_eq!(wrong(&pattern(MOST_CHOICES).repeat(4)), None);
            assert!(wrong(&pattern(MOST_CHOICES).repeat(5)).is_some());
        }
        assert_eq!(wrong(&"(a) ".repeat(MOST_PATTERNS)), None);
        assert!(wrong(&"(a) ".repeat(MOST_PATTERNS + 1)).is_some());
    }

    #[test]
    fn texts_have_a_bound() {
        let any = |n: usize| format!("((a) @a (#any-of? @a {}))", "\"x\" ".repeat(n));
        assert_eq!(wrong(&any(MOST_TEXTS)), None);
        assert!(wrong(&any(MOST_TEXTS + 1)).is_some());
        let matches = |text: &str| wrong(&format!("((a) @a (#match? @a \"{text}\"))"));
        assert_eq!(matches("^[a-z]{1,100}x{100}$"), None);
        for text in [
            "a{257}",
            "a{2,}b{255}",
            "(?x)a{ 300 }",
            "a\\{3\\0\\0}",
            "a{99999999999999999999999}",
        ] {
            assert!(matches(text).is_some(), "{text}");
        }
        assert!(wrong(&"((a) @a (#match? @a \"a{99}\")) ".repeat(3)).is_some());
    }

    #[test]
    fn length_has_a_bound() {
        assert_eq!(check(&" ".repeat(LONGEST)), Ok(false));
        assert!(check(&" ".repeat(LONGEST + 1)).is_err());
    }
}
