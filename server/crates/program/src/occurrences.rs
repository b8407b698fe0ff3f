//! Where members, locals and types occur in a file, and what each occurrence means: for comparing with a compiler.

use crate::ids::{BodyId, FileId};
use crate::program::Program;
use crate::resolve::{CallTarget, NameTarget};
use crate::snapshot::{FileData, Snapshot};
use crate::types::Ty;
use flow::{Callee, ExprKind, LocalId, Target};
use smol_str::SmolStr;

/// What is written there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum OccurrenceKind {
    /// A method call, `this(…)` or `super(…)`.
    Call,
    /// A constructor call by `new` or by an enum constant.
    New,
    /// A method reference.
    Reference,
    /// A field, read or assigned.
    Field,
    /// A local variable or parameter, read or assigned; of an enclosing body too. The target is `@` and the offset of its name.
    Local,
    /// A type's name where an expression could stand. The target is its binary name.
    Type,
    /// The declaration of a field, a method, a local variable or a parameter. The target is the erasure of its type.
    Declared,
}

impl OccurrenceKind {
    /// As output and a compiler's own list write it.
    pub fn name(self) -> &'static str {
        match self {
            OccurrenceKind::Call => "call",
            OccurrenceKind::New => "new",
            OccurrenceKind::Reference => "reference",
            OccurrenceKind::Field => "field",
            OccurrenceKind::Local => "local",
            OccurrenceKind::Type => "type",
            OccurrenceKind::Declared => "declared",
        }
    }
}

/// A name in the text, and what it means.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub struct Occurrence {
    /// Absolute byte offset where the simple name of the member starts (of `new` in a constructor call).
    pub offset: u32,
    /// What is written there.
    pub kind: OccurrenceKind,
    /// The simple name; that of the class for constructor calls.
    pub name: SmolStr,
    /// The contract name of the target: a library's too, where it is known which one.
    pub target: Option<String>,
    /// True if the target is in the workspace; of a declared type, if its class (that of an array's elements) is.
    pub in_workspace: bool,
    /// True if it is not known what is used (a library's member is known to be one).
    pub unknown: bool,
}

/// The offset of a local's name in the text, with the local's name; `None` if it has no place there.
fn local_place(data: &Snapshot, body: BodyId, local: LocalId) -> Option<(u32, &SmolStr)> {
    let (file, at) = data.body_at(body)?;
    let decl = &file.summary.bodies[at];
    let local = decl.body.locals.get(local.ix())?;
    Some((decl.start + local.start, &local.name))
}

/// The declared types of the fields and methods of a file.
fn declarations(data: &Snapshot, file: &FileData, out: &mut Vec<Occurrence>) {
    for (at, decl) in file.summary.types.iter().enumerate() {
        let Some(header) = data.header(file.types[at]) else {
            continue;
        };
        let fields = decl.fields.iter().filter(|f| !f.enum_constant);
        for field in fields {
            let name = data.ids.symbol(&field.name);
            if let Some(found) = header.field_named(name) {
                out.push(declared(data, field.name_span.start, &field.name, found.ty));
            }
        }
        for (method, &id) in decl.methods.iter().zip(&file.methods[at]) {
            if method.implicit || method.name == "<init>" {
                continue;
            }
            if let Some(found) = data.signature(id) {
                out.push(declared(
                    data,
                    method.name_span.start,
                    &method.name,
                    found.ret,
                ));
            }
        }
    }
}

fn declared(data: &Snapshot, offset: u32, name: &SmolStr, ty: Ty) -> Occurrence {
    let mut target = String::new();
    let known = data.erased_name(ty, &mut target).is_some();
    let mut class = data.erase(ty);
    while let Some(element) = data.ids.element(class) {
        class = element;
    }
    let in_workspace = data
        .ids
        .as_class(class)
        .is_some_and(|(def, _)| !data.ids.is_library(def));
    Occurrence {
        offset,
        kind: OccurrenceKind::Declared,
        name: name.clone(),
        target: known.then_some(target),
        in_workspace: known && in_workspace,
        unknown: !known,
    }
}

impl Program {
    /// Calls, constructor calls, method references and fields in a file, by position.
    pub fn occurrences(&self, file: FileId) -> Vec<Occurrence> {
        let mut out = self.all_occurrences(file);
        out.retain(|u| u.kind <= OccurrenceKind::Field);
        out
    }

    /// Those, and local variables, types and declared types.
    pub fn all_occurrences(&self, file: FileId) -> Vec<Occurrence> {
        all_occurrences(self, file)
    }
}

