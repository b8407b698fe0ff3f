//! Switching on.

use std::collections::{BTreeMap, BTreeSet};

use syntax::{Field, Kind, NodeId, Nodes, SourceFile};
use text::{Edit, Span};

use super::layout::Layout;
use super::{Switch, Words, off};
use crate::Refusal;
use crate::tree::unit_of_indent;

/// Switches an oracle on around the smallest run of top-level statements of `test` (the span of a whole method
/// declaration of `file`) that holds all `calls` (byte spans in `file`), longer where what it declares is used after
/// it. Without calls: around the whole body. The edits are disjoint, each in the text of `file`.
///
/// # Errors
/// A [`Refusal`] if the test cannot be changed.
pub fn switch_on(
    file: &SourceFile,
    test: Span,
    calls: &[Span],
    switch: &Switch<'_>,
) -> Result<Vec<Edit>, Refusal> {
    if file.has_errors() {
        return Err(Refusal::SyntaxError);
    }
    let nodes = file.nodes();
    let method = (0..nodes.len() as u32)
        .map(NodeId)
        .find(|&n| nodes.kind(n) == Kind::MethodDeclaration && nodes.span(n) == test)
        .ok_or(Refusal::TestGone)?;
    let body = nodes
        .child(method, Field::Body)
        .ok_or(Refusal::NoTestBody)?;
    if off::find(&nodes, body, switch.id).is_some() {
        return Err(Refusal::AlreadyOn);
    }
    if let Some((first, _)) = switch.class.split_once('.')
        && declares(&nodes, first)
    {
        return Err(Refusal::PackageHidden);
    }
    let span = run(&nodes, body, calls)?;
    let layout = Layout::new(file, test);
    let variable = free_name(&nodes, method);
    let switch = Switch {
        in_all_threads: switch.in_all_threads
            || runs_in_another_thread(&nodes, method, calls, switch.words),
        ..*switch
    };
    let declaration = format!("{} {variable} = {}", switch.class, switch.expression());
    let around = if expects_exception(&nodes, method, switch.words) {
        Around::with_finally(&declaration, &variable)
    } else {
        Around::with_resource(&declaration)
    };
    Ok(wrap(&layout, test, span, &around))
}

/// What stands before and after the statements: lines, each with how much deeper it is.
struct Around {
    before: Vec<(u32, String)>,
    after: Vec<(u32, String)>,
}

impl Around {
    fn with_resource(declaration: &str) -> Around {
        Around {
            before: vec![(0, format!("try ({declaration}) {{"))],
            after: vec![(0, "}".to_owned())],
        }
    }

    /// For a test that expects an exception: `try` with a resource would hide what the oracle found in that exception,
    /// and the test would pass.
    fn with_finally(declaration: &str, variable: &str) -> Around {
        Around {
            before: vec![(0, format!("{declaration};")), (0, "try {".to_owned())],
            after: vec![
                (0, "} finally {".to_owned()),
                (1, format!("{variable}.close();")),
                (0, "}".to_owned()),
            ],
        }
    }
}

/// True if a call stands in what a framework runs in a thread of its own, so as to give it up.
fn runs_in_another_thread(
    nodes: &Nodes<'_>,
    method: NodeId,
    calls: &[Span],
    words: Words<'_>,
) -> bool {
    (method.0..nodes.close(method)).map(NodeId).any(|n| {
        let name = nodes.child(n, Field::Name).map_or("", |n| nodes.text(n));
        nodes.kind(n) == Kind::MethodInvocation
            && words.apart.contains(&name)
            && calls.iter().any(|&call| nodes.span(n).covers(call))
    })
}

/// True if the test passes when its body throws: `@Test(expected = …)`, or a rule that is told `thrown.expect(…)`.
fn expects_exception(nodes: &Nodes<'_>, method: NodeId, words: Words<'_>) -> bool {
    (method.0..nodes.close(method)).map(NodeId).any(|n| {
        let named = |field| nodes.child(n, field).map_or("", |n| nodes.text(n));
        match nodes.kind(n) {
            Kind::ElementValuePair => {
                let key = named(Field::Key);
                words.throws_by.iter().any(|begins| key.starts_with(begins))
            }
            Kind::MethodInvocation => {
                words.told_to_throw.contains(&named(Field::Name))
                    && nodes.child(n, Field::Object).is_some()
            }
            _ => false,
        }
    })
}

