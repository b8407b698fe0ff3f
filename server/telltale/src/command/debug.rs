//! `telltale debug uses`: every use with its target, one JSON object a line.

use crate::args::{Debug, DebugWhat};
use crate::failure::Failure;
use crate::load::load;
use crate::report::json::UseJson;
use crate::screen::{Notation, Screen};
use std::io::Write;
use text::{Encoding, LineIndex};

pub(crate) fn run(args: &Debug) -> Result<(), Failure> {
    let DebugWhat::Uses { place, .. } = &args.what;
    let loaded = load(place)?;
    let program = loaded.workspace.program();
    let out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut out = Screen::new(out, Notation::Json);
    for &file in program.files() {
        let (Some(path), Some(text)) = (program.path(file), program.text(file)) else {
            continue;
        };
        let inside = &loaded.inside;
        let wanted = inside.is_empty()
            || path
                .strip_prefix(inside.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if !wanted {
            continue;
        }
        let index = LineIndex::new(text);
        for u in program.occurrences(file) {
            let at = index.position(u.offset, Encoding::Utf16);
            let line = UseJson {
                path,
                line: at.line + 1,
                column: at.column + 1,
                kind: u.kind.name(),
                name: &u.name,
                target: u.target.as_deref(),
                in_workspace: u.in_workspace,
            };
            serde_json::to_writer(&mut out, &line)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(())
}
