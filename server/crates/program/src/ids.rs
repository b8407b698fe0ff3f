//! Names and things as small numbers, stable over all snapshots of one program.
//!
//! The tables only grow. A number is never used for an order that anyone sees: it depends on which thread came first.

use crate::types::TyKind;
use rustc_hash::{FxHashMap, FxHasher};
use smol_str::SmolStr;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

flow::ids! {
    /// A simple or dotted name.
    Symbol,
    /// A source set: its position in the input of the program.
    SourceSetId,
    /// A file, by path.
    FileId,
    /// A type: (source set, binary name), or a type of a library.
    TypeId,
    /// A method or constructor of a type.
    MethodId,
    /// A field of a type.
    FieldId,
    /// A body: a method's, or the static or instance initialisers of a type.
    BodyId,
}

/// The pseudo source set of libraries.
pub(crate) const LIBRARY: u32 = u32::MAX;

/// Names a type. `duplicate` is 0 except for declarations of a name that another declaration has already.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TypeKey {
    pub(crate) set: u32,
    pub(crate) name: Symbol,
    /// (file + 1, n-th in that file) of a shadowed duplicate, else (0, 0).
    pub(crate) duplicate: (u32, u32),
}

/// Names a method by its declared parameter types as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MethodKey {
    pub(crate) owner: TypeId,
    pub(crate) name: Symbol,
    pub(crate) params: Symbol,
    pub(crate) duplicate: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FieldKey {
    pub(crate) owner: TypeId,
    pub(crate) name: Symbol,
    pub(crate) duplicate: u32,
}

/// Whose code a body is, by id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Member {
    /// A method or constructor.
    Method(MethodId),
    /// Static initialisers.
    Clinit,
    /// Instance initialisers.
    Init,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BodyKey {
    pub(crate) owner: TypeId,
    pub(crate) member: Member,
}

/// The tables of one program and all its later snapshots.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    pub(crate) symbols: Interner<SmolStr>,
    pub(crate) tys: Interner<TyKind>,
    /// Of types that are made of others: how many types they are written with.
    pub(crate) sizes: Cells<u32>,
    pub(crate) files: Interner<Arc<str>>,
    pub(crate) types: Interner<TypeKey>,
    pub(crate) methods: Interner<MethodKey>,
    pub(crate) fields: Interner<FieldKey>,
    pub(crate) bodies: Interner<BodyKey>,
    revisions: AtomicU64,
}

impl Ids {
    /// A number that no other snapshot of this program has.
    pub(crate) fn next_revision(&self) -> u64 {
        self.revisions.fetch_add(1, Ordering::Relaxed)
    }
    pub(crate) fn symbol(&self, name: &str) -> Symbol {
        Symbol(self.symbols.intern(SmolStr::new(name)))
    }
    pub(crate) fn text(&self, symbol: Symbol) -> &SmolStr {
        self.symbols.get(symbol.0)
    }
    pub(crate) fn library_type(&self, binary_name: &str) -> TypeId {
        let name = self.symbol(binary_name);
        TypeId(self.types.intern(TypeKey {
            set: LIBRARY,
            name,
            duplicate: (0, 0),
        }))
    }
    pub(crate) fn is_library(&self, ty: TypeId) -> bool {
        self.types.get(ty.0).set == LIBRARY
    }
    /// Binary name.
    pub(crate) fn type_name(&self, ty: TypeId) -> &SmolStr {
        self.text(self.types.get(ty.0).name)
    }
}

const SHARDS: usize = 16;
const FIRST_CHUNK: u32 = 256;
const CHUNKS: usize = 24;

/// Cells by number that are filled once; reading takes no lock. Chunk `k` holds `FIRST_CHUNK << k` cells.
#[derive(Debug)]
pub(crate) struct Cells<T> {
    chunks: [OnceLock<Box<[OnceLock<T>]>>; CHUNKS],
}

impl<T> Default for Cells<T> {
    fn default() -> Self {
        Cells {
            chunks: std::array::from_fn(|_| OnceLock::new()),
        }
    }
}

impl<T> Cells<T> {
    fn place(id: u32) -> (usize, usize) {
        let chunk = (u64::from(id / FIRST_CHUNK) + 1).ilog2();
        let first = ((1u64 << chunk) - 1) * u64::from(FIRST_CHUNK);
        (chunk as usize, (u64::from(id) - first) as usize)
    }

    /// The cell of a number below 2^31.
    pub(crate) fn cell(&self, id: u32) -> &OnceLock<T> {
        let (chunk, at) = Self::place(id);
        let cells = self.chunks[chunk].get_or_init(|| {
            (0..(FIRST_CHUNK as usize) << chunk)
                .map(|_| OnceLock::new())
                .collect()
        });
        &cells[at]
    }
}

/// An append-only table of distinct values. Reading a value takes no lock.
#[derive(Debug)]
pub(crate) struct Interner<T> {
    shards: [RwLock<FxHashMap<T, u32>>; SHARDS],
    next: AtomicU32,
    values: Cells<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            shards: std::array::from_fn(|_| RwLock::default()),
            next: AtomicU32::new(0),
            values: Cells::default(),
        }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    fn shard(&self, value: &T) -> &RwLock<FxHashMap<T, u32>> {
        let mut hasher = FxHasher::default();
        value.hash(&mut hasher);
        &self.shards[(hasher.finish() >> 40) as usize % SHARDS]
    }

    /// The number of `value`, a new one if it was not there.
    pub(crate) fn intern(&self, value: T) -> u32 {
        let shard = self.shard(&value);
        // A panic cannot leave a shard half written: the value is stored before its number is entered.
        if let Some(&id) = shard
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&value)
        {
            return id;
        }
        let mut map = shard.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = map.get(&value) {
            return id;
        }
        let id = self.next.fetch_add(1, Ordering::AcqRel);
        let _ = self.values.cell(id).set(value.clone());
        map.insert(value, id);
        id
    }

    /// The number of `value` if it has one.
    pub(crate) fn find(&self, value: &T) -> Option<u32> {
        self.shard(value)
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(value)
            .copied()
    }

    /// The value of a number that [`Self::intern`] gave.
    pub(crate) fn get(&self, id: u32) -> &T {
        self.values
            .cell(id)
            .get()
            .expect("numbers come from this table")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_values_come_back() {
        let table: Interner<u64> = Interner::default();
        for v in 0..5000u64 {
            assert_eq!(table.intern(v * 7), v as u32);
        }
        for v in 0..5000u64 {
            assert_eq!(table.intern(v * 7), v as u32);
            assert_eq!(*table.get(v as u32), v * 7);
        }
        assert_eq!(table.find(&7), Some(1));
        assert_eq!(table.find(&1), None);
    }
}
