//! Loops around a definition: behind which of them its value can be read, and is the last.

use super::{Finder, Place, descendants, enclosing_callable, holds_statements};
use crate::tree::{enclosing_member, is_block};
use syntax::Kind;
use tree_sitter::Node;

impl Finder<'_> {
    /// Behind the outermost loop around a definition where its variable is still in scope, defined and used.
    pub(super) fn behind_loop(&self, node: Node<'_>, left: Node<'_>) -> Option<Place> {
        let member = enclosing_callable(node)?;
        let names: Vec<&str> = descendants(left)
            .filter(|n| Kind::of(n) == Kind::Identifier)
            .map(|n| self.text(n))
            .collect();
        let own = *names.first()?;
        let is_plain = Kind::of(&left) == Kind::Identifier;
        // A local that is declared without a value may have none behind the loop.
        let declared = self.declaration(node, own);
        if declared.is_some_and(|d| d.is_unset) {
            return None;
        }
        let mut best = None;
        let mut at = node;
        while let Some(parent) = at.parent().filter(|p| p.id() != member.id()) {
            if is_loop(Kind::of(&parent)) {
                let declared_here = names.iter().any(|name| {
                    self.declaration(node, name)
                        .is_some_and(|d| d.at >= parent.start_byte())
                });
                // By another variable another place would be read.
                let moved = !is_plain
                    && descendants(parent).any(|n| {
                        names[1..].iter().any(|name| self.defines(n, name))
                            || (self.defines(n, own) && Kind::of(&first_of(n)) == Kind::Identifier)
                    });
                if declared_here || moved {
                    break;
                }
                let whole = labelled(parent);
                let used = declared.is_none()
                    || self.is_used_behind(own, whole.end_byte(), declared.map_or(0, |d| d.end));
                if used && self.ends(parent) && whole.parent().is_some_and(holds_statements) {
                    best = Some(whole);
                }
            }
            at = parent;
        }
        let whole = best?;
        Some(self.behind(whole, self.text(left).to_owned(), in_loop(whole)))
    }

    /// The local or parameter of a name that is in scope at a node.
    fn declaration(&self, node: Node<'_>, name: &str) -> Option<Declared> {
        let member = enclosing_member(node)?;
        let mut best: Option<Declared> = None;
        for n in descendants(member) {
            if n.start_byte() > node.start_byte() {
                continue;
            }
            let kind = Kind::of(&n);
            let is_named = |field: &str| {
                n.child_by_field_name(field)
                    .is_some_and(|c| self.text(c) == name)
            };
            let found = match kind {
                Kind::VariableDeclarator
                | Kind::FormalParameter
                | Kind::CatchFormalParameter
                | Kind::Resource
                | Kind::EnhancedForStatement
                | Kind::InstanceofExpression => is_named("name"),
                Kind::InferredParameters => {
                    let mut cursor = n.walk();
                    n.named_children(&mut cursor).any(|c| self.text(c) == name)
                }
                Kind::LambdaExpression => is_named("parameters"),
                _ => false,
            };
            // Its scope ends with what is around it.
            let scope =
                std::iter::successors(n.parent(), Node::parent).find(|p| opens_scope(Kind::of(p)));
            let scope = match kind {
                Kind::EnhancedForStatement | Kind::LambdaExpression => Some(n),
                _ => scope,
            };
            let Some(scope) = scope.filter(|s| found && s.end_byte() >= node.end_byte()) else {
                continue;
            };
            if best.is_none_or(|b| b.at <= n.start_byte()) {
                best = Some(Declared {
                    at: n.start_byte(),
                    end: scope.end_byte(),
                    is_unset: kind == Kind::VariableDeclarator
                        && n.child_by_field_name("value").is_none(),
                });
            }
        }
        best
    }

    /// True if a name occurs between two places.
    fn is_used_behind(&self, name: &str, from: usize, to: usize) -> bool {
        let root = self.file.tree().root_node();
        let Some(around) = root.descendant_for_byte_range(from, to.saturating_sub(1).max(from))
        else {
            return false;
        };
        descendants(around).any(|n| {
            Kind::of(&n) == Kind::Identifier
                && n.start_byte() >= from
                && n.end_byte() <= to
                && self.text(n) == name
        })
    }

    /// True if a loop may end by itself: what stands behind one that does not cannot be reached.
    fn ends(&self, node: Node<'_>) -> bool {
        let condition = node.child_by_field_name("condition");
        let text = condition.map_or("", |c| self.text(c));
        match Kind::of(&node) {
            Kind::EnhancedForStatement => return true,
            Kind::ForStatement if condition.is_some() && text.trim() != "true" => return true,
            Kind::WhileStatement | Kind::DoStatement
                if text.trim_matches(['(', ')', ' ']) != "true" =>
            {
                return true;
            }
            _ => {}
        }
        // Endless, unless something leaves it.
        let label = labelled(node)
            .named_child(0)
            .filter(|l| Kind::of(l) == Kind::Identifier)
            .map(|l| self.text(l));
        descendants(node).any(|n| {
            Kind::of(&n) == Kind::BreakStatement
                && match n.named_child(0) {
                    Some(to) => label == Some(self.text(to)),
                    None => {
                        let takes = |p: &Node<'_>| {
                            is_loop(Kind::of(p)) || Kind::of(p) == Kind::SwitchExpression
                        };
                        let target = std::iter::successors(n.parent(), Node::parent).find(takes);
                        target.is_some_and(|t| t.id() == node.id())
                    }
                }
        })
    }
}

/// A variable in scope.
#[derive(Clone, Copy, Debug)]
struct Declared {
    /// Where it is declared.
    at: usize,
    /// Where its scope ends.
    end: usize,
    /// It is declared without a value.
    is_unset: bool,
}

/// The first named child of an assignment or an update: what is defined.
fn first_of(node: Node<'_>) -> Node<'_> {
    node.named_child(0).unwrap_or(node)
}

fn opens_scope(kind: Kind) -> bool {
    is_block(kind)
        || is_loop(kind)
        || matches!(
            kind,
            Kind::LambdaExpression
                | Kind::CatchClause
                | Kind::TryWithResourcesStatement
                | Kind::MethodDeclaration
                | Kind::ConstructorDeclaration
                | Kind::CompactConstructorDeclaration
                | Kind::SwitchBlock
        )
}

/// A loop with its labels.
fn labelled(node: Node<'_>) -> Node<'_> {
    let mut at = node;
    while let Some(parent) = at.parent()
        && Kind::of(&parent) == Kind::LabeledStatement
    {
        at = parent;
    }
    at
}

/// True if a place is passed once for each turn of a loop of its own method.
pub(super) fn in_loop(node: Node<'_>) -> bool {
    let around = std::iter::successors(node.parent(), Node::parent);
    let Some(callable) = enclosing_callable(node) else {
        return false;
    };
    around
        .take_while(|n| n.id() != callable.id())
        .any(|n| is_loop(Kind::of(&n)))
}

pub(super) fn is_loop(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ForStatement | Kind::EnhancedForStatement | Kind::WhileStatement | Kind::DoStatement
    )
}
