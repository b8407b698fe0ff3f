//! The rules of `docs/method.md` §1.1-1.3, each on the smallest program that shows it.
#![allow(clippy::unwrap_used)]

mod branches;
mod edges;
mod forms;
mod links;

use calls::{Unit, Workspace};
use chains::Candidate;
use flow::VariableKind;
use observe::{Assembled, EdgeRef, Node, assemble};
use program::{FileInput, Program, SourceSetId, SourceSetInput};
use testkit::{Fixture, FixtureFile, Mark, check_marks, fraction};
use text::Span;

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

    /// The candidate that a vertex is, with the unit of its body.
    fn unit_of(&self, vertex: u32) -> (&Unit, &Candidate) {
        let Node::Real { unit, candidate } = self.graph.nodes[vertex as usize] else {
            panic!("nothing else was asked for");
        };
        let unit = &self.units[unit.ix()];
        (unit, &unit.chains.candidates[candidate as usize])
    }

    /// Where the name stands that is defined, or the value that a method returns.
    fn span(&self, vertex: u32) -> Span {
        let (unit, candidate) = self.unit_of(vertex);
        let body = &self.workspace.program().body(unit.body).unwrap().body;
        let (start, end) = match candidate.def.map(|d| body.defs[d.ix()].name_start) {
            Some(start) => (start, start + candidate.variable.len() as u32),
            None => (candidate.start, candidate.end),
        };
        Span::new(unit.start + start, unit.start + end)
    }

    fn name(&self, vertex: u32) -> &str {
        let (_, candidate) = self.unit_of(vertex);
        match candidate.kind {
            VariableKind::Return => "return",
            _ => &candidate.variable,
        }
    }

    /// The name of what is defined; of several of that name with a number, in order of the text.
    fn label(&self, vertex: u32) -> String {
        let name = self.name(vertex);
        let all = 0..self.graph.nodes.len() as u32;
        let mut own: Vec<u32> = all.filter(|v| self.name(*v) == name).collect();
        own.sort_by_key(|v| self.span(*v).start);
        match own.iter().position(|v| *v == vertex) {
            Some(at) if own.len() > 1 => format!("{name}#{}", at + 1),
            _ => name.to_owned(),
        }
    }

    /// At each definition what it uses, in order of the text: `x: r return 1/2`, with ` cut` where it is cut.
    fn marks(&self, file: &FixtureFile) -> Vec<Mark> {
        let used = |e: EdgeRef| {
            let cut = if e.cut { " cut" } else { "" };
            let (kind, to) = (e.kind.name(), self.label(e.to));
            format!("{to} {kind} {}{cut}", fraction(e.probability))
        };
        let of = |vertex: u32| {
            let edges = self.graph.psg.edges().filter(|e| e.from == vertex);
            let mut edges: Vec<EdgeRef> = edges.collect();
            edges.sort_by_key(|e| self.span(e.to).start);
            let all: Vec<String> = edges.into_iter().map(used).collect();
            let text = format!("{}: {}", self.label(vertex), all.join(", "));
            (!all.is_empty()).then(|| file.mark(self.span(vertex), text))
        };
        (0..self.graph.nodes.len() as u32).filter_map(of).collect()
    }
}

/// Compares the edges of a program of one file with its marks.
#[track_caller]
fn check_edges(java: &str) {
    check_edges_among(java, |_| true);
}

/// The same with the bodies of some classes alone.
#[track_caller]
fn check_edges_among(java: &str, keeps: impl Fn(&str) -> bool) {
    let fixture = Fixture::parse(java);
    let file = &fixture.files[0];
    let found = Case::new(&file.text, keeps).marks(file);
    check_marks(&fixture, found.into_iter().map(|mark| (0, mark)));
}

/// The same of a class that has a method with some parameters and some statements.
#[track_caller]
fn check_method(parameters: &str, statements: &str) {
    check_edges(&format!(
        "class A {{\nvoid m({parameters}) {{{statements}}} }}"
    ));
}

/// Compares the candidates of a program of one file with its marks, which say what each is.
#[track_caller]
fn check_candidates(java: &str) {
    let fixture = Fixture::parse(java);
    let file = &fixture.files[0];
    let case = Case::new(&file.text, |_| true);
    let mark = |v: u32| {
        let kind = format!("{:?}", case.unit_of(v).1.kind);
        file.mark(case.span(v), kind.replace("aP", "a-P").to_lowercase())
    };
    let found = (0..case.graph.nodes.len() as u32).map(mark);
    check_marks(&fixture, found.map(|mark| (0, mark)));
}
