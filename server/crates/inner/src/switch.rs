//! The test side: `try (InnerOracle inner = InnerOracle.on("…")) { … }` around the statements that lead to the code
//! under test, and the way back.
//!
//! Whole lines are wrapped where the statements have their lines to themselves, and then indented by what the file
//! indents by; otherwise the words are put around them on their own lines. Lines that start inside a text block or a
//! comment are part of a text, and blank lines have no indent: both stay as they are, so that the way back is exact.

mod layout;
mod off;
mod on;

pub use off::switch_off;
pub use on::switch_on;

use std::str::FromStr;

/// What a test says about an oracle that it switches on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switch<'a> {
    /// The name that the guard has in the code under test.
    pub id: &'a str,
    /// The class as the test can name it: `InnerOracle`, or `pkg.InnerOracle` from another package.
    pub class: &'a str,
    /// Which run of the place is checked.
    pub turn: Turn,
    /// Whether the place counts in threads that the test has others start.
    pub in_all_threads: bool,
    /// The words of the frameworks that the test may have.
    pub words: Words<'a>,
}

/// Words of test frameworks that say what becomes of what a test throws, and in which thread it runs. Whoever knows the
/// frameworks tells them: here nobody does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Words<'a> {
    /// Calls that run what they are given in a thread of its own.
    pub apart: &'a [&'a str],
    /// How an argument of an annotation begins by which a test passes if its body throws.
    pub throws_by: &'a [&'a str],
    /// Calls on an object that tell it what the test throws.
    pub told_to_throw: &'a [&'a str],
}

/// Which run of a place is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Turn {
    /// Each run.
    #[default]
    Every,
    /// The first.
    First,
    /// The n-th, counted from 1.
    Nth(u32),
    /// The last.
    Last,
    /// None: the place must not run, and the guard there is `InnerOracle.never`.
    Never,
}

impl FromStr for Turn {
    type Err = &'static str;

    /// As users say it; that the place must not run is said in another way.
    fn from_str(text: &str) -> Result<Turn, &'static str> {
        match text {
            "every" => Ok(Turn::Every),
            "first" => Ok(Turn::First),
            "last" => Ok(Turn::Last),
            _ => match text.parse() {
                Ok(n @ 1..) => Ok(Turn::Nth(n)),
                _ => Err("give every, first, last, or a number from 1"),
            },
        }
    }
}

impl<'a> Switch<'a> {
    /// Every run, in the test's thread, of a test that has no words of frameworks.
    pub fn new(id: &'a str, class: &'a str) -> Switch<'a> {
        Switch {
            id,
            class,
            turn: Turn::Every,
            in_all_threads: false,
            words: Words::default(),
        }
    }

    /// `InnerOracle.on("…").first()`.
    fn expression(&self) -> String {
        let mut out = format!("{}.on({})", self.class, text::java_literal(self.id));
        match self.turn {
            Turn::Every => {}
            Turn::First => out.push_str(".first()"),
            Turn::Nth(n) => out.push_str(&format!(".turn({n})")),
            Turn::Last => out.push_str(".last()"),
            Turn::Never => out.push_str(".never()"),
        }
        if self.in_all_threads {
            out.push_str(".inAllThreads()");
        }
        out
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
