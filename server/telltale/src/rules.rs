//! The rules as settings have them.

use ide::rules::{ALL, Level, Options, Rule};
use project::Config;

/// How loud a rule is; none if it is switched off.
pub(crate) fn level(config: &Config, rule: &Rule) -> Option<Level> {
    match config.rules.get(rule.name) {
        None => Some(rule.level),
        Some(project::RuleLevel::Off) => None,
        Some(project::RuleLevel::Hint) => Some(Level::Hint),
        Some(project::RuleLevel::Info) => Some(Level::Info),
        Some(project::RuleLevel::Warning) => Some(Level::Warning),
        Some(project::RuleLevel::Error) => Some(Level::Error),
    }
}

/// True if some rule is not switched off.
pub(crate) fn any(config: &Config) -> bool {
    ALL.iter().any(|rule| level(config, rule).is_some())
}

/// What else is said of them.
pub(crate) fn options(config: &Config) -> Options {
    Options {
        smoke: config.tests.smoke.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ide::rules::OF_MUTANTS;
    use project::config::{KEYS, Range};

    /// One table says what a rule is called, what it means and how loud it is: settings, editors and documents follow.
    #[test]
    fn every_rule_has_its_key() {
        for rule in ALL.iter().chain(OF_MUTANTS) {
            let name = format!("rules.{}", rule.name);
            let key = KEYS.iter().find(|key| key.name == name);
            let key = key.unwrap_or_else(|| panic!("there is no key {name}"));
            assert_eq!(key.doc, rule.title);
            let Range::Level { default } = key.range else {
                panic!("{name} takes a level");
            };
            assert_eq!(default.name(), rule.level.name());
            assert_eq!(level(&Config::default(), rule), Some(rule.level));
        }
        let levels = KEYS.iter().filter(|key| key.name.starts_with("rules."));
        let rules = ALL.len() + OF_MUTANTS.len();
        assert_eq!(levels.count(), rules, "a key that nothing reads");
    }
}
