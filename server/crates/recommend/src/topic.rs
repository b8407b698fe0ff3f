//! What a test is about, as far as it says so itself: by its name and its class's, by what it does, and by which parts of
//! an object it asserts.
//!
//! An object has many queries, and that code under test had it in its hands says little about most of them: a test of a
//! time-out is not about the size of a pool. A query is to the point if its words are the test's, or if it is the part that
//! is left of an object whose others are asserted.

use super::acts::Acts;
use super::computed::{is_compound, is_value};
use super::doubt::says_little;
use super::observation_points::{Point, Scene};
use flow::{Callee, ExprId, ExprKind};
use observe::Reads;
use oracle::Root;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Words of a query that say nothing of what it asks.
const EMPTY: &[&str] = &[
    "get", "is", "has", "are", "was", "can", "the", "of", "to", "all", "current", "as",
];

/// The shortest word of which another may be a form (`close`, `closed`), and how much longer that may be.
const LEAST_STEM: usize = 4;
const MOST_ENDING: usize = 3;

/// See the module's description.
#[derive(Debug, Default)]
pub(super) struct Topic {
    /// Of the test's name.
    test: Vec<SmolStr>,
    /// Of its class's name, and of those of the classes around that.
    class: Vec<SmolStr>,
    /// Of the test's name and its class's.
    words: Vec<SmolStr>,
    /// Of the methods of code under test that it calls, with their places.
    acts: Vec<(u32, Vec<SmolStr>)>,
    /// By object: how many of its queries are asserted, and how many are not.
    parts: FxHashMap<Root, (usize, usize)>,
    /// How often a value of that text is dropped.
    dropped: FxHashMap<SmolStr, usize>,
}

impl Topic {
    /// That of a scene with its points. `is_read`: the test reads a text of a root, as that is now.
    pub(super) fn new(
        scene: &Scene<'_>,
        acts: &Acts,
        points: &[&Point],
        is_read: impl Fn(&Root, &SmolStr) -> bool,
    ) -> Topic {
        let (program, body) = (scene.reader.program, scene.reader.body);
        let mut out = Topic::default();
        let test = program
            .body_method(scene.id)
            .and_then(|m| program.method_decl(m));
        let class = program.type_decl(program.body_owner(scene.id));
        let own = program.body_owner(scene.id);
        let around = std::iter::successors(Some(own), |c| program.enclosing_type(*c));
        let around = around.filter_map(|c| program.type_decl(c));
        out.class = around.flat_map(|d| words(&d.name)).collect();
        out.test = test.map_or_else(Vec::new, |t| words(&t.name));
        let names = test.map(|t| &t.name).into_iter();
        let names = names.chain(class.map(|c| &c.name));
        out.words = names.flat_map(|n| words(n)).collect();
        for &act in &acts.acts {
            if let ExprKind::Call(c) = body.expr(ExprId(act)).kind
                && let Callee::Method { name, .. } = body.calls[c.ix()].callee
            {
                out.acts.push((act, words(body.name(name))));
            }
        }
        for point in points {
            let text = &point.observation.expression;
            if point.dropped {
                *out.dropped.entry(text.clone()).or_default() += 1;
            }
            let own = matches!(point.reads, Some(Reads::Method(_) | Reads::Field(_)));
            let comparable = is_value(program, point.ty) || is_compound(program, point.ty);
            if own && point.depth == 1 && comparable && !says_little(&point.ask.query) {
                let (asserted, open) = out.parts.entry(point.root.clone()).or_default();
                match point.read || is_read(&point.root, text) {
                    true => *asserted += 1,
                    false => *open += 1,
                }
            }
        }
        out
    }

    /// True if the test's name has all words of a method's.
    pub(super) fn is_named_after(&self, method: &str) -> bool {
        let method = words(method);
        let in_name = |w: &SmolStr| self.test.iter().any(|own| is_form_of(own, w));
        !method.is_empty() && method.iter().all(in_name)
    }

    /// True if the name of the test's class has all words of a type's.
    pub(super) fn is_class_named_after(&self, class: &str) -> bool {
        let class = words(class);
        let in_name = |w: &SmolStr| self.class.iter().any(|own| is_form_of(own, w));
        !class.is_empty() && class.iter().all(in_name)
    }

    /// True if most parts of an object are asserted: what is left was forgotten.
    pub(super) fn is_left(&self, root: &Root) -> bool {
        let parts = self.parts.get(root);
        parts.is_some_and(|&(asserted, open)| asserted >= 2 && asserted >= 2 * open)
    }

    /// True if the test's name says that it compares objects: it is about no part of them.
    pub(super) fn is_of_equality(&self) -> bool {
        let has = |w: &str| self.test.iter().any(|own| own == w);
        has("equals") || has("equality") || has("hashcode") || has("hash") && has("code")
    }

    /// True if the test's name, or that of the method which had the object last at a place, has all words of a query.
    pub(super) fn names(&self, query: &str, touched: u32) -> bool {
        let mut asked = words(query);
        asked.retain(|w| !EMPTY.contains(&w.as_str()));
        let all_in = |own: &[SmolStr]| {
            let is_own = |w: &SmolStr| own.iter().any(|own| is_form_of(own, w));
            !asked.is_empty() && asked.iter().all(is_own)
        };
        let act = self.acts.iter().rev().find(|(at, _)| *at <= touched);
        all_in(&self.words) || act.is_some_and(|(_, words)| all_in(words))
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
