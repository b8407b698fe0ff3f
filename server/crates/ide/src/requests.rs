//! What is known of the requests that tests send.

use crate::analysis::{Analysis, Part, Question};
use program::{FileId, MethodId};
use recommend::web::{self, Requests};
use rustc_hash::FxHashMap;

/// What the answer to a request is called where users say that they do not want to be told of it.
pub(crate) const REQUEST: &str = "ResultActions";

/// What tests of a file could expect of the answers to their requests.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RequestsOf(FileId);

impl Question for RequestsOf {
    type Answer = FxHashMap<MethodId, Requests>;
    const RESTS_ON: &'static [Part] = &[];

    fn answer(&self, analysis: &Analysis) -> Self::Answer {
        web::requests(analysis.workspace(), self.0)
    }
}

impl Analysis {
    /// What is known of the requests of a test, but for what users do not want to be told of; nothing of one that sends
    /// none.
    pub fn requests(&self, test: MethodId) -> Option<Requests> {
        let program = self.program();
        let body = program.method_body(test)?;
        if self.workspace().chains(body)?.sent.is_empty() {
            return None;
        }
        let of_file = self.ask(RequestsOf(program.method_file(test)?));
        let mut own = of_file.get(&test)?.clone();
        own.expectations.retain(|e| {
            let asked = (REQUEST, e.query.as_str());
            !self
                .dismissed()
                .hides_query(program, test, &e.text(), asked)
        });
        Some(own)
    }
}
