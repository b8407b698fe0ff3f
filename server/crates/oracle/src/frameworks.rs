//! Test frameworks, libraries of assertions and of mocks: a file and a row each, and [`ALL`] names them.
//!
//! What hangs on names of theirs is said in a row: what is a test, what asserts, which argument is the actual one, where messages
//! stand, how an assertion is written, what makes a mock. Whose an assertion is says the class that declares it
//! ([`Reader::form`](crate::Reader::form)). Elsewhere stand what no row owns: what names promise whosever they are
//! ([`promises`](crate::promises)), clients of requests ([`web`](crate::web)), and a few names of JUnit's where they are asked for:
//! of fixtures and classes of JUnit 3 and of templates (`suite`), of annotations that bring arguments (`arguments`).

mod assertj;
mod easymock;
mod evosuite;
mod form;
mod hamcrest;
mod jmockit;
mod junit3;
mod junit4;
mod jupiter;
mod mockito;
mod mockk;
mod pioneer;
mod says;
mod testng;
mod truth;

use crate::kind::TestKind;
pub use evosuite::{EVOSUITE, Runtime};
use form::form;
pub use form::{
    Arrays, Contrary, Entries, Fluent, Form, Matchers, Near, Optionals, Plain, Subject, Tolerance,
    Words,
};
pub use junit3::TEST_BEGINS;
pub(crate) use mockito::VERIFY;
use program::{FileSummary, Import, ImportKind};
pub use says::Says;
use smol_str::SmolStr;

