//! `telltale record` and `telltale suspects` where EvoSuite's own classes are not on the class path: its tests run without them.

use crate::record::cannot_record;
use crate::schemas::{meets, schema};
use crate::support::{Project, telltale};
use serde_json::{Value, json};

const GENERATED: &str = "src/test/java/algebra/Complex_ESTest.java";
const SCAFFOLDING: &str = "src/test/java/algebra/Complex_ESTest_scaffolding.java";
const STALE: &str = "src/test/java/algebra/Old_ESTest.java";

const HEAD: &str = "import org.evosuite.runtime.EvoRunner;
import org.evosuite.runtime.EvoRunnerParameters;
import org.evosuite.runtime.mock.java.io.MockFile;
import static org.evosuite.runtime.EvoAssertions.*;
import org.junit.runner.RunWith;
import org.junit.Test;

@RunWith(EvoRunner.class) @EvoRunnerParameters(mockJVMNonDeterminism = true, useVFS = true)
public class ";

const MORE: &str = "
    @Test(timeout = 4000)
    public void test90() throws Throwable {
        Complex complex0 = new Complex(1, 2);
        try {
            complex0.add((Complex) null);
            org.junit.Assert.fail(\"Expecting exception: NullPointerException\");
        } catch (NullPointerException e) {
            verifyException(\"algebra.Complex\", e);
        }
    }

    @Test(timeout = 4000)
    public void test91() throws Throwable {
        MockFile mockFile0 = new MockFile(\"x\");
        assertTrue(mockFile0.exists());
    }
}
";

/// The small project with the wrong assertion, as EvoSuite writes such tests.
fn project() -> Project {
    let project = Project::of("suspects");
    let read = |path: &str| std::fs::read_to_string(project.path().join(path)).expect("its text");
    let dependency = |group: &str, artifact: &str, version: &str| {
        format!(
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version><scope>test</scope></dependency>\n  "
        )
    };
    let more = dependency("junit", "junit", "4.13.2")
        + &dependency("org.junit.vintage", "junit-vintage-engine", "5.13.4");
    let pom = read("pom.xml").replacen("</dependencies>", &(more + "</dependencies>"), 1);
    project.write("pom.xml", pom.as_bytes());
    let suite = read(GENERATED)
        .replace("org.junit.jupiter.api.Assertions.", "org.junit.Assert.")
        .replace("import org.junit.jupiter.api.Test;\n\nclass ", HEAD)
        .replace(
            "Complex_ESTest {",
            "Complex_ESTest extends Complex_ESTest_scaffolding {",
        )
        .replace("    void test", "    public void test");
    let suite = suite
        .trim_end()
        .strip_suffix('}')
        .expect("a class")
        .to_owned()
        + MORE;
    assert!(suite.contains(HEAD) && suite.contains("extends"), "{suite}");
    project.write(GENERATED, suite.as_bytes());
    let scaffolding = "package algebra;\npublic class Complex_ESTest_scaffolding {\n    @org.junit.Rule public org.evosuite.runtime.vnet.NonFunctionalRequirementRule nfr = null;\n}\n";
    project.write(SCAFFOLDING, scaffolding.as_bytes());
    // Generated for other code: without EvoSuite it does not compile either.
    let stale = format!(
        "package algebra;\n{HEAD}Old_ESTest {{\n    @Test public void test0() {{ new Complex(1, 2).gone(); }}\n}}\n"
    );
    project.write(STALE, stale.as_bytes());
    project
}

#[test]
fn tests_of_evosuite_run_without_its_classes() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    let answer = telltale(root, &["record", "-q", "--format", "json"]).json();
    meets(&schema("record"), &answer, "record");
    let notes = answer["notes"].as_array().expect("notes");
    let said = "1 file of EvoSuite ran as plain JUnit, since EvoSuite's own classes are not on the class path; 1 test needs them and was left out.";
    let is_said = |note: &&Value| **note == said;
    assert_eq!(notes.iter().filter(is_said).count(), 1, "{answer:#}");
    let why = "line 11 does not compile: cannot find symbol: method gone()";
    let left = json!([{ "path": STALE, "why": why }]);
    assert_eq!(answer["left_out"], left, "{answer:#}");
    assert_eq!(answer["run"]["failed"], 0, "{answer:#}");

    let text = std::fs::read_to_string(root.join(GENERATED)).expect("its text");
    let test = text.find("// The one that is wrong").expect("it is marked");
    let at = test + text[test..].find("assertFalse").expect("an assertion");
    let answer = project.run(&["suspects", "-q", "--format", "json"]).json();
    meets(&schema("suspects"), &answer, "suspects");
    let class = &answer["classes"][0];
    // All 15 of the small project and the one that expects an exception; not the one with a file, nor the one of other code.
    let counts = ["generated_tests", "failed_tests", "unknown_tests"];
    let counts = counts.map(|name| class[name].as_u64());
    assert_eq!(counts, [Some(16), Some(0), Some(2)], "{answer:#}");
    let first = &class["suspects"][0];
    assert_eq!(
        (&first["path"], &first["line"]),
        (&json!(GENERATED), &json!(text[..at].lines().count())),
        "{first:#}"
    );
    assert_eq!(
        std::fs::read_to_string(root.join(GENERATED)).ok(),
        Some(text)
    );
}
