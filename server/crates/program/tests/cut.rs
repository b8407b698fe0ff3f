//! Real Java cut at random: no panic, and a program that came there by edits equals one that was built from scratch.
//!
//! Files of `TELLTALE_SUBJECTS`, else those of `tests/java/cases`; as many cases as `TELLTALE_CASES` says, else a few
//! dozens.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros
)]

mod support;

use program::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::sources;

/// How many neighbouring files are one program.
const FILES: usize = 16;

/// Marsaglia's xorshift, so that a failing case can be had again.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

fn inputs(texts: &[(Arc<str>, Arc<str>)]) -> Vec<FileInput> {
    let file = |(path, text): &(Arc<str>, Arc<str>)| FileInput {
        path: path.clone(),
        source_set: SourceSetId(0),
        text: text.clone(),
    };
    texts.iter().map(file).collect()
}

/// Everything that can be asked, as text.
fn answers(program: &Program) -> Vec<String> {
    let mut out = Vec::new();
    for &file in program.files() {
        out.extend(
            program
                .all_occurrences(file)
                .iter()
                .map(|u| format!("{u:?}")),
        );
        for &ty in program.types_of_file(file) {
            let supers = program.direct_supertypes(ty);
            let supers: Vec<_> = supers.iter().map(|&t| program.type_name(t)).collect();
            out.push(format!("{} {supers:?}", program.type_name(ty)));
            for &method in program.methods_of_type(ty) {
                let bodies = program.overriders(method);
                let bodies: Vec<_> = bodies.iter().map(|&m| program.method_name(m)).collect();
                let above = program.super_methods(method);
                let above: Vec<_> = above.iter().map(|&m| program.method_name(m)).collect();
                out.push(format!(
                    "{} {bodies:?} {above:?}",
                    program.method_name(method)
                ));
            }
        }
        for &body in program.bodies_of_file(file) {
            let (Some(decl), Some(resolved)) = (program.body(body), program.resolved(body)) else {
                continue;
            };
            let types: Vec<_> = resolved
                .types
                .iter()
                .map(|&t| program.display_type(t))
                .collect();
            out.push(format!("{:?} {types:?}", program.body_name(body)));
            for lambda in 0..decl.body.lambdas.len() {
                out.push(format!(
                    "{:?}",
                    program.lambda_name(body, flow::LambdaId(lambda as u32))
                ));
            }
        }
    }
    out
}

#[test]
fn cut_files_resolve_as_from_scratch() {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|n| n.parse::<usize>().ok())
    };
    let cases = number("TELLTALE_CASES").unwrap_or(36);
    let root = std::env::var_os("TELLTALE_SUBJECTS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/cases"),
        PathBuf::from,
    );
    let files = sources(&root);
    assert!(!files.is_empty(), "no Java file under {}", root.display());
    let set = || vec![SourceSetInput::default()];
    for case in 0..cases {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (case as u64 + 1) << 20);
        let first = random.below(files.len().saturating_sub(FILES) + 1);
        let whole: Vec<(Arc<str>, Arc<str>)> = files[first..(first + FILES).min(files.len())]
            .iter()
            .map(|path| {
                let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
                (Arc::from(path.to_str().unwrap()), Arc::from(text))
            })
            .collect();
        let mut program = Program::build(set(), inputs(&whole));
        let mut texts = whole.clone();
        for _ in 0..3 {
            let mut changes = Vec::new();
            for (path, text) in &mut texts {
                if random.below(4) != 0 {
                    continue;
                }
                let at = text.floor_char_boundary(random.below(text.len()));
                let end = text.floor_char_boundary((at + random.below(400)).min(text.len()));
                *text = match random.below(3) {
                    0 => Arc::from(&text[..at]),
                    1 => Arc::from(&text[at..]),
                    _ => format!("{}{}", &text[..at], &text[end..]).into(),
                };
                changes.push(Change {
                    path: path.clone(),
                    text: Some(text.clone()),
                    source_set: SourceSetId(0),
                });
            }
            program = program.with_changes(changes);
            let fresh = Program::build(set(), inputs(&texts));
            let (edited, fresh) = (answers(&program), answers(&fresh));
            let differ = edited.iter().zip(&fresh).find(|(a, b)| a != b);
            assert!(
                edited == fresh,
                "case {case}, files from {}: {differ:?}",
                files[first].display()
            );
        }
    }
}
