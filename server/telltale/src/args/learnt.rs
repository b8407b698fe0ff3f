//! The arguments of what learns from recorded values: likely invariants, the assertions that contradict them, and why.

use super::{CheckFormat, FailOn, Format, Place, probability};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

const INVARIANTS_EXAMPLES: &str = "Examples:
  telltale invariants StackAr.dtrace.gz                       what held at every visit, point by point
  telltale invariants StackAr.decls run1.dtrace run2.dtrace --format json
  telltale invariants StackAr.dtrace.gz --point 'StackAr.push'
  telltale invariants StackAr.dtrace.gz --why 'DataStructures.StackAr.top():::EXIT' 'return != null'
  telltale invariants . --write calls.dtrace.gz               what was recorded of a project, as a trace

Exit codes: 0 done, 2 wrong use, 3 the run itself failed.";

/// Likely invariants.
#[derive(ClapArgs, Debug)]
#[command(after_help = INVARIANTS_EXAMPLES)]
pub(crate) struct Invariants {
    /// Declarations and traces of version 2.0, as they are or with gzip; or a project, of whose calls `telltale record` kept samples
    #[arg(value_name = "TRACE", required = true)]
    pub(crate) traces: Vec<PathBuf>,
    /// Write the recorded calls of a project as a trace, with gzip if the name ends in .gz, and learn nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["point", "why", "all", "without"])]
    pub(crate) write: Option<PathBuf>,
    /// Only points whose name holds this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) point: Option<String>,
    /// From which confidence on a constraint is believed, from 0 to 1
    #[arg(long, value_name = "C", value_parser = probability, default_value = "0.99")]
    pub(crate) confidence: f64,
    /// Everything that can be checked: all bounds, and at each point what holds of the points above too
    #[arg(long)]
    pub(crate) all: bool,
    /// Leave out a family of invariants (may be repeated)
    #[arg(long, value_name = "FAMILY", value_parser = families())]
    pub(crate) without: Vec<String>,
    /// Say what became of one constraint at one point: told, too few samples, told by another, or broken by which sample
    #[arg(long, num_args = 2, value_names = ["POINT", "CONSTRAINT"], allow_hyphen_values = true)]
    pub(crate) why: Option<Vec<String>>,
    /// Say nothing about progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

fn families() -> clap::builder::PossibleValuesParser {
    ::invariants::Family::ALL
        .iter()
        .map(|family| clap::builder::PossibleValue::new(family.row().name).help(family.row().form))
        .into()
}

const SUSPECTS_EXAMPLES: &str = "Examples:
  telltale record && telltale suspects          run the tests, then rank the assertions of generated ones
  telltale suspects --top 1 src/test            the first of each class that tests below src/test are of
  telltale suspects --class Complex             one class under test, or one class of generated tests
  telltale suspects --test Complex_ESTest#test01    the assertions of one test
  telltale suspects --format json               every number from a sample to a rank
  telltale suspects --explain Complex_ESTest.java:29    all that the score of one assertion is made of
  telltale suspects --format sarif > suspects.sarif     for code scanning, as telltale check writes it

What generated tests assert is what the code did, right or wrong. Hand-written tests teach what is usual; an assertion is
suspicious if a value reaches it that they never saw, in code that they run. Nothing runs here: what is known is what
telltale record kept, and tests whose code has changed since are left out.

Exit codes: 0 done, 1 marks at or above --fail-on, 2 wrong use, 3 what was kept cannot be read.";

/// What can be done beyond the steps that are done, and is not unless it is asked.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Further {
    /// The further a strange value goes to an assertion, the less it counts
    Distance,
    /// What holds of the receiver whenever any method returns is asked of each
    Objects,
}

