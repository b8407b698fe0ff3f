//! The command line's grammar.

mod learnt;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use ide::inner::Turn;
use ide::rules::Level;
pub(crate) use learnt::{Beyond, Further, Invariants, Suspects, Why};
use std::path::{Path, PathBuf};

/// Shows which variables tell on a bug: what a test should observe.
#[derive(Parser, Debug)]
#[command(name = "telltale", version, about, long_about = None, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Rank what to observe, in a workspace, folder, file, class, method or test
    Observe(Observe),
    /// Print the substitution graph (or the call graph) of a scope as DOT, SVG or JSON
    Graph(Graph),
    /// Check a value inside the code under test, for one test: add, list and remove inner oracles
    Inner(Inner),
    /// Learn from recorded values what always holds: likely invariants of a Daikon trace
    Invariants(Invariants),
    /// Say which tests check nothing, and which assertions cannot fail
    Check(Check),
    /// Run the tests and keep what they did, so that values stand in the editor and assertions are written whole
    Record(Record),
    /// Say which lines tests run and which they check, as a list or as coverage
    Checked(Checked),
    /// Change the code on purpose and say what no test notices, each with the value that would have told
    Mutants(Mutants),
    /// Rank the assertions of generated tests that are probably wrong
    Suspects(Suspects),
    /// Say whether tests taught what you expect of a method, and if not, which sample of which test broke it
    Why(Why),
    /// Show what was found of a project: its build, JDK and libraries, what is missing, and what would mend it
    Doctor(Doctor),
    /// Look inside: for comparing with a compiler
    #[command(hide = true)]
    Debug(Debug),
    /// Serve an editor on standard input and output
    Lsp(Lsp),
    /// Print the manual page
    #[command(hide = true)]
    Man,
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// How the server runs.
#[derive(ClapArgs, Debug)]
pub(crate) struct Lsp {
    /// Append a log to this file: one line a request, with its time
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Accepted for clients that say how they talk; there is no other way
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}

const OBSERVE_EXAMPLES: &str = "Examples:
  telltale observe                             what no test checks of this project, with the nearest test
  telltale observe src/main/java/org/x/Bar.java
  telltale observe --class Parser              one class (also --method 'Parser#parse')
  telltale observe --test ParserTest#mixed     what this test could assert and does not, and what is not visible to it
  telltale observe --test ParserTest --format json
  telltale observe --test all --weakest 10     the ten tests that would gain most by one assertion, each with it

Exit codes: 0 done, 2 wrong use, 3 the run itself failed.";

/// What to rank.
#[derive(ClapArgs, Debug)]
#[command(after_help = OBSERVE_EXAMPLES)]
pub(crate) struct Observe {
    #[command(flatten)]
    pub(crate) place: Place,
    /// How much of a wrong value shows one step further on, from 0 (not at all) to 1 (as far as values flow)
    /// [default: 0, for the readable list 1]
    #[arg(long, value_name = "L", value_parser = probability, allow_negative_numbers = true)]
    pub(crate) lambda: Option<f64>,
    /// How fast what was chosen lowers the rest: d (by degrees) or a constant up to 1 (at once) [default: d]
    #[arg(long, value_name = "FP", value_parser = fp, allow_negative_numbers = true)]
    pub(crate) fp: Option<FpArg>,
    /// How many to select [default: 10]
    #[arg(long, value_name = "N", value_parser = top, allow_negative_numbers = true)]
    pub(crate) top: Option<usize>,
    /// What may be offered [default: for a test readable and inside, otherwise all]
    #[arg(long, value_enum)]
    pub(crate) offer: Option<OfferArg>,
    /// Name the N tests of PATH, or of --test, that would gain most by one assertion, each with that assertion
    #[arg(
        long,
        value_name = "N",
        value_parser = top,
        allow_negative_numbers = true,
        conflicts_with_all = ["offer", "all_candidates", "verbose", "strategy", "centrality"]
    )]
    pub(crate) weakest: Option<usize>,
    /// How to rank all values of the scope
    #[arg(long, value_enum, default_value = "sods")]
    pub(crate) strategy: Strategy,
    /// What makes a value central
    #[arg(long, value_enum, default_value = "pagerank")]
    pub(crate) centrality: CentralityArg,
    /// Look at the code that ran when the tests were recorded, instead of at all that may run
    #[arg(long, conflicts_with = "weakest")]
    pub(crate) use_runs: bool,
    /// Add every candidate, in order of position, to the JSON
    #[arg(long)]
    pub(crate) all_candidates: bool,
    /// List in full, too, what a test could read and most likely nobody wants asserted
    #[arg(long)]
    pub(crate) doubtful: bool,
    /// Add figures, and the ways by which wrong values get there, to the text
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// Where to look.
#[derive(ClapArgs, Debug)]
pub(crate) struct Place {
    /// A project, folder or Java file
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    /// The project's root [default: found from PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// A test, a test class, or `all` for the whole suite: Class, pkg.Class, Class#method
    #[arg(long, value_name = "TEST", conflicts_with_all = ["class", "method"])]
    pub(crate) test: Option<String>,
    /// A class: Class or pkg.Class
    #[arg(long, value_name = "CLASS", conflicts_with = "method")]
    pub(crate) class: Option<String>,
    /// A method: Class#method
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// Say nothing about progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl Place {
    /// A whole project, folder or file.
    pub(crate) fn whole(path: &Path, root: Option<&Path>, quiet: bool) -> Place {
        Place {
            path: path.to_path_buf(),
            root: root.map(Path::to_path_buf),
            test: None,
            class: None,
            method: None,
            quiet,
        }
    }
}

