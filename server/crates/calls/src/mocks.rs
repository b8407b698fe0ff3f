//! Which objects are mocks while tests run: their code does not answer what is called on them.

use crate::Workspace;
use crate::handlers::type_named;
use flow::{Callee, Def, DefId, ExprId, ExprKind, Target, TypeRef};
use oracle::TestRun;
use oracle::frameworks::{answers_itself, lets_real};
use oracle::mocks::{holds_made, is_bare_mock_field, is_mock_of_context, makes_bare_mock};
use oracle::web::context::is_component;
use program::{FieldId, Program, Ty, TypeDeclKind, TypeId};
use rustc_hash::FxHashSet;

/// How far up or out classes are followed.
const MAX_DEPTH: usize = 100;

/// See the module's description. Of several runs it is what all of them have.
#[derive(Debug, Default)]
pub(crate) struct Mocks {
    /// Types in whose place a mock stands, whatever objects are made: those of which the context has one, and of what a
    /// test hands on itself what Spring makes objects of, and interfaces.
    alone: FxHashSet<TypeId>,
    /// Types of which there are mocks, and all that these extend. Where an object is made, it may be meant as well.
    some: FxHashSet<TypeId>,
}

/// What answers a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    /// The code of an object, wherever it was made.
    Code,
    /// A mock, or the code of an object that is seen to be made.
    MockOrMade,
    /// A mock.
    Mock,
}

impl Mocks {
    /// Those of all of some runs.
    pub(crate) fn of(workspace: &Workspace, runs: &[TestRun]) -> Mocks {
        let mut runs = runs.iter();
        let mut out = match runs.next() {
            Some(first) => Mocks::of_run(workspace, *first),
            None => return Mocks::default(),
        };
        for run in runs {
            if out.is_empty() {
                break;
            }
            let own = Mocks::of_run(workspace, *run);
            out.alone.retain(|t| own.alone.contains(t));
            out.some.retain(|t| own.some.contains(t));
        }
        out
    }

    /// Forgets those beside which a real object may stand that nobody is seen to make.
    pub(crate) fn forget_some(&mut self) {
        self.some.clear();
    }

    /// True if there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.alone.is_empty() && self.some.is_empty()
    }

    /// What answers a call on an object of a type. Test code has both in its hands.
    pub(crate) fn answer(&self, on: TypeId, is_test_code: bool) -> Answered {
        if self.alone.contains(&on) && !is_test_code {
            Answered::Mock
        } else if self.some.contains(&on) {
            Answered::MockOrMade
        } else {
            Answered::Code
        }
    }

    fn of_run(workspace: &Workspace, run: TestRun) -> Mocks {
        let program = workspace.program();
        let mut out = Mocks::default();
        for field in fields(program, run.class) {
            out.of_field(program, field);
        }
        out.of_code(workspace, run);
        out
    }

    /// By a field of the test's classes.
    fn of_field(&mut self, program: &Program, field: FieldId) {
        let Some(decl) = program.field_decl(field) else {
            return;
        };
        if !is_bare_mock_field(decl) {
            return;
        }
        let TypeRef::Named(segments) = &decl.ty else {
            return;
        };
        let name: Vec<&str> = segments.iter().map(|s| s.name.as_str()).collect();
        let class = program.field_owner(field);
        let Some(ty) = type_named(program, class, &name.join(".")) else {
            return;
        };
        let stands_alone = || {
            program.type_decl(ty).is_some_and(|d| {
                let mut own = d.annotations.iter();
                d.kind == TypeDeclKind::Interface || own.any(|a| is_component(a))
            })
        };
        if is_mock_of_context(decl) || stands_alone() {
            self.alone.insert(ty);
        }
        self.add(program, ty);
    }

    /// By `mock(Store.class)`, somewhere in the code of tests that runs with one; none of them if some mock is told to do what
    /// its class does.
    fn of_code(&mut self, workspace: &Workspace, run: TestRun) {
        let program = workspace.program();
        let mut mocked: Vec<TypeId> = Vec::new();
        for id in workspace.test_code(run) {
            let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
                continue;
            };
            let body = &*decl.body;
            let name = |at: &flow::Expr| match at.kind {
                ExprKind::Call(c) => match body.calls[c.ix()].callee {
                    Callee::Method { name, .. } => Some(body.name(name).as_str()),
                    _ => None,
                },
                _ => None,
            };
            if body.exprs.iter().filter_map(name).any(lets_real) {
                self.some.clear();
                return;
            }
            for (at, expr) in body.exprs.iter().enumerate() {
                let ExprKind::Call(c) = expr.kind else {
                    continue;
                };
                let call = &body.calls[c.ix()];
                if !makes_bare_mock(body, call) {
                    continue;
                }
                let args = body.list(call.args);
                let is_real = args.iter().any(|a| {
                    let a = body.expr(*a);
                    answers_itself(program.body_text(id, a.start, a.end))
                });
                let of_literal = args.iter().find_map(|a| match body.expr(*a).kind {
                    ExprKind::ClassLiteral(_) => program.first_argument(resolved.ty(*a)),
                    _ => None,
                });
                let of_itself = || resolved.types.get(at).copied().unwrap_or(Ty::UNKNOWN);
                // `Store store = mock();`
                let of_holder = || {
                    let holds = |d: &&Def| body.list(d.sources).contains(&ExprId(at as u32));
                    let held = body.defs.iter().position(|d| holds(&d))?;
                    match body.defs[held].target {
                        Target::Local(local) => resolved.locals.get(local.ix()).copied(),
                        Target::OwnField(_) => {
                            let field = resolved.own_field(DefId(held as u32))?;
                            Some(program.field_type(field))
                        }
                        Target::Place(_) | Target::Element(_) => None,
                    }
                };
                let ty = of_literal.unwrap_or_else(|| match of_itself() {
                    Ty::UNKNOWN => of_holder().unwrap_or(Ty::UNKNOWN),
                    ty => ty,
                });
                mocked.extend(program.class_of(ty).filter(|_| !is_real));
            }
        }
        for ty in mocked {
            self.add(program, ty);
        }
    }

    fn add(&mut self, program: &Program, ty: TypeId) {
        self.some.insert(ty);
        self.some.extend(program.supertypes(ty));
    }
}

/// The classes of which fields of the tests' classes hold an object that others make.
pub(crate) fn held(program: &Program, class: TypeId) -> Vec<TypeId> {
    let of = |field: FieldId| {
        let decl = program.field_decl(field)?;
        holds_made(decl).then(|| program.class_of(program.field_type(field)))?
    };
    fields(program, class).into_iter().filter_map(of).collect()
}

/// The fields of a test's class, and of those above and around.
fn fields(program: &Program, class: TypeId) -> Vec<FieldId> {
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
    let classes = around.take(MAX_DEPTH).flat_map(|of| {
        let above = std::iter::successors(Some(of), |c| program.superclass(*c));
        above.take(MAX_DEPTH)
    });
    classes
        .flat_map(|class| program.fields_of_type(class).to_vec())
        .collect()
}
