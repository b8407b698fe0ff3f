//! Switching off: the way back, also after someone edited what stands between.

use syntax::{Field, Kind, NodeId, Nodes, SourceFile};
use text::{Edit, Span};

use super::layout::{Layout, blanks};
use crate::GUARD;

/// Takes away what [`super::switch_on`] added for `id`: `None` if `file` does not switch it on. To the byte what was
/// there before, if nothing was changed since.
pub fn switch_off(file: &SourceFile, id: &str) -> Option<Vec<Edit>> {
    let nodes = file.nodes();
    let (statement, resource) = find(&nodes, nodes.root(), id)?;
    let layout = Layout::new(file, nodes.span(statement));
    let resources = nodes.child(statement, Field::Resources)?;
    let all: Vec<NodeId> = nodes.children(resources).collect();
    let body = nodes.child(statement, Field::Body)?;
    let followed = nodes.span(body).end < nodes.span(statement).end;
    if all.len() > 1 {
        return Some(vec![drop_resource(&nodes, &layout, &all, resource)]);
    }
    if followed {
        // Someone made it a `try` with `catch` or `finally`: it stays one.
        let span = nodes.span(resources);
        let gap = blanks_before(layout.text, span.start);
        return Some(vec![Edit::new(Span::new(gap, span.end), "")]);
    }
    Some(unwrap(&layout, nodes.span(statement), nodes.span(body)))
}

/// The `try` below `below` that switches `id` on, and its resource.
pub(super) fn find(nodes: &Nodes<'_>, below: NodeId, id: &str) -> Option<(NodeId, NodeId)> {
    let literal = crate::literal(id);
    let mut statement = None;
    let all = (below.0..nodes.close(below)).map(NodeId);
    let found = all.filter(|&n| match nodes.kind(n) {
        Kind::TryWithResourcesStatement => true,
        Kind::Resource => switches_on(nodes, n, &literal),
        _ => false,
    });
    for n in found {
        match nodes.kind(n) {
            Kind::TryWithResourcesStatement => statement = Some(n),
            // Preorder: the last `try` seen is the one whose resource this is, unless another stands inside the
            // resources, which no resource of ours has.
            _ => return statement.map(|statement| (statement, n)),
        }
    }
    None
}

/// True for `… = InnerOracle.on("…")`, with whatever is called on it.
fn switches_on(nodes: &Nodes<'_>, resource: NodeId, literal: &str) -> bool {
    let mut value = nodes.child(resource, Field::Value);
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

/// The statements of a `try` without the `try`.
fn unwrap(layout: &Layout<'_>, statement: Span, body: Span) -> Vec<Edit> {
    let text = layout.text;
    let (open, close) = (body.start + 1, body.end - 1);
    let head_end = layout.rest_of_line(open);
    let tail_end = layout.rest_of_line(body.end);
    let bare = |from: u32, to: u32| text[from as usize..to as usize].trim().is_empty();
    let whole_lines = layout.starts_line(statement.start)
        && layout.starts_line(close)
        && head_end.is_some_and(|end| bare(open, end.start))
        && tail_end.is_some_and(|end| bare(body.end, end.start));
    let (Some(head_end), Some(tail_end), true) = (head_end, tail_end, whole_lines) else {
        let inside = &text[open as usize..close as usize];
        let lead = u32::from(inside.starts_with(' '));
        let trail = u32::from(inside.len() > 1 && inside.ends_with(' '));
        return vec![
            Edit::new(Span::new(statement.start, open + lead), ""),
            Edit::new(Span::new(close - trail, body.end), ""),
        ];
    };
    let inside = Span::new(head_end.end, layout.line_start(close));
    let lines = layout.indented_lines(inside);
    let outer = layout.indent(statement.start);
    let deeper = lines
        .first()
        .and_then(|&line| blanks(&text[line as usize..]).strip_suffix(outer));
    let unit = deeper.unwrap_or("");
    let mut edits = vec![Edit::new(
        Span::new(layout.line_start(statement.start), head_end.end),
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
