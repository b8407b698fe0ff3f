//! Why a value was chosen, in words.

use super::{CandidateKind, Described, RankedValue};
use crate::words::{WHOLE, method_words, percent, reveals};

/// What a candidate is called in a sentence.
pub fn name(c: &Described) -> String {
    match c.kind.is_returned() {
        true => format!("return value of {}", method_words(&c.method)),
        false => c.variable.clone(),
    }
}

/// How many of the things that a value covers are named.
const NAMED: usize = 3;

/// What one value covers, as a reader counts: places of one name are one thing.
struct Covered {
    what: String,
    /// Of a returned value, where the one place is.
    line: Option<u32>,
    places: usize,
    least: f64,
    most: f64,
}

/// Why a value was chosen, in words: what it covers, the surest first. With figures: in how many places, and how surely.
pub fn because(r: &RankedValue, describe: &dyn Fn(u32) -> Described, figures: bool) -> String {
    let is_query = r.candidate.kind == CandidateKind::Query;
    let mut covered: Vec<Covered> = Vec::new();
    for s in &r.stands_for {
        let c = describe(s.id);
        let what = if c.kind.is_returned() {
            name(&c)
        } else if c.method == r.candidate.method {
            format!("{} (line {})", c.variable, c.line)
        } else {
            format!("{} in {}", c.variable, method_words(&c.method))
        };
        match covered.iter_mut().find(|t| t.what == what) {
            Some(t) => {
                t.places += 1;
                t.line = None;
                t.least = t.least.min(s.foc);
                t.most = t.most.max(s.foc);
            }
            None => covered.push(Covered {
                what,
                line: c.kind.is_returned().then_some(c.line),
                places: 1,
                least: s.foc,
                most: s.foc,
            }),
        }
    }
    let named: Vec<String> = covered
        .iter()
        .take(NAMED)
        .map(|c| c.text(figures))
        .collect();
    let more = covered.len().saturating_sub(NAMED);
    match (named.is_empty(), is_query) {
        (true, true) => "what goes into it is not followed here".to_owned(),
        (true, false) => "covers itself alone".to_owned(),
        (false, true) => format!("would {}", reveals(named, more)),
        (false, false) => format!("would also {}", reveals(named, more)),
    }
}

impl Covered {
    fn text(&self, figures: bool) -> String {
        let what = match self.line {
            Some(line) => format!("{} (line {line})", self.what),
            None => self.what.clone(),
        };
        if !figures {
            return what;
        }
        let (least, most) = (percent(self.least), percent(self.most));
        match self.places {
            1 if self.least >= WHOLE => what,
            1 => format!("{what} ({most})"),
            n if self.least >= WHOLE => format!("{what} ({n} places)"),
            n if least == most => format!("{what} ({n} places, {least})"),
            n => format!("{what} ({n} places, {least} to {most})"),
        }
    }
}