const GRAPH_EXAMPLES: &str = "Examples:
  telltale graph --method 'Stats#compare' --format svg > compare.svg
  telltale graph --test StatsTest --kind calls --format json";

/// What to draw.
#[derive(ClapArgs, Debug)]
#[command(after_help = GRAPH_EXAMPLES)]
pub(crate) struct Graph {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Which graph
    #[arg(long, value_enum, default_value = "substitution")]
    pub(crate) kind: GraphKind,
    /// How to print
    #[arg(long, value_enum, default_value = "dot")]
    pub(crate) format: GraphFormat,
}

const INNER_EXAMPLES: &str = "Examples:
  telltale inner add --test StatsTest#mixedSigns                 the value of its code that looks most worth a check
  telltale inner add --test StatsTest#mixedSigns --at src/main/java/Stats.java:14 --expect 2
  telltale inner add --test StatsTest#mixedSigns --variable neg --that 'neg >= 0' --write
  telltale inner list
  telltale inner remove 'StatsTest.mixedSigns: neg' --write

Exit codes: 0 done, 2 wrong use or no place for it, 3 the run itself failed.";

/// Inner oracles.
#[derive(ClapArgs, Debug)]
#[command(after_help = INNER_EXAMPLES)]
pub(crate) struct Inner {
    #[command(subcommand)]
    pub(crate) what: InnerWhat,
}

#[derive(Subcommand, Debug)]
pub(crate) enum InnerWhat {
    /// Show what would check a value in a test, or write it
    #[command(after_help = INNER_EXAMPLES)]
    Add(InnerAdd),
    /// Name those that there are
    List {
        #[command(flatten)]
        place: Place,
        /// How to print
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
    },
    /// Show what would be left without some of them, or write it
    Remove(InnerRemove),
}

/// What to check, and where.
#[derive(ClapArgs, Debug)]
pub(crate) struct InnerAdd {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Where the value is defined: FILE:LINE or FILE:LINE:COLUMN [default: the one that looks most worth a check]
    #[arg(long, value_name = "PLACE")]
    pub(crate) at: Option<String>,
    /// Which variable
    #[arg(long, value_name = "NAME")]
    pub(crate) variable: Option<String>,
    /// What it should be, in Java [default: the test fails and tells what it was]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) expect: Option<String>,
    /// How far from that a floating-point number may be, in Java
    #[arg(long, value_name = "VALUE", requires = "expect")]
    pub(crate) tolerance: Option<String>,
    /// A condition that holds, in Java
    #[arg(
        long,
        value_name = "CONDITION",
        conflicts_with = "expect",
        allow_hyphen_values = true
    )]
    pub(crate) that: Option<String>,
    /// The place runs
    #[arg(long, conflicts_with_all = ["expect", "that"])]
    pub(crate) ran: bool,
    /// The place does not run
    #[arg(long, conflicts_with_all = ["expect", "that", "ran"])]
    pub(crate) never: bool,
    /// Which time that the place runs: every, first, last, or a number
    /// [default: every; in a loop last]
    #[arg(long, value_name = "TURN")]
    pub(crate) turn: Option<Turn>,
    /// Write the files
    #[arg(long)]
    pub(crate) write: bool,
}

