//! Which methods are *queries*: they give a value and change nothing that anyone else can see; and how often the
//! suite's assertions ask them ([`Habits`]).
//!
//! A method is pure if neither it nor anything that it may call writes a field, an array that it did not make, or calls
//! outside code that is not known to be pure. A cycle of calls is pure if nothing in it says otherwise. Computed once
//! for a state of the program by a walk from the impure bodies to their callers; linear in the calls.

use crate::assemble::Links;
use crate::offer::{Habits, QueryTarget};
use crate::workspace::Workspace;
use flow::{Callee, ExprKind, Target};
use program::{BodyId, CallTarget, MethodId, Modifiers, Ty, TypeId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

/// Names of library methods that change nothing, whatever their class; a trailing `*` stands for any rest. The reason
/// for going by name: without the class files of libraries their types are often unknown.
const PURE_NAMES: &[&str] = &[
    "get*",
    "is*",
    "has*",
    "size",
    "length",
    "count",
    "contains*",
    "indexOf",
    "lastIndexOf",
    "charAt",
    "codePointAt",
    "substring",
    "subSequence",
    "subList",
    "trim",
    "strip*",
    "split",
    "matches",
    "startsWith",
    "endsWith",
    "equals*",
    "compare*",
    "hashCode",
    "toString",
    "to*",
    "valueOf",
    "parse*",
    "format",
    "formatted",
    "join",
    "concat",
    "repeat",
    "abs",
    "min",
    "max",
    "sqrt",
    "pow",
    "floor*",
    "ceil*",
    "round",
    "rint",
    "exp*",
    "log*",
    "sin*",
    "cos*",
    "tan*",
    "asin",
    "acos",
    "atan*",
    "signum",
    "hypot",
    "cbrt",
    "ulp",
    "intValue",
    "longValue",
    "doubleValue",
    "floatValue",
    "shortValue",
    "byteValue",
    "booleanValue",
    "charValue",
    "name",
    "ordinal",
    "values",
    "keySet",
    "entrySet",
    "iterator",
    "hasNext",
    "next",
    "stream",
    "map*",
    "filter",
    "sorted",
    "collect",
    "reduce",
    "sum",
    "average",
    "anyMatch",
    "allMatch",
    "noneMatch",
    "findFirst",
    "findAny",
    "orElse*",
    "ifPresent*",
    "of",
    "ofNullable",
    "copyOf*",
    "asList",
    "unmodifiable*",
    "empty*",
    "singleton*",
    "require*",
    "check*",
    "clone",
    "append",
    "multiply",
    "subtract",
    "divide",
    "negate",
    "mod",
    "gcd",
    "bit*",
    "test*",
    "isNaN",
    "doubleToLongBits",
    "doubleToRawLongBits",
    "longBitsToDouble",
    "floatToIntBits",
    "identityHashCode",
    "arraycopy",
    "plus*",
    "minus*",
    "with*",
    "between",
    "until",
    "atZone",
    "limit",
    "skip",
    "distinct",
    "box*",
    "peek",
    "assert*",
    "fail",
];

/// The pure methods of one state of a workspace.
#[derive(Debug)]
pub struct Purity {
    impure: FxHashSet<BodyId>,
    /// The parameters whose objects a body changes, one bit each, the first the lowest.
    changed: FxHashMap<BodyId, u32>,
    habits: Habits,
}

/// True for a library's method that, by its name, changes nothing.
pub(crate) fn is_pure_name(name: &str) -> bool {
    PURE_NAMES.iter().any(|row| match row.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => *row == name,
    })
}

