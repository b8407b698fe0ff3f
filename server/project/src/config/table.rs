//! The one declaration of every key: name, type, default, range and documentation.

use std::fmt::Write as _;

use ignore::gitignore::GitignoreBuilder;

use super::{Config, ConfigValue, Fp, RuleLevel};

/// One row of the table.
pub struct Key {
    /// The full name: `observe.lambda`.
    pub name: &'static str,
    /// What it takes.
    pub range: Range,
    /// One sentence for documentation and editors.
    pub doc: &'static str,
}

/// What a key takes, its default, and where the value goes.
pub enum Range {
    /// `true` or `false`.
    Switch {
        /// Without a setting.
        default: bool,
        /// Stores it.
        set: fn(&mut Config, bool),
    },
    /// `true` or `false`; without a setting `false`. What comes with a project says nothing here: its user does.
    Consent {
        /// Stores it.
        set: fn(&mut Config, bool),
    },
    /// A number from `min` to `max`, both included.
    Number {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
        /// Without a setting.
        default: f64,
        /// Stores it.
        set: fn(&mut Config, f64),
    },
    /// A whole number from `min` to `max`, both included.
    Integer {
        /// Least value.
        min: usize,
        /// Greatest value.
        max: usize,
        /// Without a setting.
        default: usize,
        /// Stores it.
        set: fn(&mut Config, usize),
    },
    /// The word `differentiated`, which is the default, or a number in [0, 1].
    Fp {
        /// Stores it.
        set: fn(&mut Config, Fp),
    },
    /// The level of a rule.
    Level {
        /// Without a setting.
        default: RuleLevel,
    },
    /// The path of a file or folder; found if there is none.
    Path {
        /// Stores it.
        set: fn(&mut Config, Option<String>),
    },
    /// A list of paths; found if there is none.
    Paths {
        /// Stores it.
        set: fn(&mut Config, Option<Vec<String>>),
    },
    /// A list of patterns in the form of `.gitignore`; empty without a setting.
    Globs {
        /// Stores it.
        set: fn(&mut Config, Vec<String>),
    },
}

