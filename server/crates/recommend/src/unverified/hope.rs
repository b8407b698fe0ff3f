//! Whether the tests of a class may have something to tell of mocks: what is found out at each keystroke, before anything is
//! followed.

use super::anything::{Name, is_made};
use super::asked::{is_asking, names_called, spies, told_nothing};
use super::mocks::Mocks;
use super::sent::{answering, is_given_by_test, is_read_from_request, surely_answering};
use super::{SaidOfMocks, is_setter};
use calls::Workspace;
use chains::CallSite;
use flow::ExprId;
use program::{BodyId, CallTarget, MethodId, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// How many bodies below a test are looked through before it is known what it runs.
const MOST: usize = 150;

/// The bodies of code that a test may run, mocks or not, with those that `answer` its requests.
fn below(
    workspace: &Workspace,
    test: BodyId,
    answer: &[BodyId],
) -> impl Iterator<Item = BodyId> + use<> {
    let program = workspace.program();
    let is_code = |site: &CallSite| !program.is_test_type(program.method_owner(site.target));
    let roots = answer.iter().copied().chain([test]);
    let below = workspace.call_graph().below(roots, MOST, is_code);
    below.into_iter().filter(move |id| *id != test)
}

/// True if code that a test may run makes what it gives to a call of such a name; with the places of what may be
/// anything.
fn may_be_made(
    workspace: &Workspace,
    test: BodyId,
    answer: &[BodyId],
    open: &FxHashMap<&Name, &[usize]>,
) -> bool {
    let program = workspace.program();
    below(workspace, test, answer).any(|id| {
        let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
            return false;
        };
        let body = &*decl.body;
        let is_sent =
            |e: ExprId| answer.contains(&id) && is_read_from_request(program, body, resolved, e);
        body.calls.iter().any(|call| {
            let args = body.list(call.args);
            let name = body.method_name(call);
            let free = name.and_then(|name| open.get(&(name.clone(), args.len())));
            let mut given = free.into_iter().flat_map(|at| at.iter());
            given.any(|at| {
                let arg = args.get(*at);
                arg.is_some_and(|e| {
                    is_sent(*e)
                        || is_made(workspace, &|_| false, id, *e)
                        || is_given_by_test(workspace, test, id, *e, &|_| false)
                })
            })
        })
    })
}

/// For each test of a class, whether something that a mock is given may be told above it: what its own bodies say, which costs
/// little.
pub fn may_leave_open(workspace: &Workspace, said: &SaidOfMocks, tests: &[MethodId]) -> Vec<bool> {
    let program = workspace.program();
    if !said.looks.leaves_some() {
        return vec![false; tests.len()];
    }
    let leaves = |test: &MethodId| {
        let Some(body) = program.method_body(*test) else {
            return false;
        };
        let run = workspace.own_run(*test);
        let code = workspace.test_code(run);
        let mut open = said.looks.open_in(&code);
        open.retain(|name, _| said.acts.is_first(&said.looks, body, &code, name));
        !open.is_empty() && {
            let answer = answering(workspace, run.class, &code);
            may_be_made(workspace, body, &answer, &open)
        }
    };
    tests.iter().map(leaves).collect()
}

/// What a test may tell its mocks without asking for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tells {
    /// The calls that code below it may make and its own code does not name: class and name.
    pub calls: Vec<(TypeId, SmolStr)>,
    /// The bodies that this rests on, in order.
    pub bodies: Vec<BodyId>,
}

/// What a test may tell its mocks: what it costs is looking through the bodies below it.
pub fn may_tell(workspace: &Workspace, test: MethodId) -> Tells {
    let program = workspace.program();
    let run = workspace.own_run(test);
    let code = workspace.test_code(run);
    let mut out = Tells {
        calls: Vec::new(),
        bodies: code.clone(),
    };
    let quiet = told_nothing(program, test);
    let body = program.method_body(test);
    let body = body.filter(|_| is_asking(program, test));
    let mocks = match body {
        Some(_) => Mocks::new(workspace, run, &code),
        None => Mocks::default(),
    };
    let called = names_called(program, &code, &quiet, &mocks).filter(|_| !mocks.is_empty());
    if let (Some(body), Some(called)) = (body, called)
        && !spies(program, run.class, &code)
    {
        let answer = surely_answering(workspace, run, &code);
        for id in below(workspace, body, &answer) {
            out.bodies.push(id);
            let is_answer = answer.contains(&id);
            out.calls
                .extend(tells(workspace, id, (&mocks, &called), is_answer));
        }
    }
    out.calls.sort_unstable();
    out.calls.dedup();
    out.bodies.sort_unstable();
    out.bodies.dedup();
    out
}

/// What a body calls of mocks for what it does: nothing reads what that gives, or it is the answer to a request.
fn tells(
    workspace: &Workspace,
    id: BodyId,
    (mocks, called): (&Mocks, &FxHashSet<SmolStr>),
    is_answer: bool,
) -> Vec<(TypeId, SmolStr)> {
    let program = workspace.program();
    let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
        return Vec::new();
    };
    let body = &*decl.body;
    let calls = body.calls.iter().enumerate();
    let told = calls.filter_map(|(c, call)| {
        let (on, name) = call.callee.on()?;
        let gives_nothing = match resolved.calls.get(c) {
            Some(CallTarget::Workspace(m)) => !program.returns_value(*m),
            _ => false,
        };
        let name = body.name(name);
        let counts = (call.dropped || gives_nothing || is_answer)
            && !called.contains(name)
            && !is_setter(name, call.args.len as usize);
        let class = program.class_of(resolved.ty(on)).filter(|_| counts)?;
        mocks.the_only(program, class)?;
        Some((class, name.clone()))
    });
    told.collect()
}
