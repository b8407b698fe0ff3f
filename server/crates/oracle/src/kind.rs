//! What methods of tests are.

/// What a method is to a test framework.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TestKind {
    /// A test.
    Test,
    /// Runs before each or all tests of its class.
    SetUp,
    /// Runs after.
    TearDown,
}
