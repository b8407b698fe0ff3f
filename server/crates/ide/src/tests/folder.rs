//! What is told of a project to somebody who does not know it: what no assertion reads, and the nearest test.

use super::{check, ground};
use crate::Analysis;
use crate::answers::{Answer, List, NearestTest, Scope, ScopeKind, What};
use program::FileId;
use text::{Encoding, Position, Span};

/// The places of a project's first list in one file: the nearest test with its calls, `nobody`, and of what an assertion may
/// read that it does.
fn told(analysis: &Analysis, file: FileId) -> Vec<(Span, String)> {
    let ground = ground(analysis);
    let scope = Scope {
        kind: ScopeKind::Workspace,
        name: String::new(),
        what: What::Path {
            prefix: String::new(),
            tests: false,
        },
    };
    let answer = Answer::new(&ground, scope, Some(List::Computed), false).json;
    let program = analysis.program();
    let lines = analysis.lines(file);
    let mut out = Vec::new();
    for r in answer.ranking.iter().flatten() {
        let c = &r.candidate;
        if program.file(&c.path) != Some(file) {
            continue;
        }
        let at = |line: u32, column: u32| {
            let position = Position {
                line: line - 1,
                column: column - 1,
            };
            lines.offset(position, Encoding::Utf16)
        };
        let simple = |t: &NearestTest| {
            let name = t.test.split('(').next().unwrap_or_default();
            format!(
                "{} {}",
                name.rsplit('#').next().unwrap_or_default(),
                t.calls
            )
        };
        let near = match &r.nearest_test {
            Some(Some(test)) => simple(test),
            Some(None) => "nobody".to_owned(),
            None => "?".to_owned(),
        };
        let read = match r.checked {
            Some(c) if c.this => " read",
            _ => "",
        };
        let start = at(c.line, c.column);
        out.push((Span::new(start, start + 1), format!("{near}{read}")));
    }
    out
}

const TILL: &str = "
class Till {
    int sell(int price, int count) {
        int all = price * count;
        note(all + 1);
        return all;
    }
    private void note(int sold) {
        int twice = sold * 2;
//          ^ sells 2
        System.identityHashCode(this);
    }
    int unused(int of) {
        return of * 3;
//      ^ nobody
    }
    int dropped(int of) {
        return of + 4;
//      ^ drops 1
    }
}
";

const TESTS: &str = "
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.*;
class TillTest {
    @Test void sells() { assertEquals(6, new Till().sell(2, 3)); }
    @Test void drops() { new Till().dropped(2); }
}
";

#[test]
fn what_no_assertion_reads_is_told_with_the_nearest_test() {
    let text = format!("//- /src/main/java/Till.java{TILL}//- /src/test/java/TillTest.java{TESTS}");
    check(&text, told);
}

#[test]
fn where_all_may_be_read_all_is_told_and_says_so() {
    check(
        "//- /src/main/java/Till.java
class Till {
    int sell(int price, int count) {
        return price * count;
//      ^ sells 1 read
    }
}
//- /src/test/java/TillTest.java
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.*;
class TillTest {
    @Test void sells() { assertEquals(6, new Till().sell(2, 3)); }
}
",
        told,
    );
}

#[test]
fn what_an_assertion_may_see_elsewhere_is_not_told() {
    check(
        "//- /src/main/java/Till.java
class Till {
    private final Mailer mailer; private final Store store;
    Till(Mailer mailer, Store store) { this.mailer = mailer; this.store = store; }
    int sell(int price, int count) {
        int decides = price * count;
        if (decides > 10) { return 1; }
        int told = price + count;
        mailer.send(told);
        int kept = price - count;
        store.keep(kept);
        String why = \"no \" + price;
        if (count < 0) { throw new IllegalStateException(why); }
        return 2;
    }
    Bill bill(int price) { return new Bill(price + 1); }
    int lost(int price) {
        int unread = price + 5;
//          ^ sells 1
        return 7;
    }
}
class Bill {
    final int sum;
    Bill(int sum) { this.sum = sum; }
    int getSum() { return sum; }
    public boolean equals(Object other) { return other instanceof Bill; }
}
interface Mailer { void send(int told); }
interface Store { void keep(int kept); }
//- /src/test/java/TillTest.java
import org.junit.jupiter.api.Test;
import org.mockito.Mock;
import static org.mockito.Mockito.*;
import static org.junit.jupiter.api.Assertions.*;
class TillTest {
    @Mock Mailer mailer; @Mock Store store;
    @Test void sells() {
        Till till = new Till(mailer, store);
        assertEquals(2, till.sell(2, 3));
        verify(mailer).send(5);
        Bill bill = till.bill(3);
        assertEquals(4, bill.getSum());
        till.lost(2);
    }
}
",
        told,
    );
}

#[test]
fn what_a_container_may_run_is_not_said_to_be_reached_by_nobody() {
    check(
        "//- /src/main/java/Till.java
class Till {
    @Scheduled int often(int of) { return half(of) * 2; }
    private int half(int of) {
        int lost = of / 2;
        return of;
    }
    int asked(int of) { int lost = of * 3; return of; }
    int alone(int of) {
        int gone = of * 5;
//          ^ nobody
        return of;
    }
}
class Other { int ask(Unknown of) { return of.asked(3); } }
//- /src/test/java/TillTest.java
import org.junit.jupiter.api.Test;
class TillTest { @Test void makes() { new Till(); } }
",
        told,
    );
}

#[test]
fn of_tests_as_near_that_of_the_class_comes_first() {
    check(
        "//- /src/main/java/Till.java
class Till {
    int dropped(int of) {
        return of + 4;
//      ^ second 1
    }
}
//- /src/test/java/AllTest.java
import org.junit.jupiter.api.Test;
class AllTest { @Test void first() { new Till().dropped(1); } }
//- /src/test/java/TillTest.java
import org.junit.jupiter.api.Test;
class TillTest { @Test void second() { new Till().dropped(2); } }
",
        told,
    );
}
