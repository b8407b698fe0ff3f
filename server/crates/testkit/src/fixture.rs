//! The fixture's text taken apart: files, cursor, marks.

use text::Span;

/// The path of a file whose text begins without a `//- PATH` line.
const DEFAULT_PATH: &str = "Test.java";
const CURSOR: &str = "$0";

/// Some files, what their marks expect, and where the cursor stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixture {
    /// In the order of the fixture.
    pub files: Vec<FixtureFile>,
    /// The position of `$0`: an index into `files` and a byte offset in that file's text.
    pub cursor: Option<(usize, usize)>,
}

/// One file of a fixture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixtureFile {
    /// Relative to the fixture's root, with `/` and without one in front.
    pub path: String,
    /// What the file holds: marks stay (they are comments), the cursor does not.
    pub text: String,
    /// By line, then in the order in which they stand.
    pub marks: Vec<Mark>,
}

/// A result that is expected at, or was found at, a range of one line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// 0-based.
    pub line: u32,
    /// First column, 0-based, in UTF-16 code units; a tab is one.
    pub col_start: u32,
    /// One past the last column.
    pub col_end: u32,
    /// The words behind the carets, trimmed.
    pub text: String,
}

impl Fixture {
    /// Takes a fixture apart.
    ///
    /// - `//- /path` at the start of a line begins a file. Lines before the first such line belong to `Test.java`,
    ///   unless they are blank.
    /// - `$0` is taken out of the text before the marks are read, so carets line up with the text without it. The first
    ///   `$0` counts; a fixture has one.
    /// - `// ^^^^ words` marks the nearest line above that is no mark itself; several marks may follow one line.
    ///   Carets cannot stand below the two slashes, so `//<^^^ words` marks from the column of the slashes on.
    ///
    /// # Panics
    /// If a mark has no line above it or reaches past the end of that line, or if there are two cursors: the fixture is
    /// wrong then, not the code under test.
    #[track_caller]
    pub fn parse(fixture: &str) -> Fixture {
        let mut files: Vec<(String, String)> = Vec::new();
        for line in fixture.split_inclusive('\n') {
            if let Some(path) = line.strip_prefix("//- ") {
                files.push((
                    path.trim().trim_start_matches('/').to_owned(),
                    String::new(),
                ));
            } else if let Some((_, text)) = files.last_mut() {
                text.push_str(line);
            } else if !line.trim().is_empty() {
                files.push((DEFAULT_PATH.to_owned(), line.to_owned()));
            }
        }

        let mut parsed = Fixture::default();
        for (path, mut text) in files {
            if let Some(offset) = text.find(CURSOR) {
                text.replace_range(offset..offset + CURSOR.len(), "");
                assert!(
                    parsed.cursor.is_none() && !text.contains(CURSOR),
                    "the fixture has two cursors; the second is in {path}"
                );
                parsed.cursor = Some((parsed.files.len(), offset));
            }
            let marks = marks_of(&path, &text);
            parsed.files.push(FixtureFile { path, text, marks });
        }
        parsed
    }

    /// The index in `files` of the file at `path`, with or without `/` in front.
    pub fn file(&self, path: &str) -> Option<usize> {
        let path = path.trim_start_matches('/');
        self.files.iter().position(|file| file.path == path)
    }
}

impl FixtureFile {
    /// A result at a span of this file's bytes, in the form of a mark. Of a span over several lines only what lies in the
    /// first counts, since that is all that carets can mark. Linear in the length of the text.
    pub fn mark(&self, span: Span, text: impl Into<String>) -> Mark {
        let start = floor_boundary(&self.text, span.start as usize);
        let end = floor_boundary(&self.text, span.end as usize).max(start);
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let first_line = self.text[start..end].split('\n').next().unwrap_or_default();
        let col_start = utf16_len(&self.text[line_start..start]);
        Mark {
            line: before.matches('\n').count() as u32,
            col_start,
            col_end: col_start + utf16_len(first_line.trim_end_matches('\r')),
            text: text.into(),
        }
    }
}

/// The marks of one file.
#[track_caller]
fn marks_of(path: &str, text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut code: Option<(usize, &str)> = None;
    for (number, line) in text.lines().enumerate() {
        let Some(carets) = Carets::read(line) else {
            code = Some((number, line));
            continue;
        };
        let place = format!("{path}:{}", number + 1);
        let Some((above, code)) = code else {
            panic!("{place}: the mark has no line above it");
        };
        let length = code.chars().count();
        assert!(
            carets.end <= length,
            "{place}: the mark ends at column {}, its line at {length}\n{code}\n{line}",
            carets.end
        );
        let column = |characters: usize| {
            code.chars()
                .take(characters)
                .map(|c| c.len_utf16() as u32)
                .sum::<u32>()
        };
        marks.push(Mark {
            line: above as u32,
            col_start: column(carets.start),
            col_end: column(carets.end),
            text: carets.words.to_owned(),
        });
    }
    marks
}

