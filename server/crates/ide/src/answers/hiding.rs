//! Which calls of a test hide the code under test, where none of it is known to run.

use crate::Analysis;
use calls::Technique;
use flow::{Body, CallId, Callee, ExprId, ExprKind};
use oracle::promises::begins_with_a_check;
use oracle::{TestRun, assertions, frameworks};
use program::{BodyId, CallTarget, Program, ResolvedBody};

/// How many are named.
const MOST: usize = 3;

/// A call behind which code under test may run, and why nobody knows.
pub(super) struct Hiding {
    pub(super) body: BodyId,
    pub(super) call: CallId,
    pub(super) why: String,
}

/// See the module's description; none where code under test is known to run. Of a test that calls nothing which could it is empty.
pub(super) fn hiding(analysis: &Analysis, run: TestRun) -> Option<Vec<Hiding>> {
    let program = analysis.program();
    let workspace = analysis.workspace();
    let is_code = |body: BodyId| {
        let file = program.body_file(body);
        file.is_some_and(|f| !program.is_test(f))
    };
    let reached = workspace.reached_by(&[run], Technique::RapidTypes);
    if reached.iter().any(is_code) {
        return None;
    }
    let id = program.method_body(run.test)?;
    let (decl, resolved) = (program.body(id)?, workspace.resolved(id)?);
    let body = &decl.body;
    let mut checks: Vec<CallId> = Vec::new();
    for a in assertions(body, &decl.assertions) {
        checks.extend(a.call);
        checks.extend(a.chained);
    }
    let scene = Scene {
        program,
        resolved,
        body,
    };
    // What is said of mocks runs nothing.
    let calls = || (0..body.calls.len() as u32).map(CallId);
    for call in calls().filter(|c| scene.is_of_mocks(*c)) {
        checks.push(call);
        for &arg in body.list(body.calls[call.ix()].args) {
            if let ExprKind::Call(asked) = body.expr(arg).kind {
                checks.push(asked);
            }
        }
    }
    let last = calls().filter(|c| !checks.contains(c) && !scene.is_continued(*c));
    let why = last.filter_map(|call| scene.why(call).map(|why| (call, why)));
    let all = why.take(MOST).map(|(call, why)| Hiding {
        body: id,
        call,
        why,
    });
    Some(all.collect())
}

struct Scene<'a> {
    program: &'a Program,
    resolved: &'a ResolvedBody,
    body: &'a Body,
}

