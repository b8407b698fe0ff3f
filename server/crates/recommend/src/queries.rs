//! What can be asked of an object.

use calls::Workspace;
use effects::Purity;
use program::{FieldId, MethodId, Modifiers, Ty, TypeId};
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

/// What a query calls or reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryTarget {
    /// A method without parameters.
    Method(MethodId),
    /// A public field.
    Field(FieldId),
}

/// The queries of a class as a class in `here` can call them: text, what is read, type of the value; nearest class
/// first, then in order of the text, at most `most`. Those that `also` names count whatever they do.
pub(crate) fn queries(
    purity: &Purity,
    workspace: &Workspace,
    class: TypeId,
    here: TypeId,
    most: usize,
    also: &dyn Fn(&str) -> bool,
) -> Vec<(SmolStr, QueryTarget, Ty)> {
    let program = workspace.program();
    let mut out: Vec<(SmolStr, QueryTarget, Ty)> = Vec::new();
    let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
    for class in std::iter::once(class).chain(program.supertypes(class)) {
        for &m in program.methods_of_type(class) {
            let Some(decl) = program.method_decl(m) else {
                continue;
            };
            if !decl.params.is_empty()
                || decl.modifiers.has(Modifiers::STATIC)
                || program.is_constructor(m)
                || !program.returns_value(m)
                || !program.accessible(class, decl.modifiers, here)
            {
                continue;
            }
            let text = format_smolstr!("{}()", decl.name);
            if program.is_test_type(class) {
                // What tests' own code answers says nothing, and hides what stands above it.
                seen.insert(text);
                continue;
            }
            if seen.contains(&text) || !(purity.is_pure(workspace, m) || also(&text)) {
                continue;
            }
            seen.insert(text.clone());
            out.push((text, QueryTarget::Method(m), program.return_type(m)));
        }
        for &f in program.fields_of_type(class) {
            let Some(decl) = program.field_decl(f) else {
                continue;
            };
            if decl.modifiers.has(Modifiers::STATIC) || !decl.modifiers.has(Modifiers::PUBLIC) {
                continue;
            }
            if seen.insert(decl.name.clone()) {
                out.push((
                    decl.name.clone(),
                    QueryTarget::Field(f),
                    program.field_type(f),
                ));
            }
        }
        if out.len() >= most {
            break;
        }
    }
    out.truncate(most);
    out
}