/// One of them.
#[derive(Debug)]
pub struct Framework {
    /// As people call it.
    pub name: &'static str,
    /// Beginnings of the names that its users import.
    pub packages: &'static [&'static str],
    /// Annotations of methods, by simple name.
    pub annotations: &'static [(&'static str, TestKind)],
    /// Annotations of methods that give tests their arguments, by simple name.
    pub giving: &'static [&'static str],
    /// Those among them that make the tests of their class run for each of what they give.
    pub giving_class: &'static [&'static str],
    /// Annotations of methods that run for each of several arguments.
    pub for_each: &'static [&'static str],
    /// Annotations among them of methods that give back tests.
    pub gives_tests: &'static [&'static str],
    /// Methods of a test class that run its tests.
    pub runs: &'static [&'static str],
    /// Words of code that runs test classes itself.
    pub runs_classes: &'static [&'static str],
    /// Annotations of test classes that name the class which runs them.
    pub runs_with: &'static [&'static str],
    /// Annotations of test classes that name classes which run around their tests.
    pub runs_around: &'static [&'static str],
    /// Annotations of tests, and of classes of them, that do not run.
    pub off: &'static [&'static str],
    /// Annotations of such that run on some machines alone.
    pub somewhere: &'static [&'static str],
    /// What stops a test where the machine is not as it wants it.
    pub assumes: &'static [&'static str],
    /// What an argument of a test's annotation says, without white space, if the test does not run.
    pub off_by: &'static [&'static str],
    /// How an argument of a test's annotation begins if the test is to throw.
    pub throws_by: &'static [&'static str],
    /// Annotations of fields with what runs around tests.
    pub rules: &'static [&'static str],
    /// Classes of such that are told what a test throws; annotations of tests that throw.
    pub throwing_rules: &'static [&'static str],
    /// Calls by which such a rule is told what is thrown; others begin like one.
    pub told_to_throw: &'static [&'static str],
    /// Calls that run what they are given in a thread of its own, so as to give it up.
    pub apart: &'static [&'static str],
    /// Its classes of assertions.
    pub homes: &'static [Home],
    /// How tests are written in it.
    pub tests: Option<Tests>,
    /// Its assertions that have names of their own.
    pub asserts: &'static [(&'static str, Observed, Says)],
    /// Links behind a value that say something of it.
    pub links: &'static [(&'static str, Says)],
    /// Matchers that do.
    pub matchers: &'static [(&'static str, Says)],
    /// Links that read parts of the value, with the number of arguments that say which: their names as texts, references to
    /// methods, or lambdas that are given the value.
    pub parts: &'static [(&'static str, usize)],
    /// Those of them behind which the parts are the value.
    pub gives_parts: &'static [&'static str],
    /// Calls that end a test as failed. Their arguments are messages: they observe nothing.
    pub fails: &'static [&'static str],
    /// The classes on which such calls count, by simple name; without a class or on `this` they always do.
    pub fails_on: &'static [&'static str],
    /// The classes on which `then(x)` is the beginning of an assertion, by simple name.
    pub behaves_on: &'static [&'static str],
    /// Calls that check how a mock was used.
    pub verifies: &'static [&'static str],
    /// The classes on which such calls count, by simple name; without a class or on an `inOrder` they always do.
    pub verifies_on: &'static [&'static str],
    /// Calls whose lambda is expected to throw.
    pub throws: &'static [&'static str],
    /// Annotations of fields whose objects are mocks, spies or captors.
    pub mocked: &'static [&'static str],
    /// Annotations among them for whose type the context of a test has a mock.
    pub beans: &'static [&'static str],
    /// Annotations of fields that hold an object of their class, which code that is not here makes.
    pub held: &'static [&'static str],
    /// Calls that make such objects.
    pub mocks: &'static [&'static str],
    /// Annotations among them under which every answer is told: no spies, no captors.
    pub bare: &'static [&'static str],
    /// Calls among those that make them, likewise.
    pub makes_bare: &'static [&'static str],
    /// Links by which a mock is told its answer, as it is.
    pub returns: &'static [&'static str],
    /// Other links by which it is told.
    pub answers: &'static [&'static str],
    /// Those by which it is told what to throw.
    pub throwing: &'static [&'static str],
    /// Those by which it is told to do nothing, or what its class does.
    pub letting: &'static [&'static str],
    /// How the names of those end by which it does what its class does.
    pub lets_real: &'static [&'static str],
    /// Parts of arguments with which a mock is made that does what its class does.
    pub made_real: &'static [&'static str],
    /// Calls that give a mock to be told: what is called on their value runs nothing.
    pub tells: &'static [&'static str],
    /// Those of which it is told to do nothing: `doNothing().when(mailer).send(mail)`.
    pub does_nothing: &'static [&'static str],
    /// Calls that give a mock to be asked how it was used, likewise.
    pub asks: &'static [&'static str],
    /// Calls that do so by the statement behind them.
    pub asks_next: &'static [&'static str],
    /// Calls that look at the answer to a request.
    pub answered: &'static [&'static str],
    /// Calls that say which arguments a mock is to be given.
    pub matches: &'static [&'static str],
    /// Beginnings of the names of calls that say either; of others, too.
    pub may_begin: &'static [&'static str],
    /// Calls that build a request.
    pub builds: &'static [&'static str],
    /// Calls and annotations by which code of a class that is there may not run: spies, mocked statics and constructors.
    pub spies: &'static [&'static str],
    /// Calls that stand for an argument and have a captor keep it: on the captor, or given it.
    pub captures: &'static [&'static str],
    /// What a captor is asked for what it kept last.
    pub kept: &'static [&'static str],
    /// Behind what a test tells a mock: code that answers, and may look at what it is given.
    pub answered_by: &'static [&'static str],
    /// Matchers that every argument passes, but for null, and how the names of others begin.
    pub lets: &'static [&'static str],
    pub lets_begin: &'static [&'static str],
    /// Matchers that look at a part of what they are given.
    pub looks: &'static [&'static str],
    /// How often a call is to have been made, where it is at least once.
    pub made: &'static [&'static str],
    /// The same, where a number says it.
    pub made_so_often: &'static [&'static str],
    /// Words of a test class's head by which a test fails that told a mock what nobody asked for.
    pub strict: &'static [&'static str],
    /// Words of code that turn it on.
    pub strict_by: &'static [&'static str],
    /// Words of such a head that turn it off.
    pub lenient: &'static [&'static str],
    /// It looks into objects of which it knows nothing: what it is given it may serialise.
    pub looks_inside: bool,
    /// Parts of calls of it that look into objects by reflection, where it does not by itself.
    pub reflects: &'static [&'static str],
}

