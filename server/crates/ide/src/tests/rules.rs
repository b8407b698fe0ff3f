//! What rules find, and where they stay quiet: half of each.

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

#[test]
fn a_test_that_checks_nothing_is_told_so() {
    let text = tests_of(
        "    @Test void adds() { cart.add(\"a\"); }
    //         ^^^^ no-oracle adds checks nothing: it fails only if something is thrown
    @Test void empty() { }
    //         ^^^^^ no-oracle empty is empty: it checks nothing
    @Test void later() {
    //         ^^^^^ no-oracle later is empty: it checks nothing
        // TODO
    }
    @Test void swallows() {
    //         ^^^^^^^^ no-oracle swallows checks nothing: it fails only if something is thrown
        try { cart.add(null); } catch (IllegalArgumentException expected) { }
    }
    @Test void throughHelper() { fill(3); }
    //         ^^^^^^^^^^^^^ no-oracle throughHelper checks nothing: it fails only if something is thrown
    private void fill(int n) { for (int i = 0; i < n; i++) cart.add(\"a\"); }
    @Test void wraps() {
    //         ^^^^^ no-oracle wraps checks nothing: it fails only if something is thrown
        try { cart.add(\"a\"); } catch (Exception e) { throw new RuntimeException(e); }
    }
    @Test void stubs() { cart.each(item -> { throw new IllegalStateException(); }); }
    //         ^^^^^ no-oracle stubs checks nothing: it fails only if something is thrown
    @Test void breaks() { cart.each(item -> { throw new IllegalStateException(\"broken\"); }); }
    //         ^^^^^^ no-oracle breaks checks nothing: it fails only if something is thrown
    @Test void begins() { Program.main(new String[] {\"a\"}); }
    //         ^^^^^^ no-oracle begins checks nothing: it fails only if something is thrown
    @Test void counts() { assertEquals(0, cart.size()); }
",
    );
    check(&text, found);
}

#[test]
fn what_checks_in_any_way_is_left_alone() {
    for (how, test) in [
        (
            "an assertion",
            "@Test void t() { assertEquals(0, cart.size()); }",
        ),
        (
            "a helper",
            "@Test void t() { holds(); } void holds() { assertEquals(0, cart.size()); }",
        ),
        (
            "a helper's helper, static and elsewhere",
            "@Test void t() { Helper.a(cart); } static class Helper { static void a(Cart c) { b(c); } static void b(Cart c) { assertEquals(0, c.size()); } }",
        ),
        (
            "a lambda",
            "@Test void t() { cart.each(item -> assertNotNull(item)); }",
        ),
        (
            "an object that is called back",
            "@Test void t() { cart.each(new Seen()); } static class Seen implements Cart.Visitor { public void visit(String item) { assertNotNull(item); } }",
        ),
        (
            "an object that a library calls back, without a word of it",
            "@Test void t() { cart.onAdd(new Step(0)); } record Step(int n) implements org.other.Step { public void run(Cart c) { assertEquals(n, c.size()); } }",
        ),
        (
            "what lets through the exception that is expected",
            "@Test void t() throws Exception { try { cart.add(null); } catch (Exception e) { limit(e); } } void limit(Exception e) throws Exception { if (e.getMessage().contains(\"limit\")) return; throw e; }",
        ),
        (
            "what is asked only to see that it is well",
            "@Test void t() { ok(cart.size()); } static int ok(int size) { return cart.ok(size); }",
        ),
        (
            "an anonymous class",
            "@Test void t() { cart.each(new Cart.Visitor() { public void visit(String item) { assertNotNull(item); } }); }",
        ),
        (
            "Java's assert",
            "@Test void t() { assert cart.size() == 0; }",
        ),
        (
            "an error of its own",
            "@Test void t() { if (cart.size() > 0) throw new AssertionError(); }",
        ),
        (
            "any exception under a condition",
            "@Test void t() { if (cart.size() > 0) throw new RuntimeException(); }",
        ),
        (
            "fail",
            "@Test void t() { try { cart.add(null); fail(); } catch (IllegalArgumentException e) { } }",
        ),
        (
            "what is expected",
            "@Test(expected = IllegalArgumentException.class) void t() { cart.add(null); }",
        ),
        (
            "TestNG's",
            "@Test(expectedExceptions = IllegalArgumentException.class) void t() { cart.add(null); }",
        ),
        (
            "a time limit",
            "@Test(timeout = 100) void t() { cart.add(null); }",
        ),
        (
            "code under test that is a check",
            "@Test void t() { cart.validate(); }",
        ),
        (
            "a tear-down",
            "@Test void t() { cart.add(\"a\"); } @AfterEach void after() { assertEquals(1, cart.size()); }",
        ),
        (
            "an argument",
            "@ParameterizedTest @MethodSource(\"all\") void t(java.util.function.Consumer<Cart> holds) { holds.accept(cart); } static java.util.List<java.util.function.Consumer<Cart>> all() { return java.util.List.of(c -> assertEquals(0, c.size())); }",
        ),
        (
            "what throws if it is not there",
            "@Test void t() { java.util.Optional.of(cart).filter(c -> c.size() == 0).orElseThrow(); }",
        ),
        (
            "code that must not be called",
            "@Test void t() { cart.onAdd(() -> { throw new RuntimeException(\"Should not be called\"); }); }",
        ),
        (
            "a class of the code under test that checks",
            "@Test void t() { Assert.notEmpty(cart.toString(), \"it has a name\"); }",
        ),
        (
            "a harness of the code under test that checks",
            "@Test void t() { new Verifier().execute(); }",
        ),
        (
            "the code under test waits until something holds",
            "@Test void t() { Await.until(() -> cart.size() == 0); }",
        ),
        (
            "an example that asserts",
            "@Test void t() { Example.main(new String[0]); }",
        ),
        (
            "a reference",
            "@Test void t() { java.util.List.of(cart).forEach(this::holds); } void holds(Cart c) { assertEquals(0, c.size()); }",
        ),
        (
            "a local's method",
            "@Test void t() { new Robot().fill(cart).see(0); } static class Robot { Cart c; Robot fill(Cart c) { this.c = c; return this; } void see(int n) { assertEquals(n, c.size()); } }",
        ),
    ] {
        let text = tests_of(test);
        let told = told("no-oracle", &text, &Options::default());
        assert!(told.is_empty(), "{how}: {told:?}\n{test}");
    }
}

/// Libraries are not here: what they do is told by their names.
#[test]
fn what_a_library_checks_is_known_by_name() {
    for call in [
        "mockMvc.perform(get(\"/\")).andExpect(status().isOk());",
        "client.get().exchange().expectStatus().isOk();",
        "given().when().get(\"/\").then().statusCode(200);",
        "StepVerifier.create(flux).expectNext(1).verifyComplete();",
        "wireMock.verify(1, getRequestedFor(urlEqualTo(\"/\")));",
        "await().until(() -> cart.size() == 1);",
        "await().atMost(5, SECONDS).untilAsserted(this::holds);",
        "verify(mock).add(\"a\");",
        "inOrder.verify(mock).add(\"a\");",
        "BDDMockito.then(mock).should().add(\"a\");",
        "then(cart.size()).isZero();",
        "assertThat(cart.size(), is(0));",
        "assertWithMessage(\"size\").that(cart.size()).isEqualTo(0);",
        "EqualsVerifier.forClass(Cart.class).verify();",
        "new EqualsTester().addEqualityGroup(cart).testEquals();",
        "classes().should().bePackagePrivate().check(all);",
        "Approvals.verify(cart);",
        "thrown.expect(IllegalStateException.class); cart.validateAll();",
        "collector.checkThat(cart.size(), is(0));",
        "new Verifications() {{ cart.add(\"a\"); }};",
        "SerializableTester.reserializeAndAssert(cart);",
        "java.util.UUID.fromString(cart.toString());",
        "JSONAssert.assertEquals(\"{}\", json, true);",
        "qt().forAll(integers().all()).check(i -> i == i);",
        "registry.verifyX(cart);",
        "harness.shouldHold(cart);",
        "waiter.await(1000);",
        "page.waitForSelector(\"#cart\");",
        "waitUntilStringIsPresent(page, \"No results\");",
        "context.refresh(); context.getBean(Cart.class);",
        "context.getBean(Cart.class).close();",
    ] {
        let text = tests_of(&format!("@Test void t() throws Exception {{ {call} }}"));
        let told = told("no-oracle", &text, &Options::default());
        assert!(told.is_empty(), "{call}");
    }
    for call in [
        "mockMvc.perform(get(\"/\"));",
        "Object it = context.getBean(Cart.class);",
        "context.getBeansOfType(Cart.class);",
        "client.open().close();",
        "Object id = java.util.UUID.fromString(cart.toString());",
        "given(mock.size()).willReturn(1); cart.add(\"a\");",
        "container.start(); container.waitingFor(port);",
        "latch.await(5, SECONDS);",
        "System.out.println(cart.size());",
        "new java.util.concurrent.CountDownLatch(1).await(5, java.util.concurrent.TimeUnit.SECONDS);",
    ] {
        let latch = "java.util.concurrent.CountDownLatch latch = new java.util.concurrent.CountDownLatch(1);";
        let imports = "import static org.mockito.Mockito.*; import static org.mockito.BDDMockito.given; import static java.util.concurrent.TimeUnit.*; import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.*;";
        let text = tests_of(&format!(
            "@Test void t() throws Exception {{ {latch} {call} }}"
        ))
        .replace(
            "import org.junit.jupiter.api.*;",
            &format!("import org.junit.jupiter.api.*; {imports}"),
        );
        let told = told("no-oracle", &text, &Options::default());
        assert_eq!(told, ["t"], "{call}");
    }
}

#[test]
fn a_helper_that_nobody_can_see_may_check() {
    let inherited = "//- /src/test/java/RunTest.java
import org.junit.jupiter.api.Test;
import com.other.Harness;
class RunTest extends Harness {
    @Test void runs() { scenario(\"a\"); }
}
";
    assert!(told("no-oracle", inherited, &Options::default()).is_empty());
    let imported = "//- /src/test/java/com/acme/app/RunTest.java
package com.acme.app;
import static com.acme.tests.Scenarios.scenario;
import org.junit.jupiter.api.Test;
class RunTest {
    @Test void runs() { scenario(\"a\"); }
}
";
    assert!(told("no-oracle", imported, &Options::default()).is_empty());
    let class = "//- /src/test/java/com/acme/app/RunTest.java
package com.acme.app;
import com.acme.tests.Scenario;
import org.junit.jupiter.api.Test;
class RunTest {
    @Test void runs() { Scenario.run(\"a\"); }
}
";
    assert!(told("no-oracle", class, &Options::default()).is_empty());
    let beside = class.replace("import com.acme.tests.Scenario;\n", "");
    assert!(told("no-oracle", &beside, &Options::default()).is_empty());
    let of_others = class.replace("com.acme.tests.Scenario", "org.tools.Scenario");
    assert_eq!(told("no-oracle", &of_others, &Options::default()), ["runs"]);
    let of_others = imported.replace("com.acme.tests.Scenarios", "org.tools.Text");
    assert_eq!(told("no-oracle", &of_others, &Options::default()), ["runs"]);
    // Jenkins's browser looks at the type of what it gets; another's may not.
    let browser = "//- /src/test/java/PageTest.java
import org.junit.jupiter.api.Test;
import org.jvnet.hudson.test.JenkinsRule;
class PageTest {
    @Test void shows(JenkinsRule j) { j.createWebClient().goTo(\"computer\"); }
}
";
    assert!(told("no-oracle", browser, &Options::default()).is_empty());
    let of_others = browser.replace("org.jvnet.hudson.test.JenkinsRule", "org.tools.JenkinsRule");
    assert_eq!(
        told("no-oracle", &of_others, &Options::default()),
        ["shows"]
    );
}

#[test]
fn tests_that_only_must_not_throw_can_say_so() {
    for test in [
        "@Test void contextLoads() { }",
        "@Test void doesNotThrow() { cart.add(\"a\"); }",
        "@Test void missingOneShouldNotRaiseAnException() { cart.add(\"a\"); }",
        "@Test void add_should_not_throw_an_exception() { cart.add(\"a\"); }",
        "@Test void adds() { cart.add(\"a\"); /* must not throw */ }",
        "// Smoke test.\n @Test void adds() { cart.add(\"a\"); }",
        "@Test void adds() { cart.add(\"a\"); /* this fails if there is no room */ }",
        "/** Adds without any exception. */ @Test void adds() { cart.add(\"a\"); }",
        "@Test @DisplayName(\"adding never fails\") void adds() { cart.add(\"a\"); }",
        "@Test @Disabled void adds() { cart.add(\"a\"); }",
        "@Test @org.junit.jupiter.api.Disabled(\"later\") void adds() { }",
        "// telltale:ignore no-oracle\n @Test void adds() { cart.add(\"a\"); }",
        "// telltale:ignore\n @Test void adds() { cart.add(\"a\"); }",
        "@Test // telltale:ignore no-oracle, self-check -- a smoke test\n void adds() { cart.add(\"a\"); }",
        "@Test @SuppressWarnings(\"telltale:no-oracle\") void adds() { cart.add(\"a\"); }",
        "@SuppressWarnings({\"unused\", \"telltale:no-oracle\"}) @Test void adds() { cart.add(\"a\"); }",
        "@SuppressWarnings(\"squid:S2699\") @Test void adds() { cart.add(\"a\"); }",
    ] {
        let told = told("no-oracle", &tests_of(test), &Options::default());
        assert!(told.is_empty(), "{test}: {told:?}");
    }
    for test in [
        "@Test void adds() { cart.add(\"a\"); }",
        "// telltale:ignore self-check\n @Test void adds() { cart.add(\"a\"); }",
        "@Test @SuppressWarnings(\"telltale:self-check\") void adds() { cart.add(\"a\"); }",
        "@Test @SuppressWarnings(\"java:S5863\") void adds() { cart.add(\"a\"); }",
        "@Test @SuppressWarnings(\"unused\") void adds() { cart.add(\"a\"); }",
        "// telltale:ignore no-orakel\n @Test void adds() { cart.add(\"a\"); }",
        "@Test void adds() { cart.add(\"// telltale:ignored\"); }",
    ] {
        let told = told("no-oracle", &tests_of(test), &Options::default());
        assert_eq!(told, ["adds"], "{test}");
    }
    let own = Options {
        smoke: vec!["starts*".to_owned()],
    };
    let text = tests_of(
        "@Test void startsFast() { cart.add(\"a\"); } @Test void runs() { cart.add(\"a\"); }",
    );
    assert_eq!(told("no-oracle", &text, &own), ["runs"]);
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
