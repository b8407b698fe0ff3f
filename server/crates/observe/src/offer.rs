//! What is offered for a test (algorithms §1.8): what it could read and does not, and what only an inner oracle can check.
//!
//! Both lists stand over one graph: the production candidates that the test reaches are what is worth observing, the
//! test's own are not. A *readable* value is an observation point of this very test: one of its locals, a value that it
//! drops, or `object.query()` on an object that it holds. An *inside* value is a definition of the code under test that
//! no observation point reads whole. Each refinement is one switch of [`Switches`], with its reason there.

use crate::assemble::{Assembled, Node, Query, Reads, Unit, assemble};
use crate::chains::{Source, Use};
use crate::purity::Purity;
use crate::rank::{Ranked, Settings, places, table};
use crate::selection::{SelectOptions, select};
use crate::workspace::Workspace;
use flow::{Body, CallId, Callable, Callee, ExprId, ExprKind, LocalId, Target, VariableKind};
use program::{BodyId, FieldId, MethodId, Modifiers, Program, Ty, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

/// How many queries of one object are looked at, and how many in all of a test: a bound on cost, not on truth.
const QUERIES_PER_OBJECT: usize = 40;
const QUERIES_PER_TEST: usize = 400;

macro_rules! switches {
    ($($(#[doc = $doc:literal])* $name:ident: $default:literal,)*) => {
        /// The refinements of what is offered, each with its reason; `cargo xtask evaluate choice` measures each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Switches { $($(#[doc = $doc])* pub $name: bool,)* }
        impl Default for Switches {
            fn default() -> Self { Switches { $($name: $default,)* } }
        }
        impl Switches {
            /// Every switch: its name and how to set it.
            pub const ALL: &'static [(&'static str, fn(&mut Switches, bool))] =
                &[$((stringify!($name), |s, on| s.$name = on),)*];
        }
    };
}

switches! {
    /// What the test's assertions read counts as selected first: the question is what to add *next*.
    read_first: true,
    /// `object.query()` that the test does not call yet is offered.
    queries: true,
    /// Queries of what a query gives (`a.b().c()`).
    chained_queries: true,
    /// Values that calls of the test return and it drops.
    dropped_values: true,
    /// A bare `new` object is not asserted as such; its queries are.
    no_new_objects: true,
    /// Values that change with every run, or say nothing: `hashCode`, iterators, builders that return their receiver.
    no_noise: true,
    /// Values of one statement run only sometimes weigh less (P of the statement given its method's entry).
    weigh_by_entry: false,
    /// What every test reaches says little about this one: weights in the manner of idf.
    idf: false,
}

/// Where a readable value is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// What to write in an assertion: `total`, `record.getComment()`.
    pub expression: SmolStr,
    /// Its type, as people write it.
    pub ty: SmolStr,
    /// The offset in the file from which on it can be read: the end of the last definition of its object.
    pub start: u32,
    /// One past the definition.
    pub end: u32,
}

/// The offer for one test.
#[derive(Debug)]
pub struct Offer {
    /// The graph of what the test reaches, with its observation points.
    pub graph: Assembled,
    /// The bodies of the graph.
    pub units: Vec<Unit>,
    /// Observation points by vertex, for those that are queries.
    pub observations: FxHashMap<u32, Observation>,
    /// What the test could read, best first.
    pub readable: Vec<Ranked>,
    /// What only an inner oracle can check, best first.
    pub inside: Vec<Ranked>,
    /// The candidates that its assertions read already, by position.
    pub read: Vec<u32>,
    /// All observation points that could have been offered, in order of position (baselines start from these).
    pub points: Vec<u32>,
}

/// Computes the offer for `tests` (one test, or several whose union is the scope). The observation points are those of
/// all of them.
pub fn offer(
    workspace: &Workspace,
    purity: &Purity,
    tests: &[MethodId],
    settings: &Settings,
    switches: &Switches,
) -> Offer {
    offer_hiding(workspace, purity, tests, settings, switches, None)
}

