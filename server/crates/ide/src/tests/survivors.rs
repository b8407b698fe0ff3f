//! What no test notices is shown where it stands, greyed once any file is another one, and gone with its method.

use super::{Fixture, analysis};
use crate::Analysis;
use crate::survivors::{Cure, Shown, Survivor, Survivors};
use text::{Position, apply};

const CODE: &str = "src/main/java/own/Cart.java";
const TEST: &str = "src/test/java/own/CartTest.java";

const FIXTURE: &str = "//- /src/main/java/own/Cart.java
package own;
public class Cart {
    int size;
    int limit = 3 + 4;
    public void add(int price) {
        if (price > 0) {
            size++;
        }
    }
    public void clear() { size = 0; }
}
//- /src/test/java/own/CartTest.java
package own;
class CartTest {
    @Test void adds() {
        Cart cart = new Cart();
        cart.add(3);
    }
}
";

fn of(text: &str) -> Analysis {
    analysis(&Fixture::parse(text))
}

fn survivor(method: &str, line: u32, message: &str) -> Survivor {
    Survivor {
        path: CODE.to_owned(),
        method: method.to_owned(),
        line,
        is_pseudo_tested: message == "all",
        message: message.to_owned(),
        cure: None,
    }
}

fn told() -> Survivors {
    let analysis = of(FIXTURE);
    let at = Position::new(4, 20);
    let mut add = survivor("own.Cart#add(int)", 6, "other");
    add.cure = Some(Cure {
        title: "Assert".to_owned(),
        path: TEST.to_owned(),
        edits: vec![(at, at, " check();".to_owned())],
    });
    let mut out = Survivors::default();
    out.tell(
        &analysis,
        CODE,
        None,
        vec![
            survivor("own.Cart#<init>", 4, "field"),
            add,
            survivor("own.Cart#clear()", 10, "all"),
        ],
    );
    out
}

fn shown(survivors: &Survivors, text: &str) -> Vec<Shown> {
    let analysis = of(text);
    let file = analysis.program().file(CODE).expect("it is there");
    survivors.of(&analysis, file)
}

/// The text that is marked, with its message.
fn marks(survivors: &Survivors, text: &str) -> Vec<String> {
    let fixture = of(text);
    let program = fixture.program();
    let code = program
        .text(program.file(CODE).expect("it is there"))
        .expect("it is there");
    let one = |s: Shown| format!("{} {}", &code[s.span.range()], s.message);
    shown(survivors, text).into_iter().map(one).collect()
}

#[test]
fn methods_that_can_go_come_first_and_a_cure_changes_the_test() {
    let told = told();
    assert_eq!(
        marks(&told, FIXTURE),
        [
            "clear all",
            "int limit = 3 + 4; field",
            "if (price > 0) { other"
        ]
    );
    let all = shown(&told, FIXTURE);
    assert!(all.iter().all(|s| !s.is_stale));
    let (title, change) = all[2].cure.clone().expect("it is there");
    assert_eq!(title, "Assert");
    let analysis = of(FIXTURE);
    let (file, edits) = &change.edits[0];
    let text = analysis.program().text(*file).expect("it is there");
    let cured = apply(text, edits).expect("it is there");
    assert!(cured.contains("cart.add(3); check();\n"), "{cured}");
}

#[test]
fn another_file_makes_it_stale_and_another_method_takes_it_away() {
    let told = told();
    let later = "Found with other code, ask again to know: other";
    // A test may notice by now, wherever it stands.
    let tests = FIXTURE.replace("cart.add(3);", "cart.add(3); check();");
    let all = shown(&told, &tests);
    assert_eq!(all.len(), 3);
    assert!(all.iter().all(|s| s.is_stale && s.cure.is_none()));
    // Of the file itself only what did not change is shown, at its line of now.
    let other = FIXTURE.replace("package own;\npublic", "package own;\n\npublic");
    let other = other.replace("{ size = 0; }", "{ size = 1; }");
    assert_eq!(marks(&told, &other), [format!("if (price > 0) {{ {later}")]);
    let gone = other.replace("price > 0", "price > 1");
    assert_eq!(marks(&told, &gone), [""; 0]);
    // What is undone counts again.
    assert_eq!(marks(&told, FIXTURE).len(), 3);
}

#[test]
fn what_is_asked_again_takes_the_place_of_what_was_told() {
    let mut told = told();
    let analysis = of(FIXTURE);
    let again = vec![survivor("own.Cart#add(int)", 7, "new")];
    told.tell(&analysis, CODE, Some((5, 9)), again);
    let expected = ["clear all", "int limit = 3 + 4; field", "size++; new"];
    assert_eq!(marks(&told, FIXTURE), expected);
    told.tell(&analysis, TEST, None, Vec::new());
    assert_eq!(marks(&told, FIXTURE), expected);
    told.tell(&analysis, CODE, None, Vec::new());
    assert_eq!(marks(&told, FIXTURE), [""; 0]);
}
