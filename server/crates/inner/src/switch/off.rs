//! Switching off: the way back, also after someone edited what stands between.

use syntax::{Field, Kind, NodeId, Nodes, SourceFile};
use text::{Edit, Span};

use super::layout::{Layout, blanks};
use crate::GUARD;

/// Takes away what [`super::switch_on`] added for `id`: `None` if `file` does not switch it on. To the byte what was
/// there before, if nothing was changed since.
pub fn switch_off(file: &SourceFile, id: &str) -> Option<Vec<Edit>> {
    let nodes = file.nodes();
    let carrier = find(&nodes, nodes.root(), id)?;
    match carrier {
        Carrier::Resource {
            statement,
            resource,
        } => {
            let span = nodes.span(statement);
            let layout = Layout::new(file, span);
            let resources = nodes.child(statement, Field::Resources)?;
            let all: Vec<NodeId> = nodes.children(resources).collect();
            let body = nodes.span(nodes.child(statement, Field::Body)?);
            if all.len() > 1 {
                return Some(vec![drop_resource(&nodes, &layout, &all, resource)]);
            }
            if body.end < span.end {
                // Someone made it a `try` with `catch` or `finally`: it stays one.
                let resources = nodes.span(resources);
                let gap = blanks_before(layout.text, resources.start);
                return Some(vec![Edit::new(Span::new(gap, resources.end), "")]);
            }
            Some(unwrap(&layout, span, body))
        }
        Carrier::Finally {
            declaration,
            statement,
        } => {
            let (first, last) = (nodes.span(declaration), nodes.span(statement));
            let layout = Layout::new(file, Span::new(first.start, last.end));
            let body = nodes.span(nodes.child(statement, Field::Body)?);
            let clause = nodes.child_of(statement, Kind::FinallyClause)?;
            let close = closing(&nodes, declaration, clause)?;
            let block = nodes.child_of(clause, Kind::Block)?;
            let between = &layout.text[first.end as usize..last.start as usize];
            let as_it_was = nodes.children(block).count() == 1
                && nodes.span(clause).start <= body.end + 1
                && between.trim().is_empty();
            if as_it_was {
                return Some(unwrap(&layout, Span::new(first.start, last.end), body));
            }
            // Someone added to it: the rest stays.
            let edits = [declaration, close].map(|n| whole_line(&layout, nodes.span(n)));
            Some(edits.to_vec())
        }
    }
}

/// What carries an oracle in a test.
pub(super) enum Carrier {
    /// `try (InnerOracle inner = InnerOracle.on("…")) { … }`
    Resource { statement: NodeId, resource: NodeId },
    /// `InnerOracle inner = InnerOracle.on("…"); try { … } finally { inner.close(); }`
    Finally {
        declaration: NodeId,
        statement: NodeId,
    },
}

/// What carries `id` below `below`.
pub(super) fn find(nodes: &Nodes<'_>, below: NodeId, id: &str) -> Option<Carrier> {
    let literal = text::java_literal(id);
    let mut all = (below.0..nodes.close(below)).map(NodeId);
    all.find_map(|n| match nodes.kind(n) {
        Kind::TryWithResourcesStatement => {
            let resources = nodes.child(n, Field::Resources)?;
            let resource = nodes
                .children(resources)
                .find(|&it| switches_on(nodes, it, &literal))?;
            Some(Carrier::Resource {
                statement: n,
                resource,
            })
        }
        Kind::Block => {
            let mut before = None;
            nodes.children(n).find_map(|statement| {
                let declaration = before.replace(statement)?;
                let declarator = nodes.child_of(declaration, Kind::VariableDeclarator)?;
                let carries = nodes.kind(declaration) == Kind::LocalVariableDeclaration
                    && nodes.kind(statement) == Kind::TryStatement
                    && switches_on(nodes, declarator, &literal);
                carries.then_some(Carrier::Finally {
                    declaration,
                    statement,
                })
            })
        }
        _ => None,
    })
}

/// The statement in a `finally` that closes what `declaration` declares.
fn closing(nodes: &Nodes<'_>, declaration: NodeId, clause: NodeId) -> Option<NodeId> {
    let declarator = nodes.child_of(declaration, Kind::VariableDeclarator)?;
    let variable = nodes.text(nodes.child(declarator, Field::Name)?);
    let block = nodes.child_of(clause, Kind::Block)?;
    let closes = |n: &NodeId| {
        let text = nodes.text(*n).strip_prefix(variable);
        text == Some(".close();")
    };
    nodes.children(block).find(closes)
}

