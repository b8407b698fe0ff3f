//! Vertices of an assembled graph as the contracts describe candidates.

use calls::Unit;
use flow::{Callable, VariableKind};
use observe::{Assembled, Node};
use program::{FileId, Program};
use recommend::Observation;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;
use text::{Encoding, LineIndex};

/// A candidate as the contract has it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CandidateJson {
    pub(crate) id: u32,
    pub(crate) variable: String,
    pub(crate) kind: &'static str,
    #[serde(rename = "type")]
    pub(crate) ty: String,
    pub(crate) role: &'static str,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
    pub(crate) end_column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expression: Option<String>,
}

/// Describes the vertices of one graph.
pub(crate) struct Describer<'a> {
    workspace: &'a calls::Workspace,
    units: &'a [Unit],
    graph: &'a Assembled,
    observations: Option<&'a FxHashMap<u32, Observation>>,
    lines: RefCell<FxHashMap<FileId, Rc<LineIndex>>>,
}

pub(crate) fn kind_name(kind: VariableKind) -> &'static str {
    match kind {
        VariableKind::Local => "local",
        VariableKind::Parameter => "parameter",
        VariableKind::Field => "field",
        VariableKind::Array => "array",
        VariableKind::Return => "return",
        VariableKind::Loop => "loop",
        VariableKind::Catch => "catch",
        VariableKind::Resource => "resource",
        VariableKind::Pattern => "pattern",
        VariableKind::LambdaParameter => "lambda-parameter",
    }
}

impl<'a> Describer<'a> {
    pub(crate) fn new(
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

    /// The unit of a vertex.
    fn unit(&self, vertex: u32) -> Option<(&'a Unit, Option<u32>)> {
        match *self.graph.nodes.get(vertex as usize)? {
            Node::Real { unit, candidate } => Some((&self.units[unit as usize], Some(candidate))),
            Node::Query(_) => None,
        }
    }

    /// Path and 1-based line of a vertex.
    pub(crate) fn describe(&self, vertex: u32) -> CandidateJson {
        let program = self.program();
        let observation = self.observations.and_then(|o| o.get(&vertex));
        let (unit, candidate) = match self.unit(vertex) {
            Some(found) => found,
            None => (
                &self.units[self.graph.psg.unit(vertex).unwrap_or(0) as usize],
                None,
            ),
        };
        let file = match program.body_file(unit.body) {
            Some(file) => file,
            None => return self.unknown(vertex),
        };
        let index = self.line_index(file);
        let path = program
            .path(file)
            .map(|p| p.to_string())
            .unwrap_or_default();
        let role = if program.is_test(file) {
            "test"
        } else {
            "production"
        };
        let mut method = program.body_name(unit.body).unwrap_or_default();
        let (variable, kind, ty, start, end) = match candidate {
            Some(c) => {
                let cand = &unit.chains.candidates[c as usize];
                if let Callable::Lambda(l) = cand.callable {
                    method = program.lambda_name(unit.body, l).unwrap_or(method);
                }
                let variable = if cand.kind == VariableKind::Return {
                    short_method(&method)
                } else {
                    cand.variable.to_string()
                };
                let ty = cand
                    .value
                    .and_then(|e| {
                        self.workspace
                            .resolved(unit.body)?
                            .types
                            .get(e.ix())
                            .copied()
                    })
                    .map(|t| program.type_text(t).to_string())
                    .unwrap_or_default();
                (
                    variable,
                    kind_name(cand.kind),
                    ty,
                    unit.start + cand.start,
                    unit.start + cand.end,
                )
            }
            None => match observation {
                Some(o) => (
                    o.expression.to_string(),
                    "query",
                    o.ty.to_string(),
                    o.start,
                    o.end,
                ),
                None => return self.unknown(vertex),
            },
        };
        let (from, to) = (
            index.position(start, Encoding::Utf16),
            index.position(end, Encoding::Utf16),
        );
        CandidateJson {
            id: vertex,
            variable,
            kind,
            ty,
            role,
            method,
            path,
            line: from.line + 1,
            column: from.column + 1,
            end_line: to.line + 1,
            end_column: to.column + 1,
            expression: observation
                .filter(|_| candidate.is_none())
                .map(|o| o.expression.to_string()),
        }
    }

    fn unknown(&self, vertex: u32) -> CandidateJson {
        CandidateJson {
            id: vertex,
            variable: String::new(),
            kind: "query",
            ty: String::new(),
            role: "test",
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
    pub(crate) fn source_line(&self, c: &CandidateJson) -> String {
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

    /// Every candidate, in order of position. Vertices that only stand for what an assertion reads are none.
    pub(crate) fn all(&self) -> Vec<CandidateJson> {
        let offered = |v: &u32| self.observations.is_some_and(|o| o.contains_key(v));
        (0..self.graph.psg.vertex_count())
            .filter(|v| self.unit(*v).is_some_and(|u| u.1.is_some()) || offered(v))
            .map(|v| self.describe(v))
            .collect()
    }
}

/// `name` of `pkg.Class#name(int)`.
pub(crate) fn short_method(method: &str) -> String {
    let member = method.rsplit('#').next().unwrap_or(method);
    member.split('(').next().unwrap_or(member).to_owned()
}

/// `Class.name` of `pkg.Class#name(int)`; `new Class` for constructors, `a lambda in …` for lambdas.
pub(crate) fn readable_method(method: &str) -> String {
    if let Some((around, number)) = method.rsplit_once("$lambda")
        && around.contains('#')
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        return format!("a lambda in {}", readable_method(around));
    }
    let (class, _) = method.split_once('#').unwrap_or((method, ""));
    let class = class.rsplit('.').next().unwrap_or(class).replace('$', ".");
    match short_method(method).as_str() {
        "<init>" => format!("new {class}"),
        "<clinit>" => format!("static {class}"),
        name => format!("{class}.{name}"),
    }
}
