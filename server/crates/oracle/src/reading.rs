//! What an assertion reads, in the words of a test: `total`, `record.getComment()`, `record.getMap().size()`.
//!
//! Which argument is the observed one says the class that declares the assertion, as the [`frameworks`]
//! have it: where the actual value stands, and where a message does. Where the actual one says nothing that varies
//! (`assertEquals(x, 3)`), the other one is taken.

use crate::frameworks::{self, Form, Observed, Says, observed};
use crate::{Assertion, observes};
use flow::{BinaryOp, Body, CallId, Callee, ExprId, ExprKind, LocalId, UnaryOp};
use program::{BodyId, CallTarget, FieldId, Modifiers, NameTarget, Program, ResolvedBody, Ty};
use smol_str::SmolStr;

/// Segments of an expression beyond which it is not followed; nobody asks that far.
const MAX_SEGMENTS: usize = 8;
/// Parts of one argument beyond which it is not read.
const MAX_PARTS: usize = 1_000;

/// The object or value that a path starts from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A local, also one of a body around this one.
    Local(BodyId, LocalId),
    /// A field of the workspace.
    Field(FieldId),
    /// A call of the test's own class, or a name that means nothing here, as it is written.
    Other(SmolStr),
}

/// An expression that names a value a test can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// As people write it, without casts and `this.`.
    pub text: SmolStr,
    /// What its first segment means.
    pub root: Root,
    /// The first segment's expression.
    pub start: ExprId,
    /// How many queries stand behind the first segment.
    pub depth: usize,
}

impl Path {
    /// True for an object as it is, or its text: every part of it shows in that.
    pub fn is_whole(&self) -> bool {
        self.depth == 0 || self.depth == 1 && self.text.ends_with(".toString()")
    }
}

/// What one assertion reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The values that it reads and a list can offer.
    pub paths: Vec<(ExprId, Path)>,
    /// Calls with arguments whose values it reads.
    pub calls: Vec<ExprId>,
    /// It reads something else that no list offers: a new object, a static call, a helper of the test.
    pub other: bool,
}

/// Code without white space, to be compared.
pub fn squeezed(text: &str) -> SmolStr {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// One body of a test, as far as reading it needs.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// The program.
    pub program: &'a Program,
    /// Which body.
    pub id: BodyId,
    /// The body.
    pub body: &'a Body,
    /// What its names mean.
    pub resolved: &'a ResolvedBody,
}

