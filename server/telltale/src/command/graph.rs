//! `telltale graph`: the substitution graph or the call graph of a scope, as DOT, SVG or JSON.

use super::observe::{self as answer, Ground};
use super::picture;
use crate::args::{Graph, GraphFormat, GraphKind};
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::report::candidates::{Describer, readable_method};
use crate::report::json::{CallsJson, EdgeJson, GraphJson, MethodJson, ScopeJson};
use crate::scope::{self, Scope, What};
use crate::screen::{Notation, Screen};
use calls::Technique;
use draw::{DrawEdge, DrawGraph, DrawNode, SvgOptions, dot, svg};
use observe::{EdgeKind, assemble};
use oracle::TestRun;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use text::{Encoding, LineIndex};

pub(crate) fn run(args: &Graph) -> Result<(), Failure> {
    let loaded = load(&args.place)?;
    let scope = scope::find(&args.place, &loaded)?;
    let notation = match args.format {
        GraphFormat::Json => Notation::Json,
        GraphFormat::Dot | GraphFormat::Svg => Notation::Text,
    };
    let out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut out = Screen::new(out, notation);
    match args.kind {
        GraphKind::Substitution => {
            let ground = answer::ground(&loaded, answer::defaults(&loaded));
            substitution(&mut out, args.format, &ground, scope)?;
        }
        GraphKind::Calls => calls(&mut out, args.format, &loaded, scope)?,
    }
    out.flush()?;
    Ok(())
}

/// Writes the substitution graph of a scope.
pub(crate) fn substitution(
    out: &mut dyn Write,
    format: GraphFormat,
    ground: &Ground<'_>,
    scope: Scope,
) -> Result<(), Failure> {
    match format {
        GraphFormat::Json => {
            let workspace = ground.workspace;
            let units = scope.units(workspace);
            let graph = assemble(&units, workspace, &[]);
            let describer = Describer::new(workspace, &units, &graph, None);
            let edges = graph
                .psg
                .edges()
                .map(|e| EdgeJson {
                    from: e.from,
                    to: e.to,
                    kind: edge_kind(e.kind),
                    probability: e.probability,
                    cut: e.cut,
                })
                .collect();
            let json = GraphJson {
                schema: "telltale.graph/1",
                root: ground.root.to_string_lossy().into_owned(),
                scope: ScopeJson {
                    kind: scope.kind,
                    name: scope.name,
                },
                nodes: describer.all(),
                edges,
            };
            serde_json::to_writer_pretty(&mut *out, &json)?;
            writeln!(out)?;
        }
        GraphFormat::Dot => {
            let name = scope.name.clone();
            write_text(out, &dot(&picture::whole(ground, scope)?, &name))?;
        }
        GraphFormat::Svg => {
            let mut options = SvgOptions {
                title: scope.name.clone(),
                ..SvgOptions::default()
            };
            let drawn = picture::picture(ground, scope, options.most_nodes)?;
            options.note = drawn.note;
            write_text(out, &svg(&drawn.graph, &options))?;
        }
    }
    Ok(())
}

fn write_text(out: &mut dyn Write, text: &str) -> Result<(), Failure> {
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        writeln!(out)?;
    }
    Ok(())
}

pub(crate) fn edge_kind(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Local => "local",
        EdgeKind::Argument => "argument",
        EdgeKind::Return => "return",
        EdgeKind::Field => "field",
        EdgeKind::Array => "array",
        EdgeKind::Library => "library",
        EdgeKind::Capture => "capture",
    }
}

fn calls(
    out: &mut dyn Write,
    format: GraphFormat,
    loaded: &Loaded,
    scope: Scope,
) -> Result<(), Failure> {
    let workspace = &loaded.workspace;
    let program = workspace.program();
    // Without a test the scope is the suite.
    let tests: Vec<TestRun> = match &scope.what {
        What::Tests(tests) => tests.clone(),
        _ => scope::all_tests(workspace),
    };
    let (kind, name) = match &scope.what {
        What::Tests(_) => (scope.kind, scope.name.clone()),
        _ => ("suite", "all".to_owned()),
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
        methods.push(MethodJson {
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
    if format == GraphFormat::Json {
        let json = CallsJson {
            schema: "telltale.calls/1",
            scope: ScopeJson { kind, name },
            technique: "hierarchy",
            methods,
            calls: edges.into_iter().collect(),
        };
        serde_json::to_writer_pretty(&mut *out, &json)?;
        writeln!(out)?;
        return Ok(());
    }
    let graph = DrawGraph {
        nodes: methods
            .iter()
            .map(|m| DrawNode {
                label_lines: vec![readable_method(&m.name)],
                class: if m.test {
                    "test".to_owned()
                } else {
                    String::new()
                },
                title: format!("{}\n{}:{}", m.name, m.path, m.line),
                ..DrawNode::default()
            })
            .collect(),
        edges: edges
            .iter()
            .map(|&(from, to)| DrawEdge {
                from,
                to,
                ..DrawEdge::default()
            })
            .collect(),
    };
    let text = match format {
        GraphFormat::Svg => svg(
            &graph,
            &SvgOptions {
                noun: "methods".to_owned(),
                title: name,
                ..SvgOptions::default()
            },
        ),
        _ => dot(&graph, &name),
    };
    write_text(out, &text)
}
