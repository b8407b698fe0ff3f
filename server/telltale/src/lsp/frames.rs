//! The messages on the wire: whole, well-formed ones of a bounded size, and what is said of the others.
//!
//! One slip costs one message at most. A body ends where its header says, or where the next header begins, whichever comes
//! first: a line `Content-Length: N` with its line end cannot stand inside of JSON. What lies between two headers and is
//! a message all the same is taken as one.

use super::outline::Outline;
use std::collections::VecDeque;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tower_lsp::jsonrpc::{Id, Request, Response};

/// What one message may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Its bytes.
    pub(crate) longest: usize,
    /// About how much memory it takes once it is read: one of many small values takes many times its length.
    pub(crate) heaviest: usize,
}

impl Default for Limits {
    /// Several times the largest file that is read, as JSON may spell it; a hundred thousand edits or files at once.
    fn default() -> Limits {
        Limits {
            longest: 64 << 20,
            heaviest: 256 << 20,
        }
    }
}

/// How much is read at once.
const CHUNK: usize = 1 << 16;

/// How long the rest of a header may be.
const HEADER: usize = 4_096;

/// How long a line `Content-Length: N` may be.
const LINE: usize = 64;

/// Up to here what has no header is looked at with each byte that comes.
const SHORT: usize = 4_096;

const LENGTH: &[u8] = b"content-length:";

/// What was read.
#[derive(Debug)]
pub(crate) enum Frame {
    /// A request or a notification, and about how much memory it takes.
    Request(Request, usize),
    Response(Response),
    Refused(Refused),
    /// So many bytes are no message.
    Noise(usize),
}

/// A message that is not taken, and as much as is known of it.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) id: Option<Id>,
    pub(crate) method: Option<String>,
    /// The document that it is about.
    pub(crate) uri: Option<serde_json::Value>,
    pub(crate) why: String,
}

/// Reads messages.
pub(crate) struct Frames<I> {
    from: I,
    limits: Limits,
    /// What came and was not dealt with, from `start` on.
    bytes: Vec<u8>,
    start: usize,
    /// How much of that was searched for a header.
    searched: usize,
    /// How much of that is known to be no message without what follows.
    tried: usize,
    state: State,
    found: VecDeque<Frame>,
}

#[derive(Debug)]
enum State {
    /// A header comes next, or should.
    Between,
    /// Behind a header.
    Body { length: usize },
    /// In a body that is too long to be kept: so much of it is still to come.
    Long {
        length: usize,
        left: usize,
        outline: Box<Outline>,
    },
}

impl<I: AsyncRead + Unpin> Frames<I> {
    pub(crate) fn new(from: I, limits: Limits) -> Frames<I> {
        Frames {
            from,
            limits,
            bytes: Vec::new(),
            start: 0,
            searched: 0,
            tried: 0,
            state: State::Between,
            found: VecDeque::new(),
        }
    }

    /// The next of what comes; nothing at the end. May be dropped and called again at any time.
    pub(crate) async fn next(&mut self) -> Option<Frame> {
        loop {
            while self.found.is_empty() && self.step() {}
            if let Some(frame) = self.found.pop_front() {
                return Some(frame);
            }
            self.make_room();
            let mut chunk = (&mut self.from).take(CHUNK as u64);
            match chunk.read_buf(&mut self.bytes).await {
                Ok(0) | Err(_) => {
                    let rest = self.bytes.len() - self.start;
                    self.take_apart(rest);
                    return self.found.pop_front();
                }
                Ok(_) => {}
            }
        }
    }
}

