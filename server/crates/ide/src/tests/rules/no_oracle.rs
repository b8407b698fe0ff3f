//! `no-oracle`: what it tells, and all that it takes for a check.

use super::super::check;
use super::{found, tests_of, told};
use crate::rules::Options;

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
    @Test void trips() { cart.each(item -> { throw new IllegalStateException(\"broken\"); }); }
    //         ^^^^^ no-oracle trips checks nothing: it fails only if something is thrown
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
fn an_object_of_the_test_that_is_called_back_may_check() {
    let text = "//- /src/main/java/own/Shop.java
package own;
public class Shop {
    public interface Plugin { void sold(int price); }
    private Plugin plugin;
    public void use(Plugin it) { plugin = it; }
    public void sell(int price) { plugin.sold(price); }
}
//- /src/test/java/own/ShopTest.java
package own;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class ShopTest {
    private Shop shop;
    private Watching plugin;
    @BeforeEach void set() { plugin = Watching.made(); shop = new Shop(); shop.use(plugin); }
    @Test void sells() { plugin.expects(3); shop.sell(3); }
    @Test void sellsAndSeesNothing() { shop.sell(3); Watching.forget(); }
}
class Watching implements Shop.Plugin {
    private int expected;
    static Watching made() { return null; }
    static void forget() { }
    void expects(int price) { expected = price; }
    @Override public void sold(int price) { assertEquals(expected, price); }
}
";
    let all = told("no-oracle", text, &Options::default());
    assert_eq!(all, ["sellsAndSeesNothing"]);
}

#[test]
fn what_a_stand_in_is_told_checks_where_it_must_be_used() {
    let text = |head: &str, body: &str| {
        format!(
            "//- /src/test/java/own/StoreTest.java
package own;
import static org.mockito.Mockito.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.junit.jupiter.*;
import org.mockito.quality.Strictness;
{head}
class StoreTest {{
    private final Runnable inner = mock(Runnable.class);
    @Test void runs() {{ {body} new Thread(inner).run(); }}
}}
"
        )
    };
    let stubs = "doNothing().when(inner).run();";
    let strict = "@ExtendWith(MockitoExtension.class)";
    let lenient =
        "@ExtendWith(MockitoExtension.class) @MockitoSettings(strictness = Strictness.LENIENT)";
    let runner =
        "@org.junit.runner.RunWith(org.mockito.junit.MockitoJUnitRunner.StrictStubs.class)";
    let silent = "@org.junit.runner.RunWith(org.mockito.junit.MockitoJUnitRunner.Silent.class)";
    for (head, body, expected) in [
        (strict, stubs, false),
        (runner, stubs, false),
        (strict, "", true),
        (lenient, stubs, true),
        (silent, stubs, true),
        ("", stubs, true),
    ] {
        let told = told("no-oracle", &text(head, body), &Options::default());
        assert_eq!(!told.is_empty(), expected, "{head} {body}");
    }
}

#[test]
fn what_throws_unless_it_is_there_checks_where_it_is_dropped() {
    let test = |does: &str| {
        let text = tests_of(&format!(
            "    @Test void t(java.util.concurrent.Future<Object> f, java.time.Duration limit, java.security.cert.X509Certificate certificate) throws Exception {{ {does} }}
    void sees(int size) {{ assertEquals(0, size); }}
    void others(int size) {{ }}"
        ));
        let text = text.replacen(
            "class Cart {",
            "class Cart { void blockingAwait() { } void block() { } Object block(java.time.Duration limit) { return items.get(0); } boolean await(java.time.Duration limit) { return items.isEmpty(); }",
            1,
        );
        told("no-oracle", &text, &Options::default())
    };
    for does in [
        "Integer.class.cast(cart.get());",
        "Class.forName(\"own.Cart\");",
        "Cart.class.getDeclaredMethod(\"add\", String.class);",
        "Integer.parseInt(\"\" + cart.size());",
        "f.get(5, java.util.concurrent.TimeUnit.SECONDS);",
        "cart.block(limit);",
        "certificate.verify(null);",
        "f.get();",
        "cart.blockingAwait();",
        "while (!f.isDone()) Thread.sleep(1);",
        "while (!f.isDone()) {\n Thread.sleep(1);\n }",
        "cart.each(new Cart.Visitor() { @Override public void visit(String item) { } public void onError(Exception e) { throw new RuntimeException(e); } });",
        "getClass().getDeclaredMethod(\"sees\", int.class).invoke(this, cart.size());",
        "cart.each(new Cart.Visitor() { @Override public void visit(String item) { if (item == null) throw new RuntimeException(\"none\"); } });",
    ] {
        assert!(test(does).is_empty(), "{does}");
    }
    for does in [
        "Object one = Integer.class.cast(cart.get());",
        "Object one = f.get();",
        "cart.await(limit);",
        "while (cart.size() > 0) { cart.add(\"a\"); Thread.sleep(1); }",
        "certificate.getPublicKey();",
        "cart.block();",
        "cart.add(\"sees\");",
        "getClass().getDeclaredMethod(\"others\", int.class).invoke(this, cart.size());",
        "new java.util.concurrent.CountDownLatch(1).await(5, java.util.concurrent.TimeUnit.SECONDS);",
        "cart.add(\"a\"); Thread.sleep(5);",
        "cart.each(new Cart.Visitor() { @Override public void visit(String item) { throw new RuntimeException(\"none\"); } });",
    ] {
        assert_eq!(test(does), ["t"], "{does}");
    }
}

#[test]
fn what_runs_around_a_test_may_check() {
    let text = |above: &str, inside: &str, more: &str| {
        format!(
            "//- /src/test/java/own/ShopTest.java
package own;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.*;
class ShopTest {{
    {inside}
    {above} void starts() {{ }}
    static class Input {{ @Test void runs() {{ }} }}
}}
{more}
"
        )
    };
    let field = "@RegisterExtension static Object unit = new UnitTest().setExpectedException(IllegalStateException.class);";
    let plain = "@RegisterExtension static Object unit = new UnitTest();";
    let runs = "void all() { EngineTestKit.engine(\"x\").selectors(selectClass(Input.class)); }";
    let extended = "@ExtendWith(Compiling.class) @Test @interface Compiled { }";
    let tagged = "@Tag(\"slow\") @Test @interface Compiled { }";
    for (text, expected) in [
        (text("@Test", "", ""), &["starts", "runs"][..]),
        (text("@Test", field, ""), &["runs"]),
        (text("@Test", plain, ""), &["starts", "runs"]),
        (text("@Test", runs, ""), &["starts"]),
        (text("@Compiled", "", extended), &["runs"]),
        (text("@Compiled", "", tagged), &["starts", "runs"]),
    ] {
        let told = told("no-oracle", &text, &Options::default());
        assert_eq!(told, expected, "{text}");
    }
    let helper = |path: &str| {
        format!(
            "//- /{path}/src/main/java/own/Client.java
package own;
public class Client {{ public void run() {{ assert hashCode() == 0; }} }}
//- /src/test/java/own/ClientTest.java
package own;
import org.junit.jupiter.api.*;
class ClientTest {{ @Test void runs() {{ new Client().run(); }} }}
"
        )
    };
    assert!(
        told(
            "no-oracle",
            &helper("web/tests/sockets"),
            &Options::default()
        )
        .is_empty()
    );
    assert_eq!(
        told("no-oracle", &helper("web/sockets"), &Options::default()),
        ["runs"]
    );
}

#[test]
fn a_private_class_is_no_test() {
    let text = |private: &str| {
        format!(
            "//- /src/test/java/own/ConditionTest.java
package own;
import org.junit.jupiter.api.*;
class ConditionTest {{
    {private} static class Input {{
        @Nested class Inner {{ @Test void runs() {{ }} }}
    }}
}}
"
        )
    };
    assert!(told("no-oracle", &text("private"), &Options::default()).is_empty());
    assert_eq!(told("no-oracle", &text(""), &Options::default()), ["runs"]);
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
        "@Test void emptyNamesShouldNotCauseItToFail() { cart.add(\"\"); }",
        "@Test void shouldAllowEmptyNames() { cart.add(\"\"); }",
        "@Test void emptyNameAllowed() { cart.add(\"\"); }",
        "@Test void acceptsEmptyNames() { cart.add(\"\"); }",
        "@Test void emptyNamesAreOk() { cart.add(\"\"); }",
        "@Test void addingIsNoOp() { cart.add(\"\"); }",
        "@Test void cleanUp() { cart.add(\"\"); }",
        "@Test void clean_up() { cart.add(\"\"); }",
        "@Test void tearDown() { cart.add(\"\"); }",
        "@Test void closeIsIdempotent() { cart.add(\"\"); }",
        "@Nested class AddSmokeTest { @Test void adds() { cart.add(\"a\"); } }",
        "@Test void adds() { Assumptions.assumeTrue(false); }",
        "@Test void adds() { /* the extension above looks at it */ }",
        "@TestTemplate void adds() { cart.add(\"a\"); }",
        "@Nested class CartExamples { @Test void adds() { cart.add(\"a\"); } }",
        "@Test void doesNotVisit() { cart.each(item -> { throw new IllegalStateException(); }); }",
        "@Test @DisplayName(\"should not break on what is empty\") void adds() { cart.add(\"\"); }",
        "@Nested class AddBenchmark { @Test void adds() { cart.add(\"a\"); } }",
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
        // A comment switches nothing off.
        "@Test /* was @Disabled */ void adds() { cart.add(\"a\"); }",
        "@Nested /* @RunWith(Own.class) */ class More { @Test void adds() { cart.add(\"a\"); } }",
        "@Nested class More { /* no EngineTestKit, no JUnitCore */ @Test void adds() { cart.add(\"a\"); } }",
    ] {
        let told = told("no-oracle", &tests_of(test), &Options::default());
        assert_eq!(told, ["adds"], "{test}");
    }
    // A step that is written as a test, and the test of what is named so.
    let step = tests_of("@Test void cleanUp() { cart.cleanUp(); }");
    assert_eq!(told("no-oracle", &step, &Options::default()), ["cleanUp"]);
    let own = Options {
        smoke: vec!["starts*".to_owned()],
    };
    let text = tests_of(
        "@Test void startsFast() { cart.add(\"a\"); } @Test void runs() { cart.add(\"a\"); }",
    );
    assert_eq!(told("no-oracle", &text, &own), ["runs"]);
}
