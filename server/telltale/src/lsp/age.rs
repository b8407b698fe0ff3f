//! How long ago something was, in words. The clock is the caller's.

use ide::lens::Title;
use std::time::SystemTime;

/// What a lens says, with the age of what it rests on: `2 of 41 assertions look wrong · recorded 3 min ago`.
pub(super) fn told(title: Title) -> String {
    with(title.text, title.recorded)
}

/// The same of words that rest on what was recorded then.
pub(super) fn with(text: String, recorded: Option<i64>) -> String {
    match recorded {
        Some(then) => format!("{text} · recorded {}", ago(now(), then)),
        None => text,
    }
}

/// Now, in seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |d| i64::try_from(d.as_secs()).unwrap_or(i64::MAX))
}

/// `3 min ago`. What lies ahead, by a clock that was set, is just now.
fn ago(now: i64, then: i64) -> String {
    let seconds = now.saturating_sub(then).max(0);
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match () {
        () if minutes < 1 => "just now".to_owned(),
        () if hours < 1 => format!("{minutes} min ago"),
        () if days < 1 => format!("{hours} h ago"),
        () if days == 1 => "yesterday".to_owned(),
        () => format!("{days} days ago"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_in_words() {
        for (seconds, words) in [
            (-5, "just now"),
            (0, "just now"),
            (59, "just now"),
            (60, "1 min ago"),
            (3 * 60 + 59, "3 min ago"),
            (3_599, "59 min ago"),
            (3_600, "1 h ago"),
            (86_399, "23 h ago"),
            (86_400, "yesterday"),
            (3 * 86_400, "3 days ago"),
        ] {
            assert_eq!(ago(1_000_000_000, 1_000_000_000 - seconds), words);
        }
        assert_eq!(ago(i64::MIN, i64::MAX), "just now");
    }
}
