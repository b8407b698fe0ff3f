//! Generated giants: nothing overflows a small stack, nothing is lost, and what is kept grows with the code.
//!
//! How long they take is printed by `cargo xtask bench --only stress`.
#![allow(clippy::unwrap_used)]

use calls::Workspace;
use observe::{Settings, rank};
use program::{FileInput, Program, SourceSetId, SourceSetInput};
use std::fmt::Write;
use std::sync::Arc;

/// What stack a thread of a language server may have.
const STACK: usize = 2 << 20;

struct Giant {
    candidates: usize,
    chains: usize,
    ranked: usize,
}

/// Analyses one class whose method `m` has the body `write` makes, on a small stack.
fn giant(write: impl FnOnce(&mut String)) -> Giant {
    let mut text = String::from(
        "class Giant { int f(int p, int q) { return p + q; } Giant with(int i) { return this; }\n\
         int m(int p, int[] a, int x) { int y = 0; int v0 = 0;\n",
    );
    write(&mut text);
    text.push_str("return x; } }\n");
    let run = move || {
        let file = FileInput {
            path: Arc::from("Giant.java"),
            source_set: SourceSetId(0),
            text: text.into(),
        };
        let program = Program::build(vec![SourceSetInput::default()], vec![file]);
        let workspace = Workspace::new(program);
        let program = workspace.program();
        let of = |&body: &_| workspace.chains(body).unwrap();
        let bodies: Vec<_> = program.bodies().collect();
        let ranking = rank(
            &workspace,
            &workspace.units(&|_, _, _| true),
            &Settings::default(),
        );
        Giant {
            candidates: bodies.iter().map(|b| of(b).candidates.len()).sum(),
            chains: bodies.iter().map(|b| of(b).chains.len()).sum(),
            ranked: ranking.ranking.len(),
        }
    };
    // The pool that bodies are spread over has small stacks, too.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .stack_size(STACK)
        .build()
        .unwrap();
    pool.install(run)
}

fn lines(out: &mut String, n: usize, line: impl Fn(usize) -> String) {
    for i in 0..n {
        writeln!(out, "{}", line(i)).unwrap();
    }
}

/// The candidates that the frame of [`giant`] has: five parameters, `y`, `v0` and the result of `f`.
const FRAME: usize = 9;

#[track_caller]
fn check(found: &Giant, parts: usize, most_chains_a_part: usize) {
    assert!(found.candidates >= parts, "{} candidates", found.candidates);
    assert!(
        found.candidates <= 2 * parts + FRAME,
        "{} candidates",
        found.candidates
    );
    let most = most_chains_a_part * parts + FRAME;
    assert!(found.chains <= most, "{} chains", found.chains);
    assert_eq!(found.ranked, 10);
}

#[test]
fn straight_lines() {
    let n = 20_000;
    check(
        &giant(|t| lines(t, n, |i| format!("x = x * 31 + {i};"))),
        n,
        2,
    );
    let different = |t: &mut String| lines(t, n, |i| format!("int v{} = v{i} + 1;", i + 1));
    check(&giant(different), n, 2);
    check(&giant(|t| lines(t, n, |i| format!("x = f(x, {i});"))), n, 2);
}

/// Every element that is assigned may be any that is read: what is kept a variable is bounded.
#[test]
fn array_fills() {
    let n = 20_000;
    let fills = giant(|t| lines(t, n, |i| format!("a[{i}] = a[{}] + {i};", i / 2)));
    check(&fills, n, 80);
}

#[test]
fn branches() {
    let n = 20_000;
    let ifs = |t: &mut String| lines(t, n, |i| format!("if (x == {i}) {{ y = x; }}"));
    check(&giant(ifs), n, 2);
    let tries = |t: &mut String| {
        lines(t, n, |i| {
            format!("try {{ x = f(x, {i}); }} catch (RuntimeException e) {{ y = x; }}")
        });
    };
    let found = giant(tries);
    assert!(found.candidates >= 2 * n);
    assert_eq!(found.ranked, 10);
    let n = 5_000;
    let switch = |t: &mut String| {
        t.push_str("switch (p) {\n");
        lines(t, n, |i| format!("case {i}: x = y + {i}; break;"));
        t.push_str("}\n");
    };
    check(&giant(switch), n, 3);
    let else_if = |t: &mut String| {
        lines(t, n, |i| format!("if (p == {i}) {{ x = y; }} else"));
        t.push_str("{ x = 0; }\n");
    };
    check(&giant(else_if), n, 3);
}

#[test]
fn long_expressions() {
    let n = 5_000;
    let fluent = giant(|t| {
        t.push_str("Giant g = this");
        lines(t, n, |i| format!(".with({i})"));
        t.push_str(";\n");
    });
    assert!(fluent.candidates > 5, "{} candidates", fluent.candidates);
    let concatenation = giant(|t| {
        t.push_str("String s = \"\"");
        lines(t, n, |i| format!(" + x + \"{i}\""));
        t.push_str(";\n");
    });
    assert!(concatenation.chains >= 1);
    let initialiser = giant(|t| {
        t.push_str("int[] b = {\n");
        lines(t, 20_000, |i| format!("x + {i},"));
        t.push_str("};\n");
    });
    assert!(initialiser.chains >= 1);
    // One variable is used thousands of times by one definition: one chain is enough.
    for found in [&fluent, &concatenation, &initialiser] {
        assert!(
            found.chains <= 2 * 20_000 + FRAME,
            "{} chains",
            found.chains
        );
    }
}