/// The same, as if the call `hidden` (an assertion) were not in the test.
pub fn offer_hiding(
    workspace: &Workspace,
    purity: &Purity,
    tests: &[MethodId],
    settings: &Settings,
    switches: &Switches,
    hidden: Option<(BodyId, CallId)>,
) -> Offer {
    let program = workspace.program();
    let roots: Vec<BodyId> = tests
        .iter()
        .flat_map(|t| workspace.test_roots(*t))
        .collect();
    let reached = workspace.reached(&roots);
    let test_bodies: Vec<BodyId> = tests
        .iter()
        .filter_map(|t| program.method_body(*t))
        .collect();
    let mut finder = Finder {
        workspace,
        purity,
        switches,
        hidden,
        points: Vec::new(),
        needed: Vec::new(),
    };
    for &body in &test_bodies {
        finder.find(body);
    }
    let needed = workspace.reached(&finder.needed);
    let units = workspace.units(&|_, _, b| reached.contains(&b) || needed.contains(&b));
    let unit_of: FxHashMap<BodyId, u32> = units
        .iter()
        .enumerate()
        .map(|(i, u)| (u.body, i as u32))
        .collect();

    let mut queries: Vec<Query> = Vec::new();
    let mut asserted: Vec<usize> = Vec::new();
    let mut point_of_query: Vec<(usize, usize)> = Vec::new();
    for (p, point) in finder.points.iter().enumerate() {
        let (Some(&unit), Some(reads)) = (unit_of.get(&point.body), point.reads.clone()) else {
            continue;
        };
        point_of_query.push((queries.len(), p));
        queries.push(Query {
            unit,
            start: point.start,
            reads,
        });
    }
    for &body in &test_bodies {
        let (Some(&unit), Some(chains)) = (unit_of.get(&body), workspace.chains(body)) else {
            continue;
        };
        for a in &chains.assertions {
            if hidden != Some((body, a.call)) {
                asserted.push(queries.len());
                queries.push(Query {
                    unit,
                    start: units[unit as usize].start,
                    reads: Reads::Uses(a.reads.clone()),
                });
            }
        }
    }
    let graph = assemble(&units, workspace, &queries);

    // What is worth observing: production code that the test itself reaches.
    let weights: Vec<f64> = graph
        .nodes
        .iter()
        .map(|n| match *n {
            Node::Real { unit, candidate } => {
                let u = &units[unit as usize];
                let production = program
                    .body_file(u.body)
                    .is_some_and(|file| !program.is_test(file));
                if !production || !reached.contains(&u.body) {
                    0.0
                } else if switches.weigh_by_entry {
                    u.chains.candidates[candidate as usize].entry
                } else {
                    1.0
                }
            }
            Node::Query(_) => 0.0,
        })
        .collect();

    let mut read: Vec<u32> = Vec::new();
    for &body in &test_bodies {
        let (Some(&unit), Some(chains)) = (unit_of.get(&body), workspace.chains(body)) else {
            continue;
        };
        for used in chains
            .assertions
            .iter()
            .filter(|a| hidden != Some((body, a.call)))
            .flat_map(|a| &a.reads)
        {
            if let Source::Candidate { candidate, .. } = used.source {
                read.push(graph.vertex_of[unit as usize][candidate as usize]);
            }
        }
    }
    read.sort_unstable();
    read.dedup();

    // The vertices that may be chosen as readable.
    let mut observations: FxHashMap<u32, Observation> = FxHashMap::default();
    let mut points: Vec<u32> = Vec::new();
    let mut offered: FxHashSet<u32> = FxHashSet::default();
    for &(q, p) in &point_of_query {
        let point = &finder.points[p];
        let vertex = graph.vertex_of_query[q];
        observations.insert(vertex, point.observation.clone());
        points.push(vertex);
        if !point.read {
            offered.insert(vertex);
        }
    }
    for point in finder.points.iter().filter(|p| p.reads.is_none()) {
        let (Some(&unit), Some(candidate)) = (unit_of.get(&point.body), point.candidate) else {
            continue;
        };
        let vertex = graph.vertex_of[unit as usize][candidate as usize];
        observations.insert(vertex, point.observation.clone());
        points.push(vertex);
        if !point.read {
            offered.insert(vertex);
        }
    }
    points.sort_unstable();
    points.dedup();

    let preselected: Vec<u32> = if switches.read_first {
        asserted.iter().map(|&q| graph.vertex_of_query[q]).collect()
    } else {
        Vec::new()
    };
    let (readable, seen) = {
        let (_, wide) = table(&graph, settings.lambda_readable, true);
        let picks = select(
            &wide,
            &SelectOptions {
                most: settings.top,
                fp: settings.fp,
                eligible: &|v| offered.contains(&v),
                preselected: &preselected,
                weights: Some(&weights),
            },
        );
        let places: Vec<Ranked> = places(&wide, &picks)
            .into_iter()
            .filter(|r| r.gain > 0.0)
            .map(|mut r| {
                r.stands_for.retain(|s| weights[s.vertex as usize] > 0.0);
                r
            })
            .collect();
        let seen = read_whole(&graph, points.iter().chain(&preselected).copied());
        (places, seen)
    };
    let inside = {
        let (_, narrow) = table(&graph, settings.lambda, false);
        let eligible = |v: u32| {
            weights[v as usize] > 0.0
                && !seen.contains(&v)
                && is_insightful(program, &units, graph.nodes[v as usize])
        };
        let picks = select(
            &narrow,
            &SelectOptions {
                most: settings.top,
                fp: settings.fp,
                eligible: &eligible,
                preselected: &preselected,
                weights: Some(&weights),
            },
        );
        let mut places = places(&narrow, &picks);
        places.retain(|r| r.gain > 0.0);
        for r in &mut places {
            r.stands_for.retain(|s| weights[s.vertex as usize] > 0.0);
        }
        places
    };
    Offer {
        graph,
        units,
        observations,
        readable,
        inside,
        read,
        points,
    }
}

