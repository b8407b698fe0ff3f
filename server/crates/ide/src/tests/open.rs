//! What mocks are given, and no test of a class looks at: lens, *Not this one*, and the captor.

use super::dismissed::{offered, without};
use super::{actions_at_cursor, all_lenses, analysis, check, lenses_of_tests};
use testkit::Fixture;

/// The test file with these tests.
fn tests(tests: &str) -> String {
    format!(
        "//- /src/main/java/own/Desk.java
package own;
public class Desk {{
    private final Orders orders;
    public Desk(Orders orders) {{ this.orders = orders; }}
    public void order(String of) {{ Order order = new Order(of, 2); orders.save(order); }}
    public void sell(String of) {{ orders.sold(new Order(of, 3), 1); }}
}}
class Order {{ int n; Order(String of, int n) {{ }} }}
interface Orders {{ void save(Order order); void sold(Order order, int n); }}
//- /src/test/java/own/DeskTest.java
package own;

import static org.mockito.ArgumentMatchers.*;
import static org.mockito.Mockito.verify;

import org.junit.jupiter.api.Test;
import org.mockito.Mock;

class DeskTest {{
    @Mock Orders orders;
{tests}
}}
"
    )
}

const ORDERS: &str = "    @Test void or$0ders() {
        new Desk(orders).order(\"a\");
        verify(orders).save(any());
    }";

#[test]
fn it_stands_above_the_first_test_that_calls_it() {
    check(
        &tests(
            "    @Test void orders() {
        //     ^^^^^^ no test here looks at order, which orders.save(…) is given
        new Desk(orders).order(\"a\");
        verify(orders).save(any());
    }
    @Test void again() {
        new Desk(orders).order(\"b\");
        verify(orders).save(any());
    }
    @Test void sells() {
        //     ^^^^^ no test here looks at the Order, which orders.sold(…) is given
        new Desk(orders).sell(\"b\");
        verify(orders).sold(any(), anyInt());
    }",
        ),
        lenses_of_tests,
    );
}

#[test]
fn it_is_dismissed_in_three_widths() {
    let fixture = Fixture::parse(&tests(ORDERS));
    let all = analysis(&fixture);
    let offered = offered(&fixture, &all);
    let titles: Vec<&str> = offered.iter().map(|o| o.0.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Not this one: what orders.save(…) is given, in this test",
            "Not this one: what any save is given, in this class",
            "Not this one: what any save is given, in this project",
        ]
    );
    let lenses = |analysis: &crate::Analysis| {
        let file = analysis.program().file("src/test/java/own/DeskTest.java");
        all_lenses(analysis, file.expect("it was given")).len()
    };
    assert_eq!(lenses(&all), 1);
    for (title, entry) in offered {
        assert_eq!(lenses(&without(&all, &[entry])), 0, "{title}");
    }
}

#[test]
fn a_captor_is_put_behind_what_the_test_does() {
    let (title, after) = actions_at_cursor(&tests(ORDERS))
        .into_iter()
        .next()
        .expect("one");
    assert_eq!(title, "Keep what orders.save(…) is given, to look at it");
    let after = after.expect("an edit");
    let own = "        verify(orders).save(any());
        ArgumentCaptor<Order> orderCaptor = ArgumentCaptor.forClass(Order.class);
        verify(orders).save(orderCaptor.capture());
    }";
    assert!(after.contains(own), "{after}");
    assert!(
        after.contains("import org.mockito.ArgumentCaptor;\n"),
        "{after}"
    );
    let changed = |from: &str, to: &str| tests(ORDERS).replace(from, to);
    let captors = |text: &str| {
        let found = actions_at_cursor(text).into_iter();
        let kept = found.filter(|a| a.0.starts_with("Keep"));
        kept.filter_map(|a| a.1).collect::<Vec<_>>()
    };
    // A nested class is named by the one around it, and one that the test cannot name by nobody; what throws would have to be declared.
    let nested = tests(ORDERS).replace(
        "class Order { int n; Order(String of, int n) { } }",
        "class All { static class Order { int n; Order(String of, int n) { } } }",
    );
    let nested = nested
        .replace("Order order =", "All.Order order =")
        .replace("new Order(", "new All.Order(");
    let nested = nested.replace("(Order order", "(All.Order order");
    let found = captors(&nested);
    assert!(
        found[0].contains(
            "ArgumentCaptor<All.Order> orderCaptor = ArgumentCaptor.forClass(All.Order.class);"
        ),
        "{found:?}"
    );
    let far = |order: &str| {
        let text = tests(ORDERS).replace("interface Orders", "public interface Orders");
        let text = text
            .replace("class Order {", order)
            .replace("package own;\npublic", "package far;\npublic");
        captors(&text.replace(
            "import org.mockito.Mock;",
            "import far.*;\nimport org.mockito.Mock;",
        ))
    };
    assert_eq!(far("public class Order {").len(), 1);
    assert!(far("class Order {").is_empty());
    let throwing = changed(
        "void save(Order order);",
        "void save(Order order) throws java.io.IOException;",
    );
    assert!(captors(&throwing).is_empty());
    // What else the call is given may be anything.
    let sells = "    @Test void se$0lls() throws Exception {
        new Desk(orders).sell(\"b\");
        verify(orders).sold(any(), anyInt());
    }";
    let kept = "verify(orders).sold(orderCaptor.capture(), anyInt());";
    let found = captors(&tests(sells));
    assert!(found[0].contains(kept), "{found:?}");
    // Who may throw anything declares what the call throws; of two methods with as many parameters one is not known from the other.
    let sold = "void sold(Order order, int n);";
    let throws = "void sold(Order order, int n) throws java.io.IOException;";
    let throwing = tests(sells).replace(sold, throws);
    assert!(captors(&throwing)[0].contains(kept));
    let two = format!("{sold} void sold(Order order, String by);");
    assert!(captors(&tests(sells).replace(sold, &two)).is_empty());
}

