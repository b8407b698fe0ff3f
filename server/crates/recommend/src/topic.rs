//! What a test is about, as far as it says so itself: by its name, and by what it does more than once.

use super::observation_points::{Point, Scene};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// The shortest word of which another may be a form (`close`, `closed`), and how much longer that may be.
const LEAST_STEM: usize = 4;
const MOST_ENDING: usize = 3;

/// Words of tests, and names of calls in them, that measure time.
const MEASURES: &[&str] = &["benchmark", "performance", "perf"];

/// See the module's description.
#[derive(Debug, Default)]
pub(super) struct Topic {
    /// It is about how long something takes: what that computes is not wanted.
    is_timed: bool,
    /// The words of the test's name.
    test: Vec<SmolStr>,
    /// How often a value of that text is dropped.
    dropped: FxHashMap<SmolStr, usize>,
}

impl Topic {
    /// That of a scene with its points.
    pub(super) fn new(scene: &Scene<'_>, points: &[&Point]) -> Topic {
        let program = scene.reader.program;
        let test = program
            .body_method(scene.id)
            .and_then(|m| program.method_decl(m));
        let test = test.map_or_else(Vec::new, |t| words(&t.name));
        let class = program.type_decl(program.body_owner(scene.id));
        let class = class.map_or_else(Vec::new, |c| words(&c.name));
        let mut named = test.iter().chain(&class);
        let measures = named.any(|w| MEASURES.contains(&w.as_str()));
        let body = scene.reader.body;
        let is_about_time = body.calls.iter().any(|c| {
            body.method_name(c)
                .is_some_and(|name| models::is_about_time(name))
        });
        // From when to when: whoever asks for both measures.
        let clocks = body.calls.iter().filter_map(|c| body.method_name(c));
        let clocks = clocks.filter(|n| *n == "currentTimeMillis");
        let mut out = Topic {
            is_timed: measures || is_about_time || clocks.count() > 1,
            test,
            dropped: FxHashMap::default(),
        };
        for point in points.iter().filter(|p| p.dropped) {
            let text = point.observation.expression.clone();
            *out.dropped.entry(text).or_default() += 1;
        }
        out
    }

    /// True for a test that measures how long something takes.
    pub(super) fn is_timed(&self) -> bool {
        self.is_timed
    }

    /// True for a test that by its name is about what is drawn by chance.
    pub(super) fn is_about_chance(&self) -> bool {
        let mut all = self.test.iter();
        all.any(|w| ["random", "randomly", "randomized", "faker"].contains(&w.as_str()))
    }

    /// True for a test that by its name sees whether something is as it is to be: what is not, is to throw.
    pub(super) fn is_to_validate(&self) -> bool {
        let mut all = self.test.iter();
        all.any(|w| ["validate", "validates", "validation"].contains(&w.as_str()))
    }

    /// True for a test that by its name is about how many there are.
    pub(super) fn is_about_number(&self) -> bool {
        let mut all = self.test.iter();
        all.any(|w| ["single", "count", "counts", "size"].contains(&w.as_str()))
    }

    /// True if the test's name has all words of a method's.
    pub(super) fn is_named_after(&self, method: &str) -> bool {
        let method = words(method);
        let in_name = |w: &SmolStr| self.test.iter().any(|own| is_form_of(own, w));
        !method.is_empty() && method.iter().all(in_name)
    }

    /// True if the test's name has all words of a query but that it asks: `getOwnerName()`.
    pub(super) fn is_about(&self, query: &str) -> bool {
        let all = words(query.trim_end_matches("()"));
        let asks = |w: &&SmolStr| ["get", "is", "has"].contains(&w.as_str());
        let named = all.iter().skip_while(asks);
        let mut named = named.peekable();
        named.peek().is_some() && named.all(|w| self.test.iter().any(|own| is_form_of(own, w)))
    }

    /// True if the test drops a value of that text more than once.
    pub(super) fn is_dropped_often(&self, text: &str) -> bool {
        self.dropped.get(text).is_some_and(|n| *n > 1)
    }
}

/// The words of a name, small: `getIdleTimeout()` has three, `parseURLPath` too.
pub(super) fn words(name: &str) -> Vec<SmolStr> {
    let chars: Vec<char> = name.chars().collect();
    let mut out: Vec<SmolStr> = Vec::new();
    let mut word = String::new();
    for (i, &c) in chars.iter().enumerate() {
        let after_small = i > 0 && chars[i - 1].is_lowercase();
        let before_small = chars.get(i + 1).is_some_and(|n| n.is_lowercase());
        let begins = c.is_uppercase() && (after_small || before_small);
        if (begins || !c.is_alphabetic()) && !word.is_empty() {
            out.push(SmolStr::from(std::mem::take(&mut word)));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        out.push(SmolStr::from(word));
    }
    out
}

/// True if one word is another, or a form of it.
fn is_form_of(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    a == b
        || short.len() >= LEAST_STEM
            && long
                .strip_prefix(short)
                .is_some_and(|ending| ending.len() <= MOST_ENDING)
}

#[cfg(test)]
mod tests {
    use super::{is_form_of, words};

    #[test]
    fn names_have_words() {
        assert_eq!(words("getIdleTimeout()"), ["get", "idle", "timeout"]);
        assert_eq!(words("parseURLPath"), ["parse", "url", "path"]);
        assert_eq!(words("should_close_2_pools"), ["should", "close", "pools"]);
        assert!(words("_1").is_empty());
    }

    #[test]
    fn forms_of_a_word() {
        assert!(is_form_of("close", "closed") && is_form_of("timeouts", "timeout"));
        assert!(!is_form_of("is", "isbn") && !is_form_of("port", "portfolio"));
    }
}
