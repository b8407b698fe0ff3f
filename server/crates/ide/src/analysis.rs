//! A program and what was computed of it so far.

use crate::callers::Callers;
use crate::checked::RanToday;
use crate::dismissed::Dismissed;
use crate::key::{Keyed, Rewritten, key, key_of};
use crate::lens::{Said, said};
use crate::offers::{Offered, Since, hoped, offered};
use crate::rankings::{FileRanking, ranked};
use crate::suspects::{Examination, Judged, Taught, generated, judge};
use calls::{Cancellation, Ran, Workspace};
use dashmap::DashMap;
use effects::Purity;
use evidence::{Facts, Key, Told};
use flow::ExprId;
use observe::Settings;
use oracle::TestRun;
use program::{BodyId, Change, FileId, MethodId, Program, TypeId};
use rayon::prelude::*;
use recommend::web::Requests;
use recommend::{Hope, Known, Offer, Switches, offer_over};
use rustc_hash::FxHashMap;
use slices::{Executed, FileLines, Graph};
use std::collections::{BTreeMap, VecDeque};
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use text::LineIndex;

/// A place in a file, to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Byte offsets.
    pub span: text::Span,
}

/// One state of one folder: the program and its rankings, each computed when it is first asked for and then shared.
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
    known: OnceLock<Arc<Known>>,
    callers: OnceLock<Arc<Callers>>,
    files: Shared<FileId, FileRanking>,
    hopes: Shared<MethodId, Hope>,
    tests: Shared<MethodId, Offered>,
    /// What tests of a file could expect of the answers to their requests.
    requests: Shared<FileId, FxHashMap<MethodId, Requests>>,
    /// The last offers with their graphs, in the order in which they were made.
    whole: Mutex<VecDeque<Whole>>,
    /// How many offers were made.
    made: AtomicU64,
    said: Shared<TypeId, Said>,
    /// Where the lines of files begin.
    lines: Shared<FileId, LineIndex>,
    /// What runs told of the folder's tests.
    facts: Arc<Facts>,
    keys: Shared<MethodId, Keyed>,
    /// Hashes of the tokens of members, by what their bodies say.
    tokens: Arc<DashMap<u64, u64>>,
    /// The tests that tools wrote, by the class that they are about.
    generated: OnceLock<Arc<BTreeMap<TypeId, Vec<MethodId>>>>,
    judged: Shared<TypeId, Judged>,
    /// What slices walk over, and what ran.
    slices: OnceLock<Arc<Graph>>,
    ran: OnceLock<Arc<RanToday>>,
    /// What was last taught of a class, and last examined; shared with what came before.
    taught: Arc<Last<TypeId, Taught>>,
    examined: Arc<Last<TypeId, Examination>>,
}

/// What the answer to a request is called where users say that they do not want to be told of it.
pub(crate) const REQUEST: &str = "ResultActions";

/// How many hashes of members are kept: 4 MB, and more than a large project has members.
const TOKENS: usize = 200_000;

/// The offer for some tests, with its graph.
#[derive(Debug)]
struct Whole {
    of: Box<[TestRun]>,
    offer: Arc<Offer>,
}

/// How many offers are kept: those of a large class.
const OFFERS: usize = 100;

/// How many edges their graphs may have, but for the last: about 40 MB.
const EDGES: u32 = 1 << 20;

/// Values by key. An entry is taken under the map's guard and computed outside it.
type Shared<K, V> = DashMap<K, Arc<OnceLock<Arc<V>>>>;

fn shared<K: Eq + Hash, V>(map: &Shared<K, V>, key: K, compute: impl FnOnce() -> V) -> Arc<V> {
    let cell = Arc::clone(&map.entry(key).or_default());
    Arc::clone(cell.get_or_init(|| Arc::new(compute())))
}

/// The last value by key, with a hash of what it was computed of.
type Last<K, V> = DashMap<K, (u64, Arc<V>)>;

fn last<K: Eq + Hash, V>(map: &Last<K, V>, key: K, of: u64, compute: impl FnOnce() -> V) -> Arc<V> {
    if let Some(known) = map.get(&key)
        && known.0 == of
    {
        return Arc::clone(&known.1);
    }
    let own = Arc::new(compute());
    map.insert(key, (of, Arc::clone(&own)));
    own
}

/// What of it is computed.
fn computed<K: Eq + Hash + Copy, V>(map: &Shared<K, V>) -> Vec<(K, Arc<V>)> {
    let entries = map.iter();
    entries
        .filter_map(|e| Some((*e.key(), Arc::clone(e.value().get()?))))
        .collect()
}

