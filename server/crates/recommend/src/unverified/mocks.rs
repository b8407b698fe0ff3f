//! The mocks of a test, by the names that it has for them.

use calls::{Unit, Workspace};
use flow::{Callee, DefId, ExprId, ExprKind, Target};
use oracle::TestRun;
use oracle::frameworks::tells_or_asks;
use oracle::mocks::{
    is_bare_mock_field, is_filled_with_mocks, is_mock_of_context, makes_bare_mock,
};
use program::{BodyId, FieldDecl, FieldId, Modifiers, NameTarget, Program, TypeId};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// The mocks that a test can name, with their classes, of libraries too.
#[derive(Default)]
pub(super) struct Mocks {
    all: Vec<Mock>,
    /// The classes into whose objects a library puts them.
    filled: Vec<TypeId>,
}

#[derive(PartialEq)]
struct Mock {
    name: SmolStr,
    class: TypeId,
    /// Somebody may have it: a library puts it into an object, or code of the test gives it to one.
    is_used: bool,
    /// What is put into objects of its class is this one.
    is_of_context: bool,
}

impl Mocks {
    pub(super) fn new(workspace: &Workspace, run: TestRun, code: &[BodyId]) -> Mocks {
        mocks(workspace, run, code)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// True for a class into whose object a library puts mocks.
    pub(super) fn fills(&self, class: TypeId) -> bool {
        self.filled.contains(&class)
    }

    /// True if an object of a class may be one of them.
    pub(super) fn may_be(&self, program: &Program, class: TypeId) -> bool {
        self.all.iter().any(|m| is_related(program, class, m.class))
    }

    /// True for a class of which a container has the mock, whoever else makes one.
    pub(super) fn is_of_context(&self, class: TypeId) -> bool {
        self.all.iter().any(|m| m.is_of_context && m.class == class)
    }

    /// The name of the only mock that may be an object of a class.
    pub(super) fn the_only(&self, program: &Program, of: TypeId) -> Option<&str> {
        let fits = |m: &&Mock| is_related(program, of, m.class);
        let mut all = self.all.iter().filter(fits);
        let first = all.next().filter(|m| m.is_used)?;
        all.next().is_none().then_some(first.name.as_str())
    }

    /// True for a class of a library of which a test has a mock, and code under test makes no object. What a library makes and hands
    /// on is not seen.
    pub(super) fn is_of_library(&self, made: &FxHashSet<TypeId>, class: TypeId) -> bool {
        self.all.iter().any(|m| m.class == class) && !made.contains(&class)
    }
}

/// True for two classes of which one is the other, or above it.
pub(super) fn is_related(program: &Program, a: TypeId, b: TypeId) -> bool {
    a == b || program.supertypes(a).contains(&b) || program.supertypes(b).contains(&a)
}

/// The classes of libraries of which bodies make objects.
pub(super) fn made_of_libraries(workspace: &Workspace, units: &[Unit]) -> FxHashSet<TypeId> {
    let program = workspace.program();
    let mut out = FxHashSet::default();
    for unit in units {
        let (Some(decl), Some(resolved)) = (program.body(unit.body), workspace.resolved(unit.body))
        else {
            continue;
        };
        let news = decl.body.calls.iter();
        let news = news.filter(|c| matches!(c.callee, Callee::New { .. }));
        out.extend(news.filter_map(|c| program.library_type_of(resolved.ty(c.expr))));
    }
    out
}

/// True for a field of which code of a test does something else with the object than to call, tell and ask it.
fn is_handed_on(workspace: &Workspace, code: &[BodyId], field: FieldId) -> bool {
    let program = workspace.program();
    code.iter().any(|id| {
        let (Some(decl), Some(resolved)) = (program.body(*id), workspace.resolved(*id)) else {
            return false;
        };
        let body = &*decl.body;
        let is_it = |e: ExprId| resolved.name(e) == Some(NameTarget::Field(field));
        // What is told or asked of it alone gives it to nobody.
        let is_spoken_to = |e: ExprId| {
            body.calls.iter().any(|call| {
                let tells = body.method_name(call).is_some_and(|n| tells_or_asks(n));
                let on = call.callee.on().map(|(on, _)| on);
                on == Some(e) || tells && body.list(call.args).contains(&e)
            })
        };
        let mut all = (0..body.exprs.len() as u32).map(ExprId);
        all.any(|e| is_it(e) && !is_spoken_to(e))
    })
}

fn mocks(workspace: &Workspace, run: TestRun, code: &[BodyId]) -> Mocks {
    let program = workspace.program();
    let mut out: Vec<Mock> = Vec::new();
    let mut add = |name: &SmolStr, ty, (is_used, is_of_context)| {
        let class = program.class_of(ty).or_else(|| program.library_type_of(ty));
        let mock = class.map(|class| Mock {
            name: name.clone(),
            class,
            is_used,
            is_of_context,
        });
        out.extend(mock.filter(|m| !out.contains(m)));
    };
    let around = std::iter::successors(Some(run.class), |c| program.enclosing_type(*c)).take(100);
    let around: Vec<TypeId> = around.collect();
    let above = around.iter().flat_map(|c| program.supertypes(*c));
    let all: Vec<TypeId> = around.iter().copied().chain(above).collect();
    // Mockito looks for what it puts into them itself.
    let of_all = || all.iter().flat_map(|c| program.fields_of_type(*c));
    let holds = |f: &FieldId| program.field_decl(*f).is_some_and(is_filled_with_mocks);
    let held = of_all().filter(|f| holds(f));
    let is_filled = held.clone().next().is_some();
    let filled = held.filter_map(|f| program.class_of(program.field_type(*f)));
    let filled = filled.collect();
    for field in of_all() {
        // What is private above, nobody can name here; and what all tests share has taken the calls of others.
        let is_named = |d: &&FieldDecl| {
            let is_own = around.contains(&program.field_owner(*field));
            !d.modifiers.has(Modifiers::STATIC) && (!d.modifiers.has(Modifiers::PRIVATE) || is_own)
        };
        let decl = program.field_decl(*field).filter(|d| is_bare_mock_field(d));
        if let Some(decl) = decl.filter(is_named) {
            let is_of_context = is_mock_of_context(decl);
            let is_used = is_of_context || is_filled || is_handed_on(workspace, code, *field);
            let how = (is_used, is_of_context);
            add(&decl.name, program.field_type(*field), how);
        }
    }
    let own = program.method_body(run.test);
    for &id in code {
        let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
            continue;
        };
        let body = &*decl.body;
        for (d, def) in body.defs.iter().enumerate() {
            let is_mock = |e: &ExprId| match body.expr(*e).kind {
                ExprKind::Call(c) => makes_bare_mock(body, &body.calls[c.ix()]),
                _ => false,
            };
            if !body.list(def.sources).iter().any(is_mock) {
                continue;
            }
            let field = match def.target {
                Target::Local(local) => {
                    let ty = resolved.locals.get(local.ix()).filter(|_| own == Some(id));
                    if let Some(ty) = ty {
                        add(&body.locals[local.ix()].name, *ty, (true, false));
                    }
                    None
                }
                Target::OwnField(_) => resolved.own_field(DefId(d as u32)),
                Target::Place(p) => match resolved.name(p) {
                    Some(NameTarget::Field(field)) => Some(field),
                    _ => None,
                },
                Target::Element(_) => None,
            };
            let field = field.and_then(|f| Some((program.field_decl(f)?, program.field_type(f))));
            if let Some((decl, ty)) = field.filter(|f| !f.0.modifiers.has(Modifiers::STATIC)) {
                add(&decl.name, ty, (true, false));
            }
        }
    }
    Mocks { all: out, filled }
}