/// What some observation point reads whole: the very value arrives there, by copies alone, whenever it is defined. A
/// value that was compared, counted or combined on the way is not read whole: a wrong one may look right (`neg` behind
/// `compare(pos, neg)`).
fn read_whole(graph: &Assembled, points: impl Iterator<Item = u32>) -> FxHashSet<u32> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut work: Vec<u32> = points.collect();
    while let Some(v) = work.pop() {
        if seen.insert(v) {
            let whole = graph
                .psg
                .outgoing(v)
                .filter(|e| e.copy && e.probability >= 1.0 - 1e-9);
            work.extend(whole.map(|e| e.to));
        }
    }
    seen
}

/// True for a definition that a person would check inside: no formal parameter (its first use is checked instead), no
/// constant, no loop counter, no logger, no caught exception.
pub fn is_insightful(program: &Program, units: &[Unit], node: Node) -> bool {
    let Node::Real { unit, candidate } = node else {
        return false;
    };
    let u = &units[unit as usize];
    let c = &u.chains.candidates[candidate as usize];
    let Some(decl) = program.body(u.body) else {
        return false;
    };
    let body = &decl.body;
    match c.kind {
        VariableKind::Parameter
        | VariableKind::LambdaParameter
        | VariableKind::Catch
        | VariableKind::Resource => return false,
        _ => {}
    }
    if let Some(local) = c.local
        && body.locals[local.ix()].counter
    {
        return false;
    }
    if let Some(field) = c.field
        && is_constant_or_logger(program, field)
    {
        return false;
    }
    match c.def {
        Some(d) => {
            let def = &body.defs[d.ix()];
            def.compound
                || body
                    .list(def.sources)
                    .first()
                    .is_none_or(|&s| !is_literal_or_new(body, s))
        }
        None => true,
    }
}

