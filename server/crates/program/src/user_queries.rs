//! What a workspace's own queries call tests and assertions, written into the records of a file.
//!
//! What they capture belongs to what a declaration or body says: a query that finds more or less makes it another one, so that
//! captures need no invalidation of their own.

use crate::declarations::FileSummary;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use syntax::{Queries, SourceFile, TestMarkKind};

/// Writes what `queries` find in `file`, beyond the built-in ones, into its summary. Cost: a walk of the tree a query.
pub(crate) fn apply(summary: &mut FileSummary, queries: &Queries, file: &SourceFile) {
    let tests = queries.user_tests(file);
    let assertions = queries.user_assertions(file);
    summary.queries_cut = tests.is_cut || assertions.is_cut;
    let tests: FxHashMap<u32, TestMarkKind> = tests
        .captures
        .into_iter()
        .map(|t| (t.name.start, t.kind))
        .collect();
    let mut all = FxHasher::default();
    for (t, ty) in summary.types.iter_mut().enumerate() {
        for (m, method) in ty.methods.iter_mut().enumerate() {
            if method.implicit {
                continue;
            }
            method.captured = tests.get(&method.name_span.start).copied();
            if let Some(kind) = method.captured {
                method.hash = mixed(method.hash, kind);
                (t, m, kind).hash(&mut all);
            }
        }
    }
    summary.declarations_hash = mixed(summary.declarations_hash, all.finish());
    let mut ends: Vec<u32> = assertions.captures.iter().map(|a| a.args.end).collect();
    ends.sort_unstable();
    if ends.is_empty() {
        return;
    }
    for body in &mut summary.bodies {
        // Calls of a member follow its first byte; a nested class's body takes its own, so a call may be listed twice.
        let after = ends.partition_point(|&end| end < body.start);
        let last = body.body.exprs.iter().map(|e| e.end).max().unwrap_or(0);
        body.assertions = ends[after..]
            .iter()
            .map(|end| end - body.start)
            .take_while(|&end| end <= last)
            .collect();
        if !body.assertions.is_empty() {
            body.hash = mixed(body.hash, &body.assertions);
        }
    }
}

fn mixed(hash: u64, with: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    (hash, with).hash(&mut hasher);
    hasher.finish()
}