impl<I> Frames<I> {
    fn make_room(&mut self) {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        if self.bytes.is_empty() && self.bytes.capacity() > 16 * CHUNK {
            self.bytes = Vec::new();
        }
        match self.state {
            // Once for all of it, and no more than it will be.
            State::Body { length } => {
                let all = length + CHUNK;
                self.bytes
                    .reserve_exact(all.saturating_sub(self.bytes.len()));
            }
            _ => self.bytes.reserve(CHUNK),
        }
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    fn pass(&mut self, count: usize) {
        self.start += count;
        self.searched = 0;
        self.tried = 0;
    }

    /// Deals with some of what came. False if more has to come first.
    fn step(&mut self) -> bool {
        match &self.state {
            State::Between => self.find_header(),
            State::Body { length } => self.read_body(*length),
            State::Long { .. } => self.read_long(),
        }
    }

    fn find_header(&mut self) -> bool {
        let rest = self.rest();
        let Some(line) = LengthLine::find(rest, self.searched) else {
            self.searched = rest.len();
            return self.look_at_what_has_no_header();
        };
        let (body, length) = match behind(rest, &line) {
            Behind::Header { body, length } => (body, length),
            Behind::Unknown => {
                self.searched = line.begin;
                return false;
            }
        };
        self.take_apart(line.begin);
        self.pass(body - line.begin);
        self.state = match length {
            length if length > self.limits.longest => State::Long {
                length,
                left: length,
                outline: Box::default(),
            },
            length => State::Body { length },
        };
        true
    }

    /// The last message of a client that waits for its answer may be one that lost its header, or its last byte.
    fn look_at_what_has_no_header(&mut self) -> bool {
        let rest = self.rest();
        let grew = rest.len() - self.tried;
        let looks_whole = rest.trim_ascii_end().ends_with(b"}");
        if rest.len() > self.limits.longest {
            // The end may be the beginning of a header.
            let gone = rest.len() - LINE;
            self.found.push_back(Frame::Noise(gone));
            self.pass(gone);
            return true;
        }
        if looks_whole && grew > 0 && (rest.len() <= SHORT || grew >= self.tried) {
            let all = rest.len();
            match Piece::of(rest, self.limits.heaviest) {
                Piece::Message(frame, end) if rest[end..].trim_ascii().is_empty() => {
                    self.found.push_back(frame);
                    self.pass(all);
                    return true;
                }
                _ => self.tried = all,
            }
        }
        false
    }

    fn read_body(&mut self, length: usize) -> bool {
        let rest = self.rest();
        let known = rest.len().min(length);
        if let Some(line) = LengthLine::find(&rest[..known], self.searched) {
            let begin = line.begin;
            self.take_apart(begin);
            self.state = State::Between;
            return true;
        }
        if rest.len() < length {
            self.searched = rest.len();
            return false;
        }
        let body = &rest[..length];
        match Piece::of(body, self.limits.heaviest) {
            Piece::Message(frame, end) if body[end..].trim_ascii().is_empty() => {
                self.found.push_back(frame);
                self.pass(length);
            }
            // It ends where it should, and is nothing.
            Piece::Nothing(end) if body[end..].trim_ascii().is_empty() => {
                self.found.push_back(Frame::Noise(length));
                self.pass(length);
            }
            // The length is wrong, or all is.
            _ => {
                self.searched = 0;
                self.tried = length;
            }
        }
        self.state = State::Between;
        true
    }

    fn read_long(&mut self) -> bool {
        let State::Long {
            length,
            left,
            outline,
        } = &mut self.state
        else {
            return false;
        };
        let rest = &self.bytes[self.start..];
        let known = &rest[..rest.len().min(*left)];
        if let Some(line) = LengthLine::find(known, self.searched) {
            let gone = *length - *left + line.begin;
            self.found.push_back(Frame::Noise(gone));
            self.pass(line.begin);
            self.state = State::Between;
            return true;
        }
        if rest.len() >= *left {
            outline.feed(known);
            let longest = self.limits.longest;
            let why = format!(
                "a message of {length} bytes is longer than the {longest} that this server takes"
            );
            let count = *left;
            self.found.push_back(refused(outline, why));
            self.pass(count);
            self.state = State::Between;
            return true;
        }
        // The end may be the beginning of a header.
        let count = rest.len().saturating_sub(LINE);
        outline.feed(&rest[..count]);
        *left -= count;
        self.pass(count);
        self.searched = self.rest().len();
        false
    }

    /// Takes the messages from so many bytes in front of a header.
    fn take_apart(&mut self, count: usize) {
        let rest = &self.bytes[self.start..self.start + count];
        let mut noise = 0;
        let mut at = 0;
        while at < rest.len() {
            let Some(open) = memchr::memchr(b'{', &rest[at..]) else {
                break;
            };
            let piece = &rest[at + open..];
            let end = match Piece::of(piece, self.limits.heaviest) {
                Piece::Message(frame, end) => {
                    self.found.push_back(frame);
                    end
                }
                Piece::Nothing(end) => {
                    noise += end;
                    end
                }
                Piece::Torn => break,
            };
            noise += outside(&rest[at..at + open]);
            at += open + end;
        }
        noise += outside(&rest[at..]);
        if noise > 0 {
            self.found.push_back(Frame::Noise(noise));
        }
        self.pass(count);
    }
}

/// How much of what lies outside of messages should not be there. Other lines of a header may stand before ours.
fn outside(bytes: &[u8]) -> usize {
    let mut lines = bytes.split(|b| *b == b'\n');
    match lines.all(|line| line.trim_ascii().is_empty() || is_header_line(line)) {
        true => 0,
        false => bytes.len(),
    }
}

/// `Name: value`
fn is_header_line(line: &[u8]) -> bool {
    let name = line.iter().position(|b| *b == b':').unwrap_or(0);
    name > 0
        && line[..name]
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || *b == b'-')
}

