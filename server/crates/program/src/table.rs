//! A table by small numbers of which every snapshot has its own copy.
//!
//! The rows stand in pages, and copies share a page until one of them writes to it: copying costs one pointer for
//! every [`PAGE`] rows, and a write to a shared page copies that page.

use std::sync::Arc;

/// Rows in a page: copying a table of 15,000 bodies copies 118 pointers, a write then 128 rows.
const PAGE: usize = 128;

type Page<T> = [Option<T>; PAGE];

/// See the module's description. Rows that were never set are empty.
#[derive(Clone, Debug)]
pub struct Table<T> {
    pages: Vec<Arc<Page<T>>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { pages: Vec::new() }
    }
}

impl<T> Table<T> {
    /// The row `at`, if it is set.
    pub fn get(&self, at: usize) -> Option<&T> {
        self.pages.get(at / PAGE)?[at % PAGE].as_ref()
    }
    /// One past the last row that could be set.
    pub fn end(&self) -> usize {
        self.pages.len() * PAGE
    }
}

impl<T: Clone> Table<T> {
    /// Sets a row and gives what was there.
    pub fn set(&mut self, at: usize, value: T) -> Option<T> {
        while self.pages.len() <= at / PAGE {
            self.pages.push(Arc::new(std::array::from_fn(|_| None)));
        }
        Arc::make_mut(&mut self.pages[at / PAGE])[at % PAGE].replace(value)
    }
    /// Empties a row and gives what was there.
    pub fn take(&mut self, at: usize) -> Option<T> {
        self.get(at)?;
        Arc::make_mut(&mut self.pages[at / PAGE])[at % PAGE].take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_pages_until_one_is_written() {
        let mut a: Table<u32> = Table::default();
        assert_eq!(a.take(5), None);
        for at in 0..1000 {
            assert_eq!(a.set(at * 3, at as u32), None);
        }
        let mut b = a.clone();
        assert_eq!(b.set(300, 7), Some(100));
        assert_eq!(b.take(0), Some(0));
        assert_eq!((a.get(300), b.get(300)), (Some(&100), Some(&7)));
        assert_eq!((a.get(0), b.get(0)), (Some(&0), None));
        assert_eq!((a.get(1), a.get(1_000_000)), (None, None));
        let shared = a.pages.iter().zip(&b.pages);
        let shared = shared.filter(|(a, b)| Arc::ptr_eq(a, b)).count();
        assert_eq!(shared, a.pages.len() - 2);
    }
}
