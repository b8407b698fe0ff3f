//! Which argument of an assertion is the actual one, by the class that declares it.
#![allow(clippy::unwrap_used)]

use oracle::{Reader, assertions};
use program::{FileInput, Program, SourceSetId, SourceSetInput};
use std::sync::Arc;

/// What the one assertion of a test reads; `before` stands before the class, `of` behind its name.
fn reads_in(before: &str, of: &str, assertion: &str) -> Vec<String> {
    let text = format!(
        "package p; {before}\nclass ATest {of} {{ int made() {{ return 1; }} \
         public void testIt() {{ int x = made(); int y = made(); {assertion}; }} }}"
    );
    let set = SourceSetInput {
        is_test: true,
        visible: vec![],
    };
    let file = FileInput {
        path: Arc::from("ATest.java"),
        source_set: SourceSetId(0),
        text: Arc::from(&*text),
    };
    let program = Program::build(vec![set], vec![file]);
    let asserts = |id: &_| !assertions(&program.body(*id).unwrap().body, &[]).is_empty();
    let id = program.bodies().find(asserts).unwrap();
    let reader = Reader::new(&program, id).unwrap();
    let assertion = &assertions(reader.body, &[])[0];
    let reading = reader.reading(assertion);
    reading.paths.iter().map(|p| p.1.text.to_string()).collect()
}

fn reads(imports: &str, assertion: &str) -> Vec<String> {
    reads_in(imports, "", assertion)
}

const JUNIT4: &str = "import org.junit.Test; import static org.junit.Assert.*;";
const JUPITER: &str =
    "import org.junit.jupiter.api.Test; import static org.junit.jupiter.api.Assertions.*;";
const TESTNG: &str = "import org.testng.annotations.Test; import static org.testng.Assert.*;";

#[test]
fn messages_and_expected_values_stand_where_the_framework_has_them() {
    assert_eq!(reads(JUNIT4, r#"assertEquals("why", x, y)"#), ["y"]);
    assert_eq!(reads(JUNIT4, "assertEquals(x, y)"), ["y"]);
    assert_eq!(reads(JUNIT4, r#"assertTrue("why", x > 0)"#), ["x"]);
    assert_eq!(reads(JUPITER, r#"assertEquals(x, y, "why")"#), ["y"]);
    assert_eq!(reads(JUPITER, r#"assertTrue(x > 0, "why" + y)"#), ["x"]);
    assert_eq!(reads(TESTNG, "assertEquals(x, y)"), ["x"]);
    assert_eq!(reads(TESTNG, r#"assertEquals(x, y, "why")"#), ["x"]);
    assert_eq!(reads(TESTNG, r#"assertEquals(x, 3, "why")"#), ["x"]);
    let inherited = reads_in(
        "import junit.framework.TestCase;",
        "extends TestCase",
        r#"assertEquals("why", x, y)"#,
    );
    assert_eq!(inherited, ["y"]);
}

#[test]
fn the_class_is_the_one_that_is_named() {
    // Tests of Jupiter that kept their assertions.
    let kept = "import org.junit.jupiter.api.Test; import org.junit.Assert;";
    assert_eq!(reads(kept, r#"Assert.assertEquals("why", x, y)"#), ["y"]);
    let kept = "import org.junit.jupiter.api.Test; import static org.junit.Assert.assertEquals;";
    assert_eq!(reads(kept, r#"assertEquals("why", x, y)"#), ["y"]);
    let whole = "import org.junit.Test;";
    let assertion = r#"org.junit.jupiter.api.Assertions.assertEquals(x, y, "why")"#;
    assert_eq!(reads(whole, assertion), ["y"]);
    let from_junit = "import org.testng.annotations.Test; import static org.testng.AssertJUnit.*;";
    assert_eq!(reads(from_junit, r#"assertEquals("why", x, y)"#), ["y"]);
}

#[test]
fn words_in_a_file_say_nothing() {
    let comment = format!("// Not of org.junit.jupiter yet.\n{JUNIT4}");
    assert_eq!(reads(&comment, r#"assertEquals("why", x, y)"#), ["y"]);
    assert_eq!(reads(&comment, r#"assertTrue("why", x > 0)"#), ["x"]);
    let assertion = r#"assertEquals("org.junit.jupiter", x, y)"#;
    assert_eq!(reads(JUNIT4, assertion), ["y"]);
}

#[test]
fn what_a_project_calls_an_assertion_itself_is_read_as_its_framework_has_it() {
    let own = "import org.junit.jupiter.api.Test; import static q.Checks.assertEquals;";
    assert_eq!(reads(own, r#"assertEquals(x, y, "why")"#), ["y"]);
    let own = "import org.junit.Test; import static q.Checks.assertEquals;";
    assert_eq!(reads(own, r#"assertEquals("why", x, y)"#), ["y"]);
}
