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
];

/// The pure methods of one state of a workspace.
#[derive(Debug)]
pub struct Purity {
    impure: FxHashSet<BodyId>,
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
        let mut callers: FxHashMap<BodyId, Vec<BodyId>> = FxHashMap::default();
        let mut impure: FxHashSet<BodyId> = FxHashSet::default();
        let mut work: Vec<BodyId> = Vec::new();
        for &file in program.files() {
            for &body in program.bodies_of_file(file) {
                if is_impure_itself(workspace, body) {
                    impure.insert(body);
                    work.push(body);
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
            }
        }
        while let Some(body) = work.pop() {
            for &caller in callers.get(&body).map(Vec::as_slice).unwrap_or_default() {
                if impure.insert(caller) {
                    work.push(caller);
                }
            }
        }
        Purity {
            impure,
            habits: Habits::new(workspace),
        }
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
