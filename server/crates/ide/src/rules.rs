//! Rules: what is wrong with a test that nobody has to run to see, and what of a run that was recorded is.
//!
//! A rule is one file and one row of [`ALL`]; diagnostics, the command line, settings and the pages in `docs/rules` follow
//! from the rows. A rule looks at one file at a time, and says nothing where it is not sure. What mutants tell are rows of
//! [`OF_MUTANTS`]: of these only settings and pages follow, and what an editor's session marks.

mod inner_oracle;
mod inner_oracle_stale;
mod missed_fail;
mod missed_message;
mod no_oracle;
mod pseudo_tested;
mod rotten_assertion;
mod self_check;
mod silence;
mod survived;
mod suspicious_assertion;
mod unstable_observation;

use crate::analysis::{Analysis, Place};
use crate::change::SourceChange;
use crate::checking::Checking;
use oracle::TestKind;
use program::{FileId, MethodId, Program};
use text::Span;

pub use pseudo_tested::RULE as PSEUDO_TESTED;
pub use survived::RULE as SURVIVED;
pub use suspicious_assertion::{NAME as SUSPICIOUS, marked, suspicious, unmarked};

/// How loud a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// An editor's faintest mark.
    Hint,
    /// Information.
    Info,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

impl Level {
    /// As settings and output write it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Hint => "hint",
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// `no-oracle`: in settings, comments, output. Its page is `docs/rules/no-oracle.md`.
    pub name: &'static str,
    /// How loud it is unless settings say otherwise.
    pub level: Level,
    /// One sentence: what a finding of it means.
    pub title: &'static str,
    /// What it finds in a file, in any order; none of what only a run tells that a user asks for.
    check: Option<Check>,
}

impl Rule {
    /// What the action that silences a finding is called.
    pub fn silence_title(&self) -> String {
        format!("Silence {} here by a comment", self.name)
    }
}

type Check = fn(&Ground<'_>, FileId) -> Vec<Finding>;

/// All rules that look at files, in the order of the documentation.
pub const ALL: &[Rule] = &[
    no_oracle::RULE,
    missed_fail::RULE,
    missed_message::RULE,
    rotten_assertion::RULE,
    self_check::RULE,
    inner_oracle::RULE,
    inner_oracle_stale::RULE,
    suspicious_assertion::RULE,
    unstable_observation::RULE,
];

/// What mutants tell when a user asks for them: levels, settings and pages are those of rules, and an editor's session marks it
/// ([`crate::survivors`]).
pub const OF_MUTANTS: &[Rule] = &[SURVIVED, PSEUDO_TESTED];

/// The rules that ask what runs told.
pub const OF_RUNS: &[&str] = &[suspicious_assertion::NAME, unstable_observation::NAME];

/// The rule of that name that looks at files.
pub fn named(name: &str) -> Option<&'static Rule> {
    ALL.iter().find(|rule| rule.name == name)
}

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Which rule says so.
    pub rule: &'static Rule,
    /// Where, in bytes of the file.
    pub span: Span,
    /// One sentence without a full stop.
    pub message: String,
    /// The test, or the helper, that it is about.
    pub method: Option<MethodId>,
    /// What stands there, without what formatting changes: with the rule and the method it says which finding this is, however
    /// lines move.
    pub what: String,
    /// A level below that of the rule.
    pub fainter: Option<Level>,
    /// How it stands among others of its rule, where they are ranked.
    pub standing: Option<Standing>,
    /// Places that explain it, the most telling first.
    pub related: Vec<Related>,
    /// What would mend it, where that can be told.
    pub fix: Option<Fix>,
}

/// What would mend a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fix {
    /// The test fails where a block comes to its end: no exception of the class was thrown.
    Fail {
        /// Its closing brace, in bytes of the file.
        at: u32,
        /// As it is written; empty if there are several.
        class: String,
    },
    /// Behind what is taken is said that it is true.
    True(u32),
    /// The message of what is thrown is compared.
    Message {
        /// What asks whether something is thrown.
        call: Span,
        /// The text in it, with the comma beside it.
        beside: Span,
        /// The text, as it is written.
        text: String,
    },
}

impl Finding {
    /// What most findings are made of.
    pub fn new(
        rule: &'static Rule,
        span: Span,
        message: String,
        method: Option<MethodId>,
        what: String,
    ) -> Finding {
        Finding {
            rule,
            span,
            message,
            method,
            what,
            fainter: None,
            standing: None,
            related: Vec::new(),
            fix: None,
        }
    }

    /// How loud it is where its rule has this level.
    pub fn level(&self, rule: Level) -> Level {
        self.fainter.map_or(rule, |own| own.min(rule))
    }
}

/// A finding among others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// From 1; equals share the first of their ranks.
    pub rank: u32,
    /// What it is ranked by.
    pub score: f64,
}

/// A place that explains a finding.
#[derive(Clone, Debug)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// A few words.
    pub message: String,
}

/// What users say of the rules beside their levels.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of tests that only must not throw; `*` stands for any letters.
    pub smoke: Vec<String>,
}

/// What rules look at, with what is known of its bodies so far.
pub struct Ground<'a> {
    analysis: &'a Analysis,
    options: &'a Options,
    checking: Checking<'a>,
}

impl<'a> Ground<'a> {
    /// Nothing known yet. To be shared by all files that are looked at.
    pub fn new(analysis: &'a Analysis, options: &'a Options) -> Ground<'a> {
        Ground {
            analysis,
            options,
            checking: Checking::new(analysis),
        }
    }

    /// The tests that a file declares.
    fn tests(&self, file: FileId) -> impl Iterator<Item = MethodId> {
        let program = self.analysis.program();
        let suite = self.analysis.workspace().suite();
        let classes = program.types_of_file(file).iter();
        let methods = classes.flat_map(|t| program.methods_of_type(*t)).copied();
        methods.filter(|m| suite.kind(*m) == Some(TestKind::Test))
    }

    /// What the rules that are `on` find in a file and nobody has silenced, by position.
    pub fn findings(&self, file: FileId, on: &dyn Fn(&Rule) -> bool) -> Vec<Finding> {
        let rules = ALL.iter().filter(|rule| on(rule));
        let checks = rules.filter_map(|rule| rule.check);
        let mut found: Vec<Finding> = checks.flat_map(|check| check(self, file)).collect();
        if found.is_empty() {
            return found;
        }
        tidy(self.analysis.program(), file, &mut found);
        found
    }
}

/// Leaves what nobody has silenced, by position.
fn tidy(program: &Program, file: FileId, found: &mut Vec<Finding>) {
    let silence = silence::Silence::of(program, file);
    found.retain(|f| !silence.covers(f));
    found.sort_by_key(|f| (f.span, f.rule.name));
}

/// Silences a finding: a comment above the test or the line.
pub fn silenced(analysis: &Analysis, file: FileId, finding: &Finding) -> Option<SourceChange> {
    let edit = silence::suppression(analysis.program(), file, finding)?;
    Some(SourceChange::of(file, vec![edit]))
}
