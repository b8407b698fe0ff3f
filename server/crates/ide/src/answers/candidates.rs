//! Vertices of an assembled graph as the contracts describe candidates.

use super::{CandidateKind, Role};
use crate::words::named;
use calls::Unit;
use flow::VariableKind;
use observe::{Assembled, Node};
use program::{FileId, Program};
use recommend::{Doubt, Observation};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;
use text::{Encoding, LineIndex, Span};

/// A candidate as the contract has it.
#[derive(Clone, Debug, Serialize)]
pub struct Described {
    pub id: u32,
    pub variable: String,
    pub kind: CandidateKind,
    #[serde(rename = "type")]
    pub ty: String,
    pub role: Role,
    pub method: String,
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct CoveredValue {
    pub id: u32,
    pub variable: String,
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub foc: f64,
    pub via: Vec<u32>,
}

#[derive(Debug, Serialize)]
pub struct RankedValue {
    pub rank: usize,
    pub gain: f64,
    pub foc: f64,
    pub candidate: Described,
    pub stands_for: Vec<CoveredValue>,
    /// What it stands in for, in words.
    pub because: String,
    /// Of a value that a test could read: true if it looks worth an assertion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<bool>,
    /// Of a value that a test could read: why it may not be worth a look; a lens names only what none concerns.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "super::kinds::doubt"
    )]
    pub doubt: Option<Doubt>,
    /// Of a value that a test could read, that does not look worth an assertion and that no doubt concerns: the test checks
    /// something else, or says that it need only run.
    #[serde(skip)]
    pub is_passed_over: bool,
    /// Of a value that a test could read: the line of the last call that gave or changed its object, as far as one is known. From there
    /// on it is what is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_line: Option<u32>,
    /// What it was when the test ran and passed, with the code of today and equal in both runs, as people read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<String>,
    /// Of a value inside, for one test: how that test can check it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<&'static str>,
    /// Of a ranking of a folder: what tests check of the method around it, as far as code tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<CheckedValues>,
    /// Of a ranking of a folder: the test that comes here by the fewest calls; `Some(None)` if none does. Nothing where that is
    /// not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest_test: Option<Option<NearestTest>>,
    /// A user said *Not this one* of it: text leaves it out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dismissed: bool,
}

/// How many values of a method may flow into an assertion of some test.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CheckedValues {
    /// How many it has.
    pub values: u32,
    /// How many of them may.
    pub read: u32,
    /// The ranked one may.
    pub this: bool,
}

/// A test that comes to a method.
#[derive(Clone, Debug, Serialize)]
pub struct NearestTest {
    /// `pkg.StatsTest#mixed()`.
    pub test: String,
    pub path: String,
    pub line: u32,
    /// By how many calls: 1 if it calls the method itself, or code of tests does for it.
    pub calls: u32,
}

/// Describes the vertices of one graph.
pub struct Describer<'a> {
    workspace: &'a calls::Workspace,
    units: &'a [Unit],
    graph: &'a Assembled,
    observations: Option<&'a FxHashMap<u32, Observation>>,
    lines: RefCell<FxHashMap<FileId, Rc<LineIndex>>>,
}

