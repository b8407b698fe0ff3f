//! A program and what was computed of it so far.

mod kept;

pub(crate) use kept::{Answers, Part, Question, Store};

use self::kept::Stores;
use crate::callers::Callers;
use crate::dismissed::Dismissed;
use calls::{Cancellation, Workspace};
use effects::Purity;
use evidence::{Facts, Told};
use observe::Settings;
use program::{Change, FileId, MethodId, Program};
use recommend::Known;
use rustc_hash::FxHashMap;
use slices::Graph;
use std::sync::{Arc, OnceLock};
use text::{Encoding, LineIndex};

/// A place in a file, to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Byte offsets.
    pub span: text::Span,
}

/// One state of one folder: the program, and the answers to what was asked of it, each computed once and then shared.
///
/// What features ask stands beside them, as a [`Question`].
#[derive(Debug)]
pub struct Analysis {
    /// For one question where it is lent a cancellation.
    workspace: Workspace,
    state: Arc<State>,
}

/// What all questions about a state share. What a cancelled one did not finish is not in it.
#[derive(Debug, Default)]
struct State {
    complete: bool,
    settings: Settings,
    /// Offers are of what ran, where it was recorded.
    over_runs: bool,
    dismissed: Arc<Dismissed>,
    /// What runs told of the folder's tests.
    facts: Arc<Facts>,
    known: OnceLock<Arc<Known>>,
    callers: OnceLock<Arc<Callers>>,
    /// What slices walk over.
    slices: OnceLock<Arc<Graph>>,
    answers: Stores,
    /// What goes on from state to state: each says itself what it is of.
    lasting: Arc<Stores>,
}

/// Where the lines of a file begin.
#[derive(Clone, PartialEq, Eq, Hash)]
struct LinesOf(FileId);

impl Question for LinesOf {
    type Answer = LineIndex;
    const RESTS_ON: &'static [Part] = &[];

    fn answer(&self, analysis: &Analysis) -> LineIndex {
        LineIndex::new(analysis.program().text(self.0).map_or("", |text| text))
    }
}

/// What was recorded of a test, which facts know by its name: each keystroke asks for that of all tests.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RecordedOf(MethodId);

impl Question for RecordedOf {
    type Answer = Option<Arc<Told>>;
    const RESTS_ON: &'static [Part] = &[Part::Facts];
    const IS_OF_DECLARATIONS: bool = true;

    fn answer(&self, analysis: &Analysis) -> Option<Arc<Told>> {
        let name = analysis.program().method_name(self.0);
        analysis.facts().of(&name).cloned()
    }
}

impl State {
    /// The same program, with another of some parts: what does not rest on them stays.
    fn without(&self, parts: &[Part]) -> State {
        let mut parts = parts.to_vec();
        // Then what is offered rests on what ran.
        if self.over_runs && parts.contains(&Part::Facts) {
            parts.push(Part::Settings);
        }
        State {
            complete: self.complete,
            settings: self.settings,
            over_runs: self.over_runs,
            dismissed: Arc::clone(&self.dismissed),
            facts: Arc::clone(&self.facts),
            known: self.known.clone(),
            callers: self.callers.clone(),
            slices: self.slices.clone(),
            answers: self.answers.resting_on_none_of(&parts),
            lasting: Arc::clone(&self.lasting),
        }
    }
}

impl Analysis {
    /// Nothing computed yet. `complete` says whether the program has all files of its folder.
    pub fn new(workspace: Workspace, complete: bool, settings: Settings) -> Analysis {
        let state = State {
            complete,
            settings,
            ..State::default()
        };
        Analysis {
            workspace,
            state: Arc::new(state),
        }
    }

    /// The same for one question, as long as its answer is wanted: then it ends by unwinding with
    /// [`calls::Cancelled`]. What it computed until then stays.
    #[must_use]
    pub fn under(&self, cancellation: &Cancellation) -> Analysis {
        Analysis {
            workspace: self.workspace.under(cancellation),
            state: Arc::clone(&self.state),
        }
    }

    fn with(&self, state: State) -> Analysis {
        Analysis {
            workspace: self.workspace.clone(),
            state: Arc::new(state),
        }
    }

    /// The state after changes of files, with no answer but those that are brought up to date by themselves, and, while no
    /// declaration changed, those that rest on declarations alone.
    pub(crate) fn updated(&self, changes: Vec<Change>) -> Analysis {
        let workspace = self.workspace.update(changes);
        let known = self.state.known.get();
        let known = known.map(|k| Arc::new(k.update(&self.workspace, &workspace)));
        let callers = self.state.callers.get();
        let callers = callers.map(|c| Callers::update(c, &self.workspace, &workspace));
        let state = State {
            known: known.map(OnceLock::from).unwrap_or_default(),
            callers: callers.map(OnceLock::from).unwrap_or_default(),
            slices: OnceLock::new(),
            answers: match workspace.program().same_declarations(self.program()) {
                true => self.state.answers.of_declarations(),
                false => Stores::default(),
            },
            ..self.state.without(&[])
        };
        Analysis {
            workspace,
            state: Arc::new(state),
        }
    }

    /// The same program under other settings.
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Analysis {
        self.with(State {
            settings,
            ..self.state.without(&[Part::Settings])
        })
    }

