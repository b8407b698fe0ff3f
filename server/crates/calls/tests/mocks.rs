//! What does not run because a mock answers.
#![allow(clippy::unwrap_used)]

use calls::{Technique, Workspace};
use oracle::TestRun;
use program::{FileInput, Program, SourceSetId, SourceSetInput};

const MAIN: &str = "
class Row { int id() { return 1; } }
class Dao { Row find() { return read(); } Row read() { return new Row(); } }
interface Clock { long now(); }
class Utc implements Clock { public long now() { return 1; } }
class Local implements Clock { public long now() { return 2; } }
class Service {
    final Dao dao; final Clock clock;
    Service(Dao dao, Clock clock) { this.dao = dao; this.clock = clock; }
    long run() { dao.find(); return own() + clock.now(); }
    long own() { return 3; }
}
";

/// The methods of production code that all tests of the class with these members run together.
fn called(members: &str) -> Vec<String> {
    let file = |path: &str, set, text: &str| FileInput {
        path: path.into(),
        source_set: SourceSetId(set),
        text: text.into(),
    };
    let tests = format!("class ServiceTest {{ {members} }}");
    let workspace = Workspace::new(Program::build(
        SourceSetInput::code_and_tests(),
        vec![
            file("Main.java", 0, MAIN),
            file("ServiceTest.java", 1, &tests),
        ],
    ));
    let program = workspace.program();
    let suite = workspace.suite();
    let runs: Vec<TestRun> = suite
        .tests()
        .iter()
        .map(|t| workspace.own_run(*t))
        .collect();
    let called = workspace.called_by(&runs);
    // Of what is told of a test all that may run is part.
    let all = workspace.reached_by(&runs, Technique::RapidTypes);
    assert!(called.iter().all(|b| all.contains(b)));
    let own = called
        .iter()
        .filter(|b| !program.is_test_type(program.body_owner(*b)));
    let mut out: Vec<String> = own
        .filter_map(|b| program.body_name(b))
        .filter(|n| !n.contains('<'))
        .map(|n| n.replace("()", ""))
        .collect();
    out.sort();
    out
}

#[track_caller]
fn check(members: &str, expected: &[&str]) {
    assert_eq!(called(members), expected, "{members}");
}

const ALL: &[&str] = &[
    "Dao#find",
    "Dao#read",
    "Local#now",
    "Service#own",
    "Service#run",
    "Utc#now",
];

#[test]
fn what_is_given_by_nobody_is_anything() {
    check("@Test void t(Service s) { s.run(); }", ALL);
}

#[test]
fn a_mock_of_a_plain_class_answers_for_it() {
    let runs = &["Service#own", "Service#run"];
    check(
        "@Test void t() { Dao dao = mock(Dao.class); Clock clock = Mockito.mock(Clock.class); \
         when(dao.find()).thenReturn(null); new Service(dao, clock).run(); verify(dao).find(); }",
        runs,
    );
    check(
        "Dao dao = createMock(Dao.class); Clock clock; \
         @BeforeEach void before() { clock = mock(Clock.class, \"clock\"); } \
         @Test void t() { new Service(dao, clock).run(); }",
        runs,
    );
    check(
        "@Mock Dao dao; @Mock Clock clock; @InjectMocks Service service; \
         @Test void t() { when(dao.find()).thenReturn(null); service.run(); }",
        runs,
    );
}

#[test]
fn an_object_that_is_made_answers_beside_a_mock() {
    let dao = &["Dao#find", "Dao#read", "Service#own", "Service#run"];
    check(
        "@Test void t() { Dao dao = mock(Dao.class); Clock clock = mock(Clock.class); \
         new Service(new Dao(), clock).run(); }",
        dao,
    );
    // Which of two tests comes first says nothing of it.
    check(
        "@Test void t() { Dao dao = mock(Dao.class); new Service(dao, new Utc()).run(); } \
         @Test void u() { Dao dao = mock(Dao.class); new Service(dao, null).run(); new Dao().find(); }",
        &[
            "Dao#find",
            "Dao#read",
            "Service#own",
            "Service#run",
            "Utc#now",
        ],
    );
    check(
        "@Spy Dao dao; @Test void t(Service s) { Dao other = mock(Dao.class); Clock clock = mock(Clock.class); s.run(); }",
        dao,
    );
}

#[test]
fn a_mock_of_one_test_answers_for_no_other() {
    check(
        "@Test void t(Service s) { mock(Dao.class); mock(Clock.class); s.run(); } @Test void u(Service s) { s.run(); }",
        ALL,
    );
}

#[test]
fn mocks_that_do_what_their_class_does_are_objects() {
    for made in [
        "spy(new Dao())",
        "mock(Dao.class, CALLS_REAL_METHODS)",
        "mock(Dao.class); doCallRealMethod().when(dao).find()",
        "mock(Dao.class); when(dao.find()).thenCallRealMethod()",
    ] {
        let members = format!("@Test void t(Service s) {{ Dao dao = {made}; s.run(); }}");
        assert!(called(&members).iter().any(|b| b == "Dao#read"), "{made}");
    }
}
