//! What the command line prints and the server sends alike.

pub(crate) mod evidence;
pub(crate) mod picture;

use ide::suspects::Assertion;
use program::Program;
use text::{Encoding, LineIndex};

/// Path, start and end, 1-based.
pub(crate) type Placed = (String, (u32, u32), (u32, u32));

/// Where an assertion stands.
pub(crate) fn placed(program: &Program, assertion: &Assertion) -> Placed {
    let text = program.text(assertion.file).map_or("", |t| t);
    let lines = LineIndex::new(text);
    let at = |offset: u32| {
        let position = lines.position(offset, Encoding::Utf16);
        (position.line + 1, position.column + 1)
    };
    let path = program.path(assertion.file).map_or("", |p| p).to_owned();
    (path, at(assertion.span.start), at(assertion.span.end))
}