    /// The same program where users said *Not this one* of these.
    #[must_use]
    pub fn with_dismissed(&self, dismissed: Arc<Dismissed>) -> Analysis {
        self.with(State {
            dismissed,
            ..self.state.without(&[Part::Dismissed])
        })
    }

    /// The same program with what runs told. What was computed of the source alone stays.
    #[must_use]
    pub fn with_facts(&self, facts: Arc<Facts>) -> Analysis {
        self.with(State {
            facts,
            ..self.state.without(&[Part::Facts])
        })
    }

    /// The same program, with offers of what ran ([`Analysis::lines_of`]) instead of what may run.
    #[must_use]
    pub fn over_runs(&self) -> Analysis {
        self.with(State {
            over_runs: true,
            ..self.state.without(&[Part::Settings])
        })
    }

    /// True if offers are of what ran.
    pub fn is_over_runs(&self) -> bool {
        self.state.over_runs
    }

    /// The answer to a question. Who asks it first computes it, others wait for that.
    pub(crate) fn ask<Q: Question>(&self, question: Q) -> Arc<Q::Answer> {
        let answers = self.answers::<Q>();
        answers.get_or(question.clone(), || question.answer(self))
    }

    /// The same, answered outside its entry and at worst twice. What may run beside others, as a part of a parallel
    /// computation, asks so: a thread that waits for its part of another takes up what may ask the same, and would wait for
    /// itself.
    pub(crate) fn ask_beside_others<Q: Question>(&self, question: Q) -> Arc<Q::Answer> {
        let answers = self.answers::<Q>();
        let known = answers.get(&question);
        known.unwrap_or_else(|| {
            let own = Arc::new(question.answer(self));
            answers.set(question, own)
        })
    }

    /// The answers to one sort of question.
    pub(crate) fn answers<Q: Question>(&self) -> Arc<Answers<Q>> {
        self.store()
    }

    /// What a feature keeps of this state.
    pub(crate) fn store<S: Store>(&self) -> Arc<S> {
        self.state.answers.of()
    }

    /// Keeps this from now on.
    pub(crate) fn put<S: Store>(&self, store: Arc<S>) {
        self.state.answers.put(store);
    }

    /// What a feature keeps over all states that come after one another, whatever differs.
    pub(crate) fn lasting<S: Store>(&self) -> Arc<S> {
        self.state.lasting.of()
    }

    /// What runs told of the folder's tests, fresh or not.
    pub fn facts(&self) -> &Arc<Facts> {
        &self.state.facts
    }

    /// What was recorded of a test, fresh or not.
    pub fn recorded(&self, test: MethodId) -> Option<Arc<Told>> {
        match self.state.facts.is_empty() {
            true => None,
            false => Option::clone(&self.ask_beside_others(RecordedOf(test))),
        }
    }

    /// What users do not want to be told of.
    pub fn dismissed(&self) -> &Arc<Dismissed> {
        &self.state.dismissed
    }

    /// Computes what every answer rests on, so that the first one does not wait for it.
    pub fn prepare(&self) {
        self.known();
        self.callers();
    }

    /// What slices walk over.
    pub(crate) fn slices(&self) -> &Graph {
        self.state
            .slices
            .get_or_init(|| Arc::new(Graph::new(&self.workspace)))
    }

    /// The program with its chains.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.workspace.program()
    }

    /// False while not all files of the folder are in the program: what other files would add is missing.
    pub fn is_complete(&self) -> bool {
        self.state.complete
    }

    /// λ, fp and how many are selected.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// Which methods change nothing.
    pub fn purity(&self) -> &Purity {
        self.known().purity()
    }

    /// What calls change, and what the suite's assertions ask.
    pub fn known(&self) -> &Known {
        self.state
            .known
            .get_or_init(|| Arc::new(Known::new(&self.workspace)))
    }

    /// The same, if it was asked for or brought up to date before.
    pub(crate) fn known_so_far(&self) -> Option<&Known> {
        self.state.known.get().map(|known| &**known)
    }

    /// How many tests call each method themselves or through code of their own class.
    pub fn callers(&self) -> &FxHashMap<MethodId, u32> {
        self.state
            .callers
            .get_or_init(|| Arc::new(Callers::new(&self.workspace)))
            .counts()
    }

    /// The tests that call a method themselves or through test code, in the order of the suite.
    pub(crate) fn tests_calling(&self, method: MethodId) -> Vec<MethodId> {
        self.callers();
        let tests = self.workspace.suite().tests();
        let of = |callers: &Arc<Callers>| callers.of(method).map(|at| tests[at]).collect();
        self.state.callers.get().map(of).unwrap_or_default()
    }

    /// Where a place stands, as terminals name it: its file and line, from 1.
    pub fn path_and_line(&self, place: Place) -> Option<(String, u32)> {
        let path = self.program().path(place.file)?.to_string();
        let at = self
            .lines(place.file)
            .position(place.span.start, Encoding::Utf8);
        Some((path, at.line + 1))
    }

    /// Where the lines of a file begin.
    pub(crate) fn lines(&self, file: FileId) -> Arc<LineIndex> {
        self.ask(LinesOf(file))
    }
}