fn is_constant_or_logger(program: &Program, field: FieldId) -> bool {
    program.field_decl(field).is_some_and(|f| {
        let constant = f.modifiers.has(Modifiers::STATIC) && f.modifiers.has(Modifiers::FINAL);
        let name = f.name.to_ascii_lowercase();
        constant || name == "log" || name == "logger" || name == "serialversionuid"
    })
}

fn is_literal_or_new(body: &Body, mut e: ExprId) -> bool {
    loop {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } => e = operand,
            ExprKind::Literal(_) | ExprKind::ClassLiteral(_) | ExprKind::Missing => return true,
            ExprKind::Call(c) => return matches!(body.calls[c.ix()].callee, Callee::New { .. }),
            ExprKind::NewArray { .. } | ExprKind::Lambda(_) | ExprKind::MethodRef { .. } => {
                return true;
            }
            _ => return false,
        }
    }
}

/// An observation point.
struct Point {
    body: BodyId,
    observation: Observation,
    start: u32,
    /// What it reads; none for a candidate of the test.
    reads: Option<Reads>,
    candidate: Option<u32>,
    /// An assertion reads it already.
    read: bool,
}

struct Finder<'a> {
    workspace: &'a Workspace,
    purity: &'a Purity,
    switches: &'a Switches,
    hidden: Option<(BodyId, CallId)>,
    points: Vec<Point>,
    /// Bodies that queries would run.
    needed: Vec<BodyId>,
}

