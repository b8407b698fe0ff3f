//! What rules find, and where they stay quiet: half of each.

mod missed_fail;
mod missed_message;
mod never_null;
mod no_oracle;
mod rotten_assertion;

use super::{analysis, check};
use crate::Analysis;
use crate::rules::{ALL, Ground, Options, named, silenced};
use program::FileId;
use testkit::Fixture;
use text::Span;

fn found(analysis: &Analysis, file: FileId) -> Vec<(Span, String)> {
    let options = Options::default();
    let ground = Ground::new(analysis, &options);
    let found = ground.findings(file, &|_| true);
    found
        .into_iter()
        .map(|f| (f.span, format!("{} {}", f.rule.name, f.message)))
        .collect()
}

/// What one rule finds.
fn of_rule(analysis: &Analysis, file: FileId, rule: &str) -> Vec<(Span, String)> {
    let mut all = found(analysis, file);
    all.retain(|(_, words)| words.split(' ').next() == Some(rule));
    all
}

/// The names of the tests of which `rule` says something.
fn told(rule: &str, text: &str, options: &Options) -> Vec<String> {
    let fixture = Fixture::parse(text);
    let analysis = analysis(&fixture);
    let ground = Ground::new(&analysis, options);
    let program = analysis.program();
    let mut out = Vec::new();
    for file in &fixture.files {
        let id = program.file(&file.path).expect("it was given");
        for f in ground.findings(id, &|r| r.name == rule) {
            let method = f.method.and_then(|m| program.method_decl(m));
            out.push(method.map_or_else(String::new, |m| m.name.to_string()));
        }
    }
    out
}

/// A test class with these members, beside code under test that may be a check itself.
fn tests_of(members: &str) -> String {
    format!(
        "//- /src/main/java/Cart.java
import java.util.*;
class Cart {{
    private final List<String> items = new ArrayList<>();
    void add(String item) {{ if (item == null) throw new IllegalArgumentException(); items.add(item); }}
    int size() {{ return items.size(); }}
    void validate() {{ if (items.isEmpty()) throw new IllegalStateException(); }}
    void each(Visitor visitor) {{ for (String item : items) visitor.visit(item); }}
    void onAdd(Runnable then) {{ }}
    interface Visitor {{ void visit(String item); }}
}}
class Assert {{ static void notEmpty(String it, String why) {{ if (it.isEmpty()) throw new IllegalStateException(why); }} }}
class Verifier {{ void execute() {{ if (new Cart().size() > 0) throw new IllegalStateException(); }} }}
class Await {{ static void until(java.util.function.BooleanSupplier done) {{ while (!done.getAsBoolean()) new Cart().validate(); }} }}
class Example {{
    public static void main(String[] args) {{ runs(new Cart()); }}
    static void runs(Cart cart) {{ assert cart.size() == 0; }}
}}
class Program {{ public static void main(String[] args) {{ new Cart().add(args[0]); }} }}
//- /src/test/java/CartTest.java
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class CartTest {{
    private final Cart cart = new Cart();
{members}
}}
"
    )
}

