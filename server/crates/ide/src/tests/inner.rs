//! Inner oracles: both files change at once, and are as they were when the oracle is removed.

use super::analysis;
use crate::inner::seen_inside;
use crate::inner::{
    CandidateId, Check, Refusal, Turn, What, called, candidate_around, candidates, check,
    insertion, is_computed, oracles, removal, tests_of,
};
use crate::{Analysis, SourceChange};
use calls::Workspace;
use evidence::{Definitions, Facts, JavaString, Observed, Told, Value};
use observe::Settings;
use program::{FileInput, MethodId, Program, SourceSetId, SourceSetInput};
use std::collections::BTreeMap;
use std::sync::Arc;
use testkit::Fixture;
use text::Span;

const STATS: &str = "//- /src/main/java/own/Stats.java
package own;
import java.util.List;

public class Stats {
    private int seen;
    private int last;

    public int last() { return last; }

    public int compare(List<Integer> list) {
        int neg = 0;
        int pos = 0;
        for (int x : list) {
            if (x < 0) {
                neg++;
            } else pos++;
            last = x;
        }
        seen += list.size();
        return neg > pos ? -1 : 1;
    }
}
//- /src/test/java/own/StatsTest.java
package own;
import static org.junit.jupiter.api.Assertions.assertEquals;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StatsTest {
    @Test
    void mixedSigns() {
        Stats stats = new Stats();
        assertEquals(1, stats.compare(Arrays.asList(-1, 2, 3)));
    }
}
";

type Texts = BTreeMap<String, String>;

fn texts(fixture: &Fixture) -> Texts {
    let files = fixture.files.iter();
    files.map(|f| (f.path.clone(), f.text.clone())).collect()
}

fn of(texts: &Texts) -> Analysis {
    let files: String = texts
        .iter()
        .map(|(path, text)| format!("//- /{}\n{text}", path.trim_start_matches('/')))
        .collect();
    analysis(&Fixture::parse(&files))
}

fn applied(analysis: &Analysis, texts: &Texts, change: &SourceChange) -> Texts {
    let program = analysis.program();
    let mut out = texts.clone();
    let path = |file| program.path(file).expect("it is there").to_string();
    for (file, edits) in &change.edits {
        let text = text::apply_disjoint(&out[&path(*file)], edits).expect("edits fit");
        out.insert(path(*file), text);
    }
    out.extend(change.made.iter().cloned());
    for file in &change.gone {
        out.remove(&path(*file));
    }
    out
}

fn test(analysis: &Analysis) -> MethodId {
    analysis.workspace().suite().tests()[0]
}

fn candidate(analysis: &Analysis, variable: &str, nth: usize) -> CandidateId {
    let workspace = analysis.workspace();
    let named = |s: &CandidateId| {
        let chains = workspace.chains(s.body).expect("it has chains");
        chains.candidates[s.index as usize].variable == variable
    };
    let all = candidates(analysis, test(analysis));
    all.into_iter()
        .filter(named)
        .nth(nth)
        .expect("it is a candidate")
}

#[test]
fn the_paper_s_example() {
    let was = texts(&Fixture::parse(STATS));
    let before = of(&was);
    let neg = candidate(&before, "neg", 1);
    let what = What::Equal("1".to_owned());
    let change = insertion(&before, test(&before), neg, &what, None).expect("it has a place");
    let is = applied(&before, &was, &change);
    let code = &is["src/main/java/own/Stats.java"];
    assert!(
        code.contains(
            "            last = x;
        }
        InnerOracle.equal(\"StatsTest.mixedSigns: neg\", 1, neg);
        seen += list.size();"
        ),
        "{code}"
    );
    let own = &is["src/test/java/own/StatsTest.java"];
    assert!(
        own.contains(
            "        Stats stats = new Stats();
        try (InnerOracle inner = InnerOracle.on(\"StatsTest.mixedSigns: neg\")) {
            assertEquals(1, stats.compare(Arrays.asList(-1, 2, 3)));
        }
    }"
        ),
        "{own}"
    );
    assert!(is["src/main/java/own/InnerOracle.java"].starts_with("package own;\n"));
    let after = of(&is);
    let found: Vec<String> = oracles(&after).into_iter().map(|o| o.found.name).collect();
    assert_eq!(found, ["StatsTest.mixedSigns: neg"; 2]);
    // The class that guards call is none of the code under test.
    let all = candidates(&after, test(&after));
    assert_eq!(all.len(), candidates(&before, test(&before)).len());
    let back = removal(&after, &found[..1]);
    assert_eq!(applied(&after, &is, &back), was);
}

