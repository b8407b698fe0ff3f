//! What is inserted: the form that a person of that project would write, and the imports that it needs.
//!
//! Each assertion here was compiled against the library that it is of.

use super::{ACCOUNT, actions_at_cursor};

/// The test's file after its first action, in a file with these imports and these other members.
#[track_caller]
fn inserted(ty: &str, imports: &str, members: &str) -> Option<String> {
    let found = actions_at_cursor(&format!(
        "//- /src/main/java/own/Duration.java
package own;
public class Duration {{ }}
//- /src/main/java/own/Color.java
package own;
public enum Color {{ RED }}
//- /src/main/java/own/Box.java
package own;
public class Box {{
    private {ty} value;
    private int times;
    public void fill({ty} it) {{ times++; value = times > 1 ? value : it; }}
    public {ty} value() {{ return value; }}
}}
//- /src/test/java/own/BoxTest.java
package own;

{imports}class BoxTest {{
    {members}
    @Test void fi$0lls() {{
        Box box = new Box();
        box.fill(made());
    }}
    static {ty} made() {{ return null; }}
}}
"
    ));
    let (title, after) = found.into_iter().next()?;
    assert_eq!(title, "Assert box.value()", "{ty}");
    after
}

const JUPITER: &str = "import static org.junit.jupiter.api.Assertions.assertEquals;\n";
const JUNIT4: &str = "import static org.junit.Assert.*;\n";
const TESTNG: &str = "import static org.testng.Assert.*;\n";
const ASSERTJ: &str = "import static org.assertj.core.api.Assertions.*;\n";
const BDD: &str = "import static org.assertj.core.api.BDDAssertions.then;\n";
const TRUTH: &str = "import static com.google.common.truth.Truth.assertThat;\n";
const HAMCREST: &str = "import static org.hamcrest.MatcherAssert.assertThat;\nimport static org.hamcrest.Matchers.*;\n";

const EQUALS: &str = "@Test void other() { assertEquals(1, 1); }";
const THAT: &str = "@Test void other() { assertThat(1).isEqualTo(1); }";
const THEN: &str = "@Test void other() { then(1).isEqualTo(1); }";
const THAT_IS: &str = "@Test void other() { assertThat(1, is(1)); }";

