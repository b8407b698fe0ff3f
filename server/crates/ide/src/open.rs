//! What tests leave open of mocks: what these are given and no test of a class looks at, and calls that none verifies.

use crate::analysis::{Analysis, Part, Place, Question};
use crate::checking::fails_on_unused_stubs;
use crate::dismissed::{Entry, Width, of_query};
use crate::offers::Since;
use crate::words::cut;
use oracle::TestRun;
use program::{MethodId, TypeId};
use recommend::{Given, SaidOfMocks, Tells, Unverified, UnverifiedCalls, may_tell, unverified};
use std::sync::Arc;
use text::Span;

/// What stands for the type of what is asked, in what users do not want to be told of.
const ARGUMENT: &str = "argument";
const CALL: &str = "call";

/// One such argument, or call.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    /// `no test here looks at order, which orders.save(…) is given`, `no test here verifies mails.send(…)`.
    pub(crate) text: String,
    /// `orders.save(…)`.
    pub(crate) call: String,
    /// Where the code under test makes the call.
    pub(crate) place: Option<Place>,
    /// What is known of it.
    pub(crate) of: Unverified,
}

impl Open {
    fn new(analysis: &Analysis, of: &Unverified) -> Open {
        let dots = if of.takes > 0 { "…" } else { "" };
        let call = format!("{}({dots})", of.call);
        let text = match &of.argument {
            Some(argument) => {
                let argument = named(argument);
                format!("no test here looks at {argument}, which {call} is given")
            }
            None => format!("no test here verifies {call}"),
        };
        let name = of.call.rsplit_once('.').map_or("", |(_, name)| name);
        let file = analysis.program().body_file(of.body);
        Open {
            text,
            call,
            place: file.map(|file| Place {
                file,
                span: Span {
                    start: of.start,
                    end: of.start + name.len() as u32,
                },
            }),
            of: of.clone(),
        }
    }

    /// The name of what is called.
    pub(crate) fn query(&self) -> &str {
        let name = self.of.call.rsplit_once('.');
        name.map_or(self.of.call.as_str(), |(_, name)| name)
    }

    fn kind(&self) -> &'static str {
        match self.of.argument {
            Some(_) => ARGUMENT,
            None => CALL,
        }
    }

    /// What would hide it, and in what words, the narrowest first.
    pub(crate) fn dismissals(
        &self,
        analysis: &Analysis,
        test: MethodId,
    ) -> impl Iterator<Item = (String, Entry)> {
        let (call, query) = (&self.call, self.query());
        let all = of_query(analysis.program(), test, call, (self.kind(), query));
        let is_argument = self.of.argument.is_some();
        all.map(move |(width, entry)| {
            let words = match (width, is_argument) {
                (Width::Here, true) => format!("what {call} is given, in this test"),
                (Width::Class, true) => format!("what any {query} is given, in this class"),
                (Width::Project, true) => format!("what any {query} is given, in this project"),
                (Width::Here, false) => format!("{call} in this test"),
                (Width::Class, false) => format!("any {query} in this class"),
                (Width::Project, false) => format!("any {query} in this project"),
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

/// What the tests of a class say of mocks.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct SaidIn(pub(crate) TypeId);

impl Question for SaidIn {
    type Answer = SaidOfMocks;
    const RESTS_ON: &'static [Part] = &[];

    fn answer(&self, analysis: &Analysis) -> SaidOfMocks {
        let is_strict = fails_on_unused_stubs(analysis.program(), self.0);
        SaidOfMocks::new(analysis.workspace(), self.0, is_strict)
    }
}

/// What a test may tell its mocks: what lenses ask of all tests of a class.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct TellsOf(pub(crate) MethodId);

impl Question for TellsOf {
    type Answer = Tells;
    const RESTS_ON: &'static [Part] = &[];

    fn answer(&self, analysis: &Analysis) -> Tells {
        may_tell(analysis.workspace(), self.0)
    }
}

/// The calls of mocks that a test does not ask for, and what those are given that it lets be anything.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct UnverifiedIn(TestRun);

/// The answer, and what it rests on.
#[derive(Clone)]
pub(crate) struct Found {
    unverified: UnverifiedCalls,
    said: Arc<SaidOfMocks>,
}

impl Question for UnverifiedIn {
    type Answer = Found;
    const RESTS_ON: &'static [Part] = &[Part::Settings];

    fn answer(&self, analysis: &Analysis) -> Found {
        let (workspace, known) = (analysis.workspace(), analysis.known());
        let said = analysis.ask(SaidIn(self.0.class));
        let unverified = analysis.executed(Some(&[self.0]), |ran| {
            unverified(workspace, known, self.0, &said, ran)
        });
        Found { unverified, said }
    }
}

/// What was found before an edit.
pub(crate) struct Before {
    tells: Vec<(TellsOf, Arc<Tells>)>,
    found: Vec<(UnverifiedIn, Arc<Found>)>,
}

impl Before {
    pub(crate) fn new(analysis: &Analysis) -> Before {
        Before {
            tells: analysis.answers::<TellsOf>().all(),
            found: analysis.answers::<UnverifiedIn>().all(),
        }
    }

    /// Keeps what stands in the state after it; where purity is `known` to be as before, what rests on that, too.
    pub(crate) fn keep(self, next: &Analysis, since: &Since<'_>, known: bool) {
        let tells = next.answers();
        for (of, old) in self.tells {
            if since.is_as_before(of.0, &old.bodies) {
                tells.set(of, old);
            }
        }
        let found = next.answers();
        for (of, old) in self.found.into_iter().filter(|_| known) {
            if let Some(kept) = old.after(next, since, of.0) {
                found.set(of, Arc::new(kept));
            }
        }
    }
}

impl Found {
    /// What is found after an edit, if nothing differs that it rests on: its places are those of the new texts.
    fn after(&self, next: &Analysis, since: &Since<'_>, run: TestRun) -> Option<Found> {
        if !since.is_as_before(run.test, &self.unverified.bodies) {
            return None;
        }
        let said = next.ask(SaidIn(run.class));
        if said != self.said {
            return None;
        }
        let mut unverified = self.unverified.clone();
        for call in &mut unverified.calls {
            call.start = u32::try_from(i64::from(call.start) + since.moved(call.body)?).ok()?;
        }
        Some(Found { unverified, said })
    }
}

impl Analysis {
    /// Of how many tests it was asked what they ask nobody about.
    #[cfg(test)]
    pub(crate) fn unverified_found(&self) -> usize {
        self.answers::<UnverifiedIn>().all().len()
    }

    /// What a test leaves open of mocks, but for what users do not want to be told of: what these are given first, then calls.
    /// Lenses ask for it where a cheap look says that there may be something, else who asks for a list.
    pub(crate) fn open(&self, test: MethodId) -> Vec<Open> {
        let program = self.program();
        let found = self.ask(UnverifiedIn(self.workspace().own_run(test)));
        let all = found.unverified.calls.iter();
        let mut open: Vec<Open> = all.map(|of| Open::new(self, of)).collect();
        open.retain(|o| {
            let asked = (o.kind(), o.query());
            !self.dismissed().hides_query(program, test, &o.call, asked)
        });
        open.sort_by_key(|o| o.of.argument.is_none());
        open
    }
}
