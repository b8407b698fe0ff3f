//! Words that all output shares.

/// `1 jar`, `3 jars`, `12,000 jars`.
pub(crate) fn plural(n: usize, one: &str, many: &str) -> String {
    let what = if n == 1 { one } else { many };
    format!("{} {what}", text::grouped(n as u64))
}
