//! The one place where the protocol's types meet ours: positions, paths, edits, settings.

use super::abilities::ClientCapabilities;
use ide::Place;
use observe::{Fp, Settings};
use program::Program;
use project::Config;
use std::path::{Path, PathBuf};
use text::{Encoding, LineIndex, Position, Span};
use tower_lsp::ls_types as lsp;

/// What was agreed on with the client, for one document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Coding {
    pub(crate) encoding: Encoding,
    /// Columns that the client counts before our text of the document in question begins: a byte order mark.
    pub(crate) ahead: u32,
    pub(crate) client: ClientCapabilities,
}

/// The client's first wish of those that we speak; UTF-16 if it has none.
pub(crate) fn encoding(wanted: Option<&[lsp::PositionEncodingKind]>) -> Encoding {
    wanted
        .into_iter()
        .flatten()
        .find_map(|kind| match kind.as_str() {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        })
        .unwrap_or(Encoding::Utf16)
}

pub(crate) fn encoding_kind(encoding: Encoding) -> lsp::PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
        Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
        Encoding::Utf32 => lsp::PositionEncodingKind::UTF32,
    }
}

/// The file of a Java document on disk: one path however it is spelled, symbolic links followed.
pub(crate) fn path_of(uri: &lsp::Uri) -> Option<PathBuf> {
    any_path_of(uri).filter(|p| p.extension().is_some_and(|e| e == "java"))
}

/// The path of a `file:` URI.
pub(crate) fn any_path_of(uri: &lsp::Uri) -> Option<PathBuf> {
    if !uri.scheme().as_str().eq_ignore_ascii_case("file") {
        return None;
    }
    let path = uri.to_file_path()?.into_owned();
    path.is_absolute().then(|| real(&path))
}

/// The path without symbolic links; of a file that is not there, as far as its folders are.
pub(crate) fn real(path: &Path) -> PathBuf {
    if let Ok(real) = dunce::canonicalize(path) {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => match dunce::canonicalize(folder) {
            Ok(real) => real.join(name),
            Err(_) => path.to_path_buf(),
        },
        _ => path.to_path_buf(),
    }
}

/// The byte at a position; clamped.
pub(crate) fn offset(index: &LineIndex, position: lsp::Position, coding: Coding) -> u32 {
    let ahead = if position.line == 0 { coding.ahead } else { 0 };
    index.offset(
        Position::new(position.line, position.character.saturating_sub(ahead)),
        coding.encoding,
    )
}

/// The bytes of a range; clamped.
pub(crate) fn span(index: &LineIndex, range: lsp::Range, coding: Coding) -> Span {
    let start = offset(index, range.start, coding);
    Span::new(start, offset(index, range.end, coding).max(start))
}

pub(crate) fn position(index: &LineIndex, offset: u32, coding: Coding) -> lsp::Position {
    let p = index.position(offset, coding.encoding);
    let ahead = if p.line == 0 { coding.ahead } else { 0 };
    lsp::Position::new(p.line, p.column + ahead)
}

pub(crate) fn range(index: &LineIndex, span: Span, coding: Coding) -> lsp::Range {
    lsp::Range::new(
        position(index, span.start, coding),
        position(index, span.end, coding),
    )
}

/// A place of a program below `root`.
pub(crate) fn location(
    program: &Program,
    root: &Path,
    place: Place,
    coding: Coding,
) -> Option<(PathBuf, lsp::Range)> {
    let path = root.join(&**program.path(place.file)?);
    let index = LineIndex::new(program.text(place.file)?);
    Some((path, range(&index, place.span, coding)))
}

/// How many columns the mark is that an editor shows at the start of a text and we leave out.
pub(crate) fn ahead(text: &str, encoding: Encoding) -> u32 {
    let mark = &text[..text.len() - text::without_bom(text).len()];
    let index = LineIndex::new(mark);
    index.position(mark.len() as u32, encoding).column
}

/// The parameters of rankings.
pub(crate) fn settings(config: &Config) -> Settings {
    Settings {
        lambda: config.observe.lambda,
        lambda_readable: config.observe.lambda_readable,
        fp: match config.observe.fp {
            project::Fp::Differentiated => Fp::Differentiated,
            project::Fp::Uniform(c) => Fp::Constant(c),
        },
        top: config.observe.top,
        ..Settings::default()
    }
}
