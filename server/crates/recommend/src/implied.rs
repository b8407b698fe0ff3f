//! What assertions show already, in other words than a point's: the size of a list whose elements are asserted, that a
//! response whose body is asserted was a success, the key by which an object was found.

use super::observation_points::{Point, Scene};
use super::topic::words;
use flow::{Callee, Def, ExprId, ExprKind, Target, VariableKind};
use oracle::{Reader, Root};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Queries of how many elements there are, and what tells of the elements themselves.
const SIZES: &[&str] = &["size()", "length", "length()", "count()"];
const ELEMENTS: &[&str] = &[
    "get",
    "getFirst",
    "getLast",
    "first",
    "last",
    "contains",
    "containsKey",
    "containsValue",
    "containsAll",
    "keySet",
    "values",
    "entrySet",
    "iterator",
    "listIterator",
    "stream",
    "toArray",
    "indexOf",
    "isEmpty",
    "forEach",
    "charAt",
    "element",
    "peek",
    "poll",
    "remove",
    "next",
];

/// Of these, what looks at elements and not only at how many there are, or at keys.
const WALKS: &[&str] = &[
    "forEach",
    "stream",
    "iterator",
    "contains",
    "containsAll",
    "get",
    "getFirst",
    "getLast",
    "first",
    "last",
    "values",
    "entrySet",
    "toArray",
    "[",
];

/// What an object carries, and queries of how its making went.
const PAYLOADS: &[&str] = &[
    "get",
    "body",
    "getBody",
    "value",
    "getValue",
    "result",
    "getResult",
    "data",
    "getData",
    "content",
    "getContent",
    "orElseThrow",
    "getEntity",
    "getPayload",
    "string",
];
const OUTCOMES: &[&str] = &[
    "code()",
    "getCode()",
    "status()",
    "getStatus()",
    "statusCode()",
    "getStatusCode()",
    "message()",
];

/// Beginnings of methods that find an object by its key.
const FINDS: &[&str] = &[
    "find", "get", "load", "fetch", "select", "lookup", "read", "by", "require", "query",
];

/// What the body asks its objects and how it got them.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// By object, as written: the names of the methods that it is asked; `[` for an element of an array.
    asked: FxHashMap<(Root, SmolStr), Vec<SmolStr>>,
    /// By local: the name of the method with arguments that it comes from.
    found_by: FxHashMap<Root, SmolStr>,
    /// By local: the names of the methods that functions call which chose it.
    chosen_by: FxHashMap<Root, Vec<SmolStr>>,
}

