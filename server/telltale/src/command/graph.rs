//! `telltale graph`: the substitution graph or the call graph of a scope, as DOT, SVG or JSON.

use super::observe as answer;
use crate::args::{Graph, GraphFormat, GraphKind};
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::scope;
use crate::screen::{Notation, Screen};
use crate::shown::picture;
use draw::{DrawEdge, DrawGraph, DrawNode, SvgOptions, dot, svg};
use ide::answers::{Answer, Ground, Scope};
use ide::method_words;
use std::io::Write;

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
            let analysis = answer::analysis(&loaded, loaded.settings());
            let ground = answer::ground(&loaded, &analysis);
            substitution(&mut out, args.format, &ground, scope)?;
        }
        GraphKind::Calls => calls(&mut out, args.format, &loaded, scope)?,
    }
    out.flush()?;
    Ok(())
}

/// Writes the substitution graph of a scope.
fn substitution(
    out: &mut dyn Write,
    format: GraphFormat,
    ground: &Ground<'_>,
    scope: Scope,
) -> Result<(), Failure> {
    match format {
        GraphFormat::Json => {
            let json = ide::answers::graph(ground, scope, None);
            serde_json::to_writer_pretty(&mut *out, &json)?;
            writeln!(out)?;
        }
        GraphFormat::Dot | GraphFormat::Svg => {
            let name = scope.name.clone();
            let answer = Answer::new(ground, scope, None, false);
            let workspace = ground.analysis.workspace();
            let text = match format {
                GraphFormat::Dot => dot(&picture::whole(workspace, &answer), &name),
                _ => picture::as_svg(workspace, &answer),
            };
            write_text(out, &text)?;
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

fn calls(
    out: &mut dyn Write,
    format: GraphFormat,
    loaded: &Loaded,
    scope: Scope,
) -> Result<(), Failure> {
    let calls = ide::answers::calls(&loaded.workspace, scope);
    if format == GraphFormat::Json {
        serde_json::to_writer_pretty(&mut *out, &calls)?;
        writeln!(out)?;
        return Ok(());
    }
    let graph = DrawGraph {
        nodes: calls
            .methods
            .iter()
            .map(|m| DrawNode {
                label_lines: vec![method_words(&m.name)],
                class: if m.test {
                    "test".to_owned()
                } else {
                    String::new()
                },
                title: format!("{}\n{}:{}", m.name, m.path, m.line),
                ..DrawNode::default()
            })
            .collect(),
        edges: calls
            .calls
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
                title: calls.scope.name,
                ..SvgOptions::default()
            },
        ),
        _ => dot(&graph, &calls.scope.name),
    };
    write_text(out, &text)
}
