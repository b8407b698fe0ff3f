//! What reaches a terminal: text of files shows its control characters and does not send them.
//!
//! A comment of a project may hold an escape sequence that writes somebody's clipboard, a file's name one that moves the cursor, a
//! string marks that turn the line's order around (CVE-2021-42574). All output of the command line goes through a [`Screen`],
//! which writes such characters as an escape of the format at hand: `\u{1b}`, in JSON `\u001b`. Our own colours are
//! [`Style`]s, and pass because they say so while they are written; nothing in a text can say that.

use crate::failure::Failure;
use serde::Serialize;
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::process::ExitCode;

/// A colour or weight of our own.
#[derive(Clone, Copy)]
pub(crate) struct Style(&'static str);

pub(crate) const BOLD: Style = Style("\x1b[1m");
pub(crate) const DIM: Style = Style("\x1b[2m");
pub(crate) const NAME: Style = Style("\x1b[36m");
pub(crate) const NOTE: Style = Style("\x1b[33m");
pub(crate) const WARNING: Style = Style("\x1b[1;33m");
pub(crate) const ERROR: Style = Style("\x1b[1;31m");
/// Back to plain text.
pub(crate) const PLAIN: Style = Style("\x1b[0m");

thread_local! {
    /// What is being written is a style.
    static OURS: Cell<bool> = const { Cell::new(false) };
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OURS.set(true);
        let done = f.write_str(self.0);
        OURS.set(false);
        done
    }
}

/// The way of an answer to standard output.
pub(crate) type Answer = Screen<BufWriter<anstream::AutoStream<StdoutLock<'static>>>>;

fn answer(notation: Notation) -> Answer {
    Screen::new(BufWriter::new(anstream::stdout().lock()), notation)
}

/// Answers for people.
pub(crate) fn show_text<E>(write: impl FnOnce(&mut Answer) -> Result<(), E>) -> Result<(), Failure>
where
    Failure: From<E>,
{
    let mut out = answer(Notation::Text);
    write(&mut out)?;
    Ok(out.flush()?)
}

/// Answers for programs: JSON, and a line end.
pub(crate) fn show_json(it: &impl Serialize) -> Result<(), Failure> {
    let mut out = answer(Notation::Json);
    serde_json::to_writer_pretty(&mut out, it)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// How a character is written that is not sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// `\u{1b}`.
    Text,
    /// `\u001b`: it can only stand in a string.
    Json,
}

/// A writer of UTF-8 on the way to a terminal, or wherever the user leads it.
pub(crate) struct Screen<W: Write> {
    inner: W,
    notation: Notation,
    /// The beginning of a character whose rest comes with the next write.
    begun: Vec<u8>,
}

impl<W: Write> Screen<W> {
    pub(crate) fn new(inner: W, notation: Notation) -> Screen<W> {
        Screen {
            inner,
            notation,
            begun: Vec::new(),
        }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some(at) = rest.find(is_hidden) {
            let (plain, from) = rest.split_at(at);
            self.inner.write_all(plain.as_bytes())?;
            let mut chars = from.chars();
            if let Some(c) = chars.next() {
                self.show(c)?;
            }
            rest = chars.as_str();
        }
        self.inner.write_all(rest.as_bytes())
    }

    fn show(&mut self, c: char) -> io::Result<()> {
        match self.notation {
            Notation::Text => write!(self.inner, "\\u{{{:x}}}", u32::from(c)),
            // All of them have four digits.
            Notation::Json => write!(self.inner, "\\u{:04x}", u32::from(c)),
        }
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if OURS.get() {
            self.inner.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let e = match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.text(text)?;
                    break;
                }
                Err(e) => e,
            };
            let (valid, from) = rest.split_at(e.valid_up_to());
            self.text(std::str::from_utf8(valid).unwrap_or_default())?;
            match e.error_len() {
                Some(length) => {
                    self.inner.write_all("\u{fffd}".as_bytes())?;
                    rest = &from[length..];
                }
                None => {
                    self.begun = from.to_vec();
                    break;
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Says a line on standard error. That nobody reads it is no failure.
pub(crate) fn say(line: fmt::Arguments<'_>) {
    let mut screen = Screen::new(anstream::stderr().lock(), Notation::Text);
    let _ = writeln!(screen, "{line}");
}

/// True for what a terminal obeys instead of showing it: control characters but for line feed and tab, and what changes the
/// direction of the text around it.
pub(crate) fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    }
}

impl Failure {
    /// Says what went wrong and gives the exit code.
    pub(crate) fn exit(&self) -> ExitCode {
        self.report();
        self.exit_code()
    }

    pub(crate) fn report(&self) {
        match self {
            Failure::ClosedPipe => {}
            Failure::Use { message, help } => {
                say(format_args!("{ERROR}error:{PLAIN} {message}"));
                if let Some(help) = help {
                    say(format_args!("{BOLD}help:{PLAIN} {help}"));
                }
            }
            Failure::Run(message) => say(format_args!("{ERROR}error:{PLAIN} {message}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(notation: Notation, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut Screen::new(&mut out, notation)).expect("a vector takes all");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        let text = "a\x1b]52;c;QQ==\x07\u{9b}2J\x7f\r\u{202e}ä\t\u{2066}\n";
        assert_eq!(
            sent(Notation::Text, |out| write!(out, "{text}")),
            "a\\u{1b}]52;c;QQ==\\u{7}\\u{9b}2J\\u{7f}\\u{d}\\u{202e}ä\t\\u{2066}\n"
        );
        assert_eq!(
            sent(Notation::Json, |out| write!(
                out,
                "\"\u{9b}\u{7f}\u{2069}\""
            )),
            "\"\\u009b\\u007f\\u2069\""
        );
    }

    #[test]
    fn our_colours_pass_and_others_do_not() {
        let foreign = "\x1b[1m";
        assert_eq!(
            sent(Notation::Text, |out| write!(out, "{BOLD}{foreign}{PLAIN}")),
            "\x1b[1m\\u{1b}[1m\x1b[0m"
        );
    }

    #[test]
    fn a_character_in_two_writes_is_one() {
        let bytes = "ä\u{9b}€".as_bytes();
        for at in 0..bytes.len() {
            let two = sent(Notation::Text, |out| {
                out.write_all(&bytes[..at])?;
                out.write_all(&bytes[at..])
            });
            assert_eq!(two, "ä\\u{9b}€", "{at}");
        }
        let odd = sent(Notation::Text, |out| out.write_all(b"a\x9bb\xff"));
        assert_eq!(odd, "a\u{fffd}b\u{fffd}");
    }
}
