//! Names of places in Java, as the contracts say: `pkg.Outer$Inner#method(int,java.lang.String[])`.

use crate::declarations::BodyMember;
use crate::ids::{BodyId, FieldId, MethodId};
use crate::snapshot::Snapshot;
use crate::types::{Ty, TyKind};
use flow::{Bound, LambdaId, Primitive, TypeRef};
use smol_str::SmolStr;

/// Types as written, separated by commas.
pub(crate) fn written<'a>(types: impl Iterator<Item = &'a TypeRef>) -> String {
    let mut out = String::new();
    for (at, ty) in types.enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(ty, true, &mut out);
    }
    out
}

/// A type as written, without its type arguments.
pub(crate) fn written_erased(ty: &TypeRef) -> String {
    let mut out = String::new();
    write(ty, false, &mut out);
    out
}

pub(crate) fn primitive(p: Primitive) -> &'static str {
    match p {
        Primitive::Void => "void",
        Primitive::Boolean => "boolean",
        Primitive::Byte => "byte",
        Primitive::Short => "short",
        Primitive::Char => "char",
        Primitive::Int => "int",
        Primitive::Long => "long",
        Primitive::Float => "float",
        Primitive::Double => "double",
    }
}

/// Types nest at most as deep as lowering reads them.
fn write(ty: &TypeRef, with_args: bool, out: &mut String) {
    match ty {
        TypeRef::Inferred => out.push_str("var"),
        TypeRef::Primitive(p) => out.push_str(primitive(*p)),
        TypeRef::Named(segments) => {
            for (at, segment) in segments.iter().enumerate() {
                if at > 0 {
                    out.push('.');
                }
                out.push_str(&segment.name);
                if with_args && !segment.args.is_empty() {
                    out.push('<');
                    for (at, arg) in segment.args.iter().enumerate() {
                        if at > 0 {
                            out.push(',');
                        }
                        write(arg, with_args, out);
                    }
                    out.push('>');
                }
            }
        }
        TypeRef::Array(element) => {
            // As deep as brackets are written, so not by recursion.
            let (mut element, mut dimensions) = (&**element, 1);
            while let TypeRef::Array(inner) = element {
                (element, dimensions) = (inner, dimensions + 1);
            }
            write(element, with_args, out);
            for _ in 0..dimensions {
                out.push_str("[]");
            }
        }
        TypeRef::Several(types) => {
            for (at, ty) in types.iter().enumerate() {
                if at > 0 {
                    out.push('&');
                }
                write(ty, with_args, out);
            }
        }
        TypeRef::Wildcard(bound) => {
            out.push('?');
            if let Some((side, ty)) = bound {
                out.push_str(if *side == Bound::Super {
                    " super "
                } else {
                    " extends "
                });
                write(ty, with_args, out);
            }
        }
        TypeRef::Error => out.push_str("<error>"),
    }
}

impl Snapshot {
    /// The erasure of a type as contracts write it; `None` where it is not known.
    pub(crate) fn erased_name(&self, ty: Ty, out: &mut String) -> Option<()> {
        let mut ty = ty;
        let mut dimensions = 0;
        loop {
            match self.ids.kind(ty) {
                TyKind::Array(element) => {
                    ty = *element;
                    dimensions += 1;
                }
                TyKind::Primitive(p) => {
                    out.push_str(primitive(*p));
                    break;
                }
                TyKind::Class { def, .. } => {
                    out.push_str(self.ids.type_name(*def));
                    break;
                }
                TyKind::ClassVar { .. } | TyKind::MethodVar { .. } => {
                    let erased = self.erase(ty);
                    if erased == ty {
                        return None;
                    }
                    ty = erased;
                }
                TyKind::Intersection(parts) => ty = *parts.first()?,
                TyKind::Unknown | TyKind::Null | TyKind::Lower(_) | TyKind::Any => return None,
            }
        }
        for _ in 0..dimensions {
            out.push_str("[]");
        }
        Some(())
    }

