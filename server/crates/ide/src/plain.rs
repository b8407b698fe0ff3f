//! Tests of EvoSuite as somebody has them who has no EvoSuite: plain JUnit.
//!
//! The runner, the scaffolding around the class and what checks where an exception was thrown go; a test that stands on what
//! EvoSuite's runtime replaces (files, time, chance, mocks) goes whole. What goes becomes blank, so that all else keeps its
//! place: what runs tells of the lines that the editor shows. No other tool's tests need classes of it to run.

use oracle::frameworks::{EVOSUITE, any, marks_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use syntax::{Field, Kind, NodeId, Nodes, SourceFile};
use text::Span;

/// A file of tests without EvoSuite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plain {
    /// As long as the original, and what is left stands where it stood.
    pub text: String,
    /// How many tests the original has; none in scaffolding, of which nothing is worth to be compiled.
    pub tests: usize,
    /// Tests that went, by name, with what they need.
    pub gone: BTreeMap<String, String>,
}

/// Takes EvoSuite out of a file; nothing if there is nothing of it.
pub fn plain(text: &str) -> Option<Plain> {
    if !text.contains(EVOSUITE.package) {
        return None;
    }
    let source = SourceFile::parse(Arc::from(text));
    let nodes = source.nodes();
    let replaced = replaced(&nodes);
    let mut out = Plain {
        text: String::new(),
        tests: 0,
        gone: BTreeMap::new(),
    };
    let mut blank: Vec<Span> = Vec::new();
    for n in all(&nodes) {
        match nodes.kind(n) {
            Kind::ImportDeclaration => {
                let is_own = |path: &str| EVOSUITE.has(path) || runs_with(path);
                let goes = imported(nodes.text(n)).is_some_and(is_own);
                blank.extend(goes.then(|| nodes.span(n)));
            }
            Kind::Superclass if nodes.text(n).ends_with(EVOSUITE.scaffolding) => {
                blank.push(nodes.span(n))
            }
            Kind::ExpressionStatement if is_verified(&nodes, n) => blank.push(nodes.span(n)),
            Kind::ClassDeclaration => {
                let own = annotations(&nodes, n);
                let own = own.filter(|(_, name)| EVOSUITE.annotations.contains(name));
                blank.extend(own.map(|(annotation, _)| nodes.span(annotation)));
            }
            Kind::MethodDeclaration
                if annotations(&nodes, n).any(|(_, name)| marks_tests(name)) =>
            {
                out.tests += 1;
                if let Some(needed) = needed(&nodes, n, &replaced) {
                    let name = nodes
                        .child(n, Field::Name)
                        .map_or("", |name| nodes.text(name));
                    out.gone.insert(name.to_owned(), format!("needs {needed}"));
                    blank.push(nodes.span(n));
                }
            }
            _ => {}
        }
    }
    out.text = blanked(text, blank);
    Some(out)
}

/// Names of what EvoSuite's runtime puts in the place of the JDK's or of the project's.
fn replaced<'t>(nodes: &Nodes<'t>) -> BTreeSet<&'t str> {
    let imports = all(nodes).filter(|n| nodes.kind(*n) == Kind::ImportDeclaration);
    imports
        .filter_map(|n| imported(nodes.text(n)))
        .filter(|path| EVOSUITE.has(path))
        .filter_map(|path| path.rsplit('.').next())
        .filter(|name| *name != "*" && !EVOSUITE.is_around(name))
        .collect()
}

/// What of EvoSuite a test cannot run without.
fn needed<'t>(nodes: &Nodes<'t>, test: NodeId, replaced: &BTreeSet<&'t str>) -> Option<&'t str> {
    let is_name = |n: &NodeId| matches!(nodes.kind(*n), Kind::Identifier | Kind::TypeIdentifier);
    let below = (test.0 + 1..nodes.close(test)).map(NodeId);
    let mut names = below.filter(is_name).map(|n| nodes.text(n));
    let own = names.find(|name| replaced.contains(name));
    let package = EVOSUITE.package;
    own.or_else(|| nodes.text(test).contains(package).then_some(package))
}

/// True for the annotation that names what runs a class.
fn runs_with(path: &str) -> bool {
    let last = path.rsplit_once('.').map(|(_, last)| last);
    last.is_some_and(|name| any(name, |row| row.runs_with))
}

/// `a.b.C` of `import static a.b.C;`
fn imported(text: &str) -> Option<&str> {
    let path = text.strip_prefix("import")?.trim().trim_end_matches(';');
    Some(path.strip_prefix("static ").unwrap_or(path).trim())
}

fn is_verified(nodes: &Nodes<'_>, statement: NodeId) -> bool {
    let call = nodes.child_of(statement, Kind::MethodInvocation);
    let name = call.and_then(|call| nodes.child(call, Field::Name));
    name.is_some_and(|name| nodes.text(name) == EVOSUITE.check)
}

