//! Where a test says that something must be thrown.

use crate::frameworks::{ALL, Framework, all, any, marks_tests};
use crate::{Reader, Root, squeezed};
use flow::{Callee, ExprId, TypeRef};
use program::MethodDecl;
use smol_str::SmolStr;

/// True if the arguments of a test's own annotation begin with something, or one of them does.
pub fn said_by_annotation(
    test: &MethodDecl,
    what: impl Fn(&Framework) -> &'static [&'static str],
) -> bool {
    said(test, what).is_some()
}

/// The first such argument, without white space.
fn said(
    test: &MethodDecl,
    what: impl Fn(&Framework) -> &'static [&'static str],
) -> Option<SmolStr> {
    let told = test.told.iter().filter(|t| marks_tests(&t.annotation));
    let mut arguments = told.flat_map(|t| t.arguments.split(',').map(squeezed));
    let is_said = |a: &SmolStr| ALL.iter().flat_map(&what).any(|w| a.starts_with(w));
    arguments.find(is_said)
}

impl Reader<'_> {
    /// True if an annotation of the test says that it throws: `@Test(expected = …)`.
    pub fn is_told_to_throw(&self) -> bool {
        let throws = |a: &SmolStr| any(a, |row| row.throwing_rules);
        let decl = self.method();
        decl.is_some_and(|d| {
            d.annotations.iter().any(throws) || said_by_annotation(d, |row| row.throws_by)
        })
    }

    /// What it says there that is thrown, as it is written: `IllegalStateException.class`.
    pub fn told_to_throw(&self) -> Option<SmolStr> {
        let said = said(self.method()?, |row| row.throws_by)?;
        let class = said.split_once('=').map(|s| SmolStr::new(s.1));
        class.filter(|c| !c.is_empty())
    }

    /// Behind which expression something of the test's own code must throw, if it must: its annotation says so, or it tells a
    /// rule of JUnit 4, `thrown.expect(…)`.
    pub fn throws_behind(&self) -> Option<ExprId> {
        if self.is_told_to_throw() {
            return Some(ExprId(0));
        }
        let (program, body) = (self.program, self.body);
        let is_rule = |ty: &TypeRef| match ty {
            TypeRef::Named(segments) => segments
                .last()
                .is_some_and(|s| any(&s.name, |row| row.throwing_rules)),
            _ => false,
        };
        let tells = |call: &&flow::Call| match call.callee {
            Callee::Method {
                receiver: Some(r),
                name,
            } => {
                let name = body.name(name).as_str();
                all(|row| row.told_to_throw).any(|tells| name.starts_with(tells))
                    && match self.path(r).map(|p| p.root) {
                        Some(Root::Field(f)) => {
                            program.field_decl(f).is_some_and(|d| is_rule(&d.ty))
                        }
                        _ => false,
                    }
            }
            _ => false,
        };
        body.calls.iter().filter(tells).map(|c| c.expr).max()
    }

    /// The method whose body it is.
    fn method(&self) -> Option<&MethodDecl> {
        self.program.method_decl(self.program.body_method(self.id)?)
    }
}