/// The analysis with a value that was recorded where `variable` is defined for the `nth` time.
fn recorded(analysis: &Analysis, variable: &str, nth: usize, observed: Observed) -> Analysis {
    let test = test(analysis);
    let id = candidate(analysis, variable, nth);
    let mut told = Told {
        key: analysis.key(test),
        asked: analysis.asked(test),
        passed: true,
        ..Told::default()
    };
    let seen = seen_inside(analysis, id).expect("it has a name");
    told.inside = Definitions::pack(&BTreeMap::from([(seen, observed)])).expect("packed");
    let mut facts = Facts::default();
    facts.insert(analysis.program().method_name(test), told);
    analysis.with_facts(Arc::new(facts))
}

fn observed(values: Vec<Value>) -> Observed {
    Observed {
        count: values.len() as u64,
        values,
        cut: false,
        differs: None,
        once: false,
    }
}

/// The line that is inserted in the code under test.
fn line(analysis: &Analysis, variable: &str, nth: usize, turn: Option<Turn>) -> String {
    let id = candidate(analysis, variable, nth);
    let change = insertion(analysis, test(analysis), id, &What::Tell, turn);
    let change = change.expect("it has a place");
    change.edits[0].1[0].text.trim().to_owned()
}

#[test]
fn what_was_recorded_is_what_is_expected() {
    let now = of(&texts(&Fixture::parse(STATS)));
    let of_value = |value: Value| {
        let now = recorded(&now, "neg", 1, observed(vec![value]));
        line(&now, "neg", 1, None)
    };
    let tell = "InnerOracle.tell(\"StatsTest.mixedSigns: neg\", neg);";
    let equal =
        |what: &str| format!("InnerOracle.equal(\"StatsTest.mixedSigns: neg\", {what}, neg);");
    assert_eq!(line(&now, "neg", 1, None), tell, "nothing was recorded");
    let array = |class: &str, elements: Vec<Value>| Value::Array {
        class: class.into(),
        length: elements.len() as u64,
        elements,
    };
    let two = || vec![Value::Int(1), Value::Int(-2)];
    for (value, literal) in [
        (Value::Int(2), "2"),
        (Value::Null, "null"),
        (Value::Byte(3), "(byte) 3"),
        (Value::Boxed(Box::new(Value::Long(7))), "7L"),
        (Value::Double(0.1f64.to_bits()), "0.1"),
        (Value::Text(JavaString::of("a\n")), "\"a\\n\""),
        (array("int[]", two()), "new int[] { 1, -2 }"),
        (array("java.lang.String[]", vec![]), "new String[] {}"),
    ] {
        assert_eq!(of_value(value), equal(literal));
    }
    for value in [
        Value::Text(JavaString::of(&"long".repeat(100))),
        Value::Opaque {
            class: "own.Stats".into(),
            identity: 1,
        },
        array("own.Stats[]", vec![]),
        array("int[][]", vec![]),
        array("int[]", vec![Value::Int(1); 11]),
    ] {
        assert_eq!(of_value(value), tell);
    }
}