/// Every key, in the order of the documentation.
pub const KEYS: &[Key] = &[
    Key {
        name: "observe.lambda",
        range: Range::Number {
            min: 0.0,
            max: 1.0,
            default: 0.0,
            set: |c, v| c.observe.lambda = v,
        },
        doc: "How far substitution carries over a further edge in the list of values that an inner oracle can check: 0 counts direct edges only.",
    },
    Key {
        name: "observe.lambda_readable",
        range: Range::Number {
            min: 0.0,
            max: 1.0,
            default: 1.0,
            set: |c, v| c.observe.lambda_readable = v,
        },
        doc: "The same for the list of values that a test can read; these sit at the ends of long chains.",
    },
    Key {
        name: "observe.fp",
        range: Range::Fp {
            set: |c, v| c.observe.fp = v,
        },
        doc: "How much of a statement counts as observed once a stand-in for it is selected: \"differentiated\" by its capability, or one number for all (1 is optimistic).",
    },
    Key {
        name: "observe.top",
        range: Range::Integer {
            min: 1,
            max: 10_000,
            default: 10,
            set: |c, v| c.observe.top = v,
        },
        doc: "How many candidates are selected.",
    },
    Key {
        name: "lens.tests",
        range: Range::Switch {
            default: true,
            set: |c, v| c.lens.tests = v,
        },
        doc: "Show above each test what to observe next.",
    },
    Key {
        name: "lens.methods",
        range: Range::Switch {
            default: true,
            set: |c, v| c.lens.methods = v,
        },
        doc: "Show above each method how many tests reach it, and its most telling value.",
    },
    Key {
        name: "lens.checked",
        range: Range::Switch {
            default: false,
            set: |c, v| c.lens.checked = v,
        },
        doc: "Show above each method of the code under test how many of the tests that were recorded run it, and how many check it.",
    },
    Key {
        name: "hints.observe",
        range: Range::Switch {
            default: true,
            set: |c, v| c.hints.observe = v,
        },
        doc: "Mark the definitions that are worth observing.",
    },
    Key {
        name: "hover.rank",
        range: Range::Switch {
            default: true,
            set: |c, v| c.hover.rank = v,
        },
        doc: "Tell a variable's rank, and what it covers.",
    },
    Key {
        name: "rules.suspicious-assertion",
        range: Range::Level {
            default: RuleLevel::Warning,
        },
        doc: "A generated assertion contradicts what hand-written tests taught.",
    },
    Key {
        name: "rules.unstable-observation",
        range: Range::Level {
            default: RuleLevel::Warning,
        },
        doc: "A test checks what differs from run to run.",
    },
    Key {
        name: "rules.no-oracle",
        range: Range::Level {
            default: RuleLevel::Warning,
        },
        doc: "A test checks nothing.",
    },
    Key {
        name: "rules.missed-fail",
        range: Range::Level {
            default: RuleLevel::Warning,
        },
        doc: "A test passes where nothing is thrown.",
    },
    Key {
        name: "rules.missed-message",
        range: Range::Level {
            default: RuleLevel::Warning,
        },
        doc: "A test does not compare the message that it names.",
    },
    Key {
        name: "rules.rotten-assertion",
        range: Range::Level {
            default: RuleLevel::Warning,
        },
        doc: "An assertion does not run where its test passes.",
    },
    Key {
        name: "rules.self-check",
        range: Range::Level {
            default: RuleLevel::Warning,
        },
        doc: "An assertion cannot fail.",
    },
    Key {
        name: "rules.inner-oracle",
        range: Range::Level {
            default: RuleLevel::Hint,
        },
        doc: "Code that ships has a check of an inner oracle.",
    },
    Key {
        name: "rules.inner-oracle-stale",
        range: Range::Level {
            default: RuleLevel::Warning,
        },
        doc: "One side of an inner oracle is gone.",
    },
    Key {
        name: "rules.survived",
        range: Range::Level {
            default: RuleLevel::Hint,
        },
        doc: "No test notices that a line does something else.",
    },
    Key {
        name: "rules.pseudo-tested",
        range: Range::Level {
            default: RuleLevel::Hint,
        },
        doc: "All of a method can be left out, and no test fails.",
    },
    Key {
        name: "suspects.comment",
        range: Range::Switch {
            default: false,
            set: |c, v| c.suspects.comment = v,
        },
        doc: "Correcting a generated assertion leaves what it asserted above it, as a comment.",
    },
    Key {
        name: "tests.smoke",
        range: Range::Globs {
            set: |c, v| c.tests.smoke = v,
        },
        doc: "Names of tests that only must not throw, beside those whose name says so: contextLoads, *DoesNotThrow. A * stands for any letters.",
    },
    Key {
        name: "tests.generated",
        range: Range::Globs {
            set: |c, v| c.tests.generated = v,
        },
        doc: "Files and folders whose tests a tool wrote, as patterns like those of .gitignore, beside those that say so themselves. A ! before a pattern says that people wrote them.",
    },
    Key {
        name: "record.room",
        range: Range::Integer {
            min: 1,
            max: 1_000_000,
            default: 200,
            set: |c, v| c.record.room = v,
        },
        doc: "How many megabytes what is kept of runs may take; beyond, what was recorded first goes.",
    },
    Key {
        name: "record.timeout",
        range: Range::Integer {
            min: 0,
            max: 86_400,
            default: 120,
            set: |c, v| c.record.timeout = v,
        },
        doc: "How many seconds a test may take that is run from an editor. One that takes longer is ended, what its threads do is written down, and it is left out; 0 lets it run without end. The command line has --timeout.",
    },
    Key {
        name: "record.on_save",
        range: Range::Consent {
            set: |c, v| c.record.on_save = v,
        },
        doc: "Once a file is saved, record the tests of open files again that were recorded and are of other code now; those of files that are not open wait until you record them. They run without the build, or not at all, once some were recorded on request. Set in the editor alone: a file of the project runs nothing.",
    },
    Key {
        name: "sources.exclude",
        range: Range::Globs {
            set: |c, v| c.sources.exclude = v,
        },
        doc: "Files and folders that are not read, as patterns like those of .gitignore, on top of .gitignore.",
    },
    Key {
        name: "java.home",
        range: Range::Path {
            set: |c, v| c.java.home = v,
        },
        doc: "The folder of the JDK whose library is used.",
    },
    Key {
        name: "java.classpath",
        range: Range::Paths {
            set: |c, v| c.java.classpath = v,
        },
        doc: "Jars and folders of classes that the sources use.",
    },
];

