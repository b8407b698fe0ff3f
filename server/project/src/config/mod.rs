//! The configuration: one table of keys, from which reading, checking, defaults, documentation and
//! the schema follow.

mod read;
mod table;
mod write;

pub use read::{ConfigProblem, load_config, parse_config};
pub use table::{KEYS, Key, Range, markdown, nearest};
pub use write::{CONFIG, call_generated};

use std::collections::BTreeMap;
use std::time::Duration;

/// All settings of a project; [`Config::default`] has the documented defaults.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// What is offered to observe.
    pub observe: Observe,
    /// Code lenses.
    pub lens: Lens,
    /// Inlay hints.
    pub hints: Hints,
    /// Hovers.
    pub hover: Hover,
    /// Levels of rules that differ from the rule's own default, by the rule's name.
    pub rules: BTreeMap<String, RuleLevel>,
    /// Generated assertions that look wrong.
    pub suspects: Suspects,
    /// What is known of the tests.
    pub tests: Tests,
    /// What is kept of runs.
    pub record: Record,
    /// Which files are read.
    pub sources: Sources,
    /// The JDK and the libraries.
    pub java: Java,
}

/// `observe.*` (`docs/method.md` §1).
#[derive(Clone, PartialEq, Debug)]
pub struct Observe {
    /// λ of the list of values for inner oracles: how far substitution carries, in [0, 1].
    pub lambda: f64,
    /// λ of the list of values that a test can read, in [0, 1].
    pub lambda_readable: f64,
    /// How a selection discounts what it observes.
    pub fp: Fp,
    /// How many candidates are selected, at least 1.
    pub top: usize,
}

/// `observe.fp`: how much of a statement counts as observed once a candidate that can stand in for
/// it is selected (`docs/method.md` §1.6).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fp {
    /// By its fault-observing capability.
    Differentiated,
    /// By a constant in [0, 1]; 1 is optimistic.
    Uniform(f64),
}

/// `record.*`.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// How much room what is kept of runs may take, in megabytes.
    pub room: usize,
    /// How long a test may take that an editor has run, in seconds; 0 is without end.
    pub timeout: usize,
    /// Tests follow what is saved.
    pub on_save: bool,
}

impl Record {
    /// The same in bytes.
    pub fn bytes(&self) -> u64 {
        self.room as u64 * 1_000_000
    }

    /// How long a test may take that an editor has run, if there is an end.
    pub fn limit(&self) -> Option<Duration> {
        (self.timeout > 0).then(|| Duration::from_secs(self.timeout as u64))
    }
}

/// `lens.*`.
#[derive(Clone, PartialEq, Debug)]
pub struct Lens {
    /// Above tests.
    pub tests: bool,
    /// Above methods that tests reach.
    pub methods: bool,
    /// Above methods that recorded tests run: how many do, and how many check them.
    pub checked: bool,
}

/// `hints.*`.
#[derive(Clone, PartialEq, Debug)]
pub struct Hints {
    /// At definitions that are worth observing.
    pub observe: bool,
}

/// `hover.*`.
#[derive(Clone, PartialEq, Debug)]
pub struct Hover {
    /// A variable's rank and what it stands in for.
    pub rank: bool,
}

/// `suspects.*`.
#[derive(Clone, PartialEq, Debug)]
pub struct Suspects {
    /// What was asserted stays as a comment where somebody corrects it.
    pub comment: bool,
}

/// `tests.*`.
#[derive(Clone, PartialEq, Debug)]
pub struct Tests {
    /// Names of tests that only must not throw; `*` stands for any letters.
    pub smoke: Vec<String>,
    /// Globs in the form of `.gitignore`, relative to the root: the tests in what matches were written by a tool.
    pub generated: Vec<String>,
}

/// `sources.*`.
#[derive(Clone, PartialEq, Debug)]
pub struct Sources {
    /// Globs in the form of `.gitignore`, relative to the root; what matches is not read.
    pub exclude: Vec<String>,
}

/// `java.*`.
#[derive(Clone, PartialEq, Debug)]
pub struct Java {
    /// The folder of the JDK; found if `None`.
    pub home: Option<String>,
    /// Jars and folders of classes; found if `None`.
    pub classpath: Option<Vec<String>>,
}

/// How loud a rule is, from silent to loudest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RuleLevel {
    /// Not run.
    Off,
    /// An editor's faintest mark.
    Hint,
    /// Information.
    Info,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

impl RuleLevel {
    /// The level of this name in the configuration.
    pub fn parse(name: &str) -> Option<RuleLevel> {
        match name {
            "off" => Some(RuleLevel::Off),
            "hint" => Some(RuleLevel::Hint),
            "info" => Some(RuleLevel::Info),
            "warning" => Some(RuleLevel::Warning),
            "error" => Some(RuleLevel::Error),
            _ => None,
        }
    }

    /// Its name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            RuleLevel::Off => "off",
            RuleLevel::Hint => "hint",
            RuleLevel::Info => "info",
            RuleLevel::Warning => "warning",
            RuleLevel::Error => "error",
        }
    }
}

/// A value as TOML and JSON can carry it, for [`Config::set`].
#[derive(Clone, PartialEq, Debug)]
pub enum ConfigValue {
    /// `true` or `false`.
    Switch(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<ConfigValue>),
    /// A table, a date, null: nothing that any key takes. Carries the name for messages.
    Other(&'static str),
}

impl ConfigValue {
    /// What it is, for messages: `a number`.
    pub fn kind(&self) -> &'static str {
        match self {
            ConfigValue::Switch(_) => "a boolean",
            ConfigValue::Integer(_) | ConfigValue::Number(_) => "a number",
            ConfigValue::Text(_) => "a string",
            ConfigValue::List(_) => "a list",
            ConfigValue::Other(name) => name,
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        let mut config = Config {
            observe: Observe {
                lambda: 0.0,
                lambda_readable: 0.0,
                fp: Fp::Differentiated,
                top: 1,
            },
            lens: Lens {
                tests: false,
                methods: false,
                checked: false,
            },
            hints: Hints { observe: false },
            hover: Hover { rank: false },
            rules: BTreeMap::new(),
            suspects: Suspects { comment: false },
            tests: Tests {
                smoke: Vec::new(),
                generated: Vec::new(),
            },
            record: Record {
                room: 1,
                timeout: 0,
                on_save: false,
            },
            sources: Sources {
                exclude: Vec::new(),
            },
            java: Java {
                home: None,
                classpath: None,
            },
        };
        for key in KEYS {
            key.reset(&mut config);
        }
        config
    }
}

impl Config {
    /// Sets the key of this full name (`observe.top`), as a file or a client does. The error is a
    /// sentence for the user; the setting then stays as it was.
    pub fn set(&mut self, name: &str, value: &ConfigValue) -> Result<(), String> {
        match KEYS.iter().find(|key| key.name == name) {
            Some(key) => key.set(self, value),
            None => Err(table::unknown(name)),
        }
    }
}