impl<'a> Reader<'a> {
    /// The reader of a body; `None` if it is unknown.
    pub fn new(program: &'a Program, id: BodyId) -> Option<Reader<'a>> {
        Some(Reader {
            program,
            id,
            body: &program.body(id)?.body,
            resolved: program.resolved(id)?,
        })
    }

    /// The expression as a path, if it is one.
    pub fn path(&self, e: ExprId) -> Option<Path> {
        let body = self.body;
        let mut segments: Vec<SmolStr> = Vec::new();
        let mut at = e;
        loop {
            if segments.len() >= MAX_SEGMENTS {
                return None;
            }
            match body.expr(at).kind {
                ExprKind::Local(LocalId(l)) => {
                    segments.push(body.locals[l as usize].name.clone());
                    break;
                }
                ExprKind::Name(n) => {
                    if self.is_type(at) {
                        return None;
                    }
                    segments.push(body.name(n).clone());
                    break;
                }
                ExprKind::Field { object, name } => {
                    if self.is_type(at) || self.is_type(object) {
                        return None;
                    }
                    segments.push(body.name(name).clone());
                    if matches!(body.expr(object).kind, ExprKind::This | ExprKind::Super) {
                        break;
                    }
                    at = object;
                }
                ExprKind::Cast { operand, .. } => at = operand,
                ExprKind::Call(c) => {
                    let call = &body.calls[c.ix()];
                    let Callee::Method { receiver, name } = call.callee else {
                        return None;
                    };
                    if call.args.len > 0 {
                        return None;
                    }
                    segments.push(SmolStr::from(format!("{}()", body.name(name))));
                    match receiver {
                        None => break,
                        Some(r)
                            if matches!(body.expr(r).kind, ExprKind::This | ExprKind::Super) =>
                        {
                            break;
                        }
                        Some(r) => at = r,
                    }
                }
                _ => return None,
            }
        }
        segments.reverse();
        Some(Path {
            text: SmolStr::from(segments.join(".")),
            root: self.root(at, &segments[0]),
            start: at,
            depth: segments.len() - 1,
        })
    }

    /// What the first segment of a path means.
    fn root(&self, e: ExprId, written: &SmolStr) -> Root {
        if let ExprKind::Local(local) = self.body.expr(e).kind {
            return self.local(local);
        }
        match self.resolved.name(e) {
            Some(NameTarget::Field(field)) => Root::Field(field),
            Some(NameTarget::Captured { body, local }) => Root::Local(body, local),
            _ => Root::Other(written.clone()),
        }
    }

    /// A local of this body.
    pub fn local(&self, local: LocalId) -> Root {
        Root::Local(self.id, local)
    }

    /// A root as people write it.
    pub fn name_of(&self, root: &Root) -> SmolStr {
        match root {
            Root::Local(body, local) => {
                let decl = self.program.body(*body);
                decl.map_or_else(SmolStr::default, |d| d.body.locals[local.ix()].name.clone())
            }
            Root::Field(field) => {
                let decl = self.program.field_decl(*field);
                decl.map_or_else(SmolStr::default, |d| d.name.clone())
            }
            Root::Other(written) => written.clone(),
        }
    }

    fn is_type(&self, e: ExprId) -> bool {
        matches!(
            self.resolved.name(e),
            Some(NameTarget::Type(_) | NameTarget::Package)
        )
    }

    /// True if the value is the same in every run whatever the code under test does: literals, constants, and what
    /// libraries make of them; a new object too, made for the comparison.
    pub fn is_constant(&self, e: ExprId) -> bool {
        self.is_made_of_literals(e, true)
    }

    /// The same, but a new object of the workspace is what its constructor made of it.
    pub fn is_literal(&self, e: ExprId) -> bool {
        self.is_made_of_literals(e, false)
    }

    fn is_made_of_literals(&self, e: ExprId, objects: bool) -> bool {
        let body = self.body;
        body.every_part(&[e], MAX_PARTS, |e, work| {
            match body.expr(e).kind {
                ExprKind::Literal(_)
                | ExprKind::ClassLiteral(_)
                | ExprKind::Missing
                | ExprKind::Lambda(_)
                | ExprKind::MethodRef { .. }
                | ExprKind::Type(_) => {}
                ExprKind::Name(_) | ExprKind::Field { .. } => match self.resolved.name(e) {
                    Some(NameTarget::Type(_) | NameTarget::Package) => {}
                    Some(NameTarget::LibraryField) => {}
                    Some(NameTarget::Field(f)) => {
                        let constant = self.program.field_decl(f).is_some_and(|d| {
                            d.modifiers.has(Modifiers::STATIC) && d.modifiers.has(Modifiers::FINAL)
                        });
                        // A constant object of the code under test is of its making.
                        let known = objects
                            || self.program.is_test_type(self.program.field_owner(f))
                            || self.is_immutable(self.resolved.ty(e));
                        if !constant || !known {
                            return false;
                        }
                    }
                    _ => return false,
                },
                ExprKind::Local(l) => {
                    let mut defs = body
                        .defs
                        .iter()
                        .filter(|d| d.target == flow::Target::Local(l));
                    match (defs.next(), defs.next()) {
                        (Some(d), None)
                            if !d.compound
                                && body.locals[l.ix()].kind == flow::VariableKind::Local =>
                        {
                            work.extend_from_slice(body.list(d.sources));
                        }
                        _ => return false,
                    }
                }
                ExprKind::Call(c) => {
                    let call = &body.calls[c.ix()];
                    let library = !matches!(
                        self.resolved.calls.get(c.ix()),
                        Some(CallTarget::Workspace(_))
                    );
                    match call.callee {
                        // An expected object is made for the comparison; whatever it holds was given to it.
                        Callee::New { .. } if objects || library => {
                            work.extend_from_slice(body.list(call.args));
                        }
                        Callee::Method {
                            receiver: Some(r), ..
                        } if library => {
                            work.push(r);
                            work.extend_from_slice(body.list(call.args));
                        }
                        _ => return false,
                    }
                }
                _ => body.operands_of(e, work),
            }
            true
        })
    }

    fn is_string(&self, e: ExprId) -> bool {
        matches!(
            self.body.expr(e).kind,
            ExprKind::Literal(flow::Literal::Str)
        ) || self
            .program
            .library_class_of(self.resolved.ty(e))
            .is_some_and(|n| n == "java.lang.String")
    }

    /// The arguments of an assertion whose values it checks; empty if it checks none (`assertThrows`, `assertAll`).
    pub fn actual(&self, id: CallId) -> Vec<ExprId> {
        let observes = observes(self.body, id);
        let call = &self.body.calls[id.ix()];
        let Callee::Method { name, .. } = call.callee else {
            return Vec::new();
        };
        let name = self.body.name(name).as_str();
        let args = self.body.list(call.args);
        if !observes || args.is_empty() {
            return Vec::new();
        }
        use Observed::{Compared, ComparedWeakly, Nothing, One, OneWeakly, SecondWeakly, That};
        match observed(name) {
            Some(Nothing) => Vec::new(),
            Some(One | OneWeakly) => {
                let at = if self.is_message_last(id) {
                    0
                } else {
                    args.len() - 1
                };
                vec![args[at]]
            }
            Some(That) => vec![args[usize::from(args.len() >= 3)]],
            Some(SecondWeakly) => args.get(1).copied().into_iter().collect(),
            Some(Compared | ComparedWeakly) => {
                let form = self.form_here(id);
                let message_first = !form.is_some_and(|f| f.is_message_last)
                    && (args.len() >= 4
                        || args.len() == 3
                            && self.is_string(args[0])
                            && !self.resolved.ty(args[2]).is_numeric()
                        || args.len() == 3 && self.is_message(args));
                let first = usize::from(message_first);
                let Some(&[a, b]) = args.get(first..first + 2) else {
                    return args.to_vec();
                };
                let (expected, actual) = match form.is_some_and(|f| f.is_actual_first) {
                    true => (b, a),
                    false => (a, b),
                };
                match self.is_constant(actual) {
                    true => vec![expected],
                    false => vec![actual],
                }
            }
            None => args.to_vec(),
        }
    }

    /// The form of an assertion, by the class that declares it; where that is not here, by what the file imports. None for
    /// a project's own, and where it cannot be told.
    pub fn form(&self, call: CallId) -> Option<&'static Form> {
        let call_record = &self.body.calls[call.ix()];
        if let Some(method) = self.resolved.library_method(call_record.expr) {
            let class = self.program.method_owner(method);
            return Form::of_class(self.program.type_name(class));
        }
        if let Some(CallTarget::Workspace(_)) = self.resolved.calls.get(call.ix()) {
            return None;
        }
        let Callee::Method { receiver, name } = call_record.callee else {
            return None;
        };
        let summary = self.program.summary(self.program.body_file(self.id)?)?;
        let name = self.body.name(name);
        match receiver.map(|r| (r, self.body.expr(r).kind)) {
            None | Some((_, ExprKind::This | ExprKind::Super)) => {
                Form::imported(summary, None, name, || self.inherits())
            }
            Some((_, ExprKind::Name(class))) => {
                Form::imported(summary, Some(self.body.name(class)), name, || false)
            }
            Some((r, ExprKind::Field { .. })) => Form::of_class(&self.text(r)),
            Some(_) => None,
        }
    }

