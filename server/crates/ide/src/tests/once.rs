//! An offer is made once, whoever asks for what rests on it and in whatever order.

use super::{ACCOUNT, analysis, ground};
use crate::Analysis;
use crate::action::actions;
use crate::answers::{Answer, Scope, ScopeKind, What, all_tests, graph};
use crate::hint::hints;
use crate::hover::hover;
use crate::lens::{Lens, lenses};
use crate::title::title;
use oracle::TestRun;
use program::{Change, FileId, SourceSetId};
use testkit::Fixture;
use text::Span;

const TESTS: &str = "src/test/java/AccountTest.java";

const THREE: &str = "class AccountTest {
    @Test void deposits() { Account account = new Account(\"Ann\"); account.deposit(200); }
    @Test void owns() { Account account = new Account(\"Bob\"); account.deposit(7); }
    @Test void twice() { Account account = new Account(\"Eve\"); account.deposit(1); account.deposit(2); }
}
";

fn three() -> Analysis {
    let fixture = Fixture::parse(&format!("{ACCOUNT}//- /{TESTS}\n{THREE}"));
    analysis(&fixture)
}

fn file(analysis: &Analysis) -> FileId {
    analysis.program().file(TESTS).expect("it is there")
}

/// What an editor asks that shows a file: lenses with their words, hints, the light bulb and the hover at each test.
fn show(analysis: &Analysis) {
    let file = file(analysis);
    let lenses = lenses(analysis, file);
    let says = |lens: &Lens| title(analysis, lens.on).is_some();
    assert!(lenses.iter().any(says));
    for lens in &lenses {
        assert!(!actions(analysis, file, lens.span).is_empty());
        hover(analysis, file, lens.span.start);
    }
    assert_eq!(lenses.len(), 3);
    hints(analysis, file, Span::new(0, u32::MAX), true);
}

/// Asks for the list of some tests, and for its picture.
fn observe(analysis: &Analysis, tests: Vec<TestRun>) {
    let ground = ground(analysis);
    let scope = Scope {
        kind: ScopeKind::Test,
        name: String::new(),
        what: What::Tests(tests),
    };
    for _ in 0..2 {
        let answer = Answer::new(&ground, scope.clone(), None, false);
        assert!(answer.json.readable.iter().flatten().next().is_some());
        graph(&ground, scope.clone(), Some(&answer));
    }
}

#[test]
fn what_rests_on_an_offer_shares_it() {
    let analysis = three();
    show(&analysis);
    assert_eq!(analysis.offers_made(), 3, "one a test");
    let tests = all_tests(analysis.workspace());
    for test in &tests {
        observe(&analysis, vec![*test]);
    }
    show(&analysis);
    assert_eq!(analysis.offers_made(), 3, "nothing was made anew");
    observe(&analysis, tests);
    assert_eq!(analysis.offers_made(), 4, "that of all together");
}

#[test]
fn no_lens_looks_for_calls_of_mocks() {
    let mocked = "import org.junit.jupiter.api.Test; import org.mockito.Mock; import static org.mockito.Mockito.*;
class AccountTest {
    @Mock Runnable mailer;
    @Test void deposits() { Account account = new Account(\"Ann\"); account.deposit(200); mailer.run(); }
    @Test void owns() { new Account(\"Bob\").deposit(7); verify(mailer).run(); }
    @Test void twice() { Account account = new Account(\"Eve\"); account.deposit(2); }
}
";
    let analysis = analysis(&Fixture::parse(&format!("{ACCOUNT}//- /{TESTS}\n{mocked}")));
    show(&analysis);
    assert_eq!(analysis.offers_made(), 3);
    assert_eq!(analysis.unverified_found(), 0, "lenses do not ask for them");
    let first = all_tests(analysis.workspace())[0];
    observe(&analysis, vec![first]);
    assert_eq!(analysis.unverified_found(), 1, "a list does");
}

#[test]
fn a_keystroke_makes_one_offer() {
    let analysis = three();
    show(&analysis);
    let edited = THREE.replace("deposit(7)", "deposit(8)");
    let after = analysis.after(vec![Change {
        path: TESTS.into(),
        source_set: SourceSetId(1),
        text: Some(edited.as_str().into()),
    }]);
    show(&after);
    assert_eq!(after.offers_made(), 1, "of the test that was edited");
    let owns = all_tests(after.workspace())[1];
    observe(&after, vec![owns]);
    assert_eq!(after.offers_made(), 1);
}
