//! `cargo xtask test`: the whole test suite, with the real projects that it runs on.

use crate::{Result, subjects};

/// Tells the tests where the subjects lie, one folder a name.
const SUBJECTS: &str = "TELLTALE_SUBJECTS";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Passed on to `cargo test`; with `-p` only those packages are tested
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let subjects = subjects::all()?;
    let mut test = crate::cargo();
    test.arg("test");
    if !names_a_package(&arguments.rest) {
        test.arg("--workspace");
    }
    test.args(&arguments.rest).env(SUBJECTS, subjects);
    let status = test
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("tests failed".to_owned())
    }
}

/// True if the arguments before `--` choose packages themselves.
fn names_a_package(arguments: &[String]) -> bool {
    arguments
        .iter()
        .take_while(|argument| *argument != "--")
        .any(|argument| argument.starts_with("-p") || argument.starts_with("--package"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_seen_before_the_dashes_only() {
        let names = |line: &str| {
            let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            names_a_package(&arguments)
        };
        assert!(names("-p flow"));
        assert!(names("--release --package=flow name"));
        assert!(!names("--release"));
        assert!(!names("name -- -p"));
    }
}