impl Key {
    /// Sets it to its default.
    pub(super) fn reset(&self, config: &mut Config) {
        match &self.range {
            Range::Switch { default, set } => set(config, *default),
            Range::Consent { set } => set(config, false),
            Range::Number { default, set, .. } => set(config, *default),
            Range::Integer { default, set, .. } => set(config, *default),
            Range::Fp { set } => set(config, Fp::Differentiated),
            Range::Level { .. } => {
                config.rules.remove(self.rule());
            }
            Range::Path { set } => set(config, None),
            Range::Paths { set } => set(config, None),
            Range::Globs { set } => set(config, Vec::new()),
        }
    }

    /// Sets it to `value`, if it takes that.
    pub(super) fn set(&self, config: &mut Config, value: &ConfigValue) -> Result<(), String> {
        let refuse = || {
            Err(format!(
                "{} takes {}, not {}",
                self.name,
                self.takes(),
                shown(value)
            ))
        };
        match (&self.range, value) {
            (Range::Switch { set, .. } | Range::Consent { set }, ConfigValue::Switch(value)) => {
                set(config, *value);
            }
            (Range::Number { min, max, set, .. }, value) => match number(value) {
                Some(value) if (*min..=*max).contains(&value) => set(config, value),
                _ => return refuse(),
            },
            (Range::Integer { min, max, set, .. }, ConfigValue::Integer(value)) => {
                match usize::try_from(*value) {
                    Ok(value) if (*min..=*max).contains(&value) => set(config, value),
                    _ => return refuse(),
                }
            }
            (Range::Fp { set }, ConfigValue::Text(word)) if word == "differentiated" => {
                set(config, Fp::Differentiated);
            }
            (Range::Fp { set }, value) => match number(value) {
                Some(value) if (0.0..=1.0).contains(&value) => set(config, Fp::Uniform(value)),
                _ => return refuse(),
            },
            (Range::Level { .. }, ConfigValue::Text(name)) => match RuleLevel::parse(name) {
                Some(level) => {
                    config.rules.insert(self.rule().to_owned(), level);
                }
                None => return refuse(),
            },
            (Range::Path { set }, ConfigValue::Text(path)) => set(config, Some(path.clone())),
            (Range::Paths { set }, ConfigValue::List(items)) => match texts(items) {
                Some(paths) => set(config, Some(paths)),
                None => return refuse(),
            },
            (Range::Globs { set }, ConfigValue::List(items)) => match texts(items) {
                Some(patterns) => {
                    for pattern in &patterns {
                        check_glob(pattern)?;
                    }
                    set(config, patterns);
                }
                None => return refuse(),
            },
            _ => return refuse(),
        }
        Ok(())
    }

    fn rule(&self) -> &'static str {
        self.name.strip_prefix("rules.").unwrap_or(self.name)
    }

    /// What it takes, for messages and documentation.
    pub fn takes(&self) -> String {
        match &self.range {
            Range::Switch { .. } | Range::Consent { .. } => "true or false".to_owned(),
            Range::Number { min, max, .. } => format!("a number from {min} to {max}"),
            Range::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
            Range::Fp { .. } => "\"differentiated\" or a number from 0 to 1".to_owned(),
            Range::Level { .. } => {
                "one of \"off\", \"hint\", \"info\", \"warning\", \"error\"".to_owned()
            }
            Range::Path { .. } => "a path".to_owned(),
            Range::Paths { .. } => "a list of paths".to_owned(),
            Range::Globs { .. } => "a list of patterns".to_owned(),
        }
    }

    /// The default as TOML, or in words where there is no value for it.
    fn default_text(&self) -> String {
        match &self.range {
            Range::Switch { default, .. } => default.to_string(),
            Range::Consent { .. } => false.to_string(),
            Range::Number { default, .. } => default.to_string(),
            Range::Integer { default, .. } => default.to_string(),
            Range::Fp { .. } => "\"differentiated\"".to_owned(),
            Range::Level { default } => format!("\"{}\"", default.name()),
            Range::Path { .. } | Range::Paths { .. } => "found".to_owned(),
            Range::Globs { .. } => "[]".to_owned(),
        }
    }
}

