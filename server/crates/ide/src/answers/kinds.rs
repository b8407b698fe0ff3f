//! What candidates and scopes are, each with the word that the contracts have for it.

use flow::VariableKind;
use recommend::Doubt;
use serde::{Serialize, Serializer};

/// What a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateKind {
    /// What code defines.
    Variable(VariableKind),
    /// What a test could ask.
    Query,
}

impl CandidateKind {
    /// True for what a method gives back.
    pub fn is_returned(self) -> bool {
        self == CandidateKind::Variable(VariableKind::Return)
    }

    /// In the contract's words.
    pub fn name(self) -> &'static str {
        match self {
            CandidateKind::Query => "query",
            CandidateKind::Variable(kind) => match kind {
                VariableKind::Local => "local",
                VariableKind::Parameter => "parameter",
                VariableKind::Field => "field",
                VariableKind::Array => "array",
                VariableKind::Return => "return",
                VariableKind::Loop => "loop",
                VariableKind::Catch => "catch",
                VariableKind::Resource => "resource",
                VariableKind::Pattern => "pattern",
                VariableKind::LambdaParameter => "lambda-parameter",
            },
        }
    }
}

/// What code a candidate stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// That of tests.
    Test,
    /// That under test.
    Production,
}

impl Role {
    /// In the contract's words.
    pub fn name(self) -> &'static str {
        match self {
            Role::Test => "test",
            Role::Production => "production",
        }
    }
}

/// What a scope is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// All production code.
    Workspace,
    /// The files below a path.
    Folder,
    /// One file.
    File,
    /// A class with the classes in it.
    Class,
    /// A method with the classes in it.
    Method,
    /// A test.
    Test,
    /// The tests of a class.
    TestClass,
    /// All tests.
    Suite,
}

impl ScopeKind {
    /// In the contract's words.
    pub fn name(self) -> &'static str {
        match self {
            ScopeKind::Workspace => "workspace",
            ScopeKind::Folder => "folder",
            ScopeKind::File => "file",
            ScopeKind::Class => "class",
            ScopeKind::Method => "method",
            ScopeKind::Test => "test",
            ScopeKind::TestClass => "test-class",
            ScopeKind::Suite => "suite",
        }
    }
}

macro_rules! serialised_by_name {
    ($($kind:ty),*) => {
        $(impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        })*
    };
}

serialised_by_name!(CandidateKind, Role, ScopeKind);

/// A doubt in the contract's words.
pub(super) fn doubt<S: Serializer>(doubt: &Option<Doubt>, to: S) -> Result<S::Ok, S::Error> {
    doubt.map(Doubt::name).serialize(to)
}
