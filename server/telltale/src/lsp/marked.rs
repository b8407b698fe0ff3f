//! *Which assertions look wrong*: what an editor marks in a file of generated tests, as a list, for editors without lenses and for who
//! goes from one to the next.

use super::age;
use super::convert;
use super::world::Found;
use ide::title::suspects_of;
use serde_json::{Value, json};
use text::LineIndex;

/// Takes `[{ uri }]`.
pub(crate) const SUSPECTS: &str = "telltale.suspects";

/// The most suspicious first, with what a lens says of all, or why there are none.
pub(super) fn list(found: &Found, index: &LineIndex) -> Value {
    let program = found.analysis.program();
    let (marked, says, recorded) = suspects_of(&found.analysis, found.file);
    let one = |f: &ide::rules::Finding| {
        json!({
            "range": convert::range(index, f.span, found.coding),
            "text": f.what,
            "test": f.method.map(|m| program.method_name(m)),
            "rank": f.standing.map(|s| s.rank),
            "score": f.standing.map(|s| s.score),
            "sure": f.fainter.is_none(),
            "message": f.message,
        })
    };
    json!({
        "said": age::with(says, recorded),
        "assertions": marked.iter().map(one).collect::<Vec<_>>(),
    })
}
