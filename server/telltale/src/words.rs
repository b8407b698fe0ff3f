//! Words that all output shares.

/// `1 jar`, `3 jars`, `12,000 jars`.
pub(crate) fn plural(n: usize, one: &str, many: &str) -> String {
    let what = if n == 1 { one } else { many };
    format!("{} {what}", text::grouped(n as u64))
}

/// A line of so many characters at most.
pub(crate) fn shorten(line: &str, most: usize) -> String {
    if line.chars().count() <= most {
        return line.to_owned();
    }
    let mut cut: String = line.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}
