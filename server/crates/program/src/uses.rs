//! The uses of members in a file, for comparing with a compiler.

use crate::ids::FileId;
use crate::program::Program;
use crate::resolve::{CallTarget, NameTarget};
use flow::{Callee, ExprKind};
use smol_str::SmolStr;

/// What kind of use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum UseKind {
    /// A method call, `this(…)` or `super(…)`.
    Call,
    /// A constructor call by `new` or by an enum constant.
    New,
    /// A method reference.
    Reference,
    /// A field, read or assigned.
    Field,
}

/// One use of a member.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub struct Use {
    /// Absolute byte offset where the simple name of the member starts (of `new` in a constructor call).
    pub offset: u32,
    /// What kind of use.
    pub kind: UseKind,
    /// The simple name; that of the class for constructor calls.
    pub name: SmolStr,
    /// The contract name of the target if it is in the workspace.
    pub target: Option<String>,
    /// True if the target is in the workspace.
    pub in_workspace: bool,
    /// True if it is not known what is used (a library's member is known to be one).
    pub unknown: bool,
}

/// All uses in `file`, by position.
pub(crate) fn uses(program: &Program, file: FileId) -> Vec<Use> {
    let data = program.data();
    let mut out = Vec::new();
    let Some(file) = data.file(file) else {
        return out;
    };
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
        let class_name = |ty: flow::TypeId| match &body.types[ty.ix()] {
            flow::TypeRef::Named(segments) => segments
                .last()
                .map_or_else(SmolStr::default, |s| s.name.clone()),
            _ => SmolStr::default(),
        };
        for (at, call) in body.calls.iter().enumerate() {
            let (kind, name) = match call.callee {
                Callee::Method { name, .. } => (UseKind::Call, body.name(name).clone()),
                Callee::New { ty, .. } => (UseKind::New, class_name(ty)),
                Callee::ThisConstructor => (UseKind::Call, "this".into()),
                Callee::SuperConstructor { .. } => (UseKind::Call, "super".into()),
                Callee::EnumConstant { .. } => (UseKind::New, owner.name.clone()),
            };
            let target = resolved
                .calls
                .get(at)
                .copied()
                .unwrap_or(CallTarget::Unknown);
            let method = match target {
                CallTarget::Workspace(m) => Some(data.method_name(m)),
                _ => None,
            };
            out.push(Use {
                offset: decl.start + call.name_start,
                kind,
                name,
                in_workspace: method.is_some(),
                unknown: target == CallTarget::Unknown,
                target: method,
            });
        }
        for &(e, target) in &resolved.references {
            let ExprKind::MethodRef { name, .. } = body.expr(e).kind else {
                continue;
            };
            let name = body.name(name).clone();
            let target = target.map(|m| data.method_name(m));
            out.push(Use {
                offset: decl.start + body.expr(e).end.saturating_sub(name.len() as u32),
                kind: UseKind::Reference,
                name,
                in_workspace: target.is_some(),
                unknown: false,
                target,
            });
        }
        for &(e, target) in &resolved.names {
            let expr = body.expr(e);
            let (ExprKind::Name(name) | ExprKind::Field { name, .. }) = expr.kind else {
                continue;
            };
            let name = body.name(name).clone();
            let (target, unknown) = match target {
                NameTarget::Field(field) => (Some(data.field_name(field)), false),
                NameTarget::LibraryField => (None, false),
                NameTarget::Unknown => (None, true),
                _ => continue,
            };
            out.push(Use {
                offset: decl.start + expr.end.saturating_sub(name.len() as u32),
                kind: UseKind::Field,
                name,
                in_workspace: target.is_some(),
                unknown,
                target,
            });
        }
    }
    out.sort();
    // A compound assignment reads and writes at one place.
    out.dedup();
    out
}
