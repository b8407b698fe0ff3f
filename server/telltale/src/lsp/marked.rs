//! *Which assertions look wrong*: what an editor marks in a file of generated tests and what else has a rank there, as a list, for
//! editors without lenses and for who goes from one to the next.

use super::age;
use super::convert;
use super::world::Found;
use ide::title::suspects_of;
use serde_json::{Value, json};
use text::LineIndex;

/// Takes `[{ uri, most? }]`.
pub(crate) const SUSPECTS: &str = "telltale.suspects";

/// How many assertions are listed where nobody says how many; marks are listed all.
pub(super) const MOST: usize = 50;

/// The marked ones, behind them the others up to `most` in all, each the most suspicious first; with what a lens says of all, or why
/// there are none.
pub(super) fn list(found: &Found, index: &LineIndex, most: usize) -> Value {
    let program = found.analysis.program();
    let listed = suspects_of(&found.analysis, found.file);
    let room = most.saturating_sub(listed.marked.len());
    let others = listed.others.iter().take(room);
    let ranked = if listed.marked.is_empty() {
        "ranked"
    } else {
        "more ranked"
    };
    let more = match (listed.others.len(), others.len()) {
        (0, _) => String::new(),
        (all, shown) if shown == all => format!(" · {all} {ranked}"),
        (all, shown) => format!(" · {all} {ranked}, the first {shown} listed"),
    };
    let marked = listed.marked.iter().map(|f| (f, true));
    let all = marked.chain(others.map(|f| (f, false)));
    let one = |(f, is_marked): (&ide::rules::Finding, bool)| {
        json!({
            "range": convert::range(index, f.span, found.coding),
            "text": f.what,
            "test": f.method.map(|m| program.method_name(m)),
            "rank": f.standing.map(|s| s.rank),
            "score": f.standing.map(|s| s.score),
            "marked": is_marked,
            "sure": f.fainter.is_none(),
            "message": f.message,
        })
    };
    json!({
        "said": age::with(listed.said, listed.recorded) + &more,
        "ranked": listed.marked.len() + listed.others.len(),
        "assertions": all.map(one).collect::<Vec<_>>(),
    })
}
