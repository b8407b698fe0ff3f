//! The substitution graph and the call graph of a scope: `telltale.graph/1`, `telltale.calls/1`.

use super::{Answer, Described, Describer, Ground, Scope, ScopeKind, ScopeName, What, all_tests};
use calls::{Technique, Workspace};
use observe::assemble;
use oracle::TestRun;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use text::{Encoding, LineIndex};

#[derive(Debug, Serialize)]
pub struct GraphEdge {
    pub from: u32,
    pub to: u32,
    pub kind: &'static str,
    pub probability: f64,
    pub cut: bool,
}

#[derive(Debug, Serialize)]
pub struct Graph {
    pub schema: &'static str,
    pub root: String,
    pub scope: ScopeName,
    pub nodes: Vec<Described>,
    pub edges: Vec<GraphEdge>,
}

#[derive(Debug, Serialize)]
pub struct CalledMethod {
    pub name: String,
    pub path: String,
    pub line: u32,
    pub entry: bool,
    pub test: bool,
}

#[derive(Debug, Serialize)]
pub struct Calls {
    pub schema: &'static str,
    pub scope: ScopeName,
    pub technique: &'static str,
    pub methods: Vec<CalledMethod>,
    pub calls: Vec<(u32, u32)>,
}

/// The substitution graph of a scope: that of its answer, where there is one and it was ranked.
pub fn graph(ground: &Ground<'_>, scope: Scope, answer: Option<&Answer>) -> Graph {
    let workspace = ground.analysis.workspace();
    let own;
    let (units, graph) = match answer.and_then(Answer::ranked) {
        Some(ranked) => ranked,
        None => {
            let units = scope.units(workspace);
            let graph = assemble(&units, workspace, &[]);
            own = (units, graph);
            (&own.0[..], &own.1)
        }
    };
    let describer = Describer::new(workspace, units, graph, None);
    let edges = graph
        .psg
        .edges()
        .map(|e| GraphEdge {
            from: e.from,
            to: e.to,
            kind: e.kind.name(),
            probability: e.probability,
            cut: e.cut,
        })
        .collect();
    Graph {
        schema: "telltale.graph/1",
        root: ground.root.clone(),
        scope: ScopeName {
            kind: scope.kind,
            name: scope.name,
        },
        nodes: describer.all(),
        edges,
    }
}

/// Who calls whom, of what the tests of a scope run; without tests, of what all run.
pub fn calls(workspace: &Workspace, scope: Scope) -> Calls {
    let program = workspace.program();
    // Without a test the scope is the suite.
    let tests: Vec<TestRun> = match &scope.what {
        What::Tests(tests) => tests.clone(),
        _ => all_tests(workspace),
    };
    let (kind, name) = match &scope.what {
        What::Tests(_) => (scope.kind, scope.name.clone()),
        _ => (ScopeKind::Suite, "all".to_owned()),
    };
    let roots: Vec<_> = tests
        .iter()
        .flat_map(|r| workspace.test_roots(*r))
        .collect();
    let entries: BTreeSet<_> = roots.iter().copied().collect();
    let reached = workspace.reached_by(&tests, Technique::Hierarchy);
    let mut by_name: BTreeMap<String, program::BodyId> = BTreeMap::new();
    for body in program.bodies().filter(|b| reached.contains(*b)) {
        if let Some(name) = program.body_name(body) {
            by_name.entry(name).or_insert(body);
        }
    }
    let number: BTreeMap<program::BodyId, u32> = by_name
        .values()
        .enumerate()
        .map(|(i, b)| (*b, i as u32))
        .collect();
    let mut methods = Vec::new();
    let mut edges: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (name, &body) in &by_name {
        let Some(file) = program.body_file(body) else {
            continue;
        };
        let (Some(path), Some(text), Some(decl)) =
            (program.path(file), program.text(file), program.body(body))
        else {
            continue;
        };
        let line = LineIndex::new(text)
            .position(decl.start, Encoding::Utf16)
            .line
            + 1;
        let test = program
            .body_method(body)
            .is_some_and(|m| tests.iter().any(|r| r.test == m));
        methods.push(CalledMethod {
            name: name.clone(),
            path: path.to_string(),
            line,
            entry: entries.contains(&body),
            test,
        });
        let Some(chains) = workspace.chains(body) else {
            continue;
        };
        let mut edge = |callee: &program::BodyId| {
            if let (Some(&from), Some(&to)) = (number.get(&body), number.get(callee)) {
                edges.insert((from, to));
            }
        };
        for site in &chains.calls {
            let callees = workspace.call_graph().targets(site);
            callees.bodies().iter().for_each(&mut edge);
        }
        // What Java or a library calls is called from here too.
        for asking in &chains.askings {
            let unwritten = program.unwritten(asking.on, asking.asked);
            unwritten.ways.iter().flatten().for_each(&mut edge);
        }
    }
    Calls {
        schema: "telltale.calls/1",
        scope: ScopeName { kind, name },
        technique: "hierarchy",
        methods,
        calls: edges.into_iter().collect(),
    }
}