/// How tests are written.
#[derive(Clone, Copy, Debug)]
pub struct Tests {
    /// The class of the assertions that they use if nothing tells otherwise.
    pub assertions: &'static str,
    /// What makes a method a test; without it, its name and a class above, whose assertions it inherits.
    pub annotation: Option<&'static str>,
    /// They need not be public.
    pub is_open: bool,
    /// One with parameters runs for each of several arguments: nothing else is injected.
    pub has_arguments: bool,
    /// The class that tests of it extend, which has the assertions, too.
    pub extends: Option<&'static str>,
}

/// What an assertion observes of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// None of them: what it is given is run.
    Nothing,
    /// The one that is no message.
    One,
    /// The same, and nearly every value passes.
    OneWeakly,
    /// The actual one of two.
    Compared,
    /// The same, and nearly every value passes.
    ComparedWeakly,
    /// The first behind a reason: `assertThat(x, …)`, `assertThat("why", x, …)`.
    That,
    /// The second, and nearly every value passes.
    SecondWeakly,
}

/// A class of assertions.
#[derive(Clone, Copy, Debug)]
pub struct Home {
    /// Its binary name.
    pub class: &'static str,
    /// Their form.
    pub form: &'static Form,
    /// The class whose methods are inserted: some are for a few types only.
    pub inserts: &'static str,
    /// What the method that takes the value is called, in a fluent form.
    pub that: &'static str,
}

/// What is inserted where nothing tells otherwise.
pub static USUAL: Home = home("org.junit.Assert", &junit4::FORM);

const fn home(class: &'static str, form: &'static Form) -> Home {
    Home {
        class,
        form,
        inserts: class,
        that: "assertThat",
    }
}

/// Nothing: what a row leaves out.
const NONE: Framework = Framework {
    name: "",
    packages: &[],
    annotations: &[],
    giving: &[],
    giving_class: &[],
    for_each: &[],
    gives_tests: &[],
    runs: &[],
    runs_classes: &[],
    runs_with: &[],
    runs_around: &[],
    off: &[],
    somewhere: &[],
    assumes: &[],
    off_by: &[],
    throws_by: &[],
    rules: &[],
    throwing_rules: &[],
    told_to_throw: &[],
    apart: &[],
    homes: &[],
    tests: None,
    asserts: &[],
    links: &[],
    matchers: &[],
    parts: &[],
    gives_parts: &[],
    fails: &[],
    fails_on: &[],
    behaves_on: &[],
    verifies: &[],
    verifies_on: &[],
    throws: &[],
    mocked: &[],
    beans: &[],
    held: &[],
    mocks: &[],
    bare: &[],
    makes_bare: &[],
    returns: &[],
    answers: &[],
    throwing: &[],
    letting: &[],
    lets_real: &[],
    made_real: &[],
    tells: &[],
    does_nothing: &[],
    asks: &[],
    asks_next: &[],
    answered: &[],
    matches: &[],
    may_begin: &[],
    builds: &[],
    spies: &[],
    captures: &[],
    kept: &[],
    answered_by: &[],
    lets: &[],
    lets_begin: &[],
    looks: &[],
    made: &[],
    made_so_often: &[],
    strict: &[],
    strict_by: &[],
    lenient: &[],
    looks_inside: false,
    reflects: &[],
};