impl<'a> Describer<'a> {
    pub fn new(
        workspace: &'a calls::Workspace,
        units: &'a [Unit],
        graph: &'a Assembled,
        observations: Option<&'a FxHashMap<u32, Observation>>,
    ) -> Describer<'a> {
        Describer {
            workspace,
            units,
            graph,
            observations,
            lines: RefCell::default(),
        }
    }

    fn program(&self) -> &'a Program {
        self.workspace.program()
    }

    fn line_index(&self, file: FileId) -> Rc<LineIndex> {
        let mut lines = self.lines.borrow_mut();
        let text = self
            .program()
            .text(file)
            .cloned()
            .unwrap_or_else(|| "".into());
        Rc::clone(
            lines
                .entry(file)
                .or_insert_with(|| Rc::new(LineIndex::new(&text))),
        )
    }

    /// Path and 1-based line of a vertex.
    pub fn describe(&self, vertex: u32) -> Described {
        let program = self.program();
        let (variable, kind, ty, method, file, span) =
            match named(program, self.units, self.graph, vertex) {
                Some(own) => {
                    let variable = match own.kind {
                        VariableKind::Return => short_method(&own.binary),
                        _ => own.name,
                    };
                    let ty = self.type_of(vertex).unwrap_or_default();
                    (
                        variable,
                        CandidateKind::Variable(own.kind),
                        ty,
                        own.binary,
                        own.file,
                        own.span,
                    )
                }
                None => match self.asked(vertex) {
                    Some((o, file)) => (
                        o.expression.to_string(),
                        CandidateKind::Query,
                        o.ty.to_string(),
                        program.body_name(o.body).unwrap_or_default(),
                        file,
                        Span::new(o.start, o.end),
                    ),
                    None => return self.unknown(vertex),
                },
            };
        let index = self.line_index(file);
        let (from, to) = (
            index.position(span.start, Encoding::Utf16),
            index.position(span.end, Encoding::Utf16),
        );
        let is_query = kind == CandidateKind::Query;
        Described {
            id: vertex,
            expression: is_query.then(|| variable.clone()),
            variable,
            kind,
            ty,
            role: match program.is_test(file) {
                true => Role::Test,
                false => Role::Production,
            },
            method,
            path: program
                .path(file)
                .map_or_else(String::new, |p| p.to_string()),
            line: from.line + 1,
            column: from.column + 1,
            end_line: to.line + 1,
            end_column: to.column + 1,
        }
    }

    /// The 1-based line of an offset in the file in which an observation point stands.
    pub fn line_of(&self, vertex: u32, offset: u32) -> Option<u32> {
        let (_, file) = self.asked(vertex)?;
        let index = self.line_index(file);
        Some(index.position(offset, Encoding::Utf16).line + 1)
    }

    /// The type of the value that a statement defines.
    fn type_of(&self, vertex: u32) -> Option<String> {
        let Node::Real { unit, candidate } = *self.graph.nodes.get(vertex as usize)? else {
            return None;
        };
        let unit = &self.units[unit.ix()];
        let value = unit.chains.candidates[candidate as usize].value?;
        let resolved = self.workspace.resolved(unit.body)?;
        let ty = *resolved.types.get(value.ix())?;
        Some(self.program().type_text(ty).to_string())
    }

    /// The observation point of a vertex, and the file in which it stands.
    fn asked(&self, vertex: u32) -> Option<(&'a Observation, FileId)> {
        let observation = self.observations?.get(&vertex)?;
        Some((observation, self.program().body_file(observation.body)?))
    }

    fn unknown(&self, vertex: u32) -> Described {
        Described {
            id: vertex,
            variable: String::new(),
            kind: CandidateKind::Query,
            ty: String::new(),
            role: Role::Test,
            method: String::new(),
            path: String::new(),
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
            expression: None,
        }
    }

    /// The source line of a described candidate, without indentation.
    pub fn source_line(&self, c: &Described) -> String {
        let program = self.program();
        let Some(file) = program.file(&c.path) else {
            return String::new();
        };
        let index = self.line_index(file);
        let (Some(span), Some(text)) = (index.line(c.line - 1), program.text(file)) else {
            return String::new();
        };
        text.get(span.range()).unwrap_or("").trim().to_owned()
    }

    fn is_defined(&self, vertex: u32) -> bool {
        let node = self.graph.nodes.get(vertex as usize);
        matches!(node, Some(Node::Real { .. }))
    }

    /// Every candidate, in order of position. Vertices that only stand for what an assertion reads are none.
    pub fn all(&self) -> Vec<Described> {
        let offered = |v: &u32| self.observations.is_some_and(|o| o.contains_key(v));
        (0..self.graph.psg.vertex_count())
            .filter(|v| self.is_defined(*v) || offered(v))
            .map(|v| self.describe(v))
            .collect()
    }
}

/// `name` of `pkg.Class#name(int)`.
fn short_method(method: &str) -> String {
    let member = method.rsplit('#').next().unwrap_or(method);
    member.split('(').next().unwrap_or(member).to_owned()
}
