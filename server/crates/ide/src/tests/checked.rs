//! Which lines a test checks: `//+` marks a line that runs and is checked, `//-` one that runs and that nobody checks, `//?` one that
//! runs and of which nothing is said, `//0` one that does not run. Of tests all lines run but those that say `// not run`.

#![allow(clippy::unwrap_used)]

use super::{Fixture, analysis};
use crate::Analysis;
use crate::checked::{
    Checked, Places, RanLines, has_code, lines_of_test, ran_outside, tests_of_line,
};
use evidence::{Facts, PackedLines, Ran, RanBy};
use std::sync::Arc;
use text::LineSet;

/// What ran by what the marks say: every test of a file the lines of tests, and all that is marked as run.
pub(super) fn recorded(fixture: &Fixture) -> Analysis {
    let plain = analysis(fixture);
    let program = plain.program();
    let places = Places::new(program);
    let mut ran: Vec<(String, LineSet)> = Vec::new();
    let mut code: Vec<(String, LineSet)> = Vec::new();
    for &file in program.files() {
        let text = program.text(file).unwrap();
        let class = program
            .type_name(program.types_of_file(file)[0])
            .to_string();
        let lines = |marks: &[&str], has_run: bool| -> LineSet {
            let of_test = |l: &str| program.is_test(file) && !(has_run && l.contains("// not run"));
            let all = text.lines().zip(1u32..);
            let own = all.filter(|(l, _)| marks.iter().any(|m| l.contains(m)) || of_test(l));
            own.map(|(_, line)| line).collect()
        };
        ran.push((class.clone(), lines(&["//+", "//-", "//?"], true)));
        code.push((class, lines(&["//+", "//-", "//?", "//0"], false)));
    }
    let keep = |of: &[(String, LineSet)]| places.keep(of.iter().map(|(c, l)| (c.as_str(), l)));
    let mut out = Ran::default();
    for (member, at) in keep(&code) {
        let packed = PackedLines::pack(&vec![("".into(), at)]).unwrap();
        out.code.insert(member, packed);
    }
    for &test in plain.workspace().suite().tests() {
        let by = RanBy {
            key: plain.key(test),
            lines: PackedLines::pack(&keep(&ran)).unwrap(),
        };
        out.tests.insert(program.method_name(test).into(), by);
    }
    plain.with_facts(Arc::new(Facts::default().with_ran(out)))
}

/// What is said of each line that is marked, as its mark.
fn said(analysis: &Analysis) -> String {
    let program = analysis.program();
    let checked = Checked::new(analysis);
    let mut out = String::new();
    for file in &checked.files {
        for (line, text) in (1u32..).zip(program.text(file.file).unwrap().lines()) {
            let Some((code, _)) = text.split_once("//") else {
                continue;
            };
            let mark = match file.lines.get(&line) {
                None => continue,
                Some(l) if l.run_by.is_empty() => "0",
                Some(l) if !l.checked_by.is_empty() => "+",
                Some(l) if l.is_unchecked => "-",
                Some(_) => "?",
            };
            out.push_str(&format!("{code}//{mark}\n"));
        }
    }
    out
}

pub(super) fn check(text: &str) {
    let fixture = Fixture::parse(text);
    let wanted: String = text
        .lines()
        .filter(|l| ["//+", "//-", "//?", "//0"].iter().any(|m| l.ends_with(m)))
        .map(|l| format!("{l}\n"))
        .collect();
    assert_eq!(said(&recorded(&fixture)), wanted);
}

/// A class with these members, and a test with this code.
pub(super) fn with(members: &str, test: &str) -> String {
    format!(
        "//- /src/main/java/own/Box.java
package own;
import java.util.*;
public class Box {{
{members}
}}
//- /src/test/java/own/BoxTest.java
package own;
import static org.junit.jupiter.api.Assertions.*;
import static org.mockito.Mockito.*;
import org.junit.jupiter.api.Test;
class BoxTest {{
    @Test void it() {{
        {test}
    }}
}}
"
    )
}

