//! The inner oracles that stand in a file: where each is, what it checks, and how its line goes away again.

use crate::GUARD;
use crate::place::{Form, Place};
use crate::tree::{is_block, line_start};
use syntax::{Kind, SourceFile};
use text::{Edit, Span};
use tree_sitter::Node;

/// On which side a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In the code under test: it checks.
    Code,
    /// In a test: it switches on.
    Test,
}

/// A call that checks a value, or that switches checks on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// `StatsTest.mixedSigns: neg`.
    pub name: String,
    /// Which side it stands on.
    pub side: Side,
    /// `equal`, `tell`, `that`, `ran`, `never`, or `on`.
    pub method: String,
    /// The call.
    pub span: Span,
    /// The value that it is given.
    pub value: Option<Span>,
    /// What the value should be, as written.
    pub expected: Option<String>,
}

/// Which argument is the value that a method is given; those that switch on have none.
const METHODS: &[(&str, Side, Option<usize>)] = &[
    ("equal", Side::Code, Some(2)),
    ("tell", Side::Code, Some(1)),
    ("text", Side::Code, Some(2)),
    ("notNull", Side::Code, Some(1)),
    ("that", Side::Code, Some(2)),
    ("ran", Side::Code, None),
    ("never", Side::Code, None),
    ("on", Side::Test, None),
];

/// All inner oracles of a file, in order of position.
pub fn found(file: &SourceFile) -> Vec<Found> {
    let mut out = Vec::new();
    if !file.text().contains(GUARD) {
        return out;
    }
    let mut open = vec![file.tree().root_node()];
    while let Some(node) = open.pop() {
        out.extend(found_at(file, node));
        open.extend((0..node.child_count()).filter_map(|at| node.child(at)));
    }
    out.sort_by_key(|f| (f.span.start, std::cmp::Reverse(f.span.end)));
    out
}

fn found_at(file: &SourceFile, node: Node<'_>) -> Option<Found> {
    let text = |n: Node<'_>| file.text().get(n.byte_range()).unwrap_or("");
    if Kind::of(&node) != Kind::MethodInvocation {
        return None;
    }
    let object = text(node.child_by_field_name("object")?);
    if object.rsplit('.').next() != Some(GUARD) {
        return None;
    }
    let method = text(node.child_by_field_name("name")?);
    let &(_, side, value) = METHODS.iter().find(|row| row.0 == method)?;
    let arguments = node.child_by_field_name("arguments")?;
    let mut cursor = arguments.walk();
    let is_comment = |n: &Node<'_>| n.kind().ends_with("comment");
    let given: Vec<Node<'_>> = arguments
        .named_children(&mut cursor)
        .filter(|n| !is_comment(n))
        .collect();
    let name = text(*given.first()?).strip_prefix('"')?.strip_suffix('"')?;
    let value = value.map(|at| given.get(at).copied());
    // A call with too few arguments does not compile yet.
    if value == Some(None) {
        return None;
    }
    let value = value.flatten();
    Some(Found {
        name: name.replace("\\\"", "\"").replace("\\\\", "\\"),
        side,
        method: method.to_owned(),
        span: span(node),
        value: value.map(span),
        expected: match method {
            "equal" | "text" | "that" => given.get(1).map(|n| text(*n).to_owned()),
            _ => None,
        },
    })
}

/// The edits that take a check out of the code under test. What was written by inserting it is gone to the byte.
pub fn taken_out(file: &SourceFile, check: &Found) -> Vec<Edit> {
    let text = file.text();
    let root = file.tree().root_node();
    let (start, end) = (check.span.start as usize, check.span.end as usize);
    let call = root.named_descendant_for_byte_range(start, end);
    let Some(parent) = call.and_then(|c| c.parent()) else {
        return Vec::new();
    };
    let value = check.value;
    let value_node =
        value.and_then(|v| root.named_descendant_for_byte_range(v.start as usize, v.end as usize));
    let changes = value_node.is_some_and(|v| {
        matches!(
            Kind::of(&v),
            Kind::AssignmentExpression | Kind::UpdateExpression
        )
    });
    match Kind::of(&parent) {
        Kind::ExpressionStatement if !changes => statement_out(file, guarded(file, parent)),
        Kind::ForStatement if !changes && text[..start].ends_with(", ") => {
            vec![Edit::new(
                Span::new(check.span.start - 2, check.span.end),
                "",
            )]
        }
        _ => match value {
            // Around an expression, which stays; in two, so that others around the same one can go at once.
            Some(value) => vec![
                Edit::new(Span::new(check.span.start, value.start), ""),
                Edit::new(Span::new(value.end, check.span.end), ""),
            ],
            None => Vec::new(),
        },
    }
}