/// Fails, with a sentence, on a pattern that matches nothing because it cannot be read.
fn check_glob(pattern: &str) -> Result<(), String> {
    match GitignoreBuilder::new("").add_line(None, pattern) {
        Ok(_) => Ok(()),
        Err(e) => Err(format!("the pattern {pattern:?} cannot be read: {e}")),
    }
}

fn number(value: &ConfigValue) -> Option<f64> {
    match value {
        ConfigValue::Integer(value) => Some(*value as f64),
        ConfigValue::Number(value) => Some(*value),
        _ => None,
    }
}

fn texts(items: &[ConfigValue]) -> Option<Vec<String>> {
    let text = |item: &ConfigValue| match item {
        ConfigValue::Text(text) => Some(text.clone()),
        _ => None,
    };
    items.iter().map(text).collect()
}

fn shown(value: &ConfigValue) -> String {
    match value {
        ConfigValue::Switch(value) => value.to_string(),
        ConfigValue::Integer(value) => value.to_string(),
        ConfigValue::Number(value) => value.to_string(),
        ConfigValue::Text(value) => format!("{value:?}"),
        ConfigValue::List(items) => {
            let odd = items
                .iter()
                .find(|item| !matches!(item, ConfigValue::Text(_)));
            odd.map_or("a list".to_owned(), |odd| {
                format!("a list with {}", odd.kind())
            })
        }
        ConfigValue::Other(name) => (*name).to_owned(),
    }
}

/// The message for a key that is not in the table.
pub(super) fn unknown(name: &str) -> String {
    match nearest(name) {
        Some(known) => format!("there is no key {name}; did you mean {known}?"),
        None => format!("there is no key {name}"),
    }
}

/// The key, or table of keys, whose name is nearest to `name`, if any is near.
pub fn nearest(name: &str) -> Option<&'static str> {
    let section = |key: &Key| {
        key.name
            .split_once('.')
            .map_or(key.name, |(section, _)| section)
    };
    let last = |key: &'static Key| key.name.rsplit('.').next().unwrap_or(key.name);
    // The right key without its table, or in a wrong one, is nearer than any slip of the fingers.
    let own_last = name.rsplit('.').next().unwrap_or(name);
    if let Some(key) = KEYS.iter().find(|key| last(key) == own_last) {
        return Some(key.name);
    }
    let names = KEYS
        .iter()
        .map(|key| key.name)
        .chain(KEYS.iter().map(section));
    names
        .map(|known| (distance(name, known), known))
        .filter(|(distance, known)| *distance <= (known.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// How many characters must be inserted, deleted, replaced or swapped with their neighbour to turn
/// `a` into `b` (optimal string alignment), case ignored.
fn distance(a: &str, b: &str) -> usize {
    /// No key is that long; this bounds the cost on nonsense.
    const LONGEST: usize = 100;
    let fold = |text: &str| -> Vec<char> { text.to_lowercase().chars().take(LONGEST).collect() };
    let (a, b) = (fold(a), fold(b));
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// The keys as a table in Markdown, for the documentation.
pub fn markdown() -> String {
    let mut out = String::from("| key | takes | default | what |\n| --- | --- | --- | --- |\n");
    for key in KEYS {
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} |",
            key.name,
            key.takes(),
            key.default_text(),
            key.doc
        );
    }
    out
}
