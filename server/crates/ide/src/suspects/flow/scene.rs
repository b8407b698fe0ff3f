//! A test with what its names, calls and variables mean to those who follow values through it.

use crate::analysis::Analysis;
use chains::Chains;
use flow::{Body, CallId, Callee, ExprId, ExprKind, LocalId, Target, VariableKey};
use program::{BodyId, CallTarget, MethodId, Modifiers, NameTarget, Program, ResolvedBody};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use text::{Encoding, LineIndex, Span};

/// See the module's description. Offsets are relative to the test.
pub(super) struct Scene<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) id: BodyId,
    pub(super) body: &'a Body,
    pub(super) resolved: &'a ResolvedBody,
    pub(super) chains: &'a Chains,
    /// Absolute offset of the test.
    start: u32,
    text: &'a str,
    lines: Arc<LineIndex>,
    /// By expression: the one that takes its value.
    pub(super) parents: Vec<Option<ExprId>>,
    /// An expression that names a local, for those that are named anywhere.
    names: FxHashMap<LocalId, ExprId>,
    /// Locals that hold the same object.
    same: Vec<Vec<LocalId>>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(analysis: &'a Analysis, test: MethodId) -> Option<Scene<'a>> {
        let (program, workspace) = (analysis.program(), analysis.workspace());
        let id = program.method_body(test)?;
        let decl = program.body(id)?;
        let file = program.body_file(id)?;
        let text = program.text(file)?;
        let body = &*decl.body;
        let mut parents = vec![None; body.exprs.len()];
        let mut names = FxHashMap::default();
        let mut operands = Vec::new();
        for (at, expr) in body.exprs.iter().enumerate() {
            let e = ExprId(at as u32);
            if let ExprKind::Local(l) = expr.kind {
                names.entry(l).or_insert(e);
            }
            operands.clear();
            body.operands_of(e, &mut operands);
            for operand in &operands {
                parents[operand.ix()] = Some(e);
            }
        }
        Some(Scene {
            analysis,
            id,
            body,
            resolved: workspace.resolved(id)?,
            chains: workspace.chains(id)?,
            start: decl.start,
            text,
            lines: analysis.lines(file),
            parents,
            names,
            same: same(body),
        })
    }

    pub(super) fn program(&self) -> &'a Program {
        self.analysis.program()
    }

    /// In the file.
    pub(super) fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.start + start, self.start + end)
    }

    /// The line of an offset, from 1.
    pub(super) fn line(&self, at: u32) -> u32 {
        let position = self.lines.position(self.start + at, Encoding::Utf8);
        position.line + 1
    }

    /// True if a line, from 1, has a part of a span of the file.
    pub(super) fn covers(&self, span: Span, line: u32) -> bool {
        let of = |at: u32| self.lines.position(at, Encoding::Utf8).line + 1;
        (of(span.start)..=of(span.end)).contains(&line)
    }

    /// The text of the file between two offsets.
    pub(super) fn text_between(&self, start: u32, end: u32) -> &'a str {
        let at = |offset: u32| (self.start as usize + offset as usize).min(self.text.len());
        self.text.get(at(start)..at(end)).unwrap_or("")
    }

    /// The method or constructor of the workspace that is called.
    pub(super) fn target(&self, call: CallId) -> Option<MethodId> {
        match self.resolved.calls.get(call.ix())? {
            CallTarget::Workspace(target) => Some(*target),
            _ => None,
        }
    }

    /// The object that a method is called on; none of a static method.
    pub(super) fn receiver(&self, call: CallId) -> Option<ExprId> {
        let Callee::Method { receiver, .. } = self.body.calls[call.ix()].callee else {
            return None;
        };
        let is_static = |m| self.program().method_has(m, Modifiers::STATIC);
        if self.target(call).is_some_and(is_static) {
            return None;
        }
        receiver.filter(|r| !self.is_type(*r))
    }

    /// True for the name of a type or a package.
    pub(super) fn is_type(&self, e: ExprId) -> bool {
        matches!(
            self.resolved.name(e),
            Some(NameTarget::Type(_) | NameTarget::Package)
        )
    }

    /// The variable that holds the object of an expression: a local, or a field of the test's own object.
    pub(super) fn place(&self, e: ExprId) -> Option<ExprId> {
        let workspace = self.analysis.workspace();
        let purity = self.analysis.purity();
        let e = purity.holder(workspace, self.body, self.resolved, e);
        match self.body.expr(e).kind {
            ExprKind::Local(_) => Some(e),
            _ => self.own_field(e).map(|_| e),
        }
    }

    /// `field`, `this.field`, `Test.FIELD`.
    pub(super) fn own_field(&self, e: ExprId) -> Option<VariableKey> {
        let own = match self.body.expr(e).kind {
            ExprKind::Name(_) => true,
            ExprKind::Field { object, .. } => {
                matches!(self.body.expr(object).kind, ExprKind::This) || self.is_type(object)
            }
            _ => false,
        };
        match self.resolved.name(e)? {
            NameTarget::Field(f) if own => Some(VariableKey(f.0)),
            _ => None,
        }
    }

    /// What a variable is called.
    pub(super) fn name(&self, e: ExprId) -> &'a str {
        match self.body.expr(e).kind {
            ExprKind::Local(l) => &self.body.locals[l.ix()].name,
            ExprKind::Name(n) | ExprKind::Field { name: n, .. } => self.body.name(n),
            _ => "it",
        }
    }

    /// Other names of the object of a local: `b` in `B b = a;` is `a` as long as each is given a value once.
    pub(super) fn aliases(&self, place: ExprId) -> Vec<ExprId> {
        let ExprKind::Local(local) = self.body.expr(place).kind else {
            return Vec::new();
        };
        let all = self.same.iter().find(|same| same.contains(&local));
        let others = all.into_iter().flatten().filter(|l| **l != local);
        others.filter_map(|l| self.names.get(l).copied()).collect()
    }

    /// The operands whose values go into an expression's.
    pub(super) fn flows_from(&self, e: ExprId, out: &mut Vec<ExprId>) {
        let body = self.body;
        match body.expr(e).kind {
            ExprKind::Call(c) => {
                let call = &body.calls[c.ix()];
                let name = body.method_name(call).map_or("", |name| name.as_str());
                // Of what class it is, nobody changes.
                if name != "getClass" {
                    out.extend(self.receiver(c));
                }
                out.extend_from_slice(body.list(call.args));
            }
            ExprKind::Field { object, .. } => {
                let is_static = match self.resolved.name(e) {
                    Some(NameTarget::Field(f)) => self
                        .program()
                        .field_decl(f)
                        .is_some_and(|f| f.modifiers.has(Modifiers::STATIC)),
                    _ => false,
                };
                if !is_static && !self.is_type(object) {
                    out.push(object);
                }
            }
            _ => body.operands_of(e, out),
        }
    }
}

/// The locals that are each given a value once, that of one of the others.
fn same(body: &Body) -> Vec<Vec<LocalId>> {
    let mut defined = vec![0u32; body.locals.len()];
    for def in &body.defs {
        if let Target::Local(l) = def.target {
            defined[l.ix()] += 1;
        }
    }
    let once = |l: LocalId| defined[l.ix()] == 1;
    let original = |l: LocalId| {
        let mut init = body.locals[l.ix()].init?;
        while let ExprKind::Cast { operand, .. } = body.expr(init).kind {
            init = operand;
        }
        match body.expr(init).kind {
            ExprKind::Local(of) if once(l) && once(of) => Some(of),
            _ => None,
        }
    };
    let mut groups: BTreeMap<LocalId, Vec<LocalId>> = BTreeMap::new();
    for l in (0..body.locals.len()).map(|l| LocalId(l as u32)) {
        if let Some(first) = original(l) {
            let up = std::iter::successors(Some(first), |l| original(*l));
            let root = up.take(20).last().unwrap_or(first);
            groups.entry(root).or_insert_with(|| vec![root]).push(l);
        }
    }
    groups.into_values().collect()
}
