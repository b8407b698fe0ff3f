//! Fixtures for tests: several Java files in one string, with the expected results marked in place.
//!
//! ```text
//! //- /src/test/java/StatsTest.java
//! class StatsTest {
//!     @Test void mixed() { Stats.compare(list$0); }
//!     //         ^^^^^ lens: next: neg in Stats.compare
//! }
//! ```
//! A line `//- PATH` starts a file, `$0` is the cursor, and a comment that begins with carets marks the line of code
//! above it. [`check_marks`] compares all marks with all results, so a false alarm anywhere fails a test as well.

mod check;
mod fixture;

pub use check::{check_marks, difference};
pub use fixture::{Fixture, FixtureFile, Mark};

/// A probability as people write it: 1, 1/8, 5/6; as a number where it has no small divisor.
pub fn fraction(p: f64) -> String {
    let of = |d: u32| (p * f64::from(d), d);
    let mut all = (1..=64).map(of);
    match all.find(|(n, _)| (n - n.round()).abs() < 1e-12) {
        Some((n, 1)) => n.round().to_string(),
        Some((n, d)) => format!("{}/{d}", n.round()),
        None => p.to_string(),
    }
}
