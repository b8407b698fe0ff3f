//! Files of Daikon's format, version 2.0: declarations of points (`.decls`) and samples (`.dtrace`), which one file may mix.
//!
//! Read from front to back: nothing but the declarations and the sample at hand is kept. What packs files is no concern of ours: give
//! a reader of the text.

mod decls;
mod line;
mod sample;
mod write;

pub use write::{write_head, write_point, write_sample};

use crate::point::Point;
use crate::value::{Rep, Value};
use line::Lines;
use rustc_hash::FxHashMap;
use std::fmt;
use std::io::BufRead;

/// Why a trace cannot be read on.
#[derive(Debug)]
pub struct TraceError {
    /// The line, counted from 1.
    pub line: u64,
    pub message: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TraceError {}

impl TraceError {
    fn new(line: u64, message: impl Into<String>) -> TraceError {
        TraceError {
            line,
            message: message.into(),
        }
    }
}

/// The points that were declared, over all files of a trace.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    points: Vec<Point>,
    /// By the name as it is; files write blanks in names in two ways.
    names: FxHashMap<String, usize>,
    /// No comparability is known: all variables can be compared.
    none: bool,
}

impl Declarations {
    /// In the order of the declarations.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The point of that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }
}

/// One visit of a point.
#[derive(Debug)]
pub struct Sample<'a> {
    /// Its position in [`Declarations::points`].
    pub point: usize,
    /// Which call it belongs to, if the trace says so.
    pub nonce: Option<i64>,
    /// Where it starts.
    pub line: u64,
    /// A value for each variable of the point.
    pub values: &'a [Value],
}

/// Reads one file.
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    values: Vec<Value>,
    cut: Option<u64>,
}

impl<R: BufRead> Reader<R> {
    pub fn new(input: R) -> Reader<R> {
        Reader {
            lines: Lines::new(input),
            values: Vec::new(),
            cut: None,
        }
    }

    /// The line at which the file ends in the middle of something, if it does. What came before is whole.
    pub fn cut(&self) -> Option<u64> {
        self.cut
    }

    /// Values that were so long that they were taken to be missing.
    pub fn too_long(&self) -> u64 {
        self.lines.too_long()
    }

    /// How many bytes were read.
    pub fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    /// The next sample; declarations on the way are added. None at the end.
    ///
    /// # Errors
    /// If a line is not what the format has there, a point or variable was not declared, or reading fails.
    pub fn next(&mut self, declared: &mut Declarations) -> Result<Option<Sample<'_>>, TraceError> {
        match self.find(declared) {
            Ok(Some((point, nonce, line))) => Ok(Some(Sample {
                point,
                nonce,
                line,
                values: &self.values,
            })),
            Ok(None) => Ok(None),
            // Half a name, or half a number, is no mistake of who wrote it.
            Err(Stop::Wrong(_)) if self.lines.is_last() && self.lines.number() > 1 => {
                self.cut = Some(self.lines.number());
                Ok(None)
            }
            Err(Stop::Cut) => {
                self.cut = Some(self.lines.number());
                Ok(None)
            }
            Err(Stop::Wrong(error)) => Err(error),
        }
    }

    fn find(
        &mut self,
        declared: &mut Declarations,
    ) -> Result<Option<(usize, Option<i64>, u64)>, Stop> {
        loop {
            let Some(line) = self.lines.next_content()? else {
                return Ok(None);
            };
            if decls::is_declaration(line) {
                decls::read(&mut self.lines, declared)?;
                continue;
            }
            let as_it_is = std::str::from_utf8(line)
                .ok()
                .and_then(|name| declared.names.get(name));
            let found = as_it_is
                .copied()
                .or_else(|| declared.find(&line::named(line)));
            let Some(point) = found else {
                let name = String::from_utf8_lossy(line)
                    .chars()
                    .take(200)
                    .collect::<String>();
                let message = format!("no point is declared that is called {name:?}");
                return Err(Stop::Wrong(TraceError::new(self.lines.number(), message)));
            };
            let start = self.lines.number();
            let variables = &declared.points[point].variables;
            let nonce = sample::read(&mut self.lines, variables, &mut self.values)?;
            return Ok(Some((point, nonce, start)));
        }
    }
}

/// A value as a trace writes it.
pub(crate) fn value(text: &str, rep: Rep) -> Option<Value> {
    sample::value(text.as_bytes(), rep)
}

/// Why reading stopped.
#[derive(Debug)]
enum Stop {
    /// The input ended in the middle of something.
    Cut,
    Wrong(TraceError),
}

impl From<TraceError> for Stop {
    fn from(error: TraceError) -> Stop {
        Stop::Wrong(error)
    }
}