/// What to remove.
#[derive(ClapArgs, Debug)]
pub(crate) struct InnerRemove {
    /// As `telltale inner list` prints them
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// All of the project
    #[arg(long, conflicts_with = "names")]
    pub(crate) all: bool,
    /// A project, folder or Java file
    #[arg(long, value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,
    /// Write the files
    #[arg(long)]
    pub(crate) write: bool,
    /// The project's root [default: found from PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Say nothing about progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

const CHECK_EXAMPLES: &str = "Examples:
  telltale check                                the whole project
  telltale check src/test/java/org/x --rule no-oracle
  telltale check --format sarif > telltale.sarif
  telltale check --baseline telltale-baseline.json --update-baseline
  telltale check --baseline telltale-baseline.json --fail-on info

Exit codes: 0 done, 1 findings at or above --fail-on, 2 wrong use, 3 the run itself failed.";

/// What to check.
#[derive(ClapArgs, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct Check {
    /// A project, folder or Java file
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    /// The project's root [default: found from PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Only this rule, even if settings switch it off (may be repeated)
    #[arg(long, value_name = "RULE", value_parser = rules())]
    pub(crate) rule: Vec<String>,
    /// The least level for which the exit code is 1
    #[arg(long, value_name = "LEVEL", value_enum, default_value = "warning")]
    pub(crate) fail_on: FailOn,
    /// Leave out what this file lists: what was found when it was written
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write what is found now into the file of --baseline
    #[arg(long, requires = "baseline")]
    pub(crate) update_baseline: bool,
    /// Say nothing about progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: CheckFormat,
}

fn rules() -> clap::builder::PossibleValuesParser {
    ide::rules::ALL
        .iter()
        .map(|rule| clap::builder::PossibleValue::new(rule.name).help(rule.title))
        .into()
}

/// `--fail-on`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailOn {
    Hint,
    Info,
    Warning,
    Error,
    /// Whatever is found, the exit code is 0
    Never,
}

impl FailOn {
    /// From which level on what is found makes the exit code 1.
    pub(crate) fn least(self) -> Option<Level> {
        match self {
            FailOn::Hint => Some(Level::Hint),
            FailOn::Info => Some(Level::Info),
            FailOn::Warning => Some(Level::Warning),
            FailOn::Error => Some(Level::Error),
            FailOn::Never => None,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckFormat {
    Text,
    Json,
    /// Static Analysis Results Interchange Format 2.1.0
    Sarif,
}

const RECORD_EXAMPLES: &str = "Examples:
  telltale record                               all tests, by Maven or Gradle
  telltale record --test ParserTest#mixed       one test
  telltale record --stale                       what an edit made stale, of what was recorded before
  telltale record -- ./gradlew :core:test       by a command of your own
  telltale record --jdk /usr/lib/jvm/jdk-25     built and run by this JDK
  telltale record --shard 2/8                   the second of eight parts of the test classes
  telltale record . --merge part-1 part-2       what other machines recorded of the same code
  telltale record --forget                      drop all that is kept of runs

The tests run three times: as they are, and twice with calls in them that tell what their values were. Build files and
sources are not touched; what is kept lies in .telltale/, which git does not see.

Exit codes: 0 done, 2 wrong use, 3 no test ran or the run itself failed.";

/// What to record.
#[derive(ClapArgs, Debug)]
#[command(after_help = RECORD_EXAMPLES)]
pub(crate) struct Record {
    #[command(flatten)]
    pub(crate) place: Place,
    /// End a test that takes longer, write down what its threads do, and go on without it [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
    /// Give up if a run of all tests takes longer [default: no limit]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) run_timeout: Option<u64>,
    /// Have the build run the tests, though it told before how it runs them
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Only tests of which what is kept is of other code than there is now
    #[arg(long)]
    pub(crate) stale: bool,
    /// The JDK that builds, compiles and runs the tests [default: that of JAVA_HOME, else of the path]
    #[arg(long, value_name = "HOME")]
    pub(crate) jdk: Option<PathBuf>,
    /// Only one part of the test classes, for as many machines: 2/8
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with = "test")]
    pub(crate) shard: Option<ShardArg>,
    /// Take over what was recorded of the same code elsewhere, by a root, its .telltale or the evidence.db in it, and run nothing
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["test", "shard", "fresh", "stale", "jdk", "command"])]
    pub(crate) merge: Vec<PathBuf>,
    /// Forget all that is kept of runs of the project, by mutants, too, and run nothing
    #[arg(long, conflicts_with_all = ["test", "command", "shard", "stale", "jdk", "merge"])]
    pub(crate) forget: bool,
    /// Show what the build prints
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// A command that runs the tests, in place of the build tool
    #[arg(last = true, value_name = "CMD")]
    pub(crate) command: Vec<std::ffi::OsString>,
}

