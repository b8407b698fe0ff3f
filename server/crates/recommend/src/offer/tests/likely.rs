//! The order inside: what the test most likely runs comes first.

use super::*;

#[test]
fn inside_comes_first_what_the_test_most_likely_runs() {
    let main = with_twins();
    let inside = |body: &str, switches: &Switches| {
        let case = with_main(&main, "", body);
        case.inside_with(switches)
    };
    let by_gain = Switches {
        likely_first: false,
        ..Switches::default()
    };
    // Either of two answers a call through their interface.
    let dispatched = "Account.Way w = new Account.One(); w = new Account.Two(); w.go(1); new Account.Direct().run(2);";
    let (by_odds, plain) = (
        inside(dispatched, &Switches::default()),
        inside(dispatched, &by_gain),
    );
    assert!(
        place(&by_odds, "sure") < place(&by_odds, "one"),
        "{by_odds:?}"
    );
    assert!(place(&plain, "one") < place(&plain, "sure"), "{plain:?}");
    // A branch within a branch.
    let rarely = "new Account.Perhaps().run(1); new Account.Direct().run(2);";
    let inside = inside(rarely, &Switches::default());
    assert!(
        place(&inside, "sure") < place(&inside, "rare"),
        "{inside:?}"
    );
}

#[test]
fn what_the_fixtures_run_comes_behind_what_the_test_runs() {
    let main = with_twins();
    let members =
        "@org.junit.jupiter.api.BeforeEach void before() { new Account.Direct().run(1); }";
    let two_tests = "new Account.Two().go(2); } @Test void other() {";
    let inside = with_main(&main, members, two_tests).inside();
    assert!(place(&inside, "two") < place(&inside, "sure"), "{inside:?}");
}