/// A mark's line, before it is related to the line above. Columns here count characters, as the eye does.
struct Carets<'a> {
    start: usize,
    end: usize,
    words: &'a str,
}

impl<'a> Carets<'a> {
    fn read(line: &'a str) -> Option<Carets<'a>> {
        let indent = line.len() - line.trim_start().len();
        let slashes = line[..indent].chars().count();
        let comment = line[indent..].strip_prefix("//")?;
        let (from_slashes, carets) = match comment.strip_prefix('<') {
            Some(rest) => (true, rest),
            None => (false, comment.trim_start()),
        };
        let words = carets.trim_start_matches('^');
        let count = carets.len() - words.len();
        if count == 0 {
            return None;
        }
        let first = line[..line.len() - carets.len()].chars().count();
        Some(Carets {
            start: if from_slashes { slashes } else { first },
            end: first + count,
            words: words.trim(),
        })
    }
}

fn utf16_len(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
}

/// The largest character boundary that is not past `offset`.
fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(line: u32, col_start: u32, col_end: u32, text: &str) -> Mark {
        Mark {
            line,
            col_start,
            col_end,
            text: text.to_owned(),
        }
    }

    #[test]
    fn files_start_at_their_headers() {
        let fixture = Fixture::parse("\n//- /a/A.java\nclass A {}\n\n//- b/B.java\nclass B {}\n");
        let files: Vec<_> = fixture
            .files
            .iter()
            .map(|file| (file.path.as_str(), file.text.as_str()))
            .collect();
        assert_eq!(
            files,
            [("a/A.java", "class A {}\n\n"), ("b/B.java", "class B {}\n")]
        );
        assert_eq!(fixture.file("/b/B.java"), Some(1));
        assert_eq!(fixture.file("C.java"), None);
    }

    #[test]
    fn text_without_a_header_is_one_file() {
        let fixture = Fixture::parse("class A {}");
        assert_eq!(fixture.files.len(), 1);
        assert_eq!(fixture.files[0].path, DEFAULT_PATH);
        assert_eq!(fixture.files[0].text, "class A {}");
    }

    #[test]
    fn the_cursor_is_taken_out() {
        let fixture =
            Fixture::parse("//- A.java\nclass A {}\n//- B.java\nint x$0 = 1;\n//  ^ here\n");
        assert_eq!(fixture.cursor, Some((1, 5)));
        assert_eq!(fixture.files[1].text, "int x = 1;\n//  ^ here\n");
        assert_eq!(fixture.files[1].marks, [mark(0, 4, 5, "here")]);
    }

    #[test]
    #[should_panic(expected = "two cursors")]
    fn two_cursors_are_an_error() {
        Fixture::parse("a$0b\nc$0d");
    }

    #[test]
    fn marks_belong_to_the_code_above() {
        let fixture = Fixture::parse(concat!(
            "  int pos = 0, neg = 0;\n",
            "  //  ^^^ first\n",
            "  //           ^^^ second  \n",
            "  // an ordinary comment ^^\n",
            "  //<^^ the whole comment's start\n",
        ));
        assert_eq!(
            fixture.files[0].marks,
            [
                mark(0, 6, 9, "first"),
                mark(0, 15, 18, "second"),
                mark(3, 2, 7, "the whole comment's start"),
            ]
        );
        assert!(fixture.files[0].text.contains("// an ordinary comment"));
        assert!(
            fixture.files[0].text.contains("second"),
            "marks stay in the text"
        );
    }

    #[test]
    fn columns_are_utf16_units() {
        let fixture = Fixture::parse("s(\"😀é\", x);\n//     ^ x\n");
        assert_eq!(fixture.files[0].marks, [mark(0, 8, 9, "x")]);
    }

    #[test]
    #[should_panic(expected = "no line above")]
    fn a_mark_needs_a_line() {
        Fixture::parse("//- A.java\n// ^ lost\n");
    }

    #[test]
    #[should_panic(expected = "ends at column 7, its line at 4")]
    fn a_mark_stays_within_its_line() {
        Fixture::parse("abcd\n//  ^^^ too long\n");
    }

    #[test]
    fn spans_become_marks() {
        let fixture = Fixture::parse("a\n\t\"😀\"+b;\r\nc\n");
        let file = &fixture.files[0];
        let b = file.text.find('b').expect("b") as u32;
        assert_eq!(file.mark(Span::new(b, b + 1), "b"), mark(1, 6, 7, "b"));
        let to_the_end = Span::new(b, file.text.len() as u32);
        assert_eq!(
            file.mark(to_the_end, "rest"),
            mark(1, 6, 8, "rest"),
            "cut at the end of its first line"
        );
        assert_eq!(
            file.mark(Span::new(900, 7), "past the end").line,
            3,
            "an impossible span does not panic"
        );
    }
}