#[test]
fn what_was_recorded_otherwise_or_of_other_code_is_not_expected() {
    let now = of(&texts(&Fixture::parse(STATS)));
    let two = || observed(vec![Value::Int(2)]);
    let is_told = |now: &Analysis, nth, turn| line(now, "neg", nth, turn).contains(".tell(");
    let good = recorded(&now, "neg", 1, two());
    assert!(!is_told(&good, 1, None));
    assert!(is_told(&good, 0, None), "another definition of it");
    assert!(
        is_told(&good, 1, Some(Turn::First)),
        "somebody chose a turn"
    );
    let several = observed(vec![Value::Int(1), Value::Int(2)]);
    let differs = Observed {
        differs: Some(vec![Value::Int(3)]),
        ..two()
    };
    for other in [
        several,
        differs,
        Observed {
            once: true,
            ..two()
        },
        Observed { cut: true, ..two() },
    ] {
        assert!(is_told(&recorded(&now, "neg", 1, other), 1, None));
    }
    let facts = Arc::clone(good.facts());
    let other = STATS.replace("int neg = 0;", "int neg = 1;");
    let other = of(&texts(&Fixture::parse(&other))).with_facts(facts);
    assert!(is_told(&other, 1, None), "of other code");
}

#[test]
fn an_enum_is_named_where_the_code_may_name_it() {
    let text = STATS.replace(
        "int neg = 0;",
        "Sign sign = Sign.PLUS; Other.Far far = null; int neg = 0;",
    );
    let text = text.replace(
        "//- /src/test",
        "enum Sign { PLUS }\n//- /src/main/java/far/Other.java\npackage far;\npublic class Other {\n  public enum Far { A }\n  private enum Near { B }\n}\n//- /src/test",
    );
    let now = of(&texts(&Fixture::parse(&text)));
    let of_enum = |class: &str, name: &str| {
        let value = Value::Enum {
            class: class.into(),
            name: name.into(),
        };
        let now = recorded(&now, "sign", 0, observed(vec![value]));
        line(&now, "sign", 0, None)
    };
    assert!(of_enum("own.Sign", "PLUS").contains("\", Sign.PLUS, sign)"));
    assert!(of_enum("far.Other$Far", "A").contains("\", far.Other.Far.A, sign)"));
    assert!(of_enum("far.Other$Near", "B").contains(".tell("));
    assert!(of_enum("gone.Sign", "PLUS").contains(".tell("));
}

/// What a call may lead to over an interface lies in modules, too, that the test's own does not see.
#[test]
fn a_test_that_does_not_see_the_code_is_neither_offered_nor_taken() {
    const MODULES: &str = "//- /core/src/main/java/core/Factory.java
package core;
public interface Factory { int make(int by); }
//- /core/src/main/java/core/Own.java
package core;
public class Own implements Factory { public int own; public int make(int by) { int made = by + 1; own = made; return made; } }
//- /core/src/main/java/core/Runner.java
package core;
public class Runner { static int run(Factory factory) { return factory.make(1); } }
//- /core/src/test/java/core/OwnTest.java
package core;
class OwnTest { @ParameterizedTest void makes(Factory any) { Runner.run(any); } }
//- /app/src/main/java/app/Demo.java
package app;
public class Demo implements core.Factory { public int last; public int make(int by) { int demo = by + 2; last = demo; return demo; } }
";
    let set = |is_test, visible| SourceSetInput { is_test, visible };
    let core = vec![SourceSetId(0)];
    let sets = vec![
        set(false, Vec::new()),
        set(true, core.clone()),
        set(false, core),
    ];
    let fixture = Fixture::parse(MODULES);
    let files = fixture.files.iter().map(|f| FileInput {
        path: f.path.as_str().into(),
        source_set: SourceSetId(match () {
            () if f.path.starts_with("app") => 2,
            () if f.path.contains("test") => 1,
            () => 0,
        }),
        text: f.text.as_str().into(),
    });
    let workspace = Workspace::new(Program::build(sets, files.collect()));
    let analysis = Analysis::new(workspace, true, Settings::default());
    let all = candidates(&analysis, test(&analysis));
    let of_name = |name: &str| {
        let named = |s: &&CandidateId| called(&analysis, **s) == name;
        *all.iter().find(named).expect("it may be called")
    };
    let (demo, made) = (of_name("demo"), of_name("made"));
    let refused = insertion(&analysis, test(&analysis), demo, &What::Tell, None);
    assert_eq!(refused, Err(Refusal::NotSeen));
    assert!(tests_of(&analysis, demo.body, 9).is_empty());
    let offered = insertion(&analysis, test(&analysis), made, &What::Tell, None);
    assert!(offered.is_ok());
    assert_eq!(tests_of(&analysis, made.body, 9).len(), 1);
    let how = |name| check(analysis.workspace(), Some(test(&analysis)), of_name(name));
    assert_eq!(how("last"), Some(Check::HiddenField));
    assert_eq!(how("own"), Some(Check::Field));
}

