//! Which values inside look worth a check in the code: numbers and texts of which only a part comes out.

use super::*;

/// The variables that look worth it, `return` for what methods return, if the class under test has these members and a
/// test calls `f(5, "ab")`.
fn worth(members: &str) -> Vec<String> {
    let main = format!(
        "package p; import java.util.*; import java.util.function.*; public class Account {{ private int kept; \
         private final List<Integer> held = new ArrayList<>(); \
         private final java.util.logging.Logger log = null; {members} \
         static class Thrown extends RuntimeException {{ Thrown(String s) {{ super(s); }} }} }}"
    );
    worth_in(&main)
}

fn worth_in(main: &str) -> Vec<String> {
    let case = with_main(main, "", "assertTrue(new Account().f(5, \"ab\"));");
    named(&case.offer(&Switches::default()))
}

fn named(offer: &Offer) -> Vec<String> {
    let name = |r: &Ranked| match offer.graph.nodes[r.vertex as usize] {
        Node::Real { unit, candidate } => {
            let own = &offer.units[unit.ix()].chains.candidates[candidate as usize];
            match own.variable.as_str() {
                "" => "return".to_owned(),
                own => own.to_owned(),
            }
        }
        Node::Point(_) => unreachable!(),
    };
    let worth = |r: &&Ranked| offer.inside_worth.contains(&r.vertex);
    let mut all: Vec<String> = offer.inside.iter().filter(worth).map(name).collect();
    all.sort();
    all
}

fn with_body(body: &str) -> Vec<String> {
    worth(&format!("public boolean f(int a, String s) {{ {body} }}"))
}

#[test]
fn what_only_a_part_comes_out_of_is_worth_a_check() {
    for body in [
        "int x = a * 3 + 1; return x > 4;",
        "int x = a * 3 + 1; return x % 10 == 0;",
        "int x = a * 3 + 1; if (x < 0) { throw new Thrown(\"bad \" + x); } return true;",
        "int x = Math.max(a * 2, 3); return x < s.length();",
        "int x = a * 3 + 1; log.info(String.format(\"%d\", x)); return x > 4;",
        "int x = a * 3 + 1; long y = x; return Math.abs(y) < 7;",
        "String x = s + a + s; return x.startsWith(\"q\");",
        "int x = 0; x += a * 2; return -x < 4;",
        "int x = a * 3 + 1; return Integer.compare(x, a) == 1;",
        // What is counted, and compared with another; or begins with some.
        "int x = 0; for (int i = 0; i < a; i++) { if (s.charAt(i) == 'q') { x++; } } return x > 1 + a;",
        "int x = 0; for (int i = 0; i < a; i++) { x += 2; } return x > 1;",
        "int x = 0; for (int i = 0; i < a; i++) { if (s.charAt(i) == 'q') { x++; } } return x > 1;",
        // What it begins with, not what a branch makes of it.
        "int x = a * 2 + 1; if (s == null) { x -= a * 3; } return x < 4;",
        // One of two arms that both leave.
        "if (a > 3) { int x = a * 3 + 1; return x > 4; } return true;",
        // Behind a guard.
        "if (s == null) { return false; } int x = a * 3 + 1; return x > 4;",
        "if (a < 0) { throw new Thrown(s); } int x = a * 3 + 1; return x > 4;",
        "for (int i = 0; i < a; i++) { int x = i * 3 + a; if (x > 4) { return true; } } return false;",
        // Stepped in a branch of a loop, or summed up in it, and looked at behind it.
        "int x = 0; for (int i = 0; i < a; i++) { if (s.charAt(i) == 'q') { x++; } } return x > a;",
        "int x = 0; for (int i = 0; i < a; i++) { x += s.charAt(i); } return x > a;",
    ] {
        assert_eq!(with_body(body), ["x"], "{body}");
    }
    // However deep.
    let deep = "1 + ".repeat(5000);
    assert_eq!(
        with_body(&format!("int x = a * 3 + 1; return x + {deep} 1 > 4;")),
        ["x"]
    );
    // Followed into a method that it is given to, and out of one that gives it.
    assert_eq!(
        worth(
            "public boolean f(int a, String s) { int x = a * 3 + 1; return big(x); } \
             private boolean big(int n) { return n > 4; }"
        ),
        ["x"]
    );
    assert_eq!(
        worth(
            "public boolean f(int a, String s) { return twice(a) > 4; } \
             private int twice(int n) { return n * 2 + 1; }"
        ),
        ["return"]
    );
    // Of a class that the class under test extends.
    let above = "package p; public class Account extends Base { } \
                 class Base { public boolean f(int a, String s) { int x = a * 3 + 1; return x > 4; } }";
    assert_eq!(worth_in(above), ["x"]);
}

