//! What a test runs when a class inherits it: calls on `this` go to the code of the class that runs it.
#![allow(clippy::unwrap_used)]

use calls::{Technique, Workspace};
use oracle::TestRun;
use program::{FileInput, Program, SourceSetId, SourceSetInput, TypeId};

const MAIN: &str = "
interface Code { String encode(String s); }
class Rot implements Code { public String encode(String s) { return s + 13; } }
class Hex implements Code { public String encode(String s) { return s + 16; } }
";

const TESTS: &str = "
abstract class CodeTest {
    Code code = make();
    abstract Code make();
    String name() { return \"?\"; }
    @BeforeEach void prepare() { warm(); }
    void warm() { }
    @Test void encodes() { code.encode(name()); }
    @Test void twice() { new Object() { void f() { name(); } }.f(); this.warm(); }
    void other(CodeTest it) { it.name(); }
    @Test void ofAnother() { other(new RotTest()); }
    @Test void byHex() { Code c = new Hex(); c.encode(\"\"); }
}
class RotTest extends CodeTest {
    Code make() { return new Rot(); }
    String name() { return \"rot\"; }
    @BeforeEach void own() { }
}
class HexTest extends CodeTest {
    Code make() { return new Hex(); }
    void warm() { make(); }
}
";

fn workspace() -> Workspace {
    let file = |path: &str, set, text: &str| FileInput {
        path: path.into(),
        source_set: SourceSetId(set),
        text: text.into(),
    };
    Workspace::new(Program::build(
        SourceSetInput::code_and_tests(),
        vec![file("Main.java", 0, MAIN), file("Tests.java", 1, TESTS)],
    ))
}

fn class(workspace: &Workspace, name: &str) -> TypeId {
    let program = workspace.program();
    program.find_type(SourceSetId(1), name).unwrap()
}

/// The methods with code of the test classes that a run reaches.
fn reached(class_name: &str, test: &str) -> Vec<String> {
    let workspace = workspace();
    let program = workspace.program();
    let test = *workspace
        .suite()
        .tests()
        .iter()
        .find(|t| program.method_name(**t).contains(&format!("#{test}(")))
        .unwrap();
    let class = class(&workspace, class_name);
    let mut names = all_reached(&workspace, TestRun { test, class }, Technique::RapidTypes);
    names.retain(|n| n.contains("Test#") && !n.contains("<init>"));
    names
}

fn all_reached(workspace: &Workspace, run: TestRun, technique: Technique) -> Vec<String> {
    let program = workspace.program();
    let found = workspace.reached_by(&[run], technique);
    let mut names: Vec<String> = program
        .bodies()
        .filter(|b| found.contains(*b))
        .filter_map(|b| program.body_name(b))
        .collect();
    names.sort();
    names
}

/// The implementations of `encode` that a test of `HexTest` reaches.
fn encoders(test: &str, technique: Technique) -> Vec<String> {
    let workspace = workspace();
    let program = workspace.program();
    let mut tests = workspace.suite().tests().iter().copied();
    let test = tests
        .find(|t| program.method_name(*t).contains(&format!("#{test}(")))
        .unwrap();
    let run = TestRun {
        test,
        class: class(&workspace, "HexTest"),
    };
    let mut names = all_reached(&workspace, run, technique);
    names.retain(|n| n.contains("#encode(") && !n.contains("Test#"));
    names
}

#[test]
fn calls_go_to_classes_that_are_made() {
    let (hex, rot) = (
        "Hex#encode(java.lang.String)",
        "Rot#encode(java.lang.String)",
    );
    // The field's initialiser makes a Hex in every test of this class.
    assert_eq!(encoders("byHex", Technique::RapidTypes), [hex]);
    assert_eq!(encoders("byHex", Technique::Hierarchy), [hex, rot]);
}

#[test]
fn calls_on_what_nobody_makes_go_anywhere() {
    let text = MAIN.replace("return s + 13", "return s");
    let test = "class T { @Test void t(Code given) { given.encode(null); } }";
    let sets = vec![SourceSetInput::default()];
    let file = |path: &str, text: &str| FileInput {
        path: path.into(),
        source_set: SourceSetId(0),
        text: text.into(),
    };
    let files = vec![file("Main.java", &text), file("T.java", test)];
    let workspace = Workspace::new(Program::build(sets, files));
    let run = workspace.own_run(workspace.suite().tests()[0]);
    let names = all_reached(&workspace, run, Technique::RapidTypes);
    let encoders = names.iter().filter(|n| n.contains("#encode("));
    assert_eq!(encoders.count(), 2, "{names:?}");
}

#[test]
fn the_running_class_answers_for_this() {
    assert_eq!(
        reached("RotTest", "encodes"),
        [
            "CodeTest#encodes()",
            "CodeTest#prepare()",
            "CodeTest#warm()",
            "RotTest#make()",
            "RotTest#name()",
            "RotTest#own()",
        ]
    );
    assert_eq!(
        reached("HexTest", "encodes"),
        [
            "CodeTest#encodes()",
            "CodeTest#name()",
            "CodeTest#prepare()",
            "HexTest#make()",
            "HexTest#warm()",
        ]
    );
}

#[test]
fn from_within_another_object_the_one_around_answers() {
    let found = reached("RotTest", "twice");
    assert!(found.contains(&"RotTest#name()".to_owned()), "{found:?}");
    assert!(!found.contains(&"CodeTest#name()".to_owned()), "{found:?}");
    assert!(!found.contains(&"HexTest#warm()".to_owned()), "{found:?}");
}

#[test]
fn another_receiver_may_be_any_subclass() {
    let found = reached("HexTest", "ofAnother");
    assert!(found.contains(&"RotTest#name()".to_owned()), "{found:?}");
    assert!(found.contains(&"CodeTest#name()".to_owned()), "{found:?}");
}

#[test]
fn of_an_abstract_class_any_subclass_may_run() {
    let found = reached("CodeTest", "encodes");
    for name in [
        "RotTest#make()",
        "HexTest#make()",
        "HexTest#warm()",
        "CodeTest#warm()",
    ] {
        assert!(found.contains(&name.to_owned()), "{name}: {found:?}");
    }
}