#[test]
fn a_test_that_comes_to_it_by_way_of_other_code_is_known_to_run_it() {
    let text = "//- /src/main/java/own/Node.java
package own;
class Node {
    private final int size;
    Node(int n) { size = n * 2; }
    int twice() { int twice = size * 2; return twice; }
}
//- /src/main/java/own/Tree.java
package own;
public class Tree { public int find(int n) { return new Node(n).twice(); } }
//- /src/test/java/own/TreeTest.java
package own;
import org.junit.jupiter.api.Test;
class TreeTest {
    @Test void finds() { new Tree().find(1); }
    @Test void other() { new Tree(); }
}
";
    let analysis = analysis(&Fixture::parse(text));
    for variable in ["twice", "size"] {
        let id = candidate(&analysis, variable, 0);
        let tests = tests_of(&analysis, id.body, 3);
        let names: Vec<_> = tests
            .iter()
            .map(|t| analysis.program().method_name(*t))
            .collect();
        assert_eq!(names, ["own.TreeTest#finds()"], "{variable}");
    }
}

#[test]
fn once_is_enough_and_others_get_a_name_of_their_own() {
    let was = texts(&Fixture::parse(STATS));
    let mut is = was.clone();
    let mut names = Vec::new();
    for (variable, nth) in [("neg", 0), ("neg", 1), ("last", 0), ("", 0)] {
        let now = of(&is);
        let at = candidate(&now, variable, nth);
        let change = insertion(&now, test(&now), at, &What::Tell, Some(Turn::Last));
        is = applied(&now, &is, &change.expect("it has a place"));
        let now = of(&is);
        let again = candidate(&now, variable, nth);
        let twice = insertion(&now, test(&now), again, &What::Tell, None);
        assert_eq!(twice, Err(Refusal::CheckedAlready), "{variable}");
        names = oracles(&now).into_iter().map(|o| o.found.name).collect();
    }
    names.sort();
    names.dedup();
    assert_eq!(
        names,
        [
            "StatsTest.mixedSigns: compare()",
            "StatsTest.mixedSigns: last",
            "StatsTest.mixedSigns: neg",
            "StatsTest.mixedSigns: neg 2"
        ]
    );
    // In any order, one by one or together.
    for first in 0..names.len() {
        let now = of(&is);
        let one = applied(&now, &is, &removal(&now, &names[first..=first]));
        let now = of(&one);
        assert_eq!(applied(&now, &one, &removal(&now, &names)), was);
    }
}

