//! Generated methods of many parts: four times the parts may take about four times the time.

use calls::Workspace;
use observe::{Settings, rank};
use std::fmt::Write as _;
use std::sync::Arc;

use program::{FileInput, Program, SourceSetId, SourceSetInput};

use super::load::timed;

/// Writes the body of a method of about `n` parts.
type Shape = fn(&mut String, usize);

/// The giants, with how many parts the larger of each has.
const SHAPES: &[(&str, usize, Shape)] = &[
    ("one variable", 20_000, |out, n| {
        lines(out, n, |i| format!("x = x * 31 + {i};"));
    }),
    ("all different", 20_000, |out, n| {
        lines(out, n, |i| format!("int v{} = v{i} + 1;", i + 1));
    }),
    ("array fills", 20_000, |out, n| {
        lines(out, n, |i| format!("a[{i}] = a[{}] + {i};", i / 2));
    }),
    ("calls", 20_000, |out, n| {
        lines(out, n, |i| format!("x = f(x, {i});"));
    }),
    ("ifs", 20_000, |out, n| {
        lines(out, n, |i| format!("if (x == {i}) {{ y = x; }}"));
    }),
    ("try blocks", 20_000, |out, n| {
        lines(out, n, |i| {
            format!("try {{ x = f(x, {i}); }} catch (RuntimeException e) {{ y = x; }}")
        });
    }),
    ("switch", 5_000, |out, n| {
        out.push_str("switch (p) {\n");
        lines(out, n, |i| format!("case {i}: x = y + {i}; break;"));
        out.push_str("}\n");
    }),
    ("else if", 5_000, |out, n| {
        lines(out, n, |i| format!("if (p == {i}) {{ x = y; }} else"));
        out.push_str("{ x = 0; }\n");
    }),
    ("fluent chain", 5_000, |out, n| {
        out.push_str("Giant g = this");
        lines(out, n, |i| format!(".with({i})"));
        out.push_str(";\n");
    }),
    ("array initialiser", 20_000, |out, n| {
        out.push_str("int[] b = {\n");
        lines(out, n, |i| format!("x + {i},"));
        out.push_str("};\n");
    }),
    ("concatenation", 5_000, |out, n| {
        out.push_str("String s = \"\"");
        lines(out, n, |i| format!(" + x + \"{i}\""));
        out.push_str(";\n");
    }),
];

fn lines(out: &mut String, n: usize, line: impl Fn(usize) -> String) {
    for i in 0..n {
        let _ = writeln!(out, "{}", line(i));
    }
}

pub(super) fn measure() {
    for &(name, most, shape) in SHAPES {
        let (small, large) = (time(most / 4, shape), time(most, shape));
        println!(
            "{name}: {} parts {:.0} + {:.0} ms (read + rank), {most} {:.0} + {:.0} ms: {:.1} x",
            most / 4,
            small.0,
            small.1,
            large.0,
            large.1,
            (large.0 + large.1) / (small.0 + small.1).max(0.1)
        );
    }
}

/// Milliseconds to a workspace of one class with one giant method, and to its ranking.
fn time(count: usize, shape: Shape) -> (f64, f64) {
    let mut text = "class Giant { int f(int p, int q) { return p + q; } Giant with(int i) { return this; }\nint m(int p, int[] a, int x) { int y = 0; int v0 = 0;\n".to_owned();
    shape(&mut text, count);
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