#[test]
fn each_form_has_its_words_for_each_kind_of_value() {
    for (imports, other, forms) in [
        (
            JUPITER,
            EQUALS,
            &[
                ("int", "assertEquals(Integer.MIN_VALUE, box.value());"),
                ("long", "assertEquals(Long.MIN_VALUE, box.value());"),
                ("double", "assertEquals(Double.MIN_VALUE, box.value());"),
                ("char", "assertEquals(Character.MIN_VALUE, box.value());"),
                ("Integer", "assertEquals(Integer.MIN_VALUE, box.value());"),
                ("boolean", "assertTrue(box.value());"),
                (
                    "String",
                    "assertEquals(\"what should it be?\", box.value());",
                ),
                (
                    "double[]",
                    "assertArrayEquals(new double[] {Double.MIN_VALUE}, box.value());",
                ),
                ("Color[]", "assertEquals(-1, box.value().length);"),
                (
                    "java.util.List<String>",
                    "assertEquals(Arrays.asList(\"what should it be?\"), box.value());",
                ),
                (
                    "java.util.List<Color>",
                    "assertEquals(-1, box.value().size());",
                ),
                (
                    "java.util.Optional<String>",
                    "assertEquals(Optional.of(\"what should it be?\"), box.value());",
                ),
                (
                    "java.util.Optional<Color>",
                    "assertEquals(Optional.empty(), box.value());",
                ),
                (
                    "Iterable<String>",
                    "assertIterableEquals(Arrays.asList(\"what should it be?\"), box.value());",
                ),
                (
                    "java.math.BigDecimal",
                    "assertEquals(new BigDecimal(Integer.MIN_VALUE), box.value());",
                ),
                (
                    "java.time.LocalDate",
                    "assertEquals(LocalDate.MIN, box.value());",
                ),
                (
                    "Color",
                    "assertEquals(Color.valueOf(\"what should it be?\"), box.value());",
                ),
                // No short expression makes one; of two classes that go by the name it is this project's own.
                ("java.util.Locale", "assertNull(box.value());"),
                ("Duration", "assertNull(box.value());"),
            ][..],
        ),
        (
            JUNIT4,
            EQUALS,
            &[
                (
                    "Integer",
                    "assertEquals(Integer.valueOf(Integer.MIN_VALUE), box.value());",
                ),
                ("short", "assertEquals(Integer.MIN_VALUE, box.value());"),
                (
                    "double",
                    "assertEquals(Double.MIN_VALUE, box.value(), 0.0);",
                ),
                ("float", "assertEquals(Float.MIN_VALUE, box.value(), 0.0f);"),
                (
                    "float[]",
                    "assertArrayEquals(new float[] {Float.MIN_VALUE}, box.value(), 0.0f);",
                ),
                (
                    "java.util.Map<String, Long>",
                    "assertEquals(Collections.singletonMap(\"what should it be?\", Long.MIN_VALUE), box.value());",
                ),
                (
                    "java.util.Set<Integer>",
                    "assertEquals(Collections.singleton(Integer.MIN_VALUE), box.value());",
                ),
                ("Iterable<String>", "assertNull(box.value());"),
            ],
        ),
        (
            TESTNG,
            EQUALS,
            &[
                ("int", "assertEquals(box.value(), Integer.MIN_VALUE);"),
                ("boolean", "assertTrue(box.value());"),
                (
                    "double",
                    "assertEquals(box.value(), Double.MIN_VALUE, 0.0);",
                ),
                (
                    "int[]",
                    "assertEquals(box.value(), new int[] {Integer.MIN_VALUE});",
                ),
                (
                    "java.util.List<Color>",
                    "assertEquals(box.value().size(), -1);",
                ),
                ("Duration", "assertNull(box.value());"),
            ],
        ),
        (
            ASSERTJ,
            THAT,
            &[
                (
                    "int",
                    "assertThat(box.value()).isEqualTo(Integer.MIN_VALUE);",
                ),
                (
                    "short",
                    "assertThat(box.value()).isEqualTo(Short.MIN_VALUE);",
                ),
                ("Boolean", "assertThat(box.value()).isTrue();"),
                (
                    "byte[]",
                    "assertThat(box.value()).containsExactly(Byte.MIN_VALUE);",
                ),
                ("int[][]", "assertThat(box.value().length).isEqualTo(-1);"),
                (
                    "java.util.List<String>",
                    "assertThat(box.value()).containsExactly(\"what should it be?\");",
                ),
                (
                    "java.util.Set<Long>",
                    "assertThat(box.value()).containsExactlyInAnyOrder(Long.MIN_VALUE);",
                ),
                (
                    "java.util.List<Color>",
                    "assertThat(box.value()).hasSize(-1);",
                ),
                (
                    "java.util.Map<String, Boolean>",
                    "assertThat(box.value()).containsOnly(entry(\"what should it be?\", true));",
                ),
                (
                    "java.util.Optional<String>",
                    "assertThat(box.value()).contains(\"what should it be?\");",
                ),
                (
                    "java.util.Optional<Color>",
                    "assertThat(box.value()).isEmpty();",
                ),
                (
                    "Color",
                    "assertThat(box.value()).isEqualTo(Color.valueOf(\"what should it be?\"));",
                ),
                (
                    "java.time.ZonedDateTime",
                    "assertThat(box.value()).isNull();",
                ),
            ],
        ),
        (
            BDD,
            THEN,
            &[
                ("boolean", "then(box.value()).isTrue();"),
                (
                    "String",
                    "then(box.value()).isEqualTo(\"what should it be?\");",
                ),
            ],
        ),
        (
            TRUTH,
            THAT,
            &[
                ("boolean", "assertThat(box.value()).isTrue();"),
                ("long", "assertThat(box.value()).isEqualTo(Long.MIN_VALUE);"),
                (
                    "int[]",
                    "assertThat(box.value()).isEqualTo(new int[] {Integer.MIN_VALUE});",
                ),
                (
                    "java.util.Set<String>",
                    "assertThat(box.value()).containsExactly(\"what should it be?\");",
                ),
                (
                    "java.util.Map<String, Integer>",
                    "assertThat(box.value()).containsExactly(\"what should it be?\", Integer.MIN_VALUE);",
                ),
                (
                    "java.util.Optional<Color>",
                    "assertThat(box.value()).isEqualTo(Optional.empty());",
                ),
                ("Duration", "assertThat(box.value()).isNull();"),
            ],
        ),
        (
            HAMCREST,
            THAT_IS,
            &[
                ("boolean", "assertThat(box.value(), is(true));"),
                ("short", "assertThat(box.value(), is(Short.MIN_VALUE));"),
                (
                    "String",
                    "assertThat(box.value(), is(\"what should it be?\"));",
                ),
                (
                    "java.util.List<String>",
                    "assertThat(box.value(), contains(\"what should it be?\"));",
                ),
                (
                    "java.util.List<Color>",
                    "assertThat(box.value().size(), is(-1));",
                ),
                ("Duration", "assertThat(box.value(), is(nullValue()));"),
            ],
        ),
    ] {
        for (ty, expected) in forms {
            let after = inserted(ty, imports, other).expect("an edit");
            assert!(
                after.contains(&format!("        {expected}\n    }}\n")),
                "{expected}\n{after}"
            );
        }
    }
}