#[test]
fn what_else_can_be_checked() {
    let was = texts(&Fixture::parse(STATS));
    let now = of(&was);
    let neg = candidate(&now, "neg", 1);
    for (what, line, on) in [
        (
            What::That("neg >= 0".to_owned()),
            "        if (InnerOracle.isOn(\"StatsTest.mixedSigns: neg\")) InnerOracle.that(\"StatsTest.mixedSigns: neg\", neg >= 0, neg);\n",
            "neg\")) {",
        ),
        (
            What::Ran,
            "        InnerOracle.ran(\"StatsTest.mixedSigns: neg\");\n",
            "neg\")) {",
        ),
        (
            What::Never,
            "        InnerOracle.never(\"StatsTest.mixedSigns: neg\");\n",
            "neg\").never()) {",
        ),
    ] {
        let change = insertion(&now, test(&now), neg, &what, None).expect("it has a place");
        let is = applied(&now, &was, &change);
        assert!(is["src/main/java/own/Stats.java"].contains(line));
        assert!(is["src/test/java/own/StatsTest.java"].contains(on));
        let after = of(&is);
        let name = "StatsTest.mixedSigns: neg".to_owned();
        assert_eq!(applied(&after, &is, &removal(&after, &[name])), was);
    }
    let returned = candidate(&now, "", 0);
    let ran = insertion(&now, test(&now), returned, &What::Ran, None);
    assert_eq!(ran, Err(Refusal::NoStatement));
}

#[test]
fn an_element_is_named_as_it_is_written() {
    let of_elements = STATS.replace(
        "seen += list.size();",
        "int[] at = new int[3];\n        at[pos] = list.size();\n        seen += at[pos];",
    );
    let was = texts(&Fixture::parse(&of_elements));
    let now = of(&was);
    let element = candidate(&now, "at", 1);
    let change = insertion(&now, test(&now), element, &What::Tell, None).expect("it has a place");
    let is = applied(&now, &was, &change);
    // What is to be written instead names the same.
    let own = "InnerOracle.tell(\"StatsTest.mixedSigns: at[pos]\", at[pos]);";
    assert!(is["src/main/java/own/Stats.java"].contains(own));
    let now = of(&is);
    let name = "StatsTest.mixedSigns: at[pos]".to_owned();
    assert_eq!(applied(&now, &is, &removal(&now, &[name])), was);
}

#[test]
fn a_test_of_another_package_names_the_class_in_full() {
    let other = STATS.replace(
        "own/StatsTest.java\npackage own;",
        "far/StatsTest.java\npackage far;\nimport own.Stats;",
    );
    let was = texts(&Fixture::parse(&other));
    let now = of(&was);
    let at = candidate(&now, "neg", 0);
    let change = insertion(&now, test(&now), at, &What::Tell, None).expect("it has a place");
    let is = applied(&now, &was, &change);
    assert!(is["src/test/java/far/StatsTest.java"].contains(
        "try (own.InnerOracle inner = own.InnerOracle.on(\"StatsTest.mixedSigns: neg\")) {"
    ));
    let now = of(&is);
    let name = "StatsTest.mixedSigns: neg".to_owned();
    assert_eq!(applied(&now, &is, &removal(&now, &[name])), was);
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let refused = |text: &str| {
        let now = of(&texts(&Fixture::parse(text)));
        let at = candidate(&now, "neg", 0);
        insertion(&now, test(&now), at, &What::Tell, None)
    };
    let taken = format!(
        "{STATS}//- /src/main/java/own/InnerOracle.java\npackage own; class InnerOracle {{ }}\n"
    );
    assert_eq!(refused(&taken), Err(Refusal::NameTaken));
    let broken = STATS.replace("private int seen;", "private int seen = (;");
    assert_eq!(refused(&broken), Err(Refusal::SyntaxError));
    let generated = STATS.replace(
        "package own;\nimport java.util.List",
        "// Generated by X. DO NOT EDIT!\npackage own;\nimport java.util.List",
    );
    assert_eq!(refused(&generated), Err(Refusal::Generated));
    let marked = STATS.replace("public class Stats", "@Generated(\"X\") public class Stats");
    assert_eq!(refused(&marked), Err(Refusal::Generated));
    let column = STATS.replace("private int seen;", "@GeneratedValue private int seen;");
    assert!(refused(&column).is_ok());
    let wrong = What::That("neg >= 0; neg".to_owned());
    let now = of(&texts(&Fixture::parse(STATS)));
    let at = candidate(&now, "neg", 1);
    let wrong = insertion(&now, test(&now), at, &wrong, None);
    assert_eq!(wrong, Err(Refusal::NoExpression));
    let fields = STATS
        .replace(
            "    @Test\n",
            "    int own = new Stats().compare(Arrays.asList(1));\n    @Test\n",
        )
        .replace(CALL, "");
    assert_eq!(refused(&fields), Err(Refusal::RunsInSetUp));
}

