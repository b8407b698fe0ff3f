//! Which controllers a test loads.

use crate::Workspace;
use crate::handlers::{MAX_CLASSES, type_named};
use flow::Callee;
use oracle::web::arguments_of;
use oracle::web::context::{is_wired, loads, names_controllers, sets_up_alone, sets_up_routes};
use program::{Program, TypeId};

/// The controllers that the tests of a class load, as they name them.
pub(super) struct Loaded {
    pub(super) controllers: Vec<TypeId>,
    /// They are set up by themselves, by `standaloneSetup(new OwnerController(owners))`: no context makes objects.
    pub(super) alone: bool,
}

/// The controllers that the tests of a class load, if they name them: `@WebMvcTest(OwnerController.class)`,
/// `standaloneSetup(new OwnerController(owners))`. None if it may be any.
pub(super) fn loaded(workspace: &Workspace, class: TypeId) -> Option<Loaded> {
    let program = workspace.program();
    let mut out = Vec::new();
    let mut alone = false;
    for of in around(program, class) {
        let Some(decl) = program.type_decl(of) else {
            continue;
        };
        for told in decl.told.iter().filter(|t| loads(&t.annotation)) {
            let arguments = arguments_of(&told.arguments).into_iter();
            let named_so = arguments.filter(|a| names_controllers(a.name));
            for value in named_so.flat_map(|a| a.values()) {
                let name = value.strip_suffix(".class")?;
                out.push(type_named(program, of, name.trim())?);
            }
        }
        for &method in program.methods_of_type(of) {
            let Some(id) = program.method_body(method) else {
                continue;
            };
            let Some(body) = program.body(id).map(|b| &b.body) else {
                continue;
            };
            // Routes that are written as code have no controllers.
            alone |= body.names.iter().any(sets_up_routes);
            if !body.names.iter().any(sets_up_alone) {
                continue;
            }
            for call in &body.calls {
                let Callee::Method { name, .. } = call.callee else {
                    continue;
                };
                if !sets_up_alone(body.name(name)) {
                    continue;
                }
                alone = true;
                let resolved = workspace.resolved(id)?;
                for &arg in body.list(call.args) {
                    out.push(program.class_of(resolved.ty(arg))?);
                }
            }
        }
    }
    (alone || !out.is_empty()).then_some(Loaded {
        controllers: out,
        alone,
    })
}

/// True if no container makes objects for the tests of a class: its controllers are set up by themselves, and nothing is
/// put into its fields.
pub(crate) fn is_without_context(workspace: &Workspace, class: TypeId) -> bool {
    let program = workspace.program();
    let is_put_in = || {
        let fields = around(program, class).into_iter();
        let mut fields = fields.flat_map(|c| program.fields_of_type(c).iter());
        fields.any(|f| {
            let decl = program.field_decl(*f);
            decl.is_some_and(|d| d.annotations.iter().any(|a| is_wired(a)))
        })
    };
    loaded(workspace, class).is_some_and(|l| l.alone) && !is_put_in()
}

/// A test class, those above it and those around it.
fn around(program: &Program, class: TypeId) -> Vec<TypeId> {
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
    let mut out: Vec<TypeId> = Vec::new();
    for of in around.take(MAX_CLASSES) {
        let above = std::iter::successors(Some(of), |c| program.superclass(*c));
        for class in above.take(MAX_CLASSES) {
            if !out.contains(&class) {
                out.push(class);
            }
        }
    }
    out
}

/// True for a class that stands in a test class, or in one above it.
pub(super) fn is_within(program: &Program, inner: TypeId, class: TypeId) -> bool {
    let all = around(program, class);
    let mut own = std::iter::successors(Some(inner), |c| program.enclosing_type(*c));
    own.any(|c| all.contains(&c))
}