impl Purity {
    /// Computes it for all bodies of a workspace.
    pub fn new(workspace: &Workspace) -> Purity {
        let program = workspace.program();
        let bodies: Vec<BodyId> = program.bodies().collect();
        let effects: Vec<Effects> = bodies
            .par_iter()
            .map(|&body| Effects::of(workspace, body))
            .collect();
        let mut callers: FxHashMap<BodyId, Vec<BodyId>> = FxHashMap::default();
        let mut passers: FxHashMap<BodyId, Vec<(BodyId, u32, u32)>> = FxHashMap::default();
        let mut asked: Vec<(BodyId, BodyId, u32)> = Vec::new();
        let mut impure: FxHashSet<BodyId> = FxHashSet::default();
        let mut changed: FxHashMap<BodyId, u32> = FxHashMap::default();
        let mut work: Vec<BodyId> = Vec::new();
        for (&body, effects) in bodies.iter().zip(&effects) {
            if effects.impure {
                impure.insert(body);
                work.push(body);
            }
            if effects.changed != 0 {
                changed.insert(body, effects.changed);
            }
            let Some(chains) = workspace.chains(body) else {
                continue;
            };
            for site in &chains.calls {
                if program.is_constructor(site.target) {
                    // Making an object changes only what is new.
                    continue;
                }
                for &callee in workspace.dispatch(site.target, site.dispatches).iter() {
                    callers.entry(callee).or_default().push(body);
                }
            }
            for &(target, param, at) in &effects.passed {
                for &callee in workspace.dispatch(target, true).iter() {
                    match at {
                        Some(at) => passers.entry(callee).or_default().push((body, param, at)),
                        None => asked.push((callee, body, param)),
                    }
                }
            }
        }
        while let Some(body) = work.pop() {
            for &caller in callers.get(&body).map(Vec::as_slice).unwrap_or_default() {
                if impure.insert(caller) {
                    work.push(caller);
                }
            }
        }
        // An object is changed by a call of an impure method on it, too.
        for (callee, body, param) in asked {
            if impure.contains(&callee) {
                *changed.entry(body).or_default() |= 1 << param;
            }
        }
        let mut work: Vec<BodyId> = bodies
            .iter()
            .copied()
            .filter(|b| changed.contains_key(b))
            .collect();
        while let Some(body) = work.pop() {
            let bits = changed.get(&body).copied().unwrap_or(0);
            for &(caller, param, at) in passers.get(&body).map(Vec::as_slice).unwrap_or_default() {
                let of = changed.entry(caller).or_default();
                if bits >> at & 1 == 1 && *of >> param & 1 == 0 {
                    *of |= 1 << param;
                    work.push(caller);
                }
            }
        }
        Purity {
            impure,
            changed,
            habits: Habits::new(workspace),
        }
    }

    /// True if a call of `method` may change the object that it is given as the argument `at`.
    pub fn changes_argument(&self, workspace: &Workspace, method: MethodId, at: usize) -> bool {
        let bit = |b: &BodyId| {
            self.changed
                .get(b)
                .is_some_and(|bits| bits >> at.min(31) & 1 == 1)
        };
        workspace.dispatch(method, true).iter().any(bit)
    }

    /// What the assertions of the suite ask.
    pub fn habits(&self) -> &Habits {
        &self.habits
    }

    /// True if no body that a call of `method` may run changes anything, and there is one.
    pub fn is_pure(&self, workspace: &Workspace, method: MethodId) -> bool {
        let bodies = workspace.dispatch(method, true);
        !bodies.is_empty() && bodies.iter().all(|b| !self.impure.contains(b))
    }