/// An editor may undo what was written into the class's file and leave the file: then it is filled again.
#[test]
fn an_empty_file_of_the_class_is_filled() {
    let empty = format!("{STATS}//- /src/main/java/own/InnerOracle.java\n\n");
    let was = texts(&Fixture::parse(&empty));
    let now = of(&was);
    let neg = candidate(&now, "neg", 1);
    let change = insertion(&now, test(&now), neg, &What::Tell, None).expect("it has a place");
    assert_eq!(change.made, []);
    let is = applied(&now, &was, &change);
    let class = &is["src/main/java/own/InnerOracle.java"];
    assert_eq!(*class, ::inner::guard_class("own"));
    let after = of(&is);
    let name = "StatsTest.mixedSigns: neg".to_owned();
    let back = removal(&after, &[name]);
    assert_eq!(back.gone.len(), 1);
}

/// The call of the test.
const CALL: &str = "        assertEquals(1, stats.compare(Arrays.asList(-1, 2, 3)));\n";

/// What the test calls itself is checked there; what only its set-up does is checked in the set-up, and the action says so.
/// Of a superclass's set-up nothing is, for it is for other tests, too.
#[test]
fn what_only_a_set_up_runs_is_checked_there() {
    let set_up = "    @org.junit.jupiter.api.BeforeEach void before() {\n        new Stats().compare(Arrays.asList(-1));\n    }\n\n    @Test\n";
    let both = STATS.replace("    @Test\n", set_up);
    let only = both.replace(CALL, "");
    let title = |now: &Analysis| {
        let neg = candidate(now, "neg", 1);
        let place = crate::inner::place_of(now, neg).expect("it stands somewhere");
        let mut all = crate::action::actions(now, place.file, place.span).into_iter();
        all.next().expect("an action").title
    };
    let now = of(&texts(&Fixture::parse(&both)));
    assert_eq!(title(&now), "Check neg here in test StatsTest.mixedSigns");
    let was = texts(&Fixture::parse(&only));
    let now = of(&was);
    assert_eq!(
        title(&now),
        "Check neg here in StatsTest.before, for all its tests"
    );
    let neg = candidate(&now, "neg", 1);
    let change = insertion(&now, test(&now), neg, &What::Tell, None).expect("it has a place");
    let is = applied(&now, &was, &change);
    let own = &is["src/test/java/own/StatsTest.java"];
    assert!(
        own.contains(
            "before() {
        try (InnerOracle inner = InnerOracle.on(\"StatsTest.before: neg\")) {
            new Stats().compare(Arrays.asList(-1));
        }
    }"
        ),
        "{own}"
    );
    let after = of(&is);
    let name = "StatsTest.before: neg".to_owned();
    assert_eq!(applied(&after, &is, &removal(&after, &[name])), was);
    let above = only
        .replace("class StatsTest {\n", "class Above {\n")
        .replace(
            "    @Test\n",
            "}\nclass StatsTest extends Above {\n    @Test\n",
        );
    let now = of(&texts(&Fixture::parse(&above)));
    let neg = candidate(&now, "neg", 1);
    let refused = insertion(&now, test(&now), neg, &What::Tell, None);
    assert_eq!(refused, Err(Refusal::RunsInSetUp));
}