/// Known only by what their users import.
const fn imported(name: &'static str, packages: &'static [&'static str]) -> Framework {
    Framework {
        name,
        packages,
        ..NONE
    }
}

/// All of them. Of those that a file imports the first counts; of their classes those of which an import on demand has
/// `assertThat` come first, by how often that is meant.
pub static ALL: &[Framework] = &[
    assertj::ROW,
    truth::ROW,
    hamcrest::ROW,
    jupiter::ROW,
    pioneer::ROW,
    testng::ROW,
    junit4::ROW,
    junit3::ROW,
    mockito::ROW,
    easymock::ROW,
    jmockit::ROW,
    mockk::ROW,
    imported("FEST", &["org.fest.assertions."]),
    Framework {
        answered: &["andExpect", "expectStatus", "expectBody"],
        builds: &["get", "post"],
        looks_inside: true,
        ..imported("Spring Test", &["org.springframework.test."])
    },
    imported("OpenTest4J", &["org.opentest4j."]),
    Framework {
        answered: &["statusCode"],
        looks_inside: true,
        ..imported("REST Assured", &["io.restassured."])
    },
    imported("Awaitility", &["org.awaitility."]),
    imported("Reactor Test", &["reactor.test."]),
    Framework {
        name: "Hadoop's LambdaTestUtils",
        throws: &["intercept"],
        ..NONE
    },
    Framework {
        name: "IntelliJ's UsefulTestCase",
        asserts: &[("assertEmpty", Observed::One, Says::Empty)],
        ..NONE
    },
    Framework {
        name: "small libraries of fluent assertions",
        links: &[("because", Says::Nothing)],
        ..NONE
    },
];

impl Framework {
    /// True if an import is one of its names, or of all in a package of its.
    pub fn has(&self, import: &Import) -> bool {
        let has = |package: &&str| {
            let rest = import.name.strip_prefix(package.trim_end_matches('.'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.packages.iter().any(has)
    }
}

/// All words of one list of the rows.
pub fn all(
    list: impl Fn(&Framework) -> &'static [&'static str],
) -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(list).copied()
}

/// True if a row has the name in one of its lists.
pub fn any(name: &str, list: impl Fn(&Framework) -> &'static [&'static str]) -> bool {
    ALL.iter().any(|row| list(row).contains(&name))
}

/// How many arguments of a link say which parts of the value it reads; 0 for other links.
pub fn names_parts(link: &str) -> usize {
    let mut all = ALL.iter().flat_map(|row| row.parts);
    all.find(|(name, _)| *name == link)
        .map_or(0, |(_, most)| *most)
}

/// True for a link of them behind which the parts are the value.
pub fn gives_parts(link: &str) -> bool {
    any(link, |row| row.gives_parts)
}

/// True for a link by which a mock is told its answer.
pub fn answers(name: &str) -> bool {
    any(name, |row| row.returns) || any(name, |row| row.answers)
}

/// True for a link by which a mock is told what to do.
pub fn stubs(name: &str) -> bool {
    answers(name) || any(name, |row| row.throwing) || any(name, |row| row.letting)
}

/// True for a call by which a mock is told to do what its class does.
pub fn lets_real(name: &str) -> bool {
    all(|row| row.lets_real).any(|end| name.ends_with(end))
}

/// True for an argument, as written, with which a mock is made that does what its class does.
pub fn answers_itself(argument: &str) -> bool {
    all(|row| row.made_real).any(|part| argument.contains(part))
}

/// True for a call that gives a mock to be told or asked how it is used: what is called on its value runs nothing.
pub fn tells_or_asks(name: &str) -> bool {
    any(name, |row| row.tells) || any(name, |row| row.asks)
}

/// True for a matcher that every argument passes, but for null or one of another class.
pub fn lets_anything(name: &str) -> bool {
    let mut beginnings = ALL.iter().flat_map(|row| row.lets_begin);
    any(name, |row| row.lets) || beginnings.any(|b| name.starts_with(b))
}

/// True for a call that makes a mock, or says how it is to be used: it looks at nothing.
pub fn prepares(name: &str) -> bool {
    any(name, |row| row.mocks) || any(name, |row| row.tells) || any(name, |row| row.matches)
}

/// True if a call may do so by its name, of which no import says whose it is, or build a request.
pub fn may_prepare(name: &str) -> bool {
    let mut beginnings = ALL.iter().flat_map(|row| row.may_begin);
    prepares(name) || any(name, |row| row.builds) || beginnings.any(|b| name.starts_with(b))
}

/// What a captor is asked for what it kept last, where nothing tells whose it is.
pub fn asks_kept() -> &'static str {
    let mut all = ALL.iter().flat_map(|row| row.kept);
    all.next().copied().unwrap_or_default()
}

/// True for a class of one of them.
pub fn is_of_tests(class: &str) -> bool {
    let mut packages = ALL.iter().flat_map(|row| row.packages);
    packages.any(|p| class.starts_with(p))
}

/// True for a class of one of them that asks what it is given for nothing but what everybody may ask, unless a call says
/// that it [`reflects`].
pub fn asks_openly(class: &str) -> bool {
    let is_of = |row: &&Framework| row.packages.iter().any(|p| class.starts_with(p));
    ALL.iter().find(is_of).is_some_and(|row| !row.looks_inside)
}