#[test]
fn sizes_have_words_of_their_own() {
    for (import, other, expected) in [
        (
            "org.assertj.core.api.Assertions.assertThat",
            THAT,
            "assertThat(names).hasSize(-1);",
        ),
        (
            "com.google.common.truth.Truth.assertThat",
            THAT,
            "assertThat(names).hasSize(-1);",
        ),
        (
            "org.junit.jupiter.api.Assertions.assertEquals",
            EQUALS,
            "assertEquals(-1, names.size());",
        ),
    ] {
        let found = actions_at_cursor(&format!(
            "//- /src/main/java/Names.java
import java.util.*;
class Names {{
    List<Object> of(int n) {{ List<Object> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(i * n); return all; }}
}}
//- /src/test/java/NamesTest.java
import static {import};
class NamesTest {{
    {other}
    @Test void ma$0kes() {{
        java.util.List<Object> names = new Names().of(3);
    }}
    @Test void more() {{
        java.util.List<Object> names = new Names().of(4);
        assertEquals(4, names.size());
    }}
}}
"
        ));
        let after: Vec<&String> = found.iter().filter_map(|f| f.1.as_ref()).collect();
        assert!(after.iter().any(|a| a.contains(expected)), "{after:?}");
    }
}

/// The imports of the test's file after its first action.
#[track_caller]
fn imports_after(ty: &str, imports: &str, members: &str) -> (String, String) {
    let after = inserted(ty, imports, members).expect("an edit");
    let (head, body) = after.split_once("class BoxTest").expect("the class");
    let statement = body.lines().find(|l| l.contains("box.value()"));
    let head = head.strip_prefix("package own;\n\n").expect("the package");
    (
        head.to_owned(),
        statement.expect("the statement").trim().to_owned(),
    )
}

