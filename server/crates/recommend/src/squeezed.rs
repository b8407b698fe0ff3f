//! Code as text, to be compared.

use smol_str::SmolStr;

/// Without white space.
pub(crate) fn squeezed(text: &str) -> SmolStr {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
