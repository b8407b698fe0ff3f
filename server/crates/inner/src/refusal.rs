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