#[test]
fn what_shows_or_is_not_computed_here_is_not() {
    let none: [&str; 0] = [];
    for body in [
        // Kept, given away, held, or returned by what the test calls.
        "int x = a * 3 + 1; kept = x; return x > 4;",
        "int x = a * 3 + 1; held.add(x); return x > 4;",
        "int x = a * 3 + 1; Object o = new Object[] { x }; return x > 4;",
        "int x = a * 3 + 1; Runnable r = new Runnable() { public void run() { kept = x; } }; return x > 4;",
        "int x = a * 3 + 1; Runnable r = () -> kept = x; return x > 4;",
        // A wrong one is not equal.
        "int x = a * 3 + 1; return x == s.length();",
        "String x = s + a + s; return x.equals(\"ab5\");",
        "int x = a * 3 + 1; return held.contains(x);",
        // How often.
        "int x = a * 3 + 1; for (int i = 0; i < x; i++) { kept++; } return true;",
        "int x = a * 3 + 1; int at = 0; while (at < x) { at++; } return true;",
        "int x = 0; while (x < a) { x++; } return true;",
        // Passed on, of nothing that was given, or a truth value.
        "int x = a; return x > 4;",
        "int x = s.length(); return x > 4;",
        "int x = 3 * 4 + 5; return x > 4;",
        "boolean x = a > 3; return !x;",
        "int x = Integer.parseInt(s); return x > 4;",
        "int x = Integer.compare(a, 3); return x > 0;",
        // Where there is one, which case it is, which element.
        "int x = a * 3 + 1; if (x == 0) { throw new Thrown(\"bad \" + x); } return true;",
        "int x = a * 3 + 1; switch (x) { case 1: return false; default: return true; }",
        "int x = a * 3 + 1; return s.charAt(x) > 'a';",
        "int x = a * 3 + 1; int[] all = {1, 2}; return all[x] > 4;",
        "int x = a * 3 + 1; return true;",
        // Whether any were counted.
        "int x = 0; for (int i = 0; i < a; i++) { if (s.charAt(i) == 'q') { x++; } } return x > 0;",
        "int x = 0; for (int i = 0; i < a; i++) { if (s.charAt(i) == 'q') { x += 1; } } if (x >= 1) { kept++; } return true;",
        "int x = 0; for (int i = 0; i < a; i++) { if (s.charAt(i) == 'q') { ++x; } } return 1 > x;",
        // Less its turns it shows.
        "int x = a * 3 + 1; kept = x % 360; return x > 4;",
        // One step is as plain as what it is made of.
        "int x = a * 3; return x > 4;",
        "int x = Math.max(a, 3); return x > 4;",
        // A branch passes by it.
        "if (a > 3) { if (a > 4) { int x = a * 3 + 1; return x > 4; } } return true;",
        "boolean big = false; if (a > 3) { int x = a * 3 + 1; big = x > 4; } return big;",
        "int x = 0; if (a > 3) { x = a * 3 + 1; } return x > 4;",
        // Nor what is counted when something fails.
        "int x = 0; for (int i = 0; i < a; i++) { try { s.charAt(i); } catch (RuntimeException e) { x++; } } return x > a;",
        // Whether a loop takes a turn nobody knows, nor who calls a function.
        "int x = 0; while (s.charAt(x) == ' ') { x += a * 2; } return x > 4;",
        "Function<Integer, Boolean> g = n -> { int x = n * 3 + 1; return x > 4; }; return g.apply(a);",
    ] {
        assert_eq!(with_body(body), none, "{body}");
    }
    // What runs when something fails.
    let caught = "private boolean told(int a) { int x = a * 3 + 1; return x > 4; } ";
    for (body, expected) in [
        ("return told(a);", vec!["x"]),
        (
            "try { return s.isEmpty(); } catch (RuntimeException e) { return told(a); }",
            vec![],
        ),
        (
            "try { return told(a); } catch (RuntimeException e) { return false; }",
            vec!["x"],
        ),
    ] {
        let members = format!("{caught} public boolean f(int a, String s) {{ {body} }}");
        assert_eq!(worth(&members), expected, "{body}");
    }
    // What others may call.
    assert_eq!(
        worth(
            "public boolean f(int a, String s) { return twice(a) > 4; } \
             int twice(int n) { return n * 2 + 1; }"
        ),
        none
    );
    // What stands in for nothing.
    assert_eq!(
        worth(
            "public boolean f(int a, String s) { return size(s) > 4; } \
             private int size(String t) { return t == null ? 0 : t.length(); }"
        ),
        none
    );
    // Of a class that is not the test's.
    let elsewhere =
        "package p; public class Other { boolean g(int a) { int x = a * 3 + 1; return x > 4; } }";
    let case = case_of(
        elsewhere,
        "AccountTest",
        "works",
        "",
        "assertTrue(new Other().g(5));",
    );
    assert!(case.offer(&Switches::default()).inside_worth.is_empty());
}

/// The same, if the test calls it so.
fn worth_called(call: &str, members: &str) -> Vec<String> {
    let main = format!("package p; public class Account {{ {members} }}");
    let case = with_main(&main, "", &format!("assertTrue(new Account().{call});"));
    named(&case.offer(&Switches::default()))
}

#[test]
fn behind_a_guard_nothing_is_sure_where_a_test_gives_nothing() {
    let guarded = "public boolean f(int a, String s) { if (s == null || s.isEmpty()) { return false; } \
                   int x = a * 3 + 1; return x > 4; }";
    assert_eq!(worth_called("f(5, \"ab\")", guarded), ["x"]);
    assert_eq!(worth_called("f(5, null)", guarded), [""; 0]);
    assert_eq!(worth_called("f(5, \"\")", guarded), [""; 0]);
    let turns = "public boolean f(int a, String s) { int x = 0; \
                 for (int i = 0; i < s.length(); i++) { x += a * 2; } return x > a; }";
    assert_eq!(worth_called("f(5, \"ab\")", turns), ["x"]);
    assert_eq!(worth_called("f(5, \"\")", turns), [""; 0]);
    // What runs anyway runs.
    let plain = "public boolean f(int a, String s) { int x = a * 3 + 1; return x > 4; }";
    assert_eq!(worth_called("f(5, null)", plain), ["x"]);
}

#[test]
fn what_is_called_in_a_branch_may_not_run() {
    let called = "private boolean g(int a) { int x = a * 3 + 1; return x > 4; } \
                  public boolean f(int a, String s)";
    let in_branch = format!("{called} {{ return s.contains(\"a\") || g(a); }}");
    assert_eq!(worth_called("f(5, \"ab\")", &in_branch), [""; 0]);
    let sure = format!("{called} {{ return g(a) || s.contains(\"a\"); }}");
    assert_eq!(worth_called("f(5, \"ab\")", &sure), ["x"]);
}
