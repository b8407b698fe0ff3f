//! What mocks are given that code under test makes, and no test of a class looks at.

use crate::analysis::{Analysis, Place};
use crate::dismissed::{Entry, Width, of_query};
use crate::words::cut;
use program::MethodId;
use recommend::{Given, Unverified};
use text::Span;

/// What stands for the type of what is asked, in what users do not want to be told of.
const ARGUMENT: &str = "argument";

/// One such argument.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    /// `order, which orders.save(…) is given`.
    pub(crate) text: String,
    /// `orders.save(…)`.
    pub(crate) call: String,
    /// Where the code under test makes the call.
    pub(crate) place: Option<Place>,
    /// What is known of it.
    pub(crate) of: Unverified,
}

impl Open {
    /// The name of what is called.
    fn query(&self) -> &str {
        let name = self.of.call.rsplit_once('.');
        name.map_or(self.of.call.as_str(), |(_, name)| name)
    }

    /// What would hide it, and in what words, the narrowest first.
    pub(crate) fn dismissals(
        &self,
        analysis: &Analysis,
        test: MethodId,
    ) -> impl Iterator<Item = (String, Entry)> {
        let (call, query) = (&self.call, self.query());
        let all = of_query(analysis.program(), test, call, (ARGUMENT, query));
        all.map(move |(width, entry)| {
            let words = match width {
                Width::Here => format!("what {call} is given, in this test"),
                Width::Class => format!("what any {query} is given, in this class"),
                Width::Project => format!("what any {query} is given, in this project"),
            };
            (words, entry)
        })
    }
}

/// What an argument is called: as the code has it, but where that makes an object on the spot.
fn named(argument: &Given) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let simple = argument
        .class
        .as_ref()
        .and_then(|c| c.rsplit(['.', '$']).next());
    match simple {
        Some(class) if class != "String" && !argument.text.chars().all(is_name) => {
            format!("the {class}")
        }
        _ => cut(argument.text.to_string()),
    }
}

impl Analysis {
    /// What mocks are given in a test and none of its class looks at, but for what users do not want to be told of.
    pub(crate) fn open_arguments(&self, test: MethodId) -> Vec<Open> {
        let program = self.program();
        let all = self.unverified(self.workspace().own_run(test));
        let open = all.iter().filter_map(|of| {
            let argument = of.argument.as_ref()?;
            let call = format!("{}(…)", of.call);
            let name = of.call.rsplit_once('.').map_or("", |(_, name)| name);
            let file = program.body_file(of.body);
            Some(Open {
                text: format!("{}, which {call} is given", named(argument)),
                call,
                place: file.map(|file| Place {
                    file,
                    span: Span {
                        start: of.start,
                        end: of.start + name.len() as u32,
                    },
                }),
                of: of.clone(),
            })
        });
        let is_hidden = |o: &Open| {
            let asked = (ARGUMENT, o.query());
            self.dismissed().hides_query(program, test, &o.call, asked)
        };
        open.filter(|o| !is_hidden(o)).collect()
    }
}