impl Scene<'_> {
    /// True for a call on which another is made.
    fn is_continued(&self, call: CallId) -> bool {
        let own = self.body.calls[call.ix()].expr;
        let mut calls = self.body.calls.iter();
        calls.any(|c| matches!(c.callee, Callee::Method { receiver: Some(r), .. } if r == own))
    }

    /// True for a call that says something of mocks, or is made behind one: `when(…).thenReturn(…)`, `verify(m).send(…)`.
    fn is_of_mocks(&self, call: CallId) -> bool {
        let mut at = call;
        loop {
            let Callee::Method { receiver, name } = self.body.calls[at.ix()].callee else {
                return false;
            };
            let name = self.body.name(name).as_str();
            if frameworks::prepares(name)
                || frameworks::stubs(name)
                || frameworks::tells_or_asks(name)
            {
                return true;
            }
            match receiver.map(|r| self.body.expr(r).kind) {
                Some(ExprKind::Call(before)) => at = before,
                _ => return false,
            }
        }
    }

    /// Why nobody knows what a call runs; nothing where it can hardly be code under test.
    fn why(&self, call: CallId) -> Option<String> {
        let Callee::Method { name, .. } = self.body.calls[call.ix()].callee else {
            return None;
        };
        if begins_with_a_check(self.body.name(name)) {
            return None;
        }
        let own = self.body.calls[call.ix()].expr;
        let library = self.resolved.library_method(own);
        let class = library.map(|m| self.program.type_name(self.program.method_owner(m)));
        match (self.resolved.calls.get(call.ix())?, class) {
            (CallTarget::Workspace(_), _) => None,
            (CallTarget::Library, Some(class)) => {
                let class = class.as_str();
                let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
                if is_reflection(class) {
                    return Some(format!("{simple} looks up by name what it runs"));
                }
                let is_own = class.starts_with("java.") || class.starts_with("javax.");
                let may = !is_own && !frameworks::is_of_tests(class) && self.hands_on(call);
                may.then(|| format!("{simple} is a library's, and what it runs is not known"))
            }
            (CallTarget::Library | CallTarget::Unknown, _) => self.hands_on(call).then(|| {
                "which method it is is not known: its class is not on the class path".to_owned()
            }),
        }
    }

    /// True for a call that is given something of the project, or is made on what somebody put into a field.
    fn hands_on(&self, call: CallId) -> bool {
        let mut at = call;
        loop {
            let own = &self.body.calls[at.ix()];
            let given = self.body.list(own.args).iter();
            if given.copied().any(|a| self.is_of_project(a)) {
                return true;
            }
            match own.callee {
                Callee::Method {
                    receiver: Some(r), ..
                } => match self.body.expr(r).kind {
                    ExprKind::Call(before) => at = before,
                    _ => return self.is_put_in(r),
                },
                _ => return false,
            }
        }
    }

    /// True for an object or a class of the project.
    fn is_of_project(&self, e: ExprId) -> bool {
        match self.body.expr(e).kind {
            ExprKind::ClassLiteral(_) => true,
            _ => self.program.class_of(self.resolved.ty(e)).is_some(),
        }
    }

    /// True for a field that nobody gives a value in sight: a container does.
    fn is_put_in(&self, e: ExprId) -> bool {
        let Some(program::NameTarget::Field(field)) = self.resolved.name(e) else {
            return false;
        };
        let decl = self.program.field_decl(field);
        decl.is_some_and(oracle::mocks::is_put_in)
    }
}

/// Classes that run what they find by its name.
fn is_reflection(class: &str) -> bool {
    class.starts_with("java.lang.reflect.") && class.ends_with("Method")
        || class == "java.util.ServiceLoader"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::analysis;
    use testkit::Fixture;

    const CODE: &str = "//- /src/main/java/a/Order.java
package a;
public class Order { int total() { return 1; } }
//- /src/test/java/a/OrderTest.java
package a;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.*;
import static org.mockito.Mockito.*;
class OrderTest {
    @Autowired Publisher publisher;
    @Mock Sender sender;
    Mapper mapper = Mappers.plain();
";

    /// The calls that hide what a test runs, and why.
    fn hidden(body: &str) -> Vec<String> {
        let text = format!("{CODE}    @Test void t() {{ {body} }}\n}}\n");
        let analysis = analysis(&Fixture::parse(&text));
        let suite = analysis.workspace().suite();
        let run = analysis.workspace().own_run(suite.tests()[0]);
        let program = analysis.program();
        let named = |h: Hiding| {
            let body = &program.body(h.body).expect("a body").body;
            match body.calls[h.call.ix()].callee {
                Callee::Method { name, .. } => body.name(name).to_string(),
                _ => String::new(),
            }
        };
        let all = hiding(&analysis, run).unwrap_or_default();
        all.into_iter().map(named).collect()
    }

    #[test]
    fn calls_that_are_given_something_of_the_project_may_hide_its_code() {
        let table: &[(&str, &[&str])] = &[
            ("mapper.read(text, Order.class);", &["read"]),
            ("Order o = null; mapper.with(1).write(o);", &["write"]),
            (
                "publisher.publish(\"x\"); assertTrue(done());",
                &["publish"],
            ),
            // Nothing of it is near.
            ("mapper.read(text);", &[]),
            (
                "String s = String.join(\",\", \"a\"); assertEquals(\"a\", s);",
                &[],
            ),
            // Expected, asserted, stubbed, verified.
            ("assertEquals(Order.class, kind);", &[]),
            ("when(sender.send(Order.class)).thenReturn(1);", &[]),
            ("verify(sender).send(Order.class);", &[]),
            // What runs is known.
            ("new Order().total(); mapper.read(text, Order.class);", &[]),
        ];
        for (body, expected) in table {
            assert_eq!(hidden(body), *expected, "{body}");
        }
    }
}