#[test]
fn a_test_that_ran_it_is_known_to_run_it_whatever_calls_it() {
    let text = "//- /src/main/java/own/Box.java
package own;
class Box {
    int size(int n) {
        int twice = n * 2; //+
        return twice; //+
    }
}
//- /src/test/java/other/ByNameTest.java
package other;
import org.junit.jupiter.api.Test;
class ByNameTest {
    @Test void it() throws Exception {
        Class.forName(\"own.Box\").getDeclaredMethods();
    }
}
";
    let tests = |analysis: &Analysis| {
        let program = analysis.program();
        let box_file = program.file("src/main/java/own/Box.java").unwrap();
        let body = program.bodies_of_file(box_file)[0];
        crate::inner::tests_of(analysis, body, 3).len()
    };
    let fixture = Fixture::parse(text);
    assert_eq!(tests(&analysis(&fixture)), 0);
    assert_eq!(tests(&recorded(&fixture)), 1);
}

#[test]
fn what_lombok_s_getters_read_is_checked_where_they_are_asserted() {
    check(
        "//- /src/main/java/own/Rules.java
package own;
import lombok.Getter;
@Getter
public class Rules {
    private boolean set;
    private Float gain;
    private int asked; //?
    public Rules(Float gain) {
        asked = 1; //-
        if (gain != null) { //+
            set = true; //+
            this.gain = gain; //+
        }
    }
}
//- /src/test/java/own/RulesTest.java
package own;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class RulesTest {
    @Test void gains() {
        Rules rules = new Rules(1f);
        assertTrue(rules.isSet());
        assertEquals(1f, rules.getGain());
        rules.getAsked();
    }
}
",
    );
}

#[test]
fn labels_of_a_switch_are_checked_where_what_it_decides_is() {
    let members = "    void skip(int c) {
        switch (c) { //+
            case 9, 10 -> {} //+
            default -> throw new IllegalStateException(\"\" + c); //0
        }
    }
    int of(String s) {
        int n = 0; //+
        switch (s) { //+
            case \"a\": //+
                n = 1; //+
                break;
            case \"b\": //0
                n = 2; //0
        }
        return n; //+
    }";
    let test = "Box b = new Box(); b.skip(9); assertEquals(1, b.of(\"a\"));";
    check(&with(members, test));
}

#[test]
fn what_is_returned_to_an_assertion_is_checked() {
    let members = "    int sum(int a, int b) {
        int unused = a * b; //-
        int c = a + b; //+
        if (c > 100) { //+
            c = 100; //0
        }
        return c; //+
    }";
    check(&with(members, "assertEquals(3, new Box().sum(1, 2));"));
}

#[test]
fn nothing_is_checked_where_a_value_is_dropped() {
    let members = "    int sum(int a, int b) {
        int c = a + b; //-
        return c; //-
    }";
    check(&with(members, "new Box().sum(1, 2); assertTrue(true);"));
}

#[test]
fn a_field_is_checked_if_somebody_reads_it_for_an_assertion() {
    let members = "    private int read;
    private int written;
    void put(int n) {
        read = n; //+
        written += n; //-
    }
    int read() {
        return read; //+
    }";
    check(&with(
        members,
        "Box box = new Box(); box.put(1); assertEquals(1, box.read());",
    ));
}

#[test]
fn a_condition_is_checked_if_another_way_might_have_changed_what_is_read() {
    let members = "    private int sum;
    void put(int n) {
        if (n < 0) { //+
            clear(); //0
        }
        if (n > 90) { //-
            quiet(); //0
        }
        sum += n; //+
    }
    private void clear() {
        sum = 0; //0
    }
    private int times;
    private void quiet() {
        times++; //0
    }
    int sum() {
        return sum; //+
    }";
    check(&with(
        members,
        "Box box = new Box(); box.put(1); assertEquals(1, box.sum());",
    ));
}

#[test]
fn a_condition_for_an_exception_is_checked_by_each_test_that_runs_it() {
    let members = "    void put(Object it) {
        if (it == null) { //+
            throw new IllegalArgumentException(); //0
        }
        Objects.requireNonNull(it); //+
        int hash = it.hashCode(); //-
    }";
    check(&with(members, "new Box().put(\"a\");"));
}