/// The statements to wrap, as one span.
fn run(nodes: &Nodes<'_>, body: NodeId, calls: &[Span]) -> Result<Span, Refusal> {
    let statements: Vec<NodeId> = nodes.children(body).collect();
    if statements.is_empty() {
        return Err(Refusal::NoTestBody);
    }
    let holds = |&n: &NodeId| calls.iter().any(|&call| nodes.span(n).covers(call));
    let (first, mut last) = if calls.is_empty() {
        (0, statements.len() - 1)
    } else {
        let first = statements.iter().position(holds);
        let last = statements.iter().rposition(holds);
        first.zip(last).ok_or(Refusal::CallElsewhere)?
    };
    // What is declared inside may be used after; then the statements up to that use come along, with what they declare.
    let mut last_use = BTreeMap::new();
    for (at, &statement) in statements.iter().enumerate().skip(first) {
        let within = (statement.0..nodes.close(statement)).map(NodeId);
        let is_name =
            |&n: &NodeId| matches!(nodes.kind(n), Kind::Identifier | Kind::TypeIdentifier);
        last_use.extend(within.filter(is_name).map(|n| (nodes.name(n), at)));
    }
    let mut at = first;
    while at <= last {
        let mut declared = Vec::new();
        declared_by(nodes, statements[at], &mut declared);
        let uses = declared
            .iter()
            .filter_map(|&n| last_use.get(&nodes.name(n)));
        last = uses.copied().fold(last, usize::max);
        at += 1;
    }
    let (start, end) = (nodes.span(statements[first]), nodes.span(statements[last]));
    Ok(Span::new(start.start, end.end))
}

/// The names that `statement` may bring into the scope of the statements after it.
fn declared_by(nodes: &Nodes<'_>, statement: NodeId, names: &mut Vec<NodeId>) {
    match nodes.kind(statement) {
        Kind::LocalVariableDeclaration => {
            for declarator in nodes.children(statement) {
                if nodes.kind(declarator) == Kind::VariableDeclarator {
                    names.extend(nodes.child(declarator, Field::Name));
                }
            }
        }
        Kind::ClassDeclaration
        | Kind::RecordDeclaration
        | Kind::InterfaceDeclaration
        | Kind::EnumDeclaration => names.extend(nodes.child(statement, Field::Name)),
        // `if (!(o instanceof Foo foo)) return;` declares foo for what follows.
        _ => {
            for n in (statement.0..nodes.close(statement)).map(NodeId) {
                match nodes.kind(n) {
                    Kind::InstanceofExpression => names.extend(nodes.child(n, Field::Name)),
                    Kind::RecordPatternComponent | Kind::TypePattern => {
                        names.extend(nodes.child_of(n, Kind::Identifier));
                    }
                    _ => {}
                }
            }
        }
    }
}

/// True if a variable, a parameter or a field of the file is called `name`.
fn declares(nodes: &Nodes<'_>, name: &str) -> bool {
    (0..nodes.len() as u32).map(NodeId).any(|n| {
        let declared = match nodes.kind(n) {
            Kind::VariableDeclarator
            | Kind::FormalParameter
            | Kind::CatchFormalParameter
            | Kind::EnhancedForStatement
            | Kind::InstanceofExpression
            | Kind::Resource => nodes.child(n, Field::Name),
            _ => None,
        };
        declared.is_some_and(|it| nodes.name(it) == name)
    })
}

/// `inner`, or the first of `inner2`, `inner3`, … that nothing in the method is called.
fn free_name(nodes: &Nodes<'_>, method: NodeId) -> String {
    let taken: BTreeSet<_> = (method.0..nodes.close(method))
        .map(NodeId)
        .filter(|&n| nodes.kind(n) == Kind::Identifier)
        .map(|n| nodes.name(n))
        .collect();
    let mut name = "inner".to_owned();
    let mut number = 2;
    while taken.contains(name.as_str()) {
        name = format!("inner{number}");
        number += 1;
    }
    name
}

/// The statements of `span` with `around` around them.
fn wrap(layout: &Layout<'_>, test: Span, span: Span, around: &Around) -> Vec<Edit> {
    let at = |at, text: String| Edit::new(Span::new(at, at), text);
    let line = layout.line_start(span.start);
    let Some(end) = layout
        .rest_of_line(span.end)
        .filter(|_| layout.starts_line(span.start))
    else {
        let words = |lines: &[(u32, String)]| {
            let words: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
            words.join(" ")
        };
        return vec![
            at(span.start, format!("{} ", words(&around.before))),
            at(span.end, format!(" {}", words(&around.after))),
        ];
    };
    let indent = layout.indent(span.start);
    let line_end = &layout.text[end.range()];
    let outer = layout.indent(test.start);
    let unit = match indent.strip_prefix(outer) {
        Some(unit) if !unit.is_empty() && layout.starts_line(test.start) => unit,
        _ => unit_of_indent(layout.text),
    };
    let whole = |lines: &[(u32, String)]| {
        let line = |(deeper, line): &(u32, String)| {
            let deeper = unit.repeat(*deeper as usize);
            format!("{indent}{deeper}{line}{line_end}")
        };
        lines.iter().map(line).collect::<String>()
    };
    let mut edits = vec![at(line, whole(&around.before))];
    let lines = layout.indented_lines(Span::new(line, end.start));
    edits.extend(lines.into_iter().map(|line| at(line, unit.to_owned())));
    edits.push(at(end.end, whole(&around.after)));
    edits
}
