//! Statements that print, in the sources of a copy.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ide::Analysis;
use program::FileId;

use crate::Result;

/// The class that prints observation points; it lies beside each test that does.
const CLASS: &str = include_str!("TelltalePrints.java");

/// What stands at a place of a file.
pub(super) struct Print {
    pub(super) file: FileId,
    /// Before this byte.
    pub(super) at: u32,
    pub(super) text: String,
    /// Of which observation point, if it is of one.
    pub(super) point: Option<usize>,
}

/// Writes the files with all that prints but some points; gives the files that are new.
pub(super) fn write(
    analysis: &Analysis,
    root: &Path,
    all: &[Print],
    without: &BTreeSet<usize>,
    to: &Path,
) -> Result<BTreeSet<std::path::PathBuf>> {
    let program = analysis.program();
    let mut by_file: BTreeMap<FileId, Vec<&Print>> = BTreeMap::new();
    for print in all {
        by_file.entry(print.file).or_default().push(print);
    }
    let mut made = BTreeSet::new();
    for (file, mut here) in by_file {
        let (Some(path), Some(text)) = (program.path(file), program.text(file)) else {
            continue;
        };
        here.retain(|p| p.point.is_none_or(|n| !without.contains(&n)));
        let path = root.join(&**path);
        let own: Vec<(u32, &str)> = here.iter().map(|p| (p.at, &*p.text)).collect();
        std::fs::write(&path, put(text, own)).map_err(|e| e.to_string())?;
        if here.iter().any(|p| p.point.is_some()) {
            let class = path.with_file_name("TelltalePrints.java");
            std::fs::write(&class, class_beside(text, to)).map_err(|e| e.to_string())?;
            made.insert(class);
        }
    }
    Ok(made)
}

/// A text with what prints; what stands at one place in the order in which it comes.
fn put(text: &str, mut here: Vec<(u32, &str)>) -> String {
    here.sort_by_key(|(at, _)| *at);
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (at, print) in here {
        out.push_str(&text[from..at as usize]);
        out.push_str(print);
        from = at as usize;
    }
    out + &text[from..]
}

/// The class that prints, in the package of a text.
fn class_beside(text: &str, to: &Path) -> String {
    let mut lines = text.lines().map(str::trim);
    let package = lines.find(|l| l.starts_with("package ") && l.contains(';'));
    let package = package.map_or("", |l| l.split_inclusive(';').next().unwrap_or(l));
    format!("{package} {}", CLASS.replace("@TO@", &quoted(to)))
}

/// A path within a literal of Java.
pub(super) fn quoted(path: &Path) -> String {
    path.display().to_string().replace('\\', "\\\\")
}

/// The points that print in a line of a file which the compiler refuses. No line is added, so lines are those of the text.
pub(super) fn refused(
    analysis: &Analysis,
    all: &[Print],
    errors: &[(&Path, u32)],
) -> BTreeSet<usize> {
    let program = analysis.program();
    let is_refused = |p: &&Print| {
        let (Some(path), Some(text)) = (program.path(p.file), program.text(p.file)) else {
            return false;
        };
        let line = line(text, p.at);
        errors
            .iter()
            .any(|(f, at)| f.ends_with(&**path) && *at == line)
    };
    all.iter()
        .filter(is_refused)
        .filter_map(|p| p.point)
        .collect()
}

/// Of a byte, from 1.
fn line(text: &str, at: u32) -> u32 {
    text[..at as usize].matches('\n').count() as u32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_prints_stands_at_its_place_and_adds_no_line() {
        let text = "{ int n = 1;\n  list.add(n);\n}";
        let (call, brace) = (text.find("list").expect("there"), text.len() - 1);
        let end = call + "list.add(n)".len();
        let all = [
            (brace, "first "),
            (call, "see("),
            (end, ")"),
            (brace, "second "),
        ];
        let out = put(text, all.map(|(at, print)| (at as u32, print)).to_vec());
        assert_eq!(out, "{ int n = 1;\n  see(list.add(n));\nfirst second }");
        assert_eq!(
            [
                line(text, 0),
                line(text, call as u32),
                line(text, brace as u32)
            ],
            [1, 2, 3]
        );
    }

    #[test]
    fn the_class_that_prints_is_in_the_package_of_the_test() {
        let beside = class_beside(
            "/* package of it */\npackage a.b; import c.D;\nclass T {}",
            Path::new("/x"),
        );
        assert!(beside.starts_with("package a.b; import java"), "{beside}");
        assert!(beside.contains("FileOutputStream(\"/x\", true)"));
        assert!(class_beside("class T {}", Path::new("/x")).starts_with(" import java"));
    }
}
