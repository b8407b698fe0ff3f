//! Generated methods of many statements: twice the statements may take about twice the time.

use std::fmt::Write as _;
use std::sync::Arc;

use observe::rank::{Settings, rank};
use observe::workspace::Workspace;
use program::{FileInput, Program, SourceSetId, SourceSetInput};

use super::load::timed;

/// Writes the `i`-th statement.
type Statement = fn(&mut String, usize);

/// The shapes of a giant.
const SHAPES: &[(&str, Statement)] = &[
    ("straight line", |out, i| {
        let _ = writeln!(out, "int v{i} = v{} + {i};", i.saturating_sub(1));
    }),
    ("array fills", |out, i| {
        let _ = writeln!(out, "a[{i}] = a[{}] + {i};", i / 2);
    }),
    ("one variable", |out, i| {
        let _ = writeln!(out, "x = x * 31 + {i};");
    }),
    ("if chain", |out, i| {
        let _ = writeln!(out, "if (x == {i}) {{ y = x; }}");
    }),
    ("calls", |out, i| {
        let _ = writeln!(out, "x = f(x, {i});");
    }),
];

pub(super) fn measure() {
    for (name, statement) in SHAPES {
        let (small, large) = (time(5_000, *statement), time(20_000, *statement));
        println!(
            "{name}: 5,000 statements {:.0} + {:.0} ms (read + rank), 20,000 {:.0} + {:.0} ms: {:.1} x",
            small.0,
            small.1,
            large.0,
            large.1,
            (large.0 + large.1) / (small.0 + small.1).max(0.1)
        );
    }
}

/// Milliseconds to a workspace of one class with one giant method, and to its ranking.
fn time(count: usize, statement: Statement) -> (f64, f64) {
    let mut text = "class Giant { int f(int p, int q) { return p + q; } int m(int v, int[] a, int x) { int y = 0; int v0 = 0;\n".to_owned();
    for i in 1..=count {
        statement(&mut text, i);
    }
    text.push_str("return x; } }\n");
    let file = FileInput {
        path: Arc::from("Giant.java"),
        source_set: SourceSetId(0),
        text: text.into(),
    };
    let sets = vec![SourceSetInput::default()];
    let (workspace, read) = timed(|| Workspace::new(Program::build(sets, vec![file])));
    let (ranking, ranked) = timed(|| {
        let units = workspace.units(&|_, _, _| true);
        rank(&workspace, &units, &Settings::default())
    });
    std::hint::black_box(ranking.ranking.len());
    (read, ranked)
}
