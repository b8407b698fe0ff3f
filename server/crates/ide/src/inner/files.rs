//! What files say of inner oracles: the class that guards call, and which files are not ours to change.

use inner::{GUARD, Refusal};
use program::{FileId, Program};
use std::sync::Arc;
use syntax::SourceFile;

/// The package of a file.
pub(crate) fn package_of(program: &Program, file: FileId) -> &str {
    program.summary(file).map_or("", |s| s.package.as_str())
}

/// The class that guards call, beside some code under test.
pub(super) enum Class {
    /// It is there.
    Stands,
    /// Its file is there and empty: an editor undid what was written into it, and not that it was made.
    Filled(FileId),
    /// It is made, at this path.
    Made(String),
}

/// What becomes of the class that is written beside the code under test.
pub(super) fn class_file(program: &Program, code: FileId) -> Result<Class, Refusal> {
    let path = program.path(code).ok_or(Refusal::NotFound)?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let own = match folder {
        "" => format!("{GUARD}.java"),
        _ => format!("{folder}/{GUARD}.java"),
    };
    match program.file(&own) {
        Some(file) if is_ours(program, file) => Ok(Class::Stands),
        Some(file) if program.text(file).is_some_and(|t| t.trim().is_empty()) => {
            Ok(Class::Filled(file))
        }
        Some(_) => Err(Refusal::NameTaken),
        None => Ok(Class::Made(own)),
    }
}

/// How a test names the class that stands beside the code under test.
pub(super) fn class_seen_from(program: &Program, code: FileId, test: FileId) -> String {
    let package = package_of(program, code);
    match package == package_of(program, test) {
        true => GUARD.to_owned(),
        false => format!("{package}.{GUARD}"),
    }
}

/// True for a file that may have inner oracles.
pub(crate) fn stands_in(program: &Program, file: FileId) -> bool {
    let text = program.text(file);
    text.is_some_and(|t| t.contains(GUARD)) && !is_ours(program, file)
}

/// True for a class that we wrote.
pub(super) fn is_ours(program: &Program, file: FileId) -> bool {
    let path = program.path(file).map_or("", |p| &**p);
    let name = path.rsplit('/').next().unwrap_or(path);
    let text = program.text(file).map_or("", |t| &**t);
    inner::is_guard_class(name.strip_suffix(".java").unwrap_or(name), text)
}

/// True for code that a tool writes anew: what is inserted would be lost.
pub(crate) fn is_generated(text: &str) -> bool {
    let head: String = text.lines().take(60).collect::<Vec<_>>().join("\n");
    // `@GeneratedValue` is of a column in a database.
    let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let mut marks = head.split("@Generated").skip(1);
    marks.any(is_whole)
        || head.contains("annotation.Generated(")
        || head.to_lowercase().contains("do not edit")
}

pub(crate) fn parsed(program: &Program, file: FileId) -> Result<SourceFile, Refusal> {
    let text = program.text(file).ok_or(Refusal::NotFound)?;
    let source = SourceFile::parse(Arc::clone(text));
    match source.has_errors() {
        true => Err(Refusal::SyntaxError),
        false => Ok(source),
    }
}
