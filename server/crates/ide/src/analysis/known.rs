//! What was computed already, for those who would not wait for it.

use super::Analysis;
use program::MethodId;

impl Analysis {
    /// True if what a test could read was computed, in this state or in one before that it still holds of.
    pub fn knows_offer(&self, test: MethodId) -> bool {
        let cell = self.tests.get(&test);
        cell.is_some_and(|cell| cell.get().is_some())
    }
}
