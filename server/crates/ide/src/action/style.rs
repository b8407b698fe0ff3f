//! How the tests of a file assert: whose assertions, in which form, and whether their class stands before them. Where a
//! file asserts nothing yet, its imports say, then the tests around it, then the framework.

use flow::{CallId, Callee};
use oracle::frameworks::{
    Home, Says, Tests, USUAL, by_imports, homes, matcher, of_tests, takes_value,
};
use oracle::{Form, is_assertion, last_name};
use program::{FileId, FileSummary, ImportKind, MethodId, Program};

/// How many files around are asked that assert with something.
const NEIGHBOURS: usize = 30;

/// See the module's description.
#[derive(Clone, Debug)]
pub(super) struct Style {
    pub(super) form: &'static Form,
    /// The class of the assertions.
    pub(super) class: &'static str,
    /// What the method that takes the value is called, in a fluent form.
    pub(super) that: &'static str,
    /// Most assertions name their class.
    pub(super) by_class: bool,
    /// `equalTo(x)` rather than `is(x)`, of Hamcrest.
    pub(super) equal_to: bool,
}

impl Style {
    /// The style of a test's file.
    pub(super) fn of(program: &Program, file: FileId, test: MethodId) -> Style {
        let summary = program.summary(file).map(|s| &**s);
        let used = Used::in_file(program, file);
        let framework = summary.and_then(of_tests).and_then(Tests::home);
        let first = used.home.or_else(|| {
            let of_file = summary.and_then(imported).filter(|h| fits(h.0, framework));
            let super_types = program.supertype_names(program.method_owner(test));
            let inherited = || {
                let inherited = |h: &&Home| super_types.iter().any(|s| s == h.class);
                homes().find(inherited).map(|h| (h, false))
            };
            of_file.or_else(inherited).or_else(|| {
                around(program, file)
                    .filter(|h| fits(h.0, framework))
                    .or(Some((framework?, false)))
            })
        });
        let (home, by_class) = first.map_or((USUAL, false), |(home, by)| (*home, by));
        Style {
            form: home.form,
            class: home.inserts,
            that: home.that,
            by_class,
            equal_to: used.equal_to,
        }
    }
}

/// False for a framework's assertions in a file whose tests are another's.
fn fits(home: &Home, framework: Option<&Home>) -> bool {
    !home.form.is_plain() || framework.is_none_or(|f| f.form == home.form)
}

/// What a file's imports have of assertions, and whether by class.
fn imported(summary: &FileSummary) -> Option<(&'static Home, bool)> {
    summary.imports.iter().find_map(|i| {
        let by_class = i.kind == ImportKind::Single;
        let class = match i.kind {
            ImportKind::StaticSingle => i.name.rsplit_once('.')?.0,
            ImportKind::StaticOnDemand | ImportKind::Single => &i.name,
            ImportKind::OnDemand | ImportKind::Module => return None,
        };
        let home = homes().find(|h| h.class == class)?;
        Some((home, by_class))
    })
}

/// What most files around import: those of the same folder first, then those of its source set.
fn around(program: &Program, file: FileId) -> Option<(&'static Home, bool)> {
    let folder = |f: FileId| Some(program.path(f)?.rsplit_once('/')?.0.to_owned());
    let (set, own) = (program.source_set(file), folder(file));
    let most = |near: bool| {
        let files = program.files().iter().copied();
        let mut counts = Counts::default();
        files
            .filter(|f| *f != file && program.source_set(*f) == set)
            .filter(|f| !near || folder(*f) == own)
            .filter_map(|f| imported(program.summary(f)?))
            .take(NEIGHBOURS)
            .for_each(|(home, by_class)| counts.add(home, by_class));
        counts.most(|_| true)
    };
    most(true).or_else(|| most(false))
}

/// What a file's assertions are, by their calls.
struct Used {
    home: Option<(&'static Home, bool)>,
    equal_to: bool,
}

impl Used {
    fn in_file(program: &Program, file: FileId) -> Used {
        let mut counts = Counts::default();
        let (mut is, mut equal_to) = (0, 0);
        let summary = program.summary(file);
        for &id in program.bodies_of_file(file) {
            let (Some(decl), Some(summary)) = (program.body(id), summary) else {
                continue;
            };
            let super_types = program.supertype_names(program.body_owner(id));
            let body = &decl.body;
            for (at, call) in body.calls.iter().enumerate() {
                let Callee::Method { receiver, name } = call.callee else {
                    continue;
                };
                let name = body.name(name).as_str();
                match matcher(name) {
                    Some(Says::Is) => is += 1,
                    Some(Says::Equal) => equal_to += 1,
                    _ => {}
                }
                if !is_assertion(body, CallId(at as u32), &[]) && !takes_value(name) {
                    continue;
                }
                let class = receiver.map(|r| last_name(body, r).unwrap_or(""));
                let home = match by_imports(summary, class, name) {
                    Some(homes) => homes.first().copied(),
                    None => homes().find(|h| super_types.iter().any(|s| s == h.class)),
                };
                if let Some(home) = home.filter(|h| h.has(name)) {
                    // JUnit 4's is Hamcrest's.
                    let other = home.form.hands_on;
                    let other =
                        other.and_then(|c| homes().find(|h| h.class == c && h.that == name));
                    counts.add(other.unwrap_or(home), receiver.is_some());
                }
            }
        }
        Used {
            // Of as many the plain form, which takes any value.
            home: counts.most(Form::is_plain),
            equal_to: equal_to > is,
        }
    }
}

/// How often classes of assertions are used, and how often by their names.
#[derive(Default)]
struct Counts(Vec<(&'static Home, usize, usize)>);

impl Counts {
    fn add(&mut self, home: &'static Home, by_class: bool) {
        let at = self.0.iter().position(|c| c.0.class == home.class);
        let at = at.unwrap_or_else(|| {
            self.0.push((home, 0, 0));
            self.0.len() - 1
        });
        self.0[at].1 += 1;
        self.0[at].2 += usize::from(by_class);
    }

    /// The most used, and whether mostly by its name; of as many one that is `preferred`, then the first of the table.
    fn most(&self, preferred: impl Fn(&Form) -> bool) -> Option<(&'static Home, bool)> {
        let place = |home: &Home| homes().position(|h| h.class == home.class);
        let key = |c: &&(&'static Home, usize, usize)| {
            (c.1, preferred(c.0.form), std::cmp::Reverse(place(c.0)))
        };
        let (home, all, by_class) = *self.0.iter().max_by_key(key)?;
        Some((home, by_class > all - by_class))
    }
}
