//! Where a source root lies when no build file tells: a file's folder minus its package.

use std::path::Path;

use crate::regular;

/// How much of a file is read to find its package; licence heads are shorter.
const HEAD: u64 = 32 * 1024;

/// The segments of the package that the Java file at `path` declares, empty for the unnamed one;
/// `None` if it cannot be read.
pub(crate) fn package_of(path: &Path) -> Option<Vec<String>> {
    let head = regular::head(path, HEAD).ok()?;
    Some(package_in(&head))
}

/// The segments of the package declaration that `source` starts with.
///
/// Comments and annotations may precede it. Bytes that are not UTF-8 can only stand in comments or
/// make the name useless.
fn package_in(source: &[u8]) -> Vec<String> {
    let mut rest = Scanner {
        bytes: source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source),
        at: 0,
    };
    loop {
        rest.skip_blanks();
        match rest.word() {
            Some("package") => break,
            Some(_) => return Vec::new(),
            None if rest.eat(b'@') => rest.skip_annotation(),
            // An empty statement before the package is an error in Java, but harmless here.
            None if rest.eat(b';') => {}
            None => return Vec::new(),
        }
    }
    let mut segments = Vec::new();
    loop {
        rest.skip_blanks();
        match rest.word() {
            Some(segment) => segments.push(segment.to_owned()),
            None => return Vec::new(),
        }
        rest.skip_blanks();
        if !rest.eat(b'.') {
            return segments;
        }
    }
}

struct Scanner<'s> {
    bytes: &'s [u8],
    at: usize,
}

impl<'s> Scanner<'s> {
    fn rest(&self) -> &'s [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let hit = self.rest().first() == Some(&byte);
        self.at += usize::from(hit);
        hit
    }

    /// Skips to just behind `end`, or to the end of the text.
    fn skip_past(&mut self, end: &[u8]) {
        let found = self
            .rest()
            .windows(end.len())
            .position(|window| window == end);
        self.at = found.map_or(self.bytes.len(), |offset| self.at + offset + end.len());
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            if rest.starts_with(b"//") {
                self.skip_past(b"\n");
            } else if rest.starts_with(b"/*") {
                self.at += 2;
                self.skip_past(b"*/");
            } else if rest.first().is_some_and(u8::is_ascii_whitespace) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn word(&mut self) -> Option<&'s str> {
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$' || *b >= 0x80;
        let rest = self.rest();
        let len = rest.iter().take_while(|b| is_part(b)).count();
        self.at += len;
        std::str::from_utf8(&rest[..len])
            .ok()
            .filter(|word| !word.is_empty())
    }

    /// Skips `a.b.Name` and `(…)` behind an `@`.
    fn skip_annotation(&mut self) {
        loop {
            self.skip_blanks();
            self.word();
            self.skip_blanks();
            if !self.eat(b'.') {
                break;
            }
        }
        if !self.eat(b'(') {
            return;
        }
        let mut depth = 1_usize;
        while depth > 0 {
            self.skip_blanks();
            let Some(&byte) = self.rest().first() else {
                return;
            };
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'"' | b'\'' => self.skip_literal(byte),
                _ => {}
            }
        }
    }

    fn skip_literal(&mut self, quote: u8) {
        while let Some(&byte) = self.rest().first() {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'\n' => return,
                _ if byte == quote => return,
                _ => {}
            }
        }
    }
}

/// The source root of a file in `folder` whose package is `package`: `folder` without the trailing
/// segments that agree with the package. A folder that contradicts it is a root itself.
pub(crate) fn root_of<'f>(folder: &'f str, package: &[String]) -> &'f str {
    let mut root = folder;
    for segment in package.iter().rev() {
        if root.is_empty() {
            break;
        }
        let (parent, name) = root.rsplit_once('/').unwrap_or(("", root));
        if name != segment {
            break;
        }
        root = parent;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(source: &str) -> String {
        package_in(source.as_bytes()).join(".")
    }

    #[test]
    fn finds_the_package_behind_comments_and_annotations() {
        assert_eq!(package("package a.b;"), "a.b");
        assert_eq!(
            package("\u{feff}/* package x; */ // package y;\r\npackage  a . /**/ b ;"),
            "a.b"
        );
        assert_eq!(
            package("@Gen(v = \")package z;\", w = @X(1)) package q;"),
            "q"
        );
        assert_eq!(package("import x.Y; class A {}"), "");
        assert_eq!(package("@Test class A { /* package x; */ }"), "");
        assert_eq!(package(""), "");
        assert_eq!(package("/* never closed package a;"), "");
        assert_eq!(package("package"), "");
    }

    #[test]
    fn the_root_is_the_folder_without_its_package() {
        let root = |folder, package: &str| {
            let segments: Vec<String> = package.split('.').map(str::to_owned).collect();
            root_of(folder, &segments).to_owned()
        };
        assert_eq!(root("core/src/org/x", "org.x"), "core/src");
        assert_eq!(root("org/x", "org.x"), "");
        assert_eq!(root("src/x", "org.x"), "src");
        assert_eq!(root("src/y", "org.x"), "src/y");
        assert_eq!(root_of("a/b", &[]), "a/b");
    }
}
