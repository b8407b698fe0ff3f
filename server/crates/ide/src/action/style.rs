//! How the tests of a file assert: the framework, the form, and what stands before an assertion's name.

use super::{Expected, Statement};
use crate::offers::Readable;
use observe::assertions::is_assertion;
use program::{FileId, Program};

/// See the module's description.
#[derive(Clone, Debug)]
pub(super) struct Style<'a> {
    framework: Framework,
    /// `assertThat(actual).isEqualTo(expected)` rather than `assertEquals(expected, actual)`.
    fluent: bool,
    /// Most assertions name their class.
    by_class: bool,
    /// The names of assertions that stand without their class.
    unqualified: Vec<&'a str>,
    text: &'a str,
}

/// Whose `assertEquals` it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framework {
    JUnit3,
    JUnit4,
    Jupiter,
    TestNg,
}

impl<'a> Style<'a> {
    /// The style of a file.
    pub(super) fn of(program: &'a Program, file: FileId, text: &'a str) -> Style<'a> {
        let (mut equals, mut that, mut qualified) = (0, 0, 0);
        let mut unqualified = Vec::new();
        for &id in program.bodies_of_file(file) {
            let Some(decl) = program.body(id) else {
                continue;
            };
            for (at, call) in decl.body.calls.iter().enumerate() {
                let flow::Callee::Method { receiver, name } = call.callee else {
                    continue;
                };
                if !is_assertion(&decl.body, flow::CallId(at as u32), &[]) {
                    continue;
                }
                let name: &str = decl.body.name(name);
                *(if name == "assertThat" {
                    &mut that
                } else {
                    &mut equals
                }) += 1;
                match receiver {
                    Some(_) => qualified += 1,
                    None => unqualified.push(name),
                }
            }
        }
        let framework = if text.contains("org.junit.jupiter") {
            Framework::Jupiter
        } else if text.contains("org.testng") && !text.contains("org.testng.AssertJUnit") {
            Framework::TestNg
        } else if text.contains("junit.framework") {
            Framework::JUnit3
        } else {
            Framework::JUnit4
        };
        Style {
            framework,
            fluent: that > equals
                && (text.contains("org.assertj") || text.contains("com.google.common.truth")),
            by_class: qualified * 2 > equals + that,
            unqualified,
            text,
        }
    }

    /// The assertion that a value is as expected.
    pub(super) fn statement(&self, value: &Readable, expected: &Expected) -> Statement {
        let (actual, ty) = (value.expression.as_str(), value.ty.as_str());
        if self.fluent {
            let call = self.named("assertThat");
            return around(&format!("{call}({actual}).isEqualTo("), expected, ")");
        }
        if let Some(element) = ty.strip_suffix("[]") {
            // JUnit 4 compares numbers with a fraction under a tolerance alone.
            let tolerance = match (self.framework, element) {
                (Framework::JUnit4, "double") => ", 0.0",
                (Framework::JUnit4, "float") => ", 0.0f",
                _ => "",
            };
            return match self.framework {
                Framework::Jupiter | Framework::JUnit4 => around(
                    &format!("{}(", self.named("assertArrayEquals")),
                    expected,
                    &format!(", {actual}{tolerance})"),
                ),
                Framework::TestNg => around(
                    &format!("{}({actual}, ", self.named("assertEquals")),
                    expected,
                    ")",
                ),
                Framework::JUnit3 => around(
                    &format!("{}(java.util.Arrays.equals(", self.named("assertTrue")),
                    expected,
                    &format!(", {actual}))"),
                ),
            };
        }
        let call = self.named("assertEquals");
        // Jupiter refuses a tolerance of 0, the others compare such numbers with a tolerance alone.
        let tolerance = match (self.framework, ty) {
            (Framework::Jupiter, _) => "",
            (_, "double" | "float") => ", 0.0",
            _ => "",
        };
        match self.framework {
            // What is expected stands behind.
            Framework::TestNg => around(
                &format!("{call}({actual}, "),
                expected,
                &format!("{tolerance})"),
            ),
            _ => around(
                &format!("{call}("),
                expected,
                &format!(", {actual}{tolerance})"),
            ),
        }
    }

    /// The class that has the assertions.
    fn class(&self) -> &'static str {
        match self.framework {
            _ if self.fluent && self.text.contains("com.google.common.truth") => {
                "com.google.common.truth.Truth"
            }
            _ if self.fluent => "org.assertj.core.api.Assertions",
            Framework::Jupiter => "org.junit.jupiter.api.Assertions",
            Framework::TestNg => "org.testng.Assert",
            Framework::JUnit3 => "junit.framework.Assert",
            Framework::JUnit4 => "org.junit.Assert",
        }
    }

    /// An assertion's name with what has to stand before it in this file, in the habit of the file.
    fn named(&self, name: &str) -> String {
        let full = self.class();
        let (package, class) = full.rsplit_once('.').unwrap_or(("", full));
        if self.by_class {
            return format!("{class}.{name}");
        }
        let imports = |what: &str| self.text.contains(&format!("import {what};"));
        // Tests of JUnit 3 inherit them.
        if self.framework == Framework::JUnit3
            || self.unqualified.contains(&name)
            || imports(&format!("static {full}.{name}"))
            || imports(&format!("static {full}.*"))
        {
            return name.to_owned();
        }
        match imports(full) || imports(&format!("{package}.*")) {
            true => format!("{class}.{name}"),
            false => format!("{full}.{name}"),
        }
    }
}

fn around(before: &str, expected: &Expected, after: &str) -> Statement {
    Statement {
        before: format!("{before}{}", expected.before),
        filled: expected.filled.clone(),
        after: format!("{}{after}", expected.after),
    }
}
