//! The rules of `docs/method.md` §1.1-1.3, each on the smallest program that shows it.
#![allow(clippy::unwrap_used)]

mod branches;
mod edges;
mod forms;
mod links;

use calls::{Unit, Workspace};
use flow::VariableKind;
use observe::{Assembled, Node, assemble};
use program::{FileInput, Program, SourceSetId, SourceSetInput};

/// A program of one file, with what of it is in scope.
struct Case {
    workspace: Workspace,
    units: Vec<Unit>,
    graph: Assembled,
}

impl Case {
    /// With the bodies of the classes that are kept, by name.
    fn new(java: &str, keeps: impl Fn(&str) -> bool) -> Case {
        let file = FileInput {
            path: "A.java".into(),
            source_set: SourceSetId(0),
            text: java.into(),
        };
        let program = Program::build(vec![SourceSetInput::default()], vec![file]);
        let workspace = Workspace::new(program);
        let program = workspace.program();
        let keeps = |body| keeps(program.type_name(program.body_owner(body)));
        let units = workspace.units(&|_, _, body| keeps(body));
        let graph = assemble(&units, &workspace, &[]);
        Case {
            workspace,
            units,
            graph,
        }
    }

    /// `variable@line`, and what it is; a value that a method returns is `return@line`.
    fn place(&self, vertex: u32) -> (String, VariableKind) {
        let Node::Real { unit, candidate } = self.graph.nodes[vertex as usize] else {
            panic!("nothing else was asked for");
        };
        let unit = &self.units[unit.ix()];
        let candidate = &unit.chains.candidates[candidate as usize];
        let program = self.workspace.program();
        let text = program.text(program.body_file(unit.body).unwrap()).unwrap();
        let before = &text[..(unit.start + candidate.start) as usize];
        let variable = match candidate.kind {
            VariableKind::Return => "return",
            _ => &candidate.variable,
        };
        let line = before.matches('\n').count() + 1;
        (format!("{variable}@{line}"), candidate.kind)
    }

    /// One line an edge: `x@5 -> r@2 return 1/2`, with ` cut` where it is cut.
    fn edges(&self) -> String {
        let line = |e: observe::EdgeRef| {
            let kind = e.kind.name();
            let (from, to) = (self.place(e.from).0, self.place(e.to).0);
            let cut = if e.cut { " cut" } else { "" };
            format!("{from} -> {to} {kind} {}{cut}\n", fraction(e.probability))
        };
        self.graph.psg.edges().map(line).collect()
    }
}

/// A probability as people write it: 1, 1/8, 5/6.
fn fraction(p: f64) -> String {
    for d in 1..=64_u32 {
        let n = p * f64::from(d);
        if (n - n.round()).abs() < 1e-12 {
            return match d {
                1 => n.round().to_string(),
                _ => format!("{}/{d}", n.round()),
            };
        }
    }
    p.to_string()
}

/// One line a candidate of a program of one file, in order: `x@5 local`.
fn candidates_of(java: &str) -> String {
    let case = Case::new(java, |_| true);
    let line = |v: usize| {
        let (place, kind) = case.place(v as u32);
        let kind = format!("{kind:?}").replace("aP", "a-P").to_lowercase();
        format!("{place} {kind}\n")
    };
    (0..case.graph.nodes.len()).map(line).collect()
}

fn sorted(lines: &str) -> String {
    let mut lines: Vec<&str> = lines
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// Compares the edges of a program of one file with what is expected, one a line, in any order.
#[track_caller]
fn check_edges(java: &str, expected: &str) {
    let (is, expected) = (sorted(&Case::new(java, |_| true).edges()), sorted(expected));
    assert!(
        is == expected,
        "is:\n{is}\n\nshould be:\n{expected}\n\nof:\n{java}"
    );
}

/// The same of a class `A` that has a method with some parameters, on line 2, and some statements, from line 3 on.
#[track_caller]
fn check_method(parameters: &str, statements: &str, expected: &str) {
    let java = format!("class A {{\nvoid m({parameters}) {{\n{statements}\n}} }}");
    check_edges(&java, expected);
}