const MUTANTS_EXAMPLES: &str = "Examples:
  telltale mutants src/main/java/own/Stats.java                what of this file would no test notice?
  telltale mutants src/main/java/own/Stats.java --lines 10-30  of these lines
  telltale mutants --method 'Stats#compare'                    of this method
  telltale mutants src/main/java/own --test StatsTest          which these tests would not notice
  telltale mutants src/main/java --shard 2/8 --format json     one part of eight
  telltale mutants --merge part-*.json                         what eight machines printed, as one would have

The code is changed in memory only, a small change at a time (`<` to `<=`, a call left out, null returned), and the tests run
that reach the change, until one fails. Of a change that all of them pass, some run again with calls that tell values, and what
differed is named, with the assertion. The build runs the tests once before that; what that run told is kept in .telltale/ and
used until a source, a resource, a build file, a class or a library changes. Nobody knows on what a command of yours rests:
behind -- it runs each time.

Exit codes: 0 done, 1 what --fail-on names, 2 wrong use, 3 no test ran or the run itself failed.";

/// What to change.
#[derive(ClapArgs, Debug)]
#[command(after_help = MUTANTS_EXAMPLES)]
pub(crate) struct Mutants {
    /// A file or folder of the code under test
    pub(crate) path: Option<PathBuf>,
    /// The project's root [default: found from PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Only these lines of a file: A-B, or one
    #[arg(long, value_name = "A-B", value_parser = lines)]
    pub(crate) lines: Option<LinesArg>,
    /// Only this class: Class or pkg.Class
    #[arg(long, value_name = "CLASS", conflicts_with = "method")]
    pub(crate) class: Option<String>,
    /// Only this method: Class#method
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// Only what these tests notice: Class, pkg.Class, Class#method [default: all]
    #[arg(long, value_name = "TEST")]
    pub(crate) test: Option<String>,
    /// One part of several, for as many machines: 2/8
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<ShardArg>,
    /// Join what each of these parts printed with --shard and --format json, and run nothing
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["path", "root", "lines", "class", "method", "test", "shard", "fresh", "timeout", "run_timeout", "command"]
    )]
    pub(crate) merge: Vec<PathBuf>,
    /// For what the exit code is 1
    #[arg(long, value_name = "WHAT", value_enum, default_value = "never")]
    pub(crate) fail_on: FailOnMutants,
    /// Have the build run the tests, whatever is kept of an earlier call
    #[arg(long)]
    pub(crate) fresh: bool,
    /// End a test that takes longer in the build's run, and go on without it [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
    /// Give up if the build's run of the tests takes longer [default: no limit]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) run_timeout: Option<u64>,
    /// Show what the build prints
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Say nothing about progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// A command that runs the tests, in place of the build tool
    #[arg(last = true, value_name = "CMD")]
    pub(crate) command: Vec<std::ffi::OsString>,
}

/// `--fail-on` of mutants.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailOnMutants {
    /// A mutant that survived, or a method that is pseudo-tested
    Survived,
    /// A method that is pseudo-tested
    PseudoTested,
    /// Whatever is found, the exit code is 0
    Never,
}

/// `--lines`: first and last, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinesArg {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

fn lines(text: &str) -> Result<LinesArg, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let line = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0);
    match (line(from), line(to)) {
        (Some(from), Some(to)) if from <= to => Ok(LinesArg { from, to }),
        _ => Err("give the first and the last line, such as 10-20".to_owned()),
    }
}

/// `--shard`: which part of how many, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShardArg {
    pub(crate) part: usize,
    pub(crate) of: usize,
}