#[test]
fn missing_imports_stand_among_their_like() {
    for (ty, imports, other, after) in [
        // Nothing is missing.
        ("int", JUPITER, EQUALS, JUPITER),
        ("boolean", JUNIT4, EQUALS, JUNIT4),
        // In their order.
        (
            "boolean",
            "import static org.junit.Assert.assertEquals;\nimport static org.junit.Assert.fail;\n\nimport org.junit.Test;\n",
            EQUALS,
            "import static org.junit.Assert.assertEquals;\nimport static org.junit.Assert.assertTrue;\nimport static org.junit.Assert.fail;\n\nimport org.junit.Test;\n",
        ),
        // Behind them; the others have their own blocks.
        (
            "java.util.Optional<String>",
            "import static org.junit.Assert.assertEquals;\n\nimport java.io.File;\nimport java.util.List;\n\nimport org.junit.Test;\n",
            EQUALS,
            "import static org.junit.Assert.assertEquals;\n\nimport java.io.File;\nimport java.util.List;\nimport java.util.Optional;\n\nimport org.junit.Test;\n",
        ),
        // The first of their kind.
        (
            "boolean",
            "import org.junit.Test;\n",
            "",
            "import static org.junit.Assert.assertTrue;\n\nimport org.junit.Test;\n",
        ),
        // By class.
        (
            "boolean",
            "import org.junit.Assert;\nimport org.junit.Test;\n",
            "@Test void other() { Assert.assertEquals(1, 1); }",
            "import org.junit.Assert;\nimport org.junit.Test;\n",
        ),
        // A whole package.
        (
            "java.util.Optional<String>",
            "import static org.junit.Assert.*;\nimport java.util.*;\n",
            EQUALS,
            "import static org.junit.Assert.*;\nimport java.util.*;\n",
        ),
    ] {
        let found = imports_after(ty, imports, other);
        assert_eq!(found.0, after, "{}", found.1);
        assert!(!found.1.contains("org.") && !found.1.contains("java."));
    }
}

#[test]
fn what_goes_by_a_name_already_is_not_imported() {
    for (imports, members, statement) in [
        // A method of the test's own.
        (
            "import org.junit.jupiter.api.Test;\n",
            "static void assertEquals(String a, int b) { }",
            "Assertions.assertEquals(Integer.MIN_VALUE, box.value());",
        ),
        // Another's method.
        (
            "import static com.acme.Checks.assertEquals;\nimport org.junit.jupiter.api.Test;\n",
            "",
            "Assertions.assertEquals(Integer.MIN_VALUE, box.value());",
        ),
        // Another's class, and a method of the test's own: its package is left.
        (
            "import com.acme.Assertions;\nimport org.junit.jupiter.api.Test;\n",
            "static void assertEquals(String a, int b) { }",
            "org.junit.jupiter.api.Assertions.assertEquals(Integer.MIN_VALUE, box.value());",
        ),
    ] {
        assert_eq!(imports_after("int", imports, members).1, statement);
    }
    let (head, statement) = imports_after(
        "java.util.Optional<String>",
        "import static org.junit.Assert.assertEquals;\nimport com.google.common.base.Optional;\n",
        EQUALS,
    );
    assert!(!head.contains("java.util"), "{head}");
    assert_eq!(
        statement,
        "assertEquals(java.util.Optional.of(\"what should it be?\"), box.value());"
    );
}

#[test]
fn a_file_that_imports_nothing_gets_its_first_import() {
    for (before, after) in [
        (
            "package own;\n\nclass",
            "package own;\n\nimport static org.junit.Assert.assertEquals;\n\nclass",
        ),
        (
            "package own;\r\n\r\nclass",
            "package own;\r\n\r\nimport static org.junit.Assert.assertEquals;\r\n\r\nclass",
        ),
        (
            "class",
            "import static org.junit.Assert.assertEquals;\n\nclass",
        ),
    ] {
        let newline = if before.contains('\r') { "\r\n" } else { "\n" };
        let test = " AccountTest {
    @Test void dep$0osits() {
        Account account = new Account(\"Ann\");
        account.deposit(200);
    }
}
"
        .replace('\n', newline);
        let package = before.split("class").next().expect("text");
        let account = ACCOUNT.replace("java\nclass", &format!("java\n{package}class"));
        let found = actions_at_cursor(&format!(
            "{account}//- /src/test/java/AccountTest.java\n{before}{test}"
        ));
        let text = found[0].1.as_ref().expect("an edit");
        assert!(text.starts_with(after), "{text}");
        assert!(
            text.contains(&format!(
                "        assertEquals(Integer.MIN_VALUE, account.getBalance());{newline}    }}"
            )),
            "{text}"
        );
        assert_eq!(text.contains("\r\n"), newline == "\r\n");
    }
}