/// The statement of a check with the condition that it is switched on, if there is one.
fn guarded<'t>(file: &SourceFile, statement: Node<'t>) -> Node<'t> {
    let around = statement
        .parent()
        .filter(|p| Kind::of(p) == Kind::IfStatement);
    let is_ours = around.is_some_and(|p| {
        let condition = p.child_by_field_name("condition");
        let text = condition.and_then(|c| file.text().get(c.byte_range()));
        text.is_some_and(|t| t.contains("InnerOracle.isOn("))
    });
    match around {
        Some(around) if is_ours => around,
        _ => statement,
    }
}

fn statement_out(file: &SourceFile, statement: Node<'_>) -> Vec<Edit> {
    let text = file.text();
    let (start, end) = (statement.start_byte(), statement.end_byte());
    let line = line_start(text, start);
    let line_end = text[end..]
        .find(['\n', '\r'])
        .map_or(text.len(), |n| end + n);
    if text[line..start].trim().is_empty() && text[end..line_end].trim().is_empty() {
        let before = ["\r\n", "\n", "\r"];
        let before = before.iter().find_map(|end| text[..line].strip_suffix(end));
        let before = before.map_or(0, str::len);
        return vec![Edit::new(Span::new(before as u32, line_end as u32), "")];
    }
    let from = match text[..start].ends_with(' ') {
        true => start - 1,
        false => start,
    };
    // Braces that came with it go with it: `{neg++; InnerOracle.equal("…", 2, neg);}`.
    let block = statement.parent().filter(|p| is_block(Kind::of(p)));
    if let Some(block) = block
        && block.named_child_count() == 2
        && block.parent().is_some_and(|p| !is_block(Kind::of(&p)))
        && text[block.byte_range()].starts_with('{')
        && !text[block.start_byte() + 1..].starts_with([' ', '\t', '\n', '\r'])
        && end + 1 == block.end_byte()
    {
        let open = block.start_byte() as u32;
        return vec![
            Edit::new(Span::new(open, open + 1), ""),
            Edit::new(Span::new(from as u32, block.end_byte() as u32), ""),
        ];
    }
    vec![Edit::new(Span::new(from as u32, end as u32), "")]
}

fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}

/// The names of the checks that stand at a place already.
pub fn checks_at(file: &SourceFile, place: &Place) -> Vec<String> {
    let text = file.text();
    let checks = found(file);
    let mut out = Vec::new();
    match &place.form {
        Form::Around(span) => {
            // Around it, or in it if the value that is checked is itself a check of the value.
            let mut inner = *span;
            while let Some(check) = checks.iter().find(|c| c.span == inner) {
                out.push(check.name.clone());
                let Some(value) = check.value else { break };
                inner = value;
            }
            let mut outer = *span;
            while let Some(check) = checks.iter().find(|c| c.value == Some(outer)) {
                out.push(check.name.clone());
                outer = check.span;
            }
        }
        Form::Line { at, .. } | Form::Beside { at } | Form::Update { at } => {
            let mut end = *at as usize;
            let open = |c: &char| c.is_whitespace() || matches!(c, ';' | ',' | '}');
            for check in &checks {
                let start = check.span.start as usize;
                let Some(between) = text.get(end..start) else {
                    continue;
                };
                let rest = between.trim_start_matches(|c| open(&c));
                if !rest.is_empty() && !rest.starts_with("if (InnerOracle.isOn(") {
                    break;
                }
                out.push(check.name.clone());
                end = check.span.end as usize;
            }
        }
        Form::Braced(_) => {}
    }
    out
}