impl Shown {
    pub(super) fn new(scene: &Scene<'_>) -> Shown {
        let reader = &scene.reader;
        let body = reader.body;
        let mut out = Shown::default();
        for (i, expr) in body.exprs.iter().enumerate() {
            let e = ExprId(i as u32);
            if !scene.hold_out.is_before(e) || scene.hold_out.hides(e) {
                continue;
            }
            match expr.kind {
                ExprKind::Call(c) => {
                    if let Callee::Method {
                        receiver: Some(r),
                        name,
                    } = body.calls[c.ix()].callee
                        && let Some(path) = reader.path(r)
                    {
                        let asked = out.asked.entry((path.root, path.text)).or_default();
                        asked.push(body.name(name).clone());
                    }
                }
                ExprKind::Index { array, .. } => {
                    if let Some(path) = reader.path(array) {
                        out.asked
                            .entry((path.root, path.text))
                            .or_default()
                            .push("[".into());
                    }
                }
                ExprKind::Define(d) => {
                    let def = &body.defs[d.ix()];
                    if let Target::Local(l) = def.target
                        && let [source] = body.list(def.sources)
                    {
                        if let Some(name) = called(body, *source) {
                            out.found_by.insert(reader.local(l), name);
                        }
                        let chosen = chosen_by(body, *source);
                        out.chosen_by.insert(reader.local(l), chosen);
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// True if what the test asks shows the value of a point.
    pub(super) fn shows(&self, point: &Point) -> bool {
        let query = point.ask.query.as_str();
        let object = point.observation.expression.strip_suffix(query);
        let object = object.and_then(|o| o.strip_suffix('.'));
        let asked = object.and_then(|o| self.asked.get(&(point.root.clone(), SmolStr::from(o))));
        let asks =
            |names: &[&str]| asked.is_some_and(|a| a.iter().any(|n| names.contains(&n.as_str())));
        let is_flag = || point.ty == program::Ty::BOOLEAN;
        SIZES.contains(&query) && (asks(ELEMENTS) || asks(&["["]))
            || (is_flag() || OUTCOMES.contains(&query)) && asks(PAYLOADS)
            || is_flag() && asked.is_some_and(|a| a.iter().any(|name| is_of(query, name)))
            || self.is_key(point)
    }

    /// True if the elements of a collection are looked at one by one.
    pub(super) fn walks(&self, reader: &Reader<'_>, object: &Root) -> bool {
        let whole = (object.clone(), reader.name_of(object));
        let asked = self.asked.get(&whole).into_iter().flatten();
        let mut asked = asked.map(SmolStr::as_str);
        asked.any(|name| WALKS.contains(&name)) || is_walked(reader, object)
    }

    /// True for a collection that the test filtered itself: how many are left says what they are.
    pub(super) fn is_filtered(&self, object: &Root) -> bool {
        let chosen = self.chosen_by.get(object);
        chosen.is_some_and(|names| !names.is_empty())
    }

    /// `findById(1).getId()`, and what a filter asked: `filter(i -> i.getId().equals("a")).findFirst()`.
    fn is_key(&self, point: &Point) -> bool {
        let chosen = self.chosen_by.get(&point.root).into_iter().flatten();
        let query = point.ask.query.strip_suffix("()");
        if point.depth == 1 && chosen.into_iter().any(|name| Some(name.as_str()) == query) {
            return true;
        }
        let Some(by) = self.found_by.get(&point.root).filter(|_| point.depth == 1) else {
            return false;
        };
        let mut asked = words(&point.ask.query);
        asked.retain(|w| w != "get");
        let by = words(by);
        let finds = by.first().is_some_and(|w| FINDS.contains(&w.as_str()));
        let keys = by.iter().position(|w| w == "by").map(|at| &by[at + 1..]);
        finds && (asked == ["id"] || keys.is_some_and(|k| !k.is_empty() && k == asked))
    }
}

/// The turns of loops of the test that take their elements of a local: `for (Row row : rows)`.
fn turns<'b>(reader: &Reader<'b>, object: &Root) -> impl Iterator<Item = &'b Def> + use<'b> {
    let local = match object {
        Root::Local(own, local) if *own == reader.id => Some(*local),
        _ => None,
    };
    let body = reader.body;
    let is_it =
        move |e: &ExprId| matches!(body.expr(*e).kind, ExprKind::Local(l) if Some(l) == local);
    let turns = body.defs.iter().filter(|d| d.kind == VariableKind::Loop);
    turns.filter(move |d| body.list(d.sources).iter().any(is_it))
}

/// True if a loop of the test goes through a local.
fn is_walked(reader: &Reader<'_>, object: &Root) -> bool {
    turns(reader, object).next().is_some()
}

/// True if a loop of the test adds up what is in a local.
pub(super) fn is_summed_up(reader: &Reader<'_>, object: &Root) -> bool {
    let body = reader.body;
    turns(reader, object).any(|turn| {
        let within = body.loop_around(turn.expr);
        let mut sums = body.defs.iter().filter(|d| d.compound);
        within.is_some() && sums.any(|d| body.loop_around(d.expr) == within)
    })
}

/// `hasErrors()` of what is asked `getErrors`: the value says it too.
fn is_of(flag: &str, name: &str) -> bool {
    let (flag, name) = (words(flag), words(name));
    match (flag.split_first(), name.split_first()) {
        (Some((has, of)), Some((get, value))) => {
            has == "has" && get == "get" && !of.is_empty() && of == value
        }
        _ => false,
    }
}

/// The name of a method that is called with arguments, behind what only unwraps its value.
fn called(body: &flow::Body, mut e: ExprId) -> Option<SmolStr> {
    loop {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => e = operand,
            ExprKind::Call(c) => {
                let call = &body.calls[c.ix()];
                let Callee::Method { receiver, name } = call.callee else {
                    return None;
                };
                if call.args.len > 0 && !UNWRAPS.contains(&body.name(name).as_str()) {
                    return Some(body.name(name).clone());
                }
                e = receiver?;
            }
            _ => return None,
        }
    }
}

/// The names of the methods that functions call which a chain of calls is given.
fn chosen_by(body: &flow::Body, mut e: ExprId) -> Vec<SmolStr> {
    let mut out = Vec::new();
    loop {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => e = operand,
            ExprKind::Call(c) => {
                let call = &body.calls[c.ix()];
                let Callee::Method { receiver, name } = call.callee else {
                    return out;
                };
                let chooses = CHOOSES.contains(&body.name(name).as_str());
                for &a in body.list(call.args).iter().filter(|_| chooses) {
                    if let ExprKind::Lambda(l) = body.expr(a).kind {
                        let lambda = &body.lambdas[l.ix()];
                        let within = (lambda.first.0..=lambda.expr.0).map(ExprId);
                        out.extend(within.filter_map(|e| name_called(body, e)));
                    }
                }
                let Some(receiver) = receiver else { return out };
                e = receiver;
            }
            _ => return out,
        }
    }
}

/// The name of the method that an expression calls.
fn name_called(body: &flow::Body, e: ExprId) -> Option<SmolStr> {
    let ExprKind::Call(c) = body.expr(e).kind else {
        return None;
    };
    body.method_name(&body.calls[c.ix()]).cloned()
}

/// Calls that choose among elements by what a function says of them.
const CHOOSES: &[&str] = &[
    "filter",
    "takeWhile",
    "dropWhile",
    "find",
    "findFirst",
    "single",
    "first",
];

/// Calls with arguments that only unwrap.
const UNWRAPS: &[&str] = &["orElse", "orElseGet", "orElseThrow", "block", "get"];
