//! Why an inner oracle is not offered: one row a reason.

macro_rules! refusals {
    ($($variant:ident $name:literal $sentence:literal,)*) => {
        /// A reason not to place an inner oracle. The name is for JSON and for counting, the sentence for the user.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum Refusal {
            $(#[doc = $sentence] $variant,)*
        }

        impl Refusal {
            /// All reasons, in the order of the table.
            pub const ALL: &[Refusal] = &[$(Refusal::$variant,)*];

            /// The name, in kebab case.
            pub fn name(self) -> &'static str {
                match self {
                    $(Refusal::$variant => $name,)*
                }
            }

            /// The reason, as a sentence for the user.
            pub fn sentence(self) -> &'static str {
                match self {
                    $(Refusal::$variant => $sentence,)*
                }
            }
        }
    };
}

refusals! {
    SyntaxError "syntax-error" "The file has a syntax error: once it is mended, an inner oracle can be placed.",
    NotFound "not-found" "What defines the value is not where it was: the file has changed.",
    TestCode "test-code" "The value is one of a test's own code, which an assertion can check.",
    Generated "generated" "The code is generated: what is inserted would be lost when it is generated again.",
    NameTaken "name-taken" "The package has a class InnerOracle that is not Telltale's.",
    CheckedAlready "checked-already" "This test checks the value already.",
    NotSeen "not-seen" "The module of the test does not see this code, so that the test cannot switch anything on.",
    RunsInSetUp "runs-in-set-up" "Only a field's initialiser, a constructor or a superclass of the test runs this code, where no test can switch anything on.",
    NoStatement "no-statement" "No statement can stand at this place, only a check that the value equals another.",
    NoExpression "no-expression" "What is to hold, or to be expected, is no Java expression.",
    NoPlace "no-place" "No statement can stand behind this definition, and its value cannot be passed through a call.",
    OldValue "old-value" "The value after `++` or `--` is not that of the expression, and no statement can stand behind it.",
    Functional "functional" "A lambda or a method reference has a type only where it stands, and cannot be passed through a call.",
    NarrowType "narrow-type" "A constant of type byte, short or char cannot be passed through a call.",
    Constant "constant" "The value is a constant, which must stay one.",
    ArrayInitializer "array-initializer" "An array in braces cannot be passed through a call.",
    EnumConstant "enum-constant" "A constant of an enum is what it is.",
    RecordComponent "record-component" "A component of a record has no place of its own in the code.",
    LambdaExpression "lambda-expression" "The parameter of a lambda without a block has no place where a statement could stand.",
    Pattern "pattern" "What this pattern binds has no block of its own.",
    TestGone "test-gone" "There is no such test in this file.",
    NoTestBody "no-test-body" "The test has no body here in which an inner oracle could be switched on.",
    CallElsewhere "call-elsewhere" "The call that leads to the code stands outside the test's body.",
    AlreadyOn "already-on" "The test switches this inner oracle on already.",
    PackageHidden "package-hidden" "A variable of the test's file has the name of the package's first part and hides it.",
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.sentence())
    }
}