/// The annotations of a declaration, with the last part of their names.
fn annotations<'n>(
    nodes: &'n Nodes<'_>,
    declaration: NodeId,
) -> impl Iterator<Item = (NodeId, &'n str)> {
    let modifiers = nodes.child_of(declaration, Kind::Modifiers);
    let all = modifiers.into_iter().flat_map(|m| nodes.children(m));
    all.filter(|n| matches!(nodes.kind(*n), Kind::Annotation | Kind::MarkerAnnotation))
        .filter_map(|n| {
            let name = nodes.text(nodes.child(n, Field::Name)?);
            Some((n, name.rsplit('.').next().unwrap_or(name)))
        })
}

fn all(nodes: &Nodes<'_>) -> impl Iterator<Item = NodeId> {
    (0..nodes.len() as u32).map(NodeId)
}

/// The text with blanks for these spans; lines stay, and so do offsets.
fn blanked(text: &str, mut spans: Vec<Span>) -> String {
    spans.sort_unstable_by_key(|s| (s.start, s.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans {
        // One may stand in another.
        let (start, end) = ((span.start as usize).max(at), (span.end as usize).max(at));
        let (Some(kept), Some(gone)) = (text.get(at..start), text.get(start..end)) else {
            continue;
        };
        out.push_str(kept);
        for c in gone.chars() {
            match c {
                '\n' | '\r' => out.push(c),
                _ => out.extend(std::iter::repeat_n(' ', c.len_utf8())),
            }
        }
        at = end;
    }
    out + text.get(at..).unwrap_or("")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const SUITE: &str = r#"/*
 * This file was automatically generated by EvoSuite
 */
package a;

import org.junit.Test;
import static org.junit.Assert.*;
import static org.evosuite.runtime.EvoAssertions.*;
import org.evosuite.runtime.EvoRunner;
import org.evosuite.runtime.EvoRunnerParameters;
import org.evosuite.runtime.System;
import org.evosuite.runtime.mock.java.io.MockFile;
import org.junit.runner.RunWith;

@RunWith(EvoRunner.class) @EvoRunnerParameters(useVFS = true)
public class B_ESTest extends B_ESTest_scaffolding {

  @Test(timeout = 4000)
  public void test0()  throws Throwable  {
      B b0 = new B("ö");
      try {
        b0.run(null);
        fail("Expecting exception: NullPointerException");
      } catch(NullPointerException e) {
         verifyException("a.öB", e);
      }
      assertEquals("System", b0.name());
  }

  @Test
  public void test1()  throws Throwable  {
      MockFile mockFile0 = new MockFile("x");
      try { mockFile0.x(); } catch(NullPointerException e) { verifyException("a.B", e); }
  }

  @Test
  public void test2()  throws Throwable  {
      System.setCurrentTimeMillis(3L);
  }

  @Test
  public void test3()  throws Throwable  {
      org.evosuite.runtime.Runtime.getInstance();
  }
}
"#;

    #[test]
    fn what_is_left_is_plain_junit_and_stands_where_it_stood() {
        let plain = plain(SUITE).unwrap();
        let gone: Vec<(&str, &str)> = plain
            .gone
            .iter()
            .map(|(test, why)| (test.as_str(), why.as_str()))
            .collect();
        let expected = [
            ("test1", "needs MockFile"),
            ("test2", "needs System"),
            ("test3", "needs org.evosuite"),
        ];
        assert_eq!((plain.tests, &gone[..]), (4, &expected[..]));
        assert!(!plain.text.contains("evosuite"), "{}", plain.text);
        assert_eq!(plain.text.len(), SUITE.len());
        let parts = [
            "B b0 = new B(",
            "public class B_ESTest",
            "assertEquals(\"System\"",
        ];
        for part in parts {
            assert_eq!(plain.text.find(part), SUITE.find(part), "{part}");
        }
        let words: Vec<&str> = plain.text.split_whitespace().collect();
        let words = words.join(" ");
        let end = r#"public class B_ESTest { @Test(timeout = 4000) public void test0() throws Throwable { B b0 = new B("ö"); try { b0.run(null); fail("Expecting exception: NullPointerException"); } catch(NullPointerException e) { } assertEquals("System", b0.name()); } }"#;
        assert!(words.ends_with(end), "{words}");
        let imports = "package a; import org.junit.Test; import static org.junit.Assert.*; public";
        assert!(words.contains(imports), "{words}");
    }

    #[test]
    fn what_is_not_of_evosuite_is_left_alone() {
        let own = "import org.junit.Test; class ATest extends Base { @Test void t() { } }";
        assert_eq!(plain(own), None);
        let scaffolding = "import org.evosuite.runtime.sandbox.Sandbox; public class B_ESTest_scaffolding { Sandbox s; }";
        assert_eq!(plain(scaffolding).unwrap().tests, 0);
    }
}