/// What to rank.
#[derive(ClapArgs, Debug)]
#[command(after_help = SUSPECTS_EXAMPLES)]
pub(crate) struct Suspects {
    /// A project, folder or Java file
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    /// The project's root [default: found from PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Only the assertions of a generated test, or of a class of them: Class, pkg.Class, Class#method. Ranks stay those of the whole class under test
    #[arg(long, value_name = "TEST", conflicts_with = "class")]
    pub(crate) test: Option<String>,
    /// Only a class under test with the classes in it, or a class of generated tests: Class or pkg.Class
    #[arg(long, value_name = "CLASS")]
    pub(crate) class: Option<String>,
    /// Say nothing about progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How many assertions of each class are shown; JSON has all
    #[arg(long, value_name = "N", default_value = "5")]
    pub(crate) top: usize,
    /// From which confidence on a constraint is believed, from 0 to 1
    #[arg(long, value_name = "C", value_parser = probability, default_value = "0.99")]
    pub(crate) confidence: f64,
    /// How similar what had run must be to what a hand-written test had run, from 0 (whatever ran) to 1
    #[arg(long, value_name = "S", value_parser = probability, default_value = "0.75")]
    pub(crate) similarity: f64,
    /// The least level of a mark for which the exit code is 1: warning (what is probably wrong) or hint (what is worth a look first, too)
    #[arg(long, value_name = "LEVEL", value_enum, default_value = "never")]
    pub(crate) fail_on: FailOn,
    /// A step that is left out (may be repeated)
    #[arg(long, value_enum, value_name = "STEP")]
    pub(crate) without: Vec<Beyond>,
    /// A further step that is taken (may be repeated)
    #[arg(long, value_enum, value_name = "STEP")]
    pub(crate) with: Vec<Further>,
    /// Tell of one assertion all that its score is made of; FILE is a path below the root, or how one ends
    #[arg(long, value_name = "FILE:LINE[:COLUMN]", conflicts_with_all = ["test", "class", "fail_on"])]
    pub(crate) explain: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: CheckFormat,
}

impl Suspects {
    /// What is asked about.
    pub(crate) fn place(&self) -> Place {
        Place {
            test: self.test.clone(),
            class: self.class.clone(),
            ..Place::whole(&self.path, self.root.as_deref(), self.quiet)
        }
    }
}

const WHY_EXAMPLES: &str = "Examples:
  telltale why 'Complex#conjugate' 'return.imaginary != 0'
  telltale why 'Stack#push(java.lang.Object)' 'this.size <= size(this.data[])' services/core
  telltale why 'Order#price' 'return > 0' --format json

It asks what telltale record kept of hand-written tests, at the start and at the end of each call. Constraints are written as
telltale suspects and telltale invariants print them. A trace of Daikon's format: telltale invariants TRACE --why POINT CONSTRAINT.

Exit codes: 0 done, whatever the answer; 2 wrong use, 3 what was kept cannot be read.";

/// What is expected.
#[derive(ClapArgs, Debug)]
#[command(after_help = WHY_EXAMPLES)]
pub(crate) struct Why {
    /// A method: Class#method, or Class#method(int) where there are several
    #[arg(value_name = "CLASS#METHOD")]
    pub(crate) method: String,
    /// What you expect of its values, such as 'x > 0'
    #[arg(value_name = "CONSTRAINT")]
    pub(crate) claim: String,
    /// A project, folder or Java file
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    /// The project's root [default: found from PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// From which confidence on a constraint is believed, from 0 to 1
    #[arg(long, value_name = "C", value_parser = probability, default_value = "0.99")]
    pub(crate) confidence: f64,
    /// Say nothing about progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// What `suspects` does beyond the published method.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Whether two objects hold the same is a value, too
    Alike,
    /// All tests teach of a method that the class's own tests hardly call
    Callers,
    /// What is strange of one field of an object reaches what reads that field; without it, whatever asks the object
    Fields,
    /// A strange value reaches the assertions it goes to; without it, all that stand behind the call
    Flow,
    /// What a call made of values beyond those that hand-written tests give says little
    Inputs,
    /// Hand-written tests that are left out say how often a right test breaks such a constraint
    LeftOut,
    /// Overloads teach of a method that no test calls
    Overloads,
    /// Scores weigh how credible and how rarely broken a constraint is; without it they add up uniqueness
    Weights,
    /// Of the weights: how credible a constraint is
    Credible,
    /// Of the weights: how rarely generated tests break it
    Rare,
    /// Of the weights: whether the call itself did it, or was given it
    Own,
    /// Of the weights: how similar what had run is to what hand-written tests had run
    Similar,
    /// The order is that by the weights and that by the published sum in one
    Fused,
}