#[test]
fn a_condition_for_a_helper_that_throws_is_checked_too() {
    let members = "    private final StringBuilder log = new StringBuilder();
    void put(Object it) {
        if (it == null) { //+
            refuse(\"none\"); //0
        }
        if (it instanceof Integer) { //-
            tell(\"number\"); //0
        }
        int hash = it.hashCode(); //-
    }
    private static void refuse(String why) {
        String text = \"put: \" + why; //0
        throw new IllegalArgumentException(text); //0
    }
    private void tell(String what) {
        if (log == null) { //0
            throw new IllegalStateException(what); //0
        }
    }";
    check(&with(members, "new Box().put(\"a\");"));
}

#[test]
fn what_decides_over_an_assertion_that_does_not_run_is_checked() {
    let members = "    int sum(int a, int b) {
        int unused = a * b; //-
        return a + b; //+
    }
    boolean isOpen() {
        return true; //+
    }
    int other() {
        return 2; //-
    }";
    let test = "int sum = new Box().sum(1, 2);
        if (sum != 3) {
            fail(\"no\" + sum); // not run
        }
        if (!new Box().isOpen()) {
            assertEquals(1, sum); // not run
        }
        if (new Box().other() != 2) {
            new Box().other(); // not run
        }";
    check(&with(members, test));
}

#[test]
fn what_is_thrown_is_checked() {
    let members = "    void put(int n) {
        String why = \"not \" + n; //+
        throw new IllegalStateException(why); //+
    }";
    check(&with(
        members,
        "assertThrows(IllegalStateException.class, () -> new Box().put(1));",
    ));
}

#[test]
fn what_goes_into_a_collection_that_is_read_is_checked() {
    let members = "    private final List<String> names = new ArrayList<>();
    private final StringBuilder log = new StringBuilder();
    void add(String name) {
        String trimmed = name.trim(); //+
        log.append(trimmed); //-
        names.add(trimmed); //+
    }
    List<String> names() {
        return names; //+
    }";
    check(&with(
        members,
        "Box box = new Box(); box.add(\"a\"); assertEquals(1, box.names().size());",
    ));
}

#[test]
fn what_a_stand_in_is_given_is_checked() {
    let members = "    interface Port { void send(String what); }
    private final Port port;
    Box(Port port) {
        this.port = port; //+
    }
    void run(int n) {
        String text = \"n\" + n; //+
        port.send(text); //+
    }";
    check(&with(
        members,
        "Port port = mock(Box.Port.class); new Box(port).run(1); verify(port).send(\"n1\");",
    ));
}

#[test]
fn a_function_that_is_given_away_is_checked_by_what_comes_of_it() {
    let members = "    int total(List<Integer> all) {
        int factor = 2; //+
        int other = 3; //-
        return all.stream() //+
            .mapToInt(n -> n * factor) //+
            .sum(); //+
    }";
    check(&with(
        members,
        "assertEquals(6, new Box().total(List.of(1, 2)));",
    ));
}

#[test]
fn a_loop_is_checked_with_what_it_computes() {
    let members = "    int count(int[] all) {
        int count = 0; //+
        int last = 0; //-
        for (int n : all) { //+
            if (n < 0) { //+
                break; //0
            }
            last = n; //-
            count++; //+
        }
        return count; //+
    }";
    check(&with(
        members,
        "assertEquals(2, new Box().count(new int[] {1, 2}));",
    ));
}

#[test]
fn what_a_function_is_given_is_checked_by_what_it_does_with_it() {
    let members = "    private final StringBuilder out = new StringBuilder();
    void write(String a) {
        each(a, line -> { //+
            out.append(line); //+
        });
    }
    private void each(String a, java.util.function.Consumer<String> to) {
        int n = a.length(); //+
        int m = a.length(); //-
        to.accept(a + n); //+
    }
    String text() {
        return out.toString(); //+
    }";
    check(&with(
        members,
        "Box box = new Box(); box.write(\"a\"); assertEquals(\"a1\", box.text());",
    ));
}

