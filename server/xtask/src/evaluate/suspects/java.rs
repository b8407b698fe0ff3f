//! Edits of a test file's text: what is asked of its tree, and tests taken out of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use syntax::{Field, Kind, NodeId, Nodes, SourceFile};
use text::{Edit, Span, apply_disjoint};

/// A test method of a file.
pub(super) struct Test {
    pub(super) node: NodeId,
    pub(super) name: String,
    /// From its annotations on.
    pub(super) span: Span,
}

pub(super) fn parse(text: &str) -> SourceFile {
    SourceFile::parse(Arc::from(text))
}

pub(super) fn all(nodes: &Nodes<'_>) -> impl Iterator<Item = NodeId> {
    (0..nodes.len() as u32).map(NodeId)
}

/// Those below a node.
pub(super) fn below(nodes: &Nodes<'_>, node: NodeId) -> impl Iterator<Item = NodeId> {
    (node.0 + 1..nodes.close(node)).map(NodeId)
}

/// The methods with `@Test`.
pub(super) fn tests(nodes: &Nodes<'_>) -> Vec<Test> {
    let methods = all(nodes).filter(|n| nodes.kind(*n) == Kind::MethodDeclaration);
    methods
        .filter(|n| annotations(nodes, *n).any(|(_, name)| name == "Test"))
        .filter_map(|node| {
            let name = nodes.text(nodes.child(node, Field::Name)?).to_owned();
            let span = nodes.span(node);
            Some(Test { node, name, span })
        })
        .collect()
}

/// The annotations of a declaration, with the last part of their names.
pub(super) fn annotations<'n>(
    nodes: &'n Nodes<'_>,
    declaration: NodeId,
) -> impl Iterator<Item = (NodeId, &'n str)> {
    let modifiers = nodes.child_of(declaration, Kind::Modifiers);
    let all = modifiers.into_iter().flat_map(|m| nodes.children(m));
    all.filter(|n| matches!(nodes.kind(*n), Kind::Annotation | Kind::MarkerAnnotation))
        .filter_map(|n| {
            let name = nodes.text(nodes.child(n, Field::Name)?);
            Some((n, name.rsplit('.').next().unwrap_or(name)))
        })
}

/// The call that a statement is, with its name; none for other statements.
pub(super) fn called<'t>(nodes: &Nodes<'t>, statement: NodeId) -> Option<(NodeId, &'t str)> {
    if nodes.kind(statement) != Kind::ExpressionStatement {
        return None;
    }
    let call = nodes.child_of(statement, Kind::MethodInvocation)?;
    Some((call, nodes.text(nodes.child(call, Field::Name)?)))
}

/// The text with edits of the original made; `None` if two of them meet.
pub(super) fn edited(text: &str, mut edits: Vec<Edit>) -> Option<String> {
    edits.sort_by_key(|edit| edit.span);
    apply_disjoint(text, &edits)
}

/// The text without the tests of these names.
pub(super) fn without(text: &str, names: &BTreeSet<String>) -> String {
    let file = parse(text);
    let gone = tests(&file.nodes())
        .into_iter()
        .filter(|test| names.contains(&test.name))
        .map(|test| Edit::new(test.span, ""));
    edited(text, gone.collect()).unwrap_or_else(|| text.to_owned())
}

/// The text with the bodies in which these lines lie replaced by what only throws: those of methods and constructors, the inner
/// ones first. The names of what was replaced; nothing if a line lies in none, or in one that only throws already.
pub(super) fn hollowed(text: &str, lines: &BTreeSet<u32>) -> Option<(String, Vec<String>)> {
    const HOLLOW: &str = "{ throw new UnsupportedOperationException(); }";
    let file = parse(text);
    let nodes = file.nodes();
    let declared = |n: &NodeId| {
        matches!(
            nodes.kind(*n),
            Kind::MethodDeclaration | Kind::ConstructorDeclaration
        )
    };
    let bodies: Vec<(Span, &str)> = all(&nodes)
        .filter(declared)
        .filter_map(|n| {
            let body = nodes.child(n, Field::Body)?;
            Some((nodes.span(body), nodes.text(nodes.child(n, Field::Name)?)))
        })
        .collect();
    let mut hollow = BTreeSet::new();
    for at in lines {
        let holds = |span: &Span| {
            (line(text, span.start)..=line(text, span.end)).contains(at)
                && text.get(span.range()) != Some(HOLLOW)
        };
        // The last that begins before is the innermost.
        hollow.insert(bodies.iter().rposition(|(span, _)| holds(span))?);
    }
    let edits = hollow.iter().map(|at| Edit::new(bodies[*at].0, HOLLOW));
    let names = hollow.iter().map(|at| bodies[*at].1.to_owned());
    Some((edited(text, edits.collect())?, names.collect()))
}

/// The line of an offset, from 1.
pub(super) fn line(text: &str, offset: u32) -> u32 {
    let before = text.get(..offset as usize).unwrap_or(text);
    before.matches('\n').count() as u32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_does_not_compile_only_throws() {
        let text = "class A {\n  A() { a(); }\n  int b() {\n    return new B() {\n      int c() {\n        return d;\n      }\n    };\n  }\n  int e;\n}\n";
        let of = |lines: &[u32]| hollowed(text, &lines.iter().copied().collect());
        let (left, names) = of(&[2, 6]).expect("both have a body");
        assert_eq!(names, ["A", "c"]);
        let throws = "{ throw new UnsupportedOperationException(); }";
        assert_eq!(left.matches(throws).count(), 2);
        assert!(
            left.contains(&format!("      int c() {throws}\n    }};")),
            "{left}"
        );
        // Once more it is the method around it, and then nothing.
        let again = left.lines().position(|l| l.contains("int c()"));
        let again = BTreeSet::from([again.expect("it is there") as u32 + 1]);
        let (left, names) = hollowed(&left, &again).expect("the one around");
        assert_eq!(names, ["b"]);
        assert_eq!(hollowed(&left, &BTreeSet::from([3])), None);
        assert_eq!(of(&[2, 10]), None, "a field has no body");
        // Two that meet.
        assert_eq!(of(&[4, 6]), None);
    }

    #[test]
    fn a_test_goes_with_its_annotations() {
        let text = "class A {\n  @Test(timeout = 4000)\n  public void a() { x(); }\n  @org.junit.Test void b() {}\n  void c() {}\n}\n";
        let names = |text: &str| {
            let file = parse(text);
            let tests = super::tests(&file.nodes());
            tests.into_iter().map(|t| t.name).collect::<Vec<_>>()
        };
        assert_eq!(names(text), ["a", "b"]);
        let gone = BTreeSet::from(["a".to_owned(), "c".to_owned()]);
        let left = without(text, &gone);
        assert_eq!(
            left,
            "class A {\n  \n  @org.junit.Test void b() {}\n  void c() {}\n}\n"
        );
    }
}