/// True if what a call says looks into objects by reflection.
pub fn reflects(call: &str) -> bool {
    let mut all = ALL.iter().flat_map(|row| row.reflects);
    all.any(|part| call.contains(part))
}

/// The assertion that holds where one of this name does not. Links behind a value have theirs in their form.
pub fn contrary(name: &str) -> Option<&'static str> {
    const CONTRARY: &[(&str, &str)] = &[
        ("assertTrue", "assertFalse"),
        ("assertNull", "assertNotNull"),
        ("assertSame", "assertNotSame"),
        ("assertEquals", "assertNotEquals"),
    ];
    let other = |(a, b): &(&'static str, &'static str)| match name {
        _ if *a == name => Some(*b),
        _ if *b == name => Some(*a),
        _ => None,
    };
    CONTRARY.iter().find_map(other)
}

/// True if some form has no assertion of this name: where nobody knows whose it is, it may not be there.
pub fn some_lack(name: &str) -> bool {
    homes().any(|home| home.form.lacks.contains(&name))
}

/// All classes of assertions, in order.
pub fn homes() -> impl Iterator<Item = &'static Home> {
    ALL.iter().flat_map(|row| row.homes)
}

/// What an assertion of that name observes; none for a project's own and for those that are told by their links.
pub fn observed(name: &str) -> Option<Observed> {
    let mut all = ALL.iter().flat_map(|row| row.asserts);
    all.find(|a| a.0 == name).map(|a| a.1)
}

/// What an assertion of that name says by itself.
pub fn assertion(name: &str) -> Option<Says> {
    let mut all = ALL.iter().flat_map(|row| row.asserts);
    all.find(|a| a.0 == name).map(|a| a.2)
}

/// What a link of that name says of the value that it stands behind.
pub fn link(name: &str) -> Option<Says> {
    let mut all = ALL.iter().flat_map(|row| row.links);
    all.find(|a| a.0 == name).map(|a| a.1)
}

/// The link that says something.
pub fn link_of(says: Says) -> Option<&'static str> {
    let mut all = ALL.iter().flat_map(|row| row.links);
    all.find(|a| a.1 == says).map(|a| a.0)
}

/// What a matcher of that name says.
pub fn matcher(name: &str) -> Option<Says> {
    let mut all = ALL.iter().flat_map(|row| row.matchers);
    all.find(|a| a.0 == name).map(|a| a.1)
}

/// What a word of assertions says, whichever of them it is.
pub fn says(name: &str) -> Option<Says> {
    let own = assertion(name).or_else(|| link(name));
    own.or_else(|| matcher(name))
}

/// True for the name of a method that takes the value of which links or a matcher say something.
pub fn takes_value(name: &str) -> bool {
    homes().any(|home| !home.form.is_plain() && home.that == name)
}

/// True for assertions that JUnit 3 (but two), 4 and Jupiter have with the same arguments, where no message is given.
pub fn is_shared(name: &str) -> bool {
    let row = &junit3::ROW;
    row.fails.contains(&name) || row.asserts.iter().any(|a| a.0 == name)
}

/// True for a name that says what all assertions say with their first word, whosever they are.
pub fn is_called_assertion(name: &str) -> bool {
    name.starts_with("assert")
}

/// True for the annotation, by simple name, that makes a method a test and whose arguments say more of it.
pub fn marks_tests(annotation: &str) -> bool {
    let own = ALL.iter().filter_map(|row| row.tests?.annotation);
    own.filter_map(simple).any(|name| name == annotation)
}

/// True for a class that tests extend, by simple name.
pub fn is_extended(class: &str) -> bool {
    let own = ALL.iter().filter_map(|row| row.tests?.extends);
    own.filter_map(simple).any(|name| name == class)
}

/// The last word of a binary name.
fn simple(class: &str) -> Option<&str> {
    class.rsplit('.').next()
}

/// True for files that import one of them: tests, and what helps them.
pub fn is_imported(summary: &FileSummary) -> bool {
    let imports = || summary.imports.iter();
    ALL.iter().any(|row| imports().any(|i| row.has(i)))
}