    /// True if some class above, or around, may have assertions that are inherited.
    fn inherits(&self) -> bool {
        let own = self.program.body_owner(self.id);
        let around =
            std::iter::successors(Some(own), |c| self.program.enclosing_type(*c)).take(100);
        around
            .filter_map(|c| self.program.type_decl(c))
            .any(|d| d.superclass.is_some() || d.enclosing_body.is_some())
    }

    /// The same, and of a project's own that of the framework which the file's tests are of.
    fn form_here(&self, call: CallId) -> Option<&'static Form> {
        self.form(call).or_else(|| {
            let summary = self.program.summary(self.program.body_file(self.id)?)?;
            Some(frameworks::of_tests(summary)?.home()?.form)
        })
    }

    fn is_message_last(&self, call: CallId) -> bool {
        self.form_here(call).is_some_and(|f| f.is_message_last)
    }

    /// The expressions whose values an assertion checks, beside what it is about also the expected one. An assertion that
    /// lets nearly every value pass (`assertNotNull(x)`, `x instanceof T`) checks none, and a part of a value
    /// (`a[0]`, the receiver of a call with arguments) does not stand for all of it.
    pub fn checked(&self, assertion: &Assertion) -> Vec<ExprId> {
        let body = self.body;
        let mut work = match assertion.call {
            Some(c) => {
                if self.is_weak(assertion) || self.actual(c).is_empty() {
                    return Vec::new();
                }
                let chained = assertion.chained.iter();
                chained
                    .chain([&c])
                    .flat_map(|c| body.list(body.calls[c.ix()].args))
                    .copied()
                    .collect()
            }
            None => vec![assertion.expr],
        };
        let mut out = Vec::new();
        let mut seen = 0;
        while let Some(e) = work.pop() {
            seen += 1;
            if seen > MAX_PARTS {
                break;
            }
            match body.expr(e).kind {
                ExprKind::Local(_)
                | ExprKind::Name(_)
                | ExprKind::Field { .. }
                | ExprKind::Call(_) => out.push(e),
                ExprKind::Binary {
                    op: BinaryOp::Eq | BinaryOp::Ne,
                    left,
                    right,
                } if self.is_null(left) || self.is_null(right) => {}
                ExprKind::Cast { .. }
                | ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::ShortCircuit { .. }
                | ExprKind::Conditional { .. } => body.operands_of(e, &mut work),
                _ => {}
            }
        }
        out
    }

    /// True for an assertion that nearly every value passes.
    pub fn is_weak(&self, assertion: &Assertion) -> bool {
        let Some(c) = assertion.call else {
            return self.is_there(assertion.expr, true);
        };
        let Callee::Method { name, .. } = self.body.calls[c.ix()].callee else {
            return false;
        };
        let is_weak_link = |c: &CallId| {
            let Callee::Method { name, .. } = self.body.calls[c.ix()].callee else {
                return false;
            };
            let said = frameworks::link(self.body.name(name));
            said.is_some_and(|s| s.is_weak() || s == Says::Nothing)
        };
        if !assertion.chained.is_empty() {
            return assertion.chained.iter().all(is_weak_link);
        }
        let call = &self.body.calls[c.ix()];
        let is_own = || {
            let target = self.resolved.calls.get(c.ix());
            matches!(target, Some(CallTarget::Workspace(_)))
        };
        match observed(self.body.name(name)) {
            Some(Observed::One) if !is_own() => {
                let holds = frameworks::assertion(self.body.name(name)) != Some(Says::False);
                let mut all = self.actual(c).into_iter().peekable();
                all.peek().is_some() && all.all(|e| self.is_there(e, holds))
            }
            Some(Observed::OneWeakly | Observed::ComparedWeakly | Observed::SecondWeakly) => true,
            // `assertThat(a == b);` is the beginning of an assertion.
            Some(Observed::That) => call.dropped && call.args.len == 1 && !is_own(),
            _ => false,
        }
    }

    /// True for an assertion that says no more than that something is there, or of what type: what it holds makes no
    /// difference to it.
    pub fn checks_presence(&self, assertion: &Assertion) -> bool {
        let compares = |c: &CallId| {
            self.body
                .method_name(&self.body.calls[c.ix()])
                .is_some_and(|name| {
                    frameworks::link(name).is_some_and(Says::tells_apart)
                        || matches!(
                            observed(name),
                            Some(Observed::ComparedWeakly | Observed::SecondWeakly)
                        )
                })
        };
        let mut calls = assertion.chained.iter().chain(&assertion.call);
        self.is_weak(assertion) && !calls.any(compares)
    }

    /// True for a condition that says no more of anything than that it is there, or of what type, if it `holds`, or else if it
    /// does not: `a != null && b instanceof T`.
    fn is_there(&self, e: ExprId, holds: bool) -> bool {
        let mut work = vec![(e, holds)];
        let mut seen = 0;
        while let Some((e, holds)) = work.pop() {
            seen += 1;
            let is_there = match self.body.expr(e).kind {
                ExprKind::Binary { op, left, right } => {
                    let says = if holds { BinaryOp::Ne } else { BinaryOp::Eq };
                    op == says && (self.is_null(left) || self.is_null(right))
                }
                ExprKind::InstanceOf { .. } => holds,
                ExprKind::ShortCircuit { and, left, right } if and == holds => {
                    work.extend([(left, holds), (right, holds)]);
                    true
                }
                ExprKind::Unary {
                    op: UnaryOp::Not,
                    operand,
                } => {
                    work.push((operand, !holds));
                    true
                }
                _ => false,
            };
            if !is_there || seen > MAX_PARTS {
                return false;
            }
        }
        true
    }

    fn is_null(&self, e: ExprId) -> bool {
        self.body.expr(e).kind == ExprKind::Literal(flow::Literal::Null)
    }

    /// An expression as it is written, without white space.
    pub fn text(&self, e: ExprId) -> SmolStr {
        let e = self.body.expr(e);
        let text = self.program.body_text(self.id, e.start, e.end);
        squeezed(text)
    }

    /// True if nothing changes an object of this type.
    pub fn is_immutable(&self, ty: Ty) -> bool {
        models::is_immutable(self.program, ty)
    }

    /// `assertEquals("what", 3, list.size())`: a message, since text is not compared with a number.
    fn is_message(&self, args: &[ExprId]) -> bool {
        let ty = |e: ExprId| self.resolved.ty(e);
        self.is_string(args[0]) && ty(args[1]) != Ty::UNKNOWN && !self.is_string(args[1])
    }

    /// What an assertion reads.
    pub fn reading(&self, assertion: &Assertion) -> Reading {
        match assertion.call {
            Some(call) => self.reading_of_call(call),
            None => self.reading_of(&[assertion.expr], &|_| None),
        }
    }

    /// What a call that is an assertion reads.
    pub fn reading_of_call(&self, call: CallId) -> Reading {
        self.reading_of(&self.actual(call), &|_| None)
    }

    /// What expressions read. A local for which `stands_for` gives an expression is read as that.
    pub fn reading_of(
        &self,
        of: &[ExprId],
        stands_for: &dyn Fn(LocalId) -> Option<ExprId>,
    ) -> Reading {
        let body = self.body;
        let mut out = Reading::default();
        let mut work: Vec<ExprId> = of.to_vec();
        let mut seen = 0;
        while let Some(e) = work.pop() {
            seen += 1;
            if seen > MAX_PARTS {
                break;
            }
            match body.expr(e).kind {
                ExprKind::Local(l) => match stands_for(l) {
                    Some(other) => work.push(other),
                    None if self.is_constant(e) => {}
                    None => self.add(e, &mut out),
                },
                ExprKind::Name(_) | ExprKind::Field { .. } if self.is_constant(e) => {}
                ExprKind::Name(_) | ExprKind::Field { .. } => self.add(e, &mut out),
                ExprKind::Call(_) => self.add(e, &mut out),
                ExprKind::Index { array, .. } => work.push(array),
                ExprKind::Cast { operand, .. } => work.push(operand),
                ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::ShortCircuit { .. }
                | ExprKind::Conditional { .. }
                | ExprKind::InstanceOf { .. } => body.operands_of(e, &mut work),
                ExprKind::Literal(_)
                | ExprKind::ClassLiteral(_)
                | ExprKind::Missing
                | ExprKind::Lambda(_)
                | ExprKind::MethodRef { .. } => {}
                _ => out.other = true,
            }
        }
        out.paths.sort_by_key(|p| p.0);
        out.paths.dedup_by(|b, a| a.1.text == b.1.text);
        out
    }

    fn add(&self, e: ExprId, out: &mut Reading) {
        match self.path(e) {
            // A helper of the test class is the test's own.
            Some(path) if path.depth == 0 && path.text.ends_with(')') => out.other = true,
            Some(path) => out.paths.push((e, path)),
            None => {
                let body = self.body;
                let mut at = e;
                for _ in 0..MAX_PARTS {
                    match body.expr(at).kind {
                        ExprKind::Call(c) => {
                            let call = &body.calls[c.ix()];
                            match call.callee {
                                Callee::Method { .. } if call.args.len > 0 => {
                                    out.calls.push(e);
                                    return;
                                }
                                Callee::Method {
                                    receiver: Some(r), ..
                                } => at = r,
                                _ => break,
                            }
                        }
                        ExprKind::Field { object, .. } => at = object,
                        ExprKind::Cast { operand, .. } => at = operand,
                        ExprKind::Index { array, .. } => at = array,
                        _ => break,
                    }
                }
                out.other = true;
            }
        }
    }
}