impl Finder<'_> {
    fn find(&mut self, body_id: BodyId) {
        let program = self.workspace.program();
        let (Some(decl), Some(chains), Some(resolved)) = (
            program.body(body_id),
            self.workspace.chains(body_id).cloned(),
            self.workspace.resolved(body_id).cloned(),
        ) else {
            return;
        };
        let body = &decl.body;
        let start = decl.start;
        let here = program.body_owner(body_id);
        let read = self.read_expressions(body_id, body, &chains);

        // (a) locals, by their last definition each.
        let mut last: Vec<Option<u32>> = vec![None; body.locals.len()];
        for (i, c) in chains.candidates.iter().enumerate() {
            if let (Some(l), Callable::Member) = (c.local, c.callable) {
                last[l.ix()] = Some(i as u32);
            }
        }
        for (l, last) in last.iter().enumerate() {
            let Some(candidate) = *last else { continue };
            let local = &body.locals[l];
            let c = &chains.candidates[candidate as usize];
            let ty = c
                .value
                .and_then(|e| resolved.types.get(e.ix()))
                .copied()
                .unwrap_or(Ty::UNKNOWN);
            let observation = Observation {
                expression: local.name.clone(),
                ty: program.type_text(ty),
                start: start + c.start,
                end: start + c.end,
            };
            let plain = matches!(
                local.kind,
                VariableKind::Local | VariableKind::Loop | VariableKind::Resource
            ) && !local.counter
                && c.kind != VariableKind::Array;
            let bare = self.switches.no_new_objects && self.is_bare_new(body, c.def);
            if plain && !bare && local.kind == VariableKind::Local {
                self.points.push(Point {
                    body: body_id,
                    read: read.contains(&local.name),
                    start: observation.start,
                    observation: observation.clone(),
                    reads: None,
                    candidate: Some(candidate),
                });
            }
            if self.switches.queries && !matches!(local.kind, VariableKind::Catch) {
                self.queries(
                    body_id,
                    here,
                    &local.name,
                    ty,
                    (observation.start, observation.end),
                    &read,
                );
            }
        }
        // Objects that the test class holds in fields and this test uses.
        if self.switches.queries {
            let mut fields: Vec<(SmolStr, FieldId, u32, Ty)> = Vec::new();
            for (e, target) in &resolved.names {
                if let program::NameTarget::Field(f) = target
                    && let ExprKind::Name(n) = body.expr(*e).kind
                    && program.is_test_type(program.field_owner(*f))
                    && !is_constant_or_logger(program, *f)
                    && !fields.iter().any(|x| x.1 == *f)
                {
                    let ty = resolved.types.get(e.ix()).copied().unwrap_or(Ty::UNKNOWN);
                    fields.push((body.name(n).clone(), *f, start + body.expr(*e).start, ty));
                }
            }
            for (name, _, at, ty) in fields {
                self.queries(
                    body_id,
                    here,
                    &name,
                    ty,
                    (at, at + name.len() as u32),
                    &read,
                );
            }
        }
        // (b) values that calls return and the test drops.
        if self.switches.dropped_values {
            for (i, site) in chains.calls.iter().enumerate() {
                let Some(c) = site.call else { continue };
                let call = &body.calls[c.ix()];
                let dropped_here = call.dropped && callable_of(body, site.expr) == Callable::Member;
                if !dropped_here || !site.gives_value || self.hidden == Some((body_id, c)) {
                    continue;
                }
                if !program.returns_value(site.target)
                    || program.is_test_type(program.method_owner(site.target))
                {
                    continue;
                }
                if self.switches.no_noise
                    && program.class_of(program.return_type(site.target))
                        == Some(program.method_owner(site.target))
                {
                    continue;
                }
                let e = body.expr(site.expr);
                let text = program.body_text(body_id, e.start, e.end);
                let ty = resolved
                    .types
                    .get(site.expr.ix())
                    .copied()
                    .unwrap_or(Ty::UNKNOWN);
                let uses = vec![Use {
                    source: Source::Call(i as u32),
                    copy: true,
                    library: false,
                }];
                self.points.push(Point {
                    body: body_id,
                    read: false,
                    start: start + e.start,
                    observation: Observation {
                        expression: one_line(text),
                        ty: program.type_text(ty),
                        start: start + e.start,
                        end: start + e.end,
                    },
                    reads: Some(Reads::Uses(uses)),
                    candidate: None,
                });
            }
        }
    }

    fn is_bare_new(&self, body: &Body, def: Option<flow::DefId>) -> bool {
        def.is_some_and(|d| {
            let def = &body.defs[d.ix()];
            !def.compound
                && matches!(def.target, Target::Local(_))
                && body
                    .list(def.sources)
                    .first()
                    .is_some_and(|&s| is_literal_or_new(body, s))
        })
    }

    /// The expressions that assertions of the test read, as this module writes them.
    fn read_expressions(
        &self,
        id: BodyId,
        body: &Body,
        chains: &crate::chains::Chains,
    ) -> FxHashSet<SmolStr> {
        let mut out = FxHashSet::default();
        for a in &chains.assertions {
            if self.hidden == Some((id, a.call)) {
                continue;
            }
            for e in assertion_arguments(body, a.call) {
                out.extend(expression_text(body, e));
            }
        }
        out
    }

    /// `object.query()` for each query of its type, and `object.query().query()`.
    fn queries(
        &mut self,
        body: BodyId,
        here: TypeId,
        object: &str,
        ty: Ty,
        at: (u32, u32),
        read: &FxHashSet<SmolStr>,
    ) {
        let program = self.workspace.program();
        let Some(class) = program.class_of(ty) else {
            return;
        };
        for (text, target, value) in
            self.purity
                .queries(self.workspace, class, here, QUERIES_PER_OBJECT)
        {
            if self.points.len() >= QUERIES_PER_TEST {
                return;
            }
            if self.switches.no_noise && is_noise(&text) {
                continue;
            }
            let expression = format_smolstr!("{object}.{text}");
            self.add_query(body, &expression, target, value, at, read);
            if self.switches.chained_queries
                && let Some(next) = program.class_of(value)
                && next != class
            {
                for (more, target, value) in
                    self.purity
                        .queries(self.workspace, next, here, QUERIES_PER_OBJECT)
                {
                    if self.points.len() >= QUERIES_PER_TEST
                        || (self.switches.no_noise && is_noise(&more))
                    {
                        continue;
                    }
                    let chained = format_smolstr!("{expression}.{more}");
                    self.add_query(body, &chained, target, value, at, read);
                }
            }
        }
    }

    fn add_query(
        &mut self,
        body: BodyId,
        expression: &SmolStr,
        target: QueryTarget,
        value: Ty,
        at: (u32, u32),
        read: &FxHashSet<SmolStr>,
    ) {
        let program = self.workspace.program();
        let reads = match target {
            QueryTarget::Method(m) => {
                self.needed
                    .extend(crate::assemble::Links::dispatch(self.workspace, m, true).iter());
                Reads::Method(m)
            }
            QueryTarget::Field(f) => Reads::Field(f),
        };
        self.points.push(Point {
            body,
            read: read.contains(expression),
            start: at.0,
            observation: Observation {
                expression: expression.clone(),
                ty: program.type_text(value),
                start: at.0,
                end: at.1,
            },
            reads: Some(reads),
            candidate: None,
        });
    }
}