#[test]
fn a_file_without_assertions_follows_those_around() {
    for (around, expected) in [
        (
            "import static org.assertj.core.api.Assertions.assertThat;",
            "import static org.assertj.core.api.Assertions.assertThat;\n\nimport org.junit.jupiter.api.Test;\n",
        ),
        (
            "import org.junit.jupiter.api.Assertions;",
            "import org.junit.jupiter.api.Assertions;\nimport org.junit.jupiter.api.Test;\n",
        ),
        // Those of another framework are not for it.
        (
            "import static org.junit.Assert.assertEquals;",
            "import static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Test;\n",
        ),
    ] {
        let found = actions_at_cursor(&format!(
            "{ACCOUNT}//- /src/test/java/OtherTest.java
{around}
class OtherTest {{ }}
//- /src/test/java/AccountTest.java
import org.junit.jupiter.api.Test;
class AccountTest {{
    @Test void dep$0osits() {{
        Account account = new Account(\"Ann\");
        account.deposit(200);
    }}
}}
"
        ));
        let text = found[0].1.as_ref().expect("an edit");
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn tests_of_junit_3_inherit_their_assertions() {
    let found = actions_at_cursor(&format!(
        "{ACCOUNT}//- /src/test/java/AccountTest.java
import junit.framework.TestCase;
public class AccountTest extends TestCase {{
    public void testDep$0osits() {{
        Account account = new Account(\"Ann\");
        account.deposit(200);
    }}
}}
"
    ));
    let text = found[0].1.as_ref().expect("an edit");
    assert!(text.starts_with("import junit.framework.TestCase;\npublic class"));
    assert!(
        text.contains("        assertEquals(Integer.MIN_VALUE, account.getBalance());"),
        "{text}"
    );
}

/// The text of an object shows all of it, and nobody wants it asserted; nor another query that says little.
#[test]
fn what_says_little_is_not_offered_to_who_asks() {
    let found = actions_at_cursor(
        "//- /src/main/java/own/Cart.java
package own;
public class Cart {
    private int count;
    private int price;
    public void add(int of) { count = count + 1; price = price + of; }
    public int count() { return count; }
    public boolean isEmpty() { return count == 0; }
    public Cart clear() { count = 0; price = 0; return this; }
    @Override public String toString() { return count + \" for \" + price; }
}
//- /src/test/java/own/CartTest.java
package own;

import static org.junit.jupiter.api.Assertions.assertEquals;
class CartTest {
    @Test void ad$0ds() {
        Cart cart = new Cart();
        cart.clear().add(3);
        assertEquals(1, cart.count());
    }
}
",
    );
    let titles: Vec<String> = found.into_iter().map(|(title, _)| title).collect();
    assert!(!titles.iter().any(|t| t.contains("toString")), "{titles:?}");
    assert!(!titles.iter().any(|t| t.contains("clear()")), "{titles:?}");
    assert!(!titles.iter().any(|t| t.contains("isEmpty")), "{titles:?}");
}

/// A level is what the method has, whatever the file's other lines have.
#[test]
fn what_is_inserted_stands_as_deep_as_its_method() {
    let lines = "            + 1\n".repeat(60);
    let found = actions_at_cursor(&format!(
        "//- /src/main/java/own/Box.java
package own;
public class Box {{
    private int times;
    public int fill(int it) {{ times = times + it; return times * 2; }}
}}
//- /src/test/java/own/BoxTest.java
package own;

import static org.junit.jupiter.api.Assertions.assertEquals;
class BoxTest {{
  @Test
  void other() {{
    assertEquals(
        1,
        1,
        1
{lines}        );
  }}

  @SuppressWarnings({{
          \"one\",
          \"two\"
  }})
  @Test
  void fi$0lls() {{
    Box box = new Box();
    int all = box.fill(3);
  }}
}}
"
    ));
    let after = found
        .into_iter()
        .find_map(|(_, after)| after)
        .expect("an assertion");
    assert!(
        after.contains("\n    assertEquals(Integer.MIN_VALUE, all);\n"),
        "{after}"
    );
}