/// A statement with its line, if it has one to itself.
fn whole_line(layout: &Layout<'_>, span: Span) -> Edit {
    let end = layout.rest_of_line(span.end);
    let own = match end {
        Some(end) if layout.starts_line(span.start) => {
            Span::new(layout.line_start(span.start), end.end)
        }
        _ => span,
    };
    Edit::new(own, "")
}

/// True for `… = InnerOracle.on("…")`, with whatever is called on it.
fn switches_on(nodes: &Nodes<'_>, declarator: NodeId, literal: &str) -> bool {
    let mut value = nodes.child(declarator, Field::Value);
    while let Some(call) = value.filter(|&n| nodes.kind(n) == Kind::MethodInvocation) {
        let object = nodes.child(call, Field::Object);
        let class = object.map_or("", |n| nodes.text(n));
        let named = nodes.child(call, Field::Name);
        if class.rsplit('.').next() == Some(GUARD) && named.is_some_and(|n| nodes.text(n) == "on") {
            let arguments = nodes.child(call, Field::Arguments);
            let first = arguments.and_then(|n| nodes.children(n).next());
            return first.is_some_and(|n| nodes.text(n) == literal);
        }
        value = object;
    }
    false
}

/// One resource of several goes, with the semicolon that parts it from a neighbour.
fn drop_resource(nodes: &Nodes<'_>, layout: &Layout<'_>, all: &[NodeId], resource: NodeId) -> Edit {
    let own = nodes.span(resource);
    let after = all.iter().find(|&&n| nodes.span(n).start > own.start);
    let span = match after {
        Some(&next) => Span::new(own.start, nodes.span(next).start),
        None => {
            let before = all.iter().rfind(|&&n| nodes.span(n).start < own.start);
            let from = before.map_or(own.start, |&n| nodes.span(n).end);
            let rest = layout.text[own.end as usize..].trim_start();
            let end = layout.text.len() - rest.len();
            let keep = if rest.starts_with(';') {
                end
            } else {
                own.end as usize
            };
            Span::new(from, keep as u32)
        }
    };
    Edit::new(span, "")
}

/// The statements of `body` in place of `whole`.
fn unwrap(layout: &Layout<'_>, whole: Span, body: Span) -> Vec<Edit> {
    let text = layout.text;
    let (open, close) = (body.start + 1, body.end - 1);
    let bare = |from: u32, to: u32| text[from as usize..to as usize].trim().is_empty();
    let head_end = layout
        .rest_of_line(open)
        .filter(|end| bare(open, end.start) && layout.starts_line(whole.start));
    let tail_end = layout
        .rest_of_line(whole.end)
        .filter(|end| bare(whole.end, end.start) && layout.starts_line(close));
    let (Some(head_end), Some(tail_end)) = (head_end, tail_end) else {
        let inside = &text[open as usize..close as usize];
        let lead = u32::from(inside.starts_with(' '));
        let trail = u32::from(inside.len() > 1 && inside.ends_with(' '));
        return vec![
            Edit::new(Span::new(whole.start, open + lead), ""),
            Edit::new(Span::new(close - trail, whole.end), ""),
        ];
    };
    let inside = Span::new(head_end.end, layout.line_start(close));
    let lines = layout.indented_lines(inside);
    let outer = layout.indent(whole.start);
    let deeper = lines
        .first()
        .and_then(|&line| blanks(&text[line as usize..]).strip_suffix(outer));
    let unit = deeper.unwrap_or("");
    let mut edits = vec![Edit::new(
        Span::new(layout.line_start(whole.start), head_end.end),
        "",
    )];
    for line in lines {
        let own = blanks(&text[line as usize..]);
        let same = own.bytes().zip(unit.bytes()).take_while(|(a, b)| a == b);
        let len = same.count() as u32;
        if len > 0 {
            edits.push(Edit::new(Span::new(line, line + len), ""));
        }
    }
    edits.push(Edit::new(Span::new(inside.end, tail_end.end), ""));
    edits
}

/// Where the blanks before `at` begin.
fn blanks_before(text: &str, at: u32) -> u32 {
    let before = text[..at as usize].trim_end_matches([' ', '\t']);
    before.len() as u32
}