#[test]
fn how_each_can_be_checked() {
    let now = of(&texts(&Fixture::parse(STATS)));
    let how = |variable: &str| {
        check(
            now.workspace(),
            Some(test(&now)),
            candidate(&now, variable, 0),
        )
    };
    assert_eq!(how("neg"), Some(Check::Local));
    assert_eq!(how("list"), Some(Check::Parameter));
    assert_eq!(how("seen"), Some(Check::HiddenField));
    assert_eq!(how("last"), Some(Check::Field));
    assert_eq!(how(""), Some(Check::Returned));
}

/// Somebody may know better which test runs it: the whole test is wrapped, and says if the place never ran.
#[test]
fn a_test_that_is_not_known_to_run_it_can_be_chosen() {
    let other = STATS.replace(
        "}\n//- /src/test",
        "}\nclass Other { int f(int a) { int b = a + 1; return b; } }\n//- /src/test",
    );
    let was = texts(&Fixture::parse(&other));
    let now = of(&was);
    let file = now
        .program()
        .file("src/main/java/own/Stats.java")
        .expect("it is there");
    let at = other.find("b = a + 1").expect("it is there")
        - other.find("package own").expect("it is there");
    let at =
        candidate_around(&now, file, Span::new(at as u32, at as u32)).expect("it is a candidate");
    let change = insertion(&now, test(&now), at, &What::Tell, None).expect("it has a place");
    let is = applied(&now, &was, &change);
    let own = &is["src/test/java/own/StatsTest.java"];
    assert!(own.contains("mixedSigns() {\n        try (InnerOracle inner = InnerOracle.on(\"StatsTest.mixedSigns: b\")) {\n            Stats stats"), "{own}");
}

/// What the test may use decides: a package, a class that cannot be named, a getter that takes something.
#[test]
fn a_field_is_assertable_where_the_test_may_read_it() {
    let code = "//- /src/main/java/own/A.java
package own;
public class A {
    int near;
    public int far;
    protected int below;
    private int given;
    private int asked;
    private int hidden;
    public int given() { return given; }
    public int asked(int by) { return asked; }
    private static class Node { int within; void set() { within = 1 + 1; } }
    public void set(int n) { near = n + 1; far = n + 2; below = n + 3; given = n + 4; asked = n + 5; hidden = n + 6; new Node().set(); }
}
//- /src/test/java/PACKAGE/ATest.java
package PACKAGE;
class ATest { @Test void t() { new own.A().set(1); } }
";
    for (package, fields) in [
        ("own", vec!["near", "far", "below", "given"]),
        ("other", vec!["far", "given"]),
    ] {
        let now = of(&texts(&Fixture::parse(&code.replace("PACKAGE", package))));
        let is_assertable = |field: &&str| {
            let id = candidate(&now, field, 0);
            check(now.workspace(), Some(test(&now)), id) == Some(Check::Field)
        };
        let all = ["near", "far", "below", "given", "asked", "hidden", "within"];
        let told: Vec<&str> = all.into_iter().filter(|f| is_assertable(f)).collect();
        assert_eq!(told, fields, "{package}");
    }
}

#[test]
fn what_the_test_has_at_hand_is_not_inside() {
    const CODE: &str = "//- /src/main/java/own/Cart.java
package own;
public class Cart {
    private int total; private int secret;
    public void add(int price) { int twice = price * 2; total = total + twice; secret = secret + twice * 3; }
    public int getTotal() { return total; }
}
//- /src/main/java/own/Shop.java
package own;
public class Shop {
    private final Cart cart = new Cart();
    public void sell(int price) { cart.add(price); }
    public java.util.List<Cart> all() { return java.util.List.of(cart); }
}
//- /src/test/java/own/CartTest.java
package own;
class CartTest { @Test void t() { BODY } }
";
    let inside = |body: &str| -> Vec<String> {
        let now = of(&texts(&Fixture::parse(&CODE.replace("BODY", body))));
        let offered = now.offered(test(&now));
        offered.inside.iter().map(|i| i.name.clone()).collect()
    };
    let has = |all: &[String], name: &str| all.iter().any(|n| n.starts_with(name));
    let sold = "Shop shop = new Shop(); shop.sell(3);";
    let far = inside(sold);
    assert!(has(&far, "total") && has(&far, "secret"), "{far:?}");
    // The class is no object of it.
    let named = inside(&format!("{sold} System.out.println(Cart.class);"));
    assert!(has(&named, "total"), "{named:?}");
    let held =
        format!("{sold} java.util.List<Cart> all = shop.all(); assertEquals(1, all.size());");
    let held = inside(&held);
    assert!(!has(&held, "total") && has(&held, "secret"), "{held:?}");
}