/// True for a test of a file that runs once for each of several arguments.
pub fn runs_for_each(summary: &FileSummary, annotations: &[SmolStr], params: usize) -> bool {
    let is_row = |row: &Framework| {
        let takes = row.tests.is_some_and(|t| t.has_arguments) && params > 0;
        let is_test = |a: &SmolStr| row.annotations.contains(&(a.as_str(), TestKind::Test));
        takes && annotations.iter().any(is_test) && summary.imports.iter().any(|i| row.has(i))
    };
    annotations.iter().any(|a| any(a, |row| row.for_each)) || ALL.iter().any(is_row)
}

/// The framework whose tests a file has, by its imports.
pub fn of_tests(summary: &FileSummary) -> Option<&'static Tests> {
    let own = ALL
        .iter()
        .filter_map(|row| Some((row, row.tests.as_ref()?)));
    let mut imported = own.filter(|(row, _)| summary.imports.iter().any(|i| row.has(i)));
    imported.next().map(|(_, tests)| tests)
}

impl Tests {
    /// The class of their assertions.
    pub fn home(&self) -> Option<&'static Home> {
        homes().find(|h| h.class == self.assertions)
    }
}

/// The class that tests extend to have the assertions of a class.
pub fn extended_for(class: &str) -> Option<&'static str> {
    let mut all = ALL.iter().filter_map(|row| row.tests.as_ref());
    all.find(|t| t.assertions == class)?.extends
}

impl Home {
    /// True if the class has assertions of this name.
    pub fn has(&self, name: &str) -> bool {
        match &self.form.words {
            Words::Fluent(words) => {
                name == self.that || words.has_many && name.starts_with("assertThat")
            }
            Words::Matchers(_) => name == self.that,
            Words::Plain(_) => {
                let is_handed_on = self.form.hands_on.is_some();
                name.starts_with("assert") && (is_handed_on || !name.starts_with("assertThat"))
            }
        }
    }

    /// True if a file means this class by its simple name.
    fn is_imported_as(&self, summary: &FileSummary, simple: &str) -> bool {
        let (package, own) = self.class.rsplit_once('.').unwrap_or(("", self.class));
        let has = |i: &Import| match i.kind {
            ImportKind::Single => i.name == self.class,
            ImportKind::OnDemand => i.name == package,
            _ => false,
        };
        own == simple && summary.imports.iter().any(has)
    }
}

impl Form {
    /// That of an assertion whose class is known.
    pub(crate) fn of_class(class: &str) -> Option<&'static Form> {
        homes().find(|h| h.class == class).map(|h| h.form)
    }

    /// That of an assertion of which only the file's imports tell whose it is: called on `class`, or on nothing, where a class
    /// above may have it if the caller `inherits`. None if it is nobody's of these, or they do not agree.
    pub(crate) fn imported(
        summary: &FileSummary,
        class: Option<&str>,
        name: &str,
        inherits: impl FnOnce() -> bool,
    ) -> Option<&'static Form> {
        let Some(homes) = by_imports(summary, class, name) else {
            // JUnit 3's are inherited.
            return inherits().then_some(&junit3::FORM);
        };
        let form = homes.first()?.form;
        homes.iter().all(|h| h.form == form).then_some(form)
    }
}

/// The classes of assertions that may be meant by a call of `name` on `class`, or on nothing, by what a file imports; none
/// among them if it is somebody else's. `None` if no import says anything: then it is inherited.
pub fn by_imports(
    summary: &FileSummary,
    class: Option<&str>,
    name: &str,
) -> Option<Vec<&'static Home>> {
    if let Some(class) = class {
        return Some(
            homes()
                .filter(|h| h.is_imported_as(summary, class))
                .collect(),
        );
    }
    let imports = || summary.imports.iter();
    let single = imports()
        .filter(|i| i.kind == ImportKind::StaticSingle)
        .filter_map(|i| i.name.rsplit_once('.'))
        .find(|(_, method)| *method == name);
    if let Some((class, _)) = single {
        return Some(homes().filter(|h| h.class == class).collect());
    }
    let on_demand =
        |h: &Home| imports().any(|i| i.kind == ImportKind::StaticOnDemand && i.name == h.class);
    let all: Vec<_> = homes().filter(|h| h.has(name) && on_demand(h)).collect();
    (!all.is_empty()).then_some(all)
}