/// Such a class, and code under test that says why it refuses something.
fn telling(members: &str) -> String {
    tests_of(members).replace(
        "//- /src/main/java/Cart.java",
        "//- /src/main/java/Shelf.java
class ShelfException extends RuntimeException {
    ShelfException(String why) { super(why); }
}
class Shelf {
    static final String FULL = \"The shelf is full\";
    private final Log log;
    int open;
    Shelf(Log log) { this.log = log; }
    int open() { return open; }
    int left() { return 5 / open; }
    void put(String item, int at) {
        if (item == null) throw new ShelfException(\"No item was given\");
        if (at > 9) throw new ShelfException(String.format(\"No place %d for %s\", at, item));
        if (at > 8) throw new ShelfException(\"Nobody reaches place \" + at + \".\");
        if (at > 7) throw new ShelfException(FULL);
        log.put(item);
    }
    interface Log { void put(String item); }
}
//- /src/main/java/Cart.java",
    )
}

/// `assertThat(cart.size() == 0);` is meant to be `assertTrue(cart.size() == 0);`.
#[test]
fn a_value_of_which_nothing_is_said_is_told_so() {
    let fluent = |members: &str| {
        let text = tests_of(members);
        text.replace(
            "import org.junit.jupiter.api.*;",
            "import org.junit.jupiter.api.*; import static org.assertj.core.api.Assertions.assertThat;",
        )
    };
    let text = fluent(
        "    @Test void adds() {
        cart.add(\"a\");
        assertThat(cart.size() == 1);
        //<^^^^^^^^^^^^^^^^^^^^^^^^^ self-check This assertion cannot fail: nothing stands behind assertThat(…) that says what it should be
        assertThat(cart).as(\"the cart\");
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^ self-check This assertion cannot fail: nothing stands behind assertThat(…) that says what it should be
        assertThat(cart.size()).as(\"its size\").isEqualTo(1);
        var later = assertThat(cart.size());
        later.isEqualTo(1);
    }
",
    );
    check(&text, found);
    for (how, text) in [
        (
            "the project's own",
            fluent(
                "@Test void t() { assertThat(cart); } void assertThat(Cart c) { assertEquals(0, c.size()); }",
            ),
        ),
        (
            "nobody's",
            tests_of("@Test void t() { assertThat(cart); }").replace(
                "import org.junit.jupiter.api.*;",
                "import org.junit.jupiter.api.*; import static shop.check.Carts.assertThat;",
            ),
        ),
        (
            "with a matcher",
            fluent("@Test void t() { assertThat(cart, filled()); }"),
        ),
    ] {
        assert!(
            told("self-check", &text, &Options::default()).is_empty(),
            "{how}"
        );
    }
}

#[test]
fn an_assertion_that_cannot_fail_is_told_so() {
    let text = tests_of(
        "    @Test void adds() {
        cart.add(\"a\");
        int n = cart.size();
        assertEquals(n, n);
        //<^^^^^^^^^^^^^^^ self-check This assertion cannot fail: it compares n with itself
        assertEquals(1, 1);
        //<^^^^^^^^^^^^^^^ self-check This assertion cannot fail: 1 is what it is, whatever the code computes
        assertEquals(0, 0, cart.size());
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^ self-check This assertion cannot fail: 0 is compared with 0; the third argument, cart.size(), is only how far apart they may be
        assertTrue(true);
        //<^^^^^^^^^^^^^ self-check This assertion cannot fail: true is what it is, whatever the code computes
        assertNotNull(new Cart());
        //<^^^^^^^^^^^^^^^^^^^^^^ self-check This assertion cannot fail: what was just made is never null
        assertTrue(n == n, \"the same\");
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^ self-check This assertion cannot fail: it compares n with itself
        assertNotNull(\"a cart\", cart.toString());
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ self-check This assertion cannot fail: \"a cart\" is what it is, whatever the code computes
        assertEquals(1, n);
    }
",
    );
    check(&text, found);
}

#[test]
fn every_library_s_way_of_saying_it_is_known() {
    let mocks = "@Mock Cart mocked; ";
    for (statement, is_told) in [
        ("assertThat(n).isEqualTo(n);", true),
        ("assertThat(n).as(\"n\").isEqualTo(n);", true),
        ("then(n).isEqualTo(n);", true),
        ("then(n).isEqualTo(1);", false),
        ("assertThat(true).isTrue();", true),
        ("assertThat(new Cart()).isNotNull();", true),
        ("assertThat(n, is(n));", true),
        ("assertThat(n, is(equalTo(n)));", true),
        ("assertNull(null);", true),
        ("assertFalse(false);", true),
        ("assert true;", true),
        (
            "when(mocked.size()).thenReturn(7); assertEquals(7, mocked.size());",
            true,
        ),
        (
            "given(mocked.size()).willReturn(n); assertThat(mocked.size()).isEqualTo(n);",
            true,
        ),
        ("Cart c = new Cart(); c.add(\"a\"); assertNotNull(c);", true),
        // All this may fail, or says something.
        ("assertThat(n).isEqualTo(n).isPositive();", false),
        ("assertEquals(cart.size(), cart.size());", false),
        (
            "assertSame(Cart.class.getName(), Cart.class.getName());",
            false,
        ),
        ("assertEquals(1, n);", false),
        ("assertNotEquals(n, n);", false),
        ("assertTrue(false);", false),
        ("double d = n / 2.0; assertTrue(d == d);", false),
        (
            "Cart c = new Cart(); assertEquals(c, c); assertEquals(c.hashCode(), n);",
            false,
        ),
        (
            "List<String> c = List.of(); /* of no item */\n assertEquals(c, c);",
            true,
        ),
        (
            "List<String> c = List.of();\n // equals of what is empty\n assertEquals(c, c);",
            false,
        ),
        ("Cart c = new Cart(); c = find(); assertNotNull(c);", false),
        (
            "when(mocked.size()).thenReturn(7); assertEquals(7, cart.size());",
            false,
        ),
        (
            "when(mocked.size()).thenReturn(7, 8); assertEquals(8, mocked.size());",
            false,
        ),
        (
            "when(mocked.size()).thenReturn(7); when(mocked.size()).thenReturn(8); assertEquals(7, mocked.size());",
            false,
        ),
        (
            "when(mocked.size()).thenReturn(7).thenReturn(8); assertEquals(7, mocked.size());",
            false,
        ),
        ("// telltale:ignore self-check\n assertTrue(true);", false),
        (
            "assertTrue(true); // telltale:ignore self-check -- we got here",
            false,
        ),
    ] {
        let text = tests_of(&format!(
            "{mocks} Cart find() {{ return null; }} @Test void adds() {{ int n = cart.size();\n {statement} }}"
        ));
        let told = told("self-check", &text, &Options::default());
        assert_eq!(!told.is_empty(), is_told, "{statement}");
    }
    // A class that tests only read.
    let input = "//- /src/test/java/Input.java
import org.junit.Ignore;
class Input { void a() { assert true; assert 1 == 1; } }
";
    assert!(told("self-check", input, &Options::default()).is_empty());
    // What is right in a test of `equals`.
    let text = tests_of("@Test void equalsItself() { Cart c = new Cart(); assertEquals(c, c); }");
    assert!(told("self-check", &text, &Options::default()).is_empty());
    // JUnit 4's classes may stand beside JUnit 5's.
    let text = tests_of("@Test void t() { org.junit.Assert.assertNotNull(\"a cart\", cart.toString()); Assert.assertNotNull(\"a cart\", cart.toString()); }")
        .replace("import org.junit.jupiter.api.*;", "import org.junit.jupiter.api.*; import org.junit.Assert;");
    assert!(told("self-check", &text, &Options::default()).is_empty());
    // JUnit 4 puts the message first.
    let text = tests_of(
        "@Test void t() { String name = \"a\"; assertEquals(name, name, cart.toString()); }",
    )
    .replace("org.junit.jupiter.api.Assertions.*", "org.junit.Assert.*")
    .replace("org.junit.jupiter.api.*", "org.junit.*");
    assert!(told("self-check", &text, &Options::default()).is_empty());
}

#[test]
fn the_comment_that_silences_a_finding_does() {
    for (rule, body) in [
        ("no-oracle", "cart.add(\"a\");"),
        ("self-check", "assertTrue(true);"),
    ] {
        for newline in ["\n", "\r\n"] {
            let text = tests_of(&format!(
                "    @Test\n    void adds() {{\n        {body}\n    }}"
            ));
            let fixture = Fixture::parse(&text.replace('\n', newline));
            let analysis = analysis(&fixture);
            let options = Options::default();
            let file = analysis
                .program()
                .file("src/test/java/CartTest.java")
                .expect("it is there");
            let found = Ground::new(&analysis, &options).findings(file, &|r| r.name == rule);
            let change = silenced(&analysis, file, &found[0]).expect("an edit");
            let old = analysis.program().text(file).expect("a text").to_string();
            let mut new = old.clone();
            let (edit, _) = change.main().expect("an edit");
            assert!(text::apply_one(&mut new, edit));
            assert!(
                new.contains(&format!("// telltale:ignore {rule}{newline}")),
                "{new}"
            );
            assert_eq!(
                new.matches(newline).count(),
                old.matches(newline).count() + 1
            );
            let next = analysis.after(vec![program::Change {
                path: "src/test/java/CartTest.java".into(),
                text: Some(new.into()),
                source_set: program::SourceSetId(1),
            }]);
            let again = Ground::new(&next, &options).findings(file, &|r| r.name == rule);
            assert!(again.is_empty(), "{rule}: {again:?}");
        }
    }
}

#[test]
fn rules_are_found_by_their_names() {
    for rule in ALL {
        assert_eq!(named(rule.name).map(|r| r.title), Some(rule.title));
        assert!(rule.title.ends_with('.'), "a sentence: {}", rule.title);
    }
    assert!(named("no-such-rule").is_none());
}

#[test]
fn one_side_of_an_inner_oracle_without_the_other() {
    check(
        "//- /src/main/java/Stats.java
class Stats {
    int compare(int neg) {
        InnerOracle.equal(\"StatsTest.mixed: neg\", 2, neg);
        InnerOracle.equal(\"StatsTest.gone: neg\", 2, neg);
      //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inner-oracle-stale No test switches StatsTest.gone: neg on: it never checks anything
        // telltale:ignore inner-oracle-stale
        InnerOracle.equal(\"StatsTest.silent: neg\", 2, neg);
        return neg;
    }
}
//- /src/test/java/StatsTest.java
class StatsTest {
    void mixed() {
        try (InnerOracle inner = InnerOracle.on(\"StatsTest.mixed: neg\")) { }
        try (InnerOracle inner = InnerOracle.on(\"StatsTest.mixed: pos\")) { }
                               //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inner-oracle-stale StatsTest.mixed: pos stands nowhere in the code: the test fails
    }
}
",
        |a, f| of_rule(a, f, "inner-oracle-stale"),
    );
}

/// Its test side is no guard, and what stands in a test does not ship; nor does what only looks like one.
#[test]
fn a_check_of_an_inner_oracle_ships_with_the_code() {
    check(
        "//- /src/main/java/Stats.java
class Stats {
    int compare(int neg) {
        InnerOracle.equal(\"StatsTest.mixed: neg\", 2, neg);
      //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inner-oracle StatsTest.mixed: neg ships with this code until it is removed
        InnerOracle.ran(\"StatsTest.silent: neg\"); // telltale:ignore inner-oracle
        // InnerOracle.ran(\"StatsTest.comment: neg\");
        other.InnerOracles.ran(\"StatsTest.other: neg\");
        return InnerOracle.equal(\"StatsTest.mixed: compare()\", 2, neg);
             //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inner-oracle StatsTest.mixed: compare() ships with this code until it is removed
    }
}
//- /src/test/java/StatsTest.java
class StatsTest {
    void mixed() {
        try (InnerOracle inner = InnerOracle.on(\"StatsTest.mixed: neg\")) { }
    }
    int helper(int neg) {
        InnerOracle.equal(\"StatsTest.mixed: pos\", 2, neg);
        return neg;
    }
}
",
        |a, f| of_rule(a, f, "inner-oracle"),
    );
}

/// The text after what mends the first finding of a rule, with what an editor calls that.
fn mended(rule: &str, text: &str) -> Option<(String, String)> {
    let analysis = analysis(&Fixture::parse(text));
    let program = analysis.program();
    let file = program.file("src/test/java/CartTest.java")?;
    let options = Options::default();
    let found = Ground::new(&analysis, &options).findings(file, &|r| r.name == rule);
    let (title, change) = crate::action::mended(&analysis, file, found.first()?)?;
    let mut out = program.text(file)?.to_string();
    let [(_, edits)] = &change.edits[..] else {
        panic!("edits of one file: {change:?}");
    };
    let mut edits = edits.clone();
    edits.sort_by_key(|e| std::cmp::Reverse(e.span.start));
    for edit in edits {
        out.replace_range(edit.span.range(), &edit.text);
    }
    Some((title, out))
}

#[test]
fn a_test_that_misses_its_fail_gets_one() {
    let test = "    @Test void rejects() {
        try {
            cart.add(null);
        } catch (IllegalArgumentException e) {
            assertEquals(\"no\", e.getMessage());
        }
    }";
    let (title, text) = mended("missed-fail", &tests_of(test)).expect("a change");
    assert_eq!(title, "Fail where no IllegalArgumentException is thrown");
    let expected = test.replace(
        "cart.add(null);",
        "cart.add(null);\n            fail(\"IllegalArgumentException expected\");",
    );
    assert!(text.contains(&expected), "{text}");
    // It is found no more.
    assert!(told("missed-fail", &tests_of(&expected), &Options::default()).is_empty());
    // What it throws would be caught.
    for class in [
        "Throwable",
        "IllegalStateException | java.lang.Error",
        "final AssertionError",
    ] {
        let test = format!(
            "@Test void t() {{ try {{ cart.add(null); }} catch ({class} e) {{ assertNotNull(e); }} }}"
        );
        assert_eq!(
            told("missed-fail", &tests_of(&test), &Options::default()),
            ["t"],
            "{class}"
        );
        assert!(mended("missed-fail", &tests_of(&test)).is_none(), "{class}");
    }
    // Behind what jumps it would not compile.
    let jumps = "@Test void t() { try { cart.add(null); return; } catch (RuntimeException e) { assertNotNull(e); } }";
    assert!(mended("missed-fail", &tests_of(jumps)).is_none());
    // With a second catch, on one line, behind a comment, and by JUnit 4's class, which is imported.
    for (test, expected) in [
        (
            "@Test void t() { try { cart.add(null); } catch (IllegalStateException e) { } catch (RuntimeException e) { assertNotNull(e); } }",
            "try { cart.add(null); fail(\"RuntimeException expected\"); } catch",
        ),
        (
            "@Test void t() {\n try {\n cart.add(null); // throws\n } catch (IllegalStateException | IllegalArgumentException e) { assertNotNull(e); } }",
            "cart.add(null); // throws fail(\"an exception expected\"); } catch",
        ),
    ] {
        let text = mended("missed-fail", &tests_of(test)).expect("a change").1;
        let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed.contains(expected), "{text}");
    }
    let old = tests_of(test).replace(
        "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.*;",
        "import static org.junit.Assert.assertEquals;\nimport org.junit.Test;",
    );
    let text = mended("missed-fail", &old).expect("a change").1;
    assert!(
        text.contains("import static org.junit.Assert.fail;"),
        "{text}"
    );
}

#[test]
fn a_truth_value_of_which_nothing_is_said_is_said_to_be_true() {
    let fluent = |statement: &str| {
        tests_of(&format!("    @Test void t() {{ {statement} }}")).replace(
            "import org.junit.jupiter.api.*;",
            "import org.junit.jupiter.api.*; import static org.assertj.core.api.Assertions.assertThat;",
        )
    };
    let (title, text) =
        mended("self-check", &fluent("assertThat(cart.size() == 0);")).expect("a change");
    assert_eq!(title, "Say that it is true: isTrue()");
    assert!(
        text.contains("assertThat(cart.size() == 0).isTrue();"),
        "{text}"
    );
    let (_, text) = mended(
        "self-check",
        &fluent("assertThat(\"a\".equals(\"b\")).as(\"it\");"),
    )
    .expect("a change");
    assert!(text.contains(".as(\"it\").isTrue();"), "{text}");
    // What a number should be, nobody knows.
    assert!(mended("self-check", &fluent("assertThat(cart.size());")).is_none());
}