/// A line that says how long a body is.
struct LengthLine {
    begin: usize,
    length: usize,
    /// Where the next line begins.
    next: usize,
}

impl LengthLine {
    /// The first such line that ends behind `from`, wherever it begins: what is before it may have lost its end.
    fn find(bytes: &[u8], from: usize) -> Option<LengthLine> {
        memchr::memchr_iter(b'\n', &bytes[from..])
            .find_map(|at| LengthLine::before(bytes, from + at))
    }

    /// The line that this line feed ends.
    fn before(bytes: &[u8], end: usize) -> Option<LengthLine> {
        let start = memchr::memrchr(b'\n', &bytes[..end]).map_or(0, |at| at + 1);
        let line = bytes[start..end].trim_ascii_end();
        let digits = line.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let (name, number) = line.split_at(line.len() - digits);
        let name = name.trim_ascii_end();
        let begin = name.len().checked_sub(LENGTH.len())?;
        if !name[begin..].eq_ignore_ascii_case(LENGTH) {
            return None;
        }
        Some(LengthLine {
            begin: start + begin,
            length: std::str::from_utf8(number).ok()?.parse().ok()?,
            next: end + 1,
        })
    }
}

enum Behind {
    /// The body begins there. The length is that of the last line that says one.
    Header { body: usize, length: usize },
    /// More has to come.
    Unknown,
}

/// The end of a header. Its lines may end in a line feed alone, and the empty one may be missing.
fn behind(bytes: &[u8], line: &LengthLine) -> Behind {
    let (mut at, mut length) = (line.next, line.length);
    loop {
        let rest = &bytes[at..];
        let body = Behind::Header { body: at, length };
        let Some(end) = memchr::memchr(b'\n', rest) else {
            let may_go_on = rest.is_empty() || rest == b"\r" || {
                let name = rest.iter().take_while(|b| **b != b':');
                name.clone()
                    .all(|b| b.is_ascii_alphanumeric() || *b == b'-')
            };
            return match may_go_on && bytes.len() - line.next < HEADER {
                true => Behind::Unknown,
                false => body,
            };
        };
        let text = rest[..end].trim_ascii();
        if text.is_empty() {
            return Behind::Header {
                body: at + end + 1,
                length,
            };
        }
        if !is_header_line(text) {
            return body;
        }
        at += end + 1;
        if let Some(other) = LengthLine::before(bytes, at - 1) {
            length = other.length;
        }
    }
}

/// What begins with a JSON value.
enum Piece {
    /// It is a message, and ends there.
    Message(Frame, usize),
    /// It is none, and ends there.
    Nothing(usize),
    /// It does not end.
    Torn,
}

impl Piece {
    fn of(bytes: &[u8], heaviest: usize) -> Piece {
        let mut outline = Outline::default();
        let end = outline.feed(bytes);
        if !outline.is_whole() {
            return Piece::Torn;
        }
        if outline.weight() > heaviest {
            let why = format!(
                "a message of so many values takes about {} bytes of memory, more than the {heaviest} that this server gives",
                outline.weight()
            );
            return Piece::Message(refused(&outline, why), end);
        }
        let body = &bytes[..end];
        let read = match outline.method() {
            Some(_) => serde_json::from_slice(body).map(|r| Frame::Request(r, outline.weight())),
            None => serde_json::from_slice(body).map(Frame::Response),
        };
        match read {
            Ok(frame) => Piece::Message(frame, end),
            Err(e) if outline.id().is_some() && outline.method().is_some() => {
                let why = format!("this is no request of JSON-RPC 2.0: {e}");
                Piece::Message(refused(&outline, why), end)
            }
            Err(_) => Piece::Nothing(end),
        }
    }
}

fn refused(outline: &Outline, why: String) -> Frame {
    Frame::Refused(Refused {
        id: outline.id(),
        method: outline.method(),
        uri: outline.uri(),
        why,
    })
}

#[cfg(test)]
mod tests;
