//! How a candidate can be checked in a test: by an assertion of the test, by an inner oracle, or by nothing else.

use super::CandidateId;
use super::candidate::may_name_file;
use calls::Workspace;
use chains::{Returned, Source};
use flow::{Callable, VariableKind};
use program::{BodyId, FieldId, MethodId, Modifiers, Program, Ty, TypeId};
use rustc_hash::FxHashSet;

/// How a value of the code under test can be checked in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// The test's own call gives it.
    Returned,
    /// By an inner oracle: it is a local variable of the code under test.
    Local,
    /// By an inner oracle: it is a parameter.
    Parameter,
    /// By an inner oracle: it is a field that no other class can read.
    HiddenField,
    /// By an inner oracle or through the field.
    Field,
    /// By an inner oracle: the test does not call what returns it.
    Within,
    /// By an inner oracle: nothing uses it behind its definition, so that nothing else can show that it is wrong.
    Unused,
}

impl Check {
    /// For people: *assertable now*, *internal* or *does not propagate*, and why.
    pub fn words(self) -> &'static str {
        match self {
            Check::Returned => "Assertable now: the test's own call gives it.",
            Check::Field => {
                "Assertable now where the test has the object: the field, or a method that gives it, can be read."
            }
            Check::Local => {
                "Internal: a local variable of the code under test, which only an inner oracle can check."
            }
            Check::Parameter => {
                "Internal: a parameter of the code under test, which only an inner oracle can check."
            }
            Check::HiddenField => {
                "Internal: no other class can read the field, so only an inner oracle can check it."
            }
            Check::Within => {
                "Internal: no test calls what returns it, so only an inner oracle can check it."
            }
            Check::Unused => {
                "Does not propagate: nothing uses it behind its definition, so only an inner oracle can check it."
            }
        }
    }

    /// The stable name, for scripts.
    pub fn name(self) -> &'static str {
        match self {
            Check::Returned => "assertable",
            Check::Field => "assertable-field",
            Check::Local => "internal-local",
            Check::Parameter => "internal-parameter",
            Check::HiddenField => "internal-field",
            Check::Within => "internal-return",
            Check::Unused => "does-not-propagate",
        }
    }
}

/// How a value can be checked in a test; without one, in whichever.
pub fn check(workspace: &Workspace, test: Option<MethodId>, id: CandidateId) -> Option<Check> {
    let program = workspace.program();
    let chains = workspace.chains(id.body)?;
    let candidate = chains.candidates.get(id.index as usize)?;
    Some(match candidate.kind {
        VariableKind::Return => {
            let own = test.and_then(|t| program.method_body(t));
            let own = own.and_then(|b| workspace.chains(b));
            let calls = own.map_or(&[][..], |c| &c.calls);
            let is_called = calls.iter().any(|site| {
                let targets = workspace.call_graph().targets(site);
                site.gives_value && targets.bodies().contains(&id.body)
            });
            match is_called && candidate.callable == Callable::Member {
                true => Check::Returned,
                false => Check::Within,
            }
        }
        VariableKind::Field => match candidate.field {
            Some(f) if read(workspace, test, f).is_some() => Check::Field,
            _ => Check::HiddenField,
        },
        VariableKind::Parameter | VariableKind::LambdaParameter => Check::Parameter,
        _ if is_unused(program, id.body, &candidate.variable) => Check::Unused,
        _ => Check::Local,
    })
}

/// True if a test has what gives a value, as it stands: it calls what returns it, or its own code has an object whose field
/// it may read.
pub(crate) fn is_within_reach(workspace: &Workspace, test: MethodId, id: CandidateId) -> bool {
    match check(workspace, Some(test), id) {
        Some(Check::Returned) => true,
        Some(Check::Field) => {
            let chains = workspace.chains(id.body);
            let candidate = chains.and_then(|c| c.candidates.get(id.index as usize));
            let field = candidate.and_then(|c| c.field);
            field
                .is_some_and(|f| has_object_of(workspace, test, workspace.program().field_owner(f)))
        }
        _ => false,
    }
}

/// True if an expression of a test's own body is an object of a class or of one below it, or holds such.
fn has_object_of(workspace: &Workspace, test: MethodId, class: TypeId) -> bool {
    let program = workspace.program();
    let body = program.method_body(test);
    let Some(resolved) = body.and_then(|b| workspace.resolved(b)) else {
        return false;
    };
    let is = |ty: Ty| {
        let own = program.class_of(ty);
        own.is_some_and(|own| own == class || program.supertypes(own).contains(&class))
    };
    // `Cart.class` holds none.
    let is_class = |ty: Ty| {
        let of = program.library_class_of(ty);
        of.is_some_and(|of| of == "java.lang.Class")
    };
    let mut seen: FxHashSet<Ty> = FxHashSet::default();
    let mut all = resolved.types.iter().chain(resolved.locals.iter());
    all.any(|ty| {
        let holds = || program.arguments(*ty).iter().any(|held| is(*held));
        seen.insert(*ty) && (is(*ty) || !is_class(*ty) && holds())
    })
}

/// How a test reads a field of an object: `total` or `getTotal()`; none if nothing that it may use gives it. Without a
/// test, as one of the same package does.
pub fn read(workspace: &Workspace, test: Option<MethodId>, field: FieldId) -> Option<String> {
    let program = workspace.program();
    let owner = program.field_owner(field);
    let may_use = |modifiers: Modifiers| match test {
        Some(test) => program.accessible(owner, modifiers, program.method_owner(test)),
        None => !modifiers.has(Modifiers::PRIVATE),
    };
    // Of a class that the test cannot name nothing can be read.
    let file = program.type_place(owner).map(|(file, _)| file);
    if !test.is_none_or(|test| file.is_some_and(|f| may_name_file(program, test, f))) {
        return None;
    }
    let mut around = std::iter::successors(Some(owner), |t| program.enclosing_type(*t)).take(100);
    if !around.all(|t| program.type_decl(t).is_some_and(|d| may_use(d.modifiers))) {
        return None;
    }
    let decl = program.field_decl(field)?;
    if may_use(decl.modifiers) {
        return Some(decl.name.to_string());
    }
    let gives = |m: &&MethodId| {
        let chains = program.method_body(**m).and_then(|b| workspace.chains(b));
        let gives = |r: &Returned| match r.used.source {
            Source::Field { field: own, .. } => own == field,
            _ => false,
        };
        let accessed = workspace.call_graph().targets_of(**m).components();
        accessed.contains(&field)
            || chains.is_some_and(|c| c.candidates.is_empty() && c.returns.iter().any(gives))
    };
    let methods = program.methods_of_type(owner).iter();
    let mut open = methods.filter(|m| {
        let decl = program.method_decl(**m);
        decl.is_some_and(|d| d.params.is_empty() && may_use(d.modifiers))
    });
    let accessor = program.method_decl(*open.find(gives)?)?;
    Some(format!("{}()", accessor.name))
}

/// True if a local occurs in its body only where it is defined.
fn is_unused(program: &Program, body: BodyId, name: &str) -> bool {
    let Some(decl) = program.body(body) else {
        return false;
    };
    let reads = decl.body.exprs.iter().any(|e| match e.kind {
        flow::ExprKind::Local(l) => decl.body.locals[l.ix()].name == name,
        _ => false,
    });
    // Compound assignments read it without saying so.
    let steps = decl.body.defs.iter().any(|d| d.compound);
    !reads && !steps
}