    pub(crate) fn method_name(&self, id: MethodId) -> String {
        let key = self.ids.methods.get(id.0);
        let mut out = format!(
            "{}#{}(",
            self.ids.type_name(key.owner),
            self.ids.text(key.name)
        );
        let signature = self.signature(id);
        if self.ids.is_library(key.owner) {
            for (at, &param) in signature.iter().flat_map(|s| &s.params).enumerate() {
                if at > 0 {
                    out.push(',');
                }
                if self.erased_name(param, &mut out).is_none() {
                    out.push('?');
                }
            }
        } else if let Some(decl) = self.method_decl(id) {
            for (at, param) in decl.params.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                let before = out.len();
                let resolved = signature
                    .and_then(|s| s.params.get(at))
                    .and_then(|&ty| self.erased_name(ty, &mut out));
                if resolved.is_none() {
                    out.truncate(before);
                    out.push_str(&written_erased(&param.ty));
                }
            }
        }
        out.push(')');
        out
    }

    pub(crate) fn field_name(&self, id: FieldId) -> String {
        let key = self.ids.fields.get(id.0);
        format!(
            "{}#{}",
            self.ids.type_name(key.owner),
            self.ids.text(key.name)
        )
    }

    pub(crate) fn body_name(&self, id: BodyId) -> Option<String> {
        let (file, at) = self.body_at(id)?;
        let decl = &file.summary.bodies[at];
        Some(match decl.member {
            BodyMember::Method(m) => {
                self.method_name(file.methods[decl.owner as usize][m as usize])
            }
            BodyMember::Clinit => format!(
                "{}#<clinit>",
                file.summary.types[decl.owner as usize].binary_name
            ),
            BodyMember::Init => format!(
                "{}#<init>",
                file.summary.types[decl.owner as usize].binary_name
            ),
        })
    }

    pub(crate) fn lambda_name(&self, id: BodyId, lambda: LambdaId) -> Option<String> {
        // Lambdas are numbered in order of the text, which is the order in which they begin.
        let body = &self.body_decl(id)?.body;
        let start = |l: usize| (body.exprs[body.lambdas[l].expr.ix()].start, l);
        let number = (0..body.lambdas.len())
            .filter(|&l| start(l) <= start(lambda.ix()))
            .count();
        Some(format!("{}$lambda{number}", self.body_name(id)?))
    }

    pub(crate) fn ty_name(&self, ty: Ty) -> SmolStr {
        let mut out = String::new();
        self.write_ty(ty, &mut out, 20);
        out.into()
    }

    fn write_ty(&self, ty: Ty, out: &mut String, depth: u32) {
        match self.ids.kind(ty) {
            _ if depth == 0 => out.push('…'),
            TyKind::Unknown | TyKind::Any => out.push('?'),
            TyKind::Null => out.push_str("null"),
            TyKind::Primitive(p) => out.push_str(primitive(*p)),
            TyKind::Class { def, args } => {
                out.push_str(self.ids.type_name(*def));
                if !args.is_empty() {
                    out.push('<');
                    for (at, &arg) in args.iter().enumerate() {
                        if at > 0 {
                            out.push_str(", ");
                        }
                        self.write_ty(arg, out, depth - 1);
                    }
                    out.push('>');
                }
            }
            TyKind::Array(element) => {
                self.write_ty(*element, out, depth - 1);
                out.push_str("[]");
            }
            TyKind::ClassVar { owner, index } => {
                match self
                    .header(*owner)
                    .and_then(|h| h.params.get(usize::from(*index)))
                {
                    Some(param) => out.push_str(self.ids.text(param.name)),
                    None => out.push('?'),
                }
            }
            TyKind::MethodVar { owner, index } => {
                match self
                    .method_decl(*owner)
                    .and_then(|m| m.type_params.get(usize::from(*index)))
                {
                    Some(param) => out.push_str(&param.name),
                    None => out.push('?'),
                }
            }
            TyKind::Intersection(parts) => {
                for (at, &part) in parts.iter().enumerate() {
                    if at > 0 {
                        out.push_str(" & ");
                    }
                    self.write_ty(part, out, depth - 1);
                }
            }
            TyKind::Lower(bound) => {
                out.push_str("? super ");
                self.write_ty(*bound, out, depth - 1);
            }
        }
    }
}