#[test]
fn what_is_only_logged_is_checked_by_nobody() {
    let members = "    private static final java.util.logging.Logger LOG = java.util.logging.Logger.getLogger(\"a\");
    int twice(int n) {
        LOG.info(\"twice \" + n); //-
        return n * 2; //+
    }";
    check(&with(members, "assertEquals(4, new Box().twice(2));"));
}

#[test]
fn code_says_what_is_watched_and_comments_and_texts_do_not() {
    let check_with = |import: &str, member: &str, written: char, logged: char| {
        check(&format!(
            "//- /src/main/java/own/Box.java
package own;
import java.io.Writer;
import java.util.logging.Logger;
public class Box {{
    private static final Logger LOG = Logger.getLogger(\"a\");
    int twice(Writer out, int n) throws Exception {{
        out.write(n); //{written}
        LOG.info(\"twice \" + n); //{logged}
        return n * 2; //+
    }}
}}
//- /src/test/java/own/BoxTest.java
package own;
import static org.junit.jupiter.api.Assertions.*;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
{import}
class BoxTest {{
    {member}
    @Test void it() throws Exception {{
        assertEquals(4, new Box().twice(new StringWriter(), 2));
    }}
}}
"
        ));
    };
    check_with("", "", '-', '-');
    let comment = "// Mockito of Spring: its clock, a spy, a Handler; see setOut";
    check_with(
        comment,
        "String text = \"a mock, a Stub, an Appender\";",
        '-',
        '-',
    );
    check_with(
        "import java.time.Clock;",
        "Clock clock; Object blocks;",
        '-',
        '-',
    );
    check_with("import org.mockito.*;", "", '+', '-');
    check_with("", "@Injectable Object clock;", '+', '-');
    check_with("", "void port() { createMock(); }", '+', '-');
    check_with("", "StubClock clock;", '+', '-');
    // Who looks at what is logged may look at what others wrote.
    check_with("", "java.util.logging.Handler seen;", '?', '+');
}

#[test]
fn equals_and_the_like_are_asked_by_assertions() {
    let members = "    final int a;
    final int b;
    Box(int a, int b) {
        this.a = a; //+
        this.b = b; //-
    }
    @Override public boolean equals(Object o) {
        return o instanceof Box && ((Box) o).a == a; //+
    }
    @Override public int hashCode() {
        return a; //0
    }";
    check(&with(
        members,
        "assertEquals(new Box(1, 2), new Box(1, 3));",
    ));
}

#[test]
fn what_another_test_left_behind_is_no_reason_to_say_that_nobody_checks_it() {
    let text = "//- /src/main/java/own/Box.java
package own;
public class Box {
    private static Integer cached;
    static int slow() {
        if (cached == null) {
            cached = 17;
        }
        return cached;
    }
}
//- /src/test/java/own/BoxTest.java
package own;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class BoxTest {
    @Test void first() { Box.slow(); }
    @Test void second() { assertEquals(17, Box.slow()); }
}
";
    let plain = analysis(&Fixture::parse(text));
    let program = plain.program();
    let places = Places::new(program);
    let keep = |box_lines: &[u32], test_line: u32| {
        let lines: LineSet = box_lines.iter().copied().collect();
        let test: LineSet = [test_line].into_iter().collect();
        places.keep([("own.Box", &lines), ("own.BoxTest", &test)].into_iter())
    };
    let mut ran = Ran::default();
    for (member, at) in keep(&[5, 6, 8], 5).into_iter().chain(keep(&[], 6)) {
        ran.code
            .insert(member, PackedLines::pack(&vec![("".into(), at)]).unwrap());
    }
    let mut of = |name: &str, lines: &evidence::Lines| {
        let tests = plain.workspace().suite().tests();
        let test = tests
            .iter()
            .find(|t| program.method_name(**t).contains(name))
            .unwrap();
        let by = RanBy {
            key: plain.key(*test),
            lines: PackedLines::pack(lines).unwrap(),
        };
        ran.tests.insert(program.method_name(*test).into(), by);
    };
    of("first", &keep(&[5, 6, 8], 5));
    of("second", &keep(&[5, 8], 6));
    let analysis = plain.with_facts(Arc::new(Facts::default().with_ran(ran)));
    let checked = Checked::new(&analysis);
    let lines = &checked.files[0].lines;
    assert_eq!(lines[&6].run_by, [0]);
    assert!(
        !lines[&6].is_unchecked,
        "the second test reads what the first left there"
    );
    assert_eq!(lines[&8].checked_by, [1]);
}

#[test]
fn a_line_tells_its_tests_and_a_test_its_lines() {
    let members = "    int sum(int a, int b) {
        int unused = a * b; //-
        return a + b; //+
    }";
    let text = with(members, "assertEquals(3, new Box().sum(1, 2));");
    let analysis = recorded(&Fixture::parse(&text));
    let program = analysis.program();
    let file = program.file("src/main/java/own/Box.java").unwrap();
    let test = analysis.workspace().suite().tests()[0];
    let line = |line: u32| tests_of_line(&analysis, file, line);
    assert_eq!(line(6).unwrap().checked_by, [test]);
    let unused = line(5).unwrap();
    assert_eq!((unused.run_by, unused.checked_by), (vec![test], vec![]));
    assert_eq!(line(1), None);
    let lines = lines_of_test(&analysis, test).unwrap();
    assert_eq!(lines.runs[0].1.iter().collect::<Vec<_>>(), [5, 6]);
    assert_eq!(lines.checks[&file].iter().collect::<Vec<_>>(), [6]);
    let hover = crate::hover::hover(
        &analysis,
        file,
        program.text(file).unwrap().find("unused").unwrap() as u32,
    );
    assert!(
        hover
            .unwrap()
            .plain
            .contains("Run by 1 test, not known to be checked by any of them.")
    );
}

#[test]
fn lines_are_found_again_after_they_moved_and_not_after_they_changed() {
    let members = "    int sum(int a, int b) {
        int unused = a * b; //-
        return a + b; //+
    }";
    let text = with(members, "assertEquals(3, new Box().sum(1, 2));");
    let analysis = recorded(&Fixture::parse(&text));
    let after = |from: &str, to: &str| {
        let path: Arc<str> = "src/main/java/own/Box.java".into();
        let program = analysis.program();
        let file = program.file(&path).unwrap();
        let change = program::Change {
            text: Some(program.text(file).unwrap().replace(from, to).into()),
            source_set: program.source_set(file).unwrap(),
            path,
        };
        analysis.after(vec![change])
    };
    let moved = after("    int sum", "    // a comment\n\n    int sum");
    let lines = &Checked::new(&moved).files[0].lines;
    assert!(
        lines[&7].is_unchecked && lines[&8].checked_by == [0],
        "{lines:?}"
    );
    let changed = Checked::new(&after("a * b", "a * b * 2"));
    assert_eq!((changed.files.len(), changed.stale), (0, 1));
}

/// After an edit that moves lines, what was kept of where they are is what is found anew.
#[test]
fn places_that_are_kept_are_those_that_are_found() {
    let text = with(
        "    private int n;
    private int uses;
    public int next(int by) {
        uses++; //-
        n += by; //+
        return n; //+
    }
    public int twice(int by) {
        uses++; //-
        return n + by; //+
    }",
        "Box box = new Box(); assertEquals(5, box.next(2) + box.twice(1));",
    );
    let before = recorded(&Fixture::parse(&text));
    said(&before);
    let facts = Arc::clone(before.facts());
    let own = "uses++; //-\n        n";
    for moved in [
        "\n\n        uses++; //-\n        n",
        "uses++; //-\n\n\n        n",
        "uses++; /* so */ //-\n        n",
    ] {
        let edited = text.replacen(own, moved, 1);
        assert_ne!(edited, text);
        let file = Fixture::parse(&edited);
        let path = "src/main/java/own/Box.java";
        let program = analysis(&file);
        let new = program.program().file(path).unwrap();
        let change = |to: &Analysis| program::Change {
            path: path.into(),
            source_set: program.program().source_set(new).unwrap(),
            text: to.program().text(to.program().file(path).unwrap()).cloned(),
        };
        let after = before.after(vec![change(&program)]);
        let anew = program.with_facts(Arc::clone(&facts));
        assert!(said(&anew).contains("//+"), "{}", said(&anew));
        assert_eq!(said(&after), said(&anew), "{moved}");
        let back = after.after(vec![change(&before)]);
        assert_eq!(said(&back), said(&before), "{moved}");
    }
}

/// What is known of each line of two files, in words.
fn known_of_lines(analysis: &Analysis) -> Vec<String> {
    let program = analysis.program();
    let test = analysis.workspace().suite().tests()[0];
    let (itself, all) = (analysis.ran_itself(test), analysis.ran_in(test));
    let mut out = Vec::new();
    for path in [
        "src/main/java/own/Box.java",
        "src/test/java/own/BoxTest.java",
    ] {
        let file = program.file(path).unwrap();
        for (line, text) in (1u32..).zip(program.text(file).unwrap().lines()) {
            let code = has_code(analysis, file, line);
            let outside = ran_outside(analysis, file, line);
            let ran = |of: &Option<RanLines>| of.as_ref().map(|ran| ran.may_have(file, line, line));
            let own = (ran(&itself), ran(&all));
            out.push(format!("{text}: {code}, {outside}, {own:?}"));
        }
    }
    out
}

/// However many edits ago somebody asked, and of whichever file.
#[test]
fn what_is_known_of_lines_after_edits_is_what_is_found_anew() {
    let mut text = with(
        "    private int n;
    public int next(int by) {
        n += by; //+
        return n; //+
    }
    public int twice(int by) {
        if (by > 100) {
            return 0; //0
        }
        return n + by; //+
    }",
        "Box box = new Box();
        assertEquals(5, box.next(2) + box.twice(1));",
    );
    let first = recorded(&Fixture::parse(&text));
    let mut ran = Ran::clone(first.facts().ran());
    let all = ran.tests.values().next().unwrap().lines.lines().unwrap();
    for own in [&all[..1], &all[..2]] {
        let packed = PackedLines::pack(&own.to_vec()).unwrap();
        ran.nobodys.push(packed);
    }
    let facts = Arc::new(Facts::default().with_ran(ran));
    let first = first.with_facts(Arc::clone(&facts));
    let known = known_of_lines(&first).join("\n");
    for words in [
        "true, true, (Some(true), Some(true))",
        "true, false, (Some(true), Some(true))",
        "true, false, (Some(false), Some(false))",
        "false, false, (Some(true), Some(true))",
    ] {
        assert!(known.contains(words), "{words}\n{known}");
    }
    let (code, test) = (
        "src/main/java/own/Box.java",
        "src/test/java/own/BoxTest.java",
    );
    // Each asks behind other edits: the state is asked for what the first kept, too.
    let mut states: Vec<Analysis> = (0..32)
        .map(|_| first.with_facts(Arc::clone(&facts)))
        .collect();
    states.iter().for_each(|state| {
        known_of_lines(state);
    });
    for (step, (path, from, to)) in [
        (code, "        n += by;", "\n\n        n += by;"),
        (
            test,
            "        assertEquals",
            "\n        // so\n        assertEquals",
        ),
        (code, "        return 0;", "\n        return 0;"),
        (code, "return n + by;", "return n + by + 1;"),
        (code, "return n + by + 1;", "\n        return n + by;"),
    ]
    .into_iter()
    .enumerate()
    {
        text = text.replacen(from, to, 1);
        let plain = analysis(&Fixture::parse(&text));
        let anew = plain.with_facts(Arc::clone(&facts));
        for (asks, state) in states.iter_mut().enumerate() {
            let program = anew.program();
            let file = program.file(path).unwrap();
            *state = state.after(vec![program::Change {
                path: path.into(),
                source_set: program.source_set(file).unwrap(),
                text: program.text(file).cloned(),
            }]);
            if asks >> step & 1 == 1 || step == 4 {
                let at = format!("{asks:b} {step}");
                assert_eq!(known_of_lines(state), known_of_lines(&anew), "{at}");
            }
        }
    }
}
