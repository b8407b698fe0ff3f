//! The answers that a state keeps, by question.
//!
//! A feature says what it asks as a [`Question`], beside the code that answers it. The state knows none of them: it keeps
//! what it was given, and leaves out what rests on something that another state has otherwise.

use super::Analysis;
use dashmap::DashMap;
use std::any::{Any, TypeId};
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, OnceLock};

/// A part of a state that answers may rest on, beside the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// λ, fp, how many are selected, and whether offers are of what ran.
    Settings,
    /// What users do not want to be told of.
    Dismissed,
    /// What runs told.
    Facts,
}

/// Something that is asked of a state, and answered once.
pub(crate) trait Question: Clone + Eq + Hash + Send + Sync + 'static {
    /// What it gives.
    type Answer: Send + Sync + 'static;

    /// What the answer rests on, beside the program.
    const RESTS_ON: &'static [Part];

    /// True if of the program it rests on declarations alone: what an edit within bodies does not change.
    const IS_OF_DECLARATIONS: bool = false;

    /// Answers it.
    fn answer(&self, analysis: &Analysis) -> Self::Answer;
}

/// What a feature keeps of a state.
pub(crate) trait Store: Default + Send + Sync + 'static {
    /// What that rests on, beside the program.
    const RESTS_ON: &'static [Part];

    /// True if of the program it rests on declarations alone.
    const IS_OF_DECLARATIONS: bool = false;
}

/// The answers to one sort of question. An entry is taken under the map's guard and computed outside it.
pub(crate) struct Answers<Q: Question>(DashMap<Q, Arc<OnceLock<Arc<Q::Answer>>>>);

impl<Q: Question> Default for Answers<Q> {
    fn default() -> Answers<Q> {
        Answers(DashMap::new())
    }
}

impl<Q: Question> Store for Answers<Q> {
    const RESTS_ON: &'static [Part] = Q::RESTS_ON;
    const IS_OF_DECLARATIONS: bool = Q::IS_OF_DECLARATIONS;
}

impl<Q: Question> Answers<Q> {
    /// What is known, else what is computed now; who asks for the same waits for that.
    pub(crate) fn get_or(
        &self,
        question: Q,
        compute: impl FnOnce() -> Q::Answer,
    ) -> Arc<Q::Answer> {
        let cell = Arc::clone(&self.0.entry(question).or_default());
        Arc::clone(cell.get_or_init(|| Arc::new(compute())))
    }

    /// What is known.
    pub(crate) fn get(&self, question: &Q) -> Option<Arc<Q::Answer>> {
        let cell = self.0.get(question).map(|cell| Arc::clone(&cell));
        cell.and_then(|cell| cell.get().cloned())
    }

    /// Keeps an answer, and gives it, or the one that was there before.
    pub(crate) fn set(&self, question: Q, answer: Arc<Q::Answer>) -> Arc<Q::Answer> {
        let cell = Arc::clone(&self.0.entry(question).or_default());
        Arc::clone(cell.get_or_init(|| answer))
    }

    /// All that is known.
    pub(crate) fn all(&self) -> Vec<(Q, Arc<Q::Answer>)> {
        let entries = self.0.iter();
        entries
            .filter_map(|e| Some((e.key().clone(), Arc::clone(e.value().get()?))))
            .collect()
    }
}

/// What features keep, each by its own type.
#[derive(Default)]
pub(super) struct Stores(DashMap<TypeId, Kept>);

/// What one feature keeps, and what that rests on.
#[derive(Clone)]
struct Kept {
    rests_on: &'static [Part],
    is_of_declarations: bool,
    store: Arc<dyn Any + Send + Sync>,
}

impl Kept {
    fn new<S: Store>(store: Arc<S>) -> Kept {
        Kept {
            rests_on: S::RESTS_ON,
            is_of_declarations: S::IS_OF_DECLARATIONS,
            store,
        }
    }
}

impl fmt::Debug for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stores").field(&self.0.len()).finish()
    }
}

impl Stores {
    /// The store of a type, empty where nobody asked for it before.
    pub(super) fn of<S: Store>(&self) -> Arc<S> {
        let id = TypeId::of::<S>();
        let known = self.0.get(&id).map(|known| Arc::clone(&known.store));
        let any = known.unwrap_or_else(|| {
            let new = || Kept::new(Arc::<S>::default());
            Arc::clone(&self.0.entry(id).or_insert_with(new).store)
        });
        // Its key is its type.
        any.downcast().unwrap_or_default()
    }

    /// Has this store of its type from now on.
    pub(super) fn put<S: Store>(&self, store: Arc<S>) {
        self.0.insert(TypeId::of::<S>(), Kept::new(store));
    }

    /// The stores that rest on none of some parts; who has them shares them.
    pub(super) fn resting_on_none_of(&self, parts: &[Part]) -> Stores {
        self.those(|kept| !kept.rests_on.iter().any(|part| parts.contains(part)))
    }

    /// The stores that rest on declarations alone, of the program.
    pub(super) fn of_declarations(&self) -> Stores {
        self.those(|kept| kept.is_of_declarations)
    }

    fn those(&self, stand: impl Fn(&Kept) -> bool) -> Stores {
        let all = self.0.iter();
        let kept = all.filter(|store| stand(store.value()));
        Stores(
            kept.map(|store| (*store.key(), store.value().clone()))
                .collect(),
        )
    }
}