fn shard(text: &str) -> Result<ShardArg, String> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|n| *n > 0);
    let parts = text.split_once('/').map(|(i, n)| (number(i), number(n)));
    match parts {
        Some((Some(part), Some(of))) if part <= of => Ok(ShardArg { part, of }),
        _ => Err("give a part and how many there are, such as 2/8".to_owned()),
    }
}

const CHECKED_EXAMPLES: &str = "Examples:
  telltale record && telltale checked           run the tests, then list what they run and nobody checks
  telltale checked --line src/main/java/own/Stats.java:14       which tests run this line, and which check it
  telltale checked --test StatsTest#mixed       what this test runs, and what of that it checks
  telltale checked --format lcov > checked.lcov    coverage of checked lines, for Codecov or Coverage Gutters
  telltale checked --format jacoco > checked.xml   the same as JaCoCo's XML, for Sonar

A test checks a line if a value that it looks at may come from there, by what ran in that test. A line is listed as checked by
nobody only where that is known. Nothing runs here: what is known is what telltale record kept, and tests whose code has
changed since are left out.

Exit codes: 0 done, 2 wrong use or nothing recorded, 3 what was kept cannot be read.";

/// What to list.
#[derive(ClapArgs, Debug)]
#[command(after_help = CHECKED_EXAMPLES)]
pub(crate) struct Checked {
    /// A project, folder or Java file
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    /// The project's root [default: found from PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Only this line; FILE is a path below the root, or how one ends
    #[arg(long, value_name = "FILE:LINE", conflicts_with = "test")]
    pub(crate) line: Option<String>,
    /// Only what this test runs: Class#method
    #[arg(long, value_name = "TEST")]
    pub(crate) test: Option<String>,
    /// How many lines that nobody checks are shown of each file; JSON has all
    #[arg(long, value_name = "N", default_value = "10")]
    pub(crate) top: usize,
    /// Say nothing about progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: CheckedFormat,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckedFormat {
    Text,
    Json,
    /// Coverage of checked lines as LCOV's tracefile: of each line how many tests check it
    Lcov,
    /// Coverage of checked lines as JaCoCo's XML report
    Jacoco,
}

const DOCTOR_EXAMPLES: &str = "Examples:
  telltale doctor                   what was found, what is missing, and what would mend it
  telltale doctor --verbose         every jar of the class path, every module
  telltale doctor --format json | jq '.class_path.missing'

Exit codes: 0 done, whatever was found; 2 wrong use; 3 the run itself failed.";

/// What to look at.
#[derive(ClapArgs, Debug)]
#[command(after_help = DOCTOR_EXAMPLES)]
pub(crate) struct Doctor {
    /// A project
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    /// The project's root [default: found from PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Cut no list short
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Say nothing about progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// Looking inside.
#[derive(ClapArgs, Debug)]
pub(crate) struct Debug {
    #[command(subcommand)]
    pub(crate) what: DebugWhat,
}

#[derive(Subcommand, Debug)]
pub(crate) enum DebugWhat {
    /// Every call, constructor call, method reference and field use with its target
    Uses {
        #[command(flatten)]
        place: Place,
        /// How to print
        #[arg(long, value_enum, default_value = "jsonl")]
        format: UsesFormat,
    },
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsesFormat {
    Jsonl,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GraphFormat {
    Dot,
    Svg,
    Json,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GraphKind {
    Substitution,
    Calls,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfferArg {
    /// What the test could read and does not
    Readable,
    /// What only an inner oracle can check
    Inside,
    /// Every value of the scope in one ranking
    All,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// From the definitions and uses in the source
    Sods,
    /// By centrality among the values of the code that ran (needs a recording)
    Dodona,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CentralityArg {
    /// How many values flow to it, and to these
    Pagerank,
    /// On how many shortest ways of values it lies
    Betweenness,
}

/// `--fp`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FpArg {
    Differentiated,
    Constant(f64),
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(v) if (0.0..=1.0).contains(&v) => Ok(v),
        _ => Err("give a number from 0 to 1, such as 0.5".to_owned()),
    }
}

fn top(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(n @ 1..) => Ok(n),
        _ => Err("give a whole number from 1, such as 5".to_owned()),
    }
}

fn fp(text: &str) -> Result<FpArg, String> {
    match text {
        "d" | "differentiated" => Ok(FpArg::Differentiated),
        _ => probability(text)
            .map(FpArg::Constant)
            .map_err(|_| "give d, or a number from 0 to 1".to_owned()),
    }
}