/// Tests of code that tells somebody of what it does.
fn telling(tests: &str) -> String {
    format!(
        "//- /src/main/java/own/Desk.java
package own;
public class Desk {{
    private final Mails mails; private final Orders orders;
    public Desk(Mails mails, Orders orders) {{ this.mails = mails; this.orders = orders; }}
    public int order(String of) {{ mails.send(of, 1); orders.flush(); return of.length(); }}
    public int late(String of) {{ if (of.isEmpty()) {{ orders.drop(); }} return of.length(); }}
}}
interface Mails {{ void send(String to, int n); }}
interface Orders {{ void flush(); void drop(); }}
//- /src/test/java/own/DeskTest.java
package own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.verify;

import org.junit.jupiter.api.Test;
import org.mockito.Mock;

class DeskTest {{
    @Mock Mails mails;
    @Mock Orders orders;
{tests}
}}
"
    )
}

const FIRST: &str = "    @Test void or$0ders() {
        assertEquals(1, new Desk(mails, orders).order(\"a\"));
    }";

#[test]
fn a_call_that_no_test_of_the_class_verifies_stands_above_the_first() {
    check(
        &telling(
            "    @Test void orders() {
        //     ^^^^^^ no test here verifies mails.send(…)
        assertEquals(1, new Desk(mails, orders).order(\"a\"));
    }
    @Test void again() {
        //     ^^^^^ no test here verifies orders.flush()
        assertEquals(2, new Desk(mails, orders).order(\"ab\"));
    }
    @Test void more() {
        assertEquals(3, new Desk(mails, orders).order(\"abc\"));
    }
    @Test void late() {
        assertEquals(0, new Desk(mails, orders).late(\"\"));
    }",
        ),
        lenses_of_tests,
    );
    // One that verifies it speaks for all.
    check(
        &telling(
            "    @Test void orders() {
        //     ^^^^^^ no test here verifies orders.flush()
        assertEquals(1, new Desk(mails, orders).order(\"a\"));
    }
    @Test void more() {
        new Desk(mails, orders).order(\"abc\");
        verify(mails).send(\"abc\", 1);
    }",
        ),
        lenses_of_tests,
    );
}

#[test]
fn of_a_call_that_many_tests_may_make_two_are_asked() {
    let one = |n: usize| {
        format!(
            "    @Test void orders{n}() {{ assertEquals({n}, new Desk(mails, orders).order(\"a\")); }}\n"
        )
    };
    let five: String = (0..5).map(one).collect();
    let all = analysis(&Fixture::parse(&telling(&five)));
    let file = all.program().file("src/test/java/own/DeskTest.java");
    assert_eq!(all_lenses(&all, file.expect("it was given")).len(), 2);
    assert_eq!(all.unverified_found(), 2);
}

#[test]
fn a_call_is_verified_with_anything() {
    let found = actions_at_cursor(&telling(FIRST));
    let (title, after) = found.into_iter().next().expect("one");
    assert_eq!(title, "Verify mails.send(…)");
    let after = after.expect("an edit");
    let own = "order(\"a\"));
        verify(mails).send(any(), anyInt());
    }";
    assert!(after.contains(own), "{after}");
    let imports = "import static org.mockito.Mockito.any;
import static org.mockito.Mockito.anyInt;
import static org.mockito.Mockito.verify;
";
    assert!(after.contains(imports), "{after}");
    let titles: Vec<String> = {
        let fixture = Fixture::parse(&telling(FIRST));
        let all = analysis(&fixture);
        offered(&fixture, &all).into_iter().map(|o| o.0).collect()
    };
    assert_eq!(
        titles,
        [
            "Not this one: mails.send(…) in this test",
            "Not this one: any send in this class",
            "Not this one: any send in this project",
        ]
    );
}

/// What is kept of mocks over an edit is what is found anew, places too.
#[test]
fn after_an_edit_a_lens_says_what_it_says_anew() {
    let told = "    @Test void first() {
        assertEquals(1, new Desk(mails, orders).order(\"a\"));
        verify(mails).text(any());
    }
    @Test void second() {
        assertEquals(2, new Desk(mails, orders).order(\"ab\"));
    }";
    let text = telling(told).replace(
        "mails.send(of, 1);",
        "mails.send(of, 1); mails.text(\"to \" + of);",
    );
    let text = text.replace(
        "interface Mails {",
        "interface Mails { void text(String text);",
    );
    let text = text.replace(
        "import static org.mockito.Mockito.verify;",
        "import static org.mockito.Mockito.*;",
    );
    let paths = [
        "src/main/java/own/Desk.java",
        "src/test/java/own/DeskTest.java",
    ];
    let titles = |analysis: &crate::Analysis| {
        let program = analysis.program();
        let tests = analysis.workspace().suite().tests().to_vec();
        let own = tests.iter().map(|t| {
            let mut title = crate::title::title(analysis, crate::lens::On::Test(*t));
            // Which number a file has is one state's own.
            let place = title.as_mut().and_then(|t| t.target.take());
            let at = place.map(|p| {
                let text = program.text(p.file).unwrap_or_else(|| panic!("{p:?}"));
                let path = program.path(p.file).cloned();
                (path, p.span, text[p.span.range()].to_owned())
            });
            (title, at)
        });
        own.collect::<Vec<_>>()
    };
    let mut state = analysis(&Fixture::parse(&text));
    let told = titles(&state);
    let told = told
        .iter()
        .filter_map(|t| Some(t.0.as_ref()?.text.as_str()));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            "no test here looks at \"to \" + of, which mails.text(…) is given",
            "no test here verifies mails.send(…)"
        ]
    );
    let mut now = text;
    for (from, to) in [
        ("order(\"a\"));", "order(\"a\")); int q = 1;"),
        ("public int order", "/* so */ public int order"),
        ("\"to \" + of", "\"at \" + of"),
        ("\"at \" + of", "\"for \" + of"),
        ("of.length(); }", "of.trim().length(); }"),
        (
            "verify(mails).text(any());",
            "verify(mails).text(any()); verify(mails).send(\"ab\", 1);",
        ),
        (
            "verify(mails).text(any());",
            "verify(mails).text(\"for ab\");",
        ),
        ("orders.flush();", ""),
    ] {
        assert!(now.contains(from), "{from}");
        now = now.replacen(from, to, 1);
        let anew = analysis(&Fixture::parse(&now));
        let program = anew.program();
        let changes = paths.iter().map(|path| {
            let file = program.file(path).expect("it is there");
            program::Change {
                path: (*path).into(),
                source_set: program.source_set(file).expect("it has one"),
                text: program.text(file).cloned(),
            }
        });
        let differs = |c: &program::Change| {
            let old = state
                .program()
                .file(&c.path)
                .and_then(|f| state.program().text(f));
            old != c.text.as_ref()
        };
        let changes = changes.filter(differs).collect();
        state = state.after(changes);
        assert_eq!(titles(&state), titles(&anew), "{to}");
    }
}

/// `DELETE /orders/1` is answered, so what its handler does surely is done.
#[test]
fn what_answers_a_request_that_goes_well_is_surely_run() {
    let web = |tests: &str| {
        format!(
            "//- /src/main/java/own/OrderApi.java
package own;
import org.springframework.web.bind.annotation.*;
@RestController
class OrderApi {{
    private final Orders orders;
    OrderApi(Orders orders) {{ this.orders = orders; }}
    @DeleteMapping(\"/orders/{{id}}\")
    ResponseEntity<Void> delete(@PathVariable int id) {{ orders.drop(id); if (id > 9) {{ orders.shrink(); }} return ResponseEntity.noContent().build(); }}
}}
interface Orders {{ void drop(int id); void shrink(); String find(int id); boolean has(int id); }}
//- /src/main/java/own/FoundApi.java
package own;
import org.springframework.web.bind.annotation.*;
@RestController
class FoundApi {{
    private final Orders orders;
    FoundApi(Orders orders) {{ this.orders = orders; }}
    @GetMapping(\"/found/{{id}}\")
    String find(@PathVariable int id) {{ if (orders.has(id)) {{ id = 2; }} return orders.find(id); }}
}}
//- /src/test/java/own/OrderApiTest.java
package own;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.*;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.*;

import org.junit.jupiter.api.Test;

@WebMvcTest({{ OrderApi.class, FoundApi.class }})
class OrderApiTest {{
    @Autowired MockMvc mvc;
    @MockBean Orders orders;
{tests}
}}
"
        )
    };
    check(
        &web("    @Test void drops() throws Exception {
        //     ^^^^^ no test here verifies orders.drop(…)
        mvc.perform(delete(\"/orders/1\")).andExpect(status().isNoContent());
    }
    @Test void finds() throws Exception {
        //     ^^^^^ no test here verifies orders.find(…)
        mvc.perform(get(\"/found/1\")).andExpect(status().isOk());
    }
    @Test void dropsAnother() throws Exception {
        mvc.perform(delete(\"/orders/2\")).andExpect(status().is(204));
    }"),
        lenses_of_tests,
    );
    for (how, tests) in [
        (
            "refused",
            "@Test void t() throws Exception { mvc.perform(delete(\"/orders/1\")).andExpect(status().isForbidden()); }",
        ),
        (
            "not what the handler gives",
            "@Test void t() throws Exception { mvc.perform(delete(\"/orders/1\")).andExpect(status().isOk()); }",
        ),
        (
            "any answer",
            "@Test void t() throws Exception { mvc.perform(delete(\"/orders/1\")); }",
        ),
        (
            "twice",
            "@Test void t() throws Exception { mvc.perform(delete(\"/orders/1\")).andExpect(status().isNoContent()); mvc.perform(delete(\"/orders/2\")).andExpect(status().isNoContent()); }",
        ),
        (
            "maybe",
            "@Test void t() throws Exception { if (orders != null) mvc.perform(delete(\"/orders/1\")).andExpect(status().isNoContent()); }",
        ),
        (
            "told to answer",
            "@Test void t() throws Exception { when(orders.find(1)).thenReturn(\"a\"); mvc.perform(get(\"/found/1\")).andExpect(status().isOk()); }",
        ),
        (
            "verified by another test",
            "@Test void t() throws Exception { mvc.perform(delete(\"/orders/1\")).andExpect(status().isNoContent()); }
            @Test void u() throws Exception { mvc.perform(delete(\"/orders/2\")).andExpect(status().isNoContent()); verify(orders).drop(2); }",
        ),
    ] {
        let fixture = Fixture::parse(&web(tests));
        let analysis = analysis(&fixture);
        let file = analysis.program().file("src/test/java/own/OrderApiTest.java");
        let lenses = all_lenses(&analysis, file.expect("it was given"));
        assert!(
            !lenses.iter().any(|l| l.1.contains("verifies")),
            "{how}: {lenses:?}"
        );
    }
}
