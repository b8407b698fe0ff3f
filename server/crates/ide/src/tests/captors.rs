//! Lenses above tests that have a captor keep something and never ask it.

use super::{actions_at_cursor, check, lenses_of_tests};

/// The test file with these tests.
fn tests(tests: &str) -> String {
    format!(
        "//- /src/main/java/own/Desk.java
package own;
public class Desk {{
    private final Mailer mailer;
    public Desk(Mailer mailer) {{ this.mailer = mailer; }}
    public void send(int count) {{ int sent = count * 2 + 1; mailer.mail(sent); }}
    public void pass(int count) {{ mailer.mail(count); }}
}}
interface Mailer {{ void mail(int count); }}
//- /src/test/java/own/DeskTest.java
package own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.*;

import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.Mock;

class DeskTest {{
    @Mock Mailer mailer;
{tests}
}}
"
    )
}

#[test]
fn who_made_a_captor_and_never_asks_it_is_told() {
    check(
        &tests(
            "    @Test void sends() {
        //     ^^^^^ next: count.getValue()
        ArgumentCaptor<Integer> count = ArgumentCaptor.forClass(Integer.class);
        new Desk(mailer).send(2);
        verify(mailer).mail(count.capture());
    }
    @Test void asks() {
        ArgumentCaptor<Integer> count = ArgumentCaptor.forClass(Integer.class);
        new Desk(mailer).send(2);
        verify(mailer).mail(count.capture());
        assertEquals(5, count.getValue());
    }
    @Test void passes() {
        ArgumentCaptor<Integer> count = ArgumentCaptor.forClass(Integer.class);
        new Desk(mailer).pass(2);
        verify(mailer).mail(count.capture());
    }
    @Test void verifies() {
        new Desk(mailer).send(2);
        verify(mailer).mail(anyInt());
    }",
        ),
        lenses_of_tests,
    );
}

#[test]
fn the_assertion_stands_behind_what_asks_for_the_call() {
    let text = tests(
        "    @Test void se$0nds() {
        ArgumentCaptor<Integer> count = ArgumentCaptor.forClass(Integer.class);
        new Desk(mailer).send(2);
        verify(mailer).mail(count.capture());
    }",
    );
    let (title, after) = actions_at_cursor(&text).into_iter().next().expect("one");
    assert_eq!(title, "Assert count.getValue()");
    let after = after.expect("an edit");
    let (_, behind) = after
        .split_once("verify(mailer).mail(count.capture());")
        .expect("it stays");
    assert!(
        behind
            .trim_start()
            .starts_with("assertEquals(Integer.MIN_VALUE, count.getValue());"),
        "{behind}"
    );
}
