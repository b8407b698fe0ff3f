//! The state after changes of files: which answers about tests stand, and which are asked anew.

use crate::analysis::Analysis;
use crate::checked::keep_places;
use crate::checking::HelpersIn;
use crate::key::{KeyOf, Rewritten, StandingKeys};
use crate::offers::{HopeOf, OfferOf, Since};
use crate::open::Before;
use program::{Change, FileId};
use std::sync::Arc;

impl Analysis {
    /// The state after changes of files.
    #[must_use]
    pub fn after(&self, changes: Vec<Change>) -> Analysis {
        let paths: Vec<Arc<str>> = changes.iter().map(|c| Arc::clone(&c.path)).collect();
        // First, so that all that these rest on is among the answers that are compared.
        let offers = self.answers::<OfferOf>().all();
        let hopes = self.answers::<HopeOf>().all();
        let of_mocks = Before::new(self);
        let next = self.updated(changes);
        let program = next.program();
        let changed: Vec<FileId> = paths.iter().filter_map(|p| program.file(p)).collect();
        let helpers = next.answers();
        for (set, old) in self.answers::<HelpersIn>().all() {
            if let Some(kept) = set.after(*old, program, &changed) {
                helpers.set(set, Arc::new(kept));
            }
        }
        if let Some(rewritten) = Rewritten::new(self.program(), next.program()) {
            let found = self.answers::<KeyOf>().all();
            let standing = self.store::<StandingKeys>().after(found, &rewritten);
            next.put(Arc::new(standing));
        }
        if let Some(since) = Since::new(self.workspace(), next.workspace()) {
            let known = self.known_so_far().zip(next.known_so_far());
            let is_known = known.is_some_and(|(old, new)| new.answers_as(old));
            of_mocks.keep(&next, &since, is_known);
            keep_places(self, &next, &changed);
            if is_known {
                let (kept_hopes, kept_offers) = (next.answers(), next.answers());
                for (of, old) in hopes {
                    if since.hope(of.0, &old) {
                        kept_hopes.set(of, old);
                    }
                }
                for (of, old) in offers {
                    if let Some(kept) = since.offered(of.0, &old) {
                        kept_offers.set(of, kept);
                    }
                }
            }
        }
        next
    }
}