fn all_occurrences(program: &Program, file: FileId) -> Vec<Occurrence> {
    let data = program.data();
    let mut out = Vec::new();
    let Some(file) = data.file(file) else {
        return out;
    };
    declarations(data, file, &mut out);
    for (decl, &id) in file.summary.bodies.iter().zip(&file.bodies) {
        let Some(resolved) = program.resolved(id) else {
            continue;
        };
        let body = &decl.body;
        let owner = &file.summary.types[decl.owner as usize];
        // The implicit constructor of a record is not in the text.
        if let crate::declarations::BodyMember::Method(m) = decl.member
            && owner.methods[m as usize].implicit
        {
            continue;
        }
        let class_name = |ty: flow::TypeRefId| match &body.types[ty.ix()] {
            flow::TypeRef::Named(segments) => segments
                .last()
                .map_or_else(SmolStr::default, |s| s.name.clone()),
            _ => SmolStr::default(),
        };
        for (at, call) in body.calls.iter().enumerate() {
            let (kind, name) = match call.callee {
                Callee::Method { name, .. } => (OccurrenceKind::Call, body.name(name).clone()),
                Callee::New { ty, .. } => (OccurrenceKind::New, class_name(ty)),
                Callee::ThisConstructor => (OccurrenceKind::Call, "this".into()),
                Callee::SuperConstructor { .. } => (OccurrenceKind::Call, "super".into()),
                Callee::EnumConstant { .. } => (OccurrenceKind::New, owner.name.clone()),
            };
            let target = resolved
                .calls
                .get(at)
                .copied()
                .unwrap_or(CallTarget::Unknown);
            let in_workspace = matches!(target, CallTarget::Workspace(_));
            let method = match target {
                CallTarget::Workspace(m) => Some(m),
                _ => resolved.library_method(call.expr),
            };
            out.push(Occurrence {
                offset: decl.start + call.name_start,
                kind,
                name,
                in_workspace,
                unknown: target == CallTarget::Unknown,
                target: method.map(|m| data.method_name(m)),
            });
        }
        for &(e, target) in &resolved.references {
            let ExprKind::MethodRef { name, .. } = body.expr(e).kind else {
                continue;
            };
            let name = body.name(name).clone();
            let in_workspace = target.is_some();
            let target = target.or_else(|| resolved.library_method(e));
            let target = target.map(|m| data.method_name(m));
            out.push(Occurrence {
                offset: decl.start + body.expr(e).end.saturating_sub(name.len() as u32),
                kind: OccurrenceKind::Reference,
                name,
                in_workspace,
                unknown: false,
                target,
            });
        }
        for &(e, target) in &resolved.names {
            let expr = body.expr(e);
            let name = match expr.kind {
                ExprKind::Name(name) | ExprKind::Field { name, .. } => body.name(name).clone(),
                // A constant of an enum in a `case`, where a local has the same name.
                ExprKind::Local(local) => body.locals[local.ix()].name.clone(),
                _ => continue,
            };
            let library = target == NameTarget::LibraryField;
            let (kind, target, unknown) = match target {
                NameTarget::Field(field) => {
                    (OccurrenceKind::Field, Some(data.field_name(field)), false)
                }
                NameTarget::LibraryField => {
                    let field = resolved.library_field(e);
                    let name = field.map(|f| data.field_name(f));
                    (OccurrenceKind::Field, name, false)
                }
                NameTarget::Unknown => (OccurrenceKind::Field, None, true),
                NameTarget::Captured { body, local } => match local_place(data, body, local) {
                    Some((at, _)) => (OccurrenceKind::Local, Some(format!("@{at}")), false),
                    None => continue,
                },
                NameTarget::Type(def) => {
                    let name = def.map(|d| data.ids.type_name(d).to_string());
                    (OccurrenceKind::Type, name, false)
                }
                NameTarget::Package | NameTarget::ArrayLength => continue,
            };
            out.push(Occurrence {
                offset: decl.start + expr.end.saturating_sub(name.len() as u32),
                kind,
                name,
                in_workspace: target.is_some() && !library,
                unknown,
                target,
            });
        }
        let of_local = |local: &flow::Local, offset: u32| Occurrence {
            offset: decl.start + offset,
            kind: OccurrenceKind::Local,
            name: local.name.clone(),
            target: Some(format!("@{}", decl.start + local.start)),
            in_workspace: true,
            unknown: false,
        };
        for (at, expr) in body.exprs.iter().enumerate() {
            let ExprKind::Local(local) = expr.kind else {
                continue;
            };
            if resolved.name(flow::ExprId(at as u32)).is_some() {
                continue;
            }
            let local = &body.locals[local.ix()];
            out.push(of_local(local, expr.start));
        }
        for def in &body.defs {
            let Target::Local(local) = def.target else {
                continue;
            };
            let local = &body.locals[local.ix()];
            if local.start == def.name_start {
                continue;
            }
            out.push(of_local(local, def.name_start));
        }
        for (local, &ty) in body.locals.iter().zip(&resolved.locals) {
            out.push(declared(data, decl.start + local.start, &local.name, ty));
        }
    }
    out.sort();
    // A compound assignment reads and writes at one place.
    out.dedup();
    out
}