/// What a query calls or reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryTarget {
    /// A method without parameters.
    Method(MethodId),
    /// A public field.
    Field(FieldId),
}

fn is_noise(query: &str) -> bool {
    [
        "hashCode()",
        "clone()",
        "iterator()",
        "listIterator()",
        "stream()",
        "spliterator()",
        "getClass()",
    ]
    .contains(&query)
}

fn callable_of(body: &Body, e: ExprId) -> Callable {
    body.lambdas
        .iter()
        .enumerate()
        .filter(|(_, l)| l.first <= e && e < l.expr)
        .map(|(i, _)| Callable::Lambda(flow::LambdaId(i as u32)))
        .next_back()
        .unwrap_or(Callable::Member)
}

/// All expressions in the arguments of a call, the arguments first.
pub fn assertion_arguments(body: &Body, call: CallId) -> Vec<ExprId> {
    let mut out: Vec<ExprId> = body.list(body.calls[call.ix()].args).to_vec();
    let mut at = 0;
    while at < out.len() && out.len() < 1_000 {
        let e = out[at];
        if let ExprKind::Lambda(l) = body.expr(e).kind {
            let lambda = &body.lambdas[l.ix()];
            out.extend((lambda.first.0..lambda.expr.0).map(ExprId));
        } else {
            body.operands_of(e, &mut out);
        }
        at += 1;
    }
    out
}

/// An expression as this module writes observation points: a variable, or queries without arguments on one.
pub fn expression_text(body: &Body, e: ExprId) -> Option<SmolStr> {
    match body.expr(e).kind {
        ExprKind::Local(LocalId(l)) => Some(body.locals[l as usize].name.clone()),
        ExprKind::Name(n) => Some(body.name(n).clone()),
        ExprKind::Field { object, name } => match body.expr(object).kind {
            ExprKind::This => Some(body.name(name).clone()),
            _ => Some(format_smolstr!(
                "{}.{}",
                expression_text(body, object)?,
                body.name(name)
            )),
        },
        ExprKind::Cast { operand, .. } => expression_text(body, operand),
        ExprKind::Call(c) => {
            let call = &body.calls[c.ix()];
            match call.callee {
                Callee::Method {
                    receiver: Some(r),
                    name,
                } if call.args.len == 0 => Some(format_smolstr!(
                    "{}.{}()",
                    expression_text(body, r)?,
                    body.name(name)
                )),
                _ => None,
            }
        }
        _ => None,
    }
}

fn one_line(text: &str) -> SmolStr {
    SmolStr::from(text.split_whitespace().collect::<Vec<_>>().join(" "))
}