    /// The queries of a class as a class in `here` can call them: text, what is read, type of the value; nearest class
    /// first, then in order of the text, at most `most`. Those that `also` names count whatever they do.
    pub fn queries(
        &self,
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
                    || program.is_test_type(class)
                {
                    continue;
                }
                let text = format_smolstr!("{}()", decl.name);
                if seen.contains(&text) || !(self.is_pure(workspace, m) || also(&text)) {
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
}

/// What a body changes, as far as it can be told without its callees.
#[derive(Debug, Default)]
struct Effects {
    impure: bool,
    changed: u32,
    /// Calls that are given a parameter of this body: the target, the parameter, and as which argument; as the receiver
    /// if none.
    passed: Vec<(MethodId, u32, Option<u32>)>,
}

impl Effects {
    fn of(workspace: &Workspace, id: BodyId) -> Effects {
        let mut out = Effects {
            impure: is_impure_itself(workspace, id),
            ..Effects::default()
        };
        let program = workspace.program();
        let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
            return out;
        };
        let body = &decl.body;
        if body.params.is_empty() {
            return out;
        }
        let param = |mut e: flow::ExprId| {
            for _ in 0..20 {
                match body.expr(e).kind {
                    ExprKind::Local(l) => {
                        let at = body.params.iter().position(|p| *p == l);
                        return at.filter(|at| *at < 32).map(|at| at as u32);
                    }
                    ExprKind::Field { object, .. } => e = object,
                    ExprKind::Index { array, .. } => e = array,
                    ExprKind::Cast { operand, .. } => e = operand,
                    _ => return None,
                }
            }
            None
        };
        for def in &body.defs {
            let object = match def.target {
                Target::Element(array) => param(array),
                Target::Place(place) => match body.expr(place).kind {
                    ExprKind::Field { object, .. } => param(object),
                    _ => None,
                },
                _ => None,
            };
            if let Some(param) = object {
                out.changed |= 1 << param;
            }
        }
        for (i, call) in body.calls.iter().enumerate() {
            let Callee::Method { receiver, name } = call.callee else {
                continue;
            };
            match resolved.calls.get(i) {
                Some(CallTarget::Workspace(target)) => {
                    if let Some(param) = receiver.and_then(param) {
                        out.passed.push((*target, param, None));
                    }
                    for (at, &a) in body.list(call.args).iter().enumerate().take(32) {
                        if let Some(param) = param(a) {
                            out.passed.push((*target, param, Some(at as u32)));
                        }
                    }
                }
                _ => {
                    let name = body.name(name).as_str();
                    if let Some(param) = receiver.and_then(param)
                        && !is_pure_name(name)
                    {
                        out.changed |= 1 << param;
                    }
                    if let Some(first) = changed_argument(name)
                        && let Some(&a) = body.list(call.args).get(first)
                        && let Some(param) = param(a)
                    {
                        out.changed |= 1 << param;
                    }
                }
            }
        }
        out
    }
}

/// The argument that a library's static method changes.
pub(crate) fn changed_argument(name: &str) -> Option<usize> {
    match name {
        "sort" | "fill" | "reverse" | "shuffle" | "swap" | "setAll" | "parallelSort"
        | "parallelPrefix" | "rotate" => Some(0),
        "arraycopy" => Some(2),
        _ => None,
    }
}

fn is_impure_itself(workspace: &Workspace, id: BodyId) -> bool {
    let program = workspace.program();
    let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
        return true;
    };
    let body = &decl.body;
    let fresh = |e: flow::ExprId| match body.expr(e).kind {
        // An array or object that a local holds and that was made here.
        ExprKind::Local(l) => body.locals[l.ix()]
            .init
            .is_some_and(|i| match body.expr(i).kind {
                ExprKind::NewArray { .. } => true,
                ExprKind::Call(c) => {
                    let call = &body.calls[c.ix()];
                    match call.callee {
                        Callee::New { .. } => true,
                        Callee::Method { name, .. } => {
                            matches!(body.name(name).as_str(), "clone" | "copyOf" | "copyOfRange")
                        }
                        _ => false,
                    }
                }
                _ => false,
            }),
        _ => false,
    };
    for def in &body.defs {
        let writes = match def.target {
            Target::Local(_) => false,
            Target::OwnField(_) => true,
            Target::Element(array) => !fresh(array),
            Target::Place(place) => match body.expr(place).kind {
                ExprKind::Field { object, .. } => !fresh(object),
                _ => true,
            },
        };
        if writes {
            return true;
        }
    }
    for (i, call) in body.calls.iter().enumerate() {
        if matches!(resolved.calls.get(i), Some(CallTarget::Workspace(_))) {
            continue;
        }
        if let Callee::Method { name, receiver } = call.callee
            && !is_pure_name(body.name(name))
            && !receiver.is_some_and(fresh)
        {
            return true;
        }
    }
    false
}