impl State {
    /// The same program under other settings: what does not hang on them stays.
    fn with_settings(&self, settings: Settings) -> State {
        State {
            complete: self.complete,
            settings,
            over_runs: self.over_runs,
            known: self.known.clone(),
            callers: self.callers.clone(),
            slices: self.slices.clone(),
            dismissed: Arc::clone(&self.dismissed),
            facts: Arc::clone(&self.facts),
            tokens: Arc::clone(&self.tokens),
            taught: Arc::clone(&self.taught),
            examined: Arc::clone(&self.examined),
            ..State::default()
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

    /// The state after changes of files.
    #[must_use]
    pub fn after(&self, changes: Vec<Change>) -> Analysis {
        let workspace = self.workspace.update(changes);
        // First, so that all that these rest on is among the answers that are compared.
        let offers = computed(&self.state.tests);
        let old_hopes = computed(&self.state.hopes);
        let known = self.state.known.get();
        let known = known.map(|k| k.update(&self.workspace, &workspace));
        let (hopes, tests, keys) = (DashMap::new(), DashMap::new(), DashMap::new());
        if let Some(rewritten) = Rewritten::new(self.program(), workspace.program()) {
            for (test, old) in computed(&self.state.keys) {
                if !rewritten.touches(&old.bodies) {
                    keys.insert(test, Arc::new(OnceLock::from(old)));
                }
            }
        }
        if let (Some(old), Some(new)) = (self.state.known.get(), &known)
            && new.answers_as(old)
            && let Some(since) = Since::new(&self.workspace, &workspace)
        {
            for (test, old) in old_hopes {
                if since.hope(test, &old) {
                    hopes.insert(test, Arc::new(OnceLock::from(old)));
                }
            }
            for (test, old) in offers {
                if let Some(kept) = since.offered(test, &old) {
                    tests.insert(test, Arc::new(OnceLock::from(kept)));
                }
            }
        }
        let callers = self.state.callers.get();
        let callers = callers.map(|c| Callers::update(c, &self.workspace, &workspace));
        let state = State {
            callers: callers.map(OnceLock::from).unwrap_or_default(),
            slices: OnceLock::new(),
            known: known
                .map(|k| OnceLock::from(Arc::new(k)))
                .unwrap_or_default(),
            hopes,
            tests,
            keys,
            ..self.state.with_settings(self.state.settings)
        };
        Analysis {
            workspace,
            state: Arc::new(state),
        }
    }

    /// The same program under other settings.
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Analysis {
        self.with(self.state.with_settings(settings))
    }

    /// The same program where users said *Not this one* of these.
    #[must_use]
    pub fn with_dismissed(&self, dismissed: Arc<Dismissed>) -> Analysis {
        self.with(State {
            dismissed,
            ..self.state.with_settings(self.state.settings)
        })
    }

    /// The same program with what runs told. What was computed of the source alone stays.
    #[must_use]
    pub fn with_facts(&self, facts: Arc<Facts>) -> Analysis {
        self.with(State {
            hopes: self.state.hopes.clone(),
            tests: self.state.tests.clone(),
            files: self.state.files.clone(),
            keys: self.state.keys.clone(),
            facts,
            ..self.state.with_settings(self.state.settings)
        })
    }

    /// The same program, with offers of what ran ([`Analysis::lines_of`]) instead of what may run.
    #[must_use]
    pub fn over_runs(&self) -> Analysis {
        self.with(State {
            over_runs: true,
            ..self.state.with_settings(self.state.settings)
        })
    }

    /// True if offers are of what ran.
    pub fn is_over_runs(&self) -> bool {
        self.state.over_runs
    }

    /// The lines that some tests ran, or all that were recorded, and those of set-ups that ran for several. Nothing where one of
    /// them was not recorded with today's code.
    pub fn lines_of(&self, runs: Option<&[TestRun]>) -> Option<FileLines> {
        self.ran_today().of(runs)
    }

    /// Computes something of what ran in some tests, or in all; of what may have run where that is not known.
    pub(crate) fn executed<R>(
        &self,
        runs: Option<&[TestRun]>,
        compute: impl FnOnce(Option<&Ran<'_>>) -> R,
    ) -> R {
        let lines = match self.state.over_runs {
            true => self.lines_of(runs),
            false => None,
        };
        let Some(lines) = lines else {
            return compute(None);
        };
        let executed = Executed::new(self.slices(), self.ran_today().code(), &lines);
        let program = self.program();
        let ran = |body: BodyId, e: Option<ExprId>| {
            // Nobody looks whether tests' own lines ran.
            let is_test = program.body_file(body).is_none_or(|f| program.is_test(f));
            is_test
                || match e {
                    Some(e) => executed.expr(body, e),
                    None => executed.body(body),
                }
        };
        compute(Some(&ran))
    }

    /// What runs told of the folder's tests, fresh or not.
    pub fn facts(&self) -> &Arc<Facts> {
        &self.state.facts
    }

    /// Of which code something is recorded of a test.
    pub fn key(&self, test: MethodId) -> Key {
        shared(&self.state.keys, test, || key(self, test)).key
    }

    /// Of which code it is what a test could read: what it runs, and what asking runs.
    pub fn asked(&self, test: MethodId) -> Key {
        let mut bodies = shared(&self.state.keys, test, || key(self, test))
            .bodies
            .to_vec();
        bodies.extend(self.offered(test).bodies());
        key_of(self, bodies).key
    }

    /// What was recorded of a test, if it is of today's code.
    pub fn fresh(&self, test: MethodId) -> Option<Arc<Told>> {
        let told = self.recorded(test)?;
        (told.key == self.key(test)).then(|| Arc::clone(told))
    }

    /// True if something is kept of a test, and not all of it is of today's code: what it did, or what it could read.
    pub fn is_stale(&self, test: MethodId) -> bool {
        let of_now = |told: &Told| {
            told.key == self.key(test)
                && (told.queries.is_empty() || told.asked == self.asked(test))
        };
        self.recorded(test).is_some_and(|told| !of_now(told))
    }

    /// What was recorded of a test that passed, if it is of today's code: what may be told as its values.
    pub(crate) fn believed(&self, test: MethodId) -> Option<Arc<Told>> {
        self.fresh(test).filter(|told| told.passed)
    }

    /// The same, if what it could read is of today's code, too: its `queries` may be told.
    pub(crate) fn answered(&self, test: MethodId) -> Option<Arc<Told>> {
        let told = self.believed(test)?;
        (told.queries.is_empty() || told.asked == self.asked(test)).then_some(told)
    }

    /// What was recorded of a test, fresh or not.
    pub fn recorded(&self, test: MethodId) -> Option<&Arc<Told>> {
        match self.state.facts.is_empty() {
            true => None,
            false => self.state.facts.of(&self.program().method_name(test)),
        }
    }

    /// The hash of a member's tokens.
    pub(crate) fn tokens(&self, body: u64, compute: impl FnOnce() -> u64) -> u64 {
        if let Some(known) = self.state.tokens.get(&body) {
            return *known;
        }
        let own = compute();
        // Each edit of a body adds one.
        if self.state.tokens.len() > TOKENS {
            self.state.tokens.clear();
        }
        self.state.tokens.insert(body, own);
        own
    }

    /// The generated tests by the class under test that they are about.
    pub(crate) fn generated(&self) -> Arc<BTreeMap<TypeId, Vec<MethodId>>> {
        let made = || Arc::new(generated(self));
        Arc::clone(self.state.generated.get_or_init(made))
    }

    /// What is known of the generated assertions of a class under test.
    pub fn judged(&self, class: TypeId) -> Arc<Judged> {
        shared(&self.state.judged, class, || judge(self, class))
    }

    /// What was taught of a class, if it was the same that taught.
    pub(crate) fn taught(
        &self,
        class: TypeId,
        of: u64,
        learn: impl FnOnce() -> Taught,
    ) -> Arc<Taught> {
        last(&self.state.taught, class, of, learn)
    }

    /// What was last taught of a class, by whatever.
    pub(crate) fn last_taught(&self, class: TypeId) -> Option<Arc<Taught>> {
        let last = self.state.taught.get(&class)?;
        Some(Arc::clone(&last.1))
    }

    /// What examining a class gave, if it was the same that was examined.
    pub(crate) fn examined(
        &self,
        class: TypeId,
        of: u64,
        examine: impl FnOnce() -> Examination,
    ) -> Arc<Examination> {
        last(&self.state.examined, class, of, examine)
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

    /// Which lines ran, as far as they are known today.
    pub(crate) fn ran_today(&self) -> &RanToday {
        self.state.ran.get_or_init(|| Arc::new(RanToday::new(self)))
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

    /// What to observe in a file of production code.
    pub fn ranking(&self, file: FileId) -> Arc<FileRanking> {
        shared(&self.state.files, file, || ranked(self, file))
    }

    /// What is offered for tests, with its graph. The last ones are kept: who asks for a test's list asks for its
    /// picture next.
    ///
    /// No lock is held while it is made, as threads that compute in parallel must not wait for each other: at worst it is
    /// made twice.
    pub fn offer(&self, runs: &[TestRun]) -> Arc<Offer> {
        let whole = || {
            self.state
                .whole
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(known) = whole().iter().find(|known| *known.of == *runs) {
            return Arc::clone(&known.offer);
        }
        let made = self.executed(Some(runs), |ran| {
            Arc::new(offer_over(
                &self.workspace,
                self.known(),
                runs,
                self.settings(),
                &Switches::default(),
                ran,
            ))
        });
        self.state.made.fetch_add(1, Relaxed);
        let mut whole = whole();
        whole.push_back(Whole {
            of: runs.into(),
            offer: Arc::clone(&made),
        });
        let edges = |one: &Whole| one.offer.graph.psg.edge_count();
        let mut all: u32 = whole.iter().map(edges).sum();
        while whole.len() > OFFERS || all > EDGES && whole.len() > 1 {
            all -= whole.pop_front().as_ref().map_or(0, edges);
        }
        made
    }

    /// How many offers were made of this state.
    #[cfg(test)]
    pub(crate) fn offers_made(&self) -> u64 {
        self.state.made.load(Relaxed)
    }

    /// What a test alone says of its lists.
    pub(crate) fn hope(&self, test: MethodId) -> Arc<Hope> {
        shared(&self.state.hopes, test, || hoped(self, test))
    }

    /// What a test could read, and what only an inner oracle can check.
    pub fn offered(&self, test: MethodId) -> Arc<Offered> {
        shared(&self.state.tests, test, || offered(self, test))
    }

    /// The offers of those tests that are looked at, whatever they say (`true`) or if they may have something sure.
    ///
    /// They are computed side by side. A thread that waits for its part of a parallel computation takes up another one,
    /// so no part holds what another may wait for: each offer is made outside its entry, at worst twice.
    pub(crate) fn offers(&self, tests: &[(MethodId, bool)]) -> Vec<Option<Arc<Offered>>> {
        // Computed in parallel themselves.
        self.known();
        self.workspace.suite();
        let offer = |&(test, whatever): &(MethodId, bool)| match whatever {
            true => Some(self.offer_beside_others(test)),
            false => self.offer_if_sure(test),
        };
        tests.par_iter().map(offer).collect()
    }

    /// The offer of a test if it may have something sure. May run beside others, as [`Analysis::offers`] has it.
    pub(crate) fn offer_if_sure(&self, test: MethodId) -> Option<Arc<Offered>> {
        let looks = self.hope(test).may_be_sure;
        looks.then(|| self.offer_beside_others(test))
    }

    /// The offer of a test, made outside its entry.
    fn offer_beside_others(&self, test: MethodId) -> Arc<Offered> {
        let known = || {
            let cell = self.state.tests.get(&test).map(|cell| Arc::clone(&cell));
            cell.and_then(|cell| cell.get().cloned())
        };
        known().unwrap_or_else(|| {
            let made = Arc::new(offered(self, test));
            let cell = Arc::clone(&self.state.tests.entry(test).or_default());
            // Another thread may have made it meanwhile: then all share that one.
            drop(cell.set(Arc::clone(&made)));
            known().unwrap_or(made)
        })
    }

    /// What is known of the requests of a test, but for what users do not want to be told of; nothing of one that sends
    /// none.
    pub fn requests(&self, test: MethodId) -> Option<Requests> {
        let program = self.program();
        let body = program.method_body(test)?;
        if self.workspace.chains(body)?.sent.is_empty() {
            return None;
        }
        let file = program.method_file(test)?;
        let of_file = shared(&self.state.requests, file, || {
            recommend::web::requests(&self.workspace, file)
        });
        let mut own = of_file.get(&test)?.clone();
        own.expectations.retain(|e| {
            let asked = (REQUEST, e.query.as_str());
            !self
                .dismissed()
                .hides_query(program, test, &e.text(), asked)
        });
        Some(own)
    }

    /// Where the lines of a file begin.
    pub(crate) fn lines(&self, file: FileId) -> Arc<LineIndex> {
        shared(&self.state.lines, file, || {
            LineIndex::new(self.program().text(file).map_or("", |text| text))
        })
    }

    /// What the lenses above the tests of a class say.
    pub(crate) fn said(&self, class: TypeId) -> Arc<Said> {
        shared(&self.state.said, class, || said(self, class))
    }
}
