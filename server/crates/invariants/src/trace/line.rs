//! Lines with their numbers. A line without bound costs a bounded amount of memory.

use super::{Stop, TraceError};
use std::io::{BufRead, ErrorKind};

/// More bytes of a line are not kept: no value is that long that anything could be said of it.
const LONGEST: usize = 16 << 20;

#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
    too_long: u64,
    /// The line at hand was longer than what is kept of it.
    is_cut: bool,
    /// The line at hand ends with the input, not with a line's end.
    is_last: bool,
    /// The line at hand is to be given again.
    again: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines {
            input,
            line: Vec::new(),
            number: 0,
            bytes: 0,
            too_long: 0,
            is_cut: false,
            is_last: false,
            again: false,
        }
    }

    /// Of the line at hand, counted from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn too_long(&self) -> u64 {
        self.too_long
    }

    /// True if the line at hand is not all of it.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// True if nothing says that the line at hand is whole: the input ends where it does.
    pub(super) fn is_last(&self) -> bool {
        self.is_last
    }

    pub(super) fn wrong(&self, message: impl Into<String>) -> Stop {
        Stop::Wrong(TraceError::new(self.number, message))
    }

    /// The line at hand comes once more.
    pub(super) fn back(&mut self) {
        self.again = true;
    }

    /// The next line without its end; None at the end of the input.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, Stop> {
        if self.again {
            self.again = false;
            return Ok(Some(&self.line));
        }
        self.line.clear();
        self.is_cut = false;
        self.is_last = true;
        let mut any = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                // A packed file that was cut.
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Err(Stop::Cut),
                Err(e) => {
                    let message = format!("cannot be read: {e}");
                    return Err(Stop::Wrong(TraceError::new(self.number + 1, message)));
                }
            };
            if chunk.is_empty() {
                break;
            }
            any = true;
            let end = memchr::memchr(b'\n', chunk);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let room = LONGEST - self.line.len();
            if part.len() > room {
                self.is_cut = true;
            }
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.bytes += used as u64;
            self.input.consume(used);
            if end.is_some() {
                self.is_last = false;
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        self.number += 1;
        self.too_long += u64::from(self.is_cut);
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Ok(Some(&self.line))
    }

    /// The next line, which must be there.
    pub(super) fn must(&mut self) -> Result<&[u8], Stop> {
        if self.next()?.is_none() {
            return Err(Stop::Cut);
        }
        Ok(&self.line)
    }

    /// The line at hand.
    pub(super) fn at_hand(&self) -> &[u8] {
        &self.line
    }

    /// The next line that is neither blank nor a comment.
    pub(super) fn next_content(&mut self) -> Result<Option<&[u8]>, Stop> {
        loop {
            match self.next()? {
                None => return Ok(None),
                Some(line)
                    if is_blank(line) || line.starts_with(b"#") || line.starts_with(b"//") => {}
                Some(_) => return Ok(Some(&self.line)),
            }
        }
    }
}

pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// A name as it is, of how a line writes it.
pub(super) fn named(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    if !text.contains('\\') {
        return text.into_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (c, false) => out.push(c),
            (_, true) => match chars.next() {
                Some('_') => out.push(' '),
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
        }
    }
    out
}
