//! Looking things up in a file's tree and lines.

use syntax::{Kind, SourceFile};
use text::Span;
use tree_sitter::Node;

/// The smallest node with a span.
pub(crate) fn node_at(file: &SourceFile, span: Span) -> Option<Node<'_>> {
    let root = file.tree().root_node();
    let (start, end) = (span.start as usize, span.end as usize);
    let node = root.named_descendant_for_byte_range(start, end)?;
    (node.start_byte() == start && node.end_byte() == end).then_some(node)
}

/// The member of a class around a node.
pub(crate) fn enclosing_member(node: Node<'_>) -> Option<Node<'_>> {
    std::iter::successors(Some(node), Node::parent).find(|n| {
        matches!(
            Kind::of(n),
            Kind::MethodDeclaration
                | Kind::ConstructorDeclaration
                | Kind::CompactConstructorDeclaration
                | Kind::StaticInitializer
                | Kind::FieldDeclaration
                | Kind::EnumConstant
                | Kind::RecordDeclaration
                | Kind::ConstantDeclaration
        ) || n
            .parent()
            .is_some_and(|p| Kind::of(n) == Kind::Block && Kind::of(&p) == Kind::ClassBody)
    })
}

pub(crate) fn is_block(kind: Kind) -> bool {
    matches!(kind, Kind::Block | Kind::ConstructorBody)
}

/// Where the line of a place begins.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |n| n + 1)
}

/// The white space before the first word of the line of a place.
pub(crate) fn indent_of(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The end of the line of a place, if nothing but white space and whole comments stand between.
pub(crate) fn rest_of_line(text: &str, at: usize) -> Option<usize> {
    let end = text[at..].find(['\n', '\r']).map_or(text.len(), |n| at + n);
    let mut rest = text[at..end].trim_start();
    while let Some(comment) = rest.strip_prefix("/*") {
        rest = comment.split_once("*/")?.1.trim_start();
    }
    (rest.is_empty() || rest.starts_with("//")).then_some(end)
}

/// How the line ends that ends at a place; the end of the text has none, and takes the first line's.
pub(crate) fn newline_at(text: &str, at: usize) -> &'static str {
    let ends = |rest: &str| {
        ["\r\n", "\n", "\r"]
            .into_iter()
            .find(|end| rest.starts_with(end))
    };
    let first = || {
        text.find(['\n', '\r'])
            .and_then(|first| ends(&text[first..]))
    };
    ends(&text[at..]).or_else(first).unwrap_or("\n")
}

/// What one level of indent is in a text.
pub(crate) fn unit_of_indent(text: &str) -> &'static str {
    let tabs = text.lines().filter(|l| l.starts_with('\t')).count();
    let spaces = text.lines().filter(|l| l.starts_with("  ")).count();
    if tabs > spaces {
        return "\t";
    }
    let two = text.lines();
    let two = two.filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    match two.count() {
        0 => "    ",
        n if n * 8 > spaces => "  ",
        _ => "    ",
    }
}
