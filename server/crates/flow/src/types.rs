//! Types as written, from nodes.

use crate::body::{Bound, Primitive, Segment, TypeRef};
use smol_str::SmolStr;
use syntax::{Field, Kind, NodeId, Nodes};

/// Nesting of type arguments beyond which a type is not read (nobody writes it; it bounds the recursion).
const MAX_NESTING: u32 = 100;

/// The type at `ty`. Unreadable types become [`TypeRef::Error`].
pub fn lower_type(nodes: &Nodes<'_>, ty: NodeId) -> TypeRef {
    lower(nodes, ty, MAX_NESTING)
}

/// `ty` with the extra dimensions of a declarator (`int a[]`), if any.
pub fn with_dimensions(nodes: &Nodes<'_>, ty: TypeRef, dimensions: Option<NodeId>) -> TypeRef {
    let mut ty = ty;
    for _ in 0..dimensions.map_or(0, |d| count_dimensions(nodes, d)) {
        ty = TypeRef::Array(Box::new(ty));
    }
    ty
}

fn count_dimensions(nodes: &Nodes<'_>, dimensions: NodeId) -> usize {
    nodes
        .text(dimensions)
        .bytes()
        .filter(|&b| b == b'[')
        .count()
        .min(255)
}

fn lower(nodes: &Nodes<'_>, ty: NodeId, depth: u32) -> TypeRef {
    if depth == 0 {
        return TypeRef::Error;
    }
    match nodes.kind(ty) {
        Kind::VoidType => TypeRef::Primitive(Primitive::Void),
        Kind::BooleanType => TypeRef::Primitive(Primitive::Boolean),
        Kind::IntegralType | Kind::FloatingPointType => {
            TypeRef::Primitive(match nodes.text(ty).trim() {
                "byte" => Primitive::Byte,
                "short" => Primitive::Short,
                "char" => Primitive::Char,
                "long" => Primitive::Long,
                "float" => Primitive::Float,
                "double" => Primitive::Double,
                _ => Primitive::Int,
            })
        }
        // `val` is Lombok's; a class of that name nobody writes.
        Kind::TypeIdentifier if matches!(nodes.text(ty), "var" | "val") => TypeRef::Inferred,
        // The qualified type of a record pattern is one identifier with dots (a repaired form).
        Kind::TypeIdentifier | Kind::Identifier => TypeRef::Named(
            nodes
                .name(ty)
                .split('.')
                .map(|name| Segment {
                    name: SmolStr::new(name.trim()),
                    args: Box::new([]),
                })
                .collect(),
        ),
        Kind::ScopedTypeIdentifier | Kind::GenericType | Kind::ScopedIdentifier => {
            let mut segments = Vec::new();
            segments_of(nodes, ty, &mut segments, depth);
            if segments.is_empty() {
                TypeRef::Error
            } else {
                TypeRef::Named(segments.into())
            }
        }
        Kind::ArrayType => {
            let element = nodes
                .child(ty, Field::Element)
                .map_or(TypeRef::Error, |e| lower(nodes, e, depth - 1));
            with_dimensions(nodes, element, nodes.child(ty, Field::Dimensions))
        }
        Kind::AnnotatedType => nodes
            .children(ty)
            .find(|&c| !matches!(nodes.kind(c), Kind::Annotation | Kind::MarkerAnnotation))
            .map_or(TypeRef::Error, |c| lower(nodes, c, depth - 1)),
        Kind::CatchType => {
            let types: Vec<TypeRef> = nodes
                .children(ty)
                .filter(|&c| nodes.kind(c).is_type())
                .map(|c| lower(nodes, c, depth - 1))
                .collect();
            match <[TypeRef; 1]>::try_from(types) {
                Ok([one]) => one,
                Err(types) => TypeRef::Several(types.into()),
            }
        }
        Kind::Wildcard => {
            let mut bound = Bound::Extends;
            let mut of = None;
            for c in nodes.children(ty) {
                match nodes.kind(c) {
                    Kind::Super => bound = Bound::Super,
                    k if k.is_type() => of = Some(lower(nodes, c, depth - 1)),
                    _ => {}
                }
            }
            TypeRef::Wildcard(of.map(|t| (bound, Box::new(t))))
        }
        _ => TypeRef::Error,
    }
}

/// Appends the segments of a possibly qualified and generic name, outermost first.
fn segments_of(nodes: &Nodes<'_>, ty: NodeId, out: &mut Vec<Segment>, depth: u32) {
    // A qualified name is left-deep; walk down its spine, then up.
    let mut spine = vec![ty];
    while let Some(&top) = spine.last() {
        let scope = match nodes.kind(top) {
            Kind::ScopedTypeIdentifier | Kind::GenericType => nodes.children(top).find(|&c| {
                matches!(
                    nodes.kind(c),
                    Kind::ScopedTypeIdentifier | Kind::GenericType
                ) || (nodes.kind(top) == Kind::ScopedTypeIdentifier
                    && nodes.kind(c) == Kind::TypeIdentifier
                    && nodes.close(c) != nodes.close(top))
            }),
            Kind::ScopedIdentifier => nodes.child(top, Field::Scope),
            _ => None,
        };
        match scope {
            Some(s) => spine.push(s),
            None => break,
        }
    }
    for &node in spine.iter().rev() {
        match nodes.kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => {
                out.push(Segment {
                    name: SmolStr::new(nodes.name(node)),
                    args: Box::new([]),
                });
            }
            Kind::ScopedTypeIdentifier => {
                if let Some(last) = nodes
                    .children(node)
                    .filter(|&c| nodes.kind(c) == Kind::TypeIdentifier)
                    .last()
                {
                    out.push(Segment {
                        name: SmolStr::new(nodes.name(last)),
                        args: Box::new([]),
                    });
                }
            }
            Kind::ScopedIdentifier => {
                if let Some(last) = nodes.child(node, Field::Name) {
                    out.push(Segment {
                        name: SmolStr::new(nodes.name(last)),
                        args: Box::new([]),
                    });
                }
            }
            Kind::GenericType => {
                for c in nodes.children(node) {
                    match nodes.kind(c) {
                        Kind::TypeIdentifier => {
                            out.push(Segment {
                                name: SmolStr::new(nodes.name(c)),
                                args: Box::new([]),
                            });
                        }
                        Kind::TypeArguments => {
                            let args: Box<[TypeRef]> = nodes
                                .children(c)
                                .filter(|&a| nodes.kind(a).is_type())
                                .map(|a| lower(nodes, a, depth - 1))
                                .collect();
                            if let Some(last) = out.last_mut() {
                                last.args = args;
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}
