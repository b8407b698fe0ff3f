//! What stands in declarations of every kind: modifiers, annotations, type parameters, lists of types, parameters.

use super::Reader;
use crate::declarations::{Modifiers, ParamDecl, Told, TypeParamDecl};
use flow::{TypeRef, lower_type, with_dimensions};
use smol_str::SmolStr;
use syntax::{Field, Kind, NodeId};
use text::Span;

/// The annotations whose arguments are kept: those by which Spring or JAX-RS learns which method answers a request, and
/// which classes a test loads; what a test is told to throw, or whether it runs; and what gives it its arguments.
pub(super) const TELLING: &[&str] = &[
    "RequestMapping",
    "GetMapping",
    "PostMapping",
    "PutMapping",
    "DeleteMapping",
    "PatchMapping",
    "ApplicationPath",
    "Path",
    "GET",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "HEAD",
    "OPTIONS",
    "Consumes",
    "Produces",
    "ModelAttribute",
    "ResponseStatus",
    "WebMvcTest",
    "WebFluxTest",
    "Test",
    "MethodSource",
    "ArgumentsSource",
];

/// What is longer is no path.
const LONGEST: usize = 1000;

impl Reader<'_> {
    /// The annotations of a declaration that are kept whole.
    pub(super) fn told(&self, n: NodeId) -> Box<[Told]> {
        let nodes = self.nodes;
        let Some(list) = nodes.child_of(n, Kind::Modifiers) else {
            return Box::default();
        };
        let told = nodes.children(list).filter_map(|c| {
            let is = matches!(nodes.kind(c), Kind::Annotation | Kind::MarkerAnnotation);
            let name = nodes.child(c, Field::Name).filter(|_| is)?;
            let simple = nodes.text(name).rsplit('.').next().unwrap_or("");
            if !TELLING.contains(&simple) {
                return None;
            }
            // There are thousands that say nothing.
            if simple == "Test" && nodes.kind(c) == Kind::MarkerAnnotation {
                return None;
            }
            let behind = nodes.text(c).split_once('(').map_or("", |t| t.1).trim();
            let arguments = behind.strip_suffix(')').unwrap_or(behind);
            Some(Told {
                annotation: SmolStr::new(simple),
                arguments: match arguments.len() <= LONGEST {
                    true => SmolStr::new(arguments),
                    false => SmolStr::default(),
                },
            })
        });
        told.collect()
    }

    /// The initialiser of a text as written, if it may be a constant.
    pub(super) fn string(&self, value: NodeId) -> Option<SmolStr> {
        let text = self.nodes.text(value);
        let is = match self.nodes.kind(value) {
            Kind::StringLiteral => !text.starts_with("\"\"\""),
            Kind::BinaryExpression | Kind::Identifier | Kind::FieldAccess => true,
            _ => false,
        };
        (is && text.len() <= LONGEST).then(|| SmolStr::new(text))
    }

    pub(super) fn modifiers(&self, n: NodeId) -> (Modifiers, Vec<SmolStr>) {
        let nodes = self.nodes;
        let mut out = Modifiers::default();
        let mut annotations = Vec::new();
        let Some(list) = nodes.child_of(n, Kind::Modifiers) else {
            return (out, annotations);
        };
        for c in nodes.children(list) {
            out = out.with(match nodes.kind(c) {
                Kind::KwPublic => Modifiers::PUBLIC,
                Kind::KwProtected => Modifiers::PROTECTED,
                Kind::KwPrivate => Modifiers::PRIVATE,
                Kind::KwStatic => Modifiers::STATIC,
                Kind::KwFinal => Modifiers::FINAL,
                Kind::KwAbstract => Modifiers::ABSTRACT,
                Kind::KwDefault => Modifiers::DEFAULT,
                Kind::KwNative => Modifiers::NATIVE,
                Kind::KwSynchronized => Modifiers::SYNCHRONIZED,
                Kind::KwSealed => Modifiers::SEALED,
                Kind::KwNonSealed => Modifiers::NON_SEALED,
                Kind::KwTransient => Modifiers::TRANSIENT,
                Kind::KwVolatile => Modifiers::VOLATILE,
                Kind::KwStrictfp => Modifiers::STRICTFP,
                Kind::Annotation | Kind::MarkerAnnotation => {
                    if let Some(name) = nodes.child(c, Field::Name) {
                        let last = (name.0..nodes.close(name))
                            .rev()
                            .map(NodeId)
                            .find(|&i| nodes.kind(i) == Kind::Identifier);
                        annotations.push(SmolStr::new(nodes.name(last.unwrap_or(name))));
                    }
                    Modifiers::default()
                }
                _ => Modifiers::default(),
            });
        }
        (out, annotations)
    }

    pub(super) fn type_params(&self, n: NodeId) -> Vec<TypeParamDecl> {
        let nodes = self.nodes;
        let Some(list) = nodes.child_of(n, Kind::TypeParameters) else {
            return Vec::new();
        };
        nodes
            .children(list)
            .filter(|&c| nodes.kind(c) == Kind::TypeParameter)
            .filter_map(|p| {
                let name = nodes
                    .children(p)
                    .find(|&c| matches!(nodes.kind(c), Kind::TypeIdentifier | Kind::Identifier))?;
                let bounds = nodes
                    .child_of(p, Kind::TypeBound)
                    .map(|b| self.types_in(b))
                    .unwrap_or_default();
                Some(TypeParamDecl {
                    name: SmolStr::new(nodes.name(name)),
                    bounds,
                })
            })
            .collect()
    }

    /// The types among the children of a clause, also those in its `type_list`.
    pub(super) fn types_in(&self, clause: NodeId) -> Vec<TypeRef> {
        let nodes = self.nodes;
        let list = nodes.child_of(clause, Kind::TypeList).unwrap_or(clause);
        nodes
            .children(list)
            .filter(|&c| nodes.kind(c).is_type())
            .map(|c| lower_type(nodes, c))
            .collect()
    }

    /// Parameters with their spans and those of their names, and whether the last is varargs.
    pub(super) fn params(&self, list: NodeId) -> (Vec<(ParamDecl, Span, Span)>, bool) {
        let nodes = self.nodes;
        let mut out = Vec::new();
        let mut varargs = false;
        for p in nodes.children(list) {
            let (name, ty) = match nodes.kind(p) {
                Kind::FormalParameter => {
                    let Some(name) = nodes.child(p, Field::Name) else {
                        continue;
                    };
                    let ty = nodes
                        .child(p, Field::Type)
                        .map_or(TypeRef::Error, |t| lower_type(nodes, t));
                    (
                        name,
                        with_dimensions(nodes, ty, nodes.child(p, Field::Dimensions)),
                    )
                }
                Kind::SpreadParameter => {
                    let declarator = nodes.child_of(p, Kind::VariableDeclarator);
                    let Some(name) = declarator.and_then(|d| nodes.child(d, Field::Name)) else {
                        continue;
                    };
                    let ty = nodes.children(p).find(|&c| nodes.kind(c).is_type());
                    varargs = true;
                    (
                        name,
                        TypeRef::Array(Box::new(
                            ty.map_or(TypeRef::Error, |t| lower_type(nodes, t)),
                        )),
                    )
                }
                _ => continue,
            };
            out.push((
                ParamDecl {
                    name: SmolStr::new(nodes.name(name)),
                    ty,
                },
                nodes.span(p),
                nodes.span(name),
            ));
        }
        (out, varargs)
    }
}