/// What a test has at hand takes no place of what it has not: a short list is the beginning of a long one.
#[test]
fn what_is_at_hand_takes_no_place_of_a_list() {
    const CODE: &str = "//- /src/main/java/own/Cart.java
package own;
public class Cart {
    private int total; private int secret;
    public void add(int price) {
        int twice = price * 2;
        total = total + twice + price % 7;
        secret = secret + price % 5;
    }
    public int getTotal() { return total; }
}
//- /src/main/java/own/Shop.java
package own;
public class Shop {
    private final Cart cart = new Cart();
    public void sell(int price) { cart.add(price); }
    public java.util.List<Cart> all() { return java.util.List.of(cart); }
}
//- /src/test/java/own/CartTest.java
package own;
class CartTest {
    @Test void t() {
        Shop shop = new Shop(); shop.sell(3);
        java.util.List<Cart> all = shop.all(); assertEquals(1, all.size());
    }
}
";
    let now = of(&texts(&Fixture::parse(CODE)));
    let list = |top: usize| -> Vec<String> {
        let settings = observe::Settings {
            top,
            ..*now.settings()
        };
        let offered = now.with_settings(settings).offered(test(&now));
        offered.inside.iter().map(|i| i.name.clone()).collect()
    };
    let all = list(10);
    assert!(
        !all.is_empty() && !all.iter().any(|n| n.starts_with("total")),
        "{all:?}"
    );
    for top in 1..=all.len() {
        assert_eq!(list(top), all[..top]);
    }
}

/// What is worth a look stays so: the class that checks call is none of the code under test, and a value that passes
/// through a check is the same value.
#[test]
fn what_is_offered_is_as_before() {
    let was = texts(&Fixture::parse(STATS));
    let mut is = was.clone();
    for (variable, nth) in [("neg", 1), ("", 0)] {
        let now = of(&is);
        let at = candidate(&now, variable, nth);
        let change = insertion(&now, test(&now), at, &What::Tell, None).expect("it has a place");
        is = applied(&now, &is, &change);
    }
    let names = |texts: &Texts| {
        let now = of(texts);
        let offered = now.offered(test(&now));
        let inside = offered.inside.iter().map(|i| i.name.clone());
        let readable = offered.readable.iter().map(|r| r.expression.clone());
        let file = now.program().file("src/main/java/own/Stats.java");
        let ranking = now.ranking(file.expect("it is there"));
        let ranked = ranking.selected.iter().map(|s| s.name.clone());
        (
            inside.collect::<Vec<_>>(),
            readable.collect::<Vec<_>>(),
            ranked.collect::<Vec<_>>(),
        )
    };
    assert_eq!(names(&is), names(&was));
}

#[test]
fn what_is_only_passed_on_is_not_worth_a_check() {
    let text = STATS.replace(
        "public int last()",
        "void keep(int x) { this.last = x; }\n    public int last()",
    );
    let text = text.replace(
        "Stats stats = new Stats();",
        "Stats stats = new Stats(); stats.keep(3);",
    );
    let now = of(&texts(&Fixture::parse(&text)));
    let computed = |variable, nth| is_computed(&now, candidate(&now, variable, nth));
    assert!(!computed("last", 0));
    assert!(computed("neg", 1) && computed("seen", 0));
}
